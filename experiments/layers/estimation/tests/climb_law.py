#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How probable it is that climb.c comes to a height within so many cases, exactly: by dynamic programming over height and weather, case by case, by
the law of the generator `random` with crashes. It shares no code with the program."""
TIME_OUT, CRASH = 8.0, 0.88  # weights, as docs/look-up/process.md has the rates: of an alarm that is due, of one expected crash in a case
FALL = 1 / 2


def probability(height, cases, transitions, first, crash, begins=0):
    """transitions[state][state] from case to case, behind the state `first` before the first case; crash[state]: its rate; begins: at which height."""
    # At the start of a case: (height, weather) -> probability. A schedule ends with the last case, at whose end no alarm is due any more.
    now, there = {(begins, weather): share for weather, share in transitions[first].items()}, 0.0
    for _ in range(cases - 1):
        behind = {}
        for (steps, weather), share in now.items():
            stays = TIME_OUT / (TIME_OUT + CRASH * crash[weather])  # the alarm comes before a crash
            for before, part in ((steps, stays), (0, 1 - stays)):
                for after, chance in ((before + 1, 1 - FALL), (0, FALL)):
                    if after >= height:
                        there += share * part * chance
                        continue
                    for following, turn in transitions[weather].items():
                        key = after, following
                        behind[key] = behind.get(key, 0.0) + share * part * chance * turn
        now = behind
    return there
