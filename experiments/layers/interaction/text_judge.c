/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints of a corridor as a text are asked of raw lists and columns of agents. */
#include "text_internal.h"

#include <corridor/array.h>
#include <corridor/constraint_ground.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status interaction__text_judge_create(const struct interaction__text *text, uint32_t agents,
                                               const double *parameters,
                                               struct interaction__text_judge **judge,
                                               struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    enum cor_status status = COR_OK;
    struct interaction__text_judge *made = *judge = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->text = text;
    made->agent_count = agents;
    made->columns = cor_calloc(corridor->attribute_count, sizeof *made->columns);
    made->parameters = cor_calloc(corridor->parameter_count, sizeof *made->parameters);
    made->numbers = cor_calloc(corridor->attribute_count, sizeof(double *));
    COR_TRY_OUT(cor_made(made->columns, error));
    COR_TRY_OUT(cor_made(made->numbers, error));
    COR_TRY_OUT(cor_made(made->parameters, error));
    for (uint32_t p = 0; p < corridor->parameter_count; p++) {
        const struct cor_quantity *quantity = &corridor->parameters[p];
        if (parameters[p] < quantity->low || parameters[p] > quantity->high)
            COR_TRY_OUT(interaction__text_complain(text, quantity->at, error, "make the range wider",
                                                   "the parameter \"%s\" is %.10g in a suite", quantity->name,
                                                   parameters[p]));
        if (quantity->domain.type == COR_VALUE_TYPE_REAL)
            made->parameters[p] = (struct cor_value){.kind = COR_VALUE_REAL, .as.real = parameters[p]};
        else
            made->parameters[p] = cor_integer((int64_t)parameters[p]);
    }
    COR_TRY_OUT(cor_corridor_judge_create(corridor, &made->judge, error));
out:
    if (status != COR_OK) {
        interaction__text_judge_destroy(made);
        *judge = NULL;
    }
    return status;
}

void interaction__text_judge_destroy(struct interaction__text_judge *judge) {
    if (!judge)
        return;
    cor_corridor_judge_destroy(judge->judge);
    free(judge->columns);
    free(judge->numbers);
    free(judge->parameters);
    free(judge);
}

void interaction__text_judge_column(struct interaction__text_judge *judge, int attribute,
                                    const double *numbers, const int64_t *integers, const uint8_t *unknown) {
    COR_ASSERT(attribute >= 0 && (uint32_t)attribute < judge->text->corridor->attribute_count);
    judge->columns[attribute] = (struct cor_attribute_values){integers ? NULL : numbers, integers, unknown};
    judge->numbers[attribute] = numbers;
}

enum cor_status interaction__text_look(struct interaction__text_judge *judge, const struct cor_lists *lists,
                                       struct cor_judgement *kind, struct cor_error *error) {
    const struct cor_snapshot state = {.agent_count = judge->agent_count,
                                       .organizations = lists,
                                       .parents = cor_lists_parents(lists),
                                       .columns = judge->columns,
                                       .parameters = judge->parameters};
    return cor_corridor_judge_look(judge->judge, &state, kind, error);
}

enum cor_truth interaction__text_ask(struct interaction__text_judge *judge, uint32_t constraint,
                                     bool *is_close) {
    struct cor_unknown unknown;
    const enum cor_truth truth = cor_corridor_ask(judge->judge, constraint, &unknown);
    *is_close = unknown.is_close;
    return truth;
}

enum cor_truth interaction__text_ask_with_edge(struct interaction__text_judge *judge, uint32_t constraint) {
    return cor_corridor_ask_with_edge(judge->judge, constraint, NULL);
}

void interaction__text_why(struct interaction__text_judge *judge, uint32_t constraint, enum cor_truth truth,
                           struct interaction__why *why) {
    const struct cor_corridor *corridor = judge->text->corridor;
    *why = (struct interaction__why){.agent = COR_NOBODY, .organization = COR_NOBODY};
    if (truth == COR_TRUTH_UNKNOWN) {
        struct cor_unknown unknown;
        if (cor_corridor_ask(judge->judge, constraint, &unknown) == COR_TRUTH_UNKNOWN)
            cor_corridor_unknown_text(corridor, constraint, &unknown, why->sentence, sizeof why->sentence);
        return;
    }
    struct cor_breaches breaches = {0};
    cor_corridor_explain(judge->judge, constraint, &breaches);
    why->violations = breaches.count;
    if (breaches.kept_count == 0)
        return;
    const struct cor_breach *first = &breaches.kept[0];
    for (uint32_t b = first->binding_count; b-- > 0;) {
        uint32_t *const of = first->bindings[b].type == COR_AGENT ? &why->agent : &why->organization;
        *of = first->bindings[b].element;
    }
    cor_breach_text(first, &corridor->scope, why->sentence, sizeof why->sentence);
}

static double side_number(const struct cor_breach *at, uint32_t side) {
    if (side >= at->value_count)
        return (double)NAN;
    const struct cor_breach_value *value = &at->values[side];
    return value->type == COR_NODE_REAL      ? value->value.as.real
           : value->type == COR_NODE_INTEGER ? (double)value->value.as.integer
                                             : (double)NAN;
}

/* A value in few digits, or in as many as tell it from any other. */
static void value_text(const struct cor_scope *scope, const struct cor_breach_value *value, bool is_brief,
                       char *text, size_t size) {
    if (is_brief && value->type == COR_NODE_REAL)
        snprintf(text, size, "%.6g", value->value.as.real);
    else
        cor_breach_value_text(value, scope, text, size);
}

/* "supply 12.4 kW < demand 13 kW": both sides, and how they stand to each other; a constant is its value. */
static void put_sides(const struct cor_scope *scope, const struct cor_deciding_part *ground,
                      const struct cor_constraint_ground *numbers, char *text, size_t size) {
    char value[2][64], side[2][300];
    text[0] = '\0';
    if (ground->at.value_count < 2)
        return;
    bool is_equal = numbers->left == numbers->right;
    for (int is_brief = 1; is_brief >= 0; is_brief--) {
        for (int i = 0; i < 2; i++)
            value_text(scope, &ground->at.values[i], is_brief, value[i], sizeof value[i]);
        if (strcmp(value[0], value[1]) != 0 || is_equal)
            break;
    }
    for (int i = 0; i < 2; i++) {
        char part[160];
        cor_span_text(&ground->at.values[i].text, part, sizeof part);
        double number;
        char *end;
        number = strtod(part, &end);
        const bool is_constant =
            (*part && *end == '\0' && number == (i == 0 ? numbers->left : numbers->right)) ||
            strcmp(part, value[i]) == 0;
        snprintf(side[i], sizeof side[i], "%s%s%s%s%s", is_constant ? "" : part, is_constant ? "" : " ",
                 value[i], ground->unit ? " " : "", ground->unit ? ground->unit : "");
    }
    const char *relation = isnan(numbers->left) || isnan(numbers->right)
                               ? (strcmp(value[0], value[1]) == 0 ? "=" : "!=")
                           : is_equal                       ? "="
                           : numbers->left < numbers->right ? "<"
                                                            : ">";
    snprintf(text, size, "%s %s %s", side[0], relation, side[1]);
}

static void put_ground(struct interaction__text_judge *judge, uint32_t constraint,
                       const struct cor_deciding_part *ground, struct cor_constraint_ground *made) {
    const struct cor_corridor *corridor = judge->text->corridor;
    *made = (struct cor_constraint_ground){.constraint = constraint,
                                           .is_trigger = interaction__text_kind(judge->text, constraint) &
                                                         COR_TEXT_TRIGGER,
                                           .truth = ground->truth,
                                           .agent = COR_NOBODY,
                                           .organization = COR_NOBODY,
                                           .left = side_number(&ground->at, 0),
                                           .right = side_number(&ground->at, 1),
                                           .unit = ground->unit};
    for (uint32_t b = ground->at.binding_count; b-- > 0;) {
        uint32_t *const of = ground->at.bindings[b].type == COR_AGENT ? &made->agent : &made->organization;
        *of = ground->at.bindings[b].element;
    }
    cor_span_text(&ground->at.part, made->part, sizeof made->part);
    put_sides(&corridor->scope, ground, made, made->sides, sizeof made->sides);
    struct cor_unknown unknown;
    const enum cor_truth truth = cor_corridor_ask(judge->judge, constraint, &unknown);
    made->is_edge = ground->is_close && truth != COR_TRUTH_UNKNOWN &&
                    cor_corridor_ask_with_edge(judge->judge, constraint, NULL) == COR_TRUTH_UNKNOWN;
    if (ground->truth == COR_TRUTH_UNKNOWN && truth == COR_TRUTH_UNKNOWN)
        cor_corridor_unknown_text(corridor, constraint, &unknown, made->part, sizeof made->part);
}

size_t interaction__text_grounds(struct interaction__text_judge *judge, uint32_t constraint,
                                 struct cor_constraint_ground *grounds) {
    struct cor_grounds found;
    cor_corridor_grounds(judge->judge, constraint, &found);
    const size_t count = found.count < COR_TEXT_GROUNDS ? found.count : COR_TEXT_GROUNDS;
    for (size_t i = 0; i < count; i++)
        put_ground(judge, constraint, &found.kept[i], &grounds[i]);
    return count;
}
