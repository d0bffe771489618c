#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions and classes of Python as algorithms: the same rows as an algorithm in C, in a cell and in process, by any number of
workers; whatever they do is a verdict, the campaign goes on, and the interpreter lives."""
import csv
import ctypes
import io
import json
import os
import random
import subprocess
import sys

import package
from package import BINARY, SOURCE, Case, corridor
import guests

MODEL = {
    "corridor_model": 1, "agents": 9, "structure": {"size_min": 1, "size_max": 12}, "groups": {"count": 2},
    "environments": {"sky": {"profile": {"states": ["dark", "bright"],
                                         "transitions": {"dark": {"dark": 0.5, "bright": 0.5}, "bright": {"dark": 1}}}}},
    "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1}, "influence": {"dark": "on", "bright": "off"}}},
    "invariant": {"threshold": 0.2}}


def experiment(*arms, suites=2, sequences=2, cases=12):
    return {"corridor_experiment": 1, "name": "python", "seed": 77, "mode": "paired", "suites": suites, "sequences": sequences,
            "cases": cases, "model": MODEL, "arms": list(arms)}


def arm(name, **others):
    return {"name": name, "algorithm": name, **others}


def table(path, name):
    return list(csv.DictReader(io.StringIO(corridor.call("export", path, "--table", name))))


class Same(Case):
    def run_into(self, name, what, **others):
        corridor.run(what, output=self.folder / name, progress=False, **others)
        return self.folder / name

    def test_the_same_bytes_with_any_number_of_workers_in_cells_and_in_process(self):
        what = experiment(arm("snake"), {"name": "loses", "algorithm": "snake", "fault": "loses"}, arm("shuffles"),
                          arm("climbs", parameters={"budget": 40}), arm("gossips"),
                          {"name": "late mail", "algorithm": "gossips", "mail": {"mode": "delayed", "delay_max": 3}})
        expected = self.run_into("one.h5", what, workers=1).read_bytes()
        self.assertEqual(self.run_into("three.h5", what, workers=3).read_bytes(), expected)
        self.run_into("process.h5", what, workers=2, isolate="never")  # nothing is asked again, which the file says
        for name in ("cases", "reorganizations", "failures", "violations", "sequences", "counters"):
            self.assertEqual(table(self.folder / "process.h5", name), table(self.folder / "one.h5", name))
        self.assertEqual(self.run_into("fresh.h5", what, fresh_processes=True).read_bytes(), expected)
        self.assertEqual([row for row in table(self.folder / "one.h5", "smokes")], [])
        self.assertIn("equal: yes", corridor.call("replay", self.folder / "one.h5"))
        self.assertGreater(len(table(self.folder / "one.h5", "reorganizations")), 60)
        loses = [row for row in table(self.folder / "one.h5", "reorganizations") if row["arm"] == "loses"]
        self.assertEqual({row["fault_activated"] for row in loses}, {"1"})

    def test_the_mail_of_a_failing_case_is_told(self):
        """Everybody tells everybody its value once, which is a text of JSON."""
        path = self.run_into("r.h5", experiment({"name": "none", "algorithm": "gossips", "result": {"fault": "agent_dropped", "probability": 1}}))
        key = json.loads(corridor.call("failures", path, "--json"))["failures"][0]["key"]
        said = json.loads(corridor.call("replay", path, "--failure", key, "--trace", "--json"))["sheets"]
        agents, mail = len(said["members"]["rows"]), said["mail"]["rows"]
        self.assertEqual(sorted((row["from"], row["to"]) for row in mail), sorted((a, b) for a in range(agents) for b in range(agents) if a != b))
        values = [f'{row["value"]:.4g}' for row in said["members"]["rows"]]
        for row in mail:
            told = json.loads(row["values"])
            self.assertIn(f'{told["value"] if isinstance(told, dict) else told:.4g}', values)

    def test_the_rows_are_those_of_the_same_algorithm_in_c(self):
        built_in = self.run_into("c.h5", experiment({"name": "deal", "algorithm": "deal"}, suites=3))
        here = self.run_into("python.h5", experiment({"name": "deal", "algorithm": "snake"}, suites=3))
        for name in ("cases", "reorganizations", "failures", "violations", "sequences"):
            rows = table(built_in, name)
            self.assertEqual(table(here, name), rows)
        self.assertGreater(len(table(here, "reorganizations")), 20)

    def test_mail_of_agents_is_counted_as_it_was_sent(self):
        path = self.run_into("mail.h5", experiment(arm("gossips")))
        agents = {row["suite"]: 0 for row in table(path, "agents")}
        for row in table(path, "agents"):
            agents[row["suite"]] += 1
        rows = table(path, "reorganizations")
        self.assertTrue(rows)
        for row in rows:
            count = agents[row["suite"]]
            self.assertEqual(int(row["messages"]), count * (count - 1))

    def test_numpy_and_buffers_say_the_same(self):
        what = experiment(arm("snake"), arm("shuffles"), arm("climbs", parameters={"budget": 40}), arm("gossips"))
        texts = []
        for before in ("", "import numpy\n"):
            script = self.folder / "script.py"
            script.write_text(f"import sys\nsys.path.insert(0, {str(SOURCE / 'experiments/python/tests')!r})\n{before}import corridor, guests\n"
                              f"result = corridor.run({what!r}, progress=False)\nprint(corridor.call('show', result.path, '--hash'))\n")
            done = subprocess.run([sys.executable, "-B", script], capture_output=True, text=True)
            if before and "No module named 'numpy'" in done.stderr:
                self.skipTest("no numpy")
            self.assertEqual(done.returncode, 0, done.stderr)
            texts.append(done.stdout)
        self.assertEqual(texts[0], texts[1])


class Verdicts(Case):
    def test_in_process_a_function_that_forks_is_refused(self):
        import guests
        result = corridor.run(experiment(arm("forks")), isolate="never", progress=False)
        rows = table(result.path, "smokes")
        self.assertTrue(rows)
        self.assertEqual({row["smoke"] for row in rows}, {"complained"})
        self.assertRegex(rows[0]["sentence"], r'^RuntimeError: os\.fork\(\) is refused with isolate="never": '
                                              r"the child would go on with the campaign \(guests\.py:\d+, in forks\)$")
        self.assertIs(os.fork, guests.os.fork)
        if (child := os.fork()) == 0:  # in the interpreter it is as it was
            os._exit(3)
        self.assertEqual(os.WEXITSTATUS(os.waitpid(child, 0)[1]), 3)

    def test_a_task_that_is_kept_cannot_be_asked_when_its_reorganization_is_over(self):
        for isolate in ("never", "always"):
            result = corridor.run(experiment(arm("asks_too_late")), isolate=isolate, workers=1, progress=False)
            rows = table(result.path, "smokes")
            self.assertTrue(rows)
            for row in rows:  # in a cell a fresh process, which keeps no task yet, is asked again
                if isolate == "never":
                    self.assertRegex(row["sentence"], r"^RuntimeError: a task can be asked until its reorganization is over, .* in asks_too_late\)$")
                self.assertEqual(row["smoke"], "complained" if isolate == "never" else "leaked")

    def test_whatever_a_function_does_is_a_verdict_and_the_campaign_goes_on(self):
        seen = set()
        arms = [arm(name, cpu_seconds=0.2 if name in ("spins", "counts_for_ever") else 10, memory_bytes=guests.LEAST_MEMORY) for name in guests.WRONG] + [arm("snake")]
        result = corridor.run(experiment(*arms, suites=1, sequences=1), output=self.folder / "wrong.h5", progress=False)
        rows = table(result.path, "smokes")
        for row in rows:
            smoke, words = guests.WRONG[row["arm"]]
            self.assertEqual(row["smoke"], smoke, row)
            self.assertRegex(row["sentence"], "^" + words, row)
            seen.add(row["arm"])
        self.assertEqual(seen, set(guests.WRONG))
        self.assertTrue([row for row in table(result.path, "reorganizations") if row["arm"] == "snake"])
        self.assertFalse((SOURCE / "experiments/python/tests/written-by-a-guest").exists())

    def test_wrong_agents_are_a_matter_of_the_oracle(self):
        @corridor.algorithm
        def strangers(task):
            return [[0, 1, 99]]

        @corridor.algorithm
        def twice(task):
            return [[0], list(range(len(task)))]

        self.addCleanup(self.forget, "strangers", "twice")
        result = corridor.run(experiment(arm("strangers"), arm("twice")), progress=False)
        found = {(row["arm"], row["check"]) for row in table(result.path, "violations") if row["box"] == "gray"}
        self.assertIn(("strangers", "agent_unknown"), found)
        self.assertIn(("strangers", "agent_missing"), found)
        self.assertIn(("twice", "agent_repeated"), found)

    @staticmethod
    def forget(*names):
        from corridor import _algorithms
        for name in names:
            _algorithms._registered.pop(name, None)

    def test_a_campaign_is_not_gone_on_with_by_other_code(self):
        what = experiment(arm("changes"))
        self.addCleanup(self.forget, "changes")

        @corridor.algorithm(name="changes")
        def first(task):
            return task.blocks

        corridor.run(what, output=self.folder / "r.h5", progress=False)
        self.assertIn("equal: yes", corridor.call("replay", self.folder / "r.h5"))

        @corridor.algorithm(name="changes")
        def second(task):
            return [list(range(len(task)))]

        with self.assertRaises(corridor.Violated) as caught:
            corridor.call("replay", self.folder / "r.h5")
        self.assertIn("changes", caught.exception.output + str(caught.exception))

    def test_what_cannot_be_an_algorithm_is_refused_with_the_reason(self):
        def refused(words, **others):
            def function(task):
                return task.blocks
            self.addCleanup(self.forget, others.get("name", "function"))
            with self.assertRaisesRegex((TypeError, corridor.BadInput), words):
                corridor.algorithm(**others)(function)
                corridor.run(experiment(arm("deal")), progress=False)
            self.forget(others.get("name", "function"))

        refused(r'algorithm "Bad Name" cannot be used; names are', name="Bad Name")
        refused(r'there is an algorithm "spada" already; give it another name', name="spada")
        refused(r'parameter "a b" cannot be used', parameters={"a b": (1, 1, 2)})
        refused(r"parameter k is 3: write \(default, least, greatest\)", parameters={"k": 3})
        refused(r'parameter "k" cannot be used; its default lies within min', parameters={"k": (3, 1, 2)})
        refused(r'fault "none" cannot be used', faults=["none"])
        refused(r'counter "c" cannot be used; it has 1 .. 65536 buckets', counters={"c": 0})
        with self.assertRaisesRegex(TypeError, r"of_two takes k: write def of_two\(task\), or declare it"):
            corridor.algorithm(self.of_two)
        with self.assertRaisesRegex(TypeError, "has no result"):
            corridor.algorithm(type("Empty", (), {}))
        with self.assertRaisesRegex(TypeError, "they go together"):
            corridor.algorithm(type("Half", (), {"result": None, "wake": None}))
        with self.assertRaisesRegex(TypeError, "'snake' is no function and no class"):
            corridor.algorithm("snake")

    @staticmethod
    def of_two(task, k):
        return None


class Streams(Case):
    def test_words_are_drawn_as_plugin_h_draws_them(self):
        from corridor import _command, _guests, _plugin
        drawn = random.Random(5)
        words = [drawn.getrandbits(64) for _ in range(64)]
        memory = (ctypes.c_uint64 * 64)(*words)
        first = ctypes.addressof(memory)
        stream = _plugin.Random(first, first + 8 * 64, None)
        _guests.begin(_command.load(), [], False, True)
        one = _guests.Random()
        one.stream = ctypes.addressof(stream)
        self.assertEqual(one.random(), (words[0] >> 11) * 2.0 ** -53)
        self.assertEqual(one.getrandbits(64), words[1])
        self.assertEqual(one.getrandbits(3), words[2] & 7)
        self.assertEqual(one.getrandbits(100), (words[3] | words[4] << 64) & ((1 << 100) - 1))
        self.assertEqual(one.getrandbits(0), 0)
        self.assertIn(one.choice("abc"), "abc")
        self.assertGreater(stream.next, first + 5 * 8)


if __name__ == "__main__":
    package.main()
