/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../psopp/tests/fake_host.h"
#include "../../psopp/tests/partitions.h"

#include <corridor/feasible.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static struct cor_rules rules_of(const struct partitions_limits *limits) {
    return (struct cor_rules){.size_min = limits->size_min,
                              .size_max = limits->size_max,
                              .count_min = limits->count_min,
                              .count_max = limits->count_max};
}

static void stream_init(struct fake_stream *stream, uint64_t seed) {
    struct cor_stream_name name = {.seed = seed, .purpose = COR_PURPOSE_TEST};
    *stream = (struct fake_stream){.random.refill = fake_refill, .rng = cor_rng_named(&name)};
}

/* N(n, k) = sum over s of C(n-1, s-1) N(n-s, k-1): the block of agent 0 has s members. */
static uint64_t recurrence(const struct partitions_limits *limits) {
    uint64_t choose[24][24] = {{0}}, number[24][24] = {{0}}, sum = 0;
    for (uint32_t n = 0; n < 24; n++) {
        choose[n][0] = 1;
        for (uint32_t s = 1; s <= n; s++)
            choose[n][s] = choose[n - 1][s - 1] + choose[n - 1][s];
    }
    number[0][0] = 1;
    for (uint32_t n = 1; n <= limits->n; n++)
        for (uint32_t k = 1; k <= n; k++)
            for (uint32_t s = limits->size_min; s <= limits->size_max && s <= n; s++)
                number[n][k] += choose[n - 1][s - 1] * number[n - s][k - 1];
    for (uint32_t k = limits->count_min; k <= limits->count_max && k <= limits->n; k++)
        sum += number[limits->n][k];
    return sum;
}

/* Known numbers of partitionings; enumeration and recurrence have to agree with them. */
static void partitionings_are_as_many_as_published(void **state) {
    (void)state;
    static const struct {
        struct partitions_limits limits;
        uint64_t number;
    } cases[] = {
        {{6, 2, 3, 2, 3}, 25},     {{8, 2, 4, 2, 4}, 630},       {{10, 2, 5, 1, 5}, 16716},
        {{12, 3, 5, 3, 4}, 48895}, {{16, 4, 4, 1, 16}, 2627625}, {{20, 2, 20, 1, 10}, 5224266196935},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_int_equal(recurrence(&cases[c].limits), cases[c].number);
        if (cases[c].limits.n <= 16)
            assert_int_equal(partitions_count(cases[c].limits), cases[c].number);
    }
}

/* Against enumeration: k is feasible exactly if a partitioning with k blocks exists. */
static void counts_are_those_that_brute_force_finds(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 7; n++)
        for (uint32_t size_min = 0; size_min <= n + 1; size_min++)
            for (uint32_t size_max = size_min; size_max <= n + 1; size_max++) {
                uint32_t low = 0, high = 0;
                struct cor_rules rules = {
                    .size_min = size_min, .size_max = size_max, .count_min = 0, .count_max = n + 1};
                int any = cor_feasible_counts(&rules, n, &low, &high);
                for (uint32_t k = 1; k <= n; k++) {
                    struct partitions_limits limits = {n, size_min, size_max, k, k};
                    int exists = size_max > 0 && partitions_count(limits) > 0;
                    assert_int_equal(any && k >= low && k <= high, exists);
                    rules.count_min = rules.count_max = k;
                    uint32_t only_low, only_high;
                    assert_int_equal(cor_feasible_counts(&rules, n, &only_low, &only_high), exists);
                    rules.count_min = 0;
                    rules.count_max = n + 1;
                }
            }
}

static void without_limits_all_is_feasible(void **state) {
    (void)state;
    struct cor_rules rules = {.size_max = COR_NO_LIMIT, .count_max = COR_NO_LIMIT};
    uint32_t low, high;
    assert_true(cor_feasible_counts(&rules, 1000, &low, &high));
    assert_int_equal(low, 1);
    assert_int_equal(high, 1000);
    rules.size_min = 501;
    rules.count_min = 2;
    assert_false(cor_feasible_counts(&rules, 1000, &low, &high));
    assert_false(cor_feasible_counts(&rules, 0, &low, &high));
}

/* Draws until every partitioning has come out, at most `draws` times; each has to be one of them. */
static void hits_all(const struct partitions *all, enum cor_size_rule rule, uint64_t seed, uint32_t draws) {
    struct cor_rules rules = rules_of(&all->limits);
    uint32_t n = all->limits.n, block_start[17], members[16], scratch[32], label[16];
    struct cor_feasible_partitioning drawn = {
        .block_start = block_start, .members = members, .scratch = scratch};
    struct fake_stream stream;
    stream_init(&stream, seed);
    unsigned char *hit = calloc(all->count, 1);
    size_t hits = 0;
    for (uint32_t d = 0; d < draws && hits < all->count; d++) {
        assert_true(cor_feasible_draw(&rules, n, rule, &stream.random, &drawn));
        assert_int_equal(block_start[drawn.block_count], n);
        for (uint32_t b = 0; b < drawn.block_count; b++)
            for (uint32_t i = block_start[b]; i < block_start[b + 1]; i++)
                label[members[i]] = b;
        long index = partitions_find(all, partitions_key(n, label));
        assert_true(index >= 0);
        hits += !hit[index];
        hit[index] = 1;
    }
    assert_int_equal(hits, all->count);
    free(hit);
}

static void visit_setting(const struct partitions *all, void *data) {
    (void)data;
    hits_all(all, COR_SIZES_BALLS, all->count, 400000);
    hits_all(all, COR_SIZES_SKEWED, all->count, 400000);
}

static void every_partitioning_comes_out(void **state) {
    (void)state;
    assert_int_equal(partitions_settings(visit_setting, NULL), 200);
    struct partitions all = partitions_list((struct partitions_limits){6, 1, 6, 1, 6});
    assert_int_equal(all.count, 203); /* Bell number */
    visit_setting(&all, NULL);
    free(all.keys);
}

/* The number of blocks is uniform over the feasible ones: 12 here, chi-square with 11 degrees of
 * freedom; 49.1 is exceeded with probability 1e-6. */
static void the_number_of_blocks_is_uniform(void **state) {
    (void)state;
    struct cor_rules rules = {.size_min = 2, .size_max = 9, .count_min = 3, .count_max = 20};
    uint32_t block_start[31], members[30], scratch[60], low, high;
    struct cor_feasible_partitioning drawn = {
        .block_start = block_start, .members = members, .scratch = scratch};
    assert_true(cor_feasible_counts(&rules, 30, &low, &high));
    assert_int_equal(low, 4);
    assert_int_equal(high, 15);
    for (int rule = 0; rule < COR_SIZES_COUNT; rule++) {
        struct fake_stream stream;
        stream_init(&stream, 11);
        uint32_t seen[16] = {0}, draws = 60000;
        for (uint32_t d = 0; d < draws; d++) {
            assert_true(cor_feasible_draw(&rules, 30, (enum cor_size_rule)rule, &stream.random, &drawn));
            assert_true(cor_feasible_keeps(&rules, drawn.block_count, drawn.block_start));
            seen[drawn.block_count]++;
        }
        double expected = draws / 12.0, chi_square = 0;
        for (uint32_t k = low; k <= high; k++)
            chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
        assert_true(chi_square < 49.1);
    }
}

/* What `skewed` is for: where the caps together hold about as many as there are agents, sizes vary much more.
 */
static void skewed_sizes_vary_more(void **state) {
    (void)state;
    struct cor_rules rules = {.size_min = 2, .size_max = 50, .count_min = 20, .count_max = 20};
    static uint32_t block_start[501], members[500], scratch[1000];
    struct cor_feasible_partitioning drawn = {
        .block_start = block_start, .members = members, .scratch = scratch};
    double variance[COR_SIZES_COUNT] = {0};
    for (int rule = 0; rule < COR_SIZES_COUNT; rule++) {
        struct fake_stream stream;
        stream_init(&stream, 3);
        for (uint32_t d = 0; d < 200; d++) {
            assert_true(cor_feasible_draw(&rules, 500, (enum cor_size_rule)rule, &stream.random, &drawn));
            for (uint32_t b = 0; b < 20; b++) {
                double excess = (double)block_start[b + 1] - block_start[b] - 25;
                variance[rule] += excess * excess / (200 * 20);
            }
        }
    }
    assert_true(variance[COR_SIZES_BALLS] < 40);
    assert_true(variance[COR_SIZES_SKEWED] > 120);
}

static void a_structure_keeps_its_limits_or_not(void **state) {
    (void)state;
    struct cor_rules rules = {.size_min = 2, .size_max = 3, .count_min = 2, .count_max = 2};
    const uint32_t good[] = {0, 2, 5}, small[] = {0, 1, 4}, large[] = {0, 4, 6}, one[] = {0, 3},
                   three[] = {0, 2, 4, 6};
    assert_true(cor_feasible_keeps(&rules, 2, good));
    assert_false(cor_feasible_keeps(&rules, 2, small));
    assert_false(cor_feasible_keeps(&rules, 2, large));
    assert_false(cor_feasible_keeps(&rules, 1, one));
    assert_false(cor_feasible_keeps(&rules, 3, three));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitionings_are_as_many_as_published),
        cmocka_unit_test(counts_are_those_that_brute_force_finds),
        cmocka_unit_test(without_limits_all_is_feasible),
        cmocka_unit_test(every_partitioning_comes_out),
        cmocka_unit_test(the_number_of_blocks_is_uniform),
        cmocka_unit_test(skewed_sizes_vary_more),
        cmocka_unit_test(a_structure_keeps_its_limits_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
