#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Published algorithms, each right and with one line wrong: what was enumerated by an independent program (published/README.md) is found, row by row.

usage: test_published.py PROGRAM EVERY [SECONDS-PER-SYSTEM]: each EVERY-th system, and all of at most 32 states"""
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from published import Row, ask, differences, exact, rows  # noqa: E402


def three_tokens(program):
    """Herman's ring from each three tokens at distances a, b, c: 4abc/N steps on average (Morgan and McIver 2005). A run of `wait` steps leads there, which makes
    of that one the worst state; all processes act at once, so one actor draws what comes of all."""
    wait, wrong, asked = 40, [], 0
    for n in range(3, 14, 2):
        token = lambda c, p: c[p] == c[p - 1]
        tokens = lambda c: sum(token(c, p) for p in range(n))
        few = [c for c in itertools.product((0, 1), repeat=n) if tokens(c) <= 3]
        for a, b in ((a, b) for a in range(1, n) for b in range(a, n) if b <= n - a - b):
            at = next(c for c in few if [p for p in range(n) if token(c, p)] == [0, a, a + b])
            ways = [("wait", k) for k in range(wait)]
            ends = lambda state: [ways[state[1] + 1] if state[1] + 1 < wait else at] if state[0] == "wait" else list(
                itertools.product(*((0, 1) if token(state, p) else (state[p - 1],) for p in range(n))))
            space = Row("", few + ways, lambda state, _: [ends(state)], lambda state: state[0] != "wait" and tokens(state) == 1, 1, {}, whole=True)
            found, = ask(program, [(space.text(), ["ask central chance"])])[0]
            wrong += differences(found, {"chance": True, "can_stay": 0, "expected_worst": wait + 4 * a * b * (n - a - b) / n})
            asked += 1
    return asked, wrong


def main():
    program, every = sys.argv[1], int(sys.argv[2])
    passed, wrong = three_tokens(program)
    passed, failed = passed - len(wrong), len(wrong)
    for key, mine, value in wrong:
        print(f"herman, three tokens: {key} is {mine}, and should be {value}")
    for number, row in enumerate(rows()):
        if row.name.startswith("beauquier") and "central" in row.known:
            exact(row, row.known["central"])
            passed += 1
        if (number % every and len(row.states) > 32) or (every > 1 and len(row.states) > 30000):
            continue
        answers = ask(program, [(row.text(), [f"ask {daemon} unfair" for daemon in row.known])])[0]
        for (daemon, known), found in zip(row.known.items(), answers):
            wrong = list(differences(found, known))
            failed += bool(wrong)
            passed += not wrong
            for key, mine, value in wrong:
                print(f"{row.name}, {daemon}: {key} is {mine}, and should be {value}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
