#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Communities in a graph, by programs of Debian, unchanged: communities.py louvain (python3-networkx) or communities.py mcl (mcl). Agents
stand on a road; who hears whom is an edge, the nearer the heavier."""
import importlib.metadata
import json
import random
import subprocess
import sys

REACH = 12
FAULTS = {"numbers": "an edge joins those whose numbers are near, wherever they stand"}


def edges(x, fault):
    """Who hears whom, and how well."""
    place, reach = (range(len(x)), 2) if fault == "numbers" else (x, REACH)
    agents = range(len(x))
    return [(a, b, reach + 1 - abs(place[a] - place[b])) for a in agents for b in agents[a + 1:] if abs(place[a] - place[b]) <= reach]


def louvain(count, edges, seed):
    import networkx
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(edges)
    communities = networkx.algorithms.community.louvain_communities(graph, seed=random.Random(seed))
    return [sorted(members) for members in communities]


def mcl(count, edges, seed):
    lines = [f"{a}\t{b}\t{weight}" for a, b, weight in edges]
    lines += [f"{agent}\t{agent}\t1" for agent in range(count)]  # everybody is there, whoever hears him
    done = subprocess.run(["mcl", "-", "--abc", "-I", "2", "-o", "-"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [[int(agent) for agent in line.split("\t")] for line in done.stdout.splitlines()]


def version(program):
    if program == "louvain":
        return importlib.metadata.version("networkx")
    return subprocess.run(["mcl", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0].split()[-1]


def solve(program, task):
    x = task["values"][[column["name"] for column in task["rules"]["columns"]].index("x")]
    blocks = program(len(x), edges(x, task["fault"]), int(task["seed"], 16))
    answer = {"spent": 1, "blocks": blocks}
    if task["fault"]:
        differs = sorted(blocks) != sorted(program(len(x), edges(x, None), int(task["seed"], 16)))
        answer["fault"] = {"reached": 1, "held": 1, "activated": int(differs), "in_result": differs}
    return answer


def main(name):
    program = {"louvain": louvain, "mcl": mcl}[name]
    hello = {"protocol": 1, "name": name, "version": version(name), "summary": "communities of those that hear each other",
             "needs": ["x"], "faults": FAULTS}
    for line in sys.stdin:
        request = json.loads(line)
        if "bye" in request:
            break
        try:
            answer = hello if "hello" in request else solve(program, request["task"])
        except (ArithmeticError, LookupError, ValueError, OSError, subprocess.SubprocessError) as problem:
            answer = {"failed": f"{type(problem).__name__}: {problem}"}
        print(json.dumps({"id": request["id"], **answer}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] in (["louvain"], ["mcl"]) else sys.exit("usage: communities.py louvain | mcl"))
