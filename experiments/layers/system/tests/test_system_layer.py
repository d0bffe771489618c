#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The system layer as a user meets it: tests of a level of rooms by the program, their verdicts, what is told of them, and that neither workers,
interrupts nor the other tests of a file change a row. A second, small world in Python goes through the commands that were recorded.

usage: test_system_layer.py CORRIDOR SOURCE"""
import csv
import io
import json
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "oracle/temporal/tests")]
import e2e  # noqa: E402
import naive_temporal  # noqa: E402

LEVEL = """b1,d1
b2,d2
|w,w,w,w,w,w,w,w
w,f:a^t,f,f:b^b1,w,f,f:g^key,w
w,f,f,f,f:d>e^d1,f,f,w
w,f:b^b2,f,f,w,f,f:d>e^d2,w
w,w,w,w,w,w,w,w
"""
STEPS = {"east": (1, 0), "west": (-1, 0), "north": (0, -1), "south": (0, 1)}


def experiment(**more):
    """Ten moves from the start to the key, by way of a button."""
    return {"system": {"rooms": "level.csv", "view": 4}, "seed": "0x1",
            "goals": {"pressed(b)": {"reach": "b", "do": "press", "assert": "b.on != b.on@before", "max": 200}},
            "tests": [{"name": "key item", "cycles": 500,
                       "agents": [{"name": "t", "budget": 300, "goal": {"seq": ["pressed(b1)", {"assert": "d1.open"}, {"reach": "key"}]}}]}],
            "always": {"alive": "t.hp > 0"}, "states": {"inside": "t.x > 4"},
            "formulas": {"answered": "always (inside implies d1.open)", "comes": "eventually inside"}, **more}


class Level:
    """LEVEL again: who stands where, and which doors are open."""

    def __init__(self):
        lines = LEVEL.splitlines()
        links = [line.split(",") for line in lines if line[0] == "b" and "w" not in line.split(",")]
        rows = [line.lstrip("|").split(",") for line in lines if "w" in line.split(",") or line[0] == "|"]
        self.links, self.doors, self.things, self.floor = {b: d for b, *d in links}, {}, {}, set()
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                if cell == "w":
                    continue
                self.floor.add((x, y))
                if "^" in cell:
                    name = cell.split("^")[1]
                    self.things[name] = (x, y)
                    if cell.startswith("f:d"):
                        self.doors[name] = False
        self.at = self.things["t"]

    def do(self, command):
        if command["do"] == "move":
            dx, dy = STEPS[command["to"]]
            to = (self.at[0] + dx, self.at[1] + dy)
            shut = {self.things[d] for d, is_open in self.doors.items() if not is_open}
            if to in self.floor and to not in shut:
                self.at = to
        elif command["do"] == "press" and self.at == self.things[command["on"]]:
            for door in self.links[command["on"]]:
                self.doors[door] = not self.doors[door]


# Conditions of the level, each by its name in formulas: what a test says, and what it is where one stands before and now, with what it read.
CONDITIONS = {
    "p": ("t.x > 2", lambda was, now: (now.at[0] > 2, {f"t.x is {now.at[0]}"})),
    "q": ("t.y = t.y@before", lambda was, now: (was and now.at[1] == was.at[1], {f"t.y is {now.at[1]}"} | ({f"t.y@before is {was.at[1]}"} if was and was.at[1] != now.at[1] else set()))),
    "r": ("any(d in door: d.open)", lambda was, now: (any(now.doors.values()), {f"for door {d} (d): d.open is {str(v).lower()}" for d, v in now.doors.items() if v or not any(now.doors.values())})),
}
FACT = re.compile(r"(\w) (holds|does not hold) in cycles? (\d+)(?: to (\d+))? \(")
WORD = re.compile(r'"([^"]*)" (?:began|looks back)')


def facts_of(why):
    """(name, is true, first, last, what is said of the first, of the last) of each fact."""
    for found in FACT.finditer(why):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(why[end], 0)
            end += 1
        name, holds, first, last = found.groups()
        text, said = CONDITIONS[name][0], why[found.end():end - 1]
        assert said.startswith(f"{text}: "), said
        said = said[len(text) + 2:]
        first, last = int(first), int(last or first)
        ends = re.fullmatch(rf"in cycle {first} (.*), in cycle {last} (.*)", said)
        yield name, holds == "holds", first, last, *(ends.groups() if ends else (said, said))


class SystemLayer(e2e.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "level.csv").write_text(LEVEL)

    def tell(self, what, *options, code=0):
        (self.folder / "tests.json").write_text(json.dumps(what))
        return json.loads(self.corridor("system", "test", "tests.json", "--json", *options, code=code).stdout)["tests"]

    def test_a_test_passes_and_its_commands_lead_a_second_world_to_the_key(self):
        test, = self.tell(experiment())
        self.assertEqual(test["verdict"], "pass")
        self.assertEqual(test["why"], "")
        agent, = test["agents"]
        self.assertEqual((agent["name"], agent["status"], agent["why"]), ("t", "success", ""))
        self.assertEqual(agent["budget_left"], 300 - len(agent["actions"]))
        level = Level()
        for action in agent["actions"]:
            level.do(action)
        self.assertEqual(level.at, level.things["key"])
        self.assertTrue(level.doors["d1"])
        self.assertEqual({(v["judge"], v["check"]): v["verdict"] for v in test["verdicts"] + test["formulas"]},
                         {("invariant", "alive"): "passed", ("formula", "answered"): "passed", ("formula", "comes"): "passed"})
        inside = next(i for i in range(len(agent["actions"])) if self.after(agent["actions"][:i + 1]).at[0] > 4)
        decided = {v["check"]: v["cycle"] for v in test["formulas"]}
        self.assertEqual(decided, {"answered": 0, "comes": inside + 1})

    @staticmethod
    def after(actions):
        level = Level()
        for action in actions:
            level.do(action)
        return level

    def test_a_removed_link_is_found(self):
        test, = self.tell(experiment(arms=[{"name": "M", "mutant": "link b1-d1 removed"}]), code=1)
        self.assertEqual((test["arm"], test["verdict"]), ("M", "fail"))
        self.assertEqual(test["why"], "assert: d1.open does not hold.")
        self.assertEqual(test["decided"], test["cycles"])
        self.assertEqual([v["verdict"] for v in test["verdicts"] if (v["judge"], v["check"]) == ("assert", "d1.open")], ["failed"])
        self.assertEqual({v["verdict"] for v in test["formulas"]}, {"undecided"})

    def test_what_is_not_found_is_a_failure_whatever_wanted_it(self):
        """One fact, one verdict: in words, in the exit code, in JUnit, in TAP, and of a mutant."""
        for goal in ({"achieve": "d1.open", "by": "press", "among": "button"}, {"reach": "key"}, {"interact": "key", "do": "press"},
                     {"seq": [{"seen": "d1"}, {"reach": "key", "among": "button"}]}):
            what = experiment(arms=[{"name": "none"}, {"name": "M", "mutant": "link b1-d1 removed"}])
            what["formulas"] = {}
            what["tests"][0]["agents"][0]["goal"] = goal
            what["tests"][0]["agents"][0]["budget"] = 1000
            sound, mutant = self.tell(what, code=1)
            self.assertEqual((sound["verdict"], mutant["verdict"], mutant["agents"][0]["status"]), ("pass", "fail", "failed"), goal)
            self.assertRegex(mutant["why"], r"^t failed: not found: .*; tried: press of b1 \(\d+\), b2 \(\d+\), 2 pairs in order, .*; shut when seen last: d1")
            junit = self.corridor("system", "test", "tests.json", "--junit", code=1).stdout
            self.assertRegex(junit, 'failures="1" errors="0" skipped="0"')
            self.assertNotIn("SKIP", self.corridor("system", "test", "tests.json", "--tap", code=1).stdout)
            del what["arms"]
            (self.folder / "tests.json").write_text(json.dumps(what))
            rows = csv.DictReader(self.corridor("system", "mutants", "tests.json", "--goals-only", "--csv", code=None).stdout.splitlines())
            row, = [row for row in rows if row["mutant"] == "link b1-d1 removed"]
            self.assertEqual(row["state"], "killed", goal)

    def test_patience_is_what_a_goal_that_is_given_up_still_costs(self):
        what = experiment(arms=[{"name": "M", "mutant": "link b1-d1 removed"}], formulas={})
        agent = what["tests"][0]["agents"][0]
        agent["goal"] = {"reach": "key", "among": "button"}
        cycles = {}
        for patience in (0, 7, 20, None):
            agent["patience"] = patience
            if patience is None:
                del agent["patience"]
            test, = self.tell(what, code=1)
            self.assertIn("t failed: not found: ", test["why"])
            cycles[patience] = test["cycles"]
        self.assertEqual((cycles[7] - cycles[0], cycles[20] - cycles[0]), (7, 20))
        self.assertTrue(cycles[20] < cycles[None] < cycles[0] + 600, cycles)
        what["tests"][0]["cycles"] = cycles[0] + 30  # in the midst of the last tries: there is no other way, and no more cycles
        test, = self.tell(what, code=1)
        self.assertIn("t failed: not found: ", test["why"])
        agent["goal"] = {"first_of": [agent["goal"], "success"]}
        test, = self.tell(what, code=7)
        self.assertEqual(test["verdict"], "inconclusive")

    def test_invariants_and_formulas_end_a_test_in_the_cycle_that_fixes_it(self):
        test, = self.tell(experiment(always={"near": "t.x < 3"}), code=1)
        agent, = test["agents"]
        wrong = next(i for i in range(len(agent["actions"]) + 1) if self.after(agent["actions"][:i]).at[0] >= 3)
        self.assertEqual((test["verdict"], test["decided"], test["cycles"]), ("fail", wrong, wrong))
        self.assertEqual(agent["status"], "open")
        self.assertIn("t.x", test["why"])
        test, = self.tell(experiment(formulas={"never": "always not inside"}), code=1)
        self.assertEqual((test["verdict"], test["formulas"][0]["verdict"]), ("fail", "failed"))
        self.assertEqual(self.after(test["agents"][0]["actions"]).at[0], 5)
        test, = self.tell(experiment(formulas={"again": "always (inside implies eventually not inside)"}), code=1)
        self.assertEqual((test["verdict"], test["decided"]), ("fail", 0))
        test, = self.tell(experiment(formulas={"again": "always (inside implies next inside)"}), code=7)  # there was no time for it
        self.assertEqual((test["verdict"], test["decided"]), ("inconclusive", 0))

    def test_named_states_are_columns_that_judge_reads(self):
        """Of cycles: what held by hand, ? where it was unknown, another name where a column has it; formulas over them come to what they came to."""
        what = experiment(entities={"ghost": "button"},
                          states={"inside": "t.x > 4", "opened": "d1.open = true", "goal": "t.y > 1", "haunted": "ghost.on"})
        (self.folder / "named.json").write_text(json.dumps(what))
        self.corridor("run", "named.json", "-o", "named.h5")
        table = self.corridor("export", "named.h5", "--table", "cycles").stdout
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual(list(rows[0])[-4:], ["inside", "opened", "state_goal", "haunted"])
        done = [json.loads(row["command"]) for row in rows[1:]]
        for number, row in enumerate(rows):
            level = self.after(done[:number])
            self.assertEqual((row["inside"], row["state_goal"], row["haunted"]),
                             ("true" if level.at[0] > 4 else "false", "true" if level.at[1] > 1 else "false", "?"))
        lines = [json.loads(line) for line in self.corridor("export", "named.h5", "--table", "cycles", "--format", "jsonl").stdout.splitlines()]
        self.assertEqual([line["inside"] for line in lines], [row["inside"] == "true" for row in rows])
        self.assertEqual({line["haunted"] for line in lines}, {None})
        (self.folder / "bare.json").write_text(json.dumps({key: value for key, value in experiment().items() if key not in ("states", "formulas")}))
        self.corridor("run", "bare.json", "-o", "bare.h5")
        for more, cycle in ((), "0"), (("--where", "cycle = 1 and state = 0"), "1"):
            first = self.corridor("export", "bare.h5", "--table", "cycles", *more).stdout.splitlines()[:2]
            self.assertEqual((first[0].split(",")[-1], first[1].split(",")[2]), ("picture", cycle))
        self.assertNotIn("inside", self.corridor("export", "named.h5", "--table", "cycles", "--raw").stdout.splitlines()[0])
        (self.folder / "trace.csv").write_text(table)
        for formula, code in (("eventually inside", 0), ("always not inside", 1), ("always (inside implies column > 4)", 0), ("always (column > 4 implies inside)", 0),
                              ("always not haunted", 7), ("eventually (inside and not state_goal)", 0)):
            self.corridor("judge", "--formula", formula, "trace.csv", code=code)
        (self.folder / "none.json").write_text(json.dumps({key: value for key, value in what.items() if key not in ("states", "formulas")}))
        self.corridor("run", "none.json", "-o", "none.h5")
        plain = [{key: row[key] for key in list(row)[:-4]} for row in rows]
        without = list(csv.DictReader(io.StringIO(self.corridor("export", "none.h5", "--table", "cycles").stdout)))
        for row in plain + without:
            del row["state"], row["state_unknown"]
        self.assertEqual(without, plain)

    def test_what_cannot_be_told_is_undecided_and_never_exit_0(self):
        what = experiment(entities={"ghost": "button"}, always={"ghost": "ghost.on"})
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["agents"][0]["status"]), ("inconclusive", "success"))
        self.tell(what, "--fail-on", "undecided", code=1)
        self.tell(what, "--fail-on", "nothing", code=7)

    def test_cycles_used_up_and_stalled(self):
        what = experiment()
        what["tests"][0]["cycles"] = 4
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["cycles"], test["agents"][0]["status"]), ("inconclusive", 4, "open"))
        what["tests"][0]["agents"][0]["goal"] = {"goal": "d1.open", "tactic": {"action": "wait", "when": "t.x > 4"}}
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["agents"][0]["status"]), ("inconclusive", "stalled"))
        self.assertIn("t.x > 4", test["agents"][0]["why"])

    def test_a_test_of_endless_cycles_is_cut(self):
        """Turns without end fill the memory else. Observers alone would pass; of what more cycles could decide, nothing is said."""
        what = {"system": {"rooms": "|w,w,w,w\nw,f:a^o,f:a^p,w\nw,w,w,w\n"}, "states": {"so": "o.hp > 0"}, "formulas": {"never": "eventually (not so)", "ever": "always so"},
                "tests": [{"name": "endless", "cycles": 1000000000, "agents": [{"name": "o", "observer": True}, {"name": "p", "observer": True}]}]}
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["cycles"]), ("inconclusive", 499999))
        self.assertEqual(test["why"], "it was cut after 499999 of 1000000000 cycles: a test keeps 1000000 turns at most, and nothing was decided")
        self.assertEqual({formula["verdict"] for formula in test["formulas"]}, {"undecided"})

    def test_a_failing_goal_fails_the_test(self):
        what = experiment()
        what["tests"][0]["agents"][0]["budget"] = 3
        test, = self.tell(what, code=1)
        self.assertEqual((test["verdict"], test["agents"][0]["status"], test["agents"][0]["budget_left"]), ("fail", "failed", 0))
        self.tell(what, "--fail-on", "nothing", code=0)

    def test_why_a_formula_is_violated_is_what_the_level_was(self):
        """Drawn formulas on random walks: the cycle that decides, the command before it, facts that suffice, and what they read, reckoned again."""
        rng, kinds = random.Random(7), dict.fromkeys(("decided", "end", "interval", "words"), 0)
        moves = [{"do": "move", "to": to} for to in STEPS] + [{"do": "move", "to": "east"}, {"do": "press", "on": "b1"}, {"do": "press", "on": "b2"}]
        for number in range(40):
            formula = naive_temporal.draw(rng, rng.randrange(3, 10), 3)
            text = naive_temporal.text(rng, formula)
            what = {"system": {"rooms": "level.csv"}, "seed": hex(number), "states": {name: text for name, (text, _) in CONDITIONS.items()},
                    "tests": [{"name": "walk", "cycles": 30, "agents": [{"name": "t", "policy": "random", "goal": {"goal": "cycle > 12", "tactic": {"any_of": moves}}}]}],
                    "formulas": {"drawn": text}}
            test, = self.tell(what, code=None)
            verdict, = test["formulas"]
            if verdict["verdict"] != "failed":
                self.assertNotEqual(test["verdict"], "fail")
                continue
            levels, trace = [self.after(test["agents"][0]["actions"][:i]) for i in range(test["cycles"] + 1)], []
            for was, now in zip([None, *levels], levels):
                values = [condition(was, now)[0] for _, condition in CONDITIONS.values()]
                trace.append(tuple(naive_temporal.HOLDS if value else naive_temporal.VIOLATED for value in values))
            trace[0] = (trace[0][0], naive_temporal.UNKNOWN, trace[0][2])  # there is no cycle before the first
            violated = lambda states, more: all(naive_temporal.evaluate(formula, states + [(naive_temporal.UNKNOWN,) * 3] * n) == naive_temporal.VIOLATED for n in range(more))  # noqa: E731
            at = verdict["cycle"]
            is_decided = at > 0 or " from cycle 0 on" in test["why"]
            last = at if is_decided else test["cycles"]
            self.assertTrue(violated(trace[:last + 1], 18 if is_decided else 1), (text, trace))
            self.assertEqual(last, test["cycles"])
            self.assertFalse(last > 0 and violated(trace[:last], 18), (text, trace))
            said = ", after %s by t" % " ".join(test["agents"][0]["actions"][-1].values()) if last > 0 else ""
            when = f"from cycle {last} on" if is_decided else "when the test ends"
            self.assertEqual(test["why"], f'formula "drawn" is violated {when}{said}: {verdict["why"]}.')
            alone = [[naive_temporal.UNKNOWN] * 3 for _ in trace]
            for name, is_so, first, until, *ends in facts_of(verdict["why"]):
                condition = "pqr".index(name)
                for i in range(first, until + 1):
                    alone[i][condition] = trace[i][condition]
                    self.assertEqual(trace[i][condition] == naive_temporal.HOLDS, is_so, (verdict["why"], i))
                for i, words in zip((first, until), ends):
                    read = CONDITIONS[name][1](levels[i - 1] if i else None, levels[i])[1]
                    self.assertLessEqual({part for part in re.split("; |, (?=t)", words)} ^ read, {f"t.y@before is {levels[i].at[1]}"}, (verdict["why"], i))
                kinds["interval"] += first < until
            if "nothing that comes" not in verdict["why"]:
                self.assertTrue(violated([tuple(state) for state in alone], 18 if is_decided else 1), (text, verdict["why"]))
            kinds["decided" if is_decided else "end"] += 1
            kinds["words"] += bool(WORD.search(verdict["why"]))
        self.assertGreater(min(kinds.values()), 0, kinds)

    def test_sentences_that_say_why(self):
        """Each word of time, an invariant, entities of queries: what one reads who reads one sentence."""
        states = {"shut": "all(d in door: not d.open)", "inside": "t.x > 4", "both": "all(d in door: d.open)", "tries": "tried(b1) > 0"}
        ways = {"always": ("formulas", "always (b1.on implies eventually[0, 2] both)"), "until": ("formulas", "shut until both"),
                "end": ("formulas", "eventually both"), "first": ("formulas", "eventually both and always shut"), "tried": ("formulas", "always not tries"), "doors": ("always", "all(d in door: not d.open)"), "button": ("always", "b1.on implies (not d1.open or d2.open)")}
        why = {}
        for name, (key, text) in ways.items():
            what = experiment(states=states)
            what["tests"][0]["agents"][0]["goal"] = {"seq": [{"reach": "b1", "do": "press"}, {"reach": "key"}]}
            what.pop("formulas"), what.pop("always")
            what["system"]["view"], what[key] = "all", {name: text}
            test, = self.tell(what, code=1)
            why[name] = test["why"]
        self.assertEqual(why, {
            "always": 'formula "always" is violated from cycle 5 on, after move east by t: b1.on holds in cycle 3, both does not hold in cycles 3 to 5 '
                      '(all(d in door: d.open): for door d2 (d): d.open is false), and "eventually[0, 2] both" began in cycle 3 and its time was over with cycle 5.',
            "until": 'formula "until" is violated from cycle 3 on, after press b1 by t: both does not hold in cycles 0 to 3 (all(d in door: d.open): in cycle 0 '
                     'for door d1 (d): d.open is false; for door d2 (d): d.open is false, in cycle 3 for door d2 (d): d.open is false), shut does not hold in cycle 3 '
                     '(all(d in door: not d.open): for door d1 (d): d.open is true), and "shut until both" began in cycle 0 and broke in cycle 3.',
            "end": 'formula "end" is violated when the test ends, after move east by t: both does not hold in cycles 0 to 8 (all(d in door: d.open): in cycle 0 '
                   'for door d1 (d): d.open is false; for door d2 (d): d.open is false, in cycle 8 for door d2 (d): d.open is false), '
                   'and "eventually both" began in cycle 0 and was open at the end, cycle 8.',
            "first": 'formula "first" is violated from cycle 3 on, after press b1 by t: shut does not hold in cycle 3 (all(d in door: not d.open): '
                     'for door d1 (d): d.open is true).',  # not that both are not open, as long as they may become so
            "tried": 'formula "tried" is violated from cycle 3 on, after press b1 by t: tries holds in cycle 3 (tried(b1) > 0: tried(b1) is 1).',
            "doors": 'always "doors" does not hold in cycle 3, after press b1 by t: all(d in door: not d.open) does not hold: for door d1 (d): d.open is true.',
            "button": 'always "button" does not hold in cycle 3, after press b1 by t: b1.on implies (not d1.open or d2.open) does not hold: '
                      'b1.on is true, d1.open is true, d2.open is false.'})
        # The same words wherever the verdict is shown, when it is replayed, and of the shrunk test.
        (self.folder / "why.json").write_text(json.dumps({**what, "always": {}, "formulas": {"until": "shut until both"}}))
        self.corridor("run", "why.json", "-o", "why.h5", code=None)
        for arguments in (("show", "why.h5", "goals", "--sheet", "judged"), ("export", "why.h5", "--format", "junit"), ("export", "why.h5", "--format", "tap")):
            said = self.corridor(*arguments).stdout.replace("&#34;", '"').replace('""', '"').replace('\\"', '"')
            self.assertIn(why["until"].split("by t: ")[1][:-1], " ".join(said.split()), arguments)
        self.corridor("report", "why.h5", "-o", "why.html")
        self.assertIn("shut does not hold in cycle 3 (all(d in door: not d.open): for door d1 (d): d.open is true)", (self.folder / "why.html").read_text())
        self.corridor("replay", "why.h5")
        self.corridor("shrink", "why.h5", "--failure", "system/0", "-o", "small.json")
        self.assertRegex(self.corridor("replay", "small.json").stdout,
                         r'^as expected small.json: formula until: .* and "shut until both" began in cycle 0 and broke in cycle')

    def test_of_a_long_run_the_first_cycles_are_forgotten_but_not_their_conditions(self):
        what = {"system": {"rooms": "level.csv"}, "seed": "0x1", "states": {"never": "t.x > 99", "here": "t.x < 99"},
                "tests": [{"name": "walk", "cycles": 70000, "agents": [{"name": "t", "policy": "random", "goal":
                           {"goal": "cycle > 60000", "tactic": {"any_of": ["move(east)", "move(west)"]}}}]}], "formulas": {"comes": "eventually never"}}
        test, = self.tell(what, code=1)
        at = self.after(test["agents"][0]["actions"]).at[0]
        self.assertEqual(test["formulas"][0]["why"], f"never does not hold in cycles 0 to {test['cycles']} (t.x > 99: in cycle {test['cycles']} t.x is {at}; "
                         f'what was shown in cycle 0 is not kept), and "eventually never" began in cycle 0 and was open at the end, cycle {test["cycles"]}')

    def test_a_suite_that_is_not_there_is_an_error(self):
        (self.folder / "tests.json").write_text(json.dumps(experiment(examples={"view": [2, 4]})))
        self.corridor("run", "tests.json", "-o", "r.h5")
        for view in ("goals", "places"):
            self.assertEqual(self.corridor("show", "r.h5", view, "--suite", 99, code=3).stderr,
                             "corridor: invalid input: r.h5: --suite: no arm has a suite 99 in this file\n  known: 0 to 1\n")
            self.assertEqual(self.corridor("show", "r.h5", view, "--arm", "system", "--suite", 2, code=3).stderr,
                             "corridor: invalid input: r.h5: --suite: arm system has no suite 2 in this file\n  known: 0 to 1\n")
            self.corridor("show", "r.h5", view, "--suite", 1)
        model = e2e.SOURCE / "experiments/library/efsm/inres_initiator.json"
        self.corridor("efsm", "test", model, "--goal", "t8", "-o", "m.h5", code=None)
        self.assertEqual(self.corridor("show", "m.h5", "tests", "--suite", 99, code=3).stderr,
                         "corridor: invalid input: m.h5: --suite: no arm has a suite 99 in this file\n  known: 0\n")

    def test_set_up_examples_one_test_and_one_row(self):
        what = experiment(examples={"view": [2, 4, 8], "lag": [0, 1]}, runs=2)
        self.assertEqual({t["verdict"] for t in self.tell(what, code=1)}, {"pass", "fail"}, "a view that lags shows a press too late for an assert")
        what["goals"]["pressed(b)"] = {"reach": "b", "do": "press"}
        what["tests"][0]["agents"][0]["goal"] = {"seq": ["pressed(b1)", {"reach": "key"}]}
        tests = self.tell(what)
        self.assertEqual(len(tests), 12)
        self.assertEqual([t["name"] for t in tests[:6]], [f"key item [view = {v}, lag = {lag}]" for v in (2, 4, 8) for lag in (0, 1)])
        self.assertEqual({t["verdict"] for t in tests}, {"pass"})
        self.assertEqual([t["replies"] for t in tests[:6]], [t["replies"] for t in tests[6:]])
        one, other = self.tell(what, "--case", 3)
        self.assertEqual((one["name"], one["replies"]), (tests[2]["name"], tests[2]["replies"]))
        self.corridor("system", "test", "tests.json", "--case", 7, code=3)
        what["examples"]["strength"] = 1
        self.assertEqual(len(self.tell(what)), 6)
        what = experiment()
        what["tests"][0]["setup"] = [{"do": "move", "to": "east"}, {"do": "move", "to": "east"}, {"do": "press", "on": "b1"}]
        test, = self.tell(what, code=1)  # b1 shuts what it had opened
        self.assertEqual(test["verdict"], "fail")
        del what["formulas"]["comes"]
        what["tests"].append({"name": "other", "agents": [{"name": "t", "goal": {"reach": "b2"}}]})
        test, = self.tell(what, "--test", "other")
        self.assertEqual((test["name"], test["verdict"]), ("other", "pass"))

    def test_examples_are_numbers_in_conditions(self):
        what = experiment(examples={"far": [2, 3]}, always={"near": "t.x < far"})
        tests = self.tell(what, code=1)
        for test, far in zip(tests, (2, 3)):
            at = [self.after(test["agents"][0]["actions"][:i]).at[0] for i in range(test["cycles"] + 1)]
            self.assertEqual((test["verdict"], at[-1], max(at[:-1])), ("fail", far, far - 1))

    def test_workers_interrupts_and_neighbours_change_no_row(self):
        what = experiment(examples={"view": [2, 4, 8]}, runs=200, arms=[{"name": "none"}, {"name": "M", "mutant": "link b1-d1 removed"}])
        (self.folder / "tests.json").write_text(json.dumps(what))
        self.corridor("run", "tests.json", "-o", "one.h5", "-j1", code=None)
        self.corridor("run", "tests.json", "-o", "three.h5", "-j3", code=None)
        # Interrupted when something is stored, unless it is all over by then; the same command goes on.
        command = [e2e.BINARY, "run", "tests.json", "-o", "cut.h5", "-j1", "--progress", "none"]
        begun = subprocess.Popen(command, cwd=self.folder, env=e2e.ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while begun.poll() is None and not any(size > 4096 for size in self.sizes("cut.h5.*/*")):
            time.sleep(0.001)
        begun.send_signal(signal.SIGINT)
        if begun.wait() == 5:
            self.corridor(*command[1:], code=None)
        self.assertEqual(self.rows("one.h5"), self.rows("three.h5"))
        self.assertEqual(self.rows("one.h5"), self.rows("cut.h5"))

    def rows(self, path):
        """All tables, catalogs and texts."""
        self.corridor("export", path, "--all", f"{path}.folder", "--force")
        return {file.name: file.read_bytes() for file in (self.folder / f"{path}.folder").rglob("*.csv") if "head" not in file.name}

    def test_two_test_agents_take_turns_and_an_observer_agrees(self):
        level = LEVEL.replace("w,f,f,f,f:d>e^d1", "w,f:a^u,f,f,f:d>e^d1")
        (self.folder / "level.csv").write_text(level)
        what = experiment(runs=10)
        what["tests"][0]["agents"] += [{"name": "u", "observer": True}]
        tests = self.tell(what)
        self.assertEqual({t["verdict"] for t in tests}, {"pass"})
        self.assertEqual({a["name"]: a["status"] for a in tests[0]["agents"]}, {"t": "success", "u": "open"})
        del what["formulas"]["comes"]
        what["tests"][0]["agents"] = [{"name": "t", "goal": {"goal": "d1.open", "tactic": "wait"}},
                                      {"name": "u", "goal": {"seq": [{"reach": "b1", "do": "press"}, {"reach": "key"}]}}]
        tests = self.tell(what)
        self.assertEqual({t["verdict"] for t in tests}, {"pass"})
        self.assertGreater(len({t["replies"] for t in tests}), 1, "the order of turns is drawn")

    def test_an_invariant_is_judged_when_all_have_looked(self):
        (self.folder / "level.csv").write_text("|w,w,w,w,w\nw,f:a^t,f:a^u,f:a^v,w\nw,w,w,w,w\n")
        what = {"system": {"rooms": "level.csv", "view": 0}, "always": {"alive": "v.hp > 0"},
                "tests": [{"name": "wait", "agents": [{"name": n, "goal": {"do": "wait"}} for n in "tuv"]}]}
        test, = self.tell(what)
        self.assertEqual((test["verdict"], [v["verdict"] for v in test["verdicts"]]), ("pass", ["passed"]))

    def test_check_lists_what_never_holds_and_what_is_never_used(self):
        what = experiment()
        what["goals"]["spare"] = {"goal": "d1.open", "tactic": {"action": "wait", "when": "t.x > 3 and t.x < 2"}}
        (self.folder / "tests.json").write_text(json.dumps(what))
        said = json.loads(self.corridor("system", "check", "tests.json", "--json", code=1).stdout)
        self.assertIn('no test uses goal "spare"', json.dumps(said).replace('\\"', '"'))
        what["tests"][0]["agents"][0]["goal"] = "spare"
        (self.folder / "tests.json").write_text(json.dumps(what))
        self.assertIn("t.x > 3 and t.x < 2", self.corridor("system", "check", "tests.json", code=1).stdout)
        for guard in ("t.x > 1 and t.x < 3", "b1.on or not b1.on", "t.x != 2 or t.x = 2", "t.x >= 2 and t.x <= 2", "t.hp > 1 and t.x < 1"):
            what["goals"]["spare"]["tactic"]["when"] = guard
            what["goals"].pop("pressed(b)", None)
            (self.folder / "tests.json").write_text(json.dumps(what))
            self.corridor("system", "check", "tests.json")
        for guard in ("b1.on and not b1.on", "t.x = 2 and (t.x = 3 or t.x > 5)", "t.x < t.x", "not (t.x < 3 or t.x >= 3)", "1 > 2", "t.x = 2 and t.x != 2",
                      "t.x > 2 and t.x < 3"):
            what["goals"]["spare"]["tactic"]["when"] = guard
            (self.folder / "tests.json").write_text(json.dumps(what))
            self.corridor("system", "check", "tests.json", code=1)


if __name__ == "__main__":
    e2e.main()
