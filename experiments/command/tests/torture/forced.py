#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""forced.py CORRIDOR SOURCE TEST_FORCED COUNT: forced plans against systems that choose, the worst they can among them: none exceeds its bound."""
import pathlib
import subprocess
import sys

test, count = pathlib.Path(sys.argv[3]).resolve(), sys.argv[4]
if not test.exists():
    print("torture: forced | 0 | skipped: libcmocka-dev was not there")
    sys.exit(77)
done = subprocess.run([test, count], capture_output=True, text=True, check=False)
told = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if "forced runs: " in line]
print(f"torture: forced | {count} | {told[0] if told and done.returncode == 0 else done.stdout + done.stderr}")
sys.exit(done.returncode != 0)
