/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * random_system SEED RESULT.h5: writes a result file of the system layer with random rows that do not
 * contradict each other, for naive_system.py to compute its views again. */
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/rng.h>
#include <corridor/system_schema.h>
#include <corridor/system_terms.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)           \
    do {                      \
        if ((call) != COR_OK) \
            die();            \
    } while (0)

static struct cor_error error;

static _Noreturn void die(void) {
    char text[2048];
    cor_error_text(&error, text, sizeof text);
    fprintf(stderr, "random_system: %s\n", text);
    exit(1);
}

enum { ARMS = 9, TESTS = 4, AGENTS = 3, ACTIONS = 4, GOALS = 5, CHECKS = 4, STATES = 3, TYPES = 2, RUNS = 3 };

static const struct cor_catalog_entry arms[ARMS] = {
    {0, "none", "{\"world\": \"rooms\", \"mutant\": null}"},
    {1, "M1", "{\"world\": \"rooms\", \"mutant\": \"link b1-d1 removed\"}"},
    {2, "M2", "{\"world\": \"rooms\", \"mutant\": \"wall, \\\"here\\\"\"}"},
    {3, "M3", "{\"world\": \"rooms\", \"mutant\": \"nothing\", \"equivalent\": \"proven\"}"},
    {4, "random", "{\"world\": \"rooms\", \"policy\": \"random\"}"},
    {5, "M1 random", "{\"world\": \"rooms\", \"mutant\": \"link b1-d1 removed\", \"policy\": \"random\"}"},
    {6, "M2 random", "{\"world\": \"rooms\", \"mutant\": \"wall, \\\"here\\\"\", \"policy\": \"random\"}"},
    {7, "M1 program",
     "{\"world\": \"rooms\", \"mutant\": \"link b1-d1 removed\", \"policy\": {\"program\": [\"p\"]}}"},
    {8, "program", "{\"world\": \"program\"}"},
};
static const struct cor_catalog_entry
    tests[TESTS] = {{0, "key item [view = 2]", ""},
                    {1, "key item [view = 4]", ""},
                    {2, "survives", ""},
                    {3, "survives [view = 2]", ""}},
    agents[AGENTS] = {{0, "nobody", ""}, {1, "t", ""}, {2, "u", ""}},
    actions[ACTIONS] = {{0, "wait", ""}, {1, "look", ""}, {2, "move", ""}, {3, "press", ""}},
    goals[GOALS] = {{0, "none", ""},
                    {1, "seq", ""},
                    {2, "reach", ""},
                    {3, "pressed(b1)", ""},
                    {4, "never", ""}},
    checks[CHECKS] = {{0, "alive", ""}, {1, "answered", ""}, {2, "assert d.open", ""}, {3, "unused", ""}},
    states[STATES] = {{0, "inside", ""}, {1, "alarm", ""}, {2, "done", ""}},
    types[TYPES] = {{0, "button", ""}, {1, "door", ""}};

static uint32_t below(struct cor_rng *rng, uint32_t end) {
    return (uint32_t)cor_rng_below(rng, end);
}

static void *new_row(struct cor_record *record, uint32_t table) {
    void *row = cor_record_row(record, table, &error);
    if (!row)
        die();
    return row;
}

static uint64_t put_text(struct cor_record *record, const char *text, uint32_t *bytes) {
    uint64_t start;
    *bytes = (uint32_t)strlen(text);
    CHECK(cor_record_put(record, COR_SYSTEM_VECTOR_TEXT, text, *bytes, &start, &error));
    return start;
}
#define TEXT(record, row, text, words) \
    ((row)->text##_start = put_text((record), (words), &(row)->text##_bytes))

static void put_cycles(struct cor_record *record, struct cor_rng *rng, uint32_t cycles) {
    for (uint32_t cycle = 0; cycle <= cycles; cycle++)
        for (uint16_t agent = 1; agent < AGENTS; agent++) {
            struct cor_system_cycle_row *row = new_row(record, COR_SYSTEM_TABLE_CYCLES);
            const bool is_nowhere = below(rng, 5) == 0;
            char words[64];
            row->cycle = cycle;
            row->test_agent = agent;
            row->turn = (uint8_t)(1 + below(rng, COR_TURN_CODES - 1));
            row->action = (uint16_t)below(rng, ACTIONS);
            row->goal = (uint16_t)below(rng, GOALS);
            row->tick = cycle;
            row->column = is_nowhere ? UINT32_MAX : below(rng, 12);
            row->row = is_nowhere ? 0 : below(rng, 6);
            row->floor = is_nowhere ? 0 : below(rng, 2);
            row->state = below(rng, 1U << STATES);
            row->state_unknown = ~row->state & below(rng, 1U << STATES);
            row->shown = below(rng, 9);
            row->reward = below(rng, 100) / 8.0;
            snprintf(words, sizeof words, "{\"do\":\"%s\",\"n\":%u}", actions[row->action].name,
                     below(rng, 99));
            TEXT(record, row, command, below(rng, 4) == 0 ? "" : words);
            TEXT(record, row, picture, below(rng, 9) == 0 ? "p,\"1\".png" : "");
        }
}

static void put_places(struct cor_record *record, struct cor_rng *rng) {
    for (uint32_t cell = 0; cell < 144; cell++) {
        if (below(rng, 3) == 0)
            continue;
        struct cor_system_cell_row *row = new_row(record, COR_SYSTEM_TABLE_CELLS);
        row->column = cell % 12;
        row->row = cell / 12 % 6;
        row->floor = cell / 72;
        row->free = below(rng, 3) > 0;
        row->first = below(rng, 50);
        row->visits = row->free ? below(rng, 2) * below(rng, 300) : 0;
    }
    for (uint32_t e = 0; e < 12; e++) {
        if (below(rng, 3) == 0)
            continue;
        struct cor_system_entity_row *row = new_row(record, COR_SYSTEM_TABLE_ENTITIES);
        char name[16];
        row->type = (uint16_t)(e % TYPES);
        row->first = below(rng, 50);
        row->seen = 1 + below(rng, 50);
        row->touched = below(rng, 3);
        snprintf(name, sizeof name, "e%u", e);
        TEXT(record, row, identity, name);
    }
    for (uint64_t step = 0; step < (1U << STATES) * ACTIONS; step++) {
        if (below(rng, 4) > 0)
            continue;
        struct cor_system_step_row *row = new_row(record, COR_SYSTEM_TABLE_STEPS);
        row->from = step / ACTIONS;
        row->action = (uint16_t)(step % ACTIONS);
        row->to = below(rng, 1U << STATES);
        row->count = 1 + below(rng, 9);
    }
    for (uint32_t number = 0; number < 30; number += 1 + below(rng, 5)) {
        struct cor_system_covered_row *row = new_row(record, COR_SYSTEM_TABLE_COVERED);
        row->number = number * 1000;
        row->first = below(rng, 50);
        row->count = 1 + below(rng, 50);
    }
}

static void put_goals(struct cor_record *record, struct cor_rng *rng, uint32_t cycles) {
    for (uint32_t g = below(rng, 6); g > 0; g--) {
        struct cor_system_goal_row *row = new_row(record, COR_SYSTEM_TABLE_GOALS);
        row->test_agent = (uint16_t)(1 + below(rng, AGENTS - 1));
        row->goal = (uint16_t)(1 + below(rng, GOALS - 2)); /* "never" is none's */
        row->depth = below(rng, 4);
        row->begun = 1 + below(rng, cycles);
        row->ended = row->begun + below(rng, cycles - row->begun + 1);
        row->actions = below(rng, 9);
        row->end = (uint8_t)(1 + below(rng, COR_GOAL_CODES - 1));
        TEXT(record, row, why, row->end == COR_GOAL_FAILED ? "budget, used up" : "");
    }
}

/* Verdicts of judges that a test of that verdict can have. */
static void put_verdicts(struct cor_record *record, struct cor_rng *rng, struct cor_system_test_row *test) {
    test->judged = below(rng, 8);
    if (test->verdict == COR_TEST_FAIL && test->judged == 0)
        test->judged = 1;
    for (uint32_t v = 0; v < test->judged; v++) {
        struct cor_system_verdict_row *row = new_row(record, COR_SYSTEM_TABLE_VERDICTS);
        row->judge = (uint8_t)(1 + below(rng, COR_JUDGE_CODES - 1));
        row->check = (uint16_t)below(rng, CHECKS - 1);
        row->test_agent = (uint16_t)below(rng, AGENTS);
        row->verdict = below(rng, 3) > 0 ? COR_VERDICT_PASSED : COR_VERDICT_UNDECIDED;
        if (test->verdict == COR_TEST_FAIL && (v == 0 || below(rng, 3) == 0))
            row->verdict = COR_VERDICT_FAILED;
        row->cycle = below(rng, test->cycles + 1);
        test->violated += row->verdict == COR_VERDICT_FAILED;
        test->unknown += row->verdict == COR_VERDICT_UNDECIDED;
        TEXT(record, row, why, row->verdict == COR_VERDICT_PASSED ? "" : "b.on is \"true\", d is shut");
    }
}

static void put_test(struct cor_record *record, struct cor_rng *rng, uint16_t arm, uint32_t suite) {
    cor_record_begin(record, arm, suite);
    struct cor_system_test_row *test = new_row(record, COR_SYSTEM_TABLE_TESTS);
    const uint32_t luck = below(rng, 10);
    test->test = (uint16_t)(suite % TESTS);
    test->run = suite / TESTS;
    test->verdict = luck < 4   ? COR_TEST_PASS
                    : luck < 7 ? COR_TEST_FAIL
                               : (uint8_t)(3 + below(rng, COR_TEST_CODES - 3));
    if (arm == 3 || (arm == 0 && test->test < 3) ||
        (arm == 6 && test->verdict < 3)) /* equivalent; sound; undecided */
        test->verdict = arm == 6 ? COR_TEST_INCONCLUSIVE : COR_TEST_PASS;
    test->trouble = test->verdict == COR_TEST_TROUBLE ? (uint8_t)(1 + below(rng, COR_SYSTEM_CODES - 1)) : 0;
    test->cycles = 1 + below(rng, 40);
    test->decided = below(rng, 2) * below(rng, test->cycles + 1);
    test->ticks = test->cycles;
    test->entities = below(rng, 20);
    test->cells = below(rng, 200);
    test->replies = cor_rng_word(rng);
    put_verdicts(record, rng, test);
    TEXT(record, test, why, test->verdict == COR_TEST_PASS ? "" : "it is \"so\", <indeed> & more");
    for (uint16_t a = 1; a < AGENTS; a++) {
        struct cor_system_agent_row *agent = new_row(record, COR_SYSTEM_TABLE_AGENTS);
        agent->test_agent = a;
        agent->end =
            test->verdict == COR_TEST_PASS ? COR_GOAL_SUCCESS : (uint8_t)(1 + below(rng, COR_GOAL_CODES - 1));
        agent->cycles = below(rng, test->cycles + 1);
        agent->actions = below(rng, 40);
        agent->waited = below(rng, 9);
        agent->budget_left = below(rng, 3) == 0 ? UINT64_MAX : below(rng, 99);
        agent->reward = below(rng, 100) / 16.0;
        TEXT(record, agent, why, agent->end == COR_GOAL_STALLED ? "door(d1), is open" : "");
    }
    put_goals(record, rng, test->cycles);
    put_cycles(record, rng, test->cycles);
    put_places(record, rng);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    static const struct {
        const struct cor_catalog_entry *entries;
        size_t count;
    } catalogs[COR_SYSTEM_CATALOG_COUNT] = {{arms, ARMS},       {tests, TESTS}, {agents, AGENTS},
                                            {actions, ACTIONS}, {goals, GOALS}, {checks, CHECKS},
                                            {states, STATES},   {types, TYPES}};
    char journal_path[1024];
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_rng rng = cor_rng_named(
        &(struct cor_stream_name){.seed = strtoull(argv[1], NULL, 10), .purpose = COR_PURPOSE_TEST});
    struct cor_result_header head = {.layer = &cor_system_schema,
                                     .experiment = "{\"name\": \"random\", \"system\": {}, \"runs\": 3}",
                                     .provenance = "{}",
                                     .seed = 1,
                                     .complete = 1,
                                     .planned_suites = ARMS * TESTS * RUNS};
    snprintf(journal_path, sizeof journal_path, "%.1000s.journal", argv[2]);
    remove(journal_path);
    CHECK(cor_journal_create(journal_path, &journal, &error));
    CHECK(cor_record_create(&cor_system_schema, &record, &error));
    for (uint16_t arm = 0; arm < ARMS; arm++)
        for (uint32_t suite = 0; suite < TESTS * RUNS; suite++) {
            put_test(record, &rng, arm, suite);
            CHECK(cor_journal_append(journal, record, &error));
        }
    cor_record_destroy(record);
    cor_journal_close(journal);
    for (int c = 0; c < COR_SYSTEM_CATALOG_COUNT; c++) {
        head.catalog[c] = catalogs[c].entries;
        head.catalog_size[c] = catalogs[c].count;
    }
    const char *journals[] = {journal_path};
    CHECK(cor_result_merge(journals, 1, &head, argv[2], 1, &error));
    remove(journal_path);
    return 0;
}
