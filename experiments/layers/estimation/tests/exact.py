#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact probabilities of the faults of rare.json: dynamic programming in fractions, from the experiment's text alone.

A sequence is a walk of two independent chains from "calm". A case reorganizes exactly if the chains differ. prints
    ARM SEQUENCE SUITE
as fractions' nearest doubles. region() is the probability of a region of the parameters, by going through all that their
laws can draw."""
import functools
import json
import math
import re
import sys
from fractions import Fraction as F
from itertools import product


def chain_of(experiment):
    sky = experiment["model"]["environments"]["sky"]["profile"]
    states = sky["states"]
    step = {s: {t: F(p) for t, p in sky["transitions"][s].items()} for s in states}
    return states, step, sky["start"]


def in_a_row(begun, row):
    """Reorganizations with (storm, calm) up to the last of these cases, on end; of more than `row` that many."""
    count = 0
    for case in begun:
        if case[0] != case[1]:
            count = min(count + 1, row) if case == ("storm", "calm") else 0
    return count


def failing(experiment, strike, row=0, begun=(), law=None):
    """Probability that a sequence fails: each reorganization strikes with probability `strike` once it is at least the
    row-th in a row with (storm, calm). begun: the states of both chains in its first cases, which did not fail; law: of the
    chains behind them, if it is not the experiment's."""
    _, step, start = chain_of(experiment)
    step = law or step
    now = {(*(begun[-1] if begun else (start, start)), in_a_row(begun, row)): F(1)}
    failed = F(0)
    for _ in range(experiment["cases"] - len(begun)):
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


def alarms_in_a_row(experiment, row):
    """Probability that some `row` cases on end of a sequence have an alarm: the chains differ. In whole numbers, of a denominator that all probabilities have."""
    _, step, start = chain_of(experiment)
    part = math.lcm(*(p.denominator for law in step.values() for p in law.values()))
    now, there, whole = {(start, start, 0): 1}, F(0), 1
    for _ in range(experiment["cases"]):
        following, met, whole = {}, 0, whole * part * part
        for (a, b, count), p in now.items():
            for (x, px), (y, py) in product(step[a].items(), step[b].items()):
                q, reached = p * int(px * part) * int(py * part), count + 1 if x != y else 0
                if reached == row:
                    met += q
                else:
                    following[x, y, reached] = following.get((x, y, reached), 0) + q
        now, there = following, there + F(met, whole)
    return there


def share_of(law):
    """Of a parameter that has to be 1."""
    return F(1) if law is None or law == 1 else F(0) if isinstance(law, int) else F(int(law[0] == 1), law[1] - law[0] + 1)


def probabilities(experiment, arm):
    """Of a sequence, and of a suite, which has one configuration: parameters are drawn once."""
    laws = arm.get("parameters", {})
    met = share_of(laws.get("a")) * share_of(laws.get("b"))
    if "mail" in arm:
        # every message lost, or every one doubled
        mail = arm["mail"]
        fails = failing(experiment, F(mail.get("loss_ratio") or mail["duplicate_ratio"]) ** experiment["model"]["agents"])
        met = F(1)
    elif "agents" in arm:
        fails, met = failing(experiment, F(1)), F(1)  # fails whatever crashed
    elif "adoption" in arm:
        fails = failing(experiment, 1 - (1 - F(arm["adoption"]["probability"])) ** experiment["model"]["agents"])  # any agent is lost
        met = F(1)
    elif "result" in arm:
        fails, met = failing(experiment, F(arm["result"]["probability"])), F(1)
    elif "monitor" in arm:
        # a missed alarm is no reorganization, and a failure of its own
        fails, met = failing(experiment, F(arm["monitor"]["probability"])), F(1)
    else:
        fails = failing(experiment, F(1), laws.get("streak", 1))
    return fails * met, (1 - (1 - fails) ** experiment["sequences"]) * met


@functools.cache
def compiled(text):
    return compile(re.sub(r"(?<![=<>!])=(?!=)", "==", text.replace("/", "//")), "of an experiment", "eval")


def value_of(text, known):
    """Of an expression over integers as experiments have them; None: undefined, or a name is not known yet."""
    if isinstance(text, int):
        return text
    try:
        return eval(compiled(text), {"__builtins__": {}, "min": min, "max": max, "ceil_div": lambda a, b: -(-a // b)}, dict(known))
    except (NameError, ZeroDivisionError):
        return None


def draws_of(key, law, known):
    """What a line of a stage can give: (parameters, probability)."""
    names = [name.strip() for name in key.split("<=")]
    if not isinstance(law, list):
        value = value_of(law, known)
        return [] if value is None else [({names[0]: value}, F(1))]
    low, high = (value_of(bound, known) for bound in law)
    if low is None or high is None or low > high:
        return []
    each = F(1, high - low + 1)
    if len(names) == 1:
        return [({names[0]: v}, each) for v in range(low, high + 1)]
    return [({names[0]: min(v, w), names[1]: max(v, w)}, each * each) for v, w in product(range(low, high + 1), repeat=2)]


def configurations(stages, constraints, overrides):
    """All there are, with their probabilities. Each stage is drawn until the constraints hold of which all names are known then."""
    now, judged = [({}, F(1))], set()
    for stage in stages:
        names = [name.strip() for key in stage for name in key.split("<=")]
        known_now = set(now[0][0]) | set(names)
        due = [c for c in constraints if c not in judged and set(re.findall(r"[a-z_]\w*", c)) - {"ceil_div", "min", "max", "and", "or"} <= known_now]
        judged |= set(due)
        following = []
        for before, p in now:
            drawn = [(before, F(1))]
            for key, law in stage.items():
                drawn = [({**known, **more}, q * r) for known, q in drawn for more, r in draws_of(key, law, known)]
            kept = []
            for known, q in drawn:
                known = {**known, **{n: value_of(overrides[n], known) for n in names if n in overrides}}
                if None not in known.values() and all(value_of(c, known) for c in due):
                    kept.append((known, q))
            accepted = sum(q for _, q in kept)
            following += [(known, p * q / accepted) for known, q in kept]
        now = following
    return now


def region(stages, constraints, overrides, *conditions):
    """The probability of each of these."""
    every = configurations(stages, constraints, overrides)
    return [sum(p for known, p in every if value_of(condition, known)) for condition in conditions]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        experiment = json.load(file)
    for arm in experiment["arms"]:
        sequence, suite = probabilities(experiment, arm)
        print(arm["name"], float(sequence), float(suite))


if __name__ == "__main__":
    main()
