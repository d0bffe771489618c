#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""all.py BUILD SOURCE [NAME...]: what "make torture" runs: all tortures, or those named, with their full counts, and a table in the end."""
import pathlib
import subprocess
import sys
import time

BUILD, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
HERE, MADE = pathlib.Path(__file__).parent, BUILD / "experiments/command/tests/torture"
FUZZER = SOURCE / "build/fuzz/experiments/command/tests/torture/fuzz_journal"
SHIM = MADE / "failing_calls.so"
# In the order in which they are run: a script and what it is told behind CORRIDOR and SOURCE.
TORTURES = {
    "kills": ("kills.py", SHIM, 1000),
    "races": ("races.py", 500),
    "power-cuts": ("power_cuts.py", MADE / "power_cuts", MADE / "recorder.so", 100000, 200, 2000),
    "same": ("same.py", MADE / "spada.so", 60),
    "damaged": ("damaged.py", SHIM, MADE / "damage", MADE / "fuzz_journal", 1, 10000, 1000000, FUZZER),
    "readers": ("readers.py", FUZZER.parent / "fuzz_readers", 1000000),
    "links": ("links.py", MADE / "fuzz_wire", 100000, 200, 100),
    "forged": ("../test_forged.py", BUILD / "sim/record/reseal", "all"),
    "forged-columns": ("forged.py", BUILD / "sim/record/reseal", 10000, 1, 8, 2),
    "full-disk": ("full_disk.py", SHIM, 500),
    "calls": ("calls.py", SHIM, 1),
    "crashes": ("crashes.py", BUILD / "algorithms/host/test_isolated", BUILD / "algorithms/host", 100000),
    "protocol": ("protocol.py", BUILD / "algorithms/host/test_protocol", BUILD / "algorithms/host", 10000),
    "mutants": ("mutants.py", 500),
    "replays": ("replays.py", 0, 0, 1000),
    "tests": ("tests.py", BUILD / "experiments/engines/sequence/test_test_file", 10),
    "forced": ("forced.py", BUILD / "experiments/engines/plan/test_forced", 100000),
    "estimation": ("estimation.py", BUILD / "experiments/layers/estimation/modules", 200),
    "guests": ("guests.py", BUILD / "experiments/command/modules/guests", 8),
    "orders": ("orders.py", BUILD / "experiments/command/modules/guests/courier.so", 1000000),
    "interrupts": ("interrupts.py",),
    "commands": ("commands.py", MADE / "corridor_failing_allocations", 1),
    "allocations": ("allocations.py", MADE / "corridor_failing_allocations", SHIM, 1),
}


def main():
    wanted = sys.argv[3:] or list(TORTURES)
    if set(wanted) - set(TORTURES):
        sys.exit(f"there is no torture {', '.join(sorted(set(wanted) - set(TORTURES)))}; there are {', '.join(TORTURES)}")
    rows, failed = [], 0
    for name in wanted:
        script, *told = TORTURES[name]
        begun = time.monotonic()
        done = subprocess.run([sys.executable, "-B", HERE / script, BUILD / "corridor", SOURCE, *map(str, told)], stdout=subprocess.PIPE,
                              text=True, check=False)
        print(done.stdout, end="", flush=True)
        said = [line.removeprefix("torture: ").split(" | ", 2) for line in done.stdout.splitlines() if line.startswith("torture: ")]
        rows += [(*row, f"{time.monotonic() - begun:.0f} s") for row in said or [(name, "-", f"exit code {done.returncode}")]]
        failed += done.returncode not in (0, 77)
    print()
    for row, count, came, took in rows:
        print(f"{row:24} {count:>9}  {took:>7}  {came}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
