#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Designs drawn at random, COUNT of each of two kinds: the unchanged agent is never accused. In the first contexts are relations that samples
miss, and each fault that is planted in a context is found. In the second plans of one event have priorities: contexts overlap, plans
are there for the rest, or for when others fail; events are posted in rings, aside, and after a belief was written. There all valid inputs are
executed here, by a second interpreter: what is said never to be is not, and of the mutants that some input tells apart from the original
99 of 100 are found.

drawn_designs.py CORRIDOR FIRST COUNT"""
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def relation(rng):
    """A relation of X and Y that has a solution on valid values."""
    x, y = rng.randrange(1, 200), rng.randrange(1, 200)
    kind = rng.randrange(7)
    if kind == 0:
        return f"X * Y = {x * y}"
    if kind == 1:
        a, b = rng.randrange(1, 6), rng.randrange(1, 6)
        return f"{a} * X + {b} * Y = {a * x + b * y} and X - Y = {x - y}"
    if kind == 2:
        m, n = rng.choice((7, 11, 17)), rng.choice((5, 13, 19))
        return f"X % {m} = {x % m} and Y % {n} = {y % n}"
    if kind == 3:
        return f"X + Y > {x + y - 1} and X + Y < {x + y + 1} and X - Y = {x - y}"
    if kind == 4:
        return f"max(X, Y) = {max(x, y)} and min(X, Y) = {min(x, y)}"
    if kind == 5:
        return f"abs(X - Y) = {abs(x - y)} and X + Y = {x + y} and Colour = 'red'"
    return f"X + N = {x + y} and X = {x} + Deep"


def design(rng):
    """Some events, each with a plan of a relation, and for some of them a second plan for the rest."""
    events, plans = [], []
    for e in range(rng.randrange(1, 4)):
        text = relation(rng)
        params = [{"name": name, "type": "int", "valid": [">= 0"]} for name in ("X", "Y")] + [{"name": "Colour", "type": "Hue"}]
        shared = rng.random() < 0.5
        events.append({"name": f"E{e}", "kind": "percept", "params": params, "coverage": "always" if shared else "sometimes", "overlap": "never"})
        if not shared:
            del events[-1]["overlap"]
        plans.append({"name": f"P{e}", "trigger": f"E{e}", "context": text, "does": ["Act"], "body": [{"do": "Act"}]})
        if shared:
            plans.append({"name": f"R{e}", "trigger": f"E{e}", "context": f"not ({text})", "sends": ["Told"], "body": [{"send": "Told"}]})
    return {"format": "agent-unit/1", "agent": "Drawn", "types": {"Hue": ["red", "blue"]}, "entry": [event["name"] for event in events],
            "beliefs": [{"name": "store", "key": [], "fields": {"N": "int", "Deep": "int"}, "posts": []}],
            "events": events, "messages_out": [{"name": "Told"}], "actions": [{"name": "Act"}], "plans": plans,
            "test": {"seed": rng.randrange(1 << 30)}}


def faults(made, rng):
    """Of each plan its context false, true, and off by one; its body without what it does."""
    planted = []
    for plan in made["plans"]:
        text = plan["context"]
        at = max(i for i, letter in enumerate(text) if letter.isdigit() and not text[:i].count("'") % 2)
        first = at
        while first > 0 and text[first - 1].isdigit():
            first -= 1
        off = text[:first] + str(int(text[first:at + 1]) + rng.choice((-1, 1))) + text[at + 1:]
        for name, change in (("never", {"context": "1 = 2"}), ("always", {"context": None}), ("off", {"context": off}), ("idle", {"body": []})):
            planted.append({"name": f"{name} {plan['name']}", "plans": {plan["name"]: change}})
    return {"version": 1, "faults": planted}


TOP, LEVELS = 12, 4  # X, Y and N are 0 to TOP, the field Level is 0 to LEVELS - 1


def atom(rng, names):
    a, b = rng.choice(names), rng.choice(names)
    c = rng.randrange(1, TOP)
    return rng.choice((lambda: f"{rng.randrange(2, 8)} * {a} {rng.choice(('>', '>=', '<', '<='))} {rng.randrange(5, 80)}",
                       lambda: f"{a} % {rng.randrange(2, 6)} = {rng.randrange(2)}", lambda: f"{a} {rng.choice(('>', '>=', '<', '<=', '!=', '='))} {c}",
                       lambda: f"{a} + {b} {rng.choice(('>', '<=', '='))} {rng.randrange(3, 2 * TOP)}",
                       lambda: f"{a} - {b} {rng.choice(('>', '<', '='))} {rng.randrange(-4, 5)}", lambda: f"{a} * {b} {rng.choice(('=', '>'))} {c * rng.randrange(1, 9)}",
                       lambda: f"abs({a} - {c}) {rng.choice(('<=', '>'))} {rng.randrange(5)}", lambda: f"max({a}, {c}) {rng.choice(('>', '='))} {c}",
                       lambda: f"{a} / {rng.randrange(2, 5)} {rng.choice(('=', '>='))} {rng.randrange(1, 4)}"))()


def condition(rng, names):
    first, second, third = (atom(rng, names) for _ in range(3))
    return rng.choice((first, first, f"{first} and {second}", f"{first} or {second}", f"{first} or {second} or {third}", f"not ({first})",
                       f"({first} or {second}) and {third}"))


COMPILED = {}


def value_of(text, scope):
    """Of an expression, by Python."""
    if text not in COMPILED:
        python = re.sub(r"(?<![<>!=])=(?!=)", "==", str(text)).replace("/", "//")
        COMPILED[text] = compile(python, "context", "eval")
    return eval(COMPILED[text], {"abs": abs, "max": max, "min": min, "__builtins__": {}}, scope)


class Endless(Exception):
    pass


class Run:
    """One case of an agent, as its design says; `trace` is all that it does."""

    def __init__(self, agent, event, args, level, rounds):
        self.agent, self.rounds, self.level = agent, rounds, level
        self.trace, self.open, self.aside, self.came_round = [], [], [(event, args)], set()
        while self.aside:
            self.handle(*self.aside.pop(0))

    def scope(self, args):
        return {**args, "Level": self.level}

    def handle(self, event, args):
        plans = [plan for plan in self.agent["plans"] if plan["trigger"] == event and not plan.get("absent")]
        holding = [plan for plan in plans if plan.get("context") is None or value_of(plan["context"], self.scope(args))]
        for plan in holding:
            self.trace.append(("start", plan["name"], tuple(args.values())))
            self.came_round |= {plan["name"]} & set(self.open)
            if self.open.count(plan["name"]) > self.rounds:
                raise Endless
            self.open.append(plan["name"])
            done = self.execute(plan["body"], args)
            self.open.pop()
            self.trace.append(("end", plan["name"], done))
            if done:
                return True
        return False

    def execute(self, body, args):
        for it in body:
            if "if" in it:
                if not self.execute(it["then"] if value_of(it["if"], self.scope(args)) else it.get("else", []), args):
                    return False
            elif "while" in it:
                raise Endless
            elif "fail" in it:
                return False
            elif "set" in it:
                self.level = value_of(it["to"], self.scope(args))
                self.trace.append(("set", self.level))
            elif "post" in it:
                given = {name: value_of(text, self.scope(args)) for name, text in it["args"].items()}
                self.trace.append(("post", it["post"], tuple(given.values())))
                if it.get("wait") is False:
                    self.aside.append((it["post"], given))
                elif not self.handle(it["post"], given) and not it.get("optional"):
                    return False
            else:
                self.trace.append(next(iter(it.items())))
        return True


def inputs(agent, event):
    """All valid ones of the event: its arguments, and the level where a plan of it lists that."""
    names = [p["name"] for p in event["params"]]
    lists = any("vars" in plan for plan in agent["plans"] if plan["trigger"] == event["name"])
    for values in itertools.product(range(TOP + 1), repeat=len(names)):
        for level in range(LEVELS) if lists else [0]:
            yield dict(zip(names, values)), level


def trace_of(agent, event, args, level):
    """None: it has no end."""
    try:
        return Run(agent, event, args, level, 2 * TOP + 5)
    except (Endless, RecursionError):
        return None


def truth(agent):
    """All runs on all valid inputs of each event, and what is ever seen."""
    traces, seen = [], set()
    for event in agent["events"]:
        for args, level in inputs(agent, event):
            run = trace_of(agent, event["name"], args, level)
            traces.append((event["name"], args, level, run and run.trace))
            if run is None:
                return None, None
            seen |= {("round", plan) for plan in run.came_round} | {what[:2] for what in run.trace}
    return traces, seen


def is_told_apart(mutant, traces):
    """By some input, in what it does until it ends."""
    for event, args, level, trace in traces:
        run = trace_of(mutant, event, args, level)
        if run is None or run.trace != trace:
            return True
    return False


def choices(rng):
    """A design of plans that compete for events; E comes from outside, J is posted and may go in a ring, K is posted aside."""
    while True:
        made, sound = draw_choices(rng), True
        for event in made["events"]:
            plans = [plan for plan in made["plans"] if plan["trigger"] == event["name"]]
            holding = [[plan.get("context") is None or value_of(plan["context"], {**args, "Level": level}) for plan in plans]
                       for args, level in inputs(made, event)]
            event["coverage"] = "always" if all(map(any, holding)) else "sometimes"
            event["overlap"] = "never" if all(sum(row) < 2 for row in holding) else "allowed"
            for plan, column in zip(plans, zip(*holding)):
                for it in plan["body"]:
                    ways = {value_of(it["if"], args) for (args, _), holds in zip(inputs(made, event), column) if holds} if "if" in it else (0, 1)
                    sound = sound and len(ways) == 2
            sound = sound and all(any(column) and (not all(column) or plan.get("context") is None) for plan, column in zip(plans, zip(*holding)))
        traces, seen = truth(made) if sound else (None, None)
        if traces and all(0 <= value <= TOP for *_, trace in traces for what in trace if what[0] == "post" for value in what[2]):
            return made, traces, seen


def draw_choices(rng):
    has_level, plans, posted = rng.random() < 0.4, [], set()
    params = {"E": rng.choice((["X"], ["X", "Y"])), "J": ["N"], "K": ["N"]}
    kind = rng.choice(("none", "post", "aside", "ring", "ring", "both"))
    targets = {"none": [], "post": ["J"], "aside": ["K"], "ring": ["J"], "both": ["J", "K"]}[kind]
    for event in ["E", *targets]:
        for p in range(rng.randrange(1, 5 if event == "E" else 4)):
            plan = {"name": f"{event}{p}", "trigger": event, "sends": [f"M{event}{p}"], "posts": [], "body": [{"send": f"M{event}{p}"}]}
            if rng.random() < 0.8 or p == 0:
                reads = params[event] + (["Level"] if has_level and rng.random() < 0.5 else [])
                plan["context"] = condition(rng, reads)
                if "Level" in plan["context"]:
                    plan["vars"] = [{"name": "Level", "belief": "store", "valid": [">= 0", f"<= {LEVELS - 1}"]}]
            if event == "E" and rng.random() < 0.3:
                plan["does"] = ["Act"]
                plan["body"].append({"if": condition(rng, params[event]), "then": [{"do": "Act"}]})
            if event != "K" and has_level and kind != "aside" and kind != "both" and rng.random() < 0.3:
                plan["writes"] = ["store"]
                plan["body"].append({"set": "store.Level", "to": rng.choice(("1", "Level + 1", "3"))})
            for target in targets if event == "E" else ["J"] if event == "J" and kind in ("ring", "both") and rng.random() < 0.7 else []:
                if rng.random() < 0.7 or event == "J":
                    given = rng.choice(("X", "X / 2", f"{TOP} - X")) if event == "E" else rng.choice(("N - 1", "N - 2", "N / 2", "N - 1"))
                    post = {"post": target, "args": {"N": given}}
                    if event == "J":
                        plan["context"] = f"N > {rng.randrange(1, 3)}" if rng.random() < 0.5 else f"N > 1 and ({plan.get('context', 'N > 2')})"
                    post.update({"wait": False} if target == "K" else rng.choice(({"optional": True}, {"optional": True}, {})))
                    plan["posts"].append(target)
                    posted |= {target} if event == "E" else set()
                    plan["body"].append(post)
            if rng.random() < 0.15:
                plan["body"].append({"if": condition(rng, params[event]), "then": [{"fail": True}]})
            plans.append(plan)
    plans = [plan for plan in plans if plan["trigger"] == "E" or plan["trigger"] in posted]
    events = [{"name": name, "kind": "percept" if name == "E" else "internal",
               "params": [{"name": p, "type": "int", "valid": [">= 0", f"<= {TOP}"]} for p in params[name]]}
              for name in ["E", *targets] if name == "E" or name in posted]
    return {"format": "agent-unit/1", "agent": "Drawn", "entry": ["E"], "events": events, "actions": [{"name": "Act"}],
            "beliefs": [{"name": "store", "key": [], "fields": {"Level": "int"}, "posts": []}], "messages_out": [{"name": "Odd"}] +
            [{"name": f"M{plan['name']}"} for plan in plans], "plans": plans, "test": {"seed": rng.randrange(1 << 30)}}


def without(body):
    """The body with one statement left out, in each way; that a plan fails no more, or writes another value, is nothing that a design forbids."""
    for i, it in enumerate(body):
        if "set" not in it and "fail" not in it and {"fail": True} not in it.get("then", []):
            yield body[:i] + body[i + 1:]
        for less in without(it.get("then", [])):
            yield body[:i] + [{**it, "then": less}] + body[i + 1:]


def mutants(made):
    """Changes of a plan: {name, plans: {plan: change}}."""
    for plan in made["plans"]:
        text, changes = plan.get("context"), [("absent", {"absent": True}), ("mute", {"body": []})]
        if text is not None:
            changes += [("dropped", {"context": None}), ("negated", {"context": f"not ({text})"}), ("never", {"context": "1 = 2"})]
            for number in re.finditer(r"\d+", text):
                changes += [(f"number{by:+}", {"context": text[:number.start()] + str(int(number[0]) + by) + text[number.end():]}) for by in (-1, 1)
                            if int(number[0]) + by > 0]
            for relation_ in re.finditer(r"[<>!]?=|[<>]", text):
                changes += [(f"relation{other}", {"context": text[:relation_.start()] + other + text[relation_.end():]})
                            for other in ("<", "<=", "=", "!=", ">=", ">") if other != relation_[0]]
            for join in re.finditer(r" (and|or) ", text):
                changes.append(("join", {"context": text[:join.start()] + {" and ": " or ", " or ": " and "}[join[0]] + text[join.end():]}))
                if "(" not in text.replace("abs(", "").replace("max(", ""):
                    changes += [("term", {"context": text[:join.start()]}), ("term", {"context": text[join.end():]})]
        changes += [("left out", {"body": body}) for body in without(plan["body"])]
        changes += [("sends more", {"body": plan["body"] + [{"send": "Odd"}]}), ("fails", {"body": plan["body"] + [{"fail": True}]}),
                    ("loops", {"body": plan["body"] + [{"while": "1 = 1", "body": [{"send": "Odd"}]}]})]
        yield from ({"name": f"{plan['name']} {what} {number}", "plans": {plan["name"]: change}} for number, (what, change) in enumerate(changes))


def changed(made, mutant):
    return {**made, "plans": [{**plan, **mutant["plans"].get(plan["name"], {})} for plan in made["plans"]]}


def is_false(row, made, seen):
    """Is it said never to be, and is?"""
    check, about = row["check"], row["about"]
    if check == "plan_never_chosen":
        return ("start", about) in seen
    if check in ("cycle_never_occurs", "cycle_arc_unused"):
        return any(what == "round" for what, _ in seen) if check == "cycle_never_occurs" else False
    if check == "message_never_sent":
        return ("send", about) in seen
    return check in ("context_never_true", "context_never_false", "event_never_posted", "action_never_done", "belief_never_written", "plan_not_wired",
                     "event_never_raised")


def report_of(corridor, folder, made, planted, seed):
    (folder / "d.json").write_text(json.dumps(made))
    (folder / "f.json").write_text(json.dumps({"version": 1, "faults": planted}))
    done = subprocess.run([corridor, "agent", "test", "d.json", "--faults", "f.json", "--json", "--no-fail", "--jobs", "1"],
                          cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 7), (seed, done.stderr, made)
    return json.loads(done.stdout)["sheets"]


def test_choices(corridor, first, count):
    accused = false = told_apart = missed = ways = open_ = 0
    by_check = {}
    with tempfile.TemporaryDirectory(prefix="corridor-drawn-") as name:
        for seed in range(first, first + count):
            rng = random.Random(f"choices/{seed}")
            made, traces, seen = choices(rng)
            planted = list(mutants(made))
            planted = rng.sample(planted, min(MUTANTS, len(planted)))
            planted = [mutant for mutant in planted if is_told_apart(changed(made, mutant), traces)]
            sheets = report_of(corridor, pathlib.Path(name), made, planted, seed)
            own = [row for row in sheets["findings"]["rows"] if row["arm"] == "none"]
            design = sheets.get("design", {"rows": []})["rows"]
            for row in own + design:
                by_check[row["check"], row["severity"]] = by_check.get((row["check"], row["severity"]), 0) + 1
            open_ += any(row["ground"] == "open" for row in design)
            against = [row for row in own + design if row["severity"] != "note"]
            untrue = [row for row in own + design if is_false(row, made, seen)]
            accused, false, ways = accused + bool(against), false + bool(untrue), ways + any(what == "round" for what, _ in seen)
            for row in against + untrue:
                print("seed", seed, "accused" if row in against else "false", row["check"], row["about"], row.get("sentence", row.get("text")), row.get("values"))
            found = {row["arm"] for row in sheets["arms"]["rows"] if row["own"] > 0 and row["outcome"] != "note"} if planted else set()
            told_apart += len(planted)
            for mutant in planted:
                if mutant["name"] not in found:
                    missed += 1
                    print("seed", seed, "missed", mutant, next(plan for plan in made["plans"] if plan["name"] in mutant["plans"]))
    print(f"{count} designs with choices, {ways} go round: {accused} accused, {false} with a false \"never\", {open_} with something open; {told_apart} mutants"
          f" that inputs tell apart, {missed} missed")
    print(" ".join(f"{check} {severity} {times}" for (check, severity), times in sorted(by_check.items())))
    return accused > 0 or false > 0 or missed > 0.01 * told_apart


MUTANTS = 40  # of a design, at most


def main(corridor, first, count):
    if b"Z3_mk_simple_solver" not in pathlib.Path(corridor).read_bytes():
        sys.exit(77)  # what samples miss is not solved for
    accused = missed = undecided = planted = cases = 0
    with tempfile.TemporaryDirectory(prefix="corridor-drawn-") as name:
        folder = pathlib.Path(name)
        for seed in range(first, first + count):
            rng = random.Random(seed)
            made = design(rng)
            (folder / "d.json").write_text(json.dumps(made))
            (folder / "f.json").write_text(json.dumps(faults(made, rng)))
            done = subprocess.run([corridor, "agent", "test", "d.json", "--faults", "f.json", "--json", "--no-fail", "--jobs", "1"],
                                  cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, (seed, done.stderr)
            sheets = json.loads(done.stdout)["sheets"]
            rows, arms = sheets["findings"]["rows"], [row["arm"] for row in sheets["arms"]["rows"]]
            against = [row for row in rows if row["arm"] == "none" and row["severity"] != "note"]
            against += [row for row in sheets.get("design", {"rows": []})["rows"] if row["severity"] != "note"]
            notes = [row for row in rows if row["arm"] == "none" and row["severity"] == "note"]
            accused += bool(against)
            undecided += bool(notes)
            cases += sheets["about"]["row"]["cases"]
            for row in against + notes:
                print("seed", seed, "accused" if row in against else "noted", row["check"], row["about"], row.get("sentence", row.get("text")))
            for arm in arms[1:]:
                planted += 1
                if not any(row["arm"] == arm and row["severity"] != "note" for row in rows):
                    missed += 1
                    print("seed", seed, "missed", arm, [plan["context"] for plan in made["plans"] if plan["name"] == arm.split()[1]])
    print(f"{count} designs, {cases} cases: {accused} accused, {undecided} noted; {planted} faults, {missed} missed")
    sys.exit(test_choices(corridor, first, count) or accused > 0 or missed > 0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
