#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""forged.py CORRIDOR SOURCE RESEAL [COUNT [SEED [READERS [JOBS [FILE..]]]]]: one thing in a result file is another. Small files of every layer, in which each
table of it has rows; of each in turn each column, vector, catalog, attribute and text, and each value in the texts, in each way that fits it: out of
range, huge, not a number, beyond the end, twice, in another order, of another type, shape or length, without an end, no UTF-8. COUNT of these
forgeries, drawn by SEED; 0: each. Every command that reads result files - READERS of them, drawn for each forgery; 0: all - is given the file with
--unsealed as it is; then, fingerprint and seal put right as a forger would who knows how they are reckoned, without. It comes to its end
with a document whose numbers are numbers, shares within 0 and 100 where the file was sealed, or refuses: exit code 3, the file in the message,
of what was sealed nothing shown. No promise is broken, none dies, takes more than SECONDS, or more memory than MEGABYTES. TERM ends it with what ran."""
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import h5py
import numpy

import campaign

CORRIDOR, SOURCE, RESEAL = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
COUNT, SEED, AT_ONCE, JOBS = (int(word) for word in (sys.argv[4:8] + ["100", "1", "0", "1"][len(sys.argv[4:8]):]))
SECONDS, MEGABYTES = 10, 1024
PATIENCE = 120  # until a command is said to hang: the machine may be loaded
LIBRARY = SOURCE / "experiments/library"

SPADA = {"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 20], "budget": 100}}
PSOPP = {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 20], "budget": 50, "t1": 1000}}
PAPER = {"corridor_experiment": 1, "name": "small", "seed": "0x7", "suites": 2, "sequences": 2, "cases": [10, 20], "model": str(LIBRARY / "models/paper.json"),
         "arms": [SPADA, PSOPP], "mode": "paired", "branching": {"continuations": 1, "back": [1], "cases": 5}, "contrasts": [{"name": "c", "between": ["S", "P"]}]}
RARE = {"corridor_experiment": 1, "name": "rare", "seed": "0x7", "suites": 12, "sequences": 1, "cases": [5, 9], "model": str(LIBRARY / "models/paper.json"), "arms": [SPADA]}
CLOCKS = {"case": 1000, "agent_clock": [900, 1100], "monitor_clock": 1000, "unit": 1, "message": 2, "move": 5}
SKY = {"states": ["dark", "bright"], "transitions": {"dark": {"dark": 0.7, "bright": 0.3}, "bright": {"dark": 0.4, "bright": 0.6}}}
DEAD = ["import json, sys", "for line in sys.stdin:", " asked = json.loads(line)", " if 'hello' not in asked: sys.exit('no more')",
        " print(json.dumps({'id': asked['id'], 'protocol': 1, 'name': 'dead', 'version': '1', 'summary': 'ends'}), flush=True)"]


def of_text(kind, arms, *lines, **more):
    """An experiment whose corridor is a text, of structures of a kind."""
    types = {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1}, "influence": {"dark": "on", "bright": "off"}},
             "roof": {"environment": "sky", "states": {"low": 0.2, "high": 0.8}, "influence": {"dark": "low", "bright": "high"}}}
    model = {"corridor_model": 1, "agents": 10, "groups": {"count": 3}, "locations": "per_group", "mixed_groups": True, "inertia": [0.3, 0.9],
             "structure": {"kind": kind, "size_min": 1, "count_min": 2, "count_max": 4}, "environments": {"sky": {"profile": SKY}}, "types": types,
             "attributes": {"load": {"real": [0, 500], "unit": "kW", "draw": [10, 20]}}, "invariant": {"threshold": 0.3}}
    text = [f"structure {kind}", "attribute load: real [kW]", "parameter threshold", "define level(o): mean(a in o.members: a.value)",
            "invariant number: count(organizations) <= 4", "temporal back: always (not inside implies eventually[0, 3] inside)",
            "trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= threshold", *lines]
    return {"corridor_experiment": 1, "name": kind, "seed": "0x4", "suites": 2, "sequences": 2, "cases": [6, 10], "model": model, "corridor": text, "arms": arms, **more}


SPREAD = "objective spread: max(o in organizations: level(o)) - min(o in organizations: level(o))"
TEXT = of_text("partitioning", [
    {"name": "T", "algorithm": "psopp", "fault": "f1", "parameters": {"budget": 50, "t1": 1000}, "execution": {"continuous": CLOCKS}, "returns": 2},
    {"name": "R", "algorithm": "psopp", "environment": {"profile_share": 0.5, "traps": [{"arcs": "sky", "with": ["improved.b0 > 0"]}, "alarm and partitions = 2"]}}],
    SPREAD, properties=["P >= 0.5 [ always inside ]", "E <= 40 [ sum moved ]"])
PARTS = of_text("partitioning", [
    {"name": "M", "algorithm": "random", "mechanisms": ["balance"], "judge_moves": True}, {"name": "N", "algorithm": "random"},
    {"name": "O", "algorithm": "spada", "fault": "f2", "mail": {"mode": "pct"}}, {"name": "D", "algorithm": "./dead.py"}], mode="paired")
FOREST = of_text("tree", [{"name": "B", "algorithm": "balanced_tree", "fault": "orphan"}, {"name": "H", "algorithm": "balanced_tree", "adoption": {"fault": "halfway", "probability": 0.3}}])
COVER = of_text("overlapping", [{"name": "G", "algorithm": "greedy_cover", "fault": "joins_twice"}])
EXPLORED = of_text("partitioning", [{"name": "A", "algorithm": "psopp", "fault": "f1", "parameters": {"budget": [20, 80], "particles": [1, 4], "t1": 1000}}])
REGIONS = {"corridor_experiment": 1, "name": "regions", "seed": 11, "suites": 150, "sequences": 1, "cases": [10, 20],
           "model": {"corridor_model": 1, "parameters": [{"agents": [4, 60]}, {"s_min <= s_max": [2, "agents"], "n_min <= n_max": [1, "agents / 2"]}],
                     "constraints": ["n_min * s_min <= agents", "n_max * s_max >= agents", "ceil_div(agents, s_max) <= agents / s_min"],
                     "fallback": [{"k": [1, "agents / 2"]}, {"s_min": [2, "agents / k"], "s_max": ["ceil_div(agents, k)", "agents"], "n_min": [1, "k"], "n_max": ["k", "agents / 2"]}],
                     "agents": "agents", "structure": {"size_min": "s_min", "size_max": "s_max", "count_min": "n_min", "count_max": "n_max"},
                     "environments": {"weather": {"random": {"states": 4}}}, "types": {"agent": {"level": [0.2, 1.0]}}, "invariant": {"threshold": 0.2}},
           "arms": [{"name": "F", "algorithm": "psopp", "fault": "f2", "parameters": {"budget": 300}, "constraints": ["agents >= 5"]}]}
STORM = {"delay": [1, 200], "lose": 0.1, "crash": 0.5, "down": [100, 900]}
SCHEDULES = {"process": {"program": "two_phase"}, "seed": 7, "suites": 2, "sequences": 8, "cases": 6, "log": "events", "environment": {"states": {"storm": STORM}},
             "corridor": ["structure observed", "attribute voted: integer", "attribute stored: integer", "channel outcome",
                          "invariant agreed: agree(outcome)", "invariant stored_first: all(a in agents: a.stored >= a.voted)"],
             "traps": {"early": "any(a in agents: a.voted > a.stored)", "some": "count(agents) > 0", "never": "any(a in agents: a.voted < 0)"},
             "arms": {"sound": {}, "early": {"fault": "early_vote"}}}
LEVEL = "b1,d1\nb2,d2\n|w,w,w,w,w,w,w,w\nw,f:a^t,f,f:b^b1,w,f,f:g^key,w\nw,f,f,f,f:d>e^d1,f,f,w\nw,f:b^b2,f,f,w,f,f:d>e^d2,w\nw,w,w,w,w,w,w,w\n"
SYSTEM = {"system": {"rooms": "level.csv", "view": 4}, "seed": "0x1", "goals": {"pressed(b)": {"reach": "b", "do": "press", "assert": "b.on != b.on@before", "max": 200}},
          "tests": [{"name": "key item", "cycles": 60, "agents": [{"name": "t", "budget": 300, "goal": {"seq": ["pressed(b1)", {"assert": "d1.open"}, {"reach": "key"}]}}]},
                    {"name": "bad", "cycles": 20, "agents": [{"name": "t", "goal": {"seq": [{"reach": "b2"}, {"assert": "d2.open and d1.open"}]}}]}],
          "always": {"alive": "t.hp > 0"}, "states": {"inside": "t.x > 4"}, "formulas": {"answered": "always (inside implies d1.open)", "comes": "eventually inside"}}
USES = {"does": ["Act"], "writes": ["b"]}
RACES = {"format": "agent-unit/1", "agent": "Drawn", "entry": ["Go"], "beliefs": [{"name": "b", "key": [], "fields": {"F": "int"}}],
         "events": [{"name": "Go", "kind": "percept", "params": []}, {"name": "E", "kind": "internal", "params": []}], "actions": [{"name": "Act"}], "test": {"seed": 1},
         "plans": [{"name": "Main", "trigger": "Go", "posts": ["E"], **USES, "body": [{"post": "E", "wait": False},
                    {"parallel": [[{"set": "b.F", "to": 1}, {"do": "Act"}], [{"set": "b.F", "to": "F + 2"}]]}]},
                   {"name": "Aside", "trigger": "E", **USES, "body": [{"set": "b.F", "to": "F + 1"}]}]}
INRES = LIBRARY / "efsm/inres_initiator.json"
TOLD = f"python3 {SOURCE / 'experiments/layers/efsm/tests/told.py'} {LIBRARY / 'efsm/systems/inres.py'} " + "'{\"2\": {\"add\": [\"t5\"]}}'"
WRITTEN = {"suites.json": PAPER, "rare.json": RARE, "text.json": TEXT, "parts.json": PARTS, "forest.json": FOREST, "cover.json": COVER, "explored.json": EXPLORED,
           "regions.json": REGIONS, "schedules.json": SCHEDULES, "system.json": SYSTEM, "races.json": RACES}

# What every reader is given: F the forged file, G the same as it was written, ARM, KEY of a failure and TEST of it.
OFTEN = (("show", "F"), ("show", "F", "--json"), ("show", "F", "--hash"), ("show", "F", "--verify"), ("show", "F", "--all"), ("export", "F"), ("export", "F", "--all", "tables", "--force"),
         ("export", "F", "--all", "tables", "--raw", "--json", "--force"), ("report", "F", "-o", "page.html", "--force"), ("report", "F", "-o", "page.html", "--figures", "figures", "--force"),
         ("verify", "F"), ("status", "F"))
VERDICTS = (("export", "F", "--format", "junit"), ("export", "F", "--format", "tap"))
AGAIN = (("replay", "F", "--json"), ("replay", "F", "--failure", "KEY", "--json"))
MERGE = ("merge", "CAMPAIGN")
SUITES = (*OFTEN, *VERDICTS, *AGAIN, *(("show", "F", view, "--json") for view in ("tables", "survival", "performance", "traps", "decisions", "inputs", "origins", "mechanisms")),
          ("show", "F", "survival", "--box", "gray", "--horizon", "5", "--json"), ("show", "F", "tables", "--intervals", "bca", "--json"), ("coverage", "F", "--json"), ("coverage", "F", "--all", "--arm", "ARM"), ("coverage", "F", "--suite", "1"),
          ("failures", "F", "--json"), ("failures", "F", "--masked"), ("tree", "F", "--arm", "ARM", "--json"), ("tree", "F", "--arm", "ARM", "--dot"),
          ("tree", "F", "--arm", "ARM", "--by", "chains,involved,alarm,verdict,constraints", "--unit", "sequences", "--json"), ("compare", "F", "--json"), ("compare", "F", "G", "--json"),
          ("compare", "G", "F", "--json"), ("replay", "F", "--failing", "--json"), ("replay", "F", "--failure", "KEY", "--trace"), ("replay", "F", "--failure", "KEY", "--dump", "task.json", "--force"),
          ("decide", "F", "E <= 100 [ sum moved ]", "--json"), ("decide", "F", "P >= 0.5 [ always inside ]", "--given", "1", "--arm", "ARM"), ("decide", "F", "--json"),
          ("explore", "F", "--measure", "mean moved", "--json"), ("explore", "F", "--method", "origins", "--json"), ("judge", "some.corridor", "F", "--json"),
          ("failures", "F", "--keep", "kept", "--budget", "5", "-f"), MERGE, ("why", "F", "--failure", "KEY", "--budget", "20"), ("shrink", "F", "--failure", "KEY", "--budget", "5", "-o", "small.json", "-f"),
          ("profile", "chain", "F", "--arm", "ARM", "--environment", "ENVIRONMENT", "--suite", "0"), ("profile", "chain", "F", "--arm", "ARM", "--agents", "TYPE", "--suite", "0"))
UNITS = (*OFTEN, *VERDICTS, *AGAIN, ("show", "F", "findings", "--json"), ("show", "F", "findings", "--dot"), ("failures", "F", "--json"),
         ("replay", "F", "--failing"), ("failures", "F", "--keep", "kept", "--budget", "5", "-f"), ("shrink", "F", "--budget", "5", "-o", "small.json", "-f"))
TESTS = (*OFTEN, *VERDICTS, *AGAIN, ("show", "F", "tests", "--json"), ("show", "F", "tests", "--arm", "ARM", "--suite", "1"), ("show", "F", "tests", "--dot"),
         ("replay", "F", "--failing"), ("failures", "F", "--keep", "kept", "--budget", "5", "-f"), ("shrink", "F", "--failure", "KEY", "--budget", "5", "-o", "small.json", "-f"))
SEARCH = (*OFTEN, *AGAIN, ("show", "F", "searches", "--json"), ("show", "F", "cells", "--json"), ("show", "F", "searches", "--regions"), ("show", "F", "searches", "--test", "TEST"),
          ("compare", "F", "--json"))
ESTIMATION = (*OFTEN, *AGAIN, ("show", "F", "estimate", "--json"))
SYSTEMS = (*OFTEN, *VERDICTS, *AGAIN, ("show", "F", "goals", "--json"), ("show", "F", "places", "--json"), ("show", "F", "goals", "--suite", "1", "--arm", "ARM"), ("show", "F", "places", "--suite", "0"),
           ("system", "model", "F"), ("shrink", "F", "--failure", "KEY", "--budget", "5", "-o", "small.json", "-f"))
PROCESSES = (*OFTEN, *VERDICTS, *AGAIN, ("show", "F", "processes", "--json"), ("show", "F", "processes", "--sheet", "schedule"), ("show", "F", "processes", "--suite", "1", "--arm", "ARM"),
             ("failures", "F", "--json"), ("failures", "F", "--keep", "kept", "--budget", "5", "-f"), ("compare", "F", "--json"), ("replay", "F", "--failing"), ("shrink", "F", "--budget", "5", "-o", "small.json", "-f"), ("shrink", "F", "--failure", "KEY", "--budget", "5", "-o", "small.json", "-f"))
# Of each file: how it is made, what reads it, and what stands for KEY and TEST. The command that makes it reads it, too, where it is its output
# already: whether it is its own, cut short by an interrupt.
FILES = {
    "suites": (("run", "suites.json"), SUITES, "S/0/0", None, ("wind_speed", "wind")),
    "text": (("run", "text.json"), SUITES, "T/0/0", None, ("sky", "lamp")),
    "parts": (("run", "parts.json"), SUITES, "O/0/0", None, ("sky", "roof")),
    "forest": (("run", "forest.json"), SUITES, "B/0/0", None, ("sky", "lamp")),
    "cover": (("run", "cover.json"), SUITES, "G/0/0", None, ("sky", "lamp")),
    "inputs": (("explore", "explored.json", "--measure", "sum moved", "--method", "morris", "--budget", "400"), SUITES, "A/0/0", None, ("sky", "lamp")),
    "units": (("agent", "test", LIBRARY / "agents/stock_manager.json", "--faults", LIBRARY / "agents/stock_manager_faults.json", "--unit", "PT(Chase_failed_order)"), UNITS, "M19/0", None, None),
    "races": (("agent", "test", "races.json"), UNITS, "none/0", None, None),
    "tests": (("efsm", "test", INRES, "--goal", "t8", "--runs", "2", "--mutant", "t7.missing"), TESTS, "t7.missing by search/1", None, None),
    "told": (("efsm", "test", INRES, "--goal", "t8", "--planner", "paper", "--changes", "add t5 by system", "--system", TOLD, "--moves", "20"), TESTS, "paper/0", None, None),
    "dying": (("efsm", "test", INRES, "--goal", "t8", "--system", "sh -c 'exit 3'"), TESTS, "search/0", None, None),
    "search": (("search", "explored.json", "--arm", "A", "--generator", "directed,coverage", "--islands", "1", "--budget", "400"), SEARCH, "coverage/A/0", "coverage/A/0/1", None),
    "regions": (("search", "regions.json", "--arm", "F", "--generator", "directed", "--islands", "2", "--budget", "4000"), SEARCH, "directed/F/0", "directed/F/0/1", None),
    "splits": (("search", "regions.json", "--arm", "F", "--generator", "splitting", "--level", "reached > 0; held > 0", "--islands", "1", "--budget", "500"), SEARCH, "splitting/F/0", "splitting/F/0/0", None),
    "cells": (("explore", "explored.json", "--method", "patterns", "--measure", "mean moved", "--cell", "10", "--budget", "600"), SEARCH, "patterns/A/0", "patterns/A/0/1", None),
    "plain": (("estimate", "rare.json", "--method", "plain"), ESTIMATION, "S/3", None, None),
    "weights": (("estimate", "rare.json", "--method", "likelihood", "--region", "agents <= 10", "--budget", "300"), ESTIMATION, "S/3", None, None),
    "levels": (("estimate", "rare.json", "--method", "splitting", "--budget", "3000"), ESTIMATION, "S/0", None, None),
    "system": (("system", "test", "system.json"), SYSTEMS, "system/1", None, None),
    "schedules": (("run", "schedules.json"), PROCESSES, "early/0/1", None, None),
    "hunt": (("search", "schedules.json", "--arm", "early", "--budget", "300"), PROCESSES, "search/early/0/0", None, None),
}
FILES = {name: (how, (*(words for words in readers if words != MERGE or how[0] == "run"), (*how, "-o", "AGAIN")), *more) for name, (how, readers, *more) in FILES.items()}


def run(words, folder):
    """Exit code, output, messages, seconds and megabytes of a command."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begun = time.monotonic()
        process = subprocess.Popen([CORRIDOR, *words], cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL, start_new_session=True)
        used, how = None, None
        while used is None and time.monotonic() - begun < PATIENCE:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                used, how = usage, os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.002)
        if used is None:
            os.killpg(process.pid, 9)
            _, _, used = os.wait4(process.pid, 0)
            how = "hang"
        process.returncode = 0
        out.seek(0)
        err.seek(0)
        return how, out.read().decode(errors="replace"), err.read().decode(errors="replace"), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def make(folder, names):
    """Files of each layer, and what of the tables of their formats none of them has rows of."""
    for name, what in WRITTEN.items():
        (folder / name).write_text(json.dumps(what))
    (folder / "level.csv").write_text(LEVEL)
    (folder / "some.corridor").write_text("structure partitioning\ninvariant few: count(organizations) <= 4\n")
    (folder / "dead.py").write_text("\n".join(("#!/usr/bin/env python3", *DEAD)))
    (folder / "dead.py").chmod(0o755)
    for name in names:
        done = subprocess.run([CORRIDOR, *FILES[name][0], "-o", f"{name}.h5"], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 7):
            sys.exit(f"{name}: {done.returncode} {done.stdout}{done.stderr}")
        # A campaign whose journals are there, as one that was killed while it wrote the result file.
        if MERGE in FILES[name][1]:
            for words in (("plan", FILES[name][0][1], "-o", f"{name}.campaign"), ("run", f"{name}.campaign", "--progress", "none")):
                subprocess.run([CORRIDOR, *words], cwd=folder, capture_output=True, check=False)
            (folder / f"{name}.campaign/results.h5.parts/OUTPUT").write_text("before none\nmerging\n")


# A forgery is words, and what changes an open file. A dataset that is written anew has the attributes that it had.
def write_anew(group, name, content, **how):
    attributes = dict(group[name].attrs)
    del group[name]
    if getattr(content, "ndim", 0) == 1 and "dtype" not in how:
        how.update(maxshape=(None,), chunks=(max(1, len(content)),))
    group.create_dataset(name, data=content, **how).attrs.update(attributes)


def edges(kind):
    """What a number of a type may become."""
    if kind.kind == "f":
        return (math.nan, math.inf, -math.inf, -1, 0, 1, 1e300 if kind.itemsize == 8 else 1e38, 5e-324, 1e9, 0.3)
    most = int(numpy.iinfo(kind).max)
    return sorted({0, 1, 77, most, most // 2, min(most, 60000)})


def column_forgeries(file, table, name):
    """Of a list of numbers."""
    place = f"{table}/{name}"
    old = file[place][()]

    def put(where, value):
        def change(file):
            content = file[place][()]
            content[where] = value(content) if callable(value) else value
            file[place][...] = content
        return change

    def anew(content, **how):
        return lambda file: write_anew(file[table], name, content, **how)
    if len(old) > 0:
        for value in edges(old.dtype):
            yield f"{place}[-1] = {value}", put(-1, value)
            yield f"{place}[all] = {value}", put(slice(None), value)
        one = old.dtype.type(1)
        with numpy.errstate(all="ignore"):
            yield f"{place}[0] one more", put(0, old[0] + one)
            yield f"{place}[-1] one less", put(-1, old[-1] - one)
            yield f"{place}[all] twice as much", put(slice(None), old * old.dtype.type(2))
    if len(old) > 1:
        yield f"{place}[1] as [0]", put(1, old[0])
        yield f"{place} in the other order", put(slice(None), old[::-1])
        yield f"{place} moved by one", put(slice(None), numpy.roll(old, 1))
    yield f"{place} one longer", anew(numpy.append(old, old[-1:] if len(old) else numpy.zeros(1, old.dtype)))
    yield f"{place} shorter", anew(old[:-1])
    yield f"{place} empty", anew(old[:0])
    other = numpy.int64 if old.dtype.kind == "f" else numpy.float64
    yield f"{place} of another type", anew(numpy.nan_to_num(old).astype(other))
    yield f"{place} of another size", anew(old.astype(numpy.float32 if old.dtype == numpy.float64 else numpy.uint32 if old.dtype.itemsize != 4 else numpy.uint16))
    yield f"{place} a matrix", anew(old.reshape(1, -1))
    yield f"{place} one number", anew(old[0] if len(old) else old.dtype.type(0))
    yield f"{place} texts", anew(numpy.array(["x"] * len(old), dtype=object), dtype=h5py.string_dtype())
    yield f"{place} is not there", lambda file: file[table].pop(name)
    yield f"{place} in another file", lambda file: (file[table].pop(name), file[table].__setitem__(name, h5py.ExternalLink("other.h5", place)))


def table_forgeries(file, place):
    def rows(which):
        def change(file):
            for name in list(file[place]):
                write_anew(file[place], name, file[place][name][()][which])
        return change
    count = len(file[place]["arm"])
    for what, which in (("a row fewer", slice(0, -1)), ("its first row gone", slice(1, None)), ("no rows", slice(0, 0)), ("in the other order", slice(None, None, -1)),
                        ("its last row twice", [*range(count), count - 1]), ("its first row twice", [0, *range(count)]), ("all rows twice", [*range(count), *range(count)])):
        if count > 0:
            yield f"{place}: {what}", rows(which)
    keys = ("arm", "suite", "sequence", "case")
    for value in (0, 1, -1) if count > 0 else ():
        yield f"{place}: all but its keys {value}", lambda file, v=value: [file[place][name].__setitem__(slice(None), numpy.array(v).astype(file[place][name].dtype))
                                                                        for name in file[place] if name not in keys]
    for value in (0, 1, -1) if count == 0 else ():
        yield f"{place}: a row of {value}", lambda file, v=value: [write_anew(file[place], name, numpy.array([v]).astype(file[place][name].dtype)) for name in list(file[place])]
    yield f"{place} is not there", lambda file: file.pop(place)
    yield f"{place} is a list", lambda file: (file.pop(place), file.create_dataset(place, data=[1, 2, 3]))


BAD_TEXTS = (b"", b"x" * 100000, b"\xff\xfe\x80", b"\x1b[31mred", b"a\nb", b"{", b"{}", b"[" * 5000, "\u202egnp".encode(), b"%s%n%s", b"a/b/c/d", b"S", b'{"kind": "tree"}')


def renumbered(name, shift):
    """Entries of a catalog have other codes, and so have all rows that name them: who takes a code for a place is caught."""
    def change(file):
        columns = [file[table][column] for table in file if isinstance(file[table], h5py.Group) and table not in ("catalog", "vectors") for column in file[table]
                   if re.search(rf"code in catalog/{name}\b", str(file[table][column].attrs.get("long_name", "")))]
        for column in (file["catalog"][name]["code"], *columns):
            column[...] = shift - column[()] if shift > 0 else column[()] - shift
    return change


def catalog_forgeries(file, catalog, name):
    place = f"{catalog}/{name}"
    for shift in (len(file[place]["code"]) - 1, 60000, -1, -1000):
        yield f"{place}/code and what names it: {shift}", renumbered(name, shift)
    yield from column_forgeries(file, place, "code")
    for column in ("name", "description"):
        for text in BAD_TEXTS if len(file[place]["code"]) else ():
            yield f"{place}/{column}[-1] = {text[:12]}", lambda file, c=column, t=text: file[place][c].__setitem__(-1, t)
            yield f"{place}/{column}[all] = {text[:12]}", lambda file, c=column, t=text: file[place][c].__setitem__(slice(None), t)
        yield f"{place}/{column} of fixed size, without an end", lambda file, c=column: write_anew(file[place], c, numpy.array([b"xxxx"] * len(file[place][c]), dtype="S4"))
        yield f"{place}/{column} shorter", lambda file, c=column: write_anew(file[place], c, file[place][c][()][:-1], dtype=h5py.string_dtype())
    yield f"{place} is not there", lambda file: file.pop(place)


def attribute_forgeries(file, name):
    old = file.attrs[name]
    yield f"attribute {name} is not there", lambda file: file.attrs.__delitem__(name)
    if isinstance(old, str):
        for text in ("", "x" * 60000, "0x0", "-1", "99.0.0", "1.99.0", "corridor-search", "corridor-campaign", "/nothing", "0xffffffffffffffff"):
            yield f"attribute {name} = {text[:12]}", lambda file, t=text: file.attrs.__setitem__(name, t)
        yield f"attribute {name} of fixed size", lambda file: file.attrs.create(name, numpy.bytes_(b"corridor"))
        yield f"attribute {name} a number", lambda file: file.attrs.create(name, 7)
    else:
        for value in edges(old.dtype):
            yield f"attribute {name} = {value}", lambda file, v=value: file.attrs.modify(name, old.dtype.type(v))
        yield f"attribute {name} two numbers", lambda file: file.attrs.create(name, [old] * 2)
        yield f"attribute {name} a text", lambda file: file.attrs.__setitem__(name, "1")


def places(value, path=()):
    """Places in a document: what is at the end, and what is around it. Of what is long, or of a long list, its ends stand for all."""
    if path:
        yield path
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys if len(keys) <= (20 if isinstance(value, dict) else 2) else (keys[0], keys[-1]):
        yield from places(value[key], (*path, key))


def with_another(text, path, value):
    """The document in which something else is at a place; "gone": nothing."""
    document = around = json.loads(text)
    for key in path[:-1]:
        around = around[key]
    if value == "gone":
        del around[path[-1]]
    else:
        around[path[-1]] = value
    return json.dumps(document)


def text_forgeries(file, name):
    said = file[name][()].decode()

    def becomes(text):
        return lambda file: file[name].__setitem__((), text)
    for text in BAD_TEXTS:
        yield f"{name} = {text[:12]}", becomes(text)
    yield f"{name} cut", becomes(said[:len(said) // 2])
    yield f"{name} is not there", lambda file: file.pop(name)
    yield f"{name} of fixed size", lambda file: (file.pop(name), file.create_dataset(name, data=numpy.bytes_(said.encode())))
    yield f"{name} two texts", lambda file: (file.pop(name), file.create_dataset(name, data=[said, said], dtype=h5py.string_dtype()))


def value_forgeries(file, name, path):
    said = file[name][()].decode()
    for value in (None, 0, -1, 1, 2**32, 2**64 - 1, 1e308, 0.5, "x", [], {}, [0] * 3, "gone"):
        yield f"{name} {'/'.join(map(str, path))} = {value}", lambda file, v=value: file[name].__setitem__((), with_another(said, path, v))


def subjects_of(file):
    """What can be forged in a file: how, and where."""
    for name in file:
        if name == "catalog":
            yield from ((catalog_forgeries, name, inner) for inner in file[name])
        elif isinstance(file[name], h5py.Group):
            yield from ((column_forgeries, name, column) for column in file[name])
            yield from ((table_forgeries, name),) if name != "vectors" else ()
        elif name != "schema":
            yield text_forgeries, name
            yield from ((value_forgeries, name, place) for place in places(json.loads(file[name][()])))
    yield from ((attribute_forgeries, name) for name in file.attrs)


def numbers(value, path=""):
    if isinstance(value, dict):
        for key, child in value.items():
            yield from numbers(child, f"{path}/{key}")
    elif isinstance(value, list):
        for child in value:
            yield from numbers(child, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def refuse_constant(word):
    raise ValueError(f"{word} is no number of JSON")


def is_beside(words):
    """Is the file looked at before it is replaced? Else it is none of the command's business."""
    return "AGAIN" in words or "CAMPAIGN" in words


def judge(words, name, done, sealed):
    """What is wrong with how a command ended; None: nothing. And whether it was refused."""
    code, out, err, seconds, megabytes = done
    if code == "hang" or seconds > SECONDS:
        return f"{seconds:.1f} s", False
    if megabytes > MEGABYTES:
        return f"{megabytes:.0f} MB", False
    # A reader that dies of a file whose seal is wrong is said to have read what is damaged: exit code 3 (guard.c).
    if re.search(r"Sanitizer|runtime error|broken promise|ended by signal|HDF5 ends|to read it takes more", err) or (
            "--verify" not in words and re.search(r"(?s)read as it is\n.*invalid input: [^\n]*: the content is not what was written", err)):
        return err[-1500:], False
    if code == 4 and "exists already" in err and is_beside(words):
        return None, False
    if code == 4 and re.search(rf"^  named in {name}: ", err, re.M):  # a file that is not there
        return None, True
    if code not in (0, 1, 3, 7):
        return f"exit code {code}: {err.strip()[:300]}", False
    if "\x1b" in out + err:
        return "a raw escape", False
    if code == 3:
        if not err.startswith("corridor: ") or (name not in err and "invalid input: --" not in err):  # or what was asked of it
            return f"refused without the file's name: {err.strip()[:300]}", True
        return ("shows something of it" if out and sealed and words[0] != "verify" and "--keep" not in words else None), True
    if words[0] == "verify":
        return None, code == 1
    if words[0] == "export" and "junit" in words:
        try:
            xml.etree.ElementTree.fromstring(out)
        except xml.etree.ElementTree.ParseError as wrong:
            return f"its XML is none: {wrong}", False
    if "--json" in words and words[0] != "export":
        try:
            document = json.loads(out, parse_constant=refuse_constant)
        except ValueError as wrong:
            return f"its document is none: {wrong}", False
        for path, value in numbers(document) if sealed else ():
            if re.search(r"percent|_share$|probability$", path) and not -1e-9 <= value <= 100 + 1e-6:
                return f"{path} is {value}", False
    return None, False


class Forger:
    """Forges, and gives what came of it to the commands."""

    def __init__(self, folder, names):
        self.stopped = False
        self.folder, self.problems, self.ended, self.codes, self.commands, self.slowest, self.largest = folder, [], collections.Counter(), collections.Counter(), 0, 0, 0
        commands = {words: words[:2] if words[0] in ("profile", "system", "process", "efsm", "agent") else words[:1] for name in names for words in FILES[name][1]}
        knows = {command: "--unsealed" in run((*command, "--help"), folder)[1] for command in set(commands.values())}
        self.reads_unsealed = {words: knows[command] for words, command in commands.items()}
        self.right, self.arm = {}, {}
        for name in names:
            with h5py.File(folder / f"{name}.h5") as file:
                self.arm[name] = next(arm for arm in (code.decode() for code in file["catalog/arm/name"]) if FILES[name][2].startswith(arm + "/"))

    def of_the_file_as_it_is(self, name, words):
        if (name, words) not in self.right:
            done = self.call(name, words, f"{name}.h5", self.folder)
            wrong, _ = judge(words, f"{name}.h5", done, True)
            if wrong:
                self.problems.append(f"{name} as it is, {' '.join(words)}: {wrong}")
            self.right[name, words] = done[0], done[1].replace(f"{name}.h5", "F.h5")
        return self.right[name, words]

    def call(self, name, words, file, folder, *more):
        _, _, key, test, environment = FILES[name]
        told = {"F": file, "G": self.folder / f"{name}.h5", "KEY": key, "ARM": self.arm[name], "TEST": test or key, "some.corridor": self.folder / "some.corridor",
                **(dict(zip(("ENVIRONMENT", "TYPE"), environment)) if environment else {})}
        if not is_beside(words):
            return run([told.get(word, word) for word in words] + list(more), folder)
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            told["CAMPAIGN"], told["AGAIN"] = pathlib.Path(place) / "campaign", pathlib.Path(place) / file
            shutil.copy(folder / file, told["AGAIN"])
            if "CAMPAIGN" in words:
                shutil.copytree(self.folder / f"{name}.campaign", told["CAMPAIGN"])
                shutil.copy(folder / file, told["CAMPAIGN"] / "results.h5")
            return run([told.get(word, word) for word in words], self.folder)

    def look(self, name, what, words, folder, sealed, *more):
        done = self.call(name, words, "F.h5", folder, *more)
        wrong, refused = judge(words, "F.h5", done, sealed)
        self.commands += 1
        self.codes[done[0]] += 1
        self.slowest, self.largest = max(self.slowest, done[3]), max(self.largest, done[4])
        if wrong:
            self.problems.append(f"{name}: {what}, {' '.join((*words, *more))}: {wrong}")
            print("torture problem:", self.problems[-1], flush=True) if COUNT == 0 or COUNT > 100 else None
        return "same" if sealed and done[:2] == self.of_the_file_as_it_is(name, words) else "refused" if refused else "read"

    def forge(self, name, what, change, dice):
        if self.stopped:
            return
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            folder = pathlib.Path(folder)
            path = folder / "F.h5"
            shutil.copy(self.folder / f"{name}.h5", path)
            with h5py.File(path, "r+") as file:
                change(file)
            readers = [words for words in FILES[name][1] if words != ("verify", "F")]
            dice.shuffle(readers)
            readers = readers[:AT_ONCE or None]
            # What cannot be opened is refused by all: then one more tells.
            opened = self.look(name, what, ("export", "F"), folder, False, "--unsealed") != "refused"
            for words in readers if opened else readers[:1]:
                if self.reads_unsealed[words] or is_beside(words):
                    self.look(name, what, words, folder, False, *["--unsealed"] * self.reads_unsealed[words])
            if subprocess.run([RESEAL, path], check=False, capture_output=True).returncode != 0:  # not even an opened file
                self.ended["refused at once"] += 1
                return
            # What is refused by one is refused by all (test_forged.py): then one more tells; what is read, all of them read.
            came = [self.look(name, what, ("verify", "F"), folder, True)]
            for words in readers[:1] if came[0] == "refused" else readers:
                came.append(self.look(name, what, words, folder, True))
            self.ended["refused" if set(came) <= {"refused"} else "harmless, the same figures" if "read" not in came and "refused" not in came else
                       "refused by some, read by others within its range" if "refused" in came else "read, within its range"] += 1


def main():
    names = sys.argv[8:] or list(FILES)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-forged-"))
    try:
        make(folder, names)
        forger = Forger(folder, names)
        signal.signal(signal.SIGTERM, lambda *_: setattr(forger, "stopped", True))
        dice, chosen, subjects = random.Random(SEED), [], []
        for name in names:
            with h5py.File(folder / f"{name}.h5") as file:
                mine = list(subjects_of(file))
                subjects += [(name, subject) for subject in mine]
                if COUNT == 0:
                    chosen += [(name, *forgery) for how, *where in mine for forgery in how(file, *where)]
        for name, (how, *where) in dice.choices(subjects, k=COUNT):
            with h5py.File(folder / f"{name}.h5") as file:
                chosen.append((name, *dice.choice(list(how(file, *where)))))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for done in [pool.submit(forger.forge, *forgery, random.Random(f"{SEED} {number}")) for number, forgery in enumerate(chosen)]:
                done.result()
        return campaign.report("forged results", sum(forger.ended.values()), forger.problems,
                               f"of {len(subjects)} columns, tables, catalogs, attributes and values of {len(names)} files; {campaign.words(forger.ended)}; {forger.commands} commands, "
                               f"exit codes {campaign.words(forger.codes)}; the slowest {forger.slowest:.1f} s, the largest {forger.largest:.0f} MB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
