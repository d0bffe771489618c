#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line does not understand, what it says then, and its exit codes."""
import json
import os

import e2e
from e2e import SOURCE
from test_help import ACTIONS, COMMANDS, DATA, VIEWS

# Words that were commands once, and what is written for them.
OLD = {**{view: f"show FILE {view}" for view in VIEWS if view != "estimate"}, "contrasts": "compare FILE",
       "compare-search": "search EXPERIMENT --generator A,B", "submit": "run EXPERIMENT --batch slurm", "units": "agent",
       "check-algorithm": "check ALGORITHM", "new-algorithm": "new algorithm NAME"}


class Usage(e2e.Case):
    def misused(self, *arguments):
        """Exit code 2, the complaint, and where help is."""
        done = self.corridor(*arguments, code=2)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertTrue(lines[0].startswith("corridor: "))
        self.assertRegex(lines[1], r"^  see corridor .*--help$")
        return lines[0]

    def test_nothing_said_is_answered_with_the_usage(self):
        done = self.corridor(code=2)
        self.assertEqual(done.stdout, "")
        self.assertIn("Usage: corridor COMMAND", done.stderr)

    def test_unknown_commands_are_told_with_the_nearest(self):
        self.assertIn("there is no command rnu; write corridor run", self.misused("rnu"))
        self.assertIn("there is no command table; write corridor show FILE tables", self.misused("table"))
        self.assertIn("there is no command zzzzzz", self.misused("zzzzzz"))
        for word, instead in OLD.items():
            for words in ((word,), (word, "x.h5")):
                self.assertEqual(f"corridor: there is no command {word}; write corridor {instead}", self.misused(*words))
        self.assertIn("profile needs an action after it; known: " + ", ".join(ACTIONS), self.misused("profile"))
        self.assertIn('did you mean "fit"?', self.misused("profile", "fti"))
        self.assertIn("there is no command rnu; write corridor run", self.misused("help", "rnu"))
        self.assertIn('profile has no action "fti"; did you mean "fit"? known: ' + ", ".join(ACTIONS), self.misused("help", "profile", "fti"))
        self.assertIn("there is no system run; write corridor run", self.misused("system", "run"))
        self.assertIn('efsm has no action "tst"; did you mean "test"?', self.misused("efsm", "tst"))
        self.assertIn("\n  see corridor efsm --help\n", self.corridor("efsm", "tst", code=2).stderr)

    def test_unknown_options_are_told_with_the_nearest(self):
        for command in COMMANDS:
            words = command.split()
            has_json = "--json" in self.corridor(*words, "--help").stdout
            if has_json:
                self.assertIn("unknown option --jsno; did you mean --json?", self.misused(*words, "--jsno", "x"))
            self.assertIn("unknown option --qqqqqqqqq", self.misused(*words, "x", "--qqqqqqqqq"))
            self.assertIn("unknown option -z", self.misused(*words, "-zz"))
            if has_json:
                self.assertIn("--json takes no value", self.misused(*words, "--json=yes", "x"))

    def test_missing_values_and_operands_are_named(self):
        self.assertIn("--output needs a value", self.misused("run", "x.json", "--output"))
        self.assertIn("-o needs a value", self.misused("run", "x.json", "-fo"))
        (self.folder / "a.json").write_text("{}")  # what is not there is another trouble, which comes first
        for words, what in ((("run", "-o", "x.h5"), "one experiment file"), (("run", "a", "b", "-o", "x.h5"), "one experiment"),
                            (("run", "a.json"), "-o results.h5"), (("run", "a.json", "-o", ""), "--output needs a name"),
                            (("search", "a.json", "-o", ""), "--output needs a name"), (("export", "a.h5", "--all", ""), "--all needs a name"),
                            (("plan",), "one experiment file"), (("new",), "corridor new algorithm NAME"),
                            (("show",), "one result file"),
                            (("show", "a", "tables", "b"), "one result file"), (("export",), "one result file"),
                            (("profile", "fit", "-c", "x", "-k", "3"), "one CSV file"),
                            (("profile", "fit", DATA, "-k", "3"), "--column"),
                            (("profile", "fit", DATA, "-c", "x", "-k", "3", "--cuts", "1"), "either --states"),
                            (("profile", "show"), "one profile file")):
            self.assertIn(what, self.misused(*words))

    def test_values_out_of_range_are_refused(self):
        for option, bad in (("--jobs", ("0", "257", "-1", "two", "2x", "", "1e1")), ("--suites", ("0", "-3", "x")),
                            ("--stop-cases", ("0", "1.5")), ("--stop-failures", ("0", "")),
                            ("--stop-seconds", ("0", "-1", "nan", "inf", "x"))):
            for value in bad:
                said = self.misused("run", "x.json", "-o", "x.h5", option, value)
                self.assertIn(f'{option} takes a', said)
                self.assertIn(f'not "{value}"', said)
        for words, known in ((("run", "x.json", "-o", "x.h5", "--progress"), "auto, bar, plain, json, none"),
                             (("profile", "export", "p.json", "--format"), "prism, dot, csv, json"),
                             (("export", "x.h5", "--format"), "csv, jsonl, junit, tap"),
                             (("show", "x.h5", "survival", "--box"), "any, gray, black"),
                             (("compare", "x.h5", "y.h5", "--fail-on"), "regression, regression-or-time"),
                             (("show", "x.h5", "tables", "--intervals"), "linearised, bca"),
                             (("tree", "x.h5", "--unit"), "reorganizations, sequences, suites")):
            self.assertIn(f'{words[-1]} does not know "loud"; known: {known}', self.misused(*words, "loud"))
            text = " ".join(self.corridor(*words[:2] if words[0] == "profile" else words[:1], "--help").stdout.split())
            if words[-1] == "--fail-on":  # its meaning names them
                self.assertNotIn(known, text)
            for word in known.split(", "):
                self.assertIn(word, text.split("Options:")[1].split(words[-1] + " ")[1])
        self.assertIn("--level takes", self.misused("show", "x.h5", "tables", "--level", "1"))
        self.assertIn("divisor of 24", self.misused("profile", "fit", DATA, "-c", "x", "-k", "3", "--hours", "5"))
        self.assertIn("--cuts takes", self.misused("profile", "fit", DATA, "-c", "x", "--cuts", "1,b"))
        self.assertIn("exclude each other", self.misused("export", "x.h5", "--csv", "--json"))

    def test_what_an_option_needs_or_excludes_is_said(self):
        for words, said in ((("agent", "test", "d.json", "--trace"), "--trace needs --case"),
                            (("run", "x.json", "-o", "x.h5", "--ssh-command", "ssh"), "--ssh-command needs --hosts"),
                            (("replay", "x.h5", "-o", "t.json"), "--output needs --failure"),
                            (("combine", "m.json", "--verify", "r.csv", "--json"), "--verify and --json exclude each other"),
                            (("agent", "test", "d.json", "--case", "PT(P):0", "--tap"), "--case and --tap exclude each other"),
                            (("profile", "export", "p.json"), "needs --format"), (("tree", "x.h5", "--by", "chains,"), "--by has an empty name")):
            self.assertIn(said, self.misused(*words))

    def test_a_word_too_many_is_named_with_the_right_form(self):
        for words, said in ((("new", "algorithm", "a", "b"), '"b" is a word too many: corridor new algorithm NAME'),
                            (("new", "algorithm", "a", "b", "c"), '"b" is a word too many: corridor new algorithm NAME'),
                            (("new", "agent", "d.json", "a", "b"), '"b" is a word too many: corridor new agent DESIGN.json NAME'),
                            (("why", "a.json", "b.json"), 'needs one result file, or one test; "b.json" is a word too many')):
            self.assertIn(said, self.misused(*words))

    def test_the_help_shows_the_defaults_that_are_used(self):
        for words, shown in ((("efsm", "plan"), "(default: 200000)"), (("efsm", "test"), "(default: 1000)"), (("show",), "(default: 0.95)"),
                             (("tree",), "(default: ochiai)"), (("search",), "(default: coverage)"), (("shrink",), "(default: 0)")):
            self.assertIn(shown, " ".join(self.corridor(*words, "--help").stdout.split()))
        self.assertNotIn("(default: -1)", " ".join(self.corridor("efsm", "reach", "--help").stdout.split()))  # what stands for "not given"

    def test_invalid_input_is_told_with_its_place(self):
        (self.folder / "broken.json").write_text('{"corridor_experiment": 1,\n "name": }')
        for words, what in ((("run", "broken.json", "-o", "x.h5"), "broken.json:2:"),
                            (("plan", "broken.json"), "broken.json:2:"),
                            (("profile", "fit", DATA, "-c", "gas_yield", "-k", "3"), "gas_yield_m3_per_h"),
                            (("profile", "show", "broken.json"), "broken.json:2:")):
            said = self.corridor(*words, code=3)
            self.assertEqual(said.stdout, "")
            self.assertIn(what, said.stderr)
        impossible = self.experiment(arms=[{**e2e.SPADA, "constraints": ["agents > 100"]}])
        for words in (("plan", impossible), ("run", impossible, "-o", "x.h5")):
            said = self.corridor(*words, code=3).stderr
            self.assertIn("contradictory constraints", said)
            # z3 names the lines that contradict each other; a build without it can only have drawn in vain.
            self.assertIn("agents > 100" if e2e.has_z3() else "no parameters that meet", said)
        self.assert_only("broken.json", impossible)

    def test_unknown_tables_and_columns_are_refused(self):
        self.run_into("a.h5", self.experiment())
        self.assertIn("cases", self.corridor("export", "a.h5", "-t", "case", code=3).stderr)
        self.assertIn("alarm", self.corridor("export", "a.h5", "-t", "cases", "-c", "alrm", code=3).stderr)
        done = self.corridor("export", "a.h5", "-t", "cases", "-c", "case,alarm")
        self.assertEqual(done.stdout.splitlines()[0], "case,alarm")

    def test_success_is_silent_on_standard_error(self):
        experiment = self.experiment()
        self.corridor("run", experiment, "-o", "a.h5")
        self.corridor("profile", "fit", DATA, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "p.json")
        for words in (("plan", experiment), ("show", "a.h5"), ("show", "a.h5", "--csv"), ("export", "a.h5"),
                      ("export", "a.h5", "-t", "cases"), ("list",), ("profile", "show", "p.json"),
                      ("profile", "show", "p.json", "--dot")):
            done = self.corridor(*words)
            self.assertNotEqual(done.stdout, "")
            self.assertEqual(done.stderr, "")
        self.assertIn("p.json: exists already", self.corridor(
            "profile", "fit", DATA, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "p.json", code=4).stderr)


class FirstMistakes(e2e.Case):
    """What a newcomer does wrong, and all that is said of it."""

    def said(self, *words, code):
        done = self.corridor(*words, code=code)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def changed(self, old, new):
        text = json.dumps(json.loads((self.folder / self.experiment()).read_text()), indent=1)
        self.assertIn(old, text)
        (self.folder / "bad.json").write_text(text.replace(old, new, 1))
        return "bad.json"

    def test_in_the_file(self):
        no_json = "is not valid JSON: "
        for old, new, said in (
                ('"suites"', '"suits"', 'unknown key "suits"\n  did you mean "suites"? known: corridor_experiment, name'),
                ('"spada"', '"spado"', 'there is no algorithm "spado"\n  did you mean "spada"? known: psopp, spada, random'),
                ('"suites": 3,', '"suites": 3', no_json + "'}' expected near '\"sequences\"'\n  put a comma in front of it\n"),
                ('"suites": 3,', '"suites": 3, // two', no_json + "string or '}' expected near '/'\n  JSON has no comments: say it in \"description\"\n"),
                ('"suites": 3,', "'suites': 3,", no_json + "string or '}' expected near '''\n  write texts in double quotation marks\n"),
                ('"suites": 3,', '"suites": "3",', "/suites: ")):
            self.assertIn(said, self.said("run", self.changed(old, new), "-o", "x.h5", code=3), new)
        (self.folder / "empty.json").write_text(" \n")
        self.assertIn("near end of file\n  there is nothing in it\n", self.said("run", "empty.json", "-o", "x.h5", code=3))
        self.assert_only(self.experiment(), "bad.json", "empty.json")

    def test_on_the_line(self):
        path = self.experiment()
        self.run_into("r.h5", path)
        for words, code, said in (
                (("run", "none.json"), 4, "file error: none.json: cannot open: No such file or directory\n"),
                (("run", path), 2, "needs a name for the result file: -o results.h5\n  see corridor run --help\n"),
                (("run", path, "-o", "r.h5"), 4, "would overwrite: r.h5: exists already\n  name another file with -o, or say --force to replace it\n"),
                (("run", path, "--outptu", "x.h5"), 2, "unknown option --outptu; did you mean --output?\n  see corridor run --help\n"),
                (("run", "r.h5"), 3, "invalid input: r.h5: is a result file (HDF5), not an experiment\n"
                                     "  commands on results take it: corridor show, failures, replay, shrink --failure, profile chain\n"),
                (("run", path, "-o", "nowhere/x.h5"), 4, "file error: nowhere/x.h5.parts: cannot make a folder for work under way: No such file or directory\n"
                                                         "  check that the folder beside it exists and may be written\n"),
                (("show", path), 3, f"invalid input: {path}: is an experiment, not a result file\n  corridor run reads it\n"),
                (("show", "none.h5"), 4, "file error: none.h5: cannot open: No such file or directory\n"),
                (("show", "r.h5", "tabels"), 3, 'invalid input: r.h5: holds campaigns of algorithms, and has no view "tabels"\n  did you mean "tables"?'),
                (("report", "r.h5"), 2, "needs a name for the page: -o page.html\n  see corridor report --help\n"),
                (("failures", "r.h5", "--arm", "X"), 3, 'invalid input: r.h5: --arm: there is no arm "X"\n'),
                (("replay", "r.h5", "--failure", "X"), 3, 'invalid input: --failure: "X" is no ARM/SUITE/SEQUENCE/CASE\n'
                                                          "  corridor failures lists them; ARM/0 is suite 0 of an arm, ARM/0/3/17 case 17 of sequence 3 of it\n"),
                (("export", "r.h5", "--table", "casse"), 3, 'invalid input: r.h5: no table is called "casse"\n  did you mean "cases"?'),
                (("help", "ron"), 2, "there is no command ron; write corridor run\n  see corridor --help\n"),
                (("watch",), 2, "needs the folder of a campaign, or a result file\n  see corridor watch --help\n")):
            done = self.said(*words, code=code)
            self.assertTrue(done.startswith("corridor: " + said), (words, done))

    def test_where_nothing_may_be_written(self):
        if os.geteuid() == 0 and not all(folder.stat().st_mode & 1 for folder in (SOURCE, *SOURCE.parents)):
            self.skipTest("the models lie in a folder that is closed to others")
        path = self.experiment()
        (self.folder / "closed").mkdir(mode=0o555)
        nobody = self.as_nobody()
        (self.folder / path).chmod(0o644)
        self.assertEqual(self.corridor("run", path, "-o", "closed/x.h5", code=4, **nobody).stderr,
                         "corridor: file error: closed/x.h5.parts: cannot make a folder for work under way: Permission denied\n"
                         "  check that the folder beside it exists and may be written\n")


class ExitCodes(e2e.Case):
    # Of each command the words with which it is asked of a file that is missing.
    MISSING = {
        "run": ("run", "{}", "-o", "x.h5"), "search": ("search", "{}", "-o", "x.h5"), "ask": ("ask", "spada", "{}"),
        "judge": ("judge", "{}", "{}"), "prove": ("prove", "{}"), "report": ("report", "{}", "-o", "x.html"), "compare": ("compare", "{}", "{}"),
        "shrink": ("shrink", "{}", "-o", "x.json"), "merge": ("merge", "{}", "-o", "x.h5"), "list": ("list", "./{}.so"),
        "check": ("check", "./{}.so"), "profile fit": ("profile", "fit", "{}", "-c", "x", "-k", "3"),
        "profile influence": ("profile", "influence", "{}", "--environment", "e", "--state", "s"),
        "profile chain": ("profile", "chain", "{}", "--environment", "e"),
        "profile export": ("profile", "export", "{}", "--format", "csv"), "profile walk": ("profile", "walk", "{}", "--to", "x"),
        "efsm reach": ("efsm", "reach", "{}", "--goal", "x"), "efsm plan": ("efsm", "plan", "{}", "--goal", "x"),
        "efsm test": ("efsm", "test", "{}", "--goal", "x"), "efsm compare": ("efsm", "compare", "{}", "{}"),
        "system train": ("system", "train", "{}", "-o", "x.json")}
    # Those that take no file that is there already.
    WITHOUT_FILE = {"doctor", "new"}

    def test_a_missing_file_is_the_same_code_in_all_commands_and_is_named(self):
        for command in COMMANDS:
            if command in self.WITHOUT_FILE:
                continue
            for name in ("nowhere", "nowhere.json", "nowhere.h5"):
                with self.subTest(command, name=name):
                    words = [word.format(name) for word in self.MISSING.get(command, (*command.split(), "{}"))]
                    done = self.corridor(*words, code=4)
                    self.assertEqual(done.stdout, "")
                    self.assertRegex(done.stderr, rf"^corridor: file error: (\./)?{name}")
        design, model = (SOURCE / "experiments/library" / name for name in ("agents/fig2.json", "efsm/inres_initiator.json"))
        for words in (("agent", "test", design, "--agent", "./nowhere.so"), ("agent", "test", design, "--agent", "./nowhere --fast"),
                      ("agent", "test", design, "--faults", "nowhere.json"), ("efsm", "test", model, "--goal", "t8", "--system", "./nowhere"),
                      ("efsm", "test", model, "--goal", "t8", "--system", "nowhere.json"), ("replay", "nowhere.json", "--expect", "failing"),
                      ("run", self.experiment(arms=[{**e2e.SPADA, "algorithm": "./nowhere.so"}]), "-o", "x.h5"),
                      ("run", self.experiment(model="nowhere.json"), "-o", "x.h5")):
            with self.subTest(words):
                self.assertRegex(self.corridor(*words, code=4).stderr, r"^corridor: file error: \S*nowhere(\.\w+)?: cannot open: No such file")

    def test_no_verdict_is_never_success(self):
        model = SOURCE / "experiments/library/efsm/inres_initiator.json"
        test = ("efsm", "test", model, "--goal", "t8")
        hangs = "read l; echo '{\"id\":1,\"protocol\":1,\"name\":\"x\"}'; sleep 60"
        for system in (("true",), ("cat",), (hangs, "--answer-seconds", "0.2")):
            for more in ((), ("--no-fail",), ("--json",), ("--junit",)):
                with self.subTest(system, more=more):
                    self.corridor(*test, "--system", *system, *more, code=7)
        self.corridor(*test, "--moves", "3", code=7)
        self.corridor(*test)
        self.corridor("efsm", "plan", model, "--goal", "t8", "--moves", "3", code=7)
        self.corridor("efsm", "plan", model, "--goal", "t8")

    def test_a_failing_test_is_one_unless_that_is_not_asked_for(self):
        test = ("efsm", "test", SOURCE / "experiments/library/efsm/inres_initiator.json", "--goal", "t8", "--mutant", "t7.missing")
        for form in ((), ("--json",), ("--junit",), ("--tap",)):
            self.corridor(*test, *form, code=1)
            self.corridor(*test, *form, "--no-fail")


if __name__ == "__main__":
    e2e.main()
