/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals that come and go while a test runs: "changes" of an experiment, and as the command line writes them.
 */
#include "efsm_changes.h"

#include <corridor/array.h>
#include <corridor/efsm_constraints.h>
#include <corridor/efsm_lint.h>
#include <corridor/efsm_mutants.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/traffic.h>

#include <stdlib.h>
#include <string.h>

#define CHANGES_MAX 100

/* The goals of an experiment, the first of which is there to begin with. */
struct goals {
    const struct cor_efsm_goal *found[CHANGES_MAX + 1];
    struct cor_efsm_goal made[CHANGES_MAX + 1]; /* what `found` points at that is no model's own */
    uint32_t count;
};

static enum cor_status find_goal(const struct cor_json *json, const struct cor_efsm *model,
                                 struct goals *goals, bool adds, uint32_t *goal, struct cor_error *error) {
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    for (*goal = 0; *goal < goals->count; ++*goal)
        if (strcmp(goals->found[*goal]->name, name) == 0)
            return COR_OK;
    if (!adds)
        return cor_json_fail(json, error, "drop the goal, or one that a change before this one adds",
                             "the goal \"%s\" is not asked for", name);
    COR_TRY(cor_efsm_goal_find(model, name, &goals->made[*goal], &goals->found[*goal], error));
    goals->count++;
    return COR_OK;
}

/* "by": "system" of a change: the system may say it. `told`: where the goals stand that it may speak of. */
static enum cor_status read_told(const struct cor_json *json, const struct cor_json *by,
                                 struct cor_efsm_experiment *experiment, const char *name, bool adds,
                                 struct cor_error *error) {
    static const char *const words[] = {"system", NULL};
    struct cor_told_goal *told = experiment->told;
    uint32_t g = 0;
    int word;
    COR_TRY(cor_json_one_of(by, words, "speaker", &word, error));
    while (g < experiment->told_count && strcmp(told[g].name, name) != 0)
        g++;
    if (g == experiment->told_count)
        told[experiment->told_count++].name = name;
    bool *may = adds ? &told[g].may_add : &told[g].may_drop;
    if (*may)
        return cor_json_fail(json, error, "leave one of them away", "this change is named twice");
    *may = true;
    return COR_OK;
}

/* {"add": GOAL, "at": MOVES}, {"drop": GOAL, "when": CONDITION}, {"add": GOAL, "by": "system"}. `goal`: which
 * of the goals; `change` is left as it is where the system makes it. */
static enum cor_status read_change(const struct cor_json *json, struct cor_efsm_experiment *experiment,
                                   struct goals *goals, struct cor_online_change *change, uint32_t *goal,
                                   bool *is_told, struct cor_error *error) {
    static const char *const keys[] = {"add", "drop", "at", "when", "by", NULL};
    struct cor_json member, at, when, by;
    const char *name; /* borrowed from the document, which the experiment keeps */
    int64_t moves;
    COR_TRY(cor_json_expect_object(json, keys, error));
    const bool adds = cor_json_find(json, "add", &member);
    if (adds == cor_json_find(json, "drop", adds ? &at : &member))
        return cor_json_fail(json, error, NULL, "a change has either \"add\" or \"drop\"");
    COR_TRY(find_goal(&member, experiment->model, goals, adds, goal, error));
    COR_TRY(cor_json_string(&member, &name, error));
    const bool counts = cor_json_find(json, "at", &at), holds = cor_json_find(json, "when", &when);
    *is_told = cor_json_find(json, "by", &by);
    if (counts + holds + *is_told != 1)
        return cor_json_fail(json, error, NULL, "a change has one of \"at\", \"when\" and \"by\"");
    if (*is_told)
        return read_told(json, &by, experiment, name, adds, error);
    change->adds = adds;
    if (holds)
        return cor_efsm_read_condition(&when, experiment->model, &change->when, error);
    COR_TRY(cor_json_integer(&at, 0, 1000000000, &moves, error));
    change->at = (uint32_t)moves;
    return COR_OK;
}

/* What the system says of a goal would be nonsense where another change has been before it. */
static enum cor_status check_told(const struct cor_json *json, const struct cor_efsm_experiment *experiment,
                                  const struct goals *goals, const uint32_t *which, struct cor_error *error) {
    for (uint32_t c = 0; c < experiment->change_count; c++)
        for (uint32_t g = 0; g < experiment->told_count; g++)
            if (strcmp(goals->found[which[c]]->name, experiment->told[g].name) == 0)
                return cor_json_fail(json, error, "leave the others away",
                                     "the goal \"%s\" is the system's to add or drop, and of other changes",
                                     experiment->told[g].name);
    return COR_OK;
}

/* The member "changes" of an experiment whose goal is known: its goal becomes one of all goals together. */
static enum cor_status efsm_layer__read_changes(const struct cor_json *json,
                                                struct cor_efsm_experiment *experiment,
                                                struct cor_error *error) {
    struct goals *goals = cor_calloc(1, sizeof *goals);
    uint32_t which[CHANGES_MAX], first[CHANGES_MAX + 1];
    struct cor_efsm_goal whole;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(goals, error));
    goals->found[goals->count++] = experiment->goal;
    COR_TRY_OUT(cor_json_expect_array(json, 0, CHANGES_MAX, error));
    experiment->changes = cor_calloc(cor_json_size(json), sizeof *experiment->changes);
    experiment->told = cor_calloc(cor_json_size(json), sizeof *experiment->told);
    if (!experiment->changes || !experiment->told)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const uint32_t c = experiment->change_count++;
        bool is_told = false;
        COR_TRY_OUT(
            read_change(&item, experiment, goals, &experiment->changes[c], &which[c], &is_told, error));
        experiment->change_count -= is_told;
    }
    COR_TRY_OUT(check_told(json, experiment, goals, which, error));
    COR_TRY_OUT(cor_efsm_goal_join(goals->found, goals->count, &whole, error));
    first[0] = 0;
    for (uint32_t g = 0; g + 1 < goals->count; g++)
        first[g + 1] = first[g] + goals->found[g]->trap_count;
    for (uint32_t c = 0; c < experiment->change_count; c++) {
        experiment->changes[c].first = first[which[c]];
        experiment->changes[c].count = goals->found[which[c]]->trap_count;
    }
    for (uint32_t t = 0; t < experiment->told_count; t++)
        for (uint32_t g = 0; g < goals->count; g++)
            if (strcmp(goals->found[g]->name, experiment->told[t].name) == 0) {
                experiment->told[t].first = first[g];
                experiment->told[t].count = goals->found[g]->trap_count;
            }
    cor_efsm_goal_fini(&experiment->own_goal);
    experiment->own_goal = whole;
    experiment->goal = &experiment->own_goal;
    cor_efsm_problem_destroy(experiment->problem);
    experiment->problem = NULL;
    COR_TRY_OUT(cor_efsm_problem_create(experiment->model, experiment->goal, &experiment->problem, error));
out:
    for (uint32_t g = 0; g < goals->count; g++)
        cor_efsm_goal_fini(&goals->made[g]);
    free(goals);
    return status;
}

static void free_changes(struct cor_efsm_experiment *experiment) {
    for (uint32_t c = 0; c < experiment->change_count; c++)
        cor_expression_fini(&experiment->changes[c].when);
    free(experiment->changes);
    free(experiment->told);
}

/* The next word of the text, which it is moved behind; NULL: none is left. */
static char *take_word(char **text) {
    char *word = *text + strspn(*text, " ");
    char *end = word + strcspn(word, " ");
    *text = *end ? end + 1 : end;
    *end = '\0';
    return *word ? word : NULL;
}

enum cor_status efsm_layer__put_changes(const char *text, struct cor_json_writer *writer,
                                        struct cor_error *error) {
    char *copy = cor_strdup(text), *at = copy;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(copy, error));
    cor_json_open_array(writer, "changes");
    while (status == COR_OK && at && *at) {
        char *end = strchr(at, ';'), *rest = at;
        if (end)
            *end = '\0';
        const char *verb = take_word(&rest), *goal = take_word(&rest), *kind = take_word(&rest);
        rest += strspn(rest, " ");
        const bool counts = kind && strcmp(kind, "at") == 0, is_told = kind && strcmp(kind, "by") == 0;
        if (!verb || (strcmp(verb, "add") != 0 && strcmp(verb, "drop") != 0) || !goal || !kind ||
            (!counts && !is_told && strcmp(kind, "when") != 0) || !*rest ||
            (counts && rest[strspn(rest, "0123456789")] != '\0') || (counts && strlen(rest) > 9)) {
            status = cor_fail(error, COR_STATUS_INPUT, "--changes",
                              "add GOAL at MOVES; drop GOAL when CONDITION; add GOAL by system",
                              "\"%s\" is no list of changes", text);
            break;
        }
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, verb, goal);
        if (counts)
            cor_json_put_integer(writer, kind, strtol(rest, NULL, 10));
        else
            cor_json_put_string(writer, kind, rest);
        cor_json_close(writer);
        at = end ? end + 1 : NULL;
    }
    cor_json_close(writer);
    free(copy);
    return status;
}

/* ---- an experiment of the efsm layer, from JSON: a file, or what a command line says, written likewise */

#define ARMS_MAX 60000
#define NAME_BYTES_MAX 300

static enum cor_status read_efsm(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_efsm_read_named(json, &((struct cor_efsm_experiment *)into)->model, error);
}

static enum cor_status read_goal(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm_experiment *experiment = into;
    const char *name;
    experiment->resets = experiment->model->resets; /* unless the experiment says so, further below */
    COR_TRY(cor_json_string(json, &name, error));
    COR_TRY(cor_efsm_goal_find(experiment->model, name, &experiment->own_goal, &experiment->goal, error));
    return cor_efsm_problem_create(experiment->model, experiment->goal, &experiment->problem, error);
}

static enum cor_status read_changes(const struct cor_json *json, void *into, struct cor_error *error) {
    return efsm_layer__read_changes(json, into, error);
}

/* A word of one of our lists; complains with those that there are. */
static enum cor_status read_word(const struct cor_json *json, const char *(*word)(size_t index),
                                 const char *what, uint32_t *index, struct cor_error *error) {
    const char *names[16] = {0};
    int found = 0;
    for (size_t i = 0; i < 15 && word(i); i++)
        names[i] = word(i);
    COR_TRY(cor_json_one_of(json, names, what, &found, error));
    *index = (uint32_t)found;
    return COR_OK;
}

static const char *planner_word(size_t index) {
    return cor_planner_kinds[index] ? cor_planner_kinds[index]->name : NULL;
}

struct reading {
    struct cor_efsm_experiment *experiment;
    struct cor_efsm_arm *arm;
};

static enum cor_status read_planner(const struct cor_json *json, void *into, struct cor_error *error) {
    uint32_t index;
    COR_TRY(read_word(json, planner_word, "planner", &index, error));
    ((struct reading *)into)->arm->planner = cor_planner_kinds[index];
    return COR_OK;
}

static enum cor_status read_reading(const struct cor_json *json, void *into, struct cor_error *error) {
    uint32_t index;
    COR_TRY(read_word(json, cor_reading_word, "reading", &index, error));
    ((struct reading *)into)->arm->reading = (enum cor_plan_reading)index;
    return COR_OK;
}

static enum cor_status read_frequencies(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    reading->arm->choosing = COR_CHOOSING_FREQUENCIES;
    return cor_frequencies_read(json, reading->experiment->model, &reading->arm->weights, error);
}

static enum cor_status read_command(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    COR_TRY(cor_json_string(json, &reading->arm->command, error));
    if (reading->arm->command[0] == '\0' || !cor_is_printable(reading->arm->command))
        return cor_json_fail(json, error, "one line for sh", "this is no command");
    return COR_OK;
}

static enum cor_status read_answer_seconds(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_real(json, 0.001, 86400, &((struct reading *)into)->arm->answer_seconds, error);
}

static enum cor_status read_quiet_seconds(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_real(json, 0, 86400, &((struct reading *)into)->arm->quiet_seconds, error);
}

static enum cor_status read_memory_bytes(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t bytes;
    COR_TRY(cor_json_integer(json, COR_GUEST_MEMORY_LEAST, COR_GUEST_MEMORY_MOST, &bytes, error));
    ((struct reading *)into)->arm->memory_bytes = (uint64_t)bytes;
    return COR_OK;
}

static const struct cor_field system_fields[] = {
    {"frequencies", COR_OPTIONAL, COR_READ_FIELD(read_frequencies)},
    {"command", COR_OPTIONAL, COR_READ_FIELD(read_command)},
    {"answer_seconds", COR_OPTIONAL, COR_READ_FIELD(read_answer_seconds)},
    {"quiet_seconds", COR_OPTIONAL, COR_READ_FIELD(read_quiet_seconds)},
    {"memory_bytes", COR_OPTIONAL, COR_READ_FIELD(read_memory_bytes)},
    {0}};

static enum cor_status read_system(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    if (cor_json_is_string(json))
        return cor_choosing_read(json, "system", &reading->arm->choosing, error);
    COR_TRY(cor_json_fields(json, system_fields, reading, error));
    if (!reading->arm->command == !reading->arm->weights)
        return cor_json_fail(json, error, NULL, "a system has either \"frequencies\" or a \"command\"");
    return COR_OK;
}

static enum cor_status read_mutant(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    if (cor_json_is_null(json))
        return COR_OK;
    COR_TRY(cor_json_string(json, &reading->arm->mutant, error));
    return cor_efsm_mutate_named(reading->experiment->model, json, &reading->arm->acting, error);
}

static enum cor_status read_arm_name(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct reading *reading = into;
    const struct cor_efsm_experiment *experiment = reading->experiment;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    if (name[0] == '\0' || strlen(name) > NAME_BYTES_MAX || !cor_is_printable(name))
        return cor_json_fail(json, error, "1 to 300 bytes without control characters", "no name for an arm");
    for (uint32_t a = 0; a < experiment->head.arm_count; a++)
        if (&experiment->arms[a] != reading->arm && strcmp(experiment->arms[a].name, name) == 0)
            return cor_json_fail(json, error, "each arm has a name of its own", "\"%s\" is an arm already",
                                 name);
    reading->arm->name = name;
    return COR_OK;
}

static const struct cor_field arm_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_arm_name)},
                                              {"planner", COR_OPTIONAL, COR_READ_FIELD(read_planner)},
                                              {"reading", COR_OPTIONAL, COR_READ_FIELD(read_reading)},
                                              {"system", COR_OPTIONAL, COR_READ_FIELD(read_system)},
                                              {"mutant", COR_OPTIONAL, COR_READ_FIELD(read_mutant)},
                                              {0}};

/* What holds where the arm does not say it. */
static enum cor_status note_defaults(const struct cor_json *arm, const struct cor_efsm_arm *made,
                                     struct cor_error *error) {
    COR_TRY(cor_json_note_default_word(arm, "planner", made->planner->name, error));
    COR_TRY(cor_json_note_default_word(arm, "reading", cor_reading_word(made->reading), error));
    if (!made->command)
        return made->weights
                   ? COR_OK
                   : cor_json_note_default_word(arm, "system", cor_choosing_word(made->choosing), error);
    COR_TRY(cor_json_note_default_number(arm, "system/answer_seconds", made->answer_seconds, error));
    COR_TRY(cor_json_note_default_number(arm, "system/quiet_seconds", made->quiet_seconds, error));
    return cor_json_note_default_number(arm, "system/memory_bytes", (double)made->memory_bytes, error);
}

static enum cor_status read_arms(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm_experiment *experiment = into;
    COR_TRY(cor_json_expect_array(json, 1, ARMS_MAX, error));
    experiment->arms = cor_calloc(cor_json_size(json), sizeof *experiment->arms);
    COR_TRY(cor_made(experiment->arms, error));
    for (size_t a = 0; a < cor_json_size(json); a++) {
        const struct cor_json item = cor_json_at(json, a);
        struct cor_efsm_arm *arm = &experiment->arms[experiment->head.arm_count];
        struct reading reading = {experiment, arm};
        *arm = (struct cor_efsm_arm){.planner = cor_planner_kinds[0],
                                     .answer_seconds = cor_default_program().answer_seconds,
                                     .memory_bytes = cor_default_program().memory_bytes};
        experiment->head.arm_count++;
        COR_TRY(cor_json_fields(&item, arm_fields, &reading, error));
        COR_TRY(note_defaults(&item, arm, error));
        if (arm->command && arm->mutant)
            return cor_json_fail(&item, error, "leave one of them away", "a program has no mutants of ours");
        if (experiment->possible_states && strcmp(arm->planner->name, "paper") == 0)
            return cor_json_fail(
                &item, error, "take another planner",
                "\"paper\" plans over states of the model, not over sets of possible states");
        arm->compares = arm->mutant != NULL;
        for (uint32_t i = 0; i + 1 < experiment->head.arm_count && arm->compares; i++)
            arm->compares =
                !experiment->arms[i].mutant || strcmp(experiment->arms[i].mutant, arm->mutant) != 0;
        /* What the result file says of an arm. */
        struct cor_json_writer *writer;
        COR_TRY(cor_json_writer_create(&writer, error));
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "planner", arm->planner->name);
        cor_json_put_string(writer, "reading", cor_reading_word(arm->reading));
        cor_json_put_string(writer, "system", arm->command ? arm->command : cor_choosing_word(arm->choosing));
        cor_json_put_string(writer, "mutant", arm->mutant);
        cor_json_close(writer);
        COR_TRY(cor_json_text_take(writer, 0, &arm->description, error));
    }
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"name", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"description", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"efsm", COR_REQUIRED, COR_READ_FIELD(read_efsm)},
    {"goal", COR_REQUIRED, COR_READ_FIELD(read_goal)},
    {"changes", COR_OPTIONAL, COR_READ_FIELD(read_changes)},
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct cor_efsm_experiment, head.seed)},
    {"runs", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_efsm_experiment, head.suite_count, 1, 1000000)},
    {"moves", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_efsm_experiment, moves, 1, 1000000000)},
    {"resets", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_efsm_experiment, resets, 0, COR_EFSM_RESETS_MAX)},
    {"states", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_efsm_experiment, states, 1, 100000000)},
    {"depth", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_efsm_experiment, depth, 0, 1000000)},
    {"optimise", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_efsm_experiment, optimised, 0, COR_PLANNER_OPTIMISED_MAX)},
    {"compare_moves", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_efsm_experiment, compare_moves, 1, 10000000000)},
    {"possible_states", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_efsm_experiment, possible_states)},
    {"brief", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_efsm_experiment, brief)},
    {"arms", COR_REQUIRED, COR_READ_FIELD(read_arms)},
    {"stop", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

/* Rivals that answer alike leave open where the system is. Judged over all states of the domains. */
static enum cor_status check_answers(const struct cor_efsm_experiment *experiment, struct cor_error *error) {
    const struct cor_efsm *model = experiment->model;
    struct cor_efsm_findings findings = {0};
    enum cor_status status = COR_OK;
    if (experiment->possible_states)
        return COR_OK;
    COR_TRY(cor_efsm_lint(model, (struct cor_efsm_lint_limits){1, 1}, &findings, error));
    for (uint32_t f = 0; f < findings.count; f++) {
        const struct cor_efsm_finding *it = &findings.findings[f];
        if (it->lint == COR_EFSM_LINT_ALIKE)
            COR_TRY_OUT(
                cor_fail(error, COR_STATUS_INPUT, experiment->head.path,
                         "plan over sets of possible states (--possible-states), or give the rivals "
                         "outputs that tell them apart",
                         "rivals \"%s\" and \"%s\"%s answer alike: no output tells where the system is",
                         model->transition_names[it->first], model->transition_names[it->second],
                         it->decided ? "" : ", as far as is known,"));
    }
out:
    cor_efsm_findings_fini(&findings);
    return status;
}

/* The text with the model inlined. */
static enum cor_status inline_model(const char *text, const char *path, char **whole,
                                    struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json_writer *writer = NULL;
    struct cor_efsm *model = NULL;
    enum cor_status status = COR_OK;
    *whole = NULL;
    COR_TRY(cor_json_parse(text, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_expect_object(&root, NULL, error));
    COR_TRY_OUT(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(&root) && status == COR_OK; i++) {
        const struct cor_json item = cor_json_at(&root, i);
        if (strcmp(item.key, "efsm") != 0 || !cor_json_is_string(&item)) {
            cor_json_put_value(writer, item.key, &item);
            continue;
        }
        struct cor_efsm_experiment it = {0};
        status = read_efsm(&item, &it, error);
        model = it.model;
        if (status == COR_OK) {
            const struct cor_json inner = cor_json_root(model->document);
            cor_json_put_value(writer, item.key, &inner);
        }
    }
    cor_json_close(writer);
    if (status == COR_OK)
        status = cor_json_text_take(writer, 0, whole, error);
    else
        cor_json_writer_destroy(writer);
out:
    cor_efsm_destroy(model);
    cor_json_destroy(document);
    return status;
}

enum cor_status cor_efsm_experiment_parse(const char *text, const char *path, struct cor_origins *origins,
                                          struct cor_efsm_experiment **experiment, struct cor_error *error) {
    struct cor_efsm_experiment *made = cor_calloc(1, sizeof *made);
    *experiment = NULL;
    COR_TRY(cor_made(made, error));
    *made = (struct cor_efsm_experiment){.head.suite_count = 1,
                                         .moves = 1000,
                                         .states = cor_default_planner().state_budget,
                                         .depth = cor_default_planner().depth,
                                         .compare_moves = 2000000};
    enum cor_status status = COR_OK;
    struct cor_json_document *document;
    COR_TRY_OUT(cor_made(made->head.path = cor_strdup(path), error));
    /* Read once as it stands, so that places are those of the file. */
    COR_TRY_OUT(cor_json_parse(text, path, &document, error));
    made->document = document;
    if (origins)
        COR_TRY_OUT(cor_json_record(document, origins, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_fields(&root, fields, made, error));
    if (made->model->transition_count >= UINT16_MAX || made->goal->trap_count > UINT16_MAX)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "take a part of the goal",
                             "has more transitions or traps than a result file can tell apart (%u)",
                             UINT16_MAX));
    COR_TRY_OUT(check_answers(made, error));
    COR_TRY_OUT(inline_model(text, path, &made->head.text, error));
    COR_TRY_OUT(cor_experiment_head_arms(&made->head, made->head.arm_count, error));
    for (uint32_t a = 0; a < made->head.arm_count; a++) {
        const struct cor_efsm_arm *arm = &made->arms[a];
        made->head.arms[a] = (struct cor_arm_head){
            .name = arm->name, .description = arm->description, .foreign = arm->command != NULL};
        made->has_programs = made->has_programs || arm->command;
    }
    if (made->told_count > 0 && !made->has_programs)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "name a program as the system",
                             "only a program can say of the goal \"%s\" that it comes or goes",
                             made->told[0].name));
    made->head.resumable = !made->has_programs; /* what a program does the text does not say */
out:
    if (status != COR_OK)
        cor_efsm_experiment_destroy(made);
    else
        *experiment = made;
    return status;
}

enum cor_status cor_efsm_experiment_find_files(struct cor_efsm_experiment *experiment,
                                               struct cor_error *error) {
    struct cor_experiment_head *head = &experiment->head;
    head->resumable = true;
    for (uint32_t a = 0; a < head->arm_count; a++) {
        struct cor_efsm_arm *arm = &experiment->arms[a];
        if (!arm->command)
            continue;
        COR_TRY(cor_guest_files(&arm->files, arm->command, false, error));
        head->arms[a].digest = arm->files.digest;
        head->resumable = head->resumable && arm->files.digest;
    }
    return COR_OK;
}

enum cor_status cor_efsm_experiment_constrain_take(struct cor_efsm_experiment *experiment,
                                                   struct cor_efsm *model, struct cor_efsm_goal *made,
                                                   struct cor_efsm_constraints *constraints,
                                                   struct cor_error *error) {
    experiment->constrained = model;
    experiment->constrained_goal = *made;
    if (constraints->goal == made)
        constraints->goal = &experiment->constrained_goal;
    *made = (struct cor_efsm_goal){0};
    experiment->constraints = cor_calloc(1, sizeof *experiment->constraints);
    if (!experiment->constraints) {
        cor_efsm_constraints_fini(constraints);
        return cor_fail_memory(error);
    }
    *experiment->constraints = *constraints;
    *constraints = (struct cor_efsm_constraints){0};
    return COR_OK;
}

void cor_efsm_experiment_destroy(struct cor_efsm_experiment *experiment) {
    if (!experiment)
        return;
    for (uint32_t a = 0; a < experiment->head.arm_count; a++) {
        cor_efsm_destroy(experiment->arms[a].acting);
        cor_guest_files_fini(&experiment->arms[a].files);
        free(experiment->arms[a].weights);
        free(experiment->arms[a].description);
    }
    free(experiment->arms);
    free_changes(experiment);
    if (experiment->constraints)
        cor_efsm_constraints_fini(experiment->constraints);
    free(experiment->constraints);
    cor_efsm_goal_fini(&experiment->constrained_goal);
    cor_efsm_destroy(experiment->constrained);
    cor_efsm_problem_destroy(experiment->problem);
    cor_efsm_goal_fini(&experiment->own_goal);
    cor_efsm_destroy(experiment->model);
    cor_json_destroy(experiment->document);
    cor_traffic_close(experiment->traffic);
    cor_experiment_head_fini(&experiment->head);
    free(experiment);
}

static enum cor_status open_system(const struct cor_efsm_experiment *experiment,
                                   const struct cor_efsm_arm *arm, uint32_t run, struct cor_system **system,
                                   struct cor_error *error) {
    if (arm->command) {
        const struct cor_program_definition program = {
            experiment->model,   arm->command,          arm->answer_seconds, arm->quiet_seconds,
            experiment->traffic, experiment->is_free,   experiment->is_full, arm->memory_bytes,
            experiment->told,    experiment->told_count};
        return cor_program_create(&program, system, error);
    }
    const struct cor_simulator_definition simulator = {.model = arm->acting ? arm->acting : experiment->model,
                                                       .choosing = arm->choosing,
                                                       .seed = experiment->head.seed,
                                                       .run = run,
                                                       .weights = arm->weights,
                                                       .goal = experiment->goal,
                                                       .goal_model = experiment->model};
    return cor_simulator_create(&simulator, system, error);
}

enum cor_status cor_efsm_test(const struct cor_efsm_experiment *experiment, uint32_t arm, uint32_t run,
                              struct cor_system *system_take,
                              enum cor_status (*note)(void *context, const struct cor_online_move *move,
                                                      struct cor_error *error),
                              enum cor_status (*think)(void *context, double share, struct cor_error *error),
                              void *context, struct cor_online_outcome *outcome, struct cor_error *error) {
    const struct cor_efsm_arm *it = &experiment->arms[arm];
    struct cor_online_definition definition = {.model = experiment->model,
                                               .goal = experiment->goal,
                                               .changes = experiment->changes,
                                               .change_count = experiment->change_count,
                                               .told = experiment->told,
                                               .told_count = experiment->told_count,
                                               .planner = it->planner,
                                               .planning = cor_default_planner(),
                                               .system = system_take,
                                               .moves = experiment->moves,
                                               .resets = experiment->resets,
                                               .possible_states = experiment->possible_states,
                                               .problem = experiment->problem,
                                               .note = note,
                                               .think = think,
                                               .context = context};
    if (!system_take)
        COR_TRY(open_system(experiment, it, run, &definition.system, error));
    definition.planning.reading = it->reading;
    definition.planning.state_budget = experiment->states;
    definition.planning.depth = experiment->depth;
    definition.planning.constraints = experiment->constraints;
    definition.planning.optimised = experiment->optimised;
    definition.planning.seed = cor_hash_word(cor_hash_word(COR_HASH_SEED, experiment->head.seed), run);
    enum cor_status status = cor_online_run(&definition, outcome, error);
    cor_system_close(definition.system);
    return status;
}
