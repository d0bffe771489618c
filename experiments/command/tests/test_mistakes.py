#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes that newcomers make: a file of another kind, a missing slash, a script without x, a program that is not there, a column's name."""
import json
import os
import re
import shlex
import shutil
import subprocess

import e2e
from e2e import PSOPP, SOURCE, SPADA

LIBRARY = SOURCE / "experiments/library"
WHAT = {"experiment.json": "an experiment", "model.json": "a test model", "profile.json": "a profile", "suite.json": "a suite file", "test.json": "a test file",
        "task.json": "a task", "combine.json": "a model of parameters", "search.json": "a search", "estimation.json": "an estimation",
        "efsm.json": "a model of a system (EFSM)", "design.json": "a design of an agent", "faults.json": "a file of faults of an agent",
        "agent_experiment.json": "an experiment of an agent", "efsm_experiment.json": "an experiment of a system (EFSM)",
        "output.json": "what a command printed by --json", "process.json": "an experiment of a distributed program", "state.json": "a state of a system"}
# A command, and the kinds that it takes.
EXPERIMENTS = {"experiment.json", "search.json", "estimation.json", "agent_experiment.json", "efsm_experiment.json", "process.json"}
READERS = {"an experiment": (("plan",), EXPERIMENTS), "a profile": (("profile", "show"), {"profile.json"}),
           "a design of an agent": (("agent", "order"), {"design.json"}), "a model of a system (EFSM)": (("efsm", "show"), {"efsm.json"}),
           "a model of parameters": (("combine",), {"combine.json"}), "a test file": (("replay",), {"test.json"}), "a task": (("ask", "spada"), {"task.json"}),
           "a result file": (("show",), set()), "a file of faults of an agent": (("agent", "test", "design.json", "--faults"), {"faults.json"}),
           "a corridor as a text": (("prove",), set()), "a state of a system": (("judge", "text.corridor"), {"state.json"}),
           "an experiment of algorithms": (("decide", "--most", "1"), {"experiment.json", "process.json", "efsm_experiment.json", "agent_experiment.json"}),
           "a folder of a campaign": (("merge", "-o", "new.h5"), set()),
           "a table of measurements (CSV)": (("profile", "fit", "--column", "v", "--states", "2"), set())}


class Mistakes(e2e.Case):
    def make_files(self):
        """A file of each kind: those of the library, and what commands write. What only its head tells is a head."""
        for name, path in (("model.json", "models/paper.json"), ("design.json", "agents/stock_manager.json"), ("faults.json", "agents/stock_manager_faults.json"),
                           ("efsm.json", "efsm/escape.json")):
            shutil.copy(LIBRARY / path, self.folder / name)
        shutil.copy(SOURCE / "profiles/library/wind_2010.json", self.folder / "profile.json")
        self.run_into("out.h5", self.experiment("experiment.json", suites=1, arms=[PSOPP, SPADA]))
        key = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"][0]["key"]
        self.corridor("replay", "out.h5", "--failure", key, "--dump", "task.json", "-o", "test.json")
        (self.folder / "output.json").write_text(self.corridor("failures", "out.h5", "--json").stdout)
        (self.folder / "text.corridor").write_text("-- Small.\n\nstructure partitioning\ninvariant few: count(organizations) <= 2\n")
        (self.folder / "script.py").write_text("#!/usr/bin/env python3\n")
        for name, head in (("suite.json", {"corridor_suite": 1}), ("combine.json", {"corridor_combine": 1}), ("search.json", {"corridor_search": 1}),
                           ("estimation.json", {"corridor_estimation": 1}), ("agent_experiment.json", {"design": "design.json"}),
                           ("efsm_experiment.json", {"efsm": "efsm.json"}), ("process.json", {"process": {"program": "two_phase"}}),
                           ("state.json", {"agents": [{}], "organizations": [[0]]})):
            (self.folder / name).write_text(json.dumps(head))

    def test_a_file_of_another_kind_is_called_by_its_name(self):
        self.make_files()
        for wanted, (words, taken) in READERS.items():
            for name in WHAT.keys() - taken:
                done = self.corridor(*words, name, code=3)
                of = " of an agent" if words == ("plan",) and name == "faults.json" else ""  # its "design" is that of such an experiment
                said = wanted
                if words[0] == "decide" and not WHAT[name].startswith("an experiment"):
                    said = "an experiment"
                if words[0] == "replay":  # of a layer that has tests of its own
                    said = {"process.json": "a test of a distributed program", "efsm.json": "a test of a model (EFSM)",
                            "efsm_experiment.json": "a test of a model (EFSM)",
                            **dict.fromkeys(("design.json", "faults.json", "agent_experiment.json"), "a test of an agent")}.get(name, said)
                place = ":1:1" if words == ("prove",) else ""
                self.assertIn(f"{name}{place}: is {WHAT[name]}, not {said}{of}\n  ", done.stderr, (words, name))
                self.assertRegex(done.stderr, r"\n  (corridor .* reads?|corridor .* read|no command reads) .*\n$")
            if wanted not in ("a result file", "a folder of a campaign", "a table of measurements (CSV)", "a test file", "a corridor as a text", "a state of a system"):
                for name, what in (("text.corridor", "a corridor as a text"), ("script.py", "a program")) if words[0] != "combine" else ():
                    self.assertIn(f"{name}: is {what}, and not JSON\n  ", self.corridor(*words, name, code=3).stderr)
                if words[0] == "decide":
                    continue
                self.assertIn("out.h5: is a result file (HDF5), and not JSON", self.corridor(*words, "out.h5", code=3).stderr)
            if wanted not in ("an experiment", "a folder of a campaign"):
                code = 4 if wanted in ("a result file", "a test file") else 3
                self.assertRegex(self.corridor(*words, ".", code=code).stderr, r": is (a folder|the folder of a campaign), not a (file|table)")

    def test_agents_are_chosen_not_drawn(self):
        self.make_files()
        why = ": values of cases are chosen by classes, not drawn: there is no probability of them\n  "
        self.assertIn("agent_experiment.json" + why, self.corridor("decide", "agent_experiment.json", "P [ failed ]", code=3).stderr)
        shutil.copy(LIBRARY / "agents/stock_manager_faults.json", self.folder)
        self.corridor("run", "agent_experiment.json", "-o", "a.h5", code=None)
        self.assertIn("a.h5" + why, self.corridor("decide", "a.h5", "P [ failed ]", code=3).stderr)

    def test_a_folder_that_is_none_of_a_campaign_is_said(self):
        self.assertIn(".: is no folder of a campaign: ./experiment.json is missing\n  name an experiment, or a folder that corridor plan -o has made", self.corridor("run", ".", code=4).stderr)

    def test_what_a_campaign_has_stored_is_no_experiment(self):
        (self.folder / "run.h5.parts").mkdir()
        (self.folder / "run.h5.parts/MANIFEST").write_text("of a campaign\n")
        said = "run.h5.parts: is what a campaign under way has stored\n  the same corridor run as before runs what is missing, and makes run.h5\n"
        for words in (("merge",), ("run",), ("plan",)):
            self.assertIn(said, self.corridor(*words, "run.h5.parts", code=4).stderr)

    def test_place_of_a_mistake_has_line_and_column(self):
        path = self.experiment("small.json", arms=[{**PSOPP, "falt": "f1"}])
        text = (self.folder / path).read_text()
        line = next(number for number, content in enumerate(text.splitlines(), 1) if '"falt"' in content)
        column = text.splitlines()[line - 1].index('"falt"') + 1
        self.assertIn(f'small.json:{line}:{column}: /arms/0/falt: unknown key "falt"\n  did you mean "fault"?', self.corridor("plan", path, code=3).stderr)
        self.experiment("small.json", model="gone.json")
        self.assertRegex(self.corridor("plan", "small.json", code=4).stderr, r"gone\.json: cannot open: No such file or directory\n  named in small\.json:\d+:\d+: /model")

    def test_a_module_or_program_that_cannot_be_started_is_told_before_anything_is(self):
        shutil.copy(e2e.MODULES / "deeds.so", self.folder / "lpt.so")
        for name in ("lpt.sh", "two words.sh"):
            (self.folder / name).write_text("#!/bin/sh\nexit 0\n")
        self.experiment("text.json")
        for algorithm, said in (("lpt.so", 'there is no algorithm "lpt.so"\n  write ./lpt.so'),
                                ("./lpt.sh", '"./lpt.sh" cannot be executed: it has no permission for that\n  chmod +x ./lpt.sh, or name the interpreter'),
                                ("python3 lpt.sh", 'there is no algorithm and no file "python3 lpt.sh"\n  a program with its words is an arm\'s "algorithm": {"command": '),
                                ("./two words.sh", '"./two words.sh" cannot be executed: it has no permission for that\n  chmod +x \'./two words.sh\', or'),
                                ("./gone for good.sh", "./gone for good.sh: cannot open"),
                                ("./text.json", './text.json: is an experiment, not a program\n  corridor run reads it'),
                                ({"command": "lpt.sh 1"}, 'there is no program "lpt.sh" on PATH\n  write ./lpt.sh'),
                                ({"command": "./lpt.sh 1"}, '"./lpt.sh" cannot be executed'),
                                ({"command": "no_such_program 1"}, 'there is no program "no_such_program" on PATH\n  install it'),
                                ({"command": "./gone 1"}, 'cannot open: No such file or directory\n  "./gone" is where the program should be')):
            arm = {"name": "A", "algorithm": algorithm, "parameters": {"agents": [2, 9], "budget": 5}}
            self.assertIn(said, self.corridor("plan", self.experiment(arms=[arm]), code=4 if "cannot open" in said else 3).stderr)
        shutil.copy(LIBRARY / "efsm/escape.json", self.folder)
        self.assertIn('there is no program "no_such_program" on PATH',
                      self.corridor("efsm", "test", "escape.json", "--goal", "win", "--system", "no_such_program", code=3).stderr)
        (self.folder / "lpt.sh").chmod(0o755)  # a shell does not find it here without a folder, and says something else
        self.assertIn('there is no program "lpt.sh" on PATH\n  write ./lpt.sh',
                      self.corridor("efsm", "test", "escape.json", "--goal", "win", "--system", "lpt.sh", code=3).stderr)

    def test_a_part_of_a_name_is_understood(self):
        (self.folder / "series.csv").write_text("time,temp_c\n1,2\n")
        self.assertIn('there is no column "temp"\n  did you mean "temp_c"? known: time, temp_c',
                      self.corridor("profile", "fit", "series.csv", "--column", "temp", "--states", "2", code=3).stderr)

    def test_what_others_write_for_an_operator_is_told_in_our_words(self):
        state = {"agents": [{"skill": 1}], "organizations": [[0]]}
        (self.folder / "state.json").write_text(json.dumps(state))
        one_each = "each name has a query of its own: all(x in COLLECTION: all(y in COLLECTION: CONDITION))"
        for condition, said in (("all(a, b in agents: a == b)", one_each), ("all(a in agents, b in agents: a == b)", one_each), ("max(a.skill for a in agents) < 2", "write max(x in COLLECTION: ..)"),
                                ("all(a.skill < 2 for a in agents)", "write all(x in COLLECTION: ..)"), ("count(a in agents if a.skill > 1) < 2", "write where CONDITION"),
                                ("all(a in agents such that a.skill > 1: true)", "write where CONDITION"), ("any(a in agents: a.job == lift)", "words stand in single quotes: 'word'"),
                                ("all(a in agents: a['skill'] > 0)", "ask for something that it has: name.attribute"), ("count(agents) <= 2 kg", "a number has no unit here: units stand where"),
                                ("1 = 1 <=> 2 = 2", "write == between the two conditions"), ("1 = 1 <-> 2 = 2", "write == between the two conditions"), ("1 ≤ 2", "write <="),
                                ("1 = 1 ∧ 2 = 2", "write and"), ("∀ a ∈ agents: true", "write all(x in COLLECTION: CONDITION)"), ("1 = 1 AND 2 = 2", "write and"), ("“lift” = 'lift'", "words stand in single quotes"),
                                ("none(a in agents: a.skill > 1)", "write not any(x in COLLECTION: CONDITION)"), ("all(a in agents: a.skill not 2)", "write !=, or not in"), ("1 = 1 nor 2 = 2", "write not (ONE or OTHER)"),
                                ("exactly(1, a in agents: true)", "write count(x in COLLECTION where CONDITION) == NUMBER"), ("1 => 2", "write implies; at least is >="), ("count(agents) -> 2", "write implies"), ("count(agents) <> 2", "write !="),
                                ("count(agents) =< 2", "write <="), ("count(agents) <= 2 [kg]", "a number has no unit here: units stand where")):
            (self.folder / "c.corridor").write_text(f"structure partitioning\nattribute skill: real\nattribute job: words lift, scan\ninvariant few: {condition}\n")
            self.assertIn(f"\n  {said}", self.corridor("judge", "c.corridor", "state.json", code=3).stderr)

    def test_an_attribute_that_a_state_calls_nearly_so_is_pointed_at(self):
        (self.folder / "c.corridor").write_text("structure partitioning\nattribute skill: real\nattribute load: real\n"
                                                "invariant skilled: all(a in agents: a.skill > 0)\n")
        for agents, code, said in (([{"skil": 1, "load": 2}], 7, 'note: s.json: no agent has "skill", and agent 0 has "skil": did you mean that?\n'),
                                   ([{"skil": 1}, {"skill": 1}], 7, "note: s.json: passed over, as the corridor does not declare it: attribute skil\n"), ([{"skill": 1, "loads": 2}], 0, 'no agent has "load", and agent 0 has "loads"'),
                                   ([{"other": 1}], 7, "attribute other"), ([{"skill": 1, "skil": 2}], 0, "attribute skil"), ([{"skill": 1}], 0, ""), ([], 0, "")):
            (self.folder / "s.json").write_text(json.dumps({"agents": agents, "organizations": [list(range(len(agents)))] if agents else []}))
            done = self.corridor("judge", "c.corridor", "s.json", code=code).stderr
            self.assertIn(said, done)
            self.assertEqual(done != "", said != "", done)

    def test_a_program_of_processes_without_a_slash_is_told_the_way(self):
        (self.folder / "ring.py").write_text("")
        (self.folder / "p.json").write_text(json.dumps({"process": {"program": "ring.py"}, "corridor": ["structure observed"]}))
        self.assertIn("it is neither a module (.so) nor a command\n  write ./ring.py, or a command: python3 ring.py", self.corridor("plan", "p.json", code=3).stderr)

    def test_the_way_to_the_counterexample_names_a_file_that_is_there(self):
        path = self.experiment("small.json", suites=2)
        words = ("decide", path, "P >= 0.9 [ always not alarm ]", "--most", 3)
        said = " ".join(self.corridor(*words, code=7).stdout.split())
        self.assertRegex(said, r"of a file that -o kept\.h5 keeps: corridor shrink kept\.h5 --failure \S+ --property 'P >= 0.9 \[ always not alarm \]' -o t\.json ")
        said = " ".join(self.corridor(*words, "-o", "two words.h5", code=7).stdout.split())
        command = re.search(r"with why: corridor (shrink 'two words\.h5' --failure .* -o t\.json)", said)
        self.corridor(*shlex.split(command.group(1)))

    def test_an_error_of_an_option_names_the_option(self):
        self.experiment("small.json", suites=1, arms=[SPADA])
        for word, said in (("nothing", 'there is no algorithm "nothing"'), ("spad", 'there is no algorithm "spad"\n  did you mean "spada"?'),
                           (f"{SPADA['name']}=spad", 'there is no algorithm "spad"'), ("nobody=spada", 'there is no arm "nobody" to give another algorithm')):
            self.assertIn(f"corridor: invalid input: --algorithm: {said}", self.corridor("run", "small.json", "-o", "x.h5", "--algorithm", word, code=3).stderr)

    def test_who_closes_our_output_is_told_nothing(self):
        """As `head` does; and a full disk is told, as before."""
        self.experiment("small.json", suites=1, arms=[SPADA])
        for words in (("plan", "small.json"), ("run", "small.json", "-o", "x.h5", "--progress", "none"), ("list",), ("show", "x.h5", "--all")):
            reader, writer = os.pipe()
            os.close(reader)
            try:
                done = subprocess.run([e2e.BINARY, *words], cwd=self.folder, stdout=writer, stderr=subprocess.PIPE, text=True)
            finally:
                os.close(writer)
            self.assertEqual(done.stderr, "", words)
            self.assertNotEqual(done.returncode, 0, words)
        with open("/dev/full", "w") as full:
            done = subprocess.run([e2e.BINARY, "plan", "small.json"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertIn("No space left on device", done.stderr)

    def test_what_a_program_says_instead_of_an_answer_is_quoted(self):
        told = "the blocks: ä" + "ö" * 80
        (self.folder / "talks.py").write_text((SOURCE / "algorithms/examples/python/my_algo.py").read_text().replace(
            "        answer = solve(", f"        print({told!r}, flush=True)\n        answer = solve("))
        (self.folder / "talks.py").chmod(0o755)
        self.experiment("small.json", suites=1, sequences=1, cases=20, arms=[{"name": "talks", "algorithm": "./talks.py"}])
        self.corridor("run", "small.json", "-o", "x.h5", "--progress", "none")
        key = json.loads(self.corridor("failures", "x.h5", "--json").stdout)["failures"][0]["key"]
        quoted = f'"{told[:13]}' + "ö" * ((100 - len(told[:13].encode())) // 2) + '..": is not valid JSON'
        for words in (("failures", "x.h5"), ("show", "x.h5", "--all"), ("replay", "x.h5", "--failure", key, "--trace", "--trust")):
            self.assertIn(quoted, " ".join(self.corridor(*words).stdout.split()), words)


if __name__ == "__main__":
    e2e.main()
