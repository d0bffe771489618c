#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""my_algo: an algorithm under test for Corridor, as a program. Python's own library is all it needs.

It reads requests from standard input and answers each on standard output, a line of JSON each: the protocol is in
corridor-protocol(7). What it prints to standard error is shown when it dies."""
import json
import sys

# Who this is: the answer to the first request. Parameters are set or drawn by the experiment; a fault is a change of
# the algorithm that is chosen by name, to see whether the tests find it.
HELLO = {
    "protocol": 1,
    "name": "my_algo",
    "version": "1.0",
    "summary": "highest first, dealt back and forth into the present number of partitions",
    "parameters": [{"name": "extra", "unit": "partitions", "meaning": "so many partitions more than there are",
                    "default": 0, "min": 0, "max": 100, "integer": True}],
    "faults": {"forget": "the agent of the least value is forgotten"},
}


def solve(task):
    """One reorganization, a function of the task alone: no clock, and random numbers only from task["seed"]."""
    values = task["values"][0]  # column 0 is what the invariant measures; values[agent]
    if None in values:  # infinite, or no number: JSON has neither
        return {"failed": "a value is not finite"}
    count = min(len(task["structure"]) + task["parameters"]["extra"], len(values))
    order = sorted(range(len(values)), key=lambda agent: -values[agent])
    answer = {"spent": 1}
    if task["fault"] == "forget":
        order.pop()
        answer["fault"] = {"reached": 1, "held": 1, "activated": 1, "in_result": True}
    blocks = [[] for _ in range(count)]
    for turn, agent in enumerate(order):  # 0 1 2 2 1 0 0 1 2 ...
        place = turn % (2 * count)
        blocks[place if place < count else 2 * count - 1 - place].append(agent)
    answer["blocks"] = [block for block in blocks if block]
    return answer


for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = HELLO
    elif "task" in request:
        answer = solve(request["task"])
    else:
        break  # bye
    print(json.dumps({"id": request["id"], **answer}), flush=True)
