#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What "corridor prove" says of corridors at random, held against all structures within the bounds: each is made, and judged by the evaluator
of naive_corridor.py, which shares nothing with the program.

usage: naive_proofs.py CORRIDOR_BINARY NAIVE_CORRIDOR TEXTS
"""
import collections
import importlib.util
import itertools
import json
import pathlib
import random
import resource
import re
import subprocess
import sys
import tempfile

spec = importlib.util.spec_from_file_location("naive_corridor", sys.argv[2])
naive = importlib.util.module_from_spec(spec)
spec.loader.exec_module(naive)

STRUCTURES_MOST = 1500 if int(sys.argv[3]) < 100 else 5000
# The values of each name, as the text declares them; what a text does not use is left out.
ATTRIBUTES = {"x": ("real 1 .. 1", [1]), "n": ("integer 0 .. 1", [0, 1]), "kind": ("words crane, truck", ["crane", "truck"]),
              "ready": ("boolean", [False, True]), "type": ("words v, w", ["v", "w"]), "value": ("real 0.5 .. 0.5", [0.5])}
PARAMETERS = {"p": ("real 2 .. 2", [2]), "q": ("real -1 .. -1", [-1]), "k": ("integer 0 .. 2", [0, 1, 2]),
              "mode": ("words day, night", ["day", "night"]), "on": ("boolean", [False, True])}
DEFINITIONS = naive.HEAD[naive.HEAD.index("define"):]


class Parser(naive.Parser):
    """Keeps implications: what is left of them is looked at."""

    def implies(self):
        left = self.disjunction()
        return ("implies", left, self.implies()) if self.take("implies") else left


def parse(text):
    parser = Parser(text)
    made = parser.implies()
    assert parser.tokens == [("end", None)], parser.tokens
    return made


class World(naive.World):
    """Notes implications by their identity: which were seen, and whose left side holds for elements that are looked at."""

    def __init__(self, state, held):
        super().__init__(state)
        self.held, self.counts = held, True

    def query(self, word, name, collection, where, body, bound):
        elements = self.value(collection, bound)
        outer = self.counts
        for e in elements or []:
            inner = {**bound, name: e}
            passes = True if where is None else self.value(where, inner)
            self.counts = outer and passes is True
            if body is not None:
                self.value(body, inner)
            self.counts = outer
        self.counts = False
        value = super().query(word, name, collection, where, body, bound)
        self.counts = outer
        return value

    def value(self, node, bound):
        if node[0] == "implies":
            left, right = self.value(node[1], bound), self.value(node[2], bound)
            self.held[id(node)] = self.held.get(id(node), False) or (self.counts and left is True)
            return naive.kleene_not(naive.kleene_and((left, naive.kleene_not(right))))
        return super().value(node, bound)


def implications(node):
    return ([node] if node[0] == "implies" else []) + [found for part in node for found in (implications(part) if isinstance(part, tuple) else
            [f for p in part if isinstance(p, tuple) for f in implications(p)] if isinstance(part, list) else [])] if isinstance(node, tuple) and node else []


def forests(kind, count):
    """Parents of organizations, each parent before its children."""
    if kind not in ("hierarchy", "tree"):
        return [[None] * count]
    ways = [([None] if kind == "hierarchy" or o == 0 else []) + list(range(o)) for o in range(count)]
    return [list(way) for way in itertools.product(*ways)]


def rows(kind, count):
    """What an agent can be in."""
    if kind in ("covering", "overlapping"):
        return [row for size in range(kind == "covering", count + 1) for row in itertools.combinations(range(count), size)]
    return [(o,) for o in range(count)]


def structures(kind, agents, organizations, attributes, parameters):
    """All within the bounds, but for how agents are numbered."""
    values = list(itertools.product(*(ATTRIBUTES[name][1] for name in attributes)))
    given = [dict(zip(parameters, way)) for way in itertools.product(*(PARAMETERS[name][1] for name in parameters))]
    for count in range(organizations[0], organizations[1] + 1):
        types = list(itertools.product(rows(kind, count), values))
        for n in range(agents[0], agents[1] + 1):
            for way in itertools.combinations_with_replacement(types, n):
                lists = [[a for a in range(n) if o in way[a][0]] for o in range(count)]
                for parents in forests(kind, count):
                    if any(not lists[o] and o not in parents for o in range(count)):
                        continue
                    for those in given:
                        yield {"agents": [dict(zip(attributes, v)) for _, v in way], "organizations": lists, "parents": parents, "parameters": those}


def write_texts(rng, writer, count):
    """Constraints at random, and some that have to do with others."""
    plain = ["all(o in organizations: count(o.members) <= k)", "all(o in organizations: count(o.members) >= 2)", "count(organizations) >= 2",
             "all(a in agents: count(a.organizations) <= 1)", "sum(a in agents: a.n) <= 1", "mean(a in agents: a.n) * 2 >= 1",
             "max(o in organizations: mean(a in o.members: a.n)) - min(o in organizations: mean(a in o.members: a.n)) <= 0.5",
             "any(o in organizations: all(a in o.members: a.ready)) implies on", "all(o in organizations: sum(a in o.members: a.n) = 1)",
             "all(a in agents: a.ready implies a.kind = 'crane')", "all(a in agents where a.n > 0: a.ready)", "count(organizations) > 4 implies on",
             "all(o in organizations: mean(a in o.members: a.n) >= 0.5)", "mean(a in agents: a.n) = 0.5", "mean(a in agents where a.ready: a.n) > 0.4",
             "max(o in organizations: count(o.members)) <= 2", "min(o in organizations: count(o.members)) >= k", "min(a in agents where a.ready: a.n) >= 1",
             "max(a in agents where a.ready: a.n) - min(a in agents where a.ready: a.n) < 1", "min(a in agents: k - a.n) > k - 2",
             "all(a in agents where max(b in agents where b.ready: b.n) > 0: on)", "one(a in agents: a.ready)", "one(o in organizations: count(o.members) > 1)",
             "count(a in agents where min(b in agents where b.ready: b.n) = a.n) <= 1", "any(a in agents where max(b in agents where b.ready: b.n) = 0: on)",
             "one(a in agents where max(b in agents where b.ready: b.n) > 0: on)", "count(agents) / 2 = count(organizations)", "count(agents) % 3 != k",
             "any(a in agents: any(o in a.organizations: count(o.members) = 1))", "all(a in agents: all(b in agents: a = b or a.n != b.n))"]
    if writer.nests:
        plain += 4 * ["all(o in organizations: o.level <= 1)", "any(o in organizations: o.parent.level = 0)", "count(o in organizations where o.is_root) <= 1",
                      "all(o in organizations: count(o.children) <= 1)", "all(o in organizations: mean(a in o.members: a.n) <= 1)",
                      "all(o in organizations where not o.is_root: count(o.parent.members) >= 1)", "max(o in organizations: o.level) = k"]
    texts = []
    for _ in range(count):
        other, choice = rng.choice(texts) if texts else None, rng.random()
        fresh = rng.choice(plain) if rng.random() < 0.7 else writer.condition(2, [])
        if other and choice < 0.4:
            fresh = rng.choice((f"({other}) and ({fresh})", f"({other}) or ({fresh})", f"not ({other})", f"not (not ({other}))",
                                f"({other}) implies ({fresh})"))
        texts.append(fresh.replace("fork lift", "truck"))
    return texts


def subsets_hold(vectors, constraints):
    """Is there a structure in which all of these hold?"""
    return any(all(vector[c] is True for c in constraints) for vector in vectors)


def expect(about, found, expected, share):
    """An answer is the right one, or none."""
    share["undecided" if found == "undecided" else "decided"] += 1
    assert found in ("undecided", "yes" if expected else "no"), (about, found, expected)


def hold_proof(about, said, vectors, premises, share):
    names = [row["name"] for row in said["constraints"]]
    everything = range(len(names))
    index = names.index
    expect((about, "answer"), {"satisfiable": "yes", "empty": "no"}.get(said["answer"], "undecided"), subsets_hold(vectors, everything), share)
    if said["answer"] == "empty":
        conflict = [index(name) for name in said["conflict"]]
        assert not subsets_hold(vectors, conflict), (about, "no conflict", conflict)
        assert all(subsets_hold(vectors, [c for c in conflict if c != out]) for out in conflict), (about, "no minimal conflict", conflict)
    for c, row in enumerate(said["constraints"]):
        expect((about, c, "satisfiable"), row["satisfiable"], subsets_hold(vectors, [c]), share)
        expect((about, c, "can_be_violated"), row["can_be_violated"], any(vector[c] is False for vector in vectors), share)
        follows = lambda by: all(vector[c] is True for vector in vectors if all(vector[d] is True for d in by))
        others = [d for d in everything if d != c]
        ways = [others] if subsets_hold(vectors, others) else [[]] + [[d] for d in others if subsets_hold(vectors, [d])]
        expect((about, c, "implied"), row["implied"], any(follows(way) for way in ways), share)
        assert (row["implied_by"] is not None) == (row["implied"] == "yes"), (about, row)
        if row["implied"] == "yes":
            by = [index(name) for name in row["implied_by"]]
            assert c not in by and subsets_hold(vectors, by) and follows(by), (about, c, by)
            assert not any(follows([d for d in by if d != out]) for out in by), (about, c, "could be spared", by)
    equal = {(a, b) for a, b in itertools.combinations(everything, 2)
             if all((v[a] is True) == (v[b] is True) for v in vectors) and subsets_hold(vectors, [a])}
    found = {tuple(map(index, pair)) for pair in said["equivalent"]}
    assert found <= equal, (about, found, equal)
    share["decided"] += len(found)
    share["undecided"] += len(equal - found)
    for c, name in enumerate(names):
        answers = sorted(row["can_hold"] for row in said["premises"] if row["constraint"] == name)
        expected = sorted("yes" if held else "no" for held in premises[c])
        share["decided"] += len(answers) - answers.count("undecided")
        share["undecided"] += answers.count("undecided")
        assert "undecided" in answers or answers == expected, (about, name, answers, expected)
    share["empty"] += said["answer"] == "empty"
    share["implied"] += sum(row["implied"] == "yes" for row in said["constraints"])
    share["never violated"] += sum(row["can_be_violated"] == "no" for row in said["constraints"])
    share["equivalent"] += len(found)
    share["premises that never hold"] += sum(row["can_hold"] == "no" for row in said["premises"])


def hold_example(about, kind, said, parsed, agents, organizations):
    state = said["example"]
    assert naive.kind_violations(kind, state) == [] and state["kind"] == kind, (about, state)
    assert agents[0] <= len(state["agents"]) <= agents[1] and organizations[0] <= len(state["organizations"]) <= organizations[1], (about, state)
    world = World({"parents": [None] * len(state["organizations"]), **state}, {})
    assert all(world.value(node, {}) is True for node in parsed), (about, state)


def hold_one(binary, folder, seed, share):
    rng, kind = random.Random(seed), naive.KINDS[seed % len(naive.KINDS)]
    nests = kind in ("hierarchy", "tree")
    while True:
        texts = write_texts(rng, naive.Writer(rng, nests), rng.randint(2, 5))
        whole = " ".join(texts) + (" ready_ones z.ready z.x k" if re.search(r"ready_ones|total|level_of", " ".join(texts)) else "")
        attributes = [name for name in ATTRIBUTES if re.search(rf"\.{name}\b", whole)]
        parameters = [name for name in PARAMETERS if re.search(rf"(?<![\w.']){name}\b(?!')", whole)]
        agents, organizations = (1, rng.choice((2, 3, 3, 4))), (1, rng.choice((1, 2, 2, 3)))
        made = list(itertools.islice(structures(kind, agents, organizations, attributes, parameters), STRUCTURES_MOST + 1))
        if 0 < len(made) <= STRUCTURES_MOST:
            break
    declared = "".join(f"attribute {name}: {ATTRIBUTES[name][0]}\n" for name in ATTRIBUTES)
    declared += "".join(f"parameter {name}: {PARAMETERS[name][0]}\n" for name in PARAMETERS)
    path = folder / "it.corridor"
    path.write_text(f"structure {kind}\n{declared}{DEFINITIONS}" + "".join(f"invariant c{i}: {text}\n" for i, text in enumerate(texts)))
    done = subprocess.run([binary, "prove", path, "--agents", "%u..%u" % agents, "--organizations", "%u..%u" % organizations, "--json"],
                          capture_output=True, text=True)
    about = f"seed {seed}, {kind}, agents {agents}, organizations {organizations}: {texts}"
    assert done.returncode in (0, 1, 7), (about, done.returncode, done.stderr)
    said = json.loads(done.stdout)
    parsed, held, vectors = [parse(text) for text in texts], {}, set()
    for state in made:
        world = World(state, held)
        vectors.add(tuple(world.value(node, {}) for node in parsed))
    premises = [[held.get(id(node), False) for node in implications(root)] for root in parsed]
    before = share["undecided"]
    hold_proof(about, said, vectors, premises, share)
    is_open = share["undecided"] > before
    assert done.returncode == (1 if said["answer"] == "empty" else 7 if is_open else 0), (about, done.returncode)
    assert (said["example"] is not None) == (said["answer"] == "satisfiable"), about
    if said["example"]:
        hold_example(about, kind, said, parsed, agents, organizations)


def hold_organizations(binary, folder):
    """Attributes of organizations have any value of their ranges, and are in the example; the state before is refused."""
    text = ("structure partitioning\nattribute load: integer 0 .. 10\nattribute demand of organizations: integer 5 .. 40\n"
            "attribute size of organizations: words small, large\n"
            "invariant served: all(o in organizations: sum(a in o.members: a.load) >= o.demand)\n"
            "invariant some: all(o in organizations: o.demand > 4)\n"
            "invariant large: any(o in organizations: o.size = 'large' and o.demand >= 25)\n"
            "invariant whole: sum(o in organizations: o.demand) <= sum(a in agents: a.load)\n")

    def prove(added):
        (folder / "it.corridor").write_text(text + added)
        done = subprocess.run([binary, "prove", folder / "it.corridor", "--agents", "2..4", "--organizations", "1..3", "--json"], capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout) if done.returncode < 3 else done.stderr
    code, said = prove("")
    rows, example = {row["name"]: row for row in said["constraints"]}, said["example"]
    assert code == 0 and said["answer"] == "satisfiable", said
    assert rows["some"]["can_be_violated"] == "no" and rows["whole"]["implied_by"] == ["served"], rows
    demands, sizes = (example["organization_attributes"][name] for name in ("demand", "size"))
    loads = [sum(example["agents"][a]["load"] for a in members) for members in example["organizations"]]
    assert all(5 <= demand <= load for demand, load in zip(demands, loads)), example
    assert any(size == "large" and demand >= 25 for size, demand in zip(sizes, demands)), example
    code, said = prove("invariant scarce: all(a in agents: a.load <= 6)\n")
    assert code == 1 and said["conflict"] in (["served", "large", "scarce"], ["large", "whole", "scarce"]), said
    code, said = prove("invariant calm: all(a in agents: a.load = a.load@before)\n")
    assert code == 3 and 'it.corridor:9:43: "a.load@before" asks for the state before' in said, said


def what_is_too_large_is_undecided(binary, folder):
    """Queries in one another over as many agents as there may be: no answer, and no end of z3's process."""
    (folder / "large.corridor").write_text(
        "structure overlapping\nattribute load: integer 0 .. 100\nattribute kind: words crane, truck\n"
        "invariant deep: all(a in agents: all(b in agents: all(c in agents: any(d in agents where d.kind == 'crane': "
        "d.load > a.load + b.load - c.load))))\ninvariant other: count(organizations) > 0\n")
    done = subprocess.run([binary, "prove", "large.corridor", "--agents", "2..32", "--json"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 7, (done.returncode, done.stderr)
    assert json.loads(done.stdout)["answer"] == "undecided", done.stdout


def much_is_decided_or_said_to_be_undecided(binary, folder, in_full):
    """A list of 20,000 words; and products of which one step of algebra takes minutes: 20 s of a processor are no time of a test, but what
    the kernel holds z3 to (in full). Formulas of time, of which nothing is proved, are read all the same."""
    (folder / "words.corridor").write_text("structure covering\nattribute k: words " + ", ".join(f"w{i}" for i in range(20_000)) +
                                           "\ninvariant a: all(a in agents: a.k == 'w19999')\n")
    done = subprocess.run([binary, "prove", "words.corridor", "--json"], cwd=folder, capture_output=True, text=True)
    assert json.loads(done.stdout)["answer"] == "satisfiable" and '"k": "w19999"' in done.stdout, (done.stdout, done.stderr)
    for formula, code in (("always (nonsense implies eventually[0, 3] inside)", 3), ("always (a implies", 3), ("always a", 0)):
        (folder / "time.corridor").write_text(f"structure covering\nattribute k: real\ninvariant a: all(a in agents: a.k > 0)\ntemporal b: {formula}\n")
        (folder / "time.json").write_text('{"agents": [{"k": 1}], "organizations": [[0]]}')
        proved, judged = (subprocess.run([binary, *words], cwd=folder, capture_output=True, text=True)
                          for words in (("prove", "time.corridor"), ("judge", "time.corridor", "time.json")))
        assert (proved.returncode, judged.returncode) == (code, code), (formula, proved, judged)
        assert code == 0 or proved.stderr == judged.stderr, (proved.stderr, judged.stderr)
    if in_full:
        draw = random.Random(3)
        lines = [f"invariant c{i}: all(o in organizations: sum(a in o.members: a.{draw.choice('xyz')} * a.{draw.choice('xyz')}) <= "
                 f"{draw.randint(1, 99)} + sum(a in o.members: a.{draw.choice('xyz')}))" for i in range(14)]
        (folder / "products.corridor").write_text("structure covering\nattribute x: real\nattribute y: real\nattribute z: real\n" + "\n".join(lines) + "\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([binary, "prove", "products.corridor"], cwd=folder, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 7 and " questions are not decided" in done.stdout, (done.stdout, done.stderr)
        assert after.ru_utime - before.ru_utime < 25, after


def ranges_of_their_own_are_kept_to(binary, folder):
    """Beyond what is taken for numbers without a range, too; with one bound the other is there all the same."""
    for said, condition, answer in (("real 2000000000 .. 3000000000", "k >= 2500000000.0", "satisfiable"), ("real 2000000000 .. 3000000000", "k > 3000000000.0", "empty"),
                                    ("integer 2000000000 .. 3000000000", "k = 3000000000", "satisfiable"), ("integer", "k > 1000000000", "empty"),
                                    ("integer -3000000000 .. -2000000000", "k > -2000000000", "empty"), ("integer -3000000000 .. 3000000000", "k = -3000000000", "satisfiable")):
        (folder / "range.corridor").write_text(f"structure partitioning\nparameter k: {said}\ninvariant it: {condition}\n")
        done = subprocess.run([binary, "prove", "range.corridor", "--agents", "2", "--json", "--no-fail"], cwd=folder, capture_output=True, text=True)
        assert json.loads(done.stdout)["answer"] == answer, (said, condition, done.stdout, done.stderr)


def main():
    binary, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[3])
    share = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        for seed in range(count):
            hold_one(binary, pathlib.Path(name), seed, share)
        hold_organizations(binary, pathlib.Path(name))
        what_is_too_large_is_undecided(binary, pathlib.Path(name))
        ranges_of_their_own_are_kept_to(binary, pathlib.Path(name))
        much_is_decided_or_said_to_be_undecided(binary, pathlib.Path(name), count > 40)
    part = share["undecided"] / (share["undecided"] + share["decided"])
    assert part <= 0.01, share
    for what in ("empty", "implied", "never violated", "equivalent", "premises that never hold"):
        assert share[what] >= count // 20, share
    print(f"{count} texts: {share['decided']} answers are right, {share['undecided']} ({100 * part:.2f} %) are left open: {dict(share)}")


if __name__ == "__main__":
    main()
