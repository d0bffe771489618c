#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failing tests of running systems made small, kept and replayed, as a user sees it: levels with a mutant and a program as the world; what changed since is
named, a world that answers otherwise gives no verdict, and what makes no sense is refused in so many words.

usage: test_system_tests_kept.py CORRIDOR SOURCE_DIRECTORY
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402
from e2e import SOURCE  # noqa: E402

HERE = SOURCE / "experiments/layers/system/tests"
LEVEL = """b1,d1
|w,w,w,w,w,w
w,f:a^t,f,f:b^b1,f,w
w,f,f,f,f:d>e^d1,w
w,w,w,w,w,w
"""
# Counts presses; a die that is thrown, not drawn, is shown where the test says so.
WORLD = """import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        answer = {"world": "w", "version": "1", "types": {"lamp": {"times": "int", "die": "int"}}, "entities": {"l": "lamp"}, "actions": {"press": {"on": "entity"}, "rub": {}}}
    else:
        times = 0 if "reset" in asked else times + (asked.get("do") == "press")
        answer = {"tick": 0, "entities": [{"id": "l", "type": "lamp", "times": times, "die": DIE}], "all": True}
    print(json.dumps({"id": asked["id"], **answer}), flush=True)
"""


class Kept(e2e.Case):
    def run_tests(self, what, name="m.h5", *options):
        (self.folder / "tests.json").write_text(json.dumps(what))
        self.corridor("run", "tests.json", "-o", name, "--force", "--jobs", 1, "--progress", "none", *options, code=None)
        return name

    def mutant(self):
        (self.folder / "level.csv").write_text(LEVEL)
        goal = {"seq": ["explore", {"reach": "b1", "do": "press"}, {"assert": "d1.open"}]}
        self.run_tests({"system": {"rooms": "level.csv"}, "arms": [{"name": "none"}, {"name": "M", "mutant": "link b1-d1 removed"}], "runs": 2,
                        "tests": [{"name": "key", "agents": [{"name": "t", "goal": goal}]}]})
        return "M/1"

    def program(self, die="3"):
        (self.folder / "world.py").write_text(WORLD.replace("DIE", die))
        goal = {"seq": [{"do": a} for a in ("rub", "press(l)", "rub", "press(l)", "rub")]}
        self.run_tests({"system": {"program": [sys.executable, "world.py"]}, "states": {"few": "l.times < 2"}, "formulas": {"few": "always few"},
                        "tests": [{"name": "walk", "agents": [{"name": "t", "goal": goal}]}]}, "p.h5")
        return "system/0"

    def test_a_mutant_from_failure_to_kept_test(self):
        key = self.mutant()
        self.assertIn("assert: d1.open does not hold", self.corridor("failures", "m.h5").stdout)
        said = self.corridor("shrink", "m.h5", "--failure", key, "-o", "t.json").stderr
        self.assertRegex(said, r"3 commands, 3 turns, the smallest of 2 failures; \d+ smaller tests tried; no command and no set of commands can be spared; "
                               r"of the world 3 of \d+ things are left: start t, button b1, door d1\n$")
        test = json.loads((self.folder / "t.json").read_text())
        self.assertEqual((test["system_test"]["expected"], test["system_test"]["cycle"], test["arms"]), ("assert d1.open", 4, [{"name": "M"}]))
        self.assertEqual(test["schedule"], [["do", {"do": "move", "to": "east", "agent": "t"}]] * 2 + [["about", {"do": "press", "on": "b1", "agent": "t"}]])
        self.assertEqual(self.corridor("replay", "t.json").stdout, "as expected t.json: assert d1.open: d1.open does not hold.\n")
        self.corridor("replay", "t.json", "--expect", "failing")
        self.corridor("replay", "t.json", "--expect", "fixed", code=1)
        told = self.corridor("replay", "t.json", "--trace").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in told], ["0", "1", "2", "3", "4", "assert"])
        self.assertTrue(self.corridor("replay", "m.h5", "--failure", key, "--trace").stdout.endswith(told[-1] + "\n"))
        self.assertEqual(self.corridor("why", "t.json").stdout, "The test fails by assert d1.open with command 3. Each of its 3 commands is needed by itself: without it that does not come.\n"
                         "How probable it was behind each of them: corridor why t.json --curve --future uniform\n")
        gone = [f'    {n}. {{"do":{what}}}. (gone)\n' for n, what in ((2, '"move","to":"east","agent":"t"'), (3, '"move","to":"east","agent":"t"'), (4, '"press","on":"b1","agent":"t"'))]
        self.assertEqual(self.corridor("why", "m.h5", "--failure", key).stdout,
                         "The test fails by assert d1.open with command 4. Of its 4 commands 3 are needed by themselves (gone: without it that does not come).\n" + "".join(gone))
        self.corridor("shrink", "t.json", "-o", "again.json")
        self.assertEqual((self.folder / "t.json").read_bytes(), (self.folder / "again.json").read_bytes())
        self.assertEqual(self.corridor("replay", "m.h5", "--failing").stdout.count("as expected m.h5"), 2)
        self.assertIn('failures="0"', self.corridor("replay", "t.json", "--format", "junit").stdout)
        self.assertTrue(json.loads(self.corridor("replay", "m.h5", "--failure", key, "--json").stdout)["equal"])
        self.corridor("failures", "m.h5", "--keep", "kept")
        self.assertEqual([p.name for p in (self.folder / "kept").iterdir()], ["M.assert_d1.open.json"])
        self.corridor("shrink", "m.h5", "-o", "first.json")  # the first that failed

    def edited(self, change, name="t.json"):
        test = json.loads((self.folder / name).read_text())
        change(test)
        (self.folder / "edited.json").write_text(json.dumps(test))
        return "edited.json"

    def test_what_changed_is_named_and_what_was_not_judged_is_no_verdict(self):
        self.corridor("shrink", "m.h5", "--failure", self.mutant(), "-o", "t.json")
        replayed = lambda change, code, *words: self.corridor("replay", self.edited(change), *words, code=code).stdout
        mended = lambda t: t.update(system=t["system_test"]["sound"])
        changed = "the world was changed since the test was made"
        self.assertEqual(replayed(mended, 1), f"DIFFERENT edited.json: nothing fails in 4 cycles; {changed}; expected is assert d1.open\n")
        self.assertEqual(replayed(mended, 0, "--expect", "fixed"), f"as expected edited.json: nothing fails in 4 cycles; {changed}\n")
        self.assertEqual(replayed(lambda t: t["schedule"].pop(), 0), "as expected edited.json: assert d1.open: d1.open does not hold.\n")
        far = lambda t: t["system_test"].update(cycle=9, expected="assert d1.open")
        self.assertEqual(replayed(lambda t: (mended(t), far(t)), 7, "--expect", "fixed"),
                         f"NO VERDICT edited.json: the test ends with cycle 4, and what is expected came in cycle 9; {changed}\n")
        lost = lambda t: [step[1].update(on="b7") for step in t["schedule"] if step[0] == "about"]
        self.assertEqual(replayed(lambda t: (mended(t), lost(t)), 7, "--expect", "fixed"), f"NO VERDICT edited.json: the command that the assert is about was not done; {changed}; "
                         "1 of 3 commands were not executed: not possible, or behind the failure\n")
        nothing = lambda t: (t["system_test"].update(expected="none"), t["schedule"].clear(), t["schedule"].append(["do", {"do": "press", "on": "b7"}]),
                             [t["system_test"].pop(k) for k in ("goal", "agent", "cycle")])
        self.assertIn("NO VERDICT edited.json: nothing was done: no command of the schedule was possible", replayed(nothing, 7))

    def test_a_goal_is_not_mended_by_commands_that_are_not_done(self):
        goals = {"walk": {"goal": "t.x = 1", "fail_when": "b1.on", "tactic": {"any_of": ["wait"]}}}
        (self.folder / "level.csv").write_text(LEVEL)
        pressed = {"seq": [{"do": "move(east)"}, {"do": "move(east)"}, {"do": "press(b1)"}, "walk"]}
        self.run_tests({"system": {"rooms": "level.csv", "view": "all"}, "goals": goals, "tests": [
            {"name": "walk", "cycles": 30, "setup": [{"do": "wait"}], "agents": [{"name": "t", "goal": pressed}]}]})
        self.corridor("shrink", "m.h5", "-o", "t.json")
        test = json.loads((self.folder / "t.json").read_text())
        self.assertEqual((test["system_test"]["commands"], len(test["schedule"])), (3, 3))
        said = 'goal of t failed: its fail_when "b1.on" holds'
        self.assertEqual(self.corridor("replay", "t.json").stdout, f"as expected t.json: {said}\n")
        open_ = lambda change: self.corridor("replay", self.edited(change), "--expect", "fixed", code=7).stdout
        self.assertEqual(open_(lambda t: t["schedule"].clear()),
                         "NO VERDICT edited.json: 0 commands were done behind 0 setups, and what is expected came behind 3 and 0\n")
        waits = [["setup", {"do": "wait"}]] * 40
        self.assertEqual(open_(lambda t: t.update(schedule=waits)),
                         "NO VERDICT edited.json: 0 commands were done behind 40 setups, and what is expected came behind 3 and 0\n")
        mended = lambda t: t["goals"]["walk"].update(goal="t.x = 3", fail_when="t.x > 9")
        self.assertIn("nothing fails in 4 cycles", self.corridor("replay", self.edited(mended), "--expect", "fixed").stdout)
        self.assertIn("3 commands were done behind 0 setups, and what is expected came behind 3 and 1\n",
                      open_(lambda t: (mended(t), t["system_test"].update(setups=1))))
        for key in ("cycle", "commands"):
            self.assertIn("it is not said ", self.corridor("replay", self.edited(lambda t: t["system_test"].pop(key)), "--expect", "fixed", code=3).stderr)

    def test_a_program_is_the_world(self):
        key = self.program()
        self.assertIn("with --trust it is started", self.corridor("shrink", "p.h5", "--failure", key, "-o", "p.json", code=3).stderr)
        self.corridor("shrink", "p.h5", "--failure", key, "-o", "p.json", "--trust")
        self.assertEqual([step[1]["do"] for step in json.loads((self.folder / "p.json").read_text())["schedule"]], ["press", "press"])
        self.assertIn("with --trust it is started", self.corridor("replay", "p.json", code=3).stderr)
        self.assertIn("as expected p.json: formula few: few does not hold in cycle 2", self.corridor("replay", "p.json", "--trust").stdout)
        world = self.folder / "world.py"
        world.write_text(WORLD.replace("DIE", "3").replace('(asked.get("do") == "press")', "0"))
        said = "nothing fails in 2 cycles; the world was changed since the test was made"
        self.assertEqual(self.corridor("replay", "p.json", "--trust", code=1).stdout, f"DIFFERENT p.json: {said}; expected is formula few\n")
        self.assertEqual(self.corridor("replay", "p.json", "--trust", "--expect", "fixed").stdout, f"as expected p.json: {said}\n")
        self.assertIn("p.h5: test system/0 does not repeat in a fresh process\n  the world may look at a clock, or draw by lot; else it was changed since",
                      self.corridor("shrink", "p.h5", "--failure", key, "-o", "q.json", "--trust", code=3).stderr)
        world.write_text(WORLD.replace("DIE", "random.randrange(10**9)").replace('(asked.get("do") == "press")', "0"))
        self.assertIn("NO VERDICT p.json: the world cannot go on from cycle 2: run again it answered otherwise in cycle 0; the world was changed",
                      self.corridor("replay", "p.json", "--trust", "--expect", "fixed", code=7).stdout)
        world.write_text("raise SystemExit(3)\n")
        self.assertIn("world.py", self.corridor("replay", "p.json", "--trust", "--expect", "fixed", code=None).stderr)

    def test_what_a_model_denies_is_kept_with_the_change_that_it_denies(self):
        """A world that is judged by what it is to be, and a level beside its own model: no things go, and the arm has its mutant."""
        (self.folder / "level.csv").write_text(LEVEL)
        inres = str(SOURCE / "experiments/library/efsm/inres_initiator.json")
        asked = {"seq": [{"do": "ICONreq"}, {"do": "CC"}, {"do": {"do": "IDATreq", "data": 1}}, {"do": {"do": "AK", "num": 1}}]}
        pressed = {"seq": ["explore", {"reach": "b1", "do": "press"}]}
        for world, model, mutant, goal, class_, left in (
                ({"efsm": inres, "sees": "outputs"}, {}, "t1.output.ICONconf.dropped", asked, "model inres_initiator", ["ICONreq", "CC"]),
                ({"rooms": "level.csv"}, {"model": "own"}, "link b1-d1 removed", pressed, "model rooms", ["move", "move", "press"])):
            with self.subTest(mutant):
                self.run_tests({"system": world, **model, "arms": [{"name": "M", "mutant": mutant}], "tests": [{"name": "walk", "agents": [{"name": "t", "goal": goal}]}]})
                self.assertNotIn("of the world", self.corridor("shrink", "m.h5", "-o", "t.json", "--force").stderr)
                test = json.loads((self.folder / "t.json").read_text())
                self.assertEqual([step[1]["do"] for step in test["schedule"]], left)
                self.assertEqual(test["arms"], [{"name": "M", "mutant": mutant}])
                self.assertIn(f"as expected t.json: {class_}", self.corridor("replay", "t.json").stdout)
                sound = self.edited(lambda t: t["arms"][0].pop("mutant"))
                self.assertRegex(self.corridor("replay", sound, "--expect", "fixed").stdout, r"nothing fails in \d cycles; the world was changed since")

    def test_what_hangs_on_goals_is_said_and_not_kept(self):
        """A reward is what a policy gets, and commands have none."""
        (self.folder / "level.csv").write_text(LEVEL)
        self.run_tests({"system": {"rooms": "level.csv"}, "always": {"poor": "not reward > 0.01"}, "tests": [{"name": "walk", "cycles": 20, "agents": [
            {"name": "t", "goal": {"goal": "t.x > 3", "tactic": {"any_of": ["move(east)"]}}, "policy": {"q": {"by": ["t"], "reward": "t.x > 2"}}}]}]})
        said = "its commands alone do not fail so (invariant poor): what is judged depends on goals"
        self.assertEqual(self.corridor("shrink", "m.h5", "-o", "t.json", code=3).stderr, f"corridor: invalid input: m.h5: test system/0 is not taken apart\n  {said}\n")
        self.assertEqual(self.corridor("failures", "m.h5", "--keep", "kept", code=1).stderr,
                         f"corridor: system/0 is not taken apart, and kept/system.invariant_poor.json is not kept: {said}. This tells what comes now:\n"
                         "  corridor replay m.h5 --failure system/0\n")
        self.assertFalse((self.folder / "t.json").exists())

    def test_what_makes_no_sense_is_refused(self):
        key = self.mutant()
        self.corridor("shrink", "m.h5", "--failure", key, "-o", "t.json")
        other = self.edited(lambda t: (t.update(formulas={"near": "always not t.x > 1"}), t["system_test"].update(expected="formula near"),
                                       [step.__setitem__(0, "do") for step in t["schedule"]], t["system_test"].pop("goal"), t["system_test"].pop("agent")))
        mended = "mended.json"
        test = json.loads((self.folder / "t.json").read_text())
        (self.folder / mended).write_text(json.dumps({**test, "system": test["system_test"]["sound"]}))
        for words, code, said in (
                (("shrink", "m.h5", "--failure", "none/0", "-o", "u.json"), 3, "m.h5: test none/0 did not fail\n  corridor failures lists those that did\n"),
                (("shrink", "m.h5", "--failure", "N/0", "-o", "u.json"), 3, "there is no test N/0\n  a key is ARM/SUITE, and corridor failures lists them\n"),
                (("shrink", "m.h5", "--failure", key + "/0", "-o", "u.json"), 3, f"there is no test {key}/0\n  a key is ARM/SUITE"),
                (("shrink", mended, "-o", "u.json"), 3, "the test does not fail\n  a test that fails\n"),
                (("shrink", "m.h5", "--failure", key, "-o", "u.json", "--free"), 2, "--free has no meaning with tests of a running system"),
                (("shrink", "m.h5", "--failure", key, "-o", "u.json", "--json"), 2, "--json has no meaning with tests of a running system"),
                (("shrink", "t.json", "--check"), 2, "--check has no meaning with tests of a running system"),
                (("replay", "m.h5", "--failure", key, "-o", "u.json"), 2, "--output has no meaning with tests of a running system"),
                (("replay", "m.h5", "--failure", key, "-o", "u.json", "--inner"), 3, 'the world is one of "rooms"\n  test files are of campaigns\n'),
                (("replay", "t.json", "--failure", key, "-o", "u.json", "--inner"), 3, "t.json"),
                (("replay", "t.json", "--trace=3"), 2, "--trace tells all of a test: write --trace alone"),
                (("replay", "t.json", other, "--trace"), 2, "--trace tells what happens in one test"),
                (("system", "keep", "tests.json", "-o", "u.json"), 2, "there is no command system keep; write corridor replay FILE --failure KEY -o TEST.json --inner\n"),
                (("system", "shrink", "m.h5"), 2, "there is no system shrink; write corridor shrink\n"),
                (("run", "t.json", "-o", "u.h5"), 3, "t.json: is a test of a running system, not an experiment of a running system\n"),
                (("system", "test", "t.json"), 3, "t.json: is a test of a running system, not an experiment of a running system\n  corridor replay, corridor shrink and corridor why read it\n"),
                (("why", "t.json", "--curve", "--future", "timed"), 3, 'there is no law "timed"\n  known: uniform\n')):
            with self.subTest(words):
                self.assertIn(said, self.corridor(*words, code=code).stderr)
        self.assertFalse((self.folder / "u.json").exists())

    def test_files_of_earlier_versions_are_read(self):
        """In these commands are goals: they are experiments."""
        for file in sorted((HERE / "kept_before").iterdir()):
            with self.subTest(file.name):
                test, = json.loads(self.corridor("system", "test", file, "--json", code=1).stdout)["tests"]
                self.assertEqual(test["verdict"], "fail")
                self.run_tests(json.loads(file.read_text()))
                self.corridor("shrink", "m.h5", "-o", "t.json", "--force")
                self.corridor("replay", "t.json")


if __name__ == "__main__":
    e2e.main()
