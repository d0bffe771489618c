#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""libcorridor.so and corridor.run: what is exported, the same bytes as the program's, exit codes as exceptions with its words."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest.mock

import package
from package import BINARY, LIBRARY, SOURCE, Case, corridor

LAMPS = {
    "corridor_experiment": 1, "name": "lamps", "seed": "0x2015", "suites": 4, "sequences": 3, "cases": 30,
    "model": {
        "corridor_model": 1, "agents": 6, "structure": {"size_min": 1, "size_max": 4}, "groups": {"count": 2},
        "environments": {"sky": {"profile": {"states": ["dark", "bright"],
                                             "transitions": {"dark": {"dark": 0.5, "bright": 0.5}, "bright": {"dark": 1}}}}},
        "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1}, "influence": {"dark": "on", "bright": "off"}}},
        "invariant": {"threshold": 0.3}},
    "arms": [{"name": "PSOPP-F5", "algorithm": "psopp", "fault": "f5"}, {"name": "SPADA-F2", "algorithm": "spada", "fault": "f2"}]}


class Library(Case):
    def test_nothing_is_exported_but_what_the_header_declares(self):
        header = (SOURCE / "experiments/python/include/corridor/embed.h").read_text()
        declared = sorted(re.findall(r"^COR_EXPORT .*?(cor_embed_\w+)\(", header, re.M))
        listed = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertEqual(sorted(line.split()[-1] for line in listed.splitlines()), declared)
        self.assertGreaterEqual(len(declared), 4)

    def test_the_library_says_its_version(self):
        said = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertTrue(said.startswith(f"corridor {corridor.version()} "), said)
        self.assertEqual(corridor.__version__, corridor.version())
        self.assertRegex(corridor.commit(), r"^([0-9a-f]{12}(-dirty)?)?$")
        self.assertEqual(corridor.call("--version"), said)


class Run(Case):
    def program(self, *words, code=0, **others):
        done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, cwd=self.folder, **others)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_the_same_bytes_as_the_program_and_with_any_number_of_workers(self):
        path = self.write("lamps.json", LAMPS)
        self.program("run", path, "-o", "program.h5", "-j2")
        expected = (self.folder / "program.h5").read_bytes()
        for name, experiment, workers in (("one.h5", path, 1), ("three.h5", path, 3), ("dict.h5", LAMPS, 3)):
            result = corridor.run(experiment, output=self.folder / name, workers=workers, progress=False)
            self.assertEqual((self.folder / name).read_bytes(), expected, name)
            self.assertEqual(result.summary.split("\n")[1:4], corridor.call("show", self.folder / name).split("\n")[:3])

    def test_a_result_file_for_the_moment_goes_with_its_result(self):
        result = corridor.run(LAMPS, progress=False)
        path = result.path
        self.assertTrue(os.path.exists(path))
        if (child := os.fork()) == 0:
            del result  # the copy of a process that was forked is not the result
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(os.path.exists(path))
        # Its folder may go before it, as that of any file: then it is missed, in words, and once more is no trouble.
        shutil.rmtree(os.path.dirname(path))
        for use in (result.view, lambda: result.tables, lambda: result.failures, lambda: result.replay(), lambda: result.report()):
            with self.assertRaisesRegex(corridor.FileTrouble, "cannot open: No such file or directory"):
                use()
        del result
        self.assertFalse(os.path.exists(path))

    def test_what_names_no_file_is_refused_before_anything_is_done(self):
        """A zero byte would end the path, and what is before it would be taken: a file of that name is there."""
        os.chdir(self.folder)
        temporary = tempfile.mkdtemp()  # a place of its own: what other tests have in the common one comes and goes
        self.addCleanup(shutil.rmtree, temporary)
        for patch in (unittest.mock.patch("tempfile.tempdir", temporary), unittest.mock.patch.dict(os.environ, TMPDIR=temporary)):
            patch.start()
            self.addCleanup(patch.stop)
        result = corridor.run(LAMPS, output="here.h5", progress=False)
        descriptors = os.listdir("/proc/self/fd")
        for path in ("here.h5\0.old", b"here.h5\0"):
            for call in (lambda: corridor.open(path), lambda: corridor.run(path, progress=False), lambda: corridor.run(LAMPS, output=path, force=True),
                         lambda: corridor.call("show", path), lambda: corridor.replay(path), lambda: result.report(path), lambda: result.table(path)):
                with self.assertRaisesRegex(ValueError, "embedded null byte"):
                    call()
        for path in (None, 5, 1.5, [], {}):
            with self.assertRaises(TypeError):
                corridor.open(path)
            with self.assertRaises(TypeError):
                corridor.run(LAMPS, output=path or 0, progress=False)
        for wrong in ({**LAMPS, "name": b"bytes"}, 5):
            with self.assertRaises(TypeError):
                corridor.run(wrong, progress=False)
        with self.assertRaisesRegex(TypeError, "5 is no algorithm: give the name of one"):
            corridor.run("here.json", 5, progress=False)
        with self.assertRaises(UnicodeEncodeError):
            corridor.run("\ud800", progress=False)
        with unittest.mock.patch("corridor._command.call", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            corridor.run(LAMPS, progress=False)
        self.assertEqual(sorted(os.listdir()), ["here.h5", "here.h5.times.csv"])
        self.assertEqual(os.listdir(temporary), [])
        self.assertEqual(os.listdir("/proc/self/fd"), descriptors)

    def test_calls_of_several_threads_and_of_forks_beside_them_are_calls_of_one(self):
        expected = corridor.run(LAMPS, output=self.folder / "one.h5", progress=False, workers=1)
        bytes_, came = (self.folder / "one.h5").read_bytes(), []

        def call(name):
            try:
                made = corridor.run(LAMPS, output=self.folder / name, progress=False, workers=1)
                came.append((self.folder / name).read_bytes() == bytes_ and made.tables == expected.tables)
            except BaseException as error:
                came.append(error)

        threads = [threading.Thread(target=call, args=(f"thread-{number}.h5",)) for number in range(4)]
        for thread in threads:
            thread.start()
        children = []
        for number in range(3):
            if (child := os.fork()) == 0:
                came.clear()
                call(f"fork-{number}.h5")
                os._exit(0 if came == [True] else 1)
            children.append(child)
        self.assertEqual([os.waitpid(child, 0)[1] for child in children], [0] * 3)
        for thread in threads:
            thread.join()
        self.assertEqual(came, [True] * 4)

    def test_an_exit_code_is_an_exception_with_the_words_of_the_program(self):
        path = self.write("lamps.json", LAMPS)
        self.program("run", path, "-o", "there.h5")
        (self.folder / "damaged.h5").write_bytes(b"nothing")
        wrong = self.write("wrong.json", {**LAMPS, "suits": 3})
        cases = [(["run", path, "--nonsense"], corridor.BadUsage), (["run", path, "-o", "there.h5"], corridor.FileTrouble),
                 (["run", wrong, "-o", "new.h5"], corridor.BadInput), (["show", "damaged.h5"], corridor.BadInput),
                 (["show", "missing.h5"], corridor.FileTrouble), (["run", path, "-o", "new.h5", "--fail-on", "any", "--progress", "none"],
                                                                  corridor.Violated)]
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            for words, kind in cases:
                done = self.program(*words, code=kind.code)
                self.clear()
                with self.assertRaises(kind) as caught:
                    corridor.call(*words)
                self.clear()
                self.assertEqual(type(caught.exception), kind)
                if done.stderr:
                    self.assertEqual("corridor: " + str(caught.exception), package.complaints(done.stderr).strip())
        finally:
            os.chdir(here)

    def test_what_is_wrong_is_said_in_words_of_python(self):
        said = {}
        versions = {key: value for key, value in LAMPS.items() if key != "corridor_experiment"}
        corridor.run({**versions, "model": {key: value for key, value in LAMPS["model"].items() if key != "corridor_model"}},
                     output=self.folder / "there.h5", progress=False)
        for name, what, others in (("wrong", {**LAMPS, "suits": 3}, {}), ("there", LAMPS, {"output": self.folder / "there.h5"}),
                                   ("unknown", {**LAMPS, "arms": [{"name": "a", "algorithm": "mine"}]}, {})):
            with self.assertRaises(corridor.Error) as caught:
                corridor.run(what, progress=False, **others)
            said[name] = str(caught.exception)
        self.assertRegex(said["wrong"], r"^invalid input: experiment: /suits: ")
        self.assertRegex(said["there"], r"there\.h5: exists already\n  name another file, or say force=True to replace it$")
        self.assertRegex(said["unknown"], r'^invalid input: experiment: /arms/0/algorithm: there is no algorithm "mine"\n  known: .*\n'
                                          r"  a function of yours is known once the module that has it is imported$")

    def clear(self):
        for path in self.folder.glob("new.h5*"):
            path.unlink()

    def test_a_failing_campaign_has_its_result_in_the_exception(self):
        with self.assertRaises(corridor.Violated) as caught:
            corridor.run(LAMPS, fail_on="any", progress=False)
        self.assertIn("What was found", caught.exception.result.summary)

    def test_there_is_an_exception_for_each_row_of_the_page_of_exit_codes(self):
        from corridor import _errors
        page = next(SOURCE.glob("docs/**/exit-codes.md")).read_text()
        rows = {int(code): meaning.strip() for code, meaning in re.findall(r"^\| (\d) \| ([^|]*) \|$", page, re.M)}
        self.assertEqual({code: kind.__doc__ for code, kind in _errors.BY_CODE.items()}, {code: rows[code] for code in rows if code})

    def test_an_interrupt_stops_and_the_same_call_goes_on(self):
        endless = {**LAMPS, "suites": 100000}
        quiet = self.folder / "stopped.h5"

        def interrupt():
            while not (self.folder / "stopped.h5.parts").exists():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()  # where there is nothing to be interrupted, nobody waits for it
        with self.assertRaises(corridor.Interrupted) as caught:
            corridor.run(endless, output=quiet, workers=2, progress=False)
        self.assertEqual(caught.exception.code, 5)
        corridor.run(endless, output=quiet, workers=2, suites=20, progress=False, force=True)
        once = self.folder / "once.h5"
        corridor.run(endless, output=once, suites=20, progress=False)
        self.assertEqual(corridor.call("show", once, "--hash"), corridor.call("show", quiet, "--hash"))

    def test_an_interrupt_is_handed_on_however_early_it_comes(self):
        """Before there is a child, and when it is at work already, but nobody here knows of it yet."""
        fork = os.fork

        def has_ended(child):
            return os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

        def forking(path, is_at_work):
            def forks():
                if not is_at_work:
                    os.kill(os.getpid(), signal.SIGINT)
                child = fork()
                while child and is_at_work and not (path.with_name(path.name + ".parts").exists() or has_ended(child)):
                    time.sleep(0.01)
                if child and is_at_work:
                    os.kill(os.getpid(), signal.SIGINT)
                return child
            return forks

        for is_at_work in (False, True):
            path = self.folder / f"early-{is_at_work}.h5"
            with unittest.mock.patch.object(os, "fork", forking(path, is_at_work)), self.assertRaises(corridor.Interrupted):
                corridor.run({**LAMPS, "suites": 100000}, output=path, workers=2, progress=False)
            with self.assertRaises(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_an_interrupt_that_no_child_can_take_is_the_callers(self):
        """When it has ended, and nothing can be forked."""
        wait = os.waitpid

        def waits(*words):
            how = wait(*words)
            os.kill(os.getpid(), signal.SIGINT)
            return how

        with unittest.mock.patch.object(os, "waitpid", waits), self.assertRaises(KeyboardInterrupt):
            corridor.call("--version")
        with unittest.mock.patch.object(os, "fork", side_effect=BlockingIOError), self.assertRaises(BlockingIOError):
            corridor.call("--version")
        self.assertNotIn(signal.SIGINT, signal.pthread_sigmask(signal.SIG_BLOCK, []))
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_a_killed_interpreter_takes_its_campaign_along(self):
        script = self.folder / "script.py"
        script.write_text(f"import corridor\ncorridor.run({ {**LAMPS, 'suites': 100000} !r}, output='killed.h5', workers=2)\n")
        with subprocess.Popen([sys.executable, script], cwd=self.folder, stderr=subprocess.PIPE) as running:
            running.stderr.read(1)  # it has begun
            self.assertGreater(self.count_inside(), 1)
            running.kill()
            while self.count_inside() > 0:
                time.sleep(0.01)

    def count_inside(self):
        """Processes whose folder is the test's."""
        def is_inside(name):
            try:
                return os.readlink(f"/proc/{name}/cwd") == str(self.folder.resolve())
            except OSError:
                return False
        return sum(is_inside(name) for name in os.listdir("/proc") if name.isdigit())


if __name__ == "__main__":
    package.main()
