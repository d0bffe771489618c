#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted in objects, searches, zones and readers of histories, one at a time: the test has to find each.

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
    ("linear.c", "        if (stands_for(linear, cell, &other, added))\n            return COR_OK;", "        return COR_OK;"),
    ("linear.c", "            (linear->slots[pair[0]].number >= a->last || !can_show(linear, cell, a, b, pair[1])))\n            return false;",
     "            false)\n            return false;"),
    ("linear.c", "linear->slots[pair[0]].number >= a->last || !can_show(linear, cell, a, b, pair[1])", "linear->slots[pair[0]].number >= a->last"),
    ("linear.c", "    if (a->last < b->last)\n        return false;", "    ;"),
    ("linear.c", "        else if (!overwrites(slot->call.operation)) /* what does was called before b->last */\n            return false;", "        ;"),
    ("linear.c", "        set->entries[e - 1].is_gone = stands_for(linear, cell, added, &other);", "        set->entries[e - 1].is_gone = true;"),
    ("linear.c", "    if (at < a->counts[DONE])\n        return false;", "    ;"),
    ("linear.c", "        if (at == b->counts[USED] || b->of[USED][at + 1] < a->of[USED][u + 1])\n", "        if (0)\n"),
    ("linear.c", "(is_used ? a->of[USED][at + 1] : 0) < b->of[USED][u + 1]", "true"),
    ("linear.c", "overwrites(call->operation) ? cell->calls : kept.last", "cell->calls"),
    ("linear.c", "made->last = latest(linear, cell, kept->last);", "made->last = cell->calls;"),
    ("linear.c", "           (cell->mutators > 0 || open", "           (open"),
    ("linear.c", "    const bool could_hide = linear->slots[open].number < kept->last;", "    const bool could_hide = true;"),
    ("linear.c", "    const bool could_hide = linear->slots[open].number < kept->last;", "    const bool could_hide = false;"),
    ("linear.c", "        if (slot->number < kept->last && overwrites(", "        if (overwrites("),
    ("linear.c", "        if (used + later < cell->supply[k])\n            COR_TRY(leave(", "        if (used < cell->supply[k])\n            COR_TRY(leave("),
    ("linear.c", "        if (used + later < cell->supply[k])\n            COR_TRY(leave(", "        if (later < cell->supply[k])\n            COR_TRY(leave("),
    ("linear.c", "        COR_TRY(put_pair(&made->of[DONE], hidden, COR_CALL_NIL, error));", "        ;"),
    ("linear.c", "            COR_TRY(put_pair(&made->of[SEEN], cell->open[o], value, error));", "            ;"),
    ("linear.c", "        if (used < cell->supply[k])\n            COR_TRY(step", "        if (used < 1)\n            COR_TRY(step"),
    ("linear.c", "kind < kinds ? cell->supply[kind] + 1 : 1", "1"),
    ("linear.c", "linear->object == COR_OBJECT_LOCK ? call.process : 0", "0"),
    ("linear.c", "    if (!find_pair(&kept, DONE, open, &value))\n            COR_TRY(leave(", "    COR_TRY(leave("),
    ("linear.c", "        if (history__only_reads(linear->slots[cell->open[o]].call.operation))\n            COR_TRY(see(",
     "        if (0)\n            COR_TRY(see("),
    ("linear.c", "is_done ? kind : NONE", "NONE"),
    ("linear.c", "    if (!is_told)\n        return COR_OK;", "    return COR_OK;"),
    ("linear.c", "            return history__accepts(operation, value, returning->result)\n", "            return true\n"),
    ("linear.c", "    if (cell->word_count == 0)\n        cell->possible = COR_IMPOSSIBLE;", "    ;"),
    ("linear.c", "    if (cell->open_count == 0)\n        cell->steps = 0;", "    ;"),
    ("linear.c", "    cell->steps += 1 + words / 16;", "    cell->steps += words / 1600;"),
    ("linear.c", "        *are_unique = number == count && ", "        *are_unique = "),
    ("zones.c", "    zones->is_impossible = !zone->is_written;", "    ;"),
    ("zones.c", "    zone->first_end = is_first ? now : zone->first_end;", "    zone->first_end = now;"),
    ("zones.c", "called > zone->last_call ? called : zone->last_call;", "zone->last_call;"),
    ("zones.c", "other->first_end < zone->last_call &&\n                               zone->first_end < other->last_call;", "other->first_end < zone->last_call;"),
    ("zones.c", "(zone->last_call == last ? second : last)", "last"),
    ("zones.c", "    zones->is_impossible = zones->is_impossible || zones->of[index].first_end != NEVER;", "    ;"),
    ("zones.c", "    zones->is_given_up = zones->is_given_up || zones->of[index].is_written;", "    ;"),
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
        for source in ("linear.c", "search.c", "zones.c"):
            copy = mutant.parent / source
            copy.write_text((room / source).read_text())
            sources.append(copy)
    subprocess.run([compiler, "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-fPIC", "-O1", f"-I{mutant.parent}", f"-I{room}", *includes, *sources,
                    *sys.argv[5:], "-o", program], check=True)
    for source in sources:
        source.unlink()


plant(room, [("history", *bug) for bug in BUGS], every, build, lambda test: [histories])
