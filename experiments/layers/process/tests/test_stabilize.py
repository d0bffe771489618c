#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize: what it says of programs of rules in Python and C, with each verdict; published algorithms through the whole of it; programs that keep
something, of which nothing is proved; and what it refuses, in so many words.

usage: test_stabilize.py CORRIDOR SOURCE MODULES [in-full]"""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "experiments/engines/stabilize/tests")]
import e2e  # noqa: E402
import published  # noqa: E402
from test_walls import CONTAINER  # noqa: E402

KIT = e2e.SOURCE / "experiments/library/processes/corridor_process.py"
RING = ["structure observed", "attribute enabled: integer", "invariant single: sum(a in agents: a.enabled) == 1"]
SAME = ["structure observed", "attribute x: integer", "invariant same: all(a in agents: all(b in agents: a.x == b.x))"]
PROGRAM = """import corridor_process as corridor
class P(corridor.Rules):
    name = "p"
    def variables(self):
        return {"x": range(3)}
    def reads(self):
        return [(self.me - 1) % self.count]
    def rule(self, left):
        return {"x": left.x} if self.x != left.x else None
corridor.run(P)
"""
VARIABLES, READS, RULE = (f"        {line}\n" for line in ('return {"x": range(3)}', "return [(self.me - 1) % self.count]",
                                                           'return {"x": left.x} if self.x != left.x else None'))

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


class Stabilize(e2e.Case):
    def setUp(self):
        super().setUp()
        shutil.copy(KIT, self.folder)

    def program(self, text=PROGRAM, *changes, name="p"):
        for old, new in zip(changes[::2], changes[1::2]):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        (self.folder / f"{name}.py").write_text(text)

    def write(self, corridor=SAME, program="python3 p.py", count=3, **others):
        (self.folder / "e.json").write_text(json.dumps({"process": {"program": str(program), "count": count}, "corridor": corridor, **others}))

    def rows(self, *options, code=None):
        return json.loads(self.corridor("stabilize", "e.json", "--json", *options, code=code).stdout)["sheets"]["stabilize"]["rows"]

    def said(self, code, *options):
        return self.corridor("stabilize", "e.json", *options, code=code).stdout

    def ring(self):
        for name in ("my_ring.py", "my_ring.json"):
            shutil.copy(e2e.SOURCE / "experiments/library/new/stabilize_python" / name, self.folder)

    def test_the_ring(self):
        self.ring()
        text = """\
right: 5 processes, x of 5 values: all 3,125 states, 85 of them inside, and none of these is left
  central      comes back and stays  24 steps  24 moves  7 rounds  worst: x = 0 3 2 1 0
  distributed  comes back and stays  24 steps  29 moves  7 rounds  worst: x = 0 3 2 1 0
  synchronous  comes back and stays  7 steps   29 moves  7 rounds  worst: x = 0 1 0 1 1
few: 5 processes, x of 3 values: all 243 states, 27 of them inside, and none of these is left
  central      does not come back    15 steps can be repeated for ever, everybody moves in them
  distributed  does not come back    4 steps can be repeated for ever, everybody moves in them
  synchronous  does not come back    15 steps are repeated for ever, from 27 states there is no way back
Proved: every state and every step was visited (49,995 and 3,231 steps).
"""
        self.assertEqual(self.corridor("stabilize", "my_ring.json", code=1).stdout, text)
        self.assertEqual(self.corridor("stabilize", "my_ring.json", code=1).stdout, text)
        self.corridor("stabilize", "my_ring.json", "--arm", "right")
        told = self.corridor("stabilize", "my_ring.json", "--arm", "few", "--daemon", "distributed", "--tell", "--svg", "loop.svg", code=1).stdout
        self.assertIn("""\
  x =            0 0 2 1 0   sum(a in agents: a.enabled) is 4
  0 3 4 move     1 0 2 2 1   4
  0 1 2 4 move   2 1 0 2 2   4
  0 1 2 3 move   0 2 1 0 2   4
  1 2 3 4 move   0 0 2 1 0   4   as at the beginning
""", told)
        drawn = [node.get("class") for node in xml.etree.ElementTree.parse(self.folder / "loop.svg").iter()]
        self.assertEqual((drawn.count("r"), drawn.count("v"), drawn.count("l"), drawn.count("c")), (15, 4, 1, 1))
        self.assertIn("a picture is of one arm, size and daemon, and there are several",
                      self.corridor("stabilize", "my_ring.json", "--svg", "two.svg", code=3).stderr)
        self.assertFalse((self.folder / "two.svg").exists())
        way = self.corridor("stabilize", "my_ring.json", "--arm", "right", "--daemon", "synchronous", "--tell").stdout.splitlines()
        self.assertEqual((way[2].split()[:7], way[-2].split()[-1], len(way)), ("x = 0 1 0 1 1".split(), "inside", 11))

    def test_the_ring_in_c_and_by_sizes(self):
        module = e2e.MODULES / "rules.so"
        arms = {"right": {}, "few": {"fault": "few"}}
        self.write(RING, module, 5, arms=arms)
        mine = self.said(1)
        self.ring()
        self.assertEqual(mine, self.corridor("stabilize", "my_ring.json", code=1).stdout)
        self.assertEqual(mine, self.said(1, "--isolate", "never"))
        # Proved by others in Coq: 3n(n-1)/2 - n - 1 steps, 3 for three processes.
        self.write(RING, module, stabilize={"counts": [3, 4, 5, 6], "daemons": ["central"]})
        self.assertEqual([row["worst_steps"] for row in self.rows(code=0)], [2, 13, 24, 38])
        self.write(RING, module, stabilize={"counts": [3, 4, 5, 6], "daemons": ["distributed"]})
        self.assertEqual([row["worst_steps"] for row in self.rows(code=0)], [3, 13, 24, 38])
        self.assertEqual([row["size"] for row in self.rows("--count", "4", code=0)], ["4 processes"])
        self.write(RING, module, arms={"coin": {"fault": "coin"}})
        row = self.rows("--daemon", "central", "--fair", "chance", code=0)[0]
        self.assertEqual((row["verdict"], row["can_stay"], row["holds_from"]), ("fair", 0, "weak"))
        self.said(1, "--daemon", "central")

    def test_modules_that_do_what_no_rule_may(self):
        for fault, message in (
                ("looks", "the rule of process 0 looks at now()\n"), ("draws", "the rule of process 0 draws by random(): choose() is for that\n"),
                ("sends", "the rule of process 0 sends a message\n"), ("alarms", "the rule of process 0 sets an alarm\n"),
                ("allocates", "the rule of process 0 asks for memory\n"), ("chooses_two", "the rule of process 0 chooses, and returns not one row\n"),
                ("beyond", "3 is no value of x of process 0, which has 0 .. 2\n"), ("itself", "process 0 reads itself: its own variables it has anyway\n"),
                ("crashes", "the module did not get through being asked for its rules: ")):
            with self.subTest(fault):
                self.write(RING, e2e.MODULES / "rules.so", arms={"wrong": {"fault": fault}})
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        self.write(RING, e2e.MODULES / "rules.so", arms={"wrong": {"fault": "keeps"}})
        self.assertIn("undecided: process 1 keeps something that it does not declare: for x of 1 = 2, x of 0 = 0 its rule "
                      "answered otherwise when it was asked again\n", self.said(7))
        self.assertIn("has rules in the place of messages", self.corridor("check", e2e.MODULES / "rules.so", code=1).stdout)

    def test_each_verdict(self):
        """Systems of two processes, each with one verdict; process 0 reads nobody, process 1 reads process 0."""
        alone = (READS, "        return [0] if self.me else []\n", "def rule(self, left):", "def rule(self, *near):")
        of_reader = lambda condition, who: SAME[:2] + ["attribute reads: agents", f"invariant right: all(a in agents: {condition} or count(a.reads) == {who})"]
        apart = SAME[:2] + ["invariant apart: any(a in agents: any(b in agents: a.x != b.x))"]
        draws = (RULE, '        return [{"x": 0}, {"x": 1}] if self.x == left.x else None\n', "range(3)", "range(2)")
        toggles = (*alone, "range(3)", "range(2)", RULE, '        return {"x": 1 - self.x} if self.me or self.x else None\n')
        down = (*alone, "range(3)", "range(1 if self.me else 3)", RULE, '        return {"x": self.x - 1} if self.x else None\n')
        never_one = SAME[:2] + ["invariant never: all(a in agents: a.x != 1)"]
        zero = SAME[:2] + ["invariant zero: all(a in agents: a.x == 0)"]
        for verdict, said, options, changes, corridor, asked in (
                ("fair", "comes back if the daemon is weakly fair, within 1 round: unfair, 2 steps can be repeated for ever", (), toggles, of_reader("a.x == 0", 1), {}),
                ("chance", "comes back by chance alone: with probability 1 where each choice is possible, 2.0 steps on average from the worst state; a daemon can "
                 "prevent it", ("--fair", "chance"), draws, apart, {}),
                ("loops", "does not come back: 2 steps can be repeated for ever, everybody moves in them", (), draws, apart, {}),
                ("rests", "does not come back: in 6 states nobody can move, and `same` does not hold", (), (RULE, "        return None\n"), SAME, {}),
                ("trapped", "does not come back: from 2 of 4 states there is no way", ("--fair", "chance"),
                 (*alone, "range(3)", "range(2)", RULE, '        return {"x": 1 - self.x} if self.me and near[0].x else None\n'), of_reader("a.x == 0", 1), {}),
                ("leaves", "does not stay: from 1 of 2 states inside one step leads outside; 1 is never left", (), down, never_one, {}),
                ("idles", "comes back, but `two` is not met again: in 1 state inside nobody can move", (), down, zero, {"again": ["two"]}),
                ("late", "comes back within 2 steps; within 1 was asked", (), down, zero, {"within": {"steps": 1}}),
                ("holds", "comes back and stays: from each of 3 states within 2 steps", (), down, zero, {"within": {"steps": 2, "moves": 2, "rounds": 2}}),
                ("undecided", "undecided: 0 of 3 states were visited: more than 2 may not be", (), down, zero, {"states": 2})):
            with self.subTest(verdict):
                self.program(PROGRAM, *changes)
                self.write(corridor, count=2, stabilize={"daemons": ["central"], **asked}, traps={"two": "any(a in agents: a.x == 2)"})
                good = verdict == "holds" or "--fair" in options and verdict == "chance"
                row = self.rows(*options, code=0 if good else 7 if verdict == "undecided" else 1)[0]
                self.assertEqual((row["verdict"], row["said"], row["proved"]), (verdict, said, verdict != "undecided"))
        self.program(PROGRAM, *toggles)
        self.write(of_reader("a.x == 0", 1), count=2, stabilize={"daemons": ["central"]})
        self.assertEqual(self.rows("--fair", "weak", code=0)[0]["verdict"], "fair")
        self.write(of_reader("a.x == 0", 1), count=2, stabilize={"daemons": ["central"], "again": ["moved"]}, traps={"moved": "any(a in agents: a.x == 1)"})
        self.assertEqual(self.rows("--fair", "weak", code=0)[0]["verdict"], "fair")
        self.write(of_reader("a.x == 0", 1), count=2, stabilize={"daemons": ["central"], "again": ["never"]}, traps={"never": "any(a in agents: a.x == 7)"})
        self.assertEqual(self.rows("--fair", "weak", code=1)[0]["said"], "comes back, but `never` is not met again: 2 steps inside can be repeated for ever")

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

    def test_walls_that_do_not_stand_are_said(self):
        if not shutil.which("unshare") or subprocess.run([*CONTAINER, "true"], capture_output=True).returncode != 0:
            self.skipTest("no namespaces here")
        self.program()
        self.write()
        done = subprocess.run([*CONTAINER, e2e.BINARY, "stabilize", "e.json", "--daemon", "synchronous"], cwd=self.folder, text=True, capture_output=True, env=e2e.ENVIRONMENT)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("corridor: warning: isolation is not full, see corridor doctor: ", done.stderr)

    def test_pictures(self):
        """Of words and arms with markup; of a long way its end; of what is undecided none."""
        self.program(PROGRAM, READS, "        return []\n", "def rule(self, left):", "def rule(self):", "range(3)", '["<&>", "b"]', RULE,
                     '        return {"x": "b"} if self.x == "<&>" else None\n')
        self.write(["structure observed", "attribute x: words '<&>', b", "invariant right: all(a in agents: a.x == 'b')"], count=1, arms={"a<b&c": {}}, stabilize={"daemons": ["central"]})
        self.corridor("stabilize", "e.json", "--svg", "words.svg", code=0)
        texts = [node.text for node in xml.etree.ElementTree.parse(self.folder / "words.svg").iter()]
        self.assertIn("a<b&c, central: holds", texts)
        self.assertIn("<&>", texts)
        self.assertIn("warning: no.svg is not written: nothing is known that could be drawn\n", self.corridor("stabilize", "e.json", "--states", "1", "--svg", "no.svg", code=7).stderr)
        self.assertFalse((self.folder / "no.svg").exists())
        self.program(PROGRAM, READS, "        return []\n", "def rule(self, left):", "def rule(self):", "range(3)", "range(1500)", RULE,
                     '        return {"x": self.x - 1} if self.x else None\n')
        self.write(SAME[:2] + ["invariant zero: all(a in agents: a.x == 0)"], count=1, stabilize={"daemons": ["central"]})
        told = self.corridor("stabilize", "e.json", "--tell", "--svg", "long.svg", code=0).stdout.splitlines()
        self.assertEqual((told[2], told[3].split()[:3], told[-2].split()), ("  the last 1000 of 1500 steps; --json has all in stabilize_run", ["x", "=", "999"], ["0", "moves", "0", "inside"]))
        self.assertEqual(len(told), 1004)
        drawn = [node.get("class") for node in xml.etree.ElementTree.parse(self.folder / "long.svg").iter()]
        self.assertEqual(drawn.count("v"), 999)

    def test_what_is_not_known_is_not_said(self):
        """Rounds that are not counted, traps that are unknown, expected steps that did not come near."""
        down = (READS, "        return []\n", "def rule(self, left):", "def rule(self):", "range(3)", "range(2)", RULE, '        return {"x": 0} if self.x else None\n')
        zero = SAME[:2] + ["invariant zero: all(a in agents: a.x == 0)"]
        self.program(PROGRAM, *down)
        self.write(zero, count=16, stabilize={"daemons": ["central"], "within": {"rounds": 0}})  # 3^16 states with turns
        row = self.rows(code=7)[0]
        self.assertEqual((row["verdict"], row["said"]), ("undecided", 'undecided: rounds were not counted, as too many states have turns, and "within" names them'))
        self.write(zero, count=16, stabilize={"daemons": ["central"], "within": {"steps": 15}})
        self.assertEqual(self.rows(code=1)[0]["said"], "comes back within 16 steps; within 15 was asked")
        self.write(zero, count=1, stabilize={"daemons": ["central"], "within": {"rounds": 0}})
        self.assertEqual(self.rows(code=1)[0]["said"], "comes back within 1 round; within 0 was asked")
        toggles = (*down[:-1], '        return {"x": 1 - self.x} if self.me or self.x else None\n')
        self.program(PROGRAM, *toggles)
        self.write(SAME[:2] + ["attribute w: integer", "invariant zero: all(a in agents: a.x == 0 or a.w == 0)"], count=16, stabilize={"daemons": ["central"]})
        text = (self.folder / "p.py").read_text().replace('{"x": range(2)}', '{"w": [int(self.me == 1)], "x": range(2)}').replace("if self.me or self.x", "if self.me == 0 or self.x")
        (self.folder / "p.py").write_text(text)
        self.assertEqual(self.rows("--fair", "weak", code=0)[0]["said"],
                         "comes back if the daemon is weakly fair, rounds not counted: unfair, 2 steps can be repeated for ever")
        self.program(PROGRAM, *down)
        self.write(zero, count=2, traps={"served": "sum(a in agents: a.x / (a.x - a.x)) > 0"}, stabilize={"daemons": ["central"], "again": ["served"]})
        self.assertEqual(self.rows("--fair", "chance", code=7)[0]["said"], "undecided: served is unknown where x = 0 0")
        self.program(PROGRAM, *down[:4], "range(3)", "range(21)", RULE, '        return corridor.chance([{"x": self.x + 1}, {"x": 0}]) if self.x < 20 else None\n')
        self.write(SAME[:2] + ["invariant top: all(a in agents: a.x == 20)"], count=1, stabilize={"daemons": ["central"]})
        row = self.rows("--fair", "chance", code=0)[0]
        self.assertIn("steps on average from the worst state", row["said"])
        self.assertIn(", at least " if row["expected_error"] > 0.05 else "; what is", row["said"])
        self.assertLess(row["expected_worst"], 2 ** 21)
        # A coin that comes to the same draws nothing.
        same = (*down[:-1], '        return corridor.chance([{"x": 0}, {"x": 0}]) if self.x else None\n')
        self.program(PROGRAM, *same)
        self.write(zero, count=2, stabilize={"daemons": ["central"]})
        self.assertEqual(self.rows(code=0)[0]["visited_steps"], 4)

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

    def test_nothing_is_proved_of_programs_that_keep_something(self):
        guarded = "return {'x': left.x} if self.x != left.x and %s else None"
        for name, before, body in (
                ("class", "kept = []", "P.kept.append(1)\n        " + guarded % "len(P.kept) % 5"),
                ("module", None, "KEPT.append(self.x)\n        " + guarded % "sum(KEPT) % 3"),
                ("closure", None, guarded % "COUNT() % 7"),
                ("file", None, "open('kept', 'a').write('x')\n        " + guarded % "len(open('kept').read()) % 5"),
                ("clock", None, "import time\n        return {'x': time.time_ns() // 1000 % 3}"),
                ("draw", None, "import random\n        return {'x': random.randrange(3)}"),
                ("cache", None, "self.cache = getattr(self, 'cache', self.x)\n        return {'x': self.cache}"),
                ("counter", None, "self.calls = getattr(self, 'calls', 0) + 1\n        " + guarded % "self.calls % 4"),
                ("last view", None, "last, self.last = getattr(self, 'last', 0), left.x\n        return {'x': last}"),
                ("other process", None, "KEPT[self.me:self.me + 1] = [self.x]\n        return {'x': KEPT[0] if KEPT else 0}"),
                ("set order", None, "return {'x': KEPT.append(self.x) or list({*KEPT, 2})[len(KEPT) % len({*KEPT, 2})]}"),
                ("a variable that leaves its range", None, "return {'x': self.x + 1}")):
            with self.subTest(name):
                text = PROGRAM.replace("return {\"x\": left.x} if self.x != left.x else None", body)
                if before:
                    text = text.replace('    name = "p"\n', f'    name = "p"\n    {before}\n')
                text = text.replace("class P", "KEPT = []\ndef counter():\n    n = [0]\n    def count():\n        n[0] += 1\n        return n[0]\n    return count\nCOUNT = counter()\n\nclass P", 1)
                self.program(text)
                self.write()
                done = self.corridor("stabilize", "e.json", code=None)
                self.assertNotIn("Proved", done.stdout, name)
                self.assertIn(done.returncode, (3, 7))
                if done.returncode == 7:
                    self.assertIn("undecided: process ", done.stdout)
                    self.assertIn("keeps something that it does not declare", done.stdout)

    def test_it_is_refused_in_so_many_words(self):
        answered = "python3 p.py: answered "
        for old, new, message in (
                (VARIABLES, "        return {}\n", 'p: it has no variable: nothing could be wrong after a fault\n  def variables(self): return {"x": range(5)}\n'),
                (VARIABLES, '        return {"x": range(0)}\n', "p: variable x of process 0 has an empty domain\n  each variable has one value at least\n"),
                (VARIABLES, '        return {"x": []}\n', "p: variable x of process 0 has an empty domain\n  each variable has one value at least\n"),
                (VARIABLES, '        return {"x": range(2 ** 33)}\n', "/variables/x has 8589934592 values\n  at most 2^32 - 1 of them\n"),
                (VARIABLES, '        return {"x": [1, 1]}\n', "/variables/x/1 stands there twice\n  each value once\n"),
                (VARIABLES, '        return {"enabled": range(3)}\n', "p: a variable is called enabled, which is what the corridor sees of whether it can move\n"),
                (READS, "        return [self.me]\n", "p: process 0 reads itself: its own variables it has anyway\n  name others, each once\n"),
                (READS, "        return [7]\n", "p: process 0 reads process 7, and there are 3\n  processes are numbered from 0\n"),
                (READS, "        return [1 - self.me % 2] * 2\n", "p: process 0 reads process 1 twice\n  name others, each once\n"),
                (RULE, '        return {"x": 3}\n', "/next/0/x 3 is no value of x of process 0, which has 0 .. 2\n"),
                (RULE, '        return {"y": 1}\n', '/next/0/y unknown key "y"\n  did you mean "x"? known: x\n'),
                (RULE, "        return 4\n", "in the rule of process 0: TypeError: a rule returns new values by their names, None, or a list, and not 4\n"),
                (RULE, '        return {"x": self.now}\n', "in the rule of process 0: TypeError: a rule is a function of what it sees, and now is of programs with messages "
                 "(corridor.Process) (p.py:9)\n"),
                (RULE, '        return {"x": self.random.randrange(3)}\n', "and random is of programs with messages (corridor.Process) (p.py:9)\n"),
                (RULE, '        self.send(0, "m")\n', "and send() is of programs with messages (corridor.Process) (p.py:9)\n"),
                (RULE, "        self.set_alarm(0, 1)\n", "and set_alarm() is of programs with messages (corridor.Process) (p.py:9)\n"),
                (RULE, '        return {"x": 1 // 0}\n', "in the rule of process 0: ZeroDivisionError: integer division or modulo by zero (p.py:9)\n"),
                (RULE, '        __import__("os")._exit(3)\n', "python3 p.py: its process ended by itself with exit code 3\n")):
            with self.subTest(new):
                self.program(PROGRAM, old, new)
                self.write()
                said = "".join(line for line in self.corridor("stabilize", "e.json", code=3).stderr.splitlines(True) if not line.startswith("corridor: warning: isolation"))
                self.assertIn(message, said)
                self.assertTrue(said.startswith("corridor: invalid input: p: ") or said.startswith("corridor: unusable plug-in: python3 p.py: "), said)
                if message.startswith("/"):
                    self.assertIn(answered, said)
        self.program()
        for corridor, message in (
                (SAME[:2] + ["invariant up: all(a in agents: a.x >= a.x@before)"], "3:15: up looks at the state before, which is no question about a state\n"),
                (SAME[:2] + ["channel c", "invariant agreed: agree(c)"], "agreed looks at what was told before, which is no question about a state\n"
                 '  leave it out, or name those that count in "watch"\n'),
                (SAME + ["temporal t: eventually same"], 't is a formula of time, and states are asked one by one\n  say "within" or "again" in "stabilize"\n'),
                (["structure observed", "attribute y: integer", "invariant s: all(a in agents: a.y == 0)"], 'attribute "y": the program shows none of that name\n'
                 '  did you mean "x"? known: x, reads, enabled\n'),
                (["structure observed", "attribute x: real", "invariant s: all(a in agents: a.x == 0)"], 'attribute "x": the program shows it with another type\n'
                 "  write: attribute x: integer\n"),
                (["structure observed", "attribute x: integer 0 .. 1", "invariant s: all(a in agents: a.x == 0)"], "agent 2 shows 2 as its x, which is no value of it\n")):
            with self.subTest(corridor):
                self.write(corridor)
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        for asked, message in (
                ({"daemons": ["any"]}, "/stabilize/daemons/0: the daemon any is of programs with messages, and rules have none\n"),
                ({"daemons": ["centrall"]}, '/stabilize/daemons/0: unknown daemon "centrall"\n  did you mean "central"? known: central, distributed, synchronous\n'),
                ({"again": ["served"]}, '/stabilize/again/0: no condition "served" is among the traps of arm "program"\n'),
                ({"graph": [[1], [0]]}, "/stabilize/graph: has 2 lists of neighbours, and there are 3 processes\n"),
                ({"graph": [[1], [0, 2], []]}, "/stabilize/graph/2: has a gap: process 2 is a neighbour of 1, and not the other way round\n"),
                ({"graph": [[0], [], []]}, "/stabilize/graph/0/0: process 0 is its own neighbour\n"),
                ({"graph": "wheel"}, '/stabilize/graph: unknown graph "wheel"\n  known: ring, line, star, complete\n'),
                ({"graph": "grid 2 2"}, "/stabilize/graph: a grid of 2 by 2 has 4 processes, and there are 3\n"),
                ({"graph": "grid 2"}, '/stabilize/graph: a grid has rows and columns, two numbers from 1 to 64\n  "grid 3 3"\n'),
                ({"graph": "grid -1 -3"}, "/stabilize/graph: a grid has rows and columns, two numbers from 1 to 64\n"),
                ({"graph": "grid 0 3"}, "/stabilize/graph: a grid has rows and columns, two numbers from 1 to 64\n"),
                ({"graph": "grid 1 65"}, "/stabilize/graph: a grid has rows and columns, two numbers from 1 to 64\n"),
                ({"graph": "ring", "graphs": ["ring"]}, '/stabilize/graph: has both a "graph" and "graphs"\n'),
                ({"over": "messages"}, "/stabilize/over: rules over messages are not computed so far: a step reads its neighbours' variables\n"),
                ({"sample": True}, "/stabilize/sample: states are not drawn so far: all of them are gone through\n"),
                ({"corrupt": {}}, "/stabilize/corrupt: what may be wrong cannot be limited so far: all variables hold anything\n"),
                ({"counts": [65]}, "/stabilize/counts/0: is 65, expected 1 to 64\n"),
                ({"within": {"step": 4}}, '/stabilize/within/step: unknown key "step"\n  did you mean "steps"? known: steps, moves, rounds\n')):
            with self.subTest(asked):
                self.write(stabilize=asked)
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        for traps, message in (({"served": "any(a in agents: a.x@before != a.x)"}, "served looks at the state before, which is no question about a state\n"
                                "  ask for what is to be so in a state\n"),):
            self.write(traps=traps, stabilize={"again": ["served"]})
            self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        self.write(stabilize={"graph": [[1], [0], []]})
        self.assertIn("warning: arm program, 3 processes, [[1],[0],[]]: the graph is not connected\n", self.corridor("stabilize", "e.json", code=1).stderr)
        self.write(program="two_phase")
        self.assertIn('/process/program: program "two_phase" sends messages, and stabilize goes through programs of rules so far\n',
                      self.corridor("stabilize", "e.json", code=3).stderr)
        self.write(count=65)
        self.assertIn("/process/count: is 65, expected 1 to 64\n", self.corridor("stabilize", "e.json", code=3).stderr)
        self.write()
        self.assertIn('the experiment has no arm "x"\n  known: program\n', self.corridor("stabilize", "e.json", "--arm", "x", code=3).stderr)
        self.assertIn("no system of it has 4 processes\n", self.corridor("stabilize", "e.json", "--count", "4", code=3).stderr)
        for command in ("run", "e.json", "-o", "e.h5"), ("search", "e.json"), ("decide", "e.json", "P >= 0.5 [ always inside ]"):
            self.assertIn('/process/program: program "p" has rules in the place of messages: there are no schedules of it\n  corridor stabilize goes through all its '
                          "states\n", self.corridor(*command, code=3).stderr)


if __name__ == "__main__":
    e2e.main()
