#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What works for long says off a terminal what it does, how far it is and since when, however long one of its steps takes: each command here would take
hours, and is ended once it has said so."""
import json
import signal

import e2e
from e2e import SOURCE

LIBRARY = SOURCE / "experiments/library"
# A program of which each execution takes longer than it takes until something is to be said.
LATE = '''import sys, time
true, false, null = True, False, None
for text in sys.stdin:
    line = eval(text)
    if "bye" in line:
        break
    if "hello" in line:
        said = '"process":"late","attributes":{"n":"integer"},"inputs":{"ask":"to count"}'
    else:
        time.sleep(12 if "start" in line else 0)
        said = '"shows":{"n":%d}' % (0 if "start" in line else 9)
    print('{"id":%d,%s}' % (line["id"], said), flush=True)
'''
LATE_TEST = {"process_test": {"suite": 0, "sequence": 0, "expected": "few", "tick": 100}, "process": {"program": "/usr/bin/python3 -S -I late.py", "count": 1},
             "seed": 1, "cases": 3, "case": 1000, "events": 100, "corridor": ["structure observed", "attribute n: integer", "invariant few: all(a in agents: a.n <= 5)"],
             "environment": {"states": {"day": {"input": 4}}}, "faults": [], "arms": {"sound": {"generator": "timed"}}, "schedule": [["input", 0, "ask", 5, 100]]}


class Progress(e2e.Case):
    def make(self):
        for name in ("two_phase.json", "two_phase.corridor"):
            (self.folder / name).write_text((LIBRARY / "processes" / name).read_text())
        self.corridor("run", "two_phase.json", "--suites", 2, "-o", "r.h5")
        self.corridor("shrink", "r.h5", "--failure", "early_vote/0/0", "-o", "t.json")
        (self.folder / "late.py").write_text(LATE)
        (self.folder / "late.json").write_text(json.dumps(LATE_TEST))

    def test_each_says_how_far_it_is(self):
        self.make()
        wide, synth = LIBRARY / "efsm/billing_wide.json", LIBRARY / "efsm/billing_synth.json"
        commands = {
            r"trap \S+: ring \d+ behind \d+ cubes": ("efsm", "reach", wide, "--goal", "transition-pairs", "--fixpoint", "--summary"),
            r"\d+ moves of at most 1000000000000 tried, \d+ states of the two met": ("efsm", "compare", synth, synth, "--moves", 10 ** 12),
            r"\d+ of about \d+ executions(, about \d+ (s|min) left)?": ("why", "t.json", "--curve", "--future", "random", "--effort", 1000000),
            "executing the test as it is": ("why", "late.json", "--curve", "--future", "timed", "--trust")}
        begun = [(line, self.begin(*words)) for line, words in commands.items()]
        for line, process in begun:
            found = process.stderr.readline()
            while found.startswith("corridor: note: "):
                found = process.stderr.readline()
            self.assertRegex(found, rf"^corridor: {line}, \d+ s so far\n$")
            process.send_signal(signal.SIGKILL)
            process.wait()


if __name__ == "__main__":
    e2e.main()
