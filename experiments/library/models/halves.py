#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""halves.py CORRIDOR RESULT.h5...: how far a campaign lies from the figures of paper 003.

Laws are fitted to the first half of the figures (agents, groups, sequences without failure, reorganizations a sequence with
their deviation); the second half (masked, seen by the black box, failures a sequence, depth of the first detection) is what
they are tested on. A distance is the mean of z^2 over arms and figures; 1 is as far as the errors of both sides would bring them.

z is (ours - theirs) / error. The 70 suites of an arm, published or ours, are the observations: error of a mean sd / sqrt(suites),
relative and on the logarithm for failures and depths (depths: on as many suites as fail, and a deviation of at least .3 of the mean, since
suites that fail in the same case show none); of a deviation 1 / sqrt(2 suites) on the logarithm; of shares the binomial one, shares of
failures on as many suites as fail. Half a suite is added to both sides of a share. Left out: what the paper contradicts itself in
(SPADA-F3's failures, A5; PSOPP-F4's, A7) and the black box of SPADA, where nothing can be seen.
"""
import json
import math
import subprocess
import sys

PAPER_SUITES = 70
FIRST, SECOND = range(2)
# sequences without failure, %, as published: how many suites of theirs failed, whatever the lengths of ours
WITHOUT = {"PSOPP-F1": 79.97, "PSOPP-F2": 84.55, "PSOPP-F3": 91.42, "PSOPP-F4": 96.28, "PSOPP-F5": 97.86, "PSOPP-F5d": 70.22,
           "SPADA-F1": 97.13, "SPADA-F2": 84.22, "SPADA-F3": 85.69, "SPADA-F4": 90.13}


def share_z(ours, suites, theirs, their_suites):
    p = (ours / 100 * suites + .5) / (suites + 1)
    q = (theirs / 100 * their_suites + .5) / (their_suites + 1)
    return (p - q) / math.sqrt(p * (1 - p) / (suites + 1) + q * (1 - q) / (their_suites + 1))


def log_z(ours, error, theirs, their_error):
    return math.log(ours / theirs) / math.hypot(error, their_error)


def of_arm(arm, figure):
    """Yields half, name of the figure, z."""
    suites = figure["agents"]["ours"]["suites"]

    def both(name):
        row = figure[name]
        return row["ours"]["mean"], row["ours"].get("sd"), row["paper_mean"], row.get("paper_sd")

    for name in "agents", "agent_groups", "reorganizations_per_sequence":
        ours, sd, theirs, their_sd = both(name)
        if theirs is None:  # sequences of other lengths: what is left is the masked and what the black box sees
            continue
        yield FIRST, name, (ours - theirs) / math.hypot(sd / math.sqrt(suites), their_sd / math.sqrt(PAPER_SUITES))
    if theirs is not None:
        yield FIRST, "deviation of reorganizations", log_z(sd, math.sqrt(.5 / suites), their_sd, math.sqrt(.5 / PAPER_SUITES))
    ours, _, theirs, _ = both("test_sequences_without_failure_pct")
    if theirs is not None:
        yield FIRST, "test_sequences_without_failure_pct", share_z(ours, suites, theirs, PAPER_SUITES)
    failing, their_failing = max(1, suites * (1 - ours / 100)), PAPER_SUITES * (1 - WITHOUT[arm] / 100)

    ours, sd, theirs, their_sd = both("depth_first_detected")
    if ours is not None and theirs is not None:
        yield SECOND, "depth_first_detected", log_z(ours, max((sd or 0) / ours, .3) / math.sqrt(failing), theirs,
                                                    max(their_sd / theirs, .3) / math.sqrt(their_failing))
    if arm in ("SPADA-F3", "PSOPP-F4"):
        return
    for name in "undetected_failures_pct", "detected_failures_black_pct":
        ours, _, theirs, _ = both(name)
        if ours is not None and not (arm.startswith("SPADA") and "black" in name):
            yield SECOND, name, share_z(ours, failing, theirs, their_failing)
    ours, sd, theirs, their_sd = both("failures_per_sequence")
    if ours and theirs is not None:
        yield SECOND, "failures_per_sequence", log_z(ours, sd / ours / math.sqrt(suites), theirs, their_sd / theirs / math.sqrt(PAPER_SUITES))


def main():
    program, files = sys.argv[1], sys.argv[2:]
    for file in files:
        told = subprocess.run([program, "show", file, "tables", "--json"], capture_output=True, text=True, check=True).stdout
        arms = {}
        for row in json.loads(told)["sheets"]["figures"]["rows"]:
            arms.setdefault(row["arm"], {})[row["metric"]] = row
        seen = [(half, name, arm, z) for arm, figure in arms.items() for half, name, z in of_arm(arm, figure)]
        print(file)
        for half in FIRST, SECOND:
            squares = [z * z for where, _, _, z in seen if where == half]
            print(f"  {('fitted', 'tested')[half]}: {sum(squares) / len(squares):.2f} ({len(squares)} figures)")
            for name in dict.fromkeys(n for where, n, _, _ in seen if where == half):
                mine = [(arm, z) for where, n, arm, z in seen if (where, n) == (half, name)]
                mean = sum(z * z for _, z in mine) / len(mine)
                print(f"    {name:36}{mean:7.2f}   " + "  ".join(f"{arm} {z:+.1f}" for arm, z in mine))


if __name__ == "__main__":
    main()
