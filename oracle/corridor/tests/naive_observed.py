#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is observed at random, judged by the program and by the evaluator of naive_corridor.py, which shares nothing with it: agents
with sets and channels, the state before, formulas of time over `stable`, `inside` and constraints.

usage: naive_observed.py CORRIDOR_BINARY PAIRS
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import naive_corridor
import naive_temporal

HEAD = """structure observed
attribute x: real -9 .. 9
attribute n: integer -9 .. 9
attribute kind: words crane, truck, 'fork lift'
attribute ready: boolean
attribute type: words v, w
attribute value: real
attribute peers: agents
channel applied
channel decided
parameter p, q
parameter k: integer -5 .. 5
parameter mode: words day, night
parameter on: boolean
define ready_peers(a): count(z in a.peers where z.ready)
define twice(v): v + v
define both(v, w): v and not w
"""
naive_corridor.DEFINITIONS = {name: (parameters.replace(" ", "").split(","), text)
                              for name, parameters, text in re.findall(r"^define (\w+)\(([^)]*)\): (.*)$", HEAD, re.M)}
CHANNELS = ("applied", "decided")
WORDS = naive_corridor.WORDS
TRUTHS = naive_corridor.TRUTHS


class World(naive_corridor.World):
    def __init__(self, state, before=None):
        super().__init__({**state, "organizations": []}, before and {**before, "organizations": []})

    def step(self, element, name):
        if name != "peers" or not self.there(element):
            return super().step(element, name)
        peers = self.agents[element[1]].get("peers")
        return None if peers is None else [("agent", a) for a in sorted(set(peers))]


class Writer(naive_corridor.Writer):
    """Of agents alone."""
    def collection(self, bound):
        return self.rng.choice([("agents", "agent")] * 2 + [(f"{name}.peers", "agent") for name, _ in bound])

    def number(self, depth, bound, integer=False):
        agent = self.element("agent", bound)
        if agent and self.rng.random() < 0.15:
            return self.rng.choice((f"count({agent}.peers)", f"ready_peers({agent})"))
        return super().number(depth, bound, integer).replace("count(organizations)", "count(agents)")

    def condition(self, depth, bound):
        agent, other = self.element("agent", bound), self.element("agent", bound)
        if agent and self.rng.random() < 0.1:
            return f"{agent} in {other}.peers"
        return super().condition(depth, bound)


def draw_sure(writer):
    while True:
        text = writer.condition(3, [])
        if naive_corridor.is_sure(naive_corridor.parse(text)):
            return text


def random_state(rng, n):
    some = lambda value: {} if rng.random() < 0.12 else value
    tell = lambda: {str(rng.randrange(9)): rng.choice(("a", "b") if rng.random() < 0.1 else ("a",)) for _ in range(rng.randrange(4))}
    agents = [{**some({"x": rng.choice((round(rng.uniform(-9, 9), 1), rng.randint(-2, 2)))}), **some({"n": rng.randint(-3, 5)}),
               **some({"kind": rng.choice(("crane", "truck", "fork lift"))}), **some({"ready": rng.random() < 0.5}),
               **some({"type": rng.choice("vw")}), **some({"value": rng.random()}),
               **some({"peers": rng.choice((None, *[[rng.randrange(n) for _ in range(rng.randrange(n + 1))] for _ in range(5)]))}),
               **({"channels": {name: tell() for name in CHANNELS if rng.random() < 0.7}} if rng.random() < 0.5 else {}),
               **({"group": "of no text", "unheard": 1} if rng.random() < 0.1 else {})}
              for _ in range(n)]
    return {"agents": agents, **({"kind": "observed"} if rng.random() < 0.5 else {}), **some({"stable": rng.choice((True, False, None))}),
            "parameters": {**some({"p": round(rng.uniform(-2, 4), 1)}), **some({"q": rng.randint(-2, 4)}), **some({"k": rng.randint(-2, 4)}),
                           **some({"mode": rng.choice(("day", "night"))}), **some({"on": rng.random() < 0.5})}}


def take_told(state, told, at_odds):
    """Who told what first; the first that is at odds with it, by channel."""
    for a, agent in enumerate(state["agents"]):
        for name in CHANNELS:
            for index, digest in agent.get("channels", {}).get(name, {}).items():
                first = told.setdefault((name, index), (a, digest))
                if first[1] != digest:
                    at_odds.setdefault(name, {"a": first[0], "b": a, "index": int(index), "digests": (first[1], digest)})


def hold_agree(about, channel, at_odds, row):
    assert row["verdict"] == ("violated" if channel in at_odds else "holds"), (about, row, at_odds)
    if channel not in at_odds:
        return
    [said], odd = row["violations"], at_odds[channel]
    values = {"index": odd["index"], "digest of a": odd["digests"][0], "digest of b": odd["digests"][1]}
    assert said["bindings"] == {"a": odd["a"], "b": odd["b"]} and said["values"] == values, (about, said, odd)
    first = f"Agent {odd['a']} told {odd['digests'][0]} of index {odd['index']} of {channel}, and "
    last = f"tells {odd['digests'][1]} now." if odd["a"] == odd["b"] else f"agent {odd['b']} tells {odd['digests'][1]}."
    assert said["sentence"] == first + last, (about, said, odd)


def hold_reason(about, node, state, before, row):
    """With the facts of the reason alone, all others unknown, nothing becomes of it but violated or unknown."""
    if not row.get("reason"):
        return 0
    kept = {(fact["agent"], fact["attribute"]) for fact in row["reason"]}
    bare = {**state, "agents": [{k: v for k, v in agent.items() if (a, k) in kept} for a, agent in enumerate(state["agents"])]}
    assert World(bare, before).value(node, {}) is not True, (about, row)
    return 1


def compare(binary, folder, rng, seed, constraints, states, total):
    writer = Writer(rng, False, is_wide=True)
    texts = [draw_sure(writer) for _ in range(constraints)]
    n = rng.randint(1, 6)
    made = [random_state(rng, n) for _ in range(states)]
    lines = [f"invariant c{i}: {text}" for i, text in enumerate(texts)] + [f"invariant {name}_agreed: agree({name})" for name in CHANNELS]
    formulas = []
    for i in range(3):
        formula = naive_temporal.draw(rng, rng.randint(1, 7), 3)
        names = {"p": "stable", "q": "inside", "r": f"c{i}"}
        formulas.append((re.sub(r"\b[pqr]\b", lambda m: names[m[0]], naive_temporal.text(rng, formula)), formula))
        lines.append(f"temporal f{i}: {formulas[i][0]}")
    (folder / "it.corridor").write_text(f"-- seed {seed}\n{HEAD}" + "\n".join(lines) + "\n")
    (folder / "states.json").write_text("\n".join(map(json.dumps, made)) if seed % 3 == 0 else json.dumps(made))
    done = subprocess.run([binary, "judge", folder / "it.corridor", folder / "states.json", "--json"] + (["--reasons"] if seed % 2 else []),
                          capture_output=True, text=True)
    assert done.returncode in (0, 1, 7), (seed, done.returncode, done.stderr)
    document = json.loads(done.stdout)
    verdicts, traces, told, at_odds = set(), [[] for _ in formulas], {}, {}
    parsed = [naive_corridor.parse(text) for text in texts]
    for s, (state, said) in enumerate(zip(made, document["states"], strict=True)):
        before = made[s - 1] if s else None
        world, about = World(state, before), f"seed {seed}, state {s}: {json.dumps(state)}"
        assert said["kind"] == "holds" and not said["violations"], (about, said)
        take_told(state, told, at_odds)
        for i, (text, node) in enumerate(zip(texts, parsed)):
            row, verdict = said["constraints"][i], world.verdict(node)
            assert row["name"] == f"c{i}" and row["verdict"] == verdict, (about, text, row, verdict)
            assert bool(row["violations"]) == (verdict == "violated"), (about, text, row)
            if verdict == "violated":
                naive_corridor.hold_violations((about, text), node, world, row)
                total["reasons"] += hold_reason((about, text), node, state, before, row)
            total[verdict] += 1
        for name, row in zip(CHANNELS, said["constraints"][constraints:], strict=True):
            hold_agree(about, name, at_odds, row)
        words = [row["verdict"] for row in said["constraints"]]
        verdicts.update(words)
        stable = {True: naive_temporal.HOLDS, False: naive_temporal.VIOLATED, None: naive_temporal.UNKNOWN}[state.get("stable")]
        for i, trace in enumerate(traces):
            trace.append((stable, min(TRUTHS[word] for word in words), TRUTHS[words[i]]))
    for i, trace in enumerate(traces):
        verdicts.update(naive_corridor.hold_formulas(seed, formulas[i:i + 1], trace, document["formulas"][i:i + 1]))
    code = 1 if "violated" in verdicts else 7 if verdicts & {"unknown", "edge"} else 0
    assert done.returncode == code, (seed, done.returncode, verdicts)
    total["odd"] += len(at_odds)


def main():
    binary, pairs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    total = dict.fromkeys([*TRUTHS, "reasons", "odd"], 0)
    with tempfile.TemporaryDirectory() as name:
        seed = done = 0
        while done < pairs:
            compare(binary, pathlib.Path(name), random.Random(f"observed {seed}"), seed, 8, 6, total)
            done += 8 * 6
            seed += 1
    assert min(total[word] for word in WORDS.values()) > done / 20 and total["reasons"] > 0 and total["odd"] > 0, total
    print(f"{done} pairs of a text and a state agree: {total}")


if __name__ == "__main__":
    main()
