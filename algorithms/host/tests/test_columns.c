/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of values beside the first, and what they are: alike in process, in a cell, in strict copies, to
 * agents and to programs. */
#include "session.h"
#include "require.h"
#include "tasks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define MODULE "./columns.so"
#define AGENTS_MODULE "./columns_agents.so"
#define PROGRAM "python3 -I -S " TEST_SOURCE_SHELL "/algorithms/host/tests/programs/columns.py"

static const char *const words[] = {"none", "crane", "a \"drill\"", NULL};
static const struct cor_value_column columns[] = {
    {.name = "value", .unit = "", .max = 1},
    {.name = "load", .unit = "kW", .max = 500},
    {.name = "tool", .unit = "", .type = COR_COLUMN_WORDS, .words = words, .word_count = 3, .max = 2},
    {.name = "ready", .unit = "", .type = COR_COLUMN_BOOLEAN, .max = 1},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct test_task task; /* big */
static double load[TEST_AGENTS_MAX], tool[TEST_AGENTS_MAX], ready[TEST_AGENTS_MAX];

static void make_task(const struct cor_algorithm *algorithm, uint32_t n, uint64_t seed) {
    static const double *values[COLUMNS];
    struct cor_rng rng = test_rng(seed + 1000);
    test_make(&task, algorithm, n, 2, seed);
    for (uint32_t i = 0; i < n; i++) {
        load[i] = 500 * cor_rng_unit(&rng);
        tool[i] = cor_rng_below(&rng, 3);
        ready[i] = cor_rng_below(&rng, 2);
    }
    load[n / 2] = (double)NAN; /* this one has none */
    values[0] = task.values;
    values[1] = load;
    values[2] = tool;
    values[3] = ready;
    task.task.values = values;
    task.rules.value_count = COLUMNS;
    task.rules.columns = columns;
}

/* What is wanted, by loops of its own. */
static void check(const struct cor_outcome *outcome) {
    const struct cor_lists *solution = &outcome->solution;
    uint32_t cranes = 0, at = 0;
    if (outcome->smoke != COR_SMOKE_NONE)
        fail_msg("%s", outcome->complaint);
    for (uint32_t i = 0; i < task.task.agent_count; i++)
        cranes += tool[i] > 0 && tool[i] < 2;
    assert_true(cranes > 2 && solution->block_count == 2);
    assert_int_equal(cor_lists_size(solution, 0), cranes);
    for (; at < cranes; at++) {
        const uint32_t agent = solution->members[at];
        assert_true(tool[agent] > 0 && tool[agent] < 2);
        if (isnan(load[agent]))
            assert_int_equal(at, 0);
        else if (at > 0 && !isnan(load[solution->members[at - 1]]))
            assert_true(load[solution->members[at - 1]] <= load[agent]);
    }
    for (uint32_t i = 0; i < task.task.agent_count; i++)
        if (!(tool[i] > 0 && tool[i] < 2))
            assert_int_equal(solution->members[at++], i);
}

static void reorganize(const struct cor_algorithm *algorithm,
                       const struct cor_session_definition *definition) {
    struct cor_session *session;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    REQUIRE(cor_session_create(definition, &session, &said));
    for (uint32_t i = 0; i < 4; i++) {
        make_task(algorithm, 20 + 7 * i, i);
        REQUIRE(cor_session_reorganize(session, &task.task, &task.name, &outcome, &said));
        check(&outcome);
    }
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static void by_module(const char *path, enum cor_isolation isolation, bool is_strict) {
    struct cor_registry *registry;
    const struct cor_algorithm *algorithm;
    REQUIRE(cor_registry_create(&(struct cor_isolation_definition){isolation, false}, &registry, &said));
    REQUIRE(cor_registry_find(registry, path, &algorithm, &said));
    assert_string_equal(algorithm->needs[0], "load [kW]");
    assert_string_equal(algorithm->needs[1], "tool");
    assert_null(algorithm->needs[2]);
    struct cor_session_definition definition = cor_registry_session(registry, algorithm);
    definition.strict = is_strict;
    reorganize(algorithm, &definition);
    cor_registry_destroy(registry);
}

static void modules_see_columns_in_process(void **state) {
    (void)state;
    by_module(MODULE, COR_ISOLATION_NEVER, false);
    by_module(AGENTS_MODULE, COR_ISOLATION_NEVER, false);
}

static void modules_see_columns_in_cells(void **state) {
    (void)state;
    by_module(MODULE, COR_ISOLATION_ALWAYS, false);
    by_module(AGENTS_MODULE, COR_ISOLATION_ALWAYS, false);
}

static void modules_see_columns_in_strict_copies(void **state) {
    (void)state;
    by_module(AGENTS_MODULE, COR_ISOLATION_NEVER, true);
}

static void programs_see_columns(void **state) {
    (void)state;
    struct cor_registry *registry;
    const struct cor_algorithm *algorithm;
    REQUIRE(cor_registry_create(NULL, &registry, &said));
    REQUIRE(cor_registry_command(registry, PROGRAM, &algorithm, &said));
    assert_string_equal(algorithm->needs[1], "tool");
    const struct cor_session_definition definition = cor_registry_session(registry, algorithm);
    reorganize(algorithm, &definition);
    cor_registry_destroy(registry);
}

/* A block written for one place and settled at another is what it was. */
static void blocks_of_columns_can_stand_anywhere(void **state) {
    (void)state;
    const struct cor_rules rules = {.value_count = COLUMNS, .columns = columns};
    const size_t bytes = host__columns_bytes(&rules);
    _Alignas(16) unsigned char room[2][1024];
    assert_true(bytes > 0 && bytes <= sizeof room[0]);
    host__columns_write(&rules, room[0], 0);
    memcpy(room[1], room[0], bytes);
    memset(room[0], 0xff, sizeof room[0]);
    const struct cor_value_column *settled = host__columns_settle(room[1], COLUMNS);
    for (uint32_t c = 0; c < COLUMNS; c++) {
        assert_string_equal(settled[c].name, columns[c].name);
        assert_string_equal(settled[c].unit, columns[c].unit);
        assert_int_equal(settled[c].type, columns[c].type);
        assert_int_equal(settled[c].word_count, columns[c].word_count);
        for (uint32_t w = 0; w < columns[c].word_count; w++)
            assert_string_equal(settled[c].words[w], columns[c].words[w]);
        assert_true(!columns[c].words == !settled[c].words);
    }
    assert_int_equal(host__columns_bytes(&(struct cor_rules){.value_count = 1}), 0);
}

static void needs_are_a_name_and_perhaps_a_unit(void **state) {
    (void)state;
    static const char *const wrong[] = {"",        " [kW]", "load[kW]",   "load [kW",
                                        "load []", "a b",   "load [k]W]", NULL};
    char name[COR_NEED_SIZE], unit[COR_NEED_SIZE];
    assert_true(cor_algorithm_need("load", name, unit));
    assert_string_equal(name, "load");
    assert_string_equal(unit, "");
    assert_true(cor_algorithm_need("load [m / s]", name, unit));
    assert_string_equal(name, "load");
    assert_string_equal(unit, "m / s");
    for (size_t i = 0; wrong[i]; i++)
        assert_false(cor_algorithm_need(wrong[i], name, unit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_see_columns_in_process),
        cmocka_unit_test(modules_see_columns_in_cells),
        cmocka_unit_test(modules_see_columns_in_strict_copies),
        cmocka_unit_test(programs_see_columns),
        cmocka_unit_test(blocks_of_columns_can_stand_anywhere),
        cmocka_unit_test(needs_are_a_name_and_perhaps_a_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
