#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The courier of these tests as a program. Its faults are things that no agent should do; those of a case it does while
it takes a parcel of 13 kilos, those of the hello (an argument names them) before anything else."""
import json
import os
import signal
import sys
import time

number = 0
cases = 0
together = None  # lines that are to be one


def say(**line):
    if together is not None:
        together.append(line)
    else:
        sys.stdout.write(json.dumps({"id": number, **line}) + "\n")


def text(line):
    sys.stdout.write(line)
    sys.stdout.flush()


def flood():
    while True:
        sys.stdout.write("x" * 65536)


def reports_on():
    while True:
        say(did="Drive", by="Take")


def trickles():
    while True:
        text("x")
        time.sleep(0.01)


def ignores_sigterm():
    for what in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(what, signal.SIG_IGN)
    time.sleep(3600)


def leaves_a_child():
    if os.fork() == 0:
        time.sleep(3600)


def kills_its_parent():
    try:
        os.kill(os.getppid(), signal.SIGKILL)
    except PermissionError:  # a wall
        pass


def leaves_a_daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    os.wait()


def closes_output():
    sys.stdout.flush()
    os.close(1)
    time.sleep(3600)


def closes_all():
    os.closerange(0, 100)
    time.sleep(3600)


def writes_errors():
    for _ in range(1000):
        os.write(2, b"y" * 65536)


DEEDS = {
    "raises": lambda: 1 / 0,
    "segfaults": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "kills_its_group": lambda: os.kill(0, signal.SIGKILL),
    "exits": lambda: os._exit(0),
    "exits_with_3": lambda: os._exit(3),
    "is_silent": lambda: time.sleep(3600),
    "spins": lambda: [None for _ in iter(int, 1)],
    "stops": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "trickles": trickles,
    "ignores_sigterm": ignores_sigterm,
    "no_json": lambda: text("Traceback (most recent call last):\n"),
    "no_object": lambda: text("[1, 2]\n"),
    "empty_line": lambda: text("\n"),
    "binary": lambda: (sys.stdout.flush(), sys.stdout.buffer.write(b"\xff\xfe\x00\x01\n"), sys.stdout.buffer.flush()),
    "deep": lambda: text("[" * 100000 + "\n"),
    "twice_a_key": lambda: text('{"id":%d,"sent":"Receipt","sent":"Receipt","by":"Take"}\n' % number),
    "half_a_line": lambda: (text('{"id":%d,"sent"' % number), os._exit(0)),
    "wrong_id": lambda: text('{"id":%d,"sent":"Receipt","by":"Take"}\n' % (number + 1)),
    "no_id": lambda: text('{"sent":"Receipt","by":"Take"}\n'),
    "text_id": lambda: text('{"id":"%d","sent":"Receipt","by":"Take"}\n' % number),
    "says_nothing_known": lambda: say(sends="Receipt", by="Take"),
    "unknown_key": lambda: say(sent="Receipt", buy="Take"),
    "missing_key": lambda: say(context="Take"),
    "number_for_a_name": lambda: say(started=7),
    "unknown_plan": lambda: say(started="Tkae"),
    "unknown_event": lambda: say(posted="Delivr", by="Take", args={}),
    "unknown_message": lambda: say(sent="Bill", by="Take"),
    "unknown_action": lambda: say(did="Fly", by="Take"),
    "unknown_field": lambda: say(wrote="load.Wait", by="Take", value=1),
    "unknown_parameter": lambda: say(posted="Deliver", by="Take", args={"Pounds": 1}),
    "list_for_a_value": lambda: say(wrote="load.Weight", by="Take", value=[1]),
    "too_large": lambda: say(wrote="load.Weight", by="Take", value=10**30),
    "not_a_number": lambda: say(wrote="load.Share", by="Take", value=float("nan")),
    "says_for_another": lambda: say(sent="Receipt", by="Bring"),
    "ends_another": lambda: say(ended="Bring", ok=True),
    "finishes_twice": lambda: say(finished="quiet"),
    "finishes_oddly": lambda: say(finished="well"),
    "lines_behind_the_last": lambda: say(lines=[{"finished": "quiet"}, {"did": "Drive", "by": "Take"}]),
    "lines_with_an_id": lambda: say(lines=[{"id": number, "did": "Drive", "by": "Take"}]),
    "lines_in_lines": lambda: say(lines=[{"lines": [{"did": "Drive", "by": "Take"}]}]),
    "lines_and_more": lambda: say(lines=[{"did": "Drive", "by": "Take"}], did="Drive", by="Take"),
    "no_lines": lambda: say(lines=[]),
    "line_of_lines_is_none": lambda: say(lines=[7]),
    "closes_output": closes_output,
    "closes_all": closes_all,
    "floods": flood,
    "reports_on": reports_on,
    "leaves_a_child": leaves_a_child,
    "leaves_a_daemon": leaves_a_daemon,
    "writes_errors": writes_errors,
    "kills_its_parent": kills_its_parent,
}


def put(field, value, weight):
    say(wrote=f"load.{field}", by="Take", value=value)
    if weight > 100:
        say(posted="Overload", args={"Weight": weight})


def bring():
    say(context="Bring", holds=True)
    say(started="Bring")
    say(did="Drive", by="Bring")
    say(ended="Bring", ok=True)


def take(fault, args, beliefs):
    weight = beliefs["load.Weight"] + args["Kilos"]
    say(started="Take")
    if fault in DEEDS and args["Kilos"] == 13:
        DEEDS[fault]()
    put("Weight", weight, weight)
    put("Share", 0.5, weight)
    put("Note", args["What"], weight)
    say(posted="Deliver", by="Take", args={"What": args["What"], "Kilos": args["Kilos"]})
    bring()
    say(sent="Receipt", by="Take")
    say(ended="Take", ok=True)


def handle(fault, args, beliefs):
    takes = args["Kilos"] > 0
    say(context="Take", holds=takes)
    say(context="Refuse", holds=not takes)
    if takes:
        take(fault, args, beliefs)
    else:
        say(started="Refuse")
        say(ended="Refuse", ok=True)
    remembers = fault in ("remembers", "says_that_it_forgets") and cases > 1
    say(finished="rounds" if remembers else "quiet", steps=9 if takes else 1)


OTHER_FAULTS = ["exits_between", "unwired", "says_all_at_once", "remembers", "says_that_it_forgets"]


def greet(hello):
    faults = {name: "does what it is called after" for name in [*DEEDS, *OTHER_FAULTS]}
    handles = {} if hello.get("fault") == "unwired" else {"Take": "Pickup", "Refuse": "Pickup", "Bring": "Deliver"}
    forgets = {"forgets": True} if hello.get("fault") == "says_that_it_forgets" else {}
    say(agent="Courier", version="2", handles=handles, faults=faults, **forgets)


def begins_once():
    """With a file that was there before, there is no hello."""
    try:
        os.close(os.open(sys.argv[2], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        sys.exit("there is one of us already")


HELLOS = {
    "begins_once": begins_once,
    "silent": lambda: time.sleep(3600),
    "ends": lambda: os._exit(4),
    "garbage": lambda: text("hello\n"),
    "nameless": lambda: text('{"id":1,"version":"1"}\n'),
    "wrong": lambda: text('{"id":2,"agent":"Courier"}\n'),
    "floods": flood,
    "listless": lambda: text('{"id":1,"agent":"Courier","faults":["a"]}\n'),
}


def main():
    global number, cases, together
    if len(sys.argv) > 1:
        HELLOS[sys.argv[1]]()
    fault = None
    for line in sys.stdin:
        request = json.loads(line)
        number = request["id"]
        if "hello" in request:
            assert request["hello"]["protocol"] == 1
            fault = request["hello"].get("fault")
            assert request["hello"].get("design", {}).get("agent", "Courier") == "Courier"
            greet(request["hello"])
        elif "case" in request:
            assert int(request["case"]["seed"], 16) >= 0
            cases += 1
            together = [] if fault == "says_all_at_once" else None
            if request["case"]["event"] == "Deliver":
                bring()
                say(finished="quiet")
            else:
                handle(fault, request["case"]["args"], request["case"]["beliefs"])
        else:
            assert request == {"id": number, "bye": True}
            break
        if together is not None:
            text(json.dumps({"id": number, "lines": together}) + "\n")
        sys.stdout.flush()
        if fault == "exits_between" and "case" in request and request["case"]["args"].get("Kilos") == 13:
            os._exit(0)


main()
