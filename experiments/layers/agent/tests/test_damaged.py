#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs damaged at random - parts gone, doubled, of another kind, moved - are refused in words or made into cases; the
program that reads them never dies of it.

usage: test_damaged.py ORDER_LINES SOURCE_DIRECTORY DESIGNS"""
import copy
import json
import pathlib
import random
import subprocess
import sys

SOURCE = pathlib.Path(sys.argv[2])
DESIGNS = int(sys.argv[3])
BASES = [json.loads((SOURCE / name).read_text()) for name in
         ("experiments/layers/agent/tests/invalid/valid.json", "experiments/library/agents/stock_manager.json",
          "experiments/library/agents/fig4.json", "experiments/library/agents/paper_table1.json")]
TEXTS = ["", "x", ">= 0", "!= null", "Weight", "Weight + 1", "load.Weight", "Kilos > 'a'", "true", "null", "1/0 > 2", "int", "float",
         "string", "bool", "Size", "Pickup", "Drive", "PT(Go)", "((", "a.b", "'", "''", "1e400", "-9223372036854775808",
         "9223372036854775807 + 1 > 0", "< -9223372036854775808", "> 1e300", "== 0.5", "Km / 0 > 1", "not (Full)", "min(1,2) > Weight"]
VALUES = [None, True, 0, -1, 1, 2**63 - 1, -2**63, 0.5, 1e308, [], {}, [1], {"a": 1}]


def ways(value, way=()):
    """To all values but the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield way + (key,)
        yield from ways(inner, way + (key,))


def at(value, way):
    for key in way:
        value = value[key]
    return value


def damage(design, rng):
    found = list(ways(design))
    way = rng.choice(found)
    parent, key = at(design, way[:-1]), way[-1]
    what = rng.choice(("gone", "other", "other", "moved", "doubled"))
    if what == "gone":
        del parent[key]
    elif what == "other":
        parent[key] = rng.choice(VALUES + TEXTS + TEXTS + [[text] for text in TEXTS])
    elif what == "moved":
        parent[key] = copy.deepcopy(at(design, rng.choice(found)))
    elif isinstance(parent, list):
        parent.append(copy.deepcopy(parent[key]))
    else:
        parent[rng.choice(list(parent))] = copy.deepcopy(parent[key])


def main():
    rng = random.Random(7)
    lines = []
    for _ in range(DESIGNS):
        design = copy.deepcopy(rng.choice(BASES))
        for _ in range(rng.choice((1, 1, 1, 2))):
            damage(design, rng)
        lines.append(json.dumps(design))
    done = subprocess.run([sys.argv[1], "--cases"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    if done.returncode != 0 or len(answers) != DESIGNS:
        sys.exit(f"ended with {done.returncode} at {lines[len(answers)]}\n{done.stderr}")
    refused = sum("error" in json.loads(answer) for answer in answers)
    assert DESIGNS // 2 < refused < DESIGNS, "some are refused, some are good"
    print(f"{DESIGNS} damaged designs: {refused} refused, {DESIGNS - refused} made into cases")


main()
