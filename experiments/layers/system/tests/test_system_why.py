#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of tests of running systems: steps in a row of places with a pit at its end, whose exact shares are reckoned here place by place; a world that
is gone after some starts; and what is refused, in so many words.

usage: test_system_why.py CORRIDOR SOURCE [full]"""
import json
import pathlib
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

FULL = sys.argv[3:] == ["full"]
LAST, START = 7, 3  # places 1 .. 7 in a row: a pit at 1, a wall behind 7
LEVEL = "|w,w,w,w,w,w,w,w,w\nw,f,f,f:a^t,f,f,f,f,w\nw,w,w,w,w,w,w,w,w\n"
BOTH = LEVEL.replace("f,w", "f:a^u,w")
GOES = '''import pathlib, sys
import corridor_world


class Machine(corridor_world.World):
    types = {"machine": {"credit": "int"}}
    actions = {"insert": {}, "buy": {}}
    entities = {"m": "machine"}

    def reset(self):
        self.credit = 0
        starts = pathlib.Path("starts")
        starts.write_text(starts.read_text() + "+")
        if starts.stat().st_size > 5:
            sys.exit("no more of it")

    def act(self, agent, action, **words):
        self.credit += 1 if action == "insert" else -2

    def view(self, agent):
        return {"m": {"credit": self.credit}}


corridor_world.run(Machine)
'''
STEPS = {"east": 1, "west": -1}
PATHS = ("west", "east", "west", "east", "east", "west", "west", "west"), ("east", "west", "west", "west")


def walk(ways, names="t"):
    """A test whose agents step so, in turns; it is not to be in the pit."""
    commands = [["do", {"do": "move", "to": way, "agent": name}] for way in ways for name in names]
    return {"system_test": {"suite": 0, "expected": "invariant dry", "cycle": len(ways)}, "system": {"rooms": LEVEL if names == "t" else BOTH, "view": 9}, "seed": 4, "runs": 1,
            "always": {"dry": "t.x > 1"}, "goals": {"there": {"goal": "t.x = 9"}},
            "tests": [{"name": "walk", "agents": [{"name": name, "goal": "there"} for name in names]}], "arms": [{"name": "walker"}], "schedule": commands}


def place(ways):
    x = START
    for way in ways:
        x = min(x + STEPS[way], LAST)
    return x


def share(ways, taken, ahead):
    """The chance to be in the pit within `ahead` steps, each one of the test's own alike, behind so many of them."""
    at, found = {place(ways[:taken]): Fraction(1)}, Fraction(0)
    for _ in range(ahead):
        behind = {}
        for x, chance in at.items():
            for way in ways:
                to = min(x + STEPS[way], LAST)
                if to == 1:
                    found += chance / len(ways)
                else:
                    behind[to] = behind.get(to, 0) + chance / len(ways)
        at = behind
    return found


class Why(e2e.Case):
    def write(self, what, name="t.json"):
        (self.folder / name).write_text(json.dumps(what))

    def curve(self, *more, code=None):
        return json.loads(self.corridor("why", "t.json", "--curve", "--future", "uniform", "--json", *more, code=code).stdout)

    def moments(self, *more):
        return self.curve(*more)["sheets"]["curve"]["rows"]

    def test_all_intervals_hold_the_exact_shares(self):
        outside = 0
        seeds = 200 if FULL else 20
        for seed in range(seeds):
            ways = PATHS[seed % 2]
            ahead = (None, 5)[seed // 2 % 2]
            self.write(walk(ways))
            rows = self.moments("--seed", seed, "--effort", 60, *(("--ahead", ahead) if ahead else ()))
            self.assertEqual(rows[-1]["choices"], len(ways))
            self.assertEqual(rows[-1]["share"], 1)
            self.assertGreater(len(rows), 3)
            exact = [share(ways, row["choices"], ahead or len(ways) - row["choices"]) for row in rows[:-1]]
            outside += any(not row["low"] <= it <= row["high"] for row, it in zip(rows, exact))
        self.assertLessEqual(outside, seeds // 20, "curves of which an interval does not hold the exact share")

    def test_it_is_the_same_again_and_tells_what_else_could_have_come(self):
        self.write(walk(PATHS[0]))
        once = self.corridor("why", "t.json", "--curve", "--future", "uniform", code=None)
        self.assertEqual(once.stdout, self.corridor("why", "t.json", "--curve", "--future", "uniform", code=None).stdout)
        self.assertIn('by the law of "uniform", to the end of the test:', once.stdout)
        self.assertIn("8. {\"do\":\"move\",\"to\":\"west\",\"agent\":\"t\"}.  <- the largest rise\nHad something else come as command 8:\n", once.stdout)
        self.assertEqual({row["what"]: row["share"] for row in self.curve()["sheets"]["others"]["rows"]},
                         {'{"do":"move","to":"west","agent":"t"}': 1, '{"do":"move","to":"east","agent":"t"}': 0})

    def test_a_world_that_is_gone_is_no_future(self):
        """Five times it starts, then it ends by itself: what it would have come to is not known, so there is no curve, and none that says `never`."""
        (self.folder / "corridor_world.py").write_text((pathlib.Path(sys.argv[2]) / "experiments/library/systems/corridor_world.py").read_text())
        (self.folder / "goes.py").write_text(GOES)
        (self.folder / "starts").write_text("")
        self.write({"system_test": {"suite": 0, "expected": "invariant no debt", "cycle": 2}, "system": {"program": "python3 goes.py"}, "seed": 4, "runs": 1,
                    "always": {"no debt": "m.credit >= 0"}, "goals": {"there": {"goal": "m.credit = 9"}}, "tests": [{"name": "a", "agents": [{"name": "t", "goal": "there"}]}],
                    "arms": [{"name": "any"}], "schedule": [["do", {"do": "insert", "agent": "t"}], ["do", {"do": "buy", "agent": "t"}]]})
        said = self.corridor("why", "t.json", "--curve", "--future", "uniform", "--effort", 10, "--trust", "--isolate", "never", code=1).stdout
        self.assertEqual(said, "The program does not repeat itself: it stood otherwise the second time, so nothing can be said of other futures.\n")

    def test_what_is_refused(self):
        self.write(walk(("west", "west"), "tu"))
        curve = ("why", "t.json", "--curve", "--future")
        self.assertIn("--curve: several test agents take turns in the test: none of their commands come first\n  corridor why without it says which are needed\n",
                      self.corridor(*curve, "uniform", code=3).stderr)
        self.write(walk(("west", "west")))
        self.assertIn('--future: there is no law "random"\n  known: uniform\n', self.corridor(*curve, "random", code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
