#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor.open: tables by h5py and by the program are the same, without any package they are rows; failures are executed again,
shrunk, kept, told with their traceback; the page and the picture for notebooks."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import unittest.mock
import xml.dom.minidom

import package
from package import BINARY, SOURCE, Case, corridor
from test_python_run import LAMPS

try:
    import h5py  # noqa: F401
    import pandas
except ImportError:
    pandas = None


class Results(Case):
    @classmethod
    def setUpClass(cls):
        cls.result = corridor.run({**LAMPS, "cases": 40}, progress=False)

    def exported(self, table, *options):
        return subprocess.run([BINARY, "export", self.result.path, "--table", table, *options], capture_output=True, text=True, check=True).stdout

    def test_a_question_in_sql_has_its_answer(self):
        answer = self.result.sql("select arm, count(*) as n from cases group by arm")
        count = self.result.tables["cases"]
        self.assertEqual(sum(row["n"] for row in (answer if pandas is None else answer.to_dict("records"))), count)
        self.assertEqual(list(self.result.sql("select 1 as a, 2 as b from cases where false")), [] if pandas is None else ["a", "b"])
        with self.assertRaisesRegex(corridor.Error, "no such table: cassis"):
            self.result.sql("select * from cassis", self.result)

    def test_every_table_is_what_the_program_exports(self):
        if pandas is None:
            self.skipTest("no pandas and h5py")
        direct = 0
        for name, count in self.result.tables.items():
            frame = self.result.table(name)
            rows = [json.loads(line) for line in self.exported(name, "--format", "jsonl").splitlines()]
            self.assertEqual(len(frame), count)
            if not rows:
                continue
            self.assertEqual(list(frame.columns), list(rows[0]), name)
            direct += bool(frame.attrs["units"])
            for column in frame.columns:
                numbers = frame[column].astype(str) if frame[column].dtype == "category" else frame[column]
                for here, there in zip(numbers.tolist(), (row[column] for row in rows)):
                    if isinstance(there, float) and frame[column].dtype == "float32":
                        there = struct.unpack("f", struct.pack("f", there))[0]
                    self.assertTrue(here == there or (there is None and here != here), (name, column, here, there))
        self.assertGreater(direct, 8)
        self.assertEqual(self.result.cases["gray"].dtype, "category")
        self.assertIn("smoke", list(self.result.cases["gray"].cat.categories))
        self.assertEqual(self.result.cases.attrs["units"]["dissimilarity"], "value")
        self.assertEqual(list(self.result.table("cases", columns=["case", "arm"]).columns), ["case", "arm"])

    def test_without_packages_tables_are_rows_with_the_same_words(self):
        script = self.folder / "script.py"
        script.write_text("import sys\nfor name in ('pandas', 'numpy', 'h5py'):\n    sys.modules[name] = None\n"
                          f"import corridor, json\nresult = corridor.open({self.result.path!r})\n"
                          "print(result.failures, file=sys.stderr)\n"
                          "print(json.dumps([result.cases, result.failures, result.found, result.replay().trace]))\n")
        done = subprocess.run([sys.executable, "-B", script], capture_output=True, text=True, env={**os.environ, "COLUMNS": "80"})
        self.assertEqual(done.returncode, 0, done.stderr)
        cases, failures, found, trace = json.loads(done.stdout)
        lines = done.stderr.splitlines()
        self.assertRegex(lines[0], r"^key +class +cases ")
        self.assertTrue(lines[1].startswith(failures[0]["key"] + "  "))
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(cases, [json.loads(line) for line in self.exported("cases", "--format", "jsonl").splitlines()])
        self.assertEqual({row["arm"] for row in found}, {"PSOPP-F5", "SPADA-F2"})
        self.assertEqual(trace[-1]["case"], failures[0]["case"])

    def test_rows_print_themselves_as_a_table(self):
        from corridor._table import Table
        rows = [{"key": f"a/{i}", "bits": i / 3, "n": None if i == 2 else 7 * i, "masked": i == 1, "why": "x" * i + "<b>\n"} for i in range(30)]
        table = Table(rows)
        with unittest.mock.patch.dict(os.environ, {"COLUMNS": "30"}):
            self.assertEqual(str(table).splitlines(), [
                "key      bits   n  masked",
                "a/0         0   0  no",
                "a/1  0.333333   7  yes",
                "a/2  0.666667      no",
                "a/3         1  21  no",
                "a/4   1.33333  28  no",
                "a/5   1.66667  35  no",
                "a/6         2  42  no",
                "a/7   2.33333  49  no",
                "a/8   2.66667  56  no",
                "a/9         3  63  no",
                "(20 more rows; more columns:",
                "why)"])
            self.assertEqual(str(table[2:4]), "key      bits   n  masked\na/2  0.666667      no\na/3         1  21  no\n(more columns: why)")
        with unittest.mock.patch.dict(os.environ, {"COLUMNS": "80"}):
            self.assertEqual(max(map(len, str(table).splitlines())), len("key      bits   n  masked  xxxxxxxxx<b>"))
            self.assertTrue(repr(Table([{"t": "y" * 99}])).endswith("\n" + "y" * 30 + ".."))
        self.assertEqual(table, rows)
        self.assertEqual((str(Table()), str(Table([], ["key", "class"]))), ("no rows", "no rows of key, class"))
        shown = table._repr_html_()
        xml.dom.minidom.parseString(f"<div>{shown}</div>")
        self.assertEqual((shown.count("<tr>"), shown.count("xx&lt;b&gt;")), (11, 8))
        self.assertTrue(shown.endswith("<div>20 more rows</div>"))

    def test_a_missing_table_or_view_is_the_programs_error(self):
        for call in (lambda: self.result.table("nonsense"), lambda: self.result.table("cases", columns=["nonsense"]),
                     lambda: self.result.view("nonsense")):
            with self.assertRaises((corridor.BadUsage, corridor.BadInput)) as caught:
                call()
            self.assertIn("nonsense", str(caught.exception))
        with self.assertRaises(corridor.FileTrouble):
            corridor.open(self.folder / "missing.h5")

    def test_views_are_those_of_the_program(self):
        view = self.result.view("survival")
        said = subprocess.run([BINARY, "show", self.result.path, "survival"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(str(view), said)
        document = json.loads(subprocess.run([BINARY, "show", self.result.path, "survival", "--json"], capture_output=True, text=True).stdout)
        self.assertEqual(list(view), list(document["sheets"]))

    def test_a_failure_is_executed_again_shrunk_and_kept(self):
        replayed = self.result.replay()
        self.assertTrue(replayed.equal)
        self.assertIn("Trace of ", str(replayed))
        small = self.result.shrink(output=self.folder / "small.json")
        self.assertEqual(small.content["corridor_test"], 1)
        self.assertTrue(small.replay()["replay"]["equal"])
        kept = self.result.keep(self.folder / "kept")
        self.assertTrue(kept)
        for test in kept:
            test.replay(expect="failing")
            with self.assertRaises(corridor.Violated) as caught:
                test.replay(expect="fixed")
            self.assertRegex(str(caught.exception), rf"^{re.escape(test.path)}: differs from what is expected\nTests\n  as expected: no\n")
            self.assertRegex(str(caught.exception), r"case \d+ fails: ")
        self.assertRaisesRegex(corridor.FileTrouble, r"name another file, or say force=True to replace it$",
                               self.result.shrink, output=self.folder / "small.json")

    def test_the_page_and_what_a_notebook_shows(self):
        page = self.result.report(self.folder / "page.html")
        self.assertIn("<svg", pathlib.Path(page).read_text(encoding="utf-8"))
        shown = self.result._repr_html_()
        self.assertIn("What was found", shown)
        picture = self.result.picture()
        self.assertIn(picture, shown)
        self.assertIn("Sequences in which nothing was detected so far", shown)
        self.assertEqual(xml.dom.minidom.parseString(picture).documentElement.tagName, "svg")
        self.assertNotIn("corridor shrink", repr(self.result))

    def test_an_exception_is_told_with_its_traceback_and_its_case(self):
        import guests  # noqa: F401
        arms = [{"name": "good", "algorithm": "snake"}, {"name": "bad", "algorithm": "raises"}]
        result = corridor.run({**LAMPS, "mode": "paired", "arms": arms}, progress=False)
        told = result.traceback().split("\n")
        self.assertRegex(told[0], r"^case bad/\d/\d/\d+$")
        self.assertEqual(told[1], "Traceback (most recent call last):")
        self.assertRegex(told[2], r'^  File ".*guests\.py", line \d+, in raises$')
        self.assertEqual(told[-2], "ZeroDivisionError: division by zero")
        self.assertEqual(self.result.traceback(), "")


if __name__ == "__main__":
    package.main()
