#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""crashes.py CORRIDOR SOURCE TEST_ISOLATED FOLDER COUNT: an algorithm in a cell that crashes or exits at each request: no verdict is lost,
and neither memory nor descriptors grow."""
import os
import pathlib
import re
import subprocess
import sys

corridor, test, folder, count = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[3]).resolve(), sys.argv[4], sys.argv[5]
if not test.exists():
    print("torture: crashes | 0 | skipped: libcmocka-dev was not there")
    sys.exit(77)
done = subprocess.run([test, count], cwd=folder, env={**os.environ, "CORRIDOR_CELL": str(corridor.parent / "corridor-cell")},
                      capture_output=True, text=True, check=False)
told = re.search(r"\d+ crashes in a row: (.*)", done.stdout)
print(f"torture: crashes | {count} | {told.group(1) if told and done.returncode == 0 else done.stdout + done.stderr}")
sys.exit(done.returncode != 0)
