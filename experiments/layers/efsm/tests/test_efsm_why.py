#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of corridor why of tests of models, beside exact probabilities: all ways of model and system are counted (fractions, a second
implementation of what models mean); with parameters, with rivals alike and by frequencies; what is refused, in so many words.

usage: test_efsm_why.py CORRIDOR SOURCE [full]"""
import json
import pathlib
import re
import sys
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402
from e2e import SOURCE  # noqa: E402

SEEDS = 60 if sys.argv[3:] == ["full"] else 20
LINK = json.loads((SOURCE / "experiments/library/efsm/lossy_link.json").read_text())
DOOR = json.loads(re.search(r"```\w+ file=door\.json\n(.*?)```", (SOURCE / "docs/look-up/efsm.md").read_text(), re.S).group(1))


class Model:
    """What a model with one parameter at most means; dropped: an update that a mutant forgets."""

    def __init__(self, model, dropped=None):
        self.states = [v["name"] for v in model["vars"] if v["kind"] == "state"]
        self.start = (model["initial"], *(v["init"] for v in model["vars"] if v["kind"] == "state"))
        domains = {v["name"]: range(v["lo"], v["hi"] + 1) for v in model["vars"]}
        self.inputs = [(label["label"], name, domains[name] if name else [None]) for label in model["inputs"] for name in label["params"] or [None]]
        self.moves = [(t["id"], t["src"], t["dst"], t["input"], compile(t["guard"].replace("&&", "and").replace("true", "True"), "", "eval"),
                       {n: compile(u, "", "eval") for n, u in t["update"].items() if (t["id"], n) != dropped}, t["outputs"][0]["label"]) for t in model["transitions"]]

    def enabled(self, state, label, values):
        """[(transition, answer, state behind)]"""
        known, found = dict(zip(self.states, state[1:]), **values), []
        for name, src, dst, given, guard, update, answer in self.moves:
            if src == state[0] and given == label and eval(guard, {}, known):
                found.append((name, answer, (dst, *(eval(update[n], {}, known) if n in update else known[n] for n in self.states))))
        return found


def moved(at, label, values, model, acting, weights):
    """(share, class of the failure or None, states behind) of an input that is given; without an answer both stay."""
    believed, real = at
    allowed = model.enabled(believed, label, values)
    rivals = acting.enabled(real, label, values) or [(None, None, real)]
    total = sum(weights.get(name, 1) for name, _, _ in rivals)
    for name, answer, behind in rivals:
        share = Fraction(weights.get(name, 1), total)
        said = [state for _, a, state in allowed if a == answer] if allowed or answer else [believed]
        yield (share, None, (said[0], behind)) if said else (share, f"{believed[0]} {label} " + ("|".join(n for n, _, _ in allowed) or "quiet"), None)


def fails(at, ahead, alike, model, acting, weights):
    """How probable it is that the first answer that is not allowed is of that class, within so many inputs, all of them alike."""
    now, found = {at: Fraction(1)}, Fraction(0)
    for _ in range(ahead):
        behind = {}
        for pair, share in now.items():
            for label, name, values in model.inputs:
                for value in values:
                    part = share / len(model.inputs) / len(values)
                    for chance, failure, to in moved(pair, label, {name: value} if name else {}, model, acting, weights):
                        if failure is None:
                            behind[to] = behind.get(to, 0) + part * chance
                        elif failure == alike:
                            found += part * chance
        now = behind
    return float(found)


class Why(e2e.Case):
    def keep(self, what, arm, goal, key, **more):
        (self.folder / "model.json").write_text(json.dumps(what))
        (self.folder / "e.json").write_text(json.dumps({"efsm": "model.json", "goal": goal, "seed": 5, "runs": 60, "arms": [arm], **more}))
        self.corridor("run", "e.json", "-o", "r.h5", "-f")
        key = key or re.search(r" (m/\d+) ", self.corridor("failures", "r.h5").stdout)[1]
        self.corridor("shrink", "r.h5", "--failure", key, "-o", "t.json", "-f")
        return json.loads((self.folder / "t.json").read_text())

    def hold(self, test, model, acting, future, ahead, weights, reach):
        """All intervals of a curve hold together in 19 of 20 seeds. reach(steps): where both stand behind the first steps."""
        alike, shares = test["efsm_test"]["expected"], []
        for steps in range(len(test["schedule"])):
            shares.append(fails(reach(test["schedule"][:steps]), ahead, alike, model, acting, weights))
        held = 0
        for seed in range(SEEDS):
            it = json.loads(self.corridor("why", "t.json", "--curve", "--future", future, "--ahead", ahead, "--effort", 400, "--seed", seed, "--json").stdout)
            rows = it["sheets"]["curve"]["rows"]
            held += all(row["low"] - 1e-9 <= (shares + [1])[row["choices"]] <= row["high"] + 1e-9 for row in rows)
            self.assertEqual((it["future"], it["ahead"], rows[-1]["share"]), (future, ahead, 1))
        self.assertGreaterEqual(held, SEEDS * 19 // 20, shares)
        return shares

    def test_a_door_with_a_code(self):
        test = self.keep(DOOR, {"name": "m", "planner": "random", "mutant": "right.update.wrong.dropped"}, "all-transitions", "m/0")
        model, acting = Model(DOOR), Model(DOOR, dropped=("right", "wrong"))

        def reach(steps):
            at = (model.start, acting.start)
            for step in steps:
                (_, failure, at), = moved(at, step[1], {"code": step[2]} if step[2:] else {}, model, acting, {}) if step[0] == "input" else [(1, None, (model.start, acting.start))]
                self.assertIsNone(failure)
            return at
        shares = self.hold(test, model, acting, "uniform", 6, {}, reach)
        self.assertTrue(shares[0] < 0.1 and max(shares) > 0.5, shares)
        said = self.corridor("why", "t.json", "--curve", "--future", "uniform", "--ahead", "6").stdout
        self.assertIn('How probable that is by the law of "uniform", 6 steps ahead:\n', said)
        self.assertRegex(said, r"Input ENTER\(\d\)\.  <- the largest rise\n(?s:.*)\nHad something else come as step \d:\n(.*Input .*\n)+")
        self.assertEqual(said, self.corridor("why", "t.json", "--curve", "--future", "uniform", "--ahead", "6").stdout)
        self.assertIn(" to the end of the test:\n", self.corridor("why", "t.json", "--curve", "--future", "uniform", code=7).stdout)

    def link(self, rivals, **system):
        test = self.keep(LINK, {"name": "m", "planner": "random", "mutant": "loss.update.ok.dropped", **system}, "all-transitions", None, moves=60)
        model, acting = Model(LINK), Model(LINK, dropped=("loss", "ok"))

        def reach(steps):
            """Which way the system took it drew: the answers of the test say it."""
            at = (model.start, acting.start)
            told = self.corridor("replay", "t.json", "--trace").stdout.splitlines()
            for step, line in zip(steps, told):
                answer = line.split(" gave ")[1].split()[0].rstrip(";")
                said = [a for _, a, _ in acting.enabled(at[1], step[1], {})]
                self.assertIn(answer, said or ["nothing"])
                ways = [to for (_, failure, to), a in zip(moved(at, step[1], {}, model, acting, {}), said or ["nothing"]) if a == answer and failure is None]
                at, = ways
            return at
        for future, weights in rivals:
            self.hold(test, model, acting, future, 8, weights, reach)

    def test_rivals_alike_and_by_frequencies(self):
        self.link([("uniform", {}), ("frequencies", {"ack": 3})], system={"frequencies": {"ack": 3}})

    def test_refusals(self):
        self.keep(DOOR, {"name": "m", "planner": "random", "mutant": "right.update.wrong.dropped"}, "all-transitions", "m/0")
        laws = "\n  known: uniform, frequencies\n"
        for words, said in ((("--curve",), "--curve: how probable it is follows from a law: which is to be said with --future" + laws),
                            (("--curve", "--future", "fair"), '--future: "fair" has no law: it draws nothing' + laws),
                            (("--curve", "--future", "adversary"), '--future: "adversary" has no law: it draws nothing' + laws),
                            (("--curve", "--future", "frequencies"), '--future: the system of arm "m" has no frequencies\n  uniform\n'),
                            (("--curve", "--future", "timed"), '--future: there is no law "timed"' + laws)):
            self.assertEqual(self.corridor("why", "t.json", *words, code=3).stderr, "corridor: invalid input: " + said)
        wide = json.loads(json.dumps(DOOR))
        wide["vars"].append({"name": "more", "kind": "param", "lo": 0, "hi": 2000000000})
        wide["inputs"][0]["params"].append("more")
        self.keep(wide, {"name": "m", "planner": "random", "mutant": "right.update.wrong.dropped"}, "all-transitions", "m/0")
        self.assertEqual(self.corridor("why", "t.json", "--curve", "--future", "uniform", code=3).stderr,
                         'corridor: invalid input: --curve: input "ENTER" has more than 2^32 values, which are not drawn\n  smaller domains of its parameters\n')


if __name__ == "__main__":
    e2e.main()
