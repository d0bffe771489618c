#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Code coverage of a module (corridor/code_coverage.h): what is counted, where it is shown, and what searches gain by it."""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]).resolve() / "experiments/command/tests"))
import e2e  # noqa: E402

STUDY = e2e.SOURCE / "experiments/layers/search/tests/study"
BUDGET = 60000


class CodeCoverage(e2e.Case):
    def setUp(self):
        super().setUp()
        weather = json.loads((STUDY / "weather.json").read_text())
        weather["arms"] = [{"name": name, "algorithm": f"./{name}.so"} for name in ("plain", "covered")]
        for name in ("plain", "covered"):
            shutil.copy(e2e.MODULES / f"{name}.so", self.folder)
        (self.folder / "weather.json").write_text(json.dumps(weather))

    def test_places_are_counted_the_same_in_a_cell_and_beside_it(self):
        hashes = set()
        for isolate in ("never", "always"):
            self.corridor("run", "weather.json", "--suites", "2", "--isolate", isolate, "-o", f"{isolate}.h5")
            hashes.add(self.corridor("show", f"{isolate}.h5", "--hash").stdout)
        self.assertEqual(len(hashes), 1)
        reorganizations = json.loads(self.corridor("show", "never.h5", "performance", "--json").stdout)
        said = {row["arm"]: row["reorganizations"] for row in reorganizations["sheets"]["arms"]["rows"]}
        sheets = json.loads(self.corridor("coverage", "never.h5", "--json").stdout)["sheets"]
        probe, = sheets["probes"]["rows"]
        self.assertEqual((probe["arm"], probe["probe"], probe["buckets"]), ("covered", "coverage", 1024))
        self.assertTrue(8 <= probe["reached"] <= 90, probe["reached"])
        self.assertEqual(probe["never_in"], "not known: hashed")  # most of the 1,024 have no place of its code
        buckets = [row["count"] for row in sheets["buckets"]["rows"] if row["arm"] == "covered" and row["count"] > 0]
        self.assertEqual(len(buckets), probe["reached"])
        self.assertIn(said["covered"], buckets)  # the first place of result(), once a reorganization
        self.assertTrue(any(0 < count < said["covered"] for count in buckets))

    def test_agents_that_talk_are_counted_in_a_cell_too(self):
        shutil.copy(e2e.MODULES / "covered_agents.so", self.folder)
        talk = json.loads((self.folder / "weather.json").read_text())
        talk["arms"] = [{"name": "talk", "algorithm": "./covered_agents.so"},
                        {"name": "strict", "algorithm": "./covered_agents.so", "strict": True}]
        talk.update(mode="paired", suites=1, sequences=1)
        (self.folder / "talk.json").write_text(json.dumps(talk))
        hashes = set()
        for isolate in ("never", "always"):
            self.corridor("run", "talk.json", "--isolate", isolate, "-o", f"{isolate}.h5")
            hashes.add(self.corridor("show", f"{isolate}.h5", "--hash").stdout)
        self.assertEqual(len(hashes), 1)
        question = "select arm, sum(count) as n from counters where counter = 'coverage' group by arm"
        counts = map(json.loads, self.corridor("sql", "always.h5", question, "--json").stdout.splitlines())
        talk, strict = (row["n"] for row in counts)
        self.assertEqual(talk, strict)
        self.assertGreater(talk, 1000)

    def test_who_has_no_coverage_is_told_how_to_build_with_it(self):
        for arm, is_told in (("plain", True), ("covered", False)):
            text = self.corridor("search", "weather.json", "--arm", arm, "--budget", "200").stdout
            self.assertEqual("-fsanitize-coverage=trace-pc -include corridor/code_coverage.h" in text, is_told, text)
        self.corridor("search", "weather.json", "--arm", "plain", "--generator", "random", "--budget", "200")

    def test_a_bug_behind_branches_is_found_in_fewer_tests(self):
        first = {}
        for arm in ("plain", "covered"):
            said = json.loads(self.corridor("search", "weather.json", "--arm", arm, "--islands", "20", "--budget", str(BUDGET), "--isolate",
                                            "never", "--json").stdout)
            first[arm] = [row["first"] for row in said["sheets"]["islands"]["rows"]]
            self.assertEqual(len(first[arm]), 20)
        found = {arm: sum(at is not None for at in all_of) for arm, all_of in first.items()}
        mean = {arm: sum(BUDGET if at is None else at for at in all_of) / 20 for arm, all_of in first.items()}
        self.assertGreaterEqual(found["covered"], found["plain"] + 3, found)
        self.assertLess(mean["covered"], 0.9 * mean["plain"], mean)


if __name__ == "__main__":
    e2e.main()
