# SPDX-License-Identifier: MIT
"""Traffic lights at a crossing (SUMO of Debian 12, unchanged, by its libsumo): cars come, alone and in platoons, and a controller
gives green."""
import functools
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "processes"))
import corridor_process as corridor

VERSION = "1.15.0"
SIDES = ("top", "right", "bottom", "left")  # clockwise
CONTROLLERS = ("static", "actuated", "delay_based", "sotl_phase", "sotl_platoon", "sotl_request", "sotl_wave", "sotl_marching", "swarm")
HERE, SHORTEST, LONGEST = "A0", 5, 50  # the crossing, and how long it is green for somebody, in seconds
SECONDS = {"ten": 10, "sixty": 60}
CARS, APART = 10, 2  # of a platoon, and seconds between them


def look_at_package():
    """The package is there, in the version that its page speaks of."""
    if not importlib.util.find_spec("libsumo"):
        sys.exit(f"sumo is not installed for {sys.executable}: make subjects, or sumo of Debian 12")
    said = subprocess.run(["sumo", "--version"], capture_output=True, text=True, check=False).stdout
    there = (re.search(r"Version (\S+)", said) or ["", "unknown"])[1]
    if there != VERSION:
        sys.exit(f"sumo {there} is installed, and {VERSION} is what is tested here: sumo of Debian 12")


look_at_package()


@functools.cache
def network():
    """A crossing of two roads, as netgenerate makes it; by controller."""
    words = ["netgenerate", "--grid", "--grid.number=1", "--grid.attach-length=200", "-j", "traffic_light", "--no-turnarounds", "-L", "2",
             "--tls.min-dur", str(SHORTEST), "--tls.max-dur", str(LONGEST), "--tls.default-type", "delay_based", "-o", "/dev/stdout"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    text, made = text[:text.rindex("</net>")] + "</net>\n", {}
    for controller in CONTROLLERS:
        told = text
        if controller.startswith(("sotl", "swarm")):  # these want to know for whom a phase is
            told = told.replace('<phase duration="3"', '<phase duration="3" type="transient"')
            for sides, state in ((SIDES[::2], "GGGgrrrrGGGgrrrr"), (SIDES[1::2], "rrrrGGGgrrrrGGGg")):
                lanes = " ".join(f"{side}0{HERE}_{lane}" for side in sides for lane in (0, 1))
                told = told.replace(f'state="{state}"', f'state="{state}" type="decisional;target" targetLanes="{lanes}"')
        made[controller] = told.replace('type="delay_based"', f'type="{controller}"')
    return made


def foes(text):
    """Which ways cross which, by their numbers."""
    return [row.split('foes="')[1].split('"')[0][::-1] for row in text.splitlines() if "<request " in row]


class Crossing(corridor.Process):
    name = "sumo"
    version = VERSION
    meaning = "a controller gives green to those who come"
    attributes = {"controller": list(CONTROLLERS), "cars": int, "conflicts": int, "shortest": int, "longest": int, "waits": int,
                  "collisions": int}
    inputs = {**{f"by_{controller}": "all begins anew, with this controller and no car" for controller in CONTROLLERS},
              **{f"car_from_{side}": {"meaning": "a car comes", "weight": 4} for side in SIDES},
              **{f"platoon_from_{side}": {"meaning": "ten cars come", "weight": 4} for side in SIDES},
              **{f"goes_on_{seconds}": {"meaning": "so many seconds", "weight": 12} for seconds in SECONDS}}
    faults = {"mended": "no fault but a mend: green ends when it has lasted as long as it may"}
    is_loaded = False

    def start(self, stored):
        global libsumo
        import libsumo  # here, as it takes its time, and the first answer must not
        self.begin("static")

    def begin(self, controller):
        self.controller, self.came = controller, 0
        self.conflicts = self.longest = self.waits = self.collisions = self.lasts = 0
        self.state, self.shortest = "", LONGEST
        self.foes = foes(network()[controller])
        place, end = os.pipe()
        os.write(end, network()[controller].encode())
        os.close(end)
        words = ["-n", f"/proc/self/fd/{place}", "--no-step-log", "true", "--no-warnings", "true", "--xml-validation", "never", "--seed", "1",
                 "--time-to-teleport", "-1", "--collision.action", "warn"]
        if Crossing.is_loaded:
            libsumo.load(words)
        else:
            libsumo.start(["sumo", *words])
        Crossing.is_loaded = True
        os.close(place)
        for side in SIDES:
            for turn in (1, 2, 3):
                other = SIDES[(SIDES.index(side) + turn) % 4]
                libsumo.route.add(f"{side} {turn}", [f"{side}0{HERE}", f"{HERE}{other}0"])

    def come(self, side, cars):
        for each in range(cars):
            self.came += 1
            depart = libsumo.simulation.getTime() + APART * each
            libsumo.vehicle.add(f"{self.came}", f"{side} {self.came % 3 + 1}", depart=str(depart))

    def step(self):
        """A second."""
        libsumo.simulationStep()
        state = libsumo.trafficlight.getRedYellowGreenState(HERE)
        if state != self.state:
            if "G" in self.state:
                self.shortest = min(self.shortest, self.lasts)
            self.state, self.lasts = state, 0
        self.lasts += 1
        greens = [link for link, light in enumerate(state) if light == "G"]
        self.conflicts = max(self.conflicts, sum(self.foes[one][other] == "1" for one in greens for other in greens))
        if greens:
            self.longest = max(self.longest, self.lasts)
        if self.fault == "mended" and greens and self.lasts >= LONGEST:
            libsumo.trafficlight.setPhase(HERE, (libsumo.trafficlight.getPhase(HERE) + 1) % 4)
        self.waits = max([self.waits, *(int(libsumo.vehicle.getWaitingTime(car)) for car in libsumo.vehicle.getIDList())])
        self.collisions += libsumo.simulation.getCollidingVehiclesNumber()

    def input(self, which, data):
        verb, _, name = which.partition("_")
        if verb == "by":
            self.begin(name)
        elif verb == "goes":
            for _ in range(SECONDS[name.removeprefix("on_")]):
                self.step()
        else:
            self.come(name.removeprefix("from_"), CARS if verb == "platoon" else 1)

    def observe(self):
        return {"controller": self.controller, "cars": libsumo.vehicle.getIDCount(), "conflicts": self.conflicts, "shortest": self.shortest,
                "longest": self.longest, "waits": self.waits, "collisions": self.collisions}


corridor.run(Crossing)
