#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A world program as short as they come: a lift with four floors, whose doors do not move while it does. A line of JSON in, a line out."""
import json
import sys

FLOORS = 4
HELLO = {"world": "lift", "version": "1",
         "types": {"cabin": {"floor": "int", "door": ["open", "closed"], "full": "bool"},
                   "button": {"lit": "bool", "leads": "int", "in": "cabin"}},
         "actions": {"press": {"on": "entity"}, "board": {"persons": "int"}},
         "entities": {"cabin": "cabin"}, "can": ["reset"]}


class Lift:
    def __init__(self):
        self.tick, self.floor, self.door, self.persons, self.lit = 0, 0, "open", 0, set()

    def act(self, request):
        if request["do"] == "press" and request["on"].startswith("b"):
            self.lit.add(int(request["on"][1:]))
        elif request["do"] == "board" and self.door == "open":
            self.persons = max(0, min(4, self.persons + request["persons"]))
        if request["do"] != "look":
            self.tick += 1
            self.move()

    def move(self):
        goal = min(self.lit, key=lambda floor: (abs(floor - self.floor), floor), default=self.floor)
        if self.lit and self.door == "open" and goal != self.floor:
            self.door = "closed"
        elif goal != self.floor:
            self.floor += 1 if goal > self.floor else -1
        elif self.lit:
            self.lit.remove(goal)
            self.door = "open"

    def view(self):
        cabin = {"id": "cabin", "type": "cabin", "floor": self.floor, "door": self.door, "full": self.persons == 4}
        buttons = [{"id": f"b{floor}", "type": "button", "in": "cabin", "lit": floor in self.lit, "leads": floor}
                   for floor in range(FLOORS)]
        return {"tick": self.tick, "entities": [cabin, *buttons], "all": True}


lift = None
for line in sys.stdin:
    request = json.loads(line)
    if "bye" in request:
        break
    if "hello" in request:
        answer = HELLO
    elif "reset" in request:
        lift = Lift()
        answer = lift.view()
    else:
        lift.act(request)
        answer = lift.view()
    print(json.dumps({"id": request["id"], **answer}), flush=True)
