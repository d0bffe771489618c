#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures of the gallery beside itself, with dot of Graphviz. They are committed: only who changes one needs it."""
import pathlib
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
