#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that the program wrote is opened by all the readers that docs/result-file.md names. One that is not installed is
a skipped test."""
import importlib.util
import shutil
import subprocess
import unittest

import e2e
from e2e import SOURCE

READERS = SOURCE / "sim/record/tests/readers"
PYTHON = "/usr/bin/python3"


def lacks(*modules):
    return [name for name in modules if importlib.util.find_spec(name) is None]


def hdf5r():
    if not shutil.which("Rscript"):
        return False
    return subprocess.run(["Rscript", "-e", "library(hdf5r)"], capture_output=True, check=False).returncode == 0


class Readers(e2e.Case):
    def setUp(self):
        super().setUp()
        self.run_into("a.h5", self.experiment(), "--log-solutions")

    def read(self, *command):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    @unittest.skipIf(lacks("h5py", "pandas", "xarray", "h5netcdf"), "a Python reader is not there")
    def test_h5py_pandas_xarray(self):
        self.assertIn("agree", self.read(PYTHON, "-B", READERS / "read_result.py", "a.h5"))

    @unittest.skipIf(lacks("h5py", "pandas", "xarray", "h5netcdf") or not hdf5r(), "hdf5r is not there")
    def test_hdf5r(self):
        self.read(PYTHON, "-B", READERS / "read_result.py", "a.h5", "sums")
        self.assertIn("agree", self.read("Rscript", READERS / "read_result.R", "a.h5", "sums"))

    @unittest.skipUnless(shutil.which("h5dump"), "h5dump is not there")
    def test_h5dump(self):
        said = self.read("h5dump", "-H", "a.h5")
        for table in e2e.TABLES:
            self.assertIn(f'GROUP "{table}"', said)
        # All data can be read, not only the headers.
        self.assertIn("DATASET", self.read("h5dump", "-d", "/cases/dissimilarity", "a.h5"))

    @unittest.skipUnless(shutil.which("h5stat"), "h5stat is not there")
    def test_h5stat(self):
        self.assertIn("File information", self.read("h5stat", "a.h5"))

    @unittest.skipIf(lacks("h5py"), "h5py is not there")
    def test_export_says_what_the_file_says(self):
        import h5py
        with h5py.File(self.folder / "a.h5", "r") as file:
            for table in e2e.TABLES:
                rows = self.table("a.h5", table, "--raw")
                group = file[table]
                names = list(group.attrs["column-order"])
                self.assertEqual(len(rows), len(group[names[0]]))
                for name in names:
                    kind = group[name].dtype.type  # what is exported reads back to the same number of that type
                    stored = [None if value != value else value for value in group[name][()]]
                    exported = [kind(int(row[name], 16)) if isinstance(row[name], str) else
                                None if row[name] is None else kind(row[name]) for row in rows]
                    self.assertEqual(stored, exported, f"{table}/{name}")


if __name__ == "__main__":
    e2e.main()
