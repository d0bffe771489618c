#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reals whose sums, means, differences, products and quotients cancel: of numbers up to 1e15 little is left, and what is compared is as close
as that. Judged by the program and in fractions, of the decimals as they were written: nothing is confirmed or accused falsely, with and without
reasons, and what is at the edge is so close that rounding may decide.

usage: cancelling_sums.py CORRIDOR_BINARY STATES
"""
import fractions
import json
import random
import subprocess
import sys
import tempfile

F = fractions.Fraction
HEAD = "structure overlapping\nattribute x: real\nattribute y: real\n"


def draw_number(rng):
    return rng.choice((-1, 1)) * rng.randrange(1, 1000) * 10.0 ** rng.randrange(-4, 13) / rng.choice((1, 3, 7))


def draw_state(rng):
    """Agents in one to three organizations; most numbers come with what takes them back, but for a little."""
    agents = []
    while len(agents) < rng.randrange(2, 14):
        big, little = (draw_number(rng), draw_number(rng)), [rng.choice((0.0, rng.random(), rng.random() / 1e6, 1.0)) for _ in range(2)]
        agents += [{"x": big[0], "y": big[1]}, {"x": -big[0], "y": -big[1] + little[1]}, {"x": little[0], "y": little[1]}]
    rng.shuffle(agents)
    lists = [rng.sample(range(len(agents)), rng.randrange(1, len(agents) + 1)) for _ in range(rng.randrange(1, 4))]
    return {"agents": agents, "organizations": lists}


def term(rng, agents, depth=0):
    """Its text, its value, and how much rounding may come to, generously: units in the last place of all that it adds up."""
    kind = rng.choice(("sum", "sum", "mean", "product", "deep", "deep", "deep") if depth < 2 else ("sum", "mean", "product"))
    if kind == "deep":
        (a, one, lost), (b, other, more) = term(rng, agents, depth + 1), term(rng, agents, depth + 1)
        way = rng.choice(("+", "-", "-", "*", "/", "max", "abs"))
        if way == "/" and abs(other) <= 1000 * more:
            way = "-"
        if way in "+-":
            made = one + other if way == "+" else one - other
            return f"({a} {way} {b})", made, lost + more + abs(made) / 2**50
        if way == "*":
            return f"({a} * {b})", one * other, abs(one) * more + abs(other) * lost + lost * more + abs(one * other) / 2**50
        if way == "/":
            return f"({a} / {b})", one / other, 2 * (lost + abs(one / other) * more) / abs(other) + abs(one / other) / 2**50
        return (f"max({a}, {b})", max(one, other), lost + more) if way == "max" else (f"abs({a})", abs(one), lost)
    what, value = rng.choice((("a.x", lambda a: F(repr(a["x"]))), ("a.y", lambda a: F(repr(a["y"]))))) if kind != "product" else \
        ("a.x * a.y", lambda a: F(repr(a["x"])) * F(repr(a["y"])))
    values = [value(agent) for agent in agents]
    made, lost = sum(values), len(values) * sum(map(abs, values)) / 2**50
    if kind == "mean":
        return f"mean(a in agents: {what})", made / len(values), lost / len(values)
    return f"sum(a in agents: {what})", made, lost


def extreme(rng, state):
    """The greatest or the least over organizations, which are asked for in one pass over their members."""
    word, inner = rng.choice(("max", "min")), rng.choice(("sum", "mean"))
    sums = [[F(repr(state["agents"][a]["x"])) for a in members] for members in state["organizations"]]
    values = [sum(numbers) / (len(numbers) if inner == "mean" else 1) for numbers in sums]
    return (f"{word}(o in organizations: {inner}(a in o.members: a.x))", {"max": max, "min": min}[word](values),
            max(len(numbers) * sum(map(abs, numbers)) for numbers in sums) / 2**50)


def main(binary, count):
    verdicts, wrong = {}, []
    with tempfile.TemporaryDirectory(prefix="corridor-cancelling-") as folder:
        for seed in range(count):
            rng = random.Random(seed)
            state, rows, lines = draw_state(rng), [], []
            for n in range(12):
                text, value, lost = extreme(rng, state) if rng.random() < 0.25 else term(rng, state["agents"])
                limit = float(value + rng.choice((0, rng.choice((-1, 1)) * F(rng.randrange(1, 100)) / 10**rng.randrange(0, 12), lost * rng.randrange(-3, 4))))
                limit = limit if abs(limit) < 1e290 else 0.0
                sign = rng.choice(("<=", ">=", "<", ">"))
                written = f"{limit:.17f}" if abs(limit) < 1e15 else f"{limit:.1f}"  # the language has no exponents
                exact = F(written)
                holds = {"<=": value <= exact, ">=": value >= exact, "<": value < exact, ">": value > exact}[sign]
                size = max(1, abs(value), abs(exact))
                rows.append((f"i{n}", holds, abs(value - exact) <= F(3, 2 * 10**9) * size or abs(value - exact) <= 8 * lost, text))
                lines.append(f"invariant i{n}: {text} {sign} {written}\n")
            with open(f"{folder}/c.corridor", "w", encoding="utf-8") as file:
                file.write(HEAD + "".join(lines))
            with open(f"{folder}/s.json", "w", encoding="utf-8") as file:
                json.dump(state, file)
            for words in ((), ("--reasons",)):
                done = subprocess.run([binary, "judge", "c.corridor", "s.json", "--json", *words], cwd=folder, capture_output=True, text=True, check=False)
                assert done.returncode in (0, 1, 7), (seed, done.stderr)
                said = {row["name"]: row["verdict"] for row in json.loads(done.stdout)["states"][0]["constraints"]}
                for (name, holds, is_close, text), line in zip(rows, lines):
                    verdict = said[name]
                    verdicts[verdict] = verdicts.get(verdict, 0) + 1
                    if verdict not in ("edge", "holds" if holds else "violated") or (verdict == "edge" and not is_close):
                        wrong.append((seed, verdict, holds, line))
    for row in wrong[:10]:
        print(*row)
    print(f"{count} states, {sum(verdicts.values())} verdicts, {len(wrong)} wrong: {verdicts}")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
