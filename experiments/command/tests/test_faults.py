#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that the testbed offers for any algorithm - of the result, of mail, of agents - from the experiment file to the
verdicts: judged once more, by a count that shares nothing with the oracle."""
import collections
import json
import xml.etree.ElementTree

import e2e

KINDS = {  # fault -> what can be wrong with a solution of PSOPP, by the count below; none: nothing can
    "agent_dropped": {"missing", "empty", "small"}, "agent_duplicated": {"repeated", "large"},
    "agent_moved": {"empty", "small", "large"}, "agents_swapped": set(), "partition_dropped": {"missing", "few"},
    "partitions_merged": {"large", "few"}, "partition_split": {"small", "many"}, "stale": set(), "late": set()}
PSOPP = {"algorithm": "psopp", "parameters": {"agents": [6, 30], "budget": 200}}
SPADA = {"algorithm": "spada", "parameters": {"agents": [6, 40], "budget": 500}}
MARKS = ("fault_reached", "fault_held", "fault_activated", "fault_in_result")


def wrong_with(blocks, suite):
    """What is wrong with a list of lists."""
    times = collections.Counter(agent for block in blocks for agent in block)
    sizes = [len(block) for block in blocks]
    found = {"missing"} if set(range(suite["agents"])) - set(times) else set()
    found |= {"unknown"} if set(times) - set(range(suite["agents"])) else set()
    found |= {"repeated"} if any(count > 1 for count in times.values()) else set()
    found |= {"empty"} if 0 in sizes else set()
    if suite["limits_judged"]:
        found |= {"small"} if any(0 < size < suite["size_min"] for size in sizes) else set()
        found |= {"large"} if any(size > suite["size_max"] for size in sizes) else set()
        found |= {"few"} if len(sizes) < suite["count_min"] else set()
        found |= {"many"} if len(sizes) > suite["count_max"] else set()
    return found


class Faults(e2e.Case):
    def run_arms(self, arms, **changes):
        self.run_into("faults.h5", self.experiment(arms=arms, mode="paired", **changes), "--log-solutions")

    def solutions(self):
        """(arm, suite, sequence, case) -> list of lists."""
        sizes = [int(line) for line in self.vector("solution_block_size")]
        members = [int(line) for line in self.vector("solution_member")]
        found = {}
        for row in self.table("faults.h5", "failures"):
            at, blocks = row["member_start"], []
            for size in sizes[row["block_start"]:row["block_start"] + row["blocks"]]:
                blocks.append(members[at:at + size])
                at += size
            found[row["arm"], row["suite"], row["sequence"], row["case"]] = blocks
        return found

    def vector(self, name):
        return self.corridor("export", "faults.h5", "--table", f"vectors/{name}").stdout.splitlines()[1:]

    def judged(self):
        """Reorganizations by arm, each with what is wrong with its solution; the gray box must agree."""
        suites = {(row["arm"], row["suite"]): row for row in self.table("faults.h5", "suites")}
        solutions, found = self.solutions(), collections.defaultdict(list)
        for row in self.table("faults.h5", "reorganizations"):
            blocks = solutions[row["arm"], row["suite"], row["sequence"], row["case"]]
            wrong = wrong_with(blocks, suites[row["arm"], row["suite"]])
            self.assertEqual(row["gray"], "failed" if wrong else "passed", (row, blocks))
            self.assertLessEqual(row["fault_activated"], row["fault_held"])
            self.assertLessEqual(row["fault_held"], row["fault_reached"])
            if row["fault_activated"] == 0:
                self.assertEqual(wrong, set(), row)
            found[row["arm"]].append((row, wrong))
        return found

    def verdicts(self):
        rows = json.loads(self.corridor("show", "faults.h5", "tables", "--json").stdout)["sheets"]["found"]["rows"]
        return {row["arm"]: row["verdict"] for row in rows}

    def test_faults_of_the_result_are_found_by_what_they_break(self):
        arms = [{"name": kind, **PSOPP, "result": {"fault": kind, "probability": 0.4}} for kind in KINDS]
        self.run_arms(arms, suites=12)
        found, verdicts = self.judged(), self.verdicts()
        for kind, possible in KINDS.items():
            activated = [wrong for row, wrong in found[kind] if row["fault_activated"]]
            self.assertGreater(len(activated), 10, kind)
            seen = set().union(*activated)
            self.assertLessEqual(seen, possible, kind)
            self.assertEqual(verdicts[kind], "found" if seen else "not found", kind)
            for row, _ in found[kind]:
                self.assertEqual(row["fault_reached"], 1)
                self.assertEqual(row["fault_in_result"], row["fault_activated"])
        for kind in ("agent_dropped", "agent_duplicated", "partition_dropped"):  # never masked in the gray box
            self.assertTrue(all(wrong for row, wrong in found[kind] if row["fault_activated"]), kind)

    def test_probability_0_is_no_fault(self):
        arms = [{"name": "sound", **PSOPP}] + [
            {"name": kind, **PSOPP, "result": {"fault": kind, "probability": 0}} for kind in KINDS]
        self.same_but_counts(arms)
        self.same_but_counts([{"name": "sound", **SPADA},
                              {"name": "lossy", **SPADA, "mail": {"mode": "lossy", "loss_ratio": 0}},
                              {"name": "duplicated", **SPADA, "mail": {"mode": "duplicated", "duplicate_ratio": 0}},
                              {"name": "crashed", **SPADA, "agents": {"fault": "crashed", "probability": 0}}])

    def same_but_counts(self, arms):
        self.run_into("faults.h5", self.experiment(arms=arms, mode="paired"), "--log-solutions", "--force")
        for table in ("cases", "reorganizations", "violations", "sequences"):
            by_arm = collections.defaultdict(list)
            for row in self.table("faults.h5", table):
                arm = row.pop("arm")
                if table == "reorganizations":
                    self.assertEqual(row["fault_activated"] + row["fault_in_result"], 0)
                by_arm[arm].append({key: value for key, value in row.items()
                                    if key not in MARKS and not key.endswith("_start")})
            for arm in arms[1:]:
                self.assertEqual(by_arm[arm["name"]], by_arm["sound"], (table, arm))
        self.assertEqual(set(self.verdicts().values()), {"no check failed", "not reached"})

    def test_mail_and_crashes_are_found(self):
        self.run_arms([{"name": "sound", **SPADA},
                       {"name": "lossy", **SPADA, "mail": {"mode": "lossy", "loss_ratio": 0.02}},
                       {"name": "duplicated", **SPADA, "mail": {"mode": "duplicated", "duplicate_ratio": 0.02}},
                       {"name": "crashed", **SPADA, "agents": {"fault": "crashed", "probability": 0.001}}], suites=10)
        found = self.judged()
        seen = {arm: set().union(*(wrong for _, wrong in rows)) for arm, rows in found.items()}
        self.assertEqual(seen, {"sound": set(), "lossy": {"missing", "repeated"}, "duplicated": seen["duplicated"],
                                "crashed": {"missing", "repeated"}})
        self.assertIn("repeated", seen["duplicated"])
        self.assertEqual(self.verdicts(), {"sound": "no check failed", "lossy": "found", "duplicated": "found", "crashed": "found"})
        for row, _ in found["lossy"]:
            self.assertEqual(row["fault_activated"], row["messages_lost"])
            self.assertEqual(row["fault_reached"], row["messages"])

    def test_order_and_delay_are_no_faults(self):
        self.run_arms([{"name": mode, **SPADA, "mail": {"mode": mode}} for mode in ("in_order", "shuffled", "delayed")])
        self.assertEqual(set(self.verdicts().values()), {"no check failed"})
        self.assertTrue(all(row[mark] == 0 for row in self.table("faults.h5", "reorganizations") for mark in MARKS))

    def test_verdicts_name_the_fault(self):
        self.run_arms([{"name": "R", **PSOPP, "result": {"fault": "agent_dropped"}},
                       {"name": "A", **SPADA, "agents": {"fault": "crashed", "probability": 0.01, "rounds": 2}}])
        text = self.corridor("export", "faults.h5", "--format", "junit").stdout
        named = {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")}
                 for case in xml.etree.ElementTree.fromstring(text).iter("testcase")}
        self.assertEqual((named["R"]["fault"], named["R"]["result"]), ("none", "agent_dropped"))
        self.assertEqual(named["A"]["agents"], "crashed")
        self.assertGreater(int(named["R"]["fault_activated"]), 0)
        self.assertIn('agents: "crashed"', self.corridor("export", "faults.h5", "--format", "tap").stdout)


if __name__ == "__main__":
    e2e.main()
