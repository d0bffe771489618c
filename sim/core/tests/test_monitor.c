/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The monitor: its measures against a computation from labels and values, its faults against their words. */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/state.h>

#include <math.h>
#include <stdlib.h>

/* From the definition in terms.h, in long double and without sums that are kept. */
static double naive_dissimilarity(const struct cor_state *state, enum cor_measure measure) {
    uint32_t agents = state->configuration->agent_count, parts = state->structure.partition_count;
    long double mean = 0, range = 0, deviation = 0, squares = 0, mu[20];
    for (uint32_t i = 0; i < agents; i++)
        mean += state->value[i];
    mean /= agents;
    for (uint32_t p = 0; p < parts; p++) {
        long double sum = 0;
        uint32_t size = 0;
        for (uint32_t i = 0; i < agents; i++) {
            sum += state->structure.partition[i] == p ? state->value[i] : 0;
            size += state->structure.partition[i] == p;
        }
        mu[p] = sum / size;
        deviation = fmaxl(deviation, fabsl(mu[p] - mean));
        squares += (mu[p] - mean) * (mu[p] - mean);
        for (uint32_t q = 0; q < p; q++)
            range = fmaxl(range, fabsl(mu[p] - mu[q]));
    }
    if (measure == COR_MEASURE_RANGE)
        return (double)range;
    return (double)(measure == COR_MEASURE_RMS ? sqrtl(squares / parts) : deviation);
}

static void measures_are_those_of_their_definition(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 41});
    for (int i = 0; i < 300; i++) {
        struct cor_configuration *c = sample_configuration(&rng, 1 + cor_rng_below(&rng, 60), false);
        struct cor_state *state = sample_state(c);
        for (const struct cor_term *t = cor_terms(COR_FAMILY_MEASURE); t->word; t++) {
            c->measure = (enum cor_measure)t->number;
            double naive = naive_dissimilarity(state, c->measure);
            assert_true(fabs(cor_monitor_dissimilarity(state) - naive) < 1e-12);
        }
        cor_state_destroy(state);
        cor_configuration_destroy(c);
    }
}

/* Values 0, 1/4, 1/2, 3/4 in {0, 2} and {1, 3}: means 1/4 and 1/2 around 3/8. */
static void measures_are_those_found_by_hand(void **unused) {
    (void)unused;
    struct cor_configuration *c = sample_plain(4, 2);
    struct cor_state *state = sample_state(c);
    assert_true(cor_monitor_dissimilarity(state) == 0.25);
    c->measure = COR_MEASURE_MAX_DEVIATION;
    assert_true(cor_monitor_dissimilarity(state) == 0.125);
    c->measure = COR_MEASURE_RMS;
    assert_true(cor_monitor_dissimilarity(state) == 0.125);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

/* Values 0, 1/2, 1, 1 in {0}, {1}, {2, 3} and an empty partition: means 0, 1/2 and 1 around 5/8, so the three
 * measures differ, and rms divides by three partitions, not by two, four or the agents. */
static void each_measure_is_another_and_empty_partitions_do_not_count(void **unused) {
    (void)unused;
    static const double values[] = {0, 0.5, 1, 1};
    static const uint32_t partitions[] = {0, 1, 3, 3};
    struct cor_configuration *c = sample_plain(4, 2);
    struct cor_state *state = sample_state(c);
    for (uint32_t i = 0; i < 4; i++) {
        state->value[i] = values[i];
        state->structure.partition[i] = partitions[i];
    }
    state->structure.partition_count = 4;
    cor_state_recount(state);
    assert_true(cor_monitor_dissimilarity(state) == 1);
    c->measure = COR_MEASURE_MAX_DEVIATION;
    assert_true(cor_monitor_dissimilarity(state) == 0.625);
    c->measure = COR_MEASURE_RMS; /* (25 + 1 + 9) / 64 over 3 */
    assert_true(fabs(cor_monitor_dissimilarity(state) - sqrt(35.0 / 192)) < 1e-15);
    cor_state_destroy(state);
    cor_configuration_destroy(c);
}

/* A configuration with threshold 0.5 and a monitor of that fault. */
static struct cor_configuration *with_fault(enum cor_monitor_fault fault, double probability,
                                            uint32_t delay) {
    struct cor_configuration *c = sample_plain(4, 2);
    c->threshold = 0.5;
    c->monitor = (struct cor_monitor_definition){fault, probability, delay};
    return c;
}

/* One alarm or none, in case `identity`. */
static bool alarm(struct cor_monitor_memory *monitor, const struct cor_configuration *c, double dissimilarity,
                  uint64_t identity) {
    return cor_monitor_alarm(monitor, c, dissimilarity, &(struct cor_stream_name){.identity = identity});
}

/* Alarms among 10,000 cases of that dissimilarity. */
static uint32_t alarms(enum cor_monitor_fault fault, double probability, double dissimilarity) {
    struct cor_configuration *c = with_fault(fault, probability, 0);
    struct cor_monitor_memory monitor = {0};
    uint32_t count = 0;
    for (uint64_t i = 0; i < 10000; i++)
        count += alarm(&monitor, c, dissimilarity, i);
    cor_configuration_destroy(c);
    return count;
}

static void a_sound_monitor_alarms_above_the_threshold_only(void **unused) {
    (void)unused;
    assert_int_equal(alarms(COR_MONITOR_FAULT_NONE, 1, 0.5), 0); /* at the threshold the invariant holds */
    assert_int_equal(alarms(COR_MONITOR_FAULT_NONE, 1, 0.4), 0);
    assert_int_equal(alarms(COR_MONITOR_FAULT_NONE, 1, nextafter(0.5, 1)), 10000);
}

/* 10,000 cases, share 0.3: standard deviation 46. */
static void a_missing_monitor_swallows_its_share_and_invents_none(void **unused) {
    (void)unused;
    assert_int_equal(alarms(COR_MONITOR_FAULT_MISSED, 1, 0.6), 0);
    assert_int_equal(alarms(COR_MONITOR_FAULT_MISSED, 0, 0.6), 10000);
    assert_int_equal(alarms(COR_MONITOR_FAULT_MISSED, 0.3, 0.4), 0); /* it invents none */
    assert_in_range(alarms(COR_MONITOR_FAULT_MISSED, 0.3, 0.6), 7000 - 190, 7000 + 190);
}

static void a_false_monitor_invents_its_share_and_swallows_none(void **unused) {
    (void)unused;
    assert_int_equal(alarms(COR_MONITOR_FAULT_FALSE, 1, 0.4), 10000);
    assert_int_equal(alarms(COR_MONITOR_FAULT_FALSE, 0, 0.4), 0);
    assert_int_equal(alarms(COR_MONITOR_FAULT_FALSE, 0.3, 0.6), 10000); /* it swallows none */
    assert_in_range(alarms(COR_MONITOR_FAULT_FALSE, 0.3, 0.5), 3000 - 190, 3000 + 190);
}

/* The draws are those of the stream MONITOR_FAULT of the case, whatever purpose and entity the name has. */
static void the_draws_are_those_of_the_faults_stream(void **unused) {
    (void)unused;
    struct cor_configuration *c = with_fault(COR_MONITOR_FAULT_MISSED, 0.5, 0);
    struct cor_monitor_memory monitor = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        struct cor_stream_name own = {.seed = 3, .identity = i, .purpose = COR_PURPOSE_MONITOR_FAULT};
        struct cor_rng rng = cor_rng_named(&own);
        own.purpose = COR_PURPOSE_WALK;
        own.entity = 8;
        assert_int_equal(cor_monitor_alarm(&monitor, c, 1, &own), cor_rng_unit(&rng) >= 0.5);
    }
    cor_configuration_destroy(c);
}

/* 'o' is a case outside, '.' one inside; below it, whether there is an alarm. */
static void check_late(uint32_t delay, const char *cases, const char *expected) {
    struct cor_configuration *c = with_fault(COR_MONITOR_FAULT_LATE, 0, delay);
    struct cor_monitor_memory monitor = {0};
    for (uint64_t i = 0; cases[i]; i++)
        assert_int_equal(alarm(&monitor, c, cases[i] == 'o' ? 0.6 : 0.5, i), expected[i] == 'A');
    cor_configuration_destroy(c);
}

static void a_late_monitor_alarms_after_its_delay(void **unused) {
    (void)unused;
    check_late(0, ".o.oo.", ".A.AA.");
    check_late(1, "o.oo.ooo", "...A..AA");
    check_late(3, "ooo.oooooo.oooo", ".......AAA....A");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_are_those_of_their_definition),
        cmocka_unit_test(measures_are_those_found_by_hand),
        cmocka_unit_test(each_measure_is_another_and_empty_partitions_do_not_count),
        cmocka_unit_test(a_sound_monitor_alarms_above_the_threshold_only),
        cmocka_unit_test(a_missing_monitor_swallows_its_share_and_invents_none),
        cmocka_unit_test(a_false_monitor_invents_its_share_and_swallows_none),
        cmocka_unit_test(the_draws_are_those_of_the_faults_stream),
        cmocka_unit_test(a_late_monitor_alarms_after_its_delay),
    };
    return cmocka_run_group_tests_name("monitor", tests, NULL, NULL);
}
