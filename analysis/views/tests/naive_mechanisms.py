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
    path, result = os.path.join(folder, "e.json"), os.path.join(folder, "e.h5")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"corridor_experiment": 1, "name": "m", "seed": "0x5", "mode": "paired", "suites": 9, "sequences": 4,
                   "cases": [10, 40], "model": MODEL, "mocks": {"chain": CHAIN}, "arms": list(arms())}, out)
    subprocess.run([CORRIDOR, "run", path, "-o", result, "--progress", "none", "--jobs", "1"], check=True,
                   stdout=subprocess.DEVNULL)

    def table(name):
        text = subprocess.run([CORRIDOR, "export", result, "--table", name], check=True, capture_output=True,
                              text=True).stdout
        return list(csv.DictReader(io.StringIO(text)))

    shown = json.loads(subprocess.run([CORRIDOR, "show", result, "mechanisms", "--json"], check=True,
                                      capture_output=True, text=True).stdout)["sheets"]
    shown = {name: sheet["rows"] for name, sheet in shown.items()}
    cases, runs, rows = table("cases"), table("reorganizations"), table("mechanisms")
    inside = {(c["arm"], c["suite"], c["sequence"], int(c["case"])): c["inside"] for c in cases}
    seen, counted = defaultdict(bool), defaultdict(float)
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

    def suites_of(of):
        """How many have a failure seen isolated, and none of these integrated."""
        return sum(a > 0 for a, _ in of.values()), sum(a > 0 and a == b for a, b in of.values())

    assert [row["arm"] for row in shown["masking"]] == ["A", "B", "D", "all"], shown["masking"]
    masked, together = 0, defaultdict(lambda: [0, 0])  # of both arms, by suite: seen isolated, masked
    for row in shown["masking"][:2]:
        name = row["arm"]
        bare, integrated, isolated = (verdicts(name + form) for form in ("", " integrated", " isolated"))
        for key, of in (("bare_pct", bare), ("integrated_pct", integrated), ("isolated_pct", isolated)):
            near(row[key], share(sum(of.values()), len(of)), (name, key))
        assert row["pairs"] == 36 and row["both"] == sum(isolated[k] and integrated[k] for k in isolated)
        assert row["masked"] == sum(isolated[k] and not integrated[k] for k in isolated)
        assert row["revealed"] == sum(integrated[k] and not isolated[k] for k in isolated)
        near(row["masked_pct"], share(row["masked"], sum(isolated.values())), (name, "masked"))
        near(row["masked_bare_pct"], share(sum(bare[k] and not integrated[k] for k in bare), sum(bare.values())), name)
        masked += row["masked"]
        alone = defaultdict(lambda: [0, 0])
        for (suite, sequence), is_seen in isolated.items():
            for of in (alone, together):
                of[suite][0] += is_seen
                of[suite][1] += is_seen and not integrated[suite, sequence]
        assert (row["suites"], row["suites_masked"]) == suites_of(alone), (row, alone)
        assert row["both"] > 0, row
    assert masked > 0 and shown["masking"][2]["pairs"] == 0
    row = shown["masking"][3]
    assert (row["masked"], row["pairs"]) == (masked, 72) and (row["suites"], row["suites_masked"]) == suites_of(together), row
    near(row["masked_pct"], share(masked, sum(a for a, _ in together.values())), "all")
    near(row["bare_pct"], share(sum(sum(verdicts(name).values()) for name in "AB"), 72), "all")
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
    plain = os.path.join(folder, "p.h5")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"corridor_experiment": 1, "name": "m", "seed": "0x5", "suites": 1, "sequences": 1, "cases": 5,
                   "model": MODEL, "arms": [{"name": "C", "algorithm": "random"}]}, out)
    subprocess.run([CORRIDOR, "run", path, "-o", plain, "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([CORRIDOR, "show", plain, "mechanisms"], capture_output=True, text=True)
    assert done.returncode == 3 and "no mechanism works in it" in done.stderr, done
    print("masked:", masked)
