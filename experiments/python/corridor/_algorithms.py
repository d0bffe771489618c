# SPDX-License-Identifier: GPL-3.0-or-later
"""@corridor.algorithm: functions and classes of Python as algorithms under test."""
import ctypes
import itertools
import json
from array import array
from ctypes import string_at

from . import _guests, _plugin
from ._plugin import CONTINUE, DONE, FAILED, Host

_registered = {}


class Nested:
    """Blocks that stand below others: what a function returns where a hierarchy or a tree is asked for. parents[i] is the
    number of the block above block i, or None."""

    def __init__(self, blocks, parents):
        self.blocks, self.parents = blocks, parents


class _Lent:
    """Reads the testbed's memory, which is somebody else's when a reorganization is over."""

    __slots__ = ()

    def _end(self):
        self._fields = self._host = self._rules = None
        del self._fields, self._host, self._rules

    def __getattr__(self, name):
        if name in ("_fields", "_host", "_rules"):
            raise RuntimeError("a task can be asked until its reorganization is over, an agent from its first message on until then")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class Task(_Lent):
    """What is asked in one reorganization. Numbers are copies that cannot be written: arrays of numpy where it is
    loaded, else memoryviews. They may be kept."""

    __slots__ = ("_guest", "_host", "_fields", "_rules", "_names", "_parameters")

    def __init__(self, guest, task, host):
        self._guest, self._host = guest, host
        self._fields = _plugin.UNPACK_TASK.unpack(string_at(task, _plugin.UNPACK_TASK.size))
        self._rules = self._names = self._parameters = None

    def __len__(self):
        return self._fields[1]

    @property
    def agent_count(self):
        """Agents are 0 to agent_count - 1."""
        return self._fields[1]

    @property
    def rules(self):
        if self._rules is None:
            self._rules = _plugin.UNPACK_RULES.unpack(string_at(self._fields[2], _plugin.UNPACK_RULES.size))
        return self._rules

    def _column(self, index):
        address = ctypes.c_void_p.from_address(self._fields[3] + 8 * index).value
        return _guests.numbers(address, self._fields[1], "d", 8)

    @property
    def values(self):
        """What the invariant measures, a number an agent."""
        return self._column(0)

    @property
    def column_names(self):
        """Names of the columns of values; that of the first is "value"."""
        if self._names is None:
            rules = self.rules
            kind = _plugin.ValueColumn
            columns = (kind * rules[1]).from_address(rules[13]) if rules[13] else ()
            self._names = [column.name.decode() for column in columns] or ["value"] + [f"column{i}" for i in range(1, rules[1])]
        return self._names

    def column(self, name):
        """The values of a column; NaN: an agent has none."""
        return self._column(self.column_names.index(name))

    @property
    def block_count(self):
        return self._fields[4]

    @property
    def block_start(self):
        """Block b is members[block_start[b]:block_start[b + 1]]."""
        return _guests.numbers(self._fields[6], self._fields[4] + 1, "I", 4)

    @property
    def members(self):
        start = self._fields[6] + 4 * self._fields[4]
        return _guests.numbers(self._fields[7], ctypes.c_uint32.from_address(start).value, "I", 4)

    @property
    def blocks(self):
        """The present structure: a list of blocks, each its agents."""
        start, members = self.block_start, self.members
        return [members[start[b]:start[b + 1]] for b in range(self._fields[4])]

    @property
    def parents(self):
        """Of each block the number of that above it, or None; None: blocks have no parents."""
        if not self._fields[9]:
            return None
        found = _guests.numbers(self._fields[9], self._fields[4], "I", 4)
        return [None if parent == _plugin.NO_BLOCK else int(parent) for parent in found]

    @property
    def organized(self):
        """The kind of structure that is asked for: "partitioning", "covering", "overlapping", "hierarchy", "tree"."""
        return _plugin.ORGANIZED[self.rules[11]]

    size_min = property(lambda self: self.rules[2], doc="Agents in a block, at least.")
    size_max = property(lambda self: None if self.rules[3] == _plugin.NO_LIMIT else self.rules[3], doc="At most; None: no limit.")
    count_min = property(lambda self: self.rules[4], doc="Blocks, at least.")
    count_max = property(lambda self: None if self.rules[5] == _plugin.NO_LIMIT else self.rules[5], doc="At most; None: no limit.")
    threshold = property(lambda self: self.rules[9], doc="The invariant holds while the cost is at most this.")
    budget = property(lambda self: self.rules[10], doc="Units that the reorganization may use.")
    has_objective = property(lambda self: bool(self._fields[10]), doc="Whether cost() is an objective of the experiment's own.")

    @property
    def fault(self):
        """The name of the fault that is injected, or None."""
        return self._guest.fault_names[self.rules[6] - 1] if self.rules[6] else None

    @property
    def parameters(self):
        """The parameters by name."""
        if self._parameters is None:
            rules = self.rules
            given = string_at(rules[8], 8 * rules[7]) if rules[7] else b""
            self._parameters = self._guest.parameters_of(memoryview(given).cast("d"))
        return self._parameters

    @property
    def kept(self):
        """What keep() was given in the reorganization before, b"" at the first of a sequence."""
        return string_at(self._fields[8], self._fields[5]) if self._fields[5] else b""

    @property
    def random(self):
        """Random numbers: a random.Random whose stream the testbed has named."""
        return _guests.stream(0, Host.from_address(self._host).random[0])

    @property
    def fault_random(self):
        """The same for faults: those that draw leave the draws of the algorithm as they are."""
        return _guests.stream(1, Host.from_address(self._host).random[1])

    def cost(self, blocks):
        """The experiment's cost of blocks: lower is better, NaN if they are no structure."""
        members, sizes = _flat(blocks, self._fields[1])
        start = array("I", itertools.accumulate(sizes, initial=0))
        return Host.from_address(self._host).cost(self._host, len(sizes), start.buffer_info()[0], members.buffer_info()[0])

    def keep(self, bytes_):
        """Keeps bytes for the next reorganization of the sequence; of algorithms with keeps=True."""
        kept = bytes(memoryview(bytes_))
        if not Host.from_address(self._host).keep(self._host, kept, len(kept)):
            raise ValueError("the testbed does not keep these bytes")

    def spend(self, units):
        """Says that so many units of the budget were used."""
        spent = Host.from_address(self._host).spent
        spent[0] = _plugin.long_number.from_param(spent[0] + _plugin.long_number.from_param(units).value)

    def count(self, counter, bucket=0):
        """Adds 1 to a bucket of a counter."""
        host = Host.from_address(self._host)
        index = self._guest.counter_names.index(counter)
        if not 0 <= bucket < self._guest.counter_buckets[index]:
            raise ValueError(f"counter {counter} has buckets 0 to {self._guest.counter_buckets[index] - 1}, and not {bucket}")
        host.counters[host.counter_start[index] + bucket] += 1

    @property
    def injected(self):
        """What became of the fault: numbers reached, held, activated and in_result, which the algorithm raises."""
        return Host.from_address(self._host).fault.contents


class Agent(_Lent):
    """One agent of a decentralised algorithm: all that a handler may know and change. state: what begin() returned for
    it, None after a crash."""

    __slots__ = ("id", "state", "_guest", "_fields", "_host", "_rules")

    def __init__(self, number, guest):
        self.id, self._guest, self.state = number, guest, None

    @property
    def values(self):
        """Its value in each column."""
        return _guests.numbers(self._fields[2], _plugin.Rules.from_address(self._rules).value_count, "d", 8)

    @property
    def value(self):
        """What the invariant measures."""
        return ctypes.c_double.from_address(self._fields[2]).value

    @property
    def random(self):
        """Random numbers of its own."""
        return _guests.stream(2, self._fields[3])

    def _rule(self, name):
        return getattr(_plugin.Rules.from_address(self._rules), name)

    size_min = property(lambda self: self._rule("size_min"))
    size_max = property(lambda self: None if self._rule("size_max") == _plugin.NO_LIMIT else self._rule("size_max"))
    count_min = property(lambda self: self._rule("count_min"))
    count_max = property(lambda self: None if self._rule("count_max") == _plugin.NO_LIMIT else self._rule("count_max"))
    threshold = property(lambda self: self._rule("threshold"))
    budget = property(lambda self: self._rule("budget"))

    @property
    def parameters(self):
        rules = _plugin.Rules.from_address(self._rules)
        given = string_at(rules.parameters, 8 * rules.parameter_count) if rules.parameter_count else b""
        return self._guest.parameters_of(memoryview(given).cast("d"))

    @property
    def fault(self):
        number = self._rule("fault")
        return self._guest.fault_names[number - 1] if number else None

    @property
    def injected(self):
        return Host.from_address(self._host).fault.contents

    def send(self, to, kind, payload=b""):
        """Mails bytes, or whatever JSON can say, to another agent. When and whether it arrives is the schedule's affair."""
        bytes_ = payload if isinstance(payload, bytes) else json.dumps(payload, separators=(",", ":")).encode()
        if not Host.from_address(self._host).send(self._host, to, kind, bytes_, len(bytes_)):
            raise ValueError(f"the testbed does not send this to {to}")


class Message:
    """A message for an agent: sender, kind, payload (bytes), value (what JSON says in it)."""

    __slots__ = ("sender", "kind", "payload")

    def __init__(self, address):
        self.sender, self.kind, size, _, at = _plugin.UNPACK_MESSAGE.unpack(string_at(address, _plugin.UNPACK_MESSAGE.size))
        self.payload = string_at(at, size) if size else b""

    @property
    def value(self):
        return json.loads(self.payload)


def _flat(blocks, agent_count):
    try:
        blocks = list(blocks)
        sizes = array("I", map(len, blocks))
        return array("I", itertools.chain.from_iterable(blocks)), sizes
    except (TypeError, ValueError, OverflowError) as error:
        shown = repr(blocks)
        raise TypeError(f"gave {shown[:60] + '..' if len(shown) > 62 else shown}, and not a list of lists of agents, 0 to "
                        f"{agent_count - 1}: {error}") from None


def _put(guest, host, blocks, agent_count):
    parents = None
    if isinstance(blocks, Nested):
        blocks, parents = blocks.blocks, list(blocks.parents)
    members, sizes = _flat(blocks, agent_count)
    if not _guests.LIBRARY.cor_embed_put_blocks(host, members.buffer_info()[0], sizes.buffer_info()[0], len(sizes)):
        return FAILED
    for block, parent in enumerate(parents or ()):
        if parent is not None and not Host.from_address(host).hang(host, block, parent):
            raise ValueError(f"there is no block {block} to have a parent")
    return DONE


def _fail(host, error):
    """The verdict on an exception."""
    functions = Host.from_address(host)
    _guests.show(error)
    if MemoryError in type(error).__mro__:  # the user may have spoiled isinstance
        functions.alloc(host, 1 << 62)  # refused, which is the verdict
    functions.complain(host, _guests.sentence(error))
    return FAILED


def _number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Guest:
    """What is registered of one function or class."""

    def __init__(self, thing, name, summary, version, parameters, faults, counters, constraints, needs, budget_unit, capabilities):
        self.thing, self.name = thing, name or thing.__name__.lower()
        lines = (summary or thing.__doc__ or self.name).strip().split("\n")
        self.summary, self.version, self.budget_unit = lines[0], version, budget_unit
        self.parameters = {key: self._parameter(key, value) for key, value in (parameters or {}).items()}
        self.parameter_names = list(self.parameters)
        self._integers = [one["integer"] for one in self.parameters.values()]
        self.faults = dict(faults) if isinstance(faults, dict) else {key: key for key in faults or ()}
        self.fault_names = list(self.faults)
        counters = counters if isinstance(counters, dict) else {key: 1 for key in counters or ()}
        self.counter_names, self.counter_buckets = list(counters), list(counters.values())
        self.constraints, self.needs = list(constraints or ()), list(needs or ())
        self.capabilities = capabilities
        self.is_class = isinstance(thing, type)
        has = (lambda key: hasattr(thing, key)) if self.is_class else (lambda key: False)
        self.has_wake, self.has_step, self.has_restart = has("wake"), has("step"), has("restart")
        if self.is_class and not has("result"):
            raise TypeError(f"class {thing.__name__} has no result(self, task)")
        if self.has_wake != has("receive"):
            raise TypeError(f"class {thing.__name__} has one of wake(self, me) and receive(self, me, message): they go together")
        self.mentioned = self._mentioned()
        self.takes = self._takes()
        self._kept_alive = []

    def _mentioned(self):
        functions = vars(self.thing).values() if self.is_class else [self.thing]
        return set().union(*(_guests.names_of(one.__code__) for one in functions if hasattr(one, "__code__")))

    def _takes(self):
        """Parameters that the function takes as arguments of their name."""
        if self.is_class:
            return []
        import inspect

        names = list(inspect.signature(self.thing).parameters)
        unknown = [one for one in names[1:] if one not in self.parameters]
        if not names or unknown:
            raise TypeError(f"{self.thing.__name__} takes {unknown[0] if unknown else 'nothing'}: write def {self.thing.__name__}(task"
                            f"{''.join(', ' + one for one in self.parameters)}), or declare it in parameters=")
        return names[1:]

    @staticmethod
    def _parameter(key, value):
        made = {"unit": "1", "meaning": key}
        if isinstance(value, dict):
            made.update(value)
        elif isinstance(value, (tuple, list)) and len(value) == 3:
            made.update(zip(("value", "min", "max"), value))
        if not all(_number(made.get(part)) for part in ("value", "min", "max")):
            raise TypeError(f"parameter {key} is {value!r}: write (default, least, greatest), or a dict of value, min, max, unit, meaning")
        made.setdefault("integer", all(isinstance(made[part], int) for part in ("value", "min", "max")))
        return made

    def parameters_of(self, given):
        return {key: int(value) if whole else value for key, value, whole in zip(self.parameter_names, given, self._integers)}

    # ---- in the child

    def _texts(self, words):
        made = (ctypes.c_char_p * (len(words) + 1))(*[word.encode() for word in words], None)
        self._kept_alive.append(made)
        return made

    def _list(self, kind, rows):
        made = (kind * (len(rows) + 1))(*[kind(*row) for row in rows])
        self._kept_alive.append(made)
        return made

    def register(self, library):
        """Makes it known to the library in this process."""
        encode = lambda text: str(text).encode()
        algorithm = _plugin.Algorithm(
            magic=_plugin.MAGIC, major=_plugin.MAJOR, minor=_plugin.MINOR, struct_size=ctypes.sizeof(_plugin.Algorithm),
            name=encode(self.name), version=encode(self.version), summary=encode(self.summary), budget_unit=encode(self.budget_unit),
            capabilities=self.capabilities, state_size=0, agent_size=0)
        if self.parameters:
            algorithm.parameters = self._list(_plugin.Parameter, [
                (encode(key), encode(one["unit"]), encode(one["meaning"]), one["value"], one["min"], one["max"], int(one["integer"]))
                for key, one in self.parameters.items()])
        if self.faults:
            algorithm.faults = self._list(_plugin.Fault, [(encode(key), encode(meaning)) for key, meaning in self.faults.items()])
        if self.counter_names:
            algorithm.counters = self._list(_plugin.Counter, [
                (encode(key), encode(key), buckets) for key, buckets in zip(self.counter_names, self.counter_buckets)])
        if self.constraints:
            algorithm.constraints = self._texts(self.constraints)
        if self.needs:
            algorithm.needs = self._texts(self.needs)
        for field, callback in (self._class_callbacks() if self.is_class else self._function_callbacks()).items():
            setattr(algorithm, field, callback)
            self._kept_alive.append(callback)
        self._kept_alive.append(algorithm)
        why = ctypes.create_string_buffer(1024)
        if library.cor_embed_algorithm(ctypes.byref(algorithm), _guests.digest(self.thing).encode(), why, ctypes.c_size_t(len(why))):
            raise ValueError(f"algorithm {self.name}: {why.value.decode(errors='replace')}")

    def _function_callbacks(self):
        function, takes = self.thing, self.takes

        def result(_, task, host):
            asked = Task(self, task, host)
            try:
                if takes:
                    given = asked.parameters
                    blocks = function(asked, *[given[name] for name in takes])
                else:
                    blocks = function(asked)
                return _put(self, host, blocks, asked._fields[1])
            except BaseException as error:
                return _fail(host, error)
            finally:
                asked._end()

        return {"result": _plugin.THREE(result)}

    def _class_callbacks(self):
        now = {}  # what is at work, by its host
        lent = []  # until the end

        def lend(task, host):
            lent.append(Task(self, task, host))
            return lent[-1]

        def begin(_, task, host):
            try:
                one = self.thing()
                asked = lend(task, host)
                agents = ()
                if self.has_wake:
                    agents = [Agent(number, self) for number in range(len(asked))]
                    lent.extend(agents)
                now[host] = one, agents
                states = one.begin(asked) if hasattr(one, "begin") else None
                if self.has_wake and states is not None:
                    states = list(states)
                    if len(states) != len(agents):
                        raise ValueError(f"begin returned {len(states)} states for {len(agents)} agents")
                    for agent, state in zip(agents, states):
                        agent.state = state
                return CONTINUE
            except BaseException as error:
                return _fail(host, error)

        def step(_, task, host, units):
            try:
                done = now[host][0].step(lend(task, host), units)
                return DONE if done else CONTINUE
            except BaseException as error:
                return _fail(host, error)

        def handled(me, rules, host):
            fields = _plugin.UNPACK_AGENT.unpack(string_at(me, _plugin.UNPACK_AGENT.size))
            one, agents = now[host]
            agent = agents[fields[0]]
            agent._fields, agent._rules, agent._host = fields, rules, host
            return one, agent

        def wake(me, rules, host):
            try:
                one, agent = handled(me, rules, host)
                return CONTINUE if one.wake(agent) else DONE
            except BaseException as error:
                return _fail(host, error)

        def receive(me, rules, host, message):
            try:
                one, agent = handled(me, rules, host)
                return CONTINUE if one.receive(agent, Message(message)) else DONE
            except BaseException as error:
                return _fail(host, error)

        def restart(me, rules, host):
            try:
                one, agent = handled(me, rules, host)
                agent.state = None
                return CONTINUE if one.restart(agent) else DONE
            except BaseException as error:
                return _fail(host, error)

        def result(_, task, host):
            try:
                one, agents = now.get(host) or (self.thing(), ())
                asked = lend(task, host)
                blocks = one.result(asked, agents) if self.has_wake else one.result(asked)
                return _put(self, host, blocks, asked._fields[1])
            except BaseException as error:
                return _fail(host, error)

        def end(_, host):
            now.pop(host, None)
            while lent:
                lent.pop()._end()

        made = {"result": _plugin.THREE(result), "end": _plugin.END(end)}
        if self.has_wake or self.has_step:
            made["begin"] = _plugin.THREE(begin)
        if self.has_step:
            made["step"] = _plugin.STEP(step)
        if self.has_wake:
            made.update(wake=_plugin.THREE(wake), receive=_plugin.FOUR(receive))
        if self.has_restart:
            made["restart"] = _plugin.THREE(restart)
        return made


def algorithm(thing=None, *, name=None, summary=None, version="1", parameters=None, faults=None, counters=None, constraints=None,
              needs=None, budget_unit="calls", keeps=False, limits=False, covers=False, nests=False, aims=False, anytime=False,
              comes_and_goes=False):
    """Makes a function, or a class, an algorithm that experiments find by its name. docs/do/python.md says how each is asked.

    name: [a-z][a-z0-9_]*; None: that of the function. summary: one line; None: the first of its docstring.
    parameters: {"name": (default, least, greatest)}, or a dict of value, min, max, unit, meaning; whole numbers make an
    integer. A function may take them by name. faults: {"name": "meaning"}, or names. counters: {"name": buckets}, or names.
    constraints, needs, budget_unit, keeps, limits, covers, nests, aims, anytime, comes_and_goes: as in corridor/plugin.h.
    """
    def make(thing):
        if not callable(thing):
            raise TypeError(f"{thing!r} is no function and no class")
        capabilities = sum(bit for bit, wanted in (
            (_plugin.ANYTIME, anytime), (_plugin.KEEPS, keeps), (_plugin.LIMITS, limits), (_plugin.COVERS, covers),
            (_plugin.NESTS, nests), (_plugin.AIMS, aims), (_plugin.COMES_AND_GOES, comes_and_goes)) if wanted)
        guest = Guest(thing, name, summary, version, parameters, faults, counters, constraints, needs, budget_unit, capabilities)
        thing.corridor = _registered[guest.name] = guest
        return thing

    return make if thing is None else make(thing)


def registered():
    return list(_registered.values())
