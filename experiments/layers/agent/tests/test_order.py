#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of units against a naive one, over random designs. Components come from reachability, the order from a
recursive search over plain arcs, the paper's lists from Fig. 5 word by word.

usage: test_order.py ORDER_LINES DESIGNS"""
import json
import random
import subprocess
import sys

sys.setrecursionlimit(10000)
DESIGNS = int(sys.argv[2])


def random_design(rng):
    plans, events = rng.randint(1, 9), rng.randint(1, 7)
    density = rng.choice((0.05, 0.15, 0.3, 0.5))
    names = [f"e{i}" for i in range(events)]
    entries = rng.sample(names, rng.randint(1, min(3, events)))
    return {"format": "agent-unit/1", "agent": "R", "entry": entries, "events": [{"name": n, "kind": "internal"} for n in names],
            "plans": [{"name": f"P{p}", "trigger": rng.choice(names),
                       "posts": rng.sample(posts, len(posts))}
                      for p in range(plans) for posts in [[n for n in names if rng.random() < density]]]}


class Naive:
    def __init__(self, design):
        self.trigger = {p["name"]: p["trigger"] for p in design["plans"]}
        self.posts = {p["name"]: p["posts"] for p in design["plans"]}
        self.handlers = {e["name"]: [p["name"] for p in design["plans"] if p["trigger"] == e["name"]] for e in design["events"]}
        self.entries = design["entry"]
        self.reach = {p: self.reached_from(self.children(p)) for p in self.trigger}  # by one arc or more
        self.reached = self.reached_from([h for e in self.entries for h in self.handlers[e]])

    def children(self, plan):
        return [h for e in self.posts[plan] for h in self.handlers[e]]

    def reached_from(self, plans):
        seen, todo = set(), list(plans)
        while todo:
            plan = todo.pop()
            if plan not in seen:
                seen.add(plan)
                todo += self.children(plan)
        return seen

    def component(self, plan):
        return frozenset({plan} | {q for q in self.reach[plan] if plan in self.reach[q]})

    def is_ring(self, plan):
        return plan in self.reach[plan]

    def units(self):
        """As a set: names of plans, sets of rings, events."""
        found = {self.unit_of(p) for p in self.reached}
        return found | {("ET", e) for e, hs in self.handlers.items() if len(hs) > 1 and set(hs) <= self.reached}

    def unit_of(self, plan):
        return ("CT", self.component(plan)) if self.is_ring(plan) else ("PT", plan)

    def order(self):
        """Tarjan's algorithm as it is usually written."""
        number, low, stack, units = {}, {}, [], []
        tested = set()

        def visit(plan):
            number[plan] = low[plan] = len(number)
            stack.append(plan)
            for child in self.children(plan):
                if child not in number:
                    visit(child)
                    low[plan] = min(low[plan], low[child])
                elif child in stack:
                    low[plan] = min(low[plan], number[child])
            if low[plan] == number[plan]:
                members = stack[stack.index(plan):]
                del stack[stack.index(plan):]
                units.append(f"CT({','.join(members)})" if self.is_ring(plan) else f"PT({plan})")
                for member in members:
                    tested.add(member)
                    event = self.trigger[member]
                    if len(self.handlers[event]) > 1 and set(self.handlers[event]) <= tested:
                        units.append(f"ET({event})")

        for entry in self.entries:
            for handler in self.handlers[entry]:
                if handler not in number:
                    visit(handler)
        return units

    def way(self, walked, start, ends):
        """Shortest over walked arcs, in the order of the design."""
        came, queue = {start: None}, [start]
        for plan in queue:
            if plan in ends:
                path = []
                while plan is not None:
                    path.insert(0, plan)
                    plan = came[plan]
                return path
            for child in self.children(plan):
                if (plan, child) in walked and child not in came:
                    came[child] = plan
                    queue.append(child)
        return None

    def step1(self):
        """Fig. 5."""
        queue, tested, stack, walked = [], set(), [], set()

        def get_order(plan):
            if plan in tested:
                return
            stack.append(plan)
            for child in self.children(plan):
                way = self.way(walked, child, stack)  # "is the ancestor of any plan in the stack"
                walked.add((plan, child))
                if way:
                    members = [plan] + way + stack[stack.index(way[-1]) + 1:]
                    queue.append(("CT", [p for i, p in enumerate(members) if p not in members[:i]]))
                else:
                    get_order(child)
            for event in self.posts[plan]:
                add_event(event)
            queue.append(("PT", [plan]))
            tested.add(plan)
            stack.pop()

        def add_event(event):
            if len(self.handlers[event]) > 1 and ("ET", event) not in queue:
                queue.append(("ET", event))

        for entry in self.entries:
            for handler in self.handlers[entry]:
                get_order(handler)
            add_event(entry)
        return queue

    def step2(self, queue):
        in_rings = {p for kind, members in queue if kind == "CT" for p in members}
        return [unit for unit in queue if unit[0] != "PT" or unit[1][0] not in in_rings]

    def tests(self, unit, plan):
        """Does the unit test the plan, or one of its component?"""
        return unit[0] != "ET" and any(self.component(m) == self.component(plan) for m in unit[1])

    def waits(self, unit, other):
        if unit[0] == "ET":
            return any(self.tests(other, h) for h in self.handlers[unit[1]])
        for plan in unit[1]:
            own = self.component(plan)
            for event in self.posts[plan]:
                outside = [h for h in self.handlers[event] if self.component(h) != own]
                if other[0] == "ET":
                    if other[1] == event and len(outside) == len(self.handlers[event]):
                        return True
                elif any(self.tests(other, h) for h in outside):
                    return True
        return False

    def step3(self, queue):
        left, done = list(queue), []
        while left:
            unit = next(u for u in left if not any(o is not u and self.waits(u, o) for o in left))
            done.append(unit)
            left.remove(unit)
        return done

    def step4(self, queue):
        """Rings with a plan in common, until none are left."""
        groups = [[i] for i, unit in enumerate(queue) if unit[0] == "CT"]
        plans = lambda group: {p for i in group for p in queue[i][1]}
        merged = True
        while merged:
            merged = False
            for a in groups:
                for b in groups:
                    if a is not b and plans(a) & plans(b):
                        a += b
                        groups.remove(b)
                        merged = True
                        break
                if merged:
                    break
        found = []
        for i, unit in enumerate(queue):
            if unit[0] != "CT":
                found.append(unit)
                continue
            group = sorted(next(g for g in groups if i in g))
            if group[-1] != i:
                continue
            longest = max(group, key=lambda k: (len(queue[k][1]), -k))
            members = list(queue[longest][1])
            for k in group:
                members += [p for p in queue[k][1] if p not in members]
            found.append(("CT", members))
        return found


def named(queue):
    return [f"ET({members})" if kind == "ET" else f"{kind}({','.join(members)})" for kind, members in queue]


def as_set(names):
    def one(name):
        kind, inner = name[:2], name[3:-1]
        return (kind, frozenset(inner.split(","))) if kind == "CT" else (kind, inner)
    units = {one(name) for name in names}
    assert len(units) == len(names), f"a unit twice: {names}"
    return units


def check_dependencies(naive, said):
    """Each comes behind all it depends on, and one deeper than the deepest."""
    for unit, (depth, *on) in enumerate(said["depends"]):
        assert all(o < unit for o in on), said
        assert depth == max((said["depends"][o][0] + 1 for o in on), default=0), said


def check(design, said):
    naive = Naive(design)
    assert said["units"] == naive.order(), (said["units"], naive.order())
    assert as_set(said["units"]) == naive.units()
    check_dependencies(naive, said)
    queue = naive.step1()
    for number, step in ((1, None), (2, naive.step2), (3, naive.step3), (4, naive.step4)):
        queue = step(queue) if step else queue
        assert said[f"step{number}"] == named(queue), (number, said[f"step{number}"], named(queue))
    assert as_set(said["step4"]) == naive.units()


def main():
    rng = random.Random(13)
    designs = [random_design(rng) for _ in range(DESIGNS)]
    lines = "\n".join(json.dumps(d) for d in designs) + "\n"
    done = subprocess.run([sys.argv[1]], input=lines, capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == DESIGNS
    rings = 0
    for design, answer in zip(designs, answers):
        said = json.loads(answer)
        try:
            check(design, said)
        except AssertionError:
            print(json.dumps(design))
            raise
        rings += any(unit.startswith("CT") for unit in said["units"])
    assert DESIGNS // 4 < rings < DESIGNS, "designs with and without rings"
    print(f"{DESIGNS} random designs, {rings} of them with rings: both orders as a naive search finds them")


main()
