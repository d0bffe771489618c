#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""shrink and kept tests on bad days: results without walks, modules built anew, failures that do not repeat, damaged files, full disks, two
at once, folders that may not be written."""
import json
import os
import random
import resource
import shutil

import h5py

import e2e
from e2e import PSOPP


class ShrinkTrouble(e2e.Case):
    def make(self):
        self.run_into("out.h5", self.experiment(arms=[PSOPP], suites=1))
        self.key = self.keys("out.h5")[0]

    def keys(self, path):
        return [row["key"] for row in json.loads(self.corridor("failures", path, "--json").stdout)["failures"]]

    def guest(self, fault, source="guest.so"):
        shutil.copy(e2e.MODULES / "guests" / source, self.folder / "guest.so")
        arm = {"name": "G", "algorithm": "./guest.so", "fault": fault, "parameters": {"agents": [12, 20], "budget": 10}}
        self.run_into("out.h5", self.experiment(arms=[arm], suites=1), "--isolate", "always")
        return self.keys("out.h5")

    def shrink(self, *arguments, **others):
        return self.corridor("shrink", "out.h5", "--failure", self.key, *arguments, **others)

    def leftovers(self):
        return [name for name in os.listdir(self.folder) if ".part-" in name]

    def test_a_result_without_the_walks_is_refused(self):
        self.make()
        with h5py.File(self.folder / "out.h5", "r+") as file:
            del file["vectors/walk"]
        self.assertIn("out.h5", self.shrink("-o", "least.json", code=3).stderr)
        self.assertIn("walk", self.shrink("-o", "least.json", "--unsealed", code=3).stderr)
        self.assertFalse((self.folder / "least.json").exists())

    def test_a_module_that_was_built_anew_is_said_first(self):
        keys = self.guest("repeats_an_agent")
        self.key = keys[0]
        self.assertEqual(e2e.complaints(self.shrink("-o", "least.json", "--isolate", "always", "--trust").stderr),
                         "corridor: note: out.h5: names a program, which is started: ./guest.so\n")
        with open(self.folder / "guest.so", "ab") as module:
            module.write(b"built anew")
        done = self.shrink("-o", "again.json", "--isolate", "always", "--trust")
        self.assertRegex(done.stderr, 'note: out.h5 was made by something else: algorithms/guest/sha256: "[0-9a-f]{64}" there, "[0-9a-f]{64}" here')
        done = self.corridor("shrink", "least.json", "--check", "--isolate", "always", "--trust")
        self.assertRegex(done.stderr, "(?m)^corridor: note: least.json: guest")
        self.assertIn("is not the module that the test was made with", done.stderr)
        least, again = (json.loads((self.folder / name).read_text()) for name in ("least.json", "again.json"))
        self.assertNotEqual(least["module"].pop("sha256"), again["module"].pop("sha256"))
        self.assertEqual(least, again)

    def test_a_failure_that_does_not_repeat_is_kept_as_flaky_with_the_first_difference(self):
        self.key = self.guest("repeats_an_agent")[0]
        self.corridor("replay", "out.h5", "--failure", self.key, "-o", "whole.json", "--trust")
        test = json.loads((self.folder / "whole.json").read_text())
        test["arm"]["fault"] = "deals_by_chance"
        (self.folder / "hidden.json").write_text(json.dumps(test))
        done = self.corridor("shrink", "hidden.json", "-o", "least.json", "--isolate", "always", "--trust", code=1)
        kept = json.loads((self.folder / "least.json").read_text())
        self.assertTrue(done.stdout.startswith("flaky: "), done.stdout)
        self.assertRegex(done.stdout, "The first difference is in case|\\(smoke.flaky,fault\\)")
        self.assertEqual(kept.pop("said") + "\n", done.stdout)
        self.assertEqual(kept, {key: value for key, value in test.items() if key != "said"})
        found = json.loads(self.corridor("shrink", "hidden.json", "--check", "--isolate", "always", "--trust", "--json", code=1).stdout)
        self.assertEqual((found["minimal"], found["repeats"]), (False, False))
        self.assertIn("flaky", self.corridor("replay", "least.json", "--isolate", "always", "--trust", code=1).stdout)

    def test_another_class_than_the_file_says_is_no_failure_to_be_shrunk(self):
        self.make()
        self.shrink("-o", "least.json")
        test = json.loads((self.folder / "least.json").read_text())
        test["expected"]["class"] = "black.agent_missing"
        (self.folder / "other.json").write_text(json.dumps(test))
        done = self.corridor("shrink", "other.json", "-o", "new.json", code=1)
        self.assertIn("but black.agent_missing is expected", done.stdout)
        test["arm"]["fault"] = "none"
        (self.folder / "sound.json").write_text(json.dumps(test))
        self.assertIn("no case fails", self.corridor("shrink", "sound.json", "--check", code=1).stdout)

    def test_a_damaged_test_is_refused_or_shrunk(self):
        self.make()
        self.shrink("-o", "least.json")
        text = (self.folder / "least.json").read_bytes()
        dice = random.Random(21)
        for _ in range(25):
            at = dice.randrange(len(text))
            damaged = dice.choice((text[:at], text[:at] + text[at + 1:], text[:at] + bytes([dice.randrange(256)]) + text[at + 1:]))
            (self.folder / "damaged.json").write_bytes(damaged)
            done = e2e.subprocess.run([e2e.BINARY, "shrink", "damaged.json", "--check", "--budget", "20"], cwd=self.folder, text=True,
                                      capture_output=True, env=e2e.ENVIRONMENT, check=False)
            self.assertIn(done.returncode, (0, 1, 2, 3), (done, damaged[max(0, at - 40):at + 40]))
            if done.returncode > 1:
                self.assertTrue(done.stderr)

    def test_a_full_disk_leaves_no_half_of_a_test_and_what_was_there(self):
        self.make()
        (self.folder / "least.json").write_text("mine")
        for size in (0, 1, 1000):
            limit = lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            for words in (("shrink", "out.h5", "--failure", self.key, "--budget", 3), ("replay", "out.h5", "--failure", self.key)):
                done = self.corridor(*words, "-o", "least.json", "--force", code=4, preexec_fn=limit)
                self.assertIn("least.json: cannot write", done.stderr)
                self.assertEqual((self.folder / "least.json").read_text(), "mine")
                self.assertEqual(self.leftovers(), [])
        self.assertIn("/dev/full: cannot write", self.shrink("-o", "/dev/full", "--budget", 3, code=4).stderr)

    def test_a_folder_that_may_not_be_written_is_said_before_the_work(self):
        self.make()
        for place, why in (("no/such/least.json", "No such file"), ("out.h5/least.json", "Not a directory")):
            done = self.shrink("-o", place, code=4)
            self.assertIn(why, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertIn("no/such", self.corridor("shrink", "out.h5", "--failure", "P/9/9/9", "-o", "no/such/least.json", code=4).stderr)
        (self.folder / "sealed").mkdir(mode=0o555)
        done = self.shrink("-o", "sealed/least.json", code=4, **self.as_nobody())
        self.assertIn("Permission denied", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_two_at_once_leave_one_whole_test(self):
        self.make()
        both = [self.begin("shrink", "out.h5", "--failure", self.key, "-o", "least.json", "--force") for _ in range(2)]
        for process in both:
            said = process.communicate()
            self.assertEqual(process.returncode, 0, said)
        self.assertEqual(self.leftovers(), [])
        self.corridor("replay", "least.json", "--expect", "failing")
        self.corridor("shrink", "least.json", "--check")


if __name__ == "__main__":
    e2e.main()
