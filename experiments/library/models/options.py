#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""options.py CORRIDOR FOLDER [VARIANT...]: which of our inventions moves which published column.

Runs arms of experiments/library/paper.json in small: 70 suites, one sequence of 50 to 200 cases each, with one option at a time,
and prints a row for each variant and arm: ours with its interval of 95 % over suites ("few": at most 6 suites differ). Files go
into FOLDER; what lies there already is not run again. --moves N: so many times the moves of PSOPP (10); --jobs N: workers (1).
Failures, where its sequences fail: a sequence with an activated fault has so many on average.
"""
import argparse
import copy
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# variant -> what differs: parameters of the preset, [start], [threshold], [delay], [model]
PSOPP = {
    "as it is": {},
    "an aim in each iteration (step 5)": {"aim_kept": 0},
    "ring": {"neighbourhood": 1, "particles": 4},
    "four particles": {"particles": 4},
    "exchange mixed": {"exchange_policy": 1},
    "exchange of up to 3": {"exchange_max": 3},
    "start by group": {"[start]": "by_group"},
    "t1 strict": {"t1_mode": 0},
    "laws of 0.1": {"[model]": "paper.json"},
}
SPADA = {
    "as it is": {},
    "graph kept": {"graph_kept": 1},
    "sizes up to 100": {"size_most": 100},
    "sizes up to 100, founding": {"size_most": 100, "founding": 1},
    "sizes 10 to 100, founding": {"size_least": 10, "size_most": 100, "founding": 1},
    "sizes 10 to 20, founding": {"size_least": 10, "size_most": 20, "founding": 1},
    "start by group": {"[start]": "by_group"},
    "start by group, delay 3": {"[start]": "by_group", "[delay]": 3},
    "start by group, sizes up to 100": {"[start]": "by_group", "size_most": 100},
    "start by group, sizes 10 to 100": {"[start]": "by_group", "size_least": 10, "size_most": 100},
    "start by group, sizes 10 to 20, founding": {"[start]": "by_group", "size_least": 10, "size_most": 20, "founding": 1},
    "start by group, graph kept": {"[start]": "by_group", "graph_kept": 1},
    "start by group, graph kept, sizes up to 100": {"[start]": "by_group", "graph_kept": 1, "size_most": 100},
}
COLUMNS = [("without failure", "test_sequences_without_failure_pct", 1), ("failures a sequence", "failures_per_sequence", 2),
           ("masked", "undetected_failures_pct", 0), ("gray", "detected_failures_gray_pct", 0),
           ("black", "detected_failures_black_pct", 0), ("gray alone", "sequences_detected_gray_only_pct", 0),
           ("depth", "depth_first_detected", 1), ("reorganize", "reorganizing_cases_pct", 1)]


def experiment(preset, options, moves):
    paper = json.loads((HERE.parent / "paper.json").read_text())
    model = json.loads((HERE / options.get("[model]", "fitted.json")).read_text())
    model["structure"]["start"] = options.get("[start]", "drawn")
    one = copy.deepcopy(paper["presets"][preset])
    one["activation_delay"] = options.get("[delay]", one["activation_delay"])
    if preset == "psopp":
        one["parameters"]["budget"] = [200 * moves, 1800 * moves]
    one["parameters"] |= {name: value for name, value in options.items() if name[0] != "["}
    return paper | {"suites": 70, "sequences": 1, "cases": [50, 200], "model": model, "presets": {preset: one},
                    "arms": [a for a in paper["arms"] if a["preset"] == preset]}


def cell(row, digits):
    ours = row["ours"]
    if ours["mean"] is None:
        return "–"
    text = f"{ours['mean']:.{digits}f}"
    if ours.get("interval") == "few_suites":
        return text + " (few)"
    return text if ours.get("low") is None else text + f" [{ours['low']:.{digits}f}, {ours['high']:.{digits}f}]"


def counts(told, arm):
    """failures, thereof seen in gray and black, and sequences with a failure"""
    row = next(r for r in told["reorganizations"]["rows"] if r["arm"] == arm)
    sequences = next(r for r in told["arms"]["rows"] if r["arm"] == arm)["sequences_activated"]
    return f"{row['activated']}: {row['activated_gray']}, {row['activated_black']} in {sequences}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corridor")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--moves", type=int, default=10)
    parser.add_argument("--jobs", default="1")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    print("| variant | arm | failures: gray, black in sequences |", " | ".join(name for name, _, _ in COLUMNS), "|")
    print("| --- | --- | --- |", " | ".join("---" for _ in COLUMNS), "|")
    for preset, variants in ("psopp", PSOPP), ("spada", SPADA):
        for number, (variant, options) in enumerate(variants.items()):
            if asked.variants and not {preset, f"{preset} {variant}"} & set(asked.variants):
                continue
            stem = asked.folder / f"{preset}-{number}-{asked.moves}"
            if not stem.with_suffix(".h5").exists():
                stem.with_suffix(".json").write_text(json.dumps(experiment(preset, options, asked.moves)))
                subprocess.run([asked.corridor, "run", stem.with_suffix(".json"), "-o", stem.with_suffix(".h5"), "--jobs", asked.jobs,
                                "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
            told = json.loads(subprocess.run([asked.corridor, "show", stem.with_suffix(".h5"), "tables", "--json"], check=True,
                                             capture_output=True, text=True).stdout)["sheets"]
            figures = {(r["arm"], r["metric"]): r for r in told["figures"]["rows"]}
            for arm in dict.fromkeys(arm for arm, _ in figures):
                print("|", variant, "|", arm, "|", counts(told, arm), "|",
                      " | ".join(cell(figures[arm, metric], digits) for _, metric, digits in COLUMNS), "|", flush=True)


if __name__ == "__main__":
    main()
