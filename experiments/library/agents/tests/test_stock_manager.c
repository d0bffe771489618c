/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One agent in three languages: design, C module and Python program report the same in every case of every
 * unit, sound and with each of the faults. */
#include <corridor/agent_fault.h>
#include <corridor/aut_session.h>
#include <corridor/unit_cases.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define FOLDER TEST_SOURCE_DIR "/experiments/library/agents/"
#define PROGRAM "python3 -I -S " TEST_SOURCE_SHELL "/experiments/library/agents/stock_manager.py"

static void sound(enum cor_status status, const struct cor_error *error) {
    if (status != COR_OK)
        fail_msg("%s: %s (%s)", error->place, error->cause, error->remedy);
}

static struct cor_design_file *read_design(void) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file;
    sound(cor_design_file_read(FOLDER "stock_manager.json", &file, &error), &error);
    return file;
}

/* The agent in one of its languages: `agent` is NULL for the interpreter of `code`. */
static struct cor_aut_session *opened(const struct cor_design_file *file, const struct cor_agent_code *code,
                                      const char *agent, const char *fault) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_aut_session *session;
    struct cor_aut_definition definition = cor_default_aut(file->design);
    definition.way = agent ? cor_aut_way_of(agent) : COR_AUT_INTERPRETER;
    definition.code = code;
    definition.agent = agent;
    definition.fault = fault;
    definition.design_json = file->text;
    definition.answer_seconds = 600;
    sound(cor_aut_open(&definition, &session, &error), &error);
    return session;
}

static struct cor_trace trace_of(struct cor_aut_session *session, const struct cor_agent_case *asked) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_trace trace;
    cor_trace_init(&trace);
    sound(cor_aut_run(session, asked, &trace, &error), &error);
    return trace;
}

static void assert_case_alike(const struct cor_design *design, struct cor_aut_session *truth,
                              struct cor_aut_session *session, const struct cor_agent_case *asked,
                              const char *fault) {
    struct cor_trace expected = trace_of(truth, asked), trace = trace_of(session, asked);
    if (!cor_trace_equal(&expected, &trace)) {
        char *wanted = cor_trace_print(design, &expected), *given = cor_trace_print(design, &trace);
        print_error("%s with fault %s: wanted\n%sgiven\n%s%s\n", cor_aut_name(session), fault, wanted, given,
                    cor_aut_last_words(session));
        free(wanted);
        free(given);
        fail();
    }
    cor_trace_fini(&expected);
    cor_trace_fini(&trace);
}

/* All cases of all units under the design's own settings. Returns how many. */
static uint64_t assert_alike(const struct cor_design_file *file, struct cor_aut_session *truth,
                             struct cor_aut_session *session, const char *fault) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_design *design = file->design;
    struct cor_case_values values;
    uint64_t count = 0;
    sound(cor_case_values_init(&values, design, &error), &error);
    for (uint32_t unit = 0; unit < file->order.units.count; unit++) {
        struct cor_unit_cases cases;
        sound(cor_unit_cases_init(&cases, file, unit, NULL, &error), &error);
        for (uint64_t i = 0; i < cases.count; i++, count++) {
            cor_unit_case_make(&cases, i, &values);
            struct cor_agent_case asked = {.event = values.event,
                                           .arguments = values.arguments,
                                           .beliefs = values.beliefs,
                                           .seed = i,
                                           .steps = design->settings.step_limit,
                                           .rounds = design->settings.cycle_limit};
            assert_case_alike(design, truth, session, &asked, fault);
        }
        cor_unit_cases_fini(&cases);
    }
    cor_case_values_fini(&values);
    return count;
}

/* The wiring that the agent says is the interpreter's, too. */
static void assert_wired_alike(const struct cor_design *design, const struct cor_aut_session *truth,
                               const struct cor_aut_session *session, const char *fault) {
    for (uint32_t plan = 0; plan < design->plan_count; plan++)
        if (cor_aut_trigger(truth, plan) != cor_aut_trigger(session, plan))
            fail_msg("fault %s: plan %s is wired to another event", fault, design->plans[plan].name);
}

static void assert_alike_with_faults(const char *agent) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file = read_design();
    struct cor_agent_faults faults = {0};
    sound(cor_agent_faults_read(&faults, FOLDER "stock_manager_faults.json", file->design, &error), &error);
    assert_int_equal(faults.count, 19);
    for (uint32_t f = 0; f <= faults.count; f++) {
        const char *name = f < faults.count ? faults.faults[f].name : "none";
        struct cor_agent_code *code = NULL;
        if (f < faults.count)
            sound(cor_agent_fault_apply(&faults.faults[f], file->design, &code, &error), &error);
        else
            assert_non_null(code = cor_agent_code_create(file->design));
        struct cor_aut_session *truth = opened(file, code, NULL, NULL),
                               *session = opened(file, NULL, agent, name);
        assert_int_equal(cor_aut_fault_count(session), faults.count);
        if (f < faults.count) {
            assert_string_equal(cor_aut_fault_name(session, f), name);
            assert_string_equal(cor_aut_fault_meaning(session, f), faults.faults[f].meaning);
        }
        assert_wired_alike(file->design, truth, session, name);
        assert_true(assert_alike(file, truth, session, name) > 500);
        cor_aut_close(session);
        cor_aut_close(truth);
        cor_agent_code_destroy(code);
    }
    cor_agent_faults_fini(&faults);
    cor_design_file_destroy(file);
}

static void the_module_is_alike_with_the_design_and_each_fault(void **state) {
    (void)state;
    assert_alike_with_faults("./stock_manager.so");
}

static void the_program_is_alike_with_the_design_and_each_fault(void **state) {
    (void)state;
    assert_alike_with_faults(PROGRAM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_module_is_alike_with_the_design_and_each_fault),
        cmocka_unit_test(the_program_is_alike_with_the_design_and_each_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
