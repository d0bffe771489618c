#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""power_cuts.py CORRIDOR SOURCE POWER_CUTS RECORDER.so [CUTS [RESUMED [CONTROLS]]]: records every call by which a campaign changes files, cuts the
power behind each of them, CUTS times in all, with six kinds of damage to what was not synchronized, and looks at what is left with
the program's own reader (power_cuts.c); RESUMED of these states are gone on from by the same command, to the same file. The campaign
is killed once on its way, so that recovery is in the recording. The same cuts of stores that are known: a plain HDF5 file and a
journal that is never synchronized must lose something, SQLite with synchronous=FULL nothing."""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

import campaign

CORRIDOR, SOURCE, SIMULATOR, RECORDER = sys.argv[1:5]
CUTS = int(sys.argv[5]) if len(sys.argv) > 5 else 3000
RESUMED = int(sys.argv[6]) if len(sys.argv) > 6 else 4
CONTROLS = int(sys.argv[7]) if len(sys.argv) > 7 else 60
EXPERIMENT = {"name": "cuts", "seed": "0x7", "suites": 12, "sequences": 2, "cases": [5, 9],
              "arms": [{"name": "S", "algorithm": "spada", "parameters": {"agents": [2, 20]}},
                       {"name": "P", "algorithm": "psopp", "parameters": {"agents": [2, 20], "budget": 400}}]}


def simulate(traces, *words):
    done = subprocess.run([SIMULATOR, words[0], traces, *map(str, words[1:])], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"power_cuts {' '.join(map(str, words))}: {done.returncode} {done.stderr}")
    return done.stdout.splitlines()


def recording(folder, traces):
    traces.mkdir()
    (traces / "order").write_bytes(bytes(16))
    return {**os.environ, "RECORDER": str(traces), **campaign.preload(RECORDER)}


def doom(traces, word):
    """1: whoever makes a call is killed behind it, see recorder.c."""
    with open(traces / "order", "r+b") as shared:
        shared.seek(8)
        shared.write(word.to_bytes(8, sys.byteorder))


def record_campaign(cut, traces):
    """A campaign that is killed when something is stored, and the same command again."""
    environment = recording(cut.folder, traces)
    first = subprocess.Popen(cut.command(2), cwd=cut.folder, env=environment, stdout=subprocess.DEVNULL)
    while first.poll() is None and cut.stored() < 6:
        time.sleep(0.001)
    doom(traces, 1)
    first.wait()
    doom(traces, 0)
    while any(path.read_bytes() != path.read_bytes() for path in cut.folder.glob(campaign.PARTS + "/*.journal")):
        time.sleep(0.01)
    done = subprocess.run(cut.command(3), cwd=cut.folder, env=environment, capture_output=True, text=True, check=False)
    while done.returncode == campaign.ENVIRONMENT and "is being written" in done.stderr:  # a worker has not gone yet
        time.sleep(0.05)
        done = subprocess.run(cut.command(3), cwd=cut.folder, env=environment, capture_output=True, text=True, check=False)
    if cut.result() != cut.quiet:
        sys.exit(f"the recorded campaign came to another file: {done}")
    cut.clean()


def resume_states(cut, traces, states):
    """The program itself goes on from what some cuts have left."""
    states.mkdir()
    simulate(traces, "states", RESUMED, 77, states)
    spent = []
    for number in range(RESUMED):
        shutil.copytree(states / str(number), cut.folder, dirs_exist_ok=True)
        begun = time.monotonic()
        cut.judge_again(f"resumed behind {(states / f'{number}.said').read_text().strip()}", jobs=1 + number % 3)
        spent.append(time.monotonic() - begun)
        cut.clean()
    return sorted(spent)


STORES = {
    "HDF5": """
import h5py, os, numpy
file = h5py.File("out.store", "w")
for suite in range(40):
    file.create_dataset(str(suite), data=numpy.arange(1000) * (suite + 1), chunks=True)
    os.write(1, b"stored %d\\n" % (suite + 1))
file.close()
""",
    "SQLite": """
import os, sqlite3
base = sqlite3.connect("out.store", isolation_level=None)
base.execute("pragma journal_mode = persist")  # without it the name of a journal that is removed may come back
base.execute("pragma synchronous = full")
base.execute("create table suites (number integer primary key, rows blob)")
for suite in range(40):
    base.execute("insert into suites values (?, ?)", (suite, b"%06d" % suite * 600))
    os.write(1, b"stored %d\\n" % (suite + 1))
""",
}
READ_HDF5 = """
import h5py, numpy, sys
file = h5py.File("out.store", "r")
wanted = int(sys.argv[1])
sys.exit(any(not (file[str(suite)][:] == numpy.arange(1000) * (suite + 1)).all() for suite in range(wanted)))
"""


def holds_sqlite(folder, wanted):
    base = sqlite3.connect(folder / "out.store")
    try:
        rows = dict(base.execute("select number, rows from suites"))
    except sqlite3.Error:
        rows = {}
    finally:
        base.close()
    return all(rows.get(suite) == b"%06d" % suite * 600 for suite in range(wanted)) and \
        all(data == b"%06d" % suite * 600 for suite, data in rows.items())


def holds_hdf5(folder, wanted):
    return subprocess.run([sys.executable, "-c", READ_HDF5, str(wanted)], cwd=folder, capture_output=True, check=False).returncode == 0


def control(scratch, name, count):
    """How many cuts of that store lost something that was said to be stored."""
    folder, traces, states = scratch / name, scratch / f"{name}.traces", scratch / f"{name}.states"
    folder.mkdir()
    states.mkdir()
    made = subprocess.run([sys.executable, "-c", STORES[name]], cwd=folder, env=recording(folder, traces), capture_output=True, check=False)
    if made.returncode != 0:
        return None
    simulate(traces, "states", count, 5, states)
    holds, lost = {"HDF5": holds_hdf5, "SQLite": holds_sqlite}[name], 0
    for number in range(count):
        wanted = int((states / f"{number}.said").read_text().split()[0])
        lost += not holds(states / str(number), wanted)
    return lost


def main():
    with campaign.Campaign(CORRIDOR, SOURCE, EXPERIMENT) as cut, campaign.Campaign(CORRIDOR, SOURCE) as other:
        scratch = other.folder
        cut.run_quietly()
        record_campaign(cut, scratch / "traces")
        said = simulate(scratch / "traces", "simulate", CUTS, 1)
        lost, cuts = map(int, said[-1].split())
        if lost:
            cut.problems += said[:10]
        spent = resume_states(cut, scratch / "traces", scratch / "states")
        unsynced = int(simulate(scratch / "traces", "simulate", CUTS // 10, 1, "no-sync")[-1].split()[0])
        hdf5, sqlite = control(scratch, "HDF5", max(12, CONTROLS // 10)), control(scratch, "SQLite", CONTROLS)
        if unsynced == 0:
            cut.problems.append("a journal that is never synchronized lost nothing: the cuts cut nothing")
        if hdf5 == 0:
            cut.problems.append("a plain HDF5 file lost nothing: the cuts cut nothing")
        if sqlite != 0:
            cut.problems.append(f"SQLite with synchronous=FULL lost something in {sqlite} of {CONTROLS} cuts: the recording is not right")
        hdf5_said = "h5py is not there" if hdf5 is None else f"HDF5 {hdf5} of {max(12, CONTROLS // 10)}"
        print(f"  {said[-2]}")
        return campaign.report("power cuts", cuts, cut.problems,
                               f"{RESUMED} resumed to the same file, {spent[len(spent) // 2]:.2f} s in the middle; controls that lost something: no sync "
                               f"{unsynced} of {CUTS // 10}, {hdf5_said}, SQLite {sqlite} of {CONTROLS}")


if __name__ == "__main__":
    sys.exit(main())
