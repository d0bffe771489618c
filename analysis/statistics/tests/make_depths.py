#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_depths.py build/demo.h5 > depths.csv: depths of first detections of three arms of experiments/library/demo.json.

A line a sequence: depth of the first detection in either box (event 1), else the number of executed cases (event 0)."""
import sys

import h5py
import numpy as np

FAILED, SMOKE = 2, 4
ARMS = ["SPADA-F1", "PSOPP-F4", "PSOPP-F5d"]

with h5py.File(sys.argv[1]) as file:
    names = dict(zip(file["catalog/arm/code"][:], file["catalog/arm/name"].asstr()[:]))
    runs = {column: file["reorganizations"][column][:] for column in ("arm", "suite", "sequence", "case", "gray", "black")}
    detected = np.isin(runs["gray"], (FAILED, SMOKE)) | np.isin(runs["black"], (FAILED, SMOKE))
    first = {}
    for arm, suite, sequence, case in zip(*(runs[c][detected] for c in ("arm", "suite", "sequence", "case"))):
        key = arm, suite, sequence
        first[key] = min(int(case), first.get(key, int(case)))
    print("arm,suite,depth,event")
    rows = file["sequences"]
    for arm, suite, sequence, executed in zip(*(rows[c][:] for c in ("arm", "suite", "sequence", "executed"))):
        if names[arm] in ARMS:
            key = arm, suite, sequence
            print(f"{ARMS.index(names[arm])},{suite},{first.get(key, executed)},{int(key in first)}")
