#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A benchmark of bugs (docs/evidence/bugs.md): every bug of bugs.json is looked for by each generator of its layer, with as many seeds, on the same budget of
cases. Prints a row for each bug and generator, then the generators side by side; FOLDER/../bugs.json holds the same. Entries of others are scored by the same
rows: what counts is a failure that is executed again here. Exit code 0 if all that was to be looked at could be, and every entry is as it should be; 1 if a
known shortest failure does not fail any more, or an entry does not hold; 2 if it was called wrongly; 3 if a file is not as it should be; 5 if it was stopped,
with the rows so far in bugs.json; 7 if nothing of what was to be looked at is there.

usage: benchmark.py CORRIDOR FOLDER [--quick] [--seeds N] [--layer LAYER] [--bug NAME]... [--enter ENTRY.json]... [--prepare]
"""
import argparse
import collections
import json
import math
import os
import pathlib
import statistics
import sys

from bugs import GENERATORS, LAYERS, UNIT, ROOT, Judge, Subjects, Wrong, read_bugs, read_json

QUICK_SEEDS, QUICK_PART = 2, 10  # of a budget
SEEDS_MOST, NAME_MOST = 4096, 40
STOPPED, UNDECIDED = 5, 7  # as of corridor


def wilson(found, tries):
    """Interval of 95 % of a share."""
    z, share = 1.959963984540054, found / tries
    middle, half = share + z * z / (2 * tries), z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    return max(0.0, (middle - half) / (1 + z * z / tries)), min(1.0, (middle + half) / (1 + z * z / tries))


def median(hits):
    """Of cases to the first failure; None where half and more found nothing."""
    found = sorted(math.inf if cases is None else cases for cases in hits)
    middle = statistics.median_low(found)
    return None if middle == math.inf else middle


def holm(rows):
    """p of all pairs of the benchmark, corrected together."""
    most = 0.0
    for rank, row in enumerate(sorted(rows, key=lambda row: row["p"])):
        most = max(most, min(1.0, row["p"] * (len(rows) - rank)))
        row["p_holm"] = most


def score(subjects, bugs, path):
    """Rows of an entry as those of a generator; what does not hold is said, and counts as not found."""
    path, judge, by_name = pathlib.Path(path), Judge(subjects), {bug["bug"]: bug for bug in bugs}
    entry = read_json(path, "corridor_bug_entry")
    tool, results = entry.get("tool"), entry.get("results")
    if not isinstance(tool, str) or not 0 < len(tool) <= NAME_MOST or not tool.isprintable() or not isinstance(results, list) or not results:
        raise Wrong(f'{path}: needs "tool", a name of at most {NAME_MOST} characters that can be printed, and "results", a list that is not empty')
    if set(entry) != {"corridor_bug_entry", "tool", "results"}:
        raise Wrong(f'{path}: has the members "corridor_bug_entry", "tool" and "results", and no other')
    hits, sizes, wrong, seen = collections.defaultdict(dict), collections.defaultdict(list), [], set()
    for number, result in enumerate(results):
        place = f"{path}: /results/{number}"
        if not isinstance(result, dict) or set(result) - {"bug", "seed", "cases", "test"} or not {"bug", "seed", "cases"} <= set(result):
            raise Wrong(f'{place}: has the members "bug", "seed", "cases" and, if it was found, "test"')
        if not isinstance(result["bug"], str) or result["bug"] not in by_name:
            raise Wrong(f"{place}: no bug is called {result['bug']!r}")
        bug, seed, cases = by_name[result["bug"]], result["seed"], result["cases"]
        if any(type(value) is not int or value < least for value, least in ((seed, 0), (cases, 1))):
            raise Wrong(f"{place}: seed is a whole number from 0, cases one from 1")
        if not isinstance(result.get("test", "."), str) or not result.get("test", ".").isprintable() or not result.get("test", "."):
            raise Wrong(f'{place}: "test" is the name of a file')
        if (bug["bug"], seed) in seen:
            raise Wrong(f"{place}: seed {seed} of {bug['bug']} is there twice")
        seen.add((bug["bug"], seed))
        hits[bug["bug"]][seed] = None
        try:
            if cases > bug["budget"]:
                raise Wrong(f"{cases} cases are more than the budget of {bug['budget']}")
            if "test" not in result:
                continue
            if subjects.missing(bug):
                raise Wrong(f"cannot be executed again here: {subjects.missing(bug)} is missing")
            sizes[bug["bug"]].append(judge.size(bug, (path.parent / result["test"]).resolve()))
            hits[bug["bug"]][seed] = cases
        except Wrong as error:
            wrong.append(f"{place}: {error}")
    rows = [row_of(by_name[name], tool, [by_seed[seed] for seed in sorted(by_seed)], min(sizes[name], default=None)) for name, by_seed in hits.items()]
    return rows, wrong


def row_of(bug, generator, hits, size=None):
    found = sum(cases is not None for cases in hits)
    low, high = wilson(found, len(hits))
    return {"bug": bug["bug"], "layer": bug["layer"], "origin": bug["origin"], "generator": generator, "seeds": len(hits), "found": found,
            "low": round(low, 3), "high": round(high, 3), "median": median(hits), "smallest": size, "known": bug["shortest"]["size"]}


def counted(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


LAYOUT = "  {:<40} {:>5} {:>10} {:>8} {:>8}"


def shown(rows):
    """Each bug once, with the rows of it."""
    first = rows[0]
    lines = [f"{first['bug']}: shortest known {counted(first['known'], UNIT[first['layer']][:-1])}"]
    for row in rows:
        dash = ["-" if row[key] is None else row[key] for key in ("median", "smallest")]
        lines.append(LAYOUT.format(row["generator"], f"{row['found']}/{row['seeds']}", f"{row['low']:.2f}..{row['high']:.2f}", *dash))
    return "\n".join(lines)


def side_by_side(rows, pairs):
    """Of each layer and generator: the mean share of seeds that found a bug, in how many bugs every seed, none; sooner and later than random for sure."""
    holm(pairs)
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["layer"], row["generator"]].append(row)
    print("\nlayer        generator   bugs   share  every  none  sooner  later")
    for (layer, generator), group in groups.items():
        mine = [pair for pair in pairs if pair["layer"] == layer and pair["generator"] == generator and pair["p_holm"] < 0.05]
        sooner = sum(pair["random_sooner"] < 0.5 for pair in mine)
        share = sum(row["found"] / row["seeds"] for row in group) / len(group)
        compared = layer in ("interaction", "process") and any(pair["generator"] == generator for pair in pairs)
        print(f"{layer:<12} {generator:<10} {len(group):>5}  {share:>6.2f}  {sum(row['found'] == row['seeds'] for row in group):>5}  "
              f"{sum(row['found'] == 0 for row in group):>4}  {sooner if compared else '-':>6}  {len(mine) - sooner if compared else '-':>5}")
    print("  share: mean share of seeds that found a bug; every, none: bugs found by\n"
          "  every seed, by none; sooner, later: bugs in which it can be told from random")


def check_shortest(subjects, bugs):
    """Executes the known shortest failures again; what is wrong with them."""
    wrong = []
    for bug in bugs:
        if "test" in bug["shortest"] and not subjects.missing(bug):
            try:
                size = Judge(subjects).size(bug, ROOT / bug["shortest"]["test"])
                if size != bug["shortest"]["size"]:
                    raise Wrong(f"{bug['bug']}: the known shortest failure has {size} {UNIT[bug['layer']]}, not {bug['shortest']['size']}")
            except Wrong as error:
                wrong.append(str(error))
    return wrong


HEAD = LAYOUT.format("", "found", "95 %", "median", "smallest")


def look_for(subjects, bugs, seeds, part, shrinks):
    """Rows and pairs of all own generators, and how many bugs were looked for: all, if nobody stops it."""
    layers = {name: kind(subjects, seeds, part) for name, kind in LAYERS.items()}
    rows, pairs = [], []
    print(HEAD)
    for number, bug in enumerate(bugs):
        layer = layers[bug["layer"]]
        try:
            hits = layer.look(bug)
            size = layer.shortest(bug, hits) if shrinks else None
        except KeyboardInterrupt:
            return rows, pairs, number
        best = min(hits, key=lambda generator: (-sum(cases is not None for cases in hits[generator]), median(hits[generator]) or math.inf))
        mine = [row_of(bug, generator, found, size if generator == best else None) for generator, found in hits.items()]
        print(shown(mine), flush=True)
        rows += mine
        if hasattr(layer, "pairs"):
            pairs += [{"bug": bug["bug"], "layer": bug["layer"], "generator": generator, "p": p, "random_sooner": sooner} for generator, p, sooner in layer.pairs()]
    return rows, pairs, len(bugs)


def whole_seeds(word):
    if not word.isdecimal() or not 1 <= int(word) <= SEEDS_MOST:
        raise argparse.ArgumentTypeError(f'takes a whole number from 1 to {SEEDS_MOST}, not "{word}"')
    return int(word)


def asked_for():
    """What the command line says, and the bugs that it chooses."""
    parser = argparse.ArgumentParser(description="A benchmark of bugs: docs/evidence/bugs.md")
    parser.add_argument("corridor", type=pathlib.Path, help="the program")
    parser.add_argument("folder", type=pathlib.Path, help="for experiments, results and tests")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_SEEDS} seeds and a {QUICK_PART}th of each budget; nothing is shrunk")
    parser.add_argument("--seeds", type=whole_seeds, help="look for each bug with so many seeds (20)")
    parser.add_argument("--layer", choices=GENERATORS, help="only bugs of this layer")
    parser.add_argument("--bug", action="append", default=[], help="only this bug; several times")
    parser.add_argument("--enter", action="append", default=[], metavar="ENTRY.json", help="score this entry, and look for nothing")
    parser.add_argument("--prepare", action="store_true", help="only write the experiments of all bugs into FOLDER/subjects")
    asked = parser.parse_args()
    if not os.access(asked.corridor, os.X_OK):
        parser.error(f"{asked.corridor} is no program; make build/release/corridor first")
    bugs = read_bugs()
    unknown = sorted(set(asked.bug) - {bug["bug"] for bug in bugs if not asked.layer or bug["layer"] == asked.layer})
    if unknown:
        parser.error(f"no bug{' of the layer ' + asked.layer if asked.layer else ''} is called {', '.join(unknown)}")
    return asked, [bug for bug in bugs if (not asked.layer or bug["layer"] == asked.layer) and (not asked.bug or bug["bug"] in asked.bug)]


def enter(subjects, bugs, entries):
    """Rows of entries, and what does not hold."""
    rows, wrong = [], []
    print(HEAD)
    for entry in entries:
        scored, complaints = score(subjects, bugs, entry)
        rows, wrong = rows + scored, wrong + complaints
        for row in scored:
            print(shown([row]))
    return rows, wrong


def main():
    asked, bugs = asked_for()
    subjects = Subjects(asked.corridor.resolve(), asked.folder.absolute())
    subjects.folder.mkdir(parents=True, exist_ok=True)
    rows, wrong = enter(subjects, bugs, asked.enter) if asked.enter else ([], [])
    of = [bug for bug in bugs if not asked.enter or any(row["bug"] == bug["bug"] for row in rows)]
    missing = {bug["bug"]: what for bug, what in ((bug, subjects.missing(bug)) for bug in of) if what}
    there, stopped = [bug for bug in of if bug["bug"] not in missing], None
    if asked.prepare:
        for bug in there:
            print(f"{bug['bug']:<34} {os.path.relpath(subjects.experiment(bug))}  {bug['arm']}")
        return 0 if there else UNDECIDED
    if not asked.enter:
        wrong = check_shortest(subjects, there)
        rows, pairs, looked = look_for(subjects, there, asked.seeds or (QUICK_SEEDS if asked.quick else 20), QUICK_PART if asked.quick else 1, not asked.quick)
        side_by_side(rows, pairs)
        stopped = {"stopped_after": looked} if looked < len(there) else None
        (subjects.folder.parent / "bugs.json").write_text(json.dumps({"rows": rows, "pairs": pairs, **(stopped or {})}, indent=1) + "\n")
    for bug, what in missing.items():
        print(f"missing: {bug} needs {what}")
    for complaint in wrong:
        print(f"benchmark.py: {complaint}", file=sys.stderr)
    kind = "entered" if asked.enter else "known"
    print(f"\n{counted(len({row['bug'] for row in rows}), 'bug')}, {len({row['bug'] for row in rows if row['found']})} found, {len(missing)} missing; "
          f"{counted(len(wrong), kind + ' failure')} {'does' if len(wrong) == 1 else 'do'} not hold")
    if stopped:
        print(f"benchmark.py: stopped: {stopped['stopped_after']} of {counted(len(there), 'bug')} looked for; their rows are kept", file=sys.stderr)
    return STOPPED if stopped else 1 if wrong else 0 if rows else UNDECIDED


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as error:
        print(f"benchmark.py: {error}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        print("benchmark.py: stopped", file=sys.stderr)
        sys.exit(STOPPED)
