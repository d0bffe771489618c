/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation.h"
#include "process_failures.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/process_layer.h>
#include <corridor/work.h>

#include <stdlib.h>
#include <string.h>

enum cor_status process_layer__source_open(const struct cor_command *command, const char *path,
                                           const struct process_layer__starting *starting,
                                           struct process_layer__source *source, struct cor_error *error) {
    const char *doubt; /* there is none: a file that was changed is refused */
    COR_TRY(cor_open_result(command, false, path, &cor_process_schema, &source->result, &doubt, error));
    COR_TRY(cor_process_result_init(source->result, &source->process, error));
    COR_TRY(cor_open_stored(source->result, path, starting->trust,
                            &(struct cor_layer_options){.isolation = starting->isolation}, &source->opened,
                            error));
    source->experiment = (const struct cor_process_experiment *)source->opened.experiment;
    return COR_OK;
}

void process_layer__source_fini(struct process_layer__source *source) {
    cor_opened_fini(&source->opened);
    cor_layer_tables_fini(&source->process);
    cor_result_close(source->result);
    *source = (struct process_layer__source){0};
}

char *process_layer__source_key(const struct process_layer__source *source,
                                const struct cor_process_sequence_row *row) {
    return cor_format("%s/%u/%u", source->experiment->arms[row->arm].name, row->suite, row->sequence);
}

enum cor_status process_layer__source_find(const struct process_layer__source *source, const char *path,
                                           const char *key, const struct cor_process_sequence_row **row,
                                           struct cor_error *error) {
    const uint64_t count = source->process.count[COR_PROCESS_TABLE_SEQUENCES];
    for (uint64_t i = 0; i < count; i++) {
        *row = cor_layer_row(&source->process, COR_PROCESS_TABLE_SEQUENCES, i);
        const bool has_failed = cor_process_failure(&source->process, *row) != NULL;
        if (!key && has_failed)
            return COR_OK;
        if (!key)
            continue;
        char *own = process_layer__source_key(source, *row);
        COR_TRY(cor_made(own, error));
        const bool is_it = strcmp(own, key) == 0;
        free(own);
        if (is_it && !has_failed)
            return cor_fail(error, COR_STATUS_INPUT, path, "corridor failures lists those that did",
                            "schedule %s did not fail", key);
        if (is_it)
            return COR_OK;
    }
    return key ? cor_fail(error, COR_STATUS_INPUT, path,
                          "a key is ARM/SUITE/SEQUENCE, and corridor failures lists them",
                          "there is no schedule %s", key)
               : cor_fail(error, COR_STATUS_INPUT, path, NULL, "no schedule failed");
}

const char *process_layer__why_otherwise(const struct cor_process_arm *arm) {
    return cor_process_way_of(arm->command) == COR_PROCESS_BUILT_IN
               ? "was the program changed since?"
               : "the program may remember other schedules, or look at a clock; else it was changed since";
}

enum cor_status process_layer__test_read(const char *path, const struct process_layer__starting *starting,
                                         struct cor_process_test *test, struct cor_error *error) {
    const struct cor_layer_options options = {.trust = cor_trust_in_file(path, starting->trust),
                                              .isolation = starting->isolation};
    size_t length;
    char *text;
    COR_TRY(cor_json_read_text(path, &text, &length, error));
    const enum cor_status status = cor_process_test_parse(text, path, &options, test, error);
    free(text);
    return status;
}
