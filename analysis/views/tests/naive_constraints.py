#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_constraints.py CORRIDOR: campaigns whose corridor is a text, and what `show survival`, `compare`, `tree` and `replay --trace` say
of its constraints, counted once more from the tables of the result file."""
import json
import math
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction

import h5py

from naive import FAILED, PASSED, SMOKE, by, run, same, sheets

UNDECIDED = 5
BOXES = {"gray": 1, "black": 2, "detect": 3, "interim": 4, "move": 5, "time": 6}
SKY = {"states": ["dark", "bright"],
       "transitions": {"dark": {"dark": 0.7, "bright": 0.3}, "bright": {"dark": 0.4, "bright": 0.6}}}
MODEL = {
    "corridor_model": 1, "agents": 24, "groups": {"count": 6}, "locations": "per_group", "mixed_groups": True,
    "attributes": {"load": {"real": [0, 50], "unit": "kW"}},
    "structure": {"size_min": 2, "size_max": 20, "count_min": 2, "count_max": 4},
    "environments": {"sky": {"profile": SKY}},
    "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1}, "attributes": {"load": {"level": {"on": 40, "off": 2}}},
                       "influence": {"dark": "on", "bright": "off"}},
              "roof": {"environment": "sky", "states": {"low": 0.2, "high": 0.8}, "attributes": {"load": {"level": {"low": 5, "high": 30}}},
                       "influence": {"dark": "low", "bright": "high"}}},
    "invariant": {"threshold": 0.3}}
TEXT = ["structure partitioning", "attribute type: words lamp, roof", "attribute load: real [kW]", "parameter threshold",
        "define level(o): mean(a in o.members: a.value)",
        "invariant number: count(organizations) <= 4",
        "invariant small: all(o in organizations: count(o.members) <= 13)",
        "invariant lamps: all(o in organizations: any(a in o.members: a.type == 'lamp'))",
        "invariant divided: all(o in organizations where count(o.members) = 5 or count(o.members) = 2: 1 / (count(o.members) - 5) >= 0)",
        "trigger supply: sum(a in agents: a.load) <= 560",
        "trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= threshold"]
# Conditions of every form, whose verdicts by their grounds are held against those of the look; the last can be unknown.
FORMS = ["any(o in organizations: count(o.members) > 12) or not all(o in organizations: any(a in o.members: a.load >= 40))",
         "all(o in organizations: count(o.members) > 3 and sum(a in o.members: a.load) <= 290) and count(organizations) != 7",
         "not any(o in organizations where count(o.members) >= 9: all(a in o.members: a.value != 0.1))",
         "one(a in agents: a.load > 35) implies all(o in organizations: one(a in o.members: a.type == 'lamp'))",
         "not (count(organizations) >= 2 and sum(a in agents: a.load) > 540) or count(organizations) > 7",
         "count(organizations) >= 2 and sum(a in agents: a.load) < 540 and any(a in agents: a.load = 2)",
         "any(o in organizations where 1 / (count(a in o.members where a.load > 35) - 2) >= 0: level(o) > 0.55 or level(o) < 0.2)"]
OTHER = [line.replace("<= 13", "<= 12").replace("invariant number", "invariant count_of_them") for line in TEXT]


def experiment(text, arms, **keys):
    return dict({"corridor_experiment": 1, "name": "text", "seed": "0x4", "suites": 5, "sequences": 3, "cases": 25, "mode": "paired",
                 "model": MODEL, "corridor": text, "arms": [dict({"name": name, "algorithm": "random"}, **of) for name, of in arms.items()]},
                **keys)


ARMS = {"plain": {}, "sizes": {"algorithm": "psopp"}, "slow": {"activation_delay": 4, "returns": 2, "look_every": 7},
        "moves": {"algorithm": "psopp", "judge_moves": True}}


def campaign(corridor, name, made):
    with open(name + ".json", "w", encoding="utf-8") as out:
        json.dump(made, out)
    run(corridor, "run", name + ".json", "-o", name + ".h5", "--progress", "none", "--jobs", "1")
    with h5py.File(name + ".h5") as file:
        catalog = lambda c: dict(zip(file["catalog"][c]["code"][:].tolist(), file["catalog"][c]["name"].asstr()[:].tolist()))
        tables = {t: [dict(zip(file[t], row)) for row in zip(*(file[t][c][:].tolist() for c in file[t]))] if t in file else []
                  for t in ("sequences", "cases", "reorganizations", "constraints", "formulas", "branches")}
        tables["arm"], tables["constraint"] = catalog("arm"), catalog("constraint")
    continued = {(r["arm"], r["suite"], r["sequence"]) for r in tables["branches"]}
    for table in ("sequences", "cases", "reorganizations", "constraints", "formulas"):
        for row in tables[table]:
            row["of"] = row["arm"], row["suite"], row["sequence"]
        tables["all_" + table] = tables[table]
        tables[table] = [row for row in tables[table] if row["of"] not in continued]
    return tables


def seen(tables, constraint, box):
    """sequence -> [(case, violated?)] of a constraint as a box saw it; what is unknown over time is so from the first case on."""
    found = defaultdict(list)
    for row in tables["constraints"]:
        if row["constraint"] == constraint and row["box"] == BOXES[box] and row["case"] > 0:
            found[row["of"]].append((row["case"], row["verdict"] == FAILED))
    executed = {row["of"]: row["executed"] for row in tables["sequences"]}
    for row in tables["formulas"]:
        if row["constraint"] == constraint and box == "time" and row["verdict"] != PASSED:
            failed = row["verdict"] == FAILED
            found[row["of"]].append(((row["decided"] or executed[row["of"]]) if failed else 1, failed))
    return found


def observed(tables, arm, found):
    """(time, event, unknown) of each sequence of an arm."""
    made = []
    for row in tables["sequences"]:
        if tables["arm"][row["arm"]] != arm:
            continue
        rows = found.get(row["of"], [])
        first = min((case for case, _ in rows), default=None)
        if first is None:
            made.append((row["executed"], False, False))
        elif any(violated for case, violated in rows if case == first):
            made.append((first, True, False))
        else:
            made.append((first - 1, False, True))
    return made


def curve(times):
    survival, steps = Fraction(1), {}
    for t in sorted({t for t, _, _ in times}):
        at_risk, events = sum(x >= t for x, _, _ in times), sum(x == t and e for x, e, _ in times)
        survival *= Fraction(at_risk - events, at_risk)
        steps[t] = at_risk, events, sum(x == t and not e for x, e, _ in times), survival
    return steps


def check_survival(corridor, path, tables, wanted, has_unknown=True):
    shown = sheets(corridor, "show", path, "survival")
    rows, steps = by(shown["constraints"], "constraint", "box", "arm"), defaultdict(dict)
    for step in shown["constraint_curves"]:
        steps[step["constraint"], step["box"], step["arm"]][int(step["cases"])] = step
    expected, unknown = set(), 0
    for constraint, name in tables["constraint"].items():
        for box in BOXES:
            found = seen(tables, constraint, box)
            all_arms = {arm: observed(tables, arm, found) for arm in tables["arm"].values()}
            if not any(event for times in all_arms.values() for _, event, _ in times):
                continue
            for arm, times in all_arms.items():
                if box in ("interim", "move") and not any(event for _, event, _ in times):
                    continue
                key, made = (name, box, arm), curve(times)
                expected.add(key)
                row = rows[key]
                counts = len(times), sum(e for _, e, _ in times), sum(not e for _, e, _ in times), sum(u for _, _, u in times)
                assert (row["sequences"], row["violated"], row["censored"], row["unknown"]) == counts, (key, row, counts)
                unknown += counts[3]
                median = min((t for t, step in made.items() if step[3] <= Fraction(1, 2)), default=None)
                same(str(key) + ", median", median, row["median"]["mean"])
                assert {t: (s["at_risk"], s["violated"], s["censored"]) for t, s in steps[key].items()} == \
                    {t: step[:3] for t, step in made.items()}, key
                for t, step in made.items():
                    same(str(key) + ", curve", float(step[3]), steps[key][t]["survival"])
                horizon = row["horizon"]
                if horizon <= max(made) or made[max(made)][3] == 0:
                    at, value, area = 0, 1.0, 0.0
                    for t in sorted(made):
                        area, at = area + value * (min(t, horizon) - min(at, horizon)), t
                        value = float(made[t][3])
                    area += value * (horizon - min(at, horizon))
                    same(str(key) + ", mean", area, row["restricted_mean"]["mean"])
    assert expected == set(rows), expected ^ set(rows)
    assert wanted <= expected and (unknown > 0 or not has_unknown), (expected, unknown)
    tests = by(shown.get("constraint_log_rank", []), "constraint", "box")
    assert set(tests) == {key[:2] for key in expected if key[1] not in ("interim", "move") and len(tables["arm"]) > 1}
    gray = sheets(corridor, "show", path, "survival", "--box", "gray")["constraints"]
    assert gray and gray == [row for row in shown["constraints"] if row["box"] == "gray"]
    return len(expected)


def rates(tables, arm, constraint, box):
    """suite -> share of what the box judged in which the constraint was violated, in %."""
    judged, violated, unknown = Counter(), Counter(), Counter()
    mine = lambda table: (row for row in tables[table] if tables["arm"][row["arm"]] == arm)
    for row in mine("sequences"):
        judged[row["suite"]] += row["executed"] if box == "detect" else box == "time"
    for row in mine("reorganizations"):
        judged[row["suite"]] += box in ("gray", "black") and row[box] in (PASSED, FAILED, UNDECIDED)
    for of, rows in seen(tables, constraint, box).items():
        if tables["arm"][of[0]] == arm:
            violated[of[1]] += sum(v for _, v in rows)
            unknown[of[1]] += sum(not v for _, v in rows)
    return {s: 100 * violated[s] / (judged[s] - unknown[s]) for s in judged if judged[s] > unknown[s]}, sum(violated.values())


def check_compare(corridor, paths, sides, arms, paired):
    shown = sheets(corridor, "compare", *paths, "--arms", "=".join(arms))
    rows = {row["metric"]: row for row in shown["metrics"] if row["metric"].startswith("violated_")}
    expected, compared = set(), 0
    names = [{name: code for code, name in tables["constraint"].items()} for tables in sides]
    for name in list(names[0]) + [name for name in names[1] if name not in names[0]]:
        for box in ("detect", "gray", "black", "time"):
            made = [rates(tables, arm, codes[name], box) if name in codes else ({}, 0)
                    for tables, arm, codes in zip(sides, arms, names)]
            if not any(violated for _, violated in made):
                continue
            key = f"violated_{box}_pct:{name}"
            row, (a, b) = rows[key], (of for of, _ in made)
            expected.add(key)
            if any(name not in codes for codes in names):
                assert row["not_compared"] == f"the corridor of {'BA'[name in names[1]]} does not have it", row
                continue
            if name == "small" and len(set(paths)) == 2:
                assert row["not_compared"] == "the corridors say different things by that name", row
                continue
            if paired:
                a, b = ({s: side[s] for s in a if s in b} for side in (a, b))
            if not a or not b:
                assert row["not_compared"]
                continue
            mean = [sum(side.values()) / len(side) for side in (a, b)]
            assert (row["n_a"], row["n_b"], row["better"], row["unit"]) == (len(a), len(b), "lower", "%"), row
            same(key, mean[0], row["value_a"]["mean"])
            same(key, mean[1], row["value_b"]["mean"])
            same(key, mean[1] - mean[0], row["difference"]["mean"])
            pairs = [(x, y) for x in a.values() for y in b.values()]
            same(key, sum((y > x) + (y == x) / 2 for x, y in pairs) / len(pairs), row["a12"])
            compared += 1
    assert expected == set(rows), expected ^ set(rows)
    assert shown["about"]["tests"] == sum(row["p"] is not None for row in shown["metrics"])
    return compared, [row["not_compared"] for row in rows.values() if row["not_compared"]]


WORDS = {"gray": "gray", "black": "black", "detect": "look", "interim": "on the way", "move": "on the way", "time": "time"}


def check_tree(corridor, path, tables, arm):
    """Constraints of the first case of each node, the failing sequences by what they violate, and what parts verdicts."""
    failed = defaultdict(set)
    for row in tables["all_constraints"]:
        if row["verdict"] == FAILED and row["box"] == BOXES["gray"]:
            failed[row["suite"]].add(row["constraint"])
    suite = max(failed, key=lambda s: len(failed[s]))
    shown = sheets(corridor, "tree", path, "--arm", arm, "--by", "alarm,constraints", "--all", "--suite", str(suite))
    assert shown["tree"]["suite"] == suite
    assert shown["tree"]["by"] == "alarm,constraints"
    of_suite = lambda table: [r for r in tables["all_" + table] if tables["arm"][r["arm"]] == arm and r["suite"] == suite]
    said, executed = defaultdict(set), {row["sequence"]: row["executed"] for row in of_suite("sequences")}
    for row in of_suite("constraints"):
        box = next(name for name, code in BOXES.items() if code == row["box"])
        said[row["sequence"], row["case"], tables["constraint"][row["constraint"]]].add(
            WORDS[box] if row["verdict"] == FAILED else "unknown")
    for row in of_suite("formulas"):
        if row["verdict"] != PASSED:
            said[row["sequence"], row["decided"] or executed[row["sequence"]], tables["constraint"][row["constraint"]]].add(
                "time" if row["verdict"] == FAILED else "unknown")
    in_words = lambda words: ", ".join(
        ([f"violated ({', '.join(w for w in ('gray', 'black', 'look', 'on the way', 'time') if w in words)})"] if words - {"unknown"} else [])
        + (["unknown"] if "unknown" in words else []))
    first = {}
    for row in of_suite("cases"):
        if row["gray"] in (FAILED, SMOKE) or row["black"] in (FAILED, SMOKE):
            first.setdefault(row["sequence"], row["case"])
    violated = {s: ", ".join(name for name in tables["constraint"].values() if said[s, case, name] & {"gray", "black"}) or "no constraint"
                for s, case in first.items()}
    assert {row["sequence"]: row["violated"] for row in shown["sequences"]} == {s: violated.get(s) for s in executed}
    classes = Counter(violated.values())
    assert {row["violated"]: row["sequences"] for row in shown["classes"]} == classes and len(classes) > 1, classes
    for row in shown["classes"]:
        cases = [(first[s], s) for s, what in violated.items() if what == row["violated"]]
        assert (row["first_case"], row["first_sequence"]) == min(cases), row
    # A sequence of each node: the one that ends there, or in a child of it.
    of_node = {row["ends_in"]: row["sequence"] for row in shown["sequences"]}
    for node in reversed(shown["nodes"]):
        if node["node"] > 0:
            of_node.setdefault(node["parent"], of_node[node["node"]])
    expected = {(n["node"], name, in_words(said[of_node[n["node"]], n["first_case"], name])) for n in shown["nodes"] if n["cases"] > 0
                for name in tables["constraint"].values() if said[of_node[n["node"]], n["first_case"], name]}
    assert {(row["node"], row["constraint"], row["seen"]) for row in shown["seen"]} == expected and expected
    parting = [row for row in shown["differences"] if row["what"] == "constraint"]
    for row in parting:  # no passing sequence behind the node has a value that a failing one has
        assert row["constraint"] in tables["constraint"].values() and (row["value"] == "met" or "(" in row["value"] or row["value"] == "unknown")
    dot = run(corridor, "tree", path, "--arm", arm, "--suite", str(suite), "--dot").stdout.replace("\\l", " ")
    assert any(f"{name} violated (" in dot for name in tables["constraint"].values()), dot
    return len(expected), len(parting)


def check_trace(corridor, path, tables, arm):
    """What is held against the file: verdicts by rows of the look, sums by the values that a trace has."""
    cases = 0
    for row in tables["sequences"]:
        if tables["arm"][row["arm"]] != arm or row["sequence"] != 0 or row["suite"] > 1:
            continue
        key = f"{arm}/{row['suite']}/0"
        shown = sheets(corridor, "replay", path, "--failure", key, "--trace=all")
        rows = by(shown["constraints"], "case", "constraint")
        looked = {(r["case"], tables["constraint"][r["constraint"]]): r["verdict"] for r in tables["constraints"]
                  if r["of"] == row["of"] and r["box"] == BOXES["detect"]}
        dissimilarity = {r["case"]: r["dissimilarity"] for r in tables["cases"] if r["of"] == row["of"]}
        assert {case for case, _ in rows} == set(dissimilarity) and len(rows) == 6 * len(dissimilarity)
        for (case, name), it in rows.items():
            verdict = {None: "holds", FAILED: "violated", UNDECIDED: "unknown"}[looked.get((case, name))]
            assert it["verdict"] == verdict, (key, case, name, it)
            assert it["trigger"] == (name in ("supply", "balance"))
            if name == "balance":  # the monitor's measure is stored as a float
                assert abs(it["left"] - dissimilarity[case]) < 1e-6 and it["right"] == 0.3 and it["unit"] is None
                assert it["sides"].endswith(f"{it['left']:.6g} {'>' if it['left'] > 0.3 else '<'} threshold 0.3"), it
            if name == "supply":
                assert it["unit"] == "kW" and it["right"] == 560 and it["organization"] is None
                assert it["sides"] == f"sum(a in agents: a.load) {it['left']:.6g} kW {'>' if it['left'] > 560 else '<' if it['left'] < 560 else '='} 560 kW", it
                assert (it["left"] > 560) == (verdict == "violated")
            if name == "small":
                assert it["left"] == int(it["left"]) and it["right"] == 13 and it["organization"] is not None
            cases += 1
        assert all(r["threshold"] is None for r in shown["trace"])
        text = run(corridor, "replay", path, "--failure", key, "--trace=all").stdout
        assert "dissimilarity" not in text[text.index("Trace of"):] and "supply (trigger)" in text
    return cases


def check_forms(corridor):
    """The verdict of a constraint is that of its parts together; the side of a size is counted from the structure."""
    text = TEXT + [f"invariant form_{i}: {form}" for i, form in enumerate(FORMS)]
    # Without an alarm nothing is reorganized: values change, the structure is the initial one.
    made = experiment(text, {"plain": {"monitor": {"fault": "missed", "probability": 1}}}, suites=3, sequences=1, cases=30)
    tables = campaign(corridor, "forms", made)
    looked = {(r["of"], r["case"], tables["constraint"][r["constraint"]]): r["verdict"] for r in tables["constraints"]
              if r["box"] == BOXES["detect"]}
    with h5py.File("forms.h5") as file:
        sizes = Counter(zip(file["agents/suite"][:].tolist(), file["agents/partition"][:].tolist()))
        largest = {suite: max(n for (s, _), n in sizes.items() if s == suite) for suite, _ in sizes}
    found = Counter()
    for row in tables["sequences"]:
        shown = sheets(corridor, "replay", "forms.h5", "--failure", f"plain/{row['suite']}/0", "--trace=all")["constraints"]
        parts = defaultdict(list)
        for it in shown:
            parts[it["case"], it["constraint"]].append(it["verdict"])
            if it["constraint"] == "small":
                assert it["left"] == largest[row["suite"]], it
        for (case, name), verdicts in parts.items():
            joined = next((v for v in ("violated", "unknown") if v in verdicts), "holds")
            expected = {None: "holds", FAILED: "violated", UNDECIDED: "unknown"}[looked.get((row["of"], case, name))]
            assert joined == expected, (case, name, verdicts, expected)
            found[name, joined] += 1
        assert len(parts) == row["executed"] * (6 + len(FORMS))
    assert all(found[f"form_{i}", "holds"] and found[f"form_{i}", "violated"] for i in range(len(FORMS))), found
    assert found[f"form_{len(FORMS) - 1}", "unknown"], found
    return sum(found.values())


def main():
    corridor = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        plain = campaign(corridor, "plain", experiment(TEXT, ARMS))
        other = campaign(corridor, "other", experiment(OTHER, {"plain": {}, "sizes": {"algorithm": "psopp"}}, suites=3))
        curves = check_survival(corridor, "plain.h5", plain, {
            ("small", "gray", "plain"), ("small", "black", "plain"), ("supply", "detect", "plain"), ("balance", "detect", "slow"),
            ("returns", "time", "slow"), ("small", "move", "moves"), ("divided", "gray", "plain")})
        compared, _ = check_compare(corridor, ["plain.h5", "plain.h5"], [plain, plain], ["plain", "slow"], True)
        more, why = check_compare(corridor, ["plain.h5", "other.h5"], [plain, other], ["plain", "plain"], True)
        assert any("different things" in w for w in why) and compared > 5 and more > 3, (compared, more, why)
        branching = campaign(corridor, "tree", experiment([line.replace("<= 13", "<= 15") for line in TEXT], {"plain": {"activation_delay": 3, "returns": 2}}, suites=4, sequences=4,
                                                          branching={"continuations": 4, "back": [1, 2, 5], "cases": 6}))
        assert branching["branches"]
        curves += check_survival(corridor, "tree.h5", branching, {("small", "gray", "plain")}, False)
        nodes, parting = check_tree(corridor, "tree.h5", branching, "plain")
        cases = check_trace(corridor, "plain.h5", plain, "plain") + check_forms(corridor)
    print(f"{curves} curves, {compared + more} rates, {nodes} constraints of nodes, {parting} that part, {cases} grounds agree")


if __name__ == "__main__":
    main()
