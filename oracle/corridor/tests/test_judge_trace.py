#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor judge --formula: drawn formulas on drawn traces as CSV, against what the words mean, written down again here; what is no trace is refused by its line.

usage: test_judge_trace.py CORRIDOR SOURCE"""
import json
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

NAMES = ("a", "door.open", "c")
BAD = (
    ("a,b\n1,\n", "b", 'trace.csv, line 2: nothing says whether "b" holds\n  true, 1, +; false, 0, -; or ? where it is unknown'),
    ("a\n1\n\n1\n", "a", 'trace.csv, line 3: nothing says whether "a" holds\n  true, 1, +; false, 0, -; or ? where it is unknown'),
    ("a\n1\nmaybe\n", "a", 'trace.csv, line 3: "a" is "maybe", which is no truth value\n  true, 1, +; false, 0, -; ? where it is unknown; or compare it: level > 2, gray == \'failed\''),
    ("a\n2\n", "a", 'trace.csv, line 2: "a" is "2", which is no truth value\n  true, 1, +; false, 0, -; ? where it is unknown; or compare it: level > 2, gray == \'failed\''),
    ("a,b\n1\n", "a", "trace.csv, line 2: has 1 cell, and the first line names 2 columns"),
    ("a\n1,1\n", "a", "trace.csv, line 2: has 2 cells, and the first line names 1 column"),
    ("a,b\n", "a", "trace.csv, line 1: names columns, and no state follows\n  each line behind it is a state"),
    ("", "a", "trace.csv, line 1: has no columns\n  the first line names the conditions"),
    ("a,a\n1,1\n", "a", 'trace.csv, line 1: names two columns "a"'),
    ('a,b\n1,"x\n', "a", "trace.csv, line 2: a cell begins with a quote, and none ends it"),
    ('a,b\n"1"x,1\n', "a", "trace.csv, line 2: behind the quote that ends a cell stands no comma"),
    (",".join(f"c{i}" for i in range(1000000)) + "\n", "c1", "trace.csv, line 1: names more than 10000 columns\n  leave out what the formula does not name"),
    ("alarm\n1\n", "alrm", '--formula: column 1 of "alrm": there is no condition "alrm"\n  did you mean "alarm"? known: alarm'),
    ("word,x\non,1\n", "always word", 'trace.csv, line 2: "word" is "on", which is no truth value\n  true, 1, +; false, 0, -; ? where it is unknown; or compare it: level > 2, gray == \'failed\''),
    ("word,x\non,1\n", "always wrd == 'on'", '--formula: "wrd == \'on\'": column 1 of "wrd == \'on\'": there is no "wrd"\n  did you mean "word"? known: word, x'),
    ("word,x\non,1\n", "always word > 3", '--formula: "word > 3": column 6 of "word > 3": ">" orders numbers, and this is a word\n  words and null have = and != only'),
    ("x\n1\n", "always (" + " and ".join(f"x > {i}" for i in range(65)) + ")", "--formula: more than 64 comparisons\n  split the formula"),
    ("a\n1\0\n", "a", "trace.csv: there is a zero byte in it\n  a trace is lines of text"),
)


# Why a stored trace violates a formula, without line ends.
SENTENCES = (
    ("always (a implies eventually[0, 2] b)", "b,x,a\n0,,0\n0,,1\n0,,0\n0,,0\n1,,0\n",
     '5 states: violated, decided with state 3 a holds in state 1, b does not hold in states 1 to 3, and "eventually[0, 2] b" began in state 1 and its time was over with state 3.'),
    ("a until b", "a,b\n1,0\n0,0\n1,1\n",
     '3 states: violated, decided with state 1 b does not hold in states 0 to 1, a does not hold in state 1, and "a until b" began in state 0 and broke in state 1.'),
    ("eventually a", "a\n0\n0\n",
     '2 states: violated, decided by the end a does not hold in states 0 to 1, and "eventually a" began in state 0 and was open at the end, state 1.'),
    ("always previous a", "a\n1\n1\n", '2 states: violated, decided with state 0 "previous a" looks back from state 0 to before the first.'),
)


def holds(f, trace, i):
    """What docs/look-up/temporal.md says, in values False < None (unknown) < True."""
    order, end = (False, None, True), range(i, len(trace))
    best = lambda values: order[max([order.index(v) for v in values], default=0)]  # noqa: E731
    worst = lambda values: order[min([order.index(v) for v in values], default=2)]  # noqa: E731
    word, *of = f
    if word == "name":
        return trace[i][of[0]]
    if word == "not":
        value = holds(of[0], trace, i)
        return None if value is None else not value
    if word == "and":
        return worst([holds(g, trace, i) for g in of])
    if word == "implies":
        return best([holds(("not", of[0]), trace, i), holds(of[1], trace, i)])
    if word == "always":
        return worst([holds(of[0], trace, j) for j in end])
    if word == "eventually":
        return best([holds(of[0], trace, j) for j in end])
    if word == "next":
        return holds(of[0], trace, i + 1) if i + 1 < len(trace) else False
    if word == "until":
        return best([worst([holds(of[1], trace, j)] + [holds(of[0], trace, k) for k in range(i, j)]) for j in end])
    raise ValueError(word)


def drawn(rng, depth):
    word = rng.choice(("name", "not", "and", "implies", "always", "eventually", "next", "until")) if depth else "name"
    if word == "name":
        return word, rng.choice(NAMES)
    return (word, *(drawn(rng, depth - 1) for _ in range(2 if word in ("and", "implies", "until") else 1)))


def said(f):
    word, *of = f
    return of[0] if word == "name" else f"({said(of[0])} {word} {said(of[1])})" if len(of) == 2 else f"({word} {said(of[0])})"


class JudgeTrace(e2e.Case):
    def judge(self, formula, text, *options, code=None):
        (self.folder / "trace.csv").write_text(text)
        return self.corridor("judge", "--formula", formula, "trace.csv", *options, code=code)

    def test_verdicts_are_what_the_words_mean(self):
        rng, words = random.Random(11), {True: ("true", "1", "+"), False: ("false", "0", "-"), None: ("?",)}
        for _ in range(60):
            formula, trace = drawn(rng, 3), [{name: rng.choice((True, True, False, False, None)) for name in NAMES} for _ in range(rng.randint(1, 8))]
            rows = [",".join((*NAMES, '"note, with ""quotes"""'))] + [",".join((*(rng.choice(words[state[n]]) for n in NAMES), '"x, y"')) for state in trace]
            expected = holds(formula, trace, 0)
            done = self.judge(said(formula), rng.choice(("\n", "\r\n")).join(rows) + "\n", "--json", code={True: 0, False: 1, None: 7}[expected])
            answer = json.loads(done.stdout)
            self.assertEqual((answer["verdict"], answer["states"]), ({True: "holds", False: "violated", None: "unknown"}[expected], len(trace)), said(formula))
            if answer["decided_at"] is not None:  # then what comes does not matter
                cut = trace[:answer["decided_at"] + 1]
                for more in ([], [dict.fromkeys(NAMES, True)] * 2, [dict.fromkeys(NAMES, False)] * 2):
                    self.assertEqual(holds(formula, cut + more, 0), expected, said(formula))
            self.check_reasons(formula, trace, answer)
        self.assertEqual(self.judge("always a", "a\n1\n0\n", code=1).stdout,
                         "2 states: violated, decided with state 1\n  a does not hold in state 1.\n")
        for formula, text, why in SENTENCES:
            self.assertEqual(" ".join(self.judge(formula, text, code=1).stdout.split()), why)
        self.judge("always a", "a\n1\n0\n", "--no-fail", code=0)

    def test_what_compares_columns_is_what_conditions_of_that_meaning_are(self):
        """Each condition is a number, a word, or two columns; verdict, moment and reasons are those of the conditions."""
        rng = random.Random(12)
        forms = ((lambda n: f"n_{n} > 2.5", {True: "3", False: "-1e2", None: ""}, "n_"), (lambda n: f"w_{n} = 'is on'", {True: "is on", False: "off", None: "n/a"}, "w_"),
                 (lambda n: f"u_{n}!=v_{n} + 1", {True: "4", False: "5", None: "?"}, "u_"))
        for _ in range(60):
            formula, trace = drawn(rng, 3), [{name: rng.choice((True, True, False, False, None)) for name in NAMES} for _ in range(rng.randint(1, 8))]
            chosen = {name: rng.choice(forms) for name in NAMES}
            plain = {name: name.replace(".", "_") for name in NAMES}
            rows = [",".join([chosen[n][2] + plain[n] for n in NAMES] + ["v_" + plain[n] for n in NAMES])]
            rows += [",".join([chosen[n][1][state[n]] for n in NAMES] + ["4"] * len(NAMES)) for state in trace]
            # A word column needs a word, wherever its condition is unknown or off throughout.
            text = said(formula)
            for name in sorted(NAMES, key=len, reverse=True):
                text = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", chosen[name][0](plain[name]), text)
            words = {True: "1", False: "0", None: "?"}
            known = json.loads(self.judge(said(formula), "\n".join([",".join(NAMES)] + [",".join(words[state[n]] for n in NAMES) for state in trace]) + "\n", "--json", "--no-fail").stdout)
            if any(chosen[n][2] == "w_" and not any(state[n] is not None for state in trace) for n in NAMES):
                continue  # nothing in the column says that it holds words
            answer = json.loads(self.judge(text, "\n".join(rows) + "\n", "--json", "--no-fail").stdout)
            for key in ("verdict", "states", "decided_at"):
                self.assertEqual(answer[key], known[key], text)
            back = {chosen[n][0](plain[n]): n for n in NAMES}
            facts = [[(back.get(r.get("condition"), r.get("condition")), r.get("verdict"), r["kind"], r["first"], r["last"]) for r in one["reasons"]] for one in (answer, known)]
            self.assertEqual(facts[0], facts[1], text)
        self.assertEqual(self.judge("always gray != 'faild'", "gray\npassed\nfailed\n").stdout,
                         "2 states: holds, decided by the end\n  No cell that is compared is 'faild'.\n")
        self.assertEqual(self.judge("always a", "a\n1\n").stdout, "1 state: holds, decided by the end\n")
        # Columns that are called as a part of the formula reads are none of it.
        for formula, trace, code, why in (("always not a", "a,not a\n0,0\n", 0, "1 state: holds, decided by the end\n"),
                                          ("eventually (a and b)", "a,b,a and b\n1,0,1\n", 1, "1 state: violated, decided by the end"),
                                          ("always not x > 3", "x,not x > 3\n2,0\n", 0, "1 state: holds, decided by the end\n"),
                                          ("x > 3 or x > 35", "x\n4\n", 0, "1 state: holds, decided with state 0\n")):
            self.assertIn(why, self.judge(formula, trace, code=code).stdout, formula)

    def check_reasons(self, formula, trace, answer):
        """What is said to be so is so, and with nothing else known the formula is violated."""
        self.assertEqual("reasons" in answer and bool(answer["reasons"]) or answer["verdict"] != "violated", True, answer)
        if answer["verdict"] != "violated":
            return self.assertEqual(answer["reasons"], [])
        cut = trace if answer["decided_at"] is None else trace[:answer["decided_at"] + 1]
        alone = [dict.fromkeys(NAMES) for _ in cut]
        for reason in answer["reasons"]:
            if reason["kind"] == "fact":
                for state in range(reason["first"], reason["last"] + 1):
                    alone[state][reason["condition"]] = reason["verdict"] == "holds"
                    self.assertEqual(cut[state][reason["condition"]], reason["verdict"] == "holds", said(formula))
        self.assertIs(holds(formula, alone, 0), False, (said(formula), answer))

    def test_what_is_no_trace_is_refused_by_its_line(self):
        for text, formula, message in BAD:
            self.assertEqual(self.judge(formula, text, code=3).stderr, f"corridor: invalid input: {message}\n")
        self.corridor("judge", "--formula", "a", "none.csv", code=4)
        self.corridor("judge", "--formula", "a", "trace.csv", "trace.csv", code=2)
        self.corridor("judge", "trace.csv", code=2)


if __name__ == "__main__":
    e2e.main()
