#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_bootstrap.py > replicates.h: BCa and percentile intervals of scipy 1.10.1 with numpy 1.24.2 (Debian 12), together
with the replicates that they were made from. The acceleration over two strata, which this scipy does not have, is from
its definition, naively."""
import numpy as np
import scipy.stats as st

def text(values):
    return ", ".join(f"{v:.17g}" for v in np.ravel(values))

def ratio(y, x, axis=-1):
    return y.sum(axis=axis) / x.sum(axis=axis)

print("/* SPDX-License-Identifier: GPL-3.0-or-later\n *\n * Made by make_bootstrap.py; do not edit. */")
print("/* clang-format off */")
rng = np.random.default_rng(7)
x = rng.integers(1, 12, 17).astype(float)
y = np.round(x * rng.exponential(2, 17), 3)
jackknife = np.array([ratio(np.delete(y, i), np.delete(x, i)) for i in range(17)])
print(f"static const double sums[17] = {{{text(y)}}};\nstatic const double sizes[17] = {{{text(x)}}};")
print(f"static const double sample_jackknife[17] = {{{text(jackknife)}}};")
for method in ("BCa", "percentile"):
    made = st.bootstrap((y, x), ratio, paired=True, vectorized=True, n_resamples=399, confidence_level=0.9,
                        method=method, random_state=11)
    if method == "BCa":
        print(f"static const double sample_replicates[399] = {{{text(made.bootstrap_distribution)}}};")
        print(f"static const double sample_error = {made.standard_error:.17g};")
    print(f"static const double sample_{method.lower()}[2] = {{{text([*made.confidence_interval])}}};")

strata = [np.array([1.0, 4.0, 2.0, 9.0]), np.array([3.0, 3.5, 20.0, 1.0, 2.0, 0.25])]
squares = cubes = 0
values = []
for s in range(2):
    n, left = len(strata[s]), []
    for i in range(n):
        parts = list(strata)
        parts[s] = np.delete(parts[s], i)
        left.append(parts[0].mean() - parts[1].mean())
    influence = (n - 1) * (np.mean(left) - np.array(left))
    squares += (influence**2).sum() / n**2
    cubes += (influence**3).sum() / n**3
    values += left
print(f"static const double strata_jackknife[10] = {{{text(values)}}};")
print(f"static const double strata_acceleration = {cubes / squares**1.5 / 6:.17g};")
