#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/do/python.md: its blocks run as they stand, in order, and what it says of results and of exceptions is so."""
import os
import re

import package
from package import SOURCE, Case, corridor
from test_python_run import LAMPS


class Page(Case):
    def test_the_blocks_run_and_do_what_is_said(self):
        page = next(SOURCE.glob("docs/**/python.md")).read_text()
        (self.folder / "experiments").symlink_to(SOURCE / "experiments")
        what = {key: value for key, value in LAMPS.items() if key != "arms"}
        names = {"corridor": corridor, "experiment": {**what, "mode": "paired", "suites": 2}}
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
            for block in blocks:
                exec(compile(block, "python.md", "exec"), names)
                if "def snake" in block:
                    verdicts = {row["arm"]: row["verdict"] for row in self.rows(names["result"].found)}
                    self.assertEqual(verdicts, {"snake": "no check failed", "snake-loses": "found"})
            self.assertEqual(len(blocks), 5)
            gossip = corridor.run(names["experiment"], algorithm=names["Gossip"], progress=False)
            self.assertEqual(self.rows(gossip.found)[0]["verdict"], "no check failed")
            tickets = corridor.run({
                "process": {"program": "tickets", "count": 3}, "seed": 7, "suites": 2, "sequences": 10, "cases": 10,
                "corridor": ["structure observed", "channel tickets", "invariant once: agree(tickets)"],
                "environment": {"states": {"storm": {"delay": [1, 50], "crash": 0.5, "down": [10, 100], "input": 4}}},
                "faults": ["crash"]}, progress=False)
            self.assertIn("once", tickets.summary)
        finally:
            os.chdir(here)

    @staticmethod
    def rows(table):
        return table.to_dict("records") if hasattr(table, "to_dict") else table

    def test_each_exception_has_the_code_that_the_page_says(self):
        page = next(SOURCE.glob("docs/**/python.md")).read_text()
        rows = re.findall(r"^\| (\d) \| `corridor\.(\w+)` \|$", page, re.M)
        self.assertEqual([int(code) for code, _ in rows], [1, 2, 3, 4, 5, 6, 7])
        for code, name in rows:
            self.assertEqual(getattr(corridor, name).code, int(code))


if __name__ == "__main__":
    package.main()
