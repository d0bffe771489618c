#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that the program wrote is opened by all the readers that docs/look-up/result-file.md names, and by the very lines of
that page. A reader that is not installed is a skipped test."""
import importlib.util
import os
import re
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
    def test_h5py_pandas_and_xarray_agree(self):
        self.assertIn("agree", self.read(PYTHON, "-B", READERS / "read_result.py", "a.h5"))

    @unittest.skipIf(lacks("h5py", "pandas", "xarray", "h5netcdf") or not hdf5r(), "hdf5r is not there")
    def test_hdf5r_agrees_with_python(self):
        self.read(PYTHON, "-B", READERS / "read_result.py", "a.h5", "sums")
        self.assertIn("agree", self.read("Rscript", READERS / "read_result.R", "a.h5", "sums"))

    @unittest.skipUnless(shutil.which("h5dump"), "h5dump is not there")
    def test_h5dump_names_every_table_and_reads_data(self):
        said = self.read("h5dump", "-H", "a.h5")
        for table in e2e.TABLES:
            (self.assertNotIn if table == "smokes" else self.assertIn)(f'GROUP "{table}"', said)  # a later table without rows
        # All data can be read, not only the headers.
        self.assertIn("DATASET", self.read("h5dump", "-d", "/cases/dissimilarity", "a.h5"))

    @unittest.skipUnless(shutil.which("h5stat"), "h5stat is not there")
    def test_h5stat_accepts_the_file(self):
        self.assertIn("File information", self.read("h5stat", "a.h5"))

    @unittest.skipIf(lacks("h5py"), "h5py is not there")
    def test_a_file_that_another_program_has_open_for_writing_is_called_so(self):
        import h5py
        shutil.copy(self.folder / "a.h5", self.folder / "open.h5")
        with h5py.File(self.folder / "open.h5", "a"):
            said = self.corridor("show", "open.h5", code=4).stderr
        self.assertIn("open.h5: is open for writing in another program, or was not closed by it\n  close it there", said)
        self.assertEqual(self.corridor("show", "open.h5", "--hash").stdout, self.corridor("show", "a.h5", "--hash").stdout)

    @unittest.skipIf(lacks("h5py"), "h5py is not there")
    def test_export_says_what_the_file_says(self):
        import h5py
        with h5py.File(self.folder / "a.h5", "r") as file:
            for table in e2e.TABLES:
                rows = self.table("a.h5", table, "--raw")
                if table == "smokes":
                    self.assertNotIn(table, file)
                    self.assertEqual(rows, [])
                    continue
                group = file[table]
                names = list(group.attrs["column-order"])
                self.assertEqual(len(rows), len(group[names[0]]))
                for name in names:
                    kind = group[name].dtype.type  # what is exported reads back to the same number of that type
                    stored = [None if value != value else value for value in group[name][()]]
                    exported = [kind(int(row[name], 16)) if isinstance(row[name], str) else
                                None if row[name] is None else kind(row[name]) for row in rows]
                    self.assertEqual(stored, exported, f"{table}/{name}")


PAGE = (SOURCE / "docs/look-up/result-file.md").read_text(encoding="utf-8").split("## Opening it")[1].split("\n## ")[0]
LINES = {language: block for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.S | re.M)}


@unittest.skipIf(lacks("h5py"), "h5py is not there")
class Lines(e2e.Case):
    """The lines of the page, each followed by one that says how many cases it has seen, and with how many alarms."""

    def setUp(self):
        import h5py
        super().setUp()
        self.run_into("results.h5", self.experiment())
        with h5py.File(self.folder / "results.h5", "r") as file:
            self.seen = f"seen {len(file['cases/alarm'])} {file['cases/alarm'][()].sum()}"
        self.corridor("export", "results.h5", "--all", "tables")
        (self.folder / "cases.jsonl").write_text(self.corridor("export", "results.h5", "-t", "cases", "--json").stdout)

    def run_lines(self, command, language, tell, name="cases", after=""):
        """`tell` stands behind each line that makes `name`."""
        lines = LINES[language].splitlines()
        made = [line for line in lines if re.match(rf"{name} +(=|<-) ", line)]
        self.assertTrue(made)
        text = "\n".join(line + ("\n" + tell if line in made else "") for line in lines) + "\n" + after
        (self.folder / "script").write_text(text, encoding="utf-8")
        done = subprocess.run([*command, "script"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(re.findall(r"^seen .*$", done.stdout, re.M), [self.seen] * len(made), done.stdout + done.stderr)
        return done.stdout

    @unittest.skipUnless(shutil.which("h5dump") and shutil.which("h5ls"), "h5dump is not there")
    def test_lines_for_the_shell_see_all_cases(self):
        shutil.rmtree(self.folder / "tables")
        (self.folder / "cases.jsonl").unlink()
        folder = e2e.BINARY.parent
        made, lines = LINES["sh"].split("\n", 1)  # the file is there
        self.assertEqual(made, "corridor run experiments/library/demo.json -o results.h5")
        done = subprocess.run(["bash", "-e", "-c", lines], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**e2e.ENVIRONMENT, "PATH": f"{folder}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("/cases/dissimilarity", done.stdout)
        self.assertTrue((self.folder / "tables/vectors/walk.csv").exists())
        count = self.seen.split()[1]
        self.assertEqual(str(len((self.folder / "cases.jsonl").read_text().splitlines())), count)
        self.assertIn(f"\ncases,{count},", done.stdout)

    @unittest.skipIf(lacks("h5py", "pandas", "xarray", "h5netcdf"), "a Python reader is not there")
    def test_lines_of_python_see_all_cases(self):
        said = self.run_lines([PYTHON, "-B"], "python", 'print("seen", len(cases["alarm"]), int(cases["alarm"].sum()))',
                              after='print(sorted((int(arm), name) for arm, name in names.items()), words[1], words[3], set(pandas.read_csv("tables/cases.csv").arm))')
        self.assertIn("[(0, 'S'), (1, 'P')] passed not_judged", said)

    @unittest.skipUnless(hdf5r(), "hdf5r is not there")
    def test_lines_of_r_see_all_cases(self):
        self.run_lines(["Rscript"], "r", 'cat("seen", nrow(cases), sum(cases$alarm), fill = TRUE)')

    @unittest.skipUnless(shutil.which("octave-cli"), "Octave is not there")
    def test_lines_of_octave_see_all_cases(self):
        tell = 'printf("seen %d %d\\n", numel(cases.alarm), sum(double(cases.alarm)));'
        self.run_lines(["octave-cli", "--quiet", "--no-init-file"], "octave", tell)

    def test_no_other_language_claims_to_be_run(self):
        self.assertEqual(set(LINES), {"sh", "python", "r", "octave", "matlab"})
        self.assertEqual(PAGE.count("```") // 2, len(LINES))


if __name__ == "__main__":
    e2e.main()
