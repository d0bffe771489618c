#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor why of schedules: the curve beside exact probabilities (two_phase_law.py, climb_law.py), where each stream that futures are drawn from
matters; the same wherever it is executed; which events a schedule needs; what is refused, in so many words.

usage: test_process_why.py CORRIDOR SOURCE MODULES [full]"""
import json
import pathlib
import re
import signal
import sys
import unittest
import xml.dom.minidom

sys.path[:0] = [str(pathlib.Path(sys.argv[2]) / folder) for folder in ("experiments/command/tests", "experiments/layers/estimation/tests")]
import climb_law  # noqa: E402
import e2e  # noqa: E402
import two_phase_law as law  # noqa: E402

MODULES = pathlib.Path(sys.argv[3]).resolve()
FULL = sys.argv[4:] == ["full"]
LONE = [["input", 0, "transaction", 4294967295, 300], ["deliver", 2, 0, "prepare", 0, 300], ["deliver", 1, 0, "prepare", 0, 300], ["disk", 1, 300], ["disk", 2, 300],
        ["deliver", 0, 1, "vote", 0, 300], ["deliver", 0, 2, "vote", 0, 300], ["disk", 0, 300], ["time-out", 2, 1, 800]]
STEPS = [("request", (True, True)), ("deliver", 0, 2), ("deliver", 0, 1), ("disk", 1), ("disk", 2), ("deliver", 1, 0), ("deliver", 2, 0), ("disk", 0), ("time_out", 2)]
# Behind each of them, within nine more; and where a decision comes as the last one: law.behind_each(law.Lone(), STEPS, law.differ, 9), decided().
SHARES = [0.0171335531, 0.1537468576, 0.2313082624, 0.2733961939, 0.4005862044, 0.4650941785, 0.4542223678, 0.4357218679, 0.2210181409, 1]
DECIDED = 0.1175354614
CLOCK = '''import sys
import time
true, false, null = True, False, None
asked = 0
for text in sys.stdin:
    line = eval(text)
    if "bye" in line:
        break
    if "hello" in line:
        said = '"process":"clock","attributes":{"n":"integer"},"inputs":{"ask":"to count"},"faults":{"sound":"", "late":""}'
        fault = line["hello"].get("fault")
    else:
        asked = 0 if "start" in line else asked + 1
        n = time.time_ns() % 1000003 if asked == 1 and fault != "sound" else asked
        said = '"shows":{"n":%d}' % (9000000 if asked >= 3 else n)
    print('{"id":%d,%s}' % (line["id"], said), flush=True)
'''
# Asked for a, b, c or d, it is bad or not, as what was asked for before has it.
LOT = '''import sys
true, false, null = True, False, None
for text in sys.stdin:
    line = eval(text)
    if "bye" in line:
        break
    if "hello" in line:
        said = '"process":"lot","attributes":{"bad":"integer"},"inputs":{"a":"","b":"","c":"","d":""},"faults":{"dip":"","door":"","late":""}'
        fault = line["hello"].get("fault")
    else:
        came = "" if "start" in line else came + line["which"] if "input" in line else came
        n, last = len(came), came[-1:]
        bad = last in {"dip": ["abc", "", "a", "ab", "abc", "abcd"][min(n, 6) - 1], "door": "abcd" if "d" in came[:-1] else "", "late": "abcd" if n >= 20 else ""}[fault] if n > 0 else False
        said = '"shows":{"bad":%d}' % bad
    print('{"id":%d,%s}' % (line["id"], said), flush=True)
'''


def decided():
    """That they differ within eight events behind a decision that came to one of the two."""
    system = law.Lone()
    for name, *where in STEPS[:-1] + [("deliver", 0, 1)]:
        getattr(system, name)(*where)
    return law.probability(law.differ, 8, system)


def lone(schedule=LONE, **more):
    return {"process_test": {"suite": 0, "sequence": 1, "expected": "agreed", "tick": 800}, "process": {"program": "two_phase", "count": 3, "network": "fifo"},
            "seed": 7, "cases": 1, "case": 1000000000, "events": 9, "corridor": ["structure observed", "channel outcome", "invariant agreed: agree(outcome)"],
            "environment": {"states": {"calm": {"input": 2}}}, "faults": [], "arms": {"lone": {"fault": "lone_decision", "generator": "timed"}}, "schedule": schedule, **more}


class ProcessWhy(e2e.Case):
    def write(self, what, name="t.json"):
        (self.folder / name).write_text(json.dumps(what))

    def test_who_has_not_started_does_when_the_weather_says(self):
        """Not as one that is down: within the case nobody else would start."""
        for start, share in (([5000, 5000], 0), ([300, 900], 1)):
            self.write({**lone([["restart", 0, 100], ["restart", 1, 400]], case=1000, events=20, arms={"sound": {"generator": "timed"}}),
                        "process_test": {"suite": 0, "sequence": 1, "expected": "alone", "tick": 400}, "process": {"program": "two_phase", "count": 2},
                        "corridor": ["structure observed", "invariant alone: count(a in agents) <= 1"], "environment": {"states": {"calm": {"start": start}}}})
            said = json.loads(self.corridor("why", "t.json", "--curve", "--future", "timed", "--effort", 100, "--json", code=None).stdout)
            self.assertEqual([row["share"] for row in said["sheets"]["curve"]["rows"]][1:], [share, 1])

    def curve(self, *words, code=0, name="t.json", future="random"):
        return json.loads(self.corridor("why", name, "--curve", "--future", future, "--json", *words, code=code).stdout)

    @staticmethod
    def rows(document, sheet):
        return document["sheets"][sheet]["rows"]

    def hold(self, document, shares):
        return all(row["low"] <= shares[row["choices"]] + 1e-9 and shares[row["choices"]] <= row["high"] + 1e-9 for row in self.rows(document, "curve"))

    def test_the_curve_of_two_phase_commit_is_exact(self):
        if FULL:
            for found, known in zip(law.behind_each(law.Lone(), STEPS, law.differ, 9) + [decided()], SHARES + [DECIDED]):
                self.assertAlmostEqual(found, known, 9)
        self.write(lone())
        held = 0
        for seed in range(20):
            it = self.curve("--ahead", "9", "--seed", str(seed))
            others = {row["what"]: row for row in self.rows(it, "others")}
            exact = {'Process 1 gets "decision" from process 0': DECIDED, 'Process 2 gets "decision" from process 0': DECIDED,
                     'Alarm "ask_again" of process 1 is due': 1, 'Alarm "ask_again" of process 2 is due': 1}
            held += self.hold(it, SHARES) and all(others[what]["low"] <= share <= others[what]["high"] for what, share in exact.items())
            self.assertEqual((it["end"], it["rise"], len(others)), ("named", 9, 7))
        self.assertGreaterEqual(held, 19)

    def climb(self, crash, transitions, cases, height, **more):
        first = next(iter(crash))
        return {"process": {"program": str(MODULES / "climb.so"), "count": 1}, "seed": 5, "suites": 1, "sequences": 4000, "until": "failure", "cases": cases, "case": 1000,
                "events": 100000, "faults": ["crash"], "generators": ["random"],
                "corridor": ["structure observed", "attribute height: integer", f"invariant low: all(a in agents: a.height < {height})"],
                "environment": {"profile": {"states": list(crash), "start": first, "transitions": transitions},
                                "states": {state: {"crash": rate, "input": 0} for state, rate in crash.items()}}, "arms": {"climb": {}}, **more}

    def failing(self, what):
        self.write(what, "c.json")
        self.corridor("run", "c.json", "-o", "c.h5", "--isolate", "never", "-f")
        return self.corridor("failures", "c.h5").stdout.split("climb/")[1].split()[0]

    def heights(self, *words):
        """Of climb, behind each event of a schedule: (tick, height)."""
        height = 0
        for event in json.loads(self.corridor("replay", *words, "--trace", "--json", "--trust").stdout)["events"]:
            changes = event["changes"] or ""
            height = int(changes.split("height ")[1]) if "height" in changes else 0 if event["event"] == "crash" else height
            yield event["tick"], height

    def test_what_was_begun_before_ends_by_the_weather(self):
        def climbs(height, alarms):
            return 1 if height >= 3 else 0 if alarms == 0 else (climbs(height + 1, alarms - 1) + climbs(0, alarms - 1)) / 2
        what = self.climb({"day": 0}, {"day": {"day": 1}}, 20, 3, seed=2)
        what["environment"]["states"]["day"]["down"] = [10, 10]
        self.write({**what, "process_test": {"suite": 0, "sequence": 0, "expected": "low"},
                    "schedule": [["crash", 0, 0, 50], ["restart", 0, 60]] + [["time-out", 0, 0, 1060 + 1000 * n] for n in range(18)]})
        it = self.curve("--trust", "--isolate", "never", future="timed")
        shares = [climbs(0, 19)] + [climbs(height, 19 - tick // 1000) for tick, height in self.heights("t.json")]
        self.assertTrue(self.hold(it, shares), (self.rows(it, "curve"), shares))
        self.assertGreater(len(shares), 5)

    def test_what_the_program_draws_and_who_comes_first_is_drawn_anew(self):
        crash, stays = {"storm": 10}, {"storm": {"storm": 1}}
        what = self.climb(crash, stays, 8, 4)
        key = "climb/" + self.failing(what)
        it = self.curve("--failure", key, "--isolate", "never", "--trust", name="c.h5")
        shares = [climb_law.probability(4, 8, stays, "storm", crash)]
        for tick, height in self.heights("c.h5", "--failure", key):
            shares.append(1 if height >= 4 else climb_law.probability(4, 8 - tick // 1000, stays, "storm", crash, height))
        self.assertGreater(len(shares), 4)
        self.assertTrue(self.hold(it, shares), (self.rows(it, "curve"), shares))

    def test_weather_is_drawn_anew(self):
        # The first case is always stormy; how long that goes on is the weather's. Without it being drawn anew all futures have the walk of the test.
        crash, goes_on = {"dawn": 0, "storm": 60, "calm": 0}, {"dawn": {"storm": 1}, "storm": {"storm": 0.5, "calm": 0.5}, "calm": {"calm": 0.9, "storm": 0.1}}
        key = "climb/" + self.failing(self.climb(crash, goes_on, 8, 4))
        it = self.curve("--failure", key, "--isolate", "never", "--trust", "--effort", "4000", name="c.h5")
        row, truth = self.rows(it, "curve")[0], climb_law.probability(4, 8, goes_on, "dawn", crash)
        self.assertTrue(row["low"] <= truth <= row["high"], (row, truth))
        self.assertLess(row["high"] - row["low"], truth, row)

    def test_it_is_the_same_wherever_it_is_executed(self):
        self.write(lone(events=1000, faults=["lose", "crash"], cases=4, case=1000, environment={"states": {"storm": {"delay": [1, 200], "lose": 0.2, "crash": 0.5, "input": 4}}}))
        for future in ("timed", "random", "burst", "swarm"):
            found = [self.curve("--effort", "60", *words, code=None, future=future) for words in ((), (), ("--isolate", "always"))]
            self.assertEqual(found[0], found[1])
            self.assertEqual(found[0], found[2])
            self.assertNotEqual(found[0], self.curve("--effort", "60", "--seed", "8", code=None, future=future))

    def test_each_event_of_a_shrunk_schedule_is_needed(self):
        self.write(lone())
        self.assertEqual(self.corridor("why", "t.json").stdout,
                         "The schedule fails by agreed with event 9. Each of its 9 events is needed by itself: without it that does not come.\n"
                         "How probable it was behind each of them: corridor why t.json --curve --future timed\n"
                         "agreed: Agent 0 told 0000000000000001 of index 1 of outcome, and agent 2 tells 0000000000000002.\n")
        self.assertIn(" corridor why t.json --curve --future timed --trust\n", self.corridor("why", "t.json", "--trust").stdout)
        extra = [*LONE[:3], ["input", 1, "transaction", 5, 300], *LONE[3:]]
        self.write(lone(extra + [["disk", 2, 900]]))
        text = self.corridor("why", "t.json").stdout
        self.assertEqual(text.split("\n")[0], "The schedule fails by agreed with event 10. Of its 10 events 9 are needed by themselves (gone: without it that does not come).")
        self.assertIn('    1. Process 0 is asked for "transaction". (gone, later, last)\n', text)
        self.assertIn("    9. What process 0 wrote first is on its disk. (gone)\n", text)
        self.assertIn('   10. Alarm "ask_again" of process 2 is due. (gone)\n', text)
        self.assertNotIn("    4. ", text)
        rows = self.rows(json.loads(self.corridor("why", "t.json", "--json").stdout), "choices")
        self.assertEqual([(row["choice"], row["gone"], row["last"]) for row in rows if row["gone"] == "alike"], [(4, "alike", "alike")])
        self.assertEqual([row["later"] for row in rows[-2:]], ["alike", None])

    def test_events_have_the_numbers_of_the_story(self):
        """What comes by itself has no number of its own: a default is one event, whether or not anything comes of it."""
        self.write(lone([["default", 1, 200], *LONE[:3], ["default", 1, 300], ["input", 1, "transaction", 5, 300], *LONE[5:]], events=20))
        said = dict(re.findall(r"(?m)^ *(\d+)\. (\w.*?)\. \(", self.corridor("why", "t.json").stdout))
        told = self.corridor("replay", "t.json", "--trace").stdout
        lines = {number: line for number, line in re.findall(r"(?m)^ *(\d+)\. +\d+  (.*)", told)}
        self.assertEqual(list(lines), ["2", "3", "4", "5", "6", "7", "8", "9", "10"])
        self.assertGreaterEqual(len(said), 6)
        for number, text in said.items():
            if "by itself" not in text:
                self.assertTrue(lines[number].startswith(text[:40]), (number, text, lines[number]))
        self.assertIn("What comes by itself", said["5"])
        story = json.loads(self.corridor("replay", "t.json", "--trace", "--json").stdout)
        self.assertEqual([event["number"] for event in story["events"]], [2, 3, 4, 5, 5, 6, 7, 8, 9, 10])

    def test_no_limit_of_the_test_ends_a_future(self):
        self.write(lone())
        whole, far = self.curve("--effort", "200", code=7), self.curve("--effort", "200", "--ahead", "1000", code=7)
        self.assertEqual(self.rows(whole, "curve"), self.rows(far, "curve"))
        self.assertEqual({(row["share"], row["cut"]) for row in self.rows(whole, "curve")}, {(1, 0)})
        self.assertIn(' by the law of "random", to the end of the schedule:\n', whole["said"])
        self.write(lone(), "nine.json")
        self.write(lone(events=1), "one.json")
        self.assertEqual(*(self.curve("--effort", "60", future="timed", name=name)["sheets"] for name in ("nine.json", "one.json")))

    def test_what_is_cut_is_not_known(self):
        self.write(lone(cases=100000, case=1000))
        for isolation in ("never", "always"):
            it = self.curve("--effort", "10", "--isolate", isolation, future="timed", code=7)
            self.assertEqual({(row["low"], row["high"], row["cut"]) for row in self.rows(it, "curve")[:-1]}, {(0, 1, 10)})
            self.assertEqual(it["said"].splitlines()[1], "No event changes it as far as can be told: it is 0.00 [0.00, 1.00] from the start.")
            self.assertEqual(it["said"].splitlines()[-1], "90 of them were cut before their end, by a limit of events: they are not counted as alike, and the intervals hold "
                             "whatever would have come of them.")

    def test_what_is_listed_has_its_words(self):
        (self.folder / "lot.py").write_text(LOT)

        def lines(fault, asked, often, *words, end, code):
            self.write({"process_test": {"suite": 0, "sequence": 0, "expected": "fine", "tick": len(asked)}, "process": {"program": "/usr/bin/python3 -S -I lot.py", "count": 1},
                        "seed": 3, "cases": 1, "case": 1000000, "events": 10, "corridor": ["structure observed", "attribute bad: integer", "invariant fine: all(a in agents: a.bad = 0)"],
                        "environment": {"states": {"day": {"input": 100}}}, "faults": [], "inputs": often, "arms": {fault: {"fault": fault, "generator": "random"}},
                        "schedule": [["input", 0, which, 5, tick + 1] for tick, which in enumerate(asked)]})
            it = self.curve("--effort", "10", "--trust", *words, code=code)
            self.assertEqual((it["end"], it["choices"]), (end, len(asked)))
            return it["said"].splitlines()

        # Behind each: 150/151, 0, 50/151, 100/151, 150/151, 1. One falls, and none of those behind it can be told from the next.
        dip = lines("dip", "dabcda", {"a": 50, "b": 50, "c": 50, "d": 1}, "--ahead", "1", end="named", code=0)
        self.assertEqual(dip[2:3] + [line[:14] for line in dip[3:]], ['    1.00   0.00  --------    1. Process 0 is asked for "d".', "5 other events"])
        # d is so seldom that nothing but a comes in its place.
        door = lines("door", "da", {"a": 10000, "d": 1}, "--ahead", "2", end="named", code=0)
        self.assertEqual(door[3:5], ["Had something else come as event 1:", '    0.00  [0.00, 0.10]  Process 0 is asked for "a".'])
        late = lines("late", 20 * "a", {"a": 1}, end="flat", code=7)
        self.assertTrue(late[2].startswith("12 events change it by less than 0.53. 8 events lie between "), late)

    def test_a_curve_is_drawn(self):
        self.write(lone())
        self.corridor("why", "t.json", "--curve", "--future", "random", "--ahead", "9", "--svg", "c.svg")
        drawing = (self.folder / "c.svg").read_text()
        self.assertEqual(xml.dom.minidom.parseString(drawing).documentElement.tagName, "svg")
        self.assertEqual(len([line for line in drawing.split("\n") if 'stroke-width="1.8"' in line and line.count(" L") == 9]), 1)
        said = self.corridor("why", "t.json", "--curve", "--future", "random", "--svg", "c.svg", code=4)
        self.assertIn("c.svg", said.stderr)

    def test_what_is_ended_says_so(self):
        self.write(lone())
        it = self.curve("--ahead", "9", "--budget", "3500", code=7)
        self.assertEqual((it["end"], it["executions"], [(row["choices"], row["futures"]) for row in self.rows(it, "curve")]),
                         ("stopped", 3500, [(0, 1000), (2, 500), (4, 1000), (6, 1000), (9, 0)]))
        said = it["said"].splitlines()
        self.assertEqual(said[-1], "The budget is used up: no more than that is known.")
        self.assertTrue(any(line.endswith(" 7 to 9: not looked at one by one") for line in said), said)
        self.assertIn("The budget is used up", self.corridor("why", "t.json", "--budget", "3", code=7).stdout)

    def test_an_interrupt_says_what_is_known(self):
        self.write(lone())
        process = self.begin("why", "t.json", "--curve", "--future", "random", "--ahead", "9", "--effort", "1000000")
        self.wait_until(lambda: any(map(e2e.catches_interrupts, self.children(process))), "it catches interrupts", process)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[0]
        self.assertEqual((process.returncode, said.splitlines()[-1:]), (5, ["Interrupted: no more than that is known."]))

    def test_a_program_that_does_not_repeat_itself_has_no_futures(self):
        (self.folder / "clock.py").write_text(CLOCK)
        asked = [["input", 0, "ask", 5, tick] for tick in (100, 200, 300)]
        what = {"process_test": {"suite": 0, "sequence": 0, "expected": "few", "tick": 300}, "process": {"program": "/usr/bin/python3 -S -I clock.py", "count": 1}, "seed": 1,
                "cases": 3, "case": 1000, "events": 100, "corridor": ["structure observed", "attribute n: integer", "invariant few: all(a in agents: a.n <= 2000000)"],
                "environment": {"states": {"day": {"input": 4}}}, "faults": [], "schedule": asked}
        self.write({**what, "arms": {"late": {"fault": "late", "generator": "timed"}}})
        said = self.corridor("why", "t.json", "--curve", "--future", "timed", "--effort", "20", "--trust", code=1).stdout
        self.assertEqual(said, "The program does not repeat itself: after event 1 it stood otherwise the second time, so nothing can be said of other futures.\n")
        self.write({**what, "arms": {"sound": {"fault": "sound", "generator": "timed"}}})
        it = self.curve("--effort", "20", "--trust", "--ahead", "3", future="timed", code=None)
        self.assertEqual((it["failure"], [row["share"] for row in self.rows(it, "curve")]), ("few", [1, 1, 1, 1]))

    def test_it_is_refused_in_so_many_words(self):
        self.write(lone())
        self.write(lone(LONE[:8]), "passes.json")
        self.write({**lone(), "process_test": {"suite": 0, "sequence": 1, "expected": "none"}}, "none.json")
        self.write(lone(LONE[:8], process_test={"suite": 0, "sequence": 1, "expected": "agreed", "tick": 800}), "open.json")
        self.write({**lone(), "arms": {"sound": {"generator": "random"}}}, "changed.json")
        self.write({"process": {"program": "two_phase", "count": 3}, "seed": 7, "suites": 1, "sequences": 40, "cases": 20, "corridor": lone()["corridor"],
                    "environment": {"states": {"storm": {"delay": [1, 200], "lose": 0.1}}}, "arms": {"lone": {"fault": "lone_decision"}}}, "e.json")
        self.corridor("run", "e.json", "-o", "e.h5")
        key = "lone/" + self.corridor("failures", "e.h5").stdout.split("lone/")[1].split()[0]
        laws, usage, curve = "  known: timed, random, burst, swarm\n", "  see corridor why --help\n", ("--curve", "--future", "random")
        for words, code, said in [
            (("t.json", "--curve"), 3, "corridor: invalid input: --curve: how probable it is follows from a law: which is to be said with --future\n" + laws),
            (("t.json", "--curve", "--future", "randon"), 3, 'corridor: invalid input: --future: there is no law "randon"\n  did you mean "random"? ' + laws[2:]),
            (("t.json", "--curve", "--future", "pct"), 3,
             'corridor: invalid input: --future: "pct" has no law: it draws orders that are to be rare, not such as surroundings make\n' + laws),
            (("t.json", "--curve", "--future", "rounds"), 3, 'corridor: invalid input: --future: "rounds" has no law: it makes what it was made to find\n' + laws),
            (("t.json", "--curve", "--future", "search"), 3,
             'corridor: invalid input: --future: "search" has no law: it learns from one schedule for the next, so that they are not independent\n' + laws),
            (("t.json", *curve, "--ahead", "0"), 2, 'corridor: --ahead takes a whole number from 1 to 1000000, not "0"\n' + usage),
            (("t.json", *curve, "--effort", "9"), 2, 'corridor: --effort takes a whole number from 10 to 1000000, not "9"\n' + usage),
            (("t.json", *curve, "--budget", "0"), 2, 'corridor: --budget takes a whole number from 1 to 9223372036854775807, not "0"\n' + usage),
            (("t.json", *curve, "--budget", "999"), 2, "corridor: --budget 999 is not enough for one moment: --effort is 1000\n" + usage),
            (("t.json", "--ahead", "5"), 2, "corridor: --ahead needs --curve\n" + usage),
            (("t.json", "--svg", "x.svg"), 2, "corridor: --svg draws the curve of a schedule: --curve\n" + usage),
            (("t.json", "--failure", "lone/0/1"), 2, "corridor: --failure names a failure of a result file, and t.json is a test\n" + usage),
            (("e.h5",), 2, "corridor: needs the failure of the result file that is meant: --failure KEY\n" + usage),
            (("e.h5", "--failure", "lone/0/4000"), 3,
             "corridor: invalid input: e.h5: there is no schedule lone/0/4000\n  a key is ARM/SUITE/SEQUENCE, and corridor failures lists them\n"),
            (("none.json",), 3, "corridor: invalid input: none.json: the schedule is expected not to fail: there is nothing to explain\n  a test that is expected to fail\n"),
            ((e2e.SOURCE / "experiments/bugs/shortest/spada-f1.json", *curve), 3,
             'corridor: invalid input: --future: there is no law "random"\n  known: profile, uniform\n'),
            (("no.json", *curve), 4, "corridor: file error: no.json: cannot read: No such file or directory\n"),
            (("t.json", "--fresh-processes"), 2, "corridor: --fresh-processes has no meaning with schedules of distributed programs\n" + usage),
        ]:
            with self.subTest(words=words):
                self.assertEqual(self.corridor("why", *words, code=code).stderr, said)
        for name, code, said in [
            ("passes.json", 7, "agreed does not come: the schedule ends at tick 300, and what is expected came at 800.\n"),
            ("changed.json", 1, "agreed does not come: nothing fails.\n"),
        ]:
            for words in ((), curve):
                with self.subTest(name=name, words=words):
                    self.assertEqual(self.corridor("why", name, *words, code=code).stdout, said)
        self.assertIn(f"corridor why e.h5 --failure {key} --curve" if "Each of its" in (text := self.corridor("why", "e.h5", "--failure", key).stdout) else "needed by", text)
        self.assertEqual(self.curve("--failure", key, "--effort", "10", name="e.h5", code=None)["failure"], "agreed")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
