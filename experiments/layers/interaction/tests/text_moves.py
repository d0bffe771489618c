#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each move of an adoption is judged, in structures of every kind. Solutions at random, sound and spoilt, and moves of a program's own:
from what the result file has of structures and solutions, adoptions are made once more here, move after move, by tables of who is
where, with and without faults of adoption; a naive evaluator judges what is between, and must find what the result file has. A fault
of adoption that only what is between two moves can show is found; sound algorithms are silent.

  text_moves.py CORRIDOR SUITES
"""
import csv
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "oracle" / "corridor" / "tests"))
import naive_corridor  # noqa: E402

CORRIDOR, SUITES = os.path.abspath(sys.argv[1]), int(sys.argv[2])
KINDS = naive_corridor.KINDS
AGENTS = 6
NESTS = ("hierarchy", "tree")
PARENTS = {"parent_unknown", "parent_cycle", "several_roots"}

CONSTRAINTS = {
    "number": "count(organizations) <= 6",
    "sizes": "all(o in organizations: count(o.members) <= 4)",
    "filled": "all(o in organizations: count(o.members) >= 1)",
    "somewhere": "any(a in agents: count(a.organizations) >= 1)",
    "once": "all(a in agents: count(a.organizations) <= 2)",
    "light": "all(o in organizations: sum(a in o.members: a.x) <= 2.0503)"}
OF_TREES = {
    "deep": "all(o in organizations: o.level <= 3)",
    "wide": "all(o in organizations: count(o.children) <= 2)",
    "tops": "count(o in organizations where o.is_root) <= 2",
    "below": "all(o in organizations where not o.is_root: count(o.parent.members) >= 1)"}

MOVES = """def moves(way, blocks):
    plan = [[agent, b] for b, block in enumerate(blocks) for agent in block]
    if way == 1:  # by a detour
        plan = [[agent, c] for agent, b in reversed(plan) for c in ((b + 1) % len(blocks), b)]
    if way == 2:  # each twice: what is wrong after the first is mended by the second
        plan = [move for move in plan for _ in range(2)]
    return plan
"""
exec(MOVES)

PROGRAM = '''#!/usr/bin/env python3
import json, random, sys

%s
def solve(task):
    way = task["parameters"]["way"]
    rng, n, kind = random.Random(int(task["seed"], 16)), len(task["values"][0]), task["rules"].get("kind", "partitioning")
    count = rng.randint(1, 4)
    blocks, parents = [[] for _ in range(count)], [None] * count
    for agent in range(n):
        most = {"covering": (1, 2), "overlapping": (1, 2)}.get(kind, (1,))
        places = rng.sample(range(count), min(count, rng.choice(most)))
        for b in places:
            blocks[b].append(agent)
    if kind in ("hierarchy", "tree"):
        order = rng.sample(range(count), count)
        for at in range(1, count):
            if kind == "tree" or rng.random() < 0.7:
                parents[order[at]] = order[rng.randrange(at)]
        below = lambda b: any(parents[c] == b for c in range(count))
    else:
        below = lambda b: False
    for b in range(count):  # nobody in it, nobody below it
        if not blocks[b] and not below(b):
            most = max(range(count), key=lambda c: len(blocks[c]))
            if kind in ("covering", "overlapping"):
                blocks[b].append(rng.randrange(n))
            elif len(blocks[most]) > 1 or below(most):
                blocks[b].append(blocks[most].pop())
    answer = {"blocks": blocks}
    if kind in ("hierarchy", "tree"):
        answer["parents"] = parents
    answer["moves"] = moves(way, blocks)
    return answer

for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = {"protocol": 1, "name": "mover", "version": "1", "summary": "any structure, and a way there",
                  "capabilities": ["covers", "nests", "moves"],
                  "parameters": [{"name": "way", "unit": "1", "meaning": "1: by a detour, 2: each move twice", "default": 1,
                                  "min": 1, "max": 2, "integer": True}]}
    elif "task" in request:
        answer = solve(request["task"])
    else:
        break
    print(json.dumps({"id": request["id"], **answer}), flush=True)
'''.replace("%s", MOVES)


# ---- adoptions, once more

class Adoption:
    """Who is where: members by organization, ("old", i) or ("new", b)."""

    def __init__(self, kind, task, answer, fault):
        self.kind, self.fault, self.nests = kind, fault, kind in NESTS
        old, self.blocks = task["structure"], answer["blocks"]
        self.members = {("old", o): list(block) for o, block in enumerate(old)}
        self.members.update({("new", b): [] for b in range(len(self.blocks))})
        above = task["parents"]
        self.above = {("old", o): None if parent is None else ("old", parent) for o, parent in enumerate(above)}
        self.above.update({("new", b): None for b in range(len(self.blocks))})
        self.first_move, self.last = set(), {}
        plan = moves(answer["way"], self.blocks)
        named = {agent for block in self.blocks for agent in block}
        leaving = [a for a in range(AGENTS) if kind == "overlapping" and a not in named and any(a in block for block in old)]
        hangs = [(b, parent) for b, parent in enumerate(answer["parents"]) if self.nests and parent is not None]
        left = len(plan) + len(leaving) + len(hangs)
        if fault == "halfway":
            left //= 2
        self.steps = [("join", agent, b) for agent, b in plan[:left] if agent < AGENTS and b < len(self.blocks)]
        left -= min(left, len(plan))
        self.steps += [("leave", agent, None) for agent in leaving[:left]]
        left -= min(left, len(leaving))
        hung = {}
        for at, (b, parent) in enumerate(hangs):
            way = parent
            while way is not None and way != b:
                way = hung.get(way)
            if parent < len(self.blocks) and way is None:
                hung[b] = parent
                if at < left and fault != "lost":
                    self.above["new", b] = ("new", parent)

    def leave(self, agent, ages):
        for key, members in self.members.items():
            if key[0] in ages:
                members[:] = [a for a in members if a != agent]

    def join(self, agent, block):
        is_first = agent not in self.first_move
        self.first_move.add(agent)
        alone = self.nests or self.kind == "partitioning"
        if (is_first or alone) and self.fault != "doubled":
            self.leave(agent, ("old", "new") if alone else ("old",))
        if self.fault != "lost" and (self.kind == "partitioning" or agent not in self.members["new", block]):
            self.members["new", block].append(agent)

    def states(self):
        """The structure after each move."""
        for what, agent, block in self.steps:
            if what == "join":
                self.join(agent, block)
            elif self.fault != "doubled":
                self.leave(agent, ("old",))
            yield self.now()

    def now(self):
        above = dict(self.above)
        there = set()
        for key, members in self.members.items():
            while members and key is not None and key not in there:
                there.add(key)
                key = above[key]
        order = sorted(there)  # "new" is less than "old"
        roots = [key for key in order if key[0] == "new" and above[key] is None]
        if self.kind == "tree" and roots:
            above.update({key: roots[0] for key in above if key[0] == "old" and above[key] is None})
        state = {"organizations": [self.members[key] for key in order]}
        if self.nests:
            state["parents"] = [None if above[key] is None else order.index(above[key]) for key in order]
        return state


def judged(kind, state, values, constraints):
    state = dict(state, agents=[{"x": x} for x in values], parameters={})
    world = naive_corridor.World(state)
    return ({check for check, _, _ in naive_corridor.kind_violations(kind, state)},
            {name: world.verdict(node) for name, node in constraints.items()})


def expected_of(kind, task, answer, fault, constraints):
    """What is to be found between moves; how many structures are; the last one."""
    values = task["values"]
    structure = {"organizations": task["structure"], **({"parents": task["parents"]} if kind in NESTS else {})}
    checks, before = judged(kind, structure, values, constraints)
    said = {"organizations": answer["blocks"], **({"parents": answer["parents"]} if kind in NESTS else {})}
    own = PARENTS if PARENTS & judged(kind, said, values, {})[0] else set()
    found, names, looks, state = set(), set(), 0, structure
    for looks, state in enumerate(Adoption(kind, task, answer, fault).states()):  # of the last it is known when there is another
        if looks > 0:
            found |= seen[0] - checks - own
            names |= {name for name, verdict in seen[1].items() if verdict == "violated" and before[name] == "holds"}
        seen = judged(kind, state, values, constraints)
    return found, names, looks, state


# ---- campaigns

SKY = {"states": ["dark", "bright"],
       "transitions": {"dark": {"dark": 0.7, "bright": 0.3}, "bright": {"dark": 0.4, "bright": 0.6}}}


def experiment(kind, constraints, arms, suites, sequences, cases, agents=AGENTS):
    kept = "all(o in organizations: count(o.members) > 100)"
    return {"corridor_experiment": 1, "name": kind, "seed": "0x7", "suites": suites, "sequences": sequences, "cases": cases,
            "model": {"corridor_model": 1, "agents": agents, "groups": {"count": 2}, "locations": "per_group", "mixed_groups": True,
                      "environments": {"sky": {"profile": SKY}}, "structure": {"kind": kind}, "invariant": {"threshold": 0.3},
                      "attributes": {"x": {"real": [0, 1], "draw": [0.1, 0.9]}},
                      "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1},
                                         "influence": {"dark": "on", "bright": "off"}},
                                "roof": {"environment": "sky", "states": {"low": 0.2, "high": 0.8},
                                         "influence": {"dark": "low", "bright": "high"}}}},
            "corridor": ["structure " + kind, "attribute x: real"] + ["invariant %s: %s" % pair for pair in constraints.items()] + ["trigger kept: " + kept],
            "arms": [{"judge_moves": True, "returns": 1000, **arm} for arm in arms]}


def run(made, base, *options):
    with open(base + ".json", "w", encoding="utf-8") as out:
        json.dump(made, out)
    done = subprocess.run([CORRIDOR, "run", base + ".json", "-o", base + ".h5", "--progress", "none", "--jobs", "1", *options],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

    def table(name):
        said = subprocess.run([CORRIDOR, "export", base + ".h5", "--table", name], check=True, capture_output=True, text=True)
        return list(csv.DictReader(io.StringIO(said.stdout)))

    return table


def place(row):
    return row["arm"], row["suite"], row["sequence"], row["case"]


def told_of(table):
    """Structures and solutions of each arm in their order, as the result file has them."""
    size, member, label = ([int(value) for row in table("vectors/" + name) for value in row.values()]
                           for name in ("solution_block_size", "solution_member", "structure"))
    values, more, above, told = {}, {}, {}, {}
    for row in table("attributes"):
        values.setdefault((row["arm"], row["suite"]), []).append(float(row["value"]))
    for row in table("failed_memberships"):
        more.setdefault(place(row), []).append((int(row["agent"]), int(row["organization"])))
    for row in table("failed_organizations"):
        parent = None if row["parent"] == str(2**32 - 1) else int(row["parent"])
        above.setdefault((place(row), row["solution"]), []).append(parent)
    for row in table("failures"):
        at, block = int(row["member_start"]), int(row["block_start"])
        blocks = []
        for count in size[block:block + int(row["blocks"])]:
            blocks.append(member[at:at + count])
            at += count
        start = int(row["structure_start"])
        homes = [(agent, o) for agent, o in enumerate(label[start:start + AGENTS]) if o != 2**32 - 1] + more.get(place(row), [])
        parents = above.get((place(row), "0"), [None] * (1 + max((o for _, o in homes), default=-1)))
        structure = [[agent for agent, home in homes if home == o] for o in range(len(parents))]
        told.setdefault(row["arm"], []).append(
            ({"structure": structure, "parents": parents, "values": values[row["arm"], row["suite"]]},
             {"blocks": blocks, "parents": above.get((place(row), "1"), [None] * len(blocks))}))
    return told


# Who proposes, how its result is spoilt, whose moves (0: the testbed's), and a fault of adoption that strikes always: nothing is drawn.
SPOILT = (None, "agent_dropped", "agent_duplicated", "partition_dropped", "partitions_merged", "partition_split")
ARMS = {"%s %s" % (result, fault): ("random", result, 0, fault) for result in SPOILT for fault in (None, "lost", "doubled", "halfway")}
OF_PROGRAM = {"way %d %s" % (way, fault): ("mover", None, way, fault) for way in (1, 2) for fault in (None, "lost", "doubled", "halfway")}


def adoptions_are_what_they_are_here(folder, kind, suites):
    base = os.path.join(folder, kind)
    texts = {**CONSTRAINTS, **(OF_TREES if kind in NESTS else {})}
    constraints = {name: naive_corridor.parse(text) for name, text in texts.items()}
    arms = {**ARMS, **(OF_PROGRAM if suites > 1 else {})}
    made = []
    for name, (algorithm, result, way, fault) in arms.items():
        arm = {"name": name, "algorithm": os.path.join(folder, "mover.py") if way else algorithm}
        arm.update({"parameters": {"way": way}} if way else {})
        arm.update({"result": {"fault": result, "probability": 0.5}} if result else {})
        arm.update({"adoption": {"fault": fault, "probability": 1}} if fault else {})
        made.append(arm)
    table = run(experiment(kind, texts, made, suites, 2, 4), base, "--log-solutions")
    checks, names, rows = {}, {}, {}
    for row in table("violations"):
        if row["box"] == "move" and row["check"] != "constraint_violated":
            checks.setdefault(place(row), set()).add(row["check"])
    for row in table("constraints"):
        if row["box"] == "move":
            assert row["verdict"] == "failed", row
            names.setdefault(place(row), set()).add(row["constraint"])
    for row in table("reorganizations"):
        rows.setdefault(row["arm"], []).append(row)
    told = told_of(table)
    count, looks, found = 0, 0, set()
    for name, (_, _, way, fault) in arms.items():
        assert len(rows[name]) == len(told[name]) > 0, (kind, name)
        last = None
        for row, (task, answer) in zip(rows[name], told[name]):
            answer["way"] = way
            if last and last[0] == place(row)[:3]:  # the adoption before led to what is asked about
                assert shape(last[1]) == shape({"organizations": task["structure"], "parents": task["parents"]}), (kind, row, task, answer, last)
            about = (kind, place(row), task, answer)
            wanted, wrong, between, state = expected_of(kind, task, answer, fault, constraints)
            assert checks.pop(place(row), set()) == wanted, (about, wanted)
            assert names.pop(place(row), set()) == wrong, (about, wrong)
            assert int(row["partitions_after"]) == len(state["organizations"]), (about, row, state)
            last = (place(row)[:3], state)
            count, looks = count + 1, looks + between
            found |= wanted | wrong
    assert not checks and not names, (kind, checks, names)
    return count, looks, found


def shape(state):
    parents = state.get("parents") or [None] * len(state["organizations"])
    lists = [tuple(sorted(block)) for block in state["organizations"]]
    return sorted((lists[o], () if parents[o] is None else lists[parents[o]]) for o in range(len(lists)))


def what_is_mended_was_wrong(folder, kind, suites):
    """An agent is lost and found again: nobody but who looks between the moves can tell."""
    base = os.path.join(folder, kind + "-mended")
    texts = {"somewhere": "all(a in agents: count(a.organizations) >= 1)"}
    arms = [{"name": name, "algorithm": os.path.join(folder, "mover.py"), "parameters": {"way": 2}, **keys} for name, keys in
            {"sound": {}, "lost": {"adoption": {"fault": "lost", "probability": 0.15}},
             "not looked at": {"adoption": {"fault": "lost", "probability": 0.15}, "judge_moves": False}}.items()]
    table = run(experiment(kind, texts, arms, suites, 4, 3), base)
    agreed = {place(row) for row in table("reorganizations") if row["black"] == row["agreement"] == "passed"}
    rows = [row for row in table("violations") if row["box"] == "move"]
    mended = [row for row in rows if place(row) in agreed]
    assert {row["arm"] for row in rows} == {"lost"}, (kind, rows)
    wanted = {"constraint_violated"} if kind == "overlapping" else {"constraint_violated", "agent_missing"}
    assert {row["check"] for row in mended} == wanted, (kind, mended)
    # It is shown wherever failures are.
    row = mended[0]
    key = "/".join(place(row))
    said = subprocess.run([CORRIDOR, "failures", base + ".h5", "--json"], capture_output=True, text=True).stdout
    classes = {failure["key"]: failure["class"].split(",") for failure in json.loads(said)["failures"]}
    assert set(classes[key]) == {"move." + check for check in wanted}, (kind, key, classes[key])
    said = subprocess.run([CORRIDOR, "replay", base + ".h5", "--failure", key, "--trace", "--trust", "--json"], check=True,
                          capture_output=True, text=True).stdout
    traced = [row["violated"] or "" for row in json.loads(said)["sheets"]["trace"]["rows"]]
    assert any(text.startswith("move: ") for text in traced), (kind, key, traced)
    tables = subprocess.run([CORRIDOR, "show", base + ".h5", "tables", "--json"], capture_output=True, text=True).stdout
    by = {(row["arm"], row["constraint"]): row for row in json.loads(tables)["sheets"]["constraints"]["rows"]}
    assert by["lost", "somewhere"]["move"] > 0 == by["sound", "somewhere"]["move"]
    return len(mended)


SOUND = {"partitioning": ("random", "psopp", "spada", "exchange", "deal"), "covering": ("random", "greedy_cover"),
         "overlapping": ("random", "greedy_cover"), "hierarchy": ("random", "balanced_tree"), "tree": ("random", "balanced_tree")}


def the_sound_are_silent(folder, kind, suites):
    """Of their kind after each move, whatever the order; what says nothing of the way is met on it."""
    base = os.path.join(folder, kind + "-sound")
    texts = {"some": "count(organizations) >= 1", "whole": "count(agents) = 13", "full": "any(o in organizations: count(o.members) >= 1)"}
    if kind in NESTS:
        texts["rooted"] = "all(o in organizations: o.is_root or o.parent.level < o.level)"
        texts["tops"] = "any(o in organizations: o.is_root)"
    if kind == "tree":
        texts["tops"] = "one(o in organizations: o.is_root)"
    arms = [{"name": name, "algorithm": name} for name in SOUND[kind]]
    table = run(experiment(kind, texts, arms, suites, 2, 20, 13), base)
    rows = table("violations")
    assert not rows, (kind, rows[:3])
    return len(table("reorganizations"))


def main():
    adoptions = looks = mended = silent = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mover.py")
        with open(path, "w", encoding="utf-8") as out:
            out.write(PROGRAM)
        os.chmod(path, 0o755)
        for kind in KINDS if SUITES > 1 else ("overlapping", "tree"):
            count, between, seen = adoptions_are_what_they_are_here(folder, kind, SUITES)
            adoptions, looks = adoptions + count, looks + between
            print(kind, sorted(seen))
            if SUITES > 1 or kind == "tree":
                mended += what_is_mended_was_wrong(folder, kind, min(SUITES, 4))
            silent += the_sound_are_silent(folder, kind, min(SUITES, 4))
    print("%d adoptions, %d structures between moves, %d mended, %d sound" % (adoptions, looks, mended, silent))


main()
