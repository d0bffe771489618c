#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model with truth values against the same in Python: what is reachable, how far each transition is, what a system may answer."""
import collections
import inspect
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

CORRIDOR = sys.argv[1]
DOOR = pathlib.Path(__file__).parent / "invalid/door.json"
START = ("use", False, True, 0)
INPUTS = [("key", (right,)) for right in (False, True)] + [("push", (push,)) for push in range(3)] + [("reset", ())]
SYSTEM = """import json, sys
START = {start!r}
{moves}
state = START
for line in sys.stdin:
    asked = json.loads(line)
    answer = {{"id": asked["id"]}}
    if "hello" in asked:
        answer.update(protocol=1, name="door")
    elif "reset" in asked:
        state = START
        answer["ready"] = True
    elif "in" in asked:
        found = moves(state, asked["in"], tuple(asked["args"]))
        assert all(type(a) is type(b) for a, b in zip(asked["args"], {{"key": [True], "push": [0], "reset": []}}[asked["in"]], strict=True))
        outputs = found[0][2] if found else []
        state = found[0][1] if found else state
        answer.update({{"out": {answer}}} if outputs else {{"quiet": True}})
    else:
        break
    print(json.dumps(answer), flush=True)
"""


def moves(state, label, arguments):
    """Transition, next state and outputs of each that is enabled."""
    location, is_open, locked, tries = state
    found = []
    if location == "use" and label == "key":
        right, = arguments
        if locked and right and not is_open:
            found.append(("unlock", ("use", is_open, False, 0), [["state", [is_open, 3]]]))
        if not locked and right == (not is_open):
            found.append(("lock", ("use", is_open, True, tries), [["state", [False, 3 - tries]]]))
        if locked and not right and tries < 2:
            found.append(("wrong", ("use", is_open, locked, tries + 1), [["state", [False, 2 - tries]]]))
        if locked and not right and tries >= 2:
            found.append(("alarm", ("alarm", is_open, locked, 3), [["ring", []]]))
    if location == "use" and label == "push" and not locked:
        push, = arguments
        becomes = not is_open and push > 0 or push == 2
        found.append(("pass", ("use", becomes, locked, tries), [["state", [becomes, 3]]]))
    if location == "alarm" and label == "reset":
        found.append(("calm", ("use", is_open != locked and tries != 3, locked, 0), []))
    return found


def run(*arguments, code=0):
    done = subprocess.run([CORRIDOR, "efsm", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout[-300:], done.stderr)
    return done.stdout


def main():
    distance, first, queue = {START: 0}, {}, collections.deque([START])
    while queue:
        state = queue.popleft()
        for label, arguments in INPUTS:
            for transition, after, _ in moves(state, label, arguments):
                first.setdefault(transition, distance[state] + 1)
                if after not in distance:
                    distance[after] = distance[state] + 1
                    queue.append(after)
    assert len(first) == 6
    for transition, length in first.items():
        plan = json.loads(run("plan", DOOR, "--goal", transition, "--json"))
        assert plan["length"] == length, (transition, length)
        for backend in ("explicit", "symbolic"):
            reach = json.loads(run("reach", DOOR, "--goal", transition, "--backend", backend, "--json"))
            assert reach["sheets"]["traps"]["rows"][0]["moves"] == length, (transition, backend)
    assert f"states visited: {len(distance)}\n" in run("check", DOOR)
    shown = run("plan", DOOR, "--goal", "opened_twice") + run("show", DOOR) + run("show", DOOR, "--dot")
    assert "key(true)" in shown and "state(true, 3)" in shown and "open = true, locked = false, tries = 0" in shown
    assert "not locked and right = not open" in shown and not re.search(r"(locked|open|right) *(=|:=|==) *[01]", shown), shown
    with tempfile.TemporaryDirectory(prefix="corridor-truths-") as name:
        folder = pathlib.Path(name)
        for name, answer, verdict, code in (("right", "outputs", "pass", 0), ("wrong", '[["state", [True, 3]]]', "fail", 1),
                                            ("number", '[["state", [1, 3]]]', "trouble", 7)):
            (folder / f"{name}.py").write_text(SYSTEM.format(start=START, moves=inspect.getsource(moves), answer=answer))
            words = "--goal", "all-transitions", "--system", shlex.join([sys.executable, str(folder / f"{name}.py")]), "-o", folder / f"{name}.h5"
            said = json.loads(run("test", DOOR, *words, "--json", code=code))
            assert said["sheets"]["tests"]["rows"][0]["verdict"] == verdict, (verdict, said["sheets"]["tests"]["rows"])
        text = subprocess.run([CORRIDOR, "show", folder / "wrong.h5", "tests"], capture_output=True, text=True, check=True).stdout
        assert re.search(r"gave state\(true, 3\).*allowed: state\(false, [23]\) \[\w+\]", text), text
        names = run("mutants", DOOR, "--list").split()
        assert {"pass.update.open.negated", "unlock.value.state.is_open.negated", "unlock.guard.negated"} <= set(names), names
        for mutant in ("unlock.update.locked.negated", "pass.value.state.is_open.negated"):
            said = json.loads(run("test", DOOR, "--goal", "all-transitions", "--mutant", mutant, "--json", code=1))
            assert said["sheets"]["tests"]["rows"][0]["verdict"] == "fail", mutant
    print(f"{len(distance)} states, {len(first)} transitions")


if __name__ == "__main__":
    main()
