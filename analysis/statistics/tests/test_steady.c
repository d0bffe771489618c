/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Long runs of chains whose stationary law is known: intervals by batches hold it as often as they say, a
 * warm-up is left out, and what has no steady state is not said to have one. */
#include <corridor/ruling.h>
#include <corridor/steady.h>

#include <corridor/rng.h>

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Customers in a queue as M/M/1 seen at its events, with room for so many: one more with probability `up`,
 * else one less. */
struct queue {
    double up;
    uint32_t room, begin;
};

/* Its mean by detailed balance: the law is geometric, cut off at the room. */
static double exact_mean(const struct queue *q) {
    double weight = 1, sum = 0, all = 0;
    for (uint32_t n = 0; n <= q->room; n++, weight *= q->up / (1 - q->up)) {
        sum += n * weight;
        all += weight;
    }
    return sum / all;
}

static void walk(const struct queue *q, uint32_t run, double *values, size_t count) {
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 5, .suite = run});
    uint32_t at = q->begin;
    for (size_t i = 0; i < count; i++) {
        if (cor_rng_unit(&rng) < q->up)
            at += at < q->room;
        else
            at -= at > 0;
        values[i] = at;
    }
}

/* Of runs, how many have an interval by their batches that holds the mean; *is_short: how many have none. */
static double covered(const struct queue *q, size_t count, uint32_t runs, double *is_short) {
    double *values = calloc(count, sizeof *values), held = 0, none = 0;
    assert_non_null(values);
    for (uint32_t run = 0; run < runs; run++) {
        struct cor_steady steady;
        walk(q, run, values, count);
        assert_true(cor_steady_find(values, count, &steady));
        if (!steady.is_long || steady.drifts) {
            none++;
            continue;
        }
        double mean = 0, squares = 0;
        const double n = steady.batch_count;
        for (uint32_t b = 0; b < steady.batch_count; b++)
            mean += steady.batch[b] / n;
        for (uint32_t b = 0; b < steady.batch_count; b++)
            squares += (steady.batch[b] - mean) * (steady.batch[b] - mean);
        const double half = gsl_cdf_tdist_Qinv(0.025, n - 1) * sqrt(squares / (n - 1) / n);
        held += fabs(mean - exact_mean(q)) <= half;
    }
    free(values);
    *is_short = none / runs;
    return held / (runs - none);
}

static uint32_t times = 400;

static void test_batches(void **state) {
    (void)state;
    const uint32_t runs = times * 5 / 2; /* 1000: 93 to 97 %; of fewer as the root */
    const double off = 0.02 * sqrt(1000.0 / runs);
    static const struct queue queues[] = {{0.3, 50, 0}, {0.4, 50, 50}, {0.45, 20, 0}};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
        double is_short;
        const double share = covered(&queues[i], 40000, runs, &is_short);
        print_message("up %g: %.3f hold %g, %.3f are too short\n", queues[i].up, share,
                      exact_mean(&queues[i]), is_short);
        assert_true(share >= 0.95 - off && share <= 0.95 + off);
        assert_true(is_short < 0.02);
    }
}

/* Of many short runs that begin far away: means behind the warm-up, by their interval over runs. */
static void test_runs(void **state) {
    (void)state;
    static const struct queue queue = {0.35, 30, 30};
    enum { RUNS = 60, CASES = 2000 };
    double *values = calloc(CASES, sizeof *values), held = 0, drifts = 0, late = 0;
    struct cor_ruling_rule rule = cor_ruling_rule(false, true, true, -1000);
    for (uint32_t time = 0; time < times; time++) {
        struct cor_ruling ruling;
        struct cor_error error;
        struct cor_bounds bounds;
        double middle;
        cor_ruling_init(&ruling, &rule);
        ruling.look = RUNS;
        struct cor_steady_pilot pilot = {0};
        for (uint32_t run = 0; run < COR_STEADY_PILOTS; run++) {
            walk(&queue, 1000 + time * RUNS + run, values, CASES);
            assert_int_equal(cor_steady_pilot_take(&pilot, values, CASES, &error), COR_OK);
        }
        late += pilot.is_known && !pilot.is_steady;
        assert_true(pilot.warm_up >= 90); /* it takes that to get down */
        for (uint32_t run = 0; run < RUNS; run++) {
            struct cor_steady steady;
            walk(&queue, 1000 + time * RUNS + run, values, CASES);
            assert_true(cor_steady_behind(values, CASES, pilot.warm_up, &steady));
            cor_ruling_take_trend(&ruling, steady.trend, false);
            assert_int_equal(cor_ruling_take(&ruling, steady.mean, &error), COR_OK);
        }
        cor_ruling_interval(&ruling, &middle, &bounds);
        held += bounds.low <= exact_mean(&queue) && exact_mean(&queue) <= bounds.high;
        drifts += ruling.drifts;
        cor_steady_pilot_fini(&pilot);
        cor_ruling_fini(&ruling);
    }
    print_message("%.3f hold, %.3f drift, %.3f warm up late\n", held / times, drifts / times, late / times);
    assert_true(held / times >= 0.95); /* at all numbers of runs together, so more often at one */
    assert_true(drifts / times <= 0.02 && late / times <= 0.02);
    free(values);
}

/* A queue that grows has no steady state; one that hangs together for too long is too short. */
static void test_none(void **state) {
    (void)state;
    enum { CASES = 2000 };
    double *values = calloc(CASES, sizeof *values);
    const struct queue grows = {0.6, 100000, 0};
    struct cor_ruling_rule rule = cor_ruling_rule(false, true, true, 10);
    struct cor_ruling ruling;
    struct cor_error error;
    struct cor_steady steady;
    cor_ruling_init(&ruling, &rule);
    uint32_t is_long = 0;
    for (uint32_t run = 0; run < 100 && !ruling.is_over; run++) {
        walk(&grows, run, values, CASES);
        assert_true(cor_steady_find(values, CASES, &steady));
        is_long += steady.is_long && !steady.drifts;
        cor_ruling_take_trend(&ruling, steady.trend, false);
        assert_int_equal(cor_ruling_take(&ruling, steady.mean, &error), COR_OK);
    }
    assert_true(ruling.is_over && ruling.drifts && ruling.end == COR_RULING_UNDECIDED && ruling.trend > 50);
    assert_true(is_long == 0);
    cor_ruling_fini(&ruling);
    assert_false(cor_steady_find(values, COR_STEADY_LEAST - 1, &steady));
    for (size_t i = 0; i < CASES; i++) /* nothing happens, but at first */
        values[i] = i < 40 ? 100 : 7;
    assert_true(cor_steady_find(values, CASES, &steady) && steady.is_long && !steady.drifts);
    assert_true(steady.warm_up == 80 && steady.mean == 7 && steady.trend == 0);
    free(values);
}

int main(int argc, char **argv) {
    if (argc > 1)
        times = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_none),
    };
    cor_statistics_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
