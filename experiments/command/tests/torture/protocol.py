#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""protocol.py CORRIDOR SOURCE TEST_PROTOCOL FOLDER COUNT: lines of programs, mutated: each is a verdict or a refusal in words, and no more."""
import pathlib
import subprocess
import sys

test, folder, count = pathlib.Path(sys.argv[3]).resolve(), sys.argv[4], sys.argv[5]
if not test.exists():
    print("torture: protocol | 0 | skipped: libcmocka-dev was not there")
    sys.exit(77)
done = subprocess.run([test, count], cwd=folder, capture_output=True, text=True, check=False)
told = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if "mutated lines: " in line]
print(f"torture: protocol | {count} | {told[0] if told and done.returncode == 0 else done.stdout + done.stderr}")
sys.exit(done.returncode != 0)
