# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the tree share: the program, a folder of its own for each test, and models with known causes.

Each test_*.py is run as  test_x.py CORRIDOR SOURCE_DIRECTORY MODULES."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CORRIDOR, SOURCE, MODULES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
del sys.argv[1:]

# Values follow the weather at once; only storm reaches 0.95, where the planted modules forget an agent.
WEATHER = {
    "corridor_model": 1,
    "agents": 12,
    "structure": {"size_min": 2, "size_max": 4},
    "groups": {"count": 6},
    "environments": {"sky": {"profile": {
        "states": ["calm", "rain", "fog", "storm"],
        "transitions": {"calm": {"calm": 0.6, "rain": 0.2, "fog": 0.2}, "rain": {"calm": 0.5, "rain": 0.4, "storm": 0.1},
                        "fog": {"fog": 0.7, "calm": 0.2, "storm": 0.1}, "storm": {"storm": 0.4, "rain": 0.4, "fog": 0.2}}}}},
    "types": {"mill": {"environment": "sky", "states": {"idle": 0.1, "turning": 0.6, "blind": 0.3, "racing": 0.97},
                       "influence": {"calm": "idle", "rain": "turning", "fog": "blind", "storm": "racing"}}},
    "invariant": {"threshold": 0.25},
}
# Up to eight agents in a partition at the beginning, and hundreds of agents: numbers of partitions on both sides of 100.
CROWD = {
    "corridor_model": 1,
    "parameters": [{"agents": [150, 400], "most": [3, 8], "states": [3, 6]}],
    "agents": "agents",
    "structure": {"size_min": 1, "size_max": "most"},
    "groups": {"law": "by_size"},
    "environments": {"weather": {"random": {"states": "states"}}},
    "types": {"plant": {"level": [0.2, 1.0]}},
    "invariant": {"threshold": {"alarm_rate": 0.3, "pilot_cases": 50}},
}
# A few dozen agents: numbers on both sides of 5.
FEW = {**CROWD, "parameters": [{"agents": [8, 30], "most": [4, 8], "states": [3, 6]}], "idle_ratio": 0.3}

PLANTED = {"algorithm": str(MODULES / "planted.so")}
PLANTED_FIRST = {"algorithm": str(MODULES / "planted_first.so")}
SPADA_F1 = {"algorithm": "spada", "fault": "f1", "parameters": {"budget": 300}}
SPADA_F2 = {"algorithm": "spada", "fault": "f2", "parameters": {"budget": 300}}


class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def corridor(self, *arguments, code=0, locale="C"):
        # Tests change the content of files; and what a module fails is not asked again, in a process for each failure.
        more = {"tree": ["--unsealed"], "run": ["--isolate", "never"]}.get(arguments[0], [])
        done = subprocess.run([CORRIDOR, *map(str, arguments), *more], cwd=self.folder, text=True, capture_output=True,
                              env={**os.environ, "LC_ALL": locale})
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        return done

    def experiment(self, model, arm, name="causes.json", **changes):
        content = {"corridor_experiment": 1, "name": "causes", "seed": "0xc0de", "suites": 6, "sequences": 2, "cases": [30, 60],
                   "model": model, "arms": [{"name": "A", **arm}], **changes}
        (self.folder / name).write_text(json.dumps(content))
        return name

    def run_campaign(self, model, arm, output="causes.h5", **changes):
        self.corridor("run", self.experiment(model, arm, **changes), "-o", output, "--progress", "none")
        return self.folder / output

    def sheets(self, *options, path="causes.h5"):
        """The sheets of the JSON document: id -> rows, or the row of a record."""
        document = json.loads(self.corridor("tree", path, "--json", *options).stdout)
        self.assertEqual((document["schema"], document["version"]), ("corridor-tree", 2))
        return {name: sheet["row"] if "row" in sheet else sheet["rows"] for name, sheet in document["sheets"].items()}

    def ranking(self, *options, **place):
        sheets = self.sheets(*options, **place)
        return {**sheets["ranking"], "causes": sheets.get("causes", []), "symptoms": sheets.get("symptoms", [])}

    def tree(self, *options, **place):
        """The tree with what its nodes have; None if nothing failed."""
        sheets = self.sheets(*options, **place)
        if not sheets["tree"]:
            return None
        nodes = [{**node, "ending": [s["sequence"] for s in sheets["sequences"] if s["ends_in"] == node["node"]],
                  "differences": self.differences(sheets, node["node"])} for node in sheets["nodes"]]
        return {**sheets["tree"], "by": sheets["tree"]["by"].split(","), "chains": [c["chain"] for c in sheets["chains"]],
                "sequences": sheets["sequences"], "nodes": nodes}

    def differences(self, sheets, node):
        """What tells failing from passing behind a node, with the values of both."""
        found = {}
        for row in sheets["differences"]:
            if row["node"] == node:
                one = found.setdefault((row["what"], row["chain"]), {"what": row["what"], "chain": row["chain"], "failing": [], "passing": []})
                one[row["verdicts"]].append(row["value"])
        return list(found.values())
