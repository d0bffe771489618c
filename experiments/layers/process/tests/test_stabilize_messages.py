#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor stabilize of systems with messages: published ones, row by row; rules over messages, and programs that say what they keep, drawn, against a second
implementation; programs that hide something, of which nothing is proved; loops that would need a message slower than any; what is refused.

usage: test_stabilize_messages.py CORRIDOR SOURCE MODULES EXPLICIT_SPACE [in-full]"""
import itertools
import json
import pathlib
import random
import shutil
import sys

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "experiments/engines/stabilize/tests")]
import e2e  # noqa: E402
import published  # noqa: E402

SPACE = pathlib.Path(sys.argv[4]).resolve()
KIT = e2e.SOURCE / "experiments/library/processes/corridor_process.py"

# The two published systems: values are kinds of messages, so that the corridor sees them under way; alarms may go off at once, so that no loop needs a slow message.
RING = """import sys
import corridor_process as corridor
K = int(sys.argv[1])
class P(corridor.Process):
    name = "p"
    attributes = {"x": int, "me": int}
    messages = {f"v{k}": "" for k in range(K)}
    faults = ["root_adds_always"]
    def variables(self):
        return {"x": range(K)}
    def start(self, stored):
        self.x = 0
        self.set_alarm(0, 0)
    def alarm(self, which):
        self.send((self.me + 1) % self.count, f"v{self.x}")
        self.set_alarm(0, 0)
    def receive(self, sender, kind, value):
        v = int(kind[1:])
        self.x = v if self.me else (self.x + 1) % K if v == self.x or self.fault else self.x
    def observe(self):
        return {"x": self.x, "me": self.me}
corridor.run(P)
"""
COUNTER = RING.replace("root_adds_always", "any_answer").replace("""        self.set_alarm(0, 0)
    def alarm""", """        if self.me == 0:
            self.set_alarm(0, 0)
    def alarm""").replace("""        self.x = v if self.me else (self.x + 1) % K if v == self.x or self.fault else self.x
""", """        if self.me == 1:
            self.x = v
            self.send(0, kind)
        elif v == self.x or self.fault:
            self.x = (self.x + 1) % K
""")
# A process with a variable and two kinds of messages, all of it in a table.
DRAWN = """import json, sys
import corridor_process as corridor
T = json.load(open(sys.argv[1]))
class P(corridor.Process):
    name = "drawn"
    attributes = {"x": int}
    messages = ["a", "b"]
    def variables(self):
        return {"x": range(T["values"])}
    def start(self, stored):
        self.x = 0
        if T["alarms"][self.me]:
            self.set_alarm(0, 5)
    def act(self, row):
        self.x = row["x"]
        for to, kind in row["sends"]:
            self.send(to, kind)
        if row["set"] is not None:
            self.set_alarm(0, 5 if row["set"] else None)
    def alarm(self, which):
        self.act(T["rows"][f"{self.me} alarm {self.x}"])
    def receive(self, sender, kind, value):
        self.act(T["rows"][f"{self.me} {sender} {kind} {self.x}"])
    def observe(self):
        return {"x": self.x}
corridor.run(P)
"""
RULES = """import json, sys
import corridor_process as corridor
T = json.load(open(sys.argv[1]))
class P(corridor.Rules):
    name = "drawn"
    def variables(self):
        return {"x": range(T["values"])}
    def reads(self):
        return T["reads"][self.me]
    def rule(self, *near):
        said = T["rows"][" ".join(map(str, [self.me, self.x, *(view.x for view in near)]))]
        return [corridor.chance([{"x": x} for x in row]) if len(row) > 1 else {"x": row[0]} for row in said]
corridor.run(P)
"""
TOKEN = """import corridor_process as corridor
KEPT = []
def counter():
    n = [0]
    def count():
        n[0] += 1
        return n[0]
    return count
COUNT = counter()
class P(corridor.Process):
    name = "p"
    attributes = {"x": int}
    messages = ["m", "go"]
    def variables(self):
        return {"x": range(3)}
    def start(self, stored):
        self.x, self.more = 0, 0
        self.set_alarm(0, 10)
    def alarm(self, which):
        self.set_alarm(0, 10)
        self.send((self.me + 1) % self.count, "m", self.x)
    def receive(self, sender, kind, value):
        HERE
        self.x = value
    def observe(self):
        return {"x": self.x}
corridor.run(P)
"""
SAME = ["structure observed", "attribute x: integer", "invariant same: all(a in agents: all(b in agents: a.x == b.x))"]


def line_corridor(values, places):
    """Of counters in a line: those of the first process, then one less. `places` say in which there is a value, oldest last; of a link also what comes next."""
    first = places[0][0]
    lines = []
    for k in range(values):
        old = (k - 1) % values
        bad = [has(v) for has, _ in places for v in range(values) if v not in (k, old)]
        bad += [f"({one(old)} and {other(k)})" for (one, _), (other, _) in itertools.combinations(places, 2)]
        bad += [f"({following(k)} and {has(old)})" for has, following in places if following and k != old]
        lines.append(f"invariant line{k}: not {first(k)} or not ({' or '.join(bad)})")
    attributes = [f"attribute mail_v{k}: integer" for k in range(values)] + [f"attribute next_v{k}: agents" for k in range(values)]
    return ["structure observed", "attribute x: integer", "attribute me: integer", *attributes, *lines]


def at(p, condition):
    return f"any(a in agents where a.me == {p}: {condition})"


def own(p):
    return (lambda v: at(p, f"a.x == {v}")), None


def mail(p):
    return (lambda v: at(p, f"a.mail_v{v} > 0")), (lambda v: at(p, f"count(a.next_v{v}) > 0"))


def messages_rows():
    for algorithm in published.TRUTH["algorithms"]:
        if algorithm["name"] not in ("counter_flushing", "ring_messages"):
            continue
        for fault, results in [(None, algorithm["right"])] + [(w["name"] if "line" in w else None, w["results"]) for w in algorithm["wrong"]]:
            for result in results:
                yield algorithm["name"], fault, result["size"], published.known_of(result["daemons"]["central"])

# What is told to go on toggles 0 and 1; what comes while it is 0, which is at once unless it is slow, leads outside, and from there to 3 for ever.
ALL_INSIDE = """import corridor_process as corridor
class P(corridor.Process):
    name = "p"
    messages = ["go", "m"]
    def variables(self): return {"x": range(4) if self.me == 0 else range(1)}
    def start(self, stored):
        self.x = 0
        self.restore({"x": 0})
    def restore(self, values):
        self.x = values["x"]
        if self.me == 0:
            self.set_alarm(0, TICKS)
    def alarm(self, which):
        self.x = 3 if self.x >= 2 else 1 - self.x
        if self.x == 0:
            self.send(1, "go")
        self.set_alarm(0, TICKS)
    def receive(self, sender, kind, value):
        if self.me == 1:
            self.send(0, "m")
        elif self.x == 0:
            self.x = 2
corridor.run(P)
"""

class Actors:
    """States of processes with what is under way, written down as naively as can be: a state is (locals, links), a link a tuple of messages."""

    def __init__(self, locals_, links, contents, capacity):
        self.links, self.capacity = links, capacity
        alphabets = [[w for k in range(capacity + 1) for w in itertools.product(contents(link), repeat=k)] for link in links]
        self.states = list(itertools.product(itertools.product(*locals_), itertools.product(*alphabets)))

    def send(self, links, sends):
        for to, message in sends:
            if to in links and len(links[to]) < self.capacity:
                links[to] = links[to] + (message,)

    def end(self, state, p, local, taken, sends):
        locals_, links = list(state[0]), dict(zip(self.links, state[1]))
        locals_[p] = local
        if taken:
            links[taken] = links[taken][1:]
        self.send(links, sends)
        return tuple(locals_), tuple(links[link] for link in self.links)

    def losses(self, state):
        return [[(state[0], state[1][:n] + (content[1:],) + state[1][n + 1:])] for n, content in enumerate(state[1]) if content]


def once(state, choices):
    kept = []
    for ends in choices:
        ends = ends[:1] if all(end == ends[0] for end in ends) else ends
        if any(end != state for end in ends) and ends not in kept:
            kept.append(ends)
    return kept


class StabilizeMessages(e2e.Case):
    def setUp(self):
        super().setUp()
        shutil.copy(KIT, self.folder)

    def write(self, program, corridor, count, **others):
        (self.folder / "e.json").write_text(json.dumps({"process": {"program": str(program), "count": count}, "corridor": corridor, **others}))

    def rows(self, *options, code=None):
        return json.loads(self.corridor("stabilize", "e.json", "--json", *options, code=code).stdout)["sheets"]["stabilize"]["rows"]

    def assert_row(self, row, known, name):
        keys = {"steps": "visited_steps", **{key: key for key in ("inside", "stable", "leaving", "dead_ends", "in_loops", "lost", "worst_steps", "worst_moves")}}
        self.assertEqual({key: row.get(mine) for key, mine in keys.items() if key in known}, {key: known[key] for key in keys if key in known}, name)
        self.assertEqual(row["holds_from"], next((rung for rung in ("unfair", "weak", "strong", "chance") if known[rung]), "never"), name)

    def test_published_systems_row_by_row(self):
        """Enumerated by an independent program; a tenth here, and each of them in full."""
        compared = 0
        for number, (name, fault, size, known) in enumerate(messages_rows()):
            if not e2e.IN_FULL and number not in (4, 9, 14):
                continue
            values, n = size["K"], size.get("n", 2)
            (self.folder / "p.py").write_text(RING if name == "ring_messages" else COUNTER)
            if name == "ring_messages":
                places = [place for p in range(n) for place in (own(p), mail((p + 1) % n))]
            else:
                places = [own(0), mail(1), own(1), mail(0)]
            self.write(f"python3 p.py {values}", line_corridor(values, places), n, stabilize={"mail": size.get("capacity", 1)}, arms={"a": {"fault": fault} if fault else {}})
            row = self.rows()[0]
            self.assert_row(row, known, f"{name} {fault} {size}")
            self.assertEqual(row["verdict"], "fair" if known["strong"] else "loops", f"{name} {fault} {size}: {row['said']}")
            compared += 1
        self.assertEqual(compared, 19 if e2e.IN_FULL else 3)

    def compare(self, row, states, choices, owed, inside):
        """With what the engine says of the space that is written down here."""
        if not 0 < len(inside) < len(states):
            self.assertEqual(row["verdict"], "undecided")
            return False
        actors = len(choices(states[0]))
        whole = published.Row("drawn", states, lambda state, actor: choices(state)[actor], lambda state: state in inside, actors, {}, owed, True)
        known = published.ask(SPACE, [(whole.text(), ["ask central strong"])])[0][0]
        self.assertEqual(row["states"], len(states))
        self.assert_row(row, known, "drawn")
        return True

    def compare_limited(self, rng, states, choices, owed, inside, of_program):
        """The same, where some processes are wrong, or a variable of them, and what is under way, or nothing of it: what comes of that, by brute force."""
        corrupt = {"processes": rng.choice((1, 1, 2)), "mail": rng.random() < .5, **({"variables": ["x"]} if rng.random() < .4 else {})}
        whole = json.loads((self.folder / "e.json").read_text())
        (self.folder / "e.json").write_text(json.dumps({**whole, "stabilize": {**whole["stabilize"], "corrupt": corrupt}}))
        right = {}  # by what is under way, where that is right
        for locals_, links in inside:
            right.setdefault(None if corrupt["mail"] else links, set()).add(locals_)
        may = lambda one, other: of_program or "variables" not in corrupt or one[1:] == other[1:]  # copies stay as they are, alarms are any
        is_start = lambda locals_, links: any(sum(one != other for one, other in zip(locals_, before)) <= corrupt["processes"] and all(map(may, locals_, before))
                                              for before in right.get(None if corrupt["mail"] else links, ()))
        asked = [state for state in states if is_start(*state)]
        met = set(asked)
        for state in asked:
            for end in (end for actor in choices(state) for ends in actor for end in ends):
                if end not in met:
                    met.add(end)
                    asked.append(end)
        row, = self.rows()
        if row["verdict"] == "undecided" and row["said"].startswith("undecided: fairness"):
            return False
        return self.compare(row, asked, choices, owed, inside) and len(asked) < len(states)

    def test_drawn_programs_beside_a_second_implementation(self):
        rng, which, compared, limited = random.Random(3), random.Random(3), 0, 0
        (self.folder / "p.py").write_text(DRAWN)
        for _ in range(60 if e2e.IN_FULL else 4):
            n, values, capacity = rng.choice((2, 3)), 2, rng.choice((1, 1, 2))
            capacity = capacity if n == 2 else 1
            rows = {}
            for p in range(n):
                for event in ["alarm"] + [f"{q} {kind}" for q in range(n) for kind in "ab"]:
                    for x in range(values):
                        sends = [[rng.choice(((p + 1) % n, (p + 1) % n, (p - 1) % n)), rng.choice("ab")] for _ in range(rng.choice((0, 1, 1, 2) if event == "alarm" else (0, 0, 1)))]
                        rows[f"{p} {event} {x}"] = {"x": rng.randrange(values), "sends": sends, "set": rng.choice((True, True, True, None) if event == "alarm" else (None, None, None, True, False))}
            alarms = [rng.random() < .8 for _ in range(n)]
            (self.folder / "t.json").write_text(json.dumps({"values": values, "alarms": alarms, "rows": rows}))
            happen = lambda p, local, event: (lambda row: ((row["x"], (local[1] and event != "alarm") if row["set"] is None else row["set"]),
                                                           [((p, to), kind) for to, kind in row["sends"]]))(rows[f"{p} {event} {local[0]}"])
            locals_, links, pool = [{(x, alarms[p]) for x in range(values)} for p in range(n)], set(), set()
            while True:  # all that can come of it
                before = [set(of) for of in locals_], set(links), set(pool)
                for p in range(n):
                    for local in list(locals_[p]):
                        for event in (["alarm"] if local[1] else []) + [f"{q} {kind}" for q, to in links if to == p for kind in pool]:
                            local_after, sends = happen(p, local, event)
                            locals_[p].add(local_after)
                            links |= {link for link, _ in sends}
                            pool |= {kind for _, kind in sends}
                if before == (locals_, links, pool):
                    break
            actors = Actors([sorted(of) for of in locals_], sorted(links), lambda link: sorted(pool), capacity)

            def choices(state):
                said = []
                for p in range(n):
                    local = state[0][p]
                    said.append(once(state, [[actors.end(state, p, *happen(p, local, "alarm")[:1], None, happen(p, local, "alarm")[1])]] if local[1] else []))
                for link, content in zip(actors.links, state[1]):
                    after = content and happen(link[1], state[0][link[1]], f"{link[0]} {content[0]}")
                    said.append(once(state, [[actors.end(state, link[1], after[0], link, after[1])]] if content else []))
                return said + [once(state, actors.losses(state))]
            under_way = lambda state, kind: sum(content.count(kind) for content in state[1])
            text, holds = rng.choice((
                ("sum(a in agents: a.x) == 0", lambda state: sum(local[0] for local in state[0]) == 0),
                ("sum(a in agents: a.x) == 0 or sum(a in agents: a.mail_a) == 0", lambda state: sum(local[0] for local in state[0]) == 0 or under_way(state, "a") == 0),
                ("sum(a in agents: a.x) + sum(a in agents: a.mail_b) <= 1", lambda state: sum(local[0] for local in state[0]) + under_way(state, "b") <= 1),
                ("all(a in agents: count(a.next_a) == 0)", lambda state: not any(content[:1] == ("a",) for content in state[1]))))
            attributes = ["attribute x: integer", "attribute mail_a: integer", "attribute mail_b: integer", "attribute next_a: agents"]
            self.write("python3 p.py t.json", ["structure observed", *attributes, f"invariant right: {text}"], n, stabilize={"mail": capacity})
            inside = {state for state in actors.states if holds(state)}
            if self.compare(self.rows()[0], actors.states, choices, (1 << (n + len(links))) - 1, inside):
                compared += 1
                limited += self.compare_limited(which, actors.states, choices, (1 << (n + len(links))) - 1, inside, True)
        self.assertGreater(compared, 30 if e2e.IN_FULL else 1)
        self.assertGreater(limited, 10 if e2e.IN_FULL else 0)

    def test_drawn_rules_over_messages_beside_a_second_implementation(self):
        rng, which, compared, limited = random.Random(5), random.Random(5), 0, 0
        (self.folder / "p.py").write_text(RULES)
        for _ in range(60 if e2e.IN_FULL else 4):
            n, values, capacity = rng.choice((2, 3, 3)), 2, 1
            reads = [sorted(rng.sample([q for q in range(n) if q != p], rng.choice((0, 1, 1, n - 1)))) for p in range(n)]
            rows = {(p, view): [] if rng.random() < .4 else [[rng.randrange(values) for _ in range(2 if rng.random() < .15 else 1)] for _ in range(2 if rng.random() < .2 else 1)]
                    for p in range(n) for view in itertools.product(range(values), repeat=1 + len(reads[p]))}
            (self.folder / "t.json").write_text(json.dumps({"values": values, "reads": reads, "rows": {" ".join(map(str, (p, *view))): said for (p, view), said in rows.items()}}))
            links = [(q, p) for p in range(n) for q in reads[p]]
            keeps = [len(reads[p]) > 1 for p in range(n)]
            locals_ = [list(itertools.product(range(values), repeat=1 + (len(reads[p]) if keeps[p] else 0))) for p in range(n)]
            actors = Actors(locals_, links, lambda link: range(values), capacity)
            sends_of = lambda p, x: [(link, x) for link in links if link[0] == p]

            def ruled(p, x, near, rest):
                said = rows[p, (x, *near)]
                return [[(y, *rest) for y in row] for row in said] or [[(x, *rest)]]

            def choices(state):
                said = []
                for p in range(n):
                    if not any(link[0] == p for link in links) and reads[p]:
                        said.append([])
                        continue
                    local = state[0][p]
                    after = ruled(p, local[0], (), ()) if not reads[p] else [[local]]
                    said.append(once(state, [[actors.end(state, p, end, None, sends_of(p, end[0])) for end in row] for row in after]))
                for link, content in zip(links, state[1]):
                    p, local = link[1], state[0][link[1]]
                    after = []
                    if content:
                        near = tuple(content[0] if q == link[0] else local[1 + r] for r, q in enumerate(reads[p]))
                        after = ruled(p, local[0], near, near if keeps[p] else ())
                    said.append(once(state, [[actors.end(state, p, end, link, []) for end in row] for row in after]))
                return said + [once(state, actors.losses(state))]

            def enabled(state, p):  # in how many ways: by its copies, by what comes, by what the others have
                x, met = state[0][p][0], []
                views = [state[0][p][1:]] if len(reads[p]) != 1 else []
                for r, q in enumerate(reads[p]):
                    for v in (*state[1][links.index((q, p))], state[0][q][0]):
                        views.append(tuple(v if i == r else state[0][p][1 + i] for i in range(len(reads[p]))))
                for view in views:
                    said = []
                    for row in rows[p, (x, *view)]:
                        row = row[:1] if len(set(row)) == 1 else row
                        said += [row] if row not in said else []
                    met += [said] if said and said not in met else []
                return len(met)

            def old(state, p):
                return sum(v != state[0][q][0] for r, q in enumerate(reads[p]) for v in (*state[1][links.index((q, p))], *(state[0][p][1 + r:2 + r] if keeps[p] else ())))
            text, holds = rng.choice((
                ("sum(a in agents: a.x) == 0", lambda state: sum(local[0] for local in state[0]) == 0),
                ("sum(a in agents: a.enabled) <= 1", lambda state: sum(enabled(state, p) for p in range(n)) <= 1),
                ("sum(a in agents: a.old) == 0", lambda state: sum(old(state, p) for p in range(n)) == 0),
                ("sum(a in agents: a.old) + sum(a in agents: a.enabled) <= 1", lambda state: sum(old(state, p) + enabled(state, p) for p in range(n)) <= 1)))
            attributes = ["attribute x: integer", "attribute enabled: integer", "attribute old: integer"]
            self.write("python3 p.py t.json", ["structure observed", *attributes, f"invariant right: {text}"], n, stabilize={"over": "messages"})
            inside = {state for state in actors.states if holds(state)}
            row = self.rows()[0]
            if row["verdict"] == "undecided" and row["states"]:  # fairness beside coins
                continue
            if self.compare(row, actors.states, choices, (1 << (n + len(links))) - 1, inside):
                compared += 1
                limited += self.compare_limited(which, actors.states, choices, (1 << (n + len(links))) - 1, inside, False)
        self.assertGreater(compared, 30 if e2e.IN_FULL else 1)
        self.assertGreater(limited, 10 if e2e.IN_FULL else 0)

    def ring(self, values, count=3):
        text = (e2e.SOURCE / "experiments/library/new/stabilize_python/my_ring.py").read_text()
        (self.folder / "p.py").write_text(text.replace('self.count - 2 if self.fault == "few" else self.count', str(values)))
        self.write("python3 p.py", ["structure observed", "attribute enabled: integer", "invariant single: sum(a in agents: a.enabled) == 1"], count, stabilize={"over": "messages"})

    def test_the_ring_over_messages(self):
        """With three values it holds in shared memory and not over messages; with 2n - 1 it holds there, too, if the daemon is strongly fair."""
        self.ring(3)
        said = self.corridor("stabilize", "e.json", "--tell", "--svg", "loop.svg", code=1).stdout
        self.assertIn("p: 3 processes, x of 3 values: all 1,728 states, 264 of them inside".replace("p:", "program:"), said)
        self.assertIn("  any          does not come back    20 steps can be repeated for ever, everybody moves in them\n", said)
        self.assertIn("  1 hears 0   0 0 1; under way: 2&gt;0 0, 1>2 2   sum(a in agents: a.enabled) is".replace("&gt;", ">").split("  sum")[0], said)
        self.assertIn("as at the beginning", said)
        self.assertIn("under way: ", (self.folder / "loop.svg").read_text())
        self.ring(5)
        row = self.rows(code=0)[0]
        self.assertEqual((row["verdict"], row["holds_from"], row["states"], row["visited_steps"], row["daemon"]), ("fair", "strong", 27000, 148500, "any"))
        self.assertTrue(row["said"].startswith("comes back if the daemon is strongly fair without a bound: weakly fair, "), row["said"])
        self.assertEqual(self.rows("--fair", "weak", code=1)[0]["verdict"], "fair")
        self.assertEqual(self.rows("--mail", "2", code=7, *("--states", "1000"))[0]["said"], "undecided: 0 of 3,723,875 states were visited: more than 1,000 may not be")

    def test_modules(self):
        places = ["structure observed", "attribute x: integer", "attribute mail_value: integer", "invariant few: all(a in agents: a.mail_value <= 1)",
                  "invariant same: all(a in agents: all(b in agents: a.x == b.x))"]
        ring = e2e.MODULES / "ring_messages.so"
        self.write(ring, places, 3, arms={"right": {}, "few": {"fault": "few"}, "adds": {"fault": "root_adds"}, "from_mail": {"fault": "from_mail"}})
        rows = {row["arm"]: row for row in self.rows()}
        self.assertEqual({arm: (row["states"], row["visited_steps"]) for arm, row in rows.items() if arm != "from_mail"},
                         {"right": (27000, 148500), "few": (1728, 9072), "adds": (27000, 148500)})
        self.assertEqual((rows["few"]["holds_from"], rows["from_mail"]["states"]), ("never", 2 * 5 ** 3 * 6 ** 2))
        self.assertEqual([row["states"] for row in self.rows("--isolate", "never", "--arm", "few")], [1728])
        for fault, why in (("looks", "process 0 looks at the clock"), ("draws", "process 0 draws random numbers"), ("writes", "process 0 writes to a cell"),
                           ("complains", "process 0 complains"), ("leaves", "process 0 has left what it declares: 6 is no value of x of process 0, which has 0 .. 4"),
                           ("keeps", "keeps something that it does not declare: after `receive value` "),
                           ("remembers", "keeps something that it does not declare: after `receive value` alarm 1 is set, restored not set")):
            with self.subTest(fault):
                self.write(ring, places, 3, arms={"wrong": {"fault": fault}})
                said = self.corridor("stabilize", "e.json", code=7).stdout
                self.assertIn(why, said)
                self.assertNotIn("Proved", said)

    def test_nothing_is_proved_of_programs_that_hide_something(self):
        (self.folder / "p.py").write_text(TOKEN.replace("        HERE\n", ""))
        self.write("python3 p.py", SAME, 2)
        self.assertIn("Proved: ", self.corridor("stabilize", "e.json", code=None).stdout)
        for name, body, why in (
                ("class", "P.seen = getattr(P, 'seen', 0) + 1\n        value = value if P.seen % 5 else 0", "keeps something"),
                ("module", "KEPT.append(value)\n        value = sum(KEPT) % 3", "keeps something"),
                ("closure", "value = value if COUNT() % 7 else 0", "keeps something"),
                ("file", "open('kept', 'a').write('x')\n        value = len(open('kept').read()) % 3", "keeps something"),
                ("clock", "value = self.now % 3", "process 0 looks at the clock"),
                ("clock of the machine", "import time\n        value = time.time_ns() // 1000 % 3", "keeps something"),
                ("draw", "value = self.random.randrange(3)", "process 0 draws random numbers"),
                ("draw of the machine", "import random\n        value = random.randrange(3)", "keeps something"),
                ("cache", "self.more = self.more or value\n        value = self.more", "keeps something"),
                ("counter", "self.more += 1\n        value = value if self.more < 9 else 0", "keeps something"),
                ("order of a set", "value = list({str(id(object())), str(value)})[0] == str(value) and value or KEPT.append(1) or len(KEPT) % 3", "keeps something"),
                ("another process", "KEPT[self.me:self.me + 1] = [value]\n        value = KEPT[0]", "keeps something"),
                ("what is sent hangs on what was heard", "if self.more == 2:\n            self.send(sender, 'go')\n        self.more = value", "keeps something"),
                ("an alarm hangs on what was heard", "if self.more == 2:\n            self.set_alarm(3, 5)\n        self.more = value", "keeps something"),
                ("ticks hang on what was heard", "self.set_alarm(0, 7 + self.more)\n        self.more = value", "keeps something"),
                ("a variable that leaves its range", "value += 1", "process 0 has left what it declares: 3 is no value of x of process 0, which has 0 .. 2")):
            with self.subTest(name):
                (self.folder / "p.py").write_text(TOKEN.replace("HERE", body))
                done = self.corridor("stabilize", "e.json", code=None if name == "file" else 7)
                said = done.stdout + done.stderr
                self.assertIn(why if done.returncode == 7 else "Read-only file system", said, name)  # where a cell lets nobody write
                self.assertNotIn("Proved", said, name)

    def test_a_loop_that_needs_a_slow_message_accuses_nobody(self):
        """Each alarm takes the next value twice; a loop outside needs a message that is under way while an alarm goes off, which takes longer than any."""
        slow = TOKEN.replace("        HERE\n        self.x = value\n", "        if value != self.x:\n            self.x = 2\n").replace("self.set_alarm(0, 10)\n        self.send", "self.set_alarm(0, TICKS)\n        self.x = (self.x + 1) % 2 if self.me == 0 else 1\n        self.send")
        inside = ["structure observed", "attribute x: integer", "invariant never: all(a in agents: a.x < 2)"]
        said = {}
        for ticks in 2, 1000:
            (self.folder / "p.py").write_text(slow.replace("TICKS", str(ticks)))
            self.write("python3 p.py", inside, 2, traps={}, stabilize={})
            said[ticks] = self.rows()[0]["said"]
        self.assertIn("can be repeated for ever", said[2])
        self.assertEqual(said[1000], "undecided: only where a message takes longer than 10 ticks, or never comes")

    def test_a_loop_that_is_all_inside(self):
        """The corridor holds in all of it, and a step leads out: that is said; where it needs a slow message, that step alone."""
        inside = ["structure observed", "attribute x: integer", "invariant not_two: all(a in agents: a.x != 2)"]
        for ticks, verdict, said, lines in (
                (5, "loops", "does not come back: 10 steps can be repeated for ever, everybody moves in them: inside, where other steps lead outside", 11),
                (1000, "leaves", "does not stay: from 6 of 27 states inside one step leads outside; 9 are never left", 2)):
            (self.folder / "p.py").write_text(ALL_INSIDE.replace("TICKS", str(ticks)))
            self.write("python3 p.py", inside, 2, traps={}, stabilize={})
            row = self.rows()[0]
            self.assertEqual((row["verdict"], row["said"]), (verdict, said))
            told = self.corridor("stabilize", "e.json", "--tell", code=1).stdout.splitlines()[2:-1]
            self.assertEqual((len(told), sum("inside" in line for line in told)), (lines, lines - (verdict == "leaves")))

    def test_it_is_refused_in_so_many_words(self):
        (self.folder / "p.py").write_text(TOKEN.replace("        HERE\n", ""))
        for asked, message in (
                ({"daemons": ["central"]}, '/stabilize/daemons/0: central is a daemon of rules that read each other: of messages any may come next\n  write "any", or leave it out\n'),
                ({"over": "memory"}, '/stabilize/over: program "p" sends messages, and reads no memory\n  leave it out\n'),
                ({"over": "air"}, '/stabilize/over: unknown medium "air"\n  known: memory, messages\n'),
                ({"mail": 9}, "/stabilize/mail: is 9, expected 1 to 8\n")):
            with self.subTest(asked):
                self.write("python3 p.py", SAME, 2, stabilize=asked)
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        self.write("python3 p.py", SAME, 2)
        self.assertIn('arm "program" has none of these daemons: central\n  any is the daemon of messages\n', self.corridor("stabilize", "e.json", "--daemon", "central", code=3).stderr)
        self.write("python3 p.py", ["structure observed", "attribute mail_n: integer", "invariant s: all(a in agents: a.mail_n == 0)"], 2)
        self.assertIn('attribute "mail_n": the program shows none of that name\n', self.corridor("stabilize", "e.json", code=3).stderr)
        for count in (17, 65, 255):
            self.write("python3 p.py", SAME, count)
            self.assertIn(f"has {count} processes, and at most 16 may be asked where they send messages\n", self.corridor("stabilize", "e.json", code=3).stderr)
        for old, new, message in (("range(3)", "range(0)", "p: variable x of process 0 has an empty domain\n"), ('{"x": range(3)}', "{}", "p: it has no variable: "),
                                  ("self.x = value", "self.x = 1 // 0", "p.py: process 0, given values {\"x\":0} and event "),
                                  ('"m", self.x', '"n", self.x', 'unknown kind of message "n"\n')):
            with self.subTest(new):
                (self.folder / "p.py").write_text(TOKEN.replace("        HERE\n", "").replace(old, new))
                self.write("python3 p.py", SAME, 2)
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)
        self.ring(3)
        experiment = json.loads((self.folder / "e.json").read_text())
        for asked, message in (({"daemons": ["central"], "over": "messages"}, "central is a daemon of rules that read each other"),
                               ({"mail": 2}, '/stabilize/mail: nothing is under way where rules read each other\'s variables\n  write "over": "messages"\n'),
                               ({"over": "messages", "counts": [17]}, "has 17 processes, and at most 16 may be asked where they send messages\n"),
                               ({"daemons": ["any"]}, "/stabilize/daemons/0: the daemon any is of programs with messages, and rules have none\n")):
            with self.subTest(asked):
                (self.folder / "e.json").write_text(json.dumps({**experiment, "stabilize": asked}))
                self.assertIn(message, self.corridor("stabilize", "e.json", code=3).stderr)


if __name__ == "__main__":
    e2e.main()
