#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ask: the question of one reorganization, written by replay --dump, of a result file and of a test, put to the algorithm again and to others."""
import json
import re

import e2e
from e2e import PSOPP, SPADA

LOSSY = {**SPADA, "name": "L", "mail": {"mode": "lossy", "loss_ratio": 0.05}}
CRASHING = {**SPADA, "name": "C", "fault": "none", "agents": {"fault": "crashed", "probability": 0.01, "rounds": 3}}


class Ask(e2e.Case):
    def keys(self):
        self.run_into("out.h5", self.experiment(suites=2, arms=[SPADA, PSOPP, LOSSY, CRASHING]))
        rows = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"]
        self.assertTrue({"S", "P", "L"} <= {row["key"].split("/")[0] for row in rows})
        return [row["key"] for row in rows]

    def ask(self, *arguments, code=1):
        answer = json.loads(self.corridor("ask", *arguments, "--json", code=code).stdout)
        return answer, {row["block"]: [int(agent) for agent in row["members"].split()] for row in answer["sheets"].get("blocks", {"rows": []})["rows"]}

    def trace(self, *arguments):
        return json.loads(self.corridor("replay", *arguments, "--trace", "--json").stdout)["sheets"]

    def test_the_same_algorithm_answers_as_it_did_then(self):
        for key in self.keys():
            arm = key.split("/")[0]
            sheets = self.trace("out.h5", "--failure", key, "--dump", "task.json", "--force")
            self.corridor("replay", "out.h5", "--failure", key.rsplit("/", 1)[0], "-o", "test.json", "--force")
            self.corridor("replay", "test.json", "--dump", "again.json", "--force")
            one, other = (json.loads((self.folder / name).read_text()) for name in ("task.json", "again.json"))
            self.assertEqual({**one, "said": ""}, {**other, "said": ""})
            algorithm = one["algorithm"]
            gray = next(row["gray"] for row in sheets["trace"]["rows"] if row["case"] == int(key.split("/")[3]))
            for name in ("task.json", "again.json"):
                answer, blocks = self.ask(algorithm, name, code=gray != "passed")
                self.assertTrue(answer["same"], (arm, key))
                self.assertEqual(answer["verdict"], gray)
            self.check_members(sheets, one, blocks)

    def check_members(self, sheets, task, blocks):
        """What the trace shows of agents is what the task asks of them, and what comes as the answer."""
        rows = {row["agent"]: row for row in sheets["members"]["rows"]}
        self.assertEqual(sorted(rows), list(range(len(task["values"]))))
        for agent, row in rows.items():
            self.assertEqual(row["value"], task["values"][agent])
            self.assertIn(agent, task["structure"][int(row["before"])])
            found = ", ".join(str(block) for block, members in blocks.items() for _ in range(members.count(agent)))
            self.assertEqual(row["solution"], found or "none")
        question = sheets["question"]["row"]
        self.assertEqual({key: question[key] for key in task["limits"]}, task["limits"])

    def test_another_algorithm_and_another_fault_are_asked(self):
        key = next(key for key in self.keys() if key.startswith("P/"))
        self.corridor("replay", "out.h5", "--failure", key, "--dump", "task.json")
        answer, blocks = self.ask("psopp", "task.json", "--fault", "none", code=0)
        self.assertEqual((answer["verdict"], answer["same"], answer["fault"]), ("passed", False, "none"))
        self.assertEqual(sorted(sum(blocks.values(), [])), list(range(len(json.loads((self.folder / "task.json").read_text())["values"]))))
        done = self.corridor("ask", "deal", "task.json")
        self.assertIn("task.json: names parameters that the algorithm has not: particles", done.stderr)
        self.assertIn("task.json: exists already", self.corridor("replay", "out.h5", "--failure", key, "--dump", "task.json", code=4).stderr)

    def test_what_is_no_question_is_refused_with_its_place(self):
        key = self.keys()[0]
        self.corridor("replay", "out.h5", "--failure", key, "--dump", "task.json")
        task = json.loads((self.folder / "task.json").read_text())
        for change, said in (({"structure": [[0]]}, "/structure: agent 1 is in no block"), ({"structure": [[0, 0]]}, "/structure/0/1: agent 0 is in it twice"),
                             ({"kept": "0"}, "/kept: is no list of bytes"), ({"kept": "0G"}, "/kept: is no list of bytes"), ({"values": []}, "/values: has 0 items"),
                             ({"budget": 0}, "/budget: is 0"), ({"corridor_task": 2}, "/corridor_task: is of version 2"), ({"fault": 7}, "/fault: is an integer"),
                             ({"agent_identity": [0]}, "/agent_identity: needs a number"), ({"parameters": {"t1": "x"}}, "/parameters/t1: is a string"),
                             ({"limit": 1}, '/limit: unknown key "limit"')):
            (self.folder / "odd.json").write_text(json.dumps({**task, **change}))
            self.assertRegex(self.corridor("ask", task["algorithm"], "odd.json", code=3).stderr, r"odd\.json:1:\d+: " + re.escape(said))
        self.assertIn("is a result file (HDF5)", self.corridor("ask", "spada", "out.h5", code=3).stderr)
        self.assertIn("small.json: is an experiment, not a task\n  corridor run reads it", self.corridor("ask", "spada", "small.json", code=3).stderr)
        self.assertIn('did you mean "spada"', self.corridor("ask", "spade", "task.json", code=3).stderr)
        self.assertIn("has no fault", self.corridor("ask", task["algorithm"], "task.json", "--fault", "f99", code=3).stderr)
        self.assertIn("needs an algorithm and a task", self.corridor("ask", "task.json", code=2).stderr)

    def test_a_case_without_a_reorganization_has_no_question(self):
        key = self.keys()[0].split("/")
        rows = [row for row in self.table("out.h5", "cases") if [row["arm"], str(row["suite"]), str(row["sequence"])] == key[:3]]
        quiet = next((row["case"] for row in rows if not row["reorganized"]), None)
        if quiet:
            done = self.corridor("replay", "out.h5", "--failure", "/".join([*key[:3], str(quiet)]), "--dump", "task.json", code=3)
            self.assertIn(f"the algorithm was not asked in case {quiet}", done.stderr)


if __name__ == "__main__":
    e2e.main()
