/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test files, and failures of result files, executed again and held against what is expected, for each layer
 * that has a subject. */
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/array.h>
#include <corridor/test_points.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const struct cor_layer *layer;
    const struct cor_arguments *arguments;
    const struct cor_replay_options *options;
    double shown;                  /* when it was last said how far it is */
    char *suite;                   /* owned; "corridor replay" */
    struct cor_test_point *points; /* owned, as their name and message */
    char **groups;                 /* owned; [point]: the file, arm and class of a failure; NULL: a test */
    size_t count, capacity, group_capacity, different, open;
    bool is_ended; /* by an interrupt, before its time */
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
    replay->points[replay->count++] = (struct cor_test_point){
        .suite = replay->suite, .name = name, .meaning = name, .message = message, .result = result};
out:
    if (status != COR_OK) {
        free(name);
        free(group);
        free(message);
    }
    return status;
}

/* What was expected not to come, or nothing at all. */
static enum cor_point_result result_of(enum cor_expected expected) {
    return expected == COR_EXPECTED_COMES     ? COR_POINT_FAILED
           : expected == COR_EXPECTED_IS_GONE ? COR_POINT_PASSED
                                              : COR_POINT_SKIPPED;
}

/* The test of a test file. */
static enum cor_status replay_test(struct replay *replay, const struct cor_tests_source *source,
                                   struct cor_error *error) {
    const struct cor_subject *subject = replay->layer->subject;
    const struct cor_subject_test *test = &source->test;
    const int expect = replay->options->expectation;
    struct cor_run run;
    char why[1200];
    COR_TRY(subject->run(source->bench, test, NULL, &run, error));
    const bool is_same = strcmp(run.failure, test->expected) == 0,
               expects_none = strcmp(test->expected, COR_NO_FAILURE) == 0;
    const enum cor_expected expected = subject->find(source->bench, test, why, sizeof why);
    const enum cor_point_result result =
        expect == COR_REPLAY_FIXED || (expect == COR_REPLAY_AS_WRITTEN && expects_none) ? result_of(expected)
        : is_same && !expects_none                                                      ? COR_POINT_PASSED
                                                                                        : COR_POINT_FAILED;
    const size_t count = test->choices.count;
    char *message = cor_strdup(why);
    if (!is_same && expect != COR_REPLAY_FIXED)
        message = cor_join_take(message, "; ", cor_format("expected is %s", test->expected));
    if (count > run.choices)
        message = cor_join_take(message, "; ",
                                cor_format("%zu of %zu %ss were not executed: not possible, or behind the "
                                           "failure",
                                           count - run.choices, count, subject->choice));
    return add_point(replay, source->path, NULL, NULL, result, message, error);
}

/* A row of a result file, of whose test that was made again `run` came. */
static enum cor_status replay_row(struct replay *replay, const struct cor_tests_source *source,
                                  const struct cor_test_row *row, const struct cor_run *run,
                                  struct cor_error *error) {
    const struct cor_subject *subject = replay->layer->subject;
    const struct cor_subject_test *test = &source->test;
    const bool is_fixed = replay->options->expectation == COR_REPLAY_FIXED,
               is_same = run->digest == row->digest && strcmp(run->failure, row->failure) == 0;
    char why[1200], *key = cor_tests_source_key(source, row);
    COR_TRY(cor_made(key, error));
    const enum cor_expected expected = subject->find(source->bench, test, why, sizeof why);
    const enum cor_status status = add_point(
        replay, source->path, key,
        cor_format("%s %s: %s", source->path, test->experiment->arms[row->arm].name, row->failure),
        is_fixed  ? result_of(expected)
        : is_same ? COR_POINT_PASSED
                  : COR_POINT_FAILED,
        is_same || is_fixed ? cor_strdup(why)
                            : cor_format("%s, was %s; the digest is %s: %s", run->failure, row->failure,
                                         run->digest == row->digest ? "the same" : "another",
                                         subject->why_otherwise(test->experiment, row->arm)),
        error);
    free(key);
    return status;
}

static struct cor_failing_source asked_of(const struct cor_arguments *arguments) {
    const struct cor_replay_options *options = arguments->request;
    return (struct cor_failing_source){.arguments = arguments,
                                       .unsealed = options->unsealed,
                                       .trust = options->trust,
                                       .options.isolation = (int)options->isolation};
}

/* A test file, or the failures of a result file: that of the key, NULL: all. */
static enum cor_status replay_file(struct replay *replay, const char *path, const char *key,
                                   struct cor_error *error) {
    const struct cor_failing_source asked = asked_of(replay->arguments);
    COR_FINISHED(cor_tests_source) struct cor_tests_source source = {.layer = replay->layer, .path = path};
    struct cor_test_row row;
    struct cor_run run;
    COR_TRY(cor_tests_source_open(&source, &asked, error));
    if (source.result)
        COR_TRY(cor_tests_source_find(&source, key, &row, error));
    else {
        COR_TRY(cor_tests_source_take(&source, NULL, &run, error));
        COR_TRY(replay_test(replay, &source, error));
    }
    for (uint64_t i = 0; i < cor_tests_source_count(&source); i++) {
        const struct cor_test_row other = cor_tests_source_row(&source, i);
        if (!other.failure || (key && i != row.index))
            continue;
        replay->is_ended =
            !cor_progress_goes_on(&replay->shown, "executing %s again, %zu done", path, replay->count);
        if (replay->is_ended)
            break;
        COR_TRY(cor_tests_source_take(&source, &other, &run, error));
        COR_TRY(replay_row(replay, &source, &other, &run, error));
    }
    return COR_OK;
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
        for (size_t q = p; q < replay->count && !replay->options->all; q++)
            alike += is_alike(replay, p, q);
        const bool is_group = alike > EXAMPLES;
        if (is_group)
            cor_print("%s %s: %zu %ss\n", result_words[points[p].result], replay->groups[p], alike,
                      replay->layer->subject->test);
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

static enum cor_exit replay_failing(const struct cor_layer *layer, const struct cor_arguments *arguments) {
    static const char *const all[] = {NULL};
    const struct cor_replay_options *options = arguments->request;
    struct replay replay = {.layer = layer,
                            .arguments = arguments,
                            .options = options,
                            .suite = cor_format("corridor %s", arguments->command->name)};
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(replay.suite, &error));
    if (arguments->word_count > 1 || (cor_is_result_file(arguments->words[0]) && !options->failures))
        cor_catch_interrupts_briefly(COR_ANSWER_PARTING);
    for (int w = 0; w < arguments->word_count && !replay.is_ended; w++) {
        const char *path = arguments->words[w];
        const char *const *keys = options->failures ? options->failures : all;
        const bool is_result = cor_is_result_file(path);
        do
            COR_TRY_OUT(replay_file(&replay, path, is_result ? *keys : NULL, &error));
        while (is_result && *keys && *++keys && !replay.is_ended);
        replay.is_ended = replay.is_ended || (w + 1 < arguments->word_count && cor_interrupts() > 0);
    }
    cor_progress_doing(NULL);
    if (!replay.is_ended)
        cor_leave_interrupts();
    COR_TRY_OUT(options->format == 1   ? cor_points_junit(replay.points, replay.count, stdout, &error)
                : options->format == 2 ? cor_points_tap(replay.points, replay.count, stdout, &error)
                                       : show_text(&replay, &error));
    if (replay.is_ended)
        cor_say("interrupted: that is what came of the first %zu", replay.count);
out:
    for (size_t p = 0; p < replay.count; p++) {
        free((void *)(uintptr_t)replay.points[p].name);
        free((void *)(uintptr_t)replay.points[p].message);
        free(replay.groups[p]);
    }
    free(replay.points);
    free(replay.suite);
    free(replay.groups);
    return status != COR_OK       ? cor_report(&error)
           : replay.is_ended      ? COR_EXIT_INCOMPLETE
           : replay.different > 0 ? COR_EXIT_EXPECTATION
           : replay.open > 0      ? COR_EXIT_UNDECIDED
                                  : COR_EXIT_DONE;
}

const char *const cor_not_of_shrink[] = {
    "constraint",      "property",          "free", "reseed", "check", "json",
    "fresh-processes", "require-isolation", NULL};
const char *const cor_not_of_why[] = {"fresh-processes", "require-isolation", NULL};
const char *const cor_not_of_replay[] = {"dump",        "csv",      "sheet",      "where", "json",
                                         "output",      "property", "class-only", "fault", "replay-traffic",
                                         "failures-of", "svg",      NULL};

/* path: NULL prints it. */
static enum cor_status put_story(const struct cor_tests_source *source, cor_tell_test *tell,
                                 enum cor_story_form form, const char *path, bool force,
                                 struct cor_error *error) {
    char *text;
    COR_TRY(tell(source->bench, &source->test, form, &text, error));
    const enum cor_status status = cor_output_text(path, text, force, error);
    free(text);
    return status;
}

static enum cor_exit tell_one(const struct cor_layer *layer, const struct cor_arguments *arguments,
                              cor_tell_test *tell) {
    const struct cor_replay_options *options = arguments->request;
    const struct cor_failing_source asked = asked_of(arguments);
    COR_FINISHED(cor_tests_source)
    struct cor_tests_source source = {.layer = layer, .path = arguments->words[0]};
    struct cor_error error = COR_NO_ERROR;
    struct cor_test_row row;
    struct cor_run run;
    enum cor_status status = COR_OK;
    if (options->svg)
        COR_TRY_OUT(cor_output_check_before(options->svg, options->force, &error));
    COR_TRY_OUT(cor_tests_source_open(&source, &asked, &error));
    if (source.result)
        COR_TRY_OUT(
            cor_tests_source_find(&source, options->failures ? options->failures[0] : NULL, &row, &error));
    COR_TRY_OUT(cor_tests_source_take(&source, &row, &run, &error));
    COR_TRY_OUT(put_story(&source, tell, options->sheets.json ? COR_STORY_JSON : COR_STORY_TEXT, NULL, false,
                          &error));
    if (options->svg)
        COR_TRY_OUT(put_story(&source, tell, COR_STORY_SVG, options->svg, options->force, &error));
out:
    return status != COR_OK ? cor_report(&error) : COR_EXIT_DONE;
}

enum cor_exit cor_replay_or_tell(const struct cor_layer *layer, const struct cor_arguments *arguments,
                                 cor_tell_test *tell) {
    const struct cor_replay_options *options = arguments->request;
    const char *test = layer->subject->test;
    if (!options->trace)
        return replay_failing(layer, arguments);
    if (arguments->word_count > 1 || (options->failures && options->failures[1]))
        return cor_misuse(arguments->command, "--trace tells what happens in one %s", test);
    if (options->trace[0] != '\0' && strcmp(options->trace, "all") != 0)
        return cor_misuse(arguments->command, "--trace tells all of a %s: write --trace alone", test);
    return tell_one(layer, arguments, tell);
}
