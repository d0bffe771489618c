# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor.Process and @corridor.process: distributed programs under test as classes, in process. The class is that of
experiments/library/processes/corridor_process.py, which speaks for it as a program of its own: what is said of one holds
for the other, and the same source may be both."""
import ctypes
import json
import random
import struct
from ctypes import string_at

from . import _guests, _process
from ._process import Host

_registered = {}
encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_TYPES = {int: _process.COUNT, "integer": _process.COUNT, float: _process.REAL, "real": _process.REAL, set: _process.SET,
          "agents": _process.SET}


class Stored:
    """What is durable when a process starts: `cells`, by number, and `writes`, oldest first."""

    def __init__(self, cells=None, writes=()):
        self.cells, self.writes = cells or {}, list(writes)


class Write:
    """A write that is durable; of a torn one `torn` is what is left of its text, and `value` is None."""

    def __init__(self, operation, value=None, torn=None):
        self.operation, self.value, self.torn = operation, value, torn


class Process:
    """What a program derives its own from. After a crash it is another object."""
    name, version, meaning = None, "1", None
    attributes = {}  # name: int, float, set (of processes) or a list of words
    channels, messages, inputs, faults, alarms = (), (), (), (), ()  # names, or {name: meaning}; {name: {"meaning": .., "weight": ..}}
    leader = None  # {attribute: word}: a hint to generators

    me, count, fault = 0, 1, None  # number of this process, how many there are, the fault that it has
    there = frozenset()  # processes that are there as it starts: who comes and goes later is found out
    random = None  # random numbers of this process: a random.Random
    _host = _declared = None

    def start(self, stored):
        """First, and again after each crash."""

    def receive(self, sender, kind, value):
        """A message has come."""

    def alarm(self, which):
        """An alarm that was set is due."""

    def completed(self, ticket, ok):
        """A write is durable, or has failed."""

    def input(self, which, data):
        """Somebody outside asks for something; `data` are its random bytes."""

    def observe(self):
        """The values of all attributes."""
        return {}

    @property
    def now(self):
        """Ticks, by this process's clock."""
        return self._host.now(self._at)

    def send(self, to, kind, value=None):
        """Sends a message of a kind to process `to`: anything that JSON can say."""
        text = encode(value).encode()
        self._host.send(self._at, to, self._declared.message[kind], text, len(text))

    def set_alarm(self, which, ticks):
        """Alarm `which`, 0 to 7, is due in so many ticks, once; None takes it back."""
        self._host.set_alarm(self._at, which, _process.NEVER if ticks is None else ticks)

    def cell(self, which, value):
        """Cell `which`, 0 to 15, holds the value from now on, durably."""
        text = encode(value).encode()
        self._host.cell(self._at, which, text, len(text))

    def write(self, ticket, value, operation=0, forgets=False):
        """Begins a write: completed() is called with the ticket. One that forgets takes the place of all before it."""
        text = encode(value).encode() + b"\n"
        self._host.write(self._at, ticket, operation | (_process.FORGETS if forgets else 0), text, len(text))

    def tell(self, channel, index, value):
        """What stands at an index of a channel."""
        text = encode(value).encode()
        self._host.tell(self._at, self._declared.channel[channel], index, _guests.LIBRARY.cor_embed_hash(text, len(text)))

    def call(self, history, operation, key=None, value=None):
        """A client calls an operation on the object of a history. What comes back has returns(value) and failed()."""
        self._calls = getattr(self, "_calls", -1) + 1
        text = lambda said: None if said is None else encode(said).encode()
        self._host.call(self._at, self._declared.channel[history], self._calls, operation.encode(), text(key), text(value))
        return Call(self, self._calls)

    def said(self, sentence):
        """What the present call is about, for people: the story of a schedule says it beside the event."""
        self._host.say(self._at, sentence.encode())

    def complain(self, sentence):
        """The process finds itself broken: the run ends."""
        self._host.complain(self._at, sentence.encode())


class Call:
    """A call that is open; one that neither returns nor fails took effect at any time after it was made, or never."""

    def __init__(self, process, number):
        self._process, self.number = process, number

    def returns(self, value=None):
        """It returned the value."""
        self._answer(_process.DONE, None if value is None else encode(value).encode())

    def failed(self):
        """It surely did nothing."""
        self._answer(_process.FAILED, None)

    def _answer(self, status, text):
        self._process._host.answered(self._process._at, self.number, status, text)


def _named(what):
    return {name: meaning if isinstance(meaning, dict) else {"meaning": meaning}
            for name, meaning in (what if isinstance(what, dict) else {name: "" for name in what}).items()}


class Guest:
    """What is registered of one class."""

    def __init__(self, kind):
        if not (isinstance(kind, type) and issubclass(kind, Process)):
            raise TypeError(f"{kind!r} is no class that is derived from corridor.Process")
        self.kind, self.name = kind, kind.name or kind.__name__.lower()
        self.channels, self.messages, self.inputs, self.faults, self.alarms = map(
            _named, (kind.channels, kind.messages, kind.inputs, kind.faults, kind.alarms))
        self.fault_names, self.message_names, self.input_names = map(list, (self.faults, self.messages, self.inputs))
        self.message = {name: number for number, name in enumerate(self.messages)}
        self.channel = {name: number for number, name in enumerate(self.channels)}
        self.attributes, self.words = {}, {}
        for name, what in kind.attributes.items():
            what = what if isinstance(what, dict) else {"type": what}
            type_ = what.get("type")
            if isinstance(type_, (list, tuple)):
                self.words[name] = {word: number for number, word in enumerate(type_)}
            elif type_ not in _TYPES:
                raise TypeError(f"attribute {name} is {type_!r}: write int, float, set or a list of words")
            self.attributes[name] = what
        self.mentioned = set().union(*(_guests.names_of(one.__code__) for one in vars(kind).values() if hasattr(one, "__code__")))
        self._pack = struct.Struct("@" + "".join("d" if self._type(name) == _process.REAL else "Q" for name in self.attributes))
        self._show = [(name, self._type(name)) for name in self.attributes]
        self._alive = []

    def _type(self, name):
        return _process.WORD if name in self.words else _TYPES[self.attributes[name]["type"]]

    def _list(self, kind, rows):
        made = (kind * max(len(rows), 1))(*[kind(*row) for row in rows])
        self._alive.append(made)
        return made

    def _word_list(self, name):
        words = list(self.words.get(name, ()))
        made = (ctypes.c_char_p * (len(words) + 1))(*[word.encode() for word in words], None)
        self._alive.append(made)
        return made

    def register(self, library):
        text = lambda said: str(said).encode() if said else None
        kind, p = self.kind, _process
        process = p.Process(magic=p.MAGIC, major=p.MAJOR, minor=p.MINOR, struct_size=ctypes.sizeof(p.Process), name=self.name.encode(),
                            version=str(kind.version).encode(), meaning=text(kind.meaning), state_size=16)
        process.attributes = self._list(p.Attribute, [
            (name.encode(), text(what.get("unit")), self._type(name), len(self.words.get(name, ())), self._word_list(name),
             text(what.get("meaning"))) for name, what in self.attributes.items()])
        process.channels = self._list(p.Name, [(name.encode(), text(what["meaning"])) for name, what in self.channels.items()])
        process.faults = self._list(p.Name, [(name.encode(), text(what["meaning"])) for name, what in self.faults.items()])
        process.alarms = self._list(p.Name, [(name.encode(), text(what["meaning"])) for name, what in self.alarms.items()])
        process.messages = self._list(p.Message, [
            (name.encode(), text(what.get("meaning")), int(what.get("ballot", False)), 0) for name, what in self.messages.items()])
        process.inputs = self._list(p.Input, [
            (name.encode(), text(what.get("meaning")), what.get("weight", 1), what.get("bytes", 0)) for name, what in self.inputs.items()])
        for what in ("attribute", "channel", "fault", "message", "input", "alarm"):
            setattr(process, what + "_count", len(getattr(self, what + "s")))
        process.leader_attribute = len(self.attributes)
        if kind.leader:
            (name, word), = kind.leader.items()
            process.leader_attribute, process.leader_value = list(self.attributes).index(name), self.words[name][word]
        for field, callback in self._callbacks().items():
            setattr(process, field, callback)
            self._alive.append(callback)
        self._alive.append(process)
        library.cor_embed_hash.restype = ctypes.c_uint64
        library.cor_embed_hash.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        why = ctypes.create_string_buffer(1024)
        interrupt = ctypes.cast(ctypes.pythonapi.PyErr_SetInterrupt, ctypes.c_void_p)
        if library.cor_embed_process(ctypes.byref(process), _guests.digest(kind).encode(), interrupt, why, ctypes.c_size_t(len(why))):
            raise ValueError(f"process {self.name}: {why.value.decode(errors='replace')}")

    def _callbacks(self):
        alive = {}  # by the memory that is theirs in the host

        def fail(host, error):
            _guests.show(error)
            Host.from_address(host).complain(host, _guests.sentence(error, places=False))

        def start(me, host, stored):
            try:
                offered = Host.from_address(host)
                one = alive[me] = self.kind.__new__(self.kind)
                one._host, one._at, one._declared = offered, host, self
                one.me, one.count = offered.self, offered.count
                one.there = frozenset(p for p in range(offered.count) if offered.there[p // 64] >> p % 64 & 1)
                one.fault = self.fault_names[offered.fault - 1] if offered.fault else None
                one.random = random.Random(offered.random(host))
                one.__init__()
                one.start(_stored(stored))
            except BaseException as error:
                fail(host, error)

        def receive(me, host, sender, kind, bytes_, size):
            try:
                value = json.loads(string_at(bytes_, size)) if size else None
                alive[me].receive(sender, self.message_names[kind], value)
            except BaseException as error:
                fail(host, error)

        def alarm(me, host, which):
            try:
                alive[me].alarm(which)
            except BaseException as error:
                fail(host, error)

        def completed(me, host, ticket, status):
            try:
                alive[me].completed(ticket, status == 0)
            except BaseException as error:
                fail(host, error)

        def asked(me, host, which, bytes_, size):
            try:
                alive[me].input(self.input_names[which], string_at(bytes_, size) if size else b"")
            except BaseException as error:
                fail(host, error)

        def observe(me, values):
            one = alive[me]
            try:
                ctypes.memmove(values, self.shown(one.observe()), self._pack.size)
            except BaseException as error:
                fail(one._at, error)

        p = _process
        return {"start": p.START(start), "receive": p.RECEIVE(receive), "alarm": p.DUE(alarm), "completed": p.COMPLETED(completed),
                "input": p.ASKED(asked), "observe": p.OBSERVE(observe)}

    def shown(self, values):
        """Values of attributes as the host has them."""
        if len(values) != len(self._show):
            raise ValueError(f"observe() says {', '.join(map(str, values)) or 'nothing'}, and not {', '.join(self.attributes)}")
        numbers = []
        for name, type_ in self._show:
            value = values[name]
            if type_ == _process.WORD:
                value = self.words[name][value]
            elif type_ == _process.SET:
                value = sum({1 << one for one in value})
            elif type_ == _process.COUNT and not 0 <= value <= 1 << 53:
                raise ValueError(f"attribute {name} is {value}, and not 0 to 2^53")
            numbers.append(value)
        return self._pack.pack(*numbers)


def _stored(address):
    stored = _process.Stored.from_address(address)
    cells = {one.operation: json.loads(string_at(one.bytes, one.size)) for one in stored.cells[:stored.cell_count]}
    writes = []
    for one in stored.writes[:stored.write_count]:
        text = string_at(one.bytes, one.size) if one.size else b""
        if text.endswith(b"\n"):
            writes.append(Write(one.operation, json.loads(text)))
        else:
            writes.append(Write(one.operation, torn=text.decode("utf-8", "replace")))
    return Stored(cells, writes)


def process(kind):
    """Makes a class that is derived from corridor.Process a distributed program that experiments find by its name."""
    guest = Guest(kind)
    kind.corridor = _registered[guest.name] = guest
    return kind


def registered():
    return list(_registered.values())
