# SPDX-License-Identifier: GPL-3.0-or-later
"""The second implementation: what cor_stabilize finds, by other means, for spaces of some dozens of states. Loops are sought by who reaches whom; fair ones
as runs through a product that waits for each process in turn (weak), and by which processes are never able to move again (strong); rounds and longest ways by
relaxing until nothing changes; chance by solving equations."""
import itertools

DAEMONS = "central", "distributed", "synchronous"
FAIRNESSES = "unfair", "weak", "strong", "chance"


class Space:
    """moves[state][p]: choices of process p, each a list of target states that are equally likely, where p moves alone; deltas add up. To those
    that are not `owed` no fair daemon owes a turn, and no round waits for them."""

    def __init__(self, size, processes, inside, moves, owed=None):
        self.size, self.processes, self.inside, self.moves = size, processes, inside, moves
        self.owed = set(range(processes)) if owed is None else owed

    def text(self):
        lines = [f"space {self.size} {self.processes} {sum(1 << p for p in self.owed)}"]
        for state in range(self.size):
            said = [" ".join(map(str, (p, len(ends), *ends))) for p in range(self.processes) for ends in self.moves[state][p]]
            lines.append(f"{int(state in self.inside)} {len(said)} " + " ".join(said))
        return "\n".join(lines) + "\n"

    def actions(self, state, daemon):
        """[(movers, [target, ..])]: what a daemon can choose."""
        able = [p for p in range(self.processes) if self.moves[state][p]]
        sets = ([(p,) for p in able] if daemon == "central" else [tuple(able)] * bool(able) if daemon == "synchronous"
                else [c for k in range(1, len(able) + 1) for c in itertools.combinations(able, k)])
        for movers in sets:
            for choice in itertools.product(*(self.moves[state][p] for p in movers)):
                yield frozenset(movers), [state + sum(end - state for end in ends) for ends in itertools.product(*choice)]


def closure(nodes, arcs):
    """Who can be met from each node by one arc or more."""
    reach = {n: set() for n in nodes}
    for n in nodes:
        left = list(arcs.get(n, ()))
        while left:
            m = left.pop()
            if m not in reach[n]:
                reach[n].add(m)
                left += arcs.get(m, ())
    return reach


def shortest_loop(states, arcs):
    """Steps of the shortest loop through these states; 0: there is none."""
    lengths = []
    for start in states:
        met, level, length = set(), {start}, 0
        while level and start not in met:
            level = {t for s in level for t in arcs[s]} - met
            met |= level
            length += 1
        lengths += [length] * (start in met)
    return min(lengths, default=0)


def lasso(states, steps, enabled, processes, fairness):
    """Is there a run for ever through these states that is so fair?"""
    if fairness == "unfair":
        reach = closure(states, {s: [t for _, t in steps[s] if t in states] for s in states})
        return any(s in reach[s] for s in states)
    tries = [()] if fairness == "weak" else [d for k in range(processes + 1) for d in itertools.combinations(range(processes), k)]
    for never in tries:  # strong: these are never able to move again, all others move again and again
        kept = {s for s in states if not any(p in enabled[s] for p in never)}
        waiting = [p for p in range(processes) if p not in never]
        arcs, nodes = {}, [(s, i) for s in kept for i in range(len(waiting) + 1)]
        for s, i in nodes:
            for movers, t in steps[s]:
                if t in kept:
                    p = waiting[i] if i < len(waiting) else None
                    done = p is None or p in movers or (fairness == "weak" and p not in enabled[s])
                    arcs.setdefault((s, i), set()).add((t, 0 if p is None else i + 1 if done else i))
        reach = closure(nodes, arcs)
        if any((s, len(waiting)) in reach[(s, len(waiting))] for s in kept):
            return True
    return False


def end_components(states, actions):
    """By state the greatest set in which a daemon can go round for ever, whatever is drawn."""
    parts = dict.fromkeys(states)
    while True:
        arcs = {s: {t for _, ends in actions[s] if all(t in parts and parts[t] == parts[s] for t in ends) for t in ends} for s in parts}
        reach = closure(parts, arcs)
        less = {s: frozenset(t for t in reach[s] if s in reach[t]) for s in parts if s in reach[s]}
        if less == parts:
            return parts
        parts = less


def solve(rows, size):
    """x = rows[i][0] + sum of rows[i][1][j] x[j], by elimination."""
    a = [[(1.0 if i == j else 0.0) - rows[i][1].get(j, 0.0) for j in range(size)] + [rows[i][0]] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(a[r][i]))
        a[i], a[pivot] = a[pivot], a[i]
        for r in range(size):
            if r != i and a[r][i]:
                f = a[r][i] / a[i][i]
                a[r] = [x - f * y for x, y in zip(a[r], a[i])]
    return [a[i][size] / a[i][i] for i in range(size)]


def expected(actions, outside, draws):
    number = {s: i for i, s in enumerate(outside)}
    def row(choices):
        all_ends = [t for ends in choices for t in ends]
        shares = {}
        for t in all_ends:
            if t in number:
                shares[number[t]] = shares.get(number[t], 0) + 1 / len(all_ends)
        return 1.0, shares
    if not draws:
        return solve([row([ends for _, ends in actions[s]]) for s in outside], len(outside))
    policy = [0] * len(outside)
    while True:
        value = solve([row([actions[s][policy[i]][1]]) for i, s in enumerate(outside)], len(outside))
        worth = lambda s, k: (lambda r: r[0] + sum(w * value[j] for j, w in r[1].items()))(row([actions[s][k][1]]))
        better = [max(range(len(actions[s])), key=lambda k: worth(s, k)) for s in outside]
        if all(worth(s, better[i]) <= worth(s, policy[i]) + 1e-11 for i, s in enumerate(outside)):
            return value
        policy = [better[i] if worth(s, better[i]) > worth(s, policy[i]) + 1e-11 else policy[i] for i, s in enumerate(outside)]


def longest(nodes, steps):
    """steps[n]: [(weight, target or None)]; the greatest weight of a way to None, None: without end. All nodes have steps, else it is without end."""
    value = {n: 0 for n in nodes}
    for _ in range(2 * len(nodes) + 2):
        new = {n: max((w + (0 if t is None else value[t]) for w, t in steps[n]), default=float("inf")) for n in nodes}
        if new == value:
            return value
        value = new
    limit = sum(max((w for w, _ in steps[n]), default=0) for n in nodes)
    return {n: v if v <= limit else float("inf") for n, v in value.items()} if all(v <= limit for v in value.values()) else None


def find(space, daemon, fairness="unfair", met=None, starts=None):
    actions = [list(space.actions(s, daemon)) for s in range(space.size)]
    steps = [[(movers, t) for movers, ends in a for t in ends] for a in actions]
    enabled = [{p for p in space.owed if space.moves[s][p]} for s in range(space.size)]
    every = list(range(space.size))
    if starts is not None:  # what comes of these
        every, left = [], list(starts)
        while left:
            s = left.pop()
            if s not in every:
                every.append(s)
                left += [t for _, t in steps[s]]
        every.sort()
    inside = set(space.inside) & set(every)
    stable = set(inside)
    while any(t not in stable for s in stable for _, t in steps[s]):
        stable = {s for s in stable if all(t in stable for _, t in steps[s])}
    outside = [s for s in every if s not in stable]
    rest = set(outside)
    reach = closure(every, {s: [t for _, t in steps[s]] for s in every})
    within = closure(outside, {s: [t for _, t in steps[s] if t in rest] for s in outside})
    dead = [s for s in outside if not steps[s]]
    draws = any(len(ends) > 1 for s in every for p in range(space.processes) for ends in space.moves[s][p])
    stay = set(outside) if draws else set()
    while True:
        less = {s for s in stay if not actions[s] or any(all(t in stay for t in ends) for _, ends in actions[s])}
        if less == stay:
            break
        stay = less
    lost = [s for s in outside if not reach[s] & stable]
    found = {"asked": len(every), "steps": sum(len(set(steps[s])) if not draws else len(steps[s]) for s in every), "inside": len(inside), "stable": len(stable),
             "leaving": sum(any(t not in inside for _, t in steps[s]) for s in inside), "dead_ends": len(dead),
             "in_loops": sum(s in within[s] for s in outside), "lost": len(lost), "can_stay": len(stay)}
    for name in FAIRNESSES[:3]:
        found[name] = not dead and not lasso(rest, steps, enabled, space.processes, name)
    found["shortest"] = shortest_loop(outside, {s: {t for _, t in steps[s] if t in rest} for s in outside})
    found["chance"] = not lost and not stay
    for name in FAIRNESSES[1:3]:  # a loop through what is drawn may have probability 0
        found[name + "_open"] = bool(draws and stay and not found[name] and not dead and not lost)
    found["from"] = next((name for name in FAIRNESSES if found[name]), "never")
    for name, weigh in (("worst_steps", lambda m: 1), ("worst_moves", len)):
        if found["unfair"]:
            values = longest(outside, {s: [(weigh(m), None if t in stable else t) for m, t in steps[s]] for s in outside})
            found[name] = max(values.values(), default=0)
            if name == "worst_steps":
                found["worst_states"] = sum(v == found[name] for v in values.values()) if outside else len(every)
                found["mean_steps"] = sum(values.values()) / len(every)
        else:
            found[name] = None
    if found["weak"]:
        nodes, arcs, left = set(), {}, [(s, frozenset(enabled[s])) for s in outside]
        while left:
            node = left.pop()
            if node in nodes:
                continue
            nodes.add(node)
            s, waiting = node
            arcs[node] = []
            for movers, t in steps[s]:
                if t in stable:
                    arcs[node].append((0, None))
                    continue
                still = (waiting - movers) & enabled[t]
                to = (t, still or frozenset(enabled[t]))
                arcs[node].append((0 if still else 1, to))
                left.append(to)
        value = longest(nodes, arcs)
        found["worst_rounds"] = max((value[(s, frozenset(enabled[s]))] + 1 for s in outside), default=0)
    else:
        found["worst_rounds"] = None
    if found["chance"] and outside:
        values = expected(actions, outside, draws)
        found["expected_worst"], found["expected_mean"] = max(values), sum(values) / len(every)
    if met is not None:
        without = {s for s in stable if s not in met}
        found["again_dead_ends"] = sum(not steps[s] for s in without)
        found["again_open"] = False
        if fairness == "chance" and not draws:
            again = closure(stable, {s: [t for _, t in steps[s]] for s in stable})
            fails = found["again_dead_ends"] > 0 or any(not again[s] & (stable - without) for s in without)
        else:
            kept, ways = set(without), steps
            if draws:
                while any(actions[s] and not any(all(t in kept for t in ends) for _, ends in actions[s]) for s in kept):
                    kept = {s for s in kept if not actions[s] or any(all(t in kept for t in ends) for _, ends in actions[s])}
                ways = [[(m, t) for m, ends in actions[s] if all(t in kept for t in ends) for t in ends] for s in range(space.size)]
            fails = found["again_dead_ends"] > 0 or lasso(kept, ways, enabled, space.processes, "unfair" if fairness == "chance" else fairness)
            if draws and fairness in FAIRNESSES[1:3] and not found["again_dead_ends"]:
                found["again_open"], fails = bool(fails), False
        found["again_failing"] = 0 if fails else None
    return found, steps, enabled, stable


def stays(space, daemon, goal):
    """By chance, where can be gone on for ever outside of these states: of each."""
    actions = [list(space.actions(s, daemon)) for s in range(space.size)]
    if any(len(ends) > 1 for s in range(space.size) for p in range(space.processes) for ends in space.moves[s][p]):
        kept = set(range(space.size)) - goal
        while less := {s for s in kept if not any(all(t in kept for t in ends) for _, ends in actions[s])}:
            kept -= less
    else:
        reach = closure(range(space.size), {s: [t for _, ends in actions[s] for t in ends] for s in range(space.size)})
        kept = {s for s in range(space.size) if not (reach[s] | {s}) & goal}
    return [int(s in kept) for s in range(space.size)]


def check_turns(found, steps, enabled, stable, processes, actions=None):
    """The runs that are shown are such."""
    for name in "worst", "loop", "again_loop":
        turns = found[name]
        for i, (state, movers) in enumerate(turns):
            who = frozenset(p for p in range(processes) if movers >> p & 1)
            is_last = i + 1 == len(turns)
            if name == "worst" and is_last:
                assert state in stable and movers == 0, (name, turns)
                continue
            assert (who, turns[(i + 1) % len(turns)][0]) in steps[state], (name, turns, i)
            assert (state in stable) == (name == "again_loop"), (name, turns)
    if found["worst"]:
        assert len(found["worst"]) - 1 == found["worst_steps"], found
    for name in "loop", "again_loop":
        if found[name] and actions is not None:  # whatever is drawn a daemon can go on there: the loop is no accident
            states = [state for state in range(len(actions)) if (state in stable) == (name == "again_loop")]
            parts = end_components(states, actions)
            assert all(state in parts for state, _ in found[name]) and len({parts[state] for state, _ in found[name]}) == 1, (name, found[name])
    if found["loop"]:
        moved = set().union(*({p for p in range(processes) if movers >> p & 1} for _, movers in found["loop"]))
        able = [enabled[state] for state, _ in found["loop"]]
        if found["loop_fairness"] == "strong":
            assert set().union(*able) <= moved, found["loop"]
        if found["loop_fairness"] == "weak":
            assert set.intersection(*map(set, able)) <= moved, found["loop"]
        if found["loop_fairness"] == "unfair":
            assert len(found["loop"]) == found["shortest"] or found["can_stay"], found["loop"]
