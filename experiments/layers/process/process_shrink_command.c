/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * process shrink: a failure of a result file, or a test, as a schedule with as few events as can be. */
#include "isolation.h"
#include "keep.h"
#include "output.h"
#include "process_failures.h"
#include "running.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/work.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HITS_MOST 100
#define HITS 12 /* unless more or fewer are asked for */

struct request {
    const char *failure, *constraint, *output;
    int64_t hits, budget;
    bool force;
    struct process_layer__starting starting;
};

/* Schedules that fail alike, and the one that is left. */
struct shrinking {
    struct cor_stream_name names[HITS_MOST];
    struct cor_process_schedule schedules[HITS_MOST];
    uint32_t count, best;
    struct cor_process_shrinking done;
    char *text; /* owned; the test */
};

static int compare_rows(const void *one, const void *other) {
    const struct cor_process_sequence_row *a = *(const struct cor_process_sequence_row *const *)one,
                                          *b = *(const struct cor_process_sequence_row *const *)other;
    return a->events != b->events       ? (a->events < b->events ? -1 : 1)
           : a->suite != b->suite       ? (a->suite < b->suite ? -1 : 1)
           : a->sequence != b->sequence ? (a->sequence < b->sequence ? -1 : 1)
                                        : 0;
}

/* Executes a schedule again, and keeps it; *differs: from the file. */
static enum cor_status take(struct cor_process_again *again, const struct process_layer__source *source,
                            const struct cor_process_sequence_row *row, struct shrinking *shrinking,
                            bool *differs, struct cor_error *error) {
    const struct cor_process_schedule *schedule;
    const struct cor_process_outcome *outcome;
    COR_TRY(cor_process_again_run(again, row->suite, row->sequence, &schedule, &outcome, error));
    *differs = outcome->digest != row->digest;
    if (*differs)
        return COR_OK;
    const uint32_t n = shrinking->count++;
    shrinking->names[n] = cor_process_stream_name(source->experiment, row->suite, row->sequence);
    for (size_t e = 0; e < schedule->count; e++)
        COR_TRY(cor_process_schedule_add(&shrinking->schedules[n], &schedule->events[e], error));
    return COR_OK;
}

/* The failures of the arm and class of `row`, with the fewest events first. */
static enum cor_status list_alike(const struct process_layer__source *source,
                                  const struct cor_process_sequence_row *row,
                                  const struct cor_process_sequence_row ***alike, size_t *count,
                                  struct cor_error *error) {
    const uint64_t all = source->process.count[COR_PROCESS_TABLE_SEQUENCES];
    *count = 0;
    COR_TRY(cor_made(*alike = cor_calloc(all, sizeof **alike), error));
    for (uint64_t i = 0; i < all; i++) {
        const struct cor_process_sequence_row *other =
            cor_layer_row(&source->process, COR_PROCESS_TABLE_SEQUENCES, i);
        if (other->arm == row->arm && other->violated == row->violated && other->end == row->end)
            (*alike)[(*count)++] = other;
    }
    qsort(*alike, *count, sizeof **alike, compare_rows);
    return COR_OK;
}

/* How a failure of a result file is to be shrunk. */
struct how {
    int64_t hits; /* schedules that failed alike, with it */
    struct cor_process_shrink_definition definition;
};

static bool go_on(void *self, const struct cor_process_shrink_counts *counts) {
    return cor_progress_goes_on(self, "failure %u: %u events after %u executions", counts->schedule + 1,
                                counts->events, counts->tried);
}

/* Until an interrupt. shown: borrowed; when it was last said how far it is, begins with 0. */
static struct cor_process_shrink_definition definition_of(uint64_t budget, double *shown) {
    return (struct cor_process_shrink_definition){budget < UINT32_MAX ? (uint32_t)budget : 0, go_on, shown};
}

/* Shrinks a failure and others alike. *other (borrowed from the file): one that differs now, so
 * that nothing was shrunk; NULL: there is none. */
static enum cor_status shrink_row(const struct process_layer__source *source,
                                  const struct cor_process_sequence_row *row, const struct how *how,
                                  struct shrinking *shrinking, const struct cor_process_sequence_row **other,
                                  struct cor_error *error) {
    const struct cor_process_sequence_row **alike = NULL;
    struct cor_process_again *again = NULL;
    size_t count;
    bool differs;
    enum cor_status status = COR_OK;
    *other = NULL;
    COR_TRY_OUT(list_alike(source, row, &alike, &count, error));
    COR_TRY_OUT(cor_process_again_create(source->experiment, row->arm, &again, error));
    cor_process_again_expect(again, cor_process_failure(&source->process, row));
    COR_TRY_OUT(take(again, source, row, shrinking, &differs, error));
    if (differs)
        *other = row;
    for (size_t a = 0; a < count && shrinking->count < how->hits && !*other && cor_interrupts() == 0; a++)
        if (alike[a] != row) /* one that differs now is passed over */
            COR_TRY_OUT(take(again, source, alike[a], shrinking, &differs, error));
    if (*other)
        goto out;
    COR_TRY_OUT(cor_process_again_shrink(again, shrinking->names, shrinking->schedules, shrinking->count,
                                         false, &how->definition, &shrinking->best, &shrinking->done,
                                         &differs, error));
    if (differs) {
        *other = row;
        goto out;
    }
    const struct cor_stream_name *best = &shrinking->names[shrinking->best];
    status = cor_process_test_text(source->experiment, row->arm, best->suite, best->sequence,
                                   &shrinking->schedules[shrinking->best],
                                   cor_process_failure(&source->process, row), &shrinking->text, error);
out:
    free(alike);
    cor_process_again_destroy(again);
    return status;
}

/* The first that failed by a constraint, or by the end of a process that is called so. */
static enum cor_status find_class(const struct process_layer__source *source, const char *path,
                                  const char *class, const struct cor_process_sequence_row **row,
                                  struct cor_error *error) {
    for (uint64_t i = 0; i < source->process.count[COR_PROCESS_TABLE_SEQUENCES]; i++) {
        *row = cor_layer_row(&source->process, COR_PROCESS_TABLE_SEQUENCES, i);
        const char *failure = cor_process_failure(&source->process, *row);
        if (failure && strcmp(failure, class) == 0)
            return COR_OK;
    }
    return cor_fail(error, COR_STATUS_INPUT, path, "corridor failures lists what schedules failed by",
                    "no schedule failed by \"%.80s\"", class);
}

static enum cor_status shrink_failure(const struct cor_arguments *arguments, struct shrinking *shrinking,
                                      struct cor_error *error) {
    const struct request *request = arguments->request;
    const char *path = arguments->words[0];
    double shown = 0;
    const struct how how = {.hits = request->hits,
                            .definition = definition_of((uint64_t)request->budget, &shown)};
    struct process_layer__source source = {0};
    const struct cor_process_sequence_row *row, *other;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(process_layer__source_open(arguments->command, path, &request->starting, &source, error));
    COR_TRY_OUT(request->constraint
                    ? find_class(&source, path, request->constraint, &row, error)
                    : process_layer__source_find(&source, path, request->failure, &row, error));
    COR_TRY_OUT(shrink_row(&source, row, &how, shrinking, &other, error));
    if (other)
        status = cor_fail(error, COR_STATUS_INPUT, path,
                          process_layer__why_otherwise(&source.experiment->arms[other->arm]),
                          "schedule %s/%u/%u does not repeat in a fresh process",
                          source.experiment->arms[other->arm].name, other->suite, other->sequence);
out:
    process_layer__source_fini(&source);
    return status;
}

/* Refuses a test that fails by something else than it expects: what is left would be another failure. That
 * nothing fails is said by whoever shrinks. */
static enum cor_status check_failure(struct cor_process_again *again, const char *path,
                                     struct cor_process_test *test, struct cor_error *error) {
    const struct cor_process_schedule *executed;
    const struct cor_process_outcome *outcome;
    char why[1200];
    COR_TRY(cor_process_again_replay(again, &test->name, &test->schedule, &executed, &outcome, error));
    const enum cor_process_finding finding = cor_process_find(&test->setting, outcome, test->expected,
                                                              &test->schedule, test->tick, why, sizeof why);
    const char *word = cor_process_outcome_word(test->setting.corridor, outcome);
    if (finding == COR_PROCESS_COMES || strcmp(word, cor_process_end_word(COR_PROCESS_END_NONE)) == 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, path,
                    "to shrink what it fails by now, write that as \"expected\" of its process_test",
                    "it expects %s, and fails by %s, which is another failure: %s", test->expected, word,
                    outcome->sentence);
}

static enum cor_status shrink_test(const char *path, const struct request *request,
                                   struct shrinking *shrinking, struct cor_error *error) {
    double shown = 0;
    const struct cor_process_shrink_definition definition = definition_of((uint64_t)request->budget, &shown);
    struct cor_process_test test = {0};
    struct cor_process_again *again = NULL;
    bool differs;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(process_layer__test_read(path, &request->starting, &test, error));
    COR_TRY_OUT(cor_process_again_create(test.experiment, 0, &again, error));
    cor_process_again_expect(again, test.expected);
    COR_TRY_OUT(check_failure(again, path, &test, error));
    COR_TRY_OUT(cor_process_again_shrink(again, &test.name, &test.schedule, 1, true, &definition,
                                         &shrinking->best, &shrinking->done, &differs, error));
    if (differs)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path,
                             process_layer__why_otherwise(&test.experiment->arms[0]),
                             "what is left does not repeat in a fresh process"));
    COR_TRY_OUT(cor_process_test_text(test.experiment, 0, test.name.suite, test.name.sequence, &test.schedule,
                                      test.expected, &shrinking->text, error));
    shrinking->count = 1;
    shrinking->schedules[0] = test.schedule;
    test.schedule = (struct cor_process_schedule){0};
out:
    cor_process_again_destroy(again);
    cor_process_test_fini(&test);
    return status;
}

/* Says what is left: "t.json: 3 events, 2 messages, the smallest of 12 failures; .."; file: NULL: none. */
static void say_shrunk(const char *file, const struct shrinking *shrinking) {
    const struct cor_process_shrinking *done = &shrinking->done;
    const size_t events = shrinking->schedules[shrinking->best].count;
    cor_say("%s%s%zu event%s, %u message%s, the smallest of %u failure%s; %u smaller schedule%s tried; %s%s",
            file ? file : "", file ? ": " : "", events, events == 1 ? "" : "s", done->messages,
            done->messages == 1 ? "" : "s", done->count, done->count == 1 ? "" : "s", done->tried,
            done->tried == 1 ? "" : "s",
            !done->is_minimal ? "more might be spared"
            : done->are_pairs ? "no event and no pair of events can be spared"
                              : "no event can be spared; of pairs there are too many to try",
            done->is_ended ? " (interrupted: the same command goes on)" : "");
}

static void shrinking_destroy(struct shrinking *shrinking) {
    for (uint32_t n = 0; shrinking && n < shrinking->count; n++)
        cor_process_schedule_fini(&shrinking->schedules[n]);
    if (shrinking)
        free(shrinking->text);
    free(shrinking);
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    const char *path = arguments->words[0];
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    bool is_ended = false;
    struct shrinking *shrinking = cor_calloc(1, sizeof *shrinking);
    COR_TRY_OUT(cor_made(shrinking, &error));
    const bool replaces =
        request->force || (request->output && cor_output_is_left(request->output, arguments));
    if (request->output)
        COR_TRY_OUT(cor_output_check_before(request->output, replaces, &error));
    cor_catch_interrupts_briefly();
    status = cor_is_result_file(path) ? shrink_failure(arguments, shrinking, &error)
                                      : shrink_test(path, request, shrinking, &error);
    cor_progress_doing(NULL);
    COR_TRY_OUT(status);
    is_ended = shrinking->done.is_ended;
    COR_TRY_OUT(cor_output_leave(request->output, shrinking->text, replaces, arguments, is_ended, &error));
    say_shrunk(NULL, shrinking);
out:
    shrinking_destroy(shrinking);
    return status != COR_OK ? cor_report(&error) : is_ended ? COR_EXIT_INCOMPLETE : COR_EXIT_DONE;
}

/* ---- failures that are kept */

/* The file of a class of an arm: "lone.agreed.json". */
static char *file_of(const char *folder, const char *arm, const char *class) {
    char *name = cor_format("%s.%s.json", arm, class), *path = NULL;
    for (char *at = name; at && *at; at++)
        *at = *at == ' ' ? '_' : *at == '/' ? '+' : *at;
    if (name)
        path = cor_format("%s/%s", folder, name);
    free(name);
    return path;
}

static enum cor_status keep_class(const struct process_layer__source *source,
                                  const struct cor_arguments *arguments,
                                  const struct cor_process_sequence_row *row,
                                  const struct cor_keeping *keeping, bool *lost, struct cor_error *error) {
    const char *path = arguments->words[0];
    double shown = 0;
    const struct how how = {.hits = HITS, .definition = definition_of(keeping->budget, &shown)};
    const struct cor_process_sequence_row *other;
    struct shrinking *shrinking = cor_calloc(1, sizeof *shrinking);
    char *key = NULL, *pasted = NULL,
         *file = file_of(keeping->folder, source->experiment->arms[row->arm].name,
                         cor_process_failure(&source->process, row));
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(shrinking && file ? shrinking : NULL, error));
    const bool replaces = keeping->force || cor_output_is_left(file, arguments);
    if (!replaces && access(file, F_OK) == 0) {
        cor_say("%s is there already, and stays", file);
        goto out;
    }
    status = shrink_row(source, row, &how, shrinking, &other, error);
    cor_progress_doing(NULL);
    COR_TRY_OUT(status);
    COR_TRY_OUT(cor_made(key = process_layer__source_key(source, other ? other : row), error));
    COR_TRY_OUT(cor_made(pasted = cor_shell_quoted(path), error));
    if (other) {
        *lost = true;
        cor_say("%s does not fail again in a fresh process, and %s is not kept: %s. This tells what comes "
                "now:\n  "
                "corridor process replay %s --failure %s%s",
                key, file, process_layer__why_otherwise(&source->experiment->arms[other->arm]), pasted, key,
                keeping->trust ? " --trust" : "");
        goto out;
    }
    COR_TRY_OUT(
        cor_output_leave(file, shrinking->text, replaces, arguments, shrinking->done.is_ended, error));
    say_shrunk(file, shrinking);
out:
    free(pasted);
    free(key);
    free(file);
    shrinking_destroy(shrinking);
    return status;
}

/* Is the row the first failure of its class in its arm? */
static bool is_first(const struct process_layer__source *source, uint64_t index) {
    const struct cor_process_sequence_row *row =
        cor_layer_row(&source->process, COR_PROCESS_TABLE_SEQUENCES, index);
    for (uint64_t i = 0; i < index; i++) {
        const struct cor_process_sequence_row *other =
            cor_layer_row(&source->process, COR_PROCESS_TABLE_SEQUENCES, i);
        if (other->arm == row->arm && other->violated == row->violated && other->end == row->end)
            return false;
    }
    return true;
}

static enum cor_status keep(const struct process_layer__source *source, const struct cor_arguments *arguments,
                            const char *arm, const struct cor_keeping *keeping, bool *lost,
                            struct cor_error *error) {
    size_t index = SIZE_MAX;
    if (arm)
        COR_TRY(cor_arm_find(cor_result_head(source->result), "--arm", arm, &index, error));
    if (mkdir(keeping->folder, 0777) != 0 && errno != EEXIST)
        return cor_fail_errno(error, COR_STATUS_FILE, keeping->folder, NULL, "cannot make the folder");
    cor_catch_interrupts_briefly();
    for (uint64_t i = 0; i < source->process.count[COR_PROCESS_TABLE_SEQUENCES] && cor_interrupts() == 0;
         i++) {
        const struct cor_process_sequence_row *row =
            cor_layer_row(&source->process, COR_PROCESS_TABLE_SEQUENCES, i);
        if (cor_process_failure(&source->process, row) && (index == SIZE_MAX || row->arm == index) &&
            is_first(source, i))
            COR_TRY(keep_class(source, arguments, row, keeping, lost, error));
    }
    return COR_OK;
}

enum cor_exit cor_keep_schedules(const struct cor_arguments *arguments, const struct cor_view_options *show,
                                 const struct cor_keeping *keeping) {
    struct process_layer__source source = {0};
    struct cor_error error = COR_NO_ERROR;
    const char *path = arguments->words[0];
    const struct process_layer__starting starting = {keeping->trust, COR_ISOLATION_UNTRUSTED};
    bool lost = false;
    enum cor_status status = process_layer__source_open(arguments->command, path, &starting, &source, &error);
    if (status == COR_OK)
        status = keep(&source, arguments, show->view.arm, keeping, &lost, &error);
    process_layer__source_fini(&source);
    return status != COR_OK       ? cor_report(&error)
           : cor_interrupts() > 0 ? COR_EXIT_INCOMPLETE
           : lost                 ? COR_EXIT_EXPECTATION
                                  : COR_EXIT_DONE;
}

const struct cor_command cor_command_process_shrink = {
    .name = "process shrink",
    .summary = "make a failing schedule of a distributed program small",
    .operands = "RESULT.h5|TEST.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Takes events out of a schedule as long as it fails by the same constraint, or the same end of a "
        "process, of a test file by the one that it expects, until no event can be spared, and no pair of "
        "events where at most 100 are left. Of a result file several schedules that failed alike are "
        "executed again, with the fewest events first, and the one that gets smallest is kept. Writes a "
        "test file, an event a line, which corridor process replay executes and corridor process story "
        "tells. An interrupt keeps the best so far.",
    .options = {{"failure", 0, "KEY", "take this failure: ARM/SUITE/SEQUENCE", COR_TEXT(failure),
                 .otherwise = "the first"},
                {"constraint", 0, "NAME", "take the first failure by this constraint, or end of a process",
                 COR_TEXT(constraint), .excludes = "failure", .otherwise = "any"},
                {"hits", 0, "N", "try N schedules that failed alike", COR_INTEGER(hits, 1, HITS_MOST, HITS),
                 .otherwise = "12"},
                {"budget", 0, "N", "try at most N smaller schedules; then take the best so far",
                 COR_INTEGER(budget, 2, UINT32_MAX - 1, 0), .otherwise = "as many as it takes"},
                {"output", 'o', "FILE", "write the test there", COR_TEXT(output),
                 .otherwise = "standard output"},
                {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(force)},
                COR_TRUST_OPTION(starting.trust),
                COR_ISOLATE_OPTION(starting.isolation)},
    .examples = {"corridor process shrink results.h5 -o t.json",
                 "corridor process shrink results.h5 --failure no_vote/0/17 -o t.json",
                 "corridor process shrink results.h5 --constraint agreed --hits 50 -o t.json"},
    .run = run,
};
