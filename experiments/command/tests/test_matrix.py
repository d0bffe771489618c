#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same eight commands for every layer: from a failing result file to a kept test, and what is asked of an experiment. Where a
command has no meaning it says why, and what comes nearest: the table of docs/do/what-now.md."""
import json
import re

import e2e
from e2e import PSOPP, SOURCE

LIBRARY = SOURCE / "experiments/library"
LEVEL = "b1,d1\n|w,w,w,w,w,w\nw,f:a^t,f,f:b^b1,f,w\nw,f,f,f,f:d>e^d1,w\nw,w,w,w,w,w\n"
MUTANT = "right.update.wrong.dropped"


class Matrix(e2e.Case):
    def assert_said(self, said, *words, code=3):
        """Refused: the sentence behind the file, and the nearest."""
        stderr = " ".join(self.corridor(*words, code=code).stderr.split())
        self.assertIn(" ".join(said.split()), stderr)

    def from_failure_to_test(self, key, *trust, failing="as expected"):
        """failures, shrink, replay of both, --trace and --keep; the test is in t.json."""
        self.corridor("failures", "r.h5")
        self.corridor("shrink", "r.h5", "--failure", key, "-o", "t.json", *trust)
        self.assertIn(failing, self.corridor("replay", "t.json", *trust).stdout)
        self.assertGreater(len(self.corridor("replay", "t.json", "--trace", *trust).stdout), 60)
        self.corridor("replay", "r.h5", "--failure", key, *trust)
        self.corridor("failures", "r.h5", "--keep", "kept", *trust)
        self.assertTrue(any((self.folder / "kept").iterdir()))

    def test_algorithms(self):
        self.run_into("r.h5", self.experiment("e.json", arms=[PSOPP], suites=2))
        self.from_failure_to_test(json.loads(self.corridor("failures", "r.h5", "--json").stdout)["failures"][0]["key"], failing="t.json")
        self.assertIn("makes a move", self.corridor("why", "t.json", code=7).stdout)  # none by itself
        self.assertRegex(self.corridor("decide", "e.json", "P <= 0.01 [ eventually alarm ]", code=1).stdout, "does_not_hold")
        self.corridor("search", "e.json", "--budget", 200, "-o", "s.h5")
        self.assertTrue((self.folder / "s.h5").exists())
        key = json.loads(self.corridor("failures", "r.h5", "--json").stdout)["failures"][0]["key"]
        self.assertIn('by the law of "profile"', self.corridor("why", "r.h5", "--failure", key, "--curve", "--future", "profile", "--effort", 50).stdout)

    def test_distributed_programs(self):
        for name in ("two_phase.json", "two_phase.corridor"):
            (self.folder / name).write_text((LIBRARY / "processes" / name).read_text())
        self.corridor("run", "two_phase.json", "--suites", 2, "-o", "r.h5")
        self.from_failure_to_test("early_vote/0/0")
        self.assertIn("needed by itself", self.corridor("why", "t.json").stdout)
        self.assertIn('by the law of "random"', self.corridor("why", "t.json", "--curve", "--future", "random", "--ahead", 9).stdout)
        one = ("two_phase.json", "--arm", "lone_decision")
        self.assertIn("lone_decision", self.corridor("decide", *one, "P <= 0.5 [ failed ]").stdout)
        self.corridor("search", "two_phase.json", "--budget", 50, "-o", "s.h5")
        self.assertTrue((self.folder / "s.h5").exists())
        self.corridor("estimate", *one, "--budget", 20000, "-o", "p.h5")
        self.assertTrue((self.folder / "p.h5").exists())
        self.assert_said('"nothing" is no number of a state of the environment STATE.NUMBER, as in "calm.lose"',
                         "explore", *one, "--measure", "count failed", "--input", "nothing=0:1", "-o", "x.h5")

    def test_what_a_limit_cut_off_is_left_out_of_shares(self):
        short = json.loads((LIBRARY / "processes/two_phase.json").read_text())
        short.update(events=40, cases=20, corridor=str(LIBRARY / "processes/two_phase.corridor"), arms={"sound": short["arms"]["sound"]})
        (self.folder / "short.json").write_text(json.dumps(short))
        said = " ".join(self.corridor("explore", "short.json", "--measure", "sum messages", "--input", "storm.lose=0:0.3", "--budget", 2560, code=7).stdout.split())
        self.assertRegex(said, r"sum messages: (\d+) of \1 points are left out: a test of theirs came to a limit before its end, or shows nothing of it;")

    def test_running_systems(self):
        (self.folder / "level.csv").write_text(LEVEL)
        goal = {"seq": ["explore", {"reach": "b1", "do": "press"}, {"assert": "d1.open"}]}
        (self.folder / "e.json").write_text(json.dumps({
            "system": {"rooms": "level.csv"}, "arms": [{"name": "none"}, {"name": "M", "mutant": "link b1-d1 removed"}], "runs": 2,
            "tests": [{"name": "key", "agents": [{"name": "t", "goal": goal}]}]}))
        self.corridor("run", "e.json", "-o", "r.h5")
        self.from_failure_to_test("M/1")
        self.assertRegex(self.corridor("decide", "e.json", "P <= 0.5 [ failed ]", "--arm", "none").stdout, r"none +holds")
        for command, said in (("search", "e.json: test agents search for their goals themselves, each by its policy corridor run; corridor system train"),
                              ("estimate", "e.json: tests of a running system are drawn as they are: nothing makes a failure more frequent corridor decide FILE"),
                              ("explore", "e.json: examples of a running system are words that are named, no numbers that are drawn an arm for each of them")):
            self.assert_said(said, command, "e.json", *(("--measure", "count failed", "--input", "x=0:1") if command == "explore" else ()), "-o", "x.h5")
        self.assertIn("needed by itself", self.corridor("why", "t.json").stdout)
        self.assertIn("needed", self.corridor("why", "r.h5", "--failure", "M/1").stdout)
        self.assertIn('by the law of "uniform"', self.corridor("why", "t.json", "--curve", "--future", "uniform", "--effort", 20, code=7).stdout)
        self.assertIn('by the law of "uniform"', self.corridor("why", "r.h5", "--failure", "M/1", "--curve", "--future", "uniform", "--effort", 20, code=None).stdout)

    def test_agents(self):
        agents = LIBRARY / "agents"
        self.corridor("agent", "test", agents / "stock_manager.json", "--faults", agents / "stock_manager_faults.json", "-o", "r.h5")
        self.from_failure_to_test("M3/PT(Out_of_stock_response)/0")
        self.assertIn("needed by itself", self.corridor("why", "t.json").stdout)
        self.assert_said("the choices of a case have no order: nothing comes behind the first of them corridor why without it says", "why", "t.json", "--curve", "--future", "x")
        (self.folder / "e.json").write_text(json.dumps({"design": str(agents / "stock_manager.json")}))
        drawn = "e.json: values of cases are chosen by classes, not drawn: there is no probability of them"
        self.assert_said(drawn, "decide", "e.json", "P <= 0.5 [ failed ]")
        self.assert_said(drawn + " corridor agent test goes through all of them", "estimate", "e.json", "-o", "x.h5")
        self.assert_said(drawn + " corridor agent test goes through all of them",
                         "explore", "e.json", "--measure", "count failed", "--input", "x=0:1", "-o", "x.h5")
        self.assert_said("e.json: cases of an agent are all gone through, in order: nothing is searched corridor agent test", "search", "e.json", "-o", "x.h5")

    def test_models(self):
        text = (SOURCE / "docs/look-up/efsm.md").read_text()
        (self.folder / "door.json").write_text(re.search(r"```\w+ file=door\.json\n(.*?)```", text, re.S).group(1))
        self.corridor("efsm", "test", "door.json", "--goal", "all-transitions", "--planner", "random", "--runs", 4, "--mutant", MUTANT, "-o", "r.h5", code=1)
        self.from_failure_to_test(f"{MUTANT} by random/0")
        self.assertIn("needed by itself", self.corridor("why", "t.json").stdout)
        self.assertIn('by the law of "uniform"', self.corridor("why", "t.json", "--curve", "--future", "uniform", "--ahead", 6).stdout)
        (self.folder / "e.json").write_text(json.dumps({"efsm": "door.json", "goal": "all-transitions", "arms": [{"name": "a", "planner": "random"}], "runs": 4}))
        self.assertRegex(self.corridor("decide", "e.json", "P <= 0.5 [ failed ]").stdout, r"a +holds")
        for command, said in (("search", "e.json: planners search for inputs, each in its own way corridor efsm test MODEL --planner WORD"),
                              ("estimate", "e.json: tests of a model are drawn as they are: nothing makes a failure more frequent corridor decide FILE"),
                              ("explore", "e.json: weights of a model stand in its arms, and are not drawn an arm for each")):
            self.assert_said(said, command, "e.json", *(("--measure", "count failed", "--input", "x=0:1") if command == "explore" else ()), "-o", "x.h5")


if __name__ == "__main__":
    e2e.main()
