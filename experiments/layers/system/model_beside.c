/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model beside the run: all states in which the world may be are kept, as online.c does for systems; what
 * none of them explains is not allowed. And a planner over it: what is wanted is a trap that is hit wherever
 * a world that shows the successor would make it hold. */
#include "internal.h"
#include "model_level.h"
#include "model_mirror.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/efsm_problem.h>
#include <corridor/planner.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES_MAX 10000
#define ALLOWED_SAID 4 /* answers that a message names */

struct system_layer__beside {
    const struct cor_efsm *model;
    struct system_layer__mirror mirror;
    struct system_layer__level level; /* in place of the mirror, if is_of_level */
    bool is_of_level;
    int64_t *states; /* owned; rows */
    uint32_t count;  /* 0: something was not allowed */
    size_t capacity;
    struct cor_efsm_explanations explanations;
    struct cor_efsm_observation observation;
    struct cor_efsm_goal none;        /* the planning problem's own: no trap */
    struct cor_efsm_problem *problem; /* owned */
};

enum cor_status system_layer__beside_restart(struct system_layer__beside *beside, struct cor_error *error) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    COR_TRY(COR_RESERVE(&beside->states, &beside->capacity, cor_efsm_state_width(beside->model), error));
    cor_efsm_start(beside->model, values);
    cor_efsm_state_put(beside->model, beside->model->initial, values, beside->states);
    beside->count = 1;
    system_layer__level_restart(&beside->level);
    return COR_OK;
}

enum cor_status system_layer__beside_create(const struct cor_efsm *model,
                                            const struct cor_world_declaration *declaration,
                                            const char *level_agent, struct system_layer__beside **made,
                                            struct cor_error *error) {
    struct system_layer__beside *beside = cor_calloc(1, sizeof *beside);
    enum cor_status status;
    *made = NULL;
    COR_TRY(cor_made(beside, error));
    beside->model = model;
    beside->is_of_level = level_agent != NULL;
    if (level_agent)
        COR_TRY_OUT(system_layer__level_init(&beside->level, model, declaration, level_agent, error));
    else
        COR_TRY_OUT(system_layer__mirror_init(&beside->mirror, model, declaration, error));
    COR_TRY_OUT(system_layer__beside_restart(beside, error));
    *made = beside;
    beside = NULL;
out:
    system_layer__beside_destroy(beside);
    return status;
}

void system_layer__beside_destroy(struct system_layer__beside *beside) {
    if (!beside)
        return;
    system_layer__mirror_fini(&beside->mirror);
    system_layer__level_fini(&beside->level);
    cor_efsm_problem_destroy(beside->problem);
    cor_efsm_explanations_fini(&beside->explanations);
    cor_efsm_observation_fini(&beside->observation);
    free(beside->states);
    free(beside);
}

/* ---- judging */

/* "ack(3) done", "nothing" */
static void put_observation(const struct cor_efsm *model, const struct cor_efsm_observation *observation,
                            struct cor_bytes *text) {
    const int64_t *argument = observation->arguments;
    if (observation->label_count == 0)
        cor_bytes_print(text, "nothing");
    for (uint32_t i = 0; i < observation->label_count; i++) {
        const uint32_t label = observation->labels[i];
        cor_bytes_print(text, "%s%s", i > 0 ? " " : "",
                        label == COR_NONE ? "an output that it does not have" : model->output_names[label]);
        const uint32_t count = label == COR_NONE ? 0 : model->outputs[label].parameter_count;
        for (uint32_t a = 0; a < count; a++, argument++)
            if (*argument == INT64_MIN)
                cor_bytes_print(text, "%s?%s", a == 0 ? "(" : ", ", a + 1 == count ? ")" : "");
            else
                cor_bytes_print(text, "%s%lld%s", a == 0 ? "(" : ", ", (long long)*argument,
                                a + 1 == count ? ")" : "");
    }
}

/* What would have been allowed: the answers of all explanations, each once as far as they follow each other.
 */
static enum cor_status say_allowed(struct system_layer__beside *beside, uint32_t input, const int64_t *values,
                                   struct cor_bytes *text, struct cor_error *error) {
    const struct cor_efsm *model = beside->model;
    const size_t width = cor_efsm_state_width(model);
    struct cor_bytes last = {0}, said = {0};
    uint32_t count = 0;
    enum cor_status status = COR_OK;
    COR_TRY(cor_efsm_explain(model, beside->states, beside->count, input, values, NULL, &beside->explanations,
                             error));
    for (uint32_t i = 0; i < beside->explanations.count && count < ALLOWED_SAID; i++) {
        const struct cor_efsm_explanation *it = &beside->explanations.items[i];
        cor_bytes_clear(&said);
        cor_efsm_observation_clear(&beside->observation);
        if (it->transition != COR_NONE) {
            int64_t all[COR_EFSM_VARIABLES_MAX];
            memcpy(all, beside->states + it->state * width + 1, model->variable_count * sizeof *all);
            cor_efsm_put_input(model, input, values, all);
            COR_TRY_OUT(cor_efsm_observation_of(model, it->transition, all, &beside->observation, error));
        }
        put_observation(model, &beside->observation, &said);
        if (count > 0 && strcmp(cor_bytes_text(&said), cor_bytes_text(&last)) == 0)
            continue;
        cor_bytes_print(text, "%s%s", count > 0 ? ", or " : "", cor_bytes_text(&said));
        cor_bytes_clear(&last);
        cor_bytes_put_text(&last, cor_bytes_text(&said));
        count++;
    }
    if (said.status != COR_OK || last.status != COR_OK)
        status = cor_fail_memory(error);
out:
    cor_bytes_fini(&said);
    cor_bytes_fini(&last);
    return status;
}

/* Of the states behind the explanations those that are what is shown; *denied: a property that drops one. */
static enum cor_status keep_states(struct system_layer__beside *beside, const struct cor_beliefs *beliefs,
                                   uint32_t *denied, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(beside->model);
    uint32_t count = 0;
    *denied = COR_NONE;
    COR_TRY(
        COR_RESERVE(&beside->states, &beside->capacity, beside->explanations.count * width + width, error));
    for (uint32_t i = 0; i < beside->explanations.count; i++) {
        const int64_t *row = beside->explanations.next + i * width;
        const uint32_t property = beside->is_of_level
                                      ? system_layer__level_denies(&beside->level, beliefs, row)
                                      : system_layer__mirror_denies(&beside->mirror, beliefs, row);
        if (property != COR_NONE)
            *denied = property;
        else
            memcpy(beside->states + width * count++, row, width * sizeof *row);
    }
    beside->count = cor_efsm_states_tidy(beside->states, count, width);
    return beside->count <= STATES_MAX
               ? COR_OK
               : cor_fail(error, COR_STATUS_INPUT, beside->model->name, "let the outputs tell more",
                          "the system may be in more than %d states of the model", STATES_MAX);
}

static void say_denied(const struct system_layer__beside *beside, const struct cor_beliefs *beliefs,
                       uint32_t property, struct cor_bytes *text) {
    const struct system_layer__mirror *mirror = &beside->mirror;
    const struct cor_property *it = &mirror->declaration->types[mirror->system_type].properties[property];
    struct cor_believed system;
    char value[100] = "?";
    if (cor_beliefs_find(beliefs, mirror->system, &system))
        cor_value_text(cor_beliefs_value(beliefs, system.type, system.element, property), it->domain,
                       mirror->declaration->words, value, sizeof value);
    cor_bytes_print(text, "%s of the system is %s then, which the model does not allow", it->name, value);
}

/* Without an input the world says nothing, and stays where it is. */
static enum cor_status explain_idleness(struct system_layer__beside *beside, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(beside->model);
    struct cor_efsm_explanations *it = &beside->explanations;
    it->count = it->taken = 0;
    if (beside->observation.label_count > 0)
        return COR_OK;
    COR_TRY(COR_RESERVE(&it->items, &it->capacity, beside->count, error));
    COR_TRY(COR_RESERVE(&it->next, &it->next_capacity, beside->count * width, error));
    memcpy(it->next, beside->states, beside->count * width * sizeof *it->next);
    it->count = beside->count;
    return COR_OK;
}

/* Sets count to 0 and says why, if nothing explains what was observed, or what is shown. */
static enum cor_status judge(struct system_layer__beside *beside, const struct cor_world_command *command,
                             const struct cor_beliefs *beliefs, struct cor_bytes *text,
                             struct cor_error *error) {
    const struct cor_efsm *model = beside->model;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t denied;
    const uint32_t input = system_layer__mirror_input(&beside->mirror, command, values);
    COR_TRY(system_layer__mirror_observe(&beside->mirror, beliefs, &beside->observation, error));
    if (input == COR_NONE)
        COR_TRY(explain_idleness(beside, error));
    else
        COR_TRY(cor_efsm_explain(model, beside->states, beside->count, input, values, &beside->observation,
                                 &beside->explanations, error));
    if (beside->explanations.count > 0) {
        COR_TRY(keep_states(beside, beliefs, &denied, error));
        if (beside->count == 0)
            say_denied(beside, beliefs, denied, text);
        return COR_OK;
    }
    cor_bytes_print(text, "it answered ");
    put_observation(model, &beside->observation, text);
    cor_bytes_print(text, ", and the model allows ");
    if (input == COR_NONE)
        cor_bytes_print(text, "nothing, since nothing was given");
    else
        COR_TRY(say_allowed(beside, input, values, text, error));
    beside->count = 0;
    return COR_OK;
}

/* ---- judging a level by its model */

static const char *thing_of(const struct system_layer__beside *beside, uint32_t input) {
    return cor_words_text(beside->level.declaration->words, beside->level.inputs[input].thing);
}

/* "press_b1 from at_b2" */
static void put_walk(const struct system_layer__beside *beside, uint32_t input, const int64_t *row,
                     struct cor_bytes *text) {
    cor_bytes_print(text, "%s from %s", beside->model->input_names[input],
                    beside->model->location_names[row[0]]);
}

/* Of the explanations those by which the walk was done; also from where one stepped aside, and back. */
static enum cor_status explain_walk(struct system_layer__beside *beside, uint32_t input,
                                    struct cor_error *error) {
    const size_t width = cor_efsm_state_width(beside->model);
    const struct system_layer__level_input *walk = &beside->level.inputs[input];
    struct cor_efsm_explanations *it = &beside->explanations;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t count = 0;
    cor_efsm_start(beside->model, values);
    COR_TRY(cor_efsm_explain(beside->model, beside->states, beside->count, input, values, NULL, it, error));
    for (uint32_t i = 0; i < it->count; i++) {
        const bool is_back = !walk->is_press && it->next[i * width] == (int64_t)walk->location;
        if (it->items[i].transition == COR_NONE && !is_back)
            continue;
        memmove(it->next + width * count, it->next + width * i, width * sizeof *it->next);
        it->items[count++] = it->items[i];
    }
    it->count = count;
    return COR_OK;
}

/* Of the states those in which there is a way to all that the model allows. */
static enum cor_status keep_ways(struct system_layer__beside *beside, const struct cor_beliefs *beliefs,
                                 struct cor_travel *travel, struct cor_bytes *text, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(beside->model);
    uint32_t count = 0;
    for (uint32_t s = 0; s < beside->count; s++) {
        int64_t *row = beside->states + s * width;
        uint32_t missing;
        COR_TRY(system_layer__level_lacks_way(&beside->level, beliefs, travel, row, &missing, error));
        if (missing == COR_NONE)
            memmove(beside->states + width * count++, row, width * sizeof *row);
        else if (s + 1 == beside->count && count == 0) {
            cor_bytes_print(text, "there is no way to %s, and the model allows ", thing_of(beside, missing));
            put_walk(beside, missing, row, text);
        }
    }
    beside->count = count;
    return COR_OK;
}

static enum cor_status judge_level(struct system_layer__beside *beside,
                                   const struct cor_world_command *command, const struct cor_beliefs *beliefs,
                                   struct cor_travel *travel, struct cor_bytes *text,
                                   struct cor_error *error) {
    const uint32_t input = system_layer__level_end(&beside->level, command, beliefs);
    uint32_t denied;
    cor_efsm_observation_clear(&beside->observation);
    COR_TRY(input == COR_NONE ? explain_idleness(beside, error) : explain_walk(beside, input, error));
    if (beside->explanations.count == 0) {
        cor_bytes_print(text, "it did ");
        put_walk(beside, input, beside->states, text);
        cor_bytes_print(text, ", which the model does not allow");
        beside->count = 0;
        return COR_OK;
    }
    COR_TRY(keep_states(beside, beliefs, &denied, error));
    if (beside->count > 0)
        return keep_ways(beside, beliefs, travel, text, error);
    const bool is_shut = beside->explanations.next[1 + denied] != 0; /* a state that the view denies */
    cor_bytes_print(text, "the door %s is %s then, which the model does not allow",
                    cor_words_text(beside->level.declaration->words, beside->level.doors[denied]),
                    is_shut ? "shut" : "open");
    return COR_OK;
}

enum cor_status system_layer__beside_step(struct system_layer__beside *beside,
                                          const struct cor_world_command *command,
                                          const struct cor_beliefs *beliefs, struct cor_travel *travel,
                                          bool *is_allowed, char *why, size_t size, struct cor_error *error) {
    struct cor_bytes text = {0};
    *is_allowed = true;
    why[0] = '\0';
    if (beside->count == 0 || command->action == COR_ACTION_LOOK)
        return COR_OK;
    enum cor_status status = beside->is_of_level ? judge_level(beside, command, beliefs, travel, &text, error)
                                                 : judge(beside, command, beliefs, &text, error);
    if (status == COR_OK && text.status != COR_OK)
        status = cor_fail_memory(error);
    *is_allowed = status != COR_OK || beside->count > 0;
    if (!*is_allowed)
        snprintf(why, size, "%s", cor_bytes_text(&text));
    cor_bytes_fini(&text);
    return status;
}

/* ---- planning */

struct system_layer__adviser {
    struct system_layer__beside *beside;
    const struct cor_beliefs *beliefs;
    struct cor_beliefs *supposed; /* owned; what would be believed of a successor */
    struct cor_planning_problem problem;
    struct cor_expansion inner;
    uint64_t after[1];
    const struct cor_expression *wanted;
    struct cor_node *nodes; /* owned; of what the planner was made for: elements in it may be put in anew */
    uint32_t node_count;
    const struct cor_planner_kind *kind;
    void *planner;        /* owned; NULL: none was made yet */
    unsigned char *state; /* owned; scratch */
};

static bool is_of_state(const struct system_layer__mirror *mirror, const struct cor_node *node) {
    if (node->element == mirror->system_type)
        return node->variable != mirror->quiet &&
               node->variable < mirror->declaration->types[mirror->system_type].property_count;
    return node->element == mirror->output_type &&
           (node->variable == mirror->said || node->variable == mirror->at ||
            (mirror->label != COR_NONE && node->variable == mirror->label));
}

enum cor_status system_layer__beside_check(const struct system_layer__beside *beside,
                                           const struct cor_expression *wanted, struct cor_error *error) {
    if (beside->is_of_level)
        return cor_fail(error, COR_STATUS_INPUT, beside->model->name, "say \"achieve\" or \"reach\"",
                        "a level's model judges, and its inputs are whole walks: it plans no steps");
    for (uint32_t n = 0; n < wanted->node_count; n++) {
        const struct cor_node *node = &wanted->nodes[n];
        char part[200] = "";
        if (node->operator!= COR_OPERATOR_VARIABLE && node->operator!= COR_OPERATOR_ATTRIBUTE &&
            node->
            operator!= COR_OPERATOR_BEFORE && node->
            operator!= COR_OPERATOR_REFERENCE)
            continue;
        if (node->operator== COR_OPERATOR_ATTRIBUTE && is_of_state(&beside->mirror, node))
            continue;
        if (wanted->spans)
            cor_span_text(&wanted->spans[n], part, sizeof part);
        return cor_fail(error, COR_STATUS_INPUT, beside->model->name,
                        "name what the model knows: location and variables of the system, what outputs are "
                        "said",
                        "\"%s\" of \"%s\" cannot be planned for", part, wanted->text);
    }
    return COR_OK;
}

/* Would what is wanted hold behind this outcome? */
static enum cor_status is_hit(struct system_layer__adviser *adviser, const void *state, const void *input,
                              uint32_t transition, const void *next, bool *hit, struct cor_error *error) {
    struct system_layer__beside *beside = adviser->beside;
    int64_t before[COR_EFSM_VARIABLES_MAX], given[COR_EFSM_VARIABLES_MAX], values[COR_EFSM_VARIABLES_MAX];
    uint32_t location, last, label;
    struct cor_world_view view = {0};
    cor_efsm_start(beside->model, before);
    cor_efsm_start(beside->model, values);
    memcpy(given, before, sizeof given);
    cor_efsm_problem_unpack(beside->problem, state, &location, before, &last);
    cor_efsm_problem_unpack_input(beside->problem, input, &label, given);
    cor_efsm_put_input(beside->model, label, given, before);
    COR_TRY(cor_efsm_observation_of(beside->model, transition, before, &beside->observation, error));
    cor_efsm_problem_unpack(beside->problem, next, &location, values, &last);
    COR_TRY(system_layer__mirror_view(&beside->mirror, location, values, &beside->observation, &view, error));
    COR_TRY(cor_beliefs_merge(adviser->supposed, &view, error));
    *hit = cor_expression_ask(adviser->wanted, cor_beliefs_values(adviser->supposed),
                              cor_beliefs_world(adviser->supposed), NULL) == COR_TRUTH_TRUE;
    return COR_OK;
}

static enum cor_status expand(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error) {
    struct system_layer__adviser *adviser = self;
    const struct cor_planning_problem *of_model = cor_efsm_planning_problem(adviser->beside->problem);
    const struct cor_expansion *inner = &adviser->inner;
    COR_TRY(cor_expand(of_model, state, &adviser->inner, error));
    for (uint32_t i = 0; i < inner->input_count; i++) {
        const unsigned char *input = inner->inputs + i * of_model->input_size;
        COR_TRY(cor_expansion_input(&adviser->problem, expansion, input, error));
        for (uint32_t o = inner->first[i]; o < inner->first[i + 1]; o++) {
            const unsigned char *next = inner->states + o * of_model->state_size;
            uint64_t hits[1] = {0};
            bool hit;
            COR_TRY(is_hit(adviser, state, input, inner->outcomes[o].label, next, &hit, error));
            if (hit)
                cor_trap_add(hits, 0);
            COR_TRY(
                cor_expansion_outcome(&adviser->problem, expansion, inner->outcomes[o], next, hits, error));
        }
    }
    return COR_OK;
}

enum cor_status system_layer__adviser_create(struct system_layer__beside *beside,
                                             const struct cor_world_vocabulary *vocabulary,
                                             const struct cor_beliefs *beliefs,
                                             struct system_layer__adviser **made, struct cor_error *error) {
    struct system_layer__adviser *adviser = cor_calloc(1, sizeof *adviser);
    enum cor_status status;
    *made = NULL;
    COR_TRY(cor_made(adviser, error));
    adviser->beside = beside;
    adviser->beliefs = beliefs;
    adviser->kind = cor_planner_find("search");
    if (!beside->problem)
        COR_TRY_OUT(cor_efsm_problem_create(beside->model, &beside->none, &beside->problem, error));
    const struct cor_planning_problem *of_model = cor_efsm_planning_problem(beside->problem);
    adviser->problem = (struct cor_planning_problem){.self = adviser,
                                                     .state_size = of_model->state_size,
                                                     .input_size = of_model->input_size,
                                                     .trap_count = 1,
                                                     .trap_words = cor_trap_words(1),
                                                     .after = adviser->after,
                                                     .expand = expand};
    COR_TRY_OUT(cor_made(adviser->state = cor_calloc(of_model->state_size, 1), error));
    COR_TRY_OUT(cor_beliefs_create(vocabulary, &adviser->supposed, error));
    *made = adviser;
    adviser = NULL;
out:
    system_layer__adviser_destroy(adviser);
    return status;
}

void system_layer__adviser_destroy(struct system_layer__adviser *adviser) {
    if (!adviser)
        return;
    if (adviser->planner)
        adviser->kind->destroy(adviser->planner);
    cor_expansion_fini(&adviser->inner);
    cor_beliefs_destroy(adviser->supposed);
    free(adviser->nodes);
    free(adviser->state);
    free(adviser);
}

/* A planner for what is wanted; the one there is, if it is for the same. */
static enum cor_status find_planner(struct system_layer__adviser *adviser,
                                    const struct cor_expression *wanted, struct cor_error *error) {
    const size_t size = wanted->node_count * sizeof *wanted->nodes;
    if (adviser->planner && adviser->wanted == wanted && adviser->node_count == wanted->node_count &&
        memcmp(adviser->nodes, wanted->nodes, size) == 0)
        return COR_OK;
    struct cor_planner_definition definition = cor_default_planner();
    definition.problem = &adviser->problem;
    if (adviser->planner)
        adviser->kind->destroy(adviser->planner);
    adviser->planner = NULL;
    free(adviser->nodes);
    COR_TRY(cor_made(adviser->nodes = cor_calloc(wanted->node_count, sizeof *wanted->nodes), error));
    memcpy(adviser->nodes, wanted->nodes, size);
    adviser->node_count = wanted->node_count;
    adviser->wanted = wanted;
    return adviser->kind->create(&definition, &adviser->planner, error);
}

/* Where the world may be in several states, the first from which there is a way; that there is none is proven
 * only if it is of all of them. A planner that gave up has proven nothing: the test agent waits. */
static enum cor_status next(void *context, const struct cor_expression *wanted,
                            enum cor_travel_answer *answer, struct cor_world_command *command,
                            struct cor_error *error) {
    struct system_layer__adviser *adviser = context;
    const struct system_layer__beside *beside = adviser->beside;
    const size_t width = cor_efsm_state_width(beside->model);
    const uint64_t covered[1] = {0};
    int64_t values[COR_EFSM_VARIABLES_MAX];
    bool is_proven = !cor_efsm_problem_is_partial(beside->problem);
    *answer = COR_TRAVEL_THERE;
    if (cor_expression_ask(wanted, cor_beliefs_values(adviser->beliefs), cor_beliefs_world(adviser->beliefs),
                           NULL) == COR_TRUTH_TRUE)
        return COR_OK;
    COR_TRY(find_planner(adviser, wanted, error));
    for (uint32_t s = 0; s < beside->count; s++) {
        const int64_t *row = beside->states + s * width;
        struct cor_choice choice = {0};
        uint32_t label;
        cor_efsm_problem_pack(beside->problem, (uint32_t)row[0], row + 1, COR_NONE, adviser->state);
        COR_TRY(adviser->kind->choose(adviser->planner, adviser->state, covered, &choice, error));
        if (choice.advice == COR_ADVICE_INPUT) {
            cor_efsm_start(beside->model, values);
            cor_efsm_problem_unpack_input(beside->problem, choice.input, &label, values);
            *answer = COR_TRAVEL_STEP;
            if (system_layer__mirror_command(&beside->mirror, label, values, command))
                return COR_OK;
            is_proven = false; /* an input that the world does not have: another way may go */
        }
        is_proven = is_proven && choice.advice == COR_ADVICE_LOST;
    }
    *answer = is_proven ? COR_TRAVEL_NO_WAY : COR_TRAVEL_STEP;
    *command = (struct cor_world_command){.action = COR_ACTION_WAIT};
    return COR_OK;
}

struct cor_pursuit_advice system_layer__advice(struct system_layer__adviser *adviser) {
    return (struct cor_pursuit_advice){adviser ? next : NULL, adviser};
}
