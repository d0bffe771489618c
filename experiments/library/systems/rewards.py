#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""rewards.py CORRIDOR FOLDER [LEVELS SEEDS]: what each reward of a policy that learns does, as docs/look-up/system.md says it. First, a free grid of
10x10 cells: how many of SEEDS trained tables go the shortest way after so many runs. Then LEVELS levels of 10x10 cells with a quarter of walls
that no table was trained on: cycles to the other corner, cut at 2,000, mean over levels with 95 % intervals by t over them."""
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys

CORRIDOR, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
LEVELS, SEEDS = (int(n) for n in sys.argv[3:5]) if len(sys.argv) > 3 else (20, 20)
SIDE, CYCLES, LESSONS = 10, 2000, 300
AT_KEY = "t.x = key.x and t.y = key.y"
REWARDS = {"solved": "solved", "new state": "new state", "condition": AT_KEY}
MOVES = {"any_of": [f"move({to})" for to in ("east", "south", "west", "north")]}
T_95 = {2: 12.706, 3: 4.303, 20: 2.093, 30: 2.045}  # by the number of levels


def free_steps(level, cell):
    for by in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        to = cell[0] + by[0], cell[1] + by[1]
        if all(0 <= n < SIDE for n in to) and to not in level:
            yield to


def shortest(level):
    """Moves from corner to corner past the walls, by breadth-first search; None: there is no way."""
    seen, edge, moves = {(0, 0)}, [(0, 0)], 0
    while edge and (SIDE - 1, SIDE - 1) not in seen:
        edge = list({to for cell in edge for to in free_steps(level, cell)} - seen)
        seen.update(edge)
        moves += 1
    return moves if edge else None


def draw(chance):
    while True:
        level = {(x, y) for x in range(SIDE) for y in range(SIDE) if chance.random() < 0.25} - {(0, 0), (SIDE - 1, SIDE - 1)}
        if shortest(level):
            return level


def text_of(level):
    cell = lambda x, y: "w" if (x, y) in level else "f:a^t" if (x, y) == (0, 0) else "f:g^key" if (x, y) == (SIDE - 1, SIDE - 1) else "f"
    return "|" + "\n".join(",".join(cell(x, y) for x in range(SIDE)) for y in range(SIDE)) + "\n"


def experiment(level, seed, runs=1, cycles=CYCLES, **more):
    test = {"name": "way", "cycles": cycles, "agents": [{"name": "t", "goal": {"goal": AT_KEY, "tactic": MOVES}, **more.pop("agent", {})}]}
    return {"system": {"rooms": text_of(level)}, "seed": seed, "runs": runs, "tests": [test], **more}


def corridor(name, what, *words):
    (FOLDER / name).write_text(json.dumps(what))
    return json.loads(subprocess.run([CORRIDOR, "system", words[0], name, *words[1:], "--json"], cwd=FOLDER, stdout=subprocess.PIPE).stdout)


def learner(reward, **more):
    return {"q": {"rate": 0.5, "explore": 0.2, **({} if "table" in more else {"by": ["t"]}), "reward": reward, **more}}


def interval(values):
    half = T_95[len(values)] * statistics.stdev(values) / math.sqrt(len(values))
    return f"{statistics.mean(values):6.0f} [{statistics.mean(values) - half:.0f}, {statistics.mean(values) + half:.0f}]"


def grid():
    print(f"free grid: of {SEEDS} tables those that go the shortest way, {2 * SIDE - 2} moves, after so many lessons")
    for name, reward in REWARDS.items():
        line = []
        for lessons in (10, 30, 100, 300, 1500):
            shortest_ways = 0
            for seed in range(SEEDS):
                corridor("grid.json", experiment(set(), seed, agent={"policy": learner(reward)}), "train", "--runs", str(lessons), "-o", "grid_q.json", "--force")
                tests = corridor("gone.json", experiment(set(), seed, agent={"policy": "grid_q.json"}), "test")["tests"]
                shortest_ways += tests[0]["cycles"] == 2 * SIDE - 2 and tests[0]["verdict"] == "pass"
            line.append(f"{lessons}: {shortest_ways}")
        print(f"  {name:12}", "  ".join(line), flush=True)


def train(levels, reward, path):
    """One table after another, a level each."""
    for index, level in enumerate(levels):
        more = {"table": path} if index > 0 else {}
        corridor("lesson.json", experiment(level, 1000 + index, agent={"policy": learner(reward, **more)}), "train", "--runs", str(LESSONS), "-o", path, "--force")


def unseen():
    chance = random.Random(32)
    lessons, levels = [draw(chance) for _ in range(LEVELS)], [draw(chance) for _ in range(LEVELS)]
    arms = {"at random": "random", "least_done": {"least_done": {"by": ["t"]}}}
    for name, reward in REWARDS.items():
        arms[f"learns in the run, {name}"] = learner(reward, explore=0.1)
    for number, (name, reward) in enumerate(REWARDS.items()):
        path = f"table_{number}.json"
        train(lessons, reward, path)
        arms[f"table, {name}"] = path
        arms[f"table, goes on learning, {name}"] = learner(reward, table=path, explore=0.1)
    print(f"{LEVELS} levels not trained on, {SEEDS} runs each; shortest ways: {statistics.mean(map(shortest, levels)):.1f} moves on average")
    of_arm = {name: [] for name in arms}
    for index, level in enumerate(levels):
        what = experiment(level, index, runs=SEEDS, arms=[{"name": name, "policy": policy} for name, policy in arms.items()])
        for test in corridor("unseen.json", what, "test")["tests"]:
            of_arm[test["arm"]].append((index, test["cycles"], test["verdict"] == "pass"))
    for name, found in of_arm.items():
        means = [statistics.mean(cycles for i, cycles, _ in found if i == index) for index in range(LEVELS)]
        print(f"  {name:36} {interval(means):22} did not arrive: {sum(not ok for _, _, ok in found)} of {len(found)}", flush=True)


if LEVELS not in T_95:
    sys.exit(f"rewards.py: LEVELS is {LEVELS}, expected one of {', '.join(map(str, T_95))}")
FOLDER.mkdir(parents=True, exist_ok=True)
grid()
unseen()
