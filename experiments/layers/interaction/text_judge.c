/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints of a corridor as a text, asked of raw lists and columns of agents. */
#include "text_internal.h"

#include <corridor/array.h>
#include <corridor/run.h>
#include <corridor/structures.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status interaction__text_judge_create(const struct interaction__text *text, uint32_t agents,
                                               const double *parameters,
                                               struct interaction__text_judge **judge,
                                               struct cor_error *error) {
    const struct cor_corridor *corridor = text->corridor;
    COR_DESTROYED(interaction__text_judge) struct interaction__text_judge *made = cor_calloc(1, sizeof *made);
    *judge = NULL;
    COR_TRY(cor_made(made, error));
    made->text = text;
    made->agent_count = agents;
    made->columns = cor_calloc(corridor->attribute_count, sizeof *made->columns);
    made->parameters = cor_calloc(corridor->parameter_count, sizeof *made->parameters);
    made->numbers = cor_calloc(corridor->attribute_count, sizeof(double *));
    made->kept_numbers = cor_calloc(corridor->organization_attribute_count, sizeof *made->kept_numbers);
    made->kept_integers = cor_calloc(corridor->organization_attribute_count, sizeof *made->kept_integers);
    made->number_capacity = cor_calloc(corridor->organization_attribute_count, sizeof(size_t));
    made->integer_capacity = cor_calloc(corridor->organization_attribute_count, sizeof(size_t));
    made->kept = cor_calloc(corridor->organization_attribute_count, sizeof *made->kept);
    COR_TRY(made->kept_numbers && made->kept_integers && made->number_capacity && made->integer_capacity &&
                    made->kept
                ? COR_OK
                : cor_fail_memory(error));
    COR_TRY(cor_made(made->columns, error));
    COR_TRY(cor_made(made->numbers, error));
    COR_TRY(cor_made(made->parameters, error));
    for (uint32_t p = 0; p < corridor->parameter_count; p++) {
        const struct cor_quantity *quantity = &corridor->parameters[p];
        if (parameters[p] < quantity->low || parameters[p] > quantity->high)
            COR_TRY(interaction__text_complain(text, quantity->at, error, "make the range wider",
                                               "the parameter \"%s\" is %.10g in a suite", quantity->name,
                                               parameters[p]));
        if (quantity->domain.type == COR_VALUE_TYPE_REAL)
            made->parameters[p] = (struct cor_value){.kind = COR_VALUE_REAL, .as.real = parameters[p]};
        else
            made->parameters[p] = cor_integer((int64_t)parameters[p]);
    }
    COR_TRY(cor_corridor_judge_create(corridor, &made->judge, error));
    *judge = cor_taken(&made);
    return COR_OK;
}

void interaction__text_judge_destroy(struct interaction__text_judge *judge) {
    if (!judge)
        return;
    cor_corridor_judge_destroy(judge->judge);
    for (uint32_t q = 0; q < judge->text->corridor->organization_attribute_count; q++) {
        if (judge->kept_numbers)
            free(judge->kept_numbers[q]);
        if (judge->kept_integers)
            free(judge->kept_integers[q]);
    }
    COR_FREE(judge->kept_numbers, judge->kept_integers, judge->number_capacity, judge->integer_capacity,
             judge->kept, judge->columns, judge->numbers, judge->parameters, judge);
}

void interaction__text_judge_column(struct interaction__text_judge *judge, int attribute,
                                    const double *numbers, const int64_t *integers, const uint8_t *unknown) {
    COR_ASSERT(attribute >= 0 && (uint32_t)attribute < judge->text->corridor->attribute_count);
    judge->columns[attribute] = (struct cor_attribute_values){integers ? NULL : numbers, integers, unknown};
    judge->numbers[attribute] = numbers;
}

/* Within the range of the attribute, or one of its words. */
static struct cor_value draw_kept(const struct cor_quantity *of, const struct cor_stream_name *name) {
    struct cor_rng rng = cor_rng_named(name);
    if (of->domain.type == COR_VALUE_TYPE_REAL) {
        const double unit = cor_rng_unit(&rng);
        return (struct cor_value){.kind = COR_VALUE_REAL, .as.real = of->low + unit * (of->high - of->low)};
    }
    if (of->domain.type == COR_VALUE_TYPE_INTEGER)
        return cor_integer(cor_rng_between(&rng, (int64_t)of->low, (int64_t)of->high));
    const bool is_truth = of->domain.type == COR_VALUE_TYPE_BOOLEAN;
    const uint32_t which = cor_rng_below(&rng, is_truth ? 2 : (uint32_t)of->domain.word_count);
    return cor_integer(is_truth ? which : of->domain.words[which]);
}

enum cor_status interaction__text_judge_keep(struct interaction__text_judge *judge,
                                             const struct cor_lists *lists, const uint32_t *names,
                                             const struct cor_stream_name *stream, struct cor_error *error) {
    const struct cor_corridor *corridor = judge->text->corridor;
    struct cor_stream_name name = *stream;
    judge->kept_of = NULL;
    for (uint32_t q = 0; q < corridor->organization_attribute_count; q++) {
        const size_t count = (size_t)lists->block_count + 1;
        COR_TRY(COR_RESERVE(&judge->kept_numbers[q], &judge->number_capacity[q], count, error));
        COR_TRY(COR_RESERVE(&judge->kept_integers[q], &judge->integer_capacity[q], count, error));
        name.entity = q;
        for (uint32_t o = 0; o < lists->block_count; o++) {
            name.ordinal = names[o];
            const struct cor_value drawn = draw_kept(&corridor->organization_attributes[q], &name);
            const bool is_real = drawn.kind == COR_VALUE_REAL;
            judge->kept_integers[q][o] = is_real ? 0 : drawn.as.integer;
            judge->kept_numbers[q][o] = is_real ? drawn.as.real : (double)drawn.as.integer;
        }
        judge->kept[q] = (struct cor_attribute_values){judge->kept_numbers[q], judge->kept_integers[q], NULL};
        if (corridor->organization_attributes[q].domain.type != COR_VALUE_TYPE_REAL)
            judge->kept[q].reals = NULL;
    }
    judge->kept_of = lists;
    judge->kept_count = lists->block_count;
    return COR_OK;
}

enum cor_status interaction__text_look(struct interaction__text_judge *judge, const struct cor_lists *lists,
                                       struct cor_judgement *kind, struct cor_error *error) {
    const bool is_kept = lists == judge->kept_of && lists->block_count == judge->kept_count;
    const struct cor_snapshot state = {.agent_count = judge->agent_count,
                                       .absent = judge->absent,
                                       .organizations = lists,
                                       .parents = cor_lists_parents(lists),
                                       .columns = judge->columns,
                                       .organization_columns = is_kept ? judge->kept : NULL,
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

/* "supply 12.4 kW < demand 13 kW": both sides, and how they stand to each other; a constant is its value. */
static void put_sides(const struct cor_scope *scope, const struct cor_deciding_part *ground,
                      const struct cor_constraint_ground *numbers, char *text, size_t size) {
    char value[2][64], side[2][300];
    text[0] = '\0';
    if (ground->at.value_count < 2)
        return;
    bool is_equal = numbers->left == numbers->right;
    for (int is_brief = 1; is_brief >= 0; is_brief--) {
        /* In few digits, or in as many as tell it from any other. */
        for (int i = 0; i < 2; i++)
            if (is_brief && ground->at.values[i].type == COR_NODE_REAL)
                snprintf(value[i], sizeof value[i], "%.6g", ground->at.values[i].value.as.real);
            else
                cor_breach_value_text(&ground->at.values[i], scope, value[i], sizeof value[i]);
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

void interaction__text_put_ground(struct interaction__text_judge *judge, uint32_t constraint,
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
