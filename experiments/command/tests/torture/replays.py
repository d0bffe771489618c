#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""replays.py CORRIDOR SOURCE SUITES SEQUENCES PAPER: sequences executed alone come out as among the others. The demo campaign with so many
suites and sequences of each arm (0: whole) is made by 1 worker and by 3; of each file every failing sequence is replayed, by this build
and by those of clang and gcc that lie beside it. Then, unless PAPER is 0, so many random sequences of the paper's campaign."""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import h5py

CORRIDOR, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SUITES, SEQUENCES, PAPER = map(int, sys.argv[3:6])
BUILDS = [CORRIDOR] + [path for path in (SOURCE / "build" / preset / "corridor" for preset in ("clang", "clang-release", "dev"))
                       if path.exists() and path != CORRIDOR]


def corridor(*arguments, binary=CORRIDOR):
    return subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, check=False)


def replay(binary, path, *which):
    """How many were executed, how many differ, and seconds."""
    begun = time.monotonic()
    done = corridor("replay", path, *which, "--json", binary=binary)
    if done.returncode not in (0, 1):
        sys.exit(f"replay {path} {which[:3]}: {done.stderr}")
    found = json.loads(done.stdout)
    return found["sequences"], found["different"], time.monotonic() - begun


def smaller(text):
    """The experiment with as many suites and sequences as wanted, its model named by a path that holds anywhere."""
    text = text.replace('"model": "models/', f'"model": "{SOURCE}/experiments/library/models/')
    if SUITES:
        text = re.sub(r'"suites": \d+', f'"suites": {SUITES}', re.sub(r'"sequences": \d+', f'"sequences": {SEQUENCES}', text))
    return text


def make(folder, experiment, workers):
    path = folder / f"{experiment}-{workers}.h5"
    (folder / f"{experiment}.json").write_text(smaller((SOURCE / "experiments/library" / f"{experiment}.json").read_text()))
    done = corridor("run", folder / f"{experiment}.json", "-o", path, "--jobs", workers, "--progress", "none")
    if done.returncode != 0:
        sys.exit(done.stderr)
    return path


def sample(path, count):
    with h5py.File(path, "r") as file:
        arms = dict(zip(file["catalog/arm/code"][()].tolist(), (name.decode() for name in file["catalog/arm/name"][()])))
        rows = list(zip(*(file["sequences"][column][()].tolist() for column in ("arm", "suite", "sequence"))))
    return [f"--failure={arms[arm]}/{suite}/{sequence}" for arm, suite, sequence in sorted(random.Random(12).sample(rows, min(count, len(rows))))]


def main():
    executed = different = 0
    seconds = 0.0
    with tempfile.TemporaryDirectory(prefix="corridor-replays-") as folder:
        for workers in (1, 3):
            path = make(pathlib.Path(folder), "demo", workers)
            for binary in BUILDS:
                count, other, took = replay(binary, path, "--failing")
                executed, different, seconds = executed + count, different + other, seconds + took
        print(f"torture: replays | {executed} | {different} differ; {len(BUILDS)} builds, files of 1 and 3 workers, {seconds:.0f} s")
        if PAPER:
            path = make(pathlib.Path(folder), "paper", 2)
            count, other, took = replay(CORRIDOR, path, *sample(path, PAPER))
            executed, different = executed + count, different + other
            print(f"torture: replays of the paper | {count} | {other} differ, {took:.0f} s")
    return 1 if different or executed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
