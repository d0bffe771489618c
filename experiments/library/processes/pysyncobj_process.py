#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Debian's PySyncObj (python3-pysyncobj), unchanged, as processes under test: a replicated list. Its transport, clock, random
numbers, poller and journal are the host's. The journal is a file that PySyncObj maps and never synchronizes: entries are writes,
of which a crash keeps a prefix; the commit index is a cell, as it is a file that is replaced."""
import base64
import collections
import math

import corridor_process as corridor
import pysyncobj
from pysyncobj import syncobj
from pysyncobj.journal import MemoryJournal
from pysyncobj.transport import Transport
from pysyncobj.version import VERSION

ROLES = ["follower", "candidate", "leader"]
FIRST, ALARM = 1, 0  # index of the entry that each log begins with; the alarm
host = None  # the process that is called

Random, Poller = collections.namedtuple("Random", "random"), collections.namedtuple("Poller", "poll")
syncobj.random = Random(lambda: host.random.random())
syncobj.monotonicTime = lambda: host.now / 1000
syncobj.createPoller = lambda kind: Poller(lambda seconds: None)
syncobj.createJournal = lambda file: Journal()


def text(command):
    return base64.b64encode(command).decode()


class Journal(MemoryJournal):
    def __init__(self):
        super().__init__()
        for write in host.stored.writes:
            deed, *arguments = write.value or ("torn",)
            if deed == "add":
                super().add(base64.b64decode(arguments[0]), *arguments[1:])
            elif deed == "deleteEntriesFrom":
                super().deleteEntriesFrom(*arguments)
        self.commit = host.stored.cells.get(0, FIRST)

    def add(self, command, index, term):
        super().add(command, index, term)
        host.write(0, ["add", text(command), index, term])

    def deleteEntriesFrom(self, first):
        super().deleteEntriesFrom(first)
        host.write(0, ["deleteEntriesFrom", first])

    def getRaftCommitIndex(self):
        return min(self.commit, self[-1][1])

    def setRaftCommitIndex(self, index):
        self.commit = index

    def onOneSecondTimer(self):
        host.cell(0, self.commit)


class HostTransport(Transport):
    ready = False

    def __init__(self, obj, own, others):
        super().__init__(obj, own, others)
        self.others = others

    def tryGetReady(self):
        self.ready = True
        for node in sorted(self.others, key=lambda node: node.id):
            self._onNodeConnectedCallback(node)

    def send(self, node, message):
        message = dict(message)
        if "entries" in message:
            message["entries"] = [(text(command), *rest) for command, *rest in message["entries"]]
        if "command" in message:
            message["command"] = text(message["command"])
        host.send(int(node.id), message.pop("type"), message)
        return True

    def arrive(self, node, kind, message):
        if "entries" in message:
            message["entries"] = [(base64.b64decode(command), *rest) for command, *rest in message["entries"]]
        if "command" in message:
            message["command"] = base64.b64decode(message["command"])
        self._onMessageReceivedCallback(node, {"type": kind, **message})


class Log(pysyncobj.SyncObj):
    @pysyncobj.replicated
    def append(self, value):
        host.tell("applied", self.raftLastApplied + 1, value)


class PySyncObj(corridor.Process):
    name, version, meaning = "pysyncobj", VERSION, "a replicated list over Raft"
    attributes = {"role": ROLES, "term": int, "entries": int, "commit": int, "applied": int}
    channels = {"leaders": "who leads in that term", "votes": "for whom a process votes in a term: one index for both", "applied": "what was appended to the list"}
    messages = {"request_vote": {"ballot": True}, "response_vote": {"ballot": True}, "append_entries": "", "next_node_idx": "",
                "apply_command": "", "apply_command_response": ""}
    alarms = {"tick": "the library looks what is due"}
    inputs = {"append": {"bytes": 4, "weight": 4}}
    leader = {"role": "leader"}

    def start(self, stored):
        global host
        host, self.stored = self, stored
        self.nodes = [pysyncobj.node.Node(str(number)) for number in range(self.count)]
        conf = pysyncobj.SyncObjConf(autoTick=False, logCompactionMinTime=10**9)
        self.transport = None
        self.log = Log(self.nodes[self.me], self.nodes, conf, transportClass=self.make_transport)
        self.tick()

    def make_transport(self, *arguments):
        self.transport = HostTransport(*arguments)
        return self.transport

    def of(self, name):
        return getattr(self.log, "_SyncObj__" + name)

    def tick(self):
        """What its loop does whenever something has come; and when it is to do so next, though nothing comes."""
        self.log.doTick()
        if self.of("votedForNodeId") is not None:
            self.tell("votes", self.log.raftCurrentTerm * self.count + self.me, self.of("votedForNodeId"))
        if self.log._isLeader():
            self.tell("leaders", self.log.raftCurrentTerm, self.me)
        due = self.of("newAppendEntriesTime") if self.log._isLeader() else self.of("raftElectionDeadline")
        self.set_alarm(ALARM, max(1, math.floor(due * 1000 - self.now) + 1))

    def receive(self, sender, kind, value):
        global host
        host = self
        self.transport.arrive(self.nodes[sender], kind, value)
        self.tick()

    def alarm(self, which):
        global host
        host = self
        self.tick()

    def input(self, which, data):
        global host
        host = self
        self.log.append(data.hex())
        self.tick()

    def observe(self):
        return {"role": ROLES[self.of("raftState")], "term": self.log.raftCurrentTerm, "entries": self.of("raftLog")[-1][1],
                "commit": self.log.raftCommitIndex, "applied": self.log.raftLastApplied}


corridor.run(PySyncObj)
