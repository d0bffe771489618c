#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""commands.py CORRIDOR SOURCE FAILING_CORRIDOR [EVERY [FIRST [NAME...]]]: every allocation of commands of the other layers (or every EVERY-th
from the FIRST on; of all of them, or of those named) fails in turn, once or from then on: models of systems, searched, planned and tested;
units of an agent; walks that are steered to traps; algorithms in cells, the cells' own allocations too; tables of a result. Either it is done, and said and wrote
what it does else, or it says that memory is out, with a documented exit code, and leaves no half file; and the same command then does it."""
import collections
import json
import os
import pathlib
import re
import sys

import campaign

CORRIDOR, SOURCE, FAILING = sys.argv[1:4]
EVERY = int(sys.argv[4]) if len(sys.argv) > 4 else 1
FIRST = int(sys.argv[5]) if len(sys.argv) > 5 else 1 + EVERY // 2
NAMED = sys.argv[6:]
HERE = pathlib.Path(SOURCE).resolve() / "experiments/library"
COUNTER, LINK, WRITES = HERE / "efsm/counter3.json", HERE / "efsm/lossy_link.json", ("-o", campaign.RESULT, "--jobs", "1")
RUN = ("run", "e.json", *WRITES, "--progress", "none")
COMMANDS = {
    "check": ("efsm", "check", COUNTER),
    "search": ("efsm", "plan", COUNTER, "--goal", "trap_t3"),
    "expected": ("efsm", "plan", LINK, "--goal", "trap_fin", "--reading", "expected"),
    "paper": ("efsm", "plan", COUNTER, "--goal", "trap_t3", "--planner", "paper"),
    "antiant": ("efsm", "plan", HERE / "efsm/escape.json", "--goal", "all-transitions", "--planner", "antiant"),
    "test": ("efsm", "test", COUNTER, "--goal", "trap_t3", *WRITES),
    "units": ("agent", "test", HERE / "agents/paper_table1.json", *WRITES),
    "traps": RUN,
    "cells": (*RUN, "--isolate", "always"),
    "tables": ("show", "given.h5", "tables"),
}
MODEL = {"corridor_model": 1, "name": "sky", "parameters": [{"agents": [3, 5]}], "agents": "agents",
         "structure": {"size_min": 1, "size_max": "agents", "count_max": 2},
         "environments": {"sky": {"profile": {"states": ["dark", "bright"], "transitions": {"dark": {"dark": 0.5, "bright": 0.5}, "bright": {"dark": 1}}}}},
         "types": {"lamp": {"environment": "sky", "level": [0.2, 1.0]}}, "inertia": [0.2, 1.0],
         "invariant": {"measure": "range", "threshold": {"alarm_rate": 0.25, "pilot_cases": 20, "pilot": "random"}}}
TRAPS = {"name": "traps", "seed": "0x7", "suites": 1, "sequences": 1, "cases": 4, "model": "model.json",
         "arms": [{"name": "T", "algorithm": "psopp", "parameters": {"budget": 20}, "environment": {"traps": [
             "before.sky = 'bright' and sky = 'dark'", {"arcs": "sky", "with": ["reorganized"]}]}}]}
CELLS = {**campaign.TWO_SUITES, "cases": 2, "arms": campaign.TWO_SUITES["arms"][:1]}
FAULTS = {**campaign.TWO_SUITES, "mode": "paired", "arms": [{**campaign.TWO_SUITES["arms"][0], "name": name, **fault}
                                                            for name, fault in (("S", {}), ("F", {"fault": "f1"}))]}
EXPERIMENTS = {"traps": TRAPS, "cells": CELLS, "tables": FAULTS}


def without_clock(said):
    return re.sub(r"[0-9.]+ s\b", "some s", said)


class Command(campaign.Campaign):
    """A command in a folder of its own, as a campaign is."""

    def __init__(self, name):
        super().__init__(CORRIDOR, SOURCE, EXPERIMENTS.get(name))
        (self.folder / "model.json").write_text(json.dumps(MODEL))
        self.words, self.said = RUN, None
        if name == "antiant":
            self.done = 7  # it proves nothing
        if name == "tables":
            self.run_quietly()
            (self.folder / "given.h5").write_bytes(self.quiet)
        self.words = COMMANDS[name]

    def command(self, jobs=1, program=None):
        return [program or self.corridor, *self.words]

    def judge(self, what, done):
        super().judge(what, done)
        self.expect(done.returncode == self.done or "memory" in done.stderr, what + ", says why", done)
        self.expect(done.returncode != self.done or without_clock(done.stdout) == self.said, f"{what}, says something else: {done.stdout[:200]}", done)


def fail_each(bad, name):
    """How many allocations there were."""
    told = lambda number, word: {"FAILING_ALLOCATIONS": f"{bad.folder}/counter:{number}:{word}"}
    bad.run_quietly()
    bad.corridor = FAILING  # a campaign is gone on from by the program that began it
    done, count = bad.counting(told(0, "once"))
    bad.said = without_clock(done.stdout)
    if done.returncode != bad.done or bad.result() != bad.quiet:
        sys.exit(f"{name}: the program whose allocations fail does something else when none does: {done.stderr}")
    if count < 100:
        sys.exit(f"only {count} allocations were seen in {name}")
    for number in range(FIRST, count + 1, EVERY):
        for word in ("once", "always"):
            what = f"{name}, allocation {number}, {word}"
            bad.clean()
            done, _count = bad.counting(told(number, word))
            bad.judge(what, done)
            bad.judge_again(what)
    return count


def main():
    os.environ["CORRIDOR_CELL"] = str(pathlib.Path(FAILING).resolve().parent / "cell_failing_allocations")
    sizes, codes, problems = [], collections.Counter(), []
    for name in NAMED or COMMANDS:
        with Command(name) as bad:
            sizes.append(f"{name} {fail_each(bad, name)}")
            codes += bad.codes
            problems += bad.problems
    return campaign.report("failing allocations of commands", sum(codes.values()), problems,
                           f"allocations: {', '.join(sizes)}; exit codes: {campaign.words(codes)}")


if __name__ == "__main__":
    sys.exit(main())
