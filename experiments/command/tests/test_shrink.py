#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""shrink: from a failure of a result file to a minimal test, and what is said where that cannot be. Tests of models: test_shrink.c."""
import itertools
import json
import os
import signal

import e2e
from e2e import PSOPP


class Shrink(e2e.Case):
    def setUp(self):
        super().setUp()
        self.run_into("out.h5", self.experiment(arms=[PSOPP], suites=1))
        self.key = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"][0]["key"]

    def shrink(self, *arguments, code=0):
        return json.loads(self.corridor("shrink", *arguments, "--json", code=code).stdout)

    def of_file(self, *arguments, code=0):
        return self.shrink("out.h5", "--failure", self.key, "-o", "least.json", *arguments, code=code)

    def content(self, name="least.json"):
        return json.loads((self.folder / name).read_text())

    def test_a_key_becomes_a_minimal_test_that_its_fault_alone_makes_fail(self):
        found = self.of_file()
        self.assertTrue(found["minimal"] and found["repeats"])
        test = self.content()
        self.assertGreater(found["outside"], 0)
        self.assertIn(f"{found['outside']} smaller ones that the model does not allow were not executed: --free tries them, too.", test["said"])
        self.shrink("least.json", "-o", "free.json", "--free")
        self.assertNotIn("--free tries", self.content("free.json")["said"])
        self.assertEqual((found["cases"], found["agents"]), (len(test["walk"][0]) - 1, len(test["type"])))
        checked = self.shrink("least.json", "--check")
        self.assertEqual((checked["minimal"], checked["steps"]), (True, found["steps"]))
        self.corridor("replay", "least.json", "--expect", "failing")
        # The numbers of the trace are those of the file, and it says which agents these were.
        names = ", ".join(map(str, test["agent_identity"][:40])) + (", .." if len(test["agent_identity"]) > 40 else "")
        trace = " ".join(self.corridor("replay", "least.json", "--trace").stdout.split())
        self.assertIn(f"Before agents were left out, these were agents {names}: corridor shrink calls them so.", trace)
        self.corridor("replay", "least.json", "--fault", "none", "--expect", "fixed")
        self.shrink("least.json", "-o", "again.json")
        again = self.content("again.json")
        self.assertEqual({**again, "said": test["said"]}, test)

    def test_a_budget_leaves_the_best_so_far_which_is_not_minimal(self):
        found = self.of_file("--budget", 20)
        self.assertFalse(found["minimal"])
        self.assertLessEqual(found["executions"], 20)
        self.assertIn("Not minimal", self.content()["said"])
        self.corridor("replay", "least.json", "--expect", "failing")
        self.assertFalse(self.shrink("least.json", "--check", code=1)["minimal"])

    def test_a_budget_is_never_exceeded_and_what_it_has_no_room_for_is_said(self):
        for budget in (2, 3, 4, 5, 9):
            found = self.of_file("--budget", budget, "--force")
            self.assertIn(found["executions"], range(2, budget + 1))
            said = self.content()["said"]
            self.assertIn(f"the budget of {budget} executions is used up", said)
            self.assertEqual("was not looked at" in said, budget < 4)
        self.corridor("shrink", "out.h5", "--failure", self.key, "-o", "least.json", "--force", "--budget", 1, code=2)

    def test_a_test_without_bounds_is_shrunk_freely_which_is_said_and_one_of_replay_has_them(self):
        self.corridor("replay", "out.h5", "--failure", self.key, "-o", "whole.json")
        of_test = self.shrink("whole.json", "-o", "of_test.json")
        self.assertEqual(of_test["sheets"]["sizes"], self.of_file()["sheets"]["sizes"])
        self.assertEqual(self.content("of_test.json"), self.content())
        test = self.content("whole.json")
        del test["bounds"]
        (self.folder / "bare.json").write_text(json.dumps(test))
        done = self.corridor("shrink", "bare.json", "-o", "free.json")
        self.assertIn('does not tell what its model allows ("bounds")', done.stdout)
        self.assertNotIn("--free", done.stdout)
        self.assertEqual([line for line in done.stderr.splitlines() if " executions" not in line], [])  # a slow machine says how far it is
        self.assertIn("did not matter: --free", self.corridor("shrink", "whole.json", "-o", "free.json", "--free", "--force").stdout)

    def test_one_kind_of_file_in_the_place_of_the_other_is_told_by_name(self):
        self.of_file()
        for command in ("failures", "verify", "show"):
            done = self.corridor(command, "least.json", code=3)
            self.assertIn("is a test file, not a result file", done.stderr)
            self.assertIn("corridor replay, corridor shrink and corridor why read it", done.stderr)
        for words in (("replay", "least.json", "out.h5"), ("run", "out.h5", "-o", "new.h5"), ("plan", "out.h5")):
            done = self.corridor(*words, code=3)
            self.assertIn("out.h5: is a result file (HDF5), and not JSON", done.stderr)
            self.assertIn("corridor show, failures, replay", done.stderr)

    def test_what_is_neither_a_test_nor_a_result_is_told_by_what_is_wrong_with_it(self):
        (self.folder / "empty.json").write_text("")
        (self.folder / "nul.json").write_bytes(b"\0\0")
        (self.folder / "dir.json").mkdir()
        os.mkfifo(self.folder / "pipe.json")
        for name, words in (("empty.json", "is not valid JSON"), ("nul.json", "is not valid JSON"), ("dir.json", "is a folder, not a file"),
                            ("pipe.json", "is a pipe that nobody writes to")):
            self.assertIn(f"{name}:", (said := self.corridor("shrink", name, "-o", "new.json", code=3).stderr))
            self.assertIn(words, said)
        self.assertIn("empty.json: not an HDF5 file", self.corridor("shrink", "empty.json", "--failure", self.key, "-o", "new.json", code=3).stderr)
        self.assertIn("gone.json: cannot read", self.corridor("shrink", "gone.json", "-o", "new.json", code=4).stderr)
        self.assertFalse((self.folder / "new.json").exists())

    def test_a_test_comes_and_goes_by_pipes(self):
        self.of_file()
        text = (self.folder / "least.json").read_text()
        self.assertEqual(self.corridor("shrink", "out.h5", "--failure", self.key, "-o", "-").stdout, text)
        self.assertIn("Minimal", self.corridor("shrink", "-", "--check", input=text).stdout)
        self.assertIn("standard output", self.corridor("shrink", "least.json", "-o", "-", "--json", code=2).stderr)

    def test_what_looking_does_not_take_is_refused(self):
        for words in (("-o", "new.json"), ("--force",), ("--reseed", 2)):
            self.assertIn(" and --check exclude each other", self.corridor("shrink", "out.h5", "--failure", self.key, "--check", *words, code=2).stderr)

    def test_profiles_are_left_with_the_arcs_that_the_walk_takes(self):
        self.of_file()
        test = self.content()
        for number, profile in enumerate(test["profiles"]):
            count = len(profile["start"])
            walks = [[ord(letter) - ord("a") for letter in walk] for walk, of in zip(test["walk"], test["profile_of_chain"]) if of == number]
            for state in range(count):
                row = profile["probability"][state * count:(state + 1) * count]
                taken = {walk[i + 1] for walk in walks for i in range(len(walk) - 1) if walk[i] == state}
                arcs = {to for to in range(count) if row[to] > 0}
                self.assertTrue(arcs <= taken or len(arcs) == 1, (number, state, arcs, taken))
        test["profiles"][0].update(start=[1 / count] * (count := len(test["profiles"][0]["start"])))
        (self.folder / "more.json").write_text(json.dumps(test))
        self.assertIn("which may begin as", self.corridor("shrink", "more.json", "--check", code=1).stdout)

    def test_an_interrupt_keeps_the_best_so_far(self):
        process = self.begin("shrink", "out.h5", "--failure", self.key, "-o", "least.json", "--reseed", "1000", "--free")
        # The one at work does, to which that which was started hands them on.
        self.wait_until(lambda: any(map(e2e.catches_interrupts, self.children(process))), "it catches interrupts", process)
        os.kill(process.pid, signal.SIGINT)
        said = process.communicate()
        self.assertEqual(process.returncode, 5, said)
        self.assertIn("Not minimal", said[0])
        self.corridor("replay", "least.json", "--expect", "failing")

    def test_what_is_there_is_replaced_by_force_only(self):
        (self.folder / "least.json").write_text("mine")
        self.corridor("shrink", "out.h5", "--failure", self.key, "-o", "least.json", "--budget", 3, code=4)
        self.assertEqual((self.folder / "least.json").read_text(), "mine")
        self.of_file("--budget", 3, "--force")
        self.content()

    def test_what_is_no_failure_is_said(self):
        arm, suite, sequence, case = self.key.split("/")
        for key in (f"Q/{suite}/{sequence}/{case}", f"{arm}/{suite}", f"{arm}/{suite}/{sequence}/60000", f"{arm}/x/0/1", ""):
            done = self.corridor("shrink", "out.h5", "--failure", key, "-o", "least.json", code=3)
            self.assertIn("--failure", done.stderr)
        self.corridor("shrink", "out.h5", "-o", "least.json", code=2)
        self.corridor("shrink", "out.h5", "--failure", self.key, code=2)
        self.assertFalse((self.folder / "least.json").exists())

    def test_damaged_bounds_are_refused_by_name(self):
        self.of_file("--budget", 3)
        for damage in ({"parameters": {"nobody": [1, 2]}}, {"inertia": [1, "x"]}, {"constraints": ["nothing <= 1"]}, {"levels": 7}):
            test = self.content()
            test["bounds"].update(damage)
            (self.folder / "damaged.json").write_text(json.dumps(test))
            done = self.corridor("shrink", "damaged.json", "--check", code=3)
            self.assertIn("bounds", done.stderr)


def heard(agents, hops, entries):
    """Of the courier (guests/courier.c): the hop behind which the words of agents 2 and 3 come, if messages wait as the entries say."""
    numbers, pending, last, words, delivered = itertools.count(), {}, 0, {}, 0
    for what in (("parcel", 1), *(("word", agent) for agent in range(2, agents))):
        pending[next(numbers)] = what
    while pending:
        waiting = sorted((entries[number], number) for number in pending if number in entries)
        ready = sorted(number for number in pending if number not in entries)
        number = waiting[0][1] if waiting and (waiting[0][0] <= delivered or not ready) else ready[0]
        what, value = pending.pop(number)
        delivered += 1
        if what == "parcel":
            last = value if value % 2 else last  # odd hops end at agent 1
            if value < hops:
                pending[next(numbers)] = ("parcel", value + 1)
        elif what == "word":
            words[value] = last
            pending[next(numbers)] = ("answer", value)
    return words


class Schedules(e2e.Case):
    """Faults of order, whose tests keep the departures from sending order that they need: truth by going through all of them."""
    AGENTS, HOPS = 4, 5
    FAULTS = {"late": lambda words, hops: words[2] >= hops - 1, "between": lambda words, hops: words[2] == hops // 2 | 1,
              "between_and_late": lambda words, hops: words[2] == hops // 2 | 1 and words[3] >= hops - 1}

    def fails(self, fault, entries):
        return self.FAULTS[fault](heard(self.AGENTS, self.HOPS, entries), self.HOPS)

    def least(self, fault):
        """The fewest messages that must wait: all sets, and all they could wait for."""
        messages = self.HOPS + 2 * (self.AGENTS - 2)
        for size in range(3):
            for who in itertools.combinations(range(messages), size):
                if any(self.fails(fault, dict(zip(who, waits))) for waits in itertools.product(range(messages), repeat=size)):
                    return size
        return None

    def shrink(self, fault, mail):
        model = {"corridor_model": 1, "agents": self.AGENTS, "groups": {"count": self.AGENTS}, "structure": {"count_min": 2, "size_min": 1},
                 "environments": {"weather": {"random": {"states": 16}}}, "types": {"agent": {"level": [0.2, 1.0]}},
                 "invariant": {"threshold": 0}}
        arm = {"name": "C", "algorithm": str(e2e.MODULES / "guests/courier.so"), "fault": fault, "mail": mail,
               "parameters": {"budget": 1000, "hops": self.HOPS}}
        self.run_into("out.h5", self.experiment(model=model, arms=[arm], suites=1, sequences=2, cases=400), "--isolate", "never", "--force")
        key = json.loads(self.corridor("failures", "out.h5", "--json").stdout)["failures"][0]["key"]
        out = self.corridor("shrink", "out.h5", "--failure", key, "-o", "least.json", "--isolate", "never", "--force", "--trust").stdout
        self.corridor("shrink", "least.json", "--check", "--isolate", "never", "--trust")
        return json.loads((self.folder / "least.json").read_text()), out

    def test_of_how_mail_went_what_the_fault_needs_is_left(self):
        for fault, mail in (("late", {"mode": "pct", "depth": 2, "messages": 9}), ("between", {"mode": "bounded", "bound": 2, "messages": 9}),
                            ("between_and_late", {"mode": "pct", "depth": 3, "messages": 9})):
            test, said = self.shrink(fault, mail)
            entries = {message: others for _, deed, message, others in test["schedule"]["entries"] if deed == "waits"}
            self.assertEqual((len(entries), len(test["walk"][0])), (len(test["schedule"]["entries"]), 2))
            self.assertTrue(self.fails(fault, entries), (fault, entries))
            for size in range(len(entries)):
                for some in itertools.combinations(entries.items(), size):
                    self.assertFalse(self.fails(fault, dict(some)), (fault, entries, some))
            self.assertGreaterEqual(len(entries), self.least(fault), (fault, entries))  # waits are as long as they were
            self.assertIn(f'{len(entries)} entr{"y" if len(entries) == 1 else "ies"} must be there: [', said)
            self.corridor("replay", "least.json", "--expect", "failing", "--isolate", "never", "--trust")


if __name__ == "__main__":
    e2e.main()
