#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's libraft: schedules that were found come out as before, each arm finds its bug again, and with the rule of Figure 8 mended nobody is accused of it.

usage: test_real_bugs.py CORRIDOR_BINARY SOURCE_DIRECTORY SCHEDULES
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BINARY, SOURCE, SCHEDULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
LIBRARY = SOURCE / "experiments/library/processes"
EXPERIMENT = json.loads((LIBRARY / "raft.json").read_text())
TESTS = {path.stem: path for path in sorted((LIBRARY / "raft").glob("*.json"))}
OF_FIGURE_8 = {"figure_8", "own_term"}
# Schedules in which at least one arm in a thousand seeds would not find its bug; what is rarer is found by make real-bugs.
ENOUGH = {"own_term": 100, "asks_stored": 200, "answers_in_time": 500, "acks_matched": 200}


def constraint(arm):
    return EXPERIMENT["arms"][arm]["watch"][0]


class RealBugs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def corridor(self, *words):
        return subprocess.run([BINARY, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False)

    def test_schedules_that_were_found_come_out_as_before(self):
        self.assertEqual(set(TESTS), {arm for arm in EXPERIMENT["arms"] if not arm.endswith("_of_5")})
        for arm, path in TESTS.items():
            test = json.loads(path.read_text())
            self.assertEqual(test["process_test"]["expected"], constraint(arm))
            done = self.corridor("replay", path, "--trust")
            self.assertEqual(done.returncode, 0, f"{arm}\n{done.stdout}{done.stderr}")

    def test_figure_8_does_not_come_out_where_its_rule_is_mended(self):
        for arm in OF_FIGURE_8:
            test = json.loads(TESTS[arm].read_text())
            test["process"]["program"] = "raft_mended.so"
            test["process_test"]["expected"] = "none"
            test["corridor"] = str(LIBRARY / "raft.corridor")
            (self.folder / "mended.json").write_text(json.dumps(test))
            done = self.corridor("replay", "mended.json", "--trust")
            self.assertEqual(done.returncode, 0, f"{arm}\n{done.stdout}{done.stderr}")

    def classes(self, program, arms, sequences):
        """Of each arm the classes of its failures, with how many there are."""
        experiment = EXPERIMENT | {"corridor": str(LIBRARY / "raft.corridor"), "suites": 2, "sequences": sequences, "arms": arms}
        experiment["process"] = experiment["process"] | {"program": program}
        (self.folder / "now.json").write_text(json.dumps(experiment))
        done = self.corridor("run", "now.json", "-o", "now.h5", "--force", "--progress", "none")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        rows = json.loads(self.corridor("failures", "now.h5", "--json").stdout)["sheets"].get("classes", {"rows": []})["rows"]
        found = {arm: {} for arm in arms}
        for row in rows:
            found[row["arm"]][row["class"]] = row["sequences"]
        return found

    def test_arms_find_their_bugs(self):
        for arm, sequences in ENOUGH.items():
            found = self.classes("raft.so", {arm: EXPERIMENT["arms"][arm]}, sequences)
            self.assertIn(constraint(arm), found[arm])

    def test_nobody_is_accused_of_figure_8_where_its_rule_is_mended(self):
        arms = {f"{arm}{servers}": EXPERIMENT["arms"][arm + servers] for arm in sorted(OF_FIGURE_8) for servers in ("", "_of_5")}
        found = self.classes("raft_mended.so", arms, SCHEDULES // 2 // len(arms))
        for arm, classes in found.items():
            self.assertNotIn(EXPERIMENT["arms"][arm]["watch"][0], classes)
        self.assertTrue(found["figure_8"], "the other bugs are still there")

    def test_clients_of_a_leader_that_asks_nobody_read_what_is_old(self):
        """With the fault linearizable(store) is violated, shrunk, and violated again; without it never, where Figure 8 is mended."""
        experiment = json.loads((LIBRARY / "raft_clients.json").read_text()) | {"corridor": str(LIBRARY / "raft.corridor")}
        (self.folder / "clients.json").write_text(json.dumps(experiment))
        self.assertEqual(self.corridor("run", "clients.json", "-o", "clients.h5", "--progress", "none").returncode, 0)
        found = json.loads(self.corridor("failures", "clients.h5", "--json").stdout)["sheets"]["classes"]["rows"]
        self.assertEqual([row["class"] for row in found if row["arm"] == "reads_alone"], ["atomic"])
        self.assertNotIn("atomic", [row["class"] for row in found if row["arm"] == "sound"])
        key = json.loads(self.corridor("failures", "clients.h5", "--json").stdout)["sheets"]["failures"]["rows"][0]["key"]
        self.assertEqual(self.corridor("shrink", "clients.h5", "--failure", key, "-o", "t.json", "--budget", 3000, "--trust").returncode, 0)
        self.assertIn("atomic is violated: The calls on store", self.corridor("replay", "t.json", "--trace", "--trust").stdout)
        experiment |= {"arms": {"sound": {}}, "suites": 1, "sequences": max(14, SCHEDULES // 240), "events": 100000, "generators": ["timed", "random", "burst", "swarm", "pct", "rounds", "search"]}
        experiment["process"] = experiment["process"] | {"program": "raft_mended.so", "memory": 1 << 26}
        (self.folder / "mended.json").write_text(json.dumps(experiment))
        self.assertIn("1 arm", self.corridor("run", "mended.json", "-o", "mended.h5", "--progress", "none").stdout)
        self.assertNotIn("atomic", self.corridor("failures", "mended.h5", "--json").stdout.split('"constraints"')[0])

    def test_the_page_tells_what_happens(self):
        """Events of the story on the page are those of the schedule; the table has the messages of the tests."""
        story = (SOURCE / "docs/gallery/figure-8-in-debian.md").read_text()
        test = json.loads(TESTS["figure_8"].read_text())
        self.assertEqual(len(re.findall(r"^\d+\. ", story, re.M)), len(test["schedule"]))
        page = (SOURCE / "docs/gallery/raft.md").read_text()
        for arm, path in TESTS.items():
            messages = sum(event[0] == "deliver" for event in json.loads(path.read_text())["schedule"])
            self.assertRegex(page, rf"\| \[?`{arm}`\]?[^\n]*\| {messages} \|")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
