#!/usr/bin/python3
# SPDX-License-Identifier: CC0-1.0
"""my_system_world: speaks for my_system, a program that runs beside it: starts it, says to it what test agents do, and reads of what it prints what they
see. The command that starts it is "setup" of my_system.json. corridor_world.py, beside this file, is what it stands over."""
import re
import subprocess

import corridor_world


class Library(corridor_world.World):
    name = "my_system"
    types = {"book": {"shelf": "int", "lent": "int", "lost": "int"}}
    actions = {"lend": {}, "lose": {}, "return": {}}
    entities = {"book": "book"}
    program = None

    def reset(self):
        if self.program:
            self.program.kill()
            self.program.communicate()
        self.program = subprocess.Popen(self.setup, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("look")

    def act(self, agent, action, **words):
        self.say(action)

    def say(self, word):
        self.program.stdin.write(word + "\n")
        self.program.stdin.flush()
        self.said = self.program.stdout.readline()  # what it prints; a program that ended prints nothing

    def view(self, agent):
        shelf, lent, lost = map(int, re.findall(r"-?\d+", self.said))
        return {"book": {"shelf": shelf, "lent": lent, "lost": lost}}


corridor_world.run(Library)
