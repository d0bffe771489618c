#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The claim of paper 001, measured: one abstract test of ten buttons (ten_buttons.json) on layouts that nobody wrote it for, and on all mutants of its
level, beside a recording of what it did once. Says in one screen what was found. All files stay in FOLDER: levels, tests, results.

usage: ten_buttons.py CORRIDOR FOLDER [VARIANTS]"""
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def read_level(path):
    """Links, and cells by place: "w", "f", "f:b^b1"."""
    lines = path.read_text().split()
    first = next(i for i, line in enumerate(lines) if line[0] == "|")
    rows = [line.lstrip("|").split(",") for line in lines[first:]]
    return lines[:first], {(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}


def rooms_of(cells):
    """What stands in each room, rooms in the order of their upper left corners; and the two rooms of each door."""
    room, things = {}, []
    for start in sorted(cells, key=lambda at: (at[1], at[0])):
        if start in room or cells[start] == "w" or cells[start].startswith("f:d"):
            continue
        things.append([])
        todo, room[start] = [start], len(things) - 1
        while todo:
            x, y = todo.pop()
            if cells[x, y] != "f":
                things[-1].append(cells[x, y])
            for dx, dy in STEPS:
                to = (x + dx, y + dy)
                if cells.get(to, "w") != "w" and not cells[to].startswith("f:d") and to not in room:
                    room[to] = len(things) - 1
                    todo.append(to)
    doors = {cell.split("^")[1]: tuple(sorted({room[x + dx, y + dy] for dx, dy in STEPS if (x + dx, y + dy) in room}))
             for (x, y), cell in cells.items() if cell.startswith("f:d")}
    return things, doors


def places_of(draw, count, doors):
    """A place in a grid for each room, such that rooms with a door between them lie side by side; other neighbours have a wall."""
    beside = {r: [b if a == r else a for a, b in doors.values() if r in (a, b)] for r in range(count)}
    while True:
        place, todo = {0: (0, 0)}, [0]
        while todo:
            here = todo.pop()
            for other in sorted(beside[here]):
                free = [(place[here][0] + dx, place[here][1] + dy) for dx, dy in STEPS]
                free = [to for to in free if to not in place.values()]
                if other not in place and free:
                    place[other] = draw.choice(free)
                    todo.append(other)
        if len(place) == count:
            left, top = (min(at[i] for at in place.values()) for i in range(2))
            return {r: (x - left, y - top) for r, (x, y) in place.items()}


def draw_level(path, seed):
    """A level with the same rooms, doors, links and things, all of them elsewhere."""
    links, cells = read_level(path)
    things, doors = rooms_of(cells)
    draw = random.Random(seed)
    place = places_of(draw, len(things), doors)
    sides = [[draw.randint(3, 7) for _ in range(1 + max(at[i] for at in place.values()))] for i in range(2)]
    starts = [[1 + sum(side[:i]) + i for i in range(len(side) + 1)] for side in sides]
    made = {}
    for r, (column, row) in place.items():
        x0, y0 = starts[0][column], starts[1][row]
        free = [(x, y) for x in range(x0, x0 + sides[0][column]) for y in range(y0, y0 + sides[1][row])]
        made.update({at: "f" for at in free})
        for thing, at in zip(things[r], draw.sample(free, len(things[r]))):
            made[at] = thing
    for name, (a, b) in doors.items():
        a, b = sorted((a, b), key=lambda r: place[r])
        (x, y), is_beside = place[b], place[a][1] == place[b][1]
        along = draw.randrange(sides[is_beside][y if is_beside else x])
        at = (starts[0][x] - 1, starts[1][y] + along) if is_beside else (starts[0][x] + along, starts[1][y] - 1)
        made[at] = f"f:d>{'e' if is_beside else 's'}^{name}"
    rows = [[made.get((x, y), "w") for x in range(starts[0][-1])] for y in range(starts[1][-1])]
    return "\n".join(links) + "\n|" + "\n".join(",".join(row) for row in rows) + "\n"


def command_text(command):
    return f"{command['do']}({command.get('to') or command.get('on')})"


def recording_of(actions):
    """What a recorder keeps: each command, and of a press that the button changed; in the end that the key is there."""
    goals = []
    for action in actions:
        if action["do"] not in ("move", "press"):
            continue
        goal = {"do": command_text(action)}
        if action["do"] == "press":
            goal["assert"] = f"{action['on']}.on != {action['on']}.on@before"
        goals.append(goal)
    return {"name": "recording", "cycles": 1000, "agents": [{"name": "t1", "goal": {"seq": [*goals, {"assert": "distance(t1, key) = 0"}]}}]}


class Demo:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.file = json.loads((HERE / "ten_buttons.json").read_text())
        self.level = HERE / self.file["system"]["rooms"]
        self.names = [test["name"] for test in self.file["tests"]] + ["recording"]

    def corridor(self, *words, codes=(0,)):
        done = subprocess.run([self.binary, *map(str, words)], capture_output=True, text=True)
        if done.returncode not in codes:
            sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
        return done

    def write(self, name, level, **more):
        path = self.folder / name
        path.write_text(json.dumps({**self.file, "system": {**self.file["system"], "rooms": str(level)}, **more}, indent=1))
        return path

    def test(self, path, *options):
        return json.loads(self.corridor("system", "test", path, "--json", *options, codes=(0, 1, 7)).stdout)["tests"]

    def model(self, file, name, *options):
        path = self.folder / f"{name}.efsm.json"
        self.corridor("system", "model", file, "-o", path, "--force", *options)
        return path

    def is_equal(self, model):
        """Proven in both directions."""
        done = self.corridor("efsm", "compare", self.origin, model, "--csv", codes=(0, 1, 7))
        if done.returncode == 7:
            sys.exit(f"{model}: whether it is equivalent was not decided")
        return done.returncode == 0

    def record(self):
        """What the test agent did once; all further tests have that recording beside it."""
        path = self.write("origin.json", self.level)
        self.origin = self.model(path, "origin")
        goals, = [test for test in self.test(path) if test["name"] == "goals"]
        if goals["verdict"] != "pass":
            sys.exit(f"the test does not pass on the level itself: {goals['why']}")
        self.moves = len(goals["agents"][0]["actions"])
        self.file["tests"].append(recording_of(goals["agents"][0]["actions"]))
        return self.test(self.write("ten_buttons.json", self.level))

    def side_by_side(self, function, items):
        """What the function makes of each, in their order; most of the time the programs wait for files."""
        with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
            return list(pool.map(function, items))

    def variant(self, seed):
        level = self.folder / f"variant_{seed}.csv"
        level.write_text(draw_level(self.level, seed))
        path = self.write(f"variant_{seed}.json", level)
        if not self.is_equal(self.model(path, f"variant_{seed}")):
            sys.exit(f"{level}: the layout has another logic")
        return {test["name"]: test["verdict"] for test in self.test(path, "--jobs", 1)}

    def variants(self, count):
        """Verdicts of each test on each layout."""
        found = self.side_by_side(self.variant, range(1, count + 1))
        return {name: [one[name] for one in found] for name in self.names}

    def arm(self, item):
        number, mutant = item
        # Models leave hazards out: they prove nothing of one that moves.
        if not mutant.startswith("hazard") and self.is_equal(self.model(self.folder / "mutants.json", f"mutant_{number}", "--arm", mutant)):
            return {"name": mutant, "mutant": mutant, "equivalent": "its model answers as that of the level, in both directions"}
        return {"name": mutant, "mutant": mutant}

    def ablation(self):
        """How many mutants the goals kill, without and with goals that say what is out of reach, and laws."""
        mutants = self.corridor("system", "world", self.write("origin.json", self.level), "--mutants").stdout.splitlines()
        arms = [{"name": "none"}, *({"name": mutant, "mutant": mutant} for mutant in mutants)]
        killed = {}
        for name in ("goals alone", "with behind", "laws", "both"):
            goals, = [json.loads(json.dumps(test)) for test in self.file["tests"] if test["name"] == "goals"]
            agent, = goals["agents"]
            if name in ("goals alone", "laws"):
                agent["goal"]["seq"] = [goal for goal in agent["goal"]["seq"] if not goal.startswith("behind")]
            laws = {} if name in ("laws", "both") else {"always": {"alive": self.file["always"]["alive"]}, "formulas": {}}
            tests = self.test(self.write("ablation.json", self.level, tests=[goals], arms=arms, **laws))
            if tests[0]["verdict"] != "pass":
                sys.exit(f"{name}: the test does not pass on the level itself: {tests[0]['why']}")
            killed[name] = sum(test["verdict"] == "fail" for test in tests)
        return killed

    def mutants(self):
        """Arms with what is proven of them, and verdicts by test and arm; the result file stays."""
        mutants = self.corridor("system", "world", self.folder / "origin.json", "--mutants").stdout.splitlines()
        self.write("mutants.json", self.level, arms=[{"name": mutant, "mutant": mutant} for mutant in mutants])
        arms = [{"name": "none"}, *self.side_by_side(self.arm, enumerate(mutants, 1))]
        tests = self.test(self.write("mutants.json", self.level, arms=arms), "-o", self.folder / "mutants.h5", "--force")
        return arms[1:], {(test["name"], test["arm"]): test for test in tests}


def kind_of(mutant):
    words = mutant.split()
    return f"{words[0]} {'moved' if 'to' in words else words[-1]}"


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    demo = Demo(binary, folder)
    plain = demo.record()
    if any(test["verdict"] != "pass" for test in plain):
        sys.exit("a test does not pass on the level itself")
    print("Ten buttons, four doors, a key: one abstract test; its recorded moves\n")
    print(f"{count} other layouts, each proven to have the same logic (verdicts)")
    print(f"  {'':12}{'pass':>8}{'fail':>8}{'no verdict':>12}")
    for name, verdicts in demo.variants(count).items():
        passed, failed = verdicts.count("pass"), verdicts.count("fail")
        print(f"  {name:12}{passed:8}{failed:8}{len(verdicts) - passed - failed:12}")

    arms, found = demo.mutants()
    killed = {name: {arm["name"] for arm in arms if found[name, arm["name"]]["verdict"] == "fail"} for name in demo.names}
    kinds = list(dict.fromkeys(kind_of(arm["name"]) for arm in arms))
    print(f"\n{len(arms)} mutants of the level's logic (killed)")
    print(f"  {'':14}{'mutants':>8}" + "".join(f"{name:>12}" for name in demo.names))
    for kind in [*kinds, None]:
        names = {arm["name"] for arm in arms if kind in (None, kind_of(arm["name"]))}
        print(f"  {kind or 'all':14}{len(names):8}" + "".join(f"{len(killed[name] & names):12}" for name in demo.names))
    cycles = [[found[name, mutant]["cycles"] for mutant in killed[name]] for name in demo.names]
    print(f"  {'cycles to kill':14}{'':8}" + "".join(f"{sum(c) / max(len(c), 1):12.1f}" for c in cycles))
    proven = [arm["name"] for arm in arms if "equivalent" in arm]
    alive = [arm["name"] for arm in arms if not any(arm["name"] in names for names in killed.values())]
    undecided = [arm["name"] for arm in arms if found["goals", arm["name"]]["verdict"] not in ("pass", "fail")]
    print(f"  proven to answer alike in all that can be reached: {len(proven)}, of which {len(set(proven) - set(alive))} are killed")
    print(f"  killed by none: {len(alive)}, of which hazards: {sum(name.startswith('hazard') for name in alive)}")
    print("  killed by the goals, by what else the test says: " + ", ".join(f"{name} {count}" for name, count in demo.ablation().items()))
    if undecided:
        print(f"  no verdict of the goals: {len(undecided)}")
    print(f"\nThe test did {demo.moves} actions. All of it, as files: {os.path.relpath(folder)}")
    print(f"  kill matrix  {binary} show {os.path.relpath(folder)}/mutants.h5 goals")
    print(f"  heat map     {binary} show {os.path.relpath(folder)}/mutants.h5 places")


if __name__ == "__main__":
    main()
