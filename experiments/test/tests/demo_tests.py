#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failing sequences of a campaign as test files: written, read, executed as expected; red with their fault, green without.

usage: demo_tests.py CORRIDOR RESULT.h5 FOLDER [PER_ARM]

Takes PER_ARM (10) failing sequences of each arm, evenly over those that there are. FOLDER gets the files.
"""
import collections
import json
import pathlib
import subprocess
import sys
import time

corridor, result, folder = sys.argv[1:4]
per_arm = int(sys.argv[4]) if len(sys.argv) > 4 else 10
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)


def run(*words, expected=0):
    done = subprocess.run([corridor, *words], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        sys.exit(f"{' '.join(words[:4])} ...: exit {done.returncode}, not {expected}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


arms = collections.defaultdict(list)
for failure in json.loads(run("failures", result, "--json"))["failures"]:
    arms[failure["arm"]].append(failure)
files, failures, begun = [], [], time.time()
for arm, there in arms.items():
    count = min(per_arm, len(there))
    for i in range(count):
        failure = there[i * len(there) // count]
        path = folder / (failure["key"].replace("/", "-") + ".json")
        run("replay", result, "--failure", failure["key"], "-o", str(path), "--force")
        files.append(str(path))
        failures.append(failure)
written = time.time() - begun
for path, failure in zip(files, failures):
    test = json.loads(pathlib.Path(path).read_text())
    expected = test["expected"]
    assert (expected["class"], expected["case"]) == (failure["class"], failure["case"]), (path, expected, failure)
    assert len(test["type"]) == failure["agents"] and len(test["walk"]) == test["chains"], path

begun = time.time()
red = json.loads(run("replay", *files, "--json"))
assert red["equal"] and red["tests"] == len(files), red
run("replay", *files, "--expect", "failing")
red_seconds = (time.time() - begun) / 2
begun = time.time()
run("replay", *files, "--expect", "fixed", "--fault", "none")
green_seconds = time.time() - begun
run("replay", *files, "--expect", "fixed", "--format", "tap", expected=1)
run("replay", *files, "--expect", "failing", "--fault", "none", expected=1)
sizes = sorted(pathlib.Path(path).stat().st_size for path in files)
print(f"{len(files)} failing sequences of {len(arms)} arms as tests: written in {written:.1f} s, "
      f"median {sizes[len(sizes) // 2]} bytes, largest {sizes[-1]}")
print(f"all as expected, row by row, executed twice in {red_seconds:.1f} s; all without a failing case with --fault none in {green_seconds:.1f} s")
