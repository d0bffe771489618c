#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs drawn at random whose contexts are relations that samples miss: the unchanged agent is never accused, and each fault that is
planted in a context is found. The second reading of a context is Python's own.

drawn_designs.py CORRIDOR FIRST COUNT"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile


def relation(rng):
    """A relation of X and Y that has a solution on valid values."""
    x, y = rng.randrange(1, 200), rng.randrange(1, 200)
    kind = rng.randrange(7)
    if kind == 0:
        return f"X * Y = {x * y}"
    if kind == 1:
        a, b = rng.randrange(1, 6), rng.randrange(1, 6)
        return f"{a} * X + {b} * Y = {a * x + b * y} and X - Y = {x - y}"
    if kind == 2:
        m, n = rng.choice((7, 11, 17)), rng.choice((5, 13, 19))
        return f"X % {m} = {x % m} and Y % {n} = {y % n}"
    if kind == 3:
        return f"X + Y > {x + y - 1} and X + Y < {x + y + 1} and X - Y = {x - y}"
    if kind == 4:
        return f"max(X, Y) = {max(x, y)} and min(X, Y) = {min(x, y)}"
    if kind == 5:
        return f"abs(X - Y) = {abs(x - y)} and X + Y = {x + y} and Colour = 'red'"
    return f"X + N = {x + y} and X = {x} + Deep"


def design(rng):
    """Some events, each with a plan of a relation, and for some of them a second plan for the rest."""
    events, plans = [], []
    for e in range(rng.randrange(1, 4)):
        text = relation(rng)
        params = [{"name": name, "type": "int", "valid": [">= 0"]} for name in ("X", "Y")] + [{"name": "Colour", "type": "Hue"}]
        shared = rng.random() < 0.5
        events.append({"name": f"E{e}", "kind": "percept", "params": params, "coverage": "always" if shared else "sometimes", "overlap": "never"})
        if not shared:
            del events[-1]["overlap"]
        plans.append({"name": f"P{e}", "trigger": f"E{e}", "context": text, "does": ["Act"], "body": [{"do": "Act"}]})
        if shared:
            plans.append({"name": f"R{e}", "trigger": f"E{e}", "context": f"not ({text})", "sends": ["Told"], "body": [{"send": "Told"}]})
    return {"format": "agent-unit/1", "agent": "Drawn", "types": {"Hue": ["red", "blue"]}, "entry": [event["name"] for event in events],
            "beliefs": [{"name": "store", "key": [], "fields": {"N": "int", "Deep": "int"}, "posts": []}],
            "events": events, "messages_out": [{"name": "Told"}], "actions": [{"name": "Act"}], "plans": plans,
            "test": {"seed": rng.randrange(1 << 30)}}


def faults(made, rng):
    """Of each plan its context false, true, and off by one; its body without what it does."""
    planted = []
    for plan in made["plans"]:
        text = plan["context"]
        at = max(i for i, letter in enumerate(text) if letter.isdigit() and not text[:i].count("'") % 2)
        first = at
        while first > 0 and text[first - 1].isdigit():
            first -= 1
        off = text[:first] + str(int(text[first:at + 1]) + rng.choice((-1, 1))) + text[at + 1:]
        for name, change in (("never", {"context": "1 = 2"}), ("always", {"context": None}), ("off", {"context": off}), ("idle", {"body": []})):
            planted.append({"name": f"{name} {plan['name']}", "plans": {plan["name"]: change}})
    return {"version": 1, "faults": planted}


def main(corridor, first, count):
    if b"Z3_mk_simple_solver" not in pathlib.Path(corridor).read_bytes():
        sys.exit(77)  # what samples miss is not solved for
    accused = missed = undecided = planted = cases = 0
    with tempfile.TemporaryDirectory(prefix="corridor-drawn-") as name:
        folder = pathlib.Path(name)
        for seed in range(first, first + count):
            rng = random.Random(seed)
            made = design(rng)
            (folder / "d.json").write_text(json.dumps(made))
            (folder / "f.json").write_text(json.dumps(faults(made, rng)))
            done = subprocess.run([corridor, "agent", "test", "d.json", "--faults", "f.json", "--json", "--no-fail", "--jobs", "1"],
                                  cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, (seed, done.stderr)
            sheets = json.loads(done.stdout)["sheets"]
            rows, arms = sheets["findings"]["rows"], [row["arm"] for row in sheets["arms"]["rows"]]
            against = [row for row in rows if row["arm"] == "none" and row["severity"] != "note"]
            against += [row for row in sheets.get("design", {"rows": []})["rows"] if row["severity"] != "note"]
            notes = [row for row in rows if row["arm"] == "none" and row["severity"] == "note"]
            accused += bool(against)
            undecided += bool(notes)
            cases += sheets["about"]["row"]["cases"]
            for row in against + notes:
                print("seed", seed, "accused" if row in against else "noted", row["check"], row["about"], row.get("sentence", row.get("text")))
            for arm in arms[1:]:
                planted += 1
                if not any(row["arm"] == arm and row["severity"] != "note" for row in rows):
                    missed += 1
                    print("seed", seed, "missed", arm, [plan["context"] for plan in made["plans"] if plan["name"] == arm.split()[1]])
    print(f"{count} designs, {cases} cases: {accused} accused, {undecided} noted; {planted} faults, {missed} missed")
    sys.exit(accused > 0 or missed > 0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
