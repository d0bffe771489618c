/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slots: what expressions of a plan read, by number and by name; and conditions over them. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/rows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t parameter_count(const struct cor_design *design, uint32_t event) {
    return event == COR_NONE ? 0 : design->events[event].parameter_count;
}

uint32_t cor_design_slot_count(const struct cor_design *design, uint32_t event) {
    return design->field_count + parameter_count(design, event);
}

static const struct cor_design_parameter *parameter_of(const struct cor_design *design, uint32_t event,
                                                       uint32_t slot) {
    COR_ASSERT(slot < cor_design_slot_count(design, event));
    return slot < design->field_count ? NULL : &design->events[event].parameters[slot - design->field_count];
}

const struct cor_domain *cor_design_slot_domain(const struct cor_design *design, uint32_t event,
                                                uint32_t slot) {
    const struct cor_design_parameter *parameter = parameter_of(design, event, slot);
    return &design->domains[parameter ? parameter->domain : design->fields[slot].domain];
}

const char *cor_design_slot_name(const struct cor_design *design, uint32_t event, uint32_t slot) {
    const struct cor_design_parameter *parameter = parameter_of(design, event, slot);
    return parameter ? parameter->name : design->fields[slot].full_name;
}

enum cor_status agent__scope_make(struct cor_design *design, uint32_t event, const char *home,
                                  struct cor_scope *scope, struct cor_symbol **symbols,
                                  struct cor_error *error) {
    uint32_t count = cor_design_slot_count(design, event);
    *symbols = cor_calloc(count, sizeof **symbols);
    COR_TRY(cor_made(*symbols, error));
    for (uint32_t s = 0; s < count; s++)
        (*symbols)[s] = (struct cor_symbol){cor_design_slot_name(design, event, s),
                                            cor_design_slot_domain(design, event, s)};
    *scope =
        (struct cor_scope){.symbols = *symbols, .symbol_count = count, .home = home, .words = &design->words};
    return COR_OK;
}

void cor_design_view(const struct cor_design *design, uint32_t event, const struct cor_value *fields,
                     const struct cor_value *arguments, struct cor_value *slots) {
    const struct cor_indices *keys = &design->events[event].keys;
    for (uint32_t f = 0; f < design->field_count; f++)
        slots[f] = f < keys->count && keys->items[f] != COR_NONE ? arguments[keys->items[f]] : fields[f];
    for (uint32_t p = 0; p < design->events[event].parameter_count; p++)
        slots[design->field_count + p] = arguments[p];
    for (uint32_t b = 0; design->relation_count > 0 && b < design->belief_count; b++) {
        const struct cor_design_belief *belief = &design->beliefs[b];
        if (!belief->is_relation)
            continue;
        struct cor_value *exists = &slots[belief->first_field + belief->row_width], *count = exists + 1;
        if (count->as.integer < 0 || count->as.integer > COR_ROWS_MOST)
            count->as.integer = count->as.integer < 0 ? 0 : COR_ROWS_MOST;
        if (count->as.integer == 0)
            exists->as.integer = 0;
        for (uint32_t f = belief->first_field; f < belief->first_field + belief->row_width; f++)
            if (exists->as.integer == 0 && !design->fields[f].is_key)
                slots[f] = design->fields[f].start;
    }
}

static const struct {
    const char *sign;
    enum cor_condition_relation relation;
} relations[] = {
    {"<=", COR_RELATION_LESS_EQUAL}, {"<", COR_RELATION_LESS},       {"==", COR_RELATION_EQUAL},
    {"=", COR_RELATION_EQUAL},       {"!=", COR_RELATION_NOT_EQUAL}, {">=", COR_RELATION_GREATER_EQUAL},
    {">", COR_RELATION_GREATER},
};

static const char *skip_blanks(const char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* The text as an expression: in quotes where it is a bare word of the enumeration. NULL when memory is out.
 */
static char *quote_word(const struct cor_design *design, const struct cor_scope *scope,
                        const struct cor_domain *domain, const char *text) {
    uint32_t word = cor_words_find(&design->words, text);
    if (cor_scope_find(scope, text) != COR_NONE || domain->type != COR_VALUE_TYPE_ENUMERATION ||
        word == COR_NONE || !cor_domain_has(domain, cor_word(word)))
        return cor_strdup(text);
    size_t size = 2 * strlen(text) + 4; /* every letter could be a quote */
    char *quoted = cor_calloc(size, 1);
    if (quoted)
        cor_value_text(cor_word(word), domain, &design->words, quoted, size);
    return quoted;
}

/* What stands to the right of the relation: a constant of `domain`, or one name. */
static enum cor_status read_side(const char *text, const struct cor_scope *scope,
                                 const struct cor_domain *domain, const char *place,
                                 struct cor_condition *condition, struct cor_error *error) {
    static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
    static const struct cor_domain strings = {.type = COR_VALUE_TYPE_STRING, .name = "string"};
    struct cor_expression side;
    bool number = domain->type == COR_VALUE_TYPE_INTEGER || domain->type == COR_VALUE_TYPE_REAL;
    enum cor_status status = cor_expression_parse_value(text, scope, domain, NULL, &side, NULL);
    if (status == COR_STATUS_INPUT) /* 0.5 for an integer, the name of a string for an enumeration */
        status = cor_expression_parse_value(text, scope, number ? &reals : &strings, place, &side, error);
    if (status != COR_OK)
        return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
    const struct cor_node *first = &side.nodes[0];
    enum cor_operator kind = first->operator, last = side.nodes[side.node_count - 1].operator;
    bool alone = side.node_count == 1 || (side.node_count == 2 && last == COR_OPERATOR_TO_REAL);
    condition->other = COR_NONE;
    if (alone && kind == COR_OPERATOR_VARIABLE)
        condition->other = first->variable;
    else if (cor_expression_last_variable(&side) >= 0 ||
             !cor_expression_evaluate(&side, NULL, &condition->value))
        status = cor_fail(error, COR_STATUS_INPUT, place, "say more in the context",
                          "\"%s\" is neither a constant nor a name", text);
    cor_expression_fini(&side);
    return status;
}

enum cor_status cor_design_parse_condition(struct cor_design *design, const char *text, uint32_t event,
                                           uint32_t slot, const char *place, struct cor_condition *condition,
                                           struct cor_error *error) {
    size_t r = 0, count = sizeof relations / sizeof *relations;
    const char *at = skip_blanks(text);
    while (r < count && strncmp(at, relations[r].sign, strlen(relations[r].sign)) != 0)
        r++;
    if (r == count)
        return cor_fail(error, COR_STATUS_INPUT, place, "such as \">= 0\" or \"!= null\"",
                        "\"%s\" begins with none of < <= = == != >= >", text);
    const char *name = cor_design_slot_name(design, event, slot),
               *rest = skip_blanks(at + strlen(relations[r].sign));
    const struct cor_domain *domain = cor_design_slot_domain(design, event, slot);
    struct cor_scope scope;
    struct cor_symbol *symbols = NULL;
    struct cor_expression whole = {0};
    char *side = NULL, *comparison = NULL;
    *condition = (struct cor_condition){.relation = relations[r].relation, .other = COR_NONE};
    enum cor_status status;
    COR_TRY_OUT(agent__scope_make(design, event, NULL, &scope, &symbols, error));
    side = quote_word(design, &scope, domain, rest);
    comparison = side ? cor_format("%s %s %s", name, relations[r].sign, side) : NULL;
    COR_TRY_OUT(cor_made(comparison, error));
    /* Parsed whole, so that what cannot be compared is said as in any other expression. */
    COR_TRY_OUT(cor_expression_parse_condition(comparison, &scope, place, &whole, error));
    status = read_side(side, &scope, domain, place, condition, error);
out:
    cor_expression_fini(&whole);
    free(symbols);
    free(side);
    free(comparison);
    return status;
}

/* -1, 0 or 1 for two numbers; an integer beside a real counts as the nearest real. */
static int order(struct cor_value a, struct cor_value b) {
    if (a.kind == COR_VALUE_INTEGER && b.kind == COR_VALUE_INTEGER)
        return (a.as.integer > b.as.integer) - (a.as.integer < b.as.integer);
    double x = a.kind == COR_VALUE_REAL ? a.as.real : (double)a.as.integer;
    double y = b.kind == COR_VALUE_REAL ? b.as.real : (double)b.as.integer;
    return (x > y) - (x < y);
}

bool cor_condition_holds(const struct cor_condition *condition, struct cor_value value,
                         const struct cor_value *slots) {
    struct cor_value other = condition->other == COR_NONE ? condition->value : slots[condition->other];
    bool numbers = (value.kind == COR_VALUE_INTEGER || value.kind == COR_VALUE_REAL) &&
                   (other.kind == COR_VALUE_INTEGER || other.kind == COR_VALUE_REAL);
    int side = numbers ? order(value, other) : cor_value_equal(value, other) ? 0 : 2;
    switch (condition->relation) {
    case COR_RELATION_LESS:
        return side < 0;
    case COR_RELATION_LESS_EQUAL:
        return numbers && side <= 0;
    case COR_RELATION_EQUAL:
        return side == 0;
    case COR_RELATION_NOT_EQUAL:
        return side != 0;
    case COR_RELATION_GREATER_EQUAL:
        return numbers && side >= 0;
    case COR_RELATION_GREATER:
        return numbers && side > 0;
    }
    return false;
}

bool cor_conditions_hold(const struct cor_condition *conditions, uint32_t count, struct cor_value value,
                         const struct cor_value *slots) {
    bool is_listed = false, is_one = false;
    for (uint32_t c = 0; c < count; c++) {
        const bool lists = conditions[c].relation == COR_RELATION_EQUAL && conditions[c].other == COR_NONE;
        if (conditions[c].other != COR_NONE && !slots)
            continue;
        const bool holds = cor_condition_holds(&conditions[c], value, slots);
        if (!lists && !holds)
            return false;
        is_listed = is_listed || lists;
        is_one = is_one || (lists && holds);
    }
    return is_one || !is_listed;
}
