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
    bool junit, tap, all;
    struct process_layer__starting starting;
};

struct replay {
    const struct request *request;
    struct cor_test_point *points; /* owned, as their name and message */
    char **groups;                 /* owned; [point]: the file, arm and class of a failure; NULL: a test */
    size_t count, capacity, group_capacity, different, open;
};

/* Takes `group` and `message`. */
static enum cor_status add_point(struct replay *replay, const char *path, const char *key, char *group,
                                 enum cor_point_result result, char *message, struct cor_error *error) {
    char *name = key ? cor_format("%s %s", path, key) : cor_strdup(path);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(message && name && (group || !key) ? name : NULL, error));
    COR_TRY_OUT(COR_RESERVE(&replay->points, &replay->capacity, replay->count + 1, error));
    COR_TRY_OUT(COR_RESERVE(&replay->groups, &replay->group_capacity, replay->count + 1, error));
    replay->different += result == COR_POINT_FAILED;
    replay->open += result == COR_POINT_SKIPPED;
    replay->groups[replay->count] = group;
    replay->points[replay->count++] = (struct cor_test_point){.suite = "corridor process replay",
                                                              .name = name,
                                                              .meaning = name,
                                                              .message = message,
                                                              .result = result};
out:
    if (status != COR_OK) {
        free(name);
        free(group);
        free(message);
    }
    return status;
}

/* What was expected not to come, or nothing at all. */
static enum cor_point_result result_of(enum cor_process_finding finding) {
    return finding == COR_PROCESS_COMES     ? COR_POINT_FAILED
           : finding == COR_PROCESS_IS_GONE ? COR_POINT_PASSED
                                            : COR_POINT_SKIPPED;
}

static enum cor_status replay_test(struct replay *replay, const char *path, struct cor_error *error) {
    struct cor_process_test test = {0};
    struct cor_process_again *again = NULL;
    const struct cor_process_schedule *executed;
    const struct cor_process_outcome *outcome;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(process_layer__test_read(path, &replay->request->starting, &test, error));
    COR_TRY_OUT(cor_process_again_create(test.experiment, 0, &again, error));
    cor_process_again_expect(again, test.expected);
    COR_TRY_OUT(cor_process_again_replay(again, &test.name, &test.schedule, &executed, &outcome, error));
    const char *word = cor_process_outcome_word(test.setting.corridor, outcome);
    const bool is_same = strcmp(word, test.expected) == 0,
               expects_none = strcmp(test.expected, cor_process_end_word(COR_PROCESS_END_NONE)) == 0;
    char why[1200];
    const enum cor_process_finding finding =
        cor_process_find(&test.setting, outcome, test.expected, &test.schedule, test.tick, why, sizeof why);
    const enum cor_point_result result =
        replay->request->expect == FIXED || (replay->request->expect == AS_WRITTEN && expects_none)
            ? result_of(finding)
        : is_same && !expects_none ? COR_POINT_PASSED
                                   : COR_POINT_FAILED;
    const size_t passed_over = test.schedule.count - executed->count;
    char *message = cor_strdup(why);
    if (!is_same && replay->request->expect != FIXED)
        message = cor_join_take(message, "; ", cor_format("expected is %s", test.expected));
    if (passed_over > 0)
        message = cor_join_take(message, "; ",
                                cor_format("%zu of %zu events were not executed: not possible, or behind "
                                           "the failure",
                                           passed_over, test.schedule.count));
    status = add_point(replay, path, NULL, NULL, result, message, error);
out:
    cor_process_again_destroy(again);
    cor_process_test_fini(&test);
    return status;
}

static enum cor_status replay_row(struct replay *replay, const struct process_layer__source *source,
                                  struct cor_process_again *again, const char *path,
                                  const struct cor_process_sequence_row *row, struct cor_error *error) {
    const struct cor_process_schedule *schedule;
    const struct cor_process_outcome *outcome;
    const char *then = cor_process_failure(&source->process, row);
    cor_process_again_expect(again, then);
    COR_TRY(cor_process_again_run(again, row->suite, row->sequence, &schedule, &outcome, error));
    const struct cor_corridor *corridor = source->experiment->arms[row->arm].corridor;
    const char *word = cor_process_outcome_word(corridor, outcome),
               *arm = source->experiment->arms[row->arm].name;
    const bool is_same = outcome->digest == row->digest && strcmp(word, then) == 0,
               is_fixed = replay->request->expect == FIXED;
    char why[1200];
    const struct cor_process_setting setting = cor_process_setting_of(source->experiment, row->arm);
    const enum cor_process_finding finding =
        cor_process_find(&setting, outcome, then, NULL, 0, why, sizeof why);
    char *key = process_layer__source_key(source, row);
    COR_TRY(cor_made(key, error));
    const enum cor_status status = add_point(
        replay, path, key, cor_format("%s %s: %s", path, arm, then),
        is_fixed  ? result_of(finding)
        : is_same ? COR_POINT_PASSED
                  : COR_POINT_FAILED,
        is_same || is_fixed ? cor_strdup(why)
                            : cor_format("%s, was %s; the digest is %s: %s", word, then,
                                         outcome->digest == row->digest ? "the same" : "another",
                                         process_layer__why_otherwise(&source->experiment->arms[row->arm])),
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
    COR_TRY_OUT(process_layer__source_open(command, path, &replay->request->starting, &source, error));
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

#define EXAMPLES 3 /* of failures alike that a text shows */

static const char *const result_words[] = {
    [COR_POINT_PASSED] = "as expected", [COR_POINT_FAILED] = "DIFFERENT", [COR_POINT_SKIPPED] = "NO VERDICT"};

static bool is_alike(const struct replay *replay, size_t a, size_t b) {
    return replay->groups[a] && replay->groups[b] && replay->points[a].result == replay->points[b].result &&
           strcmp(replay->groups[a], replay->groups[b]) == 0;
}

/* A line a point; of failures of one arm and class of which the same came, how many there are, and some. */
static enum cor_status show_text(const struct replay *replay, struct cor_error *error) {
    const struct cor_test_point *points = replay->points;
    bool *is_shown = cor_calloc(replay->count + 1, sizeof *is_shown);
    COR_TRY(cor_made(is_shown, error));
    for (size_t p = 0; p < replay->count; p++) {
        size_t alike = 0, shown = 0;
        if (is_shown[p])
            continue;
        for (size_t q = p; q < replay->count && !replay->request->all; q++)
            alike += is_alike(replay, p, q);
        const bool is_group = alike > EXAMPLES;
        if (is_group)
            cor_print("%s %s: %zu schedules\n", result_words[points[p].result], replay->groups[p], alike);
        else
            cor_print("%s %s: %s\n", result_words[points[p].result], points[p].name, points[p].message);
        for (size_t q = p; q < replay->count && is_group; q++) {
            if (!is_alike(replay, p, q))
                continue;
            is_shown[q] = true;
            if (shown++ < EXAMPLES)
                cor_print("  %s: %s\n", points[q].name, points[q].message);
        }
        if (is_group)
            cor_print("  and %zu more (--all shows them)\n", alike - EXAMPLES);
    }
    free(is_shown);
    return COR_OK;
}

static enum cor_status show(const struct replay *replay, struct cor_error *error) {
    return replay->request->junit ? cor_points_junit(replay->points, replay->count, stdout, error)
           : replay->request->tap ? cor_points_tap(replay->points, replay->count, stdout, error)
                                  : show_text(replay, error);
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
        free(replay.groups[p]);
    }
    free(replay.points);
    free(replay.groups);
    return status != COR_OK       ? cor_report(&error)
           : replay.different > 0 ? COR_EXIT_EXPECTATION
           : replay.open > 0      ? COR_EXIT_UNDECIDED
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
              "fail as its file says. --expect fixed: what each failed by must be judged to the end of the "
              "schedule, and not come; where it is not decided, or something else ended the schedule before, "
              "there is no verdict. Exit code 1 if one is not as expected, else 7 if one has no verdict. "
              "Many failures of an arm that are alike are counted, with some of them.",
    .options = {{"failure", 0, "KEY", "take only this failure of a result file: ARM/SUITE/SEQUENCE",
                 COR_TEXT(failure), .otherwise = "all"},
                {"expect", 0, "WHAT", "expect the failures to be as written, failing, or fixed",
                 COR_NAME(expect, COR_NAMES("written", "failing", "fixed"), 0, AS_WRITTEN)},
                COR_ALL_OPTION(all),
                COR_JUNIT_OPTION(junit),
                COR_TAP_OPTION(tap),
                COR_TRUST_OPTION(starting.trust),
                COR_ISOLATE_OPTION(starting.isolation)},
    .examples = {"corridor process replay t.json --expect failing", "corridor process replay results.h5"},
    .run = run,
};
