#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Structures that are no partitionings, from the experiment to the test file: each kind by built-in algorithms, in cells and by a
program, faults of algorithm, result and adoption, and the rows of the result file against a judge of their own."""
import csv
import io
import json
import stat

import h5py

import e2e

NOBODY = 4294967295
KINDS = ("covering", "overlapping", "hierarchy", "tree")
NESTED = ("hierarchy", "tree")
FAULTS = {False: ("greedy_cover", "forgets", "joins_twice"), True: ("balanced_tree", "orphan", "loop")}

ECHO = '''#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = {"protocol": 1, "name": "echo", "version": "1", "summary": "puts the present structure again",
                  "capabilities": ["covers", "nests"]}
    elif "task" in request:
        task = request["task"]
        assert task["rules"]["kind"] == sys.argv[1], task["rules"]
        assert ("parents" in task) == (sys.argv[1] in ("hierarchy", "tree"))
        answer = {"blocks": task["structure"]}
        if "parents" in task:
            answer["parents"] = task["parents"]
        if len(sys.argv) > 2:
            answer.update(json.loads(sys.argv[2]))
    else:
        break
    print(json.dumps({"id": request["id"], **answer}), flush=True)
'''


def trouble(kind, agents, blocks, parents):
    """What keeps this from being a structure of the kind, by its definition; None: nothing does."""
    homes = [sum(agent in block for block in blocks) for agent in range(agents)]
    for number, block in enumerate(blocks):
        if not block and number not in parents:
            return "empty"
        if len(set(block)) < len(block):
            return "repeated"
    if kind in NESTED and any(home != 1 for home in homes) or kind == "covering" and 0 in homes:
        return "homes"
    for number in range(len(blocks)):
        above = set()
        while number != NOBODY:
            if number in above or number >= len(blocks):
                return "parents"
            above.add(number)
            number = parents[number] if parents else NOBODY
    return "roots" if kind == "tree" and parents.count(NOBODY) != 1 else None


def key_of(row):
    return row["arm"], row["suite"], row.get("sequence", "0"), row.get("case", "0")


class Kinds(e2e.Case):
    def write(self, kind, arms, name="kinds.json", **others):
        content = {
            "corridor_experiment": 1, "name": "kinds", "seed": 7, "suites": 3, "sequences": 2, "cases": [15, 30],
            "model": {"corridor_model": 1, "parameters": {"agents": [6, 16], "k": [2, 4]}, "agents": "agents",
                      "structure": {"kind": kind, "count_min": "k", "count_max": "k"},
                      "environments": {"weather": {"random": {"states": 5}}}, "types": {"plant": {"level": [0, 1]}},
                      "inertia": [0.3, 0.8], "invariant": {"threshold": {"alarm_rate": 0.3}}},
            "arms": arms, **others}
        path = self.folder / name
        path.write_text(json.dumps(content))
        return path

    def run_it(self, path, output="r.h5", *options):
        self.corridor("run", path, "-o", output, "--force", "--progress", "none", *options)
        return output

    def rows(self, file, table):
        return list(csv.DictReader(io.StringIO(self.corridor("export", file, "--table", table).stdout)))

    def initial(self, file):
        """The initial structures as the tables say them: agents, organizations, parents by arm and suite."""
        found = {}
        for row in self.rows(file, "agents"):
            found.setdefault((row["arm"], row["suite"]), []).append({int(row["partition"])} - {NOBODY})
        for row in self.rows(file, "memberships"):
            found[row["arm"], row["suite"]][int(row["agent"])].add(int(row["organization"]))
        parents = {}
        for row in self.rows(file, "organizations"):
            parents.setdefault((row["arm"], row["suite"]), []).append(int(row["parent"]))
        for key, homes in found.items():
            count = max([len(parents.get(key, ()))] + [1 + max(home) for home in homes if home])
            yield key, len(homes), [[a for a, home in enumerate(homes) if o in home] for o in range(count)], parents.get(key, [])

    def verdicts(self, file):
        return {row["arm"]: row["verdict"] for row in
                json.loads(self.corridor("show", file, "tables", "--json").stdout)["sheets"]["found"]["rows"]}

    def test_sound_algorithms_are_not_accused_and_planted_faults_are_found(self):
        for kind in KINDS:
            algorithm, first, second = FAULTS[kind in NESTED]
            arms = [{"name": "sound", "algorithm": algorithm}, {"name": "random", "algorithm": "random"},
                    {"name": first, "algorithm": algorithm, "fault": first},
                    {"name": second, "algorithm": algorithm, "fault": second}]
            arms += [{"name": fault, "algorithm": algorithm, "adoption": {"fault": fault, "probability": 0.2}}
                     for fault in ("lost", "doubled", "misdirected", "halfway")]
            arms += [{"name": fault, "algorithm": algorithm, "result": {"fault": fault, "probability": 0.5}}
                     for fault in ("agent_dropped", "partition_dropped", "partition_split")]
            with self.subTest(kind=kind):
                file = self.run_it(self.write(kind, arms))
                verdicts = self.verdicts(file)
                for arm in ("sound", "random"):
                    self.assertEqual(verdicts.pop(arm), "no check failed", arm)
                if kind == "overlapping":  # nobody need be anywhere
                    self.assertEqual({verdicts.pop("forgets"), verdicts.pop("agent_dropped")}, {"not found"})
                if kind in ("hierarchy",):  # a second root is no fault of a hierarchy
                    self.assertEqual(verdicts.pop("orphan"), "not found")
                self.assertEqual(set(verdicts.values()), {"found"}, verdicts)
                for key, agents, blocks, parents in self.initial(file):
                    self.assertIsNone(trouble(kind, agents, blocks, parents), (kind, key))
                self.corridor("verify", file)
                said = json.loads(self.corridor("replay", file, "--failing", "--json").stdout)
                self.assertEqual(said["sheets"]["replay"]["row"]["equal"], True)

    def test_the_gray_box_says_of_each_solution_what_the_definition_says(self):
        for kind in KINDS:
            algorithm, first, second = FAULTS[kind in NESTED]
            arms = [{"name": fault, "algorithm": algorithm, "fault": fault} for fault in (first, second)]
            arms += [{"name": fault, "algorithm": "random", "result": {"fault": fault, "probability": 0.7}}
                     for fault in ("agent_dropped", "agent_duplicated", "agent_moved", "agents_swapped", "partition_dropped",
                                   "partitions_merged", "partition_split")]
            with self.subTest(kind=kind):
                file = self.run_it(self.write(kind, arms))
                with h5py.File(self.folder / file) as data:
                    sizes, members = data["vectors/solution_block_size"][()], data["vectors/solution_member"][()]
                    failures = {name: column[()] for name, column in data["failures"].items()}
                counts = {(row["arm"], row["suite"]): int(row["agents"]) for row in self.rows(file, "suites")}
                limits = {(row["arm"], row["suite"]): int(row["count_min"]) for row in self.rows(file, "suites")}
                parents = {}
                for row in self.rows(file, "failed_organizations"):
                    if row["solution"] == "1":
                        parents.setdefault(key_of(row), []).append(int(row["parent"]))
                judged = 0
                for number, row in enumerate(self.rows(file, "failures")):
                    at, blocks = int(failures["member_start"][number]), []
                    first = int(failures["block_start"][number])
                    for size in sizes[first:first + int(failures["blocks"][number])]:
                        blocks.append([int(agent) for agent in members[at:at + size]])
                        at += int(size)
                    suite = row["arm"], row["suite"]
                    bad = trouble(kind, counts[suite], blocks, parents.get(key_of(row), [])) or len(blocks) != limits[suite]
                    self.assertEqual(row["gray"], "failed" if bad else "passed", (row, blocks, parents.get(key_of(row))))
                    judged += 1
                self.assertGreater(judged, 40)

    def test_limits_that_are_promised_are_kept(self):
        for kind in KINDS:
            arms = [{"name": name, "algorithm": name} for name in (FAULTS[kind in NESTED][0], "random")]
            path = self.write(kind, arms, suites=6, sequences=1)
            content = json.loads(path.read_text())
            content["model"]["parameters"] = [{"agents": [6, 16], "s_min": [1, 3]}, {"s_max": ["s_min + 1", "s_min + 4"]}]
            content["model"]["structure"] = {"kind": kind, "size_min": "s_min", "size_max": "s_max"}
            path.write_text(json.dumps(content))
            with self.subTest(kind=kind):
                file = self.run_it(path)
                self.assertEqual(set(self.verdicts(file).values()), {"no check failed"})
                bounds = {(row["arm"], row["suite"]): (int(row["size_min"]), int(row["size_max"])) for row in self.rows(file, "suites")}
                for key, _, blocks, _ in self.initial(file):
                    low, high = bounds[key]
                    self.assertTrue(all(low <= len(block) <= high for block in blocks), (kind, key, blocks))

    def test_cells_and_workers_change_nothing(self):
        for kind in ("covering", "tree"):
            algorithm = FAULTS[kind in NESTED][0]
            path = self.write(kind, [{"name": "a", "algorithm": algorithm}, {"name": "b", "algorithm": "random"}], suites=2, sequences=2)
            plain = (self.folder / self.run_it(path, "plain.h5", "--isolate", "never", "--jobs", 1)).read_bytes()
            self.run_it(path, "cells.h5", "--isolate", "always", "--jobs", 2)
            hashes = {self.corridor("show", file, "--hash").stdout for file in ("plain.h5", "cells.h5")}
            self.assertEqual(len(hashes), 1, kind)
            self.assertTrue(plain)

    def test_a_program_gets_and_gives_structures_of_any_kind(self):
        program = self.folder / "echo.py"
        program.write_text(ECHO)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        for kind in KINDS:
            arm = {"name": "echo", "algorithm": {"command": f"{program} {kind}"}}
            path = self.write(kind, [arm], suites=1, sequences=2, cases=12)
            self.assertEqual(self.verdicts(self.run_it(path)), {"echo": "no check failed"}, kind)
        # Who hangs blocks by how often it was asked is found out by what a fresh process answers, though no block differs.
        program.write_text(ECHO.replace("for line in", "served = 0\nfor line in").replace(
            'answer["parents"] = task["parents"]',
            'served += 1; answer["parents"] = [None] + [0 if served == 1 else b for b in range(len(answer["blocks"]) - 1)]'))
        structure = {"kind": "tree", "count_min": 4, "count_max": 4}
        path = self.write("tree", [{"name": "echo", "algorithm": {"command": f"{program} tree"}}], suites=1, sequences=1, cases=12)
        content = json.loads(path.read_text())
        content["model"].update(structure=structure, invariant={"threshold": 0.01})
        path.write_text(json.dumps(content))
        smokes = [row["smoke"] for row in self.rows(self.run_it(path), "reorganizations")]
        self.assertIn("leaked", smokes)
        program.write_text(ECHO)
        answers = {'{"parents": [0]}': "smoke", '{"blocks": [[0], [1]], "parents": [null, 7]}': "gray", '{"parents": 3}': "smoke"}
        for answer, box in answers.items():
            arm = {"name": "echo", "algorithm": {"command": f"{program} tree '{answer}'"}}
            path = self.write("tree", [arm], suites=1, sequences=1, cases=12)
            file = self.run_it(path)
            rows = self.rows(file, "reorganizations")
            self.assertTrue(all(row["gray"] == ("failed" if box == "gray" else "smoke") for row in rows) and rows, (answer, rows))
            checks = {row["check"] for row in self.rows(file, "violations")}
            self.assertEqual("parent_unknown" in checks, box == "gray", checks)

    def test_suites_as_files_and_shrunk_tests_fail_alike(self):
        for kind in KINDS:
            algorithm = FAULTS[kind in NESTED][0]
            arms = [{"name": "lost", "algorithm": algorithm, "adoption": {"fault": "misdirected", "probability": 0.3}}]
            path = self.write(kind, arms, suites=2, sequences=2)
            file = self.run_it(path)
            with self.subTest(kind=kind):
                self.corridor("plan", path, "-o", f"{kind}-suites", "--suites", "--pilot", 0)
                self.corridor("run", f"{kind}-suites", "-o", "again.h5", "--force", "--progress", "none")
                tables = [self.rows(name, table) for name in (file, "again.h5")
                          for table in ("cases", "violations", "memberships", "organizations", "failed_memberships", "failed_organizations")]
                self.assertEqual(tables[:6], tables[6:])
                failure = next(iter(self.rows(file, "violations")))
                key = "/".join(failure[name] for name in ("arm", "suite", "sequence", "case"))
                self.corridor("shrink", file, "--failure", key, "-o", f"{kind}.json")
                test = json.loads((self.folder / f"{kind}.json").read_text())
                self.assertEqual((test["kind"], "initial_parents" in test), (kind, kind in NESTED))
                parents = [NOBODY if p is None else p for p in test.get("initial_parents", [])]
                self.assertIsNone(trouble(kind, test["agents"], test["initial_organizations"], parents))
                self.corridor("replay", f"{kind}.json", "--expect", "failing")


if __name__ == "__main__":
    e2e.main()
