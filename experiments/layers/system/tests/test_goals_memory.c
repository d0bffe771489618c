/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of goals and pursuits made to fail in turn: an error, no crash, no leak; and none is made
 * while a test agent with a simple tactic goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"
#include "goal_world.h"
#include "line_travel.h"
#include "require.h"

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/system/tests/invalid"

static struct cor_json_document *document;

static enum cor_status once(struct cor_error *error) {
    struct goal_run run = {.document = NULL};
    const struct cor_json test = cor_json_root(document);
    enum cor_status status = goal_run_read(&run, &test, error);
    if (status == COR_OK)
        status = goal_run_begin(&run, COR_BUDGET_INFINITE, NULL, error);
    enum cor_pursuit_choice choice = COR_PURSUIT_ACT;
    struct cor_world_command command;
    for (int cycle = 0; status == COR_OK && choice != COR_PURSUIT_ENDED && cycle < 40; cycle++)
        status = goal_run_cycle(&run, &choice, &command, error);
    goal_run_fini(&run);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    REQUIRE(cor_json_read(CORPUS "/valid.json", &document, &said));
    long at = 0, failed = 0;
    enum cor_status status;
    const int64_t held = cor_allocations_held();
    do {
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin(++at, false);
        status = once(&error);
        (void)cor_allocations_end();
        assert_true(status == COR_OK || status == COR_STATUS_MEMORY);
        assert_int_equal(error.status, status);
        failed += status != COR_OK;
    } while (status != COR_OK);
    assert_int_equal(cor_allocations_held(), held);
    assert_true(failed > 100);
    cor_json_destroy(document);
}

static void cycles_allocate_nothing(void **state) {
    (void)state;
    struct goal_run run = {.document = NULL};
    REQUIRE(cor_json_parse(
        "{\"goal\": {\"repeat\": {\"seq\": [{\"goal\": \"w.x = 3\", \"tactic\": \"b\"}, {\"goal\": "
        "\"all(i in item: i.on)\", \"tactic\": {\"first_of\": [{\"action\": {\"do\": \"press\", "
        "\"on\": \"any(i in item where not i.on)\"}}, \"abort\"]}}, \"fail\"]}}}",
        "goal", &run.document, &said));
    const struct cor_json test = cor_json_root(run.document);
    enum cor_pursuit_choice choice;
    struct cor_world_command command;
    REQUIRE(goal_run_read(&run, &test, &said));
    REQUIRE(goal_run_begin(&run, COR_BUDGET_INFINITE, NULL, &said));
    for (int cycle = 0; cycle < 10; cycle++)
        REQUIRE(goal_run_cycle(&run, &choice, &command, &said));
    for (int cycle = 0; cycle < 100; cycle++) {
        cor_allocations_begin(0, false);
        REQUIRE(cor_pursuit_choose(run.pursuit, &run.rng, &choice, &command, &said));
        assert_int_equal(cor_allocations_end(), 0);
        goal_world_act(&run.world, &command);
        REQUIRE(cor_beliefs_merge(run.beliefs, goal_world_view(&run.world), &said));
        cor_allocations_begin(0, false);
        REQUIRE(cor_pursuit_propose(run.pursuit, &said));
        assert_int_equal(cor_allocations_end(), 0);
    }
    goal_run_fini(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_told),
                                       cmocka_unit_test(cycles_allocate_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
