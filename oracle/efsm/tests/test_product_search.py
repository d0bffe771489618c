#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutants of given and of random models: which `corridor efsm mutants` proves equivalent, and the length of the shortest
distinguishing test of the others, against mutants made here by their names and a product search that tries every input.

usage: test_product_search.py CORRIDOR [MODELS [SEED]]
"""
import ast
import csv
import io
import itertools
import json
import pathlib
import random
import re
import subprocess
import tempfile

import test_brute_force
from test_brute_force import CORRIDOR, MODELS, SEED, compiled

GIVEN = pathlib.Path(__file__).resolve().parents[3] / "experiments/library/efsm"


# Behind A nobody knows where it is; B is an input of one of the places only.
BLURRED = {"format": "efsm-json/1", "name": "blurred", "vars": [], "locations": ["l0", "l1", "l2"], "initial": "l0",
           "inputs": [{"label": "A", "params": []}, {"label": "B", "params": []}], "outputs": [{"label": "X", "params": []}, {"label": "Y", "params": []}],
           "transitions": [{"id": t, "src": src, "dst": dst, "input": label, "guard": "true", "update": {}, "outputs": [{"label": o, "args": []} for o in outputs]}
                           for t, src, dst, label, outputs in (("t0", "l0", "l1", "A", []), ("t1", "l0", "l2", "A", []), ("t2", "l2", "l0", "B", ["X"]), ("t3", "l1", "l0", "A", ["Y"]))]}


def python_text(text):
    text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    return re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", text)).strip()


def comparisons(tree):
    """(word, node) of those that are not of constants alone, in the order of the text; a > b is b < a."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            place = node.left.lineno, node.left.col_offset
            if isinstance(node.ops[0], (ast.Gt, ast.GtE)):
                node.left, node.comparators = node.comparators[0], [node.left]
                node.ops = [ast.Lt() if isinstance(node.ops[0], ast.Gt) else ast.LtE()]
            left, right = (isinstance(side, ast.Constant) for side in (node.left, node.comparators[0]))
            if not (left and right):
                kind = type(node.ops[0])
                word = {ast.Eq: "equal", ast.NotEq: "unequal"}.get(kind, "high" if right else "low" if left else "bound")
                found.append((place, word, node))
    return [(word, node) for _, word, node in sorted(found, key=lambda f: f[0])]


def shifted_guard(text, word, number, shift):
    tree = ast.parse(python_text(text), mode="eval")
    node = [n for w, n in comparisons(tree) if w == word][number - 1]
    wrong = lambda side: ast.BinOp(side, ast.Add(), ast.Constant(shift))
    if isinstance(node.left, ast.Constant) and not isinstance(node.comparators[0], ast.Constant):
        node.left = wrong(node.left)
    else:
        node.comparators[0] = wrong(node.comparators[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def mutated(model, name):
    """The model with what the name says; values that are off by one stay within the domain."""
    model = json.loads(json.dumps(model))
    variables = {v["name"]: v for v in model["vars"]}
    outputs = {o["label"]: o["params"] for o in model["outputs"]}
    t = next(t for t in model["transitions"] if name.startswith(t["id"] + "."))
    what = name[len(t["id"]) + 1:]

    def off(text, variable, sign):
        it = variables[variable]
        return f"min({it['hi']}, ({text}) + 1)" if sign == "+" else f"max({it['lo']}, ({text}) - 1)"

    def said(label):
        """An output of the transition by its label and, from the second of a label on, its number."""
        names = [o["label"] for o in t["outputs"]]
        return next(i for i, l in enumerate(names) if label == l + (str(names[:i].count(l) + 1) if names[:i].count(l) else ""))

    if found := re.fullmatch(r"guard\.([a-z]+)(\d*)([+-]1)", what):
        t["guard"] = shifted_guard(t["guard"], found[1], int(found[2] or 1), int(found[3]))
    elif what in ("guard.negated", "guard.dropped", "missing"):
        t["guard"] = {"guard.negated": f"!({t['guard']})", "guard.dropped": "true", "missing": "false"}[what]
    elif found := re.fullmatch(r"update\.(.+)([+-])1", what):
        t["update"][found[1]] = off(t["update"][found[1]], found[1], found[2])
    elif found := re.fullmatch(r"update\.(.+)\.dropped", what):
        del t["update"][found[1]]
    elif found := re.fullmatch(r"output\.(.+)=(.+)", what):
        it = t["outputs"][said(found[1])]
        it["label"] = found[2]
        it["args"] = [it["args"][i] if i < len(it["args"]) else str(variables[p]["lo"]) for i, p in enumerate(outputs[found[2]])]
    elif found := re.fullmatch(r"output\.(.+)\.dropped", what):
        del t["outputs"][said(found[1])]
    elif found := re.fullmatch(r"output\.(.+)\.added", what):
        t["outputs"].append({"label": found[1], "args": [str(variables[p]["lo"]) for p in outputs[found[1]]]})
    elif found := re.fullmatch(r"value\.(.+)\.(\w+)([+-])1", what):
        it = t["outputs"][said(found[1])]
        place = outputs[it["label"]].index(found[2])
        it["args"][place] = off(it["args"][place], found[2], found[3])
    elif found := re.fullmatch(r"target\.(.+)", what):
        t["dst"] = found[1]
    elif found := re.fullmatch(r"extra\.(.+)", what):
        model["transitions"].append(t | {"id": t["id"] + ".extra", "dst": found[1]})
    else:
        raise SystemExit(f"no such mutant: {name}")
    return model


class System:
    def __init__(self, model):
        self.domains = {v["name"]: (v["lo"], v["hi"]) for v in model["vars"]}
        self.names = [v["name"] for v in model["vars"] if v["kind"] == "state"]
        self.inputs = {i["label"]: i["params"] for i in model["inputs"]}
        self.outputs = {o["label"]: o["params"] for o in model["outputs"]}
        self.start = (model["initial"], tuple(v["init"] for v in model["vars"] if v["kind"] == "state"))
        self.known, self.leaving = {}, {}
        for t in model["transitions"]:
            self.leaving.setdefault((t["src"], t["input"]), []).append(
                (compiled(t["guard"]), {n: compiled(e) for n, e in t["update"].items()},
                 [(o["label"], [compiled(a) for a in o["args"]]) for o in t["outputs"]], t["dst"]))

    def within(self, name, value):
        return self.domains[name][0] <= value <= self.domains[name][1]

    def moves(self, state, label, arguments):
        """[(answer, next)] of what is enabled, and whether anything is; what is ignored is answered by silence."""
        key = state, label, arguments
        if key not in self.known:
            values = dict(zip(self.names, state[1])) | dict(zip(self.inputs[label], arguments)) | {"min": min, "max": max, "abs": abs}
            found = []
            for guard, update, outputs, target in self.leaving.get((state[0], label), ()):
                if not eval(guard, values):
                    continue
                after = {n: eval(update[n], values) if n in update else values[n] for n in self.names}
                says = tuple((l, tuple(eval(a, values) for a in args)) for l, args in outputs)
                if all(self.within(n, v) for n, v in after.items()) and all(
                        self.within(p, a) for l, args in says for p, a in zip(self.outputs[l], args)):
                    found.append((says, (target, tuple(after.values()))))
            self.known[key] = (found or [((), state)], bool(found))
        return self.known[key]


def shortest_difference(model, other):
    """The least number of inputs after which `other` may answer what the model does not allow; None if it never does."""
    inputs = [(label, arguments) for label, names in model.inputs.items()
              for arguments in itertools.product(*[range(model.domains[n][0], model.domains[n][1] + 1) for n in names])]
    layer, depth = {(other.start, frozenset([model.start]))}, 0
    seen = set(layer)
    while layer:
        depth += 1
        following = set()
        for theirs, ours in layer:
            for label, arguments in inputs:
                explained = [model.moves(state, label, arguments) for state in ours]
                if not any(taken for _, taken in explained):
                    continue
                for answer, after in other.moves(theirs, label, arguments)[0]:
                    may = frozenset(state for moves, _ in explained for said, state in moves if said == answer)
                    if not may:
                        return depth
                    following.add((after, may))
        layer = following - seen
        seen |= layer
    return None


def check(path):
    text = path.read_text()
    model = json.loads(text)
    run = subprocess.run([CORRIDOR, "efsm", "mutants", path, "--planner", "random", "--alone", "--runs", "1", "--moves", "1", "--resets", "0",
                          "--possible-states", "--csv"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    original, equivalent, rows = System(model), 0, list(csv.DictReader(io.StringIO(run.stdout)))
    for row in rows:
        length = shortest_difference(original, System(mutated(model, row["mutant"])))
        said = None if row["difference"] == "equivalent" else int(row["shortest"])
        assert row["difference"] != "undecided" and said == length, f"{path.name}: {row['mutant']}: {said}, here {length}\n{text}"
        equivalent += length is None
    return len(rows), equivalent


def main():
    rng, counts = random.Random(SEED), []
    for name in ("phone_call_1", "lossy_link", "escape", "shopping_cart", "traffic_light", "inres_initiator", "inres_hogrefe", "phone_call_time"):
        counts.append(check(GIVEN / f"{name}.json"))
        print(f"{name}: {counts[-1][0]} mutants, {counts[-1][1]} equivalent")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        for model in (BLURRED, *(test_brute_force.made(rng) for _ in range(MODELS))):
            path.write_text(json.dumps({k: v for k, v in model.items() if k != "goals"}))
            counts.append(check(path))
    print(f"{len(counts)} models, {sum(c[0] for c in counts)} mutants, {sum(c[1] for c in counts)} equivalent: as here")


if __name__ == "__main__":
    main()
