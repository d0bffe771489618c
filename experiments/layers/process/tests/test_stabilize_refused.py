#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize: programs that keep something, of which nothing is proved; and what it refuses, in so many words.

usage: test_stabilize_refused.py CORRIDOR SOURCE MODULES [in-full]"""
import shutil

from stabilize_case import PROGRAM, READS, RING, RULE, SAME, VARIABLES, StabilizeCase, e2e


class Refused(StabilizeCase):
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

    def test_a_rule_that_counts_by_twos(self):
        """Of views that come at two even, or two odd, places of both orders a rule that counts its calls by twos answers alike; each is asked a third time."""
        count, leap = 27, 11  # views of three processes, and the leap of the second order
        alike = [k for k in range(count) if next(j for j in range(count) if (count - 1 + j * leap) % count == k) % 2 == k % 2]
        self.assertGreater(len(alike), 10)
        for view in alike[::3]:
            for odd in 0, 1:
                with self.subTest((view, odd)):
                    self.program(PROGRAM, "class P", "calls = [0]\nclass P", RULE, f"""\
        calls[0] += 1
        if 9 * self.me + self.x + 3 * left.x == {view} and calls[0] % 2 == {odd}:
            return {{"x": (self.x + 1) % 3}} if self.x == left.x or (self.x + 1) % 3 != left.x else None
{RULE}""")
                    self.write(stabilize={"daemons": ["synchronous"]})
                    self.assertIn(f"undecided: process {view // 9} keeps something that it does not declare: ", self.said(7))

    def test_rules_in_javascript(self):
        """What the kit refuses is refused in its words; coins, lists and words are those of Python; what keeps something proves nothing."""
        if not shutil.which("node"):
            self.skipTest("node is not there")
        for name in ("process.js", "packages.js"):
            shutil.copy(e2e.SOURCE / "experiments/library/registries" / name, self.folder)
        self.write(program="node p.js", corridor=RING)
        program = lambda rule, values=3: (self.folder / "p.js").write_text(
            "const corridor = require('./process.js')\nlet kept = 0\ncorridor.run(class extends corridor.Rules {\n  static name = 'p'\n  variables () { return { x: corridor.range(VALUES) } }\n".replace("VALUES", str(values)) +
            f"  reads () {{ return [(this.me + 2) % 3] }}\n  rule (left) {{ {rule} }}\n}})\n")
        for rule, message in (
                ("return { x: 3 }", "/next/0/x 3 is no value of x of process 0, which has 0 .. 2\n"), ("return { y: 1 }", '/next/0/y unknown key "y"\n'),
                ("return 4", "in the rule of process 0: TypeError: a rule returns new values by their names, null, or a list, and not 4"),
                ("return new Promise(() => {})", "a rule returns new values by their names, null, or a list, and not Promise { <pending> }"),
                ("return { x: this.now }", "a rule is a function of what it sees, and the clock is of programs with messages (corridor.Process) (p.js:7)\n"),
                ("return { x: Date.now() }", "and the clock is of programs with messages"), ("return { x: Math.random() }", "and a random number is of programs with messages"),
                ("this.send(0, 'm')", "and send() is of programs with messages"), ("setTimeout(() => {}, 5)", "and a timer is of programs with messages"),
                ("return left.x.y.z", "in the rule of process 0: TypeError: Cannot read properties of undefined (reading 'z') (p.js:7)\n")):
            with self.subTest(rule):
                program(rule)
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        for name in "me", "count", "fault", "neighbours", "reads", "send", "now", "toString":
            with self.subTest(name):
                program("return null")
                (self.folder / "p.js").write_text((self.folder / "p.js").read_text().replace("{ x: corridor", f"{{ {name}: corridor.range(2), x: corridor"))
                self.assertIn(f"in the variables of process 0: TypeError: a variable is called {name}, which the class has in another use", self.corridor("stabilize", "e.json", code=3).stderr)
        for rule, verdict in (("return this.x !== left.x && kept++ % 2 ? { x: left.x } : null", "undecided"),
                              ("return this.x === left.x ? corridor.chance([{ x: 0 }, { x: 1 }]) : { x: left.x }", "chance"),
                              ("return this.x === left.x ? [{ x: 0 }, { x: 1 }] : { x: left.x }", "loops")):
            with self.subTest(rule):
                program(rule, 3 if verdict == "undecided" else 2)
                tokens = SAME[:2] + ["attribute reads: agents", "invariant single: count(a in agents where any(b in a.reads: a.x == b.x)) == 1"]
                self.write(tokens, "node p.js", stabilize={"daemons": ["synchronous"]})
                self.assertEqual(self.rows("--fair", "chance" if verdict == "chance" else "unfair")[0]["verdict"], verdict)

    def test_it_is_refused_in_so_many_words(self):
        answered = "python3 p.py: answered "
        for old, new, message in (
                (VARIABLES, "        return {}\n", 'p: it has no variable: nothing could be wrong after a fault\n  def variables(self): return {"x": range(5)}\n'),
                (VARIABLES, '        return {"x": range(0)}\n', "p: variable x of process 0 has an empty domain\n  each variable has one value at least\n"),
                (VARIABLES, '        return {"x": []}\n', "p: variable x of process 0 has an empty domain\n  each variable has one value at least\n"),
                (VARIABLES, '        return {"x": range(2 ** 33)}\n', "/variables/x has 8589934592 values\n  at most 2^32 - 1 of them\n"),
                (VARIABLES, '        return {"x": [1, 1]}\n', "/variables/x/1 stands there twice\n  each value once\n"),
                (VARIABLES, '        return {"enabled": range(3)}\n', "p: a variable is called enabled, which is what the corridor sees of whether it can move\n"),
                *((VARIABLES, f'        return {{"x": range(3), "{name}": range(2)}}\n', f"in the variables of process 0: TypeError: a variable is called {name}, which the class has in another use")
                  for name in ("me", "count", "fault", "neighbours", "now", "send", "rule", "variables", "name", "__class__")),
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
        for variables, reads, rule, changes, message in (
                ('{"x": range(2 ** 20), "y": range(2 ** 12)}', READS, RULE, {}, "p: process 0 has more than 2^31 states\n  at most 2^31\n"),
                ('{"x": range(65)}', "        return []\n", '        return [{"x": x} for x in range(65)] if self.x == 0 else None\n', {"count": 1}, "/next has 65 items, expected 0 to 64\n"),
                ('{"x": range(1)}', "        return self.neighbours\n", "        return None\n", {"count": 9, "stabilize": {"over": "messages", "graph": "complete"}},
                 "p: processes read each other over more than 60 links\n  fewer processes, or a graph with fewer edges\n")):
            with self.subTest(message):
                self.program(PROGRAM, VARIABLES, f"        return {variables}\n", READS, reads, RULE, rule)
                self.program((self.folder / "p.py").read_text().replace("def rule(self, left)", "def rule(self, *near)"))
                self.write(**changes)
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        self.program(PROGRAM, VARIABLES, '        return {"x": range(200)}\n', READS, "        return [p for p in range(3) if p != self.me]\n")
        self.write()
        self.assertIn("undecided: process 0 can see more than 1,000,000 different views, and is not asked for so many\n", self.said(7))
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
                ({"daemons": ["centrall"]}, '/stabilize/daemons/0: unknown daemon "centrall"\n  did you mean "central"? known: central, distributed, synchronous, any\n'),
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
                ({"sample": 3}, "/stabilize/sample: is an integer, expected true or false\n"), ({"sample": {"share": 2}}, "/stabilize/sample/share: is 2, expected 0.5 to 0.9999\n"),
                ({"sample": {"shares": 1}}, '/stabilize/sample/shares: unknown key "shares"\n  did you mean "share"? known: share, error, steps, effort\n'),
                ({"sample": {"steps": 0}}, "/stabilize/sample/steps: is 0, expected 1 to 100000000\n"),
                ({"corrupt": {"processes": 0}}, "/stabilize/corrupt/processes: is 0, expected 1 to 64\n"),
                ({"corrupt": {"variables": []}}, "/stabilize/corrupt/variables: "),
                ({"corrupt": {"variables": ["y"]}}, '/stabilize/corrupt/variables/0: arm "program" has no variable "y"\n'),
                ({"corrupt": {"values": True}}, '/stabilize/corrupt/values: unknown key "values"\n'),
                ({"corrupt": {"mail": False}}, "/stabilize/corrupt: nothing is under way where rules read each other's variables\n  leave \"mail\" out\n"),
                ({"corrupt": {"mail": 1}}, "/stabilize/corrupt/mail: is an integer, expected true or false\n"),
                ({"counts": [65]}, "/stabilize/counts/0: is 65, expected 1 to 64\n"),
                ({"within": {"step": 4}}, '/stabilize/within/step: unknown key "step"\n  did you mean "steps"? known: steps, moves, rounds\n')):
            with self.subTest(asked):
                self.write(stabilize=asked)
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        for never, message in ((">= 0", "undecided: all states are inside, and nothing is put to the test: write what does not hold in all\n"),
                               ("> 2", "undecided: the corridor is empty, and nothing can come back: write what holds in some state\n")):
            self.write(SAME[:2] + [f"invariant x: all(a in agents: a.x {never})"])
            self.assertIn(message, self.said(7))
        for traps, message in (({"served": "any(a in agents: a.x@before != a.x)"}, "served looks at the state before, which is no question about a state\n"
                                "  ask for what is to be so in a state\n"),):
            self.write(traps=traps, stabilize={"again": ["served"]})
            self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        self.write(stabilize={"graph": [[1], [0], []]})
        self.assertIn("warning: arm program, 3 processes, [[1],[0],[]]: the graph is not connected\n", self.corridor("stabilize", "e.json", code=1).stderr)
        self.write(program="two_phase")
        self.assertIn('attribute "x": the program shows none of that name\n',
                      self.corridor("stabilize", "e.json", code=3).stderr)
        self.write(program="two_phase", corridor=["structure observed", "attribute open: integer", "invariant settled: all(a in agents: a.open == 0)"],
                   stabilize={"corrupt": {"processes": 1}})
        self.assertIn('/stabilize/corrupt: program "two_phase" does not say what it keeps, and a part of that has no name\n  leave it out\n',
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
