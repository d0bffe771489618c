/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curve of a test of an algorithm (why --curve): its choices are its cases. The first ones are executed
 * as the test has them and saved; behind them a future goes on by a law of walks, and all that is random
 * there is drawn as of a sequence of its own, as in splitting (layers/estimation). */
#include "test_curve.h"

#include "output.h"
#include "subject_commands.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/run.h>

#include <stdlib.h>
#include <string.h>

/* What is drawn by a source that does not look at the system, can be drawn anew from any case on. */
static const struct cor_source *const laws[] = {&cor_source_profile, &cor_source_uniform};

#define OWN_NUMBERS (UINT32_C(1) << 31) /* from here on no suite has sequences */
#define NAMED_MOST 3u                   /* chains that a sentence names */

/* A bench of a test. */
struct futures {
    struct cor_test *test;            /* owned; it ends with the case that fails */
    struct cor_tester *tester;        /* borrowed */
    struct cor_runner *runner;        /* owned; NULL: nothing was executed */
    struct cor_saved_sequence *saved; /* owned; of the runner, behind `at` cases; */
    uint32_t at, cases;               /* cases: of the test as it was given */
    uint64_t forked;                  /* what all had come to there */
    const uint8_t *next; /* borrowed from the runner; states of chains that came first behind them */
};

static const struct cor_walk *walk_of(const struct futures *futures) {
    return &futures->test->suite->recorded[0];
}

static bool law_of(uint32_t index, struct cor_future *future) {
    if (index >= sizeof laws / sizeof *laws)
        return false;
    *future = (struct cor_future){laws[index]->name, laws[index]->meaning, NULL};
    return true;
}

static void put_state(struct cor_bytes *bytes, const struct cor_suite *suite, uint32_t chain, uint8_t state) {
    const struct cor_profile *profile = suite->profiles[suite->configuration->profile_of_chain[chain]];
    if (state < profile->state_count && profile->states && profile->states[state])
        cor_bytes_print(bytes, "%s", profile->states[state]);
    else
        cor_bytes_print(bytes, "state %u", state);
}

/* Which chains go to other states in the case; of many how many. */
static char *text_of(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct futures *futures = test->scene;
    const struct cor_walk *walk = walk_of(futures);
    const uint32_t number = (uint32_t)choice->at;
    const uint8_t *from = cor_walk_at(walk, number - 1),
                  *to = choice->what ? futures->next : cor_walk_at(walk, number);
    struct cor_error error = COR_NO_ERROR;
    struct cor_bytes bytes = {0};
    uint32_t changed = 0;
    for (uint32_t chain = 0; chain < walk->chain_count; chain++)
        changed += from[chain] != to[chain];
    if (changed == 0)
        cor_bytes_print(&bytes, "No chain goes to another state");
    else if (changed > NAMED_MOST)
        cor_bytes_print(&bytes, "%u chains go to other states", changed);
    for (uint32_t chain = 0; chain < walk->chain_count && changed <= NAMED_MOST; chain++) {
        if (from[chain] == to[chain])
            continue;
        cor_bytes_print(&bytes, "%s %u goes from ", bytes.size > 0 ? ", chain" : "Chain", chain);
        put_state(&bytes, futures->test->suite, chain, from[chain]);
        cor_bytes_print(&bytes, " to ");
        put_state(&bytes, futures->test->suite, chain, to[chain]);
    }
    return cor_bytes_text_take(&bytes, &error);
}

static void end_futures(struct futures *futures) {
    cor_saved_sequence_destroy(futures->saved);
    cor_tester_end(futures->tester, futures->runner);
    futures->saved = NULL;
    futures->runner = NULL;
}

/* Executes the first cases. */
static enum cor_status set_out(struct futures *futures, uint32_t cases, struct cor_error *error) {
    struct cor_test_result result;
    end_futures(futures);
    COR_TRY(cor_tester_begin(futures->tester, futures->test, &futures->runner, error));
    COR_TRY(cor_saved_sequence_create(futures->runner, &futures->saved, error));
    COR_TRY(cor_tester_go_on(futures->tester, futures->test, futures->runner, cases, &result, error));
    futures->at = cases;
    futures->forked = result.hash;
    return cor_sequence_save(futures->runner, futures->saved, error);
}

static uint64_t class_of(const struct cor_test_result *result) {
    char text[COR_FAILURE_CLASS_TEXT];
    return result->case_ > 0 ? cor_failure_class(cor_failure_class_text(&result->class, text)) : 0;
}

static enum cor_status follow(void *self, const struct cor_subject_test *test, const struct cor_fork *fork,
                              struct cor_run *run, struct cor_error *error) {
    struct futures *futures = self;
    const uint32_t choices = fork->choices, cases = fork->ahead > 0 ? choices + fork->ahead : futures->cases;
    struct cor_test_result result;
    (void)test;
    if (!futures->runner || futures->at != choices)
        COR_TRY(set_out(futures, choices, error));
    COR_TRY(cor_sequence_restore(futures->runner, futures->saved, error));
    COR_TRY(cor_sequence_turn(futures->runner, laws[fork->future], OWN_NUMBERS | (uint32_t)(fork->seed >> 34),
                              cases, error));
    futures->next = cor_walk_at(cor_sequence_walk(futures->runner), choices + 1);
    COR_TRY(cor_tester_go_on(futures->tester, futures->test, futures->runner, COR_NONE, &result, error));
    *run = (struct cor_run){.class = class_of(&result),
                            .digest = result.hash,
                            .choices = result.cases,
                            .forked = futures->forked,
                            .does_not_repeat = fork->forked != 0 && fork->forked != futures->forked,
                            .goes_on = true,
                            .next = {.at = choices + 1, .what = 1}};
    return COR_OK;
}

static const struct cor_subject futures_of_test = {
    .test = "test", .choice = "case", .future = law_of, .follow = follow, .text = text_of};

/* The test up to the case that fails, twice alike. */
static enum cor_status take_test(struct futures *futures, const struct cor_test *test, const char *path,
                                 struct cor_test_result *result, struct cor_error *error) {
    struct cor_test_result again;
    if (test->arm.clocks.case_ticks > 0)
        return cor_fail(error, COR_STATUS_INPUT, path, "corridor estimate says how probable it fails",
                        "the test goes by a clock: between two of its cases more is under way than can be "
                        "saved");
    COR_TRY(cor_test_copy(test, &futures->test, error));
    futures->cases = cor_test_cases(test);
    COR_TRY(cor_tester_execute_to_failure(futures->tester, test, result, error));
    if (result->case_ == 0)
        return cor_fail(error, COR_STATUS_INPUT, path, "a test that fails",
                        "the test does not fail: there is nothing to explain");
    COR_TRY(cor_tester_execute_to_failure(futures->tester, test, &again, error));
    if (again.hash != result->hash)
        return cor_fail(error, COR_STATUS_INPUT, path, "corridor replay says what differs",
                        "the test does not come out alike the second time, so nothing can be said of other "
                        "futures");
    cor_test_truncate(futures->test, result->case_);
    return COR_OK;
}

enum cor_status sequence__why_curve(const struct cor_test *test, struct cor_tester *tester,
                                    const struct cor_why_request *request, enum cor_exit *code,
                                    struct cor_error *error) {
    struct futures futures = {.tester = tester};
    struct cor_experiment_head head = {.seed = test->suite->name.seed};
    struct cor_subject_test whole = {
        .experiment = &head, .suite = test->suite->name.suite, .sequence = test->sequence, .scene = &futures};
    struct cor_why_asked asked = {.subject = &futures_of_test, .bench = &futures, .test = &whole};
    struct cor_test_result result;
    char failure[COR_FAILURE_CLASS_TEXT];
    enum cor_status status = COR_OK;
    COR_TRY_OUT(take_test(&futures, test, request->of.path, &result, error));
    asked.class = class_of(&result);
    COR_TRY_OUT(COR_RESERVE(&whole.choices.items, &whole.choices.capacity, result.case_, error));
    for (uint32_t c = 0; c < result.case_; c++)
        whole.choices.items[whole.choices.count++] = (struct cor_choice){.at = c + 1};
    *code = cor_why_curve(&asked, cor_failure_class_text(&result.class, failure), request);
    whole.choices = (struct cor_choices){0};
    if (!request->of.key && (*code == COR_EXIT_DONE || *code == COR_EXIT_UNDECIDED))
        cor_say(
            "note: %s: futures go by the profiles that stand in it, of which shrinking leaves few arcs; by "
            "those of the campaign: corridor why RESULTS.h5 --failure KEY --curve",
            request->of.path);
out:
    end_futures(&futures);
    cor_test_destroy(futures.test);
    cor_choices_fini(&whole.choices);
    return status;
}
