#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same mistakes with the tests of every layer: files of another layer, cut, forged, of a program that changed; a law that does not exist; a property
over what a layer does not show; a budget of nothing. Each line of subject_mistakes.txt that begins with the name of a layer is a command, what follows is
its exit code and all that it says; COR_UPDATE_EXPECTED=1 writes it anew, to be read.

usage: test_subject_mistakes.py CORRIDOR SOURCE"""
import json
import os
import pathlib
import re
import shlex
import shutil

import e2e
from e2e import SOURCE

LIBRARY = SOURCE / "experiments/library"
CORPUS = pathlib.Path(__file__).resolve().parent / "subject_mistakes.txt"
LEVEL = "b1,d1\n|w,w,w,w,w,w\nw,f:a^t,f,f:b^b1,f,w\nw,f,f,f,f:d>e^d1,w\nw,w,w,w,w,w\n"
MUTANT = "right.update.wrong.dropped"
GOAL = {"seq": ["explore", {"reach": "b1", "do": "press"}, {"assert": "d1.open"}]}
KINDS = ("cut", "empty", "list", "forged")
# What is asked of all layers: of a test that fails, of a file of another kind, of its experiment and of a result file.
COMMANDS = [command.format(kind) for command in ("replay {}.json", "shrink {}.json -o new.json", "why {}.json") for kind in KINDS] + [
    "run t.json -o new.h5", "plan t.json", "decide t.json 'P [ failed ]'", "search t.json -o new.h5", "estimate t.json -o new.h5",
    "explore t.json -o new.h5 --measure 'count failed' --input x=0:1", "failures t.json", "show t.json",
    "why t.json --curve", "why t.json --curve --future lottery", "why t.json --curve --future pct", "why t.json --curve --future uniform --effort 0",
    "why t.json --curve --future uniform --budget 5", "why t.json --budget 0", "why t.json --failure a/0", "why r.h5", "why r.h5 --failure nobody/0/0",
    "shrink t.json --budget 0 -o new.json", "shrink r.h5 -o t.json", "shrink r.h5 --failure nobody/0/0 -o new.json",
    "replay r.h5 --failure nobody/0/0", "replay t.json --expect sometimes", "replay t.json --failure a/0",
    "decide e.json 'P [ fliled ]'", "decide e.json 'P [ eventually dissimilarty > 3 ]'", "decide e.json 'E [ sum nothing ]'", "decide e.json ''",
    "decide e.json 'P [ failed ]' --most 0", "search e.json --budget 0 -o new.h5", "estimate e.json --budget 0 -o new.h5",
    "explore e.json --measure 'sum nothing' --input x=0:1 -o new.h5", "explore e.json --measure 'count failed' --input x=0:1 --budget 0 -o new.h5"]


class Mistakes(e2e.Case):
    def write(self, name, what):
        (self.folder / name).write_text(json.dumps(what))

    def change(self, change):
        """forged.json: the test, changed."""
        test = json.loads((self.folder / "t.json").read_text())
        change(test)
        self.write("forged.json", test)

    def algorithms(self):
        self.experiment("e.json", suites=2, arms=[e2e.PSOPP])
        self.run_into("r.h5", "e.json")
        key = json.loads(self.corridor("failures", "r.h5", "--json").stdout)["failures"][0]["key"]
        self.corridor("shrink", "r.h5", "--failure", key, "-o", "t.json")
        self.change(lambda test: test["expected"].update(hash="0x1"))

    def programs(self):
        for name in ("two_phase.json", "two_phase.corridor"):
            shutil.copy(LIBRARY / "processes" / name, self.folder)
        experiment = json.loads((self.folder / "two_phase.json").read_text())
        self.write("e.json", {**experiment, "arms": {"early_vote": experiment["arms"]["early_vote"]}})
        self.corridor("run", "e.json", "--suites", 2, "-o", "r.h5")
        self.corridor("shrink", "r.h5", "--failure", "early_vote/0/0", "-o", "t.json")
        self.change(lambda test: test.update(arms={"early_vote": {**test["arms"]["early_vote"], "fault": None}}))

    def systems(self):
        (self.folder / "level.csv").write_text(LEVEL)
        self.write("e.json", {"system": {"rooms": "level.csv"}, "arms": [{"name": "none"}, {"name": "M", "mutant": "link b1-d1 removed"}], "runs": 2,
                              "tests": [{"name": "key", "agents": [{"name": "t", "goal": GOAL}]}]})
        self.corridor("run", "e.json", "-o", "r.h5")
        self.corridor("shrink", "r.h5", "--failure", "M/1", "-o", "t.json")
        self.change(lambda test: test["system_test"].update(world="0x1"))

    def agents(self):
        agents = LIBRARY / "agents"
        self.corridor("agent", "test", agents / "stock_manager.json", "--faults", agents / "stock_manager_faults.json", "-o", "r.h5")
        self.corridor("shrink", "r.h5", "--failure", "M3/PT(Out_of_stock_response)/0", "-o", "t.json")
        self.write("e.json", {"design": str(agents / "stock_manager.json")})
        self.change(lambda test: test["agent_test"].update(case=1000000))

    def models(self):
        text = (SOURCE / "docs/look-up/efsm.md").read_text()
        (self.folder / "door.json").write_text(re.search(r"```\w+ file=door\.json\n(.*?)```", text, re.S).group(1))
        self.corridor("efsm", "test", "door.json", "--goal", "all-transitions", "--planner", "random", "--runs", 4, "--mutant", MUTANT, "-o", "r.h5", code=1)
        self.corridor("shrink", "r.h5", "--failure", f"{MUTANT} by random/0", "-o", "t.json")
        self.write("e.json", {"efsm": "door.json", "goal": "all-transitions", "arms": [{"name": "a", "planner": "random"}], "runs": 4})
        self.change(lambda test: test["efsm_test"].update(model="0x1"))

    def said(self, layer):
        """All commands with what they say, as the corpus has it."""
        getattr(self, layer)()
        test = (self.folder / "t.json").read_text()
        (self.folder / "cut.json").write_text(test[:len(test) // 2])
        (self.folder / "empty.json").write_text("")
        (self.folder / "list.json").write_text("[]")
        lines = []
        for command in COMMANDS:
            done = self.corridor(*shlex.split(command), code=None)
            lines.append(f"{layer}: {command}\n{done.returncode}\n" + "".join(f"  {line}\n" for line in (done.stderr + (done.stdout if command == "replay forged.json" else "")).splitlines()))
            self.assertFalse(done.returncode > 1 and list(self.folder.glob("new.*")), command)
            self.remove("new.*")
        return lines

    def test_mistakes(self):
        expected = CORPUS.read_text() if CORPUS.exists() else ""
        found = ["\n".join(self.said(layer)) for layer in ("algorithms", "programs", "systems", "agents", "models") if not self.remove("*")]
        text = "# Mistakes, made alike with every layer, and what is said. See test_subject_mistakes.py.\n\n" + "\n".join(found)
        text = text.replace(str(SOURCE), "SOURCE").replace(str(self.folder), "HERE")
        if os.environ.get("COR_UPDATE_EXPECTED") == "1":
            CORPUS.write_text(text)
            return
        self.maxDiff = None
        self.assertEqual(text, expected)
        commands, sentences = len(re.findall(r"^\w+: ", text, re.M)), len(set(re.findall(r"^  corridor: .*", text, re.M)))
        self.assertGreaterEqual(sentences, 60)
        self.assertIn(f"{commands} commands, {sentences} different sentences", " ".join((SOURCE / "docs/do/test-files.md").read_text().split()))


if __name__ == "__main__":
    e2e.main()
