#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `corridor run` ends with: one screen, of any layer, that says what the whole result file says, and whose commands work."""
import collections
import csv
import json
import re
import shlex

import e2e
from e2e import PSOPP, SOURCE, SPADA

FAULTS = [{**SPADA, "name": f"SPADA-{f.upper()}", "fault": f} for f in ("f1", "f2", "f3", "f4")] + \
         [{**PSOPP, "name": f"PSOPP-{f.upper()}", "fault": f} for f in ("f1", "f2", "f3", "f4", "f5")]
LIBRARY = SOURCE / "experiments/library"


class Summary(e2e.Case):
    def screen(self, experiment, output="a.h5"):
        """Runs it: the lines that the run ends with, and the commands among them by what they show."""
        out = self.corridor("run", experiment, "-o", output, program="corridor",
                            environment={"PATH": f"{e2e.BINARY.parent}:{e2e.ENVIRONMENT['PATH']}"}).stdout
        lines = out.splitlines()
        self.assertLessEqual(len(lines), 14, out)
        self.assertLessEqual(max(map(len, lines)), 80, out)
        found = dict(re.fullmatch(r"  (\w[\w ]*?)  +(.*)", line).groups() for line in lines[2:] if line)
        return found, {what: says for what, says in found.items() if says.startswith("corridor ")}

    def try_all(self, commands):
        """Every command does its work."""
        for command in commands.values():
            words = shlex.split(command)[1:]
            if ">" in words:
                words, out = words[:words.index(">")], words[-1]
                (self.folder / out).write_text(self.corridor(*words).stdout)
            else:
                self.corridor(*words)

    def test_a_campaign_ends_with_what_its_tables_say(self):
        found, commands = self.screen(self.experiment(arms=FAULTS))
        self.assertEqual(list(commands), ["list", "trace", "shrink", "page", "all"])
        rows = json.loads(self.corridor("show", "a.h5", "tables", "--json").stdout)["sheets"]["found"]["rows"]
        for verdict in {row["verdict"] for row in rows}:
            names = [row["arm"] for row in rows if row["verdict"] == verdict]
            self.assertTrue(found[verdict].startswith(f"{len(names)} of {len(rows)} arms"))
            self.assertTrue(len(names) == len(rows) or names[0] in found[verdict])
        seen = [row for row in rows if row["verdict"] == "found"]
        hardest = min(seen, key=lambda row: row["sequences_detected"] / row["sequences"])
        self.assertTrue(found["rarest"].startswith(
            f"{hardest['arm']}: seen in {hardest['sequences_detected']} of {hardest['sequences']} sequences"))
        masked, active = sum(row["masked"] for row in rows), sum(row["failures"] for row in rows)
        self.assertTrue(found["masked"].startswith(f"{100 * masked / active:.1f} % of {active} faults: " if masked else f"none of {active} faults"))
        most = max(rows, key=lambda row: row["masked"])
        self.assertTrue(masked == 0 or f"{most['arm']} {most['masked']}" in found["masked"])
        self.assertNotIn("paper", found)
        key = shlex.split(commands["trace"])[4]
        self.assertIn(key.rsplit("/", 1)[0], self.corridor("failures", "a.h5", "--csv").stdout)
        self.try_all(commands)
        self.assertTrue((self.folder / "a.html").exists())

    def test_what_looks_at_a_file_answers_in_one_screen(self):
        """The rest is there for those who ask."""
        arms = [{**arm, "name": f"{arm['name']}-{i}"} for i in (1, 2) for arm in FAULTS[:5]]
        self.run_into("ten.h5", self.experiment(arms=arms))
        wide = {"COLUMNS": "80"}
        for words in (("coverage", "ten.h5"), ("failures", "ten.h5"), ("tree", "ten.h5", "--arm", arms[0]["name"]),
                      ("compare", "ten.h5", "--arms", f"{arms[0]['name']}={arms[4]['name']}")):
            brief, whole = (self.corridor(*words, *more, environment=wide).stdout for more in ((), ("--all",)))
            self.assertLess(len(brief.splitlines()), 28 if words[0] == "compare" else 25, brief)
            self.assertLessEqual(len(brief.splitlines()), len(whole.splitlines()))
            self.assertLessEqual(max(map(len, brief.splitlines())), 80, brief)
            self.assertIn("--all shows the rest.", brief)
            self.assertNotIn("--all", whole)
            self.assertEqual(*(self.corridor(*words, "--json", *more).stdout for more in ((), ("--all",))))
        self.assertRegex(brief, r"Comparison of A and B\n  metrics in which B is worse: \d+\n")
        self.assertRegex(" ".join(brief.split()), r"can be claimed\..* --all shows the rest\.$")
        known = self.corridor("tree", "ten.h5", code=3).stderr
        for arm in arms:
            self.assertIn(arm["name"], known)

    def test_an_algorithm_that_dies_is_said_and_a_fault_that_never_was_at_work(self):
        dies = self.folder / "dies.sh"
        dies.write_text("""#!/bin/sh
read hello
echo '{"id":1,"protocol":1,"name":"dies","version":"1","summary":"ends when it is asked","faults":{"forget":"it forgets"}}'
read task
exit 3
""")
        dies.chmod(0o755)
        arms = [{"name": "sound", "algorithm": "./dies.sh"}, {"name": "forgetful", "algorithm": "./dies.sh", "fault": "forget"}]
        found, _ = self.screen(self.experiment(arms=arms, suites=1))
        rows = list(csv.DictReader(self.corridor("export", "a.h5", "--table", "smokes").stdout.splitlines()))
        count = collections.Counter(row["arm"] for row in rows)
        name, most = count.most_common(1)[0]
        self.assertEqual(found["smoke"], f"{len(rows)} reorganizations, {most} of {name}: exited")
        self.assertEqual(found["doubt"], "forgetful: failed, but never said that its fault acted")
        found, _ = self.screen(self.experiment("well.json", arms=FAULTS), "b.h5")
        self.assertFalse({"smoke", "doubt"} & set(found))

    def test_of_an_arm_that_fails_it_is_said_what_it_breaks_most_often(self):
        corridor = ["structure partitioning", "invariant many: all(o in organizations: count(o.members) >= 1)",
                    "invariant alone: all(o in organizations: count(o.members) <= 1)", "trigger alone for 1"]
        found, _ = self.screen(self.experiment(arms=[{**SPADA, "name": "own", "fault": "none"}], corridor=corridor))
        rows = json.loads(self.corridor("show", "a.h5", "tables", "--json").stdout)["sheets"]["constraints"]["rows"]
        row, = (row for row in rows if row["constraint"] == "alone")
        self.assertGreater(row["gray"], 0)
        self.assertEqual(found["check"], f'"alone" violated {max(row["gray"], row["black"])} times in own')
        drops = self.folder / "drops.py"
        drops.write_text("""#!/usr/bin/python3
import json
import sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"protocol": 1, "name": "drops", "version": "1", "summary": "forgets everybody but one"} if "hello" in asked else {"blocks": [[0]]}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
""")
        drops.chmod(0o755)
        found, _ = self.screen(self.experiment("drops.json", arms=[{"name": "drops", "algorithm": "./drops.py"}], suites=1), "b.h5")
        self.assertRegex(found["check"], "^gray.agent_missing [0-9]+ times in drops$")

    def test_commands_that_lead_on_call_the_program_as_it_was_called(self):
        """They are lines to be pasted, however long the path is."""
        self.run_into("a.h5", self.experiment())
        said = self.corridor("show", "a.h5", environment={"COLUMNS": "60"}).stdout
        self.assertIn(f"  list    {e2e.BINARY} failures a.h5\n", said)
        self.assertIn(f" {e2e.BINARY} report a.h5 -o a.html\n", said)

    def test_names_and_paths_are_quoted_as_a_shell_wants_them(self):
        arms = [{**PSOPP, "name": "it's one"}, {**PSOPP, "name": "x" * 12, "fault": "f4"}]
        _, commands = self.screen(self.experiment(arms=arms, suites=4), "a b.h5")
        self.assertEqual(shlex.split(commands["page"]), ["corridor", "report", "a b.h5", "-o", "a b.html"])
        self.try_all(commands)

    def test_the_paper_is_mentioned_where_an_experiment_repeats_it(self):
        found, _ = self.screen(self.experiment(repeats="003", arms=FAULTS))
        self.assertRegex(found["paper"], r"^\d+ of \d+ claims hold, \d+ of \d+ figures in our interval$")

    def test_an_arm_without_a_fault_passes_and_leads_to_no_failure(self):
        found, commands = self.screen(self.experiment(arms=[{**SPADA, "fault": "none"}]))
        self.assertEqual(found["no check failed"], "1 of 1 arm: S")
        self.assertEqual(list(commands), ["page", "all"])

    def test_faults_of_agents_tests_of_models_searches_and_estimations_end_likewise(self):
        experiments = {
            "agents": {"design": str(LIBRARY / "agents/stock_manager.json"), "faults": str(LIBRARY / "agents/stock_manager_faults.json")},
            "models": {"efsm": str(LIBRARY / "efsm/inres_initiator.json"), "goal": "all-transitions", "seed": 1, "runs": 2, "moves": 1000,
                       "resets": 2, "arms": [{"name": "kind", "planner": "search", "system": "uniform"}]},
            "searches": {"corridor_search": 1, "budget": 500, "islands": 2, "generators": [{"generator": "random", "arm": "P"}],
                         "experiment": json.loads((self.folder / self.experiment("searched.json")).read_text())},
            "estimations": {"corridor_estimation": 1, "method": "plain", "failure": "any", "arm": "P", "suites": 10,
                            "experiment": json.loads((self.folder / self.experiment("estimated.json")).read_text())},
        }
        expected = {"agents": "found", "models": "passes", "searches": "found", "estimations": "sequence"}
        for layer, content in experiments.items():
            (self.folder / f"{layer}.json").write_text(json.dumps(content))
            found, commands = self.screen(f"{layer}.json", f"{layer}.h5")
            self.assertIn(expected[layer], found, layer)
            self.assertEqual(list(commands)[-2:], ["page", "all"])
            if layer != "estimations":  # which leaves by 1 where the sample carries no interval
                self.try_all(commands)


if __name__ == "__main__":
    e2e.main()
