# SPDX-License-Identifier: GPL-3.0-or-later
"""A case of the test model in numpy: all agents change, the invariant is looked at (experiments/bench/peers.c).

Usage: step.py PROBLEM ANSWER. The answer: seconds of processor time for a case, sum of all values, alarms."""

import sys
import time

import numpy as np

numbers = iter(open(sys.argv[1]).read().split())


def whole():
    return int(next(numbers))


agents, groups, chains, cases = whole(), whole(), whole(), whole()
threshold = float(next(numbers))
group = np.empty(agents, int)
chain, states, relevant_at, next_at, level_at = (np.empty(groups, int) for _ in range(5))
relevant, table, level = [], [], []
for g in range(groups):
    first, end, chain[g], environment, kinds, states[g] = (whole() for _ in range(6))
    group[first:end] = g
    relevant_at[g], next_at[g], level_at[g] = len(relevant), len(table), len(level)
    relevant += [whole() for _ in range(environment)]
    table += [whole() for _ in range(kinds * states[g])]
    level += [float(next(numbers)) for _ in range(states[g])]
relevant, table, level = np.array(relevant), np.array(table), np.array(level)
columns = np.array([float(next(numbers)) for _ in range(4 * agents)]).reshape(agents, 4).T
state, value, inertia, partition = columns[0].astype(int), columns[1].copy(), columns[2].copy(), columns[3].astype(int)
walk = np.array([whole() for _ in range(cases * chains)]).reshape(cases, chains)
sizes = np.bincount(partition)
sums = np.bincount(partition, value)
alarms = 0
began = time.process_time()
for environment in walk:
    row = next_at + relevant[relevant_at + environment[chain]] * states
    state = table[row[group] + state]
    step = inertia * (level[level_at[group] + state] - value)
    value += step
    sums += np.bincount(partition, step)
    means = sums / sizes
    alarms += int(means.max() - means.min() > threshold)
seconds = (time.process_time() - began) / cases
with open(sys.argv[2], "w") as answer:
    print(f"{seconds:.9g} {value.sum():.17g} {alarms}", file=answer)
