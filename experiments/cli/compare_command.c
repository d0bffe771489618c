/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"

#include <corridor/compare.h>

#include <string.h>

/* A file that takes part. */
struct side {
    struct cor_result *result;
    struct cor_sums *sums;
    uint64_t hash;
};

static enum cor_status open_side(const char *path, struct side *side, struct cor_error *error) {
    enum cor_status status = cor_result_open(path, &side->result, error);
    if (status != COR_OK)
        return status;
    status = cor_sums_create(side->result, &side->sums, error);
    if (status == COR_OK)
        status = cor_result_hash(side->result, &side->hash, error);
    if (status == COR_STATUS_INPUT)
        cor_show_path(path, error);
    return status == COR_OK ? cor_sums_read_times(side->sums, path, error) : status;
}

static void close_side(struct side *side) {
    cor_sums_destroy(side->sums);
    cor_result_close(side->result);
}

static enum cor_status print(const struct cor_comparison *comparison, const struct cor_arguments *arguments,
                             struct cor_error *error) {
    struct cor_style style = cor_show_style();
    if (cor_argument_given(arguments, "json"))
        return cor_comparison_json(comparison, stdout, error);
    if (cor_argument_given(arguments, "csv"))
        return cor_comparison_csv(comparison, stdout, error);
    return cor_comparison_text(comparison, &style, stdout, error);
}

/* What --fail-on takes: regressions of what does not depend on the host, of everything; else nothing. */
enum fail_on { FAIL_REGRESSION, FAIL_REGRESSION_OR_TIME, FAIL_NEVER };

static const char *fail_on_word(size_t index) {
    static const char *const words[FAIL_NEVER + 1] = {"regression", "regression-or-time"};
    return index < FAIL_NEVER ? words[index] : NULL;
}

static enum cor_exit judge(const struct cor_comparison *comparison, int fail_on) {
    uint64_t worse = comparison->worse - (fail_on == FAIL_REGRESSION ? comparison->worse_times : 0);
    if (fail_on == FAIL_NEVER || worse == 0)
        return COR_EXIT_DONE;
    fprintf(stderr, "corridor: regression: B is worse in %llu metrics\n", (unsigned long long)worse);
    return COR_EXIT_EXPECTATION;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct side side[2] = {{0}, {0}};
    struct cor_comparison *comparison = NULL;
    struct cor_compare_wish wish = {.arms = NULL};
    int fail_on;
    if (arguments->word_count != 2)
        return cor_misuse(arguments->command, "needs two result files");
    if (!cor_argument_real(arguments, "level", 0.5, 0.9999, 0.95, &wish.level) ||
        !cor_argument_word(arguments, "fail-on", FAIL_NEVER, &fail_on))
        return COR_EXIT_USAGE;
    enum cor_status status = open_side(arguments->words[0], &side[0], &error);
    if (status == COR_OK)
        status = open_side(arguments->words[1], &side[1], &error);
    wish.arms = cor_argument(arguments, "arms");
    wish.identical = side[0].hash == side[1].hash;
    if (status == COR_OK)
        status = cor_compare(side[0].sums, side[1].sums, &wish, &comparison, &error);
    if (status == COR_OK)
        status = print(comparison, arguments, &error);
    enum cor_exit code = status == COR_OK ? judge(comparison, fail_on) : cor_report(&error);
    cor_comparison_destroy(comparison);
    close_side(&side[0]);
    close_side(&side[1]);
    return code;
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
