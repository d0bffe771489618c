/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status adopt_lists(struct cor_adopter *adopter, struct core__moving *moving,
                                   const struct cor_lists *solution, const struct cor_move *moves,
                                   size_t move_count, struct cor_adoption_report *report,
                                   struct cor_error *error) COR_MUST_USE;

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
    COR_FREE(adopter->renamed, adopter->count, adopter->places, adopter->parent, adopter->last,
             adopter->stays, adopter->unnamed, adopter->agent_start, adopter->agent_labels, adopter);
}

void cor_adopter_watch(struct cor_adopter *adopter, cor_move_watcher *watcher, void *context) {
    adopter->watcher = watcher;
    adopter->context = context;
}

/* Does the fault of adoption strike this move? Drawn. */
static bool core__struck(struct core__moving *moving) {
    const bool strikes = cor_rng_unit(&moving->rng) < moving->fault->probability;
    moving->drawn++;
    moving->struck += strikes;
    return strikes;
}

/* Is there a fault that strikes moves? */
static bool is_faulty(const struct core__moving *moving) {
    return moving->fault->fault != COR_ADOPTION_FAULT_NONE &&
           moving->fault->fault != COR_ADOPTION_FAULT_HALFWAY;
}

/* How many of so many moves are carried out: half of them if a fault strikes, which is drawn. */
static size_t moves_left(struct core__moving *moving, size_t moves) {
    if (moving->fault->fault != COR_ADOPTION_FAULT_HALFWAY || !core__struck(moving))
        return moves;
    moving->corrupted += (uint32_t)(moves - moves / 2);
    return moves / 2;
}

/* Can the agent be moved: is there one of that number? */
static bool is_there(const struct core__moving *moving, uint32_t agent) {
    const struct cor_state *state = moving->state;
    return agent < state->configuration->agent_count && !(state->absent && state->absent[agent]);
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
    if (is_faulty(moving))
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

static enum cor_status move_all(struct core__moving *moving, const struct cor_lists *solution, size_t limit,
                                struct cor_error *error) {
    const uint32_t agents = moving->state->configuration->agent_count;
    if (!is_faulty(moving) && !moving->adopter->watcher && !moving->state->absent) {
        /* The same as moving all, where no move can be spoilt. */
        uint32_t *partition = moving->state->structure.partition;
        const uint32_t *members = solution->members;
        for (uint32_t b = 0; b < solution->block_count; b++)
            for (uint32_t m = solution->start[b]; m < solution->start[b + 1] && m < limit; m++)
                if (members[m] < agents)
                    partition[members[m]] = moving->first + b;
        return COR_OK;
    }
    for (uint32_t b = 0; b < solution->block_count; b++)
        for (uint32_t m = solution->start[b]; m < solution->start[b + 1] && m < limit; m++)
            if (is_there(moving, solution->members[m]))
                COR_TRY(move(moving, solution->members[m], b, error));
    return COR_OK;
}

static enum cor_status move_these(struct core__moving *moving, const struct cor_move *moves, size_t limit,
                                  struct cor_error *error) {
    for (size_t i = 0; i < limit; i++)
        if (is_there(moving, moves[i].agent) && moves[i].block < moving->blocks)
            COR_TRY(move(moving, moves[i].agent, moves[i].block, error));
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
    /* A solution may have any number of blocks; ordinary ones fit the room there is from the start. */
    struct cor_structure *s = &state->structure;
    uint64_t labels = (uint64_t)s->partition_count + solution->block_count;
    if (labels > s->partition_capacity || labels > adopter->label_capacity) {
        if (labels >= COR_NOBODY)
            return cor_fail_memory(error);
        size_t renamed = adopter->label_capacity, counts = adopter->label_capacity;
        COR_TRY(core__structure_reserve(s, (uint32_t)labels, error));
        COR_TRY(COR_RESERVE(&adopter->renamed, &renamed, labels, error));
        COR_TRY(COR_RESERVE(&adopter->count, &counts, labels, error));
        adopter->label_capacity = labels > adopter->label_capacity ? labels : adopter->label_capacity;
    }
    if (state->configuration->kind != COR_STRUCTURE_PARTITIONING) {
        COR_TRY(adopt_lists(adopter, &moving, solution, moves, move_count, report, error));
        report->corrupted = moving.corrupted;
        report->drawn = moving.drawn;
        report->struck = moving.struck;
        report->moves = moving.moves;
        return COR_OK;
    }
    report->moves = moves_left(&moving, moves ? move_count : solution->member_count);
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

/* ---- adoption where the structure is no partitioning: agents join and leave, organizations are hung anew.
 * What moves lead to is collected as places; then the new lists are made of these and of who stays. For who
 * looks on, the moves are made a second time, from the start and with the same draws: by then it is known
 * where organizations hang, and lists are made after each */

/* How many moves and hangings are still carried out, and whether somebody looks on. */
struct steps {
    size_t left;
    bool are_shown;
};

static bool take_step(struct steps *steps) {
    return steps->left > 0 && steps->left-- > 0;
}

/* No move is made yet. */
static void begin(struct cor_adopter *a) {
    memset(a->last, 0, a->agent_count * sizeof *a->last);
    memset(a->stays, true, a->agent_count);
    a->place_count = 0;
}

static enum cor_status add_place(struct cor_adopter *a, uint32_t agent, uint32_t label,
                                 struct cor_error *error) {
    COR_TRY(COR_RESERVE(&a->places, &a->place_capacity, a->place_count + 1, error));
    a->places[a->place_count++] = (struct core__place){agent, label};
    a->last[agent] = (uint32_t)a->place_count;
    return COR_OK;
}

/* Another block than `block`. */
static uint32_t draw_other_block(struct core__moving *moving, uint32_t block) {
    const uint32_t shift = cor_rng_below(&moving->rng, moving->blocks - 1);
    return (block + 1 + shift) % moving->blocks;
}

/* The agent joins a block. With its first move it leaves all organizations; where they nest, it leaves with
 * each move the one that it is in. */
static enum cor_status join(struct cor_adopter *a, struct core__moving *moving, uint32_t agent,
                            uint32_t block, struct cor_error *error) {
    const enum cor_adoption_fault fault = moving->fault->fault;
    const bool nests = cor_structure_nests(moving->state->configuration->kind);
    const bool leaves = a->last[agent] == 0 || nests;
    bool spoilt = is_faulty(moving) && core__struck(moving);
    if (fault == COR_ADOPTION_FAULT_MISDIRECTED && moving->blocks < 2)
        spoilt = false; /* there is no other organization */
    if (fault == COR_ADOPTION_FAULT_DOUBLED && !leaves)
        spoilt = false; /* nothing is left that could be left */
    moving->corrupted += spoilt;
    uint32_t target = moving->first + block;
    if (spoilt && fault == COR_ADOPTION_FAULT_LOST)
        target = COR_NOBODY;
    if (spoilt && fault == COR_ADOPTION_FAULT_MISDIRECTED)
        target = moving->first + draw_other_block(moving, block);
    if (!(spoilt && fault == COR_ADOPTION_FAULT_DOUBLED) && leaves) {
        if (a->last[agent] > 0)
            a->places[a->last[agent] - 1].label = COR_NOBODY;
        else
            a->stays[agent] = false;
    }
    return add_place(a, agent, target, error);
}

static void hang(struct cor_adopter *a, struct core__moving *moving, uint32_t block, uint32_t parent,
                 bool closes_circle) {
    const enum cor_adoption_fault fault = moving->fault->fault;
    bool spoilt = is_faulty(moving) && core__struck(moving);
    if (fault == COR_ADOPTION_FAULT_DOUBLED ||
        (fault == COR_ADOPTION_FAULT_MISDIRECTED && moving->blocks < 3))
        spoilt = false; /* it cannot hang twice, or there is no other */
    moving->corrupted += spoilt;
    if (spoilt && fault == COR_ADOPTION_FAULT_LOST)
        return;
    if (spoilt) {
        /* Neither where it should be nor below itself. */
        const uint32_t right = parent;
        do
            parent = draw_other_block(moving, block);
        while (parent == right);
    } else if (parent >= moving->blocks || closes_circle) {
        return;
    }
    a->parent[moving->first + block] = moving->first + parent;
}

/* The old organizations, as they were. */
static void hang_old(struct cor_adopter *a, const struct core__moving *moving) {
    for (uint32_t o = 0; o < moving->first; o++)
        a->parent[o] = a->before.nests ? a->before.parent[o] : COR_NOBODY;
}

/* Parents of all labels: of the old organizations as they were, of the solution's as they are hung. */
static enum cor_status hang_all(struct cor_adopter *a, struct core__moving *moving, struct steps *steps,
                                const struct cor_lists *solution, struct cor_error *error) {
    const uint32_t blocks = moving->blocks;
    hang_old(a, moving);
    for (uint32_t b = 0; b < blocks; b++)
        a->parent[moving->first + b] = COR_NOBODY;
    if (!solution->nests || !cor_structure_nests(moving->state->configuration->kind))
        return COR_OK;
    bool *closes = cor_calloc(blocks, sizeof *closes);
    COR_TRY(cor_made(closes, error));
    memset(a->count, 0, blocks * sizeof *a->count);
    /* Whether hanging a block as the solution says, after all blocks before it, closes a circle: where
     * parents go round, the last of the circle's blocks does. a->count: from which block each was passed. */
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t at = b;
        while (at < blocks && a->count[at] == 0) {
            a->count[at] = b + 1;
            at = solution->parent[at];
        }
        if (at >= blocks || a->count[at] != b + 1)
            continue;
        uint32_t last = at;
        for (uint32_t next = solution->parent[at]; next != at; next = solution->parent[next])
            last = next > last ? next : last;
        closes[last] = true;
    }
    for (uint32_t b = 0; b < blocks; b++)
        if (solution->parent[b] != COR_NOBODY && take_step(steps))
            hang(a, moving, b, solution->parent[b], closes[b]);
    free(closes);
    return COR_OK;
}

/* Each agent is in an organization at most once; count: members of each label. */
static void drop_repeated(struct cor_adopter *a, const struct core__moving *moving) {
    const uint32_t agents = moving->state->configuration->agent_count,
                   labels = moving->first + moving->blocks;
    uint32_t at = 0, *seen = a->renamed, *start = a->agent_start;
    memset(seen, 0, labels * sizeof *seen);
    memset(a->count, 0, labels * sizeof *a->count);
    for (uint32_t i = 0; i < agents; i++) {
        const uint32_t from = start[i], end = start[i + 1];
        start[i] = at;
        for (uint32_t k = from; k < end; k++) {
            const uint32_t label = a->agent_labels[k];
            if (seen[label] == i + 1)
                continue;
            seen[label] = i + 1;
            a->count[label]++;
            a->agent_labels[at++] = label;
        }
    }
    start[agents] = at;
}

/* Gives those of labels from .. to - 1 that remain the next numbers, and notes where they begin. */
static void name_labels_kinds(struct cor_adopter *a, struct cor_structure *s, uint32_t from, uint32_t to) {
    for (uint32_t label = from; label < to; label++) {
        if (a->renamed[label] == 0) {
            a->renamed[label] = COR_NOBODY;
            continue;
        }
        s->start[s->partition_count + 1] = s->start[s->partition_count] + a->count[label];
        a->renamed[label] = s->partition_count++;
    }
}

static enum cor_status put_structure(struct cor_adopter *a, const struct core__moving *moving,
                                     struct cor_error *error) {
    struct cor_structure *s = &moving->state->structure;
    const uint32_t agents = moving->state->configuration->agent_count,
                   labels = moving->first + moving->blocks;
    COR_TRY(COR_RESERVE(&s->member, &s->member_capacity, a->agent_start[agents], error));
    s->partition_count = s->start[0] = 0;
    name_labels_kinds(a, s, moving->first, labels);
    name_labels_kinds(a, s, 0, moving->first);
    for (uint32_t label = 0; s->parent && label < labels; label++)
        if (a->renamed[label] != COR_NOBODY)
            s->parent[a->renamed[label]] =
                a->parent[label] == COR_NOBODY ? COR_NOBODY : a->renamed[a->parent[label]];
    /* count: where the next member of an organization goes. */
    memcpy(a->count, s->start, s->partition_count * sizeof *a->count);
    for (uint32_t i = 0; i < agents; i++) {
        for (uint32_t k = a->agent_start[i]; k < a->agent_start[i + 1]; k++) {
            a->agent_labels[k] = a->renamed[a->agent_labels[k]];
            s->member[a->count[a->agent_labels[k]]++] = i;
        }
    }
    return COR_OK;
}

/* The structure that the moves so far have led to, in the state. */
static enum cor_status make_structure(struct cor_adopter *a, const struct core__moving *moving,
                                      struct cor_error *error) {
    /* Room for, and then the labels of, agent after agent: where it stays and where it came. */
    const uint32_t agents = moving->state->configuration->agent_count;
    const size_t most = a->before.member_count + a->place_count;
    uint32_t *start = a->agent_start;
    COR_TRY(COR_RESERVE(&a->agent_labels, &a->agent_labels_capacity, most, error));
    memset(start, 0, (agents + (size_t)1) * sizeof *start);
    for (uint32_t m = 0; m < a->before.member_count; m++)
        start[a->before.members[m]] += a->stays[a->before.members[m]];
    for (size_t i = 0; i < a->place_count; i++)
        start[a->places[i].agent] += a->places[i].label != COR_NOBODY;
    /* start[i] becomes the end of agent i, and runs down to its beginning while it is filled from behind. */
    for (uint32_t i = 1; i <= agents; i++)
        start[i] += start[i - 1];
    for (size_t i = a->place_count; i-- > 0;)
        if (a->places[i].label != COR_NOBODY)
            a->agent_labels[--start[a->places[i].agent]] = a->places[i].label;
    for (uint32_t o = moving->first; o-- > 0;)
        for (uint32_t m = a->before.start[o]; m < a->before.start[o + 1]; m++)
            if (a->stays[a->before.members[m]])
                a->agent_labels[--start[a->before.members[m]]] = o;
    drop_repeated(a, moving);
    /* Those organizations remain in which, or below which, is somebody: renamed = 1. In a tree, what remains
     * of the old structure is hung below the solution's first root. */
    const uint32_t labels = moving->first + moving->blocks;
    uint32_t root = moving->first;
    memset(a->renamed, 0, labels * sizeof *a->renamed);
    for (uint32_t label = 0; label < labels; label++)
        for (uint32_t at = label; a->count[label] > 0 && at != COR_NOBODY && a->renamed[at] == 0;
             at = a->parent[at])
            a->renamed[at] = 1;
    if (moving->state->configuration->kind == COR_STRUCTURE_TREE) {
        while (root < labels && !(a->renamed[root] == 1 && a->parent[root] == COR_NOBODY))
            root++;
        for (uint32_t o = 0; o < moving->first && root < labels; o++)
            if (a->parent[o] == COR_NOBODY)
                a->parent[o] = root;
    }
    return put_structure(a, moving, error);
}

/* Shows it to who looks on; where old organizations hang is then as it was. */
static enum cor_status show(struct cor_adopter *a, const struct core__moving *moving,
                            const struct steps *steps, struct cor_error *error) {
    if (!steps->are_shown)
        return COR_OK;
    COR_TRY(make_structure(a, moving, error));
    hang_old(a, moving);
    COR_TRY(cor_state_lists(moving->state, &a->now, error));
    return a->watcher(a->context, &a->now, error);
}

static enum cor_status move_agents(struct cor_adopter *a, struct core__moving *moving, struct steps *steps,
                                   const struct cor_lists *solution, const struct cor_move *moves,
                                   size_t move_count, struct cor_error *error) {
    const uint32_t agents = moving->state->configuration->agent_count;
    for (size_t i = 0; moves && i < move_count && take_step(steps); i++) {
        if (moves[i].agent >= agents || moves[i].block >= moving->blocks)
            continue;
        COR_TRY(join(a, moving, moves[i].agent, moves[i].block, error));
        COR_TRY(show(a, moving, steps, error));
    }
    for (uint32_t b = 0; !moves && b < moving->blocks; b++) {
        for (uint32_t m = solution->start[b]; m < solution->start[b + 1] && take_step(steps); m++) {
            if (solution->members[m] >= agents)
                continue;
            COR_TRY(join(a, moving, solution->members[m], b, error));
            COR_TRY(show(a, moving, steps, error));
        }
    }
    return COR_OK;
}

/* Marks who is to leave: whoever is in an organization, and the solution does not name. Counts them. */
static size_t find_leaving(struct cor_adopter *a, const struct core__moving *moving,
                           const struct cor_lists *solution) {
    const uint32_t agents = moving->state->configuration->agent_count;
    size_t count = 0;
    memset(a->unnamed, false, agents);
    if (moving->state->configuration->kind != COR_STRUCTURE_OVERLAPPING)
        return 0;
    for (uint32_t m = 0; m < a->before.member_count; m++)
        a->unnamed[a->before.members[m]] = true;
    for (uint32_t m = 0; m < solution->member_count; m++)
        if (solution->members[m] < agents)
            a->unnamed[solution->members[m]] = false;
    for (uint32_t i = 0; i < agents; i++)
        count += a->unnamed[i];
    return count;
}

static enum cor_status let_leave(struct cor_adopter *a, struct core__moving *moving, struct steps *steps,
                                 struct cor_error *error) {
    const uint32_t agents = moving->state->configuration->agent_count;
    for (uint32_t i = 0; i < agents; i++) {
        if (!a->unnamed[i] || !take_step(steps))
            continue;
        /* The agent, which the solution does not name, leaves all organizations. */
        const enum cor_adoption_fault fault = moving->fault->fault;
        bool spoilt = is_faulty(moving) && core__struck(moving);
        if (fault == COR_ADOPTION_FAULT_LOST ||
            (fault == COR_ADOPTION_FAULT_MISDIRECTED && moving->blocks == 0))
            spoilt = false; /* to arrive nowhere is what it wants */
        if (fault == COR_ADOPTION_FAULT_DOUBLED && !a->stays[i])
            spoilt = false; /* a move that the solution does not tell of came first */
        moving->corrupted += spoilt;
        a->stays[i] = spoilt && fault == COR_ADOPTION_FAULT_DOUBLED;
        if (spoilt && fault == COR_ADOPTION_FAULT_MISDIRECTED)
            COR_TRY(add_place(a, i, moving->first + cor_rng_below(&moving->rng, moving->blocks), error));
        COR_TRY(show(a, moving, steps, error));
    }
    return COR_OK;
}

/* So many moves once more, as they were made from `again` on. */
static enum cor_status move_again(struct cor_adopter *a, struct core__moving *again, struct steps steps,
                                  const struct cor_lists *solution, const struct cor_move *moves,
                                  size_t move_count, struct cor_error *error) {
    begin(a);
    COR_TRY(move_agents(a, again, &steps, solution, moves, move_count, error));
    return let_leave(a, again, &steps, error);
}

/* Adopts where the kind is no partitioning: `before` and room for labels are there. The new structure is
 * complete afterwards; adds to report->moved. */
static enum cor_status adopt_lists(struct cor_adopter *a, struct core__moving *moving,
                                   const struct cor_lists *solution, const struct cor_move *moves,
                                   size_t move_count, struct cor_adoption_report *report,
                                   struct cor_error *error) {
    const size_t agents = a->agent_count;
    if (!a->last) {
        a->last = cor_calloc(agents, sizeof *a->last);
        a->stays = cor_calloc(agents, sizeof *a->stays);
        a->unnamed = cor_calloc(agents, sizeof *a->unnamed);
        a->agent_start = cor_calloc(agents + 1, sizeof *a->agent_start);
        COR_TRY(cor_made(a->last, error));
    }
    COR_TRY(cor_made(a->stays, error));
    COR_TRY(cor_made(a->unnamed, error));
    COR_TRY(cor_made(a->agent_start, error));
    COR_TRY(COR_RESERVE(&a->parent, &a->parent_capacity, (size_t)moving->first + moving->blocks, error));
    size_t all = moves ? move_count : solution->member_count;
    size_t hangings = 0;
    for (uint32_t b = 0; solution->nests && b < moving->blocks; b++)
        hangings += solution->parent[b] != COR_NOBODY;
    all += find_leaving(a, moving, solution) + hangings;
    struct steps steps = {moves_left(moving, all), false};
    const size_t left = steps.left, by_agents = all - hangings;
    struct core__moving again = *moving;
    moving->moves = left < by_agents ? left : by_agents;
    begin(a);
    COR_TRY(move_agents(a, moving, &steps, solution, moves, move_count, error));
    COR_TRY(let_leave(a, moving, &steps, error));
    COR_TRY(hang_all(a, moving, &steps, solution, error));
    if (a->watcher)
        COR_TRY(move_again(a, &again, (struct steps){left, true}, solution, moves, move_count, error));
    if (moving->most < moving->moves) /* organizations hang where they will, as for who looks on */
        COR_TRY(
            move_again(a, &again, (struct steps){moving->most, false}, solution, moves, move_count, error));
    COR_TRY(make_structure(a, moving, error));
    core__state_sum_lists(moving->state);
    COR_VALIDATE(cor_state_is_sound(moving->state));
    /* Members of old organizations that are not in the heir, the new organization that holds most of them. */
    uint32_t moved = 0;
    for (uint32_t o = 0; o < a->before.block_count; o++) {
        const uint32_t *members = cor_lists_block(&a->before, o), size = cor_lists_size(&a->before, o);
        uint32_t most = 0;
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t m = 0; m < size; m++)
                for (uint32_t k = a->agent_start[members[m]]; k < a->agent_start[members[m] + 1]; k++) {
                    uint32_t *count = &a->count[a->agent_labels[k]];
                    *count = pass == 0 ? 0 : *count + 1;
                    most = *count > most ? *count : most;
                }
        moved += size - most;
    }
    report->moved += moved;
    return COR_OK;
}
