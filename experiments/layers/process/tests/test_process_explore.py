#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor explore of distributed programs: shares of the variance against quadrature of an exact law (climb_law.py), indices beside such that are reckoned
again from the tables of the file, rows beside ordinary experiments that have their numbers, and what is refused, in so many words.

usage: test_process_explore.py CORRIDOR SOURCE MODULES"""
import csv
import io
import json
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "experiments/layers/estimation/tests")]
import climb_law  # noqa: E402
import e2e  # noqa: E402

MODULES = pathlib.Path(sys.argv[3]).resolve()
CORRIDOR = ["structure observed", "attribute voted: integer", "attribute stored: integer", "attribute aborted: integer", "channel outcome",
            "invariant agreed: agree(outcome)"]
PROFILE = {"states": ["calm", "storm"], "transitions": {"calm": {"calm": 0.7, "storm": 0.3}, "storm": {"calm": 0.5, "storm": 0.5}}}
CHANGES = {"storm": {"storm": 0.99, "calm": 0.01}, "calm": {"storm": 0.9, "calm": 0.1}}


def stormy(weather=None, **more):
    storm = {"delay": [1, 200], "lose": 0.1, "crash": 0.5, "down": [100, 900], **(weather or {})}
    return {"process": {"program": "two_phase", "count": 3}, "seed": 7, "suites": 4, "sequences": 2, "cases": 10, "case": 1000, "corridor": CORRIDOR,
            "environment": {"profile": PROFILE, "states": {"calm": {}, "storm": storm}}, "arms": {"sound": {}, "lone": {"fault": "lone_decision"}}, **more}


class Explore(e2e.Case):
    def write(self, what, name="e.json"):
        (self.folder / name).write_text(json.dumps(what))

    def explore(self, *words, sheet="sobol", code=0):
        return {row["input"]: row for row in json.loads(self.corridor("explore", *words, "--json", code=code).stdout)["sheets"][sheet]["rows"]}

    def rows(self, name, table):
        return list(csv.DictReader(io.StringIO(self.corridor("export", name, "--table", table).stdout)))

    def sums(self, name, column):
        """[suite] of its only schedule."""
        found = {}
        for case in self.rows(name, "cases"):
            found[int(case["suite"])] = found.get(int(case["suite"]), 0) + int(case[column])
        return [found[suite] for suite in range(len(found))]

    def test_shares_are_those_of_the_law(self):
        self.write({"process": {"program": str(MODULES / "climb.so"), "count": 1}, "seed": 5, "cases": 30, "case": 1000, "events": 100000, "faults": ["crash"],
                    "generators": ["random"], "corridor": ["structure observed", "attribute height: integer", "invariant low: all(a in agents: a.height < 1000)"],
                    "environment": {"profile": {"states": ["storm", "calm"], "start": "storm", "transitions": CHANGES},
                                    "states": {state: {"crash": 1, "input": 0} for state in CHANGES}},
                    "traps": {"high": "any(a in agents: a.height >= 3)"}})
        # Simpson's rule over the rate, which is drawn evenly.
        steps = 60
        law = [climb_law.probability(3, 30, CHANGES, "storm", {"storm": 40 * i / steps, "calm": 1}) for i in range(steps + 1)]
        weights = [1 if i in (0, steps) else 4 if i % 2 else 2 for i in range(steps + 1)]
        mean, square = (sum(w * p ** power for w, p in zip(weights, law)) / (3 * steps) for power in (1, 2))
        share = (square - mean ** 2) / (mean * (1 - mean))
        self.assertTrue(0.1 < share < 0.9, share)
        found = self.explore("e.json", "--measure", "max high", "--input", "storm.crash=0:40", "--budget", 4 * 30 * 2000, "--isolate", "never", "-o", "c.h5")
        self.assertEqual((found["storm.crash"]["from"], found["storm.crash"]["to"], found["storm.crash"]["points"]), (0, 40, 2000))
        self.assertIn("configurations of arm program are chosen", self.corridor("decide", "c.h5", "P >= 0.1 [ eventually high ]", code=3).stderr)
        # What rate and chance do together is in both totals: with chance as one more input of a function, rates alone explain `share`.
        self.assertLess(abs(found["storm.crash"]["first"] - share), 0.06)
        self.assertLess(abs(found["chance"]["total"] - (1 - share)), 0.06)

    def test_indices_are_those_of_the_tables(self):
        self.write(stormy())
        words = ("--arm", "lone", "--measure", "sum messages", "--input", "storm.lose=0:0.5", "--input", "storm.crash=0:2", "--input", "calm.delay=1:300")
        shown = self.explore("e.json", *words, "--budget", 6 * 10 * 64, "-o", "x.h5")
        self.assertEqual(self.explore("x.h5"), shown)
        values, points = self.sums("x.h5", "messages"), 64
        self.assertEqual(len(values), 6 * points)
        both = [values[6 * p + r] for p in range(points) for r in (0, 1)]
        mean = sum(both) / len(both)
        variance = sum((y - mean) ** 2 for y in both) / (len(both) - 1)
        for i, name in enumerate(("storm.lose", "storm.crash", "calm.delay", "chance")):
            steps = [(values[6 * p + 1] - mean, values[6 * p + 2 + i] - values[6 * p]) for p in range(points)]
            self.assertAlmostEqual(shown[name]["first"], sum(b * d for b, d in steps) / points / variance, 9)
            self.assertAlmostEqual(shown[name]["total"], sum(d * d for _, d in steps) / (2 * points) / variance, 9)
        self.explore("e.json", *words, "--budget", 6 * 10 * 64, "-j", 3, "-o", "y.h5")
        self.assertEqual(*(self.corridor("show", name, "--hash").stdout for name in ("x.h5", "y.h5")))
        self.assertNotEqual(self.explore("x.h5", "--measure", "sum faults"), shown)
        # A campaign as any other: it is replayed, and what fails in it becomes a test.
        self.assertTrue(json.loads(self.corridor("replay", "x.h5", "--json").stdout)["equal"])
        failing = next(row for row in self.rows("x.h5", "sequences") if row["verdict"] == "failed")
        self.corridor("shrink", "x.h5", "--failure", f"lone/{failing['suite']}/0", "-o", "t.json")
        self.corridor("replay", "t.json", "--expect", "failing")

    def test_rows_are_ordinary_schedules_with_their_numbers(self):
        for number, low, high, levels in (("lose", 0, 0.6, (0, 0.2, 0.4, 0.6)), ("delay", 1, 301, ([1, 1], [1, 101], [1, 201], [1, 301]))):
            with self.subTest(number=number):
                self.write(stormy())
                found = self.explore("e.json", "--arm", "lone", "--measure", "sum messages", "--input", f"storm.{number}={low}:{high}", "--method", "morris",
                                     "--budget", 3 * 10 * 6, "-o", "m.h5", "--force", sheet="morris")
                digests = [row["digest"] for row in self.rows("m.h5", "sequences")]
                self.assertEqual(len(digests), 18)
                plain = []
                for level in levels:  # stream 2p of the way of point p, 2p + 1 of its last row
                    self.write(stormy({number: level}, suites=12, sequences=1), "plain.json")
                    self.corridor("run", "plain.json", "-o", "plain.h5", "--force", code=None)
                    plain.append([row["digest"] for row in self.rows("plain.h5", "sequences") if row["arm"] == "lone"])
                values, effects = self.sums("m.h5", "messages"), []
                for p in range(6):
                    of = [[level for level in range(4) if plain[level][2 * p + (r == 2)] == digests[3 * p + r]] for r in range(3)]
                    self.assertTrue(all(of), (p, of))
                    self.assertTrue(any(abs(a - b) == 2 for a in of[0] for b in of[1]), of)
                    self.assertTrue(set(of[1]) & set(of[2]), of)
                    if all(len(levels_alike) == 1 for levels_alike in of[:2]):
                        effects.append((values[3 * p + 1] - values[3 * p]) * 3 / (of[1][0] - of[0][0]))
                    else:
                        effects.append(None)
                if None not in effects:
                    self.assertAlmostEqual(found[f"storm.{number}"]["mean"], sum(effects) / 6, 5)
                    self.assertAlmostEqual(found[f"storm.{number}"]["star"], sum(map(abs, effects)) / 6, 5)

    def test_it_is_refused_in_so_many_words(self):
        self.write(stormy())
        one = ("--arm", "lone", "--measure", "sum messages")
        said = {
            one: "--input: it is not said which numbers are varied\n  name numbers of states of the environment: --input storm.lose=0:0.3",
            (*one, "--input", "storm.lose=0:1", "--input", "storm.lose=0:0.5"):
                '--input: storm.lose is given twice: "storm.lose=0:1" and "storm.lose=0:0.5"\n  leave one of them out',
            (*one, "--input", "storm.lose"): '"storm.lose" is no input with its range\n  write NAME=LOW:HIGH',
            (*one, "--input", "storm.loss=0:1"): 'e.json: /configurations/inputs/storm.loss: a state of the environment has no number "loss"\n  did you mean "lose"?',
            (*one, "--input", "fog.lose=0:1"): '"fog.lose" is no number of a state of the environment\n  STATE.NUMBER, as in "calm.lose"',
            (*one, "--input", "lose=0:1"): '"lose" is no number of a state of the environment',
            (*one, "--input", "storm.one_sided=0:1"): 'a state of the environment has no number "one_sided"',
            (*one, "--input", "storm.lose=0:2"): "/configurations/inputs/storm.lose/1: is 2, expected 0 to 1",
            (*one, "--input", "storm.lose=0.1:0.1"): "is a range of one value",
            (*one, "--input", "storm.delay=1:2.5"): '"storm.delay" is drawn from whole numbers',
            (*one, "--input", "storm.duplicate=0:1"): 'state "storm" makes the fault "duplicate", which may not happen',
            (*one, "--input", "storm.lose=0:1", "--budget", "10"): "10 test cases are too few",
            (*one, "--input", "storm.lose=0:1", "--method", "patterns"): "patterns are explored for algorithms alone\n  sobol, or morris",
            ("--arm", "lone", "--input", "storm.lose=0:1"): "it is not said what is to be explained",
            ("--measure", "sum messages", "--input", "storm.lose=0:1"): "has 2 arms; choose one with --arm\n  known: sound, lone",
            ("--arm", "alone", "--measure", "sum messages", "--input", "storm.lose=0:1"): 'the experiment has no arm "alone"\n  did you mean "lone"?',
            ("--arm", "lone", "--measure", "sum moved", "--input", "storm.lose=0:1"): '--measure: column 1 of "moved": "moved" is no column of schedules',
        }
        for words, part in said.items():
            with self.subTest(words=words):
                self.assertIn(part, self.corridor("explore", "e.json", *words, code=3).stderr)
        self.write(stormy({"torn": 0.2, "crash": 1}, faults=["lose", "crash", "crash-torn", "crash-lost"]))
        both = ("--input", "storm.torn=0:0.6", "--input", "storm.lost_cell=0:0.6")
        self.assertIn('"torn" and "lost_cell" are 1.2 together', self.corridor("explore", "e.json", *one, *both, code=3).stderr)
        # Rows are no sample: nothing is decided or estimated by them.
        self.write(stormy())
        self.corridor("explore", "e.json", *one, "--input", "storm.lose=0:0.5", "--method", "morris", "--budget", 200, "-o", "m.h5")
        chosen = "configurations of arm lone are chosen, not drawn"
        self.assertIn(chosen, self.corridor("decide", "m.h5", "P >= 0.5 [ eventually failed ]", code=3).stderr)
        design = {"design": "morris", "points": 4, "inputs": {"storm.lose": [0, 0.5]}}
        self.write(stormy(configurations=design))
        self.assertIn("a design is of one arm, and there are 2", self.corridor("run", "e.json", "-o", "n.h5", code=3).stderr)
        self.assertIn(chosen, self.corridor("decide", "e.json", "P >= 0.5 [ eventually failed ]", "--arm", "lone", code=3).stderr)
        self.write({**stormy(configurations=design, suites=13), "arms": {"lone": {"fault": "lone_decision"}}})
        self.assertIn("is a design of 12 rows, each a suite: there are more suites", self.corridor("run", "e.json", "-o", "n.h5", code=3).stderr)
        self.write({**stormy(configurations=design, suites=12), "arms": {"lone": {"fault": "lone_decision"}}})
        self.assertIn(chosen, self.corridor("estimate", "e.json", "--arm", "lone", "--failure", "agreed", "--budget", 1000, code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
