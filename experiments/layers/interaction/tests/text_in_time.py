#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The systems of the gallery, whose corridors are texts, in continuous execution: with equal clocks and no durations every table is the
stepwise one, byte for byte; with others the file is the same for one worker and for three, its identities hold, and a corridor that looks
on at the end of each case says what the experiment's own says.

  text_in_time.py CORRIDOR SOURCE_DIRECTORY SUITES
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CORRIDOR, SOURCE, SUITES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
GALLERY = SOURCE / "experiments" / "library" / "gallery"
OF_TIME = {"ticks.csv", "snapshots.csv", "head.csv", "catalog/arm.csv"}  # the latter two have the texts of experiment and arms
CLOCKS = {"case": 1000, "agent_clock": [400, 1600], "monitor_clock": 700, "unit": 1, "message": 2, "move": 40}


def corridor(*words, code=(0,), cwd=None):
    done = subprocess.run([CORRIDOR, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode in code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout


def run(project, experiment, execution, name, *options):
    """Its file, after a run whose execution is that; None: stepwise."""
    made = dict(experiment, **({"execution": {"continuous": execution}} if execution else {}))
    (project / f"{name}.json").write_text(json.dumps(made))
    corridor("run", project / f"{name}.json", "-o", project / f"{name}.h5", "--progress", "none", *options, cwd=project)
    return project / f"{name}.h5"


def tables(file, folder):
    corridor("export", file, "--all", folder)
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.csv")}


def rows(file, table):
    return list(csv.DictReader(corridor("export", file, "--table", table).splitlines()))


def look_at(system, project):
    """Returns how many reorganizations were under way at the end of a case."""
    shutil.copytree(GALLERY / system, project)
    path = next(project.glob("*.json"))
    for source in project.glob("*.c"):
        subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off",
                        f"-I{SOURCE / 'algorithms/plugin/include'}", source, "-o", source.with_suffix(".so")], check=True)
    experiment = json.loads(path.read_text())
    text = (project / experiment["corridor"]).read_text()
    experiment.update(suites=SUITES, sequences=1, cases=30)
    if system == "replicas" and SUITES == 1:  # a process of Python for each sequence
        experiment.update(cases=20, arms=experiment["arms"][:1])
    stepwise = tables(run(project, experiment, None, "stepwise"), project / "a")
    equal = tables(run(project, experiment, {"case": 1000}, "equal"), project / "b")
    assert stepwise.keys() == equal.keys() and len(stepwise) > 20, system
    for name in sorted(stepwise.keys() - OF_TIME):
        assert stepwise[name] == equal[name], (system, name)
    assert stepwise["constraints.csv"].count("\n") > 3 and equal["snapshots.csv"].count("\n") > 20, system
    file = run(project, experiment, CLOCKS, "one", "--jobs", 1)
    again = run(project, experiment, CLOCKS, "three", "--jobs", 3)
    assert pathlib.Path(file).read_bytes() == pathlib.Path(again).read_bytes(), system
    identities = json.loads(corridor("show", file, "tables", "--json"))["sheets"]["identities"]["rows"]
    assert identities and not any(row["broken"] for row in identities), (system, identities)
    # One that looks on: of each sequence the formulas are the same, each case is judged once.
    returns = [line for line in text.splitlines() if line.startswith("temporal")]
    (project / "after.corridor").write_text(text if returns else text + "\ntemporal returns: always (alarm implies "
                                            "(eventually[0, 3] inside or not next[3, 3] true))\n")
    seen = json.loads(corridor("judge", project / "after.corridor", file, "--json", "--trust", code=(0, 1, 7), cwd=project))["sheets"]["constraints"]["rows"]
    by_file = [row for row in rows(file, "formulas") if row["arm"] in ("sound", "monitor-missed")]
    for arm in {row["arm"] for row in by_file}:
        failed = sum(row["verdict"] == "failed" for row in by_file if row["arm"] == arm)
        assert [row["violated"] for row in seen if row["arm"] == arm and row["constraint"] == "returns"] == [failed], (system, arm, seen)
    return sum(row["under_way"] == "1" for row in rows(file, "snapshots"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        under_way = {system: look_at(system, pathlib.Path(folder, f"{system} [1]")) for system in ("replicas", "robots", "sensors", "teams", "zones")}
        assert all(under_way.values()), under_way
        print(under_way)


main()
