#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor decide of distributed programs: on both sides of exact probabilities (climb_law.py, two_phase_law.py), beside values that are reckoned again
from the tables of the file, and what it refuses, in so many words.

usage: test_process_decide.py CORRIDOR SOURCE MODULES [full]"""
import csv
import io
import json
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "experiments/layers/estimation/tests")]
import climb_law  # noqa: E402
import e2e  # noqa: E402
import two_phase_law as law  # noqa: E402

MODULES = pathlib.Path(sys.argv[3]).resolve()
FULL = sys.argv[4:] == ["full"]
CORRIDOR = ["structure observed", "attribute voted: integer", "attribute stored: integer", "attribute aborted: integer", "channel outcome",
            "invariant agreed: agree(outcome)"]
STORM = {"delay": [1, 200], "lose": 0.1, "crash": 0.5, "down": [100, 900]}
PROFILE = {"states": ["calm", "storm"], "transitions": {"calm": {"calm": 0.7, "storm": 0.3}, "storm": {"calm": 0.5, "storm": 0.5}}}
LONE_AT_NINE = 0.017133553121211398  # law.probability(law.differ, 9, law.Lone())
CHANGES, CRASHES = {"storm": {"storm": 0.95, "calm": 0.05}, "calm": {"storm": 0.1, "calm": 0.9}}, {"storm": 30, "calm": 0}


def stormy(**more):
    return {"process": {"program": "two_phase", "count": 3}, "seed": 7, "suites": 30, "sequences": 2, "cases": 20, "case": 1000, "corridor": CORRIDOR,
            "environment": {"profile": PROFILE, "states": {"calm": {}, "storm": STORM}}, "traps": {"many": "any(a in agents: a.aborted >= 3)"}, **more}


def nine(**more):
    """Schedules of nine events, of which none comes to an end."""
    return {"process": {"program": "two_phase", "count": 3}, "seed": 3, "cases": 1, "case": 1000000000, "events": 9, "faults": [], "generators": ["random"],
            "corridor": CORRIDOR, "arms": {"sound": {}, "lone": {"fault": "lone_decision"}}, **more}


class Decide(e2e.Case):
    def write(self, what, name="e.json"):
        (self.folder / name).write_text(json.dumps(what))

    def decide(self, *words, code=0):
        return json.loads(self.corridor("decide", *words, "--json", code=code).stdout)["sheets"]["decisions"]["rows"]

    def rows(self, name, table):
        return list(csv.DictReader(io.StringIO(self.corridor("export", name, "--table", table).stdout)))

    def test_both_sides_of_an_exact_probability(self):
        truth, wrong, seeds = climb_law.probability(3, 12, CHANGES, "storm", CRASHES), 0, 1000 if FULL else 20
        claims = [(f"P {relation} {bound:.4f} [ eventually high ]", (relation == ">=") == (bound < truth)) for bound in (truth - 0.08, truth + 0.08) for relation in ("<=", ">=")]
        for seed in range(seeds):
            self.write({"process": {"program": str(MODULES / "climb.so"), "count": 1}, "seed": seed, "cases": 12, "case": 1000, "events": 100000, "faults": ["crash"],
                        "generators": ["random"], "corridor": ["structure observed", "attribute height: integer", "invariant low: all(a in agents: a.height < 1000)"],
                        "environment": {"profile": {"states": ["storm", "calm"], "start": "storm", "transitions": CHANGES},
                                        "states": {state: {"crash": rate, "input": 0} for state, rate in CRASHES.items()}},
                        "traps": {"high": "any(a in agents: a.height >= 3)"}, "properties": [{"property": text, "indifference": 0.04} for text, _ in claims]})
            found = self.decide("e.json", "--isolate", "never", code=1)
            self.assertEqual([row["property"] for row in found], [text for text, _ in claims])
            self.assertEqual({row["unknown"] for row in found}, {0})
            wrong += sum(row["verdict"] != ("holds" if holds else "does_not_hold") for row, (_, holds) in zip(found, claims))
        self.assertLessEqual(wrong, len(claims) * seeds * 0.01 + 1)

    def test_what_was_cut_is_unknown(self):
        self.write(nine())
        if FULL:
            self.assertAlmostEqual(law.probability(law.differ, 9, law.Lone()), LONE_AT_NINE, 12)
        asked, claimed = "[ eventually violated == 'agreed' ]", ["--arm", "lone", "--indifference", "0.002"]
        self.assertEqual([row["verdict"] for row in self.decide("e.json", f"P >= 0.006 {asked}", *claimed)], ["holds"])
        self.assertEqual([row["verdict"] for row in self.decide("e.json", f"P <= 0.006 {asked}", *claimed, code=1)], ["does_not_hold"])
        # All that were cut might come to it: no bound above is violated, and none below 1 holds.
        most = 6000 if FULL else 1200
        for claim in ("P >= 0.05", "P <= 0.05"):
            row, = self.decide("e.json", f"{claim} {asked}", *claimed, "--most", most, "-o", "k.h5", "--force", code=7)
            self.assertEqual((row["verdict"], row["used"] + row["unknown"]), ("undecided", most))
            self.assertLess(abs(row["used"] - most * LONE_AT_NINE), 4 * (most * LONE_AT_NINE) ** 0.5, row)
            self.assertEqual(self.decide("k.h5", f"{claim} {asked}", *claimed, code=7), [row])
        for never in ("always not failed", "always not violated == 'agreed'", "eventually events < 100"):  # not satisfied silently
            row, = self.decide("k.h5", f"P >= 0.5 [ {never} ]", "--arm", "lone", code=7)
            self.assertEqual(row["verdict"], "undecided", never)
        self.assertEqual(self.decide("k.h5", "E [ sum events ]", "--arm", "lone", code=7)[0]["verdict"], "undecided")

    def test_values_are_those_of_the_tables(self):
        self.write(stormy(log="cases", arms={"sound": {}, "lone": {"fault": "lone_decision"}}))
        self.corridor("run", "e.json", "-o", "e.h5")
        sequences, cases, met = self.rows("e.h5", "sequences"), self.rows("e.h5", "cases"), self.rows("e.h5", "met")

        def of(table, row):
            return [r for r in table if all(r[key] == row[key] for key in ("arm", "suite", "sequence"))]
        for arm in ("sound", "lone"):
            first = [row for row in sequences if row["arm"] == arm and row["sequence"] == "0"]
            self.assertEqual(len(first), 30)
            self.assertTrue(all(row["cut"] == "0" and row["open"] == "0" for row in first), "all are known")

            def number(fold, column):
                return [fold(int(case[column]) for case in of(cases, row)) for row in first]
            expected = {"E [ sum messages ]": number(sum, "messages"), "E [ max faults ]": number(max, "faults"), "E [ sum events ]": number(sum, "events"),
                        "P [ eventually violated == 'agreed' ]": [row["violated"] == "agreed" for row in first],
                        "P [ eventually failed ]": [row["verdict"] == "failed" for row in first],
                        "P [ eventually many ]": [bool(of(met, row)) for row in first],
                        "P [ eventually (many and case <= 10) ]": [any(int(m["case"]) <= 10 for m in of(met, row)) for row in first],
                        "P [ eventually weather == 'storm' and messages > 5 ]":
                            [any(c["weather"] == "storm" for c in of(cases, row)) and int(of(cases, row)[0]["messages"]) > 5 for row in first],
                        "P [ always whole ]": [all(c["whole"] == "1" for c in of(cases, row)) for row in first]}
            for text, values in expected.items():
                row, = self.decide("e.h5", text, "--arm", arm, "--width", "0.00001", code=7)
                self.assertAlmostEqual(row["value"], sum(values) / len(values), 9, (arm, text))
                self.assertEqual((row["used"], row["unknown"]), (30, 0), (arm, text))
            self.assertGreater(sum(expected["P [ eventually many ]"]), 0)
        # A violation stands in its case, and in no other; a key leads to it.
        failing = next(row for row in sequences if row["arm"] == "lone" and row["sequence"] == "0" and row["violated"] == "agreed")
        row, = self.decide("e.h5", "P >= 0.99 [ always violated != 'agreed' ]", "--arm", "lone", code=None)
        self.assertEqual(row["counterexample"], f"lone/{failing['suite']}/0/{failing['violated_case']}")
        self.corridor("shrink", "e.h5", "--failure", row["counterexample"], "-o", "t.json")
        more, = self.decide("e.h5", "E [ sum messages ]", "--arm", "lone", "--minus", "sound", "--width", "0.00001", code=7)
        of_arm = {arm: {row["suite"]: sum(int(c["messages"]) for c in of(cases, row)) for row in sequences if row["arm"] == arm and row["sequence"] == "0"} for arm in ("sound", "lone")}
        self.assertAlmostEqual(more["value"], sum(of_arm["lone"][s] - of_arm["sound"][s] for s in of_arm["sound"]) / 30, 9)

    def test_neither_workers_nor_the_way_change_a_decision(self):
        self.write(stormy(arms={"sound": {}, "lone": {"fault": "lone_decision"}}))
        text = "P >= 0.97 [ always not failed ]"
        found = [self.decide("e.json", text, "--arm", "lone", "-o", f"{jobs}.h5", "-j", jobs, code=1) for jobs in (1, 3)]
        found += [self.decide(f"{jobs}.h5", text, code=1) for jobs in (1, 3)]
        self.assertEqual(found, [found[0]] * 4)
        self.assertEqual(found[0][0]["verdict"], "does_not_hold")

    def test_it_is_refused_in_so_many_words(self):
        laws = {"pct": "it draws orders that are to be rare, not such as surroundings make", "rounds": "it makes what it was made to find",
                "search": "it learns from one schedule for the next, so that they are not independent"}
        self.write(stormy(arms={"lone": {"fault": "lone_decision"}, **{name: {"generators": ["timed", name]} for name in laws}}))
        self.assertIn(f'schedules of arm "pct" have no law to decide by: of generator "pct", {laws["pct"]}\n  leave out the arm, or "half_width"\n',
                      self.corridor("run", "e.json", "-o", "w.h5", "--stop-half-width", "0.1", code=3).stderr)
        instead = "name the condition as a trap"
        said = {
            **{("P >= 0.5 [ eventually failed ]", "--arm", name): f'schedules of arm "{name}" have no law to decide by: of generator "{name}", {why}' for name, why in laws.items()},
            ("P >= 0.5 [ eventually term ]",): ('"term" is no column of schedules', instead),
            ("P >= 0.5 [ eventually term > 3 ]",): ('"term" is no column of schedules', instead),
            ("P >= 0.5 [ always inside ]",): ('"inside" is no column of schedules', "violated == 'NAME'"),
            ("E [ sum alarm ]",): ('"alarm" is no column of schedules', instead),
            ("E [ max moved ]",): ('"moved" is no column of schedules', instead),
            ("P >= 0.5 [ eventually agreed ]",): ('"agreed" is no column of schedules', "violated == 'NAME'"),
            ("P >= 0.5 [ eventually mony ]",): ('"mony" is no column of schedules', 'did you mean "many"?'),
            ("P >= 0.5 [ eventually violated == 'agree' ]",): ("violated (word) is never 'agree'", 'did you mean "agreed"?'),
            ("P >= 0.5 [ eventually violated == '-' ]",): "violated (word) is never '-'",
            ("P >= 0.5 [ eventually end == 'crash' ]",): ("end (word) is never 'crash'", "known: signal, abort, exit"),
            ("P >= 0.5 [ eventually weather == 'fog' ]",): ("weather (word) is never 'fog'", "known: calm, storm"),
            ("P >= 0.5 [ eventually messages ]",): '"messages" is a number, not a condition',
            ("P >= 0.5 [ eventually violated ]",): '"violated" is a word, not a condition',
            ("P >= 0.5 [ true ]",): "there is nothing to decide",
            ("P >= 0.5 [ eventually failed ]", "--arm", "nobody"): 'the experiment has no arm "nobody"',
            ("P >= 0.5 [ eventually failed ]", "--arm", "lone", "--given", "1"): "suites of schedules have no configuration that could be given",
        }
        for words, parts in said.items():
            with self.subTest(words=words):
                done = self.corridor("decide", "e.json", *words, *([] if "--arm" in words else ["--arm", "lone"]), code=3)
                for part in [parts] if isinstance(parts, str) else parts:
                    self.assertIn(part, done.stderr)
        # Of a file, too; and where cases were not kept nothing is decided.
        self.corridor("run", "e.json", "-o", "e.h5", "--suites", "2", code=None)
        self.assertIn("were not kept", self.corridor("decide", "e.h5", "E [ sum messages ]", "--arm", "lone", code=3).stderr)
        self.write(stormy(log="cases", suites=2, arms={"pct": {"generator": "pct"}}))
        self.corridor("run", "e.json", "-o", "p.h5")
        self.assertIn(laws["pct"], self.corridor("decide", "p.h5", "E [ sum messages ]", code=3).stderr)
        self.assertIn("have no configuration", self.corridor("decide", "p.h5", "E [ sum messages ]", "--given", "1", code=3).stderr)
        self.write(stormy(properties=["P >= 0.5 [ eventually failed ]"]))
        self.assertIn('"log": "cases"', self.corridor("run", "e.json", "-o", "n.h5", code=3).stderr)
        self.write(stormy(suites=0))
        self.assertIn("/suites: is 0, expected 1 to 1000000", self.corridor("run", "e.json", "-o", "n.h5", code=3).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
