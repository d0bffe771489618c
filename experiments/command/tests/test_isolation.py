#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithms in cells: campaigns give the same there, and whatever a module does is a verdict of its own arm."""
import ctypes
import json
import os
import pathlib
import platform
import shutil
import signal
import struct

import e2e
from e2e import PSOPP, SPADA

# As in algorithms/host/tests/modules/deeds.c.
(GOOD, CRASHES, ABORTS, EXITS, LOOPS, SLEEPS, HOARDS, WRITES_TASK, ENDS_PARENT, ENDS_ALL, CLOSES_ALL, ROUNDS_UP,
 COUNTS_CALLS, READS_CLOCK, FORKS, STOPS, SCRIBBLES, MAKES_ABSURD, DIES_LATER, OVERFLOWS_STACK) = range(20)
SMOKES = {CRASHES: "crashed", EXITS: "exited", LOOPS: "hung", WRITES_TASK: "crashed", ROUNDS_UP: "none",
          MAKES_ABSURD: "overflow", CLOSES_ALL: "none"}


def without_call_filters():
    """In this process, from now on, the kernel seems to know no filters of calls: prctl(PR_SET_SECCOMP) and seccomp() fail."""
    prctl, seccomp = {"x86_64": (157, 317), "aarch64": (167, 277)}[platform.machine()]
    load, equal, give, fails = 0x20, 0x15, 0x06, 0x00050000 | 22
    statements = [(load, 0, 0, 0), (equal, 0, 1, seccomp), (give, 0, 0, fails), (equal, 0, 3, prctl), (load, 0, 0, 16),
                  (equal, 0, 1, 22), (give, 0, 0, fails), (give, 0, 0, 0x7FFF0000)]
    filters = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *one) for one in statements))
    program = struct.pack("HxxxxxxP", len(statements), ctypes.addressof(filters))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, ctypes.c_char_p(program), 0, 0) != 0:
        os._exit(99)


def does(deed, **others):
    return {"name": f"D{deed}", "algorithm": "./deeds.so", "cpu_seconds": 0.1,
            "parameters": {"agents": [5, 9], "budget": 10, "deed": deed}, **others}


class Isolation(e2e.Case):
    def setUp(self):
        super().setUp()
        shutil.copy(e2e.MODULES / "deeds.so", self.folder)

    def same_in_cells(self, experiment, *options):
        """The same rows and texts; only in cells answers are asked for again, and that is said."""
        self.run_into("never.h5", experiment, "--isolate", "never", "--jobs", 2)
        self.run_into("always.h5", experiment, "--isolate", "always", "--jobs", 2, *options)
        self.assertEqual(self.contents("never.h5"), self.contents("always.h5"))
        never, always = self.provenance("never.h5"), self.provenance("always.h5")
        self.assertIs(always.pop("reproducible"), True)
        # What no process of its own can be asked for again was not checked, and that is said.
        foreign = [arm["name"] for arm in json.loads((self.folder / experiment).read_text())["arms"] if arm["algorithm"].startswith("./")]
        self.assertEqual((never.pop("reproducible"), never["observed"]["not_checked"]), (None if foreign else True, foreign))
        self.assertEqual((never["observed"]["asked_again"], never["observed"]["arms"]), (0, []))
        observed = always.pop("observed")
        self.assertGreater(observed["asked_again"], 0)
        self.assertEqual((observed["differed"], observed["by_machine"]), (0, 0))
        self.assertEqual(sum(arm["asked_again"] for arm in observed["arms"]), observed["asked_again"])
        never.pop("observed")
        self.assertEqual(never, always)

    def head(self, path):
        return [json.loads(line) for line in self.corridor("export", path, "--table", "head", "--json").stdout.splitlines()]

    def provenance(self, path):
        return json.loads(next(row["text"] for row in self.head(path) if row["name"] == "provenance"))

    def test_a_campaign_is_the_same_in_cells(self):
        arms = [SPADA, PSOPP, does(GOOD),
                {**PSOPP, "name": "L", "interim": 20},
                {**SPADA, "name": "M", "fault": "none", "mail": {"mode": "delayed", "delay_max": 3},
                 "agents": {"fault": "crashed", "probability": 0.01, "rounds": 2}}]
        self.same_in_cells(self.experiment(arms=arms, branching={"continuations": 2, "back": [3]}))

    def test_a_campaign_is_the_same_in_fresh_processes(self):
        self.same_in_cells(self.experiment(suites=1, cases=[20, 20]), "--fresh-processes")

    def test_misdeeds_are_verdicts_of_their_own_arm(self):
        guests = [does(deed) for deed in SMOKES]
        self.run_into("alone.h5", self.experiment("alone.json", arms=[SPADA, PSOPP]), "--isolate", "untrusted")
        experiment = self.experiment(arms=[SPADA, PSOPP, *guests])
        self.run_into("out.h5", experiment, "--jobs", 2)
        self.run_into("again.h5", experiment, "--jobs", 1)
        rows, again = (self.table(name, "reorganizations") for name in ("out.h5", "again.h5"))
        # Who loops, and got less than 0.1 s of a slow machine within 2 s, is called overdue there: that is the machine's affair.
        slow = any(row["smoke"] == "overdue" and row["arm"] == f"D{LOOPS}" for row in rows + again)
        if slow:
            self.assertEqual(*([row for row in each if row["arm"] != f"D{LOOPS}"] for each in (rows, again)))
        else:
            self.assert_same_bytes("out.h5", "again.h5")
        for deed, smoke in SMOKES.items():
            found = {row["smoke"] for row in rows if row["arm"] == f"D{deed}"}
            self.assertLessEqual(found, {smoke, "overdue"} if slow and deed == LOOPS else {smoke}, deed)
            self.assertNotEqual(found, set(), deed)
        observed = self.provenance("out.h5")
        self.assertFalse(observed["reproducible"], "some hang, and whether is the machine's affair")
        arms = {arm.pop("arm"): arm for arm in observed["observed"]["arms"]}
        self.assertEqual({name for name in arms if arms[name]["by_machine"] > 0}, {f"D{LOOPS}"})
        self.assertEqual([arms[name]["differed"] for name in arms], [0] * len(arms))
        for name in (f"D{CRASHES}", f"D{EXITS}", f"D{WRITES_TASK}", f"D{MAKES_ABSURD}"):
            self.assertEqual(arms[name]["asked_again"], sum(row["arm"] == name for row in rows))
        self.check_words(rows)
        for arm in ("S", "P"):
            for table in ("reorganizations", "cases", "sequences", "suites"):
                with_guests = [row for row in self.table("out.h5", table) if row["arm"] == arm]
                self.assertEqual(with_guests, [row for row in self.table("alone.h5", table) if row["arm"] == arm])

    def check_words(self, rows):
        """Each verdict without a result has its words, and the place in the module where it is known."""
        said = self.table("out.h5", "smokes")
        keys = ("arm", "suite", "sequence", "case", "smoke")
        self.assertEqual([tuple(row[key] for key in keys) for row in said],
                         [tuple(row[key] for key in keys) for row in rows if row["smoke"] != "none"])
        of = {row["arm"]: row for row in said}
        self.assertEqual([of[f"D{deed}"]["signal"] for deed in (CRASHES, WRITES_TASK, EXITS, LOOPS)], [11, 11, 0, 0])
        self.assertEqual(of[f"D{EXITS}"]["sentence"], "exited with code 0")
        place = of[f"D{CRASHES}"]["place"]
        self.assertGreater(place, 0)
        self.assertIn(f"signal 11 (Segmentation fault) at {place:#x} of the module, of address 0x10", of[f"D{CRASHES}"]["sentence"])
        self.assertIn("CPU time", of[f"D{LOOPS}"]["sentence"])
        self.assertIn("exited with code 0", self.corridor("show", "out.h5", "tables").stdout)
        shown = json.loads(self.corridor("show", "out.h5", "tables", "--sheet", "smokes", "--json").stdout)["sheets"]["smokes"]["rows"]
        self.assertEqual(sum(row["times"] for row in shown), len(said))

    def test_what_led_to_a_verdict_comes_back_from_the_result_file_alone(self):
        """The result holds the experiment: run again, the same verdicts with the same words."""
        self.run_into("out.h5", self.experiment(arms=[does(deed) for deed in (CRASHES, EXITS, WRITES_TASK)]))
        text = next(row["text"] for row in self.head("out.h5") if row["name"] == "experiment")
        (self.folder / "kept.json").write_text(text)
        self.run_into("again.h5", "kept.json", "--fresh-processes", "--jobs", 1)
        self.assertEqual(self.table("out.h5", "smokes"), self.table("again.h5", "smokes"))
        self.assertGreater(len(self.table("again.h5", "smokes")), 0)

    def test_the_doctor_says_which_layers_hold_and_a_run_may_insist(self):
        layers = json.loads(self.corridor("doctor", "--json").stdout)["sheets"]["layers"]["rows"]
        self.assertEqual(len(layers), 10)
        missing = [row["layer"] for row in layers if not row["holds"]]
        words = ("run", self.experiment(arms=[does(GOOD)]), "-o", "out.h5", "--require-isolation", "full")
        said = self.corridor(*words, code=3 if missing else 0).stderr
        for layer in missing:
            self.assertIn(layer, said)
        self.corridor("run", self.experiment(), "-o", "none.h5", "--require-isolation", "full")

    def test_where_calls_cannot_be_filtered_no_guest_begins_that_all_layers_are_required_of(self):
        if platform.machine() not in ("x86_64", "aarch64"):
            self.skipTest("numbers of calls are not known here")
        layers = json.loads(self.corridor("doctor", "--json", preexec_fn=without_call_filters).stdout)["sheets"]["layers"]["rows"]
        self.assertEqual([row["holds"] for row in layers if row["layer"] == "calls"], [False])
        lacking = [row["layer"] for row in layers if not row["holds"]]
        experiment = self.experiment(arms=[does(GOOD, fault="none")])
        commands = (("run",), ("search", "--budget", "100"), ("estimate", "--method", "plain", "--budget", "3000"), ("explore", "--arm", f"D{GOOD}", "--budget", "100"))
        for words in commands:
            said = self.corridor(*words, experiment, "-o", "out.h5", "--require-isolation", "full", code=3, preexec_fn=without_call_filters).stderr
            self.assertIn("calls", said, words)
            if lacking == ["calls"]:  # the guest itself refuses, before anybody looks at this machine
                self.assertIn("deeds.so: the sandbox is incomplete here: system calls are not filtered", said, words)
            self.assertFalse((self.folder / "out.h5").exists())
        # Whom nobody requires it of begins, and it is said.
        for words in (("run",), ("estimate", "--method", "plain", "--budget", "3000")):
            self.assertIn("isolation is not full, see corridor doctor", self.corridor(*words, experiment, "-o", "out.h5", "--force", code=None, preexec_fn=without_call_filters).stderr, words)
            self.assertTrue((self.folder / "out.h5").exists(), words)

    def test_a_result_that_depends_on_what_was_before_is_a_leak_however_many_workers(self):
        experiment = self.experiment(arms=[does(COUNTS_CALLS)], suites=4, sequences=4, cases=[60, 60])
        self.run_into("one.h5", experiment, "--jobs", 1)
        self.run_into("three.h5", experiment, "--jobs", 3)
        self.assert_same_bytes("one.h5", "three.h5")
        self.assertLessEqual({row["smoke"] for row in self.table("one.h5", "reorganizations")}, {"none", "leaked"})

    def test_no_process_is_left_behind(self):
        marker = f"corridor-isolation-{os.getpid()}"
        shutil.copy(self.folder / "deeds.so", self.folder / f"{marker}.so")
        guests = [{**does(deed), "algorithm": f"./{marker}.so"} for deed in (FORKS, ENDS_PARENT)]
        self.run_into("out.h5", self.experiment(arms=[SPADA, *guests]))
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    self.assertNotIn(marker, (entry / "maps").read_text())
                except OSError:
                    pass

    def test_a_module_that_ends_its_process_when_it_is_loaded_is_refused(self):
        for way, said in (("exit", "exited with code 0"), ("crash", "signal 11")):
            shutil.copy(e2e.MODULES / f"opens_{way}.so", self.folder)
            path = f"./opens_{way}.so"
            experiment = self.experiment(arms=[{"name": "X", "algorithm": path}])
            for words in (("run", experiment, "-o", "out.h5"), ("plan", experiment), ("list", path)):
                self.assertIn(said, self.corridor(*words, code=3).stderr)
        self.assertFalse((self.folder / "out.h5").exists())

    def test_a_module_is_listed_as_if_it_were_loaded(self):
        listed = json.loads(self.corridor("list", "./deeds.so", "--json").stdout)["algorithms"][-1]
        self.assertEqual(listed["name"], "deeds")
        self.assertEqual([p["name"] for p in listed["parameters"]], ["deed"])
        self.assertEqual(listed["counters"], ["calls"])

    def test_a_killed_campaign_leaves_no_guest(self):
        experiment = self.experiment(arms=[does(SLEEPS, cpu_seconds=1000)])
        process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "1")

        def guests():
            found = []
            for entry in pathlib.Path("/proc").iterdir():
                if entry.name.isdigit():
                    try:
                        if str(self.folder) in (entry / "maps").read_text():
                            found.append(entry.name)
                    except OSError:
                        pass
            return found

        self.wait_until(guests, "a guest", process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.wait_until(lambda: not guests(), "the end of the guests")


if __name__ == "__main__":
    e2e.main()
