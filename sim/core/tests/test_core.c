/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state and how it changes with the environment, against a computation of its own. */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The stream that a single draw of one agent comes from. */
static struct cor_rng agent_stream(const struct cor_stream_name *name, enum cor_purpose purpose,
                                   uint32_t agent) {
    struct cor_stream_name own = *name;
    own.purpose = purpose;
    own.entity = agent;
    return cor_rng_named(&own);
}

/* Which group an agent is in, by search. */
static uint32_t group_of(const struct cor_configuration *c, uint32_t agent) {
    for (uint32_t g = 0; g < c->group_count; g++)
        if (agent >= c->group_start[g] && agent < c->group_start[g + 1])
            return g;
    fail();
    return 0;
}

/* The next state by adding up probabilities in units of 2^-32. */
static uint8_t next_of_row(const uint32_t *cumulative, uint32_t states, uint64_t draw) {
    uint64_t before = 0;
    for (uint32_t to = 0; to < states; to++) {
        uint64_t end = cumulative[to] == UINT32_MAX ? UINT64_C(1) << 32 : cumulative[to];
        if (draw >= before && draw < end)
            return (uint8_t)to;
        before = end;
    }
    fail();
    return 0;
}

/* One agent's next state and value, for one case; false if it idles. */
static bool naive_agent(const struct cor_configuration *c, uint32_t agent, const uint8_t *environment,
                        const struct cor_stream_name *name, uint8_t *agent_state, double *value) {
    const uint32_t identity = c->agent_identity ? c->agent_identity[agent] : agent;
    struct cor_rng idle = agent_stream(name, COR_PURPOSE_IDLE, identity);
    struct cor_rng influence = agent_stream(name, COR_PURPOSE_INFLUENCE, identity);
    if (cor_rng_unit(&idle) < c->idle_ratio)
        return false;
    uint32_t chain = c->chain_of_group[group_of(c, agent)];
    const struct cor_effect *e = &c->effects[c->type[agent] * c->profile_count + c->profile_of_chain[chain]];
    uint32_t row = e->relevant[environment[chain]] * e->state_count + *agent_state;
    if (e->cumulative)
        *agent_state = next_of_row(e->cumulative + (size_t)row * e->state_count, e->state_count,
                                   cor_rng_word(&influence) >> 32);
    else
        *agent_state = e->next[row];
    *value += c->inertia[agent] * (e->level[*agent_state] - *value);
    return true;
}

/* Identities as of agents that are left of more: gaps of any width, the first one not 0. */
static void leave_out_agents(struct cor_rng *rng, struct cor_configuration *c) {
    uint32_t next = 0;
    c->agent_identity = malloc(c->agent_count * sizeof *c->agent_identity);
    assert_non_null(c->agent_identity);
    for (uint32_t agent = 0; agent < c->agent_count; agent++)
        next = 1 + (c->agent_identity[agent] = next + 1 + cor_rng_below(rng, 5));
    c->identity_count = next;
}

/* One case, agent after agent: states, values and the sums of partitions and of all, each addition in its
 * turn. */
static void naive_case(const struct cor_configuration *c, const uint8_t *environment,
                       const struct cor_stream_name *name, uint8_t *states, double *values, double *sums,
                       double *total) {
    for (uint32_t agent = 0; agent < c->agent_count; agent++) {
        const double before = values[agent];
        (void)naive_agent(c, agent, environment, name, &states[agent], &values[agent]);
        sums[c->initial_partition[agent]] += values[agent] - before;
        *total += values[agent] - before;
    }
}

/* Each relevant state leads all agents to one state. */
static void take_over(struct cor_configuration *c) {
    for (uint32_t i = 0; i < c->type_count * c->profile_count; i++) {
        const struct cor_effect *e = &c->effects[i];
        for (uint32_t row = 0; row < e->relevant_count; row++)
            memset(e->next + (size_t)row * e->state_count, e->next[(size_t)row * e->state_count],
                   e->state_count);
    }
}

/* Another state of the configuration repeats the case without its draws, whatever its name. */
static void repeat_case(struct cor_state *repeated, const struct cor_state *state) {
    cor_state_perceive_again(repeated, state->environment, state->taken);
    assert_true(cor_state_hash(repeated) == cor_state_hash(state));
    assert_memory_equal(repeated->structure.sum, state->structure.sum,
                        state->structure.partition_count * sizeof(double));
    assert_true(repeated->structure.total == state->structure.total);
}

static void follow_cases(struct cor_rng *rng, bool probabilistic, double idle_ratio, bool left_out,
                         bool taken_over) {
    struct cor_configuration *c = sample_configuration(rng, 1 + cor_rng_below(rng, 60), probabilistic);
    c->idle_ratio = idle_ratio;
    c->measure = cor_rng_below(rng, 2) > 0 ? COR_MEASURE_RANGE : COR_MEASURE_RMS;
    if (left_out)
        leave_out_agents(rng, c);
    if (taken_over)
        take_over(c);
    struct cor_state *state = sample_state(c), *repeated = sample_state(c);
    assert_true(cor_state_draws(state) == (probabilistic || idle_ratio > 0));
    uint8_t *environment = malloc(c->chain_count), *states = malloc(c->agent_count);
    double *values = malloc(c->agent_count * sizeof *values);
    double sums[12] = {0}, total = 0;
    assert_true(environment && states && values);
    memcpy(states, c->initial_state, c->agent_count);
    memcpy(values, c->initial_value, c->agent_count * sizeof *values);
    for (uint32_t agent = 0; agent < c->agent_count; agent++) {
        sums[c->initial_partition[agent]] += values[agent];
        total += values[agent];
    }
    for (uint32_t i = 0; i < 50; i++) {
        struct cor_stream_name name = {.seed = 9, .identity = i, .sequence = 4, .purpose = COR_PURPOSE_TEST};
        sample_environment(rng, c, environment);
        cor_state_perceive(state, environment, &name);
        naive_case(c, environment, &name, states, values, sums, &total);
        assert_memory_equal(state->environment, environment, c->chain_count);
        assert_memory_equal(state->agent_state, states, c->agent_count);
        assert_memory_equal(state->value, values, c->agent_count * sizeof *values);
        assert_memory_equal(state->structure.sum, sums, c->initial_partitions * sizeof *sums);
        if (c->measure != COR_MEASURE_RANGE)
            assert_true(state->structure.total == total);
        sample_assert_partitioning(state);
        repeat_case(repeated, state);
    }
    free(environment);
    free(states);
    free(values);
    cor_state_destroy(repeated);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

static void agents_follow_their_cases_as_defined(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 31});
    for (int i = 0; i < 80; i++)
        follow_cases(&rng, i % 2 == 1, i % 4 < 2 ? 0 : 0.3, false, i % 3 == 0);
}

static void draws_of_agents_that_are_left_keep_their_names(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 32});
    for (int i = 0; i < 80; i++)
        follow_cases(&rng, i % 2 == 1, i % 4 < 2 ? 0 : 0.3, true, i % 3 == 0);
}

/* Chi-square of counts against a row of thresholds, cells that expect fewer than five draws together with the
 * next; *degrees is the number of cells less one. */
static double chi_square_of_row(const uint32_t *cumulative, uint32_t states, const uint32_t *counts,
                                uint32_t draws, uint32_t *degrees) {
    double sum = 0, before = 0, expected = 0, counted = 0;
    uint32_t cells = 0;
    for (uint32_t to = 0; to < states && before < 1; to++) {
        double end = cumulative[to] == UINT32_MAX ? 1 : cumulative[to] * 0x1p-32;
        expected += draws * (end - before);
        counted += counts[to];
        before = end;
        if (expected < 5)
            continue;
        sum += (counted - expected) * (counted - expected) / expected;
        expected = counted = 0;
        cells++;
    }
    *degrees = cells > 0 ? cells - 1 : 0;
    return sum;
}

/* One agent, one row: what a row says is how often each state follows. Returns whether it leaves a choice. */
static bool check_row(struct cor_rng *rng) {
    enum { DRAWS = 2000, AGENT = 1 };
    struct cor_configuration *c = sample_configuration(rng, 2, true);
    struct cor_state *state = sample_state(c);
    uint32_t chain = c->chain_of_group[group_of(c, AGENT)], counts[5] = {0}, degrees, reached = 0;
    const struct cor_effect *e = cor_configuration_effect(c, c->type[AGENT], chain);
    uint8_t environment[3] = {0, 0, 0};
    for (uint32_t i = 0; i < DRAWS; i++) {
        cor_state_restart(state, environment);
        cor_state_perceive(state, environment, &(struct cor_stream_name){.seed = 77, .identity = i});
        counts[state->agent_state[AGENT]]++;
    }
    const uint32_t *cumulative =
        e->cumulative + (e->relevant[0] * e->state_count + c->initial_state[AGENT]) * (size_t)e->state_count;
    double found = chi_square_of_row(cumulative, e->state_count, counts, DRAWS, &degrees);
    assert_true(found <= (degrees > 0 ? sample_chi_square_limit(degrees) : 1e-3));
    for (uint32_t to = 0; to < e->state_count; to++) { /* what has no probability never follows */
        if (cumulative[to] == reached)
            assert_int_equal(counts[to], 0);
        reached = cumulative[to];
    }
    cor_state_destroy(state);
    cor_configuration_destroy(c);
    return degrees > 0;
}

static void states_follow_as_often_as_their_row_says(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 32});
    int choices = 0;
    for (int i = 0; i < 25; i++)
        choices += check_row(&rng);
    assert_true(choices >= 12);
}

/* A draw of r leads to state 0 when the threshold is r + 1, to state 1 when it is r. */
static void a_draw_below_the_threshold_leads_to_its_state(void **unused) {
    (void)unused;
    struct cor_configuration *c = NULL;
    struct cor_effect *e = NULL;
    assert_int_equal(cor_configuration_create(1, 1, 1, 1, 1, &c, NULL), COR_OK);
    assert_int_equal(cor_configuration_set_effect(c, 0, 0, 1, 1, 3, true, &e, NULL), COR_OK);
    c->group_start[1] = 1;
    c->inertia[0] = 1;
    c->initial_partitions = 1;
    struct cor_state *state = sample_state(c);
    for (uint64_t i = 0; i < 100; i++) {
        struct cor_stream_name name = {.identity = i};
        struct cor_rng rng = agent_stream(&name, COR_PURPOSE_INFLUENCE, 0);
        uint32_t draw = (uint32_t)(cor_rng_word(&rng) >> 32);
        static const uint8_t environment[1] = {0};
        e->cumulative[1] = e->cumulative[2] = UINT32_MAX;
        for (uint32_t more = 0; more < 2; more++) {
            e->cumulative[0] = draw + more;
            cor_state_restart(state, environment);
            cor_state_perceive(state, environment, &name);
            assert_int_equal(state->agent_state[0], more ? 0 : 1);
        }
    }
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

/* Agents in state 1 take level 1 at once unless they idle. */
static double idle_share(double ratio) {
    enum { AGENTS = 1000, CASES = 20 };
    struct cor_configuration *c = sample_plain(AGENTS, 10);
    static const uint8_t environment[1] = {0};
    memset(c->initial_state, 1, AGENTS);
    c->idle_ratio = ratio;
    struct cor_state *state = sample_state(c);
    uint32_t idle = 0;
    for (uint64_t i = 0; i < CASES; i++) {
        cor_state_restart(state, environment);
        cor_state_perceive(state, environment, &(struct cor_stream_name){.seed = 5, .identity = i});
        for (uint32_t agent = 0; agent < AGENTS; agent++)
            idle += state->value[agent] != 1;
    }
    cor_state_destroy(state);
    cor_configuration_destroy(c);
    return (double)idle / (AGENTS * CASES);
}

static void agents_idle_at_the_given_share(void **unused) {
    (void)unused;
    assert_true(idle_share(0) == 0);
    assert_true(idle_share(1) == 1);
    static const double ratios[] = {0.01, 0.3, 0.9};
    for (int i = 0; i < 3; i++)
        assert_true(fabs(idle_share(ratios[i]) - ratios[i]) < 4 * sqrt(ratios[i] * (1 - ratios[i]) / 20000));
}

/* The sums are kept up by additions alone for 10,000 cases. */
static void sums_do_not_drift(enum cor_measure measure) {
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 33});
    struct cor_configuration *c = sample_configuration(&rng, 100, false);
    c->measure = measure;
    struct cor_state *state = sample_state(c), *anew = sample_state(c);
    uint8_t environment[3];
    for (uint64_t i = 0; i < 10000; i++) {
        sample_environment(&rng, c, environment);
        cor_state_perceive(state, environment, &(struct cor_stream_name){.seed = 6, .identity = i});
        if (i % 100 != 99)
            continue;
        assert_int_equal(cor_state_copy(anew, state, NULL), COR_OK);
        cor_state_recount(anew);
        for (uint32_t p = 0; p < state->structure.partition_count; p++)
            assert_true(fabs(anew->structure.sum[p] - state->structure.sum[p]) < 1e-9);
        if (measure != COR_MEASURE_RANGE)
            assert_true(fabs(anew->structure.total - state->structure.total) < 1e-9);
        assert_true(fabs(cor_monitor_dissimilarity(anew) - cor_monitor_dissimilarity(state)) < 1e-9);
    }
    sample_assert_partitioning(state);
    cor_state_destroy(anew);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

static void the_sums_do_not_drift(void **unused) {
    (void)unused;
    sums_do_not_drift(COR_MEASURE_RANGE);
    sums_do_not_drift(COR_MEASURE_MAX_DEVIATION);
    sums_do_not_drift(COR_MEASURE_RMS);
}

static void a_new_state_is_the_initial_one(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 34});
    struct cor_configuration *c = sample_configuration(&rng, 50, false);
    struct cor_state *state = sample_state(c);
    static const uint8_t zero[3] = {0};
    assert_memory_equal(state->environment, zero, c->chain_count);
    assert_memory_equal(state->agent_state, c->initial_state, c->agent_count);
    assert_memory_equal(state->value, c->initial_value, c->agent_count * sizeof *c->initial_value);
    assert_memory_equal(state->structure.partition, c->initial_partition,
                        c->agent_count * sizeof *c->initial_partition);
    assert_int_equal(state->structure.partition_count, c->initial_partitions);
    sample_assert_partitioning(state);
    cor_state_destroy(state);
    cor_state_destroy(NULL);
    cor_configuration_destroy(c);
    cor_configuration_destroy(NULL);
}

static void a_restart_begins_anew_and_a_copy_is_on_its_own(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 35});
    struct cor_configuration *c = sample_configuration(&rng, 50, true);
    struct cor_state *state = sample_state(c), *other = sample_state(c);
    const struct cor_stream_name name = {.seed = 7};
    uint8_t first[3], second[3];
    sample_environment(&rng, c, first);
    sample_environment(&rng, c, second);
    cor_state_restart(state, first);
    uint64_t fresh = cor_state_hash(state);
    cor_state_perceive(state, second, &name);
    uint64_t later = cor_state_hash(state);
    assert_true(fresh != later);
    assert_int_equal(cor_state_copy(other, state, NULL), COR_OK);
    assert_true(cor_state_hash(other) == later);
    sample_assert_partitioning(other);
    cor_state_restart(state, first);
    assert_true(cor_state_hash(state) == fresh);
    assert_true(cor_state_hash(other) == later); /* a copy is on its own */
    sample_assert_partitioning(state);
    cor_state_perceive(state, second, &name);
    assert_true(cor_state_hash(state) == later); /* and the same names give the same draws */
    cor_state_destroy(other);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

/* It goes on in the structure that it took over, not in its own. */
static void a_copy_goes_on_as_the_other_does(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 38});
    struct cor_configuration *c = sample_configuration(&rng, 50, false);
    struct cor_state *state = sample_state(c), *other = sample_state(c);
    const uint32_t parts = state->structure.partition_count;
    uint8_t environment[3];
    for (uint32_t agent = 0; agent < c->agent_count; agent++)
        state->structure.partition[agent] = parts - 1 - state->structure.partition[agent];
    cor_state_recount(state);
    assert_int_equal(cor_state_copy(other, state, NULL), COR_OK);
    for (uint64_t i = 0; i < 10; i++) {
        const struct cor_stream_name name = {.seed = 7, .identity = i};
        sample_environment(&rng, c, environment);
        cor_state_perceive(state, environment, &name);
        cor_state_perceive(other, environment, &name);
        assert_true(cor_state_hash(state) == cor_state_hash(other));
        assert_memory_equal(state->structure.sum, other->structure.sum, parts * sizeof(double));
        sample_assert_partitioning(other);
    }
    cor_state_destroy(other);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

/* Any one thing that changes changes the hash. */
static void any_change_of_the_state_changes_its_hash(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 36});
    struct cor_configuration *c = sample_configuration(&rng, 20, false);
    struct cor_state *state = sample_state(c);
    uint64_t before = cor_state_hash(state);
    for (uint32_t i = 0; i < c->chain_count; i++) {
        state->environment[i]++;
        assert_true(cor_state_hash(state) != before);
        state->environment[i]--;
    }
    for (uint32_t i = 0; i < c->agent_count; i++) {
        double held = state->value[i];
        state->agent_state[i]++;
        assert_true(cor_state_hash(state) != before);
        state->agent_state[i]--;
        state->value[i] = nextafter(held, 2);
        assert_true(cor_state_hash(state) != before);
        state->value[i] = held;
        state->structure.partition[i]++;
        assert_true(cor_state_hash(state) != before);
        state->structure.partition[i]--;
    }
    assert_true(cor_state_hash(state) == before);
    struct cor_membership second = {3, 0};
    state->structure.second = &second;
    state->structure.second_count = 1;
    assert_true(cor_state_hash(state) != before);
    state->structure.second = NULL;
    state->structure.second_count = 0;
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

#define CHANGED(field)                                    \
    do {                                                  \
        c->field++;                                       \
        assert_true(cor_configuration_hash(c) != before); \
        c->field--;                                       \
        assert_true(cor_configuration_hash(c) == before); \
    } while (0)

static void any_change_of_the_configuration_changes_its_hash(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 37});
    struct cor_configuration *c = sample_configuration(&rng, 20, true);
    uint64_t before = cor_configuration_hash(c);
    CHANGED(type[19]);
    CHANGED(group_start[0]);
    CHANGED(group_start[c->group_count]);
    CHANGED(chain_of_group[c->group_count - 1]);
    CHANGED(profile_of_chain[0]);
    CHANGED(location_of_chain[c->chain_count - 1]);
    CHANGED(initial_state[19]);
    CHANGED(initial_partition[0]);
    CHANGED(initial_partitions);
    CHANGED(effects[0].relevant[1]);
    CHANGED(effects[0].next[0]);
    CHANGED(effects[0].cumulative[0]);
    CHANGED(limits.size_min);
    CHANGED(limits.size_max);
    CHANGED(limits.count_min);
    CHANGED(limits.count_max);
    CHANGED(measure);
    CHANGED(threshold);
    CHANGED(idle_ratio);
    CHANGED(monitor.fault);
    CHANGED(monitor.probability);
    CHANGED(monitor.delay_cases);
    CHANGED(adoption.fault);
    CHANGED(adoption.probability);
    c->inertia[3] /= 2;
    assert_true(cor_configuration_hash(c) != before);
    c->inertia[3] *= 2;
    c->initial_value[3] /= 2;
    assert_true(cor_configuration_hash(c) != before);
    c->initial_value[3] *= 2;
    c->effects[0].level[1] /= 2;
    assert_true(cor_configuration_hash(c) != before);
    c->effects[0].level[1] *= 2;
    assert_true(cor_configuration_hash(c) == before);
    cor_configuration_destroy(c);
}

static void a_fresh_configuration_has_no_limits_and_no_faults(void **unused) {
    (void)unused;
    struct cor_configuration *c = NULL;
    assert_int_equal(cor_configuration_create(0, 0, 0, 0, 0, &c, NULL), COR_OK);
    cor_configuration_destroy(c);
    assert_int_equal(cor_configuration_create(3, 2, 1, 2, 2, &c, NULL), COR_OK);
    assert_int_equal(c->limits.size_min, 1);
    assert_int_equal(c->limits.size_max, UINT32_MAX);
    assert_int_equal(c->limits.count_min, 0);
    assert_int_equal(c->limits.count_max, UINT32_MAX);
    assert_int_equal(c->measure, COR_MEASURE_RANGE);
    assert_int_equal(c->monitor.fault, COR_MONITOR_FAULT_NONE);
    assert_int_equal(c->adoption.fault, COR_ADOPTION_FAULT_NONE);
    assert_null(c->effects[3].relevant);
    cor_configuration_destroy(c);
}

/* Partition after partition, by looking through all agents for each. */
static void the_lists_are_those_of_the_partitions(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 38});
    struct cor_lists lists;
    cor_lists_init(&lists);
    for (int i = 0; i < 200; i++) {
        struct cor_configuration *c = sample_configuration(&rng, 1 + cor_rng_below(&rng, 30), false);
        struct cor_state *state = sample_state(c);
        assert_int_equal(cor_state_lists(state, &lists, NULL), COR_OK);
        uint32_t at = 0;
        assert_int_equal(lists.block_count, c->initial_partitions);
        for (uint32_t p = 0; p < c->initial_partitions; p++) {
            assert_int_equal(lists.start[p], at);
            for (uint32_t agent = 0; agent < c->agent_count; agent++)
                if (c->initial_partition[agent] == p)
                    assert_int_equal(lists.members[at++], agent);
            assert_int_equal(lists.start[p + 1], at);
        }
        assert_int_equal(lists.member_count, at);
        assert_int_equal(at, c->agent_count);
        cor_state_destroy(state);
        cor_configuration_destroy(c);
    }
    cor_lists_fini(&lists);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_follow_their_cases_as_defined),
        cmocka_unit_test(draws_of_agents_that_are_left_keep_their_names),
        cmocka_unit_test(states_follow_as_often_as_their_row_says),
        cmocka_unit_test(a_draw_below_the_threshold_leads_to_its_state),
        cmocka_unit_test(agents_idle_at_the_given_share),
        cmocka_unit_test(the_sums_do_not_drift),
        cmocka_unit_test(a_new_state_is_the_initial_one),
        cmocka_unit_test(a_restart_begins_anew_and_a_copy_is_on_its_own),
        cmocka_unit_test(a_copy_goes_on_as_the_other_does),
        cmocka_unit_test(any_change_of_the_state_changes_its_hash),
        cmocka_unit_test(any_change_of_the_configuration_changes_its_hash),
        cmocka_unit_test(a_fresh_configuration_has_no_limits_and_no_faults),
        cmocka_unit_test(the_lists_are_those_of_the_partitions),
    };
    return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
