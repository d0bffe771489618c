#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_survival.py RANDOM_CAMPAIGN CORRIDOR SEED: a random result file, and the log-rank tests of `corridor show FILE survival` on it
computed once more: the statistic by going through all times, p by rearranging whole suites with another generator."""
import os
import re
import subprocess
import sys

import h5py
import numpy

from naive import FAILED, SMOKE, sheets
from naive_performance import log_rank

REARRANGEMENTS = 2000


def observations(path):
    """arm name -> suites, each a list of (depth of the first detection, or executed cases; detected?)."""
    with h5py.File(path) as file:
        names = dict(zip(file["catalog/arm/code"][:], file["catalog/arm/name"].asstr()[:]))
        continued = set(zip(*(file["branches"][c][:] for c in ("arm", "suite", "sequence")))) if "branches" in file else set()
        rows = file["reorganizations"]
        first = {}
        for arm, suite, sequence, case, gray, black in zip(*(rows[c][:] for c in ("arm", "suite", "sequence", "case", "gray", "black"))):
            if gray in (FAILED, SMOKE) or black in (FAILED, SMOKE):
                key = arm, suite, sequence
                first[key] = min(first.get(key, case), case)
        suites = {}
        for key in zip(*(file["sequences"][c][:] for c in ("arm", "suite", "sequence", "executed"))):
            arm, suite, sequence, executed = key
            if key[:3] not in continued:
                suites.setdefault(names[arm], {}).setdefault(suite, []).append(
                    (int(first.get(key[:3], executed)), key[:3] in first))
    return {name: list(of_arm.values()) for name, of_arm in suites.items()}


def statistic(*groups):
    return log_rank([[(time, seen, None) for suite in group for time, seen in suite] for group in groups])[0]


def statistics(suites, chosen):
    """The same of two groups, of many choices of the suites of the first at once, a row of 0 and 1 each: of two groups the difference
    and its variance are one number each."""
    times = sorted({time for suite in suites for time, _ in suite})
    risk = numpy.array([[sum(t >= time for t, _ in suite) for time in times] for suite in suites], float)
    events = numpy.array([[sum(t == time and seen for t, seen in suite) for time in times] for suite in suites], float)
    n, d = risk.sum(0), events.sum(0)
    of_first = chosen @ risk
    difference = (chosen @ events - d * of_first / n).sum(1)
    variance = (d * (n - d) / numpy.maximum(n - 1, 1) * (of_first / n) * (1 - of_first / n)).sum(1)
    return numpy.where(variance > 1e-12, difference ** 2 / numpy.where(variance > 1e-12, variance, 1), 0)


def p_of(one, other, generator):
    seen, everything = statistic(one, other), one + other
    first = numpy.arange(len(everything)) < len(one)
    chosen = numpy.array([first, *(generator.permutation(first) for _ in range(REARRANGEMENTS))], float)
    all_of_them = statistics(everything, chosen)
    assert abs(all_of_them[0] - seen) <= 1e-9 * max(1, seen), (all_of_them[0], seen)
    return seen, (1 + (all_of_them[1:] >= seen * (1 - 1e-9)).sum()) / (1 + REARRANGEMENTS)


def main():
    program, corridor, seed = sys.argv[1:]
    os.makedirs(f"naive_survival_{seed}", exist_ok=True)
    os.chdir(f"naive_survival_{seed}")
    subprocess.run([program, seed, "plain.h5", "plain"], check=True)
    arms = observations("plain.h5")
    generator = numpy.random.default_rng(int(seed))
    shown = sheets(corridor, "show", "plain.h5", "survival")
    without = [row["arm"] for row in shown["arms"] if row["median"]["mean"] is None]
    text = subprocess.run([corridor, "show", "plain.h5", "survival"], check=True, capture_output=True, text=True).stdout
    told = re.search(r"No median of ([^:]*): more than half of the\s+sequences have no detection", text)
    assert (re.sub(r"\s+", " ", told.group(1)).split(", ") if told else []) == without, (told, without)
    rows = shown["log_rank_pairs"]
    compared = 0
    for row in rows:
        if row["first"] not in arms or row["second"] not in arms:
            continue
        chi_square, p = p_of(arms[row["first"]], arms[row["second"]], generator)
        if row["p"] is None:
            assert row["df"] == 0, row
            continue
        assert abs(chi_square - row["chi_square"]) <= 1e-9 * max(1, chi_square), (row, chi_square)
        error = (max(p * (1 - p), 0.002) * (1 / REARRANGEMENTS + 1 / 1999)) ** 0.5
        assert abs(p - row["p"]) < 4.5 * error, (row, p, error)
        compared += 1
    assert compared > 2, compared
    print(f"{compared} pairs agree")


if __name__ == "__main__":
    main()
