#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Subjects that cannot be tested, or end on the way: each is told in the same words, with what is to be done, and none of them passes.

usage: test_bad_subjects.py CORRIDOR SOURCE [all]"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

BINARY, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
IS_ALL = sys.argv[3:] == ["all"]  # those that are waited for, too
LIBRARY = SOURCE / "experiments/library"

ADAPTER = '''import os, sys, time
import corridor_process as corridor

deed = sys.argv[1]
if deed == "version":
    sys.exit("thing 9.0 is installed, and 2.1 is what is tested here: thing of Debian 12")
if deed == "mute":
    time.sleep(1000)
if deed == "nonsense":
    for line in sys.stdin:
        os.write(1, b"Segmentation violation\\n")


class Thing(corridor.Process):
    name = "thing"
    attributes = {"asked": int}
    inputs = {"go": "on"}
    asked = 0

    def input(self, which, data):
        self.asked += 1
        if self.asked == 2 and deed == "dies":
            sys.exit("the daemon of thing is gone")
        if self.asked == 2 and deed == "killed":
            os.kill(os.getpid(), 9)
        if self.asked == 2 and deed == "raises":
            {}["x"]
        if self.asked == 2 and deed == "hangs":
            time.sleep(1000)

    def observe(self):
        return {"asked": "two" if self.asked == 2 and deed == "shows" else self.asked}


corridor.run(Thing)
'''
WORLD = '''import subprocess, sys
import corridor_world


class Thing(corridor_world.World):
    types = {"thing": {"asked": "int"}}
    actions = {"go": {}}
    entities = {"t": "thing"}

    def reset(self):
        self.asked = 0
        words = {"missing": ["thingd"], "ends": ["sh", "-c", "echo no lock; exit 4"], "runs": ["true"]}[sys.argv[1]]
        try:
            daemon = subprocess.run(words, capture_output=True, text=True)
        except FileNotFoundError:
            sys.exit("thingd is not there: make subjects, or thing of Debian 12")
        if daemon.returncode:
            sys.exit(f"thingd does not start: {daemon.stdout.strip()}, exit code {daemon.returncode}")

    def act(self, agent, action, **words):
        self.asked += 1

    def view(self, agent):
        return {"t": {"asked": self.asked}}


corridor_world.run(Thing)
'''
HELLO = '  a program answers its hello with {"id":1,"process":"NAME",..}: docs/look-up/process-programs.md\n'
ENDED = "the program ended without an answer: its process ended by itself with exit code 1; it last said: "
# What is refused before anything is tested, and what is said; what ends on the way: (end, why); worlds that do not start.
REFUSED = {
    "version": ENDED + "thing 9.0 is installed, and 2.1 is what is tested here: thing of Debian 12",
    "nonsense": "the program's first line will not do: \"Segmentation violation\": is not valid JSON: '[' or '{' expected near 'Segmentation'",
    "not built": ENDED + "build/registries/thing is not there: make subjects, with libthing-dev of Debian 12",
}
ENDS = {
    "dies": ("gone", "Process 0: in input: its process ended by itself with exit code 1; it last said: the daemon of thing is gone."),
    "killed": ("gone", "Process 0: in input: its process was ended by signal 9 (Killed)."),
    "raises": ("abort", "Process 0: in input: KeyError: 'x' (thing.py:27)."),
    "shows": ("garbled", 'Process 0: in input: "{"shows":{"asked":"two"},"id":4}": /shows/asked is a string, expected an integer.'),
}
if IS_ALL:
    REFUSED["mute"] = "the program said nothing in time: its process was ended"
    ENDS["hangs"] = ("hang", "Process 0: in input: it did not come back.")
TROUBLE = {
    "missing": "thingd is not there: make subjects, or thing of Debian 12",
    "ends": "thingd does not start: no lock, exit code 4",
}


def corridor(folder, *words, code=0):
    done = subprocess.run([str(word) for word in (BINARY, *words)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


def run(folder, experiment, code=0):
    (folder / "thing.json").write_text(json.dumps(experiment))
    return corridor(folder, "run", "thing.json", "-o", "thing.h5", "--force", "--progress", "none", "--fail-on", "any", code=code)


def of_processes(program):
    return {"process": {"program": program, "count": 1}, "seed": 1, "suites": 1, "sequences": 1, "cases": 5, "case": 100,
            "corridor": ["structure observed", "attribute asked: integer", "invariant few: all(a in agents: a.asked < 1000)"],
            "environment": {"states": {"work": {"input": 2}}}, "arms": {"one": {}}}


def of_worlds(deed):
    return {"system": {"program": [sys.executable, "world.py", deed]}, "seed": 1, "runs": 1, "arms": [{"name": "one"}],
            "tests": [{"name": "goes", "cycles": 5, "agents": [{"name": "a", "goal": {"do": "go", "assert": "t.asked > t.asked@before"}}]}]}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in ("processes/corridor_process.py", "systems/corridor_world.py", "registries/built.sh"):
            shutil.copy(LIBRARY / file, folder)
        (folder / "thing.py").write_text(ADAPTER)
        (folder / "world.py").write_text(WORLD)
        for deed, sentence in REFUSED.items():
            program = "sh built.sh thing libthing-dev" if deed == "not built" else f"/usr/bin/python3 thing.py {deed}"
            done = run(folder, of_processes(program), code=3)
            assert done.stderr.endswith(f"corridor: unusable plug-in: {program}: {sentence}\n{HELLO}"), (deed, done.stderr)
            assert not (folder / "thing.h5").exists(), deed
        for deed, (end, why) in ENDS.items():
            done = run(folder, of_processes(f"/usr/bin/python3 thing.py {deed}"), code=1)
            assert f"  example  {end}: {why}\n" in done.stdout and "FAILS    1 of 1 arm: one" in done.stdout, (deed, done.stdout)
            (folder / "thing.h5").unlink()
        for deed, sentence in TROUBLE.items():
            done = run(folder, of_worlds(deed), code=7)
            why = f"goes: the world died in cycle 0: its process ended by itself with exit code 1; it last said: {sentence}"
            assert "  trouble  1 of 1 arm: one\n" in done.stdout and f"  example  {why}\n" in done.stdout, (deed, done.stdout)
        done = run(folder, of_worlds("runs"))
        assert "passes  1 of 1 arm: one" in done.stdout, done.stdout
    print(f"{len(REFUSED)} are refused, {len(ENDS)} end on the way, {len(TROUBLE)} worlds do not start: in these words")


if __name__ == "__main__":
    main()
