#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Published bugs of programs that Debian and npm ship, each looked for with many seeds, shrunk, executed again, told. Experiments, result files, tests, stories and
diagrams stay in FOLDER; the table is FOLDER/../real_bugs.json, too. Exit code 0 only if every seed found every bug.

usage: real_bugs.py CORRIDOR FOLDER [SEEDS [BUG..]]"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
REGISTRIES = HERE.parent / "registries"
SUITES = (2, 8, 32, 128, 512)  # until the bug is found; with two workers
SECONDS_MOST = 60.0
HITS = {"raft": 12, "swim": 1, "opendht": 1, "sumo": 1, "patroni": 1}  # failures that are shrunk, of each seed; of the others 4: a program in Python is slow, one of many events slower
REPLAYS = 20

# bug, experiment, arm, constraint, package that has to be there
BUGS = (
    ("figure 8", "raft", "figure_8", "agreed", "libraft2"),
    ("own term", "raft", "own_term", "own_term", "libraft2"),
    ("asks stored", "raft", "asks_stored", "asks_stored", "libraft2"),
    ("settled snapshots", "raft", "settled_snapshots", "settled_snapshots", "libraft2"),
    ("installs as follower", "raft", "installs_as_follower", "installs_as_follower", "libraft2"),
    ("answers in time", "raft", "answers_in_time", "answers_in_time", "libraft2"),
    ("acks matched", "raft", "acks_matched", "acks_matched", "libraft2"),
    ("term forgotten", "pysyncobj", "term_forgotten", "term_forward", "python3-pysyncobj"),
    ("vote forgotten", "pysyncobj", "vote_forgotten", "one_vote", "python3-pysyncobj"),
    ("stale points", "uhashring", "gone", "gone", "python3-uhashring"),
    ("clones shuffled", "pacemaker", "stays", "stays", "pacemaker-cli-utils"),
    ("cells trashed", "golly", "edits", "edits", "golly"),
    ("green beyond maxDur", "sumo", "maximum", "maximum", "sumo"),
    ("unheard closest", "kad", "answered", "answered", "npm:kad-dht-16.2.7"),
    ("never rejoins", "opendht", "back", "back", "libopendht-dev"),
    ("steps down", "patroni", "stays", "stays", "patroni"),
    ("dead for ever", "swim", "back", "back", "npm:happn-swim"),
)
PROGRAMS = {"raft": "libraft", "pysyncobj": "PySyncObj", "uhashring": "uhashring", "pacemaker": "pacemaker", "golly": "bgolly", "sumo": "SUMO", "swim": "happn-swim", "kad": "kad-dht", "opendht": "OpenDHT", "patroni": "Patroni"}


def home_of(experiment):
    """The folder in which it lies."""
    return next((folder for folder in (HERE, REGISTRIES) if (folder / f"{experiment}.json").exists()), None)


def version_of(package):
    """Of a Debian package, or one of npm; None: it is not there."""
    if package.startswith("npm:"):
        told = ROOT / "build/registries/node_modules" / package.removeprefix("npm:") / "package.json"
        return json.loads(told.read_text())["version"] if told.exists() else None
    if not shutil.which("dpkg-query"):
        return None
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Status} ${Version}", package], capture_output=True, text=True)
    words = asked.stdout.split()
    return words[3] if words[:3] == ["install", "ok", "installed"] else None


class Refused(Exception):
    """The program is not there as it is meant to be; what is said of it."""


class Search:
    """One bug, looked for with many seeds."""

    def __init__(self, corridor, folder, bug):
        self.corridor, self.folder = corridor, folder
        self.name, self.experiment, self.arm, self.constraint, self.package = bug
        home = home_of(self.experiment)
        self.text = json.loads((home / f"{self.experiment}.json").read_text())
        arm = self.text["arms"][self.arm]
        self.text["arms"] = {self.arm: arm}
        for part in (self.text, arm):
            if isinstance(part.get("corridor"), str):
                part["corridor"] = str(home / part["corridor"])
        generators = arm.get("generators", self.text.get("generators"))
        self.generator = arm.get("generator") or ", ".join([generators] if isinstance(generators, str) else generators)

    def path(self, ending):
        return str(self.folder / f"{self.arm}{ending}")

    def call(self, *words):
        return subprocess.run([self.corridor, *words], capture_output=True, text=True, cwd=ROOT)

    def found_in(self, results):
        """Keys of schedules that fail by the constraint: the first, and which one it was among all of its suite's."""
        said = self.call("failures", results, "--json")
        if said.returncode not in (0, 1):
            raise Refused(said.stderr)
        rows = json.loads(said.stdout)["sheets"].get("classes", {"rows": []})["rows"]
        return next((row["first"] for row in rows if row["class"] == self.constraint), None)

    def find(self, seed):
        """Seconds, schedules that were executed, the key of the first; key None: not found."""
        self.text["seed"] = seed
        experiment, results = self.path(f"-{seed}.json"), self.path(f"-{seed}.h5")
        begin, executed = time.monotonic(), 0
        for suites in SUITES:
            self.text["suites"] = suites
            pathlib.Path(experiment).write_text(json.dumps(self.text, indent=1))
            said = self.call("run", experiment, "-o", results, "--force")
            if said.returncode not in (0, 1):
                raise Refused(said.stderr)
            key = self.found_in(results)
            seconds = time.monotonic() - begin
            if key:
                _, suite, sequence = key.rsplit("/", 2)
                return seconds, executed + int(suite) * self.text["sequences"] + int(sequence) + 1, key
            executed += suites * self.text["sequences"]
            if seconds > SECONDS_MOST:
                break
        return seconds, executed, None

    def shrink(self, seed, key):
        """Messages of the test that is left, its events, and its path."""
        test = self.path(f"-{seed}-test.json")
        hits = str(HITS.get(self.experiment, 4))
        said = self.call("shrink", self.path(f"-{seed}.h5"), "--failure", key, "--hits", hits, "--trust", "--force", "-o", test)
        if said.returncode not in (0, 1):
            raise Refused(said.stderr)
        schedule = json.loads(pathlib.Path(test).read_text())["schedule"]
        return sum(event[0] == "deliver" for event in schedule), len(schedule), test

    def tell(self, test):
        """The smallest test, executed again; its story and its diagram beside it. How often it came out as before."""
        kept = self.path(".json")
        shutil.copyfile(test, kept)
        same = sum(self.call("replay", kept, "--trust").returncode == 0 for _ in range(REPLAYS))
        said = self.call("replay", kept, "--trace", "--trust", "--force", "--svg", self.path(".svg"))
        if said.returncode not in (0, 1):
            raise Refused(said.stderr)
        pathlib.Path(self.path(".txt")).write_text(said.stdout)
        return same

    def measure(self, seeds):
        times, schedules, shrunk = [], [], []
        for seed in range(1, seeds + 1):
            seconds, executed, key = self.find(seed)
            if key:
                times.append(seconds)
                schedules.append(executed)
                shrunk.append(self.shrink(seed, key))
            os.remove(self.path(f"-{seed}.h5"))
        row = {"bug": self.name, "program": PROGRAMS[self.experiment], "version": version_of(self.package), "generator": self.generator,
               "seeds": seeds, "found": len(times), "seconds": None, "schedules": None, "messages": None, "events": None}
        if not times:
            return row, 0
        messages, events, test = min(shrunk)
        row.update(seconds=round(statistics.median(times), 3), schedules=statistics.median_low(schedules), messages=messages, events=events)
        return row, self.tell(test)


def main():
    corridor, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute()
    seeds, wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 20, sys.argv[4:]
    folder.mkdir(parents=True, exist_ok=True)
    rows, missing, refused, failed = [], [], [], False
    layout = "{:<20}  {:<9}  {:<9}  {:<9}  {:>7}  {:>9}  {:>9}  {:>8}  {:>6}  {:>8}"
    print("Published bugs, found in what Debian and npm ship\n")
    print(layout.format("bug", "program", "version", "generator", "seeds", "seconds", "schedules", "messages", "events", "replayed"))
    for bug in BUGS:
        if wanted and bug[0] not in wanted:
            continue
        if version_of(bug[4]) is None or home_of(bug[1]) is None:
            missing.append(bug)
            continue
        try:
            row, same = Search(corridor, folder, bug).measure(seeds)
        except Refused as said:  # the others are looked for all the same
            refused.append((bug, str(said).strip()))
            continue
        rows.append(row)
        failed |= row["found"] < seeds or same < REPLAYS
        shown = ["-" if row[key] is None else row[key] for key in ("bug", "program", "version", "generator")]
        figures = ["-" if row[key] is None else row[key] for key in ("seconds", "schedules", "messages", "events")]
        print(layout.format(*shown, f"{row['found']}/{seeds}", *figures, f"{same}/{REPLAYS}"), flush=True)
    (folder.parent / "real_bugs.json").write_text(json.dumps(rows, indent=1) + "\n")
    for bug in missing:
        needs = "make registries" if bug[4].startswith("npm:") else f"apt install {bug[4]}"
        print(f"missing: {bug[0]} of {PROGRAMS[bug[1]]}, which needs: {needs}")
    for bug, said in refused:
        print(f"refused: {bug[0]} of {PROGRAMS[bug[1]]}: {said}")
    found = sum(row["found"] == seeds for row in rows)
    print(f"\n{len(rows)} bugs, {found} found with every seed, {len(missing) + len(refused)} missing; tests, stories and diagrams: {sys.argv[2]}")
    return 1 if failed or missing or refused else 0


if __name__ == "__main__":
    sys.exit(main())
