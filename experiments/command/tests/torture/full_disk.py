#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""full_disk.py CORRIDOR SOURCE FAILING_CALLS.so [POINTS [SEED]]: the disk is full at POINTS random points of a campaign of two suites,
while it runs, recovers and merges: half of them by a limit on the size of files, half on a small file system in memory (counted as
skipped where none may be mounted). Then a folder that may not be written, and one that vanishes while the campaign runs. Each time
the exit code is a documented one, and the same command, once there is room, ends with the file of a quiet run."""
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import campaign

CORRIDOR, SOURCE, SHIM = sys.argv[1:4]
POINTS = int(sys.argv[4]) if len(sys.argv) > 4 else 12
DICE = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
LONGER = {**campaign.TWO_SUITES, "suites": 40, "cases": [20, 60]}
NOBODY = 65534


def mount(folder, *options):
    return subprocess.run(["mount", "-t", "tmpfs", "none", str(folder), "-o", ",".join(options)], capture_output=True, check=False).returncode == 0


def limited_files(bad, states, points):
    """A limit on the size of files, from none to more than any has."""
    for point in range(points):
        name, begin = states[point % len(states)]
        limit = DICE.randrange(0, len(bad.quiet) + 4096)
        begin()
        done = bad.run(jobs=DICE.choice((1, 2)), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        what = f"{name}, files of at most {limit} bytes"
        bad.judge(what, done)
        bad.judge_again(what)
        bad.clean()


def small_disks(bad, states, points):
    """A file system of few blocks; how many points there were."""
    kept, shelf = bad.folder, pathlib.Path(tempfile.mkdtemp(prefix="corridor-torture-disk-"))
    experiment = (kept / "e.json").read_bytes()
    count = 0
    try:
        for point in range(points):
            name, begin = states[point % len(states)]
            pages = DICE.randrange(2, 14 + 2 * len(bad.quiet) // 4096)
            if not mount(shelf, "size=16m"):
                return count
            bad.folder = shelf
            (shelf / "e.json").write_bytes(experiment)
            begin()
            used = sum(path.stat().st_blocks for path in shelf.rglob("*")) * 512 // 4096 + 2
            subprocess.run(["mount", "-o", f"remount,size={4096 * (used + pages)}", str(shelf)], check=True)
            done = bad.run(jobs=DICE.choice((1, 2)))
            what = f"{name}, {pages} pages of disk"
            bad.judge(what, done)
            subprocess.run(["mount", "-o", "remount,size=16m", str(shelf)], check=True)
            bad.judge_again(what)
            subprocess.run(["umount", str(shelf)], check=True)
            count += 1
    finally:
        bad.folder = kept
        if os.path.ismount(shelf):
            subprocess.run(["umount", "-l", str(shelf)], check=False)
        shelf.rmdir()
    return count


def forbidden_folders(bad, states):
    """The folder, or the campaign's within it, may not be written."""
    def as_nobody():
        if os.getuid() == 0:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    bad.folder.chmod(0o755)
    try:
        able = subprocess.run([CORRIDOR, "plan", "e.json"], cwd=bad.folder, capture_output=True, check=False, preexec_fn=as_nobody).returncode == 0
    except (OSError, subprocess.SubprocessError):
        able = False
    if not able:
        return 0  # nobody may not even read the program or its model here
    count = 0
    for name, begin in states:
        for forbidden in ("", campaign.PARTS):
            begin()
            folder = bad.folder / forbidden
            if not folder.exists():
                continue
            for path in (bad.folder, *bad.folder.rglob("*")):
                path.chmod(0o777 if path.is_dir() else 0o666)
            folder.chmod(0o555)
            done = bad.run(preexec_fn=as_nobody)
            folder.chmod(0o777)
            what = f"{name}, a folder that may not be written: {forbidden or 'the one around'}"
            bad.judge(what, done)
            bad.expect(done.returncode == campaign.ENVIRONMENT and "ermission denied" in done.stderr, what + ", its cause", done)
            bad.judge_again(what)
            bad.clean()
            count += 1
    return count


def vanishing_folders(points):
    """The folder of the campaign, or the one that it is in, is renamed while suites run; what was wrong."""
    with campaign.Campaign(CORRIDOR, SOURCE, LONGER) as bad:
        bad.run_quietly()
        for point in range(points):
            process = subprocess.Popen(bad.command(2), cwd=bad.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            wanted = DICE.randrange(0, 20)
            while process.poll() is None and bad.stored() < wanted:
                time.sleep(0.001)
            parts, away = bad.folder / campaign.PARTS, bad.folder / "away"
            try:
                parts.rename(away)
            except OSError:
                pass  # it has ended
            try:
                out, err = process.communicate(timeout=campaign.SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                bad.problems.append(f"no end within {campaign.SECONDS} s of the folder's")
            done = subprocess.CompletedProcess(process.args, process.returncode, out, err)
            what = f"the folder vanishes at {wanted} suites"
            bad.judge(what, done)
            if away.exists() and point % 2 == 0 and bad.result() is None:  # it is found again
                shutil.rmtree(parts, ignore_errors=True)
                away.rename(parts)
            shutil.rmtree(away, ignore_errors=True)
            bad.judge_again(what)
            bad.clean()
        return bad.problems, bad.codes


def main():
    with campaign.Campaign(CORRIDOR, SOURCE) as bad:
        bad.run_quietly()
        states = list(bad.beginnings(SHIM).items())
        bad.clean()
        limited_files(bad, states, POINTS // 2)
        disks = small_disks(bad, states, POINTS - POINTS // 2)
        remarks = f"exit codes: {campaign.words(bad.codes)}"
        if disks < POINTS - POINTS // 2:
            remarks += "; no small file system could be mounted: its half was skipped"
        code = campaign.report("full disk", POINTS // 2 + disks, bad.problems, remarks)
        bad.problems, bad.codes = [], type(bad.codes)()
        forbidden = forbidden_folders(bad, states)
        code |= campaign.report("forbidden folders", forbidden, bad.problems,
                                f"exit codes: {campaign.words(bad.codes)}" if forbidden else "skipped: another user cannot run the program here")
        for _name, begin in states[1:]:
            begin.forget()
    vanished = max(2, POINTS // 10)
    problems, codes = vanishing_folders(vanished)
    return code | campaign.report("vanished folders", vanished, problems, f"exit codes: {campaign.words(codes)}")


if __name__ == "__main__":
    sys.exit(main())
