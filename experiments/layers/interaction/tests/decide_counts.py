#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often decisions are wrong, and how many sequences they use: a thousand of each kind, as arms of one experiment.

usage: decide_counts.py CORRIDOR LIBRARY [CHAINS DECISIONS]

Two agents, a partition each, perceive chains of their own by a profile of the library; there is an alarm exactly when
one chain is in the first states of the profile and the other is not. The probability that none comes in so many cases
is a product of matrices; it shares no code with the program. Arms draw independently, so each of them is a decision of
its own. The bound is put where the probability lies at the edge of the region of indifference: errors are then as
frequent as they may be. How frequent they are, and how many sequences a decision takes, is known exactly, too: a test
walks over the numbers of ones, and the law of that walk is computed step by step."""
import json
import math
import os
import subprocess
import sys
import tempfile

CORRIDOR, LIBRARY = sys.argv[1:3]
CHAINS, DECISIONS = (int(word) for word in sys.argv[3:5]) if len(sys.argv) > 3 else (2, 100)
CASES, ERROR = 4, 0.01


def chains():
    """(profile, number of its first states that count as low), of different laws."""
    for name in ("wind_2010", "biogas", "choptank_discharge", "greensboro_wind", "greensboro_radiation"):
        with open(os.path.join(LIBRARY, name + ".json")) as file:
            profile = json.load(file)
        for cut in range(1, len(profile["states"])):
            yield name, profile, cut


def stationary(step):
    """The law that a step leaves as it is: law (T - 1) = 0 and a sum of 1, by elimination."""
    n = len(step)
    rows = [[step[a][b] - (a == b) for a in range(n)] + [0.0] for b in range(n - 1)] + [[1.0] * n + [1.0]]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i])]
    return [row[n] for row in rows]


def exact(profile, cut):
    """The probability of an alarm in some case: 1 - start * (T restricted to pairs of one side) ^ CASES."""
    states = profile["states"]
    step = [[profile["transitions"][a].get(b, 0) for b in states] for a in states]
    assert profile["start"] == "stationary"
    law = stationary(step)
    pairs = [[a * b for b in law] for a in law]
    for _ in range(CASES):
        half = [[math.fsum(pairs[a][b] * step[a][c] for a in range(len(states))) for b in range(len(states))]
                for c in range(len(states))]
        pairs = [[math.fsum(half[c][b] * step[b][d] for b in range(len(states))) if (c < cut) == (d < cut) else 0
                  for d in range(len(states))] for c in range(len(states))]
    return 1 - math.fsum(map(math.fsum, pairs))


def region(p):
    """Half the region of indifference: so small beside what is rarer that a step of the walk is small beside its bounds."""
    return round(0.24 * min(p, 1 - p), 4)


class Walk:
    """Of the test of bound - half against bound + half: what a one and a zero add to the logarithm of the ratio, and how
    far it goes."""

    def __init__(self, p, bound, half):
        self.p = p
        self.one = math.log((bound + half) / (bound - half))
        self.zero = math.log((1 - bound - half) / (1 - bound + half))
        self.far = math.log((1 - ERROR) / ERROR)

    def wald(self):
        """Wald's expectation where p lies at an edge: (L ln B + (1 - L) ln A) / mean step, L an error. It takes the walk
        to end at a bound, not beyond it."""
        return (1 - 2 * ERROR) * self.far / abs(self.p * self.one + (1 - self.p) * self.zero)

    def exact(self):
        """Mean and deviation of the number of steps, and the probability of the upper end: by the law of the number of
        ones after each step, until 1e-12 of it is left."""
        law, n, left, mean, square, above = {0: 1.0}, 0, 1.0, 0.0, 0.0, 0.0
        while left > 1e-12:
            n += 1
            after, ended = {}, 0.0
            for ones, mass in law.items():
                for now, share in ((ones + 1, mass * self.p), (ones, mass * (1 - self.p))):
                    ratio = now * self.one + (n - now) * self.zero
                    if abs(ratio) < self.far:
                        after[now] = after.get(now, 0.0) + share
                    else:
                        ended += share
                        above += share * (ratio > 0)
            mean, square, left, law = mean + n * ended, square + n * n * ended, left - ended, after
        return mean, math.sqrt(square - mean * mean), above


def experiment(name, profile, cut, asked, seed):
    influence = {state: "low" if index < cut else "high" for index, state in enumerate(profile["states"])}
    return {
        "corridor_experiment": 1, "name": name, "seed": hex(seed), "suites": 0, "sequences": 1, "cases": CASES,
        "model": {
            "corridor_model": 1, "agents": 2, "structure": {"size_max": 1}, "groups": {"count": 2},
            "environments": {"sky": {"profile": os.path.abspath(os.path.join(LIBRARY, name + ".json"))}},
            "types": {"vane": {"environment": "sky", "states": {"low": 0.1, "high": 0.9}, "influence": influence}},
            "invariant": {"threshold": 0.1}},
        "properties": [dict(asked, alpha=ERROR, beta=ERROR)],
        "arms": [{"name": f"a{index}", "algorithm": "deal"} for index in range(DECISIONS)]}


def decide(folder, index, chain, side):
    """Decides it; p, the walk, how many decisions were wrong, how many sequences all took."""
    p = exact(*chain[1:])
    half = region(p)
    bound = round(p + side * half, 9)
    path = os.path.join(folder, "chain.json")
    with open(path, "w") as file:
        asked = {"property": f"P >= {bound} [ eventually alarm ]", "indifference": half}
        json.dump(experiment(*chain, asked, 1000 + index), file)
    done = subprocess.run([CORRIDOR, "decide", path, "--most", "4000", "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    rows = json.loads(done.stdout)["decisions"]
    assert len(rows) == DECISIONS
    wrong = sum(row["verdict"] != ("holds" if side < 0 else "does_not_hold") for row in rows)
    return Walk(p, bound, half), wrong, sum(row["used"] for row in rows)


def check(wrong, error, used, mean, deviation, decisions):
    """Both are as the walk's law has it, but for chance: five standard errors."""
    assert abs(wrong - error * decisions) <= 5 * math.sqrt(error * decisions) + 1, (wrong, error * decisions)
    assert abs(used - mean * decisions) <= 5 * deviation * math.sqrt(decisions), (used, mean * decisions)


def amounts(folder, every):
    """Amounts that are mostly 0, decided a little beside their exact means, which each arm's claim denies: how many decisions
    were wrong, and how many intervals miss. The law is stationary, so there is an alarm in each case as seldom."""
    name, profile, cut = min(every, key=lambda chain: abs(seldom(*chain[1:]) - 0.06))
    alarm, path = seldom(profile, cut), os.path.join(folder, "amounts.json")
    count = DECISIONS // 4 if DECISIONS >= 1000 else 4
    for amount, mean, width, minus in (("sum alarm", CASES * alarm, CASES, False), ("alarm at 2", alarm, 1, False),
                                       ("max alarm", exact(profile, cut), 1, False), ("sum alarm", 0, CASES, True)):
        for off, relation in ((0.5, "<="), (-0.5, ">=")):
            bound = round(mean - off * (CASES * alarm if minus else mean), 9)
            text = experiment(name, profile, cut, {}, 77)
            text["properties"] = [{"property": f"E {relation} {bound} [ {amount} ]", "arm": f"a{index}",
                                   **({"minus": f"a{index + 1}"} if minus else {})}
                                  for index in range(0, count, 2 if minus else 1)]
            text["arms"] = text["arms"][:count]
            with open(path, "w") as file:
                json.dump(text, file)
            done = subprocess.run([CORRIDOR, "decide", path, "--most", "4000", "--json"], capture_output=True, text=True)
            assert done.returncode in (0, 1, 7), (done.returncode, done.stderr)
            rows = json.loads(done.stdout)["decisions"]
            wrong, missed = sum(row["verdict"] == "holds" for row in rows), sum(not row["low"] <= mean <= row["high"] for row in rows)
            print(f"E {relation} {bound} [ {amount} ]{' less another' if minus else ''}, which is {mean:.4f}: {wrong} of {len(rows)} "
                  f"wrong, {sum(row['verdict'] == 'undecided' for row in rows)} undecided, {missed} intervals miss, "
                  f"{sum(row['used'] for row in rows) / len(rows):.0f} sequences", flush=True)
            assert wrong <= ERROR * len(rows) and missed <= 0.05 * len(rows)
            assert all(row["low"] < row["high"] and (row["least"], row["most"]) == (-width * minus, width) for row in rows), rows[0]


def seldom(profile, cut):
    """The probability of an alarm in a case."""
    states = profile["states"]
    low = math.fsum(stationary([[profile["transitions"][a].get(b, 0) for b in states] for a in states])[:cut])
    return 2 * low * (1 - low)


def main():
    fit = [chain for chain in chains() if 0.15 < exact(*chain[1:]) < 0.85]
    assert len(fit) >= CHAINS, len(fit)
    every = {-1: [0, 0, 0.0, 0.0, 0.0], 1: [0, 0, 0.0, 0.0, 0.0]}
    print("| chain | p | region | wrong | by its law | used | by its law | of Wald's |\n"
          "| --- | --: | --: | --: | --: | --: | --: | --: |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        amounts(folder, list(chains()))
        for index in range(CHAINS):
            chain, side = fit[index * len(fit) // CHAINS], (-1, 1)[index % 2]
            walk, wrong, used = decide(folder, index, chain, side)
            mean, deviation, above = walk.exact()
            error, ratio = above if side > 0 else 1 - above, used / DECISIONS / walk.wald()
            print(f"| {chain[0]}/{chain[2]} | {walk.p:.4f} | {region(walk.p)} | {wrong} | {error * DECISIONS:.1f} "
                  f"| {used / DECISIONS:.1f} | {mean:.1f} | {ratio:.3f} |", flush=True)
            for at, number in enumerate((wrong, used, walk.wald() * DECISIONS, error * DECISIONS, mean * DECISIONS)):
                every[side][at] += number
            check(wrong, error, used, mean, deviation, DECISIONS)
            assert mean <= 1.1 * walk.wald(), (chain[0], chain[2], mean / walk.wald())
    for side, (wrong, used, wald, error, mean) in every.items():
        decisions = DECISIONS * (CHAINS // 2 + (CHAINS % 2 if side < 0 else 0))
        if decisions == 0:
            continue
        print(f"{'second' if side < 0 else 'first'} kind: {100 * wrong / decisions:.2f} % of {decisions} "
              f"(by its law {100 * error / decisions:.2f}), used {used / wald:.3f} of Wald's (by its law {mean / wald:.3f})")
        assert DECISIONS < 1000 or (wrong / decisions <= 0.015 and used <= 1.1 * wald)


main()
