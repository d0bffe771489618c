#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A world program whose places are a graph: rooms with levers, and a vault behind a gate, which is a way that is shown while it is open. A state is a tuple,
so that a search over it (test_gates.py) says what can be reached. The level comes by "setup"."""
import json
import sys

KINDS = ("toggle", "and", "counter", "order", "timed", "delayed", "none")


class Level:
    def __init__(self, setup):
        self.__dict__.update(setup)

    def first(self):
        """The room; whether the gate is open; what it remembers; which levers are on."""
        return self.start, False, 0, (False,) * len(self.levers)

    def ways(self, state):
        at, is_open = state[:2]
        ways = {f"way{i}": b if at == a else a for i, (a, b) in enumerate(self.edges) if at in (a, b)}
        if at == "vault" or (is_open and at == self.gate):
            ways["gate"] = self.gate if at == "vault" else "vault"
        return ways

    def press(self, lever, is_open, number, on):
        linked = lever in self.linked
        on = tuple(now != (i == lever) for i, now in enumerate(on))
        if self.kind == "toggle":
            is_open ^= linked
        elif self.kind == "and":
            is_open = all(on[i] for i in self.linked)
        elif self.kind == "counter" and linked:
            number += 1
            is_open |= number >= self.number
        elif self.kind == "order":
            number = number + 1 if lever == self.linked[number] else int(lever == self.linked[0])
            is_open |= number == len(self.linked)
            number %= len(self.linked)
        elif self.kind in ("timed", "delayed") and linked:
            number = self.number + 1
            is_open |= self.kind == "timed"
        return is_open, number, on

    def do(self, state, action, argument=None):
        at, is_open, number, on = state
        if action == "go":
            at = self.ways(state).get(argument, at)
        elif action == "press" and self.levers[argument] == at:
            is_open, number, on = self.press(argument, is_open, number, on)
        if self.kind in ("timed", "delayed") and number > 0:
            number -= 1
            if number == 0:
                is_open = self.kind == "delayed"
        return at, is_open, number, on

    def shown(self, state):
        """The room that one is in, and what is in it."""
        at = state[0]
        things = [{"id": at, "type": "room"}, {"id": "t", "type": "player", "in": at}]
        things += [{"id": f"l{i}", "type": "lever", "in": room, "on": state[3][i]} for i, room in enumerate(self.levers) if room == at]
        things += [{"id": "key", "type": "item", "in": at}] if at == "vault" else []
        return {"entities": things, "paths": [{"from": at, "to": to, "do": "go", "by": way} for way, to in self.ways(state).items()]}


HELLO = {"world": "gates", "version": "1", "can": ["reset", "paths"],
         "types": {"room": {}, "player": {"in": "room"}, "lever": {"in": "room", "on": "bool"}, "item": {"in": "room"}},
         "actions": {"go": {"by": "string"}, "press": {"on": "entity"}}, "entities": {"t": "player", "key": "item", "vault": "room"}}


def serve():
    level, state, tick = None, None, 0
    for line in sys.stdin:
        asked = json.loads(line)
        answer = {"id": asked["id"]}
        if "hello" in asked:
            level = Level(asked["hello"]["setup"][0])
            answer.update(HELLO)
        elif "bye" not in asked:
            if "reset" in asked:
                state, tick = level.first(), 0
            elif asked["do"] != "look":
                on = asked.get("on", "")
                action = asked["do"] if asked["do"] == "go" or on[:1] == "l" else "wait"
                state = level.do(state, action, asked["by"] if action == "go" else int(on[1:]) if action == "press" else None)
                tick += 1
            answer.update(level.shown(state), tick=tick)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
