#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor.R: every table of a file as `corridor export` writes it, frames as views have them, errors, and the lines of
docs/do/r.md with their pictures. Skipped where R, hdf5r or h5py is not there. In full: a file of each layer, and not of one.

test_r.py CORRIDOR SOURCE_DIRECTORY [in-full]"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

BINARY, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
IN_FULL = sys.argv[3:] == ["in-full"]
CODE = SOURCE / "experiments/r/corridor.R"
LIBRARY = SOURCE / "experiments/library"
MODEL = str(LIBRARY / "models/paper.json")


def skip(what):
    print(f"0 passed, 0 failed, 1 skipped: {what} is not there")
    sys.exit(77)


def run(*words, codes=(0,)):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def corridor(*words, codes=(0,)):
    return run(BINARY, *words, codes=codes)


def experiment(file, **content):
    (folder / file).write_text(json.dumps(content))
    return file


def make_files():
    arms = [{"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40], "budget": 500}},
            {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}]
    small = experiment("small.json", corridor_experiment=1, name="small", seed="0x7", suites=3, sequences=2, cases=[20, 60], model=MODEL, arms=arms)
    corridor("run", small, "-o", "interaction.h5", "--log-solutions")
    if not IN_FULL:
        return ["interaction.h5"]
    processes = json.loads((LIBRARY / "processes/two_phase.json").read_text())
    processes.update(suites=2, sequences=20, corridor=str(LIBRARY / "processes/two_phase.corridor"))
    corridor("run", experiment("processes.json", **processes), "-o", "process.h5")
    corridor("run", LIBRARY / "systems/ten_buttons.json", "-o", "system.h5", codes=(0, 1))
    corridor("agent", "test", LIBRARY / "agents/fig2.json", "-o", "agent.h5", codes=(0, 1))
    corridor("efsm", "test", LIBRARY / "efsm/inres_initiator.json", "--goal", "t8", "--runs", "2", "-o", "efsm.h5")
    corridor("search", LIBRARY / "demo.json", "--arm", "PSOPP-F5", "--budget", "500", "-o", "search.h5")
    return ["interaction.h5", "process.h5", "system.h5", "agent.h5", "efsm.h5", "search.h5"]


def make_truth(files):
    large = set()
    for name in files:
        corridor("export", name, "--all", f"{name}.tables")
        for path in (folder / f"{name}.tables").rglob("*.csv"):
            large |= set(re.findall(r"(?<![\w.-])\d{1,20}(?![\w.])", path.read_text(encoding="utf-8")) if path.name != "head.csv" and
                         path.parent.name != "vectors" else ())
    (folder / "decimal").write_text("".join(f"{number},0x{int(number):016x}\n" for number in sorted(large) if int(number) < 2**64))
    rows = json.loads(corridor("failures", "interaction.h5", "--json"))["failures"]
    (folder / "interaction.keys").write_text("".join(row["key"] + "\n" for row in rows))
    if IN_FULL:
        rows = [json.loads(line) for line in corridor("export", "process.h5", "--table", "sequences", "--json").splitlines()]
        keys = ["{arm}/{suite}/{sequence}".format(**row) for row in rows if row["verdict"] == "failed"]
        assert keys
        (folder / "process.keys").write_text("".join(key + "\n" for key in keys))
    said = corridor("show", "interaction.h5").split("\n\n")[0]
    (folder / "interaction.said").write_text(said + "\n")
    for name in ("major.h5", "schema.h5"):
        shutil.copy(folder / "interaction.h5", folder / name)
    with h5py.File(folder / "major.h5", "r+") as file:
        file.attrs["format_version"] = "2.0.0"
    with h5py.File(folder / "schema.h5", "r+") as file:
        whole = file["schema"][()]
        del file["schema"]
        file["schema"] = whole[:len(whole) // 2]
    with h5py.File(folder / "other.h5", "w") as file:
        file["cases"] = [1, 2]


def run_page():
    """The page's lines, in their order, on a small file that is called as the page calls it; two pictures come of them."""
    page = (SOURCE / "docs/do/r.md").read_text(encoding="utf-8")
    lines = "".join(re.findall(r"^```r\n(.*?)^```$", page, re.S | re.M))
    shutil.copy(CODE, folder / "corridor.R")
    shutil.copy(folder / "interaction.h5", folder / "demo.h5")
    (folder / "page.R").write_text(f"options(corridor.command = {json.dumps(str(BINARY))}, warn = 2)\n{lines}", encoding="utf-8")
    run("Rscript", "page.R")
    for picture in re.findall(r'svg\("(\w+[.]svg)"', lines):
        root = xml.dom.minidom.parse(str(folder / picture)).documentElement
        assert root.tagName == "svg" and len(root.getElementsByTagName("path")) > 10, picture
    assert len(re.findall(r'svg\("', lines)) == 2


if not shutil.which("Rscript"):
    skip("R (r-base-core)")
if subprocess.run(["Rscript", "-e", "library(hdf5r)"], capture_output=True).returncode != 0:
    skip("hdf5r (r-cran-hdf5r)")
try:
    import h5py
except ImportError:
    skip("h5py (python3-h5py)")
with tempfile.TemporaryDirectory(prefix="corridor [r] ") as name:
    folder = pathlib.Path(name)
    files = make_files()
    make_truth(files)
    print(run("Rscript", SOURCE / "experiments/r/tests/check.R", CODE, BINARY, *files), end="")
    run_page()
print("2 passed, 0 failed, 0 skipped")
