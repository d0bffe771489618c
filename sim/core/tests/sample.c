/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static uint32_t some(struct cor_rng *rng, uint32_t low, uint32_t high) {
    return (uint32_t)cor_rng_between(rng, low, high);
}

/* Thresholds of a random row; about every third probability is zero, and the last positive one ends the row.
 */
static void fill_row(struct cor_rng *rng, uint32_t *row, uint32_t states) {
    uint32_t end = some(rng, 0, states - 1), reached = 0;
    for (uint32_t to = 0; to < states; to++) {
        uint32_t draw = cor_rng_below(rng, 3);
        if (draw > 0)
            reached += cor_rng_below(rng, UINT32_MAX - reached);
        row[to] = to < end ? reached : UINT32_MAX;
    }
}

static void fill_effect(struct cor_rng *rng, struct cor_configuration *c, uint32_t type, uint32_t profile,
                        uint32_t environment_states, uint32_t agent_states, bool probabilistic) {
    uint32_t relevant = some(rng, 1, environment_states);
    struct cor_effect *e = NULL;
    assert_int_equal(cor_configuration_set_effect(c, type, profile, environment_states, relevant,
                                                  agent_states, probabilistic, &e, NULL),
                     COR_OK);
    for (uint32_t i = 0; i < environment_states; i++)
        e->relevant[i] = (uint8_t)some(rng, 0, relevant - 1);
    for (uint32_t i = 0; i < relevant * agent_states; i++)
        e->next[i] = (uint8_t)some(rng, 0, agent_states - 1);
    for (uint32_t i = 0; probabilistic && i < relevant * agent_states; i++)
        fill_row(rng, e->cumulative + (size_t)i * agent_states, agent_states);
    for (uint32_t i = 0; i < agent_states; i++)
        e->level[i] = cor_rng_unit(rng);
}

static void fill_agents(struct cor_rng *rng, struct cor_configuration *c, uint32_t agent_states) {
    for (uint32_t i = 0; i < c->agent_count; i++) {
        c->type[i] = (uint16_t)some(rng, 0, c->type_count - 1);
        c->inertia[i] = 1 - cor_rng_unit(rng);
        c->initial_state[i] = (uint8_t)some(rng, 0, agent_states - 1);
        c->initial_value[i] = cor_rng_unit(rng);
        c->initial_partition[i] = i < c->initial_partitions ? i : some(rng, 0, c->initial_partitions - 1);
    }
    cor_rng_shuffle(rng, c->initial_partition, c->agent_count);
}

struct cor_configuration *sample_configuration(struct cor_rng *rng, uint32_t agents, bool probabilistic) {
    uint32_t groups = some(rng, 1, 6), chains = some(rng, 1, 3), types = some(rng, 1, 3);
    uint32_t profiles = some(rng, 1, 3), environment_states = some(rng, 2, 5), agent_states = some(rng, 2, 5);
    struct cor_configuration *c = NULL;
    assert_int_equal(cor_configuration_create(agents, groups, chains, types, profiles, &c, NULL), COR_OK);
    for (uint32_t i = 0; i < chains; i++)
        c->profile_of_chain[i] = (uint16_t)some(rng, 0, profiles - 1);
    for (uint32_t g = 0; g < groups; g++) {
        c->chain_of_group[g] = some(rng, 0, chains - 1);
        c->group_start[g + 1] = g + 1 == groups ? agents : some(rng, c->group_start[g], agents);
    }
    for (uint32_t t = 0; t < types; t++)
        for (uint32_t p = 0; p < profiles; p++)
            fill_effect(rng, c, t, p, environment_states, agent_states, probabilistic);
    c->initial_partitions = some(rng, 1, agents < 12 ? agents : 12);
    fill_agents(rng, c, agent_states);
    return c;
}

struct cor_configuration *sample_plain(uint32_t agents, uint32_t partitions) {
    struct cor_configuration *c = NULL;
    struct cor_effect *e = NULL;
    assert_int_equal(cor_configuration_create(agents, 1, 1, 1, 1, &c, NULL), COR_OK);
    assert_int_equal(cor_configuration_set_effect(c, 0, 0, 2, 1, 2, false, &e, NULL), COR_OK);
    e->next[1] = 1;
    e->level[1] = 1;
    c->group_start[1] = agents;
    c->initial_partitions = partitions;
    for (uint32_t i = 0; i < agents; i++) {
        c->inertia[i] = 1;
        c->initial_value[i] = (double)i / agents;
        c->initial_partition[i] = i % partitions;
    }
    return c;
}

struct cor_state *sample_state(const struct cor_configuration *configuration) {
    struct cor_state *state = NULL;
    assert_int_equal(cor_state_create(configuration, &state, NULL), COR_OK);
    return state;
}

void sample_environment(struct cor_rng *rng, const struct cor_configuration *c, uint8_t *environment) {
    for (uint32_t i = 0; i < c->chain_count; i++)
        environment[i] = (uint8_t)some(rng, 0, cor_configuration_effect(c, 0, i)->environment_states - 1);
}

double sample_chi_square_limit(uint32_t degrees) {
    double part = 2.0 / (9.0 * degrees), root = 1 - part + 4 * sqrt(part);
    return degrees * root * root * root;
}

void sample_assert_partitioning(const struct cor_state *state) {
    const struct cor_structure *s = &state->structure;
    uint32_t agents = state->configuration->agent_count;
    uint32_t *size = calloc(s->partition_count, sizeof *size);
    double *sum = calloc(s->partition_count, sizeof *sum), total = 0;
    assert_non_null(size);
    assert_non_null(sum);
    assert_int_equal(s->second_count, 0);
    for (uint32_t i = 0; i < agents; i++) {
        assert_in_range(s->partition[i], 0, s->partition_count - 1);
        size[s->partition[i]]++;
        sum[s->partition[i]] += state->value[i];
        total += state->value[i];
    }
    for (uint32_t p = 0; p < s->partition_count; p++) {
        assert_true(size[p] > 0);
        assert_int_equal(s->size[p], size[p]);
        assert_true(fabs(s->sum[p] - sum[p]) < 1e-9);
    }
    if (state->configuration->measure != COR_MEASURE_RANGE)
        assert_true(fabs(s->total - total) < 1e-9);
    free(size);
    free(sum);
}
