/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking parts of a test away, in the arrays that are there: they only get shorter. */
#include "shrinker.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static struct cor_walk *walk_of(struct cor_test *test) {
    return &test->suite->recorded[0];
}

bool sequence__test_draws_mail(const struct cor_test *test) {
    const enum cor_mail mode = test->arm.session.mail.mode;
    return !test->schedule && mode != COR_MAIL_IN_ORDER && mode != COR_MAIL_RECORDED;
}

void sequence__test_drop_entries(struct cor_test *test, const bool *gone) {
    struct cor_mail_record *schedule = test->schedule;
    size_t left = 0;
    for (size_t i = 0; i < schedule->count; i++)
        if (!gone[i])
            schedule->entries[left++] = schedule->entries[i];
    cor_mail_record_drop(schedule, left, schedule->count - left);
}

/* Mail of cases that are gone is of no reorganization; both ascend. */
static void drop_strays(struct cor_test *test) {
    struct cor_mail_record *schedule = test->schedule;
    const uint32_t cases = walk_of(test)->case_count;
    size_t left = 0;
    for (size_t i = 0, at = 0; schedule && i < schedule->count; i++) {
        const uint64_t identity = schedule->entries[i].identity;
        while (at < cases && (test->case_identity ? test->case_identity[at] : at + 1) < identity)
            at++;
        if (at < cases && (test->case_identity ? test->case_identity[at] : at + 1) == identity)
            schedule->entries[left++] = schedule->entries[i];
    }
    if (schedule)
        cor_mail_record_drop(schedule, left, schedule->count - left);
}

static void set_cases(struct cor_test *test, uint32_t cases) {
    walk_of(test)->case_count = walk_of(test)->known = cases;
    test->suite->case_counts[0] = cases;
    drop_strays(test);
}

enum cor_status sequence__test_drop_cases(struct cor_test *test, const bool *gone, bool *can,
                                          struct cor_error *error) {
    struct cor_walk *walk = walk_of(test);
    const size_t chains = walk->chain_count;
    uint32_t left = 0;
    for (uint32_t i = 0; i < walk->case_count; i++)
        left += !gone[i];
    *can = left > 0;
    if (!*can)
        return COR_OK;
    /* From index to identity, where that is all there was. */
    const uint32_t count = walk_of(test)->case_count;
    if (!test->case_identity) {
        test->case_identity = cor_calloc(count, sizeof *test->case_identity);
        COR_TRY(cor_made(test->case_identity, error));
        for (uint32_t i = 0; i < count; i++)
            test->case_identity[i] = i + 1;
    }
    left = 0;
    for (uint32_t i = 0; i < walk->case_count; i++) {
        if (gone[i])
            continue;
        test->case_identity[left++] = test->case_identity[i];
        memmove(walk->states + left * chains, walk->states + (i + 1) * chains, chains);
    }
    set_cases(test, left);
    return COR_OK;
}

void cor_test_truncate(struct cor_test *test, uint32_t cases) {
    COR_ASSERT(cases >= 1 && cases <= walk_of(test)->case_count);
    set_cases(test, cases);
}

/* New numbers for what is left, in order: into number[]; how many. */
static uint32_t renumber(const bool *there, uint32_t count, uint32_t *number) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (there[i])
            number[i] = left++;
    return left;
}

/* Chains without a group go, with their columns of the walk. */
static void drop_chains(struct cor_test *test, bool *there, uint32_t *number) {
    struct cor_configuration *c = test->suite->configuration;
    struct cor_walk *walk = walk_of(test);
    const uint32_t before = c->chain_count;
    memset(there, 0, before * sizeof *there);
    for (uint32_t g = 0; g < c->group_count; g++)
        there[c->chain_of_group[g]] = true;
    const size_t others = c->other_chains ? (size_t)c->group_count * c->profile_count : 0;
    for (size_t i = 0; i < others; i++)
        if (c->other_chains[i] != COR_NOBODY)
            there[c->other_chains[i]] = true;
    c->chain_count = renumber(there, before, number);
    for (uint32_t g = 0; g < c->group_count; g++)
        c->chain_of_group[g] = number[c->chain_of_group[g]];
    for (size_t i = 0; i < others; i++)
        if (c->other_chains[i] != COR_NOBODY)
            c->other_chains[i] = number[c->other_chains[i]];
    for (uint32_t i = 0; i < before; i++) {
        if (!there[i])
            continue;
        c->profile_of_chain[number[i]] = c->profile_of_chain[i];
        c->location_of_chain[number[i]] = c->location_of_chain[i];
    }
    size_t to = 0;
    for (size_t row = 0; row <= walk->case_count; row++)
        for (uint32_t i = 0; i < before; i++)
            if (there[i])
                walk->states[to++] = walk->states[row * before + i];
    walk->chain_count = c->chain_count;
}

/* What a group perceives, as group number `to`, which is not behind it. */
static void move_chains(struct cor_configuration *c, uint32_t to, uint32_t group) {
    c->chain_of_group[to] = c->chain_of_group[group];
    if (c->other_chains)
        memmove(c->other_chains + (size_t)to * c->profile_count,
                c->other_chains + (size_t)group * c->profile_count,
                c->profile_count * sizeof *c->other_chains);
}

static void drop_agents(struct cor_configuration *c, const bool *gone) {
    uint32_t agents = 0, groups = 0;
    for (uint32_t g = 0; g < c->group_count; g++) {
        const uint32_t first = agents, begin = c->group_start[g], end = c->group_start[g + 1];
        for (uint32_t i = begin; i < end; i++)
            if (!gone[i]) {
                const uint32_t to = agents++;
                c->type[to] = c->type[i];
                c->inertia[to] = c->inertia[i];
                c->initial_state[to] = c->initial_state[i];
                c->initial_value[to] = c->initial_value[i];
                c->initial_partition[to] = c->initial_partition[i];
                for (uint32_t a = 0; a < c->attribute_count; a++)
                    c->attributes[a].initial[to] = c->attributes[a].initial[i];
                c->agent_identity[to] = c->agent_identity[i];
            }
        if (agents == first)
            continue;
        move_chains(c, groups, g);
        c->group_start[groups++] = first;
    }
    c->group_start[groups] = agents;
    c->group_count = groups;
    c->agent_count = agents;
}

/* Scratch for renumbering whatever a test has. */
static enum cor_status make_scratch(const struct cor_configuration *c, bool **there, uint32_t **number,
                                    struct cor_error *error) {
    const uint32_t count = c->agent_count > c->chain_count ? c->agent_count : c->chain_count;
    *there = cor_calloc(count, sizeof **there);
    *number = cor_calloc(count, sizeof **number);
    return *there && *number ? COR_OK : cor_fail_memory(error);
}

enum cor_status sequence__test_drop_agents(struct cor_test *test, const bool *gone, bool *can,
                                           struct cor_error *error) {
    struct cor_configuration *c = test->suite->configuration;
    uint32_t left = 0, *number = NULL;
    bool *there = NULL;
    enum cor_status status = COR_OK;
    for (uint32_t i = 0; i < c->agent_count; i++)
        left += !gone[i];
    *can = left > 0;
    if (!*can)
        return COR_OK;
    COR_TRY_OUT(make_scratch(c, &there, &number, error));
    if (!c->agent_identity) {
        c->agent_identity = cor_calloc(c->agent_count, sizeof *c->agent_identity);
        COR_TRY_OUT(cor_made(c->agent_identity, error));
        c->identity_count = c->agent_count;
        for (uint32_t i = 0; i < c->agent_count; i++)
            c->agent_identity[i] = i;
    }
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        COR_TRY_OUT(sequence__lists_drop_agents(c, gone, error));
    drop_agents(c, gone);
    if (c->kind == COR_STRUCTURE_PARTITIONING) {
        memset(there, 0, c->initial_partitions * sizeof *there);
        for (uint32_t i = 0; i < c->agent_count; i++)
            there[c->initial_partition[i]] = true;
        c->initial_partitions = renumber(there, c->initial_partitions, number);
        for (uint32_t i = 0; i < c->agent_count; i++)
            c->initial_partition[i] = number[c->initial_partition[i]];
    }
    drop_chains(test, there, number);
out:
    free(there);
    free(number);
    return status;
}

/* Drops the agents of whatever `of` says, [agent]. */
static enum cor_status drop_of(struct cor_test *test, const uint32_t *of, const bool *gone, bool *can,
                               struct cor_error *error) {
    const uint32_t agents = test->suite->configuration->agent_count;
    bool *agent_gone = cor_calloc(agents, sizeof *agent_gone);
    COR_TRY(cor_made(agent_gone, error));
    for (uint32_t i = 0; i < agents; i++)
        agent_gone[i] = gone[of[i]];
    const enum cor_status status = sequence__test_drop_agents(test, agent_gone, can, error);
    free(agent_gone);
    return status;
}

enum cor_status sequence__test_drop_partitions(struct cor_test *test, const bool *gone, bool *can,
                                               struct cor_error *error) {
    const struct cor_configuration *c = test->suite->configuration;
    if (c->kind == COR_STRUCTURE_PARTITIONING)
        return drop_of(test, c->initial_partition, gone, can, error);
    bool *agent_gone = cor_calloc(c->agent_count, sizeof *agent_gone);
    COR_TRY(cor_made(agent_gone, error));
    sequence__lists_agents_of(c, gone, agent_gone);
    const enum cor_status status = sequence__test_drop_agents(test, agent_gone, can, error);
    free(agent_gone);
    return status;
}

static enum cor_status drop_by_group(struct cor_test *test, const bool *gone, bool of_chains, bool *can,
                                     struct cor_error *error) {
    const struct cor_configuration *c = test->suite->configuration;
    uint32_t *of = cor_calloc(c->agent_count, sizeof *of);
    COR_TRY(cor_made(of, error));
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++)
            of[i] = of_chains ? c->chain_of_group[g] : g;
    const enum cor_status status = drop_of(test, of, gone, can, error);
    free(of);
    return status;
}

enum cor_status sequence__test_drop_groups(struct cor_test *test, const bool *gone, bool *can,
                                           struct cor_error *error) {
    return drop_by_group(test, gone, false, can, error);
}

enum cor_status sequence__test_drop_chains(struct cor_test *test, const bool *gone, bool *can,
                                           struct cor_error *error) {
    return drop_by_group(test, gone, true, can, error);
}

enum cor_status sequence__test_join_chains(struct cor_test *test, uint32_t from, uint32_t to,
                                           struct cor_error *error) {
    struct cor_configuration *c = test->suite->configuration;
    uint32_t *number = NULL;
    bool *there = NULL;
    COR_ASSERT(from != to && c->profile_of_chain[from] == c->profile_of_chain[to]);
    enum cor_status status = make_scratch(c, &there, &number, error);
    if (status == COR_OK) {
        for (uint32_t g = 0; g < c->group_count; g++)
            if (c->chain_of_group[g] == from)
                c->chain_of_group[g] = to;
        for (size_t i = 0; c->other_chains && i < (size_t)c->group_count * c->profile_count; i++)
            if (c->other_chains[i] == from)
                c->other_chains[i] = to;
        drop_chains(test, there, number);
    }
    free(there);
    free(number);
    return status;
}

bool sequence__test_can_join(const struct cor_test *test, uint32_t group, bool mixed) {
    const struct cor_configuration *c = test->suite->configuration;
    const uint32_t *others = c->other_chains + (c->other_chains ? (size_t)group * c->profile_count : 0);
    if (c->other_chains && memcmp(others, others + c->profile_count, c->profile_count * sizeof *others) != 0)
        return false;
    return c->chain_of_group[group] == c->chain_of_group[group + 1] &&
           (mixed || c->type[c->group_start[group]] == c->type[c->group_start[group + 1]]);
}

void sequence__test_join_groups(struct cor_test *test, const bool *gone) {
    struct cor_configuration *c = test->suite->configuration;
    uint32_t groups = 1;
    for (uint32_t g = 1; g < c->group_count; g++) {
        if (gone[g - 1])
            continue;
        move_chains(c, groups, g);
        c->group_start[groups++] = c->group_start[g];
    }
    c->group_start[groups] = c->agent_count;
    c->group_count = groups;
}

enum cor_status sequence__test_merge_partitions(struct cor_test *test, const bool *gone,
                                                struct cor_error *error) {
    struct cor_configuration *c = test->suite->configuration;
    uint32_t merged = 0, before = c->initial_partitions;
    for (uint32_t p = before; c->kind != COR_STRUCTURE_PARTITIONING && p-- > 1;)
        if (gone[p - 1])
            COR_TRY(sequence__lists_merge(c, p, p - 1, error));
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        return COR_OK;
    for (uint32_t p = 1; p < before; p++) { /* p becomes p - merged: never above it, so none is met twice */
        merged += gone[p - 1];
        for (uint32_t i = 0; merged > 0 && i < c->agent_count; i++)
            if (c->initial_partition[i] == p)
                c->initial_partition[i] = p - merged;
    }
    c->initial_partitions -= merged;
    return COR_OK;
}

enum cor_status sequence__test_merge_two(struct cor_test *test, uint32_t from, uint32_t to,
                                         struct cor_error *error) {
    struct cor_configuration *c = test->suite->configuration;
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        return sequence__lists_merge(c, from, to, error);
    COR_ASSERT(to < from && from < c->initial_partitions);
    for (uint32_t i = 0; i < c->agent_count; i++)
        if (c->initial_partition[i] == from)
            c->initial_partition[i] = to;
        else if (c->initial_partition[i] > from)
            c->initial_partition[i]--;
    c->initial_partitions--;
    return COR_OK;
}
