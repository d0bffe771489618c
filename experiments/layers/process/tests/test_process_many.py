#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of many processes: a token ring of 100 under each generator, gossip among 200 in Python; the same by any number of workers, replayed, shrunk,
told; partitions by a number, as a file has them; what cannot be is refused.

usage: test_process_many.py CORRIDOR SOURCE MODULES"""
import json
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

LIBRARY = pathlib.Path(sys.argv[2]) / "experiments/library/processes"
GENERATORS = ["timed", "random", "burst", "swarm", "pct", "rounds", "search"]
GOSSIP = """
import corridor_process as corridor


class Gossip(corridor.Process):
    name = "gossip"
    attributes = {"knows": ["no", "yes"], "heard": int}
    messages = {"rumour": "the receiver knows it"}
    alarms = {"tell": "three others are told"}
    faults = {"tires": "who heard it thrice forgets it"}

    def start(self, stored):
        self.knows, self.told, self.heard = "no", 0, 0
        if self.me == 0:
            self.learn()

    def learn(self):
        self.knows = "yes"
        self.set_alarm(0, 20)

    def alarm(self, which):
        self.told += 1
        for other in range(3):
            self.send(self.random.randrange(self.count), "rumour", None)
        if self.told < 5:
            self.set_alarm(0, 20)

    def receive(self, sender, kind, value):
        self.heard += 1
        if self.fault == "tires" and self.heard == 3:
            self.knows = "no"
        elif self.knows == "no":
            self.learn()

    def observe(self):
        return {"knows": self.knows, "heard": self.heard}


corridor.run(Gossip)
"""


def ring(**more):
    weather = {"delay": [1, 20], "lose": 0.05, "part": 0.5, "crash": 0.01, "pause": 0.01, "duplicate": 0.1, "cut": 0.0001}
    comes = {**weather, "join": 0.5, "leave": 0.001}
    faults = ["lose", "duplicate", "crash", "part", "pause", "cut"]
    return {"process": {"program": str(e2e.MODULES / "token_ring_c.so"), "count": 100, "network": "any"}, "seed": 5, "suites": 2, "sequences": 7,
            "cases": 10, "case": 1000, "events": 20000, "corridor": str(LIBRARY / "token_ring.corridor"), "generators": GENERATORS,
            "arms": {"sound": {"faults": faults, "environment": {"states": {"s": weather}}},
                     "forgets": {"fault": "forgets", "most": 120, "faults": [*faults, "join", "leave"], "environment": {"states": {"s": comes}}}}, **more}


class ProcessMany(e2e.Case):
    def put(self, name, what):
        (self.folder / name).write_text(what if isinstance(what, str) else json.dumps(what))

    def test_a_ring_of_100(self):
        self.put("r.json", ring(log="events"))
        for jobs in "1", "2":
            said = self.corridor("run", "r.json", "-o", f"r{jobs}.h5", "--jobs", jobs, code=None).stdout
            self.assertIn("sound: no violation in 14 schedules", said)
        self.assert_same_bytes("r1.h5", "r2.h5")
        self.corridor("shrink", "r1.h5", "--failure", "forgets/0/0", "-o", "t.json", "--trust", code=None)
        kept = json.loads((self.folder / "t.json").read_text())
        self.assertLess(len(kept["schedule"]), 10)
        self.corridor("replay", "t.json", "--trust")
        said = " ".join(self.corridor("replay", "t.json", "--trace", "--trust", code=None).stdout.split())
        self.assertIn("forward is violated", said)

    def test_gossip_among_200(self):
        shutil.copy(LIBRARY / "corridor_process.py", self.folder)
        self.put("gossip.py", GOSSIP)
        self.put("g.json", {
            "process": {"program": "/usr/bin/python3 gossip.py", "count": 200, "network": "any"}, "seed": 5, "suites": 1, "sequences": 1, "cases": 5,
            "case": 100, "events": 4000, "faults": ["lose", "part", "crash"],
            "corridor": ["structure observed", "attribute knows: words no, yes", "attribute heard: integer",
                         "invariant kept: all(a in agents: a.knows@before == 'yes' implies a.knows == 'yes')"],
            "environment": {"states": {"s": {"delay": [1, 20], "lose": 0.05, "part": 0.5}}},
            "arms": {"sound": {}, "tires": {"fault": "tires"}}})
        said = self.corridor("run", "g.json", "-o", "g.h5", code=None).stdout
        self.assertIn("sound: no violation in 1 schedule", said)
        self.assertIn("kept: For agent", said)
        self.corridor("replay", "g.h5", "--failure", "tires/0/0", "--trust")

    def test_partitions_by_number(self):
        def test(*events, count=100):
            what = ring(process_test={"suite": 0, "sequence": 0, "expected": "none"}, schedule=[*events, ["tick", 10000]])
            what["process"]["count"] = count
            what["arms"] = {"sound": what["arms"]["sound"]}
            for key in "suites", "sequences":
                del what[key]
            self.put("p.json", what)
            return self.corridor("replay", "p.json", "--trace", "--trust", code=None)
        said = " ".join(test(["part", "alone", 7, 1], ["unite", 2], ["part", "halves", 5, 3], ["unite", 4], ["part", "bridge", 5, 5], ["unite", 6],
                             ["part", "ring", 5, 7]).stdout.split())
        self.assertIn("Process 7 is cut off from all others", said)
        self.assertEqual(said.count("; both reach"), 1)
        self.assertEqual(said.count("Processes "), 2)
        halves = said[said.index("Processes ") + 10:].split(".")[0].replace(" are cut off from ", ", ").split(", ")
        self.assertEqual(sorted(map(int, halves)), list(range(100)))
        self.assertIn("in the ring 0, ", said)
        for event, sentence, remedy in (
                (["part", [0], [1], 1], "/schedule/0/1: groups by their members are of 16 processes at most, and here are 100", '"halves" or "bridge"'),
                (["part", "alone", 100, 1], "/schedule/0/2: there is no process 100: they are 0 to 99", ""),
                (["part", "half", 1, 1], '/schedule/0/1: unknown partition "half"', "known: ring, alone, halves, bridge")):
            told = test(event).stderr
            self.assertIn(sentence, told)
            self.assertIn(remedy, told)
        self.assertIn('"bridge" of 2 processes cuts nobody off\n  three processes at least\n', test(["part", "bridge", 1, 1], count=2).stderr)
        self.assertIn("is cut off from 1; both reach 2", test(["part", "bridge", 0, 1], count=3).stdout)

    def test_stabilize_refuses_more_than_it_goes_through(self):
        for count, may in (17, "at most 16 may be asked where they send messages"), (65, "at most 16 may be asked where they send messages"):
            what = ring()
            what["process"]["count"] = count
            what["arms"] = {"sound": what["arms"]["sound"]}
            self.put("s.json", what)
            self.assertIn(f"sound: has {count} processes, and {may}\n", self.corridor("stabilize", "s.json", code=3).stderr)

    def test_a_module_of_before_is_of_16(self):
        built = (e2e.MODULES / "token_ring_c.so").read_bytes()
        head = struct.pack("<III", 0x314F5250, 1, 4)
        self.assertEqual(built.count(head), 1)
        (self.folder / "old.so").write_bytes(built.replace(head, struct.pack("<III", 0x314F5250, 1, 3)))
        what = ring()
        what["process"].update(program="./old.so", count=17)
        what["arms"] = {"sound": what["arms"]["sound"]}
        self.put("o.json", what)
        said = self.corridor("run", "o.json", "-o", "o.h5", code=None).stderr
        self.assertIn("was built for 16 processes at most, and here are 17", said)
        what["process"]["count"] = 16
        self.put("o.json", what)
        self.corridor("run", "o.json", "-o", "o.h5")


if __name__ == "__main__":
    e2e.main()
