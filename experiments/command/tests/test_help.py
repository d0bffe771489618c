#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Help, man page and completion: of every command, view and option, by example, in a terminal's width."""
import json
import re
import shutil
import subprocess
import unittest

import e2e
from e2e import SOURCE

GROUPS = {"start": ("new", "list", "plan", "run", "status"), "look": ("show", "report", "compare", "coverage", "export", "sql"),
          "a failure": ("failures", "replay", "shrink", "why", "ask", "tree"), "more failures": ("search", "estimate", "decide", "explore", "combine", "stabilize"),
          "agents, models, environments": ("agent", "efsm", "system", "profile"), "keep house": ("watch", "verify", "merge", "doctor", "check", "judge", "prove")}
FAMILIES = {"agent": ("order", "cases", "check", "test", "mutate"), "efsm": ("show", "compare", "check", "reach", "plan", "tables", "test", "mutants"),
            "system": ("check", "model", "mutants", "test", "train", "world"),
            "profile": ("fit", "influence", "chain", "show", "export", "walk")}
COMMANDS = tuple(name for names in GROUPS.values() for word in names
                 for name in ([f"{word} {action}" for action in FAMILIES[word]] if word in FAMILIES else [word]))
VIEWS = ("tables", "survival", "performance", "traps", "estimate", "findings", "tests", "searches")
VERBS = {"write", "watch", "tell", "list", "check", "run", "show", "make", "compare", "repeat", "find", "look", "decide", "estimate", "test", "fit", "merge", "print", "put",
         "count", "ask"}
ACTIONS = [name.split()[1] for name in COMMANDS if name.startswith("profile ")]
DATA = SOURCE / "profiles/data/biogas_synthetic.csv"



class Help(e2e.Case):
    def test_each_command_explains_itself_by_example(self):
        for command in COMMANDS:
            done = self.corridor(*command.split(), "--help")
            self.assertEqual(done.stderr, "")
            self.assertEqual(done.stdout, self.corridor(*command.split(), "-h").stdout)
            self.assertEqual(done.stdout, self.corridor("help", *command.split()).stdout)
            self.assertIn(f"Usage: corridor {command} ", done.stdout)
            examples = re.search(r"\nExamples:\n((?:  .*\n)+)", done.stdout).group(1)
            self.assertIn(f"  corridor {command}", examples)
            # Files of the repository that an example names are there.
            for path in re.findall(r"\b(?:experiments|profiles)/[\w/.]+", examples):
                self.assertTrue((SOURCE / path).exists(), path)

    def test_help_fits_the_terminal_and_cuts_no_word(self):
        """What is to be pasted stays a line; all else is the same words in lines of the width."""
        helps = [(*command.split(), "--help") for command in COMMANDS] + [("show", view, "--help") for view in VIEWS]
        for words in helps + [(family, "--help") for family in FAMILIES] + [("--help",), ("help", "sequence"), ("help", "masked")]:
            usual = self.corridor(*words).stdout
            for columns in (45, 60, 80, 100, 300):
                text = usual if columns == 80 else self.corridor(*words, environment={"COLUMNS": str(columns)}).stdout
                for line in text.splitlines():
                    if not re.match(r"(  |  gdb --args |Try: )corridor ", line):
                        self.assertLessEqual(len(line), min(columns, 100), f"{words}: {line}")
                if words != ("--help",):
                    self.assertEqual(sorted(text.split()), sorted(usual.split()), words)
                self.assertEqual(set(re.findall(r"^  corridor [^#\n]*[^# \n]", text, re.M)),
                                 set(re.findall(r"^  corridor [^#\n]*[^# \n]", usual, re.M)), words)

    def test_what_commands_print_fits_the_terminal(self):
        wind, model = SOURCE / "profiles/library/wind_2010.json", SOURCE / "experiments/library/efsm/lossy_link.json"
        for words in (("list",), ("list", "spada"), ("doctor",), ("plan", self.experiment(), "--pilot", "0.1"), ("profile", "show", wind),
                      ("efsm", "check", model), ("efsm", "show", model)):
            for columns in (70, 80, 100):
                for line in self.corridor(*words, environment={"COLUMNS": str(columns)}).stdout.splitlines():
                    self.assertLessEqual(len(line), columns, f"{words}: {line}")

    def test_messages_fit_the_terminal(self):
        """In a file each is a line, which logs are searched for."""
        for words, code in ((("run", "nowhere" * 9 + ".json", "-o", "x.h5"), 4), (("run", "a.json"), 4), (("run", "x.json", "--suites", "0"), 2),
                            (("profile", "fit", DATA, "-c", "nothing", "-k", "3"), 3)):
            usual = self.corridor(*words, code=code).stderr
            for columns in (40, 80):
                said = self.corridor(*words, code=code, environment={"COLUMNS": str(columns)}).stderr
                self.assertEqual(said.split(), usual.split())
                for line in said.splitlines():
                    self.assertTrue(len(line) <= columns or " " not in line.strip(), line)
            self.assertEqual([line for line in usual.splitlines() if not line.startswith("  ")], usual.splitlines()[:1])

    def test_examples_of_the_readme_name_files_that_are_there(self):
        block = re.search(r"## What you do with it\n\n```sh\n(.*?)```", (SOURCE / "README.md").read_text(), re.S).group(1)
        made = set()
        first, *lines = block.splitlines()
        self.assertTrue(first.startswith("PATH=$PWD/build/release:$PATH "), first)
        for line in lines:
            words = line.split("#")[0].split()
            self.assertEqual(words[0], "corridor")
            for before, word in zip(words, words[1:]):
                if re.search(r"\.\w+$", word) and before not in ("-o", "--draw"):
                    self.assertTrue(word in made or (SOURCE / word).exists(), line)
            made.update(word for before, word in zip(words, words[1:]) if before == "-o")
        self.assertIn("demo.h5", made)

    def test_the_overview_is_one_screen_of_groups(self):
        done = self.corridor("--help")
        self.assertEqual(done.stdout, self.corridor("help").stdout)
        self.assertEqual(done.stdout, self.corridor("help", "--help").stdout)
        lines = done.stdout.splitlines()
        self.assertLess(len(lines), 24)
        self.assertLessEqual(max(map(len, lines)), 80)
        listed = {}
        for column in ([line[:40] for line in lines], [line[40:] for line in lines]):
            title = None
            for line in column:
                title = line.strip() if line.strip() in GROUPS else title
                if title and (found := re.match(r"  (\w+) +(\w+) .", line)):
                    listed.setdefault(title, []).append(found.group(1))
                    self.assertIn(found.group(2), VERBS, line)
        self.assertEqual({title: tuple(names) for title, names in listed.items()}, GROUPS)
        for code in range(8):
            self.assertRegex(lines[-1], rf"[ ,:] {code} \w")
        man = " ".join(self.corridor("man-page").stdout.replace("\\-", "-").split())
        for code, meaning in re.findall(r"^\| (\d) \| (.*) \|$", (SOURCE / "docs/look-up/exit-codes.md").read_text(encoding="utf-8"), re.M):
            self.assertIn(f"{code} {meaning}", man)

    def test_summaries_begin_with_a_verb(self):
        for command in COMMANDS:
            self.assertIn(re.match(rf"corridor {command} - (\w+)", self.corridor(*command.split(), "--help").stdout).group(1), VERBS, command)
        for view in VIEWS:
            self.assertIn(f"corridor show {view} - show ", self.corridor("show", view, "--help").stdout)

    def test_each_word_of_the_glossary_is_explained_by_its_line_of_the_page(self):
        page = (SOURCE / "docs/look-up/words.md").read_text(encoding="ascii")
        rows = re.findall(r"^\| (?!word |---)(.+?) \| (.+?) \| (.+?) \|$", page, re.M)
        self.assertEqual(len(rows), len(re.findall(r"^\| ", page, re.M)) - 2)
        self.assertGreater(len(rows), 60)
        commands = {command.split()[0] for command in COMMANDS}
        self.assertEqual([row[0] for row in rows], sorted((row[0] for row in rows), key=str.lower))
        for names, meaning, example in rows:
            for name in names.split(", "):
                if name not in commands:
                    for typed in (name, name.upper()):
                        self.assertEqual(self.corridor("help", *typed.split()).stdout.split(), f"{names} {meaning} Example: {example}".split())
        self.assertEqual(self.corridor("help", "suites").stdout, self.corridor("help", "suite").stdout)
        for command in COMMANDS:  # one letter for one thing
            if re.search(r"--force\b", options := self.corridor(*command.split(), "--help").stdout.split("\nOptions:\n")[1]):
                self.assertIn("\n  -f, --force ", "\n" + options, command)
        self.assertIn('unknown word "siute"; did you mean suite?', self.corridor("help", "siute", code=2).stderr)
        self.assertIn('unknown word "maskd"; did you mean masked?', self.corridor("help", "maskd", code=2).stderr)
        self.assertIn("docs/look-up/words.md", (SOURCE / "README.md").read_text(encoding="utf-8"))

    def test_help_of_a_word_that_a_screen_shows_says_what_it_means(self):
        """By the glossary, by headings of columns, by parts of both: names of the glossary, headings and keys of all sheets in the
        sources, and each word of a heading."""
        column = re.compile(r'\{"(\w+)",\s*"([^"]*)",\s*"[^"]*",\s*"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*,\s*(?:COR_CELL|COR_SOME|COR_KNOWN|[A-Z_]+\()')
        plain = set("again algorithm answer because bytes changed covers done extended folder instead library members mode needed now or ordered otherwise outputs "
                    "problem reduced repeats running said sample solved stop stopped stored tasks then things title together tried update variable "
                    "version when".split())  # English: they head columns of commands that are no views
        of_views, of_commands = set(), set()
        for path in [*SOURCE.glob("analysis/**/*.c"), *SOURCE.glob("*/**/*_command.c")]:
            if "tests" not in path.parts:
                (of_views if path.parent.name == "views" else of_commands).update(column.findall(path.read_text(encoding="utf-8")))
        self.assertGreater(len(of_views), 500)
        self.assertGreater(len(of_commands), 100)
        words = {word.lower() for pair in of_views for word in (*pair, *re.findall(r"\b[A-Za-z]\w+", pair[1])) if word and "\\n" not in pair[1]}
        words |= {heading.lower() for _, heading in of_commands if re.fullmatch(r"\w+", heading)} - plain
        words |= {"gray", "black", "box", "boxes", "inertia", "gray box", "test", "unseen"}
        unknown = []
        for word in sorted(words)[::1 if e2e.IN_FULL else 4]:
            done = self.corridor("help", *word.split(), code=None)
            if done.returncode != 0:
                unknown.append(word)
        self.assertEqual(unknown, [])
        for word, meant in (("gray", "gray box\n"), ("box", "black box\n"), ("inertia", "inertia\n"), ("boxes", "gray box\n"), ("gray_pct", "a column of survival")):
            self.assertIn(meant, self.corridor("help", word).stdout)
        said = self.corridor("help", "zzzzzz", code=2).stderr
        self.assertIn('"zzzzzz" is no command, and no word of docs/look-up/words.md', said)

    def test_options_say_what_to_do(self):
        """Their lines begin with a verb, so none with what stands before a noun."""
        for command in COMMANDS:
            options = self.corridor(*command.split(), "--help").stdout.split("\nOptions:\n")[1].split("  -h, --help")[0]
            for line in re.findall(r"^  (?:-\w, |    )--.{20}(?:\n {28})?(.*)", options, re.M):
                first = re.sub(r"^(with --\w+|expected|planner paper): ", "", line.strip()).split()[0]
                self.assertNotIn(first, {"a", "all", "also", "an", "as", "at", "by", "from", "how", "in", "of", "only", "that", "the", "these",
                                         "this", "those", "through", "to", "what", "which", "who", "with", "without"}, f"{command}: {line}")

    def test_a_group_explains_its_actions(self):
        for family, actions in FAMILIES.items():
            text = self.corridor(family, "--help").stdout
            self.assertEqual(text, self.corridor(family, "-h").stdout)
            self.assertEqual(text, self.corridor("help", family).stdout)
            self.assertEqual(tuple(re.findall(r"^  (\w+) ", text, re.M)), actions)

    def test_a_view_is_explained_by_its_name(self):
        whole = self.corridor("show", "--help").stdout
        for view in VIEWS:
            text = self.corridor("show", view, "--help").stdout
            self.assertEqual(text, self.corridor("show", "x.h5", view, "-h").stdout)
            self.assertEqual(text, self.corridor("help", "show", view).stdout)
            self.assertIn(f"\n  {view} ", whole)
            self.assertLess(set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", text, re.M)),
                            set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", whole, re.M)))
        self.assertIn("--box", self.corridor("show", "survival", "--help").stdout)
        self.assertNotIn("--box", self.corridor("show", "tables", "--help").stdout)

    def test_every_option_is_in_help_man_page_and_completion(self):
        man = self.corridor("man-page").stdout.replace("\\-", "-")
        completion = self.corridor("bash-completion").stdout
        for command in COMMANDS:
            options = set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", self.corridor(*command.split(), "--help").stdout, re.M))
            self.assertIn("--help", options)
            self.assertIn(f'.SS "corridor {command} ', man)
            found = re.search(rf"'{command}'\) options='([^']*)'", completion).group(1).split()
            self.assertEqual(set(found), options)
            for option in options - {"--help"}:
                self.assertIn(option, man)

    def test_every_sheet_of_the_page_of_keys_is_in_help_man_page_and_completion(self):
        man, completion = self.corridor("man-page").stdout, self.corridor("bash-completion").stdout
        page = (SOURCE / "docs/look-up/keys.md").read_text(encoding="utf-8")
        shown = {"compare": ("compare", "compare"), **{name: (name, name) for name in ("coverage", "tree", "failures")},
                 **{view: (f"show {view}", f"show RESULTS.h5 {view}") for view in VIEWS}}
        for view, (command, heading) in shown.items():
            sheets = re.findall(rf"^### {view} `(\w+)`$", page, re.M)
            self.assertNotEqual(sheets, [])
            said = " ".join(self.corridor(*command.split(), "--help").stdout.split())
            self.assertIn(f"(IDs: see --json): {', '.join(sheets)}", said)
            section = man.split(f'.SS "corridor {heading} ')[1].split(".SS")[0]
            self.assertIn("".join(f"{sheet}\n" for sheet in sheets), "".join(f"{name}\n" for name in re.findall(r"^\.B (\w+)$", section, re.M)))
            self.assertIn(" ".join(sheets), completion)
            for sheet in sheets:  # listed once, with what a row is
                self.assertEqual(section.count(f"\n.B {sheet}\n"), 1 + (command == "compare" and sheet == "about"), sheet)

    @unittest.skipUnless(shutil.which("man"), "man is not there")
    def test_the_man_page_is_rendered_without_warnings(self):
        (self.folder / "corridor.1").write_text(self.corridor("man-page").stdout)
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "corridor.1"], cwd=self.folder, text=True,
                              capture_output=True, env={**e2e.ENVIRONMENT, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("CORRIDOR(1)", "corridor run [options]", "EXIT STATUS", "--stop-seconds S"):
            self.assertIn(text, done.stdout)

    def test_completion_offers_what_fits(self):
        (self.folder / "corridor.bash").write_text(self.corridor("bash-completion").stdout)
        subprocess.run(["bash", "-n", "corridor.bash"], cwd=self.folder, check=True)

        def completed(*words):
            script = f"source ./corridor.bash; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; " \
                     '_corridor; echo "${COMPREPLY[@]}"'
            done = subprocess.run(["bash", "-c", script], cwd=self.folder, check=True, capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()

        self.assertEqual(completed("corridor", "sho"), ["show"])
        self.assertEqual(completed("corridor", "show", "corr"), ["corridor.bash"])
        self.assertEqual(completed("corridor", "show", "x.h5", "t"), ["tables", "traps", "tests"])
        self.assertEqual(completed("corridor", "prof"), ["profile"])
        self.assertEqual(completed("corridor", "profile", "f"), ["fit"])
        self.assertEqual(completed("corridor", "profile", "''"), [*ACTIONS, "--help"])
        self.assertEqual(completed("corridor", "help", "ru"), ["run"])
        self.assertEqual(completed("corridor", "run", "--stop-c"), ["--stop-cases"])
        self.assertEqual(completed("corridor", "profile", "fit", "--cu"), ["--cuts"])
        self.assertEqual(completed("corridor", "run", "corr"), ["corridor.bash"])
        self.assertEqual(completed("corridor", "run", "-o", "corr"), ["corridor.bash"])
        (self.folder / "suites").mkdir()
        self.assertEqual(completed("corridor", "plan", "x.json", "-o", "''"), ["suites"])
        self.assertEqual(completed("corridor", "run", "--jobs", "''"), [])
        self.assertEqual(completed("corridor", "run", "--progress", "p"), ["plain"])
        self.assertEqual(completed("corridor", "run", "--progress", "=", "p"), ["plain"])
        self.assertEqual(completed("corridor", "run", "--progress", "="), ["auto", "bar", "plain", "json", "none"])
        self.assertEqual(completed("corridor", "export", "x.h5", "--format", "j"), ["jsonl", "junit"])
        self.assertIn("cases", completed("corridor", "export", "x.h5", "-t", "''"))
        self.assertEqual(completed("corridor", "show", "--box", "g"), ["gray"])

    def test_the_version_is_the_same_in_text_and_json(self):
        version = json.loads(self.corridor("--version", "--json").stdout)
        text = self.corridor("--version").stdout
        self.assertEqual(version["schema"], "corridor-version")
        for key in ("corridor", "commit", "result_format", "plugin_abi", "compiler", "build_type"):
            self.assertIn(version[key], text)
        self.assertIn(f"(commit {version['commit'] or 'unknown'};", text)


if __name__ == "__main__":
    e2e.main()
