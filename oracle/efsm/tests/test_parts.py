#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models in parts against an interpreter that lets parts hand each other messages one by one; nested locations against a model without.

usage: test_parts.py CORRIDOR MODELS SEED FOLDER
"""
import json
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

import test_brute_force as brute

CORRIDOR, MODELS, SEED, FOLDER = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4])


def run(*arguments, code=0):
    done = subprocess.run([CORRIDOR, "efsm", *map(str, arguments)], capture_output=True, text=True)
    assert code is None or done.returncode == code, (arguments, done.returncode, done.stdout[-300:], done.stderr)
    return done.stdout or done.stderr


QUEUED = []  # messages waiting at once, by model


class Endless(Exception):
    pass


class Whole:
    """Parts as they are, each with values of its own; a state is a location and values of each."""

    def __init__(self, parts):
        self.parts = [(name, model, brute.System(model)) for name, model in parts]
        self.takes = [{i["label"]: i["params"] for i in m["inputs"]} for _, m, _ in self.parts]
        self.says = [{o["label"]: o["params"] for o in m["outputs"]} for _, m, _ in self.parts]
        self.queued = 0
        self.start = tuple(s.start for _, _, s in self.parts)

    def step(self, part, t, state, arguments):
        system = self.parts[part][2]
        here = dict(zip(system.names, state[part][1])) | dict(zip(self.takes[part][t["input"]], arguments)) | {"min": min, "max": max, "abs": abs}
        if t["src"] != state[part][0] or not eval(t["code"], here):
            return None
        after = {n: here[n] for n in system.names} | {n: eval(e, here) for n, e in t["assign"].items()}
        says = [(label, [eval(a, here) for a in args]) for label, args in t["say"]]
        values = list(after.items()) + [pair for label, args in says for pair in zip(system.outputs[label], args)]
        if not all(system.domains[n][0] <= v <= system.domains[n][1] for n, v in values):
            return None
        return state[:part] + ((t["dst"], tuple(after[n] for n in system.names)),) + state[part + 1:], says

    def give(self, state, messages, outputs, hops=0):
        """All that can follow once these messages are delivered, the first first."""
        if not messages:
            yield state, tuple(outputs)
            return
        if hops > 40:
            raise Endless
        self.queued = max(self.queued, len(messages))
        (label, arguments), rest = messages[0], messages[1:]
        takers = [p for p in range(len(self.parts)) if label in self.takes[p]]
        for chosen in itertools.product(*([t for t in self.parts[p][2].transitions if t["input"] == label] for p in takers)):
            now, more, out, works = state, list(rest), list(outputs), True
            for p, t in zip(takers, chosen):
                found = self.step(p, t, now, arguments) if works else None
                works = found is not None
                if works:
                    now, said = found
                    for what, args in said:
                        (more if any(what in takes for takes in self.takes) else out).append((what, tuple(args)))
            if works:
                yield from self.give(now, more, out, hops + 1)

    def graph(self):
        """Everything that can happen: state, input, outputs, next state."""
        edges, seen, queue = set(), {self.start}, [self.start]
        said = set().union(*self.says)
        for state in queue:
            for p, takes in enumerate(self.takes):
                for label, parameters in takes.items():
                    if label in said or any(label in self.takes[q] for q in range(p)):
                        continue
                    domains = self.parts[p][2].domains
                    for arguments in itertools.product(*(range(domains[n][0], domains[n][1] + 1) for n in parameters)):
                        for after, outputs in self.give(state, [(label, arguments)], []):
                            edges.add((self.named(state), label, arguments, outputs, self.named(after)))
                            if after not in seen:
                                seen.add(after)
                                queue.append(after)
        return edges

    def named(self, state):
        values = {f"{name}_{n}": v for (name, _, system), (_, own) in zip(self.parts, state) for n, v in zip(system.names, own)}
        return "|".join(place for place, _ in state), tuple(sorted(values.items()))


def graph_of(model):
    """The same of a model without parts."""
    brute.INPUTS = {i["label"]: i["params"] for i in model["inputs"]}
    system = brute.System(model)
    edges, seen, queue = set(), {system.start}, [system.start]
    named = lambda state: (state[0], tuple(sorted(zip(system.names, state[1]))))
    for state in queue:
        for t, arguments, after, says in system.steps(state):
            edges.add((named(state), t["input"], arguments, tuple((label, tuple(args)) for label, args in says), named(after)))
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return edges, len(seen)


def check(path):
    """How many moves both have."""
    whole = json.loads(path.read_text())
    parts = [(p["name"], json.loads((path.parent / p["model"]).read_text()) if isinstance(p["model"], str) else p["model"]) for p in whole["parts"]]
    interpreter = Whole(parts)
    expected = interpreter.graph()
    QUEUED.append(interpreter.queued)
    found, states = graph_of(json.loads(run("show", path, "--flat")))
    assert found == expected, (sorted(map(str, found ^ expected))[:4], path.read_text())
    visited = json.loads(run("check", path, "--json", code=None))["sheets"]["visited"]["row"]
    assert visited["states"] == states and visited["complete"]
    return len(found)


def part(rng, number, count):
    """A part that hears some messages m0, m1, .., says others, and an input S that several may have."""
    hears = [f"m{i}" for i in range(count) if i % count == number]
    says = [f"m{i}" for i in range(count) if i > number or i == number - 1 and rng.randrange(3) == 0] + ["X"]
    labels = hears + [f"E{number}"] + (["S"] if rng.randrange(2) else [])
    variables = [{"name": "p", "kind": "param", "lo": 0, "hi": 2}, {"name": "r", "kind": "out", "lo": 0, "hi": 2}]
    state = rng.sample(["x", "y"], rng.randrange(1, 3))
    variables += [{"name": n, "kind": "state", "lo": 0, "hi": 2, "init": 0} for n in state]
    locations = [f"l{i}" for i in range(rng.randrange(1, 3))]
    transitions = []
    for i in range(rng.randrange(3, 6)):
        label = labels[i] if i < len(labels) else rng.choice(labels)
        maker = brute.Maker(rng, state + ["p"])
        outputs = [{"label": rng.choice(says), "args": [maker.number(1)]} for _ in range(rng.choice([0, 1, 2, 2]))]
        transitions.append({"id": f"t{i}", "src": rng.choice(locations), "dst": rng.choice(locations), "input": label,
                            "guard": rng.choice(["true", "true", maker.condition(1)]), "outputs": outputs,
                            "update": {n: rng.choice([maker.number(1), f"{n} + 1", f"{n} - 1", f"({n} + p) % 3"]) for n in state if rng.randrange(3)}})
    for label, place in itertools.product(hears, locations):  # whatever comes can be taken, unless it leaves a domain for good
        transitions.append({"id": f"t{len(transitions)}", "src": place, "dst": rng.choice(locations), "input": label, "guard": "true",
                            "outputs": [{"label": "X", "args": ["p"]}], "update": {state[0]: rng.choice(["p", f"{state[0]} + p", f"({state[0]} + p) % 3"])}})
    return {"format": "efsm-json/1", "name": f"part{number}", "vars": variables, "locations": locations, "initial": "l0",
            "inputs": [{"label": k, "params": ["p"]} for k in labels], "outputs": [{"label": k, "params": ["r"]} for k in says],
            "transitions": transitions}


def check_random(folder):
    moves = refused = checked = 0
    for number in itertools.count():
        if checked == MODELS:
            break
        rng = random.Random(SEED * 1000003 + number)
        count = rng.randrange(2, 4)
        path = folder / "whole.json"
        path.write_text(json.dumps({"format": "efsm-json/1", "name": "whole",
                                    "parts": [{"name": f"q{i}", "model": part(rng, i, count)} for i in range(count)]}))
        said = run("show", path, "--flat", code=None)
        if not said.startswith("{"):
            assert "without end" in said or "never do anything" in said or "can overflow" in said or "more than 1000" in said, said
            refused += 1
            if "without end" in said:
                try:
                    check(path)
                except Endless:
                    continue
                raise AssertionError(path.read_text())
            continue
        moves += check(path)
        checked += 1
    assert moves > 10 * MODELS and sum(q > 1 for q in QUEUED) > MODELS / 8, QUEUED
    return moves, refused


def check_nested(folder):
    """A model with nested locations, and the same written out."""
    def transition(name, source, target, label, out):
        return {"id": name, "src": source, "dst": target, "input": label, "guard": "true", "update": {}, "outputs": [{"label": out, "args": []}]}
    common = {"format": "efsm-json/1", "name": "door", "vars": [], "inputs": [{"label": k, "params": []} for k in "ABC"],
              "outputs": [{"label": k, "params": []} for k in "XYZ"]}
    inner = {"name": "open", "initial": "wide.far", "locations": ["ajar", {"name": "wide", "initial": "near", "locations": ["near", "far"]}]}
    nested = common | {"locations": ["shut", inner], "initial": "shut", "transitions": [
        transition("enter", "shut", "open", "A", "X"), transition("swing", "open.wide", "open.ajar", "B", "Y"),
        transition("again", "open.ajar", "open.wide", "B", "Y"), transition("slam", "open", "shut", "C", "Z")],
        "goals": [{"name": "both", "ordered": True, "traps": [{"id": "a", "transition": "swing"}, {"id": "b", "transition": "slam"}]}]}
    names = "open.ajar", "open.wide.near", "open.wide.far"
    flat = common | {"locations": ["shut", *names], "initial": "shut", "transitions": [
        transition("enter", "shut", "open.wide.far", "A", "X"), transition("again", "open.ajar", "open.wide.near", "B", "Y"),
        *(transition(f"swing@{n}", n, "open.ajar", "B", "Y") for n in names[1:]), *(transition(f"slam@{n}", n, "shut", "C", "Z") for n in names)]}
    for name, model in (("nested", nested), ("flat", flat)):
        (folder / f"{name}.json").write_text(json.dumps(model))
    said = run("compare", folder / "nested.json", folder / "flat.json")
    shown = json.loads(run("show", folder / "nested.json", "--json"))["sheets"]["transitions"]["rows"]
    assert sorted((r["id"], r["source"], r["target"]) for r in shown) == sorted((t["id"], t["src"], t["dst"]) for t in flat["transitions"]), shown
    assert json.loads(run("plan", folder / "nested.json", "--goal", "both", "--json"))["length"] == 3
    assert json.loads(run("plan", folder / "nested.json", "--goal", "slam", "--json"))["length"] == 2
    for place, change, message in (("locations", ["shut", {"name": "open", "initial": "no", "locations": ["ajar"]}], 'there is no location "no" in "open"'),
                                   ("locations", ["shut", {"name": "open", "locations": ["ajar"]}], 'lacks the key "initial"'),
                                   ("locations", ["open.ajar", inner, "shut"], 'there is another location "open.ajar"'),
                                   ("initial", "open.wide.fat", 'unknown location "open.wide.fat"')):
        (folder / "bad.json").write_text(json.dumps(nested | {place: change}))
        assert message in run("show", folder / "bad.json", code=3), run("show", folder / "bad.json", code=3)
    return said


def check_refused(folder):
    parts = FOLDER / "parts"
    good = json.loads((parts / "inres.json").read_text())
    inner = [{"name": p["name"], "model": json.loads((parts / p["model"]).read_text())} for p in good["parts"]]
    def changed(number, **members):
        return [p | ({"model": p["model"] | members} if i == number else {}) for i, p in enumerate(inner)]
    several = inner[0]["model"]["inputs"] + [{"label": "CR", "params": []}]
    wide = [v | ({"hi": 2} if v["name"] == "o_number" else {}) for v in inner[1]["model"]["vars"]]
    for change, message in (
            ({"parts": []}, "has 0 items, expected 1 to 16"),
            ({"parts": [inner[0], inner[0]]}, 'there is another part "initiator"'),
            ({"parts": [inner[0] | {"name": "1st"}]}, 'expressions cannot name "1st"'),
            ({"parts": [inner[0] | {"model": good | {"parts": inner}}]}, "a part has no parts of its own"),
            ({"parts": changed(0, inputs=several)}, '"initiator" both takes and says "CR"'),
            ({"parts": changed(1, vars=wide)}, 'parameter 1 of "AK" is 0 .. 1 in "initiator" and 0 .. 2 in "medium"'),
            ({"parts": [inner[1] | {"model": inner[1]["model"]}, inner[2]], "vars": []}, "unknown key"),
            ({"parts": inner, "goals": [{"name": "g", "traps": [{"id": "a", "transition": "medium.lose"}]}]}, 'unknown transition "medium.lose"')):
        (folder / "bad.json").write_text(json.dumps(good | change))
        said = run("show", folder / "bad.json", code=3)
        assert message in said, (message, said)
    echo = {"format": "efsm-json/1", "name": "e", "vars": [], "locations": ["l"], "initial": "l", "inputs": [{"label": "A", "params": []}],
            "outputs": [{"label": "B", "params": []}], "transitions": [{"id": "t", "src": "l", "dst": "l", "input": "A", "guard": "true", "update": {},
                                                                       "outputs": [{"label": "B", "args": []}]}]}
    back = json.loads(json.dumps(echo).replace('"A"', '"?"').replace('"B"', '"A"').replace('"?"', '"B"'))
    start = back | {"inputs": back["inputs"] + [{"label": "GO", "params": []}], "transitions": back["transitions"] + [back["transitions"][0] | {"id": "go", "input": "GO"}]}
    for other, message in ((start, "parts answer each other without end"), (back, "together they never do anything")):
        (folder / "bad.json").write_text(json.dumps({"format": "efsm-json/1", "name": "w", "parts": [{"name": "a", "model": echo}, {"name": "b", "model": other}]}))
        assert message in run("show", folder / "bad.json", code=3)


def main():
    with tempfile.TemporaryDirectory(prefix="corridor-parts-") as name:
        folder = pathlib.Path(name)
        inres = FOLDER / "parts/inres.json"
        moves = check(inres)
        alone = folder / "alone.json"  # the Initiator, by itself, is the model of the paper up to names
        alone.write_text(json.dumps({"format": "efsm-json/1", "name": "alone", "parts": [
            {"name": "i", "model": str((FOLDER / "inres_initiator.json").resolve())}]}))
        own, states = graph_of(json.loads(run("show", alone, "--flat")))
        plain = lambda state: (state[0], tuple((n.removeprefix("i_"), v) for n, v in state[1]))
        assert ({(plain(e[0]), *e[1:4], plain(e[4])) for e in own}, states) == graph_of(json.loads((FOLDER / "inres_initiator.json").read_text()))
        run("test", inres, "--goal", "gives_up", "--runs", 1, "--possible-states", "--resets", 20, "-o", folder / "r.h5")
        subprocess.run([CORRIDOR, "replay", str(folder / "r.h5")], check=True, stdout=subprocess.DEVNULL)
        check_nested(folder)
        check_refused(folder)
        print(f"Inres: {moves} moves of the whole;", "%d moves of random ones, %d refused" % check_random(folder))


if __name__ == "__main__":
    main()
