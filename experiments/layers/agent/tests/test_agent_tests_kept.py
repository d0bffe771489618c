#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failing cases of agents made small, kept and replayed, as a user sees it: faults of a design, a race, a module and a program; what
changed since is named, and what makes no sense is refused in so many words.

usage: test_agent_tests_kept.py CORRIDOR SOURCE_DIRECTORY PARCEL_DESK.so
"""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402
from e2e import SOURCE  # noqa: E402

LIBRARY = SOURCE / "experiments/library/agents"
MODULE = sys.argv.pop(3)
RACE = "stale/PT(Accept)/225"
SAID = "race_over_belief desk.Weight: desk.Weight ends with another value when intentions take turns in another order"


class Kept(e2e.Case):
    def setUp(self):
        super().setUp()
        faults = json.loads((LIBRARY / "parcel_desk_faults.json").read_text())
        faults["faults"] = [fault for fault in faults["faults"] if fault["name"] in ("stale", "impatient")]
        (self.folder / "faults.json").write_text(json.dumps(faults))

    def make(self, name="r.h5", *words, **options):
        self.corridor("agent", "test", LIBRARY / "parcel_desk.json", "--faults", "faults.json", *words, "-o", name, **options)

    def read(self, name="t.json"):
        return json.loads((self.folder / name).read_text())

    def edited(self, change):
        test = self.read()
        change(test)
        (self.folder / "edited.json").write_text(json.dumps(test))
        return "edited.json"

    def test_a_race_from_finding_to_kept_test(self):
        self.make()
        rows = json.loads(self.corridor("failures", "r.h5", "--json").stdout)["sheets"]["findings"]["rows"]
        self.assertEqual([row["key"] for row in rows], [RACE, RACE + "/race_in_outcome Accept", "impatient/PT(Accept)/69"])
        self.assertIn(f"    Key: {RACE}\n", self.corridor("failures", "r.h5").stdout)
        said = self.corridor("shrink", "r.h5", "--failure", RACE, "-o", "t.json").stderr
        self.assertRegex(said, r"3 choices, the smallest of 1 failure; \d+ smaller cases tried; no choice and no set of choices can be spared\n$")
        test = self.read()
        self.assertEqual(test["schedule"], [["post", "Pair"], ["believe", "desk.Weight", 58], ["turn", 10, 3]])
        own = test["agent_test"]
        self.assertEqual((own["unit"], own["case"], own["expected"], own["choices"]), ("PT(Accept)", 21, "race_over_belief desk.Weight", 3))
        self.assertEqual([arm["name"] for arm in test["arms"]], ["stale"])
        self.assertEqual(self.corridor("replay", "t.json").stdout, f"as expected t.json: {SAID}\n")
        self.corridor("replay", "t.json", "--expect", "failing")
        self.assertRegex(self.corridor("replay", "t.json", "--expect", "fixed", code=1).stdout, "^DIFFERENT t.json: race_over_belief")
        # The other order first, then what is otherwise; of a key the same, of the whole case.
        first, second = self.corridor("replay", "t.json", "--trace").stdout.split("the same, but turn 10 goes to intention 3:\n")
        last = [[line for line in told.splitlines() if "wrote desk.Weight" in line][-1] for told in (first, second)]
        self.assertEqual([line.split()[-1] for line in last], ["92", "115"])
        self.assertTrue(first.startswith("event Pair, valid\n  First = 25\n") and second.endswith("\nfound: race_over_belief desk.Weight, error\n"), (first, second))
        whole = self.corridor("replay", "r.h5", "--failure", RACE, "--trace").stdout
        self.assertIn("the same, but turn ", whole)
        self.assertIn("found: race_in_outcome Accept, warning", whole)
        said = " ".join(self.corridor("why", "--help").stdout.split())
        self.assertIn("; ARM/UNIT/CASE of an agent", said)
        self.assertIn("(values of a case of an agent, which have no order, only the first)", said)
        self.assertEqual(self.corridor("why", "t.json").stdout, "The case fails by race_over_belief desk.Weight. Each of its 3 choices is needed by itself: "
                                                                "without it that does not come.\n")
        self.assertEqual(self.corridor("why", "r.h5", "--failure", RACE).stdout,
                         "The case fails by race_over_belief desk.Weight. Of its 11 choices 2 are needed by themselves (gone: without it that does not come).\n"
                         '    1. ["post", "Pair"]. (gone)\n    4. ["believe", "desk.Weight", 58]. (gone)\n')
        self.corridor("shrink", "t.json", "-o", "again.json")
        self.assertEqual((self.folder / "t.json").read_bytes(), (self.folder / "again.json").read_bytes())
        self.assertEqual(self.corridor("replay", "r.h5", "--failing").stdout.count("as expected r.h5 "), 3)
        self.assertEqual(self.corridor("replay", "r.h5", "--failure", "stale/2/225/race_in_outcome Accept").stdout.count("as expected"), 1)
        self.assertIn('failures="0"', self.corridor("replay", "t.json", "--format", "junit").stdout)
        self.corridor("failures", "r.h5", "--keep", "kept")
        kept = sorted(p.name for p in (self.folder / "kept").iterdir())
        self.assertEqual(kept, ["impatient.race_in_outcome_Accept.json", "stale.race_in_outcome_Accept.json", "stale.race_over_belief_desk.Weight.json"])
        self.assertEqual(self.corridor("replay", *(f"kept/{name}" for name in kept), "--expect", "failing").stdout.count("as expected"), 3)

    def test_what_one_case_does_not_show_is_told(self):
        faults = LIBRARY / "stock_manager_faults.json"
        self.corridor("agent", "test", LIBRARY / "stock_manager.json", "--faults", faults, "-o", "m.h5")
        rows = json.loads(self.corridor("failures", "m.h5", "--json").stdout)["sheets"]["findings"]["rows"]
        refused = {row["arm"]: row for row in reversed(rows) if row["key"] is None}
        self.assertEqual(len([row for row in rows if row["key"]]), 18)
        chosen = refused["M12"]
        key = f"M12/{chosen['unit']}/{chosen['smallest']}"
        self.assertEqual(chosen["check"], "plan_never_chosen")
        self.assertEqual(self.corridor("shrink", "m.h5", "--failure", key, "-o", "t.json", code=3).stderr,
                         f"corridor: invalid input: m.h5: plan_never_chosen Choose_alternative_supplier is about all cases of {chosen['unit']}: no single one "
                         "shows it\n  M12/ET(Decide_supplier)/0 fails by event_overlap Decide_supplier\n")
        self.assertIn("plan_not_wired Regular_order is about all cases of PT(Regular_order): no single one shows it\n  nothing of the arm is of one case; ",
                      self.corridor("replay", "m.h5", "--failure", "M2/PT(Regular_order)/0", "--trace", code=3).stderr)
        # Of an arm with a fault that is above all others: the class is that of the lowest unit.
        self.corridor("failures", "m.h5", "--arm", "M16", "--keep", "kept")
        self.assertEqual(len(list((self.folder / "kept").iterdir())), 3)

    def test_what_changed_is_named(self):
        self.make()
        self.corridor("shrink", "r.h5", "--failure", RACE, "-o", "t.json")
        replayed = lambda change, code=1, *words: self.corridor("replay", self.edited(change), *words, code=code).stdout
        none = "nothing was found: in this case the agent does as it is designed"
        sound = lambda t: t["arms"][0].update(fault="none")
        changed = "; the {} changed since the test was made"
        self.assertEqual(replayed(sound), f"DIFFERENT edited.json: {none}{changed.format('agent was')}; expected is race_over_belief desk.Weight\n")
        self.corridor("replay", self.edited(sound), "--expect", "fixed")
        other = lambda t: t["faults"]["faults"][0].update(meaning="says it otherwise")
        self.assertEqual(replayed(other, 0), f"as expected edited.json: {SAID}{changed.format('agent was')}\n")
        noted = lambda t: t["design"].update(note="Another")
        self.assertEqual(replayed(noted, 0), f"as expected edited.json: {SAID}{changed.format('design was')}\n")
        self.assertIn(changed.format("design and the agent were"), replayed(lambda t: (noted(t), sound(t))))
        self.assertIn("NO VERDICT edited.json: the test has 2 choices, and what is expected came with 3\n", replayed(lambda t: t["schedule"].pop(), 7, "--expect", "fixed"))
        self.assertIn("NO VERDICT edited.json: nothing was posted", replayed(lambda t: t["schedule"].clear(), 7, "--expect", "fixed"))
        late = lambda t: t["schedule"][2].__setitem__(1, 99)
        self.assertIn("NO VERDICT edited.json: turn 99 could not be taken", replayed(late, 7, "--expect", "fixed"))
        gone = lambda t: t["design"]["beliefs"][0]["fields"].pop("Weight")
        self.assertIn('edited.json: /plans/0/vars/0/name: there is no field "desk.Weight"', self.corridor("replay", self.edited(gone), code=3).stderr)

    def agent(self, name, agent):
        """The same of agents that are started: with --trust, each in a process of its own."""
        self.make(name, "--agent", agent)
        key = json.loads(self.corridor("failures", name, "--json").stdout)["sheets"]["findings"]["rows"][0]["key"]
        refused = self.corridor("shrink", name, "--failure", key, "-o", "t.json", code=3).stderr
        self.assertIn("with --trust it is started", refused)
        self.corridor("shrink", name, "--failure", key, "-o", "t.json", "--trust")
        self.assertIn("with --trust it is started", self.corridor("replay", "t.json", code=3).stderr)
        self.assertIn("as expected t.json: race_over_belief desk.Weight: ", self.corridor("replay", "t.json", "--trust").stdout)
        self.assertIn("the same, but turn ", self.corridor("replay", "t.json", "--trust", "--trace").stdout)
        schedule = self.read()["schedule"]
        self.corridor("failures", name, "--keep", "kept", "--trust")
        self.assertIn("as expected", self.corridor("replay", "kept/stale.race_over_belief_desk.Weight.json", "--trust").stdout)
        return schedule

    def test_a_module_and_a_program_fail_alike(self):
        shutil.copy(MODULE, self.folder / "desk.so")
        desk = self.folder / "desk.py"
        shutil.copy(LIBRARY / "parcel_desk.py", desk)
        module = self.agent("m.h5", "./desk.so")
        shutil.rmtree(self.folder / "kept")
        (self.folder / "t.json").unlink()
        program = self.agent("p.h5", e2e.shell(sys.executable, "desk.py"))
        self.assertEqual(module, program)
        self.assertEqual([choice[0] for choice in program], ["post", "turn", "turn"])
        text = desk.read_text()
        desk.write_text(text + "# Another.\n")
        self.assertIn("; the program was changed since the test was made\n", self.corridor("replay", "t.json", "--trust").stdout)
        desk.write_text("raise SystemExit(3)\n")
        self.assertIn("desk.py", self.corridor("replay", "t.json", "--trust", code=None).stderr)

    def test_an_agent_that_does_not_repeat_itself_is_no_test(self):
        desk = self.folder / "desk.py"
        text = (LIBRARY / "parcel_desk.py").read_text()
        desk.write_text(text)
        self.make("p.h5", "--agent", e2e.shell(sys.executable, "desk.py"))
        key = json.loads(self.corridor("failures", "p.h5", "--json").stdout)["sheets"]["findings"]["rows"][0]["key"]
        desk.write_text(text.replace('"stale"', '"stole"').replace('"impatient"', '"stale"').replace('"stole"', '"impatient"'))
        said = self.corridor("shrink", "p.h5", "--failure", key, "-o", "q.json", "--trust", code=3).stderr
        self.assertIn(f"p.h5: case {key} does not repeat in a fresh process\n  the agent may look at a clock, or remember other cases; else it was changed since", said)
        self.assertFalse((self.folder / "q.json").exists())

    def test_what_makes_no_sense_is_refused(self):
        self.make()
        self.corridor("agent", "test", LIBRARY / "parcel_desk.json", "-o", "none.h5")
        self.corridor("shrink", "r.h5", "--failure", RACE, "-o", "t.json")
        other = self.edited(lambda t: t["agent_test"].update(expected="plan_failed Accept"))
        for words, code, said in (
                (("shrink", "none.h5", "-o", "u.json"), 3, "none.h5: no case failed\n"),
                (("shrink", "r.h5", "--failure", "stale/PT(Accept)/3", "-o", "u.json"), 3, "there is no case stale/PT(Accept)/3\n  a key is ARM/UNIT/CASE, and corridor failures lists them\n"),
                (("shrink", "r.h5", "--failure", RACE + "/plan_failed Put", "-o", "u.json"), 3, "there is no case " + RACE + "/plan_failed Put\n"),
                (("shrink", other, "-o", "u.json"), 3, "it expects plan_failed Accept, and fails by race_over_belief desk.Weight, which is another failure: "),
                (("shrink", "r.h5", "--failure", RACE, "-o", "u.json", "--free"), 2, "--free has no meaning with tests of an agent"),
                (("shrink", "t.json", "--check"), 2, "--check has no meaning with tests of an agent"),
                (("replay", "r.h5", "--failure", RACE, "-o", "u.json"), 2, "--output has no meaning with tests of an agent"),
                (("replay", "t.json", "--trace=3"), 2, "--trace tells all of a case: write --trace alone"),
                (("replay", "t.json", other, "--trace"), 2, "--trace tells what happens in one case"),
                (("run", "t.json", "-o", "u.h5"), 3, "t.json: is a test of an agent, not an experiment"),
                (("agent", "check", "t.json"), 3, "t.json: is a test of an agent, not a design of an agent\n"),
                (("why", "t.json", "--curve", "--future", "timed"), 3, "the choices of a case have no order: nothing comes behind the first of them\n  corridor why without it says which are needed\n"),
                (("why", "r.h5"), 2, "needs the failure of the result file that is meant: --failure KEY")):
            with self.subTest(words):
                self.assertIn(said, self.corridor(*words, code=code).stderr)
        self.assertFalse((self.folder / "u.json").exists())


if __name__ == "__main__":
    e2e.main()
