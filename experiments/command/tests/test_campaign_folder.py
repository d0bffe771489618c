#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a campaign: planned, run, extended, stopped, merged. Whatever the way, the file is that of a campaign run at
once, byte for byte."""
import fcntl
import glob
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import termios

import e2e
from e2e import PSOPP, SPADA

THIRD = {"name": "T", "algorithm": "spada", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 500}}
GRID = str(e2e.SOURCE / "experiments/library/models/smart_grid.json") if e2e.SOURCE else None


def crc32c(content):
    """RFC 3720, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte
        for _bit in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


class Folder(e2e.Case):
    def plan(self, *words, **others):
        """What is stored and to do, by arm, of `corridor plan --json`."""
        plan = json.loads(self.corridor("plan", *words, "--pilot", "0", "--json", **others).stdout)
        said = dict(plan["campaign"], arms=plan["stored"])
        for arm in said["arms"]:
            self.assertEqual(arm["planned"], arm["stored"] + arm["never"] + arm["damaged"] + arm["extended"])
        self.assertEqual(said["stored"], sum(arm["stored"] for arm in said["arms"]))
        return said

    def reasons(self, *words):
        return {arm["arm"]: (arm["stored"], arm["never"], arm["damaged"], arm["extended"]) for arm in self.plan(*words)["arms"]}

    def run_folder(self, folder="camp", *words, code=0):
        return self.corridor("run", folder, "--progress", "none", *words, code=code)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def at_once(self, experiment):
        """The file of the experiment, run as it is and in one go."""
        output = f"{experiment}.h5"
        self.run_into(output, experiment, "--jobs", 2)
        return self.read(output)

    def status(self, folder):
        return json.loads(self.corridor("status", folder, "--json").stdout)["sheets"]

    def journals_of(self, folder="camp"):
        return sorted((self.folder / folder / "results.h5.parts").glob("*.journal"))

    def adopted(self, journal, folder):
        """The bytes of a journal whose suites say that they are of the campaign in that folder."""
        origins = [int(word, 16) for word in json.loads(self.read(f"{folder}/results.h5.parts/MANIFEST"))["origins"]]
        content = bytearray(journal.read_bytes())
        at = content.find(b"CORSUITE")
        while at >= 0:
            arm, = struct.unpack_from("<H", content, at + 10)
            struct.pack_into("<Q", content, at + 32, origins[arm])
            struct.pack_into("<I", content, at + 68, crc32c(content[at:at + 68]))
            at = content.find(b"CORSUITE", at + 1)
        return bytes(content)

    def refused(self, *words, code=4):
        return self.corridor(*words, code=code).stderr


class Plans(Folder):
    def test_a_folder_is_all_that_its_campaign_needs(self):
        experiment = self.experiment()
        quiet = self.at_once(experiment)
        said = self.corridor("plan", experiment, "-o", "camp", "--pilot", "0").stdout
        self.assertIn("What is stored, and why the rest must run", said)
        self.assertIn("camp: 6 of 6 suites to do; next: corridor run camp\n", said)
        (self.folder / experiment).unlink()
        (self.folder / "elsewhere").mkdir()
        (self.folder / "camp").rename(self.folder / "elsewhere/camp")
        self.assertEqual(self.reasons("elsewhere/camp"), {"S": (0, 3, 0, 0), "P": (0, 3, 0, 0)})
        self.run_folder("elsewhere/camp")
        self.assertEqual(self.read("elsewhere/camp/results.h5"), quiet)
        self.assertEqual(self.reasons("elsewhere/camp"), {"S": (3, 0, 0, 0), "P": (3, 0, 0, 0)})
        self.assertIn("0 of 6 suites to do", self.corridor("plan", "elsewhere/camp", "--pilot", "0").stdout)

    def test_a_campaign_that_has_all_runs_nothing_and_writes_nothing(self):
        self.plan(self.experiment(), "-o", "camp")
        self.run_folder()
        before = {path: path.stat().st_mtime_ns for path in (self.folder / "camp").rglob("*") if path.suffix in (".h5", ".journal", ".csv")}
        self.assertIn("6 suites", self.run_folder().stdout)
        self.corridor("merge", "camp")
        self.assertEqual({path: path.stat().st_mtime_ns for path in before}, before)
        self.assertEqual(len(before), len([path for path in (self.folder / "camp").rglob("*") if path.suffix in (".h5", ".journal", ".csv")]))

    def test_damage_is_a_reason_to_run_a_suite_again(self):
        quiet = self.at_once(self.experiment())
        self.plan("small.json", "-o", "camp")
        self.run_folder("camp", "--jobs", "1")
        journal, = self.journals_of()
        content = bytearray(journal.read_bytes())
        content[content.index(b"CORSUITE", 8) + 100] ^= 1  # within the rows of the second suite
        journal.write_bytes(content)
        (self.folder / "camp/results.h5").unlink()
        self.assertEqual(self.reasons("camp"), {"S": (3, 0, 0, 0), "P": (2, 0, 1, 0)})
        self.run_folder()
        self.assertEqual(self.read("camp/results.h5"), quiet)
        self.assertEqual(self.reasons("camp"), {"S": (3, 0, 0, 0), "P": (3, 0, 0, 0)})

    def test_journals_can_be_dropped(self):
        quiet = self.at_once(self.experiment())
        self.plan("small.json", "-o", "camp")
        self.run_folder("camp", "--drop-journals")
        self.assertEqual(sorted(path.name for path in (self.folder / "camp").iterdir()),
                         ["experiment.json", "results.h5", "results.h5.times.csv"])
        self.assertEqual(self.read("camp/results.h5"), quiet)

    def test_options_of_a_folder_go_for_all_that_is_run_there(self):
        experiment = self.experiment()
        self.run_into("logged.h5", experiment, "--log-solutions")
        self.plan(experiment, "-o", "camp", "--log-solutions")
        self.run_folder("camp", "--suites", "3")
        self.plan(experiment, "-o", "camp")
        self.run_folder()
        self.assertEqual(self.read("camp/results.h5"), self.read("logged.h5"))
        self.corridor("merge", "camp", "-o", "merged.h5")
        self.assertEqual(self.read("merged.h5"), self.read("logged.h5"))
        (self.folder / "camp/options.json").write_text('{"log_solution": true}')
        self.assertIn('options.json:1:2: /log_solution: unknown key "log_solution"', self.refused("run", "camp", code=3))

    def test_a_folder_of_somebody_else_is_left_alone(self):
        experiment = self.experiment()
        (self.folder / "thesis").mkdir()
        (self.folder / "thesis/chapter.tex").write_text("precious")
        self.assertIn("exists already, and is no folder of a campaign", self.refused("plan", experiment, "-o", "thesis"))
        self.assertEqual([path.name for path in (self.folder / "thesis").iterdir()], ["chapter.tex"])
        (self.folder / "empty").mkdir()
        self.plan(experiment, "-o", "empty")
        self.assertIn("--suites needs --output", self.refused("plan", experiment, "--suites", code=2))

    def test_what_comes_behind_the_pilot_can_be_ended(self):
        experiment = self.experiment(suites=300_000)
        process = self.begin("plan", experiment, "-o", "camp", "--suites", "--pilot", "0.1")
        self.wait_until(lambda: glob.glob(f"{self.folder}/.corridor-part-*/suites/*/*"), "a suite", process)
        self.assertFalse(e2e.catches_interrupts(process.pid))
        process.terminate()
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertFalse((self.folder / "camp").exists())
        self.experiment()
        self.corridor("plan", experiment, "-o", "camp", "--suites", "--pilot", "0")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([experiment, "camp"]))

    def test_a_folder_is_whole_or_not_there(self):
        """Every size that a file may have, until all can be written: what fails leaves nothing, and the same command goes on."""
        experiment, size, code = self.experiment(), 0, 4
        while code:
            limit = lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            code = subprocess.run([e2e.BINARY, "plan", experiment, "-o", "camp", "--pilot", "0"], cwd=self.folder, env=e2e.ENVIRONMENT,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit).returncode
            self.assertEqual(code, 4 if not (self.folder / "camp").exists() else 0, size)
            self.assertEqual(sorted(os.listdir(self.folder)), sorted([experiment, *["camp"] * (code == 0)]))
            size = size * 2 or 1
        self.assertGreater(size, 64)
        self.run_folder()

    def test_what_is_called_as_a_campaign_would_call_it_is_left_alone(self):
        experiment, parts = self.experiment(), self.folder / "r.h5.parts"
        mine = ("LOCK", "LOCKED.txt", "MANIFESTO", "STATUS-of-mine", "result.h5", "result.h5-backup/kept", "times.csv", "DONE", "000007.journal",
                "diary.journal", "my.journal.sequences-3")
        for name in mine:
            path = parts / name
            path.parent.mkdir(parents=True)
            path.write_text("precious")
            if name == "DONE":
                (parts / "000007.journal").write_text("precious")
            self.assertIn("r.h5.parts", self.refused("run", experiment, "-o", "r.h5"), name)
            self.assertEqual(path.read_text(), "precious", name)
            shutil.rmtree(parts)

    def test_status_says_what_was_found_so_far(self):
        arms = [SPADA, {**PSOPP, "environment": "uniform"}]
        self.plan(self.experiment(suites=20, model=GRID, arms=arms), "-o", "camp")
        planned = json.loads(self.corridor("status", "camp", "--json").stdout)["sheets"]
        self.assertEqual(planned["campaign"]["row"]["suites_planned"], 40)
        self.assertEqual(planned["campaign"]["row"]["suites_done"], 0)
        self.run_folder()
        sheets = json.loads(self.corridor("status", "camp", "--json").stdout)["sheets"]
        self.assertEqual(sheets["campaign"]["row"]["suites_kept"], 40)
        self.assertEqual([row["suites"] for row in sheets["growth"]["rows"]], [1, 2, 5, 10, 20])
        self.assertEqual({row["fault"]: row["suites"] for row in sheets["faults"]["rows"]}, {"f1": 20, "f2": 20})
        failed = {(case["arm"], case["suite"], case["sequence"], case["case"]) for case in self.table("camp/results.h5", "cases")
                  if {case["detect"], case["gray"], case["black"]} & {"failed", "smoke"}}
        for row in sheets["arms"]["rows"]:
            self.assertEqual(row["failures"], len([key for key in failed if key[0] == row["arm"]]))
            covered = self.coverage("camp/results.h5")[row["arm"]]
            self.assertAlmostEqual(row["states"], covered["states"])
            self.assertAlmostEqual(row["transitions"], covered["transitions"])
        said = self.corridor("status", "camp", environment={"COLUMNS": "80"}).stdout
        self.assertIn("It has ended", said)
        self.assertTrue(said.startswith("40 of 40 suites, ") and said.endswith("\n--all shows the rest.\n"), said)
        self.assertLess(len(said.splitlines()), 24)
        self.assertIn("suites planned: 40", self.corridor("status", "camp", "--all").stdout)
        # On a small terminal the page keeps its first line: it ends before the last row, so that nothing is moved up.
        master, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 5, 80, 0, 0))
        e2e.subprocess.run([e2e.BINARY, "status", "camp", "--watch"], cwd=self.folder, env=e2e.ENVIRONMENT, stdout=terminal, check=True)
        os.close(terminal)
        said = b""
        try:
            while piece := os.read(master, 65536):  # a terminal hands on what was written piece by piece,
                said += piece
        except OSError:  # and ends so
            pass
        os.close(master)
        page = said.decode().split("\033[H\033[J")[1].split("\033[?25h")[0]
        self.assertIn("40 of 40 suites", page.splitlines()[0])
        self.assertEqual(page.count("\n"), 4, page)

    def coverage(self, path):
        """By arm and measure: the share seen over all suites, the least over environments, by `corridor coverage`."""
        return coverage(self, path)


def coverage(case, path):
    least = {}
    for row in json.loads(case.corridor("coverage", path, "--json").stdout)["sheets"]["covered"]["rows"]:
        if row["environment"] == "all" or row["measure"] not in ("states", "transitions") or row["campaign_pct"] is None:
            continue
        arm = least.setdefault(row["arm"], {})
        arm[row["measure"]] = min(arm.get(row["measure"], 1), row["campaign_pct"] / 100)
    return least


class Extensions(Folder):
    def test_more_suites_arms_and_sequences_give_the_file_of_a_campaign_run_at_once(self):
        arms = [SPADA, PSOPP]
        steps = (("suites", {"suites": 5, "arms": arms}), ("arms", {"suites": 5, "arms": [*arms, THIRD]}),
                 ("sequences", {"suites": 5, "arms": [*arms, THIRD], "sequences": 4}),
                 ("all", {"suites": 6, "arms": [*arms, THIRD, {**THIRD, "name": "U"}], "sequences": 5}))
        self.plan(self.experiment(), "-o", "camp")
        self.run_folder()
        for name, changes in steps:
            before = self.rows("camp/results.h5")
            experiment = self.experiment(f"{name}.json", **changes)
            self.plan(experiment, "-o", "camp")
            self.run_folder()
            self.assertEqual(self.read("camp/results.h5"), self.at_once(experiment), name)
            now = self.rows("camp/results.h5")
            for key, row in before.items():
                self.assertEqual(row, now[key], name)
            self.assertGreater(len(now), len(before))
        self.assertEqual([path.name for path in (self.folder / "camp/results.h5.parts").glob("*.sequences-*")], [])

    def rows(self, path):
        return {(row["arm"], row["suite"], row["sequence"], row["case"]): row for row in self.table(path, "cases")}

    def test_it_says_what_must_run_and_why(self):
        self.plan(self.experiment(), "-o", "camp")
        self.run_folder()
        self.assertEqual(self.reasons(self.experiment("a.json", suites=4, arms=[SPADA, PSOPP, THIRD]), "-o", "camp"),
                         {"S": (3, 1, 0, 0), "P": (3, 1, 0, 0), "T": (0, 4, 0, 0)})
        self.assertEqual(self.reasons(self.experiment("b.json", suites=4, arms=[SPADA, PSOPP, THIRD], sequences=3), "-o", "camp"),
                         {"S": (0, 1, 0, 3), "P": (0, 1, 0, 3), "T": (0, 4, 0, 0)})

    def test_an_interrupted_campaign_can_be_extended(self):
        self.plan(self.experiment(suites=100), "-o", "camp")
        self.run_folder("camp", "--suites", "30")
        more = self.experiment("more.json", suites=110, arms=[SPADA, PSOPP, THIRD])
        self.plan(more, "-o", "camp")
        self.run_folder("camp", "--jobs", "3", "--shuffle", "5")
        self.assertEqual(self.read("camp/results.h5"), self.at_once(more))

    def test_paired_arms_and_presets_are_extended_too(self):
        presets = {"swarm": {"algorithm": "psopp", "parameters": {"agents": [2, 40], "budget": 200}}}
        first = {"mode": "paired", "presets": presets, "arms": [{"name": "none", "preset": "swarm"}]}
        more = {**first, "presets": {**presets, "other": {"algorithm": "spada"}}, "description": "more of it", "contrasts": [{"name": "f", "between": ["none", "f1"]}],
                "arms": [*first["arms"], {"name": "f1", "preset": "swarm", "fault": "f1"}, {"name": "o", "preset": "other"}]}
        self.plan(self.experiment(**first), "-o", "camp")
        self.run_folder()
        self.assertEqual(self.reasons(self.experiment("more.json", **more), "-o", "camp")["none"], (3, 0, 0, 0))
        self.run_folder()
        self.assertEqual(self.read("camp/results.h5"), self.at_once("more.json"))
        more["presets"]["swarm"]["parameters"]["budget"] = 300
        self.assertIn("/arms/0, in its preset: /parameters/budget: 200 there, 300 here", self.refused("plan", self.experiment("other.json", **more), "-o", "camp"))

    def test_what_would_change_stored_rows_is_refused_by_name(self):
        self.plan(self.experiment(suites=2, arms=[SPADA, PSOPP], sequences=2), "-o", "camp")
        self.run_folder()
        before = {path: path.read_bytes() for path in (self.folder / "camp").rglob("*") if path.is_file() and path.name not in ("STATUS", "LOCK")}
        branching = {"branching": {"continuations": 1}}
        for said, changes in (('/seed: "0x7" there, "0x8" here', {"seed": "0x8"}),
                              ("/cases/1: 60 there, 61 here", {"cases": [20, 61]}),
                              ('/mode: nothing there, "paired" here', {"mode": "paired"}),
                              ("/model/", {"model": GRID}),
                              ("/sequences: nothing there", branching),
                              ('/arms/1: "P" there, nothing here', {"arms": [SPADA]}),
                              ('/arms/0/name: "S" there, "P" here', {"arms": [PSOPP, SPADA]}),
                              ("/arms/1/fault: ", {"arms": [SPADA, {**PSOPP, "fault": "f2"}]}),
                              ("/arms/0/name: ", {"arms": [THIRD, SPADA, PSOPP]}),
                              ("sequences: 2 there, 1 here", {"sequences": 1})):
            other = self.experiment("other.json", **{"suites": 2, **changes})
            for words in (("plan", other, "-o", "camp"), ("run", other, "-o", "camp/results.h5", "--force", "--progress", "none")):
                self.assertIn("holds another campaign under way: " + said, self.refused(*words))
        after = {path: path.read_bytes() for path in before}
        self.assertEqual(before, after)

    def test_fewer_suites_are_the_beginning_of_more(self):
        self.plan(self.experiment(suites=4), "-o", "camp")
        self.run_folder()
        self.assertEqual(self.plan(self.experiment("less.json", suites=2), "-o", "camp")["stored"], 4)
        self.run_folder()
        self.assertEqual(self.read("camp/results.h5"), self.at_once("less.json"))

    def test_continued_sequences_have_numbers_that_more_sequences_would_change(self):
        branching = {"branching": {"continuations": 1}}
        self.plan(self.experiment(**branching), "-o", "camp")
        self.assertIn("/sequences: 2 there, 3 here",
                      self.refused("plan", self.experiment("more.json", sequences=3, **branching), "-o", "camp"))

    def test_sequences_that_come_out_otherwise_than_before_are_told(self):
        for name, seed in (("camp", "0x7"), ("other", "0x8")):
            self.plan(self.experiment(f"{name}.json", seed=seed), "-o", name)
            self.run_folder(name, "--jobs", "1")
        self.journals_of("camp")[0].write_bytes(self.adopted(self.journals_of("other")[0], "camp"))
        self.plan(self.experiment("more.json", sequences=3), "-o", "camp")
        said = self.refused("run", "camp", "--progress", "none", code=6)
        self.assertRegex(said, "the first 2 sequences of suite 0 of arm S differ from those in .*sequences-2")

    def test_a_result_file_alone_is_run_anew(self):
        self.run_into("out.h5", self.experiment())
        more = self.experiment("more.json", suites=4)
        self.assertIn("exists already", self.refused("run", more, "-o", "out.h5", "--progress", "none"))
        self.run_into("out.h5", more, "--force")
        self.assertEqual(self.read("out.h5"), self.at_once(more))


class Merges(Folder):
    def parts(self, suites=8):
        """Two folders of one experiment, each with another part of it."""
        experiment = self.experiment(suites=suites)
        for name, words in (("a", ()), ("b", ("--shuffle", "3", "--jobs", "1"))):
            self.plan(experiment, "-o", name)
            self.run_folder(name, "--suites", str(suites), *words)
        return experiment

    def test_a_merge_ends_where_the_run_did(self):
        """Where an arm's properties were decided, by the command line of the run. A number of suites is no end: more can be run."""
        experiment = self.experiment(suites=60, cases=[10, 20], arms=[SPADA, {"name": "R", "algorithm": "random", "parameters": {"agents": [2, 40], "budget": 50}}],
                                     properties=[{"property": f"P {bound} [ always inside ]", "arm": name} for name, bound in (("S", ">= 0.5"), ("R", "<= 0.9"))])
        when = "camp/results.h5.parts/STOP-WHEN"
        self.corridor("plan", experiment, "-o", "camp", "--pilot", "0")
        for stop in (("--suites", 9), ("--stop-decided", 1), ()):
            self.run_folder("camp", "--jobs", 1, *stop)
            run = self.read("camp/results.h5")
            if stop[:1] == ("--suites",):
                self.assertIn("is incomplete", self.refused("merge", "camp", "-o", "x.h5", code=5))
                continue
            if stop[:1] == ("--stop-decided",):
                kept = [row["arm"] for row in self.table("camp/results.h5", "suites")]
                self.assertGreater(abs(kept.count("S") - kept.count("R")), 1)  # one ended early
                shutil.copytree(self.folder / "camp", self.folder / "decided")
                # A folder of before holds no such file.
                shutil.copytree(self.folder / "camp", self.folder / "old")
                (self.folder / "old/results.h5.parts/STOP-WHEN").unlink()
                old = self.corridor("merge", "old", "-o", "v.h5", code=None)  # all, if workers ran ahead so far
                self.assertTrue("is incomplete" in old.stderr if old.returncode == 5 else old.returncode == 0 and self.read("v.h5") != run)
            for words in (("camp", "-o", "x.h5", "--force"), ("camp",)):
                self.corridor("merge", *words)
                self.assertEqual(self.read("x.h5"), run)
                self.assertEqual(self.read("camp/results.h5"), run)
            (self.folder / "camp/results.h5").unlink()
            self.corridor("merge", "camp")
            self.assertEqual(self.read("camp/results.h5"), run)
        self.assertEqual(run, self.at_once(experiment))
        # Folders of which not all ended so: what all hold.
        self.corridor("merge", "decided", "camp", "-o", "y.h5")
        self.assertEqual(self.read("y.h5"), run)
        # What the file itself says to stop at counts as in a run.
        said = "said.json"
        (self.folder / said).write_text(json.dumps({**json.loads(self.read(experiment)), "stop": {"decided": 1}}))
        self.corridor("plan", said, "-o", "said", "--pilot", "0")
        self.run_folder("said")
        self.corridor("plan", said, "-o", "said", "--pilot", "0")
        self.corridor("merge", "said", "-o", "z.h5")
        self.assertEqual(self.read("z.h5"), self.read("said/results.h5"))
        for text in ("{}", '{"decided": 2}', "decided"):
            (self.folder / when).write_text(text)
            self.assertIn("STOP-WHEN", self.refused("merge", "camp", "-o", "w.h5", code=3))

    def test_progress_of_tasks_knows_arms_that_ended_early(self):
        """A task that began later knew that an arm was decided, and left suites out: they are no gap."""
        for attempt in range(6):  # until the process that plans was quicker than its worker, which has more and more to do
            experiment = self.experiment(suites=240, cases=[60 << attempt, 90 << attempt],
                                         arms=[SPADA, {"name": "R", "algorithm": "random", "parameters": {"agents": [2, 40], "budget": 50}}],
                                         properties=[{"property": f"P {bound} [ always inside ]", "arm": name} for name, bound in (("S", ">= 0.5"), ("R", "<= 0.9"))])
            folder = f"camp{attempt}"
            self.corridor("plan", experiment, "-o", folder, "--pilot", "0")
            for share in range(1, 5):
                before = self.status(folder) if share > 1 else None
                self.run_folder(folder, "--share", f"{share}/4", "--stop-decided", 1, "--jobs", 1)
            status = self.status(folder)
            of = {row["arm"]: row["suites"] for row in status["arms"]["rows"]}
            if of["R"] < 240:
                break
        else:
            self.skipTest("the worker was quicker than the process that plans, each time")
        self.assertEqual(before["campaign"]["row"]["suites_planned"], 480)
        self.assertIn("all that was asked for is stored", self.corridor("status", folder).stdout)
        self.corridor("merge", folder)
        kept = len(self.table(f"{folder}/results.h5", "suites"))
        self.assertLess(kept, 480)
        campaign = status["campaign"]["row"]
        self.assertEqual((campaign["suites_kept"], campaign["suites_planned"]), (kept, kept))
        self.corridor("run", experiment, "-o", "once.h5", "--progress", "none", "--stop-decided", 1)
        self.assertEqual(self.read(f"{folder}/results.h5"), self.read("once.h5"))

    def test_an_incomplete_campaign_is_merged_only_if_that_is_said(self):
        self.parts()
        said = self.refused("merge", "a", "-o", "x.h5", code=5)
        self.assertRegex(said, r"a: is incomplete: \d+ of 16 suites are stored, \d+ without a gap")
        self.assertFalse((self.folder / "x.h5").exists())
        self.assertFalse((self.folder / "x.h5.parts").exists())
        summary = json.loads(self.corridor("merge", "a", "-o", "x.h5", "--partial", "--json").stdout)
        self.assertFalse(summary["complete"])
        self.run_into("told.h5", "small.json", "--suites", summary["suites"])
        for table in e2e.TABLES:
            self.assertEqual(self.table("x.h5", table), self.table("told.h5", table))
        self.corridor("plan", "small.json", "-o", "late", "--pilot", "0")
        self.run_folder("late", "--share", "2/2")  # no suite of an even place of the plan, and so not the first
        self.assertRegex(self.refused("merge", "late", "-o", "y.h5", "--partial", code=5),
                         r"the first suite was not finished, so there is nothing to write; \d+ later ones are stored\n  the same command goes on from there")

    def test_what_several_machines_have_run_is_one_campaign(self):
        self.parts()
        self.run_folder("b")
        (self.folder / "b/results.h5").unlink()
        (self.folder / "small.json").rename(self.folder / "kept.json")
        quiet = self.at_once("kept.json")
        for folders in (("a", "b"), ("b", "a"), ("b",)):
            self.corridor("merge", *folders, "-o", "x.h5", "--force")
            self.assertEqual(self.read("x.h5"), quiet)
            self.assertFalse((self.folder / "x.h5.parts").exists())
        self.corridor("merge", "b")
        self.assertEqual(self.read("b/results.h5"), quiet)
        self.assertIn("exists already", self.refused("merge", "a", "b", "-o", "x.h5"))
        self.assertIn("needs a name for the result file", self.refused("merge", "a", "b", code=2))
        self.assertIn("is a result file (HDF5), not a folder of a campaign", self.refused("merge", "x.h5", "-o", "y.h5", code=3))

    def test_suites_that_the_first_campaign_does_not_plan_are_not_lost_silently(self):
        for name, suites in (("small", 2), ("large", 4)):
            self.plan(self.experiment(suites=suites), "-o", name)
            self.run_folder(name)
        for names in (("small", "large"), ("small", "large", "large")):
            said = self.refused("merge", *names, "-o", "x.h5", code=3)
            self.assertIn("small: has no place for 4 suites of the other folders: S/2, P/2, S/3, P/3", said)
            self.assertIn("name the folder of the larger campaign first", said)
        self.assertFalse((self.folder / "x.h5").exists())
        told = self.corridor("merge", "small", "large", "-o", "x.h5", "--partial")
        self.assertIn("warning: small has no place for 4 suites, which are left out: S/2, P/2, S/3, P/3", told.stderr)
        self.assertIn("4 of 4 suites", told.stdout)
        self.assertIn("8 of 8 suites", self.corridor("merge", "large", "small", "-o", "y.h5").stdout)

    def test_other_experiments_builds_and_modules_are_not_mixed(self):
        self.parts(suites=2)
        self.run_folder("a")
        manifest = self.folder / "b/results.h5.parts/MANIFEST"
        content = manifest.read_text()
        for pattern, by, said in ((r'"program": "0x.', '"program": "0xz', "it is of another build of corridor"),
                                  (r'"corridor": "', '"corridor": "9', 'corridor: "9'),
                                  (r'"seed": "0x7"', '"seed": "0x8"', '/seed: "0x8" there, "0x7" here'),
                                  (r'"version": "1', '"version": "2', 'algorithms/spada/version: "2')):
            manifest.write_text(re.sub(pattern, by, content, count=1))
            told = self.refused("merge", "a", "b", "-o", "x.h5", code=3)
            self.assertIn("holds another campaign than the first folder: " + said, told)
            self.assertNotIn("would overwrite", told)
        manifest.write_text("junk")
        self.assertIn("what it is cannot be read", self.refused("merge", "a", "b", "-o", "x.h5", code=3))
        manifest.unlink()
        self.assertIn("holds no MANIFEST", self.refused("merge", "a", "b", "-o", "x.h5"))
        self.assertEqual([path.name for path in self.folder.glob("x.h5*")], [])

    def test_a_suite_that_came_out_twice_otherwise_is_told(self):
        self.parts(suites=2)
        self.run_folder("a")
        self.plan(self.experiment("other.json", suites=2, seed="0x8"), "-o", "c")
        self.run_folder("c")
        for journal in self.journals_of("c"):
            journal.write_bytes(self.adopted(journal, "a"))
        shutil.copy(self.folder / "a/results.h5.parts/MANIFEST", self.folder / "c/results.h5.parts/MANIFEST")
        self.assertRegex(self.refused("merge", "a", "c", "-o", "x.h5", code=6), "suite . of arm . differs from that in")

    def test_suites_of_another_campaign_are_told_by_what_they_say_themselves(self):
        """Whole journals, and single suites between one's own; of another seed or arm, never of more suites."""
        quiet = self.at_once(self.experiment(suites=2))
        self.plan("small.json", "-o", "camp")
        self.run_folder("camp", "--jobs", "1")
        own, = self.journals_of()
        content = own.read_bytes()
        second = content.index(b"CORSUITE", 8)
        others = {"seed": {"seed": "0x8"}, "arm": {"arms": [SPADA, {**PSOPP, "fault": "none"}]}}
        for name, other in others.items():
            self.plan(self.experiment(f"{name}.json", suites=2, **other), "-o", name)
            self.run_folder(name, "--jobs", "1")
            foreign = self.journals_of(name)[0].read_bytes()
            for spliced in (foreign, foreign + content, content[:second] + foreign):
                own.write_bytes(spliced)
                whole = spliced.count(b"CORSUITE")
                there = json.loads(self.corridor("verify", "camp", "--json", code=1).stdout)["sheets"]
                row, = there["journals"]["rows"]
                self.assertEqual(row["suites"] + row["foreign"], whole)
                same = 2 if name == "arm" else 0  # those of the arm that both have
                self.assertEqual(row["foreign"], 4 - same)
                self.assertEqual(there["stored"]["row"]["different"], 0)
                self.assertIn(there["stored"]["row"]["missing"], range(5))
                self.assertEqual(there["stored"]["row"]["missing"] + there["stored"]["row"]["suites"], 4)
                (self.folder / "camp/results.h5").unlink()
                self.run_folder("camp", "--jobs", "1")
                self.assertEqual(self.read("camp/results.h5"), quiet)
                for journal in self.journals_of():
                    journal.unlink()
        own.write_bytes(content)
        self.plan(self.experiment("more.json", suites=3), "-o", "camp")
        self.assertEqual(json.loads(self.corridor("verify", "camp", "--json").stdout)["sheets"]["stored"]["row"]["missing"], 2)
        self.run_folder()
        self.assertEqual(self.read("camp/results.h5"), self.at_once("more.json"))

    def test_a_file_that_came_while_merging_is_replaced_only_if_it_is_this_experiments(self):
        """As a kill of the merge leaves it: nobody can say by the folder whether the file is its own."""
        quiet = self.at_once(self.experiment())
        self.at_once(self.experiment("other.json", seed="0x8"))
        for name, code in (("other.json.h5", 4), ("small.json.h5", 0)):
            self.plan("small.json", "-o", name[:5])
            output = self.folder / name[:5] / "results.h5"
            (self.folder / name[:5] / "results.h5.parts/OUTPUT").write_text("before none\nmerging\n")
            shutil.copy(self.folder / name, output)
            before = output.read_bytes()
            done = self.run_folder(name[:5], code=code)
            self.assertEqual(output.read_bytes(), before)
            self.assertEqual("exists already" in done.stderr, code == 4)
        self.assertEqual(before, quiet)


class Stops(Folder):
    def stopped(self, stop, *words, name="stop.json", **changes):
        """Suites kept, the same for all ways to run them."""
        experiment = self.experiment(name, suites=changes.pop("suites", 60), stop=stop, **changes)
        first = None
        for way in (("--jobs", 1), ("--jobs", 3), ("--jobs", 2, "--shuffle", 7)):
            summary = self.run_into("stop.h5", experiment, "--force", *way, *words)
            self.assertTrue(summary["complete"])
            content = self.read("stop.h5")
            self.assertEqual(first or content, content)
            first = content
        return summary["suites"]

    def prefixes(self, **changes):
        """What the suites of the plan add up to, one after another: (cases, failures)."""
        self.run_into("all.h5", self.experiment("all.json", suites=60, **changes), "--force")
        cases, failed, arms = {}, {}, ["S", "P"]
        for row in self.table("all.h5", "cases"):
            key = row["suite"] * 2 + arms.index(row["arm"])
            cases[key] = cases.get(key, 0) + 1
            failed.setdefault(key, set())
            if {row["detect"], row["gray"], row["black"]} & {"failed", "smoke"}:
                failed[key].add((row["sequence"], row["case"]))
        for row in self.table("all.h5", "reorganizations"):
            if row["agreement"] in ("failed", "smoke"):
                failed[row["suite"] * 2 + arms.index(row["arm"])].add((row["sequence"], row["case"]))
        sums, found = [], (0, 0)
        for key in range(120):
            found = (found[0] + cases.get(key, 0), found[1] + len(failed.get(key, ())))
            sums.append(found)
        return sums

    def test_conditions_are_met_where_the_sums_of_the_plan_say(self):
        sums = self.prefixes()

        def first(condition):
            return 1 + next(index for index, (cases, failures) in enumerate(sums) if condition(index + 1, cases, failures))

        for stop, condition in (({"cases": 1500}, lambda n, c, f: c >= 1500),
                                ({"failures": 40}, lambda n, c, f: f >= 40),
                                ({"failures": 60, "cases": 900}, lambda n, c, f: f >= 60 or c >= 900),
                                ({"all": {"failures": 60, "cases": 900}}, lambda n, c, f: f >= 60 and c >= 900),
                                ({"suites": 99, "all": {"cases": 500, "any": {"failures": 70, "suites": 50}}},
                                 lambda n, c, f: n >= 99 or (c >= 500 and (f >= 70 or n >= 50)))):
            if e2e.IN_FULL or len(stop) == 2:  # these have what the others have
                self.assertEqual(self.stopped(stop), first(condition), stop)
        self.assertEqual(self.stopped(None, "--stop-failures", 60, "--stop-cases", 900, "--stop-all"),
                         first(lambda n, c, f: f >= 60 and c >= 900))
        self.assertEqual(self.stopped({"failures": 60}, "--stop-cases", 900), first(lambda n, c, f: f >= 60 or c >= 900))

    def test_coverage_is_that_of_corridor_coverage(self):
        arms = [{**SPADA, "environment": "uniform"}, PSOPP]  # of which one takes transitions that its profiles do not have
        for measure, share in (("states", 0.98), ("transitions", 0.6))[:2 if e2e.IN_FULL else 1]:
            kept = self.stopped({measure: share}, model=GRID, arms=arms)
            for suites, reached in ((kept, True), (kept - 1, False)):
                less = self.experiment("less.json", suites=60, model=GRID, arms=arms)
                self.run_into("less.h5", less, "--suites", suites, "--force")
                shares = [shares[measure] for arm, shares in coverage(self, "less.h5").items() if arm != "all"]
                self.assertEqual(len(shares) == 2 and min(shares) >= share, reached, (measure, suites, shares))

    def test_the_interval_is_that_of_the_analysis(self):
        width = 0.16
        arms = [{**SPADA, "adoption": {"fault": "lost", "probability": 0.05}}, PSOPP]  # what no box but the black one sees
        kept = self.stopped({"half_width": width}, suites=100, arms=arms)
        self.assertEqual(kept % 2, 0)
        for suites, reached in ((kept, True), (kept - 2, False)):
            self.run_into("less.h5", self.experiment("less.json", suites=100, arms=arms), "--suites", suites, "--force")
            rows = json.loads(self.corridor("show", "less.h5", "performance", "--json").stdout)["sheets"]["figures"]["rows"]
            found = {row["arm"]: row["value"] for row in rows if row["metric"] == "sequences_detected_pct"}
            self.assertEqual(len(found), 2)
            # Shown are bootstrap intervals; their width is near, and the linearised one is computed here anew.
            self.assertEqual(max(self.half_width("less.h5", arm) for arm in found) <= width, reached, suites)
            for arm, value in found.items():
                if self.half_width("less.h5", arm) == float("inf"):
                    continue
                self.assertAlmostEqual((value["high"] - value["low"]) / 200, self.half_width("less.h5", arm), delta=0.03)

    def half_width(self, path, arm):
        """Of the share of sequences with a detection: the ratio's variance linearised over suites, Student's t."""
        import statistics
        from math import sqrt
        detected, sequences = {}, {}
        for row in self.table(path, "sequences"):
            if row["arm"] == arm:
                sequences[row["suite"]] = sequences.get(row["suite"], 0) + 1
        for row in self.table(path, "reorganizations"):
            if row["arm"] == arm and {row["gray"], row["black"]} & {"failed", "smoke"}:
                detected.setdefault(row["suite"], set()).add(row["sequence"])
        y = [len(detected.get(suite, ())) for suite in sequences]
        x = list(sequences.values())
        n, ratio = len(x), sum(y) / sum(x)
        rest = n - max(y.count(0), sum(a == b for a, b in zip(x, y)))
        if rest <= 6 and n - rest > rest:  # so few suites carry it that no interval is claimed
            return float("inf")
        error = sqrt(sum((b - ratio * a) ** 2 for a, b in zip(x, y)) / (n - 1) / n) / statistics.fmean(x)
        return student(0.975, n - 1) * error

    def test_a_mistake_in_the_conditions_is_told_with_its_place(self):
        for stop, said in (({"failure": 3}, '/stop/failure: unknown key "failure"'), ({}, "/stop: holds no condition"),
                           ({"all": {}}, "/stop/all: holds no condition"), ({"states": 1.5}, "/stop/states"),
                           ({"suites": 0}, "/stop/suites"), ({"cases": 1.5}, "/stop/cases"), (7, "/stop"),
                           ({"half_width": 0}, "/stop/half_width"),
                           ({"any": {"any": {"any": {"failures": "many"}}}}, "/stop/any/any/any/failures")):
            said_of = self.refused("run", self.experiment("odd.json", stop=stop), "-o", "x.h5", code=3)
            self.assertRegex(said_of, r"odd\.json:\d+:\d+: " + re.escape(said))
        said = self.refused("run", self.experiment("odd.json", stop={"states": 0.5}), "-o", "x.h5", code=3)
        self.assertIn("cannot stop at coverage: all profiles are drawn for each suite", said)
        self.assertIn("--stop-states takes a number from", self.refused("run", "odd.json", "-o", "x.h5", "--stop-states", "2", code=2))
        self.assert_only("odd.json")

    def test_the_clock_stops_within_a_sequence(self):
        """Or this test would take days."""
        experiment = self.experiment(cases=[10000000, 10000000], sequences=20)
        said = self.refused("run", experiment, "-o", "x.h5", "--stop-seconds", "0.3", "--progress", "none", code=5)
        self.assertIn("no suite was finished", said)

    def test_a_folder_remembers_that_it_was_stopped(self):
        self.plan(self.experiment(suites=60, stop={"failures": 30}), "-o", "camp")
        self.run_folder()
        self.assertTrue(self.plan("camp")["stopped"])
        self.assertIn("the stop conditions hold: no more are wanted", self.corridor("plan", "camp", "--pilot", "0").stdout)
        before = self.read("camp/results.h5")
        self.run_folder()
        self.corridor("merge", "camp")
        self.assertEqual(self.read("camp/results.h5"), before)
        more = self.experiment("more.json", suites=60, stop={"failures": 100000})
        self.assertFalse(self.plan(more, "-o", "camp")["stopped"])
        self.run_folder()
        self.assertEqual(self.read("camp/results.h5"), self.at_once(more))


def student(p, freedom):
    """Quantile of Student's distribution: its density summed up, by halving."""
    from math import exp, lgamma, pi, sqrt
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)

    def probability(t, steps=400):
        width = t / steps
        inner = sum((4 if i % 2 else 2) * (1 + (i * width) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(1, steps))
        return 0.5 + scale * width / 3 * (1 + inner + (1 + t * t / freedom) ** (-(freedom + 1) / 2))

    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if probability(middle) < p else (low, middle)
    return low


if __name__ == "__main__":
    e2e.main()
