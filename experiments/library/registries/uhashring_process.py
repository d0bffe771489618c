# SPDX-License-Identifier: MIT
"""Keys on a hash ring (python3-uhashring of Debian 12, unchanged), while servers are weighed anew, removed and added again."""
import importlib.metadata
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "processes"))
import corridor_process as corridor

PACKAGE, VERSION = "uhashring", "2.1"
SERVERS = ("a", "b", "c")
WEIGHTS = (1, 2, 3)
POINTS = 4  # of a server, by its weight
KEYS = [f"key {i}" for i in range(100)]


def package():
    """The package, in the version that its page speaks of."""
    try:
        there = importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        sys.exit(f"{PACKAGE} is not installed for {sys.executable}: make subjects, or python3-{PACKAGE} of Debian 12")
    if there != VERSION:
        sys.exit(f"{PACKAGE} {there} is installed, and {VERSION} is what is tested here: python3-{PACKAGE} of Debian 12")
    return __import__(PACKAGE)


HashRing = package().HashRing


class Ring(corridor.Process):
    name = PACKAGE
    version = VERSION
    meaning = "a hash ring says which server has a key"
    attributes = {"servers": int, "gone": int, "elsewhere": int, "miscounted": int}
    inputs = {**{f"{server}_weighs_{weight}": "it is added, or weighed anew" for server in SERVERS for weight in WEIGHTS},
              **{f"{server}_leaves": {"meaning": "it is removed, if it is there", "weight": 2} for server in SERVERS}}
    faults = {"removes_before": "no fault but a mend: a server's points are taken off the ring before it is weighed anew",
              "ketama": "no fault but the other ring of the package (hash_fn ketama), which is made anew each time"}

    def start(self, stored):
        self.weights = {server: 2 for server in SERVERS}
        self.ring = self.made_afresh()

    def made_afresh(self):
        return HashRing(dict(self.weights), vnodes=POINTS, hash_fn="ketama" if self.fault == "ketama" else None)

    def input(self, which, data):
        server, does, *weight = which.split("_")
        if does == "weighs":
            if self.fault == "removes_before" and server in self.weights:
                self.ring.remove_node(server)
            self.weights[server] = int(weight[0])
            self.ring.add_node(server, self.weights[server])
        elif server in self.weights:
            del self.weights[server]
            self.ring.remove_node(server)

    def observe(self):
        places, fresh = ([ring.get_node(key) for key in KEYS] for ring in (self.ring, self.made_afresh()))
        return {"servers": len(self.weights), "gone": sum(place not in self.weights for place in places if place),
                "elsewhere": sum(place != other for place, other in zip(places, fresh)),
                "miscounted": abs(sum(self.ring.distribution.values()) - self.ring.size)}


corridor.run(Ring)
