#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests implementations of TodoMVC by todomvc.json, shrinks the shortest run in which each formula fails, and prints a table.

todomvc_table.py PACKAGE [NAME ..] [--corridor PROGRAM] [--runs N] [--jobs N] [--pictures DIRECTORY] [--keep DIRECTORY]
  PACKAGE is node_modules/todomvc; NAME is a folder of its examples, all that are judged in Quickstrom (PLDI 2022) by default.

A command that can be left out is left out, so none of those in the table can be. Nothing is shrunk that does not fail again."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FAULTY = ("angular-dart angularjs backbone_marionette canjs canjs_require dijon dojo duel emberjs knockoutjs_require lavaca_require mithril "
          "ractive vanillajs").split()
SOUND = ("angularjs_require backbone backbone_require closure enyo_backbone exoskeleton knockback knockoutjs react react-backbone "
         "typescript-angular typescript-backbone vue").split()

ITEMS = {f"i{number}": "item" for number in range(1, 100)}  # sequences name them before a view has shown them


def said(command):
    """As a person would say it: add a, click i1."""
    value = next((value for key, value in command.items() if key != "do"), None)
    named = command["do"].replace("_", " ") if command["do"] != "key" else ""
    return " ".join(filter(None, (named, value if value is None or value.strip() == value != "" else json.dumps(value))))


def story(commands):
    return ", ".join(map(said, commands)) or "nothing"


def fails(test, formula):
    return any(f["check"] == formula and f["verdict"] == "failed" for f in test["formulas"])


class Implementation:
    def __init__(self, name, given):
        self.name, self.given = name, given
        self.file = json.loads((HERE / "todomvc.json").read_text())

    def run(self, tests=None, runs=1, pictures=None):
        """The tests as `corridor system test` tells them, of those of todomvc.json if there are no others."""
        file = {**self.file, "runs": runs, **({"tests": tests, "goals": {}, "entities": ITEMS} if tests else {})}
        environment = {**os.environ, "TODOMVC": str(self.given.package / "examples" / self.name), "PICTURES": str(pictures or "")}
        with tempfile.TemporaryDirectory(prefix="corridor-todomvc-table-") as folder:
            path = pathlib.Path(folder) / "tests.json"
            path.write_text(json.dumps(file))
            command = [self.given.corridor, "system", "test", str(path), "--isolate", "never", "--jobs", "1", "--json"]
            done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=HERE)
        if done.returncode not in (0, 1, 7):
            raise RuntimeError(f"{self.name}: {done.stderr.strip()}")
        return json.loads(done.stdout)["tests"]

    def replay(self, sequences, pictures=None):
        return self.run([{"name": f"sequence {number}", "cycles": len(commands),
                          "agents": [{"name": "person", "goal": {"seq": [{"do": command} for command in commands]}}]}
                         for number, commands in enumerate(sequences)], pictures=pictures)

    def shrink(self, commands, formula):
        """Parts of it are left out, ever smaller ones, as long as it fails; [] where it does not fail again."""
        again = self.replay([commands])[0]
        if not fails(again, formula):
            return None
        size = max(1, len(commands) // 2)
        while True:
            parts = [commands[:begin] + commands[begin + size:] for begin in range(0, len(commands), size)]
            parts = [part for part in parts if part and part != commands]
            found = [test["agents"][0]["actions"] for test in self.replay(parts) if fails(test, formula)] if parts else []
            if found:
                commands = min(found, key=len)
                size = min(size, max(1, len(commands) // 2))
            elif size == 1:
                return commands
            else:
                size //= 2

    def judge(self):
        begun = time.monotonic()
        tests = self.run(runs=self.given.runs)
        shortest = {}
        for test in tests:
            actions = test["agents"][0]["actions"]
            for formula in (f["check"] for f in test["formulas"] if f["verdict"] == "failed"):
                if formula not in shortest or len(actions) < len(shortest[formula]):
                    shortest[formula] = actions
        found = {formula: self.shrink(actions, formula) for formula, actions in shortest.items()}
        report = {"name": self.name, "runs": len(tests), "verdicts": [test["verdict"] for test in tests],
                  "why": sorted({test["why"] for test in tests if test["verdict"] not in ("pass", "fail")}),
                  "cycles": [test["cycles"] for test in tests], "found": found, "shortest": {f: len(a) for f, a in shortest.items()}}
        again = [commands for commands in found.values() if commands]
        if again and self.given.pictures:
            self.replay([min(again, key=len)], self.given.pictures / self.name)
        return {**report, "seconds": round(time.monotonic() - begun)}


def row(report):
    verdicts = report["verdicts"]
    words = ", ".join(f"{verdicts.count(word)} {word}" for word in dict.fromkeys(sorted(verdicts)))
    published = "faulty" if report["name"] in FAULTY else "sound" if report["name"] in SOUND else ""
    found = sorted(report["found"].items(), key=lambda pair: (len(pair[1] or [0] * 1000), pair[0]))
    told = "; ".join(f"*{formula.removeprefix('formula ')}*: {story(commands) if commands is not None else 'not again'}" for formula, commands in found)
    return f"| {report['name']} | {published} | {words} | {sum(report['cycles'])} | {told} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--corridor", default="corridor")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2, help="browsers at a time")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="what was found, NAME.json each")
    given = parser.parse_args()
    given.package = given.package.resolve()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    print("| implementation | published | runs | actions | fewest actions |\n| --- | --- | --- | --- | --- |", flush=True)
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for report in pool.map(lambda name: Implementation(name, given).judge(), given.names or FAULTY + SOUND):
            print(row(report), flush=True)
            missed += report["name"] in FAULTY and "fail" not in report["verdicts"]
            if given.keep:
                (given.keep / f"{report['name']}.json").write_text(json.dumps(report, indent=1))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
