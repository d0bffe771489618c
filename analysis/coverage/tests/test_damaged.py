#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_damaged.py CORRIDOR RANDOM_WORLD FLIPS CUTS: `corridor coverage` on files that are not what they should be: truncated at many
lengths, with bytes changed, of another program, of a newer major version, without a table or column, with values that
cannot be. Each ends within a time limit, by itself, with a message that names the file, or with figures that are none
absurd."""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

from coverage_document import document as by_arm

CORRIDOR, RANDOM_WORLD = sys.argv[1], sys.argv[2]
FLIPS, CUTS = map(int, sys.argv[3:5])


def numbers(value):
    if isinstance(value, dict):
        for child in value.values():
            yield from numbers(child)
    elif isinstance(value, list):
        for child in value:
            yield from numbers(child)
    elif isinstance(value, (int, float)):
        yield value


class Damaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="coverage-damaged-"))
        cls.whole = cls.folder / "whole.h5"
        subprocess.run([RANDOM_WORLD, "3", cls.whole, cls.folder / "whole.json"], check=True)
        cls.bytes = cls.whole.read_bytes()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def coverage(self, path, *options):
        return subprocess.run([CORRIDOR, "coverage", path, "--unsealed", *options], capture_output=True, text=True, check=False)

    def accept(self, done, what):
        """Figures or a message; never a signal, and no figure beyond its range."""
        self.assertIn(done.returncode, (0, 3, 4), f"{what}: {done.returncode} {done.stderr[:300]}")
        if done.returncode:
            self.assertRegex(done.stderr, r"^corridor: .*\.h5", what)
            return
        document = by_arm(json.loads(done.stdout))
        for value in numbers([a["all"] and a["all"]["covered"] for a in document["arms"]]):
            self.assertGreaterEqual(value, 0, what)
        for arm in document["arms"]:
            for level in (arm["all"] or {"covered": {}})["covered"].values():
                for name, measure in level.items():
                    self.assertLessEqual(measure["percent"] or 0, 100 + 1e-6, f"{what}: {name}")

    def changed(self, change):
        path = self.folder / "changed.h5"
        shutil.copy(self.whole, path)
        with h5py.File(path, "r+") as file:
            change(file)
        return path

    def fails(self, change, *words):
        done = self.coverage(self.changed(change))
        self.assertIn(done.returncode, (3, 4), done.stdout[:200] + done.stderr)
        for word in ("changed.h5", *words):
            self.assertIn(word, done.stderr)

    def test_a_whole_file_is_shown(self):
        done = self.coverage(self.whole, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["schema"], "corridor-coverage")
        self.accept(done, "whole")
        text = self.coverage(self.whole)
        self.assertEqual((text.returncode, text.stderr), (0, ""))
        self.assertIn("At a glance", text.stdout)

    def test_truncated_files_are_refused_by_name(self):
        path = self.folder / "cut.h5"
        for k in range(CUTS):
            path.write_bytes(self.bytes[:len(self.bytes) * k // CUTS])
            done = self.coverage(path, "--json")
            self.assertIn(done.returncode, (3, 4), f"cut at {k}/{CUTS}")
            self.assertIn("cut.h5", done.stderr)

    def test_changed_bytes_give_sane_figures_or_a_message(self):
        path, rng = self.folder / "flip.h5", random.Random(7)
        for k in range(FLIPS):
            data = bytearray(self.bytes)
            for _ in range(rng.choice((1, 1, 3, 20))):
                data[rng.randrange(len(data))] = rng.randrange(256)
            path.write_bytes(data)
            self.accept(self.coverage(path, "--json"), f"flip {k}")

    def test_files_of_others_are_refused(self):
        path = self.folder / "other.h5"
        with h5py.File(path, "w") as file:
            file["cases"] = [1, 2, 3]
        done = self.coverage(path)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("other.h5: an HDF5 file, but not a result file", done.stderr)
        path.write_text("no HDF5 at all\n")
        self.assertIn(self.coverage(path).returncode, (3, 4))
        self.assertIn(self.coverage(self.folder / "absent.h5").returncode, (3, 4))
        self.assertIn(self.coverage(self.folder).returncode, (3, 4))

    def test_a_newer_version_is_refused(self):
        def newer(file):
            file.attrs["format_version"] = numpy.array([2, 0], dtype=file.attrs["format_version"].dtype) \
                if numpy.ndim(file.attrs["format_version"]) else "2.0"
        self.fails(newer, "version")

    def test_a_missing_table_or_column_is_named(self):
        for table in ("suites", "profiles", "transitions", "visits", "chains", "sequences", "parameters", "counters"):
            self.fails(lambda file, table=table: file.__delitem__(table), table)
        self.fails(lambda file: file["transitions"].__delitem__("probability"), "probability")
        self.fails(lambda file: file["vectors"].__delitem__("walk"), "walk")

    def test_values_that_cannot_be_are_refused_or_not_shown(self):
        def put(table, column, value, row=0):
            def change(file):
                file[table][column][row] = value
            return change
        self.fails(put("profiles", "states", 65535), "table profiles", "65535 states")
        self.fails(put("profiles", "states", 0), "table profiles")
        self.fails(put("sequences", "cases", 2**32 - 1), "table sequences")
        self.fails(put("sequences", "walk_start", 2**64 - 1), "table sequences")
        self.fails(put("chains", "profile", 999), "table chains")
        self.fails(put("transitions", "to", 9999), "table transitions")
        self.fails(put("transitions", "count", 2**63), "table transitions")
        self.fails(put("visits", "count", 2**63), "table visits")
        self.fails(put("suites", "arm", 77), "table")
        self.fails(put("parameters", "parameter", 77), "table parameters")
        self.fails(put("counters", "counter", 77), "table counters")
        for value in (numpy.nan, numpy.inf, -1.0, 1e300):
            self.fails(put("transitions", "probability", value), "table transitions", "not between 0 and 1")

    def test_chunks_larger_than_any_that_is_written_are_left_to_hdf5(self):
        def chunks_of(rows, bytes_in_file=0):
            def change(file):
                group = file["transitions"]
                values = group["probability"][:]
                del group["probability"]
                column = group.create_dataset("probability", data=values, chunks=(rows,), maxshape=(None,), shuffle=True,
                                              compression="gzip", fletcher32=True)
                if bytes_in_file:
                    column.id.write_direct_chunk((0,), bytes(bytes_in_file))
            return change
        self.fails(chunks_of(1000, 4 << 20), "cannot read /transitions/probability")
        done = self.coverage(self.changed(chunks_of(1 << 20)), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(*(by_arm(json.loads(text))["all"] for text in (done.stdout, self.coverage(self.whole, "--json").stdout)))

    def test_wrong_options_are_refused_and_said(self):
        for options, code, words in ((("--arm", "fixd"), 3, 'did you mean "fixed"'), (("--suite", "99"), 3, "suite 99"),
                                     (("--suite", "x"), 2, "whole number"), (("--sheet", "grwth"), 2, 'did you mean "growth"')):
            done = self.coverage(self.whole, *options)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.coverage(self.whole, self.whole).returncode, 2)

    def test_one_arm_and_one_suite_can_be_chosen(self):
        done = self.coverage(self.whole, "--json", "--arm", "fixed", "--suite", "1")
        document = by_arm(json.loads(done.stdout))
        self.assertEqual([a["name"] for a in document["arms"]], ["fixed"])
        self.assertEqual(document["suite"], 1)
        self.assertEqual(document["arms"][0]["suites"], 1)
        self.assertEqual(document["all"]["all"]["covered"], document["arms"][0]["all"]["covered"])


unittest.main(argv=sys.argv[:1])
