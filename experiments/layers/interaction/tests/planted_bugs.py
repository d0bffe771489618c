#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted in continuous execution, and in starts from any structure, one at a time: a test of it has to find each.

usage: planted_bugs.py NINJA BUILD_DIRECTORY SOURCE_DIRECTORY EVERY

Every EVERY-th of the list is planted. Commands are those by which ninja makes the tests; the file with the bug stands before the library,
so its functions are taken.
"""
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sim" / "base" / "tests"))
from planting import plant  # noqa: E402

TIME, TEXT, STARTS = "continuous", "continuous_text", "stabilize_structures"
FILE = "stabilize_structures.c"
# (test that finds it, file, text that stands there once, what is planted)
BUGS = [
    # the order of phases
    (TEXT, "continuous.c", "*tick == perceives ? PERCEIVE : *tick == t->look ? LOOK : GO_ON", "*tick == t->look ? LOOK : *tick == perceives ? PERCEIVE : GO_ON"),
    (TIME, "continuous.c", "*tick == t->look ? LOOK : GO_ON", "*tick == t->step ? GO_ON : LOOK"),
    # snapshots
    (TIME, "continuous.c", "t->now = over - 1;", "t->now = over;"),
    (TIME, "continuous.c", "COR_TRY(catch_up(r, true, error));", "COR_TRY(catch_up(r, false, error));"),
    (TIME, "continuous.c", "    COR_TRY(catch_up(r, true, error));\n", ""),
    # clocks
    (TIME, "continuous.c", "t->look += t->clocks->monitor_ticks", "t->look += t->clocks->case_ticks"),
    (TIME, "continuous.c", "t->beats[0].tick += t->period[agent];", "t->beats[0].tick += t->clocks->agent_least;"),
    (TIME, "continuous.c", "t->together += t->clocks->agent_least;", "t->together += t->clocks->case_ticks;"),
    # durations
    (TEXT, "continuous.c", "lasting(row->spent, t->clocks->unit_ticks)", "0"),
    (TEXT, "continuous.c", "lasting(r->outcome.messages, t->clocks->message_ticks)", "0"),
    (TIME, "continuous.c", "r->suite->arm->activation_delay * t->clocks->case_ticks", "r->suite->arm->activation_delay"),
    # adoption
    (TIME, "continuous.c", "interaction__moves_are_judged(r) ? next : t->ticks.moves", "interaction__moves_are_judged(r) ? next : 0"),
    (TEXT, "continuous.c", "interaction__moves_are_judged(r) ? next : t->ticks.moves", "interaction__moves_are_judged(r) ? 0 : t->ticks.moves"),
    (TEXT, "continuous.c", "are_judged && t->made + 1 < t->ticks.moves)", "are_judged && t->made < t->ticks.moves)"),
    (TEXT, "continuous.c", "        COR_TRY(interaction__end_moves(r, &t->asked, error));\n", "        (void)0;\n"),
    (TIME, "continuous.c", "    if (count == t->made)\n        return COR_OK;\n", "    return COR_OK;\n"),
    # what a text is asked of
    (TEXT, "continuous.c", "t->is_known = t->is_followed = t->is_asked = false;\n    if", "t->is_known = t->is_asked = false;\n    if"),
    (TEXT, "continuous.c", "t->is_known = t->is_followed = t->is_asked = false;\n    if", "t->is_known = t->is_followed = false;\n    if"),
    (TEXT, "continuous.c", "r->time->is_known = r->time->is_asked = false;", "r->time->is_known = false;"),
    (TEXT, "continuous.c", "        interaction__text_restructure(r);\n", "        (void)0;\n"),
    (TEXT, "continuous.c", "        follow(r);\n        struct cor_reorganization_row", "        struct cor_reorganization_row"),
    (TEXT, "continuous.c", "    follow(r);\n    COR_TRY(interaction__note_adoption", "    COR_TRY(interaction__note_adoption"),
    (TEXT, "continuous.c", "        if (!r->text)\n            COR_TRY(interaction__judge_solution", "        COR_TRY(interaction__judge_solution"),
    (TEXT, "continuous.c", "        if (r->text && r->outcome.smoke == COR_SMOKE_NONE)\n            COR_TRY", "        if (0)\n            COR_TRY"),
    (TEXT, "continuous.c", ": r->text ? (uint8_t)interaction__text_inside(r)", ": 0 ? (uint8_t)interaction__text_inside(r)"),
    (TEXT, "continuous.c", "        COR_TRY(interaction__text_note_asked(r, this_case->number, error));\n", "        (void)0;\n"),
    (TEXT, "continuous.c", "this_case->alarm = t->has_alarm;", "this_case->alarm = t->shown.alarm;"),
    (TEXT, "continuous.c", "    COR_TRY(interaction__end_case(r, this_case, error));\n", ""),
    (TEXT, "text_suite.c", "    s->noted[constraint] = truth;\n", ""),
    (TEXT, "run.c", "before > judgement.count[COR_CHECK_CONSTRAINT]", "before > 0"),
    # rows
    (TIME, "continuous.c", "t->asked.number == this_case->number)", "false)"),
    (TIME, "continuous.c", "    while (t->stage == SOLUTION || t->stage == ADOPTION) {", "    while (false) {"),
    (TEXT, "continuous.c", "    if (t->is_mixed)\n", "    if (false)\n"),
    # structures by numbers
    (STARTS, FILE, "used * growth->ways[left - 1][used] + growth->ways[left - 1][used + 1]", "used * growth->ways[left - 1][used] + growth->ways[left - 1][used]"),
    (STARTS, FILE, "joins = joins < used ? joins : used;", "joins = joins < used ? joins : used - (used > 1);"),
    (STARTS, FILE, "number -= joins * each;", "number -= (joins > 0 ? joins - 1 : 0) * each;"),
    (STARTS, FILE, "growth->ways[agents - 1 - i][used];", "growth->ways[agents - 1 - i][used + 1];"),
    (STARTS, FILE, "    number /= s->structures;\n", "    number /= s->structures + 1;\n"),
    (STARTS, FILE, "    number /= s->weather_count;\n", ""),
    (STARTS, FILE, "start->level[i] = (uint8_t)(number % s->state_count[i]);", "start->level[i] = start->state[i];"),
    (STARTS, FILE, "const uint64_t structure = below(&rng, s->structures);", "const uint64_t structure = below(&rng, s->structures - 1);"),
    (STARTS, FILE, "start->weather = cor_rng_below(&rng, s->weather_count);", "start->weather = 0;"),
    # who is wrong, and which weathers there are
    (STARTS, FILE, "    return s->agents - in_common(start->label, weather->inside, has, s->agents);", "    return s->agents - in_common(start->label, start->label, has, s->agents);"),
    (STARTS, FILE, "way[j] = at;", "way[j] = 0;"),
    (STARTS, FILE, "cor_starts_wrong(s, start) <= s->asked.wrong;", "cor_starts_wrong(s, start) <= s->asked.wrong + 1;"),
    (STARTS, FILE, "if (memcmp(e->next + from, e->next + to, states) != 0 ||", "if (memcmp(e->next + from, e->next + from, states) != 0 ||"),
    (STARTS, FILE, "        if (!keeps_limits(s, start.label))\n            continue;\n", ""),
    # what came of a run
    (STARTS, FILE, "seen.last_out < executed ? seen.last_out + 1 : 0", "seen.last_out < executed ? seen.last_out : 0"),
    (STARTS, FILE, "if (outcome->back > 0 && outcome->back <= within) {", "if (outcome->back > 0 && outcome->back < within) {"),
    (STARTS, FILE, "s->waits = c->monitor.delay_cases;", "s->waits = 0;"),
    (STARTS, FILE, "if (same > s->waits && waited < SETTLING && later.last_out == w->runner->sequence.number)\n", "if (false)\n"),
    (STARTS, FILE, "for (size_t i = number; i < work->count; i += work->jobs)", "for (size_t i = number; i < work->count; i += work->jobs + (work->jobs > 1))"),
]

ninja, binary, top, every = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
room = top / "experiments" / "layers" / "interaction"


def command(target, end):
    """The words of the command of the target that has this word."""
    listed = subprocess.run([ninja, "-C", binary, "-t", "commands", target], capture_output=True, text=True, check=True).stdout.splitlines()
    return next(words for words in (shlex.split(line) for line in reversed(listed)) if end in words)


def made(words, output, more=()):
    """The same command, with another output."""
    words = [word for word in words if word not in (":", "&&")]
    at = words.index("-o")
    return [*words[:at], *map(str, more), "-o", str(output), *words[at + 2:]]


def build(test, mutant, program):
    source, compiled = str(room / mutant.name), mutant.with_suffix(".o")
    words = made(command(f"test_{test}", source), compiled, ["-O0", f"-I{room}", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-parameter"])
    for word, length in (("-MD", 1), ("-MT", 2), ("-MF", 2)):
        at = words.index(word)
        del words[at:at + length]
    subprocess.run([mutant if word == source else word for word in words], cwd=binary, check=True)
    subprocess.run(made(command(f"test_{test}", f"experiments/layers/interaction/test_{test}"), program, [compiled]), cwd=binary, check=True)


plant(room, BUGS, every, build, lambda _: ["equal_clocks_*"])
