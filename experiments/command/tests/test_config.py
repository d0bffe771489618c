#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--show-config: every value of an experiment with where it comes from - file with line and column, preset, default, option."""
import json
import re
import shlex

import e2e
from e2e import SOURCE

TEXT = """{
  "corridor_experiment": 1, "name": "config", "seed": "0x7",
  "suites": 3, "sequences": 2, "cases": [20, 60],
  "model": "model.json",
  "presets": {
    "tight": {"cpu_seconds": 5, "strict": true, "parameters": {"budget": 300, "candidates": [1, 9]}},
    "unused": {"strict": false}
  },
  "stop": {"failures": 100},
  "arms": [
    {"name": "S", "algorithm": "spada", "fault": "f2", "preset": "tight", "cpu_seconds": 7.25,
     "parameters": {"acquaintances": [2, 8], "agents": [2, 40]}},
    {"name": "P", "algorithm": "psopp", "parameters": {"agents": [2, 40]}}
  ]
}
"""


class Config(e2e.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "config.json").write_text(TEXT)
        (self.folder / "model.json").write_bytes((SOURCE / "experiments/library/models/paper.json").read_bytes())

    def rows(self, *words):
        done = self.corridor(*words, "--show-config", "--json")
        # Under sanitizers memory cannot be limited, which is said.
        self.assertEqual(re.sub(r"corridor: warning: isolation is not full, [^\n]*\n", "", done.stderr), "")
        document = json.loads(done.stdout)
        self.assertEqual((document["schema"], document["version"]), ("corridor-config", 1))
        rows = {row["key"]: row for row in document["values"]}
        self.assertEqual(len(rows), len(document["values"]), "each key once")
        return rows

    def assert_row(self, rows, key, origin, at, value, file="config.json"):
        row = rows[key]
        self.assertEqual((row["from"], row["at"], row["value"]), (origin, at, value), key)
        self.assertEqual(row["file"], file if origin in ("file", "preset") else None, key)

    def test_each_value_of_a_run_tells_where_it_comes_from(self):
        rows = self.rows("run", "config.json", "--jobs", "2", "--suites", "7", "--algorithm", "P=spada")
        for key, origin, at, value in (
                ("--jobs", "option", "--jobs", "2"), ("--suites", "option", "--suites", "7"), ("--isolate", "default", None, "untrusted"),
                ("--stop-patience", "default", None, "1"), ("/seed", "file", "2:47", '"0x7"'), ("/cases", "file", "3:32", "[20,60]"),
                ("/stop/failures", "file", "9:12", "100"), ("/mode", "default", None, '"independent"'),
                ("/arms/0/cpu_seconds", "file", "11:75", "7.25"), ("/arms/0/strict", "preset", "6:33", "true"),
                ("/arms/0/parameters/budget", "preset", "6:64", "300"), ("/arms/0/parameters/candidates", "preset", "6:79", "[1,9]"),
                ("/arms/0/parameters/acquaintances", "file", "12:21", "[2,8]"), ("/arms/1/strict", "default", None, "false"),
                ("/arms/1/algorithm", "option", "--algorithm", '"spada"'), ("/arms/0/algorithm", "file", "11:19", '"spada"'),
                ("/arms/1/parameters/budget", "default", None, "1000"), ("/arms/1/parameters/candidates", "default", None, "5")):
            self.assert_row(rows, key, origin, at, value)
        self.assert_row(rows, "/model/agents", "file", "20:3", '"agents"', "model.json")
        self.assertNotIn("/presets/tight/strict", rows)
        self.assert_only("config.json", "model.json")

    def test_positions_are_those_of_the_text(self):
        """Line and column of every value of the file, looked for in the text by its key."""
        lines = TEXT.splitlines()
        for key, row in self.rows("run", "config.json").items():
            if row["file"] == "config.json":
                line, column = map(int, row["at"].split(":"))
                word = f'"{key.split("/")[-1]}"'
                self.assertTrue(lines[line - 1][column - 1:].startswith(word), (key, row))

    def test_defaults_are_those_that_are_used(self):
        """An experiment that says all defaults itself is the same experiment."""
        rows = self.rows("run", "config.json")
        content = json.loads(TEXT)
        for key, row in rows.items():
            if row["from"] == "default" and key.startswith("/arms/"):
                at = content
                *way, last = key[1:].split("/")
                for step in way:
                    at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
                at[last] = json.loads(row["value"])
        self.assertNotEqual(content, json.loads(TEXT))
        (self.folder / "said.json").write_text(json.dumps(content))
        for name in ("config", "said"):
            self.run_into(f"{name}.h5", f"{name}.json", "--suites", "2")
        for table in ("cases", "reorganizations", "failures"):
            self.assertEqual(self.table("config.h5", table), self.table("said.h5", table))
        again = self.rows("run", "said.json")
        self.assertEqual({key: row["value"] for key, row in rows.items()}, {key: row["value"] for key, row in again.items()})

    def test_searches_and_estimates_tell_it_too(self):
        rows = self.rows("search", "config.json", "--budget", "500")
        self.assert_row(rows, "/budget", "option", "--budget", "500")
        self.assert_row(rows, "/islands", "default", None, "1")
        self.assert_row(rows, "/arms/0/strict", "preset", "6:33", "true")
        self.assert_row(rows, "/arms/0/cpu_seconds", "file", "11:75", "7.25")
        self.assert_row(rows, "/arms/1/parameters/budget", "default", None, "1000")
        self.assert_row(rows, "/model/agents", "file", "4:3", '"agents"')  # a search takes its model in
        rows = self.rows("estimate", "config.json", "--arm", "S", "--budget", "5000")
        self.assert_row(rows, "/budget", "option", "--budget", "5000")
        self.assert_row(rows, "/method", "default", None, '"plain"')
        self.assert_row(rows, "/arms/0/cpu_seconds", "file", "11:75", "7.25")
        self.assertEqual(self.rows("plan", "config.json")["/seed"]["at"], "2:47")

    def test_experiments_of_other_layers_tell_it(self):
        for name in ("two_phase.json", "two_phase.corridor"):
            (self.folder / name).write_bytes((SOURCE / "experiments/library/processes" / name).read_bytes())
        text = (self.folder / "two_phase.json").read_text()
        content = json.loads(text)
        arm = next(iter(content["arms"]))
        rows = self.rows("run", "two_phase.json")
        line = next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith('  "events"'))
        self.assert_row(rows, f"/arms/{arm}/events", "file", f"{line}:3", str(content["events"]), "two_phase.json")
        self.assert_row(rows, f"/arms/{arm}/count", "file", "2:39", "3", "two_phase.json")
        content.pop("events")
        (self.folder / "two_phase.json").write_text(json.dumps(content))
        self.assert_row(self.rows("run", "two_phase.json"), f"/arms/{arm}/events", "default", None, "20000")
        rows = self.rows("run", SOURCE / "experiments/library/systems/inres.json")
        self.assertIn("file", {row["from"] for row in rows.values()})

    def test_tests_of_other_layers_tell_it_too(self):
        """efsm test, system test and agent test: options, the file with its places, and what nobody says."""
        (self.folder / "model.json").write_bytes((SOURCE / "experiments/library/efsm/inres_initiator.json").read_bytes())
        rows = self.rows("efsm", "test", "model.json", "--goal", "t8", "--runs", "3", "--possible-states")
        for key, origin, at, value in (
                ("/goal", "option", "--goal", '"t8"'), ("/runs", "option", "--runs", "3"), ("/possible_states", "option", "--possible-states", "true"),
                ("/moves", "default", None, "1000"), ("/resets", "default", None, "0"), ("/arms/0/planner", "default", None, '"search"'),
                ("/arms/0/system", "default", None, '"uniform"'), ("/format", "file", "2:2", '"efsm-json/1"')):
            self.assert_row(rows, key, origin, at, value, "model.json")
        text = json.dumps({"name": "s", "system": {"efsm": "model.json"}, "tests": [
            {"name": "t", "agents": [{"name": "a", "goal": {"goal": "true", "tactic": {"action": "wait"}}}]}]}, indent=1)
        (self.folder / "tests.json").write_text(text)
        rows = self.rows("system", "test", "tests.json", "--fail-on", "undecided")
        for key, origin, at, value in (
                ("--fail-on", "option", "--fail-on", "undecided"), ("/runs", "default", None, "1"), ("/seed", "default", None, "0"),
                ("/arms/0/name", "default", None, '"system"'), ("/system/sees", "default", None, '"state"'),
                ("/tests/0/agents/0/observer", "default", None, "false"), ("/tests/0/name", "file", "8:4", '"t"')):
            self.assert_row(rows, key, origin, at, value, "tests.json")
        self.assertEqual(rows["/tests/0/cycles"]["from"], "default")
        design, agent = SOURCE / "experiments/library/agents/stock_manager.json", SOURCE / "experiments/library/agents/stock_manager.py"
        rows = self.rows("agent", "test", design, "--agent", f"/usr/bin/python3 {shlex.quote(str(agent))}", "--repeat", "2", "--answer-seconds", "5")
        for key, origin, at, value in (
                ("/repeat", "option", "--repeat", "2"), ("/arms/0/answer_seconds", "option", "--answer-seconds", "5"),
                ("/arms/0/memory_bytes", "default", None, "268435456")):
            self.assert_row(rows, key, origin, at, value)
        self.assertEqual({row["file"] for row in rows.values() if row["from"] == "file"}, {str(design)})
        self.assertFalse([key for key in rows if "/is/" in key])
        self.assert_only("config.json", "model.json", "tests.json")

    def test_defaults_of_other_layers_are_those_that_are_used(self):
        (self.folder / "model.json").write_bytes((SOURCE / "experiments/library/efsm/inres_initiator.json").read_bytes())
        for content in ({"efsm": "model.json", "goal": "t8", "arms": [{"name": "a"}, {"name": "b", "mutant": "t7.missing"}]},
                        {"name": "s", "system": {"efsm": "model.json"}, "tests": [{"name": "t", "agents": [{"name": "a", "goal": {"goal": "false", "tactic": {"action": "wait"}}}]}]}):
            (self.folder / "few.json").write_text(json.dumps(content))
            rows = self.rows("run", "few.json")
            said = 0
            for key, row in rows.items():
                if row["from"] == "default" and key.startswith("/"):
                    at = content
                    *way, last = key[1:].split("/")
                    for step, following in zip(way, [*way[1:], last]):
                        if isinstance(at, list):
                            at.extend({} for _ in range(int(step) + 1 - len(at)))
                            at = at[int(step)]
                        else:
                            at = at.setdefault(step, [] if following.isdigit() else {})
                    at[last] = json.loads(row["value"])
                    said += 1
            self.assertGreaterEqual(said, 6)
            (self.folder / "all.json").write_text(json.dumps(content))
            self.assertEqual({key: row["value"] for key, row in rows.items()}, {key: row["value"] for key, row in self.rows("run", "all.json").items()})
            for name in ("few", "all"):
                self.corridor("run", f"{name}.json", "-o", f"{name}.h5", "--force", "--progress", "none")
            table = "tests" if "tests" in self.corridor("export", "few.h5").stdout else "runs"
            self.assertEqual(self.table("few.h5", table), self.table("all.h5", table))

    def test_the_text_is_of_80_columns(self):
        text = self.corridor("run", "config.json", "--show-config", "--jobs", "2").stdout
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.assertTrue(text.startswith("option\n  --jobs                                            2\n\nfile config.json\n"))
        self.assertIn("\n  /arms/0/cpu_seconds                     11:75     7.25\n", text)
        self.assertIn("\npreset in config.json\n  /arms/0/parameters/budget               6:64      300\n", text)

    def test_what_cannot_be_read_is_said_as_by_a_run(self):
        (self.folder / "config.json").write_text(TEXT.replace('"suites": 3', '"suites": -3'))
        said = self.corridor("run", "config.json", "--show-config", code=3)
        self.assertEqual(said.stdout, "")
        self.assertIn("config.json:3:3: /suites", said.stderr)
        self.assertIn("one experiment file", self.corridor("run", "--show-config", code=2).stderr)


if __name__ == "__main__":
    e2e.main()
