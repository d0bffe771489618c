#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gates of 7 kinds in drawn graphs of rooms (gates.py): what breadth-first search over the states of a level says that can be reached is, by `reach` of a thing
and of its room and by `interact`; what cannot is not found, which is a failure.

usage: test_gates.py CORRIDOR LEVELS_OF_EACH"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import gates

BINARY, LEVELS = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
WORLD = str(pathlib.Path(__file__).resolve().parent / "gates.py")
GOALS = {"reach": {"reach": "key"}, "room": {"reach": "vault"}, "interact": {"interact": "key", "do": "press"}}


def draw(kind, seed):
    chance = random.Random(f"{kind} {seed}")
    rooms = [f"r{i}" for i in range(chance.randint(3, 7))]
    edges = [(rooms[i], rooms[chance.randrange(i)]) for i in range(1, len(rooms))]
    if len(rooms) > 3:
        edges.append(chance.sample(rooms, 2))
    levers = [chance.choice(rooms) for _ in range(chance.randint(2, 4))]
    number = {"counter": chance.randint(2, 5), "timed": chance.randint(1, 2 * len(rooms)), "delayed": chance.randint(2, 8)}.get(kind, 0)
    return {"kind": kind, "start": rooms[0], "edges": edges, "gate": chance.choice(rooms), "levers": levers, "number": number,
            "linked": chance.sample(range(len(levers)), 2 if kind in ("and", "order") else 1)}


def can(level):
    """All states, breadth first."""
    edge, met = {level.first()}, set()
    while edge and not any(state[0] == "vault" for state in edge):
        met |= edge
        edge = {level.do(state, action, argument) for state in edge for action, argument in
                [("wait", None), *(("go", way) for way in level.ways(state)), *(("press", i) for i in range(len(level.levers)))]} - met
    return bool(edge)


def main():
    wrong, counts = [], {False: 0, True: 0}
    with tempfile.TemporaryDirectory() as folder:
        for kind, seed in ((kind, seed) for kind in gates.KINDS for seed in range(LEVELS)):
            setup = draw(kind, seed)
            is_possible = can(gates.Level(setup))
            pathlib.Path(folder, "level.json").write_text(json.dumps({
                "system": {"program": [sys.executable, WORLD], "setup": [setup]},
                "tests": [{"name": name, "cycles": 1500, "agents": [{"name": "t", "goal": goal}]} for name, goal in GOALS.items()]}))
            done = subprocess.run([BINARY, "system", "test", "level.json", "--json", "--isolate", "never", "--jobs", "1"], cwd=folder, capture_output=True, text=True)
            assert done.returncode in (0, 1, 7), (done.returncode, done.stdout[-2000:], done.stderr)
            for test in json.loads(done.stdout)["tests"]:
                counts[is_possible] += 1
                if not (test["verdict"] == "pass" if is_possible else test["verdict"] == "fail" and "not found" in test["why"]):
                    wrong.append((kind, seed, test["name"], is_possible, test["verdict"], test["cycles"], test["why"]))
    print(f"{counts[True]} goals that are possible, {counts[False]} that are not; {len(wrong)} wrong")
    for one in wrong:
        print("wrong:", *one)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
