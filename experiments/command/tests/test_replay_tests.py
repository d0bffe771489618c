#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""replay of test files: what is expected of them, with their fault and without, in words, JSON, JUnit XML and TAP; and how they are made."""
import hashlib
import json
import os
import shutil
import xml.etree.ElementTree

import h5py

import e2e
from e2e import PSOPP, SPADA


class ReplayTests(e2e.Case):
    def save(self, key, name, source="out.h5", *options, code=0):
        return self.corridor("replay", source, "--failure", key, "-o", name, *options, code=code)

    def keys(self, path):
        found = json.loads(self.corridor("failures", path, "--json").stdout)["failures"]
        return {row["key"]: row["class"] for row in found}

    def make(self, **changes):
        """A campaign, and its failing sequences as tests; the class of each by its file."""
        self.run_into("out.h5", self.experiment(suites=2, **changes))
        classes = {}
        for i, (key, failure_class) in enumerate(self.keys("out.h5").items()):
            self.save(key, f"t{i}.json")
            classes[f"t{i}.json"] = failure_class
        self.assertGreater(len(classes), 1)
        return classes

    def replay(self, *arguments, code=0):
        return json.loads(self.corridor("replay", *arguments, "--json", code=code).stdout)

    def change(self, name, into, edit):
        test = json.loads((self.folder / name).read_text())
        edit(test)
        (self.folder / into).write_text(json.dumps(test))

    def test_red_with_its_fault_and_fixed_without(self):
        classes = self.make()
        for expect in ((), ("--expect", "failing"), ("--expect", "failing", "--class-only")):
            found = self.replay(*classes, *expect)
            self.assertEqual((found["schema"], found["equal"], found["tests"], found["different"]), ("corridor-replay-tests", True, len(classes), 0))
            self.assertEqual({row["test"]: row["class"] for row in found["sheets"]["tests"]["rows"]}, classes)
        found = self.replay(*classes, "--expect", "fixed", code=1)
        self.assertEqual((found["equal"], found["different"]), (False, len(classes)))
        found = self.replay(*classes, "--expect", "fixed", "--fault", "none")
        self.assertEqual({row["case"] for row in found["sheets"]["tests"]["rows"]}, {0})
        found = self.replay(*classes, "--fault", "none", code=1)
        self.assertEqual(found["different"], len(classes))
        self.assertIn("no case fails", found["sheets"]["tests"]["rows"][0]["said"])

    def test_class_alone_or_every_row(self):
        self.make()
        self.change("t0.json", "rows.json", lambda test: test["expected"].update(hash="0x0000000000000001"))
        self.change("t0.json", "case.json", lambda test: test["expected"].update(case=test["expected"]["case"] + 1))
        self.change("t0.json", "class.json", lambda test: test["expected"].update({"class": "black.agent_missing"}))
        for name in ("rows.json", "case.json"):
            self.replay(name, "--expect", "failing", code=1)
            self.assertTrue(self.replay(name, "--expect", "failing", "--class-only")["equal"])
        self.assertIn("fingerprint", self.replay("rows.json", code=1)["sheets"]["tests"]["rows"][0]["said"])
        self.replay("class.json", "--expect", "failing", "--class-only", code=1)

    def test_verdicts_for_continuous_integration(self):
        classes = self.make()
        self.change("t0.json", "odd <&\".json", lambda test: test["expected"].update(hash="0x0000000000000001"))
        names = [*classes, "odd <&\".json"]
        text = self.corridor("replay", *names, "--expect", "failing", "--format", "junit", code=1).stdout
        suite = xml.etree.ElementTree.fromstring(text).find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), (str(len(names)), "1", "0"))
        self.assertEqual([case.get("name") for case in suite.iter("testcase")], names)
        self.assertEqual([case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None], names[-1:])
        lines = self.corridor("replay", *names, "--expect", "failing", "--format", "tap", code=1).stdout.splitlines()
        self.assertEqual(lines[:2], ["TAP version 13", f"1..{len(names)}"])
        points = [line for line in lines if line.startswith(("ok", "not ok"))]
        self.assertEqual([point.startswith("ok") for point in points], [True] * len(classes) + [False])
        self.assertEqual([point.split(" - ")[0].split()[-1] for point in points], [str(i + 1) for i in range(len(names))])

    def test_what_cannot_be_replayed_is_said(self):
        self.make()
        self.change("t0.json", "key.json", lambda test: test.update(wolk=1))
        self.assertIn('/wolk: unknown key "wolk"', self.corridor("replay", "key.json", code=3).stderr)
        self.change("t0.json", "arm.json", lambda test: test["arm"].update(mial={}))
        self.assertIn('/arm/mial: unknown key "mial"', self.corridor("replay", "arm.json", code=3).stderr)
        self.corridor("replay", "t0.json", "--expect", "better", code=2)
        self.corridor("replay", "t0.json", "--format", "tap", "--json", code=2)
        self.assertIn("t0.json", self.corridor("replay", "t0.json", "--fault", "f99", code=3).stderr)
        self.corridor("replay", "t0.json", "gone.json", code=4)
        self.save("S", "new.json", code=3)
        self.save("S/0/9", "new.json", code=3)
        self.assertIn("--force", self.save(next(iter(self.keys("out.h5"))), "t0.json", code=4).stderr)
        self.assertFalse((self.folder / "new.json").exists())

    def test_what_is_no_test_is_told_by_what_is_wrong_with_it_wherever_it_stands(self):
        self.run_into("out.h5", self.experiment(suites=1))
        self.save(next(iter(self.keys("out.h5"))), "t.json")
        (self.folder / "empty.json").write_text("")
        (self.folder / "nul.json").write_bytes(b"\0\0")
        (self.folder / "cut.json").write_text((self.folder / "t.json").read_text()[:1000])
        (self.folder / "huge.json").write_text("{" + " " * (65 << 20))
        (self.folder / "dir.json").mkdir()
        os.mkfifo(self.folder / "pipe.json")
        for name, words in (("empty.json", "is not valid JSON"), ("nul.json", "is not valid JSON"), ("cut.json", "is not valid JSON"),
                            ("huge.json", "is larger than 64 MiB"), ("dir.json", "is a folder, not a file"), ("gone.json", "cannot open: No such file"),
                            ("pipe.json", "is a pipe that nobody writes to"), ("out.h5", "is a result file (HDF5), and not JSON")):
            for names in ((name,), (name, "t.json"), ("t.json", name)):
                if names != ("out.h5",):
                    done = self.corridor("replay", *names, "--expect", "failing", code=4 if "cannot" in words else 3)
                    self.assertIn(name, done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertEqual(done.stdout, "")
        self.assertIn("--expect has no meaning with a result file", self.corridor("replay", "out.h5", "--expect", "failing", code=2).stderr)
        self.assertIn("needs one result file, or test files", self.corridor("replay", "--expect", "failing", code=2).stderr)
        (self.folder / "sealed.json").write_bytes((self.folder / "t.json").read_bytes())
        (self.folder / "sealed.json").chmod(0)
        (self.folder / "t.json").chmod(0o644)
        self.assertIn("sealed.json: cannot open: Permission denied", self.corridor("replay", "t.json", "sealed.json", code=4, **self.as_nobody()).stderr)

    def test_a_test_may_come_by_a_pipe_or_twice(self):
        self.run_into("out.h5", self.experiment(suites=1))
        self.save(next(iter(self.keys("out.h5"))), "t.json")
        text = (self.folder / "t.json").read_text()
        self.assertIn("as expected: yes", self.corridor("replay", "-", "--expect", "failing", input=text).stdout)
        found = self.replay("t.json", "t.json")
        self.assertEqual((found["equal"], found["tests"], len(found["sheets"]["tests"]["rows"])), (True, 2, 2))
        self.corridor("replay", "/dev/stdin", "t.json", "--expect", "failing", input=text)

    def test_a_result_without_the_walks_is_refused(self):
        self.make()
        key = next(iter(self.keys("out.h5")))
        for name, left, unsealed in (("gone.h5", None, 3), ("empty.h5", 0, 1), ("short.h5", 10, 1)):
            shutil.copy(self.folder / "out.h5", self.folder / name)
            with h5py.File(self.folder / name, "r+") as file:
                walk = file["vectors/walk"][:]
                del file["vectors/walk"]
                if left is not None:
                    file.create_dataset("vectors/walk", data=walk[:left], maxshape=(None,), chunks=(4096,))
            for options, code in (((), 3), (("--unsealed",), unsealed)):
                done = self.save(key, "new.json", name, *options, code=code)
                self.assertIn(name, done.stderr)
            self.assertFalse((self.folder / "new.json").exists())

    def test_another_module_is_news_only_where_the_outcome_is(self):
        shutil.copy(e2e.MODULES / "deeds.so", self.folder)
        arm = {"name": "D", "algorithm": "./deeds.so", "cpu_seconds": 0.1, "parameters": {"agents": [5, 9], "budget": 10, "deed": 1}}
        self.run_into("out.h5", self.experiment(arms=[arm], suites=1), "--isolate", "always")
        self.save(next(iter(self.keys("out.h5"))), "t.json", "out.h5", "--trust")
        digest = hashlib.sha256((self.folder / "deeds.so").read_bytes()).hexdigest()
        self.assertEqual(json.loads((self.folder / "t.json").read_text())["module"]["sha256"], digest)
        named = lambda name: f"corridor: note: {name}: names a program, which is started: ./deeds.so\n"
        self.assertEqual(self.corridor("replay", "t.json", "--expect", "failing", "--trust").stderr, named("t.json"))
        other = digest[::-1]
        self.change("t.json", "other.json", lambda test: test["module"].update(sha256=other))
        self.assertEqual(self.corridor("replay", "other.json", "--expect", "failing", "--trust").stderr, named("other.json"))
        done = self.corridor("replay", "other.json", "--expect", "fixed", "--trust", code=1)
        self.assertTrue(done.stderr.startswith(named("other.json") + "corridor: note: other.json: "), done.stderr)
        self.assertIn("its SHA-256 is " + digest, done.stderr)

    def test_what_was_not_judged_to_the_end_is_not_fixed(self):
        corridor = ["structure partitioning", "parameter threshold", "define level(o): mean(a in o.members: a.value)",
                    "invariant whole: all(o in organizations: count(o.members) >= 1)",
                    "trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= threshold"]
        arm = {"name": "P", "algorithm": "psopp", "result": {"fault": "agent_dropped", "probability": 0.3}}
        self.run_into("out.h5", self.experiment(suites=1, sequences=4, corridor=corridor, arms=[arm]))
        self.save(next(iter(self.keys("out.h5"))), "t.json")
        case = json.loads((self.folder / "t.json").read_text())["expected"]["case"]

        def mend(test, *lines, cases=None):
            del test["arm"]["result"]
            test["corridor"] += lines
            test["walk"] = [states[:cases and cases + 1] for states in test["walk"]]

        nothing = "invariant odd: all(o in organizations: 1 / (count(o.members) - count(o.members)) > 0)"
        for name, edit, code, said in (("mended", mend, 0, ""), ("just", lambda test: mend(test, cases=case), 0, ""),
                                       ("cut", lambda test: mend(test, cases=case - 1), 7, f"no verdict: the test ends after case {case - 1}, and what is expected came in case {case}"),
                                       ("odd", lambda test: mend(test, nothing), 7, "no verdict: no case fails, but whether the corridor holds is not known at "),
                                       ("red", lambda test: test["corridor"].append(nothing), 1, f"case {case} fails: ")):
            self.change("t.json", f"{name}.json", edit)
            found = self.replay(f"{name}.json", "--expect", "fixed", code=code)
            row = found["sheets"]["tests"]["rows"][0]
            self.assertEqual((found["equal"], found["different"], found["undecided"], row["undecided"]), (code == 0, code == 1, code == 7, code == 7), name)
            self.assertTrue(row["said"].startswith(said), row)
            self.assertEqual("# SKIP" in self.corridor("replay", f"{name}.json", "--expect", "fixed", "--format", "tap", code=code).stdout, code == 7)
        self.replay("odd.json", "mended.json", "--expect", "fixed", code=7)
        self.replay("odd.json", "red.json", "--expect", "fixed", code=1)
        # Of a file that expects no failure, that nothing failed is no more.
        none = {"class": "none", "case": 0}
        self.change("odd.json", "none.json", lambda test: test["expected"].update(none))
        said = self.replay("none.json", code=1)["sheets"]["tests"]["rows"][0]["said"]
        self.change("none.json", "none.json", lambda test: test["expected"].update(hash=said.split("fingerprint is ")[1].split(",")[0]))
        self.replay("none.json", code=7)

    def test_what_does_not_repeat_is_flaky(self):
        shutil.copy(e2e.MODULES / "guests" / "guest.so", self.folder)
        arm = {"name": "G", "algorithm": "./guest.so", "fault": "deals_by_the_clock", "parameters": {"agents": [12, 20], "budget": 10}}
        self.run_into("out.h5", self.experiment(arms=[arm], suites=1), "--isolate", "never")  # in a cell it is found when it is asked again
        found = self.save("G/0/0", "t.json", "out.h5", "--trust", code=1)
        self.assertIn("flaky", found.stdout)
        self.assertIn("t.json is not written", found.stderr)
        self.run_into("calm.h5", self.experiment(arms=[{**arm, "fault": "none"}], suites=1), "--isolate", "always")
        self.save("G/0/0", "t.json", "calm.h5", "--trust")
        self.change("t.json", "flaky.json", lambda test: test["arm"].update(fault="deals_by_the_clock"))
        for expect in ((), ("--expect", "failing"), ("--expect", "fixed")):
            row = self.replay("flaky.json", *expect, "--isolate", "never", "--trust", code=1)["sheets"]["tests"]["rows"][0]
            self.assertTrue(row["flaky"])
            self.assertIn("flaky", row["said"])


if __name__ == "__main__":
    e2e.main()
