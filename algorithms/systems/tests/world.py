# SPDX-License-Identifier: GPL-3.0-or-later
"""A world program for tests, sound but for what its argument, Python, does: it sees the state and can change each answer before it is
said. world.py 'if n == 3: say({"id": 9})'"""
import json
import os
import signal
import sys
import time

HELLO = {"world": "toy", "version": "1",
         "types": {"room": {"name": "string"}, "lamp": {"on": "bool", "level": "int", "heat": "float", "colour": ["red", "green"],
                                                       "x": "int", "y": "int", "twin": "lamp", "in": "room"}},
         "actions": {"press": {"on": "entity"}, "set": {"level": "int", "heat": "float", "colour": ["red", "green"], "text": "string",
                                                        "on": "bool"},
                     "move": {"to_the": ["east", "south", "west", "north", "up", "down"]}},
         "entities": {"hall": "room"}, "can": ["pictures", "paths"], "grid": [4, 3, 2], "step": "move"}


def out(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def say(answer):
    out(json.dumps(answer) + "\n")


deed = compile(sys.argv[1] if len(sys.argv) > 1 else "", "deed", "exec")
n, tick = 0, 0
for line in sys.stdin:
    request = json.loads(line)
    n += 1
    if "bye" in request:
        break
    if "hello" in request:
        answer = {"id": request["id"], **HELLO}
    else:
        tick = 0 if "reset" in request else tick + (request["do"] != "look")
        answer = {"id": request["id"], "tick": tick,
                  "entities": [{"id": "hall", "type": "room", "name": "Hall"},
                               {"id": "a", "type": "lamp", "in": "hall", "on": tick % 2 == 1, "level": tick, "heat": tick / 4,
                                "colour": "red", "x": 1, "y": 2, "twin": None}],
                  "gone": [], "all": True}
    exec(deed)
    if answer is not None:
        say(answer)
