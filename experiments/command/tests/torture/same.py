#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""same.py CORRIDOR SOURCE MODULE [SUITES]: one campaign with 1, 2, 3, 8 and 16 workers, in other orders, and in five locales that
are made for it: the same file, byte for byte; and with its algorithm as a MODULE: the same rows. (Compilers and flags: .ci/same-bits.)"""
import os
import pathlib
import shutil
import subprocess
import sys

import campaign

CORRIDOR, SOURCE, MODULE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
SUITES = int(sys.argv[4]) if len(sys.argv) > 4 else 6
LOCALES = ("de_DE", "tr_TR", "fa_IR", "hi_IN", "fr_CH")  # decimal commas and points, other digits, the i without a dot
TABLES = ("suites", "sequences", "cases", "agents", "reorganizations", "violations", "failures")


def experiment(algorithm):
    return {"name": "same", "seed": "0x7", "suites": SUITES, "sequences": 2, "cases": [20, 60],
            "arms": [{"name": "S", "algorithm": algorithm, "fault": "f2", "parameters": {"agents": [2, 40]}},
                     {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}]}


def make_locales(folder):
    made = {}
    for name in LOCALES[:5 if SUITES > 5 else 2] if shutil.which("localedef") else ():
        done = subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(folder / f"{name}.UTF-8")], capture_output=True, check=False)
        if (folder / f"{name}.UTF-8").is_dir() and done.returncode in (0, 1):  # 1: warnings
            made[name] = {"LOCPATH": str(folder), "LC_ALL": f"{name}.UTF-8", "LANG": f"{name}.UTF-8"}
    return made


def rows_of(bad):
    """All rows of the tables that both files have."""
    found = {}
    for table in TABLES:
        done = subprocess.run([CORRIDOR, "export", campaign.RESULT, "-t", table], cwd=bad.folder, capture_output=True, text=True, check=False)
        if done.returncode != campaign.DONE:
            sys.exit(f"{table}: {done.stderr}")
        found[table] = done.stdout
    return found


def main():
    with campaign.Campaign(CORRIDOR, SOURCE, experiment("spada")) as same, campaign.Campaign(CORRIDOR, SOURCE, experiment("./spada.so")) as other:
        same.run_quietly()
        runs = [(f"{jobs} workers", jobs, [], {}) for jobs in (1, 2, 3, 8, 16)]
        runs += [(f"{jobs} workers, shuffled by {dice}", jobs, ["--shuffle", str(dice)], {}) for jobs, dice in ((1, 3), (2, 7), (8, 11), (16, 13))]
        locales = make_locales(other.folder)
        runs += [(f"in {name}", 2, [], environment) for name, environment in locales.items()]
        for what, jobs, options, environment in runs:
            done = subprocess.run([*same.command(jobs), *options], cwd=same.folder, env={**os.environ, **environment}, capture_output=True,
                                  text=True, check=False)
            same.expect(done.returncode == campaign.DONE and same.result() == same.quiet, what, done)
            same.clean()
        same.run_quietly()
        (same.folder / campaign.RESULT).write_bytes(same.quiet)
        shutil.copy(MODULE, other.folder / "spada.so")
        done = other.run(jobs=3)
        other.expect(done.returncode == campaign.DONE, "as a module", done)
        rows = rows_of(same)
        if done.returncode == campaign.DONE and rows != rows_of(other):
            other.problems.append("the module's rows are others")
        return campaign.report("one digest", len(runs) + 1, same.problems + other.problems,
                               f"1 to 16 workers, shuffled, {len(locales)} locales{'' if locales else ' (no localedef: skipped)'}, built-in and module "
                               f"({sum(text.count(chr(10)) for text in rows.values())} rows)")


if __name__ == "__main__":
    sys.exit(main())
