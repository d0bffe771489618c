#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""replay: suites of result files executed again from what stands in the file, and every difference named. Tests of models: test_efsm_systems.py."""
import json
import os
import shutil
import unittest

import e2e
from e2e import PSOPP, SOURCE, SPADA

try:
    import h5py
except ImportError:
    h5py = None


class Replay(e2e.Case):
    def replay(self, *arguments, code=0):
        done = self.corridor("replay", *arguments, "--json", code=code)
        self.said = done.stderr
        return json.loads(done.stdout)

    def test_a_campaign_comes_out_as_in_its_file_wherever_that_lies(self):
        """Branching, solutions, mail out of order: all that is written, with no other file."""
        arms = [SPADA, PSOPP, {**SPADA, "name": "M", "mail": {"mode": "shuffled"}}]
        self.run_into("out.h5", self.experiment(arms=arms, branching={"continuations": 1}), "--log-solutions")
        os.mkdir(self.folder / "elsewhere")
        shutil.move(self.folder / "out.h5", self.folder / "elsewhere/out.h5")
        (self.folder / "small.json").unlink()
        found = self.replay("elsewhere/out.h5")
        self.assertEqual((found["equal"], found["suites"], found["different"]), (True, 9, 0))
        rows = found["sheets"]["suites"]["rows"]
        self.assertEqual([(row["arm"], row["suite"]) for row in rows], [(arm, i) for arm in ("S", "P", "M") for i in range(3)])
        self.assertEqual(self.said, "")
        one = self.replay("elsewhere/out.h5", "--failure", "P/2")
        self.assertEqual([(row["arm"], row["suite"]) for row in one["sheets"]["suites"]["rows"]], [("P", 2)])

    def test_agents_come_out_as_in_their_file(self):
        self.corridor("agent", "test", SOURCE / "experiments/library/agents/stock_manager.json", "-o", "a.h5")
        found = self.replay("a.h5")
        self.assertTrue(found["equal"])
        self.assertGreater(found["suites"], 5)

    @unittest.skipUnless(h5py, "h5py is not installed")
    def test_the_first_difference_is_named(self):
        self.run_into("out.h5", self.experiment())
        with h5py.File(self.folder / "out.h5", "r+") as file:
            arm, suite, sequence = (file["reorganizations"][key][()] for key in ("arm", "suite", "sequence"))
            row = [i for i in range(len(arm)) if (arm[i], suite[i]) == (1, 2)][1]
            file["reorganizations"]["gray"][row] += 1
            states = file["cases"]["dissimilarity"]
            third = [i for i in range(len(states)) if (file["cases"]["arm"][i], file["cases"]["suite"][i]) == (0, 1)][2]
            states[third] += 1
        found = self.replay("out.h5", "--unsealed", code=1)
        self.assertEqual((found["equal"], found["suites"], found["different"]), (False, 6, 2))
        first, second = found["sheets"]["differences"]["rows"]
        self.assertEqual([first[key] for key in ("arm", "suite", "table", "row", "column")], ["S", 1, "cases", 3, "dissimilarity"])
        self.assertAlmostEqual(float(first["stored"]), float(first["now"]) + 1, 5)
        self.assertEqual([second[key] for key in ("arm", "suite", "table", "row", "column")], ["P", 2, "reorganizations", 2, "gray"])
        self.assertEqual([row["equal"] for row in found["sheets"]["suites"]["rows"]], [True, False, True, True, True, False])

    @unittest.skipUnless(h5py, "h5py is not installed")
    def test_another_build_is_said_first(self):
        self.run_into("out.h5", self.experiment(suites=1))
        with h5py.File(self.folder / "out.h5", "r+") as file:
            text = file["provenance"][()].decode().replace('"corridor": "', '"corridor": "0.0.', 1)
            del file["provenance"]
            file["provenance"] = text
        done = self.corridor("replay", "out.h5", "--unsealed")
        self.assertIn('was made by something else: corridor: "0.0.', done.stderr)

    def test_what_the_file_does_not_have_is_said(self):
        self.corridor("plan", self.experiment(suites=1), "--suites", "-o", "suites")
        self.run_into("read.h5", "suites")
        self.assertIn("has suites that were read from a folder, and not the folder", self.corridor("replay", "read.h5", code=3).stderr)
        shutil.copy(e2e.MODULES / "works.so", self.folder)
        module = {"name": "W", "algorithm": "./works.so", "parameters": {"agents": [2, 40], "budget": 50}}
        self.run_into("module.h5", self.experiment(arms=[module], suites=2))
        self.assertTrue(self.replay("module.h5", "--trust")["equal"])
        (self.folder / "works.so").unlink()
        self.assertIn("./works.so", self.corridor("replay", "module.h5", "--trust", code=4).stderr)
        for key, said in (("W", '"W" is no ARM/SUITE'), ("W/9", 'there is no suite 9 of "W" in the file'), ("V/0", 'there is no arm "V"')):
            self.assertIn(said, self.corridor("replay", "module.h5", "--failure", key, code=3).stderr)

    def replay_sequences(self, path, *options, code=0):
        """Every sequence of the file, each alone."""
        arms = {row["code"]: row["name"] for row in self.table(path, "catalog/arm")}
        rows = [(arms.get(row["arm"], row["arm"]), row["suite"], row["sequence"]) for row in self.table(path, "sequences")]
        keys = [f"--failure={arm}/{suite}/{sequence}" for arm, suite, sequence in rows]
        return self.replay(path, *keys, *options, code=code)

    def assert_each_equal(self, path, *options):
        found = self.replay_sequences(path, *options)
        rows = found["sheets"]["sequences"]["rows"]
        self.assertEqual((found["equal"], found["suites"], found["sequences"], found["different"]), (True, 0, len(rows), 0))
        self.assertEqual(found["sheets"]["differences"]["rows"], [])
        return rows

    MAIL = (("shuffled", {}), ("delayed", {"delay_max": 3}), ("lossy", {"loss_ratio": 0.002}), ("duplicated", {"duplicate_ratio": 0.002}),
            ("pct", {"depth": 2}), ("bounded", {"bound": 2}), ("bounded", {"bound": 1, "index": 3}))

    def test_each_sequence_alone_comes_out_as_among_the_others(self):
        """Both algorithms, every mode of mail, interim looks, faults of every place; continuations from two points."""
        plain = {**SPADA, "fault": "none"}
        arms = [SPADA, {**PSOPP, "interim": 20}, {**PSOPP, "name": "late", "fault": "none", "result": {"fault": "late", "probability": 0.3}},
                {**PSOPP, "name": "stale", "fault": "none", "result": {"fault": "stale", "probability": 0.3}},
                {**plain, "name": "monitor", "monitor": {"fault": "missed", "probability": 0.2}, "look_every": 1},
                {**plain, "name": "adoption", "adoption": {"fault": "lost", "probability": 0.02}, "activation_delay": 2},
                {**plain, "name": "crashed", "agents": {"fault": "crashed", "probability": 0.01, "rounds": 2}}]
        arms += [{**SPADA, "name": "-".join((mode, *settings)), "mail": {"mode": mode, **settings}}
                 for mode, settings in self.MAIL]
        self.run_into("out.h5", self.experiment(arms=arms, suites=2, branching={"continuations": 2, "back": [3, 50]}))
        rows = self.assert_each_equal("out.h5")
        self.assertGreater(len(rows), 2 * 2 * len(arms) + 20)
        self.assertGreater(len({row["class"] for row in rows}), 6)
        self.assertTrue(any("detect.alarm_missed" in row["class"] for row in rows))
        self.assertEqual(len(self.said.splitlines()), 1)
        self.assertRegex(self.said, f"corridor: {len(rows)} sequences executed again in [0-9.]+ s")

    def test_sequences_of_modules_in_cells_and_of_logged_solutions(self):
        shutil.copy(e2e.MODULES / "deeds.so", self.folder)
        arms = [{"name": f"D{deed}", "algorithm": "./deeds.so", "cpu_seconds": 0.1,
                 "parameters": {"agents": [5, 9], "budget": 10, "deed": deed}} for deed in (0, 1, 3)]
        self.run_into("out.h5", self.experiment(arms=arms, suites=2), "--isolate", "always")
        self.assertEqual({row["class"] for row in self.assert_each_equal("out.h5", "--trust")}, {"none", "smoke.crashed", "smoke.exited"})
        self.run_into("logged.h5", self.experiment(suites=1), "--log-solutions")
        self.assert_each_equal("logged.h5")

    def test_failing_ones_are_those_that_are_listed(self):
        self.run_into("out.h5", self.experiment(suites=4))
        listed = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"]
        rows = self.replay("out.h5", "--failing")["sheets"]["sequences"]["rows"]
        self.assertEqual([(row["key"], row["class"], row["cases"]) for row in rows],
                         [(row["key"], row["class"], row["cases"]) for row in listed])
        rows = self.replay("out.h5", "--failures-of", "P")["sheets"]["sequences"]["rows"]
        self.assertEqual([row["key"] for row in rows], [row["key"] for row in listed if row["arm"] == "P"])
        self.assertIn("exclude each other", self.corridor("replay", "out.h5", "--failing", "--failure", "P/0", code=2).stderr)

    @unittest.skipUnless(h5py, "h5py is not installed")
    def test_every_column_of_a_sequence_is_compared(self):
        """One value of each column of each table is changed at a time, and of each vector: its sequence, and no other, differs there."""
        self.run_into("good.h5", self.experiment(suites=1, arms=[PSOPP, SPADA], sequences=2, branching={"continuations": 1}))
        arm = 0
        with h5py.File(self.folder / "good.h5", "r") as file:
            failures = [(a, s) for a, s in zip(file["failures/arm"][()], file["failures/sequence"][()])]
            self.assertIn((arm, 0), failures)
            places = {table: [i for i, (a, s) in enumerate(zip(file[table]["arm"][()], file[table]["sequence"][()])) if (a, s) == (arm, 0)]
                      for table in ("sequences", "cases", "reorganizations", "failures", "violations")}
            starts = {column: file["failures"][column][places["failures"][0]] for column in ("block_start", "member_start", "structure_start")}
            columns = [(table, column, rows[-1]) for table, rows in places.items() for column in file[table]
                       if column not in ("arm", "suite", "sequence")]
        vectors = [("failures", "block_start", "solution_block_size"), ("failures", "member_start", "solution_member"),
                   ("failures", "structure_start", "structure"), ("sequences", "walk_start", "walk")]

        def changed(change):
            shutil.copy(self.folder / "good.h5", self.folder / "bad.h5")
            with h5py.File(self.folder / "bad.h5", "r+") as file:
                change(file)
            found = self.replay("bad.h5", "--unsealed", "--failure=P/0/0", "--failure=P/0/1", code=1)
            self.assertEqual([row["equal"] for row in found["sheets"]["sequences"]["rows"]], [False, True])
            self.assertEqual((found["different"], found["flaky"]), (1, 0))
            return found["sheets"]["differences"]["rows"][0]

        for table, column, row in columns:
            def add_one(file):
                value = file[table][column][row]
                is_flag = value.dtype == "uint8" and "flag_values" not in file[table][column].attrs  # 0 is no code
                file[table][column][row] = 1 - value if value in (0, 1) and is_flag else value + 1 if value == value else 7
            if column == "case" and table in ("violations", "failures", "reorganizations"):
                continue  # the file's rows are then in another order, or of a case that was not executed
            with self.subTest(table=table, column=column):
                first = changed(add_one)
                self.assertEqual((first["table"], first["column"], first["sequence"]), (table, column, 0))
        for table, column, vector in vectors:
            def flip(file):
                start = int(starts.get(column, file["sequences/walk_start"][places["sequences"][0]]))
                file["vectors"][vector][start] = 1 - min(int(file["vectors"][vector][start]), 1)
            with self.subTest(vector=vector):
                first = changed(flip)
                self.assertEqual((first["table"], first["column"]), (table, column))

    def test_who_asks_the_clock_is_flaky(self):
        shutil.copy(e2e.MODULES / "deeds.so", self.folder)
        arm = {"name": "D", "algorithm": "./deeds.so", "parameters": {"agents": [60, 90], "budget": 10, "deed": 13}}
        self.run_into("out.h5", self.experiment(arms=[arm], suites=2), "--isolate", "never")
        found = self.replay("out.h5", "--failure", "D/1/1", "--trust", code=1)
        self.assertEqual((found["equal"], found["different"], found["flaky"]), (False, 1, 1))
        text = self.corridor("replay", "out.h5", "--failure", "D/1/1", "-o", "t.json", "--trust", code=1)
        self.assertIn("flaky", text.stdout)
        self.assertIn("t.json is not written: the sequence does not come out as in the file", text.stderr)

    def test_what_no_sequence_has_is_said(self):
        self.run_into("out.h5", self.experiment(suites=1))
        executed = self.table("out.h5", "sequences")[0]["executed"]
        for key, said in (("S/0/9", 'there is no sequence 9 in suite 0 of "S"'), ("S/7/0", 'there is no suite 7 of "S"'),
                          (f"S/0/0/{executed + 1}", f"was executed to case {executed}, there is no case {executed + 1}"),
                          ("S/0/0/0", "cases count from 1"), ("S/0/0/4294967295", "is no ARM/SUITE/SEQUENCE/CASE"), ("X/0/0/1", 'there is no arm "X"')):
            self.assertIn(said, self.corridor("replay", "out.h5", "--failure", key, code=3).stderr)
        self.assertIn("is for one sequence, and not for 0", self.corridor("replay", "out.h5", "--trace", code=3).stderr)
        self.assertIn('--trace takes "all" or a number', self.corridor("replay", "out.h5", "--failure", "S/0/0", "--trace=x", code=2).stderr)

    def test_what_did_not_fail_is_no_failure(self):
        """It is executed and held against its rows, and what is said names the nearest one that is."""
        self.run_into("out.h5", self.experiment(arms=[{**SPADA, "fault": "none"}, PSOPP]))
        listed = [row["key"] for row in json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"]]
        self.assertTrue(listed and all(key.startswith("P/") for key in listed), listed)
        said = self.corridor("replay", "out.h5", "--failure", "S/0/0")
        self.assertIn('note: S/0/0 did not fail: nothing of the arm "S" failed; corridor failures lists what did', " ".join(said.stderr.split()))
        self.assertIn("equal", said.stdout)
        arm, suite, sequence, case = listed[0].split("/")
        failed = self.corridor("replay", "out.h5", "--failure", "S/0/0", "--failure", listed[0], "--json")
        self.assertEqual([row["class"] == "none" for row in json.loads(failed.stdout)["sheets"]["sequences"]["rows"]], [True, False])
        for words in (("--trace",), ("-o", "t.json")):
            self.corridor("replay", "out.h5", "--failure", "S/0/0", *words)
        self.assertIn(f"the nearest failure is {listed[0]}",
                      self.corridor("shrink", "out.h5", "--failure", f"{arm}/{suite}/{sequence}/{int(case) + 1}", "-o", "s.json", code=3).stderr)

    @unittest.skipUnless(h5py, "h5py is not installed")
    def test_a_trace_says_what_the_tables_say(self):
        self.run_into("out.h5", self.experiment(suites=1, arms=[PSOPP]))
        key = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"][0]
        sheets = self.replay("out.h5", "--failure", key["key"], "--trace", "all")["sheets"]
        trace, lists = sheets["trace"]["rows"], {name: sheets[name]["rows"] for name in ("steps", "changed", "violations")}
        cases = [row for row in self.table("out.h5", "cases") if row["sequence"] == key["sequence"]]
        runs = {row["case"]: row for row in self.table("out.h5", "reorganizations") if row["sequence"] == key["sequence"]}
        violations = [row["case"] for row in self.table("out.h5", "violations")
                      if row["sequence"] == key["sequence"] and row["box"] not in ("gray", "black")]  # of which not all have a row
        self.assertEqual([row["case"] for row in trace], [row["case"] for row in cases])
        with h5py.File(self.folder / "out.h5", "r") as file:
            sequence, chains = file["sequences"], int(file["suites/chains"][0])
            length, start = int(sequence["cases"][key["sequence"]]) + 1, int(sequence["walk_start"][key["sequence"]])
            walk = [file["vectors/walk"][start + c * length:start + (c + 1) * length] for c in range(chains)]
        self.assertEqual([row["chains"] for row in trace],
                         [sum(states[row["case"]] != states[row["case"] - 1] for states in walk) for row in trace])
        # Lists have all of what a case names the first few of.
        expected = [(number, location) for number in range(1, cases[-1]["case"] + 1) for location, states in enumerate(walk) if states[number] != states[number - 1]]
        self.assertEqual([row["case"] for row in lists["steps"]], [number for number, _ in expected])
        self.assertTrue(all(row["from"] != row["to"] for row in lists["steps"]))
        self.assertEqual([row["changed"] for row in trace], [sum(one["case"] == row["case"] for one in lists["changed"]) for row in trace])
        self.assertGreater(max(row["changed"] for row in trace), 8)
        self.assertEqual({(row["case"], row["agent"]) for row in lists["changed"] if row["before"] == row["value"]}, set())
        listed = [row for row in self.table("out.h5", "violations") if row["sequence"] == key["sequence"]]
        self.assertEqual([(row["case"], row["box"], row["check"]) for row in lists["violations"]], [(row["case"], row["box"], row["check"]) for row in listed])
        self.assertGreater(len(listed), len({row["case"] for row in listed}))
        for row, case in zip(trace, cases):
            first = next((one for one in lists["violations"] if one["case"] == row["case"]), None)
            self.assertEqual(row["violated"], first and f"{first['box']}: {first['sentence']}")
            run = runs.get(row["case"])
            counted = run["gray_violations"] + run["black_violations"] if run else 0
            self.assertEqual((row["alarm"], row["reorganized"], row["violations"]),
                             (case["alarm"] == 1, run is not None, violations.count(row["case"]) + counted))
            self.assertAlmostEqual(row["dissimilarity"], case["dissimilarity"], 6)
            if run:
                self.assertEqual([row[column] for column in ("moved", "messages", "fault_activated", "partitions_after")],
                                 [run[column] for column in ("moved", "messages", "fault_activated", "partitions_after")])
        window = self.replay("out.h5", "--failure", key["key"], "--trace")["sheets"]
        few = window["trace"]["rows"]
        for name, rows in lists.items():
            self.assertEqual(window[name]["rows"], [row for row in rows if few[0]["case"] <= row["case"] <= few[-1]["case"]], name)
        self.assertEqual(few, [row for row in trace if key["case"] - 10 <= row["case"] <= key["case"]])
        text = self.corridor("replay", "out.h5", "--failure", key["key"], "--trace").stdout
        self.assertIn(trace[key["case"] - 1]["violated"][:30], text)
        told = [line for line in text.splitlines() if line.startswith(("  case ", "    "))]
        self.assertGreater(len(told), len(few))
        self.assertLessEqual(max(map(len, told)), 100)

    def test_a_sequence_is_kept_as_a_test(self):
        self.run_into("out.h5", self.experiment(suites=2))
        key = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"][0]
        self.corridor("replay", "out.h5", "--failure", key["key"], "-o", "t.json")
        expected = json.loads((self.folder / "t.json").read_text())["expected"]
        self.assertEqual((expected["class"], expected["case"]), (key["class"], key["case"]))
        self.assertIn("exists", self.corridor("replay", "out.h5", "--failure", key["key"], "-o", "t.json", code=4).stderr)


if __name__ == "__main__":
    e2e.main()
