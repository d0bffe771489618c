/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions nested at random, against an evaluation from the top down; and what of JSON they are read from.
 */
#include <corridor/stop.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TREES = 20000 };

static uint64_t dice_state;

static uint32_t dice(uint32_t sides) {
    dice_state = dice_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((dice_state >> 33) % sides);
}

static bool reached(int figure, double now, double bound) {
    if (figure == COR_STOP_AT_HALF_WIDTH)
        return now <= bound;
    return now >= bound;
}

/* From the top down, as one would say it. */
static bool holds(const struct cor_stop_conditions *stop, uint32_t group, const double *figures) {
    bool any = false, all = true;
    for (int f = 0; f < COR_STOP_FIGURE_COUNT; f++)
        if (stop->group[group].bound[f] > 0) {
            bool now = reached(f, figures[f], stop->group[group].bound[f]);
            any = any || now;
            all = all && now;
        }
    for (uint32_t g = group + 1; g < stop->count; g++)
        if (stop->group[g].parent == group) {
            bool now = holds(stop, g, figures);
            any = any || now;
            all = all && now;
        }
    return stop->group[group].all ? all : any;
}

/* Groups with conditions, as cor_stop_read makes them. */
static struct cor_stop_conditions grow(void) {
    struct cor_stop_conditions stop = {0};
    uint32_t groups = 1 + dice(6);
    cor_stop_add(&stop, 0, dice(2));
    for (uint32_t g = 1; g < groups; g++)
        assert_int_equal(cor_stop_add(&stop, dice(g), dice(2)), g);
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t f = 1 + dice(2); f > 0; f--)
            stop.group[g].bound[dice(COR_STOP_FIGURE_COUNT)] = 1 + dice(4);
    return stop;
}

static void nested_conditions_hold_as_read_from_the_top_down(void **state) {
    (void)state;
    uint32_t held = 0;
    dice_state = 7;
    for (uint32_t i = 0; i < TREES; i++) {
        const struct cor_stop_conditions stop = grow();
        double figures[COR_STOP_FIGURE_COUNT];
        for (int f = 0; f < COR_STOP_FIGURE_COUNT; f++)
            figures[f] = dice(6) == 0 ? __builtin_nan("") : dice(6);
        bool expected = holds(&stop, 0, figures);
        held += expected;
        assert_int_equal(cor_stop_holds(&stop, figures), expected);
    }
    assert_in_range(held, TREES / 10, TREES * 9 / 10);
}

/* The least number of suites after which they hold with nothing else found, by counting. */
static void suites_after_which_they_hold_anyway_are_found_by_counting(void **state) {
    (void)state;
    dice_state = 8;
    for (uint32_t i = 0; i < TREES; i++) {
        const struct cor_stop_conditions stop = grow();
        double figures[COR_STOP_FIGURE_COUNT] = {[COR_STOP_AT_HALF_WIDTH] = 1e9};
        uint64_t expected = UINT64_MAX;
        for (uint32_t suites = 1; suites <= 5 && expected == UINT64_MAX; suites++) {
            figures[COR_STOP_AT_SUITES] = suites;
            if (holds(&stop, 0, figures))
                expected = suites;
        }
        assert_int_equal(cor_stop_suites(&stop), expected);
    }
}

/* The same of the share of properties that is decided, by trying all that bounds can be. */
static void the_share_of_decisions_that_is_enough_is_found_by_trying(void **state) {
    (void)state;
    uint32_t enough = 0, less = 0;
    dice_state = 9;
    for (uint32_t i = 0; i < TREES; i++) {
        const struct cor_stop_conditions stop = grow();
        double figures[COR_STOP_FIGURE_COUNT] = {[COR_STOP_AT_HALF_WIDTH] = 1e9}, expected = 0;
        for (int share = 1; share <= 4 && expected == 0; share++) {
            figures[COR_STOP_AT_DECIDED] = share;
            if (holds(&stop, 0, figures))
                expected = share;
        }
        enough += expected > 0;
        less += expected > 1;
        assert_true(cor_stop_decided(&stop) == expected);
    }
    assert_in_range(enough, 1, TREES - 1);
    assert_in_range(less, 1, enough - 1);
    assert_true(cor_stop_decided(&(struct cor_stop_conditions){0}) == 0);
}

static void no_condition_never_holds(void **state) {
    (void)state;
    const double figures[COR_STOP_FIGURE_COUNT] = {1e9, 1e9, 1e9, 1, 1, 0, 1e9};
    assert_false(cor_stop_holds(&(struct cor_stop_conditions){0}, figures));
    assert_int_equal(cor_stop_suites(&(struct cor_stop_conditions){0}), UINT64_MAX);
    for (int f = 0; f < COR_STOP_FIGURE_COUNT; f++)
        assert_false(cor_stop_asks(&(struct cor_stop_conditions){0}, (enum cor_stop_figure)f));
}

static enum cor_status read(const char *text, struct cor_stop_conditions *stop, struct cor_error *error) {
    struct cor_json_document *document;
    assert_int_equal(cor_json_parse(text, "test", &document, error), COR_OK);
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_stop_read(&root, stop, error);
    cor_json_destroy(document);
    return status;
}

static void what_is_written_is_what_is_read(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_stop_conditions stop = {0};
    assert_int_equal(read("{\"failures\": 500, \"all\": {\"suites\": 200, \"half_width\": 0.02, \"any\": "
                          "{\"states\": 0.5, \"transitions\": 1, \"cases\": 7, \"seconds\": 0.25}}}",
                          &stop, &error),
                     COR_OK);
    const struct cor_stop_conditions expected = {
        4,
        {{.all = false},
         {.all = false, .bound = {[COR_STOP_AT_FAILURES] = 500}},
         {.all = true, .parent = 1, .bound = {[COR_STOP_AT_SUITES] = 200, [COR_STOP_AT_HALF_WIDTH] = 0.02}},
         {.parent = 2,
          .bound = {[COR_STOP_AT_STATES] = 0.5,
                    [COR_STOP_AT_TRANSITIONS] = 1,
                    [COR_STOP_AT_CASES] = 7,
                    [COR_STOP_AT_SECONDS] = 0.25}}}};
    assert_int_equal(stop.count, expected.count);
    for (uint32_t g = 0; g < stop.count; g++) {
        assert_int_equal(stop.group[g].all, expected.group[g].all);
        assert_int_equal(stop.group[g].parent, expected.group[g].parent);
        assert_memory_equal(stop.group[g].bound, expected.group[g].bound, sizeof stop.group[g].bound);
    }
    assert_true(cor_stop_asks(&stop, COR_STOP_AT_SECONDS));
}

static void more_groups_than_there_is_room_for_are_refused(void **state) {
    (void)state;
    for (int deep = 1; deep < 40; deep++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_stop_conditions stop = {0};
        char text[40 * 12 + 40] = "";
        for (int i = 1; i < deep; i++)
            strcat(text, "{\"any\": ");
        strcat(text, "{\"cases\": 7}");
        for (int i = 1; i < deep; i++)
            strcat(text, "}");
        bool fits = deep < COR_STOP_GROUPS_MAX; /* the first is around all */
        assert_int_equal(read(text, &stop, &error), fits ? COR_OK : COR_STATUS_INPUT);
        if (!fits)
            assert_non_null(strstr(error.cause, "more than 15 groups"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_conditions_hold_as_read_from_the_top_down),
        cmocka_unit_test(suites_after_which_they_hold_anyway_are_found_by_counting),
        cmocka_unit_test(the_share_of_decisions_that_is_enough_is_found_by_trying),
        cmocka_unit_test(no_condition_never_holds),
        cmocka_unit_test(what_is_written_is_what_is_read),
        cmocka_unit_test(more_groups_than_there_is_room_for_are_refused),
    };
    return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}
