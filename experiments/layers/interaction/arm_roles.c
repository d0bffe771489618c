/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roles of an arm: which quantities of the model follow which of its parameters. */
#include "internal.h"

#include <corridor/array.h>

#include <string.h>

/* A quantity over the arm's parameters. That reals cannot be used is said of a text that is just the name of
 * one; within an expression they are unknown. */
static enum cor_status read_quantity(const struct cor_json *json, const struct cor_arm *arm, int64_t low,
                                     int64_t high, struct cor_derived_quantity *quantity,
                                     struct cor_error *error) {
    const char *text;
    if (cor_json_is_string(json) && cor_json_string(json, &text, error) == COR_OK) {
        int index = cor_parameter_laws_find(arm->laws, text);
        if (index >= 0 && !cor_parameter_laws_is_integer(arm->laws, (uint32_t)index))
            return cor_json_fail(json, error, "give the parameter integer bounds",
                                 "\"%s\" is a real parameter, expected an integer one", text);
    }
    return cor_derived_quantity_read(json, cor_parameter_laws_names(arm->laws), low, high, quantity, error);
}

struct role {
    const char *key;
    struct cor_derived_quantity *quantity;
    int64_t low, high, given;
};

/* Refuses a least above a most where both are given as numbers; what is drawn is checked when it is drawn. */
static enum cor_status refuse_crossed(const struct cor_json *json, const struct role *least,
                                      const struct role *most, struct cor_error *error) {
    if (least->quantity->expression.text || most->quantity->expression.text ||
        least->quantity->given <= most->quantity->given)
        return COR_OK;
    return cor_json_fail(json, error, "write the smaller bound first", "%s is %lld, but %s is %lld",
                         least->key, (long long)least->quantity->given, most->key,
                         (long long)most->quantity->given);
}

static enum cor_status read_structure(const struct cor_test_model *model, struct cor_arm *arm,
                                      struct cor_error *error) {
    static const char *const keys[] = {"kind",      "size_min", "size_max", "count_min",
                                       "count_max", "start",    NULL};
    struct cor_roles *r = &arm->roles;
    const struct role roles[] = {
        {"size_min", &r->size_min, 1, UINT32_MAX, 1},
        {"size_max", &r->size_max, 1, UINT32_MAX, UINT32_MAX},
        {"count_min", &r->count_min, 1, UINT32_MAX, 1},
        {"count_max", &r->count_max, 1, UINT32_MAX, UINT32_MAX},
    };
    struct cor_json json;
    if (cor_json_find(&model->root, "structure", &json))
        COR_TRY(cor_json_expect_object(&json, keys, error));
    else
        json = (struct cor_json){.document = model->root.document, .parent = &model->root, .value = NULL};
    for (size_t i = 0; i < 4; i++) {
        struct cor_json child;
        roles[i].quantity->given = roles[i].given;
        if (!cor_json_find(&json, roles[i].key, &child))
            continue;
        COR_TRY(read_quantity(&child, arm, roles[i].low, roles[i].high, roles[i].quantity, error));
    }
    COR_TRY(refuse_crossed(&json, &roles[0], &roles[1], error));
    return refuse_crossed(&json, &roles[2], &roles[3], error);
}

/* "groups": {"law": "by_size"}, or {"count": quantity, "size": [quantity, quantity]}, one of both at least.
 */
static enum cor_status read_groups(const struct cor_test_model *model, struct cor_arm *arm,
                                   struct cor_error *error) {
    static const char *const keys[] = {"law", "count", "size", NULL};
    static const char remedy[] =
        "\"law\": \"by_size\", or \"count\": a number or expression, \"size\": [low, high], or both of these";
    struct cor_roles *r = &arm->roles;
    struct cor_json json, count, size, law;
    r->groups_by_size = true;
    if (!cor_json_find(&model->root, "groups", &json))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&json, keys, error));
    const bool counted = cor_json_find(&json, "count", &count), sized = cor_json_find(&json, "size", &size),
               by_law = cor_json_find(&json, "law", &law);
    if ((counted || sized) == by_law)
        return cor_json_fail(&json, error, remedy, "has %s",
                             by_law ? "both a law and a count or size"
                                    : "neither a law nor a count nor a size");
    if (by_law) {
        const char *word;
        COR_TRY(cor_json_string(&law, &word, error));
        return strcmp(word, "by_size") == 0
                   ? COR_OK
                   : cor_json_fail(&law, error, "\"by_size\", or give \"count\" instead",
                                   "unknown law \"%s\"", word);
    }
    r->groups_by_size = false;
    if (counted)
        COR_TRY(read_quantity(&count, arm, 1, UINT32_MAX, &r->groups, error));
    r->groups_have_sizes = sized;
    if (!sized)
        return COR_OK;
    COR_TRY(cor_json_expect_array(&size, 2, 2, error));
    const struct cor_json low = cor_json_at(&size, 0), high = cor_json_at(&size, 1);
    const struct role least = {"the least size", &r->group_size_min, 1, UINT32_MAX, 1},
                      most = {"the largest size", &r->group_size_max, 1, UINT32_MAX, 1};
    COR_TRY(read_quantity(&low, arm, 1, UINT32_MAX, &r->group_size_min, error));
    COR_TRY(read_quantity(&high, arm, 1, UINT32_MAX, &r->group_size_max, error));
    COR_TRY(refuse_crossed(&size, &least, &most, error));
    if (arm->type_counts && !model->mixed_groups)
        return cor_json_fail(
            &size, error, "\"mixed_groups\": true, or groups by \"count\"",
            "says how large groups are of one type each, of which it is said how many agents "
            "there are");
    return COR_OK;
}

/* "locations": "per_group", or a quantity. */
static enum cor_status read_locations(const struct cor_test_model *model, struct cor_arm *arm,
                                      struct cor_error *error) {
    static const char *const words[] = {"per_group", NULL};
    struct cor_json json;
    const char *word;
    arm->roles.location_per_group = true;
    if (!cor_json_find(&model->root, "locations", &json))
        return COR_OK;
    if (cor_json_is_string(&json)) {
        COR_TRY(cor_json_string(&json, &word, error));
        if (strcmp(word, words[0]) == 0)
            return COR_OK;
        if (cor_did_you_mean(word, words) && cor_parameter_laws_find(arm->laws, word) < 0)
            return cor_json_fail(&json, error, "did you mean \"per_group\"?", "there is no parameter \"%s\"",
                                 word);
    }
    arm->roles.location_per_group = false;
    return read_quantity(&json, arm, 1, UINT32_MAX, &arm->roles.locations, error);
}

/* "idle_ratio": a number, or the name of a real parameter. */
static enum cor_status read_idle_ratio(const struct cor_test_model *model, struct cor_arm *arm,
                                       struct cor_error *error) {
    struct cor_json json;
    arm->roles.idle_parameter = -1;
    if (!cor_json_find(&model->root, "idle_ratio", &json))
        return COR_OK;
    if (!cor_json_is_string(&json))
        return cor_json_real(&json, 0, 1, &arm->roles.idle_ratio, error);
    const char *name;
    double low = 0, high = 0;
    COR_TRY(cor_json_string(&json, &name, error));
    int index = arm->roles.idle_parameter = cor_parameter_laws_find(arm->laws, name);
    if (index >= 0)
        cor_parameter_laws_range(arm->laws, (uint32_t)index, &low, &high);
    if (index < 0 || cor_parameter_laws_is_integer(arm->laws, (uint32_t)index) || low < 0 || high > 1)
        return cor_json_fail(&json, error, "a number from 0 to 1, or the name of a real parameter within it",
                             "\"%s\" is no such parameter", name);
    return COR_OK;
}

enum cor_status interaction__arm_read_roles(const struct cor_test_model *model, struct cor_arm *arm,
                                            struct cor_error *error) {
    struct cor_json json;
    arm->roles.kind = model->kind;
    COR_TRY(cor_json_need(&model->root, "agents", &json, error));
    COR_TRY(read_quantity(&json, arm, 1, COR_AGENTS_MAX, &arm->roles.agents, error));
    COR_TRY(read_structure(model, arm, error));
    COR_TRY(read_groups(model, arm, error));
    COR_TRY(read_locations(model, arm, error));
    COR_TRY(read_idle_ratio(model, arm, error));
    arm->roles.budget_parameter = (uint32_t)cor_parameter_laws_find(arm->laws, "budget");
    /* "random": {"states": quantity, "degree_min": share, "power": n, "ring": mass}; only "states" may be a
     * parameter. */
    arm->roles.random_states = cor_calloc(model->environment_count, sizeof *arm->roles.random_states);
    COR_TRY(cor_made(arm->roles.random_states, error));
    for (uint32_t e = 0; e < model->environment_count; e++) {
        struct cor_json child;
        if (!model->environments[e].is_random)
            continue;
        COR_TRY(cor_json_need(&model->environments[e].law, "states", &child, error));
        COR_TRY(read_quantity(&child, arm, 2, COR_PROFILE_STATES_MAX, &arm->roles.random_states[e], error));
    }
    return COR_OK;
}
