#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a function of Python costs beside itself: a reorganization of 10 and of 100 agents, called as the host calls it, that
reads values and structure and puts blocks; then the import of the package, in a fresh interpreter beside an empty one. Time of
the processor: what else the machine does has no part in it.

usage: bench_python.py LIBRARY: prints microseconds of 10 agents, of 100, and of the import
"""
import ctypes
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))
import corridor  # noqa: E402
from corridor import _algorithms, _command, _guests, _plugin  # noqa: E402

REPEATS, CALLS = 7, 2000


def of_agents(library, count):
    block_count = 2 if count < 20 else count // 10
    values = (ctypes.c_double * count)(*[agent / count for agent in range(count)])
    columns = (ctypes.c_void_p * 1)(ctypes.addressof(values))
    start = (ctypes.c_uint32 * (block_count + 1))(*[block * count // block_count for block in range(block_count + 1)])
    members = (ctypes.c_uint32 * count)(*range(count))
    rules = _plugin.Rules(value_count=1, size_min=1, size_max=count, count_min=1, count_max=count, budget=1)
    task = _plugin.Task(agent_count=count, rules=ctypes.addressof(rules), values=ctypes.addressof(columns), block_count=block_count,
                        block_start=ctypes.addressof(start), members=ctypes.addressof(members))
    host = _plugin.Host(put_block=ctypes.cast(library.cor_embed_abi, ctypes.c_void_p).value)
    blocks = [list(range(start[block], start[block + 1])) for block in range(block_count)]

    def function(task):
        values, members = task.values, task.members
        return blocks if len(values) == len(members) else None

    class Ready:
        pass

    ready = Ready()
    ready.values, ready.members = values, members
    guest = _algorithms.Guest(function, "measured", None, "1", None, None, None, None, None, "calls", 0)
    called = guest._function_callbacks()["result"]
    address, asked, offered = ctypes.cast(called, ctypes.c_void_p).value, ctypes.addressof(task), ctypes.addressof(host)
    from_outside = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address)
    assert from_outside(None, asked, offered) == _plugin.DONE

    def microseconds(call):
        times = []
        for _ in range(REPEATS):
            begin = time.process_time()
            for _ in range(CALLS):
                call()
            times.append((time.process_time() - begin) / CALLS * 1e6)
        return statistics.median(times)

    return microseconds(lambda: from_outside(None, asked, offered)) - microseconds(lambda: function(ready))


def of_import():
    def used():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    def microseconds(text):
        times = []
        for _ in range(9):
            begin = used()
            subprocess.run([sys.executable, "-c", text], env={**os.environ, "PYTHONPATH": str(HERE)}, check=True)
            times.append((used() - begin) * 1e6)
        return statistics.median(times)

    microseconds("import corridor")  # its bytes are compiled
    return microseconds("import corridor") - microseconds("pass")


def main():
    library = _command.load(sys.argv[1])
    _guests.begin(library, [], None, True)
    print(of_agents(library, 10), of_agents(library, 100), of_import())


main()
