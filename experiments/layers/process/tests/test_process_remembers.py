#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs in other languages that keep something between schedules: none is accused or acquitted of what others left behind, whatever the number of
workers, and whoever kills their child is no difference. What each program does is a line of arithmetic, which the test does, too.

usage: test_process_remembers.py CORRIDOR SOURCE"""
import csv
import io
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

# One process of a machine for each child: `past` counts schedules that it has begun, `asked` inputs of this one.
PROGRAM = '''import os
import sys
past, asked, whole, pool, fault, true, null = 0, 0, 0, None, None, True, None
SHOWN = {None: lambda: asked, "sums": lambda: whole, "hides": lambda: 99 if past == 1 else 0, "both": lambda: 100 + past if asked else 0,
         "once": lambda: 99 if past == 1 and asked >= 2 else 0,
         "pool": lambda: pool % 40, "none": lambda: 0}
for text in sys.stdin:
    line = eval(text)
    if "bye" in line:
        break
    said = ""
    if "hello" in line:
        fault = line["hello"].get("fault")
        said = '"process":"keeps","attributes":{"n":"integer"},"inputs":{"ask":"to count"},"faults":{"sums":"","hides":"","both":"","once":"","pool":"","dies":"","killed":"","always":""}'
    else:
        if "start" in line:
            past, asked, pool = past + 1, 0, pool or int(line["seed"], 16) % 1000
        else:
            asked, whole = asked + 1, whole + 1
        if fault == "dies" and past == 3:
            sys.exit(1)
        if fault == "always" or (fault == "killed" and past == 3 and not os.path.exists("was_killed")):
            if fault == "killed":
                open("was_killed", "w").close()
            os.kill(os.getpid(), 9)
        said = '"shows":{"n":%d}' % SHOWN.get(fault, SHOWN[None])()
    print('{"id":%d,%s}' % (line["id"], said), flush=True)
'''
LEAKED = "The schedule does not repeat in a fresh process: the program reads a clock or keeps old state."
SUITES, SEQUENCES = 2, 5


class ProcessRemembers(e2e.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "keeps.py").write_text(PROGRAM)

    def campaign(self, name, arms, *options, sequences=SEQUENCES, suites=SUITES, run=True, **more):
        what = {"process": {"program": "/usr/bin/python3 -S -I keeps.py", "count": 1}, "seed": 7, "suites": suites, "sequences": sequences, "cases": 3, "case": 1000,
                "corridor": ["structure observed", "attribute n: integer", "invariant few: all(a in agents: a.n <= 40)"],
                "environment": {"states": {"day": {"input": 4}}}, "faults": [], "generators": ["timed"], "arms": arms, **more}
        (self.folder / f"{name}.json").write_text(json.dumps(what))
        if not run:
            return None
        self.corridor("run", f"{name}.json", "-o", f"{name}.h5", "--force", "--progress", "none", *options)
        return list(csv.DictReader(io.StringIO(self.corridor("export", f"{name}.h5", "--table", "sequences").stdout)))

    def hash(self, name):
        return self.corridor("show", f"{name}.h5", "--hash").stdout

    @staticmethod
    def ends(rows, arm):
        """By suite, the end or what was violated of each schedule."""
        own = [row for row in rows if row["arm"] == arm]
        return [[row["end"] if row["end"] != "none" else row["violated"] for row in own if row["suite"] == suite] for suite in sorted({row["suite"] for row in own})]

    def test_nobody_is_accused_or_acquitted_of_what_was_before(self):
        arms = {"sound": {}, **{fault: {"fault": fault} for fault in ("sums", "hides", "both", "pool", "dies")}}
        rows = self.campaign("one", arms, "-j", "1")
        # Inputs of each schedule, of a program that counts them from its start and fails at none: in the digest of its events alone.
        asked = [int(row["events"]) for row in rows if row["arm"] == "sound"]
        self.assertEqual(self.ends(rows, "sound"), self.ends(rows, "pool"))
        self.assertEqual(set(sum(self.ends(rows, "sound"), [])), {"-"})
        self.assertTrue(max(asked) <= 40 < sum(asked[:SEQUENCES]), asked)
        sums = []
        for suite in range(SUITES):
            whole, ends = 0, []
            for own in asked[suite * SEQUENCES:(suite + 1) * SEQUENCES]:
                ends.append("leaked" if whole + own > 40 else "-")
                whole = own if whole + own > 40 else whole + own  # what is doubted was executed by a fresh child
            sums.append(ends)
        self.assertEqual(self.ends(rows, "sums"), sums)
        # The first of a child fails, also in a fresh one: a failure. The others pass for what was before, and the last one is looked at.
        self.assertEqual(self.ends(rows, "hides"), SUITES * [["few"] + (SEQUENCES - 2) * ["-"] + ["leaked"]])
        self.assertEqual(self.ends(rows, "both"), SUITES * [SEQUENCES * ["few"]])
        self.assertEqual(self.ends(rows, "dies"), SUITES * [["-", "-", "leaked", "-", "leaked"]])  # and the last in a child that had two
        for row in rows:
            if row["end"] == "leaked":
                self.assertEqual((row["verdict"], row["violated"], row["kept"]), ("failed", "-", "0"), row)
        said = self.corridor("show", "one.h5").stdout
        for command in ("replay one.h5 --failure", "shrink one.h5 --failure", "replay --trace t.json"):
            self.assertRegex(said, rf"corridor {command}.* --trust\n")  # as it is pasted, it is carried out
        self.campaign("three", arms, "-j", "3", "--shuffle", "5")
        self.assertEqual(self.hash("three"), self.hash("one"))
        # What is a failure comes again, digest and all; of what is none but by what was before this is said.
        for key in ("hides/1/0", "both/0/0", "both/1/0", "sums/0/" + str(sums[0].index("leaked")), "dies/1/2"):
            self.corridor("replay", "one.h5", "--failure", key, "--trust")
        said = self.corridor("replay", "one.h5", "--failure", "both/0/1", "--trust", code=1).stdout
        self.assertIn("the program may remember other schedules", said)
        said = self.corridor("shrink", "one.h5", "--failure", "both/0/1", "--trust", "-o", "t.json", code=3).stderr
        self.assertIn("schedule both/0/1 does not repeat in a fresh process\n  the program may remember other schedules", said)
        # A schedule is shrunk to what fails in a fresh child, not to what others that were tried left behind.
        self.corridor("shrink", "one.h5", "--constraint", "leaked", "--trust", "-o", "t.json")
        self.corridor("replay", "t.json", "--trust")
        self.assertEqual(len(json.loads((self.folder / "t.json").read_text())["schedule"]), 1)
        self.assertIn("the program reads a clock", " ".join(self.corridor("replay", "t.json", "--trace", "--trust").stdout.split()))
        # What fails in a fresh child alone is not kept whole for what the child that tries others remembers.
        self.campaign("once", {"once": {"fault": "once"}}, suites=1)
        self.corridor("shrink", "once.h5", "--failure", "once/0/0", "--trust", "-o", "two.json")
        self.assertEqual(len(json.loads((self.folder / "two.json").read_text())["schedule"]), 2)

    def test_whoever_kills_a_child_is_no_difference(self):
        rows = self.campaign("killed", {"sound": {}, "killed": {"fault": "killed"}}, "--isolate", "never", "-j", "1", suites=1)
        self.assertTrue((self.folder / "was_killed").exists())
        own = [[{k: v for k, v in row.items() if k not in ("arm", "digest")} for row in rows if row["arm"] == arm] for arm in ("sound", "killed")]
        self.assertEqual(*own)
        rows = self.campaign("always", {"always": {"fault": "always"}}, suites=1, sequences=2)
        self.assertEqual(self.ends(rows, "always"), [["gone", "gone"]])

    def test_an_estimate_counts_nothing_of_what_was_before(self):
        """And tells what it does not know: a schedule that leaked is counted apart, by its own name as any."""
        ends = self.ends(self.campaign("e", {"once": {"fault": "once"}, "sums": {"fault": "sums"}}, suites=10, sequences=3), "once")
        few, leaked = (sum(suite.count(word) for suite in ends) for word in ("few", "leaked"))
        self.assertGreater(min(few, leaked), 0)
        found = {}
        for failure, code in (("few", 7), ("leaked", 0), ("any", 0)):
            said = self.corridor("estimate", "e.json", "--arm", "once", "--failure", failure, "--json", "-j", "2", "-o", f"{failure}.h5", code=code)
            found[failure] = json.loads(said.stdout)
        self.assertEqual([(it["probability"], it["leaked"]) for it in found.values()], [(few / 30, leaked), (leaked / 30, 0), ((few + leaked) / 30, 0)])
        # Whatever they are, they are between these; the upper end of all that may be so is that of all that is.
        self.assertEqual(found["few"]["high"], found["any"]["high"])
        suites = [found[failure]["probabilities"][1] for failure in ("few", "any")]
        self.assertEqual((suites[0]["failed"], suites[0]["high"]), (sum("few" in suite for suite in ends), suites[1]["high"]))
        self.assertIn(f"{leaked} sequences leaked", self.corridor("show", "few.h5", "estimate", code=7).stdout)
        said = json.loads(self.corridor("estimate", "e.json", "--arm", "sums", "--failure", "few", "--method", "splitting", "--level", "any(a in agents: a.n >= 30)", "--levels", "0",
                                        "--effort", "2", "--budget", "300", "--json", code=1).stdout)
        self.assertGreater(said["leaked"], 0)
        self.assertIn("leaked", said["refused"])
        self.assertEqual((said["probability"], said["high"]), (0, None))

    def test_what_is_executed_again_is_in_the_traffic(self):
        arms = {fault: {"fault": fault} for fault in ("sums", "hides")}
        self.campaign("heard", arms, "-j", "1", "--record-traffic", "said.txt", suites=1)
        (self.folder / "keeps.py").unlink()
        self.campaign("played", arms, "-j", "1", "--replay-traffic", "said.txt", suites=1)
        self.assertEqual(self.hash("played"), self.hash("heard"))

    def test_a_generator_that_learns_learns_nothing_of_what_was_before(self):
        corridor = ["structure observed", "attribute n: integer", "invariant few: all(a in agents: a.n <= 100000)"]
        rows = self.campaign("learns", {"dies": {"fault": "dies"}}, generators=["search"], suites=1, sequences=3, corridor=corridor, events=100)
        self.assertEqual(self.ends(rows, "dies"), [["-", "-", "leaked"]])
        self.corridor("replay", "learns.h5", "--failing", "--trust")


if __name__ == "__main__":
    e2e.main()
