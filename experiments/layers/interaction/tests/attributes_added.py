#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes that add up, against the same sums made here over walks as they were exported.

usage: attributes_added.py CORRIDOR SOURCE"""
import csv
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

ATTRIBUTES = {"rate": {"integer": [-9, 9]}, "charge": {"integer": [0, 20], "adds": "rate", "from": [5, 12]}, "full": {"boolean": True, "is": "charge >= 18"},
              "heat": {"real": [0, 50], "adds": "charge / 4.0 - heat / 8", "from": 1.5}}
TYPES = {"car": {"environment": "road", "states": {"drives": 0.2, "waits": 0.8}, "influence": {"free": "drives", "jam": "waits"},
                 "attributes": {"rate": {"level": {"drives": -3, "waits": 2}}}},
         "bus": {"environment": "road", "states": {"drives": 0.3, "waits": 0.7}, "influence": {"free": "drives", "jam": {"drives": "waits", "waits": "drives"}},
                 "attributes": {"rate": {"level": {"drives": -2, "waits": 5}}, "heat": {"adds": "1.0 / (charge - 7)", "from": 20}}}}
MODEL = {"corridor_model": 1, "agents": 18, "groups": {"count": 6}, "mixed_groups": True, "structure": {"size_min": 1, "size_max": 6},
         "environments": {"road": {"profile": {"states": ["free", "jam"], "transitions": {"free": {"free": 0.6, "jam": 0.4}, "jam": {"free": 0.5, "jam": 0.5}}}}},
         "attributes": ATTRIBUTES, "types": TYPES}
CORRIDOR = ["structure partitioning", "attribute charge: integer 0 .. 20", "attribute heat: real 0 .. 50",
            "trigger fed: min(a in agents: a.charge) > %d and max(a in agents: a.heat) <= %g",
            "temporal returns: always (alarm implies true)"]


class Added(e2e.Case):
    def experiment(self, corridor, **changes):
        made = {"corridor_experiment": 1, "name": "added", "seed": "0x9", "suites": 6, "sequences": 3, "cases": 50, "corridor": corridor, "model": MODEL,
                "arms": [{"name": "random", "algorithm": "random"}]} | changes
        (self.folder / "e.json").write_text(json.dumps(made))
        return made

    def table(self, name):
        with open(self.folder / "out" / f"{name}.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_sums_are_those_that_are_made_here(self):
        ends = {True: 0, False: 0}
        for low, high in ((0, 99), (-1, 22.03), (-1, 21.03)):
            self.experiment([line % (low, high) if "%" in line else line for line in CORRIDOR])
            self.corridor("run", "e.json", "-o", "e.h5", "--force", "--progress", "none", code=None)
            self.corridor("export", "e.h5", "--all", "out", "--force")
            walk = [int(row["walk"]) for row in self.table("vectors/walk")]
            kinds, chains, first, seen = {}, {}, {}, {}
            for row in self.table("agents"):
                kinds.setdefault(row["suite"], []).append((row["type"], int(row["group"]), int(row["state"])))
            for row in self.table("groups"):
                chains.setdefault(row["suite"], []).append(int(row["chain"]))
            for row in self.table("attributes"):
                first.setdefault((row["suite"], row["attribute"]), []).append(float(row["value"]))
            for row in self.table("cases"):
                seen[row["suite"], row["sequence"], int(row["case"])] = (row["alarm"], row["detect"])
            for row in self.table("sequences"):
                suite, length = row["suite"], int(row["cases"]) + 1
                charge, heat = list(first[suite, "charge"]), list(first[suite, "heat"])
                waits = [state for _, _, state in kinds[suite]]
                self.assertTrue(all(5 <= number <= 12 for number in charge))
                for case in range(1, length):
                    for a, (kind, group, _) in enumerate(kinds[suite]):
                        jam = walk[int(row["walk_start"]) + chains[suite][group] * length + case]
                        waits[a] = (1 - waits[a] if kind == "bus" else 1) if jam else 0
                        charge[a] = min(20, max(0, charge[a] + {"car": (-3, 2), "bus": (-2, 5)}[kind][waits[a]]))
                        more = charge[a] / 4 - heat[a] / 8 if kind == "car" else 0 if charge[a] == 7 else 1 / (charge[a] - 7)
                        heat[a] = min(50, max(0, heat[a] + more))
                    due = not (min(charge) > low and max(heat) <= high)
                    self.assertEqual(seen[suite, row["sequence"], case], (str(int(due)), "passed"), (row, case, min(charge), max(heat)))
                    ends[due] += 1
        self.assertGreater(min(ends.values()), 200, ends)

    def test_a_run_is_repeated_from_its_file_and_from_a_folder_of_suites(self):
        self.experiment([line % (1, 9) if "%" in line else line for line in CORRIDOR], suites=3)
        self.corridor("plan", "e.json", "-o", "camp")
        self.corridor("run", "camp", "-o", "a.h5", "--progress", "none", code=None)
        self.corridor("run", "e.json", "-o", "b.h5", "--progress", "none", code=None)
        self.corridor("replay", "b.h5")
        for table in ("cases", "attributes"):
            self.assertEqual(*(self.corridor("export", name, "--table", table).stdout for name in ("a.h5", "b.h5")))
        self.corridor("plan", "e.json", "--diagram", "model.puml")
        self.assertIn("charge: integer 0 .. 20 += rate", (self.folder / "model.puml").read_text())


if __name__ == "__main__":
    e2e.main()
