# SPDX-License-Identifier: GPL-3.0-or-later
"""What modules/columns.c does, as a program."""
import json
import math
import sys

HELLO = {"protocol": 1, "name": "by_tool", "version": "1.0", "summary": "agents with a crane by their load", "needs": ["load [kW]", "tool"]}
COLUMNS = [
    {"name": "value", "type": "real", "min": 0.0, "max": 1.0},
    {"name": "load", "type": "real", "unit": "kW", "min": 0.0, "max": 500.0},
    {"name": "tool", "type": "words", "words": ["none", "crane", 'a "drill"']},
    {"name": "ready", "type": "boolean"},
]


def solve(task):
    columns = task["rules"]["columns"]
    if columns != COLUMNS:
        return {"failed": f"columns are {columns}"}
    of = {column["name"]: values for column, values in zip(columns, task["values"])}
    crane = columns[2]["words"].index("crane")
    load = [-math.inf if value is None else value for value in of["load"]]
    agents = range(len(load))
    blocks = [sorted((i for i in agents if of["tool"][i] == crane), key=lambda i: load[i]), [i for i in agents if of["tool"][i] != crane]]
    return {"spent": 1, "blocks": [block for block in blocks if block]}


for line in sys.stdin:
    request = json.loads(line)
    if "bye" in request:
        break
    answer = HELLO if "hello" in request else solve(request["task"])
    print(json.dumps({"id": request["id"], **answer}), flush=True)
