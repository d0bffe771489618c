#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments of every kind of structure whose corridor is a text over attributes of agents: a sound arm, and
faults of the algorithm, of adoption and of the monitor, each found by who alone can see it; repeated bit for
bit, from suite files, too; failures as tests, and smaller.

  text_kinds.py CORRIDOR SUITES
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

CORRIDOR, SUITES = sys.argv[1], int(sys.argv[2])

SKY = {"states": ["dark", "bright"],
       "transitions": {"dark": {"dark": 0.7, "bright": 0.3}, "bright": {"dark": 0.4, "bright": 0.6}}}
ATTRIBUTES = {
    "capacity": {"real": [0, 500], "unit": "kW"},
    "load": {"real": [0, 500], "unit": "kW", "draw": [10, 20]},
    "tool": {"words": ["none", "crane", "drill"], "draw": {"crane": 1, "drill": 3}},
    "crew": {"integer": [0, 9], "draw": [1, 3]},
    "ready": "boolean",
    "spare": {"real": True, "unit": "kW", "is": "capacity - load"},
    "heavy": {"boolean": True, "is": "load > 15 or tool = 'crane'"},
    "rate": {"real": [0, 1.2], "is": "load / (crew - 1) / 10"},
    "hands": {"integer": [0, 20], "is": "crew * 2"},
    "drive": {"real": [0, 200], "is": "spare * value"},
    "pace": {"integer": [0, 9]}}
MODEL = {
    "corridor_model": 1, "agents": 24, "groups": {"count": 6}, "locations": "per_group", "mixed_groups": True,
    "environments": {"sky": {"profile": SKY}}, "attributes": ATTRIBUTES, "inertia": [0.3, 0.9],
    "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1},
                       "influence": {"dark": "on", "bright": "off"},
                       "attributes": {"capacity": {"level": {"on": 100, "off": 300}, "inertia": True},
                                      "ready": {"level": {"on": True, "off": False}},
                                      "pace": {"level": {"on": 3, "off": 4}}}},
              "roof": {"environment": "sky", "states": {"low": 0.2, "high": 0.8},
                       "influence": {"dark": "low", "bright": "high"},
                       "attributes": {"capacity": {"draw": [100, 300]}, "ready": True,
                                      "pace": {"level": {"low": 2, "high": 5}}}}},
    "invariant": {"threshold": 0.3}}

# Attributes of each type and source; values that an agent does not have; all forms that the monitor keeps.
# Nobody but an algorithm can keep sizes and number; the triggers may be violated as they like.
TEXT = """structure %s
attribute capacity: real 0 .. 500 [kW]
attribute load: real [kW]
attribute tool: words none, crane, drill
attribute crew: integer 0 .. 9
attribute ready: boolean
attribute heavy: boolean
attribute spare: real [kW]
attribute rate: real
attribute hands: integer
parameter size_min, count_min, count_max: integer
define supply(o): sum(a in o.members: a.capacity)
invariant sizes: all(o in organizations: count(o.members) >= size_min)
invariant number: count_min <= count(organizations) <= count_max
invariant cranes: count(a in agents where a.tool == 'crane' and a.hands >= 2 * a.crew) <= 24
trigger supplied: max(o in organizations: supply(o)) - min(o in organizations: supply(o)) <= 900
trigger ready: all(o in organizations: any(a in o.members: a.ready))
trigger ready for 2
trigger spares: min(o in organizations: sum(a in o.members where a.heavy: a.spare)) >= -10
trigger rates: all(o in organizations: all(a in o.members where a.rate >= 0: a.spare > 85))
trigger fast: all(o in organizations: any(a in o.members where a.rate >= 1: a.ready) or count(o.members) > 1)
trigger hands: sum(a in agents: a.hands) >= 10 and max(a in agents: a.crew) <= 3
trigger crews: max(o in organizations: min(a in o.members where a.tool == 'drill': a.crew)) <= 3"""

# Triggers of every form over attributes that are fixed, change, or are not there (rate, drive): the monitor
# keeps them, the oracle sees them from raw lists.
DECLARED = {"real [kW]": ["load", "spare", "capacity"], "real": ["drive", "rate"], "integer": ["crew", "pace", "hands"],
            "boolean": ["ready", "heavy"], "words none, crane, drill": ["tool"]}
TRIGGERS = [
    "all(o in organizations: all(a in o.members: a.drive <= 150))",
    "all(o in organizations: any(a in o.members: a.drive > 120))",
    "all(o in organizations: all(a in o.members where a.rate >= 0.5: a.drive <= 150))",
    "all(o in organizations: any(a in o.members where a.rate >= 1.1: a.drive > 60))",
    "max(o in organizations: sum(a in o.members where not a.heavy: a.drive)) <= 300",
    "max(o in organizations: max(a in o.members where a.crew < 2: a.drive)) <= 150",
    "any(o in organizations: min(a in o.members where a.tool == 'drill': a.drive) >= 60)",
    "max(a in agents: a.drive) <= 150 or min(a in agents where a.crew > 1: a.drive) < 9",
    "all(o in organizations: count(a in o.members where a.rate > 1) <= 0)",
    "all(o in organizations: all(a in o.members: a.rate <= 1.1))",
    "any(o in organizations: one(a in o.members: a.rate > 1.1))",
    "all(o in organizations: any(a in o.members where a.heavy: a.rate > 0.9))",
    "all(o in organizations: all(a in o.members where a.rate > 0.9: a.heavy))",
    "sum(a in agents where a.heavy and a.crew > 1: a.spare) <= 2000",
    "mean(a in agents where a.tool != 'none': a.hands) <= 5 and max(a in agents: a.pace) <= 4",
    "sum(o in organizations: max(a in o.members: a.pace)) <= 20",
    "all(o in organizations: any(a in o.members: not a.ready) or sum(a in o.members: a.pace) % 2 = 0)",
    "all(o in organizations: all(a in o.members where a.load > 15: a.ready))",
    "mean(o in organizations: mean(a in o.members: a.capacity)) <= 200",
    "all(o in organizations: all(a in o.members where a.rate >= 1: a.ready))",
    "all(o in organizations: any(a in o.members where a.rate >= 1: not a.ready) or count(o.members) < 5)",
    "all(o in organizations: any(a in o.members: a.pace > 4) or all(a in o.members: a.pace < 4))",
]

ALGORITHMS = {"partitioning": ("psopp", "f4"), "covering": ("greedy_cover", "forgets"),
              "overlapping": ("greedy_cover", "joins_twice"), "hierarchy": ("balanced_tree", "loop"),
              "tree": ("balanced_tree", "orphan")}


def corridor(*arguments, code=0):
    done = subprocess.run([CORRIDOR, *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout[-2000:], done.stderr)
    return done.stdout


def experiment(kind):
    algorithm, fault = ALGORITHMS[kind]
    model = json.loads(json.dumps(MODEL))
    model["structure"] = {"kind": kind, "size_min": 1, "count_min": 2, "count_max": 8}
    arms = {"sound": {}, "algorithm": {"fault": fault}, "adoption": {"adoption": {"fault": "lost", "probability": 0.02}},
            "missed": {"monitor": {"fault": "missed", "probability": 0.3}},
            "false": {"monitor": {"fault": "false", "probability": 0.3}}, "moves": {"judge_moves": True}}
    return {"corridor_experiment": 1, "name": kind, "seed": "0x4", "suites": SUITES, "sequences": 2, "cases": 30,
            "model": model, "corridor": (TEXT % kind).split("\n"),
            "arms": [dict(keys, name=name, algorithm=algorithm, returns=30) for name, keys in arms.items()]}


def table(result, name):
    return list(csv.DictReader(io.StringIO(corridor("export", result, "--table", name))))


def run(source, result):
    corridor("run", source, "-o", result, "--progress", "none", "--jobs", "1")
    return result


def two_ways_agree(folder):
    due = 0
    for number, trigger in enumerate(TRIGGERS):
        kind = list(ALGORITHMS)[number % len(ALGORITHMS)]
        made = experiment(kind)
        declared = ["attribute %s: %s" % (name, type) for type, names in DECLARED.items() for name in names]
        made.update(seed=hex(number + 1), suites=2, arms=[{"name": "right", "algorithm": "random"}],
                    corridor=["structure " + kind] + declared + ["trigger watched: " + trigger])
        path = os.path.join(folder, "trigger%d" % number)
        with open(path + ".json", "w", encoding="utf-8") as out:
            json.dump(made, out)
        cases = table(run(path + ".json", path + ".h5"), "cases")
        for row in cases:  # what is not known is no pass, and nobody's failure
            assert row["detect"] == ("undecided" if row["inside"] == "unknown" else "passed"), (kind, trigger, row)
            assert (row["alarm"] == "1") == (row["inside"] == "outside"), (kind, trigger, row)
        due += any(row["alarm"] == "1" for row in cases) and any(row["alarm"] == "0" for row in cases)
    assert due >= len(TRIGGERS) - 3, due


def who_found_what(kind, result):
    found = {}
    for row in table(result, "violations"):
        found.setdefault(row["arm"], set()).add(row["box"])
    # What an algorithm did wrong is seen in its result, and in the structure that it is adopted as.
    assert found.pop("algorithm") >= {"gray"}, kind
    # An agent that is nowhere is allowed where organizations overlap: then only agreement is broken.
    assert found.pop("adoption") == {"black"}, kind
    # A sound adoption may well have too many organizations on its way, and in trees empty ones.
    on_the_way = found.pop("moves", set())
    assert on_the_way == {"move"} if kind in ("hierarchy", "tree") else on_the_way <= {"move"}, (kind, on_the_way)
    assert found == {"missed": {"detect"}, "false": {"detect"}}, (kind, found)
    checks = {(row["arm"], row["check"]) for row in table(result, "violations") if row["box"] == "detect"}
    assert checks == {("missed", "alarm_missed"), ("false", "alarm_false")}, (kind, checks)


def constraints_seen(kind, result):
    """The triggers that were violated; unknown values were met, too."""
    rows = table(result, "constraints")
    assert any(row["verdict"] == "undecided" for row in rows), kind
    return {row["constraint"] for row in rows if row["verdict"] == "failed" and row["box"] == "detect"}


def main():
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        two_ways_agree(folder)
        doubled_members(folder)
        for kind in ALGORITHMS:
            base = os.path.join(folder, kind)
            with open(base + ".json", "w", encoding="utf-8") as out:
                json.dump(experiment(kind), out)
            result = run(base + ".json", base + ".h5")
            who_found_what(kind, result)
            seen |= constraints_seen(kind, result)
            # The same once more, and from files of suites.
            said = corridor("replay", result)
            assert "equal: yes" in said, (kind, said)
            corridor("plan", base + ".json", "-o", base, "--suites")
            again = run(base, base + "-again.h5")
            for name in ("cases", "reorganizations", "violations", "constraints", "formulas"):
                assert table(again, name) == table(result, name), (kind, name)
            for arm in ("algorithm", "adoption") + (("moves",) if kind in ("hierarchy", "tree") else ()):
                smaller(kind, result, arm, base + "-" + arm)
    assert seen >= {"supplied", "ready", "rates", "fast"}, seen
    print("%d kinds" % len(ALGORITHMS))


def doubled_members(folder):
    """Who is listed twice counts twice of a solution, and once of the structure that it is adopted as: for both boxes and the monitor."""
    limits = {"total": lambda block, load: sum(load[a] for a in block) <= 9, "many": lambda block, load: len(block) <= 4,
              "average": lambda block, load: 4 * sum(load[a] for a in block) <= 9 * len(block)}
    texts = {"total": "sum(a in o.members: a.load) <= 9", "many": "count(o.members) <= 4", "average": "mean(a in o.members: a.load) <= 2.25"}
    made = experiment("overlapping")
    made["model"].update(agents=10, attributes={"load": {"integer": [0, 9], "draw": [1, 4]}}, structure={"kind": "overlapping", "size_min": 1, "count_min": 3, "count_max": 5})
    for type in made["model"]["types"].values():
        del type["attributes"]
    made.update(suites=30, cases=20, arms=[{"name": "twice", "algorithm": "greedy_cover", "fault": "joins_twice", "returns": 30}],
                corridor=["structure overlapping", "attribute load: integer", "attribute value: real", "parameter count_min, count_max: integer",
                          "invariant number: count_min <= count(organizations) <= count_max",
                          *("invariant %s: all(o in organizations: %s)" % item for item in texts.items()),
                          "trigger watched: all(o in organizations: sum(a in o.members: a.value) <= 1.8 and sum(a in o.members: a.load) <= 9)"])
    path = os.path.join(folder, "doubled")
    with open(path + ".json", "w", encoding="utf-8") as out:
        json.dump(made, out)
    result = run(path + ".json", path + ".h5")
    loads, seen = {}, {}
    for row in table(result, "attributes"):
        loads.setdefault(row["suite"], []).append(float(row["value"]))
    for row in table(result, "constraints"):
        seen.setdefault((row["suite"], row["sequence"], row["case"]), set()).add((row["box"], row["constraint"], row["verdict"]))
    sizes, members = ([int(row[name]) for row in table(result, "vectors/" + name)] for name in ("solution_block_size", "solution_member"))
    differ = 0
    for row in table(result, "failures"):
        at, first, blocks = int(row["member_start"]), int(row["block_start"]), []
        for size in sizes[first:first + int(row["blocks"])]:
            blocks.append(members[at:at + size])
            at += size
        rows = seen.get((row["suite"], row["sequence"], row["case"]), set())
        for name, holds in limits.items():
            wanted = {"gray": all(holds(block, loads[row["suite"]]) for block in blocks), "black": all(holds(set(block), loads[row["suite"]]) for block in blocks)}
            for box, is_kept in wanted.items():
                assert ((box, name, "failed") in rows) == (not is_kept), (row, name, box, blocks, rows)
            differ += wanted["gray"] != wanted["black"]
    assert differ >= 10, differ
    assert not any(row["box"] == "detect" for row in table(result, "violations"))  # the monitor and the oracle count alike


def smaller(kind, result, arm, base):
    """A failure of the arm is a test that fails, is made smaller, and fails still, for the same constraint."""
    failure = next(row for row in table(result, "violations") if row["arm"] == arm)
    key = "/".join(failure[name] for name in ("arm", "suite", "sequence", "case"))
    corridor("replay", result, "--failure", key, "-o", base + ".json")
    corridor("replay", base + ".json", "--expect", "failing")
    corridor("shrink", base + ".json", "-o", base + "-small.json", "--budget", "100", "--free")
    corridor("replay", base + "-small.json", "--expect", "failing")
    with open(base + ".json", encoding="utf-8") as text:
        whole = json.load(text)
    with open(base + "-small.json", encoding="utf-8") as text:
        small = json.load(text)
    assert small["agents"] < whole["agents"], (kind, arm)
    assert [a["name"] for a in small["attributes"]] == list(ATTRIBUTES), (kind, arm)
    assert small["corridor"] == (TEXT % kind).split("\n"), (kind, arm)
    assert small.get("kind", "partitioning") == kind, (kind, arm)


main()
