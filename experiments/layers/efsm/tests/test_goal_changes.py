#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals that come and go while a test runs: what was covered when, by the rule of the page over the moves that were made; the same
tests by one worker and by three, and again by replay.

usage: test_goal_changes.py CORRIDOR LIBRARY
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CORRIDOR, LIBRARY = sys.argv[1], pathlib.Path(sys.argv[2])
KIOSK = LIBRARY.parents[2] / "oracle/efsm/tests/invalid/kiosk.json"
# Model, goal, traps of each goal by their transitions, changes.
CASES = (
    ("inres_initiator", "t8", {"t8": ["t8"], "t5": ["t5"]}, [("add", "t5", 2)], 2),
    ("inres_initiator", "t8", {"t8": ["t8"], "t5": ["t5"]}, [("add", "t5", 50)], 2),
    ("inres_initiator", "t8", {"t8": ["t8"], "t1": ["t1"]}, [("drop", "t8", 1), ("add", "t1", 3)], 1),
    ("inres_initiator", "t8", {"t8": ["t8"]}, [("drop", "t8", "counter > 0")], 0),
    ("inres_initiator", "t8", {"t8": ["t8"], "t5": ["t5"]}, [("drop", "t8", "counter > 2"), ("add", "t5", "counter > 2")], 1),
    ("inres_initiator", "t8", {"t8": ["t8"], "t5": ["t5"]}, [("add", "t5", "counter == 4"), ("drop", "t5", "counter < 4")], None),
    ("inres_initiator", "t14", {"t14": ["t14"], "t9": ["t9"], "t3": ["t3"]}, [("add", "t9", 1), ("add", "t3", "counter == 3"), ("drop", "t9", 6)], None),
    (KIOSK, "kick", {"kick": ["kick"], "serve": ["serve"], "pay": ["pay"]}, [("add", "serve", "mode = 'busy' && paid > 1.85"), ("add", "pay", 2)], None),
)


def run(*words, codes=(0,)):
    done = subprocess.run([CORRIDOR, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in codes, (words, done.returncode, done.stdout[-300:], done.stderr)
    return done


def holds(condition, text):
    """The condition in the state that is written so."""
    values = {}
    for name, value in re.findall(r"(\w+) = ([^,]+)", text):
        values[name] = float(value) if re.fullmatch(r"-?[\d.]+", value) else {"true": True, "false": False}.get(value, value)
    return eval(re.sub(r"(?<![=<>!])=(?!=)", "==", condition).replace("&&", "and"), {}, values)


def expected(goals, changes, moves):
    """Which goals are covered at which move, and what is open behind the last, what changes then aside."""
    asked = set(goals) - {goal for verb, goal, _ in changes if verb == "add"}
    due = {i for i, (_, _, when) in enumerate(changes) if isinstance(when, int)}
    covered = {}

    def look(number, state):
        for i, (verb, goal, when) in enumerate(changes):
            if (i in due and number >= when) if isinstance(when, int) else holds(when, state):
                due.discard(i)
                (asked.add if verb == "add" else asked.discard)(goal)
        adds = [i for i in due if changes[i][0] == "add"]
        if not asked - set(covered) and adds:
            i = min(adds, key=lambda i: (changes[i][2], i))
            due.discard(i)
            asked.add(changes[i][1])
        return not asked - set(covered)
    for number, move in enumerate(moves):
        assert not look(number, move["state"]), ("a move too many", number)
        for goal in asked - set(covered):
            if move["transition"] in goals[goal]:
                covered[goal] = number + 1
    return covered, asked - set(covered)


def check(model, goal, goals, changes, known, folder, planner):
    path = model if isinstance(model, pathlib.Path) else LIBRARY / f"{model}.json"
    said = "; ".join(f"{verb} {name} {'at' if isinstance(when, int) else 'when'} {when}" for verb, name, when in changes)
    words = "efsm", "test", path, "--goal", goal, "--changes", said, "--planner", planner, "--moves", 60, "--force", "--json"
    three = [run(*words, "--runs", 3, "-j", jobs, "-o", folder / f"{jobs}.h5", codes=(0, 1, 7)).stdout for jobs in (1, 3)]
    assert three[0] == three[1], said
    passed = 0
    for seed in range(3):
        done = run(*words, "--seed", seed, "-o", folder / "r.h5", codes=(0, 1, 7))
        assert json.loads(run("replay", folder / "r.h5", "--json").stdout)["equal"], said
        sheets = {key: value["rows"] for key, value in json.loads(done.stdout)["sheets"].items()}
        test, moves = sheets["tests"][0], sheets["moves"]
        assert test["verdict"] in ("pass", "inconclusive") and len(moves) == test["moves"], (said, test)
        covered, still_open = expected(goals, changes, moves)
        when = {row["trap"]: row["moves"] for row in sheets["traps"] if row["covered"]}
        assert covered == when, (said, planner, covered, when)
        if test["verdict"] == "pass":
            passed += 1
            assert not still_open or any(verb == "drop" for verb, _, _ in changes), (said, still_open)
        if planner == "search":
            assert test["verdict"] == "pass", (said, test)
            assert known is None or test["covered"] == known, (said, test)
    return passed


def main():
    passed = 0
    with tempfile.TemporaryDirectory(prefix="corridor-changes-") as name:
        folder = pathlib.Path(name)
        for case in CASES:
            for planner in ("search", "random", "antiant", "paper"):
                passed += check(*case, folder, planner)
        file = LIBRARY / "inres_initiator.json"
        for changes, words in (("add t5 at", "is no list of changes"), ("drop t9 at 2", 'the goal "t9" is not asked for'),
                               ("add nogoal at 2", 'unknown goal "nogoal"'), ("drop t8 when cuonter > 0", 'did you mean "counter"')):
            assert words in run("efsm", "test", file, "--goal", "t8", "--changes", changes, codes=(2, 3, 4, 5, 6)).stderr, changes
        failed = run("efsm", "test", file, "--goal", "t8", "--changes", "add t5 at 2", "--mutant", "t5.missing", "--json", codes=(1, 7))
        assert json.loads(failed.stdout)["sheets"]["tests"]["rows"][0]["verdict"] == "fail", failed.stdout
    assert passed >= 20, passed
    print(f"{passed} tests passed, each by the rule")


if __name__ == "__main__":
    main()
