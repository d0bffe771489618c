#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""balance, reckoned once more in fractions: organizations are filled from who can give least to who can give most,
where the program looks for the level. Laws that need no reckoning are asked, too.

usage: reckoning.py BALANCE_CASES COUNT"""
import fractions
import subprocess
import sys

PROGRAM, COUNT = sys.argv[1], int(sys.argv[2])


def numbers(text):
    return [fractions.Fraction(float(word)) for word in text.split()]


def reckon(demand, share, reach, values, dispatchable, blocks):
    after, taken = list(values), set()
    if demand < 0:
        demand = sum(values) / len(values)
    for members in blocks:
        deviation = share * (demand * len(members) - sum(values[i] for i in members))
        up = deviation > 0
        limits = sorted((min(reach, 1 - values[i] if up else values[i]), i) for i in members
                        if i not in taken and dispatchable[i])
        left, givers = abs(deviation), len(limits)
        for limit, agent in limits:
            step = min(limit, left / givers)
            if step > 0:
                after[agent] = values[agent] + (step if up else -step)
                taken.add(agent)
            left -= step
            givers -= 1
    return after


lines = subprocess.run([PROGRAM, "7", str(COUNT)], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
assert len(lines) == COUNT
moved = met = short = 0
for line in lines:
    parameters, values, dispatchable, blocks, after, cost = line.split("|")
    values, after = numbers(values), numbers(after)
    dispatchable = [1] * len(values) if dispatchable.strip() == "-" else numbers(dispatchable)
    blocks = [[int(word) for word in block.split()] for block in blocks.split(";")]
    demand, share, reach = numbers(parameters)
    expected = reckon(demand, share, reach, values, dispatchable, blocks)
    assert max(abs(a - b) for a, b in zip(after, expected)) < 1e-12, line
    assert abs(numbers(cost)[0] - sum(abs(a - b) for a, b in zip(expected, values))) < 1e-12, line
    assert all(0 <= a <= 1 and abs(a - b) <= reach + fractions.Fraction(1, 10**12) and (d or a == b)
               for a, b, d in zip(after, values, dispatchable)), line
    moved += after != values
    wanted = sum(values) / len(values) if demand < 0 else demand
    for members in blocks:
        if share == 1 and members and sum(map(len, blocks)) == len(values):
            ends = abs(sum(after[i] for i in members) - wanted * len(members)) < 1e-9
            met += ends
            short += not ends
assert moved > COUNT / 2 and met > 0 and short > 0, (moved, met, short)
print(f"{COUNT} cases, {moved} with moves; demand met {met} times, not met for want of room {short} times")
