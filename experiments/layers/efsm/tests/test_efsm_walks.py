#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn machines, most of them one-way: walks over all transitions, with resets and without, on line with a defect in one transition, against a
solver that goes through every place with every set of covered transitions.

usage: test_efsm_walks.py CORRIDOR [MACHINES [SEED]]
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

CORRIDOR = sys.argv[1]
MACHINES = int(sys.argv[2]) if len(sys.argv) > 2 else 10
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def machine(rng):
    """A deterministic machine, whose answers tell transitions apart; locations behind one another, few ways back."""
    places, labels = rng.randrange(2, 6), 3
    back = rng.choice([0, 0.2, 1])
    taken, transitions = set(), []
    for _ in range(rng.randrange(4, 10)):
        source, target, label = rng.randrange(places), rng.randrange(places), rng.randrange(labels)
        if (source, label) in taken or (target < source and rng.random() >= back):
            continue
        taken.add((source, label))
        transitions.append({"id": f"t{len(transitions)}", "src": f"s{source}", "dst": f"s{target}", "input": f"i{label}", "guard": "true", "update": {},
                            "outputs": [{"label": f"o{len(transitions)}", "args": []}]})
    names = [f"t{i}" for i in range(len(transitions))]
    return {"format": "efsm-json/1", "name": "drawn", "vars": [], "locations": [f"s{i}" for i in range(places)], "initial": "s0",
            "inputs": [{"label": f"i{i}", "params": []} for i in range(labels)], "outputs": [{"label": f"o{n[1:]}", "params": []} for n in names],
            "transitions": transitions,
            "goals": [{"name": "some", "traps": [{"id": n, "transition": n} for n in rng.sample(names, rng.randrange(1, len(names) + 1))]}] if names else []}


class Solver:
    """Breadth first over (place, covered, resets used)."""

    def __init__(self, model, wanted, resets):
        self.wanted = wanted
        self.arcs = [(int(t["src"][1:]), int(t["dst"][1:])) for t in model["transitions"]]
        self.depth = {(0, 0, 0): 0}
        queue = [(0, 0, 0)]
        for place, covered, used in queue:
            found = [(d, covered | (1 << n if n in wanted else 0), used) for n, (s, d) in enumerate(self.arcs) if s == place]
            if used < resets:
                found.append((0, covered, used + 1))
            for node in found:
                if node not in self.depth:
                    self.depth[node] = self.depth[(place, covered, used)] + 1
                    queue.append(node)
        self.most = max(bin(c).count("1") for _, c, _ in self.depth)
        self.full = sum(1 << n for n in wanted)
        self.least = min((d for (_, c, _), d in self.depth.items() if c == self.full), default=None)
        self.reachable = {n for n in wanted if any(c >> n & 1 for _, c, _ in self.depth)}


def asked(*words):
    done = subprocess.run([CORRIDOR, "efsm", *words, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1, 7):
        sys.exit(f"{words} {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), done.returncode


def covered_by(model, plan):
    """Which transitions the path takes, which has to be one of the machine."""
    place, covered, resets = "s0", set(), 0
    for row in plan["path"]:
        if row["input"] == "reset":
            place, resets = "s0", resets + 1
            continue
        number = int(row["transition"][1:])
        t = model["transitions"][number]
        if t["src"] != place or t["input"] != row["input"].removesuffix("()"):
            sys.exit(f"no way of the machine: {row}")
        place = t["dst"]
        covered.add(number)
    if plan["length"] is not None and plan["length"] != len(plan["path"]) or plan["resets"] != resets:
        sys.exit(f"{plan['length']} moves, {plan['resets']} resets, not {len(plan['path'])}, {resets}")
    return covered


def check_plan(where, path, model, goal, solver, resets, more, counts):
    """`more`: a budget that leaves room for the places alone, or none."""
    plan, code = asked("plan", str(path), "--goal", goal, "--resets", str(resets), *more)
    covered, length, bound = covered_by(model, plan) & solver.wanted, plan["length"], plan["bound"]
    counted = resets > 0 and more  # copies of places by resets may be more than the budget
    if len(covered) > solver.most or (len(covered) < solver.most and not counted):
        sys.exit(f"{where} {more}: covers {len(covered)}, not {solver.most}")
    if length is not None and (solver.least is None or length < solver.least) or (length is None and solver.least is not None and not counted):
        sys.exit(f"{where} {more}: {length}, not {solver.least}")
    if bound is not None and solver.least is not None and bound > solver.least:
        sys.exit(f"{where} {more}: a bound of {bound}, but {solver.least} is least")
    if plan["proven"] and length != solver.least or (code == 0) != bool(plan["proven"] or length is not None):
        sys.exit(f"{where} {more}: proven {length}, not {solver.least}, exit code {code}")
    if length is not None and not plan["proven"] and bound is None:
        sys.exit(f"{where} {more}: no bound")
    if length is not None and more:
        counts["walks"] += 1
        counts["longer than the least"] += length - solver.least
        counts["bound below the least"] += solver.least - bound
        counts["proven by the bound"] += plan["proof"] == "bound"
    counts["plans"] += 1


def check_tests(where, path, model, solver, counts, rng):
    """A transition whose answer is another: found where it can be met, and no sound system is accused. With a reset for each transition all that
    can be met is met, by planner `paper`, too."""
    resets = len(model["transitions"]) + 1
    for planner in ("search", "paper"):
        tests, code = asked("test", str(path), "--goal", "all-transitions", "--planner", planner, "--resets", str(resets))
        row = tests["sheets"]["tests"]["rows"][0]
        complete = len(solver.reachable) == len(solver.arcs)
        if row["covered"] != len(solver.reachable) or (row["verdict"] == "pass") != complete or (code == 0) != complete:
            sys.exit(f"{where} {planner}: covers {row}, exit code {code}, not {len(solver.reachable)}")
    broken = rng.randrange(len(model["transitions"]))
    for planner in ("search", "paper"):
        _, code = asked("test", str(path), "--goal", "all-transitions", "--planner", planner, "--resets", str(resets), "--mutant",
                        f"t{broken}.output.o{broken}.dropped")
        if (code == 1) != (broken in solver.reachable):
            sys.exit(f"{where} {planner}: t{broken} answers nothing, reachable {broken in solver.reachable}, exit code {code}")
        counts["defects"] += code == 1


COUNTS = dict.fromkeys(("plans", "walks", "longer than the least", "bound below the least", "proven by the bound", "defects"), 0)
with tempfile.TemporaryDirectory() as FOLDER:
    PATH = pathlib.Path(FOLDER) / "machine.json"
    for number in range(MACHINES):
        RNG = random.Random(SEED * 1000003 + number)
        MODEL = machine(RNG)
        if not MODEL["transitions"]:
            continue
        PATH.write_text(json.dumps(MODEL))
        ALL = set(range(len(MODEL["transitions"])))
        for again in (0, 1, 20):
            for goal, wanted in (("all-transitions", ALL), ("some", {int(t["id"][1:]) for t in MODEL["goals"][0]["traps"]})):
                SOLVER = Solver(MODEL, wanted, again if again < 20 else len(ALL))
                for budget in ((), ("--states", str(len(MODEL["locations"]) + 1))):
                    check_plan(f"machine {number}, {again} resets, {goal}", PATH, MODEL, goal, SOLVER, again, budget, COUNTS)
        SOLVER = Solver(MODEL, ALL, len(ALL))
        check_tests(f"machine {number}", PATH, MODEL, SOLVER, COUNTS, RNG)
print(f"{MACHINES} machines:", ", ".join(f"{word} {count}" for word, count in COUNTS.items()))
