#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures of the gallery beside itself, with dot of Graphviz. They are committed: only who changes one needs it.
Those of programs of the registries show what adapters answer: they need make registries, networkx and mcl."""
import json
import pathlib
import random
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
STYLE = 'fontname="sans-serif" fontsize=12'
BOX, ROUND = "shape=box", "shape=ellipse"


def graph(body, directed=False, more=""):
    return (f"{'digraph' if directed else 'graph'} {{ graph [{STYLE} compound=true {more}] node [{STYLE} margin=0.06 height=0.3] "
            f"edge [color=gray40]\n{body}\n}}")


def cluster(name, label, nodes):
    inner = "; ".join(f'"{node}" [{look} label="{text}"]' for node, text, look in nodes)
    return f'subgraph cluster_{name} {{ label="{label}"; color=gray50; {inner} }}'


CRANE, HEAD, SERVER = (f"{shape} style=filled fillcolor={color}" for shape, color in ((BOX, "gold"), (BOX, "lightblue"), (BOX, "gray85")))

PICTURES = {
    "robots": graph("\n".join(cluster(f"t{team}", f"team {team}: {kilos} kg, charge {charge} %",
                                      [(f"c{team}", "crane", CRANE), *((f"r{team}{i}", f"trolley {kg} kg", ROUND) for i, kg in enumerate(loads))])
                              for team, charge, kilos, loads in ((0, 71, 160, (90, 70)), (1, 64, 145, (50, 55, 40)), (2, 68, 150, (80, 70))))),
    "sensors": graph("\n".join([f'"h{h}" [{HEAD} label="head {h}"]' for h in range(3)]
                               + [f'"s{s}" [{ROUND} label="sensor {s}"]; "h{s // 3}" -- "s{s}"' for s in range(9)]
                               + ['"h1" -- "s2"; "h2" -- "s5" '])),
    "teams": graph("\n".join([f'"a{a}" [{SERVER} label="AVPP {a}"]' for a in range(4)]
                             + ['"a0" -> "a1"; "a0" -> "a2"; "a1" -> "a3"']
                             + [f'"a{a}" -> "p{a}{i}"; "p{a}{i}" [{ROUND} label="{kind}"]'
                                for a in range(4) for i, kind in enumerate(("biogas", "roof", "roof")[: 2 + a % 2])]), directed=True),
    "replicas": graph("\n".join(
        f'subgraph cluster_r{r} {{ label="rack {r}"; color=gray50; ' + " ".join(
            cluster(f"s{r}{s}", f"server {2 * r + s}", [(f"{r}{s}{file}", file, ROUND) for file in files]) for s, files in enumerate(servers)) + " }"
        for r, servers in enumerate(((("maps", "mail"), ("films",)), (("mail",), ("maps", "films")), (("films", "mail"), ("maps",)))))),
    "zones": graph("\n".join([f'"z{z}" [{HEAD} label="zone {z}"]' for z in range(3)]
                             + [f'"m{m}" [{CRANE} label="main {m}"]; "z{m}" -- "m{m}"; "z{(m + 1) % 3}" -- "m{m}"' for m in range(3)]
                             + [f'"s{s}" [{ROUND} label="side {s}"]; "z{s % 3}" -- "s{s}"' for s in range(6)]
                             + [f'"c" [{ROUND} style=dashed label="closed"]']), more="layout=neato overlap=false start=7"),
}

for name, text in PICTURES.items():
    svg = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True).stdout
    (HERE / f"{name}.svg").write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n")


COLORS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#edc948", "#9c755f")
REGISTRIES = HERE.parent.parent / "experiments/library/registries"


def answer(adapter, columns, blocks, **parameters):
    """The partitions that an adapter answers, for columns by name and the present partitions."""
    names = list(columns)
    task = {"structure": blocks, "values": [columns[name] for name in names], "rules": {"columns": [{"name": name} for name in names]},
            "parameters": parameters, "fault": None, "seed": "0x1f2e3d4c5b6a7988", "budget": 1000, "kept": None}
    lines = "".join(json.dumps(line) + "\n" for line in ({"id": 1, "task": task}, {"id": 2, "bye": True}))
    done = subprocess.run(adapter, input=lines, cwd=REGISTRIES, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["blocks"]


def svg(width, height, marks, texts=()):
    words = [f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="12" fill="#333">{text}</text>' for x, y, text in texts]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join([*marks, *words]) + "\n</svg>\n")


def dots(x, y, blocks):
    """Agents where they stand; who is alone is a ring."""
    marks = []
    for number, block in enumerate(sorted(blocks, key=lambda block: (len(block) == 1, min(block)))):
        color = COLORS[number % len(COLORS)] if len(block) > 1 else "#888888"
        look = f'fill="{color}"' if len(block) > 1 else 'fill="none" stroke="#888888" stroke-width="2"'
        marks += [f'<circle cx="{x[agent]:.1f}" cy="{y[agent]:.1f}" r="6" {look}/>' for agent in block]
    return marks


def plane(adapter, count, clusters):
    draw = random.Random(4)
    centres = [(draw.uniform(15, 85), draw.uniform(15, 85)) for _ in range(5)]
    places = [(draw.gauss(x, 5), draw.gauss(y, 5)) for x, y in (centres[agent % 5] for agent in range(count))]
    x, y = ([min(100, max(0, place[axis])) for place in places] for axis in (0, 1))
    blocks = answer(["node", adapter], {"x": x, "y": y}, [[agent] for agent in range(clusters)])
    return svg(440, 440, dots([20 + 4 * each for each in x], [20 + 4 * each for each in y], blocks))


def road():
    draw = random.Random(9)
    x = [draw.uniform(0, 100) for _ in range(24)]
    marks, texts = [], []
    for row, program in enumerate(("louvain", "mcl")):
        blocks = answer(["/usr/bin/python3", "communities.py", program], {"x": x}, [list(range(24))])
        marks += dots([20 + 6 * each for each in x], [50 + 60 * row] * 24, blocks)
        texts.append((20, 32 + 60 * row, program))
    return svg(640, 130, marks, texts)


def machines():
    draw = random.Random(5)
    load = [draw.uniform(5, 50) for _ in range(18)]
    marks = []
    for row, block in enumerate(answer(["node", "pso.js"], {"load": load}, [[0], [1], [2]])):
        at = 20.0
        for agent in block:
            marks.append(f'<rect x="{at:.1f}" y="{20 + 40 * row}" width="{2.6 * load[agent] - 2:.1f}" height="26" fill="{COLORS[row]}"/>')
            at += 2.6 * load[agent]
    return svg(560, 140, marks)


def keys():
    """100 keys in the colour of their server: all servers up, then server 2 down, by the ring and by the rest of a division."""
    marks, texts = [], []
    for row, (division, down, text) in enumerate(((0, None, "ring: all servers up"), (0, 2, "ring: server 2 down"),
                                                  (1, None, "division: all servers up"), (1, 2, "division: server 2 down"))):
        up = [int(agent < 8 and agent != down) for agent in range(108)]
        blocks = answer(["node", "hashring.js"], {"key": [0] * 8 + [1] * 100, "up": up}, [[server] for server in range(8)], division=division)
        server = {agent: block[0] for block in blocks for agent in block[1:]}
        if down is None:
            order = sorted(server, key=lambda agent: (server[agent], agent))
        marks += [f'<rect x="{20 + 6 * at}" y="{28 + 48 * row}" width="5" height="20" fill="{COLORS[server[agent]]}"/>' for at, agent in enumerate(order)]
        texts.append((20, 22 + 48 * row, text))
    return svg(640, 210, marks, texts)


for name, draw in {"skmeans": lambda: plane("skmeans.js", 60, 4), "dbscan": lambda: plane("dbscan.js", 60, 4), "communities": road, "pso": machines,
                   "hashring": keys}.items():
    (HERE / f"{name}.svg").write_text(draw())
