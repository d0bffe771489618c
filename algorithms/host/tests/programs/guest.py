#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The algorithm of these tests as a program, in the shape that the argument names. Its faults are things that no
program should do; without one it is sound. "plain" declares no capabilities; "changes" says
another hello each time."""
import json
import os
import signal
import sys
import time

SHAPE = sys.argv[1]


def kills(whom):
    try:
        os.kill(whom, signal.SIGKILL)
    except OSError:  # there is a wall between them
        pass


def text(line):
    sys.stdout.write(line)
    sys.stdout.flush()


def answer(**more):
    text(json.dumps({"id": number, **more}) + "\n")


def sleep_for_ever():
    while True:
        time.sleep(3600)


def spin():
    while True:
        pass


def ignores_sigterm():
    for what in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(what, signal.SIG_IGN)
    sleep_for_ever()


def trickles():
    while True:
        text("x")
        time.sleep(0.01)


def floods():
    while True:
        sys.stdout.write("x" * 65536)


def closes(*descriptors):
    sys.stdout.flush()
    for descriptor in descriptors:
        os.close(descriptor)
    sleep_for_ever()


def last_words():
    print("the sky is falling", file=sys.stderr, flush=True)
    os._exit(7)


def leaves_a_child():
    if os.fork() == 0:
        sleep_for_ever()
    answer(blocks=present)


def answers_twice():
    text(2 * (json.dumps({"id": number, "blocks": present}) + "\n"))


def answers_late():
    """The same once more, when it is asked the next time."""
    global late
    answer(blocks=present)
    late = json.dumps({"id": number, "blocks": present}) + "\n"


def dies(number):
    os.kill(os.getpid(), number)


DEEDS = {
    "raises": lambda: 1 / 0,
    "segfaults": lambda: dies(signal.SIGSEGV),
    "aborts": os.abort,
    "kills_its_group": lambda: os.kill(0, signal.SIGKILL),
    "kills_its_parent": lambda: (kills(os.getppid()), dies(signal.SIGKILL)),
    "exits": lambda: os._exit(0),
    "last_words": last_words,
    "sleeps": sleep_for_ever,
    "stops": lambda: dies(signal.SIGSTOP),
    "spins": spin,
    "trickles": trickles,
    "ignores_sigterm": ignores_sigterm,
    "no_json": lambda: text("Traceback (most recent call last):\n"),
    "no_object": lambda: text("[1, 2]\n"),
    "empty_line": lambda: text("\n"),
    "binary": lambda: (sys.stdout.buffer.write(b"\xff\0\x01{}\n"), sys.stdout.buffer.flush()),
    "deep": lambda: text("[" * 100000 + "\n"),
    "half_a_line": lambda: (text('{"id":'), os._exit(0)),
    "wrong_id": lambda: text(json.dumps({"id": number + 1, "blocks": present}) + "\n"),
    "id_before": lambda: text(json.dumps({"id": number - 1, "blocks": present}) + "\n"),
    "no_id": lambda: text(json.dumps({"blocks": present}) + "\n"),
    "text_id": lambda: text(json.dumps({"id": str(number), "blocks": present}) + "\n"),
    "unknown_key": lambda: answer(blocks=present, bolcks=present),
    "no_blocks": lambda: answer(),
    "null_blocks": lambda: answer(blocks=None),
    "block_of_text": lambda: answer(blocks=[["a"]]),
    "negative_agent": lambda: answer(blocks=[[-1]]),
    "half_an_agent": lambda: answer(blocks=[[0.5]]),
    "great_agent": lambda: answer(blocks=[[2 ** 60]]),
    "greater_agent": lambda: text('{"id":%d,"blocks":[[%s]]}\n' % (number, "9" * 40)),
    "nan": lambda: text('{"id":%d,"blocks":[[NaN]]}\n' % number),
    "keeps_undeclared": lambda: answer(blocks=present, kept=1),
    "moves_undeclared": lambda: answer(blocks=present, moves=[[0, 0]]),
    "counts_undeclared": lambda: answer(blocks=present, counters={"moons": 1}),
    "counts_backwards": lambda: answer(blocks=present, counters={"calls": -1}),
    "spends_backwards": lambda: answer(blocks=present, spent=-1),
    "bad_progress": lambda: answer(blocks=present, progress="sideways"),
    "answers_twice": answers_twice,
    "answers_late": answers_late,
    "remembers": lambda: answer(blocks=present if number % 2 == 0 else present[::-1]),
    "is_killed_later": lambda: answer(blocks=present) if number == 2 else dies(signal.SIGKILL),
    "closes_output": lambda: closes(1),
    "closes_all": lambda: closes(0, 1, 2),
    "floods": floods,
    "fails": lambda: answer(failed="no way"),
    "leaves_a_child": leaves_a_child,
    "invents": lambda: answer(blocks=[[99], [0, 0], []]),
    "absurd": lambda: answer(blocks=[[0] * (1 << 20)]),
    "writes_errors": lambda: ([os.write(2, b"y" * 65536) for _ in range(100)], answer(blocks=present)),
}

CAPABILITIES = {"one_shot": ["keeps", "limits", "moves"], "centralised": ["anytime"], "decentralised": ["restart"]}
HELLO = {
    "protocol": 1, "name": "guest", "version": "3", "summary": "the present structure", "shape": SHAPE,
    "budget_unit": "turns", "capabilities": CAPABILITIES[SHAPE] if "plain" not in sys.argv else [],
    "parameters": [{"name": "shift", "meaning": "agents go so many blocks on", "default": 0, "min": 0, "max": 9, "integer": True},
                   {"name": "rate", "unit": "1/s", "meaning": "of nothing", "default": 0.25, "min": 0, "max": 1}],
    "constraints": ["rate <= 1"],
    "counters": [{"name": "calls", "meaning": "requests"}, {"name": "sizes", "meaning": "blocks by size", "buckets": 3}],
    "faults": {deed: "is a deed" for deed in [*DEEDS, "counted"]},
}


def one_shot(task):
    """The present structure, shifted; knows how often it was asked in this sequence."""
    times = (task["kept"] or {"times": 0})["times"] + 1
    shift = task["parameters"]["shift"]
    blocks = present[shift:] + present[:shift]
    sizes = [0, 0, 0]
    for block in blocks:
        sizes[min(len(block), 3) - 1] += 1
    if "plain" in sys.argv:
        answer(blocks=blocks)
        return
    more = {"fault": {"reached": 4, "held": 3, "activated": 2, "in_result": True}} if task["fault"] == "counted" else {}
    answer(blocks=blocks, spent=times, kept={"times": times}, counters={"calls": 1, "sizes": sizes}, moves=[[blocks[0][0], 1]], **more)


number, present, units, late = 0, [], 0, None
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    if "hello" in request:
        answer(**{**HELLO, **({"version": str(time.time_ns())} if "changes" in sys.argv else {})})
        continue
    if "bye" in request:
        break
    called = next(key for key in request if key != "id")
    if late and (called != "begin" or "later" not in sys.argv):
        text(late)
        late = None
    body = request[called]
    if called in ("task", "begin"):
        present = body["structure"]
        if body["fault"] in DEEDS:
            DEEDS[body["fault"]]()
            continue
    if called == "task":
        one_shot(body)
    elif called == "begin" and SHAPE == "centralised":
        units = 0
        answer(**({"counters": {"calls": 1}} if "later" in sys.argv else {}))
    elif called == "step":
        units += min(body["units"], 7)  # never more at once
        answer(spent=min(body["units"], 7), progress="stagnated" if units >= 1000 else "continue")
    elif called == "result" and SHAPE == "centralised":
        answer(blocks=[[units], *present])
        if "later" in sys.argv:  # in the midst of the next reorganization
            late = json.dumps({"id": number, "blocks": present, "counters": {"calls": 50}, "spent": 60}) + "\n"
    elif called == "begin":
        answer(states=[{"heard": [], "block": block, "until_woken": 50 * "x"} for agent in range(len(body["values"][0]))
                       for block in [next(i for i, b in enumerate(present) if agent in b)]])
    elif called == "wake" or called == "restart":  # each tells the next one who it is
        state = body["state"] and {key: body["state"][key] for key in ("heard", "block")}
        answer(state=state, send=[{"to": body["agent"] + 1, "kind": 5, "data": {"i_am": body["agent"]}}])
    elif called == "receive":
        message, state = body["message"], body["state"] or {"heard": []}
        state["heard"].append([message["from"], message["kind"], message["data"]["i_am"]])
        answer(state=state, progress="done")
    elif called == "result":  # who heard of whom
        answer(blocks=[[sender for sender, kind, name in state["heard"] if kind == 5 and sender == name]
                       for state in body["states"] if state])
