#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad guests: algorithms, agents, systems and distributed programs that crash, hang, lie and reach for what is not theirs. Each has the right verdict, the campaign
completes, all rows of the others are bit for bit those of a campaign in which it behaves, and nothing of it is left."""
import json
import os
import shutil
import sys
import unittest

import e2e
from e2e import BINARY, MODULES, SOURCE

import bad_guests
from bad_guests import Campaign

GUESTS, AGENTS = MODULES / "guests", BINARY.parent / "algorithms/agents"
CHOSEN = os.environ.get("GUESTS", "").split()  # only these
HOW_MANY = sys.argv[4:]  # "few", "some", or else all


class Guests(unittest.TestCase):
    """One campaign for each misdeed; what quiet campaigns look like is found out once."""

    @classmethod
    def setUpClass(cls):
        bad_guests.adopt_orphans()
        cls.campaign = Campaign(BINARY, GUESTS)
        cls.addClassCleanup(cls.campaign.close)
        cls.quiet = {}

    def misbehave(self, guest, fault, expected):
        changes = {"sequences": 1} if expected in ("hung", "overdue") else {}  # they take their time
        key = repr((sorted(guest.items()), changes))
        if key not in self.quiet:
            self.quiet[key] = self.campaign.run(guest, **changes)
            self.assertEqual(bad_guests.complaints(self.quiet[key], self.quiet[key], "passed", True), [], "the quiet campaign")
        seen = self.campaign.run({**guest, "fault": fault}, **changes)
        self.assertEqual(bad_guests.complaints(seen, self.quiet[key], expected, "strict" not in guest), [], fault)


def test_of(module, fault, expected):
    return lambda self: self.misbehave(bad_guests.guest_of(module, expected), fault, expected)


def is_chosen(deed, some):
    """Those that are named, else of make check some, else under sanitizers few, else all."""
    return deed in CHOSEN if CHOSEN else deed in some if HOW_MANY == ["some"] else deed in bad_guests.FEW if HOW_MANY == ["few"] else True


for module_name, deeds in bad_guests.DEEDS.items():
    for deed, verdict in deeds.items():
        if is_chosen(deed, bad_guests.SOME[module_name]):
            setattr(Guests, f"test_that_{module_name}_{deed}_is_{verdict.replace(' ', '_and_')}", test_of(module_name, deed, verdict))


class Others(unittest.TestCase):
    """Agents, systems and distributed programs, as the guest of a campaign of theirs."""

    @classmethod
    def setUpClass(cls):
        bad_guests.adopt_orphans()
        cls.agents, cls.systems = bad_guests.Agents(BINARY, AGENTS), bad_guests.Systems(BINARY, AGENTS)
        cls.processes, cls.beside = bad_guests.Processes(BINARY, GUESTS), bad_guests.Beside(BINARY, GUESTS)
        for campaign in (cls.agents, cls.systems, cls.processes, cls.beside):
            cls.addClassCleanup(campaign.close)
        cls.quiet = {}

    def misbehave(self, campaign, guest, sound, expected):
        key = json.dumps(sound, sort_keys=True)
        if key not in self.quiet:
            self.quiet[key] = campaign.run(sound)
            self.assertIn(self.quiet[key].verdict(), ("passed", "pass"), "the quiet campaign")
        self.assertEqual(bad_guests.complaints(campaign.run(guest), self.quiet[key], expected, False), [])

    def agent(self, way, fault, expected):
        sound = bad_guests.agent_of(way, expected)
        self.misbehave(self.agents, {**sound, "fault": fault}, sound, expected)

    def process(self, module, fault, expected):
        sound = bad_guests.process_of(module)
        self.misbehave(self.processes, {**sound, "fault": fault}, sound, expected)

    def system(self, body, trouble):
        sound = bad_guests.system_of(bad_guests.SOUND_SYSTEM, trouble)
        self.misbehave(self.systems, bad_guests.system_of(body, trouble), sound, trouble)


if HOW_MANY != ["few"] or CHOSEN:
    for agent_way, deeds in bad_guests.AGENTS.items():
        for deed, verdict in deeds.items():
            if is_chosen(deed, bad_guests.SOME_AGENTS):
                setattr(Others, f"test_that_agent_{agent_way}_{deed}_is_{verdict}",
                        lambda self, way=agent_way, fault=deed, expected=verdict: self.agent(way, fault, expected))
    for part, deeds in bad_guests.PROCESSES.items():
        for deed, verdict in deeds.items():
            if is_chosen(deed, bad_guests.SOME_PROCESSES):
                setattr(Others, f"test_that_{part.replace('.', '_')}_{deed}_is_{verdict}",
                        lambda self, module=part, fault=deed, expected=verdict: self.process(module, fault, expected))
    for beside in ("monitor", "mechanism"):
        for deed, verdict in bad_guests.BESIDE.items():
            if is_chosen(deed, bad_guests.SOME_BESIDE):
                setattr(Others, f"test_that_{beside}_{deed}_is_{verdict.replace('|', '_or_')}", lambda self, kind=beside, fault=deed, expected=verdict: self.misbehave(
                    self.beside, bad_guests.beside_of(kind, fault), bad_guests.beside_of(kind, None), expected.replace("smoke", f"{kind}_smoke")))
    for deed, (program, verdict) in bad_guests.SYSTEMS.items():
        if is_chosen(deed, bad_guests.SOME_SYSTEMS):
            setattr(Others, f"test_that_a_system_that_{deed.replace(' ', '_')}_{verdict}", lambda self, body=program, trouble=verdict: self.system(body, trouble))


class Estimates(e2e.Case):
    def test_that_sequences_of_a_guest_that_remembers_are_counted_apart(self):
        shutil.copy(GUESTS / "guest.so", self.folder)
        (self.folder / "e.json").write_text(json.dumps({
            "corridor_experiment": 1, "name": "e", "seed": "0x7", "suites": 12, "sequences": 3, "cases": 5, "model": bad_guests.MODEL,
            "arms": [{"name": "guest", "algorithm": "./guest.so", "fault": "remembers", "parameters": {"after": 1}}]}))
        self.corridor("run", "e.json", "-o", "e.h5", "--progress", "none")
        classes = [row["class"] for row in json.loads(self.corridor("failures", "e.h5", "--json").stdout)["failures"]]
        self.assertEqual(set(classes), {"smoke.leaked,fault"})
        count = len(classes)
        for failure, code, found in (("gray.agent_missing", 7, (0, count)), ("smoke.leaked,fault", 0, (count / 36, 0)), ("any", 0, (count / 36, 0))):
            said = json.loads(self.corridor("estimate", "e.json", "--failure", failure, "--json", code=code).stdout)
            self.assertAlmostEqual(said["probability"], found[0])
            self.assertEqual(said["leaked"], found[1], failure)
            self.assertGreater(said["high"], count / 36)


class Files(e2e.Case):
    """What cannot be loaded is refused before anything is run, in words."""

    def setUp(self):
        super().setUp()
        bad_guests.adopt_orphans()

    def refused(self, path, said, code=3):
        self.experiment(arms=[e2e.SPADA, {"name": "guest", "algorithm": path}])
        before = sorted(os.listdir(self.folder))
        done = self.corridor("run", "small.json", "-o", "out.h5", "--progress", "none", code=code)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("corridor: unusable plug-in: " if code == 3 else "corridor: file error: "), done.stderr)
        self.assertIn(said, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(bad_guests.orphans(), [])

    def copy(self, name):
        shutil.copy(GUESTS / "guest.so", self.folder / name)
        return self.folder / name

    def test_that_a_module_that_misbehaves_while_it_is_loaded_is_refused(self):
        for deed, said in (("segfaults", "signal 11"), ("aborts", "signal 6"), ("exits", "exited with code 0"), ("exits_with_3", "exited with code 3"),
                           ("throws", "signal 6")):
            with self.subTest(deed):
                self.copy(f"on_load-{deed}.so")
                self.refused(f"./on_load-{deed}.so", said)

    def test_that_a_module_that_does_harm_while_it_is_loaded_does_none(self):
        (self.folder / "canary").write_text("alive")
        for deed in ("leaves_a_daemon", "creates_files", "deletes_files", "changes_folder", "rounds_down", "closes_descriptors",
                     "prints_results", "kills_its_parent", "kills_all"):
            with self.subTest(deed):
                self.copy(f"on_load-{deed}.so")
                before = sorted(os.listdir(self.folder))
                done = self.corridor("list", f"./on_load-{deed}.so")
                self.assertIn("leaves_a_daemon", done.stdout)
                self.assertNotIn("guest.h5", done.stdout)
                self.assertEqual(sorted(os.listdir(self.folder)), before)
                self.assertEqual((bad_guests.orphans(), bad_guests.left_elsewhere()), ([], []))

    def test_that_a_program_that_garbles_its_hello_is_refused(self):
        program = SOURCE / "experiments/command/tests/guests/guest.py"
        for hello, said in (("ends", "ended"), ("ends_with_4", "exit code 4"), ("crashes", "signal 11"), ("garbage", "hello"),
                            ("nothing_said", "protocol"), ("wrong_id", "id"), ("newer_protocol", "protocol 99"), ("no_protocol", "protocol"),
                            ("bad_name", "name"), ("bad_shape", "round"), ("unknown_key", "colour"), ("bad_fault", "none"),
                            ("half", "without an answer"), ("floods", "a line without an end"), ("deep", "")):
            with self.subTest(hello):
                self.refused({"command": e2e.shell(program, hello)}, said)

    def test_that_text_is_refused(self):
        (self.folder / "text.so").write_text("this is no module\n" * 100)
        self.refused("./text.so", "invalid ELF header")

    def test_that_an_empty_file_is_refused(self):
        (self.folder / "empty.so").touch()
        self.refused("./empty.so", "file too short")

    def test_that_a_folder_is_refused(self):
        (self.folder / "folder.so").mkdir()
        self.refused("./folder.so", "directory", code=4)

    def test_that_a_link_to_nowhere_is_refused(self):
        (self.folder / "link.so").symlink_to("nowhere.so")
        self.refused("./link.so", "No such file", code=4)

    def test_that_half_a_module_is_refused(self):
        whole = self.copy("half.so").read_bytes()
        (self.folder / "half.so").write_bytes(whole[:len(whole) // 2])
        self.refused("./half.so", "signal 7")

    def test_that_a_module_of_another_machine_is_refused(self):
        whole = bytearray(self.copy("other.so").read_bytes())
        whole[18] = 0xf3  # e_machine: RISC-V
        (self.folder / "other.so").write_bytes(whole)
        self.refused("./other.so", "other.so")

    def test_that_a_module_that_lacks_a_library_is_refused(self):
        whole = self.copy("lacks.so").read_bytes()
        (self.folder / "lacks.so").write_bytes(whole.replace(b"libc.so.6\0", b"libq.so.6\0"))
        self.refused("./lacks.so", "libq.so.6")

    def test_that_modules_of_other_versions_are_refused_with_both_numbers(self):
        host = BINARY.parent / "algorithms/host"
        for name, said in (("bad_major", "built for plug-in version 2."), ("bad_minor", "built for plug-in version 1."),
                           ("bad_size", "struct_size is 64"), ("bad_symbol", "exports no constant"), ("bad_magic", "it begins with"),
                           ("bad_name", "Upper-Case"), ("bad_result", "result"), ("bad_shape", "no usable shape"),
                           ("bad_parameter", "share"), ("bad_fault", "none")):
            with self.subTest(name):
                self.refused(str(host / f"{name}.so"), said)


if __name__ == "__main__":
    e2e.main()
