#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The profiles of the library are what the commands on its page give, byte for byte; pictures are whole or absent; and
what is exported of profiles reads back to the last bit."""
import csv
import io
import math
import re
import resource
import shlex
import shutil
import sys
import unittest
import xml.etree.ElementTree

import e2e
from e2e import SOURCE

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
            done = e2e.subprocess.run(["dot", "-Tsvg"], input=text, text=True, check=True, capture_output=True)
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


if __name__ == "__main__":
    e2e.main()
