#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""moved.py [GONE]: a world of ten cells in a row, three of which are seen on each side. As soon as the test agent stands in the third cell the
button that it saw in the fourth is in the ninth; with GONE it is nowhere any more."""
import json
import sys

STEPS = {"east": 1, "west": -1}
elsewhere = None if sys.argv[1:] else 8
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"id": asked["id"]}
    if "hello" in asked:
        answer.update(world="moved", version="1", actions={"move": {"to": ["east", "south", "west", "north"]}, "press": {"on": "entity"}},
                      types={"player": {"x": "int", "y": "int"}, "button": {"x": "int", "y": "int", "on": "bool"}},
                      entities={"t": "player", "b1": "button"}, grid=[10, 1, 1], step="move")
    elif "bye" not in asked:
        if "reset" in asked:
            at, button, on, tick = 0, 3, False, 0
        else:
            tick += asked["do"] != "look"
            at += STEPS.get(asked.get("to"), 0) if 0 <= at + STEPS.get(asked.get("to"), 0) < 10 else 0
            on ^= asked["do"] == "press" and at == button
            button = elsewhere if at == 2 and button == 3 else button
        seen = range(max(0, at - 3), min(10, at + 4))
        answer.update(tick=tick, entities=[{"id": "t", "type": "player", "x": at, "y": 0}], cells=[[x, 0, 0, True] for x in seen])
        if button in seen:
            answer["entities"].append({"id": "b1", "type": "button", "x": button, "y": 0, "on": on})
    print(json.dumps(answer), flush=True)
