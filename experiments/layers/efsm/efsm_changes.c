/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals that come and go while a test runs: "changes" of an experiment, and as the command line writes them.
 */
#include "efsm_changes.h"

#include <corridor/array.h>
#include <corridor/fields.h>

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

enum cor_status efsm_layer__read_changes(const struct cor_json *json, struct cor_efsm_experiment *experiment,
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

void efsm_layer__free_changes(struct cor_efsm_experiment *experiment) {
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
