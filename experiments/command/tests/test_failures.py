#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""failures: what failed, of what class, by keys that replay takes. Beside it a second opinion from the raw tables."""
import csv
import io
import json
import shutil

import e2e
from e2e import PSOPP, SPADA

from naive_failures import find_failures


class Failures(e2e.Case):
    def failures(self, *arguments, code=0):
        return json.loads(self.corridor("failures", *arguments, "--json", code=code).stdout)

    def assert_as_naive(self, path):
        failing, masked = find_failures(self.folder / path)
        found = self.failures(path)
        self.assertEqual([(row["key"], row["class"]) for row in found["failures"]], failing)
        with_masked = self.failures(path, "--masked")["failures"]
        self.assertEqual([row["key"] for row in with_masked if row["masked"]], masked)
        keys = {key for key, _ in failing}
        self.assertEqual([(row["key"], row["class"]) for row in with_masked if row["key"] in keys], failing)
        self.assertTrue(all(row["masked"] or row["key"] in keys for row in with_masked))
        self.assertTrue(all("gray." not in row["class"] and "black." not in row["class"] for row in with_masked if row["masked"]))
        summary = found["sheets"]["summary"]["row"]
        self.assertEqual((summary["failing"], summary["masked"]), (len(failing), len(masked)))
        return failing, masked

    def run_arms(self, *arms, **changes):
        self.run_into("out.h5", self.experiment(arms=list(arms), **changes))
        return self.assert_as_naive("out.h5")

    def test_faults_of_algorithms_and_continuations(self):
        failing, masked = self.run_arms(SPADA, PSOPP, {"name": "P3", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [20, 90], "budget": 1500}}, suites=8,
                                        branching={"continuations": 2, "back": [3]})
        self.assertGreater(len(failing), 10)
        self.assertGreater(len(masked), 0)
        self.assertTrue(any(int(key.split("/")[-2]) > 1 for key, _ in failing), "a continuation")
        found = self.failures("out.h5", "--arm", "P3", "--masked")
        self.assertEqual({row["arm"] for row in found["failures"]}, {"P3"})

    def test_masked_is_what_tables_count(self):
        """Of the same file, where the monitor is wrong in cases in which faults are active: one meaning, one number."""
        deaf = {"monitor": {"fault": "false", "probability": 0.5}, "look_every": 1}
        failing, masked = self.run_arms({**SPADA, **deaf}, {**PSOPP, **deaf}, suites=12)
        self.assertTrue(any("detect" in text and "fault" in text for _, text in failing))
        rows = json.loads(self.corridor("show", "out.h5", "tables", "--json").stdout)["sheets"]["reorganizations"]["rows"]
        self.assertEqual(sum(row["masked"] for row in rows), len(masked))
        self.assertGreater(len(masked), 0)
        detected = [row for row in self.failures("out.h5", "--masked")["failures"] if row["masked"] and row["class"] != "fault"]
        self.assertGreater(len(detected), 0, "the alarm was wrong, and the fault unseen")

    def test_faults_of_monitor_and_adoption(self):
        failing, _ = self.run_arms(
            {**SPADA, "name": "deaf", "fault": "none", "monitor": {"fault": "missed", "probability": 0.2}, "look_every": 1},
            {**PSOPP, "name": "lost", "fault": "none", "adoption": {"fault": "lost", "probability": 0.02}})
        classes = {part for _, text in failing for part in text.split(",")}
        self.assertIn("detect.alarm_missed", classes)
        self.assertIn("black.agent_missing", classes)

    def test_smoke_of_modules(self):
        shutil.copy(e2e.MODULES / "deeds.so", self.folder)
        arms = [{"name": f"D{deed}", "algorithm": "./deeds.so", "cpu_seconds": 0.1,
                 "parameters": {"agents": [5, 9], "budget": 10, "deed": deed}} for deed in (1, 3)]
        self.run_into("out.h5", self.experiment(arms=arms, suites=1), "--isolate", "always")
        failing, _ = self.assert_as_naive("out.h5")
        self.assertEqual({text for _, text in failing}, {"smoke.crashed", "smoke.exited"})

    def test_classes_are_counted_and_chosen(self):
        failing, _ = self.run_arms(SPADA, PSOPP)
        counts = {}
        for key, text in failing:
            counts.setdefault(text, []).append(key)
        rows = self.failures("out.h5")["sheets"]["classes"]["rows"]
        self.assertEqual({row["class"]: (row["count"], row["first"]) for row in rows},
                         {text: (len(keys), keys[0]) for text, keys in counts.items()})
        self.assertEqual([row["count"] for row in rows], sorted((row["count"] for row in rows), reverse=True))
        chosen = rows[-1]["class"]
        self.assertEqual([row["key"] for row in self.failures("out.h5", "--class", chosen)["failures"]], counts[chosen])
        lines = list(csv.DictReader(io.StringIO(self.corridor("failures", "out.h5", "--csv").stdout)))
        self.assertEqual([(line["key"], line["class"]) for line in lines], failing)
        text = self.corridor("failures", "out.h5", "--top", 2).stdout
        self.assertIn(failing[1][0], text)

    def test_a_shrunk_test_of_each_class_is_kept(self):
        failing, _ = self.run_arms(SPADA, PSOPP, suites=2)
        classes = {text for _, text in reversed(failing)}
        self.corridor("failures", "out.h5", "--keep", "tests", "--budget", "60")
        files = {f"{text.replace(',', '+')}.json" for text in classes}
        self.assertEqual({path.name for path in (self.folder / "tests").iterdir()}, files)
        rows = json.loads(self.corridor("replay", *(f"tests/{name}" for name in sorted(files)), "--expect", "failing", "--json").stdout)["sheets"]["tests"]["rows"]
        self.assertEqual({row["class"] for row in rows}, classes)
        before = {name: (self.folder / "tests" / name).read_bytes() for name in files}
        again = self.corridor("failures", "out.h5", "--keep", "tests", "--budget", "3")
        self.assertEqual(again.stderr.count("is there already, and stays"), len(files))
        self.assertEqual({name: (self.folder / "tests" / name).read_bytes() for name in files}, before)
        one = next(iter(classes))
        self.corridor("failures", "out.h5", "--keep", "one", "--class", one, "--budget", "2")
        self.assertEqual([path.name for path in (self.folder / "one").iterdir()], [f"{one.replace(',', '+')}.json"])
        self.assertIn("--budget needs --keep", self.corridor("failures", "out.h5", "--budget", "3", code=2).stderr)

    def test_a_class_that_another_module_does_not_show_is_not_kept_and_that_is_no_success(self):
        shutil.copy(e2e.MODULES / "crashes.so", self.folder / "m.so")
        self.run_into("m.h5", self.experiment(arms=[{"name": "M", "algorithm": "./m.so"}], suites=1))
        (self.folder / "m.so").unlink()
        shutil.copy(e2e.MODULES / "works.so", self.folder / "m.so")
        done = self.corridor("failures", "m.h5", "--keep", "kept", "--trust", code=1)
        self.assertIn("the algorithm is not the one that the file was made with. This tells which:\n  corridor replay m.h5 --failure M/", done.stderr)
        self.assertEqual(list((self.folder / "kept").iterdir()), [])

    def test_what_is_not_there_is_said(self):
        self.run_into("out.h5", self.experiment(arms=[{**SPADA, "fault": "none"}], suites=1))
        self.assertEqual(self.failures("out.h5")["failures"], [])
        self.assertIn("nothing failed", self.corridor("failures", "out.h5").stdout)
        self.assertIn('"grey.x" is no part', self.corridor("failures", "out.h5", "--class", "grey.x", code=3).stderr)
        self.assertIn('there is no arm "X"', self.corridor("failures", "out.h5", "--arm", "X", code=3).stderr)


if __name__ == "__main__":
    e2e.main()
