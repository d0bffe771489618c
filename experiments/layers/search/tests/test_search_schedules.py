#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of order: what a search finds by other orders of messages, where the arm's own schedule can never show it.

usage: test_search_schedules.py CORRIDOR SOURCE_DIRECTORY MODULE_DIRECTORY   (with courier.so)"""
import json
import pathlib
import shutil
import sys

import h5py

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e

SCHEDULE, STREAM = 12, 10
HOPS = 7


class Schedules(e2e.Case):
    def setUp(self):
        super().setUp()
        shutil.copy(e2e.MODULES / "courier.so", self.folder)
        arm = lambda fault, mode, **mail: {"name": f"{fault}-{mode}", "algorithm": "./courier.so", "fault": fault, "parameters": {"hops": HOPS},
                                           "mail": {"mode": mode, **mail}}
        arms = [arm(fault, "recorded") for fault in ("none", "late", "between", "between_and_late")]
        arms += [arm("between", "pct", depth=1, messages=20), arm("between", "bounded", bound=0), arm("between", "shuffled")]
        model = {"corridor_model": 1, "agents": 8, "structure": {"count_min": 2, "count_max": 4},
                 "environments": {"weather": {"random": {"states": 4}}}, "types": {"agent": {"level": [0.2, 1.0]}}, "invariant": {"threshold": 0.1}}
        (self.folder / "order.json").write_text(json.dumps({"corridor_experiment": 1, "name": "order", "seed": "0x3", "suites": 5, "sequences": 2,
                                                            "cases": [4, 8], "model": model, "arms": arms}))

    def search(self, arm, budget, *words):
        return json.loads(self.corridor("search", "order.json", "--arm", arm, "--isolate", "never", "--budget", budget, "-o", "s.h5", "--force", "--json",
                                        *words).stdout)

    def rows(self, table):
        with h5py.File(self.folder / "s.h5") as file:
            columns = {name: data[()].tolist() for name, data in file[table].items()}
        return [dict(zip(columns, values)) for values in zip(*columns.values())]

    def test_a_fault_of_order_is_found_that_no_other_change_can_show(self):
        """In sending order the word of agent 2 is the second message, and comes before the parcel has gone on: without another
        order of messages each of these faults has probability 0."""
        for fault, budget in (("late", 3000), ("between", 6000)):
            said = self.search(f"{fault}-recorded", budget, "--islands", 4)
            self.assertGreater(said["classes"], 0, fault)
            failing = [row for row in self.rows("tests") if row["case"] > 0]
            by_number = {(row["suite"], row["test"]): row for row in self.rows("tests")}
            self.assertFalse(any(row["mutation"] == STREAM for row in failing), "in sending order nothing fails")
            for row in failing:  # it, or what it was made from, has such an order
                while row["mutation"] != SCHEDULE and row["parent"] > 0:
                    row = by_number[row["suite"], row["parent"]]
                self.assertEqual(row["mutation"], SCHEDULE)
            (self.folder / "t.json").write_text(self.corridor("show", "s.h5", "searches", "--test", said["sheets"]["findings"]["rows"][0]["key"]).stdout)
            entries = json.loads((self.folder / "t.json").read_text())
            self.assertIn("waits", json.dumps(entries))
            self.corridor("replay", "t.json", "--isolate", "never", "--trust", "--expect", "failing")
            self.corridor("replay", "t.json", "--isolate", "never", "--trust", "--fault", "none", "--expect", "fixed")
        self.assertIsNone(self.search("late-recorded", 6000, "--generator", "random")["first"])

    def test_nothing_is_found_where_there_is_no_fault(self):
        self.assertIsNone(self.search("none-recorded", 6000)["first"])
        self.assertGreater(sum(row["mutation"] == SCHEDULE for row in self.rows("tests")), 50)

    def test_orders_are_changed_where_messages_go_one_by_one_alone(self):
        for arm, changed in (("between-pct", True), ("between-bounded", True), ("between-shuffled", False)):
            self.search(arm, 2500)
            self.assertEqual(any(row["mutation"] == SCHEDULE for row in self.rows("tests")), changed, arm)

    def test_workers_change_nothing(self):
        hashes = set()
        for jobs in (1, 3):
            self.search("between-pct", 1500, "--islands", 3, "--jobs", jobs)
            hashes.add(self.corridor("show", "s.h5", "searches", "--hash").stdout)
        self.assertEqual(len(hashes), 1)


if __name__ == "__main__":
    e2e.main()
