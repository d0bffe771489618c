#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark of bugs: its list, its known shortest failures, two runs that are equal, and entries that hold or do not.

usage: test_bugs.py CORRIDOR_BINARY SOURCE_DIRECTORY Benchmark (all but the quick form of all bugs) | Whole (that)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
BUGS = {bug["bug"]: bug for bug in json.loads((SOURCE / "experiments/bugs/bugs.json").read_text())["bugs"]}
FEW = ("spada-f2", "two-phase-lone-decision", "book-shelf-copies-off", "escape-win.target.s", "stock-manager-in-place-context-relation")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, *words, folder="work", code=0):
        done = subprocess.run([sys.executable, "-B", SOURCE / "experiments/bugs/benchmark.py", BINARY, self.folder / folder / "w", *words],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done


class Whole(Case):
    def test_quick_form_of_all_twice(self):
        """Every bug is looked for, or said to be missing; most are found; and it comes out the same again."""
        said = [self.run_it("--quick", folder=folder).stdout for folder in ("a", "b")]
        self.assertEqual(*said)
        rows, again = (json.loads((self.folder / folder / "bugs.json").read_text()) for folder in ("a", "b"))
        self.assertEqual(rows, again)
        missing = {line.split()[1] for line in said[0].splitlines() if line.startswith("missing: ")}
        self.assertEqual({row["bug"] for row in rows["rows"]} | missing, set(BUGS))
        self.assertGreaterEqual(len({row["bug"] for row in rows["rows"] if row["found"]}), 60)
        self.assertLessEqual(max(map(len, said[0].splitlines())), 80)


class Benchmark(Case):
    def corridor(self, *words, accepted=(0, 1)):
        done = subprocess.run([BINARY, *map(str, words)], cwd=SOURCE, capture_output=True, text=True)
        self.assertIn(done.returncode, accepted, done.stderr)

    def test_list(self):
        self.assertGreaterEqual(len(BUGS), 60)
        self.assertEqual({bug["layer"] for bug in BUGS.values()}, {"interaction", "process", "agent", "efsm", "system"})
        for bug in BUGS.values():
            self.assertGreaterEqual(bug["shortest"]["size"], 0 if bug["layer"] == "process" else 1, bug["bug"])  # a schedule may need no message
            if bug["layer"] in ("interaction", "process"):
                self.assertTrue((SOURCE / bug["shortest"]["test"]).exists(), bug["bug"])
            if "like" not in bug:
                text = (SOURCE / bug.get("faults", bug["experiment"])).read_text()
                self.assertTrue(bug["layer"] == "efsm" or f'"{bug["arm"]}"' in text, bug["bug"])

    def test_quick_form_twice(self):
        """With equal rows for bugs of all layers; the known shortest failures of all bugs fail."""
        few = [word for name in FEW for word in ("--bug", name)]
        rows = [json.loads((self.run_it("--quick", *few, folder=folder), self.folder / folder / "bugs.json")[1].read_text()) for folder in ("a", "b")]
        self.assertEqual(rows[0], rows[1])
        self.assertEqual({row["bug"] for row in rows[0]["rows"]}, set(FEW))
        found = {row["bug"] for row in rows[0]["rows"] if row["found"]}
        self.assertEqual(found, set(FEW))

    def test_lines_of_a_terminal(self):
        """No line of what is said of a bug with the longest name is wider."""
        longest = max((bug["bug"] for bug in BUGS.values() if bug["layer"] == "system"), key=len)
        said = self.run_it("--quick", "--bug", longest, "--bug", "spada-f2").stdout
        self.assertLessEqual(max(map(len, said.splitlines())), 80, said)
        self.assertIn("2 bugs, 2 found, 0 missing; 0 known failures do not hold", said)

    def test_stopped(self):
        """Ctrl-C keeps the rows so far, and says of how many bugs they are."""
        program = """if True:
            import sys
            sys.path.insert(0, sys.argv.pop(1))
            import benchmark
            class Layer(benchmark.LAYERS["interaction"]):
                def look(self, bug):
                    if bug["bug"] == "spada-f2":
                        raise KeyboardInterrupt
                    return super().look(bug)
            benchmark.LAYERS["interaction"] = Layer
            sys.exit(benchmark.main())"""
        done = subprocess.run([sys.executable, "-B", "-c", program, SOURCE / "experiments/bugs", BINARY, self.folder / "w", "--quick",
                               "--bug", "spada-f1", "--bug", "spada-f2"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("stopped: 1 of 2 bugs looked for", done.stderr)
        kept = json.loads((self.folder / "bugs.json").read_text())
        self.assertEqual(({row["bug"] for row in kept["rows"]}, kept["stopped_after"]), ({"spada-f1"}, 1))

    def entry(self, *results, **more):
        path = self.folder / "entry.json"
        path.write_text(json.dumps({"corridor_bug_entry": 1, "tool": "by hand", "results": results, **more}))
        return path

    def test_entry_scores(self):
        known = SOURCE / BUGS["two-phase-early-vote"]["shortest"]["test"]
        unit, model, system = self.folder / "unit.h5", self.folder / "model.h5", self.folder / "system.h5"
        book = SOURCE / "experiments/library/agents/book_shelf"
        self.corridor("agent", "test", f"{book}.json", "--faults", f"{book}_faults.json", "-o", unit)
        self.corridor("efsm", "test", "experiments/library/efsm/escape.json", "--goal", "all-transitions", "--mutant", "win.target.s", "-o", model)
        self.corridor("system", "test", "experiments/library/systems/stock_manager.json", "-o", system)
        entry = self.entry({"bug": "two-phase-early-vote", "seed": 1, "cases": 40, "test": str(known)},
                           {"bug": "two-phase-early-vote", "seed": 2, "cases": 5000},
                           {"bug": "spada-f2", "seed": 1, "cases": 7, "test": str(SOURCE / BUGS["spada-f2"]["shortest"]["test"])},
                           {"bug": "book-shelf-copies-off", "seed": 1, "cases": 78, "test": str(unit)},
                           {"bug": "escape-win.target.s", "seed": 1, "cases": 11, "test": str(model)},
                           {"bug": "stock-manager-in-place-context-relation", "seed": 1, "cases": 41, "test": str(system)})
        lines = self.run_it("--enter", str(entry)).stdout.splitlines()
        rows = [(before.split(": ")[0], *row.split()) for before, row in zip(lines, lines[1:]) if "  by hand " in row]
        self.assertEqual([(row[0], row[3], row[5]) for row in rows],
                         [("two-phase-early-vote", "1/2", "40"), ("spada-f2", "1/1", "7"), ("book-shelf-copies-off", "1/1", "78"),
                          ("escape-win.target.s", "1/1", "11"), ("stock-manager-in-place-context-relation", "1/1", "41")])

    def refused(self, result, words):
        """It counts as not found, and is said."""
        done = self.run_it("--enter", str(self.entry(result)), code=1)
        self.assertIn(words, done.stderr)
        self.assertIn("0/1", done.stdout)

    def test_no_broken_failure_scores(self):
        known = SOURCE / BUGS["two-phase-early-vote"]["shortest"]["test"]
        other = SOURCE / BUGS["two-phase-lone-decision"]["shortest"]["test"]
        result = {"bug": "two-phase-early-vote", "seed": 1, "cases": 40}
        self.refused({**result, "test": str(other)}, "is a failure of another subject: its ")
        self.refused({**result, "cases": 5001, "test": str(known)}, "/results/0: 5001 cases are more than the budget of 5000")
        self.refused({**result, "test": "nowhere.json"}, "nowhere.json: No such file or directory")
        os.mkfifo(self.folder / "pipe")
        self.refused({**result, "test": "pipe"}, "pipe: is no file")
        calm = self.folder / "calm.json"
        calm.write_text(json.dumps({**json.loads(known.read_text()), "schedule": []}))
        self.refused({**result, "test": str(calm)}, "calm.json: does not fail as it says: exit code 1 of corridor replay: DIFFERENT calm.json: nothing was run")
        for key, value in (("environment", None), ("faults", ["lose"]), ("case", 1)):
            calm.write_text(json.dumps({**json.loads(known.read_text()), key: value}))
            self.refused({**result, "test": str(calm)}, f"is a failure of another subject: its {key} is not the bug's")
        torn = self.folder / "torn.json"
        torn.write_text(known.read_text()[:200])
        self.refused({**result, "test": str(torn)}, "torn.json: no JSON: ")
        torn.write_text("[" * 100000)
        self.refused({**result, "test": str(torn)}, "torn.json: no JSON: ")
        spada = json.loads((SOURCE / BUGS["spada-f2"]["shortest"]["test"]).read_text())
        result = {"bug": "spada-f2", "seed": 1, "cases": 40}
        changed = self.folder / "changed.json"
        changed.write_text(json.dumps({**spada, "arm": {**spada["arm"], "fault": "f1"}}))
        self.refused({**result, "test": str(changed)}, "its arm is not the bug's: fault: is \"f1\", right: \"f2\"")
        for arm in ([], None):
            changed.write_text(json.dumps({**spada, "arm": arm}))
            self.refused({**result, "test": str(changed)}, 'changed.json: needs "arm", an object')
        changed.write_text(json.dumps({**spada, "arm": {**spada["arm"], "adoption": {"fault": "lost", "probability": 0.5}}}))
        self.refused({**result, "test": str(changed)}, "changed.json: is a failure of another subject: its arm is not the bug's")
        changed.write_text(json.dumps({**spada, "expected": {"class": "none", "case": 0, "hash": spada["expected"]["hash"]}}))
        self.refused({**result, "test": str(changed)}, "changed.json: does not fail as it says: exit code 1 of corridor replay: the file says of no case that it fails")
        changed.write_text(json.dumps({**spada, "expected": None}))
        self.refused({**result, "test": str(changed)}, "/expected: is null, expected an object")
        changed.write_text("{}")
        self.refused({**result, "test": str(changed)}, 'changed.json: has no "corridor_test": 1')

    def test_no_failure_of_the_entrants_making_scores(self):
        """A sound subject that fails by a corridor, a property or limits of the entrant's own; a module laid beside the test is not looked at."""
        result = {"bug": "two-phase-early-vote", "seed": 1, "cases": 40}
        changed, known = self.folder / "changed.json", json.loads((SOURCE / BUGS[result["bug"]]["shortest"]["test"]).read_text())
        (name, arm), = known["arms"].items()
        for more in ({"corridor": ["structure observed", "attribute voted: integer", "invariant vote_is_stored: all(a in agents: a.voted < 0)"]},
                     {"program": "sh -c true"}):
            changed.write_text(json.dumps({**known, "schedule": known["schedule"][:1], "arms": {name: {**arm, **more}}}))
            self.refused({**result, "test": str(changed)}, "changed.json: is a failure of another subject: its arm is not the bug's")
        spada = json.loads((SOURCE / BUGS["spada-f2"]["shortest"]["test"]).read_text())
        changed.write_text(json.dumps({**spada, "property": "P [ always not alarm ]", "expected": {**spada["expected"], "class": "property"}}))
        self.refused({"bug": "spada-f2", "seed": 1, "cases": 1, "test": str(changed)}, "is a failure of another subject: its property is not the bug's")
        psopp = json.loads((SOURCE / BUGS["psopp-f1"]["shortest"]["test"]).read_text())  # no partitioning has parts of 100 alone, and the fault stays asleep
        changed.write_text(json.dumps({**psopp, "size_min": 100, "size_max": 100, "parameters": {**psopp["parameters"], "p_activate": 0.0},
                                       "expected": {"class": "smoke.complained", "case": 1, "hash": "0x0000000000000000"}}))
        self.corridor("shrink", changed, "-o", self.folder / "limits.json", accepted=(0,))
        self.refused({"bug": "psopp-f1", "seed": 1, "cases": 1, "test": "limits.json"}, "limits.json: fails as smoke.complained: the bug's failures have fault")
        if (BINARY.parent / "modules/raft.so").exists():
            (self.folder / "raft.so").write_text("no module")
            changed.write_bytes((SOURCE / BUGS["libraft-own-term"]["shortest"]["test"]).read_bytes())
            self.assertIn("1/1", self.run_it("--enter", str(self.entry({"bug": "libraft-own-term", "seed": 1, "cases": 1, "test": str(changed)}))).stdout)

    def again(self, result, name, goals=None, **change):
        """The experiment in a result file, an arm or goals changed, executed: another result file."""
        rows = subprocess.run([BINARY, "export", result, "--table", "head", "--format", "jsonl"], capture_output=True, text=True, check=True).stdout
        experiment = next(json.loads(row["text"]) for row in map(json.loads, rows.splitlines()) if row["name"] == "experiment")
        experiment["arms"] = [{**{key: value for key, value in arm.items() if key != "is"}, **(change if arm["name"] == name else {})} for arm in experiment["arms"]]
        if goals:
            experiment["goals"].update(goals)
        other, there = self.folder / "again.json", self.folder / "again.h5"
        other.write_text(json.dumps(experiment))
        self.corridor("run", other, "-o", there, "--force")
        return str(there)

    def test_no_arm_of_another_fault_scores(self):
        """Though it is called as the bug's; nor does a test that the sound system fails, too."""
        unit, system = self.folder / "unit.h5", self.folder / "system.h5"
        book = SOURCE / "experiments/library/agents/book_shelf"
        self.corridor("agent", "test", f"{book}.json", "--faults", f"{book}_faults.json", "-o", unit)
        other = self.again(unit, "copies_off", fault="wrong_row")
        self.refused({"bug": "book-shelf-copies-off", "seed": 1, "cases": 1, "test": other}, "is a failure of another subject: its arm is not the bug's")
        self.corridor("system", "test", "experiments/library/systems/stock_manager.json", "-o", system)
        result = {"bug": "stock-manager-in-place-context-relation", "seed": 1, "cases": 41}
        other = self.again(system, "context_relation", mutant="write_dropped(Supply_from_stock)")
        self.refused({**result, "test": other}, "is a failure of another subject: its arm is not the bug's")
        other = self.again(system, "context_relation", goals={"answered": {"goal": "Book_available.count > 99", "tactic": "wait", "max": 2}})
        self.refused({**result, "test": other}, "has no failing test of arm context_relation that passes in an arm without a mutant")

    def test_no_result_of_another_subject_scores(self):
        unit, model = self.folder / "unit.h5", self.folder / "model.h5"
        desk = SOURCE / "experiments/library/agents/parcel_desk"
        self.corridor("agent", "test", f"{desk}.json", "--faults", f"{desk}_faults.json", "-o", unit)
        self.corridor("efsm", "test", "experiments/library/efsm/escape.json", "--goal", "all-transitions", "--mutant", "back.update.b.dropped", "-o", model,
                      accepted=(0, 1, 7))
        self.refused({"bug": "book-shelf-copies-off", "seed": 1, "cases": 78, "test": str(unit)}, "unit.h5: is a failure of another subject")
        self.refused({"bug": "escape-win.target.s", "seed": 1, "cases": 11, "test": str(model)}, "model.h5: has no failing test of the mutant win.target.s")
        cut = self.folder / "cut.h5"
        cut.write_bytes(model.read_bytes()[:-100])
        self.refused({"bug": "escape-win.target.s", "seed": 1, "cases": 11, "test": str(cut)}, "exit code")

    def test_entries_that_cannot_be_read(self):
        good = {"bug": "spada-f2", "seed": 1, "cases": 5}
        for results, words in (([{**good, "bug": "spada"}], "/results/0: no bug is called 'spada'"), ([good, good], "/results/1: seed 1 of spada-f2 is there twice"),
                               ([{**good, "cases": 0}], "/results/0: seed is a whole number from 0, cases one from 1"),
                               ([{**good, "seed": True}], "/results/0: seed is a whole number from 0, cases one from 1"),
                               ([{"bug": "spada-f2"}], '/results/0: has the members "bug", "seed", "cases" and, if it was found, "test"'),
                               ([{**good, "bug": ["spada-f2"]}], "/results/0: no bug is called ['spada-f2']"), ([], '"results", a list that is not empty'),
                               ([{**good, "test": "a\0b"}], '/results/0: "test" is the name of a file'),
                               ([{**good, "test": 7}], '/results/0: "test" is the name of a file')):
            self.assertIn(words, self.run_it("--enter", str(self.entry(*results)), code=3).stderr)
        for tool in ("", 3, "m" * 41, "mine\n  spada-f1 20/20"):
            self.assertIn('needs "tool", a name', self.run_it("--enter", str(self.entry(good, tool=tool)), code=3).stderr)
        self.assertIn("and no other", self.run_it("--enter", str(self.entry(good, note=1)), code=3).stderr)
        twice = self.folder / "twice.json"
        twice.write_text('{"corridor_bug_entry": 1, "tool": "a", "results": [{"bug": "spada-f2", "seed": 1, "cases": 9000, "cases": 1}]}')
        self.assertIn('no JSON: the member "cases" is there twice', self.run_it("--enter", str(twice), code=3).stderr)
        (self.folder / "torn.json").write_text('{"corridor_bug_entry": 1,')
        self.assertIn("torn.json: no JSON", self.run_it("--enter", str(self.folder / "torn.json"), code=3).stderr)
        self.assertIn("no bug is called nothing", self.run_it("--bug", "nothing", code=2).stderr)
        self.assertIn("no bug of the layer process is called spada-f1", self.run_it("--bug", "spada-f1", "--layer", "process", code=2).stderr)
        self.assertIn("takes a whole number from 1 to 4096", self.run_it("--seeds", "0", code=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
