#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check as a user and a build server see it; what a result file knows of a module; and cheats of agents in a campaign."""
import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import unittest
import xml.etree.ElementTree as ElementTree

import e2e
from e2e import BINARY, MODULES, SOURCE  # of the samples of algorithms/conformance


class CheckAlgorithm(e2e.Case):
    def check(self, *words, code=0):
        sheets = json.loads(self.corridor("check", *words, "--json", code=code).stdout)["sheets"]
        return sheets["algorithms"]["rows"], {row["check"]: row for row in sheets["checks"]["rows"]}

    def test_what_holds_is_exit_code_0(self):
        algorithms, checks = self.check("deal", "--only", "results")
        self.assertEqual([(row["name"], row["held"], row["broken"]) for row in algorithms], [("deal", 2, 0)])
        self.assertEqual(list(checks), ["loads", "results"])
        self.assertEqual((checks["results"]["verdict"], checks["results"]["tasks"]), ("held", 60))

    def test_an_interrupt_ends_it_with_what_was_seen(self):
        module = self.folder / "hangs.so"
        shutil.copyfile(MODULES / "mechanism_hangs_with_many.so", module)

        def is_under_way():
            for words in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                with contextlib.suppress(OSError):
                    if {os.fsencode(module), b"repeatable"} <= set(words.read_bytes().split(b"\0")):
                        return True
            return False
        process = self.begin("check", module, "--json")
        self.wait_until(is_under_way, "a check", process)
        process.terminate()
        said, complained = process.communicate()
        self.assertEqual(process.returncode, 5, complained)
        self.assertIn("interrupted: what is not listed was not checked", complained)
        self.assertEqual([(row["check"], row["verdict"]) for row in json.loads(said)["sheets"]["checks"]["rows"]], [("loads", "held")])

    def test_a_check_that_is_asked_of_nobody_is_no_verdict(self):
        _, checks = self.check("deal", "--only", "survives", code=7)
        self.assertEqual(checks["survives"]["verdict"], "not_applicable")
        self.check("deal", "two_phase", "--only", "survives")

    def test_a_path_with_blanks_is_a_path_and_no_command(self):
        for name in ("my_algo.so", "my_algo"):
            path = self.folder / "a folder [1]" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes((BINARY.parent / "examples" / name).read_bytes())
            path.chmod(0o755)
            algorithms, checks = self.check(path, "--only", "results")
            self.assertEqual((algorithms[0]["broken"], checks["results"]["verdict"]), (0, "held"))
        self.assertIn("cannot open", self.corridor("check", "./a folder [1]/none.so", code=4).stderr)

    def test_every_example_answers_or_declines_whatever_values_and_limits_there_are(self):
        examples = SOURCE / "algorithms/examples"
        built = BINARY.parent / "examples"
        for path, checks in ((built / "my_algo.so", ("values", "sizes", "repeatable")), (built / "my_algo", ("values", "sizes", "repeatable")),
                             (examples / "shell/my_algo.sh", ("values",)), (examples / "python/my_algo.py", ("values",))):
            for check in checks:
                with self.subTest(f"{path.name} {check}"):
                    few = ("--agents", 10) if path.suffix in (".py", ".sh") else ()
                    algorithms, rows = self.check(path, "--only", check, *few, code=None)
                    is_slow = check == "sizes" and "not reached: 100000 agents" in rows[check]["said"]  # on a slow machine
                    self.assertEqual((algorithms[0]["broken"], rows[check]["verdict"]), (0, "undecided" if is_slow else "held"))
                    self.assertGreater(rows[check]["tasks"], 0)

    def test_what_is_broken_is_shown_again_by_the_command_that_is_said(self):
        _, checks = self.check(MODULES / "ignores_budget.so", "--only", "budget", code=1)
        broken = checks["budget"]
        self.assertEqual((broken["verdict"], broken["agents"], broken["seed"]), ("broken", 1, 0))
        words = shlex.split(broken["again"])
        self.assertEqual(words[:2], ["corridor", "check"])
        _, again = self.check(*words[2:], code=1)
        self.assertEqual((again["budget"]["said"], again["budget"]["tasks"]), (broken["said"], 1))
        text = self.corridor("check", MODULES / "ignores_budget.so", "--only", "budget", code=1).stdout
        self.assertIn("1 agents, seed 0: it spent 100 of a budget of 1", text)

    def test_junit_and_tap_say_the_same(self):
        words = ("check", "deal", MODULES / "crashes_when_loaded.so", "--only", "results")
        root = ElementTree.fromstring(self.corridor(*words, "--junit", code=1).stdout)
        self.assertEqual([root.get(key) for key in ("tests", "failures", "errors", "skipped")], ["3", "1", "0", "0"])
        cases = {(case.get("classname"), case.get("name")): case for case in root.iter("testcase")}
        self.assertEqual(len(cases), 3)
        failure = cases[str(MODULES / "crashes_when_loaded.so"), "loads"].find("failure")
        self.assertIn("signal 6", failure.get("message"))
        lines = self.corridor(*words, "--tap", code=1).stdout.splitlines()
        self.assertEqual(lines[:2], ["TAP version 13", "1..3"])
        self.assertEqual([line[:6] for line in lines if re.match(r"(not )?ok ", line)], ["ok 1 -", "ok 2 -", "not ok"])

    def test_unknown_names_and_words_are_refused(self):
        self.assertIn('there is no algorithm, distributed program, mechanism or monitor "dael"', self.corridor("check", "dael", code=3).stderr)
        self.assertIn('did you mean "lagging"?', self.corridor("check", "laging", code=3).stderr)
        self.corridor("check", code=2)
        self.assertIn("--only", self.corridor("check", "deal", "--only", "nothing", code=2).stderr)
        self.assertIn("exclude", self.corridor("check", "deal", "--json", "--tap", code=2).stderr)

    def test_what_is_checked_is_called_what_it_is(self):
        loads = ("--only", "loads")
        for words, title, heading, code in ((("two_phase", *loads), "Distributed programs", "program", 0), (("deal", *loads), "Algorithms", "algorithm", 0),
                                            (("deal", "two_phase", *loads), "Algorithms and distributed programs", "checked", 0),
                                            (("balance", "lagging", *loads), "Mechanisms and monitors", "checked", 0), (("deal", "balance", *loads), "Algorithms, programs, mechanisms, monitors", "checked", 0),
                                            (("python3 -c 1", *loads), "Algorithms and distributed programs", "checked", 1), (("--process", "./small.json", *loads), "Distributed programs", "program", 1)):
            (self.folder / "small.json").write_text("{}")
            text = self.corridor("check", *words, code=code).stdout
            self.assertEqual(text.splitlines()[0], title)
            self.assertEqual(text.splitlines()[1].split()[0], heading)
            self.assertEqual("algorithm" in text.lower().replace("an algorithm answers", ""), title not in ("Distributed programs", "Mechanisms and monitors"))
            self.assertIn("algorithms", json.loads(self.corridor("check", *words, "--json", code=code).stdout)["sheets"])  # keys stay
        self.assertIn("./small.json --only loads --process", " ".join(text.split()))

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def test_a_program_is_what_it_answers_however_it_is_named(self):
        algorithm, process = SOURCE / "algorithms/examples/python/my_algo.py", SOURCE / "experiments/library/processes/token_ring.py"
        for source in (algorithm, process, process.parent / "corridor_process.py"):
            self.program(source.name, source.read_text())  # a guest reads what lies beside it
        wrapper = self.program("a wrapper", "#!/bin/sh\n/usr/bin/python3 my_algo.py\n")
        for word, shape in ((f"/usr/bin/python3 {shlex.quote(str(algorithm))}", "one-shot program"), (f"/usr/bin/python3 {shlex.quote(str(process))}", "processes program"),
                            (algorithm, "one-shot program"), (wrapper, "one-shot program"), (BINARY.parent / "examples/my_algo", "one-shot program"),
                            (self.program("ring", "#!/bin/sh\nexec /usr/bin/python3 token_ring.py\n"), "processes program")):
            algorithms, checks = self.check(word, "--only", "loads")
            self.assertEqual((algorithms[0]["shape"], checks["loads"]["verdict"]), (shape, "held"))

    def test_what_is_neither_algorithm_nor_distributed_program_is_said(self):
        for word, said in (("echo", "lacks the key \"id\""), ("python3 -c 1", "ended without an answer"),
                           ("printf '{\"id\":1,\"agent\":\"a\"}\\n'", "this is an agent under test"), ("printf '{\"id\":1}\\n'", 'neither "protocol" nor "process"')):
            word = "echo {}" if word == "echo" else word
            algorithms, checks = self.check(word, "--only", "loads", code=1)
            self.assertEqual((algorithms[0]["shape"], checks["loads"]["verdict"]), (None, "broken"))
            self.assertIn(said, checks["loads"]["said"])
            self.assertIn("docs/look-up/process-programs.md", checks["loads"]["said"])
        _, checks = self.check("no-such-program -x", "--only", "loads", code=1)
        self.assertIn('there is no program "no-such-program" on PATH', checks["loads"]["said"])

    def test_what_a_program_is_can_be_said(self):
        algorithm = f"/usr/bin/python3 {shlex.quote(str(SOURCE / 'algorithms/examples/python/my_algo.py'))}"
        self.check(algorithm, "--algorithm", "--only", "loads")
        _, checks = self.check(algorithm, "--process", "--only", "loads", code=1)
        self.assertTrue(checks["loads"]["again"].endswith(" --only loads --process"))
        self.assertIn("exclude each other", self.corridor("check", algorithm, "--process", "--algorithm", code=2).stderr)

    REMEMBERS = """#!/usr/bin/python3
import json, sys
asked = 0
for line in sys.stdin:
    request = json.loads(line)
    if "bye" in request:
        break
    if "hello" in request:
        answer = {"protocol": 1, "name": "remembers", "version": "1", "summary": "all alone, or together"}
    else:
        asked += 1
        agents = sorted(agent for block in request["task"]["structure"] for agent in block)
        answer = {"spent": 1, "blocks": [agents] if asked > 1 else [[agent] for agent in agents]}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"""

    def test_a_program_that_remembers_what_it_was_asked_is_found(self):
        """In one process: what a task gives depends on how many there were before."""
        _, checks = self.check(self.program("remembers.py", self.REMEMBERS), "--only", "repeatable", code=1)
        self.assertEqual((checks["repeatable"]["verdict"], checks["repeatable"]["agents"]), ("broken", 2))
        self.assertIn("another outcome the second time", checks["repeatable"]["said"])
        _, checks = self.check(self.program("forgets.py", self.REMEMBERS.replace("asked += 1", "asked = 1")), "--only", "repeatable")
        self.assertEqual(checks["repeatable"]["verdict"], "held")

    def test_a_program_is_not_waited_for_where_it_takes_long(self):
        """It hangs with more than 64 agents, and declines all limits: no verdict of the one, a remark on the other, and few starts."""
        slow = self.REMEMBERS.replace("asked += 1", "asked = 1\n        while sum(map(len, request['task']['structure'])) > 64: pass")
        _, checks = self.check(self.program("slow.py", slow), "--only", "sizes", code=7)
        self.assertEqual((checks["sizes"]["verdict"], checks["sizes"]["said"]), ("undecided", "not reached: 1000 agents: no answer within 2 s of CPU time"))
        declines = self.REMEMBERS.replace('answer = {"spent"', 'answer = {"failed": "I will not"} if request["task"]["rules"]["size_min"] > 1 else {"spent"')
        _, checks = self.check(self.program("declines.py", declines), "--only", "limits")
        self.assertEqual(checks["limits"]["verdict"], "held")
        told = re.fullmatch(r"declines (\d+) of the limits that can be kept; after 8 refusals of a size not tried: (\d+) that can be kept, (\d+) that cannot",
                            checks["limits"]["said"])
        declined, *left_out = map(int, told.groups())
        self.assertTrue(8 < declined <= 5 * 8 and min(left_out) > 0, told)
        self.assertEqual(checks["limits"]["tasks"] + sum(left_out), 5 * 144)

    BOUNDED = """#!/usr/bin/python3
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "bye" in request:
        break
    if "hello" in request:
        answer = {"protocol": 1, "name": "bounded", "version": "1", "summary": "blocks as even as they can be", "capabilities": ["limits"]}
    else:
        rules, n = request["task"]["rules"], len(request["task"]["values"][0])
        low, high, few, many = (n if rules.get(key) is None else min(rules[key], n + 1) for key in ("size_min", "size_max", "count_min", "count_max"))
        fit = [k for k in range(max(few, 1), min(many, n) + 1) if k * low <= n <= k * high]
        if n > 2 and fit and BREAKS:
            fit = [k for k in (1, n) if not (few <= k <= many and k * low <= n <= k * high)] or fit
        answer = {"spent": 1, "blocks": [list(range(n))[i::fit[0]] for i in range(fit[0])]} if fit else {"failed": "these limits cannot be kept"}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"""

    def test_a_program_that_refuses_what_cannot_be_done_is_held_to_what_can(self):
        """The limits of all tasks of 3 agents that can be kept are tried, those that cannot until 8 are refused; a remark tells."""
        _, checks = self.check(self.program("breaks.py", self.BOUNDED.replace("BREAKS", "True")), "--only", "limits", code=1)
        self.assertEqual((checks["limits"]["verdict"], checks["limits"]["agents"]), ("broken", 3))
        self.assertIn("which should be", checks["limits"]["said"])
        _, checks = self.check(self.program("keeps.py", self.BOUNDED.replace("BREAKS", "False")), "--only", "limits", "--agents", 3)
        n, feasible = 3, 0
        for low, high, few, many in itertools.product((1, 2, 2, 3), (1, 2, 3, 99), (1, 2, 3), (1, 3, 99)):
            feasible += any(k * low <= n <= k * high for k in range(few, min(many, n) + 1))
        self.assertEqual((checks["limits"]["verdict"], checks["limits"]["tasks"]), ("held", feasible + 8))
        self.assertEqual(checks["limits"]["said"], f"after 8 refusals of a size not tried: 0 that can be kept, {144 - feasible - 8} that cannot")

    def test_a_result_knows_the_module_by_its_digest(self):
        module = MODULES / "honest.so"
        experiment = self.experiment(arms=[{"name": "m", "algorithm": str(module)}], suites=1)
        self.run_into("m.h5", experiment)
        self.corridor("export", "m.h5", "--all", "all")
        said = [file.read_text() for file in (self.folder / "all").rglob("*") if file.is_file() and "sha256" in file.read_text()]
        self.assertTrue(said and all(hashlib.sha256(module.read_bytes()).hexdigest() in text for text in said), said)

    def test_agents_that_peek_are_smoke_in_a_campaign_too(self):
        experiment = self.experiment(arms=[{"name": "cheat", "algorithm": str(MODULES / "reads_values_before.so")},
                                           {"name": "honest", "algorithm": str(MODULES / "honest_talks.so")}], suites=1)
        self.run_into("cheats.h5", experiment)
        rows = self.table("cheats.h5", "reorganizations")
        self.assertEqual({row["smoke"] for row in rows if row["arm"] == "cheat"}, {"peeked"})
        self.assertEqual({row["smoke"] for row in rows if row["arm"] == "honest"}, {"none"})

    def test_agents_that_send_nothing_and_move_are_named_in_the_tables(self):
        experiment = self.experiment(arms=[{"name": "silent", "algorithm": str(MODULES / "sends_nothing.so")},
                                           {"name": "honest", "algorithm": str(MODULES / "honest_talks.so")}], suites=1)
        self.run_into("silent.h5", experiment)
        remarks = re.sub(r"\s+", " ", self.corridor("show", "silent.h5", "tables").stdout)
        self.assertIn("silent: decentralised, but no agent sends mail, and still", remarks)
        self.assertNotIn("honest: decentralised, but", remarks)


if __name__ == "__main__":
    e2e.main()
