#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make region-study: F5d found from plain F5, on 20 islands; then their regions as arms, beside F5 and F5d.

usage: region_study.py CORRIDOR SOURCE_DIRECTORY OUTPUT_DIRECTORY [ISLANDS [BUDGET [SUITES]]]

Fails if an island settles on no region, or if a region's share of failing suites lies below that of F5d with 95 % certainty."""
import csv
import io
import json
import math
import pathlib
import statistics
import subprocess
import sys

import h5py

corridor, source, output = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
islands, budget, suites = (int(word) for word in [*sys.argv[4:7], *(20, 100000, 20)[len(sys.argv) - 4:]])
output.mkdir(parents=True, exist_ok=True)
found, beside, result = output / "search.h5", output / "regions.json", output / "regions.h5"


def run(*words):
    return subprocess.run([corridor, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True).stdout


FAILED = 2  # a verdict of a box


def failing(path):
    """For each arm by name: failing suites, suites, failing sequences, sequences."""
    with h5py.File(path) as file:
        names = [name.decode() for name in file["catalog/arm/name"][:]]
        executed = list(zip(file["sequences/arm"][:], file["sequences/suite"][:], file["sequences/sequence"][:]))
        cases = file["cases"]
        bad = (cases["gray"][:] == FAILED) | (cases["black"][:] == FAILED)
        failed = set(zip(*(cases[key][:][bad] for key in ("arm", "suite", "sequence"))))
    return {name: (len({s for a, s, _ in failed if a == code}), len({s for a, s, _ in executed if a == code}),
                   sum(a == code for a, _, _ in failed), sum(a == code for a, _, _ in executed)) for code, name in enumerate(names)}


def wilson(struck, n, z=1.96):
    share, spread = struck / n, z * math.sqrt(struck / n * (1 - struck / n) / n + z * z / (4 * n * n))
    return [max(0.0, (share + z * z / (2 * n) + sign * spread) / (1 + z * z / n)) for sign in (-1, 1)]


def text(struck, n):
    low, high = wilson(struck, n)
    return f"{struck} of {n}, {struck / n:.2f} [{low:.2f}, {high:.2f}]"


run("search", source / "experiments/library/demo.json", "--arm", "PSOPP-F5", "--generator", "directed", "--seam", "f5", "--budget", budget, "--islands", islands,
    "-o", found, "--force")
regions = [r for r in csv.DictReader(io.StringIO(run("show", found, "searches", "--csv", "--sheet", "regions"))) if r["settled"] == "true"]
experiment = json.loads(run("show", found, "searches", "--regions"))
experiment["arms"] = [arm for arm in experiment["arms"] if arm["name"].startswith("PSOPP-F5")]
experiment["suites"] = suites
beside.write_text(json.dumps(experiment))
run("run", beside, "-o", result, "--force", "--progress", "none")
counts = failing(result)
for arm in ("PSOPP-F5", "PSOPP-F5d"):
    print(f"{arm}: failing suites {text(*counts[arm][:2])}; sequences {text(*counts[arm][2:])}")
print("\n| island | suites | cases | suites of the search in it | failing suites of its arm | failing sequences | region |\n| --- | --- | --- | --- | --- | --- | --- |")
below, all_counts = [], []
for r in regions:
    mine = counts[f"PSOPP-F5-region-{r['island']}"]
    all_counts.append(mine)
    print(f"| {r['island']} | {r['suites']} | {int(r['cases']):,} | {float(r['fresh']):.2f} of {r['fresh_n']} | {mine[0]} of {mine[1]} | {mine[2]} of {mine[3]} | `{r['region']}` |")
    if wilson(*mine[:2])[1] < counts["PSOPP-F5d"][0] / counts["PSOPP-F5d"][1]:
        below.append(r["island"])
together = [sum(column) for column in zip(*all_counts)]
print(f"\nall regions: failing suites {text(*together[:2])}; sequences {text(*together[2:])}")
print(f"settled: {len(regions)} of {islands} islands, after {statistics.median(int(r['suites']) for r in regions):.0f} suites and "
      f"{statistics.median(int(r['cases']) for r in regions):,.0f} test cases in the median, {max(int(r['suites']) for r in regions)} and "
      f"{max(int(r['cases']) for r in regions):,} at most")
print("below F5d:", ", ".join(below) or "none")
sys.exit(1 if below or len(regions) < islands else 0)
