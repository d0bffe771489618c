/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one process needs for a test with its examples in a world: the world, what can be named in it, goals,
 * conditions, formulas, commands, as the file says them. */
#include "internal.h"

#include "goal_nodes.h"

#include <corridor/array.h>
#include <corridor/json_names.h>

#include <stdlib.h>
#include <string.h>

#define PLACE 512

/* What is read, and where. */
struct making {
    struct system_layer__rig *rig;
    const struct cor_system_experiment *experiment;
    struct cor_words *names; /* NULL: catalogs are complete */
    struct cor_error *error;
    bool is_step; /* of a script: entities may become known later */
};

/* The code of a name in a catalog; 0 for one that none of the rigs had that were made before. */
static enum cor_status code_of(const struct making *making, enum cor_system_names_of catalog,
                               const char *name, uint16_t *code) {
    uint32_t word;
    if (making->names)
        COR_TRY(cor_words_intern(&making->names[catalog], name, &word, making->error));
    else
        word = cor_words_find(&making->experiment->names[catalog], name);
    *code = word < UINT16_MAX ? (uint16_t)word : 0;
    return COR_OK;
}

/* ---- what can be named */

static enum cor_status mention_entities(const struct making *making, const struct cor_json *root) {
    const struct cor_world_declaration *declaration = making->rig->declaration;
    struct cor_json entities;
    if (!cor_json_find(root, "entities", &entities))
        return COR_OK;
    COR_JSON_CHILDREN(item, &entities) {
        const char *name;
        uint32_t type;
        COR_TRY(cor_json_string(&item, &name, making->error));
        COR_TRY(system_layer__find_type(declaration, &item, name, &type, making->error));
        struct cor_error said = COR_NO_ERROR;
        const enum cor_status status =
            cor_world_vocabulary_mention(making->rig->vocabulary, item.key, type, &said);
        if (status != COR_OK)
            return cor_json_repeat(&item, status, &said, making->error);
    }
    return COR_OK;
}

/* Examples are numbers that conditions know by name. */
static enum cor_status define_parameters(const struct making *making, const struct cor_json *root) {
    const struct cor_system_experiment *experiment = making->experiment;
    const struct cor_system_entry *entry = &experiment->entries[making->rig->entry];
    struct cor_json examples, item;
    for (uint32_t p = 0; p < experiment->parameter_count; p++) {
        const struct cor_system_parameter *parameter = &experiment->parameters[p];
        struct cor_error said = COR_NO_ERROR;
        const enum cor_status status = cor_world_vocabulary_define(making->rig->vocabulary, parameter->name,
                                                                   parameter->texts[entry->levels[p]], &said);
        if (status != COR_OK && cor_json_find(root, "examples", &examples) &&
            cor_json_find(&examples, parameter->name, &item))
            return cor_json_repeat(&item, status, &said, making->error);
        COR_TRY(status);
    }
    return COR_OK;
}

/* ---- conditions */

static enum cor_status parse_claim(const struct making *making, const struct cor_json *json, const char *text,
                                   struct cor_expression *expression) {
    char place[PLACE];
    cor_json_place(json, place, sizeof place);
    return cor_expression_parse_condition(text, cor_world_vocabulary_scope(making->rig->vocabulary), place,
                                          expression, making->error);
}

/* Another condition that formulas may name. */
static enum cor_status add_claim(const struct making *making, const char *name, char *path_take,
                                 struct cor_expression *expression_take) {
    struct system_layer__rig *rig = making->rig;
    enum cor_status status =
        COR_RESERVE(&rig->claims, &rig->claim_capacity, rig->claim_count + 1, making->error);
    if (status == COR_OK)
        status =
            COR_RESERVE(&rig->claim_names, &rig->claim_name_capacity, rig->claim_count + 2, making->error);
    if (status != COR_OK) {
        cor_expression_fini(expression_take);
        free(path_take);
        return status;
    }
    rig->claims[rig->claim_count] =
        (struct system_layer__claim){.name = name, .path = path_take, .expression = *expression_take};
    rig->claim_names[rig->claim_count++] = name;
    rig->claim_names[rig->claim_count] = NULL;
    return COR_OK;
}

static enum cor_status read_states(const struct making *making, const struct cor_json *root) {
    struct cor_json states;
    if (!cor_json_find(root, "states", &states))
        return COR_OK;
    COR_JSON_CHILDREN(item, &states) {
        struct cor_expression expression;
        const char *text;
        COR_TRY(cor_json_string(&item, &text, making->error));
        COR_TRY(parse_claim(making, &item, text, &expression));
        COR_TRY(add_claim(making, item.key, NULL, &expression));
        COR_TRY(code_of(making, COR_SYSTEM_NAMES_STATE, item.key,
                        &making->rig->claims[making->rig->state_count].code));
        making->rig->state_count++;
    }
    return COR_OK;
}

static enum cor_status read_invariants(const struct making *making, const struct cor_json *root) {
    struct system_layer__rig *rig = making->rig;
    struct cor_json always;
    if (!cor_json_find(root, "always", &always))
        return COR_OK;
    rig->invariants = cor_calloc(cor_json_size(&always), sizeof *rig->invariants);
    COR_TRY(cor_made(rig->invariants, making->error));
    COR_JSON_CHILDREN(item, &always) {
        struct system_layer__claim *invariant = &rig->invariants[rig->invariant_count];
        const char *text;
        if (!system_layer__is_asked(rig->script, COR_JUDGE_INVARIANT, item.key))
            continue;
        COR_TRY(cor_json_string(&item, &text, making->error));
        COR_TRY(parse_claim(making, &item, text, &invariant->expression));
        rig->invariant_count++;
        invariant->name = item.key;
        COR_TRY(code_of(making, COR_SYSTEM_NAMES_CHECK, item.key, &invariant->code));
    }
    return COR_OK;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool has_claim(const struct system_layer__rig *rig, const char *name, size_t length) {
    for (uint32_t c = 0; c < rig->claim_count; c++)
        if (strlen(rig->claims[c].name) == length && memcmp(rig->claims[c].name, name, length) == 0)
            return true;
    return false;
}

/* Paths in a formula, "b1.on", are conditions by themselves. */
static enum cor_status add_paths(const struct making *making, const struct cor_json *json, const char *text) {
    for (const char *at = text; *at;) {
        size_t length = 0;
        bool is_path = false;
        while (is_letter(at[length]) || (length > 0 && ((at[length] >= '0' && at[length] <= '9') ||
                                                        (at[length] == '.' && is_letter(at[length + 1])))))
            is_path |= at[length++] == '.';
        if (is_path && !has_claim(making->rig, at, length)) {
            struct cor_expression expression;
            char *name = cor_format("%.*s", (int)length, at);
            COR_TRY(cor_made(name, making->error));
            const enum cor_status status = parse_claim(making, json, name, &expression);
            if (status != COR_OK) {
                free(name);
                return status;
            }
            COR_TRY(add_claim(making, name, name, &expression));
        }
        at += length > 0 ? length : 1;
    }
    return COR_OK;
}

static enum cor_status read_formulas(const struct making *making, const struct cor_json *root) {
    static const char *const none[] = {NULL};
    struct system_layer__rig *rig = making->rig;
    struct cor_json formulas;
    if (!cor_json_find(root, "formulas", &formulas))
        return COR_OK;
    rig->formulas = cor_calloc(cor_json_size(&formulas), sizeof *rig->formulas);
    COR_TRY(cor_made(rig->formulas, making->error));
    COR_JSON_CHILDREN(item, &formulas) {
        const char *text;
        if (!system_layer__is_asked(rig->script, COR_JUDGE_FORMULA, item.key))
            continue;
        COR_TRY(cor_json_string(&item, &text, making->error));
        COR_TRY(add_paths(making, &item, text));
    }
    COR_JSON_CHILDREN(item, &formulas) {
        if (!system_layer__is_asked(rig->script, COR_JUDGE_FORMULA, item.key))
            continue;
        struct system_layer__formula *formula = &rig->formulas[rig->formula_count++];
        const char *text;
        char place[PLACE];
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_json_string(&item, &text, making->error));
        formula->name = item.key;
        formula->text = text;
        COR_TRY(cor_temporal_parse(text, rig->claim_names ? rig->claim_names : none, place,
                                   &formula->temporal, making->error));
        COR_TRY(cor_temporal_watch_create(formula->temporal, &formula->watch, making->error));
        COR_TRY(code_of(making, COR_SYSTEM_NAMES_CHECK, item.key, &formula->code));
    }
    return COR_OK;
}

/* ---- commands that set the world up */

static enum cor_status read_argument(const struct making *making, const struct cor_json *json,
                                     const struct cor_action_parameter *parameter, struct cor_value *value) {
    struct cor_words *words = making->rig->declaration->words;
    const struct cor_domain *domain = parameter->domain;
    const char *text;
    char known[512] = "";
    if (!domain || domain->type == COR_VALUE_TYPE_STRING || domain->type == COR_VALUE_TYPE_ENUMERATION) {
        uint32_t word;
        COR_TRY(cor_json_string(json, &text, making->error));
        if (!domain && !making->is_step) {
            struct cor_error said = COR_NO_ERROR;
            const enum cor_status status =
                cor_world_vocabulary_mention(making->rig->vocabulary, text, COR_NONE, &said);
            if (status != COR_OK)
                return cor_json_repeat(json, status, &said, making->error);
        }
        COR_TRY(cor_words_intern(words, text, &word, making->error));
        *value = cor_word(word);
        if (!domain || cor_domain_has(domain, *value))
            return COR_OK;
        const char *names[64] = {0};
        for (uint32_t w = 0; w < domain->word_count && w < 63; w++)
            names[w] = cor_words_text(words, domain->words[w]);
        cor_known_names(text, names, known, sizeof known);
        return cor_json_fail(json, making->error, known, "\"%s\" is no value of \"%s\"", text,
                             parameter->name);
    }
    if (domain->type == COR_VALUE_TYPE_BOOLEAN) {
        bool is_so;
        COR_TRY(cor_json_bool(json, &is_so, making->error));
        *value = cor_integer(is_so);
        return COR_OK;
    }
    if (domain->type == COR_VALUE_TYPE_INTEGER) {
        int64_t integer;
        COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &integer, making->error));
        *value = cor_integer(integer);
        return COR_OK;
    }
    double real;
    COR_TRY(cor_json_real(json, -1e300, 1e300, &real, making->error));
    *value = cor_real(real);
    return COR_OK;
}

/* {"do": "press", "on": "b1", "agent": "t"} */
static enum cor_status read_command(const struct making *making, const struct cor_json *json,
                                    struct system_layer__setup *setup) {
    const struct system_layer__rig *rig = making->rig;
    const char *keys[COR_WORLD_PARAMETERS_MAX + 3] = {"agent", "do"}, *name;
    struct cor_json member;
    *setup = (struct system_layer__setup){0};
    COR_TRY(cor_json_expect_object(json, NULL, making->error));
    COR_TRY(cor_json_need(json, "do", &member, making->error));
    COR_TRY(cor_json_string(&member, &name, making->error));
    COR_TRY(system_layer__find_action(making->rig->declaration, &member, name, &setup->command.action,
                                      making->error));
    const struct cor_action *action = &making->rig->declaration->actions[setup->command.action];
    for (uint32_t p = 0; p < action->parameter_count; p++)
        keys[2 + p] = action->parameters[p].name;
    COR_TRY(cor_json_expect_object(json, keys, making->error));
    if (cor_json_find(json, "agent", &member)) {
        COR_TRY(cor_json_string(&member, &name, making->error));
        COR_TRY(cor_json_find_name(
            &member, COR_RECORD_NAMES(rig->actors, rig->actor_count, struct system_layer__actor, name), name,
            &setup->actor, making->error, "there is no test agent \"%s\"", name));
    }
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        COR_TRY(cor_json_need(json, action->parameters[p].name, &member, making->error));
        COR_TRY(read_argument(making, &member, &action->parameters[p], &setup->command.arguments[p]));
    }
    return COR_OK;
}

static enum cor_status read_setup(const struct making *making, const struct cor_json *test) {
    struct system_layer__rig *rig = making->rig;
    struct cor_json setup;
    if (!cor_json_find(test, "setup", &setup))
        return COR_OK;
    COR_TRY(cor_made(rig->setup = cor_calloc(cor_json_size(&setup), sizeof *rig->setup), making->error));
    COR_JSON_CHILDREN(item, &setup) {
        COR_TRY(read_command(making, &item, &rig->setup[rig->setup_count]));
        rig->setup_count++;
    }
    return COR_OK;
}

static enum cor_status read_script(const struct making *making) {
    struct system_layer__rig *rig = making->rig;
    const struct system_layer__script *script = rig->script;
    struct making reading = *making;
    if (!script)
        return COR_OK;
    reading.is_step = true;
    rig->steps = cor_calloc(script->count + 1, sizeof *rig->steps);
    rig->plays = cor_calloc(script->count + 1, sizeof *rig->plays);
    rig->happened = cor_calloc(script->count + 1, sizeof *rig->happened);
    COR_TRY(cor_made(rig->steps && rig->plays ? rig->happened : NULL, making->error));
    for (uint32_t s = 0; s < script->count; s++) {
        const struct cor_json command = cor_json_root(script->steps[s].command);
        COR_TRY(read_command(&reading, &command, &rig->steps[s]));
        rig->plays[s] = true;
    }
    return COR_OK;
}

/* ---- test agents */

/* What the arm says, if it says it: the last of `path`, and before it what it stands in. */
static bool find_of_arm(const struct making *making, const struct cor_json *root, const char *key,
                        struct cor_json path[3]) {
    if (!cor_json_find(root, "arms", &path[0]))
        return false;
    path[1] = cor_json_at(&path[0], making->rig->arm);
    return cor_json_find(&path[1], key, &path[2]) && !cor_json_is_null(&path[2]);
}

/* Goals, before beliefs are made of what they name. */
static enum cor_status read_actors(const struct making *making, const struct cor_json *root,
                                   const struct cor_json *test) {
    struct system_layer__rig *rig = making->rig;
    const struct system_layer__script *script = rig->script;
    struct cor_json goals, agents, member, of_arm[3];
    bool has_goals = cor_json_find(root, "goals", &goals);
    const bool has_arm = !script && find_of_arm(making, root, "goal", of_arm);
    if (script && script->goals) {
        goals = cor_json_root(script->goals);
        has_goals = true;
    }
    COR_TRY(cor_goals_create(rig->declaration, rig->vocabulary, has_goals ? &goals : NULL, &rig->goals,
                             making->error));
    if (!script)
        COR_TRY(cor_goals_check(rig->goals, making->error));
    COR_TRY(cor_json_need(test, "agents", &agents, making->error));
    COR_JSON_CHILDREN(item, &agents) {
        struct system_layer__actor *actor = &rig->actors[rig->actor_count++];
        *actor = (struct system_layer__actor){.budget = COR_BUDGET_INFINITE,
                                              .patience = SYSTEM_LAYER__PATIENCE,
                                              .type = COR_NONE,
                                              .hp = COR_NONE};
        COR_TRY(cor_json_need(&item, "name", &member, making->error));
        COR_TRY(cor_json_string(&member, &actor->name, making->error));
        COR_TRY(code_of(making, COR_SYSTEM_NAMES_AGENT, actor->name, &actor->code));
        COR_TRY(cor_words_intern(rig->declaration->words, actor->name, &actor->identity, making->error));
        actor->is_observer = !cor_json_find(&item, "goal", &member);
        actor->only_plays = script && (!script->actor || strcmp(script->actor, actor->name) != 0);
        if (script && !actor->only_plays && actor->is_observer)
            return cor_json_fail(&item, making->error, "give the goal to another", "only looks");
        const struct cor_json behind = script && script->goal ? cor_json_root(script->goal) : *root;
        if (script && !actor->only_plays)
            COR_TRY(cor_json_need(&behind, "goal", &member, making->error));
        if (!actor->is_observer && !actor->only_plays)
            COR_TRY(cor_goals_read(rig->goals, actor->name, has_arm ? &of_arm[2] : &member, &actor->root,
                                   making->error));
        int64_t limit;
        if (!has_arm && (!script || script->is_whole) && cor_json_find(&item, "budget", &member)) {
            COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &limit, making->error));
            actor->budget = (uint64_t)limit;
        }
        if (cor_json_find(&item, "patience", &member)) {
            COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &limit, making->error));
            actor->patience = (uint64_t)limit;
        }
    }
    return COR_OK;
}

/* The policy of the arm, or else of the test agent. */
static enum cor_status make_policies(const struct making *making, const struct cor_json *root,
                                     const struct cor_json *test) {
    struct system_layer__rig *rig = making->rig;
    struct cor_json agents, of_arm[3], of_agent;
    const struct cor_policy_setting setting = {making->experiment->traffic, making->experiment->is_free,
                                               making->experiment->is_full};
    const bool has_arm = find_of_arm(making, root, "policy", of_arm);
    COR_TRY(cor_json_need(test, "agents", &agents, making->error));
    for (uint32_t a = 0; a < rig->actor_count; a++) {
        const struct cor_json item = cor_json_at(&agents, a);
        const bool has_own = cor_json_find(&item, "policy", &of_agent);
        if (!rig->actors[a].is_observer && !rig->actors[a].only_plays && (has_arm || has_own))
            COR_TRY(cor_policy_create(rig->declaration, cor_world_vocabulary_scope(rig->vocabulary),
                                      has_arm ? &of_arm[2] : &of_agent, &setting, &rig->actors[a].policy,
                                      making->error));
    }
    return COR_OK;
}

/* Whether the entity of a test agent, which the world declares, has "hp". */
static void look_for_hp(const struct cor_world_declaration *declaration, struct system_layer__actor *actor) {
    for (uint32_t e = 0; e < declaration->entity_count; e++)
        if (declaration->entities[e].identity == actor->identity)
            actor->type = declaration->entities[e].type;
    if (actor->type == COR_NONE)
        return;
    const struct cor_entity_type *type = &declaration->types[actor->type];
    for (uint32_t p = 0; p < type->property_count; p++)
        if (strcmp(type->properties[p].name, "hp") == 0)
            actor->hp = p;
}

/* Can all be planned for that tactics ask a planner for? Says at their places what cannot. */
static enum cor_status check_plans(const struct making *making) {
    const struct system_layer__rig *rig = making->rig;
    const struct cor_goals *goals = rig->goals;
    for (uint32_t t = 0; t < goals->tactic_count; t++) {
        const struct system_layer__tactic *tactic = &goals->tactics[t];
        struct cor_error said = COR_NO_ERROR;
        if (tactic->kind != SYSTEM_LAYER__PLAN)
            continue;
        const char *place = cor_words_text(&goals->names, tactic->place);
        if (!rig->beside)
            return cor_fail(making->error, COR_STATUS_INPUT, place,
                            "name one: \"model\": \"FILE\", or say how without a plan",
                            "\"plan\" asks for a planner, and no model of the world is known");
        const enum cor_status status =
            system_layer__beside_check(rig->beside, &goals->conditions[tactic->wanted].expression, &said);
        if (status != COR_OK)
            return cor_fail(making->error, status, place, said.remedy, "%s", said.cause);
    }
    return COR_OK;
}

/* The model of the file, or else the world's own. */
static enum cor_status make_beside(const struct making *making, const struct cor_json *root) {
    struct system_layer__rig *rig = making->rig;
    const struct cor_system_experiment *experiment = making->experiment;
    const struct cor_efsm *model = experiment->model;
    struct cor_error said = COR_NO_ERROR;
    struct cor_json named;
    bool is_asked = system_layer__is_asked(rig->script, COR_JUDGE_MODEL, NULL);
    for (uint32_t t = 0; t < rig->goals->tactic_count; t++)
        is_asked = is_asked || rig->goals->tactics[t].kind == SYSTEM_LAYER__PLAN;
    if (!is_asked)
        return COR_OK;
    if (!model && rig->maker->model)
        model = rig->maker->model(experiment->world);
    const char *level_agent = NULL;
    if (!model)
        return check_plans(making);
    if (rig->model && cor_json_find(root, "model", &named))
        return cor_json_fail(&named, making->error, "leave one of them out",
                             "the world is judged by the protocol \"%s\" already", rig->model);
    rig->model = model->name;
    if (experiment->has_own_model && experiment->model) {
        /* A level's model is of one test agent, and tells what is so now. */
        const struct cor_system_entry *entry = &experiment->entries[rig->entry];
        const struct cor_system_test *test = &experiment->tests[entry->test];
        const struct system_layer__world_request request = {experiment, test->agents, test->agent_count,
                                                            entry};
        COR_TRY(cor_json_need(root, "model", &named, making->error));
        if (rig->actor_count > 1 || rig->actors[0].is_observer)
            return cor_json_fail(&named, making->error, "one test agent with a goal",
                                 "a level's model judges one test agent, and the test \"%s\" has %u%s",
                                 test->name, rig->actor_count,
                                 rig->actor_count == 1 ? ", which only looks" : "");
        const char *why = rig->maker->why_unjudged(experiment->world, &request);
        if (why)
            return cor_json_fail(&named, making->error, NULL, "%s", why);
        level_agent = rig->actors[0].name;
    }
    const enum cor_status status =
        system_layer__beside_create(model, rig->declaration, level_agent, &rig->beside, &said);
    if (status == COR_OK)
        return check_plans(making);
    COR_TRY(cor_json_need(root, cor_json_find(root, "model", &named) ? "model" : "system", &named,
                          making->error));
    return cor_json_repeat(&named, status, &said, making->error);
}

/* ---- codes of rows */

static enum cor_status number_names(const struct making *making) {
    struct system_layer__rig *rig = making->rig;
    const struct cor_world_declaration *declaration = rig->declaration;
    rig->action_codes = cor_calloc(declaration->action_count, sizeof *rig->action_codes);
    rig->type_codes = cor_calloc(declaration->type_count, sizeof *rig->type_codes);
    rig->agreement_codes = cor_calloc(declaration->type_count, sizeof *rig->agreement_codes);
    if (!rig->action_codes || !rig->type_codes || !rig->agreement_codes)
        return cor_fail_memory(making->error);
    if (rig->model)
        COR_TRY(code_of(making, COR_SYSTEM_NAMES_CHECK, rig->model, &rig->model_code));
    for (uint32_t a = 0; a < declaration->action_count; a++)
        COR_TRY(
            code_of(making, COR_SYSTEM_NAMES_ACTION, declaration->actions[a].name, &rig->action_codes[a]));
    for (uint32_t t = 0; t < declaration->type_count; t++) {
        COR_TRY(code_of(making, COR_SYSTEM_NAMES_TYPE, declaration->types[t].name, &rig->type_codes[t]));
        if (rig->actor_count > 1)
            COR_TRY(code_of(making, COR_SYSTEM_NAMES_CHECK, declaration->types[t].name,
                            &rig->agreement_codes[t]));
    }
    return COR_OK;
}

static enum cor_status number_condition(const struct making *making, uint32_t condition) {
    uint16_t code;
    if (condition == COR_NONE)
        return COR_OK;
    return code_of(making, COR_SYSTEM_NAMES_CHECK, making->rig->goals->conditions[condition].expression.text,
                   &code);
}

/* ---- the whole */

/* A world that has to declare itself does, and does not begin: what it runs may be slow to. */
static enum cor_status open_world(const struct making *making, const struct cor_json *test_json) {
    struct system_layer__rig *rig = making->rig;
    const struct cor_system_experiment *experiment = making->experiment;
    const struct cor_system_entry *entry = &experiment->entries[rig->entry];
    const struct cor_system_test *test = &experiment->tests[entry->test];
    const struct system_layer__world_request request = {experiment, test->agents, test->agent_count, entry};
    const struct cor_system_arm *arm = &experiment->arms[rig->arm];
    const struct system_layer__script *script = rig->script;
    const struct system_layer__world *world = arm->changed ? arm->changed : experiment->world;
    if (script && script->is_sound)
        world = script->gone ? script->sound : script->unchanged ? script->unchanged : experiment->world;
    else if (script && script->gone)
        world = script->smaller;
    enum cor_system_trouble trouble = (enum cor_system_trouble)0;
    struct cor_error said = COR_NO_ERROR;
    rig->maker = world->maker;
    if (world->maker->protocol)
        rig->model = world->maker->protocol(world);
    const enum cor_status status = world->maker->create(world, &request, &rig->world, &said);
    if (status != COR_OK && strncmp(said.place, experiment->head.path, strlen(experiment->head.path)) != 0)
        return cor_json_repeat(test_json, status, &said, making->error);
    if (status != COR_OK)
        return cor_fail(making->error, status, said.place, said.remedy, "%s", said.cause);
    if (!rig->world->declaration && rig->world->kind->declare)
        COR_TRY(rig->world->kind->declare(rig->world, &trouble, making->error));
    if (!rig->world->declaration) {
        const struct cor_json root = cor_json_root(experiment->document);
        struct cor_json system;
        COR_TRY(cor_json_need(&root, "system", &system, making->error));
        return cor_json_fail(
            &system, making->error, "see that it answers the first line as docs/look-up/system.md says",
            "the world %s before it declared itself%s%s", system_layer__trouble_words(trouble),
            rig->world->words[0] ? ": " : "", rig->world->words);
    }
    rig->declaration = rig->world->declaration;
    return COR_OK;
}

enum cor_status system_layer__rig_create(const struct cor_system_experiment *experiment, uint32_t arm,
                                         uint32_t entry, const struct system_layer__script *script,
                                         struct cor_words *names, struct system_layer__rig **made,
                                         struct cor_error *error) {
    COR_ASSERT(arm < experiment->head.arm_count && entry < experiment->entry_count);
    COR_DESTROYED(system_layer__rig) struct system_layer__rig *rig = cor_calloc(1, sizeof *rig);
    const struct making making = {rig, experiment, names, error, .is_step = false};
    const struct cor_json root = cor_json_root(experiment->document);
    struct cor_json tests;
    *made = NULL;
    COR_TRY(cor_made(rig, error));
    rig->experiment = experiment;
    rig->arm = arm;
    rig->entry = entry;
    rig->script = script;
    COR_TRY(cor_json_need(&root, "tests", &tests, error));
    const struct cor_json test = cor_json_at(&tests, experiment->entries[entry].test);
    COR_TRY(open_world(&making, &test));
    COR_TRY(cor_world_vocabulary_create(rig->declaration, &rig->vocabulary, error));
    COR_TRY(mention_entities(&making, &root));
    COR_TRY(define_parameters(&making, &root));
    COR_TRY(read_actors(&making, &root, &test));
    COR_TRY(script ? read_script(&making) : read_setup(&making, &test));
    COR_TRY(read_states(&making, &root));
    COR_TRY(read_invariants(&making, &root));
    COR_TRY(read_formulas(&making, &root));
    COR_TRY(make_policies(&making, &root, &test));
    COR_TRY(make_beside(&making, &root));
    const bool has_map = rig->declaration->columns > 0 || rig->declaration->has_paths;
    for (uint32_t a = 0; a < rig->actor_count; a++) {
        struct system_layer__actor *actor = &rig->actors[a];
        look_for_hp(rig->declaration, actor);
        COR_TRY(cor_beliefs_create(rig->vocabulary, &actor->beliefs, error));
        if (has_map && !actor->is_observer)
            COR_TRY(cor_travel_create(rig->declaration, actor->beliefs, actor->name, &actor->travel, error));
    }
    if (rig->actor_count > 1)
        COR_TRY(cor_beliefs_create(rig->vocabulary, &rig->joint, error));
    for (uint32_t a = 0; rig->beside && a < rig->actor_count; a++)
        if (!rig->actors[a].is_observer)
            COR_TRY(system_layer__adviser_create(rig->beside, rig->vocabulary, rig->actors[a].beliefs,
                                                 &rig->actors[a].adviser, error));
    COR_TRY(number_names(&making));
    /* Names of goals, and what they assert: rows find them by their texts. */
    const struct cor_goals *goals = rig->goals;
    uint16_t *codes = rig->goal_codes = cor_calloc(goals->goal_count, sizeof *codes);
    COR_TRY(cor_made(codes, error));
    for (uint32_t g = 0; g < goals->goal_count; g++) {
        COR_TRY(code_of(&making, COR_SYSTEM_NAMES_GOAL, system_layer__goal_name(goals, g), &codes[g]));
        COR_TRY(number_condition(&making, goals->goals[g].oracle));
        if (goals->goals[g].kind == SYSTEM_LAYER__ASSERT)
            COR_TRY(number_condition(&making, goals->goals[g].condition));
    }
    for (uint32_t t = 0; t < goals->tactic_count; t++)
        COR_TRY(number_condition(&making, goals->tactics[t].after));
    *made = cor_taken(&rig);
    return COR_OK;
}

void system_layer__rig_destroy(struct system_layer__rig *rig) {
    if (!rig)
        return;
    for (uint32_t a = 0; a < rig->actor_count; a++) {
        system_layer__adviser_destroy(rig->actors[a].adviser);
        cor_travel_destroy(rig->actors[a].travel);
        cor_beliefs_destroy(rig->actors[a].beliefs);
        cor_policy_destroy(rig->actors[a].policy);
    }
    system_layer__beside_destroy(rig->beside);
    system_layer__past_destroy(rig->past);
    cor_beliefs_destroy(rig->joint);
    for (uint32_t c = 0; c < rig->claim_count; c++) {
        cor_expression_fini(&rig->claims[c].expression);
        free(rig->claims[c].path);
    }
    COR_FREE(rig->claims, (void *)(uintptr_t)rig->claim_names);
    for (uint32_t i = 0; i < rig->invariant_count; i++)
        cor_expression_fini(&rig->invariants[i].expression);
    free(rig->invariants);
    for (uint32_t f = 0; f < rig->formula_count; f++) {
        cor_temporal_watch_destroy(rig->formulas[f].watch);
        cor_temporal_destroy(rig->formulas[f].temporal);
    }
    COR_FREE(rig->formulas, rig->setup, rig->steps, rig->plays, rig->happened, rig->replies,
             rig->action_codes, rig->type_codes, rig->agreement_codes, rig->goal_codes, rig->word_hashes);
    cor_goals_destroy(rig->goals);
    cor_world_vocabulary_destroy(rig->vocabulary);
    cor_live_world_close(rig->world);
    free(rig);
}
