#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""torture_calls.py CORRIDOR SOURCE FAILING_CALLS.so [EVERY]: every system call of a small campaign that changes files fails in
turn (or every EVERY-th), with a full disk or a broken one, once or from then on. Each time the exit code is a documented one, the
message is the program's own, no result file is another than the quiet one; and the same command, once nothing fails any more,
ends with the quiet one and leaves nothing behind."""
import collections
import errno
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CORRIDOR, SOURCE, SHIM = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
EVERY = int(sys.argv[4]) if len(sys.argv) > 4 else 1
DONE, ENVIRONMENT, INCOMPLETE = 0, 4, 5
EXPERIMENT = {"corridor_experiment": 1, "name": "calls", "seed": "0x7", "suites": 1, "sequences": 1, "cases": [5, 9],
              "model": str(SOURCE / "experiments/models/paper.json"),
              "arms": [{"name": "S", "algorithm": "spada", "parameters": {"agents": [2, 20]}},
                       {"name": "P", "algorithm": "psopp", "parameters": {"agents": [2, 20], "budget": 50}}]}
OURS = {"e.json", "counter", "out.h5", "out.h5.times.csv"}


class Calls:
    def __init__(self, folder):
        self.folder, self.counter = folder, folder / "counter"
        self.problems, self.codes = [], collections.Counter()
        (folder / "e.json").write_text(json.dumps(EXPERIMENT))

    def run(self, call=None, number=0, word="once"):
        """Runs the campaign; with a call it is that one which fails (0: none, they are counted)."""
        environment = dict(os.environ)
        if call is not None:
            self.counter.write_bytes(bytes(8))
            environment.update(LD_PRELOAD=SHIM, FAILING_CALLS=f"{self.counter}:{call}:{number}:{word}")
        return subprocess.run([CORRIDOR, "run", "e.json", "-o", "out.h5", "--jobs", "1", "--progress", "none"], cwd=self.folder,
                              capture_output=True, text=True, env=environment, check=False)

    def result(self):
        path = self.folder / "out.h5"
        return path.read_bytes() if path.exists() else None

    def clean(self):
        for name in set(os.listdir(self.folder)) - {"e.json", "counter"}:
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def expect(self, holds, what, done):
        if not holds:
            self.problems.append(f"{what}: exit code {done.returncode}, {done.stderr.strip()[:300]}")

    def fail_call(self, call, error, word, quiet):
        what = f"call {call}, {error}, {word}"
        done = self.run(call, getattr(errno, error), word)
        self.codes[done.returncode] += 1
        self.expect(done.returncode in (DONE, ENVIRONMENT, INCOMPLETE), what, done)
        self.expect(done.returncode == DONE or done.stderr.startswith("corridor: "), what, done)
        self.expect(self.result() in ((quiet,) if done.returncode == DONE else (None, quiet)), what + ", the file", done)
        again = self.run()
        ended = again.returncode == ENVIRONMENT and "out.h5: exists already" in again.stderr  # the call was behind its end
        self.expect(again.returncode == DONE or ended, what + ", again", again)
        self.expect(self.result() == quiet, what + ", the file again", again)
        self.expect(set(os.listdir(self.folder)) <= OURS, f"{what}, left: {os.listdir(self.folder)}", again)
        self.clean()

    def all(self):
        first = self.run(0)
        if first.returncode != DONE:
            sys.exit(first.stderr)
        calls, quiet = int.from_bytes(self.counter.read_bytes(), "little"), self.result()
        self.clean()
        if calls < 50:
            sys.exit(f"only {calls} calls were seen")
        for call in range(1, calls + 1, EVERY):
            for error in ("ENOSPC", "EIO"):
                for word in ("once", "always"):
                    self.fail_call(call, error, word, quiet)
        print(f"{sum(self.codes.values())} runs in which one of {calls} calls failed: {len(self.problems)} problems; "
              f"exit codes {dict(sorted(self.codes.items()))}")
        for problem in self.problems:
            print(f"  {problem}")
        return 1 if self.problems else 0


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-calls-"))
    try:
        sys.exit(Calls(folder).all())
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
