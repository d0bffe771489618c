#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every reader of texts is given mutated ones, under sanitizers: it reads them, or refuses them with words.

usage: readers.py CORRIDOR SOURCE FUZZER EXECUTIONS [READER...]

FUZZER is fuzz_readers, a target of libFuzzer; each reader begins with the files of the project that it reads, and those that
tests have of what is refused (written by write_invalid_cases, which stands where CORRIDOR was built). EXECUTIONS are of each
reader; COR_FUZZ_SECONDS ends one earlier, and what was done is said. A text of a guest is the lines that it says.
"""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

write_cases = pathlib.Path(sys.argv[1]).resolve().parent / "sim/base/write_invalid_cases"
source, fuzzer, executions = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve(), int(sys.argv[4])
LARGEST = 8000  # bytes of a text: what is longer would be cut in the middle, and refused there
# A text needs little memory at a time, and a report has room for the six calls that matter.
OPTIONS = "malloc_context_size=6:quarantine_size_mb=32"
PATTERNS = {
    "json": ["experiments/library/*.json", "sim/json/tests/**/*.json"],
    "corridor": ["experiments/library/**/*.corridor", "oracle/corridor/tests/**/*.corridor"],
    "series": ["profiles/tests/f*/*.csv", "profiles/tests/f*/*.txt", "profiles/tests/f*/*.rdb"],
    "profile": ["profiles/library/*.json", "profiles/tests/**/*.json"],
    "combine": ["experiments/engines/combine/tests/*/*.*"],
    "rows": ["experiments/engines/combine/tests/field/*.csv"],
    "efsm-model": ["experiments/library/efsm/**/*.json", "oracle/efsm/tests/**/*.json", "experiments/library/**/*model*.json"],
    "level": ["experiments/library/**/*.csv", "sim/world/tests/**/*.csv"],
    "design": ["experiments/library/**/*design*.json", "experiments/library/agents/**/*.json", "experiments/layers/agent/tests/**/*.json"],
    "trace": ["oracle/**/tests/**/*.csv"],
    "hello": ["algorithms/systems/tests/**/*.json"],
    "efsm-test": ["experiments/layers/efsm/tests/invalid_test/*.json"],
    "system-test": ["experiments/layers/system/tests/invalid_test/*.json"],
    "agent-test": ["experiments/layers/agent/tests/invalid_test/*.json"],
    "process-test": ["experiments/layers/process/tests/**/*.json", "experiments/library/processes/*.json"],
    "interaction": ["experiments/library/*.json", "experiments/layers/interaction/tests/**/*.json"],
    "agent": ["experiments/library/*.json", "experiments/library/agents/*.json", "experiments/layers/agent/tests/**/*.json"],
    "efsm": ["experiments/library/*.json", "experiments/library/efsm/*.json", "experiments/layers/efsm/tests/**/*.json"],
    "system": ["experiments/library/*.json", "experiments/library/systems/*.json", "experiments/layers/system/tests/**/*.json"],
    "process": ["experiments/library/*.json", "experiments/library/processes/*.json", "experiments/layers/process/tests/**/*.json"],
    "search": ["experiments/library/*.json", "experiments/layers/search/tests/**/*.json"],
    "estimation": ["experiments/library/*.json", "experiments/layers/estimation/tests/**/*.json"],
    "agent-faults": ["experiments/library/agents/*faults.json", "experiments/layers/agent/tests/invalid/valid-faults.json"],
    "states": ["oracle/corridor/tests/invalid/*.json"],
}
# Where lists of cases are that are refused, and how the files are called of those that the reader reads.
CASES = {
    "json": ["sim/json/tests/invalid/*.json"], "corridor": ["oracle/corridor/tests/invalid/*.corridor"], "states": ["oracle/corridor/tests/invalid/*.json"],
    "series": ["profiles/tests/invalid/*.csv"], "profile": ["profiles/tests/invalid/*.json"], "combine": ["experiments/engines/combine/tests/invalid/*.*"],
    "efsm-model": ["oracle/efsm/tests/invalid/*.json"], "level": ["sim/world/tests/invalid/*.csv"], "design": ["experiments/layers/agent/tests/invalid/*.json"],
    "agent-faults": ["experiments/layers/agent/tests/invalid/*.json"], "agent": ["experiments/layers/agent/tests/invalid/*.json"],
    "interaction": ["experiments/layers/interaction/tests/invalid/*.json"], "process": ["experiments/layers/process/tests/invalid_file/*.json"],
    "process-test": ["experiments/layers/process/tests/invalid_test/*.json"], "efsm-test": ["experiments/layers/efsm/tests/invalid_test/*.json"],
    "system-test": ["experiments/layers/system/tests/invalid_test/*.json"], "agent-test": ["experiments/layers/agent/tests/invalid_test/*.json"], "test": ["experiments/engines/sequence/tests/invalid/*.json"],
    "system": ["experiments/layers/system/tests/invalid/*.json", "experiments/layers/system/tests/invalid_file/*.json"],
    "suite": ["experiments/layers/interaction/tests/invalid/suites/*.json", "experiments/layers/interaction/tests/invalid/suites_tree/*.json"],
}
TEXTS = {
    "expression": ["A + b * 3 >= speed and not (state = 4)", "min(A, b) + abs(speed) % 3 < 7", "A > 1 implies (b != 2 or speed < ceil_div(A, 2))", "A", "ceil_div(A, 3 * b) + 2"],
    "where": ["masked_pct > 5 and arm != 'x'", "failed or cases >= 10 implies state = 'on'", "state != 'off'", "masked_pct * 2 - cases / 3 < 1e3"],
    "temporal": ["always (A implies eventually[0, 3] b)", "A until[2, 5] (b and next speed)", "always not state and eventually moved > 3", "not next[1, 4] (A implies b) and speed"],
    "property": ["P <= 0.1 [ eventually (alarm and next[1, 3] alarm) ]", "E >= 0.9 [ mean moved ]", "Q 0.9 <= 4 [ max moved ]", "P >= 0.99 [ always (inside) ]", "sum moved",
                 "S >= 0.5 [ moved + 2 * case ]", "E [ moved at 7 ]", "E <= 3 [ min (moved * 100) ]", "moved at 3"],
    "trace": ["a,b\n1,0\n0,1\n?,-\n"],
    "rows": ["A,b,C\n1,x,\n2,z,\"\"\n3,~w,-1.5\n", "C;b;A\n\"\";y;1\n"],
    "hosts": ["a:8,b:4", "# hosts\na slots=8\nb:4\n"],
    "class": ["gray.agent_repeated,black.agent_repeated,fault", "smoke.crashed", "none", "property"],
    "mail": ['{"mode": "pct", "entries": [[1, "waits", 3, 0], [2, "waits", 1, 0]]}',
             '{"mode": "delayed", "entries": [[1, "travels", 3, 2], [1, "lost", 4, 0], [1, "twice", 4, 0], [2, "place", 1, 5], [3, "turn", 0, 1]]}'],
    "hello": ['{"world": "w", "types": {"door": {"open": "bool", "at": ["a", "b"], "twin": "door"}}, "actions": {"press": {"on": "entity"}, "move": {"way": ["east", "west", "south", "north"]}}, "entities": {"d": "door"}, "can": ["reset", "paths"], "grid": [4, 3, 2], "step": "move"}'],
        "question": ['{"corridor_task": 1, "algorithm": "psopp", "fault": "none", "measure": "range", "threshold": 0, "limits": {}, "budget": 1, "stream": {"seed": 2, "arm": 0, "suite": 0, "sequence": 0, "case": 1}, "answer": 0, "parameters": {}, "values": [1, 2, 3], "kind": "hierarchy", "structure": [[], [], []], "parents": [null, 0, 1]}',  # nobody in any organization
                     '{"corridor_task": 1, "said": "s", "algorithm": "spada", "fault": "f1", "measure": "range", "threshold": 0.36, "limits": {"size_min": 1, "size_max": 4, '
                 '"count_min": 1, "count_max": 9}, "budget": 2000, "interim_units": 7, "mail": {"mode": "pct", "depth": 2, "messages": 50}, "agents": {"fault": "none"}, '
                 '"stream": {"seed": "0x0000000000002015", "arm": 1, "suite": 8, "sequence": 0, "case": 13}, "answer": "0x763aa6c9c09a5be1", "agent_identities": 9, '
                 '"parameters": {"patience": 40.0}, "values": [0.9, 0.8, 0.7, 0.6], "attributes": [{"name": "kind", "words": ["a", "b"], "values": ["a", "b", "a", "a"]}, '
                 '{"name": "load", "real": [0, 5], "unit": "kW", "values": [1, null, 3, 4.5]}, {"name": "n", "integer": [0, 9], "values": [1, 2, 3, 4]}], "structure": [[0, 1], [2, 3]], '
                 '"agent_identity": [0, 2, 5, 8], "kept": "00ff17", "schedule": {"mode": "pct", "entries": [[1, "waits", 3, 2]]}}',
                 '{"corridor_task": 1, "algorithm": "psopp", "fault": "none", "measure": "range", "threshold": 0, "limits": {}, "budget": 1, "stream": {"seed": "0x1", "arm": 0, "suite": 0, '
                 '"sequence": 0, "case": 1}, "answer": "0x0", "parameters": {}, "values": [1, 2, 3], "kind": "hierarchy", "structure": [[0], [1], [2]], "parents": [null, 0, 1]}'],
    "inquiries": ['["P <= 0.1 [ eventually (alarm) ]", {"property": "E >= 0.9 [ mean moved ]", "arm": "A", "minus": "b", "alpha": 0.01, "beta": 0.1, '
                  '"indifference": 0.05}, {"property": "E [ moved at 1..50 ]", "width": 0.1, "level": 0.95}, {"property": "P [ inside ] at 1..5", "width": 0.2}, {"property": '
                  '"P >= 0.99 [ always (inside) ]", "method": "bayes", "factor": 100}]'],
    "traffic": ['corridor traffic 1\n0 = - python3 a.py\n0 > {"id":1,"hello":{}}\n0 <+ {"id":1}\n0 < {"id":2}\n0 ! 2 0 2:11 its last\\nwords\n1 = ' + "0" * 64 + ' sh b\n1 ! 1 0 0 quiet\n'],
    "world-requests": ['{"id":1,"hello":{"protocol":1,"seed":"0x1","setup":[],"agents":["a1"]}}\n{"id":2,"reset":true}\n{"id":3,"agent":"a1","do":"move","to":"east"}\n'
                       '{"id":4,"agent":"a1","do":"press","on":"b1"}\n{"id":5,"reset":true}\n{"id":6,"bye":true}\n'],
    "guest-description": ["", "\0\0\1\0", "\0\0\50\377\1\20\0"],
}


def lines(*answers):
    """What a guest says: the answers to requests; a number before one is that of its request, where they are not counted on."""
    number, said = 0, ""
    for answer in answers:
        number = answer.pop("id", number + 1)
        said += json.dumps({"id": number, **answer}, separators=(",", ":")) + "\n"
    return said


def guests():
    """Lines of sound guests."""
    hello = {"protocol": 1, "name": "guest", "version": "3", "summary": "s", "budget_unit": "turns", "parameters": [
        {"name": "shift", "meaning": "m", "default": 0, "min": 0, "max": 9, "integer": True}, {"name": "rate", "unit": "1/s", "meaning": "m", "default": 0.25, "min": 0, "max": 1}],
        "constraints": ["rate <= 1"], "counters": [{"name": "calls", "meaning": "m"}, {"name": "sizes", "meaning": "m", "buckets": 3}], "faults": {"f": "m"}}
    blocks, counters = [[0, 1, 2], [3, 4], [5, 6]], {"calls": 1, "sizes": [0, 2, 1]}
    one = {**hello, "shape": "one_shot", "capabilities": ["keeps", "moves"]}
    whole = {**hello, "shape": "centralised", "capabilities": ["anytime", "limits"]}
    some = {**hello, "shape": "decentralised", "capabilities": ["restart"]}
    kept = {"blocks": blocks, "spent": 3, "kept": {"times": 1}, "counters": counters, "moves": [[0, 1]]}
    sends = {"state": {"heard": []}, "send": [{"to": 1, "kind": 5, "data": {"i_am": 0}}]}
    yield "guest-algorithm", [lines({**one, "id": 1}, {**one, "id": 1}, {**kept}, {**kept, "fault": {"reached": 1, "held": 1, "activated": 1, "in_result": True}}),
                              lines({**whole, "id": 1}, {**whole, "id": 1}, {"counters": {"calls": 1}}, {"spent": 7, "progress": "continue"},
                                    {"spent": 1, "progress": "stagnated"}, {"blocks": blocks}, {}, {"spent": 1, "progress": "done"}, {"blocks": [[0]]}),
                              lines({**some, "id": 1}, {**some, "id": 1}, {"states": [{"heard": [], "block": 0}] * 7}, *[{**sends} for _ in range(7)],
                                    *[{"state": {"heard": [1]}, "progress": "done"} for _ in range(7)], {"blocks": blocks})]
    agent = {"agent": "Desk", "version": "2", "handles": {"Accept": "Pair", "Put": "Weigh", "Clear": None}, "faults": {"raises": "m"}, "forgets": True}
    turns = [{"id": 2, "context": "Accept", "holds": True}, {"id": 2, "started": "Accept"}, {"id": 2, "aside": "Tidy", "by": "Accept", "args": {}}, {"id": 2, "turn": True},
             {"id": 3, "started": "Clear"}, {"id": 3, "ended": "Clear", "ok": True}, {"id": 3, "done": True}, {"id": 3, "turn": True},
             {"id": 4, "posted": "Weigh", "by": "Accept", "args": {"Kilos": 1, "Far": False}}, {"id": 4, "started": "Put"}, {"id": 4, "wrote": "desk.Weight", "by": "Put", "value": 2},
             {"id": 4, "did": "Stamp", "by": "Put"}, {"id": 4, "ended": "Put", "ok": True}, {"id": 4, "sent": "Receipt", "by": "Accept"},
             {"id": 4, "ended": "Accept", "ok": True}, {"id": 4, "finished": "quiet", "steps": 4}]
    rows = [{"context": "Accept", "holds": True}, {"started": "Accept"}, {"posted": "Weigh", "by": "Accept", "args": {"Kilos": 1, "Far": True}}, {"started": "Put"},
            {"wrote": "desk.Size", "by": "Put", "value": "large"}, {"wrote": "desk.Share", "by": "Put", "value": 0.5}, {"wrote": "desk.Note", "by": "Put", "value": "new"},
            {"inserted": "shelf", "by": "Put", "values": {"Book": 1, "Copies": 1}}, {"removed": "shelf", "by": "Put", "key": {"Book": 1}}, {"ended": "Put", "ok": True},
            {"sent": "Receipt", "by": "Accept"}, {"ended": "Accept", "ok": True}, {"finished": "quiet", "steps": 1}]
    yield "guest-agent", [lines({**agent}, *map(dict, turns), {"id": 2, "finished": "quiet"}), lines({**agent}, {"lines": rows}, {"lines": rows[:2]}, {"lines": rows[-1:]}),
                          lines({"agent": "Desk"}, *[{"id": 2, **row} for row in rows]) + "x"]
    toy = {"process": "toy", "version": "1.2", "meaning": "m", "attributes": {"state": ["new", "asked"], "calls": "integer", "level": {"type": "real", "unit": "m"}, "peers": "agents"},
           "channels": {"heard": "m"}, "messages": {"ping": {"ballot": True}, "pong": "m"}, "inputs": {"ask": {"bytes": 3, "weight": 2, "meaning": "m"}}, "faults": {"deaf": "m"},
           "leader": {"state": "asked"}, "alarms": {"late": "m"}}
    start = {"did": [], "shows": {"calls": 0, "state": "new", "level": 0.5, "peers": [0]}}
    deeds = {"did": [{"send": 1, "kind": "ping", "value": {"from": 0}}, {"alarm": 3, "in": 20}, {"cell": 2, "value": [1, "c"]}, {"write": 7, "operation": 5, "value": "first"},
                     {"write": 8, "value": 12345}], "shows": {"state": "asked", "calls": 1}}
    idle = {"did": [], "shows": {}}
    heard = {"did": [{"tell": "heard", "index": 1, "value": {"from": 0}}], "shows": {"peers": [0, 1]}}
    yield "guest-process", [lines({**toy, "id": 1}, {**toy, "id": 1}, {**start}, {**start}, {**deeds}, {**heard}, {**idle}, {**idle}, {**start}, {**idle}, {**deeds}, {**heard}),
                            lines({**toy, "id": 1}, {**toy, "id": 1}, {**start}, {"did": [{"complain": "it is broken"}], "shows": {}})]
    quiet = [{"protocol": 1, "name": "inres", "version": "1"}, {"ready": True}, {"out": [["CR", []], ["Timer.start", []]]}, {"out": [["DT", [1, 0]]], "goals": {"add": ["far", "near"]}},
             {"quiet": True, "goals": {"drop": ["near"]}}, {"out": [["nobody", [True, "x", 0.5]]]}, {"quiet": True}]
    yield "guest-system", [lines(*map(dict, quiet), {"id": 2, "ready": True}, {"out": []}), lines(*map(dict, quiet)) + " "]
    world = {"world": "toy", "version": "1", "types": {"room": {"name": "string"}, "lamp": {"on": "bool", "level": "int", "heat": "float", "colour": ["red", "green"], "x": "int",
             "y": "int", "twin": "lamp", "in": "room"}}, "actions": {"press": {"on": "entity"}, "set": {"level": "int", "heat": "float", "colour": ["red", "green"], "text": "string",
             "on": "bool"}, "move": {"to_the": ["east", "south", "west", "north", "up", "down"]}}, "entities": {"hall": "room"}, "can": ["pictures", "paths", "reset"],
             "grid": [4, 3, 2], "step": "move"}
    seen = {"tick": 0, "entities": [{"id": "hall", "type": "room", "name": "Hall"}, {"id": "a", "type": "lamp", "in": "hall", "on": True, "level": 1, "heat": 0.25, "colour": "red",
            "x": 1, "y": 2, "twin": None}], "gone": [], "all": True, "cells": [[1, 2, 0, True]], "links": [[0, 0, 0, 0, 0, 1]], "paths": [{"from": "hall", "to": "a", "do": "press", "on": "a", "cost": 1}],
            "picture": "p.png", "covered": [3, 5]}
    changes = {"tick": 1, "entities": [{"id": "a", "on": False}], "lost": ["hall"]}
    yield "guest-world", [lines({**world}, {**seen}, {**seen, "tick": 1}, {**changes, "tick": 2}, {**seen, "tick": 3}, {**seen, "tick": 4}, {**seen, "id": 2}, {**changes}),
                          lines({"failed": "no display"}), lines({**world}, {**seen}, {"failed": "broken"}, {**world, "id": 1}, {**seen})]


TEXTS.update(guests())


def shortened(text):
    """Without blanks, if it is JSON and too long."""
    try:
        return text if len(text) <= LARGEST else json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False).encode()
    except ValueError:
        return text


@functools.cache
def seeds(reader):
    """What it begins with, each once."""
    return list(dict.fromkeys(found(reader)))


def found(reader):
    for pattern in PATTERNS.get(reader, []):
        for path in sorted(source.glob(pattern)):
            if path.is_file() and len(text := shortened(path.read_bytes())) <= LARGEST:
                yield text
    for cases in CASES.get(reader, []):
        folder, _, pattern = cases.rpartition("/")
        with tempfile.TemporaryDirectory() as name:
            subprocess.run([write_cases, source / folder / "cases.txt", name], check=True)
            yield from (path.read_bytes() for path in sorted(pathlib.Path(name).glob(pattern)) if path.suffix != ".expected" and path.stat().st_size <= LARGEST)
    yield from (text.encode() for text in TEXTS.get(reader, []))


def words(reader):
    """What a mutation may put in: words that stand in the seeds."""
    there = {word for seed in seeds(reader) for word in re.findall(rb'"[\w .-]{2,30}"|[A-Za-z_]{3,20}|[<>=!&|]{2}', seed)}
    return sorted(there, key=lambda word: (len(word), word))[:1500]


def command(reader, folder):
    """What gives the reader its texts, from a folder of its own that this fills."""
    (folder / "corpus").mkdir()
    (folder / "work").mkdir()
    for number, seed in enumerate(seeds(reader)):
        for way in ((b"\x00", b"\x01", b"\x09", b"\x29", b"\x0f") if reader == "series" else (b"",)):
            (folder / "corpus" / f"{number}{way.hex()}").write_bytes(way + seed.replace(b"time,", b"t,", 1).replace(b",value", b",x", 1) if way else seed)
    dictionary = words(reader)
    with open(folder / "words", "w", encoding="utf-8") as file:
        for word in dictionary:
            file.write('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n')
    return [fuzzer, reader, folder / "corpus", f"-runs={executions}", f"-max_total_time={os.environ.get('COR_FUZZ_SECONDS', '0')}", "-seed=1", "-reload=0",
            f"-max_len={LARGEST}", "-timeout=60", "-rss_limit_mb=3000", *([f"-dict={folder / 'words'}"] if dictionary else []),
            f"-artifact_prefix={os.environ.get('COR_FUZZ_KEEP', folder)}/{reader}-"]


def run(reader):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = subprocess.run(command(reader, folder), cwd=folder / "work", env={**os.environ, "ASAN_OPTIONS": OPTIONS}, capture_output=True, text=True, errors="replace", check=False)
        count = re.findall(r"Done (\d+) runs", done.stderr) or re.findall(r"#(\d+)", done.stderr) or ["0"]
        if done.returncode != 0:
            print(done.stderr[-6000:], file=sys.stderr)
            print(f"torture: readers {reader} | {count[-1]} | REPORT of a sanitizer, or a broken promise", flush=True)
            return False
        left = [path.name for path in (folder / "work").iterdir()]
        print(f"torture: readers {reader} | {count[-1]} | executions of libFuzzer under sanitizers: read, or refused with words{'; left ' + json.dumps(left) if left else ''}", flush=True)
        return not left


if __name__ == "__main__":
    listed = subprocess.run([fuzzer], capture_output=True, text=True, check=False).stdout.split()
    sys.exit(0 if all([run(reader) for reader in sys.argv[5:] or listed]) else 1)
