#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program of a registry keeps its corridor in so many cases, and each planted fault is found, shrunk and found again. A counted skip where the program is not there.

usage: test_registries.py CORRIDOR SOURCE SUBJECT CASES"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

BINARY, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
SUBJECT, CASES = sys.argv[3], int(sys.argv[4])
FOLDER = SOURCE / "experiments/library/registries"
# By experiment: packages of npm, options of node that it takes, and what shows that Debian's are there.
NEEDS = {"kbucket": (["k-bucket"], [], []), "ebt": (["epidemic-broadcast-trees"], [], []), "automerge": (["@automerge/automerge"], ["--disable-wasm-trap-handler"], []), "yjs": (["yjs"], [], []),
         "hashring": (["hashring"], [], []), "skmeans": (["skmeans"], [], []),
         "dbscan": (["density-clustering"], [], []), "pso": (["pso"], [], []),
         "communities": ([], [], [["mcl", "--version"], ["/usr/bin/python3", "-c", "import networkx.algorithms.community.louvain"]])}
FAULTY_CASES = 400  # within which each fault is found


def works(*words):
    return shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0


def what_is_missing():
    packages, options, commands = NEEDS[SUBJECT]
    for package in packages:
        if not any((place / "node_modules" / package).is_dir() for place in (FOLDER, SOURCE / "build/registries")):
            return f"{package} is not installed (make registries)"
    if packages and not works("node", *options, "-e", "0"):
        return f"node {' '.join(options)} is not there"
    return next((f"{' '.join(command)} does not work" for command in commands if not works(*command)), None)


def corridor(*words, codes=(0,)):
    done = subprocess.run([str(word) for word in (BINARY, *words)], capture_output=True, text=True, cwd=SOURCE, check=False)
    assert done.returncode in codes, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def arms_of(experiment):
    """Arms by name, of both kinds of experiments."""
    return experiment["arms"] if "process" in experiment else {arm["name"]: arm for arm in experiment["arms"]}


def run(folder, experiment, arms, cases):
    """The result of some arms, of so many cases each at least."""
    experiment = experiment | {"arms": arms if "process" in experiment else list(arms.values())}
    experiment["sequences"] = -(-cases // (experiment["suites"] * experiment["cases"]))
    (folder / "now.json").write_text(json.dumps(experiment))
    result = folder / "now.h5"
    print(corridor("run", folder / "now.json", "-o", result, "--force", "--progress", "none"), flush=True)
    return result


def failures(result):
    return json.loads(corridor("failures", result, "--json"))["sheets"]


def look_at_sound(result, arms, is_process):
    sheets = failures(result)
    if is_process:
        rows = {row["arm"]: row for row in sheets["arms"]["rows"]}
        assert {row["verdict"] for row in rows.values()} == {"no violation"}, rows
    else:
        rows = {row["arm"]: row for row in json.loads(corridor("show", result, "tables", "--json"))["sheets"]["found"]["rows"]}
        assert {row["verdict"] for row in rows.values()} == {"no check failed"}, rows
    assert set(rows) == set(arms), rows


def look_at_fault(folder, result, arm, is_process):
    """The fault is found, and the shrunk schedule or sequence fails again."""
    test = folder / f"{arm}.json"
    sheets = failures(result)
    keys = [row["key"] for sheet in sheets.values() for row in sheet.get("rows", []) if str(row.get("key", "")).startswith(arm + "/")]
    assert keys, f"{arm} is not found: {sheets}"
    process = ["process"] if is_process else []
    corridor(*process, "shrink", result, "--failure", keys[0], "-o", test, "--force", "--trust")
    corridor(*process, "replay", test, "--trust", *(["--expect", "failing"] if is_process else []))
    if is_process:
        print(corridor("process", "story", test, "--trust"), flush=True)


def main():
    missing = what_is_missing()
    if missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    experiment = json.loads((FOLDER / f"{SUBJECT}.json").read_text())
    experiment["corridor"] = (FOLDER / experiment["corridor"]).read_text().splitlines()
    is_process, arms = "process" in experiment, arms_of(experiment)
    sound = {name: arm for name, arm in arms.items() if "fault" not in arm}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        look_at_sound(run(folder, experiment, sound, CASES), sound, is_process)
        for name, arm in arms.items():
            if "fault" in arm:
                look_at_fault(folder, run(folder, experiment, {name: arm}, FAULTY_CASES), name, is_process)


if __name__ == "__main__":
    main()
