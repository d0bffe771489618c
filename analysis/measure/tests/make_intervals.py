#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_intervals.py | clang-format > intervals.h: numbers for test_moments.c, made with scipy 1.10.1 and numpy 1.24.2
(Debian 12).

The linearised interval comes by another road than in moments.c: the ratio of means is the slope of the regression of
suite sums on suite sizes through the origin with weights 1 / size, and its error that of the mean of the residuals.
Clopper-Pearson is scipy.stats.binomtest's."""
import numpy as np
import scipy.stats as st

CASES = [  # kind, level, suites
    ("MEAN", 0.95, [[3, 4, 4.5], [10], [7, 7, 8, 1], [2.5, 2.5]]),
    ("MEAN", 0.99, [[1, 2], [3, 4], [5, 6]]),
    ("MEAN", 0.95, [[0.25, 0], [0, 0], [0, 0], [0, 0.125]]),
    ("MEAN", 0.95, [[5, 5], [5], [5, 5, 5]]),
    ("MEAN", 0.95, [[5, 6, 9]]),
    ("PERCENT", 0.95, [[100, 0, 100], [100, 100, 100], [0, 0, 100], [100]]),
    ("PERCENT", 0.9, [[90, 95], [99, 100], [97]]),
    ("PERCENT", 0.95, [[0, 0], [0], [0, 0, 0], [0]]),
    ("PERCENT", 0.95, [[100, 100], [100], [100, 100, 100], [100], [100]]),
    ("SHARE", 0.95, [[100, 0, 0], [], [100], [0, 0, 0, 0]]),
    ("SHARE", 0.95, [[], [], []]),
    ("DEPTH", 0.95, [[1, 2, 40], [3], [2, 2], [], [17]]),
    ("DEPTH", 0.8, [[1], [2]]),
    ("TOTAL", 0.95, [[1, 2], [3]]),
]


def figure(kind, level, suites):
    suites = [np.array(s, float) for s in suites if len(s)]
    if not suites:
        return [np.nan] * 4 + ["NONE"]
    values, count = np.concatenate(suites), len(suites)
    mean = values.mean()
    sd = values.std(ddof=1) if len(values) > 1 and kind in ("MEAN", "PERCENT", "DEPTH") else np.nan
    none = [mean, sd, np.nan, np.nan, "NONE"]
    if kind == "TOTAL" or count < 2:
        return none
    percent = kind in ("PERCENT", "SHARE")
    if percent and mean in (0, 100):
        bounds = st.binomtest(0 if mean == 0 else count, count).proportion_ci(level, "exact")
        return [mean, sd, 100 * bounds.low, 100 * bounds.high, "CLOPPER_PEARSON"]
    sums, sizes = np.array([s.sum() for s in suites]), np.array([len(s) for s in suites], float)
    weights = np.sqrt(1 / sizes)
    slope = np.linalg.lstsq((sizes * weights)[:, None], sums * weights, rcond=None)[0][0]
    error = np.std(sums - slope * sizes, ddof=1) / sizes.mean() / np.sqrt(count)
    if error < 1e-12:
        return none
    low, high = st.t.interval(level, count - 1, loc=slope, scale=error)
    return [mean, sd, max(low, 1 if kind == "DEPTH" else 0), min(high, 100) if percent else high, "LINEARISED"]


print("/* SPDX-License-Identifier: GPL-3.0-or-later\n *\n * Made by make_intervals.py; do not edit. Suites end with -1. */")
print("static const struct {\n    enum cor_metric_kind kind;\n    double level, suites[24], mean, sd, low, high;")
print("    enum cor_interval interval;\n} cases[] = {")
for kind, level, suites in CASES:
    *numbers, interval = figure(kind, level, suites)
    flat = ", ".join(f"{v:g}" for s in suites for v in [*s, -1])
    text = ", ".join("NAN" if np.isnan(v) else f"{v:.15g}" for v in numbers)
    print(f"    {{COR_KIND_{kind}, {level}, {{{flat}, -2}}, {text}, COR_INTERVAL_{interval}}},")
print("};")
