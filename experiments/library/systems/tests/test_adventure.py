#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bridge to Open Adventure speaks the dialogue of world programs: what it shows is held against the game's own words, as the game
prints them into a pipe. Skipped where Debian's package open-adventure is not there.

test_adventure.py FOLDER [GAME]
  GAME: another version, for the faults alone."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

GAME = "/usr/games/advent"


class Bridge:
    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen([sys.executable, "-B", folder / "adventure.py", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.number, self.lines, self.types = 0, [], None

    def ask(self, **request):
        self.number += 1
        self.process.stdin.write(json.dumps({"id": self.number, **request}) + "\n")
        self.process.stdin.flush()
        self.lines.append(self.process.stdout.readline())
        answer = json.loads(self.lines[-1])
        assert answer["id"] == self.number, answer
        if "tick" in answer:
            self.see(answer)
        return answer

    def begin(self, seed=1, **more):
        said = self.ask(hello={"protocol": 1, "seed": hex(seed), **more})
        self.types, self.version = said["types"], int(said["version"].split(".")[1])
        assert set(said["actions"]) == {"go", "take", "drop", "say", "answer", "wait", "look"}, said
        self.ask(reset=True)
        return self

    def see(self, answer):
        """A view keeps to what hello declared."""
        kinds = {"string": str, "bool": bool, "int": int}
        self.view = {entity["id"]: entity for entity in answer["entities"]}
        assert len(self.view) == len(answer["entities"]) and not set(answer["gone"]) & set(self.view), answer
        assert answer["all"] is False
        for entity in answer["entities"]:
            for name, value in entity.items():
                if name not in ("id", "type", "in"):
                    assert isinstance(value, kinds[self.types[entity["type"]][name]]), (name, entity)
            assert entity.get("in") is None or entity["in"] in self.view, entity
        self.tick = answer["tick"]

    @property
    def player(self):
        return self.view["player"]

    def do(self, name, **given):
        return self.ask(agent="t", do=name, **given)

    def objects(self, place):
        return {name for name, entity in self.view.items() if entity["type"] == "object" and
                (entity["carried"] if place == "player" else entity["in"] == place and not entity["carried"])}

    def end(self):
        """By bye; the exit code."""
        self.process.stdin.write('{"id":0,"bye":true}\n')
        self.process.stdin.close()
        return self.process.wait()


def children(number):
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == number:
                found.append(int(folder.name))
        except (OSError, IndexError):
            pass
    return found


def test_views(folder):
    world = Bridge(folder).begin()
    road = world.player["in"]
    assert road == "standing_at_the_end_of_a_road_before_a_small_brick_building" and world.tick == 0
    assert world.view[road]["text"].startswith("You are standing at the end of a road"), world.view[road]
    assert "asked" in world.player and not world.player["asked"] and not world.player["over"] and not world.player["dark"]
    world.do("go", direction="in")
    assert world.player["in"] == "inside_a_building" and world.objects("inside_a_building") == {"keys", "lamp", "food", "bottle"}
    assert world.view[road]["to_in"] == "inside_a_building"
    world.do("take", on="lamp")
    assert world.objects("player") == {"lamp"} and world.view["lamp"]["carried"] is True
    world.do("go", direction="out")
    world.do("go", direction="in")  # both rooms have given their short names by now
    assert world.player["in"] == "inside_a_building" and world.view["inside_a_building"]["name"] == "You're inside building."
    assert world.view["inside_a_building"]["to_out"] == road and world.view[road]["name"] == "You're in front of building."
    world.do("go", direction="up")
    assert world.view["inside_a_building"]["to_up"] == "inside_a_building", "no way: it leads back"
    world.do("drop", on="lamp")
    assert "lamp" in world.objects("inside_a_building")
    world.do("say", text="score")
    assert re.search(r"garnered (\d+) out of", world.player["said"])[1] == str(world.player["score"])
    assert world.player["turns"] == int(re.search(r"using (\d+) turns", world.player["said"])[1]), world.player
    world.do("say", text="light lamp")
    assert world.player["lamp"] is True
    world.do("say", text="xyzzy")
    assert world.player["dark"] and world.player["in"] is None, "a room that nobody saw has no name"
    world.do("say", text="xyzzy")
    turns, tick = world.player["turns"], world.tick
    world.do("look")
    assert (world.player["turns"], world.tick) == (turns, tick)
    world.do("wait")
    assert (world.player["turns"], world.tick) == (turns, tick + 1)
    world.do("say", text="quit")
    assert world.player["asked"]
    world.do("go", direction="in")
    assert world.player["asked"] and world.player["said"].startswith("Please answer"), world.player
    world.do("answer", yes=False)
    assert not world.player["asked"] and world.player["said"] == "OK"
    world.do("say", text="quit")
    world.do("answer", yes=True)
    assert world.player["over"] and not world.player["asked"]
    world.do("go", direction="in")
    assert world.player["over"], "nothing follows the end"
    assert world.ask(reset=True)["tick"] == 0 and world.player["in"] == road and not world.player["over"]
    assert world.end() == 0


def test_bad_requests(folder):
    world = Bridge(folder).begin()
    for request, said in (
            ({"do": "fly"}, 'no action "fly": it has go, take, drop, say, answer, wait, look'),
            ({"do": "take", "on": "moon"}, 'take wants "on", an entity that was seen, not "moon"'),
            ({"do": "answer"}, 'answer wants "yes", true or false, not null'),
            ({"do": "say", "text": "in\nout"}, 'say wants "text", 1 to 80 printable characters of ASCII, not "in\\nout"')):
        assert world.ask(**request) == {"id": world.number, "failed": said}, request
    world.do("take", on="player")
    assert world.player["turns"] == 0, "what is no object is not taken"
    world.do("go", direction="in")
    assert world.player["in"] == "inside_a_building", "and it goes on"
    assert world.end() == 0
    begin = Bridge(folder)
    assert begin.ask(reset=True)["failed"] == "hello comes first"
    begin.ask(hello={"protocol": 1, "seed": "0x1"})
    assert begin.do("look")["failed"] == "reset comes before the first action"
    assert begin.ask(hello={"protocol": 2, "seed": "0x1"})["failed"] == "protocol 2: this program speaks protocol 1"
    assert begin.end() == 0
    gone = Bridge(folder, "/nowhere/advent")
    assert "/nowhere/advent: " in gone.ask(hello={"protocol": 1, "seed": "0x1"})["failed"]
    assert gone.end() == 0


def test_no_file(folder):
    """SAVE has no name of a file, and the game goes on."""
    with tempfile.TemporaryDirectory() as name:
        before = set(os.listdir("/")) | set(os.listdir(name))
        world = Bridge(folder).begin(setup=["save", "y", "in"])
        assert world.player["in"] == "inside_a_building" and world.player["turns"] == 2, world.player
        assert world.end() == 0 and set(os.listdir("/")) | set(os.listdir(name)) == before


def test_no_orphan(folder):
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        world = Bridge(folder).begin()
        games = children(world.process.pid)
        assert len(games) == 1, games
        if number is None:
            world.process.stdin.close()  # the host is gone
        else:
            world.process.send_signal(number)
        world.process.wait()
        while any(os.path.exists(f"/proc/{game}") and "Z" != pathlib.Path(f"/proc/{game}/stat").read_text().rsplit(")", 1)[1].split()[0]
                  for game in games):
            time.sleep(0.01)  # the kernel hangs up; ctest's own limit ends a test that waits for ever


def test_walk(folder):
    """All the way into the endgame, as the game prints it into a pipe; twice the same bytes."""
    walk = json.loads((folder / "adventure_walk.json").read_text())
    typed = ["no", f"seed {walk['seed']}", *walk["commands"]]
    plain = subprocess.run([GAME], input="".join(text + "\n" for text in typed), capture_output=True, text=True, check=True).stdout
    answers = re.split(r"^> .*\n", plain, flags=re.M)[3:]
    lines = []
    for _ in range(2):
        world = Bridge(folder).begin(walk["seed"])
        rooms, repository = set(), False
        for text, answer in zip(walk["commands"], answers, strict=True):
            world.do("say", text=text)
            assert world.player["said"] == answer.strip(), (text, world.player["said"], answer)
            rooms.add(world.player["in"])
            repository |= world.player["in"] == "northeast_end_of_an_immense_room"
        assert repository and world.player["over"] and len(rooms) == walk["rooms"], len(rooms)
        assert "carry the conquering adventurer off into the sunset" in world.player["said"].replace("\n", " ")
        assert world.end() == 0
        lines.append(world.lines)
    assert lines[0] == lines[1]


def told(said, text):
    return sum(text in " ".join(answer.split()) for answer in said)


def test_faults(folder):
    """Faults of 1.12 that its later releases name (their NEWS): each is seen through the bridge, by the fewest commands that show it, and is
    not in a version that names its mend."""
    walk = json.loads((folder / "adventure_walk.json").read_text())
    into = walk["commands"][:walk["commands"].index("blast") - 5]
    for mended, seed, commands, shows in (
            (14, 1, "in;take lamp;plugh;on;s;take silver;d;bedquilt;w;oriental;w;sw;u;throw silver;ne;ne;e;se".split(";"),
             lambda world, said: max(len(line) for answer in said for line in answer.splitlines()) > 80),
            (15, 1, ["fee", "inven", "fie"], lambda world, said: said[-1] == "OK"),
            (15, walk["seed"], [*into, "sw", "take cage", "inven"],
             lambda world, said: world.view["cage"]["carried"] and "bird" not in world.objects("player")),
            (17, 5, "in;take lamp;plugh;on;s;d;bedquilt;slab;u;reservoir;z'zzz".split(";"),
             lambda world, said: told(said, "The waters have parted") > told(said, "the bird believes it is")),
            (19, 1, "in;take lamp;plugh;on;s;n;get knife;look;get knife".split(";"),
             lambda world, said: told(said, "knives vanish as they strike the walls") > 1)):
        world, said = Bridge(folder, *sys.argv[2:]), []
        version = world.begin(seed).version
        for text in commands:
            world.do("say", text=text)
            said.append(world.player["said"])
        assert shows(world, said) == (version < mended), (mended, version, said[-1])
        assert world.end() == 0


def main(folder):
    if not os.access(GAME, os.X_OK):
        print(f"skipped: {GAME} is not there (Debian's package open-adventure)")
        sys.exit(77)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(pathlib.Path(folder))
            print(name)


if __name__ == "__main__":
    main(sys.argv[1])
