# SPDX-License-Identifier: GPL-3.0-or-later
"""The Book Shelf of book_shelf.json as a program over JSON lines: a relation as a dictionary. Faults: wrong_row, remove_forgotten."""
import json
import sys

fault = None


def handle(say, event, args, shelf):
    book = args["Book"]
    copies = shelf.get(book)
    if event == "Arrival":
        number = args["Number"]
        plans = [("Add", number > 0 and copies is not None), ("Begin", number > 0 and copies is None)]
    else:
        plans = [("Sell", copies is not None), ("Regret", copies is None)]
    for plan, holds in plans:
        say(context=plan, holds=holds)
    plan = next((plan for plan, holds in plans if holds), None)
    if not plan:
        return
    say(started=plan)
    if plan == "Add" and fault == "wrong_row":
        say(inserted="shelf", by=plan, values={"Book": book + 1, "Copies": copies + number})
    elif plan == "Add":
        say(wrote="shelf.Copies", by=plan, value=copies + number)
    elif plan == "Begin":
        if len(shelf) > 1:
            say(sent="ShelfFull", by=plan)
        say(inserted="shelf", by=plan, values={"Book": book, "Copies": number})
    elif plan == "Sell":
        say(did="Hand over", by=plan)
        if copies > 1 or fault == "remove_forgotten":
            say(wrote="shelf.Copies", by=plan, value=copies - 1)
        else:
            say(removed="shelf", by=plan, key={"Book": book})
    else:
        say(sent="SoldOut", by=plan)
    say(ended=plan, ok=True)


for line in sys.stdin:
    request = json.loads(line)

    def say(**line):
        print(json.dumps({"id": request["id"], **line}))

    if "hello" in request:
        fault = request["hello"].get("fault")
        say(agent="Book Shelf", version="1", handles={"Add": "Arrival", "Begin": "Arrival", "Sell": "Sale", "Regret": "Sale"},
            faults={"wrong_row": "counts the copies of the next book", "remove_forgotten": "leaves a book of which nothing is left"})
    elif "case" in request:
        case = request["case"]
        handle(say, case["event"], case["args"], {row["Book"]: row["Copies"] for row in case["rows"]["shelf"]})
        say(finished="quiet")
    else:
        break
    sys.stdout.flush()
