#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models as other checkers read them: states and shortest tests as ours. UPPAAL's XML by a reader of its own, Promela by spin.

usage: test_export.py CORRIDOR MODELS SEED FOLDER [spin]
"""
import collections
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import test_brute_force as brute

CORRIDOR, MODELS, SEED, FOLDER = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4])
DOOR = pathlib.Path(__file__).parent / "invalid/door.json"
LIBRARY = {"inres_initiator": ("all-transitions", "t8", "t5", "T2-6"), "inres_hogrefe": ("t8",), "lossy_link": ("transition-pairs",),
           "escape": ("all-transitions",), "phone_call_time": ("guard-boundaries",), "shopping_cart": ("all-locations",),
           "button_doors_1": ("t_14",), "traffic_light": ("t_6",)}
ORDER = {"nta": "declaration template system queries", "template": "name location init transition", "location": "name",
         "transition": "source target label", "queries": "query", "query": "formula comment"}
SIGNS = [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"]]


def divided(a, b):
    """As C divides."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remains(a, b):
    return a - b * divided(a, b)


class Words:
    """An expression of C as one of Python."""

    def __init__(self, text):
        self.tokens = re.findall(r"\s*(\|\||&&|[<>=!]=|\w+|\S)", text) + [""]

    def take(self):
        return self.tokens.pop(0)

    def choice(self):
        condition = self.sides(0)
        if self.tokens[0] != "?":
            return condition
        self.take()
        one = self.choice()
        assert self.take() == ":"
        return f"({one} if {condition} else {self.choice()})"

    def sides(self, level):
        if level == len(SIGNS):
            return self.leaf()
        left = self.sides(level + 1)
        while self.tokens[0] in SIGNS[level]:
            sign = self.take()
            right = self.sides(level + 1)
            called = {"/": "divided", "%": "remains"}.get(sign)
            left = f"{called}({left}, {right})" if called else f"({left} {({'||': 'or', '&&': 'and'}).get(sign, sign)} {right})"
        return left

    def leaf(self):
        token = self.take()
        if token in "-!":
            return f"({'-' if token == '-' else 'not '}{self.leaf()})"
        if token == "(":
            inner = self.choice()
            assert self.take() == ")"
            return f"({inner})"
        if self.tokens[0] != "(":
            return {"true": "True", "false": "False"}.get(token, token)
        arguments = []
        while self.take() in "(,":
            arguments.append(self.choice())
        return f"{token}({', '.join(arguments)})"


class Promela(Words):
    """The file as far as spin's grammar of it goes: steps within if, do, atomic and d_step, and names that are declared. What a loop is
    left for must not be a d_step, into which spin lets nothing jump."""

    MACRO = re.compile(r"#define (\w+)\(.*\n")
    TYPES = ("bit", "bool", "byte", "short", "int")

    def __init__(self, text):
        self.known = {"true", "false", *self.MACRO.findall(text)}
        text = re.sub(r"/\*.*?\*/", " ", self.MACRO.sub("", text), flags=re.S)
        self.tokens = re.findall(r'"[^"\n]*"|\|\||&&|[<>=!]=|->|::|\+\+|\w+|[^\s"]', text) + [""]
        while self.tokens[0] in self.TYPES:
            self.declaration()
            self.need(";")
        self.need("active", "proctype", "system", "(", ")", "{")
        self.sequence("}")
        self.need("}", "")

    def need(self, *tokens):
        for token in tokens:
            assert self.take() == token, (token, self.tokens[:20])

    def leaf(self):
        token = self.tokens[0]
        assert not token[0].isalpha() or token in self.known, f"{token} is not declared"
        return super().leaf()

    def declaration(self):
        assert self.take() in self.TYPES
        self.known.add(self.take())
        if self.tokens[0] == "=":
            self.need("=")
            self.sides(0)

    def sequence(self, *ends):
        """Steps until one of these words, which stays."""
        before = None
        while self.tokens[0] not in ends:
            if self.tokens[0] == "end" and self.tokens[1] == ":":
                self.need("end", ":")
            kind = self.step()
            assert (before, kind) != ("do", "d_step"), "a loop is left into a d_step"
            before = kind
            if self.tokens[0] not in ends:
                assert self.take() in (";", "->"), self.tokens[:20]
        assert before, "no step"

    def step(self):
        kind = self.tokens[0]
        if kind in ("if", "do"):
            self.take()
            assert self.tokens[0] == "::"
            while self.tokens[0] == "::":
                self.take()
                self.sequence("::", "fi" if kind == "if" else "od")
            self.need("fi" if kind == "if" else "od")
        elif kind in ("atomic", "d_step"):
            self.need(kind, "{")
            self.sequence("}")
            self.need("}")
            if self.tokens[0] not in (";", "->", "::", "}", "od", "fi"):
                self.tokens.insert(0, ";")  # spin needs none behind a block
        elif kind in ("skip", "break", "else"):
            self.take()
        elif kind in ("assert", "printf"):
            self.need(kind, "(")
            if kind == "printf":
                assert self.take()[0] == '"'
            else:
                self.sides(0)
            while self.tokens[0] == ",":
                self.take()
                self.sides(0)
            self.need(")")
        elif kind in self.TYPES:
            self.declaration()
        else:
            self.sides(0)
            if self.tokens[0] in ("=", "++") and self.take() == "=":
                self.sides(0)
        return kind


def python(text):
    words = Words(text)
    made = words.choice()
    assert words.tokens == [""], (text, words.tokens)
    return made


class Uppaal:
    """The file as the reference says that UPPAAL reads it."""

    def __init__(self, text):
        root = xml.etree.ElementTree.fromstring(text)
        for element in root.iter():
            names = [child.tag for child in element]
            wanted = ORDER.get(element.tag, "").split()
            assert set(names) <= set(wanted) and names == sorted(names, key=wanted.index), (element.tag, names)
        self.globals, self.ranges, self.start, self.meta = {"divided": divided, "remains": remains}, {}, [], set()
        for line in root.findtext("declaration").splitlines():
            line = line.partition("//")[0].strip()
            function = re.fullmatch(r"number (\w+)\(number (\w+)(?:, number (\w+))?\) { return (.*); }", line)
            variable = re.fullmatch(r"(?:int\[(-?\d+),(\d+|-\d+)\]|bool) (\w+) = (-?\w+);", line)
            if function:
                name, *parameters, body = function.groups()
                exec(f"def {name}({', '.join(p for p in parameters if p)}): return {python(body)}", self.globals)
            elif variable:
                low, high, name, value = variable.groups()
                self.ranges[name] = (int(low), int(high)) if low else (False, True)
                self.start.append((name, json.loads(value)))
            elif line.startswith("meta"):
                self.meta.add(line.split()[-1][:-1])
            else:
                assert line.startswith("typedef int[-1073741823,1073741823] number;"), line
        self.edges = collections.defaultdict(list)
        for edge in root.iter("transition"):
            labels = {label.get("kind"): label.text for label in edge.iter("label")}
            chosen = [(n, range(int(a), int(b) + 1)) for n, a, b in re.findall(r"(\w+) : int\[(-?\d+),(-?\d+)\]", labels.get("select", ""))]
            steps = [s.split(" = ", 1) for s in labels.get("assignment", "").split(",\n") if s]
            self.edges[edge.find("source").get("ref")].append(
                (edge.find("target").get("ref"), chosen, compile(python(labels["guard"]), "guard", "eval"),
                 [(name, compile(python(value), name, "eval")) for name, value in steps]))
        formula = root.findtext("queries/query/formula")
        self.goal = compile(python(formula.removeprefix("E<> ")), "goal", "eval") if formula else None
        self.first = root.find("template/init").get("ref"), tuple(v for _, v in self.start)

    def search(self):
        """How many states there are, or how far the goal is."""
        names = [n for n, _ in self.start]
        depth, queue = {self.first: 0}, collections.deque([self.first])
        while queue:
            state = queue.popleft()
            here = dict(zip(names, state[1]))
            if self.goal and eval(self.goal, self.globals, here):
                return None, depth[state]
            for target, chosen, guard, steps in self.edges[state[0]]:
                for values in itertools.product(*(r for _, r in chosen)):
                    now = here | {n: v for (n, _), v in zip(chosen, values)}
                    if not eval(guard, self.globals, now):
                        continue
                    for name, value in steps:
                        now[name] = eval(value, self.globals, now)
                        assert name in self.meta or self.ranges[name][0] <= now[name] <= self.ranges[name][1], (name, now)
                    after = target, tuple(now[n] for n in names)
                    if after not in depth:
                        depth[after] = depth[state] + 1
                        queue.append(after)
        return len(depth), None


def run(*arguments, code=0):
    done = subprocess.run([CORRIDOR, "efsm", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code or code is None, (arguments, done.returncode, done.stdout[-300:], done.stderr)
    return done.stdout if code != 3 else done.stderr


def spin(text, folder, *options):
    """What pan says, and how many moves its trail has."""
    for name in ("m.pml.trail", "pan"):
        (folder / name).unlink(missing_ok=True)
    (folder / "m.pml").write_text(text)
    for words in (["spin", "-o2", "-a", "m.pml"], ["cc", "-w", "-DSAFETY", *options, "-o", "pan", "pan.c"]):
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0 and "rror" not in done.stdout, (words, done.stdout, done.stderr)
    said = subprocess.run(["./pan", "-m2000000"], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert "max search depth too small" not in said
    states = int(re.search(r"(\d+) states, stored", said)[1])
    if not (folder / "m.pml.trail").exists():
        assert re.search(r"errors: 0\n", said), said
        return states, None, said
    trail = subprocess.run(["spin", "-t", "m.pml"], cwd=folder, capture_output=True, text=True).stdout
    return states, len(re.findall(r"^ *move ", trail, re.M)), said


def visited(path):
    return json.loads(run("check", path, "--json", code=None))["sheets"]["visited"]["row"]["states"]


def planned(path, goal):
    """The length of a shortest plan; None if there is none."""
    said = json.loads(run("plan", path, "--goal", goal, "--resets", 0, "--json", code=None))
    assert said["proven"], (path, goal)
    return said["length"]


def check(path, goals, folder, by_spin):
    plain = run("show", path, "--promela" if by_spin else "--uppaal")
    states = spin(plain, folder)[0] if by_spin else Uppaal(plain).search()[0]
    assert states == visited(path), (path, states, visited(path))
    for goal in goals:
        text = run("show", path, "--promela" if by_spin else "--uppaal", "--goal", goal)
        found = spin(text, folder, "-DBFS")[1] if by_spin else Uppaal(text).search()[1]
        assert found == planned(path, goal), (path, goal, found, planned(path, goal), text)
    return states


def all_models_are_promela(by_spin):
    """Every model of the library, and of those with goals the first: parameters of more than 64 values are counted up to, by a loop."""
    loops = "active proctype system() { do :: atomic { %s d_step { skip } } od }"
    Promela(loops % "do :: break od; skip;")
    for wrong in (loops % "do :: break od;", loops % "x = 1;", loops % "if :: skip od;", "bit x = y; " + loops % "skip;"):
        try:
            Promela(wrong)
        except AssertionError:
            continue
        raise SystemExit(f"taken for Promela: {wrong}")
    models = [*sorted(FOLDER.glob("*.json")), DOOR]
    counted = 0
    with tempfile.TemporaryDirectory(prefix="corridor-promela-") as folder:
        for model in models:
            goals = json.loads(model.read_text()).get("goals", [])
            for goal in [()] + [("--goal", one["name"]) for one in goals[:1]]:
                text = run("show", model, "--promela", *goal)
                Promela(text)
                counted += " do :: " in text
                if by_spin:
                    pathlib.Path(folder, "m.pml").write_text(text)
                    done = subprocess.run(["spin", "-o2", "-a", "m.pml"], cwd=folder, capture_output=True, text=True)
                    assert done.returncode == 0 and "rror" not in done.stdout, (model, done.stdout, done.stderr)
    assert len(models) == 21 and counted >= 7, (len(models), counted)


def main():
    by_spin = sys.argv[5:] == ["spin"]
    covered = 0
    all_models_are_promela(by_spin)
    with tempfile.TemporaryDirectory(prefix="corridor-export-") as name:
        folder = pathlib.Path(name)
        path, count = folder / "model.json", 0
        for number in itertools.count():
            model = brute.made(random.Random(SEED * 1000003 + number))
            path.write_text(json.dumps(model))
            system = brute.System(model)
            if len(system.closure([system.start])) < 3:
                continue
            goals = ("order", "t0") if by_spin else ("order", "t0", "t1", "t2")
            check(path, goals, folder, by_spin)
            covered += sum(planned(path, goal) is not None for goal in goals)
            count += 1
            if count == MODELS:
                break
        assert covered > 0
        check(DOOR, ("transition-pairs", "opened_twice")[by_spin:], folder, by_spin)
        mixed = json.loads((FOLDER / "inres_initiator.json").read_text())  # traps that deny others, or have several cases over them
        mixed["goals"] = [{"name": "either", "traps": [{"id": "sent", "transition": "t5"}, {"id": "again", "transition": "t7", "constraint": "sent || counter == 1"},
                                                       {"id": "up", "transition": "t2", "constraint": "!again || counter > 3"}]},
                          {"name": "early", "traps": [{"id": "sent", "transition": "t5", "constraint": "!(late && number == 0)"}, {"id": "late", "transition": "t8"}]},
                          {"name": "both", "traps": [{"id": "up", "transition": "t2", "constraint": "!back"}, {"id": "back", "transition": "t12", "constraint": "!up"}]}]
        path.write_text(json.dumps(mixed))
        check(path, [goal["name"] for goal in mixed["goals"]], folder, by_spin)
        for model, goals in LIBRARY.items():
            check(FOLDER / f"{model}.json", goals[:1] if by_spin else goals, folder, by_spin)
        wide = {"format": "efsm-json/1", "name": "wide", "vars": [{"name": "x", "kind": "state", "lo": 0, "hi": 2000000000, "init": 0}],
                "locations": ["a"], "initial": "a", "inputs": [], "outputs": [], "transitions": []}
        path.write_text(json.dumps(wide | {"inputs": [{"label": "A", "params": []}], "transitions": [
            {"id": "t", "src": "a", "dst": "a", "input": "A", "guard": "true", "update": {}, "outputs": []}]}))
        said = run("show", path, "--promela", code=3)
        assert 'the domain of "x" leaves -1073741823 .. 1073741823' in said, said
        if by_spin:  # the row of the checker in table 1 of paper 004
            for model, goal, moves in (("counter3", "trap_t3", 11), ("inres_initiator", "t8", 8), ("inres_initiator", "t5", 6)):
                path = FOLDER / f"{model}.json"
                _, found, said = spin(run("show", path, "--promela", "--goal", goal), folder, "-DBFS", "-O2")
                assert found == moves
                print(f"{model} {goal}: {found} moves, {said.split('elapsed time ')[1].split()[0]} s")
            assert check(FOLDER / "counter3.json", (), folder, True) == 17579
    print(f"{MODELS} random models with {covered} goals in reach, {len(LIBRARY) + 1} others, by {'spin' if by_spin else 'a reader of the XML'}")


if __name__ == "__main__":
    main()
