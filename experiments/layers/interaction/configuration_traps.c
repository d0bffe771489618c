/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/configuration_traps.h>

#include <stdlib.h>
#include <string.h>

#define TRAPS_MAX 1000
#define TRIES 20000 /* draws until z3's solution is taken */

void interaction__configuration_traps_destroy(struct cor_configuration_traps *traps) {
    if (!traps)
        return;
    for (uint32_t t = 0; traps->traps && t < traps->count; t++)
        cor_expression_fini(&traps->traps[t]);
    free(traps->names);
    free(traps->traps);
    free(traps->read_partitions);
    free(traps->has_example);
    free(traps->examples);
    free(traps);
}

static enum cor_status read_traps(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_arm *arm = into;
    COR_TRY(cor_json_expect_array(json, 1, TRAPS_MAX, error));
    const size_t count = cor_json_size(json);
    const uint32_t parameters = cor_parameter_laws_size(arm->laws);
    struct cor_configuration_traps *it = arm->configuration_traps = cor_calloc(1, sizeof *it);
    COR_TRY(cor_made(it, error));
    it->names = cor_calloc(parameters + 2, sizeof(char *));
    it->traps = cor_calloc(count, sizeof *it->traps);
    it->read_partitions = cor_calloc(count, sizeof *it->read_partitions);
    it->has_example = cor_calloc(count, sizeof *it->has_example);
    it->examples = cor_calloc(count * (parameters + 1), sizeof *it->examples);
    if (!it->names || !it->traps || !it->read_partitions || !it->has_example || !it->examples)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < parameters; p++)
        it->names[p] = cor_parameter_laws_names(arm->laws)[p];
    it->names[parameters] = cor_parameter_laws_find(arm->laws, "partitions") < 0 ? "partitions" : "";
    struct cor_configuration_traps *c = arm->configuration_traps;
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
        const char *text;
        char place[512];
        COR_TRY(cor_json_string(&item, &text, error));
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_expression_parse(text, c->names, true, place, &c->traps[i], error));
        c->read_partitions[i] = cor_expression_reads(&c->traps[i], cor_parameter_laws_size(arm->laws));
        c->count++;
    }
    return COR_OK;
}

static const struct cor_field fields[] = {{"traps", COR_REQUIRED, COR_READ_FIELD(read_traps)}, {0}};

enum cor_status interaction__configuration_traps_read(struct cor_arm *arm, struct cor_error *error) {
    return cor_json_fields(&arm->configurations_json, fields, arm, error);
}

/* A quantity of the arm as text. */
static char *text_of(const struct cor_derived_quantity *quantity) {
    return quantity->expression.text ? cor_strdup(quantity->expression.text)
                                     : cor_format("%lld", (long long)quantity->given);
}

/* May organizations of the arm's structures have agents in common? Then each needs enough, not all together.
 */
static bool shares_agents(const struct cor_arm *arm) {
    return arm->roles.kind == COR_STRUCTURE_COVERING || arm->roles.kind == COR_STRUCTURE_OVERLAPPING;
}

enum cor_status interaction__configuration_traps_solve(struct cor_arm *arm, struct cor_error *error) {
    struct cor_configuration_traps *c = arm->configuration_traps;
    if (!c || c->is_solved)
        return COR_OK;
    for (uint32_t t = 0; t < c->count; t++) {
        const uint32_t width = cor_parameter_laws_size(arm->laws) + 1;
        struct cor_expression more[2] = {c->traps[t], {0}};
        enum cor_answer answer;
        if (c->read_partitions[t]) {
            /* That a structure of so many partitions is within the limits. */
            char *agents = text_of(&arm->roles.agents), *size_min = text_of(&arm->roles.size_min),
                 *size_max = text_of(&arm->roles.size_max), *count_min = text_of(&arm->roles.count_min),
                 *count_max = text_of(&arm->roles.count_max), *text = NULL;
            if (agents && size_min && size_max && count_min && count_max)
                text = cor_format("(%s) <= partitions and partitions <= (%s) and %s(%s) <= (%s) and "
                                  "(%s) <= partitions * (%s)",
                                  count_min, count_max, shares_agents(arm) ? "" : "partitions * ", size_min,
                                  agents, agents, size_max);
            free(agents);
            free(size_min);
            free(size_max);
            free(count_min);
            free(count_max);
            COR_TRY(cor_made(text, error));
            const enum cor_status parsed = cor_expression_parse(text, c->names, true, NULL, &more[1], error);
            free(text);
            COR_TRY(parsed);
        }
        enum cor_status status =
            interaction__laws_solve(arm->laws, c->names, more, c->read_partitions[t] ? 2 : 1, &answer,
                                    c->examples + (size_t)t * width, error);
        cor_expression_fini(&more[1]);
        COR_TRY(status);
        c->has_example[t] = answer == COR_ANSWER_SATISFIABLE;
        struct cor_json list, item;
        COR_TRY(cor_json_need(&arm->configurations_json, "traps", &list, error));
        item = cor_json_at(&list, t);
        if (answer == COR_ANSWER_EMPTY)
            return cor_json_fail(&item, error, "relax it, or a constraint",
                                 "no parameters that the arm can draw meet the trap \"%s\"",
                                 c->traps[t].text);
    }
    c->is_solved = true;
    return COR_OK;
}

static bool number_of(const struct cor_derived_quantity *quantity, const int64_t *values, int64_t *number) {
    *number = quantity->given;
    return !quantity->expression.text || cor_expression_value(&quantity->expression, values, number);
}

/* One of the numbers of partitions that the limits allow and for which the trap holds, each as likely; 0:
 * there is none. */
static int64_t draw_partitions(const struct cor_arm *arm, const struct cor_expression *trap, int64_t *values,
                               uint32_t place, struct cor_rng *rng) {
    const struct cor_roles *r = &arm->roles;
    int64_t agents, size_min, size_max, low, high, left = 0;
    if (!number_of(&r->agents, values, &agents) || !number_of(&r->size_min, values, &size_min) ||
        !number_of(&r->size_max, values, &size_max) || !number_of(&r->count_min, values, &low) ||
        !number_of(&r->count_max, values, &high))
        return 0;
    high = high < agents ? high : agents;
    low = low < 1 ? 1 : low;
    for (int pass = 0; pass < 2; pass++) { /* counts them, then goes to the one drawn */
        for (int64_t k = low; k <= high; k++) {
            values[place] = k;
            if (size_min > (shares_agents(arm) ? agents : agents / k) || size_max < (agents + k - 1) / k ||
                !cor_expression_holds(trap, values))
                continue;
            if (pass == 0)
                left++;
            else if (left-- == 0)
                return k;
        }
        if (left == 0 && pass == 0)
            return 0;
        if (pass == 0)
            left = (int64_t)cor_rng_below(rng, (uint32_t)left);
    }
    return 0;
}

/* Whether what was drawn meets the trap, with so many partitions at the start. values: names' and one more.
 */
static bool meets(const struct cor_arm *arm, uint32_t trap, int64_t *values, struct cor_rng *rng,
                  uint32_t *partitions) {
    const struct cor_configuration_traps *c = arm->configuration_traps;
    *partitions = 0;
    if (!c->read_partitions[trap])
        return cor_expression_holds(&c->traps[trap], values);
    *partitions =
        (uint32_t)draw_partitions(arm, &c->traps[trap], values, cor_parameter_laws_size(arm->laws), rng);
    return *partitions > 0;
}

enum cor_status interaction__configuration_traps_draw(const struct cor_arm *arm, uint32_t suite,
                                                      struct cor_rng *rng, int64_t *integers, double *reals,
                                                      struct cor_draw *draw, uint32_t *partitions,
                                                      struct cor_error *error) {
    const struct cor_configuration_traps *c = arm->configuration_traps;
    const uint32_t parameters = cor_parameter_laws_size(arm->laws), trap = suite % c->count;
    int64_t *values = cor_calloc(parameters + 1, sizeof *values);
    bool has_drawn = false, met = false;
    COR_TRY(cor_made(values, error));
    for (uint32_t attempt = 1; attempt <= TRIES && !met; attempt++) {
        if (interaction__laws_draw_within(arm->laws, rng, NULL, integers, reals, 1, draw, NULL) != COR_OK)
            continue;
        has_drawn = true;
        memcpy(values, integers, parameters * sizeof *values);
        met = meets(arm, trap, values, rng, partitions);
        draw->attempts = attempt;
    }
    if (!met && has_drawn && c->has_example[trap]) {
        const int64_t *example = c->examples + (size_t)trap * (parameters + 1);
        for (uint32_t p = 0; p < parameters; p++)
            if (cor_parameter_laws_is_integer(arm->laws, p)) {
                integers[p] = example[p];
                reals[p] = (double)example[p];
            }
        *partitions = c->read_partitions[trap] ? (uint32_t)example[parameters] : 0;
        draw->attempts = TRIES;
        met = true;
    }
    free(values);
    return met ? COR_OK
               : cor_fail(error, COR_STATUS_UNSATISFIABLE, NULL, "relax it, or a constraint",
                          "no parameters that meet the trap \"%s\" were drawn in %d attempts",
                          c->traps[trap].text, TRIES);
}
