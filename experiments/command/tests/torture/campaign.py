# SPDX-License-Identifier: GPL-3.0-or-later
"""A campaign of two suites to be tortured, what a quiet run of it leaves, and how a torture says what came of it."""
import collections
import contextlib
import glob
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

DONE, ENVIRONMENT, INCOMPLETE = 0, 4, 5
SECONDS = 120  # that a campaign of a tenth of a second may take on a loaded machine before it is said to hang
TWO_SUITES = {"name": "two", "seed": "0x7", "suites": 1, "sequences": 1, "cases": [5, 9],
              "arms": [{"name": "S", "algorithm": "spada", "parameters": {"agents": [2, 20]}},
                       {"name": "P", "algorithm": "psopp", "parameters": {"agents": [2, 20], "budget": 50}}]}
RESULT, PARTS = "out.h5", "out.h5.parts"
GIVEN = {"e.json", "model.json", "given.h5", "counter"}
OURS = GIVEN | {RESULT, RESULT + ".times.csv"}  # what may be there in the end


def report(name, count, problems, remarks=""):
    """One line that make torture collects in its table; the problems, and the exit code."""
    print(f"torture: {name} | {count} | {f'{len(problems)} PROBLEMS' if problems else 'all held'}{'; ' + remarks if remarks else ''}")
    for problem in problems[:20]:
        print(f"  {problem}")
    return 1 if problems else 0


def preload(module):
    """Variables with which a program loads a module first; LD_PRELOAD has blanks between paths, so that of a folder goes elsewhere."""
    path = pathlib.Path(module)
    return {"LD_PRELOAD": path.name, "LD_LIBRARY_PATH": str(path.parent)}


def words(counter):
    return ", ".join(f"{name} {count}" for name, count in sorted(counter.items(), key=lambda item: str(item[0])))


class Campaign:
    """A folder with an experiment, and the commands on it. Use with "with"."""

    def __init__(self, corridor, source, experiment=None):
        self.done = DONE  # the code of a quiet run
        self.corridor, self.problems, self.codes = corridor, [], collections.Counter()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-torture-"))
        experiment = {"corridor_experiment": 1, "model": str(pathlib.Path(source).resolve() / "experiments/library/models/paper.json"),
                      **(experiment or TWO_SUITES)}
        (self.folder / "e.json").write_text(json.dumps(experiment))
        self.quiet = self.failed = self.kinds = None
        self.gone_on = set()  # digests of folders from which the same command went on as it should

    def __enter__(self):
        return self

    def __exit__(self, *_unused):
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, jobs=1, program=None):
        return [program or self.corridor, "run", "e.json", "-o", RESULT, "--jobs", str(jobs), "--progress", "none"]

    def run(self, jobs=1, program=None, environment=None, command=None, **options):
        try:
            return subprocess.run(command or self.command(jobs, program), cwd=self.folder, capture_output=True, text=True, check=False,
                                  env={**os.environ, **(environment or {})}, timeout=SECONDS, **options)
        except subprocess.TimeoutExpired as hung:
            return subprocess.CompletedProcess(hung.cmd, -1, "", f"no end within {SECONDS} s")

    def result(self):
        path = self.folder / RESULT
        return path.read_bytes() if path.exists() else None

    def clean(self):
        for name in set(os.listdir(self.folder)) - GIVEN:
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def run_quietly(self):
        """What everything is compared with."""
        done = self.run()
        if done.returncode != self.done:
            sys.exit(done.stderr)
        self.quiet = self.result()
        self.clean()

    def counting(self, environment, program=None, command=None):
        """Runs, or executes a command, with a library that counts into the file "counter"; how much it counted."""
        counter = self.folder / "counter"
        counter.write_bytes(bytes(4096))
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        done = self.run(program=program, command=command, environment={"ASAN_OPTIONS": sanitizer, **environment})
        counted = counter.read_bytes()
        self.failed, self.kinds = counted[8:128].split(b"\0")[0].decode(), counted[128:].decode()  # see failing_calls.c
        return done, int.from_bytes(counted[:8], "little")

    def expect(self, holds, what, done):
        if not holds:
            print(f"PROBLEM {what}: exit code {done.returncode}, {done.stderr.strip()[:400]}", file=sys.stderr, flush=True)
            self.problems.append(f"{what}: exit code {done.returncode}, {done.stderr.strip()[:400]}")

    def judge(self, what, done):
        """A run on a bad day: a documented exit code, a message of the program's own, no other result file."""
        self.codes[done.returncode] += 1
        self.expect(done.returncode in (self.done, ENVIRONMENT, INCOMPLETE), what, done)
        self.expect(done.returncode == self.done or done.stderr.startswith("corridor: "), what + ", its message", done)
        self.expect(self.result() in ((self.quiet,) if done.returncode == self.done else (None, self.quiet)), what + ", its file", done)

    def digest(self):
        """Of the names, rights and bytes of all that is in the folder, bytes aside that tell readers who is, and was, at work and when."""
        paths = [self.folder, *sorted(path for path in self.folder.rglob("*") if path.name != "counter")]
        tells = lambda path: path.name in ("STATUS", "LOCK") or path.name.endswith((".times", "times.csv"))
        return hashlib.sha256(repr([(str(path), path.stat().st_mode, path.read_bytes() if path.is_file() and not tells(path) else None)
                                    for path in paths]).encode()).digest()

    def judge_again(self, what, **how):
        """The same command on a good day: the file of a quiet run, and nothing left beside it. Many bad days end before they change
        anything: a folder that is the same, byte for byte, as one that was gone on from like this is not gone on from again."""
        left = (self.digest(), repr(how))
        if left in self.gone_on:
            return
        known = len(self.problems)
        again = self.run(**how)
        ended = again.returncode == ENVIRONMENT and f"{RESULT}: exists already" in again.stderr  # the bad day came behind its end
        self.expect(again.returncode == self.done or ended, what + ", again", again)
        self.expect(self.result() == self.quiet, what + ", the file again", again)
        self.expect(set(os.listdir(self.folder)) <= OURS, f"{what}, left: {sorted(os.listdir(self.folder))}", again)
        if len(self.problems) == known:
            self.gone_on.add(left)

    def stored(self):
        """Suites in the journals that are there: a campaign removes them when it ends."""
        count = 0
        for path in glob.glob(PARTS + "/*.journal", root_dir=self.folder):
            with contextlib.suppress(FileNotFoundError):
                count += (self.folder / path).read_bytes().count(b"CORSUITE")
        return count

    def keep(self, name):
        """Keeps the folder as it is now under a name elsewhere; a function that brings it back."""
        kept = pathlib.Path(tempfile.mkdtemp(prefix=f"corridor-torture-{name}-"))
        shutil.copytree(self.folder, kept, dirs_exist_ok=True)

        def restore():
            self.clean()
            shutil.copytree(kept, self.folder, dirs_exist_ok=True)
        restore.forget = lambda: shutil.rmtree(kept, ignore_errors=True)
        return restore

    def beginnings(self, shim):
        """States that a bad day may find, name by name, each a function that makes it so: nothing there; a campaign that lacks
        nothing but the merge; one that was ended while its second suite was written."""
        states = {"run": self.clean}
        for call in range(1, 1000):
            self.counting({**preload(shim), "FAILING_CALLS": f"{self.folder}/counter:{call}:5:always"})
            if self.stored() == 2 and self.result() is None:
                break
            self.clean()
        else:
            sys.exit("no campaign was ended before its merge")
        states["merge"] = self.keep("merge")
        journal, = self.folder.glob(PARTS + "/*.journal")
        journal.write_bytes(journal.read_bytes()[:journal.read_bytes().rindex(b"CORSUITE") + 1000])
        states["recovery"] = self.keep("recovery")
        return states
