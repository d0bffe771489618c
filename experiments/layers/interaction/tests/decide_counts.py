#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often decisions are wrong, and how many sequences they use: a thousand of each kind, as arms of one experiment.

usage: decide_counts.py CORRIDOR LIBRARY [CHAINS DECISIONS]

Two agents, a partition each, perceive chains of their own by a profile of the library; there is an alarm exactly when
one chain is in the first states of the profile and the other is not. The probability that none comes in so many cases
is a product of matrices; it shares no code with the program. Arms draw independently, so each of them is a decision of
its own. The bound is put where the probability lies at the edge of the region of indifference: errors are then as
frequent as they may be."""
import json
import math
import os
import subprocess
import sys
import tempfile

CORRIDOR, LIBRARY = sys.argv[1:3]
CHAINS, DECISIONS = (int(word) for word in sys.argv[3:5]) if len(sys.argv) > 3 else (2, 100)
CASES, INDIFFERENCE, ERROR = 4, 0.06, 0.01


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


def experiment(name, profile, cut, question, seed):
    influence = {state: "low" if index < cut else "high" for index, state in enumerate(profile["states"])}
    asked = {"property": question, "indifference": INDIFFERENCE, "alpha": ERROR, "beta": ERROR}
    return {
        "corridor_experiment": 1, "name": name, "seed": hex(seed), "suites": 0, "sequences": 1, "cases": CASES,
        "model": {
            "corridor_model": 1, "agents": 2, "structure": {"size_max": 1}, "groups": {"count": 2},
            "environments": {"sky": {"profile": os.path.abspath(os.path.join(LIBRARY, name + ".json"))}},
            "types": {"vane": {"environment": "sky", "states": {"low": 0.1, "high": 0.9}, "influence": influence}},
            "invariant": {"threshold": 0.1}},
        "properties": [asked],
        "arms": [{"name": f"a{index}", "algorithm": "deal"} for index in range(DECISIONS)]}


def wald(p, bound):
    """Wald's expectation for the test of bound - d against bound + d: (L ln B + (1 - L) ln A) / mean step, at the edge
    at which p lies, where L is an error."""
    one = math.log((bound + INDIFFERENCE) / (bound - INDIFFERENCE))
    zero = math.log((1 - bound - INDIFFERENCE) / (1 - bound + INDIFFERENCE))
    up, down = math.log((1 - ERROR) / ERROR), math.log(ERROR / (1 - ERROR))
    below = ERROR if p > bound else 1 - ERROR
    return (below * down + (1 - below) * up) / (p * one + (1 - p) * zero)


def decide(folder, index, chain, side):
    name, profile, cut = chain
    p = exact(profile, cut)
    bound = round(p + side * INDIFFERENCE, 9)
    path = os.path.join(folder, "chain.json")
    with open(path, "w") as file:
        json.dump(experiment(name, profile, cut, f"P >= {bound} [ eventually alarm ]", 1000 + index), file)
    done = subprocess.run([CORRIDOR, "decide", path, "--most", "3000", "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    rows = json.loads(done.stdout)["decisions"]
    assert len(rows) == DECISIONS
    wrong = sum(row["verdict"] != ("holds" if side < 0 else "does_not_hold") for row in rows)
    return p, wrong, sum(row["used"] for row in rows), wald(p, bound) * DECISIONS


def main():
    fit = [chain for chain in chains() if 2.5 * INDIFFERENCE < exact(*chain[1:]) < 1 - 2.5 * INDIFFERENCE]
    assert len(fit) >= CHAINS, len(fit)
    every = {-1: [0, 0, 0.0], 1: [0, 0, 0.0]}
    with tempfile.TemporaryDirectory() as folder:
        for index in range(CHAINS):
            chain, side = fit[index * len(fit) // CHAINS], (-1, 1)[index % 2]
            p, wrong, used, expected = decide(folder, index, chain, side)
            print(f"{chain[0]}/{chain[2]} p = {p:.4f}: {wrong} of {DECISIONS} wrong, used {used / expected:.3f} of Wald's",
                  flush=True)
            for at, number in enumerate((wrong, used, expected)):
                every[side][at] += number
            # Of a thousand at 1 % more than 19 are wrong once in 500; fewer say less.
            assert wrong <= ERROR * DECISIONS + 3 * math.sqrt(ERROR * DECISIONS) + 1, (chain[0], chain[2], wrong)
            assert used <= 1.1 * expected * (1 if DECISIONS >= 1000 else 1.2), (used, expected)
    for side, (wrong, used, expected) in every.items():
        decisions = DECISIONS * (CHAINS // 2 + (CHAINS % 2 if side < 0 else 0))
        share = wrong / decisions if decisions else 0
        print(f"{'second' if side < 0 else 'first'} kind: {100 * share:.2f} % of {decisions}, used {used / expected:.3f}")
        if DECISIONS >= 1000:
            assert share <= 0.015, share
            assert used <= 1.1 * expected


main()
