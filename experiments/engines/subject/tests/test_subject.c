/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking by a subject made up for it. Of a few choices the class of every subset is drawn, with each
 * lesser form and with choices that are possible behind others alone: what is left is held by trying every
 * choice, pair and lesser form. Of many choices it is known which are needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/rng.h>
#include <corridor/subject.h>

#include <stdlib.h>
#include <string.h>

enum { LARGE, SMALL, OTHER }; /* kinds; a small one is what is lesser than a large one */
enum { CHOICES_MOST = 7, STATES = 2187 };

/* What a test of its choices comes to; choice i has nth i. */
struct toy {
    uint64_t class[STATES]; /* [state]: the sum of 3^i for each choice i that happens, twice if it is small */
    uint32_t behind[CHOICES_MOST]; /* choice without which this one is not possible, at least 1; 0: none */
    uint32_t needed;               /* instead: it fails with so many whose `of` is 0; 0: by the table */
    bool passes_over;              /* and no others happen */
    uint32_t late; /* and one of kind OTHER, which happens at time 100 at the earliest; 0: none */
    uint64_t runs;
};

static enum cor_status keep(struct cor_choices *choices, const struct cor_choice *choice,
                            struct cor_error *error) {
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, choices->count + 1, error));
    choices->items[choices->count++] = *choice;
    return COR_OK;
}

static uint64_t class_of(const struct toy *toy, const struct cor_choices *happened) {
    static const uint32_t powers[CHOICES_MOST] = {1, 3, 9, 27, 81, 243, 729};
    uint32_t state = 0, seen = 0, late = 0;
    for (size_t i = 0; i < happened->count; i++) {
        const struct cor_choice *choice = &happened->items[i];
        if (toy->needed == 0)
            state += powers[choice->nth] * (choice->kind == SMALL ? 2 : 1);
        seen += choice->of == 0;
        late += choice->kind == OTHER;
    }
    return toy->needed == 0 ? toy->class[state] : seen == toy->needed && late >= toy->late;
}

static enum cor_status run(void *bench, const struct cor_subject_test *test, struct cor_choices *happened,
                           struct cor_run *run, struct cor_error *error) {
    struct toy *toy = bench;
    struct cor_choices own = {0};
    toy->runs++;
    for (size_t i = 0; i < test->choices.count; i++) {
        struct cor_choice choice = test->choices.items[i];
        bool is_possible = !toy->passes_over || choice.of == 0;
        if (toy->needed == 0 && toy->behind[choice.nth] > 0) {
            is_possible = false;
            for (size_t o = 0; o < own.count; o++)
                is_possible = is_possible || own.items[o].nth + 1 == toy->behind[choice.nth];
        }
        if (choice.kind == OTHER && choice.at < 100)
            choice.at = 100;
        if (is_possible)
            COR_TRY(keep(&own, &choice, error));
    }
    *run = (struct cor_run){.class = class_of(toy, &own), .choices = own.count};
    if (happened)
        COR_TRY(cor_choices_copy(happened, &own, error));
    cor_choices_fini(&own);
    return COR_OK;
}

static const struct cor_subject subject = {.test = "schedule",
                                           .choice = "event",
                                           .measure = "message",
                                           .measured = LARGE,
                                           .lesser = SMALL,
                                           .run = run};

static uint64_t class_without(struct toy *toy, const struct cor_subject_test *test, size_t a, size_t b) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test left = *test;
    struct cor_run came;
    left.choices = (struct cor_choices){0};
    for (size_t i = 0; i < test->choices.count; i++)
        if (i != a && i != b)
            assert_int_equal(keep(&left.choices, &test->choices.items[i], &error), COR_OK);
    assert_int_equal(run(toy, &left, NULL, &came, &error), COR_OK);
    cor_choices_fini(&left.choices);
    return came.class;
}

/* A test of which every subset has a class, most of them 0; it fails. */
static void draw(struct cor_rng *rng, struct toy *toy, struct cor_subject_test *test) {
    struct cor_error error = COR_NO_ERROR;
    const uint32_t count = 1 + cor_rng_below(rng, CHOICES_MOST), fails = 1 + cor_rng_below(rng, 6);
    *toy = (struct toy){0};
    do {
        cor_choices_fini(&test->choices);
        for (uint32_t s = 0; s < STATES; s++)
            toy->class[s] = cor_rng_below(rng, 8) < fails ? 1 + cor_rng_below(rng, 2) : 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct cor_choice choice = {.at = i,
                                              .nth = i,
                                              .who = (uint16_t)cor_rng_below(rng, 3),
                                              .kind = cor_rng_below(rng, 2) ? LARGE : SMALL};
            toy->behind[i] = i > 0 && cor_rng_below(rng, 3) == 0 ? 1 + cor_rng_below(rng, i) : 0;
            assert_int_equal(keep(&test->choices, &choice, &error), COR_OK);
        }
    } while (class_without(toy, test, SIZE_MAX, SIZE_MAX) == 0);
}

static struct cor_shrunk shrink_all(struct toy *toy, struct cor_subject_test *tests, uint32_t count,
                                    bool is_lone) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_shrinking shrinking = {
        .subject = &subject, .tests = tests, .count = count, .is_lone = is_lone};
    assert_int_equal(cor_shrink_tests(&shrinking, toy, &error), COR_OK);
    assert_int_equal(shrinking.shrunk.tried, shrinking.progress.tries.count);
    return shrinking.shrunk;
}

static void nothing_is_left_that_can_be_spared(void **state) {
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 11});
    (void)state;
    for (int n = 0; n < 3000; n++) {
        struct toy toy;
        struct cor_subject_test test = {0};
        draw(&rng, &toy, &test);
        const uint64_t wanted = class_without(&toy, &test, SIZE_MAX, SIZE_MAX);
        bool has_small = false;
        for (size_t i = 0; i < test.choices.count; i++)
            has_small = has_small || test.choices.items[i].kind == SMALL;
        toy.runs = 0;
        const struct cor_shrunk shrunk = shrink_all(&toy, &test, 1, true);
        assert_true(shrunk.is_minimal && shrunk.are_pairs && !shrunk.is_ended);
        assert_in_range(shrunk.tried, 1, toy.runs - 1);
        assert_int_equal(class_without(&toy, &test, SIZE_MAX, SIZE_MAX), wanted);
        uint32_t large = 0;
        for (size_t a = 0; a < test.choices.count; a++) {
            for (size_t b = a; b < test.choices.count; b++)
                assert_int_not_equal(class_without(&toy, &test, a, b), wanted);
            large += test.choices.items[a].kind == LARGE;
            if (test.choices.items[a].kind != LARGE || !has_small)
                continue;
            test.choices.items[a].kind = SMALL;
            assert_int_not_equal(class_without(&toy, &test, SIZE_MAX, SIZE_MAX), wanted);
            test.choices.items[a].kind = LARGE;
        }
        assert_int_equal(shrunk.size, large);
        cor_choices_fini(&test.choices);
    }
}

static void put(struct cor_subject_test *test, uint32_t needed, uint32_t others) {
    struct cor_error error = COR_NO_ERROR;
    test->choices.count = 0;
    for (uint32_t i = 0; i < needed + others; i++) {
        const struct cor_choice choice = {.at = i, .of = i < others, .kind = LARGE};
        assert_int_equal(keep(&test->choices, &choice, &error), COR_OK);
    }
}

static void the_smallest_of_several_is_found(void **state) {
    (void)state;
    struct toy toy = {.needed = 3};
    struct cor_subject_test tests[3] = {{.sequence = 0}, {.sequence = 1}, {.sequence = 2}};
    for (uint32_t t = 0; t < 3; t++)
        put(&tests[t], 3, 20 + t);
    for (size_t i = 0; i < tests[1].choices.count; i++)
        tests[1].choices.items[i].kind = i % 2 ? OTHER : LARGE; /* has less of what counts */
    const struct cor_shrunk shrunk = shrink_all(&toy, tests, 3, false);
    assert_int_equal(shrunk.best, 1);
    assert_int_equal(shrunk.count, 3);
    assert_in_range(shrunk.size, 1, 2);
    for (uint32_t t = 0; t < 3; t++)
        cor_choices_fini(&tests[t].choices);
}

/* Two fail together: one that happens late, and one behind it. */
static void what_is_left_fails_where_one_happens_later(void **state) {
    (void)state;
    struct toy toy = {.needed = 1, .late = 1};
    struct cor_subject_test test = {0};
    put(&test, 0, 40);
    test.choices.items[30].of = 0;
    test.choices.items[20].kind = OTHER;
    (void)shrink_all(&toy, &test, 1, true);
    assert_int_equal(test.choices.count, 2);
    assert_int_equal(class_without(&toy, &test, SIZE_MAX, SIZE_MAX), 1);
    cor_choices_fini(&test.choices);
}

static void pairs_are_tried_where_few_are_left(void **state) {
    (void)state;
    struct cor_subject_test test = {0};
    for (uint32_t more = 0; more < 2; more++) {
        struct toy toy = {.needed = COR_PAIRS_MOST + more};
        const uint32_t pairs = toy.needed * (toy.needed - 1) / 2;
        put(&test, toy.needed, 50);
        const struct cor_shrunk shrunk = shrink_all(&toy, &test, 1, true);
        assert_int_equal(test.choices.count, toy.needed);
        assert_true(shrunk.is_minimal);
        assert_int_equal(shrunk.are_pairs, more == 0);
        assert_int_equal(toy.runs > pairs, more == 0);
    }
    /* What is left counts, not what was there. */
    struct toy toy = {.needed = COR_PAIRS_MOST, .passes_over = true};
    put(&test, toy.needed, 50);
    const struct cor_shrunk shrunk = shrink_all(&toy, &test, 1, true);
    assert_int_equal(test.choices.count, toy.needed);
    assert_true(shrunk.are_pairs);
    assert_true(toy.runs > toy.needed * (toy.needed - 1) / 2);
    cor_choices_fini(&test.choices);
}

struct patience {
    struct cor_shrink_progress last;
    uint32_t tests;
    uint64_t most; /* runs that are allowed */
    const struct toy *toy;
    uint64_t runs; /* when patience ended; UINT64_MAX: it has not */
};

static bool has_patience(void *self, const struct cor_shrink_progress *progress) {
    struct patience *patience = self;
    patience->tests += progress->test != patience->last.test;
    assert_true(progress->tries.count >= patience->last.tries.count);
    patience->last = *progress;
    assert_true(patience->runs == UINT64_MAX);
    if (progress->tries.count >= patience->most)
        patience->runs = patience->toy->runs;
    return progress->tries.count < patience->most;
}

/* Of 20,000 choices, all pairs of which would take minutes, were they only gone through. */
static void the_best_so_far_is_kept(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test tests[2] = {{.sequence = 0}, {.sequence = 1}};
    for (int by_budget = 0; by_budget < 2; by_budget++) {
        struct toy toy = {.needed = 2};
        struct patience patience = {.most = by_budget ? UINT32_MAX : 30, .toy = &toy, .runs = UINT64_MAX};
        struct cor_shrinking shrinking = {.subject = &subject,
                                          .tests = tests,
                                          .count = 2,
                                          .budget = by_budget ? 30 : 0,
                                          .go_on = has_patience,
                                          .self = &patience};
        const struct cor_shrunk *shrunk = &shrinking.shrunk;
        put(&tests[0], 2, 20000);
        put(&tests[1], 2, 20000);
        assert_int_equal(cor_shrink_tests(&shrinking, &toy, &error), COR_OK);
        assert_int_equal(shrunk->tried, 30);
        assert_false(shrunk->is_minimal);
        assert_int_equal(patience.last.tries.count, by_budget ? 29 : 30);
        assert_true(patience.last.choices < 20002);
        assert_in_range(tests[shrunk->best].choices.count, 2, 20001);
        assert_int_equal(patience.tests > 0, by_budget);
        assert_int_equal(shrunk->is_ended, !by_budget);
        assert_int_equal(shrunk->count, by_budget ? 2 : 1);
        if (!by_budget) /* nothing is executed behind it */
            assert_int_equal(toy.runs, patience.runs);
    }
    for (int t = 0; t < 2; t++)
        cor_choices_fini(&tests[t].choices);
}

static void what_does_not_fail_is_not_shrunk(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct toy toy = {.needed = 2};
    struct cor_subject_test test = {0};
    struct cor_shrinking shrinking = {.subject = &subject, .tests = &test, .count = 1};
    assert_int_equal(cor_shrink_tests(&shrinking, &toy, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "the schedule does not fail");
    assert_string_equal(error.remedy, "a schedule that fails");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_that_can_be_spared),
        cmocka_unit_test(the_smallest_of_several_is_found),
        cmocka_unit_test(what_is_left_fails_where_one_happens_later),
        cmocka_unit_test(pairs_are_tried_where_few_are_left),
        cmocka_unit_test(the_best_so_far_is_kept),
        cmocka_unit_test(what_does_not_fail_is_not_shrunk),
    };
    return cmocka_run_group_tests_name("subject", tests, NULL, NULL);
}
