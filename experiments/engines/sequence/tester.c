/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/course.h>
#include <corridor/hash.h>
#include <corridor/property.h>
#include <corridor/run.h>
#include <corridor/test.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cor_tester {
    struct cor_record *record;                /* owned */
    struct cor_session *session;              /* owned; NULL: none yet */
    struct cor_session_definition definition; /* of the session */
    struct cor_mail_record *mail;             /* borrowed; to record into; NULL: not */
    struct cor_property *property;            /* owned; asked by the last test that asked one; NULL: none */
    struct cor_course *course;                /* borrowed; to be told; NULL: not */
    const struct cor_course_change *change;   /* borrowed; NULL: nothing is changed */
    bool (*is_stopped)(const void *with);     /* NULL: nobody stops it */
    const void *with;                         /* borrowed */
    bool log_solutions;
    bool observes;                  /* reactions are kept: */
    struct cor_reaction *reactions; /* owned; [case - 1] */
    uint64_t *counted;              /* owned; [case - 1][cell of the probes] */
    size_t reaction_count, reaction_capacity, counted_capacity;
    size_t cell_count; /* of the last execution */
};

enum cor_status cor_tester_create(struct cor_tester **tester, struct cor_error *error) {
    struct cor_tester *t = *tester = cor_calloc(1, sizeof *t);
    COR_TRY(cor_made(t, error));
    enum cor_status status = cor_record_create(&cor_interaction_schema, &t->record, error);
    if (status != COR_OK) {
        cor_tester_destroy(t);
        *tester = NULL;
    }
    return status;
}

void cor_tester_destroy(struct cor_tester *tester) {
    if (!tester)
        return;
    cor_session_destroy(tester->session);
    cor_property_destroy(tester->property);
    cor_record_destroy(tester->record);
    free(tester->reactions);
    free(tester->counted);
    free(tester);
}

void cor_tester_record_mail(struct cor_tester *tester, struct cor_mail_record *record) {
    tester->mail = record;
}

void cor_tester_watch(struct cor_tester *tester, struct cor_course *course) {
    tester->course = course;
}

void cor_tester_stop_when(struct cor_tester *tester, bool (*is_stopped)(const void *), const void *with) {
    tester->is_stopped = is_stopped;
    tester->with = with;
}

void cor_tester_change(struct cor_tester *tester, const struct cor_course_change *change) {
    tester->change = change;
}

void cor_tester_log_solutions(struct cor_tester *tester, bool all) {
    tester->log_solutions = all;
}

void cor_tester_observe(struct cor_tester *tester, bool wanted) {
    tester->observes = wanted;
    tester->reaction_count = 0;
}

struct cor_reaction cor_tester_reaction(const struct cor_tester *tester, uint32_t number) {
    COR_ASSERT(number >= 1 && number <= tester->reaction_count);
    struct cor_reaction reaction = tester->reactions[number - 1];
    reaction.counted = tester->counted + (number - 1) * tester->cell_count;
    return reaction;
}

struct cor_record *cor_tester_record(struct cor_tester *tester) {
    return tester->record;
}

const uint64_t *cor_tester_probes(const struct cor_tester *tester, const uint32_t **start) {
    return cor_session_counters(tester->session, start);
}

/* Where an execution ends: behind case `last` (0: there is no such), with the first case that fails, or as if
 * the test had only `cut` cases (0: all). */
struct ending {
    uint32_t last, cut;
    bool at_failure;
};

static enum cor_status run_sequence(struct cor_tester *t, struct cor_runner *runner,
                                    const struct ending *ending, struct cor_error *error) {
    struct cor_failure_class class;
    for (uint32_t done = 0; !cor_sequence_is_over(runner) && (ending->last == 0 || done < ending->last);
         done++) {
        const size_t violations = cor_record_size(t->record, COR_TABLE_VIOLATIONS),
                     reorganizations = cor_record_size(t->record, COR_TABLE_REORGANIZATIONS);
        if (t->is_stopped && t->is_stopped(t->with))
            return COR_STATUS_INTERRUPTED;
        COR_TRY(cor_sequence_case(runner, error));
        if (t->observes) {
            const size_t count = t->reaction_count, cells = t->cell_count;
            const struct cor_reaction *reaction = cor_sequence_reaction(runner);
            COR_TRY(COR_RESERVE(&t->reactions, &t->reaction_capacity, count + 1, error));
            COR_TRY(COR_RESERVE(&t->counted, &t->counted_capacity, (count + 1) * cells + 1, error));
            t->reactions[count] = *reaction;
            for (size_t i = 0; i < cells; i++)
                t->counted[count * cells + i] = reaction->counted ? reaction->counted[i] : 0;
            t->reaction_count++;
        }
        const bool is_last =
            ending->at_failure
                ? cor_first_failure(cor_failure_rows_of(t->record, violations, reorganizations), &class) > 0
                : done + 1 == ending->cut;
        if (is_last)
            cor_sequence_cut(runner);
    }
    return cor_sequence_end(runner, error);
}

static void sum_up(struct cor_record *record, struct cor_test_result *result) {
    static const enum cor_table tables[] = {COR_TABLE_SEQUENCES, COR_TABLE_CASES, COR_TABLE_REORGANIZATIONS,
                                            COR_TABLE_FAILURES, COR_TABLE_VIOLATIONS};
    static const enum cor_vector vectors[] = {COR_VECTOR_SOLUTION_BLOCK_SIZE, COR_VECTOR_SOLUTION_MEMBER,
                                              COR_VECTOR_STRUCTURE};
    uint64_t hash = COR_HASH_SEED;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        const struct cor_table_schema *schema = cor_schema(tables[t]);
        const size_t rows = cor_record_size(record, tables[t]);
        hash = cor_hash_word(hash, rows);
        for (size_t i = 0; i < rows; i++) {
            /* The columns of a row that say what happened in its sequence, one after another: those behind
             * its keys. */
            const unsigned char *row = cor_record_at(record, tables[t], i);
            enum { KEYS = 3 }; /* arm, suite, sequence */
            unsigned char bytes[8 * COR_COLUMNS_MAX];
            size_t size = 0;
            for (uint32_t c = KEYS; c < schema->column_count; c++) {
                const struct cor_column *column = &schema->columns[c];
                const size_t width = cor_type_size(column->type);
                memcpy(bytes + size, row + column->offset, width);
                size += width;
            }
            hash = cor_hash_bytes(hash, bytes, size);
        }
    }
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        size_t count;
        const void *items = cor_record_items(record, vectors[v], &count);
        hash = cor_hash_bytes(hash, items, count * cor_type_size(cor_vector(vectors[v])->type));
    }
    uint32_t undecided = 0; /* constraints in a box, formulas at the end of the sequence */
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_CONSTRAINTS); i++) {
        const struct cor_constraint_row *row = cor_record_at(record, COR_TABLE_CONSTRAINTS, i);
        undecided += row->verdict == COR_VERDICT_UNDECIDED;
    }
    for (size_t i = 0; i < cor_record_size(record, COR_TABLE_FORMULAS); i++) {
        const struct cor_formula_row *row = cor_record_at(record, COR_TABLE_FORMULAS, i);
        undecided += row->verdict == COR_VERDICT_UNDECIDED;
    }
    *result = (struct cor_test_result){.cases = (uint32_t)cor_record_size(record, COR_TABLE_CASES),
                                       .reorganizations =
                                           (uint32_t)cor_record_size(record, COR_TABLE_REORGANIZATIONS),
                                       .undecided = undecided,
                                       .hash = hash};
    result->case_ = cor_first_failure(cor_failure_rows_of(record, 0, 0), &result->class);
}

/* Of a test that asks a property the failure is that it is violated. */
static enum cor_status ask(struct cor_tester *t, const struct cor_test *test, struct cor_test_result *result,
                           struct cor_error *error) {
    const struct cor_case_tables rows = cor_case_tables_of(t->record);
    struct cor_property_value value;
    if (t->property && strcmp(cor_property_text(t->property), test->property) != 0) {
        cor_property_destroy(t->property);
        t->property = NULL;
    }
    if (!t->property)
        COR_TRY(cor_property_parse(test->property, NULL, &t->property, error));
    COR_TRY(cor_property_ask(t->property, &rows, &value, error));
    result->case_ = 0;
    result->class = (struct cor_failure_class){.smoke = COR_SMOKE_NONE};
    result->undecided = isnan(value.value) ? 1U : 0U;
    if (value.value != 0)
        return COR_OK;
    const bool is_stopped = rows.case_count > 0 && cor_is_detection(rows.cases[rows.case_count - 1].black);
    result->class.unmet = COR_UNMET_END;
    if (value.decided > 0)
        result->class.unmet = COR_UNMET_CASE;
    else if (is_stopped)
        result->class.unmet = COR_UNMET_STOP;
    result->case_ = value.decided > 0 ? value.decided : result->cases;
    return COR_OK;
}

enum cor_status cor_tester_reasons(struct cor_tester *tester, char **lines, struct cor_error *error) {
    const struct cor_case_tables rows = cor_case_tables_of(tester->record);
    COR_ASSERT(tester->property);
    return cor_property_reasons(tester->property, &rows, lines, error);
}

enum cor_status cor_tester_begin(struct cor_tester *tester, const struct cor_test *test,
                                 struct cor_runner **runner, struct cor_error *error) {
    *runner = NULL;
    /* The session of the test before serves as long as nothing is asked of it that it was not made for. */
    const struct cor_session_definition *definition = &test->arm.session;
    if (!tester->session || memcmp(&tester->definition, definition, sizeof *definition) != 0) {
        cor_session_destroy(tester->session);
        tester->session = NULL;
        memcpy(&tester->definition, definition, sizeof *definition);
        COR_TRY(cor_session_create(definition, &tester->session, error));
    }
    const struct cor_execution execution = {
        .suite = test->suite, .session = tester->session, .log_solutions = tester->log_solutions};
    struct cor_walk_definition walk = cor_suite_walk_definition(test->suite, 0, NULL);
    walk.name.sequence = test->sequence;
    walk.branch = test->continues ? &test->branch : NULL;
    walk.case_identity = test->case_identity;
    if (tester->mail)
        cor_mail_record_drop(tester->mail, 0, tester->mail->count);
    cor_session_schedule(tester->session, test->schedule);
    cor_session_record(tester->session, tester->mail);
    if ((tester->course || tester->change) && !cor_session_is_open(tester->session))
        return cor_fail(
            error, COR_STATUS_INPUT, "--isolate",
            "--isolate never lets it work in this process; if it has neither mail nor moves, and draws "
            "nothing from its streams, there is no verdict",
            "the algorithm \"%s\" works in a cell, where its mail and draws are not seen",
            definition->algorithm->name);
    cor_session_watch(tester->session, tester->course);
    cor_session_change(tester->session, tester->change);
    COR_TRY(cor_runner_create(&execution, tester->record, runner, error));
    const uint32_t *start;
    cor_session_counters(tester->session, &start);
    tester->cell_count = start[cor_algorithm_counter_count(test->arm.algorithm)];
    tester->reaction_count = 0;
    cor_runner_observe(*runner, tester->observes);
    return cor_sequence_begin(*runner, &walk, error);
}

void cor_tester_end(struct cor_tester *tester, struct cor_runner *runner) {
    if (tester->session) {
        cor_session_schedule(tester->session, NULL);
        cor_session_record(tester->session, NULL);
        cor_session_watch(tester->session, NULL);
        cor_session_change(tester->session, NULL);
    }
    cor_runner_destroy(runner);
}

enum cor_status cor_tester_go_on(struct cor_tester *tester, const struct cor_test *test,
                                 struct cor_runner *runner, uint32_t cases, struct cor_test_result *result,
                                 struct cor_error *error) {
    const bool is_to_end = cases == COR_NONE;
    for (uint32_t done = 0; !is_to_end && done < cases; done++)
        COR_TRY(cor_sequence_case(runner, error));
    if (is_to_end) {
        cor_session_schedule(tester->session, NULL);
        COR_TRY(run_sequence(tester, runner, &(struct ending){.at_failure = !test->property}, error));
    }
    sum_up(tester->record, result);
    return is_to_end && test->property ? ask(tester, test, result, error) : COR_OK;
}

static enum cor_status execute(struct cor_tester *tester, const struct cor_test *test,
                               const struct ending *ending, struct cor_test_result *result,
                               struct cor_error *error) {
    struct cor_runner *runner;
    *result = (struct cor_test_result){0};
    enum cor_status status = cor_tester_begin(tester, test, &runner, error);
    if (status == COR_OK)
        status = run_sequence(tester, runner, ending, error);
    if (status == COR_OK)
        sum_up(tester->record, result);
    if (status == COR_OK && test->property)
        status = ask(tester, test, result, error);
    cor_tester_end(tester, runner);
    return status;
}

enum cor_status cor_tester_execute(struct cor_tester *tester, const struct cor_test *test, uint32_t last,
                                   struct cor_test_result *result, struct cor_error *error) {
    return execute(tester, test, &(struct ending){.last = last}, result, error);
}

enum cor_status cor_tester_execute_to_failure(struct cor_tester *tester, const struct cor_test *test,
                                              struct cor_test_result *result, struct cor_error *error) {
    if (!test->property)
        return execute(tester, test, &(struct ending){.at_failure = true}, result, error);
    /* The deciding case is known only at the end, when rows are sorted. */
    COR_TRY(execute(tester, test, &(struct ending){0}, result, error));
    const bool is_stopped =
        result->class.unmet == COR_UNMET_STOP; /* before the test's end, so it is longer */
    if (result->case_ == 0 || (result->case_ >= result->cases && !is_stopped))
        return COR_OK;
    return execute(tester, test, &(struct ending){.cut = result->case_}, result, error);
}
