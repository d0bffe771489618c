/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_adopter_create(uint32_t agent_count, struct cor_adopter **adopter,
                                   struct cor_error *error) {
    struct cor_adopter *a = *adopter = cor_calloc(1, sizeof *a);
    COR_TRY(cor_made(a, error));
    size_t labels = a->label_capacity = 2 * (size_t)agent_count + 1;
    a->agent_count = agent_count;
    a->renamed = cor_calloc(labels, sizeof *a->renamed);
    a->count = cor_calloc(labels, sizeof *a->count);
    if (a->renamed && a->count)
        return COR_OK;
    cor_adopter_destroy(a);
    *adopter = NULL;
    return cor_fail_memory(error);
}

void cor_adopter_destroy(struct cor_adopter *adopter) {
    if (!adopter)
        return;
    cor_lists_fini(&adopter->before);
    cor_lists_fini(&adopter->now);
    free(adopter->renamed);
    free(adopter->count);
    free(adopter->places);
    free(adopter->parent);
    free(adopter->last);
    free(adopter->stays);
    free(adopter->unnamed);
    free(adopter->agent_start);
    free(adopter->agent_labels);
    free(adopter);
}

void cor_adopter_watch(struct cor_adopter *adopter, cor_move_watcher *watcher, void *context) {
    adopter->watcher = watcher;
    adopter->context = context;
}

bool core__struck(struct core__moving *moving) {
    const bool strikes = cor_rng_unit(&moving->rng) < moving->fault->probability;
    moving->drawn++;
    moving->struck += strikes;
    return strikes;
}

bool core__is_faulty(const struct core__moving *moving) {
    return moving->fault->fault != COR_ADOPTION_FAULT_NONE &&
           moving->fault->fault != COR_ADOPTION_FAULT_HALFWAY;
}

size_t core__moves_left(struct core__moving *moving, size_t moves) {
    if (moving->fault->fault != COR_ADOPTION_FAULT_HALFWAY || !core__struck(moving))
        return moves;
    moving->corrupted += (uint32_t)(moves - moves / 2);
    return moves / 2;
}

/* The structure on the way as lists: labels have gaps, and empty ones are no organizations. */
static enum cor_status show_move(struct core__moving *moving, struct cor_error *error) {
    struct cor_adopter *a = moving->adopter;
    const struct cor_structure *s = &moving->state->structure;
    const uint32_t agents = moving->state->configuration->agent_count,
                   labels = moving->first + moving->blocks;
    struct cor_lists *lists = &a->now;
    uint32_t *ends = a->count, at = 0;
    COR_TRY(COR_RESERVE(&lists->members, &lists->member_capacity, agents + s->second_count, error));
    COR_TRY(COR_RESERVE(&lists->start, &lists->start_capacity, labels + (size_t)1, error));
    memset(ends, 0, labels * sizeof *ends);
    for (uint32_t i = 0; i < agents; i++)
        if (s->partition[i] != COR_NOBODY)
            ends[s->partition[i]]++;
    for (size_t i = 0; i < s->second_count; i++)
        ends[s->second[i].partition]++;
    lists->block_count = 0;
    lists->start[0] = 0;
    for (uint32_t label = 0; label < labels; label++) {
        const uint32_t size = ends[label];
        ends[label] = at;
        at += size;
        if (size > 0)
            lists->start[++lists->block_count] = at;
    }
    lists->member_count = at;
    for (uint32_t i = 0; i < agents; i++)
        if (s->partition[i] != COR_NOBODY)
            lists->members[ends[s->partition[i]]++] = i;
    for (size_t i = 0; i < s->second_count; i++)
        lists->members[ends[s->second[i].partition]++] = s->second[i].agent;
    return a->watcher(a->context, lists, error);
}

/* The agent joins the partition of `block`; with a fault, sometimes something else happens. */
static enum cor_status move(struct core__moving *moving, uint32_t agent, uint32_t block,
                            struct cor_error *error) {
    COR_ASSERT(agent < moving->state->configuration->agent_count && block < moving->blocks);
    struct cor_structure *s = &moving->state->structure;
    enum cor_adoption_fault fault = moving->fault->fault;
    uint32_t target = moving->first + block;
    bool spoilt = false;
    if (core__is_faulty(moving))
        spoilt = core__struck(moving);
    if (spoilt && fault == COR_ADOPTION_FAULT_MISDIRECTED && moving->blocks < 2)
        spoilt = false; /* there is no other partition */
    moving->corrupted += spoilt ? 1 : 0;
    if (spoilt && fault == COR_ADOPTION_FAULT_LOST)
        target = COR_NOBODY;
    if (spoilt && fault == COR_ADOPTION_FAULT_MISDIRECTED) {
        uint32_t shift = cor_rng_below(&moving->rng, moving->blocks - 1);
        target = moving->first + (block + 1 + shift) % moving->blocks;
    }
    if (spoilt && fault == COR_ADOPTION_FAULT_DOUBLED && s->partition[agent] != COR_NOBODY) {
        const uint32_t partition = s->partition[agent];
        COR_TRY(COR_RESERVE(&s->second, &s->second_capacity, s->second_count + 1, error));
        s->second[s->second_count++] = (struct cor_membership){agent, partition};
    }
    s->partition[agent] = target;
    return moving->adopter->watcher ? show_move(moving, error) : COR_OK;
}

/* The same as moving all, where no move can be spoilt. */
static void place_all(const struct core__moving *moving, const struct cor_lists *solution, size_t limit) {
    uint32_t agents = moving->state->configuration->agent_count;
    uint32_t *partition = moving->state->structure.partition;
    const uint32_t *members = solution->members;
    for (uint32_t b = 0; b < solution->block_count; b++)
        for (uint32_t m = solution->start[b]; m < solution->start[b + 1] && m < limit; m++)
            if (members[m] < agents)
                partition[members[m]] = moving->first + b;
}

static enum cor_status move_all(struct core__moving *moving, const struct cor_lists *solution, size_t limit,
                                struct cor_error *error) {
    uint32_t agents = moving->state->configuration->agent_count;
    if (!core__is_faulty(moving) && !moving->adopter->watcher) {
        place_all(moving, solution, limit);
        return COR_OK;
    }
    for (uint32_t b = 0; b < solution->block_count; b++)
        for (uint32_t m = solution->start[b]; m < solution->start[b + 1] && m < limit; m++)
            if (solution->members[m] < agents)
                COR_TRY(move(moving, solution->members[m], b, error));
    return COR_OK;
}

static enum cor_status move_these(struct core__moving *moving, const struct cor_move *moves, size_t limit,
                                  struct cor_error *error) {
    uint32_t agents = moving->state->configuration->agent_count;
    for (size_t i = 0; i < limit; i++)
        if (moves[i].agent < agents && moves[i].block < moving->blocks)
            COR_TRY(move(moving, moves[i].agent, moves[i].block, error));
    return COR_OK;
}

/* A solution may have any number of blocks; ordinary ones fit the room there is from the start. */
static enum cor_status make_room(struct cor_adopter *a, struct cor_state *state,
                                 const struct cor_lists *solution, struct cor_error *error) {
    struct cor_structure *s = &state->structure;
    uint64_t labels = (uint64_t)s->partition_count + solution->block_count;
    if (labels <= s->partition_capacity && labels <= a->label_capacity)
        return COR_OK;
    if (labels >= COR_NOBODY)
        return cor_fail_memory(error);
    size_t renamed = a->label_capacity, counts = a->label_capacity;
    COR_TRY(core__structure_reserve(s, (uint32_t)labels, error));
    COR_TRY(COR_RESERVE(&a->renamed, &renamed, labels, error));
    COR_TRY(COR_RESERVE(&a->count, &counts, labels, error));
    a->label_capacity = labels > a->label_capacity ? labels : a->label_capacity;
    return COR_OK;
}

/* Gives labels from .. to - 1 that have members the next numbers, and these their sizes. */
static void name_labels(struct cor_adopter *a, struct cor_structure *s, uint32_t from, uint32_t to) {
    for (uint32_t label = from; label < to; label++) {
        const bool has_members = a->count[label] > 0 || a->renamed[label] > 0;
        s->size[s->partition_count] = a->count[label];
        a->renamed[label] = has_members ? s->partition_count++ : COR_NOBODY;
    }
}

/* Dissolves empty partitions: the solution's blocks first, then what remains of the old ones. Sizes are then
 * without second memberships. */
static void make_dense(struct cor_adopter *a, struct core__moving *moving) {
    struct cor_structure *s = &moving->state->structure;
    const uint32_t agents = moving->state->configuration->agent_count,
                   labels = moving->first + moving->blocks;
    uint32_t *partition = s->partition;
    COR_ASSERT(labels <= a->label_capacity && labels <= s->partition_capacity);
    memset(a->count, 0, labels * sizeof *a->count);
    memset(a->renamed, 0, labels * sizeof *a->renamed);
    for (uint32_t i = 0; i < agents; i++)
        if (partition[i] != COR_NOBODY)
            a->count[partition[i]]++;
    for (size_t i = 0; i < s->second_count; i++)
        a->renamed[s->second[i].partition] = 1;
    s->partition_count = 0;
    name_labels(a, s, moving->first, labels);
    name_labels(a, s, 0, moving->first);
    for (uint32_t i = 0; i < agents; i++)
        if (partition[i] != COR_NOBODY)
            partition[i] = a->renamed[partition[i]];
    for (size_t i = 0; i < s->second_count; i++)
        s->second[i].partition = a->renamed[s->second[i].partition];
}

static enum cor_status adopt(struct cor_adopter *adopter, struct cor_state *state,
                             const struct cor_lists *solution, const struct cor_move *moves,
                             size_t move_count, const struct cor_stream_name *name, size_t first_moves,
                             struct cor_adoption_report *report, struct cor_error *error) {
    COR_ASSERT(state->configuration->agent_count <= adopter->agent_count);
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_ADOPTION_FAULT;
    own.entity = 0;
    struct core__moving moving = {
        .adopter = adopter,
        .state = state,
        .fault = &state->configuration->adoption,
        .rng = cor_rng_named(&own),
        .first = state->structure.partition_count,
        .blocks = solution->block_count,
        .most = first_moves,
    };
    *report = (struct cor_adoption_report){0};
    COR_TRY(cor_state_lists(state, &adopter->before, error));
    COR_TRY(make_room(adopter, state, solution, error));
    if (state->configuration->kind != COR_STRUCTURE_PARTITIONING) {
        COR_TRY(core__adopt_lists(adopter, &moving, solution, moves, move_count, report, error));
        report->corrupted = moving.corrupted;
        report->drawn = moving.drawn;
        report->struck = moving.struck;
        report->moves = moving.moves;
        return COR_OK;
    }
    report->moves = core__moves_left(&moving, moves ? move_count : solution->member_count);
    const size_t limit = report->moves < first_moves ? report->moves : first_moves;
    COR_TRY(moves ? move_these(&moving, moves, limit, error) : move_all(&moving, solution, limit, error));
    make_dense(adopter, &moving);
    core__state_sum(state);
    COR_VALIDATE(cor_state_is_sound(state));
    report->corrupted = moving.corrupted;
    report->drawn = moving.drawn;
    report->struck = moving.struck;
    for (uint32_t p = 0; p < adopter->before.block_count; p++) {
        /* Agents of old partition `p` that are not in its heir, the new partition that holds most of them. */
        const uint32_t *members = cor_lists_block(&adopter->before, p);
        uint32_t size = cor_lists_size(&adopter->before, p), most = 0;
        for (uint32_t m = 0; m < size; m++)
            if (state->structure.partition[members[m]] != COR_NOBODY)
                adopter->count[state->structure.partition[members[m]]] = 0;
        for (uint32_t m = 0; m < size; m++) {
            uint32_t label = state->structure.partition[members[m]];
            if (label != COR_NOBODY && ++adopter->count[label] > most)
                most = adopter->count[label];
        }
        report->moved += size - most;
    }
    return COR_OK;
}

enum cor_status cor_adopt(struct cor_adopter *adopter, struct cor_state *state,
                          const struct cor_lists *solution, const struct cor_move *moves, size_t move_count,
                          const struct cor_stream_name *name, struct cor_adoption_report *report,
                          struct cor_error *error) {
    return adopt(adopter, state, solution, moves, move_count, name, SIZE_MAX, report, error);
}

enum cor_status cor_adopt_first(struct cor_adopter *adopter, struct cor_state *state,
                                const struct cor_lists *solution, const struct cor_move *moves,
                                size_t move_count, const struct cor_stream_name *name, size_t most,
                                struct cor_adoption_report *report, struct cor_error *error) {
    COR_ASSERT(!adopter->watcher);
    return adopt(adopter, state, solution, moves, move_count, name, most, report, error);
}
