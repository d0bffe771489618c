#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A distributed program in Python that does harm, by its fault, when process 1 is asked for something the third time."""
import os
import pathlib
import signal
import sys
import threading
import time

import corridor_process as corridor

CONVERSATION = os.dup(1)  # what goes to 1 later on is of standard error

FAULTS = ("raises", "exits", "is_killed", "prints", "answers_twice", "floods", "sends_to_nobody", "sends_an_unknown_kind", "shows_a_word",
          "tells_an_index_twice", "complains", "keeps_in_the_class", "leaves_a_child", "writes_a_file", "asks_the_time", "starts_a_thread",
          "closes_its_output", "kills_its_parent", "spins", "sleeps")


class Guest(corridor.Process):
    name = "guest"
    attributes = {"heard": int}
    channels = {"said": "one word"}
    messages = {"word": "any"}
    inputs = {"speak": "to all"}
    faults = FAULTS
    kept = 0

    def start(self, stored):
        self.heard = self.asked = 0

    def receive(self, sender, kind, value):
        self.heard += 1

    def input(self, which, data):
        self.asked += 1
        self.tell("said", 0, 5)
        for to in range(self.count):
            self.send(to, "word", self.asked)
        if self.me == 1 and self.asked == 3 and self.fault:
            getattr(self, self.fault)()

    def observe(self):
        return {"heard": "many" if self.fault == "shows_a_word" and self.asked == 3 else self.heard}

    def shows_a_word(self):
        pass

    def raises(self):
        raise ValueError("the log has a hole")

    def exits(self):
        os._exit(3)

    def is_killed(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def prints(self):
        os.write(CONVERSATION, b"hello\n")

    def answers_twice(self):
        os.write(CONVERSATION, b'{"id":1}\n{"id":2}\n')

    def floods(self):
        while True:
            os.write(CONVERSATION, b"x" * 65536)

    def sends_to_nobody(self):
        self.send(99, "word", 0)

    def sends_an_unknown_kind(self):
        self.send(0, "letter", 0)

    def tells_an_index_twice(self):
        self.tell("said", 0, 6)

    def complains(self):
        self.complain("two leaders of one term")

    def keeps_in_the_class(self):
        Guest.kept += 1

    def leaves_a_child(self):
        if os.fork() == 0:
            time.sleep(100)
            os._exit(0)

    def writes_a_file(self):
        try:
            pathlib.Path("guest-was-here").write_text("x", encoding="utf-8")
        except OSError:
            pass

    def asks_the_time(self):
        time.time()

    def starts_a_thread(self):
        threading.Thread(target=time.sleep, args=(100,), daemon=True).start()

    def closes_its_output(self):
        os.closerange(3, 64)

    def kills_its_parent(self):
        try:
            os.kill(os.getppid(), signal.SIGKILL)
        except OSError:
            pass

    def spins(self):
        while True:
            pass

    def sleeps(self):
        time.sleep(1000)


sys.dont_write_bytecode = True
corridor.run(Guest)
