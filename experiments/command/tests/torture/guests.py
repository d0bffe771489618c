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
    known, quiet, wrong, count = {process.pid for process in load}, {}, 0, 0
    campaigns = {"algorithm": bad_guests.Campaign(CORRIDOR, MODULES, known), "system": bad_guests.Systems(CORRIDOR, MODULES, known),
                 "monitor": bad_guests.Beside(CORRIDOR, MODULES, known), "mechanism": bad_guests.Beside(CORRIDOR, MODULES, known),
                 "process": bad_guests.Processes(CORRIDOR, MODULES, known),
                 "agent": bad_guests.Agents(CORRIDOR, CORRIDOR.parent / "algorithms/agents", known)}
    try:
        for kind, deed, sound, guest, expected in bad_guests.everybody():
            if NAMES and deed not in NAMES:
                continue
            key = repr(sound)
            if key not in quiet:
                quiet[key] = campaigns[kind].run(sound)
            found = bad_guests.complaints(campaigns[kind].run(guest), quiet[key], expected, kind == "algorithm" and "strict" not in sound)
            count, wrong = count + 1, wrong + bool(found)
            print(f"{kind:9} {deed:32} {expected:28} {'as expected' if not found else '; '.join(found)}", flush=True)
    finally:
        for campaign in campaigns.values():
            campaign.close()
        for process in load:
            process.kill()
            process.wait()
    print(f"torture: guests | {count} | {count - wrong} as on an idle machine beside {BUSY} busy processes, {wrong} otherwise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
