#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Parcel Desk of the library, with several intentions at work: as designed it is silent whatever the seed, every fault gives the findings
that it must, in the three languages alike; both cases of a race replay, and differ.

test_parcel_desk.py CORRIDOR LIBRARY MODULE SEEDS"""
import json
import pathlib
import subprocess
import sys
import tempfile


def run(corridor, *words, expect=0):
    done = subprocess.run([corridor, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == expect, (words, done.returncode, done.stdout[-500:], done.stderr)
    return done.stdout


def findings(corridor, *words):
    sheets = json.loads(run(corridor, *words, "--json"))["sheets"]
    return sheets["findings"]["rows"]


def main(corridor, library, module, seeds):
    design, faults = library / "parcel_desk.json", library / "parcel_desk_faults.json"
    for seed in range(1, seeds + 1):
        run(corridor, "agent", "test", design, "--seed", seed, "--fail-on", "note", "--jobs", "1")
    # Every fault of the file.
    rows = findings(corridor, "agent", "test", design, "--faults", faults)
    assert not [row for row in rows if row["arm"] == "none"], rows
    for fault in json.loads(faults.read_text())["faults"]:
        found = [[row["check"], row["unit"], row["about"]] for row in rows if row["arm"] == fault["name"]]
        for must in fault["must"]:
            assert must in found, (fault["name"], must, found)
    # A race has two witnesses, which are the same case.
    race = next(row for row in rows if row["arm"] == "stale" and row["check"] == "race_over_belief")
    assert race["beside"] != race["smallest"], race
    cases = [run(corridor, "agent", "test", design, "--faults", faults, "--arm", "stale", "--case", f"{race['unit']}:{race[which]}", "--trace",
                 expect=expect)  # the smallest is compared with the first of its interleavings, which is no race by itself
             for which, expect in (("smallest", 0), ("beside", 7))]
    assert "found: race_over_belief desk.Weight, error" in cases[0] and "found: nothing of the fault" in cases[1], cases
    assert cases[0].split(" posted ")[0] == cases[1].split(" posted ")[0], cases
    ends = [[line.split("desk.Weight = ")[1] for line in case.splitlines() if "wrote desk.Weight" in line][-1] for case in cases]
    assert ends[0] != ends[1], cases
    run(corridor, "agent", "test", design, "--case", "PT(Put):9999999", expect=3)
    # In C and in Python: the same turns, so the same findings.
    agents = {"c": {"module": str(module)}, "python": {"program": f"python3 '{library}/parcel_desk.py'"}}
    few = json.loads(design.read_text()) | {"test": {"interleavings": 5}}
    arms = [{"name": f"{language} {fault}", **agent, "fault": fault} for language, agent in agents.items() for fault in ("none", "stale")]
    with tempfile.TemporaryDirectory(prefix="corridor-desk-") as name:
        folder = pathlib.Path(name)
        (folder / "e.json").write_text(json.dumps({"name": "desks", "design": few, "arms": arms}))
        run(corridor, "run", folder / "e.json", "-o", folder / "e.h5", "--progress", "none")
        rows = findings(corridor, "show", folder / "e.h5", "findings")
        said = {arm["name"]: [(row["check"], row["about"], row["hit"], row["smallest"]) for row in rows if row["arm"] == arm["name"]] for arm in arms}
    assert not said["c none"] and not said["python none"], said
    assert said["c stale"] == said["python stale"] and said["c stale"][0][:2] == ("race_over_belief", "desk.Weight"), said
    print(f"silent for {seeds} seeds")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4]))
