/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"

#include <corridor/coverage.h>
#include <corridor/tables.h>

#include <string.h>

static enum cor_status print(const struct cor_coverage *coverage, const struct cor_arguments *arguments,
                             int table, struct cor_error *error) {
    struct cor_style style = cor_show_style();
    if (cor_argument_given(arguments, "json"))
        return cor_coverage_json(coverage, stdout, error);
    if (table < COR_COVERAGE_TABLE_COUNT)
        return cor_coverage_csv(coverage, (enum cor_coverage_table)table, stdout, error);
    return cor_coverage_text(coverage, &style, stdout, error);
}

static const char *table_word(size_t index) {
    return index < COR_COVERAGE_TABLE_COUNT ? cor_coverage_table_id((enum cor_coverage_table)index) : NULL;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result = NULL;
    struct cor_coverage *coverage = NULL;
    struct cor_coverage_options options = cor_default_coverage();
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    int table;
    if (!cor_argument_word(arguments, "csv", COR_COVERAGE_TABLE_COUNT, &table) ||
        !cor_argument_integer(arguments, "suite", 0, UINT32_MAX, -1, &options.suite))
        return COR_EXIT_USAGE;
    options.arm = cor_argument(arguments, "arm");
    enum cor_status status = cor_result_open(arguments->words[0], &result, &error);
    if (status == COR_OK)
        status = cor_coverage_create(result, &options, &coverage, &error);
    if (status == COR_STATUS_INPUT && result) /* said of a table, which knows no path */
        cor_show_path(arguments->words[0], &error);
    if (status == COR_OK)
        status = print(coverage, arguments, table, &error);
    cor_coverage_destroy(coverage);
    cor_result_close(result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_coverage = {
    .name = "coverage",
    .summary = "what the test cases of a result file cover, and what they do not",
    .operands = "RESULTS.h5",
    .manual = "Prints how much of the states and transitions of the environment profiles was seen, by number "
              "and by "
              "stationary mass, what is still unseen (by the law of the profiles and, beside it, by Good and "
              "Turing from the "
              "walks alone) and how many cases the next new transition costs; transitions that were to be "
              "expected and never "
              "came; growth over cases, sequences and suites beside what is expected; pairs of states of two "
              "chains; which "
              "parts of the space of configurations were drawn; and which white-box probes were reached. "
              "Definitions: "
              "docs/statistics.md. Tables for --csv: covered, unseen, growth, matrix, missed, pairs, "
              "parameters, probes.",
    .options =
        {
            {"arm", 0, "NAME", "only this arm, with a matrix of what was taken", NULL},
            {"suite", 0, "N", "only suite N of each arm", NULL},
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"csv", 0, "TABLE", "one table as CSV", NULL},
        },
    .choices = {{"csv", table_word}},
    .examples = {"corridor coverage demo.h5", "corridor coverage demo.h5 --arm PSOPP-F5 --suite 0",
                 "corridor coverage demo.h5 --csv missed"},
    .run = run,
};
