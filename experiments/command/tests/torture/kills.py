#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kills.py CORRIDOR SOURCE FAILING_CALLS.so [KILLS [SEED]]: kills processes of campaigns, one half at random moments, the other at system calls (and behind half of what
they write), begins each again by the same command with another number of workers, and compares the file that comes out in the end
with that of a quiet run, byte for byte. Meanwhile the status is asked for all the time by another process. Prints what was killed when. Exit code 1 if a file differs, a command fails
otherwise than by the kill, or a process is left."""
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

import campaign

CORRIDOR, SOURCE, SHIM = sys.argv[1:4]
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 20
DICE = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
EXPERIMENT = {"name": "torture", "seed": "0x7", "suites": 60, "sequences": 2, "cases": [20, 60],
              "arms": [{"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40]}},
                       {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}]}


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


def phase_now(kills):
    """What is going on, as far as the files tell."""
    if any(kills.folder.glob(campaign.PARTS + "/result.h5*")):
        return "in the merge"
    return "while suites run" if kills.result() is None else "behind the result"


def phase_of(call, resumed):
    """What a call is part of."""
    name, who, file = call.split(" ", 2)
    if name in ("unlink", "remove", "opendir") or file.startswith("DONE"):
        return "in the removal"
    if file.startswith(("result.h5", campaign.RESULT + ".times", "times.csv", "OUTPUT")) or file == campaign.RESULT:
        return "in the merge"
    if ".journal" in file or (name == "fsync" and who == "child"):
        return "in the recovery" if who == "planner" else "in the merge" if name == "pread" else "in a commit"
    if file.startswith("STATUS"):
        return "in the status"
    return "in the recovery" if resumed else "in the beginning"


class Watcher(threading.Thread):
    """Asks for the status in a loop, from another process."""

    def __init__(self, kills):
        super().__init__(daemon=True)
        self.kills, self.answers, self.none, self.ended = kills, 0, 0, False

    def run(self):
        while not self.ended:
            done = subprocess.run([CORRIDOR, "status", campaign.RESULT, "--json"], cwd=self.kills.folder, capture_output=True, text=True, check=False)
            if done.returncode == campaign.DONE:
                try:
                    json.loads(done.stdout)
                    self.answers += 1
                except ValueError:
                    self.kills.problems.append(f"the status is no JSON: {done.stdout[:300]}")
            elif done.returncode == campaign.ENVIRONMENT and done.stderr.startswith("corridor: "):
                self.none += 1  # no campaign at this moment, or it has not said anything
            else:
                self.kills.problems.append(f"the status: {done.returncode} {done.stderr[:300]}")
            time.sleep(0.05)


def begin(kills, aim):
    """The command in a session of its own; with an aim it is killed at a call."""
    environment = dict(os.environ)
    if aim:
        (kills.folder / "counter").write_bytes(bytes(4096))
        environment.update(campaign.preload(SHIM), FAILING_CALLS=f"{kills.folder}/counter:{aim[0]}:{aim[1]}:{aim[2]}")
    return subprocess.Popen(kills.command(DICE.choice((1, 2, 3, 5))), cwd=kills.folder, env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, start_new_session=True)


def kill_at_moment(kills, process, seen):
    """One of its processes, after a while; whether one was killed."""
    end = time.monotonic() + DICE.expovariate(1 / 0.25)
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)
    alive = processes(process.pid) if process.poll() is None else []
    if not alive:
        return 0
    victim, what = DICE.choice(alive), phase_now(kills)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return 0  # it has left in this moment
    seen["random", what] += 1
    return 1


def settle(process):
    """Waits until none of its processes is left."""
    said = process.communicate()
    deadline = time.monotonic() + campaign.SECONDS
    while processes(process.pid):
        if time.monotonic() > deadline:
            sys.exit(f"processes are left: {processes(process.pid)}")
        time.sleep(0.01)
    return said


def whole_run(kills, seen, left, calls):
    """One campaign, killed up to `left` times on its way; how often it was, and the seconds that the last run took to begin and end."""
    killed = 0
    while True:
        resumed = kills.stored() > 0
        aim = None
        if killed < left and DICE.random() < 0.6:
            aim = (DICE.randrange(1, calls + 1), DICE.choice((-1, -2)), DICE.choice(("changing", "changing", "once")))
        process = begin(kills, aim)
        hit = kill_at_moment(kills, process, seen) if killed < left and not aim else 0
        said = settle(process)
        if aim:
            call = (kills.folder / "counter").read_bytes()[8:128].split(b"\0")[0].decode()
            hit = int(bool(call))
            if call:
                seen["at a call", phase_of(call, resumed)] += 1
        killed += hit
        ended = process.returncode == campaign.ENVIRONMENT and f"{campaign.RESULT}: exists already" in said[1]  # it was killed behind its end
        if kills.result() not in (None, kills.quiet):
            sys.exit(f"another file after exit code {process.returncode}: {said}")
        if process.returncode == campaign.DONE or ended:
            break
        if not hit:
            sys.exit(f"exit code {process.returncode} without a kill: {said}")
    if kills.result() != kills.quiet:
        sys.exit(f"another file after {killed} kills")
    if set(os.listdir(kills.folder)) - campaign.OURS:
        sys.exit(f"left behind {hit} at {call if aim else 'a moment'}: {os.listdir(kills.folder)} {[path.name for path in kills.folder.glob(campaign.PARTS + '/*')]}, {said}")
    return killed


def main():
    with campaign.Campaign(CORRIDOR, SOURCE, EXPERIMENT) as kills:
        kills.run_quietly()
        _done, calls = kills.counting({**campaign.preload(SHIM), "FAILING_CALLS": f"{kills.folder}/counter:0:0:changing"})
        kills.clean()
        seen, killed, campaigns, watcher = collections.Counter(), 0, 0, Watcher(kills)
        watcher.start()
        while killed < KILLS:
            killed += whole_run(kills, seen, min(DICE.randrange(1, 8), KILLS - killed), calls)
            kills.clean()
            campaigns += 1
        watcher.ended = True
        watcher.join()
        for (how, when), count in sorted(seen.items()):
            print(f"  {how:10} {when:20} {count:5}")
        inside = sum(count for (_how, when), count in seen.items() if when in ("in a commit", "in the merge"))
        code = campaign.report("kills", killed, kills.problems, f"{campaigns} campaigns, 0 suites lost, 0 doubled, every file equal to the quiet one; "
                               f"{inside} kills inside a commit or the merge, {sum(count for (how, _when), count in seen.items() if how == 'at a call')} at calls")
        return code | campaign.report("status meanwhile", watcher.answers, kills.problems, f"valid JSON each; {watcher.none} times no campaign was under way")


if __name__ == "__main__":
    sys.exit(main())
