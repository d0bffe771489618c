#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What guests of every kind can see of the machine, as root, as a user, and where there may be no namespaces; and what a file of a stranger starts."""
import json
import os
import shlex
import pathlib
import pwd
import shutil
import struct
import subprocess
import sys
import tempfile

import e2e
from e2e import SOURCE

PLACES = """/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/hosts /etc/hostname /etc/fstab /etc/profile /etc/bash.bashrc /etc/crontab /etc/sudoers
/etc/resolv.conf /etc/os-release /etc/machine-id /etc/issue /etc/nsswitch.conf /etc/login.defs /etc/pam.conf /etc/debian_version /etc/environment /etc/shells
/etc/services /etc/protocols /etc/localtime /etc/ssh /etc/ssl /etc/apt /etc/cron.d /etc/systemd /etc/ld.so.conf /root /home /boot /opt /srv /mnt /media /run
/var/log /var/lib /var/cache /var/spool /var/mail /var/backups /sys/kernel /sys/class /dev/mem /dev/kmsg /dev/tty /dev/shm /proc/1/cmdline /proc/1/environ /proc/1/maps
/proc/1/status /proc/cpuinfo /proc/meminfo /proc/mounts /proc/cmdline /proc/version /proc/kallsyms /proc/sys/kernel/hostname /proc/net/dev /proc/modules""".split()
PYTHON = next(path for path in ("/usr/bin/python3", sys.executable) if os.path.exists(path))  # not one in somebody's home
SPY = """
import json, os, sys
def can_read(path):
    try:
        if os.path.isdir(path):
            return len(os.listdir(path)) > 0
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            return len(file.read(1)) == 1
    except OSError:
        return False
here = os.path.dirname(os.path.abspath(__file__))
import sibling
seen = [path for path in open(os.path.join(here, "places")).read().splitlines() if can_read(path)]
foreign = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()] if can_read("/proc") else []
if seen or foreign:
    print("sees " + json.dumps(seen + foreign), file=sys.stderr, flush=True)
    os._exit(3)
print("blind", end="", file=sys.stderr, flush=True)
print("no protocol", flush=True)
sys.stdin.read()
"""


CONTAINER = ("unshare", "-U", "-r", "sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces; "
             "exec setpriv --bounding-set -all --inh-caps -all --ambient-caps -all --no-new-privs \"$@\"", "sh")


class Guests(e2e.Case):
    """Guests that try to read more than fifty places; those that the test itself cannot read prove nothing and are left out."""

    def setUp(self):
        super().setUp()
        self.guest = self.folder / "my guest [1]"
        other, home = self.folder / "other", self.folder / "home"
        for folder in (self.guest, other, home, home / ".ssh", self.folder / "work", self.guest / "camp", self.guest / "r.h5.parts", self.folder / "r.h5.parts",
                       self.guest / "a/b c/d.parts", self.guest / "a/camp", self.guest / "a/planned/suites/S"):
            folder.mkdir(parents=True)
            folder.chmod(0o755)
        self.folder.chmod(0o755)
        secrets = [home / ".ssh/id_ed25519", home / ".bashrc", other / "guest.py", self.folder / "r.h5", self.folder / "r.h5.parts/000001.journal",
                   self.guest / "r.h5", self.guest / "r.h5.parts/MANIFEST", self.guest / "camp/results.h5", self.guest / "camp/experiment.json",
                   self.guest / "a/b c/r.h5", self.guest / "a/b c/d.parts/000001.journal", self.guest / "a/camp/results.h5", self.guest / "a/camp/experiment.json",
                   self.guest / "a/planned/suites/S/0000.json"]
        (self.guest / "a/planned/experiment.json").write_text("{}")
        neighbour = tempfile.NamedTemporaryFile(mode="w", prefix="corridor-walls-")
        self.addCleanup(neighbour.close)
        for path in secrets:
            path.write_text("secret")
        deepest = pathlib.Path(self.guest, *["d"] * 70)  # as deep nobody looks for results: nothing of it is shown
        deepest.mkdir(parents=True)
        (deepest / "r.h5").write_text("secret")
        secrets.append(deepest / "r.h5")
        neighbour.write("secret")
        neighbour.flush()
        self.places = [*PLACES, *map(str, secrets), neighbour.name, pwd.getpwuid(os.geteuid()).pw_dir + "/.bashrc", "/root/.bashrc", "/root/.profile"]
        for pid in {1, os.getpid(), os.getppid()}:
            self.places += [f"/proc/{pid}/{name}" for name in ("cmdline", "environ", "maps", "status", "comm", "fd", "cwd", "root/etc/passwd")]
        to_all = lambda path: os.path.islink(path) and not path.startswith("/proc/") and os.path.realpath(path).startswith("/usr/")
        on_the_way = lambda path: str(e2e.BINARY).startswith(path.rstrip("/") + "/")  # to the program of the cell: shown, and nothing else in it
        self.places = sorted({path for path in self.places if not to_all(path) and not on_the_way(path)})
        self.readable = [path for path in self.places if self.can_read(path)]
        (self.guest / "places").write_text("\n".join(self.places) + "\n")
        (self.guest / "sibling.py").write_text("")
        (self.guest / "spy.py").write_text(SPY)
        shutil.copy(e2e.MODULES / "spies.so", self.guest)
        self.environment = {"HOME": str(home)}
        layers = json.loads(self.corridor("doctor", "--json").stdout)["sheets"]["layers"]["rows"]
        if not next(row["holds"] for row in layers if row["layer"] == "sight"):
            self.skipTest("no walls hide files here")

    @staticmethod
    def can_read(path):
        try:
            if os.path.isdir(path):
                return len(os.listdir(path)) > 0
            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
                return len(file.read(1)) == 1
        except OSError:
            return False

    def guests(self, run):
        """Each kind of guest sees nothing: an algorithm, an agent, a system; a module, a program."""
        command, module = e2e.shell(PYTHON, self.guest / "spy.py"), str(self.guest / "spies.so")
        # Copies, as whoever runs may not come to the source.
        design, model, so_model = (shutil.copy(SOURCE / "experiments/library" / name, self.folder / pathlib.Path(name).name)
                                   for name in ("agents/stock_manager.json", "efsm/inres_initiator.json", "models/paper.json"))
        (self.folder / "e.json").write_text(json.dumps({"corridor_experiment": 1, "name": "e", "seed": "0x7", "suites": 1, "sequences": 1, "cases": [5, 9],
                                                        "model": str(so_model),
                                                        "arms": [{"name": "A", "algorithm": {"command": command}}]}))
        self.assertIn("first line will not do", run("run", "e.json", "-o", "out.h5", code=3).stderr)
        self.assertIn("exited with code 0", run("list", module, code=3).stderr)
        self.assertIn("first line will not do", run("agent", "test", design, "--agent", command, code=3).stderr)
        self.assertIn("exit code 0", run("agent", "test", design, "--agent", module, code=3).stderr)
        self.assertIn("the system spoke nonsense", run("efsm", "test", model, "--goal", "t5", "--system", command, code=7).stdout)

    def test_more_than_fifty_places_are_out_of_sight_of_every_guest(self):
        print(f"{len(self.places)} places, of which the test itself reads {len(self.readable)}")
        self.assertGreater(len(self.places), 80)
        self.assertGreater(len(self.readable), 50)
        self.guests(lambda *words, **others: self.corridor(*words, environment=self.environment, **others))

    def test_the_same_for_an_ordinary_user(self):
        who = self.as_nobody()
        self.guests(lambda *words, **others: self.corridor(*words, environment=self.environment, **{**who, **others}))

    def test_a_library_that_no_linker_would_load_is_no_need(self):
        """Named behind the end of a module's list of libraries, so that it is loaded all the same."""
        path = self.guest / "spies.so"
        module = bytearray(path.read_bytes())
        first, count = *struct.unpack_from("<Q", module, 32), *struct.unpack_from("<H", module, 56)
        segments = [struct.unpack_from("<IIQQQQ", module, first + 56 * i) for i in range(count)]
        at, size = next((place, size) for kind, _, place, _, _, size in segments if kind == 2)
        entries = [struct.unpack_from("<qQ", module, at + 16 * i) for i in range(size // 16)]
        address = dict(reversed(entries))[5]
        strings = next(place + address - virtual for kind, _, place, virtual, _, size in segments if kind == 1 and virtual <= address < virtual + size)
        end = next(i for i, (tag, _) in enumerate(entries) if tag == 0)
        if end + 1 == len(entries):
            self.skipTest("this linker leaves no room there")
        struct.pack_into("<qQ", module, at + 16 * (end + 1), 1, len(module) - strings)
        path.write_bytes(bytes(module) + str(self.folder / "other/guest.py").encode() + b"\0")
        self.assertIn("exited with code 0", self.corridor("list", path, code=3, environment=self.environment).stderr)

    def test_without_walls_guests_see_them(self):
        """So that the guests above are seen to look."""
        said = self.corridor("agent", "test", SOURCE / "experiments/library/agents/stock_manager.json", "--isolate", "never", "--agent",
                             e2e.shell(PYTHON, self.guest / "spy.py"), code=3, environment=self.environment).stderr
        self.assertIn("sees [", said)
        experiment = self.experiment(arms=[{"name": "A", "algorithm": str(self.guest / "spies.so")}])
        seen = self.corridor("run", experiment, "-o", "n.h5", "--isolate", "never", code=None, environment=self.environment).returncode
        self.assertGreater(seen, 50)  # the module ends the program with the number of places

    def test_where_no_namespaces_may_be_made_the_doctor_says_what_is_off_and_landlock_holds_the_rest(self):
        if subprocess.run([*CONTAINER, "true"], capture_output=True).returncode != 0:
            self.skipTest("no such container can be made here")

        def run(*words, code=0, **others):
            done = subprocess.run([*CONTAINER, e2e.BINARY, *map(str, words)], cwd=self.folder, text=True, capture_output=True,
                                  env={**e2e.ENVIRONMENT, **self.environment})
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            return done

        layers = {row["layer"]: row["holds"] for row in json.loads(run("doctor", "--json").stdout)["sheets"]["layers"]["rows"]}
        self.assertEqual([layers[name] for name in ("processes", "network", "modes")], [False] * 3)
        self.assertIn("isolation is not full, see corridor doctor: processes", run("plan", self.experiment(arms=[
            {"name": "W", "algorithm": str(e2e.MODULES / "works.so"), "parameters": {"agents": [2, 40], "budget": 50}}])).stderr)
        if layers["sight"]:
            said = "sight is by Landlock alone: names, sizes and times of files can be seen"
            self.assertIn(said, run("doctor").stdout)
            self.assertIn(said, run("plan", "small.json").stderr)
            self.assertIn(said, run("run", "small.json", "-o", "out.h5", "--require-isolation", "full", code=3).stderr)
            self.guests(run)


    def test_who_requires_full_isolation_has_a_root_of_its_own_for_guests_or_a_refusal(self):
        """Landlock alone hides what files hold, but not their names, sizes and times: of every kind of guest that is refused."""
        short = ("unshare", "-U", "-r", "sh", "-c", "echo 0 > /proc/sys/user/max_mnt_namespaces && exec \"$@\"", "sh")
        if subprocess.run([*short, "true"], capture_output=True).returncode != 0:
            self.skipTest("no namespace of users can be made here")
        (self.folder / "echo.py").write_text("import sys\nfor line in sys.stdin: pass\n")
        command = f"{PYTHON} echo.py"
        library = SOURCE / "experiments/library"
        experiments = {"a.json": {"corridor_experiment": 1, "name": "e", "seed": "0x7", "suites": 1, "sequences": 1, "cases": [5, 9],
                                  "model": str(library / "models/paper.json"),
                                  "arms": [{"name": "W", "algorithm": str(e2e.MODULES / "works.so"), "parameters": {"agents": [2, 40], "budget": 50}}]},
                       "b.json": {"design": str(library / "agents/stock_manager.json"), "arms": [{"name": "W", "program": command}]},
                       "c.json": {"efsm": str(library / "efsm/inres_initiator.json"), "goal": "t5", "arms": [{"name": "W", "system": {"command": command}}]}}
        for name, experiment in experiments.items():
            (self.folder / name).write_text(json.dumps(experiment))
            done = subprocess.run([*short, e2e.BINARY, "run", name, "-o", "out.h5", "--require-isolation", "full"], cwd=self.folder,
                                  text=True, capture_output=True, env=e2e.ENVIRONMENT)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("works.so" if name == "a.json" else "echo.py" if name == "b.json" else name, done.stderr)
            self.assertIn("sight is by Landlock alone", done.stderr)
            self.assertFalse((self.folder / "out.h5").exists())
        # Who does not require it is warned, also where agents of a world that test agents enter are programs.
        (self.folder / "d.json").write_text(json.dumps({
            "system": {"agents": [{"name": "Stock_Manager", "design": str(library / "agents/stock_manager.json"), "program": f"{PYTHON} {shlex.quote(str(library))}/agents/stock_manager.py"},
                                  {"name": "Delivery_Manager", "mock": True}]},
            "tests": [{"name": "t", "agents": [{"name": "Delivery_Manager", "goal": "success"}]}]}))
        for options, code in (((), 0), (("--require-isolation", "full"), 3)):
            done = subprocess.run([*short, e2e.BINARY, "run", "d.json", "-o", "d.h5", "--force", *options], cwd=self.folder, text=True, capture_output=True,
                                  env=e2e.ENVIRONMENT)
            self.assertIn("sight is by Landlock alone", done.stderr)
            self.assertEqual(done.returncode, code, done.stderr)


class Needs(e2e.Case):
    """What a guest needs can be read, wherever it lies."""

    def script(self, folder, name, text, mode=0o755):
        path = self.folder / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def run_guest(self, path, **others):
        return self.corridor("list", path, code=3, **others).stderr

    def test_an_interpreter_in_a_prefix_of_its_own(self):
        self.script("opt/tool/bin", "tool", "#!/bin/sh\ncat \"${0%/*}/../lib/data\" >&2; exit 4\n")
        self.script("opt/tool/lib", "data", "data of the tool")
        guest = self.script("a b", "guest.sh", "#!/usr/bin/env tool\n")
        said = self.run_guest(guest, environment={"PATH": f"{self.folder}/opt/tool/bin:{os.environ['PATH']}"})
        self.assertIn("data of the tool", said)

    def test_what_a_guest_says_it_needs_is_its_interpreter_alone(self):
        self.script("elsewhere", "data", "data from elsewhere")
        (self.folder / "work").mkdir()
        guest = self.script("guest", "guest.sh", f"#!/usr/bin/env -S sh -c 'cat {self.folder}/elsewhere/data >&2 ; exit 4'\n")
        said = self.run_elsewhere(guest)
        self.assertIn("exit code 4", said)
        self.assertNotIn("data from", said)

    def test_a_folder_that_the_user_names(self):
        self.script("elsewhere", "data", "data from elsewhere")
        guest = self.script("guest", "guest.sh", f"#!/bin/sh\ncat {self.folder}/elsewhere/data >&2; exit 4\n")
        (self.folder / "work").mkdir()
        self.assertNotIn("data from", self.run_elsewhere(guest))
        self.assertIn("data from elsewhere", self.run_elsewhere(guest, CORRIDOR_READS=str(self.folder / "elsewhere")))

    def test_a_guest_behind_links(self):
        """Of the working folder and from elsewhere, and in a root of its own as without them."""
        self.script("real", "data", "data beside it")
        self.script("real", "guest.sh", "#!/bin/sh\ncat \"${0%/*}/data\" /proc/self/comm >&2; exit 4\n")
        (self.folder / "link").symlink_to("real")
        (self.folder / "whole").symlink_to(self.folder / "real")
        layers = {row["layer"]: row["holds"] for row in json.loads(self.corridor("doctor", "--json").stdout)["sheets"]["layers"]["rows"]}
        for path in ("./link/guest.sh", "./whole/guest.sh", self.folder / "link/guest.sh"):
            said = self.run_guest(path)
            self.assertIn("data beside it", said)
            if layers["processes"] and layers["modes"]:
                self.assertIn("itcat\n", said)

    def test_of_results_those_that_a_command_names(self):
        """Though the working folder, which is above, can be read."""
        self.script("guest", "guest.sh", "cat guest/*.h5 top.h5 /proc/self/comm >&2; exit 4\n")
        for name in ("guest/named.h5", "guest/other.h5", "top.h5"):
            (self.folder / name).write_text(f"<{name}>")
        arm = {"name": "A", "algorithm": {"command": "sh guest/guest.sh --weights=guest/named.h5"}}
        said = self.corridor("plan", self.experiment(arms=[arm]), code=3).stderr
        self.assertIn("<guest/named.h5>", said)
        layers = {row["layer"]: row["holds"] for row in json.loads(self.corridor("doctor", "--json").stdout)["sheets"]["layers"]["rows"]}
        if layers["processes"] and layers["modes"]:
            self.assertIn("cat\n", said)  # it has a root of its own, with a /proc of its own
        for name in ("guest/other.h5", "top.h5"):
            self.assertNotIn(f"<{name}>", said)
        if subprocess.run([*CONTAINER, "true"], capture_output=True).returncode == 0:
            other = subprocess.run([*CONTAINER, e2e.BINARY, "plan", "small.json"], cwd=self.folder, text=True, capture_output=True, env=e2e.ENVIRONMENT).stderr
            self.assertIn("<guest/named.h5>", other)
            self.assertNotIn("<guest/other.h5>", other)
            self.assertNotIn("<top.h5>", other)

    def run_elsewhere(self, guest, **environment):
        done = subprocess.run([e2e.BINARY, "list", guest], cwd=self.folder / "work", text=True, capture_output=True, env={**e2e.ENVIRONMENT, **environment})
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        return done.stderr

    def test_of_a_home_a_guest_sees_itself_alone(self):
        home = self.folder / "home"
        guest = self.script("home", "guest.sh", "#!/bin/sh\ncat \"${0%/*}/secret\" >&2; exit 4\n")
        self.script("home", "secret", "a secret")
        (self.folder / "work").mkdir()
        said = self.run_elsewhere(guest, HOME=str(home))
        self.assertIn("exit code 4", said)
        self.assertNotIn("a secret", said)

    def test_libraries_beside_which_nothing_else_lies_wherever_a_module_names_them(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("there is no compiler")
        folder = self.folder / "libraries [1]" / "far away"
        folder.mkdir(parents=True)
        (self.folder / "more").mkdir()
        (self.folder / "more/inner.c").write_text("int inner(void) { return 7; }\n")
        (folder / "far.c").write_text("int inner(void);\nint far(void) { return inner(); }\n")
        module = self.folder / "module"
        module.mkdir()
        (module / "m.c").write_text("#include <unistd.h>\nint far(void);\n__attribute__((constructor)) static void go(void) { _exit(far()); }\n")
        shared = (compiler, "-shared", "-fPIC")
        subprocess.run([*shared, self.folder / "more/inner.c", "-o", self.folder / "more/libinner.so"], check=True)
        subprocess.run([*shared, folder / "far.c", "-o", folder / "libfar.so", "-L", self.folder / "more", "-linner", "-Wl,-rpath,$ORIGIN/../../more"], check=True)
        subprocess.run([*shared, module / "m.c", "-o", module / "m.so", "-L", folder, "-lfar", f"-Wl,-rpath,{folder}", f"-Wl,-rpath-link,{self.folder}/more"], check=True)
        self.assertIn("exited with code 7", self.corridor("list", module / "m.so", code=3).stderr)

    def test_of_two_libraries_of_a_name_the_one_that_the_linker_takes_and_nothing_beside_it(self):
        """ld.so(8): DT_RPATH, LD_LIBRARY_PATH, DT_RUNPATH."""
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("there is no compiler")
        shared = (compiler, "-shared", "-fPIC")
        for name, number in (("own", 1), ("said", 2)):
            (self.folder / name).mkdir()
            (self.folder / name / "secret").write_text("secret")
            (self.folder / name / "far.c").write_text(f"int far(void) {{ return {number}; }}\n")
            subprocess.run([*shared, self.folder / name / "far.c", "-o", self.folder / name / "libfar.so"], check=True)
        (self.folder / "m").mkdir()
        (self.folder / "m/m.c").write_text("#include <unistd.h>\nint far(void);\n__attribute__((constructor)) static void go(void) { _exit(10 * far() + "
                                           f"(access(\"{self.folder}/own/secret\", R_OK) == 0) + 2 * (access(\"{self.folder}/said/secret\", R_OK) == 0)); }}\n")
        environment = {"LD_LIBRARY_PATH": str(self.folder / "said")}
        for tags, number in (("--disable-new-dtags", 1), ("--enable-new-dtags", 2)):
            subprocess.run([*shared, self.folder / "m/m.c", "-o", self.folder / "m/m.so", "-L", self.folder / "own", "-lfar",
                            f"-Wl,{tags},-rpath,{self.folder}/own"], check=True)
            self.assertIn(f"exited with code {10 * number}\n", self.corridor("list", self.folder / "m/m.so", code=3, environment=environment).stderr)


class Strangers(e2e.Case):
    """Files that name a program: a byte in a pipe is gone if it was started."""

    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "canary")
        self.canary = os.open(self.folder / "canary", os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, self.canary)
        (self.folder / "places").write_text(f"{self.folder}/canary\n")
        os.write(self.canary, b"x")

    def was_started(self):
        try:
            os.read(self.canary, 16)
            return False
        except BlockingIOError:
            return True
        finally:
            os.write(self.canary, b"x")

    def plant(self, name):
        (self.folder / name).unlink()
        if name.endswith(".so"):
            shutil.copy(e2e.MODULES / "spies.so", self.folder / name)
        else:
            (self.folder / name).write_text("#!/bin/sh\nhead -c 1 canary >&2\n")
            (self.folder / name).chmod(0o755)

    def refuses(self, *words):
        done = self.corridor(*words, code=3)
        self.assertIn("the file names a program, and nothing was started: ", done.stderr)
        self.assertIn("with --trust it is started", done.stderr)
        self.assertFalse(self.was_started(), words)

    def starts(self, *words):
        done = self.corridor(*words, code=None)
        self.assertIn(": names a program, which is started: ", done.stderr)
        self.assertTrue(self.was_started(), (words, done.stderr))

    def only_reads(self, *words, code=0):
        self.corridor(*words, code=code)
        self.assertFalse(self.was_started(), words)

    def algorithms(self, name, algorithm):
        arm = {"name": "W", "algorithm": algorithm, "parameters": {"agents": [5, 9], "budget": 50}}
        self.run_into("out.h5", self.experiment(arms=[arm], suites=2))
        self.corridor("replay", "out.h5", "--failure", "W/0/0", "-o", "t.json", "--trust")
        self.plant(name)

    def check_algorithms(self):
        for words in (("replay", "out.h5"), ("replay", "t.json"), ("shrink", "out.h5", "--failure", "W/0/0", "-o", "n.json"), ("shrink", "t.json", "--check")):
            self.refuses(*words)
        self.starts("replay", "out.h5", "--trust")
        self.starts("replay", "t.json", "--trust")

    def check_every_way(self):
        for words in (("replay", "out.h5"), ("replay", "out.h5", "--failure", "W/0/0", "--trace"), ("replay", "out.h5", "--failure", "W/0/0", "-o", "n.json"),
                      ("replay", "out.h5", "--failure", "W/0/0", "--dump", "n.json"), ("shrink", "out.h5", "--failure", "W/0/0", "-o", "n.json"),
                      ("replay", "t.json"), ("replay", "t.json", "--expect", "failing"), ("replay", "t.json", "--isolate", "never"), ("replay", "t.json", "--dump", "n.json"),
                      ("shrink", "t.json", "-o", "n.json"), ("shrink", "t.json", "--check")):
            self.refuses(*words)
        self.starts("replay", "out.h5", "--trust")
        self.starts("replay", "t.json", "--trust")
        self.starts("shrink", "t.json", "-o", "n.json", "--trust")
        for words in (("show", "out.h5"), ("show", "out.h5", "--all"), ("report", "out.h5", "-o", "r.html"), ("coverage", "out.h5"), ("failures", "out.h5"),
                      ("export", "out.h5", "--all", "tables"), ("verify", "out.h5"), ("compare", "out.h5", "out.h5")):
            self.only_reads(*words, code=None)

    def test_of_algorithms_that_are_modules(self):
        shutil.copy(e2e.MODULES / "works.so", self.folder / "m.so")
        self.algorithms("m.so", "./m.so")
        self.check_every_way()
        for file in ("out.h5", "t.json"):  # where another kind of file is meant
            for words in (("run", file, "-o", "n.h5"), ("plan", file), ("search", file, "-o", "n.h5"), ("estimate", file), ("list", file), ("check", file),
                          ("merge", file, "-o", "n.h5"), ("status", file), ("verify", file), ("tree", file), ("coverage", file), ("ask", "deal", file), ("show", file),
                          ("profile", "walk", file), ("agent", "test", file), ("agent", "order", file), ("efsm", "show", file), ("combine", file)):
                self.only_reads(*words, code=None)

    def test_of_searches_and_estimates(self):
        shutil.copy(e2e.MODULES / "works.so", self.folder / "m.so")
        arm = {"name": "W", "algorithm": "./m.so", "parameters": {"agents": [5, 9], "budget": 50}}
        experiment = self.experiment(arms=[arm], suites=1)
        self.corridor("search", experiment, "--budget", 200, "-o", "s.h5")
        self.corridor("estimate", experiment, "--budget", 2400, "-o", "e.h5", code=None)
        self.plant("m.so")
        for file in ("s.h5", "e.h5"):
            self.refuses("replay", file)
            self.starts("replay", file, "--trust")
            self.only_reads("show", file, code=None)

    def test_of_algorithms_that_are_programs(self):
        shutil.copy(SOURCE / "algorithms/examples/python/my_algo.py", self.folder / "m.py")
        self.algorithms("m.py", "./m.py")
        self.check_algorithms()

    def test_of_algorithms_that_are_commands(self):
        shutil.copy(SOURCE / "algorithms/examples/python/my_algo.py", self.folder / "m.py")
        self.algorithms("m.py", {"command": "env A=1 ./m.py"})
        self.check_algorithms()

    def test_of_failures_that_are_kept_and_their_trees(self):
        shutil.copy(e2e.MODULES / "crashes.so", self.folder / "m.so")
        self.run_into("out.h5", self.experiment(arms=[{"name": "W", "algorithm": "./m.so"}], suites=1))
        key = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"][0]["key"]
        shown = self.corridor("show", "out.h5").stdout
        for command in ("replay", "shrink"):  # what is printed to be pasted says it
            line = next(line for line in shown.splitlines() if f" {command} out.h5 --failure" in line)
            self.assertTrue(line.endswith(" --trust"), line)
        self.corridor("replay", "out.h5", "--failure", key, "--trust")
        self.plant("m.so")
        self.refuses("failures", "out.h5", "--keep", "kept")
        self.starts("failures", "out.h5", "--keep", "kept", "--trust")
        self.refuses("replay", "out.h5", "--failing")
        self.refuses("replay", "out.h5", "--failures-of", "W")
        self.only_reads("tree", "out.h5", "--arm", "W", code=None)

    def test_of_agents(self):
        library = SOURCE / "experiments/library/agents"
        shutil.copy(library / "stock_manager.py", self.folder / "a.py")
        (self.folder / "a.py").chmod(0o755)
        self.corridor("agent", "test", library / "stock_manager.json", "--agent", "./a.py", "-o", "a.h5", code=None)
        text = next(row["text"] for row in self.table("a.h5", "head") if row["name"] == "experiment")
        (self.folder / "e.json").write_text(text)
        self.plant("a.py")
        self.refuses("replay", "a.h5")
        self.starts("replay", "a.h5", "--trust")
        for words in (("show", "a.h5"), ("report", "a.h5", "-o", "r.html"), ("verify", "a.h5"), ("export", "a.h5", "--all", "tables")):
            self.only_reads(*words, code=None)
        shown = self.corridor("show", "a.h5", code=None).stdout
        self.assertTrue(all(line.endswith("--trust") for line in shown.splitlines() if " replay a.h5" in line), shown)
        done = self.corridor("plan", "e.json", code=3)  # an experiment that the user runs means it, in a cell
        self.assertNotIn("--trust", done.stderr)

    def test_of_systems(self):
        shutil.copy(SOURCE / "experiments/library/efsm/systems/inres.py", self.folder / "s.py")
        (self.folder / "s.py").chmod(0o755)
        self.corridor("efsm", "test", SOURCE / "experiments/library/efsm/inres_initiator.json", "--goal", "t5", "--system", "./s.py", "-o", "s.h5")
        self.plant("s.py")
        self.only_reads("replay", "s.h5")  # what it answered stands in the file
        for words in (("show", "s.h5"), ("report", "s.h5", "-o", "r.html"), ("verify", "s.h5")):
            self.only_reads(*words, code=None)

    def test_of_traffic_and_tasks(self):
        shutil.copy(SOURCE / "algorithms/examples/python/my_algo.py", self.folder / "m.py")
        arm = {"name": "W", "algorithm": "./m.py", "parameters": {"agents": [5, 9], "budget": 50}}
        experiment = self.experiment(arms=[arm], suites=1, sequences=1)
        self.run_into("a.h5", experiment, "--record-traffic", "t", "--jobs", 1)
        key = next(f"W/0/0/{row['case']}" for row in self.table("a.h5", "reorganizations"))
        self.corridor("replay", "a.h5", "--failure", key, "--dump", "task.json", "--trust")
        self.plant("m.py")
        self.run_into("b.h5", experiment, "--replay-traffic", "t", "--jobs", 1)
        self.assertFalse(self.was_started())
        (self.folder / "t").write_text((self.folder / "t").read_text().replace("./m.py", "./planted.py"))
        shutil.copy(self.folder / "m.py", self.folder / "planted.py")
        (self.folder / "m.py").unlink()
        self.corridor("run", experiment, "-o", "c.h5", "--replay-traffic", "t", "--jobs", 1, code=None)
        self.assertFalse(self.was_started())
        self.only_reads("ask", "deal", "task.json", code=None)


if __name__ == "__main__":
    e2e.main()
