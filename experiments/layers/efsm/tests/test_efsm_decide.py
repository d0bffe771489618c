#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor decide of tests beside a model: on both sides of probabilities that are counted over the ways of the model (fractions, a second
implementation of what models mean), beside values that are reckoned again from the tables of the file, and what it refuses, in so many words.

usage: test_efsm_decide.py CORRIDOR SOURCE [full]"""
import csv
import io
import json
import pathlib
import sys
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402
from e2e import SOURCE  # noqa: E402

FULL = sys.argv[3:] == ["full"]
LINK = json.loads((SOURCE / "experiments/library/efsm/lossy_link.json").read_text())
MUTANT = "loss.update.ok.dropped"


def ring():
    """Herman's ring of three: who has the bit of the one before has a token, and draws a bit; the others copy. A transition for each new state."""
    def can(old, new):
        return all((old >> i & 1) == (old >> (i + 2) % 3 & 1) or (new >> i & 1) == (old >> (i + 2) % 3 & 1) for i in range(3))
    return {"format": "efsm-json/1", "name": "ring", "vars": [{"name": "x", "kind": "state", "lo": 0, "hi": 7, "init": 0}], "locations": ["run"], "initial": "run",
            "inputs": [{"label": label, "params": []} for label in ("STEP", "HALT")], "outputs": [{"label": f"O{v}", "params": []} for v in range(9)],
            "transitions": [{"id": f"t{v}", "src": "run", "dst": "run", "input": "STEP", "guard": " || ".join(f"x == {old}" for old in range(8) if can(old, v)),
                             "update": {"x": str(v)}, "outputs": [{"label": f"O{v}", "args": []}]} for v in range(8)]
            + [{"id": "halt", "src": "run", "dst": "run", "input": "HALT", "guard": "x == 5", "update": {}, "outputs": [{"label": "O8", "args": []}]}],
            "goals": [{"name": "halted", "traps": [{"id": "halted", "transition": "halt"}]}]}


class Model:
    """What a model without parameters means."""

    def __init__(self, model, dropped=None):
        self.start = (model["initial"], *(v["init"] for v in model["vars"]))
        self.names = [v["name"] for v in model["vars"]]
        self.moves = [(t["id"], t["src"], t["dst"], t["input"], compile(t["guard"].replace("&&", "and").replace("||", "or").replace("true", "True"), "", "eval"),
                       {n: compile(u, "", "eval") for n, u in t["update"].items() if (t["id"], n) != dropped}, t["outputs"][0]["label"]) for t in model["transitions"]]

    def enabled(self, state):
        """{input: [(transition, answer, state behind)]}"""
        values, found = dict(zip(self.names, state[1:])), {}
        for name, src, dst, label, guard, update, answer in self.moves:
            if src == state[0] and eval(guard, {}, values):
                found.setdefault(label, []).append((name, answer, (dst, *(eval(update[n], {}, values) if n in update else values[n] for n in self.names))))
        return found


def ways(model, acting, moves, weights, happens, goal):
    """The probability that `happens(transition or None)` comes to be true within so many moves: the planner draws an input that the model enables, the
    system a transition; None: the model does not allow the answer, which ends the test, as the transition `goal` does."""
    at, found = {(model.start, acting.start): Fraction(1)}, Fraction(0)
    for _ in range(moves):
        behind = {}
        for (believed, real), share in at.items():
            inputs = model.enabled(believed)
            for label in inputs:
                outcomes = acting.enabled(real).get(label, [(None, None, real)])
                total = sum(weights.get(name, 1) for name, _, _ in outcomes)
                for name, answer, after in outcomes:
                    part = share / len(inputs) * Fraction(weights.get(name, 1), total)
                    said = [(n, b) for n, a, b in inputs[label] if a == answer]
                    transition = said[0][0] if said else None
                    if happens(transition):
                        found += part
                    elif said and transition != goal:
                        behind[said[0][1], after] = behind.get((said[0][1], after), 0) + part
        at = behind
    return found


class Decide(e2e.Case):
    def setUp(self):
        super().setUp()
        for name, model in (("link.json", LINK), ("ring.json", ring())):
            (self.folder / name).write_text(json.dumps(model))

    def write(self, name="e.json", **more):
        (self.folder / name).write_text(json.dumps({"efsm": "link.json", "goal": "trap_fin", "seed": 5, "moves": 25, **more}))

    def decide(self, *words, code=0):
        return json.loads(self.corridor("decide", *words, "--json", code=code).stdout)["sheets"]["decisions"]["rows"]

    def rows(self, name, table):
        return list(csv.DictReader(io.StringIO(self.corridor("export", name, "--table", table).stdout)))

    def both_sides(self, claims, seeds, **experiment):
        """Claims (formula, truth), each 0.04 on either side: alpha and beta are 0.01."""
        asked = [(f"P {relation} {bound:.4f} [ {formula} ]", (relation == ">=") == (bound < truth))
                 for formula, truth in claims for bound in (float(truth) - 0.04, float(truth) + 0.04) for relation in ("<=", ">=")]
        wrong = 0
        for seed in range(seeds):
            self.write(**experiment, seed=seed, properties=[{"property": text, "indifference": 0.02} for text, _ in asked])
            found = self.decide("e.json", code=1)
            self.assertEqual([row["property"] for row in found], [text for text, _ in asked])
            self.assertEqual({row["unknown"] for row in found}, {0})
            wrong += sum(row["verdict"] != ("holds" if holds else "does_not_hold") for row, (_, holds) in zip(found, asked))
        self.assertLessEqual(wrong, len(asked) * seeds * 0.01 + 1)

    def test_a_link_by_its_ways(self):
        model, seeds = Model(LINK), 100 if FULL else 10
        fin = ways(model, model, 25, {"ack": 3}, lambda t: t == "fin", "fin")
        early = ways(model, model, 9, {"ack": 3}, lambda t: t == "abort", "fin")
        self.assertTrue(0.2 < fin < 0.8 and 0.2 < early < 0.95, (fin, early))
        self.both_sides([("eventually trap_fin", fin), ("eventually[0, 8] transition = 'abort'", early)], seeds,
                        arms=[{"name": "a", "planner": "random", "system": {"frequencies": {"ack": 3}}}])

    def test_a_mutant_by_its_ways(self):
        model, acting = Model(LINK), Model(LINK, dropped=("loss", "ok"))
        fails = ways(model, acting, 25, {}, lambda t: t is None, "fin")
        self.assertTrue(0.05 < fails < 0.9, fails)
        self.both_sides([("eventually failed", fails)], 100 if FULL else 10, arms=[{"name": "m", "planner": "random", "mutant": MUTANT}])
        row, = self.decide("e.json", "P <= 0.01 [ eventually failed ]", "-o", "m.h5", code=1)
        row, = self.decide("m.h5", "P >= 0.99 [ always not failed ]", code=1)
        self.assertRegex(row["counterexample"], r"^m/\d+$")
        self.assertIn(f"corridor shrink m.h5 --failure {row['counterexample']} -o t.json", self.corridor("decide", "m.h5", "P >= 0.99 [ always not failed ]", code=1).stdout)
        self.corridor("shrink", "m.h5", "--failure", row["counterexample"], "-o", "t.json")
        self.corridor("replay", "t.json", "--expect", "failing")
        self.corridor("replay", "m.h5", "--failure", row["counterexample"])

    def test_a_ring_of_three(self):
        model = Model(ring())
        one = [v for v in range(8) if sum((v >> i & 1) == (v >> (i + 2) % 3 & 1) for i in range(3)) == 1]
        self.assertEqual(one, [1, 2, 3, 4, 5, 6])
        # Three tokens become one unless all bits come out alike: 1 - 4^-k within k steps. HALT is enabled in state 5 alone, with which a token is one.
        for steps in (1, 2, 3):
            self.assertEqual(ways(model, model, steps, {}, lambda t: t and int(t[1:]) in one, "halt"), 1 - Fraction(1, 4) ** steps)
        claims = [(f"eventually[0, {steps - 1}] ({' or '.join(f'''transition = 't{v}' ''' for v in one)})", 1 - Fraction(1, 4) ** steps) for steps in (1, 2)]
        self.both_sides(claims, 50 if FULL else 8, efsm="ring.json", goal="halted", arms=[{"name": "r", "planner": "random"}])

    def test_values_are_those_of_the_tables(self):
        self.write(runs=60, arms=[{"name": "a", "planner": "random"}, {"name": "m", "planner": "random", "mutant": MUTANT}])
        self.corridor("run", "e.json", "-o", "e.h5")
        tests, moves, traps = self.rows("e.h5", "tests"), self.rows("e.h5", "moves"), self.rows("e.h5", "traps")
        for arm in ("a", "m"):
            of = [(test, [m for m in moves if m["arm"] == arm and m["suite"] == test["suite"]], next(t for t in traps if t["arm"] == arm and t["suite"] == test["suite"]))
                  for test in tests if test["arm"] == arm]
            self.assertTrue(all(int(test["moves"]) == len(its) for test, its, _ in of) and len(of) == 60)
            expected = {"E [ moves ]": [len(its) for _, its, _ in of], "E [ sum gained ]": [sum(int(m["gained"]) for m in its) for _, its, _ in of],
                        "E [ max possible ]": [max(int(m["possible"]) for m in its) for _, its, _ in of],
                        "P [ verdict = 'pass' ]": [test["verdict"] == "pass" for test, _, _ in of],
                        "P [ eventually failed ]": [test["verdict"] == "fail" for test, _, _ in of],
                        "P [ eventually (failed and case <= 9) ]": [0 < int(test["failed"]) <= 9 for test, _, _ in of],
                        "P [ always allowed ]": [all(m["allowed"] == "1" for m in its) for _, its, _ in of],
                        "P [ eventually trap_fin ]": [int(trap["move"]) > 0 for _, _, trap in of],
                        "P [ eventually (trap_fin and case <= 12) ]": [0 < int(trap["move"]) <= 12 for _, _, trap in of],
                        "P [ eventually (input = 'SEND' and transition = 'reset') ]": [any(m["transition"] == "reset" for m in its) for _, its, _ in of],
                        "P [ (location != 'done') until (location = 'up') ]": [any(m["location"] == "up" for m in its) for _, its, _ in of]}
            for text, values in expected.items():
                row, = self.decide("e.h5", text, "--arm", arm, "--width", "0.00001", code=7)
                self.assertAlmostEqual(row["value"], sum(values) / len(values), 9, (arm, text))
                self.assertEqual((row["used"], row["unknown"]), (60, 0), (arm, text))
        # What the tester planned is 4294967295 where the planner did not say: then nothing is known.
        row, = self.decide("e.h5", "E [ planned ]", "--arm", "a", "--width", "1", code=7)
        self.assertEqual((row["used"], row["unknown"]), (0, 60))
        bounded, = self.decide("e.h5", "E <= 24 [ moves ]", "--arm", "a", code=None)
        self.assertEqual((bounded["least"], bounded["most"]), (0, 25))

    def test_neither_workers_nor_the_way_change_a_decision(self):
        self.write(arms=[{"name": "b", "planner": "antiant"}, {"name": "a", "planner": "random"}], stop={"decided": 1}, runs=0,
                   properties=[{"property": "P >= 0.7 [ eventually trap_fin ]", "arm": "a"}])
        text = "P >= 0.7 [ eventually trap_fin ]"
        found = [self.decide("e.json", text, "--arm", "a", "-o", f"{jobs}.h5", "-j", jobs, code=1) for jobs in (1, 3)]
        found += [self.decide(f"{jobs}.h5", text, code=1) for jobs in (1, 3)]
        # By the experiment's own word, beside the other arm, too: a test draws by its number alone.
        self.corridor("run", "e.json", "-o", "own.h5", code=None)
        found += [self.decide("own.h5", code=1)]
        self.assertEqual(found, [found[0]] * 5)

    def test_a_program_may_be_called_like_a_word(self):
        program = self.folder / "fair"
        program.write_text("#!/bin/sh\nexit 0\n")
        program.chmod(0o755)
        self.write(arms=[{"name": "p", "planner": "random", "system": {"command": "fair"}}, {"name": "word", "system": "fair"}], runs=2)
        ours = {"PATH": f"{self.folder}:{e2e.ENVIRONMENT['PATH']}"}
        text = "P >= 0.5 [ eventually failed ]"
        self.assertNotIn("no law", self.corridor("decide", "e.json", text, "--arm", "p", "--most", "9", "-o", "p.h5", code=None, environment=ours).stderr)
        self.assertNotIn("no law", self.corridor("decide", "p.h5", text, code=7).stderr)
        self.assertIn("no law", self.corridor("decide", "e.json", text, "--arm", "word", code=3, environment=ours).stderr)

    def test_it_is_refused_in_so_many_words(self):
        self.write(arms=[{"name": "a", "planner": "random"}, {"name": "worst", "system": "adversary"}, {"name": "fair", "system": "fair"}], runs=2)
        law = 'name an arm whose system is "uniform", has "frequencies", or is a program'
        said = {
            ("P >= 0.5 [ eventually failed ]", "--arm", "worst"): ('tests of arm "worst" have no law to decide by: the adversary chooses the worst', law),
            ("P >= 0.5 [ eventually failed ]", "--arm", "fair"): ('tests of arm "fair" have no law to decide by: a fair system chooses by turns, not by chance', law),
            ("P >= 0.5 [ eventually ok > 2 ]",): ('"ok" is no column of tests', "name the condition as a trap of the goal"),
            ("P >= 0.5 [ eventually trap_fim ]",): ('"trap_fim" is no column of tests', 'did you mean "trap_fin"?'),
            ("P >= 0.5 [ eventually location = 'upp' ]",): ("location (word) is never 'upp'", 'did you mean "up"?'),
            ("P >= 0.5 [ eventually moves ]",): ('"moves" is a number, not a condition',),
            ("P >= 0.5 [ eventually failed ]", "--given", "1"): ("suites of tests have no configuration that could be given",),
        }
        for words, parts in said.items():
            with self.subTest(words=words):
                done = self.corridor("decide", "e.json", *words, *([] if "--arm" in words else ["--arm", "a"]), code=3)
                for part in parts:
                    self.assertIn(part, done.stderr)
        # Of a file, too; and where only moves at which a test failed were kept.
        self.corridor("run", "e.json", "-o", "e.h5", code=None)
        self.assertIn("the adversary chooses the worst", self.corridor("decide", "e.h5", "E [ moves ]", "--arm", "worst", code=3).stderr)
        self.write(arms=[{"name": "a", "planner": "random"}], runs=2, brief=True, properties=["P >= 0.5 [ eventually failed ]"])
        kept = "properties are asked of the cases of all tests, and those of tests that did not fail were not kept\n  \"brief\": false"
        self.assertIn(kept, self.corridor("run", "e.json", "-o", "b.h5", code=3).stderr)
        self.decide("e.json", "P >= 0.5 [ always not failed ]")
        self.write(arms=[{"name": "a", "planner": "random"}], runs=2, brief=True)
        self.corridor("run", "e.json", "-o", "b.h5", code=None)
        self.assertIn(kept, self.corridor("decide", "b.h5", "E [ moves ]", code=3).stderr)
        # Nor is there an interval of how many fail; and of a model nothing is covered that a campaign could stop at.
        worst = 'tests of arm "worst" have no law to decide by: the adversary chooses the worst\n  leave out the arm, or "half_width"\n'
        arms = [{"name": "a", "planner": "random"}, {"name": "worst", "system": "adversary"}]
        self.write(arms=arms, runs=0, stop={"half_width": 0.2})
        self.assertIn(worst, self.corridor("run", "e.json", "-o", "w.h5", code=3).stderr)
        self.write(arms=arms, runs=90)
        self.assertIn(worst, self.corridor("run", "e.json", "-o", "w.h5", "--stop-half-width", "0.2", code=3).stderr)
        self.write(arms=arms[:1], runs=0, stop={"half_width": 0.2, "suites": 90})
        self.corridor("run", "e.json", "-o", "w.h5", code=None)
        self.write(arms=arms[:1], runs=0, stop={"states": 0.5})
        self.assertIn('cannot stop at coverage: the layer "efsm" has none\n  stop at a number of suites, cases or failures\n',
                      self.corridor("run", "e.json", "-o", "c.h5", code=3).stderr)
        self.write(arms=[{"name": "a", "planner": "random"}], runs=0)
        self.assertIn("/runs: is 0, expected 1 to 1000000", self.corridor("run", "e.json", "-o", "n.h5", code=3).stderr)


if __name__ == "__main__":
    import unittest
    unittest.main(argv=sys.argv[:1], verbosity=2)
