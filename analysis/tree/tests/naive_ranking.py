#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_ranking.py CORRIDOR SOURCE_DIRECTORY: runs small campaigns, lets CORRIDOR rank what goes with failing, ranks it
again in the plainest way - every unit a dictionary of its features, everything in memory, every bound tried - and compares
every feature, count, score and rank. Reads the files through h5py and shares no code with the analysis."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction

import h5py

CORRIDOR, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FAILING = (2, 4)  # failed, smoke
GIVEN = ("partitions_before", "dissimilarity_before", "case")
DONE = ("partitions_after", "moved", "dissimilarity_after", "spent", "rounds", "messages", "messages_lost", "interim_failed")
CODES = {"stop": ("?", "done", "budget", "stagnated", "quiet", "failed"),
         "smoke": ("?", "none", "complained", "memory", "overflow"),
         "inside_after": ("?", "inside", "outside", "edge", "not_looked")}
OF_SUITE = ("agents", "groups", "chains", "size_min", "size_max", "count_min", "count_max", "threshold")


def load(path):
    with h5py.File(path, "r") as file:
        table = lambda name: [dict(zip(file[name], row)) for row in zip(*(file[name][c][()].tolist() for c in file.get(name, {})))]
        tables = {name: table(name) for name in ("suites", "parameters", "chains", "profiles", "sequences", "reorganizations",
                                                 "failures", "counters", "branches")}
        names = {c: dict(zip(file[f"catalog/{c}/code"][()].tolist(), file[f"catalog/{c}/name"].asstr()[()]))
                 for c in ("arm", "parameter", "environment", "counter")}
        return (tables, names, json.loads(file["experiment"].asstr()[()]), file["vectors/walk"][()].tolist(),
                file["vectors/structure"][()].tolist())


class Naive:
    def __init__(self, content, arm, only, unit):
        self.tables, self.names, experiment, self.walk, self.structure = content
        self.only, self.unit = only, unit
        self.environments = experiment["model"]["environments"]
        self.mine = lambda row: row["arm"] == arm and only in (None, row["suite"])
        of_arm = lambda table: [row for row in self.tables[table] if self.mine(row)]
        self.kept = {(f["suite"], f["sequence"], f["case"]): f for f in of_arm("failures")}
        self.sizes = all((r["suite"], r["sequence"], r["case"]) in self.kept for r in of_arm("reorganizations"))
        suites = {s["suite"]: s for s in of_arm("suites")}
        values = [(q["parameter"], q["value"], suites[q["suite"]]) for q in of_arm("parameters") if q["suite"] in suites]
        self.twins = {p: {c for c in OF_SUITE if all(value == s[c] for q, value, s in values if q == p)} for p in self.names["parameter"]}
        self.known = {}  # of a suite, what is asked of it for each unit

    def state(self, environment, state):
        names = self.environments[environment].get("profile", {}).get("states", [])
        return names[state] if state < len(names) else f"state {state}"

    def configuration(self, suite):
        found = {("configuration", c): [suite[c]] for c in OF_SUITE}
        of_suite = lambda row: self.mine(row) and row["suite"] == suite["suite"]
        for p in filter(of_suite, self.tables["parameters"]):
            if not self.twins[p["parameter"]]:
                found["configuration", "parameter " + self.names["parameter"][p["parameter"]]] = [p["value"]]
        for c in filter(of_suite, self.tables["counters"]):
            found.setdefault(("behaviour", "counter " + self.names["counter"][c["counter"]]), [0])[0] += c["count"]
        return found

    def once(self, what, suite, find):
        if (what, suite["suite"]) not in self.known:
            self.known[what, suite["suite"]] = find(lambda row: self.mine(row) and row["suite"] == suite["suite"])
        return self.known[what, suite["suite"]]

    def chains(self, suite):
        return self.once("chains", suite, self.find_chains)

    def states(self, suite):
        return self.once("states", suite, self.find_states)

    def find_chains(self, of_suite):
        profile = {p["profile"]: self.names["environment"][p["environment"]] for p in filter(of_suite, self.tables["profiles"])}
        return [(c["chain"], profile[c["profile"]]) for c in filter(of_suite, self.tables["chains"])]

    def find_states(self, of_suite):
        return {self.names["environment"][p["environment"]]: p["states"] for p in filter(of_suite, self.tables["profiles"])}

    def usable(self, environment):
        return self.only is not None or "profile" in self.environments[environment]

    def at(self, sequence, chain, case):
        return self.walk[sequence["walk_start"] + chain * (sequence["cases"] + 1) + case]

    def changes(self, suite, sequence, case):
        """Facts about the chains in one case."""
        facts = set()
        for chain, environment in self.chains(suite):
            to = self.at(sequence, chain, case)
            here = self.state(environment, to)
            if self.only is not None:
                facts.add(f"chain {chain} ({environment}) in {here}")
            if not self.usable(environment):
                continue
            if case > 0 and self.at(sequence, chain, case - 1) != to:
                facts.add(f"a chain of {environment} goes from "
                          f"{self.state(environment, self.at(sequence, chain, case - 1))} to {here}")
        return facts

    def visited(self, suite, sequence, case):
        return {f"a chain of {environment} in {self.state(environment, self.at(sequence, chain, case))}"
                for chain, environment in self.chains(suite) if self.usable(environment)}

    def reorganization(self, suite, sequence, r):
        """Numbers and facts of one reorganization."""
        numbers = {("structure", c): r[c] for c in GIVEN}
        numbers |= {("behaviour", c): r[c] for c in DONE}
        facts = {("behaviour", f"{c} = {words[r[c]]}") for c, words in CODES.items()}
        if self.sizes:
            f = self.kept[r["suite"], r["sequence"], r["case"]]
            labels = self.structure[f["structure_start"]:f["structure_start"] + f["labels"]]
            sizes = [labels.count(label) for label in set(labels)]
            numbers["structure", "largest_before"], numbers["structure", "smallest_before"] = max(sizes), min(sizes)
        for environment, states in self.states(suite).items():
            here = [self.at(sequence, chain, r["case"]) for chain, e in self.chains(suite) if e == environment]
            for s in range(64 if self.usable(environment) else 0):
                numbers["environment", f"chains of {environment} in {self.state(environment, s)}"] = here.count(s)
        facts |= {("environment", fact) for fact in self.changes(suite, sequence, r["case"])}
        return numbers, facts

    def units(self):
        """(failed, numbers seen, facts) of each unit."""
        for suite in filter(self.mine, self.tables["suites"]):
            of_suite = lambda row: self.mine(row) and row["suite"] == suite["suite"]
            any_failed = False
            for sequence in filter(of_suite, self.tables["sequences"]):
                rows = [r for r in filter(of_suite, self.tables["reorganizations"]) if r["sequence"] == sequence["sequence"]]
                failed = [r["case"] for r in rows if r["gray"] in FAILING or r["black"] in FAILING]
                any_failed |= bool(failed)
                last = failed[0] if failed else sequence["executed"]
                if self.unit == "reorganizations":
                    repeated = [b["prefix"] for b in filter(of_suite, self.tables["branches"]) if b["sequence"] == sequence["sequence"]]
                    for r in (r for r in rows if not repeated or r["case"] > repeated[0]):
                        numbers, facts = self.reorganization(suite, sequence, r)
                        yield (r["case"] in failed, {key: [value] for key, value in numbers.items()} | self.configuration(suite),
                               facts, {})
                elif self.unit == "sequences":
                    seen, facts = defaultdict(list), set()
                    for r in (r for r in rows if r["case"] <= last):
                        numbers, more = self.reorganization(suite, sequence, r)
                        facts |= more
                        for key, value in numbers.items():
                            seen[key].append(value)
                    for case in range(last + 1):
                        facts |= {("environment", fact) for fact in self.changes(suite, sequence, case)}
                        facts |= {("environment", fact) for fact in self.visited(suite, sequence, case)}
                    yield bool(failed), self.configuration(suite), facts, seen
            if self.unit == "suites":
                yield any_failed, self.configuration(suite), set(), {}


def bits(value):
    """The value without what lies more than 8 bits behind its leading one."""
    if value == 0:
        return 0
    mantissa, exponent = math.frexp(value)
    return math.copysign(math.floor(abs(mantissa) * 512), value) * 2.0 ** exponent


def best(having, failed, at_least):
    """The bound that Ochiai likes best: of those who have a value, which ones are taken in."""
    groups = defaultdict(list)
    for value, fails in having:
        groups[bits(value)].append((value, fails))
    found, order = None, sorted(groups, reverse=at_least)
    for i in range(len(order)):
        inside = [item for group in order[:i + 1] for item in groups[group]]
        ef = sum(fails for _, fails in inside)
        if len(inside) == len(failed) or ef == 0:
            continue
        score = Fraction(ef * ef, len(inside))
        if found is None or (score, ef) > found[0]:
            values = [value for value, _ in groups[order[i]]]
            beyond = [value for value, _ in groups[order[i + 1]]] if i + 1 < len(order) else [None]
            found = (score, ef), len(inside) - ef, *((min(values), max(beyond)) if at_least and beyond[0] is not None else
                                                     (min(values), None) if at_least else
                                                     (max(values), min(beyond)) if beyond[0] is not None else (max(values), None))
    return found


def ranked(units, by):
    units = list(units)
    failed = [unit[0] for unit in units]
    F, P, rows = sum(failed), len(failed) - sum(failed), []
    if F == 0 or P == 0:
        return []

    def add(aspect, name, comparison, once, ef, ep, bound, beyond):
        if ef == 0 or ef + ep == F + P:
            return
        nf = F - ef
        rows.append({"aspect": aspect, "feature": name, "comparison": comparison, "once": once, "bound": bound, "next": beyond,
                     "failing_with": ef, "failing_without": nf, "passing_with": ep, "passing_without": P - ep,
                     "ochiai": ef / math.sqrt(F * (ef + ep)), "tarantula": (ef / F) / (ef / F + ep / P),
                     "dstar": ef * ef / (ep + nf) if ep + nf else None})

    for index, comparisons in ((1, (">=", "<=")), (3, (">=", "<="))):
        for key in sorted({key for unit in units for key in unit[index]}):
            for comparison in comparisons:
                fold = max if comparison == ">=" else min
                having = []
                for unit in units:
                    values = [v for v in unit[index].get(key, []) if not math.isnan(v)]
                    if values:
                        having.append((fold(values), unit[0]))
                found = best(having, failed, comparison == ">=")
                if found:
                    (_, ef), ep, bound, beyond = found
                    add(*key, comparison, index == 3, ef, ep, bound, beyond)
    for key in sorted({key for unit in units for key in unit[2]}):
        having = [unit[0] for unit in units if key in unit[2]]
        add(*key, "present", False, sum(having), len(having) - sum(having), None, None)
    value = lambda row: math.inf if row[by] is None else row[by]
    for row in rows:
        listed = [value(other) for other in rows if (other["aspect"] == "behaviour") == (row["aspect"] == "behaviour")]
        better = sum(other > value(row) * (1 + 1e-12) for other in listed)
        equal = sum(math.isclose(other, value(row), rel_tol=1e-12) for other in listed)
        row.update(rank_best=better + 1, rank=better + (equal + 1) / 2, rank_worst=better + equal)
    return rows


def compare(path, content, arm, suite, unit, score):
    command = [CORRIDOR, "tree", path, "--arm", arm, "--unit", unit, "--score", score, "--json"]
    command += ["--suite", str(suite)] if suite is not None else []
    theirs = json.loads(subprocess.run(command, check=True, text=True, capture_output=True).stdout)["sheets"]
    code = next(code for code, name in content[1]["arm"].items() if name == arm)
    key = lambda row: (row["aspect"], row["feature"], row["comparison"], row["once"])
    found = {key(row): row for part in ("causes", "symptoms")
             for row in theirs.get(part, {"rows": []})["rows"]}
    ours = {key(row): row for row in ranked(Naive(content, code, suite, unit).units(), score)}
    place = f"{path.name} {arm} suite {suite} {unit} {score}"
    assert found.keys() == ours.keys(), f"{place}: {sorted(found.keys() ^ ours.keys())[:5]}"
    for name, row in ours.items():
        for field, value in row.items():
            other = found[name][field]
            same = math.isclose(value, other, rel_tol=1e-12) if isinstance(value, float) and other is not None else value == other
            assert same, f"{place}: {name}: {field} is {other}, naively {value}"
    return len(ours)


def run(folder, name, experiment, *options):
    (folder / f"{name}.json").write_text(json.dumps(experiment))
    path = folder / f"{name}.h5"
    subprocess.run([CORRIDOR, "run", folder / f"{name}.json", "-o", path, "--progress", "none", *options], check=True,
                   capture_output=True)
    return path


def main():
    base = {"corridor_experiment": 1, "name": "naive", "seed": "0x51", "suites": 6, "sequences": 3, "cases": [10, 40]}
    arms = [{"name": "few", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [10, 60], "budget": 300}},
            {"name": "swarm", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [10, 60], "budget": 50}},
            {"name": "sound", "algorithm": "random", "parameters": {"agents": [10, 30]}}]
    models = SOURCE / "experiments/library/models"
    features = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        drawn = run(folder, "drawn", {**base, "model": str(models / "paper.json"), "arms": arms})
        given = run(folder, "given", {**base, "suites": 3, "model": str(models / "smart_grid.json"), "arms": arms},
                    "--log-solutions")
        branched = run(folder, "branched", {**base, "suites": 2, "model": str(models / "paper.json"), "arms": arms,
                                            "branching": {"continuations": 1, "back": [1, 2, 3, 4, 5, 7, 9], "cases": 15}})
        for path in (drawn, given, branched):
            content = load(path)
            for arm in arms:
                for unit in ("reorganizations", "sequences", "suites"):
                    for suite in (None, 1):
                        for score in ("ochiai", "tarantula", "dstar") if unit == "sequences" else ("ochiai",):
                            features += compare(path, content, arm["name"], suite, unit, score)
    assert features > 1500, f"only {features} features were compared"
    print(f"{features} features alike")


main()
