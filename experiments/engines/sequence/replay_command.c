/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A failing sequence of a result file as a file of its own. */
#include "commands.h"
#include "isolation.h"
#include "layer_commands.h"
#include "output.h"
#include "replay.h"
#include "running.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/bounds.h>
#include <corridor/built.h>
#include <corridor/child.h>
#include <corridor/failing.h>
#include <corridor/interaction.h>
#include <corridor/test.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Executes it, so that what is expected is known; twice, as a test that does not repeat is of no use. */
static enum cor_status find_expected(struct cor_test *test, const char *key, struct cor_error *error) {
    struct cor_tester *tester;
    struct cor_test_result again;
    COR_TRY(cor_tester_create(&tester, error));
    enum cor_status status = cor_tester_execute(tester, test, 0, &test->expected, error);
    if (status == COR_OK)
        status = cor_tester_execute(tester, test, 0, &again, error);
    cor_tester_destroy(tester);
    COR_TRY(status);
    if (again.hash == test->expected.hash)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, key, "corridor check says more of it",
                    "flaky: executed twice, the second time differs");
}

enum cor_status cor_test_of_property(struct cor_test *test, const char *key, const char *property,
                                     struct cor_error *error) {
    COR_TRY(cor_test_ask_take(test, cor_strdup(property), "--property", error));
    COR_TRY(find_expected(test, key, error));
    if (test->expected.case_ > 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, "--failure", "corridor decide names one that does",
                    test->expected.undecided > 0 ? "whether %s violates %s is not known" : "%s satisfies %s",
                    key, property);
}

enum cor_status cor_save_failure(struct cor_result *result, const char *path,
                                 const struct cor_replay_options *options, struct cor_error *error) {
    const char *text = options->failures[0];
    COR_FREED char *written = NULL;
    struct cor_failure_key key;
    COR_FINISHED(cor_opened) struct cor_opened opened = {0};
    COR_DESTROYED(cor_suite) struct cor_suite *suite = NULL;
    COR_DESTROYED(cor_test) struct cor_test *test = NULL;
    COR_TRY(cor_output_check_before(options->output, options->force, error));
    const struct cor_result_header *head = cor_result_head(result);
    if (head->layer != &cor_interaction_schema)
        return cor_fail(error, COR_STATUS_INPUT, "--output", "take the result file of a campaign",
                        "only sequences of campaigns can be written as a test");
    COR_TRY(cor_failure_key_parse(head, "--failure", text, &key, error));
    if (key.sequence == COR_WHOLE_SUITE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure",
                        "ARM/SUITE/SEQUENCE, as corridor failures lists them", "\"%s\" names no sequence",
                        text);
    COR_TRY(cor_open_stored(result, path, options->trust,
                            &(struct cor_layer_options){.isolation = COR_ISOLATION_UNTRUSTED}, &opened,
                            error));
    const struct cor_interaction *interaction = (const struct cor_interaction *)opened.experiment;
    if (key.arm >= interaction->experiment->arm_count)
        return cor_fail(error, COR_STATUS_INPUT, path, "it is not as it was written",
                        "its experiment has no arm %zu", key.arm);
    COR_TRY(
        cor_suite_of_result(result, interaction->experiment, (uint32_t)key.arm, key.suite, &suite, error));
    COR_TRY(cor_test_of_result(result, suite, key.sequence, &test, error));
    if (options->property)
        COR_TRY(cor_test_of_property(test, text, options->property, error));
    COR_TRY(find_expected(test, text, error));
    test->said = cor_format("Sequence %u of suite %u of arm %s of the experiment \"%s\".", test->sequence,
                            test->suite->index, test->arm.name, test->suite->experiment->name);
    COR_TRY(cor_made(test->said, error));
    COR_TRY(cor_bounds_text(test->suite->experiment->model, &test->arm, &test->bounds, error));
    COR_TRY(cor_test_text(test, &written, error));
    return cor_output_text(options->output, written, options->force, error);
}

/* ---- suites of any layer again: the experiment in the file, executed as a worker does */

struct stored {
    struct cor_opened opened;
    void *executor;
    struct cor_alone *alone; /* owned; NULL: not asked for yet */
    uint32_t arms;
};

static void close_stored(void *self) {
    struct stored *stored = self;
    if (!stored)
        return;
    cor_alone_destroy(stored->alone);
    if (stored->executor)
        stored->opened.layer->close(stored->executor);
    cor_opened_fini(&stored->opened);
    free(stored);
}

enum cor_status cor_note_build(const struct cor_opened *opened, const struct cor_result *result,
                               const char *path, struct cor_error *error) {
    char *words;
    COR_TRY(cor_provenance_differs(opened->layer, opened->experiment, cor_result_head(result)->provenance,
                                   &words, error));
    if (words)
        cor_say("note: %s was made by something else: %s", path, words);
    free(words);
    return COR_OK;
}

static enum cor_status open_stored(struct cor_result *result, const char *path, bool trust,
                                   enum cor_isolation isolation, const char *traffic, void **self,
                                   struct cor_error *error) {
    struct stored *stored = cor_calloc(1, sizeof *stored);
    COR_TRY(cor_made(stored, error));
    enum cor_status status = COR_OK;
    const struct cor_layer_options asked = {.isolation = (int)isolation, .replay_traffic = traffic};
    COR_TRY_OUT(cor_open_stored(result, path, trust, &asked, &stored->opened, error));
    const struct cor_layer *layer = stored->opened.layer;
    if (layer->schema != cor_result_head(result)->layer)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "it is not as it was written",
                             "is a \"%s\" with an experiment of another layer",
                             cor_result_head(result)->layer->format));
    stored->arms = stored->opened.experiment->arm_count;
    COR_TRY_OUT(cor_note_build(&stored->opened, result, path, error));
    status = layer->open(stored->opened.experiment, &stored->executor, error);
out:
    if (status != COR_OK)
        close_stored(stored);
    else
        *self = stored;
    return status;
}

static enum cor_status execute_stored(void *self, uint16_t arm, uint32_t suite, struct cor_record *record,
                                      struct cor_error *error) {
    struct stored *stored = self;
    struct cor_suite_counts tally = {0};
    if (arm >= stored->arms)
        return cor_fail(error, COR_STATUS_INPUT, "the file", "it is not as it was written",
                        "has suites of arm %u, and an experiment of %u arms", arm, stored->arms);
    return stored->opened.layer->execute(stored->executor, arm, suite, NULL, record, &tally, error);
}

static enum cor_status execute_alone(void *self, struct cor_alone **alone, struct cor_error *error) {
    struct stored *stored = self;
    if (stored->opened.layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, "--failure", "name a suite of it: ARM/SUITE",
                        "suites of this file have no sequences");
    if (!stored->alone)
        COR_TRY(cor_alone_create((const struct cor_interaction *)stored->opened.experiment, &stored->alone,
                                 error));
    *alone = stored->alone;
    return COR_OK;
}

const struct cor_replayer cor_suite_replayer = {
    .open = open_stored, .execute = execute_stored, .alone = execute_alone, .close = close_stored};

/* ---- replay: what a result file says is executed again, and compared with it */

struct request {
    struct cor_replay_options replay;
};

#define KEY_COLUMNS                                                                                       \
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP}, {                                 \
        "suite", "suite", "1",                                                                            \
            "number, from 0" COR_WITH_EFSM(": a test of a model") COR_WITH_AGENT(", a unit of an agent"), \
            COR_CELL_COUNT, 0, 0                                                                          \
    }

static const struct cor_column_definition replay_sheet_columns[] = {
    {"equal", "equal", "", "every row of the replay equals the stored row", COR_CELL_FLAG, 0, 0},
    {"suites", "suites", "suites", "executed again as a whole", COR_CELL_COUNT, 0, 0},
    {"sequences", "sequences", "sequences", "executed again alone", COR_CELL_COUNT, 0, 0},
    {"different", "different", "1", "thereof different from the file", COR_CELL_COUNT, 0, 0},
    {"flaky", "flaky", "1", "thereof different again when executed once more", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(replay_sheet, "replay", "Replay", "the file", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition differences_sheet_columns[] = {
    KEY_COLUMNS,
    {"sequence", "sequence", "1", "that was executed alone", COR_CELL_COUNT, 0, 0},
    {"table", "table", "", "of the first difference", COR_CELL_WORD, 0, 0},
    {"row", "row", "1", "of the rows of the suite, or of the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"column", "column", "", "nothing: there are more, or fewer, rows", COR_CELL_WORD, 0, 0},
    {"stored", "in the file", "", "its value; without a column the number of rows", COR_CELL_TEXT, 0, 0},
    {"now", "now", "", "the same of the replay", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(differences_sheet, "differences", "First differences",
                     "a suite, or a sequence, that differs", 0, 40);

static const struct cor_column_definition suites_sheet_columns[] = {
    KEY_COLUMNS,
    {"equal", "equal", "", "all that is written of it is as in the file", COR_CELL_FLAG, 0, 0},
    {"flaky", "flaky", "", "executed once more, it differs again", COR_CELL_FLAG, 0, COR_COLUMN_DATA}};
COR_SHEET_DEFINITION(suites_sheet, "suites", "Suites", "a row a suite", 0, 40);

static const struct cor_column_definition sequences_sheet_columns[] = {
    {"key", "key", "", "ARM/SUITE/SEQUENCE/CASE, the case that was named or failed first", COR_CELL_WORD, 0,
     0},
    {"class", "class", "", "of that case in the file; none: it did not fail", COR_CELL_WORD, 0, 0},
    {"cases", "cases", "cases", "executed again", COR_CELL_COUNT, 0, 0},
    {"equal", "equal", "", "all that is written of it is as in the file", COR_CELL_FLAG, 0, 0},
    {"first", "fails now", "", "where it is not equal: the first case that fails now, and of what class",
     COR_CELL_WORD, 0, 0},
    {"flaky", "flaky", "", "executed once more, it differs again", COR_CELL_FLAG, 0, COR_COLUMN_DATA}};
COR_SHEET_DEFINITION(sequences_sheet, "sequences", "Sequences, each executed alone", "a row a sequence", 0,
                     40);

/* A replay under way. */
struct replay {
    const struct cor_replayer *replayer;
    struct cor_result *result;
    void *self;                /* of the replayer */
    struct cor_record *record; /* owned */
    struct cor_record *again;  /* owned; of an execution once more, NULL: there was none yet */
    uint32_t first;            /* table whose differences are told first */
    struct cor_row_key *keys;  /* owned; of the suites that are executed again */
    size_t count, capacity;
    struct cor_failing_list alone; /* owned; sequences that are executed again alone */
    struct cor_sheet *differences, *suites, *sequences;
    uint64_t different, flaky;
    uint64_t schedules; /* of distributed programs, in the suites that were executed again */
    bool is_ended;      /* by an interrupt, before its time */
    bool is_recorded;   /* what programs say is in a file, once: there is nothing to execute once more */
};

static void put_keys(const struct replay *replay, struct cor_row_key keys, struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_arm_entry(cor_result_head(replay->result), keys.arm)->name);
    cor_sheet_count(sheet, keys.suite);
}

static void put_difference(struct replay *replay, const struct cor_suite_difference *difference) {
    struct cor_sheet *sheet = replay->differences;
    cor_sheet_word(sheet, difference->table);
    cor_sheet_count(sheet, difference->row + 1);
    cor_sheet_word(sheet, difference->column);
    cor_sheet_text(sheet, "%s", difference->stored);
    cor_sheet_text(sheet, "%s", difference->now);
}

static void put_equal(struct cor_sheet *sheet, bool equal) {
    cor_sheet_flag(sheet, equal);
    cor_sheet_tone(sheet, equal ? COR_TONE_GOOD : COR_TONE_BAD);
}

/* What to execute once more. */
struct subject {
    struct cor_row_key key;
    struct cor_alone *alone; /* NULL: the whole suite */
    const struct cor_alone_definition *definition;
};

static enum cor_status execute(struct replay *replay, const struct subject *subject,
                               struct cor_record *record, struct cor_error *error) {
    return subject->alone
               ? cor_alone_execute(subject->alone, subject->definition, record, error)
               : replay->replayer->execute(replay->self, subject->key.arm, subject->key.suite, record, error);
}

/* Was an answer another one when it was asked for again, in a fresh process? */
static bool is_flaky_itself(struct cor_record *record, const struct cor_layer_schema *layer) {
    for (size_t i = 0;
         layer == &cor_interaction_schema && i < cor_record_size(record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row = cor_record_at(record, COR_TABLE_REORGANIZATIONS, i);
        if (row->smoke == COR_SMOKE_FLAKY)
            return true;
    }
    return false;
}

/* Does what differs from the file differ from itself, too? */
static enum cor_status look_again(struct replay *replay, const struct subject *subject, bool *flaky,
                                  struct cor_error *error) {
    replay->different++;
    if (replay->is_recorded)
        return COR_OK;
    if (!replay->again)
        COR_TRY(cor_record_create(cor_result_head(replay->result)->layer, &replay->again, error));
    COR_TRY(execute(replay, subject, replay->again, error));
    *flaky = !cor_record_equal(replay->record, replay->again) ||
             is_flaky_itself(replay->record, cor_result_head(replay->result)->layer);
    replay->flaky += *flaky;
    return COR_OK;
}

static enum cor_status replay_suite(struct replay *replay, struct cor_row_key key, struct cor_error *error) {
    const struct subject subject = {.key = key};
    struct cor_suite_difference difference;
    bool flaky = false;
    COR_TRY(execute(replay, &subject, replay->record, error));
    COR_TRY(cor_result_compare_suite(replay->result, replay->record, replay->first, &difference, error));
    if (!difference.equal) {
        put_keys(replay, key, replay->differences);
        cor_sheet_nothing(replay->differences);
        put_difference(replay, &difference);
        COR_TRY(look_again(replay, &subject, &flaky, error));
    }
    put_keys(replay, key, replay->suites);
    put_equal(replay->suites, difference.equal);
    cor_sheet_flag(replay->suites, flaky);
    return COR_OK;
}

static enum cor_status replay_alone(struct replay *replay, struct cor_alone *alone,
                                    const struct cor_failing *which, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(replay->result);
    struct cor_branch branch;
    const struct cor_alone_definition definition = cor_alone_of(head, which, &branch);
    const struct subject subject = {{(uint16_t)definition.arm, definition.suite}, alone, &definition};
    struct cor_sheet *sheet = replay->sequences;
    struct cor_suite_difference difference;
    char class[COR_FAILURE_CLASS_TEXT];
    bool flaky = false;
    COR_TRY(execute(replay, &subject, replay->record, error));
    COR_TRY(cor_result_compare_sequence(replay->result, replay->record, definition.sequence, COR_TABLE_SUITES,
                                        &difference, error));
    cor_sheet_row(sheet);
    cor_sheet_text_take(sheet, cor_failure_key_text(head, &which->key));
    cor_sheet_word(sheet, cor_failure_class_text(&which->class, class));
    cor_sheet_count(sheet, cor_record_size(replay->record, COR_TABLE_CASES));
    put_equal(sheet, difference.equal);
    if (difference.equal)
        cor_sheet_nothing(sheet);
    else {
        /* "17 gray.agent_missing,fault", or "none". */
        struct cor_failure_class failure;
        char text[COR_FAILURE_CLASS_TEXT];
        const uint32_t number = cor_first_failure(cor_failure_rows_of(replay->record, 0, 0), &failure);
        if (number == 0)
            cor_sheet_word(sheet, "none");
        else
            cor_sheet_text(sheet, "%u %s", number, cor_failure_class_text(&failure, text));
        put_keys(replay, subject.key, replay->differences);
        cor_sheet_count(replay->differences, definition.sequence);
        put_difference(replay, &difference);
        COR_TRY(look_again(replay, &subject, &flaky, error));
    }
    cor_sheet_flag(sheet, flaky);
    return COR_OK;
}

/* The suites of the file, which its first table lists in their order. */
static enum cor_status find_suites(struct replay *replay, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(replay->result)->layer;
    const uint64_t rows = cor_result_size(replay->result, 0);
    enum { BLOCK = 4096 };
    COR_FREED unsigned char *block = cor_calloc(BLOCK, layer->tables[0].row_size);
    COR_TRY(cor_made(block, error));
    for (uint64_t first = 0, count; first < rows; first += count) {
        count = rows - first < BLOCK ? rows - first : BLOCK;
        COR_TRY(cor_result_read_columns(replay->result, 0, COR_ROW_KEY_COLUMNS, first, count, block, error));
        /* Adds the suites of `count` rows of the first table: each once. */
        const size_t row_size = cor_result_head(replay->result)->layer->tables[0].row_size;
        for (uint64_t i = 0; i < count; i++) {
            const struct cor_row_key key = cor_row_key_of(block + i * row_size);
            if (replay->count > 0 && cor_row_key_equal(key, replay->keys[replay->count - 1]))
                continue;
            COR_TRY(COR_RESERVE(&replay->keys, &replay->capacity, replay->count + 1, error));
            replay->keys[replay->count++] = key;
        }
    }
    return COR_OK;
}

/* Which suites there are is known; `wanted` becomes how many of them, at the beginning of the list, are to be
 * executed. */
static enum cor_status choose_key(struct replay *replay, const char *text, size_t *wanted,
                                  struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(replay->result);
    struct cor_failure_key key;
    size_t at = 0;
    COR_TRY(cor_failure_key_parse(head, "--failure", text, &key, error));
    const struct cor_catalog_entry *arm = cor_arm_entry(head, key.arm);
    const struct cor_row_key suite = {arm->code, key.suite};
    while (at < replay->count && !cor_row_key_equal(replay->keys[at], suite))
        at++;
    if (at == replay->count)
        return cor_fail(error, COR_STATUS_INPUT, "--failure", "name one that is in it",
                        "there is no suite %u of \"%s\" in the file", key.suite, arm->name);
    if (key.sequence == COR_WHOLE_SUITE) {
        if (at < *wanted) /* named twice */
            return COR_OK;
        replay->keys[at] = replay->keys[*wanted];
        replay->keys[(*wanted)++] = suite;
        return COR_OK;
    }
    if (head->layer != &cor_interaction_schema)
        return cor_fail(error, COR_STATUS_INPUT, "--failure", "name a suite of it: ARM/SUITE",
                        "suites of this file have no sequences: \"%s\"", text);
    struct cor_failing_list *alone = &replay->alone;
    COR_TRY(COR_RESERVE(&alone->items, &alone->capacity, alone->count + 1, error));
    return cor_failing_find(replay->result, "--failure", &key, &alone->items[alone->count++], error);
}

/* What the command line asks for. */
static enum cor_status choose(struct replay *replay, const char *path,
                              const struct cor_replay_options *options, struct cor_error *error) {
    const bool failing = options->failures_of || options->failing;
    size_t index = COR_ANY_ARM, wanted = 0;
    if (failing && cor_result_head(replay->result)->layer != &cor_interaction_schema)
        return cor_fail(error, COR_STATUS_INPUT, path, "name suites with --failure ARM/SUITE",
                        "is no campaign of algorithms: it has no failing sequences");
    if (options->failures_of)
        COR_TRY(cor_arm_find(cor_result_head(replay->result), "--failures-of", options->failures_of, &index,
                             error));
    if (failing)
        return cor_failing_read(replay->result, index, false, &replay->alone, error);
    COR_TRY(find_suites(replay, error));
    if (!options->failures)
        return COR_OK;
    for (const char *const *key = options->failures; *key; key++)
        COR_TRY(choose_key(replay, *key, &wanted, error));
    replay->count = wanted;
    /* Says where only sequences are named in which nothing failed and no fault was active unseen: whoever is
     * told that they are equal would take them for failures. */
    char *nearest;
    bool is_sound = replay->alone.count > 0 && replay->count == 0 && !options->trace;
    for (size_t i = 0; i < replay->alone.count; i++) {
        const struct cor_failure_class *class = &replay->alone.items[i].class;
        is_sound = is_sound && !class->fault && !cor_failure_class_fails(class);
    }
    if (!is_sound)
        return COR_OK;
    COR_TRY(cor_failing_nearest(replay->result, &replay->alone.items[0].key, &nearest, error));
    cor_say("note: %s did not fail: %s", options->failures[0], nearest);
    free(nearest);
    return COR_OK;
}

/* *shown, and what comes back: as cor_progress_goes_on has it. */
static bool say_progress(double begun, size_t done, size_t count, const char *what, double *shown) {
    char left[64];
    cor_say_left(cor_wall_seconds() - begun, done, count, left, sizeof left);
    return cor_progress_goes_on(shown, "executing %s %zu of %zu again%s", what, done + 1, count, left);
}

static enum cor_status replay_sequences(struct replay *replay, struct cor_sheets *sheets,
                                        struct cor_error *error) {
    const double begun = cor_wall_seconds();
    double shown = 0;
    const size_t count = replay->alone.count;
    struct cor_alone *alone;
    enum cor_status status = COR_OK;
    if (count == 0)
        return COR_OK;
    replay->sequences = cor_sheets_add(sheets, &sequences_sheet);
    COR_TRY(replay->replayer->alone(replay->self, &alone, error));
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        if (!say_progress(begun, i, count, "sequence", &shown)) {
            replay->alone.count = i; /* that were executed */
            replay->is_ended = true;
            break;
        }
        status = replay_alone(replay, alone, &replay->alone.items[i], error);
    }
    cor_progress_doing(NULL);
    if (count > 1 && status == COR_OK && !replay->is_ended)
        cor_say("%zu sequences executed again in %.1f s", count, cor_wall_seconds() - begun);
    return status;
}

static enum cor_status fill(struct replay *replay, const char *path, const struct cor_replay_options *options,
                            struct cor_sheets *sheets, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(replay->result)->layer;
    const char *first = replay->replayer->first, *output = options->output, *dump = options->dump,
               *trace = options->trace;
    const char *group = first ? first : layer->main_table + 1;
    replay->first = 0;
    for (uint32_t t = layer->table_count; t-- > 0;)
        if (strcmp(layer->tables[t].group, group) == 0)
            replay->first = t;
    if ((trace || dump || output) && cor_commands_of(layer)->tests)
        return cor_refuse_kept(trace ? "--trace" : dump ? "--dump" : "--output", path, layer, error);
    COR_TRY(choose(replay, path, options, error));
    if ((trace || dump || output) && (replay->alone.count != 1 || replay->count > 0))
        return cor_fail(error, COR_STATUS_INPUT,
                        trace  ? "--trace"
                        : dump ? "--dump"
                               : "--output",
                        "name it: --failure ARM/SUITE/SEQUENCE", "is for one sequence, and not for %zu",
                        replay->alone.count);
    if (output)
        COR_TRY(cor_output_check_before(output, options->force, error));
    if (dump)
        COR_TRY(cor_output_check_before(dump, options->force, error));
    if (options->svg)
        COR_TRY(cor_output_check_before(options->svg, options->force, error));
    COR_TRY(replay->replayer->open(replay->result, path, options->trust, options->isolation, options->traffic,
                                   &replay->self, error));
    COR_TRY(cor_record_create(layer, &replay->record, error));
    const struct cor_layer_commands *own = cor_commands_of(layer);
    struct cor_sheet *whole = cor_sheets_add(sheets, own->replayed ? own->replayed : &replay_sheet);
    replay->differences = cor_sheets_add(sheets, &differences_sheet);
    const double begun = cor_wall_seconds();
    double shown = 0;
    enum cor_status status = COR_OK;
    if (replay->count + replay->alone.count > 1)
        cor_catch_interrupts_briefly(COR_ANSWER_PARTING);
    if (replay->count > 0)
        replay->suites = cor_sheets_add(sheets, &suites_sheet);
    for (size_t i = 0; i < replay->count && status == COR_OK; i++) {
        if (!say_progress(begun, i, replay->count, "suite", &shown)) {
            replay->count = i;
            replay->is_ended = true;
            break;
        }
        status = replay_suite(replay, replay->keys[i], error);
        if (own->replayed)
            replay->schedules += cor_record_size(replay->record, own->sequences);
    }
    cor_progress_doing(NULL);
    COR_TRY(status);
    if (!replay->is_ended)
        COR_TRY(replay_sequences(replay, sheets, error));
    else
        replay->alone.count = 0;
    if (!replay->is_ended)
        cor_leave_interrupts();
    if ((trace || dump) && !replay->is_ended) {
        struct cor_alone *alone;
        COR_TRY(replay->replayer->alone(replay->self, &alone, error));
        COR_TRY(cor_trace_sequence(alone, cor_result_head(replay->result), &replay->alone.items[0], options,
                                   sheets, error));
    }
    cor_sheet_row(whole);
    put_equal(whole, replay->different == 0);
    cor_sheet_counts(whole, 4,
                     (const uint64_t[]){replay->count, replay->alone.count + replay->schedules,
                                        replay->different, replay->flaky});
    if (replay->flaky > 0)
        cor_sheet_remark(whole, "flaky: two executions in this process differ from each other");
    return COR_OK;
}

static enum cor_status replay(const struct cor_arguments *arguments, struct cor_result *result, bool *equal,
                              bool *ended, struct cor_error *error) {
    const struct cor_replay_options *options = arguments->request;
    const struct cor_replayer *replayer = cor_commands_of(cor_result_head(result)->layer)->replayer;
    struct replay replay = {.replayer = replayer ? replayer : &cor_suite_replayer,
                            .result = result,
                            .is_recorded = options->traffic};
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-replay", 1, &sheets, error));
    COR_TRY_OUT(fill(&replay, arguments->words[0], options, sheets, error));
    *equal = replay.different == 0;
    *ended = replay.is_ended;
    COR_TRY_OUT(cor_show_sheets(&options->sheets, sheets,
                                options->trace           ? "trace"
                                : replay.alone.count > 0 ? "sequences"
                                                         : "suites",
                                error));
out:
    free(replay.keys);
    cor_failing_fini(&replay.alone);
    cor_record_destroy(replay.record);
    cor_record_destroy(replay.again);
    replay.replayer->close(replay.self);
    cor_sheets_destroy(sheets);
    return status;
}

static const char *const of_tests[] = {"isolate", "expect", "format", "fault", "class-only", NULL},
                         *const of_results[] = {"failure",  "failures-of", "failing",        "output",
                                                "property", "unsealed",    "replay-traffic", NULL};

/* Are tests meant? What is no result file is not one because it is damaged, or not there: then it is said
 * what the others are, or the options. */
static bool means_tests(const struct cor_arguments *arguments) {
    bool tests = false;
    if (arguments->word_count == 1 && cor_is_result_file(arguments->words[0]))
        return false;
    for (int i = 0; i < arguments->word_count; i++)
        tests = tests || cor_is_test_file(arguments->words[i]);
    for (size_t i = 0; of_tests[i]; i++)
        tests = tests || cor_given(arguments, of_tests[i]);
    return tests;
}

/* Where algorithms and agents of a result file work changes no row; a world that test agents enter may want
 * what a sandbox forbids. */
static bool fits_isolation(const struct cor_arguments *arguments, const struct cor_result *result) {
    if (!cor_given(arguments, "isolate") || cor_commands_of(cor_result_head(result)->layer)->isolates)
        return true;
    cor_misuse(arguments->command,
               "--isolate has no meaning with a result file" COR_WITH_SYSTEM(", but of a running system"));
    return false;
}

/* Does the layer execute these in its own way: tests, and sequences, each alone? */
static bool are_own(const struct cor_layer_commands *own, const struct cor_replay_options *options,
                    const char *path) {
    bool are_sequences = options->failing || options->trace || options->expectation > 0 ||
                         options->format > 0 || options->output || options->dump;
    for (const char *const *key = options->failures; key && *key; key++) {
        const char *slash = own->is_suite ? NULL : strchr(*key, '/'); /* there keys are of suites */
        are_sequences = are_sequences || (slash && strchr(slash + 1, '/'));
    }
    return own->tested && (are_sequences || !cor_is_result_file(path));
}

static enum cor_exit run_replay(const struct cor_arguments *arguments) {
    const struct cor_replay_options *options = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    bool equal = true, ended = false;
    const char *doubt;
    const bool tests = means_tests(arguments);
    const struct cor_layer_commands *own = cor_commands_of_file(arguments->words[0]);
    if (options->inner && (!own->inner || arguments->word_count > 1 || options->failures[1]))
        return cor_misuse(arguments->command,
                          "--inner is of one test of a running system that is a campaign");
    if (options->inner)
        return own->inner(arguments, options->failures[0], options->output, options->force);
    if (are_own(own, options, arguments->words[0])) {
        bool is_test = true; /* all are */
        for (int w = 0; w < arguments->word_count; w++)
            is_test = is_test && !cor_is_result_file(arguments->words[w]);
        return cor_has_no_meaning(arguments, own->not_of_replay, own->tests) ||
                       (is_test && cor_has_no_meaning(arguments, of_results, "test files"))
                   ? COR_EXIT_USAGE
                   : cor_replay_or_tell(own->tested, arguments, own->tell);
    }
    if (options->all)
        return cor_misuse(arguments->command, "--all has no meaning with what is named");
    /* Of tests some options have no meaning, and of result files others; --isolate of some: fits_isolation.
     */
    if ((tests ? cor_has_no_meaning(arguments, of_results, "test files")
               : cor_has_no_meaning(arguments, of_tests + 1, "a result file")))
        return COR_EXIT_USAGE;
    const char *cases = options->trace ? options->trace : "";
    if (strcmp(cases, "all") != 0 &&
        (strlen(cases) >= 10 || strspn(cases, "0123456789") != strlen(cases) || cases[0] == '0'))
        return cor_misuse(arguments->command, "--trace takes \"all\" or a number of cases, and not \"%s\"",
                          cases);
    if (tests)
        return cor_replay_tests(arguments);
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file, or test files");
    if (cor_open_result(arguments->command, options->unsealed, arguments->words[0], NULL, &result, &doubt,
                        &error) != COR_OK)
        return cor_report(&error);
    if (!fits_isolation(arguments, result)) {
        cor_result_close(result);
        return COR_EXIT_USAGE;
    }
    enum cor_status status = replay(arguments, result, &equal, &ended, &error);
    if (status == COR_OK && ended)
        cor_say("interrupted: that is what came of those before");
    if (status == COR_OK && options->output && !ended) {
        /* --output: what does not come out as in the file is no test of what was found. */
        const char *path = arguments->words[0];
        if (!equal) {
            cor_say("%s is not written: the sequence does not come out as in the file", options->output);
            status = COR_OK;
        } else
            status = cor_save_failure(result, path, options, &error);
    }
    cor_result_close(result);
    if (status == COR_STATUS_INPUT && strncmp(error.place, "--", 2) != 0) /* said of what the file says */
        cor_show_path(arguments->words[0], &error);
    if (status != COR_OK)
        return cor_report(&error);
    return ended ? COR_EXIT_INCOMPLETE : equal ? COR_EXIT_DONE : COR_EXIT_EXPECTATION;
}

/* Said where these layers are built. */
#define OF_UNITS COR_WITH_AGENT(", the units of an agent")
#define OF_MODELS COR_WITH_EFSM(", or the tests of a model")
#define MODELS_MADE_AGAIN                                                                                \
    COR_WITH_EFSM("Simulators and mutants of a model are made again by their names. A program that was " \
                  "tested beside a model is not started: its answers stand in the file. ")
#define CASES_OF_AGENTS COR_WITH_AGENT("The key ARM/UNIT/CASE is of a case of an agent, which is run alone. ")

const struct cor_command cor_command_replay = {
    .name = "replay",
    .summary = "repeat a failure or a test",
    .operands = "RESULTS.h5 | TEST.json ...",
    .takes = {1, INT_MAX, "needs one result file, or test files"},
    .request_size = sizeof(struct request),
    .manual =
        "Executes a result file again: the suites of a campaign" OF_UNITS OF_MODELS
        ". It compares every row with the file. The rows are equal, or it names the first difference of each "
        "suite with table, row and column. With the key of a sequence, as corridor failures lists them, it "
        "executes only that sequence, alone, and says so if it did not fail. The file holds the experiment "
        "with everything it names. Modules "
        "and programs are looked for where the file says, from the present folder, and started only with "
        "--trust, because the file may come from a stranger. If they or the build are others than when the "
        "file was made, this is said first. What differs is executed once more; if these two executions "
        "differ from each other, it is flaky. " MODELS_MADE_AGAIN CASES_OF_AGENTS
        "Test files (docs/do/test-files.md) are executed and compared with what they expect; flaky ones are "
        "named. The exit code is 1 if something differs, or is not as expected. Else it is 7 if no case of a "
        "test failed but it is not known whether its corridor holds, or if a test ends before the case that "
        "failed.",
    .options =
        {
            {"failure", 0, "KEY",
             "repeat only this: ARM/SUITE, ARM/SUITE/SEQUENCE or ARM/SUITE/SEQUENCE/CASE; several times",
             COR_TEXTS(replay.failures), .otherwise = "all suites", .excludes = "failing failures-of"},
            {"failing", 0, NULL, "repeat the failing sequences of a campaign, each alone",
             COR_FLAG(replay.failing), .excludes = "failures-of"},
            {"failures-of", 0, "ARM", "repeat those of this arm", COR_TEXT(replay.failures_of)},
            {"trace", 0, "[all]",
             "show the one sequence named, or the one test, case by case: 10 cases up to the failing one, =N "
             "or all; then values, limits and members of its reorganization; what it names the first few of "
             "is listed whole by --json",
             COR_TEXT(replay.trace), .excludes = "format"},
            {"svg", 0, "FILE",
             "draw a sequence diagram there: mail of that case" COR_WITH_PROCESS(", a distributed program"),
             COR_TEXT(replay.svg), .needs = "trace"},
            COR_WITH_SUBJECT({"all", 0, NULL, "name all tests that fail alike, not three" COR_OF_SUBJECTS,
                              COR_FLAG(replay.all)}, ){
                "dump", 0, "TASK.json",
                "write the question of the failing reorganization, for corridor ask: of one "
                "sequence, or one test",
                COR_TEXT(replay.dump)},
            COR_SHEET_OPTIONS(replay.sheets, "print the first table as CSV"),
            COR_UNSEALED_OPTION(replay.unsealed),
            {"output", 'o', "FILE", "write the sequence that --failure names as a test file",
             COR_TEXT(replay.output), .needs = "failure"},
            COR_WITH_SYSTEM({"inner", 0, NULL,
                             "write what test agents made of the campaign that was their world",
                             COR_FLAG(replay.inner), .needs = "output"}, ){
                "property", 0, "P[..]",
                "write a test that fails if its sequence violates this, and by nothing else",
                COR_TEXT(replay.property), .needs = "output"},
            {"force", 'f', NULL, "replace the files to be written if they exist", COR_FLAG(replay.force)},
            {"expect", 0, "WORD",
             "expect this of tests: failing (in that class, with the same rows) or fixed (no case fails)",
             COR_NAME(replay.expectation, COR_NAMES("failing", "fixed"), 1, 0),
             .otherwise = "what the file says"},
            {"class-only", 0, NULL, "accept tests that fail in the same class, though rows differ",
             COR_FLAG(replay.class_only)},
            {"fault", 0, "NAME",
             "run tests with this fault of the algorithm; none: with none, nor one of the testbed",
             COR_TEXT(replay.fault)},
            {"format", 0, "NAME", "print verdicts of tests for continuous integration",
             COR_NAME(replay.format, COR_NAMES("junit", "tap"), 1, 0)},
            COR_ISOLATE_OPTION(replay.isolation),
            COR_TRUST_OPTION(replay.trust),
            {"replay-traffic", 0, "FILE",
             "start no program: take what it said from this file, of corridor run --record-traffic",
             COR_TEXT(replay.traffic)},
        },
    .examples =
        {"corridor replay r.h5 --replay-traffic said.txt # without the programs, from what they said",
         "corridor replay build/demo.h5 --failing # each failing sequence, alone",
         "corridor replay build/demo.h5 --failure SPADA-F1/8/0/13 --trace",
         "corridor replay build/demo.h5 --failure SPADA-F1/8/0/13 --dump task.json # then: corridor ask",
         "corridor replay build/demo.h5 --failure SPADA-F1/8/0 -o lost.json # keeps it as a test",
         "corridor replay lost.json --expect failing"},
    .run = run_replay,
    .reads = true,
};
