#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests implementations of TodoMVC by todomvc.json, shrinks the shortest run that failed, and prints a table.

todomvc_table.py PACKAGE [NAME ..] [--corridor PROGRAM] [--runs N] [--jobs N] [--budget N] [--keep DIRECTORY] [--all-of N]
  PACKAGE is node_modules/todomvc; NAME is a folder of its examples. Without names: all that Quickstrom's authors judged (PLDI 2022) and that
  run here. Actions are those of the shortest and of the longest walk that fails, or of all where none does. In DIRECTORY are NAME.h5, the smaller test NAME.json, and NAME/, with a picture of each of its steps: the last one fails.
  The exit code is 1 if a faulty one passed, or a sound one did not.
  With --all-of N, instead of walks that are drawn, all of N actions are carried out: where none violates a formula, the fewest are more."""
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


def sequences(length, taken=(), entry="", has_items=False, edits=False):
    """All that the test agent of todomvc.json may do with one item in so many commands, and some that it may not. Before there is an item that
    is typing alone: a page that keeps to the specification shows nothing else then."""
    if len(taken) == length:
        yield [{"do": command} for command in taken]
        return
    for text in ("a", "b", " ", "a b"):
        if not entry or text in "ab":
            yield from sequences(length, (*taken, {"do": "type", "text": text}), entry + text, has_items, edits)
    if not edits:
        is_added = bool(entry.strip())
        yield from sequences(length, (*taken, "key(Enter)"), "" if is_added else entry, has_items or is_added, False)
    if has_items:
        for command in ("filter(all) filter(active) filter(completed) toggle_all clear_completed click(i1) edit(i1) destroy(i1)").split():
            yield from sequences(length, (*taken, command), entry, True, edits or command == "edit(i1)")
    if edits:
        for text in ("c", "d e", " ", "", " f "):
            yield from sequences(length, (*taken, {"do": "edit_text", "text": text}), entry, True, True)
        for command in ("key(Enter)", "key(Escape)"):
            yield from sequences(length, (*taken, command), entry, True, False)


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

    def try_all(self):
        """What becomes of each sequence: a verdict, and what was done until then."""
        file, path = json.loads((HERE / "todomvc.json").read_text()), self.kept.with_name(self.name + ".all.json")
        tests = [{"name": str(number), "cycles": self.given.all_of + 2, "agents": [{"name": "person", "goal": {"seq": steps}}]}
                 for number, steps in enumerate(sequences(self.given.all_of))]
        path.write_text(json.dumps({**{key: file[key] for key in ("name", "seed", "system", "states", "formulas")}, "entities": {"i1": "item"},
                                    "runs": 1, "tests": tests}))
        return [(test["verdict"], test["agents"][0]["actions"]) for test in self.test(path)]

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
            for picture in self.kept.glob("*.png"):  # of an earlier call
                picture.unlink()
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


def row_of_all(name, ends):
    words = [verdict for verdict, _ in ends]
    failed = [", ".join(map(said, actions)) for verdict, actions in ends if verdict == "fail"]
    return f"| {name} | {', '.join(f'{words.count(word)} {word}' for word in sorted(set(words)))} | {'; '.join(failed)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("names", nargs="*")
    parser.add_argument("--corridor", default="corridor")
    parser.add_argument("--runs", type=int, default=20, help="walks of 100 actions (20)")
    parser.add_argument("--jobs", type=int, default=2, help="browsers at a time (2)")
    parser.add_argument("--budget", type=int, help="tests that shrinking one may carry out (as many as it takes)")
    parser.add_argument("--keep", type=lambda path: pathlib.Path(path).resolve(), help="where results are left (nowhere)")
    parser.add_argument("--all-of", type=int, metavar="N", help="carry out all walks of N actions instead (4: some 750, 6 minutes)")
    given = parser.parse_args()
    given.corridor = shutil.which(given.corridor) and str(pathlib.Path(shutil.which(given.corridor)).resolve()) or parser.error(
        f"no program {given.corridor}")
    names, wrong = given.names or FAULTY + SOUND + OLDER, 0
    with tempfile.TemporaryDirectory(prefix="corridor-todomvc-table-") as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        given.keep = given.keep or pathlib.Path(folder)
        given.keep.mkdir(parents=True, exist_ok=True)
        if given.all_of:
            print("| implementation | walks | those that fail |\n| --- | --- | --- |", flush=True)
            for name, ends in zip(names, pool.map(lambda name: Implementation(name, given).try_all(), names)):
                print(row_of_all(name, ends), flush=True)
                wrong += name in SOUND and any(verdict == "fail" for verdict, _ in ends)
            return 1 if wrong else 0
        print("| implementation | published | walks that fail | actions | formulas violated | the shortest, shrunk | from .. to |\n"
              "| --- | --- | --- | --- | --- | --- | --- |", flush=True)
        for name, report in zip(names, pool.map(lambda name: Implementation(name, given).judge(), names)):
            print(row(name, report), flush=True)
            verdicts = {test["verdict"] for test in report["tests"]}
            wrong += "fail" not in verdicts if name in FAULTY else verdicts != {"pass"} if name in SOUND else 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
