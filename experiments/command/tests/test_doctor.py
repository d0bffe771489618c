#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What corridor doctor finds of disk, locks, limits and loopback, against what this test knows or has set up; its exit codes."""
import json
import os
import resource

import e2e

CHECKS = ["writable", "space", "locks", "open files", "file size", "address space", "processes", "loopback"]


class Doctor(e2e.Case):
    def checks(self, *words, code=0, **others):
        done = self.corridor("doctor", *words, "--json", code=code, **others)
        self.assertEqual(done.stderr, "")
        rows = json.loads(done.stdout)["sheets"]["machine"]["rows"]
        self.assertEqual([row["check"] for row in rows], CHECKS)
        for row in rows:
            self.assertEqual(row["holds"], row["right"] is None)
        return {row["check"]: row for row in rows}

    def test_what_holds_needs_no_advice_and_nothing_is_left_behind(self):
        found = self.checks(code=None)
        for check in ("writable", "locks"):
            self.assertTrue(found[check]["holds"], found[check])
        self.assertEqual(found["locks"]["found"], "a file that is locked cannot be locked again")
        system = os.statvfs(self.folder)
        free = system.f_bavail * system.f_frsize >> 20
        said = int(found["space"]["found"].split()[0])
        self.assertLess(abs(said - free), 4096)
        self.assertEqual(found["space"]["holds"], said >= 1024)
        self.assertEqual(found["open files"]["found"], str(resource.getrlimit(resource.RLIMIT_NOFILE)[0]))
        self.assert_only()

    def test_limits_that_are_too_narrow_are_told_with_what_would_be_right(self):
        for kind, least, narrow, check, found, right in (
                (resource.RLIMIT_NOFILE, 256, 64, "open files", "64", "at least 256: ulimit -n 1024"),
                (resource.RLIMIT_FSIZE, 1 << 30, 1 << 20, "file size", "1 MiB", "at least 1024 MiB: ulimit -f unlimited"),
                (resource.RLIMIT_NPROC, 256, 200, "processes", "200", "at least 256: ulimit -u 4096")):
            if kind == resource.RLIMIT_NPROC and os.geteuid() != 0:
                continue  # the user may have as many already
            hard = resource.getrlimit(kind)[1]
            row = self.checks(code=1, preexec_fn=lambda kind=kind, narrow=narrow, hard=hard: resource.setrlimit(kind, (narrow, hard)))[check]
            self.assertEqual((row["holds"], row["found"], row["right"]), (False, found, right))
            if hard == resource.RLIM_INFINITY or hard >= least:
                row = self.checks(code=None, preexec_fn=lambda kind=kind, least=least, hard=hard: resource.setrlimit(kind, (least, hard)))[check]
                self.assertTrue(row["holds"], "the least that will do does")

    def test_a_folder_in_which_nothing_can_be_made(self):
        (self.folder / "shut").mkdir(mode=0o555)
        found = self.checks("shut", code=1, **self.as_nobody())
        self.assertEqual((found["writable"]["found"], found["writable"]["right"]),
                         ("no file can be made: Permission denied", "a folder in which you may make files: chmod u+wx, or another folder"))
        self.assertEqual(found["locks"]["found"], "cannot be tried without a file")

    def test_a_folder_that_is_not_there(self):
        self.assertEqual(self.corridor("doctor", "nowhere", code=4).stderr,
                         "corridor: file error: nowhere: cannot look: No such file or directory\n  name a folder that is there\n")
        (self.folder / "file").write_text("")
        self.assertEqual(self.corridor("doctor", "file", code=4).stderr,
                         "corridor: file error: file: is no folder\n  name the folder that results are to go to\n")
        self.assertIn("takes one folder at most", self.corridor("doctor", "a", "b", code=2).stderr)


if __name__ == "__main__":
    e2e.main()
