# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithms in Python for the tests: good ones, and ones that do harm. WRONG is what becomes of each of these: the code of
smoke, and what is said begins so or matches."""
import ctypes
import os
import sys
import threading
import time

import corridor

LEAST_MEMORY = 64 << 20


@corridor.algorithm(name="snake", version="1.0", summary="snake deal", faults={"loses": "the first agent is nowhere"},
                    counters={"asked": 2})
def snake(task):
    """The algorithm `deal` of algorithms/deal once more."""
    values = task.values
    order = sorted(range(len(task)), key=lambda agent: (-values[agent], agent))
    task.count("asked", task.fault is not None)
    task.spend(1)
    count = task.block_count
    blocks = [[] for _ in range(count)]
    for place, agent in enumerate(order):
        round_, column = divmod(place, count)
        blocks[count - 1 - column if round_ % 2 else column].append(agent)
    if task.fault == "loses":
        task.injected.reached += 1
        task.injected.held += 1
        task.injected.activated += 1
        task.injected.in_result = 1
        del blocks[0][0]
    return blocks


@corridor.algorithm(parameters={"swaps": (3, 0, 10)}, keeps=True)
def shuffles(task, swaps):
    """Swaps a few agents by chance, the more the more often it was asked."""
    blocks = [list(block) for block in task.blocks]
    times = len(task.kept) + 1
    task.keep(b"x" * min(times, 20))
    for _ in range(swaps * times):
        first, second = task.random.randrange(len(blocks)), task.random.randrange(len(blocks))
        if blocks[first] and blocks[second]:
            one, other = task.random.randrange(len(blocks[first])), task.random.randrange(len(blocks[second]))
            blocks[first][one], blocks[second][other] = blocks[second][other], blocks[first][one]
    return blocks


@corridor.algorithm(budget_unit="steps")
class Climbs:
    """Steps until its budget is used, and keeps the best."""

    def begin(self, task):
        self.best = [list(block) for block in task.blocks]
        self.cost = task.cost(self.best)

    def step(self, task, units):
        for _ in range(min(units, 5)):
            task.spend(1)
            tried = [list(block) for block in self.best]
            agent = task.random.randrange(len(task))
            for block in tried:
                if agent in block:
                    block.remove(agent)
            task.random.choice(tried).append(agent)
            tried = [block for block in tried if block]
            cost = task.cost(tried)
            if len(tried) == len(self.best) and cost < self.cost:
                self.best, self.cost = tried, cost
        return self.cost <= task.threshold

    def result(self, task):
        return self.best


@corridor.algorithm(faults=["deaf"])
class Gossips:
    """Everybody tells everybody its value; whoever knows all finds its place in the order of them."""

    def begin(self, task):
        self.count = len(task)
        return [{agent: None} for agent in range(len(task))]

    def wake(self, me):
        me.state = {me.id: me.value}
        for other in range(self.count):
            if other != me.id:
                me.send(other, 1, me.value if other % 2 else {"value": me.value})

    def receive(self, me, message):
        told = message.value
        me.state[message.sender] = told["value"] if isinstance(told, dict) else told

    def restart(self, me):
        me.state = {me.id: me.value}

    def result(self, task, agents):
        order = sorted(range(len(task)), key=lambda agent: sum(agents[agent].state.values()))
        assert all(len(agent.state) == len(task) for agent in agents), [agent.state for agent in agents]
        assert len({round(sum(agent.state.values()), 9) for agent in agents}) == 1
        return [order[block::task.block_count] for block in range(task.block_count)]


WRONG = {}


def wrong(smoke, words):
    """A function or class that does harm, and what becomes of it."""
    def make(function):
        WRONG[function.__name__.lower()] = smoke, words
        return corridor.algorithm(function)

    return make


@wrong("complained", r"ZeroDivisionError: division by zero \(guests\.py:\d+, in divides\)$")
def raises(task):
    def divides():
        return 1 / 0

    return divides()


@wrong("complained", r"SystemExit: 3 ")
def leaves(task):
    sys.exit(3)


@wrong("complained", r"KeyboardInterrupt ")
def interrupts(task):
    raise KeyboardInterrupt


KEPT = []


@corridor.algorithm
def asks_too_late(task):
    """Memory that is somebody else's by now is neither read nor written: the first task is asked in the next reorganization."""
    KEPT.append(task)
    late = KEPT[0]
    if late is task:
        return task.blocks
    asking = (lambda: late.values, lambda: late.blocks, lambda: late.parameters, lambda: late.kept, lambda: late.random, late.__len__,
              lambda: late.cost([[0]]), lambda: late.keep(b""), lambda: late.count("asked"), lambda: late.injected)
    answered = 0
    for ask in asking:
        try:
            ask()
            answered += 1
        except RuntimeError:
            pass
    return late.spend(answered)


@wrong("complained", r"ValueError: -1 is no number from 0 to 18446744073709551615 ")
def spends_less_than_nothing(task):
    task.spend(1)
    task.spend(-1)


@wrong("complained", r".*ValueError.*: 4294967296 is no number from 0 to 4294967295 ")
class MailsFar:
    """Mail to agent 2^32 is none to agent 0."""

    def wake(self, me):
        me.send(1 << 32, 1)

    def receive(self, me, message):
        pass

    def result(self, task, agents):
        return task.blocks


@wrong("complained", r"TypeError: memoryview: a bytes-like object is required, not 'int' ")
def keeps_a_number(task):
    task.keep(5)


@wrong("complained", r"RecursionError: maximum recursion depth exceeded")
def recurses(task):
    return recurses(task)


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


@wrong("complained", r"Mute: its text cannot be made \(RuntimeError\) \(guests\.py:\d+, in raises_without_text\)$")
def raises_without_text(task):
    raise Mute


@wrong("complained", r"ValueError: \\x00\\ud800\\x00\\ud800.* in raises_a_long_text\)$")
def raises_a_long_text(task):
    raise ValueError("\0\ud800" * 1000000)


@wrong("complained", r"TypeError")
def spoils_the_interpreter(task):
    import builtins

    builtins.len = builtins.isinstance = None
    sys.modules.clear()
    return task.blocks


@wrong("crashed", r"ended by signal 31 ")
def becomes_another_program(task):
    os.execv("/bin/true", ["true"])


@wrong("hung", r"used 0\.2 s of CPU time, or waited for ever$")
def counts_for_ever(task):
    def slowly():  # so that its time is used up before its memory, on any machine
        while True:
            sum(range(100000))
            yield 0

    return slowly()


@wrong("garbled", r"it counts a fault \(reached 18446744073709551615 times")
def counts_faults_wrongly(task):
    task.injected.reached = -1
    return task.blocks


@wrong("exited", r"exited with code 7$")
def leaves_at_once(task):
    os._exit(7)


@wrong("exited", r"exited with code 0$")
def leaves_quietly(task):
    os._exit(0)


@wrong("crashed", r"ended by signal 11 ")
def crashes(task):
    ctypes.string_at(8)


@wrong("crashed", r"ended by signal 6 ")
def aborts(task):
    os.abort()


@wrong("crashed", r"ended by signal 9 ")
def kills(task):
    os.kill(os.getpid(), 9)


@wrong("hung", r"used 0\.2 s of CPU time, or waited for ever$")
def spins(task):
    while True:
        pass


@wrong("leaked", r"leaves processes behind$")
def forks(task):
    if os.fork() == 0:
        time.sleep(3600)
    return task.blocks


@wrong("leaked", r"leaves threads behind$")
def threads(task):
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    return task.blocks


@wrong("memory", "")
def uses_memory(task):
    held = []
    while len(held) < 50:  # 1 GB at most
        held.append(bytearray(20 << 20))
    return task.blocks


_memory = []


@wrong("leaked", "")
def remembers(task):
    _memory.append(1)
    return task.blocks if len(_memory) == 1 else []


@wrong("complained", r"(ValueError: assignment destination is read-only|TypeError: cannot modify read-only memory)")
def writes_values(task):
    task.values[0] = 7.0


@wrong("complained", r"(ValueError: assignment destination is read-only|TypeError: cannot modify read-only memory)")
def writes_members(task):
    task.members[0] = 7


@wrong("complained", r"(OSError|PermissionError): \[Errno \d+\]")
def writes_files(task):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "written-by-a-guest"), "w") as file:
        file.write("here")


@wrong("complained", r"(OSError|PermissionError): \[Errno \d+\]")
def connects(task):
    import socket

    socket.create_connection(("127.0.0.1", 9))


@wrong("complained", r"ValueError: counter asked|ValueError: 'asked' is not in list")
def counts_wrongly(task):
    task.count("asked", 5)


@wrong("complained", r"ValueError: the testbed does not keep these bytes")
def keeps_without_saying(task):
    task.keep(b"x")


def _nonsense(name, value, smoke="complained", words=r"TypeError: gave "):
    def gives(task):
        return value(task) if callable(value) else value

    gives.__name__ = gives.__qualname__ = name
    wrong(smoke, words)(gives)


_nonsense("gives_nothing", None)
_nonsense("gives_a_number", 3)
_nonsense("gives_text", "blocks")
_nonsense("gives_bytes", b"blocks")
_nonsense("gives_numbers", [1, 2, 3])
_nonsense("gives_texts", ["a", "b"])
_nonsense("gives_floats", [[0.0, 1.0]])
_nonsense("gives_negatives", [[0, -1]])
_nonsense("gives_large_numbers", [[0, 1 << 40]])
_nonsense("gives_nothings", [[None]])
_nonsense("gives_lists_of_lists", [[[0], [1]]])
_nonsense("gives_a_dict", {0: [0, 1]})
_nonsense("gives_the_function", lambda task: gives_a_function)
_nonsense("gives_itself", lambda task: task)
_nonsense("gives_generators", lambda task: [(agent for agent in range(3))])
_nonsense("gives_nans", [[float("nan")]])
_nonsense("gives_complex", [[1j]])
_nonsense("gives_a_type", lambda task: list)
_nonsense("gives_an_exception", ValueError("no"))


def gives_a_function():
    return None


_nonsense("gives_too_much", lambda task: [[0] * 3000000], "overflow", "")
