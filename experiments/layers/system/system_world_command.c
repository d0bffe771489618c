/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system check: what is odd in a file. system world: a world of a file by lines, as a program speaks them.
 * system mutants: the tests of a file in every mutant of its world, beside test agents that do anything. */
#include "commands.h"
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/system_check.h>
#include <corridor/system_experiment.h>
#include <corridor/verdicts.h>

#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct request {
    struct cor_sheet_options sheets;
    int isolation;      /* system check */
    const char *mutant; /* system world, as the next */
    bool mutants;       /* are to be listed */
    bool goals_only;    /* system mutants, as the next */
    struct cor_made_options made;
};

/* ---- system check */

static const struct cor_column_definition looked_sheet_columns[] = {
    {"tests", "tests", "", "tests, each with all of its examples", COR_CELL_COUNT, 0, 0},
    {"arms", "arms", "", "worlds, changed or not, and policies", COR_CELL_COUNT, 0, 0},
    {"findings", "findings", "", "what is odd", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(looked_sheet, "looked", "File", "what was looked at", COR_SHEET_RECORD, 0);

static const struct cor_column_definition findings_sheet_columns[] = {
    {"finding", "finding", "", "never enabled, never used", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"about", "about", "", "test, or named goal", COR_CELL_WORD, 0, 0},
    {"text", "in words", "", "why", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "a row a finding", 0, 0);

static enum cor_status print_check(const struct request *request,
                                   const struct cor_system_experiment *experiment,
                                   const struct cor_system_findings *findings, struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-system-check", 1, &sheets, error));
    struct cor_sheet *looked = cor_sheets_add(sheets, &looked_sheet);
    cor_sheet_row(looked);
    cor_sheet_count(looked, experiment->entry_count);
    cor_sheet_count(looked, experiment->head.arm_count);
    cor_sheet_count(looked, findings->count);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &findings_sheet);
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_system_finding *it = &findings->items[f];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_system_odd_word(it->odd));
        cor_sheet_word(sheet, it->about);
        cor_sheet_text(sheet, "%s", it->text);
    }
    return cor_show_sheets(&request->sheets, sheets, "findings", error);
}

static enum cor_exit run_system_check(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    const struct cor_layer_options options = {.isolation = request->isolation};
    struct cor_error error = COR_NO_ERROR;
    COR_FINISHED(cor_system_findings) struct cor_system_findings findings = {0};
    COR_DESTROYED(cor_system_experiment) struct cor_system_experiment *experiment = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_system_experiment_read(arguments->words[0], &options, &experiment, &error));
    COR_TRY_OUT(cor_system_check(experiment, &findings, &error));
    COR_TRY_OUT(print_check(request, experiment, &findings, &error));
out:
    return status != COR_OK ? cor_report(&error) : findings.count > 0 ? COR_EXIT_EXPECTATION : COR_EXIT_DONE;
}

const struct cor_command cor_command_system_check = {
    .name = "system check",
    .summary = "check a file of tests of a running system",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads the file as corridor system test does, for every test, example and arm: names that the world "
        "does not have, goals without a tactic and whatever else cannot be meant are errors, with their "
        "place. Then lists what can be meant and is odd: conditions that can never hold, whatever is seen, "
        "so "
        "that an action is never enabled or a goal never solved, and named goals that no test uses. The exit "
        "code is 1 if there is such a finding.",
    .options = {COR_SHEET_OPTIONS(sheets, "print the findings as CSV"), COR_ISOLATE_OPTION(isolation)},
    .examples = {"corridor system check tests.json", "corridor system check tests.json --json"},
    .run = run_system_check,
};

/* ---- system world */

static enum cor_status open_world(void *context, const struct system_layer__greeting *greeting,
                                  struct cor_live_world **live, struct cor_error *error) {
    const struct system_layer__world *world = context;
    static struct cor_system_experiment experiment; /* no examples; */
    static struct cor_system_entry entry;           /* both live as long as the world */
    const struct system_layer__world_request request = {&experiment, greeting->test_agents,
                                                        greeting->test_agent_count, &entry};
    experiment.head.seed = greeting->seed;
    return world->maker->create(world, &request, live, error);
}

/* The world with the change that is asked for. */
static enum cor_status change_world(const struct request *request, struct system_layer__world **world,
                                    struct cor_error *error) {
    struct system_layer__world *changed = NULL;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json_writer *writer = NULL;
    COR_FREED char *text = NULL;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "mutant", request->mutant);
    cor_json_close(writer);
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    COR_TRY(cor_json_parse(text, "--mutant", &document, error));
    const struct cor_json root = cor_json_root(document), mutant = cor_json_at(&root, 0);
    COR_TRY(system_layer__world_change(*world, &mutant, &changed, error));
    system_layer__world_destroy(*world);
    *world = changed;
    return COR_OK;
}

static enum cor_exit run_system_world(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_DESTROYED(system_layer__world) struct system_layer__world *world = NULL;
    struct cor_json system;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_json_read(arguments->words[0], &document, &error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_SYSTEM_EXPERIMENT, &error));
    COR_TRY_OUT(cor_json_need(&root, "system", &system, &error));
    COR_TRY_OUT(system_layer__world_read(&system, NULL, &world, &error));
    if (request->mutant)
        COR_TRY_OUT(change_world(request, &world, &error));
    if (request->mutants) {
        char name[256];
        for (uint32_t m = 0;
             world->maker->name_mutant && world->maker->name_mutant(world, m, name, sizeof name); m++)
            cor_print("%s\n", name);
        goto out;
    }
    if (world->maker->command)
        COR_TRY_OUT(
            cor_json_fail(&system, &error, "start it", "the world is a program, and speaks for itself"));
    COR_TRY_OUT(system_layer__serve(open_world, world, stdin, stdout, &error));
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_system_world = {
    .name = "system world",
    .summary = "run the world of a file by lines, as a program does",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file of the system layer"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads requests from standard input, a line of JSON each, and answers on standard output: the "
        "dialogue of world programs, docs/look-up/world-programs.md. The world is that of the file's member "
        "\"system\". A test whose world is this command sees what it sees in the world itself.",
    .options = {{"mutant", 0, "NAME", "take the world with this change", COR_TEXT(mutant)},
                {"mutants", 0, NULL, "print the names of its mutants instead, a line each",
                 COR_FLAG(mutants)}},
    .examples = {"corridor system world level.json",
                 "corridor system world level.json --mutant \"link b1-d1 removed\""},
    .run = run_system_world,
};

/* ---- system mutants */

/* ---- what does anything */

static void put_action(struct cor_json_writer *writer, const char *name, const char *argument) {
    char text[400];
    snprintf(text, sizeof text, "%.150s(%.200s)", name, argument);
    cor_json_put_string(writer, NULL, text);
}

/* ---- the experiment */

/* Goals as the file has them; anything, at random; anything, what was done the least in this state. */
enum { GOALS, RANDOM, LEAST_DONE, CHOOSERS };
static const char *const choosers[CHOOSERS] = {"goals", "random", "least_done"};

static void put_arm(struct cor_json_writer *writer, const struct system_layer__rig *rig, int chooser,
                    const char *mutant) {
    COR_FREED char *name = cor_format("%s%s%s", choosers[chooser], mutant ? ": " : "", mutant ? mutant : "");
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", name ? name : "");
    if (mutant)
        cor_json_put_string(writer, "mutant", mutant);
    if (chooser == RANDOM)
        cor_json_put_string(writer, "policy", "random");
    if (chooser == LEAST_DONE) { /* where test agents stand tells states apart */
        cor_json_open_object(writer, "policy");
        cor_json_open_object(writer, "least_done");
        cor_json_open_array(writer, "by");
        for (uint32_t a = 0; a < rig->actor_count; a++)
            cor_json_put_string(writer, NULL, rig->actors[a].name);
        cor_json_close(writer);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    if (chooser != GOALS) {
        /* A goal that nothing solves, with all actions of the world. */
        cor_json_open_object(writer, "goal");
        cor_json_put_string(writer, "goal", "1 = 2");
        cor_json_open_object(writer, "tactic");
        cor_json_open_array(writer, "any_of");
        const struct cor_world_declaration *declaration = rig->declaration;
        cor_json_put_string(writer, NULL, declaration->actions[COR_ACTION_WAIT].name);
        for (uint32_t a = COR_ACTION_FIRST; a < declaration->action_count; a++) {
            /* Each value of its one parameter that is a word, a truth value or an entity; what takes a
             * number, a text or several arguments is left to the tests of the file. */
            const struct cor_action *action = &declaration->actions[a];
            char any[300];
            if (action->parameter_count == 0)
                cor_json_put_string(writer, NULL, action->name);
            if (action->parameter_count != 1)
                continue;
            const struct cor_domain *domain = action->parameters[0].domain;
            for (uint32_t t = 0; !domain && t < declaration->type_count; t++) {
                snprintf(any, sizeof any, "any(it in %.250s)", declaration->types[t].name);
                put_action(writer, action->name, any);
            }
            for (uint32_t w = 0;
                 domain && domain->type == COR_VALUE_TYPE_ENUMERATION && w < domain->word_count; w++)
                put_action(writer, action->name, cor_words_text(declaration->words, domain->words[w]));
            if (domain && domain->type == COR_VALUE_TYPE_BOOLEAN) {
                put_action(writer, action->name, "true");
                put_action(writer, action->name, "false");
            }
        }
        cor_json_close(writer);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static enum cor_status write_experiment(const struct request *request,
                                        const struct cor_system_experiment *experiment, char **text,
                                        struct cor_error *error) {
    const struct cor_json root = cor_json_root(experiment->document);
    COR_DESTROYED(cor_json_writer) struct cor_json_writer *writer = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(item, &root)
        cor_json_put_value(writer, item.key, &item);
    const struct system_layer__world *world = experiment->world;
    struct system_layer__rig *rig = NULL;
    char mutant[300];
    struct cor_json arms;
    if (!world->maker->name_mutant)
        COR_TRY(cor_fail(error, COR_STATUS_INPUT, experiment->head.path,
                         "write arms with programs that are changed", "a world of \"%s\" has no mutants",
                         world->maker->key));
    if (cor_json_find(&root, "arms", &arms))
        COR_TRY(cor_json_fail(&arms, error, "leave them out", "the arms are the mutants of the world"));
    if (!world->maker->name_mutant(world, 0, mutant, sizeof mutant))
        COR_TRY(cor_fail(error, COR_STATUS_INPUT, experiment->head.path, NULL, "the world has no mutants"));
    COR_TRY(system_layer__rig_create(experiment, 0, 0, NULL, NULL, &rig, error));
    cor_json_open_array(writer, "arms");
    for (int chooser = 0; chooser < (request->goals_only ? 1 : CHOOSERS); chooser++) {
        put_arm(writer, rig, chooser, NULL);
        for (uint32_t m = 0; world->maker->name_mutant(world, m, mutant, sizeof mutant); m++)
            put_arm(writer, rig, chooser, mutant);
    }
    cor_json_close(writer);
    system_layer__rig_destroy(rig);
    cor_json_close(writer);
    status = cor_json_text_take(writer, 0, text, error);
    writer = NULL;
    return status;
}

static enum cor_status open_mutants(void *context, const char *path, struct cor_opened *opened,
                                    struct cor_error *error) {
    const struct cor_layer_options options = {0};
    COR_DESTROYED(cor_system_experiment) struct cor_system_experiment *experiment = NULL;
    COR_FREED char *made = NULL;
    COR_TRY(cor_system_experiment_read(path, NULL, &experiment, error));
    COR_TRY(write_experiment(context, experiment, &made, error));
    return cor_open_text(path, made, &options, opened, error);
}

/* ---- what came of it */

/* Is the mutant of that row in this state by some chooser? */
static bool is_somewhere(const struct cor_sheet *kills, size_t row, const char *wanted) {
    const size_t mutant = cor_sheet_column(kills, "mutant"), state = cor_sheet_column(kills, "state");
    for (size_t r = 0; r < cor_sheet_size(kills); r++)
        if (strcmp(cor_sheet_cell(kills, row, mutant)->text, cor_sheet_cell(kills, r, mutant)->text) == 0 &&
            strcmp(cor_sheet_cell(kills, r, state)->text, wanted) == 0)
            return true;
    return false;
}

/* A mutant that nobody killed is worse than one of which nobody can tell. */
static enum cor_exit code_of(const struct cor_sheet *kills) {
    enum cor_exit code = COR_EXIT_DONE;
    for (size_t r = 0; r < cor_sheet_size(kills); r++) {
        if (is_somewhere(kills, r, "killed"))
            continue;
        if (is_somewhere(kills, r, "alive"))
            return COR_EXIT_EXPECTATION;
        code = COR_EXIT_UNDECIDED;
    }
    return code;
}

static enum cor_status show_kills(void *context, struct cor_result *result, const char *path,
                                  enum cor_exit *code, struct cor_error *error) {
    const struct request *request = context;
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    (void)path;
    COR_TRY(cor_sheets_create("corridor-system-mutants", 1, &sheets, error));
    COR_TRY(cor_result_mutants(result, sheets, error));
    COR_TRY(cor_show_sheets(&request->sheets, sheets, "kills", error));
    *code = code_of(cor_sheets_find(sheets, "kills"));
    return COR_OK;
}

static enum cor_exit run_system_mutants(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    const struct cor_made_up mutants = {&request->made, request, open_mutants, show_kills};
    return cor_run_made_up(&mutants, arguments->words[0]);
}

const struct cor_command cor_command_system_mutants = {
    .name = "system mutants",
    .summary = "count which mutants of a world its tests kill",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Carries out the tests of a file in the world as it is and in each of its mutants: of rooms, a link "
        "removed, added or moved, a door shut for ever, a wall added, removed or moved, a hazard moved. "
        "Beside the test agents of the file, others in their place do anything that the world offers, at "
        "random or what was done the least in the same state and place, for as many cycles, before the same "
        "conditions and formulas; what asserts of goals say they cannot know. A mutant is killed if a test "
        "fails that does not fail in the world as it is by the same chooser. It is alive if tests were "
        "carried "
        "out and none killed it, whatever else they found: spent says in how many cycles. It has no verdict "
        "if the world was in trouble in every test. Prints scores and the matrix of kills. The exit code is "
        "1 if nobody killed one of the mutants, and 7 if there is none of these but one without a verdict.",
    .options = {{"goals-only", 0, NULL, "leave out the test agents that do anything", COR_FLAG(goals_only)},
                COR_SHEET_OPTIONS(sheets, "print the matrix of kills as CSV"),
                COR_MADE_OPTIONS(made)},
    .examples = {"corridor system mutants tests.json",
                 "corridor system mutants tests.json --goals-only --csv",
                 "corridor system mutants tests.json -o m.h5 # then: corridor show m.h5 goals"},
    .run = run_system_mutants,
};
