#!/usr/bin/python3
# SPDX-License-Identifier: CC0-1.0
"""my_world: a ticket machine that test agents use. A ticket costs 3, and there is a mistake on purpose: the machine asks for 2. Make it yours
from here: let it speak for the game, the page or the service that you test. corridor_world.py, beside this file, is what it stands over."""
import corridor_world


class Machine(corridor_world.World):
    name = "my_world"
    types = {"machine": {"credit": "int", "sold": "int"}}
    actions = {"insert": {"coin": ["one", "two"]}, "buy": {}, "back": {}}
    entities = {"m": "machine"}

    def reset(self):
        self.credit = self.sold = 0

    def act(self, agent, action, **words):
        if action == "insert":
            self.credit += 1 if words["coin"] == "one" else 2
        elif action == "buy" and self.credit >= 2:  # the mistake: 3 is taken
            self.credit -= 3
            self.sold += 1
        elif action == "back":
            self.credit = 0

    def view(self, agent):
        return {"m": {"credit": self.credit, "sold": self.sold}}


corridor_world.run(Machine)
