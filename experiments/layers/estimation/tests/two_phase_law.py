#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How probable it is that schedules of two-phase commit come to something, exactly: the program written down a second time, as a function from a
state to the states behind it, and the law of the generator `random` without faults. All schedules of so many events are gone through, those that
come to the same state together. It shares no code with the program."""
import functools

UNKNOWN, STORING, PREPARED, COMMITTED, ABORTED = range(5)
DELIVER, DISK, TIME_OUT, INPUT = 60, 20, 8, 0.88 * 2  # weights, as docs/look-up/process.md has the rates of calm weather: two inputs in a hundred events
# Whether participants 1 and 2 can do what is asked: bits 1 to 3 of a random word are 0 for the one that cannot, bits 2 to 4 for the other.
WORDS = [((True, True), 13 / 16), ((False, True), 1 / 16), ((True, False), 1 / 16), ((False, False), 1 / 16)]


class System:
    """One coordinator, two participants, links in order. Copied for each event."""
    def __init__(self):
        self.begun, self.counts, self.yes = 0, False, frozenset()
        self.standing = [{}, {}, {}]
        self.writes = [(), (), ()]
        self.alarm = [False, False, False]
        self.voted = [0, 0, 0]
        self.links = {}

    def copy(self):
        new = type(self).__new__(type(self))
        new.begun, new.counts, new.yes = self.begun, self.counts, self.yes
        new.standing = [dict(s) for s in self.standing]
        new.writes, new.alarm, new.voted = list(self.writes), list(self.alarm), list(self.voted)
        new.links = dict(self.links)
        return new

    def key(self):
        return (self.begun, self.counts, self.yes, tuple(tuple(sorted(s.items())) for s in self.standing), tuple(self.writes), tuple(self.alarm),
                tuple(self.voted), tuple(sorted((k, v) for k, v in self.links.items() if v)))

    def committed(self, p):
        return sum(s == COMMITTED for s in self.standing[p].values())

    def send(self, sender, to, *message):
        self.links[sender, to] = self.links.get((sender, to), ()) + (message,)

    def settle(self, p, number, commit):
        if self.standing[p].get(number, UNKNOWN) >= COMMITTED:
            return
        self.standing[p][number] = COMMITTED if commit else ABORTED
        if p and PREPARED not in self.standing[p].values():
            self.alarm[p] = False

    def write(self, p, *what):
        self.writes[p] = self.writes[p] + (what,)

    def decide(self, commit):
        self.counts, self.alarm[0] = False, False
        if commit:
            self.write(0, "commit", self.begun)
            return
        self.settle(0, self.begun, False)
        for p in (1, 2):
            self.send(0, p, "decision", self.begun, False)

    def request(self, can):
        if self.counts:
            return
        self.begun += 1
        self.counts, self.yes, self.alarm[0] = True, frozenset(), True
        for p in (1, 2):
            self.send(0, p, "prepare", self.begun, can[p - 1])

    def deliver(self, sender, to):
        kind, number, word = self.links[sender, to][0]
        self.links[sender, to] = self.links[sender, to][1:]
        standing = self.standing[to].get(number, UNKNOWN)
        if kind == "prepare":
            if standing == UNKNOWN and not word:
                self.settle(to, number, False)
                standing = ABORTED
            if standing == UNKNOWN:
                self.standing[to][number] = STORING
                self.write(to, "yes", number)
            elif standing in (PREPARED, ABORTED):
                self.send(to, 0, "vote", number, standing == PREPARED)
        elif kind == "vote":
            if not self.counts or number != self.begun:
                return
            if not word:
                self.decide(False)
                return
            self.yes |= {sender}
            if len(self.yes) == 2:
                self.decide(True)
        elif kind == "decision":
            if standing >= COMMITTED:
                return
            self.settle(to, number, word and standing != UNKNOWN)
            self.write(to, "outcome", number)
        elif number <= self.begun and standing >= COMMITTED:
            self.send(0, sender, "decision", number, standing == COMMITTED)

    def disk(self, p):
        what, number = self.writes[p][0]
        self.writes[p] = self.writes[p][1:]
        if p == 0:
            self.settle(0, number, True)
            for other in (1, 2):
                self.send(0, other, "decision", number, True)
        elif what == "yes" and self.standing[p][number] == STORING:
            self.standing[p][number] = PREPARED
            self.voted[p] += 1
            self.send(p, 0, "vote", number, True)
            self.alarm[p] = True

    def time_out(self, p):
        self.alarm[p] = False
        if p == 0:
            self.decide(False)
            return
        for number, standing in sorted(self.standing[p].items()):
            if standing == PREPARED:
                self.send(p, 0, "ask", number, None)
                self.alarm[p] = True

    def behind(self):
        """(probability, system) of what can happen next."""
        links = sorted(link for link, messages in self.links.items() if messages)
        writers = [p for p in range(3) if self.writes[p]]
        waiting = [p for p in range(3) if self.alarm[p]]
        kinds = [(DELIVER, [("deliver", *link) for link in links]), (DISK, [("disk", p) for p in writers]), (TIME_OUT, [("time_out", p) for p in waiting])]
        total = sum(weight for weight, places in kinds if places) + INPUT
        for weight, places in kinds:
            for name, *where in places:
                new = self.copy()
                getattr(new, name)(*where)
                yield weight / total / len(places), new
        yield INPUT / total * 2 / 3, self  # participants do not listen to requests
        for can, share in WORDS:
            new = self.copy()
            new.request(can)
            yield INPUT / total / 3 * share, new


class Lone(System):
    """With the fault lone_decision: a participant that is prepared aborts when it hears nothing."""
    def time_out(self, p):
        if p == 0:
            super().time_out(p)
            return
        self.alarm[p] = False
        for number, standing in sorted(self.standing[p].items()):
            if standing == PREPARED:
                self.settle(p, number, False)
                self.write(p, "outcome", number)


def differ(system):
    """What became of a transaction is not the same for all."""
    return any({COMMITTED, ABORTED} <= {standing.get(n) for standing in system.standing} for n in range(1, system.begun + 1))


def behind_each(first, choices, is_there, events):
    """The probability that so many events more come to such a state: from the first system on, and behind each of the choices (name, arguments..)."""
    systems = [first]
    for name, *where in choices:
        systems.append(systems[-1].copy())
        getattr(systems[-1], name)(*where)
    return [probability(is_there, events, system) for system in systems]


def probability(is_there, events, first=None):
    """That a schedule of so many events comes to a state in which is_there(system) holds; from a first system on, or the usual one."""
    known = {}

    @functools.lru_cache(maxsize=None)
    def come(key, left):
        system = known[key]
        if is_there(system):
            return 1.0
        if left == 0:
            return 0.0
        total = 0.0
        for share, new in system.behind():
            there = new.key()
            known.setdefault(there, new)
            total += share * come(there, left - 1)
        return total
    first = first or System()
    known[first.key()] = first
    return come(first.key(), events)
