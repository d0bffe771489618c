/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decisions over draws whose law is known: how often they err, and how many values they use. */
#include <corridor/ruling.h>

#include <corridor/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t part = 1; /* one in so many of the decisions is made */

struct outcome {
    double held, failed, used, covered;
};

/* The shares of decisions, `all` in full, that held and failed, and the values they used in the mean. */
static struct outcome repeat(const struct cor_ruling_rule *rule, double p, double all) {
    struct outcome outcome = {0};
    const double runs = all / part;
    struct cor_error error;
    for (uint32_t run = 0; run < (uint32_t)runs; run++) {
        struct cor_ruling ruling;
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 17, .suite = run});
        cor_ruling_init(&ruling, rule);
        while (!ruling.is_over && ruling.taken < 10000000)
            assert_int_equal(cor_ruling_take(&ruling, cor_rng_unit(&rng) < p, &error), COR_OK);
        double middle;
        struct cor_bounds bounds;
        cor_ruling_interval(&ruling, &middle, &bounds);
        outcome.covered += (bounds.low <= p && p <= bounds.high) / runs;
        outcome.held += (ruling.end == COR_RULING_HOLDS) / runs;
        outcome.failed += (ruling.end == COR_RULING_FAILS) / runs;
        outcome.used += (double)ruling.used / runs;
        cor_ruling_fini(&ruling);
    }
    return outcome;
}

/* What is seen of an error at most: 1.5 times it, or three standard errors above it. Of 4,000 decisions 1.5
 * times is more than three above 0.05, as many above 0.01. */
static double at_most(double error) {
    return fmax(1.5 * error, error + 3 * sqrt(error / (4000.0 / part)));
}

/* At both ends of the region each decision errs as seldom as asked for, and uses what Wald expects. */
static void test_errors(void **state) {
    (void)state;
    static const struct {
        bool at_least;
        double bound, alpha, beta;
    } rows[] = {{true, 0.9, 0.01, 0.01}, {true, 0.5, 0.05, 0.01}, {false, 0.05, 0.01, 0.05}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cor_ruling_rule rule = cor_ruling_rule(true, true, rows[i].at_least, rows[i].bound);
        rule.alpha = rows[i].alpha;
        rule.beta = rows[i].beta;
        struct cor_error error;
        assert_int_equal(cor_ruling_rule_check(&rule, &error), COR_OK);
        const double sign = rows[i].at_least ? 1 : -1;
        const double true_at = rule.bound + sign * rule.indifference,
                     false_at = rule.bound - sign * rule.indifference;
        const struct outcome holds = repeat(&rule, true_at, 4000), fails = repeat(&rule, false_at, 4000);
        assert_true(holds.failed <= at_most(rule.beta) && fails.held <= at_most(rule.alpha));
        assert_true(holds.held + holds.failed > 0.9999 && fails.held + fails.failed > 0.9999);
        assert_true(holds.used <= 1.1 * cor_ruling_expected(&rule, true_at));
        assert_true(fails.used <= 1.1 * cor_ruling_expected(&rule, false_at));
        assert_true(holds.used >= 0.9 * cor_ruling_expected(&rule, true_at));
    }
}

static void test_width(void **state) {
    (void)state;
    struct cor_ruling_rule rule = cor_ruling_rule(true, false, false, 0);
    rule.width = 0.03;
    const struct outcome outcome = repeat(&rule, 0.3, 1000);
    assert_true(outcome.covered >= 0.93 && outcome.covered <= 0.97);
    assert_true(fabs(outcome.used - 0.3 * 0.7 * 1.96 * 1.96 / 0.03 / 0.03) < 60);
}

static void test_bayes(void **state) {
    (void)state;
    struct cor_ruling_rule rule = cor_ruling_rule(true, true, true, 0.9);
    rule.method = COR_RULING_BAYES;
    const struct outcome holds = repeat(&rule, 0.95, 1000), fails = repeat(&rule, 0.8, 1000);
    assert_true(holds.held > 0.99 && fails.failed > 0.99);
}

/* Values that say nothing are no excuse: a decision has to be the same whatever they are. */
static void test_unknown(void **state) {
    (void)state;
    struct cor_error error;
    struct cor_ruling ruling;
    struct cor_ruling_rule rule = cor_ruling_rule(true, true, true, 0.9);
    cor_ruling_init(&ruling, &rule);
    for (int i = 0; i < 100000 && !ruling.is_over; i++)
        assert_int_equal(cor_ruling_take(&ruling, i % 5 == 0 ? (double)NAN : 1, &error), COR_OK);
    assert_false(ruling.is_over); /* 0.8 to 1 */
    cor_ruling_init(&ruling, &rule);
    for (int i = 0; i < 100000 && !ruling.is_over; i++)
        assert_int_equal(cor_ruling_take(&ruling, i % 20 == 0 ? (double)NAN : 1, &error), COR_OK);
    assert_int_equal(ruling.end, COR_RULING_HOLDS); /* 0.95 to 1 */
}

/* Means and quantiles of amounts, uniform in 0 .. 1. */
static void test_amounts(void **state) {
    (void)state;
    static const struct {
        double quantile, bound;
        enum cor_ruling_end end;
    } rows[] = {{0, 0.52, COR_RULING_HOLDS},
                {0, 0.48, COR_RULING_FAILS},
                {0.9, 0.93, COR_RULING_HOLDS},
                {0.9, 0.87, COR_RULING_FAILS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t wrong = 0, open = 0;
        for (uint32_t run = 0; run < 300 / part; run++) {
            struct cor_error error;
            struct cor_ruling ruling;
            struct cor_ruling_rule rule = cor_ruling_rule(false, true, false, rows[i].bound);
            rule.quantile = rows[i].quantile;
            rule.indifference = 0.01;
            assert_int_equal(cor_ruling_rule_check(&rule, &error), COR_OK);
            struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 18, .suite = run});
            cor_ruling_init(&ruling, &rule);
            while (!ruling.is_over && ruling.taken < 100000)
                assert_int_equal(cor_ruling_take(&ruling, cor_rng_unit(&rng), &error), COR_OK);
            open += !ruling.is_over;
            wrong += ruling.is_over && ruling.end != rows[i].end;
            cor_ruling_fini(&ruling);
        }
        assert_true(wrong <= 9 / part && open == 0);
    }
}

static void test_refused(void **state) {
    (void)state;
    struct cor_error error = {0};
    struct cor_ruling_rule rule = cor_ruling_rule(true, true, true, 0.9);
    rule.alpha = 0.6;
    rule.beta = 0.4;
    assert_int_equal(cor_ruling_rule_check(&rule, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "alpha 0.6 and beta 0.4: both are above 0, and together below 1");
    rule = cor_ruling_rule(true, true, true, 0.9);
    rule.indifference = 0.2;
    error = (struct cor_error){0};
    assert_int_equal(cor_ruling_rule_check(&rule, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "the region of indifference 0.7 .. 1.1 reaches to 0 or 1, or is none");
    rule = cor_ruling_rule(true, true, true, 1);
    error = (struct cor_error){0};
    assert_int_equal(cor_ruling_rule_check(&rule, &error), COR_STATUS_INPUT);
}

int main(int count, char **arguments) {
    part = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : part;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),  cmocka_unit_test(test_width),   cmocka_unit_test(test_bayes),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_amounts), cmocka_unit_test(test_refused),
    };
    cor_statistics_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
