#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failing sequences of a campaign as test files: written, read, executed as expected; red with their fault, green without.

usage: tests.py CORRIDOR SOURCE TEST_FILE PER_ARM [RESULT.h5]

Takes PER_ARM failing sequences of each arm, evenly over those that there are, of the demo, or of RESULT.h5. TEST_FILE is
test_test_file, which here damages every byte of a test file.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

corridor, source, damages, per_arm = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)


def run(*words, expected=0):
    done = subprocess.run([corridor, *words], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        sys.exit(f"{' '.join(words[:4])} ...: exit {done.returncode}, not {expected}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


is_demo = len(sys.argv) == 5
result = str(folder / "demo.h5") if is_demo else sys.argv[5]
if is_demo:
    run("run", str(source / "experiments/library/demo.json"), "-o", result, "--progress", "none")
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
print(f"torture: tests kept | {len(files)} | failing sequences of {len(arms)} arms: written in {written:.0f} s, median {sizes[len(sizes) // 2]} bytes; "
      f"as expected, row by row, executed twice in {red_seconds:.0f} s; none fails without its fault in {green_seconds:.0f} s")
done = subprocess.run([damages], capture_output=True, text=True, env={**os.environ, "CORRIDOR_THOROUGH": "1", "CMOCKA_TEST_FILTER": "a_damaged*"}, check=False)
said = [line for line in done.stdout.splitlines() + done.stderr.splitlines() if "damaged files are tests" in line]
if done.returncode != 0 or not said:
    sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
print(f"torture: tests damaged | {said[0].split()[2]} | {said[0]}; the others are refused with words")
