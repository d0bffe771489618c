#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""trigger NAME for N each, against a naive trigger that is written down here: over drawn traces that judge reads, and over the cases of
campaigns - structures and walks as they were exported - for the system's own monitor and for observers of organizations.

usage: text_each.py CORRIDOR SOURCE TRACES"""
import csv
import json
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402

SOURCE, TRACES = pathlib.Path(sys.argv[2]), int(sys.argv[3])
CLASH = '"each" counts for each organization by itself, and "%s" is not about each of them'


class Naive:
    """In how many cases on end each organization was bad; one goes on with that which it shares most members with, the first of several,
    unless one in front of it does."""

    def __init__(self):
        self.before, self.counts = [], []

    def see(self, organizations, is_bad):
        taken, counts = set(), []
        for organization in organizations:
            shared = [(len(set(old) & set(organization)), -o) for o, old in enumerate(self.before) if o not in taken]
            most, first = max(shared, default=(0, 0))
            if most > 0:
                taken.add(-first)
            counts.append(self.counts[-first] if most > 0 else 0)
        self.counts = [count + 1 if is_bad(o) else 0 for count, o in zip(counts, organizations)]
        self.before = organizations
        return max(self.counts, default=0)


class Each(e2e.Case):
    def test_traces(self):
        rng, ends = random.Random(7), {None: 0, True: 0}
        for number in range(TRACES):
            kind, cases, agents = rng.choice(("partitioning", "overlapping")), rng.randint(1, 4), rng.randint(2, 8)

            def drawn():
                if kind == "overlapping":
                    return [rng.sample(range(agents), rng.randint(1, agents)) for _ in range(rng.randint(1, agents))]
                of = [rng.randrange(agents) for _ in range(agents)]
                return [[a for a in range(agents) if of[a] == o] for o in rng.sample(sorted(set(of)), len(set(of)))]

            states, organizations, naive, first = [], drawn(), Naive(), None
            for index in range(10):
                organizations = drawn() if rng.random() < 0.35 else organizations
                loads = [rng.choice((1, 4, 7)) for _ in range(agents)]
                states.append({"agents": [{"load": load} for load in loads], "organizations": organizations})
                most = naive.see(organizations, lambda o: len(o) < 4 and sum(loads[a] for a in o) > 10)  # noqa: B023
                first = index if first is None and most >= cases else first
            (self.folder / "t.corridor").write_text(f"structure {kind}\nattribute load: integer\ninvariant fuse: all(o in organizations where "
                                                    f"count(o.members) < 4: sum(a in o.members: a.load) <= 10)\ntrigger fuse for {cases} each\n"
                                                    "temporal quiet: always not alarm\n")
            (self.folder / "states.json").write_text(json.dumps(states))
            said = json.loads(self.corridor("judge", "t.corridor", "states.json", "--json", code=None).stdout)["formulas"][0]
            self.assertEqual((said["verdict"], said["decided_at"]), ("holds", None) if first is None else ("violated", first), (number, states))
            ends[first is not None or None] += 1
        self.assertGreater(min(ends.values()), TRACES // 10)

    def test_what_is_not_known_is_no_alarm(self):
        (self.folder / "t.corridor").write_text("structure partitioning\nattribute load: real\ninvariant fuse: all(o in organizations: "
                                                "sum(a in o.members: a.load) <= 0.3)\ntrigger fuse for 2 each\ntemporal quiet: always not alarm\n")
        bad, good, open_, edge = {"load": 1}, {"load": 0}, {}, [{"load": 0.1}, {"load": 0.2}]
        for last, verdict, code in (([open_, good], "unknown", 1), ([good, bad], "holds", 1), (edge, "unknown", 1), ([bad, good], "violated", 1)):
            (self.folder / "states.json").write_text(json.dumps([
                {"agents": [bad, good], "organizations": [[0], [1]]},
                {"agents": last, "organizations": [[0, 1]] if last is edge else [[0], [1]]}]))
            said = json.loads(self.corridor("judge", "t.corridor", "states.json", "--json", code=code).stdout)["formulas"][0]
            self.assertEqual(said["verdict"], verdict, last)

    def experiment(self, cases, bound, arms, **changes):
        """Cars that are busy as a whole group is; each line has a fuse."""
        lines = json.loads((SOURCE / "experiments/library/monitors.json").read_text())
        corridor = ["structure partitioning", "attribute load: real 0 .. 11 [kW]",
                    f"trigger fuse: all(o in organizations where count(o.members) < 6: sum(a in o.members: a.load) <= {bound})", f"trigger fuse for {cases} each",
                    "temporal returns: always (alarm implies true)"]
        lines["model"]["inertia"] = [1, 1]
        made = lines | {"suites": 10, "sequences": 4, "cases": 60, "corridor": corridor, "arms": [{"preset": "lines"} | arm for arm in arms]} | changes
        (self.folder / "e.json").write_text(json.dumps(made))
        self.corridor("run", "e.json", "-o", "e.h5", "--force", "--progress", "none", "--log-solutions", code=None)
        self.corridor("export", "e.h5", "--all", "out", "--force")
        return made

    def table(self, name):
        with open(self.folder / "out" / f"{name}.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def vector(self, name):
        return [int(row[name]) for row in self.table(f"vectors/{name}")]

    def cases(self):
        """(arm, suite), sequence, case, structure, loads of all cases, as they were exported."""
        walk, sizes, members = self.vector("walk"), self.vector("solution_block_size"), self.vector("solution_member")
        agents, groups, kept = {}, {}, {}
        for row in self.table("agents"):
            agents.setdefault((row["arm"], row["suite"]), []).append((int(row["group"]), int(row["partition"])))
        for row in self.table("groups"):
            groups.setdefault((row["arm"], row["suite"]), []).append(int(row["chain"]))
        for row in self.table("failures"):
            at, lists = int(row["member_start"]), []
            for size in sizes[int(row["block_start"]):int(row["block_start"]) + int(row["blocks"])]:
                lists.append(sorted(members[at:at + size]))
                at += size
            kept[row["arm"], row["suite"], row["sequence"], int(row["case"])] = lists
        for row in self.table("sequences"):
            suite, length = (row["arm"], row["suite"]), int(row["cases"]) + 1
            of = agents[suite]
            structure = [[a for a in range(len(of)) if of[a][1] == p] for p in range(max(p for _, p in of) + 1)]
            for case in range(1, length):
                busy = [walk[int(row["walk_start"]) + chain * length + case] for chain in groups[suite]]
                yield suite, row["sequence"], case, structure, [11 if busy[group] else 1 for group, _ in of]
                structure = kept.get((*suite, row["sequence"], case), structure)

    def test_campaigns(self):
        for cases, bound in ((1, 44.5), (3, 44.5), (3, 33.5)):
            self.experiment(cases, bound, [{"name": "own"}, {"name": "exact", "monitor": {"algorithm": "exact"}}])
            seen = {(row["arm"], row["suite"], row["sequence"], int(row["case"])): (row["alarm"], row["inside"], row["detect"]) for row in self.table("cases")}
            alarms, late, naive = 0, 0, Naive()
            for suite, sequence, case, structure, loads in self.cases():
                naive = Naive() if case == 1 else naive
                bad = lambda o: len(o) < 6 and sum(loads[a] for a in o) > bound  # noqa: E731, B023
                due = naive.see(structure, bad) >= cases
                key = (*suite, sequence, case)
                self.assertEqual(seen[key], (str(int(due)), "outside" if due else "inside", "passed"), (key, cases))
                alarms += due
                late += any(map(bad, structure)) and not due
            self.assertGreater(alarms, 12)
            self.assertEqual(late > 20, cases > 1)

    def test_what_organizations_keep(self):
        corridor = ["structure partitioning", "attribute load: real 0 .. 11 [kW]", "attribute fuse of organizations: real 20 .. 60 [kW]",
                    "attribute plugs of organizations: integer 2 .. 9", "attribute big of organizations: boolean",
                    "trigger fuse: all(o in organizations: sum(a in o.members: a.load) <= o.fuse)", "trigger fuse for 2 each",
                    "trigger plugs: all(o in organizations where o.big: count(o.members) <= o.plugs)", "temporal returns: always (alarm implies true)"]
        self.experiment(2, 0, [{"name": "own"}], corridor=corridor, suites=3)
        structures = {(*suite, sequence, case): (structure, loads) for suite, sequence, case, structure, loads in self.cases()}
        checks = json.loads(self.corridor("show", "e.h5", "tables", "--json").stdout)["sheets"]["checks"]["rows"][0]
        self.assertEqual((checks["alarms_missed"], checks["alarms_false"]), (0, 0))
        self.assertGreater(checks["alarms"], 50)
        kept, shown = {}, 0
        for row in self.table("sequences"):
            names, before, count = [], [], 0
            trace = self.corridor("replay", "e.h5", "--failure", f"own/{row['suite']}/{row['sequence']}", "--trace", "all", "--json").stdout
            said = {}
            for ground in json.loads(trace)["sheets"]["constraints"]["rows"]:
                said.setdefault(ground["case"], []).append(ground)
            for case in range(1, int(row["cases"]) + 1):
                structure, loads = structures["own", row["suite"], row["sequence"], case]
                taken, now = set(), []
                for organization in structure:
                    shared = [(len(set(old) & set(organization)), -o) for o, old in enumerate(before) if o not in taken]
                    most, first = max(shared, default=(0, 0))
                    taken |= {-first} if most else set()
                    count += not most
                    now.append(names[-first] if most else count)
                names, before = now, structure
                for ground in said[case]:
                    if ground["organization"] is None or ground["right"] is None or "<=" not in ground["part"]:
                        continue
                    o = int(ground["organization"])
                    left = sum(loads[a] for a in structure[o]) if ground["constraint"] == "fuse" else len(structure[o])
                    self.assertEqual(ground["left"], left)
                    low, high = (20, 60) if ground["constraint"] == "fuse" else (2, 9)
                    self.assertTrue(low <= ground["right"] <= high)
                    self.assertEqual(kept.setdefault((row["suite"], ground["constraint"], names[o]), ground["right"]), ground["right"], (row, case, o))
                    shown += 1
        self.assertGreater(shown, 400)
        self.assertGreater(len(set(kept.values())), 35)
        self.corridor("replay", "e.h5")
        self.corridor("plan", "e.json", "-o", "camp")
        self.corridor("run", "camp", "-o", "camp.h5", "--progress", "none", code=None)
        self.corridor("run", "e.json", "-o", "three.h5", "--jobs", "3", "--progress", "none", code=None)
        for name in ("camp.h5", "three.h5"):
            self.assertEqual(*(self.corridor("export", file, "--table", "cases").stdout for file in (name, "e.h5")))

    def test_alike(self):
        # Continuous execution with equal clocks, several workers, and one sequence alone: the same.
        def tables(name, *options, **changes):
            made = self.experiment(3, 44.5, [{"name": "own"}, {"name": "lagging", "monitor": {"algorithm": "lagging"}}], **changes)
            self.corridor("run", "e.json", "-o", name, "--force", "--progress", "none", *options, code=None)
            return made, {table: self.corridor("export", name, "--table", table).stdout for table in ("cases", "reorganizations", "constraints", "violations")}
        _, one = tables("one.h5", "--jobs", "1")
        _, three = tables("three.h5", "--jobs", "3")
        _, equal = tables("equal.h5", execution={"continuous": {"case": 100}})
        self.assertEqual(one, three)
        self.assertEqual(one, equal)
        self.assertEqual((self.folder / "one.h5").read_bytes(), (self.folder / "three.h5").read_bytes())
        self.corridor("replay", "one.h5")
        checks = {row["arm"]: row for row in json.loads(self.corridor("show", "one.h5", "tables", "--json").stdout)["sheets"]["checks"]["rows"]}
        for arm in ("own", "lagging"):
            self.assertEqual((checks[arm]["alarms_missed"], checks[arm]["alarms_false"]), (0, 0), arm)

    def test_faults_of_observers_are_found(self):
        self.experiment(2, 44.5, [{"name": fault, "monitor": {"algorithm": "exact", "fault": fault}} for fault in ("stale", "joined")], suites=12)
        found = {row["arm"]: row["verdict"] for row in json.loads(self.corridor("show", "e.h5", "tables", "--json").stdout)["sheets"]["found"]["rows"]}
        self.assertEqual(found, {"stale": "found", "joined": "found"})

    def test_what_is_refused(self):
        for text, name in (("count(organizations) <= 2", "few"), ("all(a in agents: a.value <= 1)", "low"),
                           ("all(o in organizations: count(o.members) < 9) and count(agents) > 1", "both")):
            (self.folder / "t.corridor").write_text(f"structure partitioning\ninvariant {name}: {text}\ntrigger {name} for 3 each\n")
            said = " ".join(self.corridor("judge", "t.corridor", "t.corridor", code=3).stderr.split())
            self.assertEqual(said, f"corridor: invalid input: t.corridor:3:{len(name) + 16}: {CLASH % name} write it as all(o in organizations: ..), or leave "
                             '"each" out: then it counts for the system as a whole')
        for monitor, said in (({"algorithm": "exact", "clock": 2}, 'e.json: /arms/0/monitor: "fuse" counts cases of each organization, and the monitor '
                               'looks at one of 2 write "clock": 1, or leave "each" out and write "rest"'),
                              ({"algorithm": "exact", "for": "agent"}, 'e.json: /arms/0/monitor: no agent can watch "fuse" by itself: it is due after 3 cases '
                               'on end of one organization, whichever of its agents violate it in each write "rest": "global", and an observer of the whole '
                               'system watches it, or "rest": "unwatched"')):
            lines = json.loads((SOURCE / "experiments/library/monitors.json").read_text())
            lines |= {"corridor": ["structure partitioning", "trigger fuse: all(o in organizations: count(o.members) <= 4)", "trigger fuse for 3 each"],
                      "arms": [{"name": "arm", "preset": "lines", "monitor": monitor}]}
            (self.folder / "e.json").write_text(json.dumps(lines, indent=1))
            self.assertEqual(re.sub(r"json:[0-9:]+:", "json:", " ".join(self.corridor("plan", "e.json", code=3).stderr.split())), f"corridor: invalid input: {said}")


if __name__ == "__main__":
    e2e.main()
