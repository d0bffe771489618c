#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Inres initiator of inres_initiator.json as a system under test: a line of JSON in, a line out (docs/look-up/efsm.md)."""
import json
import sys

REPEATS = 4


class Initiator:
    def __init__(self):
        self.place, self.number, self.counter, self.data = "disconnect", 0, 0, 0

    def timer(self, *outputs):
        return [*outputs, ["Timer.start", []]]

    def leave(self):
        self.place = "disconnect"
        return [["IDISind", []]]

    def again(self):
        """The frame once more, or no more of it."""
        if self.counter >= REPEATS:
            return self.leave()
        self.counter += 1
        return [["DT", [self.number, self.data]]]

    def give(self, name, *arguments):
        if name == "DR":
            return self.leave()
        if self.place == "disconnect" and name == "ICONreq":
            self.place, self.counter = "wait", 0
            return self.timer(["CR", []])
        if self.place == "wait" and name == "CC":
            self.place, self.number = "connect", 1
            return [["ICONconf", []]]
        if self.place == "wait" and name == "Timer.expired":
            if self.counter >= REPEATS:
                return self.leave()
            self.counter += 1
            return self.timer(["CR", []])
        if self.place == "connect" and name == "IDATreq":
            self.place, self.counter, self.data = "sending", 0, arguments[0]
            return self.timer(["DT", [self.number, self.data]])
        if self.place == "sending" and name == "AK" and arguments[0] == self.number:
            self.place, self.number = "connect", 1 - self.number
            return []
        if self.place == "sending" and name in ("AK", "Timer.expired"):
            return self.again()
        return []


def answer(request):
    global system
    if "hello" in request:
        return {"protocol": 1, "name": "inres.py", "version": "1"}
    if "reset" in request:
        system = Initiator()
        return {"ready": True}
    outputs = system.give(request["in"], *request["args"])
    return {"out": outputs} if outputs else {"quiet": True}


for line in sys.stdin:
    asked = json.loads(line)
    if "bye" in asked:
        break
    print(json.dumps({"id": asked["id"], **answer(asked)}), flush=True)
