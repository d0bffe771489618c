/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A failure of a result file, or a test file, as a test with as few choices as can be; and the first failure
 * of each class, so shrunk, in a folder. */
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/hash.h>

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tests that fail alike, and the one that is left. */
struct work {
    struct cor_subject_test tests[COR_HITS_MOST];
    struct cor_shrinking shrinking;
    double shown; /* when it was last said how far it is */
    char *text;   /* owned; the test as a file */
};

static bool go_on(void *self, const struct cor_shrink_progress *progress) {
    struct work *work = self;
    if (progress->tries.count == 0)
        return cor_progress_goes_on(&work->shown, "failure %u is executed anew", progress->test + 1);
    return cor_progress_goes_on(&work->shown, "failure %u: %zu %ss after %" PRIu64 " executions",
                                progress->test + 1, progress->choices, work->shrinking.subject->choice,
                                progress->tries.count);
}

/* Until an interrupt. NULL: memory is out. */
static struct work *work_create(const struct cor_layer *layer, uint64_t budget) {
    struct work *work = cor_calloc(1, sizeof *work);
    if (work)
        work->shrinking = (struct cor_shrinking){
            .subject = layer->subject, .tests = work->tests, .budget = budget, .go_on = go_on, .self = work};
    return work;
}

static void work_destroy(struct work *work) {
    for (uint32_t t = 0; work && t < COR_HITS_MOST; t++)
        cor_choices_fini(&work->tests[t].choices);
    if (work)
        free(work->text);
    free(work);
}
COR_DESTROYS(work, struct work)

static int compare_rows(const void *one, const void *other) {
    const struct cor_test_row *a = one, *b = other;
    return a->size != b->size           ? (a->size < b->size ? -1 : 1)
           : a->suite != b->suite       ? (a->suite < b->suite ? -1 : 1)
           : a->sequence != b->sequence ? (a->sequence < b->sequence ? -1 : 1)
                                        : 0;
}

static bool is_alike(const struct cor_test_row *one, const struct cor_test_row *other) {
    return one->arm == other->arm && one->class == other->class;
}

/* Of failures alike that differ in what is tested, none stands for another. */
static bool is_of_scene(const struct cor_test_row *one, const struct cor_test_row *other) {
    return is_alike(one, other) && one->scene == other->scene;
}

/* The failures of the arm and class of `row`, with the fewest choices first. */
static enum cor_status list_alike(const struct cor_tests_source *source, const struct cor_test_row *row,
                                  struct cor_test_row **alike, size_t *count, struct cor_error *error) {
    size_t capacity = 0;
    *count = 0;
    for (uint64_t i = 0; i < cor_tests_source_count(source); i++) {
        const struct cor_test_row other = cor_tests_source_row(source, i);
        if (!is_of_scene(row, &other))
            continue;
        COR_TRY(COR_RESERVE(alike, &capacity, *count + 1, error));
        (*alike)[(*count)++] = other;
    }
    qsort(*alike, *count, sizeof **alike, compare_rows);
    return COR_OK;
}

/* Executes a test again, and keeps it; *differs: from the file. */
static enum cor_status take(struct cor_tests_source *source, const struct cor_test_row *row,
                            struct work *work, bool *differs, struct cor_error *error) {
    struct cor_run run;
    COR_TRY(cor_tests_source_take(source, row, &run, error));
    *differs = run.digest != row->digest;
    if (*differs)
        return COR_OK;
    work->tests[work->shrinking.count++] = source->test;
    source->test.choices = (struct cor_choices){0}; /* taken over */
    return COR_OK;
}

static enum cor_status write_best(struct work *work, struct cor_error *error) {
    return work->shrinking.subject->write(&work->tests[work->shrinking.shrunk.best], &work->text, error);
}

/* Shrinks a failure and others alike. *differs: it does now, so that nothing was shrunk. */
static enum cor_status shrink_row(struct cor_tests_source *source, const struct cor_test_row *row,
                                  int64_t hits, struct work *work, bool *differs, struct cor_error *error) {
    const struct cor_subject *subject = source->layer->subject;
    struct cor_test_row *alike = NULL;
    size_t count;
    bool other_differs;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(list_alike(source, row, &alike, &count, error));
    COR_TRY_OUT(take(source, row, work, differs, error));
    for (size_t a = 0; a < count && work->shrinking.count < hits && !*differs &&
                       go_on(work, &(struct cor_shrink_progress){.test = work->shrinking.count});
         a++)
        if (compare_rows(&alike[a], row) != 0) /* one that differs now is passed over */
            COR_TRY_OUT(take(source, &alike[a], work, &other_differs, error));
    if (!*differs)
        COR_TRY_OUT(subject->shrink(source->bench, &work->shrinking, differs, error));
    if (!*differs)
        status = write_best(work, error);
out:
    free(alike);
    subject->close(source->bench); /* each class has a fresh one */
    source->bench = NULL;
    return status;
}

/* The first that failed so. */
static enum cor_status find_class(const struct cor_tests_source *source, const char *class,
                                  struct cor_test_row *row, struct cor_error *error) {
    const char *test = source->layer->subject->test;
    char remedy[128];
    for (uint64_t i = 0; i < cor_tests_source_count(source); i++) {
        *row = cor_tests_source_row(source, i);
        if (row->failure && strcmp(row->failure, class) == 0)
            return COR_OK;
    }
    snprintf(remedy, sizeof remedy, "corridor failures lists what %ss failed by", test);
    return cor_fail(error, COR_STATUS_INPUT, source->path, remedy, "no %s failed by \"%.80s\"", test, class);
}

static enum cor_status shrink_failure(struct cor_tests_source *source,
                                      const struct cor_shrink_request *request, struct work *work,
                                      struct cor_error *error) {
    const struct cor_layer *layer = source->layer;
    struct cor_test_row row;
    bool differs = false;
    COR_TRY(request->class ? find_class(source, request->class, &row, error)
                           : cor_tests_source_find(source, request->of.key, &row, error));
    COR_TRY(shrink_row(source, &row, request->hits, work, &differs, error));
    if (!differs)
        return COR_OK;
    char *key = cor_tests_source_key(source, &row);
    const char *why = work->shrinking.why;
    enum cor_status status = cor_made(key, error);
    if (status == COR_OK)
        status = cor_fail(error, COR_STATUS_INPUT, source->path,
                          why[0] ? why : layer->subject->why_otherwise(source->opened.experiment, row.arm),
                          "%s %s %s", layer->subject->test, key,
                          why[0] ? "is not taken apart" : "does not repeat in a fresh process");
    free(key);
    return status;
}

static enum cor_status shrink_test(struct cor_tests_source *source, struct work *work,
                                   struct cor_error *error) {
    const struct cor_subject *subject = source->layer->subject;
    struct cor_subject_test *test = &work->tests[0];
    struct cor_run run;
    bool differs;
    char why[1200], remedy[128];
    COR_TRY(cor_tests_source_take(source, NULL, &run, error));
    *test = source->test;
    source->test.choices = (struct cor_choices){0}; /* taken over */
    /* Refuses a test that fails by something else than it expects: what is left would be another failure.
     * That nothing fails is said by whoever shrinks. */
    COR_TRY(subject->run(source->bench, test, NULL, &run, error));
    snprintf(remedy, sizeof remedy,
             "to shrink what it fails by now, write that as \"expected\" of its %s_test", source->layer->key);
    if (subject->find(source->bench, test, why, sizeof why) != COR_EXPECTED_COMES && run.class != 0)
        return cor_fail(error, COR_STATUS_INPUT, source->path, remedy,
                        "it expects %s, and fails by %s, which is another failure: %s", test->expected,
                        run.failure, run.sentence);
    work->shrinking.count = 1;
    work->shrinking.is_lone = true;
    COR_TRY(subject->shrink(source->bench, &work->shrinking, &differs, error));
    if (differs)
        return cor_fail(error, COR_STATUS_INPUT, source->path,
                        subject->why_otherwise(test->experiment, test->arm),
                        "what is left does not repeat in a fresh process");
    return write_best(work, error);
}

/* Says what is left: "t.json: 3 events, 2 messages, the smallest of 12 failures; .."; file: NULL: none. */
static void say_shrunk(const char *file, const struct work *work) {
    const struct cor_subject *subject = work->shrinking.subject;
    const struct cor_shrunk *shrunk = &work->shrinking.shrunk;
    const size_t count = work->tests[shrunk->best].choices.count;
    char *spared =
        !shrunk->is_minimal ? cor_strdup("more might be spared")
        : shrunk->are_sets
            ? cor_format("no %s and no set of %ss can be spared", subject->choice, subject->choice)
        : shrunk->are_pairs
            ? cor_format("no %s and no pair of %ss can be spared", subject->choice, subject->choice)
            : cor_format("no %s can be spared; of pairs there are too many to try", subject->choice);
    char *measured =
        shrunk->defaults > 0 ? cor_format(", %u of them for what comes by itself", shrunk->defaults)
        : subject->measure && shrunk->size > 0
            ? cor_format(", %u %s%s", shrunk->size, subject->measure, shrunk->size == 1 ? "" : "s")
            : NULL;
    cor_say("%s%s%zu %s%s%s, the smallest of %u failure%s; %" PRIu64 " smaller %s%s tried; %s%s%s%s",
            file ? file : "", file ? ": " : "", count, subject->choice, count == 1 ? "" : "s",
            measured ? measured : "", shrunk->count, shrunk->count == 1 ? "" : "s", shrunk->tried,
            subject->test, shrunk->tried == 1 ? "" : "s", spared ? spared : "",
            shrunk->is_ended ? " (interrupted: the same command goes on)" : "",
            work->shrinking.scene[0] ? "; " : "", work->shrinking.scene);
    free(measured);
    free(spared);
}

enum cor_exit cor_shrink_failing(const struct cor_layer *layer, const struct cor_shrink_request *request) {
    const struct cor_arguments *arguments = request->of.arguments;
    const char *output = request->output && strcmp(request->output, "-") == 0 ? NULL : request->output;
    COR_FINISHED(cor_tests_source)
    struct cor_tests_source source = {.layer = layer, .path = request->of.path};
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    bool is_ended = false;
    COR_DESTROYED(work) struct work *work = work_create(layer, request->budget);
    COR_TRY_OUT(cor_made(work, &error));
    const bool replaces = request->forces || (output && cor_output_is_left(output, arguments));
    if (output)
        COR_TRY_OUT(cor_output_check_before(output, replaces, &error));
    cor_catch_interrupts_briefly(COR_ANSWER_PARTING);
    status = cor_tests_source_open(&source, &request->of, &error);
    if (status == COR_OK)
        status = source.result ? shrink_failure(&source, request, work, &error)
                               : shrink_test(&source, work, &error);
    cor_progress_doing(NULL);
    COR_TRY_OUT(status);
    is_ended = work->shrinking.shrunk.is_ended;
    COR_TRY_OUT(cor_output_leave(output, work->text, replaces, arguments, is_ended, &error));
    say_shrunk(NULL, work);
out:
    return status != COR_OK ? cor_report(&error) : is_ended ? COR_EXIT_INCOMPLETE : COR_EXIT_DONE;
}

/* ---- failures that are kept */

#define NAME_SHOWN 160 /* bytes of a name; that of a file has 255 at most */

char *cor_test_file_of(const char *folder, const char *arm, const char *class) {
    char *name = cor_format("%s.%s", arm, class), *path = NULL;
    if (!name)
        return NULL;
    const size_t length = strlen(name);
    const size_t shown = cor_text_fit(name, NAME_SHOWN);
    const uint64_t number = cor_hash_bytes(COR_HASH_SEED, name, length);
    name[shown] = '\0';
    for (char *at = name; *at; at++)
        *at = *at == ' ' ? '_' : *at == '/' ? '+' : *at;
    path = shown == length ? cor_format("%s/%s.json", folder, name)
                           : cor_format("%s/%s.%016" PRIx64 ".json", folder, name, number);
    free(name);
    return path;
}

static enum cor_status keep_class(struct cor_tests_source *source, const struct cor_arguments *arguments,
                                  const struct cor_test_row *row, const struct cor_keeping *keeping,
                                  bool *lost, struct cor_error *error) {
    const struct cor_experiment_head *experiment = source->opened.experiment;
    COR_DESTROYED(work) struct work *work = work_create(source->layer, keeping->budget);
    COR_FREED char *key = NULL, *pasted = NULL,
                   *file = cor_test_file_of(keeping->folder, experiment->arms[row->arm].name, row->failure);
    bool differs = false;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(work && file ? work : NULL, error));
    const bool replaces = keeping->force || cor_output_is_left(file, arguments);
    if (!replaces && access(file, F_OK) == 0) {
        cor_say("%s is there already, and stays", file);
        return status;
    }
    status = shrink_row(source, row, COR_HITS, work, &differs, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    COR_TRY(cor_made(key = cor_tests_source_key(source, row), error));
    COR_TRY(cor_made(pasted = cor_shell_quoted(source->path), error));
    if (differs) {
        const char *why = work->shrinking.why;
        *lost = true;
        cor_say("%s %s, and %s is not kept: %s. This tells what comes now:\n  "
                "corridor replay %s --failure %s%s",
                key, why[0] ? "is not taken apart" : "does not fail again in a fresh process", file,
                why[0] ? why : source->layer->subject->why_otherwise(experiment, row->arm), pasted, key,
                keeping->trust ? " --trust" : "");
        return status;
    }
    COR_TRY(cor_output_leave(file, work->text, replaces, arguments, work->shrinking.shrunk.is_ended, error));
    say_shrunk(file, work);
    return status;
}

static enum cor_status keep(struct cor_tests_source *source, const struct cor_arguments *arguments,
                            const char *arm, const struct cor_keeping *keeping, bool *lost,
                            struct cor_error *error) {
    COR_FREED struct cor_test_row *kept = NULL; /* the first of each class of each arm */
    size_t count = 0, capacity = 0, index = SIZE_MAX;
    if (arm)
        COR_TRY(cor_arm_find(cor_result_head(source->result), "--arm", arm, &index, error));
    if (mkdir(keeping->folder, 0777) != 0 && errno != EEXIST)
        return cor_fail_errno(error, COR_STATUS_FILE, keeping->folder, NULL, "cannot make the folder");
    cor_catch_interrupts_briefly(COR_ANSWER_PARTING);
    for (uint64_t i = 0; i < cor_tests_source_count(source) && cor_interrupts() == 0; i++) {
        const struct cor_test_row row = cor_tests_source_row(source, i);
        bool is_new = row.failure && (index == SIZE_MAX || row.arm == index);
        for (size_t k = 0; k < count && is_new; k++)
            is_new = !is_alike(&kept[k], &row);
        if (!is_new)
            continue;
        COR_TRY(COR_RESERVE(&kept, &capacity, count + 1, error));
        kept[count++] = row;
        COR_TRY(keep_class(source, arguments, &row, keeping, lost, error));
    }
    return COR_OK;
}

/* With others alike, of which the one is written that gets smallest. */
enum cor_exit cor_keep_failing(const struct cor_layer *layer, const struct cor_arguments *arguments,
                               const struct cor_view_options *show, const struct cor_keeping *keeping) {
    struct cor_tests_source source = {.layer = layer, .path = arguments->words[0]};
    struct cor_error error = COR_NO_ERROR;
    const struct cor_failing_source asked = {
        .arguments = arguments, .unsealed = show->unsealed, .trust = keeping->trust};
    bool lost = false;
    enum cor_status status = cor_tests_source_open(&source, &asked, &error);
    if (status == COR_OK)
        status = keep(&source, arguments, show->view.arm, keeping, &lost, &error);
    cor_tests_source_fini(&source);
    return status != COR_OK       ? cor_report(&error)
           : cor_interrupts() > 0 ? COR_EXIT_INCOMPLETE
           : lost                 ? COR_EXIT_EXPECTATION
                                  : COR_EXIT_DONE;
}
