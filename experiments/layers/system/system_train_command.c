/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system train: a test again and again, by one process, whose policy learns from each run for the next. */
#include "commands.h"
#include "internal.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/names.h>

#include <stdlib.h>
#include <string.h>

#define SHARE 10 /* the first and the last tenth of the runs are compared */

static const struct cor_column_definition trained_sheet_columns[] = {
    {"runs", "runs", "runs", "of the test", COR_CELL_COUNT, 0, 0},
    {"solved", "solved", "runs", "in which the goal of the test agent was solved", COR_CELL_COUNT, 0, 0},
    {"first_cycles", "first", "cycles", "of a run, mean of the first tenth", COR_CELL_REAL, 1, 0},
    {"last_cycles", "last", "cycles", "of a run, mean of the last tenth", COR_CELL_REAL, 1, 0}};
COR_SHEET_DEFINITION(trained_sheet, "trained", "Training", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

struct request {
    bool json, force;
    const char *output, *test, *arm, *agent;
    int64_t runs, example;
};

struct training {
    const struct request *request;
    const struct cor_arguments *arguments;
    struct cor_system_experiment *experiment; /* owned, as all below */
    struct system_layer__rig *rig;
    struct cor_record *record;
    struct cor_policy *policy; /* borrowed from the rig */
    uint64_t done, solved;
    double first, last; /* cycles */
    uint64_t share;     /* runs of each of these */
    bool replaces;      /* the table that is there */
};

/* The test, with a row of its examples, in an arm; each the first if it is not named. */
static enum cor_status make_bench(struct training *training, struct cor_error *error) {
    const struct request *request = training->request;
    const struct cor_system_experiment *experiment = training->experiment;
    const uint32_t rows = experiment->entry_count / experiment->test_count;
    uint32_t test = 0, arm = 0;
    if (request->test)
        COR_TRY(cor_names_find(
            COR_RECORD_NAMES(experiment->tests, experiment->test_count, struct cor_system_test, name),
            request->test, "--test", "there is no test", &test, error));
    if (request->arm)
        COR_TRY(cor_names_find(
            COR_RECORD_NAMES(experiment->arms, experiment->head.arm_count, struct cor_system_arm, name),
            request->arm, "--arm", "there is no arm", &arm, error));
    if (request->example > rows)
        return cor_fail(error, COR_STATUS_INPUT, "--case", NULL, "there %s %u row%s of examples",
                        rows == 1 ? "is" : "are", rows, rows == 1 ? "" : "s");
    uint32_t entry = 0, row = 0;
    for (; entry < experiment->entry_count; entry++)
        if (experiment->entries[entry].test == test && ++row == (uint32_t)request->example)
            break;
    COR_TRY(system_layer__rig_create(experiment, arm, entry, NULL, &training->rig, error));
    training->rig->trains = true;
    return COR_OK;
}

static enum cor_status write_table(const struct training *training, struct cor_error *error) {
    struct cor_json_writer *writer;
    char *text = NULL;
    COR_TRY(cor_json_writer_create(&writer, error));
    enum cor_status status = cor_policy_write(training->policy, writer, error);
    if (status == COR_OK)
        status = cor_json_text_take(writer, 0, &text, error);
    else
        cor_json_writer_destroy(writer);
    if (status == COR_OK)
        status = cor_output_leave(training->request->output, text, training->replaces, training->arguments,
                                  training->done < (uint64_t)training->request->runs, error);
    free(text);
    return status;
}

static enum cor_status show(const struct training *training, struct cor_error *error) {
    const double share = (double)training->share;
    const struct cor_style style = cor_show_style();
    struct cor_sheets *sheets;
    COR_TRY(cor_sheets_create("corridor-system-train", 1, &sheets, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &trained_sheet);
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, training->done);
    cor_sheet_count(sheet, training->solved);
    if (training->done == (uint64_t)training->request->runs) {
        cor_sheet_real(sheet, training->first / share);
        cor_sheet_real(sheet, training->last / share);
    } else {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
    }
    const enum cor_status status = training->request->json ? cor_sheets_json(sheets, stdout, error)
                                                           : cor_sheets_text(sheets, &style, stdout, error);
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run_system_train(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct training training = {.request = request, .arguments = arguments};
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    if (!request->output)
        return cor_misuse(arguments->command, "needs a name for the table: -o policy.json");
    cor_catch_interrupts_briefly();
    training.replaces = request->force || cor_output_is_left(request->output, arguments);
    COR_TRY_OUT(cor_output_check_before(request->output, training.replaces, &error));
    COR_TRY_OUT(cor_system_experiment_read(arguments->words[0], NULL, &training.experiment, &error));
    COR_TRY_OUT(make_bench(&training, &error));
    /* Whose policy is written. */
    const struct system_layer__rig *rig = training.rig;
    struct system_layer__actor learning[COR_TEST_AGENTS_MAX];
    uint32_t actor = 0, count = 0;
    for (uint32_t a = 0; a < rig->actor_count; a++)
        if (rig->actors[a].policy && cor_policy_learns(rig->actors[a].policy))
            learning[count++] = rig->actors[a];
    if (count == 0)
        COR_TRY_OUT(cor_fail(&error, COR_STATUS_INPUT, training.experiment->head.path,
                             "give one \"policy\": {\"q\": {}}",
                             "no test agent of the test has a policy that learns"));
    if (request->agent)
        COR_TRY_OUT(cor_names_find(COR_RECORD_NAMES(learning, count, struct system_layer__actor, name),
                                   request->agent, "--agent", "there is no test agent that learns called",
                                   &actor, &error));
    else if (count > 1)
        COR_TRY_OUT(cor_fail(&error, COR_STATUS_INPUT, "--agent", "name one, whose table is written",
                             "%u test agents learn", count));
    training.policy = learning[actor].policy;
    const uint64_t runs = (uint64_t)request->runs;
    struct cor_suite_counts tally;
    training.share = runs / SHARE > 0 ? runs / SHARE : 1;
    COR_TRY_OUT(cor_record_create(&cor_system_schema, &training.record, &error));
    for (uint64_t r = 0; r < runs && cor_interrupts() == 0; r++) {
        cor_record_begin(training.record, (uint16_t)training.rig->arm, (uint32_t)r);
        COR_TRY_OUT(system_layer__run(training.rig, (uint32_t)r, NULL, training.record, &tally, &error));
        const struct cor_system_test_row *test = cor_record_at(training.record, COR_SYSTEM_TABLE_TESTS, 0);
        if (test->trouble != 0) {
            size_t size;
            const char *texts = cor_record_items(training.record, COR_SYSTEM_VECTOR_TEXT, &size);
            COR_TRY_OUT(cor_fail(&error, COR_STATUS_INPUT, training.experiment->head.path,
                                 "corridor system test says more", "in run %llu %.*s", (unsigned long long)r,
                                 (int)test->why_bytes, texts + test->why_start));
        }
        const struct cor_system_agent_row *agent;
        for (size_t a = 0; a < cor_record_size(training.record, COR_SYSTEM_TABLE_AGENTS); a++) {
            agent = cor_record_at(training.record, COR_SYSTEM_TABLE_AGENTS, a);
            if (training.rig->actors[a].policy == training.policy)
                training.solved += agent->end == COR_GOAL_SUCCESS;
        }
        training.first += r < training.share ? test->cycles : 0;
        training.last += r + training.share >= runs ? test->cycles : 0;
        training.done++;
    }
    COR_TRY_OUT(write_table(&training, &error));
    COR_TRY_OUT(show(&training, &error));
out:
    cor_record_destroy(training.record);
    system_layer__rig_destroy(training.rig);
    cor_system_experiment_destroy(training.experiment);
    return status != COR_OK                          ? cor_report(&error)
           : training.done < (uint64_t)request->runs ? COR_EXIT_INCOMPLETE
                                                     : COR_EXIT_DONE;
}

const struct cor_command cor_command_system_train = {
    .name = "system train",
    .summary = "make a policy of what runs of a test teach",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Carries out a test again and again. A test agent whose policy is {\"q\": {..}} learns what actions "
        "are worth in the states that it believes in (tabular Q-learning, Watkins 1989): its \"reward\", "
        "and a share of that, the discount, for each choice before. A reward is 1 when its goal is solved "
        "(\"solved\"), and besides 1 for a \"new state\", or by how much nearer a choice led to a condition. "
        "Writes the table, which is a "
        "policy: \"policy\": \"q.json\" in an arm chooses what is worth the most. {\"q\": {\"table\": "
        "\"q.json\"}} goes on from a table, in the same world or in another. What is learnt depends on the "
        "file and the number of runs alone; an interrupt keeps what was learnt until then.",
    .options = {{"output", 'o', "FILE", "write the table there", COR_TEXT(output)},
                {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(force)},
                {"runs", 0, "N", "carry the test out N times", COR_INTEGER(runs, 1, 100000000, 1000),
                 .otherwise = "1000"},
                {"test", 0, "NAME", "take this test", COR_TEXT(test), .otherwise = "the first"},
                {"case", 0, "N", "take row N of its examples, from 1", COR_INTEGER(example, 1, INT64_MAX, 1),
                 .otherwise = "1"},
                {"arm", 0, "NAME", "take this arm", COR_TEXT(arm), .otherwise = "the first"},
                {"agent", 0, "NAME", "write the table of this test agent", COR_TEXT(agent),
                 .otherwise = "the only one that learns"},
                COR_JSON_OPTION(json)},
    .examples = {"corridor system train tests.json -o q.json",
                 "corridor system train tests.json --test \"key item\" --runs 5000 -o q.json"},
    .run = run_system_train,
};
