/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/state.h>

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for as many partitions as agents, and as many again for those of a solution while it is adopted. */
static enum cor_status create_structure(struct cor_structure *structure, uint32_t agents,
                                        struct cor_error *error) {
    structure->partition_capacity = 2 * agents + 1;
    structure->partition = cor_calloc(agents, sizeof *structure->partition);
    structure->size = cor_calloc(structure->partition_capacity, sizeof *structure->size);
    structure->sum = cor_calloc(structure->partition_capacity, sizeof *structure->sum);
    return structure->partition && structure->size && structure->sum ? COR_OK : cor_fail_memory(error);
}

enum cor_status cor_state_create(const struct cor_configuration *configuration, struct cor_state **state,
                                 struct cor_error *error) {
    struct cor_state *s = *state = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    s->configuration = configuration;
    s->environment = cor_calloc(configuration->chain_count, sizeof *s->environment);
    s->agent_state = cor_calloc(configuration->agent_count, sizeof *s->agent_state);
    s->value = cor_calloc(configuration->agent_count, sizeof *s->value);
    enum cor_status status = create_structure(&s->structure, configuration->agent_count, error);
    if (status == COR_OK && !(s->environment && s->agent_state && s->value))
        status = cor_fail_memory(error);
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
    free(state->environment);
    free(state->agent_state);
    free(state->value);
    free(state->structure.partition);
    free(state->structure.size);
    free(state->structure.sum);
    free(state->structure.second);
    free(state);
}

void cor_state_restart(struct cor_state *state, const uint8_t *environment) {
    const struct cor_configuration *c = state->configuration;
    COR_ASSERT(c->initial_partitions > 0 && c->initial_partitions <= state->structure.partition_capacity);
    memmove(state->environment, environment, c->chain_count);
    memcpy(state->agent_state, c->initial_state, c->agent_count);
    memcpy(state->value, c->initial_value, c->agent_count * sizeof *state->value);
    memcpy(state->structure.partition, c->initial_partition,
           c->agent_count * sizeof *state->structure.partition);
    state->structure.partition_count = c->initial_partitions;
    state->structure.second_count = 0;
    cor_state_recount(state);
}

/* Room for so many partitions and second memberships; after a faulty adoption there may be any number. */
static enum cor_status reserve_structure(struct cor_structure *s, uint32_t partitions, size_t seconds,
                                         struct cor_error *error) {
    size_t sizes = s->partition_capacity, sums = s->partition_capacity;
    COR_TRY(COR_RESERVE(&s->second, &s->second_capacity, seconds, error));
    COR_TRY(COR_RESERVE(&s->size, &sizes, partitions, error));
    COR_TRY(COR_RESERVE(&s->sum, &sums, partitions, error));
    if (partitions > s->partition_capacity)
        s->partition_capacity = partitions;
    return COR_OK;
}

enum cor_status cor_state_copy(struct cor_state *state, const struct cor_state *other,
                               struct cor_error *error) {
    const struct cor_configuration *c = state->configuration;
    COR_ASSERT(other->configuration == c);
    struct cor_structure *to = &state->structure;
    const struct cor_structure *from = &other->structure;
    COR_TRY(reserve_structure(to, from->partition_count, from->second_count, error));
    memcpy(state->environment, other->environment, c->chain_count);
    memcpy(state->agent_state, other->agent_state, c->agent_count);
    memcpy(state->value, other->value, c->agent_count * sizeof *state->value);
    memcpy(to->partition, from->partition, c->agent_count * sizeof *to->partition);
    memcpy(to->size, from->size, from->partition_count * sizeof *to->size);
    memcpy(to->sum, from->sum, from->partition_count * sizeof *to->sum);
    if (from->second_count > 0)
        memcpy(to->second, from->second, from->second_count * sizeof *to->second);
    to->partition_count = from->partition_count;
    to->second_count = from->second_count;
    to->total = from->total;
    return COR_OK;
}

void cor_state_recount(struct cor_state *state) {
    struct cor_structure *s = &state->structure;
    COR_ASSERT(s->partition_count <= s->partition_capacity);
    memset(s->size, 0, s->partition_count * sizeof *s->size);
    memset(s->sum, 0, s->partition_count * sizeof *s->sum);
    s->total = 0;
    for (uint32_t i = 0; i < state->configuration->agent_count; i++) {
        s->total += state->value[i];
        if (s->partition[i] == COR_NOBODY)
            continue;
        s->size[s->partition[i]]++;
        s->sum[s->partition[i]] += state->value[i];
    }
    for (size_t i = 0; i < s->second_count; i++) {
        s->size[s->second[i].partition]++;
        s->sum[s->second[i].partition] += state->value[s->second[i].agent];
    }
}

bool cor_state_is_sound(const struct cor_state *state) {
    const struct cor_structure *s = &state->structure;
    double rest = 0;
    uint64_t members = s->second_count;
    for (uint32_t i = 0; i < state->configuration->agent_count; i++) {
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
    hash =
        cor_hash_bytes(hash, state->structure.partition, c->agent_count * sizeof *state->structure.partition);
    for (size_t i = 0; i < state->structure.second_count; i++) {
        const struct cor_membership *second = &state->structure.second[i];
        hash = cor_hash_word(hash, (uint64_t)second->agent << 32 | second->partition);
    }
    return hash;
}

/* The state after one whose row of cumulative bounds is `cumulative`, for 32 random bits of the agent's own.
 */
static uint8_t drawn_state(const uint32_t *cumulative, uint32_t identity,
                           const struct cor_stream_name *name) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_INFLUENCE;
    own.entity = identity;
    struct cor_rng rng = cor_rng_named(&own);
    uint32_t draw = (uint32_t)(cor_rng_word(&rng) >> 32);
    uint8_t to = 0;
    while (draw >= cumulative[to] && cumulative[to] != UINT32_MAX)
        to++;
    return to;
}

static bool idles(double idle_ratio, uint32_t identity, const struct cor_stream_name *name) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_IDLE;
    own.entity = identity;
    struct cor_rng rng = cor_rng_named(&own);
    return cor_rng_unit(&rng) < idle_ratio;
}

/* Agents first .. end - 1, all of one type and one group: what the environment is to them is looked up once,
 * and the columns are held in locals, because the compiler cannot know that no column overlaps another. Each
 * agent takes its next state, its value goes its share of the way to the state's level, and the sums follow.
 * Constants: `draws`, whether agents idle or draw their states: a loop that calls nothing keeps the running
 * total in a register, which makes it half as long; `totals`, whether there is one. */
static inline void change_agents(struct cor_state *state, const struct cor_effect *effect,
                                 uint8_t environment, uint32_t first, uint32_t end,
                                 const struct cor_stream_name *name, bool draws, bool totals) {
    size_t row = (size_t)effect->relevant[environment] * effect->state_count;
    const uint8_t *next = effect->next + row;
    const uint32_t *cumulative = effect->cumulative ? effect->cumulative + row * effect->state_count : NULL;
    const double *level = effect->level, *inertia = state->configuration->inertia;
    const uint32_t *partition = state->structure.partition;
    double idle_ratio = state->configuration->idle_ratio, total = state->structure.total;
    double *value = state->value, *sum = state->structure.sum;
    uint8_t *agent_state = state->agent_state;
    for (uint32_t agent = first; agent < end; agent++) {
        const uint32_t identity = draws ? cor_configuration_identity(state->configuration, agent) : 0;
        if (draws && idle_ratio > 0 && idles(idle_ratio, identity, name))
            continue;
        uint8_t now = agent_state[agent];
        now = draws && cumulative
                  ? drawn_state(cumulative + (size_t)now * effect->state_count, identity, name)
                  : next[now];
        double before = value[agent];
        double after = before + inertia[agent] * (level[now] - before);
        agent_state[agent] = now;
        value[agent] = after;
        if (totals)
            total += after - before;
        if (partition[agent] != COR_NOBODY)
            sum[partition[agent]] += after - before;
    }
    state->structure.total = total;
}

static uint32_t end_of_type(const struct cor_configuration *c, uint32_t first, uint32_t end) {
    uint32_t at = first + 1;
    while (at < end && c->type[at] == c->type[first])
        at++;
    return at;
}

void cor_state_perceive(struct cor_state *state, const uint8_t *environment,
                        const struct cor_stream_name *name) {
    const struct cor_configuration *c = state->configuration;
    const bool totals = c->measure != COR_MEASURE_RANGE;
    memmove(state->environment, environment, c->chain_count);
    for (uint32_t group = 0; group < c->group_count; group++) {
        uint32_t chain = c->chain_of_group[group];
        for (uint32_t first = c->group_start[group], end; first < c->group_start[group + 1]; first = end) {
            end = end_of_type(c, first, c->group_start[group + 1]);
            const struct cor_effect *effect = cor_configuration_effect(c, c->type[first], chain);
            if (c->idle_ratio > 0 || effect->cumulative)
                change_agents(state, effect, environment[chain], first, end, name, true, totals);
            else if (totals)
                change_agents(state, effect, environment[chain], first, end, name, false, true);
            else
                change_agents(state, effect, environment[chain], first, end, name, false, false);
        }
    }
    /* Second memberships follow an abnormal adoption, after which a sequence stops; their sums are recounted.
     */
    if (state->structure.second_count > 0)
        cor_state_recount(state);
    COR_VALIDATE(cor_state_is_sound(state));
}

enum cor_status cor_state_lists(const struct cor_state *state, struct cor_lists *lists,
                                struct cor_error *error) {
    const struct cor_structure *s = &state->structure;
    uint32_t agents = state->configuration->agent_count;
    COR_TRY(COR_RESERVE(&lists->members, &lists->member_capacity, agents + s->second_count, error));
    COR_TRY(COR_RESERVE(&lists->start, &lists->start_capacity, (size_t)s->partition_count + 2, error));
    /* Counting sort. start[p + 1] runs from the first to one past the last place of partition p while it is
     * filled. */
    uint32_t at = 0;
    lists->start[0] = 0;
    for (uint32_t p = 0; p < s->partition_count; p++) {
        lists->start[p + 1] = at;
        at += s->size[p];
    }
    for (uint32_t i = 0; i < agents; i++)
        if (s->partition[i] != COR_NOBODY)
            lists->members[lists->start[s->partition[i] + 1]++] = i;
    for (size_t i = 0; i < s->second_count; i++)
        lists->members[lists->start[s->second[i].partition + 1]++] = s->second[i].agent;
    lists->block_count = s->partition_count;
    lists->member_count = at;
    return COR_OK;
}

double cor_monitor_dissimilarity(const struct cor_state *state) {
    const struct cor_structure *s = &state->structure;
    COR_ASSERT(state->configuration->agent_count > 0 && s->partition_count <= s->partition_capacity);
    double mean = s->total / state->configuration->agent_count;
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
    struct cor_rng rng = cor_rng_named(&own);
    return cor_rng_unit(&rng) < probability;
}

bool cor_monitor_alarm(struct cor_monitor *monitor, const struct cor_configuration *configuration,
                       double dissimilarity, const struct cor_stream_name *name) {
    const struct cor_monitor_definition *definition = &configuration->monitor;
    bool outside = dissimilarity > configuration->threshold;
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
