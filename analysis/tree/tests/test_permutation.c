/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the best feature is one by chance, over units made up here: their verdicts follow a feature, or
 * nothing at all. */
#include "../spectrum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 20, FEATURES = 30, OF_BLOCK = 10, TIMES = 99, SEQUENCE = 8 /* units at most */ };

static uint32_t files =
    100; /* of each law; of few, where memory is watched, it is little that they say of shares */

/* Which verdicts a file has. */
enum law {
    ANY_UNIT,         /* each unit fails with one probability */
    SOME_BLOCKS,      /* each block has a probability of its own, of most of them 0 */
    RUNS,             /* a unit mostly does what the one before did */
    STOPS,            /* as SOME_BLOCKS, but what fails stops its sequence: blocks that fail are small */
    CAUSE_IN_UNIT,    /* fails where feature 3 is high */
    CAUSE_IN_BLOCK,   /* fails mostly where feature 27, of the block, is low */
    CAUSE_THAT_STOPS, /* so, and what fails stops its sequence */
};

static struct cor_rng stream(uint32_t file, uint32_t entity) {
    return cor_rng_named(
        &(struct cor_stream_name){.seed = 11, .suite = file, .purpose = COR_PURPOSE_TEST, .entity = entity});
}

static void put(struct tree__spectrum *spectrum, uint32_t feature, bool of_block, double value) {
    const struct tree__feature_key key = {.kind = 1, .fold = TREE__ONLY, .a = feature};
    bool is_new = true;
    assert_int_equal(of_block ? tree__spectrum_put_block(spectrum, &key, value, &is_new, NULL)
                              : tree__spectrum_put(spectrum, &key, value, NULL),
                     COR_OK);
    assert_true(is_new);
}

static bool verdict_of(enum law law, const double *value, double of_block, bool before, struct cor_rng *rng) {
    double drawn = cor_rng_unit(rng);
    switch (law) {
    case ANY_UNIT:
        return drawn < 0.06;
    case SOME_BLOCKS:
    case STOPS:
        return drawn < (of_block < 0.7 ? 0 : of_block - 0.6);
    case RUNS:
        return drawn < (before ? 0.9 : 0.02);
    case CAUSE_IN_UNIT:
        return value[3] > 0.85;
    case CAUSE_IN_BLOCK:
    case CAUSE_THAT_STOPS:
        return drawn < (value[FEATURES - 3] < 0.3 ? 0.8 : 0.02);
    }
    return false;
}

/* A file of blocks of 5 to 84 units, the first features their own and neighbours alike, the last of the
 * block. */
static void fill(struct tree__spectrum *spectrum, enum law law, uint32_t file) {
    struct cor_rng values = stream(file, 1), verdicts = stream(file, 2);
    double value[FEATURES];
    bool stops = law == STOPS || law == CAUSE_THAT_STOPS;
    for (uint32_t b = 0; b < BLOCKS; b++) {
        uint32_t units = 5 + cor_rng_below(&values, 80);
        double of_block = cor_rng_unit(&verdicts);
        bool failed = false;
        for (uint32_t f = FEATURES - OF_BLOCK; f < FEATURES; f++) {
            value[f] = cor_rng_unit(&values);
            put(spectrum, f, true, value[f]);
        }
        uint32_t stopped = UINT32_MAX;
        for (uint32_t u = 0; u < units; u++) {
            uint32_t sequence = u / SEQUENCE;
            if (sequence == stopped)
                continue;
            for (uint32_t f = 0; f < FEATURES - OF_BLOCK; f++) {
                double fresh = cor_rng_unit(&values);
                value[f] = u > 0 && f % 2 == 0 ? 0.8 * value[f] + 0.2 * fresh : fresh;
                put(spectrum, f, false, value[f]);
            }
            failed = verdict_of(law, value, of_block, failed, &verdicts);
            stopped = failed && stops ? sequence : stopped;
            assert_int_equal(
                tree__spectrum_end(spectrum, (struct tree__ending){failed, failed && stops, sequence}, NULL),
                COR_OK);
        }
        assert_int_equal(tree__spectrum_end_block(spectrum, NULL), COR_OK);
    }
}

static double share_of(enum law law, uint32_t file, size_t mark_max, const bool *wanted) {
    struct tree__spectrum spectrum;
    struct cor_rng rng = stream(file, 3);
    double share = -1;
    bool all[FEATURES];
    memset(all, true, sizeof all);
    tree__spectrum_init(&spectrum, mark_max);
    fill(&spectrum, law, file);
    assert_int_equal(spectrum.count, FEATURES);
    assert_int_equal(tree__spectrum_permute(&spectrum, wanted ? wanted : all, TIMES, &rng, &share, NULL),
                     COR_OK);
    tree__spectrum_fini(&spectrum);
    return share;
}

/* How many of the files get a share of at most 5 %. */
static int count_small(enum law law, size_t mark_max) {
    int small = 0;
    for (uint32_t file = 0; file < files; file++)
        small += share_of(law, file, mark_max, NULL) <= 0.05;
    print_message("law %d: %d of %u at most 0.05\n", law, small, files);
    return small;
}

/* How many of the files may have 5 % without a cause: more with probability 0.1 to 0.4 %. */
static uint32_t few_of_files(void) {
    return (uint32_t)(0.05 * files + 3.5 * sqrt(0.05 * 0.95 * files));
}

static void verdicts_without_a_cause_are_chance_nearly_always(void **unused) {
    (void)unused;
    for (enum law law = ANY_UNIT; law <= STOPS; law++)
        assert_in_range(count_small(law, 1 << 20), 0, few_of_files());
}

static void a_cause_is_seldom_taken_for_chance(void **unused) {
    (void)unused;
    assert_int_equal(count_small(CAUSE_IN_UNIT, 1 << 20), files);
    assert_in_range(count_small(CAUSE_IN_BLOCK, 1 << 20), 4 * files / 5, files);
    assert_in_range(count_small(CAUSE_THAT_STOPS, 1 << 20), 4 * files / 5, files);
}

static void a_log_that_is_thinned_says_the_same(void **unused) {
    (void)unused;
    assert_in_range(count_small(ANY_UNIT, 3000), 0, few_of_files());
    assert_in_range(count_small(CAUSE_IN_UNIT, 3000), 9 * files / 10, files);
}

enum { FEW = 5, EACH = 4, VALUES = 4, MANY = 2000 };

/* A file so small that all its arrangements can be gone through. */
struct small_file {
    int value[2][FEW * EACH]; /* of two features */
    bool fails[FEW][EACH];
};

/* The greatest Ochiai of "at least v" and "at most v" of either feature, by definition: failing units with it
 * over the root of all failing units times all with it. */
static double best_by_definition(const struct small_file *file, const bool *fails) {
    double best = 0;
    for (int f = 0; f < 2; f++)
        for (int v = 0; v < VALUES; v++)
            for (int above = 0; above < 2; above++) {
                int with = 0, failing_with = 0, failing = 0;
                for (int u = 0; u < FEW * EACH; u++) {
                    bool has = above ? file->value[f][u] >= v : file->value[f][u] <= v;
                    with += has;
                    failing += fails[u];
                    failing_with += has && fails[u];
                }
                if (with > 0 && with < FEW * EACH)
                    best = fmax(best, failing_with / sqrt((double)failing * with));
            }
    return best;
}

/* Counts the arrangements whose best is as high as `seen`: block `to` and those behind it get the verdicts of
 * blocks that are not taken yet, from every place on. */
static void arrange(const struct small_file *file, uint32_t to, uint32_t taken, bool *fails, double seen,
                    uint32_t *all, uint32_t *as_high) {
    if (to == FEW) {
        (*all)++;
        *as_high += best_by_definition(file, fails) >= seen * (1 - 1e-12);
        return;
    }
    for (uint32_t from = 0; from < FEW; from++)
        for (uint32_t place = 0; place < EACH && !(taken >> from & 1); place++) {
            for (uint32_t u = 0; u < EACH; u++)
                fails[to * EACH + u] = file->fails[from][(place + u) % EACH];
            arrange(file, to + 1, taken | 1u << from, fails, seen, all, as_high);
        }
}

static double exact_share(const struct small_file *file) {
    bool fails[FEW * EACH];
    uint32_t all = 0, as_high = 0;
    memcpy(fails, file->fails, sizeof fails);
    arrange(file, 0, 0, fails, best_by_definition(file, fails), &all, &as_high);
    assert_int_equal(all, 120 * 1024);
    return (double)as_high / all;
}

/* p against all arrangements, within four standard errors of a share of so many. */
static void the_share_is_that_of_all_arrangements(void **unused) {
    (void)unused;
    double least = 1, most = 0;
    for (uint32_t number = 0; number < 6; number++) {
        struct small_file file;
        struct tree__spectrum spectrum;
        struct cor_rng values = stream(number, 4), verdicts = stream(number, 5), rng = stream(number, 6);
        double share;
        bool all[2] = {true, true};
        tree__spectrum_init(&spectrum, 1 << 20);
        for (uint32_t b = 0; b < FEW; b++) {
            for (uint32_t u = 0; u < EACH; u++) {
                for (uint32_t f = 0; f < 2; f++) {
                    file.value[f][b * EACH + u] = (int)cor_rng_below(&values, VALUES);
                    put(&spectrum, f, false, file.value[f][b * EACH + u]);
                }
                uint32_t drawn = cor_rng_below(&verdicts, 10);
                file.fails[b][u] = drawn < (number % 2 == 0 ? 3u : file.value[0][b * EACH + u] > 1 ? 8u : 1u);
                assert_int_equal(
                    tree__spectrum_end(&spectrum, (struct tree__ending){file.fails[b][u], false, 0}, NULL),
                    COR_OK);
            }
            assert_int_equal(tree__spectrum_end_block(&spectrum, NULL), COR_OK);
        }
        assert_int_equal(tree__spectrum_permute(&spectrum, all, MANY, &rng, &share, NULL), COR_OK);
        const double exact = exact_share(&file);
        assert_true(fabs(share - exact) < 4 * sqrt(exact * (1 - exact) / MANY) + 1.0 / MANY);
        least = fmin(least, exact);
        most = fmax(most, exact);
        tree__spectrum_fini(&spectrum);
    }
    assert_true(least < 0.1 && most > 0.3);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_that_of_all_arrangements),
        cmocka_unit_test(verdicts_without_a_cause_are_chance_nearly_always),
        cmocka_unit_test(a_cause_is_seldom_taken_for_chance),
        cmocka_unit_test(a_log_that_is_thinned_says_the_same),
    };
    if (argc > 1)
        files = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
