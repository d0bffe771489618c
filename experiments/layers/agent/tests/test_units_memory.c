/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation made to fail in turn while a design is read, ordered and made into cases, and while faults
 * are read and made. What fails are Corridor's own allocations. There is no
 * crash, no leak under ASan, and nothing half-done passes for success. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/agent_fault.h>
#include <corridor/unit_cases.h>

#include <stdlib.h>
#include <unistd.h>

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/agent/tests/invalid"

static enum cor_status make_cases(struct cor_design_file *file, struct cor_error *error) {
    struct cor_test_settings settings = file->design->settings;
    enum cor_status status = COR_OK;
    settings.policy = COR_POLICY_VALID_T;
    for (uint32_t u = 0; u < file->order.units.count && status == COR_OK; u++) {
        struct cor_unit_cases cases;
        status = cor_unit_cases_init(&cases, file, u, &settings, error);
        cor_unit_cases_fini(&cases);
    }
    return status;
}

static enum cor_status read_order_and_make_cases(struct cor_error *error) {
    struct cor_units steps[COR_PAPER_STEPS];
    struct cor_design_file *file;
    enum cor_status status = COR_OK;
    COR_TRY(cor_design_file_read("valid.json", &file, error));
    COR_TRY_OUT(cor_paper_order_init(steps, file->design, error));
    cor_paper_order_fini(steps);
    COR_TRY_OUT(make_cases(file, error));
out:
    cor_design_file_destroy(file);
    return status;
}

static struct cor_design_file *small;

static enum cor_status read_faults(struct cor_error *error) {
    struct cor_agent_faults faults;
    COR_TRY(cor_agent_faults_read(&faults, "valid-faults.json", small->design, error));
    cor_agent_faults_fini(&faults);
    return COR_OK;
}

static enum cor_status make_mutants(struct cor_error *error) {
    struct cor_agent_faults mutants;
    COR_TRY(cor_agent_mutants(&mutants, small->design, error));
    cor_agent_faults_fini(&mutants);
    return COR_OK;
}

/* Runs it once whole, then once for each allocation. */
static void fail_each(enum cor_status (*run)(struct cor_error *error), long step) {
    struct cor_error error = COR_NO_ERROR;
    cor_allocations_begin(0, false);
    enum cor_status status = run(&error);
    long count = cor_allocations_end();
    assert_int_equal(status, COR_OK);
    assert_true(count > 20);
    for (long at = 1; at <= count; at += step) {
        error = COR_NO_ERROR;
        cor_allocations_begin(at, false);
        status = run(&error);
        cor_allocations_end();
        if (status != COR_STATUS_MEMORY)
            fail_msg("allocation %ld of %ld failed, and the status is \"%s\": %s", at, count,
                     cor_status_text(status), error.cause);
        assert_int_equal(error.status, COR_STATUS_MEMORY);
    }
}

static void memory_may_run_out_while_a_design_is_read_and_made_into_cases(void **state) {
    (void)state;
    fail_each(read_order_and_make_cases, 1);
}

static void memory_may_run_out_while_faults_are_read(void **state) {
    (void)state;
    fail_each(read_faults, 1);
}

static void memory_may_run_out_while_mutants_are_made(void **state) {
    (void)state;
    assert_int_equal(make_mutants(NULL), COR_OK); /* words that are new to the design are so once */
    fail_each(make_mutants, 7);
}

static int set_up(void **state) {
    (void)state;
    return chdir(CORPUS) != 0 || cor_design_file_read("valid.json", &small, NULL) != COR_OK;
}

static int tear_down(void **state) {
    (void)state;
    cor_design_file_destroy(small);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_run_out_while_a_design_is_read_and_made_into_cases),
        cmocka_unit_test(memory_may_run_out_while_faults_are_read),
        cmocka_unit_test(memory_may_run_out_while_mutants_are_made),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
