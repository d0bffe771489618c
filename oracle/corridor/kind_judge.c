/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a raw structure of its kind? The judges of kinds that are no partitionings; those are judged by the
 * oracle's own checks. */
#include "structure.h"

#include <corridor/array.h>
#include <corridor/kind_judge.h>

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

/* ---- kinds without a text: whether lists are of one, and whether two structures are the same */

struct cor_kind_judge {
    enum cor_structure_kind kind;
    struct corridor__marks marks; /* owned */
    size_t agent_capacity, passed_capacity, children_capacity;
    struct cor_lists sorted[2]; /* structure and solution, members ascending */
    uint32_t *order[2];         /* owned; [organization] by members */
    size_t order_capacity[2];
    uint32_t *equal, *open, *claimed; /* owned; [organization]; see compare_nested */
    size_t equal_capacity, open_capacity, claimed_capacity;
};

enum cor_status cor_kind_judge_create(enum cor_structure_kind kind, struct cor_kind_judge **judge,
                                      struct cor_error *error) {
    COR_ASSERT(kind != COR_STRUCTURE_PARTITIONING);
    struct cor_kind_judge *made = *judge = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->kind = kind;
    return COR_OK;
}

void cor_kind_judge_destroy(struct cor_kind_judge *judge) {
    if (!judge)
        return;
    void *const all[] = {judge->marks.agents, judge->marks.passed, judge->marks.has_children,
                         judge->order[0],     judge->order[1],     judge->equal,
                         judge->open,         judge->claimed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    for (int side = 0; side < 2; side++)
        cor_lists_fini(&judge->sorted[side]);
    free(judge);
}

static enum cor_status judge_kind(struct cor_kind_judge *judge, const struct cor_lists *lists,
                                  uint32_t agent_count, struct cor_judgement *judgement,
                                  struct cor_error *error) {
    const size_t count = lists->block_count;
    COR_TRY(COR_RESERVE(&judge->marks.agents, &judge->agent_capacity, agent_count, error));
    COR_TRY(COR_RESERVE(&judge->marks.passed, &judge->passed_capacity, count + 1, error));
    COR_TRY(COR_RESERVE(&judge->marks.has_children, &judge->children_capacity, count + 1, error));
    const struct cor_snapshot state = {
        .agent_count = agent_count, .organizations = lists, .parents = cor_lists_parents(lists)};
    corridor__judge_structure(judge->kind, &state, &judge->marks, judgement);
    return COR_OK;
}

static void judge_limits(const struct cor_lists *lists, const struct cor_limits *limits,
                         struct cor_judgement *judgement) {
    const uint32_t count = lists->block_count;
    for (uint32_t o = 0; o < count; o++) {
        const uint32_t size = cor_lists_size(lists, o);
        if (size > 0 && size < limits->size_min)
            cor_judgement_add(judgement, COR_CHECK_SIZE_LOW, COR_NOBODY, o, limits->size_min, size);
        else if (size > limits->size_max)
            cor_judgement_add(judgement, COR_CHECK_SIZE_HIGH, COR_NOBODY, o, limits->size_max, size);
    }
    if (count < limits->count_min)
        cor_judgement_add(judgement, COR_CHECK_COUNT_LOW, COR_NOBODY, COR_NOBODY, limits->count_min, count);
    if (count > limits->count_max)
        cor_judgement_add(judgement, COR_CHECK_COUNT_HIGH, COR_NOBODY, COR_NOBODY, limits->count_max, count);
}

enum cor_status cor_kind_judge_look(struct cor_kind_judge *judge, const struct cor_lists *lists,
                                    uint32_t agent_count, const struct cor_limits *limits,
                                    struct cor_judgement *judgement, struct cor_error *error) {
    COR_TRY(judge_kind(judge, lists, agent_count, judgement, error));
    judge_limits(lists, limits, judgement);
    return COR_OK;
}

static int compare_agents(const void *one, const void *other) {
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* By their members, a shorter list first. */
static int compare_blocks(const struct cor_lists *one, uint32_t a, const struct cor_lists *other,
                          uint32_t b) {
    const uint32_t size = cor_lists_size(one, a), other_size = cor_lists_size(other, b);
    const uint32_t *members = cor_lists_block(one, a), *other_members = cor_lists_block(other, b);
    for (uint32_t i = 0; i < size && i < other_size; i++)
        if (members[i] != other_members[i])
            return members[i] < other_members[i] ? -1 : 1;
    return (size > other_size) - (size < other_size);
}

/* Puts order[from .. to) into order; merges, since there is no qsort with a context in C17. */
static void sort_blocks(const struct cor_lists *lists, uint32_t *order, uint32_t *scratch, uint32_t count) {
    if (count < 2)
        return;
    const uint32_t half = count / 2;
    sort_blocks(lists, order, scratch, half);
    sort_blocks(lists, order + half, scratch, count - half);
    memcpy(scratch, order, half * sizeof *order);
    for (uint32_t left = 0, right = half, at = 0; left < half; at++) {
        const bool takes_left =
            right == count || compare_blocks(lists, scratch[left], lists, order[right]) <= 0;
        order[at] = takes_left ? scratch[left++] : order[right++];
    }
}

static enum cor_status sort_side(struct cor_kind_judge *judge, int side, const struct cor_lists *lists,
                                 struct cor_error *error) {
    struct cor_lists *sorted = &judge->sorted[side];
    const uint32_t count = lists->block_count;
    COR_TRY(cor_lists_copy(sorted, lists, error));
    COR_TRY(COR_RESERVE(&judge->order[side], &judge->order_capacity[side], (size_t)count + 1, error));
    COR_TRY(COR_RESERVE(&judge->open, &judge->open_capacity, (size_t)count + 1, error));
    for (uint32_t o = 0; o < count; o++) {
        if (cor_lists_size(sorted, o) > 0)
            qsort(sorted->members + sorted->start[o], cor_lists_size(sorted, o), sizeof *sorted->members,
                  compare_agents);
        judge->order[side][o] = o;
    }
    sort_blocks(sorted, judge->order[side], judge->open, count);
    return COR_OK;
}

/* Both in order: what only one of them has comes to light at its place. equal: the organization of the
 * solution that has the same members, COR_NOBODY: none; *left: the first of the solution that is nobody's. */
static void match_members(struct cor_kind_judge *judge, uint32_t *left) {
    const struct cor_lists *structure = &judge->sorted[0], *solution = &judge->sorted[1];
    uint32_t at = 0, other = 0;
    *left = COR_NOBODY;
    while (at < structure->block_count || other < solution->block_count) {
        int order = at == structure->block_count ? 1 : other == solution->block_count ? -1 : 0;
        const uint32_t o = order == 1 ? 0 : judge->order[0][at], p = order == -1 ? 0 : judge->order[1][other];
        if (order == 0)
            order = compare_blocks(structure, o, solution, p);
        if (order <= 0)
            judge->equal[o] = order == 0 ? p : COR_NOBODY;
        if (order > 0)
            *left = p < *left ? p : *left;
        at += order <= 0;
        other += order >= 0;
    }
}

static uint32_t parent_of(const struct cor_lists *lists, uint32_t organization) {
    return lists->nests ? lists->parent[organization] : COR_NOBODY;
}

/* An organization of the structure hangs where its equal hangs: below the same one, which is so found out
 * where nobody is in it. Says with which number of the structure the solution's parent would be right. */
static void compare_parent(struct cor_kind_judge *judge, uint32_t o, struct cor_judgement *judgement) {
    const struct cor_lists *structure = &judge->sorted[0], *solution = &judge->sorted[1];
    const uint32_t above = parent_of(structure, o), wanted = parent_of(solution, judge->equal[o]);
    const bool can_be = above != COR_NOBODY && wanted != COR_NOBODY && judge->equal[above] == COR_NOBODY &&
                        cor_lists_size(structure, above) == 0 && cor_lists_size(solution, wanted) == 0 &&
                        judge->claimed[wanted] == COR_NOBODY;
    if (can_be) {
        judge->equal[above] = wanted;
        judge->claimed[wanted] = above;
    }
    const uint32_t found = above == COR_NOBODY ? COR_NOBODY : judge->equal[above];
    if (found == wanted && (above == COR_NOBODY) == (wanted == COR_NOBODY))
        return;
    const uint32_t expected = wanted == COR_NOBODY ? COR_NOBODY : judge->claimed[wanted];
    if (wanted != COR_NOBODY && expected == COR_NOBODY) /* none of the structure is it */
        cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, 0, 0);
    else
        cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, expected, above);
}

/* Organizations with members are known by these, as each agent is in one; those without by their children,
 * from the leaves, all of which have members, up. open: children that were not looked at; claimed:
 * [organization of the solution] its equal. */
static enum cor_status compare_nested(struct cor_kind_judge *judge, uint32_t *left,
                                      struct cor_judgement *judgement, struct cor_error *error) {
    const struct cor_lists *structure = &judge->sorted[0], *solution = &judge->sorted[1];
    const uint32_t count = structure->block_count, others = solution->block_count;
    uint32_t *order = judge->order[0], *waiting = judge->open, next = 0, end = 0;
    COR_TRY(COR_RESERVE(&judge->claimed, &judge->claimed_capacity, (size_t)others + 1, error));
    memset(judge->claimed, 0xff, others * sizeof *judge->claimed); /* COR_NOBODY */
    memset(waiting, 0, count * sizeof *waiting);
    for (uint32_t o = 0; o < count; o++) {
        if (cor_lists_size(structure, o) == 0)
            judge->equal[o] = COR_NOBODY; /* emptiness does not tell them apart */
        else if (judge->equal[o] != COR_NOBODY)
            judge->claimed[judge->equal[o]] = o;
        if (parent_of(structure, o) != COR_NOBODY)
            waiting[parent_of(structure, o)]++;
    }
    for (uint32_t o = 0; o < count; o++)
        if (waiting[o] == 0)
            order[end++] = o;
    for (; next < end; next++) {
        const uint32_t o = order[next], above = parent_of(structure, o);
        if (judge->equal[o] == COR_NOBODY)
            cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, 0, 0);
        else
            compare_parent(judge, o, judgement);
        if (above != COR_NOBODY && --waiting[above] == 0)
            order[end++] = above;
    }
    *left = 0;
    while (*left < others && judge->claimed[*left] != COR_NOBODY)
        ++*left;
    *left = *left < others ? *left : COR_NOBODY;
    return COR_OK;
}

enum cor_status cor_kind_judge_compare(struct cor_kind_judge *judge, const struct cor_lists *structure,
                                       const struct cor_lists *solution, uint32_t agent_count,
                                       struct cor_judgement *judgement, struct cor_error *error) {
    struct cor_judgement first, second;
    const uint32_t before = judgement->violation_count;
    uint32_t left;
    COR_TRY(judge_kind(judge, structure, agent_count, &first, error));
    COR_TRY(judge_kind(judge, solution, agent_count, &second, error));
    if (first.violation_count > 0 || second.violation_count > 0)
        return COR_OK;
    COR_TRY(sort_side(judge, 0, structure, error));
    COR_TRY(sort_side(judge, 1, solution, error));
    COR_TRY(COR_RESERVE(&judge->equal, &judge->equal_capacity, (size_t)structure->block_count + 1, error));
    match_members(judge, &left);
    if (cor_structure_nests(judge->kind)) {
        COR_TRY(compare_nested(judge, &left, judgement, error));
    } else {
        for (uint32_t o = 0; o < structure->block_count; o++)
            if (judge->equal[o] == COR_NOBODY)
                cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, o, 0, 0);
    }
    if (judgement->violation_count == before && left != COR_NOBODY)
        cor_judgement_add(judgement, COR_CHECK_NOT_ADOPTED, COR_NOBODY, COR_NOBODY, left, 0);
    return COR_OK;
}
