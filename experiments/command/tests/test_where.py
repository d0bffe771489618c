#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""--where: rows of views and of exported tables, against the same rows chosen here from all that there are; what is said of a
condition that cannot be; that no figure changes; and where it means another thing than SQL (docs/do/sql.md)."""
import csv
import io
import json
import random

import e2e

# A condition, the tables of the view that have its columns, and the same over a row in Python: None is what is not there.
VIEW = [
    ("found", "masked_pct > 10", lambda row: row["masked_pct"] is not None and row["masked_pct"] > 10),
    ("found", "not (masked_pct > 10)", lambda row: row["masked_pct"] is not None and not row["masked_pct"] > 10),
    ("found", "arm = 'P' or failures > 0", lambda row: row["arm"] == "P" or (row["failures"] or 0) > 0),
    ("found", "2 * sequences_detected >= suites or verdict = 'found'",
     lambda row: 2 * row["sequences_detected"] >= row["suites"] or row["verdict"] == "found"),
    ("found", "found and sequences != 0", lambda row: row["found"] and row["sequences"] != 0),
    ("found", "why = 'nothing of the kind'", lambda row: False),
    ("figures", "ours < 5 and arm = 'P'", lambda row: (row["ours"] or {}).get("mean") is not None and row["ours"]["mean"] < 5 and row["arm"] == "P"),
    ("figures", "ours_low < 4.5 and ours_suites = 3", lambda row: row["ours"] is not None and row["ours"]["low"] is not None
     and row["ours"]["low"] < 4.5 and row["ours"]["suites"] == 3),
    ("figures", "ours_interval != 'none' and metric = 'ep_states'", lambda row: row["ours"] is not None
     and row["ours"]["interval"] != "none" and row["metric"] == "ep_states"),
]
FREE = {"name": "F", "algorithm": "psopp", "parameters": {"agents": [2, 40], "budget": 200}}
TABLE = [
    ("reorganizations", "arm = 'P'", lambda row: row["arm"] == "P"),
    ("reorganizations", "case > 9 and arm = 'P'", lambda row: row["case"] > 9 and row["arm"] == "P"),
    ("reorganizations", "sequence + suite = 2 or case % 7 = 0", lambda row: row["sequence"] + row["suite"] == 2 or row["case"] % 7 == 0),
    ("sequences", "cases < 40 implies sequence = 0", lambda row: row["cases"] >= 40 or row["sequence"] == 0),
    ("agents", "suite = 1", lambda row: row["suite"] == 1),
]

# Rows of cases that a condition, and the same in SQL, choose of those that it chooses in the other meaning: as the page says.
OTHERWISE = [
    ("-7 / 2 = -4", "-7 / 2 = -3"), ("-7 % 3 = 2", "-7 % 3 = -1"), ("1 < case < 3", "1 < \"case\" and \"case\" < 3"),
    ("case = 1 || case = 2", "\"case\" in (1, 2)"), ("case = 1 implies sequence = 0", "\"case\" <> 1 or sequence = 0"),
    ("case = 1 xor sequence = 0", "(\"case\" = 1) <> (sequence = 0)"), ("case * 9223372036854775807 > 0", "\"case\" = 1"),
]
SQL_ALONE = [("-7 / 2 = -3", False), ("-7 % 3 = -1", False), ("-7 / 2 = -4", True), ("9223372036854775807 * 2 > 0", False)]


class Drawn:
    """Conditions over the cases of a file as --where and as SQL have them."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, depth):
        if depth == 0 or self.random.random() < 0.5:
            name = self.random.choice(["case", "suite", "sequence", "alarm", "reorganized", None])
            text = str(self.random.randint(0, 9)) if name is None else name
            return text, f'"{text}"' if name == "case" else text
        sign = self.random.choice("+-*")
        one, other = self.number(depth - 1), self.number(depth - 1)
        return tuple(f"({a} {sign} {b})" for a, b in zip(one, other))

    def condition(self, depth):
        draw = self.random.random()
        if depth > 0 and draw < 0.25:
            return tuple(f"not ({text})" for text in self.condition(depth - 1))
        if depth > 0 and draw < 0.6:
            word = self.random.choice(["and", "or"])
            return tuple(f"({a} {word} {b})" for a, b in zip(self.condition(depth - 1), self.condition(depth - 1)))
        if draw < 0.75:
            text = self.random.choice(["arm = 'P'", "arm != 'S'", "arm in ('S', 'F')", "black = 'failed'", "gray != 'passed'",
                                       "dissimilarity < 0.5", "dissimilarity / 2 >= 0.125", "sequence in (0, 2)", "abs(suite - 2) = 1"])
            return text, text
        sign = self.random.choice(["=", "!=", "<", "<=", ">", ">="])
        return tuple(f"{a} {sign} {b}" for a, b in zip(self.number(2), self.number(1)))


class Where(e2e.Case):
    @classmethod
    def setUpClass(cls):
        case = cls("test_rows_of_views")
        case.setUp()
        cls.case = case
        case.run_into("small.h5", case.experiment(arms=[e2e.SPADA, e2e.PSOPP, FREE]))

    @classmethod
    def tearDownClass(cls):
        cls.case.doCleanups()

    def setUp(self):
        super().setUp()
        self.folder = self.case.folder if hasattr(self, "case") else self.folder

    def sheets(self, *options):
        return json.loads(self.corridor("show", "small.h5", "tables", "--json", *options).stdout)["sheets"]

    def refused(self, *words):
        """The message of a condition that is refused."""
        said = self.corridor(*words, code=3)
        self.assertEqual(said.stdout, "")
        return said.stderr

    def test_rows_of_views(self):
        everything = self.sheets()
        self.assertGreater(len(everything), 3)
        chose = set()
        for name, condition, holds in VIEW:
            chosen = self.sheets("--where", condition)
            self.assertLess(set(chosen), set(everything), condition)
            all_rows = everything[name]["rows"]
            kept = [row for row in all_rows if holds(row)]
            self.assertEqual(chosen[name]["rows"], kept, condition)
            self.assertEqual(chosen[name]["remarks"][-1],
                             f"--where chose {len(kept)} of {len(all_rows)} rows; no figure is reckoned anew.")
            chose |= {name} if 0 < len(kept) < len(all_rows) else set()
        self.assertEqual(chose, {"found", "figures"}, "conditions that are worth asking")

    def test_a_table_without_the_columns_is_left_out(self):
        everything, chosen = self.sheets(), self.sheets("--where", "arm = 'S'")
        for name, sheet in everything.items():
            keys = {column["key"] for column in sheet["columns"]}
            self.assertEqual(name in chosen, "arm" in keys, name)
            if name in chosen and "rows" in sheet:
                self.assertEqual(chosen[name]["rows"], [row for row in sheet["rows"] if row["arm"] == "S"])

    def test_csv_and_text_have_the_same_rows(self):
        words = ("show", "small.h5", "tables", "--where", "arm = 'P'")
        lines = list(csv.DictReader(io.StringIO(self.corridor(*words, "--sheet", "found").stdout)))
        self.assertEqual([line["arm"] for line in lines], ["P"])
        text = self.corridor(*words).stdout
        self.assertIn("--where chose 1 of 3 rows; no figure is reckoned anew.", text)
        self.assertNotRegex(text, r"\n *S  ")

    def test_rows_of_exported_tables(self):
        for table, condition, holds in TABLE:
            rows = self.table("small.h5", table)
            kept = [row for row in rows if holds(row)]
            self.assertTrue(0 < len(kept) < len(rows), (condition, len(kept), len(rows)))
            self.assertEqual(self.table("small.h5", table, "--where", condition), kept, condition)
            lines = self.corridor("export", "small.h5", "-t", table, "--where", condition).stdout.splitlines()
            self.assertEqual(len(lines), 1 + len(kept))

    def counted(self, *conditions):
        """Rows of cases for which conditions in SQL hold."""
        asked = ", ".join(f"count(*) filter (where {condition})" for condition in conditions)
        return list(json.loads(self.corridor("sql", "small.h5", f"select {asked} from cases", "--json").stdout).values())

    def test_what_both_can_say_means_in_sql_the_same(self):
        drawn = Drawn(5)
        conditions = [drawn.condition(3) for _ in range(40)]
        kept = [len(self.table("small.h5", "cases", "--columns", "arm", "--where", ours)) for ours, _ in conditions]
        self.assertEqual(kept, self.counted(*(theirs for _, theirs in conditions)))
        self.assertGreater(len(set(kept)), 12)

    def test_and_what_it_says_otherwise_is_on_the_page(self):
        kept = [len(self.table("small.h5", "cases", "--columns", "arm", "--where", ours)) for ours, _ in OTHERWISE]
        self.assertEqual(kept, self.counted(*(theirs for _, theirs in OTHERWISE)))
        for condition, holds in SQL_ALONE:
            self.assertEqual(len(self.table("small.h5", "cases", "--columns", "arm", "--where", condition)) > 0, holds, condition)
            self.assertEqual(self.counted(condition)[0] > 0, not holds, condition)
        self.assertEqual(self.counted("arm = 'Q'", "arm > 3 and arm < 3"), [0, 0])
        for condition in ("arm = 'Q'", "arm > 3", "arm like 'P'", "case is null", "case between 1 and 2", "case", "dissimilarity % 2 = 1"):
            self.refused("export", "small.h5", "-t", "cases", "--where", condition)

    def test_columns_that_are_not_written_may_be_asked_for(self):
        kept = [row for row in self.table("small.h5", "reorganizations") if row["arm"] == "P" and row["case"] > 30]
        chosen = self.table("small.h5", "reorganizations", "--columns", "suite", "--where", "arm = 'P' and case > 30")
        self.assertEqual(chosen, [{"suite": row["suite"]} for row in kept])

    def test_reals_and_fingerprints_are_those_that_are_written(self):
        rows = self.table("small.h5", "parameters")
        value = rows[0]["value"]
        self.assertEqual(self.table("small.h5", "parameters", "--where", f"value = {value}"), [row for row in rows if row["value"] == value])
        rows = self.table("small.h5", "suites")
        prints = [key for key in rows[0] if key.endswith("_hash")]
        self.assertTrue(prints)
        for key in prints:
            kept = [row for row in rows if row[key] == rows[0][key]]
            self.assertEqual(self.table("small.h5", "suites", "--where", f"{key} = '{rows[0][key]}'"), kept)

    def test_codes_are_numbers_with_raw(self):
        codes = {row["name"]: row["code"] for row in self.table("small.h5", "catalog/arm")}
        raw = self.table("small.h5", "reorganizations", "--raw", "--where", f"arm = {codes['P']}")
        self.assertEqual(len(raw), len([row for row in self.table("small.h5", "reorganizations") if row["arm"] == "P"]))

    def test_what_cannot_be_is_said_with_its_place(self):
        show = ("show", "small.h5", "tables", "--where")
        self.assertRegex(self.refused(*show, "verdikt = 'found'"),
                         r'^corridor: invalid input: small\.h5: --where: column 1 of "verdikt = \'found\'": there is no "verdikt"\n'
                         r'  did you mean "verdict"\? known: arms, ')
        self.assertEqual(self.refused(*show, "arm > 3"),
                         'corridor: invalid input: small.h5: --where: column 5 of "arm > 3": ">" orders numbers, and this is a word\n'
                         "  words and null have = and != only\n")
        self.assertEqual(self.refused(*show, "arm ="),
                         'corridor: invalid input: small.h5: --where: column 6 of "arm =": expected a value, a name or "(", found the end\n')
        self.assertEqual(self.refused(*show, "1 + 2"),
                         'corridor: invalid input: small.h5: --where: column 1 of "1 + 2": it is a number where a condition is expected\n'
                         "  compare it with another: a <= b\n")
        export = ("export", "small.h5", "-t", "reorganizations", "--where")
        self.assertIn('there is no "cas"\n  did you mean "case"?', self.refused(*export, "cas > 3"))
        self.assertIn("small.h5: --where: column", self.refused(*export, "arm = 'Q'"))
        self.assertIn("leave --where away, or name a table of rows", self.refused("export", "small.h5", "-t", "head", "--where", "1 = 1"))
        self.assertIn("name columns of one table", self.refused(*show, "planned_suites > 1 and masked_pct > 1 and published_id = 'x'"))

    def test_where_stands_beside_what_has_rows(self):
        self.assertIn("--where needs --table", self.corridor("export", "small.h5", "--where", "1 = 1", code=2).stderr)
        self.assertIn("exclude each other", self.corridor("show", "small.h5", "tables", "--dot", "--where", "1 = 1", code=2).stderr)
        text = " ".join(self.corridor("show", "--help").stdout.split())
        self.assertIn("--where EXPRESSION choose rows for which this holds", text)
        self.assertIn("figures are not reckoned anew", text)


if __name__ == "__main__":
    e2e.main()
