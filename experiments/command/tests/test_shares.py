#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several processes on the folder of one campaign, as mpirun, srun and job arrays start them: whatever ends one of them, the file
is that of one quiet process. (The launchers themselves: distributed.py.)"""
import json
import os
import signal

import e2e


class Shares(e2e.Case):
    def setUp(self):
        super().setUp()
        self.name = self.experiment(suites=60)

    quiet_ones = {}  # (experiment, arguments) -> the file of one quiet process, for all tests

    def quiet(self, *arguments):
        key = (self.folder / self.name).read_text(), arguments
        if key not in self.quiet_ones:
            self.run_into("quiet.h5", self.name, *arguments)
            (self.folder / "quiet.h5.times.csv").unlink()
            self.quiet_ones[key] = (self.folder / "quiet.h5").read_bytes()
        (self.folder / "quiet.h5").write_bytes(self.quiet_ones[key])

    def rank(self, index, count, *arguments, variables=("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE")):
        """A process as mpirun starts it."""
        environment = {**e2e.ENVIRONMENT, variables[0]: str(index), variables[1]: str(count)}
        process = e2e.subprocess.Popen([e2e.BINARY, "run", self.name, "-o", "out.h5", *arguments], cwd=self.folder, text=True,
                                       env=environment, stdout=e2e.subprocess.PIPE, stderr=e2e.subprocess.PIPE,
                                       start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def share(self, text, *arguments, **others):
        return self.corridor("run", self.name, "-o", "out.h5", "--progress", "none", "--share", text, *arguments, **others)

    def finish(self):
        """The same command without a share."""
        self.run_into("out.h5", self.name)
        self.assert_same_bytes("quiet.h5", "out.h5")
        self.assert_only(self.name, "quiet.h5", "out.h5", "out.h5.times.csv")
        times = [line.split(",") for line in (self.folder / "out.h5.times.csv").read_text().splitlines()[1:]]
        self.assertEqual(len({(row[0], row[1]) for row in times}), len(times))
        self.assertGreater(len({row[8] for row in times}), 1)  # processes: who has computed what
        suites = json.loads(self.corridor("show", "out.h5", "tables", "--json").stdout)["sheets"]["about"]["row"]["planned_suites"]
        self.assertEqual(len(times), suites)

    def test_the_processes_of_a_launcher_make_one_file(self):
        self.quiet()
        for variables in (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")):
            ranks = [self.rank(index, 4, "--json", variables=variables) for index in (3, 0, 2, 1)]
            said = [rank.communicate() for rank in ranks]
            self.assertEqual([rank.returncode for rank in ranks], [0] * 4, said)
            self.assertEqual([out for out, _ in (said[0], *said[2:])], [""] * 3)  # mpirun mixes what they say
            self.assertTrue(json.loads(said[1][0])["complete"])
            self.assert_same_bytes("quiet.h5", "out.h5")
            self.assert_only(self.name, "quiet.h5", "out.h5", "out.h5.times.csv")
            for name in ("out.h5", "out.h5.times.csv"):
                (self.folder / name).unlink()

    def test_the_first_runs_what_a_killed_one_has_left(self):
        self.quiet()
        other, first = self.rank(1, 2), self.rank(0, 2, "--json")
        self.wait_until(lambda: self.stored("*.parts/00001-*"),
                        "a suite of the second process", other)
        os.kill(other.pid, signal.SIGKILL)
        other.communicate()
        said = first.communicate()
        self.assertEqual(first.returncode, 0, said)
        self.assertEqual(json.loads(said[0])["suites"], 120)
        self.assert_same_bytes("quiet.h5", "out.h5")

    def test_the_first_waits_for_one_that_is_slow(self):
        self.quiet()
        other = self.rank(1, 2)
        self.wait_until(lambda: list(self.folder.glob("*.parts/00001-*")), "a journal of the second process", other)
        workers = self.children(other)
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        first = self.rank(0, 2, "--progress", "json")
        lines = []
        while not lines or lines[-1]["suites"] < 60:  # its own
            lines.append(json.loads(first.stderr.readline()))
            self.assertIsNone(first.poll())
        for pid in workers:
            os.kill(pid, signal.SIGCONT)
        self.assertEqual([process.wait() for process in (other, first)], [0, 0])
        self.assert_same_bytes("quiet.h5", "out.h5")

    def test_when_all_are_killed_the_same_command_goes_on(self):
        self.quiet()
        ranks = [self.rank(index, 3) for index in range(3)]
        self.wait_until(lambda: self.journals() > 30000, "suites", ranks[0])
        for rank in ranks:
            os.killpg(rank.pid, signal.SIGKILL)
            rank.communicate()
        ranks = [self.rank(index, 2) for index in range(2)]
        said = [rank.communicate() for rank in ranks]
        self.assertEqual([rank.returncode for rank in ranks], [0, 0], said)
        self.assert_same_bytes("quiet.h5", "out.h5")

    def test_a_process_that_comes_too_late_has_nothing_to_do(self):
        self.run_into("out.h5", self.name)
        late = self.rank(1, 2)
        self.assertEqual(late.communicate(), ("", ""))
        self.assertEqual(late.returncode, 0)
        first = self.rank(0, 2)
        self.assertIn("exists already", first.communicate()[1])
        self.assertEqual(first.returncode, 4)

    def test_the_status_is_of_all_tasks_that_are_alive(self):
        """Tasks of a job array know nothing of each other; what they have stored is looked at in another way."""
        self.name = self.experiment(suites=20000)
        tasks = [self.begin("run", self.name, "-o", "out.h5", "--progress", "none", "--jobs", "1", "--share", f"{share}/3") for share in (1, 2, 3)]
        self.wait_until(lambda: len(list(self.folder.glob("out.h5.parts/STATUS.task-?"))) == 3 and
                        len([size for size in self.sizes("out.h5.parts/*.journal") if size > 0]) == 3, "tasks at work", tasks[0])
        for task in tasks:
            for pid in self.children(task):
                os.kill(pid, signal.SIGSTOP)
        stored = json.loads(self.corridor("verify", "out.h5", "--json").stdout)["sheets"]["stored"]["row"]["suites"]
        for alive in (3, 2, 1, 0):
            said, arms = self.status(), self.statuses()["arms"]["rows"]
            self.assertEqual((said["running"], said["tasks"], said["suites_done"]), (alive > 0, alive or None, stored))
            self.assertEqual(said["suites_planned"], 40000)
            self.assertEqual(sum(arm["suites"] for arm in arms), stored)
            self.assertEqual(sum(arm["failures"] for arm in arms), said["failures"])
            self.assertGreaterEqual(said["suites_kept"], 1)
            self.assertLessEqual(said["suites_open"], alive)
            if alive:
                os.killpg(tasks[alive - 1].pid, signal.SIGKILL)
                tasks[alive - 1].communicate()
                self.wait_until(lambda gone=tasks[alive - 1]: not self.children(gone), "the end of its worker")
        self.assertIn("tasks: n/a", self.corridor("status", "out.h5", "--all").stdout)
        alone = self.begin("run", self.name, "-o", "out.h5", "--progress", "none")
        self.wait_until(lambda: (self.folder / "out.h5.parts/STATUS").exists(), "its status", alone)
        said = self.status()
        self.assertEqual((said["running"], said["tasks"], said["suites_before"]), (True, None, stored))
        os.killpg(alone.pid, signal.SIGKILL)

    def statuses(self):
        return json.loads(self.corridor("status", "out.h5", "--json").stdout)["sheets"]

    def status(self):
        return self.statuses()["campaign"]["row"]

    def test_a_stop_condition_of_the_first_ends_all(self):
        for conditions in (("--stop-failures", "40"), ("--stop-cases", "3000")):
            self.name = self.experiment(suites=0)
            self.quiet(*conditions)
            ranks = [self.rank(index, 3, *conditions, "--json") for index in range(3)]
            said = [rank.communicate() for rank in ranks]
            self.assertEqual([rank.returncode for rank in ranks], [0] * 3, said)
            self.assert_same_bytes("quiet.h5", "out.h5")
            self.assert_only(self.name, "quiet.h5", "out.h5", "out.h5.times.csv")
            for name in ("quiet.h5", "out.h5", "out.h5.times.csv"):
                (self.folder / name).unlink()

    def test_an_endless_campaign_ends_with_its_first_process(self):
        self.name = self.experiment(suites=0)
        first = self.rank(0, 2)
        self.wait_until(lambda: list(self.folder.glob("*.parts/*.journal")), "a journal", first)
        other = self.rank(1, 2)
        self.wait_until(lambda: len(list(self.folder.glob("*.parts/*.journal"))) == 2, "two journals", other)
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
        self.assertEqual(other.wait(), 0)

    def test_tasks_of_an_array_leave_the_file_to_a_last_job(self):
        self.quiet()
        for task in (3, 1):  # the second and the fourth were cancelled
            said = self.share("auto", environment={"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_MIN": "1",
                                                   "SLURM_ARRAY_TASK_MAX": "4", "SLURM_ARRAY_TASK_STEP": "1"})
            self.assertIn(f"share {task} of 4 is done", said.stderr)
            self.assertFalse((self.folder / "out.h5").exists())
        self.assertIn("share 3 of 4 is done; 60 suites are stored", self.share("3/4").stderr)
        self.finish()

    def test_a_task_that_is_asked_to_end_can_be_gone_on_from(self):
        self.quiet()
        for number in (signal.SIGTERM, signal.SIGUSR1):
            def attempt(number=number):
                process = self.begin("run", self.name, "-o", "out.h5", "--progress", "none", "--jobs", "1", "--share", "1/2")
                size = self.journals()
                self.wait_until(lambda: self.journals() > size + 3000 or process.poll() is not None, "a suite")
                process.send_signal(number)
                said = process.communicate()
                self.assertIn(process.returncode, (0, 5), said)
                self.assertIn("share 1 of 2 is interrupted" if process.returncode == 5 else "share 1 of 2 is done", said[1])
                self.assertFalse((self.folder / "out.h5").exists())
                if process.returncode == 0:
                    self.remove("out.h5.parts")
                return process.returncode == 5
            self.in_time(attempt, "a stop")
        self.finish()

    def test_no_two_processes_run_one_share_and_none_runs_all_beside_it(self):
        self.name = self.experiment(suites=300)  # long enough to be stopped in time on a loaded machine
        process = self.begin("run", self.name, "-o", "out.h5", "--share", "2/3")
        self.wait_until(lambda: list(self.folder.glob("*.parts/00001-*")), "a journal", process)
        for pid in (process.pid, *self.children(process)):
            os.kill(pid, signal.SIGSTOP)
        told = f"out.h5: is being written by another campaign (process {process.pid})"
        self.assertIn(told, self.share("2/3", code=4).stderr)
        self.assertIn(told, self.corridor("run", self.name, "-o", "out.h5", code=4).stderr)
        self.share("1/3")
        self.share("3/3")
        for pid in (process.pid, *self.children(process)):
            os.kill(pid, signal.SIGCONT)
        self.assertEqual(process.wait(), 0)
        self.share("2/3")

    def test_two_processes_told_the_same_suites_give_the_same(self):
        """The second of three shares and the first of two have a sixth of the plan in common: in full two hundred suites."""
        suites = 600 if e2e.IN_FULL else 60
        self.name = self.experiment(suites=suites, sequences=1, cases=[5, 5])
        self.quiet()
        self.share("1/2")
        parts, aside = self.folder / "out.h5.parts", self.folder / "aside"
        aside.mkdir()
        first = list(parts.glob("*.journal"))
        for path in first:
            path.rename(aside / path.name)
        self.share("2/3")
        for path in first:
            (aside / path.name).rename(path)
        aside.rmdir()
        found = json.loads(self.corridor("verify", "out.h5", "--json").stdout)["sheets"]
        self.assertIn(suites // 3, [value for sheet in found.values() for value in (sheet.get("row") or {}).values()], found)
        self.finish()

    def test_what_cannot_be_shared_is_refused(self):
        self.assertIn('"9/8" is no share', self.share("9/8", code=3).stderr)
        self.assertIn("no task of a job array", self.share("auto", code=3).stderr)
        self.name = self.experiment(suites=0)
        self.assertIn("is endless", self.share("1/2", code=3).stderr)


if __name__ == "__main__":
    e2e.main()
