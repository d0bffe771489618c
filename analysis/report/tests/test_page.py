#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_page.py CORRIDOR SOURCE_DIRECTORY: the page without a browser: its numbers are those of the other commands, it needs
nothing but itself, the same file gives the same bytes, and nothing from the file becomes markup."""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

import page
from page import Case, Shared, number

sys.path.append(str(pathlib.Path(__file__).parents[2] / "coverage/tests"))
from coverage_document import document as by_arm

try:
    import h5py
except ImportError:
    h5py = None

HOSTILE = ['<script>document.title="owned"</script>', '"><img src=x onerror=alert(1)>', "'; system(\"touch owned\") #",
           "`touch owned`", "x" * 5000, "a\u202eb", "&lt;b&gt; ]]> --> </style></title>",
           "\\\"; set output '/tmp/owned'", "${HOME} %s %n @m |\\ls", "=cmd", "{{7*7}}", "a;b#c"]
UNPRINTABLE = [b"\xff\xfe bad \xc3", "c\x1b[31m", "two\nlines"]


class Numbers(Shared):
    def prepare(self):
        self.campaign()
        return self.check_form(self.report())

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

    def tables(self):
        """The sheets of corridor tables, arm by arm."""
        sheets = {name: sheet.get("rows", []) for name, sheet in self.json("tables", "r.h5")["sheets"].items()}
        arms = {row["arm"]: {"name": row["arm"], **row, "figures": {}, "caught": {}} for row in sheets["arms"]}
        for row in sheets["found"]:
            arms[row["arm"]].update(row, found_by=row["found_by"].split(", ") if row["found_by"] else [])
        for name in ("reorganizations", "checks"):
            for row in sheets[name]:
                arms[row["arm"]]["caught"].update(row)
        nothing = {"mean": None, "low": None, "high": None, "interval": "none"}
        for row in sheets["figures"]:
            arms[row["arm"]]["figures"][row["metric"]] = {**row, **(row["ours"] or nothing), "sd": row["sd"]}
        claims = [{**row, "id": row["claim"], "parts": [part for part in sheets["claim_parts"] if part["claim"] == row["claim"]]}
                  for row in sheets.get("claims", [])]
        return {"arms": list(arms.values()), "claims": claims, "metrics": {row["metric"] for row in sheets["figures"]},
                "identities": [row["sentence"] for row in sheets["identities"]]}

    def test_facts_and_glance(self):
        tables = self.tables()
        survival = self.json("survival", "r.h5")
        facts = {fact["data-fact"]: number(fact.text()) for fact in self.page.all("dd", data_fact=True)}
        self.assertEqual(facts["arms"], len(tables["arms"]))
        for fact, key in (("suites", "suites"), ("test sequences", "sequences"), ("test cases", "cases"), ("executed", "executed")):
            self.assertEqual(facts[fact], sum(arm[key] for arm in tables["arms"]), fact)
        rows = self.rows("glance")
        self.assertEqual(len(rows), len(tables["arms"]))
        for row, arm, depths in zip(rows, tables["arms"], survival["arms"]):
            self.assertEqual(row[0].text(), arm["name"])
            sound = arm["name"] == "sound"
            verdict = ("fails" if arm["found"] else "sound") if sound else ("found" if arm["found"] else "not found")
            self.assertEqual(row[2].text().lstrip("\u2713\u2717 "), verdict)
            self.assertEqual([box.text() for box in row[3].all("span") if box["class"] != "na"], arm["found_by"])
            self.assertEqual(number(row[4].text()), arm["sequences_detected"])
            self.near(number(row[5].text()), 100 * arm["sequences_detected"] / arm["sequences"], 1, "share")
            self.assertEqual(number(row[6].text()), arm["failures"])
            self.near(number(row[7].text()), 100 * arm["caught"]["masked"] / arm["failures"] if arm["failures"] else None, 1, "masked")
            median = depths["median"]["cases"]
            self.assertEqual(row[8].text() if median is None else number(row[8].text()), "not reached" if median is None else median)
            at_100 = depths["survival"][2]["share"]["mean"]
            self.near(number(row[9].text()), None if at_100 is None else 100 * (1 - at_100), 1, "by case 100")
            self.assertEqual(number(row[10].text()), arm["caught"]["gray_unprovoked"] + arm["caught"]["black_unprovoked"])
        faults = [arm for arm in tables["arms"] if arm["name"] != "sound"]
        self.assertTrue(any(arm["found"] for arm in faults), "nothing is found: the test shows little")
        self.assertIn(f"{sum(arm['found'] for arm in faults)} of {len(faults)} injected", self.page.text())

    def test_tables(self):
        tables = self.tables()
        seen = 0
        for name in ("table1", "table2"):
            for row in self.page.one("table", data_table=name).all("tr", data_metric=True):
                cells = list(row.all("td"))
                metric = row["data-metric"]
                decimals = 0 if metric == "failures_total" else 2
                for cell, arm in zip(cells, tables["arms"], strict=True):
                    figure, what = arm["figures"][metric], f"{metric} {arm['name']}"
                    value = next(cell.all("span"))
                    self.near(number(value.text()), figure["mean"], decimals, what)
                    if figure["mean"] is not None:
                        self.assertEqual(float(cell["data-v"]), figure["mean"], what)
                    sd = list(cell.all("span", class_="sd"))
                    self.near(number(sd[0].text().strip("()")) if sd else None, figure["sd"], 2, what)
                    ci = list(cell.all("span", class_="ci"))
                    self.assertEqual(bool(ci), figure["interval"] != "none", what)
                    if ci:
                        low, high = ci[0].text().strip("[]*").split(",")
                        self.near(float(low), figure["low"], 2, what)
                        self.near(float(high), figure["high"], 2, what)
                    paper = [span for span in cell.all("span") if (span["class"] or "").startswith("paper")]
                    self.assertEqual(bool(paper), figure["paper_mean"] is not None, what)
                    if paper:
                        self.near(float(re.search(r"-?[\d.]+", paper[0].text()).group()), figure["paper_mean"], decimals, what)
                        inside = figure["interval"] != "none" and figure["low"] <= figure["paper_mean"] <= figure["high"]
                        self.assertEqual(paper[0].text().startswith("="), inside, what)
                    seen += 1
        self.assertEqual(seen, len(tables["metrics"]) * len(tables["arms"]))

    def test_claims_and_identities(self):
        tables = self.tables()
        shown = {claim["data-claim"]: claim for claim in self.page.all("details", data_claim=True)}
        self.assertEqual(list(shown), [claim["id"] for claim in tables["claims"]])
        for claim in tables["claims"]:
            self.assertEqual(shown[claim["id"]]["data-verdict"], claim["verdict"])
            self.assertIn(claim["sentence"], shown[claim["id"]].text())
            rows = [row for body in shown[claim["id"]].all("tbody") for row in body.all("tr")]
            for row, part in zip(rows, claim["parts"], strict=True):
                cells = list(row.all("td"))
                self.assertEqual(next(row.all("th")).text(), part["name"])
                self.near(number(cells[1].text()), part["mean"], 2, claim["id"])
                self.near(number(cells[3].text()), part["paper"], 2, claim["id"])
        for sentence in tables["identities"]:
            self.assertIn(sentence, self.page.text())

    def test_kills(self):
        survival = self.json("survival", "r.h5")
        heads = [head["data-killer"] for head in self.page.one("table", data_table="kills").all("th", data_killer=True)]
        self.assertGreater(len(heads), 0)
        self.assertEqual(set(heads), {killer for arm in survival["arms"] for killer in arm["kills"]})
        for row, arm in zip(self.rows("kills"), survival["arms"], strict=True):
            for cell, killer in zip(row[1:], heads):
                self.assertEqual(int(cell["data-v"]), arm["kills"].get(killer, {"sequences": 0})["sequences"], killer)

    def test_survival(self):
        survival = self.json("survival", "r.h5")
        for row, arm in zip(self.rows("survival"), survival["arms"], strict=True):
            self.assertEqual([row[0].text(), number(row[1].text()), number(row[2].text())],
                             [arm["name"], arm["sequences"], arm["detected"]])
            for cell, point in zip(row[3:7], arm["survival"], strict=True):
                share = point["share"]["mean"]
                self.near(number(cell.text()), None if share is None else 100 * (1 - share), 1, arm["name"])
            self.near(number(row[9].text()), arm["restricted_mean"]["mean"], 1, arm["name"])

    def test_coverage(self):
        coverage = by_arm(self.json("coverage", "r.h5"))
        first = self.rows("coverage")[0]
        covered = coverage["all"]["all"]["covered"]
        for cell, (level, measure) in zip(first[2:], (("chain", "states"), ("chain", "transitions"), ("suite", "states"),
                                                      ("suite", "transitions"), ("suite", "likely_transitions"),
                                                      ("suite", "transition_mass"))):
            self.near(number(cell.text()), covered[level][measure]["percent"], 1, f"{level} {measure}")

    def test_failures(self):
        rows = [json.loads(line) for line in self.corridor("export", "r.h5", "--table", "violations", "--json").stdout.splitlines()]
        sentences = {}
        for row in rows:
            sentences.setdefault((row["arm"], f"{row['suite']}/{row['sequence']}/{row['case']}"), []).append(row["sentence"])
        shown = self.rows("failures")
        seen = [row for row in shown if row[0].parent["data-box"] != "masked"]
        self.assertGreater(len(seen), 0)
        for row in seen:
            said = sentences[(row[0].text(), row[1].text())]
            for sentence in said[:4]:
                self.assertIn(sentence, row[2].text())
            more = re.search(r"and (\d+) more$", row[2].text())
            self.assertEqual(int(more.group(1)) if more else 0, max(0, len(said) - 4))
        # Masked: activated, and nothing was violated.
        activated = {(row["arm"], f"{row['suite']}/{row['sequence']}/{row['case']}") for row in
                     map(json.loads, self.corridor("export", "r.h5", "--table", "reorganizations", "--json").stdout.splitlines())
                     if row["fault_activated"] > 0}
        masked = [(row[0].text(), row[1].text()) for row in shown if row[0].parent["data-box"] == "masked"]
        self.assertTrue(masked, "nothing is masked: the test shows little")
        self.assertTrue(set(masked) <= activated - set(sentences), masked)
        self.assertEqual(len(masked), len(set(masked)))
        # Each failing sequence is there, as the budget of 200 is not reached: by its first failure.
        first = {}
        for arm, place in sentences:
            suite, sequence, case = map(int, place.split("/"))
            key = (arm, suite, sequence)
            first[key] = min(case, first.get(key, case))
        self.assertLess(len(first), 100)
        firsts = {(arm, f"{suite}/{sequence}/{case}") for (arm, suite, sequence), case in first.items()}
        # ... and the first of each kind: those in which the same checks were violated through the same boxes.
        checks = {}
        for row in rows:
            checks.setdefault((row["arm"], row["suite"], row["sequence"], row["case"]), set()).add((row["box"], row["check"]))
        kinds = {}
        for (arm, *place), violated in checks.items():
            kinds.setdefault((arm, frozenset(violated)), []).append(place)
        first_of_kind = {(arm, "/".join(map(str, min(places)))) for (arm, _), places in kinds.items()}
        self.assertEqual({(row[0].text(), row[1].text()) for row in seen}, firsts | first_of_kind)
        self.assertEqual(
            sorted((row[0].text(), int(row[2]["data-v"]), int(row[3]["data-v"]), row[4].text()) for row in self.rows("kinds")),
            sorted((arm, len(places), len({tuple(place[:2]) for place in places}), "/".join(map(str, min(places))))
                   for (arm, _), places in kinds.items()))
        shown_at = {row[0].parent["id"]: row[1].text() for row in shown}
        for row in self.rows("kinds"):
            said = {(box.text(), check.split(" ", 1)[1].replace(" ", "_")) for one in row[1].all("div") for box in one.all("span")
                    for check in one.text().removeprefix(box.text()).split(", ")}
            self.assertIn((row[0].text(), frozenset(said)), kinds)
            self.assertEqual(shown_at[next(row[4].all("a"))["href"].removeprefix("#")], row[4].text())

    def test_features(self):
        for arm in self.tables()["arms"]:
            if arm["caught"]["gray"] + arm["caught"]["black"] == 0:
                continue
            causes = self.json("tree", "r.h5", "--arm", arm["name"])["sheets"]["causes"]["rows"]
            found = [one for one in self.page.one("section", id="features").all("details") if next(one.all("h3")).text() == arm["name"]]
            self.assertEqual(len(found), 1)
            rows = [row for row in next(found[0].all("tbody")).all("tr")]
            self.assertEqual(len(rows), min(6, len(causes)))
            for row, cause in zip(rows, causes):
                self.assertIn(cause["feature"], row.text())
                self.near(float(next(row.all("span", class_="pc")).text()), cause["ochiai"], 3, cause["feature"])


class Form(Case):
    def test_same_bytes(self):
        self.campaign()
        text = self.report()
        self.assertEqual(text, self.report())
        shutil.move(self.folder / "r.h5", self.folder / "other name.h5")
        self.assertEqual(text, self.report("other name.h5", environment={"TMPDIR": str(self.folder), "LANG": "de_DE.UTF-8"}))
        self.assertEqual(text, self.report("other name.h5", "--figures", "figures"))
        self.assertEqual(self.corridor("report", "other name.h5", "-o", "-").stdout.decode(), text)
        left = [name for name in os.listdir(self.folder) if name.startswith(".") or "part" in name]
        self.assertEqual(left, [])

    def test_figures(self):
        self.campaign()
        text = self.report("r.h5", "--figures", "figures")
        there = sorted(os.listdir(self.folder / "figures"))
        root = self.check_form(text)
        drawn = [figure["id"].removeprefix("fig-") for figure in root.all("figure")]
        self.assertTrue({name.rsplit("-", 1)[0] for name in drawn} >= {"survival", "growth", "heat"}, drawn)
        expected = [f"{name}.{end}" for name in drawn for end in
                    (("dot", "pdf", "svg") if name.startswith("tree") else ("csv", "gp", "pdf", "svg"))]
        self.assertEqual(there, sorted(expected))
        for name in drawn:
            self.assertTrue((self.folder / f"figures/{name}.pdf").read_bytes().startswith(b"%PDF"))
            self.assertIn("<svg", (self.folder / f"figures/{name}.svg").read_text())
        # The script draws the same again, where it lies.
        before = (self.folder / "figures/growth-01.svg").read_bytes()
        (self.folder / "figures/growth-01.svg").unlink()
        page.subprocess.run(["gnuplot", "growth-01.gp"], cwd=self.folder / "figures", check=True, capture_output=True)
        self.assertEqual((self.folder / "figures/growth-01.svg").read_bytes(), before)
        # Nothing is replaced unasked.
        (self.folder / "page.html").unlink()
        done = self.corridor("report", "r.h5", "-o", "page.html", "--figures", "figures", code=4)
        self.assertIn(b"exists already", done.stderr)
        self.assertFalse((self.folder / "page.html").exists())

    def test_growth_data(self):
        """The data behind a figure are those of corridor coverage."""
        self.campaign()
        self.report("r.h5", "--figures", "figures")
        points = by_arm(self.json("coverage", "r.h5"))["all"]["all"]["growth"]["cases"]
        lines = (self.folder / "figures/growth-01.csv").read_text().splitlines()[1:]
        for line, point in zip(lines, points, strict=True):
            cases, n, states, transitions = line.split(",")[:4]
            self.assertEqual((int(cases), int(n)), (point["at"], point["n"]))
            self.assertEqual((float(states), float(transitions)), (point["states"], point["transitions"]))

    def test_heat_data(self):
        """Cells of the heat map are the transitions of the file."""
        self.campaign(model=str(page.SOURCE / "experiments/models/smart_grid.json"))
        self.report("r.h5", "--figures", "figures")
        names = [row["name"] for row in by_arm(self.json("coverage", "r.h5"))["all"]["environments"]]
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

    def test_without_programs_that_draw(self):
        self.campaign()
        done = self.corridor("report", "r.h5", "-o", "page.html", environment={"PATH": "/nonexistent"})
        self.assertIn(b"gnuplot is not installed", done.stderr)
        text = (self.folder / "page.html").read_text()
        root = self.check_form(text)
        self.assertEqual(list(root.all("svg")), [])
        self.assertIn("Not drawn: gnuplot is not installed", root.text())
        self.assertGreater(len(list(root.one("table", data_table="table2").all("td"))), 50)

    def test_no_failures(self):
        self.campaign(arms=[page.SOUND])
        root = self.check_form(self.report())
        self.assertIn("Nothing failed in the 1 arm without an injected fault", root.text())
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

    def test_names(self):
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
                    self.assertIn(name, root.one("table", data_table="glance").text())
            self.assertEqual(list(root.all("img")), [])
            self.assertFalse((self.folder / "owned").exists() or (self.folder / "figures/owned").exists() or
                             pathlib.Path("/tmp/owned").exists())
            self.assertNotIn("\x1b", text)
            self.assertLess(len(text), 1_000_000)

    def test_names_that_a_terminal_would_obey(self):
        self.campaign(suites=1)
        for name in UNPRINTABLE:
            self.change(lambda file: self.rename(file, "catalog/arm/name", [name, "b", "c", "d"]))
            self.corridor("report", "r.h5", "-o", "page.html", code=3)

    def test_texts_that_are_no_json(self):
        self.campaign(suites=1)

        def change(file):
            file["experiment"][()] = "</pre><script>1</script>\x1b[31m\n\x01"
            file["provenance"][()] = b"\xff<b>"
            self.rename(file, "catalog/arm/description", ["", "<i>", "{", "[]"])
        self.change(change)
        root = self.check_form(self.report())
        self.assertIn("</pre><script>1</script> [31m\n", root.one("pre").text())
        self.assertIn("\ufffd<b>", root.one("section", id="provenance").text())

    def test_offsets_behind_the_end(self):
        self.campaign()

        def change(file):
            file["failures/block_start"][...] = 2 ** 63
        self.change(change)
        done = self.corridor("report", "r.h5", "-o", "page.html", code=3)
        self.assertIn(b"table failures", done.stderr)
        self.assertFalse((self.folder / "page.html").exists())


class Input(Case):
    def test_no_suites(self):
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
        self.assertIn("not run", root.one("table", data_table="glance").text())
        self.assertIn("There are no suites", root.text())

    def test_what_is_no_result(self):
        self.campaign(suites=1)
        whole = (self.folder / "r.h5").read_bytes()
        (self.folder / "cut.h5").write_bytes(whole[:len(whole) // 2])
        (self.folder / "text.h5").write_text("hello\n")
        for name in ("cut.h5", "text.h5", "none.h5", "."):
            done = self.corridor("report", name, "-o", "page.html", code=4 if name in ("none.h5", ".") else 3)
            self.assertIn(name.encode(), done.stderr)
            self.assertFalse((self.folder / "page.html").exists())

    def test_outputs(self):
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
