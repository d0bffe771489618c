#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `corridor export` writes: every table bit for bit what h5py sees; verdicts as JUnit XML and TAP 13, read back by
parsers that know the formats and nothing of Corridor, and held against counts made here from the rows."""
import csv
import importlib.util
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import unittest
import xml.etree.ElementTree

import e2e

H5PY = importlib.util.find_spec("h5py") and importlib.util.find_spec("numpy")
if H5PY:
    import h5py
    import numpy

csv.field_size_limit(1 << 30)
FREE = {"name": "free", "algorithm": "psopp", "parameters": {"agents": [2, 40], "budget": 200}}
MISSED = {"name": "missed", "algorithm": "spada", "fault": "f3",
          "parameters": {"agents": [2, 40], "budget": 500, "f3_threshold": 40}}
MONITOR = {"name": "monitor", "algorithm": "random", "monitor": {"fault": "missed", "probability": 0.9},
           "parameters": {"agents": [2, 40]}}
ARMS = [e2e.SPADA, e2e.PSOPP, FREE, MISSED, MONITOR]

# Names as no one would choose them, and what is left of them in XML and as the description of a TAP test point. Control
# characters are refused when a file is opened; test_verdicts.c has them.
HOSTILE = [
    (b'a "q" <b> & \'c\' ]]> # SKIP never # TODO \\# x', None, None),
    (b"ok 7 - x, \\", None, None),
    (b"no UTF-8: \xed\xa0\x80", "no UTF-8: \ufffd\ufffd\ufffd", "no UTF-8: \ufffd\ufffd\ufffd"),
    ("\u00e9\u2028\uffff\U0001f600".encode(), "\u00e9\ufffd\ufffd\U0001f600", "\u00e9\ufffd\ufffd\U0001f600"),
    (b"1..9", None, None),
]
NO_TEXT = 2  # which of them


def shown(text):
    """As CSV has it: characters that a terminal obeys, and those that turn text, are others there."""
    return re.sub("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", "\ufffd", re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", " ", text))


class Campaign(e2e.Case):
    """Files whose content the tests change are exported as they are."""

    def corridor(self, *arguments, **others):
        return super().corridor(*arguments, *(["--unsealed"] if arguments[0] == "export" else []), **others)

    def setUp(self):
        super().setUp()
        self.run_into("a.h5", self.experiment(arms=ARMS), "--log-solutions")

    def change(self, path, index, value):
        with h5py.File(self.folder / "a.h5", "r+") as file:
            file[path][index] = value


# ---------------------------------------------------------------------------------------------------------- tables

def bits(values):
    """Numbers as the bits they are, NaN apart, of which there are many."""
    if values.dtype.kind != "f":
        return values.tolist()
    return ["NaN" if value != value else value.tobytes() for value in values]


@unittest.skipUnless(H5PY, "h5py is not there")
class Tables(Campaign):
    def setUp(self):
        super().setUp()
        special = [-0.0, float("nan"), float("inf"), -float("inf"), 5e-324, 1e23, 1 / 3, 1.7976931348623157e308]
        with h5py.File(self.folder / "a.h5", "r+") as file:
            file["agents/value"][:len(special)] = special
            file["cases/dissimilarity"][:len(special)] = numpy.array([*special[:-1], 1e-45], numpy.float32)
            file["sequences/state_hash"][:2] = [2**64 - 1, 2**53 + 1]
            for i, (name, _, _) in enumerate(HOSTILE):
                if i != NO_TEXT:
                    file["catalog/arm/name"][i] = name
                    file["catalog/arm/description"][i] = name + b', "more"\x01\x1b[31m\n\r\n\t'

    def stored(self):
        """name -> {column: values}, of everything that --all writes but head."""
        with h5py.File(self.folder / "a.h5", "r") as file:
            found = {}
            for name, group in file.items():
                if isinstance(group, h5py.Group) and "column-order" in group.attrs:
                    found[name] = {column: group[column][()] for column in group.attrs["column-order"]}
            for table in json.loads(file["schema"].asstr()[()])["tables"]:  # later ones without rows are not there
                found.setdefault(table["name"], {column["name"]: numpy.zeros(0, column["type"]) for column in table["columns"]})
            for name, group in file["catalog"].items():
                found[f"catalog/{name}"] = {"code": group["code"][()], "name": group["name"].asstr()[()].tolist(),
                                            "description": group["description"].asstr()[()].tolist()}
            for name, values in file["vectors"].items():
                found[f"vectors/{name}"] = {name: values[()]}
            head = {"seed": file.attrs["seed"], "complete": str(file.attrs["complete"]),
                    "planned_suites": str(file.attrs["planned_suites"]),
                    "experiment": file["experiment"].asstr()[()], "provenance": file["provenance"].asstr()[()]}
            found["head"] = {"name": list(head), "text": list(head.values())}
            return found

    def assert_same(self, name, columns, rows):
        """`rows`: dictionaries of texts or of what JSON makes of them."""
        for column, values in columns.items():
            exported = [row[column] for row in rows]
            self.assertEqual(len(values), len(exported), f"{name}/{column}")
            if isinstance(values, list):
                self.assertEqual(values, exported, f"{name}/{column}")
                continue
            kind = values.dtype.type
            if values.dtype.kind != "f":
                numbers = [int(value, 0) if isinstance(value, str) else value for value in exported]
                self.assertEqual(values.tolist(), numbers, f"{name}/{column}")
                continue
            if rows and isinstance(exported[0], (int, float, type(None))):  # JSON has no NaN and no infinity
                values = numpy.where(numpy.isfinite(values), values, kind("nan"))
                exported = ["nan" if value is None else repr(value) for value in exported]
            self.assertEqual(bits(values), bits(numpy.array([kind(value) for value in exported], values.dtype)),
                             f"{name}/{column}")

    def files(self, folder, ending):
        return sorted(str(path.relative_to(self.folder / folder))[:-len(ending)]
                      for path in (self.folder / folder).rglob("*") if path.is_file())

    def test_all_tables_read_back_from_csv(self):
        """But for characters that a terminal obeys: blanks stand there. JSON has them as they are."""
        self.corridor("export", "a.h5", "--all", "t", "--raw")
        stored = self.stored()
        for columns in stored.values():
            columns.update({column: [shown(text) for text in texts]
                            for column, texts in columns.items() if isinstance(texts, list)})
        self.assertEqual(self.files("t", ".csv"), sorted(stored))
        for name, columns in stored.items():
            with open(self.folder / "t" / f"{name}.csv", newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assert_same(name, columns, rows)
            if rows:
                self.assertEqual(set(rows[0]) - {"sentence"}, set(columns))

    def test_all_tables_read_back_from_json_lines(self):
        self.corridor("export", "a.h5", "--all", "t", "--raw", "--format", "jsonl")
        stored = self.stored()
        self.assertEqual(self.files("t", ".jsonl"), sorted(stored))
        for name, columns in stored.items():
            lines = (self.folder / "t" / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
            self.assertEqual(lines.pop(), "")
            self.assert_same(name, columns, [json.loads(line) for line in lines])

    def test_one_is_what_all_writes(self):
        self.corridor("export", "a.h5", "--all", "t")
        listed = list(csv.DictReader(self.corridor("export", "a.h5").stdout.splitlines()))
        self.assertEqual(sorted(row["table"] for row in listed), self.files("t", ".csv"))
        for row in listed:
            done = subprocess.run([e2e.BINARY, "export", "a.h5", "--unsealed", "--table", row["table"]], cwd=self.folder, check=True,
                                  capture_output=True, env=e2e.ENVIRONMENT)
            self.assertEqual(done.stdout, (self.folder / "t" / f"{row['table']}.csv").read_bytes())
            self.assertEqual(int(row["rows"]), len(next(iter(self.stored()[row["table"]].values()))))

    def test_codes_are_words(self):
        self.corridor("export", "a.h5", "--all", "t")
        with h5py.File(self.folder / "a.h5", "r") as file:
            gray = file["cases/gray"]
            words = dict(zip(gray.attrs["flag_values"], gray.attrs["flag_meanings"].split()))
            expected = [words[code] for code in gray[()]]
            arms = [HOSTILE[code][0] for code in file["cases/arm"][()] if code != NO_TEXT]
        with open(self.folder / "t/cases.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["gray"] for row in rows], expected)
        self.assertEqual([row["arm"] for row in rows if row["arm"] != "free"], [shown(arm.decode()) for arm in arms])

    def test_bytes_that_are_no_text_are_said_to_be_none(self):
        name, left, _ = HOSTILE[NO_TEXT]
        self.change("catalog/arm/name", 0, name)
        lines = self.corridor("export", "a.h5", "-t", "catalog/arm", "--json").stdout.splitlines()
        self.assertEqual(json.loads(lines[0])["name"], left)
        done = subprocess.run([e2e.BINARY, "export", "a.h5", "--unsealed", "-t", "catalog/arm"], cwd=self.folder, check=True,
                              capture_output=True, env=e2e.ENVIRONMENT)
        self.assertIn(left.encode(), done.stdout)

    def test_what_a_terminal_obeys_is_in_no_table_and_no_message(self):
        """Whatever table, as CSV or JSON; and a path."""
        self.change("catalog/arm/description", 1, "\x1b]0;title\x07 \x9b2J \x7f".encode())
        for way in ((), ("--json",)):
            done = subprocess.run([e2e.BINARY, "export", "a.h5", "--unsealed", "-t", "catalog/arm", *way], cwd=self.folder, check=True,
                                  capture_output=True, env=e2e.ENVIRONMENT)
            self.assertIsNone(re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", done.stdout), way)
        self.assertEqual(json.loads(done.stdout.splitlines()[1])["description"], "\x1b]0;title\x07 \x9b2J \x7f")
        path = "\x1b[31m\x9b.h5"
        for words in (("show", path), ("verify", path), ("status", path), ("replay", path), ("merge", path, "-o", "b.h5"), ("run", path), ("report", "a.h5", "-o", path)):
            done = subprocess.run([e2e.BINARY, *words], cwd=self.folder, check=False, capture_output=True, env=e2e.ENVIRONMENT)
            self.assertNotIn(b"\x1b", done.stdout + done.stderr, words)
            self.assertNotIn(b"\xc2\x9b", done.stdout + done.stderr, words)

    def test_columns_are_of_tables(self):
        said = self.corridor("export", "a.h5", "-t", "catalog/arm", "-c", "name", code=3)
        self.assertIn("catalog/arm has no columns to choose from", said.stderr)
        said = self.corridor("export", "a.h5", "-t", "catalog/arms", code=3)
        self.assertIn('did you mean "catalog/arm"?', said.stderr)


class Folder(Campaign):
    def contents(self, folder="t"):
        return {str(path): path.read_bytes() for path in (self.folder / folder).rglob("*") if path.is_file()}

    def test_an_export_that_is_ended_leaves_nothing(self):
        """Neither the folder nor what was drafted for it, with the next export or without."""
        def attempt():
            process = self.begin("export", "a.h5", "--all", "ended")
            while process.poll() is None and not list(self.folder.glob(".corridor-part-*/*.csv")):
                pass
            process.terminate()
            process.communicate()
            if process.returncode == 0:
                shutil.rmtree(self.folder / "ended")
                return False
            self.assertEqual(process.returncode, -signal.SIGTERM)
            return True

        before = sorted(os.listdir(self.folder))
        self.in_time(attempt, "an export that is ended")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_export_refuses_to_overwrite_without_force(self):
        (self.folder / "t").mkdir()
        (self.folder / "t/notes").write_text("mine")
        (self.folder / "t/cases.csv").write_text("precious")
        said = self.corridor("export", "a.h5", "--all", "t", code=4)
        self.assertIn("t/cases.csv: exists already", said.stderr)
        self.assertEqual(sorted(os.listdir(self.folder / "t")), ["cases.csv", "notes"])
        self.assertEqual((self.folder / "t/cases.csv").read_text(), "precious")
        self.corridor("export", "a.h5", "--all", "t", "--force")
        self.corridor("export", "a.h5", "--all", "u")
        self.assertEqual((self.folder / "t/cases.csv").read_bytes(), (self.folder / "u/cases.csv").read_bytes())
        self.assertEqual((self.folder / "t/notes").read_text(), "mine")

    def test_all_tables_are_there_or_none(self):
        self.corridor("export", "a.h5", "--all", "u")
        whole = self.contents("u")
        # One that cannot be written, somewhere in the middle, is named; the others are not there either.
        (self.folder / "t/reorganizations.csv").mkdir(parents=True)
        for force in ((), ("--force",)):
            self.assertIn("t/reorganizations.csv: ", self.corridor("export", "a.h5", "--all", "t", *force, code=4).stderr)
        self.assertEqual((os.listdir(self.folder / "t"), self.contents()), (["reorganizations.csv"], {}))
        # What was ended on the way is no hindrance: those that are there hold the same bytes.
        (self.folder / "t/reorganizations.csv").rmdir()
        for name in sorted(whole)[::2]:
            (self.folder / "t" / pathlib.Path(name).relative_to(self.folder / "u")).parent.mkdir(exist_ok=True)
            (self.folder / "t" / pathlib.Path(name).relative_to(self.folder / "u")).write_bytes(whole[name])
        self.corridor("export", "a.h5", "--all", "t")
        self.assertEqual({name.replace("/t/", "/u/"): data for name, data in self.contents().items()}, whole)

    def test_what_is_streamed_can_go_to_a_file(self):
        for number, words in enumerate((["-t", "cases"], ["-t", "catalog/arm", "--json"], ["--format", "junit"], [])):
            said = self.corridor("export", "a.h5", *words).stdout
            self.corridor("export", "a.h5", *words, "-o", f"{number}.out")
            self.assertEqual((self.folder / f"{number}.out").read_text(), said)
            self.assertIn("exists already", self.corridor("export", "a.h5", *words, "-o", f"{number}.out", code=4).stderr)
            self.corridor("export", "a.h5", *words, "-o", f"{number}.out", "--force")
        self.corridor("export", "a.h5", "-t", "no_table", "-o", "none.out", code=3)
        self.assertFalse((self.folder / "none.out").exists())

    def test_a_full_disk_changes_nothing(self):
        self.corridor("export", "a.h5", "--all", "t")
        before = self.contents()
        for size in (0, 100, 4096):
            limit = lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            said = self.corridor("export", "a.h5", "--all", "t", "--force", code=4, preexec_fn=limit)
            self.assertIn("cannot write", said.stderr)
            self.assertEqual(self.contents(), before)

    def test_misuse_and_trouble_are_told_by_their_exit_codes(self):
        (self.folder / "file").write_text("mine")
        self.assertIn("file", self.corridor("export", "a.h5", "--all", "file", code=4).stderr)
        self.assertIn("none/t", self.corridor("export", "a.h5", "--all", "none/t", code=4).stderr)
        for words in (("--all", "t", "-t", "cases"), ("--all", "t", "-c", "case"), ("--format", "junit", "--all", "t"),
                      ("--format", "tap", "-t", "cases"), ("--format", "xml"), ("--format", "csv", "--json")):
            self.corridor("export", "a.h5", *words, code=2)
        self.assertFalse((self.folder / "t").exists())
        with open("/dev/full", "w", encoding="ascii") as full:
            for words in (("--format", "junit"), ("--format", "tap"), ("-t", "head"), ("-t", "vectors/walk")):
                done = subprocess.run([e2e.BINARY, "export", "a.h5", *words], cwd=self.folder, stdout=full, text=True,
                                      stderr=subprocess.PIPE, env=e2e.ENVIRONMENT, check=False)
                self.assertEqual(done.returncode, 4, words)


# -------------------------------------------------------------------------------------------------------- verdicts

FIGURES = ("suites", "sequences", "sequences_detecting", "cases", "reorganizations", "fault_reached", "fault_activated",
           "gray", "black", "masked", "unprovoked", "agreement_failed", "alarms_missed", "alarms_false", "smoke")
BAD = (2, 4)  # failed, smoke


def count(path):
    """For each arm its figures, whether it has a fault, and the sentences of its violations: from the rows, plainly."""
    with h5py.File(path, "r") as file:
        table = lambda name: [dict(zip(file[name], row)) for row in zip(*(file[name][c][()].tolist() for c in file[name]))]
        suites, sequences, cases, runs = (table(n) for n in ("suites", "sequences", "cases", "reorganizations"))
        descriptions = [json.loads(text) for text in file["catalog/arm/description"].asstr()[()]]
    arms = []
    for code, description in enumerate(descriptions):
        mine = lambda rows: [row for row in rows if row["arm"] == code]  # pylint: disable=cell-var-from-loop
        own = mine(runs)
        active = [r for r in own if r["fault_activated"]]
        seen = [r for r in own if r["gray"] in BAD or r["black"] in BAD]
        wrong = [c for c in mine(cases) if c["detect"] == 2]
        figures = {
            "suites": len(mine(suites)), "sequences": len(mine(sequences)), "cases": len(mine(cases)),
            "sequences_detecting": len({(r["suite"], r["sequence"]) for r in seen}), "reorganizations": len(own),
            "fault_reached": sum(r["fault_reached"] > 0 for r in own), "fault_activated": len(active),
            "gray": sum(r["gray"] in BAD for r in own), "black": sum(r["black"] in BAD for r in own),
            "masked": sum(r not in seen for r in active),
            "unprovoked": sum(r["gray"] in BAD or r["black"] in BAD for r in own if not r["fault_activated"]),
            "agreement_failed": sum(r["agreement"] == 2 for r in own),
            "alarms_missed": sum(not c["alarm"] for c in wrong), "alarms_false": sum(c["alarm"] for c in wrong),
            "smoke": sum(r["smoke"] > 1 for r in own)}
        faulty = any(description.get(key, "none") != "none" for key in ("fault", "monitor", "adoption"))
        found = figures["gray"] + figures["black"] + figures["agreement_failed"] + len(wrong) > 0
        verdict = "skipped" if not figures["suites"] else "passed" if faulty == found else "failed"
        arms.append({"figures": figures, "description": description, "verdict": verdict, "found": found})
    return arms


def parse_junit(text):
    """The structure that Jenkins' and pytest's readers agree on; returns name -> (verdict, message, properties)."""
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag == "testsuites" and set(root.attrib) == {"name", "tests", "failures", "errors", "skipped"}
    cases, totals = {}, {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in root:
        assert suite.tag == "testsuite" and set(suite.attrib) == {"name", *totals}
        mine = dict.fromkeys(totals, 0)
        assert [child.tag for child in suite][:1] == ["properties"]
        for case in suite[1:]:
            assert case.tag == "testcase" and set(case.attrib) == {"name", "classname"} and not (case.text or "").strip()
            assert case.attrib["classname"] == suite.attrib["name"]
            assert [child.tag for child in case][0] == "properties" and len(case) == 2
            properties = {entry.attrib["name"]: entry.attrib["value"] for entry in case[0]}
            assert len(properties) == len(case[0]) and all(entry.tag == "property" for entry in case[0])
            outcome = case[1]
            verdict = {"failure": "failed", "error": "error", "skipped": "skipped", "system-out": "passed"}[outcome.tag]
            message = outcome.text if verdict == "passed" else outcome.attrib["message"]
            assert set(outcome.attrib) == ({"type", "message"} if verdict in ("failed", "error") else
                                           {"message"} if verdict == "skipped" else set())
            assert case.attrib["name"] not in cases
            cases[case.attrib["name"]] = (verdict, message, properties)
            mine["tests"] += 1
            key = {"failed": "failures", "error": "errors", "skipped": "skipped"}.get(verdict)
            if key:
                mine[key] += 1
        assert all(int(suite.attrib[key]) == value for key, value in mine.items())
        for key, value in mine.items():
            totals[key] += value
    assert all(int(root.attrib[key]) == value for key, value in totals.items())
    return cases


ESCAPES = {"n": "\n", '"': '"', "\\": "\\"}


def scalar(text):
    """A double-quoted scalar of YAML, or a whole number."""
    if text.isdigit():
        return int(text)
    assert re.fullmatch(r'"([^"\\]|\\.)*"', text), text
    replace = lambda m: chr(int(m[1][1:], 16)) if m[1][0] in "xu" else ESCAPES[m[1]]
    return re.sub(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|.)", replace, text[1:-1])


def parse_tap(text):
    """https://testanything.org/tap-version-13-specification.html; lines end at LF alone. Returns a list of
    (ok, number, description, directive, block)."""
    lines = text.split("\n")
    assert lines[0] == "TAP version 13" and lines[-1] == ""
    plan, points, at = re.fullmatch(r"1\.\.(\d+)", lines[1]), [], 2
    assert plan, lines[1]
    while at < len(lines) - 1:
        point = re.fullmatch(r"(not )?ok\b(?: (\d+))?(?: ?- ?| )?((?:[^#\\]|\\.)*)(?:# *(SKIP|TODO)\b *(.*))?", lines[at])
        assert point, lines[at]
        block, at = {}, at + 1
        if lines[at] == "  ---":
            end = lines.index("  ...", at)
            into = block
            for line in lines[at + 1:end]:
                key, value = re.fullmatch(r"  (  )?(\w+):(?: (.*))?", line).group(2, 3)
                if value is None:
                    into = block[key] = {}
                else:
                    (into if line.startswith("    ") else block)[key] = scalar(value)
            at = end + 1
        description = re.sub(r"\\(.)", r"\1", point[3].strip(" "))
        points.append((not point[1], int(point[2]), description, point[4], block))
    assert [point[1] for point in points] == list(range(1, int(plan[1]) + 1))
    return points


@unittest.skipUnless(H5PY, "h5py is not there")
class Verdicts(Campaign):
    def export(self, kind, path="a.h5"):
        done = subprocess.run([e2e.BINARY, "export", path, "--format", kind, "--unsealed"], cwd=self.folder, check=True,
                              capture_output=True, env=e2e.ENVIRONMENT)
        return done.stdout.decode("utf-8")

    def check(self, names=None, verdicts=None, path="a.h5"):
        """Both formats against the counts; returns the messages."""
        arms = count(self.folder / path)
        with h5py.File(self.folder / path, "r") as file:
            raw = names or [(name, None, None) for name in file["catalog/arm/name"][()]]
        expected = verdicts or [arm["verdict"] for arm in arms]
        junit, tap = parse_junit(self.export("junit", path)), parse_tap(self.export("tap", path))
        self.assertEqual((len(junit), len(tap)), (len(arms), len(arms)))
        messages = []
        for arm, verdict, (name, in_xml, in_tap), point, (key, case) in zip(arms, expected, raw, tap, junit.items()):
            self.assertEqual(key, in_xml or name.decode())
            self.assertEqual(case[0], verdict, case)
            self.assertEqual(point[:4], (verdict in ("passed", "skipped"), point[1], in_tap or name.decode(),
                                         "SKIP" if verdict == "skipped" else None))
            self.assertEqual(point[4]["arm"], in_tap if name == HOSTILE[NO_TEXT][0] else name.decode())
            self.assertEqual(point[4]["data"], arm["figures"])
            self.assertEqual({key: int(case[2][key]) for key in FIGURES}, arm["figures"])
            for key in ("algorithm", "fault", "monitor", "adoption"):
                self.assertEqual({case[2][key], point[4][key]}, {arm["description"][key]})
            said = [point[4]["message"]] + ([point[4]["first"]] if "first" in point[4] else [])
            if verdict != "skipped":
                self.assertEqual(re.split(r"\n|; (?=box )", case[1]), said)
            messages.append(case[1])
        self.check_by_others(path)
        return messages

    def check_by_others(self, path):
        """Perl's TAP::Parser, the reference, and PyYAML and xmllint, where they are."""
        text = self.export("tap", path)
        (self.folder / "v.tap").write_text(text, encoding="utf-8")
        points = parse_tap(text)
        if shutil.which("perl"):
            script = ("use TAP::Parser; my $p = TAP::Parser->new({source => 'v.tap'}); while (my $r = $p->next) "
                      "{ die 'unknown: ' . $r->raw if $r->is_unknown; print $r->is_ok ? 1 : 0, $r->has_skip ? 1 : 0, "
                      "$r->has_todo ? 1 : 0, qq{\\n} if $r->is_test; } "
                      "print join(' ', $p->version, $p->tests_planned, scalar $p->parse_errors), qq{\\n};")
            done = subprocess.run(["perl", "-e", script], cwd=self.folder, check=True, capture_output=True, text=True)
            lines = [f"{int(ok)}{int(directive == 'SKIP')}0" for ok, _, _, directive, _ in points]
            self.assertEqual(done.stdout.splitlines(), [*lines, f"13 {len(points)} 0"])
        if importlib.util.find_spec("yaml"):
            import yaml
            blocks = re.findall(r"^  ---\n(.*?)^  \.\.\.$", text, re.S | re.M)
            self.assertEqual([yaml.safe_load(block) for block in blocks], [point[4] for point in points])
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "-"], input=self.export("junit", path).encode(), check=True)

    def test_verdicts_say_what_became_of_each_fault(self):
        found, _, free, missed, monitor = self.check(verdicts=["passed", "passed", "passed", "failed", "passed"])
        self.assertTrue(found.startswith("fault found by gray"), found)
        self.assertRegex(free, r"^no fault, and no check failed in \d+ reorganizations$")
        self.assertRegex(missed, r"^fault not reached: never activated in \d+ reorganizations; its seam ran \d+ times, its condition held \d+$")
        self.assertTrue(monitor.startswith("fault found by detect\nbox detect, suite "), monitor)

    def test_the_first_violation_is_said(self):
        rows = self.table("a.h5", "violations")
        said = self.check()
        for arm, message in zip(ARMS, said):
            first = next((r for box in ("gray", "black", "detect") for r in rows
                          if r["arm"] == arm["name"] and r["box"] == box), None)
            if first:
                self.assertIn(f"box {first['box']}, suite {first['suite']}, sequence {first['sequence']}, "
                              f"case {first['case']}: {first['sentence']}", message)

    def test_a_check_that_fails_without_a_fault_is_a_failure(self):
        description = json.dumps({"algorithm": "spada", "fault": "none", "monitor": "none", "adoption": "none"})
        self.change("catalog/arm/description", 0, description)
        messages = self.check(verdicts=["failed", "passed", "passed", "failed", "passed"])
        self.assertRegex(messages[0], r"^a check failed without a fault: gray [1-9]\d*, black .*; box gray, suite ")

    def test_masked_faults_are_not_found(self):
        """An arm whose fault is activated, with its failures taken away."""
        with h5py.File(self.folder / "a.h5", "r+") as file:
            for table in ("cases", "reorganizations", "failures"):
                mine = file[table]["arm"][()] == 0
                for box in ("gray", "black"):
                    values = file[table][box][()]
                    values[mine & numpy.isin(values, BAD)] = 1
                    file[table][box][...] = values
            for column in ("gray_violations", "black_violations"):
                values = file["reorganizations"][column][()]
                values[file["reorganizations/arm"][()] == 0] = 0
                file["reorganizations"][column][...] = values
            listed = file["violations/box"][()]
            listed[(file["violations/arm"][()] == 0) & numpy.isin(listed, (1, 2))] = 4  # of interim solutions
            file["violations/box"][...] = listed
            agreement = file["reorganizations/agreement"][()]
            agreement[file["reorganizations/arm"][()] == 0] = 3
            file["reorganizations/agreement"][...] = agreement
        messages = self.check(verdicts=["failed", "passed", "passed", "failed", "passed"])
        self.assertRegex(messages[0], r"^fault not found: activated in [1-9]\d* of \d+ reorganizations, and no check failed")

    def test_a_file_that_contradicts_itself_is_an_error(self):
        with h5py.File(self.folder / "a.h5", "r+") as file:
            rows = numpy.flatnonzero(file["reorganizations/arm"][()] == 2)
            file["reorganizations/fault_held"][rows[0]] = 1
            file["reorganizations/fault_activated"][rows[0]] = 1
        messages = self.check(verdicts=["passed", "passed", "error", "failed", "passed"])
        self.assertIn("activated only where the condition held", messages[2])

    def test_arms_without_suites_are_skipped(self):
        self.run_into("b.h5", "small.json", "--suites", 2)
        self.check(verdicts=[*[arm["verdict"] for arm in count(self.folder / "b.h5")[:2]], *["skipped"] * 3], path="b.h5")

    def test_hostile_names_leave_the_documents_readable(self):
        with h5py.File(self.folder / "a.h5", "r+") as file:
            experiment = json.loads(file["experiment"].asstr()[()])
            experiment["name"] = 'x "<&>\' \x02'
            file["experiment"][()] = json.dumps(experiment)
            for i, (name, _, _) in enumerate(HOSTILE):
                file["catalog/arm/name"][i] = name
        self.check(names=HOSTILE)
        root = xml.etree.ElementTree.fromstring(self.export("junit"))
        self.assertEqual(root[0].attrib["name"], "x \"<&>' \ufffd")
        self.assertEqual(parse_tap(self.export("tap"))[0][4]["experiment"], 'x "<&>\' \x02')

    def test_the_same_file_gives_the_same_bytes(self):
        self.run_into("b.h5", "small.json", "--log-solutions", "--jobs", 2)
        for kind in ("junit", "tap"):
            self.assertEqual(self.export(kind), self.export(kind, "b.h5"))


if __name__ == "__main__":
    e2e.main()
