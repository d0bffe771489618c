# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor.open: a result file, its tables and views, and what can be done with a failure.

Tables are DataFrames where pandas is there, else lists of dicts (_table.Table), with the same words and numbers.
df.attrs["units"] and df.attrs["meanings"], or .units and .meanings, say what each column is.
"""
import io
import json
import os
import re

from . import _command, _errors
from ._table import Table


def _call(arguments, *accepted, **others):
    from ._run import guests

    answer = _command.call(arguments, guests=guests(), **others)
    answer.said = _errors.in_python(answer.said)
    return answer.check(*accepted)


def _pandas():
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def _frame(rows, columns, units, meanings, categories=()):
    """A DataFrame, or the rows."""
    pandas = _pandas()
    if pandas is None:
        return Table(rows, columns, units, meanings)
    frame = pandas.DataFrame(rows, columns=columns)
    for name in categories:
        frame[name] = frame[name].astype("category")
    frame.attrs["units"], frame.attrs["meanings"] = units, meanings
    return frame


def _sheet(sheet):
    """A sheet of a JSON document: a table, or the one row that it has (a dict)."""
    if "row" in sheet:
        return sheet["row"]
    columns = [column["key"] for column in sheet["columns"]]
    return _frame(sheet.get("rows", []), columns, {column["key"]: column["unit"] for column in sheet["columns"]},
                  {column["key"]: column["meaning"] for column in sheet["columns"]})


class View(dict):
    """The sheets of a view by name; printed as the program prints it."""

    def __init__(self, document, text):
        super().__init__((name, _sheet(sheet)) for name, sheet in document["sheets"].items())
        self.titles = {name: sheet["title"] for name, sheet in document["sheets"].items()}
        self.values_ = {key: value for key, value in document.items() if key not in ("sheets", "schema", "version")}
        self._text = text

    def __str__(self):
        return self._text()

    def __repr__(self):
        return f"<corridor.View: {', '.join(self)}>"

    def __getattr__(self, name):
        if name in self.__dict__.get("values_", {}):
            return self.values_[name]
        if name in self:
            return self[name]
        raise AttributeError(f"the view has {', '.join([*self.values_, *self])}, and no {name}")


def _replayed(words):
    """The View of a replay. If it differs from the file, or has no verdict, the exception has the words for readers, not the JSON."""
    answer = _call([*words, "--json"], 1, 7)
    if answer.code != 0:
        try:
            _call(words)
        except (_errors.Violated, _errors.NoVerdict) as error:
            error.args = (f"{words[1]}: {'differs from what is expected' if error.code == 1 else 'has no verdict'}\n{error.output.rstrip()}",)
            raise
        answer.check()  # it comes out so no more
    return View(json.loads(answer.output), lambda: _call(words).text)


class Test:
    """A test file: what corridor.replay executes again."""

    def __init__(self, path, said=""):
        self.path, self._said = os.fspath(path), said

    @property
    def content(self):
        """What the file says."""
        with io.open(self.path, encoding="utf-8") as file:
            return json.load(file)

    def __repr__(self):
        return f"<corridor.Test {self.path!r}>\n{self._said}".rstrip()

    def replay(self, **options):
        """Executes it again, beside what it expects. Violated: it differs."""
        from ._run import as_options

        return _replayed(["replay", self.path, *as_options(options)])


def _remove(folder, owner):
    """What is there for the moment goes with its result - of the process that made it, not with the copy of one that was forked."""
    import shutil

    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


class Result:
    """A result file. Tables are read when they are asked for."""

    def __init__(self, path, summary=None, temporary=None):
        self.path = os.fspath(path)
        self._summary, self._page, self._is_survival = summary, None, False
        if temporary:
            import weakref

            weakref.finalize(self, _remove, temporary, os.getpid())

    @property
    def summary(self):
        """What was found, in one screen (text)."""
        if self._summary is None:
            self._summary = _call(["show", self.path]).text
        return self._summary

    def _found_text(self):
        return "\n".join(line for line in self.summary.split("\n") if not re.match(r"  \w+ +corridor ", line)).rstrip()

    def __repr__(self):
        return f"<corridor.Result {self.path!r}>\n{self._found_text()}"

    # ---- what is in it

    @property
    def tables(self):
        """Names of the tables, catalogs and vectors, with their numbers of rows."""
        import csv

        return {row["table"]: int(row["rows"]) for row in csv.DictReader(io.StringIO(_call(["export", self.path]).text))}

    def table(self, name, columns=None):
        """A table, catalog ("catalog/arm") or vector ("vectors/walk") of the file: codes as words, as categories."""
        if _pandas() is not None:
            frame = self._table_by_h5py(name, columns)
            if frame is not None:
                return frame
        words = ["export", self.path, "--table", name]
        if columns:
            words += ["--columns", ",".join(columns)]
        rows = [json.loads(line) for line in _call([*words, "--format", "jsonl"]).output.splitlines()]
        names = list(rows[0]) if rows else _call(words).text.strip().split(",")
        return _frame(rows, names, {}, {}, [key for key in names if rows and isinstance(rows[0][key], str)])

    def sql(self, question, *others):
        """The answer to a question in SQL (docs/do/sql.md), over this file and others, which it calls by their names without ending."""
        paths = [self.path, *(getattr(other, "path", other) for other in others)]
        rows = [json.loads(line) for line in _call(["sql", *paths, question, "--json"]).output.splitlines()]
        names = list(rows[0]) if rows else _call(["sql", *paths, question, "--csv"]).text.strip().split(",")
        return _frame(rows, names, {}, {})

    def _table_by_h5py(self, name, columns):
        """The same, read directly; None where h5py is not there, or text is to be put together."""
        try:
            import h5py
        except ImportError:
            return None
        import numpy
        import pandas

        with h5py.File(self.path, "r") as file:
            group = file.get(name)
            if not isinstance(group, h5py.Group) or "column-order" not in group.attrs or name.startswith(("catalog/", "vectors/")):
                return None
            order = [str(one) for one in group.attrs["column-order"]]
            if name == "violations" or any(one.endswith("_start") for one in order):
                return None
            made, units, meanings = {}, {}, {}
            for one in columns or order:
                if one not in group:
                    return None  # the program says which there are
                data, attributes = group[one][()], group[one].attrs
                units[one], meanings[one] = str(attributes["units"]), str(attributes["long_name"])
                listed = re.search(r"code in (catalog/\w+)", meanings[one])
                if "flag_meanings" in attributes:
                    codes, said = attributes["flag_values"], str(attributes["flag_meanings"]).split(" ")
                elif listed:
                    codes = file[listed.group(1)]["code"][()]
                    said = [text.decode() for text in file[listed.group(1)]["name"][()]]
                else:
                    made[one] = [f"0x{number:016x}" for number in data.tolist()] if one.endswith("_hash") else data
                    continue
                place = numpy.full(max(int(numpy.max(codes, initial=0)), int(numpy.max(data, initial=0))) + 1, -1)
                place[codes] = range(len(codes))
                numbers = place[data]
                if (numbers < 0).any():
                    return None  # the program says what they mean, or that they mean nothing
                made[one] = pandas.Categorical.from_codes(numbers, said)
            frame = pandas.DataFrame(made)
            frame.attrs["units"], frame.attrs["meanings"] = units, meanings
            return frame

    def view(self, name=None, **options):
        """A view of `corridor show` (None: that of the file): its sheets by name. Options are those of `corridor show`."""
        from ._run import as_options

        words = ["show", self.path, *([name] if name else []), *as_options(options)]
        return View(json.loads(_call([*words, "--json"], 1, 7).output), lambda: _call([*words, *(["--all"] if not name else [])], 1, 7).text)

    cases = property(lambda self: self.table("cases"), doc="Executed test cases.")

    @property
    def failures(self):
        """Failing sequences: a row each, with the key of the first failing case and its class."""
        rows = self._failing()
        return _frame(rows, list(rows[0]) if rows else ["key", "class"], {}, {}, ["class", "arm"] if rows and "arm" in rows[0] else [])

    def _failing(self):
        document = json.loads(_call(["failures", self.path, "--json"]).output)
        if "failures" in document:
            return document["failures"]
        sheets = [sheet for sheet in document["sheets"].values() if any(column["key"] == "key" for column in sheet["columns"])]
        return sheets[0]["rows"] if sheets else []

    @property
    def found(self):
        """What was found: a row an arm, with its verdict."""
        view = self.view()
        return view["found"] if "found" in view else view

    # ---- a failure

    def _key(self, key):
        if key is not None:
            return key
        rows = self._failing()
        if not rows:
            raise _errors.BadInput(f"{self.path}: nothing failed", code=3)
        return rows[0]["key"]

    def replay(self, key=None, trace=True, **options):
        """Executes a failing sequence again (None: the first), alone, and compares it with the file: sheets and values of
        `corridor replay`. trace: case by case, "all" for each of them. Violated: it differs from the file."""
        from ._run import as_options

        words = ["replay", self.path, "--failure", self._key(key)]
        if trace:
            words.append("--trace" if trace is True else f"--trace={trace}")
        return _replayed([*words, *as_options(options)])

    def shrink(self, key=None, output=None, **options):
        """Makes a failing sequence (None: the first) as small as it can be and still fail in the same way, and writes it as
        a test file."""
        from ._run import as_options

        key = self._key(key)
        output = output or re.sub(r"[^\w.-]+", "-", key) + ".json"
        answer = _call(["shrink", self.path, "--failure", key, "--output", output, *as_options(options)])
        return Test(output, answer.text)

    def keep(self, folder, **options):
        """Shrinks the first failure of each class and keeps it as a test in the folder. Returns the tests."""
        from ._run import as_options

        _call(["failures", self.path, "--keep", folder, *as_options(options)])
        return [Test(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(".json")]

    def traceback(self, key=None):
        """What a function raised in a case, with its traceback and the case (text); None: in the first that ended so. "" if
        nothing was raised."""
        if key is None:
            rows = [row for row in _rows(self.table("smokes")) if row["smoke"] == "complained"]
            if not rows:
                return ""
            key = "{arm}/{suite}/{sequence}/{case}".format(**rows[0])
        import mmap

        with mmap.mmap(-1, 1 << 16) as traces:
            _call(["replay", self.path, "--failure", key], 1, traces=traces)
            text = traces[1:].rstrip(b"\0").decode("utf-8", "replace")
        return f"case {key}\n{text}" if text else ""

    # ---- pages

    def report(self, path=None, **options):
        """Writes the page of the file for a browser (None: beside it), and returns its path."""
        from ._run import as_options

        path = path or os.path.splitext(self.path)[0] + ".html"
        _call(["report", self.path, "--output", path, *as_options({"force": True, **options})])
        return path

    def picture(self):
        """The first chart of the report (SVG), "" if there is none."""
        import tempfile

        if self._page is None:
            with tempfile.TemporaryDirectory() as folder:
                _call(["report", self.path, "--output", os.path.join(folder, "page.html"), "--figures", folder])
                charts = sorted(name for name in os.listdir(folder) if name.endswith(".svg"))
                first = [name for name in charts if name.startswith("survival")] or charts
                self._page, self._is_survival = "", bool(first) and first[0].startswith("survival")
                if first:
                    with io.open(os.path.join(folder, first[0]), encoding="utf-8") as file:
                        self._page = re.sub(r"^<\?xml.*?\?>\s*(<!DOCTYPE.*?>\s*)?", "", file.read(), flags=re.S)
        return self._page

    def _repr_html_(self):
        import html

        picture, caption = self.picture(), ""
        if picture and self._is_survival:
            caption = "<div>Sequences in which nothing was detected so far</div>"
        return (f"<pre>{html.escape(self._found_text())}</pre>"
                f"<div style='max-width:40em;background:white;color:black;padding:.5em'>{caption}{picture}</div>")


def _rows(table):
    return table.to_dict("records") if hasattr(table, "to_dict") else table


def open(path):
    """The result file at `path`. BadInput if it is none, FileTrouble if it is not there."""
    path = os.fspath(path)
    _call(["show", path, "--hash"])
    return Result(path)


def replay(path, **options):
    """Executes a test file again."""
    return Test(path).replay(**options)
