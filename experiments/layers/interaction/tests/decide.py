#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decisions of corridor decide held against exact probabilities, and its messages.

usage: decide.py CORRIDOR [full]

Two agents, a partition each, perceive chains of their own: there is an alarm exactly when these are in different
states. The probability of every sequence of alarms follows from the chains; what it says of a formula is told by a few
lines here, which share no code with the program."""
import contextlib
import csv
import fractions
import glob
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

CORRIDOR, FULL = sys.argv[1], sys.argv[2:] == ["full"]
CASES = 8


def experiment(calm_to_storm, storm_to_calm, seed=1):
    return {
        "corridor_experiment": 1, "name": "vanes", "seed": hex(seed), "suites": 4, "sequences": 3, "cases": CASES,
        "model": {
            "corridor_model": 1, "agents": 2, "structure": {"size_max": 1}, "groups": {"count": 2},
            "environments": {"sky": {"profile": {
                "states": ["calm", "storm"],
                "transitions": {"calm": {"calm": 1 - calm_to_storm, "storm": calm_to_storm},
                                "storm": {"calm": storm_to_calm, "storm": 1 - storm_to_calm}},
                "start": "calm"}}},
            "types": {"vane": {"environment": "sky", "states": {"low": 0.1, "high": 0.9},
                               "influence": {"calm": "low", "storm": "high"}}},
            "invariant": {"threshold": 0.1}},
        "arms": [{"name": "random", "algorithm": "random"}, {"name": "exact", "algorithm": "exact"}]}


def law(calm_to_storm, storm_to_calm):
    """The probability of each tuple of alarms."""
    p, q = fractions.Fraction(calm_to_storm), fractions.Fraction(storm_to_calm)
    step = {0: {0: 1 - p, 1: p}, 1: {0: q, 1: 1 - q}}
    words = {(): {(0, 0): fractions.Fraction(1)}}
    for _ in range(CASES):
        longer = {}
        for word, states in words.items():
            for (a, b), weight in states.items():
                for c, d in itertools.product((0, 1), repeat=2):
                    into = longer.setdefault(word + (int(c != d),), {})
                    into[c, d] = into.get((c, d), 0) + weight * step[a][c] * step[b][d]
        words = longer
    return {word: sum(states.values()) for word, states in words.items()}


def back(word, within):
    """Each alarm is followed by a case without one, itself included, within so many cases."""
    return all(not alarm or 0 in word[i:i + within + 1] for i, alarm in enumerate(word))


FORMULAS = {
    "eventually alarm": lambda word: 1 in word,
    "always (alarm implies eventually[0, 2] not alarm)": lambda word: back(word, 2),
    "eventually (alarm and next alarm)": lambda word: (1, 1) in zip(word, word[1:]),
    "next[3, 3] alarm": lambda word: word[3] == 1,
    "not alarm until alarm": lambda word: 1 in word,
    "eventually (case >= 6 and alarm)": lambda word: 1 in word[5:],
}


def run(*arguments, code=0):
    done = subprocess.run([CORRIDOR, *arguments], capture_output=True, text=True)
    if code is not None:
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done


def run_after_kill(path, file, *options):
    """On a loaded machine the last worker may take a moment to die, and holds the folder until then."""
    while not os.path.exists(file):
        done = run("run", path, "-o", file, "--progress", "none", *options, code=None)
        assert done.returncode == 0 or (done.returncode == 4 and "is being written" in done.stderr), done


def decide(path, question, *options, code=None):
    done = run("decide", path, question, *options, "--json", code=code)
    assert done.returncode in (0, 1, 7), (question, options, done.stderr)
    rows = json.loads(done.stdout)["decisions"]
    for row in rows:
        assert (row["verdict"] in ("holds", "estimated")) == (done.returncode == 0), (row, done.returncode)
        assert (row["verdict"] == "does_not_hold") == (done.returncode == 1)
    return rows if len(rows) > 1 else rows[0]


def test_exact(folder):
    """Far from the bound each verdict is right; estimates lie where they must. In full all formulas of all chains, and nearer to the bound."""
    wrong = asked = 0
    off, edge, width, more = (0.06, 0.02, "0.03", ()) if FULL else (0.1, 0.04, "0.08", ("--indifference", "0.03"))
    shifts = itertools.cycle(((-off, off),) if FULL else ((-off,), (off,)))
    for p, q, seed in ((0.25, 0.5, 1), (0.0625, 0.25, 2), (0.5, 0.5, 3)):
        path = os.path.join(folder, f"vanes{seed}.json")
        with open(path, "w") as file:
            json.dump(experiment(p, q, seed), file)
        words = law(p, q)
        assert sum(words.values()) == 1
        for formula, holds in FORMULAS.items() if FULL else itertools.islice(FORMULAS.items(), seed - 1, None, 3):
            exact = float(sum(weight for word, weight in words.items() if holds(word)))
            for shift in next(shifts):
                bound = round(exact + shift, 3)
                if not edge < bound < 1 - edge:
                    continue
                row = decide(path, f"P >= {bound} [ {formula} ]", "--arm", "random", *more)
                assert row["verdict"] == ("holds" if shift < 0 else "does_not_hold"), (formula, exact, row)
                row = decide(path, f"P <= {bound} [ {formula} ]", "--arm", "random", "--bayes", "1000")
                assert row["verdict"] == ("holds" if shift > 0 else "does_not_hold"), (formula, exact, row)
                asked += 2
            row = decide(path, f"P [ {formula} ]", "--arm", "random", "--width", width)
            wrong += not row["low"] <= exact <= row["high"]
    assert asked >= (60 if FULL else 10), asked
    assert wrong <= (4 if FULL else 2), wrong  # of 18, or of 6, at 95 %: more have a probability of 0.2 %


def test_amounts(folder):
    path = os.path.join(folder, "vanes1.json")
    words = law(0.25, 0.5)
    mean = float(sum(weight * sum(word) for word, weight in words.items()))
    assert decide(path, f"E <= {mean + 0.3} [ sum alarm ]", "--arm", "random")["verdict"] == "holds"
    assert decide(path, f"E <= {mean - 0.3} [ sum alarm ]", "--arm", "random")["verdict"] == "does_not_hold"
    at = float(sum(weight for word, weight in words.items() if word[4]))
    row = decide(path, "E [ alarm at 5 ]", "--arm", "random", "--width", "0.02" if FULL else "0.05", "--level", "0.999")
    assert row["low"] <= at <= row["high"], (at, row)
    least = next(n for n in range(9) if sum(w for word, w in words.items() if sum(word) <= n) >= 0.8)
    share = float(sum(w for word, w in words.items() if sum(word) <= least))
    assert share > 0.82
    assert decide(path, f"Q 0.8 <= {least} [ sum alarm ]", "--arm", "random")["verdict"] == "holds"
    assert decide(path, f"Q 0.8 <= {least - 1} [ sum alarm ]", "--arm", "random")["verdict"] == "does_not_hold"


def test_mostly_0(folder):
    """What is nearly always 0 is not decided because it was 0 so far, and has no interval of width 0."""
    path = os.path.join(folder, "rare.json")
    with open(path, "w") as file:
        json.dump({**experiment(0.015625, 0.5, 4), "arms": [{"name": f"a{i}", "algorithm": "deal"} for i in range(50)]}, file)
    mean = float(sum(weight * sum(word) for word, weight in law(0.015625, 0.5).items()))
    for bound, verdict in ((mean / 3, "does_not_hold"), (mean * 3, "holds")):
        row = decide(path, f"E <= {bound} [ sum alarm ]", "--arm", "a0")
        assert row["verdict"] == verdict and row["low"] < mean < row["high"], (mean, row)
        assert (row["least"], row["most"]) == (0, CASES), row
    row = decide(path, "E [ sum alarm ]", "--arm", "a1", "--width", "0.2")
    assert row["low"] < mean < row["high"] <= row["low"] + 0.4, (mean, row)
    row = decide(path, "E <= -0.2 [ alarm ]", "--arm", "a2", "--minus", "a3")
    assert row["verdict"] == "does_not_hold" and (row["least"], row["most"]) == (-1, 1) and row["low"] < 0 < row["high"], row
    # Nothing bounds how many rounds an algorithm takes: equal values say nothing. Nor does a share of them decide the other.
    done = run("decide", path, "E <= 5 [ sum rounds ]", "--arm", "a4", "--most", "100", code=7)
    said = " ".join(done.stdout.split())
    assert "nothing bounds the amount, so that it is taken to be in twice the range of what was seen, and nothing is said " \
           "before 20 pairs of values differ; 0 do." in said, said
    row = decide(path, "E <= 5 [ sum rounds ]", "--arm", "a4", "--most", "100")
    assert (row["low"], row["high"], row["least"], row["most"]) == (None, None, 0, None), row
    # So many arms that --most of each are more than a campaign may have.
    rows = decide(path, "P >= 0.3 [ case = 1 ]")
    assert len(rows) == 50 and all(row["verdict"] == "holds" for row in rows), rows[0]


def test_same(folder):
    """The same by any number of workers, of the file that is left, by an experiment that asks itself."""
    path, question = os.path.join(folder, "vanes1.json"), "P >= 0.7 [ eventually alarm ]"
    files = [os.path.join(folder, f"{jobs}.h5") for jobs in (1, 3)]
    rows = [decide(path, question, "-j", jobs, "-o", file) for jobs, file in zip("13", files)]
    assert rows[0] == rows[1] == decide(files[0], question)
    with open(files[0], "rb") as one, open(files[1], "rb") as three:
        assert one.read() == three.read()
    with open(path) as file:
        asking = json.load(file)
    asking.update(suites=0, sequences=1, properties=[question], stop={"decided": 1})
    own = os.path.join(folder, "asking.json")
    with open(own, "w") as file:
        json.dump(asking, file)
    run("run", own, "-o", os.path.join(folder, "asking.h5"), "--progress", "none")
    shown = json.loads(run("show", os.path.join(folder, "asking.h5"), "decisions", "--json", code=None).stdout)
    assert shown["decisions"] == rows[0], (shown["decisions"], rows[0])
    # Arms that share suites do the same here: their difference is nothing.
    with open(path, "w") as file:
        json.dump({**experiment(0.25, 0.5, 1), "mode": "paired"}, file)
    row = decide(path, "E <= 0.5 [ sum alarm ]", "--arm", "random", "--minus", "exact")
    assert row["verdict"] == "holds" and row["value"] == 0, row
    # The sequence that is named violates the formula.
    row = decide(files[0], "P >= 0.99 [ eventually alarm ]", "--arm", "random")
    arm, suite, sequence, _ = row["counterexample"].split("/")
    table = run("export", files[0], "--table", "cases", "--where",
                f"arm = '{arm}' and suite = {suite} and sequence = {sequence} and alarm = 1").stdout
    assert len(table.splitlines()) == 1, table


def least(violates):
    """How many cases the shortest sequence of alarms has that violates a formula whatever comes behind it."""
    for length in range(1, CASES + 1):
        for word in itertools.product((0, 1), repeat=length):
            if all(violates(word + rest) for rest in itertools.product((0, 1), repeat=CASES - length)):
                return length
    return None


COUNTEREXAMPLES = [
    ("always (alarm implies eventually[0, 2] not alarm)", lambda word: back(word, 2)),
    ("not eventually (alarm and next alarm)", lambda word: (1, 1) not in zip(word, word[1:])),
    ("not alarm until case >= 5", lambda word: 1 not in word[:4]),
]


def test_counterexample(folder):
    """What is shrunk violates the formula by as few cases as any sequence can, and replay says why."""
    file, test = os.path.join(folder, "1.h5"), os.path.join(folder, "small.json")
    for formula, holds in COUNTEREXAMPLES:
        asked = f"P >= 0.99 [ {formula} ]"
        done = run("decide", file, asked, "--arm", "random", code=1)
        key = json.loads(run("decide", file, asked, "--arm", "random", "--json", code=1).stdout)
        key = key["decisions"][0]["counterexample"]
        said = " ".join(done.stdout.split())
        assert f"shrink {file} --failure {key} --property '{asked}' -o t.json" in said, said
        run("shrink", file, "--failure", key, "--property", asked, "-o", test, "-f")
        fewest = least(lambda word: not holds(word))
        shown = json.loads(run("replay", test, "--json").stdout)
        row = shown["sheets"]["tests"]["rows"][0] if "sheets" in shown else shown["tests"][0]
        cases = row["cases"] if isinstance(row, dict) else None
        assert cases == fewest and row["case"] == fewest and row["class"] == "property", (formula, fewest, row)
        why = [row["why"] for row in shown["sheets"]["properties"]["rows"]]
        assert why and all(why), why
        run("shrink", test, "--check")
        # The alarms of the test, by its trace, violate it; with other bits of the file it is no test of that.
        trace = json.loads(run("replay", test, "--trace", "all", "--json").stdout)["sheets"]["trace"]["rows"]
        word = tuple(int(case["alarm"]) for case in trace)
        assert len(word) == fewest and not holds(word + (0,) * (CASES - fewest)), (formula, word)
    # One that no case fixes keeps them all: any shorter sequence would violate it, too.
    row = decide(file, "P >= 0.99 [ eventually alarm ]", "--arm", "random")
    run("shrink", file, "--failure", row["counterexample"], "--property", "P [ eventually alarm ]", "-o", test, "-f")
    shown = json.loads(run("replay", test, "--json").stdout)["sheets"]["tests"]["rows"][0]
    assert (shown["class"], shown["cases"]) == ("property.unfulfilled", CASES), shown
    run("replay", test, "--expect", "fixed", code=1)
    # Kept as it is, too; and where it does not violate what is asked, that is said.
    key = row["counterexample"]
    run("replay", file, "--failure", key, "--property", "P [ eventually alarm ]", "-o", test, "-f")
    run("replay", test, "--expect", "failing")
    done = run("shrink", file, "--failure", key, "--property", "P [ always case > 0 ]", "-o", test, "-f", code=3)
    assert f"{key} satisfies P [ always case > 0 ]" in done.stderr, done.stderr
    done = run("shrink", file, "--failure", key, "--property", "E <= 4 [ moved ]", "-o", test, "-f", code=3)
    assert 'no sequence by itself violates "E <= 4 [ moved ]"' in done.stderr, done.stderr


def test_steady(folder):
    """The long run of chains whose stationary law is known, over configurations and given one."""
    path = os.path.join(folder, "long.json")
    long = experiment(0.05, 0.1, 7)
    long.update(cases=600, suites=1, sequences=40)
    with open(path, "w") as file:
        json.dump(long, file)
    storm = 0.05 / 0.15
    exact = 2 * storm * (1 - storm)
    for options in ((), ("--given", "3")) if FULL else (("--given", "3"),):
        row = decide(path, "S [ alarm ]", "--arm", "random", "--width", "0.03" if FULL else "0.05", "--level", "0.999", *options)
        assert row["low"] <= exact <= row["high"], (options, exact, row)
        row = decide(path, f"S >= {exact - 0.06:.3f} [ alarm ]", "--arm", "random", *options)
        assert row["verdict"] == "holds", (options, row)
        row = decide(path, f"S >= {exact + 0.06:.3f} [ alarm ]", "--arm", "random", *options)
        assert row["verdict"] == "does_not_hold", (options, row)
        # What grows has no steady state: undecided, with the trend; and what is short has none that is known.
        done = run("decide", path, "S <= 5000 [ case ]", "--arm", "random", "--most", "300", *options, code=7)
        said = " ".join(done.stdout.split())
        assert "there is no steady state: behind the warm-up it is" in said or "have no long run" in said, said
    assert "Given the configuration of suite 3 of the arm" in said, said
    done = run("decide", os.path.join(folder, "vanes1.json"), "S [ alarm ]", "--arm", "random", "--most", "60", code=7)
    assert "no steady state" in done.stdout, done.stdout
    # Of one suite of a file, by its sequences.
    file = os.path.join(folder, "long.h5")
    run("run", path, "-o", file, "--progress", "none")
    row = decide(file, "S [ alarm ]", "--arm", "random", "--given", "0", "--width", "0.02", "--level", "0.999")
    assert row["low"] <= exact <= row["high"], row
    done = run("decide", file, "P [ alarm ]", "--arm", "random", "--given", "4", "--width", "0.1", code=3)
    assert "--given: arm random has no suite 4 in this file" in done.stderr, done.stderr
    assert ": PROPERTY: /0: " in run("decide", file, "P [ alram ]", code=3).stderr


def test_given(folder):
    """Of one configuration: what its own law says, and not that of all."""
    path = os.path.join(folder, "given.json")
    drawn = experiment(0.25, 0.5, 9)
    drawn.update(suites=8, sequences=1, cases=[3, 12])
    drawn["model"].update(parameters={"n": [2, 6]}, agents="n", groups={"count": "n"})
    with open(path, "w") as file:
        json.dump(drawn, file)
    every = os.path.join(folder, "given.h5")
    run("run", path, "-o", every, "--progress", "none")
    sizes = {}
    for line in run("export", every, "--table", "suites").stdout.splitlines()[1:]:
        sizes.setdefault(len(sizes), line)
    head = run("export", every, "--table", "suites").stdout.splitlines()[0].split(",")
    column, arm, suite = head.index("agents"), head.index("arm"), head.index("suite")
    rows = [line.split(",") for line in run("export", every, "--table", "suites").stdout.splitlines()[1:]]
    sizes = {int(row[suite]): int(row[column]) for row in rows if row[arm] == rows[0][arm]}
    assert len(set(sizes.values())) > 2, sizes
    asked = "--width", "0.02" if FULL else "0.05", "--level", "0.999"
    for number in (0, 3, 5) if FULL else (0, 3):
        agents = sizes[number]
        storm = {0: 0.0}
        at = 0.0
        for _ in range(2):
            at = at * 0.5 + (1 - at) * 0.25
        exact = 1 - at ** agents - (1 - at) ** agents
        file = os.path.join(folder, f"given{number}.h5")
        row = decide(path, "E [ alarm at 2 ]", "--arm", "random", "--given", str(number), *asked, "-o", file)
        assert row["low"] <= exact <= row["high"], (number, agents, exact, row)
        # A sequence of it is found again by its key, and the file says which question it answers.
        again = decide(file, "E [ alarm at 2 ]", *asked)
        assert again == row, (again, row)
        done = run("decide", file, "P >= 0.999 [ not alarm until case > 2 ]", "--json", code=1)
        key = json.loads(done.stdout)["decisions"][0]["counterexample"]
        run("replay", file, "--failure", key)  # what violates a property need not fail
        done = run("decide", file, "P [ alarm ]", "--width", "0.1", "--given", str(number + 1), code=3)
        assert f"all suites of the file have the configuration of suite {number}" in done.stderr, done.stderr


def stored(file):
    """Bytes in the folder of its campaign; at the end of that, of what is still there."""
    size = 0
    for path in glob.glob(glob.escape(file) + ".parts/*"):
        with contextlib.suppress(FileNotFoundError):
            size += os.path.getsize(path)
    return size


def strike(path, file, size, jobs):
    """Kills a campaign, workers and all, when so many bytes are stored; whether it was not over before that."""
    process = subprocess.Popen([CORRIDOR, "run", path, "-o", file, "--progress", "none", "--jobs", jobs], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None and stored(file) < size:
        time.sleep(0.01)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return not os.path.exists(file)


def in_time(attempt, file):
    """Until it is not over before anybody could disturb it."""
    for _ in range(20):
        if attempt():
            return
        os.unlink(file)
        os.unlink(file + ".times.csv")
    raise AssertionError("it was over before anybody could disturb it")


def test_killed(folder):
    """Killed in the middle, workers and all, and run again: the same bytes as of a run that nobody disturbed."""
    path, quiet, killed = (os.path.join(folder, name) for name in ("asking2.json", "quiet.h5", "killed.h5"))
    asking = experiment(0.25, 0.5, 11)
    asking.update(suites=0, sequences=1, cases=400, properties=["P [ eventually alarm ]", "E <= 177 [ sum alarm ]"],
                  stop={"decided": 1, "suites": 8000})
    asking["properties"][0] = {"property": "P [ next[20, 20] alarm ]", "width": 0.02}
    with open(path, "w") as file:
        json.dump(asking, file)
    run("run", path, "-o", quiet, "--progress", "none", "--jobs", "1")
    in_time(lambda: [strike(path, killed, stored(killed) + 200000, "3") for _ in range(4)][0], killed)
    run_after_kill(path, killed, "--jobs", "3")
    with open(quiet, "rb") as one, open(killed, "rb") as other:
        assert one.read() == other.read()


def test_ended_arms(folder):
    """An arm of which all is decided takes no more suites. What is decided, and the suites up to there, are as in a campaign in which all
    arms go on; and the file has the same bytes by any number of workers, in any order of work, and after it was killed."""
    path = os.path.join(folder, "arms.json")
    asking = experiment(0.25, 0.5, 5)
    asking["arms"] = [{"name": f"a{index}", "algorithm": "random"} for index in range(5)] + [
        {"name": "unasked", "algorithm": "random"}]
    asking.update(suites=500, sequences=1, properties=[
        {"property": "P >= 0.6 [ eventually (alarm and next alarm) ]", "indifference": 0.04, "arm": f"a{index}"}
        for index in range(5)] + [
        {"property": "P [ next[3, 3] alarm ]", "arm": "a2", "minus": "a4", "width": 0.07},
        {"property": "E [ sum alarm ]", "arm": "a3", "width": 0.09}])

    def make(name, *options, **changes):
        file = os.path.join(folder, name)
        with open(path, "w") as out:
            json.dump({**asking, **changes}, out)
        run("run", path, "-o", file, "--progress", "none", *options)
        return file

    def read(file):
        """The decisions, without what lies behind them, and the suites of each arm."""
        rows = json.loads(run("show", file, "decisions", "--json", code=None).stdout)["decisions"]
        suites = {}
        for line in run("export", file, "--table", "suites").stdout.splitlines()[1:]:
            suites.setdefault(line.split(",")[0], []).append(line)
        return [{key: row[key] for key in row if key != "taken"} for row in rows], suites

    ends = ("--stop-decided", "1")
    one = make("one.h5", "--jobs", "1", *ends)
    decided, suites = read(one)
    on, all_suites = read(make("on.h5", stop={"all": {"decided": 1, "cases": 1}}))
    assert decided == on, (decided, on)
    last = max(row["used"] for row in decided)
    for index in range(5):
        needed = max(row["used"] for row in decided if f"a{index}" in (row["arm"], row["minus"]))
        assert suites[f"a{index}"] == all_suites[f"a{index}"][:needed], (index, needed, len(suites[f"a{index}"]))
    assert len(suites["unasked"]) in (last - 1, last) and min(map(len, suites.values())) < last / 2, suites
    assert min(map(len, all_suites.values())) >= last - 1
    with open(one, "rb") as file:
        expected = file.read()
    for name, options in (("three.h5", ("--jobs", "3")), ("shuffled.h5", ("--jobs", "2", "--shuffle", "7"))):
        with open(make(name, *options, *ends), "rb") as file:
            assert file.read() == expected, name
    # Killed before anything was asked, so that suites that are not wanted are stored.
    struck = os.path.join(folder, "struck.h5")
    in_time(lambda: strike(path, struck, 200000, "2"), struck)
    run_after_kill(path, struck, *ends)
    with open(struck, "rb") as file:
        assert file.read() == expected


def check_drawn(folder, path):
    """The report draws a curve: a line and a band for each arm, through the values and the ends of intervals that are told."""
    for number, question in enumerate(("P [ alarm ] at 1..8", "E [ case + 3 * alarm at 2..7 ]")):
        file, page, figures = (os.path.join(folder, f"curve{number}{end}") for end in (".h5", ".html", ""))
        rows = decide(path, question, "--width", "0.2", "-o", file)
        run("report", file, "-o", page, "--figures", figures)
        assert [row["curve"] for row in rows] == [question] * len(rows), rows
        with open(os.path.join(figures, "decision-01.csv")) as data:
            drawn = [(row["arm"], *(float(row[key]) for key in ("case", "value", "low", "high"))) for row in csv.DictReader(data)]
        told = [(row["arm"], *(row[key] for key in ("case", "value", "low", "high"))) for row in rows]
        assert len(drawn) == len(told) == 2 * len({row["case"] for row in rows}), (drawn, told)
        for one, other in zip(sorted(drawn), sorted(told)):
            assert one[0] == other[0] and all(abs(a - b) <= 1e-6 for a, b in zip(one[1:], other[1:])), (one, other)
        with open(os.path.join(figures, "decision-01.svg")) as drawing:
            paths = [line for line in drawing if "<path" in line]
        bands = [re.findall(r"[\d.]+,[\d.]+", line) for line in paths if "fill-opacity" in line]
        lines = [re.findall(r"[\d.]+,[\d.]+", line) for line in paths if 'stroke-width="1.8"' in line][:len(bands) + 2]
        lines = [line for line in lines if len(line) > 2]
        assert len(bands) == len(lines) == 2
        arms = list(dict.fromkeys(row["arm"] for row in rows))
        heights = [(float(point.split(",")[1]), row["value"]) for arm, line in zip(arms, lines)
                   for point, row in zip(line, (row for row in rows if row["arm"] == arm))]
        (top, most), (bottom, least) = max(heights, key=lambda it: it[1]), min(heights, key=lambda it: it[1])
        for y, value in heights:
            assert abs(y - (bottom + (top - bottom) * (value - least) / (most - least))) < 0.2, (y, value)
        for band, line in zip(bands, lines):
            points = [tuple(map(float, point.split(","))) for point in band]
            assert len(points) == 2 * len(line)
            for index, (x, y) in enumerate(tuple(map(float, point.split(","))) for point in line):
                low, high = points[index], points[-1 - index]
                assert x == low[0] == high[0] and high[1] <= y <= low[1], (low, (x, y), high)
        with open(page) as text:
            assert "fig-decision-01" in text.read()


def test_curves(folder):
    """A point for each case, from one set of sequences, each as wide as asked for."""
    path = os.path.join(folder, "vanes1.json")
    words = law(0.25, 0.5)
    exact = [float(sum(weight for word, weight in words.items() if word[case])) for case in range(CASES)]
    for question in ("P [ alarm ] at 1..8", "E [ alarm at 1..8 ]")[:2 if FULL else 1]:
        width = 0.03 if FULL else 0.1
        rows = decide(path, question, "--arm", "random", "--width", str(width), "--level", "0.999")
        assert len(rows) == CASES, rows
        for row, p in zip(rows, exact):
            assert row["low"] <= p <= row["high"] and row["high"] - row["low"] <= 2 * width + 0.0001, (row, p)
        assert len({row["used"] for row in rows}) > 1, rows
        assert len({row["taken"] for row in rows}) == 1, rows
    check_drawn(folder, path)
    rows = decide(path, "P >= 0.2 [ alarm and next alarm ] at 2..4", "--arm", "random", "--indifference", "0.01" if FULL else "0.03")
    for case, row in enumerate(rows, 1):
        p = float(sum(weight for word, weight in words.items() if word[case] and word[case + 1]))
        assert row["property"] == f"P >= 0.2 [ next[{case}, {case}] ( alarm and next alarm ) ]", row
        assert abs(p - 0.2) < 0.03 or row["verdict"] == ("holds" if p > 0.2 else "does_not_hold"), (p, row)
    for question in ("P [ alarm ] at 0..3", "E [ alarm at 5..2 ]", "E [ alarm at 1..5000 ]"):
        done = run("decide", path, question, "--arm", "random", code=3)
        assert "is over cases from 1 on, ascending, and at most 1000" in done.stderr, done.stderr


def test_three_ways(folder):
    """Ten small experiments: an algorithm whose results are spoilt now and then. That a sequence fails is as probable by a decision of fixed
    width, by plain estimation and by enumeration of all sequences of alarms: each alarm is a chance of its own."""
    chains = ((0.1, 0.5), (0.3, 0.3), (0.5, 0.2), (0.05, 0.9), (0.7, 0.7))
    for seed, ((p, q), spoilt) in enumerate(itertools.product(chains, (0.1, 0.4))):
        made = experiment(p, q, 0x300 + seed)
        made["arms"] = [{"name": "spoilt", "algorithm": "exact", "result": {"fault": "agent_dropped", "probability": spoilt}}]
        made["sequences"] = 1
        path = os.path.join(folder, f"spoilt{seed}.json")
        with open(path, "w") as file:
            json.dump(made, file)
        exact = 1 - float(sum(weight * fractions.Fraction(1 - spoilt) ** sum(word) for word, weight in law(p, q).items()))
        decided = decide(path, "P [ eventually failed ]", "--width", "0.04", "--level", "0.999", code=0)
        assert abs(decided["value"] - exact) <= 0.04, (p, q, spoilt, exact, decided)
        for words in (("--failure", "any"), ("--property", "P [ eventually failed ]")):
            done = run("estimate", path, "--arm", "spoilt", *words, "--method", "plain", "--budget", str(1000 * CASES), "--json")
            estimated = json.loads(done.stdout)
            assert estimated["low"] - 0.02 <= exact <= estimated["high"] + 0.02, (p, q, spoilt, words, exact, estimated)
        # Both sides of the bound, by the test.
        assert decide(path, f"P >= {exact / 2:.6f} [ eventually failed ]", code=0)["verdict"] == "holds"
        assert decide(path, f"P >= {(1 + exact) / 2:.6f} [ eventually failed ]", code=1)["verdict"] == "does_not_hold"


def test_stopped(folder):
    """A failure in the black box ends a sequence while the formula is open: one case is enough, and that stays so."""
    path, file, test = (os.path.join(folder, name) for name in ("spoilt.json", "spoilt.h5", "spoilt_test.json"))
    spoilt = experiment(0.25, 0.5, 4)
    spoilt["arms"] = [{"name": "spoilt", "algorithm": "random", "result": {"fault": "partitions_merged"}}]
    with open(path, "w") as out:
        json.dump(spoilt, out)
    row = decide(path, "P >= 0.9 [ eventually case >= 8 ]", "-o", file)
    assert row["verdict"] == "does_not_hold", row
    run("shrink", file, "--failure", row["counterexample"], "--property", "P [ eventually case >= 8 ]", "-o", test)
    shown = json.loads(run("replay", test, "--json").stdout)["sheets"]["tests"]["rows"][0]
    assert (shown["class"], shown["cases"]) == ("property.stopped", 1), shown


# The cause, and what would be right where that is said, too.
MESSAGES = [
    (["P >= 0.99 [ eventually alram ]"], 3, 'there is no condition "alram"', 'did you mean "alarm"'),
    (["P >= 0.99 [ eventually moved ]"], 3, '"moved" is a number, not a condition', "compare it: moved > 3"),
    (["P >= 0.99 [ eventually gray ]"], 3, '"gray" is a word, not a condition', "compare it: gray = 'failed'"),
    (["P >= 1.5 [ alarm ]"], 3, 'column 6 of "P >= 1.5 [ alarm ]": the probability lies between 0 and 1', ""),
    (["P >= 1 [ alarm ]"], 3, "the region of indifference 1 .. 1 reaches to 0 or 1, or is none",
     "choose a bound between 0 and 1 (exclusive)"),
    (["P <= 0 [ alarm ]"], 3, "the region of indifference 0 .. 0 reaches to 0 or 1, or is none",
     "choose a bound between 0 and 1 (exclusive)"),
    (["P >= 0.99 [ alarm ]", "--indifference", "0.02"], 3,
     "the region of indifference 0.97 .. 1.01 reaches to 0 or 1, or is none", "make --indifference smaller"),
    (["P >= 0.5 [ alarm ]", "--alpha", "0.5", "--beta", "0.5"], 3,
     "alpha 0.5 and beta 0.5: both are above 0, and together below 1", "such as --alpha 0.01 --beta 0.01"),
    (["P >= 0.5 [ alarm ]", "--alpha", "0.6"], 2, '--alpha takes a number from 1e-09 to 0.5, not "0.6"', ""),
    (["P [ true ]"], 3, "there is nothing to decide", "say what a case has to show"),
    (["P [ always true ]"], 3, '"always true" is satisfied before the first case: there is nothing to decide', ""),
    (["P [ alarm and not alarm and false ]"], 3, '"alarm and not alarm and false" is violated before the first case: there is nothing to decide', ""),
    (["P >= 0.99 [ alarm"], 3, 'column 18 of "P >= 0.99 [ alarm": expected "]" at the end', ""),
    (["P >= 0.99 alarm"], 3, 'column 11 of "P >= 0.99 alarm": expected "["', "P >= 0.99 [ formula ], E <= 40 [ amount ]"),
    (["R >= 0.99 [ alarm ]"], 3, "expected P, E, Q or S", "P >= 0.99 [ formula ], E <= 40 [ amount ]"),
    (["P >= x [ alarm ]"], 3, "expected the probability", "P >= 0.99 [ formula ], E <= 40 [ amount ]"),
    (["P >= 0.99 [ alarm ] now"], 3, 'column 24 of "P >= 0.99 [ alarm ] now": expected "]" at the end', ""),
    (["P >= 0.99 [ eventually[3, 1] alarm ]"], 3, "the bounds [3, 1] leave no state", "write [1, 3]"),
    (["Q 1.5 [ moved ]"], 3, "the share of the quantile lies between 0 and 1", ""),
    (["Q [ moved ]"], 3, "expected the share of the quantile", "Q 0.9 <= 40 [ amount ]"),
    (["E [ sum movd ]"], 3, 'there is no "movd"', 'did you mean "moved"'),
    (["E [ moved at 0 ]"], 3, 'expected a case behind "at"', "write the number of a case, from 1: moved at 10"),
    (["E [ moved at x ]"], 3, 'expected a case behind "at"', "write the number of a case, from 1: moved at 10"),
    (["E [ sum moved ]", "--bayes", "10"], 3, "Bayes factors are for P and Q with a bound", "leave out --bayes"),
    (["P [ alarm ]", "--bayes", "10"], 3, "Bayes factors are for P and Q with a bound", "leave out --bayes"),
    (["S <= 0.2 [ mean moved ]"], 3, "what holds in the long run is a mean over cases", "write the number alone"),
    (["S [ alarm ]", "--arm", "random", "--minus", "exact"], 3, "Q and S are not compared between arms",
     "compare P or E"),
    (["S [ alarm ]", "--bayes", "10"], 3, "Bayes factors are for P and Q with a bound", "leave out --bayes"),
    (["Q 0.9 [ moved ]", "--arm", "random", "--minus", "exact"], 3, "Q and S are not compared between arms",
     "compare P or E"),
    (["P [ alarm ]", "--arm", "rndom"], 3, 'the experiment has no arm "rndom"', 'did you mean "random"'),
    (["P [ alarm ]", "--arm", "random", "--minus", "exct"], 3, 'the experiment has no arm "exct"',
     'did you mean "exact"'),
    (["P [ alarm ]", "--minus", "random"], 3, 'says "minus" without an arm', 'name the other arm by "arm"'),
    (["P [ alarm ]", "--width", "0"], 2, '--width takes a number from 1e-12 to 1e+300, not "0"', ""),
    (["P [ alarm ]", "--level", "1"], 2, '--level takes a number from 0.5 to 0.9999, not "1"', ""),
    (["P [ alarm ]", "--width", "0.1", "--bayes", "3"], 2, "--width and --bayes exclude each other", ""),
    (["P [ alarm ]", "--given", "x"], 2, '--given takes a whole number from 0 to 999999, not "x"', ""),
    ([], 3, "the experiment has no properties, and none is named", "name one behind the file"),
    (["--width", "0.1"], 2, "a property goes with --arm, --width and the like; those of the experiment say it themselves", ""),
]


def test_messages(folder):
    path = os.path.join(folder, "vanes1.json")
    for arguments, code, *said in MESSAGES:
        done = run("decide", path, *arguments, code=code)
        words = " ".join(done.stderr.split())
        assert all(part in words for part in said), (arguments, said, done.stderr)
    # A constraint is no column, by whatever command a property comes.
    library = os.path.join(os.path.abspath(__file__).split("/layers/")[0], "library/monitors.json")
    result = os.path.join(folder, "lines.h5")
    run("run", library, "-o", result, "--progress", "none", "--suites", "2", code=None)
    for words in (("decide", library, "P [ always fuse ]"), ("decide", library, "E [ sum fuse ]"), ("decide", result, "P [ always (inside and fuse) ]"),
                  ("estimate", library, "--method", "plain", "--arm", "exact", "--property", "P [ always fuse ]", "--budget", "3000"),
                  ("replay", result, "--failure", "stale/0/0", "--property", "P [ always fuse ]", "-o", os.path.join(folder, "none.json"))):
        said = " ".join(run(*words, code=3).stderr.split())
        assert '"fuse" is a constraint of the corridor, and a property is asked of columns: "inside" says' in said, (words, said)
    for name in ("load", "fuze", "size_max"):
        assert "is a constraint" not in run("decide", library, f"P [ always {name} ]", code=3).stderr, name
    # What is drawn no more has no say; chosen configurations are no sample.
    assert "--most has no meaning with a result file, which is run already" in run("decide", result, "P [ alarm ]", "--most", "5", code=2).stderr
    with open(path) as file:
        chosen = json.load(file)
    chosen["arms"][0]["configurations"] = {"combine": 1}
    array = os.path.join(folder, "array.json")
    with open(array, "w") as file:
        json.dump(chosen, file)
    said = " ".join(run("decide", array, "P [ alarm ]", "--most", "5", code=3).stderr.split())
    assert "are chosen, not drawn" in said, said
    # A budget that ends first: undecided, with what is known, and never exit code 0.
    done = run("decide", path, "P >= 0.8 [ eventually alarm ]", "--arm", "random", "--most", "5", code=7)
    assert "is undecided: 5 sequences do not suffice" in done.stdout, done.stdout
    # Who cannot know whether an answer would come again says so.
    shell = os.path.join(os.path.abspath(__file__).split("/experiments/layers/")[0], "algorithms/examples/shell/my_algo.sh")
    made = experiment(0.3, 0.3)
    made["arms"] = [{"name": "shell", "algorithm": {"command": f"sh {shlex.quote(shell)}"}}]
    own = os.path.join(folder, "shell.json")
    with open(own, "w") as file:
        json.dump(made, file)
    assert "an arm is not reproducible" not in run("decide", path, "P [ alarm ]", "--arm", "random", "--most", "5", code=None).stderr
    done = run("decide", own, "P >= 0.99 [ always inside ]", "--most", "5", code=None)
    assert "shell.json: an arm is not reproducible: of what it starts nobody knows what it is" in done.stderr, done.stderr


def pumps():
    """Four pumps, each with a load of 2 or 5 as it is dry or wet: 12 are exceeded in each wet case, and no trigger
    watches that; 3 wet cases on end are those in which an alarm is due."""
    return {
        "corridor_experiment": 1, "name": "pumps", "seed": "0x21", "suites": 150, "sequences": 1, "cases": 5,
        "model": {
            "corridor_model": 1, "agents": 4, "structure": {"size_min": 1, "size_max": 4}, "groups": {"count": 1},
            "environments": {"sky": {"scope": "all", "profile": {
                "states": ["dry", "wet"], "transitions": {s: {"dry": 0.5, "wet": 0.5} for s in ("dry", "wet")}, "start": "dry"}}},
            "attributes": {"load": {"integer": [0, 9]}},
            "types": {"pump": {"environment": "sky", "states": {"idle": 0.5, "busy": 0.5}, "influence": {"dry": "idle", "wet": "busy"},
                               "attributes": {"load": {"level": {"idle": 2, "busy": 5}}}}},
            "invariant": {"threshold": 1.0}},
        "corridor": ["structure partitioning", "attribute load: integer 0 .. 9",
                     "invariant low: sum(a in agents: a.load) <= 12", "trigger low for 3", "temporal kept: always inside"],
        "arms": [{"name": name, "algorithm": "random"} for name in "ABC"]}


def test_inside(folder):
    """An invariant that is violated without an alarm, and before the N-th of "trigger X for N", is not inside. Cases
    are wet with 1/2 each: every probability is so many words of 5 in 32, in each sequence as the walk says."""
    path, file = os.path.join(folder, "pumps.json"), os.path.join(folder, "pumps.h5")
    with open(path, "w") as out:
        json.dump(pumps(), out)
    run("run", path, "-o", file, "--progress", "none", code=None)
    words = list(itertools.product((0, 1), repeat=5))
    due = lambda word: [all(word[i - 2:i + 1]) and i >= 2 for i in range(5)]
    laws = {"always inside": lambda word: not any(word),
            "eventually (not inside and not alarm)": lambda word: any(w and not d for w, d in zip(word, due(word))),
            "eventually alarm": lambda word: any(due(word))}
    states = {}
    walks = json.loads(run("decide", file, "P [ always inside ]", "--width", "0.001", "--json", code=None).stdout)
    for row in csv.DictReader(run("export", file, "--table", "constraints").stdout.splitlines()):
        if row["box"] == "detect":
            states[row["arm"], int(row["suite"]), int(row["case"])] = 1
    drawn = [tuple(states.get((arm, suite, case), 0) for case in range(1, 6)) for arm in "ABC" for suite in range(150)]
    assert len({*drawn}) > 25, drawn
    for number, (formula, law) in enumerate(laws.items()):
        exact = sum(map(law, words)) / 32
        for row, arm in zip(decide(file, f"P [ {formula} ]", "--width", "0.001"), "ABC"):
            mine = drawn["ABC".index(arm) * 150:][:150]
            assert row["arm"] == arm and round(row["value"] * 150, 6) == sum(map(law, mine)), (formula, row)
            assert abs(row["value"] - exact) < 4.5 * (exact * (1 - exact) / 150) ** 0.5, (formula, row, exact)
        for method in ("plain", "splitting") if FULL else ("plain", "splitting")[number % 2:][:1]:
            done = run("estimate", path, "--arm", "B", "--property", f"P [ {formula} ]", "--method", method, "--budget", "20000" if FULL else "8000", "--json")
            row = json.loads(done.stdout)["sheets"]["probabilities"]["rows"][0]
            assert row["low"] - 0.01 <= exact <= row["high"] + 0.01, (formula, method, row, exact)
    assert walks["decisions"][0]["value"] == decide(file, "P [ always not failed ]", "--width", "0.001")[0]["value"]
    # Smaller, and asked again.
    small = os.path.join(folder, "small_pumps.json")
    row = decide(path, "P >= 0.9 [ always inside ]", "--arm", "B", code=1)
    run("shrink", file, "--failure", row["counterexample"], "--property", "P [ always inside ]", "-o", small)
    with open(small) as test:
        assert len(json.load(test)["walk"]) <= 5
    assert "inside does not hold in case" in run("replay", small, code=None).stdout


def test_arm(folder):
    """With --arm the sequences are those of the whole experiment, and of corridor run: of any arm, and of two."""
    path = os.path.join(folder, "pumps.json")
    cases = {}
    for name, options in (("all", ()), ("C", ("--arm", "C")), ("CA", ("--arm", "C", "--minus", "A"))):
        file = os.path.join(folder, f"arm_{name}.h5")
        question = "E [ sum alarm ]" if "minus" in str(options) else "P >= 0.4 [ eventually inside ]"
        run("decide", path, question, *options, *(("--width", "0.2") if "minus" in str(options) else ()), "-o", file, code=None)
        rows = csv.DictReader(run("export", file, "--table", "cases").stdout.splitlines())
        cases[name] = {(row["arm"], row["suite"], row["case"]): (row["alarm"], row["dissimilarity"], row["black"]) for row in rows}
    rows = csv.DictReader(run("export", os.path.join(folder, "pumps.h5"), "--table", "cases").stdout.splitlines())
    cases["run"] = {(row["arm"], row["suite"], row["case"]): (row["alarm"], row["dissimilarity"], row["black"]) for row in rows}
    assert {key[0] for key in cases["C"]} == {"C"} and {key[0] for key in cases["CA"]} == {"A", "C"}
    for name in ("all", "C", "CA"):
        both = cases[name].keys() & cases["run"].keys()
        assert len(both) >= 50, (name, len(both))
        assert all(cases[name][key] == cases["run"][key] for key in both), name


# In full: what is right of failures is so of alarms (test_exact) and of estimates (test_estimation.py), and a killed campaign goes on in
# test_ended_arms, too.
IN_FULL = [test_killed, test_three_ways] if FULL else []

with tempfile.TemporaryDirectory() as scratch:
    for test in (test_exact, test_amounts, test_mostly_0, test_same, test_counterexample, test_stopped, test_steady, test_given, test_ended_arms,
                 test_curves, test_inside, test_arm, test_messages, *IN_FULL):
        test(scratch)
