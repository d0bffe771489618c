#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The profiles of the library are what the commands on its page give, byte for byte; pictures are whole or absent; and
what is exported of profiles reads back to the last bit."""
import bisect
import collections
import csv
import datetime
import io
import math
import re
import resource
import shlex
import shutil
import sys
import unittest
import zoneinfo
import xml.etree.ElementTree

import e2e
from e2e import SOURCE

FORMATS = e2e.SOURCE / "profiles/tests/formats"
FIELD = SOURCE / "profiles/tests/field"


class Library(e2e.Case):
    def test_commands_of_the_page_give_the_library(self):
        shutil.copytree(SOURCE / "profiles/data", self.folder / "profiles/data")
        (self.folder / "profiles/library").mkdir()
        page = (SOURCE / "profiles/library/README.md").read_text()
        commands = re.findall(r"^corridor (profile fit .*)$", page, re.M)
        for command in commands:
            self.corridor(*shlex.split(command))
        library = {path.name: path.read_bytes() for path in (SOURCE / "profiles/library").glob("*.json")}
        fitted = {path.name: path.read_bytes() for path in (self.folder / "profiles/library").glob("*.json")}
        self.assertEqual(len(commands), len(library))
        self.assertEqual(sorted(library), sorted(fitted))
        # Fitted when clock changes were irregular steps; results hold the text of their profiles, so the file stays.
        wind = library["wind_2010.json"]
        library["wind_2010.json"] = re.sub(rb',\n   "Time: 2 of 8759 [^"]*"', b"", wind.replace(b'"irregular_steps": 2', b'"irregular_steps": 0'))
        self.assertEqual(len(wind) - len(library["wind_2010.json"]), 123)
        for name, content in library.items():
            self.assertTrue(fitted[name] == content, f"{name} is not what its command gives")

    def test_the_command_is_kept_as_typed(self):
        data = SOURCE / "profiles/data/biogas_synthetic.csv"
        self.corridor("profile", "fit", "-k", "3", data, "-c", "gas_yield_m3_per_h", "--output=p.json")
        profile = e2e.json.loads((self.folder / "p.json").read_text())
        self.assertEqual(profile["source"]["command"],
                         f"corridor profile fit -k 3 {data} -c gas_yield_m3_per_h --output=p.json")

    def test_every_profile_can_be_shown(self):
        for path in sorted((SOURCE / "profiles/library").glob("*.json")):
            content = e2e.json.loads(path.read_text())
            shown = e2e.json.loads(self.corridor("profile", "show", path, "--json").stdout)
            self.assertEqual([state["name"] for state in shown["states"]], content["states"])
            self.assertAlmostEqual(sum(state["stationary"] for state in shown["states"]), 1, places=9)
            self.assertIn("digraph", self.corridor("profile", "show", path, "--dot").stdout)
            self.corridor("profile", "show", path, "--draw", "picture.dot", "--force")
            self.assertIn("digraph", (self.folder / "picture.dot").read_text())

    def test_pictures_are_drawn_in_known_formats_under_any_name(self):
        path = SOURCE / "profiles/library/biogas.json"
        self.corridor("profile", "show", path, "--draw", "picture.gif", code=3)
        if not shutil.which("dot"):
            self.skipTest("graphviz is not there")
        self.corridor("profile", "show", path, "--draw", "picture.svg")
        self.assertIn("<svg", (self.folder / "picture.svg").read_text())
        self.corridor("profile", "show", path, "--draw", "it's.png")  # a path is never part of a shell's line
        self.assert_only("picture.svg", "it's.png")

    def test_pictures_are_whole_or_absent(self):
        path = SOURCE / "profiles/library/biogas.json"
        for picture in ("picture.dot", *(["picture.svg", "picture.png"] if shutil.which("dot") else [])):
            for size in (0, 100, 1000):
                limit = lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                self.corridor("profile", "show", path, "--draw", picture, code=4, preexec_fn=limit)
                self.assert_only()
            self.corridor("profile", "show", path, "--draw", picture)
            before = (self.folder / picture).read_bytes()
            said = self.corridor("profile", "show", path, "--draw", picture, code=4)
            self.assertIn(f"{picture}: exists already", said.stderr)
            (self.folder / picture).write_text("not so precious")
            self.corridor("profile", "show", path, "--draw", picture, "-f")
            self.assertEqual((self.folder / picture).read_bytes(), before)
            self.corridor("profile", "show", path, "--draw", picture, "-f", code=4,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
            self.assertEqual((self.folder / picture).read_bytes(), before)
            self.assert_only(picture)
            (self.folder / picture).unlink()

    def test_without_graphviz_the_old_picture_stays(self):
        path = SOURCE / "profiles/library/biogas.json"
        (self.folder / "p.svg").write_text("precious")
        said = self.corridor("profile", "show", path, "--draw", "p.svg", "-f", code=4, environment={"PATH": "/nowhere"})
        self.assertIn("install graphviz", said.stderr)
        self.assertEqual((self.folder / "p.svg").read_text(), "precious")
        self.assert_only("p.svg")


def parse_prism(text):
    """A DTMC of one module with one variable, by PRISM's manual; returns (initial state, {from: {to: probability}},
    {label: state}, {state: comment}). Numbers are read as Python reads them: to the nearest double."""
    comments = {int(state): name for state, name in re.findall(r"^// s=(\d+): (.*)$", text, re.M)}
    words = re.findall(r'"[^"]*"|[A-Za-z_][A-Za-z_0-9]*|\d+\.\.\d+|\d*\.?\d+(?:[eE][-+]?\d+)?|->|\S', re.sub("//.*", "", text))
    take = lambda *expected: [words.pop(0) for _ in expected] == list(expected) or sys.exit(f"no {expected} at {words[:5]}")
    take("dtmc", "module", "profile", "s", ":", "[")
    low, high = map(int, words.pop(0).split(".."))
    take("]", "init")
    first, rows, labels = int(words.pop(0)), {}, {}
    take(";")
    while words[0] == "[":
        take("[", "]", "s", "=")
        state, row = int(words.pop(0)), {}
        take("->")
        while True:
            probability = float(words.pop(0))
            take(":", "(", "s", "'", "=")
            to = int(words.pop(0))
            take(")")
            assert to not in row and low <= to <= high
            row[to] = probability
            if words.pop(0) == ";":
                break
        assert state not in rows and low <= state <= high
        rows[state] = row
    take("endmodule")
    while words:
        take("label")
        label = words.pop(0)
        assert re.fullmatch(r'"[A-Za-z_][A-Za-z_0-9]*"', label) and label not in ('"init"', '"deadlock"'), label
        take("=", "s", "=")
        assert label not in labels
        labels[label] = int(words.pop(0))
        take(";")
    assert first in rows and all(to in rows for row in rows.values() for to in row)
    assert all(abs(math.fsum(row.values()) - 1) <= 1e-5 for row in rows.values())  # PRISM's sumroundoff
    return first, rows, labels, comments


class Export(e2e.Case):
    HOSTILE = {"corridor_profile": 1, "name": 'p "q" // dtmc \\', "states": [
        "init", "deadlock", "0", "a b", "a_b", "a_b_4", "ende \u00e9", '"; endmodule //', "x\\n\u2028", "<&amp;>", "a,b"]}

    def hostile(self):
        content = dict(self.HOSTILE)
        states = content["states"]
        content["transitions"] = {name: {states[(i + 1) % len(states)]: 0.1, states[i]: 0.7, states[i - 1]: 0.2}
                                  for i, name in enumerate(states)}
        content["start"] = "a b"
        (self.folder / "hostile.json").write_text(e2e.json.dumps(content))
        return "hostile.json"

    def export(self, path, kind):
        return self.corridor("profile", "export", path, "--format", kind).stdout

    def profiles(self):
        """Path, states, matrix of the files themselves, and the first state where it is one."""
        for path in [*sorted((SOURCE / "profiles/library").glob("*.json")), self.folder / self.hostile()]:
            content = e2e.json.loads(path.read_text())
            states = content["states"]
            matrix = [[content["transitions"][a].get(b, 0) for b in states] for a in states]
            yield path, states, matrix, content.get("start", "stationary")

    def test_prism_reads_back_to_the_same_chain(self):
        for path, states, matrix, start in self.profiles():
            first, rows, labels, comments = parse_prism(self.export(path, "prism"))
            self.assertEqual([[rows[i].get(j, 0) for j in range(len(states))] for i in range(len(states))], matrix)
            self.assertEqual(list(labels.values()), list(range(len(states))))
            self.assertEqual([e2e.json.loads(comments[i]) for i in range(len(states))], states)
            if start in states:
                self.assertEqual((first, set(rows)), (states.index(start), set(range(len(states)))))
                continue
            law = e2e.json.loads(self.corridor("profile", "show", path, "--json").stdout)["states"]
            self.assertEqual(first, len(states))
            self.assertEqual([rows[first].get(i, 0) for i in range(len(states))], [state["start"] for state in law])

    def test_what_is_exported_is_read_back_by_ourselves(self):
        for path, states, matrix, _ in self.profiles():
            for form in "prism", "csv", "profile":
                (self.folder / "back").write_text(self.export(path, form))
                back, was = (e2e.json.loads(self.export(p, "json")) for p in ("back", path))
                self.assertEqual([back[k] for k in ("states", "probability", "start")], [was[k] for k in ("states", "probability", "start")], (path, form))
                self.assertEqual(was["probability"], matrix)

    def test_chains_of_other_tools_are_read(self):
        for name, text, states, rows in (
                ("a.tra", "3 4\n0 1 0.5\n0 2 0.5\n1 0 1\n2 2 1\n", ["0", "1", "2"], [[0, 0.5, 0.5], [1, 0, 0], [0, 0, 1]]),
                ("storm.tra", "dtmc\n0 1 0.5\n0 0 .5\n1 0 1\n", ["0", "1"], [[0.5, 0.5], [1, 0]]),
                ("a.csv", "from,to,probability\ncalm,wind,0.25\ncalm,calm,0.75\nwind,calm,1\n", ["calm", "wind"], [[0.75, 0.25], [1, 0]]),
                ("a.pm", """// weather\ndtmc\nmodule weather\n  x : [0..1] init 1;\n  [] x=0 -> 1/4 : (x'=1) + 0.75 : (x'=0);\n  [tick] (x=1) -> (x'=0);
endmodule\nlabel "wind" = (x=1);\n""", ["0", "wind"], [[0.75, 0.25], [1, 0]])):
            (self.folder / name).write_text(text)
            read = e2e.json.loads(self.export(name, "json"))
            self.assertEqual((read["states"], read["probability"]), (states, rows), name)
        for name, text, said in (
                ("b.tra", "2 2\n0 1 0.5\n0 0 x\n", 'b.tra:3: is no transition: "0 0 x"'), ("b.tra", "0 1 1\n", 'the probabilities from "1" sum to 0'),
                ("b.tra", "0 0 0.5\n0 0 0.5\n", 'b.tra:2: a transition stands twice'), ("b.tra", "0 70 1\n", 'there is no state "70"'),
                ("b.tra", "0 0 0 1\n", 'is no transition: "0 0 0 1"'), ("b.tra", "0 0 1.5\n", 'is no probability: "1.5"'),
                ("b.csv", "from,to,probability\na,b\n", 'b.csv:2: a row ends behind "b"'), ("b.csv", "from,to,probability\na,a,1,2\n", 'is no probability: "1"'),
                ("b.pm", "dtmc\nconst double p = 0.5;\nmodule m\n", 'b.pm:2: module is expected, not "const"'),
                ("b.pm", "dtmc\nmodule m\n x : [0..1];\n [] x=0 -> true;\nendmodule", 'b.pm:4: a number is expected, not "true;"'),
                ("b.pm", "dtmc\nmodule m\n x : [0..1];\n y : [0..1];\nendmodule", 'b.pm:4: endmodule is expected, not "y"')):
            (self.folder / name).write_text(text)
            self.assertIn(said, " ".join(self.corridor("profile", "show", name, code=3).stderr.split()), text)

    def test_a_chain_of_one_state_reads_back_from_prism(self):
        (self.folder / "one.json").write_text('{"corridor_profile": 1, "states": ["only"], "transitions": {"only": {"only": 1}}}')
        first, rows, labels, _ = parse_prism(self.export("one.json", "prism"))
        self.assertEqual((first, rows, labels), (0, {0: {0: 1.0}}, {'"only"': 0}))

    def test_labels_are_the_names_where_they_can_be(self):
        labels = list(parse_prism(self.export(self.hostile(), "prism"))[2])
        self.assertEqual(labels[:6], ['"init_0"', '"deadlock_1"', '"_0"', '"a_b"', '"a_b_4"', '"a_b_4_5"'])
        path = SOURCE / "profiles/library/biogas.json"
        self.assertIn('"from_121_5"', parse_prism(self.export(path, "prism"))[2])

    def test_csv_reads_back_to_the_same_arcs(self):
        for path, states, matrix, _ in self.profiles():
            rows = list(csv.DictReader(io.StringIO(self.export(path, "csv"), newline="")))
            arcs = {(row["from"], row["to"]): float(row["probability"]) for row in rows}
            self.assertEqual(len(arcs), len(rows))
            expected = {(a, b): p for a, row in zip(states, matrix) for b, p in zip(states, row) if p > 0}
            law = e2e.json.loads(self.corridor("profile", "show", path, "--json").stdout)["states"]
            expected.update({("", state["name"]): state["start"] for state in law if state["start"] > 0})
            self.assertEqual(arcs, expected)

    def test_json_reads_back_to_the_same_matrix(self):
        for path, states, matrix, _ in self.profiles():
            said = e2e.json.loads(self.export(path, "json"))
            law = e2e.json.loads(self.corridor("profile", "show", path, "--json").stdout)["states"]
            self.assertEqual((said["schema"], said["version"], said["states"], said["probability"]),
                             ("corridor-profile-matrix", 1, states, matrix))
            self.assertEqual(said["stationary"], [state["stationary"] for state in law])
            self.assertEqual(said["start"], [state["start"] for state in law])

    @unittest.skipUnless(shutil.which("dot"), "graphviz is not there")
    def test_dot_draws_every_state_and_arc(self):
        for path, states, matrix, _ in self.profiles():
            text = self.export(path, "dot")
            self.assertEqual(text, self.corridor("profile", "show", path, "--dot").stdout)
            done = e2e.subprocess.run(["dot", "-Kosage", "-Gsplines=line", "-Tsvg"], input=text, text=True, check=True, capture_output=True)
            root = xml.etree.ElementTree.fromstring(done.stdout)
            groups = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("class") in ("node", "edge")]
            titles = {(group.get("class"), group[0].text) for group in groups}
            self.assertEqual(titles, {("node", f"s{i}") for i in range(len(states))} |
                             {("edge", f"s{i}->s{j}") for i, row in enumerate(matrix) for j, p in enumerate(row) if p > 0})
            drawn = {group[0].text: group[2].text for group in groups if group.get("class") == "node"}
            for i, name in enumerate(states):
                self.assertEqual(drawn[f"s{i}"].replace("\xa0", " "), name)

    def test_a_file_holds_what_would_be_printed(self):
        path = SOURCE / "profiles/library/biogas.json"
        self.corridor("profile", "export", path, "--format", "prism", "-o", "p.prism")
        self.assertEqual((self.folder / "p.prism").read_text(), self.export(path, "prism"))
        self.corridor("profile", "export", path, "--format", "csv", "-o", "p.prism", code=4)
        self.corridor("profile", "export", path, "--format", "csv", "-o", "p.prism", "-f")
        self.assertEqual((self.folder / "p.prism").read_text(), self.export(path, "csv"))
        for words in ((), ("--format", "xml")):
            self.corridor("profile", "export", path, *words, code=2)
        self.corridor("profile", "export", "none.json", "--format", "dot", code=4)


class LongRun(e2e.Case):
    """What weighs by the long run begins where the walks do."""

    def test_two_ends_hold_what_the_start_brings_to_them(self):
        path = FIELD / "two_ends.json"
        shown = e2e.json.loads(self.corridor("profile", "show", path, "--json").stdout)
        law = {state["name"]: state["stationary"] for state in shown["states"]}
        self.assertEqual(law["begin"], 0)
        self.assertAlmostEqual(law["left"], 0.9, places=15)
        self.assertAlmostEqual(law["right"], 0.1, places=15)
        matrix = e2e.json.loads(self.corridor("profile", "export", path, "--format", "json").stdout)
        self.assertEqual(matrix["stationary"], list(law.values()))

    def test_what_cannot_be_reached_is_not_likely(self):
        self.corridor("run", FIELD / "island.json", "-o", "island.h5")
        sheets = e2e.json.loads(self.corridor("coverage", "island.h5", "--json").stdout)["sheets"]
        self.assertEqual(sheets["missed"]["rows"], [])
        for row in sheets["unseen"]["rows"]:
            self.assertEqual([row[key] for key in ("unseen_law", "transitions_unseen", "likely_unseen")], [0, 0, 0])
        covered = {row["measure"]: row["campaign_pct"] for row in sheets["covered"]["rows"]}
        for measure in ("reachable_states", "reachable_transitions", "likely_states", "state_mass", "transition_mass"):
            self.assertAlmostEqual(covered[measure], 100, places=9)


class Field(e2e.Case):
    """Dialects, times and gaps of real files: each row of profiles/tests/field has its right value here."""

    def fit(self, name, *words, code=0):
        return self.corridor("profile", "fit", FIELD / name, *words, code=code)

    def report(self, name, *words):
        return e2e.json.loads(self.fit(name, *words, "--json").stdout)

    def chain(self, *words):
        self.fit(*words, "-o", "p.json", "-f")
        return e2e.json.loads((self.folder / "p.json").read_text())["transitions"]

    def assert_counts(self, report, values, segments):
        self.assertEqual((report["fit"]["values"], report["fit"]["segments"]), (values, segments))
        self.assertEqual(report["fit"]["transitions"], values - segments)

    def test_newest_first_is_the_chain_of_oldest_first(self):
        words = "-c", "speed", "-t", "time", "--cuts", "3,7"
        chain = self.chain("newest_first.csv", *words)
        self.assertEqual(chain, self.chain("oldest_first.csv", *words))
        self.assertAlmostEqual(chain["below_3"]["3_to_7"], 0.782, places=3)
        self.assertAlmostEqual(chain["from_7"]["below_3"], 0.747, places=3)
        self.assertIn("newest first", " ".join(self.report("newest_first.csv", *words)["fit"]["reading"]))
        self.assertNotIn("reading", self.report("oldest_first.csv", *words)["fit"])

    def test_a_hole_in_the_times_is_a_gap(self):
        words = "-c", "level", "-t", "day", "--cuts", "5"
        split = self.report("missing_days.csv", *words, "--split-gaps")
        self.assert_counts(split, 40, 2)
        self.assertNotIn("from_5", split["fit"]["transition_counts"]["below_5"])
        whole = self.report("missing_days.csv", *words)
        self.assert_counts(whole, 40, 1)
        for report in (split, whole):
            self.assertIn("between 2022-01-20 (line 21) and 2022-07-01 (line 22)", report["fit"]["reading"][0])

    def test_stations_one_below_the_other_are_told(self):
        words = "-c", "speed", "-t", "time", "--cuts", "4"
        said = self.fit("two_stations.csv", *words, code=3).stderr
        self.assertIn("two_stations.csv:62: time goes back from 2023-03-03 11:00 (line 61) to 2023-03-01 00:00", said)
        report = self.report("two_stations.csv", *words, "--series", "station")
        self.assert_counts(report, 120, 2)
        self.assertEqual(report["fit"]["transition_counts"], {"below_4": {"below_4": 59}, "from_4": {"from_4": 59}})
        for station, low in (("north", 1), ("south", 7)):
            report = self.report("two_stations.csv", *words[:-1], low + 0.5, "--where", f"station={station}")
            self.assert_counts(report, 60, 1)
        self.assertIn("no values", self.fit("two_stations.csv", *words, "--where", "station=east", code=3).stderr)
        self.assertIn("station=north", self.fit("two_stations.csv", *words, "--where", "station", code=3).stderr)

    def test_readings_that_come_late_are_of_their_slots(self):
        report = self.report("jitter.csv", "-c", "state", "-t", "changed", "-k", "3")
        self.assertEqual(report["season"], {"steps": 96, "from": "time column", "step_seconds": 900.0, "step_minutes": 15})
        self.assertEqual(report["fit"]["irregular_steps"], 0)
        self.assertIn("479 of 479 steps are up to 0.89 seconds shorter or longer than 15 minutes", report["fit"]["reading"][0])

    def test_a_log_of_changes_needs_its_step(self):
        words = "-c", "state", "-t", "changed"
        refused = self.fit("on_change.csv", *words, code=3).stderr
        self.assertIn("on_change.csv: its rows are changes, not equal steps: 108 of 119 steps are uneven", refused)
        self.assertIn("such as --every 5min", refused)
        with open(FIELD / "on_change.csv", encoding="utf-8") as file:
            rows = [(datetime.datetime.fromisoformat(row["changed"][:-1]), row["state"]) for row in csv.DictReader(file)]
        for every, text in ((600, "10min"), (90, "1.5 min"), (3600, "1h"), (86400, "1 d"), (0.25, "250ms")):
            step = datetime.timedelta(seconds=every)
            start = datetime.datetime(2023, 3, 1)
            first = -((start - rows[0][0]) // step)
            slots = [start + k * step for k in range(first, (rows[-1][0] - start) // step + 1)]
            times = [time for time, _ in rows]
            held = [rows[bisect.bisect_right(times, slot) - 1][1] for slot in slots]
            counts = collections.Counter(zip(held, held[1:]))
            if len(set(held)) < 2:
                continue
            report = self.report("on_change.csv", *words, "--every", text)
            self.assert_counts(report, len(held), 1)
            self.assertEqual(report["season"]["step_seconds"], every)
            self.assertEqual({(a, b): n for a, row in report["fit"]["transition_counts"].items() for b, n in row.items()}, dict(counts))
        for text in ("10", "10 m", "0s", "-5min", "1e3 s", "400d", "min", ""):
            self.assertIn("--every takes a time", self.fit("on_change.csv", *words, f"--every={text}", code=2).stderr)
        self.assertIn("--time-column", self.fit("on_change.csv", "-c", "state", "--every", "1h", code=2).stderr)
        self.assert_counts(self.report("on_change.csv", "-c", "state"), 120, 1)  # changes, one by one
        # the only value is between two steps, and what holds at them is no value
        (self.folder / "between.csv").write_text("t,x\n2023-03-01 00:01:00,\"a b\"\n2023-03-01 01:01,4\n")
        self.assertIn("none of its values holds when a step begins",
                      self.corridor("profile", "fit", "between.csv", "-c", "x", "-t", "t", "--every", "10min", "--split-gaps", code=3).stderr)

    def test_forms_of_cells_that_spreadsheets_and_loggers_write(self):
        for name, words, values, step in (
                ("hour_ending", "-c load -t date -t hour", 96, 3600), ("settlement_period", "-c load -t date -t period --period 30min", 192, 1800),
                ("epoch_seconds", "-c flow -t time", 96, 3600), ("excel_serial", "-c Flow -t Date --time-format excel", 96, 3600),
                ("two_digit_year", "-c flow -t time", 480, 3600), ("month_names", "-c flow -t date", 96, 86400),
                ("after_midnight", "-c load -t time", 60, 300), ("unit_in_cells", "-c temperature -t time", 96, 3600),
                ("hour_2a", "-c price -t time", 73, 3600), ("flagged", "-c flow -t date", 96, 86400), ("minus", "-c flow -t time", 96, 3600),
                ("equals", "-c flow -t time", 96, 3600), ("wide", "-c load -t date --wide", 672, 1800)):
            with self.subTest(name):
                report = self.report(name + ".csv", *words.split(), "-k", "3")
                self.assert_counts(report, values, 1)
                self.assertEqual((report["season"]["step_seconds"], report["fit"]["irregular_steps"]), (step, 0))
        for name, words, values, months in (("year_month", "-c tmax -t yyyy -t mm", 120, 1), ("quarters", "-c flow -t quarter", 60, 3)):
            report = self.report(name + ".csv", *words.split(), "-k", "3")
            self.assert_counts(report, values, 1)
            self.assertEqual((report["season"]["step_months"], report["fit"]["irregular_steps"]), (months, 0))
        self.assertEqual(self.report("flagged.csv", "-c", "flow", "-t", "date", "-k", "3", "--skip-flagged", "--split-gaps")["fit"]["values"], 72)
        with open(FIELD / "minus.csv", encoding="utf-8") as file:
            below = sum(row["flow"].startswith("\u2212") for row in csv.DictReader(file))
        counts = self.report("minus.csv", "-c", "flow", "-t", "time", "--cuts", "0")["fit"]
        self.assertGreater(below, 0)
        self.assertEqual(counts["states"]["below_0"]["count"], below)
        for name, words, code, said in (
                ("excel_serial", "-c Flow -t Date", 3, "--time-format excel"), ("settlement_period", "-c load -t date -t period", 3, "--period 30min"),
                ("epoch_seconds", "-c flow -t time --time-format seconds", 2, 'excel-1904, jd, mjd, matlab, decimal-year, or a format with %'),
                ("epoch_seconds", "-c flow -t time --time-format %Y", 3, '"1677628800" is no time as --time-format says'),
                ("settlement_period", "-c load -t date -t period --period 30", 2, "--period takes a time"),
                ("wide", "-c 00:00 -c 00:30 -t date --wide", 2, "--wide takes one column"), ("wide", "-c load --wide", 2, "--time-column")):
            self.assertIn(said, " ".join(self.fit(name + ".csv", *words.split(), "-k", "3", code=code).stderr.split()))

    def drawn(self, write, words="-c flow -t time", head="time,flow", step=datetime.timedelta(hours=1), start=datetime.datetime(2023, 3, 1),
              sep=",", value="{:.1f}".format, before="", behind="", count=96, encoding="utf-8", code=0):
        """A table of times that `write` writes, and of values 1.0, 1.7, 2.4, ..; its report, or what is refused."""
        rows = [f"{write(start + i * step)}{sep}{value(1 + i * 7 % 80 / 10)}\n" for i in range(count)]
        (self.folder / "drawn.csv").write_bytes((before + head + "\n" + "".join(rows) + behind).encode(encoding))
        words = words.split() if isinstance(words, str) else words
        done = self.corridor("profile", "fit", "drawn.csv", *words, "--cuts", "5", "--json", code=code)
        return " ".join(done.stderr.split()) if code else e2e.json.loads(done.stdout)

    def assert_drawn(self, report, seconds=3600, months=None, said=(), count=96):
        self.assert_counts(report, count, 1)
        self.assertEqual((report["season"].get("step_seconds"), report["season"].get("step_months")), (None if months else seconds, months))
        self.assertEqual(report["fit"]["irregular_steps"], 0)
        values = [1 + i * 7 % 80 / 10 for i in range(count)]
        self.assertEqual(report["fit"]["states"]["below_5"]["count"], sum(value < 5 for value in values))
        reading = " ".join(report["fit"].get("reading", []))
        for words in [said] if isinstance(said, str) else said:
            self.assertIn(words, reading)

    def test_times_of_more_forms(self):
        """Each against the clock of Python's library; what is guessed is said."""
        def form(text):
            return lambda time: time.strftime(text)
        day, week = datetime.timedelta(days=1), datetime.timedelta(days=7)
        month = [datetime.datetime(2000 + i // 12, i % 12 + 1, 1) for i in range(96)]
        def number(time):  # drawn() steps by days: the n-th month
            return month[(time - datetime.datetime(2023, 3, 1)).days]
        berlin, new_york = zoneinfo.ZoneInfo("Europe/Berlin"), zoneinfo.ZoneInfo("America/New_York")
        utc = datetime.timezone.utc
        for write, step, said in (
                (form("%G-W%V-%u"), day, ""), (form("%G-W%V"), week, ""), (form("%GW%V"), week, ""), (form('"%a, %d %b %Y %H:%M:%S +0000"'), None, ""),
                (form("%a %b %d %H:%M:%S %Y"), None, ""), (form("%a %b %d %H:%M:%S UTC %Y"), None, ""), (form("%d/%b/%Y:%H:%M:%S +0100"), None, ""),
                (form("%A %Y-%m-%d %H:%M"), None, ""), (form("%d.%m.%Y %H:%M Uhr"), None, ""), (form("%d.%m.%Y %H.%M"), None, "a point between hours and minutes"),
                (form("%d.%m.%Y %I %p"), None, ""), (form("%d-%b-%y %I.%M.%S.000000 %p"), None, "years of 1969 to 2068"), (form("%Y\u5e74%m\u6708%d\u65e5 %H:%M"), None, ""),
                (form("%d de marzo de %Y"), day, ""), (form("%Y-%m-%d_%H:%M:%S"), None, ""), (form("%Y-%m-%d-%H-%M-%S"), None, ""), (form("%Y:%m:%d %H:%M:%S"), None, ""),
                (form("%Y\u2013%m\u2013%d %H:%M"), None, ""), (form("%H:%M %d.%m.%Y"), None, ""), (form("%Y-%m-%d %H%M"), None, "hours and minutes without a sign"),
                (form("%Y-%m-%d %H:%M UTC+1"), None, ""), (form("%Y-%m-%d %H:%M:%S GMT+0100"), None, ""), (form("%Y-%m-%dT%H:%M+01:00[Europe/Berlin]"), None, ""),
                (lambda time: f"{time:%d.%m.%Y} {time.hour:02}:00-{(time.hour + 1) % 24:02}:00", None, ""), (lambda time: f"{time:%Y-%m-%d} HE{time.hour + 1:02}", None, "")):
            with self.subTest(write(datetime.datetime(2023, 3, 1))):
                count = 31 if "marzo" in write(datetime.datetime(2023, 3, 1)) else 96
                report = self.drawn(write, step=step or datetime.timedelta(hours=1), count=count)
                self.assert_drawn(report, (step or datetime.timedelta(hours=1)).total_seconds(), said=said, count=count)
        for write, months in ((lambda time: f"{number(time):%b-%y}", 1), (lambda time: f"{number(time):%m/%Y}", 1), (lambda time: f"{number(time):%YM%m}", 1)):
            self.assert_drawn(self.drawn(write, step=day), months=months)
        for words, head, write, months in (
                ("-c flow -t year -t month", "year,month,flow", lambda t: f"{number(t):%Y},{number(t):%b}", 1),
                ("-c flow -t year -t quarter", "year,quarter,flow", lambda t: f"{1950 + (t - datetime.datetime(2023, 3, 1)).days // 4},{(t - datetime.datetime(2023, 3, 1)).days % 4 + 1}", 3),
                ("-c flow -t year", "year,flow", lambda t: f"{1900 + (t - datetime.datetime(2023, 3, 1)).days}", 12),
                ("-c flow -t half", "half,flow", lambda t: f"{1950 + (t - datetime.datetime(2023, 3, 1)).days // 2}-H{(t - datetime.datetime(2023, 3, 1)).days % 2 + 1}", 6)):
            self.assert_drawn(self.drawn(write, words, head, day), months=months)
        for words, head, write, step in (
                ("-c flow -t year -t week", "year,week,flow", form("%G,%V"), week), ("-c flow -t date -t hhmm", "date,hhmm,flow", lambda t: f"{t:%Y-%m-%d},{t.hour * 100}", None),
                ("-c flow -t year -t doy -t hhmm", "year,doy,hhmm,flow", lambda t: f"{t:%Y},{t:%j},{t.hour * 100}", None),
                ("-c flow -t year -t doy", "year,doy,flow", lambda t: f"{t:%Y},{int(t.strftime('%j')) + t.hour / 24:.6f}", None),
                ("-c flow -t y -t m -t d -t h -t mi -t s", "y,m,d,h,mi,s,flow", lambda t: f"{t.year},{t.month},{t.day},{t.hour},{t.minute},{t.second}", None),
                ("-c flow -t time -t date", "time,date,flow", form("%H:%M,%Y-%m-%d"), None), ("-c flow -t date -t time", "date,time,flow", lambda t: f"{t:%d.%m.%Y},{t.hour} - {t.hour + 1}", None),
                ("-c flow -t date -t time", "date,time,flow", lambda t: (f"{t:%Y-%m-%d}" if t.hour == 0 else "") + f",{t:%H:%M}", None),
                ("-c flow -t date -t p --period 60min", "date,p,flow", lambda t: f"{t:%Y-%m-%d},SP{t.hour + 1}", None)):
            self.assert_drawn(self.drawn(write, words, head, step or datetime.timedelta(hours=1)), (step or datetime.timedelta(hours=1)).total_seconds())
        # where clocks change: the hour that comes twice, in forms that mark it and forms that do not
        for zone, start in ((berlin, datetime.datetime(2023, 10, 28, 3)), (new_york, datetime.datetime(2023, 11, 4, 7))):
            for mark, said in (("", "set back"), ("*", "comes twice"), (" B", "comes twice"), (" " + zone.key, "not looked up")):
                def write(time, zone=zone, mark=mark):
                    local = time.replace(tzinfo=utc).astimezone(zone)
                    return f"{local:%Y-%m-%d %H:%M}" + (mark if local.fold or "/" in mark else "")
                self.assert_drawn(self.drawn(write, start=start, count=60), said=said, count=60)
        ahead = self.drawn(lambda time: f"{time.replace(tzinfo=utc).astimezone(berlin):%Y-%m-%d %H:%M}", start=datetime.datetime(2023, 3, 25), count=60)
        self.assertIn("between 2023-03-26 01:00 (line 26) and 2023-03-26 03:00 (line 27)", " ".join(ahead["fit"]["reading"]))
        # counts: refused with what they may be, read where it is said
        epoch = datetime.datetime(1970, 1, 1)
        for name, days in (("excel", 25569), ("excel-1904", 24107), ("jd", 2440587.5), ("mjd", 40587), ("matlab", 719529)):
            write = lambda time, days=days: f"{(time - epoch) / day + days:.7f}"
            self.assertIn(name, self.drawn(write, code=3))
            self.assert_drawn(self.drawn(write, f"-c flow -t time --time-format {name}"))
        self.assert_drawn(self.drawn(lambda time: f"{(time - epoch) / day + 25569:.7f}".replace(".", ","), "-c flow -t time --time-format excel", "time;flow", sep=";"))
        for write, said in ((form("%Y%j"), "%Y%j"), (form("%d%m%Y"), "%d%m%Y"), (form("%y%m%d%H%M"), "%y%m%d%H%M"), (form("%Y"), "%Y (a year)"), (form("%Y%m"), "%Y%m"),
                            (form("%Y-%m-%d %H:%M IST"), 'the zone "IST" behind a time is not known, or is several'), (form("%b"), "neither a time nor a date"),
                            (lambda time: (time - epoch).seconds, "--time-format epoch (seconds since 1970, or since whatever it began with)")):
            self.assertIn(said, self.drawn(write, code=3))

    def test_cells_and_files_of_more_forms(self):
        """Encodings, signs, units, comments, totals, tables as programs print them."""
        def hour(time):
            return f"{time:%Y-%m-%d %H:%M}"
        text = "time,flow\n" + "".join(f"2023-03-0{1 + i // 24} {i % 24:02}:00,{1 + i * 7 % 80 / 10:.1f}\n" for i in range(96))
        for encoding in ("utf-16", "utf-8-sig"):
            self.assert_drawn(self.drawn(hour, encoding=encoding), said="UTF-16" if encoding == "utf-16" else ())
        self.assert_drawn(self.drawn(hour, before="\ufeff", encoding="utf-16-be"), said="UTF-16")
        self.assertIn("say --encoding utf-16le, which it seems to be", self.drawn(hour, encoding="utf-16-le", code=3))
        self.assert_drawn(self.drawn(hour, "-c flow -t time --encoding utf-16le", encoding="utf-16-le"))
        for value, said in (
                ("${:.1f}", "are in $"), ("\u20ac {:.1f}", "are in \u20ac"), ("EUR {:.1f}", "are in EUR"), ("{:.1f} m\u00b3/s", "are in m\u00b3/s"), ("'{:.1f}", ""), ("+{:.1f}", ""),
                ('="{:.1f}"', ""), ("{:.1f} (e)", "are in (e)"), ("{:.1f}[e]", "are in [e]")):
            with self.subTest(value):
                self.assert_drawn(self.drawn(hour, value=value.format), said=said)
        self.assert_drawn(self.drawn(hour, value=lambda v: f"{v:.1E}".replace("E", "D")))
        self.assert_drawn(self.drawn(hour, value=lambda v: f'"{v:.1f}"'.replace(".", ",")), said="decimal comma")
        self.assert_drawn(self.drawn(hour, value=lambda v: f"{v:.1f}" + " [e]" * (v > 5)), said="bear a flag")
        for value in ("({:.1f})", "{:.1f}-", "-{:.1f}", "\u2212{:.1f}", "(${:.1f})", "-${:.1f}"):
            with self.subTest(value):
                report = self.drawn(hour, value=lambda v, value=value: (value if v < 5 else value.strip("(-)\u2212")).format(v))
                self.assert_drawn(report, said="below 0" if value[0] in "({" else ())
                self.assertLess(report["fit"]["states"]["below_5"]["mean"], 0)
        for value, said in (('"{:.3f}"', "parts thousands or begins a fraction"), ("0x{:.0f}", "is not a number"), ("<{:.1f}", "is a bound"), ("{:.1f}-9", "is not a number")):
            self.assertIn(said, self.drawn(hour, value=lambda v, value=value: value.format(v).replace(".", ",") if '"' in value else value.format(v), code=3))
        for before, behind, said in (
                ("% a\n% b\n", "% c\n", "begin with % are comments"), ("; a\n", "", "begin with ; are comments"), ("// a\n", "// b\n", "begin with // are comments"), ("", "# end\n", "line 98 begins with #"),
                ("", "Total,480.3\n", "line 98 sums up"), ("", "\nMean:,4\nStd Dev,1\n", "line 100 sums up"), ("", "(96 rows)\n", "line 98 is no row"), ("", "\x1a", ""), ("sep=,\n", "", "stand in line 2")):
            with self.subTest(before + behind):
                self.assert_drawn(self.drawn(hour, before=before, behind=behind), said=said)
        for head in ("#time,flow", "# time,flow", "time,flow\nUTC,m3/s", "time,flow\n[UTC],[m3/s]\n20d,12n", "TOA5,CR1000\ntime,flow\nTS,m3/s\n,Avg"):
            self.assert_drawn(self.drawn(hour, head=head))
        rows = text.replace(",", " | ").splitlines()
        (self.folder / "psql.csv").write_text("\n".join([f" {rows[0]}", "-------+------"] + [f" {row}" for row in rows[1:]]) + "\n(96 rows)\n")
        (self.folder / "mysql.csv").write_text("\n".join(["+------+----+", f"| {rows[0]} |", "+------+----+"] + [f"| {row} |" for row in rows[1:]] + ["+------+----+"]) + "\n")
        (self.folder / "page.md").write_text("\n".join([f"| {rows[0]} |", "|------|:---|"] + [f"| {row} |" for row in rows[1:]]) + "\n")
        for name in ("psql.csv", "mysql.csv", "page.md"):
            self.assert_drawn(e2e.json.loads(self.corridor("profile", "fit", name, "-c", "flow", "-t", "time", "--cuts", "5", "--json").stdout), said="is no row")
        for begin, said in ((b"PK\x03\x04", "ZIP archive"), (b"\xd0\xcf\x11\xe0", "workbook of Excel"), (b"\x1f\x8b", "gunzip"), (b"PAR1", "Parquet"), (b'{"time": 1}', "is JSON"), (b"<?xml", "is XML")):
            (self.folder / "other.csv").write_bytes(begin + bytes(30))
            self.assertIn(said, self.corridor("profile", "fit", "other.csv", "-c", "flow", code=3).stderr)
        # wide: months and days behind years and months, ranges, halves of a day
        value = [f"{1 + i * 7 % 80 / 10:.1f}" for i in range(96)]
        for head, words, rows, months in (
                ("year," + ",".join(f"{datetime.date(2023, m, 1):%b}" for m in range(1, 13)), "-t year", [(2000 + y, value[12 * y:12 * y + 12]) for y in range(8)], 1),
                ("year," + ",".join(map(str, range(1, 13))), "-t year", [(2000 + y, value[12 * y:12 * y + 12]) for y in range(8)], 1),
                ("year,Q1,Q2,Q3,Q4,Sum", "-t year", [(2000 + y, value[4 * y:4 * y + 4] + ["99"]) for y in range(24)], 3),
                ("date," + ",".join(f"{h:02}:00-{h + 1:02}:00" for h in range(24)), "-t date", [(f"2023-03-0{d + 1}", value[24 * d:24 * d + 24]) for d in range(4)], None),
                ("date," + ",".join(f"{datetime.time(h):%I %p}" for h in range(24)), "-t date", [(f"2023-03-0{d + 1}", value[24 * d:24 * d + 24]) for d in range(4)], None),
                ("date," + ",".join(f"HE{h:02}" for h in range(1, 25)) + ",Total", "-t date", [(f"2023-03-0{d + 1}", value[24 * d:24 * d + 24] + ["9"]) for d in range(4)], None)):
            (self.folder / "wide.csv").write_text(head + "\n" + "".join(f"{row},{','.join(cells)}\n" for row, cells in rows))
            report = e2e.json.loads(self.corridor("profile", "fit", "wide.csv", "-c", "flow", "--wide", *words.split(), "--cuts", "5", "--json").stdout)
            self.assert_drawn(report, months=months)
        length = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        (self.folder / "wide.csv").write_text("year,month," + ",".join(map(str, range(1, 32))) + "\n" + "".join(
            f"2023,{m + 1}," + ",".join(str(d % 9) if d < length[m] else "" for d in range(31)) + "\n" for m in range(12)))
        report = e2e.json.loads(self.corridor("profile", "fit", "wide.csv", "-c", "flow", "--wide", "-t", "year", "-t", "month", "--cuts", "5", "--json").stdout)
        self.assertEqual((report["fit"]["values"], report["season"]["step_seconds"], report["fit"]["irregular_steps"]), (365, 86400, 0))
        for first, said in ((0, 'column "0" is no day of a month (--wide)'), (1, "columns name days up to 24, and a month has 28 at least (--wide)")):  # hours
            (self.folder / "wide.csv").write_text("year,month," + ",".join(map(str, range(first, first + 24))) + "\n" + "".join(
                f"2023,{m}," + ",".join("123456789012345678901234") + "\n" for m in range(1, 13)))
            self.assertIn(said, self.corridor("profile", "fit", "wide.csv", "-c", "flow", "--wide", "-t", "year", "-t", "month", "--cuts", "5", code=3).stderr)

    def test_tables_that_follow_each_other_are_named(self):
        words = "-c", "value", "-t", "time", "-k", "3"
        self.assertIn("two_tables.csv:53:1: another table begins in line 53\n", self.fit("two_tables.csv", *words, code=3).stderr)
        for rows, said in (("2023-03-01 00:00,6.3\n01.03.2023 48:00,n.v.", '"01.03.2023 48:00" is neither a time nor a date'),):
            (self.folder / "none.csv").write_text(f"time,value\n{rows}\n")  # what cannot be read is no line of names
            refused = self.corridor("profile", "fit", "none.csv", *words, code=3).stderr
            self.assertNotIn("another table", refused)
            self.assertIn(said, refused)
        for table in "01":
            self.assert_counts(self.report("two_tables.csv", *words, "--where", f"table={table}"), 48, 1)
        self.assert_counts(self.report("two_tables.csv", *words, "--series", "table"), 96, 2)
        rows = [f"2023-03-01T{hour:02}:00:00Z,{hour % 3}" for hour in range(24)]
        for gap in ("", "\n", "\r\n", " \n\n", ",\n"):
            text = "time,value\n" + "\n".join(rows[:12]) + "\n" + gap
            (self.folder / "one.csv").write_text(text + "\n".join(rows[12:]) + "\n")
            words = "profile", "fit", "one.csv", "-c", "value", "-t", "time", "--cuts", "1"
            self.assert_counts(e2e.json.loads(self.corridor(*words, "--json").stdout), 24, 1)
            for name, more in (("names again", "time,value\n"), ("others", "time,level,unit\n"), ("a word", "when\n")):
                with self.subTest(name, gap=gap):
                    (self.folder / "one.csv").write_text(text + more + "\n".join(rows[12:]) + "\n")
                    line = text.count("\n") + 1
                    self.assertIn(f"another table begins in line {line}\n", self.corridor(*words, code=3).stderr)

    def test_a_value_that_stands_for_none_can_be_named(self):
        words = "-c", "temperature", "-t", "time", "-k", "3"
        self.assertIn("say --missing -9999", " ".join(self.report("sentinel.csv", *words)["fit"]["reading"]))
        report = self.report("sentinel.csv", *words, "--missing", "-9999", "--split-gaps")
        self.assertEqual((report["fit"]["values"], report["fit"]["gaps"]), (220, 20))
        self.assertNotIn("reading", report["fit"])
        self.assertTrue(all(-3 <= state["mean"] <= 3 for state in report["fit"]["states"].values()))
        self.assertIn('"-9999" is no value, as --missing says', self.fit("sentinel.csv", *words, "--missing", "-9999.0", code=3).stderr)

    def test_words_are_gaps(self):
        report = self.report("text_gap.csv", "-c", "flow", "--split-gaps", "-k", "3")
        self.assert_counts(report, 117, 3)
        self.assertEqual(report["fit"]["gaps"], 3)
        (self.folder / "first.csv").write_text("time,flow\n2023-03-01,Ice\n2023-03-02,1\n2023-03-03,2\n")
        words = "profile", "fit", "first.csv", "-c", "flow", "-t", "time", "--cuts", "1.5"
        self.assertIn('first.csv:2:12: "Ice" is not a number', self.corridor(*words, code=3).stderr)
        self.assertEqual(e2e.json.loads(self.corridor(*words, "--split-gaps", "--json").stdout)["fit"]["gaps"], 1)
        for word in ("", "nan", "NA", "null", "NULL", "None", "n/a", "N/A", "#N/A", "-", "--", ".", "Ice", '" "'):
            (self.folder / "words.csv").write_text(f"n,x\n1,1\n2,2\n3,{word}\n4,1\n5,2\n")
            words = "words.csv", "-c", "x", "--cuts", "1.5"
            self.assertIn("words.csv:4:3", self.corridor("profile", "fit", *words, code=3).stderr)
            report = e2e.json.loads(self.corridor("profile", "fit", *words, "--split-gaps", "--json").stdout)
            self.assert_counts(report, 4, 2)

    def test_dialects_are_read_and_what_is_guessed_is_said(self):
        report = self.report("semicolon.csv", "-c", "Last", "-k", "3")
        self.assert_counts(report, 192, 1)
        self.assertEqual(report["fit"]["reading"], ["Read: fields are separated by semicolons.",
            "Read: numbers have a decimal comma, such as 1090,682 in line 2, which is 1090.68."])
        said = self.report("semicolon.csv", "-c", "Last", "-k", "3", "--separator", "semicolon", "--decimal", "comma")
        self.assertEqual({**said["fit"], "reading": []}, {**report["fit"], "reading": []})
        self.assertNotIn("reading", said["fit"])
        report = self.report("preamble.csv", "-c", "speed", "-k", "3")
        self.assert_counts(report, 96, 1)
        self.assertIn("in line 4", report["fit"]["reading"][0])
        self.assertIn("line 5", report["fit"]["reading"][1])
        self.assertIn("line 103", report["fit"]["reading"][2])
        said = self.report("preamble.csv", "-c", "speed", "-t", "time", "-k", "3", "--header", "4", "--skip", "1", "--comment", "speed:")
        self.assert_counts(said, 96, 1)
        self.assertIn("preamble.csv:4:1: there is no column", self.fit("preamble.csv", "-c", "spead", "-k", "3", "--header", "4", code=3).stderr)

    def test_published_formats_are_fitted_or_refused_with_the_right_words(self):
        def number(text):
            return None if text in ("", "M", "Ice", "-999", "-999.0") else float(text)

        def cells(name, separator, column, first):
            rows = (FORMATS / name).read_text().splitlines()[first:]
            return [number(row.split(separator)[column].strip(' "')) for row in rows]

        formats = {  # arguments; what stands in the file, by a reader of our own; the step in seconds
            "metar.csv": (("-c", "tmpf", "-t", "valid", "--missing", "M"), cells("metar.csv", ",", 2, 3), 3600),
            "isd_lite_named.txt": (("-c", "temp", "-t", "year", "-t", "month", "-t", "day", "-t", "hour"), cells("isd_lite_named.txt", None, 4, 1), 3600),
            "dwd.txt": (("-c", "TT_TU", "-t", "MESS_DATUM", "--missing", "-999"), cells("dwd.txt", ";", 3, 1), 3600),
            "usgs.rdb": (("-c", "99_00060", "-t", "datetime"), cells("usgs.rdb", "\t", 4, 5), 900),
            "entsoe.csv": (("-c", "Actual Total Load [MW] - made up", "-t", "Time (CET/CEST)"), cells("entsoe.csv", ",", 2, 1), 3600),
            "tmy3.csv": (("-c", "Dry-bulb (C)", "-t", "Date (MM/DD/YYYY)", "-t", "Time (HH:MM)"), cells("tmy3.csv", ",", 3, 2), 3600),
            "bom.csv": (("-c", "Rainfall amount (millimetres)", "-t", "Year", "-t", "Month", "-t", "Day"), cells("bom.csv", ",", 5, 1), 86400),
            "pegelonline.csv": (("-c", "value", "-t", "timestamp"), cells("pegelonline.csv", ";", 1, 1), 900),
            "boerse.csv": (("-c", "Umsatz", "-t", "Datum", "-t", "Zeit"),
                           [float(row.split(";")[2].replace(".", "").replace(",", ".")) for row in (FORMATS / "boerse.csv").read_text().split()[1:]], 3600),
            "old_mac.csv": (("-c", "Turnover", "-t", "Date", "-t", "Time"),
                            [float(row.split('"')[1].replace(",", "")) for row in (FORMATS / "old_mac.csv").read_text().split()[1:]], 3600)}
        for name, (words, values, step) in formats.items():
            report = e2e.json.loads(self.corridor("profile", "fit", FORMATS / name, *words, "-k", "3", "--split-gaps", "--json").stdout)
            there = [value for value in values if value is not None]
            segments = sum(value is not None and (i == 0 or values[i - 1] is None) for i, value in enumerate(values))
            self.assertGreater(len(there), 90, name)
            self.assert_counts(report, len(there), segments)
            states = report["fit"]["states"].values()
            self.assertAlmostEqual(sum(state["mean"] * state["count"] for state in states) / sum(there), 1, 9, name)
            self.assertEqual((report["season"]["step_minutes"], report["fit"]["irregular_steps"]), (step // 60, 0), name)
        for name, column in ("isd_lite.txt", "temp"), ("access.log", "bytes"):
            said = self.corridor("profile", "fit", FORMATS / name, "-c", column, "-k", "3", code=3).stderr
            self.assertIn(f'{name}:1:1: there is no column "{column}", and the line has values, no names', said)
            self.assertIn("put a line of names in front", said)

    def test_thousands_are_told_from_fractions(self):
        def read(cells, *words, cut=1000, code=0):
            rows = "\n".join(f"{i};{cell}" for i, cell in enumerate(cells))
            (self.folder / "t.csv").write_text(f"n;x\n{rows}\n")
            done = self.corridor("profile", "fit", "t.csv", "-c", "x", "--cuts", cut, "--json", *words, code=code)
            if code:
                return done.stderr
            fit = e2e.json.loads(done.stdout)["fit"]
            return sum(state["mean"] * state["count"] for state in fit["states"].values()) / len(cells), fit["reading"]

        for cells in (["1,234.5", "999", "12,000"], ["1.234,5", "999", "12.000"], ["1 234.5", "999,0", "12 000"], ["1'234.5", "999", "12'000"],
                      ["1\u00a0234,5", "999", "12\u202f000"], ["12.000", "999", "1.234,5"]):
            if cells[1] == "999,0":
                self.assertIn('"999,0" is not a number', read(cells, code=3))
                continue
            mean, reading = read(cells)
            self.assertAlmostEqual(mean, (1234.5 + 999 + 12000) / 3, 6, cells)
            self.assertIn("between thousands, such as", " ".join(reading))
        mean, reading = read(["1,234", "5,678"], cut=3)  # a guess, and said with what else it can be
        self.assertAlmostEqual(mean, 3.456)
        self.assertIn("which is 1.234 (--thousands comma, if the comma parts thousands)", reading[-1])
        self.assertEqual(read(["1,234", "5,678"], "--thousands", "comma", cut=3000)[0], 3456)
        self.assertIn('t.csv:3:3: "1.234,5" parts its thousands otherwise than numbers before', read(["1,234.5", "1.234,5"], code=3))
        self.assertIn('t.csv:3:3: "1,23" has no three digits behind ","', read(["1,234.5", "1,23"], code=3))
        for wrong in ("1,2345", "12,34,567", ",123", "1,,234"):
            self.assertIn("t.csv:3:3: ", read(["1,234.5", wrong], code=3), wrong)

    def test_each_option_of_several_values_has_its_own(self):
        (self.folder / "s.csv").write_text("d,h,s,x\n" + "".join(f"2023-03-{i + 1:02},07:00,{'ab'[i % 2]},{-9 if i == 4 else i // 2 % 4}\n" for i in range(20)))
        words = "--where", "s=a", "-t", "d", "--missing", "-9", "-t", "h", "--missing", "0"
        report = e2e.json.loads(self.corridor("profile", "fit", "s.csv", "-c", "x", "--cuts", "1.5", "--split-gaps", "--json", *words).stdout)
        self.assertEqual((report["fit"]["values"], report["fit"]["gaps"]), (6, 4))

    def test_forms_of_times(self):
        for name in ("compact", "dots", "zone"):
            report = self.report(f"stamps_{name}.csv", "-c", "speed", "-t", "time", "-k", "3")
            self.assert_counts(report, 96, 1)
            self.assertEqual(report["season"], {"steps": 24, "from": "time column", "step_seconds": 3600, "step_minutes": 60})
            self.assertEqual(report["fit"]["irregular_steps"], 0)
        report = self.report("ten_seconds.csv", "-c", "power", "-t", "time", "-k", "3")
        self.assertEqual((report["season"]["step_seconds"], report["fit"]["irregular_steps"]), (10, 0))
        self.assertNotIn("step_minutes", report["season"])

    def test_what_is_not_utf_8_is_told_by_its_place(self):
        words = "-c", "Temp\u00e9rature \u00b0C", "-k", "3"
        said = self.fit("latin1.csv", *words, code=3).stderr
        self.assertIn("latin1.csv:1:10: the file is not UTF-8: byte 0xE9", said)
        self.assertNotIn("\ufffd", said)
        self.assert_counts(self.report("latin1.csv", *words, "--encoding", "latin1"), 96, 1)
        self.assertIn("there is no encoding", self.fit("latin1.csv", *words, "--encoding", "latin99", code=3).stderr)

    def test_published_formats(self):
        """A river gauge (USGS RDB), a spreadsheet with tabs, a weather station's log: three of our own."""
        river = "# U.S. Geological Survey\n#\n# 00060  Discharge\nagency_cd\tsite_no\tdatetime\tflow\tflow_cd\n5s\t15s\t20d\t14n\t10s\n"
        river += "".join(f"USGS\t01491000\t2022-{1 + i // 28:02}-{1 + i % 28:02}\t{100 + i * 37 % 50}\tA\n" for i in range(28))
        (self.folder / "river.rdb").write_text(river + "# end\n")
        report = e2e.json.loads(self.corridor("profile", "fit", "river.rdb", "-c", "flow", "-t", "datetime", "-k", "3", "--json").stdout)
        self.assert_counts(report, 28, 1)
        self.assertEqual(report["season"]["step_seconds"], 86400)
        self.assertEqual(len(report["fit"]["reading"]), 4)
        sheet = "Date\tValue\t\r\n" + "".join(f"{1 + i % 28}/{1 + i // 28}/2022\t{i * 7 % 11},5\t\r\n" for i in range(84))
        (self.folder / "sheet.txt").write_text(sheet)
        report = e2e.json.loads(self.corridor("profile", "fit", "sheet.txt", "-c", "Value", "-t", "Date", "-k", "3", "--json").stdout)
        self.assertEqual((report["fit"]["values"], report["season"]["step_seconds"]), (84, 86400))
        self.assertIn("Read: dates such as 1/2/2010 are read with the day first.", report["fit"]["reading"])
        log = "station|time|wind\n" + "".join(f"{s}|2022010{1 + i // 24}T{i % 24:02}00Z|{i * 5 % 7}\n" for i in range(72) for s in "AB")
        (self.folder / "log.txt").write_text(log)
        words = "profile", "fit", "log.txt", "-c", "wind", "-t", "time", "--cuts", "2,4"
        self.assertIn("log.txt:3: 2022-01-01 00:00 stands in line 2, too", self.corridor(*words, code=3).stderr)
        report = e2e.json.loads(self.corridor(*words, "--series", "station", "--json").stdout)
        self.assert_counts(report, 144, 2)


if __name__ == "__main__":
    e2e.main()
