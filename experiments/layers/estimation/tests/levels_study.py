#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Is a level that splitting finds by itself as good as one that is written by hand? levels_study.py CORRIDOR MODULES SEEDS [CASE...]

Each case is an event whose probability is known exactly, estimated with as many seeds by each level: how often the interval holds it, the bias in
standard errors, and work: the square of the relative error times the cases of an estimate, which the budget does not change. Exits with 1 if a
derived level takes more than twice the work of the best by hand, or has a bias."""
import json
import math
import os
import subprocess
import sys
import tempfile

import climb_law
import exact
import study
import two_phase_law

HERE = os.path.dirname(os.path.abspath(__file__))
LINES = ["structure observed", "attribute voted: integer", "attribute stored: integer", "attribute committed: integer", "attribute aborted: integer", "channel outcome",
         "invariant agreed: agree(outcome)"]
COMMITTED, ABORTED = "any(a in agents: a.committed >= 1)", "count(a in agents where a.aborted >= 1) >= 3"
CHANGES, CRASHES = {"storm": {"storm": 0.95, "calm": 0.05}, "calm": {"storm": 0.1, "calm": 0.9}}, {"storm": 30, "calm": 0}
SKY = {"calm": {"calm": 0.75, "storm": 0.25}, "storm": {"calm": 0.5, "storm": 0.5}}


def rare(modules):
    with open(os.path.join(HERE, "rare.json"), encoding="utf-8") as file:
        experiment = json.load(file)
    experiment["presets"]["walk"]["algorithm"] = os.path.join(modules, "rare_walk.so")
    return experiment


def storms(modules):
    """Five storms in a row, of which nothing but probes tells."""
    experiment = rare(modules)
    experiment["arms"] = [arm for arm in experiment["arms"] if arm["name"] == "row-5"]
    return experiment, float(exact.probabilities(experiment, experiment["arms"][0])[0]), ["--budget", "300000"]


def alarms(row, cases, budget):
    def make(modules):
        experiment = rare(modules)
        experiment["arms"] = [arm for arm in experiment["arms"] if arm["name"] == "sound"]
        experiment["model"]["environments"]["sky"]["profile"]["transitions"] = SKY
        experiment.update(cases=cases, sequences=1)
        return experiment, float(exact.alarms_in_a_row(experiment, row)), ["--property", f"P [ eventually (alarm and next[1, {row - 1}] alarm) ]", "--budget", budget]
    return make


def two_phase(trap, events, is_there):
    def make(_):
        experiment = {"process": {"program": "two_phase", "count": 3}, "seed": 3, "suites": 100, "sequences": 10, "cases": 1, "case": 1000000000, "events": events, "faults": [],
                      "generators": ["random"], "corridor": LINES, "traps": {"committed": COMMITTED, "aborted": ABORTED}}
        return experiment, float(two_phase_law.probability(is_there, events)), ["--failure", trap, "--budget", "20000"]
    return make


def climb(modules):
    profile = {"states": ["storm", "calm"], "start": "storm", "transitions": CHANGES}
    experiment = {"process": {"program": os.path.join(modules, "climb.so"), "count": 1}, "suites": 100, "sequences": 1, "cases": 20, "case": 1000, "events": 100000,
                  "faults": ["crash"], "generators": ["random"], "corridor": ["structure observed", "attribute height: integer", "invariant low: all(a in agents: a.height < 16)"],
                  "environment": {"profile": profile, "states": {state: {"crash": rate, "input": 0} for state, rate in CRASHES.items()}}}
    return experiment, climb_law.probability(16, 20, CHANGES, "storm", CRASHES), ["--failure", "low", "--isolate", "never", "--budget", "1000000"]


# What is written by hand; without one there is nothing to write.
CASES = {
    "five storms in a row": (storms, [study.LEVEL]),
    "a commit within 8 events": (two_phase("committed", 8, lambda s: any(s.committed(p) for p in range(3))),
                                 ["any(a in agents: a.voted >= 1); count(a in agents where a.voted >= 1) >= 2", "count(a in agents where a.voted >= 1) >= 2"]),
    "all have aborted within 6 events": (two_phase("aborted", 6, lambda s: all(two_phase_law.ABORTED in standing.values() for standing in s.standing)), ["aborted"]),
    "a climb of 16 steps": (climb, ["; ".join(f"any(a in agents: a.height >= {height})" for height in range(1, 16))]),
    "6 alarms in a row": (alarms(6, 12, "60000"), ["dissimilarity"]),
    "53 alarms in a row": (alarms(53, 75, "950000"), []),
    "53 alarms in a row of 150": (alarms(53, 150, "950000"), []),
}


def estimate(corridor, folder, experiment, seed, options):
    path = os.path.join(folder, "e.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(experiment, seed=seed if "process" in experiment else hex(seed)), file)
    done = subprocess.run([corridor, "estimate", path, "--json", "--jobs", "1", "--isolate", "never", "--method", "splitting", *options], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"seed {seed}, {options}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def look(corridor, experiment, truth, seeds, options):
    """Intervals that hold, of so many, bias, cases, work."""
    with tempfile.TemporaryDirectory() as folder:
        found = [estimate(corridor, folder, experiment, seed, options) for seed in range(1, seeds + 1)]
    of = [f["probabilities"][0] for f in found]
    kept = [o for o in of if o["high"] is not None]
    held = sum(o["low"] <= truth <= o["high"] for o in kept)
    values = [o["probability"] for o in of]
    mean = sum(values) / seeds
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / (seeds - 1))
    error = math.sqrt(sum((o["error"] or 0) ** 2 for o in of) / seeds)
    cases = sum(f["cases"] for f in found) / seeds
    return held, len(kept), (mean - truth) / (spread / math.sqrt(seeds)), cases, error / truth, (error / truth) ** 2 * cases


def main():
    corridor, modules, seeds = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    wrong = 0
    print("case | level | exact | held of | z | cases | relative error | work | of the best by hand")
    for case in sys.argv[4:] or CASES:
        make, by_hand = CASES[case]
        experiment, truth, options = make(modules)
        best = math.inf
        for level in [*by_hand, None]:
            held, kept, z, cases, error, work = look(corridor, experiment, truth, seeds, [*options, *(["--level", level] if level else [])])
            bad = abs(z) > 3.5 or (level is None and work > 2 * best)
            wrong += bad
            print(f"{case} | {'derived' if level is None else level[:40]} | {truth:.4g} | {held} of {kept} | {z:+.2f} | {cases:.0f} | {error:.3f} | {work:.4g} | "
                  f"{'' if level or best == math.inf else f'{work / best:.2f}'}{' | WRONG' if bad else ''}", flush=True)
            best = min(best, work) if level else best
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
