#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The claim of paper 001 as make demo-system measures it, in figures: layouts, mutants, their equivalence. The same test inside, by a pipe and from what was
recorded; by one worker and by three. A button that moves, a door that shuts behind, a view that lags, a guard that never holds.

usage: test_ten_buttons.py CORRIDOR SOURCE VARIANTS"""
import csv
import json
import pathlib
import sys

SOURCE = pathlib.Path(sys.argv[2])
VARIANTS = int(sys.argv[3]) if len(sys.argv) > 3 else 10
sys.path[:0] = [str(SOURCE / "experiments/command/tests"), str(SOURCE / "experiments/library/systems")]
import e2e  # noqa: E402
import ten_buttons  # noqa: E402

ROOMS = SOURCE / "experiments/library/systems/rooms"
MOVED = SOURCE / "experiments/library/systems/tests/moved.py"
WAYS = {"east": (1, 0), "west": (-1, 0), "north": (0, -1), "south": (0, 1)}


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


class World:
    """A level again, by its text: a second, small implementation."""

    def __init__(self, path):
        links, cells = ten_buttons.read_level(path)
        self.links = {b: doors for b, *doors in (line.split(",") for line in links)}
        self.things = {cell.split("^")[1]: at for at, cell in cells.items() if "^" in cell}
        self.floor = {at for at, cell in cells.items() if cell != "w"}
        self.doors = {cell.split("^")[1] for cell in cells.values() if cell.startswith("f:d")}
        self.open, self.at = set(), self.things["t1"]

    def state(self):
        return self.at, frozenset(self.open)

    def do(self, command):
        if command["do"] == "move":
            to = tuple(a + b for a, b in zip(self.at, WAYS[command["to"]]))
            if to in self.floor and to not in {self.things[d] for d in self.doors - self.open}:
                self.at = to
        elif command["do"] == "press" and self.at == self.things[command["on"]]:
            self.open ^= set(self.links.get(command["on"], ()))

    def after(self, actions):
        for action in actions:
            self.do(action)
        return self

    def least(self, aims):
        """The fewest commands that do what the aims say in their order: press these buttons, be there in the end."""
        commands = [{"do": "move", "to": way} for way in WAYS] + [{"do": "press", "on": b} for b in self.links]
        edge, met, count = {(self.at, frozenset(), 0)}, set(), 0
        while edge:
            met |= edge
            if any(done == len(aims) for _, _, done in edge):
                return count
            found, count = set(), count + 1
            for at, is_open, done in edge:
                for command in commands:
                    self.at, self.open = at, set(is_open)
                    self.do(command)
                    aim = aims[done]
                    pressed = command.get("on") == aim and at == self.things[aim]
                    there = aim not in self.links and self.at == self.things[aim]
                    found.add((self.at, frozenset(self.open), done + (pressed or there)))
            edge = found - met
        return None


class TenButtons(e2e.Case):
    def tell(self, what, *options, code=0):
        (self.folder / "tests.json").write_text(json.dumps(what))
        return json.loads(self.corridor("system", "test", "tests.json", "--json", *options, code=code).stdout)["tests"]

    def test_layouts_and_mutants(self):
        demo = ten_buttons.Demo(e2e.BINARY, self.folder / "demo")
        self.assertEqual([test["verdict"] for test in demo.record()], ["pass"] * 4)
        for name, verdicts in demo.variants(VARIANTS).items():
            self.assertEqual(verdicts, ["fail" if name == "recording" else "pass"] * VARIANTS, name)
        arms, found = demo.mutants()
        self.assertEqual(len(arms), 99)
        killed = {name: {arm["name"] for arm in arms if found[name, arm["name"]]["verdict"] == "fail"} for name in demo.names}
        self.assertEqual({name: len(names) for name, names in killed.items()}, {"goals": 95, "random": 44, "least_done": 36, "recording": 85})
        # What nothing kills is what no test can: a hazard that moved is somewhere else, and no law says where it has to be.
        alive = {arm["name"] for arm in arms} - set.union(*killed.values())
        self.assertEqual(alive, {arm["name"] for arm in arms if arm["name"].startswith("hazard")})
        # A test agent that can only touch cannot tell these; one that sees all doors can.
        proven = {arm["name"] for arm in arms if "equivalent" in arm}
        self.assertEqual(proven, {"link b9-d4 removed", "link b9-d1 added", "link b9-d2 added", "link b9-d4 to d1", "link b9-d4 to d2"})
        self.assertLessEqual(proven, killed["goals"])
        scores = self.corridor("show", demo.folder / "mutants.h5", "goals", "--sheet", "scores").stdout
        self.assertEqual([row["killed"] for row in rows_of(scores)], ["95", "44", "36", "85"])

    def test_what_of_the_test_kills(self):
        demo = ten_buttons.Demo(e2e.BINARY, self.folder / "demo")
        self.assertEqual(demo.ablation(), {"goals alone": 12, "with behind": 22, "laws": 87, "both": 95})

    def test_variants_differ_and_keep_their_things(self):
        level = ROOMS / "ten_buttons.csv"
        links, cells = ten_buttons.read_level(level)
        texts = {ten_buttons.draw_level(level, seed) for seed in range(1, 101)}
        self.assertEqual(len(texts), 100)
        for text in texts:
            (self.folder / "variant.csv").write_text(text)
            other_links, other = ten_buttons.read_level(self.folder / "variant.csv")
            self.assertEqual(links, other_links)
            names = [sorted(cell.split("^")[1] for cell in of.values() if "^" in cell) for of in (cells, other)]
            self.assertEqual(*names)
            rooms = [sorted(sorted(room) for room in ten_buttons.rooms_of(of)[0]) for of in (cells, other)]
            self.assertEqual(*rooms)

    def test_inside_by_a_pipe_and_from_what_was_recorded_by_one_worker_and_three(self):
        what = json.loads((SOURCE / "experiments/library/systems/ten_buttons.json").read_text())
        what["system"]["rooms"] = (ROOMS / "ten_buttons.csv").read_text()  # walls around programs: it reads no other file
        what["runs"] = 3
        (self.folder / "inside.json").write_text(json.dumps(what))
        what["system"] = {"program": [str(e2e.BINARY), "system", "world", "inside.json"]}
        (self.folder / "pipe.json").write_text(json.dumps(what))
        runs = {"inside": ("inside.json", "-j1"), "three": ("inside.json", "-j3"), "pipe": ("pipe.json", "-j1"), "pipes": ("pipe.json", "-j3"),
                "recorded": ("pipe.json", "-j1", "--record-traffic", "traffic"), "replayed": ("pipe.json", "-j1", "--replay-traffic", "traffic")}
        hashes, rows = {}, {}
        for name, words in runs.items():
            self.corridor("run", *words, "-o", f"{name}.h5", "--isolate", "never", code=None)
            hashes[name] = self.corridor("show", f"{name}.h5", "--hash").stdout
            self.corridor("export", f"{name}.h5", "--all", f"{name}.folder")
            # The head has the experiment, and arms say of what kind their world is.
            rows[name] = {str(file.relative_to(self.folder / f"{name}.folder")): file.read_bytes() for file in (self.folder / f"{name}.folder").rglob("*.csv")
                          if file.name not in ("head.csv", "arm.csv")}
        self.assertGreater(len(rows["inside"]["cycles.csv"].splitlines()), 6000)
        self.assertEqual(hashes["inside"], hashes["three"])
        self.assertEqual({hashes[name] for name in ("pipe", "pipes", "recorded", "replayed")}, {hashes["pipe"]})
        for name in runs:
            self.assertEqual(rows[name], rows["inside"], name)

    def seq(self, *goals, rooms="shut_behind.csv", **more):
        return {"system": {"rooms": str(ROOMS / rooms)}, "seed": "0x1", "tests": [{"name": "it", "cycles": 500, "agents": [{"name": "t1", "goal": {"seq": goals}}]}], **more}

    def test_a_door_that_shuts_behind_and_a_view_that_lags(self):
        # b2, behind d1, shuts it, and opens d2: there is no way back, and none is needed.
        goals = ({"reach": "b1", "do": "press"}, {"reach": "b2", "do": "press"}, {"reach": "key"})
        least = World(ROOMS / "shut_behind.csv").least(["b1", "b2", "key"])
        self.assertEqual(least, 12)
        for lag in (0, 1, 3):
            for test in self.tell(self.seq(*goals, examples={"view": [2, 4, 1000], "lag": [lag]})):
                acted = [action for action in test["agents"][0]["actions"] if action["do"] != "wait"]
                self.assertEqual((test["verdict"], len(acted)), ("pass", least), test["name"])
                world = World(ROOMS / "shut_behind.csv").after(acted)
                self.assertEqual((world.at, world.open), (world.things["key"], {"d2"}))
        # Back to b1, which is shut off now: what b2 did it does again.
        test, = self.tell(self.seq(*goals[:2], {"reach": "b1", "among": "button"}))
        actions = test["agents"][0]["actions"]
        self.assertEqual((test["verdict"], [a["on"] for a in actions if a["do"] == "press"]), ("pass", ["b1", "b2", "b2"]))
        self.assertEqual(len(actions), World(ROOMS / "shut_behind.csv").least(["b1", "b2", "b2", "b1"]) - 1, "all but the last press")

    def test_a_guard_that_never_holds_is_said(self):
        what = self.seq({"reach": "b1"}, {"goal": "d2.open", "tactic": {"action": "press(b1)", "when": "d1.open and t1.x > 3"}})
        what["tests"][0]["cycles"] = 9
        test, = self.tell(what, code=7)
        self.assertEqual((test["verdict"], test["why"]), ("inconclusive", "t1 is stalled after 9 cycles: d1.open and t1.x > 3"))
        self.assertEqual((test["agents"][0]["status"], test["agents"][0]["why"]), ("stalled", "d1.open and t1.x > 3"))

    def test_a_button_that_moved(self):
        what = {"system": {"program": [sys.executable, str(MOVED)]}, "seed": "0x1",
                "tests": [{"name": "it", "cycles": 100, "agents": [{"name": "t", "goal": {"reach": "b1", "do": "press", "assert": "b1.on"}}]}]}
        test, = self.tell(what, "--isolate", "never")
        east = {"do": "move", "to": "east"}
        self.assertEqual((test["verdict"], test["agents"][0]["actions"]), ("pass", [east] * 8 + [{"do": "press", "on": "b1"}]))
        # One that is nowhere is neither reached, nor proven to be out of reach.
        what["system"]["program"].append("gone")
        test, = self.tell(what, "--isolate", "never", code=1)
        self.assertEqual((test["verdict"], test["agents"][0]["actions"][:6]), ("fail", [east] * 6))
        self.assertRegex(test["agents"][0]["why"], '^not found: "b1" is not where it was seen last, and all that can be reached was seen; tried: ')

    def test_a_button_opens_the_way_to_a_button(self):
        (self.folder / "level.csv").write_text("b1,d1\n|f:b^b1,f:a^t1,f:d>e^d1,f:b^b2\n")
        test, = self.tell(self.seq({"reach": "b2"}, rooms=self.folder / "level.csv"))
        self.assertIn({"do": "press", "on": "b1"}, test["agents"][0]["actions"])
        self.assertEqual(test["verdict"], "pass")

    def test_models_are_compared(self):
        arms = [{"name": "a"}, {"name": "b", "mutant": "link b1-d1 removed"}]
        (self.folder / "tests.json").write_text(json.dumps(self.seq({"reach": "key"}, arms=arms)))
        for name in "ab":
            self.corridor("system", "model", "tests.json", "--arm", name, "-o", f"{name}.json")
        same = rows_of(self.corridor("efsm", "compare", "a.json", "a.json", "--csv").stdout)
        self.assertEqual([row["is"] for row in same], ["equivalent", "equivalent"])
        told = rows_of(self.corridor("efsm", "compare", "a.json", "b.json", "--csv", code=1).stdout)
        self.assertEqual([(row["is"], row["inputs"], row["is_shortest"]) for row in told], [("different", "press_b1", "true")] * 2)
        self.assertIn("shown_d1(1)", told[0]["answer"])
        self.corridor("efsm", "compare", "a.json", "a.json", "--moves", 1, code=7)
        lamp = SOURCE / "experiments/library/efsm/traffic_light.json"
        self.assertIn("variable 1 is", self.corridor("efsm", "compare", "a.json", lamp, code=3).stderr)
        mutants = self.corridor("system", "world", "tests.json", "--mutants").stdout.splitlines()
        self.assertEqual(len(mutants), len(set(mutants)))
        self.assertIn("link b1-d1 removed", mutants)
        self.assertIn("the level has no mutant", self.corridor("system", "world", "tests.json", "--mutant", "link", code=3).stderr)


if __name__ == "__main__":
    e2e.main()
