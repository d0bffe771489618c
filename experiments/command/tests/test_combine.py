#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`corridor combine`: rows that cover, by a check of our own; rows of others judged; what is refused, word by word."""
import csv
import io
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest

import e2e
from e2e import SOURCE

CASES = SOURCE / "experiments/engines/combine/tests/invalid/cases.txt"
FIELD = SOURCE / "experiments/engines/combine/tests/field"
WRITE_CASES = sys.argv[3]
MODEL = """# a comment
Type: Single, Span, Stripe, RAID-5
Size: 10, 100, 1000
Format: quick, slow
Compression: on, off
{ Type, Size, Format } @ 3
IF [Type] = "RAID-5" THEN [Size] > 10;
IF [Size] = 1000 THEN [Compression] = "off";
"""


def allowed(row):
    return (row["Type"] != "RAID-5" or int(row["Size"]) > 10) and (row["Size"] != "1000" or row["Compression"] == "off")


VALUES = {"Type": ["Single", "Span", "Stripe", "RAID-5"], "Size": ["10", "100", "1000"], "Format": ["quick", "slow"], "Compression": ["on", "off"]}


class Combine(e2e.Case):
    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.corridor("combine", *arguments).stdout)))

    def test_rows_cover_every_possible_pair_and_the_part_of_higher_strength(self):
        rows = self.rows(self.write("m.pict", MODEL))
        self.assertTrue(all(map(allowed, rows)))
        every = [row for row in (dict(zip(VALUES, values)) for values in itertools.product(*VALUES.values())) if allowed(row)]
        for names in (*itertools.combinations(VALUES, 2), ("Type", "Size", "Format")):
            self.assertEqual({tuple(row[name] for name in names) for row in rows}, {tuple(row[name] for name in names) for row in every})
        self.assertEqual(len(rows), 22)

    def test_what_is_impossible_is_counted_and_listed(self):
        done = self.corridor("combine", self.write("m.pict", MODEL))
        self.assertIn("3 impossible under the constraints:\n", done.stderr)
        self.assertIn("  Size = 1000, Compression = on\n", done.stderr)
        document = json.loads(self.corridor("combine", "m.pict", "--json").stdout)
        self.assertEqual(document["schema"], "corridor-combine")
        self.assertEqual(document["parameters"], list(VALUES))
        self.assertIn({"Size": 1000, "Compression": "on"}, document["excluded"])
        self.assertIn({"Type": "RAID-5", "Size": 10, "Format": "slow"}, document["excluded"])
        self.assertEqual([[str(value) for value in row] for row in document["rows"]], [list(row.values()) for row in self.rows("m.pict")])

    def test_the_same_seed_gives_the_same_bytes_and_moves_are_heeded(self):
        self.write("m.pict", MODEL)
        once, again, other = (self.corridor("combine", "m.pict", "--seed", seed).stdout for seed in (5, 5, 6))
        self.assertEqual(once, again)
        self.assertNotEqual(once, other)
        document = json.loads(self.corridor("combine", "m.pict", "--json", "--moves", 1).stdout)
        self.assertLessEqual(document["moves"], 1)

    def test_rows_of_others_are_judged(self):
        self.write("m.pict", MODEL)
        self.corridor("combine", "m.pict", "-o", "rows.csv")
        said = self.corridor("combine", "m.pict", "--verify", "rows.csv").stdout
        self.assertRegex(said, r"^rows.csv: 22 rows, (\d+) of \1 combinations covered, 3 are impossible\n$")
        lines = (self.folder / "rows.csv").read_text().splitlines()
        self.write("less.csv", "\n".join(lines[:-1]))
        said = self.corridor("combine", "m.pict", "--verify", "less.csv", code=1).stdout
        self.assertRegex(said, r"combinations? (is|are) missing, the first: \w+ = ")
        broken = [line.replace(",on", ",off") if ",1000," not in line else line.replace(",off", ",on") for line in lines]
        self.write("broken.csv", "\n".join(broken))
        said = self.corridor("combine", "m.pict", "--verify", "broken.csv", code=1).stdout
        self.assertIn('breaks IF [Size] = 1000 THEN [Compression] = "off"', said)
        document = self.corridor("combine", "m.pict", "--json").stdout
        self.write("rows.json", document)
        self.corridor("combine", "m.pict", "--verify", "rows.json")

    def test_rows_to_keep_come_first(self):
        self.write("m.pict", MODEL)
        self.write("keep.csv", "Size,Type\n1000,Span\n,RAID-5\n")
        rows = self.rows("m.pict", "--rows", "keep.csv")
        self.assertEqual((rows[0]["Size"], rows[0]["Type"], rows[1]["Type"]), ("1000", "Span", "RAID-5"))
        self.assertEqual(len(rows), 22)

    def test_invalid_values_stand_alone_and_are_marked(self):
        rows = self.rows(self.write("m.pict", "A: 1, 2, ~-1\nB: x, y, ~?\nC: p, q\n"))
        marks = [sum(value.startswith("~") for value in row.values()) for row in rows]
        self.assertEqual(set(marks), {0, 1})
        self.assertEqual(marks, sorted(marks))
        for name, value in (("A", "~-1"), ("B", "~?")):
            others = [row for row in rows if row[name] == value]
            self.assertEqual({row["C"] for row in others}, {"p", "q"})

    def test_a_model_in_json_is_read_too(self):
        model = {"corridor_combine": 1, "strength": 3, "policy": "t-wise", "seed": 3,
                 "parameters": {"OS": ["linux", "mac"], "RAM": [1, 2.5], "Debug": [True, False], "Name": ["x", None]},
                 "constraints": ["OS = 'mac' implies RAM > 2", "Debug or Name != null"]}
        rows = self.rows(self.write("m.json", json.dumps(model)))
        self.assertTrue(all(row["OS"] != "mac" or row["RAM"] == "2.5" for row in rows))
        self.assertTrue(all(row["Debug"] == "true" or row["Name"] != "null" for row in rows))
        self.assertEqual(rows, self.rows("m.json"))
        named = dict(model, parameters=[{"name": name, "values": values} for name, values in model["parameters"].items()])
        self.assertEqual(rows, self.rows(self.write("named.json", json.dumps(named))))
        self.assertEqual(len(self.rows("m.json", "--policy", "all")), 9)

    def test_models_of_pict_are_read_as_pict_reads_them(self):
        for name, header, count in (("names_without_colon", ["Face", "Weight", "Size"], 8), ("letters", ["Форма", "Курс"], 3), ("text_order", ["From", "To"], 3),
                                    ("empty_value", ["Name", "Kind", "Mode"], 6), ("one_parameter", ["Only"], 3)):
            rows = self.rows(FIELD / f"{name}.pict")
            self.assertEqual((list(rows[0]), len(rows)), (header, count), name)
        self.assertEqual({(row["From"], row["To"]) for row in self.rows(FIELD / "text_order.pict")}, {("v1", "v2"), ("v1", "v3"), ("v2", "v3")})
        self.assertNotIn({"Форма": "очно", "Курс": "второй"}, self.rows(FIELD / "letters.pict"))
        self.assertIn("strength 2, but the model has 1 parameter", self.corridor("combine", FIELD / "one_parameter.pict", "-t", 2, code=3).stderr)

    def test_rows_of_a_sub_model_are_combined_as_if_they_were_values(self):
        members = ["Board", "Cores", "Memory", "Disk"]
        for strength, count in ((3, 120), (2, 40)):  # with 10 machines, as PICT makes them; 9 are enough
            rows = self.rows(FIELD / "few_machines.pict", "-t", strength)
            machines = {tuple(row[name] for name in members) for row in rows}
            self.assertEqual((len(machines), len(rows)), (9, count * 9 // 10))
            for pair in itertools.combinations(range(4), 2):
                self.assertEqual(len({tuple(machine[i] for i in pair) for machine in machines}), 6 if 3 in pair else 9)
            others = [("System", 3), ("Viewer", 4), ("Office", 3)]
            for chosen in itertools.combinations(others, strength - 1):
                found = {(*(row[name] for name in members), *(row[name] for name, _ in chosen)) for row in rows}
                self.assertEqual(len(found), 9 * chosen[0][1] * (chosen[1][1] if strength == 3 else 1))

    def test_what_is_missing_beside_a_sub_model_is_said_by_values(self):
        lines = self.corridor("combine", FIELD / "few_machines.pict").stdout.splitlines()
        self.write("less.csv", "\n".join(lines[:-1]))
        said = self.corridor("combine", FIELD / "few_machines.pict", "--verify", "less.csv", code=1).stdout
        self.assertRegex(said, r"1 combination is missing, the first: Board = \w+, Cores = \d, Memory = \d+G, Disk = \w+, Viewer = [eocf]\n")

    def test_sub_models_heed_constraints_across_them_and_invalid_values(self):
        values = {"A": "012", "B": "012", "C": "01", "D": "xyz", "E": "pq"}
        text = "\n".join(f"{name}: {', '.join(them)}" for name, them in values.items()) + "\n{ A, B, C } @ 2\n"
        rule = 'IF [A] > [B] THEN [D] <> "x" AND [C] = 1;\nIF [E] = "q" THEN [A] < 2;\n'

        def fits(row):
            return (int(row["A"]) <= int(row["B"]) or (row["D"] != "x" and row["C"] == "1")) and (row["E"] != "q" or int(row["A"]) < 2)
        every = [row for row in (dict(zip(values, them)) for them in itertools.product(*values.values())) if fits(row)]
        self.write("m.pict", text + rule)
        (self.folder / "rows.csv").write_text(self.corridor("combine", "m.pict").stdout)
        rows = list(csv.DictReader(io.StringIO((self.folder / "rows.csv").read_text())))
        self.assertTrue(all(map(fits, rows)))
        machines = {tuple(row[name] for name in "ABC") for row in rows}
        for pair in itertools.combinations("ABC", 2):
            self.assertEqual({tuple(row[name] for name in pair) for row in rows}, {tuple(row[name] for name in pair) for row in every})
        for names in ("ABCD", "ABCE", "DE"):
            wanted = {tuple(row[name] for name in names) for row in every if names == "DE" or tuple(row[name] for name in "ABC") in machines}
            self.assertEqual({tuple(row[name] for name in names) for row in rows}, wanted)
        self.assertLess(len(machines), len({tuple(row[name] for name in "ABC") for row in every}))
        self.assertIn("impossible", self.corridor("combine", "m.pict", "--verify", "rows.csv").stdout)
        self.write("less.csv", "\n".join((self.folder / "rows.csv").read_text().splitlines()[:-1]))
        self.corridor("combine", "m.pict", "--verify", "less.csv", code=1)
        self.write("keep.csv", "A,B,C,E\n1,0,1,q\n")
        self.assertEqual("".join(list(self.rows("m.pict", "--rows", "keep.csv")[0].values())[:3]), "101")
        rows = self.rows(self.write("bad.pict", "A: 0, 1, ~2\nB: 0, 1\nC: x, y\nD: p, ~q\n{ A, B }\n"))
        self.assertEqual({(row["A"], row["B"], row["C"]) for row in rows if row["A"] == "~2"}, {("~2", b, c) for b in "01" for c in "xy"})
        self.assertTrue(all(sum(value.startswith("~") for value in row.values()) < 2 for row in rows))

    def test_letters_are_found_whatever_their_size(self):
        pairs = {"Latin": "ÀÖŁŹŸĲ àöłźÿĳ", "Greek": "ΆΈΌΏΩΣ άέόώως", "Cyrillic": "ЁЖЯЇҐӁ ёжяїґӂ"}
        for name, text in pairs.items():
            large, small = text.split()
            model = self.write(f"{name}.pict", f"{large}: {small}, x\nB: {large}1, {small}2\nIF [{small}] = \"{large}\" THEN [b] LIKE \"{small}?\" AND NOT [B] LIKE \"?1\";\n")
            rows = self.rows(model)
            self.assertEqual({row["B"] for row in rows if row[large] == small}, {"" + large + "1", small + "2"}, name)

    def test_sizes_of_letters_tell_names_apart_but_in_pict(self):
        models = {"m.acts": '[System]\nName: x\n[Parameter]\nA (int) : 1, 2\na (int) : 1, 2\nb (enum) : x, X\n[Constraint]\na = 2 => b = "X"\n',
                  "m.ctw": "Model M\nParameters:\n A: {1, 2}\n a: {1, 2}\n b: {x, X}\nConstraints:\n # a = 2 => b = X #\n",
                  "m.json": json.dumps({"parameters": {"A": [1, 2], "a": [1, 2], "b": ["x", "X"]}, "constraints": ["a = 2 implies b = 'X'"]})}
        for name, text in models.items():
            rows = self.rows(self.write(name, text))
            self.assertEqual({(row["a"], row["b"]) for row in rows}, {("1", "x"), ("1", "X"), ("2", "X")}, name)
            self.assertEqual({(row["A"], row["b"]) for row in rows}, {("1", "x"), ("1", "X"), ("2", "x"), ("2", "X")}, name)
        for text in ("A: 1, 2\na: 1, 2\n", "b: x, X\nc: 1\n"):
            self.assertIn("differ in the size of letters alone", self.corridor("combine", self.write("m.pict", text), code=3).stderr)

    def test_every_name_of_a_value_is_that_value(self):
        said = self.corridor("combine", FIELD / "aliases.pict", "--verify", FIELD / "aliases_rows.csv").stdout
        self.assertEqual(said.rpartition("/")[2], "aliases_rows.csv: 9 rows, 21 of 21 combinations covered\n")
        self.write("keep.csv", "Edition\nschool\n")
        self.assertEqual(self.rows(FIELD / "aliases.pict", "--rows", "keep.csv")[0]["Edition"], "work")
        self.write("m.pict", (FIELD / "aliases.pict").read_text() + 'IF [Edition] = "OFFICE" THEN [Board] = "large";')
        self.assertEqual({row["Board"] for row in self.rows("m.pict") if row["Edition"] == "work"}, {"large"})

    def test_an_empty_text_is_a_value(self):
        (self.folder / "rows.csv").write_text(self.corridor("combine", FIELD / "empty_value.pict").stdout)
        self.corridor("combine", FIELD / "empty_value.pict", "--verify", "rows.csv")
        self.write("open.csv", 'Name,Kind\n"",a\n,a\n')
        rows = self.rows(FIELD / "empty_value.pict", "--rows", "open.csv")
        self.assertEqual((rows[0]["Name"], rows[0]["Kind"], rows[1]["Kind"]), ("", "a", "a"))
        rows = self.rows(self.write("m.pict", 'A: x, ""\nB: 1, 2\nIF [A] = "" THEN [B] = 2;\n'))
        self.assertEqual({row["B"] for row in rows if row["A"] == ""}, {"2"})

    def test_signs_without_a_name_are_of_any_parameter(self):
        text = "A: 1, ~2\nB: x, ~y\nC: p, q\n"
        rows = self.rows(self.write("m.pict", text + 'IF IsNegative() THEN [C] = "p";\n'))
        self.assertEqual({row["C"] for row in rows if "~" in row["A"] + row["B"]}, {"p"})
        self.assertFalse([row for row in self.rows(self.write("m.pict", text + "IsPositive();\n")) if "~" in row["A"] + row["B"]])

    def test_the_same_model_in_each_language_gives_the_same_rows(self):
        acts = "[Parameter]\nA (int) : [1], 2, 3; -1\nB (enum) : x, y\nC (boolean) : true, false\n[Constraint]\n%s\n"
        wedge = "Model m Parameters: A: [1 .. 3] B: {x y}; C: Boolean /* all */ Constraints: # %s #"
        pict = "A: 1, 2, 3%s\nB: x, y\nC: true, false\n%s;\n"
        said = 'IF [A] > 1 THEN [B] = "x" OR [C] = "true"'
        condition = 'A > 1 => B = "x" || C'
        rows = self.rows(self.write("m.pict", pict % (", ~-1", said)))
        self.assertEqual(rows, self.rows(self.write("m.txt", acts % condition)))
        valid = self.rows(self.write("v.pict", pict % ("", said)))
        for text in (condition, "A > 1 => B = x or C == true", "NOT (A <= 1) -> !(B != x) OR C != false", "A - 1 > 0 => (B=x) | !!C"):
            self.assertEqual(valid, self.rows(self.write("m", wedge % text)), text)

    def test_relations_of_acts_are_parts(self):
        text = "[System]\nName: m\n[Parameter]\n" + "".join(f"P{i} (boolean) : TRUE, FALSE\n" for i in range(6)) + "[Relation]\n%s"
        document = {text: json.loads(self.corridor("combine", self.write("m.txt", text), "--json").stdout)["covered"]
                    for text in (text % "", text % "R1 : (P0, P1, P2, 3)\n")}
        self.assertEqual(list(document.values()), [60, 60 + 8 - 12])  # the part counts for the pairs within it

    def test_mirrored_implications_do_not_grow(self):
        names = [f"P{i}" for i in range(12)]
        text = names[0]
        for name in names[1:]:
            text = f"(({text} => {name}) && ({name} => {text}))"
        model = "[Parameter]\n" + "".join(f"{name} (boolean) : true, false\n" for name in names) + "[Constraint]\n"
        rows = self.rows(self.write("m.txt", model + text + "\n"))
        self.assertEqual({sum(row[name] == "false" for name in names) % 2 for row in rows}, {0})  # all the same: an even number is false

    def test_nested_implications_are_decided(self):
        document = json.loads(self.corridor("combine", FIELD / "nested.json", "--json", "--moves", 1).stdout)
        self.assertEqual((document["covered"], len(document["excluded"])), (3073, 475))

    def test_what_search_gives_up_z3_decides(self):
        draw = random.Random(1)
        clauses = [[(variable, draw.choice("ab")) for variable in draw.sample(range(60), 3)] for _ in range(255)]
        solution = {variable: draw.choice("ab") for variable in range(60)}
        clauses = [clause for clause in clauses if any(solution[variable] == value for variable, value in clause)]
        model = {"parameters": {f"p{i}": ["a", "b"] for i in range(60)}, "strength": 1,
                 "constraints": [" or ".join(f"p{variable} = '{value}'" for variable, value in clause) for clause in clauses]}
        name = self.write("m.json", json.dumps(model))
        done = self.corridor("combine", name, "--json", "--moves", 1, code=0 if e2e.has_z3() else 3)
        if not e2e.has_z3():
            self.assertRegex(done.stderr, "the constraints are too hard|the checker cannot decide")
            return
        document = json.loads(done.stdout)
        self.assertEqual(document["covered"] + len(document["excluded"]), 120)
        for row in document["rows"]:
            self.assertTrue(all(any(row[variable] == value for variable, value in clause) for clause in clauses))

    def test_sixty_parameters_that_switch_each_other_off_take_seconds(self):
        began = os.times().children_user
        document = json.loads(self.corridor("combine", FIELD / "switched_off.json", "--json").stdout)
        self.assertEqual((len(document["rows"]), document["covered"], len(document["excluded"])), (188, 25289, 2795))
        self.assertLess(os.times().children_user - began, 30)  # a second or two; a sanitizer takes ten times as long

    def test_ten_parameters_behind_one_switch_are_no_trouble(self):
        names = [f"p{i}" for i in range(10)]
        off = " AND ".join(f'[{name}] = "na"' for name in names)
        on = " AND ".join(f'[{name}] <> "na"' for name in names)
        lines = ["switch: on, off", *(f"{name}: na, 1, 2, 3, 4, 5, 6" for name in names), f'IF [switch] = "off" THEN {off} ELSE {on};']
        rows = self.rows(self.write("switch.pict", "\n".join(lines)))
        self.assertLessEqual(len(rows), 60)
        self.assertEqual(sum(row["switch"] == "off" for row in rows), 1)

    def test_output_is_whole_or_absent(self):
        self.write("m.pict", MODEL)
        self.write("there.csv", "mine")
        self.corridor("combine", "m.pict", "-o", "there.csv", code=4)
        self.assertEqual((self.folder / "there.csv").read_text(), "mine")
        self.corridor("combine", "m.pict", "-o", "there.csv", "--force")
        self.write("bad.pict", MODEL + '[Size] = 11;')
        self.corridor("combine", "bad.pict", "-o", "bad.csv", code=3)
        self.assertFalse((self.folder / "bad.csv").exists())

    def test_an_arm_draws_its_configurations_from_an_array(self):
        arm = dict(e2e.SPADA, configurations={"combine": 2, "classes": {"agents": [[2, 9], [10, 40]], "n_min": 2}})
        experiment = self.experiment(arms=[arm], suites=6)
        planned = json.loads(self.corridor("plan", experiment, "--json", "--pilot", 0).stdout)["configurations"][0]
        self.assertEqual(planned["parameters"], "agents, n_min")
        self.assertEqual(planned["covered"] + planned["impossible"] + planned["never_drawn"], 4)
        self.assertLessEqual(planned["rows"], 4)
        for jobs in (1, 2):
            self.run_into(f"{jobs}.h5", experiment, "--jobs", jobs)
        self.assertEqual(self.contents("1.h5"), self.contents("2.h5"))
        agents = [row["agents"] for row in self.table("1.h5", "suites")]
        self.assertEqual({count <= 9 for count in agents}, {True, False})
        text = self.corridor("plan", experiment, "--pilot", 0).stdout
        self.assertIn("Configurations of S: ", text)

    def test_what_is_refused_is_said_word_by_word(self):
        subprocess.run([WRITE_CASES, CASES, self.folder], check=True)
        for valid in ("valid.pict", "valid.json", "valid.acts", "valid.ctw"):  # what the others were made of
            self.corridor("combine", valid)
        messages = sorted(self.folder.glob("*.expected"))
        self.assertGreaterEqual(len(messages), 100)
        for expected in messages:
            path = expected.with_suffix("")
            extra = path.with_name(path.name + ".args")
            arguments = extra.read_text().split() if extra.exists() else []
            done = self.corridor("combine", path.name, *arguments, code=4 if path.stem == "rows_missing_file" else 3)
            self.assertEqual(done.stdout, "", path.name)
            said = re.sub(r"(\.json):\d+:\d+: /", r"\1: /", done.stderr)  # what is held has pointers alone: an edit moves lines
            if os.environ.get("COR_UPDATE_EXPECTED"):
                expected.write_text(said)
            self.assertEqual(said, expected.read_text(), path.name)
        if os.environ.get("COR_UPDATE_EXPECTED"):
            subprocess.run([WRITE_CASES, CASES, self.folder, "take"], check=True)


if __name__ == "__main__":
    e2e.main()
