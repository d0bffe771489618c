/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show.h"

#include <corridor/performance.h>

static enum cor_status print(const struct cor_performance *performance, const struct cor_arguments *arguments,
                             struct cor_error *error) {
    struct cor_style style = cor_show_style();
    if (cor_argument_given(arguments, "json"))
        return cor_performance_json(performance, stdout, error);
    if (cor_argument_given(arguments, "csv"))
        return cor_performance_csv(performance, stdout, error);
    return cor_performance_text(performance, &style, stdout, error);
}

/* The sums of an open result, its times with them; complaints about tables name the file. */
static enum cor_status sum_up(struct cor_result *result, const char *path, struct cor_sums **sums,
                              struct cor_error *error) {
    enum cor_status status = cor_sums_create(result, sums, error);
    if (status == COR_STATUS_INPUT)
        cor_show_path(path, error);
    return status == COR_OK ? cor_sums_read_times(*sums, path, error) : status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result = NULL;
    struct cor_sums *sums = NULL;
    struct cor_performance *performance = NULL;
    double level;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (!cor_argument_real(arguments, "level", 0.5, 0.9999, 0.95, &level))
        return COR_EXIT_USAGE;
    enum cor_status status = cor_result_open(arguments->words[0], &result, &error);
    if (status == COR_OK)
        status = sum_up(result, arguments->words[0], &sums, &error);
    if (status == COR_OK)
        status = cor_performance_create(sums, level, cor_argument(arguments, "arm"), &performance, &error);
    if (status == COR_OK)
        status = print(performance, arguments, &error);
    cor_performance_destroy(performance);
    cor_sums_destroy(sums);
    cor_result_close(result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_performance = {
    .name = "performance",
    .summary = "how well the algorithms under test do their work, from a result file",
    .operands = "RESULTS.h5",
    .manual =
        "For each arm, with intervals over suites: reorganizations, success, agents affected and involved, "
        "moves, messages, rounds, budget, time between reorganizations, stays outside the corridor, stop "
        "reasons, and the quality reached over the budget spent. CPU times come from RESULTS.h5.times.csv, "
        "if "
        "it lies beside the file, and are true of that one run only. docs/statistics.md defines every "
        "figure.",
    .options =
        {
            {"arm", 'a', "NAME", "this arm alone", NULL},
            {"level", 0, "P", "level of the intervals", "0.95"},
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"csv", 0, NULL, "arm,metric,unit,better,mean,low,high,interval,suites,n", NULL},
        },
    .examples = {"corridor performance demo.h5 --arm SPADA-F1"},
    .run = run,
};
