#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""search, and its files shown and compared: what they say, held against the raw tables and a second implementation of the statistics."""
import json
import math
import pathlib
import resource
import shutil
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(sys.argv[2]).resolve() / "experiments/command/tests"))
import e2e  # noqa: E402
import h5py  # noqa: E402

STUDY = e2e.SOURCE / "experiments/layers/search/tests/study"


def log_rank(times, events, groups):
    """Mantel's test of two groups, from its definition."""
    observed = expected = variance = 0.0
    for time in sorted({t for t, e in zip(times, events) if e}):
        at_risk = [g for t, g in zip(times, groups) if t >= time]
        died = [g for t, e, g in zip(times, events, groups) if e and t == time]
        n, n1, d = len(at_risk), at_risk.count(0), len(died)
        observed += died.count(0)
        expected += d * n1 / n
        if n > 1:
            variance += d * (n1 / n) * (1 - n1 / n) * (n - d) / (n - 1)
    if variance == 0:
        return None, None
    chi = (observed - expected) ** 2 / variance
    return chi, math.erfc(math.sqrt(chi / 2))


def holm(values):
    """Holm's correction; None stays."""
    order = sorted((p, i) for i, p in enumerate(values) if p is not None)
    corrected, most = list(values), 0.0
    for rank, (p, i) in enumerate(order):
        most = max(most, min(1.0, p * (len(order) - rank)))
        corrected[i] = most
    return corrected


class Searches(e2e.Case):
    def setUp(self):
        super().setUp()
        weather = json.loads((STUDY / "weather.json").read_text())
        weather["arms"] = weather["arms"][:3]  # rare, noise, sound
        for arm in weather["arms"]:
            arm["algorithm"] = "./" + arm["algorithm"]
            shutil.copy(e2e.MODULES / arm["algorithm"], self.folder)
        (self.folder / "weather.json").write_text(json.dumps(weather))

    def search(self, *arguments, **others):
        return json.loads(self.corridor("search", "weather.json", "--isolate", "never", "--json", *arguments, **others).stdout)

    def rows(self, path, table):
        with h5py.File(self.folder / path) as file:
            group = file[table]
            columns = {name: group[name][()].tolist() for name in group}
        return [dict(zip(columns, values)) for values in zip(*columns.values())]

    def test_what_is_said_is_what_the_rows_say(self):
        said = self.search("--arm", "rare", "--budget", "12000", "--islands", "3", "-o", "s.h5")
        islands, tests, findings = (self.rows("s.h5", table) for table in ("islands", "tests", "findings"))
        self.assertEqual([row["suite"] for row in islands], [0, 1, 2])
        classes, first = set(), []
        for island in islands:
            own = [row for row in tests if row["suite"] == island["suite"]]
            self.assertEqual([row["test"] for row in own], list(range(1, len(own) + 1)))
            total = 0
            for row in own:
                total += row["spent"] + row["cases"]
                self.assertEqual(row["total"], total)
                self.assertTrue(row["parent"] < row["test"])
            self.assertEqual((island["cases"], island["budget"], island["tests"]), (12000, 12000, len(own)))
            self.assertEqual(total, 12000)
            failing = [row for row in own if row["case"] > 0]
            self.assertEqual(island["failing"], len(failing))
            self.assertEqual(island["first"], min((row["total"] - row["cases"] + row["case"] for row in failing), default=0))
            kinds = {(row["killers"], row["smoke"], row["fault"]) for row in failing}
            classes |= kinds
            self.assertEqual(island["classes"], len(kinds))
            first += [island["first"]] * (island["first"] > 0)
            self.assertEqual(island["features"], sum(row["fresh"] for row in own))
            self.assertEqual(island["last_new"], max(row["total"] for row in own if row["fresh"] > 0))
            own = [row for row in findings if row["suite"] == island["suite"]]
            self.assertEqual({(row["killers"], row["smoke"], row["fault"]) for row in own}, kinds)
            for row in own:
                same = [test for test in failing if all(test[key] == row[key] for key in ("killers", "smoke", "fault"))]
                self.assertEqual((row["test"], row["tests"], row["case"]), (same[0]["test"], len(same), same[0]["case"]))
        self.assertEqual((said["cases"], said["first"], said["classes"]), (36000, min(first), len(classes)))
        self.assertGreater(len(first), 0)
        for i, finding in enumerate(said["sheets"]["findings"]["rows"]):
            (self.folder / f"{i}.json").write_text(self.corridor("show", "s.h5", "searches", "--test", finding["key"]).stdout)
            self.corridor("replay", f"{i}.json", "--isolate", "never", "--trust", "--expect", "failing")
            self.corridor("replay", f"{i}.json", "--isolate", "never", "--trust", "--expect", "fixed", "--fault", "none")

    def test_a_test_that_was_cut_by_the_budget_is_kept_as_it_was_executed(self):
        self.search("--arm", "noise", "--budget", "7", "-o", "s.h5")
        self.assertEqual([row["cases"] for row in self.rows("s.h5", "tests")], [7])
        (self.folder / "cut.json").write_text(self.corridor("show", "s.h5", "searches", "--test", "coverage/noise/0/1").stdout)
        self.corridor("replay", "cut.json", "--isolate", "never", "--trust")

    def test_workers_change_nothing_and_islands_know_nothing_of_each_other(self):
        hashes = set()
        for jobs in ("1", "3"):
            self.search("--budget", "2000", "--islands", "3", "--jobs", jobs, "-o", f"{jobs}.h5")
            hashes.add(self.corridor("show", f"{jobs}.h5", "searches", "--hash").stdout)
        self.assertEqual(len(hashes), 1)
        self.search("--budget", "2000", "--islands", "1", "-o", "one.h5")
        self.assertEqual(self.rows("one.h5", "tests"), [row for row in self.rows("1.h5", "tests") if row["suite"] == 0])
        again = json.loads(self.corridor("replay", "1.h5", "--trust", "--json").stdout)
        self.assertTrue(again["equal"])

    def test_a_full_disk_and_a_second_search_lose_nothing(self):
        words = ("--arm", "rare", "--budget", "600", "--islands", "3", "--jobs", "1", "--minimize", "-o")
        self.search(*words, "quiet.h5")
        size = (self.folder / "quiet.h5").stat().st_size
        for limit in (4096, size // 4, size // 2):
            done = self.corridor("search", "weather.json", "--isolate", "never", *words, "s.h5", code=4,
                                 preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertIn("cannot write", done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertFalse((self.folder / "s.h5").exists())
        self.search(*words, "s.h5")
        self.assertEqual(*(self.corridor("show", name, "searches", "--hash").stdout for name in ("quiet.h5", "s.h5")))
        both = [self.begin("search", "weather.json", "--isolate", "never", *words, "two.h5") for _ in range(2)]
        ends = [(*process.communicate(timeout=120), process.returncode) for process in both]
        for out, said, code in ends:
            self.assertTrue(code == 0 or (code == 4 and "two.h5: " in said and not out), (code, said))
        self.assertIn(0, [code for *_, code in ends])
        self.assertEqual(*(self.corridor("show", name, "searches", "--hash").stdout for name in ("quiet.h5", "two.h5")))

    def test_random_is_the_campaign(self):
        """Its tests fail where the sequences of corridor run fail, one after the other."""
        experiment = self.experiment(arms=[e2e.PSOPP], suites=6)
        self.run_into("c.h5", experiment)
        rows = self.rows("c.h5", "sequences")
        cases = sum(row["executed"] for row in rows)
        self.corridor("search", experiment, "--generator", "random", "--budget", cases, "-o", "s.h5")
        tests = self.rows("s.h5", "tests")
        self.assertEqual([(row["drawn_suite"], row["drawn_sequence"], row["cases"]) for row in tests],
                         [(row["suite"], row["sequence"], row["executed"]) for row in rows])
        activated = {}
        for row in self.rows("c.h5", "reorganizations"):
            key = (row["suite"], row["sequence"])
            activated[key] = activated.get(key, 0) + row["fault_activated"]
        self.assertEqual([row["activated"] for row in tests], [activated.get((row["suite"], row["sequence"]), 0) for row in rows])

    def test_generators_are_compared_as_a_second_implementation_does(self):
        done = self.corridor("search", "weather.json", "--generator", "random,coverage", "--isolate", "never", "--budget", "6000", "--islands", "8", "-o", "r.h5", "--json")
        sheets = json.loads(done.stdout)["sheets"]
        observed = {}
        names = [name.decode() if isinstance(name, bytes) else name for name in h5py.File(self.folder / "r.h5")["catalog/arm/name"][()]]
        for row in self.rows("r.h5", "islands"):
            observed.setdefault(names[row["arm"]], []).append((row["first"] or row["cases"], row["first"] > 0))
        self.assertEqual(len(observed), 6)
        for row in sheets["shares"]["rows"]:
            times = observed[row["generator"]]
            self.assertEqual((row["repetitions"], row["found"]), (8, sum(event for _, event in times)))
            self.assertAlmostEqual(row["share"]["mean"], row["found"] / 8)
            mean = self.restricted_mean(times, 6000)
            self.assertAlmostEqual(row["mean"], mean, places=6)
        p = []
        for row in sheets["pairs"]["rows"]:
            a, b = observed[row["a"]], observed[row["b"]]
            chi, value = log_rank([t for t, _ in a + b], [e for _, e in a + b], [0] * len(a) + [1] * len(b))
            p.append(value)
            self.assertEqual(row["chi_square"] is None, chi is None)
            if chi is not None:
                self.assertAlmostEqual(row["chi_square"], chi, places=9)
                self.assertAlmostEqual(row["p"], value, places=9)
            late = [[t if e else math.inf for t, e in times] for times in (a, b)]
            sooner = sum(1.0 if x < y else 0.5 if x == y else 0.0 for x in late[0] for y in late[1]) / len(a) / len(b)
            self.assertAlmostEqual(row["a12"], sooner)
        for row, corrected in zip(sheets["pairs"]["rows"], holm(p)):
            if corrected is not None:
                self.assertAlmostEqual(row["p_holm"], corrected, places=9)
        self.corridor("report", "r.h5", "-o", "r.html")
        page = (self.folder / "r.html").read_text()
        for sheet in ("search", "shares", "pairs", "findings", "islands"):
            self.assertIn(f'data-sheet="{sheet}"', page)
        self.assertIn("Fewer than 20 repetitions", str(sheets["shares"]["remarks"]))
        found = {row["generator"]: row["found"] for row in sheets["shares"]["rows"]}
        self.assertEqual([found[f"{generator}/{arm}"] for generator in ("random", "coverage") for arm in ("noise", "sound")], [0] * 4)
        self.assertGreater(found["coverage/rare"], found["random/rare"])

    def test_p_is_corrected_for_all_pairs(self):
        done = self.corridor("search", "weather.json", "--arm", "rare", "--generator", "random,coverage,directed", "--isolate", "never",
                             "--budget", "4000", "--islands", "6", "--json")
        rows = json.loads(done.stdout)["sheets"]["pairs"]["rows"]
        known = [row for row in rows if row["p"] is not None]
        self.assertGreaterEqual(len(known), 2)
        for row, corrected in zip(known, holm([row["p"] for row in known])):
            self.assertAlmostEqual(row["p_holm"], corrected, places=9)
        self.assertTrue(any(row["p_holm"] > row["p"] for row in known))

    @staticmethod
    def restricted_mean(times, horizon):
        """The area under the curve of Kaplan and Meier."""
        survival, before, area = 1.0, 0.0, 0.0
        for time in sorted({t for t, e in times if e}):
            area += survival * (time - before)
            survival *= 1 - sum(e and t == time for t, e in times) / sum(t >= time for t, _ in times)
            before = time
        return area + survival * (horizon - before)

    def test_a_search_that_finds_nothing_says_how_far_it_looked(self):
        done = self.corridor("search", "weather.json", "--arm", "sound", "--isolate", "never", "--budget", "3000")
        self.assertRegex(done.stdout, r"Nothing failed in 3000 test cases of \d+ tests. At most \d+ features were seen")
        said = self.search("--arm", "sound", "--budget", "3000")
        self.assertEqual((said["cases"], said["first"], said["classes"]), (3000, None, 0))

    def test_a_minimized_corpus_covers_what_the_whole_one_covers(self):
        kept = {}
        for name, words in (("whole", ()), ("least", ("--minimize",))):
            self.search("--arm", "rare", "--budget", "6000", "-o", f"{name}.h5", *words)
            with h5py.File(self.folder / f"{name}.h5") as file:
                features, corpus = file["vectors/feature"][()], file["corpus"]
                kept[name] = [set(features[start:start + count]) for start, count in zip(corpus["feature_start"], corpus["features"])]
                favoured = sum(corpus["favoured"][()].tolist())
            self.assertEqual(favoured, len(set.union(*kept[name])))
        self.assertEqual(set.union(*kept["whole"]), set.union(*kept["least"]))
        self.assertLess(len(kept["least"]), len(kept["whole"]))
        for i, features in enumerate(kept["least"]):
            earlier = set().union(*kept["least"][:i])
            self.assertTrue(features - earlier, "each of them adds something to those before it")

    def interrupt(self, wait):
        """A search without end, interrupted so many seconds after its journal is there: exit code and what is said."""
        process = self.begin("search", "weather.json", "--arm", "rare", "--isolate", "never", "--budget", "1000000000", "--jobs", "1", "-o", "i.h5", "--json")
        while not list(self.folder.glob("i.h5.parts/*.journal")) and process.poll() is None:
            time.sleep(0.02)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 5, said)
        return out, said

    def test_an_interrupt_keeps_what_was_found(self):
        for wait in (0, 0.5, 2, 8, 32):  # who has not begun yet, or has only begun, has nothing to keep
            out, said = self.interrupt(wait)
            if out and self.rows("i.h5", "tests"):
                break
            if out:
                for file in self.folder.glob("i.h5*"):  # an island that was interrupted stays as it is
                    file.unlink()
            else:
                self.assertIn("no suite was finished, so there is nothing to write", said)
        self.assertIn("interrupted: the same command goes on", said)
        document = json.loads(out)
        self.assertEqual(document["interrupted"], 1)
        # So it does; another one does not replace what it has kept.
        before = (self.folder / "i.h5").read_bytes()
        self.corridor("search", "weather.json", "--arm", "rare", "--isolate", "never", "--budget", "999999999", "-o", "i.h5", code=4)
        self.assertEqual((self.folder / "i.h5").read_bytes(), before)
        for longer in (wait, 8, 32):  # a machine that is busy now, and was not before, begins later
            self.interrupt(longer)
            if self.rows("i.h5", "tests"):
                break
        with h5py.File(self.folder / "i.h5") as file:
            self.assertFalse(json.loads(file["provenance"][()])["observed"]["by_machine"] == 0, "a clock had its say")
        self.assertGreater(len(self.rows("i.h5", "tests")), 0)
        self.assertGreater(len(self.rows("i.h5", "corpus")), 0)

    def test_what_cannot_be_searched_is_said(self):
        def refused(*words, **changes):
            experiment = self.experiment(**changes)
            return self.corridor("search", experiment, *words, code=3).stderr
        self.assertIn('the experiment has no arm "X"', refused("--arm", "X"))
        self.assertIn("coverage takes no such option", refused("--seam", "f5"))
        self.assertIn("random takes no such option", refused("--generator", "random", "--seam", ""))
        for generator in ("random", "directed"):
            self.assertIn(f'{generator} takes no such option: "minimize"', refused("--generator", generator, "--minimize"))
        self.assertIn("leave \"branching\" out", refused(branching={"continuations": 1}))
        trapped = {**e2e.PSOPP, "environment": {"traps": ["alarm"]}}
        self.assertIn("answer to what the system does", refused(arms=[trapped]))
        for names in ("rndom", "coverage,rndom"):
            self.assertIn('--generator does not know "rndom"; did you mean "random"?',
                          self.corridor("search", self.experiment(), "--generator", names, code=2).stderr)
        whole = {"corridor_search": 1, "budget": 5, "experiment": "small.json", "generators": [{"generator": "random"}]}
        for text, words in (({"corridor_search": 2}, 'lacks the key "experiment"'), ({**whole, "corridor_search": 2}, "/corridor_search: is 2, expected 1"),
                            ({**whole, "budget": 0}, "/budget: is 0"), ({**whole, "experiment": {}}, 'lacks the key "corridor_experiment"'),
                            ({**whole, "generator": 1}, '/generator: unknown key "generator"'), ({**whole, "generators": []}, "/generators"),
                            ({**whole, "generators": [{"generator": "random", "minimize": True}]},
                             '/generators/0: random takes no such option: "minimize"')):
            (self.folder / "bad.json").write_text(json.dumps(text))
            self.corridor("search", "bad.json", code=3)
            said = self.corridor("run", "bad.json", "-o", "bad.h5", code=3).stderr
            self.assertIn("bad.json", said)
            self.assertIn(words, said)

    def test_a_file_of_a_search_is_run_as_it_says(self):
        experiment = json.loads((self.folder / self.experiment()).read_text())
        (self.folder / "s.json").write_text(json.dumps({"corridor_search": 1, "budget": 500, "islands": 2, "experiment": "small.json",
                                                        "generators": [{"generator": "random", "arm": "P"}, {"name": "cov", "generator": "coverage"}]}))
        for words in (("--budget", 400), ("--generator", "random"), ("--islands", 2), ("--arm", "P"), ("--minimize",), ("--seam", "f1")):
            self.assertIn(f"s.json: is a search, and run as it says: {words[0]} has no say", self.corridor("search", "s.json", *words, code=3).stderr)
        self.run_into("s.h5", "s.json")
        document = json.loads(self.corridor("show", "s.h5", "searches", "--json").stdout)
        self.assertEqual([row["arm"] for row in document["sheets"]["islands"]["rows"]],
                         [name for name in ("random/P", "cov/S", "cov/P") for _ in range(2)])
        self.assertEqual({row["cases"] for row in document["sheets"]["islands"]["rows"]}, {500})
        self.assertEqual(len(experiment["arms"]), 2)
        verdicts = self.corridor("export", "s.h5", "--format", "tap").stdout
        self.assertEqual(len([line for line in verdicts.splitlines() if line.startswith(("ok", "not ok"))]), 6)
        self.assertEqual(self.corridor("export", "s.h5", "--format", "junit").stdout.count("<testcase"), 6)
        self.assertEqual(len(self.corridor("export", "s.h5", "--table", "islands").stdout.splitlines()), 7)
        self.corridor("verify", "s.h5")
        self.assertIn("holds searches", self.corridor("show", "s.h5", "tables", code=3).stderr)
        self.assertEqual(self.corridor("compare", "s.h5").stdout, self.corridor("show", "s.h5", "--all").stdout)
        self.assertIn("is no ARM/ISLAND/TEST", self.corridor("show", "s.h5", "searches", "--test", "x", code=3).stderr)
        self.assertIn("was kept of island", self.corridor("show", "s.h5", "searches", "--test", "random/P/0/999999", code=3).stderr)


if __name__ == "__main__":
    e2e.main()
