#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""my_algo: an algorithm under test for Corridor, as a program. Python's own library is all it needs.

It reads requests from standard input and answers each on standard output, a line of JSON each: the protocol is in
corridor-protocol(7). What it prints to standard error is shown when it dies."""
import json
import sys

# Who this is: the answer to the first request. Parameters are drawn or set by the experiment; a fault is a change of
# the algorithm that is chosen by name, to see whether the tests find it.
HELLO = {
    "protocol": 1,
    "name": "my_algo",
    "version": "1.0",
    "summary": "highest first, dealt back and forth into the present number of partitions",
    "parameters": [
        {"name": "extra", "unit": "partitions", "meaning": "partitions beyond the present number",
         "default": 0, "min": 0, "max": 100, "integer": True},
    ],
    "faults": {"forget": "the agent of the least value is forgotten"},
}


def deal(values, count):
    """Agents by descending value, dealt to 0 .. count-1, then back from count-1 to 0, and so on."""
    order = sorted(range(len(values)), key=lambda agent: -values[agent])
    blocks = [[] for _ in range(count)]
    for turn, agent in enumerate(order):
        place = turn % (2 * count)
        blocks[place if place < count else 2 * count - 1 - place].append(agent)
    return blocks


def solve(task):
    """One reorganization: a function of the task alone. No clock, and random numbers only from task["seed"]."""
    values = task["values"][0]  # column 0 is what the invariant measures; values[agent]
    count = min(len(task["structure"]) + task["parameters"]["extra"], len(values))
    blocks = deal(values, count)
    if task["fault"] != "forget":
        return {"blocks": blocks}
    blocks[min(range(count), key=lambda block: min(values[agent] for agent in blocks[block]))].pop()
    return {"blocks": [block for block in blocks if block],
            "fault": {"reached": 1, "held": 1, "activated": 1, "in_result": True}}


for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = HELLO
    elif "task" in request:
        answer = solve(request["task"])
    else:
        break  # bye
    print(json.dumps({"id": request["id"], **answer}), flush=True)
