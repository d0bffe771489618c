#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""adventure.json on the real game: each fault of 1.12 that a later release names is found by the judge that is meant for it, in its last command and by
no other judge. Skipped where Debian's package open-adventure is not there.

test_adventure_goals.py CORRIDOR FOLDER [full [GAME]]
  full: besides, no command can be left out of the short lists, the walk reaches the endgame, test agents explore, by each of the seeds, and what a
    random one finds is shrunk to three commands.
  GAME: another version, in which nothing is found."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GAME = "/usr/games/advent"
FOUND = {"fee fie foe": ("formula one after the other", 3), "knives": ("formula once", 9), "waters": ("formula nobody told", 11),
         "line": ("invariant lines fit", 18), "bird": ("invariant bird in cage", 406)}
SHORT = ("fee fie foe", "knives", "waters", "line")


def carried_out(corridor, folder, what, tests):
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "adventure.json"
        path.write_text(json.dumps({**what, "tests": tests}))
        ran = subprocess.run([corridor, "system", "test", path, "--isolate", "never", "--json"], cwd=folder, capture_output=True, text=True)
    assert ran.returncode in (0, 1, 7), ran.stderr
    told = {test["name"]: test for test in json.loads(ran.stdout)["tests"]}
    assert set(told) == {test["name"] for test in tests}, ran.stderr
    return told


def failed(test):
    return {f"{one['judge']} {one['check']}" for one in test["verdicts"] + test["formulas"] if one["verdict"] == "failed"}


def test_faults(told):
    for name, (check, cycle) in FOUND.items():
        test = told[name]
        assert (test["verdict"], failed(test), test["decided"], test["cycles"]) == ("fail", {check}, cycle, cycle), (name, test["why"])


def test_no_command_is_too_many(corridor, folder, what):
    less = []
    for test in what["tests"]:
        if test["name"] in SHORT:
            agent, = test["agents"]
            said = agent["goal"]["seq"]
            less += [{**test, "name": f"{test['name']}/{n}", "agents": [{**agent, "goal": {"seq": said[:n] + said[n + 1:]}}]}
                     for n in range(len(said))]
    assert len(less) == sum(FOUND[name][1] for name in SHORT)
    for name, test in carried_out(corridor, folder, what, less).items():
        assert FOUND[name.split("/")[0]][0] not in failed(test), name


def test_words_are_shrunk(corridor, folder, what):
    with tempfile.TemporaryDirectory() as name:
        (pathlib.Path(name) / "adventure.json").write_text(json.dumps({**what, "tests": [test for test in what["tests"] if test["name"] == "any words"]}))
        for command in (["run", f"{name}/adventure.json", "-o", f"{name}/out.h5", "--isolate", "never"],
                        ["shrink", f"{name}/out.h5", "--failure", "system/0", "-o", f"{name}/small.json", "--isolate", "never", "--trust"]):
            ran = subprocess.run([corridor, *command], cwd=folder, capture_output=True, text=True)
            assert ran.returncode in (0, 1), ran.stderr
        small, = json.loads((pathlib.Path(name) / "small.json").read_text())["tests"]
    said = [goal["do"] for goal in small["agents"][0]["goal"]["seq"]]
    assert len(said) == 3 and (said[0], said[2]) == ("say(fee)", "say(fie)"), said


def main(corridor, folder, *how):
    if not os.access(GAME, os.X_OK):
        print(f"skipped: {GAME} is not there (Debian's package open-adventure)")
        sys.exit(77)
    what = json.loads((pathlib.Path(folder) / "adventure.json").read_text())
    if len(how) > 1:
        what["system"]["program"].append(how[1])
        for name, test in carried_out(corridor, folder, what, what["tests"]).items():
            assert test["verdict"] == "pass", (name, test["why"])
        return
    told = carried_out(corridor, folder, what, [test for test in what["tests"] if how or test["name"] in FOUND])
    test_faults(told)
    for name in set(told) - {*FOUND, "any words"}:
        assert told[name]["verdict"] == "pass", (name, told[name]["why"])
    if how:
        assert failed(told["any words"]) == {"formula one after the other"}, told["any words"]
        test_words_are_shrunk(corridor, folder, what)
        test_no_command_is_too_many(corridor, folder, what)


if __name__ == "__main__":
    main(*sys.argv[1:])
