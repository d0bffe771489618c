#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""naive_mechanisms.py CORRIDOR: what `show mechanisms` says of a campaign in which arms are bare, integrated and
isolated, counted once more from the tables of the result file, in the plainest way."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict

CORRIDOR = sys.argv[1]
SKY = {"states": ["dark", "bright"],
       "transitions": {"dark": {"dark": 0.9, "bright": 0.1}, "bright": {"dark": 0.2, "bright": 0.8}}}
MODEL = {
    "corridor_model": 1, "agents": 24, "groups": {"count": 6}, "locations": "per_group", "mixed_groups": True,
    "inertia": [0.1, 0.3], "structure": {"size_min": 2, "size_max": 20, "count_min": 2, "count_max": 4},
    "environments": {"sky": {"profile": SKY}},
    "types": {"lamp": {"environment": "sky", "states": {"on": 0.9, "off": 0.1},
                       "influence": {"dark": "on", "bright": "off"}},
              "roof": {"environment": "sky", "states": {"low": 0.2, "high": 0.8},
                       "influence": {"dark": "low", "bright": "high"}}},
    "invariant": {"threshold": 0.1}}
CHAIN = {"states": ["down", "up"], "transitions": {"down": {"up": 0.5, "down": 0.5}, "up": {"down": 1}},
         "fit": {"states": {"down": {"mean": -0.0625}, "up": {"mean": 0.0625}}}}


def arms():
    """Two arms of one description, in their three forms, those of a form together; another, bare alone; one that is
    integrated alone."""
    lost = {"algorithm": "random", "result": {"fault": "agent_dropped", "probability": 0.1}}
    moved = {"algorithm": "random", "result": {"fault": "agent_duplicated", "probability": 0.1}}
    forms = {"": {}, " integrated": {"mechanisms": ["balance"]},
             " isolated": {"mechanisms": [{"mechanism": "balance", "mock": "chain"}]}}
    for form, mechanisms in forms.items():
        for name in ("A", "B"):
            yield {"name": name + form, **lost, **mechanisms, **({"activation_delay": 2} if name == "B" else {})}
    yield {"name": "C", **moved}
    yield {"name": "D", "algorithm": "random", "mechanisms": ["balance"]}


def share(part, whole):
    return 100 * part / whole if whole else None


with tempfile.TemporaryDirectory() as folder:
    def run(seed, suites=9, **other):
        path, result = os.path.join(folder, seed + ".json"), os.path.join(folder, "%s_%d.h5" % (seed, suites + len(other)))
        with open(path, "w", encoding="utf-8") as out:
            json.dump({"corridor_experiment": 1, "name": "m", "seed": seed, "mode": "paired", "suites": suites, "sequences": 4,
                       "cases": [10, 40], "model": MODEL, "mocks": {"chain": CHAIN}, "arms": list(arms()), **other}, out)
        subprocess.run([CORRIDOR, "run", path, "-o", result, "--progress", "none", "--jobs", "1"], check=True,
                       stdout=subprocess.DEVNULL)
        return result

    # Files of one experiment with three seeds, one of them with fewer suites, are joined.
    files = [run("0x5"), run("0x6", 4), run("0x1a")]

    def table(name):
        """Rows of all files, suites told apart by them."""
        for number, result in enumerate(files):
            text = subprocess.run([CORRIDOR, "export", result, "--table", name], check=True, capture_output=True, text=True).stdout
            yield from ({**row, "suite": (number, row["suite"])} for row in csv.DictReader(io.StringIO(text)))

    def show(*files):
        done = subprocess.run([CORRIDOR, "show", files[0], "mechanisms", *files[1:], "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done
        return {name: sheet["rows"] for name, sheet in json.loads(done.stdout)["sheets"].items()}

    shown, alone_first = show(*files), show(files[0])
    cases, runs, rows = list(table("cases")), list(table("reorganizations")), list(table("mechanisms"))
    inside = {(c["arm"], c["suite"], c["sequence"], int(c["case"])): c["inside"] for c in cases}
    seen, asked, struck, counted = defaultdict(bool), set(), set(), defaultdict(float)
    for row in table("sequences"):
        seen[row["arm"], row["suite"], row["sequence"]] = False
        counted[row["arm"], "sequences"] += 1
    for c in cases:
        counted[c["arm"], "cases"] += 1
        counted[c["arm"], "alarm"] += c["alarm"] == "1"
        counted[c["arm"], "outside"] += c["inside"] == "outside"
    for r in runs:
        counted[r["arm"], "reorganizations"] += 1
        counted[r["arm"], "units"] += int(r["spent"])
        asked.add((r["arm"], r["suite"], r["sequence"]))
        if int(r["fault_activated"]) > 0:
            struck.add((r["arm"], r["suite"], r["sequence"]))
        if "failed" in (r["gray"], r["black"]):
            counted[r["arm"], "failed"] += 1
            seen[r["arm"], r["suite"], r["sequence"]] = True
            after = inside.get((r["arm"], r["suite"], r["sequence"], int(r["case"]) + 1))
            counted[r["arm"], "went on"] += after is not None
            counted[r["arm"], "unnoticed"] += after == "inside"
    for row in rows:
        counted[row["arm"], "moved"] += float(row["moved"])

    def verdicts(arm):
        return {key[1:]: value for key, value in seen.items() if key[0] == arm}

    def near(estimate, expected, what):
        mean = estimate and estimate["mean"]
        assert (mean is None) == (expected is None), (what, mean, expected)
        assert mean is None or abs(mean - expected) < 1e-9 * max(1, abs(expected)), (what, mean, expected)

    def expected(names, suites):
        """Of these arms: each walk once. It is masked if no arm that fails on it isolated fails on it integrated."""
        of = {name: [verdicts(name + form) for form in ("", " integrated", " isolated")] for name in names}
        walks = [walk for walk in of[names[0]][2] if walk[0] in suites]
        row, by_suite = defaultdict(int), defaultdict(lambda: [0, 0])
        for walk in walks:
            failing = [name for name in names if of[name][2][walk]]
            masked = failing and not any(of[name][1][walk] for name in failing)
            row["pairs"] += 1
            row["isolated"] += bool(failing)
            row["integrated"] += any(of[name][1][walk] for name in names)
            row["bare"] += any(of[name][0][walk] for name in names)
            row["both"] += any(of[name][1][walk] for name in failing)
            row["masked"] += bool(masked)
            row["revealed"] += not failing and any(of[name][1][walk] for name in names)
            if masked:
                is_asked, is_struck = (any((name + " integrated", *walk) in those for name in failing) for those in (asked, struck))
                row["masked_active" if is_struck else "masked_inactive" if is_asked else "masked_unasked"] += 1
            by_suite[walk[0]][0] += bool(failing)
            by_suite[walk[0]][1] += bool(masked)
        row["suites"] = sum(a > 0 for a, _ in by_suite.values())
        row["suites_masked"] = sum(a > 0 and a == b for a, b in by_suite.values())
        return row

    COUNTS = ("pairs", "both", "masked", "revealed", "suites", "suites_masked", "masked_unasked", "masked_inactive", "masked_active")

    def same(row, of, what, counts=COUNTS):
        for key in counts:
            assert row[key] == of[key], (what, key, row[key], of[key])
        near(row["masked_pct"], share(of["masked"], of["isolated"]), (what, "masked"))
        near(row["suites_masked_pct"], share(of["suites_masked"], of["suites"]), (what, "suites masked"))

    suites = {row["suite"] for row in table("suites")}
    assert len(suites) == 22
    assert [row["arm"] for row in shown["masking"]] == ["A", "B", "D", "any", "any, 0x005", "any, 0x006", "any, 0x01a"], shown["masking"]
    for row, names in zip(shown["masking"], (["A"], ["B"], None, ["A", "B"])):
        if not names:
            assert row["pairs"] == 0
            continue
        of = expected(names, suites)
        same(row, of, names)
        for form in ("isolated", "integrated", "bare"):
            near(row[form + "_pct"], share(of[form], of["pairs"]), (names, form))
        assert row["both"] > 0 and row["masked"] > 0 and row["masked_active"] + row["masked_inactive"] > 0, row
    masked = shown["masking"][3]["masked"]
    assert masked < shown["masking"][0]["masked"] + shown["masking"][1]["masked"]
    for number, row in enumerate(shown["masking"][4:]):
        same(row, expected(["A", "B"], {suite for suite in suites if suite[0] == number}), row["arm"])
    assert len(alone_first["masking"]) == 4
    first = alone_first["masking"][3]
    assert all(first[key] == shown["masking"][4][key] for key in COUNTS), (first, shown["masking"][4])

    def refused(sentence, *words, code=3):
        done = subprocess.run([CORRIDOR, "show", *words], capture_output=True, text=True)
        assert done.returncode == code and sentence in done.stderr, (words, done)
    refused(f"{files[0]}: has the seed of {files[0]}: its suites are the same, and would count twice\n", files[0], "mechanisms", files[0])
    twin = run("0x6", 5)
    refused(f"{twin}: has the seed of {files[1]}: its suites are", files[0], "mechanisms", files[1], twin)
    other = run("0x7", sequences=3)
    refused(f"{other}: is of another experiment than {files[0]}\n", files[0], "mechanisms", other)
    refused('join results of one experiment that differ in "seed" and "suites" alone', files[0], "mechanisms", other)
    refused(f'needs one result file, and at most one view of it; "{files[1]}" is a word too many', files[0], "tables", files[1], code=2)
    refused("nowhere.h5: cannot open: No such file or directory", files[0], "mechanisms", "nowhere.h5", code=4)
    # Two arms that fail alike are one observation, and said to be: the second is the first with another name.
    both = [dict(arm, name=arm["name"].replace("A", "T")) for arm in arms() if arm["name"].startswith("A")]
    said = subprocess.run([CORRIDOR, "show", run("0x9", arms=[*arms(), *both]), "mechanisms"], check=True, capture_output=True, text=True).stdout
    assert "A and T failed on the same walks in each form: they are one observation" in " ".join(said.split()), said
    assert len(shown["forms"]) == 7
    for row in shown["forms"]:
        arm = row["arm"] if row["form"] == "bare" or row["arm"] == "D" else row["arm"] + " " + row["form"]
        for key in ("sequences", "cases", "reorganizations", "units", "failed"):
            assert row[key] == counted[arm, key], (arm, key, row[key], counted[arm, key])
        near(row["failed_pct"], share(row["failed"], row["reorganizations"]), (arm, "failed"))
        near(row["alarm_pct"], share(counted[arm, "alarm"], counted[arm, "cases"]), (arm, "alarm"))
        near(row["outside_pct"], share(counted[arm, "outside"], counted[arm, "cases"]), (arm, "outside"))
        near(row["unnoticed_pct"], share(counted[arm, "unnoticed"], counted[arm, "went on"]), (arm, "unnoticed"))
        near(row["moved_per_case"], None if row["form"] == "bare" else counted[arm, "moved"] / counted[arm, "cases"],
             (arm, "moved"))
    path, plain = os.path.join(folder, "p.json"), os.path.join(folder, "p.h5")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"corridor_experiment": 1, "name": "m", "seed": "0x5", "suites": 1, "sequences": 1, "cases": 5,
                   "model": MODEL, "arms": [{"name": "C", "algorithm": "random"}]}, out)
    subprocess.run([CORRIDOR, "run", path, "-o", plain, "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([CORRIDOR, "show", plain, "mechanisms"], capture_output=True, text=True)
    assert done.returncode == 3 and "no mechanism works in it" in done.stderr, done
    print("masked:", masked)
