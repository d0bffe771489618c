/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"

#include <corridor/tables.h>

#include <inttypes.h>
#include <string.h>

static enum cor_status print(const struct cor_tables *tables, const struct cor_arguments *arguments,
                             struct cor_error *error) {
    struct cor_style style = cor_show_style();
    if (cor_argument_given(arguments, "json"))
        return cor_tables_json(tables, stdout, error);
    if (cor_argument_given(arguments, "csv"))
        return cor_tables_csv(tables, stdout, error);
    return cor_tables_text(tables, &style, stdout, error);
}

/* An internal contradiction is not a finding about the algorithm: it must not go unnoticed in a script. */
static enum cor_exit judge(const struct cor_tables *tables) {
    size_t broken = cor_tables_broken(tables);
    if (broken == 0)
        return COR_EXIT_DONE;
    fprintf(stderr,
            "corridor: %zu identities of the tables are broken: the file, or the program that wrote it, is "
            "wrong\n",
            broken);
    return COR_EXIT_EXPECTATION;
}

/* One line for scripts that compare files: equal for equal content, whatever build wrote it. */
static enum cor_status print_hash(struct cor_result *result, struct cor_error *error) {
    uint64_t hash;
    enum cor_status status = cor_result_hash(result, &hash, error);
    if (status == COR_OK)
        printf("0x%016" PRIx64 "\n", hash);
    return status;
}

static const char *method_word(size_t index) {
    return index < COR_TABLES_METHOD_COUNT ? cor_tables_method_word((enum cor_tables_method)index) : NULL;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result = NULL;
    struct cor_tables *tables = NULL;
    struct cor_tables_wish wish;
    int method;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (!cor_argument_real(arguments, "level", 0.5, 0.9999, 0.95, &wish.level) ||
        !cor_argument_word(arguments, "intervals", COR_TABLES_LINEARISED, &method))
        return COR_EXIT_USAGE;
    wish.method = (enum cor_tables_method)method;
    enum cor_status status = cor_result_open(arguments->words[0], &result, &error);
    if (status == COR_OK && cor_argument_given(arguments, "verify"))
        status = cor_result_verify(result, &error);
    if (status == COR_OK && cor_argument_given(arguments, "hash")) {
        status = print_hash(result, &error);
        cor_result_close(result);
        return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
    }
    if (status == COR_OK)
        status = cor_tables_create_as(result, &wish, &tables, &error);
    if (status == COR_OK)
        status = print(tables, arguments, &error);
    if (status == COR_STATUS_INPUT) /* said of a table, which knows no path */
        cor_show_path(arguments->words[0], &error);
    enum cor_exit code = status == COR_OK ? judge(tables) : cor_report(&error);
    cor_tables_destroy(tables);
    cor_result_close(result);
    return code;
}

const struct cor_command cor_command_tables = {
    .name = "tables",
    .summary = "the two tables of the published evaluation, from a result file",
    .operands = "RESULTS.h5",
    .manual =
        "Prints what was found per arm, Tables 1 and 2 row by row with intervals over suites beside the "
        "published "
        "figures (for arms named like the published columns, such as SPADA-F1), the identities that every "
        "result "
        "file must meet, and which claims of the paper hold. docs/statistics.md defines every figure.",
    .options =
        {
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"csv", 0, NULL,
             "a line a metric and arm: mean, sd, low, high, n, suites, paper_mean, paper_sd, interval", NULL},
            {"intervals", 0, "WORD",
             "how intervals over suites are made; bca resamples suites, for skewed figures", "linearised"},
            {"level", 0, "P", "level of the intervals", "0.95"},
            {"hash", 0, NULL,
             "only the fingerprint of the file's content, the same for every build and number of workers",
             NULL},
            {"verify", 0, NULL, "first read everything and check the file's fingerprint", NULL},
        },
    .choices = {{"intervals", method_word}},
    .examples = {"corridor tables demo.h5", "corridor tables demo.h5 --intervals bca",
                 "corridor tables demo.h5 --csv | column -s, -t"},
    .run = run,
};
