#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Agents in Python for `corridor agent test`: plans are written as functions, what they do is reported for them.

    from corridor_agent import Agent

    agent = Agent("Courier", beliefs={"van.Load": int})
    agent.event("Parcel", {"Kilos": int, "Express": bool})

    @agent.plan("Take", "Parcel", lambda e, b: (e.Kilos > 0) & (b["van.Load"] + e.Kilos <= 100))
    def take(me, e, b):
        me.set("van.Load", b["van.Load"] + e.Kilos)
        if me.test(lambda: e.Express):
            me.do("Drive")

    agent.main()

A context and a body get the arguments of the event, `e`, and the beliefs, `b`. What has no value - whole numbers beyond 64
bits, a division by zero - makes a context false and a plan fail, as in a design. `&` and `|` look at both sides; `and` and
`or`, which do not, are as good where both sides always have a value. docs/learn/test-an-agent.md has the lines that are said.
"""
import json
import math
import sys

LEAST, GREATEST = -2**63, 2**63 - 1
AT_ONCE = 1000  # lines of a case that are said as one, which has a limit


class NoValue(Exception):
    """What is reckoned has no value."""


class PlanFailed(Exception):
    """The plan at work has failed."""


class Stopped(Exception):
    """A limit of the case is reached."""


def checked(value):
    """A number that is reckoned with: whole numbers have 64 bits, reals are finite."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        if not LEAST <= value <= GREATEST:
            raise NoValue
        return Whole(value)
    if not math.isfinite(value):
        raise NoValue
    return Real(value)


def reckon(operator):
    """An operator of numbers that says when there is no value."""
    def both(a, b):
        if not isinstance(b, (int, float)):
            return NotImplemented
        try:
            return checked(operator(a, b))
        except (ZeroDivisionError, OverflowError):
            raise NoValue from None

    def turned(a, b):
        return both(b, a)
    return both, turned


class Number:
    __add__, __radd__ = reckon(lambda a, b: raw(a) + raw(b))
    __sub__, __rsub__ = reckon(lambda a, b: raw(a) - raw(b))
    __mul__, __rmul__ = reckon(lambda a, b: raw(a) * raw(b))
    __truediv__, __rtruediv__ = reckon(lambda a, b: divide(raw(a), raw(b)))
    __mod__, __rmod__ = reckon(lambda a, b: raw(a) % raw(b))

    def __neg__(self):
        return checked(-raw(self))

    def __abs__(self):
        return checked(abs(raw(self)))


class Whole(Number, int):
    """A whole number of 64 bits; `/` rounds down."""


class Real(Number, float):
    """A finite real."""


def raw(number):
    return int(number) if isinstance(number, int) else float(number)


def divide(a, b):
    return a // b if isinstance(a, int) and isinstance(b, int) else a / b


def real(number):
    """The nearest real to a whole number."""
    return checked(float(number))


def ceil_div(a, b):
    """The quotient rounded up."""
    if raw(b) == 0:
        raise NoValue
    checked(raw(a) // raw(b))
    return checked(-(-raw(a) // raw(b)))


def typed(value, kind):
    return checked(float(value)) if kind is float and value is not None else checked(value)


class Arguments:
    """The arguments of an event, by their names."""

    def __init__(self, values):
        self.__dict__.update(values)

    def __getitem__(self, name):
        return self.__dict__[name]


class Beliefs:
    """Fields by "set.Field"; a key that the event in hand has an argument for is that argument."""

    def __init__(self, values):
        self.values, self.keys = values, {}

    def __getitem__(self, field):
        return self.keys[field] if field in self.keys else self.values[field]


class Agent:
    """An agent: its events, plans and rules. `main` answers what corridor asks."""

    def __init__(self, name, version="0", beliefs=None):
        self.name, self.version = name, version
        self.beliefs, self.events, self.plans, self.rules, self.faults = beliefs or {}, {}, {}, [], {}

    def event(self, name, arguments=None, keys=None):
        """An event with the types of its arguments; `keys` says which argument is which key: {"set.Field": "Argument"}."""
        self.events[name] = (arguments or {}, keys or {})

    def plan(self, name, event, context=None):
        """A plan for an event: applicable where its context, a function of e and b, holds; none: always."""
        def take(body):
            self.plans[name] = (event, context, body)
            return body
        return take

    def stub(self, name, event, context=None):
        """A plan that is not written yet: corridor says so, and tests the others."""
        def take(body):
            self.plans[name] = (None, context, body)
            return body
        return take

    def rule(self, belief, when, event, **fields):
        """After each write to the set, where `when`, a function of b, holds, the event is posted, its arguments from fields."""
        self.rules.append((belief, when, event, fields))

    def fault(self, name, meaning, **plans):
        """A change on purpose: Take={"context": f}, "body", "event"; Take=None: the plan is missing."""
        self.faults[name] = (meaning, plans)

    def changed(self, fault):
        plans = dict(self.plans)
        for name, change in self.faults.get(fault, ("", {}))[1].items():
            event, context, body = plans.pop(name)
            if change is not None:
                plans[name] = (change.get("event", event), change.get("context", context), change.get("body", body))
        order = list(self.plans)
        return sorted(plans.items(), key=lambda plan: order.index(plan[0]))

    def hello(self, plans):
        handles = {name: event for name, (event, _, _) in plans}
        faults = {name: meaning for name, (meaning, _) in self.faults.items()}
        return {"agent": self.name, "version": self.version, "handles": handles, "faults": faults}

    def main(self, lines=sys.stdin, out=sys.stdout):
        encode = json.JSONEncoder(separators=(",", ":")).encode
        plans = []
        for line in lines:
            request = json.loads(line)
            if "hello" in request:
                plans = self.changed(request["hello"].get("fault"))
                said = [self.hello(plans)]
            elif "case" in request:
                lines = Case(self, plans, request["case"]).answer()
                said = [{"lines": lines[first:first + AT_ONCE]} for first in range(0, len(lines), AT_ONCE)]
            else:
                return
            out.write("".join(encode({"id": request["id"], **one}) + "\n" for one in said))
            out.flush()


class Case:
    """One case: what the agent believes, which plans are at work, and what is reported. Bodies get it as `me`."""

    def __init__(self, agent, plans, case):
        self.agent, self.plans, self.case = agent, plans, case
        self.said, self.at_work, self.steps, self.seed = [], [], 0, int(case["seed"], 16)
        self.beliefs = Beliefs({field: typed(value, agent.beliefs.get(field)) for field, value in case["beliefs"].items()})

    def answer(self):
        end = "quiet"
        try:
            self.handle(self.case["event"], self.case["args"])
        except Stopped as limit:
            end = str(limit)
        self.say(finished=end, steps=self.steps)
        return self.said

    def say(self, **line):
        self.said.append(line)

    def step(self):
        if self.steps == self.case["steps"]:
            raise Stopped("steps")
        self.steps += 1

    def holds(self, condition, *values):
        try:
            return condition is None or bool(condition(*values))
        except NoValue:
            return False

    def handle(self, event, arguments):
        """Has the first applicable plan handle the event, and when it fails the next; false if none completes."""
        kinds, keys = self.agent.events.get(event, ({}, {}))
        args = Arguments({name: typed(value, kinds.get(name)) for name, value in arguments.items()})
        keys_before, self.beliefs.keys = self.beliefs.keys, {field: args[name] for field, name in keys.items()}
        applicable = []
        for name, (trigger, context, body) in self.plans:
            if trigger == event:
                held = self.holds(context, args, self.beliefs)
                self.say(context=name, holds=held)
                if held:
                    applicable.append((name, body))
        done = any(self.run(name, body, args) for name, body in applicable)
        self.beliefs.keys = keys_before
        return done

    def run(self, plan, body, args):
        if self.at_work.count(plan) > self.case["rounds"]:
            raise Stopped("rounds")
        self.step()
        self.say(started=plan)
        self.at_work.append(plan)
        keys = self.beliefs.keys
        try:
            body(self, args, self.beliefs)
            ok = True
        except PlanFailed:
            ok = False
        except NoValue:  # the statement that has none is a step, too
            self.step()
            ok = False
        self.beliefs.keys = keys
        self.at_work.pop()
        self.say(ended=plan, ok=ok)
        return ok

    # What bodies do: each is a step.

    def set(self, field, value):
        """Writes a field of a belief set."""
        self.step()
        kind = self.agent.beliefs.get(field)
        try:
            self.beliefs.values[field] = typed(value, kind)
        except NoValue:
            raise PlanFailed from None
        self.say(wrote=field, by=self.at_work[-1], value=plain(self.beliefs.values[field]))
        for belief, when, event, fields in self.agent.rules:
            if belief == field.split(".")[0] and self.holds(when, self.beliefs):
                self.say(posted=event, args={name: plain(self.beliefs[of]) for name, of in fields.items()})

    def send(self, message, **arguments):
        self.step()
        values = {name: plain(value) for name, value in arguments.items()}
        self.say(sent=message, by=self.at_work[-1], **({"args": values} if values else {}))

    def do(self, action):
        self.step()
        self.say(did=action, by=self.at_work[-1])

    def post(self, event, optional=False, **arguments):
        """Posts an event and waits until it is handled; the plan fails if no plan completes, unless it is optional."""
        self.step()
        values = {name: plain(value) for name, value in arguments.items()}
        self.say(posted=event, by=self.at_work[-1], args=values)
        if not self.handle(event, values) and not optional:
            raise PlanFailed

    def test(self, condition):
        """Whether a condition, a function of nothing, holds: for `if` and `while`."""
        self.step()
        return self.holds(condition)

    def fail(self):
        self.step()
        raise PlanFailed


def plain(value):
    """As JSON has it."""
    if isinstance(value, (bool, str)) or value is None:
        return value
    return raw(value)
