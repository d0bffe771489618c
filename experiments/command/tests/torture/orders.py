#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""orders.py CORRIDOR SOURCE COURIER COUNT: faults of order of depth 1, 2 and 3 (guests/courier.c). What shuffled and delayed mail do not
meet in COUNT reorganizations each, pct meets at least as often as it promises, and bounded meets by counting its schedules where the system
is small. Campaigns replay equal, for 1 and 3 workers."""
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

CORRIDOR, COURIER, COUNT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[3]).resolve(), int(sys.argv[4])
FAULTS = ("late", "between", "between_and_late")  # of depth 1, 2, 3
CASES, SEQUENCES = 1000, 10
AGENTS, HOPS = 8, 31
MESSAGES, CHAINS = HOPS + 2 * (AGENTS - 2), AGENTS - 1  # a word of each agent but two, and an answer to each
MODEL = {"corridor_model": 1, "structure": {"count_min": 2, "size_min": 1}, "environments": {"weather": {"random": {"states": 16}}},
         "types": {"agent": {"level": [0.2, 1.0]}}, "invariant": {"threshold": 0}}  # an alarm in every case
failures = 0


def corridor(*words, codes=(0,)):
    done = subprocess.run([CORRIDOR, *map(str, words)], text=True, capture_output=True, check=False)
    if done.returncode not in codes:
        sys.exit(f"orders: {words}: {done.stderr}")
    return done.stdout


def run(folder, agents, sizes, arms, jobs=1):
    suites, sequences, cases = sizes
    (folder / "orders.json").write_text(json.dumps({
        "corridor_experiment": 1, "name": "orders", "seed": "0x5c4ed", "suites": suites, "sequences": sequences, "cases": cases,
        "model": {**MODEL, "agents": agents, "groups": {"count": agents}}, "arms": arms}))
    corridor("run", folder / "orders.json", "-o", folder / "orders.h5", "--force", "--isolate", "never", "--jobs", jobs, "--progress", "none")
    return folder / "orders.h5"


def arm(name, depth, mail, hops=HOPS):
    return {"name": name, "algorithm": str(COURIER), "fault": FAULTS[depth - 1], "mail": mail,
            "parameters": {"budget": 10000, "hops": hops}}


def sheet(path, name):
    """Rows of a sheet of the tables, by arm."""
    return {row["arm"]: row for row in json.loads(corridor("show", path, "tables", "--json"))["sheets"][name]["rows"]}


def say(what, count, came, good):
    global failures
    failures += not good
    print(f"torture: {what} | {count} | {came}{'' if good else ' WRONG'}", flush=True)


def big(folder):
    modes = {"shuffled": {"mode": "shuffled"}, "delayed": {"mode": "delayed", "delay_max": 5}}
    suites = -(-COUNT // (CASES * SEQUENCES)) + 1
    for depth in (1, 2, 3):
        pct = {"pct": {"mode": "pct", "depth": depth, "messages": MESSAGES}}
        out = run(folder, AGENTS, (suites, SEQUENCES, CASES), [arm(name, depth, mail) for name, mail in {**modes, **pct}.items()])
        for name, row in sheet(out, "reorganizations").items():
            met, count = row["activated"], row["reorganizations"]
            promise = 1 / (CHAINS ** 2 * MESSAGES ** (depth - 1))
            good = count >= COUNT and (met >= count * promise - 6 * math.sqrt(count * promise) if name == "pct" else met == 0)
            say(f"orders {depth} {name}", count, f"met {met} times" + (f", promised {count * promise:.0f}" if name == "pct" else ""), good)
        row = sheet(out, "schedules")["pct"]
        good = (row["chains"], row["messages"], row["failed"]) == (CHAINS, MESSAGES, sheet(out, "reorganizations")["pct"]["activated"])
        say(f"orders {depth} as shown", 1, f"1/(w^2 n^(d-1)) = {row['promised']:.3g}, share {row['share']:.3g}", good)


def same(folder):
    """Files of 1 and 3 workers are equal, and execute again as they were."""
    arms = [arm(f"pct-{depth}", depth, {"mode": "pct", "depth": depth, "messages": MESSAGES}) for depth in (1, 2, 3)]
    arms += [arm("bounded", 2, {"mode": "bounded", "bound": 3, "messages": MESSAGES}), arm("recorded", 1, {"mode": "recorded"})]
    hashes = {corridor("show", run(folder, AGENTS, (4, 3, 200), arms, jobs), "tables", "--hash") for jobs in (1, 3)}
    said = corridor("replay", folder / "orders.h5", "--trust")
    say("orders, replayed", 2 * len(arms), said.strip().splitlines()[0][:60], len(hashes) == 1 and "equal" in said)


def order_of(agents, hops, held):
    """What agent 1 has heard when the words of agents 2 and 3 come, in sending order but for who is held."""
    numbers = itertools.count()
    pending = [(next(numbers), "parcel", 1)] + [(next(numbers), "word", agent) for agent in range(2, agents)]
    last, heard = 0, {}
    while pending:
        first = min([p for p in pending if p[0] not in held] or [min(pending, key=lambda p: held.index(p[0]))])
        pending.remove(first)
        _, kind, value = first
        if kind == "parcel":
            last = value if value % 2 else last  # odd hops end at agent 1
            if value < hops:
                pending.append((next(numbers), "parcel", value + 1))
        elif kind == "word":
            heard[value] = last
            pending.append((next(numbers), "answer", value))
    return heard


def small(folder):
    agents, hops = 4, 5
    n = hops + 2 * (agents - 2)
    for depth in (1, 2, 3):
        lists = [held for size in range(depth + 1) for held in itertools.permutations(range(n), size)]
        met = 0
        for held in lists:
            heard = order_of(agents, hops, held)
            late, between, second = heard[2] >= hops - 1, heard[2] == hops // 2 | 1, heard[3] >= hops - 1
            met += (late, between, between and second)[depth - 1]
        out = run(folder, agents, (1, 1, len(lists)), [arm("bounded", depth, {"mode": "bounded", "bound": depth, "index": 0}, hops)])
        row = sheet(out, "reorganizations")["bounded"]
        say(f"orders {depth} bounded", len(lists), f"met by {row['activated']} of all schedules, {met} counted apart",
            row["reorganizations"] == len(lists) and row["activated"] == met > 0)


with tempfile.TemporaryDirectory(prefix="corridor-orders-") as name:
    folder = pathlib.Path(name)
    small(folder)
    same(folder)
    big(folder)
sys.exit(1 if failures else 0)
