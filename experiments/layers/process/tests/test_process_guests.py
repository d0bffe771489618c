#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules of distributed programs that do what no guest may: each is its own harm alone, and its verdict is known in advance.

usage: test_process_guests.py CORRIDOR SOURCE MODULES [all]"""
import csv
import io
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

IS_ALL = sys.argv[4:] == ["all"]
SANITIZED = b"__asan_init" in e2e.BINARY.read_bytes()
PASSED = ("passed", "none", "")
OTHERWISE = ("failed", "leaked", "The schedule does not repeat in a fresh process: the program reads a clock or keeps old state.")
SIGNAL = "The program was ended by signal {}."
DEED = "Process {}: in {}: {}."
NULL = "segmentation fault, at an address near 0"
# fault: (layers that keep from it, verdict, end, why); {} in `why`: the process that did it. Verdicts are those of schedules in which it was done.
GUESTS = {
    "reads": (("sight",), *PASSED),
    "writes": (("files", "modes"), *PASSED),
    "connects": (("calls",), *PASSED),
    "executes": (("calls",), "failed", "signal", SIGNAL.format("31 (Bad system call)")),
    "traces": (("calls",), "failed", "signal", SIGNAL.format("31 (Bad system call)")),
    "signals": (("processes", "signals"), *PASSED),
    "rings": (("calls",), *PASSED),
    "spreads": ((), "failed", "leaked", "The program leaves processes behind."),
    "splits": ((), "failed", "leaked", "The program leaves processes behind."),
    "thread": ((), "failed", "leaked", "The program leaves threads behind."),
    "clock": ((), *OTHERWISE),
    "remembers": ((), *OTHERWISE),
    "memory": (("memory",), "failed", "signal", DEED.format("{}", "input", NULL)),
    "stack": ((), "failed", "signal", DEED.format("{}", "input", "its stack overflowed")),
    "exit": ((), "failed", "exit", DEED.format("{}", "input", "it called exit with 0")),
    "exit_at_once": ((), "failed", "exit", "The program ended its process with code 0."),
    "abort": ((), "failed", "abort", DEED.format("{}", "input", "it called abort")),
    "killed": ((), "failed", "signal", SIGNAL.format("9 (Killed)")),
    "stopped": ((), "failed", "signal", SIGNAL.format("15 (Terminated)")),
    "jumps": ((), "failed", "signal", DEED.format("{}", "input", "segmentation fault")),
    "ruins_host": ((), "failed", "signal", DEED.format("{}", "input", NULL)),
    "ruins_all": ((), "failed", "signal", SIGNAL.format("11 (Segmentation fault)")),
    "keeps": ((), "failed", "none", "For agent {0} (a): a.foreign == 0 does not hold: a.foreign is 77. Agent {0} shows foreign 77."),
    "closes": ((), *PASSED),
    "prints": ((), *PASSED),
    "alarms": ((), "failed", "absurd call", DEED.format("{}", "input", "it set alarm 8; alarms are 0 to 7")),
    "answers_no_alarm": ((), "failed", "complaint", DEED.format("{}", "input", "an alarm that was never set")),
    "nobody": ((), "failed", "absurd call", DEED.format("{}", "input", "it sent to process 99; there are processes 0 to 2")),
}
HANGS = {where: ("failed", "hang", DEED.format("{}", where, "it did not come back")) for where in ("start", "receive", "observe")}
# What the kit finds of a copy of the module that does the deed always: {check: what is said}; the other checks go on, and say of themselves what
# they find. Deeds without a row are found by `alone`, as calls of the C library, or by `survives`, as ends of a process.
KILLED, GONE, LEFT = "its process was ended by signal {}", "its process ended by itself with exit code 0", "behind input at process 0 it leaves processes behind"
USED_UP = "it uses up the memory that a program may have"
SURVIVES = "behind event 6, input at process 0, process 0 ends the run ({}): in input: {}"
ANOTHER_WAY = "the same schedule goes another way the second time: event 6, input at process 0, has another outcome"
CHECKED = {
    "reads": {"alone": "in input process 0 called open() of the C library"},
    "connects": {"alone": "in input process 0 called socket() of the C library"},
    "executes": {"repeatable": GONE, "survives": GONE, "looks": GONE, "alone": GONE},
    "traces": {"alone": "in input process 0 called getppid() of the C library"},
    "signals": {"alone": "in input process 0 called getppid() of the C library"},
    "rings": {"alone": "in input process 0 called alarm() of the C library"},
    "spreads": {"repeatable": LEFT, "survives": LEFT, "alone": "in input process 0 called fork() of the C library"},
    "splits": {"repeatable": LEFT, "survives": LEFT, "alone": "in input process 0 called fork() of the C library"},
    "thread": {"alone": "in input process 0 called pthread_create() of the C library"},
    "clock": {"alone": "in input process 0 called clock_gettime() of the C library"},
    "remembers": {"repeatable": ANOTHER_WAY},
    # Seldom there is as much left as the host needs: then the second schedule has less than the first.
    "memory": {"repeatable": (USED_UP, ANOTHER_WAY), "looks": USED_UP, "alone": USED_UP},
    "stack": {"survives": SURVIVES.format("signal", "its stack overflowed")},
    "exit": {"survives": SURVIVES.format("exit", "it called exit with 0")},
    "exit_at_once": {"repeatable": GONE, "survives": GONE, "looks": GONE, "alone": GONE},
    "abort": {"survives": SURVIVES.format("abort", "it called abort")},
    "killed": {check: KILLED.format("9 (Killed)") for check in ("repeatable", "survives", "looks", "alone")},
    "stopped": {check: KILLED.format("15 (Terminated)") for check in ("repeatable", "survives", "looks", "alone")},
    "ruins_host": {"survives": SURVIVES.format("signal", NULL)},
    "ruins_all": {check: KILLED.format("11 (Segmentation fault)") for check in ("repeatable", "survives", "looks", "alone")},
    "keeps": {"repeatable": "the same schedule goes another way the second time: the start has another outcome"},
    "closes": {"repeatable": GONE, "survives": GONE, "looks": GONE, "alone": GONE},
    "alarms": {"survives": SURVIVES.format("absurd call", "it set alarm 8; alarms are 0 to 7")},
    "nobody": {"survives": SURVIVES.format("absurd call", "it sent to process 99; there are processes 0 to 0")},
}
FEW = ("exit_at_once", "killed", "splits", "signals", "traces")
CORRIDOR = ["structure observed", "attribute heard: integer", "attribute got: integer", "attribute foreign: integer", "channel told",
            "invariant alone: all(a in agents: a.got == 0)", "invariant own: all(a in agents: a.foreign == 0)", "invariant agreed: agree(told)"]
STORM = {"delay": [1, 100], "crash": 1, "down": [50, 200], "input": 4}


class ProcessGuests(e2e.Case):
    def campaign(self, arms, name, *options, **more):
        what = self.experiment(arms, **more)
        (self.folder / f"{name}.json").write_text(json.dumps(what))
        said = self.corridor("run", self.folder / f"{name}.json", "-o", f"{name}.h5", *options)
        self.assertLess(len(said.stdout), 10000)
        self.assert_nobody_left()
        return said

    def experiment(self, arms, **more):
        return {"process": {"program": str(e2e.MODULES / "bad_guest.so"), "count": 3}, "seed": 3, "suites": 1, "sequences": 4, "cases": 3,
                "corridor": CORRIDOR, "environment": {"states": {"storm": STORM}}, "faults": ["crash"], "arms": arms, **more}

    def assert_nobody_left(self):
        """What a campaign starts has its words."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
            except OSError:
                continue
            self.assertNotIn(str(self.folder).encode(), words, f"process {entry.name} is left")

    def rows(self, name):
        by_arm = {}
        for row in csv.DictReader(io.StringIO(self.corridor("export", f"{name}.h5", "--table", "sequences").stdout)):
            by_arm.setdefault(row["arm"], []).append(row)
        return by_arm

    def hash(self, name):
        return self.corridor("show", f"{name}.h5", "--hash").stdout

    def missing(self):
        layers = json.loads(self.corridor("doctor", "--json").stdout)["sheets"]["layers"]["rows"]
        return {row["layer"] for row in layers if not row["holds"]}

    def verdicts(self, rows):
        """Those of schedules that failed, or all are alike."""
        return {(row["verdict"], row["end"], row["why"]) for row in rows if row["verdict"] == "failed"} or {(row["verdict"], row["end"], row["why"]) for row in rows}

    def named(self, expected):
        verdict, end, why = expected
        return {(verdict, end, why.format(process)) for process in range(3)}

    def test_each_has_its_verdict_and_harms_nobody_else(self):
        missing = self.missing()
        guests = {guest: row for guest, row in GUESTS.items() if not missing & set(row[0]) and not (SANITIZED and guest == "ruins_all")}
        arms = {"a": {}, **{guest: {"fault": guest} for guest in guests}, "z": {}}
        self.campaign(arms, "one", "-j1")
        self.campaign(arms, "three", "-j3")
        self.campaign({"a": {}, "z": {}}, "free", "--isolate", "never")
        rows, three, free = (self.rows(name) for name in ("one", "three", "free"))
        for guest, (_, *expected) in guests.items():
            if guest != "keeps":
                self.assertLessEqual(self.verdicts(rows[guest]), self.named(expected), guest)
            self.assertEqual(self.verdicts(rows[guest]), self.verdicts(three[guest]), guest)
            self.assertEqual(guest == "clock" or rows[guest], guest == "clock" or three[guest], guest)
        # A pointer that is kept harms the next life of its process; and what is kept over schedules makes them come out otherwise.
        self.assertLessEqual(self.verdicts(rows["keeps"]), self.named(GUESTS["keeps"][1:]) | {OTHERWISE})
        self.assertEqual({row["violated"] for row in rows["keeps"] if row["end"] == "none"}, {"own"})
        for arm in ("a", "z"):
            self.assertEqual(rows[arm], free[arm], arm)
            self.assertEqual(three[arm], free[arm], arm)
            self.assertEqual({row["verdict"] for row in rows[arm]}, {"passed"})
        self.assertEqual(rows["ruins_host"][0]["digest"], rows["a"][0]["digest"])  # where it is not done, all is as without
        self.corridor("verify", "one.h5")

    def test_what_is_sound_is_the_same_in_a_cell(self):
        missing = self.missing()
        quiet = [guest for guest, (layers, verdict, *_) in GUESTS.items() if verdict == "passed" and not missing & set(layers)]
        arms = {"a": {}, **{guest: {"fault": guest} for guest in quiet}}
        for name, options in (("one", ("-j1",)), ("three", ("-j3",))):
            self.campaign(arms, name, *options, suites=3)
        self.campaign({guest: {} for guest in arms}, "free", "--isolate", "never", suites=3)
        free = self.rows("free")
        for name in ("one", "three"):
            self.assertEqual(self.rows(name), free)
        built_in = {"process": {"program": "two_phase", "count": 3}, "corridor": ["structure observed", "channel outcome", "invariant agreed: agree(outcome)"]}
        lone = {"sound": {}, "lone": {"fault": "lone_decision"}}
        for name, options in (("in", ("--isolate", "never")), ("always", ("--isolate", "always", "-j1")), ("always3", ("--isolate", "always", "-j3"))):
            self.campaign(lone, name, *options, **built_in, sequences=20)
        self.assertEqual(len({self.hash(name) for name in ("in", "always", "always3")}), 1)

    def estimated(self, arm, *options, suites=2, **question):
        """Repetitions of an estimate of an arm: schedules that failed in each."""
        what = {"corridor_estimation": 1, "method": "plain", "arm": arm, "failure": "any", "suites": suites,
                "experiment": self.experiment({arm: {"fault": arm}}), **question}
        (self.folder / "estimate.json").write_text(json.dumps(what))
        self.corridor("run", "estimate.json", "-o", "estimate.h5", "--force", *options)
        self.assert_nobody_left()
        return list(csv.DictReader(io.StringIO(self.corridor("export", "estimate.h5", "--table", "repetitions").stdout)))

    def test_an_estimate_goes_on_and_counts_what_the_campaign_counts(self):
        missing = self.missing()
        guests = [guest for guest, (layers, *_) in GUESTS.items() if not missing & set(layers) and not (SANITIZED and guest == "ruins_all") and (IS_ALL or guest in FEW)]
        self.campaign({guest: {"fault": guest} for guest in guests}, "counted", suites=2)
        rows = self.rows("counted")
        for guest in guests:
            failed = [sum(row["suite"] == suite and row["verdict"] == "failed" for row in rows[guest]) for suite in ("0", "1")]
            found = self.estimated(guest, "-j1")
            if guest != "clock":
                self.assertEqual([int(row["failed"]) for row in found], failed, guest)
                self.assertEqual(found, self.estimated(guest, "-j3"), guest)
        split = {"method": "splitting", "effort": 10, "level": "any(a in agents: a.heard >= 1); any(a in agents: a.heard >= 3)", "pilot_cases": 0}
        for guest in ("exit_at_once", "remembers"):
            found = self.estimated(guest, "-j1", **split)
            self.assertEqual(found, self.estimated(guest, "-j3", **split), guest)
            self.assertTrue(all(int(row["failed"]) > 0 for row in found), guest)

    def test_a_check_that_a_module_ruins_is_a_finding_and_the_others_go_on(self):
        guests = [guest for guest in GUESTS if not self.missing() and not SANITIZED and (IS_ALL or guest in FEW)]
        for guest in guests:
            shutil.copy(e2e.MODULES / "bad_guest.so", self.folder / f"bad_guest_{guest}.so")
            rows = json.loads(self.corridor("check", f"./bad_guest_{guest}.so", "--json", code=1).stdout)["sheets"]["checks"]["rows"]
            self.assert_nobody_left()
            said = {row["check"]: row["said"].partition(": ")[2] for row in rows if row["verdict"] == "broken"}
            self.assertEqual(len(rows), 12, guest)  # none is left out
            for check, words in CHECKED.get(guest, {}).items():
                self.assertIn(said.get(check), words if isinstance(words, tuple) else (words,), (guest, check, said))

    def test_a_machine_that_cannot_isolate_is_said(self):
        missing = self.missing()
        said = self.campaign({"a": {}}, "warned")
        for layer in missing:
            self.assertIn(layer, said.stderr)
        self.assertEqual(bool(missing), "isolation is not full" in said.stderr)
        refused = self.corridor("run", "warned.json", "-o", "full.h5", "--require-isolation", "full", code=3 if missing else 0)
        for layer in missing:
            self.assertIn(layer, refused.stderr)
        self.assertNotIn("isolation", self.campaign({"a": {}}, "free", "--isolate", "never").stderr)

    def test_what_ends_its_process_when_it_is_loaded_is_refused(self):
        missing = self.missing()
        what = {"process": {"program": str(e2e.MODULES / "bad_load.so")}, "seed": 3, "suites": 1, "sequences": 1, "cases": 1, "corridor": CORRIDOR}
        (self.folder / "load.json").write_text(json.dumps(what))
        for _ in range(2):
            said = self.corridor("run", "load.json", "-o", "load.h5", code=3).stderr
            self.assertIn("the module did not get through being loaded", said)
            self.assertIn("exit code 3", said)
        self.assert_nobody_left()
        if not missing & {"files", "modes"}:
            self.assert_only("load.json")

    def keep(self, name, arms):
        """Each class of each arm, shrunk: replayed and told it ends as it did, and nothing is left."""
        rows = self.rows(name)
        kept = self.corridor("failures", f"{name}.h5", "--keep", name, "--trust")
        self.assert_nobody_left()
        self.corridor("replay", f"{name}.h5", "--failing", "--trust")
        for arm in arms:
            end = next(row["end"] for row in rows[arm] if row["verdict"] == "failed")
            test = f"{name}/{arm}.{end.replace(' ', '_')}.json"
            self.assertIn(test, kept.stderr)
            shrunk = json.loads((self.folder / test).read_text())
            self.assertEqual(shrunk["process_test"]["expected"], end)
            said = self.corridor("replay", test, "--trust", "--expect", "failing").stdout
            self.assertIn(f"as expected {test}: {end}: ", said)
            self.corridor("replay", test, "--trust", "--expect", "fixed", code=1)
            story = json.loads(self.corridor("replay", test, "--trace", "--trust", "--json", "--svg", f"{arm}.svg").stdout)
            self.assertEqual(story["failed"], end)
            self.assertIn(f": {end}: {story['end']}", said)
            self.assertEqual([event["event"] for event in story["events"]], [event[0] for event in shrunk["schedule"] if event[0] != "tick"])
            self.assertIn("</svg>", (self.folder / f"{arm}.svg").read_text())
            again = self.corridor("shrink", test, "--trust", "-o", "-").stdout
            self.assertEqual(json.loads(again)["schedule"], shrunk["schedule"])
            self.assert_nobody_left()
        return {arm: json.loads((self.folder / name / f"{arm}.{rows[arm][-1]['end'].replace(' ', '_')}.json").read_text()) for arm in arms}

    def test_what_ends_its_process_is_replayed_shrunk_and_told(self):
        missing = self.missing()
        few = ("exit_at_once", "killed", "memory", "splits")
        guests = [guest for guest, (layers, verdict, end, _) in GUESTS.items() if verdict == "failed" and end != "none"
                  and not missing & set(layers) and not (SANITIZED and guest == "ruins_all") and (IS_ALL or guest in few)]
        self.campaign({guest: {"fault": guest} for guest in guests}, "ends", sequences=3)
        for arm, test in self.keep("ends", guests).items():
            self.assertLessEqual(len(test["schedule"]), 1, arm)  # one input does it

    def test_what_ends_its_process_has_a_curve_and_what_remembers_none(self):
        arms = {deed: {"fault": deed} for deed in ("killed", "remembers")}
        self.campaign(arms, "why")
        rows = self.rows("why")
        said = {}
        for arm, code in (("killed", 0), ("remembers", 1)):
            key = next(f"{arm}/{row['suite']}/{row['sequence']}" for row in rows[arm] if row["verdict"] == "failed")
            said[arm] = self.corridor("why", "why.h5", "--failure", key, "--curve", "--future", "timed", "--effort", "10", "--ahead", "5", "--trust", code=code).stdout
        # The event that it dies of is known though nothing else is; and it is not listed among what else could have come.
        rise = next(line for line in said["killed"].splitlines() if line.endswith("  <- the largest rise"))
        self.assertRegex(rise, r'0\.\d\d +1\.00  #+ +\d+\. Process \d is asked for "do"\.')
        own, others = rise.split(". ", 1)[1].split(".")[0], said["killed"].split("Had something else come")[1]
        self.assertNotIn(own + ".", others)
        self.assertRegex(said["remembers"], r"^The program does not repeat itself: .* the second time, so nothing can be said of other futures\.\n$")
        self.assert_nobody_left()

    def test_a_shrunk_test_is_the_same_in_a_cell(self):
        what = {"process": {"program": "two_phase", "count": 3}, "corridor": ["structure observed", "channel outcome", "invariant agreed: agree(outcome)"]}
        self.campaign({"lone": {"fault": "lone_decision"}}, "sound", **what, sequences=20)
        for where in ("never", "always"):
            self.corridor("shrink", "sound.h5", "--isolate", where, "-o", f"{where}.json")
            self.corridor("shrink", f"{where}.json", "--isolate", where, "-o", f"{where}2.json")
            (self.folder / f"{where}.story").write_text(self.corridor("replay", "never.json", "--trace", "--isolate", where, "--svg", f"{where}.svg").stdout)
            (self.folder / f"{where}.said").write_text(self.corridor("replay", "sound.h5", "--failing", "never.json", "--isolate", where).stdout)
        for kind in (".json", "2.json", ".story", ".svg", ".said"):
            self.assertEqual(*((self.folder / f"{where}{kind}").read_text() for where in ("never", "always")), kind)
        # A schedule of no event: it fails as it begins.
        what["corridor"] = ["structure observed", "attribute voted: integer", "invariant never: all(a in agents: a.voted > 0)"]
        self.campaign({"lone": {}}, "begun", **what)
        for where in ("never", "always"):
            said = self.corridor("shrink", "begun.h5", "--isolate", where, "-o", f"{where}0.json").stderr
            self.assertIn("corridor: 0 events, the smallest of 4 failures; 0 smaller schedules tried", said)
        self.assertEqual(*(json.loads((self.folder / f"{where}0.json").read_text())["schedule"] for where in ("never", "always")))

    def test_what_does_not_come_back_is_replayed(self):
        self.campaign({"receive": {"fault": "receive_hangs"}}, "hanging", sequences=1)
        self.assertIn("as expected", self.corridor("replay", "hanging.h5", "--failing", "--trust").stdout)
        self.assert_nobody_left()

    def test_what_does_not_come_back_is_ended(self):
        arms = {"a": {}, **{where: {"fault": f"{where}_hangs"} for where in HANGS}, "z": {}}
        self.campaign(arms, "hangs", "-j2", sequences=1)
        rows = self.rows("hangs")
        self.campaign({"a": {}, "z": {}}, "free", "--isolate", "never", sequences=1)
        free = self.rows("free")
        for where, expected in HANGS.items():
            self.assertLessEqual(self.verdicts(rows[where]), self.named(expected), where)
        self.assertEqual((rows["a"], rows["z"]), (free["a"], free["z"]))


if __name__ == "__main__":
    if not IS_ALL:  # a hang is believed after seconds
        del ProcessGuests.test_what_does_not_come_back_is_ended, ProcessGuests.test_what_does_not_come_back_is_replayed
    e2e.main()
