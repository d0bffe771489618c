#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact probabilities of the faults of rare.json: dynamic programming in fractions, from the experiment's text alone.

A sequence is a walk of two independent chains from "calm". A case reorganizes exactly if the chains differ. prints
    ARM SEQUENCE SUITE
as fractions' nearest doubles; main() is what a study imports."""
import json
import sys
from fractions import Fraction as F
from itertools import product


def chain_of(experiment):
    sky = experiment["model"]["environments"]["sky"]["profile"]
    states = sky["states"]
    step = {s: {t: F(p) for t, p in sky["transitions"][s].items()} for s in states}
    return states, step, sky["start"]


def failing(experiment, strike, row=0):
    """Probability that a sequence fails: each reorganization strikes with probability `strike` once it is at least the
    row-th in a row with (storm, calm)."""
    _, step, start = chain_of(experiment)
    now = {(start, start, 0): F(1)}
    failed = F(0)
    for _ in range(experiment["cases"]):
        following = {}
        for (a, b, count), p in now.items():
            for (x, px), (y, py) in product(step[a].items(), step[b].items()):
                q, reached = p * px * py, count
                if x != y:
                    reached = min(count + 1, row) if (x, y) == ("storm", "calm") else 0
                    if reached >= row:
                        failed += q * strike
                        q *= 1 - strike
                if q:
                    key = (x, y, reached)
                    following[key] = following.get(key, F(0)) + q
        now = following
    return failed


def share_of(law):
    """Of a parameter that has to be 1."""
    return F(1) if law is None or law == 1 else F(0) if isinstance(law, int) else F(int(law[0] == 1), law[1] - law[0] + 1)


def probabilities(experiment, arm):
    """Of a sequence, and of a suite, which has one configuration: parameters are drawn once."""
    laws = arm.get("parameters", {})
    met = share_of(laws.get("a")) * share_of(laws.get("b"))
    if "mail" in arm:
        fails = failing(experiment, F(arm["mail"]["loss_ratio"]) ** experiment["model"]["agents"])
        met = F(1)
    elif "result" in arm:
        fails, met = failing(experiment, F(arm["result"]["probability"])), F(1)
    elif "monitor" in arm:
        # a missed alarm is no reorganization, and a failure of its own
        fails, met = failing(experiment, F(arm["monitor"]["probability"])), F(1)
    else:
        fails = failing(experiment, F(1), laws.get("streak", 1))
    return fails * met, (1 - (1 - fails) ** experiment["sequences"]) * met


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        experiment = json.load(file)
    for arm in experiment["arms"]:
        sequence, suite = probabilities(experiment, arm)
        print(arm["name"], float(sequence), float(suite))


if __name__ == "__main__":
    main()
