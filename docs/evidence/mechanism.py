#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of mechanism.md: experiments of mechanisms beside the algorithm, with seeds 0x001 to 0x00a, seed by seed.

usage: mechanism.py CORRIDOR FOLDER [SEED...] > mechanism.csv

Result files are FOLDER/EXPERIMENT-SEED.h5; of the seeds that are named, those that are not there are run (about 100 s
of a processor each, of mechanism.json, of which the first fifth is run, 50 s). Of the others, what is there is taken."""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

CORRIDOR, FOLDER, SEEDS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "experiments/library"
COUNTS = ("pairs", "both", "masked", "revealed", "suites", "suites_masked", "masked_unasked", "masked_inactive", "masked_active")
FORMS = ("bare", "isolated", "integrated")


def run(experiment, suites, seed, result):
    """The experiment of the library with another seed. It names files beside it, so it lies there meanwhile."""
    text = (LIBRARY / f"{experiment}.json").read_text(encoding="utf-8")
    own = LIBRARY / f".{experiment}-{seed}.json"
    own.write_text(re.sub(r'"seed": "[^"]*"', f'"seed": "{seed}"', text, count=1), encoding="utf-8")
    try:
        subprocess.run([CORRIDOR, "run", str(own), "-o", str(result), "--jobs", "1", "--progress", "none", *suites], check=True,
                       stdout=subprocess.DEVNULL)
    finally:
        own.unlink()


def said(*words):
    return subprocess.run([CORRIDOR, "show", *map(str, words)], check=True, capture_output=True, text=True).stdout


out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["experiment", "seed", "hash", "arm", *COUNTS, *(f"{what}_{form}" for form in FORMS for what in ("asked", "failed"))])
for experiment, suites in (("mechanism_slow", ()), ("mechanism_power", ()), ("mechanism", ("--suites", "420"))):
    for number in range(1, 11):
        seed = f"0x{number:03x}"
        result = FOLDER / f"{experiment}-{seed}.h5"
        if not result.exists() and seed in SEEDS:
            os.makedirs(FOLDER, exist_ok=True)
            run(experiment, suites, seed, result)
        if not result.exists():
            continue
        content = said(result, "--hash").strip()
        sheets = json.loads(said(result, "mechanisms", "--json"))["sheets"]
        forms = {(row["arm"], row["form"]): row for row in sheets["forms"]["rows"]}
        for row in sheets["masking"]["rows"]:
            asked = (forms.get((row["arm"], form)) for form in FORMS)
            out.writerow([experiment, seed, content, row["arm"].removesuffix(" integrated"),
                          *(row[key] for key in COUNTS),
                          *(of[key] if of else "" for of in asked for key in ("reorganizations", "failed"))])
