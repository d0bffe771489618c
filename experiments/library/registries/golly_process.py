# SPDX-License-Identifier: MIT
"""Cellular automata (bgolly of Debian 12, unchanged): all of its algorithms that know a rule go on side by side, while cells are
set and cleared, beside a plain program of that rule."""
import itertools
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "processes"))
import corridor_process as corridor

VERSION, PROMPT = "3.3", b"bgolly> "
NEWER = pathlib.Path("build/registries/golly/bgolly")
# By name: range, neighbourhood (Moore, von Neumann, hexagonal), counts to survive, counts to be born, states.
RULES = {"life": (1, "M", {2, 3}, {3}, 2), "highlife": (1, "M", {2, 3}, {3, 6}, 2), "longlife": (1, "M", {5}, {3, 4, 5}, 2),
         "neumann": (1, "N", {1, 2}, {1, 3}, 2), "hexagons": (1, "H", {3}, {2, 4, 5}, 2), "frogs": (1, "M", {1, 2}, {3, 4}, 3),
         "brain": (1, "M", set(), {2}, 3), "slow_life": (1, "M", {2, 3}, {3}, 4), "larger": (2, "M", {5, 6, 7, 8}, {6, 7}, 2),
         "larger_neumann": (2, "N", {3, 4, 5}, {3, 4}, 3)}
GRIDS = {"plane": None, "torus": ("T", 12, 9), "wide_torus": ("T", 70, 32), "bounded_plane": ("P", 21, 30)}
PATTERNS = {"block": "oo/oo", "glider": ".o./..o/ooo", "other_glider": "ooo/o../.o.", "dots": "o.o.oo/.ooo.o/o.o..o/.oo.o."}
PLACES = {"here": (-3, -2), "there": (4, 3), "left": (-35, 2)}
STEPS = {"one": 1, "seven": 7, "thirty": 30, "a_million": 2**20, "a_trillion": 2**40}
NAIVE, MOST = 60, 400  # generations and cells that the plain program does
PERIOD, NEAR = 12, 500  # of what repeats itself; how far cells are looked at


def version(path):
    """What a program says of itself, if it is there."""
    said = subprocess.run([path, "--exec", "/dev/null"], capture_output=True, text=True, check=False).stdout.split() if path else []
    return said[3] if said[2:3] == ["bgolly"] else None


def digits(counts):
    return "".join(map(str, sorted(counts)))


def names(rule):
    """What a rule is called in each algorithm that knows it."""
    reach, kind, survive, born, states = RULES[rule]
    suffix, called = {"M": "", "N": "V", "H": "H"}[kind], {}
    if reach == 1:
        if states == 2:
            called["QuickLife"] = called["HashLife"] = f"B{digits(born)}/S{digits(survive)}{suffix}"
        called["Generations"] = f"{digits(survive)}/{digits(born)}/{states}{suffix}"
    if kind != "H" and all(counts == set(range(min(counts), max(counts) + 1)) for counts in (survive, born) if counts) and survive:
        called["Larger than Life"] = f"R{reach},C{states},M0,S{min(survive)}..{max(survive)},B{min(born)}..{max(born)},N{kind}"
    return called


def neighbours(rule):
    reach, kind = RULES[rule][:2]
    every = [step for step in itertools.product(range(-reach, reach + 1), repeat=2) if any(step)]
    return {"M": every, "N": [(x, y) for x, y in every if abs(x) + abs(y) <= reach], "H": [(x, y) for x, y in every if x + y]}[kind]


class Truth:
    """Cells that are not dead, by place, and what the rule makes of them."""

    def __init__(self, rule, grid):
        self.rule, self.near, self.grid, self.cells = RULES[rule], neighbours(rule), GRIDS[grid], {}

    def put(self, x, y):
        """The place on the grid, None: it is not on it."""
        if not self.grid:
            return x, y
        kind, width, height = self.grid
        column, row = x + width // 2, y + height // 2
        if kind == "P" and not (0 <= column < width and 0 <= row < height):
            return None
        return column % width - width // 2, row % height - height // 2

    def next(self, cells):
        """A generation later."""
        _, _, survive, born, states = self.rule
        counts = dict.fromkeys((place for place, state in cells.items() if state == 1), 0)
        for (x, y), state in cells.items():
            if state == 1:
                for dx, dy in self.near:
                    place = self.put(x - dx, y - dy)
                    counts[place] = counts.get(place, 0) + 1
        after = {place: state + 1 for place, state in cells.items() if state > 1 and state + 1 < states}
        for place, count in counts.items():
            was = cells.get(place, 0)
            if place and was <= 1 and count in (survive if was else born):
                after[place] = 1
            elif was == 1 and states > 2:
                after[place] = 2
        return after

    def after(self, generations):
        """So many generations later; None: the plain program does not know."""
        cells = self.cells
        for _ in range(min(generations, NAIVE)):
            cells = self.next(cells)
            if len(cells) > MOST:
                return None
        left = generations - NAIVE
        return cells if left <= 0 else self.repeated(cells, left)

    def repeated(self, cells, generations):
        """What becomes of things that repeat themselves, moved or not, and never meet."""
        if self.grid:
            return None
        things, jumps = [], generations // PERIOD
        for thing in clusters(cells, 2 * self.rule[0]):
            later = thing
            for _ in range(PERIOD):
                later = self.next(later)
            if not later:
                return None
            move = tuple(min(place[axis] for place in later) - min(place[axis] for place in thing) for axis in (0, 1))
            if later != moved(thing, move, 1):
                return None
            things.append((thing, move))
        if not all(apart(one, other) for one, other in itertools.combinations(things, 2)):
            return None
        cells = {place: state for thing, move in things for place, state in moved(thing, move, jumps).items()}
        for _ in range(generations % PERIOD):
            cells = self.next(cells)
        return cells


def moved(cells, move, times):
    return {(x + move[0] * times, y + move[1] * times): state for (x, y), state in cells.items()}


def clusters(cells, reach):
    """What hangs together."""
    left = set(cells)
    while left:
        thing, edge = set(), [left.pop()]
        while edge:
            x, y = edge.pop()
            thing.add((x, y))
            near = {(x + dx, y + dy) for dx in range(-reach, reach + 1) for dy in range(-reach, reach + 1)} & left
            left -= near
            edge += near
        yield {place: cells[place] for place in thing}


def apart(one, other):
    """Two things never meet: along an axis they are far from each other, and come no nearer."""
    (a, move_a), (b, move_b) = one, other
    for axis in (0, 1):
        for (low, move_low), (high, move_high) in (((a, move_a), (b, move_b)), ((b, move_b), (a, move_a))):
            gap = min(place[axis] for place in high) - max(place[axis] for place in low)
            if gap > 4 * PERIOD and move_high[axis] >= move_low[axis]:
                return True
    return False


class Universe:
    """A bgolly that reads commands."""

    def __init__(self, path, algorithm, rule):
        self.algorithm, self.rests = algorithm, False
        pattern, end = os.pipe()
        os.write(end, f"x = 0, y = 0, rule = {rule}\n!\n".encode())
        os.close(end)
        words = [path, "-a", algorithm, "--exec", "-", f"/proc/self/fd/{pattern}"]
        self.child = subprocess.Popen(words, pass_fds=[pattern], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        os.close(pattern)
        self.hear(1)

    def hear(self, prompts):
        said = b""
        while said.count(PROMPT) < prompts:
            more = os.read(self.child.stdout.fileno(), 1 << 16)
            if not more:
                raise EOFError(f"{self.algorithm} of bgolly has ended")
            said += more
        return said.replace(PROMPT, b"").decode().splitlines()

    def ask(self, *commands):
        """What is answered to commands."""
        os.write(self.child.stdin.fileno(), "".join(f"{command}\n" for command in commands).encode())
        return self.hear(len(commands))

    def seen(self, window):
        """Places of cells in a window."""
        left, top, _, _ = window
        _, *rows = self.ask("copy {} {} {} {}".format(*window), "showcut")
        return {(int(x) + left, int(y) + top) for x, y in (row.split() for row in rows)}

    def edges(self):
        """The least column and row with a cell, and the greatest."""
        low, high = (words.replace(",", "").split() for words in self.ask("edges")[0].removeprefix("Bounding box ").split(" .. "))
        return tuple(map(int, low + high))

    def number(self):
        """How many cells there are."""
        return int(self.ask("show")[0].split(": ")[1].replace(",", ""))

    def end(self):
        self.child.kill()
        self.child.wait()
        self.child.stdin.close()
        self.child.stdout.close()


PROGRAM = shutil.which("bgolly", path="/usr/bin")


class Automata(corridor.Process):
    name = "golly"
    version = VERSION
    meaning = "cells live and die by a rule, in several algorithms side by side"
    attributes = {"cells": int, "algorithms": int, "wrong": int, "disturbed": int, "differ": int, "late": int}
    inputs = {**{f"rule_{rule}": "all begins anew, with this rule and no cell" for rule in RULES},
              **{f"on_{grid}": "all begins anew, on this grid and with no cell" for grid in GRIDS},
              **{f"puts_{name}_{place}": {"meaning": "its cells are set", "weight": 4} for name in PATTERNS for place in PLACES},
              "clears_here": "a cell is cleared",
              **{f"goes_on_{steps}": {"meaning": "generations", "weight": 20} for steps in STEPS}}
    faults = {"newer": "no fault but a mend: a newer bgolly, built into build/registries/golly",
              "asked": "no fault: each algorithm is asked how many cells there are, after each input"}
    universes = ()

    def start(self, stored):
        self.rule, self.grid = "life", "plane"
        self.begin()

    def begin(self):
        for universe in self.universes:
            universe.end()
        self.truth = Truth(self.rule, self.grid)
        suffix = ":{}{},{}".format(*self.truth.grid) if self.truth.grid else ""
        path = NEWER if self.fault == "newer" else PROGRAM
        Automata.universes = [Universe(path, algorithm, rule + suffix) for algorithm, rule in names(self.rule).items()]
        self.wrong = self.disturbed = self.differ = self.late = 0

    def input(self, which, data):
        verb, name = which.split("_", 1)
        if verb in ("rule", "on"):
            setattr(self, "rule" if verb == "rule" else "grid", name)
            self.begin()
        elif verb == "goes":
            self.go(STEPS[name.removeprefix("on_")])
        elif verb == "clears":
            self.edit({PLACES[name]}, 0)
        else:
            pattern, place = next((pattern, place) for pattern in PATTERNS for place in PLACES if name == f"{pattern}_{place}")
            x, y = PLACES[place]
            rows = enumerate(PATTERNS[pattern].split("/"), y)
            self.edit({(column, row) for row, cells in rows for column, cell in enumerate(cells, x) if cell == "o"}, 1)

    def edit(self, places, state):
        places = {place for place in places if self.truth.put(*place) == place}
        kept = {place: was for place, was in self.truth.cells.items() if place not in places}
        self.truth.cells = kept | dict.fromkeys(places if state else (), 1)
        for universe in self.universes:
            universe.ask(*[f"{'set' if state else 'unset'} {x} {y}" for x, y in sorted(places)])
        self.disturbed, self.differ, self.late = self.look(True)

    def go(self, generations):
        later = self.truth.after(generations) if generations <= NAIVE or not self.truth.grid else None
        if later is None:
            return
        self.truth.cells = later
        for universe in self.universes:
            if generations > 1000 and universe.algorithm in ("QuickLife", "Larger than Life"):
                universe.rests = True  # it would take too long
            if not universe.rests:
                universe.ask(*(["step 1"] * generations if self.truth.grid else [f"step {generations}"]))
        self.wrong, self.differ, self.late = self.look(False)

    def look(self, edited):
        """How many cells are not as they must be, how many algorithms differ from the first, and how many tell old numbers."""
        cells = self.truth.cells
        columns, rows = zip(*cells) if cells else ((1, 0), (1, 0))
        box = (min(columns), min(rows), max(columns), max(rows)) if cells else (1, 1, 0, 0)
        window = [min(max(edge, -NEAR), NEAR) + margin for edge, margin in zip(box, (-9, -9, 9, 9))]
        here = {(x, y) for x, y in cells if window[0] <= x <= window[2] and window[1] <= y <= window[3]}
        wrong, late, said = 0, 0, set()
        for universe in self.universes:
            if not universe.rests:
                there, edges = universe.seen(window), box
                if not edited or universe.algorithm != "QuickLife":  # which keeps its old edges when it was asked before
                    edges = universe.edges()
                said.add((frozenset(there), edges))
                wrong += len(there ^ here) + sum(a != b for a, b in zip(edges, box))
                late += self.fault == "asked" and universe.number() != len(cells)
        return wrong, max(0, len(said) - 1), late

    def observe(self):
        return {"cells": len(self.truth.cells), "algorithms": sum(not universe.rests for universe in self.universes),
                "wrong": self.wrong, "disturbed": self.disturbed, "differ": self.differ, "late": self.late}


there = version(PROGRAM)
if there != VERSION:
    sys.exit(f"bgolly {there} is installed, and {VERSION} is what is tested here: golly of Debian 12" if there else
             "bgolly is not there: make subjects, or golly of Debian 12")
if __name__ == "__main__":
    corridor.run(Automata)
