/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world `efsm`: any model, simulated. Inputs are its actions; one entity is the state, and one for each
 * label is what was said last. */
#include "internal.h"
#include "model_mirror.h"

#include <corridor/array.h>
#include <corridor/efsm_mutants.h>
#include <corridor/fields.h>
#include <corridor/system.h>

#include <stdlib.h>
#include <string.h>

/* ---- what a file says of it */

struct efsm {
    struct system_layer__world head;  /* first */
    struct cor_efsm *model;           /* owned, unless it is a changed one's; what it is to be */
    struct cor_efsm *acting;          /* owned; a mutant; NULL: it is what it is to be */
    double *weights;                  /* owned likewise; FREQUENCIES */
    struct cor_efsm_goal own_goal;    /* owned likewise */
    const struct cor_efsm_goal *goal; /* ADVERSARY */
    enum cor_choosing choosing;
    int shows_outputs_alone;
    bool is_changed;
};

static void destroy_efsm(struct system_layer__world *world) {
    struct efsm *efsm = (struct efsm *)(void *)world;
    cor_efsm_destroy(efsm->acting);
    if (!efsm->is_changed) {
        cor_efsm_goal_fini(&efsm->own_goal);
        free(efsm->weights);
        cor_efsm_destroy(efsm->model);
    }
    free(efsm);
}

static enum cor_status read_model(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_efsm_read_named(json, &((struct efsm *)into)->model, error);
}

static enum cor_status read_frequencies(const struct cor_json *json, void *into, struct cor_error *error) {
    struct efsm *efsm = into;
    efsm->choosing = COR_CHOOSING_FREQUENCIES;
    return cor_frequencies_read(json, efsm->model, &efsm->weights, error);
}

static const struct cor_field rivals_fields[] = {
    {"frequencies", COR_REQUIRED, COR_READ_FIELD(read_frequencies)}, {0}};

static enum cor_status read_rivals(const struct cor_json *json, void *into, struct cor_error *error) {
    if (cor_json_is_string(json))
        return cor_choosing_read(json, "way to choose among rivals", &((struct efsm *)into)->choosing, error);
    return cor_json_fields(json, rivals_fields, into, error);
}

static enum cor_status read_goal(const struct cor_json *json, void *into, struct cor_error *error) {
    struct efsm *efsm = into;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    if (efsm->choosing != COR_CHOOSING_ADVERSARY)
        return cor_json_fail(json, error, "leave it out, or say \"rivals\": \"adversary\"",
                             "only an adversary plays against a goal");
    return cor_efsm_goal_find(efsm->model, name, &efsm->own_goal, &efsm->goal, error);
}

static const char *const sights[] = {"state", "outputs", NULL};

static const struct cor_field efsm_fields[] = {
    {"efsm", COR_REQUIRED, COR_READ_FIELD(read_model)},
    {"sees", COR_OPTIONAL, COR_ONE_OF_FIELD(struct efsm, shows_outputs_alone, sights, 0, "sight")},
    {"rivals", COR_OPTIONAL, COR_READ_FIELD(read_rivals)},
    {"goal", COR_OPTIONAL, COR_READ_FIELD(read_goal)},
    {0}};

static enum cor_status read_world(const struct cor_json *json, const struct cor_layer_options *options,
                                  struct system_layer__world **world, struct cor_error *error) {
    struct efsm *efsm = cor_calloc(1, sizeof *efsm);
    enum cor_status status;
    (void)options;
    COR_TRY(cor_made(efsm, error));
    efsm->head.maker = &system_layer__efsm_maker;
    COR_TRY_OUT(cor_json_fields(json, efsm_fields, efsm, error));
    /* A world has so many actions and properties at most; a name means one thing. */
    const struct cor_efsm *model = efsm->model;
    uint32_t kinds[3] = {0};
    for (uint32_t v = 0; v < model->variable_count; v++)
        kinds[model->variables[v].kind]++;
    if (model->input_count + COR_ACTION_FIRST > COR_WORLD_ACTIONS_MAX)
        COR_TRY_OUT(cor_json_fail(json, error, NULL, "the model has %u inputs, and a world at most %d",
                                  model->input_count, COR_WORLD_ACTIONS_MAX - COR_ACTION_FIRST));
    if (kinds[COR_EFSM_STATE] + 2 > COR_WORLD_PROPERTIES_MAX ||
        kinds[COR_EFSM_OUTPUT] + 3 > COR_WORLD_PROPERTIES_MAX)
        COR_TRY_OUT(
            cor_json_fail(json, error, NULL,
                          "the model has more variables than a world can show (%d of the state, %d of "
                          "outputs)",
                          COR_WORLD_PROPERTIES_MAX - 2, COR_WORLD_PROPERTIES_MAX - 3));
    for (uint32_t i = 0; i < model->input_count; i++) {
        const char *name = model->input_names[i];
        if (strcmp(name, "wait") == 0 || strcmp(name, "look") == 0)
            COR_TRY_OUT(cor_json_fail(json, error, "call the input otherwise",
                                      "the input \"%s\" is called as an action of every world", name));
        if (model->inputs[i].parameter_count > COR_WORLD_PARAMETERS_MAX)
            COR_TRY_OUT(cor_json_fail(json, error, NULL,
                                      "the input \"%s\" has %u parameters, and an action at most %d", name,
                                      model->inputs[i].parameter_count, COR_WORLD_PARAMETERS_MAX));
    }
    for (uint32_t o = 0; o < model->output_count; o++)
        if (strcmp(model->output_names[o], "system") == 0)
            COR_TRY_OUT(cor_json_fail(json, error, "call the output otherwise",
                                      "the output \"system\" is called as the entity that is the state"));
    if (efsm->choosing == COR_CHOOSING_ADVERSARY && !efsm->goal)
        COR_TRY_OUT(cor_json_fail(json, error, "say \"goal\": \"all-transitions\"",
                                  "an adversary has to know what it plays against"));
    *world = &efsm->head;
    efsm = NULL;
out:
    if (efsm)
        destroy_efsm(&efsm->head);
    return status;
}

static enum cor_status change_world(const struct system_layer__world *world, const struct cor_json *json,
                                    struct system_layer__world **changed, struct cor_error *error) {
    const struct efsm *efsm = (const struct efsm *)(const void *)world;
    struct efsm *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    *made = *efsm;
    made->is_changed = true;
    made->acting = NULL;
    const enum cor_status status = cor_efsm_mutate_named(efsm->model, json, &made->acting, error);
    if (status != COR_OK)
        destroy_efsm(&made->head);
    else
        *changed = &made->head;
    return status;
}

static void put_world(const struct system_layer__world *world, struct cor_json_writer *writer) {
    const struct efsm *efsm = (const struct efsm *)(const void *)world;
    const struct cor_json model = cor_json_root(efsm->model->document);
    cor_json_put_value(writer, "efsm", &model);
    cor_json_put_string(writer, "sees", sights[efsm->shows_outputs_alone]);
    if (efsm->choosing != COR_CHOOSING_FREQUENCIES) {
        cor_json_put_string(writer, "rivals", cor_choosing_word(efsm->choosing));
    } else {
        cor_json_open_object(writer, "rivals");
        cor_json_open_object(writer, "frequencies");
        for (uint32_t t = 0; t < efsm->model->transition_count; t++)
            cor_json_put_real(writer, efsm->model->transition_names[t], efsm->weights[t]);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    if (efsm->goal)
        cor_json_put_string(writer, "goal", efsm->goal->name);
}

static const struct cor_efsm *model_of(const struct system_layer__world *world) {
    return ((const struct efsm *)(const void *)world)->model;
}

/* ---- the world */

struct live {
    struct cor_live_world head; /* first */
    const struct efsm *efsm;    /* borrowed */
    uint64_t seed;
    struct cor_world_declaration declaration;
    struct cor_words words;
    struct cor_domain locations;
    uint32_t *location_words; /* owned, as the next */
    struct cor_domain labels;
    uint32_t *label_words;
    struct cor_domain domains[COR_EFSM_VARIABLES_MAX]; /* of variables that have words */
    uint32_t *values[COR_EFSM_VARIABLES_MAX];          /* owned; their words; else NULL */
    struct cor_world_property *properties;             /* of both types, one behind the other */
    struct cor_action *actions;
    struct cor_action_parameter *parameters;
    struct cor_declared_entity *entities;
    struct cor_entity_type types[2];
    struct system_layer__mirror mirror;
    struct cor_system *system; /* owned; NULL before the first reset */
    struct cor_efsm_observation observation;
    uint64_t tick;
};

static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};

static const struct cor_domain *domain_of(const struct live *live, uint32_t variable) {
    static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
    const enum cor_efsm_type type = live->efsm->model->variables[variable].type;
    return type == COR_EFSM_WORDS      ? &live->domains[variable]
           : type == COR_EFSM_DECIMALS ? &reals
           : type == COR_EFSM_BOOLEAN  ? &truths
                                       : &integers;
}

static void close_live(struct cor_live_world *world) {
    struct live *live = (struct live *)(void *)world;
    system_layer__mirror_fini(&live->mirror);
    cor_system_close(live->system);
    cor_efsm_observation_fini(&live->observation);
    free(live->location_words);
    free(live->label_words);
    for (uint32_t v = 0; v < COR_EFSM_VARIABLES_MAX; v++)
        free(live->values[v]);
    free(live->properties);
    free(live->actions);
    free(live->parameters);
    free(live->entities);
    cor_words_fini(&live->words);
    free(live);
}

static enum cor_status show(struct live *live, struct cor_world_view *view, struct cor_error *error) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    const uint32_t location = cor_simulator_state(live->system, values);
    *view = (struct cor_world_view){.tick = live->tick};
    return system_layer__mirror_view(&live->mirror, location, values, &live->observation, view, error);
}

/* Anew, so that what a run draws, and whose turn it is, does not depend on those before. */
static enum cor_status reset(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    const struct efsm *efsm = live->efsm;
    const struct cor_simulator_definition definition = {.model = efsm->acting ? efsm->acting : efsm->model,
                                                        .choosing = efsm->choosing,
                                                        .seed = live->seed,
                                                        .run = world->run,
                                                        .weights = efsm->weights,
                                                        .goal = efsm->goal,
                                                        .goal_model = efsm->model};
    cor_system_close(live->system);
    live->system = NULL;
    live->tick = 0;
    *trouble = COR_SYSTEM_WELL;
    cor_efsm_observation_clear(&live->observation);
    COR_TRY(cor_simulator_create(&definition, &live->system, error));
    return show(live, view, error);
}

static enum cor_status act(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    struct live *live = (struct live *)(void *)world;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    (void)test_agent;
    *trouble = COR_SYSTEM_WELL;
    if (command->action != COR_ACTION_LOOK) {
        const uint32_t input = system_layer__mirror_input(&live->mirror, command, values);
        live->tick++;
        if (input == COR_NONE)
            cor_efsm_observation_clear(&live->observation);
        else
            COR_TRY(
                live->system->kind->give(live->system, input, values, &live->observation, trouble, error));
    }
    return show(live, view, error);
}

static const struct cor_live_world_kind kind = {"efsm", reset, act, close_live};

static enum cor_status declare_types(struct live *live, struct cor_error *error) {
    const struct cor_efsm *model = live->efsm->model;
    struct cor_world_property *property = live->properties =
        cor_calloc((size_t)model->variable_count + 5, sizeof *live->properties);
    live->location_words = cor_calloc(model->location_count, sizeof *live->location_words);
    live->label_words = cor_calloc((size_t)model->output_count + 1, sizeof *live->label_words);
    live->entities = cor_calloc((size_t)model->output_count + 1, sizeof *live->entities);
    if (!live->properties || !live->location_words || !live->label_words || !live->entities)
        return cor_fail_memory(error);
    for (uint32_t l = 0; l < model->location_count; l++)
        COR_TRY(cor_words_intern(&live->words, model->location_names[l], &live->location_words[l], error));
    COR_TRY(cor_words_intern(&live->words, "system", &live->entities[0].identity, error));
    for (uint32_t o = 0; o < model->output_count; o++) {
        COR_TRY(cor_words_intern(&live->words, model->output_names[o], &live->label_words[o], error));
        live->entities[1 + o] = (struct cor_declared_entity){live->label_words[o], 1};
    }
    live->locations = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "location", live->location_words,
                                          model->location_count};
    live->labels =
        (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "label", live->label_words, model->output_count};
    live->types[0] = (struct cor_entity_type){"system", property, 0, COR_NONE};
    *property++ = (struct cor_world_property){"quiet", &truths, COR_NONE};
    if (!live->efsm->shows_outputs_alone) {
        *property++ = (struct cor_world_property){"location", &live->locations, COR_NONE};
        for (uint32_t v = 0; v < model->variable_count; v++)
            if (model->variables[v].kind == COR_EFSM_STATE)
                *property++ =
                    (struct cor_world_property){model->variables[v].name, domain_of(live, v), COR_NONE};
    }
    live->types[0].property_count = (uint32_t)(property - live->types[0].properties);
    live->types[1] = (struct cor_entity_type){"output", property, 0, COR_NONE};
    *property++ = (struct cor_world_property){"label", &live->labels, COR_NONE};
    *property++ = (struct cor_world_property){"said", &truths, COR_NONE};
    *property++ = (struct cor_world_property){"at", &integers, COR_NONE};
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_OUTPUT)
            *property++ = (struct cor_world_property){model->variables[v].name, domain_of(live, v), COR_NONE};
    live->types[1].property_count = (uint32_t)(property - live->types[1].properties);
    return COR_OK;
}

static enum cor_status create_live(const struct system_layer__world *world,
                                   const struct system_layer__world_request *request,
                                   struct cor_live_world **made, struct cor_error *error) {
    const struct efsm *efsm = (const struct efsm *)(const void *)world;
    const struct cor_efsm *model = efsm->model;
    struct live *live = cor_calloc(1, sizeof *live);
    enum cor_status status;
    *made = NULL;
    COR_TRY(cor_made(live, error));
    live->head = (struct cor_live_world){.kind = &kind, .declaration = &live->declaration};
    live->efsm = efsm;
    live->seed = request->experiment ? request->experiment->head.seed : 0;
    cor_words_init(&live->words);
    /* The words of variables that have them. */
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &model->variables[v];
        if (variable->type != COR_EFSM_WORDS)
            continue;
        live->values[v] = cor_calloc((size_t)variable->high + 1, sizeof **live->values);
        COR_TRY_OUT(cor_made(live->values[v], error));
        for (int64_t w = 0; w <= variable->high; w++)
            COR_TRY_OUT(cor_words_intern(&live->words, variable->words[w], &live->values[v][w], error));
        live->domains[v] = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, variable->type_text,
                                               live->values[v], (uint32_t)variable->high + 1};
    }
    COR_TRY_OUT(declare_types(live, error));
    size_t count = 0;
    for (uint32_t i = 0; i < model->input_count; i++)
        count += model->inputs[i].parameter_count;
    live->actions = cor_calloc((size_t)model->input_count + COR_ACTION_FIRST, sizeof *live->actions);
    live->parameters = cor_calloc(count, sizeof *live->parameters);
    if (!live->actions || !live->parameters)
        COR_TRY_OUT(cor_fail_memory(error));
    struct cor_action_parameter *parameter = live->parameters;
    live->actions[COR_ACTION_WAIT].name = "wait";
    live->actions[COR_ACTION_LOOK].name = "look";
    for (uint32_t i = 0; i < model->input_count; i++) {
        const struct cor_efsm_label *input = &model->inputs[i];
        live->actions[COR_ACTION_FIRST + i] =
            (struct cor_action){model->input_names[i], parameter, input->parameter_count};
        for (uint32_t p = 0; p < input->parameter_count; p++) {
            const uint32_t v = input->parameters[p];
            *parameter++ = (struct cor_action_parameter){model->variables[v].name, domain_of(live, v)};
        }
    }
    live->declaration = (struct cor_world_declaration){.name = model->name,
                                                       .version = "1",
                                                       .types = live->types,
                                                       .type_count = model->output_count > 0 ? 2 : 1,
                                                       .actions = live->actions,
                                                       .action_count = COR_ACTION_FIRST + model->input_count,
                                                       .entities = live->entities,
                                                       .entity_count = 1 + model->output_count,
                                                       .words = &live->words,
                                                       .step = COR_NONE};
    COR_TRY_OUT(system_layer__mirror_init(&live->mirror, model, &live->declaration, error));
    *made = &live->head;
    live = NULL;
out:
    if (live)
        close_live(&live->head);
    return status;
}

const struct system_layer__world_maker system_layer__efsm_maker = {.key = "efsm",
                                                                   .read = read_world,
                                                                   .change = change_world,
                                                                   .put = put_world,
                                                                   .create = create_live,
                                                                   .model = model_of,
                                                                   .destroy = destroy_efsm};
