#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The generator "splitting" on faults whose probability is known exactly, and several generators beside each other.

usage: test_splitting.py CORRIDOR SOURCE_DIRECTORY MODULE_DIRECTORY"""
import json
import math
import pathlib
import shutil
import sys

import h5py

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "experiments/layers/estimation/tests")]
import e2e
import exact

RARE = e2e.SOURCE / "experiments/layers/estimation/tests/rare.json"
ROW = "; ".join(f"row.b{i} > 0" for i in range(1, 9))
FRESH, SPLIT = 1, 11


class Splitting(e2e.Case):
    def setUp(self):
        super().setUp()
        shutil.copy(e2e.MODULES / "rare_walk.so", self.folder)
        experiment = json.loads(RARE.read_text())
        experiment["arms"] = [arm for arm in experiment["arms"] if arm.get("preset") == "walk"]
        (self.folder / "rare.json").write_text(json.dumps(experiment))
        self.exact = {arm["name"]: exact.probabilities(experiment, arm)[0] for arm in experiment["arms"]}
        self.cases = experiment["cases"]

    def search(self, arm, level, *words, generator="splitting", **others):
        return json.loads(self.corridor("search", "rare.json", "--arm", arm, "--isolate", "never", "--generator", generator,
                                        *(["--level", level] if level else []), "--json", *words, **others).stdout)

    def rows(self, path, table):
        with h5py.File(self.folder / path) as file:
            columns = {name: data[()].tolist() for name, data in file[table].items()}
        return [dict(zip(columns, values)) for values in zip(*columns.values())]

    def test_nine_storms_in_a_row_are_found_where_random_has_no_chance(self):
        """What random search finds in a sequence is known exactly, so nothing has to be run beside it."""
        islands, budget = 8, 20000
        by_chance = islands * budget / self.cases * float(self.exact["row-9"])
        self.assertLess(by_chance, 1e-4)
        said = self.search("row-9", ROW, "--budget", budget, "--islands", islands, "-o", "s.h5")
        found = [row["first"] for row in self.rows("s.h5", "islands") if row["first"] > 0]
        self.assertGreaterEqual(len(found), 7)
        self.assertLess(sorted(found)[len(found) // 2], self.cases / float(self.exact["row-9"]) / 10**5)
        tests = {(row["suite"], row["test"]): row for row in self.rows("s.h5", "tests")}
        for row in tests.values():
            self.assertTrue(row["parent"] == 0 or tests[row["suite"], row["parent"]]["case"] == 0, "what has failed is no parent")
            self.assertTrue(row["mutation"] == SPLIT or row["case"] == 0, "none of these is found by the law")
            self.assertEqual(row["mutation"] == SPLIT, row["parent"] > 0)
        finding = said["sheets"]["findings"]["rows"][0]
        (self.folder / "t.json").write_text(self.corridor("show", "s.h5", "searches", "--test", finding["key"]).stdout)
        self.corridor("replay", "t.json", "--isolate", "never", "--trust", "--expect", "failing")
        identities = json.loads((self.folder / "t.json").read_text())["case_identity"]
        self.assertEqual(identities, sorted(set(identities)))
        self.assertTrue(identities[0] == 1 and identities[-1] > self.cases, "what is random behind the branch is drawn anew")

    def test_each_stage_lies_above_the_one_before_it(self):
        self.search("row-9", ROW, "--budget", 15000, "--islands", 2, "-o", "s.h5")
        stages = self.rows("s.h5", "stages")
        for island in (0, 1):
            own = [row for row in stages if row["suite"] == island]
            self.assertGreater(len(own), 4)
            self.assertEqual([row["stage"] for row in own], list(range(len(own))))
            for below, above in zip(own, own[1:]):
                self.assertGreater(above["lowest"], below["lowest"])
                self.assertGreaterEqual(above["highest"], above["lowest"])
                self.assertGreaterEqual(below["climbs"], above["climbs"])
            for row in own:
                self.assertLessEqual(row["rose"], 10 * row["climbs"])
                self.assertLessEqual(row["tests"], 50 * row["climbs"])
            tests = [row for row in self.rows("s.h5", "tests") if row["suite"] == island]
            self.assertEqual(sum(row["tests"] for row in own), len(tests))
            self.assertEqual(own[0]["tests"], sum(row["mutation"] == FRESH for row in tests))

    def test_tests_of_the_first_stage_follow_the_law(self):
        self.search("row-2", "row.b1", "--budget", 100000, "-o", "s.h5")
        fresh = [row for row in self.rows("s.h5", "tests") if row["mutation"] == FRESH]
        p, n, failing = float(self.exact["row-2"]), len(fresh), sum(row["case"] > 0 for row in fresh)
        self.assertGreater(n, 1000)
        self.assertLess(abs(failing - n * p), 4 * math.sqrt(n * p * (1 - p)), f"{failing} of {n} fail, {n * p:.1f} were expected")

    def test_children_fail_as_often_as_the_law_says_from_where_they_branch_off(self):
        """Two storms in a row need one more when one has come: the next case has it with a probability that is known; a child
        that shared draws or walk with its parent behind the branch would repeat it instead."""
        self.search("row-2", "row.b1", "--budget", 60000, "-o", "s.h5")
        children = [row for row in self.rows("s.h5", "tests") if row["mutation"] == SPLIT]
        _, step, _ = exact.chain_of(json.loads(RARE.read_text()))
        at_once = float(step["storm"]["storm"] * step["calm"]["calm"])
        failing = sum(row["case"] > 0 for row in children)
        self.assertGreater(len(children), 1000)
        # Parents came there first in some case before the last one mostly; later storms are rare.
        self.assertTrue(0.6 * at_once < failing / len(children) < 1.6 * at_once, (failing, len(children), at_once))
        of_one = {}
        for row in children:
            of_one.setdefault(row["parent"], set()).add(row["case"])
        self.assertTrue(any(len(cases) > 1 for cases in of_one.values()))

    def test_parents_are_the_ten_highest_above_the_bar(self):
        """By a parameter a test is as high as its parent: who begets whom follows from the heights of those by the law."""
        experiment = json.loads((self.folder / "rare.json").read_text())
        experiment.update(arms=[{"name": "steps", "preset": "walk", "parameters": {"streak": 9, "a": [1, 40]}}], suites=2000, sequences=1, cases=2)
        (self.folder / "rare.json").write_text(json.dumps(experiment))
        self.corridor("run", "rare.json", "-o", "c.h5", "--isolate", "never", "--progress", "none")
        with h5py.File(self.folder / "c.h5") as file:
            names = [name.decode() for name in file["catalog/parameter/name"][()]]
        steps = {row["suite"]: int(row["value"]) for row in self.rows("c.h5", "parameters") if names[row["parameter"]] == "a"}
        for level, least in (("a", 0), ("max(a, 36)", 36)):  # by the latter few tests are above the least
            self.search("steps", level, "--budget", 4000, "-o", "s.h5", "--force")
            self.check_climbs(self.rows("s.h5", "tests"), {suite: max(step, least) for suite, step in steps.items()})

    def check_climbs(self, tests, height_of_suite):
        parents, bar, at, climbs, unequal = [], 0, 0, 0, 0
        while at < len(tests):
            stage = tests[at:at + 50]
            at += 50
            expected = [parents[i % len(parents)]["test"] if parents else 0 for i in range(len(stage))]
            self.assertEqual([row["parent"] for row in stage], expected)
            self.assertEqual({row["case"] for row in stage}, {0})
            height = {row["test"]: height_of_suite[row["drawn_suite"]] for row in stage}
            bar = bar if parents else min(height.values())
            climbs += not parents
            ranked = sorted((row for row in stage if height[row["test"]] > bar), key=lambda row: (-height[row["test"]], row["test"]))
            parents = ranked[:10]
            unequal += len({height[row["test"]] for row in parents}) > 1
            if parents:
                bar = height[parents[-1]["test"]]
        self.assertGreater(climbs, 5)
        self.assertGreater(unequal, climbs // 2)

    def test_a_level_that_never_rises_is_said(self):
        done = self.corridor("search", "rare.json", "--arm", "sound", "--isolate", "never", "--generator", "splitting", "--level", "held", "--budget", 3000)
        said = " ".join(done.stdout.split())
        self.assertIn("the level function never rose: 250 tests came to the level 0, no more and no less", said)
        done = self.corridor("search", "rare.json", "--arm", "sound", "--isolate", "never", "--generator", "splitting", "--level", "1 / held", "--budget", 3000)
        self.assertIn("the level was undefined in all 250 tests", " ".join(done.stdout.split()))
        done = self.corridor("search", "rare.json", "--arm", "row-9", "--isolate", "never", "--generator", "splitting", "--level", ROW, "--budget", 6000)
        self.assertNotIn("never rose", " ".join(done.stdout.split()))

    def test_workers_change_nothing(self):
        hashes = set()
        for jobs in (1, 2, 3):
            self.search("row-5", ROW, "--budget", 5000, "--islands", 3, "--jobs", jobs, "-o", f"{jobs}.h5")
            hashes.add(self.corridor("show", f"{jobs}.h5", "searches", "--hash").stdout)
        self.assertEqual(len(hashes), 1)
        self.assertTrue(json.loads(self.corridor("replay", "1.h5", "--trust", "--json").stdout)["equal"])

    def test_of_many_tests_those_have_a_row_that_tell_something_new(self):
        said = self.search("row-2", None, "--budget", 150000, "-o", "s.h5", generator="random")
        tests, island = self.rows("s.h5", "tests"), self.rows("s.h5", "islands")[0]
        self.assertEqual(island["cases"], 150000)
        self.assertGreater(island["tests"], 12000)
        self.assertEqual([row["test"] for row in tests[:10000]], list(range(1, 10001)))
        numbers = [row["test"] for row in tests]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertTrue(all(row["fresh"] > 0 or row["case"] > 0 for row in tests[10000:]))
        self.assertLess(len(tests), 10100)
        self.assertEqual(sum(row["fresh"] for row in tests), island["features"])
        self.assertGreater(island["failing"], sum(row["case"] > 0 for row in tests))
        self.assertEqual(island["first"], min(row["total"] - row["cases"] + row["case"] for row in tests if row["case"] > 0))
        self.assertEqual(said["first"], island["first"])
        self.corridor("verify", "s.h5")

    def test_generators_of_one_comparison_have_options_of_their_own(self):
        done = self.corridor("search", "rare.json", "--arm", "row-9", "--isolate", "never", "--generator", "random,coverage,directed,splitting",
                             "--seam", "row[9]", "--level", ROW, "--budget", 8000, "--islands", 6, "--json")
        sheets = json.loads(done.stdout)["sheets"]
        found = {row["generator"].split("/")[0]: row["found"] for row in sheets["shares"]["rows"]}
        self.assertEqual(list(found), ["random", "coverage", "directed", "splitting"])
        self.assertEqual(found["random"], 0)
        self.assertGreaterEqual(found["splitting"], 3)
        self.assertEqual(len(sheets["pairs"]["rows"]), 6)

    def test_what_is_wrong_is_said(self):
        def refused(*words, code=3):
            return self.corridor("search", "rare.json", "--arm", "row-9", "--isolate", "never", *words, code=code).stderr
        self.assertIn("splitting needs a level function", refused("--generator", "splitting"))
        self.assertIn("rwo", refused("--generator", "splitting", "--level", "rwo.b1 > 0; alarm"))
        self.assertIn("condition 2 of the level is empty", refused("--generator", "splitting", "--level", "alarm;"))
        self.assertIn("63 conditions", refused("--generator", "splitting", "--level", ";".join(["alarm"] * 63)))
        self.assertIn('splitting takes no such option: "seam"', refused("--generator", "splitting", "--level", "row.b1", "--seam", "row[1]"))
        self.assertIn('coverage takes no such option: "level"', refused("--level", "row.b1"))
        for names in ("random,,splitting", ",random", "random,", "", ","):
            self.assertIn("--generator has an empty name", refused("--generator", names, code=2))
        self.assertIn("none of these generators takes --level", refused("--generator", "random,coverage", "--level", "row.b1", code=2))
        self.assertIn("splitting needs a level function", refused("--generator", "random,splitting"))


if __name__ == "__main__":
    e2e.main()
