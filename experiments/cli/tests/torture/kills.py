#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kills.py CORRIDOR SOURCE [KILLS [SEED]]: kills processes of campaigns at random moments, begins each again by the same
command with another number of workers, and compares the file that comes out in the end with that of a quiet run, byte for byte.
Prints what was killed when. Exit code 1 if a file differs, a command fails otherwise than by the kill, or a process is left."""
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CORRIDOR, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 20
DICE = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
EXPERIMENT = {"corridor_experiment": 1, "name": "torture", "seed": "0x7", "suites": 60, "sequences": 2, "cases": [20, 60],
              "model": str(SOURCE / "experiments/models/paper.json"),
              "arms": [{"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40]}},
                       {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}]}


def run(folder, workers):
    return subprocess.Popen([CORRIDOR, "run", "e.json", "-o", "out.h5", "--jobs", str(workers), "--progress", "none"], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def processes(session):
    """Of the session that are alive, the planner first."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                state, *_rest = (words := pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split())
            except OSError:
                continue
            if int(words[3]) == session and state != "Z":
                found.append(int(entry))
    return sorted(found, key=lambda pid: (pid != session, pid))


def phase(folder, stored):
    """What is going on, as far as the files tell."""
    if any(folder.glob("out.h5.parts/result.h5.part-*")):
        return "merging"
    if (folder / "out.h5").exists():
        return "published"
    return "storing" if stored > 0 else "beginning"


def stored(folder):
    return sum(path.stat().st_size for path in folder.glob("out.h5.parts/*.journal"))


def whole_run(folder, quiet, seen, left):
    """One campaign, killed up to `left` times on its way; how often it was."""
    kills = 0
    while True:
        process = run(folder, DICE.choice((1, 2, 3, 5)))
        moment, begun = DICE.expovariate(1 / 0.25) if kills < left else None, time.monotonic()
        while process.poll() is None and (moment is None or time.monotonic() - begun < moment):
            time.sleep(0.001)
        alive = processes(process.pid) if process.poll() is None else []
        if alive and moment is not None:
            victim = DICE.choice(alive)
            who = ("planner" if victim == process.pid else "child", phase(folder, stored(folder)))
            try:
                os.kill(victim, signal.SIGKILL)
                seen[who] += 1
                kills += 1
            except ProcessLookupError:
                pass  # it has left in this moment
        said = process.communicate()
        deadline = time.monotonic() + 10
        while processes(process.pid):
            if time.monotonic() > deadline:
                sys.exit(f"processes are left: {processes(process.pid)}")
            time.sleep(0.01)
        ended = process.returncode == 4 and "out.h5: exists already" in said[1]  # it was killed behind its end
        if process.returncode == 0 or ended:
            break
        if not (alive and moment is not None):
            sys.exit(f"exit code {process.returncode} without a kill: {said}")
        if (folder / "out.h5").exists() and (folder / "out.h5").read_bytes() != quiet:
            sys.exit(f"another file after exit code {process.returncode}: {said}")
    if (folder / "out.h5").read_bytes() != quiet:
        sys.exit(f"another file after {kills} kills")
    if sorted(os.listdir(folder)) != ["e.json", "out.h5", "out.h5.times.csv"]:
        sys.exit(f"left behind: {os.listdir(folder)}")
    return kills


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-torture-"))
    try:
        (folder / "e.json").write_text(json.dumps(EXPERIMENT))
        first = run(folder, 2)
        if first.wait() != 0:
            sys.exit(first.communicate()[1])
        quiet, seen, kills, campaigns = (folder / "out.h5").read_bytes(), collections.Counter(), 0, 0
        while kills < KILLS:
            for name in ("out.h5", "out.h5.times.csv"):
                (folder / name).unlink()
            kills += whole_run(folder, quiet, seen, min(DICE.randrange(1, 8), KILLS - kills))
            campaigns += 1
        print(f"{kills} kills in {campaigns} campaigns: 0 suites lost, 0 doubled, every file equal to the quiet one")
        for (who, when), count in sorted(seen.items()):
            print(f"  {who:8} {when:10} {count:5}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
