#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Histories of distributed programs: a sound store is silent, three planted faults are found, shrunk and drawn; the same of a class in
this interpreter as of a program by lines; programs that lie.

usage: test_process_histories.py CORRIDOR SOURCE_DIRECTORY [SCHEDULES]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CORRIDOR, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCHEDULES = int(sys.argv[3]) if len(sys.argv) > 3 else 4
LIBRARY = SOURCE / "experiments" / "library" / "processes"
CALM = {"profile": {"states": ["calm"], "transitions": {"calm": {"calm": 1}}}, "states": {"calm": {"delay": [1, 10], "input": 4}}}
LIES = """import corridor_process as corridor
class Liar(corridor.Process):
    attributes, channels, inputs = {"asked": int}, {"store": "", "log": ""}, {"ask": ""}
    def start(self, stored):
        self.asked = 0
    def input(self, which, data):
        self.asked += 1
        LIE
    def observe(self):
        return {"asked": self.asked}
corridor.run(Liar)
"""
LIES_IN_JAVASCRIPT = """const corridor = require('./process.js')
corridor.run(class extends corridor.Process {
  static name = 'liar'
  static attributes = { asked: 'integer' }
  static channels = { store: '' }
  static inputs = { ask: '' }
  start () { this.asked = 0 }
  input () { this.asked++; LIE }
  observe () { return { asked: this.asked } }
})
"""


class Histories(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="some one [1] ")
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)
        for name in ("stores.py", "stores.corridor", "corridor_process.py"):
            (self.at / name).write_bytes((LIBRARY / name).read_bytes())
        self.experiment = json.loads((LIBRARY / "stores.json").read_text())
        self.experiment["process"]["program"] = "python3 stores.py"

    def corridor(self, *arguments, code=0):
        done = subprocess.run([CORRIDOR, *map(str, arguments)], cwd=self.at, capture_output=True, text=True, check=False,
                              env={**os.environ, "COLUMNS": "200"})
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def run_it(self, **changes):
        (self.at / "e.json").write_text(json.dumps({**self.experiment, **changes}))
        return self.corridor("run", "e.json", "-o", "r.h5", "--jobs", 2, "--force").stdout

    def test_faults_are_found_and_the_sound_one_is_silent(self):
        said = self.run_it(sequences=SCHEDULES)
        self.assertRegex(said, r"no violation +1 of 4 arms: sound")
        self.assertRegex(said, r"found +3 of 4 arms: early, twice, lease")
        found = self.corridor("failures", "r.h5", "--json").stdout
        for fault, invariants in (("early", ("atomic", "in_order")), ("twice", ("each_once",)), ("lease", ("one_holder",))):
            key = re.search(rf'"({fault}/\d+/\d+)"', found).group(1)
            self.corridor("shrink", "r.h5", "--failure", key, "-o", "t.json", "--force", "--trust")
            self.corridor("replay", "t.json", "--trust")
            story = self.corridor("replay", "--trace", "t.json", "--trust").stdout
            self.assertTrue(any(f"{one} is violated: The calls on " in story for one in invariants), story)
            self.assertRegex(story, r"\nprocess \d +\|\d")
            self.assertIn("does not fit: ", story)
            self.assertLessEqual(max(map(len, story.split("does not fit")[0].splitlines())), 80)
        self.assertIn(b"</svg>", self.svg("t.json"))

    def svg(self, test):
        self.corridor("replay", "--trace", test, "--svg", "t.svg", "--trust")
        return (self.at / "t.svg").read_bytes()

    def test_workers_and_repeats_say_the_same(self):
        files = []
        for jobs in (1, 2):
            (self.at / "e.json").write_text(json.dumps({**self.experiment, "sequences": 3}))
            self.corridor("run", "e.json", "-o", f"{jobs}.h5", "--jobs", jobs)
            files.append((self.at / f"{jobs}.h5").read_bytes())
        self.assertEqual(*files)

    def lie(self, lie, said, corridor=("history store: register", "invariant atomic: linearizable(store)")):
        (self.at / "liar.py").write_text(LIES.replace("LIE", lie))
        text = ["structure observed", "attribute asked: integer", *corridor]
        arms = {"arms": {"sound": {}}, "corridor": text, "process": {"program": "python3 liar.py", "count": 2}}
        result = self.run_it(**arms, sequences=1, cases=3, environment=CALM, faults=[])
        self.assertIn(said, result)
        return result

    def test_programs_that_lie(self):
        self.lie('self.call("store", "pop")', 'The corridor excludes it: a register has no operation "pop".')
        self.lie('self.call("store", "read", "x")', "The corridor excludes it: has a key, and there is one register.")
        self.lie('self._did.append({"return": 3})', "returns from call 3, and none of that number is open.")
        self.lie('op = self.call("store", "read"); op.returns(1.5)', "The corridor excludes it: 1.5 is no integer of 64 bits.")
        self.lie('op = self.call("store", "read"); op.returns(); op.failed()', "returns from call 0, and none of that number is open.")
        self.lie('self.call("store", "read").returns(self.asked)', "The calls on store have no order any more after agent ")
        # What is called on a channel that is none to the corridor, and what is told of a history, is nothing.
        self.lie('self.call("log", "read").returns(1.5); self.call("log", "pop").failed(); self.tell("store", 1, 2)', "put to no test in 2 schedules: nothing happened that could have violated atomic")

    def test_programs_in_javascript_say_the_same(self):
        if not shutil.which("node"):
            self.skipTest("node is not there")
        for name in ("process.js", "packages.js"):
            (self.at / name).write_bytes((SOURCE / "experiments/library/registries" / name).read_bytes())
        for lie, said in (("this.call('store', 'pop')", 'a register has no operation "pop".'),
                          ("this.call('store', 'read').returns(this.asked)", "The calls on store have no order any more after agent "),
                          ("this.call('store', 'write', null, this.asked).failed(); this.call('store', 'read').returns()", "no violation "),
                          ("const op = this.call('store', 'read', null); op.returns(); op.failed()", "returns from call 0, and none of that number is open."),
                          ("this.call('store', 'write', null, this.asked)", "put to no test in 2 schedules")):
            (self.at / "liar.js").write_text(LIES_IN_JAVASCRIPT.replace("LIE", lie))
            self.assertIn(said, self.run_it(arms={"sound": {}}, sequences=1, cases=3, environment=CALM, faults=[], process={"program": "node liar.js", "count": 2},
                                            corridor=["structure observed", "attribute asked: integer", "history store: register", "invariant atomic: linearizable(store)"]))

    def test_calls_that_never_return_put_nothing_to_the_test(self):
        self.lie('self.call("store", "write", None, self.asked)', "put to no test in 2 schedules: nothing happened that could have violated atomic")
        self.lie('self.call("store", "write", None, self.asked).returns()', "put to no test in 2 schedules: nothing happened that could have violated atomic")

    def test_a_test_whose_calls_tell_nothing_has_no_verdict(self):
        (self.at / "liar.py").write_text(LIES.replace("LIE", 'self.call("store", "read" if self.asked > 1 else "write", None, None if self.asked > 1 else 1).returns(1)'))
        for asked, code, said in ((1, 7, "NO VERDICT t.json: atomic was put to no test: no call returned anything that could be wrong"),
                                  (2, 0, "as expected t.json: nothing fails")):
            (self.at / "t.json").write_text(json.dumps({
                "process": {"program": "python3 liar.py", "count": 1}, "seed": 1, "cases": 2, "case": 10, "environment": CALM, "arms": {"a": {}},
                "corridor": ["structure observed", "attribute asked: integer", "history store: register", "invariant atomic: linearizable(store)"],
                "process_test": {"suite": 0, "sequence": 0, "expected": "atomic"},
                "schedule": [*([["input", 0, "ask", 0, 5]] * asked), ["tick", 20]]}))
            self.assertIn(said, self.corridor("replay", "t.json", "--trust", "--expect", "fixed", code=code).stdout)

    def test_calls_that_were_open_in_a_crash_of_any_kind_are_unknown(self):
        """A program that starts again counts its calls from 0: nobody has a call of that number open any more."""
        for kind, what in (("down", "self.asked = 0"), ("lost_cell", "self.cell(0, 1)"), ("torn", "self.write(self.asked, 'x')")):
            (self.at / "liar.py").write_text(LIES.replace("LIE", f'self.call("store", "write", None, 1); {what}'))
            weather = {**CALM, "states": {"calm": {"delay": [1, 10], "input": 4, "crash": 2, "down": [1, 2], **({kind: 1} if kind != "down" else {})}}}
            said = self.run_it(arms={"sound": {}}, corridor=["structure observed", "attribute asked: integer", "history store: register",
                               "invariant atomic: linearizable(store)"], process={"program": "python3 liar.py", "count": 2},
                               sequences=5, cases=5, environment=weather, faults=["crash", "crash-torn", "crash-lost"])
            self.assertIn("put to no test", said)

    def test_a_history_that_no_program_tells(self):
        (self.at / "stores.corridor").write_text("structure observed\nhistory shop: register\ninvariant atomic: linearizable(shop)\n")
        (self.at / "e.json").write_text(json.dumps(self.experiment))
        said = self.corridor("plan", "e.json", code=3).stderr
        self.assertIn('history "shop": the program tells none of that name', said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
