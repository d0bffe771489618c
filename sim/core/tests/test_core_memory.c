/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of this room made to fail in turn by the linker: an error, no crash, no leak, and
 * what may be used afterwards is whole. */
#include "sample.h"

#include "failing_allocations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/state.h>

#include <stdlib.h>

/* Everything this room allocates, once. Returns the first error. */
static enum cor_status once(enum cor_structure_kind kind, const struct cor_lists *solution,
                            struct cor_error *error) {
    static const uint32_t everybody[] = {0, 1, 2, 3, 4, 5};
    struct cor_configuration *c = NULL, *other = NULL;
    struct cor_effect *effect = NULL;
    struct cor_state *state = NULL, *copy = NULL;
    struct cor_adopter *adopter = NULL;
    struct cor_adoption_report report;
    struct cor_lists lists;
    cor_lists_init(&lists);
    enum cor_status status = cor_configuration_create(6, 1, 1, 1, 1, &c, error);
    if (status == COR_OK)
        status = cor_configuration_set_effect(c, 0, 0, 2, 2, 2, true, &effect, error);
    static char name[] = "load", unit[] = "kW", word[] = "good", text[] = "1";
    static char *words[] = {word, NULL};
    static const struct cor_agent_attribute attributes[] = {
        {.name = name, .unit = unit, .high = 1},
        {.name = word, .unit = unit, .type = COR_ATTRIBUTE_WORDS, .words = words, .word_count = 1},
        {.name = unit, .unit = unit, .high = 1}};
    struct cor_formula_step step = {COR_FORMULA_CONSTANT, .constant = 1};
    if (status == COR_OK)
        status = cor_configuration_set_attributes(c, 3, attributes, error);
    if (status == COR_OK)
        status = cor_configuration_set_levels(c, 0, 0, error);
    if (status == COR_OK)
        status = cor_configuration_set_formula(c, 2, 0, COR_ATTRIBUTE_COMPUTED,
                                               &(struct cor_formula){text, &step, 1}, error);
    if (status == COR_OK)
        status = cor_configuration_copy(c, &other, error);
    if (status == COR_OK) {
        c->attributes[0].rules[0].has_inertia = true;
        c->idle_ratio = 0.5;
        c->initial_partitions = 1;
        c->kind = kind;
    }
    if (status == COR_OK && kind != COR_STRUCTURE_PARTITIONING)
        status = cor_lists_put(&c->initial_organizations, everybody, 6, error);
    if (status == COR_OK) {
        c->adoption = (struct cor_adoption_definition){COR_ADOPTION_FAULT_DOUBLED, 1};
        status = cor_state_create(c, &state, error);
    }
    if (status == COR_OK)
        status = cor_state_create(c, &copy, error);
    if (status == COR_OK)
        status = cor_adopter_create(6, &adopter, error);
    if (status == COR_OK)
        status = cor_adopt(adopter, state, solution, NULL, 0, &(struct cor_stream_name){0}, &report, error);
    if (status == COR_OK)
        status = cor_state_copy(copy, state, error);
    if (status != COR_OK && copy && kind == COR_STRUCTURE_PARTITIONING)
        sample_assert_partitioning(copy); /* as it was */
    if (status == COR_OK)
        status = cor_state_lists(copy, &lists, error);
    cor_lists_fini(&lists);
    cor_adopter_destroy(adopter);
    cor_state_destroy(copy);
    cor_state_destroy(state);
    cor_configuration_destroy(other);
    cor_configuration_destroy(c);
    return status;
}

static void fail_every_allocation(enum cor_structure_kind kind, long least) {
    struct cor_lists solution;
    static const uint32_t agent = 3;
    cor_lists_init(&solution);
    for (int b = 0; b < 100; b++)
        assert_int_equal(cor_lists_put(&solution, &agent, 1, NULL), COR_OK);
    assert_int_equal(cor_lists_hang(&solution, 99, 3, NULL), COR_OK);
    long at = 0, failed = 0;
    enum cor_status status;
    do {
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin(++at, false);
        status = once(kind, &solution, &error);
        bool reached = cor_allocations_end() >= at;
        assert_int_equal(status, reached ? COR_STATUS_MEMORY : COR_OK);
        assert_int_equal(error.status, status);
        failed += reached;
    } while (status != COR_OK);
    assert_true(failed > least);
    cor_lists_fini(&solution);
}

static void every_failed_allocation_is_told(void **unused) {
    (void)unused;
    fail_every_allocation(COR_STRUCTURE_PARTITIONING, 35); /* 11 + 4 + 2 * 7 + 3 and what grows */
    fail_every_allocation(COR_STRUCTURE_COVERING, 42);
    fail_every_allocation(COR_STRUCTURE_HIERARCHY, 47);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_told)};
    return cmocka_run_group_tests_name("core_memory", tests, NULL, NULL);
}
