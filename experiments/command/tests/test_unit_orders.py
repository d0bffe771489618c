#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`units order` and `units cases` as scripts and readers see them: the paper's figures and tables, long chains, misuse."""
import csv
import json
import resource
import sys
import unittest

import e2e
from e2e import SOURCE

AGENTS = SOURCE / "experiments/library/agents"


def small_stack():
    """A path of 100,000 plans does not fit into it, were there recursion."""
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 18, 1 << 18))


class Orders(e2e.Case):
    def order(self, path, *options, **others):
        return json.loads(self.corridor("agent", "order", path, "--json", *options, **others).stdout)

    def names(self, path, **others):
        return [row["unit"] for row in self.order(path, **others)["order"]]

    def steps(self, path, **others):
        rows = self.order(path, "--paper", **others)["steps"]
        return [[row["unit"] for row in rows if row["step"] == step] for step in (1, 2, 3, 4)]

    def test_the_figures_of_the_paper(self):
        expect = json.loads((AGENTS / "fig4.json").read_text())["expect"]
        self.assertEqual(self.steps(AGENTS / "fig4.json"), [expect["step1"], expect["step2"], expect["step3"], expect["final"]])
        expect = json.loads((AGENTS / "fig2.json").read_text())["expect"]
        self.assertEqual(self.names(AGENTS / "fig2.json"), expect["final_scc"])
        text = self.corridor("agent", "order", AGENTS / "fig4.json", "--paper").stdout
        for unit in expect["final_scc"]:
            self.assertIn(unit.split("(")[0], text)

    def test_it_says_why(self):
        why = {row["unit"]: (row["depth"], row["depends_on"]) for row in self.order(AGENTS / "fig4.json")["order"]}
        self.assertEqual(why["CT(P1,P2,P3,P6)"], (2, "PT(P5), ET(e4)"))
        self.assertEqual(why["ET(e4)"][1], "PT(P41), PT(P42)")

    def test_what_nothing_reaches_is_listed(self):
        design = json.loads((AGENTS / "fig4.json").read_text())
        design["entry"] = ["e6"]
        (self.folder / "d.json").write_text(json.dumps(design))
        said = self.order("d.json")
        self.assertEqual([(row["kind"], row["name"]) for row in said["unreached"]],
                         [("plan", "P0"), ("plan", "P7"), ("event", "e0"), ("event", "e7")])
        self.assertNotIn("PT(P0)", [row["unit"] for row in said["order"]])
        text = self.corridor("agent", "order", "d.json").stdout
        self.assertIn("Reached by nothing", text)
        self.assertIn('p0 [shape=box, style=dashed', self.corridor("agent", "order", "d.json", "--dot").stdout)

    def test_csv_and_json_agree(self):
        rows = list(csv.DictReader(self.corridor("agent", "order", AGENTS / "stock_manager.json", "--csv").stdout.splitlines()))
        said = self.order(AGENTS / "stock_manager.json")["order"]
        self.assertEqual([(row["unit"], int(row["depth"]), row["depends_on"]) for row in rows],
                         [(row["unit"], row["depth"], row["depends_on"]) for row in said])

    def test_a_chain_of_many_plans_needs_no_stack(self):
        count = 100000 if e2e.IN_FULL else 20000
        design = {"format": "agent-unit/1", "agent": "Chain", "entry": ["e0"],
                  "events": [{"name": f"e{i}", "kind": "internal"} for i in range(count + 1)],
                  "plans": [{"name": f"P{i}", "trigger": f"e{i}", "posts": [f"e{i + 1}"]} for i in range(count)]}
        (self.folder / "chain.json").write_text(json.dumps(design))
        backwards = [f"PT(P{i})" for i in reversed(range(count))]
        self.assertEqual(self.names("chain.json", preexec_fn=small_stack), backwards)
        self.assertEqual(self.steps("chain.json", preexec_fn=small_stack)[3], backwards)
        design["plans"][-1]["posts"] = ["e0"]
        (self.folder / "ring.json").write_text(json.dumps(design))
        self.assertEqual(self.names("ring.json", preexec_fn=small_stack),
                         [f"CT({','.join(f'P{i}' for i in range(count))})"])

    def test_everybody_posting_to_everybody(self):
        count = 20000
        design = {"format": "agent-unit/1", "agent": "Crowd", "entry": ["e"], "events": [{"name": "e", "kind": "internal"}],
                  "plans": [{"name": f"P{i}", "trigger": "e", "posts": ["e"]} for i in range(count)]}
        (self.folder / "crowd.json").write_text(json.dumps(design))
        self.assertEqual([unit[:6] for unit in self.names("crowd.json")], ["CT(P0,", "ET(e)"])
        self.assertIn("step 1 of the paper's order lists more than", self.corridor("agent", "order", "crowd.json", "--paper", code=3).stderr)


class Cases(e2e.Case):
    def cases(self, path, *options):
        said = json.loads(self.corridor("agent", "cases", path, "--json", *options).stdout)
        return {unit["unit"]: unit for unit in said["units"]}

    def test_a_condition_may_list_what_a_value_may_be(self):
        """The paper's own supplier: == "Amazon", == "Powells"."""
        design = json.loads((AGENTS / "paper_table1.json").read_text())
        del design["events"][0]["params"][0]["valid"]
        for valid in (["== 'Amazon'", "== 'Powells'"], ["one of 'Amazon', 'Powells'"], ["one of Amazon, Powells"]):
            design["events"][0]["params"][3]["valid"] = valid
            (self.folder / "d.json").write_text(json.dumps(design))
            unit = json.loads(self.corridor("agent", "cases", "d.json", "--json").stdout)["units"][0]
            self.assertEqual({c["sample"]: c["valid"] for c in unit["classes"] if c["variable"] == "supplier"},
                             {"Amazon": True, "Angus&Robertson": False, "Powells": True, "Dymocks": False})
        for valid, numbers in ((["one of 3, 5"], {3, 5}), (["= 3", "= 5", "> 3"], {5})):
            design["events"][0]["params"][0]["valid"] = valid
            (self.folder / "d.json").write_text(json.dumps(design))
            unit = json.loads(self.corridor("agent", "cases", "d.json", "--json").stdout)["units"][0]
            self.assertEqual({c["sample"] for c in unit["classes"] if c["variable"] == "stock" and c["valid"]}, numbers)
        design["events"][0]["params"][0]["valid"] = ["one of 3, five"]
        (self.folder / "d.json").write_text(json.dumps(design))
        self.assertIn("/events/0/params/0/valid/0", self.corridor("agent", "cases", "d.json", code=3).stderr)

    def test_the_tables_of_the_paper(self):
        table1 = self.cases(AGENTS / "paper_table1.json")["PT(Look_up)"]
        self.assertEqual((table1["combinations"], table1["cases"]), (120, 120))
        self.assertEqual([(c["domain"], c["valid"]) for c in table1["classes"] if c["variable"] == "stock"],
                         [("(-inf, 0)", False), ("0", True), ("(0, 200)", True), ("200", True), ("(200, +inf)", False)])
        samples = {(c["variable"], c["domain"]): c["sample"] for c in table1["classes"]}
        self.assertTrue(samples["stock", "(-inf, 0)"] < 0 < samples["stock", "(0, 200)"] < 200 < samples["stock", "(200, +inf)"])
        self.assertIsInstance(samples["price", "0.0"], float)
        self.assertIsNone(samples["bookName", "null"])
        self.assertIsInstance(samples["bookName", "not null"], str)
        table4 = self.cases(AGENTS / "paper_table3.json", "--rows", 100)["PT(Out_of_stock_response)"]
        self.assertEqual((table4["combinations"], table4["valid"], len(table4["rows"])), (18, 4, 18))
        self.assertEqual(sum(row["valid"] for row in table4["rows"]), 4)
        reduced = ("--policy", "t-wise", "--strength", 2)
        self.assertEqual(self.cases(AGENTS / "paper_table1.json", *reduced)["PT(Look_up)"]["cases"], 20)
        self.assertEqual(self.cases(AGENTS / "paper_table3.json", *reduced)["PT(Out_of_stock_response)"]["cases"], 9)

    def test_the_counts_of_the_stock_manager(self):
        with open(AGENTS / "stock_manager_counts.csv", encoding="utf-8") as file:
            expected = [tuple(row.values()) for row in csv.DictReader(file, delimiter=";")]
        lines = self.corridor("agent", "cases", AGENTS / "stock_manager.json", "--csv").stdout.splitlines()
        self.assertEqual([tuple(row.values())[:4] for row in csv.DictReader(lines)], expected)

    def test_rows_are_valid_apart_from_applicable(self):
        unit = "PT(Supply_from_stock)"
        rows = self.cases(AGENTS / "stock_manager.json", "--unit", unit, "--rows", 1000)[unit]["rows"]
        for row in rows:
            args, level = row["args"], row["beliefs"]["stock.Level"]
            self.assertEqual(row["valid"], args["BookID"] >= 0 and args["NumberOrdered"] > 0)
            self.assertEqual(row["applicable"], row["valid"] and level >= args["NumberOrdered"])
        self.assertEqual({(row["valid"], row["applicable"]) for row in rows}, {(True, True), (True, False), (False, False)})

    def test_every_sheet_is_csv_too(self):
        design = AGENTS / "paper_table3.json"
        rows = {sheet: list(csv.DictReader(self.corridor("agent", "cases", design, "--rows", 9, "--sheet", sheet).stdout.splitlines()))
                for sheet in ("units", "classes", "cases")}
        self.assertEqual([len(found) for found in rows.values()], [1, 8, 9])
        self.assertEqual(rows["cases"][0]["values"][:9], "BookID = ")
        self.assertIn('did you mean "classes"?', self.corridor("agent", "cases", design, "--sheet", "class", code=3).stderr)
        steps = self.corridor("agent", "order", AGENTS / "fig4.json", "--paper", "--sheet", "steps").stdout.splitlines()
        self.assertEqual(len(steps), 1 + 12 + 8 + 8 + 7)

    def test_the_same_seed_gives_the_same_cases(self):
        said = [self.corridor("agent", "cases", AGENTS / "stock_manager.json", "--rows", 50, "--seed", seed).stdout for seed in (5, 5, 6)]
        self.assertEqual(said[0], said[1])
        self.assertNotEqual(said[0], said[2])

    def test_a_billion_in_full_is_refused(self):
        design = {"format": "agent-unit/1", "agent": "Wide", "types": {"D": list("abcdefghij")}, "entry": ["e"],
                  "events": [{"name": "e", "kind": "percept", "params": [{"name": f"p{i}", "type": "D"} for i in range(9)]}],
                  "plans": [{"name": "P", "trigger": "e"}]}
        (self.folder / "wide.json").write_text(json.dumps(design))
        done = self.corridor("agent", "cases", "wide.json", "--policy", "all", code=3)
        self.assertIn("PT(P): 1000000000 combinations in full, more than 100000000", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertLess(self.cases("wide.json")["PT(P)"]["cases"], 200)

    def test_misuse(self):
        design = AGENTS / "fig2.json"
        self.assertIn("needs one design", self.corridor("agent", "cases", code=2).stderr)
        self.assertIn("exclude each other", self.corridor("agent", "order", design, "--json", "--dot", code=2).stderr)
        self.assertIn('did you mean "t-wise"?', self.corridor("agent", "cases", design, "--policy", "twise", code=2).stderr)
        self.assertIn("--strength takes", self.corridor("agent", "cases", design, "--strength", 7, code=2).stderr)
        self.assertIn('did you mean "ET(e1)"?', self.corridor("agent", "cases", design, "--unit", "ET(e2)", code=3).stderr)
        self.assertIn("cannot open", self.corridor("agent", "order", "nowhere.json", code=4).stderr)


if __name__ == "__main__":
    e2e.main()
