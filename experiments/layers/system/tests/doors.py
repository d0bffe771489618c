#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A world program: two rooms, and a door between them of a kind that no parity of presses describes. A state is a tuple, so that a search over it
(test_doors.py) says what can be reached. The level comes by "setup"; see LEVEL for what it holds."""
import json
import sys

STEPS = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}
KINDS = ("toggle", "and", "or", "set", "one-shot", "majority", "plate", "timed", "delayed", "counter", "order", "latch", "out of sight", "none")
LEVEL = ("kind", "size", "floor", "start", "key", "door", "buttons", "plates", "linked", "number", "on", "view", "quiet", "decoy")


class Level:
    def __init__(self, setup):
        self.__dict__.update(setup)
        self.floor = {tuple(at) for at in self.floor}
        self.start, self.key, self.door = tuple(self.start), tuple(self.key), tuple(self.door)
        self.decoy = tuple(self.decoy) if self.decoy else None  # a door that nothing opens
        self.places = [tuple(at) for at in self.buttons]
        self.plates = [tuple(at) for at in self.plates]

    def first(self):
        """Where one is; which buttons are on; what the door remembers: open, and a number."""
        on = tuple(self.on)
        return self.start, on, self.by_buttons(on) if self.kind in ("and", "or", "majority") else False, 0

    def by_buttons(self, on):
        lit = sum(on[b] for b in self.linked)
        return lit > len(self.linked) / 2 if self.kind == "majority" else lit == len(self.linked) if self.kind == "and" else lit > 0

    def press(self, button, on, is_open, number):
        linked = button in self.linked
        if self.kind == "one-shot" and on[button]:
            return on, is_open, number
        on = tuple(now != (b == button) for b, now in enumerate(on))
        if self.kind in ("toggle", "out of sight", "one-shot"):
            is_open ^= linked
        elif self.kind in ("and", "or", "majority"):
            is_open = self.by_buttons(on)
        elif self.kind == "set":
            is_open = button == self.linked[0] or (is_open and button != self.linked[1])
        elif self.kind in ("timed", "delayed") and linked:
            number = self.number + 1
            is_open |= self.kind == "timed"
        elif self.kind == "counter" and linked:
            number += 1
            is_open |= number >= self.number
        elif self.kind == "order":
            number = number + 1 if button == self.linked[number] else int(button == self.linked[0])
            is_open |= number == len(self.linked)
            number %= len(self.linked)
        elif self.kind == "latch":
            is_open |= button == self.linked[0] and on[self.linked[1]]
        return on, is_open, number

    def tick(self, at, is_open, number):
        if self.kind == "plate":
            is_open = at in self.plates
        if self.kind in ("timed", "delayed") and number > 0:
            number -= 1
            if number == 0:
                is_open = self.kind == "delayed"
        return is_open, number

    def do(self, state, action, argument=None):
        at, on, is_open, number = state
        if action == "move":
            to = (at[0] + STEPS[argument][0], at[1] + STEPS[argument][1])
            if to in self.floor and (to != self.door or is_open) and to != self.decoy:
                at = to
        elif action == "press" and at == self.places[argument]:
            on, is_open, number = self.press(argument, on, is_open, number)
        is_open, number = self.tick(at, is_open, number)
        return at, on, is_open, number

    def shown(self, state):
        """What a view shows: straight lines are not asked for, what is near is seen, but nothing beyond a shut door."""
        (x, y), on, is_open, _ = state
        near = {(u, v) for u in range(self.size[0]) for v in range(self.size[1]) if max(abs(u - x), abs(v - y)) <= self.view}
        is_left = x <= self.door[0] and not ((x, y) == self.door and is_open)
        if not is_open:
            near = {at for at in near if (at[0] <= self.door[0]) == is_left or at == self.door}
        things = [{"id": "t", "type": "player", "x": x, "y": y}]
        things += [{"id": f"b{b}", "type": "button", "x": at[0], "y": at[1]} | ({} if self.quiet else {"on": on[b]}) for b, at in enumerate(self.places) if at in near]
        things += [{"id": f"p{p}", "type": "plate", "x": at[0], "y": at[1]} for p, at in enumerate(self.plates) if at in near]
        things += [{"id": "key", "type": "item", "x": self.key[0], "y": self.key[1]}] if self.key in near else []
        hidden = self.kind == "out of sight"
        if self.door in near and not hidden:
            things.append({"id": "d", "type": "door", "x": self.door[0], "y": self.door[1], "open": is_open})
        if self.decoy in near:
            things.append({"id": "e", "type": "door", "x": self.decoy[0], "y": self.decoy[1], "open": False})
        cells = [[u, v, 0, (u, v) in self.floor and not (hidden and (u, v) == self.door and not is_open)] for u, v in sorted(near)]
        return {"entities": things, "cells": cells}


def hello(level):
    return {"world": "doors", "version": "1", "grid": [*level.size, 1], "step": "move", "can": ["reset"],
            "types": {"player": {"x": "int", "y": "int"}, "button": {"x": "int", "y": "int"} | ({} if level.quiet else {"on": "bool"}), "plate": {"x": "int", "y": "int"},
                      "item": {"x": "int", "y": "int"}, "door": {"x": "int", "y": "int", "open": "bool"}},
            "actions": {"move": {"to": list(STEPS)}, "press": {"on": "entity"}},
            "entities": {"t": "player", "key": "item", "d": "door"}}


def serve():
    level, state, tick = None, None, 0
    for line in sys.stdin:
        asked = json.loads(line)
        answer = {"id": asked["id"]}
        if "hello" in asked:
            level = Level(asked["hello"]["setup"][0])
            answer.update(hello(level))
        elif "bye" not in asked:
            if "reset" in asked:
                state, tick = level.first(), 0
            elif asked["do"] != "look":
                on = asked.get("on", "")
                argument = asked.get("to") if asked["do"] == "move" else int(on[1:]) if on[:1] == "b" else None
                state = level.do(state, asked["do"] if argument is not None else "wait", argument)
                tick += 1
            answer.update(level.shown(state), tick=tick)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
