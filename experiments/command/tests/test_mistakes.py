#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes that newcomers make: a file of another kind, a missing slash, a script without x, a program that is not there, a column's name."""
import json
import shutil

import e2e
from e2e import PSOPP, SOURCE, SPADA

LIBRARY = SOURCE / "experiments/library"
WHAT = {"experiment.json": "an experiment", "model.json": "a test model", "profile.json": "a profile", "suite.json": "a suite file", "test.json": "a test file",
        "task.json": "a task", "combine.json": "a model of parameters", "search.json": "a search", "estimation.json": "an estimation",
        "efsm.json": "a model of a system (EFSM)", "design.json": "a design of an agent", "faults.json": "a file of faults of an agent",
        "agent_experiment.json": "an experiment of an agent", "efsm_experiment.json": "an experiment of a system (EFSM)",
        "output.json": "what a command printed by --json"}
# A command, and the kinds that it takes.
EXPERIMENTS = {"experiment.json", "search.json", "estimation.json", "agent_experiment.json", "efsm_experiment.json"}
READERS = {"an experiment": (("plan",), EXPERIMENTS), "a profile": (("profile", "show"), {"profile.json"}),
           "a design of an agent": (("agent", "order"), {"design.json"}), "a model of a system (EFSM)": (("efsm", "show"), {"efsm.json"}),
           "a model of parameters": (("combine",), {"combine.json"}), "a test file": (("replay",), {"test.json"}), "a task": (("ask", "spada"), {"task.json"}),
           "a result file": (("show",), set()), "a file of faults of an agent": (("agent", "test", "design.json", "--faults"), {"faults.json"}),
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
        for name, head in (("suite.json", {"corridor_suite": 1}), ("combine.json", {"corridor_combine": 1}), ("search.json", {"corridor_search": 1}),
                           ("estimation.json", {"corridor_estimation": 1}), ("agent_experiment.json", {"design": "design.json"}),
                           ("efsm_experiment.json", {"efsm": "efsm.json"})):
            (self.folder / name).write_text(json.dumps(head))

    def test_a_file_of_another_kind_is_called_by_its_name(self):
        self.make_files()
        for wanted, (words, taken) in READERS.items():
            for name in WHAT.keys() - taken:
                done = self.corridor(*words, name, code=3)
                of = " of an agent" if words == ("plan",) and name == "faults.json" else ""  # its "design" is that of such an experiment
                self.assertIn(f"{name}: is {WHAT[name]}, not {wanted}{of}\n  ", done.stderr, (words, name))
                self.assertRegex(done.stderr, r"\n  (corridor .* reads?|corridor .* read|no command reads) .*\n$")
            if wanted not in ("a result file", "a folder of a campaign", "a table of measurements (CSV)", "a test file"):
                self.assertIn("out.h5: is a result file (HDF5), and not JSON", self.corridor(*words, "out.h5", code=3).stderr)
            if wanted not in ("an experiment", "a folder of a campaign"):
                code = 4 if wanted in ("a result file", "a test file") else 3
                self.assertRegex(self.corridor(*words, ".", code=code).stderr, r": is (a folder|the folder of a campaign), not a (file|table)")

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
        (self.folder / "lpt.sh").write_text("#!/bin/sh\nexit 0\n")
        for algorithm, said in (("lpt.so", 'there is no algorithm "lpt.so"\n  write ./lpt.so'),
                                ("./lpt.sh", '"./lpt.sh" cannot be executed: it has no permission for that\n  chmod +x ./lpt.sh, or name the interpreter'),
                                ({"command": "lpt.sh 1"}, 'there is no program "lpt.sh" on PATH\n  write ./lpt.sh'),
                                ({"command": "./lpt.sh 1"}, '"./lpt.sh" cannot be executed'),
                                ({"command": "no_such_program 1"}, 'there is no program "no_such_program" on PATH\n  install it'),
                                ({"command": "./gone 1"}, 'cannot open: No such file or directory\n  "./gone" is where the program should be')):
            arm = {"name": "A", "algorithm": algorithm, "parameters": {"agents": [2, 9], "budget": 5}}
            self.assertIn(said, self.corridor("plan", self.experiment(arms=[arm]), code=4 if "cannot open" in said else 3).stderr)
        shutil.copy(LIBRARY / "efsm/escape.json", self.folder)
        self.assertIn('there is no program "no_such_program" on PATH',
                      self.corridor("efsm", "test", "escape.json", "--goal", "win", "--system", "no_such_program", code=3).stderr)

    def test_a_part_of_a_name_is_understood(self):
        (self.folder / "series.csv").write_text("time,temp_c\n1,2\n")
        self.assertIn('there is no column "temp"\n  did you mean "temp_c"? known: time, temp_c',
                      self.corridor("profile", "fit", "series.csv", "--column", "temp", "--states", "2", code=3).stderr)


if __name__ == "__main__":
    e2e.main()
