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


def meant(text):
    """What is shown to it: sixteenths, or tenths, which are meant exactly."""
    return [number.limit_denominator(16) for number in numbers(text)]


def reckon(demand, share, reach, values, dispatchable, blocks, fault=0):
    after, taken = list(values), set()
    if demand < 0:
        demand = sum(values) / len(values)
    for number, members in enumerate(blocks):
        deviation = share * (demand * len(members) - sum(values[i] for i in members))
        if fault == 1 and number + 1 == len(blocks) > 1:  # the last is left
            continue
        up = (deviation > 0) != (fault == 3 and len(members) >= 8)
        if deviation == 0:
            continue
        limits = sorted((min(reach, 1 - values[i] if up else values[i]), i) for i in members
                        if i not in taken and dispatchable[i])
        left, givers = abs(deviation), sum(limit > 0 for limit, _ in limits)
        if fault == 2:  # each as if nobody were at an end
            for limit, agent in limits:
                if limit > 0:
                    step = min(limit, left / givers)
                    after[agent] = values[agent] + (step if up else -step)
                    taken.add(agent)
            continue
        limits = [(limit, agent) for limit, agent in limits if limit > 0]
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
moved = met = short = strained = 0
struck = {1: [0, 0], 2: [0, 0], 3: [0, 0]}
for line in lines:
    parameters, values, power, dispatchable, blocks, after, cost, counts = line.split("|")
    values, after = meant(values), numbers(after)
    dispatchable = [1] * len(values) if dispatchable.strip() == "-" else numbers(dispatchable)
    blocks = [[int(word) for word in block.split()] for block in blocks.split(";")]
    demand, share, reach, strain = meant(parameters)
    fault, reached, held, activated = map(int, counts.split())
    assert activated <= held <= reached and (fault > 0 or reached == 0), line
    if fault > 0:  # something came out otherwise than without the fault, if and only if it struck
        of = values if power.strip() == "-" else meant(power)
        sound, spoiled = (reckon(demand, share, reach, of, dispatchable, blocks, f) for f in (0, fault))
        differs = max(abs(a - b) for a, b in zip(sound, spoiled)) > 1e-12
        assert differs == (activated > 0), (line, sound, spoiled)
        struck[fault][differs] += 1
        if power.strip() == "-":
            assert max(abs(a - b) for a, b in zip(after, spoiled)) < 1e-12, line
        continue
    if power.strip() != "-":  # what is moved is power, which stays; who is moved has less value
        power = meant(power)
        expected = reckon(demand, share, reach, power, dispatchable, blocks)
        fallen = [max(0, value - strain * abs(a - b)) for value, a, b in zip(values, expected, power)]
        assert max(abs(a - b) for a, b in zip(after, fallen)) < 1e-12, line
        assert abs(numbers(cost)[0] - sum(abs(a - b) for a, b in zip(expected, power))) < 1e-12, line
        strained += after != values
        continue
    expected = reckon(demand, share, reach, values, dispatchable, blocks)
    assert max(abs(a - b) for a, b in zip(after, expected)) < 1e-12, line
    assert abs(numbers(cost)[0] - sum(abs(a - b) for a, b in zip(expected, values))) < 1e-12, line
    assert all(0 <= a <= 1 and abs(a - b) <= reach + fractions.Fraction(1, 10**12) and (d or abs(a - b) < 1e-15)
               for a, b, d in zip(after, values, dispatchable)), line
    moved += max(abs(a - b) for a, b in zip(after, values)) > 1e-12
    wanted = sum(values) / len(values) if demand < 0 else demand
    for members in blocks:
        if share == 1 and members and sum(map(len, blocks)) == len(values):
            ends = abs(sum(after[i] for i in members) - wanted * len(members)) < 1e-9
            met += ends
            short += not ends
assert moved > COUNT / 8 and met > 0 and short > 0 and strained > COUNT / 20 and all(min(of) > COUNT / 200 for of in struck.values()), (moved, met, short, strained, struck)
print(f"{COUNT} cases, {moved} with moves, {strained} with a strain; demand met {met} times, not met for want of room {short} times")
