#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trouble with files, disks and algorithms: one clear message, the documented exit code, and nothing left behind."""
import json
import os
import resource
import shutil
import signal
import subprocess
import unittest

import e2e
from e2e import PSOPP, SPADA


def limit_files(size):
    """Files larger than that cannot be written: what a full disk looks like to the program."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class FailOn(e2e.Case):
    """What a run may be asked to fail on: arms whose fault was not found, arms without one that fail."""

    def test_it_says_what_it_found_with_an_exit_code(self):
        sound = {**SPADA, "name": "sound", "fault": "none"}
        never = {**PSOPP, "name": "never", "parameters": {**PSOPP["parameters"], "t1": 0}}
        found = self.experiment("found.json", arms=[SPADA, sound])
        missed = self.experiment("missed.json", arms=[never, sound])
        run = lambda experiment, word, code: self.corridor("run", experiment, "-o", "a.h5", "--force", "--progress", "none",
                                                           *(("--fail-on", word) if word else ()), code=code)
        for word in (None, "undetected", "unexpected", "any"):
            run(found, word, 0)
        outcomes = {row["arm"]: row["verdict"] for row in self.sheet("a.h5", "found")}
        self.assertEqual(outcomes, {"S": "found", "sound": "no check failed"})
        run(missed, None, 0)
        self.assertEqual({row["arm"]: row["verdict"] for row in self.sheet("a.h5", "found")},
                         {"never": "not reached", "sound": "no check failed"})
        run(missed, "unexpected", 0)
        for word in ("undetected", "any"):
            self.assertIn("arms whose fault was not found: 1; arms that fail without a fault: 0", run(missed, word, 1).stderr)
        self.assertIn("known: undetected, unexpected, any", run(missed, "all", 2).stderr)

    def sheet(self, path, name):
        return json.loads(self.corridor("show", path, "tables", "--json").stdout)["sheets"][name]["rows"]


class Outputs(e2e.Case):
    def refused(self, *arguments, code=4, **others):
        """One message: a line of what is wrong, perhaps one of what to do about it."""
        said = self.corridor(*arguments, code=code, **others)
        self.assertEqual(said.stdout, "")
        lines = [line for line in said.stderr.splitlines() if line.startswith("corridor: ")]
        self.assertEqual(len(lines), 1, said.stderr)
        return said.stderr

    def test_a_file_that_exists_is_not_overwritten(self):
        experiment = self.experiment()
        (self.folder / "there.h5").write_text("precious")
        said = self.refused("run", experiment, "-o", "there.h5")
        self.assertIn("there.h5: exists already", said)
        self.assertIn("--force", said)
        self.assertEqual((self.folder / "there.h5").read_text(), "precious")
        self.assert_only(experiment, "there.h5")

    def test_force_replaces_a_file_that_exists(self):
        experiment = self.experiment()
        self.run_into("there.h5", self.experiment("other.json", seed="0x99"))
        (self.folder / "other.json").unlink()
        self.run_into("there.h5", experiment, "--force")
        self.run_into("new.h5", experiment)
        self.assert_same_bytes("there.h5", "new.h5")
        self.assert_only(experiment, "there.h5", "there.h5.times.csv", "new.h5", "new.h5.times.csv")

    def test_force_keeps_the_old_file_when_the_new_one_fails(self):
        experiment = self.experiment()
        self.run_into("there.h5", self.experiment("other.json", seed="0x99"))
        before = (self.folder / "there.h5").read_bytes()
        self.refused("run", experiment, "-o", "there.h5", "--force", "--progress", "none",
                     preexec_fn=limit_files(4096))
        self.assertEqual((self.folder / "there.h5").read_bytes(), before)

    def test_force_never_replaces_what_no_campaign_has_written(self):
        """Least of all what is being read: the experiment, its model, a module, a series."""
        experiment = self.experiment()
        shutil.copy(e2e.MODULES / "crashes.so", self.folder)
        for name, content in (("model.json", b"{}"), ("series.csv", b"time,value\n1,2\n"), ("text.h5", b"precious"),
                              (experiment, (self.folder / experiment).read_bytes()),
                              ("crashes.so", (self.folder / "crashes.so").read_bytes())):
            (self.folder / name).write_bytes(content)
            said = self.refused("run", experiment, "-o", name, "--force")
            self.assertIn(f"{name}: is " + ("what the command reads" if name == experiment else "not a file that a campaign has"),
                          said)
            self.assertEqual((self.folder / name).read_bytes(), content)
        self.run_into("a.h5", experiment)
        content = (self.folder / "a.h5").read_bytes()
        self.assertIn("a.h5: is what the command reads", self.refused("report", "a.h5", "-o", "./a.h5", "--force"))
        self.assertEqual((self.folder / "a.h5").read_bytes(), content)
        data = self.folder / "series.csv"
        shutil.copy(e2e.SOURCE / "profiles/data/biogas_synthetic.csv", data)
        self.refused("profile", "fit", data, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", data, "--force")
        (self.folder / "e.times.csv").write_bytes((self.folder / experiment).read_bytes())
        self.assertIn("e.times.csv: is not a file", self.refused("run", "e.times.csv", "-o", "e", "--force"))

    def test_a_missing_folder_is_told_with_its_path(self):
        experiment = self.experiment()
        self.assertIn("none/out.h5", self.refused("run", experiment, "-o", "none/out.h5"))
        self.assert_only(experiment)

    def test_a_directory_is_not_replaced_even_by_force(self):
        experiment = self.experiment()
        (self.folder / "out.h5").mkdir()
        for force in ((), ("--force",)):
            self.assertIn("out.h5: is a directory", self.refused("run", experiment, "-o", "out.h5", *force))
        self.assert_only(experiment, "out.h5")
        self.assertEqual(os.listdir(self.folder / "out.h5"), [])

    @unittest.skipIf(os.geteuid() == 0 and not os.path.exists("/proc/version"), "no /proc")
    def test_a_folder_that_cannot_be_written_is_told(self):
        experiment = self.experiment()
        self.assertIn("/proc/out.h5", self.refused("run", experiment, "-o", "/proc/out.h5"))
        self.assert_only(experiment)

    def drawn_by(self, script):
        """Variables with which reports are drawn by this script, in a folder of their own."""
        (self.folder / "bin").mkdir(exist_ok=True)
        (self.folder / "drawn").mkdir(exist_ok=True)
        (self.folder / "bin/dot").write_text("#!/bin/sh\n" + script)
        (self.folder / "bin/dot").chmod(0o755)
        return {"PATH": f"{self.folder / 'bin'}:{e2e.ENVIRONMENT['PATH']}", "TMPDIR": str(self.folder / "drawn")}

    def test_a_report_that_is_killed_leaves_nothing(self):
        """By whomever, while it draws: the process that reads is killed, or who has started it is asked to stop, or killed:
        then the next report takes away what is left."""
        self.corridor("agent", "test", e2e.SOURCE / "experiments/library/agents/stock_manager.json", "-o", "a.h5")
        said = self.corridor("report", "a.h5", "-o", "a.html", code=4, environment=self.drawn_by("kill -9 $PPID; sleep 0.1\n"))
        self.assertIn("a.h5: the process that reads it was killed from outside", said.stderr)
        self.assertEqual(os.listdir(self.folder / "drawn"), [])
        self.corridor("report", "a.h5", "-o", "a.html", "--figures", "figures", code=4, environment=self.drawn_by("kill -9 $PPID; sleep 0.1\n"))
        self.assertFalse((self.folder / "figures").exists())
        self.corridor("report", "a.h5", "-o", "a.html", code=6, environment=self.drawn_by("kill -11 $PPID; sleep 0.1\n"))
        self.assertEqual(os.listdir(self.folder / "drawn"), [])
        for number, left in ((15, 0), (2, 0), (9, 1)):
            # who waits for the process that draws
            environment = {**e2e.ENVIRONMENT, **self.drawn_by(f"kill -{number} $(cut -d ' ' -f 4 /proc/$PPID/stat); exec sleep 60\n")}
            done = subprocess.run([e2e.BINARY, "report", "a.h5", "-o", "a.html"], cwd=self.folder, env=environment, check=False, capture_output=True)
            self.assertEqual(done.returncode, -number, done.stderr)
            self.assertEqual(len(os.listdir(self.folder / "drawn")), left)
        self.corridor("report", "a.h5", "-o", "a.html", environment={"TMPDIR": str(self.folder / "drawn")})
        self.assertEqual(os.listdir(self.folder / "drawn"), [])
        self.assert_only("a.h5", "a.h5.times.csv", "a.html", "bin", "drawn")

    def test_signals_that_whoever_starts_it_ignores_or_blocks_change_nothing(self):
        """A file is not called damaged because nobody can wait for the child that looks at it."""
        def leave():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGPROF})

        self.corridor("run", self.experiment(), "-o", "a.h5", "--progress", "none", preexec_fn=leave)
        for words in (("show", "a.h5", "tables"), ("verify", "a.h5")):
            self.assertEqual(self.corridor(*words, preexec_fn=leave).stdout, self.corridor(*words).stdout)

    def test_who_stops_reading_is_no_error(self):
        self.corridor("run", self.experiment("a.json", arms=[SPADA]), "-o", "a.h5", "--progress", "none")
        for words in (("show", "a.h5", "--all"), ("export", "a.h5", "--table", "agents")):
            there, here = os.pipe()
            os.close(there)
            done = subprocess.run([e2e.BINARY, *words], cwd=self.folder, env=e2e.ENVIRONMENT, stdout=here, stderr=subprocess.PIPE, text=True,
                                  check=False, restore_signals=True)
            os.close(here)
            self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""), words)

    def test_a_limit_of_memory_is_not_blamed_where_there_may_be_no_further_process(self):
        self.run_into("a.h5", self.experiment())

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))

        done = self.corridor("verify", "a.h5", code=None, preexec_fn=limit, **self.as_nobody())
        if done.returncode == 4:  # root may always
            self.assertIn("cannot fork", done.stderr)
        self.assertNotIn("ulimit -v", done.stderr)

    def test_short_memory_is_said_by_every_reader(self):
        """Under limits from hardly enough to start on: done, or a sentence and the code of files and memory."""
        self.run_into("a.h5", self.experiment())
        codes = set()
        for megabytes in range(42, 76, 2):
            limit = lambda size=megabytes << 20: resource.setrlimit(resource.RLIMIT_AS, (size, size))
            for words in (("show", "a.h5", "tables"), ("coverage", "a.h5"), ("export", "a.h5", "--table", "cases"), ("verify", "a.h5")):
                done = self.corridor(*words, code=None, preexec_fn=limit)
                if done.returncode == 127:  # not even its libraries have room: who starts it says so
                    self.assertIn("error while loading shared libraries", done.stderr)
                    continue
                self.assertIn(done.returncode, (0, 4), (megabytes, words, done.stderr))
                if done.returncode == 4:
                    self.assertIn("out of memory", done.stderr)
                    self.assertIn(f"may take {megabytes} MB: by ulimit -v", done.stderr)
                codes.add(done.returncode)
        self.assertEqual(codes, {0, 4})

    def test_a_suite_larger_than_its_file_is_not_made(self):
        """The experiment in a file announces a million agents; the file holds suites of forty."""
        self.run_into("a.h5", self.experiment())
        text = json.loads((self.folder / "small.json").read_text())
        for arm in text["arms"]:
            arm["parameters"]["agents"] = [999999, 1000000]
        import h5py
        with h5py.File(self.folder / "a.h5", "r+") as file:
            stored = json.loads(file["experiment"][()].decode())
            stored["arms"] = text["arms"]
            file["experiment"][()] = json.dumps(stored)
        said = self.corridor("replay", "a.h5", "--unsealed", code=3)
        self.assertRegex(said.stderr, "suite 0 of arm S: is generated with (999999|1000000) agents, the suites of the file have at most [0-9]+")

    def test_plan_does_not_overwrite(self):
        experiment = self.experiment()
        self.corridor("plan", experiment, "-o", "suites", "--suites")
        before = sorted(self.folder.rglob("*"))
        said = self.corridor("plan", experiment, "-o", "suites", "--suites", code=4)
        self.assertIn("suites: exists already", said.stderr)
        self.assertEqual(before, sorted(self.folder.rglob("*")))

    def test_a_full_disk_is_told_and_loses_nothing(self):
        """At any size: while the journals are written, while they are merged, or at the times. With room again, the same
        command goes on, to the same file."""
        experiment = self.experiment(suites=6)
        self.run_into("whole.h5", experiment, "--jobs", 4)
        quiet = (self.folder / "whole.h5").read_bytes()
        whole = len(quiet)
        os.remove(self.folder / "whole.h5")
        os.remove(self.folder / "whole.h5.times.csv")
        places = set()
        for size in (0, 1, 4096, whole // 16, whole // 4, whole // 2, whole - 1024):
            said = self.refused("run", experiment, "-o", "out.h5", "--jobs", "4", "--progress", "none",
                                preexec_fn=limit_files(size))
            self.assertIn("cannot write", said)
            self.assertIn("File too large", said)
            places.add("journal" if ".journal" in said else "times" if "times" in said else "result")
            self.assertFalse((self.folder / "out.h5").exists())
        self.assertLessEqual({"journal", "result"}, places)
        self.run_into("out.h5", experiment, "--jobs", 4)
        self.assertEqual((self.folder / "out.h5").read_bytes(), quiet)
        self.assert_only(experiment, "out.h5", "out.h5.times.csv")

    def test_a_full_disk_is_told_by_other_commands_too(self):
        result, experiment = "a.h5", self.experiment()
        self.run_into(result, experiment)
        with open("/dev/full", "w", encoding="ascii") as full:
            for words in (("export", result, "-t", "cases"), ("show", result), ("show", result, "--json"),
                          ("list", "--json"), ("plan", experiment), ("--help",), ("run", "--help"), ("man-page",)):
                done = e2e.subprocess.run([e2e.BINARY, *words], cwd=self.folder, stdout=full, text=True,
                                          stderr=e2e.subprocess.PIPE, env=e2e.ENVIRONMENT, check=False)
                self.assertEqual(done.returncode, 4, words)
                self.assertIn("No space left on device", done.stderr)
                self.assertEqual(done.stderr.count("cannot write"), 1, done.stderr)
        data = e2e.SOURCE / "profiles/data/biogas_synthetic.csv"
        self.refused("profile", "fit", data, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "p.json",
                     preexec_fn=limit_files(100))
        self.assertFalse((self.folder / "p.json").exists())
        (self.folder / "p.json").write_text("precious")
        self.refused("profile", "fit", data, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "p.json", "--force",
                     preexec_fn=limit_files(100))
        self.assertEqual((self.folder / "p.json").read_text(), "precious")
        self.assert_only(result, f"{result}.times.csv", experiment, "p.json")

    def test_devices_stay_devices(self):
        """A failed write never takes away what it wrote to: root could lose a device."""
        experiment, data = self.experiment(), e2e.SOURCE / "profiles/data/biogas_synthetic.csv"
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for force in ((), ("--force",)):
            self.assertIn("pipe: is not a regular file", self.refused("run", experiment, "-o", "pipe", *force))
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            self.corridor("profile", "fit", data, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "pipe", *force)
            os.close(reader)
            self.assertTrue(pipe.is_fifo())

    def test_damaged_result_files_are_refused_by_name(self):
        self.run_into("good.h5", self.experiment())
        content = (self.folder / "good.h5").read_bytes()
        for name, damage in (("empty.h5", b""), ("text.h5", b"suites,cases\n"), ("half.h5", content[:len(content) // 2]),
                             ("nulls.h5", bytes(len(content)))):
            (self.folder / name).write_bytes(damage)
            for words in (("show", name, "tables"), ("export", name), ("export", name, "-t", "cases")):
                said = self.corridor(*words, code=3)
                self.assertEqual(said.stderr.count(name), 1)
                self.assertEqual(said.stdout, "")
        self.corridor("show", "missing.h5", "tables", code=4)

    def test_a_changed_figure_is_noticed(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("python3-h5py is not there")
        self.run_into("a.h5", self.experiment())
        with h5py.File(self.folder / "a.h5", "r+") as file:
            black = file["reorganizations/black"]
            values = black[()]
            values[values == 1] = 2  # passed becomes failed: more failures than sequences
            black[...] = values
        self.run_into("b.h5", self.experiment())
        for words in (("show", "a.h5", "tables"), ("show", "a.h5", "survival"), ("show", "a.h5", "performance"), ("coverage", "a.h5"), ("compare", "a.h5"),
                      ("tree", "a.h5", "--arm", "S"), ("compare", "a.h5", "b.h5"), ("compare", "b.h5", "a.h5"),
                      ("report", "a.h5", "-o", "page.html"), ("export", "a.h5", "--format", "junit"), ("show", "a.h5", "--verify")):
            done = self.corridor(*words, code=3)
            self.assertIn("a.h5: the content is not what was written", done.stderr)
            self.assertEqual(done.stdout, "")
        told = self.corridor("show", "a.h5", "tables", "--unsealed", code=1)
        self.assertIn("identities", told.stderr)
        self.assertIn("read as it is", told.stderr)
        self.assertIn("The content was changed since it was written", told.stdout)
        self.assertNotIn("The content was changed", self.corridor("show", "b.h5", "tables", "--unsealed").stdout)


class Algorithms(e2e.Case):
    """An algorithm that ends the testbed's own process ends the campaign, which says where."""

    def experiment_with(self, module):
        shutil.copy(e2e.MODULES / f"{module}.so", self.folder)
        return self.experiment(arms=[SPADA, {"name": "Odd", "algorithm": f"./{module}.so"}, PSOPP])

    def ended(self, module, what):
        experiment = self.experiment_with(module)
        for jobs in (1, 3):
            said = self.corridor("run", experiment, "-o", "out.h5", "--jobs", jobs, "--progress", "none", "--isolate", "never", code=6)
            self.assertEqual(said.stdout, "")
            self.assertRegex(said.stderr, what + r" in suite [0-2] of arm Odd")
            self.assertFalse((self.folder / "out.h5").exists())

    def test_an_algorithm_that_crashes_ends_the_campaign(self):
        self.ended("crashes", r"worker \d was ended by signal 6 \(Aborted\)")

    def test_an_algorithm_that_leaves_ends_the_campaign(self):
        self.ended("leaves", r"worker \d left with exit code 3")

    def test_leaving_as_if_all_were_well_ends_the_campaign(self):
        self.ended("leaves_well", r"worker \d left with exit code 0")

    def test_missing_or_unusable_algorithms_are_named(self):
        (self.folder / "text.so").write_text("no module")
        for path in ("./none.so", "./text.so"):
            experiment = self.experiment(arms=[{"name": "X", "algorithm": path}])
            for words in (("run", experiment, "-o", "out.h5"), ("plan", experiment), ("list", path)):
                self.assertIn(path, self.corridor(*words, code=4 if path == "./none.so" else 3).stderr)
        self.assertIn('did you mean "spada"?',
                      self.corridor("plan", self.experiment(arms=[{"name": "X", "algorithm": "spda"}]), code=3).stderr)


if __name__ == "__main__":
    e2e.main()
