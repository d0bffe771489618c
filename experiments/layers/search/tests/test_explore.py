#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor explore held against Ishigami's analytic indices, and against a second implementation over the raw rows.

usage: test_explore.py CORRIDOR MODULES [full]"""
import csv
import io
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

FULL = sys.argv[3:] == ["full"]
del sys.argv[3:]
MODULES = pathlib.Path(sys.argv.pop(2))
CORRIDOR = sys.argv.pop(1)
UNIT = [-1.0, 1.0]
GUEST = str(MODULES / "ishigami.so")


def experiment(**more):
    """Four agents of which two have to change partners in the one case of a sequence."""
    vane = {"environment": "sky", "states": {"low": 0.1, "high": 0.9}, "influence": {"calm": "low", "storm": "high"}}
    sky = {"states": ["calm", "storm"], "transitions": {"calm": {"storm": 1.0}, "storm": {"calm": 1.0}}, "start": "calm"}
    three = {"x1": UNIT, "x2": UNIT, "x3": UNIT, "budget": 1000000}
    return {"corridor_experiment": 1, "name": "ishigami", "seed": 5, "suites": 50, "sequences": 2, "cases": 1,
            "model": {"corridor_model": 1, "agents": 4, "structure": {"size_max": 2}, "groups": {"count": 4}, "inertia": [0.1, 0.9],
                      "environments": {"sky": {"profile": sky}}, "types": {"vane": vane}, "invariant": {"threshold": 1e-6}},
            "arms": [{"name": "sound", "algorithm": GUEST, "parameters": three},
                     {"name": "noisy", "algorithm": GUEST, "parameters": {"x1": UNIT, "noise": 5, "budget": 1000000}},
                     {"name": "whole", "algorithm": GUEST, "parameters": {"noise": [0, 9], "budget": [100, "1000 * noise + 100000"]}},
                     {"name": "tied", "algorithm": "psopp", "parameters": {"particles": [1, 4], "start_at_current": [0, "particles"], "budget": 50}},
                     {"name": "given", "algorithm": GUEST, "parameters": {"budget": 1000000}},
                     {"name": "corners", "algorithm": GUEST, "fault": "corners", "parameters": three},
                     {"name": "chosen", "algorithm": "psopp", "parameters": {"particles": [1, 4], "budget": 50},
                      "configurations": {"combine": 1}}], **more}


def ishigami_indices():
    v1, v2, v13 = (1 + 0.1 * math.pi ** 4 / 5) ** 2 / 2, 49 / 8, 8 * 0.01 * math.pi ** 8 / 225
    v = v1 + v2 + v13
    return {"x1": (v1 / v, (v1 + v13) / v), "x2": (v2 / v, v2 / v), "x3": (0, v13 / v), "chance": (0, 0)}


class Explore(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.experiment = self.file("ishigami.json")
        pathlib.Path(self.experiment).write_text(json.dumps(experiment()))

    def file(self, name):
        return os.path.join(self.folder.name, name)

    def corridor(self, *arguments, code=0):
        done = subprocess.run([CORRIDOR, *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def explore(self, arm, *options, measure="max spent", code=0):
        done = self.corridor("explore", self.experiment, "--arm", arm, "--isolate", "never", "--measure", measure, "--json",
                             *options, code=code)
        return [row for sheet in json.loads(done.stdout)["sheets"].values() for row in sheet["rows"]]

    def rows(self, path, inputs):
        """(inputs by name, spent) of each suite in turn."""
        with h5py.File(path) as file:
            names = {int(code): name.decode() if isinstance(name, bytes) else name
                     for code, name in zip(file["catalog/parameter/code"][:], file["catalog/parameter/name"][:])}
            table, spent = file["parameters"], file["reorganizations"]
            made = [{"spent": float(value)} for value in spent["spent"][:]]
            for suite, code, value in zip(table["suite"][:], table["parameter"][:], table["value"][:]):
                made[suite][names[int(code)]] = float(value)
        return [(tuple(row[name] for name in inputs), row["spent"]) for row in made]

    def test_indices_are_those_of_ishigami(self):
        """Within a hundredth by 16384 points, in full; within four by a quarter of them."""
        points, near = (16384, 0.01) if FULL else (4096, 0.04)
        rows = self.explore("sound", "--budget", 6 * points)
        self.assertEqual([row["input"] for row in rows], ["x1", "x2", "x3", "chance"])
        for row in rows:
            first, total = ishigami_indices()[row["input"]]
            self.assertLess(abs(row["first"] - first), near, row)
            self.assertLess(abs(row["total"] - total), near, row)
            self.assertEqual(row["points"], points)

    def test_indices_are_those_of_the_raw_rows(self):
        path, names = self.file("sobol.h5"), ("x1", "x2", "x3")
        shown = {row["input"]: row for row in self.explore("sound", "--budget", 700, "-o", path)}
        points = 700 // 6 // 16 * 16
        rows = self.rows(path, names)
        self.assertEqual(len(rows), points * 6)
        values = [row[1] for row in rows]
        ab = [values[6 * p + r] for p in range(points) for r in (0, 1)]
        mean = sum(ab) / len(ab)
        variance = sum((y - mean) ** 2 for y in ab) / (len(ab) - 1)
        for p in range(points):
            (a, _), (b, _) = rows[6 * p], rows[6 * p + 1]
            for i in range(3):
                self.assertEqual(rows[6 * p + 2 + i][0], a[:i] + (b[i],) + a[i + 1:])
            self.assertEqual(rows[6 * p + 5][0], a)
            self.assertTrue(all(-1 <= x < 1 for x in a + b))
        for i, name in enumerate((*names, "chance")):
            def indices(left_out):
                used = [p for p in range(points) if p % 16 != left_out]
                both = [values[6 * p + r] - mean for p in used for r in (0, 1)]
                centre = sum(both) / len(both)
                v = sum((y - centre) ** 2 for y in both) / (len(both) - 1)
                steps = [(values[6 * p + 1] - mean, values[6 * p + 2 + i] - values[6 * p]) for p in used]
                return (sum(b * d for b, d in steps) / len(used) / v, sum(d * d for _, d in steps) / (2 * len(used)) / v)
            first, total = indices(None)
            self.assertAlmostEqual(shown[name]["first"], first, 9)
            self.assertAlmostEqual(shown[name]["total"], total, 9)
            for which, word, value in ((0, "first", first), (1, "total", total)):
                without = [indices(block)[which] for block in range(16)]
                error = math.sqrt(15 / 16 * sum((w - sum(without) / 16) ** 2 for w in without))
                if error == 0:  # blocks that are all alike do not say how they may differ
                    self.assertEqual((shown[name][word + "_low"], shown[name][word + "_high"]), (None, None))
                    continue
                self.assertAlmostEqual(shown[name][word + "_high"], value + 2.131449546 * error, 7)
                self.assertAlmostEqual(shown[name][word + "_low"], value - 2.131449546 * error, 7)
        self.assertGreater(variance, 0)

    def test_elementary_effects_are_those_of_the_raw_rows(self):
        path, names = self.file("morris.h5"), ("x1", "x2", "x3")
        shown = {row["input"]: row for row in self.explore("sound", "--method", "morris", "--budget", 100, "-o", path)}
        self.assertIn("star", self.corridor("explore", path, "--measure", "max spent", "--csv").stdout.splitlines()[0])
        claim = "P >= 0.5 [ always not failed ]"
        for words, said in ((("decide", path, claim), "are chosen, not drawn"), (("show", path, "origins"), "are rows of a design")):
            self.assertIn(said, " ".join(self.corridor(*words, code=3).stderr.split()))
        self.corridor("decide", path, claim, "--given", 0, code=7)
        rows = self.rows(path, names)
        self.assertEqual(len(rows), 100)
        effects = {name: [] for name in names}
        for way in range(20):
            of_way = rows[5 * way:5 * way + 5]
            self.assertEqual(of_way[3][0], of_way[4][0])
            for (x, y), (z, w) in zip(of_way[:3], of_way[1:4]):
                moved = [i for i in range(3) if x[i] != z[i]]
                self.assertEqual(len(moved), 1)
                step = (z[moved[0]] - x[moved[0]]) / 2
                self.assertAlmostEqual(abs(step), 2 / 3)
                effects[names[moved[0]]].append((w - y) / step)
        for name, of_input in effects.items():
            self.assertEqual(len(of_input), 20)
            mean = sum(of_input) / 20
            self.assertAlmostEqual(shown[name]["mean"], mean, 5)
            self.assertAlmostEqual(shown[name]["star"], sum(map(abs, of_input)) / 20, 5)
            self.assertAlmostEqual(shown[name]["sigma"], math.sqrt(sum((e - mean) ** 2 for e in of_input) / 19), 5)

    def test_chance_is_told_apart(self):
        """10000 sin(pi x1) + 50000 u: variances 1/2 and 25/12."""
        rows = {row["input"]: row for row in self.explore("noisy", "--budget", 8192)}
        self.assertLess(abs(rows["x1"]["first"] - 0.5 / (0.5 + 25 / 12)), 0.03)
        self.assertLess(abs(rows["x1"]["total"] - 0.5 / (0.5 + 25 / 12)), 0.03)
        self.assertLess(abs(rows["chance"]["total"] - 25 / 12 / (0.5 + 25 / 12)), 0.05)

    def test_same_for_any_number_of_workers_and_again(self):
        hashes = set()
        for workers in (1, 3):
            path = self.file(f"with{workers}.h5")
            self.explore("noisy", "--budget", 400, "--jobs", workers, "-o", path)
            hashes.add(self.corridor("show", path, "--hash").stdout)
        self.assertEqual(len(hashes), 1)
        other = self.file("other.h5")
        self.explore("noisy", "--budget", 400, "--seed", 6, "-o", other)
        self.assertNotIn(self.corridor("show", other, "--hash").stdout, hashes)
        # A campaign as any other: executed again it is the same, and it can be asked for another measure.
        self.corridor("replay", path, "--trust")
        shown = json.loads(self.corridor("explore", path, "--measure", "sum spent", "--json").stdout)
        self.assertIn("sum spent", json.dumps(shown))
        self.assertEqual(self.corridor("show", path, "inputs", "--csv").stdout.count("max spent"), 2)

    def test_whole_numbers_are_as_likely(self):
        path = self.file("whole.h5")
        self.explore("whole", "--budget", 16 * 80 * 4, "--input", "noise=2:6", "-o", path)
        noise = [row[0][0] for row in self.rows(path, ("noise",))][::4]
        self.assertEqual(set(noise), {2, 3, 4, 5, 6})
        for value in range(2, 7):
            self.assertLess(abs(noise.count(value) / len(noise) - 0.2), 0.02)

    def test_what_does_not_change_has_no_indices(self):
        for method in ("sobol", "morris"):
            done = self.corridor("explore", self.experiment, "--arm", "sound", "--isolate", "never", "--measure", "max failed",
                                 "--budget", 200, "--method", method, code=7)
            self.assertIn("max failed is 0 in all rows: no input changes it", done.stdout)
            self.assertNotIn("nan", done.stdout.lower().replace("n/a", ""))
        rows = self.explore("sound", "--budget", 200, measure="max failed", code=7)
        self.assertTrue(all(row["first"] is None and row["total"] is None for row in rows), rows)
        done = self.corridor("explore", self.experiment, "--arm", "sound", "--isolate", "never", "--measure", "spent at 2",
                             "--budget", 200, code=7)
        self.assertIn("spent at 2: nothing is said of 0 points; at least 32 are needed", done.stdout)

    def test_messages(self):
        measured = ("--measure", "max spent")
        for arguments, code, said in (
                (("--arm", "sound"), 3, "it is not said what is to be explained"),
                (measured, 3, "has 7 arms; choose one with --arm"),
                (("--arm", "sond", *measured), 3, 'the experiment has no arm "sond"'),
                (("--arm", "chosen", *measured), 3, 'configurations of arm "chosen" are chosen already'),
                (("--arm", "sound", "--measure", "max spnt"), 3, '"spnt"'),
                (("--arm", "sound", *measured, "--input", "x4"), 3, 'the arm sound has no parameter "x4"'),
                (("--arm", "sound", *measured, "--input", "budget"), 3, '"budget" has no range of its own'),
                (("--arm", "tied", *measured, "--input", "start_at_current"), 3, '"start_at_current" has no range of its own'),
                (("--arm", "given", *measured), 3, "arm given has no parameter that is drawn by itself from a range"),
                (("--arm", "sound", *measured, "--input", "x1=0..1"), 3, '"x1=0..1" is no input with its range'),
                (("--arm", "sound", *measured, "--input", "x1=-2:1"), 3, "-2"),
                (("--arm", "sound", *measured, "--input", "x1=0.5:0.5"), 3, "is a range of one value"),
                (("--arm", "whole", *measured, "--input", "noise=0.5:2"), 3, '"noise" is drawn from whole numbers'),
                (("--arm", "sound", *measured, "--budget", 191), 3,
                 "191 test cases are too few: sobol needs at least 32 points of 6 rows, each of about 1 cases\n  --budget 192 or more"),
                (("--arm", "sound", *measured, "--method", "morris", "--budget", 19), 3, "needs at least 4 points of 5 rows"),
                (("--arm", "sound", *measured, "--method", "sobal"), 2, "sobal")):
            done = self.corridor("explore", self.experiment, "--isolate", "never", *arguments, code=code)
            self.assertIn(said, done.stderr, arguments)
        path = self.file("result.h5")
        pathlib.Path(self.experiment).write_text(json.dumps(experiment(suites=2)))
        self.corridor("run", self.experiment, "-o", path, "--isolate", "never")
        self.assertIn("has no arm whose configurations follow a design",
                      self.corridor("explore", path, *measured, code=3).stderr)
        self.assertIn("--budget has no meaning with a result file, which is run already", self.corridor("explore", path, "--budget", 10, code=2).stderr)

    def patterns(self, arm, *options):
        done = self.corridor("explore", self.experiment, "--arm", arm, "--isolate", "never", "--method", "patterns", "--json", *options)
        return {name: sheet["rows"] for name, sheet in json.loads(done.stdout)["sheets"].items()}

    def test_cells_are_those_that_can_be(self):
        """Ishigami's function is continuous: every cell from its least to its greatest value, and no other."""
        least, most = -(1 + 0.1 * math.pi ** 4), 8 + 0.1 * math.pi ** 4
        reachable = {5000.0 * cell for cell in range(int((least + 12) * 2), int((most + 12) * 2) + 1)}
        sheets = self.patterns("sound", "--measure", "max spent", "--cell", 5000, "--budget", 40000)
        found = {row["first"] for row in sheets["cells"] if row["by_search"] > 0}
        self.assertTrue(found <= reachable, found - reachable)
        self.assertTrue(reachable - found <= {min(reachable), max(reachable)}, reachable - found)  # mere tips
        self.assertTrue({row["first"] for row in sheets["cells"]} <= reachable)
        by = {row["arm"].split("/")[0]: row for row in sheets["filled"]}
        self.assertEqual(by["patterns"]["cells"], len(found))
        self.assertEqual(by["law"]["cells"], sum(row["by_law"] > 0 for row in sheets["cells"]))
        self.assertEqual(by["patterns"]["alone"], sum(row["by_law"] == 0 for row in sheets["cells"]))
        once = sum(row["by_law"] == 1 for row in sheets["cells"])
        self.assertAlmostEqual(by["law"]["missing"], once / 20000)

    def test_probabilities_are_those_of_the_law(self):
        """Beside a million points of a grid, with the corners in which the fault strikes as a second amount."""
        side = (numpy.arange(150) + 0.5) / 75 - 1
        a, b, c = numpy.meshgrid(side, side, side, indexing="ij")
        spent = 10000 * (numpy.sin(math.pi * a) + 7 * numpy.sin(math.pi * b) ** 2 + 0.1 * (math.pi * c) ** 4 * numpy.sin(math.pi * a) + 12)
        corner = ((a > 0.6) & (b > 0.6)) | ((a < -0.2) & (c < -0.7))
        counts = numpy.bincount((spent // 20000).astype(int).ravel() * 2 + corner.ravel())
        exact = {(cell // 2 * 20000.0, cell % 2 * 1.0): count / spent.size for cell, count in enumerate(counts) if count}
        pathlib.Path(self.experiment).write_text(json.dumps(experiment(cases=[1, 3])))
        rows = self.patterns("corners", "--measure", "max spent", "--cell", 20000, "--measure", "max fault_held", "--cell", 1,
                             "--budget", 24000)["cells"]  # of 12000 cases by the law 4000 sequences are sure to be executed
        found = {(row["first"], row["second"]) for row in rows}
        self.assertTrue(found <= set(exact), found - set(exact))
        self.assertTrue(all(exact[cell] < 1e-4 for cell in set(exact) - found))
        held = 0
        for row in rows:
            self.assertEqual(row["of"], 4000)
            self.assertEqual(row["probability"], row["sampled"] / 4000)
            held += row["low"] <= exact[row["first"], row["second"]] <= row["high"]
        self.assertEqual(sum(row["sampled"] for row in rows), 4000)
        self.assertGreater(sum(row["by_law"] for row in rows), 5000)
        self.assertGreaterEqual(held, len(rows) - 4)  # of some thirty at 95 %

    def test_more_cells_than_by_the_law(self):
        """So many searches each, of so many sequences."""
        searches, budget = (20, 2000) if FULL else (8, 1000)
        options = {"arm": "sound", "pattern": "max spent by 2000"}
        search = {"corridor_search": 1, "budget": budget, "islands": searches, "experiment": experiment(sequences=1), "generators": [
            {"name": "patterns", "generator": "coverage", **options}, {"name": "law", "generator": "random", **options}]}
        pathlib.Path(self.experiment).write_text(json.dumps(search))
        path = self.file("search.h5")
        self.corridor("run", self.experiment, "--isolate", "never", "-o", path)
        cells = {"patterns": [], "law": []}
        for row in json.loads(self.corridor("show", path, "searches", "--json").stdout)["sheets"]["islands"]["rows"]:
            cells[row["arm"].split("/")[0]].append(row["features"])
        mean = {name: sum(counts) / searches for name, counts in cells.items()}
        error = math.sqrt(sum((count - mean[name]) ** 2 for name, counts in cells.items() for count in counts) / (searches - 1) / searches)
        self.assertGreater(mean["patterns"] - mean["law"], 3 * error, (mean, error))
        self.assertTrue(all(count <= 143 for counts in cells.values() for count in counts))

    def test_patterns_are_the_same_for_any_number_of_workers(self):
        hashes = set()
        for workers in (1, 3):
            path = self.file(f"patterns{workers}.h5")
            self.patterns("noisy", "--measure", "max spent", "--cell", 3000, "--budget", 800, "--jobs", workers, "-o", path)
            hashes.add(self.corridor("show", path, "--hash").stdout)
            self.assertIn("The pattern space", self.corridor("explore", path).stdout)
        self.assertEqual(len(hashes), 1)

    def test_what_is_no_pattern_is_told(self):
        for arguments, said in ((("--measure", "max spent"), "there are 1 measures and 0 widths"),
                                (("--measure", "max spent", "--cell", "1", "--cell", "2"), "there are 1 measures and 2 widths"),
                                (("--measure", "max spent", "--cell", "0"), '"max spent by 0" is no amount with the width of its cells'),
                                (("--measure", "max spent", "--cell", "wide"), "is no amount with the width of its cells"),
                                (("--measure", "max spnt", "--cell", "1"), '"spnt"'),
                                (4 * ("--measure", "max spent", "--cell", "1"), "a pattern space has at most 3 amounts"),
                                (("--measure", "max spent", "--cell", "1", "--budget", "1"), "1 test cases are too few")):
            done = self.corridor("explore", self.experiment, "--arm", "sound", "--isolate", "never", "--method", "patterns", *arguments, code=3)
            self.assertIn(said, done.stderr, arguments)
        path = self.file("search.h5")
        self.corridor("search", self.experiment, "--arm", "sound", "--isolate", "never", "--budget", 50, "-o", path)
        self.assertIn("has no search that fills a pattern space", self.corridor("explore", path, code=3).stderr)

    def test_origins_are_the_corners_that_were_planted(self):
        path, names = self.file("origins.h5"), ("x1", "x2", "x3")
        done = self.corridor("explore", self.experiment, "--arm", "corners", "--isolate", "never", "--method", "origins",
                             "--budget", 6000, "--json", "-o", path)
        rows = json.loads(done.stdout)["sheets"]["origins"]["rows"]
        self.assertGreaterEqual(len(rows), 3)
        inputs = dict(enumerate(row[0] for row in self.rows(path, names)))
        self.assertEqual(len(inputs), 6000)
        strikes = {suite: (x[0] > 0.6 and x[1] > 0.6) or (x[0] < -0.2 and x[2] < -0.7) for suite, x in inputs.items()}
        left = {suite for suite in inputs if suite % 2 == 1}
        failing = sum(strikes[suite] for suite in left)
        for row in rows[:-1]:
            inside = {suite for suite in left if eval(row["box"], {"__builtins__": {}}, dict(zip(names, inputs[suite])))}
            self.assertEqual((len(inside), sum(strikes[suite] for suite in inside)), (row["fresh"], row["fresh_failing"]), row)
            self.assertTrue(strikes[int(row["example"].split("/")[1])])
            left -= inside
        for first in rows[:2]:
            self.assertGreater(first["fresh_failing"] / first["fresh"], 0.95)
        self.assertTrue({"x1 <= " in row["box"] and "x3 <= " in row["box"] and "x2" not in row["box"] for row in rows[:2]} == {True, False})
        self.assertEqual((rows[-1]["fresh"], rows[-1]["fresh_failing"]), (len(left), sum(strikes[suite] for suite in left)))
        self.assertLess(rows[-1]["fresh_failing"], 0.03 * failing)
        again = self.corridor("explore", path, "--method", "origins", "--json")
        self.assertEqual(json.loads(again.stdout)["sheets"]["origins"]["rows"], rows)
        # Sequences are those of the whole experiment: a key names the same.
        self.corridor("run", self.experiment, "--isolate", "never", "-o", self.file("run.h5"))
        drawn = [list(csv.DictReader(io.StringIO(self.corridor("export", file, "--table", "parameters").stdout)))
                 for file in (self.file("run.h5"), path)]
        of_run, of_origins = ({(row["suite"], row["parameter"]): row["value"] for row in some if row["arm"] == "corners" and int(row["suite"]) < 50} for some in drawn)
        self.assertEqual(of_run, of_origins)
        self.assertGreaterEqual(len(of_run), 200)

    def test_origins_of_nothing(self):
        explored = ("explore", self.experiment, "--isolate", "never", "--method", "origins")
        done = self.corridor(*explored, "--arm", "sound", "--budget", 500, code=7)
        self.assertIn("Nothing failed of 250 sequences of sound that boxes are counted in.", done.stdout)
        for arguments, said in ((("--arm", "sound", "--budget", 99), "99 test cases are too few: origins need at least 100 sequences"),
                                (("--arm", "sound", "--measure", "max spent"), "origins are those of failures"),
                                (("--arm", "corners", "--class", "nothing", "--budget", 200), "nothing")):
            self.assertIn(said, self.corridor(*explored, *arguments, code=3).stderr)
        path = self.file("run.h5")
        self.corridor("run", self.experiment, "--isolate", "never", "-o", path)
        self.assertIn("suites have several sequences", self.corridor("explore", path, "--method", "origins", code=3).stderr)

    def test_an_arm_of_which_nobody_knows_what_it_runs_is_refused(self):
        made = experiment()
        program = next(parent for parent in pathlib.Path(__file__).parents if parent.name == "experiments").parent / "algorithms/examples/shell/my_algo.sh"
        made["arms"] = [{"name": "shell", "algorithm": {"command": shlex.join(["sh", str(program)])}, "parameters": {"budget": [1, 9]}}]
        pathlib.Path(self.experiment).write_text(json.dumps(made))
        done = self.corridor("explore", self.experiment, "--measure", "max spent", "--budget", 200, code=3)
        self.assertIn('arm "shell" is not reproducible', done.stderr)

    def test_designs_stand_in_experiments(self):
        made = experiment(suites=24)
        made["arms"] = [dict(made["arms"][0], configurations={"design": "morris", "points": 4, "inputs": {"x1": [-1, 1]}})]
        for change, said in (({}, "is a design of 12 rows, each a suite: there are more suites"),
                             ({"points": 3}, "has 3 points; morris has at least 4"),
                             ({"design": "lhs"}, '"lhs"'),
                             ({"inputs": {}}, "has 0 inputs, expected 1 to 20"),
                             ({"measures": ["sum spnt"]}, '"spnt"'),
                             ({"design": "sobol", "points": 1000000}, "makes a design of 4000000 rows; at most 1000000 are made")):
            arm = dict(made["arms"][0], configurations={**made["arms"][0]["configurations"], **change})
            pathlib.Path(self.experiment).write_text(json.dumps({**made, "arms": [arm]}))
            done = self.corridor("run", self.experiment, "-o", self.file("none.h5"), "--isolate", "never", code=3)
            self.assertIn(said, done.stderr)
        pathlib.Path(self.experiment).write_text(json.dumps({**made, "suites": 12}))
        self.corridor("run", self.experiment, "-o", self.file("run.h5"), "--isolate", "never")
        self.assertIn('names no "measures"', self.corridor("show", self.file("run.h5"), "inputs", code=3).stderr)
        self.assertIn("mu*", self.corridor("explore", self.file("run.h5"), "--measure", "max spent").stdout)


unittest.main()
