#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Suites executed on other hosts, through a command that stands for ssh and breaks the link in every way: the file is that of a quiet
run on this machine, or the trouble is told, with the host. (ssh itself: distributed.py.)"""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import struct
import sys

import e2e
from e2e import SPADA

FAKE = pathlib.Path(__file__).with_name("fake_ssh.py").resolve()


class Hosts(e2e.Case):
    def setUp(self):
        super().setUp()
        self.name = self.experiment(suites=20)
        self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in self.served() if self.runs(pid)])

    def quiet(self):
        self.run_into("quiet.h5", self.name)

    def options(self, hosts, faults, program=e2e.BINARY, patience=60):
        (self.folder / "faults").write_text(json.dumps(faults))
        return ("run", self.name, "-o", "out.h5", "--progress", "none", "--hosts", hosts, "--host-patience", str(patience), "--ssh-command",
                e2e.shell(sys.executable, FAKE, "faults"), "--remote-corridor", str(program))

    def run_on(self, hosts, faults=None, code=0, **others):
        return self.corridor(*self.options(hosts, faults or {}, **others), code=code)

    def served(self):
        """Processes that hosts were given."""
        return [int(pid) for path in self.folder.glob("*.pids") for pid in path.read_text().split()]

    def runs(self, pid):
        try:
            return (pathlib.Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    @staticmethod
    def children_of(pid):
        return [int(child) for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]

    def gone(self):
        self.wait_until(lambda: not any(self.runs(pid) for pid in self.served()), "the hosts' processes to end")

    def test_other_hosts_and_this_one_give_the_same_file(self):
        self.quiet()
        for hosts in ("a:1", "a:2,b:1,localhost:1", "localhost:2"):
            done = self.run_on(hosts)
            self.assertEqual(done.stderr, "")
            self.assert_same_bytes("quiet.h5", "out.h5")
            for name in ("out.h5", "out.h5.times.csv"):
                (self.folder / name).unlink()
        (self.folder / "list").write_text("# two hosts\na slots=2\n\nb:1 # the other\n")
        self.run_on("list")
        self.assert_same_bytes("quiet.h5", "out.h5")
        self.gone()

    def test_stop_conditions_read_what_hosts_have_stored(self):
        """Of the width of an interval the planner knows by reading suites where they are stored."""
        stop = ("--stop-half-width", "0.4")
        self.run_into("quiet.h5", self.name, *stop)
        self.corridor(*self.options("a:1,b:1", {}), *stop)
        self.assert_same_bytes("quiet.h5", "out.h5")
        self.gone()

    def test_properties_are_decided_by_what_hosts_have_stored(self):
        """As many suites as it takes to decide, and no other, in whichever order they come."""
        self.name = self.experiment(suites=0, sequences=1, properties=["P >= 0.5 [ eventually alarm ]", "E >= 1 [ max moved ]"],
                                    stop={"decided": 1, "suites": 400})
        self.quiet()
        self.run_on("a:2,b:1,localhost:1")
        self.assert_same_bytes("quiet.h5", "out.h5")
        shown = json.loads(self.corridor("show", "out.h5", "decisions", "--json").stdout)["decisions"]
        self.assertTrue(all(row["verdict"] == "holds" for row in shown), shown)
        self.gone()

    def test_agents_are_tested_on_other_hosts_too(self):
        agents = e2e.SOURCE / "experiments/library/agents"
        (self.folder / "agents.json").write_text(json.dumps({"design": str(agents / "stock_manager.json"), "faults": str(agents / "stock_manager_faults.json")}))
        self.name = "agents.json"
        self.quiet()
        self.run_on("a:1,b:1")
        self.assert_same_bytes("quiet.h5", "out.h5")
        self.gone()

    def test_what_a_lost_host_had_goes_to_others(self):
        self.name = self.experiment(suites=200)
        self.quiet()
        for fault, told in (({"cut": 6000}, "the link is closed"), ({"hush": 6000}, "it does not answer"),
                            ({"flip": 6000}, "host a is lost")):
            def attempt(fault=fault, told=told):
                said = self.run_on("a:1,localhost:1", {"a": fault}, patience=5).stderr
                self.assert_same_bytes("quiet.h5", "out.h5")
                self.remove("out.h5*")
                return told in said and "its suites go to others" in said
            self.in_time(attempt, f"{fault}: {told}")
        self.gone()

    def test_a_host_that_is_lost_last_is_replaced_by_a_worker_that_had_ended(self):
        self.name = self.experiment(suites=100)
        self.quiet()
        process = self.begin(*self.options("a:1,localhost:1", {}, patience=12))
        self.wait_until(lambda: self.stored("*.parts/000000.journal"),
                        "a suite of the host", process)
        for pid in self.served():
            os.kill(pid, signal.SIGSTOP)  # it says nothing more, and this machine does the rest
        self.assertEqual(process.wait(), 0)
        self.assert_same_bytes("quiet.h5", "out.h5")
        times = [line.split(",") for line in (self.folder / "out.h5.times.csv").read_text().splitlines()]
        self.assertEqual(times[0][-3:], ["host", "process", "program"])
        self.assertEqual(len(times), 201)  # every suite, whoever has executed it
        self.assertEqual({row[7] for row in times[1:]}, {"a", os.uname().nodename})
        for pid in self.served():
            os.kill(pid, signal.SIGCONT)
        self.gone()

    def test_a_host_whose_executing_process_is_stopped_is_given_up(self):
        self.name = self.experiment(suites=100)
        self.quiet()
        told = "host a is lost to worker 0: it does not answer; its suites go to others"

        def attempt():
            process = self.begin(*self.options("a:1,localhost:1", {"a": {}}, patience=2))
            self.wait_until(lambda: process.poll() is not None or self.stored("*.parts/000000.journal"), "a suite of the host")
            held = [pid for serving in self.served() for pid in self.children_of(serving)]
            for pid in held:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)  # who keeps the link lives
            said = process.communicate()[1]
            self.assertEqual(process.returncode, 0, said)
            self.assert_same_bytes("quiet.h5", "out.h5")
            self.gone()
            self.assertEqual([pid for pid in held if self.runs(pid)], [])
            self.remove("out.h5*", "*.pids")
            return told in said
        self.in_time(attempt, told)

    def test_when_no_host_is_left_the_same_command_goes_on(self):
        self.quiet()
        said = self.run_on("a:1,b:1", {"a": {"cut": 30000}, "b": {"cut": 60000}}, code=5).stderr
        self.assertIn("no worker is left", said)
        self.assertFalse((self.folder / "out.h5").exists())
        self.run_on("b:2")
        self.assert_same_bytes("quiet.h5", "out.h5")
        self.gone()

    def test_a_host_that_refuses_at_first_is_asked_again(self):
        self.quiet()
        self.assertEqual(self.run_on("a:1", {"a": {"refuse": 2}}).stderr, "")
        self.assert_same_bytes("quiet.h5", "out.h5")
        (self.folder / "out.h5").unlink()
        (self.folder / "out.h5.times.csv").unlink()
        said = self.run_on("b:1,localhost:1", {"b": {"refuse": 100}}).stderr
        self.assertIn("host b is lost", said)
        self.assert_same_bytes("quiet.h5", "out.h5")

    def test_another_build_is_refused_with_what_differs(self):
        other = self.folder / "other"
        content = bytearray(e2e.BINARY.read_bytes())
        digest = content.find(struct.pack("<III", 4, 20, 3) + b"GNU\0")  # the linker's note: what another build has another of
        if digest >= 0:
            content[digest + 16] ^= 1
        else:
            content += b"\n"
        other.write_bytes(content)
        other.chmod(0o755)
        said = self.run_on("a:1,localhost:1", program=other, code=3).stderr
        self.assertIn("a: would execute something else: it is of another build of corridor", said)
        self.gone()

    def test_modules_are_those_of_the_host(self):
        for name in ("works", "crashes", "leaves"):
            shutil.copy(e2e.MODULES / f"{name}.so", self.folder)
        self.name = self.experiment(arms=[SPADA, {"name": "W", "algorithm": "./works.so"}], suites=3)
        self.quiet()
        self.run_on("a:2")
        self.assert_same_bytes("quiet.h5", "out.h5")
        (self.folder / "out.h5").unlink()
        (self.folder / "out.h5.times.csv").unlink()
        said = self.run_on("a:1", {"a": {"remove": str(self.folder / "works.so")}}, code=4).stderr
        self.assertIn("a: ", said)
        self.assertIn("works.so", said)
        self.gone()

    def test_a_process_that_a_suite_ends_there_is_told_as_if_it_were_here(self):
        for name in ("crashes", "leaves"):
            shutil.copy(e2e.MODULES / f"{name}.so", self.folder)
            self.name = self.experiment(arms=[{"name": "W", "algorithm": f"./{name}.so"}], suites=1)
            here = self.corridor("run", self.name, "-o", "here.h5", "--jobs", "1", "--progress", "none", "--isolate", "never", code=6)
            there = self.corridor(*self.options("a:1", {}), "--isolate", "never", code=6)
            self.assertEqual(there.stderr.replace("out.h5", "here.h5"), here.stderr)
            for path in self.folder.glob("*.parts"):
                shutil.rmtree(path)
        self.gone()

    def test_however_the_campaign_ends_nothing_is_left_on_the_hosts(self):
        self.name = self.experiment(suites=100000)
        for number, code in ((signal.SIGKILL, -9), (signal.SIGTERM, 5)):
            process = self.begin(*self.options("a:2", {}))
            self.wait_until(lambda: len(self.served()) == 2 and self.journals() > 20000, "suites", process)
            os.kill(process.pid, number)
            process.communicate()
            self.assertEqual(process.returncode, code)
            self.gone()
            for path in self.folder.glob("*.pids"):
                path.unlink()
            for path in self.folder.glob("out.h5.parts"):
                shutil.rmtree(path)

    def test_what_is_no_list_of_hosts_is_refused(self):
        for hosts in ("", "a:0", "a:b", "a:", ":3", "a:257", "a:200,b:100", "-oProxyCommand=x", "a;b", "a:1x", "$(x)", ","):
            self.assertIn("is no host", self.run_on(hosts, code=3).stderr, hosts)
        self.assertIn("localhost:4", self.corridor("run", self.name, "-o", "o.h5", "--hosts", "a", "--jobs", "2", code=2).stderr)
        self.assertIn("serve is what", self.corridor("serve", code=2).stderr)


if __name__ == "__main__":
    e2e.main()
