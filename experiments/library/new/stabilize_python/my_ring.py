#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dijkstra's first ring (CACM 17(11), 1974): the privilege goes round, and from any values it becomes one."""
import corridor_process as corridor


class Ring(corridor.Rules):  # no messages: a process reads its neighbours' variables
    name = "my_ring"
    faults = {"few": "two values less than there are processes"}

    def values(self):
        return self.count - 2 if self.fault == "few" else self.count

    def variables(self):  # what may hold anything: each with its values
        return {"x": range(self.values())}

    def reads(self):
        return [(self.me - 1) % self.count]  # or self.neighbours, where the file names a graph

    def rule(self, left):  # None: nothing to do; new values; or a list: any of them may come
        if self.me == 0:
            return {"x": (self.x + 1) % self.values()} if self.x == left.x else None
        return {"x": left.x} if self.x != left.x else None


corridor.run(Ring)
