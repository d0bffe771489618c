/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relevant states of a type as conditions over one or several environments: the first that holds is the one
 * that matters, so they need not exclude each other. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>

#define COMBINATIONS_MAX 65536

enum cor_status interaction__read_type_environments(const struct cor_test_model *model,
                                                    struct cor_agent_type *type, struct cor_error *error) {
    const char *names[COR_ENVIRONMENTS_MAX + 1] = {NULL};
    struct cor_json child;
    int index;
    type->environment = COR_NOBODY;
    if (!cor_json_find(&type->json, "environment", &child))
        return COR_OK;
    for (uint32_t i = 0; i < model->environment_count; i++)
        names[i] = model->environments[i].name;
    if (!cor_json_is_array(&child)) {
        COR_TRY(cor_json_one_of(&child, names, "environment", &index, error));
        type->environment = (uint32_t)index;
        return COR_OK;
    }
    COR_TRY(cor_json_expect_array(&child, 1, 1 + COR_TYPE_OTHERS_MAX, error));
    COR_JSON_CHILDREN(item, &child) {
        COR_TRY(cor_json_one_of(&item, names, "environment", &index, error));
        for (size_t before = 0; before < item.index; before++)
            if ((before == 0 ? type->environment : type->others[before - 1]) == (uint32_t)index)
                return cor_json_fail(&item, error, NULL, "\"%s\" is there twice", names[index]);
        if (item.index == 0)
            type->environment = (uint32_t)index;
        else
            type->others[type->other_count++] = (uint32_t)index;
    }
    return COR_OK;
}

bool interaction__has_conditions(const struct cor_agent_type *type) {
    struct cor_json relevant;
    if (type->other_count > 0)
        return true;
    if (!cor_json_find(&type->json, "relevant", &relevant) || cor_json_size(&relevant) == 0)
        return false;
    const struct cor_json first = cor_json_at(&relevant, 0);
    return cor_json_is_string(&first);
}

/* The environments that conditions are about, and all states that they can be in together. */
struct combinations {
    const struct cor_profile *profiles[1 + COR_TYPE_OTHERS_MAX];
    struct cor_symbol symbols[1 + COR_TYPE_OTHERS_MAX];
    struct cor_domain domains[1 + COR_TYPE_OTHERS_MAX];
    uint32_t *numbers[1 + COR_TYPE_OTHERS_MAX]; /* owned, each; [state] its word */
    struct cor_words words;
    struct cor_expression *conditions; /* owned; [relevant] */
    const char **names;                /* owned; [relevant] */
    uint8_t *relevant;                 /* owned; [combination] */
    uint32_t environments, condition_count, count;
};

static enum cor_status add_environment(struct combinations *c, const struct cor_environment *environment,
                                       const struct cor_json *json, struct cor_error *error) {
    const uint32_t e = c->environments++;
    if (environment->is_random)
        return cor_json_fail(json, error, "give it a profile whose states have names",
                             "is over \"%s\", whose profile is drawn, so its states have no names",
                             environment->name);
    const struct cor_profile *profile = c->profiles[e] = environment->profile;
    COR_TRY(cor_made(c->numbers[e] = cor_calloc(profile->state_count, sizeof **c->numbers), error));
    for (uint32_t s = 0; s < profile->state_count; s++)
        COR_TRY(cor_words_intern(&c->words, profile->states[s], &c->numbers[e][s], error));
    c->domains[e] = (struct cor_domain){.type = COR_VALUE_TYPE_ENUMERATION,
                                        .name = "states",
                                        .words = c->numbers[e],
                                        .word_count = profile->state_count};
    c->symbols[e] = (struct cor_symbol){environment->name, &c->domains[e]};
    c->count *= profile->state_count;
    if (c->count > COMBINATIONS_MAX)
        return cor_json_fail(json, error, "fewer environments, or fewer states",
                             "is over more than %d combinations of states", COMBINATIONS_MAX);
    return COR_OK;
}

static enum cor_status read_conditions(struct combinations *c, const struct cor_json *json,
                                       struct cor_error *error) {
    const struct cor_scope scope = {
        .symbols = c->symbols, .symbol_count = c->environments, .words = &c->words};
    COR_TRY(cor_json_expect_object(json, NULL, error));
    const size_t count = cor_json_size(json);
    if (count < 1 || count > COR_PROFILE_STATES_MAX)
        return cor_json_fail(json, error, "use 1 .. 64", "there are %zu relevant states", count);
    c->conditions = cor_calloc(count, sizeof *c->conditions);
    c->names = cor_calloc(count, sizeof *c->names);
    COR_TRY(cor_made(c->conditions, error));
    COR_TRY(cor_made(c->names, error));
    for (; c->condition_count < count; c->condition_count++) {
        const struct cor_json item = cor_json_at(json, c->condition_count);
        const char *text, *remedy;
        char place[512];
        if (cor_profile_check_name(item.key, &remedy) != COR_OK)
            return cor_json_fail(&item, error, remedy, "a state cannot be called \"%.80s\"", item.key);
        if (!cor_json_is_string(&item))
            return cor_json_fail(&item, error, "weather = 'rain' and price != 'low'",
                                 "is no condition over states of environments");
        COR_TRY(cor_json_string(&item, &text, error));
        cor_json_place(&item, place, sizeof place);
        COR_TRY(
            cor_expression_parse_condition(text, &scope, place, &c->conditions[c->condition_count], error));
        c->names[c->condition_count] = item.key;
    }
    return COR_OK;
}

enum cor_status interaction__read_relevant(const struct cor_test_model *model, struct cor_agent_type *type,
                                           struct cor_error *error) {
    struct combinations *c = cor_calloc(1, sizeof *c);
    struct cor_json json;
    COR_TRY(cor_made(c, error));
    enum cor_status status = COR_OK;
    c->count = 1;
    cor_words_init(&c->words);
    COR_TRY_OUT(cor_json_need(&type->json, "relevant", &json, error));
    COR_TRY_OUT(add_environment(c, &model->environments[type->environment], &json, error));
    for (uint32_t o = 0; o < type->other_count; o++)
        COR_TRY_OUT(add_environment(c, &model->environments[type->others[o]], &json, error));
    COR_TRY_OUT(read_conditions(c, &json, error));
    /* Which condition holds first, of each combination. */
    COR_TRY_OUT(cor_made(c->relevant = cor_calloc(c->count, sizeof *c->relevant), error));
    for (uint32_t combination = 0; combination < c->count; combination++) {
        struct cor_value values[1 + COR_TYPE_OTHERS_MAX];
        uint32_t rest = combination, first = 0;
        for (uint32_t i = 0; i < c->environments; i++) {
            values[i] = cor_word(c->numbers[i][rest % c->profiles[i]->state_count]);
            rest /= c->profiles[i]->state_count;
        }
        while (first < c->condition_count && !cor_expression_judge(&c->conditions[first], values))
            first++;
        if (first == c->condition_count) {
            char text[400]; /* "weather is 'rain', price is 'low'" */
            size_t used = 0;
            uint32_t number = combination;
            for (uint32_t e = 0; e < c->environments && used < sizeof text; e++) {
                const uint32_t states = c->profiles[e]->state_count;
                const int more =
                    snprintf(text + used, sizeof text - used, "%s%s is '%.60s'", e > 0 ? ", " : "",
                             c->symbols[e].name, c->profiles[e]->states[number % states]);
                used += more > 0 ? (size_t)more : 0;
                number /= states;
            }
            COR_TRY_OUT(cor_json_fail(&json, error, "a last one for all others: \"true\"",
                                      "no condition holds where %s", text));
        }
        c->relevant[combination] = (uint8_t)first;
    }
    const struct cor_relevant given = {c->names, c->condition_count, c->count, c->relevant};
    status = cor_influence_of_relevant(&type->json, &given, &type->fixed, error);
out:
    for (uint32_t e = 0; e < c->environments; e++)
        free(c->numbers[e]);
    for (uint32_t r = 0; c->conditions && r < c->condition_count; r++)
        cor_expression_fini(&c->conditions[r]);
    cor_words_fini(&c->words);
    COR_FREE(c->conditions, c->names, c->relevant, c);
    return status;
}
