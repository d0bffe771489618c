#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The weather of networks as a user meets it: links that lose what is sent while they are cut, partitions, processes that come and leave, what never
came, counters of what goes wrong. How often each comes is held against laws by generator; each shape against a planted bug that it alone finds.

usage: test_process_network.py CORRIDOR SOURCE MODULES [in-full]"""
import csv
import io
import json
import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

CASES = 100000 if e2e.IN_FULL else 4000
RATE, INPUT = 0.5, 6
GENERATORS = ("timed", "random", "burst", "swarm", "pct", "rounds", "search")
CORRIDOR = ["structure observed", "attribute heard: agents", "attribute rounds: integer", "attribute wrong: integer",
            "invariant right: all(a in agents: a.wrong == 0)"]
# Whom five processes hear in each shape.
TRAPS = {"alone": "any(a in agents: count(a.heard) == 1) and count(a in agents where count(a.heard) == 4) == 4",
         "halves": "count(a in agents where count(a.heard) == 2) == 2 and count(a in agents where count(a.heard) == 3) == 3",
         "bridge": "count(a in agents where count(a.heard) == 5) == 1 and count(a in agents where count(a.heard) == 3) == 4",
         "ring": "count(a in agents where count(a.heard) == 3) == 5"}


def weather(**numbers):
    return {"states": {"storm": numbers}}


def islands(**more):
    return {"process": {"program": str(e2e.MODULES / "islands.so"), "count": 5, "network": "any"}, "seed": 7, "suites": 1,
            "sequences": 200 if e2e.IN_FULL else 30, "cases": 20, "case": 1000, "events": 100000, "corridor": CORRIDOR, **more}


class ProcessNetwork(e2e.Case):
    def campaign(self, what, name="c", code=None):
        (self.folder / f"{name}.json").write_text(json.dumps(what))
        return self.corridor("run", f"{name}.json", "-o", f"{name}.h5", "--force", code=code).stdout

    def rows(self, table, name="c"):
        return list(csv.DictReader(io.StringIO(self.corridor("export", f"{name}.h5", "--table", table).stdout)))

    def test_partitions_come_as_often_as_the_weather_says(self):
        """timed: as many as the rate, but for a tick or two in which there is one. random and pct: beside inputs as their weights are, and a partition
        ends by weight 4: while it lasts none comes."""
        storm = {"part": RATE, "part_for": [1, 2], "input": INPUT, "delay": [1, 10]}
        corridor = ["structure observed", "attribute voted: integer", "invariant few: all(a in agents: a.voted < 1000000)"]
        self.campaign({"process": {"program": "two_phase", "count": 5}, "seed": 3, "suites": 1, "sequences": CASES // 20, "cases": 20, "case": 1000,
                       "events": 100000, "corridor": corridor, "environment": weather(**storm), "arms": {g: {"generator": g} for g in GENERATORS}})
        counts = {(row["arm"], row["event"]): int(row["count"]) for row in self.rows("happened")}
        for g in GENERATORS:
            parts, unites, inputs = (counts.get((g, kind), 0) for kind in ("part", "unite", "input"))
            print(f"{g}: {parts} partitions in {CASES} cases, {parts / CASES:.3f} a case", file=sys.stderr)
            self.assertGreater(parts, CASES / 1000, g)
            self.assertTrue(0 <= parts - unites <= CASES // 20, (g, parts, unites))
            if g == "timed":
                expected = RATE * CASES
            elif g in ("random", "pct"):
                expected = inputs * RATE / INPUT * 4 / (4 + 0.88 * RATE)
            else:
                continue
            self.assertLess(abs(parts - expected), 6 * expected ** 0.5 + 0.002 * expected, (g, parts, expected))
        self.assertIn("different: 0", self.corridor("replay", "c.h5").stdout)

    def test_each_shape_has_a_bug_that_it_alone_finds(self):
        faults = ("alone", "half", "bridge", "ring")
        parts = weather(part=0.5, part_for=[300, 600])
        others = weather(lose=0.02, crash=0.05, pause=0.05, cut=0.05, down=[50, 500])
        arms = {f"{fault}_{name}": {"fault": fault, "environment": environment}
                for fault in faults for name, environment in (("parts", parts), ("others", others))}
        arms["sound"] = {"environment": parts}
        for loses in (False, True):
            what = islands(traps=TRAPS, arms=arms)
            what["process"]["cut_loses"] = loses
            self.campaign(what)
            failed = {arm: 0 for arm in arms}
            for row in self.rows("sequences"):
                failed[row["arm"]] += row["verdict"] == "failed"
            for arm, count in failed.items():
                self.assertEqual(count > 0, arm.endswith("parts"), (loses, failed))
            met = {row["trap"] for row in self.rows("met") if row["arm"] == "sound"}
            self.assertEqual(met, set(TRAPS))

    def test_what_is_said_once_is_lost_where_cuts_lose(self):
        what = islands(environment=weather(cut=0.1, cut_for=[50, 500]), arms={name: {"fault": "once"} for name in ("waits", "loses")})
        what["arms"]["loses"]["cut_loses"] = True
        what["arms"]["sound"] = {"cut_loses": True}
        self.campaign(what)
        failed = {row["arm"] for row in self.rows("sequences") if row["verdict"] == "failed"}
        self.assertEqual(failed, {"loses"})

    def test_first_starts_are_spread(self):
        """Of the timed generator uniform within the range, by the others at other times too; without it nobody starts by an event. Kept schedules are
        repeated and made small, and tell a first start from one after a crash."""
        low, high, count, schedules = 200, 700, 4, 150
        corridor = ["structure observed", "attribute voted: integer", "invariant few: all(a in agents: a.voted < 1000000)"]
        what = {"process": {"program": "two_phase", "count": count}, "seed": 5, "suites": 1, "sequences": schedules, "cases": 2, "case": 1000,
                "events": 2000, "log": "events", "corridor": corridor, "faults": [], "environment": weather(input=1), "arms": {g: {"generator": g} for g in GENERATORS}}
        self.campaign(what)
        self.assertEqual([row for row in self.rows("happened") if row["event"] == "restart"], [])
        what["environment"] = weather(input=1, start=[low, high])
        self.campaign(what)
        starts = {row["arm"]: int(row["count"]) for row in self.rows("happened") if row["event"] == "restart"}
        self.assertEqual(starts["timed"], count * schedules)
        for g in GENERATORS:
            self.assertGreater(starts[g], schedules, starts)
        ticks = [int(row["tick"]) for row in self.rows("events") if row["arm"] == "timed" and row["event"] == "restart"]
        self.assertTrue(len(ticks) == count * schedules and low <= min(ticks) and max(ticks) <= high)
        self.assertLess(abs(sum(ticks) / len(ticks) - (low + high) / 2), 5 * (high - low) / (12 * len(ticks)) ** 0.5)
        self.assertLess(abs(sum(tick < (low + high) / 2 for tick in ticks) - len(ticks) / 2), 5 * (len(ticks) / 4) ** 0.5)
        self.assertIn("different: 0", self.corridor("replay", "c.h5").stdout)
        (self.folder / "begun.py").write_text(
            "import corridor_process as corridor\n\n\nclass Begun(corridor.Process):\n    name = 'begun'\n    attributes = {'begun': int}\n\n"
            "    def start(self, stored):\n        print('started')\n        self.begun = 1 + self.now\n\n"
            "    def observe(self):\n        return {'begun': self.begun}\n\n\ncorridor.run(Begun)\n")
        shutil.copy(e2e.SOURCE / "experiments/library/processes/corridor_process.py", self.folder)
        what = {"process": {"program": "python3 begun.py", "count": 2}, "seed": 5, "suites": 1, "sequences": 3, "cases": 2, "case": 1000,
                "corridor": ["structure observed", "attribute begun: integer", "invariant at_once: all(a in agents: a.begun <= 1)"],
                "faults": ["crash"], "generators": ["timed"], "arms": {"spread": {"environment": weather(input=0, start=[low, high])}, "at_once": {},
                "crashes": {"environment": weather(input=0, start=[0, 9], crash=2, down=[1, 5])}}}
        what["arms"]["at_once"]["environment"] = weather(input=0)
        self.campaign(what)
        verdicts = {(row["arm"], row["verdict"]) for row in self.rows("sequences")}
        self.assertEqual(verdicts, {("spread", "failed"), ("at_once", "passed"), ("crashes", "failed")})
        self.corridor("shrink", "c.h5", "--failure", "spread/0/0", "-o", "small.json", "--trust")
        story = self.corridor("replay", "small.json", "--trace", "--trust", code=None).stdout
        self.assertRegex(story, "Process [01] starts[.:]")
        self.assertNotIn("starts again", story)
        # Who has not started yet is none of the agents: what a process shows at first is the first word, and 0.
        roles = ["structure observed", "attribute role: words coordinator, participant", "attribute voted: integer",
                 "invariant alone: count(a in agents where a.role == 'coordinator') <= 1"]
        self.campaign({"process": {"program": "two_phase", "count": 3}, "seed": 5, "suites": 1, "sequences": 20, "cases": 2, "case": 1000, "corridor": roles,
                       "environment": weather(input=2, start=[low, high]), "arms": {g: {"generator": g} for g in GENERATORS}}, code=None)
        rows = self.rows("sequences")
        self.assertEqual({row["arm"] for row in rows}, set(GENERATORS))
        self.assertNotIn("failed", {row["verdict"] for row in rows})
        for value, said in (([9, 3], "9 is more than 3"), ([-1, 3], "/start"), (5, "/start")):
            what["arms"] = {"bad": {"environment": weather(start=value)}}
            (self.folder / "bad.json").write_text(json.dumps(what))
            self.assertIn(said, self.corridor("run", "bad.json", "-o", "bad.h5", code=3).stderr)

    def test_a_partition_is_told_in_one_line(self):
        events = [["time-out", 0, 0, 20], ["part", [0, 1], [1, 2, 3, 4], 30], ["time-out", 0, 0, 40], ["time-out", 1, 0, 40], ["unite", 41],
                  ["part", [3], [0, 1, 2, 4], 42], ["unite", 43], ["part", [0, 1], [2, 3, 4], 44], ["unite", 45], ["part", "ring", 0, 46],
                  ["cut", 0, 1, 47], ["unite", 48], ["time-out", 1, 0, 60], ["heal", 0, 1, 61]]
        test = {**islands(environment=weather()), "process_test": {"suite": 0, "sequence": 0, "expected": "none"}, "schedule": events}
        test["process"]["cut_loses"] = True
        for key in ("suites", "sequences"):
            del test[key]
        (self.folder / "t.json").write_text(json.dumps(test))
        said = " ".join(self.corridor("replay", "t.json", "--trace", "--trust", code=None).stdout.split())
        for sentence in ("Process 0 is cut off from 2, 3, 4; both reach 1; 3 messages are lost.",
                         "3 messages are lost: rounds 2", "Process 3 is cut off from 0, 1, 2, 4",
                         "Processes 0, 1 are cut off from 2, 3, 4", "The partition is over.", "in the ring 0, 1, 2, 3, 4",
                         "The link from process 1 to process 0 is cut"):
            self.assertIn(sentence, said)
        story = json.loads(self.corridor("replay", "t.json", "--trace", "--json", "--trust", code=None).stdout)
        self.assertIn('"lost": 3', json.dumps(story))

    def test_processes_come_and_leave_as_often_as_the_weather_says(self):
        """timed: as in a naive simulation of the law; random and pct: beside inputs as in the stationary law of how many are there."""
        join, leave, most = 0.5, 0.1, 5
        storm = {"join": join, "leave": leave, "input": INPUT, "delay": [1, 10]}
        self.campaign({"process": {"program": "two_phase", "count": 3, "most": most}, "seed": 3, "suites": 1, "sequences": CASES // 20, "cases": 20,
                       "case": 1000, "events": 100000, "corridor": ["structure observed", "attribute voted: integer",
                                                                    "invariant few: all(a in agents: a.voted < 1000000) and count(agents) >= 1"],
                       "environment": weather(**storm), "arms": {g: {"generator": g} for g in GENERATORS}})
        counts = {(row["arm"], row["event"]): int(row["count"]) for row in self.rows("happened")}
        rows = self.rows("sequences")
        self.assertEqual({row["arm"] for row in rows}, set(GENERATORS))
        self.assertNotIn("failed", {row["verdict"] for row in rows})
        draws, naive = random.Random(5), {"join": 0, "leave": 0}
        for case in range(100000):
            there = 3 if case % 20 == 0 else there
            events = [(draws.random(), "join")] * (draws.random() < join) + [(draws.random(), "leave") for _ in range(there) if draws.random() < leave]
            for _, event in sorted(events):
                if there < most if event == "join" else there > 1:
                    there += 1 if event == "join" else -1
                    naive[event] += 1
        weights = [1.0]
        for there in range(2, most + 1):
            weights.append(weights[-1] * join / (leave * there))
        share = 1 - weights[-1] / sum(weights)
        for g in GENERATORS:
            joins, leaves, inputs = (counts.get((g, kind), 0) for kind in ("join", "leave", "input"))
            print(f"{g}: {joins} came, {leaves} left in {CASES} cases", file=sys.stderr)
            self.assertGreater(min(joins, leaves), CASES / 1000, g)
            if g == "timed":
                for event, count in (("join", joins), ("leave", leaves)):
                    expected = naive[event] * CASES / 100000
                    self.assertLess(abs(count - expected), 6 * expected ** 0.5 * (1 + CASES / 100000), (event, count, expected))
            elif g in ("random", "pct"):
                expected = inputs * join / INPUT * share
                self.assertLess(abs(joins - expected), 0.1 * expected, (g, joins, expected))
        self.assertIn("different: 0", self.corridor("replay", "c.h5").stdout)

    def test_where_nothing_works_each_generator_has_its_law(self):
        """Processes without alarms, inputs and messages come, leave and are parted as often as in a naive simulation of what each generator draws; no
        schedule is cut short."""
        rates, most, each = {"join": 0.5, "leave": 0.1, "part": 0.2}, 5, 0.88
        generators = [g for g in GENERATORS if g not in ("rounds", "search", "timed")]
        self.campaign({"process": {"program": "two_phase", "count": 3, "most": most}, "seed": 3, "suites": 1, "sequences": CASES // 20, "cases": 20, "case": 1000,
                       "events": 100000, "corridor": ["structure observed", "attribute voted: integer", "invariant few: all(a in agents: a.voted < 1000000)"],
                       "environment": weather(**rates, input=0), "arms": {g: {"generator": g} for g in generators}}, code=None)
        view = json.loads(self.corridor("show", "c.h5", "processes", "--json", code=None).stdout)
        self.assertEqual({(row["arm"], row["cut"], row["cases"]) for row in view["sheets"]["arms"]["rows"]}, {(g, 0, CASES) for g in generators})
        draws, kinds = random.Random(6), ("join", "leave", "part", "unite")

        def schedule(generator):
            """How often each kind comes in twenty cases: of burst calm and ten times the rates by turns of up to 120 and 40 draws; of swarm each kind
            eighths to eight times as often, faults not at all in one of four, and what comes to a slow process seven times of eight drawn anew."""
            there, parted, storm, left, cases, counts = set(range(3)), False, True, 0, 0, dict.fromkeys(kinds, 0)
            times = {kind: 2.0 ** draws.randrange(-3, 4) * (kind == "unite" or draws.randrange(4) > 0) for kind in kinds}
            slow = set(draws.sample(range(most), draws.randrange(most)))
            while cases < 20:
                if left == 0:
                    storm = not storm
                    left = draws.randrange(40 if storm else 120)
                else:
                    left -= 1
                factor = {"burst": {**dict.fromkeys(kinds, 10 * storm), "unite": 0.1 if storm else 1}, "swarm": times}.get(generator, dict.fromkeys(kinds, 1))
                weights = {"join": rates["join"] * (len(there) < most), "leave": rates["leave"] * len(there) * (len(there) > 1), "part": rates["part"] * (not parted),
                           "unite": 4 / each * parted}
                weights = {kind: weights[kind] * factor[kind] for kind in kinds}
                total = sum(weights.values())
                for tries in range(8):
                    end = total == 0 or (weights["unite"] == 0 and draws.random() * (total + 1) < 1)
                    kind = None if end else draws.choices(kinds, [weights[kind] for kind in kinds])[0]
                    who = 0 if kind in ("part", "unite") else draws.choice(sorted(there if kind == "leave" else set(range(most)) - there)) if kind else None
                    if end or generator != "swarm" or who not in slow or draws.randrange(8) == 0:
                        break
                if end:
                    cases += 1
                    continue
                counts[kind] += 1
                parted = kind == "part" or (parted and kind != "unite")
                there = there | {who} if kind == "join" else there - {who} if kind == "leave" else there
            return counts

        rows = {(row["arm"], row["event"]): int(row["count"]) for row in self.rows("happened")}
        for g in generators:
            naive = [schedule(g) for _ in range(CASES // 20)]
            for kind in kinds:
                counts = [one[kind] for one in naive]
                mean = sum(counts) / len(counts)
                deviation = (sum((count - mean) ** 2 for count in counts) / len(counts)) ** 0.5
                print(f"{g}: {kind} {rows.get((g, kind), 0)} in {CASES} cases, naive {sum(counts)}", file=sys.stderr)
                self.assertLess(abs(rows.get((g, kind), 0) - sum(counts)), 5 * deviation * (2 * len(counts)) ** 0.5 + 1, (g, kind, sum(counts)))

    def test_rounds_parts_and_renews_by_its_law(self):
        """A leader that is lost: half of the time the network is parted, unless it is, else he crashes three times of four. Somebody comes half of the
        time, where there is room, else one leaves in one of four."""
        corridor = ["structure observed", "attribute voted: integer", "invariant few: all(a in agents: a.voted < 1000000)"]
        what = {"process": {"program": "two_phase", "count": 5}, "seed": 3, "suites": 1, "sequences": CASES // 20, "cases": 20, "case": 1000, "events": 100000,
                "log": "events", "corridor": corridor, "generators": ["rounds"], "faults": ["part", "crash"], "environment": weather(part=0.5, input=6)}

        def held(one, other, share, what):
            expected = (one + other) * share
            print(f"rounds: {one} and {other} {what}, {one / (one + other):.4f}, law {share:.4f}", file=sys.stderr)
            self.assertLess(abs(one - expected), 5 * (expected * (1 - share)) ** 0.5 + 1, what)

        self.campaign(what, code=None)
        parts = crashes = 0
        at, parted = None, False
        for row in self.rows("events"):
            at, parted = row["sequence"], parted and row["sequence"] == at
            parts += row["event"] == "part"
            crashes += row["event"] == "crash" and row["process"] == "0" and not parted  # of others in the midst of the work
            parted = row["event"] == "part" or (parted and row["event"] != "unite")
        held(parts, crashes, 4 / 7, "partitions and lost leaders")
        what["process"].update(count=3, most=5)
        what.update(faults=["join", "leave"], environment=weather(join=0.5, leave=0.1, input=6))
        self.campaign(what, code=None)
        joins = leaves = there = 0
        for row in self.rows("events"):
            at, there = row["sequence"], there if row["sequence"] == at else 3
            joins += row["event"] == "join" and there > 1
            leaves += row["event"] == "leave" and there < 5
            there += (row["event"] == "join") - (row["event"] == "leave")
        held(joins, leaves, 4 / 5, "who came and left where there was room")

    def test_search_begins_with_rounds_and_swarm(self):
        """The first schedule of a suite is that of rounds or of swarm, each half of the time; of those behind it so is one of four."""
        corridor = ["structure observed", "attribute voted: integer", "invariant few: all(a in agents: a.voted < 1000000)"]
        schedules = CASES // 20
        for sequences in (1, 50):
            self.campaign({"process": {"program": "two_phase", "count": 5}, "seed": 3, "suites": schedules // sequences, "sequences": sequences, "cases": 20, "case": 1000,
                           "events": 100000, "corridor": corridor, "environment": weather(part=RATE, input=INPUT),
                           "arms": {g: {"generator": g} for g in ("rounds", "swarm", "search")}})
            digests = {}
            for row in self.rows("sequences"):
                digests.setdefault((row["suite"], row["sequence"]), {})[row["arm"]] = row["digest"]
            first, later = ([of for (_, sequence), of in digests.items() if (sequence == "0") == is_first] for is_first in (True, False))
            self.assertEqual(len(first), schedules // sequences)
            rounds = sum(of["search"] == of["rounds"] for of in first)
            self.assertEqual(rounds + sum(of["search"] == of["swarm"] for of in first), len(first))
            self.assertLess(abs(rounds - len(first) / 2), 5 * (len(first) / 4) ** 0.5 + 1)
            fresh = sum(of["search"] in (of["rounds"], of["swarm"]) for of in later)
            print(f"search: {rounds} of {len(first)} first schedules of rounds, {fresh} of {len(later)} later ones new", file=sys.stderr)
            self.assertLess(abs(fresh - len(later) / 4), 5 * (len(later) * 3 / 16) ** 0.5 + 1)

    def test_who_comes_puts_nothing_to_the_test_by_that_alone(self):
        """A process that comes shows what it is, and has done nothing; what somebody does then counts."""
        self.campaign({"process": {"program": "two_phase", "count": 2, "most": 5}, "seed": 3, "suites": 1, "sequences": 20, "cases": 10, "case": 1000,
                       "corridor": ["structure observed", "attribute voted: integer", "invariant few: all(a in agents: a.voted < 1000000)"],
                       "arms": {"comes": {"environment": weather(join=0.5, leave=0.1, input=0)}, "works": {"environment": weather(join=0.5, input=2)}}}, code=None)
        view = json.loads(self.corridor("show", "c.h5", "processes", "--json", code=None).stdout)
        self.assertEqual({row["arm"]: row["verdict"] for row in view["sheets"]["arms"]["rows"]}, {"comes": "no verdict", "works": "no violation"})

    def test_who_leaves_is_missed_and_nobody_speaks_of_it(self):
        """Who comes new is not held against what was there before it; what is said of all is said of those who are there."""
        lines = ["invariant forward: all(a in agents: a.rounds >= a.rounds@before)", "temporal some: always (stable implies right)"]
        others = weather(lose=0.02, crash=0.05, pause=0.05, cut=0.05, part=0.3, down=[50, 500])
        churn = weather(join=0.3, leave=0.1)
        what = islands(corridor=CORRIDOR + lines, traps={"more": "count(agents) > 3", "fewer": "count(agents) < 3"}, environment=churn,
                       arms={"sound": {}, "gone": {"fault": "gone"}, "others": {"fault": "gone", "environment": others, "watch": ["right"]}})
        what["process"].update(count=3, most=5, cut_loses=True)
        self.campaign(what)
        failed = {row["arm"] for row in self.rows("sequences") if row["verdict"] != "passed"}
        self.assertEqual(failed, {"gone"})
        self.assertEqual({row["trap"] for row in self.rows("met") if row["arm"] == "sound"}, {"more", "fewer"})
        events = [["time-out", 0, 0, 20], ["leave", 1, 30], ["time-out", 0, 0, 40], ["restart", 1, 41], ["join", 1, 50], ["time-out", 1, 0, 70], ["join", 4, 80],
                  ["join", 4, 81]]
        test = {**{key: value for key, value in what.items() if key not in ("suites", "sequences", "arms")}, "schedule": events,
                "process_test": {"suite": 0, "sequence": 0, "expected": "none"}}
        (self.folder / "t.json").write_text(json.dumps(test))
        said = " ".join(self.corridor("replay", "t.json", "--trace", "--trust", code=None).stdout.split())
        for sentence in ("Process 1 leaves for good; 1 message is lost.", "4. 50 Process 1 comes, with nothing stored.",
                         "5. 70 Alarm 0 of process 1 is due; 2 messages are lost: heard {1}, rounds 1.", "6. 80 Process 4 comes, with nothing stored.",
                         "2 of 8 events did not happen"):
            self.assertIn(sentence, said)

    def test_processes_are_told_who_is_there_and_say_what_they_do(self):
        """As each starts, in what comes with it; a story has what messages hold, what processes say, and what repeats once."""
        (self.folder / "there.py").write_text(
            "import corridor_process as corridor\n\n\nclass There(corridor.Process):\n    name = 'there'\n    attributes = {'known': 'agents', 'gone': int}\n"
            "    messages = ('beat', 'news')\n    inputs = {'ask': ''}\n\n"
            "    def start(self, stored):\n        self.known, self.gone = self.there, 0\n        self.set_alarm(0, 10)\n\n"
            "    def input(self, which, data):\n        self.said(f'asks for\\nx = {self.me}')\n        self.said('x' + 'ä' * 300)\n        self.send(0, 'news', {'x': self.me, 'why': 'ä' * 40})\n\n"
            "    def alarm(self, which):\n        self.set_alarm(0, 10)\n        self.send(1 - self.me if self.me < 2 else 0, 'beat')\n\n"
            "    def receive(self, sender, kind, value):\n        self.gone += kind == 'news'\n\n"
            "    def observe(self):\n        return {'known': self.known, 'gone': self.gone}\n\n\ncorridor.run(There)\n")
        shutil.copy(e2e.SOURCE / "experiments/library/processes/corridor_process.py", self.folder)
        events = [["leave", 1, 5], ["join", 1, 6], ["join", 2, 7], ["input", 2, "ask", 7, 8], ["deliver", 0, 2, "news", 0, 9]]
        beats = [["time-out", 1, 0, 10 * n + 20] if n % 2 == 0 else ["deliver", 0, 1, "beat", 0, 10 * (n - 1) + 21] for n in range(10)]
        what = {"process": {"program": "python3 there.py", "count": 2, "most": 4}, "seed": 7, "cases": 2, "case": 1000,
                "corridor": ["structure observed", "attribute known: agents", "attribute gone: integer", "invariant few: all(a in agents: a.gone < 9)"],
                "environment": {"states": {"calm": {}}}, "schedule": events + beats, "process_test": {"suite": 0, "sequence": 0, "expected": "none"}}
        (self.folder / "t.json").write_text(json.dumps(what))
        said = " ".join(self.corridor("replay", "t.json", "--trace", "--trust", code=None).stdout.split())
        for sentence in ("Process 1 comes, with nothing stored.", "Process 2 comes, with nothing stored: known {0 1 2}",
                         'Process 2 is asked for "ask" (asks for x = 2; xä', 'Process 0 gets "news" from process 2 with {"', ": gone 1",
                         "6. 20 Alarm 0 of process 1 is due.", '7. 21 Process 0 gets "beat" from process 1.', ".. and 4 times more, up to 101."):
            self.assertIn(sentence, said)
        self.assertEqual(said.count('"beat"'), 1)
        story = json.loads(self.corridor("replay", "t.json", "--trace", "--json", "--trust", code=None).stdout)
        self.assertEqual([line["said"] for line in story["events"] if "said" in line], ["asks for x = 2; x" + "ä" * 199])  # 400 bytes, likewise
        self.corridor("replay", "t.json", "--trace", "--svg", "t.svg", "--trust", code=None)
        self.assertIn(">2: asks for x = 2; xä", (self.folder / "t.svg").read_text())  # and no half of a character
        value = '{"x":2,"why":"' + "ä" * 23 + " .."  # 60 bytes and no half of a character
        self.assertEqual([line["value"] for line in story["events"] if "value" in line], [value])

    def test_what_never_comes_is_named(self):
        """By plan from the profile, by run and show from what came; what generators make whatever the weather is not."""
        moves = {"storm": {"storm": 0.5, "calm": 0.5}, "calm": {"calm": 1}}
        states = {"calm": {}, "storm": {"crash": 0.5, "torn": 0.3, "cut": 0.5}}
        profile = {"states": ["storm", "calm"], "transitions": moves}
        what = {"process": {"program": "two_phase", "count": 3}, "seed": 7, "suites": 2, "sequences": 50, "cases": 5, "case": 1000,
                "corridor": ["structure observed", "channel outcome", "invariant agreed: agree(outcome)"], "faults": ["crash", "crash-torn", "cut", "jump"],
                "environment": {"profile": profile, "states": states},
                "arms": {"sound": {}, "started": {"environment": {"profile": {**profile, "start": "storm"}, "states": states}}, "rounds": {"generator": "rounds"}}}
        self.campaign(what)
        plan = " ".join(self.corridor("plan", "c.json").stdout.split())
        never = "allowed, and cannot come:"
        law = 'schedules never come to state "storm", which makes it: a profile begins by its stationary law unless it says "start".'
        none = "no state of the environment makes any."
        for line in (f"sound: crash, crash-torn, cut: {never} {law}", f"sound: jump: {never} {none}", f"started: jump: {never} {none}",
                     f"rounds: crash-torn, cut: {never} {law}", f"rounds: jump: {never} {none}"):
            self.assertIn(line, plan)
        self.assertEqual(plan.count(never), 5)
        counts = {(row["arm"], row["event"]) for row in self.rows("happened")}
        for place in ("run", "show"):
            said = " ".join((self.campaign(what) if place == "run" else self.corridor("show", "c.h5", "processes").stdout).split())
            for arm in what["arms"]:
                absent = [kind for kind in sorted(what["faults"]) if (arm, kind) not in counts]
                self.assertIn(f"{arm}: {', '.join(absent)}: allowed, none in 100 schedules", said)
        self.assertIn(("started", "crash"), counts)
        self.assertIn(("rounds", "crash"), counts)
        del what["faults"]
        what["environment"] = {"states": {"calm": {}}}
        what["arms"] = {"sound": {}}
        self.assertNotIn("none in 100 schedules", self.campaign(what))  # nothing is asked for
        self.assertNotIn("cannot come", self.corridor("plan", "c.json").stdout)

    def test_counters_of_a_sound_program_have_a_verdict(self):
        """By default as soon as it works; where the text says what puts them to the test, that alone."""
        base = islands(environment=weather(), sequences=3)
        texts = {"usual": [], "reached": ["tested right: any(a in agents: a.rounds > 100)"], "by": ["tested right by rounds"],
                 "not": ["tested right: any(a in agents: a.rounds > 100000)"], "not_by": ["tested right by wrong"]}
        arms = {name: {"corridor": CORRIDOR + lines} for name, lines in texts.items()}
        arms["alone"] = {"corridor": ["structure observed", CORRIDOR[3], CORRIDOR[4]]}
        self.campaign({**base, "arms": arms}, code=None)
        view = json.loads(self.corridor("show", "c.h5", "processes", "--json", code=None).stdout)
        said = {row["arm"]: row["verdict"] for row in view["sheets"]["arms"]["rows"]}
        self.assertEqual(said, {"usual": "no violation", "reached": "no violation", "by": "no violation", "not": "no verdict", "not_by": "no verdict",
                                "alone": "no verdict"})


if __name__ == "__main__":
    e2e.main()
