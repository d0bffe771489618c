#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The system layer as a user meets it: tests of a level of rooms by the program, their verdicts, what is told of them, and that neither workers,
interrupts nor the other tests of a file change a row. A second, small world in Python goes through the commands that were recorded.

usage: test_system_layer.py CORRIDOR SOURCE"""
import json
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

LEVEL = """b1,d1
b2,d2
|w,w,w,w,w,w,w,w
w,f:a^t,f,f:b^b1,w,f,f:g^key,w
w,f,f,f,f:d>e^d1,f,f,w
w,f:b^b2,f,f,w,f,f:d>e^d2,w
w,w,w,w,w,w,w,w
"""
STEPS = {"east": (1, 0), "west": (-1, 0), "north": (0, -1), "south": (0, 1)}


def experiment(**more):
    """Ten moves from the start to the key, by way of a button."""
    return {"system": {"rooms": "level.csv", "view": 4}, "seed": "0x1",
            "goals": {"pressed(b)": {"reach": "b", "do": "press", "assert": "b.on != b.on@before", "max": 200}},
            "tests": [{"name": "key item", "cycles": 500,
                       "agents": [{"name": "t", "budget": 300, "goal": {"seq": ["pressed(b1)", {"assert": "d1.open"}, {"reach": "key"}]}}]}],
            "always": {"alive": "t.hp > 0"}, "states": {"inside": "t.x > 4"},
            "formulas": {"answered": "always (inside implies d1.open)", "comes": "eventually inside"}, **more}


class Level:
    """LEVEL again: who stands where, and which doors are open."""

    def __init__(self):
        lines = LEVEL.splitlines()
        links = [line.split(",") for line in lines if line[0] == "b" and "w" not in line.split(",")]
        rows = [line.lstrip("|").split(",") for line in lines if "w" in line.split(",") or line[0] == "|"]
        self.links, self.doors, self.things, self.floor = {b: d for b, *d in links}, {}, {}, set()
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                if cell == "w":
                    continue
                self.floor.add((x, y))
                if "^" in cell:
                    name = cell.split("^")[1]
                    self.things[name] = (x, y)
                    if cell.startswith("f:d"):
                        self.doors[name] = False
        self.at = self.things["t"]

    def do(self, command):
        if command["do"] == "move":
            dx, dy = STEPS[command["to"]]
            to = (self.at[0] + dx, self.at[1] + dy)
            shut = {self.things[d] for d, is_open in self.doors.items() if not is_open}
            if to in self.floor and to not in shut:
                self.at = to
        elif command["do"] == "press" and self.at == self.things[command["on"]]:
            for door in self.links[command["on"]]:
                self.doors[door] = not self.doors[door]


class SystemLayer(e2e.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "level.csv").write_text(LEVEL)

    def tell(self, what, *options, code=0):
        (self.folder / "tests.json").write_text(json.dumps(what))
        return json.loads(self.corridor("system", "test", "tests.json", "--json", *options, code=code).stdout)["tests"]

    def test_a_test_passes_and_its_commands_lead_a_second_world_to_the_key(self):
        test, = self.tell(experiment())
        self.assertEqual(test["verdict"], "pass")
        self.assertEqual(test["why"], "")
        agent, = test["agents"]
        self.assertEqual((agent["name"], agent["status"], agent["why"]), ("t", "success", ""))
        self.assertEqual(agent["budget_left"], 300 - len(agent["actions"]))
        level = Level()
        for action in agent["actions"]:
            level.do(action)
        self.assertEqual(level.at, level.things["key"])
        self.assertTrue(level.doors["d1"])
        self.assertEqual({(v["judge"], v["check"]): v["verdict"] for v in test["verdicts"] + test["formulas"]},
                         {("invariant", "alive"): "passed", ("formula", "answered"): "passed", ("formula", "comes"): "passed"})
        inside = next(i for i in range(len(agent["actions"])) if self.after(agent["actions"][:i + 1]).at[0] > 4)
        decided = {v["check"]: v["cycle"] for v in test["formulas"]}
        self.assertEqual(decided, {"answered": 0, "comes": inside + 1})

    @staticmethod
    def after(actions):
        level = Level()
        for action in actions:
            level.do(action)
        return level

    def test_a_removed_link_is_found(self):
        test, = self.tell(experiment(arms=[{"name": "M", "mutant": "link b1-d1 removed"}]), code=1)
        self.assertEqual((test["arm"], test["verdict"]), ("M", "fail"))
        self.assertEqual(test["why"], "assert: d1.open does not hold.")
        self.assertEqual(test["decided"], test["cycles"])
        self.assertEqual([v["verdict"] for v in test["verdicts"] if (v["judge"], v["check"]) == ("assert", "d1.open")], ["failed"])
        self.assertEqual({v["verdict"] for v in test["formulas"]}, {"undecided"})

    def test_what_is_proven_to_be_out_of_reach_is_no_failure_and_no_pass(self):
        what = experiment(arms=[{"name": "M", "mutant": "link b1-d1 removed"}])
        what["tests"][0]["agents"][0]["goal"] = {"achieve": "d1.open", "by": "press", "among": "button"}
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["agents"][0]["status"]), ("unreachable", "failed"))

    def test_invariants_and_formulas_end_a_test_in_the_cycle_that_fixes_it(self):
        test, = self.tell(experiment(always={"near": "t.x < 3"}), code=1)
        agent, = test["agents"]
        wrong = next(i for i in range(len(agent["actions"]) + 1) if self.after(agent["actions"][:i]).at[0] >= 3)
        self.assertEqual((test["verdict"], test["decided"], test["cycles"]), ("fail", wrong, wrong))
        self.assertEqual(agent["status"], "open")
        self.assertIn("t.x", test["why"])
        test, = self.tell(experiment(formulas={"never": "always not inside"}), code=1)
        self.assertEqual((test["verdict"], test["formulas"][0]["verdict"]), ("fail", "failed"))
        self.assertEqual(self.after(test["agents"][0]["actions"]).at[0], 5)
        test, = self.tell(experiment(formulas={"again": "always (inside implies next inside)"}), code=1)
        self.assertEqual((test["verdict"], test["decided"]), ("fail", 0))

    def test_what_cannot_be_told_is_undecided_and_never_exit_0(self):
        what = experiment(entities={"ghost": "button"}, always={"ghost": "ghost.on"})
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["agents"][0]["status"]), ("inconclusive", "success"))
        self.tell(what, "--fail-on", "undecided", code=1)
        self.tell(what, "--fail-on", "nothing", code=7)

    def test_cycles_used_up_and_stalled(self):
        what = experiment()
        what["tests"][0]["cycles"] = 4
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["cycles"], test["agents"][0]["status"]), ("inconclusive", 4, "open"))
        what["tests"][0]["agents"][0]["goal"] = {"goal": "d1.open", "tactic": {"action": "wait", "when": "t.x > 4"}}
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["agents"][0]["status"]), ("inconclusive", "stalled"))
        self.assertIn("t.x > 4", test["agents"][0]["why"])

    def test_a_test_of_endless_cycles_is_cut(self):
        """Turns without end fill the memory else. Observers alone would pass; of what more cycles could decide, nothing is said."""
        what = {"system": {"rooms": "|w,w,w,w\nw,f:a^o,f:a^p,w\nw,w,w,w\n"}, "states": {"so": "o.hp > 0"}, "formulas": {"never": "eventually (not so)", "ever": "always so"},
                "tests": [{"name": "endless", "cycles": 1000000000, "agents": [{"name": "o", "observer": True}, {"name": "p", "observer": True}]}]}
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["cycles"]), ("inconclusive", 499999))
        self.assertEqual(test["why"], "it was cut after 499999 of 1000000000 cycles: a test keeps 1000000 turns at most, and nothing was decided")
        self.assertEqual({formula["verdict"] for formula in test["formulas"]}, {"undecided"})

    def test_a_failing_goal_fails_the_test(self):
        what = experiment()
        what["tests"][0]["agents"][0]["budget"] = 3
        test, = self.tell(what, code=1)
        self.assertEqual((test["verdict"], test["agents"][0]["status"], test["agents"][0]["budget_left"]), ("fail", "failed", 0))
        self.tell(what, "--fail-on", "nothing", code=0)

    def test_set_up_examples_one_test_and_one_row(self):
        what = experiment(examples={"view": [2, 4, 8], "lag": [0, 1]}, runs=2)
        self.assertEqual({t["verdict"] for t in self.tell(what, code=1)}, {"pass", "fail"}, "a view that lags shows a press too late for an assert")
        what["goals"]["pressed(b)"] = {"reach": "b", "do": "press"}
        what["tests"][0]["agents"][0]["goal"] = {"seq": ["pressed(b1)", {"reach": "key"}]}
        tests = self.tell(what)
        self.assertEqual(len(tests), 12)
        self.assertEqual([t["name"] for t in tests[:6]], [f"key item [view = {v}, lag = {lag}]" for v in (2, 4, 8) for lag in (0, 1)])
        self.assertEqual({t["verdict"] for t in tests}, {"pass"})
        self.assertEqual([t["replies"] for t in tests[:6]], [t["replies"] for t in tests[6:]])
        one, other = self.tell(what, "--case", 3)
        self.assertEqual((one["name"], one["replies"]), (tests[2]["name"], tests[2]["replies"]))
        self.corridor("system", "test", "tests.json", "--case", 7, code=3)
        what["examples"]["strength"] = 1
        self.assertEqual(len(self.tell(what)), 6)
        what = experiment()
        what["tests"][0]["setup"] = [{"do": "move", "to": "east"}, {"do": "move", "to": "east"}, {"do": "press", "on": "b1"}]
        test, = self.tell(what, code=1)  # b1 shuts what it had opened
        self.assertEqual(test["verdict"], "fail")
        del what["formulas"]["comes"]
        what["tests"].append({"name": "other", "agents": [{"name": "t", "goal": {"reach": "b2"}}]})
        test, = self.tell(what, "--test", "other")
        self.assertEqual((test["name"], test["verdict"]), ("other", "pass"))

    def test_examples_are_numbers_in_conditions(self):
        what = experiment(examples={"far": [2, 3]}, always={"near": "t.x < far"})
        tests = self.tell(what, code=1)
        for test, far in zip(tests, (2, 3)):
            at = [self.after(test["agents"][0]["actions"][:i]).at[0] for i in range(test["cycles"] + 1)]
            self.assertEqual((test["verdict"], at[-1], max(at[:-1])), ("fail", far, far - 1))

    def test_workers_interrupts_and_neighbours_change_no_row(self):
        what = experiment(examples={"view": [2, 4, 8]}, runs=200, arms=[{"name": "none"}, {"name": "M", "mutant": "link b1-d1 removed"}])
        (self.folder / "tests.json").write_text(json.dumps(what))
        self.corridor("run", "tests.json", "-o", "one.h5", "-j1", code=None)
        self.corridor("run", "tests.json", "-o", "three.h5", "-j3", code=None)
        # Interrupted when something is stored, unless it is all over by then; the same command goes on.
        command = [e2e.BINARY, "run", "tests.json", "-o", "cut.h5", "-j1", "--progress", "none"]
        begun = subprocess.Popen(command, cwd=self.folder, env=e2e.ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while begun.poll() is None and not any(file.stat().st_size > 4096 for file in self.folder.glob("cut.h5.*/*") if file.is_file()):
            time.sleep(0.001)
        begun.send_signal(signal.SIGINT)
        if begun.wait() == 5:
            self.corridor(*command[1:], code=None)
        self.assertEqual(self.rows("one.h5"), self.rows("three.h5"))
        self.assertEqual(self.rows("one.h5"), self.rows("cut.h5"))

    def rows(self, path):
        """All tables, catalogs and texts."""
        self.corridor("export", path, "--all", f"{path}.folder", "--force")
        return {file.name: file.read_bytes() for file in (self.folder / f"{path}.folder").rglob("*.csv") if "head" not in file.name}

    def test_two_test_agents_take_turns_and_an_observer_agrees(self):
        level = LEVEL.replace("w,f,f,f,f:d>e^d1", "w,f:a^u,f,f,f:d>e^d1")
        (self.folder / "level.csv").write_text(level)
        what = experiment(runs=10)
        what["tests"][0]["agents"] += [{"name": "u", "observer": True}]
        tests = self.tell(what)
        self.assertEqual({t["verdict"] for t in tests}, {"pass"})
        self.assertEqual({a["name"]: a["status"] for a in tests[0]["agents"]}, {"t": "success", "u": "open"})
        del what["formulas"]["comes"]
        what["tests"][0]["agents"] = [{"name": "t", "goal": {"goal": "d1.open", "tactic": "wait"}},
                                      {"name": "u", "goal": {"seq": [{"reach": "b1", "do": "press"}, {"reach": "key"}]}}]
        tests = self.tell(what)
        self.assertEqual({t["verdict"] for t in tests}, {"pass"})
        self.assertGreater(len({t["replies"] for t in tests}), 1, "the order of turns is drawn")

    def test_an_invariant_is_judged_when_all_have_looked(self):
        (self.folder / "level.csv").write_text("|w,w,w,w,w\nw,f:a^t,f:a^u,f:a^v,w\nw,w,w,w,w\n")
        what = {"system": {"rooms": "level.csv", "view": 0}, "always": {"alive": "v.hp > 0"},
                "tests": [{"name": "wait", "agents": [{"name": n, "goal": {"do": "wait"}} for n in "tuv"]}]}
        test, = self.tell(what)
        self.assertEqual((test["verdict"], [v["verdict"] for v in test["verdicts"]]), ("pass", ["passed"]))

    def test_check_lists_what_never_holds_and_what_is_never_used(self):
        what = experiment()
        what["goals"]["spare"] = {"goal": "d1.open", "tactic": {"action": "wait", "when": "t.x > 3 and t.x < 2"}}
        (self.folder / "tests.json").write_text(json.dumps(what))
        said = json.loads(self.corridor("system", "check", "tests.json", "--json", code=1).stdout)
        self.assertIn('no test uses goal "spare"', json.dumps(said).replace('\\"', '"'))
        what["tests"][0]["agents"][0]["goal"] = "spare"
        (self.folder / "tests.json").write_text(json.dumps(what))
        self.assertIn("t.x > 3 and t.x < 2", self.corridor("system", "check", "tests.json", code=1).stdout)
        for guard in ("t.x > 1 and t.x < 3", "b1.on or not b1.on", "t.x != 2 or t.x = 2", "t.x >= 2 and t.x <= 2", "t.hp > 1 and t.x < 1"):
            what["goals"]["spare"]["tactic"]["when"] = guard
            what["goals"].pop("pressed(b)", None)
            (self.folder / "tests.json").write_text(json.dumps(what))
            self.corridor("system", "check", "tests.json")
        for guard in ("b1.on and not b1.on", "t.x = 2 and (t.x = 3 or t.x > 5)", "t.x < t.x", "not (t.x < 3 or t.x >= 3)", "1 > 2", "t.x = 2 and t.x != 2",
                      "t.x > 2 and t.x < 3"):
            what["goals"]["spare"]["tactic"]["when"] = guard
            (self.folder / "tests.json").write_text(json.dumps(what))
            self.corridor("system", "check", "tests.json", code=1)


if __name__ == "__main__":
    e2e.main()
