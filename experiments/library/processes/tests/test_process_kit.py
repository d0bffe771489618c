#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes in Python: what the kit makes of requests, line by line; the token ring is sound, and each of its faults is found, by one worker and
by three; a failure is found again, also from recorded traffic.

usage: test_process_kit.py CORRIDOR SOURCE"""
import json
import pathlib
import subprocess
import sys
import tempfile

BINARY, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FOLDER = SOURCE / "experiments/library/processes"

TOY = """
import os
import corridor_process as corridor
print("while it is loaded")
class Toy(corridor.Process):
    attributes = {"calls": int, "peers": set, "state": ["a", "b"]}
    messages, channels, inputs = ["m"], ["c"], {"ask": {"bytes": 2}}
    ticket = 0
    def start(self, stored):
        print("on standard error", flush=True)
        os.system("echo and a child")
        self.calls, self.state, self.torn = 0, "a", [write.torn for write in stored.writes]
        self.set_alarm(1, self.random.getrandbits(8))
        self.tell("c", 0, [stored.cells.get(3), self.torn, self.count, self.fault])
    def receive(self, sender, kind, value):
        self.calls += 1
        self.send(sender, kind, 1 / value)
    def input(self, which, data):
        self.write(4, data.hex())
        self.cell(3, which)
        self.complain("enough")
    def completed(self, ticket, ok):
        self.state = "b" if ok else "a"
        self.set_alarm(1, None)
        if ticket > 4:
            self.send(0, "m", ODD[ticket - 5])
        self.ticket = ticket
    def observe(self):
        return None if self.ticket == 9 else {"calls": self.calls, "peers": {2, self.me}, "state": self.state}
ODD = [{1}, float("nan"), b"x", "\u2603", None]
corridor.run(Toy)
"""
DIALOGUE = [
    ({"hello": {"protocol": 1, "count": 3, "fault": None}},
     {"process": "Toy", "version": "1", "attributes": {"calls": "integer", "peers": "agents", "state": ["a", "b"]}, "channels": {"c": ""},
      "messages": {"m": ""}, "inputs": {"ask": {"bytes": 2}}, "faults": {}}),
    ({"start": 1, "now": 0, "seed": "0x07", "cells": [{"cell": 3, "value": "x"}], "writes": [{"operation": 0, "torn": "12"}, {"operation": 1, "value": 2}]},
     {"did": [{"alarm": 1, "in": 82}, {"tell": "c", "index": 0, "value": ["x", ["12", None], 3, None]}],
      "shows": {"calls": 0, "peers": [1, 2], "state": "a"}}),
    ({"receive": 1, "now": 3, "from": 0, "kind": "m", "value": 2},
     {"did": [{"send": 0, "kind": "m", "value": 0.5}], "shows": {"calls": 1}}),
    ({"completed": 1, "now": 3, "ticket": 4, "ok": False}, {"did": [{"alarm": 1, "in": None}]}),
    ({"completed": 1, "now": 3, "ticket": 4, "ok": True}, {"did": [{"alarm": 1, "in": None}], "shows": {"state": "b"}}),
    ({"alarm": 1, "now": 3, "which": 1}, {"failed": "NotImplementedError: an alarm is due, and the class has no method alarm()"}),
    ({"input": 1, "now": 3, "which": "ask", "bytes": "00ff"},
     {"did": [{"write": 4, "operation": 0, "value": "00ff", "forgets": False}, {"cell": 3, "value": "ask"}, {"complain": "enough"}]}),
    ({"receive": 1, "now": 3, "from": 0, "kind": "m", "value": 0}, {"failed": "ZeroDivisionError: division by zero (toy.py:17)"}),
    ({"completed": 1, "now": 3, "ticket": 5, "ok": True}, {"failed": "TypeError: Object of type set is not JSON serializable"}),
    ({"completed": 1, "now": 3, "ticket": 6, "ok": True}, {"failed": "ValueError: Out of range float values are not JSON compliant"}),
    ({"completed": 1, "now": 3, "ticket": 7, "ok": True}, {"failed": "TypeError: Object of type bytes is not JSON serializable"}),
    ({"completed": 1, "now": 3, "ticket": 8, "ok": True}, {"did": [{"alarm": 1, "in": None}, {"send": 0, "kind": "m", "value": "\u2603"}]}),
    ({"completed": 1, "now": 3, "ticket": 9, "ok": True}, {"failed": "TypeError: observe() returns no values"}),
    ({"start": 1, "now": 9, "seed": "0x07", "cells": [], "writes": []},
     {"did": [{"alarm": 1, "in": 82}, {"tell": "c", "index": 0, "value": [None, [], 3, None]}],
      "shows": {"calls": 0, "peers": [1, 2], "state": "a"}}),
]


def run(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=SOURCE)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def dialogue(folder):
    (folder / "toy.py").write_text(TOY)
    (folder / "corridor_process.py").write_text((FOLDER / "corridor_process.py").read_text())
    lines = [json.dumps({"id": number, **request}) for number, (request, _) in enumerate(DIALOGUE, 1)] + ['{"id": 99, "bye": true}']
    done = subprocess.run([sys.executable, "-B", folder / "toy.py"], input="\n".join(lines) + "\n", capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr.removeprefix("while it is loaded\n") == "while it is loaded\n" + "on standard error\nand a child\n" * 2, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(DIALOGUE), done.stdout
    for number, (answer, (request, expected)) in enumerate(zip(answers, DIALOGUE), 1):
        if answer.get("failed", "").endswith("compliant: nan"):  # from Python 3.13 on
            answer["failed"] = answer["failed"].removesuffix(": nan")
        assert answer == {"id": number, **expected}, f"{request}\n{answer}\n{expected}"


def guesses(folder):
    """What a reader guesses is refused with what would be right: the exact last line of standard error."""
    kits = {"process": FOLDER / "corridor_process.py", "world": FOLDER.parent / "systems/corridor_world.py"}
    for kit, base in (("process", "Process"), ("world", "World")):
        name = f"corridor_{kit}"
        (folder / f"{name}.py").write_text(kits[kit].read_text())
        told = f"a class derives from {name}.{base}, and the last line is {name}.run(THAT_CLASS)"
        taken = f"{name}.run() takes a class that derives from {name}.{base}, and not"
        for body, said in ((f"{name}.main(Toy)", f"AttributeError: {name} has no 'main': {told}"),
                           (f"{name}.Agent", f"AttributeError: {name} has no 'Agent': {told}"),
                           (f"{name}.run('Toy')", f"TypeError: {taken} 'Toy'"), (f"{name}.run(int)", f"TypeError: {taken} <class 'int'>")):
            (folder / "guess.py").write_text(f"import {name}\nclass Toy({name}.{base}):\n    pass\n{body}\n")
            done = subprocess.run([sys.executable, "-B", folder / "guess.py"], input="", capture_output=True, text=True)
            assert done.returncode == 1 and done.stderr.splitlines()[-1] == said, done.stderr
        (folder / "guess.py").write_text(f"import {name}\nclass Toy({name}.{base}):\n    pass\n")
        done = subprocess.run([sys.executable, "-B", folder / "guess.py"], input="", capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, f"nobody called {name}.run(Toy), the last line of such a program\n"), done.stderr
        (folder / "guess.py").write_text(f"import {name}\nprint(hasattr({name}, 'main'), hasattr({name}, '__path__'))\n")  # no class, no word
        done = subprocess.run([sys.executable, "-B", folder / "guess.py"], capture_output=True, text=True)
        assert done.returncode == 0 and "False False\n" in (done.stdout, done.stderr) and "nobody" not in done.stderr, done.stderr


def ring(folder):
    ring = json.loads((FOLDER / "token_ring.json").read_text())
    ring.update(suites=2, sequences=3, cases=4, corridor=str(FOLDER / "token_ring.corridor"))
    (folder / "ring.json").write_text(json.dumps(ring))
    one, three, traffic = folder / "one.h5", folder / "three.h5", folder / "traffic"
    said = run(BINARY, "run", folder / "ring.json", "-o", one, "-j", 1, "--record-traffic", traffic)
    assert "no violation  1 of 4 arms: sound" in said and "found         3 of 4 arms: forgets, any_number, takes_over" in said, said
    run(BINARY, "run", folder / "ring.json", "-o", three, "-j", 3)
    assert one.read_bytes() == three.read_bytes()
    run(BINARY, "run", folder / "ring.json", "-o", folder / "again.h5", "--replay-traffic", traffic)
    assert one.read_bytes() == (folder / "again.h5").read_bytes()
    run(BINARY, "replay", one, "--failure", "forgets/0", "--trust")
    test = json.loads((FOLDER / "token_ring.json").read_text()) | {"corridor": str(FOLDER / "token_ring.corridor"), "arms": {"sound": {}},
        "process_test": {"suite": 0, "sequence": 0, "expected": "none"}, "schedule": [["time-out", 0, 0, 30]]}
    (folder / "told.json").write_text(json.dumps(test))
    story = run(BINARY, "replay", folder / "told.json", "--trace", "--trust")
    assert '1. 30 Alarm "work_done" of process 0 is due (the token goes on): state passing.' in " ".join(story.split()), story


def real_bugs(folder):
    """A program that is there and is refused, as of another version, is said, and hides none of the others."""
    refusing = folder / "corridor"
    refusing.write_text("#!/bin/sh\necho 'corridor: of another version' >&2\nexit 3\n")
    refusing.chmod(0o755)
    script = f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import real_bugs as b; b.version_of = lambda _: '1'; sys.exit(b.main())"
    said = run(sys.executable, "-B", "-c", script, refusing, folder / "kept", 1, "clones shuffled", "stale points", code=1)
    assert "refused: stale points of uhashring: corridor: of another version\nrefused: clones shuffled of pacemaker: corridor: of another version\n" in said, said
    assert "\n0 bugs, 0 found with every seed, 2 missing; tests" in said, said


with tempfile.TemporaryDirectory() as temporary:
    dialogue(pathlib.Path(temporary))
    guesses(pathlib.Path(temporary))
    ring(pathlib.Path(temporary))
    real_bugs(pathlib.Path(temporary))
