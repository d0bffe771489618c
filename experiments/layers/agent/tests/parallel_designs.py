#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans with strands and posts that nothing waits for, drawn at random. Which of them race is decided here, by trying every interleaving of
every case: who does not race is never accused, what is said to race does, and nearly all who race are found out.

parallel_designs.py CORRIDOR FIRST COUNT"""
import json
import random
import subprocess
import sys
import tempfile

FIELDS = ("F", "G", "H")


def draw_strand(rng, fields):
    """Operations on the fields; most strands keep to their own, or only add."""
    operations = []
    for _ in range(rng.randrange(1, 4)):
        field = rng.choice(fields)
        kind = rng.choice(("add", "add", "add", "set", "copy", "look"))
        operations.append((kind, field, rng.randrange(1, 4) if kind != "copy" else rng.choice(fields)))
    return operations


def body_of(strand):
    texts = {"add": lambda f, n: {"set": f"b.{f}", "to": f"{f} + {n}"}, "set": lambda f, n: {"set": f"b.{f}", "to": n},
             "copy": lambda f, g: {"set": f"b.{f}", "to": g}, "look": lambda f, n: {"if": f"{f} > {n}", "then": [{"do": "Act"}]}}
    return [texts[kind](field, other) for kind, field, other in strand]


def design_of(strands, asides, seed):
    """The strands in one plan, the asides in plans of their own."""
    events = [{"name": "Go", "kind": "percept", "params": []}] + [{"name": f"E{a}", "kind": "internal", "params": []} for a in range(len(asides))]
    uses = {"does": ["Act"], "writes": ["b"]}
    plans = [{"name": "Main", "trigger": "Go", "posts": [f"E{a}" for a in range(len(asides))], **uses,
              "body": [{"post": f"E{a}", "wait": False} for a in range(len(asides))] + [{"parallel": [body_of(s) for s in strands]}]}]
    plans += [{"name": f"Aside{a}", "trigger": f"E{a}", **uses, "body": body_of(aside)} for a, aside in enumerate(asides)]
    return {"format": "agent-unit/1", "agent": "Drawn", "entry": ["Go"], "beliefs": [{"name": "b", "key": [], "fields": dict.fromkeys(FIELDS, "int")}],
            "events": events, "actions": [{"name": "Act"}], "plans": plans, "test": {"seed": seed}}


def outcomes_of(lines, start):
    """What can be left: fields, and for each plan what its strands did, in every interleaving."""
    seen, found, work = set(), set(), [(tuple(start), tuple((0, False, 0) for _ in lines))]
    while work:
        state = work.pop()
        if state in seen:
            continue
        seen.add(state)
        fields, places = state
        if all(at == len(line) and not due for (at, due, _), (_, line) in zip(places, lines)):
            did = tuple(sorted((plan, done) for (_, _, done), (plan, _) in zip(places, lines)))
            found.add((fields, did))
            continue
        for i, ((at, due, done), (_, line)) in enumerate(zip(places, lines)):
            if at == len(line) and not due:
                continue
            values = dict(zip(FIELDS, fields))
            if due:
                after = (at, False, done + 1)
            else:
                kind, field, other = line[at]
                after = (at + 1, kind == "look" and values[field] > other, done)
                if kind == "add":
                    values[field] += other
                elif kind == "set":
                    values[field] = other
                elif kind == "copy":
                    values[field] = values[other]
            work.append((tuple(values[f] for f in FIELDS), places[:i] + (after,) + places[i + 1:]))
    return found


def corridor_says(corridor, command, folder):
    done = subprocess.run([corridor, "agent", *command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def main(corridor, first, count):
    racing = missed = innocent = 0
    with tempfile.TemporaryDirectory(prefix="corridor-parallel-") as folder:
        for seed in range(first, first + count):
            rng = random.Random(seed)
            apart = rng.random() < 0.4
            parts = rng.randrange(2, 4)
            shared = [FIELDS if not apart else (FIELDS[i],) for i in range(parts)]
            asides = rng.randrange(0, parts - 1)
            drawn = [draw_strand(rng, fields) for fields in shared]
            strands, posted = drawn[asides:], drawn[:asides]
            with open(f"{folder}/d.json", "w", encoding="utf-8") as file:
                json.dump(design_of(strands, posted, seed), file)
            said = corridor_says(corridor, ("test", "d.json", "--unit", "PT(Main)", "--json", "--no-fail"), folder)
            rows = corridor_says(corridor, ("cases", "d.json", "--json"), folder)
            unit = next(unit for unit in rows["units"] if unit["unit"] == "PT(Main)")
            lines = [("Main", strand) for strand in strands] + [(f"Aside{a}", aside) for a, aside in enumerate(posted)]
            truth = set()
            for row in unit["rows"]:
                start = [row["beliefs"].get(f"b.{field}", 0) for field in FIELDS]
                outcomes = outcomes_of(lines, start)
                for i, field in enumerate(FIELDS):
                    if len({fields[i] for fields, _ in outcomes}) > 1:
                        truth.add(("race_over_belief", f"b.{field}"))
                for plan in {plan for plan, _ in lines}:
                    if len({tuple(d for d in did if d[0] == plan) for _, did in outcomes}) > 1:
                        truth.add(("race_in_outcome", plan))
            found = {(row["check"], row["about"]) for row in said["sheets"]["findings"]["rows"] if row["check"].startswith("race")}
            assert found <= truth, (seed, "accused", found - truth)
            racing += bool(truth)
            innocent += not truth
            missed += bool(truth) and not found
            if truth and not found:
                print("seed", seed, "not found:", sorted(truth))
    print(f"{count} designs: {racing} race, {missed} of them not found; {innocent} do not, none accused")
    sys.exit(missed > 0.02 * racing or racing < count // 5 or innocent < count // 5)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
