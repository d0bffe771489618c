/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the corridor as a text can hold is asked of each arm, and once of those of which the same is asked.
 */
#include <corridor/arm_proofs.h>

#include "internal.h"
#include "text.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that the text may name, beside the parameters of the laws. */
enum { ROLE_THRESHOLD = 4, ROLES };
static const char *const role_names[ROLES] = {"size_min", "size_max", "count_min", "count_max", "threshold"};

/* Whether the variable is drawn by a fallback or behind it: then its range is that of the laws no more. */
static bool may_fall_back(const struct cor_parameter_laws *laws, uint32_t variable) {
    uint32_t first = UINT32_MAX;
    if (!laws->has_fallback)
        return false;
    for (size_t i = 0; i < laws->fallback.count; i++) {
        const struct cor_definition *d = &laws->fallback.definitions[i];
        for (uint32_t v = 0; v < d->variable_count; v++) {
            const struct cor_variable *drawn = &laws->variables[d->variable[v]];
            if (!drawn->is_helper && drawn->stage < first)
                first = drawn->stage;
        }
    }
    return laws->variables[variable].is_helper || laws->variables[variable].stage >= first;
}

static bool may_quantity_fall_back(const struct cor_parameter_laws *laws,
                                   const struct cor_expression *expression) {
    for (uint32_t v = 0; expression->text && v < laws->variable_count; v++)
        if (cor_expression_reads(expression, v) && may_fall_back(laws, v))
            return true;
    return false;
}

/* What a role surely is, as the text may name it: what an algorithm is not held to does not bind. */
static struct interaction__number role_number(const struct cor_experiment *experiment,
                                              const struct cor_arm *arm, uint32_t role) {
    const struct cor_roles *r = &arm->roles;
    const struct cor_derived_quantity *const quantities[ROLES] = {&r->size_min, &r->size_max, &r->count_min,
                                                                  &r->count_max};
    const struct cor_limits none = COR_NO_LIMITS;
    const double free_of[ROLES] = {none.size_min, none.size_max, none.count_min, none.count_max};
    struct interaction__number number = {role_names[role], role != ROLE_THRESHOLD, -INFINITY, INFINITY};
    if (role == ROLE_THRESHOLD) {
        if (experiment->model->threshold_given)
            number.low = number.high = experiment->model->threshold;
        return number;
    }
    const struct cor_value_range range = interaction__quantity_interval(arm->laws, quantities[role]);
    const bool is_held = arm->algorithm->capabilities & COR_LIMITS;
    if (is_held && may_quantity_fall_back(arm->laws, &quantities[role]->expression))
        return number;
    number.low = is_held ? (double)range.low : free_of[role];
    number.high = is_held ? (double)range.high : free_of[role];
    return number;
}

enum cor_status interaction__arm_numbers(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                         struct interaction__number **numbers, uint32_t *count,
                                         struct cor_error *error) {
    const uint32_t laws = cor_parameter_laws_size(arm->laws);
    struct interaction__number *made = *numbers = cor_calloc(laws + ROLES, sizeof *made);
    COR_TRY(cor_made(made, error));
    for (uint32_t p = 0; p < laws; p++) {
        cor_parameter_laws_range(arm->laws, p, &made[p].low, &made[p].high);
        made[p].name = cor_parameter_laws_name(arm->laws, p);
        made[p].is_integer = cor_parameter_laws_is_integer(arm->laws, p);
    }
    for (uint32_t role = 0; role < ROLES; role++)
        made[laws + role] = role_number(experiment, arm, role);
    *count = laws + ROLES;
    return COR_OK;
}

/* The limits that the text names by a role, and that do not bind in the arm though the model has some. */
static enum cor_status find_unbound(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                    char **names, struct cor_error *error) {
    const struct cor_roles *r = &arm->roles;
    const struct cor_derived_quantity *const quantities[ROLE_THRESHOLD] = {&r->size_min, &r->size_max,
                                                                           &r->count_min, &r->count_max};
    struct interaction__number *numbers;
    uint32_t count,
        *found = cor_calloc(interaction__text_parameter_count(experiment->text_corridor), sizeof *found);
    enum cor_status status = cor_made(found, error);
    if (status == COR_OK)
        status = interaction__arm_numbers(experiment, arm, &numbers, &count, error);
    if (status != COR_OK) {
        free(found);
        return status;
    }
    const struct cor_limits none = COR_NO_LIMITS;
    const double free_of[ROLES] = {none.size_min, none.size_max, none.count_min, none.count_max};
    const uint32_t roles = count - ROLES,
                   parameters = interaction__text_parameter_count(experiment->text_corridor);
    for (uint32_t i = roles; i < count; i++) { /* a text may be narrower than what a role can be */
        numbers[i].low = -INFINITY;
        numbers[i].high = INFINITY;
    }
    status =
        interaction__text_find_parameters(experiment->text_corridor, arm->name, numbers, count, found, error);
    for (uint32_t p = 0; status == COR_OK && p < parameters; p++) {
        const uint32_t role = found[p] - roles;
        if (found[p] < roles || role >= ROLE_THRESHOLD)
            continue;
        const struct cor_value_range range = interaction__quantity_interval(arm->laws, quantities[role]);
        if ((double)range.low == free_of[role] && (double)range.high == free_of[role])
            continue;
        *names = cor_join_take(*names, " and ", cor_strdup(role_names[role]));
        status = cor_made(*names, error);
    }
    free(numbers);
    free(found);
    return status;
}

/* A line for the arms from this one on of which the same is said; their names are taken. */
static enum cor_status say_unbound(const struct cor_experiment *experiment, char **names, uint32_t first,
                                   char **warnings, struct cor_error *error) {
    char *arms = cor_strdup("");
    for (uint32_t a = first; a < experiment->arm_count; a++)
        if (strcmp(names[a], names[first]) == 0)
            arms = cor_join_take(arms, ", ", cor_strdup(experiment->arms[a].name));
    COR_TRY(cor_made(arms, error));
    char *line =
        cor_format("%s%s: nothing bounds %s in the corridor, as the algorithm does not promise to keep "
                   "limits (COR_LIMITS); numbers written there bind it\n",
                   *warnings ? *warnings : "", arms, names[first]);
    for (uint32_t a = experiment->arm_count; a-- > first;)
        if (strcmp(names[a], names[first]) == 0)
            names[a][0] = '\0';
    free(arms);
    free(*warnings);
    return cor_made(*warnings = line, error);
}

enum cor_status interaction__text_say_unbound(const struct cor_experiment *experiment, char **warnings,
                                              struct cor_error *error) {
    if (!experiment->text_corridor)
        return COR_OK;
    enum cor_status status = COR_OK;
    char **names = cor_calloc(experiment->arm_count, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        COR_TRY_OUT(cor_made(names[a] = cor_strdup(""), error));
        if (!(experiment->arms[a].algorithm->capabilities & COR_LIMITS))
            COR_TRY_OUT(find_unbound(experiment, &experiment->arms[a], &names[a], error));
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (names[a][0] != '\0')
            COR_TRY_OUT(say_unbound(experiment, names, a, warnings, error));
out:
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        free(names[a]);
    free(names);
    return status;
}

/* What of an arm a question depends on. */
struct arm_question {
    struct interaction__number *numbers; /* owned */
    uint32_t count;
    uint32_t *found; /* owned; [parameter of the text] */
};

struct asking {
    const struct cor_experiment *experiment;
    struct arm_question *questions; /* owned; [arm] */
    struct cor_arm_proofs *proofs;
};

static void agents_of(const struct cor_arm *arm, struct cor_arm_proof *proof) {
    const struct cor_value_range range = interaction__quantity_interval(arm->laws, &arm->roles.agents);
    /* No suite is drawn with another number. */
    proof->agents_low = range.low < 1 ? 1 : range.low > COR_AGENTS_MAX ? COR_AGENTS_MAX : (uint32_t)range.low;
    proof->agents_high = range.high > COR_AGENTS_MAX ? COR_AGENTS_MAX : (uint32_t)range.high;
    if (may_quantity_fall_back(arm->laws, &arm->roles.agents.expression)) {
        proof->agents_low = 1;
        proof->agents_high = COR_AGENTS_MAX;
    }
    if (range.high < proof->agents_low) /* of no suite: nothing is drawn at all */
        proof->agents_high = proof->agents_low;
}

/* What a fallback may draw can be anything; what an arm sets is no longer what the laws draw. */
static void adjust_numbers(const struct cor_parameter_laws *laws, struct interaction__number *numbers) {
    for (uint32_t v = 0; v < laws->parameter_count; v++)
        if (may_fall_back(laws, v)) {
            numbers[v].low = -INFINITY;
            numbers[v].high = INFINITY;
        }
    for (size_t i = 0; i < laws->override_count; i++) {
        const struct cor_override *set = &laws->overrides[i];
        const struct cor_value_range range = interaction__laws_interval(laws, &set->value);
        if (set->variable >= laws->parameter_count || !laws->variables[set->variable].is_integer)
            continue;
        const bool is_sure = !may_quantity_fall_back(laws, &set->value);
        numbers[set->variable].low = is_sure ? (double)range.low : -INFINITY;
        numbers[set->variable].high = is_sure ? (double)range.high : INFINITY;
    }
}

static enum cor_status make_question(struct asking *asking, uint32_t arm, struct cor_error *error) {
    const struct cor_experiment *experiment = asking->experiment;
    const struct interaction__text *text = experiment->text_corridor;
    struct arm_question *question = &asking->questions[arm];
    agents_of(&experiment->arms[arm], &asking->proofs->arms[arm]);
    question->found = cor_calloc(interaction__text_parameter_count(text), sizeof *question->found);
    COR_TRY(cor_made(question->found, error));
    COR_TRY(interaction__arm_numbers(experiment, &experiment->arms[arm], &question->numbers, &question->count,
                                     error));
    adjust_numbers(experiment->arms[arm].laws, question->numbers);
    return interaction__text_find_parameters(text, experiment->arms[arm].name, question->numbers,
                                             question->count, question->found, error);
}

static bool is_same(const struct asking *asking, uint32_t a, uint32_t b) {
    const struct cor_arm_proof *one = &asking->proofs->arms[a], *other = &asking->proofs->arms[b];
    const struct arm_question *x = &asking->questions[a], *y = &asking->questions[b];
    if (one->agents_low != other->agents_low || one->agents_high != other->agents_high)
        return false;
    for (uint32_t p = 0; p < interaction__text_parameter_count(asking->experiment->text_corridor); p++) {
        const struct interaction__number *m = &x->numbers[x->found[p]], *n = &y->numbers[y->found[p]];
        if (m->low != n->low || m->high != n->high)
            return false;
    }
    return true;
}

static enum cor_status copy(const struct cor_arm_proof *from, struct cor_arm_proof *to,
                            struct cor_error *error) {
    to->answer = from->answer;
    to->why = cor_strdup(from->why);
    to->conflict = cor_strdup(from->conflict);
    to->place = cor_strdup(from->place);
    return to->why && to->conflict && to->place ? COR_OK : cor_fail_memory(error);
}

static enum cor_status ask_all(void *context, const struct interaction__agents *agents,
                               struct cor_error *error) {
    struct asking *asking = context;
    for (uint32_t a = 0; a < asking->proofs->count; a++) {
        struct cor_arm_proof *proof = &asking->proofs->arms[a];
        COR_TRY(make_question(asking, a, error));
        while (!is_same(asking, proof->same, a))
            proof->same++;
        if (proof->same < a) {
            COR_TRY(copy(&asking->proofs->arms[proof->same], proof, error));
            continue;
        }
        const struct interaction__text_question question = {agents, proof->agents_low, proof->agents_high,
                                                            asking->questions[a].numbers,
                                                            asking->questions[a].found};
        struct interaction__text_answer answer;
        const enum cor_status status =
            interaction__text_prove(asking->experiment->text_corridor, &question, &answer, error);
        proof->answer = answer.answer;
        proof->why = answer.why;
        proof->conflict = answer.conflict;
        proof->place = answer.place;
        COR_TRY(status);
    }
    return COR_OK;
}

enum cor_status cor_experiment_prove(const struct cor_experiment *experiment, struct cor_arm_proofs *proofs,
                                     struct cor_error *error) {
    *proofs = (struct cor_arm_proofs){NULL, 0};
    if (!experiment->text_corridor)
        return COR_OK;
    struct asking asking = {experiment, cor_calloc(experiment->arm_count, sizeof *asking.questions), proofs};
    proofs->arms = cor_calloc(experiment->arm_count, sizeof *proofs->arms);
    enum cor_status status = asking.questions && proofs->arms ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK) {
        proofs->count = experiment->arm_count;
        status = interaction__with_agents(experiment, ask_all, &asking, error);
    }
    for (uint32_t a = 0; asking.questions && a < experiment->arm_count; a++) {
        free(asking.questions[a].numbers);
        free(asking.questions[a].found);
    }
    free(asking.questions);
    return status;
}

void cor_arm_proofs_fini(struct cor_arm_proofs *proofs) {
    for (uint32_t a = 0; a < proofs->count; a++) {
        free(proofs->arms[a].why);
        free(proofs->arms[a].conflict);
        free(proofs->arms[a].place);
    }
    free(proofs->arms);
    *proofs = (struct cor_arm_proofs){NULL, 0};
}
