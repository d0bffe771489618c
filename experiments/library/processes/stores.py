#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A server has a register, a queue and a lock; the other processes are its clients, one call at a time. What clients see is a history:
calls, answers, and answers that never came. The server keeps all in a cell, and answers a request that comes again as it did before,
so whatever messages and processes do, one copy could have answered so."""
import corridor_process as corridor

SERVER, CELL = 0, 0
STORE, RELEASE, LEASE = 0, 1, 2  # alarms
LATE, HELD, LEASED = 60, 120, 80  # ticks: until a late write is stored, until a lock is given back, until a lease is over


class Stores(corridor.Process):
    name = "stores"
    meaning = "a register, a queue and a lock, and who uses them"
    attributes = {"open": int}
    channels = {"register": "reads and writes", "queue": "items, each for one", "lock": "held by one"}
    messages = {"ask": "a client asks for an operation", "answer": "what it returns"}
    inputs = {"register": "", "queue": "", "lock": {"weight": 2}}
    alarms = {"store": "a write that was answered is stored", "release": "the lock is given back", "lease": "the lease is over"}
    faults = {"early": "a write is answered before it is stored", "twice": "an item that was handed out is taken away later",
              "lease": "a lock goes to another client when its lease is over, and the client does not look at the time"}

    def start(self, stored):
        self.asked = self.late = None
        self.holds = False
        kept = stored.cells.get(CELL)
        if self.me == SERVER:
            self.value, self.items, self.holder, self.answered = kept or [None, [], None, {}]
            self.answered = {int(client): answer for client, answer in self.answered.items()}
        else:  # a number is not used again after a crash
            self.number = kept or 0

    def keep(self):
        if self.me == SERVER:
            self.cell(CELL, [self.value, self.items, self.holder, self.answered])

    # ---- a client

    def input(self, which, data):
        if self.me == SERVER or self.asked:
            return
        self.number += 1
        self.cell(CELL, self.number)
        operation = {"register": ["read", "write"], "queue": ["enqueue", "dequeue"], "lock": ["acquire", "release"]}[which]
        operation = operation[self.holds] if which == "lock" else self.random.choice(operation)
        value = self.number * 16 + self.me if operation in ("write", "enqueue") else None
        self.asked = which, operation, self.call(which, operation, None, value)
        self.send(SERVER, "ask", [self.number, which, operation, value])

    def receive(self, sender, kind, value):
        if kind == "ask":
            self.serve(sender, *value)
        elif self.asked and value[0] == self.number:
            which, operation, call = self.asked
            self.asked = None
            call.returns(value[1])
            if which == "lock":
                self.holds = value[1] is True and operation == "acquire"

    # ---- the server

    def serve(self, client, number, which, operation, value):
        before = self.answered.get(client, [0, None])
        if number > before[0]:
            before = [number, self.do(client, operation, value)]
            self.answered[client] = before
            self.keep()
        if number == before[0]:
            self.send(client, "answer", before)

    def do(self, client, operation, value):
        if operation == "write" and self.fault == "early":
            self.late = value
            self.set_alarm(STORE, LATE)
        elif operation == "write":
            self.value = value
        elif operation == "read":
            return self.value
        elif operation == "enqueue":
            self.items.append(value)
        elif operation == "dequeue":
            item = self.items[0] if self.items else None
            if self.fault == "twice":
                self.set_alarm(RELEASE, LATE)
            elif self.items:
                self.items.pop(0)
            return item
        elif operation == "acquire":
            if self.holder is not None:
                return False
            self.holder = client
            if self.fault == "lease":
                self.set_alarm(LEASE, LEASED)
            return True
        elif operation == "release":
            if self.holder != client:
                return True if self.fault == "lease" else False
            self.holder = None
            return True
        return None

    def alarm(self, which):
        if which == STORE and self.late is not None:
            self.value = self.late
        elif which == RELEASE and self.items:
            self.items.pop(0)
        elif which == LEASE:
            self.holder = None
        self.keep()

    def observe(self):
        return {"open": int(self.asked is not None)}


corridor.run(Stores)
