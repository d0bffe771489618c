#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests implementations of TodoMVC by todomvc.json, shrinks the shortest run that failed, and prints a table.

todomvc_table.py PACKAGE [NAME ..] [--corridor PROGRAM] [--runs N] [--jobs N] [--budget N] [--keep DIRECTORY]
  PACKAGE is node_modules/todomvc; NAME is a folder of its examples. Without names: all that Quickstrom's authors judged (PLDI 2022) and that
  run here. Actions are those of the shortest and of the longest walk that fails, or of all where none does. In DIRECTORY are NAME.h5, the smaller test NAME.json, and NAME/, with a picture of each of its steps: the last one fails.
  The exit code is 1 if a faulty one passed, or a sound one did not."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FAULTY = ("angular-dart angularjs backbone_marionette canjs canjs_require dijon dojo duel emberjs knockoutjs_require lavaca_require mithril "
          "ractive vanillajs").split()
SOUND = ("backbone backbone_require closure enyo_backbone exoskeleton knockback knockoutjs react react-backbone typescript-angular vue").split()
OLDER = ["angularjs_require", "typescript-backbone"]  # sound in 2021, known to be faulty when the package was made


def said(command):
    """As a person would say it: type "a", Enter, click i1."""
    words = [command["do"].replace("_", " ")] if command["do"] != "key" else []
    words += [json.dumps(value) if key == "text" else value for key, value in command.items() if key != "do"]
    return " ".join(words)


class Implementation:
    def __init__(self, name, given):
        self.name, self.given, self.kept = name, given, given.keep / name
        self.environment = {**os.environ, "TODOMVC": str(given.package / "examples" / name), "PICTURES": ""}

    def corridor(self, *arguments, **environment):
        """What it tells as JSON; all of its exit codes but those of verdicts are an end."""
        done = subprocess.run([self.given.corridor, *map(str, arguments), "--json"], capture_output=True, text=True, cwd=HERE,
                              env={**self.environment, **environment})
        if done.returncode not in (0, 1, 7):
            raise RuntimeError(f"{self.name}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def test(self, path, *options, **environment):
        return self.corridor("system", "test", path, "--isolate", "never", "--jobs", 1, *options, **environment)["tests"]

    def judge(self):
        result, small, walk = (self.kept.with_name(self.name + ending) for ending in (".h5", ".json", ".walk.json"))
        walk.write_text(json.dumps({**json.loads((HERE / "todomvc.json").read_text()), "runs": self.given.runs}))
        tests = self.test(walk, "--output", result, "--force")
        walk.unlink()
        report = {"tests": tests, "violated": sorted({f["check"] for test in tests for f in test["formulas"] if f["verdict"] == "failed"})}
        failed = [(test["cycles"], test["run"]) for test in tests if test["verdict"] == "fail"]
        if failed:
            budget = ("--budget", self.given.budget) if self.given.budget else ()
            report["shrunk"] = self.corridor("shrink", result, "--failure", f"system/{min(failed)[1]}", "--output", small, "--force", "--trust",
                                             "--isolate", "never", *budget)
        if failed and report["shrunk"]["repeats"]:
            shutil.rmtree(self.kept, ignore_errors=True)
            report["again"], = self.test(small, PICTURES=str(self.kept))
        return report


def row(name, report):
    failed = sorted(test["cycles"] for test in report["tests"] if test["verdict"] == "fail")
    others = [test["verdict"] for test in report["tests"] if test["verdict"] not in ("pass", "fail")]
    walks = [f"{len(failed)} of {len(report['tests'])}", *(f"{others.count(word)} {word}" for word in sorted(set(others)))]
    cells = [name, "faulty" if name in FAULTY else "sound" if name in SOUND else "sound later" if name in OLDER else "", ", ".join(walks),
             f"{failed[0]} to {failed[-1]}" if failed else str(sum(test["cycles"] for test in report["tests"])), ", ".join(report["violated"])]
    if "again" in report:
        shrunk = report["shrunk"]
        cells += [f"{shrunk['check'].split(' ', 1)[1]}: {', '.join(map(said, report['again']['agents'][0]['actions']))}",
                  f"{shrunk['commands_before']} to {shrunk['commands']}, {'proven' if shrunk['minimal'] else 'stopped'}"]
    else:
        cells += ["did not repeat" if failed else "", ""]
    return f"| {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("names", nargs="*")
    parser.add_argument("--corridor", default="corridor")
    parser.add_argument("--runs", type=int, default=20, help="walks of 100 actions (20)")
    parser.add_argument("--jobs", type=int, default=2, help="browsers at a time (2)")
    parser.add_argument("--budget", type=int, help="tests that shrinking one may carry out (as many as it takes)")
    parser.add_argument("--keep", type=lambda path: pathlib.Path(path).resolve(), help="where results are left (nowhere)")
    given = parser.parse_args()
    given.corridor = shutil.which(given.corridor) and str(pathlib.Path(shutil.which(given.corridor)).resolve()) or parser.error(
        f"no program {given.corridor}")
    names, wrong = given.names or FAULTY + SOUND + OLDER, 0
    with tempfile.TemporaryDirectory(prefix="corridor-todomvc-table-") as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        given.keep = given.keep or pathlib.Path(folder)
        given.keep.mkdir(parents=True, exist_ok=True)
        print("| implementation | published | walks that fail | actions | formulas violated | the shortest, shrunk | from .. to |\n"
              "| --- | --- | --- | --- | --- | --- | --- |", flush=True)
        for name, report in zip(names, pool.map(lambda name: Implementation(name, given).judge(), names)):
            print(row(name, report), flush=True)
            verdicts = {test["verdict"] for test in report["tests"]}
            wrong += "fail" not in verdicts if name in FAULTY else verdicts != {"pass"} if name in SOUND else 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
