#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random models with words, truth values and fixed-point numbers: against an interpreter that reckons with fractions and texts, and
against the same model written with whole numbers, by this file's own rules; states by spin, too.

usage: test_typed.py CORRIDOR MODELS SEED [spin]
"""
import collections
import fractions
import itertools
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

CORRIDOR, MODELS, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SPIN = sys.argv[4] if len(sys.argv) > 4 else None
F = fractions.Fraction
LISTS = (("idle", "busy", "down"), ("red", "green"), ("a b", "c", "d-e", "f"))


def decimal(value, places):
    """A fraction as people write it."""
    units = value * 10 ** places
    assert units.denominator == 1
    sign, whole, rest = "-" if units < 0 else "", *divmod(abs(int(units)), 10 ** places)
    return f"{sign}{whole}.{rest:0{places}}" if places else f"{sign}{whole}"


class Variable:
    """kind of type: a list of words, "boolean", or a number of decimals (0: integer)."""

    def __init__(self, dice, name, kind):
        self.name, self.kind = name, kind
        self.type = dice.choice((LISTS[0], LISTS[0], LISTS[1], LISTS[2], "boolean", 0, 1, 2, 2))
        if isinstance(self.type, int):
            low = dice.randint(-6, 4)
            count = dice.randint(1, 2) if kind == "param" else dice.randint(2, 12)
            self.values = [F(low + i, 10 ** self.type) for i in range(count + 1)]
        else:
            self.values = [False, True] if self.type == "boolean" else list(self.type)
        self.first = dice.choice(self.values)

    @property
    def places(self):
        return self.type if isinstance(self.type, int) else 0

    def number(self, value):
        """As whole numbers have it."""
        if isinstance(self.type, int):
            return int(value * 10 ** self.type)
        return self.values.index(value)

    def shown(self, value):
        return decimal(value, self.type) if isinstance(self.type, int) else {False: "false", True: "true"}.get(value, value)

    def literal(self, value):
        return f"'{value}'" if isinstance(self.type, tuple) else self.shown(value)

    def declared(self, plain):
        made = {"name": self.name, "kind": self.kind}
        if plain or isinstance(self.type, int):
            low, high = self.values[0], self.values[-1]
            made |= {"lo": self.number(low), "hi": self.number(high)} if plain else {"lo": low, "hi": high}
            if not plain and self.type:
                made["decimals"] = self.type
        else:
            made["type"] = self.type
        if self.kind == "state":
            made["init"] = self.number(self.first) if plain else self.first
        return {key: value if not isinstance(value, F) else int(value) if value.denominator == 1 else float(value) for key, value in made.items()}


class Term:
    """text of the typed model, text over whole numbers with so many places, and its value for an assignment."""

    def __init__(self, text, plain, places, value):
        self.text, self.plain, self.places, self.value = text, plain, places, value

    def at(self, places):
        return self.plain if places == self.places else f"({self.plain}) * {10 ** (places - self.places)}"


def number_term(dice, variables, depth, most):
    """Of at most so many places."""
    numbers = [v for v in variables if isinstance(v.type, int) and v.type <= most]
    kind = dice.randrange(8) if depth else dice.randrange(3)
    if kind < 2 and numbers:
        v = dice.choice(numbers)
        return Term(v.name, v.name, v.type, lambda s, n=v.name: s[n])
    if kind < 3:
        places = dice.randint(0, most)
        value = F(dice.randint(0, 12), 10 ** places)
        places = next(p for p in range(most + 1) if (value * 10 ** p).denominator == 1)
        return Term(decimal(value, places), str(int(value * 10 ** places)), places, lambda s, value=value: value)
    left = number_term(dice, variables, depth - 1, most)
    if kind == 3 and left.places:  # rounded down, to the places of the left side; between integers that is done by all
        by = dice.choice((F(2), F(3), F(5, 2), F(3, 10)))
        places = 0 if by.denominator == 1 else 1
        unit = F(1, 10 ** left.places)
        return Term(f"({left.text}) / {decimal(by, places)}", f"(({left.at(left.places + places)}) / {int(by * 10 ** places)})", left.places,
                    lambda s: left.value(s) / by // unit * unit)
    if kind == 4 and left.places < most:
        right = number_term(dice, variables, depth - 1, most - left.places)
        return Term(f"({left.text}) * ({right.text})", f"({left.plain}) * ({right.plain})", left.places + right.places,
                    lambda s: left.value(s) * right.value(s))
    right = number_term(dice, variables, depth - 1, most)
    places = max(left.places, right.places)
    if kind == 5:
        word, function = dice.choice((("min", min), ("max", max)))
        return Term(f"{word}({left.text}, {right.text})", f"{word}({left.at(places)}, {right.at(places)})", places,
                    lambda s: function(left.value(s), right.value(s)))
    if kind == 6:
        return Term(f"abs({left.text} - ({right.text}))", f"abs({left.at(places)} - ({right.at(places)}))", places,
                    lambda s: abs(left.value(s) - right.value(s)))
    sign = dice.choice("+-")
    return Term(f"{left.text} {sign} ({right.text})", f"{left.at(places)} {sign} ({right.at(places)})", places,
                lambda s: left.value(s) + right.value(s) * (1 if sign == "+" else -1))


def compared(left, right, sign):
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "=": left == right, "!=": left != right}[sign]


def condition(dice, variables, depth):
    worded = [v for v in variables if isinstance(v.type, tuple)]
    truths = [v for v in variables if v.type == "boolean"]
    kind = dice.randrange(8) if depth else dice.randrange(5)
    if kind < 2 and worded:
        v = dice.choice(worded)
        sign = dice.choice(("=", "==", "!="))
        equal = sign != "!="
        others = [w for w in worded if w.type == v.type and w is not v]
        if others and dice.randrange(2):
            w = dice.choice(others)
            return Term(f"{v.name} {sign} {w.name}", f"{v.name} {sign} {w.name}", 0, lambda s: (s[v.name] == s[w.name]) == equal)
        word = dice.choice(v.values)
        text = (f"{v.name} {sign} '{word}'", f"{v.name} {sign} {v.number(word)}")
        if dice.randrange(3) == 0:
            text = (f"'{word}' {sign} {v.name}", f"{v.number(word)} {sign} {v.name}")
        return Term(*text, 0, lambda s: (s[v.name] == word) == equal)
    if kind < 3 and truths:
        v = dice.choice(truths)
        return Term(v.name, f"{v.name} = 1", 0, lambda s: s[v.name])
    if kind < 5:
        left, right = (number_term(dice, variables, 2, 3) for _ in range(2))
        sign, places = dice.choice(("<", "<=", ">", ">=", "=", "!=")), max(left.places, right.places)
        return Term(f"{left.text} {sign} {right.text}", f"{left.at(places)} {sign} {right.at(places)}", 0,
                    lambda s: compared(left.value(s), right.value(s), sign))
    one, other = condition(dice, variables, depth - 1), condition(dice, variables, depth - 1)
    if kind == 5:
        return Term(f"!({one.text})", f"!({one.plain})", 0, lambda s: not one.value(s))
    sign = dice.choice(("&&", "||", "or"))
    return Term(f"({one.text}) {sign} ({other.text})", f"({one.plain}) {sign} ({other.plain})", 0,
                lambda s: one.value(s) and other.value(s) if sign == "&&" else one.value(s) or other.value(s))


def value_term(dice, variables, wanted):
    """What can be assigned to a variable: the typed text, the text over whole numbers, and the value."""
    if isinstance(wanted.type, tuple):
        alike = [v for v in variables if v.type == wanted.type]
        if alike and dice.randrange(3) == 0:
            v = dice.choice(alike)
            return Term(v.name, v.name, 0, lambda s: s[v.name])
        word = dice.choice(wanted.values)
        return Term(f"'{word}'", str(wanted.number(word)), 0, lambda s: word)
    if wanted.type == "boolean":
        truths = [v for v in variables if v.type == "boolean"]
        if truths and dice.randrange(2):
            v = dice.choice(truths)
            return Term(f"not {v.name}", f"1 - {v.name}", 0, lambda s: not s[v.name])
        worded = [v for v in variables if isinstance(v.type, tuple)]
        if worded and dice.randrange(2):
            v = dice.choice(worded)
            word = dice.choice(v.values)
            return Term(f"{v.name} = '{word}'", f"1 - min(1, abs({v.name} - {v.number(word)}))", 0, lambda s: s[v.name] == word)
        left, right = (number_term(dice, variables, 1, 2) for _ in range(2))
        places = max(left.places, right.places)
        return Term(f"{left.text} < {right.text}", f"min(1, max(0, {right.at(places)} - ({left.at(places)})))", 0,
                    lambda s: left.value(s) < right.value(s))
    made = number_term(dice, variables, 2, wanted.type)
    if dice.randrange(5):  # within the domain
        low, high = wanted.values[0], wanted.values[-1]
        return Term(f"min({wanted.shown(high)}, max({wanted.shown(low)}, {made.text}))",
                    f"min({wanted.number(high)}, max({wanted.number(low)}, {made.at(wanted.type)}))", wanted.type,
                    lambda s: min(high, max(low, made.value(s))))
    return Term(made.text, made.at(wanted.type), wanted.type, made.value)


class Model:
    def __init__(self, dice):
        self.variables = [Variable(dice, f"s{i}", "state") for i in range(4)] + [Variable(dice, f"p{i}", "param") for i in range(2)] + \
            [Variable(dice, f"o{i}", "out") for i in range(2)]
        self.state, self.inputs, self.outputs = self.variables[:4], self.variables[4:6], self.variables[6:]
        self.transitions = []
        for t in range(6):
            source, target = dice.choice("AB"), dice.choice("AB")
            takes = dice.choice(((), (0,), (0, 1)))
            readable = self.state + [self.inputs[p] for p in takes]
            self.transitions.append({
                "id": f"t{t}", "src": source, "dst": target, "takes": takes, "guard": condition(dice, readable, 1) if dice.randrange(3) else Term("true", "true", 0, lambda s: True),
                "update": {v: value_term(dice, readable, v) for v in dice.sample(self.state, dice.randint(1, 3))},
                "args": [value_term(dice, readable, v) for v in self.outputs] if dice.randrange(4) else None})
        self.goal = self.transitions[dice.randrange(6)]
        self.constraint = condition(dice, self.state + [self.inputs[p] for p in self.goal["takes"]], 1)

    def written(self, plain):
        text = (lambda term: term.plain) if plain else (lambda term: term.text)
        return json.dumps({
            "format": "efsm-json/1", "name": "drawn", "vars": [v.declared(plain) for v in self.variables], "locations": ["A", "B"], "initial": "A",
            "inputs": [{"label": f"I{n}", "params": [f"p{p}" for p in range(n)]} for n in range(3)],
            "outputs": [{"label": "O", "params": [v.name for v in self.outputs]}],
            "transitions": [{"id": t["id"], "src": t["src"], "dst": t["dst"], "input": f"I{len(t['takes'])}", "guard": text(t["guard"]),
                             "update": {v.name: text(x) for v, x in t["update"].items()},
                             "outputs": [{"label": "O", "args": [text(x) for x in t["args"]]}] if t["args"] else []} for t in self.transitions],
            "goals": [{"name": "g", "traps": [{"id": "g", "transition": self.goal["id"], "constraint": text(self.constraint)}]}]}, indent=1)

    def search(self):
        """All states, and the moves to each transition and to the goal."""
        start = "A", tuple(v.first for v in self.state)
        depth, queue, first = {start: 0}, collections.deque([start]), {}
        while queue:
            here = queue.popleft()
            for t in self.transitions:
                if t["src"] != here[0]:
                    continue
                for values in itertools.product(*(self.inputs[p].values for p in t["takes"])):
                    s = dict(zip((v.name for v in self.state), here[1])) | dict(zip((f"p{p}" for p in t["takes"]), values))
                    if not t["guard"].value(s):
                        continue
                    after = s | {v.name: x.value(s) for v, x in t["update"].items()}
                    if any(after[v.name] not in v.values for v in t["update"]) or \
                            t["args"] and any(x.value(s) not in v.values for v, x in zip(self.outputs, t["args"])):
                        continue
                    first.setdefault(t["id"], depth[here] + 1)
                    if t is self.goal and self.constraint.value(s):
                        first.setdefault("g", depth[here] + 1)
                    then = t["dst"], tuple(after[v.name] for v in self.state)
                    if then not in depth:
                        depth[then] = depth[here] + 1
                        queue.append(then)
        return depth, first


def run(*arguments, codes=(0,)):
    done = subprocess.run([CORRIDOR, "efsm", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in codes, (arguments, done.returncode, done.stdout[-300:], done.stderr)
    return done.stdout


def plain_text(model, text):
    """Values of the typed model in a text of states, inputs or outputs, as whole numbers."""
    by_name = {v.name: v for v in model.variables}

    def call(match):
        of = model.inputs if match[1][0] == "I" else model.outputs
        given = re.split(", ", match[2])
        return f"{match[1]}({', '.join(str({v.shown(value): v.number(value) for value in v.values}[g]) for v, g in zip(of, given))})"
    text = re.sub(r"\b([IO]\d?)\(([^()]*)\)", call, text)
    return re.sub(r"\b(s\d) = ([^,]*)", lambda m: f"{m[1]} = {dict((by_name[m[1]].shown(x), by_name[m[1]].number(x)) for x in by_name[m[1]].values)[m[2]]}", text)


def rows(model, text, sheet, plain):
    said = json.loads(text)
    return [{key: value if plain or not isinstance(value, str) else plain_text(model, value) for key, value in row.items()}
            for row in said.get(sheet) or said["sheets"][sheet]["rows"]]


def both(model, files, sheet, *words, codes=(0,)):
    """What a command says of both files, which must be the same."""
    typed, plain = (rows(model, run(words[0], file, *words[1:], "--json", codes=codes), sheet, of_numbers) for file, of_numbers in zip(files, (False, True)))
    assert typed == plain, (words, typed, plain)
    return typed


def compare(model, folder, number):
    files = folder / "typed.json", folder / "plain.json"
    for file, plain in zip(files, (False, True)):
        file.write_text(model.written(plain))
    depth, first = model.search()
    for file in files:
        assert f"states visited: {len(depth)}\n" in run("check", file), (number, len(depth))
    for goal in [t["id"] for t in model.transitions] + ["g"]:
        wanted = first.get(goal)
        both(model, files, "path", "plan", "--goal", goal, codes=(0, 1))
        plan = json.loads(run("plan", files[0], "--goal", goal, "--json", codes=(0, 1)))
        assert plan["length"] == wanted and plan["proven"], (number, goal, plan["length"], wanted)
        for backend in ("explicit", "symbolic"):
            reach = json.loads(run("reach", files[0], "--goal", goal, "--backend", backend, "--json", codes=(0, 1)))["sheets"]["traps"]["rows"][0]
            assert reach["moves"] == wanted, (number, goal, backend, reach, wanted)
    codes = (0, 1, 2, 3, 4, 5, 6, 7)
    words = "test", "--possible-states", "--moves", 40, "--seed", number
    test = both(model, files, "tests", *words, "--goal", "all-transitions", "--planner", "random", codes=codes)
    both(model, files, "moves", *words, "--goal", "all-transitions", "--planner", "random", codes=codes)
    both(model, files, "tests", *words, "--goal", "g", codes=codes)
    if SPIN:
        counts = []
        for file in files:
            text = run("show", file, "--promela")
            (folder / "m.pml").write_text(text)
            done = subprocess.run([SPIN, "-o2", "-run", "m.pml"], cwd=folder, capture_output=True, text=True)
            counts.append(int(re.search(r"(\d+) states, stored", done.stdout)[1]))
        assert counts[0] == counts[1], (number, counts)
    return len(depth), len(first), test[0]["verdict"]


KIOSK = pathlib.Path(__file__).parent / "invalid/kiosk.json"
PROGRAM = """import json, sys
from fractions import Fraction
mode, paid, hot = "idle", Fraction(0), False
for line in sys.stdin:
    asked = json.loads(line, parse_float=Fraction)
    answer = {"id": asked["id"]}
    if "hello" in asked:
        answer.update(protocol=1, name="kiosk")
    elif "reset" in asked:
        mode, paid, hot = "idle", Fraction(0), False
        answer["ready"] = True
    elif "in" in asked:
        out = None
        if asked["in"] == "PAY" and mode != "down" and paid + asked["args"][0] <= Fraction("4.25"):
            assert isinstance(asked["args"][0], Fraction)
            mode, paid = "busy", paid + asked["args"][0]
        elif asked["in"] == "TAKE" and mode == "busy" and (asked["args"] == ["tea"] and paid >= Fraction("1.2") or paid > Fraction("2.35")):
            out = [float(paid - paid / 3 // Fraction("0.01") * Fraction("0.01")), IDLE]
            mode, paid, hot = "idle", 0, asked["args"] == ["tea"]
        elif asked["in"] == "KICK" and hot:
            out, mode = [NONE, mode], "down"
        answer.update({"out": [["Change", out]]} if out else {"quiet": True})
    else:
        break
    print(json.dumps(answer), flush=True)
"""


def test_programs(folder):
    """What words and decimals are on the wire, and in result files."""
    for name, idle, none, verdict, code in (("right", '"idle"', "0", "pass", 0), ("wrong", '"busy"', "0.0", "fail", 1), ("word", '"idel"', "0", "trouble", 7),
                                            ("number", "0", "0", "trouble", 7), ("places", '"idle"', "0.001", "trouble", 7)):
        (folder / f"{name}.py").write_text(PROGRAM.replace("IDLE", idle).replace("NONE", none))
        words = "--goal", "all-transitions", "--system", shlex.join([sys.executable, str(folder / f"{name}.py")]), "-o", folder / f"{name}.h5"
        test = json.loads(run("test", KIOSK, *words, "--json", codes=(code,)))["sheets"]["tests"]["rows"][0]
        assert test["verdict"] == verdict, (name, test)
        again = subprocess.run([CORRIDOR, "replay", folder / f"{name}.h5", "--json"], capture_output=True, text=True)
        assert again.returncode == 0 and json.loads(again.stdout)["equal"], (name, again)
    text = subprocess.run([CORRIDOR, "show", folder / "wrong.h5", "tests"], capture_output=True, text=True, check=True).stdout
    assert re.search(r"gave Change\(\d\.\d\d, busy\).*allowed: Change\(\d\.\d\d, idle\) \[serve\]", text), text
    assert re.search(r"mode = busy, paid = [1-4]\.\d\d, hot = false +TAKE\((tea|soup)\)", text), text
    names = {line.split()[0] for line in run("mutants", KIOSK, "--list").splitlines()}
    assert {"pay.update.mode.next", "serve.value.Change.now.next", "pay.guard.high+1", "serve.value.Change.back-1"} <= names, names
    kills = json.loads(run("mutants", KIOSK, "--goal", "all-transitions", "--json", codes=(0, 1)))["sheets"]["kills"]["rows"]
    said = {row["mutant"]: (row["difference"], row["shortest"]) for row in kills}
    # All coins are tens: 4.25 is never paid; 2.35 never reached, 2.36 either: but 1.20 is.
    for mutant, wanted in (("pay.guard.high+1", ("equivalent", None)), ("serve.guard.low2-1", ("equivalent", None)),
                           ("serve.guard.low+1", ("different", 2)), ("serve.value.Change.now.next", ("different", 2)),
                           ("serve.update.mode.next", ("different", 3))):
        assert said[mutant] == wanted, (mutant, said[mutant])
    shown = run("show", KIOSK, "--dot") + run("reach", KIOSK, "--goal", "rich")
    assert "mode := 'busy'" in shown and "mode == 'busy' && paid >= 3.96 && what == 'soup'" in shown, shown
    assert "/* v_mode: 0 idle, 1 busy, 2 down */\n/* v_paid: units of 1/100 */" in run("show", KIOSK, "--promela")


def main():
    states = transitions = made = 0
    verdicts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="corridor-typed-") as name:
        if not SPIN:
            test_programs(pathlib.Path(name))
        for number in range(MODELS):
            one = compare(Model(random.Random(f"{SEED}/{number}")), pathlib.Path(name), number)
            states, transitions, made = states + one[0], transitions + one[1], made + (one[1] > 2)
            verdicts[one[2]] += 1
    assert made * 3 > MODELS, made  # most models do something
    print(f"{MODELS} models, {states} states, {transitions} ways to a goal; {dict(verdicts)}")


if __name__ == "__main__":
    main()
