#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The profiles of the library are what the commands on its page give, byte for byte."""
import re
import shlex
import shutil

import e2e
from e2e import SOURCE


class Library(e2e.Case):
    def test_commands_of_the_page(self):
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
            self.corridor("profile", "show", path, "--draw", "picture.dot")
            self.assertIn("digraph", (self.folder / "picture.dot").read_text())

    def test_pictures(self):
        path = SOURCE / "profiles/library/biogas.json"
        self.corridor("profile", "show", path, "--draw", "picture.gif", code=3)
        if not shutil.which("dot"):
            self.skipTest("graphviz is not there")
        self.corridor("profile", "show", path, "--draw", "picture.svg")
        self.assertIn("<svg", (self.folder / "picture.svg").read_text())


if __name__ == "__main__":
    e2e.main()
