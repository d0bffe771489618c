#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize: what it says of programs of rules in Python and C, with each verdict and its picture; of what is not known nothing.

usage: test_stabilize.py CORRIDOR SOURCE MODULES [in-full]"""
import itertools
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree

from stabilize_case import PROGRAM, READS, RING, RULE, SAME, VARIABLES, StabilizeCase, e2e
from test_walls import CONTAINER


class Verdicts(StabilizeCase):
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
        self.page_is_what_was_said()
        self.assertIn("a picture is of one arm, size and daemon, and there are several",
                      self.corridor("stabilize", "my_ring.json", "--svg", "two.svg", code=3).stderr)
        self.assertFalse((self.folder / "two.svg").exists())
        way = self.corridor("stabilize", "my_ring.json", "--arm", "right", "--daemon", "synchronous", "--tell").stdout.splitlines()
        self.assertEqual((way[2].split()[:7], way[-2].split()[-1], len(way)), ("x = 0 1 0 1 1".split(), "inside", 11))

    def page_is_what_was_said(self):
        """The table is that of --json, curves go through its depths, and pictures show who moves, and where, as its runs do."""
        said = self.corridor("stabilize", "my_ring.json", "--json", "--pictures", code=1).stdout
        (self.folder / "said.json").write_text(said)
        sheets = {name: sheet["rows"] for name, sheet in json.loads(said)["sheets"].items()}
        self.corridor("report", "said.json", "-o", "page.html", "--figures", "figures")
        page = (self.folder / "page.html").read_text()
        cells = [re.findall(r"<t[dh][^>]*>(?:<[^>]*>)*([^<]*)", row) for row in re.findall(r"<tr.*?</tr>", re.split("data-sheet=.?stabilize.?>", page)[1], re.S)[1:]]
        self.assertEqual([row[3] for row in cells], [row["verdict"] for row in sheets["stabilize"]])
        self.assertEqual([row[7:10] for row in cells], [["n/a" if row[key] is None else str(row[key]) for key in ("worst_steps", "worst_moves", "worst_rounds")]
                                                       for row in sheets["stabilize"]])
        for number, row in enumerate(sheets["stabilize"]):
            mine = lambda rows, **more: [one for one in rows if all(one[key] == value for key, value in {**{k: row[k] for k in ("arm", "size", "daemon")}, **more}.items())]
            points = [line.split(",")[1:3] for line in (self.folder / f"figures/decision-0{1 + number // 3}.csv").read_text().splitlines() if line.startswith(row["daemon"])]
            self.assertEqual([(int(step), round(float(share) * row["states"])) for step, share in points],
                             [(one["steps"], one["states"]) for one in mine(sheets["stabilize_depth"])])
            drawn = list(xml.etree.ElementTree.parse(self.folder / f"figures/picture-0{number + 1}.svg").iter())
            shown = mine(sheets["stabilize_run"], run="loop") or mine(sheets["stabilize_run"], run="worst")
            steps = sum(len((one["movers"] or "").split()) for one in shown)
            self.assertEqual(([node.get("class") for node in drawn].count("r"), [node.get("class") for node in drawn].count("l")), (steps, int(row["verdict"] == "loops")))
            values = [node.text for node in drawn if node.get("class") == "m"][5:]
            self.assertEqual(values, " ".join(one["state"].removeprefix("x = ") for one in shown).split())
        # Without pictures the page has none, and is whole.
        (self.folder / "said.json").write_text(self.corridor("stabilize", "my_ring.json", "--json", code=1).stdout)
        self.corridor("report", "said.json", "-o", "bare.html")
        self.assertEqual((self.folder / "bare.html").read_text().count("<figure"), 2)

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
                row = self.rows(*options, "-o", "kept", "--force", code=0 if good else 7 if verdict == "undecided" else 1)[0]
                self.assertEqual((row["verdict"], row["said"], row["proved"]), (verdict, said, verdict != "undecided"))
                if good or verdict == "undecided":
                    continue
                self.assertEqual(json.loads((self.folder / "kept/program.central.json").read_text())["process_test"]["expected"], "loops" if verdict == "fair" else verdict)
                self.corridor("shrink", "kept/program.central.json", "--trust", "-o", "small.json", "--force", code=0)
                self.corridor("replay", "kept/program.central.json", "small.json", "--trust", "--expect", "failing", code=0)
                # Where the same invariant holds in all states nothing is wrong any more.
                everywhere = json.loads((self.folder / "small.json").read_text())
                everywhere["corridor"][-1] = "invariant right: all(a in agents: a.x == a.x)"
                if verdict not in ("idles",):
                    (self.folder / "sound.json").write_text(json.dumps(everywhere))
                    self.corridor("replay", "sound.json", "--trust", "--expect", "failing", code=1)
        self.program(PROGRAM, *toggles)
        self.write(of_reader("a.x == 0", 1), count=2, stabilize={"daemons": ["central"]})
        self.assertEqual(self.rows("--fair", "weak", code=0)[0]["verdict"], "fair")
        self.write(of_reader("a.x == 0", 1), count=2, stabilize={"daemons": ["central"], "again": ["moved"]}, traps={"moved": "any(a in agents: a.x == 1)"})
        self.assertEqual(self.rows("--fair", "weak", code=0)[0]["verdict"], "fair")
        self.write(of_reader("a.x == 0", 1), count=2, stabilize={"daemons": ["central"], "again": ["never"]}, traps={"never": "any(a in agents: a.x == 7)"})
        self.assertEqual(self.rows("--fair", "weak", code=1)[0]["said"], "comes back, but `never` is not met again: 2 steps inside can be repeated for ever")

    def test_what_may_be_wrong_is_limited(self):
        """Of Dijkstra's ring of four at most so many processes are wrong, by brute force; of two variables one alone."""
        def moves(state, n=4):
            return [(p, (state[p] + 1) % n if p == 0 else state[p - 1]) for p in range(n) if (state[p] == state[p - 1]) == (p == 0)]
        every = list(itertools.product(range(4), repeat=4))
        inside = {state for state in every if len(moves(state)) == 1}
        for wrong in 1, 2, 3:
            asked = {state for state in every if any(sum(a != b for a, b in zip(state, other)) <= wrong for other in inside)}
            after = {state: [state[:p] + (value,) + state[p + 1:] for p, value in moves(state)] for state in every}
            while more := {to for state in asked for to in after[state]} - asked:
                asked |= more
            ways = dict.fromkeys(inside, 0)
            while len(ways) < len(asked):
                ways |= {state: 1 + max(ways[to] for to in after[state]) for state in asked - set(ways) if all(to in ways for to in after[state])}
            self.ring()
            self.write(RING, "python3 my_ring.py", 4, stabilize={"daemons": ["central"], "corrupt": {"processes": wrong}})
            row, = self.rows(code=0)
            self.assertEqual((row["states"], row["inside"], row["worst_steps"], row["worst_states"]),
                             (len(asked), len(inside), max(ways.values()), sum(way == max(ways.values()) for way in ways.values())), wrong)
        self.assertIn(", wrong at most 3 processes: all 256 states, ", self.said(0))
        self.assertIn(f"from each of {len(asked)} states within {max(ways.values())} steps", row["said"])
        self.program(PROGRAM, VARIABLES, '        return {"x": range(3), "y": range(2)}\n')
        self.write(count=2, stabilize={"daemons": ["synchronous"], "corrupt": {"variables": ["y"]}})
        self.assertRegex(self.said(7), "undecided +all states that come of what may be wrong are inside, and nothing is put to the test\n")
        self.write(count=2, stabilize={"daemons": ["synchronous"], "corrupt": {"variables": ["x"], "processes": 1}})
        self.assertIn("x of 3 values and y of 2 values, wrong at most x of 1 process: ", self.said(1, "-o", "kept"))
        self.corridor("replay", "kept/program.synchronous.json", "--trust", "--expect", "failing")
        self.corridor("shrink", "kept/program.synchronous.json", "--trust", "-o", "small.json")

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
        self.assertIn("--pictures: puts pictures into JSON, for corridor report", self.corridor("stabilize", "e.json", "--pictures", code=3).stderr)
        said = self.corridor("stabilize", "e.json", "--json", "--pictures", code=0).stdout
        (self.folder / "said.json").write_text(said.replace("</g>", "<rect ONLOAD='alert(1)' onload='alert(1)' x='\\\"onload=1'/><script>alert(1)</script></g>"))
        self.corridor("report", "said.json", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertEqual(page.count("<figure"), 2)
        self.assertIn("a&lt;b&amp;c, 1 process, central: holds", page)
        self.assertIn("&lt;&amp;&gt;</text>", page)
        self.assertNotIn("onload", page.lower())
        self.assertNotIn("alert", page)
        for text, error in (("{}", "/: is neither\n  a result file, or what corridor stabilize --json says"), ('{"schema": "corridor-stabilize", "sheets": {}}', "stabilize"),
                            ('{"schema": "corridor-stabilize", "sheets": {"stabilize": {"rows": 3}}}', "rows")):
            (self.folder / "said.json").write_text(text)
            self.assertIn(error, self.corridor("report", "said.json", "-o", "no.html", code=3).stderr)
            self.assertFalse((self.folder / "no.html").exists())
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


if __name__ == "__main__":
    e2e.main()
