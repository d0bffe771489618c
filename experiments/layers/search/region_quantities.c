/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/region_quantities.h>

#include <stdlib.h>
#include <string.h>

struct listing {
    const struct cor_arm *arm;
    struct cor_region_quantities *to;
    struct cor_error *error;
};

static bool is_listed(const struct cor_region_quantities *quantities, const char *text) {
    for (uint32_t q = 0; q < quantities->count; q++)
        if (strcmp(quantities->texts[q], text) == 0)
            return true;
    return false;
}

/* Takes the text, which may be NULL. Of a number that is given nothing can be learnt. */
static enum cor_status list(struct listing *l, char *text) {
    const char *const *names = cor_parameter_laws_names(l->arm->laws);
    struct cor_expression made = {0};
    char *printed = NULL;
    enum cor_status status = cor_made(text, l->error);
    if (status == COR_OK)
        status = cor_expression_parse(text, names, false, NULL, &made, l->error);
    free(text);
    COR_TRY(status);
    printed = cor_expression_print(&made, made.node_count - 1, &(const struct cor_naming){.names = names});
    status = cor_made(printed, l->error);
    if (status != COR_OK || l->to->count == COR_REGION_QUANTITIES_MAX ||
        cor_expression_last_variable(&made) < 0 || is_listed(l->to, printed)) {
        cor_expression_fini(&made);
        free(printed);
        return status;
    }
    l->to->expressions[l->to->count] = made;
    l->to->texts[l->to->count++] = printed;
    return COR_OK;
}

static char *text_of(const struct cor_derived_quantity *quantity) {
    return quantity->expression.text ? cor_format("(%s)", quantity->expression.text)
                                     : cor_format("%lld", (long long)quantity->given);
}

/* Limits of the structure: from the least to the most, what each leaves to the other, and how many numbers of
 * partitions there are beyond the first. */
static enum cor_status list_limits(struct listing *l) {
    const struct cor_roles *r = &l->arm->roles;
    char *agents = text_of(&r->agents), *size_min = text_of(&r->size_min), *size_max = text_of(&r->size_max),
         *count_min = text_of(&r->count_min), *count_max = text_of(&r->count_max);
    enum cor_status status = COR_OK;
    if (!agents || !size_min || !size_max || !count_min || !count_max) {
        status = cor_fail_memory(l->error);
        goto out;
    }
    COR_TRY_OUT(list(l, cor_format("%s - %s", size_max, size_min)));
    COR_TRY_OUT(list(l, cor_format("%s - %s", count_max, count_min)));
    COR_TRY_OUT(list(l, cor_format("%s / %s - %s", agents, size_min, count_min)));
    COR_TRY_OUT(list(l, cor_format("%s - ceil_div(%s, %s)", count_max, agents, size_max)));
    COR_TRY_OUT(list(l, cor_format("%s / %s - ceil_div(%s, %s)", agents, size_min, agents, size_max)));
    COR_TRY_OUT(list(l, cor_format("min(%s, %s / %s) - max(%s, ceil_div(%s, %s))", count_max, agents,
                                   size_min, count_min, agents, size_max)));
out:
    free(agents);
    free(size_min);
    free(size_max);
    free(count_min);
    free(count_max);
    return status;
}

/* Both sides of a comparison, and what is left of it. */
static enum cor_status list_sides(struct listing *l, const struct cor_expression *e,
                                  const struct cor_node *comparison) {
    const char *const *names = cor_parameter_laws_names(l->arm->laws);
    char *left = cor_expression_print(e, comparison->left, &(const struct cor_naming){.names = names}),
         *right = cor_expression_print(e, comparison->right, &(const struct cor_naming){.names = names});
    enum cor_status status = left && right ? COR_OK : cor_fail_memory(l->error);
    if (status == COR_OK)
        status = list(l, cor_strdup(left));
    if (status == COR_OK)
        status = list(l, cor_strdup(right));
    if (status == COR_OK)
        status = list(l, cor_format("(%s) - (%s)", right, left));
    free(left);
    free(right);
    return status;
}

/* The comparisons of a constraint that must all hold. */
static enum cor_status list_comparisons(struct listing *l, const struct cor_expression *e, uint32_t node) {
    const struct cor_node *n = &e->nodes[node];
    switch (n->operator) {
    case COR_OPERATOR_AND:
        COR_TRY(list_comparisons(l, e, n->left));
        return list_comparisons(l, e, n->right);
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        return list_sides(l, e, n);
    default:
        return COR_OK;
    }
}

enum cor_status cor_region_quantities_init(const struct cor_arm *arm,
                                           struct cor_region_quantities *quantities,
                                           struct cor_error *error) {
    struct listing l = {arm, quantities, error};
    *quantities = (struct cor_region_quantities){
        .expressions = cor_calloc(COR_REGION_QUANTITIES_MAX, sizeof *quantities->expressions),
        .texts = cor_calloc(COR_REGION_QUANTITIES_MAX, sizeof *quantities->texts)};
    if (!quantities->expressions || !quantities->texts)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < cor_parameter_laws_size(l.arm->laws); p++)
        if (cor_parameter_laws_is_integer(l.arm->laws, p))
            COR_TRY(list(&l, cor_strdup(cor_parameter_laws_name(l.arm->laws, p))));
    COR_TRY(list_limits(&l));
    for (uint32_t c = 0; c < cor_parameter_laws_constraint_count(arm->laws); c++) {
        const struct cor_expression *constraint = cor_parameter_laws_constraint(arm->laws, c);
        COR_TRY(list_comparisons(&l, constraint, constraint->node_count - 1));
    }
    return COR_OK;
}

void cor_region_quantities_fini(struct cor_region_quantities *quantities) {
    for (uint32_t q = 0; q < quantities->count; q++) {
        cor_expression_fini(&quantities->expressions[q]);
        free(quantities->texts[q]);
    }
    free(quantities->expressions);
    free(quantities->texts);
    *quantities = (struct cor_region_quantities){0};
}

bool cor_region_quantities_row(const struct cor_region_quantities *quantities, const int64_t *integers,
                               int64_t *row) {
    for (uint32_t q = 0; q < quantities->count; q++)
        if (!cor_expression_value(&quantities->expressions[q], integers, &row[q]))
            return false;
    return true;
}

static char *bounds_text(const char *quantity, int64_t low, int64_t high) {
    const long long least = low, most = high;
    if (low == high)
        return cor_format("%s == %lld", quantity, least);
    if (high == COR_REGION_HIGHEST)
        return cor_format("%s >= %lld", quantity, least);
    if (low == COR_REGION_LOWEST)
        return cor_format("%s <= %lld", quantity, most);
    return cor_format("%lld <= %s <= %lld", least, quantity, most);
}

enum cor_status cor_region_texts_make(const struct cor_region_quantities *quantities,
                                      const struct cor_region *region, struct cor_region_texts *texts,
                                      struct cor_error *error) {
    COR_ASSERT(quantities->count == region->quantity_count);
    *texts = (struct cor_region_texts){.texts = cor_calloc(quantities->count, sizeof *texts->texts)};
    COR_TRY(cor_made(texts->texts, error));
    for (uint32_t q = 0; q < region->quantity_count; q++) {
        if (region->low[q] == COR_REGION_LOWEST && region->high[q] == COR_REGION_HIGHEST)
            continue;
        char *text = bounds_text(quantities->texts[q], region->low[q], region->high[q]);
        if (!text) {
            cor_region_texts_fini(texts);
            return cor_fail_memory(error);
        }
        texts->texts[texts->count++] = text;
    }
    return COR_OK;
}

void cor_region_texts_fini(struct cor_region_texts *texts) {
    for (uint32_t t = 0; t < texts->count; t++)
        free(texts->texts[t]);
    free(texts->texts);
    *texts = (struct cor_region_texts){0};
}

char *cor_region_texts_join(const struct cor_region_texts *texts) {
    char *joined = cor_strdup(texts->count == 0 ? "true" : "");
    for (uint32_t t = 0; t < texts->count; t++)
        joined = cor_join_take(joined, " and ", cor_strdup(texts->texts[t]));
    return joined;
}
