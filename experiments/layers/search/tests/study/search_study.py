#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make search-study: generators on equal budgets, each as often as is needed to tell them apart.

usage: search_study.py CORRIDOR SOURCE_DIRECTORY GUESTS MODULES OUTPUT_DIRECTORY [REPETITIONS [SEARCHES]]

REPETITIONS (20) of all four generators on fault F5 of PSOPP, on a fault that needs a rare conjunction of the environment, and on two guests in which
nothing is to be found, one of them with probes of pure noise. SEARCHES (60) by random and by coverage on each of thirteen kinds of faults, with a seed
that nothing was tuned on; on three of these kinds nothing was tuned at all. Fails if anything is found where nothing is, if coverage is worse than
random on a kind (log-rank test, 5 %), or if it is better on fewer than six of the ten others."""
import json
import pathlib
import shutil
import subprocess
import sys

corridor, source, guests, modules, output = (pathlib.Path(word).resolve() for word in sys.argv[1:6])
repetitions, searches = [*sys.argv[6:], *("20", "60")[len(sys.argv) - 6:]]
output.mkdir(parents=True, exist_ok=True)
for guest in (*guests.glob("*.so"), modules / "guests/courier.so"):
    shutil.copy(guest, output)
weather = json.loads((source / "experiments/layers/search/tests/study/weather.json").read_text())
for arm in weather["arms"]:
    arm["algorithm"] = "./" + arm["algorithm"]
(output / "weather.json").write_text(json.dumps(weather))
(output / "kinds.json").write_text(json.dumps({**weather, "seed": "0x5ea7c6"}))


def search(name, experiment, arm, budget, generators, islands, *options):
    """Runs it, shows it, and gives its sheets."""
    words = [corridor, "search", experiment, "--arm", arm, "--generator", generators, *options, "--budget", str(budget), "--islands", islands,
             "--isolate", "never", "-o", f"{name}.h5", "--force", "--json"]
    done = subprocess.run(words, cwd=output, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {done.returncode}")
    (output / f"{name}.json").write_text(done.stdout)
    document = json.loads(done.stdout)
    for row in document["sheets"]["shares"]["rows"]:
        share = row["share"]
        print(f"| {row['generator']} | {budget:,} | {row['found']} of {row['repetitions']} | {share['low']:.2f} .. {share['high']:.2f} | {figure(row['median'])} "
              f"({figure(row['median_low'])} .. {figure(row['median_high'])}) | {figure(row['mean'])} | {row['classes']:.2f} |", flush=True)
    return document


def compare(name, experiment, arm, budget, *options):
    document = search(name, experiment, arm, budget, "random,coverage,directed,splitting", repetitions, *options)
    pairs.extend(document["sheets"]["pairs"]["rows"])
    return document


def figure(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def holm(p):
    """Over all pairs of the study: each file has corrected its own alone."""
    order, most, corrected = sorted((value, i) for i, value in enumerate(p) if value is not None), 0.0, [None] * len(p)
    for rank, (value, i) in enumerate(order):
        most = max(most, min(1.0, value * (len(order) - rank)))
        corrected[i] = most
    return corrected


HEAD = "| search | budget | found | 95 % | median (95 %) of cases to the first | mean | classes |\n| --- | --- | --- | --- | --- | --- | --- |"
pairs = []
print(HEAD)
EXTREMES = ("--level", "extreme.b2 > 0; extreme.b4 > 0; extreme.b6 > 0")
weather = output / "weather.json"
compare("f5", source / "experiments/library/demo.json", "PSOPP-F5", 100000, "--level", "reached > 0; held > 0; activated > 0")
compare("rare", weather, "rare", 20000, *EXTREMES)
nothing = [compare(name, weather, name, 20000, *EXTREMES, "--seam", "extreme[8]") for name in ("noise", "sound")]
print("\n| A | B | log-rank chi-square | p | p (Holm, all) | A sooner (A12) | 95 % |\n| --- | --- | --- | --- | --- | --- | --- |")
for row, p in zip(pairs, holm([row["p"] for row in pairs])):
    print(f"| {row['a']} | {row['b']} | {figure(row['chi_square'], 2)} | {figure(row['p'], 4)} | {figure(p, 4)} | {row['a12']:.2f} | "
          f"{figure(row['low'], 2)} .. {figure(row['high'], 2)} |")
wrong = [document["first"] for document in nothing if document["first"] is not None]
print("\nnothing was found where nothing is to be found" if not wrong else f"found in a sound algorithm: {wrong}")
TUNED = ("rare", "lock", "overflow", "order", "recovery", "limit", "held", "region", "leak", "race")
UNTUNED = ("early", "late", "flutter")
BUDGETS = {"race": 5000}
print(f"\n{HEAD}")
kinds = [(arm, search(f"kind-{arm}", output / "kinds.json", arm, BUDGETS.get(arm, 20000), "random,coverage", searches)["sheets"]["pairs"]["rows"][0])
         for arm in TUNED + UNTUNED]
print("\n| kind | log-rank chi-square | p | random sooner (A12) | 95 % | coverage is |\n| --- | --- | --- | --- | --- | --- |")
judged = {}
for (arm, row) in kinds:
    judged[arm] = "not told apart" if row["p"] is None or row["p"] >= 0.05 else "better" if row["a12"] < 0.5 else "worse"
    print(f"| {arm} | {figure(row['chi_square'], 2)} | {figure(row['p'], 4)} | {row['a12']:.2f} | {figure(row['low'], 2)} .. {figure(row['high'], 2)} | {judged[arm]} |")
better = sum(judged[arm] == "better" for arm in TUNED)
print(f"\ncoverage is better on {better} of {len(TUNED)} kinds, and on {sum(judged[arm] == 'better' for arm in UNTUNED)} of {len(UNTUNED)} on which nothing was tuned")
sys.exit(1 if wrong or better < 6 or "worse" in judged.values() else 0)
