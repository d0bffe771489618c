/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of a design, of a fault and of a case made to fail in turn. There is no crash and no leak
 * (as ASan sees it), and nothing half-done passes for success. */
#include <corridor/interpreter.h>
#include <corridor/unit.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "failing_allocations.h"

static enum cor_status write_body(struct cor_body *body, struct cor_error *error) {
    COR_TRY(
        cor_body_add(body, COR_STATEMENT_IF, "place", NULL, "Tint = 'red' and Kilos < 100", false, error));
    COR_TRY(cor_body_add(body, COR_STATEMENT_SET, "place", "load.Weight", "Weight + Kilos", false, error));
    cor_body_else(body);
    COR_TRY(cor_body_add(body, COR_STATEMENT_POST, "place", "Lift", NULL, true, error));
    COR_TRY(cor_body_add_argument(body, "Kilos", "Kilos - 1", error));
    COR_TRY(cor_body_add_argument(body, "Tint", "Tint", error));
    cor_body_close(body);
    COR_TRY(cor_body_add(body, COR_STATEMENT_POST, "place", "Heavy", NULL, false, error));
    cor_body_set_aside(body);
    COR_TRY(cor_body_add_argument(body, "Weight", "Kilos", error));
    COR_TRY(cor_body_add(body, COR_STATEMENT_PARALLEL, "place", NULL, NULL, false, error));
    COR_TRY(cor_body_add(body, COR_STATEMENT_STRAND, "place", NULL, NULL, false, error));
    COR_TRY(cor_body_add(body, COR_STATEMENT_INSERT, "place", "rack", NULL, false, error));
    COR_TRY(cor_body_add_argument(body, "Place", "Kilos", error));
    COR_TRY(cor_body_add_argument(body, "Free", "rack.count", error));
    cor_body_close(body);
    COR_TRY(cor_body_add(body, COR_STATEMENT_STRAND, "place", NULL, NULL, false, error));
    COR_TRY(cor_body_add(body, COR_STATEMENT_REMOVE, "place", "rack", NULL, false, error));
    cor_body_close(body);
    cor_body_close(body);
    return cor_body_add(body, COR_STATEMENT_SEND, "place", "Done", NULL, false, error);
}

static enum cor_status write_plan(struct cor_design *design, struct cor_error *error) {
    struct cor_body body;
    cor_body_init(&body);
    COR_TRY(cor_design_add_plan(design, "Carry", 0, "place", NULL, error));
    COR_TRY(cor_design_add_use(design, &design->plans[0].posts, 0, "place", error));
    COR_TRY(cor_design_add_variable(design, 0, 1, "place", NULL, error));
    COR_TRY(cor_design_add_variable_condition(design, 0, 0, "<= Kilos", "place", error));
    COR_TRY(cor_design_add_bound(design, 0, 0, cor_integer(100), error));
    enum cor_status status = write_body(&body, error);
    if (status == COR_OK)
        status = cor_design_set_code_take(design, 0, "Kilos > 0 or Tint != 'blue'", "place", &body, error);
    cor_body_fini(&body);
    return status;
}

static enum cor_status write_design(struct cor_design *design, struct cor_error *error) {
    static const char *const colours[] = {"red", "blue"};
    uint32_t colour;
    COR_TRY(cor_design_add_type(design, "Colour", colours, 2, "place", &colour, error));
    COR_TRY(cor_design_add_belief(design, "load", "place", NULL, error));
    COR_TRY(cor_design_add_field(design, "Tint", colour, true, "place", NULL, error));
    COR_TRY(cor_design_add_field(design, "Weight", COR_DOMAIN_INTEGER, false, "place", NULL, error));
    COR_TRY(cor_design_add_belief(design, "rack", "place", NULL, error));
    COR_TRY(cor_design_add_field(design, "Place", COR_DOMAIN_INTEGER, true, "place", NULL, error));
    COR_TRY(cor_design_add_field(design, "Free", COR_DOMAIN_INTEGER, false, "place", NULL, error));
    COR_TRY(cor_design_make_relation(design, "place", error));
    COR_TRY(cor_design_add_event(design, "Lift", COR_EVENT_KIND_PERCEPT, "place", NULL, error));
    COR_TRY(cor_design_add_parameter(design, "Kilos", COR_DOMAIN_INTEGER, "place", NULL, error));
    COR_TRY(cor_design_add_parameter(design, "Tint", colour, "place", NULL, error));
    COR_TRY(cor_design_add_parameter_condition(design, 0, 0, ">= 0", "place", error));
    COR_TRY(cor_design_add_parameter_condition(design, 0, 1, "!= blue", "place", error));
    COR_TRY(cor_design_add_event(design, "Heavy", COR_EVENT_KIND_BELIEF, "place", NULL, error));
    COR_TRY(cor_design_add_parameter(design, "Weight", COR_DOMAIN_INTEGER, "place", NULL, error));
    COR_TRY(cor_design_add_rule(design, 0, "Weight > 3", 1, "place", error));
    COR_TRY(cor_design_add_message(design, "Done", "place", NULL, error));
    COR_TRY(cor_design_add_action(design, "Go", "place", NULL, error));
    return write_plan(design, error);
}

static enum cor_status run_case(const struct cor_agent_code *code, struct cor_error *error) {
    struct cor_interpreter *interpreter = cor_interpreter_create(code);
    COR_TRY(cor_made(interpreter, error));
    struct cor_trace trace;
    cor_trace_init(&trace);
    enum cor_status status = COR_OK;
    for (uint32_t c = 0; c < 2 && status == COR_OK; c++) {
        const struct cor_value arguments[] = {cor_integer(9), cor_word(code->design->domains[4].words[c])};
        const struct cor_agent_case unit_case = {
            .event = 0, .arguments = arguments, .beliefs = code->start, .steps = 100, .rounds = 9};
        status = cor_interpreter_run(interpreter, &unit_case, &trace, error);
        char *text = status == COR_OK ? cor_trace_print(code->design, &trace) : NULL;
        if (status == COR_OK)
            status = cor_made(text, error);
        if (text && c == 0)
            assert_non_null(strstr(text, "wrote load.Weight = 9\n  0     posted Heavy(Weight=9) by a rule"));
        free(text);
    }
    cor_trace_fini(&trace);
    cor_interpreter_destroy(interpreter);
    return status;
}

static enum cor_status change_and_run(struct cor_design *design, struct cor_error *error) {
    struct cor_agent_code *code = cor_agent_code_create(design);
    COR_TRY(cor_made(code, error));
    const struct cor_plan_change change = {.plan = 0, .changes_context = true, .context = "Kilos > 'x'"};
    const struct cor_plan_change possible = {.plan = 0, .changes_context = true, .context = NULL};
    enum cor_status status = run_case(code, error);
    if (status == COR_OK) { /* one that is refused, whatever memory there is */
        status = cor_agent_code_change(code, &change, NULL);
        assert_int_not_equal(status, COR_OK);
        status = status == COR_STATUS_INPUT ? COR_OK : cor_fail_memory(error);
    }
    if (status == COR_OK)
        status = cor_agent_code_change(code, &possible, error);
    if (status == COR_OK)
        status = run_case(code, error);
    cor_agent_code_destroy(code);
    return status;
}

static enum cor_status name_units(const struct cor_design *design, struct cor_error *error) {
    struct cor_units units;
    cor_units_init(&units);
    const uint32_t members[] = {0};
    enum cor_status status = cor_units_add(&units, COR_UNIT_KIND_PLAN, 0, members, 1, error);
    char *name = status == COR_OK ? cor_unit_name(design, &units, 0) : NULL;
    if (status == COR_OK)
        status = cor_made(name, error);
    free(name);
    cor_units_fini(&units);
    return status;
}

static enum cor_status all_of_it(struct cor_error *error) {
    struct cor_design *design = cor_design_create("Mover");
    COR_TRY(cor_made(design, error));
    enum cor_status status = write_design(design, error);
    if (status == COR_OK)
        status = change_and_run(design, error);
    if (status == COR_OK)
        status = name_units(design, error);
    cor_design_destroy(design);
    return status;
}

static void every_allocation_may_fail(void **unused) {
    (void)unused;
    long count = 1;
    for (long fails_at = 0; fails_at <= count; fails_at++) {
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin(fails_at, false);
        enum cor_status status = all_of_it(&error);
        long allocations = cor_allocations_end();
        assert_int_equal(status, fails_at == 0 ? COR_OK : COR_STATUS_MEMORY);
        assert_int_equal(error.status, status);
        if (fails_at == 0)
            count = allocations;
    }
    assert_true(count > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests_name("agent_memory", tests, NULL, NULL);
}
