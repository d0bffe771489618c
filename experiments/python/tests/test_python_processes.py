#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes of Python as distributed programs under test, in process: the same rows as the same class as a program of its own; whatever
they do is a verdict of their schedule, and the next one is sound."""
import csv
import ctypes
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import time

import package
from package import SOURCE, Case, corridor

LIBRARY_OF_EXPERIMENTS = SOURCE / "experiments/library/processes"


def table(path, name):
    return list(csv.DictReader(io.StringIO(corridor.call("export", path, "--table", name))))


class Good(corridor.Process):
    attributes = {"heard": int, "share": {"type": float, "unit": "s"}, "friends": set, "mood": ["calm", "loud"]}
    messages, inputs, channels = ["ping"], {"go": {"weight": 3, "bytes": 2}}, ["pings"]

    def start(self, stored):
        self.heard, self.friends = stored.cells.get(0, 0), set()

    def input(self, which, data):
        assert which == "go" and len(data) == 2
        self.send((self.me + 1) % self.count, "ping", [self.me, self.now])

    def receive(self, sender, kind, value):
        assert kind == "ping" and value[0] == sender
        self.heard += 1
        self.friends.add(sender)
        self.cell(0, self.heard)
        self.tell("pings", self.heard * self.count + self.me, value)
        if self.heard > 3:
            self.misbehave()

    def misbehave(self):
        pass

    def observe(self):
        return {"heard": self.heard, "share": self.heard / 2, "friends": self.friends, "mood": "loud" if self.heard else "calm"}


WRONG = {}
SLOW = {"spins", "clings"}  # seconds of CPU time each


def wrong(end, words, method="misbehave"):
    """Makes a class that does wrong once it has heard some pings; what becomes of its schedules."""
    def make(function):
        kind = type(function.__name__, (Good,), {method: function, "__module__": __name__, "name": function.__name__})
        WRONG[function.__name__] = end, words
        return corridor.process(kind)

    return make


corridor.process(type("sound", (Good,), {"name": "sound", "__module__": __name__}))


@wrong("complaint", r"in receive: KeyError: 'nothing' \(test_python_processes\.py:\d+\)")
def raises(self):
    {}["nothing"]


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


@wrong("complaint", r"in receive: Mute: its text cannot be made \(RuntimeError\)")
def raises_without_text(self):
    raise Mute


@wrong("complaint", r"in receive: SystemExit: 3 ")
def leaves(self):
    sys.exit(3)


@wrong("complaint", r"in receive: KeyboardInterrupt ")
def interrupts(self):
    raise KeyboardInterrupt


@wrong("complaint", r"in receive: it is broken")
def complains(self):
    self.complain("it is broken")


@wrong("exit", r"The program ended its process with code 7\.")
def leaves_at_once(self):
    os._exit(7)


@wrong("signal", r"in receive: segmentation fault, at an address near 0")
def crashes(self):
    ctypes.string_at(8)


@wrong("hang", r"in receive: ")
def spins(self):
    while True:
        pass


@wrong("hang", r"in receive: it did not come back, though it was interrupted")
def clings(self):
    while True:
        try:
            while True:
                pass
        except KeyboardInterrupt:
            pass


@wrong("leaked", r"The program leaves processes behind\.")
def forks(self):
    if os.fork() == 0:
        time.sleep(3600)


@wrong("absurd call", r"in receive: ")
def sends_to_nobody(self):
    self.send(99, "ping")


@wrong("complaint", r"in receive: .*ValueError.*: 4294967296 is no number from 0 to 4294967295 ")
def sends_far(self):
    self.send(1 << 32, "ping")


@wrong("complaint", r"in receive: .*ValueError.*: -1 is no number from 0 to 18446744073709551615 ")
def sets_an_alarm_of_the_past(self):
    self.set_alarm(0, -1)


@wrong("complaint", r"in receive: KeyError: 'pong' ")
def sends_what_there_is_not(self):
    self.send(0, "pong")


@wrong("complaint", r"in receive: TypeError: Object of type object is not JSON serializable ")
def sends_objects(self):
    self.send(0, "ping", object())


@wrong("complaint", r"in observe: ValueError: observe\(\) says nothing, and not heard, share, friends, mood", "observe")
def shows_nothing(self):
    return {}


@wrong("complaint", r"in observe: KeyError: 'sad'\.", "observe")
def shows_a_mood(self):
    return {**Good.observe(self), "mood": "sad"}


@wrong("complaint", r"in observe: ValueError: attribute heard is -1, and not 0 to 2\^53\.", "observe")
def shows_less_than_nothing(self):
    return {**Good.observe(self), "heard": -1}


class Processes(Case):
    def test_the_rows_are_those_of_the_same_class_as_a_program(self):
        self.check_rows("token_ring", "TokenRing", 5)

    def test_histories_are_those_of_the_same_class_as_a_program(self):
        self.check_rows("stores", "Stores", 3)

    def check_rows(self, name, kind, sequences):
        source = (LIBRARY_OF_EXPERIMENTS / f"{name}.py").read_text()
        changed = source.replace("import corridor_process as corridor", "import corridor").replace(f"corridor.run({kind})", "")
        changed = changed.replace(f"class {kind}", f"@corridor.process\nclass {kind}")
        (self.folder / f"{name}_here.py").write_text(changed)
        for path in (f"{name}.py", "corridor_process.py"):
            (self.folder / path).write_text((LIBRARY_OF_EXPERIMENTS / path).read_text())
        spec = importlib.util.spec_from_file_location(f"{name}_here", self.folder / f"{name}_here.py")
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
        what = json.loads((LIBRARY_OF_EXPERIMENTS / f"{name}.json").read_text())
        what["corridor"] = (LIBRARY_OF_EXPERIMENTS / f"{name}.corridor").read_text().split("\n")
        what.update(suites=1, sequences=sequences)
        paths = []
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            for number, (program, workers) in enumerate(((name, 1), (name, 3), (f"{sys.executable} {name}.py", 2))):
                what["process"] = {**what["process"], "program": program}
                paths.append(self.folder / f"{number}.h5")
                corridor.run(what, output=paths[-1], workers=workers, progress=False)
        finally:
            os.chdir(here)
        self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())
        for rows in corridor.open(paths[0]).tables:
            if rows != "head":
                self.assertEqual(table(paths[0], rows), table(paths[2], rows), rows)
        self.assertGreater(len(table(paths[0], "events")), 100)
        self.assertTrue(table(paths[0], "violations"))

    def test_whatever_a_class_does_is_a_verdict_and_the_next_schedule_is_sound(self):
        for name in ["sound", *WRONG]:
            if name in SLOW and "in-full" not in sys.argv:
                continue
            what = {"process": {"program": name, "count": 3}, "name": name, "seed": 7, "suites": 1, "sequences": 1 if name in SLOW else 2, "cases": 4,
                    "corridor": ["structure observed", "channel pings", "invariant once: agree(pings)"],
                    "environment": {"states": {"storm": {"delay": [1, 9], "input": 9}}}}
            result = corridor.run(what, progress=False, workers=1)
            rows = table(result.path, "sequences")
            self.assertEqual(len(rows), 1 if name in SLOW else 2)
            for row in rows:
                end, words = WRONG.get(name, ("none", ""))
                self.assertEqual(row["end"], end, (name, row))
                self.assertRegex(row["why"], f"^(Process \\d: )?({words})", (name, row))

    def test_a_module_in_c_ends_as_by_the_program(self):
        """Also by exit, _Exit and assert, which the interpreter's C library would do."""
        module = package.BINARY.parent / "algorithms/processes/endings.so"
        self.assertTrue(module.exists())
        ends = {"exit": "it called exit with 3", "exit_at_once": "it called exit with 4", "abort": "it called abort",
                "assertion": "assertion failed: nothing == 1 (endings.c:53)"}
        path = self.folder / "ends.json"
        path.write_text(json.dumps({
            "process": {"program": str(module), "count": 2}, "name": "ends", "seed": 7, "suites": 1, "sequences": 3, "cases": 5,
            "corridor": ["structure observed", "attribute share: real", "invariant small: all(a in agents: a.share <= 100)"],
            "environment": {"states": {"storm": {"delay": [1, 9], "input": 4}}}, "arms": {name: {"fault": name} for name in ends}}))
        for isolate in ("always", "never"):
            here, there = self.folder / f"here-{isolate}.h5", self.folder / f"there-{isolate}.h5"
            corridor.run(path, output=here, isolate=isolate, progress=False)
            subprocess.run([package.BINARY, "run", path, "-o", there, "--isolate", isolate, "--progress", "none"], check=True, capture_output=True)
            self.assertEqual(here.read_bytes(), there.read_bytes(), isolate)
            self.assertEqual({row["arm"]: re.sub(r"^Process \d: in input: (.*)\.$", r"\1", row["why"]) for row in table(here, "sequences")}, ends)

    def test_what_cannot_be_a_process_is_refused(self):
        with self.assertRaisesRegex(TypeError, "no class that is derived from corridor.Process"):
            corridor.process(dict)
        with self.assertRaisesRegex(TypeError, "attribute a is 3: write int, float, set or a list of words"):
            corridor.process(type("Odd", (corridor.Process,), {"attributes": {"a": 3}}))


if __name__ == "__main__":
    package.main()
