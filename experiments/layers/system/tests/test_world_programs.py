#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_world_programs.py CORRIDOR: the example worlds of docs/look-up/world-programs.md run as the page says, the dialogue that it prints is what
they answer, and the worlds of levels are served."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
HERE = ROOT / "experiments" / "library" / "systems"
CORRIDOR = sys.argv[1]


def talk(command, *requests):
    said = "".join(json.dumps({"id": number, **request}) + "\n" for number, request in enumerate(requests, 1))
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.pop("id") for answer in answers] == list(range(1, len(answers) + 1)), done.stdout
    return answers


hello = {"hello": {"protocol": 1, "seed": "0x1", "setup": [], "agents": ["t"]}}
press = {"agent": "t", "do": "press"}
wait, look = {"agent": "t", "do": "wait"}, {"agent": "t", "do": "look"}

# The lift goes to the third floor in a tick for the doors, three for the floors, one for the doors.
answers = talk([sys.executable, HERE / "lift.py"], hello, {"reset": True}, {**press, "on": "b3"}, *[wait] * 4, look, {"bye": True})
cabins = [(answer["tick"], *(answer["entities"][0][key] for key in ("floor", "door"))) for answer in answers[1:]]
assert cabins == [(0, 0, "open"), (1, 0, "closed"), (2, 1, "closed"), (3, 2, "closed"), (4, 3, "closed"), (5, 3, "open"), (5, 3, "open")], cabins

answers = talk(["sh", HERE / "lamp.sh"], hello, {"reset": True}, press, look, press, wait, {"bye": True})
assert [(answer["tick"], answer["entities"][0]["on"]) for answer in answers[1:]] == \
    [(0, False), (1, True), (1, True), (2, False), (3, False)], answers

# The page says what a program is asked, and its lines are JSON.
page = (ROOT / "docs" / "look-up" / "world-programs.md").read_text()
lines = [line for line in page.replace("\n   \"", "\"").splitlines() if line[:2] in ("> ", "< ")]
assert [line[0] for line in lines] == list("><><><>"), lines
assert [json.loads(line[2:])["id"] for line in lines] == [1, 1, 2, 2, 3, 3, 4], lines

# A level of the library, by lines.
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "level.json")
    file.write_text(json.dumps({"system": {"rooms": str(HERE / "rooms" / "ten_buttons.csv"), "view": "all"}}))
    declared, view, moved, wrong = talk([CORRIDOR, "system", "world", file], {"hello": {"protocol": 1, "agents": ["t"]}},
                                        {"reset": True}, wait,
                                        {"agent": "t", "do": "fly"}, {"bye": True})
    assert declared["world"] == "rooms" and sum(entity["type"] == "button" for entity in view["entities"]) == 10, view
    assert moved["tick"] == view["tick"] + 1 and wrong == {"failed": "request: /do: the world has no action \"fly\""}, wrong
    file.write_text(json.dumps({"system": {"program": ["./world"]}}))
    done = subprocess.run([CORRIDOR, "system", "world", file], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 3 and "the world is a program, and speaks for itself" in done.stderr, done
