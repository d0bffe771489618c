#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs as people have them, of tests/strangers: each has its right answer here, and beside each family stand three more of its kind. The
series among them are in test_profiles.py.

usage: test_strangers.py CORRIDOR SOURCE MODULES [in-full]"""
import csv
import io
import json
import re
import shutil
import subprocess
import unittest

import e2e
from e2e import SOURCE

HERE = SOURCE / "experiments/command/tests/strangers"
KIT = SOURCE / "experiments/library/processes/corridor_process.py"


def words(text):
    return " ".join(text.split())


class Texts(e2e.Case):
    def judged(self, corridor, state, code):
        """What judge says of a corridor, lines or a file of tests/strangers, and of a state, likewise."""
        for name, what in (("c.corridor", corridor), ("s.json", state)):
            text = (HERE / what).read_text() if isinstance(what, str) else "\n".join(what) if isinstance(what, list) else json.dumps(what)
            (self.folder / name).write_text(text)
        done = self.corridor("judge", "c.corridor", "s.json", code=code)
        return words(done.stdout + done.stderr)

    def test_a_product_has_a_unit_of_its_own(self):
        self.assertIn('"<=" has kW h on its left and kW on its right', self.judged("energy.corridor", "energy.json", 3))
        declared = ["structure partitioning", "attribute power: real [kW]", "attribute hours: real [h]", "attribute way: real [km]",
                    "parameter far: real [km]", "parameter fast: real [km/h]", "parameter work: real [kW h]"]
        state = {"agents": [{"power": 2.0, "hours": 3.0, "way": 12.0}], "organizations": [[0]], "parameters": {"far": 9.0, "fast": 9.0, "work": 5.0}}
        for sentence, code, said in (("a.way / a.hours <= far", 3, "km"), ("a.way / a.hours <= fast", 0, "holds"), ("a.power * a.hours <= work", 1, "violated"),
                                     ("a.power + a.hours <= work", 3, "kW")):
            with self.subTest(sentence):
                self.assertIn(said, self.judged([*declared, f"invariant it: all(a in agents: {sentence})"], state, code))

    def test_exclusive_or(self):
        self.assertIn("For agent 1 (a): a.inflow > 0 xor a.outflow > 0 does not hold: a.inflow is 2, a.outflow is 3.", self.judged("xor.corridor", "texts.json", 1))
        declared = ["structure partitioning", "attribute inflow: integer", "attribute outflow: integer"]
        for flows, code in (([(0, 1), (1, 0)], 0), ([(0, 0)], 1), ([(1, 0), (4, 4)], 1)):
            state = {"agents": [{"inflow": a, "outflow": b} for a, b in flows], "organizations": [list(range(len(flows)))]}
            self.judged([*declared, "invariant either: all(a in agents: a.inflow > 0 xor a.outflow > 0)"], state, code)

    def test_one_of_some_words(self):
        self.assertIn("For agent 1 (a): a.job in ('lift', 'carry') does not hold: a.job is 'scan'.", self.judged("one_of.corridor", "texts.json", 1))
        declared = ["structure partitioning", "attribute job: words lift, scan, carry"]
        for sentence, code in (("a.job in ('scan')", 1), ("not (a.job in ('carry'))", 0), ("a.job in ('lift', 'dig')", 3)):
            state = {"agents": [{"job": "lift"}, {"job": "scan"}], "organizations": [[0, 1]]}
            said = self.judged([*declared, f"invariant able: all(a in agents: {sentence})"], state, code)
            self.assertTrue(code != 3 or "dig" in said, said)

    def test_a_failed_count_names_whom_it_counts(self):
        declared = ["structure partitioning", "attribute job: words lift, scan", "attribute hours: integer"]
        for sentence, state, said in (
                ("count(a in agents where a.job == 'lift') <= 1", ["lift", "scan", "lift"], "is 2 (agent 0, agent 2)."),
                ("2 * count(a in agents where a.job == 'lift') > count(agents)", ["lift", "scan", "scan"], "is 2 (agent 0), count(agents) is 3."),
                ("all(o in organizations: count(a in o.members where a.job == 'lift') >= 1)", ["scan"] * 3, "is 0."),
                ("one(a in agents: a.job == 'lift')", ["lift", "lift", "scan"], "does not hold: it is so of agent 0, agent 1."),
                ("one(a in agents: a.job == 'lift')", ["scan"], "does not hold."),
                ("count(a in agents where a.job == 'lift') <= 7", ["lift"] * 8, "agent 6, agent 7)."),
                ("count(a in agents where a.job == 'lift') <= 7", ["lift"] * 9, "agent 6, agent 7, ..).")):
            with self.subTest(sentence):
                what = {"agents": [{"job": job, "hours": 1} for job in state], "organizations": [list(range(len(state)))]}
                self.assertIn(said, self.judged([*declared, f"invariant it: {sentence}"], what, 1))

    def test_who_is_down_counts_by_what_it_showed_last(self):
        declared = ["structure observed", "attribute state: words free, held"]
        holds = lambda *ups: {"agents": [{"state": "held", **({} if up is None else {"up": up})} for up in ups]}
        told = "who is down counts by what it showed last"
        for sentence, state, code, said in (("count(a in agents where a.up and a.state == 'held') <= 1", holds(True, False), 0, "holds"),
                                            ("count(a in agents where a.up and a.state == 'held') <= 1", holds(True, True, False), 1, "(agent 0, agent 1)"),
                                            ("count(a in agents where a.state == 'held') <= 1", holds(True, False), 1, "Agent 1 is down: " + told),
                                            ("count(a in agents where a.state == 'held') <= 1", holds(*[True] * 9, False), 1, "Agent 9 is down: " + told),
                                            ("not any(a in agents: a.state == 'held')", holds(False), 1, "Agent 0 is down: " + told),
                                            ("sum(a in agents where a.state == 'held': 1) <= 1", holds(True, False, True), 1, "Agent 1 is down: " + told),
                                            ("count(a in agents where a.up and a.state == 'held') <= 1", holds(True, None), 7, "a.up of agent 1 is not known"),
                                            ("all(a in agents: a.alive)", holds(True), 3, 'there is no "alive" of an agent known: state, up')):
            with self.subTest(sentence):
                self.assertIn(said, self.judged([*declared, f"invariant it: {sentence}"], state, code))
        own = [*declared, "attribute up: integer", "invariant it: count(a in agents where a.up > 4) <= 1"]
        self.assertIn("(agent 0, agent 1)", self.judged(own, {"agents": [{"state": "free", "up": 5}, {"state": "held", "up": 6}]}, 1))

    def test_a_failed_implication_names_whom_it_is_about(self):
        self.assertIn("settled: For agent 1 (a): a.ready does not hold.", self.judged("implies.corridor", "texts.json", 1))
        declared = ["structure partitioning", "attribute stage: integer", "attribute ready: boolean"]
        state = {"agents": [{"stage": 1, "ready": True}, {"stage": 2, "ready": False}], "organizations": [[0, 1]]}
        for sentence in ("all(a in agents: a.ready) or all(a in agents: a.stage < 2)", "all(a in agents: a.stage >= 1) == all(a in agents: a.ready)",
                         "count(a in agents where a.ready) == 1 implies all(a in agents: a.stage == 1)"):
            self.assertIn("agent 1", self.judged([*declared, f"invariant it: {sentence}"], state, 1), sentence)
        self.assertIn("write == between the two conditions", self.judged([*declared, "invariant it: all(a in agents: a.ready) iff all(a in agents: a.ready)"], state, 3))

    def test_what_a_state_says_beyond_the_text_is_passed_over_and_said(self):
        said = self.judged("spare.corridor", "spare.json", 0)
        self.assertIn("passed over, as the corridor does not declare it: attribute colour, parameter cap", said)
        for more, named in (({"colour": 1}, "attribute colour"), ({"size": [1, 2]}, "attribute size"), ({"stage2": "x"}, "attribute stage2")):
            state = {"agents": [{"stage": 1, **more}], "organizations": [[0]]}
            self.assertIn(named, self.judged("spare.corridor", state, 0))
        self.assertIn("stage", self.judged("spare.corridor", {"agents": [{"colour": 1}], "organizations": [[0]]}, None))

    def test_inside_means_the_same_everywhere(self):
        """The share of walks that never leave, exactly 1/32, as a claim, and as failures of the corridor's own sentence."""
        shutil.copy(HERE / "inside.json", self.folder)
        self.corridor("run", "inside.json", "-o", "in.h5", "--progress", "none", code=None)
        rows = list(csv.DictReader(io.StringIO(self.corridor("export", "in.h5", "--table", "sequences").stdout)))
        for claim, verdict, code in (("P >= 0.9 [ always inside ]", "does_not_hold", 1), ("P <= 0.5 [ always inside ]", "holds", 0)):
            decided = json.loads(self.corridor("decide", "in.h5", claim, "--json", code=code).stdout)
            self.assertIn(verdict, json.dumps(decided))
        self.assertEqual(len(rows), 200)
        failing = json.loads(self.corridor("show", "in.h5", "tables", "--json").stdout)["sheets"]["failures"]["rows"]
        kept = sum(row["sequences"] for row in failing if row["sentence"].startswith('"kept"'))
        self.assertLess(abs((200 - kept) - 200 / 32), 5 * (200 / 32) ** 0.5)

    def test_an_amount_that_was_always_0_is_not_known_to_be(self):
        """Its mean is 0.1072; the claim that it is at most 0.02 holds in no arm (in 1 of 100 it may)."""
        what = json.loads((HERE / "rare.json").read_text())
        what["arms"] = what["arms"] if e2e.IN_FULL else what["arms"][:4]
        (self.folder / "rare.json").write_text(json.dumps(what))
        decided = self.corridor("decide", "rare.json", code=None).stdout
        held = sum(line.split()[1:2] == ["holds"] for line in decided.splitlines())
        self.assertLessEqual(held, len(what["arms"]) // 100, decided)
        self.assertGreater(decided.count("does_not_hold"), 0)


class Agents(e2e.Case):
    def ask(self, design, *more, seed=1, code=None):
        (self.folder / "d.json").write_text(json.dumps(design))
        return self.corridor("agent", "test", "d.json", "--seed", seed, *more, code=code)

    def test_sound_agents_are_accused_by_no_seed(self):
        for name in ("fallback", "ring"):
            design = json.loads((HERE / f"{name}.json").read_text())
            for seed in range(1, 11 if e2e.IN_FULL else 4):
                self.ask(design, seed=seed, code=0)
        design = json.loads((HERE / "fallback.json").read_text())
        for context in ("X % 3 = 0 or X % 7 = 1 or X >= 8", "X >= 2", "X % 2 = 0 or X > 20"):
            design["plans"][0]["context"] = context
            self.ask(design, code=0)

    def test_a_bound_that_has_no_solution_is_tried_on_both_sides(self):
        design = json.loads((HERE / "factor.json").read_text())
        (self.folder / "f.json").write_text(json.dumps({"version": 1, "design": "d.json", "faults": [
            {"name": name, "meaning": f"{context} in the place of 6 * X > 58", "plans": {"P": {"context": context}}}
            for name, context in (("seven", "7 * X > 58"), ("five", "5 * X > 58"), ("more", "6 * X > 62"), ("less", "6 * X > 50"), ("sum", "6 * X + 3 > 58"))]}))
        for seed in range(1, 13 if e2e.IN_FULL else 3):
            self.ask(design, "-o", "d.h5", "--force", "--faults", "f.json", "--no-fail", seed=seed, code=0)
            arms = json.loads(self.corridor("show", "d.h5", "findings", "--json").stdout)["sheets"]["arms"]["rows"]
            self.assertEqual({row["arm"]: row["findings"] > 0 for row in arms if row["arm"] != "sum"},
                             {"none": False, "seven": True, "five": True, "more": True, "less": True}, seed)


class Programs(e2e.Case):
    def setUp(self):
        super().setUp()
        shutil.copytree(HERE, self.folder, dirs_exist_ok=True)
        shutil.copy(KIT, self.folder)

    def run_it(self, name, code=None):
        return self.corridor("run", f"{name}.json", "-o", f"{name}.h5", "--force", "--progress", "none", code=code)

    def change(self, name, **more):
        what = json.loads((self.folder / f"{name}.json").read_text())
        what.update(more)
        (self.folder / f"{name}.json").write_text(json.dumps(what))

    def test_what_a_program_prints_is_no_answer(self):
        for where, line in (("", ""), ("at the top", "import sys\nsys.stdout.write('more\\n')\n"), ("in a print", "print('a', 'b', flush=True)\n"), ("in JSON", "print('{\"id\": 1}')\n")):
            text = (self.folder / "prints.py").read_text()
            (self.folder / "prints.py").write_text(text.replace('print("ready")\n', f'print("ready")\n{line}'))
            done = self.run_it("prints", code=0)
            self.assertNotIn("FAILS", done.stdout, where)

    def test_the_oldest_is_found_where_starts_are_spread(self):
        self.run_it("oldest", code=0)
        weather = {"states": {"day": {"delay": [1, 20], "start": [0, 1000]}}}
        self.change("oldest", environment=weather, sequences=4)
        self.run_it("oldest", code=0)
        self.change("oldest", corridor=["structure observed", "attribute leads: integer", "invariant nobody: all(a in agents: a.leads == 0)"])
        what = json.loads((self.folder / "oldest.json").read_text())
        del what["watch"]
        (self.folder / "oldest.json").write_text(json.dumps(what))
        self.run_it("oldest")
        self.corridor("shrink", "oldest.h5", "--failure", "mine/0/0", "-o", "t.json", "--trust")
        self.assertIn(" starts", self.corridor("replay", "t.json", "--trace", "--trust", code=None).stdout)

    def test_a_program_that_remembers_is_not_accused(self):
        self.change("remembers", suites=1)
        done = self.run_it("remembers")
        self.assertIn("The schedule does not repeat in a fresh process", words(done.stdout))
        rows = list(csv.DictReader(io.StringIO(self.corridor("export", "remembers.h5", "--table", "sequences").stdout)))
        self.assertEqual({row["end"] for row in rows if row["verdict"] == "failed"}, {"leaked"}, "nothing but that it remembers")

    def test_a_story_has_times(self):
        self.change("burst", sequences=2)
        self.run_it("burst")
        self.corridor("shrink", "burst.h5", "--failure", "mine/0/0", "-o", "t.json", "--trust")
        self.assertRegex(self.corridor("replay", "t.json", "--trace", "--trust", code=None).stdout, r"(?m)^ *1\. +\d+  Process 0 is asked for")

    def test_messages_of_a_failing_case_are_told(self):
        self.run_it("pumps")
        row = json.loads(self.corridor("show", "pumps.h5", "tables", "--json").stdout)["sheets"]["failures"]["rows"][0]
        failure = f"{row['arm']}/{row['first']}"
        said = self.corridor("replay", "pumps.h5", "--failure", failure, "--trace", "--trust", code=None).stdout
        self.assertRegex(said, r"(?i)agent \d+ .*(sends|tells|hears)|\d+ -> \d+|from agent \d+")

    def test_alarms_have_names_and_ticks(self):
        if not shutil.which("cc"):
            self.skipTest("no compiler")
        flags = ["-I", SOURCE / "algorithms/plugin/include"]
        subprocess.run(["cc", "-std=c17", "-O2", "-shared", "-fPIC", *flags, "lease.c", "-o", "lease.so"], cwd=self.folder, check=True)
        self.change("lease", sequences=40)
        self.run_it("lease")
        failed = [row for row in csv.DictReader(io.StringIO(self.corridor("export", "lease.h5", "--table", "sequences").stdout)) if row["verdict"] == "failed"]
        self.assertTrue(failed)
        place = f"{failed[0]['arm']}/{failed[0]['suite']}/{failed[0]['sequence']}"
        self.corridor("shrink", "lease.h5", "--failure", place, "-o", "t.json", "--trust")
        story = self.corridor("replay", "t.json", "--trace", "--trust", code=None).stdout
        self.assertRegex(story, r'(?m)^ *\d+\. +\d+  Alarm "(ends|retry)" of process \d is due')

    def test_a_holder_that_crashed_is_not_accused(self):
        """A right lease service: grants say until when. Who holds twice by what is shown, one of them down, is told so; by `a.up` nobody is."""
        if not shutil.which("cc"):
            self.skipTest("no compiler")
        right = (self.folder / "lease.c").read_text()
        for was, now in (("host->send(host, from, GRANT, &me->epoch, sizeof me->epoch);",
                          "host->send(host, from, GRANT, (uint64_t[]){me->epoch, me->until}, 2 * sizeof(uint64_t));"),
                         ("    if (size == sizeof epoch)", "    if (size >= sizeof epoch)\n        memcpy(&epoch, bytes, sizeof epoch);\n    uint64_t until = 0;\n"
                          "    if (size == 2 * sizeof until)\n        memcpy(&until, (const char *)bytes + sizeof until, sizeof until);\n    if (size == sizeof epoch)"),
                         ("epoch > me->epoch) {", "epoch > me->epoch && host->now(host) < until) {"),
                         ("host->set_alarm(host, ENDS, LEASE);", "host->set_alarm(host, ENDS, until - host->now(host));")):
            self.assertEqual(right.count(was), 1, was)
            right = right.replace(was, now)
        (self.folder / "lease.c").write_text(right)
        subprocess.run(["cc", "-std=c17", "-O2", "-shared", "-fPIC", "-I", SOURCE / "algorithms/plugin/include", "lease.c", "-o", "lease.so"],
                       cwd=self.folder, check=True)
        text = (self.folder / "lease.corridor").read_text()
        working = text.replace("where a.state", "where a.up and a.state")
        self.assertNotEqual(text, working)
        self.change("lease", sequences=100, arms={"right": {}}, corridor=working.splitlines())
        self.assertIn("no violation in 200 schedules", words(self.run_it("lease", code=0).stdout))
        self.change("lease", corridor=text.splitlines())
        self.run_it("lease")
        rows = json.loads(self.corridor("failures", "lease.h5", "--json").stdout)["sheets"]["failures"]["rows"]
        self.assertTrue(rows)
        for row in rows[:5]:
            self.corridor("replay", "lease.h5", "--failure", row["key"], "--trust", code=None)
            told = json.loads(self.corridor("replay", "lease.h5", "--failure", row["key"], "--trace", "--trust", "--json", code=None).stdout)
            story = told if "events" in told else told["stories"][0]
            crashed, held = {}, set()
            for event in story["events"]:
                process = event.get("process")
                if event["event"] in ("crash", "restart"):
                    crashed.pop(process, None)
                    if event["event"] == "crash":
                        crashed[process] = event["tick"]
                state = re.search(r"state (\w+)", event["changes"] or "")
                if state:
                    (held.add if state[1] == "held" else held.discard)(process)
            self.assertEqual(len(held), 2)
            down = sorted(held & set(crashed))
            self.assertTrue(down, "two that run hold at once")
            self.assertIn(", ".join(f"agent {p} is down since tick {crashed[p]}" for p in down).capitalize() + ": who is down counts", story["end"])
            self.assertIn("is 2 (" + ", ".join(f"agent {p}" for p in sorted(held)) + ")", story["end"])

    def test_a_world_has_the_same_verbs(self):
        self.change("cellar", runs=4)
        self.run_it("cellar")
        verdicts = [row for row in csv.DictReader(io.StringIO(self.corridor("export", "cellar.h5", "--table", "tests").stdout)) if row["arm"] == "random"]
        failing = next(n for n, row in enumerate(verdicts) if row["verdict"] == "fail")
        self.corridor("failures", "cellar.h5", code=None)
        self.corridor("shrink", "cellar.h5", "--failure", f"random/{failing}", "-o", "small.json", "--trust")
        self.assertIn("needs the key", words(self.corridor("replay", "small.json", "--trace", "--trust", code=None).stdout))
        self.run_it("chest")
        self.assertIn("needs the key", words(self.corridor("failures", "chest.h5", code=None).stdout))


if __name__ == "__main__":
    e2e.main()
