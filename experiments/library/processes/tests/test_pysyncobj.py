#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""PySyncObj's published bugs are found in Debian's package, whatever the seed: a counted skip where it is not installed.

usage: test_pysyncobj.py CORRIDOR SOURCE SEEDS"""
import json
import pathlib
import subprocess
import sys
import tempfile

BINARY, SOURCE, SEEDS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
FOLDER = SOURCE / "experiments/library/processes"
BUGS = {"term_forgotten": "term_forward", "vote_forgotten": "one_vote", "two_leaders": "one_leader"}

version = "import pysyncobj.version; print(pysyncobj.version.VERSION)"
found = subprocess.run(["/usr/bin/python3", "-c", version], capture_output=True, text=True)
if found.returncode != 0 or found.stdout.strip() != "0.3.11":
    print(f"skipped: needs python3-pysyncobj 0.3.11, and there is {found.stdout.strip() or 'none'}")
    sys.exit(77)


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=SOURCE)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    experiment = json.loads((FOLDER / "pysyncobj.json").read_text())
    if SEEDS == 1:
        experiment.update(suites=2, sequences=5)
    for seed in range(7, 7 + SEEDS):
        experiment.update(seed=seed, corridor=str(FOLDER / "pysyncobj.corridor"))
        (folder / "pysyncobj.json").write_text(json.dumps(experiment))
        run(BINARY, "run", folder / "pysyncobj.json", "-o", folder / "found.h5", "--force")
        rows = json.loads(run(BINARY, "failures", folder / "found.h5", "--json"))["sheets"]["classes"]["rows"]
        assert {(row["arm"], row["class"]) for row in rows} == set(BUGS.items()), f"seed {seed}: {rows}"
