#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize of systems with messages: each no is a file, which a second implementation executes, too, of the program as it is and of one that was changed; it
is made small, told, and refused where it was changed; states that are too many are drawn.

usage: test_stabilize_mail.py CORRIDOR SOURCE MODULES EXPLICIT_SPACE [in-full]"""
import json
import random
import xml.etree.ElementTree

from stabilize_case import PROGRAM, RING, RULE, SAME, StabilizeCase, e2e
import test_stabilize_messages as messages

# At once, so that no loop needs a slow message.
DRAWN = messages.DRAWN.replace("set_alarm(0, 5)", "set_alarm(0, 0)").replace("5 if row", "0 if row")
ZERO = ["structure observed", "attribute x: integer", "invariant zero: sum(a in agents: a.x) == 0"]


class Naive:
    """A state is what a file says of it; an event makes another of it, or None: it is not possible, or changes nothing."""

    def __init__(self, table, capacity):
        self.table, self.capacity = table, capacity

    def start(self, file):
        start = file["process_test"]["start"]
        alarms = start.get("alarms", self.table["alarms"])  # that it says none means those that start() sets
        mail = {}
        for one in start["mail"]:
            mail.setdefault((one["from"], one["to"]), []).append(one["kind"])
        return tuple(start["values"]["x"]), tuple(map(bool, alarms)), tuple(sorted((link, tuple(kinds)) for link, kinds in mail.items()))

    def after(self, state, event):
        values, alarms, mail = list(state[0]), list(state[1]), {link: list(kinds) for link, kinds in state[2]}
        word, p, other = event
        if word == "time-out":
            if not alarms[p]:
                return None
            row, alarms[p] = self.table["rows"][f"{p} alarm {values[p]}"], False
        else:
            if not mail.get((other, p)):
                return None
            kind = mail[other, p].pop(0)
            row = self.table["rows"][f"{p} {other} {kind} {values[p]}"] if word == "deliver" else {"x": values[p], "sends": [], "set": None}
        values[p] = row["x"]
        alarms[p] = alarms[p] if row["set"] is None else row["set"]
        for to, kind in row["sends"]:
            link = mail.setdefault((p, to), [])
            if len(link) < self.capacity:
                link.append(kind)
        next_state = tuple(values), tuple(alarms), tuple(sorted((link, tuple(kinds)) for link, kinds in mail.items() if kinds))
        return None if next_state == state else next_state

    def enabled(self, state):
        events = [("time-out", p, 0) for p in range(len(state[0]))] + [("deliver", to, sender) for (sender, to), _ in state[2]]
        return {event for event in events if self.after(state, event)}

    def states(self, file):
        """Those of the schedule, what is not possible passed over; and the events that happened."""
        states, events = [self.start(file)], []
        for word, p, other, *_ in file["schedule"]:
            after = self.after(states[-1], (word, p, other))
            if after:
                states.append(after)
                events.append((word, p, other))
        return states, events

    def fails(self, file):
        states, events = self.states(file)
        outside = [sum(state[0]) != 0 for state in states]
        if "loop" in file["process_test"]:
            for end in range(1, len(states)):
                owed = set().union(*(self.enabled(state) for state in states[:end]))
                if states[end] == states[0] and any(outside) and owed <= set(events[:end]):
                    return "loops"
            return None
        if not self.enabled(states[-1]) and outside[-1]:
            return "rests"
        return "leaves" if any(not before and after for before, after in zip(outside, outside[1:])) else None


class Mail(StabilizeCase):
    def drawn(self, rng):
        n, values, capacity = rng.choice((2, 2, 3)), 2, 1
        rows = {}
        for p in range(n):
            for event in ["alarm"] + [f"{q} {kind}" for q in range(n) for kind in "ab"]:
                for x in range(values):
                    sends = [[rng.choice(((p + 1) % n, (p - 1) % n)), rng.choice("ab")] for _ in range(rng.choice((0, 1, 1) if event == "alarm" else (0, 0, 1)))]
                    rows[f"{p} {event} {x}"] = {"x": rng.randrange(values), "sends": sends, "set": rng.choice((True, True, True, None) if event == "alarm" else (None, None, None, True, False))}
        return {"values": values, "alarms": [rng.random() < .8 for _ in range(n)], "rows": rows}, n, capacity

    def test_each_no_is_what_a_second_implementation_executes(self):
        """Files of drawn programs; then one row of the program is changed, and both say of the file the same."""
        rng, met, changed = random.Random(11), {}, {"fails": 0, "not": 0}
        self.program(DRAWN)
        for _ in range(60 if e2e.IN_FULL else 4):
            table, n, capacity = self.drawn(rng)
            (self.folder / "t.json").write_text(json.dumps(table))
            self.write(ZERO, "python3 p.py t.json", n, stabilize={"mail": capacity})
            name = self.folder / "kept/program.any.json"
            name.unlink(missing_ok=True)
            self.corridor("stabilize", "e.json", "-o", "kept", code=None)
            if not name.exists():
                continue
            file = json.loads(name.read_text())
            expected = file["process_test"]["expected"]
            met[expected] = met.get(expected, 0) + 1
            if expected in ("loops", "rests", "leaves"):
                self.assertEqual(Naive(table, capacity).fails(file), expected, file)
            self.corridor("replay", "kept/program.any.json", "--trust", "--expect", "failing", code=0)
            for row in rng.sample(sorted(table["rows"]), 3):
                was = table["rows"][row]
                table["rows"][row] = {**was, "x": 1 - was["x"]}
                (self.folder / "t.json").write_text(json.dumps(table))
                known = Naive(table, capacity).fails(file)
                code = self.corridor("replay", "kept/program.any.json", "--trust", "--expect", "failing", code=None).returncode
                self.assertIn(code, (0, 1, 3, 7))
                if code in (0, 1) and expected in ("loops", "rests", "leaves"):
                    self.assertEqual(code == 0, known == expected, (file, row))
                    changed["fails" if code == 0 else "not"] += 1
                table["rows"][row] = was
        self.assertGreater(min(changed.values()), 3 if e2e.IN_FULL else 0, changed)
        self.assertGreater(met.get("loops", 0), 2 if e2e.IN_FULL else 0, met)

    def test_of_rules_modules_and_programs(self):
        """The same file whatever the program is written in: repeated, told, drawn, made small, denied by the right arm."""
        token = messages.TOKEN.replace("        HERE\n", "").replace("self.x = value", "self.x = value if self.fault else 0").replace('attributes = ', 'faults = ["wrong"]\n    attributes = ')
        ring = e2e.SOURCE / "experiments/library/new/stabilize_python/my_ring.py"
        few = ["structure observed", "attribute x: integer", "invariant same: all(a in agents: all(b in agents: a.x == b.x))"]
        (self.folder / "ring.py").write_text(ring.read_text().replace("self.count - 2", "3").replace("else self.count", "else 5"))
        (self.folder / "tokens.py").write_text(token)
        for program, corridor, count, asked, wrong, right, key in (
                ("python3 ring.py", RING, 3, {"over": "messages"}, "few", {}, "values"), ("python3 tokens.py", few, 2, {}, "wrong", {}, "value"),
                (e2e.MODULES / "ring_messages.so", few, 2, {}, "root_adds", None, "bytes")):
            with self.subTest(program):
                self.write(corridor, program, count, arms={wrong: {"fault": wrong}}, stabilize=asked)
                said = self.said(1, "-o", "kept", "--force")
                name = f"kept/{wrong}.any.json"
                self.assertIn(f": {name}\n", said)
                replay = lambda *options, code: self.corridor("replay", *options, "--trust", code=code)
                replay(name, "--expect", "failing", code=0)
                file = json.loads((self.folder / name).read_text())
                self.assertEqual((file["process_test"]["daemon"], file["stabilize"]["mail"]), ("any", 1))
                steps = len(file["schedule"])
                told = replay(name, "--trace", "--svg", "loop.svg", "-f", code=0).stdout
                self.assertEqual(len(told.splitlines()), steps + 2)
                xml.etree.ElementTree.parse(self.folder / "loop.svg")
                if file["process_test"]["expected"] == "loops":
                    self.assertIn("as at the beginning", told)
                self.assertIn("The schedule fails by ", self.corridor("why", name, "--trust", code=None).stdout)
                if right is not None:
                    (self.folder / "right.json").write_text(json.dumps({**file, "arms": {"right": right}}))
                    replay("right.json", "--expect", "failing", code=1)
                    replay("right.json", "--expect", "fixed", code=0)
                self.corridor("shrink", name, "--trust", "-o", "small.json", "--force", code=0)
                small = json.loads((self.folder / "small.json").read_text())
                self.assertLessEqual(len(small["schedule"]), steps)
                replay("small.json", "--expect", "failing", code=0)
                text = json.dumps(file["process_test"]["start"]["mail"])
                self.assertTrue(key in text or not file["process_test"]["start"]["mail"], text)

    def test_one_of_several_moves_by_what_is_drawn(self):
        """Of two choices the second draws: the event names it and its second outcome. With what is drawn no loop of a fair daemon is known, and where no way leads back that is the no."""
        self.program(PROGRAM, "range(3)", "range(4)", RULE, '        return [{"x": 0}, corridor.chance([{"x": 1}, {"x": 3}])]\n')
        for over, fair, expected in (("messages", "unfair", "loops"), ("messages", "strong", "trapped"), ("memory", "weak", "trapped"), ("memory", "chance", "loops")):
            with self.subTest((over, fair)):
                self.write(SAME[:2] + ["invariant never: all(a in agents: a.x != 3)"], count=2, stabilize={"over": over, "counts": [2]})
                self.said(1, "--fair", fair, "-o", "kept", "--force")
                for name in sorted((self.folder / "kept").iterdir()):
                    self.assertEqual(json.loads(name.read_text())["process_test"]["expected"], expected)
                    self.corridor("replay", name, "--trust", "--expect", "failing", code=0)
                    name.unlink()
        start = {"values": {"x": [0, 0]}, "mail": [{"from": 0, "to": 1, "values": {"x": 0}}]}
        for what, nth, x in ((0, 0, "0"), (1, 0, "1"), (1, 1, "3"), (0, 1, None)):
            test = {**json.loads((self.folder / "e.json").read_text()), "arms": {"a": {}}, "stabilize": {"over": "messages", "counts": [2]},
                    "process_test": {"expected": "leaves", "daemon": "any", "start": start}, "schedule": [["deliver", 1, 0, what, nth, 0]]}
            (self.folder / "t.json").write_text(json.dumps(test))
            told = self.corridor("replay", "t.json", "--trust", "--trace", code=0 if x == "3" else None).stdout
            self.assertRegex(told.splitlines()[-1], rf"^  1 hears 0 +0 {x} " if x else r"^  x = +0 0; under way: 0>1 0 ")

    def test_smaller_systems_that_a_program_cannot_be_are_passed_over(self):
        """Of one process this one sends to a second, which there is not."""
        (self.folder / "tokens.py").write_text(messages.TOKEN.replace("        HERE\n", "").replace("(self.me + 1) % self.count", "1 - self.me"))
        self.write(messages.SAME, "python3 tokens.py", 2)
        self.said(1, "-o", "kept")
        made = self.corridor("shrink", "kept/program.any.json", "--trust", "-o", "small.json", code=0).stderr
        self.assertIn("2 processes, and no fewer fail so\n", made)
        self.corridor("replay", "small.json", "--trust", "--expect", "failing", code=0)

    def test_what_is_under_way_and_set_is_made_less(self):
        """A step out of the corridor, beside mail and an alarm that it does not need: these are gone."""
        table = {"values": 2, "alarms": [True, True], "rows": {}}
        for p in range(2):
            for event in ["alarm"] + [f"{q} {kind}" for q in range(2) for kind in "ab"]:
                for x in range(2):
                    table["rows"][f"{p} {event} {x}"] = {"x": 1 - x if event == "alarm" and p == 0 else x, "sends": [[1 - p, "a"]] if event == "alarm" and p == 1 else [], "set": event == "alarm" and p == 0 or None}
        (self.folder / "t.json").write_text(json.dumps(table))
        self.program(DRAWN)
        self.write(ZERO, "python3 p.py t.json", 2, stabilize={"mail": 2, "counts": [2]})
        self.said(1, "--fair", "unfair", "-o", "kept")
        file = json.loads((self.folder / "kept/program.any.json").read_text())
        file["process_test"] = {"expected": "leaves", "daemon": "any", "start": {"alarms": [[0], [0]], "mail": [{"from": 1, "to": 0, "kind": "a"}] * 2, "values": {"x": [0, 0]}}}
        file["schedule"] = [["lose", 0, 1, 0, 0, 0], ["time-out", 0, 0, 0, 0, 1]]
        file["stabilize"] |= {"states": 1}  # too few to go through it
        (self.folder / "t1.json").write_text(json.dumps(file))
        self.corridor("replay", "t1.json", "--trust", "--expect", "failing", code=0)
        self.corridor("shrink", "t1.json", "--trust", "-o", "small.json", code=0)
        small = json.loads((self.folder / "small.json").read_text())
        start = small["process_test"]["start"]
        self.assertEqual((start["alarms"], start["mail"], [line[:3] for line in small["schedule"]]), ([[0], []], [], [["time-out", 0, 0]]))
        self.corridor("replay", "small.json", "--trust", "--expect", "failing", code=0)

    def test_it_is_refused_in_so_many_words(self):
        (self.folder / "tokens.py").write_text(messages.TOKEN.replace("        HERE\n", ""))
        self.write(messages.SAME, "python3 tokens.py", 2)
        self.said(1, "-o", "kept")
        whole = json.loads((self.folder / "kept/program.any.json").read_text())
        start, own = "/process_test/start", whole["process_test"]
        for path, value, message in (
                (("process_test", "daemon"), "central", "/process_test/daemon: central is a daemon of rules that read each other: of messages any may come next\n  write \"any\"\n"),
                (("process_test", "start"), {"x": [0, 0]}, f'{start}: lacks the key "values"\n'), (("process_test", "start", "values", "x"), [0], start + "/values/x: has 1 items, expected 2\n"),
                (("process_test", "start", "values", "y"), [0, 0], start + '/values/y: unknown key "y"\n'), (("process_test", "start", "way"), 1, start + '/way: unknown key "way"\n'),
                (("process_test", "start", "alarms"), [[0]], start + "/alarms: has 1 items, expected 2\n"), (("process_test", "start", "alarms", 0), [3], start + "/alarms/0: process 0 never has these alarms set with these values\n"),
                (("process_test", "start", "alarms", 0), [99], start + "/alarms/0/0: is 99, expected 0 to "),
                (("process_test", "start", "mail"), [{"from": 0, "to": 0, "kind": "m", "value": 0}], start + "/mail/0: nothing is ever sent from 0 to 0\n"),
                (("process_test", "start", "mail"), [{"from": 0, "to": 1, "kind": "m", "value": 7}], start + "/mail/0: no message `m` of that content is sent, or declared\n"),
                (("process_test", "start", "mail"), [{"from": 0, "to": 1, "value": 7}], start + '/mail/0: lacks the key "kind"\n'), (("process_test", "start", "mail"), [{"to": 1}], start + '/mail/0: lacks the key "from"\n'),
                (("process_test", "start", "mail"), [{"from": 0, "to": 1, "kind": "m", "value": 0}] * 2, start + "/mail/1: more than 1 messages are on one link\n"),
                (("process_test", "start", "mail"), [{"from": 0, "to": 2}], start + "/mail/0/to: is 2, expected 0 to 1\n"), (("process_test", "start", "mail"), 3, start + "/mail: is an integer, expected an array\n"),
                (("schedule",), [["move", 0, 0, 0, 0]], "/schedule/0: has 5 items, expected 6\n"), (("schedule",), [["move", 0, 0, 0, 0, 0]], '/schedule/0/0: unknown event "move"\n'),
                (("schedule",), [["deliver", 0, 2, 0, 0, 0]], "/schedule/0/2: is 2, expected 0 to 1\n"), (("schedule",), [["time-out", 0, 99, 0, 0, 0]], "/schedule/0/2: is 99, expected 0 to "),
                (("schedule",), [["deliver", 0, 1, 0, 0, 0]] * 2, "/schedule/1/5: two events happen in step 0, and of daemon any one does\n")):
            with self.subTest((path, value)):
                test = json.loads(json.dumps({**whole, "process_test": {key: member for key, member in own.items() if key != "loop"}}))
                into = test
                for key in path[:-1]:
                    into = into[key]
                into[path[-1]] = value
                (self.folder / "t.json").write_text(json.dumps(test))
                self.assertIn(message, self.corridor("replay", "t.json", "--trust", code=3).stderr)

    def test_states_that_are_too_many_are_drawn(self):
        """As of rules: a share that is back, and what is met is a no and a file. What was gone through says the same."""
        (self.folder / "ring.py").write_text((e2e.SOURCE / "experiments/library/new/stabilize_python/my_ring.py").read_text().replace("self.count - 2", "3").replace("else self.count", "else 5"))
        drawn = {"over": "messages", "states": 1000, "sample": {"effort": 20000}}
        self.write(RING, "python3 ring.py", 3, stabilize=drawn, arms={"right": {}, "few": {"fault": "few"}})
        said = self.said(0, "--arm", "right")
        self.assertIn("right: 3 processes, x of 5 values: 27,000 states\n  any          nothing that stays outside in ", said)
        self.assertIn(" states drawn of 27,000: at least 0.99 of them are back within ", said)
        self.assertTrue(said.endswith("Nothing is proved of a system whose states were drawn, but what was met.\n"))
        self.said(7, "--arm", "right", "--prove")
        first = self.rows("--arm", "right", code=0)
        self.assertEqual((first[0]["verdict"], first[0]["proved"], first[0]["daemon"]), ("sampled", False, "any"))
        self.assertEqual(first, self.rows("--arm", "right", code=0))
        self.assertEqual(self.rows("--arm", "right", "--states", "30000", code=0)[0]["verdict"], "fair")
        row = self.rows("--arm", "right", "--fair", "unfair", "-o", "kept", code=1)[0]  # unfair, a loop is met
        self.assertEqual(row["verdict"], "loops")
        self.corridor("replay", "kept/right.any.json", "--trust", "--expect", "failing", code=0)
        self.corridor("shrink", "kept/right.any.json", "--trust", "-o", "small.json", code=0)
        self.corridor("replay", "small.json", "--trust", "--expect", "failing", code=0)
        row = self.rows("--arm", "right", "--mail", "2", "-o", "kept", "--force", code=1)[0]  # of two messages on a link one may be old
        self.assertEqual((row["verdict"], json.loads((self.folder / "kept/right.any.json").read_text())["stabilize"]["mail"]), ("leaves", 2))
        self.corridor("replay", "kept/right.any.json", "--trust", "--expect", "failing", code=0)
        self.write(RING, "python3 ring.py", 3, stabilize={**drawn, "within": {"steps": 3}, "sample": {"steps": 200, "effort": 20000}})
        row = self.rows("-o", "kept", "--force", code=1)[0]
        self.assertEqual(row["verdict"], "late")
        self.corridor("replay", "kept/program.any.json", "--trust", "--expect", "failing", code=0)
        # A loop that a message slower than any would need is passed over: what is kept can happen in time.
        slow = messages.TOKEN.replace("        HERE\n        self.x = value\n", "        if value != self.x:\n            self.x = 2\n")
        slow = slow.replace("self.set_alarm(0, 10)\n        self.send", "self.set_alarm(0, 1000)\n        self.x = (self.x + 1) % 2 if self.me == 0 else 1\n        self.send")
        (self.folder / "p.py").write_text(slow)
        self.write(["structure observed", "attribute x: integer", "invariant never: all(a in agents: a.x < 2)"], count=2, stabilize={"states": 2, "sample": {"effort": 1000}})
        self.assertIn(self.rows("-o", "kept", "--force", code=1)[0]["verdict"], ("loops", "leaves"))
        self.corridor("replay", "kept/program.any.json", "--trust", "--expect", "failing", code=0)
        self.write(RING, "python3 ring.py", 7, stabilize=drawn)
        self.assertIn("undecided: 0 of 21,870,000,000 states were visited: more than 4,294,967,295 may not be", self.said(7))


if __name__ == "__main__":
    e2e.main()
