#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do the intervals of corridor estimate hold what they promise? study.py CORRIDOR MODULES SEEDS [ROW...]

Each row is a fault of rare.json whose probability exact.py knows, estimated with as many seeds: how often the interval
holds the truth, whether the mean is biased (|z| < 3), and how many cases plain sampling would need for the same spread.
Where intervals were refused, it says how many of these would have held the truth, and what that makes of all seeds: what
is refused is no chance, so the others' coverage might owe something to it.
Exits with 1 if a row has a bias, or a coverage below 92 or (of estimates that are no counts) above 98 %."""
import json
import math
import os
import subprocess
import sys
import tempfile

import exact

STORM = "sky = 'storm' and row.b%d > 0"
LEVEL = "max(row.b1, 2 * row.b2, 3 * row.b3, 4 * row.b4, 5 * row.b5, 6 * row.b6, 7 * row.b7, 8 * row.b8)"
ROWS = {
    "walk, plain": ("row-2", ["--method", "plain", "--budget", "20000"]),
    "walk, likelihood": ("row-2", ["--method", "likelihood", "--trap", STORM % 2, "--budget", "4000"]),
    "deep walk, likelihood": ("row-9", ["--method", "likelihood", "--trap", STORM % 9, "--budget", "8000"]),
    "parameters, region": ("pair", ["--method", "likelihood", "--region", "a <= 2 and b <= 2", "--budget", "281250"]),
    "parameters, region by its draws": ("pair-idle", ["--method", "likelihood", "--region", "a <= 2 and b <= 2 and idle <= 1",
                                                      "--budget", "15000"]),
    "parameters and walk": ("pair-row", ["--method", "likelihood", "--region", "a <= 2 and b <= 2", "--trap", STORM % 2,
                                         "--budget", "149850"]),
    "mail, tilted": ("lost", ["--method", "likelihood", "--tilt", "mail.loss_ratio=0.4", "--budget", "20000"]),
    "result, tilted": ("dropped", ["--method", "likelihood", "--tilt", "result.probability=0.3", "--budget", "12000"]),
    "walk and result, tilted": ("dropped", ["--method", "likelihood", "--trap", "sky = 'storm'", "--tilt", "result.probability=0.3",
                                            "--share", "0.5", "--budget", "30000"]),
    "monitor, tilted": ("missed", ["--method", "likelihood", "--tilt", "monitor.probability=0.3", "--budget", "12000"]),
    "mail twice, tilted": ("twice", ["--method", "likelihood", "--tilt", "mail.duplicate_ratio=0.6", "--budget", "20000"]),
    "agents down, tilted": ("down", ["--method", "likelihood", "--tilt", "agents.probability=0.1", "--budget", "20000"]),
    "adoption, tilted": ("adopted", ["--method", "likelihood", "--tilt", "adoption.probability=0.3", "--budget", "12000"]),
    "deep walk, splitting": ("row-5", ["--method", "splitting", "--level", LEVEL, "--effort", "60", "--budget", "200000"]),
}


def estimate(corridor, folder, experiment, seed, arm, options):
    experiment = dict(experiment, seed=hex(seed))
    path = os.path.join(folder, "rare.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(experiment, file)
    done = subprocess.run([corridor, "estimate", path, "--arm", arm, "--json", "--jobs", "1", *options], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"seed {seed} of {arm}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def half_width(error, repetitions):
    """Of an interval by Student's t, had it not been refused: quantile by the expansion of Fisher and Cornish (1960)."""
    z, df = 1.959963984540054, repetitions - 1
    return error * (z + (z ** 3 + z) / (4 * df) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * df ** 2))


def study(found, truth, which):
    """Coverage, z of the bias, what refusing hides, and the variance over seeds."""
    rows = [(f["repetitions"], f["probabilities"][which]) for f in found]
    values = [of["probability"] for _, of in rows]
    kept = [of for _, of in rows if of["high"] is not None]
    held = sum(of["low"] <= truth <= of["high"] for of in kept)
    hidden = [abs(of["probability"] - truth) <= half_width(of["error"], n) for n, of in rows
              if of["high"] is None and of["error"] is not None]
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / (len(values) - 1)
    z = (mean - truth) / math.sqrt(variance / len(values)) if variance > 0 else 0.0
    return held, len(kept), sum(hidden), z, variance


def main():
    corridor, modules, seeds = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "rare.json"), encoding="utf-8") as file:
        experiment = json.load(file)
    experiment["presets"]["walk"]["algorithm"] = os.path.join(modules, "rare_walk.so")
    wrong = 0
    print("row | of | exact | held of | z | cases | plain would need")
    for row in sys.argv[4:] or ROWS:
        arm_name, options = ROWS[row]
        for arm in experiment["arms"]:
            if arm.get("algorithm"):
                arm["algorithm"] = os.path.join(modules, "rare_mail.so")
            if arm["name"] == arm_name:
                truth = [float(p) for p in exact.probabilities(experiment, arm)]
        with tempfile.TemporaryDirectory() as folder:
            found = [estimate(corridor, folder, experiment, seed, arm_name, options) for seed in range(1, seeds + 1)]
        cases = sum(f["cases"] for f in found) / seeds
        for which, of in enumerate(("sequence", "suite")):
            held, kept, hidden, z, variance = study(found, truth[which], which)
            each = experiment["cases"] * (experiment["sequences"] if which else 1)
            plain = truth[which] * (1 - truth[which]) / variance * each if variance > 0 else math.inf
            share = held / kept if kept else 0.0
            slack = 3 * math.sqrt(0.05 * 0.95 / kept) if kept < 200 else 0.0
            bad = abs(z) > 3 or share < 0.92 - slack or (share > 0.98 + slack and "plain" not in options)
            wrong += bad
            refused = f" (and {hidden} of {seeds - kept} refused)" if kept < seeds else ""
            print(f"{row} | {of} | {truth[which]:.4g} | {held} of {kept}{refused} | {z:+.2f} | {cases:.0f} | {plain:.3g}"
                  f"{' | WRONG' if bad else ''}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
