#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor efsm reach -o and --constraints: a file decides as rings that are found anew, and what is wrong with it is said."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CORRIDOR, MODELS = sys.argv[1], pathlib.Path(sys.argv[2])
GOALS = [("counter3", "trap_t3", 2), ("counter3", "trap_t3", 0), ("inres_initiator", "all-transitions", 2),
         ("inres_initiator", "transition-pairs", 1), ("phone_call_time", "all-transitions", 0), ("billing_synth", "trap_t13", 5),
         ("billing_depth", "trap_t13", 30), ("lossy_link", "guard-boundaries", 3)]
REMEDY = "\n  make it again: corridor efsm reach MODEL.json --goal GOAL -o FILE\n"


def run(*arguments, code=0):
    done = subprocess.run([CORRIDOR, "efsm", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (code if isinstance(code, tuple) else (code,)), (done.returncode, done.stderr)
    return done


def holds(condition, values):
    """A condition of a file by Python's own evaluation."""
    return eval(condition.replace("&&", " and ").replace("true", "True"), {}, values)


class Constraints(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "c.json"

    def tearDown(self):
        self.folder.cleanup()

    def write(self, model, goal, depth):
        run("reach", MODELS / f"{model}.json", "--goal", goal, "-o", self.file, "--force", "--summary",
            *(["--depth", depth] if depth else []), code=(0, 7))
        return json.loads(self.file.read_text())

    def refused(self, content, model="counter3", goal="trap_t3"):
        self.file.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
        done = run("plan", MODELS / f"{model}.json", "--goal", goal, "--planner", "paper", "--constraints", self.file, code=3)
        return re.sub(r"c\.json:\d+:\d+: ", "c.json: ", done.stderr).replace(f"corridor: invalid input: {self.file}: ", "")

    def test_decisions_are_those_of_rings_that_are_found_anew(self):
        for model, goal, depth in GOALS:
            self.write(model, goal, depth)
            for what in ("plan", "test"):
                said = [run(what, MODELS / f"{model}.json", "--goal", goal, "--planner", "paper", "--moves", 400, "--json", *how,
                            code=(0, 7)).stdout for how in (["--depth", depth], ["--constraints", self.file])]
                self.assertEqual(said[0], said[1], (what, model, goal, depth))

    def test_rings_in_the_file_are_distances(self):
        """All states of a model by moves, forwards: those that need k moves are in ring k of the file and in none before."""
        made = self.write("counter3", "trap_t3", 0)
        places = {place["location"]: place["rings"] for place in made["traps"][0]["locations"]}
        explicit = json.loads(run("reach", MODELS / "counter3.json", "--goal", "trap_t3", "--backend", "explicit", "--json").stdout)
        seen = 0
        for row in explicit["sheets"]["rings"]["rows"]:
            if row["constraint"].startswith("("):
                continue
            within = [c for r in places[row["location"]] if r["ring"] <= row["ring"] < r.get("until", 2 ** 32) for c in r["any_of"]]
            before = [c for r in places[row["location"]] if r["ring"] < row["ring"] for c in r["any_of"]]
            for x in range(0, 26, 5):
                for y in range(0, 26, 5):
                    for z in range(0, 26, 2):
                        values = {"x": x, "y": y, "z": z}
                        there = any(holds(c, values) for c in within) and not any(holds(c, values) for c in before)
                        listed = any(holds(c, values) for c in row["constraint"].split(" || "))
                        self.assertEqual(listed, there, (row["location"], row["ring"], values))
                        seen += there
        self.assertGreater(seen, 100)

    def test_files_are_read_that_are_larger_than_other_files_may_be(self):
        """Up to 256 MiB: a hundred rings of a model with guards of the paper's size."""
        self.write("counter3", "trap_t3", 2)
        text = self.file.read_text().rstrip()
        how = ("--goal", "trap_t3", "--planner", "paper", "--constraints", self.file)
        for blanks, code in (((256 << 20) - len(text), 0), ((256 << 20) + 1 - len(text), 3)):
            self.file.write_text(text[:-1] + " " * blanks + "}")
            done = run("plan", MODELS / "counter3.json", *how, code=code)
        self.assertEqual(done.stderr, f"corridor: invalid input: {self.file}: is larger than 256 MiB\n")

    def test_what_is_wrong_is_said(self):
        made = self.write("counter3", "trap_t3", 2)
        text = self.file.read_text()
        self.assertEqual(self.refused(text, "counter3_100"),
                         '/: was made for another model, "counter3", not for "counter3_100"' + REMEDY)
        self.assertEqual(self.refused(text, goal="t2"), '/: has the constraints of the goal "trap_t3", not of "t2"' + REMEDY)
        self.assertEqual(self.refused(made | {"fingerprint": "0x1"}), '/: the model "counter3" has changed since it was made' + REMEDY)
        self.assertEqual(self.refused(text.replace("x == 10", "x == 11", 1)),
                         "/checksum: does not fit the constraints: the file was changed or damaged" + REMEDY)
        self.assertTrue(self.refused(text.replace("x == 10", "x = 10", 1)).startswith(
            '/traps/0/locations/0/rings/0/any_of/0: is no constraint of this model from "x = 10 && y == 6 && z == 2" on'))
        self.assertIn('from "y == 99 ', self.refused(text.replace("y == 6", "y == 99", 1)))
        self.assertIn('from "q <= 3', self.refused(text.replace("y == 6", "q <= 3", 1)))
        self.assertEqual(self.refused(text.replace('"l1"', '"l9"', 1)),
                         '/traps/0/locations/0/location: the model has no location "l9"' + REMEDY)
        self.assertIn('is of a trap "other"; the goal has changed since, "trap_t3" stands there now',
                      self.refused(text.replace('"trap": "trap_t3"', '"trap": "other"')))
        self.assertIn('"until" is a later one', self.refused(text.replace('"ring": 2', '"ring": 3', 1)))
        self.assertIn('unknown format "efsm-constraints/2"', self.refused(made | {"format": "efsm-constraints/2"}))
        self.assertIn("a file of constraints", run("plan", self.file, "--goal", "t2", code=3).stderr)
        for member in made:
            self.assertIn(f'"{member}"', self.refused({key: value for key, value in made.items() if key != member}), member)
        for cut in range(0, len(text) - 1, 301):
            self.assertNotEqual(self.refused(text[:cut]), "")

    def test_constraints_from_the_start_alone_have_fewer_states_and_lead_as_far(self):
        model = MODELS / "billing_wide.json"
        whole = json.loads(run("reach", model, "--goal", "exceeded", "--depth", 4, "-o", self.file, "--summary", "--json").stdout)
        few = json.loads(run("reach", model, "--goal", "exceeded", "--depth", 4, "--from-start", "-o", self.file, "-f", "--summary",
                             "--json").stdout)
        cubes = [[row["cubes"] for row in found["sheets"]["traps"]["rows"]] for found in (whole, few)]
        self.assertLess(sum(cubes[1]), sum(cubes[0]))
        found = json.loads(run("plan", model, "--goal", "exceeded", "--planner", "paper", "--constraints", self.file, "--json").stdout)
        self.assertEqual(found["length"], 275)

    def test_what_does_not_go_together_is_refused(self):
        self.write("counter3", "trap_t3", 2)
        model = MODELS / "counter3.json"
        for what in ("plan", "test"):
            self.assertIn("--constraints are for --planner paper",
                          run(what, model, "--goal", "trap_t3", "--constraints", self.file, code=2).stderr)
            self.assertIn("--constraints are of a depth of their own: leave out --depth",
                          run(what, model, "--goal", "trap_t3", "--planner", "paper", "--depth", 2, "--constraints", self.file, code=2).stderr)
        self.assertIn("not with --fixpoint", run("reach", model, "--goal", "trap_t3", "--fixpoint", "-o", self.file, code=2).stderr)
        self.assertIn("not with --backend explicit",
                      run("reach", model, "--goal", "trap_t3", "--backend", "explicit", "-o", self.file, code=2).stderr)
        self.assertIn("--from-start is of the symbolic back end: leave out --backend explicit",
                      run("reach", model, "--goal", "trap_t3", "--backend", "explicit", "--from-start", code=2).stderr)
        self.assertIn("exists", run("reach", model, "--goal", "trap_t3", "-o", self.file, code=(3, 4, 5, 6)).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
