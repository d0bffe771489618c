#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize: published algorithms through the whole of it, and rules that draw.

usage: test_stabilize_published.py CORRIDOR SOURCE MODULES [in-full]"""
import json

from stabilize_case import PROGRAM, READS, RULE, SAME, StabilizeCase, e2e
import published

# Any program of published/algorithms.json: PUBLISHED is (text with the fault, size).
PUBLISHED = """import json, sys
import corridor_process as corridor
TEXT, VALUES = json.load(open(sys.argv[1]))
scope = {}
exec(TEXT, scope)
LOCALS, RULE, _ = scope["system"](*VALUES)
class P(corridor.Rules):
    name = "published"
    def variables(self):
        return {"x": [-1 if v is None else v for v in LOCALS[self.me]]}
    def reads(self):
        return [q for q in range(self.count) if q != self.me]
    def rule(self, *near):
        seen = {view.me: view.x for view in near}
        c = [self.x if q == self.me else seen[q] for q in range(self.count)]
        out = RULE(tuple(None if v == -1 and NONE else v for v in c), self.me)
        return [{"x": -1 if v is None else v} for v in out]
NONE = any(v is None for of in LOCALS for v in of)
corridor.run(P)
"""
# How the corridors of these are said over variables alone; a neighbour is known by the graph.
CORRIDORS = {
    "colouring": "all(a in agents: all(b in a.reads: a.x != b.x))", "colouring_by_number": "all(a in agents: all(b in a.reads: a.x != b.x))",
    "mis": "all(a in agents: (a.x == 1) == (count(b in a.reads where b.x == 1) == 0))",
    "unison": "all(a in agents: all(b in agents: a.x == b.x))",
    "majority": "sum(a in agents: a.enabled) == 0", "dijkstra_k": "sum(a in agents: a.enabled) == 1"}


class Published(StabilizeCase):
    def test_coins(self):
        """Herman's ring: 4 a b c / N steps on average from three tokens, 3.2 at worst for five processes; without its coin it goes on for ever."""
        coin, flips = 'corridor.chance([{"x": 0}, {"x": 1}])', '{"x": 1 - self.x}'
        tokens = SAME[:2] + ["attribute reads: agents", "invariant single: count(a in agents where any(b in a.reads: a.x == b.x)) == 1"]
        for n, worst in (3, 4 / 3), (5, 3.2):
            self.program(PROGRAM, "range(3)", "range(2)", RULE, f'        return {coin} if self.x == left.x else {{"x": left.x}}\n')
            self.write(tokens, count=n, stabilize={"daemons": ["synchronous"]})
            row = self.rows("--fair", "chance", code=0)[0]
            self.assertAlmostEqual(row["expected_worst"], worst, places=6)
            self.assertEqual((row["verdict"], row["can_stay"]), ("chance", 0))
            self.assertEqual(row["said"], f"comes back by chance alone: with probability 1 whatever the daemon chooses, {worst:.1f} steps on average from the worst state; "
                             "what is drawn can prevent it")
            self.said(1)
        self.program(PROGRAM, "range(3)", "range(2)", RULE, f'        return {flips} if self.x == left.x else {{"x": left.x}}\n')
        self.assertEqual(self.rows("--fair", "chance", code=1)[0]["lost"], 32 - 2 * 5)
        self.write(tokens, count=4, stabilize={"daemons": ["synchronous"]})
        self.assertIn("undecided: the corridor is empty, and nothing can come back: write what holds in some state\n", self.said(7))
        self.write(tokens, count=4, stabilize={"daemons": ["synchronous"], "counts": [3, 4, 5]})
        self.assertEqual([row["verdict"] for row in self.rows(code=1)], ["loops", "undecided", "loops"])

    def test_coins_beside_fairness(self):
        """A coin that turns up sooner or later, behind which a process can move that a fair daemon owes its turn: loops through it have probability 0."""
        turn = (READS, "        return [1 - self.me]\n", "range(3)", "[1, 2] if self.me == 0 else [0, 9]", RULE, """\
        if self.me == 0:
            return corridor.chance([{"x": 1}, {"x": 2}]) if self.x == 1 else {"x": 2}
        return {"x": 9} if left.x == 2 and self.x == 0 else None
""")
        open_ = "undecided: fairness together with coins is not decided so far; nearest is --fair chance, or to leave --fair out"
        stays = "does not come back: from 2 states a daemon can stay outside for ever, whatever is drawn"
        self.program(PROGRAM, *turn)
        self.write(SAME[:2] + ["invariant nine: any(a in agents: a.x == 9)"], count=2, stabilize={"daemons": ["central"]})
        for options, code, verdict, said in ((("--fair", "weak"), 7, "undecided", open_), (("--fair", "strong"), 7, "undecided", open_),
                                             (("--fair", "chance"), 1, "loops", stays), ((), 1, "loops", stays)):
            with self.subTest(options):
                row = self.rows(*options, code=code)[0]
                self.assertEqual((row["verdict"], row["said"], row["proved"]), (verdict, said, code != 7))
        self.assertIn("  x =      2 0   nine is violated\n  0 moves  2 0   nine is violated   as at the beginning\n", self.said(1, "--tell"))
        self.program(PROGRAM, READS, turn[1], "range(3)", "range(3) if self.me == 0 else range(2)", "x\": range", "w\": [self.me], \"x\": range", RULE, """\
        if self.me == 0:
            return {"x": 1} if self.x == 0 else corridor.chance([{"x": 1}, {"x": 2}]) if self.x == 1 else {"x": 2}
        return {"x": 0} if self.x == 1 else {"x": 1} if left.x == 2 else None
""")
        self.write(SAME[:2] + ["attribute w: integer", "invariant right: all(a in agents: a.x >= 1 or a.w == 1)"], count=2,
                   traps={"served": "any(a in agents: a.w == 1 and a.x == 1)"}, stabilize={"daemons": ["central"], "again": ["served"]})
        for fairness, code, verdict in ("weak", 7, "undecided"), ("strong", 7, "undecided"), ("unfair", 1, "idles"):
            self.assertEqual(self.rows("--fair", fairness, code=code)[0]["verdict"], verdict, fairness)

    def test_published_algorithms_through_all_of_it(self):
        (self.folder / "p.py").write_text(PUBLISHED)
        passed = 0
        for algorithm in published.TRUTH["algorithms"]:
            if algorithm["name"] not in CORRIDORS:
                continue
            variants = [(algorithm["text"], algorithm["right"])]
            if "enabled" not in CORRIDORS[algorithm["name"]]:  # there a faulty program would vouch for itself
                variants += [(algorithm["text"].replace(wrong["line"], wrong["instead"]), wrong["results"]) for wrong in algorithm["wrong"] if "line" in wrong]
            for text, results in variants:
                for number, result in enumerate(results):
                    known = {daemon: published.known_of(said) for daemon, said in result["daemons"].items()}
                    if max(k["steps"] for k in known.values()) > (10 ** 6 if e2e.IN_FULL else 3000) or (number and not e2e.IN_FULL):
                        continue
                    size = result["size"]
                    graph = published.TRUTH["graphs"].get(size.get("graph"))
                    (self.folder / "system.json").write_text(json.dumps([text, [graph if key == "graph" else value for key, value in size.items()]]))
                    corridor = CORRIDORS[algorithm["name"]]
                    if graph:
                        (self.folder / "p.py").write_text(PUBLISHED.replace("return [q for q in range(self.count) if q != self.me]", "return self.neighbours").replace(
                            "c = [self.x if q == self.me else seen[q] for q in range(self.count)]", "c = [self.x if q == self.me else seen.get(q, self.x) for q in range(self.count)]"))
                    else:
                        (self.folder / "p.py").write_text(PUBLISHED)
                    self.write(["structure observed", "attribute x: integer", "attribute reads: agents", "attribute enabled: integer", f"invariant right: {corridor}"],
                               "python3 p.py system.json", result["processes"], stabilize={"daemons": list(known), **({"graph": graph} if graph else {})})
                    for row in self.rows():
                        truth = known[row["daemon"]]
                        mine = {"steps": row["visited_steps"], "inside": row["inside"], "stable": row["stable"], "leaving": row["leaving"], "lost": row["lost"],
                                "dead_ends": row["dead_ends"], "in_loops": row["in_loops"], "worst_steps": row["worst_steps"], "worst_moves": row["worst_moves"]}
                        self.assertEqual(mine, {key: truth.get(key) for key in mine}, f"{algorithm['name']} {size} {row['daemon']}")
                        rung = next((name for name in ("unfair", "weak", "strong", "chance") if truth[name]), "never")
                        self.assertEqual(row["holds_from"], rung)
                        if "worst_rounds" in truth:
                            self.assertEqual(row["worst_rounds"], truth["worst_rounds"])
                        passed += 1
        self.assertGreater(passed, 100 if e2e.IN_FULL else 15)


if __name__ == "__main__":
    e2e.main()
