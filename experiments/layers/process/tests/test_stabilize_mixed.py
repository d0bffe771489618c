#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize of programs with messages that do not say what they keep: starts are mixed of states that processes had in runs, or their mail alone is wrong. Drawn
programs beside a second implementation; programs that are no function of what they are told, or end; two_phase and a token ring; what is refused.

usage: test_stabilize_mixed.py CORRIDOR SOURCE MODULES EXPLICIT_SPACE [in-full]"""
import json
import random

from stabilize_case import StabilizeCase, e2e
import test_stabilize_messages as messages

DRAWN = messages.DRAWN.replace("""    def variables(self):
        return {"x": range(T["values"])}
""", "")
ZERO = ["structure observed", "attribute x: integer", "invariant zero: sum(a in agents: a.x) == 0"]
STEPS = 30


LOW, HIGH, ALARM = 1, 10, 5  # ticks of a message, as they are if the file says nothing, and until an alarm of DRAWN


class Naive:
    """Runs of a table, written down as naively as can be. A state of a process is its value and when its alarm is due; mail is a list a link, of what and since when; behind
    these is the time. What may come next comes as soon as it can, and before nothing is late."""

    def __init__(self, table, n, rng, loses):
        self.rows, self.n, self.rng, self.loses, self.first = table["rows"], n, rng, loses, [(0, ALARM if alarm else None) for alarm in table["alarms"]]

    def options(self, locals_, mail, now):
        links = [link for link in sorted(mail) if mail[link]]
        some = [("alarm", p, max(now, due), due + HIGH) for p, (_, due) in enumerate(locals_) if due is not None]
        some += [("deliver", link, max(now, mail[link][0][1] + LOW), mail[link][0][1] + HIGH) for link in links]
        bound = max(now, min((option[3] for option in some), default=now))
        some = [option for option in some if option[2] <= bound]
        return some + ([("lose", self.rng.choice(links), now, None)] if links and self.loses else [])

    def happen(self, locals_, mail, option):
        word, of, now, _ = option
        if word == "lose":
            return mail[of].pop(0)[0]
        p = of if word == "alarm" else of[1]
        kind = None if word == "alarm" else mail[of].pop(0)[0]
        row = self.rows[f"{p} alarm {locals_[p][0]}" if word == "alarm" else f"{p} {of[0]} {kind} {locals_[p][0]}"]
        due = None if word == "alarm" else locals_[p][1]
        locals_[p] = row["x"], due if row["set"] is None else now + ALARM if row["set"] else None
        for to, what in row["sends"]:
            mail.setdefault((p, to), []).append((what, now))
        return kind

    def failure(self, test):
        """Executes a kept file, as naively: by what it fails; None: by nothing, or something in it cannot happen then."""
        start, rows, (bound, locals_, mail, now) = test["process_test"]["start"], test["schedule"], (None, list(self.first), {}, 0)
        for kind, p, *rest, now in start["told"]:
            if kind == "jump":  # its clock goes back, and what is due by that comes later
                assert rest[0] == "back"
                locals_[p] = locals_[p][0], None if locals_[p][1] is None else locals_[p][1] + rest[1]
                continue
            if kind == "time-out":
                if locals_[p][1] is None or locals_[p][1] > now:
                    return None
                option = "alarm", p, now, None
            else:
                letter = start["letters"][rest[2]]
                assert kind == "deliver" and (letter["from"], letter["to"], letter["kind"]) == (rest[0], p, rest[1])
                option = "deliver", (rest[0], p), now, None
                mail = {option[1]: [(letter["kind"], now)]}
            self.happen(locals_, mail, option)
        mail = {}
        for letter in (start["letters"][number] for number in start["mail"]):
            mail.setdefault((letter["from"], letter["to"]), []).append((letter["kind"], now))
        for kind, p, *rest, tick in rows:
            options = [option for option in self.options(locals_, mail, now) if option[0] != "lose"]
            bound = max(now, min((option[3] for option in options), default=now))
            of = p if kind == "time-out" else (rest[0], p)
            can = self.loses and mail.get(of) if kind == "lose" else any(
                option[:2] == ({"time-out": "alarm"}.get(kind, kind), of) and option[2] <= tick <= bound for option in options)
            if not can or kind != "time-out" and mail[of][0][0] != rest[1] or tick < now:
                return None
            now = tick
            self.happen(locals_, mail, ({"time-out": "alarm"}.get(kind, kind), of, now, None))
        if sum(local[0] for local in locals_) == 0:
            return None
        return "rests" if not self.options(locals_, mail, now) else "late" if len(rows) >= test["stabilize"]["within"]["steps"] else None

    def share(self, is_mixed, starts):
        """Of starts that are back, and whether one of their states was outside."""
        runs, letters = [], set()
        for _ in range(64):
            locals_, mail, now, states, last = list(self.first), {}, 0, [], [0] * self.n
            for _ in range(201):
                states.append((list(locals_), {link: list(some) for link, some in mail.items()}, now, list(last)))
                options = self.options(locals_, mail, now)
                if not options:
                    break
                option = self.rng.choice(options)
                now = option[2]
                kind = self.happen(locals_, mail, option)
                if option[0] != "lose":
                    last[option[1] if option[0] == "alarm" else option[1][1]] = now
                if option[0] == "deliver":
                    letters.add((*option[1], kind))
            runs.append(states)
        back, outside_met = 0, False
        for _ in range(starts):
            locals_, mail, now = [], {}, 0
            if is_mixed:
                for p in range(self.n):  # one after the other is told what it was told, from now on
                    then, _, _, last = self.rng.choice(self.rng.choice(runs))
                    locals_.append((then[p][0], None if then[p][1] is None else now + then[p][1]))
                    now += last[p]
                mail = {link: [(self.rng.choice([kind for *of, kind in sorted(letters) if tuple(of) == link]), now)]
                        for link in {tuple(of) for *of, _ in letters} if self.rng.random() < .5}
            else:
                before, under_way, now, _ = self.rng.choice(self.rng.choice(runs))
                locals_ = list(before)
                for link, some in sorted(under_way.items()):
                    for kind, _ in some:
                        deed = self.rng.randrange(4)
                        *other, what = self.rng.choice(sorted(letters)) if deed == 3 and letters else (*link, kind)
                        for _ in range((1, 0, 2, 1)[deed]):
                            mail.setdefault(tuple(other), []).append((what, now))
            until, time = 0, 0
            while True:
                outside = sum(local[0] for local in locals_) != 0
                outside_met |= outside
                until = time + 1 if outside else until
                options = self.options(locals_, mail, now)
                if not options or time == 2 * STEPS or time - until == STEPS:
                    break
                option = self.rng.choice(options)
                now = option[2]
                self.happen(locals_, mail, option)
                time += 1
            back += until <= STEPS and (options != [] or not outside)
        return back / starts, outside_met


class Mixed(StabilizeCase):
    def said_of(self, *options):
        rows = self.rows(*options)
        self.assertEqual([(row["daemon"], row["proved"]) for row in rows], [("any", False)] * 2)
        self.assertEqual([row["said"].split(":")[0] for row in rows], ["mixed", "mail"])
        return rows

    def test_drawn_programs_beside_a_second_implementation(self):
        rng, compared = random.Random(5), {"good": 0, "bad": 0}
        self.program(DRAWN)
        for number in range(40 if e2e.IN_FULL else 5):
            n, rows = rng.choice((2, 3)), {}
            calm = number % 2 == 0  # such that it does come back
            for p in range(n):
                for event in ["alarm"] + [f"{q} {kind}" for q in range(n) for kind in "ab"]:
                    for x in range(2):
                        sends = [[rng.choice(((p + 1) % n, (p - 1) % n)), rng.choice("ab")] for _ in range(rng.choice((0, 1)) if event == "alarm" else (0))]
                        value = (p == 0 and event == "1 b" and x == 0 and number % 4 == 2 or rng.random() < .3 and event == "alarm" and False) if calm else rng.randrange(2)
                        rows[f"{p} {event} {x}"] = {"x": int(value), "sends": sends, "set": True if event == "alarm" else None}
            if calm:
                rows["0 alarm 0"]["x"] = 1 if number % 4 == 0 else 0
                rows["0 alarm 1"] |= {"x": 0, "set": False}
            table = {"values": 2, "alarms": [True] * n, "rows": rows}
            (self.folder / "t.json").write_text(json.dumps(table))
            self.write(ZERO, "python3 p.py t.json", n, stabilize={"sample": {"steps": STEPS, "share": .9, "error": .05}}, faults=["lose" if number % 3 == 0 else "crash"])
            self.corridor("stabilize", "e.json", "--json", "-o", f"kept{number}", code=None)
            said = self.said_of()
            for grade, row in enumerate(said):
                share, met = Naive(table, n, random.Random(number), number % 3 == 0).share(grade == 0, 800)
                name = (number, grade, share, met, row["said"])
                if not met:
                    self.assertEqual(row["verdict"], "undecided", name)
                elif share > .96:
                    self.assertIn("nothing that stays outside", row["said"], name)
                    compared["good"] += 1
                elif share < .8:
                    self.assertIn("does not come back", row["said"], name)
                    compared["bad"] += 1
                path = self.folder / f"kept{number}" / f"program.any.{('mixed', 'mail')[grade]}.json"
                self.assertEqual(path.exists(), "does not come back" in row["said"], name)
                if path.exists():
                    self.check_file(path, table, n, number % 3 == 0, is_shrunk=e2e.IN_FULL and number < 4)
        self.assertGreater(min(compared.values()), 0, compared)

    def check_file(self, path, table, n, loses, is_shrunk):
        """What was kept, and what shrink leaves of it: both fail so by the second implementation, and that is what replay says."""
        kept, small = path.relative_to(self.folder), f"small.{path.parent.name}.{path.name}"
        if is_shrunk:
            self.corridor("shrink", str(kept), "--trust", "-o", small)
        sizes = []
        for name in (str(kept), *([small] if is_shrunk else [])):
            test = json.loads((self.folder / name).read_text())
            self.assertEqual(Naive(table, n, random.Random(1), loses).failure(test), test["process_test"]["expected"], name)
            self.assertIn(f"as expected {name}: {test['process_test']['expected']}: ", self.corridor("replay", name, "--trust", "--expect", "failing").stdout)
            sizes.append((len(test["process_test"]["start"]["told"]), len(test["process_test"]["start"]["mail"]), len(test["schedule"])))
        self.assertTrue(all(less <= more for less, more in zip(sizes[-1], sizes[0])), sizes)

    def test_files_of_mixed_states(self):
        """Two-phase commit: files are repeated, told and drawn; what is too slow does not happen; what cannot be is refused, or open."""
        settled = ["structure observed", "attribute open: integer", "invariant settled: sum(a in agents: a.open) == 0"]
        self.write(settled, "two_phase", 3)
        said = self.said(1, "-o", "kept", "--tell")
        self.assertIn(": kept/program.any.mixed.json\n", said)
        self.assertIn("coordinator participant participant; ", said)
        self.corridor("stabilize", "e.json", "--svg", "a.svg", code=1)
        self.assertIn("</svg>", (self.folder / "a.svg").read_text())
        name = "kept/program.any.mail.json"
        self.corridor("replay", name, "--expect", "failing")
        self.assertIn("sum(a in agents: a.open) is ", self.corridor("replay", name, "--trace").stdout)
        self.corridor("replay", name, "--trace", "--svg", "b.svg")
        self.corridor("shrink", "kept/program.any.mixed.json", "-o", "small.json")
        self.corridor("replay", "small.json", "--expect", "failing")
        small, kept = (json.loads((self.folder / path).read_text()) for path in ("small.json", "kept/program.any.mixed.json"))
        self.assertEqual(len(small["schedule"]), 100)  # "late" within 100 needs as many
        self.assertLess(len(small["process_test"]["start"]["told"]), len(kept["process_test"]["start"]["told"]))
        self.assertIn("The schedule fails by late with event ", self.corridor("why", name, code=None).stdout)
        test = json.loads((self.folder / name).read_text())
        start = test["process_test"]["start"]

        def asked(code, expect="failing", **changes):
            (self.folder / "t.json").write_text(json.dumps({**test, **changes}))
            return self.corridor("replay", "t.json", "--expect", expect, code=code)

        def begun(**changes):
            return {"process_test": {**test["process_test"], "start": {**start, **changes}}}

        less = asked(1, schedule=test["schedule"][:50])
        self.assertIn("it is inside in time, or ends before that is known: ", less.stdout + less.stderr)
        late = [[*event[:-1], event[-1] + 100000] for event in test["schedule"]]  # nothing may be so slow
        self.assertIn("nothing fails: ", asked(1, schedule=late).stdout)
        asked(0, "fixed", schedule=late)
        open_ = asked(7, "fixed", **begun(told=[["time-out", 2, 7, 0]]))
        self.assertIn("process 2 cannot be told time-out at tick 0: was the program changed since?", open_.stdout + open_.stderr)
        for changes, said in ((begun(told=[["crash", 0, 0, 0]]), "nobody is told a crash\n  deliver, time-out, disk, input, or a jump of its clock\n"),
                              (begun(told=[["deliver", 1, 0, "vote", 9, 0]]), "9 is no such letter\n  the number of a letter from there to here, of that kind\n"),
                              (begun(letters=[{"from": 0, "to": 1, "kind": "vote", "bytes": "0x"}], told=[], mail=[]),
                               '"0x" is no list of bytes\n  write each byte as two digits, 0 to 9 and a to f\n'),
                              (begun(letters=[{"from": 0, "to": 1, "kind": "votes"}], told=[], mail=[]), "two_phase has no message of that kind\n"),
                              (begun(grade="old"), "grade"), (begun(mail=[77]), "/mail/0"),
                              ({"process_test": {**test["process_test"], "expected": "loops"}},
                               "nothing but that it is late, or rests, is known of a program that does not say what it keeps\n")):
            self.assertIn(said, asked(3, **changes).stderr)

    def test_what_is_put_together_is_in_no_run(self):
        """The token: one in each run, so that two of them are in mixed states alone; where nobody takes one away they stay. The clock of each goes as in its run."""
        token = """import corridor_process as corridor
class P(corridor.Process):
    name = "p"
    attributes = {"x": int, "has": int}
    messages = ["token"]
    faults = ["clock", "counts", "dies"]
    seen = 0
    def start(self, stored):
        self.has, self.x, self.first = int(self.me == 0), 0, self.now
        self.set_alarm(0, 10)
    def alarm(self, which):
        self.set_alarm(0, 10)
        self.x = (self.now - self.first) % 7 if self.fault == "clock" else self.x
        if self.has:
            self.has -= 1
            self.send((self.me + 1) % self.count, "token")
    def receive(self, sender, kind, value):
        P.seen += 1
        self.x = P.seen if self.fault == "counts" else self.x
        if self.has and self.fault == "dies":
            raise SystemExit(3)
        self.has += 1
    def observe(self):
        return {"x": self.x, "has": self.has}
corridor.run(P)
"""
        one = ["structure observed", "attribute x: integer", "attribute has: integer", "invariant single: sum(a in agents: a.has) <= 1"]
        self.program(token)
        faults = ("clock", "counts", "dies")
        self.write(one, count=2, arms={"sound": {}, **{fault: {"fault": fault} for fault in faults}}, faults=["crash"], stabilize={"sample": {"steps": STEPS}})
        for arm, mixed in (("sound", "mixed: does not come back: "), ("clock", "mixed: does not come back: "),
                           ("counts", "mixed: undecided: process "), ("dies", "mixed: undecided: process ")):
            with self.subTest(arm):
                said = self.said_of("--arm", arm)[0]["said"]
                self.assertTrue(said.startswith(mixed), said)
                self.assertIn({"counts": "is told the same again, and shows something else", "dies": "ends by itself"}.get(arm, "starts drawn do within 30 events"), said)
        self.assertEqual(self.rows("--arm", "clock"), self.rows("--arm", "clock"))
        self.assertEqual(self.corridor("replay", "e.json", code=None).returncode != 0, True)

    def test_within_is_what_is_asked(self):
        """Nine alarms lead back, and runs have twenty of them: within nine events all states of these are back, within fewer some are not. For how long it has to stay so "sample" says."""
        self.program("""import corridor_process as corridor
class P(corridor.Process):
    name = "p"
    attributes = {"x": int}
    messages = []
    def start(self, stored):
        self.x, self.was = 9, 0
        self.set_alarm(0, 10)
    def alarm(self, which):
        self.was += 1
        self.x = max(0, 9 - self.was)
        if self.was < 20:
            self.set_alarm(0, 10)
    def observe(self):
        return {"x": self.x}
corridor.run(P)
""")
        for within, steps, good in ((None, 9, True), (9, 5, True), (9, 11, True), (2, 11, False), (0, 11, False), (2, 2, False), (8, 8, False)):
            with self.subTest((within, steps)):
                self.write(ZERO, count=1, stabilize={"sample": {"steps": steps}, **({} if within is None else {"within": {"steps": within}})})
                for row in self.said_of():
                    self.assertIn("nothing that stays outside" if good else "does not come back", row["said"])
                    self.assertIn(f" within {steps if within is None else within} events", row["said"])

    def test_what_leaves_again_is_not_back(self):
        """Each twelfth alarm leads outside, the next one back: in time, but it does not stay for as long as it has to."""
        self.program("""import corridor_process as corridor
class P(corridor.Process):
    name = "p"
    attributes = {"x": int}
    messages = []
    def start(self, stored):
        self.was = 0
        self.set_alarm(0, 10)
    def alarm(self, which):
        self.was += 1
        self.set_alarm(0, 10)
    def observe(self):
        return {"x": int(self.was % 12 == 0)}
corridor.run(P)
""")
        for within, steps, good in ((2, 30, False), (2, 1, True)):
            self.write(ZERO, count=1, stabilize={"sample": {"steps": steps, "share": 0.6, "error": 0.1}, "within": {"steps": within}})
            for row in self.said_of():
                self.assertIn("nothing that stays outside" if good else "does not come back", row["said"], (within, steps))

    def test_two_phase_and_what_is_refused(self):
        stored = "invariant stored: all(a in agents where a.role == 'participant': a.voted <= a.stored)"
        two = ["structure observed", "attribute role: words coordinator, participant", "attribute open: integer", "attribute voted: integer", "attribute stored: integer",
               "channel outcome", "invariant agreed: agree(outcome)", stored, "invariant settled: sum(a in agents: a.open) == 0"]
        self.write(two, "two_phase", 3, arms={"settled": {"watch": ["settled"]}, "early": {"watch": ["stored"], "fault": "early_vote"}, "stored": {"watch": ["stored"]}})
        rows = self.rows(code=1)
        self.assertEqual([row["verdict"] for row in rows], ["sampled"] * 4 + ["undecided"] * 2)
        self.assertIn("mixed: does not come back: 0.", rows[0]["said"])
        self.assertIn("then what is shown does not change in 600 events", rows[0]["said"])
        self.assertIn("of them nothing can happen any more, outside", rows[2]["said"])
        self.assertIn("all states that were met are inside, and nothing is put to the test", rows[4]["said"])
        self.said(7, "--arm", "stored")
        self.assertEqual(rows, self.rows(code=1))
        said = self.said(1, "--arm", "settled")
        self.assertIn("settled: 3 processes, which do not say what they keep\n  any          mixed: does not come back", said)
        self.assertTrue(said.endswith("Nothing is proved of a system whose states were drawn, but what was met.\n"))
        self.said(7, "--arm", "settled", "--isolate", "always")
        late = []
        for state in ({}, {"start": [0, 1000]}):  # asked from any state: when who starts first has no part in it
            self.write(two, "two_phase", 3, arms={"settled": {"watch": ["settled"]}}, environment={"states": {"day": state}})
            late.append(self.rows(code=1))
        self.assertEqual(late[0], late[1])
        self.write(two, "two_phase", 3)
        self.assertIn("agreed looks at what was told before, which is no question about a state\n  leave it out, or name those that count in \"watch\"\n", self.corridor("stabilize", "e.json", code=3).stderr)
        self.write([line for line in two if "agree" not in line], "two_phase", 3, stabilize={"counts": [17]})
        self.assertIn("has 17 processes, and at most 16 may be asked where they send messages\n", self.corridor("stabilize", "e.json", code=3).stderr)
        test = {**json.loads((self.folder / "e.json").read_text()), "stabilize": {}, "arms": {"a": {}}, "schedule": [],
                "process_test": {"expected": "loops", "daemon": "any", "start": {}}}
        (self.folder / "t.json").write_text(json.dumps(test))
        self.assertIn('/process_test: program "two_phase" does not say what it keeps: no state of it is known\n  write variables()\n', self.corridor("replay", "t.json", code=3).stderr)


if __name__ == "__main__":
    e2e.main()
