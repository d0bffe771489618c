#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_page.py CORRIDOR SOURCE_DIRECTORY: the page without a browser: its numbers are those of the other commands, it needs
nothing but itself, the same file gives the same bytes, and nothing from the file becomes markup."""
import csv
import json
import os
import pathlib
import re
import shutil
import unittest
import xml.etree.ElementTree

import page
from page import SOUND, SOURCE, Case, Shared, number

try:
    import h5py
except ImportError:
    h5py = None

HOSTILE = ['<script>document.title="owned"</script>', '"><img src=x onerror=alert(1)>', "'; system(\"touch owned\") #",
           "`touch owned`", "x" * 5000, "a\u202eb", "&lt;b&gt; ]]> --> </style></title>",
           "\\\"; set output '/tmp/owned'", "${HOME} %s %n @m |\\ls", "=cmd", "{{7*7}}", "a;b#c"]
UNPRINTABLE = [b"\xff\xfe bad \xc3", "c\x1b[31m", "two\nlines"]


class Sheets(Shared):
    """What a page shows of sheets, against the JSON of the commands."""

    @property
    def page(self):
        return self.made

    def near(self, shown, exact, decimals, what):
        """As exact, rounded; both may be not available."""
        if exact is None or shown is None:
            self.assertEqual(shown, exact, what)
        else:
            self.assertLessEqual(abs(shown - exact), 0.5000001 * 10 ** -decimals * max(1, abs(exact) * 1e-12), what)

    def rows(self, name):
        body = next(self.page.one("table", data_table=name).all("tbody"))
        return [[cell for cell in row.children if not isinstance(cell, str)] for row in body.all("tr")]

    def sheet_is_shown(self, section, view, sheet):
        """A sheet of the page is that of the command: each row, each column, exact values behind what is read."""
        document = view["sheets"][sheet]
        table = self.page.one("section", id=section).one("table", data_sheet=sheet)
        if table["class"] == "record":
            row = document["row"]
            pairs = [(next(one.all("th"))["data-key"], next(one.all("td"))) for one in table.all("tr")]
            self.assertTrue(pairs)
            for key, cell in pairs:
                self.cell_is(cell, row[key], f"{sheet} {key}")
            return
        keys = [head["data-key"] for head in next(table.all("thead")).all("th")]
        shown = [row for body in table.all("tbody") for row in body.all("tr") if not (row["class"] or "").startswith(("group", "more"))]
        rows = document["rows"]
        if not rows:
            self.assertEqual([row.text() for row in shown], ["none"])
            return
        if len(shown) == len(rows):
            for row, cells in zip(rows, shown):
                for key, cell in zip(keys, cells.all("td"), strict=True):
                    self.cell_is(cell, row[key], f"{sheet} {key}")
            return
        # Of long sheets the first rows of groups are shown.
        seen = [json.dumps({key: row[key] for key in keys}, sort_keys=True) for row in rows]
        for cells in shown:
            found = [text for text in seen if self.is_row(cells, json.loads(text), keys)]
            self.assertTrue(found, f"{sheet}: {cells.text()}")

    def is_row(self, cells, row, keys):
        try:
            for key, cell in zip(keys, cells.all("td"), strict=True):
                self.cell_is(cell, row[key], key)
        except AssertionError:
            return False
        return True

    def cell_is(self, cell, value, what):
        if isinstance(value, dict):
            value = value["mean"]
            if value is None:
                self.assertEqual((cell["data-v"], cell.text().split()[0]), ("", "n/a"), what)
                return
        if isinstance(value, bool):
            self.assertEqual(cell.text().strip(), "yes" if value else "no", what)
        elif value is None:
            self.assertIn(cell.text().strip(), ("n/a", "", "\u2013", "inf"), what)  # JSON has no infinity
        elif isinstance(value, (int, float)):
            self.assertEqual(float(cell["data-v"]), value, what)
        else:
            self.assertEqual(" ".join(cell.text().split()), " ".join(value.split()), what)

    def matrices(self, section, sheet):
        """{(line, column): cell}"""
        cells = {}
        for table in self.page.one("section", id=section).all("table", data_matrix=sheet):
            columns = [head["data-word"] for head in next(table.all("thead")).all("th")][1:]
            for row in next(table.all("tbody")).all("tr"):
                for column, cell in zip(columns, row.all("td"), strict=True):
                    cells[(row["data-line"], column)] = cell
        return cells


    def insights(self, section):
        """What is said above the tables of a section: {sheet: sentence}; the same sheet again must say the same."""
        said = {}
        for one in self.page.one("section", id=section).all(class_="insight"):
            self.assertEqual(said.setdefault(one["data-of"], one.text()), one.text())
        return said

    def numbers_are_of(self, sentence, rows):
        """Each number of a sentence is a cell of the sheet, to four digits, or a number of rows, or a sum of counts."""
        cells = [row[key]["mean"] if isinstance(row[key], dict) else row[key] for row in rows for key in row]
        numbers = [cell for cell in cells if isinstance(cell, (int, float))]
        words = sorted((cell for cell in cells if isinstance(cell, str)), key=len, reverse=True)
        for word in words:
            sentence = sentence.replace(word, "NAME")
        for shown in re.findall(r"\d[\d.]*", sentence.replace("\u202f", "").rstrip(".")):
            self.assertTrue(any(abs(float(shown) - exact) <= 6e-4 * abs(exact) for exact in numbers) or float(shown) <= len(rows) or
                            shown == "0.05" or any(sum(row[key] for row in rows) == float(shown) for key in rows[0]
                                                            if all(isinstance(row[key], int) for row in rows)), (shown, sentence))


def extreme(rows, value, best=max, name="arm"):
    """Who has the extreme value, and that value; rows without one are left out."""
    values = {}
    for row in rows:
        exact = row[value]["mean"] if isinstance(row[value], dict) else row[value]
        if exact is not None:
            values.setdefault(exact, []).append(row[name])
    return (values[best(values)], best(values)) if values else ([], None)


class Numbers(Sheets):
    def prepare(self):
        self.campaign()
        return self.check_form(self.report())

    def test_facts_and_headline_are_those_of_tables(self):
        tables = self.json("show", "r.h5", "tables")["sheets"]
        facts = {fact["data-fact"]: number(fact.text()) for fact in self.page.all("dd", data_fact=True)}
        found = tables["found"]["rows"]
        self.assertEqual(facts["arms"], len(found))
        for fact, sheet, key in (("suites", "found", "suites"), ("test sequences", "found", "sequences"), ("test cases", "arms", "cases"),
                                 ("executed", "arms", "executed"), ("reorganizations", "reorganizations", "reorganizations")):
            self.assertEqual(facts[fact], sum(row[key] for row in tables[sheet]["rows"]), fact)
        faults = [row for row in found if row["arm"] != "sound"]
        self.assertTrue(any(row["found"] for row in faults), "nothing is found: the test shows little")
        self.assertIn(f"{sum(row['found'] for row in faults)} of {len(faults)} injected", self.page.text())

    def test_insights_are_made_of_the_figures_below_them(self):
        tables, survival = self.json("show", "r.h5", "tables")["sheets"], self.json("show", "r.h5", "survival")["sheets"]
        names, most = extreme([row for row in tables["found"]["rows"] if row["verdict"] == "found"], "sequences_detected_pct")
        self.assertEqual(len(names), 1, "the test shows little")
        self.assertEqual(self.insights("glance")["found"], f"{names[0]} is found most often: {most:.4g} % of its sequences.")
        sums = {}
        for row in survival["kills"]["rows"]:
            sums[row["oracle"]] = sums.get(row["oracle"], 0) + row["sequences"]
        most = [name for name in sums if sums[name] == max(sums.values())]
        self.assertEqual(self.insights("kills")["kills"], f"Violated in most sequences: {' and '.join(most)}, in {max(sums.values())} of all arms together.")
        said = self.insights("survival")
        names, mean = extreme(survival["arms"]["rows"], "restricted_mean", min)
        self.assertTrue(said["arms"].startswith(f"{names[0]} is detected soonest: after {mean:.4g} cases on average"), said)
        differing = [row for row in survival["log_rank_pairs"]["rows"] if row["p_holm"] is not None and row["p_holm"] < 0.05]
        compared = [row for row in survival["log_rank_pairs"]["rows"] if row["p_holm"] is not None]
        if compared:
            self.assertEqual(said["log_rank_pairs"], f"{len(differing)} of {len(compared)} pairs differ: p is below 0.05." if differing
                             else f"Of {len(compared)} pairs none is shown to differ.")
        names, share = extreme(survival["points"]["rows"], "undetected_10", min)
        self.assertTrue(said["points"].startswith(f"Most is detected in {names[0]}"), said)
        self.assertAlmostEqual(float(re.search(r"share of ([\d.]+)", said["points"]).group(1)), share, 4)
        self.numbers_are_of(said["failures"], survival["failures"]["rows"])
        tables_said = self.page.one("section", id="tables").all(class_="insight", data_of="figures")
        for sentence, table in zip(tables_said, dict.fromkeys(row["table"] for row in tables["figures"]["rows"]), strict=True):
            published = [row for row in tables["figures"]["rows"] if row["table"] == table and row["paper_mean"] is not None]
            if not published:
                self.assertEqual(sentence.text(), "No figure of these arms was published.")
                continue
            ours = [row["ours"] or {"interval": "none"} for row in published]
            compared = [(row["paper_mean"], one) for row, one in zip(published, ours) if one["interval"] not in ("none", "few_suites")]
            below, above = sum(one["high"] < paper for paper, one in compared), sum(one["low"] > paper for paper, one in compared)
            self.assertEqual([int(word) for word in re.findall(r"\d+", sentence.text())],
                             [len(published), len(compared) - below - above, below, above, len(published) - len(compared)])
        holding = sum(row["state"] == "holds" for row in tables["identities"]["rows"])
        of_identities = next(self.page.one("section", id="tables").all(class_="insight", data_of="identities")).text()
        self.assertIn(f" {holding} ", " " + of_identities)
        coverage = self.json("coverage", "r.h5")["sheets"]
        for sheet, sentence in self.insights("coverage").items():
            self.numbers_are_of(sentence, coverage[sheet]["rows"])
        classes = tables["failures"]["rows"]
        names, most = extreme([{**row, "both": f"{row['class']} of {row['arm']}"} for row in classes], "cases", name="both")
        self.assertEqual(self.insights("failures")["failures"], f"Most frequent: {' and '.join(names)}, {most} test cases.")

    def test_sheets_of_tables_are_shown(self):
        tables = self.json("show", "r.h5", "tables")
        self.sheet_is_shown("glance", tables, "found")
        for sheet in ("claims", "claim_parts", "agreement"):
            if sheet in tables["sheets"]:
                self.sheet_is_shown("claims", tables, sheet)
        self.sheet_is_shown("tables", tables, "identities")

    def test_sheets_of_survival_are_shown(self):
        survival = self.json("show", "r.h5", "survival")
        for sheet in ("arms", "points", "failures", "log_rank"):
            self.sheet_is_shown("survival", survival, sheet)

    def test_sheets_of_coverage_are_shown(self):
        coverage = self.json("coverage", "r.h5")
        for sheet in ("environments", "covered", "arms", "missed"):
            self.sheet_is_shown("coverage", coverage, sheet)

    def test_figures_beside_the_paper_are_those_of_tables(self):
        figures = self.json("show", "r.h5", "tables")["sheets"]["figures"]["rows"]
        cells = self.matrices("tables", "figures")
        self.assertEqual(set(cells), {(row["metric"], row["arm"]) for row in figures})
        for row in figures:
            cell, ours, what = cells[(row["metric"], row["arm"])], row["ours"] or {"mean": None, "interval": "none"}, f"{row['metric']} {row['arm']}"
            decimals = 0 if row["metric"] == "failures_total" else 2
            self.near(number(next(cell.all("span")).text()), ours["mean"], decimals, what)
            if ours["mean"] is not None:
                self.assertEqual(float(cell["data-v"]), ours["mean"], what)
            sd = list(cell.all("span", class_="sd"))
            self.near(number(sd[0].text().strip("()")) if sd else None, row["sd"], 2, what)
            ci = list(cell.all("span", class_="ci"))
            self.assertEqual(bool(ci), ours["interval"] != "none", what)
            if ci and ours["interval"] == "few_suites":
                self.assertEqual(ci[0].text(), "[?, ?]#", what)
            elif ci:
                low, high = ci[0].text().strip("[]*").split(",")
                self.near(float(low), ours["low"], 2, what)
                self.near(float(high), ours["high"], 2, what)
            paper = [span for span in cell.all("span") if (span["class"] or "").startswith("paper")]
            self.assertEqual(bool(paper), row["paper_mean"] is not None, what)
            if paper:
                self.near(float(re.search(r"-?[\d.]+", paper[0].text()).group()), row["paper_mean"], decimals, what)
                sd = re.search(r"\(([\d.]+)\)", paper[0].text())
                self.near(float(sd.group(1)) if sd else None, row["paper_sd"], 2, what)
                known = ours["interval"] not in ("none", "few_suites")
                outside = known and not ours["low"] <= row["paper_mean"] <= ours["high"]
                self.assertEqual(paper[0].text()[0] in "=?", known and not outside, what)
                self.assertEqual(paper[0].text()[0] in "=?<>", known, what)
                self.assertEqual(paper[0]["class"], "paper off" if outside else "paper", what)

    def test_kills_are_those_of_survival(self):
        survival = self.json("show", "r.h5", "survival")["sheets"]
        kills = {(row["arm"], row["oracle"]): row["sequences"] for row in survival["kills"]["rows"]}
        cells = self.matrices("kills", "kills")
        self.assertGreater(len(kills), 0)
        self.assertEqual({arm for arm, _ in cells}, {row["arm"] for row in survival["arms"]["rows"]})
        self.assertEqual({killer for _, killer in cells}, {killer for _, killer in kills})
        for key, cell in cells.items():
            self.assertEqual(int(cell["data-v"]), kills.get(key, 0), key)

    def test_log_rank_values_are_those_of_survival(self):
        pairs = self.json("show", "r.h5", "survival")["sheets"]["log_rank_pairs"]["rows"]
        cells = self.matrices("survival", "log_rank_pairs")
        for row in pairs:
            shown = cells[(row["second"], row["first"])]["data-v"]
            self.assertEqual(float(shown) if shown else None, row["p_holm"])

    def test_failures_and_their_classes_are_those_of_the_file(self):
        rows = [json.loads(line) for line in self.corridor("export", "r.h5", "--table", "violations", "--json").stdout.splitlines()]
        sentences = {}
        for row in rows:
            sentences.setdefault((row["arm"], f"{row['suite']}/{row['sequence']}/{row['case']}"), []).append(row["sentence"])
        # Of gray and black box all are counted, where not all have a row.
        count = dict.fromkeys(sentences, 0)
        for row in rows:
            count[(row["arm"], f"{row['suite']}/{row['sequence']}/{row['case']}")] += row["box"] not in ("gray", "black")
        for row in (json.loads(line) for line in self.corridor("export", "r.h5", "--table", "reorganizations", "--json").stdout.splitlines()):
            where = (row["arm"], f"{row['suite']}/{row['sequence']}/{row['case']}")
            if where in count:
                count[where] += row["gray_violations"] + row["black_violations"]
        self.assertGreater(sum(count.values()), len(rows))
        shown, folded = {}, list(self.page.one("section", id="failures").all("details"))
        for one in folded:
            self.assertIsNone(one["open"], "a class is folded")
            for row in next(one.all("tbody")).all("tr"):
                shown[(next(one.all("b")).text(), next(row.all("td")).text())] = (row["data-box"], list(row.all("td"))[1].text())
        seen = {key: text for key, (box, text) in shown.items() if box != "masked"}
        self.assertGreater(len(seen), 0)
        for key, text in seen.items():
            said = sentences[key]
            for sentence in said[:4]:
                self.assertIn(sentence, text)
            more = re.search(r"and (\d+) more$", text)
            self.assertEqual(int(more.group(1)) if more else 0, count[key] - min(len(said), 4))
        # Masked: activated, and nothing was violated.
        activated = {(row["arm"], f"{row['suite']}/{row['sequence']}/{row['case']}") for row in
                     map(json.loads, self.corridor("export", "r.h5", "--table", "reorganizations", "--json").stdout.splitlines())
                     if row["fault_activated"] > 0}
        masked = {key for key, (box, _) in shown.items() if box == "masked"}
        self.assertTrue(masked, "nothing is masked: the test shows little")
        self.assertTrue(masked <= activated - set(sentences), masked)
        # Each failing sequence is there, as the budget of 200 is not reached: by its first failure.
        first = {}
        for arm, place in sentences:
            suite, sequence, case = map(int, place.split("/"))
            key = (arm, suite, sequence)
            first[key] = min(case, first.get(key, case))
        self.assertLess(len(first), 100)
        firsts = {(arm, f"{suite}/{sequence}/{case}") for (arm, suite, sequence), case in first.items()}
        # ... and the first of each class, which is folded with those of its class.
        classes = self.json("show", "r.h5", "tables")["sheets"]["failures"]["rows"]
        place = lambda row: f"{row['suite']}/{row['sequence']}/{row['case']}"
        checks = {}
        for row in rows:
            checks.setdefault((row["arm"], place(row)), set()).add((row["box"], row["check"]))
        leading = {(row["arm"], place(row)) for row in classes if row["class"] != "masked"}
        self.assertEqual(set(seen), firsts | leading)
        for one, expected in zip(folded, classes, strict=True):
            key, amounts = f"{expected['arm']}/{place(expected)}", [int(span["data-v"]) for span in one.all("span", class_="n")]
            self.assertEqual((next(one.all("b")).text(), one.one("span", class_="class").text(), amounts),
                             (expected["arm"], expected["class"], [expected["cases"], expected["sequences"]]))
            self.assertEqual([code.text() for code in one.all("code")], [key, f"corridor replay RESULTS.h5 --failure {key} --trace"])
            said = {tuple(word.split(".")) for word in expected["class"].split(", ")}
            places = [next(row.all("td")).text() for row in next(one.all("tbody")).all("tr")]
            self.assertIn(place(expected), places)
            for where in places:
                self.assertEqual(checks.get((expected["arm"], where), {("masked",)}), said)
        # Each class counts the cases in which just its checks are violated.
        for row in classes:
            if row["class"] != "masked":
                same = [key for key, violated in checks.items() if key[0] == row["arm"] and violated == checks[(row["arm"], place(row))]]
                self.assertEqual((row["cases"], row["sequences"]), (len(same), len({key[1].rsplit("/", 1)[0] for key in same})))

    def test_first_features_are_those_of_tree(self):
        for arm in self.json("show", "r.h5", "tables")["sheets"]["reorganizations"]["rows"]:
            if arm["gray"] + arm["black"] == 0:
                continue
            ranking = self.json("tree", "r.h5", "--arm", arm["arm"])["sheets"]
            names, most = extreme(ranking["causes"]["rows"], "ochiai", name="condition")
            found = [one for one in self.page.one("section", id="features").all("details") if next(one.all("h3")).text() == arm["arm"]]
            self.assertEqual(len(found), 1)
            said = next(found[0].all("span", class_="insight")).text()
            self.assertTrue(said.startswith(f"Goes with failing most: {names[0]}"), said)
            self.assertAlmostEqual(float(re.search(r"Ochiai ([\d.]+)\.$", said).group(1)), most, 3)
            for sheet in ("causes", "symptoms"):
                table = found[0].one("table", data_sheet=sheet)
                keys = [head["data-key"] for head in next(table.all("thead")).all("th")]
                shown = [row for row in next(table.all("tbody")).all("tr") if row["class"] != "more"]
                self.assertEqual(len(shown), min(6, len(ranking[sheet]["rows"])))
                for row, expected in zip(shown, ranking[sheet]["rows"]):
                    for key, cell in zip(keys, row.all("td"), strict=True):
                        self.cell_is(cell, expected[key], f"{sheet} {key}")


class Tests(Sheets):
    """A file of the model layer: two planners, one before a mutant that fails."""

    def prepare(self):
        arms = [{"name": "uniform", "planner": "search"}, {"name": "mutant <b>", "planner": "random", "mutant": "t7.missing"}]
        (self.folder / "e.json").write_text(json.dumps({
            "efsm": str(SOURCE / "experiments/library/efsm/inres_initiator.json"), "goal": "all-transitions", "seed": 3, "runs": 2, "moves": 60,
            "resets": 1, "arms": arms}))
        self.corridor("run", "e.json", "-o", "r.h5", "--progress", "none", "--jobs", "2")
        return self.check_form(self.report())

    def test_sheets_of_tests_are_shown(self):
        tests = self.json("show", "r.h5", "tests")
        for section, sheets in {"glance": ["scores"], "arms": ["arms", "tests"], "mutants": ["kills"], "coverage": ["traps", "transitions"],
                                "moves": ["moves"]}.items():
            for sheet in sheets:
                self.sheet_is_shown(section, tests, sheet)

    def test_insights_count_what_is_below_them(self):
        sheets = self.json("show", "r.h5", "tests")["sheets"]
        count = lambda sheet, is_one: f"{sum(map(is_one, sheets[sheet]['rows']))} of {len(sheets[sheet]['rows'])}"
        said = {**self.insights("arms"), **self.insights("mutants"), **self.insights("coverage"), **self.insights("moves")}
        self.assertEqual(said, {"arms": count("arms", lambda row: row["fail"] > 0) + " arms have a test that fails.",
                                "tests": count("tests", lambda row: row["verdict"] == "pass") + " tests pass.",
                                "kills": f"In {count('kills', lambda row: row['state'] == 'alive')} rows the mutant stays alive: no test failed.",
                                "traps": count("traps", lambda row: row["covered"] > 0) + " traps of arms are covered.",
                                "transitions": count("transitions", lambda row: row["moves"] > 0) + " transitions of arms were taken.",
                                "moves": f"The model allows {count('moves', lambda row: row['allowed'])} moves."})

    def test_moves_are_those_of_one_test(self):
        sheets = self.json("show", "r.h5", "tests", "--arm", "uniform", "--suite", "0")["sheets"]
        moves = next(row["moves"] for row in sheets["tests"]["rows"] if row["test"] == 0)
        self.assertEqual([(row["arm"], row["test"], row["move"]) for row in sheets["moves"]["rows"]],
                         [("uniform", 0, move) for move in range(1, moves + 1)])

    def test_facts_and_headline_are_those_of_tests(self):
        arms = self.json("show", "r.h5", "tests")["sheets"]["arms"]["rows"]
        facts = {fact["data-fact"]: number(fact.text()) for fact in self.page.all("dd", data_fact=True)}
        self.assertEqual((facts["arms"], facts["transitions"], facts["traps"]), (2, 15, 15))
        for key in ("tests", "pass", "fail"):
            self.assertEqual(facts[key], sum(row[key] for row in arms), key)
        self.assertIn("2 of 2 tests pass", self.page.text())
        self.assertIn("inres_initiator", next(self.page.all("h1")).text())

    def test_kill_matrix_has_each_mutant_by_each_planner(self):
        kills = self.json("show", "r.h5", "tests")["sheets"]["kills"]["rows"]
        cells = self.matrices("mutants", "kills")
        self.assertEqual(set(cells), {(row["mutant"], row["planner"]) for row in kills})
        for row in kills:
            cell = cells[(row["mutant"], row["planner"])]
            self.assertEqual(int(cell["data-v"]), row["killed"])
            self.assertEqual(cell.text(), f"{row['killed']} of {row['tests']}" if row["killed"] else row["state"])

    def test_model_graph_has_what_each_arm_took(self):
        model = json.loads((SOURCE / "experiments/library/efsm/inres_initiator.json").read_text())
        rows = self.json("show", "r.h5", "tests")["sheets"]["transitions"]["rows"]
        for arm in ("uniform", "mutant <b>"):
            taken = {row["transition"]: row["moves"] for row in rows if row["arm"] == arm}
            edges = re.findall(r'"(\w+)" -> "(\w+)" \[label="(\w+)(?: \((\d+)\))?", color="(#\w+)"',
                               self.corridor("show", "r.h5", "tests", "--arm", arm, "--dot").stdout.decode())
            self.assertEqual([(t["src"], t["dst"], t["id"]) for t in model["transitions"]], [edge[:3] for edge in edges])
            for _, _, name, times, colour in edges:
                self.assertEqual(int(times or 0), taken[name], name)
                self.assertEqual(colour, "#4a7c2c" if taken[name] else "#b3261e", name)
        if shutil.which("dot"):
            self.assertEqual(len(list(self.page.one("section", id="coverage").all("svg"))), 2)


class ManyMutants(Sheets):
    """More arms than a page shows one by one."""

    def prepare(self):
        self.corridor("efsm", "mutants", SOURCE / "experiments/library/efsm/lossy_link.json", "--runs", "1", "--moves", "20", "--resets", "1",
                      "-o", "r.h5", "--jobs", "2")
        return self.check_form(self.report())

    def test_scores_and_matrix_are_shown_and_arms_are_not(self):
        tests = self.json("show", "r.h5", "tests")
        self.assertGreater(len(tests["sheets"]["arms"]["rows"]), 40, "the test shows little")
        self.sheet_is_shown("glance", tests, "scores")
        self.sheet_is_shown("mutants", tests, "kills")
        cells = self.matrices("mutants", "kills")
        self.assertEqual({key: int(cell["data-v"]) for key, cell in cells.items()},
                         {(row["mutant"], row["planner"]): row["killed"] for row in tests["sheets"]["kills"]["rows"]})
        for row in tests["sheets"]["scores"]["rows"]:
            differing = row["mutants"] - row["equivalent"]
            self.assertIn(f"{row['killed']} of {differing} mutants are killed by {row['planner']}.", self.page.text())
        self.assertEqual([section["id"] for section in self.page.all("section")], ["glance", "mutants", "moves", "provenance"])
        self.assertIn("has no tests one by one", self.page.text())


class Traps(Sheets):
    """Walks steered to traps."""

    def prepare(self):
        experiment = json.loads((SOURCE / "experiments/library/traps.json").read_text())
        experiment.update(model=str(SOURCE / "experiments/library" / experiment["model"]), suites=1, sequences=4,
                          arms=[arm for arm in experiment["arms"] if arm["name"] in ("rare", "rare-weights")])
        (self.folder / "e.json").write_text(json.dumps(experiment))
        self.corridor("run", "e.json", "-o", "r.h5", "--progress", "none", "--jobs", "2")
        return self.check_form(self.report())

    def test_sheets_of_traps_are_shown(self):
        traps = self.json("show", "r.h5", "traps")
        for sheet in ("arms", "traps", "growth"):
            self.sheet_is_shown("traps", traps, sheet)


class Beside(Sheets):
    """Monitors under test, and mechanisms that work beside the algorithm, of which some are mocked."""

    def prepare(self):
        library = SOURCE / "experiments/library"
        experiment = json.loads((library / "mechanism.json").read_text())
        experiment.update(model=str(library / experiment["model"]), suites=3, sequences=2, cases=[20, 40],
                          mocks={name: str(library / path) for name, path in experiment["mocks"].items()},
                          arms=[arm for arm in experiment["arms"] if arm["name"].startswith("SPADA-F1")][:3])
        (self.folder / "e.json").write_text(json.dumps(experiment))
        self.corridor("run", "e.json", "-o", "r.h5", "--progress", "none", "--jobs", "2")
        made = self.check_form(self.report())
        experiment = json.loads((library / "monitors.json").read_text())
        (self.folder / "w.json").write_text(json.dumps(experiment | {"suites": 1, "sequences": 1}))
        self.corridor("run", "w.json", "-o", "w.h5", "--progress", "none", "--jobs", "2")
        return made

    def test_sheets_of_mechanisms_are_shown(self):
        mechanisms = self.json("show", "r.h5", "mechanisms")
        for sheet in ("masking", "forms"):
            self.assertGreater(len(mechanisms["sheets"][sheet]["rows"]), 0, sheet)
            self.sheet_is_shown("mechanisms", mechanisms, sheet)
        masked = sum(row["masked"] > 0 for row in mechanisms["sheets"]["masking"]["rows"])
        self.assertEqual(self.insights("mechanisms"), {"masking": "In %d of 1 arms a failure that is seen isolated is not seen integrated." % masked if masked
                                                       else "No failure that is seen isolated is missed integrated."})
        self.assertNotIn("monitors", [section["id"] for section in self.page.all("section")])

    def test_checks_of_monitors_are_shown(self):
        self.corridor("report", "w.h5", "-o", "w.html")
        watched = page.Page((self.folder / "w.html").read_text(encoding="utf-8")).root
        checks = self.json("show", "w.h5", "tables")["sheets"]["checks"]["rows"]
        table = watched.one("section", id="monitors").one("table", data_sheet="checks")
        keys = [head["data-key"] for head in next(table.all("thead")).all("th")]
        shown = [row for body in table.all("tbody") for row in body.all("tr")]
        self.assertEqual(len(shown), len(checks))
        for row, cells in zip(checks, shown):
            for key, cell in zip(keys, cells.all("td"), strict=True):
                self.cell_is(cell, row[key], key)
        said = next(watched.one("section", id="monitors").all("p", _class="insight")).text()
        self.assertEqual(said, f"Alarms are missed in {sum(row['alarms_missed'] > 0 for row in checks)} of 8 arms.")
        titles = {one["title"] for one in watched.all("b", title=True)}
        self.assertIn("random, monitors exact, alarms stale", titles)
        self.assertNotIn("mechanisms", [section["id"] for section in watched.all("section")])


class Damaged(Case):
    """Rows that cannot be, of either layer whose tables are read whole."""

    def test_rows_out_of_order_or_of_no_arm_are_refused_by_table(self):
        if not h5py:
            self.skipTest("h5py is not installed")
        self.corridor("efsm", "test", SOURCE / "experiments/library/efsm/lossy_link.json", "--goal", "fin", "--runs", "3", "-o", "m.h5")
        self.corridor("agent", "test", SOURCE / "experiments/library/agents/fig2.json", "-o", "a.h5", "--no-fail")
        for name, table in (("m.h5", "tests"), ("a.h5", "units")):
            for column, row, value, said in (("suite", 0, 2, f"{table}: row 1: arm 0, suite 1 is out of order"),
                                             ("arm", -1, 7, ": arm is 7, which is beyond the entries of catalog/arm")):
                shutil.copy(self.folder / name, self.folder / "d.h5")
                with h5py.File(self.folder / "d.h5", "r+") as file:
                    rows = file[table][column][:]
                    rows[row] = value
                    file[table][column][:] = rows
                said_there = self.corridor("report", "d.h5", "-o", "d.html", code=3).stderr.decode()
                self.assertIn(said, said_there)
                self.assertNotIn("d.html", [path.name for path in self.folder.iterdir()])


class Searches(Sheets):
    """A file of the search layer: two generators, and the page of what they found."""

    def prepare(self):
        self.corridor("search", SOURCE / "experiments/library/demo.json", "--arm", "PSOPP-F1", "--generator", "random,coverage",
                      "--islands", "2", "--budget", "6000", "-o", "r.h5", "--jobs", "2")
        return self.check_form(self.report())

    def test_sheets_of_searches_are_shown(self):
        searches = self.json("show", "r.h5", "searches")
        for section, sheets in {"glance": ["search"], "generators": ["shares", "pairs"], "findings": ["findings"],
                                "islands": ["islands"]}.items():
            for sheet in sheets:
                self.sheet_is_shown(section, searches, sheet)

    def test_insights_are_made_of_the_figures_below_them(self):
        sheets = self.json("show", "r.h5", "searches")["sheets"]
        for section in ("generators", "findings", "islands"):
            for sheet, sentence in self.insights(section).items():
                self.numbers_are_of(sentence, sheets[sheet]["rows"])
        self.assertEqual(set(self.insights("generators")), {"shares", "pairs"})

    def test_facts_and_headline_are_those_of_searches(self):
        row = self.json("show", "r.h5", "searches")["sheets"]["search"]["row"]
        facts = {fact["data-fact"]: number(fact.text()) for fact in self.page.all("dd", data_fact=True) if fact["data-fact"] != "seed"}
        for fact, key in (("searches", "searches"), ("test cases", "cases"), ("tests", "tests"), ("that failed", "failing")):
            self.assertEqual(facts[fact], row[key], fact)
        self.assertIn(f"{row['found']} of 4 searches found a failure", self.page.text())
        self.assertNotIn("no failure was found by either", self.page.text())

    def test_curves_are_those_of_searches(self):
        rows = self.json("show", "r.h5", "searches")["sheets"]["curves"]["rows"]
        self.corridor("report", "r.h5", "-o", "again.html", "--figures", "figures")
        with open(self.folder / "figures/search-01.csv", encoding="ascii") as file:
            drawn = list(csv.DictReader(file))
        for series, generator in enumerate(dict.fromkeys(row["generator"] for row in rows)):
            points = [(float(row["cases"]), float(row["without_failure_pct"])) for row in drawn if row["series"] == str(series)]
            self.assertEqual(points[0], (0, 100))
            expected = [(row["cases"], 100 * row["survival"]) for row in rows if row["generator"] == generator]
            self.assertEqual(len(points), len(expected) + 1)
            for point, step in zip(points[1:], expected):
                self.assertEqual(point[0], step[0])
                self.assertAlmostEqual(point[1], step[1], places=6)
        drawing = self.page.one("section", id="generators").one("svg")
        self.assertEqual(len([path for path in drawing.all("path") if path["stroke-width"] and len(path["d"].split()) > 2]),
                         len({row["generator"] for row in rows}))


class Estimate(Sheets):
    """A file of the estimation layer."""

    def prepare(self):
        self.corridor("estimate", SOURCE / "experiments/library/demo.json", "--arm", "PSOPP-F5", "--method", "splitting", "--budget", "120000",
                      "--level", "held > 0; activated > 0", "--effort", "2", "-o", "r.h5", code=1)  # nothing failed: no interval
        return self.check_form(self.report())

    def test_sheets_of_the_estimate_are_shown(self):
        estimate = self.json("show", "r.h5", code=1)
        self.sheet_is_shown("glance", estimate, "probabilities")
        self.sheet_is_shown("made", estimate, "estimate")
        self.sheet_is_shown("stages", estimate, "stages")
        self.assertIn(estimate["sheets"]["estimate"]["row"]["refused"], " ".join(self.page.text().split()))

    def test_facts_are_those_of_the_estimate(self):
        row = self.json("show", "r.h5", code=1)["sheets"]["estimate"]["row"]
        facts = {fact["data-fact"]: number(fact.text()) for fact in self.page.all("dd", data_fact=True) if fact["data-fact"] != "seed"}
        self.assertEqual(facts, {"repetitions": row["repetitions"], "test cases": row["cases"]})


class Agents(Sheets):
    """A file of the agent layer."""

    def prepare(self):
        self.corridor("agent", "test", SOURCE / "experiments/library/agents/fig2.json", "-o", "r.h5", "--no-fail")
        return self.check_form(self.report())

    def test_sheets_of_findings_are_shown_under_their_insights(self):
        findings = self.json("show", "r.h5", "findings")
        for section, sheet in (("findings", "findings"), ("units", "units"), ("reached", "adequacy")):
            self.sheet_is_shown(section, findings, sheet)
        rows = {name: sheet["rows"] for name, sheet in findings["sheets"].items() if "rows" in sheet}
        roots = sum(row["cause"] == "root" for row in rows["findings"])
        self.assertTrue(0 < roots < len(rows["findings"]), "the test shows little")
        self.assertEqual(self.insights("findings")["findings"], f"{roots} of {len(rows['findings'])} are roots, the others consequences.")
        self.assertIn("ok", {row["outcome"] for row in rows["units"]})
        self.assertEqual(self.insights("units")["units"],
                         f"Nothing was found in {sum(row['outcome'] == 'ok' for row in rows['units'])} of {len(rows['units'])} units.")
        self.assertEqual(self.insights("reached")["adequacy"], f"{sum(row['reached'] for row in rows['adequacy'])} of "
                         f"{sum(row['total'] for row in rows['adequacy'])} were reached.")

    def test_insights_of_mutants_are_of_each_mutant_once(self):
        self.corridor("agent", "mutate", SOURCE / "experiments/library/agents/fig2.json", "-o", "m.h5", "--no-fail")
        root, sheets = self.check_form(self.report("m.h5")), self.json("show", "m.h5", "findings")["sheets"]
        said = {one["data-of"]: one.text() for one in root.all(class_="insight")}
        every = next(row for row in sheets["operators"]["rows"] if row["operator"] == "all")
        self.assertEqual(said["operators"], f"{every['killed']} of {every['mutants']} mutants are killed.")
        first = sheets["mutants"]["rows"][0]["outcome"]
        self.assertEqual(said["mutants"], f"{sum(row['outcome'] == first for row in sheets['mutants']['rows'])} mutants are {first}.")
        # What is long is folded, and there.
        self.assertGreater(len(sheets["findings"]["rows"]), 40, "the test shows little")
        folded = root.one("section", id="findings").one("details", data_of="findings")
        self.assertIsNone(folded["open"])
        self.assertEqual(len([row for row in folded.all("tr") if not row["class"]]), len(sheets["findings"]["rows"]) + 1)

    def test_nothing_is_headed_none(self):
        headings = [one.text() for tag in ("h1", "h2", "h3", "th", "figcaption", "dt", "caption") for one in self.page.all(tag)]
        self.assertEqual([text for text in headings if text.split(":")[0] == "none"], [])
        self.assertIn("the agent without a fault", headings)
        self.assertEqual(next(self.page.all("h1")).text(), "Fig2")


class Layers(Case):
    def test_commands_of_one_layer_say_what_a_file_of_another_is(self):
        demo = SOURCE / "experiments/library/demo.json"
        self.corridor("efsm", "test", SOURCE / "experiments/library/efsm/lossy_link.json", "--goal", "fin", "-o", "m.h5")
        self.corridor("agent", "test", SOURCE / "experiments/library/agents/fig2.json", "-o", "a.h5", "--no-fail")
        self.corridor("search", demo, "--arm", "PSOPP-F1", "--generator", "random", "--budget", "5000", "-o", "s.h5")
        self.corridor("estimate", demo, "--arm", "PSOPP-F1", "--budget", "100000", "-o", "e.h5")
        self.campaign(name="c.h5", suites=1, arms=[SOUND])
        shown_by = {"m.h5": "tests", "a.h5": "findings", "s.h5": "searches", "e.h5": "estimate", "c.h5": "tables"}
        own = set(shown_by.values()) - {"tables"}
        for name, shows in shown_by.items():
            self.assertEqual(self.corridor("show", name, "--all").stdout, self.corridor("show", name, shows).stdout)
            for command in ("coverage", "compare", "tree", "failures"):
                if command == "failures" and name in ("m.h5", "a.h5"):  # their tests have keys
                    self.corridor(command, name)
                elif name != "c.h5" and (command, name) != ("compare", "s.h5"):
                    said = self.corridor(command, name, code=3).stderr.decode()
                    self.assertIn("show it with corridor show", said)
                    self.assertIn(f"corridor {command} reads", said)
            for view in ("tables", "survival", "performance", "traps", *sorted(own)):
                if (view in own or name != "c.h5") and view != shows:
                    said = self.corridor("show", name, view, code=3).stderr.decode()
                    self.assertIn(f'has no view "{view}"', said)
                    self.assertIn(f"known: {shows}", said)
        for name in shown_by:
            other = "m.h5" if name != "m.h5" else "a.h5"
            self.assertIn("; corridor compare reads", self.corridor("compare", name, other, code=3).stderr.decode())
            self.corridor("report", name, "-o", f"{name}.html")
            for how in (["--format", "jsonl"], ["--csv"], ["--all", f"{name}.all"]):
                self.corridor("export", name, *how)
            for verdicts in ("junit", "tap"):
                done = self.corridor("export", name, "--format", verdicts, code=3 if name == "e.h5" else 0)
                self.assertEqual(done.stdout == b"", name == "e.h5")


class Form(Case):
    def test_the_same_file_gives_the_same_bytes(self):
        self.campaign()
        text = self.report()
        self.assertEqual(text, self.report())
        shutil.move(self.folder / "r.h5", self.folder / "other name.h5")
        self.assertEqual(text, self.report("other name.h5", environment={"TMPDIR": str(self.folder), "LANG": "de_DE.UTF-8"}))
        self.assertEqual(text, self.report("other name.h5", "--figures", "figures"))
        self.assertEqual(self.corridor("report", "other name.h5", "-o", "-").stdout.decode(), text)
        left = [name for name in os.listdir(self.folder) if name.startswith(".") or "part" in name]
        self.assertEqual(left, [])

    def test_figures_are_written_with_what_draws_them_again(self):
        self.campaign()
        text = self.report("r.h5", "--figures", "figures")
        there = sorted(os.listdir(self.folder / "figures"))
        root = self.check_form(text)
        drawn = [figure["id"].removeprefix("fig-") for figure in root.all("figure")]
        self.assertTrue({name.rsplit("-", 1)[0] for name in drawn} >= {"survival", "growth", "heat"}, drawn)
        expected = [f"{name}.{end}" for name in drawn for end in
                    (("dot", "pdf", "svg") if name.startswith("tree") else ("csv", "svg"))]
        self.assertEqual(there, sorted(expected))
        for name in drawn:
            # Each is a file of its own: XML, with its colours, and all that it shows within it.
            picture = xml.etree.ElementTree.parse(self.folder / f"figures/{name}.svg").getroot()
            self.assertEqual(picture.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertNotIn("var(", (self.folder / f"figures/{name}.svg").read_text())
            if not name.startswith("tree"):
                left, top, width, height = map(float, picture.get("viewBox").split())
                for x, y in self.places(picture):
                    self.assertTrue(left <= x <= left + width and top <= y <= top + height, (name, x, y))
            else:
                self.assertTrue((self.folder / f"figures/{name}.pdf").read_bytes().startswith(b"%PDF"))
        # The same command goes on where it was ended on the way: what holds the same bytes is in nobody's way, and what
        # somebody else has called like what reports leave stays.
        (self.folder / "page.html").unlink()
        for name in list((self.folder / "figures").iterdir())[::2]:
            name.unlink()
        mine = [self.folder / place / name for place in (".", "figures") for name in (".corridor-part-mine", ".corridor-report-mine")]
        for folder in mine:
            folder.mkdir()
            (folder / "thesis").write_text("precious")
        left = self.folder / "figures/.corridor-part-AbCdEf"
        left.mkdir()
        said = (SOURCE / "sim/base/include/corridor/work_folder.h").read_text().split("COR_WORK_MARK_TEXT ")[1].split("\n\n")[0]
        (left / ".made-by-corridor").write_text("".join(re.findall('"(.*)"', said)).replace("\\n", "\n"))
        self.corridor("report", "r.h5", "-o", "page.html", "--figures", "figures", environment={"TMPDIR": str(self.folder)})
        self.assertEqual(sorted(name for name in os.listdir(self.folder / "figures") if name[0] != "."), there)
        self.assertEqual([(folder / "thesis").read_text() for folder in mine], ["precious"] * 4)
        self.assertFalse(left.exists())
        # Nothing else is replaced unasked: all of them or none.
        (self.folder / "page.html").unlink()
        (self.folder / "figures" / there[-1]).write_text("precious")
        (self.folder / "figures" / there[0]).unlink()
        done = self.corridor("report", "r.h5", "-o", "page.html", "--figures", "figures", code=4)
        self.assertIn(f"figures/{there[-1]}: exists already".encode(), done.stderr)
        self.assertEqual(sorted(name for name in os.listdir(self.folder / "figures") if name[0] != "."), there[1:])
        self.assertFalse((self.folder / "page.html").exists())

    def places(self, picture):
        """Corners of what a chart draws."""
        for shape in picture.iter():
            for pair in re.findall(r"-?[\d.]+,-?[\d.]+", shape.get("d", "")):
                yield tuple(map(float, pair.split(",")))
            if shape.tag.endswith("rect"):
                x, y, width, height = (float(shape.get(key)) for key in ("x", "y", "width", "height"))
                yield from ((x, y), (x + width, y + height))

    def test_survival_curves_have_both_corners_of_each_fall(self):
        """The curve of an arm has both corners of each fall of the curve of corridor show FILE survival; all are in one chart."""
        self.campaign()
        root = self.check_form(self.report("r.h5", "--figures", "figures"))
        with open(self.folder / "figures/survival-01.csv", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(sorted(name for name in os.listdir(self.folder / "figures") if name.startswith("survival")),
                         ["survival-01.csv", "survival-01.svg"])
        drawn_paths = [path["d"].split() for path in root.one("figure", id="fig-survival-01").all("path") if path["stroke-width"]]
        drawn_paths = [points for points in drawn_paths if len(points) > 2]  # the others show what an arm looks like
        sheets = self.json("show", "r.h5", "survival")["sheets"]
        drawn = 0
        for arm in sheets["arms"]["rows"]:
            steps = [row for row in sheets["curves"]["rows"] if row["arm"] == arm["arm"]]
            shown = [(float(row["case"]), float(row["without_detection_pct"]) / 100) for row in lines if row["arm"] == arm["arm"]]
            self.assertEqual(bool(shown), arm["detected"] > 0, arm["arm"])
            if arm["detected"] == 0:
                continue
            expected, now = [(1, 1)], 1
            for step in steps:
                if step["detected"] > 0 or step is steps[-1]:
                    expected += [(step["cases"], now)] * (step["cases"] > 1) + [(step["cases"], step["survival"])]
                    now = step["survival"]
            self.assertEqual([case for case, _ in shown], [case for case, _ in expected], arm["arm"])
            for (_, share), (_, survival) in zip(shown, expected):
                self.assertAlmostEqual(share, survival, 12)
            # What is drawn falls as the data do: from the top, 270 pixels high.
            heights = [float(point.split(",")[1]) for point in drawn_paths[drawn]]
            self.assertEqual(len(heights), len(expected))
            for height, (_, survival) in zip(heights, expected):
                self.assertAlmostEqual(height, 12 + 270 * (1 - survival), delta=0.06)
            drawn += 1
        self.assertGreater(drawn, 1)
        self.assertEqual(drawn, len(drawn_paths))

    def test_growth_data_are_those_of_coverage(self):
        """The data behind a figure are those of corridor coverage."""
        self.campaign()
        self.report("r.h5", "--figures", "figures")
        points = [row for row in self.json("coverage", "r.h5")["sheets"]["growth"]["rows"]
                  if (row["arm"], row["environment"], row["over"]) == ("all", "all", "cases")]
        lines = (self.folder / "figures/growth-01.csv").read_text().splitlines()[1:]
        for line, point in zip(lines, points, strict=True):
            cases, n, states, transitions = line.split(",")[:4]
            self.assertEqual((int(cases), int(n)), (point["at"], point["n"]))
            self.assertEqual((float(states), float(transitions)), (point["states_pct"], point["transitions_pct"]))

    def test_heat_cells_are_the_transitions_of_the_file(self):
        """Cells of the heat map are the transitions of the file."""
        self.campaign(model=str(page.SOURCE / "experiments/library/models/smart_grid.json"))
        self.report("r.h5", "--figures", "figures")
        names = [row["environment"] for row in self.json("coverage", "r.h5")["sheets"]["environments"]["rows"]
                 if row["arm"] == "all" and row["environment"] != "all"]
        rows = [json.loads(line) for line in self.corridor("export", "r.h5", "--table", "transitions", "--json").stdout.splitlines()]
        profiles = {(row["arm"], row["suite"], row["profile"]): row["environment"] for row in
                    map(json.loads, self.corridor("export", "r.h5", "--table", "profiles", "--json").stdout.splitlines())}
        for index, name in enumerate(names):
            counted = {}
            for row in rows:
                if profiles[(row["arm"], row["suite"], row["profile"])] == name:
                    key = (row["from"], row["to"])
                    counted[key] = counted.get(key, 0) + row["count"]
            cells = {}
            for line in (self.folder / f"figures/heat-{index + 2:02d}.csv").read_text().splitlines()[1:]:
                begin, end, taken, decade = map(int, line.split(","))
                cells[(begin, end)] = taken
                self.assertEqual(decade, len(str(taken)) if taken else 0)
            self.assertEqual(cells, counted, name)

    def test_of_profiles_that_differ_the_heat_map_shows_the_first(self):
        """Where each suite has its own profile the map is that of the first that a chain follows."""
        self.campaign()
        self.report("r.h5", "--figures", "figures")
        table = lambda name: [json.loads(line) for line in self.corridor("export", "r.h5", "--table", name, "--json").stdout.splitlines()]
        profiles = {(row["arm"], row["suite"], row["profile"]): row["environment"] for row in table("profiles")}
        first = {}
        for row in table("chains"):
            key = (row["arm"], row["suite"], row["profile"])
            first.setdefault(profiles[key], key)
        transitions = table("transitions")
        names = [row["environment"] for row in self.json("coverage", "r.h5")["sheets"]["environments"]["rows"]
                 if row["arm"] == "all" and row["environment"] != "all"]
        self.assertGreater(len(names), 1)
        for index, name in enumerate(names):
            expected = {(row["from"], row["to"]): row["count"] for row in transitions
                        if (row["arm"], row["suite"], row["profile"]) == first[name]}
            lines = (self.folder / f"figures/heat-{index + 2:02d}.csv").read_text().splitlines()[1:]
            self.assertEqual({(int(a), int(b)): int(taken) for a, b, taken, _ in (line.split(",") for line in lines)}, expected, name)

    def test_without_graphviz_the_page_says_what_is_not_drawn(self):
        self.campaign()
        done = self.corridor("report", "r.h5", "-o", "page.html", environment={"PATH": "/nonexistent"})
        self.assertIn(b"dot is not installed", done.stderr)
        text = (self.folder / "page.html").read_text()
        root = self.check_form(text)
        self.assertTrue(list(root.all("svg")))
        self.assertFalse([figure for figure in root.all("figure") if "tree" in figure["id"] and list(figure.all("svg"))])
        self.assertIn("Not drawn: dot is not installed", root.text())
        self.assertGreater(len(list(list(root.all("table", data_matrix="figures"))[1].all("td"))), 50)

    def test_failures_that_are_shown_spread_evenly(self):
        """Of more failing sequences than are shown: number k N / q of N, for each k below q."""
        arms = [{**page.SPADA, "name": f"SPADA {i}"} for i in range(5)] + [{**page.PSOPP, "name": f"PSOPP {i}"} for i in range(4)] + [page.MASKED]
        self.campaign(arms=arms, suites=40, sequences=4, cases=[20, 40])
        root = self.check_form(self.report())
        failing, leading, masked = {}, set(), {}
        for row in map(json.loads, self.corridor("export", "r.h5", "--table", "violations", "--json").stdout.splitlines()):
            failing.setdefault(row["arm"], {}).setdefault((row["suite"], row["sequence"]), row["case"])
        for row in self.json("show", "r.h5", "tables")["sheets"]["failures"]["rows"]:
            leading.add((row["arm"], f"{row['suite']}/{row['sequence']}/{row['case']}"))
            if row["class"] == "masked":
                masked[row["arm"]] = row["cases"]
        each, full = 200 // len(failing.keys() | masked.keys()), 0
        rows = [(next(one.all("b")).text(), next(row.all("td")).text(), row) for one in root.one("section", id="failures").all("details")
                for row in next(one.all("tbody")).all("tr")]
        shown = [(arm, place) for arm, place, row in rows if row["data-box"] != "masked"]
        self.assertEqual({(arm, place) for arm, place, row in rows if row["class"] != "further"}, leading)
        for arm, sequences in failing.items():
            places = [f"{suite}/{sequence}/{case}" for (suite, sequence), case in sorted(sequences.items())]
            aside = min(max((each + 3) // 4, each - len(places)), masked.get(arm, 0))
            quota = min(each - aside, len(places))
            full += quota < len(places)
            expected = {places[k * len(places) // quota] for k in range(quota)}
            seen = {place for name, place in shown if name == arm}
            self.assertLessEqual(expected, seen, arm)
            self.assertLessEqual(seen - expected, {place for name, place in leading if name == arm}, arm)
        self.assertGreater(full, 0, "all are shown: the test shows little")

    def test_without_failures_the_page_says_nothing_failed(self):
        self.campaign(arms=[page.SOUND])
        root = self.check_form(self.report())
        self.assertIn("Nothing failed in the 1 arm.", root.text())
        self.assertIn("No check was violated", root.text())


@unittest.skipUnless(h5py, "h5py is not installed")
class Hostile(Case):
    def change(self, change):
        with h5py.File(self.folder / "r.h5", "r+") as file:
            change(file)

    def rename(self, file, path, values):
        del file[path]
        data = file.create_dataset(path, (len(values),), dtype=h5py.string_dtype("utf-8"))
        for i, value in enumerate(values):
            data[i] = value if isinstance(value, bytes) else value.encode()

    def test_hostile_names_never_become_markup(self):
        self.campaign(suites=1)
        for first in range(0, len(HOSTILE), 4):
            chosen = HOSTILE[first:first + 4]
            experiment = json.dumps({"name": str(chosen[0]), "description": str(chosen[1])})

            def change(file):
                self.rename(file, "catalog/arm/name", chosen)
                count = len(file["catalog/environment/name"])
                self.rename(file, "catalog/environment/name", [HOSTILE[(first + i) % len(HOSTILE)] for i in range(count)])
                self.rename(file, "catalog/environment/description", [HOSTILE[first]] * count)
                file["experiment"][()] = experiment
                file["provenance"][()] = json.dumps({str(HOSTILE[first]): str(HOSTILE[first + 1])})

            self.change(change)
            text = self.report("r.h5", "--figures", "figures")
            root = self.check_form(text)
            for name in chosen:
                if isinstance(name, str) and name.isprintable() and len(name) < 48:
                    self.assertIn(name, root.one("table", data_sheet="found").text())
            self.assertEqual(list(root.all("img")), [])
            self.assertFalse((self.folder / "owned").exists() or (self.folder / "figures/owned").exists() or
                             pathlib.Path("/tmp/owned").exists())
            self.assertNotIn("\x1b", text)
            self.assertLess(len(text), 1_000_000)

    def test_names_that_a_terminal_would_obey_are_refused(self):
        self.campaign(suites=1)
        for name in UNPRINTABLE:
            self.change(lambda file: self.rename(file, "catalog/arm/name", [name, "b", "c", "d"]))
            self.corridor("report", "r.h5", "-o", "page.html", code=3)

    def test_texts_that_are_no_json_are_shown_as_text(self):
        self.campaign(suites=1)

        def change(file):
            file["experiment"][()] = "</pre><script>1</script>\x1b[31m\n\x01"
            file["provenance"][()] = b"\xff<b>"
            self.rename(file, "catalog/arm/description", ["", "<i>", "{", "[]"])
        self.change(change)
        root = self.check_form(self.report())
        self.assertIn("</pre><script>1</script> [31m\n", root.one("pre").text())
        self.assertIn("\ufffd<b>", root.one("section", id="provenance").text())

    def test_offsets_behind_the_end_are_refused(self):
        self.campaign()

        def change(file):
            file["failures/block_start"][...] = 2 ** 63
        self.change(change)
        done = self.corridor("report", "r.h5", "-o", "page.html", code=3)
        self.assertIn(b"table failures", done.stderr)
        self.assertFalse((self.folder / "page.html").exists())


class Input(Case):
    def test_a_file_without_suites_gives_a_page_that_says_so(self):
        self.campaign()

        def shrink(name):
            with h5py.File(self.folder / "r.h5", "r") as old, h5py.File(self.folder / name, "w") as new:
                for key, value in old.attrs.items():
                    new.attrs[key] = value
                for key in old:
                    if isinstance(old[key], h5py.Dataset) or key == "catalog":
                        old.copy(key, new)
                        continue
                    group = new.create_group(key)
                    group.attrs.update(old[key].attrs)
                    for column in old[key]:
                        made = group.create_dataset(column, shape=(0,), maxshape=(None,), dtype=old[key][column].dtype, chunks=(16,))
                        made.attrs.update(old[key][column].attrs)
        if not h5py:
            self.skipTest("h5py is not installed")
        shrink("empty.h5")
        root = self.check_form(self.report("empty.h5"))
        self.assertIn("no suites", root.one("table", data_sheet="found").text())

    def test_what_is_no_result_is_refused_by_name(self):
        self.campaign(suites=1)
        whole = (self.folder / "r.h5").read_bytes()
        (self.folder / "cut.h5").write_bytes(whole[:len(whole) // 2])
        (self.folder / "text.h5").write_text("hello\n")
        for name in ("cut.h5", "text.h5", "none.h5", "."):
            done = self.corridor("report", name, "-o", "page.html", code=4 if name in ("none.h5", ".") else 3)
            self.assertIn(name.encode(), done.stderr)
            self.assertFalse((self.folder / "page.html").exists())

    def test_wrong_outputs_are_refused_and_nothing_is_left(self):
        self.campaign(suites=1)
        self.corridor("report", "r.h5", code=2)
        self.corridor("report", code=2)
        self.corridor("report", "r.h5", "-o", "p.html", "--level", "2", code=2)
        self.assertIn(b"/nowhere/page.html", self.corridor("report", "r.h5", "-o", "/nowhere/page.html", code=4).stderr)
        self.corridor("report", "r.h5", "-o", "/dev/full", code=4)
        self.corridor("report", "r.h5", "-o", "p.html", "--figures", "/nowhere/figures", code=4)
        (self.folder / "p.html").write_text("mine")
        self.corridor("report", "r.h5", "-o", "p.html", code=4)
        self.assertEqual((self.folder / "p.html").read_text(), "mine")
        left = [name for name in os.listdir(self.folder) if "part" in name or name.startswith(".")]
        self.assertEqual(left, [])


if __name__ == "__main__":
    page.main()
