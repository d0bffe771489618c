#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound programs keep their corridors, whichever generator makes the schedules: an alarm would be a false one. A case is a span of ticks; what counts are those that were
executed. Every constraint is put to the test, and the same profile finds a fault of the same program, so nothing passes for want of events.

usage: test_sound_programs.py CORRIDOR SOURCE MODULES CASES SLOW_CASES [PROGRAM..]

CASES for each arm, SLOW_CASES where the program is in Python. What is not there (libraft-dev, python3-pysyncobj) is left out, and said. docs/look-up/process.md has the counts of the
long run."""
import collections
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

BINARY, SOURCE, MODULES = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
CASES, SLOW_CASES, CHOSEN = int(sys.argv[4]), int(sys.argv[5]), sys.argv[6:]
LIBRARY = SOURCE / "experiments/library/processes"
PYTHON = "/usr/bin/python3"
GENERATORS = ("timed", "random", "burst", "swarm", "pct", "rounds", "search")
SUITES, CASES_EACH = 2, 10
CALM = {"delay": [1, 10], "disk": [1, 5]}
STORM = {"delay": [1, 100], "disk": [1, 50], "lose": 0.2}
CRASHES, CLOCKS = {"crash": 0.5, "down": [50, 300]}, {"pause": 0.3, "cut": 0.3, "jump": 0.3, "drift": 0.3}
SWAPS = {"states": ["calm", "storm"], "transitions": {"calm": {"calm": 0.7, "storm": 0.3}, "storm": {"calm": 0.5, "storm": 0.5}}}
IN_TURNS = "all in turns"  # where few cases are asked for, one arm has all generators
FAULTS = ("lose", "duplicate", "crash", "pause", "cut", "part", "jump", "drift")

# PySyncObj, but for its two bugs: term and vote are in a cell before anything is sent.
MENDED = '''
class Mended(PySyncObj):
    kept = None

    def tick(self):
        if self.kept is None:
            self.kept = self.stored.cells.get(1, [0, None])
            self.log._SyncObj__raftCurrentTerm, self.log._SyncObj__votedForNodeId = self.kept
        super().tick()
        known = [self.log.raftCurrentTerm, self.of("votedForNodeId")]
        if known != self.kept:
            self.cell(1, known)
            self.kept = known


corridor.run(Mended)
'''


def there_is(*words):
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def mended_pysyncobj(folder):
    text = (LIBRARY / "pysyncobj_process.py").read_text()
    last = "corridor.run(PySyncObj)\n"
    assert text.endswith(last)
    (folder / "mended.py").write_text(text.removesuffix(last) + MENDED)
    return f"{PYTHON} mended.py"


def weather(storm):
    return {"profile": SWAPS, "states": {"calm": CALM, "storm": STORM | storm}}


def programs(folder):
    """Name: command, network, corridor, profiles, what is watched, the arm that fails, is it slow. A profile is the weather of a storm; what fails has another program or a fault of it."""
    ring = (LIBRARY / "token_ring.corridor").read_text().splitlines()
    crashes, all_faults = CRASHES, CRASHES | CLOCKS | {"duplicate": 0.1}
    both = {"crashes": crashes, "all faults": all_faults, "partitions": crashes | {"part": 0.5}}
    found = {
        "two_phase": ("two_phase", "any", LIBRARY / "two_phase.corridor", both, None, {"fault": "lone_decision"}, False),
        "token_ring": (f"{PYTHON} token_ring.py", "any", ring, both, None, {"fault": "forgets"}, True),
        "token_ring_c": (MODULES / "token_ring_c.so", "any", ring, both, None, {"fault": "forgets"}, False),
    }
    if (MODULES / "raft_mended.so").exists():
        found["libraft, mended"] = (MODULES / "raft_mended.so", "fifo", LIBRARY / "raft.corridor", {"crashes": crashes, "cuts and pauses": crashes | {"pause": 0.3, "cut": 0.3}, "partitions": crashes | {"part": 0.5}},
                                    ["own_term", "one_leader", "acks_matched"], {"program": str(MODULES / "raft.so"), "watch": ["own_term"]}, False)
    if there_is(PYTHON, "-c", "import pysyncobj.version as v; assert v.VERSION == '0.3.11'"):
        pysyncobj = f"{PYTHON} pysyncobj_process.py"
        found["PySyncObj"] = (pysyncobj, "fifo", LIBRARY / "pysyncobj.corridor", {"losses and cuts": {"cut": 0.3, "pause": 0.3}}, None, None, True)
        found["PySyncObj, mended"] = (mended_pysyncobj(folder), "fifo", LIBRARY / "pysyncobj.corridor", {"crashes": crashes}, ["one_leader", "term_forward", "one_vote"],
                                      {"program": pysyncobj}, True)
    return found


def execute(folder, name, storm, program):
    command, network, corridor, _, watch, failing, is_slow = program
    cases = SLOW_CASES if is_slow else CASES
    in_turns = cases < len(GENERATORS) * CASES_EACH * SUITES
    suites = 1 if in_turns else SUITES
    arms = {IN_TURNS: {"generators": GENERATORS}} if in_turns else {generator: {"generators": [generator]} for generator in GENERATORS}
    if failing:
        arms["fails"] = {"generators": GENERATORS} | failing
    experiment = {
        "process": {"program": str(command), "count": 3, "network": network} | ({"cut_loses": True} if "part" in storm and network == "any" else {}), "name": name, "seed": 7, "suites": suites, "sequences": math.ceil(cases / suites / CASES_EACH), "cases": CASES_EACH, "case": 1000,
        "events": 100000, "corridor": corridor if isinstance(corridor, list) else str(corridor), "environment": weather(storm),
        "faults": [fault for fault in FAULTS if fault == "lose" or fault in storm], "arms": arms} | ({"watch": watch} if watch else {})
    (folder / "sound.json").write_text(json.dumps(experiment))
    ran = subprocess.run([BINARY, "run", "sound.json", "-o", "sound.h5", "--force", "--progress", "none"], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), f"{name}: {ran.returncode}\n{ran.stdout}{ran.stderr}"
    said = subprocess.run([BINARY, "show", "sound.h5", "processes", "--json"], cwd=folder, capture_output=True, text=True, check=True)
    return {name: sheet["rows"] for name, sheet in json.loads(said.stdout)["sheets"].items()}, cases


def main():
    left_out = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name in ("corridor_process.py", "pysyncobj_process.py", "token_ring.py"):  # a command has no place for paths with blanks
            shutil.copy(LIBRARY / name, folder)
        found = programs(folder)
        left_out = [name for name in ("libraft, mended", "PySyncObj") if name not in found]
        print("| program | profile | generator | schedules | cases | messages | alarms |\n| --- | --- | --- | --- | --- | --- | --- |")
        for name, program in found.items():
            if CHOSEN and name not in CHOSEN:
                continue
            for profile, storm in program[3].items():
                sheets, cases = execute(folder, name, storm, program)
                for row in sheets["arms"]:
                    if row["arm"] == "fails":
                        assert row["failed"] > 0, f"{name}, {profile}: the fault is not found"
                        continue
                    print(f"| {name} | {profile} | `{row['arm']}` | {row['sequences']} | {row['cases']} | {row['messages']} | {row['failed']} |", flush=True)
                    assert row["failed"] == 0, f"{name}, {profile}: {row}\n{sheets['classes']}\n{sheets['ending']}"
                    assert row["cases"] >= 0.99 * cases, f"{name}, {profile}: too few cases: {row}"  # some schedules are cut short
                tested = collections.Counter()
                for row in sheets["constraints"]:
                    tested[row["constraint"]] += row["tested"] * (row["arm"] != "fails")
                assert all(tested[constraint] > 0 for constraint in tested), f"{name}, {profile}: {tested}"
    if left_out:
        print(f"skipped: {', '.join(left_out)}: needs libraft-dev and python3-pysyncobj 0.3.11")
    return 77 if left_out else 0


sys.exit(main())
