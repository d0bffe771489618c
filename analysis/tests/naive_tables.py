#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_tables.py RANDOM_RESULT SEED: lets RANDOM_RESULT write a random result file with its tables, computes the
tables again from the file in the plainest way (everything in memory, sets of visited states and transitions, residuals
suite by suite), and compares. Shares no code with the analysis and reads the file through h5py."""
import csv
import json
import math
import subprocess
import sys
from collections import defaultdict

import h5py
import numpy

try:
    import scipy.stats
except ImportError:  # the intervals are held against scipy in test_moments, too
    scipy = None

PASSED, FAILED, NOT_JUDGED, SMOKE = 1, 2, 3, 4


def load(path):
    with h5py.File(path, "r") as file:
        table = lambda name: [dict(zip(file[name], row)) for row in zip(*(file[name][c][()].tolist() for c in file[name]))]
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
            put("failures_per_sequence", len(failures))
            for case in failures:
                put("undetected_failures_pct", 0 if case in gray | black else 100)
                put("detected_failures_gray_pct", 100 * (case in gray))
                put("detected_failures_black_pct", 100 * (case in black))
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


def interval(metric, suites):
    """At 95 %, by the definition: residuals of suites around the ratio of means."""
    sums, sizes = [sum(s) for s in suites], [len(s) for s in suites]
    mean, count = sum(sums) / sum(sizes), len(suites)
    if count < 2 or scipy is None:
        return None
    percent = metric.endswith("_pct")
    if percent and mean == 0:
        return 0, 100 * scipy.stats.beta.ppf(.975, 1, count)
    if percent and mean == 100:
        return 100 * scipy.stats.beta.ppf(.025, count, 1), 100
    residuals = [y - mean * x for y, x in zip(sums, sizes)]
    error = math.sqrt(count / (count - 1) * sum(e * e for e in residuals)) / sum(sizes)
    half = scipy.stats.t.ppf(.975, count - 1) * error
    low = max(mean - half, 1 if metric.startswith("depth") else 0)
    return None if error < 1e-12 * mean or error == 0 else (low, min(mean + half, 100) if percent else mean + half)


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
        same(what + ", n", len(values), int(row["n"]))
        same(what + ", suites", len(suites), int(row["suites"]))
        if not values:
            assert row["mean"] == row["sd"] == row["low"] == row["high"] == "", what
            continue
        same(what, numpy.mean(values), float(row["mean"]))
        if row["sd"]:
            same(what + ", sd", numpy.std(values, ddof=1), float(row["sd"]))
        else:
            assert len(values) == 1 or "failures_" in metric, what
        bounds = interval(metric, suites)
        if scipy is not None:
            assert (bounds is None) == (row["low"] == ""), what
        if bounds:
            same(what + ", low", bounds[0], float(row["low"]), 1e-7)  # GSL's t quantile has 8 digits or more
            same(what + ", high", bounds[1], float(row["high"]), 1e-7)
        compared += 1
    return compared


def compare_counts(arm, name, tables, document):
    mine = next(a for a in document["arms"] if a["name"] == name)
    caught = mine["caught"]
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
    words = [box for box in ("gray", "black") if any(fails(r, box) for r in rows)]
    words = words or ["agreement"] * (expected["agreement_failed"] > 0) + ["detect"] * any(c["detect"] == FAILED for c in cases)
    assert mine["found_by"] == words and mine["found"] == bool(words), (name, words, mine["found_by"])
    firsts = []
    for code, box in enumerate(("gray", "black", "detect", "interim"), 1):
        seen = sorted((v["suite"], v["sequence"], v["case"], v["agent"]) for v in tables["violations"]
                      if (v["arm"], v["box"]) == (arm, code))
        firsts += [{"box": box, "suite": suite, "sequence": sequence, "case": case, "check": "agent_missing",
                    "sentence": f"Agent {agent} is in no partition, expected in exactly one."}
                   for suite, sequence, case, agent in seen[:1]]
    assert mine["first_violations"] == firsts, (name, firsts, mine["first_violations"])
    same(f"smoke of {name}", sum(r["smoke"] == 2 for r in rows), caught["smoke"]["complained"])


def main():
    program, seed = sys.argv[1:]
    files = [f"naive_{seed}.{ending}" for ending in ("h5", "csv", "json", "txt")]
    subprocess.run([program, seed, *files], check=True)
    tables, arms, walk = load(files[0])
    with open(files[1], newline="") as file:
        rows = {(row["metric"], row["arm"]): row for row in csv.DictReader(file)}
    with open(files[2]) as file:
        document = json.load(file)
    compared = 0
    for arm, name in arms.items():
        seen = observe(arm, tables, walk)
        compared += compare_figures(name, seen, rows)
        compare_counts(arm, name, tables, document)
        total = sum(r["arm"] == arm and r["fault_activated"] > 0 for r in tables["reorganizations"])
        if rows["failures_total", name]["mean"]:
            same(f"failures of {name}", total, float(rows["failures_total", name]["mean"]))
    assert compared > 100, compared
    print(f"{compared} figures agree, intervals {'too' if scipy else 'not compared'}")


main()
