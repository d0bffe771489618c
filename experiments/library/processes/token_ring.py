#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A token goes round: who holds it may do what only one may do. It has a number, which grows with each hop; it is passed on until
the next process says that it has it, and what a process knows of it is in a cell. So it is neither lost nor doubled, whatever
messages and processes do."""
import corridor_process as corridor

WORK, AGAIN, LONG = 30, 40, 250  # ticks: of work, until it is passed on again, until it is taken for lost
ALARM_WORK, ALARM_AGAIN, ALARM_LONG = 0, 1, 2
CELL = 0


class TokenRing(corridor.Process):
    name = "token_ring"
    meaning = "mutual exclusion by a token that goes round"
    attributes = {"state": ["idle", "holding", "passing"], "number": int}
    channels = {"turns": "who held the token of that number"}
    messages = {"token": "the receiver is to hold it", "got": "it does"}
    alarms = {"work_done": "the token goes on", "again": "nobody says that he has it", "long": "nobody was heard for long"}
    faults = {"forgets": "what it knows of the token is in no cell", "any_number": "it takes a token that it had before",
              "takes_over": "it makes a new token when it has heard of none for long"}

    def start(self, stored):
        known = stored.cells.get(CELL)
        first = ["holding", 0] if self.me == 0 else ["idle", -1]
        self.state, self.number = known or first
        if self.state == "holding":
            self.hold()
        elif self.state == "passing":
            self.pass_on()
        else:
            self.wait()

    def wait(self):
        if self.fault == "takes_over":
            self.set_alarm(ALARM_LONG, LONG)

    def keep(self):
        if self.fault != "forgets":
            self.cell(CELL, [self.state, self.number])

    def hold(self):
        self.state = "holding"
        self.keep()
        self.tell("turns", self.number, self.me)
        self.set_alarm(ALARM_WORK, WORK)
        self.set_alarm(ALARM_AGAIN, None)
        self.set_alarm(ALARM_LONG, None)

    def pass_on(self):
        self.state = "passing"
        self.keep()
        self.send((self.me + 1) % self.count, "token", self.number + 1)
        self.set_alarm(ALARM_AGAIN, AGAIN)

    def receive(self, sender, kind, value):
        if kind == "token":
            self.send(sender, "got", value)
            if value > self.number or (self.fault == "any_number" and self.state != "holding"):
                self.number = value
                self.hold()
        elif self.state == "passing" and value == self.number + 1:
            self.state = "idle"
            self.keep()
            self.set_alarm(ALARM_AGAIN, None)
            self.wait()

    def alarm(self, which):
        if which == ALARM_LONG:
            self.number += self.count
            self.hold()
        else:
            self.pass_on()

    def observe(self):
        return {"state": self.state, "number": max(self.number, 0)}


corridor.run(TokenRing)
