#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel: the same bytes again, whole by its own record, and where it is put it finds all that it needs, without packages,
variables or the build."""
import base64
import csv
import hashlib
import io
import os
import shutil
import subprocess
import sys
import zipfile

import package
from package import BINARY, SOURCE, Case

SCRIPT = """
import sys
assert not {"numpy", "pandas", "h5py"} & set(sys.modules)
import corridor, json
assert corridor.__file__.startswith(sys.argv[1]), corridor.__file__

@corridor.algorithm(faults=["loses"])
def first(task):
    blocks = [list(block) for block in task.blocks]
    if task.fault:
        task.injected.activated += 1
        del blocks[0][0]
    return blocks

result = corridor.run(json.load(open(sys.argv[2])), algorithm=first, output=sys.argv[3], progress=False)
assert isinstance(result.cases, list), type(result.cases)
assert {row["arm"]: row["verdict"] for row in result.found}["first-loses"] == "found", result.found
result.shrink(output=sys.argv[4]).replay(expect="failing")
print(open("/proc/self/maps").read())
"""


class Wheel(Case):
    def make(self, name):
        made = subprocess.run([sys.executable, "-B", SOURCE / "experiments/python/wheel.py", BINARY.parent, self.folder / name, "1"],
                              capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.folder / name / os.path.basename(made.stdout.strip())

    def test_it_is_made_alike_again_and_its_record_holds(self):
        path = self.make("one")
        self.assertRegex(path.name, r"^corridor-[\d.]+-py3-none-manylinux_\d+_\d+_\w+\.whl$")
        self.assertEqual(path.read_bytes(), self.make("two").read_bytes())
        with zipfile.ZipFile(path) as archive:
            record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
            rows = {row[0]: row for row in csv.reader(io.StringIO(archive.read(record).decode()))}
            self.assertEqual(sorted(rows), sorted(archive.namelist()))
            for name in archive.namelist():
                if name != record:
                    digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
                    self.assertEqual(rows[name][1:], [f"sha256={digest}", str(archive.getinfo(name).file_size)])

    def test_it_needs_nothing_but_python(self):
        path, place = self.make("one"), self.folder / "site [1]"
        pip = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir", "--target", place,
                              "--disable-pip-version-check", "--root-user-action=ignore", path], capture_output=True, text=True)
        if pip.returncode != 0:
            self.assertRegex(pip.stderr, "No module named pip|no such option")
            with zipfile.ZipFile(path) as archive:  # as pip puts it
                archive.extractall(place)
                for entry in archive.infolist():
                    (place / entry.filename).chmod(entry.external_attr >> 16)
        model = self.write("lamps.json", {
            "corridor_experiment": 1, "name": "lamps", "seed": 1, "mode": "paired", "suites": 2, "sequences": 2, "cases": 40,
            "model": {"corridor_model": 1, "agents": 5, "structure": {"size_min": 1, "size_max": 5}, "groups": {"count": 2},
                      "environments": {"sky": {"profile": {"states": ["dark", "bright"], "transitions": {
                          "dark": {"dark": 0.5, "bright": 0.5}, "bright": {"dark": 1}}}}},
                      "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1},
                                         "influence": {"dark": "on", "bright": "off"}}},
                      "invariant": {"threshold": 0.01}}})
        (self.folder / "script.py").write_text(SCRIPT)
        done = subprocess.run([sys.executable, "-S", "-B", self.folder / "script.py", place, model, self.folder / "r.h5", self.folder / "t.json"],
                              capture_output=True, text=True, env={"PYTHONPATH": str(place)}, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("libcorridor", done.stdout)  # the interpreter has not loaded it
        inside = place / "corridor/_library"
        found = subprocess.run(["ldd", inside / "libcorridor.so"], capture_output=True, text=True, check=True).stdout
        for line in found.splitlines():
            name = line.split()[0]
            self.assertNotIn("not found", line)
            if "/" not in name and (inside / name).exists():
                self.assertIn(str(inside), line)
        said = subprocess.run([sys.executable, "-S", "-m", "corridor", "show", self.folder / "r.h5"], capture_output=True, text=True,
                              env={"PYTHONPATH": str(place)}, check=True).stdout
        program = subprocess.run([BINARY, "show", self.folder / "r.h5"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said.split("\n  list ")[0], program.split("\n  list ")[0])


if __name__ == "__main__":
    package.main()
