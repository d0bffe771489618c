/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of an event of a story fails in turn, with what its message held: it is said, and all is
 * given back, once. */
#include "failing_allocations.h"
#include "process_story.c"

#include <corridor/process_experiment.h>
#include <corridor/process_program.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#define EXPERIMENT                                                                                        \
    "{\"process\": {\"program\": \"two_phase\", \"count\": 2}, \"seed\": 5, \"generators\": [\"timed\"]," \
    " \"corridor\": [\"structure observed\", \"attribute open: integer\","                                \
    " \"invariant few: all(a in agents: a.open < 9)\"]}"

static enum cor_status tell_one(struct story *story, struct cor_error *error) {
    const struct cor_process_event event = {.kind = COR_PROCESS_EVENT_DELIVER, .process = 1};
    COR_TRY(cor_made(story->mail = cor_calloc(4, sizeof *story->mail), error));
    struct mail *mail = &story->mail[0 * 2 + 1];
    COR_TRY(COR_RESERVE(&mail->messages, &mail->capacity, 1, error));
    mail->messages[mail->count++] = (struct message){.line = 7, .value = "{\"x\": 1}"};
    return put_line(story, &event, error) ? COR_OK : COR_STATUS_MEMORY;
}

static void each_fails(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_experiment *experiment;
    struct cor_process_runner *runner;
    if (cor_process_experiment_parse(EXPERIMENT, "test.json", NULL, &experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    const struct cor_process_setting run = cor_process_setting_of(experiment, 0);
    assert_int_equal(cor_process_runner_create(&run, &runner, &error), COR_OK);
    const struct cor_cluster *cluster = cor_process_runner_cluster(runner);
    for (long fails_at = 0, count = 0; fails_at <= count; fails_at++) {
        struct story story = {.runner = runner, .program = cor_cluster_program(cluster), .count = 2};
        error = COR_NO_ERROR;
        cor_allocations_mark_held();
        const int64_t held = cor_allocations_held();
        cor_allocations_begin(fails_at, false);
        const enum cor_status status = tell_one(&story, &error);
        const long made = cor_allocations_end();
        count = fails_at == 0 ? made : count;
        assert_int_equal(status, fails_at ? COR_STATUS_MEMORY : COR_OK);
        assert_int_equal(error.status, status);
        if (fails_at == 0) {
            assert_true(count >= 8);
            assert_string_equal(story.lines[0].value, "{\"x\": 1}");
            assert_non_null(strstr(story.lines[0].sentence, " with {\"x\": 1}"));
            assert_int_equal(story.lines[0].sent, 7);
        }
        if (story.mail)
            story_fini(&story);
        assert_int_equal(cor_allocations_held(), held);
    }
    cor_process_runner_destroy(runner);
    cor_process_experiment_destroy(experiment);
}

/* A line for which there is no memory is not left out. */
static void no_line_is_left_out(void **state) {
    (void)state;
    struct line lines[2] = {{.number = 1, .sentence = strdup("One")},
                            {.number = 2, .sentence = strdup("Two"), .said = strdup("so")}};
    const struct story story = {.lines = lines, .line_count = 2};
    for (long fails_at = 0, count = 0; fails_at <= count; fails_at++) {
        char text[200] = "";
        FILE *file = fmemopen(text, sizeof text, "w");
        assert_non_null(file);
        cor_allocations_begin(fails_at, false);
        const bool is_whole = write_text(&story, "End.", file);
        count = fails_at == 0 ? cor_allocations_end() : (cor_allocations_end(), count);
        fclose(file);
        assert_int_equal(is_whole, fails_at == 0);
        if (fails_at == 0)
            assert_string_equal(text, "     tick\n  1.    0  One.\n  2.    0  Two (so).\nEnd.\n");
    }
    for (size_t l = 0; l < 2; l++)
        COR_FREE(lines[l].sentence, lines[l].said);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_fails), cmocka_unit_test(no_line_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
