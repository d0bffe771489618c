/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shrink of a failure of tests of a running system. */
#include "layer_commands.h"
#include "output.h"
#include "running.h"

#include <corridor/arms.h>
#include <corridor/system_schema.h>
#include <corridor/system_shrink.h>

static const struct cor_column_definition system_sheet_columns[] = {
    {"commands", "commands", "commands", "of the smaller test", COR_CELL_COUNT, 0, 0},
    {"commands_before", "before", "commands", "of the test that failed", COR_CELL_COUNT, 0, 0},
    {"things", "things", "", "of the world that can be left out, in the smaller test", COR_CELL_COUNT, 0, 0},
    {"things_before", "before", "", "in the world as it was", COR_CELL_COUNT, 0, 0},
    {"executions", "executions", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"minimal", "minimal", "", "no command and no thing can be left out", COR_CELL_FLAG, 0, 0},
    {"repeats", "repeats", "", "the commands alone fail alike", COR_CELL_FLAG, 0, 0},
    {"check", "check", "", "that is violated, the trouble of the world, or whose goal failed", COR_CELL_TEXT,
     0, 0},
    {"needed", "needed", "", "what must be there: commands, the goal that fails, things of the world",
     COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(system_sheet, "shrink", "Shrink", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static bool go_on_with_system(void *self, uint64_t executions, uint32_t commands) {
    return cor_progress_goes_on(self, "%u commands after %llu executions", commands,
                                (unsigned long long)executions);
}

static enum cor_status show_system(const struct cor_shrink_request *r,
                                   const struct cor_system_shrink_report *report, struct cor_error *error) {
    struct cor_sheets *sheets;
    if (r->to_standard_output)
        return COR_OK;
    if (!r->json) {
        cor_print("%s\n", report->said);
        return COR_OK;
    }
    COR_TRY(cor_sheets_create("corridor-shrink-system", 1, &sheets, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &system_sheet);
    cor_sheet_row(sheet);
    cor_sheet_counts(sheet, 5,
                     (const uint64_t[]){report->commands, report->commands_before, report->things,
                                        report->things_before, report->executions});
    cor_sheet_flag(sheet, report->is_minimal);
    cor_sheet_flag(sheet, report->test != NULL);
    cor_sheet_text(sheet, "%s", report->check);
    cor_sheet_text(sheet, "%s", report->needed);
    const enum cor_status status = cor_sheets_json(sheets, stdout, error);
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status shrink_system(const struct cor_shrink_request *r, struct cor_result **result,
                                     struct cor_system_shrink_report *report, struct cor_error *error) {
    double shown = 0;
    struct cor_failure_key key;
    const char *doubt;
    const bool forces = r->forces || cor_output_is_left(r->output, r->arguments);
    COR_TRY(cor_output_check_before(r->output, forces, error));
    COR_TRY(cor_open_result(r->arguments->command, r->unsealed, r->path, &cor_system_schema, result, &doubt,
                            error));
    const struct cor_result_header *head = cor_result_head(*result);
    COR_TRY(cor_failure_key_parse(head, "--failure", r->key, &key, error));
    if (key.sequence != COR_WHOLE_SUITE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure", "ARM/SUITE: see corridor show FILE goals",
                        "tests of running systems have no sequences: \"%s\"", r->key);
    const struct cor_system_shrink_definition definition = {.arm = cor_arm_entry(head, key.arm)->code,
                                                            .suite = key.suite,
                                                            .trust = r->trust,
                                                            .isolation = r->isolation,
                                                            .budget = r->budget,
                                                            .go_on = go_on_with_system,
                                                            .self = &shown};
    cor_catch_interrupts_briefly();
    const enum cor_status status = cor_system_shrink(*result, r->path, &definition, report, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    if (report->test)
        COR_TRY(cor_output_leave(r->output, report->test, forces, r->arguments,
                                 !report->is_minimal && cor_interrupts() > 0, error));
    return show_system(r, report, error);
}

static enum cor_exit shrink(const struct cor_shrink_request *r) {
    struct cor_system_shrink_report report = {0};
    struct cor_result *result = NULL;
    struct cor_error error = COR_NO_ERROR;
    const enum cor_status status = shrink_system(r, &result, &report, &error);
    const bool repeats = report.test, is_whole = report.is_minimal;
    cor_system_shrink_report_fini(&report);
    cor_result_close(result);
    return status != COR_OK                    ? cor_report(&error)
           : !is_whole && cor_interrupts() > 0 ? COR_EXIT_INCOMPLETE
           : repeats                           ? COR_EXIT_DONE
                                               : COR_EXIT_EXPECTATION;
}

/* Each test begins with what a policy was given, but for a program: it is one for tests in their turn, and
 * told its reward. */
static bool learns_on(const struct cor_json *object, const char *name, char why[COR_NO_LAW_BYTES]) {
    struct cor_json policy, program;
    if (!cor_json_find(object, "policy", &policy) || !cor_json_is_object(&policy) ||
        !cor_json_find(&policy, "program", &program))
        return false;
    snprintf(why, COR_NO_LAW_BYTES,
             "the policy of %.80s is a program, which may learn from one test for the next: tests are not "
             "independent",
             name);
    return true;
}

static bool no_law(const struct cor_json *experiment, const struct cor_json *arm,
                   char why[COR_NO_LAW_BYTES]) {
    struct cor_json tests, agents, policy;
    if (cor_json_find(arm, "policy", &policy)) /* of all its test agents */
        return learns_on(arm, "the arm", why);
    for (size_t t = 0; cor_json_find(experiment, "tests", &tests) && t < cor_json_size(&tests); t++) {
        const struct cor_json test = cor_json_at(&tests, t);
        for (size_t a = 0; cor_json_find(&test, "agents", &agents) && a < cor_json_size(&agents); a++) {
            const struct cor_json agent = cor_json_at(&agents, a);
            const char *name = cor_json_called(&agent);
            if (learns_on(&agent, name ? name : "a test agent", why))
                return true;
        }
    }
    return false;
}

static const char *const not_of_shrink[] = {"free", "reseed", "check", "property", NULL};
const struct cor_layer_commands cor_commands_of_system;
const struct cor_layer_commands cor_commands_of_system = {&cor_system_schema,
                                                          .isolates = true,
                                                          .shows_suites = true,
                                                          .no_law = no_law,
                                                          .shrink = shrink,
                                                          .not_of_shrink = not_of_shrink,
                                                          .tests = "tests of a running system"};
