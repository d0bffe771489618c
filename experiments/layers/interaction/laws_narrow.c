/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws with further constraints, beside those they were made from. */
#include "internal.h"

#include <corridor/array.h>

#include <string.h>

uint32_t cor_parameter_laws_constraint_count(const struct cor_parameter_laws *laws) {
    return (uint32_t)laws->constraint_count;
}

const struct cor_expression *cor_parameter_laws_constraint(const struct cor_parameter_laws *laws,
                                                           uint32_t index) {
    COR_ASSERT(index < laws->constraint_count);
    return &laws->constraints[index].expression;
}

static enum cor_status add(struct cor_parameter_laws *laws, const char *text, const char *place,
                           struct cor_error *error) {
    struct cor_constraint *c = &laws->constraints[laws->constraint_count++];
    *c = (struct cor_constraint){.text = cor_strdup(text), .place = cor_strdup(place ? place : "")};
    if (!c->text || !c->place)
        return cor_fail_memory(error);
    COR_TRY(cor_expression_parse(text, laws->names, true, place, &c->expression, error));
    interaction__laws_place_constraint(laws, c);
    return COR_OK;
}

enum cor_status cor_parameter_laws_narrow(const struct cor_parameter_laws *laws, const char *const *texts,
                                          uint32_t count, const char *place,
                                          struct cor_parameter_laws **narrowed, struct cor_error *error) {
    struct cor_parameter_laws *made = *narrowed = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    *made = *laws;
    made->is_narrowed = true;
    made->plan = (struct cor_plan){0};
    made->borrowed_constraints = laws->constraint_count;
    made->constraint_capacity = laws->constraint_count + count;
    made->constraints = cor_calloc(made->constraint_capacity, sizeof *made->constraints);
    enum cor_status status = cor_made(made->constraints, error);
    if (status == COR_OK && laws->constraint_count > 0)
        memcpy(made->constraints, laws->constraints, laws->constraint_count * sizeof *made->constraints);
    if (status != COR_OK)
        made->constraint_count = 0; /* nothing there to be freed */
    for (uint32_t i = 0; i < count && status == COR_OK; i++)
        status = add(made, texts[i], place, error);
    if (status == COR_OK)
        status = interaction__laws_plan(made, error);
    if (status == COR_OK)
        return COR_OK;
    cor_parameter_laws_destroy(made);
    *narrowed = NULL;
    return status;
}
