#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Agents that come and go, in files: who was there, the structure and what was due are made once more from walks and solutions as they
were exported; replay, shrinking, folders of suites and any number of workers give the same; what is not supported is refused by name.

usage: comes_and_goes.py CORRIDOR SOURCE"""
import csv
import json
import pathlib
import sys

SOURCE = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(SOURCE / "experiments/command/tests"))
import e2e  # noqa: E402

NOBODY = "4294967295"
MODEL = {"corridor_model": 1, "agents": 16, "groups": {"count": 4}, "mixed_groups": True, "structure": {"size_min": 4, "size_max": 5},
         "environments": {"sky": {"profile": {"states": ["dark", "bright"], "transitions": {"dark": {"dark": 0.6, "bright": 0.4}, "bright": {"dark": 0.5, "bright": 0.5}}}}},
         "types": {"pole": {"environment": "sky", "states": {"on": 0.9, "off": 0.1}, "influence": {"dark": "on", "bright": "off"}},
                   "van": {"environment": "sky", "states": {"full": 0.8, "empty": 0.3}, "influence": {"dark": "empty", "bright": "full"},
                           "arrives": 0.25, "fails": 0.1, "present": 0.6}},
         "invariant": {"threshold": 0.3}}
LEVELS = {"pole": (0.9, 0.1), "van": (0.3, 0.8)}  # by the state of the sky: values follow at once
ARMS = [{"name": "spada", "algorithm": "spada", "parameters": {"budget": 2000}}, {"name": "psopp", "algorithm": "psopp", "parameters": {"budget": 200}},
        {"name": "random", "algorithm": "random"}, {"name": "dropped", "algorithm": "psopp", "parameters": {"budget": 100}, "result": {"fault": "agent_dropped", "probability": 0.2}}]


class ComesAndGoes(e2e.Case):
    def experiment(self, **changes):
        made = {"corridor_experiment": 1, "name": "come and go", "seed": "0x31", "suites": 4, "sequences": 3, "cases": 60, "model": MODEL, "arms": ARMS} | changes
        (self.folder / "e.json").write_text(json.dumps(made))

    def table(self, name):
        with open(self.folder / "out" / f"{name}.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def sequences(self, result):
        """Of each sequence its key, and of each case: number, who is there, values, and the row of the case."""
        self.corridor("export", result, "--all", "out", "--force")
        walk = [int(row["walk"]) for row in self.table("vectors/walk")]
        kinds, own, sky, cases, profiles = {}, {}, {}, {}, {}
        for row in self.table("profiles"):
            profiles[row["arm"], row["suite"], row["profile"]] = row["environment"]
        for row in self.table("agents"):
            kinds.setdefault((row["arm"], row["suite"]), []).append((row["type"], int(row["group"]), row["partition"]))
        for row in self.table("chains"):
            key = row["arm"], row["suite"]
            if profiles[(*key, row["profile"])] == "van_presence":
                own.setdefault(key, {})[int(row["location"])] = int(row["chain"])
        for row in self.table("groups"):
            sky.setdefault((row["arm"], row["suite"]), []).append(int(row["chain"]))
        for row in self.table("cases"):
            cases[row["arm"], row["suite"], row["sequence"], int(row["case"])] = row
        for row in self.table("sequences"):
            key, length, start = (row["arm"], row["suite"]), int(row["cases"]) + 1, int(row["walk_start"])
            agents = kinds[key]
            self.assertEqual(sorted(own[key]), [a for a, (kind, _, _) in enumerate(agents) if kind == "van"])
            seen = []
            for case in range(int(row["executed"]) + 1):
                there = [a not in own[key] or walk[start + own[key][a] * length + case] == 0 for a in range(len(agents))]
                values = [LEVELS[kind][walk[start + sky[key][group] * length + case]] for kind, group, _ in agents]
                seen.append((case, there, values, cases.get((*key, row["sequence"], case))))
            yield (*key, row["sequence"]), [partition for _, _, partition in agents], seen

    def test_structures_are_those_of_who_is_there(self):
        self.experiment()
        self.corridor("run", "e.json", "-o", "e.h5", "--log-solutions", "--progress", "none", code=None)
        wanted = list(self.sequences("e.h5"))
        sizes, members, labels = ([int(row[column]) for row in self.table(f"vectors/{file}")] for file, column in
                                  (("solution_block_size", "solution_block_size"), ("solution_member", "solution_member"), ("structure", "structure")))
        asked = {(row["arm"], row["suite"], row["sequence"], int(row["case"])): row for row in self.table("failures")}
        counted = {"came": 0, "went": 0, "asked": 0, "small": 0, "dropped": 0, "undecided": 0}
        for key, initial, cases in wanted:
            limits = (4, 5) if key[0] != "spada" else (1, 99)
            _, before, _, _ = cases[0]
            block = {a: int(initial[a]) for a, there in enumerate(before) if there}
            for case, there, values, row in cases[1:]:
                counted["came"] += sum(now and not was for was, now in zip(before, there))
                counted["went"] += sum(was and not now for was, now in zip(before, there))
                before = there
                block = {a: b for a, b in block.items() if there[a]}
                blocks = [[a for a in block if block[a] == b] for b in set(block.values())]
                means = [sum(values[a] for a in members_of) / len(members_of) for members_of in blocks]
                outside = sum(there) > len(block)
                small = any(not limits[0] <= len(members_of) <= limits[1] for members_of in blocks)
                apart = max(means, default=0) - min(means, default=0)
                due = outside or small or apart > 0.3
                can = any(limits[0] * count <= sum(there) <= limits[1] * count for count in range(1, 17))
                counted["small"] += small and not outside
                if abs(apart - 0.3) > 1e-9 or outside or small:
                    self.assertEqual((row["alarm"], row["detect"]), (str(int(due)), "passed" if can or not due else "undecided"), (key, case))
                counted["undecided"] += not can and due
                self.assertEqual(row["reorganized"], str(int(row["alarm"] == "1" and can)))
                if row["reorganized"] == "0":
                    continue
                counted["asked"] += 1
                found = asked[(*key, case)]
                start, first = int(found["member_start"]), int(found["block_start"])
                solution = []
                for size in sizes[first:first + int(found["blocks"])]:
                    solution.append(members[start:start + size])
                    start += size
                named = [a for members_of in solution for a in members_of]
                self.assertTrue(all(there[a] for a in named) and len(set(named)) == len(named), (key, case))
                missed = [a for a in range(16) if there[a] and a not in named]
                if key[0] != "dropped":
                    self.assertEqual((missed, row["gray"], row["black"]), ([], "passed", "passed"))
                    self.assertTrue(all(limits[0] <= len(members_of) <= limits[1] for members_of in solution))
                elif missed:
                    counted["dropped"] += 1
                    self.assertEqual((len(missed), row["gray"]), (1, "failed"))
                shown = labels[int(found["structure_start"]):int(found["structure_start"]) + int(found["labels"])]
                self.assertEqual(len(shown), 16)
                pairs = {(block.get(a), shown[a]) for a in range(16)}  # mine and those of the file, before it was asked
                self.assertTrue(all((one is None) == (str(other) == NOBODY) for one, other in pairs))
                self.assertEqual(len(pairs), len({one for one, _ in pairs}))
                self.assertEqual(len(pairs), len({other for _, other in pairs}))
                # who is missed stays where it was: with others of its block that were missed, or in none
                block = {a: 1000 + block[a] for a in missed if a in block} | {a: b for b, members_of in enumerate(solution) for a in members_of}
        self.assertGreater(min(counted.values()), 3, counted)
        self.assertGreater(min(counted["came"], counted["went"], counted["asked"]), 300, counted)

    def test_a_corridor_as_a_text_is_about_who_is_there(self):
        corridor = ["structure partitioning", "trigger lit: sum(a in agents: a.value) >= 6 and count(a in agents where a.type = 'van') <= 5",
                    "temporal returns: always (alarm implies true)"]
        self.experiment(corridor=corridor, suites=8, model=MODEL | {"structure": {"size_min": 1}}, arms=[arm for arm in ARMS if arm["name"] in ("spada", "random")])
        self.corridor("run", "e.json", "-o", "e.h5", "--progress", "none", code=None)
        ends = {}
        for key, _, cases in self.sequences("e.h5"):
            kinds = [row["type"] for row in self.table("agents") if (row["arm"], row["suite"]) == key[:2]] if (key[:2]) not in ends else ends[key[:2]]
            ends[key[:2]] = kinds
            _, before, _, _ = cases[0]
            for case, there, values, row in cases[1:]:
                came = any(now and not was for was, now in zip(before, there))
                before = there
                light = sum(value for value, now in zip(values, there) if now)
                vans = sum(kind == "van" and now for kind, now in zip(kinds, there))
                due = came or light < 6 or vans > 5
                if abs(light - 6) > 1e-9:
                    self.assertEqual((row["alarm"], row["detect"]), (str(int(due)), "passed"), (key, case, light, vans, came))
                    ends[due, came] = ends.get((due, came), 0) + 1
        self.assertGreater(min(ends[True, True], ends[True, False], ends[False, False]), 100)

    def test_an_objective_is_not_known_while_somebody_is_in_no_partition(self):
        corridor = ["structure partitioning", "define off(o): abs(mean(a in o.members: a.value) - 0.5)", "trigger near: all(o in organizations: off(o) <= 0.1)",
                    "objective even: sum(o in organizations: off(o) * count(o.members))"]
        self.experiment(corridor=corridor, model=MODEL | {"structure": {"size_min": 1}}, arms=[arm for arm in ARMS if arm["name"] in ("spada", "random")])
        self.corridor("run", "e.json", "-o", "e.h5", "--log-solutions", "--progress", "none", code=None)
        wanted = list(self.sequences("e.h5"))
        sizes, members = ([int(row[name]) for row in self.table(f"vectors/{name}")] for name in ("solution_block_size", "solution_member"))
        asked = {(row["arm"], row["suite"], row["sequence"], int(row["case"])): row for row in self.table("failures")}
        numbers = {(row["arm"], row["suite"], row["sequence"], int(row["case"])): row for row in self.table("objectives")}
        counted = {"whole": 0, "newcomers": 0, "grew": 0}
        for key, initial, cases in wanted:
            blocks = {}
            for agent, label in enumerate(initial):
                blocks.setdefault(label, []).append(agent)
            blocks = list(blocks.values())
            for case, there, values, _ in cases:
                blocks = [left for left in ([a for a in block if there[a]] for block in blocks) if left]
                row, new = numbers.get((*key, case)), sum(there) - sum(map(len, blocks))

                def weigh(all_blocks):
                    return sum(abs(sum(values[a] for a in block) - 0.5 * len(block)) for block in all_blocks)
                if not row:
                    continue
                was, alone = weigh(blocks), weigh([[a] for a in range(16) if there[a] and not any(a in block for block in blocks)])
                found = asked[(*key, case)]
                start, first, blocks = int(found["member_start"]), int(found["block_start"]), []
                for size in sizes[first:first + int(found["blocks"])]:
                    blocks.append(members[start:start + size])
                    start += size
                self.assertAlmostEqual(float(row["after"]), weigh(blocks), 9)
                if new:
                    self.assertEqual(row["before"], "NaN", (key, case))
                else:
                    self.assertAlmostEqual(float(row["before"]), was, 9)
                counted["newcomers" if new else "whole"] += 1
                if key[0] == "spada":  # who has come stands beside the others, in a partition of its own
                    self.assertLessEqual(weigh(blocks), was + alone + 1e-9, (key, case))
                    counted["grew"] += new > 0 and weigh(blocks) > was + 1e-9
        self.assertGreater(min(counted.values()), 20, counted)

    def test_it_is_said_in_how_many_cases_nobody_could_be_asked(self):
        ways = ({}, {"corridor": ["structure partitioning", "trigger lit: sum(a in agents: a.value) >= 6"]}, {"model": MODEL | {"structure": {"size_min": 1}}})
        for changes in ways:
            self.experiment(arms=ARMS[1:3], **changes)
            self.corridor("run", "e.json", "-o", "e.h5", "--progress", "none", "--force", code=None)
            self.corridor("export", "e.h5", "--all", "out", "--force")
            cases = self.table("cases")
            undecided = sum(row["detect"] == "undecided" for row in cases)
            said = " ".join(self.corridor("show", "e.h5").stdout.split())
            self.assertEqual(undecided > 0, changes is not ways[2])
            self.assertEqual(f"undecided cases {undecided} of {len(cases)}: nobody could be asked" in said, undecided > 0, said)
            self.assertEqual("undecided cases" in said, undecided > 0, said)
            # An arm in which nothing failed is undecided if a single case is; else it has no failed check.
            failed = {row["arm"] for row in cases if row["detect"] == "failed"}
            found = json.loads(self.corridor("show", "e.h5", "tables", "--json").stdout)["sheets"]["found"]["rows"]
            verdicts = {row["arm"]: row["verdict"] for row in found}
            for arm in ARMS[1:3]:
                is_open = any(row["arm"] == arm["name"] and row["detect"] == "undecided" for row in cases)
                if verdicts[arm["name"]] != "FAILS":
                    self.assertNotIn(arm["name"], failed)
                    self.assertEqual(verdicts[arm["name"]], "undecided" if is_open else "no check failed")
            code = 1 if "FAILS" in verdicts.values() else 7 if "undecided" in verdicts.values() else 0
            self.corridor("run", "e.json", "-o", "f.h5", "--progress", "none", "--force", "--fail-on", "any", code=code)

    def test_the_same_comes_of_it_each_time(self):
        self.experiment()
        self.corridor("run", "e.json", "-o", "a.h5", "--progress", "none", "--jobs", "1", code=None)
        self.corridor("run", "e.json", "-o", "b.h5", "--progress", "none", "--jobs", "3", code=None)
        self.corridor("plan", "e.json", "-o", "camp", "--suites", "--pilot", "0")
        self.corridor("run", "camp", "-o", "c.h5", "--progress", "none", code=None)
        for table in ("cases", "reorganizations", "sequences", "transitions"):
            one, other, third = (self.corridor("export", name, "--table", table).stdout for name in ("a.h5", "b.h5", "c.h5"))
            self.assertEqual(one, other)
            self.assertEqual(one, third)
        self.assertIn("equal: yes", self.corridor("replay", "a.h5").stdout)
        shares = {row["type"]: row for row in json.loads(self.corridor("plan", "e.json", "--pilot", "0", "--json").stdout)["sheets"]["presence"]["rows"]}
        self.assertEqual(list(shares), ["van"])
        self.assertAlmostEqual(shares["van"]["present_share"], 0.25 / 0.35)
        self.assertAlmostEqual(shares["van"]["stays_mean"], 10)

    def test_failures_shrink_to_who_must_come_and_go(self):
        self.experiment()
        self.corridor("run", "e.json", "-o", "e.h5", "--progress", "none", code=None)
        keys = [row["key"] for row in json.loads(self.corridor("failures", "e.h5", "--json").stdout)["sheets"]["failures"]["rows"]]
        self.assertGreater(len(keys), 3)
        self.corridor("shrink", "e.h5", "--failure", keys[0], "-o", "t.json")
        test = json.loads((self.folder / "t.json").read_text())
        self.assertEqual(len(test["presence_chain"]), test["agents"])
        self.corridor("replay", "t.json", "--expect", "failing")
        traced = self.corridor("replay", "e.h5", "--failure", keys[-1], "--trace").stdout
        self.assertIn("van_presence at ", traced)
        test["arm"]["algorithm"], test["parameters"] = "deal", {"budget": 1}
        (self.folder / "other.json").write_text(json.dumps(test))
        self.assertIn("deal does not take agents that come and go", " ".join(self.corridor("replay", "other.json", code=3).stderr.split()))
        self.assertIn("agents that come and go is not kept", " ".join(self.corridor("replay", "e.h5", "--failure", keys[0], "--dump", "task.json", code=3).stderr.split()))

    def test_what_is_not_supported_is_refused_by_name(self):
        self.experiment(arms=[{"name": "A", "algorithm": "deal"}])
        said = " ".join(self.corridor("plan", "e.json", code=3).stderr.split())
        self.assertIn("deal does not take agents that come and go", said)
        self.assertIn("such as spada", said)
        self.experiment(arms=ARMS[:1])
        self.assertIn("agents come and go, and who is there is not gone through", " ".join(self.corridor("stabilize", "e.json", code=3).stderr.split()))
        self.corridor("run", "e.json", "-o", "e.h5", "--progress", "none", code=None)
        said = " ".join(self.corridor("profile", "chain", "e.h5", "--agents", "van", code=3).stderr.split())
        self.assertIn('agents of type "van" come and go, and have no state while they are away', said)
        self.corridor("profile", "chain", "e.h5", "--agents", "pole")
        self.assertIn("takes agents that come and go", " ".join(self.corridor("list", "spada").stdout.split()))
        self.assertNotIn("takes agents that come and go", self.corridor("list", "deal").stdout)


if __name__ == "__main__":
    e2e.main()
