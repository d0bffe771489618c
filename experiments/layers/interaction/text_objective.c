/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The objective of a corridor as a text: lowered like a trigger, it becomes what plugin.h hands to
 * algorithms. The oracle reckons the same from raw lists, by the text. */
#include "text_internal.h"

#include <corridor/array.h>
#include <corridor/plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct interaction__objective {
    struct cor_objective given;
    struct cor_objective_step *steps; /* owned, as below */
    unsigned char *filters;
};

/* The two say the same, so that the one becomes the other without a table. */
_Static_assert((int)COR_TRIGGER_GREATEST == COR_OBJECTIVE_GREATEST &&
                   (int)COR_TRIGGER_DIVIDE_DOWN == COR_OBJECTIVE_DIVIDE_DOWN &&
                   (int)COR_TRIGGER_NOT == COR_OBJECTIVE_NOT &&
                   (int)COR_TRIGGER_MEAN_OF == COR_OBJECTIVE_MEAN_OF &&
                   COR_TRIGGER_NO_FILTER == COR_OBJECTIVE_NO_FILTER && COR_NOBODY == COR_NO_BLOCK,
               "steps of programs and objectives");

bool interaction__text_has_objective(const struct interaction__text *text) {
    return text->corridor->objective.name != NULL;
}

enum cor_status interaction__text_refuse_objective(const struct interaction__text *text, const char *arm,
                                                   const char *algorithm, struct cor_error *error) {
    const struct cor_constraint *objective = &text->corridor->objective;
    return interaction__text_complain(text, objective->text, error,
                                      "leave the objective out, or take an algorithm that \"goes with "
                                      "objectives\" (corridor list), such as "
                                      "psopp",
                                      "the objective \"%s\" is not what %s of arm \"%s\" makes small",
                                      objective->name, algorithm, arm);
}

/* Which column of values the attribute is, by its name; the value is the first. */
static uint32_t column_of(const struct interaction__text *text, const struct cor_rules *rules,
                          uint32_t attribute) {
    const uint32_t column =
        rules->columns ? cor_column(rules, text->corridor->attributes[attribute].name) : 0;
    COR_ASSERT(column < rules->value_count);
    return column;
}

struct cor_objective_step interaction__text_step(const struct interaction__text *text,
                                                 const struct cor_rules *rules,
                                                 const struct cor_trigger_program *program, uint32_t index) {
    const struct cor_trigger_node *node = &program->nodes[index];
    const bool has_column = node->operator>= COR_TRIGGER_SUM && node->operator<= COR_TRIGGER_GREATEST;
    return (struct cor_objective_step){
        .what = (uint32_t)node->operator,
        .by_block = node->by_organization,
        .left = node->left,
        .right = node->right,
        .column = has_column ? column_of(text, rules, program->columns[node->column].attribute) : 0,
        .filter = node->filter,
        .constant = node->constant};
}

static enum cor_status take_program(const struct interaction__text_judge *judge,
                                    const struct cor_rules *rules, const struct cor_trigger_program *program,
                                    uint32_t root, struct interaction__objective *made,
                                    struct cor_error *error) {
    const uint32_t agents = judge->agent_count;
    made->steps = cor_calloc(root + (size_t)1, sizeof *made->steps);
    made->filters = cor_calloc(program->filter_count * (size_t)agents + 1, 1);
    if (!made->steps || !made->filters)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i <= root; i++)
        made->steps[i] = interaction__text_step(judge->text, rules, program, i);
    for (uint32_t f = 0; f < program->filter_count; f++)
        memcpy(made->filters + f * (size_t)agents, program->filters[f], agents);
    made->given = (struct cor_objective){root + 1, program->filter_count, made->steps, made->filters};
    return COR_OK;
}

enum cor_status interaction__text_objective_create(const struct interaction__text_judge *judge,
                                                   const struct cor_rules *rules,
                                                   struct interaction__objective **objective,
                                                   struct cor_error *error) {
    struct cor_trigger_program program = {0};
    uint32_t root;
    struct interaction__objective *made = *objective = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    enum cor_status status = interaction__text_lower_objective(judge->text, judge, &program, &root, error);
    if (status == COR_OK)
        status = take_program(judge, rules, &program, root, made, error);
    cor_trigger_program_fini(&program);
    return status;
}

void interaction__text_objective_destroy(struct interaction__objective *objective) {
    if (!objective)
        return;
    free(objective->steps);
    free(objective->filters);
    free(objective);
}

const struct cor_objective *interaction__text_objective(const struct interaction__objective *objective) {
    return objective ? &objective->given : NULL;
}

double interaction__text_reckon(const struct interaction__text_judge *judge) {
    double number;
    return cor_corridor_reckon(judge->judge, &number) ? number : (double)NAN;
}
