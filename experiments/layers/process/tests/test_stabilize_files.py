#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize: each no is a file that is executed again, told, made small, and refused where it was changed; large systems are drawn.

usage: test_stabilize_files.py CORRIDOR SOURCE MODULES [in-full]"""
import json
import xml.etree.ElementTree

from stabilize_case import PROGRAM, READS, RING, RULE, SAME, StabilizeCase, e2e


class Files(StabilizeCase):
    def test_each_no_is_a_file(self):
        """Loops of the ring with too few values: repeated, told, drawn, made small; not repeated by the right one; refused where they were changed."""
        self.write(RING, e2e.MODULES / "rules.so", 5, arms={"right": {}, "few": {"fault": "few"}})
        said = self.said(1, "-o", "kept", "--isolate", "never")
        replay = lambda *options, code: self.corridor("replay", *options, "--trust", "--isolate", "never", code=code)
        self.assertEqual(sorted(path.name for path in (self.folder / "kept").iterdir()), [f"few.{d}.json" for d in ("central", "distributed", "synchronous")])
        for daemon, steps in ("central", 15), ("distributed", 4), ("synchronous", 15):
            with self.subTest(daemon):
                name = f"kept/few.{daemon}.json"
                self.assertIn(f": {name}\n", said)
                self.assertIn(f"as expected {name}: loops: {steps} steps end where they began, outside\n",
                              replay(name, "--expect", "failing", code=0).stdout)
                told = replay(name, "--trace", "--svg", "loop.svg", "-f", code=0).stdout
                self.assertEqual((len(told.splitlines()), told.splitlines()[-1].split("   ")[-1]), (steps + 2, "as at the beginning"))
                drawn = [node.get("class") for node in xml.etree.ElementTree.parse(self.folder / "loop.svg").iter()]
                self.assertEqual((drawn.count("v"), drawn.count("l")), (steps, 1))
                test = json.loads((self.folder / name).read_text())
                right = {**test, "arms": {"right": {}}}
                (self.folder / "right.json").write_text(json.dumps(right))
                replay("right.json", "--expect", "failing", code=1)
                replay("right.json", "--expect", "fixed", code=0)
                # No smaller system loops, and in it no loop is shorter: three processes of one value do not, and all of four are gone through.
                made = self.corridor("shrink", name, "--trust", "--isolate", "never", "-o", "small.json", "--force", code=0).stderr
                self.assertIn("4 processes, and no fewer fail so\n", made)
                small = json.loads((self.folder / "small.json").read_text())
                self.assertEqual((small["stabilize"]["counts"], len(small["process_test"]["start"]["x"])), ([4], 4))
                self.assertEqual(len({move[4] for move in small["schedule"]}), {"central": 8, "distributed": 3, "synchronous": 8}[daemon])
                replay("small.json", "--expect", "failing", code=0)
                for lost in 0, len(small["schedule"]) - 1:  # without a move it is no loop
                    (self.folder / "less.json").write_text(json.dumps({**small, "schedule": small["schedule"][:lost] + small["schedule"][lost + 1:]}))
                    replay("less.json", "--expect", "failing", code=1)
        whole = json.loads((self.folder / "kept/few.central.json").read_text())
        start = "/process_test/start"
        for path, value, message in (
                (("process_test", "start", "x"), [0, 0, 2, 1], start + "/x: has 4 items, expected 5"), (("process_test", "start", "x", 2), 3, start + "/x/2: 3 is no value of x of process 2, which has 0 .. 2"),
                (("process_test", "start", "y"), [], start + '/y: unknown key "y"'), (("process_test", "daemon"), "any", '/process_test/daemon: the daemon any is of programs with messages, and rules have none'),
                (("process_test", "fair"), "very", '/process_test/fair: unknown fairness "very"'), (("process_test", "expected"), "single", '/process_test/expected: unknown verdict "single"'),
                (("process_test", "loop"), 15, "/process_test/loop: is step 15, and no move is in it or behind it"), (("schedule", 1, 1), 5, "/schedule/1/1: is 5, expected 0 to 4"),
                (("schedule", 1, 4), 0, "/schedule/1/4: two processes move in step 0, and of daemon central one does"), (("schedule", 1, 0), "deliver", '/schedule/1/0: unknown event of rules "deliver"'),
                (("schedule", 2, 4), 0, "/schedule/2/4: step 0 lies before 1, that of the move before"), (("stabilize", "counts"), [4, 5], "/: a test has one system, this one 2"),
                (("arms", "right"), {}, "/: a test has one arm, this one 2")):
            with self.subTest(path):
                test = json.loads(json.dumps(whole))
                into = test
                for key in path[:-1]:
                    into = into[key]
                into[path[-1]] = value
                (self.folder / "t.json").write_text(json.dumps(test))
                self.assertIn(message, replay("t.json", code=3).stderr)
        (self.folder / "t.json").write_text(json.dumps(whole)[:-40])
        replay("t.json", code=3)
        both = {**whole, "process_test": {**whole["process_test"], "daemon": "distributed"}, "schedule": [*whole["schedule"][:1], ["move", 0, 0, 0, 0]]}
        (self.folder / "t.json").write_text(json.dumps(both))
        self.assertIn("/schedule/1/4: process 0 moves twice in step 0\n", replay("t.json", code=3).stderr)

    def test_what_fairness_a_loop_has_is_not_believed(self):
        """A loop is as fair as its file says, or fails by nothing: chance leaves where there is a way out, and what is drawn may lead out of a fair one."""
        apart = SAME[:2] + ["invariant apart: any(a in agents: any(b in agents: a.x != b.x))"]
        choice, coin = '[{"x": 0}, {"x": 1}]', 'corridor.chance([{"x": 0}, {"x": 1}])'
        known = "DIFFERENT t.json: nothing fails: "
        loops = "as expected t.json: loops: 1 step ends where it began, outside\n"
        for outcomes, daemon, fairness, code, said in (
                (choice, "central", "unfair", 0, loops), (choice, "synchronous", "strong", 0, loops),
                (choice, "central", "strong", 0, "as expected t.json: loops: 2 steps end where they began, outside\n"),  # after the first of them it is there, too, and passes over 1
                (choice, "0 alone", "strong", 1, known + "the loop passes over somebody to whom a daemon that is so fair owes a turn; expected is loops\n"),
                (choice, "central", "chance", 1, known + "chance leads out of the loop, and back; expected is loops\n"),
                (coin, "central", "chance", 1, known + "chance leads out of the loop, and back; expected is loops\n"),
                (coin, "synchronous", "strong", 1, known + "whether what is drawn leads out of the loop is not known; expected is loops\n")):
            with self.subTest((outcomes, daemon, fairness)):
                self.program(PROGRAM, "range(3)", "range(2)", RULE, f"        return {outcomes} if self.x == left.x else None\n")
                self.write(apart, count=2, stabilize={"counts": [2]}, arms={"p": {}})
                test = json.loads((self.folder / "e.json").read_text())
                moves = [[0, 0, 0, 0], [1, 0, 0, daemon == "central" and 1 or 0]][:1 if daemon == "0 alone" else 2]
                daemon = daemon.replace("0 alone", "central")
                test |= {"process_test": {"expected": "loops", "daemon": daemon, "fair": fairness, "loop": 0, "start": {"x": [0, 0]}}, "schedule": [["move", *move] for move in moves]}
                (self.folder / "t.json").write_text(json.dumps(test))
                self.assertIn(said, self.corridor("replay", "t.json", "--trust", "--expect", "failing", code=code).stdout)
                self.corridor("replay", "t.json", "--trust", "--expect", "fixed", code=7 if "not known" in said else 1 - code)
        # Whatever is drawn, a daemon stays outside by the other process: that chance has no way out is so.
        self.program(PROGRAM, "range(3)", "range(3) if self.me == 0 else range(1)", READS, "        return [1] if self.me == 0 else []\n", "rule(self, left)", "rule(self, *near)",
                     RULE, '        return None if self.me else {"x": 0} if self.x else [corridor.chance([{"x": 0}, {"x": 1}]), corridor.chance([{"x": 1}, {"x": 2}])]\n')
        self.write(SAME[:2] + ["invariant two: any(a in agents: a.x == 2)"], count=2, stabilize={"daemons": ["central"]})
        self.said(1, "--fair", "chance", "-o", "kept")
        self.assertEqual(json.loads((self.folder / "kept/program.central.json").read_text())["process_test"]["fair"], "chance")
        self.corridor("replay", "kept/program.central.json", "--trust", "--expect", "failing", code=0)

    def test_what_is_missing_in_a_test(self):
        """Each member, of a test that has no other either; and what is of the wrong kind or size."""
        self.write(RING, e2e.MODULES / "rules.so", 5, arms={"few": {"fault": "few"}})
        self.said(1, "-o", "kept", "--isolate", "never")
        whole = json.loads((self.folder / "kept/few.central.json").read_text())
        own = whole["process_test"]
        without = lambda *keys: {key: value for key, value in own.items() if key not in keys}
        for changed, message in (
                (without("start"), '/process_test: lacks the key "start"\n'), (without("daemon"), '/process_test: lacks the key "daemon"\n'),
                (without("expected"), '/process_test: lacks the key "expected"\n'), (without("start", "loop"), '/process_test: lacks the key "start"\n'),
                ({"expected": "loops"}, '/process_test: lacks the key "daemon"\n'), ([], "/process_test: is an array, expected an object\n"),
                ({**own, "expected": "holds"}, '/process_test/expected: is "holds", by which no run fails\n  loops, rests, trapped, leaves, idles or late\n'),
                ({**own, "expected": "undecided"}, '/process_test/expected: is "undecided", by which no run fails\n'), ({**own, "expected": 3}, "/process_test/expected: is an integer, expected a string\n"),
                ({**own, "daemon": 3}, "/process_test/daemon: is an integer, expected a string\n"), ({**own, "fair": []}, "/process_test/fair: is an array, expected a string\n"),
                ({**own, "loop": "0"}, "/process_test/loop: is a string, expected an integer\n"), ({**own, "loop": -1}, "/process_test/loop: is -1, expected 0 to 1000000000\n"),
                ({**own, "ends": 0}, '/process_test/ends: unknown key "ends"\n'), ({**own, "start": []}, "/process_test/start: is an array, expected an object\n"),
                ({**own, "start": None}, "/process_test/start: is null, expected an object\n"), ({**own, "start": {}}, '/process_test/start: lacks the key "x"\n'),
                ({**own, "start": {"x": 3}}, "/process_test/start/x: is an integer, expected an array\n"), ({**own, "start": {"x": [0, 0, 0, 0, "a"]}}, "/process_test/start/x/4: is a string, expected an integer\n"),
                ({**own, "start": {"x": [0, 0, 0, 0, .5]}}, "/process_test/start/x/4: is a real number, expected an integer\n")):
            with self.subTest(changed):
                (self.folder / "t.json").write_text(json.dumps({**whole, "process_test": changed}))
                self.assertIn(message, self.corridor("replay", "t.json", "--trust", "--isolate", "never", code=3).stderr)
        for schedule, message in (({}, "/schedule: is an object, expected an array\n"), ([3], "/schedule/0: is an integer, expected an array\n"), ([[]], "/schedule/0: has 0 items, expected 5\n"),
                                  ([["move", "0", 0, 0, 0]], "/schedule/0/1: is a string, expected an integer\n"), ([], "/process_test/loop: is step 0, and no move is in it or behind it\n"), (None, '/: lacks the key "schedule"\n')):
            with self.subTest(schedule):
                test = {**whole, "schedule": schedule}
                if schedule is None:
                    del test["schedule"]
                (self.folder / "t.json").write_text(json.dumps(test))
                self.assertIn(message, self.corridor("replay", "t.json", "--trust", "--isolate", "never", code=3).stderr)

    def test_large_systems_are_drawn(self):
        """What is asked is a share of states; a loop, a dead end, a step out of the corridor and a way that is too long are met, and each is a file."""
        module = e2e.MODULES / "rules.so"
        drawn = {"states": 1000, "sample": {"effort": 100000}}
        self.write(RING, module, 7, arms={"right": {}, "few": {"fault": "few"}}, stabilize={"daemons": ["central", "synchronous"], **drawn})
        said = self.said(0, "--arm", "right", "--isolate", "never")
        self.assertIn("right: 7 processes, x of 7 values: 823,543 states\n  central      nothing that stays outside in ", said)
        self.assertIn(" states drawn of 823,543: at least 0.99 of them are back within ", said)
        self.assertIn(" (error 0.01); the longest way found has ", said)
        self.assertTrue(said.endswith("Nothing is proved of a system whose states were drawn, but what was met.\n"))
        self.assertNotIn("Proved", said)
        self.said(7, "--arm", "right", "--prove", "--isolate", "never")
        self.said(0, "--arm", "right", "--daemon", "synchronous", "--prove", "--isolate", "never", "--states", "1000000")
        rows = self.rows("--arm", "right", "--isolate", "never", code=0)
        self.assertEqual([(row["verdict"], row["proved"], row["states"], row["worst_steps"]) for row in rows], [("sampled", False, 823543, None)] * 2)
        self.assertLessEqual(max(row["longest"] for row in rows), 55)
        self.assertEqual(rows, self.rows("--arm", "right", "--isolate", "never", code=0))
        self.write(RING, module, 7, arms={"right": {}}, stabilize={"daemons": ["synchronous"], "states": 1000, "sample": {"steps": 6, "effort": 100000}})
        row = self.rows("--isolate", "never", code=1)[0]  # a seventh of the states takes longer
        self.assertEqual(row["verdict"], "sampled")
        self.assertRegex(row["said"], r"not back in time 0\.\d\d \[0\.\d\d, 0\.\d\d\] of [\d,]+ states drawn of 823,543 within 6 steps: fewer than 0\.99 are \(error 0\.01\)")
        down = (READS, "        return []\n", "def rule(self, left):", "def rule(self):", "range(3)", "range(9)")
        zero, one = SAME[:2] + ["invariant zero: all(a in agents: a.x == 0)"], SAME[:2] + ["invariant never: all(a in agents: a.x != 1)"]
        for verdict, said, rule, corridor, asked in (
                ("loops", "does not come back: 3 steps can be repeated for ever", '{"x": (self.x + 3) % 9} if self.x else None', zero, {"daemons": ["synchronous"]}),
                ("rests", "does not come back: in a state that was met nobody can move, and it is outside", '{"x": self.x - 1} if self.x not in (0, 4) else None', zero, {}),
                ("leaves", "does not stay: from a state inside that was met a step leads outside", '{"x": self.x - 1} if self.x else None', one, {}),
                ("late", "comes back within 24 steps at least; within 20 was asked", '{"x": self.x - 1} if self.x else None', zero, {"within": {"steps": 20}, "sample": {"steps": 60}})):
            with self.subTest(verdict):
                self.program(PROGRAM, *down, RULE, f"        return {rule}\n")
                self.write(corridor, count=3, stabilize={"daemons": ["central"], "states": 100, "sample": True, **asked})
                row = self.rows("-o", "kept", "--force", code=1)[0]
                self.assertEqual((row["verdict"], row["said"]), (verdict, said))
                name = f"kept/program.{row['daemon']}.json"
                self.corridor("shrink", name, "--trust", "-o", "small.json", "--force", code=0)
                self.corridor("replay", name, "small.json", "--trust", "--expect", "failing", code=0)

    def test_no_yes_to_what_is_not_asked_of_drawn_states(self):
        """Moves, rounds and `again` are undecided there, and a corridor that nothing left; steps are asked whatever the fairness is."""
        module = e2e.MODULES / "rules.so"
        everything = SAME[:2] + ["invariant everything: all(a in agents: a.x >= 0)"]
        not_asked = 'undecided: "again", and "within" in moves or rounds, are not asked of states that are drawn'
        for said, corridor, asked, options, code in (
                (not_asked, RING, {"within": {"moves": 3}}, (), 7), (not_asked, RING, {"within": {"rounds": 1}}, (), 7), (not_asked, RING, {"again": ["never"]}, (), 7),
                ("undecided: all states that were met are inside, and nothing is put to the test", everything, {}, (), 7),
                ("comes back within ", RING, {"within": {"steps": 3}, "sample": {"steps": 1000, "effort": 20000}}, ("--fair", "weak"), 1)):
            with self.subTest(asked):
                self.write(corridor, module, 7, stabilize={"daemons": ["central"], "states": 1000, "sample": {"effort": 20000}, **asked},
                           traps={"never": "any(a in agents: a.enabled == 7)"} if "again" in asked else {})
                row = self.rows("--isolate", "never", *options, code=code)[0]
                self.assertTrue(row["said"].startswith(said), row["said"])
                self.assertEqual(row["verdict"], "undecided" if code == 7 else "late")


if __name__ == "__main__":
    e2e.main()
