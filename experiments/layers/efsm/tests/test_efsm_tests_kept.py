#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failing tests of models made small, kept and replayed, as a user sees it: simulated mutants and a program beside the model; what
changed since is named, and what makes no sense is refused in so many words.

usage: test_efsm_tests_kept.py CORRIDOR SOURCE_DIRECTORY
"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402
from e2e import SOURCE  # noqa: E402

MODELS = SOURCE / "experiments/library/efsm"
PAGE = (SOURCE / "docs/look-up/efsm.md").read_text()
MUTANT = "right.update.wrong.dropped"


class Kept(e2e.Case):
    def setUp(self):
        super().setUp()
        for name in ("door.json", "door.py"):
            text = re.search(rf"```\w+ file={re.escape(name)}\n(.*?)```", PAGE, re.S).group(1)
            (self.folder / name).write_text(text)

    def make(self, name, *words, code=1):
        self.corridor("efsm", "test", "door.json", *words, "-o", name, code=code)

    def mutant(self, name="m.h5"):
        self.make(name, "--goal", "all-transitions", "--planner", "random", "--runs", "4", "--mutant", MUTANT)
        return f"{MUTANT} by random/0"

    def test_a_mutant_from_failure_to_kept_test(self):
        key = self.mutant()
        self.assertRegex(self.corridor("failures", "m.h5").stdout, rf"arm {re.escape(MUTANT)} by random\n +closed ENTER miss +\d+ +{re.escape(key)} ")
        said = self.corridor("shrink", "m.h5", "--failure", key, "-o", "t.json").stderr
        self.assertRegex(said, r"5 steps, 5 inputs, the smallest of \d failures; \d+ smaller tests tried; no step and no set of steps can be spared\n$")
        test = json.loads((self.folder / "t.json").read_text())
        self.assertEqual((test["efsm_test"]["expected"], test["efsm_test"]["input"]), ("closed ENTER miss", 5))
        self.assertEqual(sorted(step[1] for step in test["schedule"]), ["ENTER"] * 4 + ["SHUT"])
        self.assertEqual([(a["name"], a["mutant"]) for a in test["arms"]], [(f"{MUTANT} by random", MUTANT)])
        self.assertRegex(self.corridor("replay", "t.json").stdout, r"^as expected t.json: closed ENTER miss: move 5: at closed, input ENTER\(\d\) gave Locked; allowed: Refused \[miss\]\n$")
        self.corridor("replay", "t.json", "--expect", "failing")
        self.assertRegex(self.corridor("replay", "t.json", "--expect", "fixed", code=1).stdout, "^DIFFERENT t.json: closed ENTER miss")
        told = self.corridor("replay", "t.json", "--trace").stdout.splitlines()
        self.assertEqual(len(told), 6)
        self.assertIn("at open, input SHUT gave Closed [shut]", "\n".join(told))
        self.assertEqual(told[5], "The last answer is wrong: closed ENTER miss.")
        self.assertEqual(self.corridor("why", "t.json").stdout,
                         "The test fails by closed ENTER miss with step 5. Each of its 5 steps is needed by itself: without it that does not come.\n"
                         "How probable it was behind each of them: corridor why t.json --curve --future uniform\n")
        needed = json.loads(self.corridor("why", "m.h5", "--failure", key, "--json").stdout)
        rows = needed["sheets"]["choices"]["rows"]
        self.assertEqual((needed["end"], needed["failure"], len(rows)), ("named", "closed ENTER miss", needed["choices"]))
        self.assertEqual((rows[-1]["gone"], rows[-1]["later"], rows[-1]["last"]), ("passes", None, None))
        self.assertEqual(self.corridor("why", "t.json", "--curve", "--future", "random", code=3).stderr,
                         'corridor: invalid input: --future: there is no law "random"\n  known: uniform, frequencies\n')
        whole = self.corridor("replay", "m.h5", "--failure", key, "--trace").stdout
        self.assertTrue(whole.endswith(told[5] + "\n"))
        self.corridor("shrink", "t.json", "-o", "again.json")
        self.assertEqual((self.folder / "t.json").read_bytes(), (self.folder / "again.json").read_bytes())
        self.assertIn("as expected m.h5", self.corridor("replay", "m.h5", "--failing").stdout)
        self.assertIn('failures="0"', self.corridor("replay", "t.json", "--format", "junit").stdout)
        self.assertTrue(json.loads(self.corridor("replay", "m.h5", "--failure", key, "--json").stdout)["equal"])
        self.corridor("failures", "m.h5", "--keep", "kept")
        self.assertEqual([p.name for p in (self.folder / "kept").iterdir()], [f"{MUTANT}_by_random.closed_ENTER_miss.json"])

    def edited(self, change):
        test = json.loads((self.folder / "t.json").read_text())
        change(test)
        (self.folder / "edited.json").write_text(json.dumps(test))
        return "edited.json"

    def test_what_changed_is_named(self):
        self.corridor("shrink", "m.h5", "--failure", self.mutant(), "-o", "t.json")
        gone = "DIFFERENT edited.json: nothing fails: the model allows all 5 answers; {}; expected is closed ENTER miss\n"
        replayed = lambda change, code=1, *words: self.corridor("replay", self.edited(change), *words, code=code).stdout
        system = "the system was changed since the test was made"
        self.assertEqual(replayed(lambda t: t["arms"][0].pop("mutant")), gone.format(system))
        self.assertIn(f"; {system}", replayed(lambda t: t["arms"][0].update(mutant="right.missing")))
        forgets = lambda t: t["efsm"]["transitions"][0]["update"].clear()  # the model does as the mutant did, which then is no more
        self.assertIn('there is no mutant "right.update.wrong.dropped"', self.corridor("replay", self.edited(forgets), code=3).stderr)
        self.assertEqual(replayed(lambda t: (forgets(t), t["arms"][0].pop("mutant"))),
                         gone.format("the model and the system were changed since the test was made"))
        titled = lambda t: t["efsm"].update(title="Another")
        self.assertIn("; the model was changed since the test was made", replayed(titled, 0))
        self.assertEqual(replayed(lambda t: t["schedule"].pop(), 7, "--expect", "fixed"),
                         "NO VERDICT edited.json: the test ends with input 4, and what is expected came with input 5\n")
        self.assertEqual(replayed(lambda t: t["schedule"].clear(), 7, "--expect", "fixed"), "NO VERDICT edited.json: nothing was given to the system\n")
        more = lambda t: t["schedule"].extend([["reset"], ["input", "SHUT"]])
        self.assertIn("2 of 7 steps were not executed: not possible, or behind the failure", replayed(more, 0))

    def test_a_program_beside_the_model(self):
        system = ("--goal", "forgiven", "--runs", "2", "--system", e2e.shell(sys.executable, "door.py"))
        self.make("p.h5", *system)
        refused = self.corridor("shrink", "p.h5", "--failure", "search/1", "-o", "p.json", code=3).stderr
        self.assertIn("with --trust it is started", refused)
        self.corridor("shrink", "p.h5", "--failure", "search/1", "-o", "p.json", "--trust")
        self.assertEqual(len(json.loads((self.folder / "p.json").read_text())["schedule"]), 5)
        self.assertIn("with --trust it is started", self.corridor("replay", "p.json", code=3).stderr)
        self.corridor("replay", "p.json", "--trust")
        # Walls that do not stand around it are said, as where it was run.
        short = ("unshare", "-U", "-r", "sh", "-c", "echo 0 > /proc/sys/user/max_mnt_namespaces && exec \"$@\"", "sh")
        if subprocess.run([*short, "true"], capture_output=True).returncode == 0:
            done = subprocess.run([*short, e2e.BINARY, "replay", "p.json", "--trust"], cwd=self.folder, text=True, capture_output=True, env=e2e.ENVIRONMENT)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("sight is by Landlock alone", done.stderr)
        door = self.folder / "door.py"
        door.write_text(door.read_text().replace('where, said = "open", "Opened"', 'where, wrong, said = "open", 0, "Opened"'))
        said = "nothing fails: the model allows all 5 answers; the system was changed since the test was made"
        self.assertEqual(self.corridor("replay", "p.json", "--trust", code=1).stdout, f"DIFFERENT p.json: {said}; expected is closed ENTER miss\n")
        self.assertEqual(self.corridor("replay", "p.json", "--trust", "--expect", "fixed").stdout, f"as expected p.json: {said}\n")
        self.assertIn("p.h5: test search/1 does not repeat in a fresh process\n  the program may look at a clock, or draw by lot; else it was changed since",
                      self.corridor("shrink", "p.h5", "--failure", "search/1", "-o", "q.json", "--trust", code=3).stderr)
        door.write_text("raise SystemExit(3)\n")
        self.assertIn("NO VERDICT p.json: the system is in trouble at move 0: ", self.corridor("replay", "p.json", "--trust", "--expect", "fixed", code=7).stdout)

    def test_what_makes_no_sense_is_refused(self):
        key = self.mutant()
        self.make("pass.h5", "--goal", "lock", code=0)
        self.corridor("shrink", "m.h5", "--failure", key, "-o", "t.json")
        other = self.edited(lambda t: t["efsm_test"].update(expected="open SHUT shut"))
        none = "edited-none.json"
        (self.folder / none).write_text(json.dumps({**json.loads((self.folder / "t.json").read_text()), "schedule": []}))
        for words, code, said in (
                (("shrink", "pass.h5", "--failure", "search/0", "-o", "u.json"), 3, "pass.h5: test search/0 did not fail\n  corridor failures lists those that did\n"),
                (("shrink", "pass.h5", "-o", "u.json"), 3, "pass.h5: no test failed\n"),
                (("shrink", "m.h5", "--failure", "search/0", "-o", "u.json"), 3, "there is no test search/0\n  a key is ARM/SUITE, and corridor failures lists them\n"),
                (("shrink", "m.h5", "--failure", key + "/0", "-o", "u.json"), 3, f"there is no test {key}/0\n  a key is ARM/SUITE"),
                (("shrink", none, "-o", "u.json"), 3, "the test does not fail\n  a test that fails\n"),
                (("shrink", other, "-o", "u.json"), 3, "it expects open SHUT shut, and fails by closed ENTER miss, which is another failure: move 5: "),
                (("shrink", "m.h5", "--failure", key, "-o", "u.json", "--free"), 2, "--free has no meaning with tests of a model"),
                (("shrink", "t.json", "--check"), 2, "--check has no meaning with tests of a model"),
                (("replay", "m.h5", "--failure", key, "-o", "u.json"), 2, "--output has no meaning with tests of a model"),
                (("replay", "t.json", "--trace=3"), 2, "--trace tells all of a test: write --trace alone"),
                (("replay", "t.json", other, "--trace"), 2, "--trace tells what happens in one test"),
                (("replay", "m.h5", "--failure", key, "--dump", "u.json"), 2, "--dump has no meaning with tests of a model"),
                (("run", "t.json", "-o", "u.h5"), 3, "t.json: is a test of a model (EFSM), not an experiment of a system (EFSM)\n"),
                (("efsm", "check", "t.json"), 3, "t.json: is a test of a model (EFSM), not a model of a system (EFSM)\n")):
            with self.subTest(words):
                self.assertIn(said, self.corridor(*words, code=code).stderr)
        self.assertFalse((self.folder / "u.json").exists())


if __name__ == "__main__":
    e2e.main()
