#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_page.py CORRIDOR [full]: page.py finds elements of any page by role, text, id and class, within each other. The shop's basket is reached and
emptied in Chromium; shops with a planted fault fail by the assert that says so; pages of TodoMVC by the same bridge, in full those of npm, too."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CORRIDOR, FULL = pathlib.Path(sys.argv[1]).resolve(), "full" in sys.argv[2:]
PLACES = [HERE.parent / "node_modules"] + [pathlib.Path(path) for path in os.environ.get("NODE_PATH", "").split(":") if path]
PACKAGE = next((place / "todomvc" for place in PLACES if (place / "todomvc" / "learn.json").is_file()), None)
THREE = ("backbone", "knockoutjs", "vanillajs")
SETUP = {"shelf": {"id": "shelf"}, "offer": {"in": "shelf", "role": "listitem", "all": True}, "buy": {"in": "offer", "role": "button", "text": "Buy", "all": True},
         "to_basket": {"role": "link", "text": "Basket"}, "heading": {"role": "heading"}, "nothing": {"role": "link", "text": "Bask"}}


def views(page, setup, *acts):
    asked = [{"hello": {"protocol": 1, "seed": "0x1", "setup": setup}}, {"reset": True}, *acts]
    lines = "".join(json.dumps({"id": number, **request}) + "\n" for number, request in enumerate(asked, 1))
    done = subprocess.run([sys.executable, "-B", str(HERE.parent / "page.py"), str(page)], input=lines, capture_output=True, text=True, check=False)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


class Page(unittest.TestCase):
    def test_elements_are_what_they_are_called(self):
        done, (hello, first, basket, voucher, back) = views(
            HERE / "shop", [{**SETUP, "voucher": {"role": "textbox", "text": "Voucher"}, "empty": {"role": "button", "text": "Empty the basket"}}],
            {"do": "open", "path": "basket.html"}, {"do": "fill", "on": "voucher", "text": "x y"}, {"do": "open", "path": "/index.html"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(hello["world"], "page/shop")
        self.assertEqual([(e["id"], e["in"], e.get("text")) for e in first["entities"][1:]], [
            ("shelf", "page", "apple Buy pear Buy"), ("offer1", "shelf", "apple Buy"), ("offer2", "shelf", "pear Buy"), ("buy1", "offer1", "Buy"), ("buy2", "offer2", "Buy"),
            ("to_basket", "page", "Basket"), ("heading", "page", "Shop")])
        page = first["entities"][0]
        self.assertEqual((page["title"], page["path"], page["offer_count"], page["nothing_count"], page["quiet"]), ("shop", "/index.html", 2, 0, True))
        self.assertEqual([(e["id"], e["enabled"]) for e in basket["entities"][1:]], [("heading", True), ("voucher", True), ("empty", False)])
        self.assertEqual([(e["value"], e["focus"]) for e in voucher["entities"] if e["id"] == "voucher"], [("x y", True)])
        self.assertEqual(back["entities"][0]["title"], "shop")

    def test_what_is_called_wrongly_is_told(self):
        for setup, said in (([], '"setup" names elements: [{"empty": {"role": "button", "text": "Empty"}}]'),
                            ([{"page": {"id": "x"}}], '"page" is no name for elements'),
                            ([{"x": {"in": "y"}}], "x is called by none of role, text, id, class"),
                            ([{"x": {"rolle": "button", "id": "x"}}], 'x: "rolle"; known: role, text, id, class, in, all, hidden'),
                            ([{"x": {"id": "x", "all": 1}}], 'x: "all": is to be a truth value'),
                            ([{"x": {"id": "x", "in": "y"}}], 'x is in "y", which is not called; known: x'),
                            ([{"x": {"id": "x", "all": True}, "x1": {"id": "y"}}], "x1 is what one of x is called"),
                            ([{"x": {"id": "x", "in": "y"}, "y": {"id": "y", "in": "x"}}], "x, y are in each other, in a ring")):
            done, answers = views(HERE / "shop", setup)
            self.assertEqual((done.returncode, answers), (2, []), setup)
            self.assertIn(said, done.stderr)
            self.assertTrue(done.stderr.startswith("page.py: request 1: "), done.stderr)

    def system_test(self, name, code, **environment):
        done = subprocess.run([CORRIDOR, "system", "test", name, "--isolate", "never", "--json"], cwd=HERE.parent, capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        test, = json.loads(done.stdout)["tests"]
        return test

    def test_the_basket_is_reached_and_emptied_and_faults_are_found(self):
        self.assertEqual(self.system_test("shop.json", 0)["verdict"], "pass")
        for name, old, new, last in (("basket.html", 'localStorage.removeItem("basket"); show();', 'document.getElementById("basket").textContent = "";', "empty"),
                                     ("basket.html", 'localStorage.removeItem("basket"); show();', "", "empty"),
                                     ("index.html", 'basket.concat(li.firstChild.data.trim())', '[li.firstChild.data.trim()]', "to_basket"),
                                     ("index.html", 'href="basket.html"', 'href="#basket"', "to_basket")):
            with tempfile.TemporaryDirectory(prefix="corridor-test-page-") as folder:
                shutil.copytree(HERE / "shop", folder, dirs_exist_ok=True)
                page = pathlib.Path(folder) / name
                self.assertIn(old, page.read_text())
                page.write_text(page.read_text().replace(old, new))
                test = self.system_test("shop.json", 1, SHOP=folder)
                self.assertEqual((test["verdict"], test["agents"][0]["actions"][-1]), ("fail", {"do": "click", "on": last}))

    def test_roles_are_those_of_html(self):
        with tempfile.TemporaryDirectory(prefix="corridor-test-page-") as folder:
            (pathlib.Path(folder) / "index.html").write_text(
                "<!DOCTYPE html><title>r</title><input type=number value=3><select multiple><option>a</select><aside>b</aside><output>c</output><fieldset>d</fieldset>")
            roles = ("spinbutton", "listbox", "option", "complementary", "status", "group")
            done, (_, first) = views(folder, [{role: {"role": role} for role in roles}])
            self.assertEqual((done.returncode, [e["id"] for e in first["entities"][1:]]), (0, list(roles)))

    def test_within_walls_it_is_said_what_it_wants(self):
        done = subprocess.run([CORRIDOR, "system", "test", "shop.json"], cwd=HERE.parent, capture_output=True, text=True, check=False)
        if "Operation not permitted" in done.stderr:  # where walls can be had
            self.assertIn("a browser wants no sandbox (--isolate never)", done.stderr)

    def test_a_page_of_todomvc_by_the_same_bridge(self):
        self.assertEqual(self.system_test("todos_page.json", 0, TODOMVC="tests/todos")["verdict"], "pass")

    @unittest.skipUnless(FULL and PACKAGE, "in full, where npm's todomvc is there")
    def test_three_pages_of_npm(self):
        for name in THREE:
            self.assertEqual(self.system_test("todos_page.json", 0, TODOMVC=str(PACKAGE / "examples" / name))["verdict"], "pass", name)


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    sys.exit(0 if result.wasSuccessful() and len(result.skipped) < result.testsRun else 1)
