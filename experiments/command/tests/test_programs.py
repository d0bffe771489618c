#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithms that somebody else wrote, in any language, from the beginning: new-algorithm, the installed header, the examples in a
campaign, the protocol's man page, and traffic that is recorded and replayed."""
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import unittest

import e2e
from e2e import BINARY, SOURCE

EXAMPLES = SOURCE / "algorithms/examples"
LIBRARY = SOURCE / "experiments/library/processes"
BUILT = BINARY.parent / "examples"  # example_c, example_program
MAN = (SOURCE / "docs/look-up/corridor-protocol.7").read_text()
TRANSCRIPT, TALKING = ([(sign, json.loads(line)) for sign, line in re.findall(r"^([<>]) (\{.*\})$", part, re.M)]
                       for part in MAN.split(".SH TRANSCRIPT OF AGENTS"))
TALKER = EXAMPLES / "python_decentralised/my_algo.py"
PROGRAMS = {"python": EXAMPLES / "python/my_algo.py", "shell": EXAMPLES / "shell/my_algo.sh", "program": BUILT / "my_algo"}


def write_short(path):
    """The example's experiment, shorter: whatever fails is asked again in a fresh process, and one of its arms always fails."""
    content = json.loads((EXAMPLES / "python/my_algo.json").read_text())
    path.write_text(json.dumps({**content, "sequences": 2, "cases": 12}))


def build(*command, **others):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, **others)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


class Examples(e2e.Case):
    def rows(self, path):
        """What was measured: all tables but those that name the algorithm."""
        tables = self.contents(path)
        del tables["hash"]
        return tables

    def test_all_languages_give_the_same_rows(self):
        content = json.loads((EXAMPLES / "c/my_algo.json").read_text())
        (self.folder / "all.json").write_text(json.dumps(content))
        write_short(self.folder / "short.json")
        algorithms = {"c": BUILT / "my_algo.so", **PROGRAMS}
        for standard in ("17", "20"):
            if shutil.which("clang++"):
                algorithms["c++" + standard] = self.folder / f"cpp{standard}.so"
                said = build("clang++", f"-std=c++{standard}", "-Wall", "-Wextra", "-Wpedantic", "-shared", "-fPIC", "-ffp-contract=off",
                             "-fvisibility=hidden", "-I", SOURCE / "algorithms/plugin/include", EXAMPLES / "cpp/my_algo.cpp",
                             "-o", algorithms["c++" + standard])
                self.assertEqual(said, "")
        for experiment, languages, least in (("all", set(algorithms) - set(PROGRAMS), 200), ("short", ("c", *PROGRAMS), 25)):
            rows = {}
            for name in languages:
                self.corridor("run", f"{experiment}.json", "-o", f"{experiment}-{name}.h5", "--progress", "none", "--algorithm", algorithms[name])
                rows[name] = self.rows(f"{experiment}-{name}.h5")
            for name in rows:
                self.assertEqual(rows[name], rows["c"], name)
            self.assertGreater(rows["c"]["reorganizations"].count("\n"), least)

    def test_without_extra_they_are_deal(self):
        for name, algorithm in (("deal", "deal"), ("mine", PROGRAMS["python"])):
            self.experiment(arms=[{"name": "A", "algorithm": str(algorithm), "parameters": {"agents": [2, 40]}}])
            self.corridor("run", "small.json", "-o", f"{name}.h5", "--progress", "none")
        for table in ("cases", "reorganizations", "violations"):
            self.assertEqual(self.table("deal.h5", table), self.table("mine.h5", table))

    def test_a_program_gives_the_same_for_any_number_of_workers(self):
        write_short(self.folder / "e.json")
        shutil.copy(EXAMPLES / "python/my_algo.py", self.folder)
        for jobs in ("1", "3"):
            self.corridor("run", "e.json", "-o", f"{jobs}.h5", "--progress", "none", "--jobs", jobs)
        self.assert_same_bytes("1.h5", "3.h5")

    def test_the_transcript_of_the_man_page_is_what_they_say(self):
        self.assertGreater(len(TRANSCRIPT), 6)
        self.assertEqual({word for sign, line in TALKING for word in line if sign == ">"}, {"id", "hello", "begin", "wake", "receive", "result", "bye"})
        for name, path, lines in (*((*one, TRANSCRIPT) for one in PROGRAMS.items()), ("talking", TALKER, TALKING)):
            asked = "".join(json.dumps(line, separators=(",", ":")) + "\n" for sign, line in lines if sign == ">")
            done = subprocess.run([path], input=asked, text=True, capture_output=True, check=True)
            self.assertEqual([json.loads(line) for line in done.stdout.splitlines()], [line for sign, line in lines if sign == "<"], name)

    def test_the_transcript_is_what_java_says(self):
        if not shutil.which("javac") or not shutil.which("java"):
            self.skipTest("no JDK")
        for path in (LIBRARY / "Corridor.java", LIBRARY / "java.options", EXAMPLES / "java/MyAlgo.java"):
            shutil.copy(path, self.folder)
        build("javac", "-Xlint:all", "-Werror", "Corridor.java", "MyAlgo.java", cwd=self.folder)
        asked = "".join(json.dumps(line, separators=(",", ":")) + "\n" for sign, line in TRANSCRIPT if sign == ">")
        java = ["java", "@java.options", "-cp", ".", "MyAlgo"]
        done = subprocess.run(java, cwd=self.folder, input=asked, text=True, capture_output=True, check=True)
        self.assertEqual([json.loads(line) for line in done.stdout.splitlines()], [line for sign, line in TRANSCRIPT if sign == "<"])
        # Whatever letters and numbers there are come back as they were, and what is thrown has its line.
        odd = {"id": 2, "task": {"structure": [[0]], "values": [[1e-300]], "parameters": {"extra": -1}, "fault": "\u00e4\ud83d\ude00\\\"\t"}}
        done = subprocess.run(java, cwd=self.folder, input=json.dumps(odd) + "\n", text=True, capture_output=True, check=True)
        self.assertRegex(json.loads(done.stdout)["failed"], r"^ArithmeticException: / by zero \(MyAlgo\.java:\d+\)$")
        write_short(self.folder / "short.json")
        content = json.loads((self.folder / "short.json").read_text())
        for arm in content["arms"]:
            arm["algorithm"] = {"command": " ".join(java)}
        (self.folder / "java.json").write_text(json.dumps(content))
        shutil.copy(EXAMPLES / "python/my_algo.py", self.folder)
        for name in ("short", "java"):
            self.corridor("run", f"{name}.json", "-o", f"{name}.h5", "--progress", "none")
        self.assertEqual(*({key: text for key, text in self.rows(f"{name}.h5").items()} for name in ("short", "java")))

    def test_calls_of_histories_are_said_in_java_as_in_python(self):
        if not shutil.which("javac") or not shutil.which("java"):
            self.skipTest("no JDK")
        for name in ("Corridor.java", "java.options", "corridor_process.py"):
            shutil.copy(LIBRARY / name, self.folder)
        (self.folder / "Calls.java").write_text("""
public class Calls extends Corridor.Process {
    public void input(String which, String data) {
        call("store", 0, "write", "x", 3L);
        returns(0, null);
        call("store", 1, "read", null, null);
        call("store", 2, "read", "y", null);
        returns(1, 3L);
        failed(2);
    }
    public void alarm(int which) {
        if (which == 0) throw new AssertionError("that cannot be");
        tell("store", 0, Float.NaN);
    }
    public static void main(String[] words) throws Exception { Corridor.run(Calls::new); }
}
""")
        (self.folder / "calls.py").write_text("""
import corridor_process
class Calls(corridor_process.Process):
    def input(self, which, data):
        self.call("store", "write", "x", 3).returns()
        one, other = self.call("store", "read"), self.call("store", "read", "y")
        one.returns(3)
        other.failed()
corridor_process.run(Calls)
""")
        build("javac", "-Xlint:all", "-Werror", "Corridor.java", "Calls.java", cwd=self.folder)
        lines = [{"id": 1, "hello": {"protocol": 1, "count": 1}}, {"id": 2, "start": 0, "now": 0, "seed": "0x1", "cells": [], "writes": []},
                 {"id": 3, "input": 0, "now": 1, "which": "any", "bytes": ""}, {"id": 4, "alarm": 0, "now": 2, "which": 0},
                 {"id": 5, "alarm": 0, "now": 3, "which": 1}]
        said = {}
        for name, command in (("java", ["java", "@java.options", "-cp", ".", "Calls"]), ("python", [sys.executable, "calls.py"])):
            asked = "".join(json.dumps(line) + "\n" for line in lines[:5 if name == "java" else 3])
            done = subprocess.run(command, cwd=self.folder, input=asked, text=True, capture_output=True, check=True)
            said[name] = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(said["java"][2], said["python"][2])
        self.assertEqual(len(said["java"][2]["did"]), 6)
        self.assertRegex(said["java"][3]["failed"], r"^AssertionError: that cannot be \(Calls\.java:\d+\)$")
        self.assertRegex(said["java"][4]["failed"], r"^IllegalArgumentException: NaN cannot be said in JSON")

    def test_agents_that_talk_find_what_one_program_finds(self):
        """The same dealing by messages: equal solutions, where no message is lost; and losing one is seen."""
        self.corridor("new", "algorithm", "talker", "--lang", "python", "--shape", "decentralised")
        for name in ("talker.py", "talker.json"):
            shutil.copy(self.folder / "talker" / name, self.folder)
        shutil.copy(EXAMPLES / "python/my_algo.py", self.folder)
        content = json.loads((self.folder / "talker.json").read_text())
        content.update(suites=1, sequences=1, cases=6, arms=[{"name": "sound", "algorithm": "./talker.py"}, {"name": "losing", "algorithm": "./talker.py", "mail": {"mode": "lossy", "loss_ratio": 0.5}}])
        (self.folder / "talker.json").write_text(json.dumps(content))
        self.corridor("run", "talker.json", "-o", "talk.h5", "--progress", "none", "--log-solutions")
        content["arms"] = [{"name": "sound", "algorithm": "./my_algo.py"}]
        (self.folder / "one.json").write_text(json.dumps(content))
        self.corridor("run", "one.json", "-o", "one.h5", "--progress", "none", "--log-solutions")
        cases = {name: [(row["case"], row["gray"], row["black"], row["inside"]) for row in self.table(name, "cases") if row["arm"] == "sound"]
                 for name in ("talk.h5", "one.h5")}
        self.assertEqual(cases["talk.h5"], cases["one.h5"])
        self.assertGreater(sum(row["reorganized"] for row in self.table("one.h5", "cases")), 0)
        self.assertTrue(any(row["gray"] == "failed" for row in self.table("talk.h5", "cases") if row["arm"] == "losing"))
        trace = ("replay", "talk.h5", "--failure", json.loads(self.corridor("failures", "talk.h5", "--json").stdout)["failures"][0]["key"], "--trace", "--trust")
        mail = json.loads(self.corridor(*trace, "--json").stdout)["sheets"]["mail"]["rows"]
        lost = [f"{row['when']}: {row['what']}: {row['values']}" for row in mail if row["about"] and row["times"] == 0]
        self.assertGreater(len(lost), 0)
        self.assertGreater(sum(row["about"] and row["times"] == 1 for row in mail), 12)  # not all of these are shown, but what was lost
        self.assertEqual([line.strip() for line in self.corridor(*trace).stdout.splitlines() if "lost in round" in line], lost[-12:])
        self.assertEqual(self.corridor("new", "algorithm", "x", "--shape", "decentralised", code=2).stderr.splitlines()[0],
                         "corridor: --shape decentralised is for algorithms in Python: add --lang python")

    def test_the_man_page_can_be_shown(self):
        if not shutil.which("man"):
            self.skipTest("no man")
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", str(SOURCE / "docs/look-up/corridor-protocol.7")], text=True,
                              capture_output=True, env={**os.environ, "MANWIDTH": "100"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in ("one_shot", "centralised", "decentralised", "overdue", "garbled"):
            self.assertIn(word, done.stdout)


class Traffic(e2e.Case):
    def setUp(self):
        super().setUp()
        write_short(self.folder / "my_algo.json")
        shutil.copy(EXAMPLES / "python/my_algo.py", self.folder)

    def recorded(self):
        self.corridor("run", "my_algo.json", "-o", "a.h5", "--progress", "none", "--record-traffic", "t")
        return (self.folder / "t").read_text().splitlines()

    def test_it_is_replayed_without_the_program(self):
        lines = self.recorded()
        (self.folder / "my_algo.py").unlink()
        self.corridor("run", "my_algo.json", "-o", "b.h5", "--progress", "none", "--replay-traffic", "t")
        self.assert_same_bytes("a.h5", "b.h5")
        self.corridor("run", "my_algo.json", "-o", "c.h5", code=4)
        at = next(i for i, line in enumerate(lines) if '"task":' in line)
        lines[at] = lines[at].replace('"budget":1000', '"budget":999')
        (self.folder / "t").write_text("\n".join(lines) + "\n")
        said = self.corridor("run", "my_algo.json", "-o", "c.h5", "--progress", "none", "--replay-traffic", "t", code=3).stderr
        self.assertIn(f"t:{at + 1}: the record has", said)
        self.assertIn('"budget":1000', said)

    def test_requests_have_their_members_in_the_order_of_the_man_page(self):
        tasks = [json.loads(line.split(" > ", 1)[1]) for line in self.recorded() if '> {"id":' in line and '"task":' in line]
        shown = [line for sign, line in TRANSCRIPT if sign == ">" and "task" in line]
        for faulty in (False, True):
            told = next(line for line in tasks if (line["task"]["fault"] is not None) == faulty)
            page = next(line for line in shown if (line["task"]["fault"] is not None) == faulty)
            self.assertEqual(list(told), list(page))
            self.assertEqual(list(told["task"]), list(page["task"]))
            self.assertEqual(list(told["task"]["rules"]), list(page["task"]["rules"]))

    def test_one_worker_records_and_an_old_record_stays(self):
        self.assertIn("--jobs 1", self.corridor("run", "my_algo.json", "-o", "a.h5", "--record-traffic", "t", "--jobs", "2", code=2).stderr)
        self.corridor("run", "my_algo.json", "-o", "a.h5", "--record-traffic", "t", "--replay-traffic", "t", code=2)
        (self.folder / "z.h5.parts").mkdir()
        said = self.corridor("run", "my_algo.json", "-o", "z.h5", "--record-traffic", "new", code=4).stderr
        self.assertIn("z.h5.parts: holds suites of an earlier run, which the recording would lack", said)
        self.assertFalse((self.folder / "new").exists())
        (self.folder / "t").write_text("mine")
        self.corridor("run", "my_algo.json", "-o", "a.h5", "--record-traffic", "t", code=4)
        self.assertEqual((self.folder / "t").read_text(), "mine")


class Arms(e2e.Case):
    def test_an_arm_gets_another_algorithm(self):
        write_short(self.folder / "e.json")
        shutil.copy(EXAMPLES / "python/my_algo.py", self.folder)
        self.corridor("run", "e.json", "-o", "a.h5", "--progress", "none", "--algorithm", "sound=deal")
        planned = json.loads(self.corridor("plan", "e.json", "--algorithm", "sound=deal", "--pilot", "0", "--json").stdout)["arms"]
        self.assertEqual([arm["algorithm"] for arm in planned], ["deal", "my_algo", "my_algo"])
        said = self.corridor("plan", "e.json", "--algorithm", "sonud=deal", code=3).stderr
        self.assertIn('there is no arm "sonud"', said)
        self.assertIn('did you mean "sound"?', said)
        self.assertIn('/arms/1', self.corridor("plan", "e.json", "--algorithm", "deal", code=3).stderr)  # it has no parameter extra

    def test_what_a_program_declares_is_what_an_experiment_may_say(self):
        shutil.copy(EXAMPLES / "python/my_algo.py", self.folder)
        for parameters, what in (({"extra": [0, 101]}, "integer from 0 to 100"), ({"extra": 0.5}, "integer from 0 to 100"),
                                 ({"xtra": 1}, 'did you mean "extra"?')):
            self.experiment(arms=[{"name": "A", "algorithm": "./my_algo.py", "parameters": parameters}])
            self.assertIn(what, self.corridor("plan", "small.json", code=3).stderr)
        self.experiment(arms=[{"name": "A", "algorithm": "./my_algo.py", "fault": "forgte"}])
        self.assertIn('did you mean "forget"?', self.corridor("plan", "small.json", code=3).stderr)
        listed = json.loads(self.corridor("list", "./my_algo.py", "deal", "--json").stdout)["algorithms"]
        self.assertEqual([(one["name"], one["origin"]) for one in listed], [("deal", "built-in"), ("my_algo", "./my_algo.py")])
        self.assertEqual(listed[1]["parameters"], [{"name": "extra", "meaning": "so many partitions more than there are", "unit": "partitions",
                                                    "default": 0.0, "min": 0.0, "max": 100.0, "integer": True}])

    def test_constraints_that_are_declared_hold_in_every_suite(self):
        text = (EXAMPLES / "python/my_algo.py").read_text()
        text = text.replace('"faults":', '"constraints": ["extra * 2 <= more"], "faults":').replace(
            '"integer": True}],', '"integer": True},\n {"name": "more", "meaning": "of it", "default": 3, "min": 0, "max": 9, "integer": True}],')
        (self.folder / "my_algo.py").write_text(text)
        (self.folder / "my_algo.py").chmod(0o755)
        drawn = {"name": "A", "algorithm": "./my_algo.py", "parameters": {"agents": [2, 9], "more": [0, 9], "extra": [0, 9]}}
        self.experiment(arms=[drawn], suites=30, sequences=1, cases=5)
        self.corridor("run", "small.json", "-o", "a.h5", "--progress", "none")
        suites = {}
        for row in self.table("a.h5", "parameters"):
            suites.setdefault(row["suite"], {})[row["parameter"]] = row["value"]
        pairs = [(suite["extra"], suite["more"]) for suite in suites.values()]
        self.assertEqual(len(pairs), 30)
        self.assertTrue(all(2 * extra <= more for extra, more in pairs), pairs)
        self.assertGreater(len(set(pairs)), 5)
        for probabilities in ({"c_random + c_own + c_best": 1}, {"c_random": [0.0, 0.5]}):  # psopp declares c_random + c_own + c_best = 1
            self.experiment(arms=[{"name": "A", "algorithm": "psopp", "parameters": {"agents": [2, 9], **probabilities}}])
            self.corridor("plan", "small.json", "--pilot", "0")
        self.experiment(arms=[{**drawn, "parameters": {"agents": [2, 9], "extra": [2, 9]}}])
        said = self.corridor("plan", "small.json", code=3).stderr
        # z3 names who contradicts whom; a build without it can only have drawn in vain.
        for words in ("algorithm my_algo", "extra * 2 <= more") if e2e.has_z3() else ("no parameters that meet",):
            self.assertIn(words, said)

    def test_another_version_is_refused_with_both_numbers(self):
        text = (EXAMPLES / "python/my_algo.py").read_text().replace('"protocol": 1', '"protocol": 7')
        (self.folder / "my_algo.py").write_text(text)
        (self.folder / "my_algo.py").chmod(0o755)
        self.assertIn("speaks protocol 7, but this is protocol 1", self.corridor("list", "./my_algo.py", code=3).stderr)


class NewAlgorithm(e2e.Case):
    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(e2e.tempfile.mkdtemp(prefix="corridor-prefix-"))
        cls.addClassCleanup(shutil.rmtree, cls.prefix)
        build("cmake", "--install", BINARY.parent, "--prefix", cls.prefix)
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": str(cls.prefix / "share/pkgconfig"), "CMAKE_PREFIX_PATH": str(cls.prefix)}

    def test_c_is_built_with_one_line_or_cmake_against_what_is_installed(self):
        self.corridor("new", "algorithm", "mine")
        self.assertEqual(sorted(os.listdir(self.folder / "mine")), ["CMakeLists.txt", "README.md", "mine.c", "mine.json"])
        self.assertNotIn("my_algo", "".join(path.read_text() for path in (self.folder / "mine").iterdir()))
        readme = (self.folder / "mine/README.md").read_text()
        line = re.search(r"^cc .*$", readme, re.M).group()
        inside = {"cwd": self.folder / "mine", "env": self.environment}
        self.assertEqual(build("sh", "-c", line.replace("cc ", "cc -Wall -Wextra -Werror ", 1), **inside), "")
        one = self.run_mine("one")
        (self.folder / "mine/mine.so").unlink()
        build("cmake", "-B", "build", **inside)
        build("cmake", "--build", "build", **inside)
        self.assertEqual(one, self.run_mine("two"))
        flags = build("pkg-config", "--cflags", "corridor-plugin", **inside).split()
        self.assertEqual([pathlib.Path(flag[2:]).resolve() for flag in flags], [(self.prefix / "include").resolve()])

    def run_mine(self, output):
        done = subprocess.run([self.prefix / "bin/corridor", "run", "mine.json", "-o", f"{output}.h5", "--progress", "none"],
                              cwd=self.folder / "mine", text=True, capture_output=True, env=e2e.ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.corridor("export", f"mine/{output}.h5", "--table", "reorganizations").stdout

    def test_python_runs_as_it_is(self):
        self.corridor("new", "algorithm", "mine", "--lang", "python")
        self.assertEqual(sorted(os.listdir(self.folder / "mine")), ["README.md", "mine.json", "mine.py"])
        self.assertTrue((self.folder / "mine/mine.py").stat().st_mode & stat.S_IXUSR)
        mine = self.folder / "mine/mine.json"
        mine.write_text(json.dumps({**json.loads(mine.read_text()), "sequences": 2, "cases": 12}))
        self.assertGreater(self.run_mine("one").count("\n"), 25)

    def test_names_and_folders_that_will_not_do_are_refused(self):
        (self.folder / "there").mkdir()
        self.assertIn("there", self.corridor("new", "algorithm", "there", code=4).stderr)
        self.assertEqual(os.listdir(self.folder / "there"), [])
        for name in ("Mine", "9th", "a-b", "a/b", "..", "", "x" * 64):
            self.assertIn("is no name: small letters", self.corridor("new", "algorithm", name, code=2).stderr)
        self.assertIn("c, python", self.corridor("new", "algorithm", "x", "--lang", "cobol", code=2).stderr)
        self.assert_only("there")

    def test_the_installed_man_page_is_there(self):
        self.assertTrue((self.prefix / "share/man/man7/corridor-protocol.7").is_file())


if __name__ == "__main__":
    e2e.main()
