#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make search-study: generators on equal budgets, each as often as is needed to tell them apart.

usage: search_study.py CORRIDOR SOURCE_DIRECTORY GUESTS OUTPUT_DIRECTORY [REPETITIONS]

Four arms: fault F5 of PSOPP, a fault that needs a rare conjunction of the environment, and two guests in which
nothing is to be found, one of them with probes of pure noise. Fails if anything is found in these."""
import json
import pathlib
import shutil
import subprocess
import sys

corridor, source, guests, output = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
repetitions = sys.argv[5] if len(sys.argv) > 5 else "20"
output.mkdir(parents=True, exist_ok=True)
for guest in guests.glob("*.so"):
    shutil.copy(guest, output)
weather = json.loads((source / "experiments/layers/search/tests/study/weather.json").read_text())
for arm in weather["arms"]:
    arm["algorithm"] = "./" + arm["algorithm"]
(output / "weather.json").write_text(json.dumps(weather))


def compare(name, experiment, arm, budget, *options):
    """Runs it, shows it, and gives its sheets."""
    words = [corridor, "search", experiment, "--arm", arm, "--generator", GENERATORS, *options, "--budget", str(budget), "--islands", repetitions,
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


pairs = []
print("| search | budget | found | 95 % | median (95 %) of cases to the first | mean | classes |\n| --- | --- | --- | --- | --- | --- | --- |")
GENERATORS = "random,coverage,directed,splitting"
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
sys.exit(1 if wrong else 0)
