# SPDX-License-Identifier: GPL-3.0-or-later
"""What naive_performance.py, naive_compare.py and naive_survival.py share: reading a result file, and statistics written down from their
definitions, with loops, fractions and enumerations instead of the formulas of the program."""
import json
import math
import subprocess
import sys
from collections import defaultdict

import h5py
import numpy

PASSED, FAILED, NOT_JUDGED, SMOKE = 1, 2, 3, 4
INSIDE, OUTSIDE, EDGE, NOT_LOOKED = 1, 2, 3, 4
Z = 1.959963984540054


def run(corridor, *words, code=0):
    made = subprocess.run([corridor, *words], capture_output=True, text=True)
    if made.returncode != code:
        sys.exit(f"corridor {' '.join(words)}: exit code {made.returncode}, expected {code}\n{made.stderr[-2000:]}")
    return made


def document(corridor, *words, code=0):
    return json.loads(run(corridor, *words, "--json", code=code).stdout)


def sheets(corridor, *words, code=0):
    """id -> rows (of a record: its one row) of the JSON document of a view."""
    said = document(corridor, *words, code=code)["sheets"]
    return {name: sheet["row"] if "row" in sheet else sheet["rows"] for name, sheet in said.items()}


def by(rows, *keys):
    """The rows under the values of these columns; one row each."""
    made = {tuple(row[k] for k in keys) if len(keys) > 1 else row[keys[0]]: row for row in rows}
    assert len(made) == len(rows), keys
    return made


def load(path):
    """table -> rows as dictionaries; names of arms. Continuations of failed sequences are left out."""
    with h5py.File(path) as file:
        names = ("suites", "sequences", "cases", "reorganizations", "violations", "branches")
        tables = {}
        for name in names:
            columns = {key: column[()].tolist() for key, column in file[name].items()} if name in file else {}
            keys = list(columns)
            tables[name] = [dict(zip(keys, values)) for values in zip(*columns.values())]
        arms = dict(zip(file["catalog/arm/code"][()].tolist(), file["catalog/arm/name"].asstr()[()].tolist()))
    continued = {(b["arm"], b["suite"], b["sequence"]) for b in tables.pop("branches")}
    for name in names[1:-1]:
        tables[name] = [r for r in tables[name] if (r["arm"], r["suite"], r["sequence"]) not in continued]
    return tables, arms, len(continued)


def same(what, ours, theirs, tolerance=1e-9):
    nothing = lambda v: v is None or (isinstance(v, float) and math.isnan(v))
    if nothing(ours) or nothing(theirs):
        if nothing(ours) != nothing(theirs):
            sys.exit(f"{what}: the program says {theirs}, computed again {ours}")
    elif not math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=tolerance):
        sys.exit(f"{what}: the program says {theirs}, computed again {ours}")


def detected(r, box="any"):
    gray, black = r["gray"] in (FAILED, SMOKE), r["black"] in (FAILED, SMOKE)
    return {"any": gray or black, "gray": gray, "black": black}[box]


# ------------------------------------------------------------------------------------------------------- intervals
def check_interval(what, pairs, estimate, whole, resample=True):
    """A ratio of sums over suites: mean, and its interval by a bootstrap with random numbers of our own."""
    pairs = [(y, x) for y, x in pairs if x > 0]
    total = sum(x for _, x in pairs)
    same(what + ", suites", len(pairs), estimate["suites"])
    same(what + ", n", total, estimate["n"])
    if not pairs:
        assert estimate["mean"] is None and estimate["interval"] == "none", what
        return 0
    mean = sum(y for y, _ in pairs) / total
    same(what, mean, estimate["mean"])
    count = len(pairs)
    if whole and (mean <= 0 or mean >= whole):
        if count < 2:
            assert estimate["interval"] == "none", what
            return 1
        bound = 0.025 ** (1 / count)
        low, high = (0, 1 - bound) if mean <= 0 else (bound, 1)
        assert estimate["interval"] == "clopper_pearson_suites", what
        same(what + ", low", whole * low, estimate["low"], 1e-7)
        same(what + ", high", whole * high, estimate["high"], 1e-7)
        return 1
    if not resample:
        return 1
    y, x = (numpy.array(column, float) for column in zip(*pairs))
    check_resampled(what, bca(lambda times: times @ y / (times @ x), [count]), count, estimate, few(y, x, whole))
    return 1


def few(y, x=1, whole=0):
    """Whether six suites or fewer carry a figure, while most show nothing, or all."""
    alike = max(numpy.sum(y == 0), numpy.sum(y == whole * x) if whole else 0)
    return len(y) - alike <= 6 and alike > len(y) - alike


def normal(p):
    """Quantile of the normal law, by bisection of its distribution."""
    low, high = -40.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 * math.erfc(-middle / math.sqrt(2)) < p else (low, middle)
    return low


def bca(statistic, counts, replicates=2000):
    """Interval of statistic(how often each is there) over clusters, of several strata one after the other: definition of Efron and
    Tibshirani, chapter 14; the acceleration of strata as in Davison and Hinkley, 5.3. The statistic is asked of many samples at once,
    a row each. None if there is none."""
    rng, first = numpy.random.default_rng(12345), numpy.cumsum([0, *counts])
    whole = numpy.ones((1, first[-1]))
    drawn = statistic(numpy.hstack([rng.multinomial(c, [1 / c] * c, size=replicates) for c in counts]).astype(float))
    estimate, drawn = statistic(whole)[0], drawn[~numpy.isnan(drawn)]
    if first[-1] < 2 or len(drawn) == 0 or drawn.max() - drawn.min() <= 1e-12 * abs(drawn.max()):
        return None
    below = (numpy.sum(drawn < estimate) + numpy.sum(drawn == estimate) / 2) / len(drawn)
    all_left = statistic(whole - numpy.eye(first[-1]))
    squares = cubes = 0
    for f, c in zip(first, counts):
        left = all_left[f:f + c]
        off = (left.mean() - left) * (c - 1) / c
        squares, cubes = squares + (off ** 2).sum(), cubes + (off ** 3).sum()
    if not 0 < below < 1 or not squares > 0:
        return tuple(numpy.quantile(drawn, [.025, .975]))
    z0, a = normal(below), cubes / (6 * squares ** 1.5)
    shares = (0.5 * math.erfc(-(z0 + (z0 + z) / (1 - a * (z0 + z))) / math.sqrt(2)) for z in (-Z, Z))
    return tuple(numpy.quantile(drawn, share) for share in shares)


def check_resampled(what, bounds, count, estimate, refused=False):
    """The interval is right up to what random numbers may do to its ends; of few clusters, or where few carry the figure, there is
    none."""
    if refused and bounds is not None:
        assert estimate["interval"] == "few_suites" and estimate["low"] is None, what
        return
    if bounds is None or count < 8:
        assert (estimate["low"] is None) == (estimate["interval"] in ("none", "few_suites")), what
        assert count > 6 or estimate["low"] is None, what
        return
    assert estimate["interval"] in ("bca", "percentile"), (what, estimate, bounds)
    slack = 0.4 * (bounds[1] - bounds[0]) + 1e-12
    assert abs(bounds[0] - estimate["low"]) <= slack and abs(bounds[1] - estimate["high"]) <= slack, (what, bounds, estimate)


def holm(p):
    order = sorted((value, i) for i, value in enumerate(p) if value is not None and not math.isnan(value))
    made, largest = [None] * len(p), 0
    for rank, (value, i) in enumerate(order):
        largest = max(largest, min(1, value * (len(order) - rank)))
        made[i] = largest
    return made


def by_suite(rows):
    suites = defaultdict(list)
    for r in rows:
        suites[r["suite"]].append(r)
    return suites
