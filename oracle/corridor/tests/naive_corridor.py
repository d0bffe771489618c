#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Corridors at random over structures at random, broken ones included, judged by the program and by an evaluator that shares nothing
with it: a parser by recursive descent, elements as tuples, None for unknown, every element looked at. The states of a file are a trace:
formulas over it are judged by their definition (naive_temporal.py).

usage: naive_corridor.py CORRIDOR_BINARY PAIRS
"""
import fractions
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "temporal" / "tests"))
import naive_temporal  # noqa: E402

KINDS = ("partitioning", "covering", "overlapping", "hierarchy", "tree")
HEAD = """attribute x: real -9 .. 9
attribute n: integer -9 .. 9   -- a count of something
attribute kind: words crane, truck, 'fork lift'
attribute ready: boolean
attribute demand of organizations: real -9 .. 9
attribute rank of organizations: integer -9 .. 9
parameter p, q
parameter k: integer -5 .. 5
parameter mode: words day, night
parameter on: boolean
define ready_ones(o): count(z in o.members where z.ready)
define total(o, f): sum(z in o.members: z.x * f)
define twice(v): v + v
define both(v, w): v and not w
define level_of(o): twice(ready_ones(o)) - k
"""
DEFINITIONS = {name: (parameters.replace(" ", "").split(","), text)
               for name, parameters, text in re.findall(r"^define (\w+)\(([^)]*)\): (.*)$", HEAD, re.M)}

# ---------------------------------------------------------------------------------------------------- a parser of its own
TOKEN = re.compile(r"\s*(?:(--[^\n]*)|(\d+\.\d+|\d+)|('(?:[^']|'')*')|([A-Za-z_]\w*(?:@before)?)|(<=|>=|==|!=|&&|\|\||[-+*/%<>=!(),:.]))")


def tokens(text):
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        comment, number, word, name, sign = match.groups()
        if number:
            found.append(("number", float(number) if "." in number else int(number)))
        elif word:
            found.append(("word", word[1:-1].replace("''", "'")))
        elif name or sign:
            found.append(("sign" if sign or name in ("and", "or", "xor", "not", "implies", "in", "where") else "name", name or sign))
        at = match.end()
    return found + [("end", None)]


class Parser:
    def __init__(self, text):
        self.tokens = tokens(text)

    def peek(self, *signs):
        return self.tokens[0][0] == "sign" and self.tokens[0][1] in signs

    def take(self, *signs):
        return self.tokens.pop(0)[1] if self.peek(*signs) else None

    def need(self, sign):
        assert self.take(sign), (sign, self.tokens[:3])

    def implies(self):
        left = self.disjunction()
        return ("or", ("not", left), self.implies()) if self.take("implies") else left

    def disjunction(self):
        left = self.conjunction()
        while self.peek("or", "||", "xor"):
            left = ("xor" if self.take("or", "||", "xor") == "xor" else "or", left, self.conjunction())
        return left

    def conjunction(self):
        left = self.negation()
        while self.take("and", "&&"):
            left = ("and", left, self.negation())
        return left

    def negation(self):
        return ("not", self.negation()) if self.take("not", "!") else self.comparison()

    def among(self, left):
        self.need("in")
        if not self.take("("):
            return ("in", left, self.path())
        others = [self.sum()]
        while self.take(","):
            others.append(self.sum())
        self.need(")")
        made = ("compare", "==", left, others[0])
        for other in others[1:]:
            made = ("or", made, ("compare", "==", left, other))
        return made

    def comparison(self):
        left, links = self.sum(), []
        if self.tokens[:2] == [("sign", "not"), ("sign", "in")]:
            self.take("not")
            return ("not", self.among(left))
        while self.peek("<", "<=", "=", "==", "!=", ">", ">=", "in"):
            if self.peek("in"):
                return self.among(left)
            sign = self.take("<", "<=", "=", "==", "!=", ">", ">=")
            right = self.sum()
            links.append(("compare", {"=": "=="}.get(sign, sign), left, right))
            left = right
        made = links[0] if links else left
        for link in links[1:]:
            made = ("and", made, link)
        return made

    def sum(self):
        left = self.product()
        while self.peek("+", "-"):
            left = ("reckon", self.take("+", "-"), left, self.product())
        return left

    def product(self):
        left = self.unary()
        while self.peek("*", "/", "%"):
            left = ("reckon", self.take("*", "/", "%"), left, self.unary())
        return left

    def unary(self):
        return ("reckon", "-", ("constant", 0), self.unary(), "negate") if self.take("-") else self.operand()

    def path(self):
        made = [self.tokens.pop(0)[1]]
        while self.take("."):
            made.append(self.tokens.pop(0)[1])
        return ("path", made)

    def operand(self):
        if self.take("("):
            inner = self.implies()
            self.need(")")
            return inner
        kind, value = self.tokens[0]
        if kind in ("number", "word"):
            self.tokens.pop(0)
            return ("constant", value)
        assert kind == "name", self.tokens[:3]
        if value in ("true", "false"):
            self.tokens.pop(0)
            return ("constant", value == "true")
        if self.tokens[1] != ("sign", "("):
            return self.path()
        self.tokens = self.tokens[2:]
        if self.tokens[1] == ("sign", "in") and value not in DEFINITIONS:
            name, collection = self.tokens[0][1], None
            self.tokens = self.tokens[2:]
            collection = self.path()
            where = self.implies() if self.take("where") else None
            body = self.implies() if self.take(":") else None
            self.need(")")
            return ("query", value, name, collection, where, body)
        arguments = [self.implies()]
        while self.take(","):
            arguments.append(self.implies())
        self.need(")")
        return ("call", value, arguments)


def parse(text):
    parser = Parser(text)
    made = parser.implies()
    assert parser.tokens == [("end", None)], parser.tokens
    return made


# ---------------------------------------------------------------------------------------------------- an evaluator of its own
def bounded(value):
    """A number that is one: an integer of 64 bits, a finite real."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -2**63 <= value < 2**63 else None
    return value if math.isfinite(value) else None


def as_said(number):
    """A number as what it is: a real as the decimal number that was written."""
    return fractions.Fraction(repr(number)) if isinstance(number, float) else number


def reckoned(natures):
    """What is reckoned from such numbers."""
    return "whole" if natures == {"whole"} else "fraction" if natures <= {"whole", "fraction"} else "rounded"


def kleene_and(values):
    values = list(values)
    return False if False in values else None if None in values else True


def kleene_not(value):
    return None if value is None else not value


class World:
    def __init__(self, state, before=None):
        self.before, self.has_edge = before and World(before), False
        self.of_organizations = state.get("organization_attributes", {})
        self.agents, self.lists = state["agents"], state["organizations"]
        self.parents = state.get("parents", [None] * len(self.lists))
        self.parameters = state["parameters"]

    def there(self, element):
        return element is not None and element[1] < len(self.agents if element[0] == "agent" else self.lists)

    def level(self, o):
        passed = set()
        while self.parents[o] is not None:
            if o in passed or self.parents[o] >= len(self.lists):
                return None
            passed.add(o)
            o = self.parents[o]
        return len(passed)

    def step(self, element, name):
        """A value, a list of elements, or None: unknown."""
        if name.endswith("@before"):
            return self.before.step(element, name.removesuffix("@before")) if self.before else None
        if not self.there(element):
            return None
        kind, index = element
        if kind == "agent":
            if name == "organizations":
                return [("organization", o) for o, members in enumerate(self.lists) if index in members]
            value = self.agents[index].get(name)
            return float(value) if value is not None and name in ("x", "value") else value
        if name == "members":
            return [("agent", a) for a in self.lists[index]]
        if name == "children":
            return [("organization", o) for o, parent in enumerate(self.parents) if parent == index]
        if name == "parent":
            parent = ("organization", self.parents[index]) if self.parents[index] is not None else None
            return parent if self.there(parent) else None
        if name in ("demand", "rank"):
            value = self.of_organizations.get(name, [None] * len(self.lists))[index]
            return float(value) if value is not None and name == "demand" else value
        return {"level": self.level(index), "is_root": self.parents[index] is None}[name]

    def path(self, names, bound):
        if names[0] in bound:
            value = bound[names[0]]
            for name in names[1:]:
                value = self.step(value, name)
            return value
        if names == ["agents"]:
            return [("agent", a) for a in range(len(self.agents))]
        if names == ["organizations"]:
            return [("organization", o) for o in range(len(self.lists))]
        value = self.parameters.get(names[0])
        return float(value) if value is not None and names[0] in "pq" else value

    def reckon(self, sign, a, b):
        if a is None or b is None:
            return None
        is_real = any(isinstance(side, (float, fractions.Fraction)) for side in (a, b))
        if isinstance(a, float) or isinstance(b, float):
            a, b = float(a), float(b)
        elif is_real:
            a, b = fractions.Fraction(a), fractions.Fraction(b)
        if sign in "/%" and b == 0:
            return None
        try:
            value = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b if is_real else a // b,
                     "%": lambda: a % b}[sign]()
        except OverflowError:
            return None
        return bounded(value)

    def compare(self, sign, a, b, is_rounded):
        if a is None or b is None:
            return None
        if is_rounded:
            a, b = float(a), float(b)
        elif not isinstance(a, tuple):
            a, b = as_said(a), as_said(b)
        if self.has_edge and is_rounded and abs(a - b) <= 1e-9:
            return None
        return {"<": lambda: a < b, "<=": lambda: a <= b, "==": lambda: a == b, "!=": lambda: a != b, ">": lambda: a > b,
                ">=": lambda: a >= b}[sign]()

    def query(self, word, name, collection, where, body, bound):
        elements = self.value(collection, bound)
        if elements is None:
            return None
        seen = [(True if where is None else self.value(where, {**bound, name: e}), None if body is None else self.value(body, {**bound, name: e}))
                for e in elements]
        if word == "all":
            return kleene_and(kleene_not(kleene_and((f, kleene_not(b)))) for f, b in seen)
        if word == "any":
            return kleene_not(kleene_and(kleene_not(kleene_and((f, b))) for f, b in seen))
        if word == "one":
            both = [kleene_and((f, b)) for f, b in seen]
            return False if both.count(True) > 1 else None if None in both else both.count(True) == 1
        if any(f is None for f, b in seen):
            return None
        values = [b for f, b in seen if f]
        if word == "count":
            return len(values)
        if None in values or (not values and word != "sum"):
            return None
        if word == "sum" or word == "mean":
            total = values[0] if values else 0
            for value in values[1:]:
                total = None if total is None else bounded(total + value)
            return total if word == "sum" or total is None else total / len(values) if isinstance(total, float) else fractions.Fraction(total) / len(values)
        return (min if word == "min" else max)(values, key=as_said)

    def nature(self, node, bound):
        """What a node gives, whatever the values are: a whole number, a real that was read, a fraction of whole numbers, one of both,
        or a real that was rounded; of what is no number nothing is meant."""
        kind, *rest = node
        if kind == "constant":
            return "read" if isinstance(rest[0], float) else "whole"
        if kind == "path":
            name = rest[0][-1].removesuffix("@before")
            return bound.get("#" + name, "whole") if len(rest[0]) == 1 and name in bound else "read" if name in ("x", "value", "demand", "p", "q") else "whole"
        if kind == "reckon":
            natures = {self.nature(side, bound) for side in rest[1:3]}
            return self.nature(rest[2], bound) if rest[3:] == ["negate"] else reckoned(natures)
        if kind == "query":
            word, name, _, _, body = rest
            if word in ("sum", "mean", "min", "max"):
                nature = self.nature(body, {**bound, name: None})
                return nature if word in ("min", "max") else reckoned({nature, "fraction"} if word == "mean" else {nature})
            return "whole"
        if kind == "call" and rest[0] in DEFINITIONS:
            parameters, text = DEFINITIONS[rest[0]]
            return self.nature(parse(text), self.arguments(parameters, rest[1], bound, [None] * len(parameters)))
        if kind == "call" and rest[0] in ("min", "max", "abs"):
            natures = {self.nature(side, bound) for side in rest[1]}
            return natures.pop() if len(natures) == 1 else "rounded" if "rounded" in natures else reckoned(natures) if natures <= {"whole", "fraction"} else "chosen"
        return "whole"

    def arguments(self, parameters, nodes, bound, values):
        return {**dict(zip(parameters, values)), **{"#" + p: self.nature(a, bound) for p, a in zip(parameters, nodes)}}

    def call(self, word, arguments, bound):
        if word in DEFINITIONS:
            parameters, text = DEFINITIONS[word]
            return self.value(parse(text), self.arguments(parameters, arguments, bound, [self.value(a, bound) for a in arguments]))
        values = [self.value(a, bound) for a in arguments]
        if word == "count":
            return None if values[0] is None else len(values[0])
        if None in values:
            return None
        if word == "abs":
            return bounded(abs(values[0]))
        if word == "ceil_div":
            return None if values[1] == 0 else bounded(-(-values[0] // values[1]))
        for kind in (float, fractions.Fraction):
            if any(isinstance(v, kind) for v in values):
                values = [kind(v) if isinstance(v, int) else v for v in values]
        return (min if word == "min" else max)(values, key=as_said)

    def value(self, node, bound):
        kind, *rest = node
        if kind == "constant":
            return rest[0]
        if kind == "path":
            return self.path(rest[0], bound)
        if kind == "not":
            return kleene_not(self.value(rest[0], bound))
        if kind == "and":
            return kleene_and((self.value(rest[0], bound), self.value(rest[1], bound)))
        if kind == "or":
            return kleene_not(kleene_and(kleene_not(self.value(side, bound)) for side in rest))
        if kind == "xor":
            one, other = (self.value(side, bound) for side in rest)
            return None if one is None or other is None else one != other
        if kind == "compare":
            return self.compare(rest[0], self.value(rest[1], bound), self.value(rest[2], bound),
                                self.has_edge and "rounded" in [self.nature(side, bound) for side in rest[1:]])
        if kind == "reckon":
            return self.reckon(rest[0], self.value(rest[1], bound), self.value(rest[2], bound))
        if kind == "in":
            element, collection = self.value(rest[0], bound), self.value(rest[1], bound)
            return None if element is None or collection is None else element in collection
        if kind == "query":
            return self.query(*rest, bound)
        return self.call(*rest, bound)

    def verdict(self, node):
        """A word: at the edge where it is not known whether a comparison of what was reckoned holds."""
        value = self.value(node, {})
        self.has_edge = True
        at_edge = self.value(node, {})
        self.has_edge = False
        return "edge" if value is not None and at_edge is None else WORDS[value]


def kind_violations(kind, state):
    """(check, agent, organization), organizations of those about agents as the program says them."""
    n, lists, found = len(state["agents"]), state["organizations"], []
    parents = state.get("parents", [None] * len(lists))
    nests, cycles = kind in ("hierarchy", "tree"), set()
    for o, members in enumerate(lists):
        if not members and o not in parents:
            found.append(("partition_empty", None, o))
        found += [("agent_unknown", a, o) for a in members if a >= n]
    for a in range(n):
        homes = [o for o, members in enumerate(lists) for m in members if m == a]
        twice = [o for o in homes if homes.count(o) > 1]
        if not homes and kind != "overlapping":
            found.append(("agent_missing", a, None))
        elif len(homes) > 1 and (nests or kind == "partitioning"):
            found.append(("agent_repeated", a, homes[-1]))
        elif twice:
            found.append(("agent_repeated", a, twice[-1]))
    if not nests:
        return found
    for o in range(len(lists)):
        if parents[o] is not None and parents[o] >= len(lists):
            found.append(("parent_unknown", None, o))
        way, at = [], o
        while at is not None and at < len(lists) and at not in way:
            way.append(at)
            at = parents[at]
        if at == o:
            cycles.add(min(way))
    found += [("parent_cycle", None, o) for o in cycles]
    if kind == "tree" and parents.count(None) > 1:
        found.append(("several_roots", None, None))
    return found


# ---------------------------------------------------------------------------------------------------- texts at random
class Writer:
    def __init__(self, rng, nests, is_wide=False):
        """is_wide: with the state before, and attributes of organizations."""
        self.rng, self.nests, self.names, self.is_wide = rng, nests, 0, is_wide

    def element(self, kind, bound):
        return self.rng.choice([name for name, k in bound if k == kind] or [None])

    def collection(self, bound):
        choices = [("agents", "agent"), ("organizations", "organization"), ("organizations", "organization")]
        for name, kind in bound:
            choices += 2 * ([(f"{name}.organizations", "organization")] if kind == "agent" else [(f"{name}.members", "agent")])
            if kind == "organization" and self.nests:
                choices += [(f"{name}.children", "organization"), (f"{name}.parent.members", "agent")]
        return self.rng.choice(choices)

    def query(self, word, depth, bound, body):
        collection, kind = self.collection(bound)
        self.names += 1
        name = f"{kind[0]}{self.names}"
        inner = bound + [(name, kind)]
        where = f" where {self.condition(depth - 1, inner)}" if self.rng.random() < 0.3 else ""
        return f"{word}({name} in {collection}{where}{': ' + body(depth - 1, inner) if body else ''})"

    def before(self, path):
        return path + ("@before" if self.is_wide and path and self.rng.random() < 0.15 else "")

    def number(self, depth, bound, integer=False):
        rng, agent, organization = self.rng, self.element("agent", bound), self.element("organization", bound)
        leaves = ["k", str(rng.randint(0, 4))] + ([] if integer else ["p", "q", f"{rng.random():.2f}"])
        leaves += 3 * ([self.before(f"{agent}.n")] + ([] if integer else [self.before(f"{agent}.x"), f"{agent}.value"])) if agent else []
        leaves += 2 * [f"count({organization}.members)", f"ready_ones({organization})", f"level_of({organization})"] if organization else []
        leaves += [self.before(f"{organization}.rank")] + ([] if integer else [self.before(f"{organization}.demand")]) if organization and self.is_wide else []
        leaves += 2 * [self.before(f"{organization}.level"), f"{organization}.parent.level"] if organization and self.nests else []
        leaves += ["count(organizations)"]
        if depth <= 0 or rng.random() < 0.25:
            return rng.choice(leaves)
        inner = lambda d=depth - 1: self.number(d, bound, integer)
        choice = rng.randrange(9)
        if choice < 4 and len(bound) < 3:
            word = rng.choice(("sum", "min", "max", "count", "count") + (() if integer else ("mean", "mean")))
            return self.query(word, depth, bound, None if word == "count" else lambda d, b: self.number(d, b, integer))
        if choice == 4 and organization and not integer:
            return f"total({organization}, {inner()})"
        if choice == 5:
            return f"{rng.choice(('min', 'max'))}({inner()}, {inner()})" if rng.random() < 0.6 else f"abs({inner()})"
        if choice == 6 and integer:
            return rng.choice((f"ceil_div({inner()}, {inner()})", f"({inner()}) % ({inner()})"))
        return rng.choice((f"({inner()} {rng.choice('+-*/')} {inner()})", f"(-{inner()})", f"twice({inner()})"))

    def condition(self, depth, bound):
        rng, agent, organization = self.rng, self.element("agent", bound), self.element("organization", bound)
        other = self.element("agent", [b for b in bound if b[0] != agent])
        leaves = ["on", "mode = 'day'", "mode != 'night'", "true"]
        if agent:
            leaves += 2 * [self.before(f"{agent}.ready"), f"{self.before(agent + '.kind')} == '{rng.choice(('crane', 'truck', 'fork lift'))}'", f"{agent}.type != 'w'"]
            leaves += 2 * [f"{agent} in agents"] + ([f"{agent} in {organization}.members", f"{organization} in {agent}.organizations"] if organization else [])
            leaves += [f"{agent}.kind in ('truck', 'crane')"]
            leaves += 2 * [f"{agent} = {other}", f"{agent}.kind = {other}.kind", f"{agent}.ready = {other}.ready"] if other else []
        leaves += 2 * [self.before(f"{organization}.is_root"), f"{organization}.parent.is_root"] if organization and self.nests else []
        choice = rng.randrange(10)
        if depth <= 0:
            return rng.choice(leaves)
        if choice < 4 and len(bound) < 3:
            return self.query(rng.choice(("all", "any", "all", "any", "one")), depth, bound, self.condition)
        inner = lambda: self.condition(depth - 1, bound)
        if choice < 7:
            integer = rng.random() < 0.4
            number = lambda: self.number(depth - 1, bound, integer)
            signs = [rng.choice(("<", "<=", "=", "==", "!=", ">", ">=")) for _ in range(2 if rng.random() < 0.2 else 1)]
            if rng.random() < 0.1:
                return f"{number()} {rng.choice(('in', 'not in'))} ({', '.join(number() for _ in range(rng.randint(1, 3)))})"
            return number() + "".join(f" {sign} {number()}" for sign in signs)
        return rng.choice((f"({inner()} {rng.choice(('and', 'or', 'xor', 'implies', '&&', '||'))} {inner()})", f"not ({inner()})",
                           f"both({inner()}, {inner()})"))


def random_state(rng, kind):
    n, blocks = rng.randint(0, 6), rng.randint(0, 4)
    some = lambda value: {} if rng.random() < 0.12 else value
    agents = [{**some({"x": rng.choice((round(rng.uniform(-9, 9), 1), rng.randint(-2, 2)))}), **some({"n": rng.randint(-3, 5)}),
               **some({"kind": rng.choice(("crane", "truck", "fork lift"))}), **some({"ready": rng.random() < 0.5}),
               **some({"type": rng.choice("vw")}), **some({"value": rng.random()}), **({"unheard": 1} if rng.random() < 0.1 else {})}
              for _ in range(n)]
    lists = [[] for _ in range(blocks)]
    for a in range(n):
        for o in rng.sample(range(blocks), min(blocks, rng.choice((1, 1, 1, 1, 2)) if kind in ("covering", "overlapping") else 1)):
            lists[o].append(a)
    for _ in range(rng.choice((0, 0, 0, 1, 2)) if blocks else 0):  # broken
        o = rng.randrange(blocks)
        lists[o] = rng.choice((lists[o] + [rng.randint(0, n + 1)], lists[o][1:], lists[o] + lists[o][:1], []))
    state = {"agents": agents, "organizations": lists,
             "parameters": {**some({"p": round(rng.uniform(-2, 4), 1)}), **some({"q": rng.randint(-2, 4)}), **some({"k": rng.randint(-2, 4)}),
                            **some({"mode": rng.choice(("day", "night"))}), **some({"on": rng.random() < 0.5})}}
    if rng.random() < 0.5:
        state["kind"] = kind
    state.update(some({"organization_attributes": {**some({"demand": [rng.choice((None, rng.randint(-2, 4), 0.1)) for _ in lists]}),
                                                   **some({"rank": [rng.choice((None, 0, 1, 2, 3)) for _ in lists]})}}))
    if kind in ("hierarchy", "tree"):
        state["parents"] = [rng.choice([None, rng.randrange(o)] if o and kind == "hierarchy" else [rng.randrange(o)]) if o else None
                            for o in range(blocks)]
        if blocks and rng.random() < 0.3:
            state["parents"][rng.randrange(blocks)] = rng.choice((None, blocks, rng.randrange(blocks), rng.randrange(blocks)))
    return state


# ---------------------------------------------------------------------------------------------------- both, compared
WORDS = {True: "holds", False: "violated", None: "unknown"}


def hold_violations(about, node, world, said):
    """Of "all" at the top: what it is violated for is what was found, whoever it is that rounding alone decides of (at the edge) left out."""
    if node[0] != "query" or node[1] != "all" or said["violation_count"] > len(said["violations"]):
        return
    _, _, name, collection, where, body = node
    world.has_edge = True
    bad = {e[1] for e in world.value(collection, {})
           if (where is None or world.value(where, {name: e})) and world.value(body, {name: e}) is False}
    world.has_edge = False
    found = {violation["bindings"][name] for violation in said["violations"]}
    assert found == bad, (about, found, bad)


TRUTHS = {"violated": naive_temporal.VIOLATED, "holds": naive_temporal.HOLDS, "unknown": naive_temporal.UNKNOWN, "edge": naive_temporal.UNKNOWN}


def alarm_of(passed, patience):
    """Whether an alarm is due, by the verdicts of each constraint so far: of those with a patience so many on end were violated."""
    alarm = naive_temporal.VIOLATED
    for name, cases in patience.items():
        last = [TRUTHS[word] for word in passed[name][-cases:]]
        if len(last) == cases:
            alarm = max(alarm, min(naive_temporal.HOLDS - value for value in last))
    return alarm


def hold_formulas(seed, formulas, trace, said):
    """The verdict of each formula by its definition; one that was fixed with a state is what it was then, and from then on."""
    assert len(said) == len(formulas), (seed, said)
    for (text, formula), row in zip(formulas, said):
        value = naive_temporal.evaluate(formula, trace)
        word = {v: w for w, v in TRUTHS.items() if w != "edge"}[value]
        assert row["formula"] == text and row["verdict"] == word, (seed, text, trace, row, word)
        if row["decided_at"] is not None:
            assert row["decided_at"] < len(trace), (seed, text, row)
            for end in range(row["decided_at"] + 1, len(trace) + 1):
                assert naive_temporal.evaluate(formula, trace[:end]) == value, (seed, text, trace, row)
    return [row["verdict"] for row in said]


def hold_objective(about, node, world, said):
    """The number of the state, null where it is unknown; where rounding decides what is counted either may be."""
    value = world.value(node, {})
    world.has_edge = True
    at_edge = world.value(node, {})
    world.has_edge = False
    assert said["name"] == "aim", (about, said)
    if value != at_edge:
        return
    assert (value is None) == (said["value"] is None), (about, said, value)
    assert value is None or math.isclose(value, said["value"], rel_tol=1e-9, abs_tol=1e-9), (about, said, value)


def parts_of(node):
    """The nodes that stand directly within it."""
    return [part for one in node for part in (one if isinstance(one, list) else [one]) if isinstance(part, tuple)]


def of_constants(node):
    """Whether it is reckoned of constants alone."""
    return node[0] == "constant" or node[0] in ("reckon", "call", "compare") and all(map(of_constants, parts_of(node)))


def is_sure(node):
    """No comparison of constants alone is decided by rounding: such a text is refused."""
    if node[0] == "compare" and of_constants(node):
        return World({"agents": [], "organizations": [], "parameters": {}}).verdict(node) != "edge"
    return all(map(is_sure, parts_of(node)))


def draw_sure(writer):
    while True:
        text = writer.condition(3, [])
        if is_sure(parse(text)):
            return text


def compare(binary, folder, rng, seed, constraints, states):
    kind = KINDS[seed % len(KINDS)]
    writer = Writer(rng, kind in ("hierarchy", "tree"), is_wide=True)
    texts = [draw_sure(writer) for _ in range(constraints)]
    made = [random_state(rng, kind) for _ in range(states)]
    words = [rng.choice(("invariant", "trigger")) for _ in texts]
    lines = [f"{word} c{i}: {text}" for i, (word, text) in enumerate(zip(words, texts))]
    patience = {f"c{i}": 1 for i, word in enumerate(words) if word == "trigger"}
    for name in rng.sample([f"c{i}" for i in range(constraints)], 1):
        patience[name] = rng.randint(1, 3)
        lines.append(f"trigger {name} for {patience[name]}")
    aim = Writer(random.Random(f"objective {seed}"), kind in ("hierarchy", "tree"), is_wide=True).number(3, [])
    lines.append(f"objective aim: {aim}")
    formulas = []
    for i in range(2):
        formula = naive_temporal.draw(rng, rng.randint(1, 7), 3)
        names = {"p": "alarm", "q": "inside", "r": f"c{i}"}
        formulas.append((re.sub(r"\b[pqr]\b", lambda m: names[m[0]], naive_temporal.text(rng, formula)), formula))
        lines.append(f"temporal f{i}: {formulas[i][0]}")
    (folder / "it.corridor").write_text(f"-- seed {seed}\nstructure {kind}\n{HEAD}" + "\n".join(lines).replace(" and ", " and  -- go on\n   ") + "\n")
    written = "\n".join(map(json.dumps, made)) if seed % 3 == 0 else json.dumps(made)
    (folder / "states.json").write_text(written)
    done = subprocess.run([binary, "judge", folder / "it.corridor", folder / "states.json", "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1, 7), (seed, done.returncode, done.stderr)
    document = json.loads(done.stdout)
    answer, verdicts, trace = document["states"], set(), [[] for _ in formulas]
    passed = {f"c{i}": [] for i in range(constraints)}
    assert len(answer) == states, (seed, len(answer))
    tally = {word: 0 for word in TRUTHS}
    parsed = [parse(text) for text in texts]
    for s, (state, said) in enumerate(zip(made, answer)):
        world, about = World(state, made[s - 1] if s else None), f"seed {seed}, {kind}, state {s}: {json.dumps(state)}"
        expected = kind_violations(kind, state)
        found = [(v["check"], v["bindings"].get("agent"), v["bindings"].get("organization")) for v in said["violations"]]
        assert said["kind"] == WORDS[not expected] and said["violation_count"] == len(expected), (about, found, expected)
        assert all(violation in expected for violation in found) and (len(found) < 4 or len(set(found)) > 1), (about, found, expected)
        hold_objective((about, aim), parse(aim), world, said["objective"])
        verdicts.add(said["kind"])
        for i, (text, node) in enumerate(zip(texts, parsed)):
            row, verdict = said["constraints"][i], world.verdict(node)
            assert row["name"] == f"c{i}" and row["verdict"] == verdict, (about, text, row, verdict)
            assert bool(row["violations"]) == (verdict == "violated"), (about, text, row)
            assert [word for word in ("unknown", "edge") if word in row] == [word for word in ("unknown", "edge") if word == verdict], (about, text, row)
            if verdict == "violated":
                hold_violations((about, text), node, world, row)
            tally[verdict] += 1
            verdicts.add(verdict)
            passed[row["name"]].append(verdict)
        inside = min(TRUTHS[word] for word in [said["kind"]] + [row["verdict"] for row in said["constraints"]])
        for i, one in enumerate(trace):
            one.append((alarm_of(passed, patience), inside, TRUTHS[passed[f"c{i}"][-1]]))
    for i, one in enumerate(trace):
        verdicts.update(hold_formulas(seed, formulas[i:i + 1], one, document["formulas"][i:i + 1]))
    code = 1 if "violated" in verdicts else 7 if verdicts & {"unknown", "edge"} else 0
    assert done.returncode == code, (seed, done.returncode, verdicts)
    return tally


def near_number(rng, depth, bound):
    """A number of whole ones: counts, integers up to 64 bits, sums, means, the least and the greatest; products and quotients of them."""
    inner = lambda: near_number(rng, depth - 1, bound)
    leaves = ["k", "w", str(rng.randint(0, 9)), "count(agents)"] + 3 * [f"{name}.n" for name, kind in bound if kind == "agent"]
    leaves += 2 * [f"count({name}.members)" for name, kind in bound if kind == "organization"]
    choice = rng.randrange(8) if depth > 0 else 7
    if choice < 4 and len(bound) < 2:
        kind, name = rng.choice(("agent", "organization")), f"e{len(bound)}"
        members = [f"{owner}.members" for owner, of in bound if of == "organization"] if kind == "agent" else []
        where = f" where {name}.n > 0" if kind == "agent" and rng.random() < 0.2 else ""
        body = near_number(rng, depth - 1, bound + [(name, kind)])
        return f"{rng.choice(('mean', 'mean', 'sum', 'min', 'max'))}({name} in {(members or [kind + 's'])[0]}{where}: {body})"
    if choice == 4:
        return rng.choice((f"{rng.choice(('min', 'max'))}({inner()}, {inner()})", f"abs({inner()})", f"(-{inner()})"))
    return f"({inner()} {rng.choice('+-*/')} {inner()})" if choice < 7 else rng.choice(leaves)


def hold_near(binary, folder, rounds):
    """Comparisons of numbers that are equal, or nearly so: reckoned from whole numbers all are decided, by what fractions say; with a real
    among them they are at the edge where they are near. Where a fraction takes more than 128 bits the verdict may be the edge."""
    total, far = {word: 0 for word in TRUTHS}, 0
    for seed in range(rounds):
        rng, is_wide, sides, reals = random.Random(f"near {seed}"), seed % 4 == 3, [], []
        high = 9 * 10**15 if is_wide else 9
        whole = lambda: rng.choice((rng.randint(-9, high), high - rng.randrange(3), rng.randint(0, 4)))
        made = []
        for _ in range(4):
            agents, blocks = rng.randint(1, 7), rng.randint(1, 3)
            lists = [[] for _ in range(blocks)]
            for a in range(agents):
                lists[rng.randrange(blocks)].append(a)
            made.append({"agents": [{"n": whole(), "x": rng.choice((0.1, 0.2, 0.3, 3, 0))} for _ in range(agents)], "organizations": [l for l in lists if l],
                         "parameters": {"k": whole(), "w": rng.randint(1, 5), "p": rng.choice((0.1, 0.25, 1.5, 3, 1 / 3, float(high)))}})
        while len(sides) < 60:
            text = near_number(rng, 3, [])
            value = World(made[rng.randrange(4)]).value(parse(text), {})
            value = fractions.Fraction(value) if value is not None else None
            if value is None or max(abs(value.numerator), value.denominator) >= 2**62:
                continue
            sign, off = rng.choice(("<", "<=", "=", "!=", ">", ">=")), rng.choice((0, 0, 0, 1, -1))
            part = f"mean(a in agents: {value.numerator + off}) / {value.denominator}".replace(": -", ": 0 - ")  # a fraction, where "/" would round down
            sides.append(rng.choice((f"{text} {sign} {part}", f"{part} {sign} {text}", f"({text}) - {part} {sign} 0", f"{text} {sign} p",
                                     f"({text}) + p {sign} {part} + p", f"({text}) * {value.denominator} {sign} {value.numerator + off}")))
        (folder / "it.corridor").write_text("structure partitioning\nattribute n: integer\nattribute x: real\nparameter k, w: integer\nparameter p\n"
                                            + "".join(f"invariant c{i}: {text}\n" for i, text in enumerate(sides)))
        (folder / "states.json").write_text(json.dumps(made))
        done = subprocess.run([binary, "judge", folder / "it.corridor", folder / "states.json", "--json"], capture_output=True, text=True)
        assert done.returncode in (0, 1, 7), (seed, done.stderr)
        for state, said in zip(made, json.loads(done.stdout)["states"]):
            world = World(state)
            for text, row in zip(sides, said["constraints"]):
                verdict = world.verdict(parse(text))
                far += row["verdict"] != verdict
                assert row["verdict"] == verdict or (is_wide and row["verdict"] == "edge" and verdict != "unknown"), (seed, text, state, row, verdict)
                total[verdict] += 1
    assert far <= sum(total.values()) / 100 and min(total[word] for word in ("holds", "violated", "edge")) > sum(total.values()) / 50, (total, far)
    return total


def hold_too_many(binary, folder):
    """Violations that are too many to look at are said to be perhaps more; constraints about time are judged; a file of lines may begin with a blank one."""
    count = 7000
    state = {"agents": [{"value": a % 7} for a in range(count)], "organizations": [[a] for a in range(count)]}
    (folder / "it.corridor").write_text("structure partitioning\ninvariant apart: all(a in agents: all(b in agents: a = b or a.value != b.value))\n"
                                        "temporal later: always apart\n")
    (folder / "states.json").write_text("\n".join(["", json.dumps(state), json.dumps({"agents": [], "organizations": []}), ""]))
    arguments = [binary, "judge", folder / "it.corridor", folder / "states.json"]
    said = json.loads(subprocess.run([*arguments, "--json"], capture_output=True, text=True).stdout)
    rows = [state["constraints"][0] for state in said["states"]]
    assert rows[0]["more_possible"] is True and rows[0]["violation_count"] < count * (count / 7 - 1), rows
    assert "more_possible" not in rows[1] and rows[1]["verdict"] == "holds", rows
    assert said["formulas"] == [{"name": "later", "formula": "always apart", "verdict": "violated", "decided_at": 0}], said["formulas"]
    text = subprocess.run(arguments, capture_output=True, text=True).stdout
    assert "later          violated  state 0\n" in text and text.endswith(" more at least: there was too much to look at\n"), text


def main():
    binary, pairs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    total = {}
    with tempfile.TemporaryDirectory() as name:
        seed = done = 0
        while done < pairs:
            constraints, states = (6, 5) if pairs <= 1000 else (10, 5)
            rng = random.Random(seed)
            for word, count in compare(binary, pathlib.Path(name), rng, seed, constraints, states).items():
                total[word] = total.get(word, 0) + count
            done += constraints * states
            seed += 1
        hold_too_many(binary, pathlib.Path(name))
        near = hold_near(binary, pathlib.Path(name), 16 if pairs <= 1000 else 400)
    assert min(total[word] for word in WORDS.values()) > done / 20, total
    print(f"{done} pairs of a text and a structure agree: {total}; of numbers that are near each other: {near}")


if __name__ == "__main__":
    main()
