#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted in objects, searches and readers of histories, one at a time: the test has to find each.

usage: planted_bugs.py COMPILER SOURCE_DIRECTORY EVERY HISTORIES OBJECT LINKED..

Every EVERY-th of the list is planted. The file with the bug stands before the library, so its functions are taken.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "sim" / "base" / "tests"))
from planting import plant  # noqa: E402

# (file, text that stands there once, what is planted)
BUGS = [
    ("linear.c", "    if (stands_for(&other, added))\n            return COR_OK;", "    return COR_OK;"),
    ("linear.c", "        if (at == a->counts[SEEN])\n            return false;", "        if (0)\n            return false;"),
    ("linear.c", "        if (at == b->counts[USED] || b->of[USED][at + 1] < a->of[USED][u + 1])\n", "        if (0)\n"),
    ("linear.c", "        if (used < cell->supply[k])\n", "        if (used < 1)\n"),
    ("linear.c", "kind < kinds ? cell->supply[kind] + 1 : 1", "1"),
    ("linear.c", "linear->object == COR_OBJECT_LOCK ? call.process : 0", "0"),
    ("linear.c", "        else if (is_so)\n            COR_TRY(leave(linear, &kept, open, NONE, error));\n    }\n    (void)close_call",
     "        else\n            COR_TRY(leave(linear, &kept, open, NONE, error));\n    }\n    (void)close_call"),
    ("linear.c", "    if (!find_pair(&kept, DONE, open, &value))\n            COR_TRY(leave(", "    COR_TRY(leave("),
    ("linear.c", "        if (history__only_reads(linear->slots[cell->open[o]].call.operation))\n            COR_TRY(see(",
     "        if (0)\n            COR_TRY(see("),
    ("linear.c", "    if (kind != NONE && find_pair(kept, DONE, open, &value))", "    if (0)"),
    ("linear.c", "    if (!is_told)\n        return COR_OK;", "    return COR_OK;"),
    ("linear.c", "is_done && history__accepts(operation, value, result)", "is_done"),
    ("linear.c", "    if (cell->word_count == 0)\n        cell->possible = COR_IMPOSSIBLE;", "    ;"),
    ("linear.c", "    if (cell->open_count == 0)\n        cell->steps = 0;", "    ;"),
    ("linear.c", "    cell->steps += 1 + words / 16;", "    cell->steps += words / 1600;"),
    ("calls.c", "*result = state[0] == item_of(items, 0) ? TRUE : FALSE;", "*result = TRUE;"),
    ("calls.c", "        if (state[0] == 0)\n            to[0] = call->process + 1;", "        to[0] = call->process + 1;"),
    ("calls.c", "*result = state[0] == call->process + 1 ? TRUE : FALSE;", "*result = state[0] != 0 ? TRUE : FALSE;"),
    ("calls.c", "*result = to[--next->count];", "*result = to[next->count - 1];"),
    ("calls.c", "        to[0] = COR_CALL_NIL;\n        break;", "        break;"),
    ("calls.c", "if (at == count || to[at] != call->argument) {", "if (true) {"),
    ("calls.c", "        if (state != COR_CALL_NIL)\n            print_bare(values, state, &text);\n", ""),
    ("calls.c", "        COR_TRY(sorted(&history->values, &result, error));", "        ;"),
    ("calls.h", "(operation == HISTORY__GET && in_state == COR_CALL_NIL && returned == HISTORY__NO_WORD)", "false"),
    ("search.c", "            swap_nodes(search);\n        else\n            l++;", "            l++;\n        else\n            l++;"),
    ("search.c", "(is_unknown && node->words[from->behind] < from->least)", "false"),
    ("search.c", "*is_taken = is_unknown ? !is_same : history__accepts(call->operation, result, call->result);", "*is_taken = !is_same || is_unknown || true;"),
    ("search.c", "            history->calls[search->lanes[l].calls[0]].ended < call->called)\n", "            false)\n"),
    ("read.c", "    if (doing->is_open) {\n", "    if (0) {\n"),
    ("read.c", "        if (strcmp(what, \"nemesis\") == 0)\n            return COR_OK;", ""),
    ("read.c", "    if (number < count) {\n", "    if (0) {\n"),
    ("read.c", "time < doing->time)", "time + 1000 < doing->time)"),
    ("read.c", "    if (strcmp(type, \"info\") == 0)\n        return COR_OK;", ""),
    ("read.c", "    if (key != COR_CALL_NIL && key != call->key)", "    if (0)"),
]

compiler, top, every, histories = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
room = top / "oracle" / "history"
includes = [f"-I{top / folder}/include" for folder in ("sim/base", "sim/json", "oracle/history")]


def build(test, mutant, program):
    sources = [mutant]
    if mutant.suffix == ".h":  # the sources that include it, beside the one with the bug
        sources = []
        for source in ("linear.c", "search.c"):
            copy = mutant.parent / source
            copy.write_text((room / source).read_text())
            sources.append(copy)
    subprocess.run([compiler, "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-fPIC", "-O1", f"-I{mutant.parent}", f"-I{room}", *includes, *sources,
                    *sys.argv[5:], "-o", program], check=True)
    for source in sources:
        source.unlink()


plant(room, [("history", *bug) for bug in BUGS], every, build, lambda test: [histories])
