/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attributes of a configuration, and what becomes of them from case to case: those by inertia step with the
 * value, all others that change are made when somebody asks for them. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_attribute_copy_declaration(const struct cor_agent_attribute *attribute,
                                               struct cor_agent_attribute *copy, struct cor_error *error) {
    *copy = (struct cor_agent_attribute){
        .name = cor_strdup(attribute->name),
        .unit = cor_strdup(attribute->unit),
        .type = attribute->type,
        .low = attribute->low,
        .high = attribute->high,
        .words = cor_calloc((size_t)attribute->word_count + 1, sizeof *copy->words),
        .word_count = attribute->word_count};
    bool whole = copy->name && copy->unit && copy->words;
    for (uint32_t w = 0; whole && w < copy->word_count; w++)
        whole = (copy->words[w] = cor_strdup(attribute->words[w])) != NULL;
    if (whole)
        return COR_OK;
    cor_attribute_fini_declaration(copy);
    return cor_fail_memory(error);
}

void cor_attribute_fini_declaration(struct cor_agent_attribute *attribute) {
    for (uint32_t w = 0; attribute->words && w < attribute->word_count; w++)
        free(attribute->words[w]);
    free(attribute->words);
    free(attribute->name);
    free(attribute->unit);
    attribute->words = NULL;
    attribute->name = attribute->unit = NULL;
    attribute->word_count = 0;
}

uint32_t cor_attribute_find(const struct cor_agent_attribute *attributes, uint32_t count, const char *name) {
    for (uint32_t a = 0; a < count; a++)
        if (strcmp(attributes[a].name, name) == 0)
            return a;
    return COR_NOBODY;
}

void cor_attribute_text(const struct cor_agent_attribute *attribute, double number, char *text, size_t size) {
    if (isnan(number))
        snprintf(text, size, "-");
    else if (attribute->type == COR_ATTRIBUTE_WORDS && number >= 0 && number < attribute->word_count)
        snprintf(text, size, "%s", attribute->words[(uint32_t)number]);
    else if (attribute->type == COR_ATTRIBUTE_BOOLEAN)
        snprintf(text, size, "%s", number > 0 ? "true" : "false");
    else
        snprintf(text, size, "%.10g", number);
}

/* The attribute as one of the configuration: a rule for each type, a number for each agent. */
static enum cor_status add_columns(const struct cor_configuration *c, struct cor_agent_attribute *attribute,
                                   struct cor_error *error) {
    attribute->rules = cor_calloc(c->type_count, sizeof *attribute->rules);
    attribute->initial = cor_calloc(c->agent_count, sizeof *attribute->initial);
    return attribute->rules && attribute->initial ? COR_OK : cor_fail_memory(error);
}

enum cor_status cor_configuration_set_attributes(struct cor_configuration *c, uint32_t count,
                                                 const struct cor_agent_attribute *declared,
                                                 struct cor_error *error) {
    COR_ASSERT(!c->attributes && count <= COR_ATTRIBUTES_MAX);
    if (count == 0)
        return COR_OK;
    c->attributes = cor_calloc(count, sizeof *c->attributes);
    COR_TRY(cor_made(c->attributes, error));
    for (uint32_t a = 0; a < count; a++) {
        COR_TRY(cor_attribute_copy_declaration(&declared[a], &c->attributes[a], error));
        c->attribute_count++;
        COR_TRY(add_columns(c, &c->attributes[a], error));
    }
    return COR_OK;
}

/* How many states agents of a type have where a profile acts on them. */
static uint32_t states_of(const struct cor_configuration *c, uint32_t type, uint32_t profile) {
    return c->effects[(size_t)type * c->profile_count + profile].state_count;
}

enum cor_status cor_configuration_set_levels(struct cor_configuration *c, uint32_t attribute, uint32_t type,
                                             struct cor_error *error) {
    struct cor_attribute_rule *rule = &c->attributes[attribute].rules[type];
    COR_ASSERT(!rule->level);
    rule->source = COR_ATTRIBUTE_LEVEL;
    rule->level = cor_calloc(c->profile_count, sizeof *rule->level);
    COR_TRY(cor_made(rule->level, error));
    for (uint32_t p = 0; p < c->profile_count; p++) {
        rule->level[p] = cor_calloc(states_of(c, type, p), sizeof **rule->level);
        COR_TRY(cor_made(rule->level[p], error));
    }
    return COR_OK;
}

enum cor_status cor_configuration_set_formula(struct cor_configuration *c, uint32_t attribute, uint32_t type,
                                              const struct cor_formula *formula, struct cor_error *error) {
    struct cor_attribute_rule *rule = &c->attributes[attribute].rules[type];
    COR_ASSERT(!rule->formula.text && formula->step_count > 0 &&
               formula->step_count <= COR_FORMULA_STEPS_MAX);
    rule->source = COR_ATTRIBUTE_COMPUTED;
    rule->formula =
        (struct cor_formula){cor_strdup(formula->text),
                             cor_calloc(formula->step_count, sizeof *formula->steps), formula->step_count};
    if (!rule->formula.text || !rule->formula.steps)
        return cor_fail_memory(error);
    memcpy(rule->formula.steps, formula->steps, formula->step_count * sizeof *formula->steps);
    return COR_OK;
}

enum cor_status core__attributes_copy(const struct cor_configuration *c, struct cor_configuration *copy,
                                      struct cor_error *error) {
    COR_TRY(cor_configuration_set_attributes(copy, c->attribute_count, c->attributes, error));
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        const struct cor_agent_attribute *from = &c->attributes[a];
        struct cor_agent_attribute *to = &copy->attributes[a];
        to->is_one_formula = from->is_one_formula;
        to->is_written = from->is_written;
        memcpy(to->initial, from->initial, c->agent_count * sizeof *to->initial);
        for (uint32_t t = 0; t < c->type_count; t++) {
            const struct cor_attribute_rule *rule = &from->rules[t];
            if (rule->source == COR_ATTRIBUTE_COMPUTED)
                COR_TRY(cor_configuration_set_formula(copy, a, t, &rule->formula, error));
            if (rule->source != COR_ATTRIBUTE_LEVEL)
                continue;
            COR_TRY(cor_configuration_set_levels(copy, a, t, error));
            to->rules[t].has_inertia = rule->has_inertia;
            for (uint32_t p = 0; p < c->profile_count; p++)
                memcpy(to->rules[t].level[p], rule->level[p],
                       states_of(c, t, p) * sizeof *to->rules[t].level[p]);
        }
    }
    return COR_OK;
}

void core__attributes_destroy(struct cor_configuration *c) {
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        struct cor_agent_attribute *attribute = &c->attributes[a];
        for (uint32_t t = 0; attribute->rules && t < c->type_count; t++) {
            struct cor_attribute_rule *rule = &attribute->rules[t];
            for (uint32_t p = 0; rule->level && p < c->profile_count; p++)
                free(rule->level[p]);
            free(rule->level);
            free(rule->formula.text);
            free(rule->formula.steps);
        }
        free(attribute->rules);
        free(attribute->initial);
        cor_attribute_fini_declaration(attribute);
    }
    free(c->attributes);
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t hash_rule(uint64_t hash, const struct cor_configuration *c, uint32_t type,
                          const struct cor_attribute_rule *rule) {
    hash = cor_hash_word(hash, (uint64_t)rule->source << 1 | rule->has_inertia);
    for (uint32_t p = 0; rule->level && p < c->profile_count; p++)
        hash = cor_hash_bytes(hash, rule->level[p], states_of(c, type, p) * sizeof *rule->level[p]);
    return rule->formula.text ? hash_text(hash, rule->formula.text) : hash;
}

uint64_t core__attributes_hash(uint64_t hash, const struct cor_configuration *c) {
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        const struct cor_agent_attribute *attribute = &c->attributes[a];
        const double bounds[] = {attribute->low, attribute->high};
        hash = hash_text(hash_text(hash, attribute->name), attribute->unit);
        hash = cor_hash_word(hash, attribute->type);
        hash = cor_hash_bytes(hash, bounds, sizeof bounds);
        for (uint32_t w = 0; w < attribute->word_count; w++)
            hash = hash_text(hash, attribute->words[w]);
        for (uint32_t t = 0; t < c->type_count; t++)
            hash = hash_rule(hash, c, t, &attribute->rules[t]);
        hash = cor_hash_bytes(hash, attribute->initial, c->agent_count * sizeof *attribute->initial);
    }
    return hash;
}

/* How the agents of a segment come by an attribute. */
static const struct cor_attribute_rule *rule_of(const struct cor_state *state, uint32_t attribute,
                                                const struct cor_segment *segment) {
    const struct cor_configuration *c = state->configuration;
    return &c->attributes[attribute].rules[c->type[segment->first]];
}

enum cor_status core__attributes_create(struct cor_state *state, struct cor_error *error) {
    const struct cor_configuration *c = state->configuration;
    state->columns = cor_calloc((size_t)1 + c->attribute_count, sizeof(double *));
    COR_TRY(cor_made(state->columns, error));
    state->columns[0] = state->value;
    if (c->attribute_count == 0)
        return COR_OK;
    state->attribute = cor_calloc(c->attribute_count, sizeof *state->attribute);
    COR_TRY(cor_made(state->attribute, error));
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        state->attribute[a] = cor_calloc(c->agent_count, sizeof **state->attribute);
        COR_TRY(cor_made(state->attribute[a], error));
        state->columns[1 + a] = state->attribute[a];
        for (uint32_t s = 0; s < state->segment_count; s++)
            state->has_slow_attributes |= rule_of(state, a, &state->segments[s])->has_inertia;
    }
    return COR_OK;
}

void core__attributes_fini(struct cor_state *state) {
    for (uint32_t a = 0; state->attribute && a < state->configuration->attribute_count; a++)
        free(state->attribute[a]);
    free(state->attribute);
    free(state->columns);
}

void core__attributes_restart(struct cor_state *state) {
    const struct cor_configuration *c = state->configuration;
    for (uint32_t a = 0; a < c->attribute_count; a++)
        memcpy(state->attribute[a], c->attributes[a].initial, c->agent_count * sizeof **state->attribute);
    state->are_attributes_old = true;
}

static void take_slow_steps(struct cor_state *state, uint32_t first, uint32_t end, const double *level,
                            double *column) {
    const double *inertia = state->configuration->inertia;
    const bool may_idle = state->configuration->idle_ratio > 0;
    for (uint32_t agent = first; agent < end; agent++)
        if (!may_idle || state->taken[agent] != COR_IDLES)
            column[agent] += inertia[agent] * (level[state->agent_state[agent]] - column[agent]);
}

static const double *levels_of(const struct cor_state *state, const struct cor_attribute_rule *rule,
                               const struct cor_segment *segment) {
    return rule->level[state->configuration->profile_of_chain[segment->chain]];
}

void core__attributes_perceive(struct cor_state *state, const struct cor_segment *segment, uint32_t first,
                               uint32_t end) {
    state->are_attributes_old = true;
    for (uint32_t a = 0; state->has_slow_attributes && a < state->configuration->attribute_count; a++) {
        const struct cor_attribute_rule *rule = rule_of(state, a, segment);
        if (rule->has_inertia)
            take_slow_steps(state, first, end, levels_of(state, rule, segment), state->attribute[a]);
    }
}

enum { BLOCK = 64 };

/* a / b rounded down; both are integers that a column holds exactly. */
static double floor_divide(double a, double b) {
    const int64_t x = (int64_t)a, y = (int64_t)b, quotient = x / y;
    return (double)(quotient - (x % y != 0 && (x < 0) != (y < 0)));
}

/* What a rare operator makes of two numbers that are defined; NaN: it is undefined of them. */
static inline double operate(uint16_t operator, double a, double b) {
    switch ((enum cor_formula_operator) operator) {
    case COR_FORMULA_NEGATE:
        return -a;
    case COR_FORMULA_DIVIDE:
        return b == 0 ? NAN : a / b;
    case COR_FORMULA_FLOOR_DIVIDE:
        return b == 0 ? NAN : floor_divide(a, b);
    case COR_FORMULA_REMAINDER:
        return b == 0 ? NAN : a - b * floor_divide(a, b);
    case COR_FORMULA_CEIL_DIVIDE:
        return b == 0 ? NAN : -floor_divide(-a, b);
    case COR_FORMULA_MIN:
        return a < b ? a : b;
    case COR_FORMULA_MAX:
        return a > b ? a : b;
    case COR_FORMULA_ABS:
        return fabs(a);
    default:
        break;
    }
    COR_ASSERT(false && "an operator of a formula");
}

/* Number by number, as the operators mean it: for those that are rare. */
static void make_slowly(const struct cor_formula_step *step, const double *left, const double *right,
                        double *result) {
    for (uint32_t i = 0; i < BLOCK; i++)
        result[i] = isnan(left[i]) || isnan(right[i]) ? NAN : operate(step->operator, left[i], right[i]);
}

/* 0 where both are numbers, NaN where one is none. */
static inline double undefined_of(double a, double b) {
    return (a - a) + (b - b);
}

/* A whole block, by loops that the compiler turns into some for several numbers at a time. */
static void make_step(const struct cor_formula_step *step, const double *left, const double *right,
                      double *restrict result) {
#define EACH(EXPRESSION)                        \
    for (uint32_t i = 0; i < BLOCK; i++) {      \
        const double a = left[i], b = right[i]; \
        result[i] = (EXPRESSION);               \
    }                                           \
    break
    switch ((enum cor_formula_operator)step->operator) {
    case COR_FORMULA_ADD:
        EACH(a + b);
    case COR_FORMULA_SUBTRACT:
        EACH(a - b);
    case COR_FORMULA_MULTIPLY:
        EACH(a * b);
    case COR_FORMULA_LESS:
        EACH((a < b ? 1.0 : 0.0) + undefined_of(a, b));
    case COR_FORMULA_LESS_EQUAL:
        EACH((a <= b ? 1.0 : 0.0) + undefined_of(a, b));
    case COR_FORMULA_EQUAL:
        EACH((a == b ? 1.0 : 0.0) + undefined_of(a, b));
    case COR_FORMULA_NOT_EQUAL:
        EACH((a != b ? 1.0 : 0.0) + undefined_of(a, b));
    case COR_FORMULA_AND:
        EACH(a * b);
    case COR_FORMULA_OR:
        EACH(a + b - a * b);
    case COR_FORMULA_NOT:
        EACH(1 - (a + b) / 2); /* unary: both are the same */
    default:
        make_slowly(step, left, right, result);
    }
#undef EACH
    if (step->operator>= COR_FORMULA_LESS)
        return;
    const double most = step->is_integer ? COR_ATTRIBUTE_INTEGER_MAX : DBL_MAX;
    for (uint32_t i = 0; i < BLOCK; i++)
        result[i] = fabs(result[i]) <= most ? result[i] : NAN;
}

/* A block of a column: where it stands, or, of the last one, a copy of what there is of it, and zeros. */
static const double *block_of(const double *column, uint32_t at, uint32_t count, double *room) {
    if (count == BLOCK)
        return column + at;
    memcpy(room, column + at, count * sizeof *room);
    memset(room + count, 0, (BLOCK - count) * sizeof *room);
    return room;
}

/* The attribute of agents first .. end - 1, by its formula; a result that is none of its numbers is NaN. */
static void compute(struct cor_state *state, uint32_t attribute, const struct cor_formula *formula,
                    uint32_t first, uint32_t end) {
    const struct cor_agent_attribute *it = &state->configuration->attributes[attribute];
    double room[COR_FORMULA_STEPS_MAX][BLOCK];
    for (uint32_t at = first; at < end; at += BLOCK) {
        const uint32_t count = end - at < BLOCK ? end - at : BLOCK;
        const double *made[COR_FORMULA_STEPS_MAX];
        for (uint32_t s = 0; s < formula->step_count; s++) {
            const struct cor_formula_step *step = &formula->steps[s];
            made[s] = room[s];
            if (step->operator== COR_FORMULA_COLUMN)
                made[s] = block_of(state->columns[step->left], at, count, room[s]);
            else if (step->operator== COR_FORMULA_CONSTANT)
                for (uint32_t i = 0; i < BLOCK; i++)
                    room[s][i] = step->constant;
            else
                make_step(step, made[step->left], made[step->right], room[s]);
        }
        const double *result = made[formula->step_count - 1];
        double *column = state->attribute[attribute] + at;
        for (uint32_t i = 0; i < count; i++)
            column[i] = result[i] >= it->low && result[i] <= it->high ? result[i] : NAN;
    }
}

/* Agents of a segment whose attribute goes with their state at once, or is computed. */
static void bring_up(struct cor_state *state, uint32_t attribute, const struct cor_segment *segment) {
    const struct cor_attribute_rule *rule = rule_of(state, attribute, segment);
    if (rule->source == COR_ATTRIBUTE_COMPUTED)
        compute(state, attribute, &rule->formula, segment->first, segment->end);
    if (rule->source != COR_ATTRIBUTE_LEVEL || rule->has_inertia)
        return;
    const double *level = levels_of(state, rule, segment);
    for (uint32_t agent = segment->first; agent < segment->end; agent++)
        state->attribute[attribute][agent] = level[state->agent_state[agent]];
}

const double *const *cor_state_columns(struct cor_state *state) {
    const struct cor_configuration *c = state->configuration;
    for (uint32_t a = 0; state->are_attributes_old && a < c->attribute_count; a++) {
        const struct cor_agent_attribute *attribute = &c->attributes[a];
        if (attribute->is_one_formula) {
            compute(state, a, &attribute->rules[0].formula, 0, c->agent_count);
            continue;
        }
        for (uint32_t s = 0; s < state->segment_count; s++)
            bring_up(state, a, &state->segments[s]);
    }
    state->are_attributes_old = false;
    return state->columns;
}

void cor_state_write(struct cor_state *state, uint32_t column, const double *numbers) {
    const size_t bytes = state->configuration->agent_count * sizeof *numbers;
    COR_ASSERT(column <= state->configuration->attribute_count);
    state->are_attributes_old = true;
    if (column > 0) {
        memcpy(state->attribute[column - 1], numbers, bytes);
        return;
    }
    memcpy(state->value, numbers, bytes);
    cor_state_recount(state);
}

void core__attributes_take(struct cor_state *state, const struct cor_state *other) {
    const struct cor_configuration *c = state->configuration;
    for (uint32_t a = 0; a < c->attribute_count; a++)
        memcpy(state->attribute[a], other->attribute[a], c->agent_count * sizeof **state->attribute);
    state->are_attributes_old = other->are_attributes_old;
}

uint64_t core__attributes_hash_state(uint64_t hash, const struct cor_state *state) {
    for (uint32_t a = 0; a < state->configuration->attribute_count; a++)
        for (uint32_t s = 0; s < state->segment_count; s++) {
            const struct cor_segment *segment = &state->segments[s];
            if (rule_of(state, a, segment)->has_inertia || state->configuration->attributes[a].is_written)
                hash = cor_hash_bytes(hash, state->attribute[a] + segment->first,
                                      (segment->end - segment->first) * sizeof **state->attribute);
        }
    return hash;
}
