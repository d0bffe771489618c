#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn models and the given ones: plans of `corridor efsm plan`, in all three readings, against a solver of its own that looks at every state with
every set of covered traps, and replays each plan.

usage: test_planning.py CORRIDOR SOURCE [MODELS [SEED [STATES]]]
"""
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy

CORRIDOR, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
MODELS = int(sys.argv[3]) if len(sys.argv) > 3 else 30
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
STATES = int(sys.argv[5]) if len(sys.argv) > 5 else 15
NODES = 40 * STATES  # a goal with more states times covered sets is left out
EQUATIONS = 1500  # expected moves of more states are left out


def compiled(text):
    text = text.replace("&&", " and ").replace("||", " or ").replace("true", "True").replace("false", "False").replace("/", "//")
    return compile(re.sub(r"!(?!=)", " not ", text).strip(), text, "eval")


class System:
    """What a model means."""

    def __init__(self, model):
        self.domain = {v["name"]: (v["lo"], v["hi"]) for v in model["vars"]}
        self.names = [v["name"] for v in model["vars"] if v["kind"] == "state"]
        self.parameters = {i["label"]: i["params"] for i in model["inputs"]}
        self.outputs = {o["label"]: o["params"] for o in model["outputs"]}
        self.start = (model["initial"], tuple(v["init"] for v in model["vars"] if v["kind"] == "state"))
        self.by_site, self.moves = {}, {}
        for t in model["transitions"]:
            made = {"id": t["id"], "dst": t["dst"], "guard": compiled(t["guard"]), "update": {n: compiled(e) for n, e in t["update"].items()},
                    "args": [(self.domain[n], compiled(a)) for o in t["outputs"] for n, a in zip(self.outputs[o["label"]], o["args"])]}
            self.by_site.setdefault((t["src"], t["input"]), []).append(made)

    def inputs(self, label):
        return itertools.product(*(range(self.domain[n][0], self.domain[n][1] + 1) for n in self.parameters[label]))

    def step(self, t, values):
        if not eval(t["guard"], values):
            return None
        for (low, high), argument in t["args"]:
            if not low <= eval(argument, values) <= high:
                return None
        after = []
        for name in self.names:
            value = eval(t["update"][name], values) if name in t["update"] else values[name]
            if not self.domain[name][0] <= value <= self.domain[name][1]:
                return None
            after.append(value)
        return t["dst"], tuple(after)

    def outcomes(self, state, label, arguments):
        """What one input may lead to: (transition, state) each."""
        values = dict(zip(self.names, state[1])) | dict(zip(self.parameters[label], arguments)) | {"min": min, "max": max, "abs": abs}
        found = [(t["id"], self.step(t, values)) for t in self.by_site.get((state[0], label), [])]
        return values, [(i, s) for i, s in found if s]

    def from_state(self, state):
        """All inputs with their outcomes."""
        if state not in self.moves:
            self.moves[state] = []
            for label in self.parameters:
                for arguments in self.inputs(label):
                    values, outcomes = self.outcomes(state, label, arguments)
                    if outcomes:
                        self.moves[state].append((label, arguments, values, outcomes))
        return self.moves[state]


class Goal:
    """Traps: (transition, what must be right before, constraint, traps to be covered before)."""

    def __init__(self, model, goal):
        self.traps = []
        if goal == "all-transitions" or goal.get("cover") == "all":
            self.traps = [(t["id"], None, None, set()) for t in model["transitions"]]
            self.ids = [t["id"] for t in model["transitions"]]
        elif goal.get("cover") == "pairs":
            pairs = [(a["id"], b["id"]) for a in model["transitions"] for b in model["transitions"] if a["dst"] == b["src"]]
            self.traps = [(b, a, None, set()) for a, b in pairs]
            self.ids = [None] * len(pairs)
        elif "sequence" in goal:
            self.traps = [(t, None, None, set()) for t in goal["sequence"]]
            self.ids = [None] * len(self.traps)
        else:
            self.ids = [t["id"] for t in goal["traps"]]
            for t in goal["traps"]:
                constraint = compiled(MEANT.get(t["constraint"], t["constraint"])) if t.get("constraint") else None
                self.traps.append((t["transition"], None, constraint, {self.ids.index(a) for a in t.get("after", [])}))
        if goal != "all-transitions" and goal.get("ordered"):
            self.traps = [(t, p, c, set(range(i))) for i, (t, p, c, _) in enumerate(self.traps)]
        self.by_transition, self.full = {}, frozenset(range(len(self.traps)))
        for i, trap in enumerate(self.traps):
            self.by_transition.setdefault(trap[0], []).append(i)
        self.lasts = {trap[1] for trap in self.traps}

    def cover(self, covered, last, transition, values):
        values = values and values | {name: i in covered for i, name in enumerate(self.ids) if name}
        new = {i for i in self.by_transition.get(transition, []) if i not in covered and self.traps[i][3] <= covered
               and self.traps[i][1] in (None, last) and (self.traps[i][2] is None or eval(self.traps[i][2], values))}
        return covered | new if new else covered

    def last(self, transition):
        return transition if transition in self.lasts else None


MEANT = {}  # what constraints mean, in Python, where it is not read from the text


class TooMany(Exception):
    pass


class Product:
    """All states with what is covered there, what came before and how often it was reset; node 0 is where it begins. A goal leads nowhere."""

    def __init__(self, system, goal, weights, most, resets=0):
        start = (system.start, frozenset(), None, 0)
        number, self.nodes, self.inputs, self.depth = {start: 0}, [start], [], [0]
        for at, (state, covered, last, used) in enumerate(self.nodes):
            effects = {}
            again = [("reset", None, None, [(None, system.start)])] if used < resets else []
            for _, _, values, outcomes in (system.from_state(state) + again if covered != goal.full else []):
                arcs = []
                for transition, after in outcomes:
                    key = (after, goal.cover(covered, last, transition, values), goal.last(transition), used + (transition is None))
                    if key not in number:
                        number[key] = len(self.nodes)
                        self.nodes.append(key)
                        self.depth.append(self.depth[at] + 1)
                    arcs.append((number[key], transition))
                effects[tuple(arcs)] = None
            total = [sum(weights.get(t, 1) for _, t in arcs) for arcs in effects]
            self.inputs.append([[(n, weights.get(t, 1) / s) for n, t in arcs] for arcs, s in zip(effects, total)])
            if len(self.nodes) > most:
                raise TooMany
        self.goals = [covered == goal.full for _, covered, *_ in self.nodes]
        self.count = len(self.nodes)

    def hope(self):
        return min((d for d, goal in zip(self.depth, self.goals) if goal), default=None)

    def forced(self):
        rank = [0 if goal else None for goal in self.goals]
        level, changed = 0, True
        while changed:  # after round k all of rank k have it
            level, changed = level + 1, False
            done = [r is not None for r in rank]
            for n, inputs in enumerate(self.inputs):
                if rank[n] is None and any(all(done[m] for m, _ in arcs) for arcs in inputs):
                    rank[n], changed = level, True
        return rank[0]

    def sources(self):
        found = [set() for _ in self.nodes]
        for n, inputs in enumerate(self.inputs):
            for arcs in inputs:
                for m, _ in arcs:
                    found[m].add(n)
        return found

    def almost_sure(self):
        """Nodes from which a goal is met with probability one if inputs are given well, with the inputs that stay among them, and how near."""
        inside, sources = set(range(self.count)), self.sources()
        while True:
            staying = {n: [arcs for arcs in self.inputs[n] if all(m in inside for m, _ in arcs)] for n in inside}
            near = {n: 0 for n in inside if self.goals[n]}
            queue = list(near)
            for n in queue:
                for s in sources[n]:
                    if s in inside and s not in near and any(any(m == n for m, _ in arcs) for arcs in staying[s]):
                        near[s] = near[n] + 1
                        queue.append(s)
            if len(near) == len(inside):
                return staying, near
            inside = set(near)

    def expected(self):
        """Policy iteration; each policy is evaluated by solving its linear equations."""
        staying, near = self.almost_sure()
        if 0 not in near:
            return None
        open_nodes = [n for n in near if not self.goals[n]]
        if len(open_nodes) > EQUATIONS:
            raise TooMany
        place = {n: i for i, n in enumerate(open_nodes)}
        policy = {n: min(staying[n], key=lambda arcs: min(near[m] for m, _ in arcs)) for n in open_nodes}
        while open_nodes:
            matrix = numpy.identity(len(open_nodes))
            for n in open_nodes:
                for m, p in policy[n]:
                    if m in place:
                        matrix[place[n], place[m]] -= p
            value = numpy.linalg.solve(matrix, numpy.ones(len(open_nodes)))
            cost = lambda arcs: 1 + sum(p * value[place[m]] for m, p in arcs if m in place)
            better = {n: min(staying[n], key=cost) for n in open_nodes}
            changed = [n for n in open_nodes if cost(better[n]) < cost(policy[n]) * (1 - 1e-11)]
            if not changed:
                return value[place[0]]
            for n in changed:
                policy[n] = better[n]
        return 0


class Maker:
    """Models: integers of small domains, rivals often."""

    def __init__(self, rng):
        self.rng = rng

    def number(self, names):
        kind = self.rng.randrange(6)
        name, other = self.rng.choice(names), self.rng.choice(names + ["1", "2"])
        return [name, str(self.rng.randrange(4)), f"{name} + 1", f"{name} - 1", f"{name} + {other}", f"({name} + {other}) % {self.rng.randrange(2, 6)}"][kind]

    def condition(self, names):
        one = f"{self.rng.choice(names)} {self.rng.choice(['<', '<=', '==', '!=', '>', '>='])} {self.rng.randrange(5)}"
        kind = self.rng.randrange(8)
        if kind < 4:
            return "true"
        if kind < 7:
            return one
        return f"({one} {self.rng.choice(['&&', '||'])} {self.condition(names)})"

    def mixed(self, trap, names, depth, is_denied):
        """A condition over variables and other traps; what it means, in Python; and whether it can hold, and fail, with so many traps covered, whatever
        the variables are. Traps that it wants covered have lower numbers."""
        kind = self.rng.randrange(7) if depth else self.rng.randrange(2)
        if kind < 2:
            others = [t for t in range(3) if t != trap and (is_denied or t < trap)]
            if kind == 0 and others:
                other = self.rng.choice(others)
                return f"g{other}", f"g{other}", lambda covered: (other in covered, other not in covered)
            text = self.condition(names)
            return text, f"({text})", lambda covered: (True, True)
        if kind == 2:
            text, meant, can = self.mixed(trap, names, depth - 1, not is_denied)
            return self.rng.choice(["!({})", "not ({})"]).format(text), f"(not {meant})", lambda covered: can(covered)[::-1]
        one, means, can = self.mixed(trap, names, depth - 1, is_denied != (kind == 3))
        other, too, may = self.mixed(trap, names, depth - 1, is_denied)
        if kind == 3:
            return (f"({one}) implies {other}", f"((not {means}) or {too})",
                    lambda covered: (can(covered)[1] or may(covered)[0], can(covered)[0] and may(covered)[1]))
        if kind == 4:
            return (f"{one if ' implies ' not in one else f'({one})'} {self.rng.choice(['||', 'or'])} ({other})", f"({means} or {too})",
                    lambda covered: (can(covered)[0] or may(covered)[0], can(covered)[1] and may(covered)[1]))
        return (f"({one}) {self.rng.choice(['&&', 'and'])} ({other})", f"({means} and {too})",
                lambda covered: (can(covered)[0] and may(covered)[0], can(covered)[1] or may(covered)[1]))

    def model(self):
        rng = self.rng
        state = ["x", "y", "z"][: rng.randrange(1, 4)]
        variables = [{"name": "p", "kind": "param", "lo": 0, "hi": rng.randrange(1, 5)}, {"name": "r", "kind": "out", "lo": 0, "hi": 4}]
        variables += [{"name": n, "kind": "state", "lo": 0, "hi": rng.randrange(1, 5 + STATES // 20), "init": 0} for n in state]
        locations = [f"l{i}" for i in range(rng.randrange(1, 5))]
        labels = {"A": ["p"], "B": [], "C": []}
        transitions, met = [], ["l0"]
        for i in range(rng.randrange(4, 11)):
            label = rng.choice(list(labels))
            names = state + labels[label]
            rival = rng.choice(transitions) if transitions and rng.randrange(3) == 0 else None
            outputs = [[], [{"label": "X", "args": []}], [{"label": "Y", "args": [self.number(state)]}]][rng.choice([0, 1, 1, 2])]
            transitions.append({"id": f"t{i}", "src": rival["src"] if rival else rng.choice(met), "dst": rng.choice(locations),
                                "input": rival["input"] if rival else label, "guard": rival["guard"] if rival else self.condition(names),
                                "update": {n: self.number(names if not rival else state) for n in state if rng.randrange(2)}, "outputs": outputs})
            met.append(transitions[-1]["dst"])
        ids = [t["id"] for t in transitions]
        traps = []
        for i in range(rng.randrange(1, 4)):
            trap = {"id": f"g{i}", "transition": traps[-1]["transition"] if i and rng.randrange(2) else rng.choice(ids)}
            if rng.randrange(2):
                trap["constraint"] = self.condition(state)
            if i and rng.randrange(3) == 0:
                trap["after"] = [f"g{rng.randrange(i)}"]
            traps.append(trap)
        mixed = []
        for i in range(3):
            text, meant, can = self.mixed(i, state, 3, False)
            while not any(can(set(c))[0] for n in range(3) for c in itertools.combinations(range(3), n)):
                text, meant, can = self.mixed(i, state, 3, False)
            MEANT[text] = meant
            mixed.append({"id": f"g{i}", "transition": rng.choice(ids), "constraint": text})
        goals = [{"name": "some", "traps": traps}, {"name": "mixed", "traps": mixed}, {"name": "order", "ordered": True, "sequence": [rng.choice(ids) for _ in range(rng.randrange(2, 5))]}]
        return {"format": "efsm-json/1", "name": "drawn", "vars": variables, "locations": locations, "initial": "l0",
                "inputs": [{"label": k, "params": v} for k, v in labels.items()],
                "outputs": [{"label": "X", "params": []}, {"label": "Y", "params": ["r"]}], "transitions": transitions, "goals": goals}


def planned(path, goal, reading, *more):
    done = subprocess.run([CORRIDOR, "efsm", "plan", str(path), "--goal", goal, "--reading", reading, "--json", *more], capture_output=True, text=True)
    if done.returncode not in (0, 7):  # 7: a limit came first, which the document says, too
        sys.exit(f"{path} {goal} {reading} {more} {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def replay(system, goal, plan):
    """The set covered by the path, which must be one that the model has."""
    state, covered, last = system.start, frozenset(), None
    if sum(row["input"] == "reset" for row in plan["path"]) != plan["resets"]:
        sys.exit(f"not {plan['resets']} resets")
    for row in plan["path"]:
        if row["input"] == "reset":
            state, last = system.start, None
            continue
        label, _, rest = row["input"].partition("(")
        arguments = tuple(int(n) for n in rest.rstrip(")").split(", ")) if rest else ()
        values, outcomes = system.outcomes(state, label, arguments)
        taken = dict(outcomes)
        if row["transition"] not in taken or set(taken) - {row["transition"]} != set((row["rivals"] or "").split(", ")) - {""}:
            sys.exit(f"move {row['move']}: {taken}, not {row}")
        covered, last = goal.cover(covered, last, row["transition"], values), goal.last(row["transition"])
        state = taken[row["transition"]]
        if row["location"] != state[0] or row["state"] != ", ".join(f"{n} = {v}" for n, v in zip(system.names, state[1])):
            sys.exit(f"move {row['move']}: {state}, not {row}")
    return covered


def check_refusals(path, goal):
    """Weights that would be misread are none."""
    for texts, code, said in ((["--weights", "t1=1"], 2, "weighs nothing but with --reading expected"),
                              (["--reading", "expected", "--weights", "ack=1e308"], 3, '"ack=1e308": no weight'),
                              (["--reading", "expected", "--weights", "ack=1,loss=2,ack=9"], 3, '"ack=9": the transition has a weight already'),
                              (["--reading", "expected", "--weights", "ack=,loss=2"], 3, '"ack=": no weight')):
        done = subprocess.run([CORRIDOR, "efsm", "plan", str(path), "--goal", goal, *texts], capture_output=True, text=True)
        if done.returncode != code or said not in done.stderr:
            sys.exit(f"{texts}: {done.returncode} {done.stderr}")


FOR_A_KIND_SYSTEM = ("least flow, with detours", "breadth-first search", "A*, led by the state equation")


def check_bound(where, path, system, goal, name, counts, product, more, texts):
    """With room for the states, but not for these with what is covered: no plan is shorter than the bound that is said, none that is proven longer."""
    wanted = product.hope()
    alone = len({(state, last) for state, _, last, _ in product.nodes})
    plan = planned(path, name, "hope", "--states", str(alone + 1), *more)
    covered, length, bound = replay(system, goal, plan), plan["length"], plan["bound"]
    by_flow = plan["method"] == "least flow, with detours"
    if wanted is not None and ((bound or 0) > wanted or (length is not None and length < wanted) or (length is None and plan["proven"])):
        sys.exit(f"{where} {name} {more}: {length}, bound {bound}, but {wanted} is least")
    if plan["proven"] and (length != wanted or (wanted is not None and bound != wanted)):
        sys.exit(f"{where} {name} {more}: proven {length}, bound {bound}, not {wanted}")
    if len(covered) > max(len(c) for _, c, *_ in product.nodes) or (length is not None) != (covered == goal.full):
        sys.exit(f"{where} {name} {more}: covers {covered}")
    if not plan["proven"] and length is not None and bound is not None:
        counts["bounds"] = counts.get("bounds", 0) + 1
    for reading in ("forced", "expected"):  # a plan that leaves no choice is as good in each
        plan = planned(path, name, reading, "--states", str(alone + 1), *more, *(texts if reading == "expected" else []))
        wanted = getattr(product, reading)() if plan["proven"] else None
        if plan["proven"] and ((plan["length"] is None) != (wanted is None) or (wanted is not None and abs(plan["length"] - wanted) > 1e-9 * wanted)):
            sys.exit(f"{where} {name} {more} {reading}: proven {plan['length']}, not {wanted}")
        counts[f"{reading} by hope"] = counts.get(f"{reading} by hope", 0) + (plan["length"] is not None and plan["method"] in FOR_A_KIND_SYSTEM)
    if by_flow:
        counts["walks by flow"] = counts.get("walks by flow", 0) + 1


def check(where, path, system, goal, name, counts, weights, most, resets=0):
    product = Product(system, goal, weights, most, resets)
    again = ["--resets", str(resets)] if resets else []
    counts["resets allowed"] = counts.get("resets allowed", 0) + (resets > 0)
    texts = ["--weights", ",".join(f"{t}={w}" for t, w in weights.items())] if weights else []
    check_bound(where, path, system, goal, name, counts, product, again, texts)
    for reading in ("hope", "forced", "expected"):
        try:
            wanted = getattr(product, reading)()
        except TooMany:
            counts["expected left out"] = counts.get("expected left out", 0) + 1
            continue
        plan = planned(path, name, reading, *again, *(texts if reading == "expected" else []))
        length = plan["length"]
        if (length is None) != (wanted is None) or not plan["proven"] or plan["reading"] != reading:
            sys.exit(f"{where} {name} {reading}: {length} {plan['proven']} {plan['proof']}, not {wanted}")
        if wanted is not None and abs(length - wanted) > (1e-9 * wanted if reading == "expected" else 0):
            sys.exit(f"{where} {name} {reading}: {length}, not {wanted}")
        covered = replay(system, goal, plan)
        counts["resets taken"] = counts.get("resets taken", 0) + plan["resets"]
        if wanted is not None and (covered != goal.full or (reading != "expected" and len(plan["path"]) != wanted)):
            sys.exit(f"{where} {name} {reading}: the path does not do it")
        best = max(len(c) for _, c, *_ in product.nodes)
        if reading == "hope" and len(covered) != best:
            sys.exit(f"{where} {name}: covers {len(covered)}, not {best}")
        if name == "mixed":
            counts["mixed met"] = counts.get("mixed met", 0) + (wanted is not None)
        if wanted is None and reading == "hope":
            never = {i for i in goal.full if not any(i in c for _, c, *_ in product.nodes)}
            said = {i for i, row in enumerate(plan["sheets"]["traps"]["rows"]) if row["found"] == "out of reach"}
            if never != said:
                sys.exit(f"{where} {name}: out of reach {said}, not {never}")
            counts["out of reach"] = counts.get("out of reach", 0) + len(never)
        counts[reading if wanted is not None else f"not {reading}"] = counts.get(reading if wanted is not None else f"not {reading}", 0) + 1
    return product.count


def check_walks(path, system, goal, name, counts):
    """Planners that prove nothing, and a search that has no room and must ask another: what they do is a way of the model that covers what they say."""
    ways = (("--planner", "paper"), ("--planner", "antiant", "--moves", "30"), ("--states", "2"), ("--states", "2", "--reading", "forced"),
            ("--states", "2", "--reading", "expected"))
    more = ways[counts.get("walks", 0) % len(ways)]  # in turn
    plan = planned(path, name, "hope", *more)
    said = {i for i, row in enumerate(plan["sheets"]["traps"]["rows"]) if row["found"] == "covered"}
    if plan["proven"] and plan["length"] is None and plan["path"] and "2" not in more:
        sys.exit(f"{path.name} {name} {more}: proven by who proves nothing")
    if replay(system, goal, plan) != said or ("expected" not in more and (plan["length"] is not None) != (said == goal.full)):
        sys.exit(f"{path.name} {name} {more}: covers not {said}")
    counts["walks"] = counts.get("walks", 0) + 1


def drawn(counts, folder):
    """So many models, each with three goals; the states looked at."""
    total, number, seed = 0, 0, 0
    while number < MODELS:
        seed += 1
        rng = random.Random(SEED * 1000003 + seed)
        model = Maker(rng).model()
        weights = {t["id"]: rng.choice([1, 2, 5]) for t in model["transitions"]} if rng.randrange(2) else {}
        system, path = System(model), folder / "model.json"
        path.write_text(json.dumps(model))
        try:
            for name, goal in [(goal["name"], goal) for goal in model["goals"]] + [("all-transitions", "all-transitions")]:
                total += check(f"model {seed}", path, system, Goal(model, goal), name, counts, weights, NODES, rng.choice([0, 0, 1, 2]))
                check_walks(path, system, Goal(model, goal), name, counts)
        except TooMany:
            counts["left out"] = counts.get("left out", 0) + 1
            continue
        number += 1
    return total


def given(counts):
    """Each given model whose product is small enough for this solver."""
    done = []
    for path in sorted((SOURCE / "experiments/library/efsm").glob("*.json")):
        model = json.loads(path.read_text())
        if any(v["hi"] - v["lo"] > 700 for v in model["vars"]):
            continue
        system = System(model)
        for goal in model["goals"]:
            try:
                check(path.name, path, system, Goal(model, goal), goal["name"], counts, {}, NODES)
                check_walks(path, system, Goal(model, goal), goal["name"], counts)
                done.append(f"{path.stem} {goal['name']}")
            except TooMany:
                pass
    return done


check_refusals(SOURCE / "experiments/library/efsm/lossy_link.json", "trap_fin")
COUNTS = {}
with tempfile.TemporaryDirectory() as FOLDER:
    TOTAL = drawn(COUNTS, pathlib.Path(FOLDER))
DONE = given(COUNTS)
print(f"{MODELS} drawn models, {TOTAL} states with what is covered, and {len(DONE)} given goals agree:",
      ", ".join(f"{word} {count}" for word, count in sorted(COUNTS.items())))
print("given:", "; ".join(DONE))
