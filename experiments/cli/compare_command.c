/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

/* What --fail-on takes: regressions of what does not depend on the host, of everything; else nothing. */
enum fail_on { FAIL_REGRESSION, FAIL_REGRESSION_OR_TIME, FAIL_NEVER };

static const char *fail_on_word(size_t index) {
    static const char *const words[FAIL_NEVER + 1] = {"regression", "regression-or-time"};
    return index < FAIL_NEVER ? words[index] : NULL;
}

static enum cor_exit judge(const struct cor_view_findings *found, int fail_on) {
    size_t worse = found->worse - (fail_on == FAIL_REGRESSION ? found->worse_times : 0);
    if (fail_on == FAIL_NEVER || worse == 0)
        return COR_EXIT_DONE;
    fprintf(stderr, "corridor: regression: B is worse in %zu metrics\n", worse);
    return COR_EXIT_EXPECTATION;
}

static enum cor_status open_side(const char *path, struct cor_result **result, uint64_t *hash,
                                 struct cor_error *error) {
    COR_TRY(cor_result_open(path, result, error));
    enum cor_status status = cor_result_hash(*result, hash, error);
    if (status == COR_STATUS_INPUT)
        cor_show_path(path, error);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_view_findings found = {0};
    struct cor_view_request request = {.arms = cor_argument(arguments, "arms")};
    enum cor_status status = COR_OK;
    uint64_t hash[2];
    int fail_on;
    if (arguments->word_count != 2)
        return cor_misuse(arguments->command, "needs two result files");
    if (!cor_argument_real(arguments, "level", 0.5, 0.9999, 0.95, &request.level) ||
        !cor_argument_word(arguments, "fail-on", FAIL_NEVER, &fail_on))
        return COR_EXIT_USAGE;
    request.path = arguments->words[0];
    request.other_path = arguments->words[1];
    COR_TRY_OUT(open_side(request.path, &request.result, &hash[0], &error));
    COR_TRY_OUT(open_side(request.other_path, &request.other, &hash[1], &error));
    request.identical = hash[0] == hash[1];
    COR_TRY_OUT(cor_print_view(arguments, "compare", NULL, &request, &found, &error));
out:
    cor_result_close(request.result);
    cor_result_close(request.other);
    return status == COR_OK ? judge(&found, fail_on) : cor_report(&error);
}

const struct cor_command cor_command_compare = {
    .name = "compare",
    .summary = "two algorithms or versions on equal suites: is there a difference, and is it for the worse",
    .operands = "A.h5 B.h5",
    .manual =
        "Compares the arms of two result files that have the same name, or two arms of any name with --arms "
        "(A "
        "and B may be one file), in the metrics of corridor performance. Suites are paired where "
        "configuration "
        "and walks are equal, which runs of one experiment with one seed give. Each metric has both means, "
        "their difference with a BCa interval over suites, A12 of Vargha and Delaney, and p of Wilcoxon's "
        "signed rank (paired) or of Mann and Whitney's U after Holm's correction over all. Exit code 1 "
        "with --fail-on if B is worse; else 0, whatever the difference. docs/statistics.md defines it all.",
    .options =
        {
            {"arms", 'a', "A=B", "compare arm A of the first file with arm B of the second", NULL},
            {"fail-on", 0, "WORD",
             "exit with 1 if B is worse: regression leaves CPU times aside, regression-or-time does not",
             NULL},
            {"level", 0, "P", "level of the intervals; tests at 1 - P", "0.95"},
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"csv", 0, NULL, "a line a metric and pair of arms", NULL},
        },
    .choices = {{"fail-on", fail_on_word}},
    .examples = {"corridor compare old.h5 new.h5 --fail-on regression",
                 "corridor compare demo.h5 demo.h5 --arms SPADA-F1=PSOPP-F1"},
    .run = run,
};
