#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent of stock_manager.json as a program over JSON lines: the same plans, written as functions; the same faults.

It needs nothing but Python. Lines are collected and written once per case: what a case costs is mostly writing.
"""
import json
import sys

LARGEST = 2**63 - 1


class Stopped(Exception):
    """A limit of the case is reached."""


class Failed(Exception):
    """The plan at work has failed."""


def sensible(agent, NumberOrdered, BookID, **_):
    return NumberOrdered > 0 and BookID >= 0


def can_supply(agent, NumberOrdered, BookID, Urgent):
    return agent.level >= NumberOrdered and sensible(agent, NumberOrdered, BookID)


def supply_from_stock(agent, BookID, NumberOrdered, Urgent):
    agent.step()
    agent.set_level(agent.level - NumberOrdered, BookID)
    agent.send("Book_available")


def cannot_supply(agent, NumberOrdered, BookID, Urgent):
    return agent.level < NumberOrdered and sensible(agent, NumberOrdered, BookID)


def supply_out_of_stock(agent, BookID, NumberOrdered, Urgent):
    agent.post("No_stock", BookID=BookID, NumberOrdered=NumberOrdered, Urgent=Urgent)


def respond(agent, decide, BookID, NumberOrdered):
    if decide:
        agent.post("Decide_supplier", BookID=BookID, NumberOrdered=NumberOrdered)
    else:
        agent.post("Order_stock", BookID=BookID, NumberOrdered=NumberOrdered, Supplier="Amazon")
    agent.send("Stock_delay_info")


def out_of_stock_response(agent, BookID, NumberOrdered, Urgent):
    agent.step()
    respond(agent, Urgent and NumberOrdered < 100, BookID, NumberOrdered)


def choose_preferred_supplier(agent, BookID, NumberOrdered):
    agent.post("Order_stock", BookID=BookID, NumberOrdered=NumberOrdered, Supplier="Amazon")


def choose_alternative_supplier(agent, BookID, NumberOrdered):
    agent.post("Order_stock", BookID=BookID, NumberOrdered=NumberOrdered, Supplier="Powells")


def email(agent, **_):
    agent.do("Email_stock_order")


def retry_if_bounced(agent, BookID, NumberOrdered, Supplier):
    agent.step()
    if agent.bounces > 0:
        agent.step()
        agent.bounces -= 1
        agent.wrote("mail.Bounces", agent.bounces)
        agent.post("Order_bounced", optional=True, BookID=BookID, NumberOrdered=NumberOrdered)


def place_stock_order(agent, **arguments):
    email(agent)
    retry_if_bounced(agent, **arguments)


def retry_other_supplier(agent, BookID, NumberOrdered):
    agent.step()
    agent.attempts += 1
    agent.wrote("mail.Attempts", agent.attempts)
    agent.post("Decide_supplier", BookID=BookID, NumberOrdered=NumberOrdered)


def regular_order(agent, BookID):
    agent.post("Order_stock", BookID=BookID, NumberOrdered=50, Supplier="Amazon")


def has_arrived(agent, StockOrderID, NumberArrived, Supplier):
    return StockOrderID >= 0 and NumberArrived > 0


def add_to_stock(agent, StockOrderID, NumberArrived, Supplier):
    agent.step()
    agent.set_level(agent.level + NumberArrived, agent.book)


def close_order(agent):
    agent.step()
    agent.wrote("orders.Open", False)


def log_books_arriving(agent, **arguments):
    add_to_stock(agent, **arguments)
    close_order(agent)


def is_order(agent, StockOrderID, **_):
    return StockOrderID >= 0


def reorder(agent, **_):
    agent.post("No_stock", BookID=1, NumberOrdered=10, Urgent=True)


def chase_failed_order(agent, StockOrderID):
    close_order(agent)
    reorder(agent)


def is_short_delay(agent, StockOrderID, DelayDays):
    return StockOrderID >= 0 and 0 < DelayDays <= 7


def accept_delay(agent, **_):
    agent.send("Stock_delay_info")


# What a fault has instead.

def loop(agent, **_):
    while True:
        agent.step()


def fail_at_the_end(agent, **arguments):
    supply_from_stock(agent, **arguments)
    agent.step()
    raise Failed


def post_more(agent, **arguments):
    log_books_arriving(agent, **arguments)
    agent.post("No_stock", BookID=1, NumberOrdered=1, Urgent=True)


def wrong_guard(agent, BookID, NumberOrdered, Urgent):
    agent.step()
    respond(agent, Urgent and NumberOrdered < 0, BookID, NumberOrdered)


def place_without_end(agent, BookID, NumberOrdered, Supplier):
    email(agent)
    agent.step()
    if agent.bounces > 0:
        agent.post("Order_bounced", optional=True, BookID=BookID, NumberOrdered=NumberOrdered)


def order_none(agent, BookID):
    agent.post("Order_stock", BookID=BookID, NumberOrdered=0, Supplier="Amazon")


def write_more(agent, **_):
    agent.send("Stock_delay_info")
    agent.step()
    agent.set_level(0, agent.book)


def send_more(agent, BookID):
    regular_order(agent, BookID)
    agent.send("Stock_delay_info")


def always(agent, **_):
    return True


# plan: (event, context, body)
PLANS = {
    "Supply_from_stock": ("Book_required", can_supply, supply_from_stock),
    "Supply_out_of_stock": ("Book_required", cannot_supply, supply_out_of_stock),
    "Out_of_stock_response": ("No_stock", sensible, out_of_stock_response),
    "Choose_preferred_supplier": ("Decide_supplier", lambda agent, **_: agent.reliability >= 50, choose_preferred_supplier),
    "Choose_alternative_supplier": ("Decide_supplier", lambda agent, **_: agent.reliability < 50, choose_alternative_supplier),
    "Place_stock_order": ("Order_stock", always, place_stock_order),
    "Retry_other_supplier": ("Order_bounced", lambda agent, **_: 0 <= agent.attempts < 3, retry_other_supplier),
    "Regular_order": ("Stock_low", lambda agent, BookID: BookID >= 0, regular_order),
    "Log_books_arriving": ("Stock_arrival", has_arrived, log_books_arriving),
    "Chase_failed_order": ("Failed_stock_arrival", is_order, chase_failed_order),
    "Accept_delay": ("Stock_order_delay", is_short_delay, accept_delay),
    "Reorder_after_delay": ("Stock_order_delay", lambda agent, StockOrderID, DelayDays: StockOrderID >= 0 and DelayDays > 7, reorder),
}

# fault: meaning, then for each plan changed what of it: event, context, body; None: the plan is missing
FAULTS = {
    "M1": ("the paper's: guard NumberOrdered < 0", {"Out_of_stock_response": {"body": wrong_guard}}),
    "M2": ("listens to a misspelt event", {"Regular_order": {"event": "Stock_lo"}}),
    "M3": ("context unsatisfiable", {"Out_of_stock_response": {"context": lambda agent, BookID, **_: BookID < 0 < BookID}}),
    "M4": ("context dropped", {"Log_books_arriving": {"context": always}}),
    "M5": ("loops", {"Log_books_arriving": {"body": loop}}),
    "M6": ("fails at the end", {"Supply_from_stock": {"body": fail_at_the_end}}),
    "M7": ("gap at 7", {"Accept_delay": {"context": lambda agent, StockOrderID, DelayDays: StockOrderID >= 0 and 0 < DelayDays < 7}}),
    "M8": ("overlap at 7", {"Reorder_after_delay": {"context": lambda agent, StockOrderID, DelayDays: StockOrderID >= 0 and DelayDays >= 7}}),
    "M9": ("posts what the design does not list", {"Log_books_arriving": {"body": post_more}}),
    "M10": ("retries without end, bounces not used up",
            {"Retry_other_supplier": {"context": lambda agent, **_: agent.attempts >= 0,
                                      "body": lambda agent, **arguments: agent.post("Decide_supplier", **arguments)},
             "Place_stock_order": {"body": place_without_end}}),
    "M11": ("never posts Order_bounced", {"Place_stock_order": {"body": email}}),
    "M12": ("always applicable", {"Choose_preferred_supplier": {"context": always}}),
    "M13": ("orders 0 copies", {"Regular_order": {"body": order_none}}),
    "M14": ("forgets its message", {"Accept_delay": {"body": lambda agent, **_: None}}),
    "M15": ("forgets orders.Open", {"Log_books_arriving": {"body": add_to_stock}}),
    "M16": ("plan missing", {"Out_of_stock_response": None}),
    "M17": ("writes a belief it must not", {"Accept_delay": {"body": write_more}}),
    "M18": ("never mails the order", {"Place_stock_order": {"body": retry_if_bounced}}),
    "M19": ("sends a message it must not", {"Regular_order": {"body": send_more}}),
}


def plans_with(fault):
    """The plans, changed as the fault says: [(plan, event, context, body)]."""
    changed = FAULTS[fault][1] if fault in FAULTS else {}
    found = []
    for plan, (event, context, body) in PLANS.items():
        change = changed.get(plan, {})
        if change is not None:
            found.append((plan, change.get("event", event), change.get("context", context), change.get("body", body)))
    return found


class Agent:
    """The agent in one case: what it believes, and what it reports."""

    def __init__(self, handlers, case):
        self.handlers, self.lines = handlers, []
        self.steps, self.step_limit, self.rounds = 0, case["steps"], case["rounds"]
        self.at_work = []
        beliefs = case["beliefs"]
        self.book, self.level, self.reorder_level = beliefs["stock.BookID"], beliefs["stock.Level"], beliefs["stock.ReorderLevel"]
        self.reliability, self.bounces, self.attempts = beliefs["supplier.Reliability"], beliefs["mail.Bounces"], beliefs["mail.Attempts"]

    def say(self, **line):
        self.lines.append(line)

    def step(self):
        if self.steps == self.step_limit:
            raise Stopped("steps")
        self.steps += 1

    def handle(self, event, arguments):
        """Has the first applicable plan handle the event, and when it fails the next; False if none completes."""
        applicable = []
        for plan, context, body in self.handlers.get(event, ()):
            holds = context(self, **arguments)
            self.say(context=plan, holds=holds)
            if holds:
                applicable.append((plan, body))
        return any(self.run(plan, body, arguments) for plan, body in applicable)

    def run(self, plan, body, arguments):
        if self.at_work.count(plan) > self.rounds:
            raise Stopped("rounds")
        self.step()
        self.say(started=plan)
        self.at_work.append(plan)
        try:
            body(self, **arguments)
            ok = True
        except Failed:
            ok = False
        self.at_work.pop()
        self.say(ended=plan, ok=ok)
        return ok

    def post(self, event, optional=False, **arguments):
        self.step()
        self.say(posted=event, by=self.at_work[-1], args=arguments)
        if not self.handle(event, arguments) and not optional:
            raise Failed

    def send(self, message):
        self.step()
        self.say(sent=message, by=self.at_work[-1])

    def do(self, action):
        self.step()
        self.say(did=action, by=self.at_work[-1])

    def wrote(self, field, value):
        self.say(wrote=field, by=self.at_work[-1], value=value)

    def set_level(self, level, book):
        """The rule of the belief set: where the level is low after a write, Stock_low is posted."""
        if not -LARGEST - 1 <= level <= LARGEST:
            raise Failed  # a level is an integer of 64 bits
        self.level = level
        self.wrote("stock.Level", level)
        if level < self.reorder_level:
            self.say(posted="Stock_low", args={"BookID": book})


def answer(handlers, case):
    agent = Agent(handlers, case)
    end = "quiet"
    try:
        agent.handle(case["event"], case["args"])
    except Stopped as limit:
        end = str(limit)
    agent.say(finished=end, steps=agent.steps)
    return agent.lines


def main():
    handlers = {}
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            plans = plans_with(request["hello"].get("fault"))
            for plan, event, context, body in plans:
                handlers.setdefault(event, []).append((plan, context, body))
            said = {"agent": "Stock_Manager", "version": "1.0", "forgets": True,
                    "handles": {plan: event for plan, event, _, _ in plans},
                    "faults": {name: meaning for name, (meaning, _) in FAULTS.items()}}
        elif "case" in request:
            said = {"lines": answer(handlers, request["case"])}
        else:
            break
        sys.stdout.write(encode({"id": request["id"], **said}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
