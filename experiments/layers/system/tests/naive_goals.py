#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals and tactics a second time, from the rules of docs/look-up/system.md alone: recursive and slow. Draws goal structures,
pursues each here and by the driver, and compares all cycles: action, budget left, status, what became of each goal.

  naive_goals.py DRIVER COUNT [SEED]
"""
import json
import random
import re
import subprocess
import sys

INFINITE = float("inf")


class World:
    """The world of goal_world.h."""

    def __init__(self):
        self.x = self.y = 0
        self.f = self.g = False
        self.on = {"i1": False, "i2": False, "i3": False}

    def act(self, action, argument):
        if action == "o":
            self.f = True
        elif action == "b":
            self.x = (self.x + 1) % 8
        elif action == "c":
            self.y = (self.y + 1) % 5
        elif action == "d":
            self.f = False
        elif action == "m":
            self.x = (self.x + 1) % 8
            self.g = self.x == 3
        elif action == "h":
            self.g = False
        elif action == "press":
            self.on[argument] = not self.on[argument]

    def holds(self, text, names=None):
        text = re.sub(r"(?<![<>!])=", "==", text)
        values = {"w": self, "true": True, "false": False}
        for name, entity in (names or {}).items():
            values[name] = Item(self, entity)
        return bool(eval(text, {"__builtins__": {}}, values))


class Item:
    def __init__(self, world, name):
        self.on, self.weight = world.on[name], 11 - int(name[1])


class Node:
    """A goal that is under way."""

    def __init__(self, goal, above):
        self.goal = goal
        cap = goal.get("max", INFINITE) if isinstance(goal, dict) else INFINITE
        self.budget = min(cap, above.budget)
        self.depth = above.depth + 1
        self.cost, self.handled, self.begun = 0, False, None


class Failed(Exception):
    def __init__(self, node):
        super().__init__()
        self.node = node


class Pursuit:
    def __init__(self, test):
        self.world, self.named, self.lines, self.cycle = World(), test["goals"], [], 1
        root = Node({}, type("Above", (), {"budget": INFINITE if test["budget"] is None else test["budget"], "depth": -2}))
        self.root, self.end, self.stalled = None, None, False
        self.steps = self.run(test["goal"], [root])

    # -- the way up: budgets, guards

    def charge(self, stack):
        for node in stack:
            node.cost += 1
            node.budget -= 1

    def guard(self, stack):
        for node in stack:
            if isinstance(node.goal, dict) and "fail_when" in node.goal and self.world.holds(node.goal["fail_when"]):
                raise Failed(node)

    def interrupts(self, stack):
        """Handlers run to their ends, as long as any is wanted. Whether one was."""
        was = False
        while True:
            for place, node in enumerate(stack):
                if not (isinstance(node.goal, dict) and "interruptible" in node.goal) or node.handled:
                    continue
                wanted = [h for h in node.goal["handlers"] if self.world.holds(h["when"])]
                if wanted:
                    break
            else:
                return was
            was = True
            node.handled = True
            success = yield from self.run(wanted[0]["do"], stack[: place + 1])
            node.handled = False
            if not success and node.budget <= 0:
                raise Failed(node)
            for below in stack[place + 1 :]:
                below.budget = min(below.budget, node.budget)

    def cycle_of(self, stack, action, argument="", cost=1):
        """One cycle of a leaf; before it the handlers. Whether there was one, for then nothing was done."""
        if (yield from self.interrupts(stack)):
            return True
        yield action, argument
        if cost:
            self.charge(stack)
        self.guard(stack)
        return False

    # -- goals

    def run(self, goal, stack):
        node = Node(goal, stack[-1])
        if len(stack) == 1 and self.root is None:
            self.root = node
        stack = stack + [node]
        node.begun = self.cycle + 1
        try:
            success = yield from self.pursue(goal, stack)
        except Failed as failed:
            self.report(node, False)
            if failed.node is not node:
                raise
            return False
        if success and isinstance(goal, dict) and "assert" in goal and set(goal) - {"assert", "max", "name", "fail_when"}:
            success = self.world.holds(goal["assert"])
            if not success:
                self.lines.append("  assert %s 0" % goal["assert"])
        self.report(node, success)
        return success

    def report(self, node, success):
        self.lines.append(
            "  goal %d %d %d %d %s" % (node.depth, node.begun, self.cycle, node.cost, "success" if success else "failed")
        )

    def steer(self, stack, cost=1):
        while (yield from self.cycle_of(stack, "look", cost=cost)):
            pass

    def pursue(self, goal, stack):
        node = stack[-1]
        if goal == "success":
            yield from self.steer(stack)
            return True
        if goal == "fail":
            yield from self.steer(stack, cost=0)
            return False
        if isinstance(goal, str):
            named = self.named[goal]
            return (yield from self.pursue_named(named, stack))
        if "seq" in goal:
            return (yield from self.seq(goal["seq"], stack))
        if "first_of" in goal:
            return (yield from self.first_of(goal["first_of"], stack))
        if "repeat" in goal:
            body = goal["repeat"]
            if "until" in goal:
                body = {
                    "seq": [
                        {"first_of": [body, "success"]},
                        {"if": goal["until"], "then": "success", "else": "fail"},
                    ]
                }
            laps = 0
            while True:
                if (yield from self.run(body, stack)):
                    return True
                laps += 1
                if node.budget <= 0 or laps == goal.get("tries"):
                    return False
        if "check" in goal:
            yield from self.steer(stack)
            return self.world.holds(goal["check"])
        if "if" in goal:
            yield from self.steer_below(stack)
            chosen = goal["then"] if self.world.holds(goal["if"]) else goal.get("else", "success")
            return (yield from self.run(chosen, stack))
        if "try_if" in goal:
            alternatives = [{"seq": [{"check": goal["try_if"]}, goal["then"]]}, goal.get("else", "success")]
            return (yield from self.first_of(alternatives, stack))
        if "while" in goal:
            yield from self.steer_below(stack)
            if not self.world.holds(goal["while"]):
                return (yield from self.run("success", stack))
            body = {"repeat": goal["do"], "until": "not (%s)" % goal["while"]}
            return (yield from self.run(body, stack))
        if "deploy" in goal:
            yield from self.steer_below(stack)
            if "with" not in goal:
                return (yield from self.run(goal["deploy"], stack))
            fitting = self.nearest(goal["with"]["e"])
            if fitting is None:
                return False
            return (yield from self.run({"pressed": fitting}, stack))
        if "pressed" in goal:
            node.budget = min(node.budget, 3)
            while (yield from self.cycle_of(stack, "press", goal["pressed"])):
                pass
            return True
        if "interruptible" in goal:
            return (yield from self.run(goal["interruptible"], stack))
        if "goal" in goal or "distance" in goal:
            return (yield from self.solve(goal, stack))
        if "do" in goal:
            while (yield from self.cycle_of(stack, goal["do"])):
                pass
            return True
        assert "assert" in goal, goal
        yield from self.steer(stack)
        if not self.world.holds(goal["assert"]):
            self.lines.append("  assert %s 0" % goal["assert"])
            return False
        return True

    def pursue_named(self, named, stack):
        """A name is the goal it stands for."""
        stack[-1].goal = named
        stack[-1].budget = min(stack[-1].budget, named.get("max", INFINITE))
        success = yield from self.pursue(named, stack)
        if success and "assert" in named and set(named) - {"assert", "max", "name", "fail_when"}:
            success = self.world.holds(named["assert"])
            if not success:
                self.lines.append("  assert %s 0" % named["assert"])
        return success

    def steer_below(self, stack):
        """The cycle in which an "if" or a "deploy" chooses; it cannot be capped."""
        below = Node({}, stack[-1])
        yield from self.steer(stack + [below])

    def nearest(self, query):
        name, condition = re.fullmatch(r"nearest\((\w) in item where (.*)\)", query).groups()
        for entity in sorted(self.world.on):
            if self.world.holds(condition, {name: entity}):
                return entity
        return None

    def seq(self, goals, stack):
        for goal in goals:
            added = []
            if not (yield from self.run_adding(goal, stack, added)):
                return False
            for extra in added:
                if not (yield from self.run(extra, stack)):
                    return False
        return True

    def first_of(self, goals, stack):
        for goal in goals:
            added = []
            for alternative in [goal, None]:
                alternatives = [alternative] if alternative is not None else list(added)
                for one in alternatives:
                    if (yield from self.run_adding(one, stack, added)):
                        return True
                    if stack[-1].budget <= 0:
                        return False
        return False

    def run_adding(self, goal, stack, added):
        if isinstance(goal, dict) and "tactic" in goal and "add_after" in json.dumps(goal["tactic"]):
            goal = dict(goal, added=added)
        return self.run(goal, stack)

    # -- tactics

    def candidates(self, tactic, way, added):
        """(way to the action, its tactic) for each candidate."""
        if isinstance(tactic, str):
            return [(way, tactic)]
        if "first_of" in tactic:
            for index, child in enumerate(tactic["first_of"]):
                found = self.candidates(child, way + [index], added)
                if found:
                    return found
            return []
        if "any_of" in tactic:
            return [c for i, child in enumerate(tactic["any_of"]) for c in self.candidates(child, way + [i], added)]
        if "seq" in tactic:
            return self.candidates(tactic["seq"][0], way + [0], added)
        if "when" in tactic and not self.world.holds(tactic["when"]):
            return []
        if "add_after" in tactic and any(way == where for where, _ in added):
            return []
        return [(way, tactic)]

    @staticmethod
    def at(tactic, way):
        for index in way:
            tactic = next(tactic[key] for key in ("first_of", "any_of", "seq") if key in tactic)[index]
        return tactic

    def following(self, tactic, way):
        while way:
            above = self.at(tactic, way[:-1])
            if "seq" in above and way[-1] + 1 < len(above["seq"]):
                return way[:-1] + [way[-1] + 1]
            way = way[:-1]
        return []

    def solve(self, goal, stack):
        node, tactic, start, put = stack[-1], goal["tactic"], [], []
        while True:
            if (yield from self.interrupts(stack)):
                start = []
            found = self.candidates(self.at(tactic, start), start, put)
            if not found:
                self.stalled = True
                yield "wait", ""
                self.guard(stack)
                continue
            way, leaf = found[0]
            action = leaf if isinstance(leaf, str) else leaf.get("action", "look")
            if action == "abort":
                yield "look", ""
                self.guard(stack)
                return False
            yield action, ""
            self.charge(stack)
            self.guard(stack)
            steers = isinstance(leaf, dict) and "add_after" in leaf
            if steers:
                put.append((way, leaf["add_after"]))
                goal["added"][:] = [extra for _, extra in sorted(put, key=lambda pair: pair[0])]
            if isinstance(leaf, dict) and "after" in leaf and not self.world.holds(leaf["after"]):
                self.lines.append("  after %s 0" % leaf["after"])
            going_on = isinstance(leaf, dict) and "until" in leaf and not self.world.holds(leaf["until"])
            start = way if going_on else self.following(tactic, way)
            if not steers and self.solved(goal):
                return True
            if node.budget <= 0:
                return False

    def solved(self, goal):
        if "goal" in goal:
            return self.world.holds(goal["goal"])
        distance = eval(goal["distance"], {"__builtins__": {}}, {"w": self.world, "abs": abs})
        return abs(distance) <= goal.get("epsilon", 0.005)

    # -- the whole

    def lines_of(self, cycles):
        try:
            step = next(self.steps)
        except StopIteration as stop:
            step, self.end = None, stop.value
        for _ in range(cycles):
            if step is None:
                break
            action, argument = step
            stalled, self.stalled = self.stalled, False
            self.world.act(action, argument)
            self.cycle += 1
            try:
                step = next(self.steps)
            except StopIteration as stop:
                step, self.end = None, stop.value
            status = "open" if step is not None else "success" if self.end else "failed"
            left = "-" if self.root.budget == INFINITE else max(0, self.root.budget)
            self.lines.append("%s(%s) %s %s%s" % (action, argument, left, status, " stalled" if stalled and status == "open" else ""))
        return self.lines + ["end"]


# -- drawn structures

ACTIONS = ["n", "o", "b", "c", "d", "m", "h"]
CONDITIONS = [
    "w.x < 3", "w.x = 2", "w.x >= 5", "w.y > 1", "w.y = 4", "w.f", "not w.f", "w.g", "not w.g", "w.x > w.y",
    "w.x = 1 or w.f", "w.y < 2 and not w.g", "w.x < 0", "w.x >= 0", "w.x + w.y = 4", "w.x != 3",
]


class Draw:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def condition(self):
        return self.random.choice(CONDITIONS)

    def leaf_action(self):
        r = self.random
        kind = r.random()
        if kind < 0.45:
            return r.choice(ACTIONS)
        tactic = {"action": r.choice(ACTIONS)}
        if r.random() < 0.7:
            tactic["when"] = self.condition()
        if r.random() < 0.3:
            tactic["until"] = self.condition()
        if r.random() < 0.2:
            tactic["after"] = self.condition()
        if kind > 0.95:
            tactic = {"action": "abort", "when": self.condition()}
        return tactic

    def tactic(self, depth, adds):
        r = self.random
        if depth == 0 or r.random() < 0.35:
            if adds and r.random() < 0.3:
                return dict({"add_after": self.goal(0)}, **({"when": self.condition()} if r.random() < 0.5 else {}))
            return self.leaf_action()
        key = r.choice(["first_of", "any_of", "seq"])
        children = [self.tactic(depth - 1, adds) for _ in range(r.randint(1, 4))]
        if key == "first_of" and r.random() < 0.2:
            children.append("abort")
        return {key: children}

    def solve(self, adds):
        r = self.random
        if r.random() < 0.15:
            goal = {"distance": r.choice(["w.x - 3", "abs(w.x - 4)", "w.y - w.x"]), "tactic": self.tactic(2, adds)}
            if r.random() < 0.5:
                goal["epsilon"] = r.choice([0, 1, 2.5])
        else:
            goal = {"goal": self.condition(), "tactic": self.tactic(2, adds)}
        return goal

    def attributes(self, goal):
        r = self.random
        if r.random() < 0.3:
            goal["max"] = r.choice([0, 1, 2, 3, 5, 8, 20])
        if r.random() < 0.08:
            goal["fail_when"] = self.condition()
        if r.random() < 0.1 and "assert" not in goal:
            goal["assert"] = self.condition()
        return goal

    def goal(self, depth, in_line=False):
        r = self.random
        if depth == 0 or r.random() < 0.2:
            kind = r.random()
            if kind < 0.1:
                return r.choice(["success", "fail"])
            if kind < 0.25:
                return r.choice(["N", "O", "B"])
            if kind < 0.35:
                return self.attributes({r.choice(["check", "assert"]): self.condition()})
            if kind < 0.42:
                return self.attributes({"do": r.choice(ACTIONS)})
            if kind < 0.5:
                query = r.choice(["not i.on", "i.on", "i.weight < 10", "i.weight > 20"])
                return self.attributes({"deploy": "pressed", "with": {"e": "nearest(i in item where %s)" % query}})
            return self.attributes(self.solve(in_line))
        kind = r.choice(["seq", "first_of", "seq", "first_of", "repeat", "until", "if", "try_if", "while", "deploy",
                         "interruptible"])
        if kind in ("seq", "first_of"):
            children = [self.goal(depth - 1, True) for _ in range(r.randint(1, 4))]
            if kind == "first_of":
                children = [c for c in children[:-1] if c != "success"] + children[-1:]
            return self.attributes({kind: children})
        if kind in ("repeat", "until"):
            goal = {"repeat": self.goal(depth - 1)}
            if kind == "until":
                goal["until"] = self.condition()
            if r.random() < 0.5:
                goal["tries"] = r.randint(1, 4)
            return self.attributes(goal)
        if kind in ("if", "try_if"):
            goal = {kind: self.condition(), "then": self.goal(depth - 1)}
            if r.random() < 0.7:
                goal["else"] = self.goal(depth - 1)
            return self.attributes(goal)
        if kind == "while":
            return self.attributes({"while": self.condition(), "do": self.goal(depth - 1)})
        if kind == "deploy":
            return self.attributes({"deploy": r.choice(["N", "O", "B"])})
        handlers = [{"when": self.condition(), "do": self.goal(depth - 1)} for _ in range(r.randint(1, 2))]
        return self.attributes({"interruptible": self.goal(depth - 1), "handlers": handlers})

    def test(self):
        goals = {
            "N": {"goal": "w.x < 0", "tactic": "n", "max": 2},
            "O": {"goal": "w.x >= 0", "tactic": "o"},
            "B": {"goal": "w.x >= 0", "tactic": "b", "assert": "w.x != 5"},
            "pressed(e)": {"do": "press(e)", "max": 3, "assert": "e.on != e.on@before"},
        }
        return {
            "goals": goals,
            "goal": self.goal(self.random.randint(1, 4)),
            "budget": self.random.choice([None, None, 0, 1, 3, 9, 20, 40]),
            "cycles": 60,
        }


def main():
    driver, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    ends = {"success": 0, "failed": 0, "open": 0}
    tests = [Draw(seed * 1000003 + i).test() for i in range(count)]
    for at in range(0, count, 500):
        part = tests[at : at + 500]
        answer = subprocess.run([driver, "-"], input=json.dumps(part), capture_output=True, text=True)
        if answer.returncode != 0:
            sys.exit("the driver: %s" % answer.stderr)
        said = [text.split("\n") for text in answer.stdout.split("end\n")]
        for i, test in enumerate(part):
            expected = Pursuit(test).lines_of(test["cycles"])[:-1]
            found = said[i][:-1]
            ends[next((end for end in ("success", "failed") if found and found[-1].split()[2] == end), "open")] += 1
            if expected != found:
                print(json.dumps(test["goal"]), test["budget"])
                for number in range(max(len(expected), len(found))):
                    pair = [lines[number] if number < len(lines) else "-" for lines in (expected, found)]
                    print("%-40s %-40s%s" % (*pair, "" if pair[0] == pair[1] else "  <--"))
                    if pair[0] != pair[1]:
                        break
                sys.exit("structure %d of seed %d: expected on the left, found on the right" % (at + i, seed))
    print("%d goal structures: each cycle as by the rules; %s" % (count, ends))


if __name__ == "__main__":
    main()
