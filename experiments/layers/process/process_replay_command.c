/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * process replay: test files, and failures of result files, executed again and held against what is expected.
 */
#include "isolation.h"
#include "output.h"
#include "process_failures.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/test_points.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum expectation { AS_WRITTEN, FAILING, FIXED };

struct request {
    const char *failure;
    int expect;
    bool junit, tap, trust;
};

struct replay {
    const struct request *request;
    struct cor_test_point *points; /* owned, as their name and message */
    size_t count, capacity, different;
};

static enum cor_status add_point(struct replay *replay, const char *path, const char *key, bool is_expected,
                                 char *message, struct cor_error *error) {
    char *name = key ? cor_format("%s %s", path, key) : cor_strdup(path);
    const enum cor_status status =
        message && name ? COR_RESERVE(&replay->points, &replay->capacity, replay->count + 1, error)
                        : cor_made(NULL, error);
    if (status != COR_OK) {
        free(name);
        free(message);
        return status;
    }
    replay->different += !is_expected;
    replay->points[replay->count++] =
        (struct cor_test_point){.suite = "corridor process replay",
                                .name = name,
                                .meaning = name,
                                .message = message,
                                .result = is_expected ? COR_POINT_PASSED : COR_POINT_FAILED};
    return COR_OK;
}

static enum cor_status replay_test(struct replay *replay, const char *path, struct cor_error *error) {
    struct cor_process_test test = {0};
    struct cor_process_runner *runner = NULL;
    struct cor_process_schedule executed = {0};
    struct cor_process_outcome outcome;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(process_layer__test_read(path, replay->request->trust, &test, error));
    COR_TRY_OUT(cor_process_runner_create(&test.setting, &runner, error));
    COR_TRY_OUT(cor_process_replay(runner, &test.name, &test.schedule, &executed, &outcome, error));
    const char *word = cor_process_outcome_word(test.setting.corridor, &outcome);
    const bool fails = strcmp(word, "none") != 0, is_same = strcmp(word, test.expected) == 0;
    const bool is_expected = replay->request->expect == FIXED     ? !fails
                             : replay->request->expect == FAILING ? fails && is_same
                                                                  : is_same;
    const size_t passed_over = test.schedule.count - executed.count;
    char *message = fails ? cor_format("%s: %s", word, outcome.sentence) : cor_strdup("nothing fails");
    if (!is_same && replay->request->expect != FIXED)
        message = cor_join_take(message, "; ", cor_format("expected is %s", test.expected));
    if (passed_over > 0)
        message = cor_join_take(message, "; ",
                                cor_format("%zu of %zu events were not executed: not possible, or behind "
                                           "the failure",
                                           passed_over, test.schedule.count));
    status = add_point(replay, path, NULL, is_expected, message, error);
out:
    cor_process_schedule_fini(&executed);
    cor_process_runner_destroy(runner);
    cor_process_test_fini(&test);
    return status;
}

static enum cor_status replay_row(struct replay *replay, const struct process_layer__source *source,
                                  struct cor_process_again *again, const char *path,
                                  const struct cor_process_sequence_row *row, struct cor_error *error) {
    const struct cor_process_schedule *schedule;
    const struct cor_process_outcome *outcome;
    COR_TRY(cor_process_again_run(again, row->suite, row->sequence, &schedule, &outcome, error));
    const struct cor_corridor *corridor = source->experiment->arms[row->arm].corridor;
    const char *then = cor_process_failure(&source->process, row);
    const char *word = cor_process_outcome_word(corridor, outcome);
    const bool is_same = outcome->digest == row->digest && strcmp(word, then) == 0;
    const bool is_expected = replay->request->expect == FIXED ? strcmp(word, "none") == 0 : is_same;
    char *key = process_layer__source_key(source, row);
    COR_TRY(cor_made(key, error));
    const enum cor_status status =
        add_point(replay, path, key, is_expected,
                  is_same ? cor_format("%s: %s", word, outcome->sentence)
                          : cor_format("%s, was %s; the digest is %s", word, then,
                                       outcome->digest == row->digest ? "the same" : "another"),
                  error);
    free(key);
    return status;
}

static enum cor_status replay_result(struct replay *replay, const struct cor_command *command,
                                     const char *path, struct cor_error *error) {
    struct process_layer__source source = {0};
    struct cor_process_again *again = NULL;
    const struct cor_process_sequence_row *row;
    uint32_t arm = COR_NONE;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(process_layer__source_open(command, path, replay->request->trust, &source, error));
    COR_TRY_OUT(process_layer__source_find(&source, path, replay->request->failure, &row, error));
    for (uint64_t i = 0; i < source.process.count[COR_PROCESS_TABLE_SEQUENCES]; i++) {
        const struct cor_process_sequence_row *other =
            cor_layer_row(&source.process, COR_PROCESS_TABLE_SEQUENCES, i);
        if (replay->request->failure ? other != row : !cor_process_failure(&source.process, other))
            continue;
        if (other->arm != arm) {
            cor_process_again_destroy(again);
            again = NULL;
            COR_TRY_OUT(cor_process_again_create(source.experiment, other->arm, &again, error));
            arm = other->arm;
        }
        COR_TRY_OUT(replay_row(replay, &source, again, path, other, error));
    }
out:
    cor_process_again_destroy(again);
    process_layer__source_fini(&source);
    return status;
}

static enum cor_status show(const struct replay *replay, struct cor_error *error) {
    if (replay->request->junit)
        return cor_points_junit(replay->points, replay->count, stdout, error);
    if (replay->request->tap)
        return cor_points_tap(replay->points, replay->count, stdout, error);
    for (size_t p = 0; p < replay->count; p++)
        cor_print("%s %s: %s\n", replay->points[p].result == COR_POINT_PASSED ? "as expected" : "DIFFERENT",
                  replay->points[p].name, replay->points[p].message);
    return COR_OK;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct replay replay = {.request = arguments->request};
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    for (int w = 0; w < arguments->word_count; w++) {
        const char *path = arguments->words[w];
        COR_TRY_OUT(cor_is_result_file(path) ? replay_result(&replay, arguments->command, path, &error)
                                             : replay_test(&replay, path, &error));
    }
    COR_TRY_OUT(show(&replay, &error));
out:
    for (size_t p = 0; p < replay.count; p++) {
        free((void *)(uintptr_t)replay.points[p].name);
        free((void *)(uintptr_t)replay.points[p].message);
    }
    free(replay.points);
    return status != COR_OK       ? cor_report(&error)
           : replay.different > 0 ? COR_EXIT_EXPECTATION
                                  : COR_EXIT_DONE;
}

const struct cor_command cor_command_process_replay = {
    .name = "process replay",
    .summary = "repeat failing schedules of distributed programs",
    .operands = "TEST.json|RESULT.h5..",
    .takes = {1, 10000, "needs a file"},
    .request_size = sizeof(struct request),
    .manual = "Executes test files, and says of each whether what comes of it is what the file expects. Of a "
              "result file each schedule that failed is made again from the experiment, the seed and its "
              "key, and must have the same failure and the same fingerprint. --expect failing: each must "
              "fail as its file says. --expect fixed: none may fail. Exit code 1 if one is not as expected.",
    .options = {{"failure", 0, "KEY", "take only this failure of a result file: ARM/SUITE/SEQUENCE",
                 COR_TEXT(failure), .otherwise = "all"},
                {"expect", 0, "WHAT", "expect the failures to be as written, failing, or fixed",
                 COR_NAME(expect, COR_NAMES("written", "failing", "fixed"), 0, AS_WRITTEN)},
                COR_JUNIT_OPTION(junit),
                COR_TAP_OPTION(tap),
                COR_TRUST_OPTION(trust)},
    .examples = {"corridor process replay t.json --expect failing", "corridor process replay results.h5"},
    .run = run,
};
