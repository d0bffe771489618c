#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted in the engine, one at a time: each is found by drawn systems beside the second implementation, or by the table of published algorithms.

usage: planted_bugs.py COMPILER SOURCE_DIRECTORY EVERY LINKED..

Every EVERY-th of the list is planted."""
import pathlib
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sim" / "base" / "tests"))
from planting import plant  # noqa: E402

ENGINE, STEPPER, REACH = "stabilize.c", "stepper.h", "reach.c"
# (test that finds it, file, text that stands there once, what is planted)
BUGS = [
    # a choice of the daemon is forgotten, or made up
    ("drawn", STEPPER, "        if (s->choice[a] < s->first[a + 1] - s->first[a])\n            set_choice(s, a, s->choice[a] + 1);\n        else {", "        {"),
    ("drawn", STEPPER, "            if (a + 1 == s->count)\n                return false;", "            if (a + 2 >= s->count)\n                return false;"),
    ("published", STEPPER, "        if (a == s->count)\n            return false;", "        if (a + 1 >= s->count)\n            return false;"),
    ("published", STEPPER, "const uint32_t least = s->daemon == COR_DAEMON_SYNCHRONOUS;", "const uint32_t least = 0;"),
    ("drawn", STEPPER, "        if (s->outcome[a] + 1 < move_of(s, a)->outcome_count) {", "        if (s->outcome[a] + 2 < move_of(s, a)->outcome_count) {"),
    ("drawn", STEPPER, "        s->to -= move->by[0];\n", ""),
    ("drawn", STEPPER, "        set_outcome(s, a, 0);\n    }\n    return false;", "    }\n    return false;"),
    ("published", STEPPER, "    if (at >= s->known->first[state + 1])", "    if (at + 1 >= s->known->first[state + 1])"),
    ("drawn", STEPPER, "    s->movers = BIT(s->known->moves[at].actor);\n", ""),
    ("drawn", ENGINE, "        *is_kept = moves->items[m].outcome_count == 1;", "        *is_kept = true;"),
    ("published", STEPPER, "(its + (s->daemon == COR_DAEMON_DISTRIBUTED))", "its"),
    # steps that are known by their numbers
    ("published", STEPPER, "        if (s->taken >= s->last) {", "        if (s->taken + 1 >= s->last + (s->last < 2)) {"),
    ("published", STEPPER, "            s->taken >= s->last)\n", "            s->taken > s->last)\n"),
    ("published", STEPPER, "s->add[a] = move->by[0] - below;", "s->add[a] = move->by[0];"),
    ("published", STEPPER, "s->flip[a] = BIT(move->actor) | (a > 0 ? s->flip[a - 1] : 0);", "s->flip[a] = BIT(move->actor);"),
    ("published", STEPPER, "s->daemon == COR_DAEMON_SYNCHRONOUS ? s->count : 1 - a;", "1 - a;"),
    ("published", STEPPER, "        s->to += move->by[0];\n        s->movers |= BIT(move->actor);\n        s->mover_count++;\n    }\n}\n\n__attr", "        s->movers |= BIT(move->actor);\n        s->mover_count++;\n    }\n}\n\n__attr"),
    ("drawn", STEPPER, "(s->count == s->moves.count && s->count < 64)", "s->count < 64"),
    ("drawn", STEPPER, "        s->is_plain = s->is_plain && move->outcome_count == 1;\n", ""),
    ("drawn", STEPPER, "    s->is_plain = s->kept == 0;", "    s->is_plain = true;"),
    ("published", ENGINE, "    s->value_sum += value;\n", ""),
    ("drawn", STEPPER, "    near->count = s->moves.count + 1;", "    near->count = s->moves.count > 0 ? s->moves.count : 1;"),
    ("drawn", STEPPER, "near->count > 0 && near->state == state", "near->count > 0"),
    ("drawn", STEPPER, "!s->is_plain || s->moves.count > NEAR_MOVES)", "!s->is_plain)"),
    ("drawn", STEPPER, "    near->state = state;\n", ""),
    # the stable part
    ("drawn", ENGINE, "gone = 1, pass = 0; gone > 0; pass++) {\n        gone = 0;\n        COR_TRY(go_on(s, \"what is never left\"));", "gone = 1, pass = 0; gone > 0 && pass < 1; pass++) {\n        gone = 0;\n        COR_TRY(go_on(s, \"what is never left\"));"),
    ("drawn", ENGINE, "        if (is_first)\n            found->leaving = gone;", "        found->leaving += gone + !is_first;"),
    ("drawn", ENGINE, "            if (!is_first)\n                s->flags[state] &= (uint8_t) ~(STABLE | GONE);", "            s->flags[state] &= (uint8_t) ~(STABLE | GONE);"),
    # ways back
    ("published", ENGINE, "visit->steps = way->steps + 1 > visit->steps ? way->steps + 1 :", "visit->steps = way->steps + 1 > visit->steps ? way->steps + (way->steps > 0) :"),
    ("published", ENGINE, "visit->moves = way->moves + movers > visit->moves ? way->moves + movers :", "visit->moves = way->moves + 1 > visit->moves ? way->moves + 1 :"),
    ("published", ENGINE, "        visit->steps = COR_UNBOUNDED;\n    }\n    if (visit->moves", "    }\n    if (visit->moves"),
    ("drawn", ENGINE, "        s->flags[visit->state] |= LOOPS;\n", ""),
    ("drawn", ENGINE, "        visit->low = way->moves < visit->low ? way->moves : visit->low;\n", ""),
    ("drawn", ENGINE, "            visit[-1].low = visit->low < visit[-1].low ? visit->low : visit[-1].low;", "            visit[-1].low = visit[-1].low;"),
    ("drawn", ENGINE, "found->in_loops += all & LOOPS ? 1 : 0;", "found->in_loops += count > 1 ? 1 : 0;"),
    ("published", ENGINE, "        s->flags[visit->state] |= s->flags[to] & HAS_WAY;", "        s->flags[visit->state] |= HAS_WAY;"),
    ("drawn", ENGINE, "        s->flags[state] |= all;\n", "        s->flags[state] |= all & LOOPS;\n"),
    ("published", ENGINE, "            visit->place--; /* this", "            ; /* this"),
    ("drawn", ENGINE, "    if (visit->moves > 0) /*", "    if (visit->steps < COR_UNBOUNDED) /*"),
    ("published", ENGINE, "1 + visit->sum / (double)(visit->place - 1);", "1 + visit->sum / (double)visit->place;"),
    ("published", ENGINE, "found->worst_states += steps == found->worst_steps;", "found->worst_states += steps >= found->worst_steps && state > 0;"),
    ("drawn", ENGINE, "found->mean_steps = sum / found->asked;", "found->mean_steps = sum / (found->outside + 1);"),
    # fairness
    ("drawn", ENGINE, "        turns.always &= s->stepper.enabled;", "        turns.always |= s->stepper.enabled;"),
    ("drawn", ENGINE, "if (s->flags[to] & ACTIVE && c->of[to] == k) {", "if (s->flags[to] & ACTIVE) {"),
    ("published", ENGINE, "            if (turns.is_loop && wronged == 0)\n                chosen = k;", "            if (turns.is_loop && (wronged & turns.always) == 0)\n                chosen = k;"),
    ("drawn", ENGINE, "                if (!turns.is_loop || s->stepper.enabled & wronged)", "                if (1)"),
    ("drawn", ENGINE, "    return fairness == COR_FAIRNESS_STRONG ? sometimes & ~move", "    return fairness == COR_FAIRNESS_STRONG ? always & ~move"),
    ("drawn", ENGINE, "found->dead_ends == 0 && (fairness", "true || (fairness"),
    ("drawn", ENGINE, "(fairness == COR_FAIRNESS_NEVER || fairness < (enum cor_fairness)f)", "fairness == COR_FAIRNESS_NEVER"),
    # loops
    ("drawn", ENGINE, "        seek(s, state, state, 0, false, best - 1, &end, &length);", "        seek(s, state, state, 0, false, best - 2, &end, &length);"),
    ("published", ENGINE, "    *length = depth + 1;", "    *length = depth + 2;"),
    ("drawn", ENGINE, "    for (uint32_t i = 0; i < tail; i++)\n        s->flags[s->queue[i]] &= (uint8_t)~GONE;", "    s->flags[s->queue[0]] &= (uint8_t)~GONE;"),
    ("drawn", ENGINE, ": way->steps == rest->steps + 1)", ": true)"),
    # rounds
    ("published", ENGINE, "r->left & ~r->search->stepper.movers & r->enabled[to];", "r->left & ~r->search->stepper.movers;"),
    ("published", ENGINE, "    *is_over = left == 0;", "    *is_over = left == 0 || r->left == r->enabled[r->state];"),
    ("published", ENGINE, "longer(found->worst_rounds, behind[whole_round(&r, state)], 1);", "longer(found->worst_rounds, behind[whole_round(&r, state)], 0);"),
    ("published", ENGINE, "most = longer(most, behind[node], is_over);", "most = longer(most, behind[node], 1);"),
    ("drawn", ENGINE, "r.enabled[state] = s->stepper.enabled & s->space->owed;", "r.enabled[state] = s->stepper.enabled;"),
    # chance
    ("drawn", ENGINE, "    return 1 + (s->found->has_draws ? most : sum / (double)count);", "    return 1 + (s->found->has_draws ? most : sum / (double)(count + 1));"),
    ("drawn", ENGINE, "            most = fmax(most, sum / (double)count);\n            sum = 0;", "            most = fmax(most, sum / (double)count);"),
    ("drawn", ENGINE, "found->lost == 0 && found->can_stay == 0;", "found->lost == 0;"),
    ("drawn", ENGINE, "            if ((s->stepper.count > 0 || goes_on) && step(&s->stepper) == COR_NO_NODE) {", "            if (step(&s->stepper) == COR_NO_NODE) {"),
    ("published", ENGINE, "        return 1 + sum / (first[1] - first[0]);", "        return 1 + sum / (first[1] - first[0] + 1);"),
    ("published", ENGINE, "for (uint32_t m = first[0]; m < first[1]; m++)", "for (uint32_t m = first[0] + 1; m < first[1]; m++)"),
    # again and again
    ("drawn", ENGINE, "if (is_it && s->stepper.count == 0 && found->again_dead_ends++ == 0)", "if (is_it && s->stepper.count == 1 && found->again_dead_ends++ == 0)"),
    ("drawn", ENGINE, "if (fairness != COR_FAIRNESS_NEVER && fairness >= s->question->fairness) {", "if (fairness != COR_FAIRNESS_NEVER) {"),
    ("drawn", ENGINE, "is_left = c->of[to] != k;", "is_left = false;"),
    # what is drawn beside fairness
    ("drawn", ENGINE, "            if (found->has_draws && !is_bottom)\n                found->again_open = true;\n            else {", "            {"),
    ("drawn", ENGINE, "found->lost == 0 && found->can_stay > 0;", "found->lost == 0;"),
    # what is asked about
    ("drawn", ENGINE, "                s->flags[to] = 0;\n                s->queue[tail++] = to;", "                s->flags[to] = 0;"),
    ("drawn", ENGINE, "& (none_of | PASSED));", "& none_of);"),
    ("drawn", ENGINE, "        if (s->flags[state] & PASSED)\n            continue;\n        begin", "        begin"),
    ("drawn", ENGINE, "        if (steps == COR_UNBOUNDED || s->flags[state] & PASSED)", "        if (steps == COR_UNBOUNDED)"),
    ("drawn", ENGINE, "    s->found->asked = tail;", "    s->found->asked = size;"),
    ("drawn", ENGINE, "            change = fabs(by) > change ? fabs(by) : change;", "            change = by > change ? by : change;"),
    # by chance, from a state
    ("drawn", REACH, "    *can_stay = has_draws ? (flags[start] & KEPT) != 0 : left == r->count;", "    *can_stay = has_draws ? (flags[start] & KEPT) != 0 : left > 0;"),
    ("drawn", REACH, "for (bool moved = has_draws; moved;)", "for (bool moved = false; moved;)"),
    ("drawn", REACH, "    if (!goal)\n        keep_stable(r);\n", ""),
]

compiler, top, every = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
linked = sys.argv[4:]
room = top / "experiments" / "engines" / "stabilize"


def build(test, mutant, program):
    built = program.with_suffix(".bin")
    for name in ENGINE, STEPPER, REACH:
        if name != mutant.name:
            shutil.copy(room / name, mutant.parent)
    subprocess.run([compiler, "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-ffp-contract=off", "-O1", f"-I{top}/sim/base/include", f"-I{room}/include",
                    mutant.with_name(ENGINE), mutant.with_name(REACH), room / "tests" / "explicit_space.c", *linked, "-o", built, "-lm"], check=True)
    script = room / "tests" / f"test_{test}.py"
    run = shlex.join([sys.executable, "-B", str(script), str(built), "3000" if test == "drawn" else "9"])  # a folder's name may have blanks
    program.write_text(f"#!/bin/sh\nulimit -t 40 # of CPU: a bug may make it go on for ever\nexec {run}\n")
    program.chmod(0o755)


plant(room, BUGS, every, build, lambda test: [])
