# SPDX-License-Identifier: GPL-3.0-or-later
"""PSOPP as one writes it in numpy: a label for each agent, overlaps by counting (experiments/bench/peers.c).

Usage: psopp.py PROBLEM ANSWER. The answer: seconds of processor time for a search, its value, a label for each agent."""

import sys
import time

import numpy as np

numbers = open(sys.argv[1]).read().split()
n, size_min, size_max, count_min, count_max, moves = map(int, numbers[:6])
values = np.array(numbers[6 : 6 + n], float)
values -= values.mean()
random = np.random.default_rng(1)
PARTICLES, C_RANDOM, C_OWN = 4, 0.34, 0.33


def value_of(label):
    sizes = np.bincount(label)
    means = np.bincount(label, values)[sizes > 0] / sizes[sizes > 0]
    return np.sqrt(np.mean(means**2))


def start():
    count = random.integers(max(count_min, -(-n // size_max)), min(count_max, n // size_min) + 1)
    return random.permutation(np.arange(n) % count)


def split(label, block, part):
    label[part] = np.flatnonzero(np.bincount(label, minlength=count_max + 1) == 0)[0]


def random_move(label):
    sizes = np.bincount(label, minlength=count_max + 1)
    live = np.flatnonzero(sizes)
    kind = random.integers(3)
    large = live[sizes[live] >= 2 * size_min]
    if kind == 0 and len(live) < count_max and len(large):
        block = random.choice(large)
        part = random.choice(np.flatnonzero(label == block), random.integers(size_min, sizes[block] - size_min + 1), False)
        split(label, block, part)
        return
    one, other = random.choice(live, 2, False)
    if kind == 1 and len(live) > count_min and sizes[one] + sizes[other] <= size_max:
        label[label == one] = other
        return
    a, b = random.choice(np.flatnonzero(label == one)), random.choice(np.flatnonzero(label == other))
    label[a], label[b] = other, one


def approach_split(label, target):
    sizes = np.bincount(label, minlength=count_max + 1)
    agent = random.integers(n)
    group = (label == label[agent]) & (target == target[agent])
    fits = size_min <= group.sum() <= sizes[label[agent]] - size_min and (sizes > 0).sum() < count_max
    if fits:
        split(label, label[agent], group)
    return fits


def approach_join(label, target):
    sizes = np.bincount(label, minlength=count_max + 1)
    agent = random.integers(n)
    mine = label[agent]
    blocks, shared = np.unique(label[target == target[agent]], return_counts=True)
    for other, right in zip(blocks, shared):
        wins = 2 * right > sizes[other] and 2 * shared[blocks == mine][0] > sizes[mine]
        if other != mine and wins and sizes[mine] + sizes[other] <= size_max and (sizes > 0).sum() > count_min:
            label[label == mine] = other
            return True
    return False


def approach_exchange(label, target):
    sizes = np.bincount(label, minlength=count_max + 1)
    group = np.flatnonzero(target == target[random.integers(n)])
    home = np.bincount(label[group]).argmax()
    strays = group[label[group] != home]
    if not len(strays):
        return False
    stray = random.choice(strays)
    if sizes[home] < size_max and sizes[label[stray]] > size_min:
        label[stray] = home
        return True
    foreign = np.flatnonzero((label == home) & (target != target[stray]))
    if not len(foreign):
        return False
    label[random.choice(foreign)] = label[stray]
    label[stray] = home
    return True


def approach(label, target):
    for way in random.permutation([approach_split, approach_join, approach_exchange]):
        if any(way(label, target) for _ in range(4)):
            return True
    return False


began = time.process_time()
positions = [start() for _ in range(PARTICLES)]
bests = [(value_of(label), label.copy()) for label in positions]
for i in range(moves):
    p = i % PARTICLES
    direction = random.random()
    target = bests[p][1] if direction < C_RANDOM + C_OWN else min(bests, key=lambda best: best[0])[1]
    if direction < C_RANDOM or not approach(positions[p], target):
        random_move(positions[p])
    found = value_of(positions[p])
    if found < bests[p][0]:
        bests[p] = found, positions[p].copy()
found, label = min(bests, key=lambda best: best[0])
seconds = time.process_time() - began
with open(sys.argv[2], "w") as answer:
    print(f"{seconds:.9g} {found:.17g}", *label, file=answer)
