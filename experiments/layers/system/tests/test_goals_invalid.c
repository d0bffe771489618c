/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs over the list tests/invalid/cases.txt: goals are refused with exactly the message there; and what is
 * nested too deep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goal_world.h"
#include "invalid_corpus.h"
#include "line_travel.h"
#include "require.h"

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/system/tests/invalid"

static enum cor_status read_goals(const char *path, struct cor_error *error) {
    struct goal_run run = {.document = NULL};
    enum cor_status status = cor_json_read(path, &run.document, error);
    const struct cor_json test = run.document ? cor_json_root(run.document) : (struct cor_json){0};
    if (status == COR_OK)
        status = goal_run_read(&run, &test, error);
    goal_run_fini(&run);
    return status;
}

static void invalid_goals_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 60, read_goals);
}

static void the_goals_they_were_made_of_are_valid(void **state) {
    (void)state;
    assert_int_equal(chdir(CORPUS), 0);
    struct cor_error error = COR_NO_ERROR;
    if (read_goals("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
}

/* Each name is one more level than files can have. */
static void goals_are_not_nested_without_end(void **state) {
    (void)state;
    char *text = cor_format("{\"goal\": \"g0\", \"goals\": {\"g300\": \"fail\"");
    for (int i = 0; i < 300; i++)
        text = cor_join_take(text, ", ", cor_format("\"g%d\": {\"repeat\": \"g%d\"}", i, i + 1));
    text = cor_join_take(text, "", cor_format("}}"));
    struct goal_run run = {.document = NULL};
    struct cor_error error = COR_NO_ERROR;
    REQUIRE(cor_json_parse(text, "deep.json", &run.document, &said));
    free(text);
    const struct cor_json test = cor_json_root(run.document);
    assert_int_equal(goal_run_read(&run, &test, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "goals are nested more than 200 deep here");
    goal_run_fini(&run);
}

/* What was read of goals that are refused is not mixed up with those that are read next. */
static void goals_that_are_refused_leave_nothing(void **state) {
    (void)state;
    struct goal_run run = {.document = NULL};
    struct cor_error error = COR_NO_ERROR;
    REQUIRE(
        cor_json_parse("{\"goal\": {\"seq\": [{\"check\": \"w.x = 0\"}, {\"check\": \"w.f\"}, \"nobody\"]}, "
                       "\"next\": {\"seq\": [{\"check\": \"w.f\"}, {\"check\": \"w.x = 0\"}]}}",
                       "goals.json", &run.document, &said));
    const struct cor_json test = cor_json_root(run.document);
    struct cor_json next;
    assert_int_equal(goal_run_read(&run, &test, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "there is no goal \"nobody\"");
    REQUIRE(cor_json_need(&test, "next", &next, &said));
    REQUIRE(cor_goals_read(run.goals, "w", &next, &run.root, &said));
    run.world.f = true;
    run.world.x = 1;
    REQUIRE(goal_run_begin(&run, COR_BUDGET_INFINITE, NULL, &said));
    enum cor_pursuit_choice choice;
    struct cor_world_command command;
    for (int cycle = 0; cycle < 2; cycle++)
        REQUIRE(goal_run_cycle(&run, &choice, &command, &said));
    assert_int_equal(cor_pursuit_status(run.pursuit), COR_GOAL_FAILED);
    assert_string_equal(cor_pursuit_why(run.pursuit), "\"w.x = 0\" does not hold");
    goal_run_fini(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_goals_they_were_made_of_are_valid),
                                       cmocka_unit_test(invalid_goals_are_refused_in_so_many_words),
                                       cmocka_unit_test(goals_are_not_nested_without_end),
                                       cmocka_unit_test(goals_that_are_refused_leave_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
