# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor efsm tables: what can be reproduced of paper 004 is."""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import unittest

CORRIDOR, SOURCE = sys.argv[1:3]
MODELS = SOURCE + "/experiments/library/efsm"


def tables(*arguments):
    return subprocess.run([CORRIDOR, "efsm", "tables", *arguments], capture_output=True, text=True)


def rows(document, sheet):
    return document["sheets"][sheet]["rows"]


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = tables(MODELS, "--runs", "5", "--json")
        assert done.returncode == 0, done.stderr
        cls.document = json.loads(done.stdout)

    def test_lengths_of_chi_rpt_and_of_complete_constraints_are_the_published_ones(self):
        found = [row for row in rows(self.document, "table1")
                 if row["figure"].startswith(("chi-RPT", "complete", "shortest")) and row["reproducible"]]
        self.assertEqual(len(found), 3 * 5)
        for row in found:
            self.assertEqual((row["figure"], row["deviation"]), (row["figure"], 0))

    def test_paths_are_the_published_ones_and_search_is_not_longer(self):
        with open(SOURCE + "/experiments/layers/efsm/data/paper004.csv", encoding="ascii") as file:
            printed = {row["of"]: row["value"] for row in csv.DictReader(file)
                       if row["table"] == "2" and row["figure"] == "path"}
        self.assertEqual(len(printed), 8)
        for row in rows(self.document, "table2"):
            self.assertEqual(row["path"], printed[row["goal"]])
            self.assertTrue(row["same"])
        self.assertEqual([row["search"] for row in rows(self.document, "table2")], [8, 8, 8, 12, 9, 26, 31, 32])

    def test_no_question_is_asked_on_line(self):
        for row in rows(self.document, "questions"):
            self.assertEqual(row["asked_online"], 0)
            self.assertGreater(row["satisfiability"] + row["optimisations"], 0)

    def test_stand_ins_say_what_they_are(self):
        sheet = self.document["sheets"]["table3"]
        self.assertIn("not public", sheet["remarks"][0])
        self.assertEqual(sheet["rows"][0]["length"], 189)
        self.assertEqual({row["note"] for row in sheet["rows"] if row["depth"] == "100" and row["model"] != "billing_depth"},
                         {"not tried: see --deepest"})

    def test_depth_matters_as_table_3_claims_it(self):
        found = {row["depth"]: row["length"] for row in rows(self.document, "table3") if row["model"] == "billing_depth"}
        lengths = [found[depth] for depth in ("2", "10", "50", "100", "complete")]
        optimum = json.loads(subprocess.run([CORRIDOR, "efsm", "plan", MODELS + "/billing_depth.json", "--goal", "trap_t13", "--json"],
                                            capture_output=True, text=True, check=True).stdout)
        self.assertTrue(optimum["proven"])
        self.assertEqual(lengths[-1], optimum["length"])
        self.assertEqual(lengths, sorted(set(lengths), reverse=True))
        self.assertGreater(lengths[0], 4 * optimum["length"])
        self.assertLess(lengths[1], 1.5 * optimum["length"])

    def test_one_stand_in_has_guards_and_a_goal_of_the_papers_size(self):
        model = json.loads(pathlib.Path(MODELS, "billing_wide.json").read_text(encoding="ascii"))
        names = {variable["name"] for variable in model["vars"]}
        read = [sum(word in names for word in re.findall(r"\w+", t["guard"])) for t in model["transitions"]]
        self.assertEqual((len(model["locations"]), len(read), len(names)), (13, 43, 10))
        self.assertAlmostEqual(sum(read) / len(read), 20, delta=0.2)
        self.assertEqual((len(model["goals"][0]["traps"]), model["goals"][0]["ordered"]), (5, True))
        found = {row["depth"]: (row["length"], row["note"]) for row in rows(self.document, "table3") if row["model"] == "billing_wide"}
        self.assertEqual((found["2"], found["10"], found["50"]), ((275, None), (275, None), (None, "not tried: see --deepest")))

    def test_a_folder_without_the_models_is_named(self):
        done = tables("/nowhere")
        self.assertEqual(done.returncode, 4)
        self.assertIn("/nowhere/counter3.json", done.stderr)
        self.assertEqual(tables(MODELS, MODELS).returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
