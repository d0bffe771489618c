#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""races.py CORRIDOR SOURCE [ROUNDS [SEED]]: several commands at once on one campaign, in a folder that plan made or beside its output: two or three times run, some of
them killed, and status, verify, merge and plan, in any order and at any moment. Each ends with a code and a sentence that are written down, none finds damage, whatever is
read is whole; and what the same command makes in the end is the file of a quiet run, byte for byte."""
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import campaign

CORRIDOR, SOURCE = sys.argv[1:3]
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
EXPERIMENT = {"name": "races", "seed": "0x7", "suites": 6, "sequences": 1, "cases": [5, 20],
              "arms": [{"name": "S", "algorithm": "spada", "parameters": {"agents": [2, 40]}},
                       {"name": "P", "algorithm": "psopp", "parameters": {"agents": [2, 40], "budget": 100}}]}
FOLDER = "camp"
# What may come of each: 3 and 4 are refusals with their reason, as "in use", "exists", "incomplete"; 5: there is nothing yet, and the same command goes on.
CODES = {"run": {0, 3, 4, 5}, "status": {0, 3, 4}, "verify": {0, 3, 4}, "merge": {0, 3, 4, 5}, "plan": {0, 3, 4}}


class Races(campaign.Campaign):
    def __init__(self):
        super().__init__(CORRIDOR, SOURCE, EXPERIMENT)
        self.said, self.killed = collections.Counter(), []

    def runs(self, in_folder, jobs):
        return [CORRIDOR, "run", *([FOLDER] if in_folder else ["e.json", "-o", campaign.RESULT]), "--jobs", str(jobs), "--progress", "none"]

    def words(self, what, in_folder, number, dice):
        """One of the commands."""
        place = FOLDER if in_folder else dice.choice((campaign.RESULT, campaign.PARTS))
        return {"run": lambda: self.runs(in_folder, dice.randint(1, 3)),
                "status": lambda: [CORRIDOR, "status", FOLDER if in_folder else campaign.RESULT, "--json"],
                "verify": lambda: [CORRIDOR, "verify", place, "--json"],
                "merge": lambda: [CORRIDOR, "merge", FOLDER if in_folder else campaign.PARTS, *(["--partial", "-o", f"merged{number}.h5"] if dice.random() < 0.7 or not in_folder else [])],
                "plan": lambda: [CORRIDOR, "plan", "e.json", "-o", FOLDER, "--pilot", "0"]}[what]()

    def judge_one(self, which, what, words, done, out, err, killed):
        code = done.returncode
        place = f"round {which}: {' '.join(words[1:])}"
        self.said[f"{what} {'killed' if killed and code < 0 else code}"] += 1
        ended = subprocess.CompletedProcess(words, code, out, err)
        if killed and code == -signal.SIGKILL:
            if what == "merge" and "-o" in words:
                self.killed.append(words)
            return
        self.expect(code in CODES[what], place, ended)
        self.expect(code == 0 or err.startswith("corridor: ") or "\ncorridor: " in err, place + ", its message", ended)
        if code == 0 and what in ("status", "verify"):
            try:
                json.loads(out)
            except ValueError:
                self.expect(False, place + ", no JSON: " + out[:200], ended)

    def race(self, which):
        """One round: what is started when is drawn, what comes of it is not."""
        dice = random.Random(SEED * 1000003 + which)
        in_folder = dice.random() < 0.5
        if in_folder and dice.random() < 0.7:
            subprocess.run([CORRIDOR, "plan", "e.json", "-o", FOLDER, "--pilot", "0"], cwd=self.folder, capture_output=True, check=True)
        whats = ["run"] * dice.randint(2, 3) + [dice.choice(("status", "verify", "merge", "plan" if in_folder else "merge")) for _ in range(dice.randint(2, 5))]
        dice.shuffle(whats)
        started = []
        for number, what in enumerate(whats):
            words = self.words(what, in_folder, number, dice)
            process = subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            started.append((what, words, process, what in ("run", "merge") and dice.random() < 0.25))
            time.sleep(dice.choice((0, 0, 0.01, 0.05, 0.15)))
        for what, words, process, kills in started:
            if kills:
                process.kill()
        for what, words, process, kills in started:
            try:
                out, err = process.communicate(timeout=campaign.SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                err = f"no end within {campaign.SECONDS} s; {err}"
            self.judge_one(which, what, words, process, out, err, kills)
        self.end(which, in_folder)

    def end(self, which, in_folder):
        result = self.folder / (FOLDER + "/results.h5" if in_folder else campaign.RESULT)
        if in_folder and not (self.folder / FOLDER).exists():
            subprocess.run([CORRIDOR, "plan", "e.json", "-o", FOLDER, "--pilot", "0"], cwd=self.folder, capture_output=True, check=True)
        for _ in range(100):  # a worker of one that was killed may hold the lock for a moment
            again = self.run(command=self.runs(in_folder, 2))
            if again.returncode in (0, 4) and "in use" not in again.stderr and "at work" not in again.stderr:
                break
            time.sleep(0.1)
        exists = again.returncode == 4 and "exists already" in again.stderr
        self.expect(again.returncode == 0 or exists, f"round {which}, again", again)
        self.expect(result.exists() and result.read_bytes() == self.quiet, f"round {which}, the file", again)
        for words in self.killed:  # the same command goes on
            done = self.run(command=words)
            self.expect(done.returncode in (0, 4), f"round {which}, {words[1:]} again", done)
        self.killed = []
        for merged in self.folder.glob("merged*.h5"):
            done = self.run(command=[CORRIDOR, "verify", merged.name])
            self.expect(done.returncode == 0, f"round {which}, {merged.name}", done)
            merged.unlink()
        left = {name for name in os.listdir(self.folder) if not name.endswith(".csv")} - campaign.OURS - {FOLDER}
        self.expect(not left, f"round {which}, left: {sorted(left)}", again)
        self.clean()


def main():
    with Races() as races:
        races.run_quietly()
        for which in range(ROUNDS):
            races.race(which)
        return campaign.report("races", ROUNDS, races.problems, campaign.words(races.said))


if __name__ == "__main__":
    sys.exit(main())
