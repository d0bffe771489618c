#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An experiment that lists some of the units has a file of these, which every reader reads: views, tables, report, replay, verification
and merging.

test_some_units.py CORRIDOR LIBRARY"""
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py


def run(corridor, *words, code=0):
    done = subprocess.run([corridor, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout[-500:], done.stderr)
    return done.stdout + done.stderr


def read_all(corridor, folder, file, units):
    """Every reader, and what the file says of its units."""
    rows = json.loads(run(corridor, "show", file, "findings", "--json"))["sheets"]["units"]["rows"]
    assert sorted({row["unit"] for row in rows}) == sorted(units), (rows, units)
    run(corridor, "show", file)
    with h5py.File(file) as h5:
        tables = [name for name, group in h5.items() if isinstance(group, h5py.Group) and name not in ("catalog", "vectors")]
        assert len(h5["units/arm"]) == 2 * 2 * len(units), (len(h5["units/arm"]), units)
    for table in tables:
        run(corridor, "export", file, "--table", table)
    for form in ("junit", "tap"):
        run(corridor, "export", file, "--format", form)
    run(corridor, "report", file, "-o", folder / "page.html", "--force")
    run(corridor, "verify", file)
    run(corridor, "replay", file)
    run(corridor, "show", file, "--hash")


def main(corridor, library):
    design, faults = library / "book_shelf.json", library / "book_shelf_faults.json"
    known = [fault["name"] for fault in json.loads(faults.read_text())["faults"]]
    arms = [{"name": "sound"}, {"name": "faulty", "fault": known[0]}]
    all_units = [unit["unit"] for unit in json.loads(run(corridor, "agent", "cases", design, "--json"))["units"]]
    with tempfile.TemporaryDirectory(prefix="corridor-units-") as name:
        folder = pathlib.Path(name)
        for units in (all_units, all_units[:1], all_units[1:]):
            said = {"name": "some", "design": str(design), "faults": str(faults), "arms": arms, "units": units, "repeat": 2}
            (folder / "e.json").write_text(json.dumps(said))
            run(corridor, "run", folder / "e.json", "-o", folder / "e.h5", "--progress", "none", "--force")
            read_all(corridor, folder, folder / "e.h5", units)
        # Half of the plan, and then all of it by two shares.
        camp = folder / "camp"
        run(corridor, "plan", folder / "e.json", "-o", camp)
        for share, file, more in (("1/2", "half.h5", ("--partial",)), ("2/2", "whole.h5", ())):
            run(corridor, "run", camp, "--share", share, "--progress", "none")
            run(corridor, "merge", camp, "-o", folder / file, *more)
            run(corridor, "show", folder / file, "findings")
        hashes = {run(corridor, "show", folder / file, "--hash").split()[0] for file in ("e.h5", "whole.h5")}
        assert len(hashes) == 1, hashes
        run(corridor, "agent", "test", design, "--unit", all_units[-1], "-o", folder / "one.h5")
        run(corridor, "show", folder / "one.h5", "findings")
        run(corridor, "verify", folder / "one.h5")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
