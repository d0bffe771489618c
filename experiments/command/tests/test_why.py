#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""why: causes inside algorithms, told and drawn; and what is said where there are none, or none can be found. Planted causes: test_why.c."""
import json
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as xml

import e2e
from e2e import PSOPP

GUESTS = e2e.MODULES / "guests"
PARCEL, WORD = 0, 1


class Why(e2e.Case):
    def failing(self, arm, *options, name="out.h5", **changes):
        """A result file of that arm, and the key of a failure."""
        self.run_into(name, self.experiment(arms=[arm], **{"suites": 1, **changes}), *options)
        return json.loads(self.corridor("failures", name, "--json").stdout)["failures"][0]["key"]

    def small(self, arm, *options, **changes):
        key = self.failing(arm, *options, **changes)
        self.corridor("shrink", "out.h5", "--failure", key, "-o", "least.json", *(["--trust"] if options else []), *options)
        return key

    def why(self, *arguments, code=0):
        return json.loads(self.corridor("why", *arguments, "--json", code=code).stdout)

    def causes(self, found):
        return found["sheets"]["causes"]["rows"]

    def said(self, *arguments, code):
        done = self.corridor("why", *arguments, code=code)
        return " ".join(done.stdout.split()), done.stderr

    def test_a_move_of_psopp_is_named_told_and_drawn_by_a_key_or_a_test(self):
        key = self.small(PSOPP)
        text = self.corridor("why", "least.json", "--svg", "why.svg", code=7).stdout
        self.assertEqual(text, self.corridor("why", "least.json", code=7).stdout)  # the same bits
        self.assertRegex(text, r"^Case 1 fails: gray\.")
        self.assertRegex(text, r"\n1\. move \d+ of 200: the algorithm makes a move\n   then: counts random_split \(bucket \d\).*, the fault strikes\n"
                               r"   drawn another way: ")
        found = self.why("least.json", code=7)
        self.assertEqual((found["schema"], found["end"], found["case"], found["together"]), ("corridor-why", "last", 1, False))
        self.assertRegex(" ".join(text.split()), r"No cause is named: [\d draws,move]+ of [\d draws,move]+ make it go, none by itself\. Told is the last")
        self.assertEqual({cause["ends"] for cause in self.causes(found)}, {"otherwise" if "it fails in another way" in text.split("\n1. ")[1] else "passes"})
        self.assertEqual(found["messages"], 0)
        self.assertIn(len(self.causes(found)), (1, 2))
        drawing = xml.parse(self.folder / "why.svg").getroot()
        self.assertTrue(any("one of the last" in (text.text or "") for text in drawing.iter("{http://www.w3.org/2000/svg}text")))
        self.assertIn("exists already", self.said("least.json", "--svg", "why.svg", code=4)[1])
        self.corridor("why", "least.json", "--svg", "why.svg", "--force", code=7)
        self.assertEqual(self.why("out.h5", "--failure", key, code=7)["end"], "last")

    def courier(self, fault, suites):
        """Of the guest whose faults are orders of mail."""
        shutil.copy(GUESTS / "courier.so", self.folder)
        arm = {"name": "C", "algorithm": "./courier.so", "fault": fault, "parameters": {"agents": [8, 8], "hops": 9},
               "mail": {"mode": "pct", "depth": 2, "messages": 20}}
        self.small(arm, "--isolate", "never", suites=suites)
        return self.why("least.json", "--trust", "--isolate", "never")

    def assert_order(self, fault, suites, hop):
        """It needs the hop before which the word came too late or too early, and the word."""
        found = self.courier(fault, suites)
        causes = self.causes(found)
        self.assertEqual(found["end"], "named", found)
        self.assertEqual([(cause["kind"], cause["to"]) for cause in causes], [(PARCEL, 1), (WORD, 1)], causes)
        self.assertEqual((causes[0]["values"], causes[1]["from"]), (hop, 2))
        self.assertIn("the test passes", causes[1]["instead"])
        self.assertEqual([cause["ends"] for cause in causes], ["passes" if "the test passes" in cause["instead"] else "otherwise" for cause in causes])
        self.assert_drawn(causes)

    def test_a_message_that_comes_too_late_and_the_one_behind_which_it_comes(self):
        self.assert_order("late", 1, "9")

    def test_a_message_that_comes_between_two_others(self):
        self.assert_order("between", 4, "5")

    def traced(self, *words):
        sheets = json.loads(self.corridor("replay", "least.json", "--trust", *words, "--trace", "--json").stdout)["sheets"]
        return sheets["trace"]["rows"][-1], sheets["mail"]["rows"], sheets["violations"]["rows"]

    def test_the_trace_tells_and_draws_the_mail_of_the_case(self):
        """In a sandbox as beside it, as often as the algorithm counted it, with what the cause needs of it."""
        causes = self.causes(self.courier("late", 1))
        case, mail, violations = self.traced("--isolate", "never")
        self.assertEqual(self.traced("--isolate", "always"), (case, mail, violations))
        self.assertEqual((len(mail), sum(row["received"] is None for row in mail)), (case["messages"], case["messages_lost"]))
        self.assertEqual({row["times"] for row in mail if row["received"] is not None}, {1})
        self.assertEqual(sorted(row["message"] for row in mail), list(range(1, len(mail) + 1)))
        by_number = {row["message"]: row for row in mail}
        for row in mail:
            self.assertTrue(row["received"] is None or row["received"] >= row["sent"])
            if row["answers"] is not None:
                self.assertEqual((by_number[row["answers"]]["to"], by_number[row["answers"]]["received"]), (row["from"], row["sent"]))
        came = [row["received"] for row in mail if row["received"] is not None]
        self.assertEqual(came, sorted(came))
        for cause in causes:
            self.assertEqual(sum((row["kind"], row["from"], row["to"], row["values"]) == (cause["kind"], cause["from"], cause["to"], cause["values"])
                                 for row in mail), 1)
        named = {row["agent"] for row in violations} - {None}
        self.assertEqual([row["about"] for row in mail], [row["from"] in named or row["to"] in named for row in mail])
        drawn = [row for row in mail if row["about"]] or mail
        text = self.corridor("replay", "least.json", "--trust", "--trace", "--svg", "mail.svg").stdout
        self.assertIn(f"{drawn[-1]['when']}: {drawn[-1]['what']}", " ".join(text.split()))
        drawing = (self.folder / "mail.svg").read_text()
        self.assertEqual(len(re.findall(r'<line [^>]*class="(?:message|lost)"', drawing)), len(drawn), drawing[:3000])
        self.assertIn("exists already", self.corridor("replay", "least.json", "--trust", "--trace", "--svg", "mail.svg", code=4).stderr)

    def graph(self, *words):
        """Of one failing reorganization of SPADA the edges, blocks of the solution by agent, mail, and the drawing."""
        done = json.loads(self.corridor("replay", "kept.json", "--trace=1", "--json", "--svg", "g.svg", "--force", *words).stdout)["sheets"]
        return done["graph"]["rows"], done["members"]["rows"], done["mail"]["rows"], xml.parse(self.folder / "g.svg").getroot()

    def assert_graph(self, fault, suites, parameters):
        arm = {"name": "S", "algorithm": "spada", "fault": fault, "parameters": {"agents": [12, 40], "acquaintances": 6, "budget": 500} | parameters}
        key = self.failing(arm, suites=suites, name=f"{fault}.h5")
        self.corridor("replay", f"{fault}.h5", "--failure", key, "-o", "kept.json", "--force")
        edges, members, mail, drawing = self.graph()
        self.assertEqual(self.graph("--isolate", "always")[0], edges)
        marked = [(row["agent"], row["other"]) for row in edges if row["marked"]]
        leader = {other: agent for agent, other in marked}
        self.assertEqual(len(leader), len(marked))  # each in one partition
        self.assertTrue(all(leader[agent] == agent for agent in leader.values()))
        known = {}
        for row in edges:
            if not row["marked"]:
                known.setdefault(row["agent"], []).append(row["other"])
        for agent, others in known.items():  # as many as asked for, of those who take part, and never twice
            self.assertEqual((len(others), len(set(others)), agent in others), (min(6, len(leader) - 1),) * 2 + (False,))
        self.assertEqual(set(known), set(leader))
        last, counted = {}, 0  # whom an agent asked by an edge, unless the edge went on later
        for row in mail:
            if row["received"] is not None and " meet" in row["what"].replace('"', " "):
                last.pop((row["to"], row["values"].rsplit("slot ")[1].split(",")[0]), None)
            elif ' "info"' in row["what"]:
                last[row["from"], row["values"].rsplit("slot ")[1].split(",")[0]] = row["to"], row["sent"]
        for (agent, slot), (other, _) in last.items():
            counted += known[agent][int(slot)] == other
        self.assertGreaterEqual(counted, 0.9 * len(last), (counted, len(last)))
        moved = {row["to"] for row in mail if '"meet"' in row["what"]}
        for row in mail:  # whoever was introduced to nobody passes shares of the mean to those it knows
            if '"mean"' in row["what"] and row["from"] not in moved:
                self.assertIn(row["to"], known[row["from"]])
                counted += 1
        svg = "{http://www.w3.org/2000/svg}"
        nodes = [node for node in drawing.iter(f"{svg}circle") if node.get("class", "").startswith("node")]
        self.assertEqual((len(nodes), sum("leader" in node.get("class") for node in nodes)), (len(leader), len(set(leader.values()))))
        arrows = [path.get("class") for path in drawing.iter(f"{svg}path") if path.get("class")]
        self.assertEqual((arrows.count("marked"), arrows.count("knows")), (len(leader) - len(set(leader.values())), sum(map(len, known.values()))))
        return leader, members, counted

    def test_the_graph_that_spada_came_to_is_told_and_drawn(self):
        leader, members, _ = self.assert_graph("f2", 3, {})  # a partition is not in the graph, and not in the solution
        lost = {row["agent"] for row in members if row["solution"] == "none"}
        self.assertTrue(lost)
        self.assertEqual({row["agent"] for row in members} - set(leader), lost)
        # The graph is right, and the sets that are made of it are not.
        leader, members, asked = self.assert_graph("f3", 6, {"f3_threshold": 4})
        self.assertGreater(asked, 10)
        lost = {row["agent"] for row in members if row["solution"] == "none"}
        self.assertTrue(lost)
        self.assertEqual(set(leader), {row["agent"] for row in members})
        rest = {row["agent"]: row["solution"] for row in members if row["agent"] not in lost}
        pairs = {(leader[agent], block) for agent, block in rest.items()}
        self.assertEqual(len(pairs), len({one for one, _ in pairs}))
        self.assertEqual(len(pairs), len({other for _, other in pairs}))
        self.assertIn(" partitions, led by ", " ".join(self.corridor("replay", "kept.json", "--trace=1").stdout.split()))

    def test_where_there_is_no_mail_nothing_is_drawn_and_all_else_is_told(self):
        self.small(PSOPP)
        done = self.corridor("replay", "least.json", "--trace", "--svg", "mail.svg")
        self.assertIn("no mail of that case is seen: mail.svg is not drawn\n", done.stderr)
        self.assertEqual(done.stdout, self.corridor("replay", "least.json", "--trace").stdout)
        self.assertFalse((self.folder / "mail.svg").exists())

    def assert_drawn(self, causes):
        """An arrow for each, and a line for whoever is in it."""
        self.corridor("why", "least.json", "--trust", "--isolate", "never", "--svg", "why.svg", "--force")
        text = (self.folder / "why.svg").read_text()
        self.assertEqual(text.count(">needed"), len(causes))
        self.assertEqual(set(re.findall(r">agent (\d+)<", text)) - {"0", "1", "2"}, set())
        self.assertGreaterEqual(text.count('class="message"'), len(causes))

    def test_a_test_that_passes_has_no_cause(self):
        self.small(PSOPP)
        test = json.loads((self.folder / "least.json").read_text())
        test["arm"]["fault"] = "none"
        (self.folder / "sound.json").write_text(json.dumps(test))
        self.assertEqual(self.said("sound.json", code=1)[0], "No case fails: there is no failure to be explained.")
        self.assertEqual(self.why("sound.json", code=1)["end"], "passes")

    def test_what_happens_whatever_is_changed_needs_none(self):
        self.small({"name": "L", "algorithm": "random", "result": {"fault": "agent_dropped", "probability": 1}, "parameters": {"agents": [4, 12]}})
        out, said = self.said("least.json", "--svg", "none.svg", code=0)
        self.assertIn("no cause is named: none.svg is not drawn", said)
        self.assertRegex(out, r"It needs none of \d+ draws?: it happens with each changed alone, and with all changed at once\.$")

    def test_a_failure_without_a_reorganization_has_no_verdict(self):
        self.small({**PSOPP, "fault": "none", "monitor": {"fault": "missed", "probability": 1}})
        out, _ = self.said("least.json", code=7)
        self.assertRegex(out, r"No verdict: case \d+ has no reorganization, so no message, draw or move can be changed\.$")
        self.assertEqual(self.why("least.json", code=7)["end"], "nothing")

    def test_an_algorithm_that_neither_talks_nor_draws_has_no_verdict(self):
        self.small({"name": "D", "algorithm": "deal", "result": {"fault": "agent_dropped", "probability": 1}, "parameters": {"agents": [4, 12]}})
        out, _ = self.said("least.json", code=7)
        self.assertRegex(out, r"No verdict: deal sends no messages, draws nothing from the streams it is given, and makes no moves; only these can be changed\.$")

    def test_a_budget_that_ends_leaves_no_verdict(self):
        self.small(PSOPP)
        out, _ = self.said("least.json", "--budget", 20, code=7)
        self.assertRegex(out, r"No verdict: the budget is used up after (1\d|20) cases\. So far [\d draws,move]+ of [\d draws,move]+ make it go, tried from the last\.$")
        found = self.why("least.json", "--budget", 20, code=7)
        self.assertEqual((found["end"], found["causes"]), ("stopped", 0))
        self.assertLessEqual(found["executed_cases"], 20)

    def test_what_works_in_a_cell_is_refused_with_the_way_out(self):
        shutil.copy(GUESTS / "guest.so", self.folder)
        self.small({"name": "G", "algorithm": "./guest.so", "fault": "repeats_an_agent", "parameters": {"agents": [12, 20], "budget": 10}}, "--isolate", "always")
        said = self.said("least.json", "--trust", code=3)[1]
        self.assertIn('invalid input: --isolate: the algorithm "guest" works in a cell, where its mail and draws are not seen\n'
                      "  --isolate never lets it work in this process; if it has neither mail nor moves, and draws nothing from its streams, there is no verdict\n", said)
        self.assertIn("--trust", self.said("least.json", code=3)[1])

    def test_what_has_neither_mail_nor_moves_nor_draws_has_no_verdict_as_it_was_said(self):
        shutil.copy(e2e.MODULES / "works.so", self.folder)
        self.small({"name": "W", "algorithm": "./works.so", "result": {"fault": "agent_dropped", "probability": 1}, "parameters": {"agents": [4, 12], "budget": 50}},
                   "--isolate", "always")
        self.assertIn("there is no verdict\n", self.said("least.json", "--trust", code=3)[1])
        self.assertIn("No verdict: ", self.said("least.json", "--trust", "--isolate", "never", code=7)[0])

    @unittest.skipIf(b"__asan_init" in e2e.BINARY.read_bytes(), "sanitizers want to be loaded first")
    def test_off_a_terminal_it_is_said_how_far_it_is(self):
        """By a clock that goes on by a second whenever it is looked at, and a timer that strikes a hundred thousand times as often."""
        (self.folder / "clock.c").write_text("#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <time.h>\n"
                                             "int clock_gettime(clockid_t clock, struct timespec *now) {\n    static time_t seconds;\n"
                                             "    (void)clock;\n    *now = (struct timespec){.tv_sec = seconds += 1};\n    return 0;\n}\n"
                                             "int timer_settime(timer_t timer, int flags, const struct itimerspec *each, struct itimerspec *before) {\n"
                                             "    int (*own)(timer_t, int, const struct itimerspec *, struct itimerspec *) = dlsym(RTLD_NEXT, \"timer_settime\");\n"
                                             "    (void)each;\n    return own(timer, flags, &(struct itimerspec){{0, 100000}, {0, 100000}}, before);\n}\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.folder / "clock.so", self.folder / "clock.c"], check=True)
        self.small(PSOPP)
        done = self.corridor("why", "least.json", code=7, environment={"LD_PRELOAD": str(self.folder / "clock.so")})
        lines = [int(line) for line in re.findall(r"^corridor: (\d+) executions, for \d+ messages, draws and moves, \d+ s so far$", done.stderr, re.M)]
        self.assertGreater(len(set(lines)), 3)
        self.assertEqual(lines, sorted(lines))

    def test_what_is_not_the_same_twice_cannot_be_compared(self):
        shutil.copy(GUESTS / "guest.so", self.folder)
        key = self.failing({"name": "G", "algorithm": "./guest.so", "fault": "repeats_an_agent", "parameters": {"agents": [12, 20], "budget": 10}}, "--isolate", "always")
        self.corridor("replay", "out.h5", "--failure", key, "-o", "least.json", "--trust")
        test = json.loads((self.folder / "least.json").read_text())
        test["arm"]["fault"] = "deals_by_chance"
        test["parameters"]["after"] = 0
        test["arm"]["adoption"] = {"fault": "lost", "probability": 1}
        (self.folder / "flaky.json").write_text(json.dumps(test))
        out, _ = self.said("flaky.json", "--trust", "--isolate", "never", code=1)
        self.assertRegex(out, "It does not fail (in the same way twice; the second time: |a second time: no case fails)")
        found = self.why("flaky.json", "--trust", "--isolate", "never", code=1)
        self.assertEqual((found["end"], found["second"] == "passes"), ("flaky", "no case fails" in out))

    def test_of_a_program_it_is_said_what_can_be_changed(self):
        shutil.copy(e2e.SOURCE / "experiments/command/tests/guests/guest.py", self.folder)
        arm = {"name": "G", "algorithm": "./guest.py", "result": {"fault": "agent_dropped", "probability": 1}, "parameters": {"agents": [12, 20], "budget": 10}}
        key = self.failing(arm, "--isolate", "always")
        out, _ = self.said("out.h5", "--failure", key, "--trust", "--budget", 100, code=None)
        self.assertIn("The algorithm is a program: its mail can be changed, and the seeds that it is given, but no number that it draws from these.", out)

    def test_files_of_other_kinds_are_refused(self):
        key = self.failing(PSOPP)
        self.assertIn("needs --failure KEY; corridor failures lists the keys", self.said("out.h5", code=2)[1])
        self.assertIn("--failure is for result files", self.said("small.json", "--failure", key, code=2)[1])
        self.assertIn("cannot read", self.said("none.json", code=4)[1])
        self.assertIn("names a whole suite", self.said("out.h5", "--failure", "P/0", code=3)[1])
        self.assertIn(f"--failure: P/0/0/9999 did not fail\n  the nearest failure is {key}; corridor failures lists all\n", self.said("out.h5", "--failure", "P/0/0/9999", code=3)[1])
        self.assertIn("small.json: ", self.said("small.json", code=3)[1])  # an experiment
        self.assertIn("--force needs --svg", self.said("small.json", "--force", code=2)[1])
        self.assertIn("--budget takes", self.said("small.json", "--budget", 0, code=2)[1])


if __name__ == "__main__":
    e2e.main()
