#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Agents that corridor new writes for designs drawn at random, in C and in Python, report what the interpreter of the design does:
the fingerprints of all their cases are equal.

new_agents.py CORRIDOR INCLUDE FIRST COUNT [FIRST COUNT]..."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import h5py

TYPES = ("int", "int", "float", "bool", "Hue", "string")


class Drawing:
    """A design under construction."""

    def __init__(self, rng):
        self.rng = rng
        self.fields = {f"F{i}": rng.choice(TYPES) for i in range(rng.randrange(1, 5))}
        self.events = {name: {f"{'class' if rng.random() < 0.1 else 'A'}{i}".replace("class0", "class"): rng.choice(TYPES)
                              for i in range(rng.randrange(0, 4))} for name in ("In", "Up", "Down")}
        if rng.random() < 0.5:
            self.events["In"]["Key"] = "int"
        self.content = {name: rng.choice(TYPES) for name in ("Much", "class", "F0")[:rng.randrange(1, 4)]}

    def named(self, names, kind):
        return [name for name, its in names.items() if its == kind]

    def whole(self, names, depth=0):
        rng, known = self.rng, self.named(names, "int")
        if depth > 2 or rng.random() < 0.4:
            if known and rng.random() < 0.7:
                return rng.choice(known)
            return str(rng.choice((0, 1, 2, 3, 7, 40, 2**62, 2**63 - 1)))
        a, b = self.whole(names, depth + 1), self.whole(names, depth + 1)
        return rng.choice((f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"({a} % {b})", f"(-{a})", f"abs({a})",
                           f"min({a}, {b})", f"max({a}, {b})", f"ceil_div({a}, {b})"))

    def real(self, names, depth=0):
        rng, known = self.rng, self.named(names, "float")
        if depth > 2 or rng.random() < 0.4:
            return rng.choice(known) if known and rng.random() < 0.7 else rng.choice(("0.5", "1e300", "3.0", "0.0"))
        a, b = self.real(names, depth + 1), rng.choice((self.real, self.whole))(names, depth + 1)
        return rng.choice((f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"(-{a})", f"abs({a})", f"min({a}, {b})"))

    def condition(self, names, depth=0):
        rng = self.rng
        if depth < 2 and rng.random() < 0.5:
            a, b = self.condition(names, depth + 1), self.condition(names, depth + 1)
            return rng.choice((f"({a} and {b})", f"({a} or {b})", f"(not ({a}))", f"({a} implies {b})"))
        truths, hues, texts = (self.named(names, kind) for kind in ("bool", "Hue", "string"))
        kinds = ["whole", "whole", "real"] + ["truth"] * bool(truths) + ["hue"] * bool(hues) + ["text"] * bool(texts)
        kind = rng.choice(kinds)
        sign = rng.choice(("<", "<=", "=", "!=", ">", ">="))
        if kind == "truth":
            return rng.choice(truths)
        if kind == "hue":
            return f"{rng.choice(hues)} {rng.choice(('=', '!='))} '{rng.choice(('red', 'dark blue'))}'"
        if kind == "text":
            return f"{rng.choice(texts)} {rng.choice(('=', '!='))} {rng.choice(('null', chr(39) + 'he said ' + chr(34) + 'no' + chr(34) + chr(39)))}"
        if kind == "real":
            return f"{self.real(names)} {sign} {self.real(names)}"
        chain = f" {rng.choice(('<', '<='))} {self.whole(names)}" if sign in ("<", "<=") and rng.random() < 0.2 else ""
        return f"{self.whole(names)} {sign} {self.whole(names)}{chain}"

    def value(self, names, kind):
        if kind == "int":
            return self.whole(names)
        if kind == "float":
            return self.real(names)
        if kind == "bool":
            return self.condition(names)
        known = self.named(names, kind)
        if known and self.rng.random() < 0.5:
            return self.rng.choice(known)
        return "'red'" if kind == "Hue" else self.rng.choice(("null", "'it''s'"))

    def body(self, names, event, depth=0):
        rng, made = self.rng, []
        for _ in range(rng.randrange(0, 4)):
            kind = rng.randrange(8)
            if kind == 0:
                said = {name: self.value(names, its) for name, its in self.content.items()}
                made.append({"send": "Said", "args": said} if rng.random() < 0.5 else {"send": "Told"})
            elif kind == 1:
                made.append({"do": "Act"})
            elif kind in (2, 3):
                field = rng.choice(list(self.fields))
                made.append({"set": f"store.{field}", "to": self.value(names, self.fields[field])})
            elif kind == 4:
                target = rng.choice([name for name in self.events if name != "In"])
                post = {"post": target, "args": {name: self.value(names, its) for name, its in self.events[target].items()}}
                if rng.random() < 0.5:
                    post["optional"] = True
                made.append(post)
            elif kind == 5 and depth < 2:
                branch = {"if": self.condition(names), "then": self.body(names, event, depth + 1)}
                if rng.random() < 0.5:
                    branch["else"] = self.body(names, event, depth + 1)
                made.append(branch)
            elif kind == 6 and depth < 2 and rng.random() < 0.4:
                made.append({"while": self.condition(names), "body": self.body(names, event, depth + 1)})
            elif kind == 7 and rng.random() < 0.3:
                made.append({"fail": True})
        return made

    def plan(self, name, event):
        names = {**{field: kind for field, kind in self.fields.items()}, **self.events[event]}
        made = {"name": name, "trigger": event, "posts": [e for e in self.events if e != "In"], "sends": ["Told", "Said"], "does": ["Act"],
                "writes": ["store"], "body": self.body(names, event) or [{"do": "Act"}]}
        if self.rng.random() < 0.8:
            made["context"] = self.condition(names)
        return made

    def design(self):
        fields = {**({"Key": "int"} if "Key" in self.events["In"] else {}), **self.fields}
        rules = []
        if self.rng.random() < 0.5:
            self.events["Low"] = {name: kind for name, kind in self.fields.items() if self.rng.random() < 0.5}
            rules = [{"on": "update", "when": self.condition(self.fields), "event": "Low"}]
        plans = [self.plan(f"{event} {i}" if self.rng.random() < 0.2 else f"{event}{i}", event)
                 for event in ("In", "Up", "Down") for i in range(self.rng.randrange(1, 3))]
        return {"format": "agent-unit/1", "agent": self.rng.choice(("Drawn", "x */ int evil; /* \"\"\" + y \\")), "types": {"Hue": ["red", "dark blue"]}, "entry": ["In"],
                "beliefs": [{"name": "store", "key": ["Key"] if "Key" in fields else [], "fields": fields, "posts": rules}],
                "events": [{"name": name, "kind": "message_in" if name == "In" else "belief" if name == "Low" else "internal",
                            "params": [{"name": each, "type": kind} for each, kind in of.items()]} for name, of in self.events.items()],
                "messages_out": [{"name": "Told"}, {"name": "Said", "params": [{"name": each, "type": kind} for each, kind in self.content.items()]}],
                "actions": [{"name": "Act"}], "plans": plans,
                "test": {"seed": self.rng.randrange(1 << 30), "cycle_limit": 3, "step_limit": 60, "exhaustive_limit": 40}}


def call(folder, *words):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stdout, done.stderr)


def main(corridor, include, first, count):
    compiler, cases = os.environ.get("CC", "cc"), 0
    for seed in range(first, first + count):
        made = Drawing(random.Random(seed)).design()
        with tempfile.TemporaryDirectory(prefix="corridor-new-agent-") as name:
            folder = pathlib.Path(os.environ.get("KEEP", name))
            (folder / "d.json").write_text(json.dumps(made))
            call(folder, corridor, "new", "agent", "d.json", "in_c")
            call(folder, corridor, "new", "agent", "d.json", "in_python", "--lang", "python")
            call(folder, compiler, "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden",
                 "-ffp-contract=off", "-I", include, "in_c/in_c.c", "-o", "in_c/in_c.so", "-lm")
            arms = [{"name": "design"}, {"name": "c", "module": "in_c/in_c.so"}, {"name": "python", "program": "python3 in_python/in_python.py"}]
            (folder / "e.json").write_text(json.dumps({"name": "new", "design": "d.json", "arms": arms}))
            call(folder, corridor, "run", "e.json", "-o", "r.h5", "--progress", "none", "-j", "1")
            with h5py.File(folder / "r.h5") as file:
                arm, found = file["trials/arm"][:], file["trials/trace_hash"][:]
            design, c, python = (found[arm == code].tolist() for code in sorted(set(arm.tolist())))
            assert len(design) == len(c) == len(python) > 0, seed
            for case, traces in enumerate(zip(design, c, python)):
                assert len(set(traces)) == 1, f"seed {seed}, case {case}: {traces} {json.dumps(made)}"
            cases += len(design)
    print(f"{count} designs, {cases} cases: all reports equal")


if __name__ == "__main__":
    for at in range(3, len(sys.argv), 2):
        main(sys.argv[1], sys.argv[2], int(sys.argv[at]), int(sys.argv[at + 1]))
