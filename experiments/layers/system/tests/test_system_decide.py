#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor decide of tests of running systems: a policy's random walk in a corridor of rooms on both sides of probabilities that linear equations give
(fractions), beside values that are reckoned again from the tables of the file, and what it refuses, in so many words.

usage: test_system_decide.py CORRIDOR SOURCE [full]"""
import csv
import io
import json
import pathlib
import sys
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

FULL = sys.argv[3:] == ["full"]
LAST, START = 7, 3  # places 1 .. 7 in a row: a pit, and a key
LEVEL = "|w,w,w,w,w,w,w,w,w\nw,f:g^pit,f,f:a^t,f,f,f,f:g^key,w\nw,w,w,w,w,w,w,w,w\n"


def walk(cycles=1500, policy="random", **more):
    """In each cycle a step to either side; it stops in the pit, and is there at the key."""
    steps = [{"action": f"move({way})", "when": "t.x > 1"} for way in ("east", "west")]
    return {"system": {"rooms": "level.csv", "view": 9}, "seed": 4,
            "goals": {"walk": {"goal": f"t.x = {LAST}", "fail_when": "t.x = 1", "tactic": {"any_of": steps}}},
            "states": {"there": f"t.x = {LAST}", "in_the_pit": "t.x = 1", "east": "t.x >= 5"},
            "tests": [{"name": "walk", "cycles": cycles, "agents": [{"name": "t", "goal": "walk", "policy": policy}]}], **more}


def solve(equations):
    """x of rows [a.. | b], by Gauss in fractions."""
    rows, size = [list(map(Fraction, row)) for row in equations], len(equations)
    for i in range(size):
        pivot = next(r for r in range(i, size) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(size):
            if r != i:
                rows[r] = [value - rows[r][i] * of for value, of in zip(rows[r], rows[i])]
    return [row[-1] for row in rows]


def ruin():
    """Of each place the chance to come to the key, and the steps until either end: h(x) = h(x - 1) / 2 + h(x + 1) / 2, e(x) likewise with 1 more."""
    def equation(x, more):
        row = [0] * (LAST + 1)
        row[x - 1] = 1
        if 1 < x < LAST:
            row[x - 2], row[x], row[LAST] = Fraction(-1, 2), Fraction(-1, 2), more
        elif x == LAST:
            row[LAST] = 1 - more
        return row
    return [solve([equation(x, more) for x in range(1, LAST + 1)])[START - 1] for more in (0, 1)]


def within(cycles, wanted):
    """The chance to be in one of these places within so many cycles."""
    at, found = {START: Fraction(1)}, Fraction(START in wanted)
    for _ in range(cycles):
        behind = {}
        for x, share in at.items():
            for to in (x - 1, x + 1):
                if to in wanted:
                    found += share / 2
                elif 1 < to < LAST:
                    behind[to] = behind.get(to, 0) + share / 2
        at = behind
    return found


class Decide(e2e.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "level.csv").write_text(LEVEL)

    def write(self, what, name="e.json"):
        (self.folder / name).write_text(json.dumps(what))

    def decide(self, *words, code=0):
        return json.loads(self.corridor("decide", *words, "--json", code=code).stdout)["sheets"]["decisions"]["rows"]

    def rows(self, name, table):
        return list(csv.DictReader(io.StringIO(self.corridor("export", name, "--table", table).stdout)))

    def test_both_sides_of_exact_probabilities(self):
        key, steps = ruin()
        self.assertEqual((key, steps), (Fraction(START - 1, LAST - 1), (START - 1) * (LAST - START)))
        self.assertLess(abs(within(1500, {LAST}) - key), 1e-12)
        early, wrong, seeds = within(10, {5, 6, 7}), 0, 60 if FULL else 6
        truths = [("eventually there", key), ("verdict = 'pass'", key), ("always not in_the_pit", key), ("eventually[0, 10] east", early), ("eventually failed", 1 - key)]
        asked = [(f"P {relation} {bound:.4f} [ {formula} ]", (relation == ">=") == (bound < truth))
                 for formula, truth in truths for bound in (float(truth) - 0.06, float(truth) + 0.06) for relation in ("<=", ">=")]
        means = [(f"E <= {float(steps) + off} [ cycles ]", off > 0) for off in (-2, 2)]  # of the time until either end
        for seed in range(seeds):
            self.write({**walk(), "seed": seed, "properties": [{"property": text, "indifference": 0.03} for text, _ in asked] + [text for text, _ in means]})
            # What cycles can be is said by the test: an amount of which nobody knows that it is no more takes more tests.
            found = self.decide("e.json", "--most", "4000", code=1)
            self.assertEqual({row["unknown"] for row in found}, {0})
            self.assertEqual([(row["least"], row["most"]) for row in found[-2:]], [(0, 1500)] * 2)
            wrong += sum(row["verdict"] != ("holds" if holds else "does_not_hold") for row, (_, holds) in zip(found, asked))
            self.assertTrue(all(row["verdict"] in ("undecided", "holds" if holds else "does_not_hold") for row, (_, holds) in zip(found[len(asked):], means)))
        self.assertLessEqual(wrong, len(asked) * seeds * 0.01 + 1)

    def test_values_are_those_of_the_tables(self):
        agents = [{"name": name, "goal": "walk", "policy": "random"} for name in ("t", "u")] + [{"name": "o", "observer": True}]
        several = walk(cycles=12, runs=40, always={"dry": "t.x > 1"})
        several["goals"]["walk"] = {"goal": f"t.x = {LAST}", "tactic": {"any_of": [{"action": f"move({way})"} for way in ("east", "west")]}}
        several["tests"][0]["agents"] = agents
        (self.folder / "level.csv").write_text(LEVEL.replace("f:a^t,f", "f:a^t,f:a^u").replace("f,f:g^key", "f:a^o,f:g^key"))
        self.write(several)
        self.corridor("run", "e.json", "-o", "e.h5")
        tests, turns = self.rows("e.h5", "tests"), self.rows("e.h5", "cycles")
        of = [(test, [t for t in turns if t["suite"] == test["suite"]]) for test in tests]
        self.assertTrue(any(test["verdict"] == "fail" for test in tests) and any(test["verdict"] != "fail" for test in tests))
        expected = {"E [ cycles ]": [int(test["cycles"]) for test in tests], "E [ max case ]": [len(its) for _, its in of],
                    "E [ violated ]": [int(test["violated"]) for test in tests],
                    "E [ max tick ]": [max(int(t["tick"]) for t in its) for _, its in of],
                    "P [ verdict = 'fail' ]": [test["verdict"] == "fail" for test in tests], "P [ eventually failed ]": [test["verdict"] == "fail" for test in tests],
                    "E [ sum failed ]": [test["verdict"] == "fail" for test in tests],
                    "P [ eventually (failed and cycle <= 4) ]": [test["verdict"] == "fail" and int(test["decided"]) <= 4 for test in tests],
                    "P [ eventually (test_agent = 'u' and column >= 6) ]": [any(t["test_agent"] == "u" and int(t["column"]) >= 6 for t in its) for _, its in of],
                    "P [ eventually east ]": [any(int(t["state"]) >> 2 & 1 for t in its) for _, its in of],
                    "P [ eventually (turn = 'acted' and action = 'move' and in_the_pit) ]":
                        [any(t["turn"] == "acted" and t["action"] == "move" and int(t["state"]) >> 1 & 1 for t in its) for _, its in of]}
        for text, values in expected.items():
            row, = self.decide("e.h5", text, "--width", "0.00001", code=7)
            self.assertAlmostEqual(row["value"], sum(values) / len(values), 9, text)
            self.assertEqual((row["used"], row["unknown"]), (40, 0), text)

    def test_a_counterexample_is_replayed_and_shrunk(self):
        self.write(walk())
        text = "P >= 0.9 [ always not failed ]"
        row, = self.decide("e.json", text, "-o", "k.h5", code=1)
        self.assertRegex(row["counterexample"], r"^system/\d+$")
        self.assertIn(f"corridor shrink k.h5 --failure {row['counterexample']} -o t.json", " ".join(self.corridor("decide", "k.h5", text, code=1).stdout.split()))  # its lines are wrapped, and the program's path may be long
        self.corridor("replay", "k.h5", "--failure", row["counterexample"])
        self.corridor("shrink", "k.h5", "--failure", row["counterexample"], "-o", "t.json")
        self.corridor("replay", "t.json")

    def test_neither_workers_nor_the_way_change_a_decision(self):
        # A policy that learns within a test begins each with what it was given: tests are the same in any order.
        self.write(walk(policy={"q": {"explore": 0.3, "rate": 0.9}}, stop={"decided": 1}, runs=0, properties=["P >= 0.6 [ eventually there ]"]))
        found = [self.decide("e.json", "P >= 0.6 [ eventually there ]", "-o", f"{jobs}.h5", "-j", jobs, code=1) for jobs in (1, 3)]
        found += [self.decide(f"{jobs}.h5", "P >= 0.6 [ eventually there ]", code=1) for jobs in (1, 3)]
        self.corridor("run", "e.json", "-o", "own.h5")
        found += [self.decide("own.h5", code=1)]
        self.assertEqual(found, [found[0]] * 5)
        hashes = [self.corridor("show", f"{jobs}.h5", "--hash").stdout for jobs in (1, 3)]
        self.assertEqual(hashes[0], hashes[1])

    def test_it_is_refused_in_so_many_words(self):
        self.write(walk(runs=2))
        said = {
            ("P >= 0.5 [ eventually x > 2 ]",): ('"x" is no column of tests', 'name the condition as a state ("states" of the experiment)'),
            ("P >= 0.5 [ eventually ther ]",): ('"ther" is no column of tests', 'did you mean "there"?'),
            ("P >= 0.5 [ eventually action = 'mov' ]",): ("action (word) is never 'mov'", 'did you mean "move"?'),
            ("P >= 0.5 [ eventually cycles ]",): ('"cycles" is a number, not a condition',),
            ("P >= 0.5 [ eventually failed ]", "--given", "1"): ("suites of tests have no configuration that could be given",),
        }
        for words, parts in said.items():
            with self.subTest(words=words):
                done = self.corridor("decide", "e.json", *words, code=3)
                for part in parts:
                    self.assertIn(part, done.stderr)
        # Several tests, and several examples, have a probability each.
        several = walk(runs=2)
        several["tests"] += [{**several["tests"][0], "name": "again"}]
        self.write(several)
        each = 'has 2 tests with their examples, and there is one probability of each\n  leave one in "tests", and one value of each of its "examples"'
        self.assertIn(each, self.corridor("decide", "e.json", "P >= 0.5 [ eventually there ]", code=3).stderr)
        self.write({**several, "runs": 0, "stop": {"half_width": 0.2}})
        self.assertIn(each, self.corridor("run", "e.json", "-o", "w.h5", code=3).stderr)
        self.write({**walk(runs=0), "stop": {"half_width": 0.2, "suites": 40}})
        self.corridor("run", "e.json", "-o", "w.h5", code=None)
        self.write(several)
        self.corridor("run", "e.json", "-o", "e.h5")
        self.assertIn(each, self.corridor("decide", "e.h5", "P >= 0.5 [ eventually there ]", code=3).stderr)
        self.write({**walk(runs=2), "system": {"rooms": "level.csv"}, "examples": {"view": [2, 9]}})
        self.assertIn(each, self.corridor("decide", "e.json", "P >= 0.5 [ eventually there ]", code=3).stderr)
        # A policy that is a program is told its reward, and is one for all tests.
        why = "have no law to decide by: the policy of {} is a program, which may learn from one test for the next: tests are not independent"
        (self.folder / "choose.sh").write_text("while read -r line; do case $line in *hello*) echo '{\"id\":1,\"policy\":\"c\"}';; esac; done\n")
        program = {"program": "sh choose.sh"}
        self.write(walk(policy=program))
        self.assertIn(why.format("t"), self.corridor("decide", "e.json", "P >= 0.5 [ eventually there ]", code=3).stderr)
        self.write(walk(arms=[{"name": "own", "policy": "random"}, {"name": "asks", "policy": program}]))
        self.assertIn(why.format("the arm"), self.corridor("decide", "e.json", "P >= 0.5 [ eventually there ]", code=3).stderr)
        self.decide("e.json", "P >= 0.2 [ eventually there ]", "--arm", "own")
        self.write(walk(runs=0))
        self.assertIn("/runs: is 0, expected 1 to 1000000", self.corridor("run", "e.json", "-o", "n.h5", code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
