/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reasons by bounds alone, in states in which they can be counted out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/reason.h>

#include <stdlib.h>
#include <string.h>

enum { AGENTS = 300, ORGANIZATIONS = 10 };

static const char text[] =
    "structure partitioning\n"
    "attribute value: real 0 .. 1\n"
    "attribute ready: boolean\n"
    "invariant large: all(o in organizations: count(o.members) <= 20)\n"
    "invariant small: all(o in organizations: count(o.members) >= 40)\n"
    "invariant ready: all(o in organizations: any(a in o.members: a.ready))\n"
    "invariant total: all(o in organizations: sum(a in o.members: a.value) <= 5)\n"
    "invariant spread: max(o in organizations: mean(a in o.members: a.value))\n"
    "  - min(o in organizations: mean(a in o.members: a.value)) <= 0.5\n"
    "invariant apart: all(a in agents: all(b in agents: a = b or a.value != b.value))\n";

/* Agent a is in organization a / 30; 0.5 is the value of all but those of the last organization (1) and of
 * the first (0.25); nobody is ready. */
static void count_facts(const char *name, uint32_t members, uint32_t no_members, uint32_t attributes) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_corridor *corridor;
    struct cor_lists lists;
    struct cor_reason reason = {.facts = NULL};
    static double values[AGENTS];
    static int64_t ready[AGENTS];
    uint32_t found[COR_FACT_PARENT + 1] = {0}, c = 0;
    assert_int_equal(cor_corridor_parse(text, "it", &corridor, &error), COR_OK);
    cor_lists_init(&lists);
    for (uint32_t o = 0; o < ORGANIZATIONS; o++) {
        uint32_t block[AGENTS / ORGANIZATIONS];
        for (uint32_t i = 0; i < AGENTS / ORGANIZATIONS; i++) {
            block[i] = o * (AGENTS / ORGANIZATIONS) + i;
            values[block[i]] = o == 0 ? 0.25 : o + 1 == ORGANIZATIONS ? 1 : 0.5;
        }
        assert_int_equal(cor_lists_put(&lists, block, AGENTS / ORGANIZATIONS, &error), COR_OK);
    }
    struct cor_attribute_values *columns = cor_calloc(corridor->attribute_count, sizeof *columns);
    for (uint32_t q = 0; q < corridor->attribute_count; q++)
        columns[q] = (struct cor_attribute_values){values, ready, NULL};
    const struct cor_snapshot state = {.agent_count = AGENTS, .organizations = &lists, .columns = columns};
    while (strcmp(corridor->constraints[c].name, name) != 0)
        c++;
    assert_int_equal(cor_corridor_reason(corridor, &state, c, &reason, &error), COR_OK);
    assert_true(reason.is_there);
    for (size_t i = 0; i < reason.count; i++)
        found[reason.facts[i].kind]++;
    assert_int_equal(found[COR_FACT_MEMBER], members);
    assert_int_equal(found[COR_FACT_NO_MEMBER], no_members);
    assert_int_equal(found[COR_FACT_ATTRIBUTE], attributes);
    assert_int_equal(found[COR_FACT_PARENT], 0);
    cor_reason_fini(&reason);
    cor_lists_fini(&lists);
    cor_corridor_destroy(corridor);
    free(columns);
}

/* More than 20 are 21; fewer than 40 are those that are not in it: all but 39. */
static void test_sizes(void **unused) {
    (void)unused;
    count_facts("large", 21, 0, 0);
    count_facts("small", 0, AGENTS - 39, 0);
}

/* Each is not ready, or elsewhere. The first sum beyond 5 is that of 11 values of 0.5, or of 21 of 0.25. */
static void test_values(void **unused) {
    (void)unused;
    count_facts("ready", 0, AGENTS - 30, 30);
    count_facts("total", 21, 0, 21);
    count_facts("apart", 0, 0, 2);
}

/* The first and the last are furthest apart: 0.25 and 1. As long as fewer than 15 others, with a value of 1,
 * may be in the first, (7.5 + 14) / (30 + 14) is still less than 0.5; then nobody may come into the last. Who
 * is in one is not in the other. */
static void test_means(void **unused) {
    (void)unused;
    count_facts("spread", 60, (270 - 30 - 14) + (270 - 30), 60);
}

/* With as many attributes as a text may declare there is one more, `up`, and nothing behind it. */
static void test_all_attributes(void **unused) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_reason reason = {.facts = NULL};
    struct cor_corridor *corridor;
    struct cor_lists lists;
    char *source = cor_strdup("structure observed\n");
    static int64_t values[2];
    (void)unused;
    for (int a = 4; a < COR_CORRIDOR_ROWS_MAX; a++) /* type, state, group and value are there */
        source = cor_join_take(source, "", cor_format("attribute a%d: integer\n", a));
    source = cor_join_take(source, "", cor_strdup("invariant works: all(a in agents: a.up)\n"));
    assert_non_null(source);
    assert_int_equal(cor_corridor_parse(source, "it", &corridor, &error), COR_OK);
    assert_int_equal(corridor->attribute_count, COR_CORRIDOR_ROWS_MAX + 1);
    struct cor_attribute_values *columns = cor_calloc(corridor->attribute_count, sizeof *columns);
    for (uint32_t q = 0; q < corridor->attribute_count; q++)
        columns[q] = (struct cor_attribute_values){NULL, values, NULL};
    cor_lists_init(&lists);
    const struct cor_snapshot state = {.agent_count = 2, .organizations = &lists, .columns = columns};
    assert_int_equal(cor_corridor_reason(corridor, &state, 0, &reason, &error), COR_OK);
    assert_true(reason.is_there);
    assert_int_equal(reason.count, 1);
    assert_int_equal(reason.facts[0].attribute, corridor->up);
    cor_reason_fini(&reason);
    cor_lists_fini(&lists);
    cor_corridor_destroy(corridor);
    free(columns);
    free(source);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_means), cmocka_unit_test(test_all_attributes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
