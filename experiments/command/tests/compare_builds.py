#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do several builds of the program give the same content?

compare_builds.py CORRIDOR CORRIDOR...

Runs one small campaign - all arms of experiments/library/demo.json, a suite each - with every build, compares all tables and the
fingerprint of the rest, and prints that. Exit code 1 if they differ."""
import json
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]


def main():
    binaries = [pathlib.Path(word).resolve() for word in sys.argv[1:]]
    if len(binaries) < 2:
        sys.exit(__doc__)
    experiment = json.loads((SOURCE / "experiments/library/demo.json").read_text())
    experiment.update(suites=1, sequences=2, cases=[20, 60],
                      model=str(SOURCE / "experiments/library" / experiment["model"]))
    first, failed = None, 0
    with tempfile.TemporaryDirectory(prefix="corridor-builds-") as scratch:
        path, result = pathlib.Path(scratch, "small.json"), str(pathlib.Path(scratch, "out.h5"))
        path.write_text(json.dumps(experiment))
        for binary in binaries:
            def said(*words, program=binary):
                return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout

            said("run", str(path), "-o", result, "--force", "--progress", "none")
            tables = [json.loads(line)["table"] for line in said("export", result, "--json").splitlines()]
            content = {table: said("export", result, "--table", table) for table in tables}
            content["fingerprint"] = said("show", result, "tables", "--hash").strip()
            compiler = json.loads(said("--version", "--json"))
            print(f"{content['fingerprint']}  {compiler['compiler']}, {compiler['build_type']}: {binary}")
            first = first or content
            different = sorted(table for table in content if content[table] != first.get(table))
            if different:
                print(f"    differs from the first in {', '.join(different)}")
            failed += bool(different)
    print(f"{len(binaries) - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


main()
