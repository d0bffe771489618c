#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_system.py RANDOM_SYSTEM CORRIDOR SEED: lets RANDOM_SYSTEM write a random result file of the system layer, computes
the sheets of the views goals and places again from its columns in the plainest way, and compares them with `corridor show
--json`; the texts of `corridor export --table cycles`; JUnit XML and TAP by parsing them. Reads the file through h5py."""
import collections
import csv
import io
import json
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

import h5py

PROGRAM, CORRIDOR, SEED = sys.argv[1:]
PATH = f"random_system_{SEED}.h5"
PASS, FAIL, TROUBLE = 1, 2, 6
VERDICTS = {1: "pass", 2: "fail", 3: "inconclusive", 4: "lost", 5: "unreachable", 6: "trouble"}
ENDS = {1: "success", 2: "failed", 3: "open", 4: "stalled"}
SYSTEM = {1: "died", 2: "hung", 3: "garbled"}
JUDGES = {1: "assert", 2: "after", 3: "invariant", 4: "formula", 5: "model", 6: "agreement"}
SAID = {1: "passed", 2: "failed", 5: "undecided"}
TURNS = {1: "acted", 2: "waited", 3: "looked", 4: "set_up"}
NOWHERE, ENDLESS = 2 ** 32 - 1, 2 ** 64 - 1

subprocess.run([PROGRAM, SEED, PATH], check=True)
with h5py.File(PATH, "r") as file:
    table = lambda name: [dict(zip(file[name], row)) for row in zip(*(file[name][c][()].tolist() for c in file.get(name, {})))]
    tests, agents, cycles, goals, verdicts, entities, cells, steps, covered = (
        table(name) for name in ("tests", "test_agents", "cycles", "goals", "verdicts", "entities", "cells", "steps", "covered"))
    catalog = {name: dict(zip(group["code"][()].tolist(), (n.decode() for n in group["name"][()])))
               for name, group in file["catalog"].items()}
    described = dict(zip(file["catalog/arm/code"][()].tolist(), (json.loads(d) for d in file["catalog/arm/description"][()])))
    texts = file["vectors/text"][()].tobytes()

said = lambda row, name: texts[row[name + "_start"]:row[name + "_start"] + row[name + "_bytes"]].decode()
run = lambda *words: subprocess.run([CORRIDOR, *words], capture_output=True, text=True, check=True).stdout
arm_name = lambda row: catalog["arm"][row["arm"]]
mean = lambda values: sum(values) / len(values) if values else None
first_word = lambda policy: next(iter(policy)) if isinstance(policy, dict) else policy


def shown(view, *options):
    document = json.loads(run("show", PATH, view, "--json", *options))
    return {name: sheet["rows"] for name, sheet in document["sheets"].items()}


def same(what, ours, theirs):
    assert len(ours) == len(theirs), f"{what}: {len(theirs)} rows, {len(ours)} computed"
    for row, (a, b) in enumerate(zip(ours, theirs)):
        for key, value in a.items():
            equal = value == b[key] or (isinstance(value, float) and b[key] is not None and math.isclose(value, b[key], rel_tol=1e-12))
            assert equal, f"{what}, row {row}: {key} is {b[key]!r}, {value!r} computed\n{b}"


# ---- arms and mutants
mutant = {arm: d.get("mutant") for arm, d in described.items()}
policy = {arm: first_word(d["policy"]) if d.get("policy") else None for arm, d in described.items()}
fails = {(row["arm"], row["test"]) for row in tests if row["verdict"] == FAIL}


def kills(row):
    original = [arm for arm in sorted(catalog["arm"]) if mutant[arm] is None and policy[arm] == policy[row["arm"]]]
    return bool(mutant[row["arm"]] and row["verdict"] == FAIL and not (original and (original[0], row["test"]) in fails))


def of_arm(arm):
    mine = [row for row in tests if row["arm"] == arm]
    count = collections.Counter(row["verdict"] for row in mine)
    return {"arm": catalog["arm"][arm], "mutant": mutant[arm], "policy": policy[arm], "tests": len(mine), "pass": count[PASS],
            "fail": count[FAIL], "no_verdict": count[3] + count[4] + count[5], "trouble": count[TROUBLE],
            "kills": sum(map(kills, mine)), "cycles": mean([row["cycles"] for row in mine]),
            "entities": mean([row["entities"] for row in mine]), "cells": mean([row["cells"] for row in mine])}


base = lambda row: catalog["test"][row["test"]].split(" [")[0]
bases = list(dict.fromkeys(catalog["test"][code].split(" [")[0] for code in catalog["test"]))


def of_mutant(arm, name):
    mine = [row for row in tests if row["arm"] == arm and base(row) == name]
    killers = [row for row in mine if kills(row)]
    state = ("killed" if killers else "equivalent" if described[arm].get("equivalent") else
             "alive" if any(row["verdict"] != TROUBLE for row in mine) else "no verdict")
    return {"mutant": mutant[arm], "arm": catalog["arm"][arm], "chooser": name + (", " + policy[arm] if policy[arm] else ""),
            "state": state, "killed": len(killers), "tests": len(mine),
            "cycles": mean([row["decided"] or row["cycles"] for row in killers]), "spent": sum(row["cycles"] for row in mine)}


def scores(rows):
    for chooser in dict.fromkeys(row["chooser"] for row in rows):
        count = collections.Counter(row["state"] for row in rows if row["chooser"] == chooser)
        yield {"chooser": chooser, "mutants": sum(count.values()), "spent": sum(row["spent"] for row in rows if row["chooser"] == chooser), **{key: count[key.replace("_", " ")] for key in (
            "equivalent", "killed", "alive", "no_verdict")}}


# ---- the test that is shown
interest = lambda row: (3 + (mutant[row["arm"]] is None) if row["verdict"] == FAIL else 2 if row["verdict"] == TROUBLE else
                        row["verdict"] != PASS)
place = lambda row: (None if row["column"] == NOWHERE else
                     f"[{row['column']}, {row['row']}]" + (f" floor {row['floor']}" if row["floor"] else ""))


def states(word, unknown=0):
    names = [name + ("?" if unknown >> bit & 1 else "") for bit, name in enumerate(catalog["state"].values())
             if (word | unknown) >> bit & 1]
    return ", ".join(names) or "none"


def turn(row):
    here = row["column"] != NOWHERE
    command = said(row, "command") or TURNS[row["turn"]]
    return {"arm": arm_name(row), "suite": row["suite"], "cycle": row["cycle"], "agent": catalog["test_agent"][row["test_agent"]],
            "turn": TURNS[row["turn"]], "goal": catalog["goal"][row["goal"]] if row["goal"] else None,
            "action": catalog["action"][row["action"]], "command": command, "states": states(row["state"], row["state_unknown"]),
            "place": place(row), "column": row["column"] if here else None, "row": row["row"] if here else None,
            "floor": row["floor"] if here else None, "tick": row["tick"], "shown": row["shown"], "reward": row["reward"],
            "trouble": None, "picture": said(row, "picture") or None}


def check_test(sheets, test):
    mine = lambda rows: [row for row in rows if (row["arm"], row["suite"]) == (test["arm"], test["suite"])]
    same("judged", [{"cycle": row["cycle"] or None, "judge": JUDGES[row["judge"]], "check": catalog["check"][row["check"]],
                     "agent": catalog["test_agent"][row["test_agent"]] if row["test_agent"] else None,
                     "verdict": SAID[row["verdict"]], "why": said(row, "why")} for row in mine(verdicts)], sheets["judged"])
    same("reached", [{"begun": row["begun"], "ended": row["ended"], "agent": catalog["test_agent"][row["test_agent"]],
                      "depth": row["depth"], "goal": catalog["goal"][row["goal"]], "actions": row["actions"],
                      "end": ENDS[row["end"]], "why": said(row, "why")} for row in mine(goals)], sheets["reached"])
    trace = mine(cycles)
    same("trace", list(map(turn, trace)), sheets["trace"])
    until = [row for row in trace if row["cycle"] <= (test["decided"] or test["cycles"])]
    same("ending", list(map(turn, until[-20:])), sheets["ending"])


# ---- over the tests of an arm
def of_goals(arm):
    for code, name in catalog["goal"].items():
        mine = [row for row in goals if row["arm"] == arm and row["goal"] == code]
        if mine:
            ends = collections.Counter(ENDS[row["end"]] for row in mine)
            yield {"arm": catalog["arm"][arm], "goal": name, "begun": len(mine), **{end: ends[end] for end in ENDS.values()},
                   "actions": mean([row["actions"] for row in mine]),
                   "cycles": mean([row["ended"] - row["begun"] + 1 for row in mine])}


def of_judges(arm):
    for judge in JUDGES:
        for check in catalog["check"]:
            mine = [row for row in verdicts if (row["arm"], row["judge"], row["check"]) == (arm, judge, check)]
            bad = [row for row in mine if row["verdict"] == 2] or [row for row in mine if row["verdict"] == 5]
            if mine:
                count = collections.Counter(row["verdict"] for row in mine)
                yield {"arm": catalog["arm"][arm], "judge": JUDGES[judge], "check": catalog["check"][check], "passed": count[1],
                       "failed": count[2], "unknown": count[5], "suite": bad[0]["suite"] if bad else None,
                       "cycle": (bad[0]["cycle"] or None) if bad else None, "why": said(bad[0], "why") if bad else ""}


def grouped(rows, key):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return sorted(groups.items())


def check_places(suite, *options):
    sheets = shown("places", *options)
    mine = lambda rows, arm: [row for row in rows if row["arm"] == arm and suite in (None, row["suite"])]
    every = {"arms": [], "cells": [], "entities": [], "steps": [], "covered": []}
    for arm, name in sorted(catalog["arm"].items()):
        of = {"cells": grouped(mine(cells, arm), lambda row: (row["floor"], row["row"], row["column"])),
              "entities": grouped(mine(entities, arm), lambda row: (row["type"], said(row, "identity").encode())),
              "steps": grouped(mine(steps, arm), lambda row: (row["from"], row["action"], row["to"])),
              "covered": grouped(mine(covered, arm), lambda row: row["number"])}
        total = lambda rows, key: sum(row[key] for row in rows)
        first = lambda rows: min(row["first"] for row in rows)
        free = [rows for _, rows in of["cells"] if any(row["free"] for row in rows)]
        visited = sum(total(rows, "visits") > 0 for _, rows in of["cells"])
        every["arms"].append({"arm": name, "tests": len(mine(tests, arm)), "entities": len(of["entities"]),
                              "touched": sum(total(rows, "touched") > 0 for _, rows in of["entities"]), "cells": len(free),
                              "visited": visited, "visited_pct": 100 * visited / len(free), "steps": len(of["steps"]),
                              "covered": len(of["covered"])})
        every["cells"] += [{"arm": name, "floor": floor, "row": line, "column": column, "free": any(row["free"] for row in rows),
                            "tests": len(rows), "first": first(rows), "visits": total(rows, "visits")}
                           for (floor, line, column), rows in of["cells"]]
        every["entities"] += [{"arm": name, "entity": identity.decode(), "type": catalog["type"][type_], "tests": len(rows),
                               "first": first(rows), "seen": total(rows, "seen"), "touched": total(rows, "touched")}
                              for (type_, identity), rows in of["entities"]]
        every["steps"] += [{"arm": name, "from": states(before), "action": catalog["action"][action], "to": states(after),
                            "tests": len(rows), "count": total(rows, "count")} for (before, action, after), rows in of["steps"]]
        every["covered"] += [{"arm": name, "number": number, "tests": len(rows), "first": first(rows),
                              "count": total(rows, "count")} for number, rows in of["covered"]]
    for sheet, rows in every.items():
        same(f"places {sheet} {options}", rows, sheets[sheet])


def check_formats():
    suites = tree.fromstring(run("export", PATH, "--format", "junit"))
    cases = [case for suite in suites for case in suite]
    assert len(cases) == len(tests) == int(suites.get("tests"))
    for row, case in zip(tests, cases):
        result = [child for child in case if child.tag != "properties"]
        wanted = {PASS: None, FAIL: "failure", TROUBLE: "error"}.get(row["verdict"], "skipped")
        assert (result[0].tag if result else None) == wanted and case.get("classname") == arm_name(row)
        assert not result or result[0].get("message") == said(row, "why")
        assert case.get("name") == catalog["test"][row["test"]] + (f" #{row['run'] + 1}" if row["run"] else "")
    for kind in ("failure", "error", "skipped"):
        word = {"failure": "failures", "error": "errors"}.get(kind, kind)
        assert int(suites.get(word)) == len(suites.findall(f".//{kind}"))
    tap = run("export", PATH, "--format", "tap")
    assert f"\n1..{len(tests)}\n" in tap
    points = re.findall(r"^(not ok|ok) \d+ .*?( # SKIP \w+)?$", tap, re.M)
    assert [(ok == "ok", bool(skip)) for ok, skip in points] == [
        (row["verdict"] not in (FAIL, TROUBLE), row["verdict"] not in (PASS, FAIL, TROUBLE)) for row in tests]


def check_export():
    rows = list(csv.DictReader(io.StringIO(run("export", PATH, "--table", "cycles"))))
    assert len(rows) == len(cycles) and "command_start" not in rows[0]
    for ours, theirs in zip(cycles, rows):
        assert theirs["command"] == said(ours, "command") and theirs["picture"] == said(ours, "picture")
        assert theirs["action"] == catalog["action"][ours["action"]] and int(theirs["cycle"]) == ours["cycle"]
    raw = list(csv.DictReader(io.StringIO(run("export", PATH, "--table", "cycles", "--raw"))))
    assert [int(row["command_start"]) for row in raw] == [row["command_start"] for row in cycles]


sheets = shown("goals")
same("arms", list(map(of_arm, sorted(catalog["arm"]))), sheets["arms"])
kill_rows = [row for arm in sorted(catalog["arm"]) if mutant[arm] for row in (of_mutant(arm, name) for name in bases)]
same("kills", kill_rows, sheets["kills"])
same("scores", list(scores(kill_rows)), sheets["scores"])
for score in sheets["scores"]:
    whole = score["mutants"] - score["equivalent"]
    assert score["score_pct"] is None if whole == 0 else math.isclose(score["score_pct"]["mean"], 100 * score["killed"] / whole)
same("tests", [{"arm": arm_name(row), "suite": row["suite"], "test": catalog["test"][row["test"]], "run": row["run"],
                "verdict": VERDICTS[row["verdict"]], "cycles": row["cycles"], "decided": row["decided"] or None,
                "judged": row["judged"], "violated": row["violated"], "unknown": row["unknown"],
                "trouble": SYSTEM.get(row["trouble"]), "why": said(row, "why")} for row in tests], sheets["tests"])
same("agents", [{"arm": arm_name(row), "suite": row["suite"], "agent": catalog["test_agent"][row["test_agent"]],
                 "end": ENDS[row["end"]], "cycles": row["cycles"], "actions": row["actions"], "waited": row["waited"],
                 "budget_left": None if row["budget_left"] == ENDLESS else row["budget_left"], "reward": row["reward"],
                 "why": said(row, "why")} for row in agents], sheets["agents"])
same("goals", [row for arm in sorted(catalog["arm"]) for row in of_goals(arm)], sheets["goals"])
same("verdicts", [row for arm in sorted(catalog["arm"]) for row in of_judges(arm)], sheets["verdicts"])
failing = {}
for row in tests:
    if row["verdict"] == FAIL:
        by = next((v for v in verdicts if (v["arm"], v["suite"]) == (row["arm"], row["suite"]) and SAID[v["verdict"]] == "failed"), None)
        what = "a goal" if by is None else f"{JUDGES[by['judge']].replace('after', 'assert')} {catalog['check'][by['check']]}"
        failing.setdefault((arm_name(row), what), []).append(row)
same("classes", [{"arm": arm, "class": what, "tests": len(rows), "first": f"{arm}/{rows[0]['suite']}", "why": said(rows[0], "why")}
                 for (arm, what), rows in failing.items()], sheets["classes"])
check_test(sheets, max(tests, key=interest))
for test in tests[::7]:
    check_test(shown("goals", "--arm", arm_name(test), "--suite", str(test["suite"])), test)
check_places(None)
check_places(2, "--suite", "2")
check_formats()
check_export()
for view in ("goals", "places"):
    narrow = subprocess.run([CORRIDOR, "show", PATH, view], capture_output=True, text=True, check=True,
                            env={**os.environ, "COLUMNS": "80"}).stdout
    assert all(len(line) <= 80 for line in narrow.splitlines()), view
