#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize of ten more algorithms of the field, written as a user would, beside an enumeration of all their states that shares nothing with it: verdicts on
each rung, ways in steps, moves and rounds, dead ends, expected steps; and each no is a loop that is closed, and fails again.

Dijkstra's four states on a line (Comm. ACM 1974), waves with feedback (Bui, Datta, Petit, Villain 1999), an independent set by identifiers in three states (Turau 2007),
asynchronous unison with a reset (Couvreur, Francez, Gouda 1992), colouring by coins (Gradinariu, Tixeuil 2000), Grundy colouring (Hedetniemi, Jacobs, Srimani 2003), the same by a randomized
conflict manager (Gradinariu, Tixeuil 2007), an independent set by identifiers (Ikeda, Kamei, Kakugawa 2002), a diffusing computation (Arora, Gouda 1993), a spanning tree
(Chen, Yu, Huang 1991); of some a variant that does not hold. And drawn systems of odd shapes: one process or two, parts that nobody joins, domains that differ, hold numbers
below nothing, or have gaps.

usage: test_stabilize_field.py CORRIDOR SOURCE MODULES [in-full]"""
import itertools
import json
import random

from stabilize_case import StabilizeCase, e2e

HEAD = "import corridor_process as corridor\nclass P(corridor.Rules):\n    name = 'p'\n"


class Coin(list):
    """Outcomes, each equally likely."""


class System:
    """domains: of each process its local states; rule(c, p): those to which it may go; legit(c)."""

    def __init__(self, domains, rule, legit):
        self.count, self.legit = len(domains), legit
        self.states = list(itertools.product(*domains))
        self.choices = {c: [rule(c, p) for p in range(self.count)] for c in self.states}
        self.enabled = {c: frozenset(p for p in range(self.count) if self.choices[c][p]) for c in self.states}
        self.draws = any(isinstance(o, Coin) for own in self.choices.values() for row in own for o in row)

    def steps(self, c, daemon):
        can = sorted(self.enabled[c])
        sets = {"central": [(p,) for p in can], "synchronous": [tuple(can)][:len(can)],
                "distributed": [s for k in range(1, len(can) + 1) for s in itertools.combinations(can, k)]}[daemon]
        for movers in sets:
            for rows in itertools.product(*(self.choices[c][p] for p in movers)):
                targets = []
                for values in itertools.product(*(row if isinstance(row, Coin) else [row] for row in rows)):
                    to = list(c)
                    for p, value in zip(movers, values):
                        to[p] = value
                    targets.append(tuple(to))
                yield movers, targets


def loops(nodes, steps):
    """Of strongly connected components (Kosaraju) with a step within: states, and who moves in it."""
    nodes = set(nodes)
    after = {v: [t for _, targets in steps[v] for t in targets if t in nodes] for v in nodes}
    before, order, seen = {v: [] for v in nodes}, [], set()
    for v in nodes:
        for t in after[v]:
            before[t].append(v)
    for root in nodes - seen:
        path = [] if root in seen else [(root, iter(after[root]))]
        seen.add(root)
        while path:
            to = next((t for t in path[-1][1] if t not in seen), None)
            if to is None:
                order.append(path.pop()[0])
            else:
                seen.add(to)
                path.append((to, iter(after[to])))
    left = set(nodes)
    for root in reversed(order):
        if root in left:
            left.discard(root)
            members, rest = {root}, [root]
            while rest:
                for v in before[rest.pop()]:
                    if v in left:
                        left.discard(v)
                        members.add(v)
                        rest.append(v)
            within = [set(movers) for v in members for movers, targets in steps[v] if members & set(targets)]
            if within:
                yield members, set().union(*within)


def enumerate_all(system, daemon):
    steps = {c: list(system.steps(c, daemon)) for c in system.states}
    stable = inside = {c for c in system.states if system.legit(c)}
    leaving = gone = {c for c in inside if any(t not in inside for _, targets in steps[c] for t in targets)}
    while gone:
        stable = stable - gone
        gone = {c for c in stable if any(t not in stable for _, targets in steps[c] for t in targets)}
    system.stable, outside = stable, [c for c in system.states if c not in stable]
    dead, found = [c for c in outside if not steps[c]], list(loops(outside, steps))
    # Strongly fair: for each set of processes, where no others can move is there a loop in which all who can move do?
    unjust = [moves >= set().union(*(system.enabled[c] for c in members)) for k in range(system.count + 1) for some in itertools.combinations(range(system.count), k)
              for members, moves in loops([c for c in outside if system.enabled[c] <= set(some)], steps)]
    back, rest, before = set(), list(stable), {}
    for c in outside:
        for _, targets in steps[c]:
            for t in targets:
                before.setdefault(t, set()).add(c)
    while rest:
        new = before.get(rest.pop(), set()) - back
        back |= new
        rest += new
    stays = set(outside)  # where a daemon can stay whatever is drawn
    while system.draws and (gone := {c for c in stays if steps[c] and not any(set(targets) <= stays for _, targets in steps[c])}):
        stays -= gone
    holds = {"unfair": not dead and not found,
             "weakly fair": not dead and not any(all(p in moves or any(p not in system.enabled[c] for c in members) for p in range(system.count)) for members, moves in found),
             "strongly fair": not dead and not any(unjust),
             "chance": len(back) == len(outside) and not (system.draws and stays)}
    said = {"states": len(system.states), "inside": len(inside), "stable": len(stable), "leaving": len(leaving), "dead_ends": len(dead),
            "in_loops": sum(len(members) for members, _ in found), "lost": len(outside) - len(back), "holds_from": next((rung for rung, is_so in holds.items() if is_so), "never")}
    if holds["unfair"]:
        ways, moves = dict.fromkeys(stable, 0), dict.fromkeys(stable, 0)
        while left := [c for c in outside if c not in ways]:
            for c in left:
                if all(t in ways for _, targets in steps[c] for t in targets):
                    ways[c] = 1 + max(ways[t] for _, targets in steps[c] for t in targets)
                    moves[c] = max(len(movers) + moves[t] for movers, targets in steps[c] for t in targets)
        said |= {"worst_steps": max(ways.values()), "worst_moves": max(moves.values()), "worst_states": list(ways.values()).count(max(ways.values()))}
    if holds["weakly fair"]:  # rounds, over states with those who have not had their turn: values from below
        rounds, rows, rest = {}, {}, [(c, system.enabled[c]) for c in outside]
        while rest:
            c, left = node = rest.pop()
            if node in rows:
                continue
            rows[node], rounds[node] = [], 0
            for movers, targets in steps[c]:
                for t in targets:
                    still = (left - set(movers)) & system.enabled[t]
                    to = None if t in stable else (t, still or system.enabled[t])
                    rows[node].append((to, int(to is None or not still)))
                    rest += [to] if to else []
        while any(rounds[node] < (most := max(over + (rounds[to] if to else 0) for to, over in rows[node])) and not rounds.update({node: most}) for node in rows):
            pass
        said["worst_rounds"] = max((rounds[c, system.enabled[c]] for c in outside), default=0)
    if holds["chance"]:
        value = dict.fromkeys(system.states, 0.)
        change = 1
        while change > 1e-12:
            change = 0
            for c in outside:
                of_choices = [sum(value[t] for t in targets) / len(targets) for _, targets in steps[c]]
                now = 1 + (max(of_choices) if system.draws else sum(of_choices) / len(of_choices))
                change, value[c] = max(change, now - value[c]), now
        said |= {"expected_worst": max(value.values()), "expected_mean": sum(value.values()) / len(value)}
    return said


def four_states(n):
    def rule(c, p):
        x, up = c[p]
        if p == 0:
            return [(1 - x, True)] if c[1][0] == x and not c[1][1] else []
        falls = [(1 - x, p < n - 1)] if c[p - 1][0] != x else []
        return falls + ([(x, False)] if p < n - 1 and c[p + 1][0] == x and up and not c[p + 1][1] else [])
    domains = [[(x, up) for x in (0, 1) for up in ([True] if p == 0 else [False] if p == n - 1 else [False, True])] for p in range(n)]
    text = """    def variables(self):
        return {"x": range(2), "up": ["yes"] if self.me == 0 else ["no"] if self.me == self.count - 1 else ["no", "yes"], "place": [self.me]}
    def rule(self, *near):
        left = next((v for v in near if v.me < self.me), None)
        right = next((v for v in near if v.me > self.me), None)
        if not left:
            return {"x": 1 - self.x} if right.x == self.x and right.up == "no" else None
        rows = []
        if left.x != self.x:
            rows.append({"x": 1 - self.x, "up": "yes" if right else "no"})
        if right and right.x == self.x and self.up == "yes" and right.up == "no":
            rows.append({"up": "no"})
        return rows
"""
    return (System(domains, rule, lambda c: sum(len(rule(c, p)) for p in range(n)) == 1), text, "line", n,
            ["attribute x: integer", "attribute up: words yes, no", "attribute place: integer", "attribute reads: agents",
             "invariant single: count(a in agents where any(b in a.reads: b.place < a.place and b.x != a.x)) + "
             "count(a in agents where any(b in a.reads: b.place > a.place and b.x == a.x and a.up == 'yes' and b.up == 'no')) == 1"])


def waves(n):
    def rule(c, p):
        own, below = c[p], c[p + 1:p + 2]
        if p == 0:
            return ["B"] if own == "C" and below != ("B",) and below != ("F",) else ["C"] if own == "B" and below in ((), ("F",)) else []
        if own == "B" and c[p - 1] != "B":
            return ["F"]
        if c[p - 1] == "B":
            return ["B"] if own == "C" and below in ((), ("C",)) else ["F"] if own == "B" and below in ((), ("F",)) else []
        return ["C"] if own == "F" and c[p - 1] == "C" else []
    text = """    def variables(self):
        return {"s": ["C", "B"] if self.me == 0 else ["C", "B", "F"], "place": [self.me]}
    def rule(self, *near):
        up, down = ([v.s for v in near if (v.me < self.me) == above] for above in (True, False))
        if not up:
            if self.s == "C" and all(s == "C" for s in down):
                return {"s": "B"}
            return {"s": "C"} if self.s == "B" and all(s == "F" for s in down) else None
        if self.s == "C" and up == ["B"] and all(s == "C" for s in down):
            return {"s": "B"}
        if self.s == "B" and (up != ["B"] or all(s == "F" for s in down)):
            return {"s": "F"}
        return {"s": "C"} if self.s == "F" and up == ["C"] else None
"""
    return (System([["C", "B"]] + [["C", "B", "F"]] * (n - 1), rule, lambda c: all(c[p] != "B" or c[p - 1] == "B" for p in range(1, n))), text, "line", n,
            ["attribute s: words C, B, F", "attribute place: integer", "attribute reads: agents",
             "invariant fed: all(a in agents: all(b in a.reads where b.place < a.place: a.s != 'B' or b.s == 'B'))"])


def independent_set(graph, patient=True):
    def rule(c, p):
        near = [c[q] for q in graph[p]]
        if "in" in near:
            return ["out"] if c[p] != "out" else []
        if c[p] == "out":
            return ["wait"]
        return ["in"] if c[p] == "wait" and not (patient and any(c[q] == "wait" and q < p for q in graph[p])) else []
    text = f"""    def variables(self):
        return {{"s": ["out", "wait", "in"]}}
    def rule(self, *near):
        if any(v.s == "in" for v in near):
            return {{"s": "out"}} if self.s in ("wait", "in") else None
        if self.s == "out":
            return {{"s": "wait"}}
        if self.s == "wait" and not any({patient} and v.s == "wait" and v.me < self.me for v in near):
            return {{"s": "in"}}
"""
    return (System([["out", "wait", "in"]] * len(graph), rule, lambda c: all(c[p] == ("out" if any(c[q] == "in" for q in graph[p]) else "in") for p in range(len(graph)))),
            text, graph, len(graph), ["attribute s: words out, wait, in", "attribute reads: agents",
                                      "invariant maximal: all(a in agents: a.s != 'wait' and (a.s == 'in') == all(b in a.reads: b.s == 'out'))"])


def unison(n, m, closed):
    graph = [[q % n for q in (p - 1, p + 1) if closed or 0 <= q < n] for p in range(n)]

    def rule(c, p):
        ahead = [(c[q] - c[p]) % m for q in graph[p]]
        if all(by in (0, 1, m - 1) for by in ahead):
            return [(c[p] + 1) % m] if m - 1 not in ahead else []
        return [0] if c[p] else []
    text = f"""    def variables(self):
        return {{"x": range({m})}}
    def rule(self, *near):
        if any(abs(self.x - v.x) not in (0, 1, {m - 1}) for v in near):
            return {{"x": 0}} if self.x > 0 else None
        if all(v.x in (self.x, (self.x + 1) % {m}) for v in near):
            return {{"x": (self.x + 1) % {m}}}
"""
    return (System([range(m)] * n, rule, lambda c: all((c[p] - c[q]) % m in (0, 1, m - 1) for p in range(n) for q in graph[p])), text, "ring" if closed else "line", n,
            ["attribute x: integer", "attribute reads: agents",
             f"invariant near: all(a in agents: all(b in a.reads: (a.x - b.x <= 1 and b.x - a.x <= 1) or a.x - b.x == {m - 1} or b.x - a.x == {m - 1}))"])


def coins(graph, colours):
    def rule(c, p):
        near = [c[q] for q in graph[p]]
        return [Coin([c[p], *(x for x in range(colours) if x not in near)])] if c[p] in near else []
    text = f"""    def variables(self):
        return {{"c": range({colours})}}
    def rule(self, *near):
        free = [c for c in range({colours}) if all(v.c != c for v in near)]
        if self.c not in free:
            return corridor.chance([{{"c": c}} for c in [*free, self.c]])
"""
    return (System([range(colours)] * len(graph), rule, lambda c: all(c[p] != c[q] for p in range(len(graph)) for q in graph[p])), text, graph, len(graph),
            ["attribute c: integer", "attribute reads: agents", "invariant proper: all(a in agents: all(b in a.reads: a.c != b.c))"])


def grundy(graph, by_coin=False):
    def rule(c, p):
        least = next(x for x in itertools.count() if all(c[q] != x for q in graph[p]))
        return [] if c[p] == least else [Coin([least, c[p]])] if by_coin else [least]
    most = max(map(len, graph)) + 1
    text = f"""    def variables(self):
        return {{"c": range({most})}}
    def rule(self, *near):
        least = min({{*range({most})}} - {{v.c for v in near}})
        if self.c != least:
            return corridor.chance([{{"c": least}}, {{"c": self.c}}]) if {by_coin} else {{"c": least}}
"""
    return (System([range(most)] * len(graph), rule, lambda c: not any(rule(c, p) for p in range(len(graph)))), text, graph, len(graph),
            ["attribute c: integer", "attribute reads: agents", "invariant proper: all(a in agents: all(b in a.reads: a.c != b.c))",
             "invariant least: all(a in agents: " + " and ".join(f"(a.c <= {x} or any(b in a.reads: b.c == {x}))" for x in range(most)) + ")"])


def set_by_numbers(graph, by_numbers=True):
    def rule(c, p):
        if c[p]:
            return [0] if any(c[q] and (q < p or not by_numbers) for q in graph[p]) else []
        return [] if any(c[q] for q in graph[p]) else [1]
    text = f"""    def variables(self):
        return {{"x": range(2)}}
    def rule(self, *near):
        if self.x == 1 and any(v.x == 1 and (v.me < self.me or not {by_numbers}) for v in near):
            return {{"x": 0}}
        return {{"x": 1}} if self.x == 0 and all(v.x == 0 for v in near) else None
"""
    return (System([(0, 1)] * len(graph), rule, lambda c: all(c[p] == (not any(c[q] for q in graph[p])) for p in range(len(graph)))), text, graph, len(graph),
            ["attribute x: integer", "attribute reads: agents", "invariant maximal: all(a in agents: (a.x == 1) == all(b in a.reads: b.x == 0))"])


def diffusing(n):
    def rule(c, p):
        (colour, turn), rows = c[p], []
        if p == 0 and colour == "green":
            rows.append(("red", 1 - turn))
        if p > 0 and (turn != c[p - 1][1] or (colour, c[p - 1][0]) == ("red", "green")):
            rows.append(c[p - 1])
        if colour == "red" and c[p + 1:p + 2] in ((), (("green", turn),)):
            rows.append(("green", turn))
        return list(dict.fromkeys(rows))
    text = """    def variables(self):
        return {"colour": ["green", "red"], "turn": range(2), "place": [self.me]}
    def rule(self, *near):
        up, down = ([v for v in near if (v.me < self.me) == above] for above in (True, False))
        rows = [{"colour": "red", "turn": 1 - self.turn}] if not up and self.colour == "green" else []
        if any(v.turn != self.turn or self.colour == "red" and v.colour == "green" for v in up):
            rows.append({"colour": up[0].colour, "turn": up[0].turn})
        if self.colour == "red" and all(v.colour == "green" and v.turn == self.turn for v in down):
            rows.append({"colour": "green"})
        return rows
"""
    return (System([[(colour, turn) for colour in ("green", "red") for turn in (0, 1)]] * n, rule,
                   lambda c: all(c[p] == c[p - 1] or (c[p][0], c[p - 1][0]) == ("green", "red") for p in range(1, n))), text, "line", n,
            ["attribute colour: words green, red", "attribute turn: integer", "attribute place: integer", "attribute reads: agents",
             "invariant waves: all(a in agents: all(b in a.reads where b.place < a.place: (a.colour == b.colour and a.turn == b.turn) or (a.colour == 'green' and b.colour == 'red')))"])


def spanning_tree(graph):
    n = len(graph)

    def rule(c, p):
        if p == 0:
            return []
        (level, parent), rows = c[p], []
        above = c[parent][0]
        if level < n and above < n and level != above + 1:
            rows.append((above + 1, parent))
        if level < n and above == n:
            rows.append((n, parent))
        return list(dict.fromkeys(rows + [(c[q][0] + 1, q) for q in graph[p] if level == n and c[q][0] < n - 1]))
    text = f"""    def variables(self):
        return {{"level": [0] if self.me == 0 else range(1, {n + 1}), "parent": sorted(self.neighbours), "place": [self.me]}}
    def rule(self, *near):
        if self.me == 0:
            return None
        (above,), rows = [v.level for v in near if v.me == self.parent], []
        if self.level < {n} and (above == {n} or self.level != above + 1):
            rows.append({{"level": min(above + 1, {n})}})
        return rows + [{{"level": v.level + 1, "parent": v.me}} for v in near if self.level == {n} and v.level < {n - 1}]
"""
    return (System([[(level, parent) for parent in sorted(graph[p]) for level in ([0] if p == 0 else range(1, n + 1))] for p in range(n)], rule,
                   lambda c: all(c[p][0] < n and c[p][0] == c[c[p][1]][0] + 1 for p in range(1, n))), text, graph, n,
            ["attribute level: integer", "attribute parent: integer", "attribute place: integer", "attribute reads: agents",
             f"invariant tree: all(a in agents where a.place > 0: a.level < {n} and all(b in a.reads where b.place == a.parent: a.level == b.level + 1))"])


def odd(rng):
    """A drawn table of rules."""
    graph = rng.choice(([[]], [[1], [0]], [[], []], [[1], [0], []], [[1], [0, 2], [1]], [[2], [], [0]]))
    domains = [rng.choice((range(2), range(-2, 1), [7, -3], [-1, 0, 100])) for _ in graph]
    values = [sorted(domain) for domain in domains]
    table = {(p, own, *near): [rng.choice([v for v in values[p] if v != own])] if rng.random() < 0.6 else []
             for p in range(len(graph)) for own in values[p] for near in itertools.product(*(values[q] for q in graph[p]))}
    rule = lambda c, p: table[p, c[p], *(c[q] for q in graph[p])]
    goal = rng.choice([sum(row) for row in itertools.product(*values)])
    text = f"""    def variables(self):
        return {{"x": {domains!r}[self.me]}}
    def rule(self, *near):
        return [{{"x": v}} for v in {table!r}[(self.me, self.x, *(v.x for v in near))]]
"""
    return (System(values, rule, lambda c: sum(c) == goal), text, graph, len(graph), ["attribute x: integer", f"invariant goal: sum(a in agents: a.x) == {goal}"])


BULL, FOUR = [[1, 2], [0, 2, 3], [0, 1, 4], [1], [2]], [[q for q in range(4) if q != p] for p in range(4)]
FIVE = [[(p - 1) % 5, (p + 1) % 5] for p in range(5)]
LINE, KITE = [[1], [0, 2], [1]], [[1, 2], [0, 2], [0, 1, 3], [2]]


class Field(StabilizeCase):
    def compare(self, system, text, graph, count, corridor, rungs):
        """rungs: on which it comes back by the daemons, central first, for whom reads."""
        self.program(HEAD + text + "corridor.run(P)\n")
        self.write(["structure observed", *corridor], count=count, stabilize={"graph": graph})
        rows = {row["daemon"]: row for row in self.rows("-o", "kept", "--force")}
        if rungs:
            self.assertEqual([rows[daemon]["holds_from"] for daemon in ("central", "distributed", "synchronous")], rungs)
        for daemon, row in rows.items():
            for key, value in enumerate_all(system, daemon).items():
                with self.subTest((daemon, key)):
                    if isinstance(value, float):
                        self.assertAlmostEqual(row[key], value, delta=1e-6)
                    else:
                        self.assertEqual(row[key], value)
            if row["verdict"] == "loops":
                name = f"kept/program.{daemon}.json"
                self.corridor("replay", name, "--trust", "--expect", "failing")
                self.check_loop(system, daemon, json.loads((self.folder / name).read_text()))

    def check_loop(self, system, daemon, test):
        """The moves of the file, one after the other from its start, lead back to it by steps of the enumeration, all outside."""
        columns = [values for name, values in test["process_test"]["start"].items() if name != "place"]
        first = at = tuple(columns[0]) if len(columns) == 1 else tuple(zip(*columns))
        groups = {}
        for event in test["schedule"]:
            groups.setdefault(event[-1], []).append(event[1])
        for _, movers in sorted(groups.items()):
            targets = [t for who, ts in system.steps(at, daemon) if who == tuple(sorted(movers)) for t in ts]
            self.assertEqual(len(targets), 1)
            self.assertNotIn(at, system.stable)  # that of this daemon
            at = targets[0]
        self.assertEqual(at, first)

    def test_they_hold(self):
        for made in (four_states(4), waves(4), independent_set(FIVE), unison(4, 6, False), *((four_states(5), waves(6), independent_set(BULL)) if e2e.IN_FULL else ())):
            self.compare(*made, ["unfair"] * 3)

    def test_they_do_not(self):
        for made, rungs in ((independent_set(FOUR, False), ["unfair", "chance", "never"]),
                            *(((independent_set(BULL, False), ["unfair", "chance", "never"]), (unison(4, 5, True), ["chance", "chance", "unfair"])) if e2e.IN_FULL else ())):
            self.compare(*made, rungs)

    def test_coins(self):
        for graph, colours in ((FOUR, 4), *(((FIVE, 3), (BULL, 4)) if e2e.IN_FULL else ())):
            self.compare(*coins(graph, colours), ["chance"] * 3)

    def test_ten_and_not_five(self):
        for made, rungs in ((set_by_numbers(FIVE), ["unfair"] * 3), (set_by_numbers(FOUR, False), ["unfair", "chance", "never"]),
                            (grundy(FIVE), ["unfair", "chance", "never"]), (grundy(LINE, True), ["chance"] * 3),
                            *(((grundy(BULL), ["unfair", "chance", "never"]), (diffusing(4), ["unfair"] * 3), (spanning_tree(KITE), ["unfair"] * 3)) if e2e.IN_FULL else
                              ((diffusing(3), ["unfair"] * 3),))):
            with self.subTest(made[1]):
                self.compare(*made, rungs)

    def test_odd_shapes(self):
        rng, left = random.Random(11), 40 if e2e.IN_FULL else 5
        while left > 0:
            made = odd(rng)
            if 0 < sum(map(made[0].legit, made[0].states)) < len(made[0].states):
                left -= 1
                with self.subTest(made[1]):
                    self.compare(*made, None)


if __name__ == "__main__":
    e2e.main()
