/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands about result files and tests know of the layer: tests executed again, shrunk, told, kept;
 * and what test agents made of a campaign that was their world, as a test of its own. */
#include "isolation.h"
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"
#include "whole_page.h"

#include <corridor/arms.h>
#include <corridor/system_experiment.h>
#include <corridor/system_layer.h>
#include <corridor/system_result.h>

#include <stdlib.h>
#include <string.h>

static struct cor_test_row test_of_row(const struct cor_layer_tables *system, uint64_t index) {
    const struct cor_system_test_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, index);
    return (struct cor_test_row){
        .arm = row->arm, .suite = row->suite, .size = row->cycles, .digest = row->replies};
}

static const char *name_in(const void *names, enum cor_system_catalog catalog, uint16_t code) {
    return cor_system_name(names, catalog, code);
}

static enum cor_status failure_of_row(const struct cor_layer_tables *system, uint64_t index, char **failure,
                                      struct cor_error *error) {
    const struct cor_system_test_row *test = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, index);
    struct system_layer__ended ended = {.test = test,
                                        .texts = system->items[COR_SYSTEM_VECTOR_TEXT],
                                        .text_bytes = system->item_count[COR_SYSTEM_VECTOR_TEXT],
                                        .name = name_in,
                                        .names = system};
    uint64_t first, count;
    first = cor_layer_rows_of(system, COR_SYSTEM_TABLE_VERDICTS, test->arm, test->suite, &count);
    if ((ended.verdict_count = count) > 0)
        ended.verdicts = cor_layer_row(system, COR_SYSTEM_TABLE_VERDICTS, first);
    first = cor_layer_rows_of(system, COR_SYSTEM_TABLE_AGENTS, test->arm, test->suite, &count);
    if ((ended.agent_count = count) > 0)
        ended.agents = cor_layer_row(system, COR_SYSTEM_TABLE_AGENTS, first);
    return system_layer__failure(&ended, NULL, failure, NULL, error);
}

static enum cor_status tell(const struct cor_tests_source *source, const struct cor_replay_options *options,
                            struct cor_error *error) {
    char *text;
    (void)options;
    COR_TRY(system_layer__told(source->bench, &source->test, &text, error));
    const enum cor_status status = cor_output_text(NULL, text, false, error);
    free(text);
    return status;
}

/* ---- replay --inner: what test agents made of a campaign, as a test of its own */

/* Suite `suite` of an arm whose world is a campaign, carried out, as the text of a test file
 * (docs/do/test-files.md), which is executed, too: *parts says where its rows are others, NULL: they are not.
 * Both are freed with free(). COR_STATUS_INPUT: the world is another, or no case was executed. */
static enum cor_status make_inner(const struct cor_system_experiment *experiment, uint32_t arm,
                                  uint32_t suite, char **text, char **parts, struct cor_error *error) {
    struct system_layer__rig *rig = NULL;
    struct cor_record *record = NULL;
    struct cor_suite_counts tally;
    enum cor_status status;
    if (experiment->world->maker != &system_layer__campaign_maker)
        return cor_fail(error, COR_STATUS_INPUT, experiment->head.path, "test files are of campaigns",
                        "the world is one of \"%s\"", experiment->world->maker->key);
    COR_TRY(cor_record_create(&cor_system_schema, &record, error));
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY_OUT(
        system_layer__rig_create(experiment, arm, suite % experiment->entry_count, NULL, &rig, error));
    COR_TRY_OUT(system_layer__run(rig, suite / experiment->entry_count, NULL, record, &tally, error));
    COR_TRY_OUT(system_layer__campaign_test(rig->world, text, parts, error));
out:
    system_layer__rig_destroy(rig);
    cor_record_destroy(record);
    return status;
}

static enum cor_exit write_inner(const struct cor_arguments *arguments, const char *key, const char *output,
                                 bool force) {
    const struct cor_replay_options *options = arguments->request;
    const char *path = arguments->words[0], *doubt;
    struct cor_result *result = NULL;
    struct cor_opened opened = {0};
    struct cor_failure_key which;
    struct cor_error error = COR_NO_ERROR;
    char *test = NULL, *parts = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_output_check_before(output, force, &error));
    COR_TRY_OUT(cor_open_result(arguments->command, options->unsealed, path, &cor_system_schema, &result,
                                &doubt, &error));
    COR_TRY_OUT(cor_failure_key_parse(cor_result_head(result), "--failure", key, &which, &error));
    COR_TRY_OUT(cor_open_stored(result, path, options->trust,
                                &(struct cor_layer_options){.isolation = (int)options->isolation}, &opened,
                                &error));
    const struct cor_system_experiment *experiment = (const void *)opened.experiment;
    if (which.sequence != COR_WHOLE_SUITE || which.suite >= experiment->head.suite_count)
        COR_TRY_OUT(cor_fail(&error, COR_STATUS_INPUT, "--failure", "ARM/SUITE: see corridor failures",
                             "there is no test %s", key));
    COR_TRY_OUT(make_inner(experiment, cor_arm_entry(cor_result_head(result), which.arm)->code, which.suite,
                           &test, &parts, &error));
    if (!parts)
        COR_TRY_OUT(cor_output_text(output, test, force, &error));
    else
        cor_say("%s is not written: the walk does not come out as it was, %s", output, parts);
out:
    cor_opened_fini(&opened);
    cor_result_close(result);
    const enum cor_exit code = status != COR_OK ? cor_report(&error)
                               : parts          ? COR_EXIT_EXPECTATION
                                                : COR_EXIT_DONE;
    free(test);
    free(parts);
    return code;
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

static bool no_law(const struct cor_json *experiment, const struct cor_json *arm, const char *name,
                   char why[COR_NO_LAW_BYTES]) {
    struct cor_json tests, agents, policy;
    (void)name;
    if (cor_json_find(arm, "policy", &policy)) /* of all its test agents */
        return learns_on(arm, "the arm", why);
    for (size_t t = 0; cor_json_find(experiment, "tests", &tests) && t < cor_json_size(&tests); t++) {
        const struct cor_json test = cor_json_at(&tests, t);
        for (size_t a = 0; cor_json_find(&test, "agents", &agents) && a < cor_json_size(&agents); a++) {
            const struct cor_json agent = cor_json_at(&agents, a);
            const char *called = cor_json_called(&agent);
            if (learns_on(&agent, called ? called : "a test agent", why))
                return true;
        }
    }
    return false;
}

static const char
    *const not_of_shrink[] = {"constraint",      "property",          "free", "reseed", "check", "json",
                              "fresh-processes", "require-isolation", NULL},
           *const not_of_replay[] = {"dump",        "csv",      "sheet",      "where", "json",
                                     "output",      "property", "class-only", "fault", "replay-traffic",
                                     "failures-of", "svg",      NULL};

static const struct cor_lack lacks[] = {
    {"search", "test agents search for their goals themselves, each by its policy",
     "corridor run; corridor system train, for a policy that learns"},
    {"estimate", "tests of a running system are drawn as they are: nothing makes a failure more frequent",
     "corridor decide FILE 'P <= 0.01 [ failed ]'"},
    {"explore", "examples of a running system are words that are named, no numbers that are drawn",
     "an arm for each of them, and corridor show FILE"},
    {"why",
     "of commands that are left out all that is shown behind them is another: they have one order alone",
     "corridor shrink leaves those that are needed, corridor replay TEST.json --trace tells them"},
    {0}};

const struct cor_layer_commands cor_commands_of_system;
const struct cor_layer_commands cor_commands_of_system = {&cor_system_schema,
                                                          .isolates = true,
                                                          .shows_suites = true,
                                                          .failures = "goals",
                                                          .tested = &cor_system_layer,
                                                          .tell = tell,
                                                          .load = cor_system_result_init,
                                                          .test = test_of_row,
                                                          .failure = failure_of_row,
                                                          .keys = "ARM/SUITE",
                                                          .is_suite = true,
                                                          .sequences = COR_SYSTEM_TABLE_TESTS,
                                                          .no_law = no_law,
                                                          .inner = write_inner,
                                                          .not_of_shrink = not_of_shrink,
                                                          .not_of_replay = not_of_replay,
                                                          .lacks = lacks,
                                                          .tests = "tests of a running system"};
