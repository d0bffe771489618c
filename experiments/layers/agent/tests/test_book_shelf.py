#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Book Shelf of the library, whose belief set is a relation: as designed it is silent whatever the seed, every fault gives the findings that
it must, as a design, a module and a program; its cases begin with no row, one and two.

test_book_shelf.py CORRIDOR LIBRARY MODULE SEEDS"""
import json
import pathlib
import subprocess
import sys
import tempfile


def run(corridor, *words):
    done = subprocess.run([corridor, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.returncode, done.stdout[-500:], done.stderr)
    return done.stdout


def main(corridor, library, module, seeds):
    design, faults = library / "book_shelf.json", library / "book_shelf_faults.json"
    for seed in range(1, seeds + 1):
        run(corridor, "agent", "test", design, "--seed", seed, "--fail-on", "note", "--jobs", "1")
    rows = json.loads(run(corridor, "agent", "test", design, "--faults", faults, "--json"))["sheets"]["findings"]["rows"]
    assert not [row for row in rows if row["arm"] == "none"], rows
    for fault in json.loads(faults.read_text())["faults"]:
        found = [[row["check"], row["unit"], row["about"]] for row in rows if row["arm"] == fault["name"]]
        for must in fault["must"]:
            assert must in found, (fault["name"], must, found)
    mutants = run(corridor, "agent", "mutate", design, "--no-fail")
    assert "write_dropped" in mutants and "argument_off" in mutants, mutants
    units = json.loads(run(corridor, "agent", "cases", design, "--json"))["units"]
    for unit in units:
        classes = {(entry["variable"], str(entry["sample"])) for entry in unit["classes"]}
        assert {("shelf.count", "0"), ("shelf.count", "1"), ("shelf.count", "2")} <= classes, (unit["unit"], classes)
        assert all(entry["valid"] for entry in unit["classes"] if entry["variable"] == "shelf.count"), unit["unit"]
    program = f"python3 '{library}/book_shelf.py'"
    arms = [{"name": "c", "module": str(module)}, {"name": "c forgets", "module": str(module), "fault": "remove_forgotten"},
            {"name": "python", "program": program}, {"name": "python errs", "program": program, "fault": "wrong_row"}]
    with tempfile.TemporaryDirectory(prefix="corridor-shelf-") as name:
        folder = pathlib.Path(name)
        (folder / "e.json").write_text(json.dumps({"name": "shelves", "design": str(design), "arms": arms}))
        run(corridor, "run", folder / "e.json", "-o", folder / "e.h5", "--progress", "none")
        rows = json.loads(run(corridor, "show", folder / "e.h5", "findings", "--json"))["sheets"]["findings"]["rows"]
    found = {arm["name"]: {(row["check"], row["unit"]) for row in rows if row["arm"] == arm["name"]} for arm in arms}
    assert not found["c"] and not found["python"], found
    assert ("rows_differ", "PT(Sell)") in found["c forgets"] and ("rows_differ", "PT(Add)") in found["python errs"], found
    print(f"silent for {seeds} seeds")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4]))
