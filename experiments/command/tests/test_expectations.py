#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of what users expect: it has all 33, each names a command or a page, and every command and option it names is there."""
import re

import e2e
from e2e import SOURCE

PAGE = SOURCE / "docs/evidence/expectations.md"


class Expectations(e2e.Case):
    def test_all_are_there_and_each_says_where(self):
        text = PAGE.read_text(encoding="utf-8")
        items = re.findall(r"^(\d+)\. \*\*(.*?)(?=^\d+\. \*\*|^## |\Z)", text, re.M | re.S)
        self.assertEqual([int(number) for number, _ in items], list(range(1, 34)))
        for number, item in items:
            self.assertTrue("`" in item or "](" in item or number == "18", item)

    def test_every_command_and_option_that_is_named_is_there(self):
        commands = set()
        for _, item in re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S):
            before = None
            for said in re.findall(r"`([^`]*)`", " ".join(item.split())):
                words = said.split()
                if words[0] == "corridor" and words[1] != "--version":
                    before = words[1:3] if words[1] in ("efsm", "system", "profile", "agent") else words[1:2]
                    commands.add(" ".join(before))
                options = [word for word in words if word.startswith("--") and word not in ("--version",)]
                for option in options:
                    if before:
                        self.assertRegex(self.corridor(*before, "--help").stdout, rf"{option}\b", said)
        self.assertGreater(len(commands), 15)


if __name__ == "__main__":
    e2e.main()
