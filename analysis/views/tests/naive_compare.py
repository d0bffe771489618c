#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_compare.py RANDOM_CAMPAIGN CORRIDOR SEED: two random result files on equal suites, the second by a worse algorithm,
and what `corridor compare` says of them, computed once more: tests by counting all arrangements where the program does
so, or by the normal law; Holm; A12 by counting pairs."""
import csv
import functools
import itertools
import math
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction

from naive import *
from naive_performance import read_times, suite_values


def ranks(values):
    order = sorted(values)
    first = {v: order.index(v) + 1 for v in set(values)}
    count = Counter(values)
    return [first[v] + (count[v] - 1) / 2 for v in values], sum(c ** 3 - c for c in count.values())


def tail(z):
    return 0.5 * math.erfc(z / math.sqrt(2))


def both_tails(ways, statistic):
    """Twice the smaller tail of a law given as value -> number of arrangements."""
    total = sum(ways.values())
    low = sum(n for v, n in ways.items() if v <= statistic)
    high = sum(n for v, n in ways.items() if v >= statistic)
    return min(1.0, float(2 * Fraction(min(low, high), total)))


def signed_rank(a, b):
    off = [y - x for x, y in zip(a, b) if y != x]
    n = len(off)
    if n == 0:
        return math.nan
    rank, ties = ranks([abs(d) for d in off])
    plus = sum(r for r, d in zip(rank, off) if d > 0)
    if n <= 50 and ties == 0 and n == len(a):
        ways = Counter({0: 1})
        for r in range(1, n + 1):
            ways = ways + Counter({v + r: c for v, c in ways.items()})
        return both_tails(ways, plus)
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    distance = max(abs(plus - n * (n + 1) / 4) - 0.5, 0)
    return min(1.0, 2 * tail(distance / math.sqrt(variance)))


def mann_whitney(a, b):
    n, m = len(b), len(a)
    u = sum((y > x) + (y == x) / 2 for x in a for y in b)
    ties = sum(c ** 3 - c for c in Counter(a + b).values())
    if len(set(a + b)) < 2:
        return math.nan
    if n <= 20 and m <= 20 and ties == 0:
        ways = {(0, 0, 0): 1}  # (of b, of a, U): arrangements, the next value being from either
        for _ in range(n + m):
            further = Counter()
            for (i, j, v), c in ways.items():
                if i < n:
                    further[i + 1, j, v + j] += c
                if j < m:
                    further[i, j + 1, v] += c
            ways = further
        return both_tails({v: c for (_, _, v), c in ways.items()}, u)
    total = n + m
    variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    return min(1.0, 2 * tail(max(abs(u - n * m / 2) - 0.5, 0) / math.sqrt(variance)))


def size_word(a12):
    off = abs(a12 - .5) + 1e-12
    return "large" if off >= .21 else "medium" if off >= .14 else "small" if off >= .06 else "negligible"


@functools.cache
def loaded(path):
    return load(path)


@functools.cache
def metrics_of(path, arm, name):
    sums = suite_values(loaded(path)[0], arm, read_times(path, name))[0]
    return {s: {m: v[0] / v[1] for m, v in values.items() if m != "stop" and v[1] > 0} for s, values in sums.items()}


def values_of(sides, metric, paired):
    if paired:
        both = [s for s in sides[0] if s in sides[1] and metric in sides[0][s] and metric in sides[1][s]]
        return [[side[s][metric] for s in both] for side in sides]
    return [[v[metric] for v in side.values() if metric in v] for side in sides]


def check_metric(what, a, b, paired, said):
    same(what + ", a", numpy.mean(a), said["value_a"]["mean"])
    same(what + ", b", numpy.mean(b), said["value_b"]["mean"])
    same(what + ", difference", numpy.mean(b) - numpy.mean(a), said["difference"]["mean"], 1e-8)
    x, y = numpy.array(a), numpy.array(b)
    if paired:
        bounds = bca(lambda times: times @ (y - x) / times.sum(1), [len(a)], 1000)
    else:
        mean = lambda times, values: times @ values / times.sum(1)
        bounds = bca(lambda times: mean(times[:, len(x):], y) - mean(times[:, :len(x)], x), [len(a), len(b)], 1000)
    check_resampled(what + ", difference", bounds, min(len(a), len(b)), said["difference"], paired and few(y - x))
    a12 = sum((q > p) + (q == p) / 2 for p in a for q in b) / len(a) / len(b)
    same(what + ", A12", a12, said["a12"])
    assert said["magnitude"] == size_word(a12), (what, said, a12)
    p = signed_rank(a, b) if paired else mann_whitney(a, b)
    same(what + ", p", p, said["p"], 1e-8)
    return p


def check_verdict(what, said, level=0.95):
    """A claim needs p after Holm, and goes the way of the means; whether B is worse follows from the direction."""
    claimed, difference = said["verdict"] != "no_difference_claimed", said["difference"]["mean"]
    if said["p_holm"] is None or said["p_holm"] >= 1 - level:
        assert not claimed, what
    if claimed:
        assert said["verdict"] == ("B_higher" if difference > 0 else "A_higher"), what
    word = None
    if claimed and said["better"] != "neither":
        word = "better" if (said["verdict"] == "B_higher") == (said["better"] == "higher") else "worse"
    assert said["b_is"] == word, (what, said)
    sentence = said["verdict"].replace("_", " ") + (f": B is {word}" if word else "") if claimed else "no claim"
    assert said["claim"] == sentence, (what, said)


def check(corridor, paths, words, paired, identical=False, code=0):
    said = sheets(corridor, "compare", *paths, *words, code=code)
    for couple in said["arms"]:
        couple["metrics"] = {m["metric"]: m for m in said["metrics"] if (m["a"], m["b"]) == (couple["a"], couple["b"])}
    assert said["about"]["identical"] == identical
    p, all_said = [], []
    for couple in said["arms"]:
        sides = []
        for path, name in zip(paths, (couple["a"], couple["b"])):
            arm = next(code for code, n in loaded(path)[1].items() if n == name)
            sides.append(metrics_of(path, arm, name))
        assert [couple["suites_a"], couple["suites_b"]] == [len(s) for s in sides]
        assert couple["paired"] == (paired and len(sides[0]) > 0), couple["a"]
        same("equal suites", len(sides[0]) if paired else 0, couple["suites_equal"])
        for metric, mine in couple["metrics"].items():
            what = f"{couple['a']}, {couple['b']}: {metric}"
            a, b = values_of(sides, metric, couple["paired"])
            if not a or not b or mine["not_compared"]:
                assert mine["not_compared"] and mine["p"] is None, what
                assert not a or not b or "algorithms differ" in mine["not_compared"], what
                continue
            p.append(check_metric(what, a, b, couple["paired"], mine))
            all_said.append((what, mine))
    assert said["about"]["tests"] == sum(not math.isnan(value) for value in p)
    for value, (what, mine) in zip(holm(p), all_said):
        same(what + ", after Holm", value, mine["p_holm"], 1e-8)
        check_verdict(what, mine)
    assert said["about"]["worse"] == sum(mine["b_is"] == "worse" for _, mine in all_said)
    rows = list(csv.DictReader(run(corridor, "compare", *paths, *words, "--csv", code=code).stdout.splitlines()))
    assert len(rows) == sum(len(c["metrics"]) for c in said["arms"])
    return said, len(p)


def claimed(said, arm):
    metrics = next(c for c in said["arms"] if c["a"] == arm)["metrics"]
    return {m: v["verdict"] for m, v in metrics.items() if v["verdict"] != "no_difference_claimed"}


def check_kinds(corridor, path, compared):
    fail = ["--fail-on", "regression"]
    said, n = check(corridor, [path["plain"], path["plain"]], fail, paired=True, identical=True)
    assert said["about"]["tests"] == 0 and said["about"]["worse"] == 0, "a file differs from itself"
    text = run(corridor, "compare", path["plain"], path["plain"], *fail).stdout
    assert text.startswith("The two files say the same") and text.count("No difference can be claimed.") == len(said["arms"])
    assert "Warning: only 1 repetitions (suites)" in text and text.count("Warning") >= 4
    said, n = check(corridor, [path["plain"], path["worse"]], fail, paired=True, code=1)
    compared += n
    found = claimed(said, "PSOPP-F1")
    assert found["moved_per_reorganization"] == "B_higher" and found["detections_pct"] == "B_higher", found
    assert said["about"]["worse_times"] > 0 and said["about"]["worse"] > said["about"]["worse_times"]
    assert "regression" in run(corridor, "compare", path["plain"], path["worse"], *fail, code=1).stderr
    run(corridor, "compare", path["plain"], path["worse"])
    run(corridor, "compare", path["worse"], path["plain"], *fail)  # better is no regression
    said, n = check(corridor, [path["plain"], path["other"]], fail, paired=False, code=1)
    compared += n
    couple = said["arms"][0]
    assert (couple["suites_common"], couple["suites_equal"], couple["paired"]) == (24, 0, False), couple
    said, n = check(corridor, [path["plain"], path["plain"]], ["--arms", "PSOPP-F1=SPADA-F1"], paired=False, identical=True)
    assert len(said["arms"]) == 1 and said["arms"][0]["metrics"]["spent_per_reorganization"]["not_compared"]
    return compared + n


def check_times_alone(corridor, path):
    """CPU times are a regression only if they are asked for."""
    with open("times_alone.h5", "wb") as to, open(path["plain"], "rb") as source:
        to.write(source.read())
    os.replace(path["worse"] + ".times.csv", "times_alone.h5.times.csv")
    run(corridor, "compare", path["plain"], "times_alone.h5", "--fail-on", "regression")
    run(corridor, "compare", path["plain"], "times_alone.h5", "--fail-on", "regression-or-time", code=1)


def main():
    program, corridor, seed = sys.argv[1:]
    os.makedirs(f"naive_compare_{seed}", exist_ok=True)
    os.chdir(f"naive_compare_{seed}")
    path = {kind: f"{kind}.h5" for kind in ("plain", "worse", "other")}
    for kind in path:
        subprocess.run([program, seed, path[kind], kind], check=True)
    compared = check_kinds(corridor, path, 0)
    check_times_alone(corridor, path)
    assert compared > 150, compared
    print(f"{compared} comparisons agree")


if __name__ == "__main__":
    main()
