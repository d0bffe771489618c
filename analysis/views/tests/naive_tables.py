#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_tables.py RANDOM_RESULT SEED: lets RANDOM_RESULT write a random result file with its tables, computes the
tables again from the file in the plainest way (everything in memory, sets of visited states and transitions, residuals
suite by suite), and compares them, and the claims of the paper judged from them. Shares no code with the analysis and reads the file through h5py."""
import csv
import json
import math
import os
import statistics
import subprocess
import sys
from collections import defaultdict

import h5py
import numpy

from quantiles import beta_quantile, t_quantile

PASSED, FAILED, NOT_JUDGED, SMOKE = 1, 2, 3, 4
SHARES = {"undetected_failures_pct", "detected_failures_gray_pct", "detected_failures_black_pct", "reorganizing_cases_pct",
          "failures_detected_gray_only_pct", "black_detections_not_gray_pct"}
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
DEVIATION = {}  # (metric, arm) -> published standard deviation
BOUNDS = ("low", "high", "interval", "suites")


def read_figures(path):
    """Rows of the sheet by metric and arm; what belongs to the estimate of ours under its own names."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["mean"] = row["ours"]
        row.update({key: row["ours_" + key] for key in BOUNDS})
        row["suites"], row["interval"] = row["suites"] or "0", row["interval"] or "none"
    return {(row["metric"], row["arm"]): row for row in rows}


def read_sheets(path):
    """The rows of each sheet."""
    with open(path) as file:
        return {name: sheet.get("rows") for name, sheet in json.load(file)["sheets"].items()}


def load(path):
    with h5py.File(path, "r") as file:
        table = lambda name: [dict(zip(file[name], row)) for row in zip(*(file[name][c][()].tolist() for c in file.get(name, {})))]
        names = ("suites", "chains", "profiles", "transitions", "sequences", "cases", "reorganizations", "violations")
        tables = {name: table(name) for name in names}
        arms = dict(zip(file["catalog/arm/code"][()].tolist(), (n.decode() for n in file["catalog/arm/name"][()])))
        return tables, arms, file["vectors/walk"][()].tolist()


def coverage(suite, sequence, tables, walk):
    """States, transitions, and both coverages: means over the chains of a sequence."""
    mine = lambda row: (row["arm"], row["suite"]) == suite
    profiles = {p["profile"]: p for p in filter(mine, tables["profiles"])}
    arcs = defaultdict(set)
    for t in filter(mine, tables["transitions"]):
        if t["probability"] > 0:
            arcs[t["profile"]].add((t["from"], t["to"]))
    length, rows = sequence["cases"] + 1, []
    for chain in filter(mine, tables["chains"]):
        start = sequence["walk_start"] + chain["chain"] * length
        states, known = walk[start:start + length], arcs[chain["profile"]]
        taken = set(zip(states, states[1:])) & known
        count = profiles[chain["profile"]]["states"]
        rows.append((count, len(known), 100 * len(set(states)) / count, 100 * len(taken) / len(known)))
    return [sum(column) / len(rows) for column in zip(*rows)]


def observe(arm, tables, walk):
    """For each metric, the observations of each suite: metric -> suite -> list."""
    seen = defaultdict(lambda: defaultdict(list))
    for suite_row in (s for s in tables["suites"] if s["arm"] == arm):
        suite = arm, suite_row["suite"]
        for sequence in (q for q in tables["sequences"] if (q["arm"], q["suite"]) == suite):
            put = lambda metric, value: seen[metric][suite].append(value)
            mine = [r for r in tables["reorganizations"]
                    if (r["arm"], r["suite"], r["sequence"]) == (*suite, sequence["sequence"])]
            gray = {r["case"] for r in mine if r["gray"] in (FAILED, SMOKE)}
            black = {r["case"] for r in mine if r["black"] in (FAILED, SMOKE)}
            failures = {r["case"] for r in mine if r["fault_activated"] > 0}
            for metric, value in zip(("ep_states", "ep_transitions", "ep_state_coverage_pct",
                                      "ep_transition_coverage_pct"), coverage(suite, sequence, tables, walk)):
                put(metric, value)
            put("agents", suite_row["agents"])
            put("agent_groups", suite_row["groups"])
            put("test_sequences_without_failure_pct", 0 if gray | black else 100)
            put("test_sequences_without_activated_failure_pct", 0 if failures else 100)
            put("test_cases_per_sequence", sequence["cases"])
            put("applied_test_cases_per_sequence_pct", 100 * sequence["executed"] / sequence["cases"])
            put("reorganizations_per_sequence", len(mine))
            for case in range(1, sequence["executed"] + 1):
                put("reorganizing_cases_pct", 100 * any(r["case"] == case for r in mine))
            put("failures_per_sequence", len(failures))
            put("faulty_states_per_sequence", sum(r["fault_activated"] for r in mine))
            for case in failures:
                put("undetected_failures_pct", 0 if case in gray | black else 100)
                put("detected_failures_gray_pct", 100 * (case in gray))
                put("detected_failures_black_pct", 100 * (case in black))
                put("failures_detected_gray_only_pct", 100 * (case in gray - black))
            for case in black:
                put("black_detections_not_gray_pct", 100 * (case not in gray))
            if gray | black:
                put("sequences_detected_gray_only_pct", 0 if black else 100)
                put("sequences_detected_black_only_pct", 0 if gray else 100)
                put("gray_only_share_within_sequence_pct", 100 * len(gray - black) / len(gray | black))
                put("depth_first_detected", min(gray | black))
            if gray:
                put("depth_first_detected_gray", min(gray))
            if black:
                put("depth_first_detected_black", min(black))
    return seen


def ratio_and_error(suites):
    """The ratio of means and its error by residuals of suites."""
    sums, sizes, count = [sum(s) for s in suites], [len(s) for s in suites], len(suites)
    mean = sum(sums) / sum(sizes)
    residuals = [y - mean * x for y, x in zip(sums, sizes)]
    return mean, math.sqrt(count / (count - 1) * sum(e * e for e in residuals)) / sum(sizes) if count > 1 else 0


def interval(metric, suites):
    """At 95 %, by the definition: residuals of suites around the ratio of means."""
    sums, sizes = [sum(s) for s in suites], [len(s) for s in suites]
    mean, count = sum(sums) / sum(sizes), len(suites)
    if count < 2:
        return None
    percent = metric.endswith("_pct")
    if percent and mean == 0:
        return 0, 100 * beta_quantile(.975, 1, count)
    if percent and mean == 100:
        return 100 * beta_quantile(.025, count, 1), 100
    error = ratio_and_error(suites)[1]
    alike = max(sums.count(0), sum(y == 100 * x for y, x in zip(sums, sizes)) if percent else 0)
    if count - alike <= 6 and alike > count - alike:  # a few suites carry it: refused
        return None
    half = t_quantile(.975, count - 1) * error
    low = max(mean - half, 1 if metric.startswith("depth") else 0)
    return None if error < 1e-12 * mean or error == 0 else (low, min(mean + half, 100) if percent else mean + half)


def resampled_bounds(metric, suites, generator, far=5, replicates=2000, own=20000):
    """The method that a figure should have with `--intervals bca`, and for each end the least and greatest value that
    a BCa of 2000 replicates may have, by 20000 replicates of another generator: the share of replicates below the
    estimate and the quantile taken from them have standard errors, and each may be off by `far` of them."""
    sums, sizes = numpy.array([float(sum(s)) for s in suites]), numpy.array([float(len(s)) for s in suites])
    mean, count, normal = sums.sum() / sizes.sum(), len(suites), statistics.NormalDist()
    if count < 2:
        return "none", None
    if metric.endswith("_pct") and mean in (0, 100):
        return "clopper_pearson_suites", None
    if numpy.allclose(sums / sizes, mean, rtol=1e-12, atol=0):
        return "none", None
    alike = max((sums == 0).sum(), (sums == 100 * sizes).sum() if metric.endswith("_pct") else 0)
    if count <= 6 or (count - alike <= 6 and alike > count - alike):  # few suites carry it: refused
        return "few_suites", None
    drawn = generator.integers(count, size=(own, count))
    ratios = numpy.sort(sums[drawn].sum(1) / sizes[drawn].sum(1))
    equal = numpy.isclose(ratios, mean, rtol=1e-12, atol=0)
    below = ((ratios < mean) & ~equal).mean() + equal.mean() / 2
    without = (sums.sum() - sums) / (sizes.sum() - sizes)
    off = without.mean() - without
    a, z0 = (off ** 3).sum() / (6 * (off ** 2).sum() ** 1.5), normal.inv_cdf(below)
    error = math.sqrt(below * (1 - below) * (1 / replicates + 1 / own)) / normal.pdf(z0)

    def place(z0, z):
        return normal.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))

    def quantile(p, side):
        p += side * far * math.sqrt(p * (1 - p) * (1 / replicates + 1 / own))
        return ratios[min(max(int(round(p * (own - 1))) + side, 0), own - 1)]

    return "bca", [tuple(quantile(place(z0 + side * far * error, z), side) for side in (-1, 1)) for z in (-1.959964, 1.959964)]


def compare_resampled(name, seen, rows, generator):
    """How many ends of intervals by the bootstrap are where they may be."""
    compared = 0
    for (metric, arm), row in rows.items():
        suites = [values for values in seen[metric].values() if values] if arm == name else []
        if not suites or metric == "failures_total":
            continue
        what = f"{metric} of {name}, resampled"
        method, ends = resampled_bounds(metric, suites, generator)
        assert row["interval"] == method, (what, row["interval"], method)
        for key, end in zip(("low", "high"), ends or ()):
            assert end[0] - 1e-9 <= float(row[key]) <= end[1] + 1e-9, (what, key, end, row[key])
            compared += 1
    return compared


def same(what, ours, theirs, tolerance=1e-9):
    if not math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=tolerance):
        sys.exit(f"{what}: tables say {theirs}, computed again {ours}")


def compare_figures(name, seen, rows):
    compared = 0
    for (metric, arm), row in rows.items():
        if arm != name or metric == "failures_total":
            continue
        suites = [values for values in seen[metric].values() if values]
        values = [v for s in suites for v in s]
        what = f"{metric} of {name}"
        same(what + ", n", len(values), float(row["n"] or 0))
        same(what + ", suites", len(suites), int(row["suites"]))
        if not values:
            assert row["mean"] == row["sd"] == row["low"] == row["high"] == "", what
            continue
        same(what, numpy.mean(values), float(row["mean"]))
        if row["sd"]:
            same(what + ", sd", numpy.std(values, ddof=1), float(row["sd"]))
        else:
            assert len(values) == 1 or metric in SHARES, what
        bounds = interval(metric, suites)
        assert (bounds is None) == (row["low"] == ""), what
        if bounds:
            same(what + ", low", bounds[0], float(row["low"]), 1e-7)  # GSL's t quantile has 8 digits or more
            same(what + ", high", bounds[1], float(row["high"]), 1e-7)
        compared += 1
    return compared


def compare_counts(arm, name, tables, document):
    of_arm = lambda sheet: [r for r in document[sheet] if r["arm"] == name]
    mine, caught = {}, {}
    for sheet in ("found", "arms"):
        mine.update(of_arm(sheet)[0])
    for sheet in ("reorganizations", "checks"):
        caught.update(of_arm(sheet)[0])
    endings = {(r["family"], r["word"]): r["reorganizations"] for r in of_arm("endings")}
    rows = [r for r in tables["reorganizations"] if r["arm"] == arm]
    cases = [c for c in tables["cases"] if c["arm"] == arm]
    fails = lambda r, box: r[box] in (FAILED, SMOKE)
    active = [r for r in rows if r["fault_activated"]]
    expected = {
        "reorganizations": len(rows),
        "reached": sum(r["fault_reached"] > 0 for r in rows),
        "held": sum(r["fault_held"] > 0 for r in rows),
        "activated": len(active),
        "in_result": sum(r["fault_in_result"] for r in rows),
        "gray": sum(fails(r, "gray") for r in rows),
        "black": sum(fails(r, "black") for r in rows),
        "masked": sum(not fails(r, "gray") and not fails(r, "black") for r in active),
        "gray_unprovoked": sum(fails(r, "gray") and not r["fault_activated"] for r in rows),
        "black_only": sum(fails(r, "black") and not fails(r, "gray") for r in rows),
        "black_only_own_moves": sum(fails(r, "black") and not fails(r, "gray") and not r["adoption_fault"] and r["own_moves"]
                                    for r in rows),
        "agreement_failed": sum(r["agreement"] == FAILED for r in rows),
        "alarms": sum(c["alarm"] for c in cases),
        "detect_judged": sum(c["detect"] != NOT_JUDGED for c in cases),
        "alarms_missed": sum(c["detect"] == FAILED and not c["alarm"] for c in cases),
        "alarms_false": sum(c["detect"] == FAILED and c["alarm"] for c in cases),
    }
    for key, value in expected.items():
        same(f"{key} of {name}", value, caught[key])
    same(f"fallback of {name}", sum(s["fallback"] for s in tables["suites"] if s["arm"] == arm), mine["suites_fallback"])
    same(f"unprovoked of {name}", sum((fails(r, "gray") or fails(r, "black")) and not r["fault_activated"] for r in rows), mine["unprovoked"])
    words = [box for box in ("gray", "black") if any(fails(r, box) for r in rows)]
    words = words or ["agreement"] * (expected["agreement_failed"] > 0) + ["detect"] * any(c["detect"] == FAILED for c in cases)
    assert mine["found_by"] == ", ".join(words) and mine["found"] == bool(words), (name, words, mine["found_by"])
    firsts = []
    for code, box in enumerate(("gray", "black", "detect", "interim"), 1):
        seen = sorted((v["suite"], v["sequence"], v["case"], v["agent"]) for v in tables["violations"]
                      if (v["arm"], v["box"]) == (arm, code))
        firsts += [{"box": box, "suite": suite, "sequence": sequence, "case": case, "check": "agent_missing",
                    "sentence": f"Agent {agent} is in no partition, expected in exactly one."}
                   for suite, sequence, case, agent in seen[:1]]
    told = [{key: row[key] for key in row if key != "arm"} for row in of_arm("first_violations")]
    assert told == firsts, (name, firsts, told)
    same(f"smoke of {name}", sum(r["smoke"] == 2 for r in rows), endings["smoke", "complained"])
    compare_classes(arm, name, tables, of_arm("failures"))


def compare_classes(arm, name, tables, told):
    """Cases in which the same boxes saw something, or with an activated fault that none saw: this file has one check."""
    boxes, seen = ("", "gray", "black", "detect", "interim"), defaultdict(set)
    at = lambda row: (row["suite"], row["sequence"], row["case"])
    for row in tables["violations"]:
        if row["arm"] == arm:
            seen[at(row)].add(f"{boxes[row['box']]}.agent_missing")
    active = set()
    for row in tables["reorganizations"]:
        if row["arm"] != arm:
            continue
        if SMOKE in (row["gray"], row["black"]):
            seen[at(row)].add("smoke")
        if row["fault_activated"]:
            active.add(at(row))
            if row["gray"] not in (FAILED, SMOKE) and row["black"] not in (FAILED, SMOKE):
                seen[at(row)] |= set()
    classes = defaultdict(list)
    for place, kinds in seen.items():
        classes[frozenset(kinds) or frozenset(["masked"])].append(place)
    assert len(told) == len(classes), (name, told, classes)
    for row in told:
        places = sorted(classes[frozenset(row["class"].split(", "))])
        assert places, (name, row)
        same(f"cases of a class of {name}", len(places), row["cases"])
        same(f"sequences of a class of {name}", len({p[:2] for p in places}), row["sequences"])
        same(f"activated of a class of {name}", len(active & set(places)), row["activated"])
        assert places[0] == (row["suite"], row["sequence"], row["case"]), (name, row, places[0])


def published():
    """(metric, arm) -> mean, with the two rows that follow from others."""
    table = {}
    for number in "12":
        with open(os.path.join(DATA, f"isoteso_table{number}.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        table.update({(r["metric"], r["fault_id"]): float(r["mean"]) for r in rows if r["mean"]})
        DEVIATION.update({(r["metric"], r["fault_id"]): float(r["std"]) for r in rows if r["std"]})
    for arm in {arm for _, arm in table}:
        table["reorganizing_cases_pct", arm] = (
            100 * table["reorganizations_per_sequence", arm] / table["test_cases_per_sequence", arm]
            / (table["applied_test_cases_per_sequence_pct", arm] / 100))
        table["failures_detected_gray_only_pct", arm] = (
            table["detected_failures_gray_pct", arm] - table["detected_failures_black_pct", arm])
    return table


MARGIN = {"every_fault_found": 2, "black_also_gray": 10, "gray_above_black": 5, "spada_black_none": 10, "psopp_masking": 5,
          "psopp_f4_masked_most": 0, "psopp_f5_rarest": 0, "psopp_f5d_detected": 0, "psopp_f5d_failures": 2, "psopp_f5d_sequences": 2,
          "state_coverage": .5, "transition_coverage": 2, "reorganizing": 1}
HOLDS, NOT, UNDECIDED, NOT_AVAILABLE = "holds", "does_not_hold", "undecided", "not_available"


def between(bounds, low, high):
    if not bounds:
        return NOT_AVAILABLE
    return HOLDS if low <= bounds[0] and bounds[1] <= high else NOT if bounds[1] < low or bounds[0] > high else UNDECIDED


class Claims:
    """The claims judged from observations of independent arms, by the sentences of docs/evidence/statistics.md."""

    def __init__(self, observed, document, generator):
        self.parts = defaultdict(list)
        for part in document["claim_parts"]:
            self.parts[part["claim"]].append(part)
        self.paper, self.document, self.generator = published(), {c["claim"]: c for c in document["claims"]}, generator
        self.arms = {a: m for a, m in observed.items() if ("agents", a) in self.paper and m["agents"]}
        self.compared = 0

    def suites(self, metric, arm):
        return [s for s in self.arms[arm][metric].values() if s] if arm in self.arms else []

    def estimate(self, metric, arm):
        """Mean, error and number of suites; None without an observation; error None where the tables have none."""
        suites = self.suites(metric, arm)
        if not suites:
            return None
        mean, error = ratio_and_error(suites)
        return mean, error if interval(metric, suites) and not (metric.endswith("_pct") and mean in (0, 100)) else None, len(suites)

    def across(self, estimates, scales):
        """Half a width over several independent arms; None where an arm has no error."""
        if any(e[1] is None for e in estimates):
            return None
        squares = [(e[1] * s) ** 2 for e, s in zip(estimates, scales)]
        df = sum(squares) ** 2 / sum(q * q / (e[2] - 1) for q, e in zip(squares, estimates))
        return t_quantile(.975, df) * math.sqrt(sum(squares))

    def check(self, claim, index, mean, bounds, paper, verdict):
        part = self.parts[claim][index]
        what = f"{claim}, {part['name']}"
        if mean is None:
            assert part["verdict"] == NOT_AVAILABLE, (what, part)
            return
        same(what, mean, part["mean"])
        same(what + ", paper", paper, part["paper"])
        for key, bound in zip(("low", "high"), bounds or (None, None)):
            assert (bound is None) == (part[key] is None), (what, bounds, part)
            if bound is not None:
                same(f"{what}, {key}", bound, part[key], 1e-6)
        assert part["verdict"] == verdict, (what, verdict, part)
        self.compared += 1

    def arm_claim(self, claim, metric, algorithm, judge, paper=None, flip=False):
        """judge(mean, bounds, margin) -> verdict."""
        index = 0
        for arm in self.arms:
            given = self.paper[metric, arm] if paper is None else paper
            if not arm.startswith(algorithm) or (claim == "gray_above_black" and given <= 0):
                continue
            suites = self.suites(metric, arm)
            mean = ratio_and_error(suites)[0] if suites else None
            bounds = interval(metric, suites) if suites else None
            if flip and suites:
                mean, given, bounds = 100 - mean, 100 - given, bounds and (100 - bounds[1], 100 - bounds[0])
            self.check(claim, index, mean, bounds, given, judge(mean, bounds, MARGIN[claim]) if suites else None)
            index += 1
        return index

    def band_claim(self, claim, metric, low, high):
        def judge(mean, bounds, margin):
            return between(bounds, low - margin, high + margin)
        index = self.arm_claim(claim, metric, "", judge)
        estimates = [self.estimate(metric, arm) for arm in self.arms]
        if index > 1:
            mean = sum(e[0] for e in estimates) / index
            half = self.across(estimates, [1 / index] * index)
            bounds = half and (max(mean - half, 0), min(mean + half, 100))
            paper = sum(self.paper[metric, arm] for arm in self.arms) / index
            self.check(claim, index, mean, bounds, paper, judge(mean, bounds, MARGIN[claim]))

    def rearranged(self, metric, one, other, sign, own=1000):
        """How often suites dealt anew put the first arm so far ahead: the difference of the ratios over its error."""
        def column(arm):
            groups = [self.arms[arm][metric].get(suite, []) for suite in self.arms[arm]["agents"]]
            return numpy.array([[float(sum(s)), float(len(s))] for s in groups if s])

        def score(clusters, count):
            ratios, variance = [], 0
            with numpy.errstate(invalid="ignore", divide="ignore"):
                for y, x in (clusters[:count].T, clusters[count:].T):
                    ratios.append(y.sum() / x.sum())
                    variance += (((y - ratios[-1] * x) / x.sum()) ** 2).sum()
                difference = ratios[0] - ratios[1]
                return sign * (0 if abs(difference) <= 1e-9 * math.sqrt(variance) else difference / numpy.sqrt(variance))

        first, second = column(one), column(other)
        both, count = numpy.concatenate([first, second]), len(first)
        seen = score(both, count)
        slack = 1e-9 * abs(seen) if math.isfinite(seen) else 0
        reached = sum(not score(self.generator.permutation(both), count) < seen - slack for _ in range(own))
        return None if math.isnan(seen) else (1 + reached) / (1 + own)

    def order_claim(self, claim, metric, chosen, others, sign):
        own = self.estimate(metric, chosen) if chosen in self.arms else None
        others = {a: self.estimate(metric, a) for a in others if a in self.arms and self.estimate(metric, a)}
        if own is None or not others:
            assert self.document[claim]["verdict"] == NOT_AVAILABLE
            return
        following = max(others, key=lambda a: sign * others[a][0])
        mean = sign * (own[0] - others[following][0])
        half = self.across([own, others[following]], [1, 1])
        paper = min(sign * (self.paper[metric, chosen] - self.paper[metric, a]) for a in others)
        part = self.parts[claim][0]
        ahead = [self.rearranged(metric, chosen, a, sign) for a in others]
        behind = [self.rearranged(metric, chosen, a, -sign) for a in others]
        ahead = max([p for p in ahead if p is not None], default=None)
        behind = min([min(p * len(others), 1) for p in behind if p is not None], default=None)
        for mine, theirs, times in ((ahead, part["p"], 1), (behind, part["p_against"], len(others))):
            assert (mine is None) == (theirs is None), (claim, mine, part)
            if mine is not None:
                rough = max(mine / times * (1 - mine / times), .002)
                assert abs(mine - theirs) < 5 * times * math.sqrt(rough * (1 / 2000 + 1 / 1000)), (claim, mine, part)
        verdict = NOT_AVAILABLE if ahead is None else HOLDS if part["p"] < .05 else NOT if part["p_against"] < .05 else UNDECIDED
        self.check(claim, 0, mean, half and (mean - half, mean + half), paper, verdict)

    def ratio_claim(self, claim, metric, published_metric, flip, paper):
        few, many = (self.estimate(metric, arm) for arm in ("PSOPP-F5", "PSOPP-F5d"))
        if not few or not many:
            return
        theirs = [self.paper[published_metric, arm] for arm in ("PSOPP-F5", "PSOPP-F5d")]
        errors = [DEVIATION[published_metric, arm] / math.sqrt(70) for arm in ("PSOPP-F5", "PSOPP-F5d")]
        if flip:
            few, many = ((100 - e[0], *e[1:]) for e in (few, many))
            theirs = [100 - t for t in theirs]
        if few[0] == 0:
            assert self.document[claim]["verdict"] == NOT_AVAILABLE
            return
        mean, half = many[0] / few[0], many[0] > 0 and self.across([many, few], [1 / many[0], 1 / few[0]])
        published_half = statistics.NormalDist().inv_cdf(.975) * math.hypot(*(e / t for e, t in zip(errors, theirs)))
        far = math.hypot(half, published_half) if half else None
        bounds = far and (mean * math.exp(-far), mean * math.exp(far))
        self.check(claim, 0, mean, bounds, paper, between(bounds, paper / MARGIN[claim], paper * MARGIN[claim]))

    def compare(self):
        def seen(mean, bounds, margin):
            return HOLDS if mean > 0 else NOT if bounds and bounds[1] <= margin else UNDECIDED

        def never(mean, bounds, margin):
            return NOT if mean > 0 else HOLDS if bounds and bounds[1] <= margin else UNDECIDED

        undirected = [f"PSOPP-F{i}" for i in range(1, 6)]
        self.arm_claim("every_fault_found", "test_sequences_without_failure_pct", "", seen, flip=True)
        self.arm_claim("black_also_gray", "black_detections_not_gray_pct", "", never, paper=0)
        self.arm_claim("gray_above_black", "failures_detected_gray_only_pct", "", seen)
        self.arm_claim("spada_black_none", "detected_failures_black_pct", "SPADA", never)
        self.arm_claim("psopp_masking", "undetected_failures_pct", "PSOPP", seen)
        self.order_claim("psopp_f4_masked_most", "undetected_failures_pct", "PSOPP-F4", undirected[:3] + undirected[4:], 1)
        self.order_claim("psopp_f5_rarest", "test_sequences_without_failure_pct", "PSOPP-F5", undirected[:4], 1)
        self.order_claim("psopp_f5d_detected", "undetected_failures_pct", "PSOPP-F5d", ["PSOPP-F5"], -1)
        self.ratio_claim("psopp_f5d_failures", "failures_per_sequence", "failures_per_sequence", False, 376 / 16)
        self.ratio_claim("psopp_f5d_sequences", "test_sequences_without_activated_failure_pct", "test_sequences_without_failure_pct",
                         True, 29.78 / 2.14)
        self.band_claim("state_coverage", "ep_state_coverage_pct", 99, 100)
        self.band_claim("transition_coverage", "ep_transition_coverage_pct", 44, 52)
        self.band_claim("reorganizing", "reorganizing_cases_pct", 14, 19)
        for claim in self.document.values():
            verdicts = [part["verdict"] for part in self.parts[claim["claim"]]]
            expected = next((v for v in (NOT, UNDECIDED, HOLDS) if v in verdicts), NOT_AVAILABLE)
            assert claim["verdict"] == expected, claim
        return self.compared


def compare_agreement(arm, metrics, document):
    """Published means in our intervals: each printed figure once."""
    paper, counts = published(), defaultdict(int)
    for metric in ("reorganizing_cases_pct", "failures_detected_gray_only_pct"):
        paper.pop((metric, arm), None)
    for (metric, name), mean in paper.items():
        suites = [s for s in metrics[metric].values() if s]
        bounds = interval(metric, suites) if name == arm and suites and metric != "failures_total" else None
        if bounds:
            counts["compared"] += 1
            percent, ours = metric.endswith("_pct"), ratio_and_error(suites)[0]
            if percent and ours in (0, 100):
                inside = "inside" if abs(ours - mean) < .005 else "unsure"
            else:
                half = (bounds[1] - bounds[0]) / 2
                inside = "inside" if half <= mean / 4 or (percent and half <= 5) else "unsure"
            counts["above" if bounds[0] > mean else "below" if bounds[1] < mean else inside] += 1
    mine = next(a for a in document["agreement"] if a["arm"] == arm)
    for key in ("compared", "inside", "unsure", "below", "above"):
        same(f"{arm}: {key}", counts[key], mine[key])


def main():
    program, seed = sys.argv[1:]
    files = [f"naive_{seed}.{ending}" for ending in ("h5", "csv", "json", "txt", "bca.csv")]
    subprocess.run([program, seed, *files], check=True)
    tables, arms, walk = load(files[0])
    rows, document, resampled = read_figures(files[1]), read_sheets(files[2]), read_figures(files[4])
    compared, ends, observed = 0, 0, {}
    generator = numpy.random.default_rng(int(seed))
    for arm, name in arms.items():
        seen = observed[name] = observe(arm, tables, walk)
        compare_agreement(name, seen, document)
        compared += compare_figures(name, seen, rows)
        ends += compare_resampled(name, seen, resampled, generator)
        compare_counts(arm, name, tables, document)
        total = sum(r["arm"] == arm and r["fault_activated"] > 0 for r in tables["reorganizations"])
        if rows["failures_total", name]["mean"]:
            same(f"failures of {name}", total, float(rows["failures_total", name]["mean"]))
    assert compared > 100, compared
    assert ends > 100, ends
    claims = Claims(observed, document, generator).compare()
    assert claims >= 30, claims
    print(f"{compared} figures and their intervals agree, {ends} ends of BCa intervals, {claims} parts of claims")


main()
