#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of schedules, from their definitions: every order of a small tree of messages has the probability
that counting priorities and change points gives, pct finds every order of d messages as often as it promises,
and bounded schedules by number are those, each once, that lists of messages that wait give."""

import collections
import fractions
import itertools
import math
import subprocess
import sys

PROGRAM = sys.argv[1]
RUNS = 6000
# Message by message, the one in whose handling it is sent.
TREES = [(-1, -1, -1), (-1, 0, 1, -1), (-1, 0, 0, -1), (-1, -1, 0, 1, 1), (-1, -1, 0, 0, 2)]


def runs(tree, *words):
    done = subprocess.run([PROGRAM, ",".join(map(str, tree)), *map(str, words)], check=True,
                          stdout=subprocess.PIPE, text=True)
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def children(tree, message):
    return [i for i, parent in enumerate(tree) if parent == message]


def chains(tree):
    """Which chain a message is of: that of its parent for the first child, else one of its own."""
    of, count = {}, 0
    for i, parent in enumerate(tree):
        if parent >= 0 and children(tree, parent)[0] == i:
            of[i] = of[parent]
        else:
            of[i], count = count, count + 1
    return of, count


def pct_order(tree, of, priorities, points):
    """Burckhardt et al. 2010, with chains for threads: the greatest priority goes; d - 1 falls."""
    now, pending, order = list(priorities), children(tree, -1), []
    while pending:
        for i, point in enumerate(points):
            if point == len(order):
                first = max(pending, key=lambda m: now[of[m]])
                now[of[first]] = i - len(points)
        first = max(pending, key=lambda m: now[of[m]])
        pending.remove(first)
        order.append(first)
        pending += children(tree, first)
    return tuple(order)


def pct_law(tree, depth, messages):
    of, width = chains(tree)
    law = collections.Counter()
    for priorities in itertools.permutations(range(width)):
        for points in itertools.product(range(messages), repeat=depth - 1):
            law[pct_order(tree, of, priorities, points)] += 1
    total = math.factorial(width) * messages ** (depth - 1)
    return {order: fractions.Fraction(count, total) for order, count in law.items()}, width


def tail(n, k, p):
    """The smaller one of P(X <= k) and P(X >= k)."""
    def term(j):
        if p in (0, 1):
            return float(j == n * p)
        return math.exp(math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) + j * math.log(p)
                        + (n - j) * math.log1p(-p))
    return min(math.fsum(map(term, range(k + 1))), math.fsum(map(term, range(k, n + 1))))


def bounded_order(tree, held):
    """In sending order; held numbers wait until nothing else moves."""
    pending, order, sent = [], [], 0
    for m in children(tree, -1):
        pending.append((sent, m))
        sent += 1
    while pending:
        free = [p for p in pending if p[0] not in held]
        first = min(free) if free else min(pending, key=lambda p: held.index(p[0]))
        pending.remove(first)
        order.append(first[1])
        for m in children(tree, first[1]):
            pending.append((sent, m))
            sent += 1
    return tuple(order)


def lists(n, bound):
    return [held for size in range(bound + 1) for held in itertools.permutations(range(n), size)]


def possible(tree):
    """All orders in which the messages can arrive."""
    def grow(order, pending):
        if not pending:
            yield tuple(order)
        for m in pending:
            yield from grow(order + [m], [p for p in pending if p != m] + children(tree, m))
    return list(grow([], children(tree, -1)))


def strongly_hits(tree, order, messages):
    """After each of the messages comes nothing but what some later one of them, or itself, causes."""
    def caused(m, by):
        while m >= 0 and m != by:
            m = tree[m]
        return m == by
    place = {m: i for i, m in enumerate(order)}
    return all(any(caused(m, later) for later in messages[i:])
               for i, message in enumerate(messages) for m in order[place[message]:])


def check_pct_law(tree, depth, messages):
    law, width = pct_law(tree, depth, messages)
    seen = collections.Counter(runs(tree, "pct", depth, messages, RUNS))
    assert set(seen) <= set(law), (tree, depth, set(seen) - set(law))
    for order, probability in law.items():
        if tail(RUNS, seen[order], float(probability)) < 1e-7:
            sys.exit(f"{tree} depth {depth} of {messages}: {order} came {seen[order]} times of {RUNS}, expected {probability}")
    return law, width


def check_pct(tree, depth):
    messages = len(tree)
    law, width = check_pct_law(tree, depth, messages)
    # With as many as there are, a change point before the last delivery changes nothing, as does one behind it: which
    # deliveries the points fall on shows when they are drawn among fewer, or more.
    for other in (1, 2, messages + 1):
        check_pct_law(tree, depth, other)
    least = min(sum(p for order, p in law.items() if strongly_hits(tree, order, wanted))
                for wanted in itertools.permutations(range(messages), depth)
                if any(strongly_hits(tree, order, wanted) for order in possible(tree)))
    # Each handling has one cause, so there are as many chains as the order is wide, and not up to the square.
    assert least >= fractions.Fraction(1, width * messages ** (depth - 1)), (tree, depth, least)
    return least, fractions.Fraction(1, width ** 2 * messages ** (depth - 1))


def check_bounded(tree, bound):
    n = len(tree)
    expected = collections.Counter(bounded_order(tree, held) for held in lists(n, bound))
    count = sum(expected.values())
    counted = collections.Counter(runs(tree, "counted", bound, 0, count))
    assert counted == expected, (tree, bound)
    halves = runs(tree, "counted", bound, 0, count // 2) + runs(tree, "counted", bound, count // 2,
                                                                count - count // 2)
    assert collections.Counter(halves) == expected
    law = collections.Counter()
    for drawn in itertools.product(range(n), repeat=bound):
        law[bounded_order(tree, list(dict.fromkeys(drawn)))] += fractions.Fraction(1, n ** bound)
    seen = collections.Counter(runs(tree, "bounded", bound, n, RUNS))
    assert set(seen) <= set(law)
    for order, probability in law.items():
        assert tail(RUNS, seen[order], float(probability)) > 1e-7, (tree, bound, order)
    return count


def check_numbers():
    """Far behind, numbers still name each list once: of a tree so wide that all they hold is there."""
    tree = (-1,) * 40
    got = runs(tree, "counted", 2, 0, 1 + 40 + 40 * 39)
    assert collections.Counter(got) == collections.Counter(bounded_order(tree, h) for h in lists(40, 2))


for tree in TREES:
    for depth in (1, 2, 3):
        least, promised = check_pct(tree, depth)
        print(f"pct {tree} depth {depth}: the rarest order of {depth} has probability {least},"
              f" promised {promised}")
    for bound in (0, 1, 2, 3):
        print(f"bounded {tree} bound {bound}: {check_bounded(tree, bound)} schedules, each once")
check_numbers()
