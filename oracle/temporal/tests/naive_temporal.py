#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Formulas of time by their definition: recursion over positions, and the deciding state by trying continuations.

With a page in place of the count: its examples, and what it says is refused.

usage: naive_temporal.py FOLLOW_LINES COUNT|PAGE [SEED]
"""
import functools
import itertools
import pathlib
import random
import re
import subprocess
import sys

VIOLATED, UNKNOWN, HOLDS = 0, 1, 2  # in the order of truth
LETTER = "vuh"
UNARY = {"next", "weak_next", "always", "eventually", "historically", "once", "previous"}
BINARY = {"until", "weak_until", "since"}


def evaluate(formula, trace, first=0, beyond=None):
    """The value of a formula at a state of a trace, as language.md and temporal.h define it. beyond(f, j): what is taken of positions
    behind its last state that bounds reach; None: they are not there."""
    n = len(trace)

    def best(values):
        return max(values, default=VIOLATED)

    def worst(values):
        return min(values, default=HOLDS)

    @functools.lru_cache(maxsize=None)
    def at(f, i):
        if i >= n and beyond:
            return beyond(f, i)
        word = f[0]
        if word == "true":
            return HOLDS
        if word == "false":
            return VIOLATED
        if word == "condition":
            return trace[i][f[1]] if i < n else VIOLATED
        if word == "not":
            return HOLDS - at(f[1], i)
        if word == "and":
            return min(at(f[1], i), at(f[2], i))
        if word == "or":
            return max(at(f[1], i), at(f[2], i))
        if word == "implies":
            return max(HOLDS - at(f[1], i), at(f[2], i))
        low, high = f[-1] or ((1, 1) if word in ("next", "weak_next", "previous") else (0, n))
        reaches = beyond and (f[-1] or word in ("next", "weak_next"))
        ahead = range(i + low, (i + high if reaches else min(i + high, n - 1)) + 1)
        back = range(max(i - high, 0), min(i - low, n - 1) + 1)
        if word in ("always", "weak_next"):
            return worst(at(f[1], j) for j in ahead)
        if word == "eventually":
            return best(at(f[1], j) for j in ahead)
        if word == "next":
            return worst(at(f[1], j) for j in ahead) if reaches or i + high < n else VIOLATED
        if word == "historically":
            return worst(at(f[1], j) for j in back)
        if word == "once":
            return best(at(f[1], j) for j in back)
        if word == "previous":
            return worst(at(f[1], j) for j in back) if i < n and i - high >= 0 else VIOLATED
        if word == "since":
            return best(min([at(f[2], j)] + [at(f[1], k) for k in range(j + 1, i + 1)]) for j in back)
        until = best(min([at(f[2], j)] + [at(f[1], k) for k in range(i, j)]) for j in ahead)
        if word == "until":
            return until
        return max(until, worst(at(f[1], j) for j in range(i, (i + high if reaches else min(i + high, n - 1)) + 1)))

    return at(formula, first)


def judge_so_far(formula, trace, so_far):
    """Of what the end of a trace violates: whether it hangs on bounds that reach behind it. What is wrong, or None; and whether
    both ways to see it say the same: that nothing is known behind it, and that all conditions are unknown there."""
    unknown = trace + [(UNKNOWN,) * len(trace[0])] * 40
    loosely = evaluate(formula, trace, beyond=lambda f, j: UNKNOWN)
    tightly = evaluate(formula, trace, beyond=lambda f, j: evaluate(f, unknown, first=j))
    if loosely == VIOLATED and so_far != "v":
        return "so far it is violated", True
    if tightly != VIOLATED and so_far == "v":
        return "so far it is not violated", True
    return None, (loosely == VIOLATED) == (tightly == VIOLATED)


def draw(rng, size, names):
    if size <= 1:
        return rng.choices([("condition", rng.randrange(names)), ("true",), ("false",)], [20, 1, 1])[0]
    kind = rng.random()
    if kind < 0.06:  # one thing up to a single position: obligations of these are a chain
        far = rng.randrange(1, 5)
        same = draw(rng, size - 1, names) if size < 5 and rng.random() < 0.5 else ("true",)
        return rng.choice([("until", same, same, (far, far)), ("not", ("until", same, same, (far, far)))])
    if kind < 0.18:
        return "not", draw(rng, size - 1, names)
    if kind < 0.6:
        low = rng.randrange(3)
        bounds = (low, low + rng.randrange(4)) if rng.random() < 0.5 else None
        if rng.random() < 0.7 or size < 3:
            return rng.choice(sorted(UNARY)), draw(rng, size - 1, names), bounds
        word = rng.choice(sorted(BINARY))
    else:
        word, bounds = rng.choice(["and", "or", "implies"]), None
    left = rng.randrange(1, size - 1) if size > 2 else 1
    operands = draw(rng, left, names), draw(rng, max(size - 1 - left, 1), names)
    return (word, *operands, bounds) if word in BINARY else (word, *operands)


POWER = {"implies": 1, "or": 2, "and": 3, "until": 4, "weak_until": 4, "since": 4}


def text(rng, f, around=0):
    """The formula as one may write it: with brackets where they must be, and some where not."""
    word = f[0]
    bounds = "[%d,%s%d]" % (f[-1][0], rng.choice(["", " "]), f[-1][1]) if word in UNARY | BINARY and f[-1] else ""
    if word == "condition":
        own, made = 9, "pqr"[f[1]]
    elif word in ("true", "false"):
        own, made = 9, word
    elif word == "not":
        own, made = 5, rng.choice(["not ", "!", "! "]) + text(rng, f[1], 5)
    elif word in UNARY:
        own, made = 5, word + bounds + " " + text(rng, f[1], 5)
    else:
        own = POWER[word]
        sign = {"and": rng.choice(["and", "&&"]), "or": rng.choice(["or", "||"])}.get(word, word)
        right = own in (1, 4)
        made = f"{text(rng, f[1], own + right)} {sign}{bounds} {text(rng, f[2], own + (not right))}"
    # A word before its operand may hide what follows, not what is around it.
    return f"({made})" if own < around or rng.random() < 0.1 else made


def continuations(rng, names, thorough):
    """Ways to go on: without information, all short ones, drawn ones."""
    unknown = (UNKNOWN,) * names
    for length in range(18):
        yield [unknown] * length
    states = list(itertools.product((VIOLATED, UNKNOWN, HOLDS), repeat=names))
    known = [state for state in states if UNKNOWN not in state]
    for length in (1, 2) if len(states) <= 9 else (1,):
        yield from (list(c) for c in itertools.product(states, repeat=length))
    for _ in range(4000 if thorough else 12):
        pool = rng.sample(known, rng.randrange(1, len(known) + 1)) if rng.random() < 0.7 else states
        yield [rng.choice(pool) for _ in range(rng.randrange(1, 13))]


def changes(rng, formula, prefix, names, thorough):
    """Whether some continuation changes the verdict."""
    verdict = evaluate(formula, prefix)
    return any(evaluate(formula, prefix + more) != verdict for more in continuations(rng, names, thorough))


def judge_never(formula, trace, names, never):
    """Whether what is said to be out of reach of so many states is; and in how many of the cases in which it is it is said."""
    states = list(itertools.product((VIOLATED, HOLDS), repeat=names))
    can, there, said = False, 0, 0
    for left in range(5 if names < 3 else 3):
        can = can or any(evaluate(formula, trace + list(more)) == HOLDS for more in itertools.product(states, repeat=left))
        if never[left] == "1" and can:
            return f"{left} states can make it hold", 0, 0
        there, said = there + (not can), said + (never[left] == "1")
    return None, there, said


def judge_reasons(formula, trace, is_decided, reasons):
    """Reasons by their definition: each is so, and where nothing else is known the formula is violated. What is wrong, or None; and whether one can be spared."""
    facts = []
    for reason in reasons:
        kind, first, last, condition, value, _ = (int(part) if part.isdigit() else part for part in reason.split(":", 5))
        if not 0 <= first <= last or (kind == 0 and last >= len(trace)):
            return f"no such states: {reason}", False
        if kind == 0:
            facts.append((first, last, condition, HOLDS if value == 1 else VIOLATED))
            if any(trace[i][condition] != facts[-1][3] for i in range(first, last + 1)):
                return f"not so: {reason}", False

    def suffices(facts):
        alone = [[UNKNOWN] * len(state) for state in trace]
        for first, last, condition, value in facts:
            for i in range(first, last + 1):
                alone[i][condition] = value
        alone = [tuple(state) for state in alone]
        return all(evaluate(formula, alone + [(UNKNOWN,) * len(trace[0])] * more) == VIOLATED for more in range(18 if is_decided else 1))

    if not suffices(facts):
        return "reasons do not suffice", False
    shorter = [facts[:i] + facts[i + 1:] for i in range(len(facts))]
    shorter += [facts[:i] + [(first + 1, last, c, v)] + facts[i + 1:] for i, (first, last, c, v) in enumerate(facts) if first < last]
    shorter += [facts[:i] + [(first, last - 1, c, v)] + facts[i + 1:] for i, (first, last, c, v) in enumerate(facts) if first < last]
    return None, any(suffices(fewer) for fewer in shorter)


def ask(program, lines):
    answers = subprocess.run([program], input="".join(lines), capture_output=True, text=True, check=True).stdout
    return answers.splitlines()


def hold_page(program, path):
    """Every example of the page is as it says."""
    page = pathlib.Path(path).read_text()
    blocks = [block for block in re.findall(r"^```\n(.*?)^```$", page, re.M | re.S) if block.startswith("formula")]
    for block in blocks:
        (_, formula), *conditions, (_, verdicts), (_, decided) = (line.split(None, 1) for line in block.splitlines())
        marks = [row.split() for _, row in conditions]
        trace = " ".join("".join({"+": "h", "-": "v", "?": "u"}[mark] for mark in state) for state in zip(*marks))
        (answer,) = ask(program, [f"{formula}\t{' '.join(name for name, _ in conditions)}\t{trace}\n"])
        said = "".join(word[0] for word in verdicts.split()), "-" if decided == "by the end" else decided
        found = answer.split()
        if len(found) < 4 or (found[0][1:], found[1]) != said:
            sys.exit(f"{path}:\n{block}  answer {answer}")
    rows = re.findall(r'^\| `([^`]+)` \| (column .*) \|$', page, re.M)
    for text, words in rows:
        answer = "; ".join(line.strip() for line in ask(program, [f"{text}\talarm inside\t\n"]))
        if answer != f"! {words}":
            sys.exit(f"{path}: {text}\n  {answer}\n  {words}")
    print(f"{path}: {len(blocks)} examples, {len(rows)} refusals")
    assert len(blocks) > 10 and len(rows) > 3


def main():
    if not sys.argv[2].isdigit():
        return hold_page(sys.argv[1], sys.argv[2])
    program, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    tests = []
    for _ in range(count):
        names = rng.choice([1, 2, 2, 2, 3])
        formula = draw(rng, rng.randrange(1, 12), names)
        if rng.random() < 0.1:  # what seldom is drawn: that something is not so long after something else
            bounds = rng.choice([None, (0, 3), (1, 4)])
            formula = "always", ("not", (rng.choice(sorted(BINARY)), ("condition", 0), ("condition", names - 1), bounds)), None
        weights = rng.choice([[1, 0, 1], [3, 1, 3], [1, 0, 4], [1, 1, 1]])
        trace = [tuple(rng.choices((VIOLATED, UNKNOWN, HOLDS), weights, k=names)) for _ in range(rng.randrange(0, 9))]
        tests.append((names, formula, trace, text(rng, formula)))
    show = lambda trace: " ".join("".join(LETTER[v] for v in state) for state in trace)
    answers = ask(program, [f"{t}\t{' '.join('pqr'[:names])}\t{show(trace)}\n" for names, _, trace, t in tests])
    assert len(answers) == count, (len(answers), count)
    decided = dict.fromkeys("hvu-", 0)
    cut = dict.fromkeys("vu-", 0)
    out_of_reach = out_of_reach_said = 0
    why = dict.fromkeys(("decided", "ended", "otherwise", "spare"), 0)
    for (names, formula, trace, shown), answer in zip(tests, answers):
        def must(is_so, what):
            if not is_so:
                sys.exit(f"{shown}\n  trace {show(trace)}\n  answer {answer}: {what}")
        must(not answer.startswith("!"), "refused")
        verdicts, state, again, state_again, never, so_far, *reasons = answer.split()
        must((verdicts, state) == (again, state_again), "the second time is not as the first")
        wanted = "".join(LETTER[evaluate(formula, trace[:k])] for k in range(len(trace) + 1))
        must(verdicts == wanted, f"verdicts, by definition {wanted}")
        # Before the deciding state something can change it, from then on nothing can.
        last = len(trace) if state == "-" else int(state)
        decided[state if state == "-" else verdicts[-1]] += 1
        if last > 0:
            must(changes(rng, formula, trace[:last], names, False) or changes(rng, formula, trace[:last], names, True),
                 f"nothing found that changes it after {last} states")
        if state != "-":
            must(not changes(rng, formula, trace[:last + 1], names, False), "something changes it still")
        wrong, there, said = judge_never(formula, trace, names, never.split(":")[1])
        must(wrong is None, wrong)
        out_of_reach, out_of_reach_said = out_of_reach + there, out_of_reach_said + said
        so_far = so_far.split(":")[1]
        if state == "-" and verdicts[-1] == "v" and trace:
            wrong, is_sure = judge_so_far(formula, trace, so_far)
            must(wrong is None, wrong)
            cut[so_far if is_sure else "-"] += 1
        else:
            must(so_far == verdicts[-1], "what the end does not violate is so far as it is")
        must(bool(reasons) == (verdicts[-1] == "v" and len(trace) > 0), "reasons of what is violated, and of nothing else")
        if reasons:
            known = trace if state == "-" else trace[:last + 1]
            wrong, spare = judge_reasons(formula, known, state != "-" and reasons[0] == "enough", reasons[1:])
            must(wrong is None, wrong)
            why["decided" if reasons[0] == "enough" and state != "-" else "ended" if state == "-" else "otherwise"] += 1
            why["spare"] += spare
    print(f"{count} formulas: decided as holding {decided['h']}, violated {decided['v']}, unknown {decided['u']}, by the end {decided['-']}")
    print(f"why violated: {why['decided']} by facts alone, {why['ended']} by facts and the end, {why['otherwise']} decided "
          f"otherwise; a fact can be spared in {why['spare']}")
    print(f"out of reach of so many states: {out_of_reach}, said of {out_of_reach_said}")
    print(f"violated by the end: {cut['u']} as bounds reach behind it, {cut['v']} whatever comes within bounds, {cut['-']} as one sees it")
    assert cut["u"] * 10 > count // 10 and cut["v"] > 0 and cut["-"] * 10 < cut["u"]
    assert out_of_reach_said * 10 > out_of_reach * 8
    total = why["decided"] + why["ended"] + why["otherwise"]
    assert why["otherwise"] * 20 < total and why["spare"] * 10 < total


if __name__ == "__main__":
    main()
