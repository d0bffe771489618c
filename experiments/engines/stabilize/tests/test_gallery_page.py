#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of docs/gallery/stabilize.md: of each published algorithm, right and with a line wrong, the largest small system that tells the two apart, as the
engine goes through it. It is held against the page; --write makes it.

usage: test_gallery_page.py PROGRAM SOURCE_DIRECTORY [--write]"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from published import TRUTH, ask, rows  # noqa: E402

STATES_MOST = 5000
DAEMONS = "central", "distributed", "synchronous"


def cell(found):
    """What was found of a system under a daemon, in a few words."""
    if found is None:
        return ""
    if found["from"] == "never" or found["can_stay"]:
        if found["dead_ends"] and not found["in_loops"]:
            return f"rests in {found['dead_ends']:,} state{'s' * (found['dead_ends'] != 1)}"
        return f"loops: {found['shortest']} step{'s' * (found['shortest'] != 1)}"
    if found["leaving"]:
        return "does not stay"
    if found["from"] == "unfair":
        return f"{found['worst_steps']} step{'s' * (found['worst_steps'] != 1)}"
    return {"weak": "if weakly fair", "strong": "if strongly fair", "chance": f"by chance, {found['expected_worst'] or 0:.2f} steps"}[found["from"]]


def table(program):
    variants = {}  # by name: [(row, found by daemon)]
    small = [row for row in rows() if len(row.states) <= STATES_MOST and "in_a_row" not in row.name]
    for row, answers in zip(small, ask(program, [(row.text(), [f"ask {daemon} unfair" for daemon in row.known]) for row in small])):
        name, size = row.name.split(" ", 1)
        variants.setdefault(name, []).append((size, len(row.states), dict(zip(row.known, map(cell, answers)))))
    for algorithm in sorted(TRUTH["algorithms"], key=lambda algorithm: algorithm["title"]):
        name = algorithm["name"]
        right = variants[name]
        yield f"| **{algorithm['title']}** | | | | |"
        changes = [("right", name)] + [(None, f"{name}/{wrong['name']}") for wrong in algorithm["wrong"]]
        told = {f"{name}/{wrong['name']}": f"`{wrong['instead'].strip()}`" if "line" in wrong else wrong["note"] for wrong in algorithm["wrong"]}
        for said, variant in changes:
            known = {size: cells for size, _, cells in right}
            apart = [one for one in variants[variant] if said or one[0] not in known or one[2] != known[one[0]]]
            size, states, cells = max(apart or variants[variant], key=lambda one: one[1])
            cells = {("central" if daemon not in DAEMONS else daemon): text for daemon, text in cells.items()}
            text = said or told[variant]
            yield f"| {text.replace('|', chr(92) + '|')} | {size}: {states:,} | " + " | ".join(cells.get(daemon, "") for daemon in DAEMONS) + " |"


def main():
    program, source = sys.argv[1:3]
    page = pathlib.Path(source) / "docs/gallery/stabilize.md"
    begin, end = "<!-- table -->\n", "<!-- end of table -->"
    text = page.read_text()
    parts = re.fullmatch(f"(.*{begin})(.*?)({end}.*)", text, re.S)
    lines = ["| right, or what is wrong | system: states | central | distributed | synchronous |", "| --- | --- | --- | --- | --- |", *table(program)]
    made = "\n".join(lines) + "\n"
    if "--write" in sys.argv:
        page.write_text(parts.group(1) + made + parts.group(3))
    count = sum(not line.endswith("| | | | |") for line in lines[2:])
    if not parts or parts.group(2) != made and "--write" not in sys.argv:
        print(f"{page}: the table is not what the engine finds; {pathlib.Path(sys.argv[0]).name} PROGRAM SOURCE --write makes it\n0 passed, {count} failed, 0 skipped")
        return 1
    print(f"{count} passed, 0 failed, 0 skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
