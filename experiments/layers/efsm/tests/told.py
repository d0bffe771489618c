#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Another program as a system under test that says more: with the answer to its N-th input "goals" as the script has them.

usage: told.py PROGRAM.py '{"N": WHAT, ..}'
"""
import json
import pathlib
import sys

SCRIPT, inputs = json.loads(sys.argv[2]), 0


def say(text, flush):
    global inputs
    answer = json.loads(text)
    if "out" in answer or "quiet" in answer:
        inputs += 1
        if str(inputs) in SCRIPT:
            answer["goals"] = SCRIPT[str(inputs)]
    print(json.dumps(answer), flush=flush)


exec(compile(pathlib.Path(sys.argv[1]).read_text(), sys.argv[1], "exec"), {"print": say, "__name__": "__main__"})
