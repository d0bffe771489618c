#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_causes.py CORRIDOR SOURCE_DIRECTORY MODULES: campaigns whose failures have a known cause; it must be ranked first.

SPADA-F1 strikes where there are more than 100 partitions, SPADA-F2 where there are fewer than 5 (paper 003, 5.2). Two modules
forget an agent where some agent, or agent 0, is in a storm."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CORRIDOR, SOURCE, MODULES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
del sys.argv[1:]

# Values follow the weather at once; only storm reaches 0.95.
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
# Up to six agents in a partition at the beginning, and hundreds of agents: numbers of partitions on both sides of 100.
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
FEW = {**CROWD, "parameters": [{"agents": [8, 30], "most": [4, 8], "states": [3, 6]}], "idle_ratio": 0.3}


class Causes(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_campaign(self, model, arm, **changes):
        experiment = {"corridor_experiment": 1, "name": "causes", "seed": "0xc0de", "suites": 6, "sequences": 2, "cases": [30, 60],
                      "model": model, "arms": [{"name": "A", **arm}], **changes}
        (self.folder / "causes.json").write_text(json.dumps(experiment))
        subprocess.run([CORRIDOR, "run", "causes.json", "-o", "causes.h5", "--progress", "none"], cwd=self.folder, check=True,
                       capture_output=True)

    def ranking(self, *options):
        done = subprocess.run([CORRIDOR, "tree", "causes.h5", "--json", *options], cwd=self.folder, check=True, text=True,
                              capture_output=True)
        return json.loads(done.stdout)["ranking"]

    def first(self, ranking, feature, comparison):
        """That feature, which is first, and no other is."""
        found = [f for f in ranking["causes"] if f["feature"] == feature and f["comparison"] == comparison]
        self.assertEqual(len(found), 1, f"{feature} is not ranked at all")
        above = [(f["feature"], f["comparison"], f["bound"]) for f in ranking["causes"] if f["rank_best"] <= found[0]["rank_best"]]
        self.assertEqual((found[0]["rank_best"], found[0]["rank_worst"]), (1, 1), above)
        return found[0]

    def enough(self, ranking):
        """The campaign has something to tell apart."""
        self.assertGreater(ranking["failing"], 10)
        self.assertGreater(ranking["passing"], 10)

    def test_spada_f1(self):
        self.run_campaign(CROWD, {"algorithm": "spada", "fault": "f1", "parameters": {"budget": 300}})
        for score in ("ochiai", "tarantula", "dstar"):
            ranking = self.ranking("--score", score)
            self.enough(ranking)
            if score != "tarantula":
                cause = self.first(ranking, "partitions_before", ">=")
                self.assertTrue(cause["next"] <= 100 < cause["bound"], cause)
                self.assertEqual((cause["failing_without"], cause["passing_with"]), (0, 0))
            else:
                # Tarantula does not ask how many failing ones have it: whatever no passing one has is as good.
                self.assertEqual(ranking["causes"][0]["tarantula"], 1)

    def test_spada_f2(self):
        self.run_campaign(FEW, {"algorithm": "spada", "fault": "f2", "parameters": {"budget": 300}}, suites=30)
        ranking = self.ranking()
        self.enough(ranking)
        cause = self.first(ranking, "partitions_before", "<=")
        self.assertEqual((cause["bound"], cause["next"]), (4, 5))

    def test_spada_f2_by_sequences(self):
        self.run_campaign(FEW, {"algorithm": "spada", "fault": "f2", "parameters": {"budget": 300}}, suites=30)
        ranking = self.ranking("--unit", "sequences")
        self.enough(ranking)
        cause = self.first(ranking, "partitions_before", "<=")
        self.assertEqual((cause["bound"], cause["once"]), (4, True))

    def test_planted_in_the_environment(self):
        self.run_campaign(WEATHER, {"algorithm": str(MODULES / "planted.so")})
        ranking = self.ranking()
        self.enough(ranking)
        cause = self.first(ranking, "chains of sky in storm", ">=")
        self.assertEqual((cause["bound"], cause["next"]), (1, 0))

    def test_planted_in_one_chain(self):
        self.run_campaign(WEATHER, {"algorithm": str(MODULES / "planted_first.so")}, cases=[400, 400])
        ranking = self.ranking("--suite", "2")
        self.assertGreater(ranking["failing"], 5)
        self.first(ranking, "chain 0 (sky) in storm", "present")


unittest.main()
