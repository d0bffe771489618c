/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * p by random rearrangements against all rearrangements, written down in another way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/rearrangement.h>

#include "near.h"

enum { MOST = 8 };

/* Ratio and its squared error of the clusters whose bit is set, or is not. */
static double ratio(const double *y, const double *x, uint32_t n, uint32_t bits, bool set, double *variance) {
    double sum = 0, size = 0;
    for (uint32_t i = 0; i < n; i++)
        if ((bits >> i & 1) == set) {
            sum += y[i];
            size += x[i];
        }
    *variance = 0;
    for (uint32_t i = 0; i < n; i++)
        if ((bits >> i & 1) == set)
            *variance += pow((y[i] - sum / size * x[i]) / size, 2);
    return sum / size;
}

static double score(double difference, double variance) {
    return fabs(difference) < 1e-12 ? 0 : difference / sqrt(variance);
}

/* The shares of all ways to deal n clusters, `first` of them to the first side, that score as high, or as
 * low. */
static struct cor_rearranged all_dealt(const double *y, const double *x, uint32_t n, uint32_t first) {
    double ways = 0, above = 0, below = 0, va, vb;
    const uint32_t seen_bits = (1u << first) - 1;
    double d = ratio(y, x, n, seen_bits, true, &va) - ratio(y, x, n, seen_bits, false, &vb);
    const double seen = score(d, va + vb);
    for (uint32_t bits = 0; bits < 1u << n; bits++) {
        if (__builtin_popcount(bits) != (int)first)
            continue;
        d = ratio(y, x, n, bits, true, &va) - ratio(y, x, n, bits, false, &vb);
        const double it = score(d, va + vb);
        ways++;
        above += isnan(it) || it >= seen - 1e-9;
        below += isnan(it) || it <= seen + 1e-9;
    }
    return (struct cor_rearranged){above / ways, below / ways};
}

/* The same of all ways to swap n pairs of y and x. */
static struct cor_rearranged all_swapped(double (*y)[MOST], double (*x)[MOST], uint32_t n) {
    double seen = 0, above = 0, below = 0;
    for (uint32_t bits = 0; bits < 1u << n; bits++) {
        double sum[2] = {0}, size[2] = {0}, variance = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t side = 0; side < 2; side++) {
                sum[side] += y[side ^ (bits >> i & 1)][i];
                size[side] += x[side ^ (bits >> i & 1)][i];
            }
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t swapped = bits >> i & 1;
            variance += pow((y[swapped][i] - sum[0] / size[0] * x[swapped][i]) / size[0] -
                                (y[!swapped][i] - sum[1] / size[1] * x[!swapped][i]) / size[1],
                            2);
        }
        const double it = score(sum[0] / size[0] - sum[1] / size[1], variance);
        if (bits == 0)
            seen = it;
        above += isnan(it) || it >= seen - 1e-9;
        below += isnan(it) || it <= seen + 1e-9;
    }
    return (struct cor_rearranged){above / (1u << n), below / (1u << n)};
}

/* Five standard errors of 1999 rearrangements, and the one that is counted with them. */
static void assert_p(double p, double exact) {
    assert_true(p > 0 && fabs(p - exact) < 5 * sqrt(exact * (1 - exact) / COR_REARRANGEMENTS) + 1e-3);
}

static void p_is_that_of_all_rearrangements(void **state) {
    (void)state;
    struct cor_rng data = stream(1);
    for (uint32_t trial = 0; trial < 60; trial++) {
        const uint32_t n = 4 + cor_rng_below(&data, MOST - 3), first = 1 + cor_rng_below(&data, n - 1);
        double y[MOST], x[MOST];
        for (uint32_t i = 0; i < n; i++) {
            x[i] = 1 + cor_rng_below(&data, 4);
            y[i] = cor_rng_below(&data, trial % 3 ? 9 : 2) + (i < first ? trial % 5 : 0);
        }
        const struct cor_ratio_pair pair = {{{y, x, first}, {y + first, x + first, n - first}}, false};
        struct cor_rng rng = stream(100 + trial);
        struct cor_rearranged p;
        const struct cor_rearranged exact = all_dealt(y, x, n, first);
        assert_int_equal(cor_rearrange_ratios(&pair, 1, &rng, &p, NULL), COR_OK);
        assert_p(p.above, exact.above);
        assert_p(p.below, exact.below);
    }
}

static void what_is_in_common_is_swapped(void **state) {
    (void)state;
    struct cor_rng data = stream(2);
    for (uint32_t trial = 0; trial < 60; trial++) {
        const uint32_t n = 2 + cor_rng_below(&data, MOST - 1);
        double y[2][MOST], x[2][MOST];
        for (uint32_t i = 0; i < 2 * n; i++) {
            const uint32_t side = i % 2;
            x[side][i / 2] = 1 + cor_rng_below(&data, 4);
            y[side][i / 2] = cor_rng_below(&data, trial % 3 ? 9 : 2) + (side ? 0 : trial % 5);
        }
        const struct cor_ratio_pair pair = {{{y[0], x[0], n}, {y[1], x[1], n}}, true};
        struct cor_rng rng = stream(200 + trial);
        struct cor_rearranged p;
        const struct cor_rearranged exact = all_swapped(y, x, n);
        assert_int_equal(cor_rearrange_ratios(&pair, 1, &rng, &p, NULL), COR_OK);
        assert_p(p.above, exact.above);
        assert_p(p.below, exact.below);
    }
}

/* Two suites against two: six ways to deal them, so p is a sixth at least; nothing observed, nothing said. */
static void few_clusters_decide_nothing(void **state) {
    static const double high[] = {9, 9}, low[] = {0, 0}, one[] = {1, 1}, none[] = {0, 0};
    struct cor_rearranged p;
    struct cor_rng rng = stream(3);
    (void)state;
    const struct cor_ratio_pair apart = {{{high, one, 2}, {low, one, 2}}, false},
                                nothing = {{{high, one, 2}, {low, none, 2}}, false},
                                alike = {{{high, one, 2}, {high, one, 2}}, false};
    assert_int_equal(cor_rearrange_ratios(&apart, 1, &rng, &p, NULL), COR_OK);
    assert_p(p.above, 1.0 / 6);
    assert_near(p.below, 1, 0);
    assert_int_equal(cor_rearrange_ratios(&nothing, 1, &rng, &p, NULL), COR_OK);
    assert_true(isnan(p.above) && isnan(p.below));
    assert_int_equal(cor_rearrange_ratios(&alike, 1, &rng, &p, NULL), COR_OK);
    assert_near(p.above, 1, 0);
    assert_near(p.below, 1, 0);
}

/* Suites that show nothing of what is compared change nothing: a published claim once rested on two of 70
 * suites with failures against 26, of which 378 ways to deal them are as good. */
static void what_was_not_observed_takes_no_part(void **state) {
    static const double y[] = {3, 0, 2, 0, 1, 4}, x[] = {4, 0, 3, 0, 2, 4}, less_y[] = {3, 2, 1, 4},
                        less_x[] = {4, 3, 2, 4};
    const struct cor_ratio_pair whole = {{{y, x, 3}, {y + 3, x + 3, 3}}, false},
                                less = {{{less_y, less_x, 2}, {less_y + 2, less_x + 2, 2}}, false},
                                common = {{{y, x, 3}, {y + 3, x + 3, 3}}, true};
    struct cor_rearranged p, same;
    struct cor_rng rng = stream(5), again = stream(5);
    (void)state;
    assert_int_equal(cor_rearrange_ratios(&whole, 1, &rng, &p, NULL), COR_OK);
    assert_int_equal(cor_rearrange_ratios(&less, 1, &again, &same, NULL), COR_OK);
    assert_near(p.above, same.above, 0);
    assert_near(p.below, same.below, 0);
    assert_int_equal(cor_rearrange_ratios(&common, 1, &rng, &p, NULL), COR_OK);
    assert_near(p.below, 0.5, 0.06); /* the third suite alone was observed by both: two ways */
    assert_near(p.above, 1, 0);
}

/* Pairs are dealt each for itself: of two that are two against two, six times six ways, one as far. */
static void pairs_are_joined(void **state) {
    static const double high[] = {9, 9}, low[] = {0, 0}, one[] = {1, 1};
    const struct cor_ratio_pair pairs[] = {{{{high, one, 2}, {low, one, 2}}, false},
                                           {{{high, one, 2}, {low, one, 2}}, true}};
    struct cor_rearranged p;
    struct cor_rng rng = stream(4);
    (void)state;
    assert_int_equal(cor_rearrange_ratios(pairs, 2, &rng, &p, NULL), COR_OK);
    assert_p(p.above, 1.0 / 24); /* six ways and four */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_is_that_of_all_rearrangements),
        cmocka_unit_test(what_is_in_common_is_swapped),
        cmocka_unit_test(few_clusters_decide_nothing),
        cmocka_unit_test(what_was_not_observed_takes_no_part),
        cmocka_unit_test(pairs_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
