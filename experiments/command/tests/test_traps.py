#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks steered to traps, end to end: what hardly ever happens is reached in every sequence, weights give its rate back, walks
that were written down repeat all that happened, and no number of workers matters."""
import json
import math
import unittest

import e2e
from e2e import SOURCE

EXPERIMENT = json.loads((SOURCE / "experiments/library/traps.json").read_text())


class Traps(e2e.Case):
    def traps(self, name="traps.json", arms=None, **changes):
        """The example with some of its arms, and changes."""
        content = {**EXPERIMENT, "model": str(SOURCE / "experiments/library/models/weather.json"), **changes}
        content["arms"] = [arm for arm in content["arms"] if not arms or arm["name"] in arms]
        (self.folder / name).write_text(json.dumps(content))
        return name

    def run_it(self, experiment, output, *options):
        self.corridor("run", experiment, "-o", output, "--progress", "none", *options)
        return {key: sheet["rows"] for key, sheet in
                json.loads(self.corridor("show", output, "traps", "--json").stdout)["sheets"].items()}

    def hash(self, output):
        return self.corridor("show", output, "tables", "--hash").stdout

    def test_one_in_a_million_is_reached_in_every_sequence_and_weighted_back(self):
        sheets = self.run_it(self.traps(arms=("rare", "rare-weights"), suites=20), "out.h5")
        chosen, weighted = sheets["traps"]
        self.assertEqual((chosen["sequences"], chosen["covered"], chosen["weighted"]), (800, 800, None))
        condition = EXPERIMENT["arms"][0]["environment"]["traps"][0]
        self.assertEqual(chosen["name"], condition)
        exact = json.loads(self.corridor("profile", "walk", "traps.json", "--to", condition, "--json").stdout)
        exact = exact["sheets"]["reach"]["row"]["probability"]
        self.assertTrue(0.5e-6 < exact < 1.5e-6, exact)
        for row in chosen, weighted:
            self.assertAlmostEqual(row["probability"] / exact, 1, 9)
        self.assertLess(abs(weighted["weighted"] - exact), 3 * weighted["error"])
        self.assertLess(weighted["error"], 0.1 * exact)
        tables = self.corridor("show", "out.h5", "tables").stdout
        self.assertIn("800 sequences of rare are steered to traps: no sample", tables)

    def test_pairs_of_transitions_and_probes_are_covered_sooner_than_by_the_profiles(self):
        sheets = self.run_it(self.traps(arms=("pairs", "pairs-profile"), suites=12, sequences=1, cases=1000, mode="paired"),
                             "out.h5")
        growth = {(row["arm"], row["cases"]): row["covered"] for row in sheets["growth"]}
        self.assertGreater(growth["pairs", 300], 1.2 * growth["pairs-profile", 300])
        self.assertGreater(growth["pairs", 1000], growth["pairs-profile", 1000])

    def test_an_ordered_list_is_covered_in_its_order(self):
        rows = self.run_it(self.traps(arms=("list",), suites=2), "out.h5")["traps"]
        self.assertEqual(rows[0]["covered"], 80)
        self.assertTrue(80 >= rows[1]["covered"] >= rows[2]["covered"])
        self.assertEqual([row["probability"] for row in rows], [None] * 3)

    def test_workers_do_not_matter_and_written_walks_repeat_what_happened(self):
        experiment = self.traps(suites=2, sequences=6)
        self.run_it(experiment, "one.h5", "--jobs", "1")
        self.run_it(experiment, "three.h5", "--jobs", "3")
        self.corridor("plan", experiment, "-o", "folder", "--suites")
        self.run_it("folder", "again.h5")
        self.assertEqual(len({self.hash(name) for name in ("one.h5", "three.h5", "again.h5")}), 1)
        walks = json.loads((self.folder / "folder/suites/rare/0000.json").read_text())["walks"]
        self.assertEqual({len(chain) for walk in walks for chain in walk}, {21})

    def test_a_walk_that_was_edited_is_executed_as_it_is_and_said_to_be(self):
        experiment = self.traps(arms=("rare-weights",), suites=1, sequences=3)
        self.corridor("plan", experiment, "-o", "folder", "--suites")
        path = self.folder / "folder/suites/rare-weights/0000.json"
        suite = json.loads(path.read_text())
        chain = suite["walks"][0][0]
        suite["walks"][0][0] = chain[:10] + ("a" if chain[10] != "a" else "b") + chain[11:]
        path.write_text(json.dumps(suite))
        done = self.corridor("run", "folder", "-o", "out.h5", "--progress", "none")
        self.assertIn("edited by hand", done.stdout + done.stderr)
        self.corridor("show", "out.h5", "traps")

    def test_branches_go_on_from_steered_sequences(self):
        arm = {"name": "failing", "algorithm": "psopp", "fault": "f5", "parameters": {"t1": 1000},
               "environment": {"profile_share": 0.5, "traps": ["radiation = 'dark' and alarm"]}}
        experiment = self.traps(name="b.json", suites=3, sequences=4, cases=60, branching={"continuations": 2, "back": 3})
        content = json.loads((self.folder / experiment).read_text())
        content["arms"] = [arm]
        (self.folder / experiment).write_text(json.dumps(content))
        self.run_it(experiment, "one.h5", "--jobs", "1")
        self.run_it(experiment, "three.h5", "--jobs", "3")
        self.assertEqual(self.hash("one.h5"), self.hash("three.h5"))
        rows = json.loads(self.corridor("show", "one.h5", "traps", "--json").stdout)["sheets"]["arms"]["rows"]
        self.assertEqual(rows[0]["sequences"], 12)
        self.assertTrue(math.isfinite(rows[0]["failed_weighted"]))

    def test_a_file_without_traps_says_so(self):
        self.corridor("run", self.experiment(), "-o", "plain.h5", "--progress", "none")
        self.assertIn("no arm of this file has traps", self.corridor("show", "plain.h5", "traps").stdout)


if __name__ == "__main__":
    e2e.main()
