/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The least and the greatest of the organizations' numbers against a pass over them by hand: numbers that are
 * not known, zeros of both signs, infinite ones, and none at all. */
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/trigger.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AGENTS = 40 };

static struct cor_trigger_node leaf(enum cor_trigger_operator kind, double constant) {
    return (struct cor_trigger_node){.operator= kind,
                                     .by_organization = kind != COR_TRIGGER_CONSTANT,
                                     .left = COR_NOBODY,
                                     .right = COR_NOBODY,
                                     .filter = COR_TRIGGER_NO_FILTER,
                                     .constant = constant};
}

/* Whether an alarm is due where the extreme of the organizations' numbers has to compare so with a number. */
static bool is_due(const struct cor_state *state, const double *numbers, enum cor_trigger_operator extreme,
                   enum cor_trigger_operator comparison, double expected) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_trigger_program program = {0};
    struct cor_trigger *trigger;
    bool due;
    program.nodes = cor_calloc(4, sizeof *program.nodes);
    program.conditions = cor_calloc(1, sizeof *program.conditions);
    program.columns = cor_calloc(1, sizeof *program.columns);
    assert_true(program.nodes && program.conditions && program.columns);
    program.columns[0] = (struct cor_trigger_column){.numbers = numbers, .changes = true};
    program.nodes[0] = leaf(COR_TRIGGER_LEAST, 0); /* of the one member that an organization has */
    program.nodes[1] = (struct cor_trigger_node){.operator= extreme, .left = COR_NOBODY, .right = 0};
    program.nodes[2] = leaf(COR_TRIGGER_CONSTANT, expected);
    program.nodes[3] = (struct cor_trigger_node){.operator= comparison, .left = 1, .right = 2};
    program.conditions[0] = (struct cor_trigger_condition){.node = 3, .cases = 1};
    program.node_count = 4;
    program.condition_count = program.column_count = 1;
    assert_int_equal(cor_trigger_create(&program, AGENTS, &trigger, &error), COR_OK);
    assert_int_equal(cor_trigger_watch(trigger, state, &due, &error), COR_OK);
    cor_trigger_destroy(trigger);
    return due;
}

static double extreme_by_hand(const double *numbers, uint32_t count, bool is_least) {
    double made = numbers[0];
    for (uint32_t i = 0; i < count; i++) {
        if (isnan(numbers[i]))
            return NAN;
        if (is_least ? numbers[i] < made : numbers[i] > made)
            made = numbers[i];
    }
    return made;
}

static void extremes_are_those_by_hand(void **unused) {
    (void)unused;
    static const double odd[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 43});
    for (int i = 0; i < 2000; i++) {
        const uint32_t count = 1 + cor_rng_below(&rng, AGENTS);
        const uint32_t oddness = cor_rng_below(&rng, 4), kinds = cor_rng_below(&rng, 7) + 1;
        double numbers[AGENTS];
        struct cor_configuration *c = sample_plain(count, count);
        struct cor_state *state = sample_state(c);
        for (uint32_t a = 0; a < count; a++) {
            const uint32_t way = cor_rng_below(&rng, 8), which = cor_rng_below(&rng, kinds);
            const int drawn = (int)cor_rng_below(&rng, 2001) - 1000;
            numbers[a] = way < 2 * oddness ? odd[which] : drawn / 64.0;
        }
        for (int least = 0; least < 2; least++) {
            const enum cor_trigger_operator kind = least ? COR_TRIGGER_LEAST_OF : COR_TRIGGER_GREATEST_OF;
            const double expected = extreme_by_hand(numbers, count, least);
            const bool is_known = !isnan(expected);
            /* A condition is violated where it is false, and not where it is not known. */
            assert_int_equal(is_due(state, numbers, kind, COR_TRIGGER_EQUAL, expected), false);
            assert_int_equal(is_due(state, numbers, kind, COR_TRIGGER_NOT_EQUAL, expected), is_known);
            assert_int_equal(is_due(state, numbers, kind, COR_TRIGGER_EQUAL, 1000000), is_known);
        }
        cor_state_destroy(state);
        cor_configuration_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(extremes_are_those_by_hand)};
    return cmocka_run_group_tests_name("trigger", tests, NULL, NULL);
}
