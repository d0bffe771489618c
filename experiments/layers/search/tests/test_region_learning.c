/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rounds of learning a region, as docs/do/search.md tells them, in a world of one parameter. Nothing is
 * executed: how far a suite came is said by rules of the tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "region_learning.h"

#include <math.h>
#include <stdlib.h>

#define REQUIRE(call)                    \
    do {                                 \
        if ((call) != COR_OK)            \
            fail_msg("%s", error.cause); \
    } while (0)

static const char world_text[] =
    "{\"corridor_experiment\": 1, \"name\": \"world\", \"seed\": 5, \"suites\": 1, \"sequences\": 1, "
    "\"cases\": 5,\n"
    " \"model\": {\"corridor_model\": 1, \"parameters\": [{\"x\": [1, 1000]}], \"agents\": 4,\n"
    "  \"environments\": {\"sky\": {\"random\": {\"states\": 2}}},\n"
    "  \"types\": {\"lamp\": {\"environment\": \"sky\", \"level\": [0.2, 1.0]}}, \"invariant\": "
    "{\"threshold\": 0.3}},\n"
    " \"arms\": [{\"name\": \"A\", \"algorithm\": \"random\"}]}";

struct world {
    struct cor_experiment *experiment;
    struct cor_generator_definition definition;
    struct search_layer__region_learning learning;
    struct cor_rng rng;
    int64_t integers[8];
    double parameters[8];
    uint64_t suites, by_law; /* so far */
};

static void open_world(struct world *w, uint32_t seed) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    *w = (struct world){0};
    REQUIRE(cor_json_parse(world_text, "world", &document, &error));
    REQUIRE(cor_experiment_take("world", document, NULL, &w->experiment, &error));
    assert_in_range(cor_parameter_laws_capacity(w->experiment->arms[0].laws), 1, 8);
    assert_int_equal(cor_parameter_laws_find(w->experiment->arms[0].laws, "x"), 0);
    w->definition = (struct cor_generator_definition){.experiment = w->experiment};
    w->rng = cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
    REQUIRE(search_layer__region_learning_init(&w->definition, &w->learning, &error));
}

static void close_world(struct world *w) {
    search_layer__region_learning_fini(&w->learning);
    search_layer__region_learning_fini(&w->learning);
    cor_experiment_destroy(w->experiment);
}

/* Draws the next suite where it is to be drawn; returns whether that is by the law. */
static bool draw(struct world *w) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_draw drawn;
    const struct cor_parameter_laws *laws = search_layer__region_learning_laws(&w->learning);
    REQUIRE(cor_parameter_laws_draw(laws ? laws : w->experiment->arms[0].laws, &w->rng, w->integers,
                                    w->parameters, &drawn, &error));
    return !laws;
}

static void see(struct world *w, bool by_law, enum search_layer__grade grade) {
    struct cor_error error = COR_NO_ERROR;
    w->suites++;
    w->by_law += by_law;
    REQUIRE(search_layer__region_learning_see(&w->learning, w->parameters, by_law, grade, 10 * w->suites,
                                              &error));
}

/* Suites that come so far where x is at most 200, and nowhere else; how many of them are drawn by the law. */
static uint64_t see_many(struct world *w, uint64_t count, enum search_layer__grade grade) {
    const uint64_t before = w->by_law;
    for (uint64_t i = 0; i < count; i++) {
        const bool by_law = draw(w);
        see(w, by_law, w->parameters[0] <= 200 ? grade : SEARCH_LAYER__GRADE_NOTHING);
    }
    return w->by_law - before;
}

static void check_rounds(const struct world *w, uint64_t rounds, bool settled) {
    assert_int_equal(w->learning.round_count, rounds);
    assert_int_equal(w->learning.settled, settled);
    for (uint32_t r = 0; r < rounds; r++) {
        const struct cor_search_region_row *row = &w->learning.rounds[r].row;
        assert_int_equal(row->round, r + 1);
        assert_int_equal(row->suites, 50 + 25 * r);
        assert_int_equal(row->cases, 10 * row->suites);
        assert_in_range(row->inside, 10, row->suites);
    }
}

static void fifty_suites_of_the_law_then_rounds_of_twenty_and_five_until_two_of_them_agreed(void **state) {
    (void)state;
    struct world w;
    open_world(&w, 1);
    assert_int_equal(see_many(&w, 49, SEARCH_LAYER__GRADE_ACTIVATED), 49);
    check_rounds(&w, 0, false);
    assert_int_equal(see_many(&w, 1, SEARCH_LAYER__GRADE_ACTIVATED), 1);
    for (uint32_t round = 1; round <= 2; round++) {
        check_rounds(&w, round, false);
        assert_int_equal(see_many(&w, 24, SEARCH_LAYER__GRADE_ACTIVATED) +
                             see_many(&w, 1, SEARCH_LAYER__GRADE_ACTIVATED),
                         5);
    }
    check_rounds(&w, 3, true);
    assert_int_equal(see_many(&w, 100, SEARCH_LAYER__GRADE_ACTIVATED), 20);
    check_rounds(&w, 3, true); /* nothing is learned any more */
    close_world(&w);
}

static void a_region_of_a_lesser_target_is_settled_after_six_rounds(void **state) {
    (void)state;
    struct world w;
    open_world(&w, 2);
    see_many(&w, 50, SEARCH_LAYER__GRADE_HELD);
    for (uint32_t round = 1; round < 6; round++) {
        check_rounds(&w, round, false);
        see_many(&w, 25, SEARCH_LAYER__GRADE_HELD);
        assert_int_equal(w.learning.rounds[round].row.target, SEARCH_LAYER__GRADE_HELD);
    }
    check_rounds(&w, 6, true);
    close_world(&w);
}

static void five_suites_that_met_it_make_a_target(void **state) {
    (void)state;
    for (uint32_t most = 4; most <= 5; most++) {
        struct world w;
        uint32_t met = 0, struck = 0;
        open_world(&w, 3);
        for (int i = 0; i < 50; i++) {
            const bool by_law = draw(&w), strikes = w.parameters[0] <= 300;
            struck += strikes;
            met += strikes && met < most;
            see(&w, by_law,
                !strikes        ? SEARCH_LAYER__GRADE_REACHED
                : struck == met ? SEARCH_LAYER__GRADE_ACTIVATED
                                : SEARCH_LAYER__GRADE_HELD);
        }
        assert_true(met == most && struck >= 10 && w.learning.round_count == 1);
        assert_int_equal(w.learning.rounds[0].row.target,
                         most < 5 ? SEARCH_LAYER__GRADE_HELD : SEARCH_LAYER__GRADE_ACTIVATED);
        assert_int_equal(w.learning.rounds[0].row.hits, most < 5 ? struck : met);
        close_world(&w);
    }
}

static void in_vain_it_learns_after_25_more_then_after_a_quarter_more(void **state) {
    (void)state;
    struct world w;
    uint64_t due = 50;
    open_world(&w, 4);
    for (int attempt = 0; attempt < 10; attempt++) {
        assert_int_equal(w.learning.due, due);
        see_many(&w, due - w.suites, SEARCH_LAYER__GRADE_NOTHING);
        due += due / 4 > 25 ? due / 4 : 25;
    }
    assert_int_equal(w.by_law, w.suites);
    assert_int_equal(w.learning.round_count, 0);
    close_world(&w);
}

/* Strikes up to 5, which the law draws once in 200 times; and 25 suites without, one for each number behind.
 */
static void one_in_a_hundred_draws_of_the_law_is_in_a_region(void **state) {
    (void)state;
    struct world w;
    open_world(&w, 5);
    for (uint32_t i = 0; i < 50; i++) {
        w.parameters[0] = i < 25 ? 1 + i % 5 : 6 + (i - 25);
        see(&w, true, i < 25 ? SEARCH_LAYER__GRADE_ACTIVATED : SEARCH_LAYER__GRADE_NOTHING);
    }
    check_rounds(&w, 1, false);
    const struct cor_search_region_row *row = &w.learning.rounds[0].row;
    assert_int_equal(row->support, 4096);
    assert_in_range(row->support_inside, 4096 / 100, 2 * 4096 / 100 - 1); /* a step further there are fewer */
    assert_int_equal(row->inside_hits, 25);
    close_world(&w);
}

/* So many of fifty suites strike, next to each other; a region has ten suites at least. */
static void a_region_has_ten_suites_at_least(void **state) {
    (void)state;
    for (uint32_t struck = 8; struck <= 11; struck++) {
        struct world w;
        open_world(&w, 6);
        for (uint32_t i = 0; i < 50; i++) {
            w.parameters[0] = i < struck ? 400 + 10 * i : i % 2 ? 100 + i : 600 + 5 * i;
            see(&w, true, i < struck ? SEARCH_LAYER__GRADE_ACTIVATED : SEARCH_LAYER__GRADE_NOTHING);
        }
        assert_int_equal(w.learning.round_count, 1);
        assert_int_equal(w.learning.rounds[0].row.inside, struck < 10 ? 10 : struck);
        assert_int_equal(w.learning.rounds[0].row.inside_hits, struck);
        close_world(&w);
    }
}

static double ways(uint32_t n, uint32_t k) {
    double product = 1;
    for (uint32_t i = 1; i <= k; i++)
        product *= (double)(n - k + i) / i;
    return product;
}

/* Fisher's exact test from its definition: so many strikes or more of as many there are among these rows. */
static double chance(uint32_t rows, uint32_t struck, uint32_t others, uint32_t others_struck) {
    const uint32_t all = struck + others_struck;
    double sum = 0;
    for (uint32_t k = struck; k <= rows && k <= all; k++)
        if (all - k <= others)
            sum += ways(rows, k) * ways(others, all - k);
    return sum / ways(rows + others, all);
}

struct counts {
    uint32_t fresh, fresh_struck, law, law_struck;
};

static void count(struct counts *c, bool by_law, bool strikes) {
    c->fresh += !by_law;
    c->fresh_struck += !by_law && strikes;
    c->law += by_law;
    c->law_struck += by_law && strikes;
}

/* A world in which what lies up to 200 strikes until a region is settled, then a share of whatever is drawn
 * in it. */
static void look_at_chance(uint32_t seed, double share, uint32_t *kept, uint32_t *dropped, uint32_t *close) {
    struct world w;
    struct counts c = {0};
    open_world(&w, seed);
    for (bool settled = false; !settled; settled = w.learning.settled) {
        const bool by_law = draw(&w), strikes = w.parameters[0] <= 200;
        count(&c, by_law, strikes);
        see(&w, by_law, strikes ? SEARCH_LAYER__GRADE_ACTIVATED : SEARCH_LAYER__GRADE_NOTHING);
        assert_in_range(w.suites, 1, 200);
    }
    c.fresh = c.fresh_struck = 0; /* of regions before */
    for (uint32_t look = 0; look < 8 && w.learning.settled; look++) {
        for (uint32_t i = 0; i < 25; i++) {
            assert_true(w.learning.settled);
            const bool by_law = draw(&w), strikes = cor_rng_unit(&w.rng) < share;
            count(&c, by_law, strikes);
            see(&w, by_law, strikes ? SEARCH_LAYER__GRADE_ACTIVATED : SEARCH_LAYER__GRADE_NOTHING);
        }
        const double p = chance(c.fresh, c.fresh_struck, c.law, c.law_struck);
        assert_int_equal(w.learning.settled, p <= 0.01);
        *kept += p <= 0.01;
        *dropped += p > 0.01;
        *close += p > 0.001 && p < 0.1;
    }
    if (!w.learning.settled)
        assert_null(search_layer__region_learning_laws(&w.learning)); /* by the law again, whatever number */
    close_world(&w);
}

static void a_settled_region_that_is_no_better_than_chance_is_dropped(void **state) {
    (void)state;
    uint32_t kept = 0, dropped = 0, close = 0;
    for (uint32_t seed = 1; seed <= 16; seed++)
        look_at_chance(seed, 0.1 * (seed % 8 + 1), &kept, &dropped, &close);
    if (kept < 10 || dropped < 5 || close < 5)
        fail_msg("%u kept, %u dropped, %u of these near to one in a hundred", kept, dropped, close);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_suites_of_the_law_then_rounds_of_twenty_and_five_until_two_of_them_agreed),
        cmocka_unit_test(a_region_of_a_lesser_target_is_settled_after_six_rounds),
        cmocka_unit_test(five_suites_that_met_it_make_a_target),
        cmocka_unit_test(in_vain_it_learns_after_25_more_then_after_a_quarter_more),
        cmocka_unit_test(one_in_a_hundred_draws_of_the_law_is_in_a_region),
        cmocka_unit_test(a_region_has_ten_suites_at_least),
        cmocka_unit_test(a_settled_region_that_is_no_better_than_chance_is_dropped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
