/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worlds by the member of "system" that names them. */
#include "internal.h"
#include "whole_page.h"

#include <corridor/array.h>
#include <corridor/efsm_mutants.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/json_names.h>
#include <corridor/rooms.h>
#include <corridor/system.h>
#include <corridor/world_program.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the world of a file that is a program: {"program": ["./world", "--fast"], "setup": [..],
 * "answer_seconds": 10, "memory_bytes": 1073741824} */

#define WORDS_MOST 1000

struct program {
    struct system_layer__world head; /* first */
    char *command, *setup;           /* owned; for sh; JSON, NULL: nothing */
    double answer_seconds;
    uint64_t memory_bytes;
};

static void destroy(struct system_layer__world *world) {
    COR_FREED struct program *program = (struct program *)(void *)world;
    COR_FREE(program->command, program->setup);
}

/* Words of a command, or all of it as one line for sh. */
static enum cor_status read_command(const struct cor_json *json, void *into, struct cor_error *error) {
    struct program *program = into;
    const char *text;
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &text, error));
        COR_TRY(cor_made(program->command = cor_strdup(text), error));
    } else {
        COR_TRY(cor_json_expect_array(json, 1, WORDS_MOST, error));
        COR_TRY(cor_made(program->command = cor_strdup(""), error));
        COR_JSON_CHILDREN(word, json) {
            COR_TRY(cor_json_string(&word, &text, error));
            const bool is_home = strncmp(text, "~/", 2) == 0; /* as in files that are named */
            program->command = cor_join_take(program->command, is_home ? " ~/" : " ",
                                             cor_shell_quoted(is_home ? text + 2 : text));
            COR_TRY(cor_made(program->command, error));
        }
    }
    return program->command[0] && cor_is_printable(program->command)
               ? COR_OK
               : cor_json_fail(json, error, "one line for sh, or its words", "this is no command");
}

static enum cor_status read_setup(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, SIZE_MAX, error));
    return cor_made(((struct program *)into)->setup = cor_json_text(json), error);
}

static const struct cor_field fields[] = {
    {"program", COR_REQUIRED, COR_READ_FIELD(read_command)},
    {"setup", COR_OPTIONAL, COR_READ_FIELD(read_setup)},
    {"answer_seconds", COR_OPTIONAL, COR_REAL_FIELD(struct program, answer_seconds, 0.001, 86400)},
    {"memory_bytes", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct program, memory_bytes, COR_GUEST_MEMORY_LEAST, COR_GUEST_MEMORY_MOST)},
    {0}};

static enum cor_status read(const struct cor_json *json, const struct cor_layer_options *options,
                            struct system_layer__world **world, struct cor_error *error) {
    const struct cor_world_program_definition usual = cor_default_world_program();
    struct program *program = cor_calloc(1, sizeof *program);
    COR_TRY(cor_made(program, error));
    *program = (struct program){.head.maker = &system_layer__program_maker,
                                .answer_seconds = usual.answer_seconds,
                                .memory_bytes = usual.memory_bytes};
    (void)options;
    const enum cor_status status = cor_json_fields(json, fields, program, error);
    if (status != COR_OK)
        destroy(&program->head);
    else
        *world = &program->head;
    return status;
}

static const char *command_of(const struct system_layer__world *world) {
    return ((const struct program *)(const void *)world)->command;
}

static void put(const struct system_layer__world *world, struct cor_json_writer *writer) {
    const struct program *program = (const struct program *)(const void *)world;
    cor_json_put_string(writer, "program", program->command);
    if (program->setup)
        cor_json_put_text(writer, "setup", program->setup);
    cor_json_put_real(writer, "answer_seconds", program->answer_seconds);
    cor_json_put_integer(writer, "memory_bytes", (int64_t)program->memory_bytes);
}

static enum cor_status create(const struct system_layer__world *world,
                              const struct system_layer__world_request *request, struct cor_live_world **live,
                              struct cor_error *error) {
    const struct program *program = (const struct program *)(const void *)world;
    const struct cor_world_program_definition definition = {.command = program->command,
                                                            .seed = request->experiment->head.seed,
                                                            .setup = program->setup,
                                                            .test_agents = request->test_agents,
                                                            .test_agent_count = request->test_agent_count,
                                                            .answer_seconds = program->answer_seconds,
                                                            .traffic = request->experiment->traffic,
                                                            .is_free = request->experiment->is_free,
                                                            .is_full = request->experiment->is_full,
                                                            .kept = request->experiment->programs,
                                                            .memory_bytes = program->memory_bytes};
    return cor_world_program_create(&definition, live, error);
}

const struct system_layer__world_maker system_layer__program_maker = {
    .key = "program", .command = command_of, .read = read, .put = put, .create = create, .destroy = destroy};

/* ---- the worlds that a file can name, and the one of rooms */

const struct system_layer__world_maker *const system_layer__world_makers[] = {
    &system_layer__rooms_maker,  &system_layer__program_maker,  &system_layer__efsm_maker,
    &system_layer__agents_maker, &system_layer__campaign_maker, NULL};

enum cor_status system_layer__world_read(const struct cor_json *json, const struct cor_layer_options *options,
                                         struct system_layer__world **world, struct cor_error *error) {
    const char *keys[16] = {0};
    struct cor_json child;
    char known[512];
    *world = NULL;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t m = 0; system_layer__world_makers[m]; m++) {
        keys[m] = system_layer__world_makers[m]->key;
        if (cor_json_find(json, keys[m], &child))
            return system_layer__world_makers[m]->read(json, options, world, error);
    }
    cor_known_names(cor_json_size(json) > 0 ? cor_json_at(json, 0).key : "", keys, known, sizeof known);
    return cor_json_fail(json, error, known, "names no world");
}

enum cor_status system_layer__world_change(const struct system_layer__world *world,
                                           const struct cor_json *mutant,
                                           struct system_layer__world **changed, struct cor_error *error) {
    *changed = NULL;
    if (!world->maker->change)
        return cor_json_fail(mutant, error, "leave it out", "a world of \"%s\" has no mutants",
                             world->maker->key);
    return world->maker->change(world, mutant, changed, error);
}

void system_layer__world_destroy(struct system_layer__world *world) {
    if (world)
        world->maker->destroy(world);
}

const char *system_layer__trouble_words(enum cor_system_trouble trouble) {
    return trouble == COR_SYSTEM_GARBLED ? "spoke nonsense" : cor_term_word(COR_FAMILY_SYSTEM, (int)trouble);
}

enum cor_status system_layer__find_action(const struct cor_world_declaration *declaration,
                                          const struct cor_json *json, const char *name, uint32_t *action,
                                          struct cor_error *error) {
    return cor_json_find_name(
        json, COR_RECORD_NAMES(declaration->actions, declaration->action_count, struct cor_action, name),
        name, action, error, "the world has no action \"%s\"", name);
}

enum cor_status system_layer__find_type(const struct cor_world_declaration *declaration,
                                        const struct cor_json *json, const char *name, uint32_t *type,
                                        struct cor_error *error) {
    return cor_json_find_name(
        json, COR_RECORD_NAMES(declaration->types, declaration->type_count, struct cor_entity_type, name),
        name, type, error, "the world has no type \"%s\"", name);
}

/* The value of an example; false: the test has no such parameter. */
static bool find_parameter(const struct system_layer__world_request *request, const char *name,
                           double *value) {
    const struct cor_system_experiment *experiment = request->experiment;
    for (uint32_t p = 0; p < experiment->parameter_count; p++)
        if (strcmp(experiment->parameters[p].name, name) == 0) {
            *value = experiment->parameters[p].values[request->entry->levels[p]];
            return true;
        }
    return false;
}

void system_layer__put_text(struct cor_json_writer *writer, const char *key, const char *text) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_error said = COR_NO_ERROR;
    if (cor_json_parse(text, "", &document, &said) != COR_OK)
        cor_json_put_text(writer, key, ""); /* a text that is none sticks as an error */
    else {
        const struct cor_json root = cor_json_root(document);
        cor_json_put_value(writer, key, &root);
    }
}

/* ---- rooms */

#define SIGHT_MOST 65535
#define LAG_MOST 1000

struct rooms {
    struct system_layer__world head; /* first */
    struct cor_rooms_level *level;   /* owned */
    uint32_t view, lag;
};

static void destroy_rooms(struct system_layer__world *world) {
    COR_FREED struct rooms *rooms = (struct rooms *)(void *)world;
    cor_rooms_level_destroy(rooms->level);
}

/* A file, or the text itself where it has lines. */
static enum cor_status read_level(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rooms *rooms = into;
    const char *named;
    COR_FREED char *path = NULL, *text = NULL;
    size_t length;
    COR_TRY(cor_json_string(json, &named, error));
    if (strchr(named, '\n')) {
        char place[512];
        cor_json_place(json, place, sizeof place);
        return cor_rooms_level_parse(named, place, &rooms->level, NULL, error);
    }
    if (!named[0])
        return cor_json_fail(json, error, "the path of a level, or its text", "names no file");
    COR_TRY(cor_made(path = cor_json_beside(json, named), error));
    COR_TRY(cor_json_read_text(path, &text, &length, error));
    if (strlen(text) != length)
        return cor_fail(error, COR_STATUS_INPUT, path, "a level is lines of text",
                        "there is a zero byte in it");
    return cor_rooms_level_parse(text, path, &rooms->level, NULL, error);
}

static enum cor_status read_view(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *word;
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &word, error));
        if (strcmp(word, "all") == 0) {
            ((struct rooms *)into)->view = UINT32_MAX;
            return COR_OK;
        }
        return cor_json_fail(json, error, "a number of cells, or \"all\"", "\"%s\" is no radius of sight",
                             word);
    }
    return cor_json_count(json, 0, SIGHT_MOST, &((struct rooms *)into)->view, error);
}

static const struct cor_field rooms_fields[] = {
    {"rooms", COR_REQUIRED, COR_READ_FIELD(read_level)},
    {"view", COR_OPTIONAL, COR_READ_FIELD(read_view)},
    {"lag", COR_OPTIONAL, COR_INTEGER_FIELD(struct rooms, lag, 0, LAG_MOST)},
    {0}};

static enum cor_status read_rooms(const struct cor_json *json, const struct cor_layer_options *options,
                                  struct system_layer__world **world, struct cor_error *error) {
    struct rooms *rooms = cor_calloc(1, sizeof *rooms);
    (void)options;
    COR_TRY(cor_made(rooms, error));
    *rooms = (struct rooms){.head.maker = &system_layer__rooms_maker, .view = UINT32_MAX};
    enum cor_status status = cor_json_fields(json, rooms_fields, rooms, error);
    if (status == COR_OK && rooms->view == UINT32_MAX)
        status = cor_json_note_default_word(json, "view", "all", error);
    if (status != COR_OK)
        destroy_rooms(&rooms->head);
    else
        *world = &rooms->head;
    return status;
}

static enum cor_status change_rooms(const struct system_layer__world *world, const struct cor_json *json,
                                    struct system_layer__world **changed, struct cor_error *error) {
    const struct rooms *rooms = (const struct rooms *)(const void *)world;
    struct cor_error said = COR_NO_ERROR;
    const char *mutant;
    COR_TRY(cor_json_string(json, &mutant, error));
    struct rooms *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    *made = *rooms;
    made->level = NULL;
    const enum cor_status status = cor_rooms_level_mutate(rooms->level, mutant, &made->level, &said);
    if (status != COR_OK) {
        destroy_rooms(&made->head);
        return cor_json_repeat(json, status, &said, error);
    }
    *changed = &made->head;
    return COR_OK;
}

static bool name_mutant(const struct system_layer__world *world, uint32_t mutant, char *name, size_t size) {
    const struct rooms *rooms = (const struct rooms *)(const void *)world;
    if (mutant >= cor_rooms_level_mutant_count(rooms->level))
        return false;
    cor_rooms_level_mutant_name(rooms->level, mutant, name, size);
    return true;
}

static uint32_t count_things(const struct system_layer__world *world) {
    return cor_rooms_level_part_count(((const struct rooms *)(const void *)world)->level);
}

static void name_thing(const struct system_layer__world *world, uint32_t thing, char *name, size_t size) {
    cor_rooms_level_part_name(((const struct rooms *)(const void *)world)->level, thing, name, size);
}

static enum cor_status leave_out(const struct system_layer__world *world,
                                 const struct system_layer__world *things, const bool *gone,
                                 struct system_layer__world **changed, struct cor_error *error) {
    const struct rooms *rooms = (const struct rooms *)(const void *)world,
                       *parts = (const struct rooms *)(const void *)things;
    struct rooms *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    *made = *rooms;
    made->level = NULL;
    const enum cor_status status =
        cor_rooms_level_without(rooms->level, parts->level, gone, &made->level, error);
    if (status == COR_OK)
        *changed = &made->head;
    else
        destroy_rooms(&made->head);
    return status;
}

static void put_rooms(const struct system_layer__world *world, struct cor_json_writer *writer) {
    const struct rooms *rooms = (const struct rooms *)(const void *)world;
    COR_FREED char *text = cor_rooms_level_text(rooms->level);
    if (!text) /* a text that is none sticks as an error */
        cor_json_put_text(writer, "rooms", "");
    else
        cor_json_put_string(writer, "rooms", text);
    if (rooms->view == UINT32_MAX)
        cor_json_put_string(writer, "view", "all");
    else
        cor_json_put_integer(writer, "view", rooms->view);
    cor_json_put_integer(writer, "lag", rooms->lag);
}

static enum cor_status take(const struct system_layer__world_request *request, const char *name,
                            uint32_t most, uint32_t *number, struct cor_error *error) {
    double value;
    if (!find_parameter(request, name, &value))
        return COR_OK;
    if (value >= 0 && value <= most && floor(value) >= value) {
        *number = (uint32_t)value;
        return COR_OK;
    }
    const struct cor_json root = cor_json_root(request->experiment->document);
    struct cor_json examples, example;
    COR_TRY(cor_json_need(&root, "examples", &examples, error));
    COR_TRY(cor_json_need(&examples, name, &example, error));
    return cor_json_fail(&example, error, NULL, "%g is no integer from 0 to %u", value, most);
}

static enum cor_status create_rooms(const struct system_layer__world *world,
                                    const struct system_layer__world_request *request,
                                    struct cor_live_world **live, struct cor_error *error) {
    const struct rooms *rooms = (const struct rooms *)(const void *)world;
    struct cor_rooms_definition definition = {.level = rooms->level,
                                              .view = rooms->view,
                                              .lag = rooms->lag,
                                              .test_agents = request->test_agents,
                                              .test_agent_count = request->test_agent_count};
    COR_TRY(take(request, "view", SIGHT_MOST, &definition.view, error));
    COR_TRY(take(request, "lag", LAG_MOST, &definition.lag, error));
    return cor_rooms_create(&definition, live, error);
}

static const char *why_unjudged(const struct system_layer__world *world,
                                const struct system_layer__world_request *request) {
    const struct rooms *rooms = (const struct rooms *)(const void *)world;
    double lag = rooms->lag;
    find_parameter(request, "lag", &lag);
    return lag > 0 ? "views that are late (\"lag\") cannot be judged by a level's model"
           : cor_rooms_level_start_count(rooms->level) > 1
               ? "a level's model is of its first test agent, and the level has several"
               : NULL;
}

static enum cor_status model_rooms(const struct system_layer__world *world, char **text,
                                   struct cor_error *error) {
    return cor_rooms_level_model(((const struct rooms *)(const void *)world)->level, text, error);
}

const struct system_layer__world_maker system_layer__rooms_maker = {.key = "rooms",
                                                                    .read = read_rooms,
                                                                    .change = change_rooms,
                                                                    .name_mutant = name_mutant,
                                                                    .count_things = count_things,
                                                                    .name_thing = name_thing,
                                                                    .leave_out = leave_out,
                                                                    .put = put_rooms,
                                                                    .create = create_rooms,
                                                                    .why_unjudged = why_unjudged,
                                                                    .write_model = model_rooms,
                                                                    .destroy = destroy_rooms};

/* ---- the world `efsm`: any model, simulated. Inputs are its actions; one entity is the state, and one for
 * each label is what was said last */

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
    COR_FREED struct efsm *efsm = (struct efsm *)(void *)world;
    cor_efsm_destroy(efsm->acting);
    if (!efsm->is_changed) {
        cor_efsm_goal_fini(&efsm->own_goal);
        free(efsm->weights);
        cor_efsm_destroy(efsm->model);
    }
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
    COR_FREED struct live *live = (struct live *)(void *)world;
    system_layer__mirror_fini(&live->mirror);
    cor_system_close(live->system);
    cor_efsm_observation_fini(&live->observation);
    COR_FREE(live->location_words, live->label_words);
    for (uint32_t v = 0; v < COR_EFSM_VARIABLES_MAX; v++)
        free(live->values[v]);
    COR_FREE(live->properties, live->actions, live->parameters, live->entities);
    cor_words_fini(&live->words);
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
