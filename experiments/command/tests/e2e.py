# SPDX-License-Identifier: GPL-3.0-or-later
"""What the end-to-end tests share: the program, a folder of its own for each test, small experiments, and one summary.

Each test_*.py is run as  test_x.py CORRIDOR SOURCE_DIRECTORY MODULE_DIRECTORY  and prints "N passed, N failed, N skipped"
at the end. It exits with 0, with 1 if a test failed, and with 77 if none failed but some were skipped."""
import contextlib
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

IN_FULL = "in-full" in sys.argv  # make check-full, for what takes long for what it finds
if IN_FULL:
    sys.argv.remove("in-full")
BINARY = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
MODULES = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
ANSI = re.compile(r"\x1b")
TABLES = ("suites", "parameters", "agents", "groups", "chains", "profiles", "visits", "transitions", "sequences", "cases",
          "reorganizations", "failures", "violations", "counters", "smokes")

# Sanitized builds tell of leaks at exit; a process killed on purpose cannot.
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if key not in ("NO_COLOR", "CLICOLOR_FORCE", "CI", "COLUMNS") and not key.startswith("LC_")}
ENVIRONMENT.update(LC_ALL="C", TERM="xterm")
# Programs under test that ask env for python3 get the one that runs the tests.
ENVIRONMENT["PATH"] = f"{pathlib.Path(sys.executable).parent}:{ENVIRONMENT['PATH']}"

SPADA = {"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40], "budget": 500}}
PSOPP = {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}


def shell(*words):
    """A command for sh of these words, whatever stands in them."""
    return shlex.join(map(str, words))


def has_z3():
    """Whether the program can ask z3: a build without it says less of contradictions."""
    return b"Z3_mk_simple_solver" in BINARY.read_bytes()


def complaints(stderr):
    """What is said on standard error, but for what a machine says that cannot isolate fully."""
    return re.sub(r"corridor: warning: isolation is not full.*\n", "", stderr)


def catches_interrupts(process):
    """Whether the process of that number, which may be over, does; of SIGTERM, since before it is the program it is Python's, which catches SIGINT."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as file:
            status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    except OSError:
        return False
    return int(status["SigCgt"], 16) >> (signal.SIGTERM - 1) & 1 == 1


class Case(unittest.TestCase):
    """A test with a folder of its own, in which everything is run."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def as_nobody(self):
        """What corridor() is told, so that it runs as somebody who may not do all: as root a copy of the program, that anybody reaches."""
        if os.geteuid() != 0:
            return {}
        public = self.folder / "public"
        public.mkdir()
        for path in (BINARY, BINARY.with_name("corridor-cell")):
            shutil.copy(path, public)
            (public / path.name).chmod(0o755)
        for path in (self.folder, public):
            path.chmod(0o755)
        for path in self.folder.glob("*.h5"):
            path.chmod(0o644)
        return {"program": public / BINARY.name, "user": 65534, "group": 65534, "extra_groups": []}

    def corridor(self, *arguments, code=0, environment=None, program=BINARY, **others):
        """Runs the program; the exit code must be `code`, None: any; and what goes into a pipe is plain text."""
        done = subprocess.run([program, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              env={**ENVIRONMENT, **(environment or {})}, **others)
        self.assertEqual(done.returncode, done.returncode if code is None else code, f"{arguments}: {done.stdout}{done.stderr}")
        if not (environment or {}).get("CLICOLOR_FORCE"):
            self.assertIsNone(ANSI.search(done.stdout + done.stderr), f"{arguments}: escapes in a pipe")
        return done

    def begin(self, *arguments, **others):
        """Starts the program in a session of its own, as a terminal does with a job."""
        process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.folder, text=True, env=ENVIRONMENT,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **others)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def experiment(self, name="small.json", **changes):
        """Writes an experiment of two arms and three suites each; a change to None leaves the key out."""
        content = {"corridor_experiment": 1, "name": "small", "seed": "0x7", "suites": 3, "sequences": 2,
                   "cases": [20, 60], "model": str(SOURCE / "experiments/library/models/paper.json"), "arms": [SPADA, PSOPP]}
        content.update(changes)
        text = json.dumps({key: value for key, value in content.items() if value is not None}, indent=1)
        (self.folder / name).write_text(text)
        return name

    def run_into(self, output, *arguments, **others):
        """`corridor run` without progress; what it prints as JSON."""
        done = self.corridor("run", *arguments, "-o", output, "--json", "--progress", "none", **others)
        return json.loads(done.stdout)

    def contents(self, path):
        """All tables as text, and the fingerprint of everything but the provenance."""
        with tempfile.TemporaryDirectory() as folder:
            self.corridor("export", path, "--all", folder)
            tables = {table: (pathlib.Path(folder) / f"{table}.csv").read_text() for table in TABLES}
        tables["hash"] = self.corridor("show", path, "tables", "--hash").stdout
        return tables

    def table(self, path, name, *options):
        """Rows of a table as dictionaries."""
        lines = self.corridor("export", path, "--table", name, "--json", *options).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def assert_same_bytes(self, *names):
        first = (self.folder / names[0]).read_bytes()
        for name in names[1:]:
            self.assertTrue(first == (self.folder / name).read_bytes(), f"{names[0]} and {name} differ")

    def assert_only(self, *names):
        """These files and folders, and none else, are there."""
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))

    def wait_until(self, condition, what, process=None):
        """Waits for a condition, as long as a process lives that is to bring it about; ctest has the last word."""
        while not condition():
            if process and process.poll() is not None:
                self.fail(f"ended with {process.returncode} before {what}: {process.communicate()}")
            time.sleep(0.01)

    def in_time(self, attempt, what):
        """Tries what has to happen while a process is at work again, until it does: attempt() says whether it did, and else leaves things
        as they were. Of two processes that take turns on a loaded machine either may be the quicker one."""
        for _ in range(20):
            if attempt():
                return
        self.fail(f"{what}: it was over before that, twenty times")

    def cut(self, experiment):
        """Leaves a campaign in cut.h5 that was interrupted when something was stored."""
        def attempt():
            process = self.begin("run", experiment, "-o", "cut.h5", "--jobs", 1, "--progress", "none")
            self.wait_until(lambda: self.journals() > 0 or process.poll() is not None, "a suite was stored")
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
            if process.returncode == 0:
                self.remove("cut.h5*")
                return False
            self.assertEqual(process.returncode, 5, said)
            self.assertIn("; the same command goes on from there", said)
            return True
        self.in_time(attempt, "an interrupt")

    def remove(self, *patterns):
        """Files and folders that are there."""
        for pattern in patterns:
            for path in self.folder.glob(pattern):
                (shutil.rmtree if path.is_dir() else os.remove)(path)

    def children(self, process):
        """Processes of its session, zombies apart."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == process.pid:
                continue
            try:
                state, _, _, session = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:4]
            except (OSError, ValueError):
                continue
            if int(session) == process.pid and state != "Z":
                found.append(int(entry.name))
        return found

    def sizes(self, pattern):
        """Bytes of each file of the folder that is still there: a campaign removes its own when it ends."""
        for path in glob.glob(pattern, root_dir=self.folder):
            with contextlib.suppress(FileNotFoundError):
                yield (self.folder / path).stat().st_size

    def stored(self, pattern):
        """How many of these journals have a suite."""
        count = 0
        for path in glob.glob(pattern, root_dir=self.folder):
            with contextlib.suppress(FileNotFoundError):
                count += b"CORSUITE" in (self.folder / path).read_bytes()
        return count

    def journals(self):
        """Bytes in all journals of the folder."""
        return sum(self.sizes("*.parts/*.journal"))


def in_full(test):
    """A test that make check-full alone runs; elsewhere it is none."""
    return test if IN_FULL else None


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed or result.testsRun == 0 else 77 if skipped else 0)
