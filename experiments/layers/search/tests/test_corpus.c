/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The corpus against its definition. */
#include "corpus.h"

#include "../../../engines/sequence/tests/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char arm[] = "{\"name\": \"random\", \"algorithm\": \"random\"}";

#define BASES 4

/* Tests of other costs. */
static void make_bases(struct scene *scene, struct cor_test **base) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite *suite;
    for (uint32_t i = 0; i < BASES; i++) {
        OK(cor_suite_generate(scene->experiment, 0, i, &suite, &error));
        OK(cor_suite_test(suite, 0, &base[i], &error));
        cor_suite_destroy(suite);
    }
}

static void destroy_bases(struct cor_test **base) {
    for (uint32_t i = 0; i < BASES; i++)
        cor_test_destroy(base[i]);
}

/* Tests of random features and costs; `had`: tests that had a feature so far. */
static void see_drawn(struct search_layer__corpus *corpus, struct cor_test *const *base, uint32_t number,
                      uint32_t *features, uint32_t *had, struct cor_rng *rng) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_test *test;
    bool keep = false;
    OK(cor_test_copy(base[number % BASES], &test, &error));
    struct cor_test_result result = {.cases = 1 + cor_rng_below(rng, 20)};
    static struct cor_feature_origin origins[600]; /* each in a case that its number tells */
    struct cor_seen seen = {.number = number,
                            .test = test,
                            .result = &result,
                            .features = features,
                            .origins = origins,
                            .keep = &keep};
    for (uint32_t f = cor_rng_below(rng, 5); f < 600; f += 1 + cor_rng_below(rng, 200))
        features[seen.feature_count++] = f;
    for (uint32_t i = 0; i < seen.feature_count; i++) {
        origins[i] = (struct cor_feature_origin){COR_FEATURE_PROBE, 1 + features[i] % 7};
        seen.fresh += had[features[i]] == 0;
        had[features[i]]++;
    }
    const uint64_t cost = (uint64_t)result.cases * test->suite->configuration->agent_count;
    OK(search_layer__corpus_see(corpus, &seen, 1, &error));
    assert_int_equal(keep, seen.fresh > 0);
    if (keep)
        assert_int_equal(corpus->entry[corpus->count - 1].cost, cost);
    else
        cor_test_destroy(test);
}

/* Each feature's cheapest entry, of equal ones the first, by looking at all. */
static void check_favoured(const struct search_layer__corpus *corpus) {
    uint32_t favoured[SEARCH_LAYER__CORPUS_MAX] = {0};
    for (uint32_t f = 0; f < 30001; f += f < 700 ? 1 : 29300) {
        uint32_t best = SEARCH_LAYER__CORPUS_MAX;
        for (uint32_t i = 0; i < corpus->count; i++)
            for (uint32_t j = 0; j < corpus->entry[i].feature_count; j++)
                if (corpus->entry[i].features[j] == f &&
                    (best == SEARCH_LAYER__CORPUS_MAX || corpus->entry[i].cost < corpus->entry[best].cost))
                    best = i;
        assert_int_equal(corpus->best[f], best == SEARCH_LAYER__CORPUS_MAX ? 0 : best + 1);
        if (best < SEARCH_LAYER__CORPUS_MAX)
            favoured[best]++;
    }
    for (uint32_t i = 0; i < corpus->count; i++)
        assert_int_equal(corpus->entry[i].favoured, favoured[i]);
}

/* The worth of each entry by its definition; their sum. */
static double weigh(const struct search_layer__corpus *corpus, const uint32_t *had, double *worth) {
    double total = 0;
    memset(worth, 0, SEARCH_LAYER__CORPUS_MAX * sizeof *worth);
    for (uint32_t f = 0; f < COR_FEATURES; f++)
        if (corpus->best[f] > 0)
            worth[corpus->best[f] - 1] += 1.0 / had[f];
    for (uint32_t i = 0; i < corpus->count; i++)
        total += worth[i];
    return total;
}

/* Each is chosen as often as it is worth, and gets from 1 to 8 changes: four times its worth over the mean.
 */
static void check_choices(struct search_layer__corpus *corpus, const uint32_t *had, struct cor_rng *rng) {
    enum { CHOICES = 20000 };
    uint32_t chosen[SEARCH_LAYER__CORPUS_MAX] = {0}, of_energy[9] = {0};
    double worth[SEARCH_LAYER__CORPUS_MAX], energy;
    const double total = weigh(corpus, had, worth);
    for (uint32_t i = 0; i < CHOICES; i++) {
        const uint32_t entry = search_layer__corpus_choose(corpus, rng, &energy);
        assert_true(entry < corpus->count && corpus->entry[entry].favoured > 0);
        double expected = floor(4 * worth[entry] / (total / corpus->count) + 1e-9);
        expected = expected < 1 ? 1 : expected > 8 ? 8 : expected;
        assert_true(energy == expected);
        of_energy[(int)energy]++;
        chosen[entry]++;
    }
    for (uint32_t i = 0; i < corpus->count; i++) {
        const double mean = CHOICES * worth[i] / total;
        assert_true(fabs(chosen[i] - mean) <= 5 * sqrt(mean) + 3);
    }
    for (int e = 1; e <= 8; e += 7)
        if (of_energy[e] == 0)
            fail_msg("no test was worth %d changes", e);
}

static uint64_t added_to(const struct search_layer__corpus_entry *entry, const bool *covered) {
    uint64_t added = 0;
    for (uint32_t j = 0; j < entry->feature_count; j++)
        added += !covered[entry->features[j]];
    return added;
}

/* The numbers of the tests that a greedy cover takes, in their order; how many. Features must stay. */
static uint32_t cover_greedily(const struct search_layer__corpus *corpus, uint32_t *numbers) {
    bool covered[COR_FEATURES] = {false}, taken[SEARCH_LAYER__CORPUS_MAX] = {false};
    for (uint32_t count = 0;; count++) {
        double most = 0;
        uint32_t best = 0;
        for (uint32_t i = 0; i < corpus->count; i++) {
            const double worth = (double)added_to(&corpus->entry[i], covered) / (double)corpus->entry[i].cost;
            if (!taken[i] && worth > most) {
                most = worth;
                best = i;
            }
        }
        if (most == 0)
            return count;
        taken[best] = true;
        numbers[count] = corpus->entry[best].number;
        for (uint32_t j = 0; j < corpus->entry[best].feature_count; j++)
            covered[corpus->entry[best].features[j]] = true;
    }
}

static void the_corpus_favours_the_cheapest_and_its_least_part_covers_the_same(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct search_layer__corpus corpus;
    uint32_t features[700];
    static uint32_t had[COR_FEATURES];
    bool covered[COR_FEATURES] = {false};
    struct cor_test *base[BASES];
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 3, .purpose = COR_PURPOSE_TEST});
    scene_open(&scene, arm, false);
    make_bases(&scene, base);
    OK(search_layer__corpus_init(&corpus, &error));
    for (uint32_t number = 1; number <= 400; number++)
        see_drawn(&corpus, base, number, features, had, &rng);
    destroy_bases(base);
    assert_in_range(corpus.count, 100, SEARCH_LAYER__CORPUS_MAX);
    check_favoured(&corpus);
    check_choices(&corpus, had, &rng);
    for (uint32_t i = 0; i < corpus.count; i++)
        for (uint32_t j = 0; j < corpus.entry[i].feature_count; j++)
            covered[corpus.entry[i].features[j]] = true;
    uint32_t numbers[SEARCH_LAYER__CORPUS_MAX];
    const uint32_t whole = corpus.count, wanted = cover_greedily(&corpus, numbers);
    search_layer__corpus_minimize(&corpus);
    assert_int_equal(corpus.count, wanted);
    assert_true(corpus.count < whole && numbers[0] == corpus.entry[0].number);
    check_favoured(&corpus);
    for (uint32_t f = 0; f < 600; f++)
        assert_int_equal(corpus.best[f] > 0, covered[f]);
    search_layer__corpus_fini(&corpus);
    search_layer__corpus_fini(&corpus);
    scene_close(&scene);
}

/* More than there is room for: the corpus stays within its bounds. */
static void the_corpus_is_bounded(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct search_layer__corpus corpus;
    struct cor_test *base[BASES];
    scene_open(&scene, arm, false);
    make_bases(&scene, base);
    OK(search_layer__corpus_init(&corpus, &error));
    for (uint32_t number = 1; number <= SEARCH_LAYER__CORPUS_MAX + 40; number++) {
        struct cor_test *test;
        bool keep = false;
        uint32_t features[2] = {number, 30000};
        const struct cor_feature_origin origins[2] = {{COR_FEATURE_PROBE, 1}, {COR_FEATURE_PROBE, 2}};
        OK(cor_test_copy(base[0], &test, &error));
        const struct cor_test_result result = {.cases = number % 50 + 1};
        const struct cor_seen seen = {.number = number,
                                      .test = test,
                                      .result = &result,
                                      .features = features,
                                      .origins = origins,
                                      .feature_count = 2,
                                      .fresh = 1,
                                      .keep = &keep};
        OK(search_layer__corpus_see(&corpus, &seen, number, &error));
        assert_true(keep);
        assert_true(corpus.count <= SEARCH_LAYER__CORPUS_MAX);
        assert_int_equal(corpus.entry[corpus.count - 1].number, number);
    }
    assert_int_equal(corpus.count, SEARCH_LAYER__CORPUS_MAX);
    check_favoured(&corpus);
    destroy_bases(base);
    search_layer__corpus_fini(&corpus);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_favours_the_cheapest_and_its_least_part_covers_the_same),
        cmocka_unit_test(the_corpus_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
