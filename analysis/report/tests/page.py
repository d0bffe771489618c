# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the page share: the program, small campaigns, the page as a tree without scripts, and a browser."""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
VOID = {"meta", "br", "input", "link", "img", "hr", "col"}

SPADA = {"name": "SPADA-F2", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40], "budget": 500}}
PSOPP = {"name": "PSOPP-F1", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}
MASKED = {"name": "masked", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [20, 60], "budget": 1500, "t1": 1000}}
SOUND = {"name": "sound", "algorithm": "psopp", "parameters": {"agents": [2, 40], "budget": 200}}

CAMPAIGNS = {}  # experiment: what it gave, by the end of the file's name; each is run once


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.children = tag, dict(attributes), parent, []

    def __getitem__(self, key):
        return self.attributes.get(key)

    def all(self, tag=None, **attributes):
        """Elements below, in order; attributes: data_x is data-x, True = any value."""
        wanted = {key.replace("_", "-").strip("-"): value for key, value in attributes.items()}
        for child in self.children:
            if isinstance(child, str):
                continue
            if (tag is None or child.tag == tag) and all(
                    key in child.attributes if value is True else child.attributes.get(key) == value for key, value in wanted.items()):
                yield child
            yield from child.all(tag, **attributes)

    def one(self, tag=None, **attributes):
        found = list(self.all(tag, **attributes))
        assert len(found) == 1, f"{len(found)} of {tag} {attributes}"
        return found[0]

    def text(self):
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


class Page(html.parser.HTMLParser):
    """Strict about what must be balanced; SVG elements may close themselves."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", {}, None)
        self.ids = []
        self.feed(text)
        self.close()
        assert self.at is self.root, f"<{self.at.tag}> is not closed"

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, attributes, self.at)
        self.at.children.append(element)
        if element["id"]:
            self.ids.append(element["id"])
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.children.append(data)


def number(text):
    """A number as it is shown; None for one that is not available."""
    text = text.replace("\u202f", "").replace("\u00a0", " ").strip().removesuffix("%").strip()
    return None if text in ("n/a", "\u2013") else float(text)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-report-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def corridor(self, *arguments, code=0, environment=None):
        as_it_is = ["--unsealed"] if arguments[0] == "report" else []  # tests change the content of files
        done = subprocess.run([BINARY, *map(str, arguments), *as_it_is], cwd=self.folder, capture_output=True,
                              env={**os.environ, "LC_ALL": "C", **(environment or {})})
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout[-500:]}{done.stderr}")
        return done

    def json(self, *arguments, code=0):
        return json.loads(self.corridor(*arguments, "--json", code=code).stdout)

    def campaign(self, name="r.h5", **changes):
        content = {"corridor_experiment": 1, "name": "small", "description": "Two faults & none.", "seed": "0x7", "suites": 4,
                   "sequences": 3, "cases": [20, 60], "model": str(SOURCE / "experiments/library/models/paper.json"),
                   "arms": [SPADA, PSOPP, MASKED, SOUND]}
        content.update(changes)
        text = json.dumps(content)
        (self.folder / "e.json").write_text(text)
        if text not in CAMPAIGNS:
            self.corridor("run", "e.json", "-o", name, "--progress", "none", "--jobs", "2", "--force")
            CAMPAIGNS[text] = {end: (self.folder / (name + end)).read_bytes() for end in ("", ".times.csv")}
        for end, content in CAMPAIGNS[text].items():
            (self.folder / (name + end)).write_bytes(content)
        return name

    def report(self, result="r.h5", *options, **others):
        """The page as text."""
        self.corridor("report", result, "-o", "page.html", "--force", *options, **others)
        return (self.folder / "page.html").read_text(encoding="utf-8")  # strict: it must be UTF-8

    def check_form(self, text):
        """What holds for any page; returns it as a tree."""
        page = Page(text)
        self.assertLess(len(text.encode()), 2_000_000)
        self.assertEqual(len(page.ids), len(set(page.ids)), "an id occurs twice")
        for element in page.root.all():
            for key, value in element.attributes.items():
                self.assertFalse(key.startswith("on"), f"{element.tag} {key}")
                self.assertNotIn(key, ("src", "srcset", "action", "formaction", "xlink:href"))
                if key == "href":
                    self.assertEqual(element.tag, "a")
                    self.assertIn(value.removeprefix("#"), page.ids, f"{value} leads nowhere")
                if key == "aria-labelledby":
                    self.assertTrue(set(value.split()) <= set(page.ids), value)
        self.assertEqual(len(list(page.root.all("script"))), 1)
        for forbidden in ("@import", "url(", "http:", "https:", "//cdn", "<link", "<iframe", "<object"):
            self.assertNotIn(forbidden, re.sub(r"<pre>.*?</pre>", "", text, flags=re.S), forbidden)
        for figure in page.root.all("svg"):
            self.assertTrue(figure["role"] == "img" and figure["aria-labelledby"])
        return page.root


class Shared(Case):
    """Tests that only look at one page, which is made once: `prepare` makes it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.made = cls().prepare()

    def setUp(self):
        pass


def main():
    result = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False).result
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 77 if skipped else 0)
