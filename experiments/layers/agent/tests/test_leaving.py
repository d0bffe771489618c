#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that leave 64 bits: designs whose two contexts deny each other, with sums of X and Y, are covered unless a sum is undefined somewhere. Sums
are linear, so that corners tell where; Python reckons them. And what is open to `agent check` is not passed by `agent test`.

test_leaving.py CORRIDOR [DESIGNS [SEED]]"""
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LEAST, MOST = -(2**63), 2**63 - 1


def design(contexts, ranges):
    params = [{"name": name, "type": "int", "valid": [f">= {low}", f"<= {high}"]} for name, (low, high) in ranges.items()]
    plans = [{"name": f"P{i}", "trigger": "E", "context": context, "does": ["Act"], "body": [{"do": "Act"}]} for i, context in enumerate(contexts)]
    return {"format": "agent-unit/1", "agent": "Drawn", "types": {}, "entry": ["E"], "beliefs": [], "messages_out": [], "actions": [{"name": "Act"}],
            "events": [{"name": "E", "kind": "percept", "params": params, "coverage": "always", "overlap": "allowed"}], "plans": plans, "test": {"seed": 1}}


def total(terms, values):
    """The sum from left to right, each product and sum within 64 bits; None where one is not."""
    found = None
    for sign, factor, name in terms:
        term = factor * values[name] if name else factor
        found = term if found is None else found + sign * term
        if not LEAST <= term <= MOST or not LEAST <= found <= MOST:
            return None
    return found


def text_of(terms):
    parts = [(" + " if sign > 0 else " - ") + (f"{factor} * {name}" if name and factor != 1 else name or str(factor)) for sign, factor, name in terms]
    return "".join(parts).removeprefix(" + ")


def corridor(program, folder, *words):
    done = subprocess.run([program, "agent", *words, "--json"], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1, 7):
        sys.exit(f"{words}: {done.returncode} {done.stderr}")
    return done.returncode, json.loads(done.stdout)["sheets"]


def main(program, designs, seed):
    if b"Z3_mk_simple_solver" not in pathlib.Path(program).read_bytes():
        sys.exit(77)  # without it such values are not solved for
    rng = random.Random(seed)
    leaving = 0
    with tempfile.TemporaryDirectory(prefix="corridor-leaving-") as name:
        folder = pathlib.Path(name)
        for number in range(designs):
            ranges = {}
            for variable in "XY":
                end = rng.choice([100, 2**40, 2**61, 2**62 - 1, 2**62, MOST - 1])
                low = rng.choice([0, -5, -end])
                ranges[variable] = (low, end)
            terms = [(1, rng.choice([1, 1, 2]), "X"), (rng.choice([1, -1]), rng.choice([1, 1, 3]), "Y")]
            if rng.randrange(2):
                terms.append((rng.choice([1, -1]), rng.randrange(1, 10), None))
            sums, limit = text_of(terms), rng.randrange(-50, 50)
            corners = [dict(zip("XY", values)) for values in itertools.product(ranges["X"], ranges["Y"])]
            truth = any(total(terms, values) is None for values in corners)
            (folder / "d.json").write_text(json.dumps(design([f"{sums} > {limit}", f"{sums} <= {limit}"], ranges)))
            code, sheets = corridor(program, folder, "check", "d.json")
            rows = [row for row in sheets["findings"]["rows"] if row["check"] == "event_not_covered"]
            if (len(rows) > 0) != truth:
                sys.exit(f"design {number}: {sums} with {ranges}: {'covered' if not rows else rows}, not {truth}")
            for row in rows:
                values = {v: int(n) for v, n in re.findall(r"([XY]) = (-?\d+)", row["text"])}
                if row["ground"] != "witness" or total(terms, values) is not None or any(not ranges[v][0] <= n <= ranges[v][1] for v, n in values.items()):
                    sys.exit(f"design {number}: {sums} with {ranges}: no witness: {row}")
            leaving += truth
        contexts = [f"X = {i}" for i in range(70)] + ["X < 0 or X >= 70"]  # more at once than is asked
        (folder / "d.json").write_text(json.dumps(design(contexts, {"X": (-100, 100)})))
        checked, sheets = corridor(program, folder, "check", "d.json")
        tested, _ = corridor(program, folder, "test", "d.json")
        mutated = subprocess.run([program, "agent", "test", "d.json", "--tap"], cwd=folder, capture_output=True, text=True)
        if {row["ground"] for row in sheets["findings"]["rows"]} != {"open"} or (checked, tested, mutated.returncode) != (7, 7, 7) or "# SKIP" not in mutated.stdout:
            sys.exit(f"an open question: check {checked}, test {tested}, {mutated.returncode}: {sheets['findings']['rows']} {mutated.stdout}")
    print(f"{designs} designs, {leaving} of which leave 64 bits somewhere; what is open is 7")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 25, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
