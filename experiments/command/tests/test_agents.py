#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""units test, units mutate, findings, and campaigns of agents: what is found of agents whose faults are known."""
import copy
import csv
import hashlib
import io
import json
import sys
import xml.etree.ElementTree

import e2e
from e2e import BINARY, SOURCE

AGENTS = SOURCE / "experiments/library/agents"
DESIGN = AGENTS / "stock_manager.json"
FAULTS = AGENTS / "stock_manager_faults.json"
RING = "CT(Choose_preferred_supplier,Place_stock_order,Retry_other_supplier,Choose_alternative_supplier)"

# A design of a few plans, for checks that the Stock Manager has no fault for.
SMALL = {
    "format": "agent-unit/1", "agent": "Small", "entry": ["Go", "Pick"], "types": {"Colour": ["red", "blue"]},
    "beliefs": [{"name": "store", "key": [], "fields": {"N": "int"}, "posts": [{"on": "update", "when": "N < 0", "event": "Low"}]},
                {"name": "paint", "key": [], "fields": {"Shade": "Colour"}, "posts": []}],
    "events": [{"name": "Go", "kind": "percept", "params": [{"name": "x", "type": "int"}]},
               {"name": "Low", "kind": "belief", "params": []},
               {"name": "Pick", "kind": "percept", "params": [{"name": "y", "type": "int", "valid": [">=0"]}],
                "coverage": "always", "overlap": "never"}],
    "messages_out": [{"name": "Done"}], "actions": [{"name": "Wave"}],
    "plans": [{"name": "Keep", "trigger": "Go", "writes": ["store"], "sends": ["Done"],
               "body": [{"if": "x < 0", "then": [{"set": "store.N", "to": "x"}], "else": [{"set": "store.N", "to": "1"}]},
                        {"send": "Done"}]},
              {"name": "Few", "trigger": "Pick", "context": "y <= 3", "writes": ["paint"], "body": [{"set": "paint.Shade", "to": "'blue'"}]},
              {"name": "Many", "trigger": "Pick", "context": "y > 3", "body": []}],
    "test": {"strength": 2, "policy": "all", "seed": 1}}

# Speaks JSON lines as the small design wants; {CHANGE} goes first for each case.
PROGRAM = '''
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    i = asked["id"]
    say = lambda **what: print(json.dumps({"id": i, **what}), flush=True)
    if "hello" in asked:
        say(agent="Small", version="1", handles={"Keep": "Go", "Few": "Pick", "Many": "Pick"})
    elif "bye" in asked:
        sys.exit(0)
    else:
        case = asked["case"]
        value = list(case["args"].values())[0]
        shade = "blue"
        {CHANGE}
        if case["event"] == "Go":
            say(context="Keep", holds=True); say(started="Keep")
            say(wrote="store.N", by="Keep", value=value if value < 0 else 1)
            if value < 0: say(posted="Low", by="Keep", args={})
            say(sent="Done", by="Keep"); say(ended="Keep", ok=True)
        else:
            few = value <= 3
            say(context="Few", holds=few); say(context="Many", holds=not few)
            plan = "Few" if few else "Many"
            say(started=plan)
            if few: say(wrote="paint.Shade", by="Few", value=shade)
            say(ended=plan, ok=True)
        say(finished="quiet")
'''


class Agents(e2e.Case):
    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def arms(self, *arguments):
        return {arm["name"]: arm["findings"] for arm in self.units(*arguments)["arms"]}

    def units(self, *arguments):
        """What a test shows; its exit code follows from the findings of the agent without a fault and from faults that were not found."""
        done = self.corridor("agent", "test", *arguments, "--json", code=None)
        sheets = json.loads(done.stdout)["sheets"]
        names = [row["arm"] for row in sheets["arms"]["rows"]] if "arms" in sheets else ["none"]
        rows = [dict(row, about=row["about"] or "") for row in sheets["findings"]["rows"]]
        found = {"arms": [{"name": name, "findings": [row for row in rows if row["arm"] == name]} for name in names]}
        failed = any({"error", "warning"} & {f["severity"] for f in arm["findings"]} if arm["name"] == "none" else not arm["findings"]
                     for arm in found["arms"])
        found["design"] = sheets["design"]["rows"] if "design" in sheets else []
        failed = failed or any(row["severity"] != "note" for row in found["design"])
        undecided = any(f["check"] == "not_built" and f["unit"] == f"PT({f['about']})" for arm in found["arms"] for f in arm["findings"])
        self.assertEqual(done.returncode, 1 if failed else 7 if undecided else 0)
        return found

    def program(self, change="pass"):
        path = self.write("agent.py", PROGRAM.replace("{CHANGE}", change))
        return e2e.shell(sys.executable, "-I", "-S", path)

    def found(self, findings, roots=True):
        return {(f["check"], f["unit"], f["about"]) for f in findings if not roots or f["cause"] == "root"}


class Faults(Agents):
    def test_each_fault_is_found_as_listed_and_nothing_else_is_a_root(self):
        listed = {fault["name"]: fault["must"] for fault in json.loads(FAULTS.read_text())["faults"]}
        document = self.units(DESIGN, "--faults", FAULTS)
        self.assertEqual([arm["name"] for arm in document["arms"]], ["none", *listed])
        for arm in document["arms"]:
            must = {tuple(finding) for finding in listed.get(arm["name"], [])}
            self.assertLessEqual(must, self.found(arm["findings"], roots=False), arm["name"])
            self.assertLessEqual(self.found(arm["findings"]), must, arm["name"])
            order = [row["unit"] for row in json.loads(self.corridor("agent", "order", DESIGN, "--json").stdout)["order"]]
            for finding in arm["findings"]:
                if finding["check"] == "plan_never_chosen" and arm["name"] == "M12":
                    self.assertEqual(finding["cause"], "ET(Decide_supplier)")
                elif finding["cause"] != "root":
                    self.assertLessEqual(order.index(finding["cause"]), order.index(finding["unit"]))

    def test_module_and_program_are_found_guilty_of_the_same(self):
        few = json.loads(FAULTS.read_text())
        few["faults"] = [fault for fault in few["faults"] if fault["name"] in ("M3", "M10", "M12", "M17")]
        faults = self.write("few.json", few)
        expected = self.units(DESIGN, "--faults", faults)
        module = BINARY.parent / "experiments/library/agents/stock_manager.so"
        self.assertEqual(self.units(DESIGN, "--faults", faults, "--agent", module), expected)
        if e2e.IN_FULL:  # a test in C holds the program against the design
            program = e2e.shell(sys.executable, "-I", "-S", AGENTS / "stock_manager.py")
            self.assertEqual(self.units(DESIGN, "--faults", faults, "--agent", program), expected)

    def test_ways_that_a_ring_never_takes_and_events_that_reach_no_plan(self):
        post = {"post": "Decide_supplier", "args": {"BookID": "BookID", "NumberOrdered": "NumberOrdered"}}
        faults = {"version": 1, "design": "stock_manager.json", "faults": [
            {"name": "one_way", "meaning": "m", "plans": {"Retry_other_supplier": {
                "body": [{"set": "mail.Attempts", "to": "Attempts + 1"}, {"if": "Reliability >= 50", "then": [post]}]}}},
            {"name": "gone", "meaning": "m", "plans": {"Choose_preferred_supplier": {"absent": True},
                                                       "Choose_alternative_supplier": {"absent": True}}}]}
        arms = self.arms(DESIGN, "--faults", self.write("own.json", faults))
        self.assertIn(("cycle_arc_unused", RING, "Decide_supplier"), self.found(arms["one_way"]))
        self.assertIn(("event_never_raised", "ET(Decide_supplier)", "Decide_supplier"), self.found(arms["gone"], roots=False))
        self.assertEqual({f["check"] for f in arms["gone"] if f["cause"] == "root"}, {"plan_not_wired"})

    def test_faults_of_rules_starts_and_actions(self):
        design = self.write("small.json", SMALL)
        faults = {"version": 1, "design": "small.json", "faults": [
            {"name": "silent", "meaning": "m", "beliefs": {"store": {"silent": True}}},
            {"name": "start", "meaning": "m", "beliefs": {"paint": {"start": {"Shade": "blue"}}}},
            {"name": "wave", "meaning": "m", "plans": {"Many": {"body": [{"do": "Wave"}]}}}]}
        arms = self.arms(design, "--faults", self.write("own.json", faults))
        self.assertEqual(arms["none"], [])
        self.assertEqual(self.found(arms["silent"]), {("belief_rule_silent", "PT(Keep)", "Low")})
        self.assertIn(("belief_start_differs", "PT(Keep)", "paint.Shade"), self.found(arms["start"]))
        self.assertEqual(self.found(arms["wave"]), {("action_not_in_design", "PT(Many)", "Wave")})

    def test_nobody_is_blamed_for_what_the_design_itself_does_in_no_case(self):
        """Blame counts the cases in which the design does it."""
        design = {"format": "agent-unit/1", "agent": "Bot", "types": {}, "beliefs": [], "entry": ["Order"], "messages_out": [],
                  "actions": [{"name": "Beep", "args": []}, {"name": "Jump", "args": []}],
                  "events": [{"name": "Order", "kind": "percept", "params": [{"name": "N", "type": "int", "valid": [">=0"]},
                                                                             {"name": "Fast", "type": "bool"}]}],
                  "plans": [{"name": "Do", "trigger": "Order", "vars": [], "context": "N >= 0", "posts": [], "sends": [],
                             "writes": [], "does": ["Beep", "Jump"],
                             "body": [{"if": "Fast", "then": [{"do": "Beep"}]}, {"if": "N > 5 && N < 3", "then": [{"do": "Jump"}]}]}],
                  "belief_values": {}, "test": {"policy": "all", "seed": 1, "solve": False}}
        faults = {"version": 1, "design": "bot.json", "faults": [
            {"name": "mute", "meaning": "m", "plans": {"Do": {"body": [{"if": "N > 5 && N < 3", "then": [{"do": "Jump"}]}]}}}]}
        arms = self.arms(self.write("bot.json", design), "--faults", self.write("mute.json", faults))
        self.assertEqual(arms["none"], [])
        self.assertEqual([(f["check"], f["about"], f["hit"], f["run"]) for f in arms["mute"]],
                         [("action_never_done", "Beep", 6, 6)])  # six valid classes of N, each once with Fast
        design["test"]["solve"] = True
        if not e2e.has_z3():
            return
        tested = self.units(self.write("bot.json", design))
        self.assertEqual(tested["arms"][0]["findings"], [])
        self.assertEqual([(f["check"], f["plan"], f["severity"], f["ground"]) for f in tested["design"]],
                         [("branch_dead", "Do", "warning", "proof")])

    def test_designs_that_promise_too_little_and_contexts_that_decide_nothing(self):
        design = copy.deepcopy(SMALL)
        design["events"][2].update(coverage="sometimes", overlap="allowed")
        found = self.found(self.arms(self.write("weak.json", design))["none"])
        self.assertEqual(found, {("declaration_too_weak", "ET(Pick)", "Pick")})
        design = copy.deepcopy(SMALL)
        design["plans"][0]["context"] = "x = x"
        findings = self.units(self.write("idle.json", design))["arms"][0]["findings"]
        self.assertEqual([(f["check"], f["severity"]) for f in findings], [("context_never_false", "note")])
        if not e2e.has_z3():
            return
        design["events"][0]["params"][0]["valid"] = [">=-5"]
        tested = self.units(self.write("idle.json", design))
        self.assertEqual([(f["check"], f["severity"]) for f in tested["arms"][0]["findings"]], [("context_never_false", "note")])
        self.assertEqual([(f["check"], f["severity"], f["ground"]) for f in tested["design"]], [("context_never_false", "warning", "proof")])
        # x is not above x - 1 where that is not: below the least integer. z3 knows no least one.
        for context, words in (("x = x", "as is proven."), ("x - 1 < x", "as is proven where no number leaves 64 bits.")):
            design["plans"][0]["context"] = context
            checked = json.loads(self.corridor("agent", "check", self.write("idle.json", design), "--json").stdout)
            self.assertEqual([f["text"] for f in checked["sheets"]["findings"]["rows"]], [f"The context of plan Keep holds for all values, {words}"])

    def test_events_with_one_handler_or_none_are_asked_for_coverage(self):
        """A context that leaves values uncovered, an internal event and an entry that nobody handles."""
        design = {"format": "agent-unit/1", "agent": "Gaps", "entry": ["In", "Lost"], "actions": [{"name": "Wave"}],
                  "events": [{"name": "In", "kind": "percept", "params": [{"name": "x", "type": "int", "valid": [">=0"]}]},
                             {"name": "Lost", "kind": "percept", "params": []}, {"name": "Inner", "kind": "internal", "params": []}],
                  "plans": [{"name": "P", "trigger": "In", "context": "x > 10", "posts": ["Inner"], "does": ["Wave"],
                             "body": [{"do": "Wave"}, {"post": "Inner", "args": {}, "optional": True}]}]}
        tested = self.units(self.write("gaps.json", design))
        self.assertEqual(self.found(tested["arms"][0]["findings"]), {("event_not_covered", "PT(P)", "In")})
        self.assertEqual([(f["check"], f["about"], f["plan"], f["severity"]) for f in tested["design"]],
                         [("event_unhandled", "Lost", None, "error"), ("event_unhandled", "Inner", "P", "error")])
        checked = json.loads(self.corridor("agent", "check", "gaps.json", "--json").stdout)["sheets"]["findings"]["rows"]
        self.assertEqual({(f["check"], f["about"], f["ground"]) for f in checked},
                         {("event_unhandled", "Lost", "structure"), ("event_unhandled", "Inner", "structure"),
                          ("event_not_covered", "In", "witness")})
        design["events"][0]["coverage"] = "sometimes"
        design["entry"], design["plans"][0]["posts"], design["plans"][0]["body"] = ["In"], [], [{"do": "Wave"}]
        self.corridor("agent", "test", self.write("sound.json", design), "--fail-on", "note")
        design["plans"][0]["context"] = "x >= 0"
        tested = self.units(self.write("weak.json", design))
        self.assertEqual(tested["arms"][0]["findings"], [])  # what is invalid is not covered
        del design["plans"][0]["context"]
        tested = self.units(self.write("weak.json", design))
        self.assertEqual(self.found(tested["arms"][0]["findings"]), {("declaration_too_weak", "PT(P)", "In")})

    def test_a_plan_that_gives_up_as_designed_is_no_cause_of_an_endless_ring(self):
        x = {"x": "x"}
        params = [{"name": "x", "type": "int"}]
        design = {"format": "agent-unit/1", "agent": "Patient", "entry": ["Go"],
                  "events": [{"name": "Go", "kind": "percept", "params": params}, {"name": "Ask", "kind": "internal", "params": params},
                             {"name": "Back", "kind": "internal", "params": params}],
                  "plans": [{"name": "P", "trigger": "Go", "posts": ["Ask", "Back"],
                             "body": [{"post": "Ask", "args": x, "optional": True}, {"post": "Back", "args": x}]},
                            {"name": "Q", "trigger": "Back", "posts": ["Go"], "body": [{"post": "Go", "args": x}]},
                            {"name": "Help", "trigger": "Ask", "body": [{"if": "x > 5", "then": [{"fail": True}]}]}]}
        found = {f["check"]: (f["severity"], f["cause"]) for f in self.arms(self.write("d.json", design))["none"]}
        self.assertEqual(found["plan_failed"], ("note", "root"))
        self.assertEqual(found["cycle_endless"], ("warning", "root"))

    def one_event(self, name, last, *plans, coverage="always"):
        """A design of an event with a number from 0 to `last`, and plans of it: (name, context), each with a message of its own."""
        return {"format": "agent-unit/1", "agent": name, "entry": ["E"], "messages_out": [{"name": f"M{plan}"} for plan, _ in plans],
                "events": [{"name": "E", "kind": "percept", "coverage": coverage, "overlap": "allowed" if len(plans) > 1 else "never",
                            "params": [{"name": "X", "type": "int", "valid": [">= 0", f"<= {last}"]}]}],
                "plans": [{"name": plan, "trigger": "E", "sends": [f"M{plan}"], "body": [{"send": f"M{plan}"}], **({"context": text} if text else {})}
                          for plan, text in plans]}

    def test_a_plan_for_the_rest_is_chosen_in_a_case_whatever_the_seed(self):
        if not e2e.has_z3():
            self.skipTest("what samples miss is not solved for")
        design = self.write("d.json", self.one_event("Fallback", 24, ("A", "X % 4 = 0 or X % 5 = 1 or X >= 5"), ("Default", None)))
        faults = self.write("f.json", {"version": 1, "faults": [{"name": "mute", "plans": {"Default": {"body": []}}}]})
        for seed in range(1, 6):
            arms = self.arms(design, "--faults", faults, "--seed", seed)
            self.assertEqual(arms["none"], [])
            self.assertEqual(self.found(arms["mute"]), {("message_never_sent", "PT(Default)", "MDefault")})
        # Never its turn, as is proven: a note of the design, and no accusation; chosen when the other fails: nothing at all.
        shadowed = self.one_event("Shadowed", 24, ("A", "X >= 0"), ("Default", "X < 9"))
        tested = self.units(self.write("s.json", shadowed))
        self.assertEqual([(f["check"], f["severity"], f["about"]) for f in tested["arms"][0]["findings"]], [("plan_never_chosen", "note", "Default")])
        self.assertEqual([(f["check"], f["severity"], f["ground"], f["about"]) for f in tested["design"]],
                         [("plan_never_chosen", "note", "proof", "Default")])
        shadowed["plans"][0]["body"].append({"if": "X % 7 = 5", "then": [{"fail": True}]})
        tested = self.units(self.write("s.json", shadowed))
        self.assertEqual([(f["check"], f["severity"]) for f in tested["arms"][0]["findings"]], [("plan_failed", "note")])
        self.assertEqual(tested["design"], [])

    def test_beside_where_a_comparison_turns_though_it_has_no_solution_there(self):
        if not e2e.has_z3():
            self.skipTest("what samples miss is not solved for")
        for text, others in (("6 * X > 58", ("7 * X > 58", "5 * X > 58", "6 * X > 61", "6 * X > 53")), ("7 * X > 58", ("7 * X > 64", "7 * X > 55")),
                             ("X % 4 = 0", ("X % 5 = 0", "X % 3 = 0", "X % 4 = 1", "X % 4 != 0", "X % 4 < 2"))):
            design = self.write("d.json", self.one_event("Factor", 40, ("P", text), coverage="sometimes"))
            faults = self.write("f.json", {"version": 1, "faults": [{"name": other, "plans": {"P": {"context": other}}} for other in others]})
            for seed in range(1, 4):
                arms = self.arms(design, "--faults", faults, "--seed", seed)
                self.assertEqual(arms.pop("none"), [])
                self.assertEqual({name: self.found(findings) for name, findings in arms.items()},
                                 {other: {("context_differs", "PT(P)", "P")} for other in others})

    def test_a_ring_that_ends_behind_the_limit_of_rounds_is_noted_and_its_caller_accused_of_nothing(self):
        if not e2e.has_z3():
            self.skipTest("what samples miss is not solved for")
        number = lambda least: [{"name": "N", "type": "int", "valid": [least, "<= 30"]}]
        post = lambda text: {"post": "J", "args": {"N": text}, "optional": True}
        ring = {"format": "agent-unit/1", "agent": "Ring", "entry": ["E"], "actions": [{"name": "Buy"}],
                "events": [{"name": "E", "kind": "percept", "coverage": "always", "overlap": "never", "params": number("> 0")},
                           {"name": "J", "kind": "internal", "coverage": "sometimes", "overlap": "allowed", "params": number(">= 0")}],
                "plans": [{"name": "Top", "trigger": "E", "context": "N > 0", "posts": ["J"], "body": [post("N")]},
                          {"name": "Bulk", "trigger": "J", "context": "N >= 18", "does": ["Buy"], "body": [{"do": "Buy"}]},
                          {"name": "One", "trigger": "J", "context": "N > 0", "posts": ["J"], "does": ["Buy"], "body": [{"do": "Buy"}, post("N - 1")]}]}
        design = self.write("ring.json", ring)
        faults = self.write("f.json", {"version": 1, "faults": [{"name": "same", "plans": {"One": {"body": [{"do": "Buy"}, post("N")]}}}]})
        for seed in range(1, 6):
            arms = self.arms(design, "--seed", seed)
            self.assertEqual([(f["check"], f["unit"], f["severity"]) for f in arms["none"]], [("cycle_endless", "CT(One)", "note")])
            case = arms["none"][0]["smallest"]
            self.assertIn("found: nothing\n", self.corridor("agent", "test", design, "--seed", seed, "--case", f"CT(One):{case}").stdout)
        self.assertEqual({(f["check"], f["unit"], f["severity"]) for f in self.arms(design, "--faults", faults)["same"] if f["cause"] == "root"},
                         {("cycle_endless", "CT(One)", "warning")})
        ring["plans"][2]["context"] = "N > 9 and N % 7 = 3 and N < 18"  # only N = 10 and 17 start it, and none of them its next
        found = lambda: {(f["check"], f["severity"]) for f in self.arms(self.write("ring.json", ring))["none"]}
        self.assertEqual(found(), {("cycle_never_occurs", "note"), ("declaration_too_weak", "note")})
        ring["plans"][2]["body"][1] = post("N - 7")  # 17 starts 10
        self.assertEqual(found(), {("declaration_too_weak", "note")})

    def test_what_the_agent_without_a_fault_is_accused_of_makes_no_fault_found(self):
        wrong = self.one_event("Wrong", 24, ("A", "X > 4"), ("B", "X > 9"))
        wrong["events"][0]["overlap"] = "never"
        design = self.write("d.json", wrong)
        faults = self.write("f.json", {"version": 1, "faults": [{"name": "alike", "plans": {"A": {"context": "X >= 5"}}},
                                                                {"name": "off", "plans": {"A": {"context": "X > 5"}}}]})
        sheets = json.loads(self.corridor("agent", "test", design, "--faults", faults, "--json", code=1).stdout)["sheets"]
        self.assertEqual({row["arm"]: (row["own"] > 0, row["outcome"]) for row in sheets["arms"]["rows"]},
                         {"none": (True, "error"), "alike": (False, "ok"), "off": (True, "error")})
        points = self.corridor("agent", "test", design, "--faults", faults, "--tap", code=1).stdout
        self.assertRegex(points, r"(?m)^not ok \d+ - alike$")
        self.assertRegex(points, r"(?m)^ok \d+ - off$")

    def test_plans_that_are_not_there_yet_are_noted_and_accused_of_nothing(self):
        """A stub stands in for what an arm, a command line, a program or a module says is not built."""
        kinds = lambda findings: {(f["check"], f["severity"]) for f in findings}
        stub = self.arms(DESIGN, "--not-yet", "Place_stock_order")["none"]
        self.assertEqual(kinds(stub), {("not_built", "note"), ("cycle_never_occurs", "note")})
        self.assertEqual({f["about"] for f in stub if f["check"] == "not_built"}, {"Place_stock_order"})
        self.corridor("agent", "test", DESIGN, "--not-yet", "Place_stock_ordr", code=3)
        experiment = self.write("e.json", {"design": str(DESIGN), "arms": [{"name": "half", "not_yet": ["Place_stock_order", "Accept_delay"]}]})
        self.corridor("run", experiment, "-o", "h.h5", "--progress", "none")
        found = [r for r in self.table("h.h5", "findings") if r["severity"] != "note"]
        self.assertEqual(found, [])
        small = copy.deepcopy(SMALL)
        small["events"].append({"name": "Deep", "kind": "internal", "params": []})
        small["plans"].append({"name": "Later", "trigger": "Deep", "sends": ["Done"], "body": [{"send": "Done"}]})
        small["plans"][1].update(posts=["Deep"], body=[{"set": "paint.Shade", "to": "'blue'"}, {"post": "Deep", "args": {}}])
        design = self.write("later.json", small)
        deaf = 'if case["event"] == "Deep": say(finished="quiet"); continue'
        gives_up = PROGRAM.replace("{CHANGE}", deaf).replace('.values())[0]', '.values() or [0])[0]').replace('            say(ended=plan, ok=True)', '            if few: say(posted="Deep", by="Few", args={})\n            say(ended=plan, ok=not few)')
        agent = e2e.shell(sys.executable, "-I", "-S", self.write("agent.py", gives_up))
        self.assertLessEqual({("plan_failed", "error"), ("plan_not_wired", "error")}, kinds(self.arms(design, "--agent", agent)["none"]))
        honest = gives_up.replace('"Many": "Pick"', '"Many": "Pick", "Later": None')
        agent = e2e.shell(sys.executable, "-I", "-S", self.write("agent.py", honest))
        found = self.arms(design, "--agent", agent)["none"]
        self.assertEqual(kinds(found), {("not_built", "note")})
        self.assertEqual({f["unit"] for f in found}, {"PT(Later)", "PT(Few)", "PT(Many)", "ET(Pick)"})

    def test_one_unit_alone_or_with_what_it_needs_and_what_was_not_run(self):
        one = json.loads(self.corridor("agent", "test", DESIGN, "--unit", "ET(Stock_order_delay)", "--json", "-o", "u.h5").stdout)["sheets"]
        self.assertEqual([row["unit"] for row in one["units"]["rows"]], ["ET(Stock_order_delay)"])
        self.assertEqual(len(one["not_run"]["rows"]), 11)
        # A fault that may be in a unit that was not run is no test that failed, and a plan that is not built none that passed.
        faults = ["--faults", AGENTS / "stock_manager_faults.json", "--unit", "PT(Regular_order)"]
        points = self.corridor("agent", "test", DESIGN, *faults, "--tap", code=7).stdout
        self.assertNotIn("not ok", points)
        self.assertIn("ok 2 - M1 # SKIP the fault was not found in the units that were run, and not all were\n", points)
        self.assertIn("ok 3 - M2\n", points)
        points = self.corridor("agent", "test", DESIGN, "--unit", "PT(Regular_order)", "--not-yet", "Regular_order", "--tap", code=7).stdout
        self.assertIn("ok 1 - none PT(Regular_order) # SKIP the plan is not built: a stub stood in for it\n", points)
        below = json.loads(self.corridor("agent", "test", DESIGN, "--unit", "ET(Stock_order_delay)", "--below", "--json").stdout)["sheets"]
        self.assertEqual([row["unit"] for row in below["units"]["rows"]],
                         [RING, "ET(Decide_supplier)", "PT(Out_of_stock_response)", "PT(Accept_delay)", "PT(Reorder_after_delay)", "ET(Stock_order_delay)"])
        whole = json.loads(self.corridor("agent", "test", DESIGN, "--json").stdout)["sheets"]
        self.assertEqual(whole["not_run"]["rows"], [])
        rows = {row["unit"]: row for row in whole["units"]["rows"]}
        self.assertEqual(one["units"]["rows"], [rows["ET(Stock_order_delay)"]])
        self.corridor("agent", "test", DESIGN, "--unit", "ET(Nothing)", code=3)
        self.corridor("agent", "test", DESIGN, "--below", code=2)

    def test_rings_are_meant_or_not(self):
        """An endless ring is a warning, a note where it is meant, and an error of the design where it is not."""
        design = {"format": "agent-unit/1", "agent": "Ring", "entry": ["A"],
                  "events": [{"name": "A", "kind": "percept", "params": []}, {"name": "B", "kind": "internal", "params": []}],
                  "plans": [{"name": "P", "trigger": "A", "posts": ["B"], "body": [{"post": "B", "args": {}}]},
                            {"name": "Q", "trigger": "B", "posts": ["A"], "body": [{"post": "A", "args": {}}]}]}
        for rings, endless, checks in (([], "warning", []), ([{"plans": ["P", "Q"], "meant": True}], "note", []),
                                       ([{"plans": ["Q"], "meant": False}], "warning", [("ring_not_meant", "error", "structure")])):
            tested = self.units(self.write("ring.json", {**design, "rings": rings}))
            severities = {f["check"]: f["severity"] for f in tested["arms"][0]["findings"]}
            self.assertEqual(severities["cycle_endless"], endless)
            self.assertEqual("ring_not_meant" in severities, bool(checks))
            self.assertEqual([(f["check"], f["severity"], f["ground"]) for f in tested["design"]], checks)

    def test_agents_that_end_say_nonsense_or_do_otherwise_when_asked_again(self):
        design = self.write("small.json", SMALL)
        self.assertEqual(self.arms(design, "--agent", self.program())["none"], [])
        for change, check in (("if value == 4: os._exit(3)", "agent_exited"),
                              ("if value == 4: os.kill(os.getpid(), 11)", "agent_crashed"),
                              ("if value == 4: print('what', flush=True)", "agent_garbled"),
                              ("value = -1 - int.from_bytes(os.urandom(4), 'little')", "agent_not_repeatable"),
                              ("shade = 'green'", "belief_outside")):
            findings = self.arms(design, "--agent", self.program(change))["none"]
            self.assertIn(check, {f["check"] for f in findings}, change)

    def test_who_remembers_is_not_accused_of_what_does_not_come_again(self):
        design, counts = self.write("small.json", SMALL), "sys.past = getattr(sys, 'past', 0) + 1; "
        more = ("shade = 'green' if sys.past > 5 else shade", {"agent_not_repeatable"}), ("value == 4 and os.kill(os.getpid(), 9)", {"agent_crashed"})
        for change, checks in (*(more if e2e.IN_FULL else ()),
                               ("shade, value = 'green', -sys.past", {"agent_not_repeatable", "belief_outside"}),
                               ("sys.past > 5 and os._exit(3)", {"agent_not_repeatable"}),
                               ("sys.past > 5 and os.kill(os.getpid(), 9)", set())):
            findings = {f["check"] for f in self.arms(design, "--agent", self.program(counts + change))["none"]}
            self.assertEqual(findings & {"agent_not_repeatable", "belief_outside", "agent_exited", "agent_crashed"}, checks, change)

    def test_the_papers_warning_with_the_values_that_the_papers_table_calls_valid(self):
        design = json.loads((AGENTS / "paper_table3.json").read_text())
        design["events"].append({"name": "Decide_supplier", "kind": "internal", "params": []})
        design["plans"][0].update(posts=["Decide_supplier"], body=[
            {"if": "Urgent", "then": [{"post": "Decide_supplier", "args": {}, "optional": True}]}])
        design["plans"].append({"name": "Decide", "trigger": "Decide_supplier", "body": []})
        faults = {"version": 1, "design": "d.json", "faults": [{"name": "papers", "meaning": "NumberOrdered < 0", "plans": {
            "Out_of_stock_response": {"body": [{"if": "Urgent && NumberOrdered < 0", "then": [
                {"post": "Decide_supplier", "args": {}, "optional": True}]}]}}}]}
        self.write("d.json", design)
        done = self.corridor("agent", "test", "d.json", "--faults", self.write("f.json", faults))
        text = done.stdout[done.stdout.index("Valid values tried"):]
        tried = [line.split() for line in text.splitlines()[1:5]]
        self.assertEqual([[word.split("=")[0] for word in line] for line in tried], [["BookID", "NumberOrdered", "Urgent"]] * 4)
        self.assertEqual(sorted((line[0] == "BookID=0", line[2]) for line in tried),
                         [(zero, f"Urgent={urgent}") for zero in (False, True) for urgent in ("false", "true")])
        self.assertEqual(len({line[1] for line in tried}), 1)
        self.assertIn("event_never_posted Decide_supplier in PT(Out_of_stock_response)", done.stdout)


class Commands(Agents):
    def experiment(self, **changes):
        content = {"name": "manager", "design": str(DESIGN), "faults": str(FAULTS), "repeat": 2,
                   "arms": [{"name": "none"}, {"name": "M7", "fault": "M7"},
                            {"name": "module", "module": str(BINARY.parent / "experiments/library/agents/stock_manager.so"), "fault": "M3"}]}
        content.update(changes)
        return self.write("e.json", {key: value for key, value in content.items() if value is not None})

    def test_the_same_bytes_for_one_and_three_workers_and_the_same_findings_as_at_once(self):
        for jobs in (1, 3):
            self.corridor("run", self.experiment(), "-o", f"{jobs}.h5", "--jobs", jobs, "--progress", "none")
        self.assertEqual((self.folder / "1.h5").read_bytes(), (self.folder / "3.h5").read_bytes())
        head = map(json.loads, self.corridor("export", "1.h5", "--table", "head", "--json").stdout.splitlines())
        agents = json.loads(next(row["text"] for row in head if row["name"] == "provenance"))["agents"]
        module = BINARY.parent / "experiments/library/agents/stock_manager.so"
        self.assertEqual([(agent["file"], agent["sha256"]) for agent in agents],
                         [(str(module), hashlib.sha256(module.read_bytes()).hexdigest())])
        rows = list(csv.DictReader(io.StringIO(self.corridor("show", "1.h5", "findings", "--csv").stdout)))
        at_once = self.arms(DESIGN, "--faults", FAULTS)
        for arm, name in (("M7", "M7"), ("module", "M3")):
            self.assertEqual([(r["check"], r["unit"], r["about"], r["cause"]) for r in rows if r["arm"] == arm and r["repetition"] == "1"],
                             [(f["check"], f["unit"], f["about"], f["cause"]) for f in at_once[name]])

    def test_what_a_program_says_is_recorded_and_replayed_without_it(self):
        agent = self.program("if value == 4: os._exit(3)\n        if value == 3: print('what', flush=True)")
        experiment = self.write("e.json", {"design": str(self.write("small.json", SMALL)), "repeat": 2, "arms": [{"name": "mine", "program": agent}, {"name": "none"}]})
        run = lambda *words, code=0: self.corridor("run", experiment, "--progress", "none", *words, code=code).stderr
        run("-o", "a.h5", "--record-traffic", "t")
        lines = (self.folder / "t").read_text().splitlines()
        self.assertGreater(sum(" = - " in line for line in lines), 3)
        (self.folder / "agent.py").unlink()
        run("-o", "b.h5", "--replay-traffic", "t")
        for table in ("trials", "findings", "traces"):
            rows = self.table("a.h5", table)
            self.assertEqual(rows, self.table("b.h5", table))
            self.assertGreater(len(rows), 0, table)
        self.assertLessEqual({"agent_exited", "agent_garbled"}, {row["check"] for row in self.table("b.h5", "findings")})
        run("-o", "c.h5", code=3)
        at = next(i for i, line in enumerate(lines) if '"case":' in line and '"Go"' in line)
        (self.folder / "t").write_text("\n".join([*lines[:at], lines[at].replace('"steps":', '"stepz":'), *lines[at + 1:]]) + "\n")
        said = run("-o", "c.h5", "--replay-traffic", "t", code=3)
        self.assertIn(f"t:{at + 1}: the record has", said)
        self.assertIn('"steps":', said)

    def test_a_case_alone_reports_what_it_did_among_others(self):
        self.corridor("agent", "test", DESIGN, "--faults", FAULTS, "-o", "r.h5")
        text = self.corridor("export", "r.h5", "--table", "traces").stdout
        rows = [r for r in csv.DictReader(io.StringIO(text)) if r["arm"] == "M17"]
        finding = [f for f in self.arms(DESIGN, "--faults", FAULTS)["M17"]][0]
        alone = self.corridor("agent", "test", DESIGN, "--faults", FAULTS, "--arm", "M17", "--trace",
                              "--case", f"{finding['unit']}:{finding['smallest']}").stdout
        trace = alone[alone.index("\nposted"):].splitlines()[1:-2]
        self.assertEqual(len(trace), len(rows))
        for line, row in zip(trace, rows):
            self.assertIn(row["plan"] if row["kind"] in ("started", "context") else row["subject"] if row["kind"] != "ended" else row["plan"], line)

    def test_a_case_alone_has_a_verdict(self):
        """As many cases show a finding alone as all of them together say: code 0 of an arm with a fault, else 7. Without one, 1."""
        for arm, code in (("M7", "event_not_covered"), *([("M9", "post_not_in_design")] if e2e.IN_FULL else [])):
            finding = next(f for f in self.arms(DESIGN, "--faults", FAULTS)[arm] if f["check"] == code)
            shown = []
            for case in range({"M7": 13, "M9": 24}[arm]):
                done = self.corridor("agent", "test", DESIGN, "--faults", FAULTS, "--arm", arm, "--case", f"{finding['unit']}:{case}",
                                     code=None)
                self.assertIn(done.returncode, (0, 7), done.stdout + done.stderr)
                self.assertEqual(done.returncode == 0, f"\nfound: {code} {finding['about']}, " in done.stdout, done.stdout)
                shown += [case] if done.returncode == 0 else []
            self.assertEqual(len(shown), finding["hit"])
            self.assertIn(finding["smallest"], shown)
        design = self.write("small.json", SMALL)
        exits = ("--agent", self.program("os._exit(3)"), "--case", "PT(Keep):0")
        said = self.corridor("agent", "test", design, *exits, code=1).stdout
        self.assertIn("found: agent_exited, error", said)
        self.corridor("agent", "test", design, *exits, "--no-fail")

    def test_exit_codes_follow_the_severity_asked_for(self):
        self.corridor("agent", "test", DESIGN, "--fail-on", "note")
        agent = ("--agent", self.program("if value == 4: os._exit(3)"), "--unit", "PT(Many)")
        design = self.write("small.json", SMALL)
        self.corridor("agent", "test", design, *agent, code=1)
        self.corridor("agent", "test", design, *agent, "--no-fail")
        self.corridor("agent", "test", design, *agent, "--fail-on", "error", code=1)
        self.corridor("agent", "test", design, *agent, "--fail-on", "error", "--no-fail")
        weak = copy.deepcopy(SMALL)
        weak["events"][2].update(coverage="sometimes")
        weak = self.write("weak.json", weak)
        self.corridor("agent", "test", weak, "--fail-on", "warning")
        self.corridor("agent", "test", weak, "--fail-on", "note", code=1)

    def test_verdicts_as_junit_and_tap_of_units_and_of_faults(self):
        text = self.corridor("agent", "test", DESIGN, "--faults", FAULTS, "--junit").stdout
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual([(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root],
                         [("none", "12", "0"), ("faults", "19", "0")])
        lines = self.corridor("agent", "test", DESIGN, "--faults", FAULTS, "--tap").stdout.splitlines()
        self.assertEqual(lines[:2], ["TAP version 13", "1..31"])
        self.assertEqual(sum(line.startswith("ok ") for line in lines), 31)
        agent = self.program("if value == 4: os._exit(3)")
        text = self.corridor("agent", "test", self.write("small.json", SMALL), "--agent", agent, "--junit", code=1).stdout
        failures_of = lambda text: [case.get("name") for case in xml.etree.ElementTree.fromstring(text).iter("testcase") if case.find("failure") is not None]
        lost = {**SMALL, "events": [*SMALL["events"], {"name": "Lost", "kind": "percept", "params": []}], "entry": ["Go", "Pick", "Lost"]}
        lost = self.write("lost.json", lost)
        self.assertEqual(failures_of(self.corridor("agent", "test", lost, "--junit", code=1).stdout), ["event_unhandled Lost"])
        self.assertIn("not ok 1 - design event_unhandled Lost", self.corridor("agent", "test", lost, "--tap", code=1).stdout)
        failures = [case.get("name") for case in xml.etree.ElementTree.fromstring(text).iter("testcase") if case.find("failure") is not None]
        self.assertIn("PT(Many)", failures)

    def test_fail_on_of_a_campaign(self):
        self.corridor("run", self.experiment(), "-o", "a.h5", "--progress", "none", "--fail-on", "any")
        same = [{"name": "none"}, {"name": "again", "fault": "M1"}]
        faults = json.loads(FAULTS.read_text())
        faults["faults"][0]["plans"] = {"Accept_delay": {"body": [{"send": "Stock_delay_info"}]}}
        experiment = self.experiment(arms=same, faults=str(self.write("f.json", faults)))
        done = self.corridor("run", experiment, "-o", "b.h5", "--progress", "none", "--fail-on", "undetected", code=1)
        self.assertIn("arms whose fault was not found: 1", done.stderr)

    def test_mutants_are_killed_alive_or_equivalent(self):
        text = self.corridor("agent", "mutate", DESIGN, "-o", "m.h5").stdout
        row = next(line for line in text.splitlines() if line.strip().startswith("all "))
        mutants, killed, alive, equivalent = map(int, row.split()[1:5])
        self.assertEqual(mutants, killed + alive + equivalent)
        self.assertGreaterEqual(killed, 265 if e2e.has_z3() else 240)
        self.assertEqual(equivalent, 0)  # nothing of these is proven to be
        rows = list(csv.DictReader(io.StringIO(self.corridor("show", "m.h5", "findings", "--sheet", "mutants").stdout)))
        self.assertEqual(len(rows), mutants)
        # What a design does not say cannot be held against an agent: values, and which way a branch goes.
        self.assertLessEqual({row["operator"] for row in rows if row["outcome"] == "alive"},
                             {"argument_off", "write_off", "branch_relation", "branch_constant", "branch_swapped"})
        # Beyond the greatest integer y + 1 is undefined, and a context with it does not hold: dropping it is a change.
        design = copy.deepcopy(SMALL)
        design["plans"][1]["context"] = "y + 1 > y and y <= 3"
        rows = json.loads(self.corridor("agent", "mutate", self.write("next.json", design), "--json", code=None).stdout)["sheets"]["mutants"]["rows"]
        dropped = [row["outcome"] for row in rows if row["mutant"].startswith("context_term_dropped(Few)")]
        self.assertTrue(dropped and "equivalent" not in dropped, dropped)

    def test_files_of_one_layer_are_refused_by_the_commands_of_the_other(self):
        self.corridor("agent", "test", DESIGN, "-o", "a.h5")
        for view in ("tables", "survival"):
            self.assertIn("has no view", self.corridor("show", "a.h5", view, code=3).stderr)
        self.assertIn("holds tests of agents; corridor", self.corridor("coverage", "a.h5", code=3).stderr)
        key = next("/".join(str(row[k]) for k in ("arm", "suite")) for row in json.loads(self.corridor("replay", "a.h5", "--json").stdout)["sheets"]["suites"]["rows"])
        for words, code, said in ((("shrink", "a.h5", "-o", "t.json"), 3, "a.h5: no case failed\n"),
                                  (("why", "a.h5", "--failure", key), 3, f"there is no case {key}\n  a key is ARM/UNIT/CASE, and corridor failures lists them"),
                                  (("replay", "a.h5", "--failure", key, "-o", "t.json"), 2, "--output has no meaning with tests of an agent"),
                                  (("replay", "a.h5", "--failure", key, "--trace"), 3, f"there is no case {key}\n  a key is ARM/UNIT/CASE, and corridor failures lists them")):
            self.assertIn(said, self.corridor(*words, code=code).stderr)
        self.assertIn("of an agent", " ".join(self.corridor("help", "why").stdout.split()))
        self.assertIn("Nothing was found.", self.corridor("failures", "a.h5", "--keep", "kept").stdout)
        self.corridor("replay", "a.h5", "--failure", key)
        self.assertIn("units", self.corridor("export", "a.h5").stdout)
        self.corridor("show", "a.h5", "findings", "--verify")

    def test_a_campaign_of_agents_has_a_folder_that_grows(self):
        """More repetitions, more arms: each time the file of a campaign as large from the beginning; also of mutants, with a stop."""
        run = lambda *words: self.corridor("run", *words, "--progress", "none")
        (self.folder / "design.json").write_text(DESIGN.read_text())
        (self.folder / "faults.json").write_text(FAULTS.read_text())
        first, second = [{"name": "none"}, {"name": "M7", "fault": "M7"}], {"name": "M3", "fault": "M3"}
        for step, (changes, to_do) in enumerate((({"arms": first, "repeat": 1}, 24), ({"arms": first}, 24),
                                                 ({"arms": [*first, second]}, 24), ({"arms": [*first, second], "stop": {"failures": 3}}, 0))):
            experiment = self.experiment(design="design.json", faults="faults.json", **changes)
            run(experiment, "-o", f"{step}.h5")
            said = json.loads(self.corridor("plan", experiment, "-o", "camp", "--pilot", "1", "--json").stdout)
            self.assertEqual((said["campaign"]["planned"] - said["campaign"]["stored"], said["layer"]), (to_do, "agent"))
            self.assertGreater(said["estimate"]["seconds"], 0)
            run("camp")
            self.assertEqual((self.folder / "camp/results.h5").read_bytes(), (self.folder / f"{step}.h5").read_bytes())
        self.assertEqual(json.loads(self.corridor("verify", "camp", "--json").stdout)["sheets"]["stored"]["row"]["suites"], 72)
        mutants = self.write("m.json", {"design": str(DESIGN if e2e.IN_FULL else self.write("small.json", SMALL)), "mutants": True, "stop": {"suites": 320 if e2e.IN_FULL else 20}})
        run(mutants, "-o", "m.h5")
        self.corridor("plan", mutants, "-o", "m", "--pilot", "0")
        run("m")
        self.assertEqual((self.folder / "m/results.h5").read_bytes(), (self.folder / "m.h5").read_bytes())
        faults = self.write("faults.json", {**json.loads(FAULTS.read_text()), "note": "other"})
        self.assertIn('/faults/note: nothing there, "other" here', self.corridor("plan", self.experiment(design="design.json", faults=str(faults), arms=first),
                                                                  "-o", "camp", code=4).stderr)
        self.assertIn("modules or programs", self.corridor("plan", self.experiment(), "-o", "other", code=3).stderr)
        self.assertIn("whose suites are no files", self.corridor("plan", mutants, "-o", "other", "--suites", code=3).stderr)
        self.assertFalse((self.folder / "other").exists())

    def test_experiments_are_refused_with_their_place(self):
        for changes, said in (({"arms": [{"name": "x", "fault": "M99"}]}, "M99"),
                              ({"arms": [{"name": "x"}, {"name": "x"}]}, "/arms/1"), ({"repeat": 0}, "/repeat"),
                              ({"arms": [{"name": "x", "module": "a.so", "program": "b"}]}, "/arms/0"), ({"desing": "x"}, "desing")):
            done = self.corridor("run", self.experiment(**changes), "-o", "x.h5", "--progress", "none", code=3)
            self.assertIn(said, done.stderr)
            self.assertFalse((self.folder / "x.h5").exists())
        for arguments, said in ((["--case", "PT(Nothing):0"], "Nothing"), (["--case", "3"], "UNIT:N"), (["--case", "PT(Accept_delay):999"], "cases")):
            self.assertIn(said, self.corridor("agent", "test", DESIGN, *arguments, code=3).stderr)

    def test_a_graph_of_units_in_the_colours_of_their_outcomes(self):
        self.corridor("agent", "test", DESIGN, "--faults", FAULTS, "-o", "a.h5")
        dot = self.corridor("show", "a.h5", "findings", "--dot", "--arm", "M16").stdout
        colour = lambda unit: next(line for line in dot.splitlines() if f'"{unit}"' in line).split("fillcolor=")[1]
        self.assertEqual(len({colour("PT(Out_of_stock_response)"), colour("PT(Chase_failed_order)"), colour("PT(Accept_delay)")}), 3)


if __name__ == "__main__":
    e2e.main()
