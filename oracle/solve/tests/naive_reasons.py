#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reasons of "corridor judge --reasons" for states at random, held against all structures with as many agents and organizations: all that
agree with the facts violate the constraint, and without any one fact some do not. And of numbers that are equal or nearly so: "judge", its
reasons and "prove" beside fractions, in which each number is the decimal that was written.

usage: naive_reasons.py CORRIDOR_BINARY NAIVE_CORRIDOR VIOLATIONS
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

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import naive_proofs as proofs  # noqa: E402: it stands beside this file

naive = proofs.naive
STRUCTURES_MOST = 3000 if int(sys.argv[3]) >= 100 else 600
FLAT = ["all(o in organizations: any(a in o.members: a.kind = 'crane'))", "all(o in organizations: count(o.members) <= k)",
        "all(o in organizations: count(o.members) >= 2)", "all(o in organizations: sum(a in o.members: a.n) <= 1)",
        "max(o in organizations: mean(a in o.members: a.n)) - min(o in organizations: mean(a in o.members: a.n)) <= 0.4",
        "mean(a in agents: a.n) >= 0.5", "one(a in agents: a.ready)", "all(a in agents: a.ready implies a.kind = 'crane')",
        "any(o in organizations: all(a in o.members: a.ready))", "all(a in agents: count(a.organizations) <= 1)",
        "all(a in agents: all(b in agents: a = b or a.kind != b.kind))", "count(a in agents where a.kind = 'truck') <= 1",
        "not any(o in organizations: count(a in o.members where a.ready) >= 2)", "all(o in organizations: ready_ones(o) = 1)",
        "sum(o in organizations: min(a in o.members: a.n)) >= 1", "all(a in agents: any(o in organizations: a in o.members and ready_ones(o) > 1))"]
DEMANDS = {"demand": ("integer 0 .. 2", (0, 1, 2))}  # of organizations
DEMANDING = ["all(o in organizations: sum(a in o.members: a.n) <= o.demand)", "any(o in organizations: o.demand > 1 and count(o.members) > 1)",
             "sum(o in organizations: o.demand) <= 2"]
EMPTY = "all(o in organizations where o.is_root: count(o.members) < 1)"  # a root with children may be empty
NESTED = ["all(o in organizations: o.level < 1)",
          "all(o in organizations: count(a in o.members where a = a) < 1)", "all(o in organizations: mean(a in o.members: a.n) < 0)", "all(o in organizations: count(o.children) < 2)", "any(o in organizations: o.is_root and count(o.members) >= 2)",
          "all(o in organizations where not o.is_root: count(o.parent.members) > 1)", "count(o in organizations where o.is_root) >= 2",
          "all(o in organizations: all(c in o.children: ready_ones(c) <= ready_ones(o)))", "max(o in organizations: o.level) >= 1"]


def all_forests(kind, count):
    """Parents of numbered organizations, without circles."""
    if kind not in ("hierarchy", "tree"):
        return [[None] * count]
    made = []
    for way in itertools.product(*([None] + [p for p in range(count) if p != o] for o in range(count))):
        state = {"agents": [], "organizations": [[0]] * count, "parents": list(way)}
        if not any(check in ("parent_cycle", "several_roots") for check, _, _ in naive.kind_violations(kind, state)):
            made.append(list(way))
    return made


def numbered(kind, n, count, attributes, state):
    """All structures with so many agents and organizations; values that are missing stay so."""
    size = len(proofs.rows(kind, count)) ** n * len(all_forests(kind, count))
    demands = [state["organization_attributes"]["demand"]]
    if "demand" in attributes:
        demands = list(itertools.product(*([None] if value is None else DEMANDS["demand"][1] for value in demands[0])))
    attributes = [name for name in attributes if name not in DEMANDS]
    values = [list(itertools.product(*([None] if name not in state["agents"][a] else proofs.ATTRIBUTES[name][1] for name in attributes))) for a in range(n)]
    size *= len(demands)
    for options in values:
        size *= len(options)
    if size > STRUCTURES_MOST:
        return None
    made = []
    for rows in itertools.product(proofs.rows(kind, count), repeat=n):
        lists = [[a for a in range(n) if o in rows[a]] for o in range(count)]
        for parents in all_forests(kind, count):
            if any(not lists[o] and o not in parents for o in range(count)):
                continue
            for way in itertools.product(*values):
                agents = [{name: v for name, v in zip(attributes, agent) if v is not None} for agent in way]
                made += [{"agents": agents, "organizations": lists, "parents": parents, "parameters": state["parameters"],
                          "organization_attributes": {"demand": demand}} for demand in demands]
    return made


def agrees(structure, fact, state):
    if fact.get("attribute") in DEMANDS:
        return len({s["organization_attributes"][fact["attribute"]][fact["organization"]] for s in (structure, state)}) == 1
    if "attribute" in fact:
        return structure["agents"][fact["agent"]].get(fact["attribute"]) == state["agents"][fact["agent"]].get(fact["attribute"])
    if "parent" in fact:
        return structure["parents"][fact["organization"]] == fact["parent"]
    return (fact["agent"] in structure["organizations"][fact["organization"]]) == fact["member"]


def hold_reason(about, row, node, state, structures, share):
    reason = row["reason"]
    assert reason is not None, about
    assert all(agrees(state, fact, state) for fact in reason), (about, "a fact is none", reason)
    values = [proofs.World(structure, {}).value(node, {}) for structure in structures]
    agreeing = [{i for i, structure in enumerate(structures) if agrees(structure, fact, state)} for fact in reason]
    for out in [None] + list(range(len(reason))):
        left = set(range(len(structures)))
        for i, those in enumerate(agreeing):
            if i != out:
                left &= those
        is_reason = all(values[i] is False for i in left)
        if out is None:
            assert is_reason, (about, "does not suffice", reason)
        elif row["reason_is_minimal"]:
            assert not is_reason, (about, "could be spared", reason[out], reason)
    share["reasons" if reason else "never holds"] += 1
    share["minimal" if row["reason_is_minimal"] else "not proved minimal"] += 1
    share["facts"] += len(reason)
    share["parents"] += any("parent" in fact for fact in reason)
    share["demands"] += any(fact.get("attribute") in DEMANDS for fact in reason)
    share["values"] += any("attribute" in fact for fact in reason)
    share["memberships"] += any("member" in fact for fact in reason)


def random_state(rng, kind, attributes):
    n, count = rng.randint(2, 4), rng.choice((1, 2, 2, 3))
    rows = proofs.rows(kind, count)
    way = [rng.choice(rows) for _ in range(n)]
    agents = [{name: rng.choice(proofs.ATTRIBUTES[name][1]) for name in attributes if rng.random() < 0.95} for _ in range(n)]
    return {"organization_attributes": {"demand": [rng.choice((0, 1, 2, 2, None)) for _ in range(count)]},
            "agents": agents, "organizations": [[a for a in range(n) if o in way[a]] for o in range(count)],
            "parents": rng.choice(all_forests(kind, count)), "parameters": {name: rng.choice(proofs.PARAMETERS[name][1]) for name in proofs.PARAMETERS}}


def attributes_of(text):
    text += " z.ready z.x" if re.search(r"ready_ones|total|level_of", text) else ""
    return [name for name in [*proofs.ATTRIBUTES, *DEMANDS] if re.search(rf"\.{name}\b", text)]


def hold_one(binary, folder, seed, share):
    rng, kind = random.Random(seed), naive.KINDS[seed % len(naive.KINDS)]
    nests = kind in ("hierarchy", "tree")
    texts = proofs.write_texts(rng, naive.Writer(rng, nests), 1) + rng.sample(FLAT, 5) + rng.sample(DEMANDING, 1) + ([EMPTY] + rng.sample(NESTED, 2) if nests else [])
    other = rng.choice(texts[1:])
    texts += [f"({other}) and ({rng.choice(texts)})"]
    attributes = [name for name in attributes_of(" ".join(texts)) if name not in DEMANDS]
    states = [state for state in (random_state(rng, kind, attributes) for _ in range(4))
              if not naive.kind_violations(kind, state)]
    if not states:
        return
    declared = "".join(f"attribute {name}: {proofs.ATTRIBUTES[name][0]}\n" for name in proofs.ATTRIBUTES)
    declared += "".join(f"attribute {name} of organizations: {DEMANDS[name][0]}\n" for name in DEMANDS)
    declared += "".join(f"parameter {name}: {proofs.PARAMETERS[name][0]}\n" for name in proofs.PARAMETERS)
    (folder / "it.corridor").write_text(f"structure {kind}\n{declared}{proofs.DEFINITIONS}"
                                        + "".join(f"invariant c{i}: {text}\n" for i, text in enumerate(texts)))
    written = [state if nests else {key: value for key, value in state.items() if key != "parents"} for state in states]
    (folder / "states.json").write_text(json.dumps(written))
    done = subprocess.run([binary, "judge", folder / "it.corridor", folder / "states.json", "--reasons", "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1, 7), (seed, done.stderr)
    for s, (state, said) in enumerate(zip(states, json.loads(done.stdout)["states"])):
        made = {}
        for i, row in enumerate(said["constraints"]):
            if row["verdict"] != "violated":
                assert "reason" not in row, (seed, row)
                continue
            read = tuple(attributes_of(texts[i]))
            if read not in made:
                made[read] = numbered(kind, len(state["agents"]), len(state["organizations"]), read, state)
            structures = made[read]
            if structures is None:
                share["too many structures"] += 1
                continue
            hold_reason(f"seed {seed}, {kind}, state {s}: {json.dumps(state)}: {texts[i]}", row, proofs.parse(texts[i]), state, structures, share)


class Fractions(proofs.World):
    """Numbers as they are said, nothing rounded."""

    def __init__(self, state):
        super().__init__(state, {})

    def value(self, node, bound):
        return naive.as_said(super().value(node, bound))


NEAR = {"x": ("real 0.1 .. 0.1", [0.1]), "n": ("integer 0 .. 2", [0, 1, 2])}
SAID = {"p": ("real 0.1 .. 0.1", [0.1]), "q": ("real 0.3 .. 0.3", [0.3]), "k": ("integer 0 .. 2", [0, 1, 2]), "w": ("integer 1 .. 1", [1])}


def near_text(rng, worlds):
    """A comparison that holds, or is violated, by next to nothing in some structure."""
    while True:
        text, sign, off = naive.near_number(rng, 2, []), rng.choice(("<", "<=", "=", "!=", ">", ">=")), rng.choice((0, 0, 0, 1, -1))
        value = rng.choice(worlds).value(naive.parse(text), {})
        if value is None or max(abs(value.numerator), value.denominator) > 10**6:
            continue
        part = f"mean(a in agents: {value.numerator + off}) / {value.denominator}".replace(": -", ": 0 - ")
        made = rng.choice((f"{text} {sign} {part}", f"({text}) - {part} {sign} 0", f"({text}) * {value.denominator} {sign} {value.numerator + off}",
                           f"({text}) * p {sign} {part} * p", f"({text}) + p {sign} {part} + p", f"({text}) * 0.1 {sign} {part} / 10", f"p * count(agents) {sign} q",
                           f"sum(a in agents: a.x) {sign} q", f"sum(a in agents: a.x * a.n) + p {sign} 0.3", f"mean(a in agents: a.x) {sign} p"))
        if naive.is_sure(naive.parse(made)):
            return made


def hold_near(binary, folder, seed, share):
    """Judged exactly or at the edge; proved as fractions say; what is said to be impossible is nowhere judged to be so; and no reason rests on an edge."""
    rng, kind = random.Random(f"near {seed}"), ("partitioning", "overlapping")[seed % 2]
    proofs.ATTRIBUTES, proofs.PARAMETERS, (attributes, parameters) = NEAR, SAID, (proofs.ATTRIBUTES, proofs.PARAMETERS)
    states = [state for n, count in ((1, 1), (2, 2), (3, 1)) for k in (0, 1, 2)
              for state in numbered(kind, n, count, list(NEAR), {"agents": [dict.fromkeys(NEAR)] * n, "organization_attributes": {"demand": [None] * count},
                                                                 "parameters": {"p": 0.1, "q": 0.3, "k": k, "w": 1}})]
    proofs.ATTRIBUTES, proofs.PARAMETERS = attributes, parameters
    worlds = [Fractions(state) for state in states]
    texts = [near_text(rng, worlds) for _ in range(6)]
    texts += [f"({a}) {rng.choice(('and', 'or', 'implies'))} ({b})" for a, b in (rng.sample(texts, 2) for _ in range(3))]
    (folder / "it.corridor").write_text(f"structure {kind}\n" + "".join(f"attribute {name}: {said}\n" for name, (said, _) in NEAR.items())
                                        + "".join(f"parameter {name}: {said}\n" for name, (said, _) in SAID.items())
                                        + "".join(f"invariant c{i}: {text}\n" for i, text in enumerate(texts)))
    asked = rng.sample(range(len(states)), 6)
    for name, some in (("all.json", states), ("asked.json", [states[s] for s in asked])):
        (folder / name).write_text(json.dumps([{key: state[key] for key in ("agents", "organizations", "parameters")} for state in some]))
    done = [subprocess.run([binary, *words, "--json"], cwd=folder, capture_output=True, text=True) for words in
            (("judge", "it.corridor", "all.json"), ("judge", "it.corridor", "asked.json", "--reasons"),
             ("prove", "it.corridor", "--agents", "1..3", "--organizations", "1..2"))]
    assert all(one.returncode in (0, 1, 7) for one in done), (seed, [one.stderr for one in done])
    judged, reasons, rows = (json.loads(one.stdout)[part] for one, part in zip(done, ("states", "states", "constraints")))
    for i, text in enumerate(texts):
        exact, edges = proofs.parse(text), naive.parse(text)
        truths = [world.value(exact, {}) for world in worlds]
        verdicts = [state["constraints"][i]["verdict"] for state in judged]
        about = (seed, kind, text, rows[i])
        for state, truth, said in zip(states, truths, verdicts):
            assert said == naive.World(state).verdict(edges), (about, state, said)
            assert said in ("edge", "unknown") or said == naive.WORDS[truth], (about, state, said, truth)
        share["edges"] += "edge" in verdicts
        for word, truth, verdict in (("satisfiable", True, "holds"), ("can_be_violated", False, "violated")):
            share["proved near" if rows[i][word] != "undecided" else "not proved near"] += 1
            assert rows[i][word] != "no" or verdict not in verdicts, (about, word)
            assert rows[i][word] != "no" or truth not in truths, (about, word)
        for s, said in zip(asked, reasons):
            row, state = said["constraints"][i], states[s]
            alike = [t for t, other in enumerate(states) if (len(other["agents"]), len(other["organizations"]), other["parameters"]["k"])
                     == (len(state["agents"]), len(state["organizations"]), state["parameters"]["k"])]
            if row["verdict"] != "violated":
                continue
            assert row["reason"] is not None, (about, state)
            for out in [None] + list(range(len(row["reason"]))):
                left = {verdicts[t] for t in alike if all(f == out or agrees(states[t], fact, state) for f, fact in enumerate(row["reason"]))}
                assert (left == {"violated"}) == (out is None) or not (out is None or row["reason_is_minimal"]), (about, state, row["reason"], out, left)
            share["near reasons"] += 1


def main():
    binary, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[3])
    share, seed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        while share["reasons"] < count:
            hold_one(binary, pathlib.Path(name), seed, share)
            seed += 1
        for seed in range(8 if count < 100 else 100):
            hold_near(binary, pathlib.Path(name), seed, share)
    assert min(share[what] for what in ("edges", "near reasons")) >= 10 and share["not proved near"] <= 0.02 * share["proved near"], share
    assert share["not proved minimal"] <= 0.05 * count and min(share[what] for what in ("values", "memberships")) >= count // 10, share
    assert count < 100 or min(share["parents"], share["demands"]) > 0, share
    print(f"{count} reasons: {dict(share)}")


if __name__ == "__main__":
    main()
