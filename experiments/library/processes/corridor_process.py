#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Distributed programs under test in Python, for `corridor run` and an experiment with "process": what a process does is
written as methods, the host is its network, its disk, its clock and its random numbers.

    import corridor_process as corridor

    class Echo(corridor.Process):
        name = "echo"
        attributes = {"heard": int}
        messages = {"ping": "asks for an answer", "pong": "is one"}
        inputs = {"call": "this process is to ask the next one"}

        def start(self, stored):
            self.heard = 0

        def receive(self, sender, kind, value):
            self.heard += 1
            if kind == "ping":
                self.send(sender, "pong", value)

        def input(self, which, data):
            self.send((self.me + 1) % self.count, "ping", self.heard)

        def observe(self):
            return {"heard": self.heard}

    corridor.run(Echo)

A process is an object; after a crash it is another one, which knows what is stored and nothing else: keep nothing in the class
or the module. docs/look-up/process-programs.md has the lines that are said.
"""
import atexit
import json
import os
import random
import sys
import traceback


sys.stdout = sys.stderr  # the other is the conversation's: what a program prints while it is loaded, too


class Stored:
    """What is durable when a process starts: `cells`, by number, and `writes`, oldest first."""

    def __init__(self, cells=(), writes=()):
        self.cells = {cell["cell"]: cell.get("value") for cell in cells}
        self.writes = [Write(**write) for write in writes]


class Write:
    """A write that is durable; of a torn one `torn` is what is left of its text, and `value` is None."""

    def __init__(self, operation, value=None, torn=None):
        self.operation, self.value, self.torn = operation, value, torn


class Process:
    """What a program derives its own from."""
    name, version, meaning = None, "1", None
    attributes = {}  # name: int, float, set (of processes) or a list of words
    channels, messages, inputs, faults, alarms = (), (), (), (), ()  # names, or {name: meaning}; {name: {"meaning": .., "weight": ..}}
    leader = None  # {attribute: word}: a hint to generators

    me, count, fault = 0, 1, None  # number of this process, how many there are, the fault that it has
    there = frozenset()  # processes that are there as it starts: who comes and goes later is found out
    now = 0  # ticks, by this process's clock
    random = None  # random numbers of this process: a random.Random

    def start(self, stored):
        """First, and again after each crash."""

    def receive(self, sender, kind, value):
        """A message has come. To be written where messages are sent."""
        raise NotImplementedError("a message has come, and the class has no method receive()")

    def alarm(self, which):
        """An alarm that was set is due. To be written where one is set."""
        raise NotImplementedError("an alarm is due, and the class has no method alarm()")

    def completed(self, ticket, ok):
        """A write is durable, or has failed."""

    def input(self, which, data):
        """Somebody outside asks for something; `data` are its random bytes. To be written where there are inputs."""
        raise NotImplementedError("an input comes, and the class has no method input()")

    def observe(self):
        """The values of all attributes."""
        return {}

    def variables(self):
        """For `corridor stabilize`: what may hold anything after a fault, each with its values: {name: range(..), or a list of numbers or
        words}. Names of fields of self; a process that keeps more than these is found out."""
        return {}

    def save(self):
        """The values of variables()."""
        return {name: getattr(self, name) for name in self.variables()}

    def restore(self, values):
        """Sets them, after start()."""
        self.__dict__.update(values)

    def mail(self):
        """What messages of a kind may hold after a fault: {kind: values}. Beside them there is what is ever sent."""
        return {}

    def send(self, to, kind, value=None):
        """Sends a message of a kind to process `to`: anything that JSON can say."""
        self._did.append({"send": to, "kind": kind, "value": value})

    def set_alarm(self, which, ticks):
        """Alarm `which`, 0 to 7, is due in so many ticks, once; None takes it back."""
        self._did.append({"alarm": which, "in": ticks})

    def cell(self, which, value):
        """Cell `which`, 0 to 15, holds the value from now on, durably."""
        self._did.append({"cell": which, "value": value})

    def write(self, ticket, value, operation=0, forgets=False):
        """Begins a write: completed() is called with the ticket. One that forgets takes the place of all before it."""
        self._did.append({"write": ticket, "operation": operation, "value": value, "forgets": forgets})

    def tell(self, channel, index, value):
        """What stands at an index of a channel."""
        self._did.append({"tell": channel, "index": index, "value": value})

    def call(self, history, operation, key=None, value=None):
        """A client calls an operation on the object of a history. What comes back has returns(value) and failed()."""
        self._calls = getattr(self, "_calls", -1) + 1
        given = {"key": key, "value": value}
        self._did.append({"call": history, "op": operation, "id": self._calls,
                          **{name: given[name] for name in given if given[name] is not None}})
        return Call(self, self._calls)

    def said(self, sentence):
        """What the present call is about, for people: the story of a schedule says it beside the event."""
        self._did.append({"said": sentence})

    def complain(self, sentence):
        """The process finds itself broken: the run ends."""
        self._did.append({"complain": sentence})


class Call:
    """A call that is open; one that neither returns nor fails took effect at any time after it was made, or never."""

    def __init__(self, process, number):
        self._process, self.number = process, number

    def returns(self, value=None):
        """It returned the value."""
        self._process._did.append({"return": self.number, **({} if value is None else {"value": value})})

    def failed(self):
        """It surely did nothing."""
        self._process._did.append({"failed": self.number})


class Chance:
    """Outcomes of which each is equally likely: what a rule may return in the place of new values."""

    def __init__(self, outcomes):
        self.outcomes = list(outcomes)


def chance(outcomes):
    """A coin: one of these new values comes, each with the same probability; who chooses who moves does not choose that."""
    return Chance(outcomes)


class View:
    """What a process sees of another: its variables, and its number, `me`."""

    def __init__(self, me, values):
        self.me = me
        self.__dict__.update(values)


def of_messages(name):
    def refuse(self, *ignored):
        raise TypeError(f"a rule is a function of what it sees, and {name} is of programs with messages (corridor.Process)")
    return refuse


class Rules:
    """What a program without messages derives its own from, for `corridor stabilize`: a process reads its neighbours' variables, and
    has a rule. An object of the class is a process; keep nothing in it: what it remembers are its variables."""
    name, version, meaning = None, "1", None
    faults = ()  # names, or {name: meaning}
    me, count, fault = 0, 1, None  # number of this process, how many there are, the fault that it has
    neighbours = ()  # of it in the graph that the file names

    def variables(self):
        """What may hold anything after a fault, each with its values: {name: range(..), or a list of numbers or words}."""
        raise NotImplementedError("the class has no method variables()")

    def reads(self):
        """Whose variables the rule gets, in this order."""
        return self.neighbours

    def rule(self, *near):
        """From self's variables and those that it reads: None, nothing is to do; new values of some variables, as a dict; chance();
        or a list of these, of which any may come."""
        raise NotImplementedError("the class has no method rule()")

    now = property(of_messages("now"))
    random = property(of_messages("random"))
    send, set_alarm, cell, write, tell, call, said, complain = map(
        of_messages, ("send()", "set_alarm()", "cell()", "write()", "tell()", "call()", "said()", "complain()"))


TYPES = {int: "integer", float: "real", set: "agents"}
encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def named(what):
    return what if isinstance(what, dict) else {name: "" for name in what}


def hello(kind):
    """What a kind of process says of itself."""
    if issubclass(kind, Rules):
        said = {"process": kind.name or kind.__name__, "version": kind.version, "rules": True, "faults": named(kind.faults)}
        return {**said, "meaning": kind.meaning} if kind.meaning else said
    said = {"process": kind.name or kind.__name__, "version": kind.version,
            "attributes": {name: TYPES[of] if isinstance(of, type) else of for name, of in kind.attributes.items()},
            "channels": named(kind.channels), "messages": named(kind.messages), "inputs": named(kind.inputs),
            "faults": named(kind.faults)}
    if kind.variables is not Process.variables:
        said["variables"] = True
    if kind.alarms:  # what alarms 0, 1 .. are called
        said["alarms"] = named(kind.alarms)
    if kind.meaning:
        said["meaning"] = kind.meaning
    if kind.leader:
        said["leader"] = kind.leader
    return said


def where(problem):
    """An exception with the line of the program that raised it."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename not in (__file__, json.encoder.__file__)]
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    said = f"{type(problem).__name__}: {problem}{place}".replace("\0", " ")
    return said.encode(errors="replace").decode()  # half a character is none


class Host:
    """All processes of a cluster."""

    def __init__(self, kind):
        self.kind, self.processes, self.shown = kind, {}, {}
        self.count, self.fault, self.declared = 1, None, None

    def greet(self, asked):
        self.count, self.fault = asked.get("count", 1), asked.get("fault")
        return hello(self.kind)

    def start(self, line):
        me = line["start"]
        process = self.processes[me] = self.kind.__new__(self.kind)
        process.me, process.count, process.fault = me, self.count, self.fault
        process.random = random.Random(int(line["seed"], 16))
        process.there = frozenset(line.get("there", range(self.count)))
        self.shown[me] = {}
        process._did, process.now = [], line["now"]
        process.__init__()
        process.start(Stored(line["cells"], line["writes"]))
        return me, process

    def call(self, line):
        for verb, call in CALLS.items():
            if verb in line:
                break
        me = line[verb]
        process = self.processes[me]
        process._did, process.now = [], line["now"]
        call(process, line)
        return me, process

    def answer(self, line):
        if "hello" in line:
            return self.greet(line["hello"])
        if not line.keys().isdisjoint(("declare", "restore", "live")):
            self.declared = self.declared or Declared(self)
            return self.declared.answer(line)
        try:
            me, process = self.start(line) if "start" in line else self.call(line)
            values = process.observe()
            if not isinstance(values, dict):
                raise TypeError("observe() returns no values")
            before, shown = self.shown[me], {}
            for name, value in values.items():
                if isinstance(value, (set, frozenset)):
                    value = sorted(value)
                if name not in before or before[name] != value:
                    shown[name] = before[name] = value
        except Exception as problem:  # whatever a program raises
            return {"failed": where(problem)}
        answer = {}
        if process._did:
            answer["did"] = process._did
        if shown:
            answer["shows"] = shown
        return answer


def asks(what):
    def refuse(self):
        self._asks = what
        raise TypeError(f"a process that declares its variables {what}")
    return property(refuse)


class Declared:
    """Processes that are put into any state that their variables can have, and given an event; or go on from where they are. Without a
    clock and chance: what they do hangs on what they declare and hear alone."""

    def __init__(self, host):
        self.host, self.living = host, {}
        self.kind = type(host.kind.__name__, (host.kind,), {"now": asks("looks at the clock"), "random": asks("draws random numbers")})

    def make(self, me):
        process = self.kind.__new__(self.kind)
        process.me, process.count, process.fault, process._did, process._asks = me, self.host.count, self.host.fault, [], None
        process.__init__()
        return process

    def happen(self, process, event):
        process._did = []
        if "alarm" in event:
            process.alarm(event["alarm"])
        else:
            process.receive(event["from"], event["kind"], event["value"])

    def act(self, line):
        me = line["restore" if "restore" in line else "live"]
        process = self.make(me) if "restore" in line or "event" not in line else self.living[me]
        try:
            if "restore" in line or "event" not in line:
                process.start(Stored())
            if "restore" in line:
                process.restore(line["values"])
            self.living[me] = process  # it may go on from there
            if "event" in line:
                self.happen(process, line["event"])
            shows = {name: sorted(value) if isinstance(value, (set, frozenset)) else value for name, value in process.observe().items()}
            answer = {"did": process._did, "values": process.save(), "shows": shows}
        except Exception:
            if not process._asks:
                raise
        return {"asks": process._asks, "values": {}} if process._asks else answer

    def answer(self, line):
        try:
            if "declare" not in line:
                return self.act(line)
            process = self.make(line["declare"])
            return {"variables": domains(process), "mail": {kind: list(values) for kind, values in process.mail().items()}}
        except Exception as problem:  # whatever a program raises
            me = next(line[verb] for verb in ("declare", "restore", "live") if verb in line)
            given = " and ".join(f"{key} {encode(line[key])}" for key in ("values", "event") if key in line)
            return {"failed": f"process {me}, given {given}: {where(problem)}" if given else f"process {me}: {where(problem)}"}


class RulesHost(Host):
    """All processes of a program of rules."""

    def start(self, line):
        me = line["start"]
        process = self.processes[me] = self.kind.__new__(self.kind)
        process.me, process.count, process.fault, process.neighbours = me, self.count, self.fault, line["neighbours"]
        process.__init__()
        return {"variables": domains(process), "reads": list(process.reads())}

    def rule(self, line):
        process = self.processes[line["rule"]]
        own = line["own"]
        process.__dict__.update(own)
        try:
            said = process.rule(*[View(me, values) for me, values in zip(process.reads(), line["near"])])
        finally:  # what it set is none of the next view's
            for name in own:
                process.__dict__.pop(name, None)
        rows = [] if said is None else said if isinstance(said, (list, tuple)) else [said]
        return {"next": [{"chance": [whole(own, one) for one in row.outcomes]} if isinstance(row, Chance) else whole(own, row) for row in rows]}

    def answer(self, line):
        if "hello" in line:
            return self.greet(line["hello"])
        try:
            return self.start(line) if "start" in line else self.rule(line)
        except Exception as problem:  # whatever a program raises
            at = f"variables of process {line['start']}" if "start" in line else f"rule of process {line['rule']}"
            return {"failed": f"in the {at}: {where(problem)}"}


def domains(process):
    """What variables() says. Their names become fields of the process: none may be one that the class, or the kit, has in another use."""
    base = Rules if isinstance(process, Rules) else Process
    for name in process.variables():
        own = getattr(type(process), name, None)
        if hasattr(base, name) or name in ("_did", "_asks", "_calls") or callable(own) or isinstance(own, property):
            raise TypeError(f"a variable is called {name}, which the class has in another use")
    return {name: {"from": of.start, "below": of.stop} if isinstance(of, range) and of.step == 1 else list(of)
            for name, of in process.variables().items()}


def whole(own, values):
    """New values of all variables: those that a rule does not name stay."""
    if not isinstance(values, dict):
        raise TypeError(f"a rule returns new values by their names, None, or a list, and not {values!r}")
    return {**own, **values}


CALLS = {"receive": lambda process, line: process.receive(line["from"], line["kind"], line.get("value")),
         "alarm": lambda process, line: process.alarm(line["which"]),
         "completed": lambda process, line: process.completed(line["ticket"], line["ok"]),
         "input": lambda process, line: process.input(line["which"], bytes.fromhex(line.get("bytes", "")))}


def __getattr__(name):
    """What a reader guesses of this module and it has not: main(), say."""
    raise AttributeError(f"corridor_process has no {name!r}: a class derives from corridor_process.Process, and the last line is "
                         "corridor_process.run(THAT_CLASS)")


_asked = []  # classes that run() was called with


def _unasked():
    """Says at the end of a program that it has a class, and nobody called run()."""
    names = [name for name, kind in vars(sys.modules["__main__"]).items()
             if isinstance(kind, type) and issubclass(kind, (Process, Rules)) and kind.__module__ == "__main__"]
    if names and not _asked and not hasattr(sys, "last_type"):
        print(f"nobody called corridor_process.run({names[-1]}), the last line of such a program", file=sys.stderr)


atexit.register(_unasked)


def run(kind):
    """Answers the host until it says bye."""
    if not (isinstance(kind, type) and issubclass(kind, (Process, Rules))):
        said = f"corridor_process.run() takes a class that derives from corridor_process.Process, and not {kind!r:.80}"
        raise TypeError(said)
    _asked.append(kind)
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets of words is the same in each run
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable] + getattr(sys, "orig_argv", [""] + sys.argv)[1:])
    lines, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else writes there
    host = RulesHost(kind) if issubclass(kind, Rules) else Host(kind)
    for text in lines:
        line = json.loads(text)
        if "bye" in line:
            break
        answer = host.answer(line)
        try:
            said = encode({**answer, "id": line["id"]})
        except (TypeError, ValueError, RecursionError) as problem:  # a value that JSON cannot say
            said = encode({"failed": where(problem), "id": line["id"]})
        out.write(said.encode() + b"\n")
        out.flush()
