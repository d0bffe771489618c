#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""guests.py CORRIDOR SOURCE MODULES [BUSY [NAME...]]: each bad guest in a campaign of its own, while BUSY processes use all the
processor time they get: the verdicts, and everything else that is looked at, must be those of an idle machine."""
import pathlib
import subprocess
import sys

CORRIDOR, SOURCE, MODULES = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
BUSY, NAMES = int(sys.argv[4]) if len(sys.argv) > 4 else 8, sys.argv[5:]
sys.path.insert(0, str(SOURCE / "experiments/command/tests"))
import bad_guests


def main():
    bad_guests.adopt_orphans()
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    campaign, quiet, wrong, count = bad_guests.Campaign(CORRIDOR, MODULES, {process.pid for process in load}), {}, 0, 0
    try:
        for module, deeds in bad_guests.DEEDS.items():
            for fault, expected in deeds.items():
                if NAMES and fault not in NAMES:
                    continue
                guest = bad_guests.guest_of(module, expected)
                key = repr(guest)
                if key not in quiet:
                    quiet[key] = campaign.run(guest)
                found = bad_guests.complaints(campaign.run({**guest, "fault": fault}), quiet[key], expected, module != "gossip")
                count, wrong = count + 1, wrong + bool(found)
                print(f"{module:8} {fault:32} {expected:28} {'as expected' if not found else '; '.join(found)}", flush=True)
    finally:
        campaign.close()
        for process in load:
            process.kill()
            process.wait()
    print(f"torture: guests | {count} | {count - wrong} as on an idle machine beside {BUSY} busy processes, {wrong} otherwise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
