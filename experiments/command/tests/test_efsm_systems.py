#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""efsm test and efsm mutants: verdicts against a judge that shares no code, systems that misbehave, replays, result files."""
import ast
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap

import bad_guests
import e2e
from e2e import SOURCE

MODELS = SOURCE / "experiments/library/efsm"
SYSTEMS = MODELS / "systems"
QUIET = (0.3, 3, 30)  # seconds after which nothing was said: so many that an answer comes before, however busy the machine


class Judge:
    """What a model allows, from its JSON, by Python's own evaluation of expressions."""

    def __init__(self, path):
        self.model = json.loads(path.read_text())
        self.variables = {v["name"]: v for v in self.model["vars"]}
        self.inputs = {i["label"]: i["params"] for i in self.model["inputs"]}
        self.outputs = {o["label"]: o["params"] for o in self.model["outputs"]}

    @staticmethod
    def value(text, values):
        text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
        text = re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", text)).replace("/", "//")
        return eval(compile(ast.parse(text.strip(), mode="eval"), "model", "eval"), {"min": min, "max": max, "abs": abs}, values)

    def start(self):
        return [(self.model["initial"], tuple(sorted((n, v["init"]) for n, v in self.variables.items() if v["kind"] == "state")))]

    def within(self, name, value):
        return self.variables[name]["lo"] <= value <= self.variables[name]["hi"]

    def moves(self, state, name, arguments):
        """(answer, next state) of all that is enabled; an input that enables nothing is ignored."""
        location, values = state
        values = dict(values)
        known = values | dict(zip(self.inputs[name], arguments))
        found = []
        for t in self.model["transitions"]:
            if t["src"] != location or t["input"] != name or not self.value(t["guard"], known):
                continue
            after = values | {n: self.value(text, known) for n, text in t["update"].items()}
            said = [(o["label"], [self.value(a, known) for a in o["args"]]) for o in t["outputs"]]
            if all(self.within(n, v) for n, v in after.items()) and all(
                    self.within(p, a) for label, args in said for p, a in zip(self.outputs[label], args)):
                found.append((said, (t["dst"], tuple(sorted(after.items())))))
        return found or [([], state)]

    def follow(self, states, name, arguments, answer):
        return list({after for state in states for said, after in self.moves(state, name, arguments) if said == answer})


def calls(text):
    """"DT(1, 0), Timer.start" as [("DT", [1, 0]), ("Timer.start", [])]."""
    found = re.findall(r"\s*([^,(]+)(?:\(([^)]*)\))?,?", "" if text == "nothing" else text)
    return [(name, [int(a) for a in arguments.split(",")] if arguments else []) for name, arguments in found]


def processes_with(text):
    """Command lines of processes that have the text in them."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            line = (folder / "cmdline").read_bytes().decode(errors="replace") if folder.name.isdigit() else ""
        except OSError:
            continue
        if text in line:
            found.append(line)
    return found


class Systems(e2e.Case):
    def setUp(self):
        super().setUp()
        self.inres = MODELS / "inres_initiator.json"

    def efsm(self, *arguments, code=0):
        return self.corridor("efsm", *arguments, code=code)

    def sheets(self, *arguments):
        """What a test shows; its exit code follows from the verdicts."""
        done = self.efsm("test", *arguments, "--json", code=None)
        found = {name: sheet["rows"] for name, sheet in json.loads(done.stdout)["sheets"].items()}
        verdicts = {test["verdict"] for test in found["tests"]}
        self.assertEqual(done.returncode, 1 if "fail" in verdicts else 0 if verdicts == {"pass"} else 7)
        return found

    def program(self, body):
        path = self.folder / "system.py"
        path.write_text(bad_guests.SPEAKER + textwrap.dedent(body))
        return e2e.shell(sys.executable, path)

    def check_moves(self, judge, moves, verdict):
        states, attempt = judge.start(), 0
        for row in moves:
            if row["attempt"] != attempt:
                states, attempt = judge.start(), row["attempt"]
            (name, arguments), = calls(row["input"])
            before = states
            states = judge.follow(states, name, arguments, calls(row["observed"]))
            self.assertEqual(bool(states), row["allowed"], (row, before))
            if not states:
                self.assertEqual(row, moves[-1])
                self.assertEqual(verdict, "fail")
        self.assertEqual(bool(states), verdict != "fail")

    def test_verdicts_are_those_of_a_judge_in_python(self):
        killed = 0
        for model, goal, mutants in (("inres_initiator", "all-transitions", ("t7.missing", "t4.value.DT.number+1", "t9.guard.high-1", "t5.target.disconnect", "t6.output.CR.added")),
                                     ("lossy_link", "all-transitions", ("ack.update.ok+1", "loss.output.NAK.dropped", "reset.guard.negated")),
                                     ("counter3", "trap_t3", ("tx.guard.high-1", "t2.guard.equal-1")),
                                     ("phone_call_1", "all-transitions", ("t1.missing",))):
            path, judge = MODELS / f"{model}.json", Judge(MODELS / f"{model}.json")
            names = self.efsm("mutants", path, "--list").stdout
            for planner in ("search", "random"):
                for mutant in (None, *(m for m in mutants if re.search(f"^{re.escape(m)} ", names, re.M))):
                    more = ["--mutant", mutant] if mutant else []
                    found = self.sheets(path, "--goal", goal, "--planner", planner, "--moves", "200", "--resets", "50", *more)
                    verdict = found["tests"][0]["verdict"]
                    killed += verdict == "fail"
                    if not mutant:
                        self.assertNotEqual(verdict, "fail")
                    self.check_moves(judge, found["moves"], verdict)
        self.assertGreater(killed, 8)

    def test_misdeeds_are_trouble_and_leave_nobody_behind(self):
        for name, (body, trouble) in bad_guests.SYSTEMS.items():
            with self.subTest(name):
                # what should answer has a while; what is to hang need not be waited for, but of a first word that does not come one hears late
                if name == "says no hello":
                    continue
                patience = "0.2" if trouble == "hung" else "60"
                found = self.sheets(self.inres, "--goal", "t8", "--system", self.program(body), "--answer-seconds", patience)
                row = found["tests"][0]
                self.assertEqual((row["verdict"], row["trouble"]), ("trouble", trouble))
                self.assertEqual(processes_with(str(self.folder / "system.py")), [])

    @classmethod
    def setUpClass(cls):
        """Who says no hello is given seconds: the others are tested in the meantime."""
        cls.mute = tempfile.TemporaryFile("w+")
        program = e2e.shell(sys.executable, "-c", bad_guests.SYSTEMS["says no hello"][0].join(("import time; ", "")))
        cls.muted = subprocess.Popen([e2e.BINARY, "efsm", "test", MODELS / "inres_initiator.json", "--goal", "t8", "--system", program, "--answer-seconds", "1", "--json"],
                                     stdout=cls.mute, env=e2e.ENVIRONMENT)
        cls.addClassCleanup(cls.mute.close)
        cls.addClassCleanup(lambda: cls.muted.poll() is None and cls.muted.kill())

    def test_who_says_no_hello_is_given_up(self):
        self.assertEqual(self.muted.wait(), 7)
        self.mute.seek(0)
        row = json.load(self.mute)["sheets"]["tests"]["rows"][0]
        self.assertEqual((row["verdict"], row["trouble"]), ("trouble", bad_guests.SYSTEMS["says no hello"][1]))

    def test_to_begin_takes_as_long_as_it_takes(self):
        system = self.program("time.sleep(0.4); say(id=ask()['id'], protocol=2, name='x'); time.sleep(100)")
        found = self.sheets(self.inres, "--goal", "t8", "--system", system, "--answer-seconds", "0.2")
        self.assertEqual(found["tests"][0]["trouble"], "garbled")

    def test_an_unknown_output_is_a_failure_and_no_trouble(self):
        system = self.program("greet(); ready(); say(id=ask()['id'], out=[['BOO', [7]]]); ask()")
        found = self.sheets(self.inres, "--goal", "t8", "--system", system)
        self.assertEqual(found["tests"][0]["verdict"], "fail")
        self.assertEqual(found["tests"][0]["why"], "move 1: at disconnect, input ICONreq gave ?; allowed: CR, Timer.start [t0]")

    def test_silence_is_an_answer_after_a_time_and_is_counted(self):
        text = (SYSTEMS / "inres.py").read_text().replace('return {"out": outputs} if outputs else {"quiet": True}', 'return {"out": outputs} if outputs else None')
        text = text.replace('    print(json.dumps({"id": asked["id"], **answer(asked)}), flush=True)', '    said = answer(asked)\n    if said:\n        print(json.dumps({"id": asked["id"], **said}), flush=True)')
        (self.folder / "silent.py").write_text(text)
        command = e2e.shell(sys.executable, self.folder / "silent.py")
        for seconds in QUIET:
            found = self.sheets(self.inres, "--goal", "t5", "--system", command, "--quiet-seconds", seconds, "--answer-seconds", "60")
            if found["tests"][0]["verdict"] == "pass":
                break
        self.assertEqual((found["tests"][0]["verdict"], found["tests"][0]["timeouts"]), ("pass", 2))
        found = self.sheets(self.inres, "--goal", "t5", "--system", command, "--answer-seconds", "0.3")
        self.assertEqual(found["tests"][0]["trouble"], "hung")

    def test_systems_in_c_python_and_shell_cover_all_transitions(self):
        systems = [e2e.shell(sys.executable, SYSTEMS / "inres.py"), e2e.shell("sh", SYSTEMS / "inres.sh")]
        if shutil.which("cc"):
            subprocess.run(["cc", "-o", self.folder / "inres", SYSTEMS / "inres.c"], check=True)
            systems.append(str(self.folder / "inres"))
        for system in systems:
            found = self.sheets(self.inres, "--goal", "all-transitions", "--system", system, "--answer-seconds", "60")
            self.assertEqual((found["tests"][0]["verdict"], found["tests"][0]["moves"]), ("pass", 36), system)

    def test_a_test_repeats_and_its_file_replays(self):
        link = MODELS / "lossy_link.json"
        for number in (1, 2):
            self.efsm("test", link, "--goal", "all-transitions", "--runs", "5", "--seed", "3", "--jobs", str(number), "-o", f"{number}.h5")
        self.assertEqual((self.folder / "1.h5").read_bytes(), (self.folder / "2.h5").read_bytes())
        replayed = self.replay("1.h5")
        self.assertEqual((replayed["equal"], replayed["suites"], replayed["different"]), (True, 5, 0))
        self.assertEqual([(r["suite"], r["equal"]) for r in replayed["sheets"]["suites"]["rows"]], [(i, True) for i in range(5)])
        self.assertEqual([r["suite"] for r in self.replay("1.h5", "--failure", "search/3")["sheets"]["suites"]["rows"]], [3])
        other = self.sheets(link, "--goal", "all-transitions", "--seed", "4")["moves"]
        self.assertNotEqual([m["observed"] for m in other], [m["observed"] for m in self.sheets(link, "--goal", "all-transitions", "--seed", "3")["moves"]])
        self.corridor("show", "1.h5", "tests", "--verify")

    def test_the_record_of_a_program_replays_without_it(self):
        system = e2e.shell(sys.executable, SYSTEMS / "inres.py")
        self.efsm("test", self.inres, "--goal", "t8", "--system", system, "--answer-seconds", "60", "-o", "p.h5")
        self.efsm("test", self.inres, "--goal", "t8", "--system", self.program(bad_guests.SYSTEMS["dies in a move"][0]), "-o", "q.h5", code=7)
        silent = self.program("greet()\nwhile True:\n  asked = ask()\n  if 'reset' in asked: say(id=asked['id'], ready=True)")
        self.efsm("test", self.inres, "--goal", "t8", "--system", silent, "--quiet-seconds", "0.2", "--answer-seconds", "60", "-o", "s.h5", code=1)
        (self.folder / "system.py").unlink()
        for name, verdict in (("p.h5", "pass"), ("q.h5", "trouble"), ("s.h5", "fail")):
            self.assertTrue(self.replay(name)["equal"], name)
            self.assertEqual([r["verdict"] for r in json.loads(self.corridor("show", name, "tests", "--json").stdout)["sheets"]["tests"]["rows"]], [verdict])

    def test_what_a_program_says_is_recorded_and_replayed_without_it(self):
        text = (SYSTEMS / "inres.py").read_text().replace('return {"out": outputs} if outputs else {"quiet": True}', 'return {"out": outputs} if outputs else None')
        text = text.replace('    print(json.dumps({"id": asked["id"], **answer(asked)}), flush=True)', '    said = answer(asked)\n    if said:\n        print(json.dumps({"id": asked["id"], **said}), flush=True)')
        (self.folder / "silent.py").write_text(text)
        run = lambda *words, code=0: self.corridor("run", "e.json", "--progress", "none", *words, code=code).stderr
        for seconds in QUIET:
            self.remove("a.h5", "t")
            arms = [{"name": "silent", "system": {"command": e2e.shell(sys.executable, self.folder / "silent.py"), "quiet_seconds": seconds, "answer_seconds": 60}},
                    {"name": "dies", "system": {"command": self.program(bad_guests.SYSTEMS["says half a line and dies"][0]), "answer_seconds": 60}}]
            (self.folder / "e.json").write_text(json.dumps({"efsm": str(self.inres), "goal": "t5", "runs": 2, "arms": arms}))
            run("-o", "a.h5", "--record-traffic", "t")
            if {row["verdict"] for row in self.table("a.h5", "tests") if row["arm"] == "silent"} == {"pass"}:
                break
        lines = (self.folder / "t").read_text().splitlines()
        self.assertIn("quiet", [line.rpartition(" ")[2] for line in lines])
        (self.folder / "silent.py").unlink()
        (self.folder / "system.py").unlink()
        run("-o", "b.h5", "--replay-traffic", "t")
        self.assertEqual([(r["verdict"], r["timeouts"] > 0) for r in self.table("b.h5", "tests")], [("pass", True)] * 2 + [("trouble", False)] * 2)
        self.assert_same_bytes("a.h5", "b.h5")
        at = next(i for i, line in enumerate(lines) if '"reset":true' in line)
        (self.folder / "t").write_text("\n".join([*lines[:at], lines[at].replace("true", "1"), *lines[at + 1:]]) + "\n")
        said = run("-o", "c.h5", "--replay-traffic", "t", code=3)
        self.assertIn(f"t:{at + 1}: the record has", said)
        self.assertIn('"reset":true', said)

    def test_the_record_of_a_program_that_was_reset_replays(self):
        shutil.copy(MODELS / "counter3.json", self.folder)
        system = self.program(f"""
            import random
            model, rng = json.load(open({str(self.folder / 'counter3.json')!r})), random.Random(1)
            params = {{i["label"]: i["params"] for i in model["inputs"]}}

            def after(t, known):
                python = lambda text: text.replace("&&", "and").replace("true", "True")
                if t["src"] != at or t["input"] != asked["in"] or not eval(python(t["guard"]), {{}}, known):
                    return None
                found = {{**values, **{{n: eval(python(e), {{}}, known) for n, e in t["update"].items()}}}}
                return found if all(0 <= v <= 25 for v in found.values()) else None

            while True:
                asked = ask()
                if "bye" in asked:
                    sys.exit(0)
                if "hello" in asked:
                    say(id=asked["id"], protocol=1, name="counter")
                elif "reset" in asked:
                    at, values = model["initial"], {{v["name"]: v["init"] for v in model["vars"] if v["kind"] == "state"}}
                    say(id=asked["id"], ready=True)
                else:
                    known = {{**values, **dict(zip(params[asked["in"]], asked["args"]))}}
                    able = [(t, after(t, known)) for t in model["transitions"] if after(t, known)]
                    if able:
                        t, values = rng.choice(able)
                        at = t["dst"]
                        say(id=asked["id"], out=[[o["label"], []] for o in t["outputs"]])
                    else:
                        say(id=asked["id"], quiet=True)
            """)
        self.efsm("test", MODELS / "counter3.json", "--goal", "trap_t3", "--planner", "search", "--system", system, "--answer-seconds", "60", "--resets", "30", "--moves", "300", "-o", "l.h5")
        (self.folder / "system.py").unlink()
        row = json.loads(self.corridor("show", "l.h5", "tests", "--json").stdout)["sheets"]["tests"]["rows"][0]
        self.assertGreater(row["resets"], 0, row)
        self.assertTrue(self.replay("l.h5")["equal"])

    def test_the_paper_s_planner_weighs_as_many_candidates_as_it_is_told(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed")
        counts = {}
        for most in (0, 1, 2):
            self.efsm("test", MODELS / "counter3.json", "--goal", "trap_t3", "--planner", "paper", "--optimise", str(most), "-o", f"{most}.h5")
            with h5py.File(self.folder / f"{most}.h5") as file:
                counts[most] = list(map(int, file["moves/candidates"][:]))
            self.assertTrue(self.replay(f"{most}.h5")["equal"])
        self.assertEqual(counts[1], [min(n, 1) for n in counts[0]])
        self.assertEqual(counts[2], [min(n, 2) for n in counts[0]])
        self.assertGreater(max(counts[0]), 2)

    def replay(self, *arguments, code=0):
        return json.loads(self.corridor("replay", *arguments, "--json", code=code).stdout)

    def test_a_campaign_of_a_program_that_is_interrupted_goes_on_and_not_with_another_program(self):
        shutil.copy(SYSTEMS / "inres.py", self.folder / "inres.py")
        command = f"{e2e.shell(sys.executable)} inres.py"
        (self.folder / "e.json").write_text(json.dumps({"efsm": str(MODELS / "inres_initiator.json"), "goal": "t8", "runs": 6, "moves": 400, "arms": [
            {"name": "A", "system": {"command": command}}, {"name": "B", "planner": "random", "system": {"command": command}}]}))
        self.cut("e.json")
        self.corridor("run", "e.json", "-o", "whole.h5", "--jobs", 2, "--progress", "none")
        changed = (self.folder / "inres.py").read_text()
        (self.folder / "inres.py").write_text(changed + "\n")
        self.assertIn("cut.h5", self.corridor("run", "e.json", "-o", "cut.h5", "--jobs", 1, "--progress", "none", code=4).stderr)
        (self.folder / "inres.py").write_text(changed)
        self.corridor("run", "e.json", "-o", "cut.h5", "--jobs", 1, "--progress", "none")
        self.assert_same_bytes("cut.h5", "whole.h5")
        text = next(json.loads(line)["text"] for line in self.corridor("export", "cut.h5", "--table", "head", "--json").stdout.splitlines()
                    if json.loads(line)["name"] == "provenance")
        self.assertEqual([row["file"] for row in json.loads(text)["systems"]][-1], "inres.py")
        self.assertIs(json.loads(text)["foreign_systems"], True)

    def test_a_system_has_as_much_memory_as_an_algorithm_or_as_is_said(self):
        (self.folder / "large.py").write_text("room = bytes(3 << 29)\n" + (SYSTEMS / "inres.py").read_text())
        large = f"{e2e.shell(sys.executable)} large.py"
        words = ("efsm", "test", MODELS / "inres_initiator.json", "--goal", "t8", "--system", large)
        self.assertIn("the system died at move 0", self.corridor(*words, code=7).stdout)
        self.corridor(*words, "--memory-bytes", 1 << 30)
        self.corridor(*words, "--isolate", "never")

    def test_why_a_system_is_no_use_is_told_and_kept(self):
        greets = "import json, sys\nfor n in (1, 2):\n    sys.stdin.readline()\n    print(json.dumps({'id': n, **[{'protocol': 1, 'name': 'x'}, {'ready': True}][n - 1]}), flush=True)\n"
        for number, (text, verb, move, said) in enumerate((
                ("import sys\nsys.exit('no' * 2000 + ' wheel')", "died", 0, r"its process ended by itself with exit code 1; it last said: \.\..*no wheel"),
                (greets + "sys.stdin.readline()\nraise KeyError('wheel')", "died", 1, r"exit code 1; it last said: .*KeyError: 'wheel'"),
                (greets.replace("'ready': True", "'reddy': 1"), "spoke nonsense", 0, r".*reddy"))):
            (self.folder / f"bad{number}.py").write_text(text)
            words = ("test", MODELS / "inres_initiator.json", "--goal", "t8", "--system", f"{e2e.shell(sys.executable)} bad{number}.py", "-o", f"bad{number}.h5")
            self.assertRegex(self.corridor("efsm", *words, code=7).stdout, rf"the system {verb} at move {move}: .*{said}")
            again = self.corridor("replay", f"bad{number}.h5", "--json")
            self.assertTrue(json.loads(again.stdout)["equal"])
            self.assertIn(f"programs are not started: their answers stand in bad{number}.h5", again.stderr)
            rows = self.corridor("export", f"bad{number}.h5", "--table", "troubles").stdout.splitlines()
            self.assertRegex(rows[1], rf"^search,0,{move},0,\d+$")

    def test_planners_systems_and_mutants_replay_by_name(self):
        (self.folder / "w.json").write_text('{"ack": 3, "loss": 1}')
        link, number = MODELS / "lossy_link.json", 0
        for goal, more in (("all-transitions", ("--planner", "random")), ("fin", ("--planner", "antiant", "--system", "adversary", "--moves", "40")),
                           ("fin", ("--reading", "expected", "--system", "w.json")), ("fin", ("--system", "fair", "--possible-states")), ("fin", ("--planner", "paper", "--moves", "60"))):
            self.efsm("test", link, "--goal", goal, "--runs", "2", "-o", f"n{number}.h5", *more, code=None)
            (self.folder / "w.json").unlink(missing_ok=True) if "w.json" in more else None  # the file has them
            again = self.corridor("replay", f"n{number}.h5", "--json")
            self.assertTrue(json.loads(again.stdout)["equal"], more)
            self.assertEqual(again.stderr, "")
            number += 1
        self.efsm("mutants", MODELS / "escape.json", "--runs", "1", "--moves", "20", "-o", "m.h5")
        self.assertGreater(self.replay("m.h5")["suites"], 100)

    def test_a_replay_names_the_first_difference_with_its_column(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed")
        self.efsm("test", self.inres, "--goal", "t8", "--runs", "3", "-o", "r.h5")
        with h5py.File(self.folder / "r.h5", "r+") as file:
            moves = file["moves"]
            row = [i for i, suite in enumerate(moves["suite"]) if suite == 1][2]
            moves["transition"][row] += 1
            file["tests"]["planned"][2] += 1
        self.assertIn("--unsealed", self.corridor("replay", "r.h5", code=3).stderr)
        found = self.replay("r.h5", "--unsealed", code=1)
        self.assertEqual((found["equal"], found["suites"], found["different"]), (False, 3, 2))
        first, second = found["sheets"]["differences"]["rows"]
        self.assertEqual([first[k] for k in ("arm", "suite", "table", "row", "column")], ["search", 1, "moves", 3, "transition"])
        self.assertEqual(int(first["stored"]), int(first["now"]) + 1)
        self.assertEqual([second[k] for k in ("suite", "table", "row", "column")], [2, "tests", 1, "planned"])
        self.assertEqual(int(second["stored"]), int(second["now"]) + 1)
        self.assertTrue(self.replay("r.h5", "--unsealed", "--failure", "search/0")["equal"])

    def test_misuse_of_replay_is_said_exactly(self):
        self.efsm("test", self.inres, "--goal", "t8", "-o", "r.h5")
        system = e2e.shell(sys.executable, SYSTEMS / "inres.py")
        (self.folder / "e.json").write_text(json.dumps({"efsm": str(self.inres), "goal": "t8", "brief": True, "arms": [{"name": "b", "system": {"command": system, "answer_seconds": 60}}]}))
        self.corridor("run", "e.json", "-o", "b.h5", "--progress", "none")
        (self.folder / "u.json").write_text("{}")
        for arguments, code, said in (
                ((), 2, "needs one result file"),
                (("none.h5",), 4, "none.h5"),
                (("u.json",), 3, "u.json"),
                (("r.h5", "--failure", "search"), 3, '"search" is no ARM/SUITE/SEQUENCE/CASE\n  corridor failures lists them; ARM/0 is suite 0 of an arm'),
                (("r.h5", "--failure", "search/x"), 3, '"search/x" is no ARM/SUITE'),
                (("r.h5", "--failure", "serach/0"), 3, 'there is no arm "serach"\n  did you mean "search"?'),
                (("r.h5", "--failure", "search/9"), 3, 'there is no suite 9 of "search" in the file'),
                (("r.h5", "--failure", "search/0", "-o", "t.json"), 2, "--output has no meaning with tests of a model"),
                (("b.h5",), 3, "of what a program said in test 0 there are only 0 of 8 moves")):
            with self.subTest(arguments):
                self.assertIn(said, self.corridor("replay", *arguments, code=code).stderr)

    def test_an_experiment_runs_as_a_campaign(self):
        (self.folder / "e.json").write_text(json.dumps({"efsm": str(self.inres), "goal": "t8", "runs": 2, "arms": [
            {"name": "a", "system": "fair"}, {"name": "b", "planner": "random", "system": {"frequencies": {"t7": 0.5}}}, {"name": "c", "mutant": "t7.missing"}]}))
        self.corridor("run", "e.json", "-o", "e.h5", "--progress", "none")
        rows = json.loads(self.corridor("show", "e.h5", "tests", "--json").stdout)["sheets"]["arms"]["rows"]
        self.assertEqual([(r["arm"], r["tests"]) for r in rows], [("a", 2), ("b", 2), ("c", 2)])
        self.assertEqual(rows[2]["fail"], 2)
        self.assertIn("failures=\"2\"", self.corridor("export", "e.h5", "--format", "junit").stdout)

    def test_verdicts_have_the_forms_of_junit_and_tap(self):
        tap = self.efsm("test", self.inres, "--goal", "t8", "--mutant", "t7.missing", "--tap", code=1).stdout
        self.assertIn('not ok 1 - t7.missing by search test 0\n  ---\n  verdict: "fail"\n  moves: 4\n', tap)
        self.assertRegex(tap, r"at sending, input AK\(0\) gave nothing; allowed: DT\(1, [01]\) \[t7\]")
        junit = self.efsm("test", self.inres, "--goal", "t8", "--junit").stdout
        self.assertIn('tests="1" failures="0" errors="0" skipped="0"', junit)

    def test_what_the_system_can_prevent_is_said_so(self):
        said = self.efsm("test", MODELS / "lossy_link.json", "--goal", "fin", "--system", "adversary", "--reading", "forced", code=7).stdout
        self.assertIn("0 of 1 traps; proven: the system can prevent the others", said)

    def test_transitions_that_the_goal_needs_are_told_from_those_that_it_does_not(self):
        ids = [t["id"] for t in json.loads(self.inres.read_text())["transitions"]]
        unasked = "the goal does not ask for it"
        for goal, asked in (("transition-pairs", set(ids)), ("all-transitions", set(ids)), ("trap_t8", {"t8"}), ("t8", {"t8"})):
            for row in self.sheets(self.inres, "--goal", goal, "--moves", "3")["transitions"]:
                wanted = None if row["moves"] > 0 else "not reached within the moves of the test" if row["transition"] in asked else unasked
                self.assertEqual(row["why_not"], wanted, (goal, row))

    def test_a_lost_goal_is_lost_or_begun_again_and_an_impossible_one_unreachable(self):
        model = json.loads((MODELS / "lossy_link.json").read_text())
        model["transitions"][0]["guard"] = "false"
        (self.folder / "shut.json").write_text(json.dumps({k: v for k, v in model.items() if k != "goals"}))
        self.assertEqual(self.sheets("shut.json", "--goal", "fin")["tests"][0]["verdict"], "unreachable")
        escape = MODELS / "escape.json"
        found = {self.sheets(escape, "--goal", "win", "--planner", "random", "--seed", str(s))["tests"][0]["verdict"] for s in range(3)}
        self.assertLessEqual(found, {"pass", "lost", "inconclusive"})

    def test_rivals_that_answer_alike_are_refused_unless_sets_of_states_are_planned_over(self):
        model = json.loads((MODELS / "lossy_link.json").read_text())
        for t in model["transitions"]:
            if t["id"] == "loss":
                t["outputs"] = [{"label": "ACK", "args": []}]
        (self.folder / "blurred.json").write_text(json.dumps(model))
        refused = self.efsm("test", "blurred.json", "--goal", "open", code=3).stderr
        self.assertIn('rivals "ack" and "loss" answer alike: no output tells where the system is', refused)
        found = self.sheets("blurred.json", "--goal", "fin", "--possible-states", "--moves", "60")
        self.assertGreater(found["tests"][0]["possible"], 1)
        self.check_moves(Judge(self.folder / "blurred.json"), found["moves"], found["tests"][0]["verdict"])

    def test_a_planner_over_sets_of_states_says_how_far_it_is_and_can_be_stopped(self):
        transitions = [("ox", "a", "ONE", "x < 40", {"x": "x + 1"}, "OK"), ("oy", "a", "ONE", "y < 60", {"y": "y + 1"}, "OK"),
                       ("tx", "a", "TWO", "x < 40", {"x": "x + 1"}, "OK"), ("ty", "a", "TWO", "y > 0", {"y": "y - 1"}, "OK"),
                       ("back", "a", "BACK", "x > 0", {"x": "x - 1"}, "OK"), ("end", "b", "END", "x == 40 && y == 60", {}, "DONE")]
        model = {"format": "efsm-json/1", "name": "wide", "locations": ["a", "b"], "initial": "a",
                 "vars": [{"name": "x", "kind": "state", "lo": 0, "hi": 40, "init": 0}, {"name": "y", "kind": "state", "lo": 0, "hi": 60, "init": 0}],
                 "inputs": [{"label": label, "params": []} for label in ("ONE", "TWO", "BACK", "END")],
                 "outputs": [{"label": label, "params": []} for label in ("OK", "DONE")],
                 "transitions": [{"id": name, "src": "a", "dst": to, "input": given, "guard": guard, "update": update, "outputs": [{"label": said, "args": []}]}
                                 for name, to, given, guard, update, said in transitions]}
        (self.folder / "wide.json").write_text(json.dumps(model))
        (self.folder / "e.json").write_text(json.dumps({"efsm": "wide.json", "goal": "end", "possible_states": True, "states": 100000000,
                                                        "arms": [{"name": "A", "planner": "search"}]}))
        process = self.begin("run", "e.json", "-o", "e.h5", "--progress", "plain", "--jobs", "1")
        said = process.stderr.readline()
        self.assertRegex(said, r"^ *\d+ s: 0/1 suites, 0 cases, 0 failures, about \d+ (s|min) left$")
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        self.assertEqual(process.wait(), 5, said)
        self.assertNotIn("discarded", said)  # it left by itself: it was not ended for not answering

    def test_a_kill_matrix_tells_killed_alive_and_equivalent(self):
        path = MODELS / "phone_call_1.json"
        rows = list(csv.DictReader(io.StringIO(self.efsm("mutants", path, "--runs", "1", "--moves", "60", "--csv").stdout)))
        self.assertEqual({r["planner"] for r in rows}, {"search (hope)", "random (hope)", "antiant (hope)"})
        self.assertEqual(sum(r["difference"] == "equivalent" for r in rows), 15)
        for row in rows:
            self.assertTrue(row["state"] != "killed" or row["difference"] == "different", row)
            self.assertTrue(row["state"] != "killed" or float(row["moves"]) >= int(row["shortest"]), row)

    def test_several_models_are_scored_in_one_table(self):
        names = ("phone_call_1", "escape", "shopping_cart")
        paths = [MODELS / f"{name}.json" for name in names]
        sheets = json.loads(self.efsm("mutants", *paths, "--runs", "1", "--json").stdout)["sheets"]
        scores, kills = sheets["scores"]["rows"], sheets["kills"]["rows"]
        self.assertEqual([(r["model"], r["planner"]) for r in scores], [(n, f"{p} (hope)") for n in names for p in ("search", "random", "antiant")])
        for score in scores:
            rows = [r for r in kills if (r["model"], r["planner"]) == (score["model"], score["planner"])]
            killed = sorted(r["moves"] for r in rows if r["killed"])
            differing = [r for r in rows if r["difference"] != "equivalent"]
            self.assertEqual((score["mutants"], score["killed"], score["equivalent"]), (len(rows), len(killed), len(rows) - len(differing)))
            # of one test a mutant: the least number of moves by which half of them have failed
            median = killed[(len(differing) + 1) // 2 - 1] if differing and 2 * len(killed) >= len(differing) else None
            self.assertEqual((score["median"] or {"mean": None})["mean"], median, score)
            if median is not None:
                self.assertLessEqual(score["median"]["low"], median)
                self.assertGreaterEqual(score["median"]["high"] or median, median)
        for more in ("--list",), ("-o", "m.h5"):
            self.assertIn("-o and --list take one model", self.efsm("mutants", *paths, *more, code=2).stderr)

    def test_inputs_of_too_many_kinds_prove_nothing(self):
        model = {"format": "efsm-json/1", "name": "many", "locations": ["a", "b"], "initial": "a",
                 "vars": [{"name": "x", "kind": "state", "lo": 0, "hi": 9999, "init": 0}, {"name": "i", "kind": "param", "lo": 0, "hi": 9999}],
                 "inputs": [{"label": "SET", "params": ["i"]}, {"label": "ASK", "params": []}], "outputs": [{"label": "LOW", "params": []}, {"label": "HIGH", "params": []}],
                 "transitions": [{"id": "set", "src": "a", "dst": "b", "input": "SET", "guard": "i <= 9999", "update": {"x": "i"}, "outputs": []},
                                 {"id": "low", "src": "b", "dst": "b", "input": "ASK", "guard": "x < 7777", "update": {}, "outputs": [{"label": "LOW", "args": []}]},
                                 {"id": "high", "src": "b", "dst": "b", "input": "ASK", "guard": "x >= 7777", "update": {}, "outputs": [{"label": "HIGH", "args": []}]}]}
        (self.folder / "many.json").write_text(json.dumps(model))
        rows = list(csv.DictReader(io.StringIO(self.efsm("mutants", "many.json", "--planner", "random", "--alone", "--runs", "1", "--moves", "5", "--csv").stdout)))
        found = {row["mutant"]: row for row in rows}
        self.assertEqual({row["difference"] for row in rows}, {"different", "undecided"})  # 10,000 kinds are not all tried
        self.assertEqual({row["shortest"] for row in rows}, {""})
        self.assertEqual(found["set.guard.high+1"]["difference"], "undecided")  # though it is the same
        self.assertEqual(found["low.output.LOW=HIGH"]["difference"], "different")
        few = list(csv.DictReader(io.StringIO(self.efsm("mutants", "many.json", "--planner", "random", "--alone", "--runs", "1", "--moves", "5", "--compare-moves", "3", "--csv").stdout)))
        self.assertLessEqual(max(int(row["compared"]) for row in few), 4)

    def test_misuse_is_said_exactly(self):
        for arguments, code, said in (
                ((), 2, "corridor: needs one model"),
                ((self.inres,), 2, "corridor: needs --goal"),
                ((self.inres, "--goal", "t8", "--mutant", "t8.guard.lwo+1"), 3, 'there is no mutant "t8.guard.lwo+1"'),
                ((self.inres, "--goal", "t88"), 3, '"t88"'),
                ((self.inres, "--goal", "t8", "--mutant", "t7.missing", "--system", "true"), 3, "a program has no mutants of ours"),
                ((self.inres, "--goal", "t8", "--planner", "serach"), 2, "serach"),
                ((self.inres, "--goal", "t8", "--system", "none.json"), 4, "none.json: cannot open: No such file or directory"),
                ((self.inres, "--goal", "t8", "--possible-states", "--planner", "paper"), 3, '"paper" plans over states of the model, not over sets of possible states')):
            with self.subTest(arguments):
                self.assertIn(said, self.efsm("test", *arguments, code=code).stderr)


if __name__ == "__main__":
    e2e.main()
