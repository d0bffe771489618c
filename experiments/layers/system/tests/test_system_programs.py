#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns in which the world is a program, or a program chooses: they are known by the files that they are made of, an interrupted campaign goes on
with the same rows, what was said stands in for the programs, and no suite depends on those before it.

usage: test_system_programs.py CORRIDOR SOURCE"""
import csv
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

# A lamp that a test agent switches; what has to be so is told by counting.
WORLD = """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    said = {"id": asked["id"]}
    if "bye" in asked:
        break
    if "hello" in asked:
        said.update({"world": "lamp", "version": "1", "types": {"lamp": {"on": "bool", "times": "int"}}, "entities": {"l": "lamp"},
                     "actions": {"press": {"on": "entity"}, "rub": {"on": "entity"}}})
    else:
        if "reset" in asked:
            tick, on, times = 0, False, 0
        elif asked["do"] != "look":
            tick += 1
            on, times = (not on, times + 1) if asked["do"] == "press" else (on, times)
        said.update({"tick": tick, "entities": [{"id": "l", "type": "lamp", "on": on, "times": times}], "all": True})
    print(json.dumps(said), flush=True)
"""
# Chooses by chance that hangs on what it is told with the first pick of a run.
POLICY = """import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        print(json.dumps({"id": asked["id"], "policy": "chance"}), flush=True)
    elif "pick" in asked:
        pick = asked["pick"]
        if pick["first"]:
            chance = random.Random(pick["draw"])
        print(json.dumps({"id": asked["id"], "picked": chance.randrange(len(pick["among"]))}), flush=True)
"""
LEARNS = {"q": {"explore": 0.5, "by": ["l"], "reward": "l.times >= 3"}}


class Programs(e2e.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "world.py").write_text(WORLD)
        (self.folder / "choose.py").write_text(POLICY)

    def experiment(self, **more):
        goal = {"goal": "l.times >= 3", "tactic": {"any_of": ["press(l)", "rub(l)"]}}
        what = {"system": {"program": [sys.executable, "world.py"]}, "runs": 3, "states": {"lit": "l.on"},
                "tests": [{"name": "three", "cycles": 40, "agents": [{"name": "t", "policy": "random", "goal": goal}]}],
                "arms": [{"name": "chance"}, {"name": "program", "policy": {"program": f"{sys.executable} choose.py"}}, {"name": "learns", "policy": LEARNS}], **more}
        (self.folder / "tests.json").write_text(json.dumps(what))

    def rows(self, path):
        self.corridor("export", path, "--all", f"{path}.folder", "--force")
        return {file.name: file.read_bytes() for file in (self.folder / f"{path}.folder").rglob("*.csv") if "head" not in file.name}

    def test_rows_depend_on_no_worker_no_interrupt_and_no_suite_before(self):
        self.experiment()
        self.corridor("run", "tests.json", "-o", "one.h5", "-j1", "--progress", "none")
        self.corridor("run", "tests.json", "-o", "cut.h5", "--share", "2/3", "-j1", "--progress", "none")
        self.corridor("run", "tests.json", "-o", "cut.h5", "-j3", "--progress", "none")
        self.assertEqual(self.rows("one.h5"), self.rows("cut.h5"))

    def test_a_campaign_goes_on_only_with_the_programs_that_began_it(self):
        self.experiment(runs=2, arms=[{"name": "program", "policy": {"program": f"{sys.executable} choose.py"}}])
        self.corridor("run", "tests.json", "-o", "cut.h5", "--share", "1/2", "-j1", "--progress", "none")
        for name, text in (("world.py", WORLD), ("choose.py", POLICY)):
            (self.folder / name).write_text(text + "\n")
            said = self.corridor("run", "tests.json", "-o", "cut.h5", "-j1", "--progress", "none", code=None)
            self.assertNotEqual(said.returncode, 0, name)
            (self.folder / name).write_text(text)
        self.corridor("run", "tests.json", "-o", "cut.h5", "-j1", "--progress", "none")

    def test_a_program_is_told_what_its_choices_are_worth(self):
        """Discount 1: the rewards of a run are how near the condition came, as a fraction of what numbers lack."""
        self.experiment(runs=1, states={"paid": "reward > 0.05"}, arms=[{"name": "program", "policy": {"program": f"{sys.executable} choose.py", "reward": "l.times >= 3"}}])
        self.corridor("run", "tests.json", "-o", "one.h5", "-j1", "--progress", "none", "--record-traffic", "said.txt")
        rows = list(csv.DictReader(self.corridor("export", "one.h5", "--table", "cycles").stdout.splitlines()))
        told = [float(number) for number in re.findall(r'"reward\W+([-0-9.e]+)', (self.folder / "said.txt").read_text())]
        got = [float(row["reward"]) for row in rows if int(row["cycle"]) > 0]
        self.assertEqual(told[0], 0)
        self.assertEqual(told[1:], got[:len(told) - 1])
        paid = [row["state"] for row in rows if int(row["cycle"]) > 0]
        self.assertEqual(paid, ["1" if sum(got[:turn]) > 0.05 else "0" for turn in range(len(got))])
        self.assertAlmostEqual(sum(got), 1 - 1 / (1 + 3))  # at the end nothing is near, and the goal is solved

    def test_a_world_goes_on_from_one_smaller_test_to_the_next_where_it_says_that_a_reset_makes_it_as_new(self):
        """By its log, which walls forbid: so --isolate, also of replay. Rows, and what is left of a failure, are the same either way."""
        log, rows, small, starts = self.folder / "log", {}, {}, {}
        for can in ([], ["reset"]):
            (self.folder / "world.py").write_text(WORLD.replace('"actions"', f'"can": {can}, "actions"').replace(
                "    said = ", f"    open({str(log)!r}, 'a').write('hello ' if 'hello' in asked else '')\n    said = "))
            self.experiment(formulas={"few": "always few"}, states={"few": "l.times < 2"}, arms=[{"name": "chance"}, {"name": "again"}])
            for what, command in (("run", ("run", "tests.json", "-o", "r.h5", "-j1", "--progress", "none", "--force")), ("replay", ("replay", "r.h5", "--trust")),
                                  ("shrink", ("shrink", "r.h5", "--failure", "again/1", "-o", "small.json", "--force", "--trust", "--hits", "1"))):
                log.write_text("")
                self.corridor(*command, "--isolate", "never")
                starts[what, bool(can)] = len(log.read_text().split())
            rows[bool(can)], small[bool(can)] = self.rows("r.h5"), re.sub('"world": "0x.*"', "", (self.folder / "small.json").read_text())
        self.assertEqual((rows[False], small[False]), (rows[True], small[True]))
        # Who reads the file asks what there is, and each suite begins with a fresh one; so does what is left of a failure.
        for can in (False, True):
            self.assertEqual([starts[what, can] for what in ("run", "replay")], [7, 7], can)
        self.assertLess(starts["shrink", True], 6)
        self.assertGreater(starts["shrink", False], starts["shrink", True])

    def test_what_a_world_remembers_accuses_and_acquits_nobody(self):
        """Also where it says that a reset makes it as new, and forgets nothing: the first press is counted in all tests behind it. Alone each fails when it has
        pressed twice; what was before would fail it before, or let it pass where an even number is asked for."""
        rows, small = {}, {}
        for name, world in (("sound", WORLD), ("remembers", WORLD.replace("times = 0, False, 0", "times = 0, False, globals().get('times', 0)"))):
            for can in ([], ["reset"]):
                (self.folder / "world.py").write_text(world.replace('"actions"', f'"can": {can}, "actions"'))
                self.experiment(formulas={"few": "always few", "odd": "always odd"}, states={"few": "l.times < 2", "odd": "l.times != 4"}, arms=[{"name": "chance"}])
                for jobs in (1, 3):
                    self.corridor("run", "tests.json", "-o", f"{name}{jobs}.h5", f"-j{jobs}", "--progress", "none", "--force")
                    rows[name, bool(can), jobs] = self.rows(f"{name}{jobs}.h5")
                self.corridor("shrink", f"{name}1.h5", "--failure", "chance/1", "-o", "small.json", "--force", "--trust")
                small[name, bool(can)] = json.loads((self.folder / "small.json").read_text())["schedule"]
        self.assertEqual([key for key in rows if rows[key] != rows["sound", False, 1]], [])
        self.assertEqual([key for key in small if small[key] != small["sound", False]], [])

    def test_what_was_said_stands_in_for_world_and_policy(self):
        self.experiment(runs=2, arms=[{"name": "program", "policy": {"program": f"{sys.executable} choose.py"}}])
        self.corridor("run", "tests.json", "-o", "one.h5", "-j1", "--progress", "none", "--record-traffic", "said.txt")
        rows = self.rows("one.h5")
        (self.folder / "world.py").unlink()
        (self.folder / "choose.py").unlink()
        self.corridor("run", "tests.json", "-o", "two.h5", "-j1", "--progress", "none", "--replay-traffic", "said.txt")
        self.assertEqual(rows, self.rows("two.h5"))
        self.corridor("run", "tests.json", "-o", "three.h5", "-j1", "--progress", "none", code=None)
        self.assertFalse((self.folder / "three.h5").exists())
        self.corridor("replay", "one.h5", "--replay-traffic", "said.txt")


if __name__ == "__main__":
    e2e.main()
