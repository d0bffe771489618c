#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns of agents that crash, hang and lie: each is a finding with its case, the run goes on and gives the same bytes with
any number of workers, and no process is left, whoever is killed."""
import csv
import io
import json
import os
import pathlib
import signal
import sys
import unittest

import bad_guests
import e2e
from e2e import BINARY, SOURCE

MODULE = BINARY.parent / "algorithms/agents/courier.so"
PROGRAM = e2e.shell(sys.executable, "-I", "-S", SOURCE / "algorithms/agents/tests/courier.py")
# The unit of the plan that the modules and programs know; what an arm of that fault is found to do.
UNIT = "PT(Take)"
DEEDS = {"module": {"segfault": "agent_crashed", "exits": "agent_exited", "unknown_plan": "agent_garbled",
                    "closes_descriptors": "agent_garbled", "reports_on": "agent_garbled", "leaves_a_daemon": None},
         "program": {"raises": "agent_exited", "no_json": "agent_garbled", "leaves_a_child": None}}
if e2e.IN_FULL:
    DEEDS["program"] |= {"segfaults": "agent_crashed", "finishes_twice": "agent_garbled"}


def processes_of(text):
    """Processes that have the text in their command line or environment, this one apart."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if text.encode() in (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@unittest.skipUnless(MODULE.exists(), "the module of the tests is not built")
class HostileAgents(e2e.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "courier.json").write_text(json.dumps(bad_guests.COURIER))
        self.mark = f"CORRIDOR_TEST={self.folder.name}"

    def experiment(self, deeds):
        arms = [{"name": "sound", "module": str(MODULE)}, {"name": "sound program", "program": PROGRAM}]
        arms += [{"name": fault, way: str(MODULE) if way == "module" else PROGRAM, "fault": fault}
                 for way, faults in deeds.items() for fault in faults]
        (self.folder / "couriers.json").write_text(json.dumps({"name": "couriers", "design": "courier.json", "arms": arms}))

    def assert_nobody_left(self):
        self.wait_until(lambda: not processes_of(self.mark), "all processes had ended")

    def run_campaign(self, output, jobs):
        self.corridor("run", "couriers.json", "-o", output, "--jobs", jobs, "--progress", "none",
                      environment=dict([self.mark.split("=")]))
        self.assert_nobody_left()

    def test_each_does_its_worst_and_the_bytes_are_the_same_for_one_and_three_workers(self):
        self.experiment(DEEDS)
        self.run_campaign("one.h5", 1)
        self.run_campaign("three.h5", 3)
        self.assert_same_bytes("one.h5", "three.h5")
        rows = list(csv.DictReader(io.StringIO(self.corridor("show", "one.h5", "findings", "--csv").stdout)))
        found = {}
        for row in rows:
            found.setdefault(row["arm"], set()).add((row["check"], row["unit"], row["about"]))
        self.assertEqual(found.get("sound program"), found.get("sound"))
        for deeds in DEEDS.values():
            for fault, check in deeds.items():
                if check:
                    self.assertIn((check, UNIT), {(row["check"], row["unit"]) for row in rows if row["arm"] == fault}, fault)
                else:
                    self.assertEqual(found.get(fault), found.get("sound"), fault)

    def test_a_campaign_that_is_killed_leaves_no_agent(self):
        self.experiment({"module": {"sleeps": None}, "program": {"ignores_sigterm": None}})
        process = self.begin("run", "couriers.json", "-o", "killed.h5", "--jobs", 2, "--progress", "none")
        self.wait_until(lambda: len(processes_of("courier.py")) >= 1, "a program ran", process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.wait_until(lambda: not processes_of(str(self.folder)) and not processes_of("tests/courier.py"), "all processes had ended")

    def test_a_campaign_of_a_program_that_is_interrupted_goes_on(self):
        (self.folder / "couriers.json").write_text(json.dumps({"name": "couriers", "design": "courier.json", "repeat": 4,
                                                               "arms": [{"name": "sound program", "program": PROGRAM}]}))
        self.cut("couriers.json")
        self.corridor("run", "couriers.json", "-o", "whole.h5", "--jobs", 2, "--progress", "none")
        self.corridor("run", "couriers.json", "-o", "cut.h5", "--jobs", 1, "--progress", "none")
        self.assert_same_bytes("cut.h5", "whole.h5")

    def test_an_agent_that_hangs_is_given_as_long_as_is_said(self):
        (self.folder / "couriers.json").write_text(json.dumps({"name": "couriers", "design": "courier.json", "arms": [
            {"name": "asleep", "program": PROGRAM, "fault": "ignores_sigterm", "answer_seconds": 0.1}]}))
        self.run_campaign("asleep.h5", 1)
        rows = list(csv.DictReader(io.StringIO(self.corridor("show", "asleep.h5", "findings", "--csv").stdout)))
        self.assertIn(("agent_hung", UNIT), {(row["check"], row["unit"]) for row in rows})

    def test_an_agent_has_as_much_memory_as_an_algorithm_or_as_is_said(self):
        (self.folder / "large.py").write_text("room = bytes(3 << 29)\n" + (SOURCE / "algorithms/agents/tests/courier.py").read_text())
        large = f"{e2e.shell(sys.executable)} large.py"
        self.assertIn("MemoryError", self.corridor("agent", "test", "courier.json", "--agent", large, code=3).stderr)
        (self.folder / "couriers.json").write_text(json.dumps({"name": "couriers", "design": "courier.json", "arms": [
            {"name": "large", "program": large, "memory_bytes": 1 << 30}, {"name": "sound", "program": PROGRAM}]}))
        self.run_campaign("large.h5", 1)
        rows = list(csv.DictReader(io.StringIO(self.corridor("show", "large.h5", "findings", "--csv").stdout)))
        found = {name: {(row["check"], row["unit"], row["about"]) for row in rows if row["arm"] == name} for name in ("large", "sound")}
        self.assertEqual(found["large"], found["sound"])

    def test_what_is_no_agent_is_refused_at_once_and_nothing_is_written(self):
        (self.folder / "text.so").write_text("this is no module\n")
        other = MODULE.parent / "courier_major.so"
        for agent, said in (
                ("./text.so", "corridor: unusable plug-in: ./text.so: cannot load the module: ./text.so: file too short"),
                (other, f"corridor: unusable plug-in: {other}: built for plug-in version 2.2, but this is 1.2\n"
                        "  rebuild it against the <corridor/aut.h> of this version"),
                ("true", "corridor: unusable plug-in: true: the program ended without an answer: "
                         "its process ended by itself with exit code 0")):
            done = self.corridor("agent", "test", "courier.json", "--agent", agent, "-o", "r.h5", code=3)
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.startswith(said), done.stderr)
            self.assert_only("courier.json", "text.so")


if __name__ == "__main__":
    e2e.main()
