#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals that the system under test itself adds or drops: the same moves as if a change "at" that move had been asked for, the same
by recorded traffic and by replay; and what it must not say of goals.

usage: test_told_goals.py CORRIDOR LIBRARY
"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

CORRIDOR, LIBRARY = sys.argv[1], pathlib.Path(sys.argv[2])
MODEL = LIBRARY / "inres_initiator.json"
TOLD = pathlib.Path(__file__).with_name("told.py")
# What the system says, by moves; the same as changes of the command line.
SAID = (
    ({2: {"add": ["t5"]}}, "add t5 at 2"),
    ({1: {"drop": ["t8"]}, 3: {"add": ["t1"]}}, None),
    ({1: {"add": ["t5", "t9"], "drop": ["t8"]}}, "drop t8 at 1; add t5 at 1; add t9 at 1"),
    ({2: {"add": ["t5"]}, 4: {"drop": ["t5"]}}, "add t5 at 2; drop t5 at 4"),
    ({1: {"add": ["t14"]}, 2: {"drop": ["t14"], "add": ["t5"]}, 3: {"add": ["t14"]}}, "add t14 at 1; drop t14 at 2; add t5 at 2; add t14 at 3"),
)
# Nonsense, and what is said of it.
WRONG = (
    ({"add": ["t77"]}, ': unknown goal to add "t77"'),
    ({"add": ["t8"]}, ': unknown goal to add "t8"'),
    ({"drop": ["t1"]}, ': unknown goal to drop "t1"'),
    ({"drop": ["t5"]}, ': the goal "t5" is not asked for'),
    ({"add": ["t5", "t5"]}, ': the goal "t5" is named twice'),
    ({"add": ["t5"], "drop": ["t5"]}, ': the goal "t5" is named twice'),
    ({"add": [{"transition": "t5"}]}, ": is an object, expected a string"),
    ({"add": "t5"}, ": is a string, expected an array"),
    ({"add": []}, ": has 0 items, expected 1 to 100"),
    ({}, ': "goals" has "add", "drop" or both'),
    ({"more": ["t5"]}, ': unknown key "more"'),
    ([], ": is an array, expected an object"),
)
MAY = "add t5 by system; drop t5 by system; add t1 by system; drop t8 by system; add t9 by system; add t14 by system; drop t14 by system"


def run(*words, codes=(0,), folder=None):
    done = subprocess.run([CORRIDOR, *map(str, words)], capture_output=True, text=True, cwd=folder)
    assert done.returncode in codes, (words, done.returncode, done.stdout[-600:], done.stderr)
    return done


def program(script):
    return " ".join(map(shlex.quote, ("python3", str(TOLD), str(LIBRARY / "systems/inres.py"), json.dumps(script))))


def test(changes, *words, codes=(0, 1, 7)):
    done = run("efsm", "test", MODEL, "--goal", "t8", "--changes", changes, "--moves", 60, "--force", "--json", *words, codes=codes)
    return {key: value["rows"] for key, value in json.loads(done.stdout)["sheets"].items()}, done.returncode


def check_said(script, changes, planner, folder):
    """The moves, and what was covered when, are those of changes at the same moves."""
    may = MAY
    told, code = test(may, "--planner", planner, "--system", program(script), "-o", folder / "told.h5")
    if planner != "random":
        assert json.loads(run("replay", folder / "told.h5", "--json").stdout)["equal"], script
    for move, words in script.items():
        if int(move) <= len(told["moves"]):
            said = told["moves"][int(move) - 1]["observed"]
            for verb, goals in words.items():
                assert all(f"; {verb} {goal}" in said for goal in goals), (script, said)
    if not changes:
        return
    plain, plain_code = test(changes, "--planner", planner, "--system", program({}))
    assert code == plain_code, (script, code, plain_code)
    moves = [[{**row, "observed": row["observed"].split("; ")[0], "left": 0, "candidates": 0, "degree": 0} for row in sheets["moves"]]
             for sheets in (told, plain)]
    assert moves[0] == moves[1], (script, planner, moves)
    asked = {"t8"} | {goal for words in script.values() for goals in words.values() for goal in goals}
    when = [{row["trap"]: row["moves"] for row in sheets["traps"] if row["covered"] and row["trap"] in asked} for sheets in (told, plain)]
    assert when[0] == when[1], (script, when)


def experiment(folder, changes, scripts):
    """A file of one experiment: an arm for each script."""
    (folder / "e.json").write_text(json.dumps({
        "efsm": json.loads(MODEL.read_text()), "goal": "t8", "moves": 60, "changes": changes,
        "arms": [{"name": str(a), "system": {"command": program(script)}} for a, script in enumerate(scripts)]}))


def shown(path, folder):
    return {key: value["rows"] for key, value in json.loads(run("show", path, "tests", "--json", folder=folder).stdout)["sheets"].items()}


def check_wrong(folder):
    """Trouble with the system at that move, with the words, and no verdict about conformance; replayed alike."""
    experiment(folder, [dict(zip(("drop" if "drop" in change else "add", "by"), change.split()[1::2])) for change in MAY.split(";")],
               [{"1": {"add": ["t14"]}, "2": words} for words, _ in WRONG])
    run("run", "e.json", "-o", "wrong.h5", folder=folder)
    rows = shown("wrong.h5", folder)["tests"]
    assert len(rows) == len(WRONG)
    for (words, said), row in zip(WRONG, rows):
        assert row["verdict"] == "trouble" and row["moves"] == 2 and said in row["why"], (words, row)
    assert json.loads(run("replay", "wrong.h5", "--json", folder=folder).stdout)["equal"]


def check_traffic(folder):
    """An experiment by recorded traffic, the program away: the same content. The hello names the goals."""
    experiment(folder, [{"add": "t5", "by": "system"}, {"drop": "t8", "by": "system"}], [{"2": {"add": ["t5"], "drop": ["t8"]}}] * 2)
    run("run", "e.json", "-o", "a.h5", "--record-traffic", "t.txt", folder=folder)
    hello = (folder / "t.txt").read_text()
    assert '"hello":{"protocol":1,"model":"inres_initiator","goals":{"add":["t5"],"drop":["t8"]}}' in hello, hello[:600]
    run("run", "e.json", "-o", "b.h5", "--replay-traffic", "t.txt", folder=folder)
    assert shown("a.h5", folder) == shown("b.h5", folder)


def check_experiments(folder):
    for changes, words in (("add t5 by me", 'unknown speaker "me"'), ("drop t9 by system", 'the goal "t9" is not asked for'),
                           ("add t5 by system; add t5 by system", "this change is named twice"),
                           ("add t5 by system; add t5 at 2", 'the goal "t5" is the system\'s to add or drop, and of other changes')):
        said = run("efsm", "test", MODEL, "--goal", "t8", "--changes", changes, "--system", program({}), codes=(3,)).stderr
        assert words in said, said
    said = run("efsm", "test", MODEL, "--goal", "t8", "--changes", "add t5 by system", codes=(3,)).stderr
    assert 'only a program can say of the goal "t5" that it comes or goes' in said, said
    sheets, _ = test("add t5 at 2", "--system", program({"1": {"add": ["t5"]}}), codes=(7,))
    assert "no goal is the system's to add" in sheets["tests"][0]["why"], sheets["tests"]


def main():
    with tempfile.TemporaryDirectory(prefix="corridor told [1] ") as name:
        folder = pathlib.Path(name)
        for script, changes in SAID:
            for planner in ("search", "random") if changes else ("search", "paper"):
                check_said({str(move): words for move, words in script.items()}, changes, planner, folder)
        check_wrong(folder)
        check_traffic(folder)
        check_experiments(folder)
    print(f"{len(SAID)} scripts, {len(WRONG)} pieces of nonsense")


if __name__ == "__main__":
    main()
