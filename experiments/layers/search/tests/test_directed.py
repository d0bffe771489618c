#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Directed generation in a small world: what is said of regions against the raw rows, and regions as arms."""
import csv
import fractions
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

CORRIDOR = sys.argv.pop(1)
SMALL = {
    "corridor_experiment": 1, "name": "small", "seed": 11, "suites": 150, "sequences": 1, "cases": [10, 20],
    "model": {"corridor_model": 1,
              "parameters": [{"agents": [4, 60]}, {"s_min <= s_max": [2, "agents"], "n_min <= n_max": [1, "agents / 2"]}],
              "constraints": ["n_min * s_min <= agents", "n_max * s_max >= agents", "ceil_div(agents, s_max) <= agents / s_min"],
              "fallback": [{"k": [1, "agents / 2"]},
                           {"s_min": [2, "agents / k"], "s_max": ["ceil_div(agents, k)", "agents"], "n_min": [1, "k"], "n_max": ["k", "agents / 2"]}],
              "agents": "agents", "structure": {"size_min": "s_min", "size_max": "s_max", "count_min": "n_min", "count_max": "n_max"},
              "environments": {"weather": {"random": {"states": 4}}}, "types": {"agent": {"level": [0.2, 1.0]}},
              "invariant": {"threshold": 0.2}},
    "arms": [{"name": "F2", "algorithm": "psopp", "fault": "f2", "parameters": {"budget": 300}, "constraints": ["agents >= 5"]},
             {"name": "F5", "algorithm": "psopp", "fault": "f5", "parameters": {"particles": [1, 4], "budget": 300}},
             {"name": "sound", "algorithm": "psopp", "parameters": {"budget": 300}},
             {"name": "combined", "algorithm": "psopp", "fault": "f2", "parameters": {"particles": [1, 4]},
              "configurations": {"combine": 1, "classes": {"particles": 2}}}]}


def corridor(*arguments, code=0):
    done = subprocess.run([CORRIDOR, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def chance(inside, struck, outside, also_struck):
    """Fisher's exact test, in fractions."""
    rows, total = inside + outside, struck + also_struck
    ways = sum(math.comb(inside, k) * math.comb(outside, total - k) for k in range(struck, min(inside, total) + 1) if total - k <= outside)
    return fractions.Fraction(ways, math.comb(rows, total))


def holds(constraint, parameters):
    """A constraint as Python reads it: division of integers rounds down, comparisons chain."""
    names = {**parameters, "ceil_div": lambda a, b: -(-a // b), "min": min, "max": max, "abs": abs}
    return eval(constraint.replace(" / ", " // "), {"__builtins__": {}}, names)


def rows(file, table):
    columns = {name: data[:] for name, data in file[table].items()}
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


class Directed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.experiment = cls.folder / "small.json"
        cls.experiment.write_text(json.dumps(SMALL))
        cls.result = cls.folder / "search.h5"
        corridor("search", cls.experiment, "--arm", "F2", "--generator", "directed", "--budget", 4000, "--islands", 3, "--jobs", 1, "-o", cls.result)
        cls.file = h5py.File(cls.result)
        cls.regions = list(csv.DictReader(io.StringIO(corridor("show", cls.result, "searches", "--csv", "--sheet", "regions"))))

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.kept.cleanup()

    def test_workers_change_nothing(self):
        other = self.folder / "three.h5"
        corridor("search", self.experiment, "--arm", "F2", "--generator", "directed", "--budget", 4000, "--islands", 3, "--jobs", 3, "-o", other)
        self.assertEqual(corridor("show", self.result, "searches", "--hash"), corridor("show", other, "searches", "--hash"))

    def test_shares_are_counted_on_suites_drawn_after_the_region_was_learned(self):
        words = ["nothing", "reached", "held", "activated"]
        fresh = int(next(code for code, word in enumerate(self.mutations()) if word == "fresh"))
        region = int(next(code for code, word in enumerate(self.mutations()) if word == "region"))
        tests = rows(self.file, "tests")
        regions = rows(self.file, "regions")
        self.assertEqual(len(regions), len(self.regions))
        grade = lambda t: 3 if t["activated"] else 2 if t["held"] else 1 if t["reached"] else 0
        for i, (row, said) in enumerate(zip(regions, self.regions)):
            mine = [t for t in tests if t["suite"] == row["suite"]]
            until = regions[i + 1]["cases"] if i + 1 < len(regions) and regions[i + 1]["suite"] == row["suite"] else 2**63
            inside = [grade(t) >= row["target"] for t in mine if t["mutation"] == region and row["cases"] < t["total"] <= until]
            law = [grade(t) >= row["target"] for t in mine if t["mutation"] == fresh]
            self.assertEqual((row["fresh"], row["fresh_hits"]), (len(inside), sum(inside)))
            self.assertEqual((row["law"], row["law_hits"]), (len(law), sum(law)))
            self.assertEqual(len(mine), sum(t["mutation"] in (fresh, region) for t in mine))
            self.assertEqual(said["target"], words[row["target"]])
            self.assertAlmostEqual(row["chance"], float(chance(len(inside), sum(inside), len(law), sum(law))) if inside else 1, delta=1e-9)
            self.assertEqual(row["suites"], sum(t["total"] <= row["cases"] for t in mine))
            self.assertEqual(row["hits"], sum(grade(t) >= row["target"] for t in mine if t["total"] <= row["cases"]))

    def mutations(self):
        attributes = self.file["tests/mutation"].attrs
        words = attributes["flag_meanings"]
        words = (words.decode() if isinstance(words, bytes) else words).split()
        return ["", *words] if attributes["flag_values"][0] == 1 else words

    def test_the_settled_region_is_struck_more_often_than_by_the_law(self):
        settled = [r for r in self.regions if r["settled"] == "true"]
        self.assertEqual([r["island"] for r in settled], ["0", "1", "2"])
        for r in settled:
            self.assertLess(float(r["chance"]), 0.01)
            self.assertGreater(float(r["fresh"]), 2 * float(r["law"]))

    def test_regions_come_back_as_arms_of_which_every_suite_is_within(self):
        experiment = json.loads(corridor("show", self.result, "searches", "--regions"))
        arms = {arm["name"]: arm for arm in experiment["arms"]}
        self.assertEqual(list(arms), ["F2", "F5", "sound", "combined", "F2-region-0", "F2-region-1", "F2-region-2"])
        experiment["arms"] = [arms["F2"], arms["F2-region-0"], arms["F2-region-1"]]
        path, result = self.folder / "regions.json", self.folder / "regions.h5"
        path.write_text(json.dumps(experiment))
        corridor("run", path, "-o", result, "--progress", "none")
        with h5py.File(result) as file:
            names = [name.decode() for name in file["catalog/parameter/name"][:]]
            suites = {}
            for row in rows(file, "parameters"):
                suites.setdefault((row["arm"], row["suite"]), {})[names[row["parameter"]]] = int(row["value"])
            struck = {(row["arm"], row["suite"]) for row in rows(file, "reorganizations") if row["fault_activated"]}
        for arm in (1, 2):
            constraints = experiment["arms"][arm]["constraints"]
            self.assertEqual(constraints[0], "agents >= 5")
            self.assertGreater(len(constraints), 1)
            for (of, suite), parameters in suites.items():
                if of == arm:
                    self.assertTrue(all(holds(c, parameters) for c in constraints), (suite, parameters))
            counts = [sum((of, s) in struck for s in range(150)) for of in (arm, 0)]
            self.assertLess(chance(150, counts[0], 150, counts[1]), 1e-6, counts)

    def test_regions_of_several_searches_of_one_arm_have_names_of_their_own(self):
        """Two searches settle on regions of an arm; and arms of the experiment are called as regions would be."""
        world = {**SMALL, "arms": [SMALL["arms"][0], {**SMALL["arms"][2], "name": "F2-region-other"}, {**SMALL["arms"][2], "name": "F2-region-other-2"}]}
        path, result, regions = (self.folder / name for name in ("twice.json", "twice.h5", "twice-regions.json"))
        path.write_text(json.dumps({"corridor_search": 1, "budget": 4000, "experiment": world, "generators": [
            {"generator": "directed", "arm": "F2"}, {"name": "other", "generator": "directed", "arm": "F2", "seam": "f2"}]}))
        corridor("search", path, "-o", result)
        regions.write_text(corridor("show", result, "searches", "--regions"))
        names = [arm["name"] for arm in json.loads(regions.read_text())["arms"]]
        self.assertEqual(names, ["F2", "F2-region-other", "F2-region-other-2", "F2-region-directed", "F2-region-other-3"])
        corridor("plan", regions)

    def test_a_seam_may_be_a_bucket_of_a_probe(self):
        found = json.loads(corridor("search", self.experiment, "--arm", "F5", "--generator", "directed", "--seam", "random_join[2]",
                                    "--budget", 2500, "--json"))
        self.assertIn("cases", found)
        result = self.folder / "probe.h5"
        corridor("search", self.experiment, "--arm", "sound", "--generator", "directed", "--seam", "random_split[2]", "--budget", 2500, "-o", result)
        said = list(csv.DictReader(io.StringIO(corridor("show", result, "searches", "--csv", "--sheet", "regions"))))
        self.assertTrue(said and all(r["target"] == "activated" for r in said))

    def test_where_nothing_is_to_be_learned_that_is_said(self):
        """A bucket that no suite counts, and a budget that is used up before anything is learned."""
        result = self.folder / "none.h5"
        for seam, budget in (("random_exchange[6]", 3000), ("improved[1]", 300)):
            text = corridor("search", self.experiment, "--arm", "sound", "--generator", "directed", "--seam", seam, "--budget", budget, "-o", result, "--force")
            self.assertIn("no region was found in which the seam is provoked more often than by chance", " ".join(text.split()))
            self.assertIn("no search of the file has settled on a region", corridor("show", result, "searches", "--regions", code=3))

    def test_what_does_not_depend_on_parameters_has_no_region(self):
        """Fixed limits, and two parameters that mean nothing: whether a suite is struck is chance."""
        blind = json.loads(json.dumps(SMALL))
        blind["model"].update({"parameters": [{"a": [1, 20], "b": [1, 20]}], "agents": 20, "constraints": [],
                               "structure": {"size_min": 2, "size_max": 4, "count_min": 5, "count_max": 10}})
        del blind["model"]["fallback"]
        blind["arms"] = [{"name": "F2", "algorithm": "psopp", "fault": "f2", "parameters": {"budget": 150}}]
        path, result = self.folder / "blind.json", self.folder / "blind.h5"
        path.write_text(json.dumps(blind))
        corridor("search", path, "--generator", "directed", "--budget", 3000, "--islands", 4, "-o", result)
        with h5py.File(result) as file:
            tests, regions = rows(file, "tests"), rows(file, "regions")
        share = sum(t["reached"] > 0 for t in tests) / len(tests)
        self.assertTrue(0.05 < share < 0.95, share)
        self.assertTrue(regions and not any(r["settled"] for r in regions), (share, regions))

    def steered(self, traps):
        """The small world under a sky of its own, with an arm that is steered to traps, or not."""
        world = json.loads(json.dumps(SMALL))
        world["model"]["environments"] = {"weather": {"profile": {"states": ["fair", "dull", "wild"], "transitions": {
            "fair": {"fair": 0.8, "dull": 0.2}, "dull": {"fair": 0.5, "dull": 0.45, "wild": 0.05}, "wild": {"dull": 0.9, "wild": 0.1}}}}}
        world["arms"] = [{**SMALL["arms"][2], **({"environment": traps} if traps else {})}]
        path = self.folder / ("steered.json" if traps else "plain.json")
        path.write_text(json.dumps(world))
        return path

    def test_walks_to_a_trap_have_the_weights_of_a_campaign_with_that_trap(self):
        """An arm of a campaign is steered case by case while it is executed; a test of a search is made before."""
        for text, traps in (("weather = 'wild' and before.weather = 'wild'", ["weather = 'wild' and before.weather = 'wild'"]),
                            ("weather = 'wild'; weather = 'fair'; weather = 'wild' and agents > 3",
                             ["weather = 'wild'", "weather = 'fair'", "weather = 'wild' and agents > 3"])):
            campaign, result = self.folder / "campaign.h5", self.folder / "trap.h5"
            corridor("run", self.steered({"profile_share": 0.1, "ordered": len(traps) > 1, "traps": traps}), "-o", campaign, "--force", "--progress", "none")
            corridor("search", self.steered(None), "--generator", "directed", "--seam", "random_split[3]", "--trap", text, "--budget", 2000, "-o", result, "--force")
            with h5py.File(campaign) as file:
                weights = {row["suite"]: (row["weight_mantissa"], row["weight_halvings"]) for row in rows(file, "steered")}
                executed = {row["suite"]: row["executed"] for row in rows(file, "sequences")}
                met = sum(row["case"] > 0 for row in rows(file, "traps")) / len(weights) / len(traps)
            with h5py.File(result) as file:
                tests = [row for row in rows(file, "tests")[:-1] if row["drawn_suite"] in weights and row["mutation"] == 1]
            self.assertGreater(len(tests), 50)
            self.assertGreater(met, 0.5)
            for row in tests:
                self.assertEqual(((row["weight_mantissa"], row["weight_halvings"]), row["cases"]), (weights[row["drawn_suite"]], executed[row["drawn_suite"]]))
        corridor("search", self.steered(None), "--generator", "random", "--budget", 200, "-o", result, "--force")
        with h5py.File(result) as file:
            self.assertFalse(numpy.any(file["tests/weight_mantissa"][:]))

    def test_traps_that_no_walk_can_be_made_for_are_refused(self):
        plain = self.steered(None)
        refused = lambda trap: corridor("search", plain, "--generator", "directed", "--seam", "random_split[3]", "--trap", trap, code=3)
        self.assertIn("a walk is made before the system reacts", refused("weather = 'wild' and alarm"))
        self.assertIn("the trap speaks of no environment", refused("agents > 3"))
        self.assertIn("wlid", refused("weather = 'wlid'"))
        self.assertIn("condition 2 of the trap is empty", refused("weather = 'wild';"))

    def test_what_cannot_be_directed_is_refused(self):
        refused = lambda arm, *more: corridor("search", self.experiment, "--arm", arm, "--generator", "directed", *more, code=3)
        self.assertIn("the arm has no fault: which seam is to be provoked?", refused("sound"))
        self.assertIn('psopp has no seam "f6"', refused("F5", "--seam", "f6"))
        self.assertIn('known: "f5", random_split[0..6]', refused("F5", "--seam", "f6"))
        for seam in ("random_split[7]", "random_split[1", "random_split[-1]", "random_split", "[1]", "random_split[1]x", ""):
            self.assertIn("has no seam", refused("F5", "--seam", seam))
        self.assertIn("says already which configurations it has", refused("combined"))


if __name__ == "__main__":
    unittest.main()
