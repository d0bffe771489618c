#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Open Adventure (Debian's package open-adventure, Colossal Cave of 430 points) as a world program. A line of JSON in, a line out.

adventure.py [PROGRAM]
  PROGRAM is /usr/games/advent, if it is not given. The seed of hello gives the game's own (`seed N`: its last 20 bits); texts in its
  setup are typed after each reset; {"ways": ["xyzzy", ..]} there are words that are ways from everywhere, beside the directions.

The view is what the program printed, its memory is not read: the player, the room with the ways that were tried, and the objects
that lie here or are carried. An object that a room's description does not name any more is gone, until it is seen again.
Paths lead from the room to where a way led last: back, where it is none or kills; one that was not tried leads to ROOM?WAY, where
nobody has been, so that who explores goes there. Where rooms of one description are one entity, a way between them may lead on from
the next of them: it counts as tried after 40 times, and costs much, each time another amount, so that who has nothing else to explore
walks about there.
A tick is an action; "look" and "wait" type nothing, for the game stands still until somebody types.

How rooms are told apart. A room is known by its long description. When a short one ("You're in debris room.") is met, a second copy
of the game gets the same commands, and then LOOK, which costs turns in that copy alone. Rooms of one description, as in the maze
"all alike" and in the forest, are told apart as players do it: by the first object that lies there (id maze.../lamp), or by a
way from a room that is known; else they are one entity. An object that somebody else moves misleads, as it misleads players,
and a way that leads now here, now there shows where it led last. In the dark a room is known by the way into it, or not at all.
What is carried is what OK, a drop and INVENTORY told. Files are neither written nor read: SAVE and RESUME get no name of a file.

The game flushes its answers into a terminal alone, and there is none in the sandbox of programs: --isolate never.
The terminal of the game is this program's: when this program ends, in whatever way, the kernel hangs up, and the game ends."""
import fcntl
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import zlib

SILENCE = 10  # seconds
TRIES = 40  # of a way between rooms that look alike
WAYS = ["north", "south", "east", "west", "ne", "nw", "se", "sw", "up", "down", "in", "out"]
SHORT = {"n": "north", "s": "south", "e": "east", "w": "west", "northeast": "ne", "northwest": "nw", "southeast": "se",
         "southwest": "sw", "u": "up", "upward": "up", "d": "down", "downward": "down", "enter": "in", "inside": "in", "exit": "out",
         "outside": "out", "leave": "out"}
TYPES = {"player": {"in": "room", "at": "string", "said": "string", "first": "string", "width": "int", "typed": "string",
                    "word": "string", "asked": "bool", "over": "bool", "dark": "bool", "lamp": "bool", "turns": "int", "score": "int",
                    "rooms": "int"},
         "room": {"text": "string", "name": "string", **{f"to_{way}": "string" for way in WAYS}},
         "object": {"in": "room", "text": "string", "carried": "bool"}}
ACTIONS = {"go": {"direction": WAYS}, "take": {"on": "entity"}, "drop": {"on": "entity"}, "say": {"text": "string"},
           "answer": {"yes": "bool"}, "wait": {}, "look": {}}
# The words for an object, what its line in a room says, what INVENTORY says of it; treasures from the nugget on.
OBJECTS = [line.split("|") for line in """\
keys|some keys on|Set of keys
lamp lantern|brass lamp nearby;lamp shining|Brass lantern
grate|The grate is|
cage|wicker cage discarded|Wicker cage
rod|rusty star on an end|Black rod
mark|rusty mark on an end|
bird|cheerful little bird;little bird in the cage|Little bird in cage
door|rusty, iron door|
pillow|small velvet pillow|Velvet pillow
snake|fierce snake bars|
fissure|crystal bridge spans;crystal bridge now spans|
tablet|massive stone tablet|
clam|enormous clam|Giant clam
oyster|enormous oyster;underside of the oyster|Giant oyster
magazine issue|Spelunker Today|"Spelunker Today"
dwarf|little dwarf;little dwarves|
food|There is food here|Tasty food
bottle|bottle of water here;bottle of oil here;empty bottle here|Small bottle
plant|little plant in the pit;beanstalk stretching|
beanstalk|beanstalk is poking;beanstalk growing|
axe|little axe|Dwarf's axe
dragon|green fierce dragon;green dead dragon|
chasm|rickety wooden bridge;wreckage of a bridge|
troll|burly troll stands;troll steps out|
bear|cave bear;contented-looking bear;large, tame bear|
message|message scrawled in the dust|
machine|massive vending machine;battered vending machine|
batteries|fresh batteries here;worn-out batteries have|Batteries
ogre|formidable ogre|
urn|A small urn;oil flame extrudes|
cavity|urn-shaped cavity|
appendage|leporine appendage|Leporine appendage
gold nugget|nugget of gold|Large gold nugget
diamonds|are diamonds here|Several diamonds
silver bars|bars of silver|Bars of silver
jewelry|precious jewelry here|Precious jewelry
coins|many coins here|Rare coins
chest|treasure chest is here|Treasure chest
eggs|full of golden eggs|Golden eggs
trident|jewel-encrusted trident|Jeweled trident
vase|ming vase here;vase is now resting;shards of pottery|Ming vase
emerald|emerald here;emerald resting|Egg-sized emerald
pyramid|platinum pyramid|Platinum pyramid
pearl|lies a glistening pearl|Glistening pearl
rug|Persian rug|Persian rug
spices|rare spices|Rare spices
chain|golden chain|Golden chain
ruby|enormous ruby;ruby resting|Giant ruby
necklace|jade necklace has been|Jade necklace
amber|amber gemstone here;amber gemstone resting|Amber gemstone
sapphire|star sapphire is;star sapphire resting|Star sapphire
ebony statuette|ebony statuette here|Ebony statuette""".splitlines()]
NAMES = [words.split()[0] for words, _, _ in OBJECTS]
TREASURES = NAMES[NAMES.index("gold"):]
TAKES, DROPS = ("take", "get", "carry", "catch", "keep", "steal"), ("drop", "free", "release", "discard", "throw", "toss")
ROOM = re.compile(r"(You are|You're) (in|at|on|inside|standing|crawling|walking|following|wandering|scrambling|climbing|outside|below|"
                  r"north)\b|You have (walked up|crawled through a|reached a dead)|This is (the Oriental|a low)|A large stalactite|Dead end|"
                  r"The (road,|forest thins|path forks|walls are quite|canyon (here|runs))|At your feet (all|is)")
ALIKE = ("twisty little passages, all alike", "Dead end", "a dead end.", "aimlessly through the forest")
REFUSAL = re.compile(r"There is no way|I don't know|Nothing happens|I am unsure|Sorry")
QUESTION = re.compile(r"(Do you|Are you|Would you like|Should I|Is this|expect)\b[^?]*\?$|^Please answer the question\.$")


class Game:
    """The program at a terminal of its own."""

    def __init__(self, program, seed):
        try:
            self.end, end = pty.openpty()
        except OSError as wrong:
            raise OSError(f"no terminal for it can be had here ({wrong}); without a sandbox there is one (--isolate never)") from wrong
        modes = termios.tcgetattr(end)
        modes[1] &= ~termios.OPOST
        modes[3] &= ~termios.ECHO  # before it reads first: its editor of lines goes by that
        termios.tcsetattr(end, termios.TCSANOW, modes)
        self.process = subprocess.Popen([program], stdin=end, stdout=end, stderr=end, start_new_session=True, cwd="/",
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(end)
        self.is_over = False
        self.hear()
        self.first = self.say("no")
        self.say(f"seed {seed}")

    def hear(self):
        said = b""
        while not self.is_over and not (said.endswith(b"\n> ") or said == b"> " or said.endswith(b"\nFile name: ")):
            if not select.select([self.end], [], [], SILENCE)[0]:
                raise OSError(f"the game printed no prompt for {SILENCE} s after {said[-60:]}")
            try:
                more = os.read(self.end, 1 << 16)
            except OSError:  # hung up
                more = b""
            self.is_over = not more
            said += more
        if said.endswith(b"\nFile name: "):
            os.write(self.end, b"\x04")
            return said[:-12].decode("latin-1") + "\n" + self.hear()
        return said.decode("latin-1").removesuffix("> ")

    def say(self, text):
        os.write(self.end, text.encode() + b"\n")
        return self.hear()

    def close(self):
        os.close(self.end)
        self.process.kill()
        self.process.wait()


def paragraphs(said):
    return [re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n\s*\n", said) if part.strip()]


def identity(text):
    """Of a room: the first words of its description, and where two begin alike, what tells these two."""
    bare = re.sub(r"^((You are|You're|You have|This is) )?((in|at|on|the|a|an) )*", "", text)
    first = re.split(r"[.:;(]|, (?!all|deep|narrow|rough|north|barren|rocky)| which | with ", bare)[0]
    name = re.sub(r"[^a-z0-9]+", "_", first.lower().replace("'", "")).strip("_")
    return f"{name}_{zlib.crc32(text.encode()) % 1000:03}" if name in ("low_window_overlooking_a_huge_pit", "secret_canyon") else name


class World:
    def __init__(self, program, seed, setup):
        self.program, self.seed, self.game = program, seed, None
        self.setup = [text for text in setup if isinstance(text, str)]
        self.words = [word for more in setup if isinstance(more, dict) for word in more["ways"]]

    def reset(self):
        self.close()
        self.game = Game(self.program, self.seed)
        self.tick = self.turns = 0
        self.typed, self.ways, self.tries, self.rooms, self.names, self.objects, self.room = [], {}, {}, {}, {}, {}, None
        self.player = {"said": "", "word": "", "asked": False, "over": False, "dark": False}
        self.gone, self.shown = [], []
        self.understand(self.game.first, "")
        for text in self.setup:
            self.type(text)

    def close(self):
        if self.game:
            self.game.close()
        self.game = None

    def type(self, text):
        if self.game.is_over:
            return
        self.turns += not self.player["asked"]
        self.typed.append(text)
        self.understand(self.game.say(text), text.lower())

    def look_elsewhere(self):
        """The long description of the room, from a second copy of the game; with other dice, should a dwarf kill the player there."""
        for first in ([], ["seed 1"], ["seed 2"], ["seed 3"]):
            copy = Game(self.program, self.seed)
            try:
                for text in [*self.typed, *(["no"] if self.player["asked"] else []), *first]:
                    copy.say(text)
                if found := next((part for part in reversed(paragraphs(copy.say("look"))) if ROOM.match(part)), None):
                    return found
            finally:
                copy.close()
        return None

    def understand(self, said, typed):
        parts, words, before, player = paragraphs(said), typed.split(), self.room, self.player
        way = None if player["asked"] else SHORT.get(typed, typed.removeprefix("go "))  # an answer is no way
        plain = re.sub(r"[^\n\x20-~]", "?", said).strip()
        player.update(said=plain, first=(paragraphs(plain) or [""])[0], width=max(map(len, plain.split("\n"))), typed=typed,
                      over=self.game.is_over, turns=self.turns)
        player["asked"] = bool(parts and not self.game.is_over and (QUESTION.search(parts[-1]) or parts[-1].endswith("Your bare hands?") and
                               before and self.objects.get("dragon", {}).get("in") == before and "dwarf" not in words))
        if score := re.search(r"(?:garnered|scored) (-?\d+) out of", said):
            player["score"] = int(score[1])
        if word := re.search(r'the bird believes it is "([^"]+)"', " ".join(parts)):
            player["word"] = word[1].lower()
        if lamp := re.search(r"Your lamp is now (on|off)|Your lamp has run out", said):
            player["lamp"] = lamp[1] == "on"
        self.carry(words, parts)
        at = next((n for n in range(len(parts) - 1, -1, -1) if ROOM.match(parts[n])), None)
        if at is not None:
            player["dark"] = False
            here = {NAMES[n]: part for k, part in enumerate(parts) if k > at or "in the room with you" in part for n, (_, lines, _) in enumerate(OBJECTS)
                    if any(line in part for line in lines.split(";"))}
            self.room = self.place(parts[at], here, way)
            for name, held in list(self.objects.items()):
                if held["in"] == self.room and name not in here:
                    self.lose(name)
            for name, text in here.items():
                self.objects[name] = {"in": "player" if "followed by" in text else self.room, "text": text}
        elif "dwarf" in self.objects and "You killed a little dwarf" in said:
            self.lose("dwarf")
        elif "It is now pitch dark." in said:
            player["dark"] = True
            self.room = before if "no way to go" in said else self.ways.get((before, way))
        if way in WAYS and before and self.room and not player["asked"]:
            self.rooms[before][f"to_{way}"] = self.room
        if before and self.room and (way in WAYS or way in self.words or self.room != before):
            self.ways[before, way] = self.room
            self.tries[before, way] = TRIES if at is None or REFUSAL.match(parts[0]) else self.tries.get((before, way), 0) + 1
        self.shown = [before] if before and before != self.room else []

    def carry(self, words, parts):
        """What the answer says of what is carried."""
        verb, noun = (words + ["", ""])[:2]
        name = next((NAMES[n] for n, (known, _, _) in enumerate(OBJECTS) if noun[:5] in [word[:5] for word in known.split()]), None)
        if verb in TAKES and name and parts[:1] == ["OK"]:
            with_bird = name == "bird" or name == "cage" and "in the cage" in self.objects.get("bird", {}).get("text", "")
            for name in ["cage", "bird"] if with_bird else [name]:
                self.objects[name] = {**self.objects.get(name, {"text": ""}), "in": "player"}
        elif verb in DROPS and self.objects.get(name, {}).get("in") == "player" and "You aren't carrying it!" not in parts:
            self.objects[name]["in"] = self.room
            if not self.room:
                self.lose(name)
        said = " ".join(parts)
        taken = TREASURES if "snatches your treasure" in said else NAMES if re.search("POOF!|eyes refocus", said) else \
            ["food"] if "wolfs down your food" in said else []
        holding = next((n for n, part in enumerate(parts) if part.startswith("You are currently holding")), None)
        if holding is not None:
            listed = {NAMES[n] for n, (_, _, title) in enumerate(OBJECTS) if title and title in parts[holding]}
            taken = [name for name in NAMES if name not in listed and name != "bear"]
            for name in listed:
                self.objects[name] = {**self.objects.get(name, {"text": ""}), "in": "player"}
        elif "You're not carrying anything." in said:
            taken = NAMES
        for name in taken:
            if self.objects.get(name, {}).get("in") == "player":
                self.lose(name)

    def lose(self, name):
        del self.objects[name]
        self.gone.append(name)

    def place(self, text, here, way):
        """The identity of the room that is described so."""
        name = None
        if re.fullmatch(r"(You're|Dead end crawl)[^.]*\.", text) and text not in self.rooms:
            name, known = text, self.ways.get((self.room, way))
            shared = "window on pit" in text  # two rooms have this name
            if known and self.rooms[known].get("name") == text:
                return known
            found = None if shared else self.names.get(text)
            text = found or self.look_elsewhere() or text
            self.names[name] = text
        room = identity(text)
        if any(words in text for words in ALIKE):
            known = self.ways.get((self.room, way), self.room if way not in WAYS else None)
            marks = [mark for mark in NAMES if mark in here and mark != "dwarf"]
            marked = next((f"{room}/{mark}" for mark in marks if f"{room}/{mark}" in self.rooms), None)
            if marked is None and known and self.rooms[known]["text"] == text and "/" in known:
                marked = known
            room = marked or (f"{room}/{marks[0]}" if marks else room)
        self.rooms.setdefault(room, {"text": text})
        if name:
            self.rooms[room]["name"] = name
        return room

    def path(self, room, kind, name, way):
        place, tries = room["id"], self.tries.get((room["id"], way), 0)
        is_alike = "/" not in place and any(words in room["text"] for words in ALIKE)
        to, cost = self.ways.get((place, way)), 1
        if to is None or to == place and is_alike and tries < TRIES:
            to, cost = f"{place}?{way}{tries}", 100 + zlib.crc32(f"{way}{tries}".encode()) % 100 if is_alike else 1
        return {"from": place, "to": to, "do": kind, name: way, "cost": cost}

    def view(self):
        player = {"id": "player", "type": "player", "in": self.room, "at": self.room or "", "rooms": len(self.rooms), **self.player}
        rooms = [{"id": name, "type": "room", **self.rooms[name]} for name in [self.room, *self.shown] if name]
        objects = [{"id": name, "type": "object", "in": self.room, "text": held["text"], "carried": held["in"] == "player"}
                   for name, held in self.objects.items() if held["in"] in ("player", self.room)]
        paths = [self.path(room, kind, name, way) for room in rooms
                 for kind, name, ways in (("go", "direction", WAYS), ("say", "text", self.words)) for way in ways]
        gone, self.gone, self.shown = [name for name in dict.fromkeys(self.gone) if name not in self.objects], [], []
        return {"tick": self.tick, "entities": [player, *rooms, *objects], "gone": gone, "paths": paths, "all": False}

    def act(self, request):
        kind = request.get("do")
        if kind not in ACTIONS:
            raise ValueError(f"no action {json.dumps(kind)}: it has {', '.join(ACTIONS)}")
        for name, wanted in ACTIONS[kind].items():
            value = request.get(name)
            fits = isinstance(value, bool) if wanted == "bool" else isinstance(value, str) and (
                value in ("player", *NAMES, *self.rooms) if wanted == "entity" else
                value in WAYS if wanted is WAYS else re.fullmatch(r"[ -~]{1,80}", value))
            if not fits:
                said = "an entity that was seen" if wanted == "entity" else f"one of {', '.join(WAYS)}" if wanted is WAYS else \
                    "true or false" if wanted == "bool" else "1 to 80 printable characters of ASCII"
                raise ValueError(f"{kind} wants \"{name}\", {said}, not {json.dumps(value)}")
        self.tick += kind != "look"
        if kind == "go":
            self.type(request["direction"])
        elif kind in ("take", "drop") and request["on"] in NAMES:
            self.type(f"{kind} {'rod' if request['on'] == 'mark' else request['on']}")
        elif kind in ("say", "answer"):
            self.type(request["text"] if kind == "say" else "yes" if request["yes"] else "no")


def hello(program, asked):
    if asked.get("protocol", 1) != 1:
        raise ValueError(f"protocol {asked['protocol']}: this program speaks protocol 1")
    setup = asked.get("setup") or []
    texts = [text for more in setup for text in (more["ways"] if isinstance(more, dict) and [*more] == ["ways"] else [more])]
    if not all(isinstance(text, str) and re.fullmatch(r"[ -~]{1,80}", text) for text in texts):
        raise ValueError('setup is a list of texts to type, each of 1 to 80 printable characters of ASCII, and {"ways": ["xyzzy", ..]}')
    game = Game(program, 1)
    version = re.search(r"Open Adventure (\S+)", game.say("version"))
    game.close()
    return World(program, int(str(asked.get("seed", "0x1")), 0) % (1 << 20), setup), version[1] if version else "unknown"


def main():
    program, world = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "/usr/games/advent"), None
    for line in sys.stdin:
        number = None
        try:
            request = json.loads(line)
            number = request["id"]
            if "bye" in request:
                break
            if "hello" in request:
                world, version = hello(program, request["hello"])
                answer = {"world": "open-adventure", "version": version, "types": TYPES, "actions": ACTIONS, "can": ["paths", "reset"],
                          "entities": {"player": "player", **dict.fromkeys(NAMES, "object")}}
            elif not world:
                raise ValueError("hello comes first")
            elif "reset" in request:
                world.reset()
                answer = world.view()
            elif not world.game:
                raise ValueError("reset comes before the first action")
            else:
                world.act(request)
                answer = world.view()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
            answer = {"failed": f"{program}: {wrong}" if isinstance(wrong, OSError) else str(wrong)}
        print(json.dumps({"id": number, **answer}), flush=True)
    if world:
        world.close()


if __name__ == "__main__":
    main()
