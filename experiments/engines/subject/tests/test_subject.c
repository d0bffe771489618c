/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking, and why, by a subject made up for them. Of a few choices the class of every subset is drawn,
 * with each lesser form and with choices that are possible behind others alone: what is left, and what is
 * needed, is held by trying every choice, pair and lesser form. Of many choices it is known which are needed,
 * and how probable the failure is behind each. */
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

/* ---- why */

/* The class of the test with a choice in another place, `to` of all without it. */
static uint64_t class_with(struct toy *toy, const struct cor_subject_test *test, size_t moved, size_t to) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test other = *test;
    struct cor_run came;
    other.choices = (struct cor_choices){0};
    for (size_t i = 0, left = 0; left < test->choices.count; left++) {
        i += i == moved;
        assert_int_equal(keep(&other.choices, &test->choices.items[left == to ? moved : i++], &error),
                         COR_OK);
    }
    assert_int_equal(run(toy, &other, NULL, &came, &error), COR_OK);
    cor_choices_fini(&other.choices);
    return came.class;
}

static void what_is_needed_is_what_a_naive_look_finds(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 12});
    struct cor_error error = COR_NO_ERROR;
    for (int n = 0; n < 3000; n++) {
        struct toy toy;
        struct cor_subject_test test = {0};
        struct cor_needed needed[CHOICES_MOST];
        draw(&rng, &toy, &test);
        const size_t count = test.choices.count;
        struct cor_why_asked asked = {.subject = &subject,
                                      .bench = &toy,
                                      .test = &test,
                                      .class = class_without(&toy, &test, SIZE_MAX, SIZE_MAX)};
        toy.runs = 0;
        assert_int_equal(cor_need_choices(&asked, needed, &error), COR_OK);
        assert_int_equal(asked.tries.count, toy.runs);
        for (size_t c = 0; c < count; c++) {
            const uint64_t gone = class_without(&toy, &test, c, c);
            uint8_t tried = 1, goes = gone != asked.class, passes = gone == 0;
            for (int way = COR_WAY_LATER; way < COR_WAYS; way++) {
                const size_t to = way == COR_WAY_LATER ? c + 1 : count - 1;
                if (c + 1 >= count || (way == COR_WAY_LAST && to == c + 1))
                    continue;
                const uint64_t came = class_with(&toy, &test, c, to);
                tried |= (uint8_t)(1u << way);
                goes |= (uint8_t)((came != asked.class) << way);
                passes |= (uint8_t)((came == 0) << way);
            }
            assert_int_equal(needed[c].tried, tried);
            assert_int_equal(needed[c].goes, goes);
            assert_int_equal(needed[c].passes, passes);
        }
        cor_choices_fini(&test.choices);
    }
}

/* A test of so many choices. Behind the first of them a future begins with one of three, equally probable,
 * and fails alike as the tables say; else it fails otherwise, or not at all. */
enum { FIRSTS = 3, EFFORT = 400 };
struct lot {
    uint32_t count;
    double fails[1001][FIRSTS];      /* [choices][first one] */
    bool forgets;                    /* planted: what is random is drawn as the first time */
    uint32_t stops_at, stops_behind; /* behind so many choices it does not repeat itself, from that run on */
    bool is_later;                   /* but what comes then, in place of where it stands */
    double cut;                      /* so many are, whatever would have come of them */
    uint64_t seed, runs;
};

static bool future_of(uint32_t index, struct cor_future *future) {
    *future = (struct cor_future){"lot", "by lot", NULL};
    return index == 0;
}

static enum cor_status follow(void *bench, const struct cor_subject_test *test, const struct cor_fork *fork,
                              struct cor_run *run, struct cor_error *error) {
    struct lot *lot = bench;
    (void)error;
    assert_int_equal(test->choices.count, lot->count);
    assert_true(fork->choices < lot->count && fork->ahead == 5 && fork->future == 0);
    if (lot->runs++ == 0 || !lot->forgets)
        lot->seed = fork->seed;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = lot->seed});
    const uint32_t first = cor_rng_below(&rng, FIRSTS);
    const bool alike = cor_rng_unit(&rng) < lot->fails[fork->choices][first],
               stops = lot->stops_at == fork->choices && lot->runs > lot->stops_behind;
    *run = (struct cor_run){.class = alike ? 7 : cor_rng_below(&rng, 3),
                            .forked = 1000 + fork->choices + (stops && !lot->is_later),
                            .goes_on = first > 0,
                            .next = {.what = first}};
    run->is_cut = cor_rng_unit(&rng) < lot->cut;
    if (run->is_cut)
        run->class = 0;
    run->does_not_repeat = fork->forked != 0 && (fork->forked != run->forked || (stops && lot->is_later));
    return COR_OK;
}

static char *text_of(const struct cor_subject_test *test, const struct cor_choice *choice) {
    (void)test;
    return cor_format("choice %u", choice->what);
}

static const struct cor_subject by_lot = {
    .test = "schedule", .choice = "event", .future = future_of, .follow = follow, .text = text_of};

/* Every choice of the test is the second of those that come. */
static void draw_curve(struct lot *lot, uint64_t seed, struct cor_why_asked *asked, struct cor_curve *curve) {
    static struct cor_choice items[1001];
    static struct cor_subject_test test;
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t c = 0; c < lot->count; c++)
        items[c] = (struct cor_choice){.what = 1};
    test = (struct cor_subject_test){.sequence = 3, .choices = {.items = items, .count = lot->count}};
    asked->subject = &by_lot;
    asked->bench = lot;
    asked->test = &test;
    asked->class = 7;
    *curve = (struct cor_curve){.by = {.ahead = 5, .seed = seed}, .effort = EFFORT};
    lot->runs = 0;
    assert_int_equal(cor_curve_draw(asked, curve, &error), COR_OK);
    assert_int_equal(asked->tries.count, lot->runs);
}

static double share_behind(const struct lot *lot, uint32_t choices) {
    double sum = 0;
    for (int f = 0; f < FIRSTS; f++)
        sum += choices == lot->count ? 1 : lot->fails[choices][f];
    return sum / FIRSTS;
}

static bool holds(const struct cor_fail_share *fails, double truth) {
    return fails->low <= truth && truth <= fails->high;
}

/* Do all intervals hold what is true? */
static bool all_hold(const struct lot *lot, const struct cor_curve *curve) {
    bool all = true;
    for (size_t m = 0; m < curve->count; m++)
        all = all && holds(&curve->moments[m].fails, share_behind(lot, curve->moments[m].choices));
    for (size_t o = 0; o < curve->other_count; o++) {
        const char *text = curve->others[o].text;
        const uint32_t first = text ? (uint32_t)(text[strlen("choice ")] - '0') : 0;
        all =
            all && holds(&curve->others[o].fails, lot->fails[curve->moments[curve->rise - 1].choices][first]);
    }
    return all;
}

static void assert_same(const struct cor_curve_moment *one, const struct cor_curve_moment *other) {
    assert_int_equal(one->choices, other->choices);
    assert_int_equal(one->forked, other->forked);
    assert_memory_equal(&one->fails, &other->fails, sizeof one->fails);
}

/* A fault that strikes by lot with one of the choices: before it the share is that of the lot, behind it the
 * whole or nearly so. What else comes in its place fails as it likes. */
static void plant(struct cor_rng *rng, struct lot *lot, uint32_t *planted) {
    *lot = (struct lot){.count = 2 + cor_rng_below(rng, cor_rng_below(rng, 2) ? 30 : 999),
                        .stops_at = UINT32_MAX};
    *planted = 1 + cor_rng_below(rng, lot->count);
    const double strikes = 0.02 + 0.4 * cor_rng_unit(rng), behind = 0.9 + 0.1 * cor_rng_unit(rng);
    for (uint32_t c = 0; c < lot->count; c++)
        for (int f = 0; f < FIRSTS; f++)
            lot->fails[c][f] = c < *planted ? strikes : behind;
    for (int f = 0; f < FIRSTS; f++)
        lot->fails[*planted - 1][f] = f == 0 ? strikes / 2 : f == 1 ? 2 * strikes - 0.01 : strikes / 2 + 0.01;
}

static void a_planted_fault_is_the_largest_rise(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 13});
    int named = 0, held = 0, held_forgetting = 0;
    static struct lot lot;
    for (uint64_t n = 0; n < 100; n++) {
        struct cor_why_asked asked = {.subject = NULL};
        struct cor_curve curve, again;
        uint32_t planted;
        plant(&rng, &lot, &planted);
        draw_curve(&lot, n, &asked, &curve);
        named += curve.rise > 0 && curve.moments[curve.rise].choices == planted;
        held += all_hold(&lot, &curve);
        assert_int_equal(curve.moments[0].choices, 0);
        assert_int_equal(curve.moments[curve.count - 1].choices, lot.count);
        assert_in_range(curve.count, 2, COR_CURVE_MOMENTS + 1 + 20); /* halves, not all */
        for (size_t m = 1; m < curve.count; m++)
            assert_true(!cor_curve_parts(&curve, m) ||
                        curve.moments[m].choices == curve.moments[m - 1].choices + 1);
        uint64_t others = 0;
        for (size_t o = 0; o < curve.other_count; o++) {
            others += curve.others[o].fails.futures;
            assert_int_equal(curve.others[o].is_own,
                             curve.others[o].text && strcmp(curve.others[o].text, "choice 1") == 0);
        }
        assert_int_equal(others, curve.rise > 0 ? COR_CURVE_OTHERS * curve.effort : 0);
        asked.tries = (struct cor_tries){0};
        draw_curve(&lot, n, &asked, &again); /* the same bits */
        assert_int_equal(again.count, curve.count);
        for (size_t m = 0; m < curve.count; m++)
            assert_same(&again.moments[m], &curve.moments[m]);
        cor_curve_fini(&again);
        cor_curve_fini(&curve);
        lot.forgets = true;
        asked.tries = (struct cor_tries){0};
        draw_curve(&lot, n, &asked, &curve);
        held_forgetting += all_hold(&lot, &curve);
        cor_curve_fini(&curve);
    }
    assert_in_range(named, 95, 100);
    assert_in_range(held, 91, 100);         /* with 95 % each */
    assert_in_range(held_forgetting, 0, 5); /* a stream that is forgotten is seen */
}

/* Those that would have failed, too: the intervals hold what is true without a limit. */
static void what_is_cut_may_fail_or_not(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 16});
    static struct lot lot;
    int held = 0;
    for (uint64_t n = 0; n < 60; n++) {
        struct cor_why_asked asked = {.subject = NULL};
        struct cor_curve curve;
        uint32_t planted;
        plant(&rng, &lot, &planted);
        lot.cut = n % 3 == 2 ? 1 : 0.4 * cor_rng_unit(&rng);
        draw_curve(&lot, n, &asked, &curve);
        held += all_hold(&lot, &curve);
        if (lot.cut == 1) /* nothing is known: */
            assert_true(cor_curve_is_flat(&curve) && curve.rise == 0);
        for (size_t m = 0; m + 1 < curve.count && lot.cut == 1; m++)
            assert_true(curve.moments[m].fails.cut == EFFORT && curve.moments[m].fails.low == 0 &&
                        curve.moments[m].fails.high == 1);
        cor_curve_fini(&curve);
    }
    assert_in_range(held, 54, 60);
}

/* A choice makes it less probable, those behind it by steps that none can be told of. */
static void a_dip_is_not_flat(void **state) {
    (void)state;
    static struct lot lot = {.count = 200, .stops_at = UINT32_MAX};
    struct cor_why_asked asked = {.subject = NULL};
    struct cor_curve curve;
    size_t parts = 0;
    for (uint32_t c = 0; c < lot.count; c++)
        for (int f = 0; f < FIRSTS; f++)
            lot.fails[c][f] = c < 1 ? 1 : 0.5 + c / 398.;
    draw_curve(&lot, 1, &asked, &curve);
    for (size_t m = 1; m < curve.count; m++)
        parts += cor_curve_parts(&curve, m) && curve.moments[m].choices - curve.moments[m - 1].choices == 1;
    assert_int_equal(parts, 1);
    assert_int_equal(curve.rise, 0);
    assert_false(cor_curve_is_flat(&curve));
    cor_curve_fini(&curve);
}

static bool until_interrupted(void *self, uint64_t done, uint64_t count) {
    assert_true(done < count);
    return done < *(const uint64_t *)self;
}

/* What is known when it ends is a part of what would have been known. */
static void a_curve_that_is_ended_has_what_was_followed(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 14});
    static struct lot lot;
    struct cor_why_asked asked = {.subject = NULL};
    struct cor_curve curve, part;
    uint32_t planted;
    plant(&rng, &lot, &planted);
    draw_curve(&lot, 1, &asked, &curve);
    for (int by_budget = 0; by_budget < 2; by_budget++)
        for (uint64_t most = 500; most < asked.tries.count; most += 700) {
            struct cor_why_asked some = {.tries.most = by_budget ? most : 0,
                                         .go_on = by_budget ? NULL : until_interrupted,
                                         .self = &most};
            draw_curve(&lot, 1, &some, &part);
            assert_int_equal(some.tries.count, most);
            assert_true(some.tries.is_stopped && some.tries.is_used_up == by_budget);
            uint64_t followed = 0;
            for (size_t m = 0, whole = 0; m < part.count; m++, whole++) {
                const struct cor_fail_share *some_fail = &part.moments[m].fails;
                while (curve.moments[whole].choices < part.moments[m].choices)
                    whole++;
                followed += some_fail->futures;
                if (some_fail->futures == 0 || some_fail->futures == EFFORT) {
                    assert_same(&curve.moments[whole], &part.moments[m]);
                    continue;
                }
                /* The one that was looked at when it was ended: the first futures of the whole. */
                const struct cor_fail_share *all_fail = &curve.moments[whole].fails;
                assert_int_equal(some_fail->futures, most % EFFORT);
                assert_true(some_fail->alike <= all_fail->alike &&
                            some_fail->alike + (EFFORT - some_fail->futures) >= all_fail->alike);
                assert_true(holds(some_fail, (double)some_fail->alike / (double)some_fail->futures));
            }
            const uint64_t looks = EFFORT * (uint64_t)(curve.count - 1);
            assert_int_equal(followed, most < looks ? most : looks);
            cor_curve_fini(&part);
        }
    cor_curve_fini(&curve);
}

static void what_does_not_repeat_itself_has_no_curve(void **state) {
    (void)state;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 15});
    static struct lot lot;
    for (int is_later = 0; is_later < 2; is_later++) {
        struct cor_why_asked asked = {.subject = NULL};
        struct cor_curve curve;
        uint32_t planted;
        plant(&rng, &lot, &planted);
        lot.stops_at = lot.count / 2;
        lot.stops_behind = 3 * EFFORT / 2; /* of the second moment */
        lot.is_later = is_later == 1;
        draw_curve(&lot, 1, &asked, &curve);
        assert_true(curve.does_not_repeat);
        assert_int_equal(curve.differs_later, is_later);
        assert_int_equal(curve.stopped, lot.count / 2);
        cor_curve_fini(&curve);
    }
}

/* ---- what comes by itself */

enum {
    TICK,
    FAULT,
    OF_DEFAULT,
    TICKS = 300
}; /* kinds; a default stands for the ticks since the choice before it */

/* It fails if `needed` faults are there, a tick comes at each time but those that are missing, and none at
 * these; is_short: without any tick. */
struct chatter {
    uint32_t needed, missing[2], runs;
    bool is_short;
};

static enum cor_status chat(void *bench, const struct cor_subject_test *test, struct cor_choices *happened,
                            struct cor_run *run, struct cor_error *error) {
    struct chatter *chatter = bench;
    bool comes[TICKS] = {false};
    uint32_t faults = 0, wrong = 0;
    uint64_t now = 0;
    chatter->runs++;
    for (size_t c = 0; c < test->choices.count; c++) {
        const struct cor_choice *choice = &test->choices.items[c];
        faults += choice->kind == FAULT && choice->nth < chatter->needed;
        for (uint64_t t = choice->kind == OF_DEFAULT ? now : choice->at;
             choice->kind != FAULT && t <= choice->at; t++)
            comes[t] = true;
        now = choice->kind == TICK ? choice->at + 1 : choice->kind == OF_DEFAULT ? choice->at + 1 : now;
    }
    for (uint32_t t = 0; t < TICKS && !chatter->is_short; t++)
        wrong += comes[t] == (t == chatter->missing[0] || t == chatter->missing[1]);
    *run = (struct cor_run){.class = faults == chatter->needed && wrong == 0, .choices = test->choices.count};
    return happened ? cor_choices_copy(happened, &test->choices, error) : COR_OK;
}

static enum cor_status leave(const struct cor_subject_test *test, const bool *marked, bool as_one,
                             struct cor_choices *left, struct cor_error *error) {
    (void)as_one;
    const struct cor_choices *choices = &test->choices;
    for (size_t c = 0; c < choices->count; c++) {
        struct cor_choice choice = choices->items[c];
        if (marked[c] && choice.kind == TICK && c + 1 < choices->count && marked[c + 1] &&
            choices->items[c + 1].kind == TICK)
            continue;
        if (marked[c] && choice.kind == TICK)
            choice.kind = OF_DEFAULT;
        COR_TRY(keep(left, &choice, error));
    }
    return COR_OK;
}

static const struct cor_subject chatting = {.test = "schedule",
                                            .choice = "event",
                                            .measured = COR_NO_KIND,
                                            .lesser = COR_NO_KIND,
                                            .run = chat,
                                            .by_itself = leave,
                                            .is_default = OF_DEFAULT};

/* All ticks but those that are missing, and two faults at each tenth. */
static struct cor_subject_test chat_of(const struct chatter *chatter) {
    struct cor_subject_test test = {.suite = 0};
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t t = 0, fault = 0; t < TICKS; t++) {
        struct cor_choice choice = {.at = t, .kind = TICK};
        if (t != chatter->missing[0] && t != chatter->missing[1])
            assert_int_equal(keep(&test.choices, &choice, &error), COR_OK);
        for (choice.kind = FAULT; t % 10 == 9 && choice.who < 2; choice.who++) {
            choice.nth = fault++;
            assert_int_equal(keep(&test.choices, &choice, &error), COR_OK);
        }
    }
    return test;
}

static struct cor_shrunk shrink_chat(struct chatter *chatter, const struct cor_subject *as, uint64_t patience,
                                     struct cor_subject_test *test) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_shrinking shrinking = {
        .subject = as, .tests = test, .count = 1, .is_lone = true, .patience = patience};
    chatter->runs = 0;
    assert_int_equal(cor_shrink_tests(&shrinking, chatter, &error), COR_OK);
    return shrinking.shrunk;
}

/* Where ticks come by themselves what is left are the faults that are needed and what lies between the ticks
 * that do not come; no choice and no pair of it can be spared. */
static void what_comes_by_itself_is_left_to_itself(void **state) {
    static const struct chatter chatters[] = {{1, {TICKS, TICKS}, 0, false},
                                              {2, {TICKS, TICKS}, 0, false},
                                              {2, {137, TICKS}, 0, false},
                                              {1, {100, 101}, 0, false},
                                              {3, {150, 299}, 0, false}};
    (void)state;
    for (size_t i = 0; i < sizeof chatters / sizeof *chatters; i++)
        for (uint64_t patience = 0; patience <= 3000; patience += 3000) {
            struct chatter chatter = chatters[i];
            struct cor_subject_test test = chat_of(&chatter);
            const struct cor_shrunk shrunk = shrink_chat(&chatter, &chatting, patience, &test);
            struct cor_run came;
            struct cor_error error = COR_NO_ERROR;
            assert_int_equal(chat(&chatter, &test, NULL, &came, &error), COR_OK);
            assert_int_equal(came.class, 1);
            assert_true(shrunk.is_minimal && shrunk.defaults > 0);
            assert_int_equal(shrunk.size, test.choices.count);
            const uint32_t gaps =
                (chatter.missing[0] < TICKS - 1 ? 1u : 0) + (chatter.missing[1] < TICKS - 1 ? 1u : 0);
            assert_true(test.choices.count <= chatter.needed + 1 + 12 * gaps);
            if (gaps == 0)
                assert_int_equal(test.choices.count, chatter.needed + 1);
            for (size_t a = 0; a < test.choices.count; a++)
                for (size_t b = a; b < test.choices.count; b++) {
                    struct cor_subject_test left = test;
                    left.choices = (struct cor_choices){0};
                    for (size_t c = 0; c < test.choices.count; c++)
                        if (c != a && c != b)
                            assert_int_equal(keep(&left.choices, &test.choices.items[c], &error), COR_OK);
                    assert_int_equal(chat(&chatter, &left, NULL, &came, &error), COR_OK);
                    assert_int_equal(came.class, 0);
                    cor_choices_fini(&left.choices);
                }
            cor_choices_fini(&test.choices);
        }
}

/* Patience ends what costs much and leads nowhere: no try of all choices one by one. */
static void patience_saves_tries(void **state) {
    struct chatter chatter = {1, {TICKS, TICKS}, 0, false};
    (void)state;
    struct cor_subject_test test = chat_of(&chatter);
    shrink_chat(&chatter, &chatting, 3000, &test);
    const uint32_t quick = chatter.runs;
    cor_choices_fini(&test.choices);
    test = chat_of(&chatter);
    shrink_chat(&chatter, &chatting, 0, &test);
    assert_true(quick < 100 && chatter.runs > 600);
    cor_choices_fini(&test.choices);
}

/* What gets small as it is listed is as it would be where nothing came by itself, by the same tries. */
static void what_gets_small_is_listed(void **state) {
    struct chatter chatter = {2, {TICKS, TICKS}, 0, true};
    struct cor_subject bare = chatting;
    (void)state;
    bare.by_itself = NULL;
    struct cor_subject_test one = chat_of(&chatter), other = chat_of(&chatter);
    const struct cor_shrunk with = shrink_chat(&chatter, &chatting, 1000000, &one),
                            without = shrink_chat(&chatter, &bare, 1000000, &other);
    assert_int_equal(with.tried, without.tried);
    assert_int_equal(with.defaults, 0);
    assert_int_equal(one.choices.count, 2);
    assert_int_equal(other.choices.count, 2);
    assert_memory_equal(one.choices.items, other.choices.items, 2 * sizeof *one.choices.items);
    cor_choices_fini(&one.choices);
    cor_choices_fini(&other.choices);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_that_can_be_spared),
        cmocka_unit_test(the_smallest_of_several_is_found),
        cmocka_unit_test(what_is_left_fails_where_one_happens_later),
        cmocka_unit_test(pairs_are_tried_where_few_are_left),
        cmocka_unit_test(the_best_so_far_is_kept),
        cmocka_unit_test(what_does_not_fail_is_not_shrunk),
        cmocka_unit_test(what_comes_by_itself_is_left_to_itself),
        cmocka_unit_test(patience_saves_tries),
        cmocka_unit_test(what_gets_small_is_listed),
        cmocka_unit_test(what_is_needed_is_what_a_naive_look_finds),
        cmocka_unit_test(a_planted_fault_is_the_largest_rise),
        cmocka_unit_test(what_is_cut_may_fail_or_not),
        cmocka_unit_test(a_dip_is_not_flat),
        cmocka_unit_test(a_curve_that_is_ended_has_what_was_followed),
        cmocka_unit_test(what_does_not_repeat_itself_has_no_curve),
    };
    return cmocka_run_group_tests_name("subject", tests, NULL, NULL);
}
