#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The process layer as a user meets it: a campaign of two-phase commit, what is told of it by each command, that neither workers nor interrupts
change a row, and that a module whose process is killed costs one schedule.

usage: test_process_layer.py CORRIDOR SOURCE MODULES"""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

CORRIDOR = ["structure observed", "attribute voted: integer", "attribute stored: integer", "channel outcome",
            "invariant agreed: agree(outcome)", "invariant stored_first: all(a in agents: a.stored >= a.voted)"]
STORM = {"delay": [1, 200], "lose": 0.1, "crash": 0.5, "down": [100, 900], "cut": 0.2, "cut_for": [50, 800]}
PROFILE = {"states": ["calm", "storm"], "transitions": {"calm": {"calm": 0.7, "storm": 0.3}, "storm": {"calm": 0.5, "storm": 0.5}}}
FAULTS = ("early_vote", "forgotten_decision", "lone_decision")


def experiment(**more):
    return {"process": {"program": "two_phase", "count": 3}, "seed": 7, "suites": 2, "sequences": 40, "cases": 20, "case": 1000,
            "corridor": CORRIDOR, "environment": {"profile": PROFILE, "states": {"calm": {}, "storm": STORM}}, **more}


def expected(word):
    """Options of replay: what a file says is expected where nothing is said."""
    return () if word == "written" else ("--expect", word)


class ProcessLayer(e2e.Case):
    def campaign(self, what, name="c", *options, code=0):
        (self.folder / f"{name}.json").write_text(json.dumps(what))
        return self.corridor("run", f"{name}.json", "-o", f"{name}.h5", "--force", *options, code=code)

    def hash(self, name="c"):
        return self.corridor("show", f"{name}.h5", "--hash").stdout

    def rows(self, table, name="c"):
        return list(csv.DictReader(io.StringIO(self.corridor("export", f"{name}.h5", "--table", table).stdout)))

    def test_each_fault_is_found_and_the_sound_program_is_not_accused(self):
        arms = {"sound": {}, "sound-random": {"generator": "random"}, **{f: {"fault": f} for f in FAULTS}}
        self.campaign(experiment(arms=arms), "c", "--fail-on", "any")
        failed = {}
        for row in self.rows("sequences"):
            failed.setdefault(row["arm"], set()).add(row["violated"])
            self.assertEqual(row["verdict"] == "failed", row["violated"] != "-", row)
        self.assertEqual(failed["sound"] | failed["sound-random"], {"-"})
        self.assertIn("stored_first", failed["early_vote"])
        self.assertIn("agreed", failed["forgotten_decision"])
        self.assertIn("agreed", failed["lone_decision"])
        said = self.corridor("show", "c.h5").stdout
        self.assertIn("no violation in 80 schedules of this profile", said)
        self.assertNotIn("correct", said)

    def test_what_is_counted_is_what_is_kept(self):
        self.campaign(experiment(log="events", suites=1, sequences=6, faults=["lose", "crash", "cut"]))
        events, cases = self.rows("events"), self.rows("cases")
        happened = {row["event"]: int(row["count"]) for row in self.rows("happened")}
        self.assertLessEqual({"deliver", "disk", "input", "crash", "restart", "cut", "heal", "lose", "time-out"}, set(happened))
        self.assertEqual(happened, {k: sum(e["event"] == k for e in events) for k in happened})
        for row in self.rows("sequences"):
            own = [e for e in events if e["sequence"] == row["sequence"]]
            spans = [c for c in cases if c["sequence"] == row["sequence"]]
            ticks = [int(e["tick"]) for e in own]
            self.assertEqual(ticks, sorted(ticks))
            self.assertEqual(int(row["kept"]), len(own))
            self.assertEqual(int(row["messages"]), sum(e["event"] in ("deliver", "duplicate") for e in own))
            self.assertEqual(len(spans), int(row["cases"]))
            for span in spans:
                lies = [e for e in own if (int(span["case"]) - 1) * 1000 <= int(e["tick"]) < int(span["case"]) * 1000 and e["event"] != "tick"]
                self.assertEqual(int(span["events"]), len(lies), span)
                self.assertEqual(int(span["faults"]), sum(e["event"] in ("lose", "crash", "cut") for e in lies))
                if span["weather"] == "calm":
                    self.assertFalse([e for e in lies if e["event"] in ("crash", "lose")], "a calm case has no such faults")
        down = {}
        for e in events:  # by a model of up and down alone
            process = (e["sequence"], e["process"])
            self.assertEqual(down.get(process, False), e["event"] == "restart", e) if e["event"] in ("crash", "restart") else None
            if e["event"] in ("deliver", "disk", "input", "time-out"):
                self.assertFalse(down.get(process, False), e)
            down[process] = e["event"] == "crash" or (down.get(process, False) and e["event"] != "restart")

    def test_one_schedule_of_each_class_is_kept_in_each_suite(self):
        lines = [*CORRIDOR, "attribute aborted: integer", "invariant few: all(a in agents: a.aborted < 3)"]
        self.campaign(experiment(corridor=lines, arms={"lone": {"fault": "lone_decision"}}, sequences=60))
        rows = self.rows("sequences")
        for suite in {row["suite"] for row in rows}:
            first = {}
            for row in rows:
                if row["suite"] == suite and row["violated"] != "-":
                    self.assertEqual(int(row["kept"]) > 0, row["violated"] not in first, row)
                    first.setdefault(row["violated"], row)
            self.assertEqual(set(first), {"agreed", "few"})

    def test_the_weather_begins_with_the_first_case(self):
        profile = {"states": ["first", "then"], "transitions": {"first": {"then": 1}, "then": {"then": 1}}, "start": "first"}
        self.campaign(experiment(suites=1, sequences=2, log="cases", cases=4, environment={"profile": profile, "states": {"first": {"crash": 2}, "then": {}}}))
        for row in self.rows("cases"):  # case 0 is before the first: it is of nobody
            self.assertEqual((row["weather"], row["faults"]), ("then", "0"))

    def test_a_trap_is_met_where_its_contrary_is_violated(self):
        """Two ways to the same: the invariant that a trap is the contrary of is violated by the event after which the trap is met."""
        traps = {"early": "any(a in agents: a.voted > a.stored)", "some": "count(agents) > 0", "never": "any(a in agents: a.voted < 0)"}
        arms = {"early": {"fault": "early_vote"}, "early-random": {"fault": "early_vote", "generator": "random"}, "sound": {"traps": {"early": traps["early"]}}}
        self.campaign(experiment(arms=arms, traps=traps, watch=["stored_first"]), "with")
        met = {(r["arm"], r["suite"], r["sequence"]): r for r in self.rows("met", "with") if r["trap"] == "early"}
        failed = {(r["arm"], r["suite"], r["sequence"]): r for r in self.rows("sequences", "with") if r["violated"] != "-"}
        self.assertEqual(set(met), set(failed))
        self.assertTrue(met)
        for key, row in met.items():
            self.assertEqual((row["case"], row["event"]), (failed[key]["violated_case"], failed[key]["violated_event"]))
        self.assertEqual({(r["case"], r["event"]) for r in self.rows("met", "with") if r["trap"] == "some"}, {("1", "0")})
        counts = {(r["arm"], r["suite"], r["trap"]): int(r["met"]) for r in self.rows("traps", "with")}
        self.assertEqual(len(counts), 2 * (3 + 3 + 1))
        for (arm, suite, trap), count in counts.items():
            self.assertEqual(count, sum((r["arm"], r["suite"], r["trap"]) == (arm, suite, trap) for r in self.rows("met", "with")))
        said = self.corridor("show", "with.h5").stdout
        self.assertIn("early: 2 of 3 traps met; not reached: never", said)
        self.assertIn("sound: 0 of 1 traps met; not reached: early", said)
        sheet = json.loads(self.corridor("show", "with.h5", "processes", "--json").stdout)["sheets"]["traps"]["rows"]
        self.assertEqual({(r["arm"], r["trap"]) for r in sheet if r["verdict"] == "not reached"}, {("early", "never"), ("early-random", "never"), ("sound", "early")})
        self.corridor("verify", "with.h5")
        # What is looked for changes nothing else, and where nothing is looked for the file has no tables of it.
        self.campaign(experiment(arms={**arms, "sound": {}}, watch=["stored_first"]), "without")
        self.assertEqual(self.rows("sequences", "with"), self.rows("sequences", "without"))
        self.assertEqual(self.rows("met", "without") + self.rows("traps", "without"), [])
        self.campaign(experiment(arms=arms, traps=traps, watch=["stored_first"]), "apart", "--isolate", "always", "-j2")
        self.assertEqual(self.hash("with"), self.hash("apart"))

    def test_search_keeps_what_met_a_trap(self):
        """With two processes new states soon come to an end, and what grows is no state: schedules with more votes are kept only where traps say so."""
        messages = {}
        for generator in ("search", "swarm"):
            for name, traps in (("with", {f"voted_{n}": f"any(a in agents: a.voted >= {n})" for n in range(1, 60)}), ("without", {})):
                self.campaign({"process": {"program": "two_phase", "count": 2}, "seed": 1, "suites": 3, "sequences": 150, "cases": 5, "faults": ["lose"], "generators": [generator],
                               "corridor": ["structure observed", "attribute voted: integer", "channel outcome", "invariant agreed: agree(outcome)"], "traps": traps}, name)
                messages[generator, name] = sum(int(row["messages"]) for row in self.rows("sequences", name))
        self.corridor("replay", "with.h5")
        self.assertEqual(messages["swarm", "with"], messages["swarm", "without"])
        self.assertGreater(messages["search", "with"], 1.1 * messages["search", "without"])

    def test_a_search_ends_each_suite_with_its_first_failure(self):
        what = experiment(corridor=[*CORRIDOR], cases=10, arms={"lone": {"fault": "lone_decision"}, "short": {"fault": "early_vote", "cases": 5, "generators": ["timed"]}, "sound": {}})
        (self.folder / "s.json").write_text(json.dumps(what))
        found = json.loads(self.corridor("search", "s.json", "--generator", "swarm,search", "--budget", "200", "--islands", "6", "-o", "s.h5", "--json").stdout)["sheets"]
        # The same schedules by a campaign without end of its suites: the islands are its suites up to the first failure.
        self.campaign({**what, "suites": 6, "sequences": 20, "arms": {f"{g}/{a}": {k: v for k, v in {**arm, "generator": g}.items() if k != "generators"}
                                                                       for g in ("swarm", "search") for a, arm in what["arms"].items()}}, "all")
        whole, searched = self.rows("sequences", "all"), self.rows("sequences", "s")
        self.assertEqual(len(found["islands"]["rows"]), 6 * 6)
        for island in found["islands"]["rows"]:
            own = [r for r in whole if (r["arm"], r["suite"]) == (island["arm"], str(island["island"]))]
            failed = [i for i, r in enumerate(own) if r["verdict"] == "failed"]
            upto = own[:failed[0] + 1] if failed else own
            plain = [{k: v for k, v in r.items() if not k.startswith("why") and k != "kept"} for r in searched if (r["arm"], r["suite"]) == (island["arm"], str(island["island"]))]
            self.assertEqual(plain, [{k: v for k, v in r.items() if not k.startswith("why") and k != "kept"} for r in upto])
            self.assertEqual((island["schedules"], island["first"]), (len(upto), failed[0] + 1 if failed else None))
            self.assertEqual(island["cases"], sum(int(r["cases"]) + (r["verdict"] == "failed") for r in upto))
        shares = {(r["generator"], r["target"]): r for r in found["shares"]["rows"]}
        self.assertEqual({r["found"] for (_, target), r in shares.items() if target == "sound"}, {0})
        for (generator, target), row in shares.items():
            self.assertEqual((row["repetitions"], row["found"]), (6, sum(r["arm"] == generator and r["first"] is not None for r in found["islands"]["rows"])))
        self.assertEqual({r["share_pct"] for r in found["arms"]["rows"]}, {None})
        self.corridor("verify", "s.h5")
        self.corridor("replay", "s.h5", "--failing")
        self.assertIn("searches", self.corridor("show", "s.h5").stdout)

    def test_a_search_is_refused_in_so_many_words(self):
        (self.folder / "s.json").write_text(json.dumps(experiment(arms={"lone": {"fault": "lone_decision"}})))
        for options, message in (
                (["--generator", "coverage"], "s.json:1:1: /: no generator \"coverage\" makes schedules of distributed programs\n  known: timed, random, burst, swarm, pct, rounds, search\n"),
                (["--generator", "swarm,swarm"], "s.json:1:1: /: generator \"swarm\" stands there twice\n  name it once\n"),
                (["--arm", "loner"], "s.json:1:1: /: the experiment has no arm \"loner\"\n  did you mean \"lone\"? known: lone\n"),
                (["--seam", "f5"], "s.json: is an experiment with a distributed program: generators of schedules take no --seam\n  leave it out\n"),
                (["--level", "x"], "s.json: is an experiment with a distributed program: generators of schedules take no --level\n  leave it out\n")):
            self.assertEqual(self.corridor("search", "s.json", *options, code=3).stderr, "corridor: invalid input: " + message)

    def test_workers_and_interrupts_change_no_row(self):
        what = experiment(suites=12, sequences=100, arms={"sound": {}, "lone": {"fault": "lone_decision"}, "random": {"generator": "random"}})
        self.campaign(what, "one", "-j1")
        self.campaign(what, "three", "-j3")
        self.assertEqual(self.hash("one"), self.hash("three"))
        command = [e2e.BINARY, "run", "one.json", "-o", "cut.h5", "-j1", "--progress", "none"]
        for end in (signal.SIGKILL, signal.SIGINT):
            begun = subprocess.Popen(command, cwd=self.folder, env=e2e.ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while begun.poll() is None and not any(size > 4096 for size in self.sizes("cut.h5.*/*")):
                time.sleep(0.001)
            begun.send_signal(end)
            begun.wait()
        if (self.folder / "cut.h5.parts").exists() or not (self.folder / "cut.h5").exists():  # what was there when it was interrupted is a file, too
            done = self.corridor(*command[1:], code=None)
            while done.returncode == 4 and "is being written by another campaign" in done.stderr:  # a worker of the one that was killed ends its suite
                time.sleep(0.01)
                done = self.corridor(*command[1:], code=None)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.hash("one"), self.hash("cut"))
        self.corridor("verify", "one.h5")
        self.corridor("replay", "one.h5", "--failure", "lone/0")

    def test_a_schedule_that_is_cut_short_is_no_pass(self):
        self.campaign(experiment(events=30, environment={"states": {"calm": {}}}, generators=["timed"]), "c", "--fail-on", "any", code=7)
        self.assertEqual({(row["verdict"], row["cut"]) for row in self.rows("sequences")}, {("undecided", "1")})
        self.assertIn("no verdict", self.corridor("show", "c.h5").stdout)
        junit = xml.etree.ElementTree.fromstring(self.corridor("export", "c.h5", "--format", "junit").stdout)
        self.assertEqual((junit.get("tests"), junit.get("skipped"), junit.get("failures")), ("1", "1", "0"))
        self.assertIn("# SKIP", self.corridor("export", "c.h5", "--format", "tap").stdout)

    def test_an_arm_of_which_nothing_was_run_has_no_verdict_and_says_no_more(self):
        self.campaign(experiment(arms={"first": {}, "then": {}, "lone": {"fault": "lone_decision"}}, suites=1, sequences=5, stop={"suites": 1}), "c", "--fail-on", "any", code=7)
        for said in (self.corridor("show", "c.h5").stdout, self.corridor("show", "c.h5", "processes").stdout, self.corridor("export", "c.h5", "--format", "tap").stdout):
            self.assertNotIn("0 schedules of this profile", said)
            self.assertEqual(said.count("no verdict: nothing was run"), 2, said)
        self.assertIn("  why           then: no verdict: nothing was run\n", self.corridor("show", "c.h5").stdout)
        sheets = json.loads(self.corridor("show", "c.h5", "processes", "--json").stdout)["sheets"]
        self.assertEqual({row["arm"]: row["verdict"] for row in sheets["arms"]["rows"]}, {"first": "no violation", "then": "no verdict", "lone": "no verdict"})

    def test_what_nothing_was_put_to_is_no_pass(self):
        """Worlds in which nothing comes of anything: the campaign has seen the first state, and says no more than that."""
        nothing = {"no input": {"input": 0}, "all is lost": {"lose": 1}, "all is late": {"delay": [1000000000, 1000000000]},
                   "all are down": {"crash": 1000, "down": [1000000000, 1000000000]}}
        arms = {name: {"environment": {"states": {"calm": weather}}} for name, weather in nothing.items()}
        self.campaign(experiment(suites=1, sequences=5, arms={**arms, "no request": {"inputs": {}}}), "c", "--fail-on", "any", code=7)
        sheets = json.loads(self.corridor("show", "c.h5", "processes", "--json").stdout)["sheets"]
        self.assertEqual({row["verdict"] for row in sheets["arms"]["rows"]}, {"no verdict"})
        self.assertEqual({(row["tested"], row["undecided"]) for row in sheets["constraints"]["rows"] if row["constraint"] == "agreed"}, {(0, 0)})
        self.assertIn("2 of 2 constraints were put to no test in 5 schedules: nothing happened that could have violated agreed", self.corridor("show", "c.h5").stdout)
        # Of two constraints one is put to the test: a verdict of both there is not, of that one alone there is.
        lines = [*CORRIDOR[:3], "attribute aborted: integer", *CORRIDOR[3:], "parameter limit", "invariant fixed: limit > 2"]
        alone = {"corridor": lines, "parameters": {"limit": 3}, "environment": {"states": {"calm": {"input": 0}}}}
        self.campaign(experiment(suites=1, sequences=5, **{**alone, "watch": ["fixed"]}), "c", "--fail-on", "any")
        self.campaign(experiment(suites=1, sequences=5, **alone), "c", "--fail-on", "any", code=7)
        self.assertEqual({row["constraint"]: row["tested"] for row in self.rows("constraints")}, {"agreed": "0", "stored_first": "0", "fixed": "5"})
        self.campaign(experiment(suites=1, sequences=5, arms={"early": {"fault": "early_vote"}}))
        judged = {row["constraint"]: row for row in self.rows("constraints")}
        for name, row in judged.items():
            self.assertEqual(int(row["violated"]), sum(it["violated"] == name for it in self.rows("sequences")))
            self.assertEqual(row["undecided"], "0")  # what is violated is decided
        self.assertEqual({row["open"] for row in self.rows("sequences")}, {"0"})
        self.assertGreater(int(judged["stored_first"]["tested"]), 0)

    def test_what_should_come_and_does_not_is_a_violation_where_all_was_seen(self):
        what = experiment(corridor=[*CORRIDOR, "temporal breaks: eventually not agreed"], suites=1, sequences=3, cases=3)
        self.campaign(what)
        self.assertEqual({(row["verdict"], row["violated"], row["violated_case"]) for row in self.rows("sequences")}, {("failed", "breaks", "3")})
        self.campaign({**what, "events": 5})
        self.assertEqual({(row["verdict"], row["cut"], row["open"]) for row in self.rows("sequences")}, {("undecided", "1", "1")})

    def test_a_formula_that_is_fixed_is_not_open(self):
        lines = [*CORRIDOR, "temporal first: always not agreed", "temporal second: always not agreed", "temporal later: eventually not agreed"]
        self.campaign(experiment(corridor=lines, suites=1, sequences=3, cases=3))
        self.assertEqual({(row["verdict"], row["violated"], row["violated_case"], row["open"]) for row in self.rows("sequences")}, {("failed", "first", "1", "1")})
        self.assertEqual({row["constraint"]: row["undecided"] for row in self.rows("constraints") if row["constraint"] in ("first", "second", "later")},
                         {"first": "0", "second": "0", "later": "3"})

    def test_each_command_names_the_one_that_works(self):
        self.campaign(experiment(arms={"lone": {"fault": "lone_decision"}}))
        key = next(f"lone/{row['suite']}/{row['sequence']}" for row in self.rows("sequences") if row["verdict"] == "failed")
        said = self.corridor("show", "c.h5").stdout
        for command in ("replay c.h5 --failure ", "shrink c.h5 --failure ", "replay --trace t.json"):
            self.assertIn(f"corridor {command}", said)
        heads = lambda *more: [line for line in self.corridor("failures", "c.h5", *more).stdout.splitlines() if re.match("[A-Z]", line)]  # noqa: E731
        self.assertEqual(heads(), ["What was violated", "Failing schedules"])
        self.assertGreater(len(heads("--all")), 5)
        told = [line.split("corridor ", 1)[1].split() for line in said.splitlines() if re.search("corridor (replay|shrink) ", line)]
        self.assertEqual(len(told), 3)
        for words in told:
            self.corridor(*words)
        # What was a command of this layer alone says what is written now.
        for words in (("process", "replay", "c.h5"), ("process", "story", "t.json"), ("process",)):
            self.assertIn("there is no command process; write corridor replay FILE, with --trace for what happens, or shrink FILE", self.corridor(*words, code=2).stderr)
        # A failure of a result file is told as its test is; a key of a suite has all of its rows compared.
        told = self.corridor("replay", "c.h5", "--failure", key, "--trace").stdout
        self.assertIn("is violated", told)
        self.assertIn("equal: yes", self.corridor("replay", "c.h5", "--failure", key.rpartition("/")[0]).stdout)
        self.assertEqual(len(self.corridor("replay", "c.h5", "--failure", key, "--failure", key).stdout.splitlines()), 2)
        self.corridor("replay", "c.h5", "--failure", key, "--trace", "--svg", "k.svg")
        self.assertTrue((self.folder / "k.svg").read_text().startswith("<svg"))
        for words, why in ((("replay", "t.json", "--fault", "none"), "--fault has no meaning with schedules of distributed programs"),
                           (("replay", "t.json", "--class-only"), "--class-only has no meaning with schedules"),
                           (("replay", "t.json", "--trace=3"), "--trace tells all of a schedule: write --trace alone"),
                           (("replay", "t.json", "t.json", "--trace"), "--trace tells what happens in one schedule"),
                           (("replay", "t.json", "--svg", "t.svg"), "--svg needs --trace"),
                           (("shrink", "t.json", "--free", "-o", "u.json"), "--free has no meaning with schedules"),
                           (("shrink", "t.json", "--check"), "--check has no meaning with schedules"),
                           (("shrink", "t.json"), "needs a name for the smaller test: -o test.json")):
            self.assertIn(why, self.corridor(*words, code=2).stderr)
        self.assertIn("The schedule fails by agreed with event ", self.corridor("why", "c.h5", "--failure", key).stdout)
        for words in (("run", "t.json"), ("run", "t.json", "-o", "u.h5"), ("plan", "t.json")):
            self.assertIn("t.json: is a test of a distributed program, not an experiment", self.corridor(*words, code=3).stderr)
            self.assertIn("\n  corridor replay, corridor shrink and corridor why read it", self.corridor(*words, code=3).stderr)
        for words in (("replay", "c.json"), ("shrink", "c.json", "-o", "-"), ("replay", "c.json", "--trace"), ("why", "c.json")):
            self.assertIn("c.json: is an experiment of a distributed program, not a test", self.corridor(*words, code=3).stderr)
            self.assertIn("\n  corridor run reads it", self.corridor(*words, code=3).stderr)
        again = json.loads(self.corridor("replay", "c.h5", "--json").stdout)
        self.assertEqual((again["suites"], again["sequences"]), (2, 80))
        self.assertIn("schedules: 80", self.corridor("replay", "c.h5").stdout)

    def test_a_test_is_fixed_only_where_what_it_expects_was_judged_to_the_end(self):
        """By the rule written down here: the tick of the failure is reached, the expected constraint is decided, and nothing ended the schedule before."""
        formula = "temporal calm: always early"
        lines = [*CORRIDOR, "invariant early: all(a in agents: a.voted < 3)", formula, "temporal later: eventually not early"]
        what = experiment(corridor=lines, arms={"lone": {"fault": "lone_decision"}}, suites=1, watch=["agreed"])
        self.campaign(what)
        self.corridor("shrink", "c.h5", "-o", "t.json", "--force")
        test = json.loads((self.folder / "t.json").read_text())
        last = test["schedule"][-1][-1]
        self.assertEqual(test["process_test"]["tick"], last)
        mended = {**test, "arms": {"lone": {}}}
        told = {key: value for key, value in test["process_test"].items() if key != "tick"}
        end = -(-last // 1000) * 1000  # of the case with the failure
        to_end = [*test["schedule"], ["tick", end]]

        def replay(code, said, schedule=test["schedule"], watch="agreed", expect="fixed", arms=None, **own):
            changed = {**(mended if arms is None else {**test, "arms": arms}), "watch": [watch] if isinstance(watch, str) else watch, "schedule": schedule,
                       "process_test": {**told, **own}}
            (self.folder / "u.json").write_text(json.dumps(changed))
            done = self.corridor("replay", "u.json", *expected(expect), code=code)
            self.assertTrue(done.stdout.startswith({0: "as expected", 1: "DIFFERENT", 7: "NO VERDICT"}[code] + f" u.json: {said}"), done.stdout)
            tap = self.corridor("replay", "u.json", *expected(expect), "--format", "tap", code=code).stdout.splitlines()[2]
            self.assertEqual((tap.startswith("ok 1"), "# SKIP" in tap), (code != 1, code == 7))

        replay(0, "nothing fails", tick=last)
        replay(0, "nothing fails")  # an old file
        replay(1, "agreed: ", arms=test["arms"], tick=last)
        replay(7, f"the schedule ends at tick {test['schedule'][-2][-1]}, and what is expected came at {last}", schedule=test["schedule"][:-1], tick=last)
        replay(7, "nothing was run: no event", schedule=[])
        replay(7, "nothing was run: no event", schedule=[["restart", 0, 5], ["heal", 0, 1, last]], tick=last)
        self.assertIn("Nothing is violated; 2 of 2 events did not happen", " ".join(self.corridor("replay", "u.json", "--trace").stdout.split()))
        replay(0, "nothing fails", schedule=[["default", 1, last]], tick=last)  # time alone passes, as by a tick
        later = {"lone": {"environment": {"states": {"s": {"delay": [1, 9], "start": [5, 10]}}}}}  # but where nobody runs
        for time in (["tick", last], ["default", 1, last]), (["resume", 0, 3], ["tick", last]):
            replay(7, "nothing was run: no event of the schedule starts a process", schedule=time, arms=later, tick=last)
        replay(0, "nothing fails", schedule=[["restart", 0, 7], ["default", 1, last]], arms=later, tick=last)
        replay(7, "the schedule was cut short after 20 cases", schedule=[*test["schedule"], ["tick", 20000], ["tick", 20001]], tick=last)
        replay(7, "the schedule was cut short after 20 cases", schedule=[*test["schedule"], ["default", 1, 20000], ["tick", 20001]], tick=last)
        # Beside what comes by itself time does not go on for an event that is not possible: where it ends nothing was judged behind that.
        first = test["schedule"][0]
        replay(7, f"the schedule ends at tick {first[-1]}, and what is expected came at {last}",
               schedule=[first, ["default", 1, first[-1]], ["heal", 0, 1, last]], tick=last)
        # A formula is decided where the case of its failure has ended, where no case is left, or where nothing can change it.
        replay(7, f"calm is not decided after {end // 1000 - 1} of 20 cases", watch="calm", expected="calm", tick=last)
        replay(0, "nothing fails", schedule=to_end, watch="calm", expected="calm", tick=end)
        replay(7, f"calm is not decided after {end // 1000} of 20 cases", schedule=to_end, watch="calm", expected="calm")
        replay(0, "nothing fails", schedule=[*to_end, ["tick", 20000]], watch="calm", expected="calm")
        replay(7, "later is not decided after", schedule=to_end, watch="later", expected="later", tick=end)
        replay(1, "later: ", schedule=[*to_end, ["tick", 20000]], watch="later", expected="later", tick=20000)
        # By what is expected alone: another violation before it is neither a pass nor the fault of it.
        replay(7, "calm was not judged to the end, for the schedule ended with agreed: ", arms=test["arms"], schedule=to_end, watch=["agreed", "calm"], expected="calm", tick=end)
        # Nor is it shrunk in the place of what is expected.
        said = self.corridor("shrink", "u.json", "-o", "v.json", code=3).stderr
        self.assertIn("u.json: it expects calm, and fails by agreed, which is another failure: ", said)
        self.assertFalse((self.folder / "v.json").exists())
        replay(0, "nothing fails", schedule=to_end, watch=["agreed", "later"], expected="agreed", tick=last)
        replay(7, "signal was not judged to the end, for the schedule ended with agreed: ", arms=test["arms"], expected="signal", tick=last)
        replay(0, "nothing fails", expected="signal", tick=last)
        # Where nothing is expected, all that is watched has to be decided.
        replay(7, "later is not decided after", schedule=to_end, watch=["agreed", "later"], expected="none", expect="written", tick=end)
        replay(0, "nothing fails", schedule=to_end, expected="none", expect="written", tick=end)
        replay(1, "nothing fails; expected is agreed", expect="written", tick=last)
        self.assertIn("the schedule does not fail", self.corridor("shrink", "u.json", "-o", "v.json", code=3).stderr)
        replay(1, "agreed: ", arms=test["arms"], expected="none", expect="written")
        self.corridor("shrink", "u.json", "-o", "v.json")  # by anything

    def test_failures_alike_are_counted(self):
        lines = [*CORRIDOR, "attribute aborted: integer", "invariant few: all(a in agents: a.aborted < 9)"]
        self.campaign(experiment(corridor=lines, arms={"lone": {"fault": "lone_decision"}, "early": {"fault": "early_vote"}}))
        classes = {}
        for row in self.rows("sequences"):
            if row["verdict"] == "failed":
                classes.setdefault((row["arm"], row["violated"]), []).append(f"{row['arm']}/{row['suite']}/{row['sequence']}")
        self.assertEqual({len(keys) > 3 for keys in classes.values()}, {True, False})  # both are shown below
        for expect, word, code in (("written", "as expected", 0), ("fixed", "DIFFERENT", 1)):
            lines = self.corridor("replay", "c.h5", "--failing", *expected(expect), code=code).stdout.splitlines()
            for (arm, violated), keys in classes.items():
                if len(keys) > 3:
                    at = lines.index(f"{word} c.h5 {arm}: {violated}: {len(keys)} schedules")
                    self.assertEqual([line.split(": ")[:2] for line in lines[at + 1:at + 4]], [[f"  c.h5 {key}", violated] for key in keys[:3]])
                    self.assertEqual(lines[at + 4], f"  and {len(keys) - 3} more (--all shows them)")
                else:
                    for key in keys:
                        self.assertEqual(sum(line.startswith(f"{word} c.h5 {key}: {violated}: ") for line in lines), 1)
            self.assertEqual(len(lines), sum(5 if len(keys) > 3 else len(keys) for keys in classes.values()))
            each = self.corridor("replay", "c.h5", "--failing", *expected(expect), "--all", code=code).stdout.splitlines()
            self.assertEqual({line.removeprefix(f"{word} c.h5 ").split(": ")[0] for line in each}, {key for keys in classes.values() for key in keys})
            tap = self.corridor("replay", "c.h5", "--failing", *expected(expect), "--format", "tap", code=code).stdout.splitlines()
            self.assertEqual(tap[1], f"1..{len(each)}")

    def test_failures_are_kept_as_tests(self):
        what = experiment(arms={"lone": {"fault": "lone_decision"}, "early": {"fault": "early_vote"}, "sound": {}})
        self.campaign(what)
        classes = {(row["arm"], row["violated"]) for row in self.rows("sequences") if row["verdict"] == "failed"}
        self.assertEqual({arm for arm, _ in classes}, {"lone", "early"})
        self.corridor("failures", "c.h5", "--keep", "kept", "--arm", "early")
        self.assertEqual({path.name for path in (self.folder / "kept").iterdir()}, {f"{arm}.{violated}.json" for arm, violated in classes if arm == "early"})
        (self.folder / "kept/early.stored_first.json").write_text("mine")
        said = self.corridor("failures", "c.h5", "--keep", "kept").stderr
        self.assertIn("kept/early.stored_first.json is there already, and stays", said)
        self.assertEqual((self.folder / "kept/early.stored_first.json").read_text(), "mine")
        self.corridor("failures", "c.h5", "--keep", "kept", "--force")
        names = sorted(f"kept/{arm}.{violated}.json" for arm, violated in classes)
        self.assertEqual(sorted(f"kept/{path.name}" for path in (self.folder / "kept").iterdir()), names)
        self.corridor("replay", *names, "--expect", "failing")
        for arm, violated in classes:  # as small as shrink makes it
            self.corridor("shrink", "c.h5", "--failure", next(
                f"{row['arm']}/{row['suite']}/{row['sequence']}" for row in self.rows("sequences") if (row["arm"], row["violated"]) == (arm, violated)), "-o", "t.json", "--force")
            self.assertEqual((self.folder / "t.json").read_text(), (self.folder / f"kept/{arm}.{violated}.json").read_text())
        self.corridor("failures", "c.h5", "--keep", "few", "--budget", "40", "--arm", "lone")
        self.corridor("replay", "few/lone.agreed.json", "--expect", "failing")
        less = len(json.loads((self.folder / "few/lone.agreed.json").read_text())["schedule"])
        self.assertGreater(less, len(json.loads((self.folder / "kept/lone.agreed.json").read_text())["schedule"]))
        shutil.copy(e2e.MODULES / "killed.so", self.folder / "beside.so")
        lines = ["structure observed", "attribute heard: integer", "invariant few: all(a in agents: a.heard < 4)"]
        self.campaign({"process": {"program": "beside.so"}, "seed": 3, "suites": 1, "sequences": 5, "cases": 2, "corridor": lines}, "m")
        self.assertIn("with --trust it is started", self.corridor("failures", "m.h5", "--keep", "m", code=3).stderr)
        self.corridor("failures", "m.h5", "--keep", "m", "--trust")
        # Tests in a folder of their own name the module as the experiment does, and find it from here.
        self.corridor("replay", *sorted(path.relative_to(self.folder) for path in (self.folder / "m").glob("*.json")), "--trust", "--expect", "failing")
        kept = next((self.folder / "m").iterdir())
        self.assertEqual(kept.name, "program.few.json")
        shutil.copy(kept, self.folder)  # its module is looked for beside it
        for words in (("failures", "m.h5", "--keep", "m", "--force"), ("replay", "m.h5", "--failing"), ("shrink", "m.h5", "-o", "t.json", "--force"),
                      ("replay", kept.name), ("shrink", kept.name, "-o", "-"), ("replay", kept.name, "--trace")):
            said = self.corridor(*words, "--trust").stderr
            self.assertEqual(said.count("names a program, which is started: "), 1, said)

    def test_the_smallest_of_several_failures_is_kept(self):
        """Held against each failure shrunk alone: no one is smaller by its messages than the best of all."""
        lines = [*CORRIDOR, "attribute aborted: integer", "invariant few: all(a in agents: a.aborted < 3)"]
        self.campaign(experiment(corridor=lines, suites=1, sequences=30, arms={"early": {"fault": "early_vote"}, "lone": {"fault": "lone_decision"}}))
        keys = [f"lone/{row['suite']}/{row['sequence']}" for row in self.rows("sequences") if (row["arm"], row["violated"]) == ("lone", "few")]
        self.assertGreater(len(keys), 12)

        def shrink(*words):
            self.corridor("shrink", "c.h5", *words, "-o", "t.json", "--force")
            test = json.loads((self.folder / "t.json").read_text())
            self.assertEqual(test["process_test"]["expected"], "few")
            return sum(event[0] == "deliver" for event in test["schedule"])

        alone = [shrink("--failure", key, "--hits", "1") for key in keys]
        self.assertGreater(max(alone), min(alone))
        self.assertEqual(shrink("--constraint", "few", "--hits", "100"), min(alone))
        said = self.corridor("shrink", "c.h5", "--constraint", "fewer", "-o", "t.json", "--force", code=3).stderr
        self.assertIn('no schedule failed by "fewer"', said)
        self.corridor("shrink", "c.h5", "--constraint", "few", "--failure", keys[0], code=2)

    @e2e.in_full
    def test_an_interrupt_keeps_the_best_so_far(self):
        """Of a program that takes its time: in a quick one there is none to interrupt it."""
        for name in ("token_ring.py", "corridor_process.py"):
            shutil.copy(e2e.SOURCE / "experiments/library/processes" / name, self.folder)
        self.campaign(experiment(process={"program": "/usr/bin/python3 token_ring.py", "count": 3}, suites=1, sequences=1,
                                 corridor=["structure observed", "attribute number: integer", "invariant short: all(a in agents: a.number < 30)"]))
        process = self.begin("shrink", "c.h5", "--trust", "-o", "t.json")
        self.wait_until(lambda: any(map(e2e.catches_interrupts, self.children(process))), "it catches interrupts", process)
        os.kill(process.pid, signal.SIGINT)
        said = process.communicate()[1]
        self.assertEqual((process.returncode, said.count("more might be spared (interrupted")), (5, 1), said)
        self.corridor("replay", "t.json", "--expect", "failing", "--trust")

        def attempt():  # before it begins with the first class nothing is kept
            process = self.begin("failures", "c.h5", "--keep", "kept", "--trust")
            self.wait_until(lambda: any(map(e2e.catches_interrupts, self.children(process))), "it catches interrupts", process)
            os.kill(process.pid, signal.SIGINT)
            said = process.communicate()[1]
            self.assertEqual(process.returncode, 5, said)
            kept = list((self.folder / "kept").glob("*.json"))
            self.assertEqual(said.count("more might be spared (interrupted"), len(kept), said)
            return kept

        self.in_time(attempt, "the interrupt comes while a class is shrunk")
        self.corridor("replay", *(self.folder / "kept").glob("*.json"), "--expect", "failing", "--trust")
        said = self.corridor("shrink", "t.json", "--trust", "--budget", "5", "-o", "u.json").stderr
        self.assertIn("5 smaller schedules tried; more might be spared", said)

    def test_stories_call_alarms_as_the_program_does(self):
        what = experiment(arms={"lone": {"fault": "lone_decision"}})
        schedule = [["input", 0, "transaction", 1, 5], ["deliver", 1, 0, "prepare", 0, 10], ["disk", 1, 11], ["deliver", 2, 0, "prepare", 0, 12], ["disk", 2, 13],
                    ["time-out", 0, 0, 4000], ["time-out", 1, 1, 4000], ["time-out", 2, 1, 4100]]
        (self.folder / "t.json").write_text(json.dumps({**what, "process_test": {"suite": 0, "sequence": 0, "expected": "agreed"}, "schedule": schedule}))
        text = " ".join(self.corridor("replay", "t.json", "--trace", "--svg", "t.svg", "--force").stdout.split())
        said = json.loads(self.corridor("replay", "t.json", "--trace", "--json").stdout)
        self.assertEqual([event.get("alarm") for event in said["events"]], [None] * 5 + ["votes_due", "ask_again", "ask_again"])
        ticks = [event["tick"] for event in said["events"]]
        self.assertTrue(text.startswith(f"tick 1. {ticks[0]} Process 0 is asked for"), text)
        self.assertIn(f'6. {ticks[5]} Alarm "votes_due" of process 0 is due (the coordinator waits no longer for votes)', text)
        self.assertIn(f'7. {ticks[6]} Alarm "ask_again" of process 1 is due (nothing was heard of what became of the transaction)', text)
        self.assertEqual(ticks, sorted(ticks))
        self.assertEqual(text.count("nothing was heard of"), 1)
        self.assertEqual((self.folder / "t.svg").read_text().count(">ask_again</text>"), 2)

    def test_formulas_ask_nothing_of_cases_that_are_not_stable(self):
        what = experiment(corridor=[*CORRIDOR, "temporal never: always not stable  -- without this"], suites=1, sequences=10, cases=3)
        # Each of these alone: a link that is cut, a process that is down or paused, a loss, a late disk, late messages.
        for weather in ({"cut": 5, "cut_for": [4000, 5000]}, {"crash": 5, "down": [4000, 5000]}, {"pause": 5, "pause_for": [4000, 5000]},
                        {"lose": 0.5}, {"disk": [2500, 2600]}, {"delay": [2500, 2600]}):
            self.campaign({**what, "environment": {"states": {"storm": {"input": 20, **weather}}}, "faults": ["cut", "crash", "pause", "lose"]})
            rows = self.rows("sequences")
            first = 1 if "disk" in weather or "delay" in weather else 0  # in the first case nothing is overdue yet
            self.assertEqual({row["violated_case"] for row in rows}, {str(first)} if first else {"0"}, weather)
            if first:
                self.assertIn("violate the formula always not stable.", " ".join(self.corridor("failures", "c.h5").stdout.split()))
                late = {**what, "cases": 2, "corridor": [*CORRIDOR, "temporal never: not next stable"]}
                self.campaign({**late, "environment": {"states": {"storm": {"input": 20, **weather}}}})
                self.assertEqual({row["violated"] for row in self.rows("sequences")}, {"-"}, weather)
        self.campaign({**what, "environment": {"states": {"calm": {}}}})
        self.assertEqual({row["violated"] for row in self.rows("sequences")}, {"never"})

    def test_a_value_that_the_corridor_excludes_costs_its_schedule_alone(self):
        narrow = ["structure observed", "attribute voted: integer 0 .. 1", "invariant some: all(a in agents: a.voted >= 0)"]
        wide = [narrow[0], "attribute voted: integer", narrow[2]]
        self.campaign(experiment(arms={"narrow": {"corridor": narrow}, "wide": {"corridor": wide}}, sequences=5))
        self.campaign(experiment(arms={"narrow": {"corridor": wide}, "wide": {"corridor": wide}}, sequences=5), "other")
        rows, other = (self.rows("sequences", name) for name in ("c", "other"))
        self.assertEqual([row for row in rows if row["arm"] == "wide"], [row for row in other if row["arm"] == "wide"])
        for row in rows:
            if row["arm"] == "narrow":
                self.assertEqual((row["verdict"], row["violated"], row["end"]), ("failed", "-", "excluded value"))
                self.assertRegex(row["why"], f"The corridor excludes it: agent {row['end_process']} shows 2 as its voted, which is no value of it.")
        self.corridor("replay", "c.h5", "--failure", "narrow/0")

    def test_each_command_tells_of_it(self):
        self.campaign(experiment(arms={"lone": {"fault": "lone_decision"}, "sound": {}}))
        listed = json.loads(self.corridor("failures", "c.h5", "--json").stdout)["sheets"]
        keys = [row["key"] for row in listed["failures"]["rows"]]
        self.assertEqual(len(keys), sum(row["verdict"] == "failed" for row in self.rows("sequences")))
        self.assertEqual(listed["classes"]["rows"][0]["class"], "agreed")
        arm = listed["arms"]["rows"][0]
        self.assertEqual(arm["failed"], len(keys))
        self.assertLess(arm["low_pct"], arm["share_pct"])
        self.assertLess(arm["share_pct"], arm["high_pct"])
        schedule = self.corridor("show", "c.h5", "processes", "--arm", "lone", "--sheet", "schedule").stdout
        self.assertEqual(len(schedule.splitlines()) - 1, max(row["kept"] or 0 for row in listed["failures"]["rows"][:1]))
        self.corridor("report", "c.h5", "-o", "c.html")
        self.assertIn("no proof that the program is correct", (self.folder / "c.html").read_text())
        self.corridor("plan", "c.json")
        self.corridor("failures", "c.h5", "--masked", code=2)

    def test_a_module_beside_the_experiment_goes_on_only_as_it_was(self):
        shutil.copy(e2e.MODULES / "killed.so", self.folder / "beside.so")
        lines = ["structure observed", "attribute heard: integer", "invariant heard: all(a in agents: a.heard >= 0)"]
        what = {"process": {"program": "beside.so"}, "seed": 3, "suites": 4, "sequences": 20, "cases": 2, "corridor": lines, "stop": {"suites": 2}}
        self.campaign(what)
        self.assertEqual({row["verdict"] for row in self.rows("sequences")}, {"passed"})
        with open(self.folder / "beside.so", "ab") as module:
            module.write(b"x")
        said = self.corridor("replay", "c.h5", code=3).stderr
        self.assertIn("beside.so", said)

    def test_messages_have_names_only_where_all_programs_have_the_same(self):
        lines = ["structure observed", "attribute heard: integer", "invariant few: all(a in agents: a.heard < 4)"]
        killed = {"program": str(e2e.MODULES / "killed.so"), "corridor": lines}
        for arms, is_alike in (({"one": {"fault": "lone_decision"}}, True), ({"one": {}, "other": killed}, False)):
            self.campaign(experiment(suites=1, sequences=20, arms=arms))
            named = {row["name"] for row in self.rows("catalog/message")}
            self.assertEqual("prepare" in named, is_alike)
            arm = list(arms)[-1]
            shown = csv.DictReader(io.StringIO(self.corridor("show", "c.h5", "processes", "--arm", arm, "--sheet", "schedule").stdout))
            whats = {row["what"] for row in shown if row["kind"] == "deliver"}
            self.assertTrue(whats)
            self.assertTrue(whats <= named if is_alike else whats == {"0"} and not named, whats)

    def test_a_module_that_is_killed_costs_a_schedule(self):
        lines = ["structure observed", "attribute heard: integer", "invariant heard: all(a in agents: a.heard >= 0)"]
        what = {"process": {"program": str(e2e.MODULES / "killed.so")}, "seed": 3, "suites": 2, "sequences": 20, "cases": 2, "corridor": lines}
        self.campaign({**what, "arms": {"a": {}, "killed": {"fault": "killed"}, "z": {}}}, "all", "-j1")
        self.campaign({**what, "arms": {"a": {}, "killed": {"fault": "killed"}, "z": {}}}, "three", "-j3")
        self.campaign({**what, "arms": {"a": {}, "killed": {}, "z": {}}}, "none", "--isolate", "never")
        self.assertEqual(self.hash("all"), self.hash("three"))
        by_arm = lambda name: {arm: [row for row in self.rows("sequences", name) if row["arm"] == arm] for arm in ("a", "killed", "z")}
        dead, alive = by_arm("all"), by_arm("none")
        self.assertEqual(dead["a"], alive["a"])
        self.assertEqual(dead["z"], alive["z"])
        ends = {row["end"] for row in dead["killed"]}
        self.assertEqual(ends, {"signal", "none"})
        for row, other in zip(dead["killed"], alive["killed"]):  # those that live are as without the fault
            if row["end"] == "none":
                self.assertEqual(row["digest"], other["digest"])
            else:
                self.assertIn("ended by signal 9", row["why"])


if __name__ == "__main__":
    e2e.main()
