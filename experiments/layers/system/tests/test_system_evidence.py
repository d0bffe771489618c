#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be made of tests of a running system afterwards, as a user does: executed again, also without the program.

usage: test_system_evidence.py CORRIDOR SOURCE"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

LEVEL = """b1,d1
b2,d2
|w,w,w,w,w,w,w,w
w,f:a^t,f,f:b^b1,w,f,f:g^key,w
w,f,f,f,f:d>e^d1,f,f,w
w,f:b^b2,f,f,w,f,f:d>e^d2,w
w,w,w,w,w,w,w,w
"""
PRESS_AND_CHECK = {"seq": [{"reach": "b1", "do": "press"}, {"assert": "not d1.open"}]}


class Evidence(e2e.Case):
    def write(self, name, what):
        (self.folder / name).write_text(what if isinstance(what, str) else json.dumps(what))
        return name

    def setUp(self):
        super().setUp()
        self.write("level.csv", LEVEL)

    def made(self, what, *options, code=0, name="tests.json", result="r.h5"):
        self.corridor("run", self.write(name, what), "-o", result, "--force", "--jobs", 1, "--progress", "none", *options, code=code)
        return result

    def test_a_program_is_replaced_by_what_it_said(self):
        self.write("world.json", {"system": {"rooms": "level.csv"}, "tests": [{"name": "none", "agents": [{"name": "t", "goal": "success"}]}]})
        result = self.made({"system": {"program": [str(e2e.BINARY), "system", "world", str(self.folder / "world.json")]},
                            "tests": [{"name": "walk", "cycles": 50, "agents": [{"name": "t", "goal": PRESS_AND_CHECK}]}]}, "--record-traffic", "said.txt")
        said = self.corridor("replay", result, code=3).stderr
        self.assertIn("with --trust it is started", said)
        self.corridor("replay", result, "--trust")
        (self.folder / "world.json").unlink()
        self.corridor("replay", result, "--trust", code=None)
        for options in ((), ("--failure", "system/0")):
            again = json.loads(self.corridor("replay", result, "--replay-traffic", "said.txt", "--json", *options).stdout)
            self.assertEqual((again["equal"], again["suites"]), (True, 1))
        recorded = (self.folder / "said.txt").read_text()
        for change in (('"open":true', '"open":false'), ('"hp":10', '"hp":9')):
            self.write("other.txt", recorded.replace(*change))
            again = json.loads(self.corridor("replay", result, "--replay-traffic", "other.txt", "--json", code=1).stdout)
            self.assertEqual((again["equal"], again["flaky"]), (False, 0))
        self.write("other.txt", recorded.replace('"on":"b1"', '"on":"b2"'))
        said = self.corridor("replay", result, "--replay-traffic", "other.txt", code=3).stderr
        self.assertIn("the record has", said)
        said = self.corridor("replay", result, "--replay-traffic", "none.txt", code=4).stderr
        self.assertIn("none.txt", said)

    def test_a_program_that_chooses_is_not_started_from_a_stranger_s_file(self):
        self.write("choose.py", 'import json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n    open("started", "w").close()\n'
                                '    print(json.dumps({"id": asked["id"], "policy": "p", "version": "1"} if "hello" in asked else {"id": asked["id"], "picked": 0}), flush=True)\n')
        result = self.made({"system": {"rooms": "level.csv"}, "arms": [{"name": "mine", "policy": {"program": f"{sys.executable} choose.py"}}],
                            "tests": [{"name": "walk", "cycles": 9, "agents": [{"name": "t", "goal": PRESS_AND_CHECK}]}]}, code=None)
        said = self.corridor("replay", result, code=3).stderr
        self.assertIn("the file names a program, and nothing was started", said)


if __name__ == "__main__":
    e2e.main()
