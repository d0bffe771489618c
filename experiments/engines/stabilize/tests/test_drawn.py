#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn tables of rules, with alternatives and coins, under each daemon: all that is found of them beside the second implementation of naive.py;
of a third of them not all states are asked about, and in a third not everybody is owed a turn.

usage: test_drawn.py PROGRAM COUNT [SEED]"""
import itertools
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import naive  # noqa: E402
from published import ask  # noqa: E402


def draw(rng):
    processes = rng.randint(1, 4)
    values = [rng.randint(2, 3 if processes < 4 else 2) for _ in range(processes)]
    states = list(itertools.product(*map(range, values)))
    number = {state: n for n, state in enumerate(states)}
    reads = [[q for q in range(processes) if q != p and rng.random() < 0.7] for p in range(processes)]
    idle, alternatives, coins = rng.choice((0.2, 0.5, 0.8)), rng.choice((0, 0.3)), rng.choice((0, 0, 0.4))
    moves = [[None] * processes for _ in states]
    for p in range(processes):
        table = {}
        for state in states:
            view = (state[p], *(state[q] for q in reads[p]))
            if view not in table:
                count = 0 if rng.random() < idle else 2 if rng.random() < alternatives else 1
                rows = [tuple(rng.randrange(values[p]) for _ in range(2 if rng.random() < coins else 1)) for _ in range(count)]
                table[view] = list(dict.fromkeys(rows))
            moves[number[state]][p] = [[number[state[:p] + (value,) + state[p + 1:]] for value in row] for row in table[view]]
    share = rng.choice((0.1, 0.3, 0.6))
    inside = {n for n in range(len(states)) if rng.random() < share}
    owed = {p for p in range(processes) if rng.random() < 0.7} if rng.random() < 0.3 else None
    space = naive.Space(len(states), processes, inside, moves, owed)
    if rng.random() < 0.8:  # what is never left, and all states in which nobody can move, so that many come back
        left = [n for n in range(len(states)) if not any(moves[n])] + rng.sample(range(len(states)), rng.randint(0, 2))
        inside.clear()
        while left:
            n = left.pop()
            if n not in inside:
                inside.add(n)
                left += [t for _, ends in space.actions(n, "distributed") for t in ends]
    return space


def is_same(mine, other):
    return math.isclose(mine, other, rel_tol=1e-6, abs_tol=1e-6) if float in (type(mine), type(other)) and None not in (mine, other) else mine == other


def draw_wide(rng, daemon):
    """Too many states, many of which have too many moves where one process moves at a time, for all of them to be remembered at once where they are not kept. Which
    numbers states have is drawn then, so that two that have the same place there come one behind the other; where several move it is what each adds."""
    values, most = 13, 12 if daemon == "central" else rng.choice((1, 2, 8))
    states = list(itertools.product(range(values), repeat=3))
    tables = [[[sorted(rng.sample(range(v), rng.randint(int(v > 0 and u % 5 == 0), min(v, most)))) for u in range(values)] for v in range(values)] for _ in range(3)]
    number = list(range(len(states)))
    if daemon == "central":
        rng.shuffle(number)
    moves = [None] * len(states)
    for n, state in enumerate(states):
        moves[number[n]] = [[[number[n + (value - state[p]) * values ** (2 - p)]] for value in tables[p][state[p]][state[p - 1]]] for p in range(3)]
    return naive.Space(len(states), 3, {n for n, of in enumerate(moves) if not any(of)}, moves, None)


def main():
    program, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 7
    rng, compared, kinds = random.Random(seed), 0, {}
    for first in range(0, count, 200):
        spaces, texts = [], []
        for _ in range(min(200, count - first)):
            space = draw(rng)
            met = sorted(rng.sample(range(space.size), rng.randint(0, space.size)))
            daemon, fairness = rng.choice(naive.DAEMONS), rng.choice(naive.FAIRNESSES)
            starts = sorted(set(rng.sample(range(space.size), rng.randint(1, 1 + space.size // 4))) | space.inside) if len(spaces) % 3 == 0 else None
            said = "" if starts is None else f" starts {len(starts)} " + " ".join(map(str, starts))
            spaces.append((space, met, daemon, fairness, starts))
            texts.append((space.text(), [f"again {len(met)} " + " ".join(map(str, met)) + said, f"ask {daemon} {fairness}", f"ask_stay {daemon} {'met' if len(met) % 2 else 'stable'}"]))
        for (space, met, daemon, fairness, starts), (text, asked), (answer, stays) in zip(spaces, texts, ask(program, texts)):
            known, steps, enabled, stable = naive.find(space, daemon, fairness, set(met), starts)
            for key, value in known.items():
                if not is_same(answer[key], value):
                    print(f"{key} is {answer[key]}, and {value} by the second implementation: {daemon}, {fairness}, met {met}, starts {starts}\n{text}")
                    return 1
            where = naive.stays(space, daemon, set(met) if asked[2].endswith("met") else stable)
            if stays != where:
                print(f"one can stay in {stays}, and in {where} by the second implementation: {asked[2]}, met {met}\n{text}")
                return 1
            draws = any(len(ends) > 1 for of in space.moves for choices in of for ends in choices)
            naive.check_turns(answer, steps, enabled, stable, space.processes, [list(space.actions(s, daemon)) for s in range(space.size)] if draws else None)
            compared += 1
            kinds[answer["from"]] = kinds.get(answer["from"], 0) + 1
    for number in range(30):  # the same, whether what states can do is kept or asked again
        daemon = naive.DAEMONS[number % 3]
        space = draw_wide(rng, daemon)
        kept, again = ask(program, [(space.text(), ["keep 16777216", f"ask {daemon} unfair", "keep 0", f"ask {daemon} unfair"])])[0]
        if kept != again or kept["worst_steps"] is None:
            print(f"{daemon}: with all moves kept {kept}\n, and asked again {again}\n{space.text()}")
            return 1
    print(f"{compared} passed, 0 failed, 0 skipped: {kinds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
