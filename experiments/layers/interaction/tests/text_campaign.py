#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns whose corridor is a text, through the command: beside the built-in corridor, with faults that one
thing alone can see, and with triggers of every form that the monitor keeps.

  text_campaign.py CORRIDOR LIBRARY SUITES
"""
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile

CORRIDOR, LIBRARY, SUITES = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
COUNT = 0

PAPER = """structure partitioning
parameter size_min, size_max, count_min, count_max: integer
parameter threshold
define level(o): mean(a in o.members: a.value)
invariant sizes: all(o in organizations: size_min <= count(o.members) <= size_max)
invariant number: count_min <= count(organizations) <= count_max
trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= threshold"""

SKY = {"states": ["dark", "bright"],
       "transitions": {"dark": {"dark": 0.7, "bright": 0.3}, "bright": {"dark": 0.4, "bright": 0.6}}}
MODEL = {
    "corridor_model": 1, "agents": 24, "groups": {"count": 6}, "locations": "per_group", "mixed_groups": True,
    "structure": {"size_min": 2, "size_max": 20, "count_min": 2, "count_max": 4},
    "environments": {"sky": {"profile": SKY}},
    "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1},
                       "influence": {"dark": "on", "bright": "off"}},
              "roof": {"environment": "sky", "states": {"low": 0.2, "high": 0.8},
                       "influence": {"dark": "low", "bright": "high"}}},
    "invariant": {"threshold": 0.3}}


def run(experiment, folder, *options):
    """Runs an experiment; its tables by name."""
    global COUNT
    COUNT += 1
    path = os.path.join(folder, "e%d.json" % COUNT)
    with open(path, "w", encoding="utf-8") as out:
        json.dump(experiment, out)
    result = path[:-5] + ".h5"
    subprocess.run([CORRIDOR, "run", path, "-o", result, "--progress", "none", "--jobs", "1", *options], check=True,
                   stdout=subprocess.DEVNULL)

    def table(name):
        text = subprocess.run([CORRIDOR, "export", result, "--table", name], check=True, capture_output=True,
                              text=True).stdout
        return list(csv.DictReader(io.StringIO(text)))

    return table, result


def experiment(corridor, arms, suites=6, cases=40, seed="0x4"):
    return {"corridor_experiment": 1, "name": "text", "seed": seed, "suites": suites, "sequences": 2,
            "cases": cases, "model": MODEL, "corridor": corridor, "arms": arms}


def beside_the_built_in(folder, name):
    """The same verdicts and alarms, case by case."""
    with open(os.path.join(LIBRARY, name), encoding="utf-8") as text:
        built_in = json.load(text)
    built_in.update(suites=SUITES, sequences=2)
    built_in["model"] = os.path.join(LIBRARY, built_in["model"])
    by_text = dict(built_in, corridor=PAPER.split("\n"))
    expected, _ = run(built_in, folder)
    found, _ = run(by_text, folder)
    assert found("cases") == expected("cases"), name
    assert found("sequences") == expected("sequences"), name
    before, after = expected("reorganizations"), found("reorganizations")
    assert len(before) == len(after) > 0
    for a, b in zip(before, after):
        for column in a:
            if column in ("gray_violations", "black_violations"):
                assert (int(a[column]) > 0) == (int(b[column]) > 0), (name, a, b)
            elif column != "inside_after":  # under a text that is all of it: sizes, too
                assert a[column] == b[column], (name, column, a, b)
            elif a["black"] == "passed":
                assert a[column] == b[column], (name, column, a, b)
    return len(found("cases"))


FOUR = """structure partitioning
parameter threshold
define level(o): mean(a in o.members: a.value)
invariant number: count(organizations) <= 4
invariant sizes: all(o in organizations: 1 <= count(o.members) <= 23)
trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= threshold"""


def each_sees_its_own(folder):
    """One corridor, which R-Detect, gray box, black box, moves and time each see violated alone."""
    arms = {
        "sound": ({}, set()),
        "missed": ({"monitor": {"fault": "missed", "probability": 0.3}}, {("detect", "alarm_missed")}),
        "false": ({"monitor": {"fault": "false", "probability": 0.1}}, {("detect", "alarm_false")}),
        "late": ({"monitor": {"fault": "late", "delay": 1}}, {("detect", "alarm_missed")}),
        "gray": ({"result": {"fault": "agent_dropped", "probability": 0.3}}, {("gray", "agent_missing")}),
        "black": ({"adoption": {"fault": "lost", "probability": 0.01}}, {("black", "agent_missing")}),
        "time": ({"activation_delay": 6, "returns": 2}, {("time", "formula_violated")}),
        "moves": ({"judge_moves": True}, {("move", "constraint_violated")}),
    }
    table, result = run(experiment(FOUR.split("\n"),
                              [dict(keys, name=name, algorithm="psopp") for name, (keys, _) in arms.items()]),
                   folder)
    seen = {name: set() for name in arms}
    for row in table("violations"):
        seen[row["arm"]].add((row["box"], row["check"]))
    for name, (_, expected) in arms.items():
        assert seen[name] == expected, (name, seen[name])
    said = {row["arm"]: row["sentence"] for row in table("violations")}
    assert said["moves"] == '"number" does not hold: count(organizations) <= 4', said["moves"]
    assert said["time"].startswith('"returns" does not hold: back inside'), said["time"]
    # What is said of time has a row a sequence, and what was violated its case.
    formulas = table("formulas")
    assert len(formulas) == len(arms) * 12
    failed = {(row["suite"], row["sequence"], row["decided"]) for row in formulas if row["verdict"] == "failed"}
    violated = {(row["suite"], row["sequence"], row["case"]) for row in table("violations") if row["box"] == "time"}
    assert failed == violated and len(failed) >= 3, (failed, violated)
    for row in table("returns"):
        late = int(row["back"]) - int(row["case"]) if row["back"] != "0" else None
        assert late is None or late == int(row["outside"]), row
        # of none: it was inside at once, or not of its kind, which only a fault of adoption makes it
        assert row["constraint"] != "65535" if row["outside"] != "0" and row["arm"] != "black" else True, row
        assert row["outside"] != "0" or row["constraint"] == "65535", row
    assert {row["constraint"] for row in table("constraints") if row["arm"] == "moves"} >= {"number"}
    shown = subprocess.run([CORRIDOR, "show", result, "tables", "--json"], capture_output=True, text=True,
                           check=True).stdout
    sheets = json.loads(shown)["sheets"]
    by = {(row["arm"], row["constraint"]): row for row in sheets["constraints"]["rows"]}
    assert by["time", "returns"]["sequences"] == sum(row["arm"] == "time" for row in formulas
                                                     if row["verdict"] == "failed") > 0
    assert by["moves", "number"]["move"] > 0 and by["sound", "number"]["move"] == 0
    looks = sum(row["inside"] == "outside" for row in table("cases") if row["arm"] == "gray")
    assert by["gray", "balance"]["looks"] == looks > 0
    back = {row["arm"]: row for row in sheets["returns"]["rows"]}
    assert back["time"]["by"] == "balance" and back["time"]["latest"] > 2 and back["sound"]["alarms"] > 0
    assert not any(identity["broken"] for identity in sheets["identities"]["rows"])
    tap = subprocess.run([CORRIDOR, "export", result, "--format", "tap"], capture_output=True, text=True,
                         check=True).stdout
    assert 'message: "does not return: \\"returns\\" is violated in' in tap, tap
    assert "between two moves of" in tap
    a_file_is_judged_afterwards(folder, table, result)


def a_file_is_judged_afterwards(folder, table, result):
    """By the corridor of its experiment, which says the same again, and by one that was written after it."""
    path = os.path.join(folder, "after.corridor")

    def judge(corridor, code):
        with open(path, "w", encoding="utf-8") as out:
            out.write(corridor)
        done = subprocess.run([CORRIDOR, "judge", path, result, "--json"], capture_output=True, text=True)
        assert done.returncode == code, (done.returncode, done.stderr)
        rows = json.loads(done.stdout)["sheets"]["constraints"]["rows"]
        return {(row["arm"], row["constraint"]): row for row in rows}

    # The rule of returning that an arm has is the experiment's; here it is said for all.
    same = judge(FOUR.replace("structure partitioning", "structure partitioning\n"
                              "temporal returns: always (alarm implies (eventually[0, 2] inside or not next[2, 2] true))"), 1)
    formulas = [row for row in table("formulas") if row["arm"] == "time"]
    assert same["time", "returns"]["judged"] == len(formulas) == 12
    assert same["time", "returns"]["violated"] == sum(row["verdict"] == "failed" for row in formulas) > 0
    black = sum(row["box"] == "black" and row["arm"] == "black" for row in table("violations"))
    assert same["black", "partitioning"]["violated"] == black > 0
    cases = sum(row["arm"] == "sound" for row in table("cases"))
    assert same["sound", "balance"]["judged"] == cases and same["sound", "number"]["violated"] == 0
    # Initial structures, which no algorithm made, are said apart, and judged by invariants alone.
    initial = {name: [same["sound", name][f"initial{what}"] for what in ("", "_violated", "_unknown")] for name in ("balance", "number", "returns", "partitioning")}
    assert initial == {"balance": [None] * 3, "number": [6, 0, 0], "returns": [None] * 3, "partitioning": [None] * 3}, initial
    # Balance after a case: as the file has it where there was a reorganization, else as the case looked.
    outside = {(r["suite"], r["sequence"], r["case"]): float(r["dissimilarity"]) > 0.300001 for r in table("cases")
               if r["arm"] == "late"}
    outside.update({(r["suite"], r["sequence"], r["case"]): float(r["dissimilarity_after"]) > 0.300001
                    for r in table("reorganizations") if r["arm"] == "late"})
    assert same["late", "balance"]["violated"] == sum(outside.values()) > 0
    after = judge("structure partitioning\n"
                  "invariant many: count(organizations) >= 1\n"
                  "trigger alike: all(o in organizations: all(p in organizations: "
                  "abs(count(o.members) - count(p.members)) <= 23))\n", 1)  # organizations within each other: no monitor
    assert after["sound", "many"]["violated"] == after["sound", "alike"]["violated"] == 0


def an_alarm_waits(folder):
    """"for 3" beside the measure that the cases have: from the third case on end an alarm is due."""
    corridor = FOUR.split("\n") + ["trigger balance for 3"]
    table, _ = run(experiment(corridor, [{"name": "A", "algorithm": "random"}], cases=120), folder)
    outside, alarms, last = 0, 0, None
    for row in table("cases"):
        if (row["suite"], row["sequence"]) != last:
            last, outside = (row["suite"], row["sequence"]), 0
        outside = outside + 1 if float(row["dissimilarity"]) > 0.3 else 0
        assert (row["alarm"] == "1") == (outside >= 3), row
        assert row["detect"] == "passed"
        alarms += row["alarm"] == "1"
    assert alarms >= 10, alarms


# Triggers of every form, and some that need a parameter of the arm; each is watched by the monitor, and seen
# by the oracle from raw lists.
TRIGGERS = [
    "max(o in organizations: sum(a in o.members: a.value)) <= 6.05",
    "all(o in organizations: mean(a in o.members: a.value) >= 0.31)",
    "all(o in organizations: max(a in o.members: a.value) - min(a in o.members: a.value) <= 0.75)",
    "all(o in organizations: all(a in o.members: a.value <= 0.85))",
    "all(o in organizations: any(a in o.members where a.type == 'roof': a.value > 0.5))",
    "all(o in organizations: any(a in o.members: a.type == 'lamp'))",
    "all(o in organizations where count(o.members) > 3: one(a in o.members: a.type == 'lamp') or "
    "mean(a in o.members where a.type == 'roof': a.value) <= 0.61)",
    "sum(a in agents where a.type == 'lamp': a.value) <= 7.05 and mean(a in agents: a.value) < 0.61",
    "count(o in organizations where sum(a in o.members: a.value) > 3.05) <= 1",
    "one(o in organizations: min(a in o.members: a.value) < 0.15) or count(organizations) % 2 = 0",
    "mean(o in organizations: sum(a in o.members: a.value) / count(o.members)) <= threshold + 0.21",
    "abs(max(o in organizations: count(o.members)) - 2 * min(o in organizations: count(o.members))) <= 9 "
    "implies sum(o in organizations: max(a in o.members: a.value)) <= 3.55",
    "min(a in agents: a.value) >= 0.2 or not all(o in organizations: count(o.members) / 2 <= 4)",
    "max(sum(a in agents: a.value), 3.0) / ceil_div(count(agents), 2) <= 1.01",
    "all(o in organizations: count(a in o.members where a.type == 'roof' and not a.group == '0') >= 1)",
]


def two_ways_agree(folder):
    due = 0
    triggers = TRIGGERS[::3] if SUITES == 1 else TRIGGERS  # each is a campaign, and takes its time to begin
    for number, trigger in enumerate(triggers):
        corridor = ["structure partitioning", "parameter threshold", "trigger watched: " + trigger]
        if number % 2 == 0:
            corridor.append("trigger watched for 2")
        arms = [{"name": "right", "algorithm": "random"},
                {"name": "wrong", "algorithm": "random", "monitor": {"fault": "missed", "probability": 1}}]
        made = experiment(corridor, arms, suites=3, seed=hex(number + 1))
        made["mode"] = "paired"
        table, _ = run(made, folder)
        cases = table("cases")
        right = [row for row in cases if row["arm"] == "right"]
        wrong = [row for row in cases if row["arm"] == "wrong"]
        for row in right:  # what is not known is no pass, and nobody's failure
            assert row["detect"] == ("undecided" if row["inside"] == "unknown" else "passed"), (trigger, row)
        # Without an alarm nothing is reorganized: the first that was due is the first that is missed.
        first = [next((int(row["case"]) for row in rows if row["suite"] == "0" and row["sequence"] == "0" and
                       row[column] == value), None)
                 for rows, column, value in ((right, "alarm", "1"), (wrong, "detect", "failed"))]
        assert first[0] == first[1], (trigger, first)
        due += any(row["alarm"] == "1" for row in right) and any(row["alarm"] == "0" for row in right)
    assert due >= len(triggers) - 3, due


def fractions_are_followed(folder):
    """Means of integers are fractions: what rounding would decide, such as m / 49 * 49 <= m, monitors do not fail at, and an objective."""
    pace = {"pace": {"integer": [0, 9]}}
    types = {name: {**kind, "attributes": {"pace": {"level": dict(zip(kind["states"], levels))}}}
             for (name, kind), levels in zip(MODEL["types"].items(), ((3, 4), (2, 7)))}
    corridor = ["structure partitioning", "attribute pace: integer 0 .. 9", "parameter threshold",
                "define pace_of(o): mean(a in o.members: a.pace)",
                "define same(v, w): v / 49 * 49 <= w and not v / 49 * 49 < w and v / 3 + v / 6 = v / 2",
                "trigger same: all(o in organizations: same(pace_of(o), pace_of(o)))",
                "trigger near: max(o in organizations: pace_of(o)) - min(o in organizations: pace_of(o)) <= 1",
                "objective aim: count(o in organizations where pace_of(o) / 49 * 49 < pace_of(o))"]
    made = experiment(corridor, [{"name": "whole", "algorithm": "random"},
                                 {"name": "parts", "algorithm": "random", "monitor": {"algorithm": "exact", "rest": "global"}}], suites=2)
    made["model"] = {**MODEL, "attributes": pace, "types": types}
    table, _ = run(made, folder)
    assert {row["detect"] for row in table("cases")} == {"passed"}
    assert {row["alarm"] for row in table("cases")} == {"0", "1"} and "same" not in {row["constraint"] for row in table("constraints")}


def the_initial_structure_is_said(folder):
    corridor = ["structure partitioning", "attribute type: words lamp, roof",
                "invariant lone: count(organizations) = 1",
                "invariant half: all(o in organizations: count(o.members) / 0 > 1)",
                "trigger some: count(organizations) > 0"]
    table, _ = run(experiment(corridor, [{"name": "A", "algorithm": "random"}], suites=2), folder)
    rows = [(row["suite"], row["case"], row["box"], row["constraint"], row["verdict"]) for row in
            table("constraints") if row["case"] == "0"]
    assert sorted(rows) == [(s, "0", "black", c, v) for s in ("0", "1") for c, v in
                            (("half", "undecided"), ("lone", "failed"))], rows
    # Unknown without a violation is no pass.
    corridor.pop(2)
    arm = {"name": "A", "algorithm": "random", "monitor": {"fault": "false", "probability": 0.2}}
    table, _ = run(experiment(corridor, [arm], suites=2), folder)
    verdicts = {(row["gray"], row["black"]) for row in table("reorganizations")}
    assert verdicts == {("undecided", "undecided")}, verdicts


def an_algorithm_that_is_never_called_has_no_verdict(folder):
    """It did not fail, and was not asked."""
    corridor = ["structure partitioning", "trigger some: count(organizations) > 0"]
    path, result = os.path.join(folder, "never.json"), os.path.join(folder, "never.h5")
    arms = [{"name": "A", "algorithm": "random"}, {"name": "B", "algorithm": "psopp", "fault": "f1"}]
    for kept, code in ((arms[:1], 7), (arms, 1)):
        with open(path, "w", encoding="utf-8") as out:
            json.dump(experiment(corridor, kept, suites=2), out)
        for options, expected in (([], 0), (["--fail-on", "any"], code)):
            done = subprocess.run([CORRIDOR, "run", path, "-o", result, "--force", "--progress", "none", *options],
                                  capture_output=True, text=True)
            said = " ".join(done.stdout.split())
            assert done.returncode == expected, (options, done)
            assert "never called the algorithm of A" in said and "no check failed" not in said, said
    assert "without a verdict: 1" not in done.stderr, done.stderr  # one whose fault was not found is worse
    listed = subprocess.run([CORRIDOR, "show", result, "tables", "--json"], capture_output=True, text=True, check=True).stdout
    found = {row["arm"]: row for row in json.loads(listed)["sheets"]["found"]["rows"]}
    assert found["A"]["verdict"] == "undecided" and "was never called" in found["A"]["why"], found
    assert found["B"]["verdict"] == "not reached", found
    junit = subprocess.run([CORRIDOR, "export", result, "--format", "junit"], capture_output=True, text=True, check=True).stdout
    assert junit.count("<skipped") == 1, junit


def plan(folder, corridor, agents, code=0, options=("--json",), kind="partitioning", parameters=None, arms=None, measured=False, fallback=None):
    """What `plan` says of the arms, and what it prints."""
    made = experiment(corridor, arms or [{"name": "A", "algorithm": "random" if kind == "partitioning" else "greedy_cover"}])
    made["model"] = dict(MODEL, agents=agents, groups={"count": 1}, structure={"kind": kind, "size_min": 1, "size_max": 9, "count_min": 1},
                         invariant={"threshold": {"alarm_rate": 0.2, "pilot_cases": 20, "pilot": "random"} if measured else 1},
                         **({"parameters": parameters} if parameters else {}), **({"fallback": fallback} if fallback else {}))
    path = os.path.join(folder, "plan.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump(made, out)
    said = subprocess.run([CORRIDOR, "plan", path, "--pilot", "0", *options], capture_output=True, text=True)
    assert said.returncode == code, (corridor, agents, said.stdout, said.stderr)
    assert code == 0 or "contradictory constraints: " in said.stderr, said.stderr
    return json.loads(said.stdout)["corridor"] if options else said.stdout + said.stderr


def has_z3(folder):
    return "without z3" not in plan(folder, ["structure partitioning", "trigger t: true"], 3)[0]["why"]


def sizes_of(agents, most=None):
    """The sizes of the organizations of all partitionings, the largest first."""
    if agents == 0:
        yield ()
    for first in range(min(agents, most or agents), 0, -1):
        for rest in sizes_of(agents - first, first):
            yield (first, *rest)


def plan_knows_which_corridors_are_empty(folder):
    """Beside all sizes that partitionings can have; each line of a conflict is needed, and they suffice."""
    draw = random.Random(31)
    parts = {"least": "all(o in organizations: count(o.members) >= %d)", "most": "all(o in organizations: count(o.members) <= %d)",
             "few": "count(organizations) <= %d", "many": "count(organizations) >= %d", "times": "all(o in organizations: count(o.members) %% %d = 0)"}
    holds = {"least": lambda sizes, n: min(sizes) >= n, "most": lambda sizes, n: max(sizes) <= n, "few": lambda sizes, n: len(sizes) <= n,
             "many": lambda sizes, n: len(sizes) >= n, "times": lambda sizes, n: all(size % n == 0 for size in sizes)}
    seen = {True: 0, False: 0}
    for _ in range(4 + 8 * SUITES):
        agents, chosen = draw.randint(2, 9), {name: draw.randint(1, 4) for name in draw.sample(sorted(parts), 3)}
        corridor = ["structure partitioning"] + ["trigger %s: %s" % (name, parts[name] % n) for name, n in chosen.items()]
        def can_hold(names):
            return any(all(holds[name](sizes, chosen[name]) for name in names) for sizes in sizes_of(agents))
        right = can_hold(chosen)
        (row,) = plan(folder, corridor, agents, 0 if right else 3)
        assert row["answer"] == ("satisfiable" if right else "empty"), (corridor, agents, row)
        assert (row["agents_low"], row["agents_high"]) == (agents, agents), row
        seen[right] += 1
        if right:
            assert row["why"].startswith("for example with %d agent" % agents) and row["conflict"] is None, row
            continue
        lines = row["conflict"].split("\n")
        names = [line.split(": ")[2] for line in lines]
        assert not can_hold(names) and all(can_hold([n for n in names if n != name]) for name in names), (corridor, agents, names)
        for line, name in zip(lines, names):
            number = 2 + list(chosen).index(name)
            assert line.endswith("plan.json: /corridor:%d: %s: %s" % (number, name, parts[name] % chosen[name])), line
    assert min(seen.values()) >= 3, seen


def plan_claims_nothing_of_what_was_too_large(folder):
    pairs = ["structure partitioning", "trigger pairs: all(o in organizations: count(o.members) % 2 = 0)"]
    threes = ["structure partitioning", "trigger pairs: all(o in organizations: count(o.members) = 2)",
              "trigger threes: all(o in organizations: count(o.members) = 3)"]
    values = ["structure partitioning", "parameter k: integer", "trigger wide: any(a in agents: a.value > 0.5)", "invariant small: k <= 3"]
    size = ["structure partitioning", "parameter size_max", "trigger wide: all(o in organizations: count(o.members) > size_max)"]
    level = ["structure partitioning", "parameter threshold"]
    ranges = [{"n": [30, 40]}, {"k": [4, 9]}]
    over = "it cannot hold with 16 organizations or fewer, and more are not asked about; see pairs, threes"
    cases = [  # corridor, agents, more, answer, why
        (pairs, 13, {}, "empty", "this never holds"),
        (pairs, 12, {}, "satisfiable", "for example with 12 agents in "),
        (pairs, 61, {}, "undecided", "it has 61 agents, and z3 is asked about 32 at most"),
        (pairs, 33, {}, "undecided", "it has 33 agents, and z3 is asked about 32 at most"),
        (threes, 12, {}, "empty", "these contradict each other"),
        (threes, 18, {}, "undecided", over),
        (pairs, "n", {"parameters": ranges}, "satisfiable", "for example with 30 agents in "),
        (pairs + ["invariant odd: count(agents) = 41"], "n", {"parameters": ranges}, "undecided",
         "it cannot hold with 30 to 32 agents, and more are not asked about"),
        (values, "n", {"parameters": ranges}, "empty", "this never holds"),  # whatever there are of agents
        (values, 1000, {"parameters": ranges}, "empty", "this never holds"),
        (values, 9, {"parameters": ranges}, "empty", "this never holds"),
        (values, 9, {"parameters": ranges, "fallback": [{"k": [1, 2]}]}, "satisfiable", "for example with 9 agents in "),
        (["structure partitioning", "trigger high: all(a in agents: a.value > 1)"], 9, {}, "empty", "this never holds"),
        (["structure partitioning", "trigger other: all(a in agents: a.type == 'lamp' and a.type == 'roof')"], 9, {}, "empty", "this never holds"),
        (size, 9, {}, "empty", "this never holds"),  # no algorithm here is held to a size
        (level + ["trigger wide: any(a in agents: a.value > threshold)"], 9, {}, "empty", "this never holds"),
        (level + ["trigger some: true", "invariant wide: any(a in agents: a.value + threshold > threshold + 1)"], 9, {"measured": True}, "undecided",
         'it cannot hold with "threshold" within 1000000000 of 0, and it may be beyond'),
        ([threes[0].replace("partitioning", "covering"), *threes[1:]], 8, {"kind": "covering"}, "undecided", over),
        ([threes[0].replace("partitioning", "covering"), *threes[1:], "invariant few: 1 <= count(organizations) < 6"], 8, {"kind": "covering"},
         "empty", "these contradict each other"),
    ]
    for corridor, agents, more, answer, why in cases:
        (row,) = plan(folder, corridor, agents, 3 if answer == "empty" else 0, **more)
        assert row["answer"] == answer and row["why"].startswith(why), (corridor, agents, row)
    # Arms of which the same is asked have one line; of the others one is empty.
    arms = [{"name": name, "algorithm": "random", "set": {"k": k}} for name, k in (("A", 1), ("B", 7), ("C", 1))]
    more = {"parameters": [{"n": [2, 3]}, {"k": [1, 9]}], "arms": arms}
    answers = [row["answer"] for row in plan(folder, values, 9, 3, **more)]
    assert answers == ["satisfiable", "empty", "satisfiable"], answers
    text = plan(folder, values, 9, 3, (), **more)
    assert "corridor of A, C: can hold, " in text and "corridor of B: cannot hold, this never holds:\n  /" in text, text
    assert "plan.json: /corridor:4: small: k <= 3\n" in text, text
    assert "plan.json: /corridor:4: the corridor cannot hold in arm B: this never holds" in text, text
    text = " ".join(plan(folder, pairs, 33, 0, ()).split())
    assert "corridor: undecided, it has 33 agents, and z3 is asked about 32 at most" in text, text


def the_built_in_corridor_is_not_proved(folder):
    built_in = experiment(None, [{"name": "A", "algorithm": "random"}])
    del built_in["corridor"]
    path = os.path.join(folder, "plan.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump(built_in, out)
    said = subprocess.run([CORRIDOR, "plan", path, "--pilot", "0", "--json"], capture_output=True, text=True, check=True).stdout
    assert "corridor" not in json.loads(said), said


def a_test_stands_alone(folder):
    """A failure as a file has its corridor with it, and shows itself again."""
    corridor = ["structure partitioning", "trigger restless: count(organizations) = 0", "",
                "invariant lit: all(o in organizations: any(a in o.members: a.state == 'on' or a.state == 'high'))"]
    arms = [{"name": "A", "algorithm": "random", "returns": 1000}]
    _, result = run(experiment(corridor, arms, suites=2, cases=16), folder)
    test = os.path.join(folder, "test.json")
    listed = subprocess.run([CORRIDOR, "failures", result, "--json"], capture_output=True, text=True,
                            check=True).stdout
    for f in json.loads(listed)["failures"]:
        assert (f["constraint"] is None) == ("constraint_violated" not in f["class"] and "formula" not in f["class"]), f
    failure = next(f for f in json.loads(listed)["failures"] if "gray.constraint_violated" in f["class"])
    assert failure["constraint"] == "lit", failure
    subprocess.run([CORRIDOR, "shrink", result, "--failure", failure["key"], "--budget", "30", "-o", test], check=True,
                   stdout=subprocess.DEVNULL)
    with open(test, encoding="utf-8") as text:
        made = json.load(text)
    assert made["corridor"] == corridor and made["states"]["lamp"] == ["on", "off"]
    again = subprocess.run([CORRIDOR, "replay", test], capture_output=True, text=True)
    assert "constraint_violated" in again.stdout, (again.stdout, again.stderr)


# A program that follows the steps of an objective by itself, and says what it makes of the present structure.
FOLLOWER = """#!/usr/bin/env python3
import json, sys
HELLO = {"protocol": 1, "name": "follower", "version": "1", "summary": "keeps what there is",
         "budget_unit": "billionths",
         "capabilities": ["aims"]}
def number(task):
    blocks, objective, values = task["structure"], task["objective"], task["values"]
    made = []
    for step in objective["steps"]:
        what = step["what"]
        def of(side, b):
            it = made[step[side]]
            return it[b] if isinstance(it, list) else it
        def leaf(members):
            if "filter" in step:
                members = [a for a in members if a in objective["filters"][step["filter"]]]
            if what == "count":
                return len(members)
            it = [values[step["column"]][a] for a in members]
            return sum(it) if what == "sum" else min(it) if what == "least" else max(it)
        two = {"add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
               "divide": lambda a, b: a / b}
        if what == "constant":
            made.append(step["constant"])
        elif what == "blocks":
            made.append(len(blocks))
        elif what in ("count", "sum", "least", "greatest"):
            made.append([leaf(m) for m in blocks] if step.get("by_block") else leaf(range(len(values[0]))))
        elif what.endswith("_of"):
            it = [of("right", b) for b in range(len(blocks))]
            made.append({"sum_of": sum, "least_of": min, "greatest_of": max}[what](it))
        elif what == "absolute":
            made.append([abs(of("left", b)) for b in range(len(blocks))] if step.get("by_block") else
                        abs(made[step["left"]]))
        elif step.get("by_block"):
            made.append([two[what](of("left", b), of("right", b)) for b in range(len(blocks))])
        else:
            made.append(two[what](made[step["left"]], made[step["right"]]))
    return made[-1]
for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = HELLO
    elif "task" in request:
        answer = {"spent": round(1e9 * number(request["task"])), "blocks": request["task"]["structure"]}
    else:
        break
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"""

OBJECTIVES = ["max(o in organizations: level(o)) - min(o in organizations: level(o))",
              "sum(o in organizations: abs(sum(a in o.members where a.type == 'lamp': a.value) - "
              "sum(a in agents: a.value) / count(organizations)))"]


def objectives_are_made_small(folder):
    """Paired arms: in this process and in cells alike; a program reckons what the oracle does; the gap to exact."""
    program = os.path.join(folder, "follower.py")
    with open(program, "w", encoding="utf-8") as out:
        out.write(FOLLOWER)
    os.chmod(program, 0o755)
    arms = [{"name": name, "algorithm": name} for name in ("exact", "psopp", "exchange", "random")]
    for number, objective in enumerate(OBJECTIVES):
        made = experiment(PAPER.split("\n") + ["objective even: " + objective], arms, suites=4, seed=hex(number + 9))
        made["mode"] = "paired"
        made["model"] = dict(MODEL, agents=10, structure={"size_min": 2, "size_max": 6, "count_min": 2, "count_max": 4})
        table, result = run(made, folder)
        in_cells, _ = run(made, folder, "--isolate", "always")
        rows = table("objectives")
        assert rows == in_cells("objectives") and len(rows) == len(table("reorganizations"))
        least = {(r["suite"], r["sequence"], r["case"]): float(r["after"]) for r in rows if r["arm"] == "exact"}
        said = {row["arm"]: row for row in json.loads(subprocess.run(
            [CORRIDOR, "show", result, "performance", "--json"], check=True, capture_output=True,
            text=True).stdout)["sheets"]["gap"]["rows"]}
        assert set(said) == {"psopp", "exchange", "random"}
        for arm, row in said.items():
            pairs = [(float(r["after"]), least[r["suite"], r["sequence"], r["case"]]) for r in rows
                     if r["arm"] == arm and (r["suite"], r["sequence"], r["case"]) in least]
            assert len(pairs) == row["compared"] > 0 and all(a >= b - 1e-9 for a, b in pairs), (arm, pairs)
            above = sum(a - b for a, b in pairs) / len(pairs)
            gap = 100 * sum(a - b for a, b in pairs) / sum(b for _, b in pairs)
            assert abs(above - row["above"]["mean"]) <= 1e-9 * (1 + abs(above)), (arm, above, row)
            assert abs(gap - row["gap_pct"]) <= 1e-6 * (1 + abs(gap)), (arm, gap, row)
            within = 100 * sum(a <= 1.1 * b + 1e-9 for a, b in pairs) / len(pairs)
            assert abs(within - row["within_tenth_pct"]["mean"]) < 1e-6, (arm, within, row)
        gaps = {arm: row["gap_pct"] for arm, row in said.items()}
        assert gaps["psopp"] < gaps["random"] and gaps["exchange"] < gaps["random"], gaps
        made["arms"] = [{"name": "follower", "algorithm": program}]
        made.update(suites=1, sequences=1, cases=40 if SUITES > 1 else 12)  # it is started for each
        table, _ = run(made, folder, "--isolate", "never")
        reckoned = [int(row["spent"]) for row in table("reorganizations")]
        expected = [1e9 * float(row["before"]) for row in table("objectives")]
        assert len(expected) == len(reckoned) > 2
        assert all(abs(a - b) <= 1 for a, b in zip(expected, reckoned)), (expected, reckoned)


def main():
    with tempfile.TemporaryDirectory() as folder:
        cases = beside_the_built_in(folder, "demo.json") + (beside_the_built_in(folder, "paper.json") if SUITES > 1 else 0)
        each_sees_its_own(folder)
        an_alarm_waits(folder)
        two_ways_agree(folder)
        fractions_are_followed(folder)
        the_initial_structure_is_said(folder)
        an_algorithm_that_is_never_called_has_no_verdict(folder)
        if has_z3(folder):
            plan_knows_which_corridors_are_empty(folder)
            plan_claims_nothing_of_what_was_too_large(folder)
        the_built_in_corridor_is_not_proved(folder)
        a_test_stands_alone(folder)
        objectives_are_made_small(folder)
    print("%d cases beside the built-in corridor, %d campaigns" % (cases, COUNT))


main()
