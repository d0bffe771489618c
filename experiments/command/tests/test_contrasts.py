#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contrasts of `corridor compare` against the same figures computed from the exported tables in the plainest way, and the experiment
that the project keeps for it."""
import json
import math

import e2e
from e2e import SOURCE

ARMS = [
    {"name": "often", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 100, "t1": 1000}},
    {"name": "seldom", "algorithm": "psopp", "fault": "f5", "parameters": {"agents": [2, 40], "budget": 100}},
    {"name": "mail", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40], "budget": 200}},
]
CONTRASTS = [{"name": "one", "between": ["often", "seldom"]}, {"name": "two", "between": ["mail", "seldom"]},
             {"name": "one", "between": ["often", "mail"]}]
BOXES = {"any": ("gray", "black"), "gray": ("gray",), "black": ("black",)}


def sign_test(above, below):
    """Twice the smaller tail of the binomial law."""
    n, least = above + below, min(above, below)
    return min(1, 2 * sum(math.comb(n, k) for k in range(least + 1)) / 2 ** n)


def nested(sheets):
    """The sheets put together: each contrast with its pairs, each pair with its sides."""
    def differences(contrast, pair):
        row, = (r for r in sheets["differences"]["rows"] if (r["contrast"], r["pair"]) == (contrast, pair))
        return {f"{d}_difference": {**row[f"{d}_difference"], "suites_above": row[f"{d}_suites_above"],
                                    "suites_below": row[f"{d}_suites_below"], "p": row[f"{d}_p"],
                                    "verdict": row[f"{d}_verdict"]} for d in ("share", "cases")}

    contrasts = []
    for row in sheets["contrasts"]["rows"]:
        name = row["contrast"]
        pairs = [{"sides": [s for s in sheets["sides"]["rows"] if (s["contrast"], s["pair"]) == (name, pair)],
                  **differences(name, pair)} for pair in range(1, row["pairs"] + 1)]
        contrasts.append({"name": name, "found": [row["found_first"], row["found_second"]], "pairs": pairs,
                          **differences(name, None)})
    return {**sheets["about"]["row"], "contrasts": contrasts}


class Contrasts(e2e.Case):
    def prepare(self, **changes):
        content = {"mode": "paired", "suites": 12, "sequences": 3, "cases": 40, "arms": ARMS, "contrasts": CONTRASTS, **changes}
        self.run_into("c.h5", self.experiment(**content))
        self.document = nested(json.loads(self.corridor("compare", "c.h5", "--json").stdout)["sheets"])
        self.first = {}  # (arm, suite, sequence, box) -> first case
        self.sequences = {(q["arm"], q["suite"], q["sequence"]): q for q in self.table("c.h5", "sequences")}
        for r in self.table("c.h5", "reorganizations"):
            for word, boxes in BOXES.items():
                key = r["arm"], r["suite"], r["sequence"], word
                if any(r[box] in ("failed", "smoke") for box in boxes):
                    self.first[key] = min(self.first.get(key, math.inf), r["case"])

    def ends(self, arm, box):
        """suite -> [(case, detected)], of the sequences of an arm."""
        found = {}
        for (name, suite, number), sequence in self.sequences.items():
            if name == arm:
                case = self.first.get((arm, suite, number, box))
                found.setdefault(suite, []).append((case or sequence["executed"], case is not None))
        return found

    def horizon(self):
        return min(case for arm in ARMS for box in BOXES for ends in self.ends(arm["name"], box).values()
                   for case, detected in ends if not detected)

    def check_side(self, side):
        suites = self.ends(side["arm"], side["box"])
        ends = [end for suite in suites.values() for end in suite]
        self.assertEqual(side["sequences"], len(ends))
        self.assertEqual(side["sequences_detecting"], sum(detected for _, detected in ends))
        self.assertEqual(side["suites_detecting"], sum(any(d for _, d in suite) for suite in suites.values()))
        self.assertAlmostEqual(side["share_pct"]["mean"], 100 * sum(d for _, d in ends) / len(ends))
        self.assertAlmostEqual(side["cases_restricted_mean"], sum(min(c, self.horizon()) for c, _ in ends) / len(ends))
        # All that are not detected are looked at for longer than any that is, so half of all is half of the curve.
        detected = sorted(c for c, d in ends if d)
        half = detected[(len(ends) + 1) // 2 - 1] if 2 * len(detected) >= len(ends) else None
        self.assertEqual(side["cases_median"], half)

    def suite_means(self, side, cases):
        horizon = self.horizon()
        return {suite: sum(min(c, horizon) if cases else 100 * d for c, d in ends) / len(ends)
                for suite, ends in self.ends(side["arm"], side["box"]).items()}

    def check_difference(self, difference, pairs, cases):
        """Suites are of equal size, so their means may be averaged."""
        means = [[self.suite_means(side, cases) for side in pair["sides"]] for pair in pairs]
        suites = [sum(one[s] - two[s] for one, two in means) / len(means) for s in means[0][0]]
        self.assertAlmostEqual(difference["mean"], sum(suites) / len(suites))
        self.assertEqual(difference["suites_above"], sum(d > 1e-9 for d in suites))
        self.assertEqual(difference["suites_below"], sum(d < -1e-9 for d in suites))
        p = sign_test(difference["suites_above"], difference["suites_below"])
        self.assertAlmostEqual(difference["p"], p)
        sign = 0
        if difference["interval"] == "none":
            self.assertIsNone(difference["low"])
        else:
            self.assertLess(difference["low"], difference["high"])
            sign = 0 if p >= 0.05 else 1 if difference["low"] > 0 else -1 if difference["high"] < 0 else 0
        self.assertEqual(difference["verdict"], ["no_difference_claimed", "first", "second"][-sign if cases else sign])
        return difference["verdict"]

    def test_contrasts_follow_from_the_tables(self):
        self.prepare()
        self.assertEqual([c["name"] for c in self.document["contrasts"]], ["one", "two", "gray box against black box"])
        self.assertEqual([len(c["pairs"]) for c in self.document["contrasts"]], [2, 1, 3])
        self.assertEqual(self.document["horizon"], self.horizon())
        verdicts = set()
        for contrast in self.document["contrasts"]:
            for pair in contrast["pairs"]:
                for side in pair["sides"]:
                    self.check_side(side)
            for about in contrast["pairs"] + [contrast]:
                pairs = about.get("pairs", [about])
                verdicts.add(self.check_difference(about["share_difference"], pairs, False))
                verdicts.add(self.check_difference(about["cases_difference"], pairs, True))
            self.assertEqual(contrast["found"], [sum(p["sides"][i]["sequences_detecting"] > 0 for p in contrast["pairs"])
                                                 for i in (0, 1)])
        self.assertGreater(len(verdicts), 1)

    def test_contrasts_repeat_for_any_number_of_workers(self):
        self.prepare()
        text = self.corridor("compare", "c.h5").stdout
        self.assertEqual(text, self.corridor("compare", "c.h5").stdout)
        self.run_into("d.h5", "small.json", "-j", "3")
        self.assertEqual(text, self.corridor("compare", "d.h5").stdout)

    def test_misuse_is_told_with_its_exit_code(self):
        self.run_into("a.h5", self.experiment())
        done = self.corridor("compare", "a.h5", code=3)
        self.assertEqual(done.stdout, "")
        self.assertIn("a.h5: experiment: /: has no contrasts", done.stderr)
        self.assertIn("name two of its arms, --arms A=B; or pairs in", done.stderr)
        self.corridor("compare", code=2)
        self.corridor("compare", "a.h5", "--level", "2", code=2)
        self.corridor("compare", "nowhere.h5", code=4)

    def test_the_ablation_is_planned(self):
        """Each of its questions is asked of the faults it is about."""
        plan = json.loads(self.corridor("plan", SOURCE / "experiments/library/ablation.json", "--json").stdout)
        content = json.loads((SOURCE / "experiments/library/ablation.json").read_text())
        self.assertEqual(content["mode"], "paired")
        self.assertEqual(len(plan["arms"]), len(content["arms"]))
        compared = {arm for contrast in content["contrasts"] for arm in contrast["between"]}
        self.assertEqual(compared, {arm["name"] for arm in content["arms"]})


if __name__ == "__main__":
    e2e.main()
