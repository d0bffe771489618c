#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_browser.py CORRIDOR SOURCE_DIRECTORY: the page in headless Chromium without a network: no error, no request, tables sort,
failures can be filtered, nothing is wider than the window, text can be read on its ground in light and dark, it prints.

Questions are put by a script added to a copy of the page; its answers are read from the document that Chromium prints."""
import base64
import json
import os
import re
import shutil
import subprocess
import unittest

import page
from page import Shared

CHROMIUM = shutil.which("chromium")
LIGHT, DARK = "1", "0"  # preferredColorScheme

# Before anything of the page: what goes wrong is kept.
WATCH = """<script>window.trouble = [];
window.addEventListener("error", function (e) { trouble.push(String(e.message || e.target.outerHTML)); }, true);
["error", "warn"].forEach(function (kind) { console[kind] = function () { trouble.push([].join.call(arguments, " ")); }; });
window.addEventListener("securitypolicyviolation", function (e) { trouble.push(e.violatedDirective); });
</script>"""
ASK = """<script>window.addEventListener("load", function () {
  function texts(name, column) {
    return [].map.call(document.querySelector("table[data-table=" + name + "], table[data-sheet=" + name + "]").tBodies[0].rows,
      function (row) { return row.cells[column].textContent; });
  }
  function click(name, column) {
    document.querySelector("table[data-table=" + name + "], table[data-sheet=" + name + "]").tHead.rows[0].cells[column].querySelector("button").click();
  }
  function shown() {
    return [].filter.call(document.querySelectorAll("table[data-table=failures] tbody tr"), function (row) { return !row.hidden; });
  }
  function arm_of(row) { return row.closest("details").querySelector("b").textContent; }
  function folded(open) { return [].filter.call(document.querySelectorAll("details.failing"), function (one) { return one.open === open && !one.hidden; }).length; }
  function choose(name, value) {
    var form = document.querySelector("form.filters");
    form[name].value = value;
    form.dispatchEvent(new Event("input"));
  }
  function ground(element) {
    for (; element; element = element.parentElement) {
      var colour = getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number);
      if (colour.length < 4 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  }
  function brightness(colour) {
    var linear = colour.slice(0, 3).map(function (c) {
      c /= 255;
      return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }
  function contrast(element) { /* WCAG 2.1, 1.4.3 */
    var a = brightness(getComputedStyle(element).color.match(/[\\d.]+/g).map(Number)), b = brightness(ground(element));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }
  var answers;
  try { answers = (function () { QUESTION })(); } catch (e) { answers = {failed: String(e)}; }
  var out = document.createElement("pre");
  out.id = "answers";
  out.textContent = btoa(unescape(encodeURIComponent(JSON.stringify({answers: answers, trouble: trouble,
    ready: document.documentElement.getAttribute("data-ready"),
    requests: performance.getEntriesByType("resource").map(function (e) { return e.name; })}))));
  document.body.appendChild(out);
});</script>"""

FRAME = """<!doctype html><iframe src="asked.html" style="border:0;width:WIDTHpx;height:900px"></iframe><script>
setInterval(function () {
  var said = document.querySelector("iframe").contentDocument.getElementById("answers");
  if (said && !document.getElementById("answers")) document.body.appendChild(document.importNode(said, true));
}, 50);</script>"""


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class Browser(Shared):
    def chromium(self, *arguments, width=1400, scheme=LIGHT):
        done = subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             f"--user-data-dir={self.folder}/profile", f"--window-size={width},1000", f"--blink-settings=preferredColorScheme={scheme}",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--virtual-time-budget=10000", *arguments],
            capture_output=True, cwd=self.folder, env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout.decode("utf-8", "replace")

    def ask(self, text, question, **how):
        text = text.replace("<head>", "<head>" + WATCH, 1).replace("</body>", ASK.replace("QUESTION", question) + "</body>", 1)
        (self.folder / "asked.html").write_text(text)
        name = "asked.html"
        if how.get("width", 500) < 500:  # a window of Chromium is not narrower: the page is put into a frame that is
            name = "frame.html"
            (self.folder / name).write_text(FRAME.replace("WIDTH", str(how.pop("width"))))
        document = self.chromium("--dump-dom", "--allow-file-access-from-files", f"file://{self.folder}/{name}", **how)
        found = re.search(r'<pre id="answers">([^<]*)</pre>', document)
        self.assertIsNotNone(found, document[-500:])
        said = json.loads(base64.b64decode(found.group(1)))
        self.assertEqual((said["trouble"], said["requests"], said["ready"]), ([], [], "yes"))
        if isinstance(said["answers"], dict):
            self.assertNotIn("failed", said["answers"])
        return said["answers"]

    def prepare(self):
        self.campaign(arms=[page.SOUND, page.PSOPP, page.SPADA])
        self.report()

    @property
    def text(self):
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_a_click_on_a_heading_sorts_the_table(self):
        said = self.ask(self.text, """
          var column = [].findIndex.call(document.querySelectorAll("table[data-sheet=found] thead th"),
            function (head) { return head.getAttribute("data-key") === "failures"; });
          var before = texts("found", column); click("found", column); var down = texts("found", column); click("found", column);
          var up = texts("found", column), sorts = document.querySelectorAll("th[aria-sort]").length; click("found", 0);
          return {before: before, down: down, up: up, sorts: sorts, names: texts("found", 0),
                  buttons: document.querySelectorAll("table.sorts thead button").length,
                  heads: document.querySelectorAll("table.sorts thead th").length};""")
        numbers = [int(text.replace("\\u202f", "")) for text in said["before"]]
        self.assertNotEqual(numbers, sorted(numbers, reverse=True))  # else the test shows nothing
        self.assertEqual([int(text) for text in said["down"]], sorted(numbers, reverse=True))
        self.assertEqual([int(text) for text in said["up"]], sorted(numbers))
        self.assertEqual(said["sorts"], 1)
        self.assertEqual(said["names"], sorted(said["names"], key=str.lower))
        self.assertEqual(said["buttons"], said["heads"])

    def test_failures_are_filtered_by_arm_box_check_and_text(self):
        said = self.ask(self.text, """
          var all = shown().length, result = {all: all, folded: folded(false), open: folded(true)};
          choose("arm", "2"); result.arm = shown().map(arm_of); result.of_arm = folded(false);
          choose("arm", ""); choose("box", "black");
          result.black = shown().map(function (row) { return row.getAttribute("data-box"); });
          choose("box", ""); choose("check", "1");
          result.missing = shown().map(function (row) { return row.cells[1].textContent; });
          choose("check", ""); choose("text", "no such words"); result.none = shown().length + folded(false);
          result.said = document.querySelector("form.filters output").textContent;
          choose("text", "in no partition"); result.found = [shown().length, folded(false), folded(true)];
          choose("text", ""); result.again = shown().length; result.closed = folded(false); return result;""")
        self.assertGreater(said["all"], 3)
        self.assertEqual(set(said["arm"]), {"SPADA-F2"})
        self.assertLess(len(said["arm"]), said["all"])
        self.assertTrue(said["black"] and all("black" in boxes.split() for boxes in said["black"]))
        self.assertLess(len(said["black"]), said["all"])
        self.assertTrue(said["missing"] and all("is in no partition" in text for text in said["missing"]))
        self.assertEqual((said["none"], said["said"], said["again"]), (0, f"0 of {said['all']} shown", said["all"]))
        # Classes are folded; those in which a text is found are opened until it is taken away.
        self.assertEqual((said["open"], said["closed"]), (0, said["folded"]))
        self.assertLess(said["of_arm"], said["folded"])
        found, closed, opened = said["found"]
        self.assertEqual((found > 0, closed, opened > 0), (True, 0, True))

    def test_nothing_is_wider_than_the_window(self):
        for width in (400, 600, 1000, 1600):
            said = self.ask(self.text, "return {page: document.documentElement.scrollWidth, window: window.innerWidth};", width=width)
            self.assertLessEqual(said["page"], said["window"])
            if width == 400:
                self.assertEqual(said["window"], width)

    def test_cells_of_sheets_are_in_view_in_a_narrow_window_and_are_named(self):
        said = self.ask(self.text, """
          document.querySelectorAll("details").forEach(function (d) { d.open = true; });
          var outside = [], looked = 0, named = {};
          document.querySelectorAll(".sheet td, .record td, table.failures td, .line > *, dd, .insight").forEach(function (cell) {
            var box = cell.getBoundingClientRect();
            looked++;
            if (box.right > window.innerWidth || box.left < 0) outside.push(cell.textContent);
          });
          document.querySelectorAll("table[data-sheet=found] thead th").forEach(function (head, place) {
            var cell = document.querySelector("table[data-sheet=found] tbody tr").cells[place];
            named[head.textContent] = getComputedStyle(cell, "::before").content + getComputedStyle(cell, "::after").content;
          });
          return {outside: outside.slice(0, 10), looked: looked, named: named};""", width=400)
        self.assertEqual(said["outside"], [])
        self.assertGreater(said["looked"], 300)
        for heading, names in said["named"].items():
            if heading != "arm":  # the first cell of a row is its heading
                self.assertEqual("".join(re.findall(r'"(.*?)"', names)).split(), heading.split())

    def test_text_stands_out_from_its_ground_in_light_and_dark(self):
        grounds = set()
        for scheme in (LIGHT, DARK):
            said = self.ask(self.text, """
              document.querySelectorAll("details").forEach(function (d) { d.open = true; });
              var poor = [], looked = 0;
              document.querySelectorAll("body *").forEach(function (e) {
                var own = [].some.call(e.childNodes, function (n) { return n.nodeType === 3 && n.textContent.trim(); });
                if (!own || e.closest("svg, script, pre#answers, .heat") || !e.offsetParent) return;
                looked++;
                if (contrast(e) < 4.5) poor.push(e.tagName + "." + e.className + " " + contrast(e).toFixed(2));
              });
              var path = document.querySelector("figure svg path[stroke]"), text = document.querySelector("figure svg g[fill]");
              return {poor: poor.slice(0, 20), looked: looked, ground: getComputedStyle(document.body).backgroundColor,
                      axis: getComputedStyle(path).stroke};""", scheme=scheme)
            self.assertEqual(said["poor"], [])
            self.assertGreater(said["looked"], 300)
            grounds.add((said["ground"], said["axis"]))
        self.assertEqual(len(grounds), 2, "light and dark look alike")

    def test_pages_of_tests_searches_and_agents_fit_the_window_and_stand_out_from_their_ground(self):
        self.corridor("efsm", "mutants", page.SOURCE / "experiments/library/efsm/lossy_link.json", "--runs", "1", "--moves", "10", "-o", "m.h5")
        self.corridor("efsm", "test", page.SOURCE / "experiments/library/efsm/inres_initiator.json", "--goal", "t8", "--mutant", "t7.missing",
                      "-o", "t.h5", "--no-fail")
        self.corridor("search", page.SOURCE / "experiments/library/demo.json", "--arm", "PSOPP-F1", "--generator", "random,coverage",
                      "--islands", "2", "--budget", "5000", "-o", "s.h5")
        self.corridor("agent", "test", page.SOURCE / "experiments/library/agents/fig2.json", "-o", "a.h5", "--no-fail")
        for file in ("my_ring.json", "my_ring.py"):
            shutil.copy(page.SOURCE / "experiments/library/new/stabilize_python" / file, self.folder)
        shutil.copy(page.SOURCE / "experiments/library/processes/corridor_process.py", self.folder)
        (self.folder / "r.h5").write_bytes(self.corridor("stabilize", "my_ring.json", "--json", "--pictures", code=1).stdout)
        for name, width, scheme in (("r", 400, DARK), ("r", 1280, LIGHT), ("m", 400, DARK), ("t", 600, LIGHT), ("s", 400, DARK), ("a", 400, LIGHT)):
            self.corridor("report", f"{name}.h5", "-o", f"{name}.html", "--force")
            said = self.ask((self.folder / f"{name}.html").read_text(encoding="utf-8"), """
              document.querySelectorAll("details").forEach(function (d) { d.open = true; });
              var poor = [], looked = 0, root = document.documentElement;
              document.querySelectorAll("td, th, p, dd, dt, h1, h2, h3, a, caption").forEach(function (e) {
                if (!e.textContent.trim() || !e.offsetParent || e.closest(".heat")) return;
                looked++;
                if (contrast(e) < 4.5) poor.push(e.tagName + "." + e.className + " " + contrast(e).toFixed(2));
              });
              return {poor: poor.slice(0, 20), looked: looked, page: root.scrollWidth, window: window.innerWidth,
                      figures: document.querySelectorAll("figure svg").length};""", width=width, scheme=scheme)
            self.assertEqual(said["poor"], [])
            self.assertGreater(said["looked"], 40)
            self.assertLessEqual(said["page"], said["window"])
            if name == "t" and shutil.which("dot"):
                self.assertEqual(said["figures"], 1)

    def test_figures_are_drawn_in_place(self):
        said = self.ask(self.text, """
          document.querySelectorAll("details").forEach(function (d) { d.open = true; });
          return [].map.call(document.querySelectorAll("figure svg"), function (svg) {
            var box = svg.getBoundingClientRect(), outside = 0;
            svg.querySelectorAll("text").forEach(function (text) {
              var t = text.getBoundingClientRect();
              if (t.width > 0 && (t.left < box.left - 3 || t.right > box.right + 3 || t.top < box.top - 3 || t.bottom > box.bottom + 3))
                outside++;
            });
            return {name: svg.parentElement.id, width: box.width, height: box.height, outside: outside,
                    shapes: svg.querySelectorAll("path, polygon, rect").length};
          });""")
        self.assertGreater(len(said), 6)
        for figure in said:
            self.assertGreater(min(figure["width"], figure["height"]), 40, figure)
            self.assertGreater(figure["shapes"], 3, figure)
            self.assertEqual(figure["outside"], 0, figure)

    def test_the_page_can_be_printed(self):
        self.chromium(f"--print-to-pdf={self.folder}/p.pdf", "--no-pdf-header-footer", f"file://{self.folder}/page.html", scheme=DARK)
        printed = (self.folder / "p.pdf").read_bytes()
        self.assertTrue(printed.startswith(b"%PDF"))
        self.assertGreater(len(re.findall(rb"/Type\s*/Page\b", printed)), 3)

    def test_markup_in_names_stays_text(self):
        name = "<img src=x onerror=trouble.push(1)>"
        self.campaign(name="h.h5", arms=[{**page.SPADA, "name": name}, {**page.PSOPP, "name": "<b onmouseover=x>&amp;"}],
                      description="<svg onload=trouble.push(2)></svg><script>trouble.push(3)</script>")
        self.corridor("report", "h.h5", "-o", "h.html")
        said = self.ask((self.folder / "h.html").read_text(encoding="utf-8"), """click("found", 0); choose("arm", "0");
          return {title: document.title, names: texts("found", 0), images: document.querySelectorAll("img").length};""")
        self.assertEqual(sorted(said["names"]), ["<b onmouseover=x>&amp;", name])
        self.assertEqual((said["title"], said["images"]), ("small \u00b7 Corridor", 0))


if __name__ == "__main__":
    page.main()
