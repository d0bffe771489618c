#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""todomvc.json against pages: one that keeps to the specification passes, and one with a fault does not. In full: each formula of a planted
fault is found by the walk, and a failing walk is shrunk to the fewest actions.

usage: test_todomvc_file.py CORRIDOR [full]"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CORRIDOR, FULL = sys.argv[1], "full" in sys.argv[2:]
FILTER = ("window.onhashchange = show;", 'window.onhashchange = function () { by("new-todo").value = ""; show(); };')
# What is changed in the page; formulas of which one has to see it.
FAULTS = [
    (FILTER, {"filter keeps the entry"}),
    (('(left === 1 ? "" : "s")', '"s"'), {"plural"}),
    (("!this.value.trim()", "!this.value"), {"blank adds nothing"}),
    (("if (todo === edited) edit.focus();", ""), {"edit starts"}),
    (("else remove(todo);", ""), {"blank commit destroys"}),
    (("todo.title = text.trim();", ";"), {"commit keeps text"}),
    (("todos.push({", 'location.hash = "#/"; todos.push({'), {"add keeps the filter"}),
    (("todos.push({", "todos.unshift({"), {"add appends"}),
    (("!todo.done; }).length", "true; }).length"), {"count is right", "click in all", "toggle all in all"}),
    (("todo.done === (chosen() === \"completed\")", "!todo.done"), {"completed are done", "filter shows"}),
    (("todos.forEach(function (todo) { todo.done = done; });", "todos.slice(1).forEach(function (todo) { todo.done = done; });"),
     {"toggle all in all", "toggle all in active", "toggle all in completed"}),
    (("{ todo.done = !todo.done; keep(); }", '{ todo.done = !todo.done; by("new-todo").value = ""; keep(); }'), {"click keeps entry and filter"}),
    (("destroy.onclick = function () {", "destroy.onclick = function () { remove(todos[0]);"), {"destroy"}),
    (('by("clear-completed").onclick = function () {', 'by("clear-completed").onclick = function () { by("new-todo").value = "";'),
     {"clear keeps the entry"}),
]


class File(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="corridor-test-todomvc-file-")))
        self.environment = {**os.environ, "TMPDIR": str(self.folder), "TODOMVC": str(HERE / "todos"), "PICTURES": ""}
        self.file = json.loads((HERE.parent / "todomvc.json").read_text())

    def plant(self, fault):
        page = (HERE / "todos" / "index.html").read_text()
        self.assertEqual(page.count(fault[0]), 1, fault[0])
        (self.folder / "page").mkdir(exist_ok=True)
        (self.folder / "page" / "index.html").write_text(page.replace(*fault))
        self.environment["TODOMVC"] = str(self.folder / "page")

    def run_it(self, *arguments):
        done = subprocess.run([CORRIDOR, *map(str, arguments), "--isolate", "never"], capture_output=True, text=True,
                              cwd=HERE.parent, env=self.environment)
        # Its keeper removes the folder of a world that was slow to end, and was ended; without a keeper the next world does.
        while list(self.folder.glob("corridor-todomvc-*")):  # ctest ends a test that hangs
            subprocess.run([sys.executable, "-B", HERE.parent / "todomvc.py", HERE / "todos"], input='{"id": 1, "reset": true}\n',
                           text=True, stdout=subprocess.DEVNULL, env=self.environment, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done

    def walk(self, actions, runs, *options):
        self.file["runs"] = runs
        self.file["goals"]["walk"]["goal"] = f"cycle > {actions}"
        return self.carry_out(*options)

    def carry_out(self, *options):
        (self.folder / "tests.json").write_text(json.dumps(self.file))
        done = self.run_it("system", "test", self.folder / "tests.json", "--jobs", "1", "--json", *options)
        said = json.loads(done.stdout)
        violated = [formula["check"] for test in said["tests"] for formula in test["formulas"] if formula["verdict"] == "failed"]
        self.assertEqual(done.returncode, 1 if violated else 0)
        return said["tests"], set(violated)

    def test_a_page_that_keeps_to_the_specification_passes(self):
        tests, violated = self.walk(100 if FULL else 6, 3 if FULL else 1)
        self.assertEqual((violated, {test["verdict"] for test in tests}), (set(), {"pass"}))
        self.assertEqual({formula["verdict"] for test in tests for formula in test["formulas"]}, {"passed"})

    def test_a_filter_that_clears_what_was_typed_is_seen(self):
        self.plant(FILTER)
        commands = ["type(a)", "key(Enter)", "type(b)", "filter(active)"]
        self.file.update(runs=1, tests=[{"name": "four", "agents": [{"name": "person", "goal": {"seq": [{"do": command} for command in commands]}}]}])
        (test,), violated = self.carry_out()
        self.assertEqual((test["verdict"], test["decided"], violated), ("fail", 4, {"filter keeps the entry"}))

    @unittest.skipUnless(FULL, "with full counts")
    def test_each_planted_fault_is_found(self):
        for fault, formulas in FAULTS:
            with self.subTest(fault[1]):
                self.plant(fault)
                self.assertTrue(self.walk(100, 8)[1] & formulas)

    @unittest.skipUnless(FULL, "with full counts")
    def test_a_failing_walk_is_shrunk_to_the_fewest_actions(self):
        self.plant(FILTER)
        self.walk(100, 1, "--output", self.folder / "walk.h5")
        shrunk = self.run_it("shrink", self.folder / "walk.h5", "--failure", "system/0", "--trust", "--output", self.folder / "small.json")
        small = json.loads((self.folder / "small.json").read_text())
        self.assertEqual((shrunk.returncode, len(small["schedule"]), "can be spared" in shrunk.stderr), (0, 4, True))


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("skipped: chromium is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
