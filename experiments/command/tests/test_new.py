#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects that corridor new writes: their pages name what there is, and each of their steps does what it says."""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import unittest

import e2e

# Projects in Java, where there is a JDK.
JAVA = (("process", "--lang", "java"), ("algorithm", "--lang", "java")) if shutil.which("javac") and shutil.which("java") else ()
KINDS = ("experiment", "agent", "model", "monitor", "mechanism")


class New(e2e.Case):
    def plugin_path(self):
        """Where pkg-config finds the headers of the build, by a path without blanks, as installed ones have it."""
        where = self.folder / "pkgconfig"
        if not where.exists():
            where.mkdir()
            text = (e2e.BINARY.parent / "pkgconfig" / "corridor-plugin.pc").read_text()
            (where / "include").symlink_to(re.search("^includedir=(.*)$", text, re.M).group(1))
            (where / "corridor-plugin.pc").write_text(re.sub("^includedir=.*$", f"includedir={where / 'include'}", text, flags=re.M))
        return str(where)

    def begin_project(self, kind, name, *options):
        done = self.corridor("new", kind, name, *options)
        self.assertEqual(done.stdout, f"{name}: written\nnext: cd {name} && cat README.md\n")
        return self.folder / name

    def test_the_steps_of_each_page_run_as_they_stand(self):
        path = {"PATH": f"{e2e.BINARY.parent}:{e2e.ENVIRONMENT['PATH']}", "PKG_CONFIG_PATH": self.plugin_path()}
        for kind, *options in (*((kind,) for kind in KINDS), ("process",), ("process", "--lang", "python"), ("world",), ("world", "--lang", "c"),
                               ("system",), ("system", "--lang", "c"), *JAVA):
            project = self.begin_project(kind, f"our_{kind}_{options[-1] if options else 'usual'}", *options)
            page = (project / "README.md").read_text()
            for step in re.findall(r"^```sh\n(.*?)^```$", page, re.S | re.M):
                done = subprocess.run(["bash", "-e", "-c", step], cwd=project, env={**e2e.ENVIRONMENT, **path}, text=True,
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, 0, f"{step}{done.stdout}{done.stderr}")

    def test_nothing_of_a_project_is_called_as_in_the_example(self):
        for kind, *options in (*((kind,) for kind in (*KINDS, "algorithm")), ("process",), ("process", "--lang", "python"), ("process", "--lang", "java"), ("algorithm", "--lang", "java")):
            project = self.begin_project(kind, "ours", *options)
            self.assertIn("README.md", os.listdir(project))
            for path in project.iterdir():
                self.assertNotRegex(path.name + path.read_text(), "my_(algo|experiment|agent|model|process|monitor|mechanism)|MyProcess")
            project.rename(self.folder / f"ours_{kind}{'_'.join(options)}")
        for system in ("robots", "sensors", "teams", "replicas", "zones"):
            self.corridor("new", "experiment", "ours", "--like", system)
            for path in (self.folder / "ours").iterdir():
                self.assertNotRegex(path.name + path.read_text(), "delivery_robots|sensor_heads|plant_teams|server_replicas|traffic_zones")
            (self.folder / "ours").rename(self.folder / system)

    def test_new_experiment_asks_nothing_and_its_three_commands_find_something(self):
        """Without a name, without a terminal; the commands of the page as they stand, and what they find."""
        done = self.corridor("new", "experiment", stdin=subprocess.DEVNULL)
        self.assertEqual(done.stdout, "my_experiment: written\nnext: cd my_experiment && cat README.md\n")
        project = self.folder / "my_experiment"
        section = (project / "README.md").read_text().split("## The next three commands\n")[1].split("\n## ")[0]
        steps = [line for line in re.search(r"```sh\n(.*?)```", section, re.S).group(1).splitlines() if line]
        self.assertEqual(len(steps), 3)
        said = [subprocess.run(["bash", "-c", step], cwd=project, text=True, capture_output=True, check=True,
                               env={**e2e.ENVIRONMENT, "PATH": f"{e2e.BINARY.parent}:{os.environ['PATH']}"}).stdout for step in steps]
        self.assertIn("found            1 of 3 arms: spada-f2", said[0])
        self.assertIn("spada-f2/", said[1])
        self.assertTrue((project / "my_experiment.html").stat().st_size > 0)
        again = self.corridor("new", "experiment", code=4)
        self.assertEqual(again.stderr, "corridor: would overwrite: my_experiment: cannot make the folder: File exists\n"
                                       "  choose another name, or remove it first\n")
        for kind in ("algorithm", "agent", "model", "process", "stabilize", "monitor", "mechanism"):
            self.assertIn(f"my_{kind}: written", self.corridor("new", kind).stdout)

    def test_an_experiment_finds_its_fault_and_nothing_else(self):
        project = self.begin_project("experiment", "first")
        self.corridor("run", project / "first.json", "-o", "first.h5", "--fail-on", "unexpected")
        found = json.loads(self.corridor("failures", "first.h5", "--json").stdout)["sheets"]
        self.assertEqual({row["arm"] for row in found["failures"]["rows"]}, {"spada-f2"})

    def build_module(self, kind, name):
        """A project of that kind, built as its page says, with all warnings."""
        project = self.begin_project(kind, name)
        flags = subprocess.run(["pkg-config", "--cflags", "corridor-plugin"], text=True, capture_output=True, check=True,
                               env={**os.environ, "PKG_CONFIG_PATH": self.plugin_path()}).stdout.split()
        subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off",
                        *flags, f"{name}.c", "-o", f"{name}.so"], cwd=project, check=True)
        return project

    def run_project(self, project):
        done = subprocess.run([e2e.BINARY, "run", f"{project.name}.json", "-o", "r.h5", "--progress", "none"], cwd=project, text=True,
                              capture_output=True, check=False, env=e2e.ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {name: sheet.get("rows", []) for name, sheet in json.loads(self.corridor("show", project / "r.h5", "tables", "--json").stdout)["sheets"].items()}

    def test_a_monitor_is_sound_and_its_fault_is_found(self):
        project = self.build_module("monitor", "fuse")
        rows = self.run_project(project)
        self.assertEqual({row["arm"]: row["verdict"] for row in rows["found"]}, {"sound": "no check failed", "forgets": "found"})
        checks = {row["arm"]: row for row in rows["checks"]}
        self.assertTrue(checks["sound"]["alarms"] > 50 and checks["forgets"]["alarms_missed"] > 0 and checks["forgets"]["alarms_false"] == 0, checks)

    def test_a_mechanism_works_and_what_it_does_otherwise_is_its_own(self):
        project = self.build_module("mechanism", "evener")
        rows = self.run_project(project)
        self.assertEqual({row["arm"]: row["verdict"] for row in rows["found"]},
                         {"sound": "no check failed", "bare": "found", "beside": "found", "slowly": "found"})
        alarms = {row["arm"]: row["alarms"] for row in rows["checks"]}
        self.assertTrue(alarms["beside"] < alarms["slowly"] < alarms["bare"], alarms)
        self.corridor("check", project / "evener.so")
        # What a newcomer may forget: a number out of range, and a column that is not declared.
        source = (project / "evener.c").read_text()
        (project / "evener.c").write_text(source.replace("to = to > most ? most : to < least ? least : to;", "(void)most, (void)least;"))
        flags = subprocess.run(["pkg-config", "--cflags", "corridor-plugin"], text=True, capture_output=True, check=True,
                               env={**os.environ, "PKG_CONFIG_PATH": self.plugin_path()}).stdout.split()
        subprocess.run(["cc", "-std=c17", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", *flags, "evener.c", "-o", "evener.so"], cwd=project, check=True)
        said = " ".join(self.corridor("check", project / "evener.so", code=1).stdout.split())
        self.assertIn("works broken", said)
        self.assertIn("right: a number from 0 to 1", said)

    def test_a_process_in_each_language_is_sound_and_its_fault_is_found(self):
        found = {}
        for language in ("c", "python", *(("java",) if JAVA else ())):
            project = self.begin_project("process", f"ring_{language}", "--lang", language)
            if language == "c":
                flags = subprocess.run(["pkg-config", "--cflags", "corridor-plugin"], text=True, capture_output=True, check=True,
                                       env={**os.environ, "PKG_CONFIG_PATH": self.plugin_path()}).stdout.split()
                subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", *flags, "ring_c.c",
                                "-o", "ring_c.so"], cwd=project, check=True)
            if language == "java":
                subprocess.run(["javac", "-Xlint:all", "-Werror", "Corridor.java", "Ring.java"], cwd=project, check=True)
            what = json.loads((project / f"ring_{language}.json").read_text())
            self.assertEqual(list(what["arms"]), ["sound", "forgets"])
            (project / "few.json").write_text(json.dumps({**what, "suites": 1, "sequences": 4, "cases": 5}))
            subprocess.run([e2e.BINARY, "run", "few.json", "-o", "few.h5", "--progress", "none"], cwd=project, check=True, capture_output=True,
                           env=e2e.ENVIRONMENT)
            rows = list(csv.DictReader(io.StringIO(self.corridor("export", project / "few.h5", "--table", "sequences").stdout)))
            self.assertEqual({row["verdict"] for row in rows if row["arm"] == "sound"}, {"passed"})
            self.assertIn("failed", {row["verdict"] for row in rows if row["arm"] == "forgets"})
            found[language] = [[row[key] for key in ("arm", "verdict", "violated", "events", "messages", "ticks")] for row in rows]
        for language in found:
            self.assertEqual(found["c"], found[language], f"{language} does the same, event by event")

    def test_a_world_and_a_system_in_each_language_have_their_mistakes_found_and_mended(self):
        """All languages do the same, turn by turn; mended, the kept test says that it is."""
        languages = [(language, build) for language, program, build in (("python", "python3", None), ("js", "node", None), ("c", "cc", "cc"))
                     if shutil.which(program)]
        for kind, mistake, mended, fewest in (("world", "credit >= 2", "credit >= 3", ["insert", "buy"]),
                                              ("system", "lent + lost > 0", "lent > 0", ["lend", "lose", "return"])):
            said = {}
            for language, build in languages:
                project = self.begin_project(kind, "ours", "--lang", language)
                for path in project.iterdir():
                    self.assertNotIn(f"my_{kind}", path.name + path.read_text())
                program = next(path for path in project.glob("ours.*") if path.suffix in (".py", ".js", ".c"))

                def do(*words, code, project=project):
                    done = subprocess.run([e2e.BINARY, *words], cwd=project, text=True, capture_output=True, check=False, env=e2e.ENVIRONMENT)
                    self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                    return done.stdout

                def make(project=project, build=build):
                    if build:
                        subprocess.run([build, "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "ours.c", "-o", "ours"], cwd=project,
                                       check=True)
                make()
                do("run", "ours.json", "-o", "ours.h5", "--progress", "none", code=0)
                rows = list(csv.DictReader(io.StringIO(do("export", "ours.h5", "--table", "tests", code=0))))
                self.assertEqual({row["verdict"] for row in rows if row["arm"] == "goals"}, {"pass"})
                self.assertIn("fail", {row["verdict"] for row in rows if row["arm"] == "any"})
                first = next(n for n, row in enumerate(row for row in rows if row["arm"] == "any") if row["verdict"] == "fail")
                do("shrink", "ours.h5", "--failure", f"any/{first}", "-o", "t.json", "--trust", code=0)
                self.assertEqual([command["do"] for _, command in json.loads((project / "t.json").read_text())["schedule"]], fewest)
                do("replay", "t.json", "--trust", "--expect", "fixed", code=1)
                program.write_text(program.read_text().replace(mistake, mended))
                make()
                do("replay", "t.json", "--trust", "--expect", "fixed", code=0)
                said[language] = [[row[key] for key in ("arm", "verdict", "cycles")] for row in rows]
                project.rename(self.folder / f"{kind}_{language}")
            for language, rows in said.items():
                self.assertEqual(rows, said["python"], f"{kind} in {language}")
        self.begin_project("world", "usual")
        self.assertTrue((self.folder / "usual/corridor_world.py").exists())
        for kind in ("world", "system"):
            self.assertIn(f"there is no {kind} in java: --lang c --lang python --lang js", self.corridor("new", kind, "x", "--lang", "java", code=2).stderr)

    @unittest.skipUnless(shutil.which("cc"), "no compiler")
    def test_the_kit_of_worlds_in_c_reads_any_word(self):
        """What JSON writes as escapes, nests, or names like a member of the request."""
        project = self.begin_project("world", "echo", "--lang", "c")
        source = (project / "echo.c").read_text()
        source = source.replace("static int credit, sold;", "static int credit, sold; static char text[512]; static double number;")
        source = re.sub(r"static void act\(.*?^}", 'static void act(const char *action, const char *asked) {(void)action; '
                        'snprintf(text, sizeof text, "%s", cor_word(asked, "coin")); number = cor_number(asked, "n");}', source, flags=re.S | re.M)
        source = source.replace('cor_integer(to, "credit", credit);', 'cor_text(to, "credit", text); cor_real(to, "n", number);')
        (project / "echo.c").write_text(source)
        subprocess.run(["cc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover", "echo.c", "-o", "echo"], cwd=project, check=True)
        words = ["", "a b", 'say "no"', "back\\slash", "tab\tline\n", "\u00e9\u20ac\U0001f600", '{"coin":"not this"}', "}],[{", "\x01"]
        asked = [{"id": 1, "hello": {"protocol": 1, "seed": "0x1", "setup": ["\"do\":"]}}, {"id": 2, "reset": True}]
        asked += [{"id": n, "agent": "coin", "do": "insert", "with": {"coin": ["x"]}, "coin": word, "n": n / 4} for n, word in enumerate(words, 3)]
        for ascii_only in (True, False):
            lines = "".join(json.dumps(line, ensure_ascii=ascii_only, separators=(",", ":")) + "\n" for line in asked)
            done = subprocess.run(["./echo"], cwd=project, input=lines, capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            views = [json.loads(line) for line in done.stdout.splitlines()][2:]
            self.assertEqual([(view["id"], view["entities"][0]["credit"], view["entities"][0]["n"]) for view in views],
                             [(n, word, n / 4) for n, word in enumerate(words, 3)])

    def test_rings_of_each_language_are_the_same(self):
        """Of a project in C, Python and JavaScript stabilize says the same; of its fault, too."""
        said = {}
        for language in ("c", "python", "js"):
            if language == "js" and not shutil.which("node"):
                continue
            project = self.begin_project("stabilize", f"ring_{language}", "--lang", language)
            for path in project.iterdir():
                self.assertNotIn("my_ring", path.name + path.read_text())
            if language == "c":
                step = re.search(r"^```sh\n(cc .*?)^```$", (project / "README.md").read_text(), re.S | re.M).group(1)
                subprocess.run(["bash", "-e", "-c", step], cwd=project, env={**e2e.ENVIRONMENT, "PKG_CONFIG_PATH": self.plugin_path()}, check=True)
            said[language] = subprocess.run([e2e.BINARY, "stabilize", f"ring_{language}.json"], cwd=project, text=True, capture_output=True, env=e2e.ENVIRONMENT)
            self.assertEqual(said[language].returncode, 1, said[language].stderr)
            self.assertEqual(said[language].stdout, said["c"].stdout)
        self.assertIn("central      comes back and stays  24 steps", said["c"].stdout)

    def test_an_agent_keeps_to_its_design_and_a_mistake_in_it_is_found(self):
        project = self.begin_project("agent", "courier")
        program = project / "courier.py"
        self.corridor("agent", "test", project / "courier.json", "--agent", program, "--fail-on", "note")
        program.write_text(program.read_text().replace("load + kilos <= 100", "load + kilos < 100"))
        self.corridor("agent", "test", project / "courier.json", "--agent", program, "--fail-on", "note", code=1)

    def test_a_model_has_plans_that_are_shortest(self):
        project = self.begin_project("model", "gate")
        for goal, length in (("lock", 3), ("late", 3), ("all-transitions", 6)):
            plan = json.loads(self.corridor("efsm", "plan", project / "gate.json", "--goal", goal, "--json").stdout)
            self.assertEqual((plan["length"], plan["proven"]), (length, True), goal)

    def test_what_cannot_be_begun_is_told(self):
        self.assertIn('cannot begin "agnt"; did you mean "agent"?', self.corridor("new", "agnt", "x", code=2).stderr)
        self.assertIn("--like is for experiments", self.corridor("new", "agent", "x", "--like", "robots", code=2).stderr)
        self.assertIn('did you mean "robots"?', self.corridor("new", "experiment", "x", "--like", "robot", code=2).stderr)
        self.assertIn("--lang is for algorithms, processes, stabilize, worlds, systems, and agents of a design", self.corridor("new", "agent", "x", "--lang", "python", code=2).stderr)
        self.assertIn("there is no stabilize in java: --lang c --lang python --lang js",
                      self.corridor("new", "stabilize", "x", "--lang", "java", code=2).stderr)
        self.assertIn('"X" is no name', self.corridor("new", "model", "X", code=2).stderr)
        for kind, name in (("system", "json"), ("process", "token"), ("world", "corridor_world")):  # Python would import it in place of its own
            self.assertIn(f"{name}.py would hide a module", self.corridor("new", kind, name, "--lang", "python", code=2).stderr)
        for kind in ("algorithm", "process", "monitor"):
            self.assertIn(f"there is no {kind} in js", self.corridor("new", kind, "x", "--lang", "js", code=2).stderr)
        (self.folder / "there").mkdir()
        self.assertIn("choose another name", self.corridor("new", "model", "there", code=4).stderr)
        self.assert_only("there")


if __name__ == "__main__":
    e2e.main()
