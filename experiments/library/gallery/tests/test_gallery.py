#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The systems of the gallery: begun by corridor new, their planted faults found by whom it should be, and the sound algorithm without a
failure in so many reorganizations; with 0 of these the pages of docs/gallery are left to run the systems.

usage: test_gallery.py CORRIDOR_BINARY SOURCE_DIRECTORY REORGANIZATIONS
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY, SOURCE, REORGANIZATIONS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])

# Who finds what each arm has, and how many cases the sound one needs for a reorganization, generously.
SYSTEMS = {
    "robots": (8, {"no-crane": "gray, black", "overload": "gray, black", "adoption-misdirected": "black", "monitor-missed": "detect"}),
    "sensors": (20, {"forgets": "gray, black", "joins-twice": "gray", "adoption-lost": "black", "monitor-false": "detect"}),
    "teams": (6, {"orphan": "gray, black", "loop": "gray, black", "adoption-halfway": "black", "monitor-late": "detect"}),
    "replicas": (4, {"same-rack": "gray, black", "ignores-load": "gray, black", "adoption-doubled": "black", "monitor-missed": "detect"}),
    "zones": (12, {"leaves-out": "gray, black", "adoption-lost": "black", "monitor-missed": "detect", "slow": "time"}),
}
NO_FAULT = ("sound", "slow")  # slow: the algorithm answers late, which is its own failure


class Gallery(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def corridor(self, *words, cwd=None):
        done = subprocess.run([BINARY, *map(str, words)], cwd=cwd or self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout

    def begin(self, system):
        self.corridor("new", "experiment", "ours", "--like", system)
        project = self.folder / "ours"
        if (project / "ours.c").exists():
            compiler = os.environ.get("CC", "cc").split()
            subprocess.run([*compiler, "-std=c17", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden",
                            "-ffp-contract=off", f"-I{SOURCE}/algorithms/plugin/include", "ours.c", "-o", "ours.so"], cwd=project, check=True)
        return project

    def sheets(self, project, experiment):
        (project / "now.json").write_text(json.dumps(experiment))
        self.corridor("run", "now.json", "-o", "now.h5", "--force", "--progress", "none", cwd=project)
        return json.loads(self.corridor("show", "now.h5", "tables", "--json", cwd=project))["sheets"]

    def look_at(self, system):
        cases, finders = SYSTEMS[system]
        project = self.begin(system)
        experiment = json.loads((project / "ours.json").read_text())
        found = {row["arm"]: row for row in self.sheets(project, experiment)["found"]["rows"]}
        self.assertEqual({arm: row["found_by"] for arm, row in found.items()}, {"sound": "", **finders})
        for arm, row in found.items():
            verdict = "no check failed" if arm == "sound" else "FAILS" if arm in NO_FAULT else "found"
            self.assertEqual(row["verdict"], verdict, row["why"])
        experiment["arms"] = [arm for arm in experiment["arms"] if arm["name"] == "sound"]
        cases *= REORGANIZATIONS
        length = min(1000, cases // 4)
        experiment |= {"seed": "0x5051", "suites": -(-cases // length) if system != "replicas" else 4, "sequences": 1, "cases": length}
        if system == "replicas":  # a process for each sequence
            experiment["cases"] = cases // 4
        sheets = self.sheets(project, experiment)
        self.assertEqual(sheets["found"]["rows"][0]["verdict"], "no check failed", sheets["found"]["rows"][0]["why"])
        checks = sheets["checks"]["rows"][0]
        reorganizations = sheets["reorganizations"]["rows"][0]["reorganizations"]
        print(f"{system}: {reorganizations} reorganizations, {checks['detect_judged']} cases", flush=True)
        self.assertGreaterEqual(reorganizations, REORGANIZATIONS)
        self.assertEqual([checks["alarms_false"], checks["alarms_missed"], checks["outside_after"]], [0, 0, 0])
        self.assertEqual(checks["inside_after"], reorganizations)

    def test_what_is_stored_is_the_experiment(self):
        # The text that a result file and a campaign's folder have says all that the model says: scopes, too.
        for system in ("teams", "sensors"):
            self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            project = self.begin(system)
            experiment = json.loads((project / "ours.json").read_text()) | {"suites": 1, "sequences": 2}
            (project / "ours.json").write_text(json.dumps(experiment))
            self.corridor("run", "ours.json", "-o", "r.h5", "--progress", "none", cwd=project)
            self.corridor("replay", "r.h5", cwd=project)
            self.corridor("plan", "ours.json", "-o", "camp", "--pilot", "0", cwd=project)
            self.corridor("run", "camp", "-o", "again.h5", "--progress", "none", cwd=project)
            self.assertEqual(self.corridor("show", "again.h5", "--hash", cwd=project), self.corridor("show", "r.h5", "--hash", cwd=project))
            said = subprocess.run([BINARY, "judge", "ours.corridor", "r.h5"], cwd=project, capture_output=True, text=True, check=False).stdout
            self.assertIn(experiment["model"]["structure"]["kind"], said)

    def test_a_bound_of_whole_numbers_is_met_or_not(self):
        # Rounding has no say in how many agents there are: a real parameter beside a count is no edge.
        project = self.begin("sensors")
        experiment = json.loads((project / "ours.json").read_text())
        experiment["arms"] = experiment["arms"][:1]
        experiment["corridor"] = ["structure covering", "parameter bound", "invariant few: count(agents) < bound",
                                  "trigger none: count(agents) <= 0"]
        experiment["model"]["parameters"]["bound"] = 40.0
        row = self.sheets(project, experiment)["found"]["rows"][0]
        self.assertEqual((row["verdict"], row["found_by"]), ("FAILS", "gray, black"), row["why"])


for name in SYSTEMS if REORGANIZATIONS > 0 else ():
    setattr(Gallery, f"test_{name}", lambda self, name=name: self.look_at(name))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
