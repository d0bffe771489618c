/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shrinker.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const role_keys[COR_ROLE_COUNT + 1] = {"agents",    "size_min", "size_max",  "count_min",
                                                          "count_max", "groups",   "locations", NULL};

struct reading {
    struct sequence__bounds *bounds;
    const struct cor_parameter_laws *names;
    const char **known; /* owned array; names for expressions */
};

/* A number or a text, over the parameters. */
static enum cor_status read_expression(const struct reading *r, const struct cor_json *json, bool constraint,
                                       struct cor_expression *expression, struct cor_error *error) {
    char place[256], number[32];
    const char *text = number;
    int64_t value;
    cor_json_place(json, place, sizeof place);
    if (cor_json_is_integer(json)) {
        COR_TRY(cor_json_integer(json, INT64_MIN / 2, INT64_MAX / 2, &value, error));
        snprintf(number, sizeof number, "%lld", (long long)value);
    } else {
        COR_TRY(cor_json_string(json, &text, error));
    }
    return cor_expression_parse(text, r->known, constraint, place, expression, error);
}

static enum cor_status find_name(const struct reading *r, const struct cor_json *json, const char *name,
                                 uint32_t *index, struct cor_error *error) {
    const int found = cor_parameter_laws_find(r->names, name);
    *index = (uint32_t)found;
    return found >= 0 ? COR_OK
                      : cor_json_fail(json, error, "name one of \"parameters\"",
                                      "there is no parameter \"%s\"", name);
}

static enum cor_status read_sum(struct reading *r, const struct cor_json *json, struct cor_sum *sum,
                                struct cor_error *error) {
    static const char *const keys[] = {"of", "sum", NULL};
    struct cor_json child;
    COR_TRY(cor_json_expect_object(json, keys, error));
    COR_TRY(cor_json_need(json, "sum", &child, error));
    COR_TRY(cor_json_real(&child, 0, 1e15, &sum->total, error));
    COR_TRY(cor_json_need(json, "of", &child, error));
    COR_TRY(cor_json_expect_array(&child, 1, COR_SUM_MAX, error));
    sum->count = (uint32_t)cor_json_size(&child);
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct cor_json item = cor_json_at(&child, i);
        const char *name;
        COR_TRY(cor_json_string(&item, &name, error));
        COR_TRY(find_name(r, &item, name, &sum->member[i], error));
        r->bounds->parameters[sum->member[i]].sum = (int)(sum - r->bounds->sums);
    }
    return COR_OK;
}

static enum cor_status read_role(struct reading *r, const struct cor_json *json, struct cor_role_bound *role,
                                 struct cor_error *error) {
    role->given = true;
    COR_TRY(read_expression(r, json, false, &role->formula, error));
    if (role->formula.node_count == 1 && role->formula.nodes[0].operator== COR_OPERATOR_VARIABLE)
        role->parameter = (int)role->formula.nodes[0].variable;
    return COR_OK;
}

/* What the model says of agents of a type and of sizes of groups, if it says something. */
static enum cor_status read_population(struct reading *r, const struct cor_json *json,
                                       struct cor_error *error) {
    struct sequence__bounds *b = r->bounds;
    struct cor_json child;
    if (cor_json_find(json, "group_sizes", &child)) {
        COR_TRY(cor_json_expect_array(&child, 2, 2, error));
        COR_JSON_CHILDREN(item, &child)
            COR_TRY(read_role(r, &item, &b->group_sizes[item.index], error));
    }
    if (!cor_json_find(json, "type_counts", &child))
        return COR_OK;
    COR_TRY(cor_json_expect_array(&child, b->type_count, b->type_count, error));
    b->type_counts = cor_calloc(b->type_count, sizeof *b->type_counts);
    COR_TRY(cor_made(b->type_counts, error));
    COR_JSON_CHILDREN(item, &child) {
        b->type_counts[item.index].parameter = -1;
        if (!cor_json_is_null(&item))
            COR_TRY(read_role(r, &item, &b->type_counts[item.index], error));
    }
    return COR_OK;
}

static enum cor_status read_model(struct reading *r, const struct cor_json *json, struct cor_error *error) {
    struct cor_json child;
    const char *name;
    uint32_t index;
    COR_TRY(cor_json_need(json, "idle", &child, error));
    if (!cor_json_is_null(&child)) {
        COR_TRY(cor_json_string(&child, &name, error));
        COR_TRY(find_name(r, &child, name, &index, error));
        r->bounds->idle = (int)index;
    }
    COR_TRY(cor_json_need(json, "inertia", &child, error));
    COR_TRY(cor_json_range(&child, 0, 1, &r->bounds->inertia_low, &r->bounds->inertia_high, error));
    COR_TRY(cor_json_need(json, "levels", &child, error));
    struct sequence__bounds *b = r->bounds;
    COR_TRY(cor_json_expect_array(&child, b->type_count, b->type_count, error));
    COR_JSON_CHILDREN(item, &child) {
        b->level_low[item.index] = b->level_high[item.index] = NAN;
        if (!cor_json_is_null(&item))
            COR_TRY(
                cor_json_range(&item, 0, 1, &b->level_low[item.index], &b->level_high[item.index], error));
    }
    COR_TRY(cor_json_need(json, "mixed_groups", &child, error));
    return cor_json_bool(&child, &r->bounds->mixed_groups, error);
}

static enum cor_status read_all(struct reading *r, const struct cor_json *json, struct cor_error *error) {
    static const char *const keys[] = {"parameters",  "sums",         "constraints", "roles",
                                       "group_sizes", "type_counts",  "idle",        "inertia",
                                       "levels",      "mixed_groups", NULL};
    struct cor_json child;
    COR_TRY(cor_json_expect_object(json, keys, error));
    COR_TRY(cor_json_need(json, "parameters", &child, error));
    COR_TRY(cor_json_expect_object(&child, NULL, error));
    COR_JSON_CHILDREN(item, &child) {
        uint32_t index;
        COR_TRY(find_name(r, &item, item.key, &index, error));
        struct cor_bound *b = &r->bounds->parameters[index];
        r->bounds->order[r->bounds->order_count++] = index;
        if (!cor_json_is_array(&item)) {
            b->kind = COR_BOUND_FOLLOWS;
            COR_TRY(read_expression(r, &item, false, &b->low, error));
        } else {
            COR_TRY(cor_json_expect_array(&item, 2, 2, error));
            const struct cor_json low = cor_json_at(&item, 0), high = cor_json_at(&item, 1);
            if (cor_json_is_number(&low) && !cor_json_is_integer(&low)) {
                b->kind = COR_BOUND_REAL;
                COR_TRY(cor_json_range(&item, -1e15, 1e15, &b->real_low, &b->real_high, error));
            } else {
                b->kind = COR_BOUND_RANGE;
                COR_TRY(read_expression(r, &low, false, &b->low, error));
                COR_TRY(read_expression(r, &high, false, &b->high, error));
            }
        }
    }
    COR_TRY(cor_json_need(json, "sums", &child, error));
    COR_TRY(cor_json_expect_array(&child, 0, 10000, error));
    r->bounds->sums = cor_calloc(cor_json_size(&child), sizeof *r->bounds->sums);
    COR_TRY(cor_made(r->bounds->sums, error));
    for (; r->bounds->sum_count < cor_json_size(&child); r->bounds->sum_count++) {
        const struct cor_json item = cor_json_at(&child, r->bounds->sum_count);
        COR_TRY(read_sum(r, &item, &r->bounds->sums[r->bounds->sum_count], error));
    }
    COR_TRY(cor_json_need(json, "constraints", &child, error));
    struct sequence__bounds *b = r->bounds;
    COR_TRY(cor_json_expect_array(&child, 0, 10000, error));
    b->constraints = cor_calloc(cor_json_size(&child), sizeof *b->constraints);
    COR_TRY(cor_made(b->constraints, error));
    for (; b->constraint_count < cor_json_size(&child); b->constraint_count++) {
        const struct cor_json item = cor_json_at(&child, b->constraint_count);
        COR_TRY(read_expression(r, &item, true, &b->constraints[b->constraint_count], error));
    }
    COR_TRY(cor_json_need(json, "roles", &child, error));
    COR_TRY(cor_json_expect_object(&child, role_keys, error));
    for (int i = 0; i < COR_ROLE_COUNT; i++) {
        struct cor_json said;
        struct cor_role_bound *role = &r->bounds->roles[i];
        role->parameter = -1;
        if (cor_json_find(&child, role_keys[i], &said))
            COR_TRY(read_role(r, &said, role, error));
    }
    COR_TRY(read_population(r, json, error));
    return read_model(r, json, error);
}

enum cor_status sequence__bounds_read(const struct cor_json *json, const struct cor_test *test,
                                      struct sequence__bounds **bounds, struct cor_error *error) {
    struct reading r = {.bounds = cor_calloc(1, sizeof *r.bounds)};
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(r.bounds, error));
    struct sequence__bounds *b = r.bounds;
    r.names = test->arm.laws;
    b->parameter_count = cor_parameter_laws_size(r.names);
    b->type_count = test->suite->configuration->type_count;
    b->idle = -1;
    b->partitions_max = test->suite->configuration->initial_partitions;
    b->sizes = cor_calloc(b->partitions_max, sizeof *b->sizes);
    b->parameters = cor_calloc(b->parameter_count, sizeof *b->parameters);
    b->order = cor_calloc(b->parameter_count, sizeof *b->order);
    b->values = cor_calloc(b->parameter_count, sizeof *b->values);
    b->level_low = cor_calloc(b->type_count, sizeof *b->level_low);
    b->level_high = cor_calloc(b->type_count, sizeof *b->level_high);
    r.known = cor_calloc((size_t)b->parameter_count + 1, sizeof *r.known);
    if (!b->parameters || !b->order || !b->values || !b->sizes || !b->level_low || !b->level_high || !r.known)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < b->parameter_count; i++) {
        b->parameters[i].sum = -1;
        r.known[i] = cor_parameter_laws_is_integer(r.names, i) ? cor_parameter_laws_name(r.names, i) : "";
    }
    COR_TRY_OUT(read_all(&r, json, error));
out:
    free(r.known);
    if (status != COR_OK) {
        sequence__bounds_destroy(r.bounds);
        r.bounds = NULL;
    }
    *bounds = r.bounds;
    return status;
}

enum cor_status sequence__bounds_parse(const char *text, const struct cor_test *test,
                                       struct sequence__bounds **bounds, struct cor_error *error) {
    struct cor_json_document *document;
    COR_TRY(cor_json_parse(text, "bounds", &document, error));
    const struct cor_json root = cor_json_root(document);
    const enum cor_status status = sequence__bounds_read(&root, test, bounds, error);
    cor_json_destroy(document);
    return status;
}

void sequence__bounds_destroy(struct sequence__bounds *b) {
    if (!b)
        return;
    for (uint32_t i = 0; b->parameters && i < b->parameter_count; i++) {
        cor_expression_fini(&b->parameters[i].low);
        cor_expression_fini(&b->parameters[i].high);
    }
    for (uint32_t i = 0; i < b->constraint_count; i++)
        cor_expression_fini(&b->constraints[i]);
    for (int i = 0; i < COR_ROLE_COUNT; i++)
        cor_expression_fini(&b->roles[i].formula);
    for (uint32_t t = 0; b->type_counts && t < b->type_count; t++)
        cor_expression_fini(&b->type_counts[t].formula);
    for (int i = 0; i < 2; i++)
        cor_expression_fini(&b->group_sizes[i].formula);
    free(b->type_counts);
    free(b->parameters);
    free(b->order);
    free(b->sums);
    free(b->constraints);
    free(b->level_low);
    free(b->level_high);
    free(b->values);
    free(b->sizes);
    free(b);
}

/* The integers of the test, for expressions. */
static void take_values(const struct sequence__bounds *b, const struct cor_test *test) {
    for (uint32_t i = 0; i < b->parameter_count; i++)
        b->values[i] = (int64_t)test->suite->parameters[i];
}

static void put_parameter_value(const struct sequence__bounds *b, struct cor_test *test, uint32_t parameter,
                                int64_t value) {
    b->values[parameter] = value;
    test->suite->parameters[parameter] = (double)value;
}

static void follow_one(const struct sequence__bounds *b, struct cor_test *test, uint32_t i) {
    const struct cor_bound *bound = &b->parameters[i];
    int64_t low, high;
    if (bound->kind == COR_BOUND_FOLLOWS && cor_expression_value(&bound->low, b->values, &low))
        put_parameter_value(b, test, i, low);
    if (bound->kind != COR_BOUND_RANGE || !cor_expression_value(&bound->low, b->values, &low) ||
        !cor_expression_value(&bound->high, b->values, &high) || low > high)
        return;
    if (b->values[i] < low || b->values[i] > high)
        put_parameter_value(b, test, i, b->values[i] < low ? low : high);
}

static void give_role(const struct sequence__bounds *b, enum cor_role role, uint32_t least,
                      uint32_t *number) {
    int64_t value;
    if (b->roles[role].given && cor_expression_value(&b->roles[role].formula, b->values, &value) &&
        value >= least && value <= UINT32_MAX)
        *number = (uint32_t)value;
}

void sequence__bounds_follow(const struct sequence__bounds *b, struct cor_test *test) {
    struct cor_suite *suite = test->suite;
    struct cor_limits *limits = &suite->configuration->limits;
    take_values(b, test);
    for (uint32_t i = 0; i < b->order_count; i++)
        follow_one(b, test, b->order[i]);
    give_role(b, COR_ROLE_SIZE_MIN, 1, &limits->size_min);
    give_role(b, COR_ROLE_SIZE_MAX, limits->size_min, &limits->size_max);
    give_role(b, COR_ROLE_COUNT_MIN, 1, &limits->count_min);
    give_role(b, COR_ROLE_COUNT_MAX, limits->count_min, &limits->count_max);
    if (b->idle >= 0)
        suite->configuration->idle_ratio = suite->parameters[b->idle];
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(test->arm.algorithm); i++)
        if (test->arm.algorithm_parameters[i] >= 0)
            suite->algorithm_parameters[i] = suite->parameters[test->arm.algorithm_parameters[i]];
    const int64_t budget = b->values[test->arm.roles.budget_parameter];
    if (budget >= 1)
        suite->budget = (uint64_t)budget;
}

static uint32_t agents_of(const struct cor_configuration *c, uint32_t type) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->agent_count; i++)
        count += c->type[i] == type;
    return count;
}

void sequence__bounds_count(const struct sequence__bounds *b, struct cor_test *test) {
    const struct cor_configuration *c = test->suite->configuration;
    for (uint32_t t = 0; b->type_counts && t < b->type_count; t++)
        if (b->type_counts[t].parameter >= 0)
            test->suite->parameters[b->type_counts[t].parameter] = agents_of(c, t);
    if (b->roles[COR_ROLE_AGENTS].parameter >= 0)
        test->suite->parameters[b->roles[COR_ROLE_AGENTS].parameter] = c->agent_count;
    if (b->roles[COR_ROLE_GROUPS].parameter >= 0)
        test->suite->parameters[b->roles[COR_ROLE_GROUPS].parameter] = c->group_count;
}

struct sizes {
    uint32_t least, most;
};

static struct sizes partition_sizes(const struct sequence__bounds *b, const struct cor_configuration *c) {
    struct sizes sizes = {c->agent_count, 0};
    COR_ASSERT(c->initial_partitions <= b->partitions_max);
    memset(b->sizes, 0, c->initial_partitions * sizeof *b->sizes);
    const bool has_labels = c->kind == COR_STRUCTURE_PARTITIONING;
    for (uint32_t i = 0; has_labels && i < c->agent_count; i++)
        b->sizes[c->initial_partition[i]]++;
    for (uint32_t o = 0; !has_labels && o < c->initial_partitions; o++)
        b->sizes[o] = cor_lists_size(&c->initial_organizations, o);
    for (uint32_t p = 0; p < c->initial_partitions; p++) {
        sizes.least = b->sizes[p] < sizes.least ? b->sizes[p] : sizes.least;
        sizes.most = b->sizes[p] > sizes.most ? b->sizes[p] : sizes.most;
    }
    return sizes;
}

static void relax_role(const struct sequence__bounds *b, struct cor_test *test, enum cor_role role, bool down,
                       uint32_t number) {
    const int parameter = b->roles[role].parameter;
    if (parameter < 0)
        return;
    double *value = &test->suite->parameters[parameter];
    if (down ? number < *value : number > *value)
        *value = number;
}

void sequence__bounds_relax(const struct sequence__bounds *b, struct cor_test *test) {
    const struct cor_configuration *c = test->suite->configuration;
    const struct sizes sizes = partition_sizes(b, c);
    relax_role(b, test, COR_ROLE_SIZE_MIN, true, sizes.least);
    relax_role(b, test, COR_ROLE_SIZE_MAX, false, sizes.most);
    relax_role(b, test, COR_ROLE_COUNT_MIN, true, c->initial_partitions);
    relax_role(b, test, COR_ROLE_COUNT_MAX, false, c->initial_partitions);
    sequence__bounds_follow(b, test);
}

bool sequence__bounds_range(const struct sequence__bounds *b, const struct cor_test *test, uint32_t parameter,
                            int64_t *low, int64_t *high) {
    const struct cor_bound *bound = &b->parameters[parameter];
    take_values(b, test);
    return bound->kind == COR_BOUND_RANGE && cor_expression_value(&bound->low, b->values, low) &&
           cor_expression_value(&bound->high, b->values, high);
}

static bool parameter_kept(const struct sequence__bounds *b, const struct cor_test *test, uint32_t i) {
    const struct cor_bound *bound = &b->parameters[i];
    const double value = test->suite->parameters[i];
    int64_t low, high;
    switch (bound->kind) {
    case COR_BOUND_NONE:
        return true;
    case COR_BOUND_RANGE:
        return cor_expression_value(&bound->low, b->values, &low) &&
               cor_expression_value(&bound->high, b->values, &high) && b->values[i] >= low &&
               b->values[i] <= high;
    case COR_BOUND_FOLLOWS:
        return cor_expression_value(&bound->low, b->values, &low) && low == b->values[i];
    case COR_BOUND_REAL:
        return value >= bound->real_low && value <= bound->real_high;
    }
    COR_ASSERT(false && "a kind of bound");
}

static bool role_kept(const struct sequence__bounds *b, const struct cor_test *test, enum cor_role role) {
    const struct cor_configuration *c = test->suite->configuration;
    uint32_t location = 0;
    int64_t value;
    for (uint32_t i = 0; role == COR_ROLE_LOCATIONS && i < c->chain_count; i++)
        if (!cor_configuration_is_presence(c, i))
            location = c->location_of_chain[i] > location ? c->location_of_chain[i] : location;
    const uint32_t numbers[COR_ROLE_COUNT] = {c->agent_count,      c->limits.size_min,  c->limits.size_max,
                                              c->limits.count_min, c->limits.count_max, c->group_count};
    if (!b->roles[role].given)
        return true;
    if (!cor_expression_value(&b->roles[role].formula, b->values, &value))
        return false;
    return role == COR_ROLE_LOCATIONS ? value > (int64_t)location : value == numbers[role];
}

static bool group_sizes_kept(const struct sequence__bounds *b, const struct cor_configuration *c) {
    int64_t low, high;
    bool kept = true;
    if (!b->group_sizes[0].given)
        return true;
    if (!cor_expression_value(&b->group_sizes[0].formula, b->values, &low) ||
        !cor_expression_value(&b->group_sizes[1].formula, b->values, &high))
        return false;
    for (uint32_t g = 0; g < c->group_count; g++) {
        const int64_t size = c->group_start[g + 1] - c->group_start[g];
        kept = kept && size >= low && size <= high;
    }
    return kept;
}

uint32_t sequence__bounds_lines(const struct sequence__bounds *b) {
    return b->parameter_count + b->sum_count + b->constraint_count + COR_ROLE_COUNT + b->type_count + 2;
}

void sequence__bounds_judge(const struct sequence__bounds *b, const struct cor_test *test, bool *kept) {
    take_values(b, test);
    for (uint32_t i = 0; i < b->parameter_count; i++)
        *kept++ = parameter_kept(b, test, i);
    for (uint32_t i = 0; i < b->sum_count; i++) {
        const struct cor_sum *sum = &b->sums[i];
        double total = 0;
        for (uint32_t j = 0; j < sum->count; j++)
            total += test->suite->parameters[sum->member[j]];
        *kept++ = fabs(total - sum->total) <= 1e-9 * (1 + sum->total);
    }
    for (uint32_t i = 0; i < b->constraint_count; i++)
        *kept++ = cor_expression_holds(&b->constraints[i], b->values);
    for (int i = 0; i < COR_ROLE_COUNT; i++)
        *kept++ = role_kept(b, test, (enum cor_role)i);
    const struct cor_configuration *c = test->suite->configuration;
    int64_t value;
    for (uint32_t t = 0; t < b->type_count; t++)
        *kept++ =
            !b->type_counts || !b->type_counts[t].given ||
            (cor_expression_value(&b->type_counts[t].formula, b->values, &value) && value == agents_of(c, t));
    *kept++ = group_sizes_kept(b, c);
    const struct sizes sizes = partition_sizes(b, c);
    *kept = sizes.least >= c->limits.size_min && sizes.most <= c->limits.size_max &&
            c->initial_partitions >= c->limits.count_min && c->initial_partitions <= c->limits.count_max;
}
