#!/usr/bin/python3
# SPDX-License-Identifier: CC0-1.0
"""my_process: a token goes round. Who holds it may do what only one may do. It has a number, which grows with each hop; it is passed
on until the next process says that it has it, and what a process knows of it is in a cell. So it is neither lost nor doubled,
whatever messages and processes do: make it yours from here. corridor_process.py, beside this file, is what it stands over."""
import corridor_process as corridor

WORK, PATIENCE = 30, 40  # ticks
WORK_DONE, AGAIN = 0, 1  # alarms


class Ring(corridor.Process):
    name = "my_process"
    meaning = "mutual exclusion by a token that goes round"
    attributes = {"state": ["idle", "holding", "passing"], "number": int}
    channels = {"turns": "who held the token of that number"}
    messages = {"token": "the receiver is to hold it", "got": "it does"}
    alarms = {"work_done": "the token goes on", "again": "nobody says that he has it"}  # 0, 1
    faults = {"forgets": "what it knows of the token is in no cell"}

    def start(self, stored):
        """First, and after each crash: what was kept is in `stored`."""
        self.state, self.number = stored.cells.get(0) or (["holding", 0] if self.me == 0 else ["idle", -1])
        if self.state == "holding":
            self.hold()
        elif self.state == "passing":
            self.pass_on()

    def keep(self):
        if self.fault != "forgets":
            self.cell(0, [self.state, self.number])

    def hold(self):
        self.state = "holding"
        self.keep()
        self.tell("turns", self.number, self.me)  # this turn was mine
        self.set_alarm(WORK_DONE, WORK)
        self.set_alarm(AGAIN, None)

    def pass_on(self):
        self.state = "passing"
        self.keep()
        self.send((self.me + 1) % self.count, "token", self.number + 1)
        self.set_alarm(AGAIN, PATIENCE)

    def receive(self, sender, kind, value):
        if kind == "token":
            self.send(sender, "got", value)
            if value > self.number:
                self.number = value
                self.hold()
        elif self.state == "passing" and value == self.number + 1:
            self.state = "idle"
            self.keep()
            self.set_alarm(AGAIN, None)

    def alarm(self, which):
        """The work is done, or nobody has said that the token has come."""
        self.pass_on()

    def observe(self):
        """What the corridor sees of a process."""
        return {"state": self.state, "number": max(self.number, 0)}


corridor.run(Ring)
