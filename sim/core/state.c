/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <string.h>

/* Room for as many partitions as agents, and as many again for those of a solution while it is adopted. */
static enum cor_status create_structure(struct cor_structure *structure, uint32_t agents,
                                        struct cor_error *error) {
    structure->partition = cor_calloc(agents, sizeof *structure->partition);
    structure->member = cor_calloc(agents, sizeof *structure->member);
    structure->member_capacity = agents;
    COR_TRY(cor_made(structure->partition, error));
    COR_TRY(cor_made(structure->member, error));
    return core__structure_reserve(structure, 2 * agents + 1, error);
}

/* The same where the structure is lists: room for the initial ones, and that there are parents. */
static enum cor_status create_lists(struct cor_state *state, struct cor_error *error) {
    const struct cor_configuration *c = state->configuration;
    struct cor_structure *s = &state->structure;
    const struct cor_lists *initial = &c->initial_organizations;
    if (c->kind == COR_STRUCTURE_PARTITIONING)
        return COR_OK;
    COR_ASSERT(initial->block_count == c->initial_partitions);
    COR_TRY(COR_RESERVE(&s->member, &s->member_capacity, initial->member_count, error));
    if (cor_structure_nests(c->kind))
        COR_TRY(COR_RESERVE(&s->parent, &s->parent_capacity, s->partition_capacity, error));
    return core__structure_reserve(s, initial->block_count, error);
}

/* Whether each relevant state leads to one state, whichever an agent is in. */
static bool is_taken_over(const struct cor_effect *effect) {
    for (uint32_t r = 0; r < effect->relevant_count; r++) {
        const uint8_t *next = effect->next + (size_t)r * effect->state_count;
        for (uint32_t s = 1; s < effect->state_count; s++)
            if (next[s] != next[0])
                return false;
    }
    return true;
}

static enum cor_status create_segments(struct cor_state *state, struct cor_error *error) {
    const struct cor_configuration *c = state->configuration;
    size_t capacity = 0;
    for (uint32_t group = 0; group < c->group_count; group++) {
        for (uint32_t first = c->group_start[group], end; first < c->group_start[group + 1]; first = end) {
            uint32_t at = first + 1;
            while (at < c->group_start[group + 1] && c->type[at] == c->type[first])
                at++;
            end = at;
            const uint32_t chain = cor_configuration_chain(c, c->type[first], group);
            const struct cor_effect *effect = cor_configuration_effect(c, c->type[first], chain);
            COR_ASSERT(effect->state_count <= COR_IDLES);
            state->has_drawn_influences |= effect->cumulative != NULL;
            COR_TRY(COR_RESERVE(&state->segments, &capacity, state->segment_count + (size_t)1, error));
            state->segments[state->segment_count++] =
                (struct cor_segment){first, end, chain, group, is_taken_over(effect), effect};
        }
    }
    return COR_OK;
}

enum cor_status cor_state_create(const struct cor_configuration *configuration, struct cor_state **state,
                                 struct cor_error *error) {
    struct cor_state *s = *state = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    s->configuration = configuration;
    s->environment = cor_calloc(configuration->chain_count, sizeof *s->environment);
    s->agent_state = cor_calloc(configuration->agent_count, sizeof *s->agent_state);
    s->value = cor_calloc(configuration->agent_count, sizeof *s->value);
    s->step = cor_calloc(configuration->agent_count, sizeof *s->step);
    s->taken = cor_calloc(configuration->agent_count, sizeof *s->taken);
    s->present_count = configuration->agent_count;
    s->absent = configuration->presence_chain ? cor_calloc(configuration->agent_count, 1) : NULL;
    enum cor_status status = create_structure(&s->structure, configuration->agent_count, error);
    if (status == COR_OK && configuration->presence_chain && !s->absent)
        status = cor_fail_memory(error);
    if (status == COR_OK && !(s->environment && s->agent_state && s->value && s->step && s->taken))
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = create_lists(s, error);
    if (status == COR_OK)
        status = create_segments(s, error);
    if (status == COR_OK)
        status = core__attributes_create(s, error);
    if (status != COR_OK) {
        cor_state_destroy(s);
        *state = NULL;
        return status;
    }
    cor_state_restart(s, s->environment);
    return COR_OK;
}

void cor_state_destroy(struct cor_state *state) {
    if (!state)
        return;
    core__attributes_fini(state);
    COR_FREE(state->environment, state->agent_state, state->value, state->step, state->taken, state->absent,
             state->segments, state->structure.partition, state->structure.member, state->structure.start,
             state->structure.parent, state->structure.size, state->structure.sum, state->structure.second,
             state);
}

void cor_state_restart(struct cor_state *state, const uint8_t *environment) {
    const struct cor_configuration *c = state->configuration;
    COR_ASSERT((c->initial_partitions > 0 || c->kind == COR_STRUCTURE_OVERLAPPING) &&
               c->initial_partitions <= state->structure.partition_capacity);
    memmove(state->environment, environment, c->chain_count);
    memcpy(state->agent_state, c->initial_state, c->agent_count);
    memcpy(state->value, c->initial_value, c->agent_count * sizeof *state->value);
    if (c->kind == COR_STRUCTURE_PARTITIONING)
        memcpy(state->structure.partition, c->initial_partition,
               c->agent_count * sizeof *state->structure.partition);
    else {
        /* Makes these lists the structure, for which there is room. */
        struct cor_structure *s = &state->structure;
        const struct cor_lists *lists = &c->initial_organizations;
        COR_ASSERT(lists->block_count <= s->partition_capacity && lists->member_count <= s->member_capacity);
        s->start[0] = 0;
        if (lists->block_count > 0)
            memcpy(s->start, lists->start, (lists->block_count + (size_t)1) * sizeof *s->start);
        if (lists->member_count > 0)
            memcpy(s->member, lists->members, lists->member_count * sizeof *s->member);
        for (uint32_t o = 0; s->parent && o < lists->block_count; o++)
            s->parent[o] = lists->nests ? lists->parent[o] : COR_NOBODY;
    }
    state->structure.partition_count = c->initial_partitions;
    state->structure.second_count = 0;
    core__attributes_restart(state);
    if (state->absent)
        memset(state->absent, 0, c->agent_count);
    state->present_count = c->agent_count;
    if (!cor_state_attend(state, environment))
        cor_state_recount(state);
}

bool cor_state_attend(struct cor_state *state, const uint8_t *environment) {
    const struct cor_configuration *c = state->configuration;
    struct cor_structure *s = &state->structure;
    bool has_changed = false;
    for (uint32_t i = 0; state->absent && i < c->agent_count; i++) {
        const uint32_t chain = c->presence_chain[i];
        const bool is_away = chain != COR_NOBODY && environment[chain] != COR_HERE;
        if (is_away == (state->absent[i] != 0))
            continue;
        has_changed = true;
        state->absent[i] = is_away;
        state->present_count = is_away ? state->present_count - 1 : state->present_count + 1;
        s->partition[i] = COR_NOBODY;
        if (is_away)
            continue;
        state->agent_state[i] = c->initial_state[i];
        state->value[i] = c->initial_value[i];
        for (uint32_t a = 0; a < c->attribute_count; a++)
            state->attribute[a][i] = c->attributes[a].initial[i];
        state->are_attributes_old = true;
    }
    if (!has_changed)
        return false;
    /* Partitions without members dissolve, the others keep their order. */
    COR_ASSERT(c->kind == COR_STRUCTURE_PARTITIONING && s->second_count == 0);
    uint32_t *number = s->start, left = 0; /* is made anew by the recount */
    memset(number, 0, s->partition_count * sizeof *number);
    for (uint32_t i = 0; i < c->agent_count; i++)
        if (s->partition[i] != COR_NOBODY)
            number[s->partition[i]] = 1;
    for (uint32_t p = 0; p < s->partition_count; p++)
        number[p] = number[p] > 0 ? left++ : COR_NOBODY;
    for (uint32_t i = 0; i < c->agent_count; i++)
        if (s->partition[i] != COR_NOBODY)
            s->partition[i] = number[s->partition[i]];
    s->partition_count = left;
    cor_state_recount(state);
    return true;
}

uint32_t cor_state_outside(const struct cor_state *state) {
    const struct cor_structure *s = &state->structure;
    return state->present_count - s->start[s->partition_count];
}

enum cor_status core__structure_reserve(struct cor_structure *s, uint32_t partitions,
                                        struct cor_error *error) {
    size_t sizes = s->partition_capacity, sums = sizes, starts = sizes > 0 ? sizes + 1 : 0;
    COR_TRY(COR_RESERVE(&s->size, &sizes, partitions, error));
    COR_TRY(COR_RESERVE(&s->sum, &sums, partitions, error));
    COR_TRY(COR_RESERVE(&s->start, &starts, (size_t)partitions + 1, error));
    if (s->parent)
        COR_TRY(COR_RESERVE(&s->parent, &s->parent_capacity, partitions, error));
    if (partitions > s->partition_capacity)
        s->partition_capacity = partitions;
    return COR_OK;
}

/* The structure of another state, with the sums that it has there. */
static enum cor_status take_structure(struct cor_state *state, const struct cor_state *other,
                                      struct cor_error *error) {
    const struct cor_configuration *c = state->configuration;
    COR_ASSERT(other->configuration == c);
    struct cor_structure *to = &state->structure;
    const struct cor_structure *from = &other->structure;
    /* How many items of `member` there are at least. */
    const struct cor_structure *s = &other->structure;
    const size_t members = other->configuration->kind == COR_STRUCTURE_PARTITIONING
                               ? other->configuration->agent_count
                               : s->start[s->partition_count];
    COR_TRY(core__structure_reserve(to, from->partition_count, error));
    COR_TRY(COR_RESERVE(&to->member, &to->member_capacity, members, error));
    COR_TRY(COR_RESERVE(&to->second, &to->second_capacity, from->second_count, error));
    memcpy(to->partition, from->partition, c->agent_count * sizeof *to->partition);
    memcpy(to->member, from->member, members * sizeof *to->member);
    memcpy(to->start, from->start, (from->partition_count + (size_t)1) * sizeof *to->start);
    memcpy(to->size, from->size, from->partition_count * sizeof *to->size);
    memcpy(to->sum, from->sum, from->partition_count * sizeof *to->sum);
    if (from->parent)
        memcpy(to->parent, from->parent, from->partition_count * sizeof *to->parent);
    if (from->second_count > 0)
        memcpy(to->second, from->second, from->second_count * sizeof *to->second);
    to->partition_count = from->partition_count;
    to->second_count = from->second_count;
    to->total = from->total;
    return COR_OK;
}

enum cor_status cor_state_copy(struct cor_state *state, const struct cor_state *other,
                               struct cor_error *error) {
    const struct cor_configuration *c = state->configuration;
    COR_TRY(take_structure(state, other, error));
    memcpy(state->environment, other->environment, c->chain_count);
    memcpy(state->agent_state, other->agent_state, c->agent_count);
    memcpy(state->value, other->value, c->agent_count * sizeof *state->value);
    core__attributes_take(state, other);
    if (state->absent)
        memcpy(state->absent, other->absent, c->agent_count);
    state->present_count = other->present_count;
    return COR_OK;
}

enum cor_status cor_state_copy_structure(struct cor_state *state, const struct cor_state *other,
                                         struct cor_error *error) {
    COR_TRY(take_structure(state, other, error));
    cor_state_recount(state);
    return COR_OK;
}

/* Adds to each partition's sum what `column` has of its members, in their order: that of the agents. The
 * processor goes through several partitions at a time, because no addition to one sum waits for another's. */
static void add_members(struct cor_structure *s, const double *column) {
    const uint32_t *member = s->member;
    for (uint32_t p = 0; p < s->partition_count; p++) {
        double sum = s->sum[p];
        for (uint32_t m = s->start[p]; m < s->start[p + 1]; m++)
            sum += column[member[m]];
        s->sum[p] = sum;
    }
}

void core__state_sum(struct cor_state *state) {
    struct cor_structure *s = &state->structure;
    /* Who is in which partition, by a counting sort of the labels: start[p + 1] runs from the first to one
     * past the last place of partition p while it is filled. And the total of all values, whose additions
     * wait for each other while the sort goes on. */
    const uint32_t *partition = s->partition;
    uint32_t *member = s->member, *end = s->start + 1, at = s->start[0] = 0;
    double total = 0;
    for (uint32_t p = 0; p < s->partition_count; p++) {
        end[p] = at;
        at += s->size[p];
    }
    for (uint32_t i = 0; i < state->configuration->agent_count; i++) {
        if (!state->absent || !state->absent[i])
            total += state->value[i];
        if (partition[i] != COR_NOBODY)
            member[end[partition[i]]++] = i;
    }
    s->total = total;
    memset(s->sum, 0, s->partition_count * sizeof *s->sum);
    add_members(s, state->value);
    for (size_t i = 0; i < s->second_count; i++) {
        s->size[s->second[i].partition]++;
        s->sum[s->second[i].partition] += state->value[s->second[i].agent];
    }
}

void core__state_sum_lists(struct cor_state *state) {
    struct cor_structure *s = &state->structure;
    double total = 0;
    for (uint32_t i = 0; i < state->configuration->agent_count; i++)
        total += state->value[i];
    s->total = total;
    for (uint32_t o = 0; o < s->partition_count; o++)
        s->size[o] = s->start[o + 1] - s->start[o];
    memset(s->sum, 0, s->partition_count * sizeof *s->sum);
    add_members(s, state->value);
}

void cor_state_recount(struct cor_state *state) {
    COR_ASSERT(state->structure.partition_count <= state->structure.partition_capacity);
    const uint32_t agents = state->configuration->agent_count;
    if (state->configuration->kind != COR_STRUCTURE_PARTITIONING) {
        core__state_sum_lists(state);
        return;
    }
    memset(state->structure.size, 0, state->structure.partition_count * sizeof *state->structure.size);
    for (uint32_t i = 0; i < agents; i++)
        if (state->structure.partition[i] != COR_NOBODY)
            state->structure.size[state->structure.partition[i]]++;
    core__state_sum(state);
}

bool cor_state_is_sound(const struct cor_state *state) {
    const struct cor_structure *s = &state->structure;
    const bool has_labels = state->configuration->kind == COR_STRUCTURE_PARTITIONING;
    double rest = 0;
    uint64_t members = s->second_count;
    for (uint32_t m = 0; !has_labels && m < s->start[s->partition_count]; m++, members++)
        rest += state->value[s->member[m]];
    for (uint32_t i = 0; has_labels && i < state->configuration->agent_count; i++) {
        if (s->partition[i] == COR_NOBODY)
            continue;
        if (s->partition[i] >= s->partition_count)
            return false;
        rest += state->value[i];
        members++;
    }
    for (size_t i = 0; i < s->second_count; i++)
        rest += state->value[s->second[i].agent];
    for (uint32_t p = 0; p < s->partition_count; p++) {
        members -= s->size[p];
        rest -= s->sum[p];
    }
    return members == 0 && rest < 1e-6 && rest > -1e-6;
}

uint64_t cor_state_hash(const struct cor_state *state) {
    const struct cor_configuration *c = state->configuration;
    uint64_t hash = cor_hash_bytes(COR_HASH_SEED, state->environment, c->chain_count);
    hash = cor_hash_bytes(hash, state->agent_state, c->agent_count);
    hash = cor_hash_bytes(hash, state->value, c->agent_count * sizeof *state->value);
    if (state->absent)
        hash = cor_hash_bytes(hash, state->absent, c->agent_count);
    if (c->kind != COR_STRUCTURE_PARTITIONING) {
        const struct cor_structure *s = &state->structure;
        const size_t starts = s->partition_count + (size_t)1;
        hash = cor_hash_bytes(hash, s->start, starts * sizeof *s->start);
        hash = cor_hash_bytes(hash, s->member, s->start[s->partition_count] * sizeof *s->member);
        return s->parent ? cor_hash_bytes(hash, s->parent, s->partition_count * sizeof *s->parent) : hash;
    }
    hash =
        cor_hash_bytes(hash, state->structure.partition, c->agent_count * sizeof *state->structure.partition);
    for (size_t i = 0; i < state->structure.second_count; i++) {
        const struct cor_membership *second = &state->structure.second[i];
        hash = cor_hash_word(hash, (uint64_t)second->agent << 32 | second->partition);
    }
    return core__attributes_hash_state(hash, state);
}

/* The state after one whose row of cumulative bounds is `cumulative`, for 32 random bits. */
static uint8_t state_drawn(const uint32_t *cumulative, uint32_t draw) {
    uint8_t to = 0;
    while (draw >= cumulative[to] && cumulative[to] != UINT32_MAX)
        to++;
    return to;
}

static bool is_drawn(const struct cor_configuration *c, const struct cor_segment *segment) {
    return core__may_idle(c) || segment->effect->cumulative;
}

/* What these agents of a segment do in this case, into `taken`: the state that each takes, from one word of
 * its own, unless it idles, by another one. */
static void draw_taken(struct cor_state *state, const struct cor_segment *segment, uint32_t first,
                       uint32_t end, uint32_t relevant, const struct cor_stream_name *name) {
    const struct cor_configuration *c = state->configuration;
    const struct cor_effect *effect = segment->effect;
    struct cor_stream_name idling = *name, influence = *name;
    idling.purpose = COR_PURPOSE_IDLE;
    influence.purpose = COR_PURPOSE_INFLUENCE;
    for (uint32_t agent = first; agent < end; agent++) {
        idling.entity = influence.entity = cor_configuration_identity(c, agent);
        if (state->absent && state->absent[agent]) {
            state->taken[agent] = COR_IDLES;
            continue;
        }
        if (c->idle_ratio > 0 && cor_rng_first_unit(&idling) < c->idle_ratio) {
            state->taken[agent] = COR_IDLES;
            continue;
        }
        const size_t row = (size_t)relevant * effect->state_count + state->agent_state[agent];
        state->taken[agent] = effect->cumulative
                                  ? state_drawn(effect->cumulative + row * effect->state_count,
                                                (uint32_t)(cor_rng_first_word(&influence) >> 32))
                                  : effect->next[row];
    }
}

/* Where the values of these agents of a segment are going: the level of the state that each takes; an idle
 * one stays where it is. */
static void take_states(struct cor_state *state, const struct cor_segment *segment, uint32_t first,
                        uint32_t end, const uint8_t *taken) {
    const double *level = segment->effect->level, *value = state->value;
    uint8_t *agent_state = state->agent_state;
    double *goal = state->step;
    for (uint32_t agent = first; agent < end; agent++) {
        const bool idles = taken[agent] == COR_IDLES;
        const uint8_t now = idles ? agent_state[agent] : taken[agent];
        agent_state[agent] = now;
        goal[agent] = idles ? value[agent] : level[now];
    }
}

/* Four values, which the processor computes side by side, each as it would alone. */
typedef double four __attribute__((vector_size(4 * sizeof(double))));

/* The same where all agents take one state. */
static void take_over_state(struct cor_state *state, const struct cor_segment *segment, uint32_t relevant) {
    const uint8_t now = segment->effect->next[(size_t)relevant * segment->effect->state_count];
    const double level = segment->effect->level[now];
    const four levels = {level, level, level, level};
    const uint32_t states = now * UINT32_C(0x01010101), end = segment->end;
    uint8_t *agent_state = state->agent_state;
    double *goal = state->step;
    uint32_t agent = segment->first;
    for (; end - agent >= 4; agent += 4) {
        memcpy(agent_state + agent, &states, sizeof states);
        memcpy(goal + agent, &levels, sizeof levels);
    }
    for (; agent < end; agent++) {
        agent_state[agent] = now;
        goal[agent] = level;
    }
}

/* Every value goes its share of the way to its goal, which becomes the step it took. */
static inline void take_steps_of(uint32_t agents, const double *inertia, double *value, double *step) {
    uint32_t agent = 0;
    for (; agents - agent >= 4; agent += 4) {
        four share, before, goal;
        memcpy(&share, inertia + agent, sizeof share);
        memcpy(&before, value + agent, sizeof before);
        memcpy(&goal, step + agent, sizeof goal);
        four after = before + share * (goal - before), change = after - before;
        memcpy(value + agent, &after, sizeof after);
        memcpy(step + agent, &change, sizeof change);
    }
    for (; agent < agents; agent++) {
        double before = value[agent], after = before + inertia[agent] * (step[agent] - before);
        value[agent] = after;
        step[agent] = after - before;
    }
}

#if defined __x86_64__ && defined __GNUC__
__attribute__((target("avx2"))) static void take_wide_steps(uint32_t agents, const double *inertia,
                                                            double *value, double *step) {
    take_steps_of(agents, inertia, value, step);
}

static bool has_wide(void) {
    return __builtin_cpu_supports("avx2") != 0;
}
#else
#define take_wide_steps take_steps_of

static bool has_wide(void) {
    return false;
}
#endif

/* What of the environment matters to the agents of a segment now. */
static uint32_t relevant_state(const struct cor_configuration *c, const struct cor_segment *segment,
                               const uint8_t *environment) {
    const struct cor_effect *effect = segment->effect;
    uint32_t state = environment[segment->chain];
    if (effect->other_count == 0)
        return effect->relevant[state];
    uint32_t factor = effect->environment_states;
    for (uint32_t o = 0; o < effect->other_count; o++)
        factor /= effect->others[o].states; /* to begin with: the states of the first profile */
    const uint32_t *chains = c->other_chains + (size_t)segment->group * c->profile_count;
    for (uint32_t o = 0; o < effect->other_count; o++) {
        state += factor * environment[chains[effect->others[o].profile]];
        factor *= effect->others[o].states;
    }
    return effect->relevant[state];
}

void cor_state_perceive(struct cor_state *state, const uint8_t *environment,
                        const struct cor_stream_name *name) {
    const struct cor_configuration *c = state->configuration;
    for (uint32_t i = 0; cor_state_draws(state) && i < state->segment_count; i++) {
        const struct cor_segment *segment = &state->segments[i];
        if (is_drawn(c, segment))
            draw_taken(state, segment, segment->first, segment->end, relevant_state(c, segment, environment),
                       name);
    }
    cor_state_perceive_again(state, environment, state->taken);
}

void cor_state_perceive_again(struct cor_state *state, const uint8_t *environment, const uint8_t *taken) {
    const struct cor_configuration *c = state->configuration;
    struct cor_structure *s = &state->structure;
    memmove(state->environment, environment, c->chain_count);
    for (uint32_t i = 0; i < state->segment_count; i++) {
        const struct cor_segment *segment = &state->segments[i];
        uint32_t relevant = relevant_state(c, segment, environment);
        if (is_drawn(c, segment)) {
            take_states(state, segment, segment->first, segment->end, taken);
        } else if (segment->is_taken_over) {
            take_over_state(state, segment, relevant);
        } else {
            /* The same where nothing is drawn: a loop without calls, its columns in locals, because the
             * compiler cannot know that they do not overlap. */
            const uint8_t *next = segment->effect->next + (size_t)relevant * segment->effect->state_count;
            const double *level = segment->effect->level;
            uint8_t *agent_state = state->agent_state;
            double *goal = state->step;
            for (uint32_t agent = segment->first; agent < segment->end; agent++) {
                uint8_t now = next[agent_state[agent]];
                agent_state[agent] = now;
                goal[agent] = level[now];
            }
        }
    }
    if (has_wide())
        take_wide_steps(c->agent_count, c->inertia, state->value, state->step);
    else
        take_steps_of(c->agent_count, c->inertia, state->value, state->step);
    for (uint32_t i = 0; c->attribute_count > 0 && i < state->segment_count; i++)
        core__attributes_perceive(state, &state->segments[i], taken, state->segments[i].first,
                                  state->segments[i].end);
    if (c->measure != COR_MEASURE_RANGE)
        for (uint32_t agent = 0; agent < c->agent_count; agent++)
            s->total += state->step[agent];
    /* Second memberships follow an abnormal adoption, after which a sequence stops; their sums are
     * recounted. */
    if (s->second_count > 0)
        cor_state_recount(state);
    else
        add_members(s, state->step);
    COR_VALIDATE(cor_state_is_sound(state));
}

void cor_state_surround(struct cor_state *state, const uint8_t *environment) {
    memcpy(state->environment, environment, state->configuration->chain_count);
}

/* The segment that an agent is of. */
static uint32_t segment_of(const struct cor_state *state, uint32_t agent) {
    uint32_t low = 0, high = state->segment_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (agent < state->segments[middle].first)
            high = middle;
        else
            low = middle;
    }
    return low;
}

void cor_state_perceive_some(struct cor_state *state, const uint32_t *agents, const uint32_t *ordinal,
                             uint32_t count, const struct cor_stream_name *name) {
    const struct cor_configuration *c = state->configuration;
    struct cor_structure *s = &state->structure;
    struct cor_stream_name own = *name;
    const bool adds_alone = c->kind == COR_STRUCTURE_PARTITIONING && s->second_count == 0;
    if (!adds_alone)
        memset(state->step, 0, c->agent_count * sizeof *state->step);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t agent = agents[i];
        const struct cor_segment *segment = &state->segments[segment_of(state, agent)];
        own.ordinal = ordinal[i];
        draw_taken(state, segment, agent, agent + 1, relevant_state(c, segment, state->environment), &own);
        take_states(state, segment, agent, agent + 1, state->taken);
        const double before = state->value[agent],
                     after = before + c->inertia[agent] * (state->step[agent] - before);
        state->value[agent] = after;
        state->step[agent] = after - before;
        if (c->attribute_count > 0)
            core__attributes_perceive(state, segment, state->taken, agent, agent + 1);
        if (c->measure != COR_MEASURE_RANGE)
            s->total += state->step[agent];
        if (adds_alone && s->partition[agent] != COR_NOBODY)
            s->sum[s->partition[agent]] += state->step[agent];
    }
    if (s->second_count > 0)
        cor_state_recount(state);
    else if (!adds_alone)
        add_members(s, state->step);
    COR_VALIDATE(cor_state_is_sound(state));
}

enum cor_status cor_state_lists(const struct cor_state *state, struct cor_lists *lists,
                                struct cor_error *error) {
    const struct cor_structure *s = &state->structure;
    uint32_t agents = state->configuration->agent_count, members = s->start[s->partition_count];
    const size_t room = members > agents ? members : agents;
    COR_TRY(COR_RESERVE(&lists->members, &lists->member_capacity, room + s->second_count, error));
    if (s->parent) {
        COR_TRY(COR_RESERVE(&lists->parent, &lists->parent_capacity, s->partition_count, error));
        if (s->partition_count > 0)
            memcpy(lists->parent, s->parent, s->partition_count * sizeof *s->parent);
    }
    lists->nests = s->parent != NULL;
    COR_TRY(COR_RESERVE(&lists->start, &lists->start_capacity, (size_t)s->partition_count + 2, error));
    if (s->second_count > 0) {
        /* Partition after partition, second memberships at the end of theirs: start[p + 1] runs to its end
         * while they are put there. */
        uint32_t at = lists->start[0] = 0;
        for (uint32_t p = 0; p < s->partition_count; p++) {
            uint32_t count = s->start[p + 1] - s->start[p];
            if (count > 0)
                memcpy(lists->members + at, s->member + s->start[p], count * sizeof *s->member);
            lists->start[p + 1] = at + count;
            at += s->size[p];
        }
        for (size_t i = 0; i < s->second_count; i++)
            lists->members[lists->start[s->second[i].partition + 1]++] = s->second[i].agent;
    } else {
        memcpy(lists->members, s->member, members * sizeof *s->member);
        memcpy(lists->start, s->start, (s->partition_count + (size_t)1) * sizeof *s->start);
    }
    lists->block_count = s->partition_count;
    lists->member_count = members + (uint32_t)s->second_count;
    return COR_OK;
}

double cor_monitor_dissimilarity(const struct cor_state *state) {
    const struct cor_structure *s = &state->structure;
    COR_ASSERT(state->configuration->agent_count > 0 && s->partition_count <= s->partition_capacity);
    double mean = s->total / state->present_count; /* of nobody: there is no partition then */
    double low = INFINITY, high = -INFINITY, squares = 0;
    uint32_t counted = 0;
    for (uint32_t p = 0; p < s->partition_count; p++) {
        if (s->size[p] == 0)
            continue;
        double mu = s->sum[p] / s->size[p];
        low = mu < low ? mu : low;
        high = mu > high ? mu : high;
        squares += (mu - mean) * (mu - mean);
        counted++;
    }
    if (counted == 0)
        return 0;
    switch (state->configuration->measure) {
    case COR_MEASURE_RANGE:
        return high - low;
    case COR_MEASURE_MAX_DEVIATION:
        return high - mean > mean - low ? high - mean : mean - low;
    case COR_MEASURE_RMS:
        return sqrt(squares / counted);
    }
    COR_ASSERT(false && "a measure of terms.h");
}

static bool chance(double probability, const struct cor_stream_name *name) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_MONITOR_FAULT;
    own.entity = 0;
    return cor_rng_first_unit(&own) < probability;
}

bool cor_monitor_alarm(struct cor_monitor_memory *monitor, const struct cor_configuration *configuration,
                       double dissimilarity, const struct cor_stream_name *name) {
    return cor_monitor_raise(monitor, &configuration->monitor, dissimilarity > configuration->threshold,
                             name);
}

bool cor_monitor_raise(struct cor_monitor_memory *monitor, const struct cor_monitor_definition *definition,
                       bool outside, const struct cor_stream_name *name) {
    monitor->cases_outside = outside ? monitor->cases_outside + 1 : 0;
    switch (definition->fault) {
    case COR_MONITOR_FAULT_NONE:
        return outside;
    case COR_MONITOR_FAULT_MISSED:
        return outside && !chance(definition->probability, name);
    case COR_MONITOR_FAULT_FALSE:
        return outside || chance(definition->probability, name);
    case COR_MONITOR_FAULT_LATE:
        return monitor->cases_outside > definition->delay_cases;
    }
    COR_ASSERT(false && "a fault of terms.h");
}

void cor_state_write(struct cor_state *state, uint32_t column, const double *numbers) {
    const size_t bytes = state->configuration->agent_count * sizeof *numbers;
    COR_ASSERT(column <= state->configuration->attribute_count);
    state->are_attributes_old = true;
    if (column > 0) {
        memcpy(state->attribute[column - 1], numbers, bytes);
        return;
    }
    memcpy(state->value, numbers, bytes);
    cor_state_recount(state);
}
