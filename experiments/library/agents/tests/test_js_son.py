#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The agents of the tutorials of js-son-agent: none is accused, and so many of their mutants are found as docs say. Skipped where node or
the package is not there: npm install js-son-agent in experiments/library/agents/js_son, or NODE_PATH.

test_js_son.py CORRIDOR FOLDER"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOUND = {"porter": 7, "paranoid": 3, "claustrophobe": 4, "introspective": 13, "volatile": 25}


def main(corridor, folder):
    places = [pathlib.Path(folder) / "node_modules"] + [pathlib.Path(path) for path in os.environ.get("NODE_PATH", "").split(":") if path]
    package = next((place / "js-son-agent" for place in places if (place / "js-son-agent").is_dir()), None)
    if not shutil.which("node") or not package:
        print("skipped: js-son-agent is not installed (npm install js-son-agent)")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="corridor-js-son-") as name:
        for file in pathlib.Path(folder).glob("*.js*"):
            shutil.copy(file, name)
        shutil.copytree(package, pathlib.Path(name) / "node_modules" / "js-son-agent")
        done = subprocess.run(["node", "score.js", corridor], cwd=name, capture_output=True, text=True)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.returncode
    rows = [line.split() for line in done.stdout.splitlines()[1:] if not line.startswith("  ")]
    found = {row[0]: int(row[2]) for row in rows}
    assert found == FOUND, found


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
