#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted where stabilize draws states, mixes them, begins with structures and with what was kept, one at a time: a test has to find each.

usage: planted_stabilize_bugs.py NINJA BUILD_DIRECTORY SOURCE_DIRECTORY EVERY
"""
import pathlib
import shlex
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sim" / "base" / "tests"))
from planting import plant, relinked  # noqa: E402

SAMPLE, STRUCTURES, MIXED, ASKED = "sample", "structures", "mixed", "asked"
PROCESS, INTERACTION = "experiments/layers/process", "experiments/layers/interaction"
WHERE = {SAMPLE: f"{PROCESS}/test_stabilize_sample", STRUCTURES: f"{INTERACTION}/test_stabilize_structures", MIXED: "corridor", ASKED: "corridor"}
WIDE, DRAWN = "experiments/engines/stabilize/wide.c", f"{PROCESS}/stabilize_sample.c"
MIXING, STARTS = f"{PROCESS}/stabilize_mixed.c", f"{INTERACTION}/stabilize_structures.c"
# (test that finds it, file, text that stands there once, what is planted)
BUGS = [
    # states that are drawn
    (SAMPLE, DRAWN, "cor_ruling_take(ruling, *end == COR_WIDE_BACK, error)", "cor_ruling_take(ruling, number % 8 > 0 || *end == COR_WIDE_BACK, error)"),
    (SAMPLE, DRAWN, "    rule.alpha = rule.beta = sample->error;\n", "    rule.alpha = rule.beta = .45;\n"),
    (SAMPLE, WIDE, "        digits[d] = cor_rng_below(&r->rng, r->wide->sizes[d]);\n}", "        digits[d] = d > 0 ? digits[0] : cor_rng_below(&r->rng, r->wide->sizes[d]);\n}"),
    (SAMPLE, WIDE, "            if (inside)\n                continue;\n", ""),
    (SAMPLE, WIDE, "        run->movers[run->count - 1] = BIT(beam->whence[at].actor);", "        run->movers[run->count - 1] = BIT(beam->whence[state].actor);"),
    (SAMPLE, WIDE, "a->worth != b->worth ? (a->worth < b->worth ? -1 : 1)", "a->worth != b->worth ? (a->worth < b->worth ? 1 : -1)"),
    (SAMPLE, WIDE, "    *end = *outside <= most / 2 ? COR_WIDE_BACK : COR_WIDE_OUT;", "    *end = *outside < most / 2 ? COR_WIDE_BACK : COR_WIDE_OUT;"),
    # starts with any structure
    (STRUCTURES, STARTS, "        joins = joins < used ? joins : used;", "        joins = joins < used ? joins : 0;"),
    (STRUCTURES, STARTS, "growth->ways[left][used] = used * growth->ways[left - 1][used] +", "growth->ways[left][used] = (used + 1) * growth->ways[left - 1][used] +"),
    (ASKED, STARTS, "        if (has[i])\n            cost", "        cost"),
    (ASKED, STARTS, "            if (own != chain)\n                continue;\n", ""),
    (STRUCTURES, STARTS, "        const uint64_t structure = below(&rng, s->structures);", "        const uint64_t structure = below(&rng, s->structures) & ~UINT64_C(1);"),
    (ASKED, STARTS, "        if (w->hashes[k] == hash && seen->last_alarm > k) {", "        if (seen->last_alarm > k) {"),
    # what was kept
    (ASKED, STARTS, "s->kept[start->kept].bytes, s->kept[start->kept].size, error)", "s->kept[0].bytes, s->kept[0].size, error)"),
    (ASKED, STARTS, "    start->kept = (uint32_t)(number % s->kept_count);\n", "    start->kept = 0;\n"),
    # states that are mixed
    (MIXED, MIXING, ": option->kind == COR_PROCESS_EVENT_TIME_OUT ? option->tick + m->high", ": option->kind == COR_PROCESS_EVENT_TIME_OUT ? UINT64_MAX"),
    (MIXED, MIXING, "    *is_back = outside_until <= m->within && !*rests;", "    *is_back = outside_until <= m->within;"),
    (MIXED, MIXING, "        event.tick += begun;\n", ""),
    (MIXED, MIXING, "    if (!last || shown_by(m, p) == last->shown)", "    if (true)"),
    (MIXED, MIXING, "        const uint32_t run = cor_rng_below(&m->rng, RUNS);", "        const uint32_t run = 0;"),
    (MIXED, MIXING, "t - outside_until == m->steps)", "t - outside_until == m->within)"),
]
ninja, binary, top, every = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4])
link = relinked(ninja, binary, top, BUGS, WHERE)


def build(test, mutant, program):
    if WHERE[test] != "corridor":
        link(test, mutant, program)
        return
    folder = program.with_name("bin")  # with what the program looks for beside it
    folder.mkdir(exist_ok=True)
    link(test, mutant, folder / "corridor")
    for other in "corridor-cell", "libcorridor.so":
        shutil.copy(binary / other, folder)
    script, given = ((f"{PROCESS}/tests/test_stabilize_mixed.py", [binary / PROCESS, binary / "experiments/engines/stabilize/explicit_space"]) if test == MIXED else
                     (f"{INTERACTION}/tests/test_stabilize_structures.py", [binary / INTERACTION, *(binary / f"algorithms/conformance/{name}.so" for name in ("crashes_when_garbled", "honest_keeps"))]))
    program.write_text("#!/bin/sh\nexec " + shlex.join(map(str, [sys.executable, "-B", top / script, folder / "corridor", top, *given])) + "\n")
    program.chmod(0o755)


plant(top, BUGS, every, build, lambda test: [str(binary / PROCESS / "rules.so")] if test == SAMPLE else [])
