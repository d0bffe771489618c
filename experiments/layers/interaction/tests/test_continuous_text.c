/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor as a text in continuous execution. Where clocks are equal and nothing takes time, and where all
 * that takes time fits into a case, rows are the stepwise ones; by any clocks, the built-in corridor written
 * as a text has the rows of the built-in one; and what the oracle saw at the ends of cases, what it says of
 * time, of each answer and of each structure is what this test finds in the states by itself. */
#include <corridor/array.h>
#include <corridor/run.h>
#include <corridor/state.h>
#include <corridor/terms.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OK(call)                                                    \
    do {                                                            \
        if ((call) != COR_OK)                                       \
            fail_msg("%s: %s %s", #call, error.place, error.cause); \
    } while (0)

enum { AGENTS = 24, CASES_MOST = 64, SUITES = 3, SEQUENCES = 2 };
#define THRESHOLD 0.3137

/* Values are tenths of `tenths`. */
static const char model[] =
    "\"corridor_model\": 1, \"agents\": 24, \"groups\": {\"count\": 6}, \"locations\": \"per_group\",\n"
    " \"mixed_groups\": true,\n"
    " \"structure\": {\"size_min\": 2, \"size_max\": 20, \"count_min\": 2, \"count_max\": 4},\n"
    " \"environments\": {\"sky\": {\"profile\": {\"states\": [\"dark\", \"bright\"], \"transitions\":\n"
    "  {\"dark\": {\"dark\": 0.7, \"bright\": 0.3}, \"bright\": {\"dark\": 0.4, \"bright\": 0.6}}}}},\n"
    " \"attributes\": {\"tenths\": {\"integer\": [0, 10]}},\n"
    " \"types\": {\n"
    "  \"lamp\": {\"environment\": \"sky\", \"states\": {\"on\": 0.9, \"off\": 0.1},\n"
    "   \"influence\": {\"dark\": \"on\", \"bright\": \"off\"},\n"
    "   \"attributes\": {\"tenths\": {\"level\": {\"on\": 9, \"off\": 1}}}},\n"
    "  \"roof\": {\"environment\": \"sky\", \"states\": {\"low\": 0.2, \"high\": 0.8},\n"
    "   \"influence\": {\"dark\": \"low\", \"bright\": \"high\"},\n"
    "   \"attributes\": {\"tenths\": {\"level\": {\"low\": 2, \"high\": 8}}}}},\n"
    " \"invariant\": {\"threshold\": 0.3137}";

#define TENTHS "\"attribute tenths: integer 0 .. 10\", "
#define LEVEL(of) "\"define level(o): mean(a in o.members: " of ")\", "
#define BALANCE(limit) \
    "\"trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= " limit "\""
#define SIZES                                                                                  \
    "\"parameter size_min, size_max, count_min, count_max: integer\", "                        \
    "\"invariant sizes: all(o in organizations: size_min <= count(o.members) <= size_max)\", " \
    "\"invariant number: count_min <= count(organizations) <= count_max\", "

/* The built-in corridor as a text: what the monitor watches, by values or by what is copied of integers; and
 * all of it. */
static const char by_value[] =
    "[\"structure partitioning\", \"parameter threshold\", " LEVEL("a.value") BALANCE("threshold") "]";
static const char by_tenths[] = "[\"structure partitioning\", " TENTHS LEVEL("a.tenths") BALANCE("3.137") "]";
static const char whole[] =
    "[\"structure partitioning\", \"parameter threshold\", " LEVEL("a.value") SIZES BALANCE("threshold") "]";

/* One that only the last move of an adoption may fail. */
static const char of_the_last[] = "[\"structure partitioning\", \"parameter threshold\", " LEVEL(
    "a.value") "\"invariant many: count(organizations) != 2\", " BALANCE("threshold") "]";

/* Invariants that hang on values alone, on the structure, and formulas of time. */
static const char of_time[] = "[\"structure partitioning\", " TENTHS LEVEL("a.tenths") SIZES
    "\"invariant calm: sum(a in agents: a.tenths) <= 126\", " BALANCE(
        "3.137") ", \"temporal soon: always (alarm implies (eventually[0, 1] inside or not next[1, 1] "
                 "true))\", "
                 "\"temporal calms: always (eventually[0, 2] calm or not next[2, 2] true)\", "
                 "\"objective load: sum(a in agents: a.tenths)\"]";

static const char sound[] =
    "{\"name\": \"random\", \"algorithm\": \"random\"},\n"
    "{\"name\": \"late\", \"algorithm\": \"random\", \"activation_delay\": 1},\n"
    "{\"name\": \"seldom\", \"algorithm\": \"random\", \"look_every\": 3},\n"
    "{\"name\": \"psopp\", \"algorithm\": \"psopp\", \"parameters\": {\"budget\": 40}}";
static const char with_mail[] =
    "{\"name\": \"mail\", \"algorithm\": \"spada\", \"parameters\": {\"acquaintances\": [1, 20],\n"
    " \"candidates\": [1, 10], \"integrations\": [1, 10], \"budget\": 300}}";
static const char faulty[] =
    "{\"name\": \"missed\", \"algorithm\": \"random\", \"monitor\": {\"fault\": \"missed\", \"probability\": "
    "0.3}},\n"
    "{\"name\": \"false\", \"algorithm\": \"random\", \"monitor\": {\"fault\": \"false\", \"probability\": "
    "0.2}},\n"
    "{\"name\": \"slow\", \"algorithm\": \"random\", \"monitor\": {\"fault\": \"late\", \"delay\": 1}},\n"
    "{\"name\": \"lost\", \"algorithm\": \"random\", \"adoption\": {\"fault\": \"lost\", \"probability\": "
    "0.02}},\n"
    "{\"name\": \"dropped\", \"algorithm\": \"random\", \"result\": {\"fault\": \"agent_dropped\", "
    "\"probability\": 0.3}},\n"
    "{\"name\": \"behind\", \"algorithm\": \"random\", \"result\": {\"fault\": \"late\", \"probability\": "
    "0.5}}";
static const char missed[] = "{\"name\": \"missed\", \"algorithm\": \"random\", \"monitor\": {\"fault\": "
                             "\"missed\", \"probability\": 0.3}}";
static const char watched_sound[] = "{\"name\": \"moves\", \"algorithm\": \"random\", \"judge_moves\": true}";
static const char watched[] = "{\"name\": \"moves\", \"algorithm\": \"random\", \"judge_moves\": true},\n"
                              "{\"name\": \"doubled\", \"algorithm\": \"random\", \"judge_moves\": true,\n"
                              " \"adoption\": {\"fault\": \"doubled\", \"probability\": 0.05}}";

/* An experiment over the model; `clocks`: what stands in "continuous", NULL: it is stepwise. */
static struct cor_experiment *open_experiment(const char *corridor, const char *clocks, const char *arms) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_experiment *experiment;
    char *text =
        cor_format("{\"corridor_experiment\": 1, \"name\": \"in time\", \"seed\": \"0x7\", \"suites\": 3,\n"
                   " \"sequences\": 2, \"cases\": 40, %s%s%s %s%s%s \"model\": {%s},\n \"arms\": [%s]}",
                   corridor ? "\"corridor\": " : "", corridor ? corridor : "", corridor ? "," : "",
                   clocks ? "\"execution\": {\"continuous\": {" : "", clocks ? clocks : "",
                   clocks ? "}}," : "", model, arms);
    OK(cor_json_parse(text, "test.json", &document, &error));
    if (cor_experiment_take("test.json", document, NULL, &experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    free(text);
    return experiment;
}

/* What is found in the state when a case is over. */
struct seen {
    uint32_t partitions;
    double most, least, total; /* means of partitions, in tenths; and of all */
    uint32_t largest, smallest;
    bool is_partitioning;
};

static void see(const struct cor_state *state, struct seen *seen) {
    double sum[AGENTS] = {0};
    uint32_t size[AGENTS] = {0};
    *seen = (struct seen){.least = INFINITY, .most = -INFINITY, .smallest = AGENTS, .is_partitioning = true};
    for (uint32_t i = 0; i < AGENTS; i++) {
        const uint32_t p = state->structure.partition[i];
        const double tenths = round(10 * state->value[i]);
        seen->total += tenths;
        if (p >= AGENTS) {
            seen->is_partitioning = false;
            continue;
        }
        sum[p] += tenths;
        size[p]++;
    }
    for (uint32_t p = 0; p < AGENTS; p++) {
        if (size[p] == 0)
            continue;
        seen->partitions++;
        seen->largest = size[p] > seen->largest ? size[p] : seen->largest;
        seen->smallest = size[p] < seen->smallest ? size[p] : seen->smallest;
        seen->most = fmax(seen->most, sum[p] / size[p]);
        seen->least = fmin(seen->least, sum[p] / size[p]);
    }
}

static bool is_balanced(const struct seen *seen) {
    return seen->most - seen->least <= 10 * THRESHOLD;
}

static bool is_calm(const struct seen *seen) {
    return seen->total <= 126;
}

static bool is_inside(const struct seen *seen) {
    return seen->is_partitioning && is_balanced(seen) && is_calm(seen) && seen->smallest >= 2 &&
           seen->largest <= 20 && seen->partitions >= 2 && seen->partitions <= 4;
}

/* Who looks on: what each case leaves behind, and what the record has when it is over. */
typedef void onlooker(struct cor_record *record, const struct cor_suite *suite, uint32_t sequence,
                      const struct seen *seen, uint32_t cases);

static struct cor_record *execute(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                  onlooker *look) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite *suite;
    struct cor_session *session;
    struct cor_record *record;
    struct cor_runner *runner;
    OK(cor_suite_generate(experiment, arm, index, &suite, &error));
    OK(cor_session_create(&suite->arm->session, &session, &error));
    OK(cor_record_create(&cor_interaction_schema, &record, &error));
    const struct cor_execution execution = {suite, session, true};
    OK(cor_runner_create(&execution, record, &runner, &error));
    for (uint32_t s = 0; s < SEQUENCES; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(suite, s, NULL);
        struct seen seen[CASES_MOST];
        uint32_t cases = 0;
        OK(cor_sequence_begin(runner, &walk, &error));
        while (!cor_sequence_is_over(runner)) {
            OK(cor_sequence_case(runner, &error));
            assert_true(cases < CASES_MOST);
            if (look)
                see(cor_sequence_state(runner), &seen[cases]);
            cases++;
        }
        OK(cor_sequence_end(runner, &error));
        if (look)
            look(record, suite, s, seen, cases);
    }
    OK(cor_runner_finish(runner, &error));
    cor_runner_destroy(runner);
    cor_session_destroy(session);
    cor_suite_destroy(suite);
    return record;
}

/* While moves take time, what is between two of them is numbered as the structure is then. */
static void forget_numbers_between_moves(struct cor_record *record) {
    struct cor_record_mark mark = cor_record_mark(record);
    for (size_t i = 0; i < mark.rows[COR_TABLE_VIOLATIONS]; i++) {
        struct cor_violation_row *row = cor_record_at(record, COR_TABLE_VIOLATIONS, i);
        row->partition = row->box == COR_BOX_MOVE ? 0 : row->partition;
    }
    for (size_t i = 0; i < mark.rows[COR_TABLE_CONSTRAINTS]; i++) {
        struct cor_constraint_row *row = cor_record_at(record, COR_TABLE_CONSTRAINTS, i);
        row->organization = row->box == COR_BOX_MOVE ? 0 : row->organization;
        row->sentence = row->box == COR_BOX_MOVE ? 0 : row->sentence;
        row->sentence_start = 0;
    }
    mark.items[COR_VECTOR_SENTENCES] = 0;
    cor_record_rewind(record, &mark);
}

static void forget(struct cor_record *record, enum cor_table table) {
    struct cor_record_mark mark = cor_record_mark(record);
    mark.rows[table] = 0;
    cor_record_rewind(record, &mark);
}

/* All rows of both, less what only time writes. */
static void expect_same_rows(const char *corridor, const char *clocks, const char *arms) {
    struct cor_experiment *stepwise = open_experiment(corridor, NULL, arms),
                          *continuous = open_experiment(corridor, clocks, arms);
    size_t reorganizations = 0, between = 0, constraints = 0;
    for (uint32_t arm = 0; arm < stepwise->arm_count; arm++)
        for (uint32_t suite = 0; suite < SUITES; suite++) {
            struct cor_record *a = execute(stepwise, arm, suite, NULL),
                              *b = execute(continuous, arm, suite, NULL);
            const size_t runs = cor_record_size(a, COR_TABLE_REORGANIZATIONS);
            assert_int_equal(cor_record_size(b, COR_TABLE_TICKS), runs);
            assert_int_equal(cor_record_size(b, COR_TABLE_SNAPSHOTS), cor_record_size(a, COR_TABLE_CASES));
            forget(b, COR_TABLE_TICKS);
            forget(b, COR_TABLE_SNAPSHOTS);
            if (strstr(clocks, "move")) {
                forget_numbers_between_moves(a);
                forget_numbers_between_moves(b);
            }
            if (!cor_record_equal(a, b))
                fail_msg("%s, arm %s, suite %u", clocks, stepwise->arms[arm].name, suite);
            reorganizations += runs;
            constraints += cor_record_size(a, COR_TABLE_CONSTRAINTS);
            for (size_t v = 0; v < cor_record_size(a, COR_TABLE_VIOLATIONS); v++)
                between +=
                    ((const struct cor_violation_row *)cor_record_at(a, COR_TABLE_VIOLATIONS, v))->box ==
                    COR_BOX_MOVE;
            cor_record_destroy(a);
            cor_record_destroy(b);
        }
    assert_true(reorganizations > 4 * stepwise->arm_count);
    assert_true(!corridor || constraints > 5 * stepwise->arm_count);
    assert_true(between > 0 || arms != watched);
    cor_experiment_destroy(stepwise);
    cor_experiment_destroy(continuous);
}

static void equal_clocks_without_durations_give_the_stepwise_rows(void **unused) {
    (void)unused;
    expect_same_rows(whole, "\"case\": 1", sound);
    expect_same_rows(whole, "\"case\": 1000", faulty);
    expect_same_rows(of_time, "\"case\": 7", sound);
    expect_same_rows(of_time, "\"case\": 7", faulty);
    expect_same_rows(whole, "\"case\": 7", watched);
}

/* Nothing else happens before a case is over, so whoever has time until then changes nothing. */
static void what_fits_into_a_case_changes_no_row(void **unused) {
    (void)unused;
    const char *clocks = "\"case\": 1000000, \"unit\": 1, \"message\": 2, \"move\": 5";
    expect_same_rows(NULL, clocks, "{\"name\": \"random\", \"algorithm\": \"random\"}");
}

/* The same with a text, which has rows of its own. */
static void what_fits_into_a_case_changes_no_row_of_a_text(void **unused) {
    (void)unused;
    const char *clocks = "\"case\": 1000000, \"unit\": 1, \"message\": 2, \"move\": 5";
    expect_same_rows(of_time, clocks, sound);
    expect_same_rows(whole, clocks, faulty);
    expect_same_rows(whole, clocks, watched);
    expect_same_rows(of_the_last, clocks, watched);
}

static const char *const drawn_clocks[] = {
    "\"case\": 100, \"agent_clock\": [37, 170], \"monitor_clock\": 41, \"unit\": 3, \"move\": 7",
    "\"case\": 100, \"agent_clock\": 100, \"monitor_clock\": 100, \"unit\": 1, \"message\": 1, \"move\": 13",
    "\"case\": 100, \"agent_clock\": [90, 110], \"monitor_clock\": 230, \"move\": 1",
    "\"case\": 10, \"agent_clock\": [1, 30], \"monitor_clock\": 3, \"unit\": 2, \"move\": 2",
    "\"case\": 60, \"agent_clock\": 45, \"monitor_clock\": 60",
    "\"case\": 100, \"agent_clock\": 100, \"monitor_clock\": 70, \"unit\": 1, \"message\": 2, \"move\": 3",
};
#define CLOCKS (sizeof drawn_clocks / sizeof *drawn_clocks)

/* Rows of a table are equal, whatever `mask` makes of them first. */
static void expect_equal_table(struct cor_record *a, struct cor_record *b, enum cor_table table,
                               void (*mask)(void *row)) {
    const size_t count = cor_record_size(a, table), size = cor_interaction_schema.tables[table].row_size;
    assert_int_equal(cor_record_size(b, table), count);
    for (size_t i = 0; i < count; i++) {
        unsigned char rows[2][512];
        memcpy(rows[0], cor_record_at(a, table, i), size);
        memcpy(rows[1], cor_record_at(b, table, i), size);
        for (int r = 0; mask && r < 2; r++)
            mask(rows[r]);
        assert_memory_equal(rows[0], rows[1], size);
    }
}

/* How many violations there are is counted otherwise, and in a text inside is all of it. */
static void mask_reorganization(void *row) {
    struct cor_reorganization_row *it = row;
    it->gray_violations = it->gray_violations > 0;
    it->black_violations = it->black_violations > 0;
    if (it->black != COR_VERDICT_PASSED)
        it->inside_after = 0;
}

static void mask_snapshot(void *row) {
    struct cor_snapshot_row *it = row;
    it->inside = 0;
}

/* Numbers of R-Detect are the built-in corridor's own. */
static void mask_violation(void *row) {
    struct cor_violation_row *it = row;
    it->expected = it->found = 0;
}

static void forget_violations_of_time(struct cor_record *record) {
    struct cor_record_mark mark = cor_record_mark(record);
    size_t kept = 0;
    for (size_t i = 0; i < mark.rows[COR_TABLE_VIOLATIONS]; i++) {
        const struct cor_violation_row *row = cor_record_at(record, COR_TABLE_VIOLATIONS, i);
        if (row->box != COR_BOX_TIME)
            *(struct cor_violation_row *)cor_record_at(record, COR_TABLE_VIOLATIONS, kept++) = *row;
    }
    mark.rows[COR_TABLE_VIOLATIONS] = kept;
    cor_record_rewind(record, &mark);
}

static void check_beside_the_built_in(const char *corridor, const char *clocks, const char *arms,
                                      bool is_whole) {
    struct cor_experiment *built_in = open_experiment(NULL, clocks, arms),
                          *by_text = open_experiment(corridor, clocks, arms);
    size_t reorganizations = 0, failed = 0;
    for (uint32_t arm = 0; arm < built_in->arm_count; arm++)
        for (uint32_t suite = 0; suite < SUITES; suite++) {
            struct cor_record *a = execute(built_in, arm, suite, NULL),
                              *b = execute(by_text, arm, suite, NULL);
            expect_equal_table(a, b, COR_TABLE_CASES, NULL);
            expect_equal_table(a, b, COR_TABLE_TICKS, NULL);
            expect_equal_table(a, b, COR_TABLE_REORGANIZATIONS, is_whole ? mask_reorganization : NULL);
            expect_equal_table(a, b, COR_TABLE_SNAPSHOTS, is_whole ? mask_snapshot : NULL);
            forget_violations_of_time(b); /* what a text alone says */
            if (!is_whole)
                expect_equal_table(a, b, COR_TABLE_VIOLATIONS, mask_violation);
            reorganizations += cor_record_size(a, COR_TABLE_REORGANIZATIONS);
            failed += cor_record_size(a, COR_TABLE_VIOLATIONS);
            cor_record_destroy(a);
            cor_record_destroy(b);
        }
    assert_true(reorganizations > 3 * built_in->arm_count && (failed > 3 || !is_whole));
    cor_experiment_destroy(built_in);
    cor_experiment_destroy(by_text);
}

static void the_built_in_corridor_as_a_text_has_its_rows(void **unused) {
    (void)unused;
    for (size_t c = 0; c < CLOCKS; c++) {
        check_beside_the_built_in(by_value, drawn_clocks[c], sound, false);
        check_beside_the_built_in(by_tenths, drawn_clocks[c], sound, false);
        check_beside_the_built_in(whole, drawn_clocks[c], faulty, true);
    }
}

/* The rows of this sequence: where they begin and end. */
#define EACH_ROW(record, TABLE, type, row)                                                       \
    for (size_t at_##row = 0; at_##row < cor_record_size(record, COR_TABLE_##TABLE); at_##row++) \
        for (const struct type *row = cor_record_at(record, COR_TABLE_##TABLE, at_##row); row; row = NULL)

static struct {
    size_t snapshots, half, outside, failed, held, returns, late, gray, black, objectives, unlooked, hidden,
        mail;
} found;

/* Units, messages and moves take what they are said to take. */
static void judge_ticks(struct cor_record *record, const struct cor_suite *suite, uint32_t sequence,
                        const struct seen *seen, uint32_t cases) {
    const struct cor_clocks *clocks = &suite->arm->clocks;
    size_t at = 0;
    uint32_t last = 0;
    (void)seen;
    (void)cases;
    EACH_ROW(record, CONSTRAINTS, cor_constraint_row, row)
    if (row->sequence == sequence) { /* in order, whenever they were known */
        assert_true(row->case_ >= last);
        last = row->case_;
    }
    EACH_ROW(record, TICKS, cor_tick_row, ticks)
    if (ticks->sequence == sequence) {
        const struct cor_reorganization_row *row = NULL;
        while (!row || row->sequence != sequence)
            row = cor_record_at(record, COR_TABLE_REORGANIZATIONS, at++);
        assert_int_equal(row->case_, ticks->case_);
        assert_int_equal(ticks->asked / clocks->case_ticks + 1, row->case_);
        assert_int_equal(ticks->alarm % clocks->monitor_ticks, 0);
        assert_int_equal(ticks->asked, ticks->alarm + suite->arm->activation_delay * clocks->case_ticks);
        assert_int_equal(ticks->solution, ticks->asked + row->spent * clocks->unit_ticks +
                                              row->messages * clocks->message_ticks);
        assert_int_equal(ticks->adopted, ticks->solution + ticks->moves * clocks->move_ticks);
        assert_int_equal(ticks->moves, AGENTS);
        found.mail += row->messages;
    }
}

/* A formula "always (if IF then within so many cases THEN, or too few are left)": the case with which it
 * fails, 0: it holds. */
static uint32_t fails_with(const bool *premise, const bool *conclusion, uint32_t cases, uint32_t within) {
    for (uint32_t end = within; end < cases; end++) {
        bool is_met = !premise[end - within];
        for (uint32_t c = end - within; c <= end; c++)
            is_met = is_met || conclusion[c];
        if (!is_met)
            return end + 1;
    }
    return 0;
}

static void judge_time(struct cor_record *record, const struct cor_suite *suite, uint32_t sequence,
                       const struct seen *seen, uint32_t cases) {
    bool alarm[CASES_MOST] = {0}, inside[CASES_MOST], calm[CASES_MOST], always[CASES_MOST];
    const uint64_t length = suite->arm->clocks.case_ticks;
    for (uint32_t c = 0; c < cases; c++) {
        inside[c] = is_inside(&seen[c]);
        calm[c] = is_calm(&seen[c]);
        always[c] = true;
    }
    judge_ticks(record, suite, sequence, seen, cases);
    EACH_ROW(record, CASES, cor_case_row, row)
    if (row->sequence == sequence)
        alarm[row->case_ - 1] = row->alarm;
    EACH_ROW(record, TICKS, cor_tick_row, row)
    if (row->sequence == sequence && !alarm[row->alarm / length]) { /* its row tells of one that was missed */
        alarm[row->alarm / length] = true;
        found.hidden++;
    }
    uint8_t noted[CASES_MOST][4] = {{0}};
    EACH_ROW(record, CONSTRAINTS, cor_constraint_row, row)
    if (row->sequence == sequence && row->box == COR_BOX_DETECT) {
        assert_true(row->case_ > 0 && row->constraint < 4 && row->verdict == COR_VERDICT_FAILED);
        assert_int_equal(noted[row->case_ - 1][row->constraint]++, 0);
    }
    EACH_ROW(record, SNAPSHOTS, cor_snapshot_row, row)
    if (row->sequence == sequence) {
        const bool is_skipped = row->inside == COR_INSIDE_NOT_LOOKED && suite->arm->look_every > 1 &&
                                row->case_ % suite->arm->look_every != 0 && !alarm[row->case_ - 1];
        if (!is_skipped)
            assert_int_equal(row->inside, inside[row->case_ - 1] ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE);
        if (row->looks == 0) { /* then what the case leaves is noted */
            const struct seen *left = &seen[row->case_ - 1];
            assert_int_equal(noted[row->case_ - 1][2], !calm[row->case_ - 1]);
            assert_int_equal(noted[row->case_ - 1][3], !is_balanced(left));
            found.unlooked += !is_balanced(left);
        }
        found.snapshots++;
        found.half += row->under_way && seen[row->case_ - 1].partitions > 4;
        found.outside += row->inside == COR_INSIDE_OUTSIDE;
    }
    /* Constraints in the order of the text: sizes, number, calm, balance, soon, calms, and returns. */
    const uint32_t of_returns = suite->arm->return_cases,
                   expected[] = {fails_with(alarm, inside, cases, 1), fails_with(always, calm, cases, 2),
                                 fails_with(alarm, inside, cases, of_returns)};
    uint32_t next = 0;
    EACH_ROW(record, FORMULAS, cor_formula_row, row)
    if (row->sequence == sequence) {
        assert_true(next < 3);
        assert_int_equal(row->verdict, expected[next] > 0 ? COR_VERDICT_FAILED : COR_VERDICT_PASSED);
        assert_int_equal(row->decided, expected[next]);
        found.failed += expected[next] > 0;
        found.held += expected[next] == 0;
        next++;
    }
    assert_int_equal(next, 3);
    uint32_t c = 0;
    EACH_ROW(record, RETURNS, cor_return_row, row)
    if (row->sequence == sequence) {
        while (c < cases && !alarm[c])
            c++;
        assert_int_equal(row->case_, c + 1);
        uint32_t outside = 0;
        while (c < cases && !inside[c]) {
            c++;
            outside++;
        }
        assert_int_equal(row->back, c < cases ? c + 1 : 0);
        assert_int_equal(row->outside, outside);
        found.returns++;
        found.late += outside > 1;
        c++;
    }
    while (c < cases && !alarm[c])
        c++;
    assert_true(c >= cases);
    /* Values are those of a case from its first tick to its last: what the algorithm was shown is of the case
     * in which it was asked, what it came to of that in which the last move was made. */
    if (suite->arm->clocks.agent_least != length || suite->arm->clocks.agent_most != length)
        return;
    size_t at = 0;
    EACH_ROW(record, TICKS, cor_tick_row, ticks)
    if (ticks->sequence == sequence && ticks->adopted < cases * length) {
        const struct cor_reorganization_row *row = NULL;
        while (!row || row->sequence != sequence || row->case_ != ticks->case_)
            row = cor_record_at(record, COR_TABLE_REORGANIZATIONS, at++);
        const struct seen *asked = &seen[ticks->asked / length], *adopted = &seen[ticks->adopted / length];
        const bool fails = !is_calm(adopted);
        assert_int_equal(row->gray, is_calm(asked) ? COR_VERDICT_PASSED : COR_VERDICT_FAILED);
        assert_int_equal(row->black, fails ? COR_VERDICT_FAILED : COR_VERDICT_PASSED);
        assert_int_equal(row->agreement, is_calm(asked) ? COR_VERDICT_PASSED : COR_VERDICT_NOT_JUDGED);
        found.gray += !is_calm(asked) && !fails;
        found.black += is_calm(asked) && fails;
        EACH_ROW(record, OBJECTIVES, cor_objective_row, number)
        if (number->sequence == sequence && number->case_ == ticks->case_) {
            assert_true(number->before == asked->total && number->after == adopted->total);
            found.objectives += number->before != number->after;
        }
    }
}

static void look_at_all(const char *corridor, const char *clocks, const char *arms, onlooker *look) {
    struct cor_experiment *experiment = open_experiment(corridor, clocks, arms);
    for (uint32_t arm = 0; arm < experiment->arm_count; arm++)
        for (uint32_t suite = 0; suite < SUITES; suite++)
            cor_record_destroy(execute(experiment, arm, suite, look));
    cor_experiment_destroy(experiment);
}

static void what_is_said_of_cases_is_what_they_leave(void **unused) {
    (void)unused;
    memset(&found, 0, sizeof found);
    for (size_t c = 0; c < CLOCKS; c++) {
        look_at_all(of_time, drawn_clocks[c], sound, judge_time);
        look_at_all(whole, drawn_clocks[c], watched_sound, judge_ticks);
        look_at_all(whole, drawn_clocks[c], with_mail, judge_ticks);
    }
    look_at_all(of_time, "\"case\": 100, \"agent_clock\": 100, \"monitor_clock\": 30", missed, judge_time);
    assert_true(found.mail > 100 && found.unlooked > 5 && found.hidden > 0);
    assert_true(found.snapshots > 500 && found.half > 10 && found.outside > 100 && found.failed > 10 &&
                found.held > 10 && found.returns > 50 && found.late > 10 && found.gray > 2 &&
                found.black > 2 && found.objectives > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_clocks_without_durations_give_the_stepwise_rows),
        cmocka_unit_test(what_fits_into_a_case_changes_no_row),
        cmocka_unit_test(what_fits_into_a_case_changes_no_row_of_a_text),
        cmocka_unit_test(the_built_in_corridor_as_a_text_has_its_rows),
        cmocka_unit_test(what_is_said_of_cases_is_what_they_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
