#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where users stand: folders of any name, closed folders, other users, umasks and limits, without HOME or a terminal. In each place the
program is installed, and all of a campaign's life happens in it: the same results as in an ordinary one."""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

import e2e
from e2e import BINARY, PSOPP, SPADA

NOBODY = 65534
LONG = "/".join(["a folder with a name of some fifty characters, " + str(i) for i in range(4)])


def limit(which, value):
    return lambda: resource.setrlimit(which, (value, value))


# Name of the folder, variables (None: unset), and what is done in the child before the program begins.
PLACES = {
    "blanks and brackets": ("some one [1] (of two)", {}, None),
    "quotes": ("""it's "mine" `now` $HOME & \\more;""", {}, None),
    "letters of no ASCII": ("Füße-模型-здесь", {}, None),
    "bytes of no UTF-8": (b"caf\xe9".decode("utf-8", "surrogateescape"), {}, None),
    "200 characters": (LONG, {}, None),
    "umask 077": ("ordinary", {}, lambda: os.umask(0o077)),
    "without HOME": ("ordinary", {"HOME": None, "USER": None, "LOGNAME": None}, None),
    "without a terminal": ("ordinary", {"TERM": None}, os.setsid),
    "TMPDIR elsewhere": ("ordinary", {"TMPDIR": "temporary files"}, None),
    "1,024 open files": ("ordinary", {}, limit(resource.RLIMIT_NOFILE, 1024)),
    "8 MB of stack": ("ordinary", {}, limit(resource.RLIMIT_STACK, 8 << 20)),
}


# Ways from work/ to mine/, and from there to what lies in it: work/link leads to mine/sub, home/ is the home folder.
WAYS = {"beside": "../mine", "through a folder": "x/../../mine", "through another one": "../other/../mine", "twice": "./x/.././../mine",
        "a link": "mine", "through a link": "link/..", "from a home folder": "~/../mine"}


class Ways(e2e.Case):
    """Guests of each kind, and files, by paths that go through other folders and links."""
    def setUp(self):
        super().setUp()
        for name in ("work/x", "mine/sub", "other", "home"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "work/mine").symlink_to("../mine")
        (self.folder / "work/link").symlink_to(self.folder / "mine/sub")
        library, mine = e2e.SOURCE / "experiments/library", self.folder / "mine"
        shutil.copy(library / "agents/book_shelf.json", self.folder / "work")
        shutil.copy(library / "agents/book_shelf.py", mine / "agent.py")
        (mine / "agent").write_text("#!/usr/bin/env python3\n" + (mine / "agent.py").read_text())
        (mine / "agent").chmod(0o755)
        subprocess.run(["cc", "-std=c17", "-shared", "-fPIC", "-I", e2e.SOURCE / "algorithms/plugin/include", library / "agents/book_shelf.c", "-o",
                        mine / "agent.so"], check=True)
        for name in ("my_process.py", "my_process.corridor"):
            shutil.copy(library / "new/process_python" / name, mine)
        shutil.copy(library / "processes/corridor_process.py", mine)
        shutil.copy(library / "new/process_python/my_process.json", self.folder / "work")

    def do(self, *words, cwd="work"):
        done = subprocess.run([BINARY, *words], cwd=self.folder / cwd, text=True, capture_output=True, check=False, stdin=subprocess.DEVNULL,
                              env={**e2e.ENVIRONMENT, "HOME": str(self.folder / "home")})
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def test_agents_are_found_by_any_way(self):
        for what, way in WAYS.items():
            for agent in (f"{way}/agent.so", f"{way}/agent", f"python3 {way}/agent.py"):
                if way[0] == "~" and agent[0] == "~":
                    continue  # the shell's, not ours
                with self.subTest(what, agent=agent):
                    self.do("agent", "test", "book_shelf.json", "--agent", agent, "--unit", "PT(Add)")
        self.do("agent", "test", "work/book_shelf.json", "--agent", "work/x/../../mine/agent.so", "--unit", "PT(Add)", cwd=".")

    def test_processes_and_texts_are_found_by_any_way(self):
        made = json.loads((self.folder / "work/my_process.json").read_text())
        made.update(suites=1, sequences=1, cases=2)
        for what, way in WAYS.items():
            with self.subTest(what):
                made["process"]["program"] = f"python3 {way}/my_process.py"
                made["corridor"] = f"{way}/my_process.corridor"
                (self.folder / "work/it.json").write_text(json.dumps(made))
                self.do("run", "it.json", "-o", f"{what}.h5", "--progress", "none")
        self.assertEqual(len({self.do("export", f"{what}.h5", "--table", "sequences") for what in WAYS}), 1)


@unittest.skipUnless(shutil.which("cmake"), "cmake is not there")
class Places(e2e.Case):
    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(tempfile.mkdtemp(prefix="corridor-prefix-"))
        cls.addClassCleanup(shutil.rmtree, cls.prefix)
        subprocess.run(["cmake", "--install", BINARY.parent, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)

    def settle(self, name):
        """A place of that name below the test's folder, with the installed program and an experiment in it."""
        self.place = self.folder / name
        self.place.mkdir(parents=True)
        shutil.copytree(self.prefix, self.place / "installed")
        self.experiment("small.json", arms=[SPADA, PSOPP], suites=2)
        text = (self.folder / "small.json").read_text()
        (self.place / "small.json").write_text(text.replace(str(e2e.SOURCE / "experiments/library/models/paper.json"), "paper.json"))
        shutil.copy(e2e.SOURCE / "experiments/library/models/paper.json", self.place)
        shutil.copytree(e2e.SOURCE / "profiles", self.place.parent / "profiles", ignore=shutil.ignore_patterns("*.c", "*.h", "tests"), dirs_exist_ok=True)

    def do(self, *words, code=0, cwd="."):
        """The installed program, with these words, in the place."""
        done = subprocess.run([self.place / "installed/bin/corridor", *words], cwd=self.place / cwd, text=True, capture_output=True, check=False,
                              errors="surrogateescape", stdin=subprocess.DEVNULL, env=self.variables, preexec_fn=self.before, **self.user)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def live(self):
        """Runs, is stopped, goes on, runs on another host, tells, replays, and tests algorithms of its own; fingerprints of all that came out."""
        self.do("run", "small.json", "-o", "out.h5", "--progress", "none")
        self.do("plan", "small.json", "-o", "camp", "--pilot", "0")
        self.do("run", "camp", "--suites", "1", "--progress", "none")
        self.do("run", str(self.place / "camp"), "--progress", "none")
        here = self.place / "installed/bin"
        (here / "ssh").write_text('#!/bin/sh\nshift\nexec sh -c "$*"\n')  # as sshd does with the words that ssh has joined
        (here / "ssh").chmod(0o755)
        self.do("run", "small.json", "-o", "far.h5", "--hosts", "a:1", "--ssh-command", e2e.shell(here / "ssh"), "--remote-corridor",
                str(here / "corridor"), "--progress", "none")
        hashes = [self.do("show", name, "--hash") for name in ("out.h5", "camp/results.h5", "far.h5")]
        self.assertEqual(len(set(hashes)), 1)
        self.do("report", str(self.place / "out.h5"), "-o", "page of it.html")
        self.assertIn("</html>", (self.place / "page of it.html").read_text())
        self.do("replay", "out.h5", "--failing")
        for language, made in (("c", "mine"), ("python", "other")):
            self.do("new", "algorithm", made, "--lang", language)
            if language == "c":
                subprocess.run(["cc", "-std=c17", "-shared", "-fPIC", "-ffp-contract=off", "-I", "../installed/include", f"{made}.c", "-o",
                                f"{made}.so"], cwd=self.place / made, check=True, env=self.variables, preexec_fn=self.before, **self.user)
            self.do("run", f"{made}.json", "-o", f"{made}.h5", "--suites", "1", "--progress", "none", cwd=made)
            hashes.append(self.do("show", f"{made}/{made}.h5", "--hash"))
        return hashes

    def stand(self, name="ordinary", variables=None, before=None, user=None):
        """All of that in a place; what came out."""
        self.variables = {**e2e.ENVIRONMENT, **(variables or {})}
        if "TMPDIR" in self.variables:
            self.variables["TMPDIR"] = str(self.folder / self.variables["TMPDIR"])
            pathlib.Path(self.variables["TMPDIR"]).mkdir()
        self.variables = {key: value for key, value in self.variables.items() if value is not None}
        self.before, self.user = before, user or {}
        self.settle(name)
        if user is not None:
            for path in (self.place, *self.place.rglob("*")) if user else ():
                os.chown(path, NOBODY, NOBODY)
            self.place.chmod(0o700)
            self.folder.chmod(0o755)
        return self.live()

    def test_results_are_those_of_an_ordinary_place(self):
        expected = self.stand()
        self.assertEqual(len(set(expected)), 3)  # of the campaign, the module and the program
        for what, (name, variables, before) in PLACES.items():
            with self.subTest(what):
                shutil.rmtree(self.folder)
                self.folder.mkdir()
                self.assertEqual(self.stand(name, variables, before), expected)

    def test_a_user_at_home_behind_a_closed_door_needs_nobody(self):
        """As root somebody else is that user."""
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        expected = self.stand()
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        self.assertEqual(self.stand(user=user), expected)


if __name__ == "__main__":
    e2e.main()
