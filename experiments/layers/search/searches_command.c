/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "region_experiment.h"
#include "show_view.h"

#include <corridor/search_result.h>

#include <stdlib.h>

/* One test file, or an experiment, on standard output. */
static enum cor_status print_file(const struct cor_arguments *arguments, struct cor_result *result,
                                  struct cor_error *error) {
    struct cor_search_result search;
    char *text = NULL;
    COR_TRY(cor_search_result_init(result, &search, error));
    const enum cor_status status =
        cor_argument_given(arguments, "test")
            ? cor_search_test_text(&search, cor_argument(arguments, "test"), &text, error)
            : cor_region_experiment(&search, &text, error);
    cor_search_result_fini(&search);
    if (status == COR_OK)
        fputs(text, stdout);
    free(text);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    const char *doubt;
    if (cor_argument_given(arguments, "test") && cor_argument_given(arguments, "regions"))
        return cor_misuse(arguments->command, "--test or --regions, not both");
    if (!cor_argument_given(arguments, "test") && !cor_argument_given(arguments, "regions"))
        return cor_show_view(arguments);
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (cor_open_result(arguments, arguments->words[0], &cor_search_schema, &result, &doubt, &error) !=
        COR_OK)
        return cor_report(&error);
    const enum cor_status status = print_file(arguments, result, &error);
    cor_result_close(result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_searches = {
    .name = "searches",
    .operands = "RESULTS.h5",
    .manual =
        "Prints what the searches of a file found - classes of failures, each with the first test that "
        "failed "
        "so and the cases executed up to it -, how far each island looked, regions that were learned, and, "
        "where an arm was searched by several generators, which finds more and sooner: shares with "
        "intervals, curves, log-rank tests and A12 for each pair, after Holm's correction. With --test the "
        "test file of one of them, for corridor replay and corridor shrink. With --regions the experiment "
        "that was "
        "searched, with one more arm for each region on which a search has settled, for corridor run.",
    .options =
        {
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
            COR_OPTION_LEVEL,
            {"test", 0, "KEY",
             "print this test file: GENERATOR/ARM/ISLAND/TEST of a finding, or of the corpus", NULL},
            {"regions", 0, NULL, "print the experiment with an arm for each settled region", NULL},
            {"hash", 0, NULL,
             "only the fingerprint of the file's content, the same for every build and number of workers",
             NULL},
            {"verify", 0, NULL, "first read everything and check the file's fingerprint", NULL},
        },
    .examples = {"corridor searches camp.h5",
                 "corridor searches both.h5 --sheet pairs   # of corridor compare-search",
                 "corridor searches camp.h5 --test coverage/PSOPP-F5/0/17 > test.json",
                 "corridor searches directed.h5 --regions > region.json   # of --generator directed"},
    .run = run,
};
