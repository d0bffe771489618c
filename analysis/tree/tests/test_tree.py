#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tree.py CORRIDOR SOURCE_DIRECTORY MODULES: the tree against common prefixes found pair by pair, and what is drawn."""
import itertools
import shutil
import subprocess
import unittest

import h5py

from campaigns import FEW, PLANTED, PLANTED_FIRST, SPADA_F2, WEATHER, Case

FAILING = (2, 4)
BRANCHING = {"continuations": 4, "back": [1, 2, 5], "cases": 6}


def read(path):
    """The walks, and the rows of sequences and cases by suite."""
    with h5py.File(path) as file:
        found = {}
        for name in ("sequences", "cases"):
            for row in zip(*(file[name][c][()].tolist() for c in file.get(name, {}))):
                row = dict(zip(file[name], row))
                found.setdefault((name, row["suite"]), []).append(row)
        return file["vectors/walk"][()].tolist(), found


def projected(walk, sequences, cases, by, chains):
    """sequence -> its executed cases as the tree sees them; the sequences that failed; what the columns are."""
    found, failed = {}, {}
    states_of = {}
    for s in sequences:
        states_of[s["sequence"]] = lambda i, s=s: [walk[s["walk_start"] + c * (s["cases"] + 1) + i] for c in chains]
        found[s["sequence"]] = [(*states_of[s["sequence"]](0), *([False] if "alarm" in by else []), *([(3, 3)] if "verdict" in by else []))]
    for c in cases:
        found[c["sequence"]].append((*states_of[c["sequence"]](c["case"]), *([c["alarm"] == 1] if "alarm" in by else []),
                                     *([(c["gray"], c["black"])] if "verdict" in by else [])))
        if c["gray"] in FAILING or c["black"] in FAILING:
            failed.setdefault(c["sequence"], c["case"])
    return found, failed


class Tree(Case):
    def check(self, content, tree):
        """The nodes against all pairs of sequences of a file that was read."""
        walk, of = content
        rows, failed = projected(walk, of["sequences", tree["suite"]], of["cases", tree["suite"]], tree["by"], tree["chains"])
        nodes, ends = tree["nodes"], {}
        self.assertEqual({s["sequence"]: s["first_failure"] for s in tree["sequences"]}, {s: failed.get(s) for s in rows})
        way, members = {}, {node["node"]: [] for node in nodes}
        for node in nodes:
            way[node["node"]] = [*way.get(node["parent"], []), node["node"]]
            for s in node["ending"]:
                ends[s] = way[node["node"]]
        self.assertEqual(sorted(ends), sorted(rows))
        for s, path_of_s in ends.items():
            self.assertEqual(sum(nodes[n]["cases"] for n in path_of_s), len(rows[s]), "a sequence is as long as its way")
            for n in path_of_s:
                members[n].append(s)
        for a, b in itertools.combinations(rows, 2):
            common = next((i for i, (x, y) in enumerate(zip(rows[a], rows[b])) if x != y), min(len(rows[a]), len(rows[b])))
            shared = [n for n in ends[a] if n in ends[b]]
            self.assertEqual(sum(nodes[n]["cases"] for n in shared), common, (a, b))
        for node in nodes:
            mine = members[node["node"]]
            bad = [s for s in mine if s in failed]
            self.assertEqual((node["failing"], node["passing"]), (len(bad), len(mine) - len(bad)))
            start = sum(nodes[n]["cases"] for n in way[node["node"]][:-1])
            self.assertEqual(node["first_case"], start)
            self.assertEqual(node["depth"], len(way[node["node"]]) - 1)
            self.check_parting(node, rows, failed, mine, start + node["cases"], tree)

    def check_parting(self, node, rows, failed, mine, end, tree):
        groups = {}
        for s in mine:
            groups.setdefault(rows[s][end] if end < len(rows[s]) else None, []).append(s in failed)
        mixed = 0 < node["failing"] < len(mine)
        self.assertEqual(node["parts"], mixed and any(len(set(group)) == 1 for group in groups.values()))
        if not node["parts"]:
            return
        going = [s for s in mine if end < len(rows[s])]
        expected = []
        for column in range(len(rows[mine[0]][0])):
            sets = [{rows[s][end][column] for s in going if (s in failed) == which} for which in (True, False)]
            if all(sets) and not sets[0] & sets[1]:
                expected.append(("chain", tree["chains"][column]) if column < len(tree["chains"]) else
                                ("alarm" if "alarm" in tree["by"] and column == len(tree["chains"]) else "verdict", None))
        self.assertEqual([(d["what"], d.get("chain")) for d in node["differences"]], expected)

    def test_trees_agree_with_all_pairs_of_sequences(self):
        for name, model, arm in (("planted", WEATHER, PLANTED), ("spada", FEW, SPADA_F2)):
            path = self.run_campaign(model, arm, output=f"{name}.h5", branching=BRANCHING, suites=3, sequences=3, cases=[20, 40])
            content = read(path)
            for by in ("chains,alarm,verdict", "chains", "involved", "alarm", "verdict", "alarm,verdict", "involved,verdict"):
                for suite in (0, 2)[:1 if name == "spada" else 2]:
                    with self.subTest(f"{name} {by} {suite}"):
                        tree = self.tree("--by", by, "--suite", suite, path=path)
                        self.assertEqual(sorted(tree["by"]), sorted(by.split(",")))
                        self.check(content, tree)

    def test_sequences_fail_that_only_the_black_box_fails(self):
        arm = {**SPADA_F2, "fault": "none", "adoption": {"fault": "lost", "probability": 0.05}}
        path = self.run_campaign(FEW, arm, suites=2, sequences=6, cases=[10, 60])
        with h5py.File(path) as file:
            gray, black = (file["reorganizations"][box][()] for box in ("gray", "black"))
            self.assertEqual(sum(g in FAILING for g in gray), 0)
            self.assertGreater(sum(b in FAILING for b in black), 1)
        for suite in (0, 1):
            self.check(read(path), self.tree("--suite", suite))
        self.assertGreater(self.ranking()["failing"], 1)

    def test_verdicts_part_where_the_storm_comes(self):
        """One chain alone makes sequences fail: where continuations part, it is what tells them apart."""
        self.run_campaign(WEATHER, PLANTED_FIRST, suites=4, sequences=4, cases=200,
                          branching={"continuations": 12, "back": 1, "cases": 1})
        told = parted = 0
        for suite in range(4):
            tree = self.tree("--suite", suite)
            for node in tree["nodes"][1:]:
                if not node["parts"] or node["passing"] + node["failing"] < 13:
                    continue
                parted += 1
                for d in node["differences"]:
                    if d["what"] == "chain" and d["chain"] == 0:
                        told += 1
                        self.assertEqual(d["failing"], ["storm"])
                        self.assertNotIn("storm", d["passing"])
        self.assertGreater(parted, 3)
        self.assertGreaterEqual(told, 0.5 * parted)

    def test_involved_chains_are_those_of_named_agents(self):
        path = self.run_campaign(WEATHER, PLANTED_FIRST, suites=10)
        numbers = []
        for suite in range(10):
            with h5py.File(path) as file:
                pick = lambda table, *columns: [row[1:] for row in zip(*(file[table][c][()].tolist() for c in ("suite", *columns)))
                                                if row[0] == suite]
                chain_of, group_of = dict(pick("groups", "group", "chain")), dict(pick("agents", "agent", "group"))
                named = {agent for agent, in pick("violations", "agent") if agent in group_of}
            chains = self.tree("--by", "involved", "--suite", suite, path=path)["chains"]
            self.assertEqual(chains, sorted({chain_of[group_of[agent]] for agent in named}) if named else list(range(6)))
            numbers.append(len(chains))
        self.assertLess(min(numbers), 6)

    def test_the_suite_is_one_that_parts(self):
        self.run_campaign(WEATHER, PLANTED, suites=30, cases=[3, 20])
        tree = self.tree()
        failing = sum(s["failed"] for s in tree["sequences"])
        self.assertTrue(0 < failing < len(tree["sequences"]))
        for earlier in range(tree["suite"]):
            verdicts = {s["failed"] for s in self.tree("--suite", earlier)["sequences"]}
            self.assertEqual(len(verdicts), 1)

    def test_the_same_tree_is_drawn_in_ascii_and_in_utf8(self):
        self.run_campaign(WEATHER, PLANTED, branching=BRANCHING)
        text = self.corridor("tree", "causes.h5", "--suite", "0").stdout
        self.assertIn("continues 0 behind case", text)
        self.assertIn("* verdicts part", text)
        self.assertTrue(text.isascii())
        drawn = self.corridor("tree", "causes.h5", "--suite", "0", locale="C.UTF-8").stdout
        for letters, line in (("|- ", "├─ "), ("`- ", "└─ "), ("|  ", "│  ")):
            self.assertIn(line, drawn)
            drawn = drawn.replace(line, letters)
        self.assertEqual(drawn, text)
        shallow = self.corridor("tree", "causes.h5", "--suite", "0", "--depth", "1").stdout
        self.assertIn("goes on in", shallow)
        self.assertLess(len(shallow), len(text))

    def test_top_says_how_many_features_are_shown_and_how_many_are_not(self):
        self.run_campaign(WEATHER, PLANTED)
        ranking, text = self.ranking(), self.corridor("tree", "causes.h5", "--top", "2").stdout
        for part in ("causes", "symptoms"):
            self.assertGreater(len(ranking[part]), 3)
            self.assertIn(f"and {len(ranking[part]) - 2} more", text)
            self.assertIn(ranking[part][1]["condition"], text)
        self.assertNotIn(ranking["causes"][2]["condition"] + "\n", text)
        self.assertIn(f"and {len(ranking['causes']) - 15} more", self.corridor("tree", "causes.h5", "--all").stdout)

    def test_dot_draws_failing_nodes_and_joins_what_only_passed(self):
        self.run_campaign(WEATHER, PLANTED, branching=BRANCHING)
        dot = self.corridor("tree", "causes.h5", "--suite", "0", "--dot").stdout
        self.assertIn("peripheries=2", dot)
        if shutil.which("dot"):
            svg = subprocess.run(["dot", "-Tsvg"], input=dot, text=True, check=True, capture_output=True).stdout
            self.assertEqual(svg.count('class="node"'), dot.count("fillcolor=") )
        nodes = self.tree("--suite", "0")["nodes"]
        self.assertEqual(dot.count("fillcolor="), self.drawn(nodes))

    def drawn(self, nodes):
        """Nodes that failing sequences pass through, and for each of those what only passed: one node."""
        shown = [n["node"] for n in nodes if n["failing"] > 0]
        passing = {n["parent"] for n in nodes if n["failing"] == 0 and n["parent"] in shown}
        return len(shown) + len(passing)

    def test_without_failures_there_is_said_to_be_no_tree(self):
        self.run_campaign(WEATHER, {"algorithm": "deal"})
        self.assertIn("nothing failed", self.corridor("tree", "causes.h5").stdout)
        self.assertIn("nothing failed: no tree to part", self.corridor("tree", "causes.h5", "--all").stdout)
        self.assertIsNone(self.tree())
        self.assertIn("nothing failed", self.corridor("tree", "causes.h5", "--dot").stdout)
        self.assertIn("nothing failed: no tree to part", self.corridor("tree", "causes.h5", "--suite", "3").stdout)

    def test_wrong_options_and_cut_files_are_refused(self):
        path = self.run_campaign(WEATHER, PLANTED, arms=[{"name": "A", **PLANTED}, {"name": "B", **PLANTED}])
        for options, code, said in ((["--arm", "C"], 3, 'there is no arm "C"'), ([], 3, "the file has 2 arms"),
                                    (["--arm", "A", "--suite", "99"], 3, "has no suite 99"),
                                    (["--arm", "A", "--by", "colour"], 2, "known: chains, involved, alarm, verdict"),
                                    (["--arm", "A", "--by", ","], 2, "--by has an empty name"),
                                    (["--arm", "A", "--unit", "case"], 2, "known: reorganizations, sequences, suites"),
                                    (["--arm", "A", "--score", "ochai"], 2, 'did you mean "ochiai"'),
                                    (["--arm", "A", "--json", "--dot"], 2, "exclude each other")):
            self.assertIn(said, self.corridor("tree", path, *options, code=code).stderr)
        whole = path.read_bytes()
        for share in (0, 0.01, 0.3, 0.9, 0.9999):
            path.write_bytes(whole[:int(share * len(whole))])
            self.assertNotEqual(self.corridor("tree", path, "--arm", "A", code=3).stderr, "")

    def test_files_that_contradict_themselves_are_refused(self):
        path = self.run_campaign(WEATHER, PLANTED, branching=BRANCHING)
        for table, column, value, said in (("chains", "profile", 7, "table chains"), ("profiles", "states", 3, "visits state 3"),
                                           ("sequences", "walk_start", 1 << 40, "ends behind vectors/walk"),
                                           ("cases", "case", 9999, "was not executed"),
                                           ("reorganizations", "sequence", 9999, "found number 9999"),
                                           ("branches", "parent", 9999, "cannot continue"),
                                           ("suites", "sequences", 1, "table sequences")):
            broken = self.folder / "broken.h5"
            shutil.copy(path, broken)
            with h5py.File(broken, "r+") as file:
                file[table][column][0] = value
            self.assertIn(said, self.corridor("tree", broken, "--suite", "0", code=3).stderr, (table, column))

    def test_tables_without_rows_are_damage_and_no_crash(self):
        path = self.run_campaign(WEATHER, PLANTED)
        for table in ("profiles", "chains", "sequences"):
            broken = self.folder / "broken.h5"
            shutil.copy(path, broken)
            with h5py.File(broken, "r+") as file:
                for name, column in list(file[table].items()):
                    attributes = dict(column.attrs)
                    del file[table][name]
                    file[table].create_dataset(name, shape=(0,), dtype=column.dtype, maxshape=(None,), chunks=(64,)).attrs.update(attributes)
            for options in ((), ("--suite", "0")):
                self.assertIn("or is damaged", self.corridor("tree", broken, *options, code=3).stderr, table)

    def test_numbers_that_occur_twice_in_a_suite_are_damage_and_no_crash(self):
        """A parameter, or a counter apart from its own rows: no unit can have two values of a number."""
        model = {**FEW, "parameters": [{"agents": [8, 30], "most": [4, 8], "states": [3, 6]}]}
        path = self.run_campaign(model, {"algorithm": "psopp", "fault": "f1", "parameters": {"budget": 50}})
        for table, column, unit in (("parameters", "parameter", "reorganizations"), ("parameters", "parameter", "suites"),
                                    ("counters", "counter", "sequences")):
            broken = self.folder / "broken.h5"
            shutil.copy(path, broken)
            with h5py.File(broken, "r+") as file:
                codes = file[table][column]
                last = max(i for i in range(len(codes)) if file[table]["suite"][i] == 0)
                self.assertNotEqual(codes[0], codes[last])
                codes[last] = codes[0]
            self.assertIn(f"table {table}", self.corridor("tree", broken, "--unit", unit, code=3).stderr)
            self.assertIn("occurs twice", self.corridor("tree", broken, "--unit", unit, code=3).stderr)
        with h5py.File(path, "r+") as file:
            file["profiles"]["states"][0] = 65  # none is that large
        self.assertIn("table profiles", self.corridor("tree", path, code=3).stderr)


unittest.main()
