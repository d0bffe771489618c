#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Doors of 14 kinds (doors.py), each in drawn levels: what breadth-first search over the states of a level says that can be reached is reached by `reach`
and by `interact`, and `achieve` sees its door open; what cannot is not found, which is a failure and never a proof.

usage: test_doors.py CORRIDOR LEVELS_OF_EACH [KIND]"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import doors

FIRST = 0
BINARY, LEVELS = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
WORLD = str(pathlib.Path(__file__).resolve().parent / "doors.py")


def draw(kind, seed):
    """Two rooms side by side, a door in the wall between them; every fourth level has a linked button behind the door."""
    chance = random.Random(f"{kind} {seed}")
    width, other, height = chance.randint(3, 6), chance.randint(2, 4), chance.randint(3, 5)
    left = [(x, y) for x in range(1, width + 1) for y in range(1, height + 1)]
    right = [(x, y) for x in range(width + 2, width + other + 2) for y in range(1, height + 1)]
    door = (width + 1, chance.randint(1, height))
    beside, behind = (width, door[1]), (width + 2, door[1])
    free = [at for at in left if at != beside]
    far = [at for at in right if at != behind]
    chance.shuffle(free)
    chance.shuffle(far)
    count = 3 if kind == "majority" else chance.randint(2, 4)
    start, buttons, key = free.pop(), [free.pop() for _ in range(count)], far.pop()
    plates = []
    if kind == "plate":
        plates = [free.pop()]
        if chance.random() < 0.6:
            plates.append(beside)
    linked = chance.sample(range(count), {"and": min(count, chance.randint(2, 3)), "or": 2, "set": 2, "majority": 3, "latch": 2,
                                          "order": min(count, chance.randint(2, 3))}.get(kind, 1))
    if seed % 4 == 3 and far and kind not in ("plate", "none"):
        buttons[linked[0]] = far.pop()
    on = [kind in ("and", "latch") and chance.random() < 0.5 for _ in range(count)]
    if kind == "and" and all(on[b] for b in linked):
        on[linked[0]] = False
    number = {"timed": chance.randint(1, width + height), "delayed": chance.randint(2, 8), "counter": chance.randint(2, 5)}.get(kind, 0)
    rows = [y for y in range(1, height + 1) if y != door[1]]
    decoy = (width + 1, chance.choice(rows)) if chance.random() < 0.4 else None
    among = {"among": "button"} if chance.random() < 0.7 else {}
    return {"among": among, "quiet": chance.random() < 0.3, "decoy": decoy, "kind": kind, "size": [width + other + 3, height + 2], "floor": left + right + [door] + ([decoy] if decoy else []), "start": start, "key": key, "door": door,
            "buttons": buttons, "plates": plates, "linked": linked, "number": number, "on": on, "view": chance.choice([2, 3, 20])}


def can(level, is_done):
    """Is there a sequence of actions behind which it is so? All states, breadth first; None: there is none."""
    edge, met, count = {level.first()}, set(), 0
    while edge:
        if any(map(is_done, edge)):
            return count
        met |= edge
        count += 1
        edge = {level.do(state, action, argument) for state in edge for action, argument in
                [("wait", None), *(("move", way) for way in doors.STEPS), *(("press", b) for b, at in enumerate(level.places) if at == state[0])]} - met
    return None


def is_seen_open(level, state):
    return any(thing["id"] == "d" and thing["open"] for thing in level.shown(state)["entities"])


def verdicts(setup, folder):
    goals = {"reach": {"reach": "key", **setup["among"]}, "interact": {"interact": "key", "do": "press", **setup["among"]},
             "achieve": {"achieve": "d.open", "by": "press", "among": "button"}}
    path = pathlib.Path(folder, "level.json")
    path.write_text(json.dumps({"system": {"program": [sys.executable, WORLD], "setup": [setup]}, "entities": {"d": "door"},
                                "tests": [{"name": name, "cycles": 1000, "agents": [{"name": "t", "goal": goal}]} for name, goal in goals.items()]}))
    return json.loads(tell(folder, "--json"))["tests"]


def tell(folder, form):
    done = subprocess.run([BINARY, "system", "test", "level.json", form, "--isolate", "never", "--jobs", "1"], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1, 7), (done.returncode, done.stdout[-2000:], done.stderr)
    return done.stdout


def are_told_alike(tests, folder):
    """What is not found is a failure for all who read verdicts."""
    cases = xml.etree.ElementTree.fromstring(tell(folder, "--junit")).iter("testcase")
    points = [line.startswith("ok") for line in tell(folder, "--tap").splitlines() if line.startswith(("ok", "not ok"))]
    passed = [test["verdict"] == "pass" for test in tests]
    return [case.find("failure") is None and case.find("skipped") is None for case in cases] == passed == points


def main():
    wrong, figures = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in sys.argv[3:] or doors.KINDS:
            counts = figures[kind] = [0, 0, 0, 0]
            for seed in range(FIRST, FIRST + LEVELS):
                setup = draw(kind, seed)
                level = doors.Level(json.loads(json.dumps(setup)))
                truth = {"reach": can(level, lambda state: state[0] == level.key)}
                truth["interact"] = truth["reach"]
                truth["achieve"] = can(level, lambda state: is_seen_open(level, state))
                tests = verdicts(setup, folder)
                if seed == FIRST and kind in ("toggle", "none") and not are_told_alike(tests, folder):
                    wrong.append((kind, seed, "JUnit and TAP"))
                for test in tests:
                    name, length = test["name"], truth[test["name"]]
                    is_right = (test["verdict"] == "pass" if length is not None else
                                test["verdict"] == "fail" and "not found" in test["why"])
                    counts[2 * (length is None) + 1 - is_right] += 1
                    if not is_right:
                        wrong.append((kind, seed, name, length, test["verdict"], test["cycles"], test["why"]))
    for kind, (reached, missed, right, false) in figures.items():
        print(f"{kind:14}{reached:4} of {reached + missed:3} reached{right:5} of {right + false:3} not found")
    for one in wrong:
        print("wrong:", *one)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
