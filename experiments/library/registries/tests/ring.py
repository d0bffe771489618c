#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""python3-uhashring on its own, without Corridor, beside a plain hash ring: rings made afresh, rings that were changed in place, and rings of
which a server was taken off before it was weighed anew. Prints in how many of them a key has another server than the plain ring says, and
what is left of a server that was weighed anew and removed."""
import bisect
import hashlib
import json
import random

from uhashring import HashRing

POINTS, KEYS, RINGS = 4, [f"key {i}" for i in range(100)], 300


def place(text):
    return int(hashlib.md5(text.encode()).hexdigest(), 16)


def plain(weights):
    """Where each key is: at the next of the points that servers have."""
    points = sorted((place(f"{server}-{i}"), server) for server, weight in weights.items() for i in range(POINTS * weight))
    return [points[bisect.bisect([at for at, _ in points], place(key)) % len(points)][1] for key in KEYS]


def places(ring):
    return [ring.get_node(key) for key in KEYS]


def changed(draw, is_mended):
    """A ring after some changes, and what its servers weigh."""
    weights = {server: 2 for server in "abc"}
    ring = HashRing(dict(weights), vnodes=POINTS)
    for _ in range(draw.randint(1, 10)):
        server, weight = draw.choice("abc"), draw.randint(0, 3)
        if server in weights and (is_mended if weight else len(weights) > 1):
            ring.remove_node(server)
            del weights[server]
        if weight:
            ring.add_node(server, weight)
            weights[server] = weight
    return ring, weights


def main():
    draw, wrong = random.Random(57), {"afresh": 0, "changed": 0, "mended": 0}
    for _ in range(RINGS):
        for kind in ("changed", "mended"):
            ring, weights = changed(draw, kind == "mended")
            wrong[kind] += places(ring) != plain(weights)
            wrong["afresh"] += places(HashRing(dict(weights), vnodes=POINTS)) != plain(weights)
    ring = HashRing({"a": 2, "b": 2, "c": 2}, vnodes=POINTS)
    ring.add_node("c", 1)
    counted, points = sum(ring.distribution.values()), ring.size
    ring.remove_node("c")
    print(json.dumps({"rings": RINGS, **wrong, "keys_at_the_gone": places(ring).count("c"), "counted": counted, "points": points}))


main()
