# SPDX-License-Identifier: GPL-3.0-or-later
"""A process program for tests, sound but for what its argument, Python, does: it sees the state and can change each answer before it
is said. guest.py 'if n == 4: answer["did"][0]["send"] = 9'"""
import json
import os
import signal
import sys
import time

HELLO = {"process": "toy", "version": "1.2", "meaning": "a toy",
         "attributes": {"state": ["new", "asked", "heard"], "calls": "integer", "level": {"type": "real", "unit": "m"},
                        "peers": "agents"},
         "channels": {"heard": "what was"}, "messages": {"ping": {"ballot": True}, "pong": "an answer"},
         "inputs": {"ask": {"bytes": 3, "weight": 2, "meaning": "asks"}}, "faults": {"deaf": "hears nothing"},
         "leader": {"state": "heard"}}


def out(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def say(answer):
    out(json.dumps(answer) + "\n")


deed = compile(sys.argv[1] if len(sys.argv) > 1 else "", "deed", "exec")
n, all_calls = 0, {}
for line in sys.stdin:
    request = json.loads(line)
    n += 1
    if "bye" in request:
        break
    if "hello" in request:
        answer = {"id": request["id"], **HELLO}
    else:
        verb = list(request)[1]
        me = request[verb]
        all_calls[me] = calls = 0 if verb == "start" else all_calls[me] + 1
        shows = {"calls": calls}
        did = []
        if verb == "start":
            shows.update({"state": "new", "level": 0.5, "peers": [me]})
        elif verb == "input":
            shows["state"] = "asked"
            did = [{"send": 1 - me, "kind": "ping", "value": {"from": me, "text": "\u00e4"}}, {"alarm": 3, "in": 20},
                   {"cell": 2, "value": [calls, "c"]}, {"write": 7, "operation": 5, "value": "first"}, {"write": 8, "value": 12345}]
        elif verb == "receive":
            shows.update({"state": "heard", "peers": [0, 1]})
            did = [{"tell": "heard", "index": calls, "value": request.get("value")}]
        answer = {"id": request["id"], "did": did, "shows": shows}
    exec(deed)
    say(answer)
