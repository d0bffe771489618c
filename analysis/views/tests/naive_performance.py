#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_performance.py RANDOM_CAMPAIGN CORRIDOR SEED: lets RANDOM_CAMPAIGN write a result file and computes what
`corridor show FILE survival` and `corridor show FILE performance` say of it once more."""
import csv
import math
import os
import statistics
import sys
from collections import Counter, defaultdict
from fractions import Fraction

import numpy

from naive import *

BOXES, CHECKS = ("gray", "black", "detect", "interim"), (
    "agent_missing", "agent_repeated", "agent_unknown", "partition_empty", "size_below_minimum", "size_above_maximum",
    "count_below_minimum", "count_above_maximum", "structure_differs", "alarm_missed", "alarm_false")
RULES = dict(zip(CHECKS, ("C1", "C1", "C2", "C3", "C4", "C4", "C5", "C5", "C7", "R-Detect", "R-Detect")))


# -------------------------------------------------------------------------------------------------------- survival
def observe(tables, arm, box):
    """(time, event, suite) of each sequence."""
    first = {}
    for r in tables["reorganizations"]:
        key = r["suite"], r["sequence"]
        if r["arm"] == arm and detected(r, box) and r["case"] < first.get(key, math.inf):
            first[key] = r["case"]
    return [(first.get((s["suite"], s["sequence"]), s["executed"]), (s["suite"], s["sequence"]) in first, s["suite"])
            for s in tables["sequences"] if s["arm"] == arm]


def curve(observed):
    """time -> at risk, events, censored, survival as a fraction."""
    steps, survival = {}, Fraction(1)
    for time in sorted({t for t, _, _ in observed}):
        risk = sum(t >= time for t, _, _ in observed)
        events = sum(t == time and e for t, e, _ in observed)
        survival *= Fraction(risk - events, risk)
        steps[time] = risk, events, sum(t == time and not e for t, e, _ in observed), survival
    return steps


def survival_at(steps, time):
    if not steps or (time > max(steps) and steps[max(steps)][3] > 0):
        return None
    return min([Fraction(1)] + [s[3] for t, s in steps.items() if t <= time])


def restricted_mean(steps, horizon):
    if survival_at(steps, horizon) is None:
        return None
    ends = sorted({0, horizon} | {t for t in steps if t < horizon})
    return float(sum(survival_at(steps, a) * (b - a) for a, b in zip(ends, ends[1:])))


def reach(observed):
    """Up to where half of the suites are observed; suites with nothing but detections set no limit."""
    suites = defaultdict(list)
    for time, event, suite in observed:
        suites[suite].append((time, event))
    last = sorted(math.inf if all(e for _, e in s) else max(t for t, _ in s) for s in suites.values())
    middle, steps = last[(len(last) - 1) // 2], curve(observed)
    return middle if middle < math.inf or steps[max(steps)][3] == 0 else max(steps)


def log_rank(groups):
    """Chi-square and degrees of freedom of observations in groups."""
    size = len(groups)
    times = [numpy.array([t for t, _, _ in g]) for g in groups]
    event = [numpy.array([t for t, e, _ in g if e]) for g in groups]
    difference, covariance = numpy.zeros(size), numpy.zeros((size, size))
    for time in sorted({t for e in event for t in e.tolist()}):
        risk = numpy.array([(t >= time).sum() for t in times], float)
        events = numpy.array([(e == time).sum() for e in event], float)
        n, d = risk.sum(), events.sum()
        difference += events - d * risk / n
        if n > 1:
            covariance += d * (n - d) / (n - 1) * (numpy.diag(risk / n) - numpy.outer(risk, risk) / n ** 2)
    df = int(numpy.linalg.matrix_rank(covariance, tol=1e-9 * max(covariance.max(), 1e-300)))
    return float(difference @ numpy.linalg.pinv(covariance, rcond=1e-10) @ difference), df


def check_test(what, groups, said):
    chi_square, df = log_rank(groups)
    same(what + ", df", df, said["df"])
    if df == 0:
        assert said["chi_square"] is None and said["p"] is None, what
        return math.nan
    same(what, chi_square, said["chi_square"], 1e-7)
    return said["p"]  # naive_survival.py rearranges suites


def check_curve(arm, observed, said, horizon):
    steps = curve(observed)
    assert len(steps) == len(said["curve"]), arm
    for (time, (risk, events, censored, survival)), step in zip(sorted(steps.items()), said["curve"]):
        assert (time, risk, events, censored) == (step["cases"], step["at_risk"], step["detected"], step["censored"]), arm
        same(f"{arm}: curve at {time}", float(survival), step["survival"])
    same(f"{arm}: detected", sum(e for _, e, _ in observed), said["detected"])
    same(f"{arm}: censored", sum(not e for _, e, _ in observed), said["censored"])
    reached = [t for t, s in steps.items() if s[3] <= Fraction(1, 2)]
    same(f"{arm}: median", min(reached) if reached else None, said["median"]["mean"])
    for point in said["survival"]:
        known = survival_at(steps, point["cases"])
        same(f"{arm}: survival at {point['cases']}", None if known is None else float(known), point["share"]["mean"])
        check_unanimous(f"{arm}: survival at {point['cases']}", point["share"])
    same(f"{arm}: restricted mean", restricted_mean(steps, horizon), said["restricted_mean"]["mean"])


class Resampled:
    """Figures of the curve when whole suites are drawn again: of many samples at once, a row of how often each suite is there."""

    def __init__(self, observed):
        suites = sorted({suite for _, _, suite in observed})
        self.times = sorted({time for time, _, _ in observed})
        self.count = len(suites)
        self.left, self.events = numpy.zeros((2, self.count, len(self.times)))
        for time, event, suite in observed:
            place = suites.index(suite), self.times.index(time)
            self.left[place] += 1
            self.events[place] += event

    def curves(self, often):
        """Survival behind each time, and the last time at which a sample has somebody."""
        left, events = often @ self.left, often @ self.events
        risk = left[:, ::-1].cumsum(1)[:, ::-1]
        last = numpy.where(left > 0, self.times, -1).max(1)
        return numpy.where(risk > 0, 1 - events / numpy.maximum(risk, 1), 1).cumprod(1), last

    def known(self, curves, last, time, values):
        return numpy.where((last < 0) | (last < time) & (curves[:, -1] > 0), math.nan, values)

    def survival(self, often, time):
        curves, last = self.curves(often)
        behind = numpy.hstack([numpy.ones((len(often), 1)), curves])[:, sum(t <= time for t in self.times)]
        return self.known(curves, last, time, behind)

    def mean(self, often, horizon):
        curves, last = self.curves(often)
        ends = [min(time, horizon) for time in (0, *self.times, max(horizon, self.times[-1]))]
        area = numpy.hstack([numpy.ones((len(often), 1)), curves]) @ numpy.diff(ends)
        return self.known(curves, last, horizon, area)

    def median(self, often):
        half = self.curves(often)[0] <= 0.5 + 1e-12
        return numpy.where(half.any(1), numpy.array(self.times)[half.argmax(1)], math.inf)


def check_resampled_curve(name, observed, said, horizon):
    curves = Resampled(observed)
    count = curves.count
    check_resampled(f"{name}: mean", bca(lambda often: curves.mean(often, horizon), [count], 1000), count, said["restricted_mean"])
    share = said["survival"][0]
    if share["share"]["interval"] != "clopper_pearson_suites":
        check_resampled(f"{name}: share", bca(lambda often: curves.survival(often, share["cases"]), [count], 1000), count,
                        share["share"])
    drawn = sorted(curves.median(numpy.random.default_rng(1).multinomial(count, [1 / count] * count, size=1000).astype(float)))
    # The ends are order statistics of resamples; other random numbers move them by a few places.
    if said["median"]["interval"] == "percentile":
        assert drawn[8] <= said["median"]["low"] <= drawn[45], (name, said["median"])
        high = math.inf if said["median"]["high"] is None else said["median"]["high"]
        assert drawn[-46] <= high <= drawn[-9], (name, said["median"])
    else:
        assert drawn[8] == drawn[-9], (name, said["median"])


def check_unanimous(what, estimate):
    """Suites that all show the same by hand; the bootstrap of others (analysis/statistics) has the estimate within."""
    if estimate["interval"] == "clopper_pearson_suites":
        bound = 0.025 ** (1 / estimate["suites"])
        low, high = (0, 1 - bound) if estimate["mean"] == 0 else (bound, 1)
        same(what + ", low", low, estimate["low"], 1e-7)
        same(what + ", high", high, estimate["high"], 1e-7)
    elif estimate["interval"] in ("bca", "percentile"):
        assert estimate["low"] <= estimate["mean"] <= estimate["high"], (what, estimate)


def wilson(part, n):
    middle, half = part + Z * Z / 2, Z * math.sqrt(part * (n - part) / n + Z * Z / 4)
    return (middle - half) / (n + Z * Z), (middle + half) / (n + Z * Z)


def check_masking(name, tables, arm, said):
    rows = [r for r in tables["reorganizations"] if r["arm"] == arm and r["fault_activated"] > 0]
    suites = by_suite(rows)
    for box in ("gray", "black"):
        same(f"{name}: {box}", sum(detected(r, box) for r in rows), said[box])
        pairs = [(100 * sum(detected(r, box) for r in s), len(s)) for s in suites.values()]
        check_interval(f"{name}: share {box}", pairs, said[box + "_pct"], 100)
    same(f"{name}: entered", len(rows), said["entered"])
    same(f"{name}: masked", sum(not detected(r) for r in rows), said["masked"])
    check_interval(f"{name}: share masked", [(100 * sum(not detected(r) for r in s), len(s)) for s in suites.values()],
                   said["masked_pct"], 100)
    detecting = sum(any(detected(r) for r in s) for s in suites.values())
    same(f"{name}: suites", len(suites), said["suites_entered"])
    same(f"{name}: suites detecting", detecting, said["suites_detecting"])
    if suites:
        for bound, key in zip(wilson(detecting, len(suites)), ("low", "high")):
            same(f"{name}: suites, {key}", bound, said["suite_share"][key], 1e-7)


def count_kills(tables, arm):
    seen = defaultdict(set)  # (suite, sequence, case) -> what was violated
    for v in tables["violations"]:
        if v["arm"] == arm:
            seen[v["suite"], v["sequence"], v["case"]].add(f"{BOXES[v['box'] - 1]}.{CHECKS[v['check'] - 1]}")
    activated = set()
    for r in tables["reorganizations"]:
        key = r["suite"], r["sequence"], r["case"]
        if r["arm"] == arm and SMOKE in (r["gray"], r["black"]):
            seen[key].add("smoke")
        if r["arm"] == arm and r["fault_activated"]:
            activated.add(key)
    kills = {}
    for oracle in {o for s in seen.values() for o in s}:
        cases = [key for key, s in seen.items() if oracle in s]
        kills[oracle] = {"rule": RULES.get(oracle.split(".")[-1], ""), "cases": len(cases),
                         "failures": sum(c in activated for c in cases), "alone": sum(len(seen[c]) == 1 for c in cases),
                         "sequences": len({c[:2] for c in cases}), "suites": len({c[0] for c in cases})}
    return kills


def check_survival(corridor, path, tables, arms, left_out, box):
    said = sheets(corridor, "show", path, "survival", "--box", box)
    horizon, points = said["about"]["horizon"], by(said["points"], "arm")
    assert said["about"]["box"] == box and said["about"]["continuations_left_out"] == left_out
    observed = {arm: observe(tables, arm, box) for arm in arms}
    greatest = max(t for o in observed.values() for t, _, _ in o)
    same("horizon", min([greatest] + [reach(o) for o in observed.values() if o]), horizon)
    assert [mine["arm"] for mine in said["arms"]] == list(arms.values())
    for (arm, name), mine in zip(arms.items(), said["arms"]):
        mine["curve"] = [step for step in said["curves"] if step["arm"] == name]
        mine["survival"] = [{"cases": cases, "share": points[name][f"undetected_{cases}"]} for cases in (10, 50, 100, 500)]
        check_curve(name, observed[arm], mine, horizon)
        if box == "any" and mine["suites"] >= 12:
            check_resampled_curve(name, observed[arm], mine, horizon)
        check_masking(name, tables, arm, by(said["failures"], "arm")[name])
        kills = {k["oracle"]: {key: k[key] for key in k if key not in ("arm", "oracle")} for k in said["kills"] if k["arm"] == name}
        assert kills == count_kills(tables, arm), (name, kills, count_kills(tables, arm))
    check_test("log-rank", list(observed.values()), said["log_rank"])
    p, codes = [], list(arms)
    for pair in said["log_rank_pairs"]:
        first, second = (next(a for a, n in arms.items() if n == pair[k]) for k in ("first", "second"))
        p.append(check_test(f"log-rank of {pair['first']}, {pair['second']}", [observed[first], observed[second]], pair))
    assert len(p) == len(codes) * (len(codes) - 1) // 2
    for value, pair in zip(holm(p), said["log_rank_pairs"]):
        same("after Holm", value, pair["p_holm"], 1e-7)
    rows = list(csv.DictReader(run(corridor, "show", path, "survival", "--box", box, "--csv").stdout.splitlines()))
    assert len(rows) == len(said["curves"])
    kills = list(csv.DictReader(run(corridor, "show", path, "survival", "--sheet", "kills").stdout.splitlines()))
    shown = by(said["kills"], "arm", "oracle")
    assert len(kills) == len(shown) and all(int(k["cases"]) == shown[k["arm"], k["oracle"]]["cases"] for k in kills)
    assert run(corridor, "show", path, "survival", "--box", box).stdout.count("\n") > 40


# ----------------------------------------------------------------------------------------------------- performance
def suite_values(tables, arm, times):
    """suite -> metric -> (y, x); also gaps, stays as (length, cut off), and bins of budget -> suite -> rows."""
    sums, gaps, stays, bins = {}, [], [], defaultdict(lambda: defaultdict(list))
    runs, cases, sequences = (by_suite([r for r in tables[t] if r["arm"] == arm])
                              for t in ("reorganizations", "cases", "sequences"))
    for suite in (s for s in tables["suites"] if s["arm"] == arm):
        s, agents, threshold = suite["suite"], suite["agents"], suite["threshold"]
        r, executed = runs[s], sum(q["executed"] for q in sequences[s])
        usable = [q for q in r if math.isfinite(q["dissimilarity_before"]) and math.isfinite(q["dissimilarity_after"])]
        is_smoke = lambda q: SMOKE in (q["gray"], q["black"])
        is_looked = lambda q: not is_smoke(q) and q["inside_after"] in (INSIDE, OUTSIDE)
        is_inside = lambda q: is_looked(q) and q["inside_after"] == INSIDE
        mean = lambda column: (sum(q[column] for q in r), len(r))
        own_gaps, own_stays, ended = [], [], []
        at = {(q["sequence"], q["case"]): q for q in r}
        for number in {q["sequence"] for q in sequences[s]}:
            places = sorted(q["case"] for q in r if q["sequence"] == number)
            own_gaps += [b - a for a, b in zip(places, places[1:])]
            length = 0
            for c in sorted((c for c in cases[s] if c["sequence"] == number), key=lambda c: c["case"]):
                q = at.get((number, c["case"]))
                end = q["inside_after"] if q and q["inside_after"] != NOT_LOOKED else c["inside"]
                if q and q["black"] == FAILED: # whatever is measured of what is no structure
                    end = OUTSIDE
                ended.append(end)
                if end == OUTSIDE:
                    length += 1
                elif length:
                    own_stays.append((length, end == NOT_LOOKED))
                    length = 0
            if length:
                own_stays.append((length, True))
        gaps += own_gaps
        stays += own_stays
        known = [e for e in ended if e != NOT_LOOKED]
        sums[s] = {
            "reorganizations_per_case": (len(r), executed),
            "success_pct": (100 * sum(map(is_inside, r)), sum(is_looked(q) or is_smoke(q) for q in r)),
            "sequences_detected_pct": (100 * len({q["sequence"] for q in r if detected(q)}), len(sequences[s])),
            "detections_pct": (100 * sum(detected(q) for q in r), len(r)),
            "failures_per_sequence": (sum(q["fault_activated"] > 0 for q in r), len(sequences[s])),
            "moved_per_reorganization": mean("moved"),
            "involved_per_reorganization": (agents * len(r), len(r)),
            "involvement_efficiency": (sum(q["moved"] for q in r), agents * len(r)),
            "moves_per_agent": (sum(q["moved"] for q in r) / agents, len(sequences[s])),
            "messages_per_reorganization": mean("messages"),
            "rounds_per_reorganization": mean("rounds"),
            "spent_per_reorganization": mean("spent"),
            "dissimilarity_before": (sum(q["dissimilarity_before"] / threshold for q in usable), len(usable)),
            "dissimilarity_after": (sum(q["dissimilarity_after"] / threshold for q in usable), len(usable)),
            "cases_outside_pct": (100 * sum(e == OUTSIDE for e in known), len(known)),
            "cases_per_stay_outside": (sum(n for n, _ in own_stays), len(own_stays)),
            "cases_between_reorganizations": (sum(own_gaps), len(own_gaps)),
            "cpu_per_reorganization": (times[s], len(r)) if s in times else (0, 0),
            "cpu_per_case": (times[s], executed) if s in times else (0, 0),
            "stop": Counter(q["stop"] for q in r),
        }
        for q in r:
            is_usable = math.isfinite(q["dissimilarity_before"]) and math.isfinite(q["dissimilarity_after"])
            bins[q["spent"].bit_length()][s].append((q, threshold, is_usable, is_inside(q), is_looked(q) or is_smoke(q)))
    return sums, gaps, stays, bins


def check_lengths(what, lengths, said):
    same(what, len(lengths), said["n"])
    if not lengths:
        assert said["mean"] is None and said["median"] is None, what
        return
    for key, value in {"mean": statistics.fmean(lengths), "median": statistics.median(lengths), "min": min(lengths),
                       "max": max(lengths), "geometric_mean": statistics.geometric_mean(lengths),
                       "harmonic_mean": statistics.harmonic_mean(lengths),
                       "sd": statistics.stdev(lengths) if len(lengths) > 1 else None}.items():
        same(f"{what}, {key}", value, said[key])


def check_quality(name, bins, said):
    assert len(bins) == len(said), (name, sorted(bins), said)
    for b, mine in zip(sorted(bins), said):
        same(f"{name}: from", 2 ** (b - 1) if b else 0, mine["spent_from"])
        same(f"{name}: to", 2 ** b - 1, mine["spent_to"])
        same(f"{name}: reorganizations", sum(len(rows) for rows in bins[b].values()), mine["reorganizations"])
        for key in ("dissimilarity_before", "dissimilarity_after"):
            pairs = [(sum(q[key] / t for q, t, usable, _, _ in rows if usable), sum(usable for _, _, usable, _, _ in rows))
                     for rows in bins[b].values()]
            check_interval(f"{name}: {key} at {b}", pairs, mine[key], 0, resample=False)
        pairs = [(sum(i for _, _, _, i, _ in rows), sum(k for _, _, _, _, k in rows)) for rows in bins[b].values()]
        check_interval(f"{name}: success at {b}", pairs, mine["success"], 1, resample=False)


def read_times(path, name):
    with open(path + ".times.csv", newline="") as file:
        return {int(r["suite"]): float(r["cpu_s"]) for r in csv.DictReader(file) if r["arm"] == name}


def check_performance(corridor, path, tables, arms, left_out):
    said = sheets(corridor, "show", path, "performance")
    assert said["about"]["times"] and said["about"]["continuations_left_out"] == left_out
    assert set(by(said["not_available"], "figure")) == {"gap_to_optimum", "time_performance"}
    assert [mine["arm"] for mine in said["arms"]] == list(arms.values())
    metrics = list(by(said["metrics"], "metric"))
    figures, lengths = by(said["figures"], "arm", "metric"), by(said["lengths"], "arm", "length")
    lost = missing = compared = 0
    for arm, name in arms.items():
        times = read_times(path, name)
        sums, gaps, stays, bins = suite_values(tables, arm, times)
        missing += len(set(sums) - set(times))
        for metric in metrics:
            whole = 100 if metric.endswith("_pct") else 1 if metric == "involvement_efficiency" else 0
            compared += check_interval(f"{name}: {metric}", [s[metric] for s in sums.values()],
                                       figures[name, metric]["value"], whole)
        check_lengths(f"{name}: gaps", gaps, lengths[name, "cases_between_reorganizations"])
        check_lengths(f"{name}: stays", [n for n, _ in stays], lengths[name, "stays_outside"])
        same(f"{name}: cut off", sum(c for _, c in stays), lengths[name, "stays_outside"]["cut_off"])
        rows = [r for r in tables["reorganizations"] if r["arm"] == arm]
        counts = {"suites": len(sums), "sequences": sum(s["arm"] == arm for s in tables["sequences"]),
                  "executed": sum(s["executed"] for s in tables["sequences"] if s["arm"] == arm),
                  "reorganizations": len(rows)}
        assert by(said["arms"], "arm")[name] == {"arm": name, **counts}, (name, counts)
        words = ("", "done", "budget", "stagnated", "quiet", "failed")
        stops = by([e for e in said["endings"] if e["arm"] == name and e["kind"] == "stop"], "ending")
        assert {w: s["count"] for w, s in stops.items()} == Counter(words[r["stop"]] for r in rows), name
        for word, stop in stops.items():
            pairs = [(s["stop"][words.index(word)], sum(s["stop"].values())) for s in sums.values()]
            check_interval(f"{name}: stop {word}", pairs, stop["share"], 1)
        check_quality(name, bins, [q for q in said["quality"] if q["arm"] == name])
        lost += sum(r["inside_after"] != NOT_LOOKED and math.isnan(r["dissimilarity_after"]) for r in rows)
    same("not numbers", lost, said["about"]["not_numbers"])
    same("suites without times", missing, said["about"]["suites_without_times"])
    first = list(arms.values())[0]
    one = sheets(corridor, "show", path, "performance", "--arm", first)
    assert one["figures"] == [f for f in said["figures"] if f["arm"] == first]
    assert one["quality"] == [q for q in said["quality"] if q["arm"] == first]
    rows = list(csv.DictReader(run(corridor, "show", path, "performance", "--csv").stdout.splitlines()))
    assert len(rows) == len(arms) * len(metrics)
    os.rename(path + ".times.csv", path + ".moved")
    without = sheets(corridor, "show", path, "performance")
    assert not without["about"]["times"]
    assert by(without["figures"], "arm", "metric")[first, "cpu_per_case"]["value"]["mean"] is None
    assert "there is no file RESULTS.h5.times.csv" in run(corridor, "show", path, "performance").stdout
    os.rename(path + ".moved", path + ".times.csv")
    return compared


def main():
    program, corridor, seed = sys.argv[1:]
    path = f"naive_performance_{seed}.h5"
    subprocess.run([program, seed, path, "plain"], check=True)
    tables, arms, left_out = load(path)
    assert left_out > 0
    for box in ("any", "gray", "black"):
        check_survival(corridor, path, tables, arms, left_out, box)
    compared = check_performance(corridor, path, tables, arms, left_out)
    assert compared > 90, compared
    print(f"{compared} figures of performance agree, and all of survival")


if __name__ == "__main__":
    main()
