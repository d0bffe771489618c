#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every reader of texts is given mutated ones, under sanitizers: it reads them, or refuses them with words.

usage: readers.py CORRIDOR SOURCE FUZZER EXECUTIONS [READER...]

FUZZER is fuzz_readers, a target of libFuzzer; each reader begins with the files of the project that it reads, and those that
tests have of what is refused. EXECUTIONS are of each reader; COR_FUZZ_SECONDS ends one earlier, and what was done is said.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

source, fuzzer, executions = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve(), int(sys.argv[4])
LARGEST = 40000
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
    "process-test": ["experiments/layers/process/tests/**/*.json", "experiments/library/processes/*.json"],
    "interaction": ["experiments/library/*.json", "experiments/layers/interaction/tests/**/*.json"],
    "agent": ["experiments/library/*.json", "experiments/library/agents/*.json", "experiments/layers/agent/tests/**/*.json"],
    "efsm": ["experiments/library/*.json", "experiments/library/efsm/*.json", "experiments/layers/efsm/tests/**/*.json"],
    "system": ["experiments/library/*.json", "experiments/library/systems/*.json", "experiments/layers/system/tests/**/*.json"],
    "process": ["experiments/library/*.json", "experiments/library/processes/*.json", "experiments/layers/process/tests/**/*.json"],
    "search": ["experiments/library/*.json", "experiments/layers/search/tests/**/*.json"],
    "estimation": ["experiments/library/*.json", "experiments/layers/estimation/tests/**/*.json"],
}
TEXTS = {
    "expression": ["A + b * 3 >= speed and not (state = 4)", "min(A, b) + abs(speed) % 3", "A implies (b != 2 or speed < ceil_div(A, 2))"],
    "where": ["masked_pct > 5 and arm != 'x'", "failed or cases >= 10 implies state = 'on'", "state = null"],
    "temporal": ["always (A implies eventually[0, 3] b)", "A until[2, 5] (b and next speed)", "never state and eventually moved > 3"],
    "property": ["P [ eventually (alarm and next[1, 3] alarm) ] <= 0.1", "E [ share of inside ] >= 0.9", "A[cases] <= 10", "share of alarm", "Q 0.9 [ cases ]"],
    "trace": ["a,b\n1,0\n0,1\n?,-\n"],
    "rows": ["A,b,C\n1,x,\n2,z,\"\"\n3,~w,-1.5\n", "C;b;A\n\"\";y;1\n"],
    "hosts": ["a:8,b:4", "# hosts\na slots=8\nb:4\n"],
    "class": ["gray.agent_repeated,black.agent_repeated,fault", "smoke.crashed", "none", "property"],
    "mail": ['{"mode": "pct", "entries": [[1, "waits", 3, 2], [2, "turn", 1, 0]]}', '{"mode": "bounded", "entries": [[1, "lost", 3, 2]]}'],
    "hello": ['{"world": "w", "types": {"door": {"properties": {"open": "bool", "at": ["a", "b"]}}}, "actions": {"press": ["door"]}, "entities": [], "agents": 1}'],
    "level": ["# . A d1\nb1 . . .\n"],
}


def seeds(reader):
    for pattern in PATTERNS.get(reader, []):
        for path in sorted(source.glob(pattern)):
            if path.is_file() and path.stat().st_size <= LARGEST:
                yield path.read_bytes()
    for cases in source.glob("*/**/tests/invalid/cases.txt"):  # what is refused: lines that are added to valid files
        if reader in ("combine", "corridor", "series") and {"combine": "combine", "corridor": "corridor", "series": "profiles"}[reader] in str(cases):
            for case in re.split(r"\n\[", cases.read_text()):
                yield "\n".join(line[2:] for line in case.splitlines() if line.startswith("+ ")).encode()
    yield from (text.encode() for text in TEXTS.get(reader, []))


def words(reader):
    """What a mutation may put in: words that stand in the seeds."""
    found = {word for seed in seeds(reader) for word in re.findall(rb'"[\w .-]{2,30}"|[A-Za-z_]{3,20}|[<>=!&|]{2}', seed)}
    return sorted(found, key=lambda word: (len(word), word))[:1500]


def run(reader):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "corpus").mkdir()
        for number, seed in enumerate(seeds(reader)):
            for way in ((b"\x00", b"\x01", b"\x09", b"\x29", b"\x0f") if reader == "series" else (b"",)):
                (folder / "corpus" / f"{number}{way.hex()}").write_bytes(way + seed.replace(b"time,", b"t,", 1).replace(b",value", b",x", 1) if way else seed)
        dictionary = words(reader)
        with open(folder / "words", "w", encoding="utf-8") as file:
            for word in dictionary:
                file.write('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n')
        work = folder / "work"
        work.mkdir()
        seconds = os.environ.get("COR_FUZZ_SECONDS", "0")
        done = subprocess.run([fuzzer, reader, folder / "corpus", f"-runs={executions}", f"-max_total_time={seconds}", "-seed=1", "-max_len=8000",
                               "-timeout=60", "-rss_limit_mb=3000", *([f"-dict={folder / 'words'}"] if dictionary else []), f"-artifact_prefix={os.environ.get('COR_FUZZ_KEEP', name)}/{reader}-"],
                              cwd=work, capture_output=True, text=True, errors="replace", check=False)
        count = re.findall(r"Done (\d+) runs", done.stderr) or re.findall(r"#(\d+)", done.stderr) or ["0"]
        if done.returncode != 0:
            print(done.stderr[-6000:], file=sys.stderr)
            print(f"torture: readers {reader} | {count[-1]} | REPORT of a sanitizer, or a broken promise", flush=True)
            return False
        left = [path.name for path in work.iterdir()]
        print(f"torture: readers {reader} | {count[-1]} | executions of libFuzzer under sanitizers: read, or refused with words{'; left ' + json.dumps(left) if left else ''}", flush=True)
        return not left


if __name__ == "__main__":
    listed = subprocess.run([fuzzer], capture_output=True, text=True, check=False).stdout.split()
    sys.exit(0 if all([run(reader) for reader in sys.argv[5:] or listed]) else 1)
