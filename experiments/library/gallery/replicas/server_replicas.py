#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""server_replicas: most load first, to the fullest server that has room, in a rack that has none of the file; if they do not fit so,
to the emptiest one."""
import json
import sys

HELLO = {
    "protocol": 1,
    "name": "server_replicas",
    "version": "1.0",
    "summary": "most load first, to the fullest server with room in a rack without one of the file",
    "faults": {"same_rack": "whether the rack has a replica of the file is not asked",
               "ignores_load": "replicas go to the servers in turn, whatever room they have"},
    "needs": ["role", "rack", "file", "room [MB/s]", "load [MB/s]"],
}


def faulty(task, servers, blocks, column):
    """Is there a rack with two replicas of a file, or a server with too much to do, as the fault says?"""
    if task["fault"] == "ignores_load":
        return any(sum(column["load"][agent] for agent in blocks[server]) > column["room"][server] for server in servers)
    seen = [(column["rack"][server], column["file"][agent]) for server in servers for agent in blocks[server][1:]]
    return len(set(seen)) < len(seen)


def place(task, column, servers, replicas, spreads):
    """Most load first, to the fullest server that has room, or, where `spreads`, to the emptiest one."""
    blocks = {server: [server] for server in servers}
    room = {server: column["room"][server] for server in servers}
    taken = set()  # (rack, file)
    for turn, agent in enumerate(sorted(replicas, key=lambda agent: (-column["load"][agent], agent))):
        free = [server for server in servers
                if task["fault"] == "same_rack" or (column["rack"][server], column["file"][agent]) not in taken]
        fits = [server for server in free if room[server] >= column["load"][agent]]
        if task["fault"] == "ignores_load":
            server = free[turn % len(free)]
        elif spreads or not fits:
            server = max(free, key=lambda server: (room[server], -server))
        else:
            server = min(fits, key=lambda server: (room[server], server))
        blocks[server].append(agent)
        room[server] -= column["load"][agent]
        taken.add((column["rack"][server], column["file"][agent]))
    return blocks, min(room.values()) >= 0


def solve(task):
    column = dict(zip((column["name"] for column in task["rules"]["columns"]), task["values"]))
    agents = range(len(task["values"][0]))
    servers = [agent for agent in agents if column["role"][agent] == 0]
    replicas = [agent for agent in agents if column["role"][agent] == 1]
    blocks, fits = place(task, column, servers, replicas, False)
    if not fits:
        blocks, _ = place(task, column, servers, replicas, True)
    answer = {"spent": 1, "blocks": list(blocks.values())}
    if task["fault"]:
        is_faulty = faulty(task, servers, blocks, column)
        answer["fault"] = {"reached": 1, "held": int(is_faulty), "activated": int(is_faulty), "in_result": is_faulty}
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
