/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failing tests of a layer that has a subject: rows of a result file, and test files. */
#include "isolation.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_tests_source_open(struct cor_tests_source *source, const struct cor_command *command,
                                      const struct cor_starting *starting, struct cor_error *error) {
    const char *doubt; /* said already */
    source->own = cor_commands_of(source->layer->schema);
    COR_TRY(cor_open_result(command, starting->unsealed, source->path, source->layer->schema, &source->result,
                            &doubt, error));
    COR_TRY(source->own->load(source->result, &source->tables, error));
    const uint64_t count = source->own->failure ? cor_tests_source_count(source) : 0;
    source->failures = cor_calloc(count + 1, sizeof *source->failures);
    COR_TRY(cor_made(source->failures, error));
    for (; source->failure_count < count; source->failure_count++)
        COR_TRY(source->own->failure(&source->tables, source->failure_count,
                                     &source->failures[source->failure_count], error));
    return cor_open_stored(source->result, source->path, starting->trust,
                           &(struct cor_layer_options){.isolation = starting->isolation}, &source->opened,
                           error);
}

void cor_tests_source_fini(struct cor_tests_source *source) {
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
    if (!source->own->failure)
        return row;
    row.failure = source->failures[index];
    row.class = row.failure ? cor_hash_bytes(COR_HASH_SEED, row.failure, strlen(row.failure)) : 0;
    return row;
}

char *cor_tests_source_key(const struct cor_tests_source *source, const struct cor_test_row *row) {
    const char *arm = source->opened.experiment->arms[row->arm].name;
    return source->layer->subject->is_suite ? cor_format("%s/%u", arm, row->suite)
                                            : cor_format("%s/%u/%u", arm, row->suite, row->sequence);
}

struct cor_subject_test cor_tests_source_test(const struct cor_tests_source *source,
                                              const struct cor_test_row *row) {
    return (struct cor_subject_test){.experiment = source->opened.experiment,
                                     .arm = row->arm,
                                     .suite = row->suite,
                                     .sequence = row->sequence,
                                     .expected = row->failure};
}

enum cor_status cor_tests_source_find(const struct cor_tests_source *source, const char *key,
                                      struct cor_test_row *row, struct cor_error *error) {
    const char *test = source->layer->subject->test;
    const bool is_suite = source->layer->subject->is_suite;
    const uint64_t count = cor_tests_source_count(source);
    for (uint64_t i = 0; i < count; i++) {
        *row = cor_tests_source_row(source, i);
        if (!key && row->failure)
            return COR_OK;
        if (!key)
            continue;
        char *own = cor_tests_source_key(source, row);
        COR_TRY(cor_made(own, error));
        /* A key of decide has the case behind it. */
        const size_t length = strlen(own), behind = strlen(key) > length ? length + 1 : length;
        const bool is_it = is_suite
                               ? strcmp(own, key) == 0
                               : strncmp(own, key, length) == 0 && (!key[length] || key[length] == '/') &&
                                     !key[behind + strspn(key + behind, "0123456789")];
        free(own);
        if (is_it && !row->failure)
            return cor_fail(error, COR_STATUS_INPUT, source->path, "corridor failures lists those that did",
                            "%s %s did not fail", test, key);
        if (is_it)
            return COR_OK;
    }
    return key ? cor_fail(error, COR_STATUS_INPUT, source->path,
                          is_suite ? "a key is ARM/SUITE, and corridor failures lists them"
                                   : "a key is ARM/SUITE/SEQUENCE, and corridor failures lists them",
                          "there is no %s %s", test, key)
               : cor_fail(error, COR_STATUS_INPUT, source->path, NULL, "no %s failed", test);
}

enum cor_status cor_test_file_open(const struct cor_layer *layer, const char *path,
                                   const struct cor_starting *starting, struct cor_subject_test *test,
                                   struct cor_error *error) {
    const struct cor_layer_options options = {.trust = cor_trust_in_file(path, starting->trust),
                                              .isolation = starting->isolation};
    size_t length;
    char *text;
    COR_TRY(cor_json_read_text(path, &text, &length, error));
    const enum cor_status status = layer->subject->read(text, path, &options, test, error);
    free(text);
    return status;
}

void cor_test_file_close(const struct cor_layer *layer, struct cor_subject_test *test) {
    cor_choices_fini(&test->choices);
    layer->destroy(test->experiment);
}
