/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a mechanism may not do is found, in exact words, and then nothing was written; what it may do is done;
 * it draws from a stream of its own. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "deaths.h"
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
    HOARDS,
    GLUTTON,
    GOES_ON,
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
    if (deed == GLUTTON)
        assert_null(host->alloc(host, (size_t)1 << 40));
    if (deed == HOARDS) { /* of nothing, there is an end, too */
        uint32_t pieces = 0;
        assert_non_null(host->alloc(host, (size_t)255 << 20));
        while (pieces <= 1u << 16 && host->alloc(host, 0))
            pieces++;
        assert_true(pieces < 1u << 16);
        host->complain(host, NULL);
    }
    if (deed == GOES_ON)
        return COR_CONTINUE;
    return deed == FAILS || deed == HOARDS || deed == GLUTTON || deed == COMPLAINS ? COR_FAILED : COR_DONE;
}

static const char *const writes[] = {"value", "tool", "ready", "crew", NULL};
static const struct cor_parameter parameters[] = {{"deed", "1", "what it does", 0, 0, 100, 1}, {0}};
static const struct cor_mechanism mechanism = {COR_MECHANISM,    .name = "bad",    .version = "1",
                                               .summary = "-",   .cost_unit = "1", .parameters = parameters,
                                               .writes = writes, .work = work};

struct scene {
    struct cor_mechanism_desk *desk;
    double deed;
    struct cor_lists structure;
    const double *columns[COLUMNS];
    struct cor_rules rules;
    struct cor_registry *registry; /* of a module that has one to itself; NULL: of none */
};

static void open_scene(struct scene *scene, const struct cor_mechanism *of, const char *path) {
    struct cor_error error = COR_NO_ERROR;
    static const uint32_t first[] = {2, 0}, second[] = {1, 3};
    scene->registry = NULL;
    scene->rules =
        (struct cor_rules){.struct_size = sizeof scene->rules, .value_count = COLUMNS, .columns = columns};
    const struct cor_mechanism_definition definition = {.mechanism = of,
                                                        .path = path,
                                                        .cpu_seconds = .15,
                                                        .rules = &scene->rules,
                                                        .parameters = &scene->deed,
                                                        .agent_count = AGENTS};
    REQUIRE(cor_mechanism_desk_create(&definition, &scene->desk, &error));
    cor_lists_init(&scene->structure);
    REQUIRE(cor_lists_put(&scene->structure, first, 2, &error));
    REQUIRE(cor_lists_put(&scene->structure, second, 2, &error));
    for (uint32_t c = 0; c < COLUMNS; c++)
        scene->columns[c] = numbers[c];
}

/* Of a module, in a cell. */
static void open_module(struct scene *scene, const char *path) {
    const struct cor_isolation_definition isolated = {.which = COR_ISOLATION_UNTRUSTED};
    struct cor_registry *registry;
    const struct cor_mechanism *found;
    REQUIRE(cor_registry_create(&isolated, &registry, &said));
    REQUIRE(cor_registry_mechanism(registry, path, &found, &said));
    open_scene(scene, found, path);
    scene->registry = registry;
}

static void close_scene(struct scene *scene) {
    cor_mechanism_desk_destroy(scene->desk);
    cor_lists_fini(&scene->structure);
    cor_registry_destroy(scene->registry);
}

static void let_work(struct scene *scene, enum deed deed, uint32_t slot,
                     struct cor_mechanism_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_mechanism_task task = {.columns = scene->columns,
                                            .structure = &scene->structure,
                                            .name = {.seed = 7, .identity = 3, .entity = slot}};
    scene->deed = (double)deed;
    REQUIRE(cor_mechanism_work(scene->desk, &task, outcome, &error));
}

static void test_bad(void **state) {
    static const struct {
        enum deed deed;
        const char *cause, *remedy;
    } cases[] = {
        {UNDECLARED, "the mechanism bad wrote \"load\", which it did not declare",
         "it writes what it declares in \"writes\" alone"},
        {ABOVE, "the mechanism bad wrote 1.5 as \"value\" of agent 2", "a number from 0 to 1"},
        {UNKNOWN, "the mechanism bad wrote NaN as \"value\" of agent 2", "a number from 0 to 1"},
        {NO_AGENT, "the mechanism bad wrote to column 0 of agent 4, but there are 5 columns and 4 agents",
         ""},
        {NO_COLUMN, "the mechanism bad wrote to column 9 of agent 0, but there are 5 columns and 4 agents",
         ""},
        {HALF_A_WORD, "the mechanism bad wrote 0.5 as \"tool\" of agent 1", "the place of a word, 0 to 1"},
        {WORD_BEYOND, "the mechanism bad wrote 2 as \"tool\" of agent 1", "the place of a word, 0 to 1"},
        {READY_TWO, "the mechanism bad wrote 2 as \"ready\" of agent 3", "0 or 1"},
        {PART_OF_CREW, "the mechanism bad wrote 1.5 as \"crew\" of agent 0", "an integer from 0 to 9"},
        {MOVES_AN_AGENT, "the mechanism bad changed the structure that it was shown",
         "it changes nothing but by write()"},
        {CUTS_A_BLOCK, "the mechanism bad changed the structure that it was shown",
         "it changes nothing but by write()"},
        {CHANGES_VALUES, "the mechanism bad changed load that it was shown",
         "it changes nothing but by write()"},
        {FAILS, "the mechanism bad failed", ""},
        {COMPLAINS, "the mechanism bad failed: no wind", ""},
        {HOARDS, "the mechanism bad failed: it says not why", ""},
        {GLUTTON, "the mechanism bad failed: it asked for more than 256 MiB of memory in one call", ""},
        {GOES_ON, "work() of the mechanism bad gave 0", "COR_DONE or COR_FAILED"},
        {COST_BELOW, "the mechanism bad says that it cost -1", "a cost is a number of at least 0"},
        {COST_UNKNOWN, "the mechanism bad says that it cost nan", "a cost is a number of at least 0"},
    };
    struct scene scene;
    struct cor_mechanism_outcome outcome;
    (void)state;
    open_scene(&scene, &mechanism, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[512];
        snprintf(expected, sizeof expected, "%s%s%s", cases[i].cause, cases[i].remedy[0] ? "; right: " : "",
                 cases[i].remedy);
        let_work(&scene, cases[i].deed, 0, &outcome);
        assert_string_equal(outcome.complaint, expected);
        assert_int_equal(outcome.smoke, cases[i].deed >= FAILS && cases[i].deed <= GLUTTON
                                            ? COR_SMOKE_COMPLAINED
                                            : COR_SMOKE_GARBLED);
        for (uint32_t c = 0; c < COLUMNS; c++)
            assert_null(cor_mechanism_desk_column(scene.desk, c));
        /* It was a copy that was changed, and the next call does better. */
        assert_int_equal(scene.structure.members[0], 2);
        let_work(&scene, NOTHING, 0, &outcome);
        assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
        for (uint32_t c = 0; c < COLUMNS; c++)
            assert_null(cor_mechanism_desk_column(scene.desk, c));
    }
    close_scene(&scene);
}

static const double wild[AGENTS] = {5, 2, 3, 4}; /* crew, where modules do something else than their work */

/* What time ended once is done again in a fresh process: a busy machine accuses nobody, and is noted. */
static void test_busy_machine(void **state) {
    struct cor_mechanism_outcome outcome;
    struct scene scene;
    (void)state;
    open_module(&scene, "./mechanism_slow.so");
    scene.columns[4] = wild;
    let_work(&scene, NOTHING, 0, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    assert_true(outcome.by_machine && outcome.written == 1 && outcome.cost == 1);
    assert_true(cor_mechanism_desk_column(scene.desk, 0)[3] == 0.5);
    let_work(&scene, NOTHING, 0, &outcome);
    assert_true(outcome.smoke == COR_SMOKE_NONE && !outcome.by_machine);
    close_scene(&scene);
}

/* What ends it while it is loaded for a turn, once more after it was planned, is smoke like any other, and
 * may be the machine's. */
static void test_dies_while_loaded(void **state) {
    static const char path[] = "./mechanism_dies.so";
    static const struct {
        int deaths;
        enum cor_smoke smoke;
        const char *complaint;
    } cases[] = {
        {0, COR_SMOKE_NONE, ""},
        {1, COR_SMOKE_NONE, ""},
        {2, COR_SMOKE_CRASHED,
         "the mechanism dies was ended by signal 9 (Killed), while it was loaded again"},
    };
    struct cor_error error = COR_NO_ERROR;
    struct cor_mechanism_outcome outcome;
    struct scene scene;
    (void)state;
    int *left = deaths_begin();
    assert_non_null(left);
    open_module(&scene, path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        *left = cases[i].deaths;
        scene.columns[4] = numbers[4];
        let_work(&scene, NOTHING, 0, &outcome);
        assert_int_equal(*left, 0);
        assert_int_equal(outcome.smoke, cases[i].smoke);
        assert_string_equal(outcome.complaint, cases[i].complaint);
        assert_int_equal(outcome.by_machine, cases[i].deaths > 0);
        assert_int_equal(outcome.fate.signal, outcome.smoke == COR_SMOKE_NONE ? 0 : 9);
        /* Its own doing; and the next turn needs a fresh process. */
        scene.columns[4] = wild;
        let_work(&scene, NOTHING, 0, &outcome);
        assert_int_equal(outcome.smoke, COR_SMOKE_EXITED);
        assert_true(outcome.fate.exit_code == 4 && !outcome.by_machine);
    }
    /* A file that is gone is nobody's smoke. */
    assert_int_equal(rename(path, "./mechanism_dies.away"), 0);
    const struct cor_mechanism_task task = {.columns = scene.columns, .structure = &scene.structure};
    assert_int_equal(cor_mechanism_work(scene.desk, &task, &outcome, &error), COR_STATUS_FILE);
    assert_int_equal(rename("./mechanism_dies.away", path), 0);
    close_scene(&scene);
    deaths_end(left);
}

/* In a cell: the same words, and what would end this process. */
static void test_bad_in_cells(void **state) {
    static const struct {
        const char *deed, *complaint;
        enum cor_smoke smoke;
        bool by_machine;
    } cases[] = {
        {"undeclared",
         "the mechanism undeclared wrote \"load\", which it did not declare; right: it writes what it "
         "declares in "
         "\"writes\" alone",
         COR_SMOKE_GARBLED, false},
        {"above", "the mechanism above wrote 1.5 as \"value\" of agent 0; right: a number from 0 to 1",
         COR_SMOKE_GARBLED, false},
        {"nan", "the mechanism nan wrote NaN as \"value\" of agent 0; right: a number from 0 to 1",
         COR_SMOKE_GARBLED, false},
        {"infinite", "the mechanism infinite wrote inf as \"value\" of agent 0; right: a number from 0 to 1",
         COR_SMOKE_GARBLED, false},
        {"moves",
         "the mechanism moves changed the structure that it was shown; right: it changes nothing but by "
         "write()",
         COR_SMOKE_GARBLED, false},
        {"changes",
         "the mechanism changes changed load that it was shown; right: it changes nothing but by write()",
         COR_SMOKE_GARBLED, false},
        /* Past write(), where what was written is kept: the same words as by write(). */
        {"past", "the mechanism past wrote 7 as \"value\" of agent 0; right: a number from 0 to 1",
         COR_SMOKE_GARBLED, false},
        {"fails", "the mechanism fails failed: no wind", COR_SMOKE_COMPLAINED, false},
        {"crash", "the mechanism crash was ended by signal 6 (Aborted)", COR_SMOKE_CRASHED, false},
        {"exit", "the mechanism exit exited with code 4", COR_SMOKE_EXITED, false},
        {"hang", "the mechanism hang used 0.15 s of CPU time, or waited for ever", COR_SMOKE_HUNG, true},
        {"mounts", "the mechanism mounts was ended by signal 31 (Bad system call)", COR_SMOKE_CRASHED, false},
        {"leaves", "the mechanism leaves leaves processes behind", COR_SMOKE_LEAKED, false},
    };
    (void)state;
    const struct cor_isolation_definition isolated = {.which = COR_ISOLATION_UNTRUSTED};
    struct cor_error error = COR_NO_ERROR;
    struct cor_registry *registry;
    REQUIRE(cor_registry_create(&isolated, &registry, &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct cor_mechanism *found;
        struct cor_mechanism_outcome outcome;
        struct scene scene;
        char path[64];
        snprintf(path, sizeof path, "./mechanism_%s.so", cases[i].deed);
        REQUIRE(cor_registry_mechanism(registry, path, &found, &error));
        assert_string_equal(cor_registry_mechanism_cell(registry, found), path);
        open_scene(&scene, found, path);
        for (int again = 0; again < 2; again++) { /* the process that follows is as good as the first */
            scene.columns[4] = numbers[4];
            let_work(&scene, NOTHING, 0, &outcome);
            assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
            assert_true(outcome.written == 1 && outcome.cost == 1 &&
                        cor_mechanism_desk_column(scene.desk, 0)[3] == 0.5);
            scene.columns[4] = wild;
            let_work(&scene, NOTHING, 0, &outcome);
            assert_string_equal(outcome.complaint, cases[i].complaint);
            assert_int_equal(outcome.smoke, cases[i].smoke);
            assert_int_equal(outcome.by_machine, cases[i].by_machine);
            for (uint32_t c = 0; c < COLUMNS; c++)
                assert_null(cor_mechanism_desk_column(scene.desk, c));
            assert_int_equal(scene.structure.members[0], 2);
        }
        close_scene(&scene);
    }
    cor_registry_destroy(registry);
}

/* Bytes that it writes where its host does wake its session in vain: no turn is taken for over. */
static void test_bytes_of_others(void **state) {
    struct cor_mechanism_outcome outcome;
    struct scene scene;
    (void)state;
    open_module(&scene, "./mechanism_replies.so");
    scene.columns[4] = wild;
    for (int i = 0; i < 5; i++) {
        let_work(&scene, NOTHING, 0, &outcome);
        assert_true(outcome.smoke == COR_SMOKE_NONE && outcome.written == 1 && outcome.cost == 1);
    }
    close_scene(&scene);
}

static void test_good(void **state) {
    static const double expected[COLUMNS][AGENTS] = {
        {0.25, 0.625, 0.75, 1}, {0}, {1, 1, 0, 1}, {1, 0, 1, 1}, {1, 2, 3, 9}};
    struct scene scene;
    struct cor_mechanism_outcome outcome;
    (void)state;
    open_scene(&scene, &mechanism, NULL);
    for (int again = 0; again < 2; again++) {
        let_work(&scene, ALL, 0, &outcome);
        assert_int_equal(outcome.written, 4);
        assert_true(outcome.cost == 3 && outcome.moved == 0.125);
        assert_null(cor_mechanism_desk_column(scene.desk, 1));
        for (uint32_t c = 0; c < COLUMNS; c++)
            if (c != 1)
                assert_memory_equal(cor_mechanism_desk_column(scene.desk, c), expected[c],
                                    sizeof expected[c]);
        let_work(&scene, GREEDY, 0, &outcome);
        assert_null(cor_mechanism_desk_column(scene.desk, 0));
        assert_true(outcome.written == 0 && outcome.cost == 0);
    }
    close_scene(&scene);
}

/* The stream is that of its purpose, and of its place among mechanisms. */
static void test_draws(void **state) {
    struct scene scene;
    struct cor_mechanism_outcome outcome;
    (void)state;
    open_scene(&scene, &mechanism, NULL);
    for (uint32_t slot = 0; slot < 2; slot++) {
        const struct cor_stream_name name = {
            .seed = 7, .identity = 3, .entity = slot, .purpose = COR_PURPOSE_MECHANISM};
        struct cor_rng rng = cor_rng_named(&name);
        let_work(&scene, DRAWS, slot, &outcome);
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
    /* In a cell, and here: what is refused is so in the same words, and what is declared is the same. */
    for (int is_here = 0; is_here < 2; is_here++) {
        static const struct {
            const char *path, *cause, *remedy;
        } bad[] = {
            {"./good.so", "the module exports no constant \"corridor_mechanism_1\"",
             "see <corridor/mechanism.h>"},
            {"./mechanism_half.so", "parameter \"half\" cannot be used",
             "default and min of an integer are integers"},
            {"./mechanism_twice.so", "parameter \"twice\" cannot be used", "give each a name of its own"},
            {"./mechanism_endless.so", "parameter \"endless\" cannot be used",
             "its default lies within min .. max, all finite"}};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            for (int again = 0; again < 2; again++) {
                trouble = COR_NO_ERROR;
                assert_int_equal(cor_registry_mechanism(registry, bad[i].path, &found, &trouble),
                                 COR_STATUS_PLUGIN);
                assert_string_equal(trouble.cause, bad[i].cause);
                assert_string_equal(trouble.remedy, bad[i].remedy);
            }
        REQUIRE(cor_registry_mechanism(registry, "./drift.so", &found, &error));
        assert_string_equal(found->name, "drift");
        assert_string_equal(found->cost_unit, "calls");
        assert_string_equal(found->writes[0], "load");
        assert_string_equal(found->needs[0], "load [kW]");
        assert_string_equal(found->parameters[0].name, "width");
        assert_int_equal(cor_parameter_count(found->parameters), 1);
        assert_string_equal(cor_registry_mechanism_origin(registry, found), "./drift.so");
        assert_int_equal(cor_registry_mechanism_cell(registry, found) == NULL, is_here);
        cor_registry_destroy(registry);
        if (!is_here)
            REQUIRE(cor_registry_create(NULL, &registry, &error));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad),          cmocka_unit_test(test_bad_in_cells),
        cmocka_unit_test(test_busy_machine), cmocka_unit_test(test_bytes_of_others),
        cmocka_unit_test(test_good),         cmocka_unit_test(test_draws),
        cmocka_unit_test(test_registry),     cmocka_unit_test(test_dies_while_loaded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
