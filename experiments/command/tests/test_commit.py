#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commit that --version names: test_commit.py CMAKE SOURCE_DIRECTORY."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
ROOM = pathlib.Path("experiments/command")


class Commit(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor [commit] "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.clone = self.folder / "a clone"
        (self.clone / ROOM).mkdir(parents=True)
        for name in (".gitattributes", ROOM / "commit.txt"):
            shutil.copy(SOURCE / name, self.clone / name)
        (self.clone / ".gitignore").write_text("built*\n")
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "x")
        self.commit = self.git("rev-parse", "HEAD").strip()[:12]

    def git(self, *words):
        who = {f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        found = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(["git", "-C", self.clone, *words], env=found | who | {"GIT_CONFIG_GLOBAL": "/dev/null"}, capture_output=True, check=True, text=True).stdout

    def made(self, source, **environment):
        """What is built in there, and whether it was written."""
        path = source / "built.c"
        before = path.stat().st_mtime_ns if path.exists() else None
        subprocess.run([CMAKE, f"-DSOURCE={source}", f"-DFILE={path}", "-P", SOURCE / ROOM / "commit.cmake"], check=True, env=os.environ | environment)
        return re.search(r'= "(.*)";', path.read_text()).group(1), before != path.stat().st_mtime_ns

    def archive(self, folder):
        folder.mkdir()
        packed = subprocess.run(["git", "-C", self.clone, "archive", "HEAD"], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
        return folder

    def test_a_clone_and_its_changes(self):
        self.assertEqual(self.made(self.clone), (self.commit, True))
        self.assertEqual(self.made(self.clone), (self.commit, False))
        (self.clone / ".gitignore").write_text("built*\n*.h5\n")
        self.assertEqual(self.made(self.clone), (self.commit + "-dirty", True))
        self.git("commit", "--quiet", "--all", "--message", "y")
        self.assertEqual(self.made(self.clone), (self.git("rev-parse", "HEAD").strip()[:12], True))

    def test_a_hook_of_another_repository_does_not_matter(self):
        self.assertEqual(self.made(self.clone, GIT_DIR="/nowhere", GIT_WORK_TREE="/")[0], self.commit)

    def test_an_archive_has_it_in_a_file_also_inside_of_another_repository(self):
        self.assertEqual(self.made(self.archive(self.folder / "out"))[0], self.commit)
        inside = self.archive(self.clone / "built")
        self.git("commit", "--quiet", "--allow-empty", "--message", "z")
        self.assertEqual(self.made(inside)[0], self.commit)

    def test_sources_alone_are_of_no_commit_that_is_known(self):
        copy = self.folder / "copy"
        shutil.copytree(self.clone, copy, ignore=shutil.ignore_patterns(".git"))
        self.assertEqual(self.made(copy)[0], "")
        (copy / ROOM / "commit.txt").unlink()
        self.assertEqual(self.made(copy)[0], "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
