#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""my_algo: an algorithm under test for Corridor whose agents talk to each other, as a program. Python's own library is all it needs.

Each agent tells all others its value, and finds its own place when it has heard of all. There is no centre: what an agent knows is its
state, and a request shows it nothing else. The protocol is in corridor-protocol(7). What it prints to standard error is shown when it dies."""
import json
import sys

# Who this is: the answer to the first request. Kinds of messages are numbers: 0 is "my value is".
HELLO = {
    "protocol": 1,
    "name": "my_algo",
    "version": "1.0",
    "summary": "agents tell each other their values, and deal themselves back and forth, highest first",
    "shape": "decentralised",
    "parameters": [],
    "faults": {"forget": "the agent of the least value finds no place"},
}


def begin(task):
    """What each agent knows at first, before it has seen its own value or heard of any other."""
    agents = len(task["values"][0])
    return {"states": [{"agents": agents, "count": len(task["structure"]), "heard": {}, "place": None} for _ in range(agents)]}


def find_place(me, number, fault):
    """When all are heard of: the place that dealing them gives to this one."""
    if len(me["heard"]) < me["agents"]:
        return {}
    order = sorted(range(me["agents"]), key=lambda agent: -me["heard"][str(agent)])
    turn = order.index(number) % (2 * me["count"])
    me["place"] = turn if turn < me["count"] else 2 * me["count"] - 1 - turn
    if fault != "forget":
        return {}
    is_least = number == order[-1]
    if is_least:
        me["place"] = None
    return {"fault": {"reached": 1, "held": int(is_least), "activated": int(is_least), "in_result": is_least}}


def wake(asked):
    """An agent's turn: it tells its value, once, and waits for mail."""
    me, number, value = asked["state"], asked["agent"], asked["values"][0]
    if value is None:  # infinite, or no number: JSON has neither
        return {"failed": "a value is not finite"}
    if str(number) in me["heard"]:
        return {"progress": "done"}
    me["heard"][str(number)] = value
    mail = [{"to": other, "kind": 0, "data": value} for other in range(me["agents"]) if other != number]
    return {"state": me, "send": mail, "progress": "done", "spent": 1, **find_place(me, number, asked["fault"])}


def receive(asked):
    """A message for an agent."""
    me, message = asked["state"], asked["message"]
    me["heard"][str(message["from"])] = message["data"]
    return {"state": me, "progress": "done", **find_place(me, asked["agent"], asked["fault"])}


def result(states):
    """The solution, from what the agents have found."""
    blocks = [[agent for agent, me in enumerate(states) if me["place"] == place] for place in range(states[0]["count"])]
    return {"blocks": [block for block in blocks if block]}


for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = HELLO
    elif "begin" in request:
        answer = begin(request["begin"])
    elif "wake" in request:
        answer = wake(request["wake"])
    elif "receive" in request:
        answer = receive(request["receive"])
    elif "result" in request:
        answer = result(request["result"]["states"])
    else:
        break  # bye
    print(json.dumps({"id": request["id"], **answer}), flush=True)
