/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals that come and go while a test runs: "changes" of an experiment, and as the command line writes them.
 */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/efsm_layer.h>
#include <corridor/efsm_lint.h>
#include <corridor/efsm_mutants.h>
#include <corridor/efsm_reach.h>
#include <corridor/efsm_schema.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/json_names.h>
#include <corridor/layer.h>
#include <corridor/online.h>
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

/* {"add": GOAL, "at": MOVES}, {"drop": GOAL, "when": CONDITION}, {"add": GOAL, "by": "system"}. `goal`: which
 * of the goals; `change` is left as it is where the system makes it. */
static enum cor_status read_change(const struct cor_json *json, struct cor_efsm_experiment *experiment,
                                   struct goals *goals, struct cor_online_change *change, uint32_t *goal,
                                   bool *is_told, struct cor_error *error) {
    static const char *const keys[] = {"add", "drop", "at", "when", "by", NULL};
    struct cor_json member, at, when, by;
    const char *name; /* borrowed from the document, which the experiment keeps */
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
    if (*is_told) {
        /* "by": "system" of a change: the system may say it. `told`: where the goals stand that it may speak
         * of. */
        static const char *const words[] = {"system", NULL};
        struct cor_told_goal *told = experiment->told;
        uint32_t g = 0;
        int word;
        COR_TRY(cor_json_one_of(&by, words, "speaker", &word, error));
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
    change->adds = adds;
    if (holds)
        return cor_efsm_read_condition(&when, experiment->model, &change->when, error);
    return cor_json_count(&at, 0, 1000000000, &change->at, error);
}

/* The member "changes" of an experiment whose goal is known: its goal becomes one of all goals together. */
static enum cor_status efsm_layer__read_changes(const struct cor_json *json,
                                                struct cor_efsm_experiment *experiment,
                                                struct cor_error *error) {
    COR_FREED struct goals *goals = cor_calloc(1, sizeof *goals);
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
    COR_JSON_CHILDREN(item, json) {
        const uint32_t c = experiment->change_count++;
        bool is_told = false;
        COR_TRY_OUT(
            read_change(&item, experiment, goals, &experiment->changes[c], &which[c], &is_told, error));
        experiment->change_count -= is_told;
    }
    /* What the system says of a goal would be nonsense where another change has been before it. */
    for (uint32_t j = 0; j < experiment->change_count; j++)
        for (uint32_t k = 0; k < experiment->told_count; k++)
            if (strcmp(goals->found[which[j]]->name, experiment->told[k].name) == 0)
                COR_TRY_OUT(
                    cor_json_fail(json, error, "leave the others away",
                                  "the goal \"%s\" is the system's to add or drop, and of other changes",
                                  experiment->told[k].name));
    for (uint32_t g = 0; g < goals->count; g++)
        if (goals->found[g]->denies || goals->found[g]->way_count > 0)
            COR_TRY_OUT(
                cor_json_fail(json, error, "join them to the rest by && alone",
                              "the goal \"%s\" has a constraint that denies other traps or has several "
                              "cases over them, and goals come and go: a trap that is not asked for is "
                              "neither covered nor not",
                              goals->found[g]->name));
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
    return status;
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
    const struct cor_efsm_arm *arms = reading->experiment->arms;
    COR_TRY(cor_json_string(json, &reading->arm->name, error));
    return cor_json_check_name(
        json, reading->arm->name, NAME_BYTES_MAX,
        COR_RECORD_NAMES(arms, (size_t)(reading->arm - arms), struct cor_efsm_arm, name), "an arm", error);
}

static const struct cor_field arm_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_arm_name)},
                                              {"planner", COR_OPTIONAL, COR_READ_FIELD(read_planner)},
                                              {"reading", COR_OPTIONAL, COR_READ_FIELD(read_reading)},
                                              {"system", COR_OPTIONAL, COR_READ_FIELD(read_system)},
                                              {"mutant", COR_OPTIONAL, COR_READ_FIELD(read_mutant)},
                                              {0}};

static enum cor_status read_arms(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm_experiment *experiment = into;
    COR_TRY(cor_json_expect_array(json, 1, ARMS_MAX, error));
    COR_TRY(cor_made(experiment->arms = cor_calloc(cor_json_size(json), sizeof *experiment->arms), error));
    COR_JSON_CHILDREN(item, json) {
        struct cor_efsm_arm *arm = &experiment->arms[experiment->head.arm_count];
        struct reading reading = {experiment, arm};
        *arm = (struct cor_efsm_arm){.planner = cor_planner_kinds[0],
                                     .answer_seconds = cor_default_program().answer_seconds,
                                     .memory_bytes = cor_default_program().memory_bytes};
        experiment->head.arm_count++;
        COR_TRY(cor_json_fields(&item, arm_fields, &reading, error));
        /* What holds where the arm does not say it. */
        COR_TRY(cor_json_note_default_word(&item, "planner", arm->planner->name, error));
        COR_TRY(cor_json_note_default_word(&item, "reading", cor_reading_word(arm->reading), error));
        if (!arm->command)
            COR_TRY(arm->weights ? COR_OK
                                 : cor_json_note_default_word(&item, "system",
                                                              cor_choosing_word(arm->choosing), error));
        else {
            COR_TRY(cor_json_note_default_number(&item, "system/answer_seconds", arm->answer_seconds, error));
            COR_TRY(cor_json_note_default_number(&item, "system/quiet_seconds", arm->quiet_seconds, error));
            COR_TRY(
                cor_json_note_default_number(&item, "system/memory_bytes", (double)arm->memory_bytes, error));
        }
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

static enum cor_status read_runs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_efsm_experiment *experiment = into;
    struct cor_json stop; /* 0 is endless, until that */
    return cor_json_count(json, !cor_json_find(json->parent, "stop", &stop), 1000000,
                          &experiment->head.suite_count, error);
}

static const struct cor_field fields[] = {
    {"name", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"description", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"efsm", COR_REQUIRED, COR_READ_FIELD(read_efsm)},
    {"goal", COR_REQUIRED, COR_READ_FIELD(read_goal)},
    {"changes", COR_OPTIONAL, COR_READ_FIELD(read_changes)},
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct cor_efsm_experiment, head.seed)},
    {"runs", COR_OPTIONAL, COR_READ_FIELD(read_runs)},
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
    {"properties", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

/* Rivals that answer alike leave open where the system is. Judged over all states of the domains. */
static enum cor_status check_answers(const struct cor_efsm_experiment *experiment, struct cor_error *error) {
    const struct cor_efsm *model = experiment->model;
    COR_FINISHED(cor_efsm_findings) struct cor_efsm_findings findings = {0};
    if (experiment->possible_states)
        return experiment->goal->way_count == 0
                   ? COR_OK
                   : cor_fail(
                         error, COR_STATUS_INPUT, experiment->head.path,
                         "join the other traps to the rest by && alone, or give rivals outputs that tell "
                         "them apart",
                         "the goal \"%s\" has a constraint with several cases over other traps: which one a "
                         "hit is of depends on the state, and several states are possible",
                         experiment->goal->name);
    COR_TRY(cor_efsm_lint(model, (struct cor_efsm_lint_limits){1, 1}, &findings, error));
    for (uint32_t f = 0; f < findings.count; f++) {
        const struct cor_efsm_finding *it = &findings.findings[f];
        if (it->lint == COR_EFSM_LINT_ALIKE)
            COR_TRY(cor_fail(error, COR_STATUS_INPUT, experiment->head.path,
                             "plan over sets of possible states (--possible-states), or give the rivals "
                             "outputs that tell them apart",
                             "rivals \"%s\" and \"%s\"%s answer alike: no output tells where the system is",
                             model->transition_names[it->first], model->transition_names[it->second],
                             it->decided ? "" : ", as far as is known,"));
    }
    return COR_OK;
}

/* The text with the model inlined. */
static enum cor_status inline_model(const char *text, const char *path, char **whole,
                                    struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json_writer *writer = NULL;
    COR_DESTROYED(cor_efsm) struct cor_efsm *model = NULL;
    enum cor_status status = COR_OK;
    *whole = NULL;
    COR_TRY(cor_json_parse(text, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY(cor_json_expect_object(&root, NULL, error));
    COR_TRY(cor_json_writer_create(&writer, error));
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
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_EFSM_EXPERIMENT, error));
    COR_TRY_OUT(cor_json_fields(&root, fields, made, error));
    COR_TRY_OUT(cor_json_note_default_number(&root, "runs", made->head.suite_count, error));
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
        COR_FREE(experiment->arms[a].weights, experiment->arms[a].description);
    }
    free(experiment->arms);
    for (uint32_t c = 0; c < experiment->change_count; c++)
        cor_expression_fini(&experiment->changes[c].when);
    COR_FREE(experiment->changes, experiment->told);
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
    free(experiment->expected);
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

/* A test of the arm against this system, or what is given to it where there is no planner. */
static struct cor_online_definition definition_of(const struct cor_efsm_experiment *experiment, uint32_t arm,
                                                  uint32_t run, struct cor_system *system) {
    const struct cor_efsm_arm *it = &experiment->arms[arm];
    struct cor_online_definition definition = {.model = experiment->model,
                                               .goal = experiment->goal,
                                               .changes = experiment->changes,
                                               .change_count = experiment->change_count,
                                               .told = experiment->told,
                                               .told_count = experiment->told_count,
                                               .planner = it->planner,
                                               .planning = cor_default_planner(),
                                               .system = system,
                                               .moves = experiment->moves,
                                               .resets = experiment->resets,
                                               .possible_states = experiment->possible_states,
                                               .problem = experiment->problem};
    definition.planning.reading = it->reading;
    definition.planning.state_budget = experiment->states;
    definition.planning.depth = experiment->depth;
    definition.planning.constraints = experiment->constraints;
    definition.planning.optimised = experiment->optimised;
    definition.planning.seed = cor_hash_word(cor_hash_word(COR_HASH_SEED, experiment->head.seed), run);
    return definition;
}

enum cor_status cor_efsm_test(const struct cor_efsm_experiment *experiment, uint32_t arm, uint32_t run,
                              struct cor_system *system_take,
                              enum cor_status (*note)(void *context, const struct cor_online_move *move,
                                                      struct cor_error *error),
                              enum cor_status (*think)(void *context, double share, struct cor_error *error),
                              void *context, struct cor_online_outcome *outcome, struct cor_error *error) {
    if (!system_take)
        COR_TRY(open_system(experiment, &experiment->arms[arm], run, &system_take, error));
    struct cor_online_definition definition = definition_of(experiment, arm, run, system_take);
    definition.note = note;
    definition.think = think;
    definition.context = context;
    const enum cor_status status = cor_online_run(&definition, outcome, error);
    cor_system_close(system_take);
    return status;
}

enum cor_status efsm_layer__give(const struct efsm_layer__given *given,
                                 enum cor_status (*note)(void *context, const struct cor_online_move *move,
                                                         struct cor_error *error),
                                 void *context, struct cor_online_outcome *outcome, struct cor_error *error) {
    const struct cor_efsm_experiment *experiment = given->experiment;
    struct cor_system *system;
    COR_TRY(open_system(experiment, &experiment->arms[given->arm], given->run, &system, error));
    struct cor_online_definition definition = definition_of(experiment, given->arm, given->run, system);
    definition.planner = NULL;
    definition.given = given->inputs;
    definition.given_count = given->count;
    definition.more = given->more;
    definition.note = note;
    definition.context = context;
    const enum cor_status status = cor_online_run(&definition, outcome, error);
    cor_system_close(system);
    return status;
}

/* ---- What a test on line writes down */

struct efsm_layer__efsm_writer {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    bool brief; /* moves only where the model does not allow them */
    struct cor_record *record;
    const struct cor_watch *watch; /* NULL: nobody watches */
    uint32_t failed;               /* the move that the model does not allow; 0 = none */
    uint64_t replies;
    struct cor_efsm_observation scratch;
};

static enum cor_status put_argument(struct cor_record *record, int64_t value, struct cor_error *error) {
    const double number = (double)value;
    return cor_record_put(record, COR_EFSM_VECTOR_VALUE, &number, 1, NULL, error);
}

static uint64_t values_so_far(const struct cor_record *record) {
    size_t count;
    (void)cor_record_items(record, COR_EFSM_VECTOR_VALUE, &count);
    return count;
}

/* An observation: labels and arguments. */
static enum cor_status put_observation(struct cor_record *record, const struct cor_efsm *model,
                                       const struct cor_efsm_observation *observation, uint64_t *output_start,
                                       uint64_t *value_start, struct cor_error *error) {
    size_t count;
    (void)cor_record_items(record, COR_EFSM_VECTOR_OUTPUT, &count);
    *output_start = count;
    *value_start = values_so_far(record);
    for (uint32_t o = 0; o < observation->label_count; o++) {
        const uint16_t code = observation->labels[o] == COR_NONE ? 0 : (uint16_t)(observation->labels[o] + 1);
        const uint16_t arity =
            code == 0 ? 0 : (uint16_t)model->outputs[observation->labels[o]].parameter_count;
        COR_TRY(cor_record_put(record, COR_EFSM_VECTOR_OUTPUT, &code, 1, NULL, error));
        COR_TRY(cor_record_put(record, COR_EFSM_VECTOR_ARITY, &arity, 1, NULL, error));
    }
    for (uint32_t a = 0; a < observation->argument_count; a++)
        COR_TRY(put_argument(record, observation->arguments[a], error));
    return COR_OK;
}

/* The transition that all explanations name, else 0. */
static uint16_t transition_of(const struct cor_belief_step *step) {
    for (uint32_t w = 1; w < step->why_count; w++)
        if (step->why[w].transition != step->why[0].transition)
            return 0;
    return step->why_count == 0 || step->why[0].transition == COR_NONE
               ? 0
               : (uint16_t)(step->why[0].transition + 1);
}

static enum cor_status put_allowed(struct efsm_layer__efsm_writer *writer, const struct cor_online_move *move,
                                   struct cor_error *error) {
    const struct cor_efsm *model = writer->model;
    const size_t width = cor_belief_width(model);
    const struct cor_efsm_label *input = &model->inputs[move->input];
    int64_t all[COR_EFSM_VARIABLES_MAX];
    for (uint32_t w = 0; w < move->allowed->why_count; w++) {
        const struct cor_efsm_explanation *why = &move->allowed->why[w];
        struct cor_efsm_allowed_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_ALLOWED, error);
        COR_TRY(cor_made(row, error));
        row->move = move->number;
        row->transition = why->transition == COR_NONE ? 0 : (uint16_t)(why->transition + 1);
        cor_efsm_observation_clear(&writer->scratch);
        for (uint32_t v = 0; v < model->variable_count; v++)
            all[v] = move->rows[why->state * width + 1 + v];
        for (uint32_t p = 0; p < input->parameter_count; p++)
            all[input->parameters[p]] = move->values[input->parameters[p]];
        if (why->transition != COR_NONE)
            COR_TRY(cor_efsm_observation_of(model, why->transition, all, &writer->scratch, error));
        row->outputs = writer->scratch.label_count;
        row->values = writer->scratch.argument_count;
        COR_TRY(put_observation(writer->record, writer->model, &writer->scratch, &row->output_start,
                                &row->value_start, error));
    }
    return COR_OK;
}

static enum cor_status put_candidates(struct efsm_layer__efsm_writer *writer,
                                      const struct cor_online_move *move, struct cor_error *error) {
    const struct cor_plan_choice *choice = move->choice;
    for (uint32_t c = 0; choice->weighed && c < choice->candidates; c++) {
        const struct cor_candidate *it = &choice->weighed[c];
        struct cor_efsm_candidate_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_CANDIDATES, error);
        COR_TRY(cor_made(row, error));
        row->move = move->number;
        row->rank = c;
        row->transition = it->label == COR_NONE ? 0 : (uint16_t)(it->label + 1);
        const uint32_t trap = writer->goal->traps[it->trap].way_of;
        row->trap = (uint16_t)(trap == COR_NONE ? it->trap : trap);
        row->location = (uint16_t)it->near;
        row->distance = it->distance;
        row->degree = it->degree;
        row->fitness = it->fitness;
        row->forced = it->is_forced;
    }
    return COR_OK;
}

static enum cor_status put_told(struct efsm_layer__efsm_writer *writer, const struct cor_online_move *move,
                                struct cor_error *error) {
    for (uint32_t t = 0; t < move->told_count; t++) {
        struct cor_efsm_goal_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_GOALS, error);
        COR_TRY(cor_made(row, error));
        row->move = move->number;
        row->goal = (uint16_t)move->told[t].goal;
        row->adds = move->told[t].adds;
    }
    return COR_OK;
}

/* What was said or done that is wrong with the system itself. */
static enum cor_status put_trouble(struct efsm_layer__efsm_writer *writer,
                                   const struct cor_online_outcome *outcome, struct cor_error *error) {
    const size_t length = strlen(outcome->words);
    size_t start;
    if (outcome->trouble == COR_SYSTEM_WELL || length == 0)
        return COR_OK;
    struct cor_efsm_trouble_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_TROUBLES, error);
    COR_TRY(cor_made(row, error));
    (void)cor_record_items(writer->record, COR_EFSM_VECTOR_WORDS, &start);
    row->move = outcome->moves;
    row->words_start = start;
    row->words = (uint32_t)length;
    return cor_record_put(writer->record, COR_EFSM_VECTOR_WORDS, outcome->words, length, NULL, error);
}

static enum cor_status put_state(struct efsm_layer__efsm_writer *writer, const struct cor_online_move *move,
                                 struct cor_efsm_move_row *row, struct cor_error *error) {
    const struct cor_efsm *model = writer->model;
    const struct cor_efsm_label *input = &model->inputs[move->input];
    row->location = (uint16_t)move->rows[0];
    row->state_start = values_so_far(writer->record);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE) {
            COR_TRY(put_argument(writer->record, move->rows[1 + v], error));
            row->states++;
        }
    row->argument_start = values_so_far(writer->record);
    row->arguments = input->parameter_count;
    for (uint32_t p = 0; p < input->parameter_count; p++)
        COR_TRY(put_argument(writer->record, move->values[input->parameters[p]], error));
    return COR_OK;
}

/* Tells who watches the writer's suite that so much of it is done, and asks whether to go on. */
static enum cor_status efsm_think(void *context, double share, struct cor_error *error) {
    const struct efsm_layer__efsm_writer *writer = context;
    (void)error;
    cor_watch_share(writer->watch, share);
    return cor_watch_stopped(writer->watch) ? COR_STATUS_INTERRUPTED : COR_OK;
}

uint64_t efsm_layer__hash_move(uint64_t hash, const struct cor_efsm *model,
                               const struct cor_online_move *move) {
    const struct cor_efsm_label *input = &model->inputs[move->input];
    hash = cor_hash_word(cor_hash_word(hash, move->attempt), move->input);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        hash = cor_hash_word(hash, (uint64_t)move->values[input->parameters[p]]);
    hash = cor_hash_word(hash, (uint64_t)move->trouble);
    for (uint32_t o = 0; o < move->observation->label_count; o++)
        hash = cor_hash_word(hash, move->observation->labels[o]);
    for (uint32_t a = 0; a < move->observation->argument_count; a++)
        hash = cor_hash_word(hash, (uint64_t)move->observation->arguments[a]);
    for (uint32_t t = 0; t < move->told_count; t++)
        hash = cor_hash_word(cor_hash_word(hash, move->told[t].goal), move->told[t].adds);
    return hash;
}

/* A note of cor_online_run; `context` is a writer. */
static enum cor_status efsm_note(void *context, const struct cor_online_move *move, struct cor_error *error) {
    struct efsm_layer__efsm_writer *writer = context;
    writer->replies = efsm_layer__hash_move(writer->replies, writer->model, move);
    const bool allowed = move->step->count > 0;
    if (!allowed && move->trouble == COR_SYSTEM_WELL)
        writer->failed = move->number;
    if (writer->watch && cor_watch_stopped(writer->watch))
        return COR_STATUS_INTERRUPTED;
    if (writer->watch)
        cor_watch_show(writer->watch, move->number);
    if (writer->brief && !move->allowed)
        return COR_OK;
    struct cor_efsm_move_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_MOVES, error);
    COR_TRY(cor_made(row, error));
    row->move = move->number;
    row->attempt = move->attempt;
    row->possible = move->row_count;
    row->input = (uint16_t)move->input;
    row->transition = transition_of(move->step);
    row->outputs = move->observation->label_count;
    row->values = move->observation->argument_count;
    row->allowed = allowed;
    row->timeout = move->timeout;
    row->trouble = (uint8_t)move->trouble;
    row->left = move->choice->left;
    row->candidates = move->choice->candidates;
    row->degree = move->choice->degree;
    for (uint32_t w = 0; w < cor_trap_words(writer->goal->trap_count); w++)
        row->gained += (uint32_t)__builtin_popcountll(move->gained[w]);
    COR_TRY(put_state(writer, move, row, error));
    COR_TRY(put_observation(writer->record, writer->model, move->observation, &row->output_start,
                            &row->value_start, error));
    COR_TRY(put_candidates(writer, move, error));
    COR_TRY(put_told(writer, move, error));
    return move->allowed ? put_allowed(writer, move, error) : COR_OK;
}

/* The rows of the test, its moves apart. */
static enum cor_status efsm_put_outcome(struct efsm_layer__efsm_writer *writer,
                                        const struct cor_online_outcome *outcome, struct cor_error *error) {
    struct cor_efsm_test_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_TESTS, error);
    COR_TRY(cor_made(row, error));
    row->verdict = (uint8_t)outcome->verdict;
    row->trouble = (uint8_t)outcome->trouble;
    row->proven = outcome->proof != COR_PROOF_NONE;
    row->planned = outcome->planned;
    row->moves = outcome->moves;
    row->resets = outcome->resets;
    row->timeouts = outcome->timeouts;
    row->possible = outcome->possible;
    row->traps = writer->goal->trap_count;
    row->covered = outcome->covered;
    row->failed = writer->failed;
    row->replies = writer->replies;
    for (uint32_t t = 0; t < writer->goal->trap_count; t++) {
        struct cor_efsm_trap_row *trap = cor_record_row(writer->record, COR_EFSM_TABLE_TRAPS, error);
        COR_TRY(cor_made(trap, error));
        trap->trap = (uint16_t)t;
        trap->end = outcome->ends[t];
        trap->move = outcome->when[t];
    }
    for (uint32_t t = 0; t < writer->model->transition_count && !writer->brief; t++) {
        struct cor_efsm_taken_row *taken = cor_record_row(writer->record, COR_EFSM_TABLE_TAKEN, error);
        COR_TRY(cor_made(taken, error));
        taken->transition = (uint16_t)(t + 1);
        taken->count = outcome->taken[t];
    }
    return put_trouble(writer, outcome, error);
}

/* ---- what a campaign executes of the efsm layer: a suite is a test on line of an arm */

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    const struct cor_efsm_experiment **executor = cor_calloc(1, sizeof *executor);
    *with = executor;
    COR_TRY(cor_made(executor, error));
    *executor = experiment;
    return COR_OK;
}

static void close_executor(void *with) {
    free(with);
}

enum cor_status cor_efsm_execute(const struct cor_efsm_experiment *experiment, uint32_t arm, uint32_t suite,
                                 struct cor_system *system_take, const struct cor_watch *watch,
                                 struct cor_record *record, struct cor_suite_counts *tally,
                                 struct cor_error *error) {
    COR_FINISHED(cor_online_outcome) struct cor_online_outcome outcome = {0};
    struct efsm_layer__efsm_writer writer = {.model = experiment->model,
                                             .goal = experiment->goal,
                                             .brief = experiment->brief,
                                             .record = record,
                                             .watch = watch,
                                             .replies = COR_HASH_SEED};
    enum cor_status status = COR_OK;
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY_OUT(
        cor_efsm_test(experiment, arm, suite, system_take, efsm_note, efsm_think, &writer, &outcome, error));
    COR_TRY_OUT(efsm_put_outcome(&writer, &outcome, error));
    if (suite == 0 && experiment->arms[arm].compares) {
        /* The arm's mutant beside the model. */
        struct cor_efsm_comparison comparison;
        COR_TRY_OUT(cor_efsm_compare(experiment->model, experiment->arms[arm].acting,
                                     experiment->compare_moves, NULL, &comparison, error));
        struct cor_efsm_mutant_row *row = cor_record_row(record, COR_EFSM_TABLE_MUTANTS, error);
        if (row) {
            row->difference = (uint8_t)comparison.difference;
            row->length = comparison.is_shortest ? comparison.length : 0;
            row->moves = comparison.moves;
        }
        cor_efsm_comparison_fini(&comparison);
        COR_TRY_OUT(cor_made(row, error));
    }
    *tally = (struct cor_suite_counts){
        .cases = outcome.moves,
        .failures = outcome.verdict == COR_TEST_FAIL,
        .by_machine = outcome.timeouts < UINT32_MAX ? (uint32_t)outcome.timeouts : UINT32_MAX};
out:
    cor_efsm_observation_fini(&writer.scratch);
    return status;
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    return cor_efsm_execute(*(const struct cor_efsm_experiment **)with, arm, suite, NULL, watch, record,
                            tally, error);
}

static enum cor_status add_names(struct cor_catalogs *catalogs, enum cor_efsm_catalog catalog,
                                 const char *const *names, uint32_t count, const char *description,
                                 struct cor_error *error) {
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(cor_catalogs_add(catalogs, catalog, names[i], description, error));
    return COR_OK;
}

static enum cor_status add_labels(struct cor_catalogs *catalogs, enum cor_efsm_catalog catalog,
                                  const struct cor_efsm_label *labels, uint32_t count,
                                  const char *description, struct cor_error *error) {
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(cor_catalogs_add(catalogs, catalog, labels[i].name,
                                 labels[i].types ? labels[i].types : description, error));
    return COR_OK;
}

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_efsm_experiment *experiment = with;
    const struct cor_efsm *model = experiment->model;
    COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_TRANSITION, "-", "none", error));
    COR_TRY(add_names(catalogs, COR_EFSM_CATALOG_TRANSITION, model->transition_names, model->transition_count,
                      "transition", error));
    COR_TRY(add_names(catalogs, COR_EFSM_CATALOG_LOCATION, model->location_names, model->location_count,
                      "location", error));
    COR_TRY(add_labels(catalogs, COR_EFSM_CATALOG_INPUT, model->inputs, model->input_count, "input", error));
    COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_OUTPUT, "?", "none of the model's", error));
    COR_TRY(
        add_labels(catalogs, COR_EFSM_CATALOG_OUTPUT, model->outputs, model->output_count, "output", error));
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_STATE, model->variable_names[v],
                                     model->variables[v].description, error));
    for (uint32_t t = 0; t < experiment->goal->trap_count; t++)
        COR_TRY(
            cor_catalogs_add(catalogs, COR_EFSM_CATALOG_TRAP, experiment->goal->traps[t].id, "trap", error));
    for (uint32_t g = 0; g < experiment->told_count; g++)
        COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_GOAL, experiment->told[g].name, "goal", error));
    return COR_OK;
}

static bool hangs_on_clocks(const struct cor_efsm_experiment *experiment) {
    for (uint32_t a = 0; a < experiment->head.arm_count; a++)
        if (experiment->arms[a].command && experiment->arms[a].quiet_seconds > 0)
            return true;
    return false;
}

static const struct cor_guest_files *files_of(const void *arms, size_t arm) {
    return &((const struct cor_efsm_arm *)arms)[arm].files;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_efsm_experiment *experiment = with;
    cor_json_put_bool(writer, "foreign_systems", experiment->has_programs);
    cor_json_open_array(writer, "systems");
    cor_guest_files_put(writer, "system", files_of, experiment->arms, experiment->head.arm_count);
    cor_json_close(writer);
    cor_json_put_bool(writer, "quiet_by_clock", hangs_on_clocks(experiment));
}

static void destroy(void *with) {
    cor_efsm_experiment_destroy(with);
}

enum cor_status efsm_layer__settle(struct cor_efsm_experiment *made, const struct cor_layer_options *options,
                                   char **warnings, struct cor_error *error) {
    COR_FINISHED(cor_needs) struct cor_needs needs = {0};
    made->is_free = options->isolation == (int)COR_ISOLATION_NEVER;
    made->is_full = options->isolation_required;
    for (uint32_t a = 0; a < made->head.arm_count; a++)
        if (made->arms[a].command)
            COR_TRY(cor_trust_check(&options->trust, made->arms[a].command, error));
    if (!made->traffic) /* a recording is of one run, and is played without a program */
        COR_TRY(cor_efsm_experiment_find_files(made, error));
    for (uint32_t a = 0; a < made->head.arm_count && !cor_traffic_replays(made->traffic); a++)
        if (made->arms[a].command)
            COR_TRY(cor_needs_of_program(&needs, made->arms[a].command, false, error));
    if (made->has_programs && !made->is_free)
        COR_TRY(cor_guarantees_look(made->head.path, &needs, options->isolation_required, warnings, error));
    return COR_OK;
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_efsm_experiment *made = NULL;
    enum cor_status status = COR_OK;
    const struct cor_json root = cor_json_root(document);
    COR_FREED char *text = cor_json_text(&root);
    if (options->suite_folder || options->log_solutions || options->algorithm || options->fresh_processes)
        COR_TRY_OUT(
            cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                     "is an experiment with a model, which has no suites in files, solutions, algorithms "
                     "or fresh processes"));
    COR_TRY_OUT(cor_made(text, error));
    COR_TRY_OUT(cor_efsm_experiment_parse(text, path, options->origins, &made, error));
    COR_TRY_OUT(cor_traffic_open(options->record_traffic, options->replay_traffic, options->replace,
                                 &made->traffic, error));
    (void)notes;
    status = efsm_layer__settle(made, options, warnings, error);
out:
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_efsm_experiment_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_efsm_layer = {
    .key = "efsm",
    .schema = &cor_efsm_schema,
    .failures = "tests that failed",
    .subject = &efsm_layer__subject,
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
