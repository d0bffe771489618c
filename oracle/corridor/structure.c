/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a raw structure of its kind? The judges of kinds that are no partitionings; those are judged by the
 * oracle's own checks. */
#include "structure.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Does the state say that the organization has one? It need not be there. */
static bool has_parent(const struct cor_snapshot *state, uint32_t organization) {
    return state->parents && state->parents[organization] != COR_NOBODY;
}

static void judge_empty(const struct cor_snapshot *state, const struct corridor__marks *marks,
                        struct cor_judgement *judgement) {
    const struct cor_lists *lists = state->organizations;
    for (uint32_t o = 0; o < lists->block_count; o++)
        if (cor_lists_size(lists, o) == 0 && !marks->has_children[o])
            cor_judgement_add(judgement, COR_CHECK_EMPTY, COR_NOBODY, o, 1, 0);
}

/* Unknown agents, entry by entry; counts the others, and those that occur twice in one organization. */
static void count_entries(const struct cor_snapshot *state, struct corridor__marks *marks,
                          struct cor_judgement *judgement) {
    const struct cor_lists *lists = state->organizations;
    for (uint32_t o = 0; o < lists->block_count; o++) {
        const uint32_t *members = cor_lists_block(lists, o);
        for (uint32_t i = 0; i < cor_lists_size(lists, o); i++) {
            const uint32_t agent = members[i];
            if (agent >= state->agent_count) {
                cor_judgement_add(judgement, COR_CHECK_UNKNOWN, agent, o, state->agent_count, agent);
                continue;
            }
            struct corridor__mark *mark = &marks->agents[agent];
            mark->repeated_in = mark->last == o + 1 ? o + 1 : mark->repeated_in;
            mark->last = o + 1;
            mark->count++;
        }
    }
}

static void judge_agents(enum cor_structure_kind kind, const struct cor_snapshot *state,
                         const struct corridor__marks *marks, struct cor_judgement *judgement) {
    for (uint32_t agent = 0; agent < state->agent_count; agent++) {
        const struct corridor__mark *mark = &marks->agents[agent];
        if (mark->count == 0 && kind != COR_STRUCTURE_OVERLAPPING)
            cor_judgement_add(judgement, COR_CHECK_MISSING, agent, COR_NOBODY, 1, 0);
        else if (cor_structure_nests(kind) && mark->count > 1)
            cor_judgement_add(judgement, COR_CHECK_DOUBLE, agent, mark->last - 1, 1, mark->count);
        else if (mark->repeated_in > 0)
            cor_judgement_add(judgement, COR_CHECK_DOUBLE, agent, mark->repeated_in - 1, 1, mark->count);
    }
}

/* Parents that are there, cycles by their first organization, and how many roots there are. A way up is
 * marked with where it began, so that each organization is passed once. */
static void judge_parents(enum cor_structure_kind kind, const struct cor_snapshot *state,
                          struct corridor__marks *marks, struct cor_judgement *judgement) {
    const uint32_t count = state->organizations->block_count;
    uint32_t roots = 0;
    for (uint32_t o = 0; o < count; o++) {
        roots += !has_parent(state, o);
        if (has_parent(state, o) && state->parents[o] >= count)
            cor_judgement_add(judgement, COR_CHECK_PARENT_UNKNOWN, COR_NOBODY, o, count, state->parents[o]);
    }
    for (uint32_t o = 0; o < count; o++) {
        uint32_t at = o, length = 1;
        while (at < count && marks->passed[at] == 0) {
            marks->passed[at] = o + 1;
            at = has_parent(state, at) ? state->parents[at] : COR_NOBODY;
        }
        if (at >= count || marks->passed[at] != o + 1)
            continue;
        uint32_t first = at;
        for (uint32_t next = state->parents[at]; next != at; next = state->parents[next], length++)
            first = next < first ? next : first;
        cor_judgement_add(judgement, COR_CHECK_PARENT_CYCLE, COR_NOBODY, first, 0, length);
    }
    if (kind == COR_STRUCTURE_TREE && roots > 1)
        cor_judgement_add(judgement, COR_CHECK_SEVERAL_ROOTS, COR_NOBODY, COR_NOBODY, 1, roots);
}

void corridor__judge_structure(enum cor_structure_kind kind, const struct cor_snapshot *state,
                               struct corridor__marks *marks, struct cor_judgement *judgement) {
    const uint32_t count = state->organizations->block_count;
    cor_judgement_init(judgement);
    memset(marks->agents, 0, state->agent_count * sizeof *marks->agents);
    memset(marks->passed, 0, count * sizeof *marks->passed);
    memset(marks->has_children, 0, count * sizeof *marks->has_children);
    for (uint32_t o = 0; o < count && cor_structure_nests(kind); o++)
        if (has_parent(state, o) && state->parents[o] < count)
            marks->has_children[state->parents[o]] = true;
    judge_empty(state, marks, judgement);
    count_entries(state, marks, judgement);
    judge_agents(kind, state, marks, judgement);
    if (cor_structure_nests(kind))
        judge_parents(kind, state, marks, judgement);
}

void cor_corridor_kind_text(const struct cor_corridor *corridor, const struct cor_violation *violation,
                            char *text, size_t size) {
    cor_violation_kind_text(corridor->kind, violation, text, size);
}
