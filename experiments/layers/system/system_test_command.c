/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system test: the tests of a file, or one of them, run as any campaign, and shown. What the commands about
 * result files and tests know of the layer: tests executed again, shrunk, told, kept; and what test agents
 * made of a campaign that was their world, as a test of its own. */
#include "commands.h"
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"
#include "subject_commands.h"
#include "whole_page.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>
#include <corridor/layer_tables.h>
#include <corridor/system_experiment.h>
#include <corridor/system_layer.h>
#include <corridor/system_result.h>
#include <corridor/system_schema.h>
#include <corridor/system_terms.h>
#include <corridor/verdicts.h>

#include <stdlib.h>
#include <string.h>

enum { FAIL_ON_FAILED, FAIL_ON_UNDECIDED, FAIL_ON_NOTHING };

static const char *fail_on_word(size_t index) {
    static const char *const words[] = {"failed", "undecided", "nothing"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

struct request {
    struct cor_sheet_options sheets;
    struct cor_made_options made;
    bool junit, tap, trace;
    const char *test;
    int64_t example;
    int fail_on;
    bool show_config;
    struct cor_layer_options options; /* isolation, and whom to tell what counts */
};

/* ---- the experiment */

/* The test that is asked for. */
static enum cor_status find_test(const struct cor_json *root, const char *name, size_t *index,
                                 struct cor_error *error) {
    struct cor_json tests, member;
    const char *called = NULL;
    COR_FREED const char **names = NULL;
    char known[512];
    COR_TRY(cor_json_need(root, "tests", &tests, error));
    COR_TRY(cor_made(names = cor_calloc(cor_json_size(&tests) + 1, sizeof *names), error));
    for (*index = 0; *index < cor_json_size(&tests); ++*index) {
        const struct cor_json item = cor_json_at(&tests, *index);
        COR_TRY(cor_json_need(&item, "name", &member, error));
        COR_TRY(cor_json_string(&member, &called, error));
        if (strcmp(called, name) == 0)
            return COR_OK;
        names[*index] = called;
    }
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, "--test", known, "there is no test \"%s\"", name);
}

/* The file with the one test, or the one row of examples, that is asked for. */
static enum cor_status narrow(const struct request *request, const char *path, const struct cor_json *root,
                              char **text, struct cor_error *error) {
    COR_DESTROYED(cor_system_experiment) struct cor_system_experiment *experiment = NULL;
    const struct cor_system_entry *entry = NULL;
    COR_DESTROYED(cor_json_writer) struct cor_json_writer *writer = NULL;
    size_t test = 0;
    COR_FREED char *whole = NULL;
    enum cor_status status = COR_OK;
    if (request->test)
        COR_TRY(find_test(root, request->test, &test, error));
    if (request->example > 0) {
        COR_TRY(cor_made(whole = cor_json_text(root), error));
        COR_TRY(cor_system_experiment_parse(whole, path, NULL, &experiment, error));
        const uint32_t rows = experiment->entry_count / experiment->test_count;
        if (request->example > rows)
            COR_TRY(cor_fail(error, COR_STATUS_INPUT, "--case", NULL, "there %s %u row%s of examples",
                             rows == 1 ? "is" : "are", rows, rows == 1 ? "" : "s"));
        entry = &experiment->entries[request->example - 1];
    }
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(item, root) {
        if (strcmp(item.key, "tests") == 0 && request->test) {
            const struct cor_json only = cor_json_at(&item, test);
            cor_json_open_array(writer, item.key);
            cor_json_put_value(writer, NULL, &only);
            cor_json_close(writer);
        } else if (strcmp(item.key, "examples") == 0 && entry && experiment->parameter_count > 0) {
            cor_json_open_object(writer, "examples");
            for (uint32_t p = 0; p < experiment->parameter_count; p++) {
                cor_json_open_array(writer, experiment->parameters[p].name);
                cor_json_put_text(writer, NULL, experiment->parameters[p].texts[entry->levels[p]]);
                cor_json_close(writer);
            }
            cor_json_close(writer);
        } else
            cor_json_put_value(writer, item.key, &item);
    }
    cor_json_close(writer);
    status = cor_json_text_take(writer, 0, text, error);
    writer = NULL;
    return status;
}

static enum cor_status open_file(void *context, const char *path, struct cor_opened *opened,
                                 struct cor_error *error) {
    const struct request *request = context;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *text = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY(cor_json_expect_kind(&root, COR_KIND_SYSTEM_EXPERIMENT, error));
    if (request->test || request->example > 0)
        COR_TRY(narrow(request, path, &root, &text, error));
    else
        COR_TRY(cor_made(text = cor_json_text(&root), error));
    return cor_open_text(path, text, &request->options, opened, error);
}

/* ---- what came of it */

static const char *name_of(const struct cor_layer_tables *tables, enum cor_system_catalog catalog,
                           uint16_t code) {
    return cor_result_name(tables->result, (uint32_t)catalog, code);
}

static bool fits(const struct cor_layer_tables *tables, uint64_t start, uint32_t bytes) {
    const uint64_t count = tables->item_count[COR_SYSTEM_VECTOR_TEXT];
    return start <= count && bytes <= count - start;
}

static void put_text(struct cor_json_writer *writer, const struct cor_layer_tables *tables, const char *key,
                     uint64_t start, uint32_t bytes) {
    const char *texts = tables->items[COR_SYSTEM_VECTOR_TEXT];
    cor_json_put_part(writer, key, bytes > 0 && fits(tables, start, bytes) ? texts + start : "",
                      fits(tables, start, bytes) ? bytes : 0);
}

/* Those of formulas, or all others. */
static void put_verdicts(struct cor_json_writer *writer, const struct cor_layer_tables *tables,
                         const struct cor_system_test_row *test, bool of_formulas) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(tables, COR_SYSTEM_TABLE_VERDICTS, test->arm, test->suite, &count);
    cor_json_open_array(writer, of_formulas ? "formulas" : "verdicts");
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_verdict_row *row = cor_layer_row(tables, COR_SYSTEM_TABLE_VERDICTS, i);
        if ((row->judge == COR_JUDGE_FORMULA) != of_formulas)
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "judge", cor_term_word(COR_FAMILY_JUDGE, row->judge));
        cor_json_put_string(writer, "check", name_of(tables, COR_SYSTEM_CATALOG_CHECK, row->check));
        cor_json_put_string(writer, "verdict", cor_term_word(COR_FAMILY_VERDICT, row->verdict));
        if (row->test_agent > 0)
            cor_json_put_string(writer, "agent", name_of(tables, COR_SYSTEM_CATALOG_AGENT, row->test_agent));
        cor_json_put_integer(writer, "cycle", row->cycle);
        put_text(writer, tables, "why", row->why_start, row->why_bytes);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static enum cor_status print_json(const struct cor_layer_tables *tables, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_document_open("corridor-system-test", 1, &writer, error));
    cor_json_open_array(writer, "tests");
    for (uint64_t i = 0; i < tables->count[COR_SYSTEM_TABLE_TESTS]; i++) {
        const struct cor_system_test_row *row = cor_layer_row(tables, COR_SYSTEM_TABLE_TESTS, i);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", name_of(tables, COR_SYSTEM_CATALOG_TEST, row->test));
        cor_json_put_string(writer, "arm", name_of(tables, COR_SYSTEM_CATALOG_ARM, row->arm));
        cor_json_put_integer(writer, "run", row->run);
        cor_json_put_string(writer, "verdict", cor_term_word(COR_FAMILY_TEST, row->verdict));
        put_text(writer, tables, "why", row->why_start, row->why_bytes);
        cor_json_put_integer(writer, "cycles", row->cycles);
        cor_json_put_integer(writer, "decided", row->decided);
        cor_json_put_word(writer, "replies", row->replies);
        uint64_t agents;
        const uint64_t first_agent =
            cor_layer_rows_of(tables, COR_SYSTEM_TABLE_AGENTS, row->arm, row->suite, &agents);
        cor_json_open_array(writer, "agents");
        for (uint64_t a = first_agent; a < first_agent + agents; a++) {
            const struct cor_system_agent_row *of = cor_layer_row(tables, COR_SYSTEM_TABLE_AGENTS, a);
            cor_json_open_object(writer, NULL);
            cor_json_put_string(writer, "name", name_of(tables, COR_SYSTEM_CATALOG_AGENT, of->test_agent));
            cor_json_put_string(writer, "status", cor_term_word(COR_FAMILY_GOAL, of->end));
            cor_json_put_integer(writer, "cycles", of->cycles);
            uint64_t cycle_count;
            const uint64_t first_cycle =
                cor_layer_rows_of(tables, COR_SYSTEM_TABLE_CYCLES, of->arm, of->suite, &cycle_count);
            cor_json_open_array(writer, "actions");
            for (uint64_t c = first_cycle; c < first_cycle + cycle_count; c++) {
                const struct cor_system_cycle_row *cycle = cor_layer_row(tables, COR_SYSTEM_TABLE_CYCLES, c);
                if (cycle->test_agent == of->test_agent && cycle->turn == COR_TURN_ACTED) {
                    /* As it is JSON; one that was cut is none. */
                    const char *texts = tables->items[COR_SYSTEM_VECTOR_TEXT];
                    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
                    COR_FREED char *text = NULL;
                    if (fits(tables, cycle->command_start, cycle->command_bytes) && cycle->command_bytes > 0)
                        text = cor_format("%.*s", (int)cycle->command_bytes, texts + cycle->command_start);
                    if (text && cor_json_parse(text, "command", &document, NULL) == COR_OK) {
                        const struct cor_json root = cor_json_root(document);
                        cor_json_put_value(writer, NULL, &root);
                    } else
                        put_text(writer, tables, NULL, cycle->command_start, cycle->command_bytes);
                }
            }
            cor_json_close(writer);
            if (of->budget_left > INT64_MAX)
                cor_json_put_text(writer, "budget_left", "null");
            else
                cor_json_put_integer(writer, "budget_left", (int64_t)of->budget_left);
            put_text(writer, tables, "why", of->why_start, of->why_bytes);
            cor_json_close(writer);
        }
        cor_json_close(writer);
        put_verdicts(writer, tables, row, false);
        put_verdicts(writer, tables, row, true);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_json_print_take(writer, 2, stdout, error);
}

static enum cor_status show_tests(void *context, struct cor_result *result, const char *path,
                                  enum cor_exit *code, struct cor_error *error) {
    const struct request *request = context;
    struct cor_view_findings findings = {0};
    if (request->sheets.json || request->trace) {
        COR_FINISHED(cor_layer_tables) struct cor_layer_tables tables = {0};
        enum cor_status status = COR_OK;
        COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES, COR_ALL_VECTORS, &tables, error));
        if (request->sheets.json)
            status = print_json(&tables, error);
        else {
            /* What test agents did, turn by turn. */
            const char *texts = tables.items[COR_SYSTEM_VECTOR_TEXT];
            struct cor_bytes story = {0};
            for (uint64_t i = 0; i < tables.count[COR_SYSTEM_TABLE_TESTS]; i++) {
                const struct cor_system_test_row *test = cor_layer_row(&tables, COR_SYSTEM_TABLE_TESTS, i);
                uint64_t count;
                const uint64_t first =
                    cor_layer_rows_of(&tables, COR_SYSTEM_TABLE_CYCLES, test->arm, test->suite, &count);
                cor_bytes_print(&story, "%s, %s, run %u\n",
                                name_of(&tables, COR_SYSTEM_CATALOG_ARM, test->arm),
                                name_of(&tables, COR_SYSTEM_CATALOG_TEST, test->test), test->run);
                for (uint64_t c = first; c < first + count; c++) {
                    const struct cor_system_cycle_row *row =
                        cor_layer_row(&tables, COR_SYSTEM_TABLE_CYCLES, c);
                    const bool has_text =
                        row->command_bytes > 0 && fits(&tables, row->command_start, row->command_bytes);
                    system_layer__print_turn(
                        &story, row, name_of(&tables, COR_SYSTEM_CATALOG_AGENT, row->test_agent),
                        has_text ? texts + row->command_start : "",
                        row->goal > 0 ? name_of(&tables, COR_SYSTEM_CATALOG_GOAL, row->goal) : "");
                }
            }
            cor_bytes_print(&story, "\n");
            COR_FREED char *told = cor_bytes_text_take(&story, error);
            status = cor_made(told, error);
            cor_print("%s", told ? told : "");
        }
        COR_TRY(status);
    }
    if (request->junit)
        COR_TRY(cor_result_junit(result, stdout, error));
    if (request->tap)
        COR_TRY(cor_result_tap(result, stdout, error));
    if (request->sheets.json || request->junit || request->tap)
        COR_TRY(cor_result_findings(result, &findings, error));
    else
        COR_TRY(cor_show_made("goals", result, path, &request->sheets, "goals", &findings, error));
    const bool is_failed = findings.failed > 0 && request->fail_on != FAIL_ON_NOTHING;
    *code = is_failed || (findings.undecided > 0 && request->fail_on == FAIL_ON_UNDECIDED)
                ? COR_EXIT_EXPECTATION
            : findings.undecided > 0 ? COR_EXIT_UNDECIDED
                                     : COR_EXIT_DONE;
    return COR_OK;
}

static enum cor_exit run_system_test(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    const struct cor_made_up tests = {&request->made, request, open_file, show_tests};
    const struct cor_config config = {
        .json = request->sheets.json, .options = &request->options, .context = request, .open = open_file};
    return request->show_config ? cor_show_config(arguments, arguments->words[0], &config)
                                : cor_run_made_up(&tests, arguments->words[0]);
}

const struct cor_command cor_command_system_test = {
    .name = "system test",
    .summary = "test a running system by the goals of test agents",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Test agents look at a world, choose actions towards their goals, and judges look on: asserts of "
        "goals, conditions that always hold, formulas of time, and whether views agree. A test passes when "
        "all goals are solved and no judge objects; fails when one does, or a goal fails; is unreachable "
        "when a model proves that what a goal wants is out of reach; inconclusive when its cycles are used "
        "up, or "
        "something cannot be told; and in trouble when the world itself died, hung or spoke nonsense. The "
        "exit code is 1 if a test failed, and 7 if none failed but one came to no verdict. "
        "docs/look-up/system.md "
        "describes the file.",
    .options =
        {
            {"test", 0, "NAME", "carry out only this test", COR_TEXT(test)},
            {"case", 0, "N", "take only row N of the examples, from 1", COR_INTEGER(example, 1, INT64_MAX, 0),
             .otherwise = "all"},
            {"trace", 0, NULL, "print what test agents did, turn by turn", COR_FLAG(trace),
             .excludes = "json junit tap"},
            COR_JSON_OPTION(sheets.json),
            COR_JUNIT_OPTION(junit),
            COR_TAP_OPTION(tap),
            {"fail-on", 0, "WORD", "exit with 1 if a test is so: failed, undecided (or failed), nothing",
             COR_WORD(fail_on, fail_on_word, FAIL_ON_FAILED, FAIL_ON_FAILED)},
            COR_ISOLATE_OPTION(options.isolation),
            COR_SHOW_CONFIG_OPTION(show_config),
            COR_MADE_OPTIONS(made),
        },
    .examples = {"corridor system test tests.json",
                 "corridor system test tests.json --test \"key item\" --case 2 --trace",
                 "corridor system test tests.json --junit"},
    .run = run_system_test,
};

/* ---- tests in result files */

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

/* ---- replay --inner: what test agents made of a campaign, as a test of its own */

/* Suite `suite` of an arm whose world is a campaign, carried out, as the text of a test file
 * (docs/do/test-files.md), which is executed, too: *parts says where its rows are others, NULL: they are not.
 * Both are freed with free(). COR_STATUS_INPUT: the world is another, or no case was executed. */
static enum cor_status make_inner(const struct cor_system_experiment *experiment, uint32_t arm,
                                  uint32_t suite, char **text, char **parts, struct cor_error *error) {
    COR_DESTROYED(cor_record) struct cor_record *record = NULL;
    COR_DESTROYED(system_layer__rig) struct system_layer__rig *rig = NULL;
    struct cor_suite_counts tally;
    if (experiment->world->maker != &system_layer__campaign_maker)
        return cor_fail(error, COR_STATUS_INPUT, experiment->head.path, "test files are of campaigns",
                        "the world is one of \"%s\"", experiment->world->maker->key);
    COR_TRY(cor_record_create(&cor_system_schema, &record, error));
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY(
        system_layer__rig_create(experiment, arm, suite % experiment->entry_count, NULL, NULL, &rig, error));
    COR_TRY(system_layer__run(rig, suite / experiment->entry_count, NULL, record, &tally, error));
    return system_layer__campaign_test(rig->world, text, parts, error);
}

static enum cor_exit write_inner(const struct cor_arguments *arguments, const char *key, const char *output,
                                 bool force) {
    const struct cor_replay_options *options = arguments->request;
    const char *path = arguments->words[0], *doubt;
    struct cor_result *result = NULL;
    COR_FINISHED(cor_opened) struct cor_opened opened = {0};
    struct cor_failure_key which;
    struct cor_error error = COR_NO_ERROR;
    COR_FREED char *test = NULL, *parts = NULL;
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
    cor_result_close(result);
    const enum cor_exit code = status != COR_OK ? cor_report(&error)
                               : parts          ? COR_EXIT_EXPECTATION
                                                : COR_EXIT_DONE;
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

static const struct cor_lack lacks[] = {
    {"search", "test agents search for their goals themselves, each by its policy",
     "corridor run; corridor system train, for a policy that learns"},
    {"estimate", "tests of a running system are drawn as they are: nothing makes a failure more frequent",
     "corridor decide FILE 'P <= 0.01 [ failed ]'"},
    {"explore", "examples of a running system are words that are named, no numbers that are drawn",
     "an arm for each of them, and corridor show FILE"},
    {0}};

const struct cor_layer_commands cor_commands_of_system;
const struct cor_layer_commands cor_commands_of_system = {&cor_system_schema,
                                                          .isolates = true,
                                                          .shows_suites = true,
                                                          .failures = "goals",
                                                          .tested = &cor_system_layer,
                                                          .tell = system_layer__told,
                                                          .load = cor_system_result_init,
                                                          .test = test_of_row,
                                                          .failure = failure_of_row,
                                                          .keys = "ARM/SUITE",
                                                          .is_suite = true,
                                                          .sequences = COR_SYSTEM_TABLE_TESTS,
                                                          .no_law = no_law,
                                                          .inner = write_inner,
                                                          .not_of_shrink = cor_not_of_shrink,
                                                          .not_of_replay = cor_not_of_replay,
                                                          .lacks = lacks,
                                                          .tests = "tests of a running system"};
