#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interrupts: one keeps what is finished, two keep nothing, and however the program ends, no worker outlives it."""
import os
import shutil
import signal

import e2e
from e2e import SPADA


class Interrupts(e2e.Case):
    def start(self, experiment, *arguments):
        """A campaign under way: some suites are in journals."""
        process = self.begin("run", experiment, "-o", "out.h5", "--progress", "none", "--json", *arguments)
        self.wait_until(lambda: self.journals() > 100000, "suites in journals", process)
        return process

    def end(self, process, code):
        said = process.communicate()
        self.assertEqual(process.returncode, code, said)
        self.wait_until(lambda: not self.children(process), "workers to leave")
        return said

    def long(self):
        return self.experiment(suites=100000)

    def test_the_first_interrupt_keeps_a_prefix(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            experiment = self.long()
            process = self.start(experiment, "--jobs", "2")
            os.killpg(process.pid, number)  # as a terminal and as a batch system do: to every process of the job
            said = self.end(process, 5)
            self.assertIn("interrupted: the file holds the first", said[1])
            self.assert_only(experiment, "out.h5", "out.h5.times.csv")
            summary = e2e.json.loads(said[0])
            self.assertFalse(summary["complete"])
            tables = e2e.json.loads(self.corridor("tables", "out.h5", "--verify", "--json").stdout)
            self.assertFalse(tables["sheets"]["about"]["row"]["complete"])
            self.assertEqual(tables["sheets"]["about"]["row"]["planned_suites"], 200000)
            # A prefix of the plan: what the same experiment gives when told to stop there.
            self.run_into("same.h5", experiment, "--suites", summary["suites"])
            interrupted, told = self.contents("out.h5"), self.contents("same.h5")
            for table in e2e.TABLES:
                self.assertEqual(interrupted[table], told[table])
            for name in ("out.h5", "same.h5"):
                os.remove(self.folder / name)
                os.remove(self.folder / f"{name}.times.csv")

    def test_an_interrupt_to_the_planner_alone_suffices(self):
        experiment = self.long()
        process = self.start(experiment, "--jobs", "3")
        os.kill(process.pid, signal.SIGINT)
        self.end(process, 5)
        self.assert_only(experiment, "out.h5", "out.h5.times.csv")

    def test_an_endless_campaign_ends_well(self):
        experiment = self.experiment(suites=0)
        process = self.start(experiment, "--jobs", "2")
        os.killpg(process.pid, signal.SIGINT)
        self.assertTrue(e2e.json.loads(self.end(process, 0)[0])["complete"])

    def test_interrupts_before_any_suite_leave_nothing(self):
        experiment = self.experiment(cases=[1000000, 1000000])
        process = self.begin("run", experiment, "-o", "out.h5", "--progress", "none")
        self.wait_until(lambda: len(self.children(process)) >= 2, "workers", process)
        os.killpg(process.pid, signal.SIGINT)
        os.killpg(process.pid, signal.SIGINT)
        self.end(process, 5)
        self.assert_only(experiment)

    def test_the_second_ends_a_campaign_that_hangs(self):
        shutil.copy(e2e.MODULES / "hangs.so", self.folder)
        experiment = self.experiment(arms=[SPADA, {"name": "H", "algorithm": "./hangs.so"}], suites=100)
        process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "2")

        def hanging():
            return list(self.folder.glob("hanging-*"))

        self.wait_until(lambda: len(hanging()) == 2, "workers that hang", process)
        os.killpg(process.pid, signal.SIGINT)
        with self.assertRaises(e2e.subprocess.TimeoutExpired):
            process.wait(timeout=0.7)  # it waits for its worker, and would for ever
        os.killpg(process.pid, signal.SIGINT)
        said = self.end(process, 5)
        self.assertIn("interrupted: waiting for open sequences; once more keeps nothing", said[1])
        self.assertIn("interrupted twice: nothing is kept", said[1])
        for path in hanging():
            path.unlink()
        self.assert_only(experiment, "hangs.so")

    def test_a_killed_campaign_leaves_no_worker_and_no_result(self):
        """Nobody can tidy up after SIGKILL; but workers are gone, and no result file looks like one."""
        for delay in (0, 1, 2):
            experiment = self.long()
            process = self.start(experiment, "--jobs", "3")
            size = self.journals() + 50000 * delay
            self.wait_until(lambda least=size: self.journals() >= least, "more suites", process)
            process.kill()
            self.end(process, -signal.SIGKILL)
            self.assertFalse((self.folder / "out.h5").exists())
            self.assertEqual(len(list(self.folder.glob("out.h5.parts-*"))), 1)
            shutil.rmtree(next(self.folder.glob("out.h5.parts-*")))
            self.assert_only(experiment)

    def test_a_killed_worker_is_told(self):
        experiment = self.long()
        process = self.start(experiment, "--jobs", "2")
        os.kill(self.children(process)[0], signal.SIGKILL)
        self.assertRegex(self.end(process, 6)[1], r"worker \d was ended by signal 9 \(Killed\)")
        self.assert_only(experiment)

    def test_a_reader_that_goes_away_does_not_end_the_campaign(self):
        """A reader of the progress that goes away does not end the campaign."""
        experiment = self.experiment(suites=30)
        process = self.begin("run", experiment, "-o", "out.h5", "--progress", "bar")
        process.stderr.close()
        self.assertEqual(process.wait(), 0)
        self.assert_only(experiment, "out.h5", "out.h5.times.csv")


if __name__ == "__main__":
    e2e.main()
