#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""estimation.py CORRIDOR SOURCE MODULES SEEDS: estimates beside exact probabilities, as many seeds of each fault (study.py there), and levels that are
derived beside those by hand (levels_study.py)."""
import pathlib
import subprocess
import sys

corridor, source, modules, seeds = sys.argv[1:5]
tests = pathlib.Path(source) / "experiments/layers/estimation/tests"
study = tests / "study.py"
done = subprocess.run([sys.executable, "-B", study, corridor, modules, seeds], stdout=subprocess.PIPE, text=True, check=False)
for line in done.stdout.splitlines()[1:]:
    row, of, exact, held, z, cases, plain = line.split(" | ")[:7]
    wrong = ": WRONG" if line.endswith("WRONG") else ""
    print(f"torture: {row}, {of} | {seeds} | {exact}: held {held}, z {z}, {cases} cases, plain would need {plain}{wrong}")
levels = subprocess.run([sys.executable, "-B", tests / "levels_study.py", corridor, modules, str(min(int(seeds), 24))], stdout=subprocess.PIPE, text=True, check=False)
for line in levels.stdout.splitlines()[1:]:
    case, level, exact, held, z, cases, error, work, ratio = line.split(" | ")[:9]
    wrong = ": WRONG" if line.endswith("WRONG") else ""
    print(f"torture: {case}, {level} | {exact}: held {held}, z {z}, {cases} cases, error {error}, work {work}, of the best by hand {ratio}{wrong}")
sys.exit(done.returncode != 0 or levels.returncode != 0)
