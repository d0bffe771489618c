#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""quality.py BEFORE/corridor NOW/corridor OUTPUT_DIRECTORY [SUITES]: does PSOPP find as much as another build of it, with any budget?

Both builds get the same problems: one reorganization of the first case of each sequence, on suites by the law of models/paper.json
and on suites of 500 agents, for both exchange policies and each budget. What is found is the oracle's root mean square deviation of the
partitions' means. A suite is one observation: the mean over its sequences of log(now / before); the figure is the geometric mean of
these ratios, its interval the quantiles of 4,000 resamples of suites. Now is *not worse* if the upper end lies below 1 + MARGIN,
*worse* if the lower end lies above it, else undecided. Exit code 1 if a row is not "not worse".

A deviation of 0, of a single partition, counts as FLOOR, below which is rounding.
"""
import json
import pathlib
import subprocess
import sys

import h5py
import numpy as np

MARGIN, FLOOR, RESAMPLES, SEQUENCES = 0.05, 1e-9, 4000, 4
BUDGETS = 200, 1000, 1800, 5000, 30000
POLICIES = "last resort", "mixed"
SEARCH = {"particles": [1, 4], "start_at_current": [0, "particles"], "c_random + c_own + c_best": 1}
ALIKE = "arm", "suite", "sequence", "case", "dissimilarity_before"

before, now, output = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
suites = int(sys.argv[4]) if len(sys.argv) > 4 else 1500
law = json.loads((pathlib.Path(__file__).parents[4] / "experiments/library/models/paper.json").read_text())
law["invariant"] = {"measure": "rms", "threshold": 0}
of_500 = {key: value for key, value in law.items() if key not in ("constraints", "fallback")}
of_500["parameters"] = [{"agents": 500}, {"s_min": 2, "s_max": 50, "n_min": 11, "n_max": 40}, {"ep_states": [3, 25]}]


def found(program, build, name, experiment):
    """What one build found: the columns of its reorganizations."""
    result = output / f"{name}-{build}.h5"
    subprocess.run([program, "run", experiment, "-o", result, "--force", "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
    with h5py.File(result) as file:
        return {column: file["reorganizations"][column][:] for column in (*ALIKE, "spent", "dissimilarity_after")}


def compare(name, model):
    (output / f"{name}-model.json").write_text(json.dumps(model))
    arms = [{"name": f"{policy} {budget}", "algorithm": "psopp", "parameters": {**SEARCH, "exchange_policy": p, "budget": budget}}
            for p, policy in enumerate(POLICIES) for budget in BUDGETS]
    experiment = output / f"{name}.json"
    experiment.write_text(json.dumps({"corridor_experiment": 1, "name": name, "seed": "0x9a1", "mode": "paired", "suites": suites,
                                      "sequences": SEQUENCES, "cases": 1, "model": f"{name}-model.json", "arms": arms}))
    theirs, ours = found(before, "before", name, experiment), found(now, "now", name, experiment)
    for column in ALIKE:
        if not np.array_equal(theirs[column], ours[column]):
            raise SystemExit(f"{name}: the two builds did not get the same problems: {column} differs")
    codes = np.unique(ours["arm"])
    rng = np.random.default_rng(1)
    holds = True
    for code, arm in zip(codes, arms):
        rows = ours["arm"] == code
        logs = [np.log(np.maximum(build["dissimilarity_after"][rows], FLOOR)) for build in (theirs, ours)]
        numbers, place = np.unique(ours["suite"][rows], return_inverse=True)
        ratio = np.bincount(place, logs[1] - logs[0]) / np.bincount(place)
        drawn = ratio[rng.integers(0, len(ratio), (RESAMPLES, len(ratio)))].mean(axis=1)
        low, high = np.exp(np.quantile(drawn, [0.025, 0.975]))
        verdict = "not worse" if high < 1 + MARGIN else "worse" if low > 1 + MARGIN else "undecided"
        holds = holds and verdict == "not worse"
        print(f"| {name} | {arm['name']} | {len(numbers)} | {np.exp(logs[0].mean()):.3g} | {np.exp(logs[1].mean()):.3g} | "
              f"{np.exp(ratio.mean()):.3f} ({low:.3f}, {high:.3f}) | {verdict} |", flush=True)
    return holds


output.mkdir(parents=True, exist_ok=True)
print("| problems | policy, moves | suites | before | now | ratio (95 %) | verdict |\n| --- | --- | --- | --- | --- | --- | --- |")
verdicts = [compare("law", law), compare("500 agents", of_500)]
sys.exit(0 if all(verdicts) else 1)
