#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions in SQL: every table of a file of every layer is what export writes; the questions of docs/do/sql.md have the answers that
pandas finds in the file; whatever else is asked ends in a sentence.

usage: test_sql.py CORRIDOR SOURCE_DIRECTORY"""
import csv
import io
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy
import pandas

CORRIDOR, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
LIBRARY = SOURCE / "experiments/library"
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="corridor [sql] "))
MADE = {}


def call(*words, code=0, text=None):
    done = subprocess.run([CORRIDOR, *map(str, words)], cwd=FOLDER, input=text, capture_output=True, text=True, timeout=600)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def campaign(name, *options):
    """The result file of an experiment of the library."""
    if name not in MADE:
        MADE[name] = FOLDER / f"{name.split('/')[-1]}.h5"
        call("run", LIBRARY / f"{name}.json", "-o", MADE[name], "--progress", "none", *options)
    return MADE[name]


def demo():
    return campaign("demo", "--suites", 12)


def rows(*words):
    return [json.loads(line) for line in call("sql", *words, "--json").splitlines()]


class Tables(unittest.TestCase):
    def hold(self, path):
        """Each table, all columns, row by row, as export has it; fingerprints as its JSON."""
        there = [row["table"] for row in csv.DictReader(io.StringIO(call("export", path)))]
        seen = 0
        for table in there:
            exported = [json.loads(line) for line in call("export", path, "--table", table, "--json").splitlines()]
            asked = rows(path, f'select * from "{table.replace("/", "_")}"')
            if table == "head":
                self.assertEqual([row["name"] for row in asked], [row["name"] for row in exported])
                continue
            for one in exported:
                for key, value in one.items():
                    if isinstance(value, int) and value > 2 ** 63 - 1:
                        one[key] = str(value)
                # Behind its columns export has those of named states, which the masks say, too.
                for at, key in enumerate([key for key in one if table == "cycles" and key not in asked[0]]):
                    known = not int(one["state_unknown"]) >> at & 1
                    self.assertEqual(one.pop(key), bool(int(one["state"]) >> at & 1) if known else None, key)
            self.assertEqual(asked, exported, table)
            seen += len(exported)
        return seen

    def test_of_algorithms(self):
        self.assertGreater(self.hold(demo()), 20000)

    def test_of_other_layers(self):
        for layer, words in (("agent", ("agent", "test", LIBRARY / "agents/stock_manager.json")),
                             ("efsm", ("efsm", "test", LIBRARY / "efsm/lossy_link.json", "--goal", "all-transitions")),
                             ("process", ("run", LIBRARY / "processes/two_phase.json", "--suites", "2")),
                             ("system", ("run", LIBRARY / "systems/ten_buttons.json", "--suites", "2"))):
            if layer in LAYERS:
                path = FOLDER / f"{layer}.h5"
                subprocess.run([CORRIDOR, *words, "-o", path], capture_output=True, check=False)
                self.assertGreater(self.hold(path), 0, layer)

    def test_the_list_has_each_column_with_its_meaning(self):
        said = json.loads(call("sql", demo(), "--json"))["sheets"]
        with h5py.File(demo()) as file:
            for row in said["sql_columns"]["rows"]:
                column = file[row["table"]].get(row["column"]) if row["table"] in file else None
                if column is not None:
                    here = re.split(", code in catalog/|: its first byte in vectors/", column.attrs["long_name"])[0]  # not where it lies in the file
                    self.assertEqual(row["meaning"], here, row)
            names = {row["table"] for row in said["sql_tables"]["rows"]}
            self.assertLessEqual({"cases", "catalog_arm", "vectors_walk", "head"}, names)
        text = call("sql", demo())
        for question in re.findall(r"corridor sql \S+ '([^']+)'", re.sub(r"\s+", " ", text)):
            self.assertTrue(rows(demo(), question))

    def test_an_arm_and_a_suite_are_found_at_once_and_a_row_by_its_number(self):
        for where in ("arm = 'PSOPP-F1'", "arm = 'SPADA-F2' and suite = 1", "arm = 'nobody'", "suite = 1", "suite = 1.5 and arm = 'PSOPP-F1'",
                      "arm = 'PSOPP-F1' and suite = -1", "arm is null",
                      "arm = 'spada-f2' collate nocase", "arm = 'spada-f2' collate nocase and suite = 0", "arm = 'SPADA-F2 ' collate rtrim",
                      "arm in ('SPADA-F2', null, 'PSOPP-F1') and suite in (0, 1, -1)", "arm = 'SPADA-F2' or suite = 0 or rowid = 3",
                      "suite = '1' and arm = 'SPADA-F2'", "suite = null and arm = 'SPADA-F2'", "arm = 17", "rowid = 17", "rowid = -1", "rowid = 1e18"):
            number = where.replace("rowid", "number")
            found = rows(demo(), f"select count(*) as n, sum(sequence) as s from cases where {where}")
            naive = rows(demo(), "with c as materialized (select rowid as number, arm, suite, sequence from cases) "
                                 f"select count(*) as n, sum(sequence) as s from c where {number}")
            self.assertEqual(found, naive, where)

    def test_detections_are_those_of_the_view_survival(self):
        continued = json.loads((LIBRARY / "demo.json").read_text())
        continued["model"] = str(LIBRARY / continued["model"])
        continued.update(suites=3, branching={"continuations": 2, "back": [1, 3], "cases": 10})
        (FOLDER / "continued.json").write_text(json.dumps(continued))
        call("run", "continued.json", "-o", "continued.h5", "--progress", "none")
        self.assertGreater(rows("continued.h5", "select count(*) as n from branches")[0]["n"], 0)
        for file in (demo(), "continued.h5"):
            for box, column in (("any", "iif(event, duration, null)"), ("gray", "gray"), ("black", "black")):
                sheets = json.loads(call("show", file, "survival", "--json", "--box", box))["sheets"]
                of_arms = next(sheet["rows"] for sheet in sheets.values() if {"arm", "sequences", "detected"} <= {c["key"] for c in sheet["columns"]})
                asked = {row["arm"]: row for row in rows(file, f"select arm, count(*) as sequences, count({column}) as detected from detections group by arm")}
                for row in of_arms:
                    ours = asked.get(row["arm"], {"sequences": 0, "detected": 0})
                    self.assertEqual((ours["sequences"], ours["detected"]), (row["sequences"], row["detected"]), (file, box, row))

    def test_the_examples_of_its_help_run(self):
        for name in ("a.h5", "b.h5"):
            shutil.copy(demo(), FOLDER / name)
        examples = re.findall(r"^  (corridor sql [^#\n]+)", call("sql", "--help").split("\nExamples:\n")[1], re.M)
        self.assertEqual(len(examples), 4)
        for example in examples:
            self.assertTrue(call(*shlex.split(example)[1:]).strip(), example)

    def test_several_files_by_their_names(self):
        other = FOLDER / "other day.h5"
        shutil.copy(demo(), other)
        again = FOLDER / "again"
        again.mkdir(exist_ok=True)
        shutil.copy(demo(), again / "demo.h5")
        self.assertEqual(rows(demo(), other, again / "demo.h5", 'select (select count(*) from demo.cases) = (select count(*) from "other day".cases) as a, '
                              "(select count(*) from demo_2.cases) = (select count(*) from cases) as b"), [{"a": 1, "b": 1}])

    def test_files_that_are_called_as_databases_of_sqlite(self):
        for name in ("main", "Temp"):
            shutil.copy(demo(), FOLDER / f"{name}.h5")
        self.assertEqual(rows(FOLDER / "main.h5", FOLDER / "Temp.h5", "select (select count(*) from main_2.cases) = (select count(*) from temp_2.cases) as a"),
                         [{"a": 1}])

    def forged(self, change):
        path = FOLDER / "forged.h5"
        shutil.copy(demo(), path)
        with h5py.File(path, "r+") as file:
            change(file)
        return path

    def test_arms_of_one_name_are_both_found(self):
        def change(file):
            file["catalog/arm/name"][1] = file["catalog/arm/name"][0]
        path = self.forged(change)
        both = [call("sql", path, f"select count(*) from cases where {arm} = (select name from catalog_arm)", "--json", "--unsealed") for arm in ("arm", "+arm")]
        self.assertEqual(*both)
        self.assertGreater(json.loads(both[0])["count(*)"], 0)

    def test_suites_out_of_order_are_told(self):
        def change(file):
            for column in ("arm", "suite"):
                file["suites"][column][:] = file["suites"][column][:][::-1]
        path = self.forged(change)
        self.assertIn("is out of order", call("sql", path, "select count(*) from suites where arm = 'SPADA-F2'", "--unsealed", code=3))

    def test_forms_of_an_answer(self):
        self.assertEqual(call("sql", demo(), "select 1 as a, 2 as a, 3 as a_2, 4 as a", "--csv"), "a,a_2,a_2_2,a_3\n1,2,3,4\n")
        text = call("sql", demo(), "select 9007199254740993 as a, 'x' as b union all select -5, 9007199254740993 union all select 123456789, 1")
        self.assertEqual(text.count("9007199254740993"), 2, text)
        self.assertIn("123456789", text)
        question = "select 1 as n, 2.5 as r, 3.0 as w, 'a;b' as t, null as z, 1 as n"
        self.assertEqual(call("sql", demo(), question, "--csv"), "n,r,w,t,z,n_2\n1,2.5,3.0,a;b,,1\n")
        self.assertEqual(call("sql", demo(), question, "--csv", "--separator", ";", "--decimal", ","), 'n;r;w;t;z;n_2\n1;2,5;3,0;"a;b";;1\n')
        self.assertEqual(call("sql", demo(), question, "--json"), '{"n":1,"r":2.5,"w":3.0,"t":"a;b","z":null,"n_2":1}\n')
        self.assertEqual(call("sql", demo(), "-", "--json", text="select 1 as a; -- and\nselect 2 as b;\n"), '{"a":1}\n{"b":2}\n')
        text = call("sql", demo(), "select sequence, dissimilarity from cases")
        self.assertIn("rows more: --csv or --json has all.", text)
        self.assertEqual(len(re.findall(r"^ +\d+  ", text, re.M)), 200)


class Refusals(unittest.TestCase):
    def test_each_ends_in_its_sentence(self):
        reads = "a query only reads: write select, values, or with .. select; name files in front of it"
        draws = "a query reads what the files hold: it draws nothing, loads nothing and knows no time"
        endless = "with recursive c(x) as (select 1 union all select x + 1 from c)"
        for words, said, remedy in (
                (("select case from cases",), 'near "from": syntax error', 'names that are words of SQL stand in double quotes: "case", "group", "values"'),
                (("select * from cassis",), "no such table: cassis", 'did you mean "cases"?'),
                (("select c.alarms from cases c",), "no such column: c.alarms", 'did you mean "alarm"? corridor sql FILE lists'),
                (("select nought from cases",), "no such column: nought",
                 "corridor sql FILE lists tables and their columns; words of a column stand in single quotes"),
                (("attach '/etc/passwd' as x",), "not authorized", reads), (("create temp table t(a)",), "not authorized", reads),
                (("pragma table_info(cases)",), "not authorized", reads), (("begin",), "not authorized", reads),
                (("delete from cases",), "table cases may not be modified", ""), (("drop table cases",), "", ""),
                (("select load_extension('x')",), "not authorized to use function: load_extension", draws),
                (("select random()",), "not authorized to use function: random", draws),
                (("select date('now')",), "not authorized to use function: date", draws),
                (("select current_timestamp",), "not authorized to use function: current_timestamp", draws),
                (("select writefile('x', 'y')",), "no such function: writefile", ""),
                (("select zeroblob(1000000000)",), "string or blob too big", ""),
                (("",), "there is no question in the text", "select count(*) from cases"), (("/* nothing */",), "there is no question in the text", ""),
                ((f"{endless} select count(*) from c", "--steps", 50), "the query took more than 50 million steps",
                 "join by arm and suite, ask for less, or allow more with --steps"),
                (("select count(*) from cases a, cases b, cases c, cases d", "--steps", 50), "the query took more than 50 million steps", ""),
                ((f"{endless} select x, zeroblob(50000000) from c order by 2, 1 limit 100", "--steps", 500), "the query needs more than 1024 MB",
                 "ask for fewer rows, or for sums of them")):
            heard = call("sql", demo(), *words, code=3)
            self.assertIn(f"corridor: invalid input: {said}", heard, words)
            self.assertIn(remedy, re.sub(r"\s+", " ", heard), words)
        self.assertIn("corridor: invalid input: -: the question has a zero byte", call("sql", demo(), "-", code=3, text="select 1;\0select 2"))

    def test_files_that_are_none(self):
        self.assertIn("cannot open", call("sql", "nowhere.h5", "select 1", code=4))
        (FOLDER / "text.h5").write_text("no HDF5")
        call("sql", "text.h5", "select 1", code=3)
        damaged = FOLDER / "damaged.h5"
        content = bytearray(demo().read_bytes())
        for at in range(3000, len(content), 997):
            content[at] ^= 0x55
        damaged.write_bytes(content)
        done = subprocess.run([CORRIDOR, "sql", damaged, "select * from cases"], capture_output=True, text=True)
        self.assertIn(done.returncode, (3, 4))
        self.assertTrue(done.stderr.startswith("corridor: "), done.stderr)
        call("sql", *[demo()] * 9, "select 1", code=2)
        call("sql", demo(), "select 1", "--csv", "--decimal", ",", code=2)
        for words in (("--separator", "1"), ("--separator", '"'), ("--separator", ";;"), ("--decimal", "x")):
            self.assertIn("--separator takes one of", call("sql", demo(), "select 1", "--csv", *words, code=2))


class Frames(dict):
    """Tables of a file with words for codes, by what the file says of itself."""

    def __init__(self, path):
        super().__init__()
        with h5py.File(path) as file:
            arms = dict(zip(file["catalog/arm/code"][:], [name.decode() for name in file["catalog/arm/name"][:]]))
            parameters = dict(zip(file["catalog/parameter/code"][:], [name.decode() for name in file["catalog/parameter/name"][:]]))
            self.walk = file["vectors/walk"][:]
            for table in ("suites", "parameters", "sequences", "cases", "reorganizations", "failures", "violations", "transitions"):
                frame = pandas.DataFrame({name: column[:] for name, column in file[table].items() if column.ndim == 1})
                for name, column in file[table].items():
                    meanings = column.attrs.get("flag_meanings")
                    if meanings is not None:
                        words = meanings.decode() if isinstance(meanings, bytes) else str(meanings)
                        frame[name] = frame[name].map(dict(zip(column.attrs["flag_values"], words.split())))
                frame["arm"] = frame["arm"].map(arms)
                if table == "parameters":
                    frame["parameter"] = frame["parameter"].map(parameters)
                self[table] = frame


SUITE, SEQUENCE = ["arm", "suite"], ["arm", "suite", "sequence"]


def answers(f):
    """What each question of the page is answered with, as a frame of the same columns."""
    cases, runs, failures, sequences = f["cases"], f["reorganizations"], f["failures"], f["sequences"]
    black = failures[failures.black == "failed"]
    firsts = black.groupby(SEQUENCE, as_index=False).case.min().rename(columns={"case": "first"})
    rates = cases.groupby(SUITE, as_index=False).alarm.mean().rename(columns={"alarm": "rate"})

    def counted(frame, keys, name="times"):
        return frame.groupby(keys, as_index=False).size().rename(columns={"size": name})

    yield cases.groupby("arm", as_index=False).agg(cases=("case", "size"), reorganizations=("reorganized", "sum"),
                                                   failures=("black", lambda column: (column == "failed").sum()))
    table = rates.groupby("arm", as_index=False).agg(suites=("rate", "size"), mean=("rate", "mean"), half=("rate", "sem"))
    table.half *= 1.96
    yield table[table.suites > 1]
    yield sequences[SEQUENCE].merge(firsts, how="left")
    yield firsts.groupby("arm", as_index=False).agg(sequences=("first", "size"), mean=("first", "mean"))
    at = firsts.merge(sequences)
    at["state"] = f.walk[(at.walk_start + at["first"] - 1).to_numpy().astype(int)]
    yield counted(at, ["arm", "state"])
    yield counted(f["violations"], ["arm", "check"])
    moves = f["transitions"]
    yield moves.assign(covered=moves["count"] > 0).groupby(SUITE, as_index=False).covered.mean()
    never = moves.groupby(["arm", "profile", "from", "to"], as_index=False).agg(probability=("probability", "max"), taken=("count", "sum"))
    yield never[never.taken == 0].sort_values(["probability", "arm", "profile", "from", "to"], ascending=[False] + [True] * 4)[
        ["profile", "from", "to", "probability"]].head(10)
    yield cases.assign(hundred=(cases.case - 1) // 100).groupby(["arm", "hundred"], as_index=False).agg(cases=("case", "size"), alarms=("alarm", "mean"))
    pairs = rates[rates.arm == "SPADA-F2"].merge(rates[rates.arm == "PSOPP-F1"], on="suite")
    yield pandas.DataFrame({"suite": pairs.suite, "one": pairs.rate_x, "other": pairs.rate_y, "difference": pairs.rate_x - pairs.rate_y})
    yield runs[runs.messages > 0].groupby("arm", as_index=False).agg(runs=("case", "size"), messages=("messages", "mean"), most=("messages", "max"),
                                                                    rounds=("rounds", "mean"))
    yield runs.groupby("arm", as_index=False).agg(least=("moved", "min"), mean=("moved", "mean"), most=("moved", "max"))
    yield counted(runs, ["arm", "stop"])
    yield runs.groupby("arm", as_index=False).agg(**{name: (f"fault_{name}", lambda column: (column > 0).sum()) for name in ("reached", "held", "activated")})
    masked = runs[(runs.fault_activated > 0) & (runs.gray == "passed") & (runs.black == "passed")]
    yield masked.sort_values([*SEQUENCE, "case"])[[*SEQUENCE, "case"]].head(10)
    yield counted(runs[(runs.gray == "failed") & (runs.black == "passed")], ["arm"])
    sized = sequences.merge(f["suites"][[*SUITE, "agents"]])
    yield sized.assign(size=sized.agents // 50 * 50, failed=sized.executed < sized.cases).groupby("size", as_index=False).agg(
        sequences=("sequence", "size"), failed=("failed", "mean"))
    drawn = f["parameters"].merge(black[SUITE].drop_duplicates(), how="left", indicator=True)
    yield drawn.assign(has_failed=drawn._merge == "both").groupby(["arm", "parameter", "has_failed"], as_index=False).value.mean().rename(
        columns={"value": "mean"})
    alarms = cases[cases.alarm == 1].sort_values([*SEQUENCE, "case"])
    alarms = alarms.assign(run=alarms.case - alarms.groupby(SEQUENCE).cumcount())
    yield counted(alarms, [*SEQUENCE, "run"], "long").groupby("arm", as_index=False).agg(times=("long", "size"), longest=("long", "max"))
    seen = runs[runs.gray.isin(("failed", "smoke")) | runs.black.isin(("failed", "smoke"))].groupby(SEQUENCE, as_index=False).case.min()
    ended = sequences.merge(seen, how="left")
    yield ended.assign(duration=ended.case.fillna(ended.executed), event=ended.case.notna())[[*SEQUENCE, "duration", "event"]]


class Page(unittest.TestCase):
    def test_each_question_has_the_answer_that_pandas_finds(self):
        questions = re.findall(r"```sql\n(.*?)```", (SOURCE / "docs/do/sql.md").read_text(), re.S)
        self.assertEqual(len(questions), 20)
        full = 0
        for question, right in zip(questions, answers(Frames(demo()))):
            self.assertLessEqual(question.count("\n"), 10)
            asked = pandas.read_csv(io.StringIO(call("sql", demo(), question, "--csv")))
            self.assertEqual(list(asked.columns), list(right.columns), question)
            self.assertEqual(len(asked), len(right), question)
            full += len(right) > 0
            words = [name for name in right.columns if right[name].dtype == object]
            order = words + [name for name in right.columns if name not in words]
            one, other = (frame[order].sort_values(order).reset_index(drop=True) for frame in (asked, right))
            for name in order:
                if name in words:
                    self.assertEqual(list(one[name]), list(other[name]), question)
                else:
                    numpy.testing.assert_allclose(one[name].astype(float), other[name].astype(float), rtol=1e-6, err_msg=question)
        self.assertGreaterEqual(full, 19)


LAYERS = sys.argv[3].split(",") if len(sys.argv) > 3 else []

if __name__ == "__main__":
    try:
        program = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2)
    finally:
        shutil.rmtree(FOLDER)
    sys.exit(not program.result.wasSuccessful())
