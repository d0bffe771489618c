#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""replay: suites of result files executed again from what stands in the file, and every difference named. Tests of models: test_efsm_systems.py."""
import json
import os
import shutil
import unittest

import e2e
from e2e import PSOPP, SOURCE, SPADA

try:
    import h5py
except ImportError:
    h5py = None


class Replay(e2e.Case):
    def replay(self, *arguments, code=0):
        done = self.corridor("replay", *arguments, "--json", code=code)
        self.said = done.stderr
        return json.loads(done.stdout)

    def test_a_campaign_comes_out_as_in_its_file_wherever_that_lies(self):
        """Branching, solutions, mail out of order: all that is written, with no other file."""
        arms = [SPADA, PSOPP, {**SPADA, "name": "M", "mail": {"mode": "shuffled"}}]
        self.run_into("out.h5", self.experiment(arms=arms, branching={"continuations": 1}), "--log-solutions")
        os.mkdir(self.folder / "elsewhere")
        shutil.move(self.folder / "out.h5", self.folder / "elsewhere/out.h5")
        (self.folder / "small.json").unlink()
        found = self.replay("elsewhere/out.h5")
        self.assertEqual((found["equal"], found["suites"], found["different"]), (True, 9, 0))
        rows = found["sheets"]["suites"]["rows"]
        self.assertEqual([(row["arm"], row["suite"]) for row in rows], [(arm, i) for arm in ("S", "P", "M") for i in range(3)])
        self.assertEqual(self.said, "")
        one = self.replay("elsewhere/out.h5", "--failure", "P/2")
        self.assertEqual([(row["arm"], row["suite"]) for row in one["sheets"]["suites"]["rows"]], [("P", 2)])

    def test_agents_come_out_as_in_their_file(self):
        self.corridor("units", "test", SOURCE / "experiments/agents/stock_manager.json", "-o", "a.h5")
        found = self.replay("a.h5")
        self.assertTrue(found["equal"])
        self.assertGreater(found["suites"], 5)

    @unittest.skipUnless(h5py, "h5py is not installed")
    def test_the_first_difference_is_named(self):
        self.run_into("out.h5", self.experiment())
        with h5py.File(self.folder / "out.h5", "r+") as file:
            arm, suite, sequence = (file["reorganizations"][key][()] for key in ("arm", "suite", "sequence"))
            row = [i for i in range(len(arm)) if (arm[i], suite[i]) == (1, 2)][1]
            file["reorganizations"]["gray"][row] += 1
            states = file["cases"]["dissimilarity"]
            third = [i for i in range(len(states)) if (file["cases"]["arm"][i], file["cases"]["suite"][i]) == (0, 1)][2]
            states[third] += 1
        found = self.replay("out.h5", "--unsealed", code=1)
        self.assertEqual((found["equal"], found["suites"], found["different"]), (False, 6, 2))
        first, second = found["sheets"]["differences"]["rows"]
        self.assertEqual([first[key] for key in ("arm", "suite", "table", "row", "column")], ["S", 1, "cases", 3, "dissimilarity"])
        self.assertAlmostEqual(float(first["stored"]), float(first["now"]) + 1, 5)
        self.assertEqual([second[key] for key in ("arm", "suite", "table", "row", "column")], ["P", 2, "reorganizations", 2, "gray"])
        self.assertEqual([row["equal"] for row in found["sheets"]["suites"]["rows"]], [True, False, True, True, True, False])

    @unittest.skipUnless(h5py, "h5py is not installed")
    def test_another_build_is_said_first(self):
        self.run_into("out.h5", self.experiment(suites=1))
        with h5py.File(self.folder / "out.h5", "r+") as file:
            text = file["provenance"][()].decode().replace('"corridor": "', '"corridor": "0.0.', 1)
            del file["provenance"]
            file["provenance"] = text
        done = self.corridor("replay", "out.h5", "--unsealed")
        self.assertIn('was made by something else: "corridor" was "0.0.', done.stderr)

    def test_what_the_file_does_not_have_is_said(self):
        self.corridor("plan", self.experiment(suites=1), "--suites", "-o", "suites")
        self.run_into("read.h5", "suites")
        self.assertIn("has suites that were read from a folder, and not the folder", self.corridor("replay", "read.h5", code=3).stderr)
        shutil.copy(e2e.MODULES / "works.so", self.folder)
        module = {"name": "W", "algorithm": "./works.so", "parameters": {"agents": [2, 40], "budget": 50}}
        self.run_into("module.h5", self.experiment(arms=[module], suites=2))
        self.assertTrue(self.replay("module.h5")["equal"])
        (self.folder / "works.so").unlink()
        self.assertIn("./works.so", self.corridor("replay", "module.h5", code=3).stderr)
        for key, said in (("W", '"W" is no ARM/SUITE'), ("W/9", 'there is no suite 9 of "W" in the file'), ("V/0", 'there is no arm "V"')):
            self.assertIn(said, self.corridor("replay", "module.h5", "--failure", key, code=3).stderr)


if __name__ == "__main__":
    e2e.main()
