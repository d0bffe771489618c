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
    COR_FREE(attribute->words, attribute->name, attribute->unit);
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

enum cor_status cor_configuration_set_attributes(struct cor_configuration *c, uint32_t count,
                                                 const struct cor_agent_attribute *declared,
                                                 struct cor_error *error) {
    COR_ASSERT(!c->attributes && count <= COR_ATTRIBUTES_MAX);
    if (count == 0)
        return COR_OK;
    COR_TRY(cor_made(c->attributes = cor_calloc(count, sizeof *c->attributes), error));
    for (uint32_t a = 0; a < count; a++) {
        COR_TRY(cor_attribute_copy_declaration(&declared[a], &c->attributes[a], error));
        c->attribute_count++;
        /* The attribute as one of the configuration: a rule for each type, a number for each agent. */
        struct cor_agent_attribute *attribute = &c->attributes[a];
        attribute->rules = cor_calloc(c->type_count, sizeof *attribute->rules);
        attribute->initial = cor_calloc(c->agent_count, sizeof *attribute->initial);
        COR_TRY(attribute->rules && attribute->initial ? COR_OK : cor_fail_memory(error));
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
    COR_TRY(cor_made(rule->level = cor_calloc(c->profile_count, sizeof *rule->level), error));
    for (uint32_t p = 0; p < c->profile_count; p++) {
        COR_TRY(cor_made(rule->level[p] = cor_calloc(states_of(c, type, p), sizeof **rule->level), error));
    }
    return COR_OK;
}

enum cor_status cor_configuration_set_formula(struct cor_configuration *c, uint32_t attribute, uint32_t type,
                                              enum cor_attribute_source source,
                                              const struct cor_formula *formula, struct cor_error *error) {
    struct cor_attribute_rule *rule = &c->attributes[attribute].rules[type];
    COR_ASSERT(source == COR_ATTRIBUTE_COMPUTED || source == COR_ATTRIBUTE_ADDED);
    COR_ASSERT(!rule->formula.text && formula->step_count > 0 &&
               formula->step_count <= COR_FORMULA_STEPS_MAX);
    rule->source = source;
    rule->formula =
        (struct cor_formula){cor_strdup(formula->text),
                             cor_calloc(formula->step_count, sizeof *formula->steps), formula->step_count};
    if (!rule->formula.text || !rule->formula.steps)
        return cor_fail_memory(error);
    memcpy(rule->formula.steps, formula->steps, formula->step_count * sizeof *formula->steps);
    return COR_OK;
}

/* The attributes of a configuration: copied into one that has none; freed; hashed, which changes nothing
 * where there are none. */
static enum cor_status attributes_copy(const struct cor_configuration *c, struct cor_configuration *copy,
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
            if (rule->formula.text)
                COR_TRY(cor_configuration_set_formula(copy, a, t, rule->source, &rule->formula, error));
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

static uint64_t attributes_hash(uint64_t hash, const struct cor_configuration *c) {
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
    COR_TRY(cor_made(state->columns = cor_calloc((size_t)1 + c->attribute_count, sizeof(double *)), error));
    state->columns[0] = state->value;
    if (c->attribute_count == 0)
        return COR_OK;
    COR_TRY(cor_made(state->attribute = cor_calloc(c->attribute_count, sizeof *state->attribute), error));
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        COR_TRY(cor_made(state->attribute[a] = cor_calloc(c->agent_count, sizeof **state->attribute), error));
        state->columns[1 + a] = state->attribute[a];
        for (uint32_t s = 0; s < state->segment_count; s++) {
            const struct cor_attribute_rule *rule = rule_of(state, a, &state->segments[s]);
            state->has_slow_attributes |= rule->has_inertia;
            state->has_added_attributes |= rule->source == COR_ATTRIBUTE_ADDED;
        }
    }
    return COR_OK;
}

void core__attributes_fini(struct cor_state *state) {
    for (uint32_t a = 0; state->attribute && a < state->configuration->attribute_count; a++)
        free(state->attribute[a]);
    COR_FREE(state->attribute, state->columns);
}

void core__attributes_restart(struct cor_state *state) {
    const struct cor_configuration *c = state->configuration;
    for (uint32_t a = 0; a < c->attribute_count; a++)
        memcpy(state->attribute[a], c->attributes[a].initial, c->agent_count * sizeof **state->attribute);
    state->are_attributes_old = true;
}

static void take_slow_steps(struct cor_state *state, const uint8_t *taken, uint32_t first, uint32_t end,
                            const double *level, double *column) {
    const double *inertia = state->configuration->inertia;
    const bool may_idle = core__may_idle(state->configuration);
    for (uint32_t agent = first; agent < end; agent++)
        if (!may_idle || taken[agent] != COR_IDLES)
            column[agent] += inertia[agent] * (level[state->agent_state[agent]] - column[agent]);
}

static const double *levels_of(const struct cor_state *state, const struct cor_attribute_rule *rule,
                               const struct cor_segment *segment) {
    return rule->level[state->configuration->profile_of_chain[segment->chain]];
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
        /* Number by number, as the operators mean it: for those that are rare. */
        for (uint32_t j = 0; j < BLOCK; j++)
            result[j] = isnan(left[j]) || isnan(right[j]) ? NAN : operate(step->operator, left[j], right[j]);
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

/* What the formula gives of `count` agents from `at` on, at most a block of them, in the room. */
static const double *reckon_block(const struct cor_state *state, const struct cor_formula *formula,
                                  uint32_t at, uint32_t count, double room[COR_FORMULA_STEPS_MAX][BLOCK]) {
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
    return made[formula->step_count - 1];
}

/* The attribute of agents first .. end - 1, by its formula; a result that is none of its numbers is NaN. */
static void compute(struct cor_state *state, uint32_t attribute, const struct cor_formula *formula,
                    uint32_t first, uint32_t end) {
    const struct cor_agent_attribute *it = &state->configuration->attributes[attribute];
    double room[COR_FORMULA_STEPS_MAX][BLOCK];
    for (uint32_t at = first; at < end; at += BLOCK) {
        const uint32_t count = end - at < BLOCK ? end - at : BLOCK;
        const double *result = reckon_block(state, formula, at, count, room);
        double *column = state->attribute[attribute] + at;
        for (uint32_t i = 0; i < count; i++)
            column[i] = result[i] >= it->low && result[i] <= it->high ? result[i] : NAN;
    }
}

/* Adds what the formula gives to the attribute of agents first .. end - 1 that do not idle, within its
 * bounds; integers stay such that a column holds exactly. */
static void add_up(struct cor_state *state, uint32_t attribute, const struct cor_formula *formula,
                   const uint8_t *taken, uint32_t first, uint32_t end) {
    const struct cor_agent_attribute *it = &state->configuration->attributes[attribute];
    const double most = it->type == COR_ATTRIBUTE_INTEGER ? COR_ATTRIBUTE_INTEGER_MAX : DBL_MAX;
    const double low = fmax(it->low, -most), high = fmin(it->high, most);
    const bool may_idle = core__may_idle(state->configuration);
    double room[COR_FORMULA_STEPS_MAX][BLOCK];
    for (uint32_t at = first; at < end; at += BLOCK) {
        const uint32_t count = end - at < BLOCK ? end - at : BLOCK;
        const double *more = reckon_block(state, formula, at, count, room);
        for (uint32_t i = 0; i < count; i++) {
            double *number = &state->attribute[attribute][at + i];
            if (!isnan(more[i]) && !(may_idle && taken[at + i] == COR_IDLES))
                *number = fmin(fmax(*number + more[i], low), high);
        }
    }
}

/* What goes with the state of agents first .. end - 1 of the segment at once, or is computed. */
static void follow(struct cor_state *state, uint32_t attribute, const struct cor_segment *segment,
                   uint32_t first, uint32_t end) {
    const struct cor_attribute_rule *rule = rule_of(state, attribute, segment);
    if (rule->source == COR_ATTRIBUTE_COMPUTED)
        compute(state, attribute, &rule->formula, first, end);
    if (rule->source == COR_ATTRIBUTE_LEVEL && !rule->has_inertia) {
        const double *level = levels_of(state, rule, segment);
        for (uint32_t agent = first; agent < end; agent++)
            state->attribute[attribute][agent] = level[state->agent_state[agent]];
    }
}

/* One after another, so that what adds up reads those before it as they are now. */
void core__attributes_perceive(struct cor_state *state, const struct cor_segment *segment,
                               const uint8_t *taken, uint32_t first, uint32_t end) {
    state->are_attributes_old = true;
    if (!state->has_slow_attributes && !state->has_added_attributes)
        return;
    for (uint32_t a = 0; a < state->configuration->attribute_count; a++) {
        const struct cor_attribute_rule *rule = rule_of(state, a, segment);
        if (rule->has_inertia)
            take_slow_steps(state, taken, first, end, levels_of(state, rule, segment), state->attribute[a]);
        else if (rule->source == COR_ATTRIBUTE_ADDED)
            add_up(state, a, &rule->formula, taken, first, end);
        else if (state->has_added_attributes)
            follow(state, a, segment, first, end);
    }
}

const double *const *cor_state_columns(struct cor_state *state) {
    const struct cor_configuration *c = state->configuration;
    for (uint32_t a = 0; state->are_attributes_old && a < c->attribute_count; a++) {
        const struct cor_agent_attribute *attribute = &c->attributes[a];
        if (attribute->is_one_formula) {
            compute(state, a, &attribute->rules[0].formula, 0, c->agent_count);
            continue;
        }
        for (uint32_t s = 0; s < state->segment_count; s++) {
            const struct cor_segment *segment = &state->segments[s];
            follow(state, a, segment, segment->first, segment->end);
        }
    }
    state->are_attributes_old = false;
    return state->columns;
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
            const struct cor_attribute_rule *rule = rule_of(state, a, segment);
            if (rule->has_inertia || rule->source == COR_ATTRIBUTE_ADDED ||
                state->configuration->attributes[a].is_written)
                hash = cor_hash_bytes(hash, state->attribute[a] + segment->first,
                                      (segment->end - segment->first) * sizeof **state->attribute);
        }
    return hash;
}

/* ---- configuration */

enum cor_status cor_configuration_create(uint32_t agents, uint32_t groups, uint32_t chains, uint32_t types,
                                         uint32_t profiles, struct cor_configuration **configuration,
                                         struct cor_error *error) {
    struct cor_configuration *c = *configuration = cor_calloc(1, sizeof *c);
    if (!c)
        return cor_fail_memory(error);
    *c = (struct cor_configuration){
        .agent_count = agents,
        .group_count = groups,
        .chain_count = chains,
        .type_count = types,
        .profile_count = profiles,
        .type = cor_calloc(agents, sizeof *c->type),
        .group_start = cor_calloc((size_t)groups + 1, sizeof *c->group_start),
        .chain_of_group = cor_calloc(groups, sizeof *c->chain_of_group),
        .profile_of_chain = cor_calloc(chains, sizeof *c->profile_of_chain),
        .location_of_chain = cor_calloc(chains, sizeof *c->location_of_chain),
        .inertia = cor_calloc(agents, sizeof *c->inertia),
        .initial_state = cor_calloc(agents, sizeof *c->initial_state),
        .initial_value = cor_calloc(agents, sizeof *c->initial_value),
        .initial_partition = cor_calloc(agents, sizeof *c->initial_partition),
        .effects = cor_calloc((size_t)types * profiles, sizeof *c->effects),
        .kind = COR_STRUCTURE_PARTITIONING,
        .limits = COR_NO_LIMITS,
        .measure = COR_MEASURE_RANGE,
        .monitor.fault = COR_MONITOR_FAULT_NONE,
        .adoption.fault = COR_ADOPTION_FAULT_NONE,
    };
    if (c->type && c->group_start && c->chain_of_group && c->profile_of_chain && c->location_of_chain &&
        c->inertia && c->initial_state && c->initial_value && c->initial_partition && c->effects)
        return COR_OK;
    cor_configuration_destroy(c);
    *configuration = NULL;
    return cor_fail_memory(error);
}

enum cor_status cor_configuration_set_effect(struct cor_configuration *configuration, uint32_t type,
                                             uint32_t profile, uint32_t environment_states,
                                             uint32_t relevant_count, uint32_t state_count,
                                             bool probabilistic, struct cor_effect **effect,
                                             struct cor_error *error) {
    struct cor_effect *e = *effect =
        &configuration->effects[(size_t)type * configuration->profile_count + profile];
    size_t rows = (size_t)relevant_count * state_count;
    COR_ASSERT(!e->relevant && rows > 0);
    *e = (struct cor_effect){
        .environment_states = environment_states,
        .relevant_count = relevant_count,
        .state_count = state_count,
        .relevant = cor_calloc(environment_states, 1),
        .next = cor_calloc(rows, 1),
        .cumulative = probabilistic ? cor_calloc(rows * state_count, sizeof *e->cumulative) : NULL,
        .level = cor_calloc(state_count, sizeof *e->level),
    };
    bool whole = e->relevant && e->next && e->level && (!probabilistic || e->cumulative);
    return whole ? COR_OK : cor_fail_memory(error);
}

enum cor_status cor_effect_set_others(struct cor_effect *effect, const struct cor_other_profile *others,
                                      uint32_t count, struct cor_error *error) {
    COR_ASSERT(!effect->others);
    if (count == 0)
        return COR_OK;
    COR_TRY(cor_made(effect->others = cor_calloc(count, sizeof *effect->others), error));
    memcpy(effect->others, others, count * sizeof *others);
    effect->other_count = count;
    return COR_OK;
}

enum cor_status cor_configuration_set_other_chains(struct cor_configuration *configuration,
                                                   struct cor_error *error) {
    const size_t count = (size_t)configuration->group_count * configuration->profile_count;
    configuration->other_chains = cor_calloc(count, sizeof *configuration->other_chains);
    COR_TRY(cor_made(configuration->other_chains, error));
    memset(configuration->other_chains, 0xff, count * sizeof *configuration->other_chains);
    return COR_OK;
}

enum cor_status cor_configuration_set_presence(struct cor_configuration *configuration,
                                               struct cor_error *error) {
    const size_t count = configuration->agent_count;
    configuration->presence_chain = cor_calloc(count, sizeof *configuration->presence_chain);
    COR_TRY(cor_made(configuration->presence_chain, error));
    memset(configuration->presence_chain, 0xff, count * sizeof *configuration->presence_chain);
    return COR_OK;
}

enum cor_status cor_configuration_set_profiles_of_types(struct cor_configuration *configuration,
                                                        struct cor_error *error) {
    configuration->profile_of_type =
        cor_calloc(configuration->type_count, sizeof *configuration->profile_of_type);
    COR_TRY(cor_made(configuration->profile_of_type, error));
    for (uint32_t t = 0; t < configuration->type_count; t++)
        configuration->profile_of_type[t] = COR_NOBODY;
    return COR_OK;
}

static enum cor_status copy_effect(const struct cor_effect *from, uint32_t type, uint32_t profile,
                                   struct cor_configuration *copy, struct cor_error *error) {
    size_t rows = (size_t)from->relevant_count * from->state_count;
    struct cor_effect *to;
    if (!from->relevant)
        return COR_OK;
    COR_TRY(cor_configuration_set_effect(copy, type, profile, from->environment_states, from->relevant_count,
                                         from->state_count, from->cumulative != NULL, &to, error));
    memcpy(to->relevant, from->relevant, from->environment_states);
    memcpy(to->next, from->next, rows);
    if (from->cumulative)
        memcpy(to->cumulative, from->cumulative, rows * from->state_count * sizeof *to->cumulative);
    memcpy(to->level, from->level, from->state_count * sizeof *to->level);
    return cor_effect_set_others(to, from->others, from->other_count, error);
}

enum cor_status cor_configuration_set_kept(struct cor_configuration *c, const void *bytes, uint32_t size,
                                           struct cor_error *error) {
    unsigned char *copy = size > 0 ? cor_calloc(size, 1) : NULL;
    COR_TRY(size == 0 || copy ? COR_OK : cor_fail_memory(error));
    if (size > 0 && bytes)
        memcpy(copy, bytes, size);
    free(c->initial_kept);
    c->initial_kept = copy;
    c->initial_kept_size = size;
    return COR_OK;
}

enum cor_status cor_configuration_copy(const struct cor_configuration *configuration,
                                       struct cor_configuration **copy, struct cor_error *error) {
    const struct cor_configuration *c = configuration;
    COR_TRY(cor_configuration_create(c->agent_count, c->group_count, c->chain_count, c->type_count,
                                     c->profile_count, copy, error));
    enum cor_status status = COR_OK;
    struct cor_configuration *to = *copy;
    memcpy(to->type, c->type, c->agent_count * sizeof *to->type);
    memcpy(to->group_start, c->group_start, ((size_t)c->group_count + 1) * sizeof *to->group_start);
    memcpy(to->chain_of_group, c->chain_of_group, c->group_count * sizeof *to->chain_of_group);
    memcpy(to->profile_of_chain, c->profile_of_chain, c->chain_count * sizeof *to->profile_of_chain);
    memcpy(to->location_of_chain, c->location_of_chain, c->chain_count * sizeof *to->location_of_chain);
    memcpy(to->inertia, c->inertia, c->agent_count * sizeof *to->inertia);
    memcpy(to->initial_state, c->initial_state, c->agent_count);
    memcpy(to->initial_value, c->initial_value, c->agent_count * sizeof *to->initial_value);
    memcpy(to->initial_partition, c->initial_partition, c->agent_count * sizeof *to->initial_partition);
    to->initial_partitions = c->initial_partitions;
    COR_TRY_OUT(cor_configuration_set_kept(to, c->initial_kept, c->initial_kept_size, error));
    to->kind = c->kind;
    to->limits = c->limits;
    to->measure = c->measure;
    to->threshold = c->threshold;
    to->idle_ratio = c->idle_ratio;
    to->monitor = c->monitor;
    to->adoption = c->adoption;
    for (uint32_t type = 0; type < c->type_count; type++)
        for (uint32_t profile = 0; profile < c->profile_count; profile++)
            COR_TRY_OUT(copy_effect(&c->effects[(size_t)type * c->profile_count + profile], type, profile, to,
                                    error));
    if (c->other_chains) {
        COR_TRY_OUT(cor_configuration_set_other_chains(to, error));
        memcpy(to->other_chains, c->other_chains,
               (size_t)c->group_count * c->profile_count * sizeof *to->other_chains);
    }
    if (c->profile_of_type) {
        COR_TRY_OUT(cor_configuration_set_profiles_of_types(to, error));
        memcpy(to->profile_of_type, c->profile_of_type, c->type_count * sizeof *to->profile_of_type);
    }
    if (c->presence_chain) {
        COR_TRY_OUT(cor_configuration_set_presence(to, error));
        memcpy(to->presence_chain, c->presence_chain, c->agent_count * sizeof *to->presence_chain);
    }
    COR_TRY_OUT(cor_lists_copy(&to->initial_organizations, &c->initial_organizations, error));
    COR_TRY_OUT(attributes_copy(c, to, error));
    if (!c->agent_identity)
        goto out;
    to->identity_count = c->identity_count;
    COR_TRY_OUT(cor_made(to->agent_identity = cor_calloc(c->agent_count, sizeof *to->agent_identity), error));
    memcpy(to->agent_identity, c->agent_identity, c->agent_count * sizeof *to->agent_identity);
out:
    if (status != COR_OK) {
        cor_configuration_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

void cor_configuration_destroy(struct cor_configuration *c) {
    if (!c)
        return;
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        struct cor_agent_attribute *attribute = &c->attributes[a];
        for (uint32_t t = 0; attribute->rules && t < c->type_count; t++) {
            struct cor_attribute_rule *rule = &attribute->rules[t];
            for (uint32_t p = 0; rule->level && p < c->profile_count; p++)
                free(rule->level[p]);
            COR_FREE(rule->level, rule->formula.text, rule->formula.steps);
        }
        COR_FREE(attribute->rules, attribute->initial);
        cor_attribute_fini_declaration(attribute);
    }
    free(c->attributes);
    for (size_t i = 0; c->effects && i < (size_t)c->type_count * c->profile_count; i++) {
        COR_FREE(c->effects[i].relevant, c->effects[i].next, c->effects[i].cumulative, c->effects[i].level,
                 c->effects[i].others);
    }
    COR_FREE(c->effects, c->type, c->group_start, c->chain_of_group, c->other_chains, c->profile_of_type,
             c->presence_chain, c->profile_of_chain, c->location_of_chain, c->inertia, c->initial_state,
             c->initial_value, c->initial_partition, c->initial_kept);
    cor_lists_fini(&c->initial_organizations);
    COR_FREE(c->agent_identity, c);
}

static uint64_t hash_effect(uint64_t hash, const struct cor_effect *e) {
    size_t rows = (size_t)e->relevant_count * e->state_count;
    hash = cor_hash_bytes(hash, e->relevant, e->environment_states);
    hash = cor_hash_bytes(hash, e->next, rows);
    if (e->cumulative)
        hash = cor_hash_bytes(hash, e->cumulative, rows * e->state_count * sizeof *e->cumulative);
    if (e->others)
        hash = cor_hash_bytes(hash, e->others, e->other_count * sizeof *e->others);
    return cor_hash_bytes(hash, e->level, e->state_count * sizeof *e->level);
}

uint64_t cor_configuration_hash(const struct cor_configuration *c) {
    const uint32_t counts[] = {c->agent_count,         c->group_count,      c->chain_count,
                               c->type_count,          c->profile_count,    c->limits.size_min,
                               c->limits.size_max,     c->limits.count_min, c->limits.count_max,
                               c->initial_partitions,  c->measure,          c->monitor.fault,
                               c->monitor.delay_cases, c->adoption.fault};
    const double reals[] = {c->threshold, c->idle_ratio, c->monitor.probability, c->adoption.probability};
    uint64_t hash = cor_hash_bytes(COR_HASH_SEED, counts, sizeof counts);
    hash = cor_hash_bytes(hash, reals, sizeof reals);
    hash = cor_hash_bytes(hash, c->type, c->agent_count * sizeof *c->type);
    hash = cor_hash_bytes(hash, c->group_start, ((size_t)c->group_count + 1) * sizeof *c->group_start);
    hash = cor_hash_bytes(hash, c->chain_of_group, c->group_count * sizeof *c->chain_of_group);
    hash = cor_hash_bytes(hash, c->profile_of_chain, c->chain_count * sizeof *c->profile_of_chain);
    hash = cor_hash_bytes(hash, c->location_of_chain, c->chain_count * sizeof *c->location_of_chain);
    hash = cor_hash_bytes(hash, c->inertia, c->agent_count * sizeof *c->inertia);
    hash = cor_hash_bytes(hash, c->initial_state, c->agent_count);
    hash = cor_hash_bytes(hash, c->initial_value, c->agent_count * sizeof *c->initial_value);
    hash = cor_hash_bytes(hash, c->initial_partition, c->agent_count * sizeof *c->initial_partition);
    for (size_t i = 0; i < (size_t)c->type_count * c->profile_count; i++)
        hash = hash_effect(hash, &c->effects[i]);
    if (c->other_chains)
        hash = cor_hash_bytes(hash, c->other_chains,
                              (size_t)c->group_count * c->profile_count * sizeof *c->other_chains);
    if (c->profile_of_type)
        hash = cor_hash_bytes(hash, c->profile_of_type, c->type_count * sizeof *c->profile_of_type);
    if (c->presence_chain)
        hash = cor_hash_bytes(hash, c->presence_chain, c->agent_count * sizeof *c->presence_chain);
    if (c->kind != COR_STRUCTURE_PARTITIONING) {
        const struct cor_lists *lists = &c->initial_organizations;
        hash = cor_hash_word(hash, c->kind);
        for (uint32_t o = 0; o < lists->block_count; o++) {
            hash = cor_hash_word(hash, (uint64_t)cor_lists_size(lists, o) << 32 |
                                           (lists->nests ? lists->parent[o] : COR_NOBODY));
            hash = cor_hash_bytes(hash, cor_lists_block(lists, o),
                                  cor_lists_size(lists, o) * sizeof *lists->members);
        }
    }
    hash = attributes_hash(hash, c);
    if (c->initial_kept_size > 0)
        hash = cor_hash_bytes(hash, c->initial_kept, c->initial_kept_size);
    if (!c->agent_identity)
        return hash;
    hash = cor_hash_bytes(hash, c->agent_identity, c->agent_count * sizeof *c->agent_identity);
    return cor_hash_word(hash, c->identity_count);
}
