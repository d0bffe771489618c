#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same input gives the same bytes: for any number of workers, again, from suite files, in any locale; and a stop
condition cuts the same prefix off."""
import csv
import io
import json
import subprocess

import e2e
from e2e import PSOPP, SOURCE, SPADA, TABLES


class Same(e2e.Case):
    def test_any_number_of_workers_gives_the_same_bytes(self):
        experiment = self.experiment(suites=5)
        for jobs in (1, 2, 3, 8):
            self.run_into(f"jobs{jobs}.h5", experiment, "--jobs", jobs)
        self.assert_same_bytes("jobs1.h5", "jobs2.h5", "jobs3.h5", "jobs8.h5")

    def test_a_second_run_gives_the_same_bytes(self):
        experiment = self.experiment()
        self.run_into("one.h5", experiment)
        self.run_into("two.h5", experiment)
        self.assert_same_bytes("one.h5", "two.h5")

    def test_another_seed_is_another_campaign(self):
        self.run_into("one.h5", self.experiment())
        self.run_into("two.h5", self.experiment("other.json", seed="0x8"))
        one, two = self.contents("one.h5"), self.contents("two.h5")
        for table in ("suites", "transitions", "cases", "hash"):
            self.assertNotEqual(one[table], two[table])

    def test_off_line_is_on_line(self):
        for name, changes in (("drawn", {}), ("fitted", {"model": str(SOURCE / "experiments/library/models/smart_grid.json")}),
                              ("paired", {"mode": "paired"})):
            experiment = self.experiment(f"{name}.json", **changes)
            self.corridor("plan", experiment, "-o", name, "--suites")
            self.run_into(f"{name}-on.h5", experiment)
            self.corridor("run", name, "--progress", "none")  # into the folder itself
            (self.folder / name / "results.h5").rename(self.folder / f"{name}-off.h5")
            self.assertEqual(self.contents(f"{name}-on.h5"), self.contents(f"{name}-off.h5"))

    def test_off_line_runs_what_the_files_say(self):
        self.corridor("plan", self.experiment(), "-o", "suites", "--suites")
        path = self.folder / "suites/suites/S/0001.json"
        suite = json.loads(path.read_text())
        suite["threshold"] = 1.0
        path.write_text(json.dumps(suite))
        self.run_into("edited.h5", "suites")
        self.assertIn('suites were edited by hand: "threshold" of suite 1 of arm S\n', self.corridor("show", "edited.h5", "tables").stdout)
        self.run_into("as_planned.h5", "small.json")
        edited, planned = (self.table(name, "reorganizations") for name in ("edited.h5", "as_planned.h5"))
        in_place = [row for row in planned if (row["arm"], row["suite"]) != ("S", 1)]
        self.assertLess(len(in_place), len(planned))
        self.assertEqual(edited, in_place)  # no alarm in that suite any more, all else as it was
        other = self.folder / "suites/suites/P/0000.json"
        other.write_text(other.read_text().replace('"idle_ratio":', '"idle_ratio": '))  # a blank more is no edit
        self.assertIn('edited by hand: "threshold" of suite 1 of arm S\n',
                      self.corridor("run", "suites", "-o", "blank.h5", "--progress", "none").stderr)
        other.write_text(json.dumps({**json.loads(other.read_text()), "budget": 7}))
        self.assertIn('edited by hand: "threshold" of suite 1 of arm S, and 1 more suites',
                      self.corridor("run", "suites", "-o", "two.h5", "--progress", "none").stderr)
        path.unlink()
        for words in (("run", "suites", "-o", "x.h5", "--progress", "none"),
                      ("run", "suites", "-o", "x.h5", "--jobs", "1", "--progress", "none")):
            self.assertIn("suites/suites/S/0001.json: cannot open", self.corridor(*words, code=4).stderr)
        (self.folder / "suites/experiment.json").unlink()
        self.assertIn("suites/experiment.json", self.corridor(*words, code=4).stderr)
        self.assertEqual([name.name for name in self.folder.glob("x.h5*")], [])

    def test_plan_repeats_itself(self):
        experiment = self.experiment()
        self.corridor("plan", experiment, "-o", "one", "--suites")
        self.corridor("plan", experiment, "-o", "two", "--suites")
        one = {path.relative_to(self.folder / "one"): path.read_bytes()
               for path in (self.folder / "one").rglob("*.json")}
        two = {path.relative_to(self.folder / "two"): path.read_bytes()
               for path in (self.folder / "two").rglob("*.json")}
        self.assertEqual(len(one), 1 + 2 * 3)
        self.assertEqual(one, two)

    def test_paired_suites_are_equal_for_all_arms(self):
        arms = [{**PSOPP, "name": fault, "fault": fault} for fault in ("none", "f1", "f2")]
        for mode, distinct in (("paired", 3), ("independent", 9)):
            experiment = self.experiment(f"{mode}.json", mode=mode, arms=arms)
            self.run_into(f"{mode}.h5", experiment, "--jobs", 1)
            self.run_into(f"{mode}-2.h5", experiment, "--jobs", 2)
            self.assert_same_bytes(f"{mode}.h5", f"{mode}-2.h5")
            hashes = {row["configuration_hash"] for row in self.table(f"{mode}.h5", "suites")}
            self.assertEqual(len(hashes), distinct)

    def test_the_locale_does_not_matter(self):
        experiment = self.experiment()
        data = SOURCE / "profiles/data/biogas_synthetic.csv"
        seen = []
        for locale in ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"):
            environment = {"LC_ALL": locale, "LANG": locale}
            self.run_into(f"{locale}.h5", experiment, environment=environment)
            texts = [self.corridor(*words, environment=environment).stdout for words in
                     (("show", f"{locale}.h5", "tables"), ("show", f"{locale}.h5", "tables", "--csv"),
                      ("export", f"{locale}.h5", "-t", "cases"), ("list",), ("plan", experiment, "--pilot", "0"),
                      ("profile", "fit", data, "-c", "gas_yield_m3_per_h", "-k", "3", "-o", "-"))]
            seen.append(texts)
        for other in seen[1:]:
            self.assertEqual(seen[0], other)
        self.assert_same_bytes("C.h5", "C.UTF-8.h5", "de_DE.UTF-8.h5", "tr_TR.UTF-8.h5")

    def test_all_solutions_change_only_the_failures(self):
        experiment = self.experiment()
        self.run_into("few.h5", experiment)
        self.run_into("all.h5", experiment, "--log-solutions")
        few, every = self.contents("few.h5"), self.contents("all.h5")
        for table in TABLES:
            if table != "failures":
                self.assertEqual(few[table], every[table])
        self.assertEqual(len(self.table("all.h5", "failures")), len(self.table("all.h5", "reorganizations")))
        self.assertLess(len(self.table("few.h5", "failures")), len(self.table("all.h5", "failures")))


class Stops(e2e.Case):
    """Stop conditions of an endless experiment are judged on the suites in their order."""

    def stopped(self, *condition):
        """The same file for one worker and for three; what it says of itself."""
        experiment = self.experiment("endless.json", suites=0)
        summary = self.run_into("one.h5", experiment, *condition, "--jobs", 1, "--force")
        self.run_into("three.h5", experiment, *condition, "--jobs", 3, "--force")
        self.assert_same_bytes("one.h5", "three.h5")
        self.assertEqual(len(self.table("one.h5", "suites")), summary["suites"])
        return summary

    def test_suites_are_as_many_as_asked_for(self):
        self.assertEqual(self.stopped("--suites", 7)["suites"], 7)

    def test_more_suites_than_there_are_is_an_error_with_the_range(self):
        experiment = self.experiment("two.json", suites=2)
        arms = len(json.loads((self.folder / "two.json").read_text())["arms"])
        said = self.corridor("run", experiment, "-o", "more.h5", "--suites", 2 * arms + 1, code=3).stderr
        self.assertIn(f"--suites: the experiment has {2 * arms} suites: 2 of each of {arms} arms\n  1 to {2 * arms}, or leave it out to run all\n", said)
        self.assertFalse((self.folder / "more.h5.parts").exists())
        self.assertEqual(self.run_into("all.h5", experiment, "--suites", 2 * arms)["suites"], 2 * arms)

    def test_cases_stop_at_the_suite_that_reaches_them(self):
        cases = self.stopped("--suites", 4)["cases"]
        self.assertEqual(self.stopped("--stop-cases", cases)["suites"], 4)  # reached exactly
        self.assertEqual(self.stopped("--stop-cases", cases + 1)["suites"], 5)

    def test_failures_stop_at_the_suite_that_reaches_them(self):
        few, many = (self.stopped("--suites", suites)["failures"] for suites in (1, 20))
        self.assertLess(few, many)
        summary = self.stopped("--stop-failures", many)
        self.assertLessEqual(summary["suites"], 20)
        self.assertEqual(summary["failures"], many)  # reached exactly
        self.assertLess(self.stopped("--suites", summary["suites"] - 1)["failures"], many)

    def test_the_first_condition_wins(self):
        self.assertEqual(self.stopped("--suites", 3, "--stop-cases", 100000)["suites"], 3)

    def test_a_finite_experiment_is_cut_to_a_prefix(self):
        experiment = self.experiment()
        self.run_into("whole.h5", experiment)
        self.run_into("five.h5", experiment, "--suites", 5)
        # The plan goes round the arms, so five suites are suites 0, 1, 2 of S and 0, 1 of P.
        kept = [("S", 0), ("S", 1), ("S", 2), ("P", 0), ("P", 1)]
        contents = self.contents("whole.h5"), self.contents("five.h5")
        for table in TABLES:
            whole, five = ([row for row in csv.DictReader(io.StringIO(content[table]))
                            if (row["arm"], int(row["suite"])) in kept] for content in contents)
            for rows in (whole, five):
                for row in rows:  # places in vectors, which differ where suites lie in between
                    for column in ("walk_start", "block_start", "member_start", "structure_start"):
                        row.pop(column, None)
            self.assertEqual(whole, five)
        self.assertEqual({(row["arm"], row["suite"]) for row in self.table("five.h5", "suites")}, set(kept))

    def test_seconds_are_not_reproducible(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("python3-h5py is not there")

        def reproducible(path):
            with h5py.File(self.folder / path, "r") as file:
                return json.loads(file["provenance"].asstr()[()])["reproducible"]

        endless = self.experiment("endless.json", suites=0)
        for seconds in (0.2, 2, 20):  # until a suite is finished within, on a machine however slow
            done = e2e.subprocess.run([e2e.BINARY, "run", endless, "-o", "time.h5", "--stop-seconds", str(seconds), "--json"],
                                      cwd=self.folder, env=e2e.ENVIRONMENT, capture_output=True, text=True, check=False)
            if done.returncode != 5:
                break
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads(done.stdout)
        self.assertGreater(summary["suites"], 0)
        self.assertFalse(reproducible("time.h5"))
        self.run_into("cases.h5", endless, "--stop-cases", 10, "--stop-seconds", 1000)
        self.assertTrue(reproducible("cases.h5"))
        # What the clock left is a prefix like any other.
        self.run_into("again.h5", endless, "--suites", summary["suites"])
        self.assertEqual(self.contents("time.h5"), self.contents("again.h5"))


class Content(e2e.Case):
    def test_exports_agree_with_the_summary(self):
        summary = self.run_into("a.h5", self.experiment())
        self.assertEqual(summary["suites"], 6)
        self.assertEqual(len(self.table("a.h5", "cases")), summary["cases"])
        rows = self.table("a.h5", "reorganizations")
        self.assertEqual(len(rows), summary["reorganizations"])
        failed = [row for row in rows if row["gray"] != "passed" or row["black"] != "passed"]
        self.assertEqual(len(failed), summary["failures"])
        self.assertEqual({row["arm"] for row in rows if row["fault_activated"]}, {"S", "P"})
        self.corridor("show", "a.h5", "tables", "--verify")

    def test_times_are_kept_apart(self):
        summary = self.run_into("a.h5", self.experiment())
        rows = list(csv.DictReader(open(self.folder / "a.h5.times.csv", encoding="ascii")))
        self.assertEqual([(row["arm"], row["suite"]) for row in rows],
                         [("S", "0"), ("P", "0"), ("S", "1"), ("P", "1"), ("S", "2"), ("P", "2")])
        self.assertEqual(sum(int(row["cases"]) for row in rows), summary["cases"])
        self.assertEqual(sum(int(row["reorganizations"]) for row in rows), summary["reorganizations"])

    def test_a_module_is_an_algorithm_like_any_other(self):
        arms = [{"name": "M", "algorithm": "./works.so"}, SPADA]
        experiment = self.experiment(arms=arms)
        subprocess.run(["cp", e2e.MODULES / "works.so", self.folder], check=True)
        self.run_into("one.h5", experiment, "--jobs", 1)
        self.run_into("two.h5", experiment, "--jobs", 2)
        self.assert_same_bytes("one.h5", "two.h5")
        found = [row for row in self.table("one.h5", "reorganizations") if row["arm"] == "M"]
        self.assertGreater(len(found), 0)
        self.assertEqual({(row["gray"], row["black"]) for row in found}, {("passed", "passed")})
        listed = json.loads(self.corridor("list", "./works.so", "--json").stdout)
        self.assertIn("./works.so", [algorithm["origin"] for algorithm in listed["algorithms"]])


if __name__ == "__main__":
    e2e.main()
