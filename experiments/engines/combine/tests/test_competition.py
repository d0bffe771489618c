#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models drawn in the shape of the CT competition's: read as CTWedge and as ACTS write them, and decided.

A second judge reads the model by a parser of its own, evaluates every row, and lets z3 (through its library, in SMT-LIB) refute every
pair that no row covers. The categories and their sizes are those of https://github.com/fmselab/ct-competition; nothing is copied."""
import collections
import csv
import ctypes
import ctypes.util
import io
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

CORRIDOR, COUNT = sys.argv[1], int(sys.argv[2])
CONSTRAINED = {"BOOLC": (4, 40), "MCAC": (4, 20), "NUMC": (4, 14), "HIGHLY_CONSTRAINED": (4, 16)}
KINDS = ["UNIFORM_BOOLEAN", "UNIFORM_ALL", "MCA", *CONSTRAINED, "CNF", "FM", "INDUSTRIAL"]


def draw_parameters(kind, draw):
    words = lambda name, count: [f"{name.upper()}_{i}" for i in range(count)]
    names = lambda least, most: [f"Par{i}" for i in range(draw.randint(least, most))]
    if kind == "UNIFORM_BOOLEAN":
        return {name: [True, False] for name in names(2, 20)}
    if kind == "UNIFORM_ALL":
        count = draw.randint(2, 12)
        return {name: words(name, count) for name in names(2, 20)}
    if kind == "FM":
        return {name: [True, False] for name in names(10, 100)}
    parameters = {}
    for name in names(*{"MCA": (2, 15), "CNF": (10, 60), "INDUSTRIAL": (8, 60)}.get(kind) or CONSTRAINED[kind]):
        form = draw.choice(["truth"] if kind == "BOOLC" else ["truth", "words", "numbers"] if kind == "NUMC" else ["truth", "words"])
        low = draw.randint(-100, 90)
        parameters[name] = ([True, False] if form == "truth" else list(range(low, low + draw.choice([1, 2, 4, 9, 21, 41]))) if form == "numbers"
                            else words(name, draw.randint(2, 25 if kind == "HIGHLY_CONSTRAINED" else 12 if kind != "CNF" else 5)))
    return parameters


def draw_atom(parameters, draw):
    name = draw.choice(list(parameters))
    values = parameters[name]
    left, right, relation = ("name", name), ("value", draw.choice(values)), draw.choice(["=", "!="])
    if type(values[0]) is int:
        relation = draw.choice(["=", "!=", "<", "<=", ">", ">="])
        other = draw.choice([other for other in parameters if type(parameters[other][0]) is int])
        if draw.random() < 0.2:
            left, right = draw.choice([(left, ("name", other)), ((draw.choice("+-"), left, ("name", other)), ("value", draw.randint(-90, 90)))])
    atom = (relation, left, right)
    return atom if draw.random() < 0.5 else ("not", atom)


def draw_tree(parameters, draw, depth):
    if depth == 0:
        return draw_atom(parameters, draw)
    return (draw.choice(["and", "or", "=>", "<=>"]), *(draw_tree(parameters, draw, depth - 1) for _ in range(2)))


def draw_clause(parameters, draw, most):
    clause = draw_atom(parameters, draw)
    for _ in range(draw.randint(1, most - 1)):
        clause = ("or", clause, draw_atom(parameters, draw))
    return clause


def draw_constraints(kind, parameters, draw):
    names = [("name", name) for name in parameters]
    if kind in CONSTRAINED:
        deepest = 6 if kind == "HIGHLY_CONSTRAINED" and draw.random() < 0.3 else 4
        return [draw_tree(parameters, draw, draw.randint(1, deepest)) for _ in range(draw.randint(1, 14 if kind == "HIGHLY_CONSTRAINED" else 10))]
    if kind == "CNF":
        return [draw_clause(parameters, draw, 5) for _ in range(draw.randint(5, 60))]
    if kind == "INDUSTRIAL":
        return ([draw_clause(parameters, draw, 4) for _ in range(draw.randint(1, 60))]
                + [draw_tree(parameters, draw, 1) for _ in range(draw.randint(0, 4))])
    if kind != "FM":
        return []
    made = [names[0]]  # a tree of features, some mandatory; some exclude or need each other
    for i in range(1, len(names)):
        parent = names[draw.randrange(i)]
        made += [("=>", names[i], parent)] + [("=>", parent, names[i])] * (draw.random() < 0.3)
    for _ in range(len(names) // 6):
        one, other = draw.sample(names[1:], 2)
        made.append(("=>", one, other if draw.random() < 0.5 else ("not", other)))
    for _ in range(len(names) // 20):
        whole, *parts = draw.sample(names, 4)
        made.append(("<=>", whole, ("or", ("or", parts[0], parts[1]), parts[2])))
    return made


def text_of(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def written(tree, join, denial, quote):
    kind = tree[0]
    if kind == "name":
        return tree[1]
    if kind == "value":
        return f"{quote}{tree[1]}{quote}" if isinstance(tree[1], str) else text_of(tree[1])
    if kind == "not":
        return f"({denial} ({written(tree[1], join, denial, quote)}))"
    left, right = (written(part, join, denial, quote) for part in tree[1:])
    if kind == "<=>" and kind not in join:
        return f"(({left} => {right}) && ({right} => {left}))"
    return f"({left} {join.get(kind, kind)} {right})"


def as_ctwedge(name, parameters, constraints, draw):
    join = {"and": "AND", "or": "OR", "<=>": "<=>"} if draw.random() < 0.5 else {"and": "&&", "or": "|", "<=>": "<->", "=>": "->", "=": "=="}
    lines = [f"Model {name}", "", "Parameters:"]
    for key, values in parameters.items():
        form = ("Boolean" if values[0] is True else f"[{values[0]} .. {values[-1]}]" if isinstance(values[0], int)
                else "{" + draw.choice([", ", " ", ","]).join(values) + "}")
        lines.append(f"{key}: {form}{draw.choice(['', ';'])}")
    if constraints:
        lines += ["", "// what must hold", "Constraints:"]
        lines += [f"# {written(tree, join, draw.choice(['not', 'NOT', '!']), '')} #" for tree in constraints]
    return "\n".join(lines) + "\n"


def as_acts(name, parameters, constraints):
    lines = ["[System]", "-- specify system name", f"Name: {name}", "", "[Parameter]"]
    for key, values in parameters.items():
        kind = "boolean" if values[0] is True else "int" if isinstance(values[0], int) else "enum"
        lines.append(f"{key} ({kind}) : {', '.join(map(text_of, values))}")
    lines += ["", "[Constraint]"] + [written(tree, {"and": "&&", "or": "||"}, "!", '"') for tree in constraints]
    return "\n".join(lines) + "\n"


def holds(tree, row):
    kind = tree[0]
    if kind == "name":
        return row[tree[1]]
    if kind == "value":
        return tree[1]
    if kind == "not":
        return not holds(tree[1], row)
    a, b = holds(tree[1], row), holds(tree[2], row)
    return {"and": lambda: a and b, "or": lambda: a or b, "=>": lambda: not a or b, "<=>": lambda: a == b, "=": lambda: a == b,
            "!=": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b, ">=": lambda: a >= b,
            "+": lambda: a + b, "-": lambda: a - b}[kind]()


class Z3:
    """The model in SMT-LIB; words are numbers."""

    def __init__(self, library, parameters, constraints):
        self.library, self.words = library, {}
        library.Z3_mk_config.restype = library.Z3_mk_context.restype = ctypes.c_void_p
        library.Z3_mk_context.argtypes = library.Z3_del_context.argtypes = [ctypes.c_void_p]
        library.Z3_eval_smtlib2_string.restype = ctypes.c_char_p
        library.Z3_eval_smtlib2_string.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.context = library.Z3_mk_context(library.Z3_mk_config())
        for name, values in parameters.items():
            sort = "Bool" if values[0] is True else "Int"
            self.say(f"(declare-const {name} {sort}) (assert (or {' '.join(self.equal(name, value) for value in values)}))")
        for tree in constraints:
            self.say(f"(assert {self.term(tree)})")

    def say(self, text):
        return self.library.Z3_eval_smtlib2_string(self.context, text.encode()).decode().strip()

    def value(self, value):
        if isinstance(value, str):
            value = self.words.setdefault(value, len(self.words))
        return text_of(value) if isinstance(value, bool) or value >= 0 else f"(- {-value})"

    def equal(self, name, value):
        return f"(= {name} {self.value(value)})"

    def term(self, tree):
        if tree[0] in ("name", "value"):
            return tree[1] if tree[0] == "name" else self.value(tree[1])
        parts = " ".join(map(self.term, tree[1:]))
        return f"(not (= {parts}))" if tree[0] == "!=" else f"({'=' if tree[0] == '<=>' else tree[0]} {parts})"

    def possible(self, *equal):
        answer = self.say(f"(push) (assert (and true {' '.join(equal)})) (check-sat) (pop)")
        assert answer in ("sat", "unsat"), answer
        return answer == "sat"


def pairs_of(row):
    return itertools.combinations(row.items(), 2)


def run(*arguments, codes=(0,)):
    done = subprocess.run([CORRIDOR, "combine", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in codes, (arguments, done.returncode, done.stderr)
    return done


def judged(rows, model, codes):
    """What --verify says: covered, of how many, impossible."""
    return tuple(map(int, re.search(r"(\d+) of (\d+) combinations? covered(?:, (\d+) are impossible)?", run(
        model, "--verify", rows, codes=codes).stdout).groups(default="0")))


def check(folder, library, kind, seed):
    draw = random.Random(f"{kind} {seed}")
    parameters = draw_parameters(kind, draw)
    constraints = draw_constraints(kind, parameters, draw)
    files = {"ctw": as_ctwedge(f"{kind}_{seed}", parameters, constraints, draw), "txt": as_acts(f"{kind}_{seed}", parameters, constraints)}
    for ending, text in files.items():
        (folder / f"model.{ending}").write_text(text)
    z3 = library and Z3(library, parameters, constraints)
    done = run(folder / "model.ctw", "--moves", 1, codes=(0, 3))
    if done.returncode == 3:  # no row at all, and both judges say so
        assert "contradictory constraints" in done.stderr and (not z3 or not z3.possible()), done.stderr
        run(folder / "model.txt", codes=(3,))
        return "contradictory"
    rows = [{name: text == "true" if values[0] is True else int(text) if isinstance(values[0], int) else text
             for (name, values), text in zip(parameters.items(), list(row.values()), strict=True)} for row in csv.DictReader(io.StringIO(done.stdout))]
    assert all(all(holds(tree, row) for tree in constraints) and all(row[name] in parameters[name] for name in parameters) for row in rows)
    covered = {pair for row in rows for pair in pairs_of(row)}
    every = [((one, a), (other, b)) for one, other in itertools.combinations(parameters, 2) for a in parameters[one] for b in parameters[other]]
    impossible = [pair for pair in every if pair not in covered]
    assert not z3 or not any(z3.possible(*(z3.equal(*part) for part in pair)) for pair in impossible)
    # The same model in the other language, and half of the rows: the checker knows exactly what is missing.
    (folder / "all.csv").write_text(done.stdout)
    lines = done.stdout.splitlines(keepends=True)
    kept = sorted(draw.sample(range(len(rows)), len(rows) // 2))
    (folder / "half.csv").write_text("".join([lines[0], *(lines[1 + i] for i in kept)]))
    half = len({pair for i in kept for pair in pairs_of(rows[i])})
    assert judged(folder / "all.csv", folder / "model.txt", (0,)) == (len(covered), len(covered), len(impossible))
    assert judged(folder / "half.csv", folder / "model.ctw", (0, 1)) == (half, len(covered), len(impossible))
    return "covered"


def main():
    name = ctypes.util.find_library("z3")
    library = ctypes.CDLL(name) if name else None
    with tempfile.TemporaryDirectory(prefix="corridor-competition-") as folder:
        came = collections.Counter(check(pathlib.Path(folder), library, KINDS[i % len(KINDS)], i // len(KINDS)) for i in range(COUNT))
    print(f"{COUNT} models: {dict(came)}; what is impossible was judged by {'z3, too' if library else 'nobody else: no libz3'}")
    assert came["covered"] > COUNT // 2
    sys.exit(0 if library else 77)


if __name__ == "__main__":
    main()
