#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor estimate of distributed programs: beside exact probabilities of all schedules (two_phase_law.py), beside what a campaign counts, and
what it refuses, in so many words. test_programs.py CORRIDOR MODULES [full]"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import climb_law
import two_phase_law as law

CORRIDOR, MODULES = (os.path.abspath(word) for word in sys.argv[1:3])
FULL = sys.argv[3:] == ["full"]
in_full = (lambda test: test) if FULL else lambda test: None
LINES = ["structure observed", "attribute voted: integer", "attribute stored: integer", "attribute committed: integer", "attribute aborted: integer", "channel outcome",
         "invariant agreed: agree(outcome)", "invariant stored_first: all(a in agents: a.stored >= a.voted)"]
COMMITTED, ABORTED = "any(a in agents: a.committed >= 1)", "count(a in agents where a.aborted >= 1) >= 3"
CHANGES = {"storm": {"storm": 0.95, "calm": 0.05}, "calm": {"storm": 0.1, "calm": 0.9}}
CRASHES = {"storm": 30, "calm": 0}
STORM = {"delay": [1, 200], "lose": 0.1, "crash": 0.5, "down": [100, 900]}


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def call(self, what, *words, code=0):
        with open(os.path.join(self.folder.name, "e.json"), "w", encoding="utf-8") as file:
            json.dump(what, file)
        done = subprocess.run([CORRIDOR, *words], cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def estimate(self, what, *options):
        return json.loads(self.call(what, "estimate", "e.json", "--json", *options).stdout)

    def rows(self, name, table):
        return list(csv.DictReader(io.StringIO(subprocess.run([CORRIDOR, "export", name, "--table", table], cwd=self.folder.name, stdout=subprocess.PIPE,
                                                              check=True, text=True).stdout)))

    def small(self, events, **more):
        return {"process": {"program": "two_phase", "count": 3}, "seed": 3, "suites": 100, "sequences": 10, "cases": 1, "case": 1000000000, "events": events, "faults": [],
                "generators": ["random"], "corridor": LINES, "traps": {"committed": COMMITTED, "aborted": ABORTED}, **more}

    def test_estimates_hold_the_exact_probability(self):
        cases = [("committed", 8, lambda s: any(s.committed(p) for p in range(3)), ["any(a in agents: a.voted >= 1); count(a in agents where a.voted >= 1) >= 2",
                                                                                    "count(a in agents where a.voted >= 1) >= 2"]),
                 ("aborted", 6, lambda s: all(law.ABORTED in standing.values() for standing in s.standing), [ABORTED, "aborted"])]
        for trap, events, is_there, levels in cases:
            truth, found = law.probability(is_there, events), []
            for options in [["--budget", "10000"], *[["--method", "splitting", "--budget", "20000", "--level", level] for level in levels]]:
                it = self.estimate(self.small(events), "--failure", trap, *options)
                self.assertLess(abs(it["probability"] - truth), 1.3 * (it["high"] - it["low"]), (trap, options, it, truth))
                self.assertLess(it["high"] - it["low"], truth, (trap, options))
                found.append(it)
            for it in found[1:]:  # the two ways agree
                self.assertLess(max(it["low"], found[0]["low"]), min(it["high"], found[0]["high"]), (trap, found))

    def climb(self, height, cases, seed=3):
        """A program that is to climb so high, while crashes come with the weather; and the exact probability that it does."""
        profile = {"states": ["storm", "calm"], "start": "storm", "transitions": CHANGES}
        what = {"process": {"program": os.path.join(MODULES, "climb.so"), "count": 1}, "seed": seed, "suites": 100, "sequences": 1, "cases": cases, "case": 1000, "events": 100000,
                "faults": ["crash"], "generators": ["random"], "corridor": ["structure observed", "attribute height: integer", "invariant low: all(a in agents: a.height < 1000)"],
                "environment": {"profile": profile, "states": {state: {"crash": rate, "input": 0} for state, rate in CRASHES.items()}},
                "traps": {"high": f"any(a in agents: a.height >= {height})"}}
        return what, climb_law.probability(height, cases, CHANGES, "storm", CRASHES)

    def by_levels(self, what, heights, budget):
        levels = "; ".join(f"any(a in agents: a.height >= {height})" for height in heights)
        return self.estimate(what, "--failure", "high", "--isolate", "never", "--method", "splitting", "--level", levels, "--budget", str(budget))

    def test_weather_that_changes_is_a_part_of_the_law(self):
        what, truth = self.climb(4, 12)
        for it in (self.estimate(what, "--failure", "high", "--isolate", "never", "--budget", "100000"), self.by_levels(what, (1, 2, 3), 400000 if FULL else 100000)):
            self.assertLess(abs(it["probability"] - truth), 0.65 * (it["high"] - it["low"]), (it, truth))
            self.assertLess(it["high"] - it["low"], truth / (4 if FULL else 2), it)

    @in_full
    def test_splitting_pays_where_failing_is_rare(self):
        what, truth = self.climb(16, 20)
        it = self.by_levels(what, range(1, 16), 1500000)
        self.assertLess(abs(it["probability"] - truth), 1.3 * (it["high"] - it["low"]), (it, truth))
        deviation = (it["high"] - it["low"]) / 2 / 1.96
        needed = truth * (1 - truth) / deviation ** 2 * 20  # cases of plain sampling, for the same spread
        self.assertGreater(needed, 100 * it["cases"], (it, truth, needed))

    def test_plain_counts_what_the_campaign_counts(self):
        what = {"process": {"program": "two_phase", "count": 3}, "seed": 7, "suites": 20, "sequences": 5, "cases": 20, "corridor": LINES,
                "environment": {"states": {"storm": STORM}}, "traps": {"many": "any(a in agents: a.aborted >= 3)"},
                "generators": ["timed", "burst", "swarm"], "arms": {"lone": {"fault": "lone_decision"}, "early": {"fault": "early_vote"}}}
        self.call(what, "run", "e.json", "-o", "e.h5")
        sequences, met = self.rows("e.h5", "sequences"), self.rows("e.h5", "met")
        for arm, failure in (("lone", "agreed"), ("lone", "any"), ("lone", "many"), ("lone", "stored_first"), ("early", "stored_first"), ("early", "crash")):
            if failure == "crash":
                self.assertIn("is no constraint of the corridor", self.call(what, "estimate", "e.json", "--arm", arm, "--failure", failure, code=3).stderr)
                continue
            hits = [r["suite"] for r in met if r["arm"] == arm] if failure == "many" else \
                   [r["suite"] for r in sequences if r["arm"] == arm and (r["violated"] != "-" if failure == "any" else r["violated"] == failure)]
            of_sequence, of_suite = self.estimate(what, "--arm", arm, "--failure", failure)["probabilities"]
            self.assertEqual((of_sequence["failed"], of_sequence["observed"]), (len(hits), 100), (arm, failure))
            self.assertEqual((of_suite["failed"], of_suite["observed"]), (len(set(hits)), 20), (arm, failure))

    def test_neither_workers_nor_walls_change_an_estimate(self):
        what = self.small(12, suites=100 if FULL else 25, faults=["lose", "crash"], arms={"timed": {"generator": "timed", "cases": 5, "case": 1000, "events": 500}, "swarm": {"generator": "swarm"}, "burst": {"generator": "burst"}})
        for arm, level in (("timed", "any(a in agents: a.aborted >= 1); any(a in agents: a.aborted >= 2)"), ("swarm", "committed"), ("burst", None)):
            options = ["--arm", arm, "--failure", "aborted", "--method", "splitting", "--effort", "20" if FULL else "10", *(["--level", level] if level else [])]
            found = [self.estimate(what, *options, *more) for more in (["-j1"], ["-j3"], ["--isolate", "always"])]
            self.assertEqual(found[0], found[1])
            self.assertEqual(found[0], found[2])

    def test_it_is_refused_in_so_many_words(self):
        what = self.small(8, watch=["agreed"], arms={"random": {}, "bare": {"traps": {}}, **{name: {"generators": ["timed", name]} for name in ("pct", "rounds", "search")}})
        law_of = 'corridor: invalid input: e.json:1:1: /: schedules of arm "{0}" have no law to estimate by: of generator "{0}", {1}\n' \
                 "  name an arm with generators timed, random, burst or swarm\n"
        known = "known: any, agreed, stored_first, committed, aborted"
        said = {
            ("pct",): law_of.format("pct", "it draws orders that are to be rare, not such as surroundings make"),
            ("rounds",): law_of.format("rounds", "it makes what it was made to find"),
            ("search",): law_of.format("search", "it learns from one schedule for the next, so that they are not independent"),
            ("random", "--method", "likelihood"): 'corridor: invalid input: e.json:1:1: /: method "likelihood" changes walks, parameters and draws of algorithms, and the '
                                                  'experiment is of a distributed program\n  method "plain" or "splitting"\n',
            ("random", "--trap", "aborted"): 'corridor: invalid input: e.json:1:1: /: "trap", "tilt" and "region" change the law: method "plain" follows it\n  method "likelihood"\n',
            ("random", "--failure", "agree"): f'corridor: invalid input: e.json:1:1: /: "agree" is no constraint of the corridor, no end of a process and no trap of arm "random"\n'
                                              f'  did you mean "agreed"? {known}\n',
            ("random", "--failure", "stored_first"): 'corridor: invalid input: e.json:1:1: /: constraint "stored_first" is not watched in arm "random": nothing violates it\n'
                                                     '  name it in "watch", too, or leave "watch" out\n',
            ("bare", "--method", "splitting", "--failure", "agreed"):
                'corridor: invalid input: e.json:1:1: /: splitting needs a level function: of "agreed" no schedule can be said to come nearer to it\n  "level": a condition over what processes show, or '
                                               'several, the nearest to failing last; or "traps" in the experiment\n',
            ("random", "--method", "splitting", "--level", "a; ; b"): "corridor: invalid input: e.json: /level: condition 2 of the level is empty\n"
                                                                      "  conditions with one semicolon between them\n",
            ("random", "--method", "splitting", "--level", "any(a in agents: a.votes > 3)"):
                'corridor: invalid input: e.json: /level: column 20 of "any(a in agents: a.votes > 3)": there is no "votes" of an agent\n'
                '  did you mean "voted"? known: voted, stored, committed, aborted\n',
            ("random", "--method", "splitting", "--level", "voted_never; aborted", "--failure", "committed"):
                'corridor: invalid input: e.json: /level: column 1 of "voted_never": there is no "voted_never"\n  known: agents\n',
        }
        for (arm, *options), message in said.items():
            with self.subTest(arm=arm, options=options):
                self.assertEqual(self.call(what, "estimate", "e.json", "--arm", arm, *options, code=3).stderr, message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
