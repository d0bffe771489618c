#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What programs that stand over process.js look at is their host's: clock, timers and chance; what they go on with belongs to the call, and what
they throw is told. Line by line, without Corridor. A counted skip where node is not there."""
import json
import pathlib
import shutil
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).parent / "deeds.js"
EPOCH = 10 ** 9
THEN, NOTHING = [[["then"], None]], [[[], None]]  # by call: what is said, and in how many ticks the timer is due


class Program:
    def __init__(self, program=PROGRAM, **hello):
        self.process = subprocess.Popen(["node", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.ask(hello={"protocol": 1, "count": 1, **hello})

    def ask(self, **line):
        self.process.stdin.write(json.dumps({"id": 1, **line}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self):
        self.now = 100
        self.ask(start=0, now=self.now, seed="0x91b2a7f64e0c3d18", cells=[], writes=[])

    def call(self, **line):
        answer = self.ask(now=self.now, **line)
        if "failed" in answer:
            return answer["failed"]
        due = [deed["in"] for deed in answer["did"] if "alarm" in deed]
        assert all(wait is None or isinstance(wait, int) and wait > 0 for wait in due), answer
        return [[deed.get("value") for deed in answer["did"] if "send" in deed], due[-1] if due else None]

    def do(self, deed, most=9):
        """What the deed says, then what each alarm does, until there is none."""
        self.start()
        said = [self.call(input=0, which=deed)]
        while len(said) < most and isinstance(said[-1], list) and said[-1][1] is not None:
            self.now += said[-1][1]
            said.append(self.call(alarm=0, which=0))
        return said

    def end(self):
        self.process.communicate('{"id":1,"bye":true}\n')
        assert self.process.returncode == 0


def greeting(**hello):
    """What process 0 says and is told once it has a connection to process 1, and what it has heard when 1 greets it over that, and over another."""
    program = Program(PROGRAM.with_name("linked.js"), count=2, **hello)
    begun = program.ask(start=0, now=100, seed="0x1", cells=[], writes=[])["did"]
    number = begun[0]["value"]
    opened = program.ask(receive=0, now=101, kind="opened", value=number, **{"from": 1})["did"]
    numbered = [0] if hello else []
    other = program.ask(receive=0, now=102, kind="hello", value=[number + 1, 1, *numbered], **{"from": 1})["shows"]
    own = program.ask(receive=0, now=103, kind="hello", value=[number, 1, *numbered], **{"from": 1})["shows"]
    program.end()
    sent = [(deed["kind"], [deed["value"][0] - number, *deed["value"][1:]]) for deed in opened if "send" in deed]
    return sent, [deed["said"] for deed in opened if "said" in deed], other, own


def where(deed):
    lines = PROGRAM.read_text().splitlines()
    return f"(deeds.js:{next(i for i, line in enumerate(lines, 1) if line.startswith(f'  {deed}: '))})"


def main():
    if not shutil.which("node"):
        print("skipped: node is not there")
        return 77
    expected = {
        "waits": [[[], 1], [["soon", "NaN", "-1", "0", "Infinity", "2147483648", "undefined"], 2], [["2.5"], 2], [["5"], 2], [["7"], None]],
        "repeats": [[[], 3]] + [[["again"], 3]] * 8,
        "takes_back": NOTHING, "never": NOTHING, "refreshes": [[[], 3], [[], 5], [["late"], None]],
        "immediate": [[[], 1]] + THEN, "module": [[[], 4]] + THEN, "chain": THEN, "next": THEN, "reads": THEN, "prints": THEN,
        "sleeps": [[["first"], 4], [["then"], 3], f"Error: in the end {where('sleeps')}"],
        "word": ["thrown: 'a word'"], "beside": [f"Error: beside {where('beside')}"],
        "calls_nothing": ["TypeError: a timer calls a function, not 'a word' " + where("calls_nothing")],
        "shows_nothing": ["TypeError: observe() returns no values"],
    }
    program = Program()
    for deed, wanted in expected.items():
        said = program.do(deed)
        assert said == wanted, f"{deed}: {said}, not {wanted}"
    said = program.do("circle")[0]
    assert said.startswith("TypeError: Converting circular structure to JSON"), said
    times = program.do("times")[0][0][0]
    assert times == [EPOCH + 100, EPOCH + 100, 5, True, "Mon Jan 12 1970 13:46:40", 100, EPOCH, [0, 100 * 10 ** 6], 100 * 10 ** 6, .1, 0], times
    one, other = (program.do("chances")[0][0][0] for _ in range(2))
    assert one == other and one[2] != one[3] and one[7][0] == one[7][3] == 0, (one, other)
    program.end()
    done = subprocess.run(["node", PROGRAM], input='{"id":1,"hello":{"count":1,"fault":"cannot_load"}}\n', capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Error: cannot be loaded" in done.stderr and not done.stdout, done
    assert greeting() == ([("hello", [0, 0])], ["greets 1"], {}, {"heard": 11}), greeting()
    assert greeting(fault="watched") == ([("hello", [0, 0, 0])], ["greets 1"], {}, {"heard": 11}), greeting(fault="watched")
    print(f"{len(expected) + 6} passed, 0 failed")
    return 0


sys.exit(main())
