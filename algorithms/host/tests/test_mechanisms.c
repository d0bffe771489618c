/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a mechanism may not do is found, in exact words, and then nothing was written; what it may do is done;
 * it draws from a stream of its own. */
#include "mechanisms.h"
#include "require.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AGENTS = 4, COLUMNS = 5 };

static const char *const words[] = {"none", "crane", NULL};
static const struct cor_value_column columns[COLUMNS] = {
    {.name = "value", .unit = "", .max = 1},
    {.name = "load", .unit = "kW", .min = -5, .max = 500},
    {.name = "tool", .unit = "", .type = COR_COLUMN_WORDS, .words = words, .word_count = 2, .max = 1},
    {.name = "ready", .unit = "", .type = COR_COLUMN_BOOLEAN, .max = 1},
    {.name = "crew", .unit = "", .type = COR_COLUMN_INTEGER, .min = 0, .max = 9},
};
static const double numbers[COLUMNS][AGENTS] = {
    {0.25, 0.5, 0.75, 1}, {100, 200, 300, (double)NAN}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 2, 3, 4}};

/* What it does, as its parameter says. */
enum deed {
    NOTHING,
    ALL,
    UNDECLARED,
    ABOVE,
    UNKNOWN,
    NO_AGENT,
    NO_COLUMN,
    HALF_A_WORD,
    WORD_BEYOND,
    READY_TWO,
    PART_OF_CREW,
    MOVES_AN_AGENT,
    CUTS_A_BLOCK,
    CHANGES_VALUES,
    FAILS,
    COMPLAINS,
    COST_BELOW,
    COST_UNKNOWN,
    GREEDY,
    DRAWS
};
static uint64_t drawn[2];

static enum cor_progress work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    const enum deed deed = (enum deed)task->rules->parameters[0];
    const struct {
        enum deed deed;
        uint32_t column, agent;
        double number;
    } bad[] = {{UNDECLARED, 1, 0, 7},  {ABOVE, 0, 2, 1.5},   {UNKNOWN, 0, 2, NAN},
               {NO_AGENT, 0, 4, 0},    {NO_COLUMN, 9, 0, 0}, {HALF_A_WORD, 2, 1, 0.5},
               {WORD_BEYOND, 2, 1, 2}, {READY_TWO, 3, 3, 2}, {PART_OF_CREW, 4, 0, 1.5}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (bad[i].deed == deed) {
            assert_int_equal(host->write(host, 0, 0, 0.125), 1);
            assert_int_equal(host->write(host, bad[i].column, bad[i].agent, bad[i].number), 0);
            assert_int_equal(host->write(host, 0, 0, 0.125), 0);
        }
    if (deed == ALL) {
        *host->cost += 3;
        return host->write(host, 0, 1, 0.75) && host->write(host, 0, 1, 0.625) &&
                       host->write(host, 2, 0, 1) && host->write(host, 3, 0, 1) && host->write(host, 4, 3, 9)
                   ? COR_DONE
                   : COR_FAILED;
    }
    if (deed == MOVES_AN_AGENT)
        ((uint32_t *)(uintptr_t)task->members)[0] = 3;
    if (deed == CUTS_A_BLOCK)
        ((uint32_t *)(uintptr_t)task->block_start)[1] = 1;
    if (deed == CHANGES_VALUES)
        ((double *)(uintptr_t)task->values[1])[2] = 1;
    if (deed == COMPLAINS)
        host->complain(host, "no wind");
    if (deed == COST_BELOW)
        *host->cost = -1;
    if (deed == COST_UNKNOWN)
        *host->cost = NAN;
    if (deed == GREEDY && (host->alloc(host, (size_t)1 << 40) || !host->alloc(host, 100)))
        return COR_FAILED;
    if (deed == DRAWS)
        for (int i = 0; i < 2; i++)
            drawn[i] = cor_random_word(host->random);
    return deed == FAILS || deed == COMPLAINS ? COR_FAILED : COR_DONE;
}

static const char *const writes[] = {"value", "tool", "ready", "crew", NULL};
static const struct cor_mechanism mechanism = {COR_MECHANISM,  .name = "bad",    .version = "1",
                                               .summary = "-", .cost_unit = "1", .writes = writes,
                                               .work = work};

struct scene {
    struct cor_mechanism_desk *desk;
    struct cor_lists structure;
    const double *columns[COLUMNS];
    struct cor_rules rules;
};

static void open_scene(struct scene *scene) {
    struct cor_error error = COR_NO_ERROR;
    static const uint32_t first[] = {2, 0}, second[] = {1, 3};
    REQUIRE(cor_mechanism_desk_create(AGENTS, COLUMNS, &scene->desk, &error));
    cor_lists_init(&scene->structure);
    REQUIRE(cor_lists_put(&scene->structure, first, 2, &error));
    REQUIRE(cor_lists_put(&scene->structure, second, 2, &error));
    scene->rules =
        (struct cor_rules){.struct_size = sizeof scene->rules, .value_count = COLUMNS, .columns = columns};
    for (uint32_t c = 0; c < COLUMNS; c++)
        scene->columns[c] = numbers[c];
}

static void close_scene(struct scene *scene) {
    cor_mechanism_desk_destroy(scene->desk);
    cor_lists_fini(&scene->structure);
}

static enum cor_status let_work(struct scene *scene, enum deed deed, uint32_t slot,
                                struct cor_mechanism_outcome *outcome, struct cor_error *error) {
    const double parameter = (double)deed;
    const struct cor_mechanism_task task = {.mechanism = &mechanism,
                                            .rules = &scene->rules,
                                            .parameters = &parameter,
                                            .agent_count = AGENTS,
                                            .columns = scene->columns,
                                            .structure = &scene->structure,
                                            .name = {.seed = 7, .identity = 3, .entity = slot}};
    return cor_mechanism_work(scene->desk, &task, outcome, error);
}

static void test_bad(void **state) {
    static const struct {
        enum deed deed;
        const char *cause, *remedy;
    } cases[] = {
        {UNDECLARED, "mechanism \"bad\" wrote \"load\", which it did not declare",
         "it writes what it declares in \"writes\" alone"},
        {ABOVE, "mechanism \"bad\" wrote 1.5 as \"value\" of agent 2", "a number from 0 to 1"},
        {UNKNOWN, "mechanism \"bad\" wrote NaN as \"value\" of agent 2", "a number from 0 to 1"},
        {NO_AGENT, "mechanism \"bad\" wrote to column 0 of agent 4, but there are 5 columns and 4 agents",
         ""},
        {NO_COLUMN, "mechanism \"bad\" wrote to column 9 of agent 0, but there are 5 columns and 4 agents",
         ""},
        {HALF_A_WORD, "mechanism \"bad\" wrote 0.5 as \"tool\" of agent 1", "the place of a word, 0 to 1"},
        {WORD_BEYOND, "mechanism \"bad\" wrote 2 as \"tool\" of agent 1", "the place of a word, 0 to 1"},
        {READY_TWO, "mechanism \"bad\" wrote 2 as \"ready\" of agent 3", "0 or 1"},
        {PART_OF_CREW, "mechanism \"bad\" wrote 1.5 as \"crew\" of agent 0", "an integer from 0 to 9"},
        {MOVES_AN_AGENT, "mechanism \"bad\" changed the structure that it was shown",
         "it changes nothing but by write()"},
        {CUTS_A_BLOCK, "mechanism \"bad\" changed the structure that it was shown",
         "it changes nothing but by write()"},
        {CHANGES_VALUES, "mechanism \"bad\" changed load that it was shown",
         "it changes nothing but by write()"},
        {FAILS, "mechanism \"bad\" failed", ""},
        {COMPLAINS, "mechanism \"bad\" failed: no wind", ""},
        {COST_BELOW, "mechanism \"bad\" says that it cost -1", "a cost is a number of at least 0"},
        {COST_UNKNOWN, "mechanism \"bad\" says that it cost nan", "a cost is a number of at least 0"},
    };
    struct scene scene;
    struct cor_mechanism_outcome outcome;
    (void)state;
    open_scene(&scene);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_error trouble = COR_NO_ERROR;
        assert_int_equal(let_work(&scene, cases[i].deed, 0, &outcome, &trouble), COR_STATUS_PLUGIN);
        assert_string_equal(trouble.cause, cases[i].cause);
        assert_string_equal(trouble.remedy, cases[i].remedy);
        /* It was a copy that was changed, and the next call does better. */
        assert_int_equal(scene.structure.members[0], 2);
        REQUIRE(let_work(&scene, NOTHING, 0, &outcome, &trouble));
        for (uint32_t c = 0; c < COLUMNS; c++)
            assert_null(cor_mechanism_desk_column(scene.desk, c));
    }
    close_scene(&scene);
}

static void test_good(void **state) {
    static const double expected[COLUMNS][AGENTS] = {
        {0.25, 0.625, 0.75, 1}, {0}, {1, 1, 0, 1}, {1, 0, 1, 1}, {1, 2, 3, 9}};
    struct scene scene;
    struct cor_mechanism_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    (void)state;
    open_scene(&scene);
    for (int again = 0; again < 2; again++) {
        REQUIRE(let_work(&scene, ALL, 0, &outcome, &error));
        assert_int_equal(outcome.written, 4);
        assert_true(outcome.cost == 3 && outcome.moved == 0.125);
        assert_null(cor_mechanism_desk_column(scene.desk, 1));
        for (uint32_t c = 0; c < COLUMNS; c++)
            if (c != 1)
                assert_memory_equal(cor_mechanism_desk_column(scene.desk, c), expected[c],
                                    sizeof expected[c]);
        REQUIRE(let_work(&scene, GREEDY, 0, &outcome, &error));
        assert_null(cor_mechanism_desk_column(scene.desk, 0));
        assert_true(outcome.written == 0 && outcome.cost == 0);
    }
    close_scene(&scene);
}

/* The stream is that of its purpose, and of its place among mechanisms. */
static void test_draws(void **state) {
    struct scene scene;
    struct cor_mechanism_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    (void)state;
    open_scene(&scene);
    for (uint32_t slot = 0; slot < 2; slot++) {
        const struct cor_stream_name name = {
            .seed = 7, .identity = 3, .entity = slot, .purpose = COR_PURPOSE_MECHANISM};
        struct cor_rng rng = cor_rng_named(&name);
        REQUIRE(let_work(&scene, DRAWS, slot, &outcome, &error));
        for (int i = 0; i < 2; i++)
            assert_true(drawn[i] == cor_rng_word(&rng));
    }
    close_scene(&scene);
}

static void test_registry(void **state) {
    const struct cor_isolation_definition isolated = {.which = COR_ISOLATION_UNTRUSTED,
                                                      .trust = {.is_given = true}};
    const struct cor_mechanism *found;
    struct cor_registry *registry;
    struct cor_error error = COR_NO_ERROR, trouble = COR_NO_ERROR;
    (void)state;
    REQUIRE(cor_registry_create(&isolated, &registry, &error));
    REQUIRE(cor_registry_mechanism(registry, "balance", &found, &error));
    assert_string_equal(found->name, "balance");
    assert_string_equal(cor_registry_mechanism_origin(registry, found), "balance");
    assert_int_equal(cor_registry_mechanism(registry, "ballance", &found, &trouble), COR_STATUS_INPUT);
    assert_string_equal(trouble.cause, "there is no mechanism \"ballance\"");
    assert_string_equal(trouble.remedy, "did you mean \"balance\"? known: balance");
    trouble = COR_NO_ERROR;
    assert_int_equal(cor_registry_mechanism(registry, "./good.so", &found, &trouble), COR_STATUS_INPUT);
    assert_string_equal(trouble.cause,
                        "a mechanism that is not built in works in the process of Corridor itself");
    assert_string_equal(trouble.remedy, "if you trust it, say --isolate never");
    cor_registry_destroy(registry);
    REQUIRE(cor_registry_create(NULL, &registry, &error));
    trouble = COR_NO_ERROR;
    assert_int_equal(cor_registry_mechanism(registry, "./good.so", &found, &trouble), COR_STATUS_PLUGIN);
    assert_string_equal(trouble.cause, "the module exports no constant \"corridor_mechanism_1\"");
    REQUIRE(cor_registry_mechanism(registry, "./drift.so", &found, &error));
    assert_string_equal(found->name, "drift");
    assert_string_equal(cor_registry_mechanism_origin(registry, found), "./drift.so");
    cor_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad), cmocka_unit_test(test_good),
                                       cmocka_unit_test(test_draws), cmocka_unit_test(test_registry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
