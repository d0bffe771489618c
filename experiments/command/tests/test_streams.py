#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes where: data on standard output, everything else on standard error; documents that parse; progress as the
reader of standard error can take it; colour for terminals only."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import e2e
from e2e import SOURCE


class Documents(e2e.Case):
    def document(self, *words):
        done = self.corridor(*words)
        content = json.loads(done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertRegex(content["schema"], r"^corridor-[a-z-]+$")
        self.assertIn(content["version"], (1, 2, 3))
        return content

    def test_each_command_writes_one_document_of_its_own_schema(self):
        experiment = self.experiment()
        data = SOURCE / "profiles/data/biogas_synthetic.csv"
        seen = {
            self.document(*words)["schema"]
            for words in (("--version", "--json"), ("list", "--json"), ("plan", experiment, "--json"),
                          ("run", experiment, "-o", "a.h5", "--json", "--progress", "none"), ("show", "a.h5", "--json"),
                          ("profile", "fit", data, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "p.json", "--json"),
                          ("profile", "show", "p.json", "--json"))}
        self.assertEqual(len(seen), 7)

    def test_each_exported_line_is_a_json_object(self):
        self.run_into("a.h5", self.experiment())
        for words in (("export", "a.h5", "--json"), *(("export", "a.h5", "-t", table, "--json") for table in e2e.TABLES)):
            done = self.corridor(*words)
            self.assertEqual(done.stderr, "")
            for line in done.stdout.splitlines():
                self.assertIsInstance(json.loads(line), dict)

    def test_a_profile_and_its_report_go_to_different_streams(self):
        data = SOURCE / "profiles/data/biogas_synthetic.csv"
        done = self.corridor("profile", "fit", data, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "-")
        self.assertEqual(json.loads(done.stdout)["corridor_profile"], 1)
        self.assertNotEqual(done.stderr, "")  # the report


class Progress(e2e.Case):
    def on_a_terminal(self, stream, *words, environment=None, columns=80):
        """Runs the program with one stream on a terminal; what that saw, and what the other stream got."""
        try:
            controller, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had: {error}")
        self.addCleanup(os.close, controller)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: terminal}
        process = subprocess.Popen([e2e.BINARY, *words], cwd=self.folder, env={**e2e.ENVIRONMENT, **(environment or {})},
                                   **streams)
        os.close(terminal)
        seen = b""
        while True:
            try:
                piece = os.read(controller, 65536)
            except OSError:  # nobody has the terminal open any more
                piece = b""
            if not piece:
                break
            seen += piece
        other = (process.stderr if stream == "stdout" else process.stdout).read()
        (process.stderr if stream == "stdout" else process.stdout).close()
        self.assertEqual(process.wait(), 0)
        return seen.decode(), other.decode()

    def test_plan_and_report_say_what_they_do_on_a_terminal(self):
        experiment = self.experiment()
        seen, out = self.on_a_terminal("stderr", "plan", experiment)
        for what in ("asking whether the constraints can hold", "running a pilot", "drawing a few suites"):
            self.assertIn(what, seen)
        self.assertTrue(seen.endswith("\x1b[K"))
        self.assertNotIn("\n", seen)
        # How many suites a pilot has hangs on how long they take.
        until_times = [re.sub(r"a pilot of \d+ suites?|about .*", "", " ".join(text.split())) for text in (out, self.corridor("plan", experiment).stdout)]
        self.assertEqual(*until_times)
        self.run_into("a.h5", experiment)
        seen, out = self.on_a_terminal("stderr", "report", "a.h5", "-o", "a.html")
        for step in ("computing the tables", "computing times to detection", "computing coverage", "drawing figures", "writing the page"):
            self.assertIn(step, seen)
        self.assertIn("writing the page", seen)
        self.assertEqual(out, "a.html: a.h5 as one page, for a browser\n")
        self.assertEqual(self.corridor("report", "a.h5", "-o", "b.html").stderr, "")

    def test_check_says_which_check_it_is_at_on_a_terminal(self):
        seen, _ = self.on_a_terminal("stderr", "check", "balance", "lagging")
        self.assertRegex(seen, r"\r\x1b\[Kbalance \(1 of 2\): check 1 of [0-9]+, loads, 0 tried \.\.\.")
        self.assertTrue(seen.endswith("\r\x1b[K"))
        self.assertNotIn("\n", seen)
        for words in (("--json",), ("--junit",), ("--tap",)):
            self.assertEqual(self.on_a_terminal("stderr", "check", "balance", "--only", "works", *words)[0], "")
        self.assertEqual(self.corridor("check", "balance", "--only", "works").stderr, "")

    def test_a_terminal_gets_a_bar_that_renews_itself(self):
        experiment = self.experiment(suites=40)
        seen, out = self.on_a_terminal("stderr", "run", experiment, "-o", "a.h5")
        self.assertIn("\r[", seen)
        self.assertIn("80/80 suites", seen)
        self.assertEqual(seen.count("\n"), 1)  # one line that renews itself
        self.assertTrue(seen.endswith("\n\r\x1b[Kmerging what is stored ...\r\x1b[K\r\x1b[Kreading what was found ...\r\x1b[K"), seen[-80:])
        self.assertIn(f"  all     {e2e.BINARY} show a.h5 --all\n", out)
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\r", out)

    def test_no_line_that_renews_itself_is_wider_than_the_terminal(self):
        for columns in (80, 40, 24):
            seen, _ = self.on_a_terminal("stderr", "run", self.experiment(suites=40), "-o", "a.h5", "--force", columns=columns)
            shown = [re.sub(r"\x1b\[K", "", line) for line in re.split(r"[\r\n]", seen)]
            self.assertLess(max(map(len, shown)), columns)
            self.assertEqual(any(line.startswith("[") for line in shown), columns == 80)

    def test_tables_fit_the_terminal_and_lose_nothing(self):
        self.run_into("a.h5", self.experiment())
        key = json.loads(self.corridor("failures", "a.h5", "--json").stdout)["sheets"]["failures"]["rows"][0]["key"]
        for words in (("show", "a.h5", "tables"), ("show", "a.h5", "survival"), ("show", "a.h5", "performance"), ("failures", "a.h5"), ("run", "small.json", "-o", "b.h5"),
                      ("replay", "a.h5", "--failure", key, "--trace=all")):
            wide = self.corridor(*words, *(("--force",) if words[0] == "run" else ())).stdout
            seen, _ = self.on_a_terminal("stdout", *words, *(("--force",) if words[0] == "run" else ()))
            lines = re.sub(r"\x1b\[\d*m|\r", "", seen).splitlines()
            self.assertLessEqual(max(len(line) for line in lines if str(e2e.BINARY) not in line), 80, words)  # what is to be pasted stays whole
            if words[0] != "run":
                here, there = set("\n".join(lines).split()), set(wide.split())
                curves = {word for word in there if re.fullmatch("[#0-9.]{40,}", word)}  # which are drawn in fewer columns
                self.assertEqual(there - here - curves - {"1000"}, set(), words)

    def test_lines_are_plain_where_a_bar_would_disturb(self):
        for environment in ({"CI": "true"}, {"TERM": "dumb"}):
            seen, _ = self.on_a_terminal("stderr", "run", self.experiment(), "-o", "a.h5", "--force", environment=environment)
            self.assertNotIn("\r[", seen)
            self.assertNotIn("\x1b", seen)
            self.assertIn("6/6 suites", seen)

    def test_an_endless_run_shows_no_goal(self):
        seen, _ = self.on_a_terminal("stderr", "run", self.experiment(suites=0), "-o", "a.h5", "--stop-cases", "100")
        self.assertRegex(seen, r"\r\d+ suites, \d+ cases")

    def test_a_pipe_gets_plain_lines(self):
        experiment = self.experiment()
        done = self.corridor("run", experiment, "-o", "a.h5")
        self.assertRegex(done.stderr.splitlines()[-1], r"^ +\d+ s: 6/6 suites, \d+ cases, \d+ failures")
        self.assertNotIn("\r", done.stderr)
        self.assertRegex(done.stdout, r"^a\.h5: \d+ reorganizations, \d+ with a failed check; \d+\.\d s\nWhat was found: 2 arms, 6 of 6 suites, \d+ cases\n")
        self.assertTrue(done.stdout.endswith(f"\n  all     {e2e.BINARY} show a.h5 --all\n"))

    def test_a_run_that_mostly_starts_a_program_says_so(self):
        program = SOURCE / "algorithms/examples/python/my_algo.py"
        content = json.loads(program.with_suffix(".json").read_text())
        (self.folder / "p.json").write_text(json.dumps({**content, "suites": 1, "sequences": 1, "cases": 12}))
        said = self.corridor("run", "p.json", "-o", "p.h5", "--algorithm", program, "--fresh-processes").stderr
        self.assertRegex(said, r"\nmost of the time went into starting your program \d+ times; a class or function by \"import corridor\" is not started: docs/do/python\.md\n")

    def test_progress_is_json_if_asked_for(self):
        done = self.corridor("run", self.experiment(), "-o", "a.h5", "--progress", "json")
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertEqual((lines[-1]["suites"], lines[-1]["planned"]), (6, 6))

    def test_no_progress_is_shown_if_none_is_asked_for(self):
        done = self.corridor("run", self.experiment(), "-o", "a.h5", "--progress=none")
        self.assertEqual(done.stderr, "")

    def test_a_bar_asked_for_is_shown_without_a_terminal(self):
        done = subprocess.run([e2e.BINARY, "run", self.experiment(), "-o", "a.h5", "--progress=bar"], cwd=self.folder,
                              capture_output=True, text=True, env=e2e.ENVIRONMENT, check=True)
        self.assertIn("6/6 suites", done.stderr)

    def test_colour_is_for_terminals_unless_the_environment_decides(self):
        self.run_into("a.h5", self.experiment())
        words = ("show", "a.h5")
        plain = self.corridor(*words).stdout

        def terminal(**environment):
            return self.on_a_terminal("stdout", *words, environment=environment, columns=400)[0].replace("\r\n", "\n")

        coloured = terminal()
        self.assertIn("\x1b[", coloured)
        self.assertEqual(e2e.re.sub("\x1b\\[[0-9;]*m", "", coloured), plain)  # colour alone carries no meaning
        self.assertEqual(terminal(NO_COLOR="1"), plain)
        self.assertEqual(terminal(NO_COLOR=""), coloured)
        self.assertEqual(terminal(TERM="dumb"), plain)
        self.assertEqual(self.corridor(*words, environment={"CLICOLOR_FORCE": "1"}).stdout, coloured)
        self.assertEqual(self.corridor(*words, environment={"CLICOLOR_FORCE": "0"}).stdout, plain)
        self.assertEqual(self.corridor(*words, environment={"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}).stdout, plain)
        forced = self.corridor("show", "none.h5", "tables", code=4, environment={"CLICOLOR_FORCE": "1"}).stderr
        self.assertIn("\x1b[", forced)


if __name__ == "__main__":
    e2e.main()
