# SPDX-License-Identifier: GPL-3.0-or-later
"""The Parcel Desk of parcel_desk.json, as a program over JSON lines: several intentions, each a generator that yields after
each step; whose turn it is the host says. Faults: stale, impatient."""
import json
import sys

number = 0
fault = None


def say(**line):
    print(json.dumps({"id": number, **line}))


def ask():
    sys.stdout.flush()
    return json.loads(sys.stdin.readline())


class Desk:
    def __init__(self, beliefs):
        self.beliefs = beliefs
        self.intentions = []

    def write(self, by, field, value):
        self.beliefs[field] = value
        say(wrote=field, by=by, value=value)

    def post(self, by, event, **args):
        say(posted=event, by=by, args=args)
        yield from HANDLERS[event](self, **args)

    def aside(self, by, event, **args):
        say(aside=event, by=by, args=args)
        self.intentions.append(HANDLERS[event](self, **args))

    def strands(self, by, *strands):
        for strand in strands:
            say(strand=by)
            self.intentions.append(strand)
        yield  # the host gives the plan no turn until they are done

    def begin(self, *plans):
        for plan in plans:
            say(context=plan, holds=True)
        say(started=plans[0])

    def run(self, first):
        global number
        self.intentions = [first]
        now = 0
        while now is not None:
            if next(self.intentions[now], "done") == "done":
                say(done=True)
            say(turn=True)
            answer = ask()
            number, now = answer["id"], answer["turn"]


def accept(desk, First, Second):
    desk.begin("Accept")
    yield
    desk.aside("Accept", "Tidy")
    yield
    if fault == "impatient":
        desk.aside("Accept", "Weigh", Kilos=First)
        desk.aside("Accept", "Weigh", Kilos=Second)
        yield
    else:
        yield from desk.strands("Accept", desk.post("Accept", "Weigh", Kilos=First), desk.post("Accept", "Weigh", Kilos=Second))
    say(sent="Receipt", by="Accept")
    yield
    if desk.beliefs["desk.Weight"] > 60:
        say(sent="Surcharge", by="Accept")
    say(ended="Accept", ok=True)


def put(desk, Kilos):
    desk.begin("Put")
    yield
    weight = desk.beliefs["desk.Weight"]
    if fault == "stale":
        yield
    desk.write("Put", "desk.Weight", weight + Kilos)
    yield
    desk.write("Put", "desk.Parcels", desk.beliefs["desk.Parcels"] + 1)
    yield
    say(did="Stamp", by="Put")
    say(ended="Put", ok=True)


def clear(desk):
    desk.begin("Clear")
    yield
    say(did="Sweep", by="Clear")
    yield
    desk.write("Clear", "room.Tidied", desk.beliefs["room.Tidied"] + 1)
    say(ended="Clear", ok=True)


HANDLERS = {"Pair": accept, "Weigh": put, "Tidy": clear}

while True:
    sys.stdout.flush()
    request = json.loads(sys.stdin.readline() or '{"bye": true}')
    number = request.get("id", 0)
    if "hello" in request:
        fault = request["hello"].get("fault")
        say(agent="Parcel Desk", version="1", handles={"Accept": "Pair", "Put": "Weigh", "Clear": "Tidy"},
            faults={"stale": "writes a weight that it read a step before", "impatient": "does not wait for the weighing"})
    elif "case" in request:
        case = request["case"]
        desk = Desk(dict(case["beliefs"]))
        desk.run(HANDLERS[case["event"]](desk, **case["args"]))
        say(finished="quiet")
    else:
        break
