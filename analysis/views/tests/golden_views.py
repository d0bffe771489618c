#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""golden_views.py CORRIDOR SOURCE RESEAL RANDOM_SYSTEM REFERENCE LAYERS [OTHER]: what views say of small files of every layer, letter by letter:
text, JSON, CSV of each sheet, one arm and one suite alone, verdicts as JUnit XML and TAP, the short view. A line of REFERENCE is a call and the
hash of what came of it; COR_UPDATE_EXPECTED=1 writes those of LAYERS anew. With OTHER, another program is asked the same of the same files in place of
REFERENCE, and the first lines in which they differ are shown."""
import difflib
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CORRIDOR, SOURCE, RESEAL, RANDOM_SYSTEM, REFERENCE = (pathlib.Path(word).resolve() for word in sys.argv[1:6])
LAYERS, OTHER = sys.argv[6].split(","), pathlib.Path(sys.argv[7]).resolve() if len(sys.argv) > 7 else None
sys.argv[1:] = [str(CORRIDOR), str(SOURCE), str(RESEAL)]
sys.path.insert(0, str(SOURCE / "experiments/command/tests/torture"))
import forged  # noqa: E402  small files of every layer, in which each table has rows

LIBRARY = SOURCE / "experiments/library"
# Of each file: its layer, the views that are asked, and an arm.
OF_SEARCH = ("searches", "cells")
FILES = {"parts": ("interaction", ("tables", "failures"), "O"), "suites": ("interaction", ("failures",), "S"), "text": ("interaction", ("failures",), "T"),
         "units": ("agent", ("findings",), "M19"), "races": ("agent", ("findings",), "none"), "changed": ("agent", ("findings",), None),
         "tests": ("efsm", ("tests",), "t7.missing by search"), "told": ("efsm", ("tests",), "paper"), "dying": ("efsm", ("tests",), "search"), "killed": ("efsm", ("tests",), None),
         "search": ("search", OF_SEARCH, None), "regions": ("search", OF_SEARCH, None), "splits": ("search", OF_SEARCH, None), "cells": ("search", OF_SEARCH, None),
         "system": ("system", ("goals", "places"), "system"), "random1": ("system", ("goals", "places"), None), "random2": ("system", ("goals", "places"), None),
         "schedules": ("process", ("processes", "failures"), "early"), "hunt": ("process", ("processes", "failures"), None)}
MADE = {"changed": ("agent", "mutate", str(LIBRARY / "agents/stock_manager.json")),
        "told": ("efsm", "test", str(forged.INRES), "--goal", "t8", "--planner", "paper", "--changes", "add t5 by system", "--moves", "20",
                 "--system", "python3 told.py inres.py " + forged.TOLD.split("inres.py ")[1]),
        "killed": ("efsm", "mutants", str(LIBRARY / "efsm/inres_initiator.json"), "--goal", "t8", "--runs", "2")}


def run(program, *words):
    done = subprocess.run(["corridor", *words], executable=program, cwd=FOLDER, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def make(names):
    forged.make(FOLDER, [name for name in names if name in forged.FILES and name not in MADE])
    for file in ("experiments/layers/efsm/tests/told.py", "experiments/library/efsm/systems/inres.py"):
        shutil.copy(SOURCE / file, FOLDER)
    for name in names:
        if name.startswith("random"):
            subprocess.run([RANDOM_SYSTEM, name[6:], f"{name}.h5"], cwd=FOLDER, check=True)
        elif name in MADE:
            code, _, said = run(CORRIDOR, *MADE[name], "-o", f"{name}.h5")
            assert code in (0, 1, 7), (name, code, said)


def calls(name):
    """All that is asked of a file."""
    layer, views, arm = FILES[name]
    file = f"{name}.h5"
    yield from (("show", file), ("show", file, "--all"), ("show", file, "--json"), ("export", file, "--format", "junit"), ("export", file, "--format", "tap"))
    for view in views:
        asked = ("failures", file) if view == "failures" else ("show", file, view)
        yield asked
        code, said, _ = run(CORRIDOR, *asked, "--json")
        yield (*asked, "--json")
        for sheet in json.loads(said)["sheets"] if code == 0 else ():
            yield (*asked, "--sheet", sheet)
        if arm and view not in ("tables", "cells"):
            yield (*asked, "--arm", arm)
            yield (*asked, "--arm", arm, "--json")
        if view in ("goals", "places", "tests", "processes"):
            yield (*asked, "--suite", "1", "--json")
            yield (*asked, "--suite", "77")
        if view in ("goals", "places", "tests", "processes", "searches"):
            yield (*asked, "--all")


def file_of(line):
    return line.split(".h5")[0].split()[-1]


def main():
    names = [name for name, (layer, *_) in FILES.items() if layer in LAYERS]
    make(names)
    found, problems = [], []
    for name in names:
        for words in calls(name):
            what = run(CORRIDOR, *words)
            call = " ".join(words)
            found.append(f"{hashlib.sha256(repr(what).encode()).hexdigest()[:16]} {call}")
            if OTHER and (other := run(OTHER, *words)) != what:
                lines = [[str(said[0]), *(said[1] + said[2]).decode(errors="replace").splitlines()] for said in (other, what)]
                problems += [f"{call}:", *list(difflib.unified_diff(*lines, lineterm="", n=0))[2:12]]
    print(f"{len(found)} calls of {len(names)} files")
    if not OTHER and os.environ.get("COR_UPDATE_EXPECTED"):
        kept = [line for line in REFERENCE.read_text().splitlines() if file_of(line) not in names] if REFERENCE.exists() else []
        REFERENCE.write_text("\n".join([*kept, *found]) + "\n")
    elif not OTHER:
        of_layers = [line for line in REFERENCE.read_text().splitlines() if file_of(line) in names]
        problems = list(difflib.unified_diff(of_layers, found, lineterm="", n=0))[2:]
    print(*problems[:60], sep="\n")
    sys.exit(1 if problems else 0)


with tempfile.TemporaryDirectory(prefix="corridor [views] ") as temporary:
    FOLDER = pathlib.Path(temporary)
    main()
