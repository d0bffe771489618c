#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_branching.py CORRIDOR SOURCE_DIRECTORY MODULES: sequences that continue failed ones, as the result file shows them."""
import json
import shutil
import unittest
from collections import Counter, defaultdict

import h5py

from campaigns import FEW, PLANTED, SPADA_F2, WEATHER, Case

FAILING = (2, 4)
BRANCHING = {"continuations": 3, "back": [1, 3, 8], "cases": 12}
# Everything random that a reorganization can meet: losses, the monitor's fault, idle agents.
NOISY = {**SPADA_F2, "mail": {"mode": "lossy", "loss_ratio": 0.05}, "monitor": {"fault": "missed", "probability": 0.3},
         "adoption": {"fault": "misdirected", "probability": 0.02}}


def rows(path, table):
    with h5py.File(path) as file:
        columns = {name: column[()].tolist() for name, column in file.get(table, {}).items()}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def walks(path):
    """(suite, sequence) -> case -> states of all chains."""
    with h5py.File(path) as file:
        walk = file["vectors/walk"][()].tolist()
    chains, found = {s["suite"]: s["chains"] for s in rows(path, "suites")}, {}
    for s in rows(path, "sequences"):
        length = s["cases"] + 1
        start = s["walk_start"]
        found[s["suite"], s["sequence"]] = [tuple(walk[start + c * length + i] for c in range(chains[s["suite"]]))
                                            for i in range(length)]
    return found


def events(path, table):
    """(suite, sequence) -> case and row of each, without the number of the sequence."""
    found = defaultdict(list)
    for row in rows(path, table):
        found[row["suite"], row["sequence"]].append((row["case"], {k: repr(v) for k, v in row.items() if k != "sequence"}))
    return found


class Branching(Case):
    def check(self, path, plain, sequences, branching):
        first, seen, there = {}, Counter(), walks(path)
        for r in rows(path, "reorganizations"):
            if r["gray"] in FAILING or r["black"] in FAILING:
                first.setdefault((r["suite"], r["sequence"]), r["case"])
        # Which there are: for each failed sequence and each different prefix, in order.
        expected = []
        for suite in sorted({suite for suite, _ in there}):
            number = sequences
            for parent in range(sequences):
                failure = first.get((suite, parent))
                prefixes = [] if failure is None else [max(0, failure - b) for b in branching["back"]]
                for prefix in [p for i, p in enumerate(prefixes) if p > 0 or p not in prefixes[:i]]:
                    for _ in range(branching["continuations"]):
                        expected.append((suite, number, parent, prefix))
                        number += 1
        branches = rows(path, "branches")
        self.assertEqual([(b["suite"], b["sequence"], b["parent"], b["prefix"]) for b in branches], expected)
        self.assertGreater(len(branches), 20)
        for s in rows(path, "suites"):
            self.assertEqual(s["sequences"], sequences + sum(b["suite"] == s["suite"] for b in branches))
        # What they share, and that they part: all that happened, to the bit.
        apart, happened = 0, {table: events(path, table) for table in ("cases", "reorganizations")}
        for b in branches:
            parent, mine = there[b["suite"], b["parent"]], there[b["suite"], b["sequence"]]
            self.assertEqual(len(mine) - 1, min(len(parent) - 1, b["prefix"] + branching["cases"]))
            self.assertEqual(mine[:b["prefix"] + 1], parent[:b["prefix"] + 1])
            apart += mine != parent[:len(mine)]
            for of_table in happened.values():
                self.assertEqual(*([row for case, row in of_table[b["suite"], sequence] if case <= b["prefix"]]
                                   for sequence in (b["sequence"], b["parent"])))
            seen[mine[b["prefix"] + 1]] += 1
        self.assertGreater(apart, 0.9 * len(branches))
        self.assertGreater(len(seen), len(branches) / 10)
        # The others are what they were.
        for table in ("sequences", "cases", "reorganizations"):
            strip = lambda p: [repr({k: v for k, v in row.items() if k != "walk_start"}) for row in rows(p, table)
                               if row["sequence"] < sequences]
            self.assertEqual(strip(path), strip(plain))
        old = walks(plain)
        self.assertTrue(all(there[key] == old[key] for key in old))

    def check_tables(self, plain, path):
        """Continuations are chosen by what failed: no figure of the tables knows them."""
        self.corridor("show", path, "tables", "--verify")  # identities hold over all sequences
        without, with_them = (json.loads(self.corridor("show", p, "tables", "--json").stdout)["sheets"] for p in (plain, path))
        self.assertEqual(without["arms"]["rows"][0].pop("continuations"), 0)
        self.assertEqual(with_them["arms"]["rows"][0].pop("continuations"), len(rows(path, "branches")))
        for sheets in (without, with_them):
            del sheets["identities"], sheets["arm_identities"]  # those are over all sequences
            del sheets["found"]["remarks"]  # they say how many continuations there are
        self.assertEqual(without, with_them)

    def test_continuations_share_their_prefix_and_then_part(self):
        for name, model, arm in (("planted", WEATHER, PLANTED), ("noisy", FEW, NOISY)):
            with self.subTest(name):
                changes = {"suites": 5, "cases": [40, 80], "sequences": 3}
                plain = self.run_campaign(model, arm, output=f"{name}-plain.h5", **changes)
                path = self.run_campaign(model, arm, output=f"{name}.h5", branching=BRANCHING, **changes)
                self.assertEqual(rows(plain, "branches"), [])
                self.check(path, plain, 3, BRANCHING)
                self.check_tables(plain, path)

    def test_continuations_follow_the_profile(self):
        path = self.run_campaign(WEATHER, PLANTED, branching={"continuations": 20, "back": 2, "cases": 60}, suites=4, cases=100)
        arcs, taken, there = WEATHER["environments"]["sky"]["profile"]["transitions"], Counter(), walks(path)
        names = list(arcs)
        for b in rows(path, "branches"):
            mine = there[b["suite"], b["sequence"]][b["prefix"]:]
            for before, now in zip(mine, mine[1:]):
                taken.update(zip(before, now))
        for i, source in enumerate(names):
            total = sum(count for (of, _), count in taken.items() if of == i)
            self.assertGreater(total, 1000)
            for j, target in enumerate(names):
                p = arcs[source].get(target, 0)
                # six standard deviations of a binomial share
                self.assertLess(abs(taken[i, j] / total - p), 6 * (p * (1 - p) / total) ** 0.5 + 1e-12)

    def test_what_a_continuation_repeats_is_no_unit_of_the_ranking(self):
        path = self.run_campaign(WEATHER, PLANTED, branching={"continuations": 2, "back": [1, 2, 3], "cases": 20}, suites=6, cases=60)
        prefix = {(b["suite"], b["sequence"]): b["prefix"] for b in rows(path, "branches")}
        shared = lambda r: prefix.get((r["suite"], r["sequence"]), 0)
        reorganizations = rows(path, "reorganizations")
        self.assertGreater(sum(r["case"] == shared(r) for r in reorganizations), 3)
        own = [r for r in reorganizations if r["case"] > shared(r)]
        failing = sum(r["gray"] in FAILING or r["black"] in FAILING for r in own)
        ranking = self.ranking()
        self.assertEqual((ranking["failing"], ranking["passing"]), (failing, len(own) - failing))

    def test_workers_and_suite_files_change_nothing(self):
        name = self.experiment(FEW, NOISY, branching=BRANCHING)
        for jobs in (1, 3):
            self.corridor("run", name, "-o", f"{jobs}.h5", "--jobs", jobs, "--progress", "none")
        self.assertEqual((self.folder / "1.h5").read_bytes(), (self.folder / "3.h5").read_bytes())
        self.corridor("plan", name, "-o", "plan", "--suites")
        self.corridor("run", "plan", "-o", "read.h5", "--progress", "none")
        self.assertEqual(rows(self.folder / "read.h5", "branches"), rows(self.folder / "1.h5", "branches"))
        self.assertEqual(*(self.corridor("export", path, "--table", "cases").stdout for path in ("read.h5", "1.h5")))
        self.assertEqual(*(self.corridor("show", path, "tables", "--hash").stdout for path in ("read.h5", "1.h5")))

    def test_uniform_walks_continue_uniformly(self):
        path = self.run_campaign(WEATHER, {**PLANTED, "environment": "uniform"}, branching={"continuations": 9}, suites=3, cases=60)
        there, states = walks(path), Counter()
        for b in rows(path, "branches"):
            for now in there[b["suite"], b["sequence"]][b["prefix"] + 1:]:
                states.update(now)
        total = sum(states.values())
        for count in states.values():
            self.assertLess(abs(count / total - 0.25), 6 * (0.25 * 0.75 / total) ** 0.5)

    def test_files_are_read_as_if_without_branches(self):
        """Format 1.0 had no table branches, and others leave it out where it has no rows, or wrote it without any; the
        fingerprint is the same."""
        path = self.run_campaign(WEATHER, PLANTED)
        full = self.run_campaign(WEATHER, PLANTED, branching=BRANCHING, output="full.h5")
        old, empty = self.folder / "old.h5", self.folder / "empty.h5"
        for copy in (old, empty):
            shutil.copy(path, copy)
        with h5py.File(old, "r+") as file:
            self.assertNotIn("branches", file)
            file.attrs["format_version"] = "1.0.0"
        with h5py.File(empty, "r+") as file, h5py.File(full) as other:
            for name, column in other["branches"].items():
                file.create_dataset(f"branches/{name}", shape=(0,), dtype=column.dtype)
        for command in (["show", "--hash", "--verify"], ["tree"], ["export", "--table", "branches"]):
            asked = lambda p: self.corridor(command[0], p, *command[1:]).stdout
            self.assertEqual(asked(old), asked(path))
            self.assertEqual(asked(empty), asked(path))
        with h5py.File(full, "r+") as file:
            self.assertGreater(len(file["branches/arm"]), 0)
            del file["branches"]
        self.assertIn("its fingerprint differs", self.corridor("show", full, "tables", code=3).stderr)
        self.corridor("verify", full, code=1)

    def test_branching_that_makes_no_sense_is_refused(self):
        for branching, said in (({}, 'continuations'), ({"continuations": 0}, "/branching/continuations"),
                                ({"continuations": 1, "back": 0}, "/branching/back"),
                                ({"continuations": 1, "back": [3, 3]}, "is not above the one before"),
                                ({"continuations": 1, "back": []}, "/branching/back"),
                                ({"continuations": 1, "forth": 1}, 'unknown key "forth"'),
                                ({"continuations": 1000, "back": list(range(1, 9)), "cases": 5}, "could come to 80010"),
                                (7, "/branching")):
            name = self.experiment(WEATHER, PLANTED, branching=branching, sequences=10)
            self.assertIn(said, self.corridor("plan", name, code=3).stderr)


unittest.main()
