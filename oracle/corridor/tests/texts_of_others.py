#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts and states as people have them: whom a failed `or`, `implies`, `xor` or `==` of whole systems is about, against what the words mean, written
down again here; and what a state says beyond the text is passed over in one sentence.

usage: texts_of_others.py CORRIDOR SOURCE TEXTS"""
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

TEXTS = int(sys.argv.pop(3))
HEAD = "structure partitioning\nattribute x: integer\nattribute y: integer\nattribute ready: boolean\nattribute job: words lift, scan, carry\nparameter limit: integer\n"


def drawn(lot, depth=2):
    """A condition as text, what it is of a state, and whom it is about where it is not `wanted`: (bindings, ..)."""
    shape = lot.choice(("all", "any", "plain") if depth == 0 or lot.random() < 0.3 else ("or", "implies", "xor", "==", "and", "not"))
    if shape in ("all", "any"):
        name, least = lot.choice("xy"), lot.randint(0, 3)
        have = lambda s: [a[name] >= least for a in s["agents"]]  # noqa: E731

        def about(s, wanted):
            if wanted == (shape == "all"):
                return {i for i, one in enumerate(have(s)) if one != wanted}
            return set()
        return f"{shape}(a in agents: a.{name} >= {least})", lambda s: (all if shape == "all" else any)(have(s)), about
    if shape == "plain":
        least = lot.randint(0, 3)
        return f"limit >= {least}", lambda s: s["parameters"]["limit"] >= least, lambda s, wanted: set()
    left, holds, whom = drawn(lot, depth - 1)
    if shape == "not":
        return f"not ({left})", lambda s: not holds(s), lambda s, wanted: whom(s, not wanted)
    right, other_holds, other_whom = drawn(lot, depth - 1)
    truth = {"or": lambda a, b: a or b, "and": lambda a, b: a and b, "implies": lambda a, b: b or not a, "xor": lambda a, b: a != b, "==": lambda a, b: a == b}[shape]

    def about(s, wanted):
        a, b = holds(s), other_holds(s)
        if shape == "implies" and not wanted:  # it holds: nobody is looked for but as of one part
            return set() if not (b or not a) else about_or(s, not a, b, lambda s, w: whom(s, not w), False)
        if shape == "implies":
            return other_whom(s, True) or whom(s, False)
        if shape in ("or", "and"):
            return about_or(s, a, b, whom, wanted)
        if a == b:
            return whom(s, not a) | other_whom(s, not b)
        failing, holding = (other_whom, whom) if a else (whom, other_whom)
        return failing(s, True) or holding(s, False)

    def about_or(s, a, b, whom, wanted):
        if shape != "implies" and wanted == (shape == "or"):
            return whom(s, wanted) | other_whom(s, wanted)
        return (whom(s, wanted) if a != wanted else set()) | (other_whom(s, wanted) if b != wanted else set())
    return f"({left}) {shape} ({right})", lambda s: truth(holds(s), other_holds(s)), about


class Texts(e2e.Case):
    def judge(self, text, state, code):
        (self.folder / "t.corridor").write_text(HEAD + text)
        (self.folder / "s.json").write_text(json.dumps(state))
        return self.corridor("judge", "t.corridor", "s.json", code=code)

    def test_whom_a_failed_part_is_about(self):
        lot, failed = random.Random(58), 0
        agents = lambda: [{name: lot.randint(0, 3) for name in "xy"} for _ in range(lot.randint(1, 4))]  # noqa: E731
        for _ in range(TEXTS):
            state = {"agents": agents(), "parameters": {"limit": lot.randint(0, 3)}}
            state["organizations"] = [list(range(len(state["agents"])))]
            rows = [drawn(lot) for _ in range(20)]
            (self.folder / "t.corridor").write_text(HEAD + "".join(f"invariant c{i}: {text}\n" for i, (text, _, _) in enumerate(rows)))
            (self.folder / "s.json").write_text(json.dumps(state))
            kinds = [holds(state) for _, holds, _ in rows]
            said = json.loads(self.corridor("judge", "t.corridor", "s.json", "--json", code=0 if all(kinds) else 1).stdout)["states"][0]["constraints"]
            for (text, holds, whom), row in zip(rows, said):
                self.assertEqual(row["verdict"], "holds" if holds(state) else "violated", text)
                if not holds(state):
                    named = {one["bindings"]["a"] for one in row["violations"] if one["bindings"]}
                    self.assertEqual(named, whom(state, True), (text, state))
                    failed += len(named) > 0
        self.assertGreater(failed, TEXTS)

    def test_sentences(self):
        two = {"agents": [{"x": 1, "y": 0, "ready": True, "job": "lift"}, {"x": 2, "y": 3, "ready": False, "job": "scan"}], "organizations": [[0, 1]], "parameters": {"limit": 2}}
        for text, said in (
                ("all(a in agents: a.x >= 1) implies all(a in agents: a.ready)", "For agent 1 (a): a.ready does not hold."),
                ("all(a in agents: a.x >= 1) == all(a in agents: a.ready)", "For agent 1 (a): a.ready does not hold."),
                ("all(a in agents: a.y > 0) or all(a in agents: a.x > 1)", "For agent 0 (a): a.y > 0 does not hold: a.y is 0."),
                ("any(a in agents: a.x > 1) xor any(a in agents: a.ready)", "For agent 1 (a): a.x > 1 holds, and should not: a.x is 2."),
                ("any(a in agents: a.x > 1) implies limit > 2",
                 "For agent 1 (a): any(a in agents: a.x > 1) implies limit > 2 does not hold: a.x is 2, limit is 2."),
                ("limit > 2 or limit < 1", "limit > 2 or limit < 1 does not hold: limit is 2."),
                ("all(a in agents: a.x > 0 xor a.y > 0)", "For agent 1 (a): a.x > 0 xor a.y > 0 does not hold: a.x is 2, a.y is 3."),
                ("all(a in agents: a.job not in ('scan', 'carry'))", "For agent 1 (a): a.job not in ('scan', 'carry') does not hold: a.job is 'scan'."),
                ("all(a in agents: not (a.job in ('scan', 'carry')))", "For agent 1 (a): a.job in ('scan', 'carry') holds, and should not: a.job is 'scan'."),
                ("all(o in organizations: all(a in agents: a not in o.members or a.x not in (2, 3)))",
                 "For organization 0 (o), agent 1 (a): a not in o.members or a.x not in (2, 3) does not hold: a.x is 2."),
                ("all(a in agents: a.x + 1 not in (2, 7))", "For agent 0 (a): a.x + 1 not in (2, 7) does not hold: a.x + 1 is 2."),
                ("all(a in agents: a.job in ('lift', 'carry'))", "For agent 1 (a): a.job in ('lift', 'carry') does not hold: a.job is 'scan'."),
                ("not (all(a in agents: a.x > 0) and any(a in agents: a.job == 'scan'))", "For agent 1 (a): a.job == 'scan' holds, and should not: a.job is 'scan'.")):
            self.assertIn(said, " ".join(self.judge(f"invariant c: {text}\n", two, 1).stdout.split()))

    def test_what_the_text_does_not_declare_is_passed_over(self):
        state = lambda agent, **parameters: {"agents": [{"x": 1, **agent}], "organizations": [[0]], "parameters": parameters}  # noqa: E731
        no_parameters = "structure partitioning\nattribute x: integer\ninvariant c: all(a in agents: a.x >= 1)\n"
        for head, one, said in (
                (no_parameters, state({"colour": 4}, cap=3), "corridor: note: s.json: passed over, as the corridor does not declare it: attribute colour, parameter cap\n"),
                (no_parameters, state({}, cap=3), "corridor: note: s.json: passed over, as the corridor does not declare it: parameter cap\n"),
                (no_parameters, [state({}), state({"colour": None})], "corridor: note: s.json: passed over, as the corridor does not declare it: attribute colour\n"),
                (HEAD + "invariant c: limit >= 1\n", state({}, limit=1, limt=2), "corridor: note: s.json: passed over, as the corridor does not declare it: parameter limt\n"),
                (no_parameters, state({"stage": 1}), "corridor: note: s.json: passed over, as the corridor does not declare it: attribute stage\n"),  # nobody asks for a.state
                (no_parameters, state({}), "")):
            (self.folder / "t.corridor").write_text(head)
            (self.folder / "s.json").write_text(json.dumps(one))
            self.assertEqual(self.corridor("judge", "t.corridor", "s.json").stderr, said)
        # what is declared, and called nearly so, is a slip: what it would say is not known
        slip = self.judge("invariant c: limit >= 1\n", state({}, limt=2), 7)
        self.assertEqual(slip.stderr, 'corridor: note: s.json: no parameter is called "limit", and one "limt": did you mean that?\n')


if __name__ == "__main__":
    e2e.main()
