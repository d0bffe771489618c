#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""my_agent: takes a parcel while the van holds no more than 100 kilos with it, and refuses it else.

It reads requests from standard input, a line of JSON each, and answers with lines of JSON: what it looked at, started, did."""
import json
import sys

number = 0  # of the request that is answered


def say(**line):
    print(json.dumps({"id": number, **line}))


def handle(plans, *arguments):
    """Looks at the contexts of all plans of an event; the first that is applicable handles it."""
    holds = [context(*arguments) for _, context, _ in plans]
    for (name, _, _), held in zip(plans, holds):
        say(context=name, holds=held)
    for (name, _, body), held in zip(plans, holds):
        if held:
            say(started=name)
            body(*arguments)
            say(ended=name, ok=True)
            return


def reply(by, what):
    """Posts an event of the agent's own, and handles it at once."""
    say(posted="Reply", by=by, args={"What": what})
    handle(REPLY, what)


def take(kilos, express, load):
    say(wrote="van.Load", by="Take", value=load + kilos)
    if express:
        say(did="Drive", by="Take")
    reply("Take", "yes")


# The plans of each event: name, context, body. Write < for <= and see what corridor agent test finds.
REPLY = [("Confirm", lambda what: True, lambda what: say(sent="Confirmation", by="Confirm"))]
PARCEL = [("Take", lambda kilos, express, load: kilos > 0 and load + kilos <= 100, take),
          ("Refuse", lambda kilos, express, load: kilos > 0 and load + kilos > 100, lambda *_: reply("Refuse", "no"))]

for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    if "hello" in request:
        say(agent="my_agent", version="1", handles={"Take": "Parcel", "Refuse": "Parcel", "Confirm": "Reply"})
    elif "case" in request:
        case = request["case"]
        args = case["args"]
        if case["event"] == "Parcel":
            handle(PARCEL, args["Kilos"], args["Express"], case["beliefs"]["van.Load"])
        else:
            handle(REPLY, args["What"])
        say(finished="quiet")
    else:
        break
    sys.stdout.flush()
