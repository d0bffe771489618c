# SPDX-License-Identifier: MIT
"""A world for test agents as a Python class, for `corridor run`: this file is all that it takes. docs/look-up/world-programs.md has the lines that it
speaks.

    class Machine(corridor_world.World):
        types = {"machine": {"credit": "int"}}
        actions = {"insert": {"coin": ["one", "two"]}}
        entities = {"m": "machine"}

        def reset(self): ...                      # as a fresh one; self.random is drawn from the seed of the run
        def act(self, agent, action, **words): ...
        def view(self, agent): ...                # {"m": {"credit": 1}}: all that is seen now, by id

    corridor_world.run(Machine)

Take no clock, and random numbers only from self.random: the same requests get the same answers. What is printed goes to standard error."""
import atexit
import json
import random
import sys


class World:
    """Derive from it; what a class leaves out is empty."""
    name, version = "", "1"
    types = {}     # {"machine": {"credit": "int"}}: properties; "in": the type of what entities are in
    actions = {}   # {"insert": {"coin": ["one", "two"]}}: parameters
    entities = {}  # known before they are seen, with their types
    sees_all = True  # a view names all that there is; else what it leaves out is only not seen now
    seed, setup, random = 0, (), random

    def reset(self):
        """As it is in a fresh process."""

    def act(self, agent, action, **words):
        """A test agent acts; what cannot be done changes nothing."""

    def view(self, agent):
        """What is seen now: ids to values of properties. "type" of those that `entities` does not name, "in" of what they are in."""
        return {}


def __getattr__(name):
    """What a reader guesses of this module and it has not: main(), say."""
    raise AttributeError(f"corridor_world has no {name!r}: a class derives from corridor_world.World, and the last line is "
                         "corridor_world.run(THAT_CLASS)")


_asked = []  # classes that run() was called with


def _unasked():
    """Says at the end of a program that it has a class, and nobody called run()."""
    names = [name for name, kind in vars(sys.modules["__main__"]).items()
             if isinstance(kind, type) and issubclass(kind, World) and kind.__module__ == "__main__"]
    if names and not _asked and not hasattr(sys, "last_type"):
        print(f"nobody called corridor_world.run({names[-1]}), the last line of such a program", file=sys.stderr)


atexit.register(_unasked)


def run(world_class):
    """Answers the host until it says bye."""
    if not (isinstance(world_class, type) and issubclass(world_class, World)):
        said = f"corridor_world.run() takes a class that derives from corridor_world.World, and not {world_class!r:.80}"
        raise TypeError(said)
    _asked.append(world_class)
    out, sys.stdout = sys.stdout, sys.stderr
    world, tick, known = world_class(), 0, {}
    for line in sys.stdin:
        asked = json.loads(line)
        answer = {"id": asked["id"]}
        if "bye" in asked:
            break
        if "hello" in asked:
            world.seed, world.setup = int(asked["hello"].get("seed", "0x0"), 16), asked["hello"].get("setup", [])
            answer.update(world=world.name or world_class.__name__.lower(), version=world.version, types=world.types, actions=world.actions,
                          entities=world.entities, can=["reset"])
        else:
            agent = asked.get("agent")
            if "reset" in asked:
                tick, known = 0, dict(world.entities)
                world.random = random.Random(world.seed)
                world.reset()
            elif asked.get("do") != "look":
                tick += 1
                if asked["do"] != "wait":
                    world.act(agent, asked["do"], **{key: value for key, value in asked.items() if key not in ("id", "agent", "do")})
            shown = [{"id": name, **({"type": known[name]} if name in known else {}), **values} for name, values in world.view(agent).items()]
            known.update((entity["id"], entity["type"]) for entity in shown if "type" in entity)
            answer.update(tick=tick, entities=shown, **({"all": True} if world.sees_all else {}))
        print(json.dumps(answer), file=out, flush=True)
