/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"

#include <corridor/export.h>

#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 64

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

static enum cor_status write_table(struct cor_result *result, const char *name, const struct cor_export *how,
                                   struct cor_error *error) {
    enum cor_table table;
    enum cor_status status = cor_export_find(name, &table, error);
    return status == COR_OK ? cor_export_table(result, table, how, stdout, error) : status;
}

static enum cor_exit export(const char *path, const char *table, const struct cor_export *how) {
    struct cor_error error = COR_NO_ERROR; struct cor_result *result = NULL;
    enum cor_status status = cor_result_open(path, &result, &error);
    if (status == COR_OK) status = table ? write_table(result, table, how, &error)
                                         : cor_export_list(result, how->format, stdout, &error);
    cor_result_close(result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    const char *columns[COLUMNS_MAX + 1], *wanted = cor_argument(arguments, "columns");
    struct cor_export how = {
        .format = cor_argument_given(arguments, "json") ? COR_EXPORT_JSON_LINES : COR_EXPORT_CSV,
        .raw_codes = cor_argument_given(arguments, "raw"),
    };
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (cor_argument_given(arguments, "json") && cor_argument_given(arguments, "csv"))
        return cor_misuse(arguments->command, "--csv and --json exclude each other");
    char *copy = wanted ? strdup(wanted) : NULL;
    if (copy && !split(copy, columns)) {
        free(copy);
        return cor_misuse(arguments->command, "--columns takes at most %d names", COLUMNS_MAX);
    }
    how.columns = copy ? columns : NULL;
    enum cor_exit code = export(arguments->words[0], cor_argument(arguments, "table"), &how);
    free(copy);
    return code;
}

const struct cor_command cor_command_export = {
    .name = "export",
    .summary = "a table of a result file as CSV or JSON lines",
    .operands = "RESULTS.h5",
    .manual = "Streams one table to standard output, numbers such that they read back exactly, codes as "
              "words. Without "
              "--table, lists the tables there are. docs/result-file.md says what each column means.",
    .options =
        {
            {"table", 't', "NAME", "table to write: cases, reorganizations, suites, ...", NULL},
            {"csv", 0, NULL, "comma separated values (the default)", NULL},
            {"json", 0, NULL, "JSON lines: one object a row", NULL},
            {"columns", 'c', "A,B,..", "only these columns, in this order", NULL},
            {"raw", 0, NULL, "codes as the numbers that the file holds", NULL},
        },
    .examples = {"corridor export demo.h5                                  # which tables there are",
                 "corridor export demo.h5 --table reorganizations > reorganizations.csv",
                 "corridor export demo.h5 --table violations --json | jq .check"},
    .run = run,
};
