/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failing tests of a layer that has a subject: rows of a result file, and test files. */
#include "isolation.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a test file may start is said before. */
static enum cor_status open_test_file(struct cor_tests_source *source, const struct cor_failing_source *asked,
                                      struct cor_error *error) {
    const struct cor_layer_options options = {.trust = cor_trust_in_file(source->path, asked->trust),
                                              .isolation = asked->options.isolation};
    size_t length;
    char *text;
    COR_TRY(cor_json_read_text(source->path, &text, &length, error));
    const enum cor_status status =
        source->layer->subject->read(text, source->path, &options, &source->test, error);
    source->opened = (struct cor_opened){.layer = source->layer, .experiment = source->test.experiment};
    free(text);
    cor_say_warnings(source->test.warnings);
    source->test.warnings = NULL;
    return status;
}

enum cor_status cor_tests_source_open(struct cor_tests_source *source, const struct cor_failing_source *asked,
                                      struct cor_error *error) {
    const char *doubt; /* said already */
    source->own = cor_commands_of(source->layer->schema);
    if (!cor_is_result_file(source->path))
        return open_test_file(source, asked, error);
    COR_TRY(cor_open_result(asked->arguments->command, asked->unsealed, source->path, source->layer->schema,
                            &source->result, &doubt, error));
    COR_TRY(source->own->load(source->result, &source->tables, error));
    const uint64_t count = source->own->failure ? cor_tests_source_count(source) : 0;
    source->failures = cor_calloc(count + 1, sizeof *source->failures);
    COR_TRY(cor_made(source->failures, error));
    for (; source->failure_count < count; source->failure_count++)
        COR_TRY(source->own->failure(&source->tables, source->failure_count,
                                     &source->failures[source->failure_count], error));
    COR_TRY(cor_open_stored(source->result, source->path, asked->trust,
                            &(struct cor_layer_options){.isolation = asked->options.isolation},
                            &source->opened, error));
    const uint32_t arms = source->opened.experiment->arm_count;
    for (uint64_t i = 0; i < cor_tests_source_count(source); i++)
        if (source->own->test(&source->tables, i).arm >= arms)
            return cor_fail(error, COR_STATUS_INPUT, source->path, "it is not as it was written",
                            "has tests of arms that its experiment of %u arms does not have", arms);
    return COR_OK;
}

void cor_tests_source_fini(struct cor_tests_source *source) {
    if (source->bench)
        source->layer->subject->close(source->bench);
    cor_choices_fini(&source->test.choices);
    cor_opened_fini(&source->opened);
    for (uint64_t i = 0; i < source->failure_count; i++)
        free(source->failures[i]);
    free(source->failures);
    cor_layer_tables_fini(&source->tables);
    cor_result_close(source->result);
    *source = (struct cor_tests_source){0};
}

uint64_t cor_tests_source_count(const struct cor_tests_source *source) {
    return source->tables.count[source->own->sequences];
}

struct cor_test_row cor_tests_source_row(const struct cor_tests_source *source, uint64_t index) {
    struct cor_test_row row = source->own->test(&source->tables, index);
    row.index = index;
    if (source->own->failure) {
        row.failure = source->failures[index];
        row.class = cor_failure_class(row.failure);
    }
    return row;
}

static char *key_in_numbers(const struct cor_tests_source *source, const struct cor_test_row *row) {
    const char *arm = source->opened.experiment->arms[row->arm].name;
    return source->own->is_suite ? cor_format("%s/%u", arm, row->suite)
                                 : cor_format("%s/%u/%u", arm, row->suite, row->sequence);
}

char *cor_tests_source_key(const struct cor_tests_source *source, const struct cor_test_row *row) {
    return source->own->key ? source->own->key(&source->tables, row->index) : key_in_numbers(source, row);
}

/* Is that its key? Behind one may stand the class, and of a sequence, in a key of decide, the case. Takes
 * `own`. */
static enum cor_status match(const struct cor_tests_source *source, const struct cor_test_row *row, char *own,
                             const char *key, bool *is_it, struct cor_error *error) {
    COR_TRY(cor_made(own, error));
    const size_t length = strlen(own);
    const char *behind = strncmp(own, key, length) != 0 ? NULL
                         : key[length] == '/'           ? key + length + 1
                                                        : key + length;
    const bool is_whole = behind && !key[length], goes_on = behind && behind > key + length;
    *is_it =
        *is_it || is_whole || (goes_on && row->failure && strcmp(behind, row->failure) == 0) ||
        (goes_on && !source->own->is_suite && !source->own->key && !behind[strspn(behind, "0123456789")]);
    free(own);
    return COR_OK;
}

/* Says of a row that it did not fail, or why it is no test, with a failure that is near. */
static enum cor_status refuse(const struct cor_tests_source *source, uint64_t index, const char *key,
                              struct cor_error *error) {
    const struct cor_test_row row = cor_tests_source_row(source, index);
    char *why = source->own->no_test ? source->own->no_test(&source->tables, index)
                                     : cor_format("%s %s did not fail", source->layer->subject->test, key);
    char *near = source->own->no_test ? NULL : cor_strdup("corridor failures lists those that did");
    for (int of_suite = 1; of_suite >= 0 && !near; of_suite--)
        for (uint64_t i = 0; i < cor_tests_source_count(source) && !near; i++) {
            const struct cor_test_row other = cor_tests_source_row(source, i);
            if (other.failure && other.arm == row.arm && (!of_suite || other.suite == row.suite))
                near = cor_join_take(cor_tests_source_key(source, &other), " fails by ",
                                     cor_strdup(other.failure));
        }
    enum cor_status status = cor_made(why, error);
    if (status == COR_OK)
        status = cor_fail(
            error, COR_STATUS_INPUT, source->path,
            near ? near : "nothing of the arm is of one case; corridor show lists what was found", "%s", why);
    free(why);
    free(near);
    return status;
}

enum cor_status cor_tests_source_find(const struct cor_tests_source *source, const char *key,
                                      struct cor_test_row *row, struct cor_error *error) {
    const char *test = source->layer->subject->test, *keys = source->own->keys;
    uint64_t passed = UINT64_MAX; /* the first of that key that did not fail */
    const uint64_t count = cor_tests_source_count(source);
    for (uint64_t i = 0; i < count; i++) {
        bool is_it = !key;
        *row = cor_tests_source_row(source, i);
        if (key)
            COR_TRY(match(source, row, cor_tests_source_key(source, row), key, &is_it, error));
        if (key && source->own->key)
            COR_TRY(match(source, row, key_in_numbers(source, row), key, &is_it, error));
        if (is_it && row->failure)
            return COR_OK;
        if (is_it && passed == UINT64_MAX)
            passed = i;
    }
    if (key && passed != UINT64_MAX)
        return refuse(source, passed, key, error);
    char remedy[128];
    snprintf(remedy, sizeof remedy, "a key is %s, and corridor failures lists them",
             keys ? keys : "ARM/SUITE/SEQUENCE");
    return key ? cor_fail(error, COR_STATUS_INPUT, source->path, remedy, "there is no %s %s", test, key)
               : cor_fail(error, COR_STATUS_INPUT, source->path, NULL, "no %s failed", test);
}

enum cor_status cor_tests_source_take(struct cor_tests_source *source, const struct cor_test_row *row,
                                      struct cor_run *run, struct cor_error *error) {
    const struct cor_subject *subject = source->layer->subject;
    const uint32_t arm = source->test.arm;
    if (source->result) {
        cor_choices_fini(&source->test.choices);
        source->test = (struct cor_subject_test){.experiment = source->opened.experiment,
                                                 .arm = row->arm,
                                                 .suite = row->suite,
                                                 .sequence = row->sequence,
                                                 .expected = row->failure};
    }
    if (!source->bench || source->test.arm != arm) {
        subject->close(source->bench);
        source->bench = NULL;
        COR_TRY(subject->open(source->opened.experiment, source->test.arm, &source->bench, error));
    }
    return source->result ? subject->make(source->bench, &source->test, run, error) : COR_OK;
}
