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
if not e2e.IN_FULL:  # each has what no other of these has
    PLACES = {what: PLACES[what] for what in ("quotes", "bytes of no UTF-8", "200 characters", "umask 077", "TMPDIR elsewhere")}
    WAYS = {what: WAYS[what] for what in ("beside", "through another one", "through a link", "from a home folder")}


POLICY = """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        print(json.dumps({"id": asked["id"], "policy": "first"}), flush=True)
    elif "pick" in asked:
        print(json.dumps({"id": asked["id"], "picked": 0}), flush=True)
"""


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

    def make(self, kind, name, *options):
        """A guest of `corridor new`, all of it in mine/; its experiment, to be written into work/."""
        self.do("new", kind, name, *options, cwd="other")
        for path in (self.folder / "other" / name).iterdir():
            shutil.copy(path, self.folder / "mine")
        if (self.folder / f"mine/{name}.c").exists():
            subprocess.run(["cc", "-std=c17", "-shared", "-fPIC", "-ffp-contract=off", "-I", e2e.SOURCE / "algorithms/plugin/include", self.folder / f"mine/{name}.c", "-o",
                            self.folder / f"mine/{name}.so"], check=True)
        made = json.loads((self.folder / f"mine/{name}.json").read_text())
        return json.dumps({**made, "suites": 1, "sequences": 1, "cases": 5, "arms": made["arms"][:1]})

    def go(self, text, where="it.json", cwd="work"):
        """The fingerprint of what an experiment of that text comes to, which is to be the same by any way."""
        (self.folder / "work" / where).write_text(text)
        self.do("run", f"{'' if cwd == 'work' else 'work/'}{where}", "-o", "it.h5", "--force", "--progress", "none", cwd=cwd)
        return self.do("export", "it.h5", "--table", "sequences", cwd=cwd)

    def by_all_ways(self, form, name, knows_home=True):
        """What comes of it by each way, in the text for WAY/NAME. A module's path is written out: so it says of ~, if it does not know it."""
        found = {}
        for what, way in WAYS.items():
            with self.subTest(what, name=name):
                if knows_home or way[0] != "~":
                    found[what] = self.go(form(f"{way}/{name}"))
                else:
                    (self.folder / "work/it.json").write_text(form(f"{way}/{name}"))
                    self.assertIn("  write the home folder out: ~ stands for nothing here\n", self.do("run", "it.json", "-o", "no.h5", code=4))
        self.assertEqual(len(set(found.values())), 1, name)
        return found["beside"]

    def do(self, *words, cwd="work", code=0):
        done = subprocess.run([BINARY, *words], cwd=self.folder / cwd, text=True, capture_output=True, check=False, stdin=subprocess.DEVNULL,
                              env={**e2e.ENVIRONMENT, "HOME": str(self.folder / "home")})
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done.stderr if code else done.stdout

    def test_agents_are_found_by_any_way(self):
        for what, way in WAYS.items():
            for agent in (f"{way}/agent.so", f"{way}/agent", f"python3 {way}/agent.py"):
                if way[0] == "~" and agent[0] == "~":
                    continue  # the shell's, not ours
                with self.subTest(what, agent=agent):
                    self.do("agent", "test", "book_shelf.json", "--agent", agent, "--unit", "PT(Add)")
        self.do("agent", "test", "work/book_shelf.json", "--agent", "work/x/../../mine/agent.so", "--unit", "PT(Add)", cwd=".")

    def test_algorithms_mechanisms_and_monitors_are_found_by_any_way(self):
        for kind, name, options, suffix in (("algorithm", "inc", ("--lang", "c"), "so"), ("algorithm", "inpython", ("--lang", "python"), "py"),
                                            ("mechanism", "beside", (), "so"), ("monitor", "fuse", (), "so")):
            made = self.make(kind, name, *options)
            self.assertIn(f'"./{name}.{suffix}"', made)
            self.by_all_ways(lambda path, made=made, own=f"./{name}.{suffix}": made.replace(f'"{own}"', json.dumps(path)), f"{name}.{suffix}", knows_home=False)
            if suffix == "py":
                self.by_all_ways(lambda path, made=made, own=f"./{name}.py": made.replace(f'"{own}"', json.dumps({"command": f"python3 {path}"})), f"{name}.py")

    def test_worlds_and_policies_are_found_by_any_way(self):
        systems = e2e.SOURCE / "experiments/library/systems"
        shutil.copy(systems / "lift.py", self.folder / "mine")
        (self.folder / "mine/lift").write_text((systems / "lift.py").read_text())
        (self.folder / "mine/lift").chmod(0o755)
        (self.folder / "mine/first.py").write_text(POLICY)
        goal = {"goal": "cabin.floor >= 2", "tactic": {"any_of": ["press(b3)", "wait()"]}}
        for name, system, policy in (
                ("lift.py", lambda path: {"program": f"python3 {path}"}, lambda _path: "random"), ("lift", lambda path: {"program": path}, lambda _path: "random"),
                ("lift.py", lambda path: {"program": ["python3", path]}, lambda _path: "random"), ("lift", lambda path: {"program": [path]}, lambda _path: "random"),
                ("first.py", lambda _path: {"program": "python3 ../mine/lift.py"}, lambda path: {"program": f"python3 {path}"})):
            what = {"runs": 1, "entities": {"b3": "button"}, "tests": [{"name": "up", "cycles": 40, "agents": [{"name": "t", "goal": goal}]}]}
            made = lambda path, system=system, policy=policy, what=what: json.dumps({**what, "system": system(path), "tests": [
                {**what["tests"][0], "agents": [{**what["tests"][0]["agents"][0], "policy": policy(path)}]}]})
            found = {}
            for way_of, way in WAYS.items():
                with self.subTest(way_of, name=name):
                    (self.folder / "work/it.json").write_text(made(f"{way}/{name}"))
                    self.do("run", "it.json", "-o", "it.h5", "--force", "--progress", "none")
                    found[way_of] = self.do("export", "it.h5", "--table", "cycles")
            self.assertEqual(len(set(found.values())), 1, name)

    def test_series_and_files_of_experiments_are_found_by_any_way(self):
        (self.folder / "mine/sun.csv").write_text("time,sky\n" + "".join(f"2024-01-01T{hour:02}:00,{sky}\n" for hour in range(24) for sky in ["dark" if hour < 8 else "bright"]))
        made = json.loads(self.make("algorithm", "mine", "--lang", "python"))
        model = made.pop("model")
        (self.folder / "mine/model.json").write_text(json.dumps(model))
        made["arms"] = [{"name": "sound", "algorithm": "random"}]
        self.by_all_ways(lambda path: json.dumps({**made, "model": path}), "model.json")
        fitted = set()
        for what, way in WAYS.items():
            with self.subTest(what):
                named = way.replace("~", str(self.folder / "home"))  # by the shell
                self.do("profile", "fit", f"{named}/sun.csv", "-c", "sky", "-t", "time", "-o", "../mine/sun.json", "--force")
                fitted.add(json.dumps({**json.loads((self.folder / "mine/sun.json").read_text()), "source": None}))
        self.assertEqual(len(fitted), 1)
        sunny = lambda path: json.dumps({**made, "model": {**model, "environments": {"weather": {"profile": path}}}})
        self.by_all_ways(sunny, "sun.json")
        # From elsewhere: what a file names lies where the file says, as seen from itself.
        (self.folder / "other/it.h5").unlink(missing_ok=True)
        self.assertEqual(self.go(sunny("../mine/sun.json"), cwd="other/.."), self.go(sunny("../mine/sun.json")))

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
