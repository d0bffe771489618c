#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interrupts: one writes what is finished, two end at once; however the program ends, no worker outlives it, and the same
command goes on from what is stored, to the same file as if nothing had happened."""
import contextlib
import fcntl
import os
import shutil
import signal
import time

import e2e
from e2e import SPADA


class Interrupts(e2e.Case):
    quiet = {}  # experiment: result file

    def start(self, experiment, *arguments):
        """A campaign under way: some suites are in journals."""
        process = self.begin("run", experiment, "-o", "out.h5", "--progress", "none", "--json", *arguments)
        jobs = int(arguments[arguments.index("--jobs") + 1])
        self.wait_until(lambda: self.journals() > 100000 and self.beginning(jobs), "suites in journals", process)
        return process

    def beginning(self, jobs):
        """Whether the plan's first suite is stored, however slow its worker and disk are: each worker begins with a suite
        before all others of its own, so it is when all of the first workers have stored one."""
        return all(self.stored(f"*.parts/{worker:06}.journal") for worker in range(jobs))

    def end(self, process, code):
        """What it has said. Its exit code must be `code`, None: any."""
        said = process.communicate()
        self.assertEqual(process.returncode, process.returncode if code is None else code, said)
        self.wait_until(lambda: not self.children(process), "workers to leave")
        return said

    def long(self):
        return self.experiment(suites=100000)

    def test_a_test_that_is_not_over_when_patience_is_is_discarded(self):
        # Behind a suite that is over at once, a reorganization that takes hours.
        self.experiment(arms=[{"name": "quick", "algorithm": "random"},
                              {"name": "endless", "algorithm": "psopp", "parameters": {"budget": 2000000000}}])
        words = ("run", "small.json", "--force", "--progress", "none", "--jobs", "1", "-o", "out.h5")
        brief = ("--stop-patience", "0.1")

        def interrupted(seconds, *patience):
            process = self.begin(*words, *patience)
            self.wait_until(lambda: self.journals() > 0, "a suite in a journal", process)
            time.sleep(seconds)
            process.terminate()
            return self.end(process, 5)[1]

        def stopped(seconds, *patience):
            return self.end(self.begin(*words, "--stop-seconds", str(100 * seconds), *patience), 5)[1]

        kept = "corridor: interrupted: the file holds the first 1 of "
        for said_after, kept, patience in ((interrupted, kept, brief), (stopped, "", brief), (interrupted, kept, ())):
            discarded = f"warning: discarded 1 running test, not over {'0.1' if patience else '1'} s after the stop\n"
            for attempt in range(12):  # until the stop comes while the second suite is under way, however slow the machine is
                for before in self.folder.glob("out.h5*"):
                    (shutil.rmtree if before.is_dir() else os.remove)(before)
                said = said_after(0.005 * 2 ** attempt, *patience)
                self.assertIn(kept, said)
                if discarded in said:
                    break
            self.assertIn(discarded, said)
            self.assertIn("\nquick", self.corridor("export", "out.h5", "--table", "suites").stdout)

    def blocked(self, *words):
        """The process of a command that has written out.h5, and finds no room for what it says of it."""
        reads, writes = os.pipe()
        self.addCleanup(os.close, reads)
        room = fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, 4096)
        os.write(writes, b"x" * room)
        process = e2e.subprocess.Popen([e2e.BINARY, *words], cwd=self.folder, env=e2e.ENVIRONMENT, stdout=writes, stderr=e2e.subprocess.PIPE)
        os.close(writes)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        self.wait_until((self.folder / "out.h5").exists, "a result file", process)
        return process

    def test_what_ends_a_command_that_shows_what_it_found_costs_nothing(self):
        self.experiment(arms=[SPADA])
        for words in (("run", "small.json", "--progress", "none", "-o", "out.h5"),
                      ("decide", "small.json", "P [ always not alarm ]", "--width", "0.3", "-o", "out.h5")):
            process = self.blocked(*words)
            process.terminate()
            self.assertEqual(process.wait(), -signal.SIGTERM)
            bytes_then = (self.folder / "out.h5").read_bytes()
            self.corridor(*words)
            self.assertEqual((self.folder / "out.h5").read_bytes(), bytes_then)
            self.assertEqual(list(self.folder.glob("*.parts")), [])
            self.remove("out.h5*")

    def test_a_question_without_a_file_leaves_nothing(self):
        self.experiment(cases=[1000000, 1000000], arms=[SPADA])
        (self.folder / "tmp").mkdir()
        (self.folder / "tmp/corridor-interaction-mine").mkdir()
        words, environment = ("decide", "small.json", "P [ always not alarm ]"), {**e2e.ENVIRONMENT, "TMPDIR": str(self.folder / "tmp")}

        def begin():
            """Until a worker of its own, not of one before it, has begun a journal."""
            before = set(self.folder.glob("tmp/*/results.h5.parts"))
            process = e2e.subprocess.Popen([e2e.BINARY, *words], cwd=self.folder, env=environment, text=True, stdout=e2e.subprocess.PIPE,
                                           stderr=e2e.subprocess.PIPE, start_new_session=True)
            self.wait_until(lambda: any(any(parts.glob("*.journal")) for parts in set(self.folder.glob("tmp/*/results.h5.parts")) - before),
                            "a worker", process)
            return process

        process = begin()
        process.kill()
        self.end(process, -signal.SIGKILL)
        self.assertEqual(len(os.listdir(self.folder / "tmp")), 2)
        process = begin()  # removes what that one has left
        process.terminate()
        self.assertEqual(self.end(process, 5), ("", "corridor: interrupted: there is nothing to show yet\n"
                                                    "  the same command begins anew; with -o FILE it goes on from what is stored\n"))
        self.assertEqual(os.listdir(self.folder / "tmp"), ["corridor-interaction-mine"])

    def interrupted_at_once(self, *words):
        """Interrupts a command as soon as its process that reads the file asks for that."""
        process = self.begin(*words)
        self.wait_until(lambda: any(map(e2e.catches_interrupts, self.children(process))) or process.poll() is not None, "interrupts are caught")
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        self.end(process, None)
        return process.returncode == 5

    def goes_on(self, words, output):
        """What an interrupt leaves at `output` is replaced by the same command alone, with what it comes to undisturbed."""
        path, beside = self.folder / output, self.folder / f"{output}.unfinished"
        if "--keep" in words:
            self.corridor(*words)
        else:
            self.corridor(*words, "--force")
        quiet = path.read_bytes()

        def attempt():
            path.unlink(missing_ok=True)
            beside.unlink(missing_ok=True)
            return self.interrupted_at_once(*words) and beside.exists()
        self.in_time(attempt, "an interrupt")
        text = path.read_bytes()
        if "--keep" not in words:
            said = self.corridor(*words[:-2], "--budget", 9, *words[-2:], code=4).stderr if "train" not in words else ""
            self.assertIn("exists already" if said else "", said)
        path.write_bytes(text + b" ")  # edited: it is somebody's
        self.assertIn("is there already, and stays" if "--keep" in words else "exists already",
                      self.corridor(*words, code=0 if "--keep" in words else 4).stderr)
        path.write_bytes(text)
        self.corridor(*words)
        self.assertEqual(path.read_bytes(), quiet)
        self.assertFalse(beside.exists())

    def test_what_an_interrupt_has_left_is_replaced_by_the_same_command(self):
        slow = {**e2e.PSOPP, "parameters": {"agents": [2, 40], "budget": 60000, "t1": 1000000}}
        self.run_into("found.h5", self.experiment(suites=1, cases=[10, 12], arms=[SPADA, slow]))
        failure = next(iter(e2e.json.loads(self.corridor("failures", "found.h5", "--arm", "P", "--json").stdout)["sheets"]["failures"]["rows"]))
        self.goes_on(("shrink", "found.h5", "--failure", failure["key"], "-o", "small.test"), "small.test")
        endless = (self.folder / "small.test").read_text().replace("60000", "2000000000").replace("1000000,", "1000000000,")
        (self.folder / "endless.test").write_text(endless)
        process = self.begin("shrink", "endless.test", "-o", "out.test")
        self.wait_until(lambda: any(map(e2e.catches_interrupts, self.children(process))), "interrupts are caught", process)
        process.terminate()
        self.assertEqual(self.end(process, 5)[1], "corridor: interrupted: what was under way is given up, and the same command begins anew\n")
        self.assertFalse(list(self.folder.glob("out.test*")))
        name = failure["class"].replace(",", "+")
        self.goes_on(("failures", "found.h5", "--keep", "kept", "--class", failure["class"]), f"kept/{name}.json")

    def test_what_was_repeated_until_then_is_told(self):
        self.run_into("found.h5", self.experiment(suites=400, cases=[60, 80], arms=[{**e2e.PSOPP, "parameters": {"agents": [2, 40], "budget": 2000, "t1": 1000}}]))
        key = e2e.json.loads(self.corridor("failures", "found.h5", "--json").stdout)["sheets"]["failures"]["rows"][0]["key"]
        self.corridor("replay", "found.h5", "--failure", key.rsplit("/", 1)[0], "-o", "kept.test")
        for name in ("two_phase.json", "two_phase.corridor"):
            shutil.copy(e2e.SOURCE / "experiments/library/processes" / name, self.folder)
        self.corridor("run", "two_phase.json", "-o", "schedules.h5")
        for words, said in ((("found.h5",), r"corridor: interrupted: that is what came of those before\n$"),
                            (("found.h5", "--failing"), r"corridor: interrupted: that is what came of those before\n$"),
                            (("kept.test",) * 200, r"corridor: interrupted: that is what came of the first \d+\n$"),
                            (("schedules.h5", "--failing"), r"corridor: interrupted: that is what came of the first \d+\n$")):
            def attempt(words=words, said=said):
                process = self.begin("replay", *words)
                self.wait_until(lambda: any(map(e2e.catches_interrupts, self.children(process))) or process.poll() is not None, "interrupts are caught")
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
                told = self.end(process, None)
                if process.returncode == 5:
                    self.assertRegex(told[1], said)
                return process.returncode == 5
            self.in_time(attempt, "an interrupt")

    def test_a_question_that_was_interrupted_goes_on(self):
        self.experiment(arms=[SPADA])
        words = ("decide", "small.json", "P [ always not alarm ]", "--width", "0.02", "--jobs", "2", "-o")
        for _ in range(20):  # until the signal comes between the first suite and the last
            for before in self.folder.glob("out.h5*"):
                (shutil.rmtree if before.is_dir() else os.remove)(before)
            process = self.begin(*words, "out.h5")
            self.wait_until(lambda: self.journals() > 20000 or process.poll() is not None, "a suite in a journal")
            process.terminate()
            said = process.communicate()[1]
            if "interrupted: the same command goes on" in said:
                break
        self.assertEqual((process.returncode, said), (5, "corridor: interrupted: the same command goes on\n"))
        self.corridor(*words, "out.h5")
        self.corridor(*words, "quiet.h5")
        self.assertEqual((self.folder / "out.h5").read_bytes(), (self.folder / "quiet.h5").read_bytes())

    def test_the_first_interrupt_keeps_a_prefix(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            experiment = self.long()
            process = self.start(experiment, "--jobs", "2")
            os.killpg(process.pid, number)  # as a terminal and as a batch system do: to every process of the job
            said = self.end(process, 5)
            self.assertIn("interrupted: the file holds the first", said[1])
            self.assert_only(experiment, "out.h5", "out.h5.times.csv", "out.h5.parts")
            summary = e2e.json.loads(said[0])
            self.assertFalse(summary["complete"])
            tables = e2e.json.loads(self.corridor("show", "out.h5", "tables", "--verify", "--json").stdout)
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
            shutil.rmtree(self.folder / "out.h5.parts")

    def test_an_interrupt_to_the_planner_alone_suffices(self):
        experiment = self.long()
        process = self.start(experiment, "--jobs", "3")
        os.kill(process.pid, signal.SIGINT)
        self.end(process, 5)
        self.assert_only(experiment, "out.h5", "out.h5.times.csv", "out.h5.parts")

    def test_an_endless_campaign_ends_well(self):
        experiment = self.experiment(suites=0)
        process = self.start(experiment, "--jobs", "2")
        os.killpg(process.pid, signal.SIGINT)
        self.assertTrue(e2e.json.loads(self.end(process, 0)[0])["complete"])

    def test_interrupts_before_any_suite_leave_nothing(self):
        experiment = self.experiment(cases=[1000000, 1000000], sequences=20)
        process = self.begin("run", experiment, "-o", "out.h5", "--progress", "none")
        self.wait_until(lambda: len(self.children(process)) >= 2, "workers", process)
        os.killpg(process.pid, signal.SIGINT)
        os.killpg(process.pid, signal.SIGINT)
        self.end(process, 5)
        self.assert_only(experiment)

    def test_a_suite_that_is_generated_hears_it(self):
        """What takes long there are pilot runs with many agents; a search is given its time to store what it has, in CPU time."""
        arms = [{"name": "M", "algorithm": "psopp", "parameters": {"agents": 300000}}]
        for words in (("search", "--islands", "1"), ("estimate", "--budget", "30")):
            experiment = self.experiment(arms=arms, suites=1, sequences=1, cases=3)
            process = self.begin(words[0], experiment, "-o", "out.h5", *words[1:])
            self.wait_until(lambda process=process: self.children(process), "a worker", process)
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGTERM)
            said = self.end(process, 5)[1]
            self.assertNotIn("discarded", said)
            self.assertIn("no suite was finished" if words[0] == "estimate" else "the same command goes on", said)
            for path in self.folder.glob("out.h5*"):
                path.unlink() if path.is_file() else shutil.rmtree(path)

    def test_the_second_ends_a_campaign_that_hangs(self):
        shutil.copy(e2e.MODULES / "hangs.so", self.folder)
        experiment = self.experiment(arms=[SPADA, {"name": "H", "algorithm": "./hangs.so"}], suites=100)
        process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "2", "--isolate", "never", "--stop-patience", "1000")

        def hanging():
            return list(self.folder.glob("hanging-*"))

        self.wait_until(lambda: len(hanging()) == 2, "workers that hang", process)
        os.killpg(process.pid, signal.SIGINT)
        said = ""
        while "stopping: finishing the running tests; Ctrl-C again discards them" not in said:
            line = process.stderr.readline()
            self.assertTrue(line, said)
            said += line
        with self.assertRaises(e2e.subprocess.TimeoutExpired):
            process.wait(timeout=0.7)  # it waits for its worker
        os.killpg(process.pid, signal.SIGINT)
        said = self.end(process, 5)
        self.assertIn("interrupted twice: no result file was written", said[1])
        for path in hanging():
            path.unlink()
        self.assertFalse((self.folder / "out.h5").exists())

    def test_signals_that_come_together_and_one_after_the_other_are_one_wish(self):
        experiment = self.experiment(suites=3000)
        for signals in ((signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGHUP, signal.SIGTERM)):
            def attempt(signals=signals):
                process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "2", "--progress", "none")
                self.wait_until(lambda: self.journals() > 50000 and self.beginning(2), "suites", process)
                for number in signals:
                    os.killpg(process.pid, number)
                    time.sleep(0.01)
                said = self.end(process, 5)[1]
                if "interrupted twice" not in said:
                    self.assertTrue((self.folder / "out.h5").exists())
                    self.corridor("verify", "out.h5")
                self.remove("out.h5*")
                return "interrupted twice" not in said
            self.in_time(attempt, "signals within a moment")

    def undisturbed(self, experiment):
        """What the experiment gives when nothing happens: found out once for all tests."""
        text = (self.folder / experiment).read_text()
        if text not in self.quiet:
            self.run_into("quiet.h5", experiment)
            self.quiet[text] = (self.folder / "quiet.h5").read_bytes()
            (self.folder / "quiet.h5").unlink()
            (self.folder / "quiet.h5.times.csv").unlink()
        return self.quiet[text]

    def interrupted(self, experiment, more=50000):
        """Runs the experiment into out.h5 until so many more bytes of suites are stored; what was said."""
        said = ""

        def attempt():
            nonlocal said
            process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "2", "--progress", "none")
            size = self.journals()
            self.wait_until(lambda: process.poll() is not None or (self.journals() > size + more and self.beginning(2)), "more suites")
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGINT)
            said = self.end(process, None)[1]
            self.assertIn(process.returncode, (0, 5), said)
            if process.returncode == 0:
                self.remove("out.h5*")
            return process.returncode == 5
        self.in_time(attempt, "an interrupt")
        return said

    def test_the_same_command_goes_on_from_an_interrupt(self):
        experiment = self.experiment(suites=1000 if e2e.IN_FULL else 400)
        quiet = self.undisturbed(experiment)
        for _ in range(3 if e2e.IN_FULL else 1):
            self.assertIn("the same command goes on from there", self.interrupted(experiment))
        summary = self.run_into("out.h5", experiment, "--jobs", "3")
        self.assertTrue(summary["complete"])
        self.assertEqual((self.folder / "out.h5").read_bytes(), quiet)
        self.assert_only(experiment, "out.h5", "out.h5.times.csv")

    def test_the_same_command_goes_on_from_a_kill_of_the_planner(self):
        experiment = self.experiment(suites=400)
        quiet = self.undisturbed(experiment)
        for delay in (0, 1, 2):
            def attempt(delay=delay):
                process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "3", "--progress", "none")
                least = self.journals() + 20000 * delay
                self.wait_until(lambda: self.journals() > least or process.poll() is not None, "more suites")
                process.kill()
                self.end(process, None)
                if (self.folder / "out.h5").exists():  # it was at its end
                    self.remove("out.h5*")
                    return False
                return True
            self.in_time(attempt, "a kill")
            if (self.folder / "out.h5.parts/STATUS").exists():  # killed in its first second it has said nothing
                row = e2e.json.loads(self.corridor("status", "out.h5", "--json").stdout)["sheets"]["campaign"]["row"]
                self.assertEqual((row["running"], row["suites_open"]), (False, 0))
                self.assertIn("Nobody is at work on it", self.corridor("status", "out.h5").stdout)
        last = sorted((self.folder / "out.h5.parts").glob("*.journal"))[0]
        last.write_bytes(last.read_bytes()[:-7])  # a tail that the disk has lost
        self.run_into("out.h5", experiment, "--jobs", "1")
        self.assertEqual((self.folder / "out.h5").read_bytes(), quiet)

    def test_the_suites_of_a_killed_worker_are_run_again(self):
        experiment = self.experiment(suites=400)
        quiet = self.undisturbed(experiment)

        def attempt():
            self.remove("out.h5*")
            process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "2", "--progress", "none")
            kills = 0
            while kills < 4 and process.poll() is None:
                size, children = self.journals(), sorted(self.children(process))
                if len(children) == 2:  # not while one is being replaced
                    with contextlib.suppress(ProcessLookupError):  # it may have had its last suite meanwhile
                        os.kill(children[0], signal.SIGKILL)  # the older one, so that no suite ends three workers
                        kills += 1
                self.wait_until(lambda size=size: self.journals() > size + 10000 or process.poll() is not None, "more suites")
            self.end(process, 0)
            self.assertEqual((self.folder / "out.h5").read_bytes(), quiet)
            return kills > 1
        self.in_time(attempt, "two kills")

    def test_journals_that_lose_suites_under_way_are_told_and_run_again(self):
        experiment = self.experiment(suites=400)
        quiet = self.undisturbed(experiment)

        def attempt():
            self.remove("out.h5*")
            process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "2", "--progress", "none")
            self.wait_until(lambda: process.poll() is not None or (self.journals() > 60000 and self.beginning(2)), "suites in journals")
            with contextlib.suppress(IndexError, FileNotFoundError):
                os.truncate(sorted((self.folder / "out.h5.parts").glob("*.journal"))[0], 3000)
            said = self.end(process, None)[1]
            if process.returncode == 0:
                return False
            self.assertEqual(process.returncode, 4, said)
            self.assertIn("finished suites are no longer in the journals", said)
            return True
        self.in_time(attempt, "a loss")
        self.assertFalse((self.folder / "out.h5").exists())
        self.run_into("out.h5", experiment)
        self.assertEqual((self.folder / "out.h5").read_bytes(), quiet)

    def test_what_is_stored_is_never_removed_by_a_run_that_cannot_use_it(self):
        experiment = self.experiment(suites=400)
        quiet = self.undisturbed(experiment)
        self.interrupted(experiment)
        (self.folder / "out.h5").unlink()
        (self.folder / "out.h5.times.csv").unlink()
        parts = self.folder / "out.h5.parts"
        whole = {path.name: path.read_bytes() for path in parts.iterdir()}
        other = self.experiment("other.json", suites=400, seed="0x8")

        def refused(said, words=(other,)):
            self.assertIn(said, self.corridor("run", *words, "-o", "out.h5", "--progress", "none", code=4).stderr)
            self.assertEqual({name: whole[name] for name in whole if name.endswith(".journal")},
                             {path.name: path.read_bytes() for path in parts.glob("*.journal")})

        refused("holds another campaign under way")
        refused("holds another campaign under way", (experiment, "--log-solutions"))
        manifest = parts / "MANIFEST"
        for content in (None, b"", b"junk"):
            manifest.unlink(missing_ok=True)
            if content is not None:
                manifest.write_bytes(content)
            refused("holds another campaign under way" if content else "holds journals, but no MANIFEST", (experiment,))
        manifest.unlink(missing_ok=True)
        os.mkfifo(manifest)
        refused("holds journals, but no MANIFEST", (experiment,))
        manifest.unlink(missing_ok=True)
        manifest.write_bytes(whole["MANIFEST"])
        self.run_into("out.h5", experiment)
        self.assertEqual((self.folder / "out.h5").read_bytes(), quiet)

    def test_a_folder_of_somebody_is_not_taken_for_a_campaigns(self):
        experiment = self.experiment()
        parts = self.folder / "out.h5.parts"
        parts.mkdir()
        (parts / "thesis.tex").write_text("precious")
        self.assertIn("is no folder of a campaign: it holds thesis.tex",
                      self.corridor("run", experiment, "-o", "out.h5", "--progress", "none", code=4).stderr)
        self.assertEqual(os.listdir(parts), ["thesis.tex"])

    def test_another_campaign_does_not_go_on_from_these_journals(self):
        experiment = self.long()
        self.interrupted(experiment)
        other = self.experiment("other.json", suites=60, seed="0x8")
        self.assertIn("holds another campaign under way: /",
                      self.corridor("run", other, "-o", "out.h5", "--progress", "none", code=4).stderr)
        self.assertIn("exists already", self.corridor("run", other, "-o", "out.h5.times.csv", "--progress", "none", code=4).stderr)

    def test_an_output_that_is_being_written_is_refused(self):
        experiment = self.long()
        process = self.start(experiment, "--jobs", "1")
        said = self.corridor("run", experiment, "-o", "out.h5", "--progress", "none", code=4).stderr
        self.assertIn(f"is being written by another campaign (process {process.pid})", said)
        os.kill(process.pid, signal.SIGINT)
        self.end(process, 5)

    def test_status_is_whole_whenever_it_is_read(self):
        experiment = self.experiment(suites=400)

        def attempt():
            self.remove("out.h5*")
            process = self.begin("run", experiment, "-o", "out.h5", "--jobs", "2", "--progress", "none")
            looks, done = 0, 0
            while process.poll() is None:
                said = e2e.subprocess.run([e2e.BINARY, "status", "out.h5", "--json"], cwd=self.folder, capture_output=True, text=True,
                                          env=e2e.ENVIRONMENT, check=False)
                if said.returncode == 4:  # not begun, or at its end
                    self.assertRegex(said.stderr, "no campaign is under way|the campaign has ended|has not said yet")
                    continue
                sheets = e2e.json.loads(said.stdout)["sheets"]
                row = sheets["campaign"]["row"]
                self.assertGreaterEqual(row["suites_done"], done)
                self.assertEqual(row["suites_planned"], 800)
                self.assertLessEqual(row["suites_kept"], row["suites_done"])
                self.assertLessEqual(sum(arm["suites"] for arm in sheets["arms"]["rows"]), 800)
                looks, done = looks + 1, row["suites_done"]
            self.end(process, 0)
            return looks > 0
        self.in_time(attempt, "a look")
        self.assertIn("the campaign has ended, and this file has all of it\n  corridor show out.h5\n", self.corridor("status", "out.h5").stdout)

    def test_status_of_what_was_ended_says_so(self):
        experiment = self.long()
        self.interrupted(experiment)
        said = self.corridor("status", "out.h5", "--json").stdout
        self.assertEqual(self.corridor("status", "out.h5.parts", "--json").stdout, said)
        self.assertEqual(self.corridor("verify", "out.h5.parts/").stdout, self.corridor("verify", "out.h5").stdout)
        row = e2e.json.loads(said)["sheets"]["campaign"]["row"]
        self.assertFalse(row["running"])
        self.assertIsNone(row["process"])
        self.assertGreater(row["suites_done"], 0)
        self.assertIn("the same corridor run goes on", self.corridor("status", "out.h5", "--watch").stdout)

    def verified(self, code):
        return e2e.json.loads(self.corridor("verify", "out.h5", "--json", code=code).stdout)["sheets"]

    def test_verify_finds_each_byte_that_changed_in_a_journal(self):
        experiment = self.experiment(suites=400)
        quiet = self.undisturbed(experiment)
        self.interrupted(experiment, more=200000)
        os.remove(self.folder / "out.h5")
        whole = self.verified(0)
        stored = whole["stored"]["row"]["suites"]
        self.assertEqual(stored, sum(row["suites"] for row in whole["journals"]["rows"]))
        self.assertEqual([row["damaged"] for row in whole["journals"]["rows"]], [0] * len(whole["journals"]["rows"]))
        path = max((self.folder / "out.h5.parts").glob("*.journal"), key=lambda journal: journal.stat().st_size)
        content = path.read_bytes()
        frames = [at for at in range(len(content)) if content.startswith(b"CORSUITE", at)]
        for at in (frames[1], frames[1] + 20, frames[1] + 60, frames[2] - 1):
            path.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1:])
            found = self.verified(1)
            self.assertEqual(found["stored"]["row"]["suites"], stored - 1)
            self.assertEqual(sum(row["damaged"] for row in found["journals"]["rows"]), frames[2] - frames[1])
        self.run_into("out.h5", experiment, "--force")
        self.assertEqual((self.folder / "out.h5").read_bytes(), quiet)
        self.assertTrue(self.verified(0)["file"]["row"]["sealed"])
        self.assertIsNone(self.verified(0)["file"]["row"]["note"])
        os.truncate(self.folder / "out.h5", len(quiet) - 16)
        cut = self.verified(0)["file"]["row"]
        self.assertEqual((cut["sealed"], cut["content"]), (False, True))
        self.assertIn("or lost: its last 16, the checksum of the file", cut["note"])

    def test_verify_tells_suites_that_did_not_come_out_the_same(self):
        experiment = self.long()
        self.interrupted(experiment)
        path = max((self.folder / "out.h5.parts").glob("*.journal"), key=lambda journal: journal.stat().st_size)
        content = path.read_bytes()
        second = content.find(b"CORSUITE", 8)  # a slow machine may have stored one alone
        (self.folder / "out.h5.parts/900000.journal").write_bytes(content[:second] if second > 0 else content)
        self.assertEqual(self.verified(0)["stored"]["row"]["twins"], 1)
        self.assertIsNotNone(self.verified(0)["file"])  # what the interrupt left

    def test_a_result_of_somebody_else_is_not_replaced_by_going_on(self):
        experiment = self.long()
        self.interrupted(experiment)
        (self.folder / "out.h5").write_text("precious")
        self.assertIn("exists already", self.corridor("run", experiment, "-o", "out.h5", "--progress", "none", code=4).stderr)
        self.assertEqual((self.folder / "out.h5").read_text(), "precious")

    def test_a_reader_that_goes_away_does_not_end_the_campaign(self):
        """A reader of the progress that goes away does not end the campaign."""
        experiment = self.experiment(suites=30)
        process = self.begin("run", experiment, "-o", "out.h5", "--progress", "bar")
        process.stderr.close()
        self.assertEqual(process.wait(), 0)
        self.assert_only(experiment, "out.h5", "out.h5.times.csv")


if __name__ == "__main__":
    e2e.main()
