/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small result file of the system layer with known content, for tests: three cells and a door, eight arms.
 * What a test changes of it is done to rows before they are written. */
#ifndef CORRIDOR_ANALYSIS_TESTS_SMALL_SYSTEM_H
#define CORRIDOR_ANALYSIS_TESTS_SMALL_SYSTEM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/system_schema.h>
#include <corridor/system_terms.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OK(call) assert_int_equal((call), COR_OK)

/* Is shown each row of the first suite of arm M1 before it is written. */
typedef void small_system_change(uint32_t table, void *row);

struct small_system {
    char journal_path[128], path[128];
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_error error;
    uint64_t texts; /* bytes of the suite's texts */
};

enum {
    ARM_NONE,
    ARM_KILLED,
    ARM_ALIVE,
    ARM_EQUIVALENT,
    ARM_OPEN,
    ARM_RANDOM,
    ARM_RANDOM_KILLED,
    ARM_TROUBLE,
    ARMS
};
enum { WAIT, LOOK, MOVE, PRESS };

static const struct cor_catalog_entry small_system_catalog[COR_SYSTEM_CATALOG_COUNT][ARMS] = {
    {{ARM_NONE, "none", "{\"world\": \"rooms\", \"mutant\": null}"},
     {ARM_KILLED, "M1", "{\"world\": \"rooms\", \"mutant\": \"link b1-d1 removed\"}"},
     {ARM_ALIVE, "M2", "{\"world\": \"rooms\", \"mutant\": \"wall at [2, 1]\"}"},
     {ARM_EQUIVALENT, "M3",
      "{\"world\": \"rooms\", \"mutant\": \"link b2-d9 added\", \"equivalent\": \"proven\"}"},
     {ARM_OPEN, "M4", "{\"world\": \"rooms\", \"mutant\": \"door d1 shut\"}"},
     {ARM_RANDOM, "random", "{\"world\": \"rooms\", \"mutant\": null, \"policy\": \"random\"}"},
     {ARM_RANDOM_KILLED, "M1r",
      "{\"world\": \"rooms\", \"mutant\": \"link b1-d1 removed\", \"policy\": \"random\"}"},
     {ARM_TROUBLE, "program", "{\"world\": \"program\", \"policy\": {\"program\": [\"./p\"]}}"}},
    {{0, "key item [view = 2]", ""}, {1, "key item [view = 4]", ""}},
    {{0, "nobody", ""}, {1, "t", ""}, {2, "u", ""}},
    {{WAIT, "wait", ""}, {LOOK, "look", ""}, {MOVE, "move", ""}, {PRESS, "press", ""}},
    {{0, "none", ""}, {1, "pressed(b1)", ""}, {2, "seq", ""}},
    {{0, "alive", ""}, {1, "answered", ""}, {2, "pressed(b1)", ""}},
    {{0, "inside", ""}, {1, "alarm", ""}},
    {{0, "button", ""}, {1, "door", ""}},
};
static const size_t small_system_catalog_size[COR_SYSTEM_CATALOG_COUNT] = {ARMS, 2, 3, 4, 3, 3, 2, 2};

/* The beginning of a text in the vector, from which its row has the number of bytes. */
static inline uint64_t small_system_put(struct small_system *small, const char *text, uint32_t *bytes) {
    const uint64_t start = small->texts;
    uint64_t first;
    *bytes = (uint32_t)strlen(text);
    OK(cor_record_put(small->record, COR_SYSTEM_VECTOR_TEXT, text, *bytes, &first, &small->error));
    assert_int_equal(first, start);
    small->texts += *bytes;
    return start;
}
#define SMALL_TEXT(small, row, text, words) \
    ((row)->text##_start = small_system_put((small), (words), &(row)->text##_bytes))

static inline void *small_system_row(struct small_system *small, uint32_t table) {
    void *row = cor_record_row(small->record, table, &small->error);
    assert_non_null(row);
    return row;
}

struct small_system_suite {
    uint16_t arm;
    uint32_t suite;
    uint16_t test;
    uint32_t run;
    enum cor_test_verdict verdict;
    uint32_t cycles, decided;
    const char *why;
};

static inline void small_system_judge(struct small_system *small, uint8_t judge, uint16_t check,
                                      uint16_t agent, uint8_t verdict, uint32_t cycle, const char *why) {
    struct cor_system_verdict_row *row = small_system_row(small, COR_SYSTEM_TABLE_VERDICTS);
    row->judge = judge;
    row->check = check;
    row->test_agent = agent;
    row->verdict = verdict;
    row->cycle = cycle;
    SMALL_TEXT(small, row, why, why);
}

/* A test agent walks to the right, a cell a cycle, and presses b1 in its last cycle. */
static inline void small_system_walk(struct small_system *small, const struct small_system_suite *it) {
    for (uint32_t cycle = 1; cycle <= it->cycles; cycle++) {
        struct cor_system_cycle_row *row = small_system_row(small, COR_SYSTEM_TABLE_CYCLES);
        const bool is_last = cycle == it->cycles;
        row->cycle = cycle;
        row->test_agent = 1;
        row->turn = COR_TURN_ACTED;
        row->action = is_last ? PRESS : MOVE;
        row->goal = 1;
        row->tick = cycle;
        row->column = is_last ? cycle - 1 : cycle;
        row->row = 1;
        row->state = cycle >= 2 ? 1 : 0;
        row->state_unknown = cycle == 1 ? 2 : 0;
        row->shown = 3;
        row->reward = 0.5;
        SMALL_TEXT(small, row, command,
                   is_last ? "{\"do\":\"press\",\"on\":\"b1\"}" : "{\"do\":\"move\",\"way\":\"right\"}");
        if (cycle == 3)
            SMALL_TEXT(small, row, picture, "3.png");
        if (is_last && it->verdict == COR_TEST_TROUBLE)
            row->trouble = COR_SYSTEM_HUNG;
    }
}

static inline void small_system_see(struct small_system *small, const struct small_system_suite *it) {
    static const char *const names[] = {"b1", "d1"};
    for (uint32_t column = 0; column < 4; column++) {
        struct cor_system_cell_row *row = small_system_row(small, COR_SYSTEM_TABLE_CELLS);
        row->column = column;
        row->row = 1;
        row->free = column > 0;
        row->first = 1;
        row->visits = column > 0 && column < it->cycles ? column == it->cycles - 1 ? 2 : 1 : 0;
    }
    for (uint16_t i = 0; i < 2; i++) {
        struct cor_system_entity_row *row = small_system_row(small, COR_SYSTEM_TABLE_ENTITIES);
        row->type = i;
        row->first = 1 + i;
        row->seen = it->cycles;
        row->touched = i == 0;
        SMALL_TEXT(small, row, identity, names[i]);
    }
    struct cor_system_step_row *step = small_system_row(small, COR_SYSTEM_TABLE_STEPS);
    step->action = MOVE;
    step->to = 1;
    step->count = it->cycles - 1;
    struct cor_system_covered_row *covered = small_system_row(small, COR_SYSTEM_TABLE_COVERED);
    covered->number = 17;
    covered->first = 2;
    covered->count = it->cycles - 1;
}

static inline void small_system_add(struct small_system *small, const struct small_system_suite *it,
                                    small_system_change *change) {
    const bool fails = it->verdict == COR_TEST_FAIL, passes = it->verdict == COR_TEST_PASS;
    cor_record_begin(small->record, it->arm, it->suite);
    small->texts = 0;
    struct cor_system_test_row *test = small_system_row(small, COR_SYSTEM_TABLE_TESTS);
    test->test = it->test;
    test->run = it->run;
    test->verdict = (uint8_t)it->verdict;
    test->trouble = it->verdict == COR_TEST_TROUBLE ? COR_SYSTEM_HUNG : 0;
    test->cycles = it->cycles;
    test->decided = it->decided;
    test->ticks = it->cycles;
    test->judged = 2;
    test->violated = fails;
    test->unknown = !fails && !passes;
    test->entities = 2;
    test->cells = 3;
    SMALL_TEXT(small, test, why, it->why);
    struct cor_system_agent_row *agent = small_system_row(small, COR_SYSTEM_TABLE_AGENTS);
    agent->test_agent = 1;
    agent->end = fails ? COR_GOAL_FAILED : passes ? COR_GOAL_SUCCESS : COR_GOAL_OPEN;
    agent->cycles = it->cycles;
    agent->actions = it->cycles;
    agent->budget_left = passes ? UINT64_MAX : 4;
    agent->reward = 0.5 * it->cycles;
    SMALL_TEXT(small, agent, why, fails ? "pressed(b1): budget used up" : "");
    struct cor_system_goal_row *goal = small_system_row(small, COR_SYSTEM_TABLE_GOALS);
    goal->test_agent = 1;
    goal->goal = 1;
    goal->depth = 1;
    goal->begun = 1;
    goal->ended = it->cycles;
    goal->actions = it->cycles;
    goal->end = agent->end;
    small_system_judge(small, COR_JUDGE_INVARIANT, 0, 0, COR_VERDICT_PASSED, 0, "");
    small_system_judge(small, COR_JUDGE_FORMULA, 1, 1,
                       fails    ? COR_VERDICT_FAILED
                       : passes ? COR_VERDICT_PASSED
                                : COR_VERDICT_UNDECIDED,
                       it->decided, fails ? "b1.on is true, d1.open is false" : "");
    small_system_walk(small, it);
    small_system_see(small, it);
    for (uint32_t t = 0; t < COR_SYSTEM_TABLE_COUNT && change && it->arm == ARM_KILLED && it->suite == 0; t++)
        for (size_t i = 0; i < cor_record_size(small->record, t); i++)
            change(t, cor_record_at(small->record, t, i));
    OK(cor_journal_append(small->journal, small->record, &small->error));
}

static const struct small_system_suite small_system_suites[] = {
    {ARM_NONE, 0, 0, 0, COR_TEST_PASS, 3, 0, ""},
    {ARM_NONE, 1, 1, 0, COR_TEST_PASS, 3, 0, ""},
    {ARM_KILLED, 0, 0, 0, COR_TEST_FAIL, 4, 3, "answered is violated at cycle 3"},
    {ARM_KILLED, 1, 1, 0, COR_TEST_PASS, 3, 0, ""},
    {ARM_ALIVE, 0, 0, 0, COR_TEST_PASS, 3, 0, ""},
    {ARM_ALIVE, 1, 1, 0, COR_TEST_INCONCLUSIVE, 3, 0, "cycles are used up"},
    {ARM_EQUIVALENT, 0, 0, 0, COR_TEST_PASS, 3, 0, ""},
    {ARM_EQUIVALENT, 1, 1, 0, COR_TEST_PASS, 3, 0, ""},
    {ARM_OPEN, 0, 0, 0, COR_TEST_INCONCLUSIVE, 3, 0, "cycles are used up"},
    {ARM_OPEN, 1, 1, 0, COR_TEST_TROUBLE, 3, 3, "the world hung at cycle 3"},
    {ARM_RANDOM, 0, 0, 0, COR_TEST_FAIL, 4, 3, "answered is violated at cycle 3"},
    {ARM_RANDOM, 1, 1, 0, COR_TEST_PASS, 3, 0, ""},
    {ARM_RANDOM_KILLED, 0, 0, 0, COR_TEST_FAIL, 4, 3, "answered is violated at cycle 3"},
    {ARM_RANDOM_KILLED, 1, 1, 0, COR_TEST_FAIL, 4, 4, "answered is violated at cycle 4"},
    {ARM_TROUBLE, 0, 0, 0, COR_TEST_TROUBLE, 3, 3, "the world hung at cycle 3"},
    {ARM_TROUBLE, 1, 1, 0, COR_TEST_PASS, 3, 0, ""},
};

/* The file, open; `change` NULL: as it is. */
static inline struct cor_result *small_system_make(struct small_system *small, const char *name,
                                                   small_system_change *change) {
    memset(small, 0, sizeof *small);
    snprintf(small->journal_path, sizeof small->journal_path, "%s_%ld.journal", name, (long)getpid());
    snprintf(small->path, sizeof small->path, "%s_%ld.h5", name, (long)getpid());
    remove(small->journal_path);
    OK(cor_journal_create(small->journal_path, &small->journal, &small->error));
    OK(cor_record_create(&cor_system_schema, &small->record, &small->error));
    for (size_t i = 0; i < sizeof small_system_suites / sizeof *small_system_suites; i++)
        small_system_add(small, &small_system_suites[i], change);
    struct cor_result_header header = {
        .layer = &cor_system_schema,
        .experiment = "{\"name\": \"small\", \"system\": {\"rooms\": \"level.csv\"}}",
        .provenance = "{}",
        .seed = 7,
        .planned_suites = sizeof small_system_suites / sizeof *small_system_suites,
        .complete = 1};
    struct cor_result *result = NULL;
    const char *journals[1] = {small->journal_path};
    for (int c = 0; c < COR_SYSTEM_CATALOG_COUNT; c++) {
        header.catalog[c] = small_system_catalog[c];
        header.catalog_size[c] = small_system_catalog_size[c];
    }
    cor_record_destroy(small->record);
    cor_journal_close(small->journal);
    OK(cor_result_merge(journals, 1, &header, small->path, 1, &small->error));
    OK(cor_result_open(small->path, &result, &small->error));
    return result;
}

static inline void small_system_close(struct small_system *small, struct cor_result *result) {
    cor_result_close(result);
    remove(small->journal_path);
    remove(small->path);
}

#endif
