#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the time of a campaign goes: shares of CPU by room and by file, as a Markdown table. Needs perf.

usage: profile.py [CORRIDOR [EXPERIMENT [SUITES]]]      (build/release/corridor, experiments/library/paper.json, 200)
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

top = pathlib.Path(__file__).resolve().parents[2]
corridor = sys.argv[1] if len(sys.argv) > 1 else str(top / "build/release/corridor")
experiment = sys.argv[2] if len(sys.argv) > 2 else str(top / "experiments/library/paper.json")
suites = sys.argv[3] if len(sys.argv) > 3 else "200"

rooms = collections.defaultdict(set)  # of files of that name
for room in ("sim/base", "sim/json", "sim/core", "sim/record", "profiles", "oracle", "experiments", "analysis",
             *sorted(str(f.relative_to(top)) for f in (top / "algorithms").iterdir() if f.is_dir())):
    for path in (top / room).rglob("*.[ch]"):
        if "tests" not in path.parts:
            rooms[path.name].add("algorithms/host" if path.name in ("plugin.h", "module.h") else room)
rooms["philox.h"] = {"sim/base"}

with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["perf", "record", "-q", "-F", "199", "-o", f"{folder}/perf", corridor, "run", experiment, "--suites",
                    suites, "-o", f"{folder}/result.h5", "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
    report = subprocess.run(["perf", "report", "-i", f"{folder}/perf", "--no-children", "--stdio", "--sort", "dso,srcfile"],
                            check=True, capture_output=True, text=True).stdout

shares, files = collections.Counter(), collections.defaultdict(collections.Counter)
for share, library, name in re.findall(r"^ *([\d.]+)% +(\S+) *(\S*)", report, re.M):
    if library == pathlib.Path(corridor).name:
        room = " or ".join(sorted(rooms.get(name, {"elsewhere"})))
    else:
        room, name = library.split(".so")[0].strip("[]"), ""
    shares[room] += float(share)
    files[room][name] += float(share)

print("| where | share of CPU | files |\n| --- | --- | --- |")
for room, share in shares.most_common():
    if share >= 0.3:
        most = ", ".join(f"`{name}` {part:.1f}" for name, part in files[room].most_common(6) if name and part >= 0.3)
        print(f"| {room} | {share:.1f} % | {most} |")
