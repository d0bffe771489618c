#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A second judge, in the plainest way, over the traces of an agent that does anything at random.

naive_judge.py CORRIDOR SEED     runs the agent below as an agent under test and compares what is found
naive_judge.py agent SEED LOG    is that agent: JSON lines; what it says of each case goes into LOG
"""
import csv
import io
import json
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

INT, BOOL = "int", "bool"
DESIGN = {
    "format": "agent-unit/1", "agent": "Random", "entry": ["Go", "Round"], "types": {},
    "beliefs": [{"name": "store", "key": [], "fields": {"N": INT}, "posts": [{"on": "update", "when": "N < 0", "event": "Low"}]},
                {"name": "log", "key": [], "fields": {"Seen": BOOL}, "posts": []}],
    "events": [
        {"name": "Go", "kind": "percept", "params": [{"name": "x", "type": INT, "valid": [">=0"]}], "coverage": "always", "overlap": "never"},
        {"name": "Sub", "kind": "internal", "params": [{"name": "y", "type": INT, "valid": [">=0"]}], "coverage": "sometimes", "overlap": "allowed"},
        {"name": "Low", "kind": "belief", "params": []},
        {"name": "Round", "kind": "internal", "params": [{"name": "z", "type": INT}]},
        {"name": "Back", "kind": "internal", "params": [{"name": "w", "type": INT, "valid": [">=-3"]}], "coverage": "always", "overlap": "allowed"}],
    "messages_out": [{"name": "M"}, {"name": "O"}], "actions": [{"name": "Act"}, {"name": "Bow"}],
    "plans": [
        {"name": "A", "trigger": "Go", "context": "x >= 10", "posts": ["Sub"], "sends": ["M"], "does": ["Act"], "writes": ["store"]},
        {"name": "B", "trigger": "Go", "context": "x < 10", "sends": ["O"]},
        {"name": "C", "trigger": "Sub", "context": "y > 2", "does": ["Bow"]},
        {"name": "D", "trigger": "Sub", "posts": ["Round"]},
        {"name": "E", "trigger": "Round", "vars": [{"name": "N", "belief": "store", "type": INT}], "context": "N < 50", "posts": ["Back"]},
        {"name": "F", "trigger": "Back", "context": "w >= 0", "posts": ["Round"], "writes": ["store"]},
        {"name": "G", "trigger": "Back", "context": "w < 4", "sends": ["M"], "posts": ["Round"]}],
    "test": {"strength": 2, "policy": "all", "exhaustive_limit": 300, "seed": 5}}
PLANS = {plan["name"]: plan for plan in DESIGN["plans"]}
EVENTS = {event["name"]: event for event in DESIGN["events"]}
HANDLERS = {name: [plan for plan in PLANS if PLANS[plan]["trigger"] == name] for name in EVENTS}
NEVER = (("posted", "posts", "event_never_posted"), ("sent", "sends", "message_never_sent"), ("did", "does", "action_never_done"),
         ("wrote", "writes", "belief_never_written"))
ODD = {"posted": "post_not_in_design", "sent": "message_not_in_design", "did": "action_not_in_design", "wrote": "write_not_in_design"}


def context_of(plan, args, n):
    """The design's context on these values."""
    text = PLANS[plan].get("context")
    return True if text is None else bool(eval(text, {}, {**args, "N": n}))


class Agent:
    """One case of an agent that does what comes to its mind, mostly what its design says; what it says is kept."""

    def __init__(self, seed, case):
        self.random = random.Random(f"{seed}/{case['seed']}")
        self.lawful = 0.5 + 0.5 * random.Random(seed).random()
        self.n = case["beliefs"]["store.N"]
        self.said, self.stack = [], []
        self.handle(case["event"], case["args"], 0)

    def say(self, kind, **what):
        self.said.append({"kind": kind, "parent": self.stack[-1] if self.stack else None, **what})

    def handle(self, event, args, depth):
        """True if a plan completed."""
        applicable = []
        for plan in HANDLERS[event]:
            if self.random.random() < 0.97:
                holds = context_of(plan, args, self.n)
                if self.random.random() > self.lawful:
                    holds = not holds
                self.say("context", plan=plan, event=event, holds=holds, args=args)
                if holds:
                    applicable.append(plan)
        for plan in applicable:
            if self.random.random() < 0.9 and self.run(plan, event, args, depth):
                return True
        return False

    def run(self, plan, event, args, depth):
        self.say("started", plan=plan, event=event, args=args)
        self.stack.append(len(self.said) - 1)
        ok = True
        for _ in range(self.random.randrange(5)):
            ok = self.act(plan, depth) and ok
        ok = ok and self.random.random() < 0.95
        parent = self.stack.pop()
        self.said.append({"kind": "ended", "plan": plan, "ok": ok, "started": parent})
        return ok

    def choose(self, plan, key, all_of):
        own = PLANS[plan].get(key, [])
        return self.random.choice(own if own and self.random.random() < self.lawful else all_of)

    def act(self, plan, depth):
        what = self.random.choice(("post", "send", "do", "write"))
        lawful = {"post": "posts", "send": "sends", "do": "does", "write": "writes"}[what]
        if not PLANS[plan].get(lawful) and self.random.random() < self.lawful:
            return True
        if what == "send":
            self.say("sent", plan=plan, about=self.choose(plan, "sends", ["M", "O"]))
        elif what == "do":
            self.say("did", plan=plan, about=self.choose(plan, "does", ["Act", "Bow"]))
        elif what == "write":
            if self.choose(plan, "writes", ["store", "log"]) == "log":
                self.say("wrote", plan=plan, about="log", field="log.Seen", value=self.random.random() < 0.5)
            else:
                self.n = self.random.randrange(-3, 9)
                self.say("wrote", plan=plan, about="store", field="store.N", value=self.n)
                if self.n < 0 and self.random.random() < self.lawful:
                    self.say("posted", plan=plan, about="Low", args={})
        elif depth < 4 and len(self.said) < 60:
            event = self.choose(plan, "posts", [name for name in EVENTS if name != "Low"])
            args = {p["name"]: self.random.randrange(-4, 15) for p in EVENTS[event]["params"]}
            self.say("posted", plan=plan, about=event, args=args)
            return self.handle(event, args, depth + 1) or self.random.random() < 0.5
        return True


def serve(seed, log):
    """JSON lines in, JSON lines out."""
    for line in sys.stdin:
        asked = json.loads(line)
        out = []
        tell = lambda **what: out.append(json.dumps({"id": asked["id"], **what}))
        if "hello" in asked:
            tell(agent="Random", version="1", handles={plan: PLANS[plan]["trigger"] for plan in PLANS})
        elif "bye" in asked:
            return
        else:
            said = Agent(seed, asked["case"]).said
            for what in said:
                by = {"by": what["plan"]}
                if what["kind"] == "context":
                    tell(context=what["plan"], holds=what["holds"])
                elif what["kind"] == "started":
                    tell(started=what["plan"])
                elif what["kind"] == "ended":
                    tell(ended=what["plan"], ok=what["ok"])
                elif what["kind"] == "posted":
                    tell(posted=what["about"], args=what["args"], **by)
                elif what["kind"] == "wrote":
                    tell(wrote=what["field"], value=what["value"], **by)
                else:
                    tell(**{what["kind"]: what["about"]}, **by)
            tell(finished="quiet")
            with open(log, "a") as file:
                file.write(json.dumps({"seed": asked["case"]["seed"], "case": asked["case"], "said": said}) + "\n")
        print("\n".join(out), flush=True)


def hash_word(running, word):
    mask = 2**64 - 1
    mixed = ((running ^ word) + 0x9E3779B97F4A7C15) & mask
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
    return mixed ^ (mixed >> 31)


def seed_of(unit, index):
    running = 0x9E3779B97F4A7C15
    for word in (DESIGN["test"]["seed"], unit, 0, index):
        running = hash_word(running, word)
    return running


class Case:
    """What one trace shows, by looking everywhere for everything."""

    def __init__(self, index, valid, log):
        self.index, self.valid, self.said, self.case = index, valid, log["said"], log["case"]
        self.size = len(self.said) + 1

    def top(self, event):
        return [s for s in self.said if s.get("parent", 0) is None and s["kind"] == "context" and s["event"] == event]

    def contexts(self, plan):
        """(holds, what the design says) of each time that the plan was looked at for its trigger."""
        n, found = self.case["beliefs"]["store.N"], []
        for said in self.said:
            if said["kind"] == "wrote" and said["field"] == "store.N":
                n = said["value"]
            if said["kind"] == "context" and said["plan"] == plan and said["event"] == PLANS[plan]["trigger"]:
                found.append((said["holds"], context_of(plan, said["args"], n)))
        return found

    def is_considered(self, plan):
        return bool(self.contexts(plan)) or any(s["kind"] == "started" and s["plan"] == plan and s["event"] == PLANS[plan]["trigger"]
                                                for s in self.said)

    def starts(self, plan):
        return [i for i, s in enumerate(self.said) if s["kind"] == "started" and s["plan"] == plan]

    def ends(self, plan, ok):
        return any(s["kind"] == "ended" and s["plan"] == plan and s["ok"] == ok for s in self.said)

    def uses(self, plan):
        return [s for s in self.said if s["plan"] == plan and s["kind"] in ODD]

    def is_rule_post(self, said):
        """Low after a write of the same start that makes the rule hold and is still owed."""
        if said["kind"] != "posted" or said["about"] != "Low":
            return False
        owed = 0
        for other in self.said:
            if other.get("parent") != said["parent"]:
                continue
            if other["kind"] == "wrote" and other["field"] == "store.N" and other["value"] < 0:
                owed += 1
            if other is said:
                return owed > 0
            if other["kind"] == "posted" and other["about"] == "Low" and owed > 0:
                owed -= 1
        return False

    def owes(self, plan):
        for start in self.starts(plan):
            mine = [s for s in self.said if s.get("parent") == start]
            wrote = sum(s["kind"] == "wrote" and s["field"] == "store.N" and s["value"] < 0 for s in mine)
            if wrote > sum(self.is_rule_post(s) for s in mine):
                return True
        return False

    def is_within_itself(self, index):
        up = self.said[index]["parent"]
        while up is not None:
            if self.said[up]["plan"] == self.said[index]["plan"]:
                return True
            up = self.said[up]["parent"]
        return False

    def gap(self, event):
        return self.valid and not any(s["holds"] for s in self.top(event))

    def overlap(self, event):
        holding = [s["plan"] for s in self.top(event) if s["holds"]]
        return self.valid and len(holding) > 1

    def shows(self, event):
        return (self.gap(event) and EVENTS[event].get("coverage", "always") == "always") or \
            (self.overlap(event) and EVENTS[event].get("overlap", "never") == "never")

    def differs(self, plan):
        return any(holds != designed for holds, designed in self.contexts(plan))


def add(found, check, unit, plan, about, cases, run):
    if cases:
        smallest = min(cases, key=lambda case: (case.size, case.index)).index
        found.add((check, unit, plan, about, len(cases), run, smallest))


def judge_plan(found, unit, plan, cases, own):
    valid = [c for c in cases if c.valid]
    considered = [c for c in cases if c.is_considered(plan)]
    if not considered:
        add(found, "plan_not_wired", unit, plan, plan, cases, len(cases))
    else:
        applicable = [c for c in valid if any(holds for holds, _ in c.contexts(plan))]
        if applicable and not any(c.starts(plan) for c in valid) and not any(c.starts(plan) for c in own if c.valid):
            add(found, "plan_never_chosen", unit, plan, plan, applicable, len(applicable))
        held = [c for c in cases if any(holds for holds, _ in c.contexts(plan))]
        differs = [c for c in cases if c.differs(plan)]
        told = any(c.differs(plan) and c.shows(PLANS[plan]["trigger"]) for c in own)
        due, undue = ([c for c in cases if any(designed == truth for _, designed in c.contexts(plan))] for truth in (True, False))
        if not held and not any(c.starts(plan) for c in cases):
            add(found, "context_never_true", unit, plan, plan, due or considered, len(considered))
        elif "context" in PLANS[plan] and not any(not holds for c in cases for holds, _ in c.contexts(plan)):
            if not (undue and told):
                add(found, "context_never_false", unit, plan, plan, undue or considered, len(considered))
        elif differs and not told:
            add(found, "context_differs", unit, plan, plan, differs, len(considered))
        completed = [c for c in valid if c.ends(plan, True)]
        for kind, key, check in NEVER:
            for about in PLANS[plan].get(key, []):
                seen = any(s["kind"] == kind and s["about"] == about for c in valid for s in c.uses(plan) if not c.is_rule_post(s))
                if completed and not seen:
                    add(found, check, unit, plan, about, completed, len(completed))
        add(found, "plan_failed", unit, plan, plan, [c for c in valid if c.ends(plan, False)],
            len([c for c in valid if c.starts(plan)]))
    for kind, key, _ in NEVER:
        for about in {s["about"] for c in cases for s in c.uses(plan) if s["kind"] == kind} - set(PLANS[plan].get(key, [])):
            add(found, ODD[kind], unit, plan, about,
                [c for c in cases if any(s["kind"] == kind and s["about"] == about and not c.is_rule_post(s) for s in c.uses(plan))], len(cases))
    for event in EVENTS:
        bounds = {p["name"]: int(p["valid"][0][2:]) for p in EVENTS[event]["params"] if "valid" in p}
        add(found, "argument_outside", unit, plan, event,
            [c for c in valid if any(s["kind"] == "posted" and s["about"] == event and not c.is_rule_post(s)
                                     and any(s["args"][name] < low for name, low in bounds.items()) for s in c.uses(plan))], len(cases))
    add(found, "belief_rule_silent", unit, plan, "Low", [c for c in cases if c.owes(plan)], len(cases))


def posted_by(case, index):
    """The post that a start is for: the last of its event by the plan around it; None: the case's own."""
    start = case.said[index]
    before = [s for s in case.said[:index] if s["kind"] == "posted" and s["parent"] == start["parent"] and s["about"] == start["event"]]
    return before[-1] if before else None


def judge_ring(found, unit, members, cases):
    if not any(c.is_within_itself(i) for c in cases for p in members for i in c.starts(p)):
        add(found, "cycle_never_occurs", unit, "", "", cases, len(cases))
        return
    for poster in members:
        for event in PLANS[poster].get("posts", []):
            seen = any(s["kind"] == "posted" and s["about"] == event for c in cases if c.valid for s in c.uses(poster))
            for handler in (h for h in HANDLERS[event] if h in members):
                started = any(c.starts(handler) for c in cases)
                used = any((posted_by(c, i) or {}).get("plan") == poster and posted_by(c, i)["about"] == event
                           for c in cases for i in c.starts(handler))
                if seen and started and not used:
                    add(found, "cycle_arc_unused", unit, handler, event, cases, len(cases))


def judge_event(found, unit, event, cases):
    valid = [c for c in cases if c.valid]
    gaps, overlaps = [c for c in cases if c.gap(event)], [c for c in cases if c.overlap(event)]
    always, never = EVENTS[event].get("coverage", "always") == "always", EVENTS[event].get("overlap", "never") == "never"
    if not any(c.top(event) or any(s["kind"] == "started" and s["parent"] is None for s in c.said) for c in cases):
        add(found, "event_never_raised", unit, "", event, cases, len(cases))
        return
    add(found, "event_not_covered", unit, "", event, gaps if always else [], len(valid))
    add(found, "event_overlap", unit, "", event, overlaps if never else [], len(valid))
    if (not always and not gaps) or (not never and not overlaps):
        add(found, "declaration_too_weak", unit, "", event, valid, len(valid))


def judge_lone_event(found, unit, event, cases):
    """An event with one handler, in the unit of that."""
    cases = [c for c in cases if c.case["event"] == event]
    if not any(c.top(event) for c in cases):
        return
    valid, always = [c for c in cases if c.valid], EVENTS[event].get("coverage", "always") == "always"
    add(found, "event_not_covered", unit, "", event, [c for c in cases if c.gap(event)] if always else [], len(valid))
    if not always and all(any(s["holds"] for s in c.top(event)) for c in cases):
        add(found, "declaration_too_weak", unit, "", event, valid, len(valid))


def judge(units, cases):
    found = set()
    own = {unit[3:-1]: cases[unit] for unit in units if unit.startswith("ET(")}
    for unit in units:
        members = unit[3:-1].split(",")
        if unit.startswith("ET("):
            judge_event(found, unit, members[0], cases[unit])
            continue
        for plan in members:
            judge_plan(found, unit, plan, cases[unit], own.get(PLANS[plan]["trigger"], []))
            if len(HANDLERS[PLANS[plan]["trigger"]]) == 1:
                judge_lone_event(found, unit, PLANS[plan]["trigger"], cases[unit])
        if unit.startswith("CT("):
            judge_ring(found, unit, members, cases[unit])
    return found


def main(corridor, seed):
    with tempfile.TemporaryDirectory(prefix="corridor-judge-") as name:
        folder = pathlib.Path(name)
        run = lambda *a: subprocess.run([corridor, *a], cwd=folder, check=True, capture_output=True, text=True).stdout
        (folder / "d.json").write_text(json.dumps(DESIGN))
        agent = shlex.join(map(str, (sys.executable, pathlib.Path(__file__).resolve(), "agent", seed, folder / "log")))
        sheets = json.loads(run("agent", "test", "d.json", "--agent", agent, "--isolate", "never", "--json", "--no-fail", "-o", "r.h5", "--jobs", "1"))["sheets"]
        logs = {int(entry["seed"], 16): entry for entry in map(json.loads, (folder / "log").read_text().splitlines())}
        units = [row["unit"] for row in json.loads(run("agent", "order", "d.json", "--json"))["order"]]
        cases = {unit: [] for unit in units}
        for row in csv.DictReader(io.StringIO(run("export", "r.h5", "--table", "trials"))):
            unit, index = int(row["suite"]), int(row["case"])
            assert row["end"] == "quiet", row
            cases[units[unit]].append(Case(index, row["valid"] == "1", logs[seed_of(unit, index)]))
        for case, row in zip((c for u in units for c in cases[u]), csv.DictReader(io.StringIO(run("export", "r.h5", "--table", "trials")))):
            assert case.size == int(row["events"]), (row, case.said)
    theirs = {(f["check"], f["unit"], f["plan"] or "", f["about"] or "", f["hit"], f["run"], f["smallest"]) for f in sheets["findings"]["rows"]}
    ours = judge(units, cases)
    for finding in sorted(ours ^ theirs):
        print("only here" if finding in ours else "only there", finding)
    print(f"seed {seed}: {len(theirs)} findings of {len({f[0] for f in theirs})} checks in {sheets['about']['row']['cases']} cases")
    sys.exit(ours != theirs)


if __name__ == "__main__":
    if sys.argv[1] == "agent":
        serve(sys.argv[2], sys.argv[3])
    else:
        main(sys.argv[1], sys.argv[2])
