#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""forged.py CORRIDOR SOURCE RESEAL [COUNT [SEED [READERS]]]: one thing in a result file is another, and its fingerprint and seal are put right: values of a
column, a vector or a catalog, an attribute, a number or a letter in its texts, how long a column is. Files of every layer in turn; the
same seed forges the same. Commands that read results - all, or so many, drawn for each file - either refuse it - exit code 3, the file in the message, nothing shown - or
come to their end with a document whose numbers are numbers, shares within 0 and 100. None dies, takes more than SECONDS, or more memory
than MEGABYTES."""
import collections
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

import campaign

CORRIDOR, SOURCE, RESEAL = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
COUNT, SEED, AT_ONCE = (int(word) for word in (sys.argv[4:7] + ["100", "1", "99"][len(sys.argv[4:7]):]))
SECONDS, MEGABYTES = 10, 1024
PATIENCE = 120  # until a command is said to hang: the machine may be loaded
LIBRARY = SOURCE / "experiments/library"

SPADA = {"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 20], "budget": 100}}
PSOPP = {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 20], "budget": 50, "t1": 1000}}
EXPERIMENT = {"corridor_experiment": 1, "name": "small", "seed": "0x7", "suites": 2, "sequences": 2, "cases": [10, 20],
              "model": str(LIBRARY / "models/paper.json"), "arms": [SPADA, PSOPP], "mode": "paired",
              "branching": {"continuations": 1, "back": [1], "cases": 5}, "contrasts": [{"name": "c", "between": ["S", "P"]}]}
ESTIMATE = {"corridor_experiment": 1, "name": "rare", "seed": "0x7", "suites": 12, "sequences": 1, "cases": [5, 9],
            "model": str(LIBRARY / "models/paper.json"), "arms": [SPADA]}
STORM = {"delay": [1, 200], "lose": 0.1, "crash": 0.5, "down": [100, 900]}
SCHEDULES = {"process": {"program": "two_phase"}, "seed": 7, "suites": 2, "sequences": 8, "cases": 6, "log": "events", "environment": {"states": {"storm": STORM}},
             "corridor": ["structure observed", "attribute voted: integer", "attribute stored: integer", "channel outcome",
                          "invariant agreed: agree(outcome)", "invariant stored_first: all(a in agents: a.stored >= a.voted)"],
             "arms": {"sound": {}, "early": {"fault": "early_vote"}}}

OFTEN = (("show", "F"), ("show", "F", "--json"), ("show", "F", "--hash"), ("show", "F", "--all"), ("export", "F"), ("export", "F", "--all", "tables", "--force"),
         ("report", "F", "-o", "page.html", "--force"), ("verify", "F"))
VERDICTS = (("export", "F", "--format", "junit"), ("export", "F", "--format", "tap"))
READERS = {
    "suites": (*OFTEN, *VERDICTS, ("show", "F", "tables", "--json"), ("show", "F", "survival", "--json"), ("show", "F", "performance", "--json"), ("show", "F", "traps", "--json"),
               ("coverage", "F", "--json"), ("failures", "F", "--json"), ("tree", "F", "--arm", "P", "--json"), ("compare", "F", "--json"),
               ("compare", "F", "G", "--json"), ("compare", "G", "F", "--json"), ("replay", "F", "--failure", "S/0/0", "--json"), ("replay", "F", "--failure", "P/1", "--json"),
               ("replay", "F", "--failure", "S/0/0", "--trace")),
    "units": (*OFTEN, *VERDICTS, ("show", "F", "findings", "--json"), ("replay", "F", "--failure", "KEY/3", "--json")),
    "tests": (*OFTEN, *VERDICTS, ("show", "F", "tests", "--json"), ("replay", "F", "--failure", "KEY/1", "--json")),
    "search": (*OFTEN, ("show", "F", "searches", "--json"), ("show", "F", "searches", "--regions"), ("show", "F", "searches", "--test", "TEST"), ("replay", "F", "--failure", "KEY/0", "--json")),
    "estimation": (*OFTEN, ("show", "F", "estimate", "--json"), ("replay", "F", "--failure", "KEY/3", "--json")),
    "schedules": (*OFTEN, *VERDICTS, ("show", "F", "processes", "--json"), ("show", "F", "processes", "--sheet", "schedule"), ("failures", "F", "--json"),
                  ("replay", "F", "--failure", "KEY/1", "--json")),
}


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


def make(folder):
    """A file of each layer."""
    (folder / "suites.json").write_text(json.dumps(EXPERIMENT))
    (folder / "rare.json").write_text(json.dumps(ESTIMATE))
    (folder / "schedules.json").write_text(json.dumps(SCHEDULES))
    for code, words in ((0, ("run", "suites.json", "-o", "suites.h5", "--progress", "none")),
                        (0, ("agent", "test", LIBRARY / "agents/stock_manager.json", "--faults", LIBRARY / "agents/stock_manager_faults.json", "-o", "units.h5")),
                        (1, ("efsm", "test", LIBRARY / "efsm/inres_initiator.json", "--goal", "t8", "--runs", "2", "--mutant", "t7.missing", "-o", "tests.h5")),
                        (0, ("search", LIBRARY / "demo.json", "--arm", "PSOPP-F1", "--generator", "directed,coverage", "--islands", "1", "--budget", "400", "-o", "search.h5")),
                        (0, ("run", "schedules.json", "-o", "schedules.h5", "--progress", "none")),
                        (0, ("estimate", "rare.json", "--method", "plain", "-o", "estimation.h5"))):
        done = subprocess.run([CORRIDOR, *words], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != code:
            sys.exit(f"{words}: {done.returncode} {done.stdout}{done.stderr}")
    keys = {}
    for layer in READERS:
        with h5py.File(folder / f"{layer}.h5") as file:
            names = [name.decode() for name in file["catalog/arm/name"]]
            keys[layer] = names[-1]
    return keys


def values(dice, old):
    """What a number may become: an edge of its type, a neighbour, any."""
    kind = old.dtype
    if kind.kind == "f":
        with numpy.errstate(over="ignore"):
            return kind.type(dice.choice((0, -1, 1, math.nan, math.inf, -math.inf, 1e300, -1e300, 5e-324, float(old) + 1, -float(old), float(old) / 2, 1e9)))  # what is beyond the type becomes infinite
    most = int(numpy.iinfo(kind).max)
    value = dice.choice((0, 1, 2, most, most - 1, most // 2, int(old) + 1, int(old) - 1, int(old) * 2, dice.randrange(most + 1), dice.randrange(1000)))
    return kind.type(value % (most + 1))


def forge_items(dice, item):
    """Some items of a list: one, several, all, or two that change places."""
    count, content = len(item), item[()]
    if count == 0:
        return "nothing"
    way, place = dice.randrange(5), dice.choice((0, count - 1, dice.randrange(count)))
    if way < 3:
        content[place] = values(dice, content[place])
        said = f"[{place}] = {content[place]}"
    elif way == 3:
        content[...] = values(dice, content[place])
        said = f"[all] = {content[place]}"
    else:
        other = dice.randrange(count)
        content[[place, other]] = content[[other, place]]
        said = f"[{place}] and [{other}] change places"
    item[...] = content
    return said


def forge_length(dice, group):
    """Rows of a table are fewer, or the last one stands there twice."""
    drop = dice.random() < 0.5
    for name, column in list(group.items()):
        content, attributes = column[()], dict(column.attrs)
        content = content[:-1] if drop else numpy.append(content, content[-1:])
        del group[name]
        made = group.create_dataset(name, data=content, maxshape=(None,), chunks=(max(1, len(content)),))
        for key, value in attributes.items():
            made.attrs[key] = value
    return "a row fewer" if drop else "its last row twice"


def forge_text(dice, file, name):
    """A number, or a letter, of a text is another."""
    said = file[name][()].decode()
    numbers = list(re.finditer(r"\d+(\.\d+)?", said))
    if numbers and dice.random() < 0.8:
        place = dice.choice(numbers)
        new = dice.choice(("0", "1", "-1", "7", "255", "4294967295", "4294967296", "18446744073709551615", "1000000", "1e9", "1e308", "0.5"))
        changed = said[:place.start()] + new + said[place.end():]
        what = f"{said[max(0, place.start() - 30):place.end()]!r} becomes {new}"
    else:
        at = dice.randrange(len(said))
        changed = said[:at] + dice.choice('"{}[],:\\ aZ\x1b') + said[at + 1:]
        what = f"letter {at}"
    file[name][()] = changed
    return what


def forge(dice, file):
    """One thing is another; what, in words."""
    tables = [name for name in file if isinstance(file[name], h5py.Group) and name not in ("catalog", "vectors")]
    way = dice.random()
    if way < 0.75:
        table = dice.choice([name for name in tables if len(file[name]["arm"]) > 0])
        column = dice.choice(list(file[table]))
        return f"{table}/{column}{forge_items(dice, file[table][column])}"
    if way < 0.82:
        vector = dice.choice(list(file["vectors"]) or [None])
        return f"vectors/{vector}{forge_items(dice, file['vectors'][vector])}" if vector else "nothing"
    if way < 0.85:
        catalog = dice.choice(list(file["catalog"]))
        return f"catalog/{catalog}/code{forge_items(dice, file['catalog'][catalog]['code'])}"
    if way < 0.87:
        table = dice.choice([name for name in tables if len(file[name]["arm"]) > 0])
        return f"{table}: {forge_length(dice, file[table])}"
    if way < 0.9:
        name = dice.choice(("complete", "planned_suites"))
        old = file.attrs[name]
        file.attrs.modify(name, values(dice, old))
        return f"attribute {name} = {file.attrs[name]}"
    name = dice.choice(("experiment", "experiment", "experiment", "provenance"))
    return f"{name}: {forge_text(dice, file, name)}"


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


def judge(words, name, done):
    """What is wrong with how a command ended; None: nothing. And whether it was refused."""
    code, out, err, seconds, megabytes = done
    if code == "hang" or seconds > SECONDS:
        return f"{seconds:.1f} s", False
    if megabytes > MEGABYTES:
        return f"{megabytes:.0f} MB", False
    if re.search(r"Sanitizer|runtime error", err):
        return err[-1500:], False
    if code not in (0, 1, 3, 7):
        return f"exit code {code}: {err.strip()[:300]}", False
    if "\x1b" in out + err:
        return "a raw escape", False
    if code == 3:
        if not err.startswith("corridor: ") or name not in err:
            return f"refused without the file's name: {err.strip()[:300]}", True
        return ("shows something of it" if out and words[0] != "verify" else None), True
    if words[0] == "verify":
        return None, code == 1
    if "--json" in words:
        try:
            document = json.loads(out, parse_constant=refuse_constant)
        except ValueError as wrong:
            return f"its document is none: {wrong}", False
        for path, value in numbers(document):
            if re.search(r"percent|_share$|probability$", path) and not -1e-9 <= value <= 100 + 1e-6:
                return f"{path} is {value}", False
    return None, False


def main():
    dice, problems, ended, slowest, largest = random.Random(SEED), [], collections.Counter(), 0, 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-forged-"))
    try:
        keys = make(folder)
        right = {layer: {words: None for words in READERS[layer]} for layer in READERS}

        def call(layer, words, name):
            key = keys[layer]
            told = [{"F": name, "G": f"{layer}.h5", "TEST": f"{key}/0/1"}.get(word, word.replace("KEY", key)) for word in words]
            return run(told, folder)
        for layer in READERS:
            for words in READERS[layer]:
                done = call(layer, words, f"{layer}.h5")
                wrong, _ = judge(words, f"{layer}.h5", done)
                if wrong:
                    problems.append(f"{layer} as it is, {' '.join(words)}: {wrong}")
                right[layer][words] = done[:2]
        commands = 0
        for number in range(COUNT):
            layer = dice.choice(("suites", "suites", "units", "tests", "search", "estimation", "schedules"))
            shutil.copy(folder / f"{layer}.h5", folder / "F.h5")
            with h5py.File(folder / "F.h5", "r+") as file:
                what = forge(dice, file)
            subprocess.run([RESEAL, folder / "F.h5"], check=False, capture_output=True)  # fails where a file cannot even be opened
            # Refused by one it is refused by all (test_forged.py): then one more tells; what is read, all of them read.
            readers, refusals, same = list(READERS[layer]), 0, 0
            dice.shuffle(readers)
            for place, words in enumerate(readers):
                done = call(layer, words, "F.h5")
                commands += 1
                wrong, refused = judge(words, "F.h5", done)
                slowest, largest = max(slowest, done[3]), max(largest, done[4])
                if wrong:
                    problems.append(f"{number} {layer}: {what}, {' '.join(words)}: {wrong}")
                    print("torture problem:", problems[-1], flush=True) if os.isatty(2) or COUNT > 1000 else None
                refusals += refused
                same += done[0] == right[layer][words][0] and done[1].replace("F.h5", f"{layer}.h5") == right[layer][words][1]
                if (place == 1 and refusals == 2) or place + 1 == AT_ONCE:
                    break
            ended["refused" if refusals == 2 and place == 1 else "harmless, the same figures" if same == place + 1 else
                  "refused by some, read by others within its range" if refusals else "read, within its range"] += 1
        return campaign.report("forged columns", COUNT, problems,
                               f"{campaign.words(ended)}; {commands} commands, the slowest {slowest:.1f} s, the largest {largest:.0f} MB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
