#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks to conditions against all walks of small profiles, one by one."""
import fractions
import itertools
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

CORRIDOR = sys.argv.pop(1) if len(sys.argv) > 1 else "corridor"
RANDOM = random.Random(14)
DRAWN = 20


def draw_profile(states):
    """Probabilities in eighths, so that sums and products are exact in fractions; some arcs do not exist."""
    rows = {}
    for state in states:
        shares = [0] * len(states)
        for _ in range(8):
            shares[RANDOM.randrange(len(states))] += 1
        rows[state] = {to: share / 8 for to, share in zip(states, shares) if share}
    return {"states": states, "start": {states[0]: 0.75, states[-1]: 0.25} if len(states) > 1 else states[0],
            "transitions": rows}


def experiment(folder, environments, cases, relevant=None):
    types = {}
    for name, profile in environments.items():
        types["at " + name] = {"environment": name, "states": {"on": 0.9, "off": 0.1},
                               "influence": {}, **({"relevant": relevant[name]} if relevant else {})}
    model = {"corridor_model": 1, "agents": 6, "environments": {n: {"profile": p} for n, p in environments.items()},
             "types": types, "invariant": {"threshold": 0.5}}
    path = pathlib.Path(folder) / "experiment.json"
    path.write_text(json.dumps({"corridor_experiment": 1, "name": "small", "seed": 1, "suites": 1, "sequences": 1,
                                "cases": cases, "model": model, "arms": [{"name": "A", "algorithm": "random"}]}))
    return path


def ask(path, condition, *options, code=0):
    done = subprocess.run([CORRIDOR, "profile", "walk", path, "--to", condition, "--json", *options],
                          capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)["sheets"] if code == 0 else done.stderr


def chance(profile, walk):
    """Of one chain's walk."""
    p = fractions.Fraction(profile["start"].get(walk[0], 0)) if isinstance(profile["start"], dict) else \
        fractions.Fraction(int(walk[0] == profile["start"]))
    for a, b in zip(walk, walk[1:]):
        p *= fractions.Fraction(profile["transitions"][a].get(b, 0))
    return p


def brute_force(environments, holds, cases):
    """All walks of all chains over all cases: first hits, and the best walk to a hit at each case."""
    names = list(environments)
    first = [fractions.Fraction(0)] * (cases + 1)
    best = [fractions.Fraction(0)] * (cases + 1)
    chains = [[(w, chance(environments[n], w)) for w in itertools.product(environments[n]["states"], repeat=cases + 1)]
              for n in names]
    chains = [[(w, p) for w, p in chain if p > 0] for chain in chains]
    for together in itertools.product(*chains):
        p = math.prod((p for _, p in together), start=fractions.Fraction(1))
        now = [dict(zip(names, step)) for step in zip(*(w for w, _ in together))]
        hits = [t for t in range(1, cases + 1) if holds(now[t - 1], now[t])]
        if hits:
            first[hits[0]] += p
        for t in hits:
            begin = math.prod((chance(environments[n], w[:t + 1]) for n, (w, _) in zip(names, together)),
                              start=fractions.Fraction(1))
            best[t] = max(best[t], begin)
    return first, best


class Walks(unittest.TestCase):
    def check(self, environments, condition, holds, cases, folder, relevant=None):
        shown = ask(experiment(folder, environments, cases, relevant), condition)
        first, best = brute_force(environments, holds, cases)
        walks = {row["walk"]: row for row in shown["walks"]["rows"]}
        if not any(best):
            self.assertIsNone(walks["likeliest"]["cases"], condition)
            self.assertEqual(shown["reach"]["row"]["probability"], 0)
            return
        likeliest, shortest = best.index(max(best)), next(t for t, p in enumerate(best) if p)
        self.assertEqual((walks["likeliest"]["cases"], walks["likeliest"]["probability"]),
                         (likeliest, float(best[likeliest])), condition)
        self.assertEqual((walks["shortest"]["cases"], walks["shortest"]["probability"]),
                         (shortest, float(best[shortest])), condition)
        for walk in walks.values():
            self.assertEqual(math.ldexp(walk["mantissa"], -walk["halvings"]), walk["probability"])
        self.assertAlmostEqual(shown["reach"]["row"]["probability"], float(sum(first)), 13)
        self.assertAlmostEqual(shown["reach"]["row"]["expected_case"],
                               float(sum(t * p for t, p in enumerate(first)) / sum(first)), 12)
        for row, p in zip(shown["cases"]["rows"], first[1:]):
            self.assertAlmostEqual(row["first"], float(p), 14)
        for name, row in walks.items():
            steps = [s for s in shown["steps"]["rows"] if s["walk"] == name]
            spoken = {s["environment"] for s in steps}
            now = [{s["environment"]: s["state"] for s in steps if s["case"] == t} for t in range(row["cases"] + 1)]
            if spoken == set(environments):
                self.assertTrue(holds(now[-2], now[-1]), condition)
            taken = math.prod((chance(environments[e], [step[e] for step in now]) for e in spoken),
                              start=fractions.Fraction(1))
            self.assertEqual(float(taken), row["probability"], condition)

    def test_drawn_profiles_and_conditions_as_all_their_walks_say(self):
        for number in range(DRAWN):
            a, b = draw_profile(["p", "q", "r"][:RANDOM.randint(2, 3)]), draw_profile(["x", "y"])
            state, other, x = RANDOM.choice(a["states"]), RANDOM.choice(a["states"]), RANDOM.choice("xy")
            conditions = [
                (f"a = '{state}' and b = '{x}'", lambda _, now: now["a"] == state and now["b"] == x),
                (f"a = '{state}' or b = '{x}'", lambda _, now: now["a"] == state or now["b"] == x),
                (f"before.a = '{state}' and a = '{other}' and b != '{x}'",
                 lambda before, now: before["a"] == state and now["a"] == other and now["b"] != x),
                (f"not (a = '{state}' or before.b = '{x}')",
                 lambda before, now: not (now["a"] == state or before["b"] == x)),
                (f"a != before.a implies b = '{x}'", lambda before, now: now["a"] == before["a"] or now["b"] == x),
            ]
            condition, holds = conditions[number % len(conditions)]
            with tempfile.TemporaryDirectory() as folder:
                self.check({"a": a, "b": b}, condition, holds, 4, folder)

    def test_relevant_states_stand_for_all_their_states(self):
        a = draw_profile(["p", "q", "r"])
        relevant = {"a": {"low": ["p", "q"], "high": ["r"]}}
        with tempfile.TemporaryDirectory() as folder:
            self.check({"a": a}, "before.a = 'low' and a = 'high'",
                       lambda before, now: before["a"] in "pq" and now["a"] == "r", 5, folder, relevant)
            self.check({"a": a}, "a != 'low'", lambda _, now: now["a"] == "r", 5, folder, relevant)

    def test_a_condition_of_a_walk_beyond_doubles_is_still_the_likeliest(self):
        rare = {"states": ["p", "q"], "start": "p", "transitions": {"p": {"p": 1}, "q": {"p": 1}}}
        steps = [f"s{i}" for i in range(60)]
        ladder = {"states": steps, "start": steps[0],
                  "transitions": {s: {s: 1 - 2**-30, steps[min(i + 1, 59)]: 2**-30} if i < 59 else {s: 1}
                                  for i, s in enumerate(steps)}}
        with tempfile.TemporaryDirectory() as folder:
            path = experiment(folder, {"a": ladder, "b": rare}, 100)
            shown = ask(path, "a = 's59'")
            walk = shown["walks"]["rows"][0]
            self.assertEqual((walk["cases"], walk["probability"], walk["mantissa"], walk["halvings"]),
                             (59, 0, 1, 59 * 30))
            self.assertIsNone(ask(path, "b = 'q'")["walks"]["rows"][0]["cases"])

    def test_large_environments_are_looked_at_apart(self):
        states = [f"s{i}" for i in range(40)]
        big = {"states": states, "start": "s0", "transitions": {s: {t: 1 / 40 for t in states} for s in states}}
        with tempfile.TemporaryDirectory() as folder:
            path = experiment(folder, {"a": big, "b": big, "c": big}, 10)
            shown = ask(path, "a = 's3' and b = 's4' and c = 's5'")
            self.assertEqual(shown["walks"]["rows"][1]["cases"], 1)
            self.assertAlmostEqual(shown["walks"]["rows"][1]["probability"], 40**-3, 15)
            self.assertIsNone(shown["reach"]["row"]["probability"])
            said = ask(path, "a = 's3' or b = 's4'", code=3)
            self.assertIn("more than 1000000 transitions together", said)

    def test_what_cannot_be_asked_is_said(self):
        a = draw_profile(["p", "q"])
        with tempfile.TemporaryDirectory() as folder:
            path = experiment(folder, {"a": a}, 5, {"a": {"any": ["p", "q"]}})
            for condition, said in [
                    ("a = 'z'", "--to: column 3 of \"a = 'z'\": a (a state) is never 'z'"),
                    ("z = 'p'", "--to: column 1 of \"z = 'p'\": there is no \"z\""),
                    ("alarm", "--to: column 1 of \"alarm\": there is no \"alarm\""),
                    ("1 < 2", "--to: speaks of no environment"),
                    ("(a = 'any') = (before.a = 'any')", "'any' stands for several states"),
                    ("a = \"p\"", "words stand in single quotes")]:
                self.assertIn(said, ask(path, condition, code=3), condition)


unittest.main()
