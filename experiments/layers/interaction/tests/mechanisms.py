#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms beside the algorithm under test, through the program: what is refused, what they write is seen in the
following cases and no sooner, mocks are the chains that they say, and all of it has the same bits however it is run,
replayed and shrunk.

usage: mechanisms.py CORRIDOR DRIFT_MODULE [full]"""
import copy
import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CORRIDOR, DRIFT, FULL = os.path.abspath(sys.argv[1]), os.path.relpath(sys.argv[2]), sys.argv[3:] == ["full"]
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../library/monitors.json")
STEADY = {"states": ["calm"], "transitions": {"calm": {"calm": 1}}}
SKY = {"states": ["dark", "bright"],
       "transitions": {"dark": {"dark": 0.7, "bright": 0.3}, "bright": {"dark": 0.4, "bright": 0.6}}}


def model(profile, attributes=None, **types):
    return {"corridor_model": 1, "agents": 24, "groups": {"count": 6}, "locations": "per_group", "mixed_groups": True,
            "inertia": [0.5, 0.5], "structure": {"size_min": 2, "size_max": 20, "count_min": 2, "count_max": 4},
            "environments": {"sky": {"profile": profile}}, "types": types, "invariant": {"threshold": 0.1},
            **({"attributes": attributes} if attributes else {})}


LOADS = ["structure partitioning", "attribute load: real 0 .. 500 [kW]"]
LAMP = {"environment": "sky", "states": {"on": 0.9, "off": 0.1}, "influence": {"dark": "on", "bright": "off"}}
ROOF = {"environment": "sky", "states": {"low": 0.25, "high": 0.75}, "influence": {"dark": "low", "bright": "high"}}
STILL = {"environment": "sky", "states": {"half": 0.5}, "influence": {"calm": "half"}}


def chain(shifts):
    """A chain as corridor profile fit writes it, that goes round its states."""
    names = ["s%d" % i for i in range(len(shifts))]
    return {"corridor_profile": 1, "states": names, "start": names[0],
            "transitions": {names[i]: {names[(i + 1) % len(names)]: 1} for i in range(len(names))},
            "fit": {"states": {n: {"mean": s} for n, s in zip(names, shifts)}}}


def experiment(of, arms, **more):
    return {"corridor_experiment": 1, "name": "m", "seed": "0x4", "mode": "paired", "suites": 4, "sequences": 2,
            "cases": 30, "model": of, **more, "arms": arms}


class Runs:
    def __init__(self, folder):
        self.folder, self.count = folder, 0

    def path(self, ending):
        self.count += 1
        return os.path.join(self.folder, "%d.%s" % (self.count, ending))

    def write(self, what):
        path = self.path("json")
        with open(path, "w", encoding="utf-8") as out:
            json.dump(what, out)
        return path

    def call(self, *words, code=0):
        done = subprocess.run([CORRIDOR, *words], capture_output=True, text=True)
        assert code is None or done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done

    def run(self, what, *options, jobs="1"):
        result = self.path("h5")
        self.call("run", self.write(what), "-o", result, "--progress", "none", "--jobs", jobs, *options)
        return result

    def table(self, result, name, arm=None):
        rows = csv.DictReader(io.StringIO(self.call("export", result, "--table", name).stdout))
        return [row for row in rows if arm is None or row["arm"] == arm]

    def refused(self, what, *sentences, options=()):
        done = self.call("run", self.write(what), "-o", self.path("h5"), "--progress", "none", *options, code=None)
        assert done.returncode not in (0, -6, -11), done
        for sentence in sentences:
            assert sentence in done.stderr, (sentence, done.stderr)


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def arm(name, *mechanisms, **more):
    return {"name": name, "algorithm": "random", "mechanisms": list(mechanisms), **more}


def module(name):
    """A module as somebody else would build it, which does something else than its work (tests/modules/bad_mechanism.c)."""
    return os.path.join(os.path.dirname(DRIFT), "mechanism_%s.so" % name)


def refusals(runs):
    never = ("--isolate", "never")
    loads = {"load": {"real": [0, 500], "unit": "kW", "value": 100}}
    plain = model(SKY, loads, lamp=LAMP)
    drift = {"mechanism": DRIFT}
    for options in ((), never):
        runs.refused(experiment(plain, [arm("a", {"mechanism": module("half")})]), 'parameter "half" cannot be used',
                     "default and min of an integer are integers", options=options)
        runs.refused(experiment(plain, [arm("a", dict(drift, parameters={"width": 101}))]), "/arms/0/mechanisms/0/parameters/width", options=options)
    # Agents that go all of the way in each case keep nothing of what is written.
    runs.refused(experiment(dict(plain, inertia=[1, 1]), [arm("a", "balance")]),
                 'balance writes "value", but each agent takes the value of its state in each case, inertia being 1: nothing of what is '
                 "written would be left", 'write "inertia": [0.2, 1.0] in the model')
    for keeps in ({"inertia": [0.999, 1]}, {"inertia": [1, 1], "idle_ratio": 0.5}):
        runs.call("run", runs.write(experiment(dict(plain, **keeps), [arm("a", "balance")], cases=2)), "-o", runs.path("h5"))
    clocks = {"continuous": {"case": 1000, "monitor_clock": 500, "agent_clock": [900, 1100], "unit": 1, "move": 5}}
    runs.refused(experiment(plain, [arm("a", "balance", execution=clocks)]), 'mechanisms work case by case, and "execution" is continuous')
    runs.refused(experiment(model(SKY, lamp=LAMP), [arm("a", drift)]),
                 'mechanism "drift" needs the attribute "load", and there is none of that name', options=never)
    runs.refused(experiment(model(SKY, {"load": {"real": [0, 500], "unit": "W", "value": 1}}, lamp=LAMP),
                            [arm("a", drift)]),
                 'mechanism "drift" needs the attribute "load" in kW, and here it is in W', options=never)
    level = dict(LAMP, attributes={"load": {"level": {"on": 1, "off": 2}}})
    runs.refused(experiment(model(SKY, {"load": {"real": [0, 500], "unit": "kW"}}, lamp=level), [arm("a", drift)]),
                 'drift writes "load", which goes with the state of agents of type "lamp"',
                 "give it a value, or a level with inertia", options=never)
    computed = {"base": {"real": [0, 500], "unit": "kW", "value": 5}, "load": {"real": [0, 500], "unit": "kW",
                                                                           "is": "base + base"}}
    runs.refused(experiment(model(SKY, computed, lamp=LAMP), [arm("a", drift)]),
                 'drift writes "load", which is computed for agents of type "lamp"',
                 "let it write what that is computed from", options=never)
    # What is written is no longer what stays as it is in a suite, so no filter of a trigger may ask it.
    text = "trigger few: count(a in agents where a.load > 50) <= 3"
    runs.refused(dict(experiment(plain, [arm("a", drift)]), corridor=LOADS + [text]), "few", options=never)


def seen_in_the_following_cases(runs):
    """Loads drift apart from 100 by what drift writes, and the corridor is left by it: seen a case later."""
    text = "trigger near: max(a in agents: a.load) <= 100"
    what = experiment(model(STEADY, {"load": {"real": [0, 500], "unit": "kW", "value": 100}}, still=STILL),
                      [arm("bare"), arm("drifting", {"mechanism": DRIFT, "parameters": {"width": 10}})], corridor=LOADS + [text])
    result = runs.run(what, "--isolate", "never")
    # Nobody asks a mechanism again, so nothing says that the module repeats itself; the file names it.
    with open(DRIFT, "rb") as module, open(result, "rb") as file:
        digest, said = hashlib.sha256(module.read()).hexdigest(), file.read()
    assert digest.encode() in said and re.search(rb'"not_checked": \[\s*"drifting"', said)
    for name in ("bare", "drifting"):
        for row in runs.table(result, "cases", name):
            outside = name == "drifting" and row["case"] != "1"
            assert row["alarm"] == ("1" if outside else "0"), row
            assert row["inside"] == ("outside" if outside else "inside"), row
            assert row["detect"] != "failed", row
    rows = runs.table(result, "mechanisms")
    assert len(rows) == 4 * 2 * 30 and all(row["written"] == "24" and row["cost"] == "1" for row in rows)
    # The same again by copies of it: nothing was left over from the suite before.
    assert bytes_of(runs.run(what, "--isolate", "never", jobs="3")) == bytes_of(result)
    # In cells it does the same, by any number of workers.
    assert bytes_of(runs.run(what)) == bytes_of(runs.run(what, jobs="3")) == bytes_of(result)


def not_the_algorithm(runs):
    """What modules do instead of their work is their own smoke: it ends the sequence, in cells or not, and is said of no algorithm."""
    right = "; right: it changes nothing but by write()"
    ends = {"undeclared": 'wrote "load", which it did not declare; right: it writes what it declares in "writes" alone',
            "above": 'wrote 1.5 as "value" of agent 0; right: a number from 0 to 1',
            "nan": 'wrote NaN as "value" of agent 0; right: a number from 0 to 1',
            "moves": "changed the structure that it was shown" + right, "changes": "changed load that it was shown" + right,
            "fails": "failed: no wind"}
    deaths = {"crash": "was ended by signal 6 (Aborted)", "exit": "exited with code 4", "leaves": "leaves processes behind",
              "mounts": "was ended by signal 31 (Bad system call)"}
    crews = {"load": {"real": [0, 500], "unit": "kW", "value": 100}, "crew": {"integer": [0, 9], "value": 5}}
    of = model(SKY, crews, lamp=LAMP)
    fault = {"result": {"fault": "agent_dropped", "probability": 1}}
    sound = [arm("sound"), arm("faulty", **fault)]
    bad = [arm(name, {"mechanism": module(name)}, **(fault if name == "above" else {})) for name in {**ends, **deaths}]
    what = experiment(of, sound + bad, suites=2, sequences=2, cases=10)
    result = runs.run(what)
    assert bytes_of(runs.run(what, jobs="3")) == bytes_of(result)
    sheets = json.loads(runs.call("show", result, "tables", "--json").stdout)["sheets"]
    found = {row["arm"]: (row["verdict"], row["found_by"]) for row in sheets["found"]["rows"]}
    smokes = {row["arm"]: row["words"] for row in sheets["smokes"]["rows"]}
    assert smokes == {name: "the mechanism %s %s" % (name, words) for name, words in {**ends, **deaths}.items()}, smokes
    assert found.pop("sound")[0] == "no check failed" and found.pop("faulty")[0] == "found"
    for name, (verdict, by) in found.items():
        assert verdict == "FAILS" and by.startswith("mechanism"), (name, verdict, by)
    for row in runs.table(result, "cases"):
        assert row["arm"] in ("sound", "faulty") or row["case"] == "1", row
    why = {row["arm"]: row["why"] for row in sheets["found"]["rows"]}
    for name, how in (("nan", "not the algorithm"), ("above", "beside what the algorithm did wrong")):  # its solutions are spoiled, too
        assert why[name] == "a mechanism failed, %s: it ended 4 of 4 sequences; the table of smokes says how" % how, why
    assert "time.mechanism_smoke" in runs.call("failures", result, "--arm", "nan").stdout
    assert all(row["smoke"] in ("none", "") for row in runs.table(result, "reorganizations"))
    runs.call("run", runs.write(experiment(of, sound[:1] + [one for one in bad if one["name"] == "nan"], suites=1)), "-o", runs.path("h5"),
              "--fail-on", "unexpected", code=1)
    # The same without cells, of what does not end the process.
    here = dict(what, arms=sound + [one for one in bad if one["name"] in ends])
    beside = runs.run(here, "--isolate", "never")
    cells = runs.run(here)
    assert bytes_of(beside) == bytes_of(cells)
    replayed = runs.path("json")
    runs.call("shrink", result, "--failure", "crash/0/0", "--trust", "-o", replayed)
    runs.call("replay", replayed, "--trust", "--expect", "failing")
    with open(replayed, encoding="utf-8") as file:
        assert json.load(file)["arm"]["mechanisms"][0]["mechanism"] == module("crash")
    # Kept as it is, it starts what the file names only where that is allowed, and says so.
    kept = runs.path("json")
    said = runs.call("replay", result, "--failure", "crash/0/0", "-o", kept, code=3).stderr
    assert "/mechanism: the file names a program, and nothing was started: " in said and "with --trust it is started" in said, said
    runs.call("replay", result, "--failure", "crash/0/0", "--trust", "-o", kept)
    runs.call("replay", kept, "--trust", "--expect", "failing")
    # Nothing of it is counted as the algorithm's: no estimate, no finding of a search, and no answer of what was open.
    crash = experiment(of, [arm("crash", {"mechanism": module("crash")})], suites=20, sequences=1, cases=10)
    said = "the mechanism crash was ended by signal 6 (Aborted), in case 1 of sequence 0 of suite 0 of arm crash: that is no failure of the algorithm"
    for asked in ({"failure": "any"}, {"property": "P [ eventually failed ]"}, {"failure": "black.agent_missing"}):
        runs.refused({"corridor_estimation": 1, "method": "plain", "arm": "crash", "suites": 2, **asked, "experiment": crash}, said,
                     options=("--jobs", "3"))
    for name, how in (("crash", "was ended by signal 6 (Aborted)"), ("exit", "left with exit code 4")):  # it takes the run along: no verdict
        alone = experiment(of, [arm(name, {"mechanism": module(name)})], suites=2, sequences=1, cases=10)
        runs.refused(alone, f"{how} in suite 0 of arm {name}", "a mechanism that crashes takes its worker along", options=("--isolate", "never", "--jobs", "1"))
    counted = runs.run({"corridor_estimation": 1, "method": "plain", "arm": "crash", "suites": 2, "failure": "time.mechanism_smoke",
                        "experiment": crash})
    assert "sequence  fails with probability 1," in runs.call("show", counted).stdout
    runs.refused({"corridor_search": 1, "budget": 200, "islands": 1, "generators": [{"generator": "random", "arm": "crash"}],
                  "experiment": crash}, said.split(" in case")[0])
    cut = runs.run(crash)
    assert "no mechanism did its work in it once" in runs.call("show", cut, "mechanisms", code=3).stderr
    alarms = sum(int(row["alarm"]) for row in runs.table(cut, "cases"))
    assert 0 < alarms < 20
    for text, known in (("P [ always not alarm ]", alarms), ("P [ eventually case = 2 ]", 0), ("E [ sum alarm ]", 0),
                        ("S [ dissimilarity ]", 0), ("P [ case = 1 ]", 20), ("E [ case at 1 ]", 20)):
        row, = json.loads(runs.call("decide", cut, text, "--width", "0.0001", "--json", code=None).stdout)["decisions"]
        said = " ".join(runs.call("decide", cut, text, "--width", "0.0001", code=None).stdout.split())
        assert row["unknown"] == 20 - known and row["used"] == known, (text, row)
        assert ("not the algorithm, and ended %d sequences" % (20 - known) in said) == (known < 20), (text, said)


def one_that_never_ends(runs):
    """It uses up its CPU time twice; what another machine might have said otherwise is noted."""
    crews = {"crew": {"integer": [0, 9], "value": 5}}
    hangs = arm("hang", {"mechanism": module("hang")})
    result = runs.run(experiment(model(SKY, crews, lamp=LAMP), [arm("sound"), hangs], suites=1, sequences=1, cases=3))
    sheets = json.loads(runs.call("show", result, "tables", "--json").stdout)["sheets"]
    assert [(row["arm"], row["smoke"], row["words"]) for row in sheets["smokes"]["rows"]] == \
        [("hang", "hung", "the mechanism hang used 10 s of CPU time, or waited for ever")], sheets["smokes"]
    assert {row["arm"]: row["verdict"] for row in sheets["found"]["rows"]} == {"sound": "no check failed", "hang": "FAILS"}
    said = bytes_of(result)
    assert re.search(rb'"reproducible": false', said) and re.search(rb'"by_machine": 1', said)


def sha256(path):
    return hashlib.sha256(bytes_of(path)).hexdigest()


def tested(runs):
    """The mechanism as what is under test: a chain in the place of the algorithm, the corridor's invariants as its gray box."""
    moves = chain([0, 0.25])
    served = ["structure partitioning", "parameter threshold", "define level(o): mean(a in o.members: a.value)",
              "invariant sizes: all(o in organizations: 2 <= count(o.members) <= 20)",
              "invariant number: 2 <= count(organizations) <= 4",
              "invariant enough: all(o in organizations: level(o) >= 0.499999 or all(a in o.members: a.value >= 1))",
              "invariant not_more: all(o in organizations: level(o) <= 0.500001 or all(a in o.members: a.value <= 0))",
              "trigger similar: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= threshold"]

    def one(name, fault=None, reach=1, **more):
        return arm(name, {"mechanism": "balance", "parameters": {"demand": 0.5, "reach": reach}, **({"fault": fault} if fault else {})},
                   mock="moves", **more)
    of = model(SKY, lamp=LAMP, roof=ROOF)
    faults = ["last_left", "full_forgotten", "turned"]
    what = experiment(of, [one("sound"), *(one(fault, fault) for fault in faults)], corridor=served, mocks={"moves": moves},
                      suites=6, sequences=3)
    result = runs.run(what)
    assert bytes_of(result) == bytes_of(runs.run(what, jobs="3"))
    found = json.loads(runs.call("show", result, "tables", "--json").stdout)["sheets"]["found"]["rows"]
    found = {row["arm"]: (row["verdict"], row["found_by"], row["failures"], row["masked"]) for row in found}
    assert found["sound"] == ("no check failed", "", 0, 0), found
    rows = {name: runs.table(result, "reorganizations", name) for name in ("sound", *faults)}
    works = {name: runs.table(result, "mechanisms", name) for name in rows}
    assert len(rows["sound"]) == 6 * 3 * 30 and all(r["gray"] == "passed" and r["fault_reached"] == "0" for r in rows["sound"])
    for fault in faults:
        struck = [r["fault_activated"] != "0" for r in rows[fault]]
        # Whatever it spoils is seen, and nothing else: the deviation that is left is no rounding error.
        assert found[fault] == ("found", "gray", sum(struck), 0) and sum(struck) > 10, (fault, found)
        assert [r["gray"] == "failed" for r in rows[fault]] == struck
        # Up to the first that it spoils a sequence is the sound one.
        for sequence in {(r["suite"], r["sequence"]) for r in rows[fault]}:
            mine, sound = ([(w["case"], w["moved"], w["sample"], w["change"]) for w in works[name]
                            if (w["suite"], w["sequence"]) == sequence] for name in (fault, "sound"))
            first = next((i for i, r in enumerate(r for r in rows[fault] if (r["suite"], r["sequence"]) == sequence)
                          if r["fault_activated"] != "0"), len(mine))
            assert mine[:first] == sound[:first], (fault, sequence, first)
    # The chain goes round nothing and a quarter of 24 agents; who is drawn twice, or may not go, moves less.
    for sequence in {(r["suite"], r["sequence"]) for r in rows["sound"]}:
        moved = [int(r["moved"]) for r in rows["sound"] if (r["suite"], r["sequence"]) == sequence]
        assert set(moved[0::2]) == {0} or set(moved[1::2]) == {0}, moved
        assert max(moved) <= 6 and sum(moved) > 15, moved
    # A promise that it does not keep is its own failure: no member goes farther than it reaches.
    late = experiment(of, [one("late", reach=0.01)], corridor=served, mocks={"moves": moves})
    row, = json.loads(runs.call("show", runs.run(late), "tables", "--json").stdout)["sheets"]["found"]["rows"]
    assert (row["verdict"], row["found_by"]) == ("FAILS", "gray"), row
    # What is computed from what it writes is judged as it is then: a module, whose promise is about that.
    double = {"load": {"real": [0, 500], "unit": "kW", "value": 100}, "both": {"real": [0, 1000], "unit": "kW", "is": "load + load"}}
    text = ["structure partitioning", "attribute load: real 0 .. 500 [kW]", "attribute both: real 0 .. 1000 [kW]",
            "invariant follows: all(a in agents: abs(a.both - 2 * a.load) <= 0.001)", "trigger near: max(a in agents: a.load) <= 100"]
    of_load = experiment(model(STEADY, double, still=STILL), [arm("drift", {"mechanism": DRIFT, "parameters": {"width": 10}}, mock="moves")],
                         corridor=text, mocks={"moves": moves}, suites=2)
    row, = json.loads(runs.call("show", runs.run(of_load), "tables", "--json").stdout)["sheets"]["found"]["rows"]
    assert row["verdict"] == "no check failed", row
    # Its failures are kept, made small and repeated as those of algorithms are.
    test = runs.path("json")
    runs.call("shrink", result, "--failure", "turned/0/0/%s" % next(r["case"] for r in rows["turned"] if r["fault_activated"] != "0"),
              "-o", test)
    runs.call("replay", test, "--expect", "failing")
    with open(test, encoding="utf-8") as file:
        kept = json.load(file)["arm"]
    assert kept["mechanisms"][0]["fault"] == "turned" and kept["mock"]["states"] == moves["states"], kept
    runs.call("replay", result)
    # One that ends is smoke, as beside an algorithm.
    dead = experiment(of, [arm("dead", {"mechanism": module("crash")}, mock="moves")], corridor=served, mocks={"moves": moves}, suites=1)
    dead["model"] = dict(of, attributes={"load": {"real": [0, 500], "unit": "kW", "value": 100}})
    row, = json.loads(runs.call("show", runs.run(dead), "tables", "--json").stdout)["sheets"]["found"]["rows"]
    assert (row["verdict"], row["found_by"]) == ("FAILS", "mechanism"), row

    def refuse(sentence, remedy, *arms, **more):
        mine = dict({"corridor": served, "mocks": {"moves": moves, "wide": chain([0, 1.5])}}, **more)
        runs.refused(experiment(of, list(arms), **{key: value for key, value in mine.items() if value}), sentence, remedy)
    under = 'one mechanism that works itself is under test in an arm with "mock"'
    stands = "stands in for the algorithm, and there is "
    balance = {"mechanism": "balance", "parameters": {"demand": 0.5}}
    refuse("/arms/0/mock: " + stands + "no mechanism to be tested", under, {"name": "a", "algorithm": "random", "mock": "moves"})
    refuse(stands + "no mechanism to be tested", under, arm("a", mock="moves"))
    refuse(stands + "a mock to be tested", under, arm("a", dict(balance, mock="moves"), mock="moves"))
    refuse("has a mechanism tested, and nothing says what it is to bring about",
           'write "corridor" beside "arms": its invariants are the gray box', one("a"), corridor=None)
    refuse("stands in for the algorithm, and the arm has a fault of it or of its adoption", 'leave the other fault out, or "mock"',
           one("a", result={"fault": "agent_dropped", "probability": 1}))
    refuse("has a state with a mean of 1.5, and a share is from 0 to 1", "fit it to the share of agents that move in a case",
           dict(one("a"), mock="wide"))
    refuse('there is no mock "move"', "did you mean", dict(one("a"), mock="move"))
    refuse("/arms/0/mechanisms/0: has a fault, which is looked for where the mechanism is under test",
           'write "mock" beside "mechanisms": a chain in the place of the algorithm', arm("a", dict(balance, fault="turned")))
    refuse('balance has no fault "turn"', "turned", one("a", "turn"))


def builds(runs):
    """Another build of a module is another arm: neither a campaign nor an estimate goes on with it, a test says that it is another."""
    module, never = "./own.so", ("--isolate", "never")
    place = os.path.join(runs.folder, "own.so")
    shutil.copy(DRIFT, place)
    os.chdir(runs.folder)
    first = sha256(place)
    text = "trigger near: max(a in agents: a.load) <= 100"
    fault = {"result": {"fault": "agent_dropped", "probability": 0.2}}
    what = experiment(model(STEADY, {"load": {"real": [0, 500], "unit": "kW", "value": 100}}, still=STILL),
                      [arm("bare", **fault), arm("drifting", {"mechanism": module, "parameters": {"width": 10}}, **fault)],
                      corridor=LOADS + [text])
    asked = {"corridor_estimation": 1, "method": "plain", "arm": "drifting", "suites": 6, "experiment": what}
    found = {}
    for name, one in (("campaign", what), ("estimate", asked), ("search", {"corridor_search": 1, "budget": 2000, "islands": 2, "generators": [{"generator": "random", "arm": "drifting"}], "experiment": what})):
        one = runs.write(one)
        begun = runs.call("run", one, "-o", name + ".h5", "--share", "1/2", "--progress", "none", *never, code=None)
        assert os.path.isdir(name + ".h5.parts"), begun
        found[name] = one
    result = runs.run(what, *never)
    estimated = runs.run(asked, *never)
    for one in (result, estimated):
        assert first.encode() in bytes_of(one), one
        assert re.search(rb'"not_checked": \[\s*"drifting"', bytes_of(one)), one
    key = next(word for word in runs.call("failures", result, "--all").stdout.split() if word.startswith("drifting/"))
    runs.call("shrink", result, "--trust", *never, "--failure", key, "-o", "test.json")
    with open("test.json", encoding="utf-8") as file:
        test = json.load(file)
    assert test["beside"] == [{"name": module, "sha256": first}], test
    with open(place, "ab") as file:  # another build, which does the same
        file.write(b"\0")
    second = sha256(place)
    for name, one in found.items():
        done = runs.call("run", one, "-o", name + ".h5", "--progress", "none", *never, code=None)
        assert done.returncode == 4 and first in done.stderr and second in done.stderr, (name, done)
    # Another build is said where a test is not as expected; and one that does not say which build it was of.
    test["expected"]["hash"] = "0x1"
    for beside, said in ((test.pop("beside"), [module + " is not the module that the test was made with: its SHA-256 is " + second]),
                         (None, ["the test does not say which file %s was: now its SHA-256 is %s" % (module, second)]),
                         ([{"name": "./gone.so", "sha256": second}], ["the test was made with ./gone.so, and here it is " + module]),
                         ([{"name": module, "sha256": second}, {"name": "./more.so", "sha256": first}], ["the test was made with ./more.so, and its arm does not name it"])):
        with open("other.json", "w", encoding="utf-8") as file:
            json.dump(dict(test, **({"beside": beside} if beside else {})), file)
        done = runs.call("replay", "other.json", "--trust", *never, "--expect", "failing", code=None)
        for sentence in said:
            assert sentence in done.stderr, (sentence, done)
    for beside in ([], [{"name": module}], [{"name": module, "sha256": first, "x": 1}]):
        with open("other.json", "w", encoding="utf-8") as file:
            json.dump(dict(test, beside=beside), file)
        done = runs.call("replay", "other.json", "--trust", *never, "--expect", "failing", code=3)
        assert "/beside" in done.stderr, done


def mocks(runs):
    """One state: each agent is shifted by it in each case, and goes half of the way back before the next."""
    still = model(STEADY, still=STILL, other=STILL)
    mocked = {"mechanism": "balance", "types": ["other"]}
    arms = [arm("up", dict(mocked, mock="up")), arm("round", dict(mocked, mock=chain([0.125, -0.25])))]
    beside = runs.write(chain([0.25]))
    result = runs.run(experiment(still, arms, mocks={"up": os.path.basename(beside)}))
    os.remove(beside)
    others = {row["suite"]: 0 for row in runs.table(result, "agents", "up")}
    for row in runs.table(result, "agents", "up"):
        others[row["suite"]] += row["type"] == "other"
    assert any(0 < count < 24 for count in others.values())
    for name, shifts in (("up", [0.25]), ("round", [0.125, -0.25])):
        value = 0.5
        for row in runs.table(result, "mechanisms", name):
            number = int(row["case"])
            value = 0.5 if number == 1 else value
            value += 0.5 * (0.5 - value)
            shift = shifts[number % len(shifts)] # the first step is made in case 1
            change = min(1, max(0, value + shift)) - value
            value += change
            assert int(row["written"]) == others[row["suite"]] and row["mocked"] == "1"
            assert float(row["moved"]) == float(row["cost"]) == others[row["suite"]] * abs(change)
            assert others[row["suite"]] == 0 or float(row["change"]) == change, (row, change)
    # Steps are drawn by the chain, anew in each case: from up a quarter stays, from down a half.
    drawn = {"states": ["up", "down"], "start": "up", "transitions": {"up": {"up": 0.25, "down": 0.75},
                                                                      "down": {"up": 0.5, "down": 0.5}},
             "fit": {"states": {"up": {"mean": 0.001}, "down": {"mean": -0.001}}}}
    chance = runs.run(experiment(still, [arm("drawn", {"mechanism": "balance", "mock": drawn})], cases=400))
    steps = {}
    rows = runs.table(chance, "mechanisms")
    for one, other in zip(rows, rows[1:]):
        if int(other["case"]) == int(one["case"]) + 1:
            at = (float(one["change"]) > 0, float(other["change"]) > 0)
            steps[at] = steps.get(at, 0) + 1
    for is_up, stays in ((True, 0.25), (False, 0.5)):
        of = sum(count for (here, _), count in steps.items() if here == is_up)
        assert abs(steps[is_up, is_up] / of - stays) < 5 * (stays * (1 - stays) / of) ** 0.5, steps
    # The file holds the chain itself.
    replayed = runs.call("replay", result).stdout
    assert "yes" in replayed and "no " not in replayed.split("agrees")[-1], replayed
    # Where adoption loses everybody there is nobody to share with: no organization, and nothing written.
    lost = arm("lost", "balance", adoption={"fault": "lost", "probability": 1}, monitor={"fault": "false"})
    result = runs.run(experiment(model(SKY, lamp=LAMP), [lost]))
    assert {(row["case"], row["written"], row["cost"]) for row in runs.table(result, "mechanisms")} == {("1", "0", "0")}


def same_bits(runs):
    parts = model(SKY, lamp=LAMP, roof=ROOF)
    fault = {"result": {"fault": "agent_dropped", "probability": 0.2}}
    arms = [dict(arm("bare"), **fault), dict(arm("integrated", "balance"), **fault),
            dict(arm("isolated", {"mechanism": "balance", "mock": chain([0.125, -0.25, 0])}), **fault)]
    what = experiment(parts, arms)
    result = runs.run(what)
    assert bytes_of(runs.run(what, jobs="3")) == bytes_of(result)
    folder = runs.path("campaign")
    runs.call("plan", runs.write(what), "-o", folder)
    runs.call("run", folder, "--share", "1/2", "--progress", "none", code=None)
    runs.call("run", folder, "--progress", "none", "-o", folder + ".h5")
    assert bytes_of(folder + ".h5") == bytes_of(result)

    # Arms without mechanisms are what they were before there was the key.
    without = copy.deepcopy(what)
    for one in without["arms"]:
        del one["mechanisms"]
    plain = runs.run(without)
    for name in ("suites", "cases", "reorganizations", "sequences", "violations"):
        assert runs.table(plain, name, "bare") == runs.table(result, name, "bare"), name
        assert name in ("suites", "violations") or \
            runs.table(plain, name, "integrated") != runs.table(result, name, "integrated"), name
    assert not runs.table(plain, "mechanisms") and not runs.table(result, "mechanisms", "bare")
    # The same walks for all forms of an arm, and the mechanism has its effect.
    suites = [runs.table(result, "suites", name) for name in ("bare", "integrated", "isolated")]
    assert all([row["threshold"] for row in rows] == [row["threshold"] for row in suites[0]] for rows in suites)
    alarms = {name: sum(int(row["alarm"]) for row in runs.table(result, "cases", name)) /
              len(runs.table(result, "cases", name)) for name in ("bare", "integrated")}
    assert alarms["integrated"] < alarms["bare"], alarms

    listed = runs.call("failures", result, "--all").stdout
    for name in ("integrated", "isolated"):
        key = next(word for word in listed.split() if word.startswith(name + "/"))
        test = runs.path("json")
        runs.call("shrink", result, "--failure", key, "-o", test)
        runs.call("replay", test, "--expect", "failing")
        with open(test, encoding="utf-8") as file:
            stored = json.load(file)
        assert stored["arm"]["mechanisms"][0]["mechanism"] == "balance"
        assert ("mock" in stored["arm"]["mechanisms"][0]) == (name == "isolated")
    replayed = runs.call("replay", result).stdout
    assert "none" in replayed, replayed

    # A mechanism of the whole experiment is that of the arms that say nothing; an empty list is none.
    shared = experiment(parts, [{"name": "bare", "algorithm": "random", **fault},
                                dict(arm("none"), **fault)], mechanisms=["balance"])
    both = runs.run(shared)
    assert [r["state_hash"] for r in runs.table(both, "sequences", "bare")] == \
        [r["state_hash"] for r in runs.table(result, "sequences", "integrated")]
    assert [r["state_hash"] for r in runs.table(both, "sequences", "none")] == \
        [r["state_hash"] for r in runs.table(result, "sequences", "bare")]


def listed(runs):
    """corridor list names what experiments may name: the library has an arm for each monitor and each of its faults."""
    said = json.loads(runs.call("list", "--json").stdout)
    assert [(m["name"], [p["name"] for p in m["parameters"]]) for m in said["mechanisms"]] == [("balance", ["demand", "share", "reach", "strain"])]
    with open(LIBRARY, encoding="utf-8") as file:
        used = [arm.get("monitor", {}) for arm in json.load(file)["arms"]]
    assert sorted((m["algorithm"], m.get("fault", "none")) for m in used if "algorithm" in m) == \
        sorted((m["name"], fault) for m in said["monitors"] for fault in ["none", *(f["name"] for f in m["faults"])])
    text = runs.call("list").stdout
    assert all(f"\n{m['name']} {m['version']} (built-in" in text for m in said["mechanisms"] + said["monitors"]), text


with tempfile.TemporaryDirectory() as place:
    RUNS = Runs(place)
    for step in (listed, refusals, seen_in_the_following_cases, not_the_algorithm, tested, mocks, same_bits, *([one_that_never_ends] if FULL else []),
                 builds):  # the last: it goes to another folder
        step(RUNS)
        print(step.__name__)
