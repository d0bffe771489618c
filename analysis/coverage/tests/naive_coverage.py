#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_coverage.py RANDOM_WORLD SEED: lets RANDOM_WORLD write a random result file with its coverage, computes the
coverage again from the file in the plainest way (everything in memory, sets of states and transitions, the stationary
law by averaging powers of the matrix, expectations by powers of the matrix without a transition), and compares. Shares
no code with the analysis and reads the file through h5py."""
import csv
import json
import math
import subprocess
import sys
from collections import Counter, defaultdict

import h5py
import numpy

from coverage_document import document as by_arm

POINTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MEASURES = ("states", "transitions", "reachable_states", "reachable_transitions", "likely_states", "likely_transitions",
            "state_mass", "transition_mass")
SHEETS = ("covered", "unseen", "growth", "matrix", "missed", "pairs", "bins", "buckets")
UNIFORM = set()  # codes of the arms that walk anywhere
compared = 0


def same(what, ours, theirs, tolerance=1e-9):
    global compared
    compared += 1
    if isinstance(ours, float) and math.isnan(ours):
        ours = None
    if ours is None or theirs is None:
        if ours is not theirs:
            sys.exit(f"{what}: the coverage says {theirs}, computed again {ours}")
    elif not math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=tolerance):
        sys.exit(f"{what}: the coverage says {theirs}, computed again {ours}")


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


class Law:
    """A profile: P, its stationary law, what is likely."""

    def __init__(self, n, arcs, first):
        self.n, self.P, self.first = n, numpy.zeros((n, n)), first
        for (i, j), p in arcs.items():
            self.P[i, j] = p
        self.arcs = {(i, j) for (i, j), p in arcs.items() if p > 0}
        self.sound = bool(numpy.all(abs(self.P.sum(axis=1) - 1) < 1e-6))
        self.pi = self.stationary() if self.sound else numpy.zeros(n)
        self.likely_states = self.likely({i: self.pi[i] for i in range(n)})
        self.likely_arcs = self.likely({a: self.mass(a) for a in self.arcs})

    def stationary(self):
        """The limit of time averages from the first state, or from a uniform start where none is said: of the lazy chain, which has the same averages and no
        period, by squaring."""
        lazy = (self.P + numpy.eye(self.n)) / 2
        for _ in range(60):
            lazy = lazy @ lazy
            lazy /= lazy.sum(axis=1, keepdims=True)
        share = lazy.mean(axis=0) if self.first is None else lazy[self.first].copy()
        share[[i for i in range(self.n) if not self.recurrent(i)]] = 0
        return share / share.sum()

    def leads(self, start):
        seen, todo = {start}, [start]
        while todo:
            i = todo.pop()
            for a, b in self.arcs:
                if a == i and b not in seen:
                    seen.add(b)
                    todo.append(b)
        return seen

    def recurrent(self, i):
        return all(i in self.leads(j) for j in self.leads(i))

    def mass(self, arc):
        return self.pi[arc[0]] * self.P[arc]

    @staticmethod
    def likely(masses):
        chosen, total = set(), 0
        for key in sorted((k for k in masses if masses[k] > 0), key=lambda k: -masses[k]):
            if total >= 0.95 * (1 - 1e-12) and masses[key] < masses[last] * (1 - 1e-9):
                break
            chosen.add(key)
            total += masses[key]
            last = key if total - masses[key] < 0.95 * (1 - 1e-12) else last
        return chosen

    def expected(self, first, cases):
        """Different states and transitions seen in so many cases from a first state."""
        states = arcs = 0
        for state in range(self.n):
            Q = self.P.copy()
            Q[:, state] = 0
            stay = numpy.linalg.matrix_power(Q, cases).sum(axis=1)[first]
            states += 1 if state == first else 1 - stay
        for arc in self.arcs:
            arcs += 1 - self.misses(arc, first, cases)
        return states, arcs

    def misses(self, arc, first, cases):
        Q = self.P.copy()
        Q[arc] = 0
        return numpy.linalg.matrix_power(Q, cases).sum(axis=1)[first]


class Site:
    """A profile of a suite with its walks: sequence -> list of walks."""

    def __init__(self, suite, number, environment, law):
        self.suite, self.number, self.environment, self.law, self.walks = suite, number, environment, law, []

    def share(self, walks, reached):
        """Measure -> (covered, possible) of some walks together."""
        law = self.law
        states = {s for w in walks for s in w}
        arcs = {a for w in walks for a in zip(w, w[1:])} & law.arcs
        reachable_arcs = {a for a in law.arcs if a[0] in reached}
        pairs = ((len(states), law.n), (len(arcs), len(law.arcs)), (len(states & reached), len(reached)),
                 (len(arcs & reachable_arcs), len(reachable_arcs)),
                 (len(states & law.likely_states), len(law.likely_states)),
                 (len(arcs & law.likely_arcs), len(law.likely_arcs)),
                 (sum(law.pi[s] for s in states), 1 if law.sound else 0),
                 (sum(law.mass(a) for a in arcs), 1 if law.sound else 0))
        return dict(zip(MEASURES, pairs))

    def reached(self, walks):
        roots = {s for w in walks for s in w} | {i for i in range(self.law.n) if self.law.pi[i] > 0}
        return set().union(*(self.law.leads(s) for s in roots))

    def open(self, walks):
        law, reached = self.law, self.reached(walks)
        taken = Counter(a for w in walks for a in zip(w, w[1:]))
        unseen = law.arcs - set(taken)
        steps, once, twice = sum(taken.values()), sum(c == 1 for c in taken.values()), sum(c == 2 for c in taken.values())
        chao = None
        if steps:
            chao = (steps - 1) / steps * (once * once / (2 * twice) if twice else once * (once - 1) / 2)
        return {"law": sum(law.mass(a) for a in unseen) if law.sound else None,
                "good_turing": once / steps if steps else None,
                "transitions_unseen": sum(a[0] in reached for a in unseen),
                "likely_unseen": len(unseen & law.likely_arcs), "transitions_once": once,
                "transitions_unseen_chao": chao}


def load(path):
    with h5py.File(path, "r") as file:
        table = lambda name: [dict(zip(file[name], row)) for row in zip(*(file[name][c][()].tolist() for c in file.get(name, {})))]
        names = ("suites", "chains", "profiles", "transitions", "sequences", "parameters", "counters")
        catalog = lambda name: dict(zip(file[f"catalog/{name}/code"][()].tolist(),
                                        (n.decode() for n in file[f"catalog/{name}/name"][()])))
        return ({name: table(name) for name in names}, file["vectors/walk"][()].tolist(),
                {name: catalog(name) for name in ("arm", "environment", "parameter", "counter")})


def read_suites(tables, walk, environments):
    """(arm, suite) -> sites, chains as lists of walks, in order."""
    suites = {}
    for row in tables["suites"]:
        key = row["arm"], row["suite"]
        mine = lambda name: [r for r in tables[name] if (r["arm"], r["suite"]) == key]
        sites = {}
        for profile in mine("profiles"):
            arcs = {(t["from"], t["to"]): t["probability"] for t in mine("transitions") if t["profile"] == profile["profile"]}
            law = Law(profile["states"], arcs, 0 if environments[profile["environment"]] == "sky" else None)
            sites[profile["profile"]] = Site(key, profile["profile"], profile["environment"], law)
        chains = [sites[c["profile"]] for c in mine("chains")]
        sequences = []
        for sequence in mine("sequences"):
            length = sequence["cases"] + 1
            at = [sequence["walk_start"] + c * length for c in range(len(chains))]
            sequences.append([walk[a:a + length] for a in at])
        for site in sites.values():
            site.sequences = [[w for w, s in zip(walks, chains) if s is site] for walks in sequences]
            site.walks = [w for walks in site.sequences for w in walks]
        suites[key] = {"sites": [s for s in sites.values() if s.walks], "chains": chains, "sequences": sequences, "row": row}
    return suites


def compare_levels(what, sites, shown):
    sums = defaultdict(list)
    for site in sites:
        reached = site.reached(site.walks)
        units = {"chain": [[w] for w in site.walks], "sequence": [s for s in site.sequences if s], "suite": [site.walks]}
        for level, lists in units.items():
            for walks in lists:
                for measure, pair in site.share(walks, reached).items():
                    if pair[1] > 0:
                        sums[level, measure].append(pair)
    for level in ("chain", "sequence", "suite"):
        for measure in MEASURES:
            pairs, cell = sums[level, measure], shown["covered"][level][measure]
            name = f"{what}, {level}, {measure}"
            same(name + ", n", len(pairs), cell["n"])
            share = mean(c / p for c, p in pairs)
            same(name, None if share is None else 100 * share, cell["percent"])
            same(name + ", covered", sum(c for c, p in pairs), cell["covered"])
            same(name + ", possible", sum(p for c, p in pairs), cell["possible"])


def compare_unseen(what, sites, shown, by_profile):
    cell, opens = shown["unseen"]["suite"], [(s, s.open(s.walks)) for s in sites]
    same(what + ", n unseen", len(opens), cell["n"])
    for key in ("transitions_unseen", "likely_unseen", "transitions_once"):
        same(f"{what}, {key}", sum(o[key] for s, o in opens), cell[key])
    chains = lambda site: len(site.sequences[0])
    suites = {s.suite for s in sites}
    for key in ("law", "good_turing"):
        there = [(s, o) for s, o in opens if o[key] is not None]
        same(f"{what}, unseen by {key}", mean(o[key] for s, o in there), cell[key])
        rate = sum(chains(s) * o[key] for s, o in there) / len(suites) if there else 0
        known = key == "good_turing" or (by_profile and all(s.law.sound for s in sites))
        same(f"{what}, cases by {key}", 1 / rate if rate > 0 and known else None, cell["cases_" + key])
    chaos = [o["transitions_unseen_chao"] for s, o in opens if o["transitions_unseen_chao"] is not None]
    same(what + ", Chao", sum(chaos) if chaos else None, cell["transitions_unseen_chao"], 1e-6)


def compare_cases(what, sites, shown, by_profile):
    points = {p["at"]: p for p in shown["growth"]["cases"]}
    expected_points = 0
    for at in POINTS:
        long = [(s, w[:at + 1]) for s in sites for w in s.walks if len(w) > at]
        if not long:
            assert at not in points, (what, at)
            continue
        point = points.pop(at)
        same(f"{what}, chains of {at} cases", len(long), point["n"])
        shares = [s.share([w], set()) for s, w in long]
        for key, measure in (("states", "states"), ("transitions", "transitions"), ("transition_mass", "transition_mass")):
            value = mean(r[measure][0] / r[measure][1] for r in shares if r[measure][1] > 0)
            same(f"{what}, {key} after {at} cases", None if value is None else 100 * value, point[key])
        if point["expected_n"] == 0:
            continue
        # The same walks: all, but for environments with two profiles in a suite, of which the last one counts.
        assert by_profile or what.startswith("all,"), what
        long = [(s, w) for s, w in long if s.suite[0] not in UNIFORM]
        counts = {(s.suite, s.environment): s for s, _ in long}
        last = {}
        for s in sites:
            last[s.suite, s.environment] = s
        if any(s.law.n != last[k].law.n or (s.law.P != last[k].law.P).any() for s in sites for k in [(s.suite, s.environment)]):
            continue
        if any(not s.law.sound for s, w in long) or len(counts) == 0:
            continue
        same(f"{what}, expected over so many at {at}", len(long), point["expected_n"])
        cache = {}
        total = [0, 0]
        for s, w in long:
            key = id(s.law), w[0]
            if key not in cache:
                cache[key] = s.law.expected(w[0], at)
            states, arcs = cache[key]
            total[0] += 100 * states / s.law.n / len(long)
            total[1] += 100 * arcs / len(s.law.arcs) / len(long)
        same(f"{what}, expected states after {at}", total[0], point["expected_states"], 1e-7)
        same(f"{what}, expected transitions after {at}", total[1], point["expected_transitions"], 1e-7)
        observed = mean(s.share([w], set())["transitions"][0] / len(s.law.arcs) for s, w in long)
        same(f"{what}, observed transitions after {at}", 100 * observed, point["observed_transitions"])
        expected_points += 1
    assert not points, (what, points)
    return expected_points


def compare_sequences(what, sites, shown):
    for point in shown["growth"]["sequences"]:
        at = point["at"]
        enough = [s for s in sites if len(s.sequences) >= at]
        same(f"{what}, profiles with {at} sequences", len(enough), point["n"])
        shares = [s.share([w for q in s.sequences[:at] for w in q], set()) for s in enough]
        value = mean(r["transitions"][0] / r["transitions"][1] for r in shares if r["transitions"][1] > 0)
        same(f"{what}, transitions after {at} sequences", 100 * value, point["transitions"])


def whole(sites):
    """All suites as one, if the profile is the same in all."""
    first = sites[0]
    if any(s.law.n != first.law.n or (s.law.P != first.law.P).any() for s in sites):
        return None
    site = Site(None, None, first.environment, first.law)
    site.walks = [w for s in sites for w in s.walks]
    site.suites = {s.suite for s in sites}
    return site


def missed_of(site, walks):
    taken = {a for w in walks for a in zip(w, w[1:])}
    steps = sum(len(w) - 1 for w in walks)
    return [(steps * site.law.mass(a), site, a, walks) for a in site.law.arcs - taken if steps * site.law.mass(a) > 0]


def round_down(cases):
    """Lengths are told apart up to 128 and then in 32 steps an octave."""
    octave = 0
    while cases >= 128 and cases >> octave >= 64:
        octave += 1
    return cases >> octave << octave


def compare_missed(what, sites, one, shown, by_profile):
    missed = []
    if by_profile:
        missed = missed_of(one, one.walks) if one else [m for s in sites for m in missed_of(s, s.walks)]
    missed.sort(key=lambda m: -m[0])
    same(what + ", number missed", min(len(missed), 10), len(shown["missed"]))
    for mine, cell in zip(missed, shown["missed"]):
        same(what + ", expected of missed", mine[0], cell["expected"])
        twins = [m for m in missed if math.isclose(m[0], mine[0], rel_tol=1e-9)]
        candidates = [m for m in twins if m[2] == (cell["from"], cell["to"])]
        assert candidates, (what, cell)
        _, site, arc, walks = candidates[0]
        same(what + ", probability of missed", site.law.P[arc], cell["probability"])
        chance = math.prod(site.law.misses(arc, w[0], round_down(len(w) - 1)) for w in walks)
        if len(candidates) == 1:
            same(what + ", chance of missed", chance, cell["chance"], 1e-6)


def compare_campaign(what, sites, one, shown, by_profile, suites):
    assert shown["same_in_all_suites"] == (one is not None), what
    cells, unseen = shown["covered"]["campaign"], shown["unseen"]["campaign"]
    if one is None:
        assert all(cells[m]["percent"] is None for m in MEASURES) and unseen["law"] is None, what
        return
    share = one.share(one.walks, one.reached(one.walks))
    for measure in MEASURES:
        covered, possible = share[measure]
        same(f"{what}, campaign, {measure}", 100 * covered / possible if possible > 0 else None, cells[measure]["percent"])
    found = one.open(one.walks)
    for key in ("law", "good_turing", "transitions_unseen", "likely_unseen", "transitions_once", "transitions_unseen_chao"):
        same(f"{what}, campaign, {key}", found[key], unseen[key], 1e-6)
    chains = sum(len(s.sequences[0]) for s in sites) / len({s.suite for s in sites})
    rate = chains * found["law"] if found["law"] is not None and by_profile else 0
    same(what + ", campaign, cases", 1 / rate if rate > 0 else None, unseen["cases_law"])
    for point in shown["growth"]["suites"]:
        early = [s for s in sites if s.suite in suites[:point["at"]]]
        share = one.share([w for s in early for w in s.walks], set())
        same(f"{what}, transitions after {point['at']} suites", 100 * share["transitions"][0] / share["transitions"][1],
             point["transitions"])
        same(f"{what}, different after {point['at']} suites", share["transitions"][0], point["distinct"])


def compare_whole(what, cells, shown, sites):
    """All environments as one: means over them, which compare_campaign has compared."""
    same_in_all = all(c["same_in_all_suites"] for c in cells)
    assert shown["same_in_all_suites"] == same_in_all, what
    level, unseen = shown["covered"]["campaign"], shown["unseen"]["campaign"]
    if not same_in_all:
        assert unseen["law"] is None and level["states"]["percent"] is None, what
        return
    for measure in MEASURES:
        values = [c["covered"]["campaign"][measure]["percent"] for c in cells]
        same(f"{what}, campaign, {measure}", mean(v for v in values if v is not None), level[measure]["percent"])
    for key in ("transitions_unseen", "likely_unseen", "transitions_once"):
        same(f"{what}, campaign, {key}", sum(c["unseen"]["campaign"][key] for c in cells), unseen[key])
    for key in ("law", "good_turing"):
        values = [c["unseen"]["campaign"][key] for c in cells]
        whole_mean = None if None in values else mean(values)
        same(f"{what}, campaign, {key}", whole_mean, unseen[key])
    chains = Counter(s.environment for s in sites for _ in s.sequences[0])
    rate = sum(chains[c["code"]] * c["unseen"]["campaign"]["good_turing"] for c in cells) / len({s.suite for s in sites})
    same(f"{what}, campaign, cases", 1 / rate if rate > 0 else None, unseen["cases_good_turing"])


def compare_matrix(what, sites, shown):
    taken = Counter(a for s in sites for w in s.walks for a in zip(w, w[1:]))
    visits = Counter(state for s in sites for w in s.walks for state in w)
    n = max(s.law.n for s in sites)
    assert shown["taken"] == [[taken[i, j] for j in range(n)] for i in range(n)], what
    assert shown["visits"] == [visits[i] for i in range(n)], what
    named = shown["same_in_all_suites"] and shown["name"] == "sky"
    assert shown.get("states") == (list("abcdefghijkl"[:n]) if named else None), what
    if "probability" in shown:
        assert (numpy.array(shown["probability"]) == sites[0].law.P).all(), what
        if sites[0].law.sound:
            for i in range(n):
                same(f"{what}, stationary {i}", sites[0].law.pi[i], shown["stationary"][i])


def compare_pairs(what, suites, shown):
    sums = defaultdict(list)
    total = looked = 0
    for suite in suites:
        count = len(suite["chains"])
        chosen = range(count) if count <= 12 else [k * count // 12 for k in range(12)]
        pairs = [(a, b) for a in chosen for b in chosen if a < b]
        total += count * (count - 1) // 2
        looked += len(pairs)
        for a, b in pairs:
            one, other = suite["chains"][a].law, suite["chains"][b].law
            seen = [set(zip(walks[a], walks[b])) for walks in suite["sequences"]]
            for level, lists in (("sequence", seen), ("suite", [set().union(*seen)] if seen else [])):
                for found in lists:
                    sums[level].append(len(found) / (one.n * other.n))
                    if one.sound and other.sound:
                        sums[level + "_mass"].append(sum(one.pi[i] * other.pi[j] for i, j in found))
    same(what + ", pairs", total, shown["pairs"])
    same(what + ", pairs looked at", looked, shown["pairs_looked_at"])
    for key in ("sequence", "suite", "sequence_mass", "suite_mass"):
        value = mean(sums[key])
        same(f"{what}, pairs, {key}", None if value is None else 100 * value, shown[key]["percent"])
        same(f"{what}, pairs, {key}, n", len(sums[key]), shown[key]["n"])


def parts(values, most):
    spread = max(values) - min(values)
    each = all(v == int(v) for v in values) and spread < most
    return (int(spread) + 1, True) if each else (most if spread > 0 else 1, False)


def place(value, values, most):
    count, each = parts(values, most)
    if each:
        return int(value - min(values))
    return min(count - 1, int((value / 2 - min(values) / 2) / (max(values) / 2 - min(values) / 2) * count)) if count > 1 else 0


def compare_parameters(what, arms, tables, names, shown):
    rows = {}
    for suite in tables["suites"]:
        if suite["arm"] in arms:
            key = suite["arm"], suite["suite"]
            rows[key] = {c: float(suite[c]) for c in ("groups", "chains", "sequences", "threshold")}
    for parameter in tables["parameters"]:
        key = parameter["arm"], parameter["suite"]
        if key in rows:
            rows[key][names[parameter["parameter"]]] = parameter["value"]
    order = ["groups", "chains", "sequences", "threshold", *names.values()]
    all_values = {n: [r[n] for r in rows.values() if n in r] for n in order}
    all_values = {n: v for n, v in all_values.items() if v}
    assert [p["name"] for p in shown["parameters"]] == list(all_values), what
    main = []
    for cell in shown["parameters"]:
        name = cell["name"]
        values = [v for v in all_values[name] if not math.isnan(v)]
        same(f"{what}, {name}, n", len(values), cell["n"])
        same(f"{what}, {name}, undefined", len(all_values[name]) - len(values), cell["undefined"])
        if not values:
            assert cell["min"] is None and cell["bins"] == [], what
            continue
        for key, value in (("min", min(values)), ("median", float(numpy.median(values))), ("max", max(values))):
            same(f"{what}, {name}, {key}", value, cell[key])
        bins = [0] * parts(values, 10)[0]
        for v in values:
            bins[place(v, values, 10)] += 1
        assert bins == cell["bins"], (what, name, bins, cell["bins"])
        if len(bins) > 1:
            main.append((name, values))
    cells = drawn = 0
    for i, (a, these) in enumerate(main):
        for b, those in main[i + 1:]:
            cells += parts(these, 4)[0] * parts(those, 4)[0]
            drawn += len({(place(r[a], these, 4), place(r[b], those, 4)) for r in rows.values()
                          if a in r and b in r and not math.isnan(r[a]) and not math.isnan(r[b])})
    same(what + ", cells", cells, shown["parameter_pairs"]["cells"])
    same(what + ", cells drawn", drawn, shown["parameter_pairs"]["cells_drawn"])


def compare_probes(what, arms, tables, names, shown):
    counts, suites = Counter(), Counter()
    for row in tables["counters"]:
        if row["arm"] in arms:
            counts[row["counter"], row["bucket"]] += row["count"]
            suites[row["counter"], row["bucket"]] += row["count"] > 0
    mine = [(names[c], b, counts[c, b], suites[c, b]) for c, b in sorted(counts)]
    theirs = [(p["name"], b["bucket"], b["count"], b["suites"]) for p in shown["probes"] for b in p["buckets"]]
    assert mine == theirs, (what, mine, theirs)


def compare_arm(shown, codes, suites, tables, catalogs, by_profile):
    what = shown["name"]
    mine = {k: s for k, s in suites.items() if k[0] in codes}
    sites = [site for s in mine.values() for site in s["sites"]]
    same(what + ", suites", len(mine), shown["suites"])
    same(what + ", cases", sum(len(walks[0]) - 1 if walks else 0 for s in mine.values() for walks in s["sequences"]) +
         sum(q["cases"] for q in tables["sequences"] if (q["arm"], q["suite"]) in mine and not mine[q["arm"], q["suite"]]["chains"]),
         shown["cases"])
    assert shown["by_profile"] == by_profile, what
    expected = 0
    compare_pairs(what, mine.values(), shown["pairs"])
    compare_parameters(what, codes, tables, catalogs["parameter"], shown)
    compare_probes(what, codes, tables, catalogs["counter"], shown)
    if not mine:
        return expected
    groups = [("all", sites, shown["all"])]
    for cell in shown["environments"]:
        groups.append((cell["name"], [s for s in sites if catalogs["environment"][s.environment] == cell["name"]], cell))
    assert {catalogs["environment"][s.environment] for s in sites} == {name for name, _, _ in groups[1:]}, what
    for name, these, cell in groups:
        label = f"{what}, {name}"
        same(label + ", profiles", len(these), cell["profiles"])
        same(label + ", outside", sum(a not in s.law.arcs for s in these for w in s.walks for a in zip(w, w[1:])),
             cell["steps_outside"])
        compare_levels(label, these, cell)
        if not these:
            continue
        compare_unseen(label, these, cell, by_profile)
        expected += compare_cases(label, these, cell, by_profile)
        compare_sequences(label, these, cell)
        if name == "all":
            compare_whole(label, shown["environments"], cell, these)
            continue
        one = whole(these)
        compare_campaign(label, these, one, cell, by_profile, list(mine))
        compare_missed(label, these, one, cell, by_profile)
        compare_matrix(label, these, cell)
    return expected


def compare_csv(files, document):
    """The tables say what the document says."""
    arms = {a["name"]: a for a in (document["all"], *document["arms"])}
    number = lambda text: None if text == "" else float(text)
    rows = {}
    for name, path in zip(SHEETS, files):
        with open(path, newline="") as file:
            rows[name] = list(csv.DictReader(file))
    place_of = lambda row: arms[row["arm"]]["all"] if row["environment"] == "all" else next(
        e for e in arms[row["arm"]]["environments"] if e["name"] == row["environment"])
    for row in rows["covered"]:
        for level in ("chain", "sequence", "suite", "campaign"):
            cell = place_of(row)["covered"][level][row["measure"]]
            for key in ("n", "covered", "possible"):
                same(f"covered.csv {row}", number(row[f"{level}_{key}"]), cell[key], 1e-15)
            same(f"covered.csv {row}", number(row[f"{level}_pct"]), cell["percent"], 1e-15)
    for row in rows["unseen"]:
        cell = place_of(row)["unseen"][row["level"]]
        for column, key in (("unseen_law", "law"), ("cases_good_turing",) * 2, ("transitions_once",) * 2):
            same(f"unseen.csv {row}", number(row[column]), cell[key], 1e-15)
    for row in rows["growth"]:
        cell = next(p for p in place_of(row)["growth"][row["over"]] if p["at"] == int(row["at"]))
        for column, key in (("n",) * 2, ("states_pct", "states"), ("transitions_pct", "transitions"), ("distinct",) * 2,
                            ("expected_transitions_pct", "expected_transitions")):
            same(f"growth.csv {row}", number(row[column]), cell[key], 1e-15)
    for row in rows["matrix"]:
        same(f"matrix.csv {row}", int(row["taken"]), place_of(row)["taken"][int(row["from"])][int(row["to"])])
    assert len(rows["missed"]) == sum(len(e["missed"]) for a in arms.values() for e in (a["all"] or {"missed": []}, *a["environments"]))
    for row in rows["pairs"]:
        for key in ("sequence", "suite", "sequence_mass", "suite_mass"):
            same(f"pairs.csv {row}", number(row[key + "_pct"]), arms[row["arm"]]["pairs"][key]["percent"], 1e-15)
    for row in rows["bins"]:
        cell = next(p for p in arms[row["arm"]]["parameters"] if p["name"] == row["parameter"])
        b, n, low, high = int(row["bin"]), len(cell["bins"]), cell["min"], cell["max"]
        same(f"bins.csv {row}", int(row["count"]), cell["bins"][b])
        each = cell["whole"] and high - low < n
        for key, k in (("from", b), ("to", b + (not each))):
            same(f"bins.csv {row} {key}", float(row[key]), low + b if each else low * (1 - k / n) + high * (k / n))
    assert len(rows["buckets"]) == sum(len(p["buckets"]) for a in arms.values() for p in a["probes"])
    assert all(rows.values()), {name: len(r) for name, r in rows.items()}


def main():
    program, seed = sys.argv[1:]
    result, document_path = f"coverage_{seed}.h5", f"coverage_{seed}.json"
    files = [f"coverage_{seed}_{name}.csv".replace("coverage_", "naive_") for name in SHEETS]
    subprocess.run([program, seed, result, document_path, *files], check=True)
    tables, walk, catalogs = load(result)
    with open(document_path) as file:
        document = by_arm(json.load(file))
    UNIFORM.update(code for code, name in catalogs["arm"].items() if name == "uniform")
    suites = read_suites(tables, walk, catalogs["environment"])
    expected = compare_arm(document["all"], set(catalogs["arm"]), suites, tables, catalogs, False)
    for arm in document["arms"]:
        expected += compare_arm(arm, {arm["code"]}, suites, tables, catalogs, arm["name"] != "uniform")
    compare_csv(files, document)
    assert compared > 1000 and expected > 5, (compared, expected)
    print(f"{compared} figures agree, {expected} expectations among them")


main()
