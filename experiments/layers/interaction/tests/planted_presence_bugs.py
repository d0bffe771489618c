#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted where agents come and go, in all rooms that know it, one at a time: a test has to find each.

usage: planted_presence_bugs.py NINJA BUILD_DIRECTORY SOURCE_DIRECTORY EVERY

As planted_bugs.py, but of files of several rooms.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sim" / "base" / "tests"))
from planting import plant, relinked  # noqa: E402

LOOP, TASK, TEXT = "presence", "session", "corridor_text"
WHERE = {LOOP: "experiments/layers/interaction/test_presence", TASK: "algorithms/host/test_session", TEXT: "oracle/corridor/test_corridor_text"}
RUN, SUITE = "experiments/layers/interaction/run.c", "experiments/layers/interaction/suite.c"
STATE, ORACLE, HOST = "sim/core/state.c", "oracle/oracle.c", "algorithms/host/session.c"
# (test that finds it, file, text that stands there once, what is planted)
BUGS = [
    # who counts
    (LOOP, STATE, "        if (!state->absent || !state->absent[i])\n            total", "        total"),
    (LOOP, STATE, "double mean = s->total / state->present_count;", "double mean = s->total / state->configuration->agent_count;"),
    (LOOP, ORACLE, "        if (is_there(absent, agent_count, members[i]))", "        if (members[i] < agent_count)"),
    (LOOP, ORACLE, "    const uint32_t there = count_there(absent, count);", "    const uint32_t there = count;"),
    (LOOP, ORACLE, "            if (is_there(look->oracle->absent, look->agent_count, agent))\n                look->met", "            if (agent < look->agent_count)\n                look->met"),
    (LOOP, ORACLE, "        if (!is_there(look->oracle->absent, look->agent_count, agent))\n            continue;\n", ""),
    (TEXT, "oracle/corridor/judge.c", "    cor_oracle_attend(judge->oracle, state->absent);\n", ""),
    (TEXT, "oracle/corridor/judge.c", "&judge->of_agents, NULL, state->absent};", "&judge->of_agents, NULL, NULL};"),
    # who goes, who comes, who perceives
    (LOOP, STATE, "        s->partition[i] = COR_NOBODY;\n        if (is_away)", "        if (is_away)"),
    (LOOP, STATE, "        state->agent_state[i] = c->initial_state[i];\n", ""),
    (LOOP, STATE, "        state->value[i] = c->initial_value[i];\n        for", "        for"),
    (LOOP, STATE, "            state->attribute[a][i] = c->attributes[a].initial[i];\n", "            (void)a;\n"),
    (LOOP, STATE, "        if (state->absent && state->absent[agent]) {\n            state->taken[agent] = COR_IDLES;\n            continue;\n        }\n", ""),
    (LOOP, STATE, "    return core__may_idle(c) || segment->effect->cumulative;", "    return c->idle_ratio > 0 || segment->effect->cumulative;"),
    (LOOP, STATE, "    s->partition_count = left;\n", ""),
    (LOOP, "sim/core/adoption.c", "agent < state->configuration->agent_count && !(state->absent && state->absent[agent])", "agent < state->configuration->agent_count"),
    (LOOP, "sim/core/adoption.c", "    if (!is_faulty(moving) && !moving->adopter->watcher && !moving->state->absent) {", "    if (!is_faulty(moving) && !moving->adopter->watcher) {"),
    # draws of all else
    (LOOP, SUITE, "type * suite->experiment->model->perceived_count + profile", "type * c->profile_count + profile"),
    (LOOP, SUITE, "cor_rng_below(&rng, model->perceived_count)", "cor_rng_below(&rng, model->environment_count)"),
    (LOOP, SUITE, "            c->location_of_chain[c->chain_count] = i;\n", ""),
    # what is due, and who is asked
    (LOOP, RUN, "        due = due || cor_state_outside(r->state) > 0;\n", ""),
    (LOOP, RUN, "s->size[p] < r->limits.size_min || s->size[p]", "s->size[p]"),
    (LOOP, RUN, "due = due || s->partition_count < r->limits.count_min || s", "due = due || s"),
    (LOOP, RUN, "judgement->violation_count > 0) {\n                this_case->inside", "false) {\n                this_case->inside"),
    (LOOP, RUN, " || !interaction__can_be_asked(r))", ")"),
    (LOOP, RUN, "    cor_oracle_attend(r->oracle, r->state->absent);\n", ""),
    (LOOP, RUN, "    if (!interaction__can_be_asked(r) &&\n", "    if (false &&\n"),
    # the task, and what comes back
    (LOOP, HOST, "number < there                           ? session->attendance.agents[number]", "number < there                           ? number"),
    (TASK, HOST, "session->identity ? session->identity[i] : i;\n            a->number[i] = there;", "i;\n            a->number[i] = 0;"),
    (TASK, HOST, "number - there <= UINT32_MAX - all - 1 ? all + (number - there)", "number - there <= UINT32_MAX - all - 1 ? number"),
    (TASK, HOST, "            a->start[++task->block_count] = members;\n", "            ++task->block_count;\n"),
    (TASK, HOST, "    if (of != session->kept_of)\n        session->kept.size = 0;\n", ""),
    (TASK, HOST, "    session->kept_of = memory->kept_of;\n", ""),
    (TASK, HOST, "        task->objective = &a->objective;\n", ""),
]
ninja, binary, top, every = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
plant(top, BUGS, every, relinked(ninja, binary, top, BUGS, WHERE), lambda _: [])
