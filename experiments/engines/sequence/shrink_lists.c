/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking agents and organizations away where the initial structure is no partitioning. What is left is of its
 * kind again: an organization goes when nobody is in it or below it, and one that two became stands where the
 * higher of them stood. */
#include "shrinker.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* How many stand above an organization. */
static uint32_t depth_of(const struct cor_lists *lists, uint32_t organization) {
    uint32_t depth = 0;
    while (lists->nests && lists->parent[organization] != COR_NOBODY) {
        organization = lists->parent[organization];
        depth++;
    }
    return depth;
}

/* Organization `to` of what is left: whoever is left of those that became it, ascending. */
static enum cor_status put_members(const struct cor_lists *from, const uint32_t *number, uint32_t to,
                                   const uint32_t *agent, uint32_t agents, uint32_t *scratch,
                                   struct cor_lists *lists, struct cor_error *error) {
    uint32_t count = 0;
    memset(scratch, 0, agents * sizeof *scratch);
    for (uint32_t o = 0; o < from->block_count; o++)
        for (uint32_t m = from->start[o]; number[o] == to && m < from->start[o + 1]; m++)
            if (agent[from->members[m]] != COR_NOBODY)
                scratch[agent[from->members[m]]] = 1;
    for (uint32_t i = 0; i < agents; i++)
        if (scratch[i] == 1)
            scratch[count++] = i;
    return cor_lists_put(lists, scratch, count, error);
}

static enum cor_status hang_all(const struct cor_lists *from, const uint32_t *number, struct cor_lists *lists,
                                struct cor_error *error) {
    for (uint32_t to = 0; from->nests && to < lists->block_count; to++) {
        uint32_t highest = COR_NOBODY;
        for (uint32_t o = 0; o < from->block_count; o++)
            if (number[o] == to && (highest == COR_NOBODY || depth_of(from, o) < depth_of(from, highest)))
                highest = o;
        const uint32_t parent = from->parent[highest];
        COR_TRY(cor_lists_hang(lists, to, parent == COR_NOBODY ? COR_NOBODY : number[parent], error));
    }
    return COR_OK;
}

/* The structure with organization o as number[o] of `count`, COR_NOBODY: gone, and agent i as agent[i] of
 * `agents`. */
static enum cor_status renumber(struct cor_configuration *c, const uint32_t *number, uint32_t count,
                                const uint32_t *agent, uint32_t agents, struct cor_error *error) {
    struct cor_lists lists, *from = &c->initial_organizations;
    enum cor_status status;
    cor_lists_init(&lists);
    uint32_t *scratch = cor_calloc(agents, sizeof *scratch);
    COR_TRY_OUT(cor_made(scratch, error));
    for (uint32_t to = 0; to < count; to++)
        COR_TRY_OUT(put_members(from, number, to, agent, agents, scratch, &lists, error));
    COR_TRY_OUT(hang_all(from, number, &lists, error));
    cor_lists_fini(from);
    *from = lists;
    cor_lists_init(&lists);
    c->initial_partitions = from->block_count;
out:
    cor_lists_fini(&lists);
    free(scratch);
    return status;
}

enum cor_status sequence__lists_drop_agents(struct cor_configuration *c, const bool *gone,
                                            struct cor_error *error) {
    const struct cor_lists *lists = &c->initial_organizations;
    uint32_t *agent = cor_calloc(c->agent_count, sizeof *agent);
    uint32_t *number = cor_calloc(lists->block_count, sizeof *number);
    uint32_t agents = 0, count = 0;
    enum cor_status status;
    COR_TRY_OUT(cor_made(agent, error));
    COR_TRY_OUT(cor_made(number, error));
    for (uint32_t i = 0; i < c->agent_count; i++)
        agent[i] = gone[i] ? COR_NOBODY : agents++;
    /* Who has somebody left is there, and so is all above it: number 1. */
    for (uint32_t o = 0; o < lists->block_count; o++) {
        bool is_left = false;
        for (uint32_t m = lists->start[o]; m < lists->start[o + 1]; m++)
            is_left = is_left || !gone[lists->members[m]];
        for (uint32_t at = o; is_left && at != COR_NOBODY; at = lists->nests ? lists->parent[at] : COR_NOBODY)
            number[at] = 1;
    }
    for (uint32_t o = 0; o < lists->block_count; o++)
        number[o] = number[o] == 1 ? count++ : COR_NOBODY;
    status = renumber(c, number, count, agent, agents, error);
out:
    free(agent);
    free(number);
    return status;
}

enum cor_status sequence__lists_merge(struct cor_configuration *c, uint32_t from, uint32_t to,
                                      struct cor_error *error) {
    const uint32_t count = c->initial_partitions;
    COR_ASSERT(to < from && from < count);
    uint32_t *agent = cor_calloc(c->agent_count, sizeof *agent);
    uint32_t *number = cor_calloc(count, sizeof *number);
    enum cor_status status;
    COR_TRY_OUT(cor_made(agent, error));
    COR_TRY_OUT(cor_made(number, error));
    for (uint32_t i = 0; i < c->agent_count; i++)
        agent[i] = i;
    for (uint32_t o = 0; o < count; o++)
        number[o] = o == from ? to : o - (o > from);
    status = renumber(c, number, count - 1, agent, c->agent_count, error);
out:
    free(agent);
    free(number);
    return status;
}

void sequence__lists_agents_of(const struct cor_configuration *c, const bool *gone, bool *agent_gone) {
    const struct cor_lists *lists = &c->initial_organizations;
    for (uint32_t o = 0; o < lists->block_count; o++)
        for (uint32_t m = lists->start[o]; gone[o] && m < lists->start[o + 1]; m++)
            agent_gone[lists->members[m]] = true;
}
