/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/export.h>
#include <corridor/layer_schema.h>
#include <corridor/verdicts.h>
#include <corridor/work_folder.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COLUMNS_MAX 64

enum format { CSV, JSON_LINES, JUNIT, TAP, FORMATS };

static const char *format_word(size_t index) {
    static const char *const words[FORMATS] = {"csv", "jsonl", "junit", "tap"};
    return index < FORMATS ? words[index] : NULL;
}

/* Whether a table of that name stands before table `end` of layer `last`. */
static bool is_named_before(const char *name, size_t last, uint32_t end) {
    const struct cor_layer_schema *const *layers = cor_layer_schemas();
    for (size_t l = 0; l <= last; l++)
        for (uint32_t t = 0; t < (l < last ? layers[l]->table_count : end); t++)
            if (strcmp(layers[l]->tables[t].group, name) == 0)
                return true;
    return false;
}

/* The tables alone, of all layers, each name once: catalogs and vectors are for those who look for them. */
static const char *table_word(size_t index) {
    const struct cor_layer_schema *const *layers = cor_layer_schemas();
    for (size_t l = 0; layers[l]; l++)
        for (uint32_t t = 0; t < layers[l]->table_count; t++) {
            const char *name = layers[l]->tables[t].group;
            if (!is_named_before(name, l, t) && index-- == 0)
                return name;
        }
    return NULL;
}

struct request {
    int format;                           /* -1: not said by its name */
    const char *table, *folder, *columns; /* table or folder; both NULL = the list of tables */
    const char *output;                   /* NULL = standard output */
    bool csv, json, force, unsealed;
    struct cor_export how;
};

/* Splits "a,b,c" in place. False if there are too many. */
static bool split(char *text, const char **columns) {
    size_t count = 0;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        if (count == COLUMNS_MAX)
            return false;
        columns[count++] = word;
    }
    columns[count] = NULL;
    return true;
}

static enum cor_status make_folder(const char *folder, const char *below, struct cor_error *error) {
    char *path = cor_format("%s/%s", folder, below);
    enum cor_status status = cor_made(path, error);
    if (path && mkdir(path, 0777) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot make the folder");
    free(path);
    return status;
}

static enum cor_status write_one(struct cor_result *result, const struct request *request, const char *folder,
                                 const struct cor_export_source *source, struct cor_error *error) {
    struct cor_output output;
    enum cor_status status = COR_OK;
    /* The folder is laid out as the file is: cases.csv, catalog/arm.csv, vectors/walk.csv. */
    char *path = cor_format("%s/%s.%s", folder, source->name, format_word((size_t)request->format));
    COR_TRY_OUT(cor_made(path, error));
    COR_TRY_OUT(cor_output_open(path, false, &output, error));
    status = cor_export_write(result, source, &request->how, output.file, error);
    status = cor_output_close(&output, status, error);
out:
    free(path);
    return status;
}

static enum cor_status write_sources(struct cor_result *result, const struct request *request,
                                     const char *folder, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    COR_TRY(make_folder(folder, "catalog", error));
    COR_TRY(make_folder(folder, "vectors", error));
    for (size_t i = 0; i < cor_export_sources(layer); i++) {
        struct cor_export_source source = cor_export_source(layer, i);
        COR_TRY(write_one(result, request, folder, &source, error));
    }
    return COR_OK;
}

/* Verdicts, a table, or the list of tables. */
static enum cor_status write_stream(struct cor_result *result, const struct request *request, FILE *file,
                                    struct cor_error *error) {
    if (request->format >= JUNIT)
        return request->format == JUNIT ? cor_result_junit(result, file, error)
                                        : cor_result_tap(result, file, error);
    if (request->table) {
        struct cor_export_source source;
        COR_TRY(cor_export_find(cor_result_head(result)->layer, request->table, &source, error));
        return cor_export_write(result, &source, &request->how, file, error);
    }
    return cor_export_list(result, request->how.format, file, error);
}

static enum cor_status write_asked(struct cor_result *result, const struct request *request,
                                   struct cor_error *error) {
    if (request->folder) {
        struct cor_file_set set;
        COR_TRY(cor_file_set_open(request->folder, &set, error));
        return cor_file_set_close(&set, write_sources(result, request, set.draft, error), request->force,
                                  error);
    }
    struct cor_output output;
    COR_TRY(cor_output_open(request->output, request->force, &output, error));
    return cor_output_close(&output, write_stream(result, request, output.file, error), error);
}

static enum cor_status export(const struct cor_arguments *arguments, const struct request *request,
                              struct cor_error *error) {
    struct cor_result *result; const char * doubt;
    COR_TRY(cor_open_result(arguments->command, request->unsealed, arguments->words[0], NULL, &result, &doubt,
                            error));
    if (request->output || request->folder) /* else rows appear as they are read */
    cor_result_tell(result, cor_progress_reading, NULL);
    enum cor_status status = write_asked(result, request, error);
    cor_progress_doing(NULL);
    if (status == COR_STATUS_INPUT) /* said of a table, which knows no path */
    cor_show_path(arguments->words[0], error);
    cor_result_close(result);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    const char *columns[COLUMNS_MAX + 1];
    struct cor_error error = COR_NO_ERROR;
    struct request *request = arguments->request;
    enum cor_status status = COR_OK;
    if (request->format < 0)
        request->format = request->json ? JSON_LINES : CSV;
    request->how.format = request->format == JSON_LINES ? COR_EXPORT_JSON_LINES : COR_EXPORT_CSV;
    if (request->format >= JUNIT && (request->table || request->folder || request->columns ||
                                     request->how.where || request->how.raw_codes))
        return cor_misuse(
            arguments->command,
            "verdicts are of all arms: leave --table, --all, --columns, --where and --raw away");
    char *copy = cor_strdup(request->columns);
    if (request->columns)
        COR_TRY_OUT(cor_made(copy, &error));
    if (copy && !split(copy, columns)) {
        free(copy);
        return cor_misuse(arguments->command, "--columns takes at most %d names", COLUMNS_MAX);
    }
    request->how.columns = copy ? columns : NULL;
    COR_TRY_OUT(export(arguments, request, &error));
out:
    free(copy);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_export = {
    .name = "export",
    .summary = "write tables as CSV or JSON",
    .operands = "RESULTS.h5",
    .takes = {1, 1, "needs one result file"},
    .request_size = sizeof(struct request),
    .manual = "Writes one table, or all of them into a folder: numbers that read back exactly, codes as "
              "words. Tables are those of the file, its catalogs (catalog/arm) "
              "and vectors (vectors/walk), and head: seed, experiment and provenance. Without --table or "
              "--all, lists what there is. docs/look-up/result-file.md says what each column "
              "means.\n\nVerdicts are "
              "one test case an arm. An arm with a fault passes if a check saw something, and fails if none "
              "did; an arm without a fault passes if no check failed, and fails with the first violation if "
              "one did. An arm whose rows contradict each other is an error, one without suites is skipped. "
              "The exit code says whether the verdicts were written, not what they are.",
    .options =
        {
            {"table", 't', "NAME", "write this table, catalog (catalog/arm) or vector (vectors/walk)",
             COR_TEXT(table), .words = table_word},
            {"all", 'a', "DIR", "write every table into this folder: cases.csv, catalog/arm.csv, ...",
             COR_TEXT(folder), .excludes = "table columns where"},
            {"format", 0, "NAME", "write it in this format; jsonl is one object a row",
             COR_WORD(format, format_word, 0, -1), .otherwise = "csv", .excludes = "csv json"},
            {"csv", 0, NULL, "mean --format csv", COR_FLAG(csv), .excludes = "json"},
            {"json", 0, NULL, "mean --format jsonl", COR_FLAG(json)},
            {"columns", 'c', "A,B,..", "write only these columns, in this order", COR_TEXT(columns)},
            {"where", 0, "EXPRESSION",
             "write only rows for which this holds, over the columns of --table: case > 9 and arm = 'A'",
             COR_TEXT(how.where), .needs = "table"},
            {"raw", 0, NULL, "write codes, and where texts lie, as the numbers of the file",
             COR_FLAG(how.raw_codes)},
            {"output", 'o', "FILE", "write it there; - is standard output", COR_TEXT(output),
             .otherwise = "-", .excludes = "all"},
            {"force", 'f', NULL, "replace files that exist", COR_FLAG(force)},
            COR_UNSEALED_OPTION(unsealed),
        },
    .examples = {"corridor export demo.h5                                  # which tables there are",
                 "corridor export demo.h5 --table reorganizations -o reorganizations.csv",
                 "corridor export demo.h5 --table reorganizations --where \"arm = 'SPADA-F1' and case > 9\"",
                 "corridor export demo.h5 --all tables --format jsonl",
                 "corridor export demo.h5 --format junit > verdicts.xml"},
    .run = run,
    .reads = true,
};
