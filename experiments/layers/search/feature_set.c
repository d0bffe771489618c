/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/feature_set.h>

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/test.h>

#include <stdlib.h>
#include <string.h>

#define DISTANCE_STEPS 16

struct cor_feature_collector {
    struct cor_feature_set set;         /* of the present test */
    uint32_t *features;                 /* owned */
    struct cor_feature_origin *origins; /* owned; [feature] */
    uint32_t *taken;                    /* owned; [profile][from][to] of the present walk */
    uint32_t *taken_since;              /* owned; likewise: the case in which its class was reached */
    size_t count, capacity, origin_capacity, taken_capacity, taken_since_capacity;
};

enum cor_status cor_feature_collector_create(struct cor_feature_collector **collector,
                                             struct cor_error *error) {
    *collector = cor_calloc(1, sizeof **collector);
    return cor_made(*collector, error);
}

void cor_feature_collector_destroy(struct cor_feature_collector *collector) {
    if (!collector)
        return;
    free(collector->features);
    free(collector->origins);
    free(collector->taken);
    free(collector->taken_since);
    free(collector);
}

uint32_t cor_count_class(uint64_t count) {
    static const uint32_t first[] = {1, 2, 3, 4, 8, 16, 32, 128};
    uint32_t class = 0;
    while (class < sizeof first / sizeof *first && count >= first[class])
        class ++;
    return class;
}

uint32_t cor_feature(enum cor_feature_kind kind, uint32_t about, uint32_t which, uint32_t class) {
    const uint64_t hash = cor_hash_word(cor_hash_word(COR_HASH_SEED, (uint64_t)kind << 32 | about),
                                        (uint64_t)which << 32 | class);
    return (uint32_t)(hash % COR_FEATURES);
}

uint32_t cor_feature_set_add(struct cor_feature_set *set, const uint32_t *features, uint32_t count) {
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        COR_ASSERT(features[i] < COR_FEATURES);
        uint64_t *word = &set->bits[features[i] / 64];
        const uint64_t bit = UINT64_C(1) << features[i] % 64;
        fresh += (*word & bit) == 0;
        *word |= bit;
    }
    return fresh;
}

uint32_t cor_feature_set_size(const struct cor_feature_set *set) {
    uint32_t size = 0;
    for (size_t i = 0; i < COR_FEATURES / 64; i++)
        for (uint64_t word = set->bits[i]; word != 0; word &= word - 1)
            size++;
    return size;
}

static enum cor_status put(struct cor_feature_collector *collector, enum cor_feature_kind kind,
                           uint32_t about, uint32_t which, uint32_t class, uint32_t since,
                           struct cor_error *error) {
    const uint32_t feature = cor_feature(kind, about, which, class);
    if (class == 0 || cor_feature_set_add(&collector->set, &feature, 1) == 0)
        return COR_OK;
    COR_TRY(COR_RESERVE(&collector->features, &collector->capacity, collector->count + 1, error));
    COR_TRY(COR_RESERVE(&collector->origins, &collector->origin_capacity, collector->count + 1, error));
    collector->origins[collector->count] = (struct cor_feature_origin){kind, since};
    collector->features[collector->count++] = feature;
    return COR_OK;
}

/* The case in which a cell of the probes came to the class that it has in the end; 0: nobody has observed. */
static uint32_t counted_since(const struct cor_feature_source *source, uint32_t cell) {
    uint64_t count = 0;
    uint32_t since = 0;
    for (uint32_t number = 1; source->observed && number <= source->cases; number++) {
        const uint64_t before = count;
        count += cor_tester_reaction(source->observed, number).counted[cell];
        if (cor_count_class(count) != cor_count_class(before))
            since = number;
    }
    return since;
}

static enum cor_status put_transitions(struct cor_feature_collector *collector,
                                       const struct cor_feature_source *source, struct cor_error *error) {
    const uint32_t profiles = source->suite->configuration->profile_count;
    enum cor_status status = COR_OK;
    size_t *start = cor_calloc((size_t)profiles + 1, sizeof *start);
    COR_TRY(cor_made(start, error));
    for (uint32_t p = 0; p < profiles; p++) {
        const size_t states = source->suite->profiles[p]->state_count;
        start[p + 1] = start[p] + states * states;
    }
    COR_TRY_OUT(COR_RESERVE(&collector->taken, &collector->taken_capacity, start[profiles] + 1, error));
    COR_TRY_OUT(
        COR_RESERVE(&collector->taken_since, &collector->taken_since_capacity, start[profiles] + 1, error));
    memset(collector->taken, 0, start[profiles] * sizeof *collector->taken);
    /* Transitions of all chains of one profile are counted together. */
    const struct cor_configuration *c = source->suite->configuration;
    const struct cor_walk *walk = &source->suite->recorded[0];
    for (uint32_t i = 0; i < source->cases && i < walk->case_count; i++) {
        const uint8_t *from = cor_walk_at(walk, i), *to = cor_walk_at(walk, i + 1);
        for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
            const uint32_t profile = c->profile_of_chain[chain];
            const size_t arc = start[profile] +
                               (size_t)from[chain] * source->suite->profiles[profile]->state_count +
                               to[chain];
            const uint32_t before = collector->taken[arc]++;
            if (cor_count_class(before) != cor_count_class(before + 1))
                collector->taken_since[arc] = i + 1;
        }
    }
    for (uint32_t p = 0; p < profiles; p++)
        for (size_t i = start[p]; i < start[p + 1]; i++)
            COR_TRY_OUT(put(collector, COR_FEATURE_TRANSITION, p, (uint32_t)(i - start[p]),
                            cor_count_class(collector->taken[i]), collector->taken_since[i], error));
out:
    free(start);
    return status;
}

/* What is left of a limit: nothing is something, too. */
static enum cor_status put_slack(struct cor_feature_collector *collector, uint32_t limit, int64_t slack,
                                 uint32_t since, struct cor_error *error) {
    const uint32_t sign = slack < 0;
    const uint64_t size = (uint64_t)(slack < 0 ? -slack : slack);
    return put(collector, COR_FEATURE_SLACK, limit, sign, 1 + cor_count_class(size), since, error);
}

static enum cor_status put_reorganizations(struct cor_feature_collector *collector,
                                           const struct cor_feature_source *source, struct cor_error *error) {
    const struct cor_configuration *c = source->suite->configuration;
    const size_t count = cor_record_size(source->record, COR_TABLE_REORGANIZATIONS);
    for (size_t i = 0; i < count; i++) {
        const struct cor_reorganization_row *row =
            cor_record_at(source->record, COR_TABLE_REORGANIZATIONS, i);
        const int64_t after = row->partitions_after, agents = c->agent_count;
        const uint32_t now = row->case_;
        COR_TRY(
            put(collector, COR_FEATURE_PARTITIONS, 0, 0, cor_count_class(row->partitions_after), now, error));
        COR_TRY(put_slack(collector, 5, (int64_t)c->limits.count_max - after, now, error));
        COR_TRY(put_slack(collector, 6, after - c->limits.count_min, now, error));
        COR_TRY(put_slack(collector, 7, agents - after * c->limits.size_min, now, error));
        COR_TRY(put_slack(collector, 8, after * c->limits.size_max - agents, now, error));
        COR_TRY(put(collector, COR_FEATURE_SEAM, 0, 0, cor_count_class(row->fault_reached), now, error));
        COR_TRY(put(collector, COR_FEATURE_SEAM, 1, 0, cor_count_class(row->fault_held), now, error));
        COR_TRY(put(collector, COR_FEATURE_SEAM, 2, 0, cor_count_class(row->fault_activated), now, error));
        COR_TRY(put(collector, COR_FEATURE_END, row->stop, row->smoke, 1, now, error));
    }
    return COR_OK;
}

static enum cor_status put_distances(struct cor_feature_collector *collector,
                                     const struct cor_feature_source *source, struct cor_error *error) {
    const double threshold = source->suite->configuration->threshold;
    const size_t count = cor_record_size(source->record, COR_TABLE_CASES);
    double most = 0;
    uint32_t since = 0;
    for (size_t i = 0; i < count; i++) {
        const struct cor_case_row *row = cor_record_at(source->record, COR_TABLE_CASES, i);
        if (row->dissimilarity > most) {
            most = row->dissimilarity;
            since = row->case_;
        }
    }
    const double steps = threshold > 0 ? DISTANCE_STEPS * most / threshold : most > 0 ? DISTANCE_STEPS : 0;
    const uint32_t step = steps < 4 * DISTANCE_STEPS ? (uint32_t)steps : 4 * DISTANCE_STEPS;
    return put(collector, COR_FEATURE_DISTANCE, 0, 0, 1 + step, since, error);
}

enum cor_status cor_features_collect(struct cor_feature_collector *collector,
                                     const struct cor_feature_source *source, const uint32_t **features,
                                     const struct cor_feature_origin **origins, uint32_t *count,
                                     struct cor_error *error) {
    memset(&collector->set, 0, sizeof collector->set);
    collector->count = 0;
    for (uint32_t c = 0; c < source->counter_count; c++)
        for (uint32_t i = source->probe_start[c]; i < source->probe_start[c + 1]; i++)
            COR_TRY(put(collector, COR_FEATURE_PROBE, c, i - source->probe_start[c],
                        cor_count_class(source->probes[i]), counted_since(source, i), error));
    COR_TRY(put_transitions(collector, source, error));
    /* Of the configuration: how many numbers of partitions the sizes leave, and the numbers themselves. */
    const struct cor_configuration *c = source->suite->configuration;
    const int64_t agents = c->agent_count, most = agents / c->limits.size_min,
                  least = (agents + c->limits.size_max - 1) / c->limits.size_max;
    COR_TRY(put_slack(collector, 0, most - c->limits.count_min, 0, error));
    COR_TRY(put_slack(collector, 1, (int64_t)c->limits.count_max - least, 0, error));
    COR_TRY(put_slack(collector, 2, most - least, 0, error));
    COR_TRY(put_slack(collector, 3, (int64_t)c->limits.count_max - c->limits.count_min, 0, error));
    COR_TRY(put_slack(collector, 4, (int64_t)c->limits.size_max - c->limits.size_min, 0, error));
    COR_TRY(put_reorganizations(collector, source, error));
    COR_TRY(put_distances(collector, source, error));
    *features = collector->features;
    *origins = collector->origins;
    *count = (uint32_t)collector->count;
    return COR_OK;
}
