#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random small models: findings and distances of `corridor efsm` against an interpreter of its own that tries everything.

usage: test_brute_force.py CORRIDOR [MODELS [SEED]]
"""
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

CORRIDOR = sys.argv[1]
MODELS = int(sys.argv[2]) if len(sys.argv) > 2 else 40
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
INPUTS = {"A": ["p", "q"], "B": ["p"], "C": []}


class Maker:
    """Expressions over `names`, with the signs of the language."""

    def __init__(self, rng, names):
        self.rng, self.names = rng, names

    def number(self, depth):
        kind = self.rng.randrange(9) if depth else 0
        if kind < 4:
            return self.rng.choice(self.names + ["0", "1", "2", "3"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        return [f"{a} + {b}", f"{a} - ({b})", f"({a}) * 2", f"({a}) % {self.rng.randrange(2, 5)}", f"max({a}, {b})"][kind - 4]

    def condition(self, depth):
        kind = self.rng.randrange(7) if depth else 1
        if kind == 0:
            return self.rng.choice(["true", "true", "false"])
        if kind < 4:
            return f"{self.number(1)} {self.rng.choice(['<', '<=', '==', '!=', '>', '>='])} {self.number(1)}"
        if kind == 6:
            return f"!({self.condition(depth - 1)})"
        return f"({self.condition(depth - 1)} {['&&', '||'][kind - 4]} {self.condition(depth - 1)})"


def made(rng):
    state = rng.sample(["x", "y", "z"], rng.randrange(1, 3))
    variables = [{"name": "p", "kind": "param", "lo": 0, "hi": 3}, {"name": "q", "kind": "param", "lo": -1, "hi": 1},
                 {"name": "r", "kind": "out", "lo": 0, "hi": 3}]
    for name in state:
        low = rng.randrange(-2, 2)
        variables.append({"name": name, "kind": "state", "lo": low, "hi": low + rng.randrange(0, 5), "init": low})
        if rng.randrange(4) == 0:
            variables[-1]["irrelevant"] = True
    locations = [f"l{i}" for i in range(rng.randrange(1, 4))]
    transitions = []
    for i in range(rng.randrange(3, 8)):
        label = rng.choice(list(INPUTS))
        maker = Maker(rng, state + INPUTS[label])
        outputs = rng.choice([[], [], [{"label": "X", "args": []}], [{"label": "Y", "args": [maker.number(1)]}]])
        transitions.append({"id": f"t{i}", "src": rng.choice(locations), "dst": rng.choice(locations), "input": label,
                            "guard": maker.condition(2), "update": {n: maker.number(1) for n in state if rng.randrange(3) == 0},
                            "outputs": outputs})
    ids = [t["id"] for t in transitions]
    return {"format": "efsm-json/1", "name": "random", "vars": variables, "locations": locations, "initial": "l0",
            "inputs": [{"label": k, "params": v} for k, v in INPUTS.items()],
            "outputs": [{"label": "X", "params": []}, {"label": "Y", "params": ["r"]}], "transitions": transitions,
            "goals": [{"name": "order", "ordered": True, "sequence": [rng.choice(ids) for _ in range(3)]}]}


def compiled(text):
    """Python means the same by these signs, once they are its own; its "not" binds as ours does."""
    text = text.replace("&&", " and ").replace("||", " or ").replace("true", "True").replace("false", "False").replace("/", "//")
    return compile(re.sub(r"!(?!=)", " not ", text).strip(), text, "eval")


class System:
    def __init__(self, model):
        self.model = model
        self.domains = {v["name"]: (v["lo"], v["hi"]) for v in model["vars"]}
        self.names = [v["name"] for v in model["vars"] if v["kind"] == "state"]
        self.outputs = {o["label"]: o["params"] for o in model["outputs"]}
        self.transitions = model["transitions"]
        for t in self.transitions:
            t["code"] = compiled(t["guard"])
            t["assign"] = {n: compiled(e) for n, e in t["update"].items()}
            t["say"] = [(o["label"], [compiled(a) for a in o["args"]]) for o in t["outputs"]]
        ranges = [range(self.domains[n][0], self.domains[n][1] + 1) for n in self.names]
        self.states = [(l, values) for l in model["locations"] for values in itertools.product(*ranges)]
        self.start = (model["initial"], tuple(v["init"] for v in model["vars"] if v["kind"] == "state"))

    def inputs(self, label):
        ranges = [range(self.domains[n][0], self.domains[n][1] + 1) for n in INPUTS[label]]
        return itertools.product(*ranges)

    def values(self, state, label, arguments):
        return dict(zip(self.names, state[1])) | dict(zip(INPUTS[label], arguments)) | {"min": min, "max": max, "abs": abs}

    def holds(self, t, state, arguments):
        return t["src"] == state[0] and eval(t["code"], self.values(state, t["input"], arguments))

    def step(self, t, state, arguments):
        """The state behind it, and the answer; None if it is not enabled."""
        if not self.holds(t, state, arguments):
            return None
        values = self.values(state, t["input"], arguments)
        after = {n: values[n] for n in self.names} | {n: eval(e, values) for n, e in t["assign"].items()}
        says = [(label, [eval(a, values) for a in args]) for label, args in t["say"]]
        within = all(self.domains[n][0] <= v <= self.domains[n][1] for n, v in after.items())
        for label, args in says:
            within = within and all(self.domains[n][0] <= v <= self.domains[n][1] for n, v in zip(self.outputs[label], args))
        return ((t["dst"], tuple(after[n] for n in self.names)), says) if within else None

    def steps(self, state):
        for t in self.transitions:
            for arguments in self.inputs(t["input"]):
                found = self.step(t, state, arguments)
                if found:
                    yield t, arguments, *found

    def closure(self, starts):
        """Moves from the nearest of `starts` by state."""
        depth, queue = {s: 0 for s in starts}, list(starts)
        for state in queue:
            for _, _, after, _ in self.steps(state):
                if after not in depth:
                    depth[after] = depth[state] + 1
                    queue.append(after)
        return depth

    def findings(self):
        found = set()
        for t in self.transitions:
            everywhere = [(s, a) for s in self.states for a in self.inputs(t["input"])]
            if not any(self.holds(t, s, a) for s, a in everywhere):
                found.add(("guard never true", t["id"], None))
            elif not any(self.step(t, s, a) for s, a in everywhere):
                found.add(("leaves domain", t["id"], None))
            for v in self.model["vars"]:
                if v.get("irrelevant") and v["name"] in t["code"].co_names:
                    found.add(("irrelevant is read", t["id"], v["name"]))
        for a, b in itertools.combinations(self.transitions, 2):
            if a["input"] != b["input"] or a["src"] != b["src"]:
                continue
            both, only_a, only_b = [], False, False
            for s in self.states:
                for arguments in self.inputs(a["input"]):
                    one, other = self.step(a, s, arguments), self.step(b, s, arguments)
                    if one and other:
                        both.append((one, other))
                    only_a, only_b = only_a or (one and not other), only_b or (other and not one)
            if both:
                found.add(("rivals", a["id"], b["id"]))
                if not only_a:
                    found.add(("perfect rivals", a["id"], b["id"]))
                if not only_b:
                    found.add(("perfect rivals", b["id"], a["id"]))
                if any(one[1] == other[1] for one, other in both):
                    found.add(("alike", a["id"], b["id"]))
        return found | self.reachable_findings()

    def reachable_findings(self):
        found, reached, taken = set(), self.closure([self.start]), set()
        for state in reached:
            alive = False
            for label in INPUTS:
                for arguments in self.inputs(label):
                    reacting = [t for t in self.transitions if t["input"] == label and self.step(t, state, arguments)]
                    taken |= {t["id"] for t in reacting}
                    alive = alive or bool(reacting)
                    if not reacting:
                        found.add(("no reaction", state[0], label))
            if not alive:
                found.add(("dead end", state[0], None))
        found |= {("unreachable", t["id"], None) for t in self.transitions if t["id"] not in taken}
        sequence = self.model["goals"][0]["sequence"]
        never = {i for i, t in enumerate(sequence) if t not in taken}
        found |= {("trap never", f"{i + 1}-{sequence[i]}", None) for i in never}
        for i, j in itertools.combinations(range(len(sequence)), 2):
            behind = {after for s in reached for t, _, after, _ in self.steps(s) if t["id"] == sequence[i]}
            follows = any(t["id"] == sequence[j] for s in self.closure(behind) for t, _, _, _ in self.steps(s))
            if not follows and i not in never and j not in never:
                found.add(("traps in conflict", f"{i + 1}-{sequence[i]}", f"{j + 1}-{sequence[j]}"))
        return found

    def distances(self):
        reached = self.closure([self.start])
        best = {}
        for state, depth in reached.items():
            for t, _, _, _ in self.steps(state):
                best[t["id"]] = min(best.get(t["id"], depth + 1), depth + 1)
        return [best.get(t["id"]) for t in self.transitions]


def asked(*arguments):
    done = subprocess.run([CORRIDOR, "efsm", *arguments, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 7):  # 7: a limit came first, which the document says, too
        sys.exit(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)["sheets"]


def check_witness(system, row):
    """A finding shows what it says."""
    if row["state"] is None:
        return row["lint"] in ("guard never true", "unreachable", "trap never", "traps in conflict", "irrelevant is read")
    state = (row["location"], tuple(int(part.split(" = ")[1]) for part in row["state"].split(", ")))
    label, _, rest = (row["input"] or "").partition("(")
    arguments = tuple(int(n) for n in rest.rstrip(")").split(", ")) if rest else ()
    enabled = {t["id"]: system.step(t, state, arguments) for t in system.transitions if t["input"] == label}
    enabled = {i: s for i, s in enabled.items() if s}
    reachable = state in system.closure([system.start])
    if row["reachable"] != ("yes" if reachable else "no"):
        return False
    if row["lint"] in ("rivals", "perfect rivals"):
        return row["first"] in enabled and row["second"] in enabled
    if row["lint"] == "alike":
        return enabled[row["first"]][1] == enabled[row["second"]][1]
    if row["lint"] == "leaves domain":
        t = next(t for t in system.transitions if t["id"] == row["first"])
        return system.holds(t, state, arguments) and not enabled.get(row["first"])
    if row["lint"] == "dead end":
        return reachable and not any(system.steps(state))
    return row["lint"] == "no reaction" and reachable and not enabled


def key_of(row):
    if row["lint"] in ("no reaction", "dead end"):
        return row["lint"], row["location"], row["input"] and row["input"].partition("(")[0]
    return row["lint"], row["first"], row["second"]


def check_budget(path):
    """More inputs of one state than moves are allowed: what was seen is said, the rest is undecided."""
    wide = {"format": "efsm-json/1", "name": "wide", "vars": [{"name": "x", "kind": "state", "lo": 0, "hi": 3, "init": 0},
                                                              {"name": "i", "kind": "param", "lo": 0, "hi": 1000000000000}],
            "locations": ["a", "b"], "initial": "a", "inputs": [{"label": "GO", "params": ["i"]}], "outputs": [{"label": "O", "params": []}],
            "transitions": [{"id": "t1", "src": "a", "dst": "a", "input": "GO", "guard": "i == 49", "update": {"x": "1"}, "outputs": []},
                            {"id": "t2", "src": "a", "dst": "b", "input": "GO", "guard": "x == 1 && i == 999999", "update": {}, "outputs": []}]}
    path.write_text(json.dumps(wide))
    sheets = asked("check", str(path), "--moves", "1000", "--states", "10")
    rows = {(row["lint"], row["decided"]) for row in sheets["findings"]["rows"]}
    if sheets["visited"]["row"]["complete"] or not {("no reaction", True), ("no reaction", False), ("unreachable", False)} <= rows:
        sys.exit(f"a wide state: {sheets['visited']['row']} {rows}")


def check_waits(folder):
    """Traps that name others: as far as a search over states and covered traps says, and as with "after"."""
    model = json.loads((pathlib.Path(__file__).parents[3] / "experiments/library/efsm/inres_initiator.json").read_text())
    labels = {i["label"]: i["params"] for i in model["inputs"]}
    INPUTS.update(labels)
    rng, path, reached = random.Random(SEED), pathlib.Path(folder) / "waits.json", 0
    conditions = ["number == 1", "counter > 1", "counter == 0 || number == 0", "!(number == 0 && counter < 2)"]
    for _ in range(MODELS // 2):
        traps, other = [], []
        for name in rng.sample("abcd", 3):
            waits = [t["id"] for t in traps if rng.randrange(2)]
            condition = rng.choice([None] + conditions)
            parts = waits + ([f"({condition})" if "||" in condition else condition] if condition else [])
            rng.shuffle(parts)
            transition = rng.choice(model["transitions"])["id"]
            traps.append({"id": name, "transition": transition, "constraint": rng.choice([" && ", " and "]).join(parts) or None})
            other.append({"id": name, "transition": transition, "constraint": condition, "after": waits})
        order = rng.sample(range(3), 3)  # a name may stand before the trap that it names
        goals = [{"name": "named", "traps": [traps[i] for i in order]}, {"name": "after", "traps": [other[i] for i in order]}]
        path.write_text(json.dumps({k: v for k, v in model.items()} | {"goals": goals, "transitions": [
            {k: t[k] for k in ("id", "src", "dst", "input", "guard", "update", "outputs")} for t in model["transitions"]]}))
        system = System(model)
        queue, depth, expected = [(system.start, frozenset())], {(system.start, frozenset()): 0}, None
        for node in queue:
            if len(node[1]) == 3:
                expected = depth[node]
                break
            for t, arguments, after, _ in system.steps(node[0]):
                values = system.values(node[0], t["input"], arguments)
                hit = {o["id"] for o in other if o["transition"] == t["id"] and node[1] >= set(o["after"])
                       and (o["constraint"] is None or eval(compiled(o["constraint"]), values))}
                there = after, node[1] | hit
                if there not in depth:
                    depth[there] = depth[node] + 1
                    queue.append(there)
        for goal in ("named", "after"):
            done = subprocess.run([CORRIDOR, "efsm", "plan", str(path), "--goal", goal, "--json"], capture_output=True, text=True)
            found = json.loads(done.stdout)
            if found["length"] != expected or not found["proven"]:
                sys.exit(f"waits, {goal}: {found['length']}, not {expected}: {json.dumps(goals)}")
        reached += expected is not None
    if not MODELS // 8 < reached:
        sys.exit(f"waits: {reached} goals in reach")
    for label in labels:
        del INPUTS[label]


def main():
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        check_budget(path)
        check_waits(folder)
        for number in range(MODELS):
            model = made(random.Random(SEED * 1000003 + number))
            path.write_text(json.dumps(model))
            system = System(model)
            sheets = asked("check", str(path))
            rows = sheets["findings"]["rows"]
            found, expected = {key_of(row) for row in rows}, system.findings()
            if found != expected or sheets["visited"]["row"]["undecided"] != 0 or len(found) != len(rows):
                sys.exit(f"model {number}: {sorted(found ^ expected, key=str)}\n{path.read_text()}")
            for row in rows:
                counts[row["lint"]] = counts.get(row["lint"], 0) + 1
                if not check_witness(system, row):
                    sys.exit(f"model {number}: {row}\n{path.read_text()}")
            expected = system.distances()
            for backend in ("explicit", "symbolic"):
                traps = asked("reach", str(path), "--goal", "all-transitions", "--summary", "--backend", backend)["traps"]["rows"]
                if [row["moves"] for row in traps] != expected:
                    sys.exit(f"model {number}, {backend}: {[row['moves'] for row in traps]}, not {expected}\n{path.read_text()}")
                for row in traps:
                    if row["proof"] != ("unreachable" if row["moves"] is None else "least"):
                        sys.exit(f"model {number}, {backend}: {row}")
    print(f"{MODELS} models agree:", ", ".join(f"{word} {count}" for word, count in sorted(counts.items())))
    sys.exit(0 if MODELS < 40 or len(counts) == 11 else f"some lints never occurred: {sorted(counts)}")


if __name__ == "__main__":
    main()

