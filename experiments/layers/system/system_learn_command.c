/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is learnt of a file's tests and their runs: system train (a test again and again, by one process,
 * whose policy learns from each run for the next), system model (what is learnt between named states). */
#include "commands.h"
#include "internal.h"
#include "output.h"
#include "replay.h"
#include "running.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/layer_tables.h>
#include <corridor/names.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct request {
    const char *output, *arm;
    bool force;
    bool json; /* system train, as the next */
    const char *test, *agent;
    int64_t runs, example;
    bool unsealed; /* system model */
};

/* ---- system train */

#define SHARE 10 /* the first and the last tenth of the runs are compared */

static const struct cor_column_definition trained_sheet_columns[] = {
    {"runs", "runs", "runs", "of the test", COR_CELL_COUNT, 0, 0},
    {"solved", "solved", "runs", "in which the goal of the test agent was solved", COR_CELL_COUNT, 0, 0},
    {"first_cycles", "first", "cycles", "of a run, mean of the first tenth", COR_CELL_REAL, 1, 0},
    {"last_cycles", "last", "cycles", "of a run, mean of the last tenth", COR_CELL_REAL, 1, 0}};
COR_SHEET_DEFINITION(trained_sheet, "trained", "Training", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

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
            request->test, "--test", &test, error, "there is no test \"%s\"", request->test));
    if (request->arm)
        COR_TRY(cor_names_find(
            COR_RECORD_NAMES(experiment->arms, experiment->head.arm_count, struct cor_system_arm, name),
            request->arm, "--arm", &arm, error, "there is no arm \"%s\"", request->arm));
    if (request->example > rows)
        return cor_fail(error, COR_STATUS_INPUT, "--case", NULL, "there %s %u row%s of examples",
                        rows == 1 ? "is" : "are", rows, rows == 1 ? "" : "s");
    uint32_t entry = 0, row = 0;
    for (; entry < experiment->entry_count; entry++)
        if (experiment->entries[entry].test == test && ++row == (uint32_t)request->example)
            break;
    COR_TRY(system_layer__rig_create(experiment, arm, entry, NULL, NULL, &training->rig, error));
    training->rig->trains = true;
    return COR_OK;
}

static enum cor_status write_table(const struct training *training, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_FREED char *text = NULL;
    COR_TRY(cor_json_writer_create(&writer, error));
    enum cor_status status = cor_policy_write(training->policy, writer, error);
    if (status == COR_OK)
        status = cor_json_text_take(writer, 0, &text, error);
    else
        cor_json_writer_destroy(writer);
    if (status == COR_OK)
        status = cor_output_leave(training->request->output, text, training->replaces, training->arguments,
                                  training->done < (uint64_t)training->request->runs, error);
    return status;
}

static enum cor_status show_training(const struct training *training, struct cor_error *error) {
    const double share = (double)training->share;
    const struct cor_style style = cor_show_style();
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
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
    return training->request->json ? cor_sheets_json(sheets, stdout, error)
                                   : cor_sheets_text(sheets, &style, stdout, error);
}

static enum cor_exit run_system_train(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct training training = {.request = request, .arguments = arguments};
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    if (!request->output)
        return cor_misuse(arguments->command, "needs a name for the table: -o policy.json");
    cor_catch_interrupts_briefly(0);
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
                                   request->agent, "--agent", &actor, &error,
                                   "there is no test agent that learns called \"%s\"", request->agent));
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
    COR_TRY_OUT(show_training(&training, &error));
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

/* ---- system model */

#define NAME_MOST 200

/* What was seen: in a state, on an input, that state. */
struct transition {
    uint32_t from, to; /* indices of states */
    uint32_t input;    /* a word of `inputs` */
    uint64_t count;
};

struct learnt {
    const struct request *request;
    struct cor_layer_tables tables;
    uint64_t *states;       /* owned; named states that hold, as bits, in the order in which they came */
    struct cor_words names; /* of states: the word is the index */
    size_t state_count, state_capacity;
    struct cor_words inputs;
    struct transition *transitions; /* owned */
    size_t transition_count, transition_capacity;
    uint32_t *initial; /* owned; states that tests began in */
    size_t initial_count, initial_capacity;
    uint64_t steps, unknown; /* seen; left out, since a named state was unknown */
};

/* ---- names as models have them */

/* Letters, digits and "_"; others become "_". A name that is taken gets a number. */
static enum cor_status add_name(struct cor_words *words, const char *text, uint32_t *word,
                                struct cor_error *error) {
    char name[NAME_MOST + 16];
    size_t length = 0;
    for (; text[length] && length < NAME_MOST; length++)
        name[length] = isalnum((unsigned char)text[length]) ? text[length] : '_';
    name[length] = '\0';
    for (uint32_t n = 2; cor_words_find(words, name) != COR_NONE; n++)
        snprintf(name + length, sizeof name - length, "_%u", n);
    return cor_words_intern(words, name, word, error);
}

/* "door_open__inside", "none". */
static enum cor_status state_of(struct learnt *learnt, uint64_t bits, uint32_t *index,
                                struct cor_error *error) {
    const struct cor_result_header *head = learnt->tables.head;
    COR_FREED char *name = NULL;
    for (*index = 0; *index < learnt->state_count; ++*index)
        if (learnt->states[*index] == bits)
            return COR_OK;
    COR_TRY(COR_RESERVE(&learnt->states, &learnt->state_capacity, learnt->state_count + 1, error));
    for (uint32_t s = 0; s < head->catalog_size[COR_SYSTEM_CATALOG_STATE] && s < 64; s++)
        if (bits >> s & 1) {
            const char *state = head->catalog[COR_SYSTEM_CATALOG_STATE][s].name;
            name = name ? cor_join_take(name, "__", cor_strdup(state)) : cor_strdup(state);
            COR_TRY(cor_made(name, error));
        }
    const enum cor_status status = add_name(&learnt->names, name ? name : "none", index, error);
    if (status == COR_OK)
        learnt->states[learnt->state_count++] = bits;
    return status;
}

/* {"do": "press", "on": "b1"} is "press_b1"; with several test agents "t_press_b1". */
static enum cor_status label_of(struct learnt *learnt, const struct cor_system_cycle_row *row, char **label,
                                struct cor_error *error) {
    const char *texts = learnt->tables.items[COR_SYSTEM_VECTOR_TEXT];
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *made = NULL,
                   *text = cor_format("%.*s", (int)row->command_bytes, texts + row->command_start);
    COR_TRY(cor_made(text, error));
    if (learnt->tables.head->catalog_size[COR_SYSTEM_CATALOG_AGENT] > 2)
        COR_TRY(cor_made(made = cor_strdup(cor_result_name(learnt->tables.result, COR_SYSTEM_CATALOG_AGENT,
                                                           row->test_agent)),
                         error));
    if (cor_json_parse(text, "command", &document, NULL) != COR_OK)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL,
                        "the command of cycle %u is not in the file as a whole", row->cycle);
    const struct cor_json root = cor_json_root(document);
    COR_JSON_CHILDREN(item, &root) {
        const char *word;
        char *part = cor_json_is_string(&item) && cor_json_string(&item, &word, NULL) == COR_OK
                         ? cor_strdup(word)
                         : cor_json_text(&item);
        made = made ? cor_join_take(made, "_", part) : part;
        COR_TRY(cor_made(made, error));
    }
    *label = cor_taken(&made);
    return COR_OK;
}

/* ---- what was seen */

static enum cor_status add_transition(struct learnt *learnt, uint32_t from, uint32_t input, uint32_t to,
                                      struct cor_error *error) {
    for (size_t t = 0; t < learnt->transition_count; t++) {
        struct transition *it = &learnt->transitions[t];
        if (it->from == from && it->input == input && it->to == to) {
            it->count++;
            return COR_OK;
        }
    }
    COR_TRY(
        COR_RESERVE(&learnt->transitions, &learnt->transition_capacity, learnt->transition_count + 1, error));
    learnt->transitions[learnt->transition_count++] = (struct transition){from, to, input, 1};
    return COR_OK;
}

static enum cor_status add_initial(struct learnt *learnt, uint32_t state, struct cor_error *error) {
    for (size_t i = 0; i < learnt->initial_count; i++)
        if (learnt->initial[i] == state)
            return COR_OK;
    COR_TRY(COR_RESERVE(&learnt->initial, &learnt->initial_capacity, learnt->initial_count + 1, error));
    learnt->initial[learnt->initial_count++] = state;
    return COR_OK;
}

static bool is_step(const struct cor_system_cycle_row *row, const struct learnt *learnt) {
    const char *action = cor_result_name(learnt->tables.result, COR_SYSTEM_CATALOG_ACTION, row->action);
    return row->turn != COR_TURN_LOOKED && row->trouble == 0 && strcmp(action, "look") != 0;
}

static enum cor_status learn(struct learnt *learnt, uint16_t arm, struct cor_error *error) {
    const struct cor_system_cycle_row *before = NULL;
    COR_FINISHED(cor_words) struct cor_words labels = {0};
    enum cor_status status = COR_OK;
    cor_words_init(&labels);
    for (uint64_t i = 0; i < learnt->tables.count[COR_SYSTEM_TABLE_CYCLES]; i++) {
        const struct cor_system_cycle_row *row = cor_layer_row(&learnt->tables, COR_SYSTEM_TABLE_CYCLES, i);
        const bool is_first = !before || before->suite != row->suite || before->arm != row->arm;
        uint32_t from, to, input;
        if (row->arm != arm)
            continue;
        if (row->state_unknown == 0 && row->trouble == 0)
            COR_TRY(state_of(learnt, row->state, &to, error));
        if (is_first && row->state_unknown == 0 && row->trouble == 0)
            COR_TRY(add_initial(learnt, to, error));
        if (!is_first && is_step(row, learnt)) {
            learnt->steps++;
            if (row->state_unknown != 0 || before->state_unknown != 0)
                learnt->unknown++;
            else {
                COR_TRY(state_of(learnt, before->state, &from, error));
                /* Labels that differ in what names cannot have stay apart. */
                char *label = NULL;
                uint32_t word, added;
                COR_TRY(label_of(learnt, row, &label, error));
                word = cor_words_find(&labels, label);
                if (word == COR_NONE) {
                    status = cor_words_intern(&labels, label, &word, error);
                    if (status == COR_OK)
                        status = add_name(&learnt->inputs, label, &added, error);
                }
                input = word;
                free(label);
                COR_TRY(status);
                COR_TRY(add_transition(learnt, from, input, to, error));
            }
        }
        before = row;
    }
    return status;
}

/* ---- the model */

static void put_labels(const struct learnt *learnt, struct cor_json_writer *writer, bool outputs) {
    const uint32_t count = outputs ? (uint32_t)learnt->state_count : learnt->inputs.count;
    char text[NAME_MOST + 64];
    cor_json_open_array(writer, outputs ? "outputs" : "inputs");
    for (uint32_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%s%s", outputs ? "is_" : "",
                 cor_words_text(outputs ? &learnt->names : &learnt->inputs, i));
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "label", text);
        cor_json_open_array(writer, "params");
        cor_json_close(writer);
        cor_json_close(writer);
    }
    if (!outputs && learnt->initial_count > 1) { /* the choice of where a test begins */
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "label", "begin_");
        cor_json_open_array(writer, "params");
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_transition(const struct learnt *learnt, struct cor_json_writer *writer, size_t number,
                           const char *from, const char *input, uint32_t to) {
    char text[NAME_MOST + 64];
    snprintf(text, sizeof text, "t%zu", number);
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "id", text);
    cor_json_put_string(writer, "src", from);
    cor_json_put_string(writer, "dst", cor_words_text(&learnt->names, to));
    cor_json_put_string(writer, "input", input);
    cor_json_put_string(writer, "guard", "true");
    cor_json_open_object(writer, "update");
    cor_json_close(writer);
    cor_json_open_array(writer, "outputs");
    cor_json_open_object(writer, NULL);
    snprintf(text, sizeof text, "is_%s", cor_words_text(&learnt->names, to));
    cor_json_put_string(writer, "label", text);
    cor_json_open_array(writer, "args");
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_close(writer);
}

/* A state is reached by any transition into it. */
static void put_goals(const struct learnt *learnt, struct cor_json_writer *writer) {
    char text[NAME_MOST + 64];
    cor_json_open_array(writer, "goals");
    for (uint32_t s = 0; s < learnt->state_count; s++) {
        bool is_open = false;
        for (size_t t = 0; t < learnt->transition_count; t++) {
            if (learnt->transitions[t].to != s || learnt->transitions[t].from == s)
                continue;
            if (!is_open) {
                snprintf(text, sizeof text, "reach_%s", cor_words_text(&learnt->names, s));
                cor_json_open_object(writer, NULL);
                cor_json_put_string(writer, "name", text);
                cor_json_open_array(writer, "traps");
                cor_json_open_object(writer, NULL);
                cor_json_put_string(writer, "id", text);
                cor_json_open_array(writer, "transition");
                is_open = true;
            }
            snprintf(text, sizeof text, "t%zu", t);
            cor_json_put_string(writer, NULL, text);
        }
        for (int open = is_open ? 4 : 0; open > 0; open--)
            cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_notes(const struct learnt *learnt, struct cor_json_writer *writer) {
    char text[3 * NAME_MOST + 200];
    cor_json_open_object(writer, "provenance");
    cor_json_put_string(writer, "status", "synthetic");
    cor_json_put_string(writer, "source", "tests of a running system: what was seen between named states");
    cor_json_open_array(writer, "notes");
    snprintf(text, sizeof text,
             "%" PRIu64 " steps seen, of which %" PRIu64 " are left out: a state was unknown", learnt->steps,
             learnt->unknown);
    cor_json_put_string(writer, NULL, text);
    for (size_t t = 0; t < learnt->transition_count; t++) {
        snprintf(text, sizeof text, "t%zu was seen %" PRIu64 " time%s", t, learnt->transitions[t].count,
                 learnt->transitions[t].count == 1 ? "" : "s");
        cor_json_put_string(writer, NULL, text);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

static enum cor_status learn_file(const struct cor_arguments *arguments, char **text,
                                  struct cor_error *error) {
    const struct request *request = arguments->request;
    struct learnt learnt = {.request = request};
    struct cor_result *result = NULL;
    const char *doubt;
    size_t arm;
    enum cor_status status = COR_OK;
    cor_words_init(&learnt.names);
    cor_words_init(&learnt.inputs);
    COR_TRY_OUT(cor_open_result(arguments->command, request->unsealed, arguments->words[0],
                                &cor_system_schema, &result, &doubt, error));
    COR_TRY_OUT(cor_arm_find(cor_result_head(result), "--arm", request->arm, &arm, error));
    COR_TRY_OUT(cor_layer_tables_init(result, COR_ALL_TABLES, COR_ALL_VECTORS, &learnt.tables, error));
    if (learnt.tables.head->catalog_size[COR_SYSTEM_CATALOG_STATE] == 0)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, arguments->words[0],
                             "name conditions as \"states\" of the experiment, and run it again",
                             "has no named states, between which something could be learnt"));
    COR_TRY_OUT(learn(&learnt, cor_arm_entry(cor_result_head(result), arm)->code, error));
    if (learnt.initial_count == 0 || learnt.transition_count == 0)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, arguments->words[0],
                             "corridor show FILE goals --sheet trace shows them",
                             "has no step between states that are known (%" PRIu64 " of %" PRIu64 " are not)",
                             learnt.unknown, learnt.steps));
    struct cor_json_writer *writer;
    COR_TRY_OUT(cor_json_writer_create(&writer, error));
    const bool is_drawn = learnt.initial_count > 1;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "format", "efsm-json/1");
    cor_json_put_string(writer, "name", "learnt");
    cor_json_put_string(writer, "title", "what tests saw between named states");
    put_notes(&learnt, writer);
    cor_json_open_array(writer, "vars");
    cor_json_close(writer);
    cor_json_open_array(writer, "locations");
    for (uint32_t s = 0; s < learnt.state_count; s++)
        cor_json_put_string(writer, NULL, cor_words_text(&learnt.names, s));
    if (is_drawn)
        cor_json_put_string(writer, NULL, "start_");
    cor_json_close(writer);
    cor_json_put_string(writer, "initial",
                        is_drawn ? "start_" : cor_words_text(&learnt.names, learnt.initial[0]));
    put_labels(&learnt, writer, false);
    put_labels(&learnt, writer, true);
    cor_json_open_array(writer, "transitions");
    for (size_t t = 0; t < learnt.transition_count; t++) {
        const struct transition *it = &learnt.transitions[t];
        put_transition(&learnt, writer, t, cor_words_text(&learnt.names, it->from),
                       cor_words_text(&learnt.inputs, it->input), it->to);
    }
    for (size_t i = 0; is_drawn && i < learnt.initial_count; i++)
        put_transition(&learnt, writer, learnt.transition_count + i, "start_", "begin_", learnt.initial[i]);
    cor_json_close(writer);
    put_goals(&learnt, writer);
    cor_json_close(writer);
    COR_TRY_OUT(cor_json_text_take(writer, 1, text, error));
    cor_say("%zu states, %zu transitions of %" PRIu64 " steps%s", learnt.state_count, learnt.transition_count,
            learnt.steps - learnt.unknown,
            learnt.unknown > 0 ? "; steps with unknown states are left out" : "");
out:
    COR_FREE(learnt.states, learnt.transitions, learnt.initial);
    cor_words_fini(&learnt.names);
    cor_words_fini(&learnt.inputs);
    cor_layer_tables_fini(&learnt.tables);
    cor_result_close(result);
    return status;
}

/* ---- the model of a world */

static enum cor_status model_file(const struct cor_arguments *arguments, char **made,
                                  struct cor_error *error) {
    const struct request *request = arguments->request;
    COR_DESTROYED(cor_system_experiment) struct cor_system_experiment *experiment = NULL;
    uint32_t arm = 0;
    COR_TRY(cor_system_experiment_read(arguments->words[0], NULL, &experiment, error));
    if (request->arm)
        COR_TRY(cor_names_find(
            COR_RECORD_NAMES(experiment->arms, experiment->head.arm_count, struct cor_system_arm, name),
            request->arm, "--arm", &arm, error, "there is no arm \"%s\"", request->arm));
    const struct system_layer__world *changed = request->arm ? experiment->arms[arm].changed : NULL,
                                     *world = changed ? changed : experiment->world;
    if (!world->maker->write_model)
        return cor_fail(error, COR_STATUS_INPUT, arguments->words[0],
                        "run its tests: a model is learnt of their result file",
                        "no model of a world of \"%s\" is known", world->maker->key);
    return world->maker->write_model(world, made, error);
}

static enum cor_exit run_system_model(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_FREED char *text = NULL;
    enum cor_status status = COR_OK;
    if (request->output)
        COR_TRY_OUT(cor_output_check_before(request->output, request->force, &error));
    COR_TRY_OUT(cor_is_test_file(arguments->words[0]) ? model_file(arguments, &text, &error)
                                                      : learn_file(arguments, &text, &error));
    COR_TRY_OUT(cor_output_text(request->output ? request->output : "-", text, request->force, &error));
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_system_model = {
    .name = "system model",
    .summary = "write what tests learnt of a system as a model",
    .operands = "RESULTS.h5|FILE.json",
    .takes = {1, 1, "needs one result file, or one file of tests"},
    .request_size = sizeof(struct request),
    .manual =
        "Of a result file: the named states of the experiment that hold together are a state, actions with "
        "their arguments are inputs, and what was seen between states are transitions. An action that led to "
        "several states from one is a choice of the system. Where tests began in several states, the model "
        "begins with the choice of one. Steps before or behind which a named state was unknown are left out. "
        "Of a file of tests: the model of the level of its rooms, as it is or in an arm. Both are "
        "models" COR_WITH_EFSM(
            " as corridor efsm check, plan and reach take them") "; goals are states that can be reached.",
    .options = {{"arm", 0, "NAME", "take this arm", COR_TEXT(arm),
                 .otherwise = "the only one, or the world as it is"},
                {"output", 'o', "FILE", "write the model there", COR_TEXT(output),
                 .otherwise = "standard output"},
                {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(force)},
                COR_UNSEALED_OPTION(unsealed)},
    .examples = {"corridor system model results.h5 -o learnt.json" COR_WITH_EFSM(
                     " # then: corridor efsm check learnt.json"),
                 "corridor system model results.h5 --arm M3 -o learnt.json",
                 "corridor system model tests.json -o level.json # what the level is"},
    .run = run_system_model,
    .reads = true,
};
