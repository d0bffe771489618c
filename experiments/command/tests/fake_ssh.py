#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_ssh.py FAULTS HOST COMMAND...: runs the command here, as ssh would there, and does to the link what FAULTS (a JSON file) says
of the host: {"cut": N} closes it after N bytes have come back; {"hush": N} lets nothing through from then on; {"flip": N} changes
byte N; {"refuse": N} fails the first N times; {"remove": PATH} removes a file first. Notes the processes in HOST.pids."""
import json
import os
import pathlib
import subprocess
import sys
import time

faults = json.loads(pathlib.Path(sys.argv[1]).read_text()).get(sys.argv[2], {})
process = None
if "refuse" in faults:
    with open(f"{sys.argv[2]}.refused", "a+", encoding="ascii") as refused:
        refused.write("x")
        refused.seek(0)
        if len(refused.read()) <= faults["refuse"]:
            sys.exit(255)
if "remove" in faults:
    pathlib.Path(faults["remove"]).unlink(missing_ok=True)
process = subprocess.Popen(sys.argv[3:], stdout=subprocess.PIPE)
with open(f"{sys.argv[2]}.pids", "a", encoding="ascii") as pids:
    pids.write(f"{process.pid}\n")
count = 0
while block := os.read(process.stdout.fileno(), 4096):
    begin, count = count, count + len(block)
    if begin <= faults.get("flip", -1) < count:
        at = faults["flip"] - begin
        block = block[:at] + bytes([block[at] ^ 0x40]) + block[at + 1:]
    if count > faults.get("cut", 1 << 62):
        process.kill()
        sys.exit(255)
    while count > faults.get("hush", 1 << 62):
        time.sleep(0.1)
        if os.getppid() == 1:
            sys.exit(255)
    os.write(1, block)
sys.exit(process.wait())
