/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system test: the tests of a file, or one of them, run as any campaign, and shown. */
#include "commands.h"
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>
#include <corridor/layer_tables.h>
#include <corridor/system_experiment.h>
#include <corridor/system_layer.h>
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
    const char *called = NULL, **names = NULL;
    char known[512];
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_need(root, "tests", &tests, error));
    names = cor_calloc(cor_json_size(&tests) + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (*index = 0; *index < cor_json_size(&tests); ++*index) {
        const struct cor_json item = cor_json_at(&tests, *index);
        COR_TRY_OUT(cor_json_need(&item, "name", &member, error));
        COR_TRY_OUT(cor_json_string(&member, &called, error));
        if (strcmp(called, name) == 0)
            goto out;
        names[*index] = called;
    }
    cor_known_names(name, names, known, sizeof known);
    status = cor_fail(error, COR_STATUS_INPUT, "--test", known, "there is no test \"%s\"", name);
out:
    free(names);
    return status;
}

/* The file with the one test, or the one row of examples, that is asked for. */
static enum cor_status narrow(const struct request *request, const char *path, const struct cor_json *root,
                              char **text, struct cor_error *error) {
    struct cor_system_experiment *experiment = NULL;
    const struct cor_system_entry *entry = NULL;
    struct cor_json_writer *writer = NULL;
    size_t test = 0;
    char *whole = NULL;
    enum cor_status status = COR_OK;
    if (request->test)
        COR_TRY_OUT(find_test(root, request->test, &test, error));
    if (request->example > 0) {
        COR_TRY_OUT(cor_made(whole = cor_json_text(root), error));
        COR_TRY_OUT(cor_system_experiment_parse(whole, path, NULL, &experiment, error));
        const uint32_t rows = experiment->entry_count / experiment->test_count;
        if (request->example > rows)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, "--case", NULL, "there %s %u row%s of examples",
                                 rows == 1 ? "is" : "are", rows, rows == 1 ? "" : "s"));
        entry = &experiment->entries[request->example - 1];
    }
    COR_TRY_OUT(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(root); i++) {
        const struct cor_json item = cor_json_at(root, i);
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
out:
    cor_json_writer_destroy(writer);
    cor_system_experiment_destroy(experiment);
    free(whole);
    return status;
}

static enum cor_status open_file(void *context, const char *path, struct cor_opened *opened,
                                 struct cor_error *error) {
    const struct request *request = context;
    struct cor_json_document *document = NULL;
    char *text = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_SYSTEM_EXPERIMENT, error));
    if (request->test || request->example > 0)
        COR_TRY_OUT(narrow(request, path, &root, &text, error));
    else
        COR_TRY_OUT(cor_made(text = cor_json_text(&root), error));
    COR_TRY_OUT(cor_open_text(path, text, &request->options, opened, error));
out:
    free(text);
    cor_json_destroy(document);
    return status;
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

static void put_actions(struct cor_json_writer *writer, const struct cor_layer_tables *tables,
                        const struct cor_system_agent_row *agent) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(tables, COR_SYSTEM_TABLE_CYCLES, agent->arm, agent->suite, &count);
    cor_json_open_array(writer, "actions");
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_cycle_row *row = cor_layer_row(tables, COR_SYSTEM_TABLE_CYCLES, i);
        if (row->test_agent == agent->test_agent && row->turn == COR_TURN_ACTED) {
            /* As it is JSON; one that was cut is none. */
            const char *texts = tables->items[COR_SYSTEM_VECTOR_TEXT];
            struct cor_json_document *document = NULL;
            char *text = NULL;
            if (fits(tables, row->command_start, row->command_bytes) && row->command_bytes > 0)
                text = cor_format("%.*s", (int)row->command_bytes, texts + row->command_start);
            if (text && cor_json_parse(text, "command", &document, NULL) == COR_OK) {
                const struct cor_json root = cor_json_root(document);
                cor_json_put_value(writer, NULL, &root);
            } else
                put_text(writer, tables, NULL, row->command_start, row->command_bytes);
            cor_json_destroy(document);
            free(text);
        }
    }
    cor_json_close(writer);
}

static void put_agents(struct cor_json_writer *writer, const struct cor_layer_tables *tables,
                       const struct cor_system_test_row *test) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(tables, COR_SYSTEM_TABLE_AGENTS, test->arm, test->suite, &count);
    cor_json_open_array(writer, "agents");
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_agent_row *row = cor_layer_row(tables, COR_SYSTEM_TABLE_AGENTS, i);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", name_of(tables, COR_SYSTEM_CATALOG_AGENT, row->test_agent));
        cor_json_put_string(writer, "status", cor_term_word(COR_FAMILY_GOAL, row->end));
        cor_json_put_integer(writer, "cycles", row->cycles);
        put_actions(writer, tables, row);
        if (row->budget_left > INT64_MAX)
            cor_json_put_text(writer, "budget_left", "null");
        else
            cor_json_put_integer(writer, "budget_left", (int64_t)row->budget_left);
        put_text(writer, tables, "why", row->why_start, row->why_bytes);
        cor_json_close(writer);
    }
    cor_json_close(writer);
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
        put_agents(writer, tables, row);
        put_verdicts(writer, tables, row, false);
        put_verdicts(writer, tables, row, true);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_json_print_take(writer, 2, stdout, error);
}

static enum cor_status show_tables(const struct request *request, struct cor_result *result,
                                   struct cor_error *error) {
    struct cor_layer_tables tables;
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
            cor_bytes_print(&story, "%s, %s, run %u\n", name_of(&tables, COR_SYSTEM_CATALOG_ARM, test->arm),
                            name_of(&tables, COR_SYSTEM_CATALOG_TEST, test->test), test->run);
            for (uint64_t c = first; c < first + count; c++) {
                const struct cor_system_cycle_row *row = cor_layer_row(&tables, COR_SYSTEM_TABLE_CYCLES, c);
                const bool has_text =
                    row->command_bytes > 0 && fits(&tables, row->command_start, row->command_bytes);
                system_layer__print_turn(
                    &story, row, name_of(&tables, COR_SYSTEM_CATALOG_AGENT, row->test_agent),
                    has_text ? texts + row->command_start : "",
                    row->goal > 0 ? name_of(&tables, COR_SYSTEM_CATALOG_GOAL, row->goal) : "");
            }
        }
        cor_bytes_print(&story, "\n");
        char *told = cor_bytes_text_take(&story, error);
        status = cor_made(told, error);
        cor_print("%s", told ? told : "");
        free(told);
    }
    cor_layer_tables_fini(&tables);
    return status;
}

static enum cor_status show(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error) {
    const struct request *request = context;
    struct cor_view_findings findings = {0};
    if (request->sheets.json || request->trace)
        COR_TRY(show_tables(request, result, error));
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
    const struct cor_made_up tests = {&request->made, request, open_file, show};
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
