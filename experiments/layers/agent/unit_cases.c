/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Equivalence classes of one variable (000, 5.2): boundaries, the open intervals between them, words. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/combine.h>
#include <corridor/design_check.h>
#include <corridor/hash.h>
#include <corridor/rows.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REACH 1000 /* how far from a boundary samples of an interval without end lie */
#define LETTERS_MIN 4
#define LETTERS_MAX 9

static bool is_number(struct cor_value value) {
    return value.kind == COR_VALUE_INTEGER || value.kind == COR_VALUE_REAL;
}

static double as_real(struct cor_value value) {
    return value.kind == COR_VALUE_INTEGER ? (double)value.as.integer : value.as.real;
}

/* Below, equal or above; an integer beside a real counts as the nearest real, as in expressions. */
static int compare(struct cor_value a, struct cor_value b) {
    if (a.kind == COR_VALUE_INTEGER && b.kind == COR_VALUE_INTEGER)
        return (a.as.integer > b.as.integer) - (a.as.integer < b.as.integer);
    if (is_number(a) && is_number(b))
        return (as_real(a) > as_real(b)) - (as_real(a) < as_real(b));
    return cor_value_equal(a, b) ? 0 : 1; /* words, at the end of their list */
}

/* One value more; null divides nothing. */
static enum cor_status boundaries_add(struct agent_layer__boundaries *boundaries, struct cor_value value,
                                      struct cor_error *error) {
    uint32_t at = boundaries->count;
    if (value.kind == COR_VALUE_NULL)
        return COR_OK;
    for (uint32_t i = 0; i < boundaries->count; i++)
        if (compare(value, boundaries->values[i]) == 0)
            return COR_OK;
    while (is_number(value) && at > 0 && compare(value, boundaries->values[at - 1]) < 0)
        at--;
    COR_TRY(COR_RESERVE(&boundaries->values, &boundaries->capacity, boundaries->count + 1, error));
    memmove(boundaries->values + at + 1, boundaries->values + at,
            (boundaries->count - at) * sizeof *boundaries->values);
    boundaries->values[at] = value;
    boundaries->count++;
    return COR_OK;
}

enum cor_status agent_layer__boundaries_add_conditions(struct agent_layer__boundaries *boundaries,
                                                       const struct cor_condition *conditions, uint32_t count,
                                                       struct cor_error *error) {
    for (uint32_t i = 0; i < count; i++)
        if (conditions[i].other == COR_NONE)
            COR_TRY(boundaries_add(boundaries, conditions[i].value, error));
    return COR_OK;
}

void agent_layer__boundaries_fini(struct agent_layer__boundaries *boundaries) {
    free(boundaries->values);
    *boundaries = (struct agent_layer__boundaries){0};
}

/* The integers of an interval; false if there are none. Null ends are those of the type. */
static bool integers_within(struct cor_value low, struct cor_value high, int64_t *least, int64_t *most) {
    *least = INT64_MIN;
    *most = INT64_MAX;
    if (low.kind == COR_VALUE_INTEGER) {
        if (low.as.integer == INT64_MAX)
            return false;
        *least = low.as.integer + 1;
    } else if (low.kind == COR_VALUE_REAL) {
        if (low.as.real >= 0x1p63)
            return false;
        if (low.as.real >= -0x1p63)
            *least = (int64_t)floor(low.as.real) + 1; /* below 2^53, or an integer already: no overflow */
    }
    if (high.kind == COR_VALUE_INTEGER) {
        if (high.as.integer == INT64_MIN)
            return false;
        *most = high.as.integer - 1;
    } else if (high.kind == COR_VALUE_REAL) {
        if (high.as.real <= -0x1p63)
            return false;
        if (high.as.real < 0x1p63)
            *most = (int64_t)ceil(high.as.real) - 1;
    }
    return *least <= *most;
}

/* A real of an interval; `eighths`, 1 .. 8 * REACH, and `share` of [0, 1) say which. */
static double real_within(struct cor_value low, struct cor_value high, uint32_t eighths, double share) {
    double step = eighths / 8.0;
    if (low.kind == COR_VALUE_NULL && high.kind == COR_VALUE_NULL)
        return step - REACH / 2;
    double from = low.kind == COR_VALUE_NULL ? -HUGE_VAL : as_real(low);
    double to = high.kind == COR_VALUE_NULL ? HUGE_VAL : as_real(high);
    double found = low.kind == COR_VALUE_NULL ? to - step : high.kind == COR_VALUE_NULL ? from + step : from;
    if (found > from && found < to)
        return found;
    if (low.kind == COR_VALUE_NULL)
        from = -0x1.fffffffffffffp1023;
    if (high.kind == COR_VALUE_NULL)
        to = 0x1.fffffffffffffp1023;
    /* A real strictly between, NaN if there is none. */
    double between = from + (to - from) * share;
    if (between > from && between < to)
        return between;
    between = from / 2 + to / 2;
    if (between > from && between < to)
        return between;
    between = nextafter(from, to);
    return between > from && between < to ? between : NAN;
}

static bool has_values(const struct cor_domain *domain, struct cor_value low, struct cor_value high) {
    int64_t least, most;
    if (domain->type == COR_VALUE_TYPE_INTEGER)
        return integers_within(low, high, &least, &most);
    return !isnan(real_within(low, high, 1, 0.5));
}

static enum cor_status append(struct agent_layer__classes *classes, enum cor_class_kind kind,
                              struct cor_value low, struct cor_value high, struct cor_value sample,
                              struct cor_error *error) {
    COR_TRY(COR_RESERVE(&classes->items, &classes->capacity, classes->count + 1, error));
    classes->items[classes->count++] =
        (struct cor_unit_class){.kind = kind, .low = low, .high = high, .valid = true, .sample = sample};
    return COR_OK;
}

static enum cor_status append_value(struct agent_layer__classes *classes, struct cor_value value,
                                    struct cor_error *error) {
    return append(classes, COR_CLASS_VALUE, cor_null(), cor_null(), value, error);
}

/* A boundary as a value of the domain; false where it only divides, as 0.5 does between integers. */
static bool boundary_value(const struct cor_domain *domain, struct cor_value boundary,
                           struct cor_value *value) {
    *value = boundary;
    if (domain->type == COR_VALUE_TYPE_INTEGER && boundary.kind == COR_VALUE_REAL) {
        double real = boundary.as.real;
        if (real != floor(real) || real < -0x1p63 || real >= 0x1p63)
            return false;
        *value = cor_integer((int64_t)real);
    }
    return true;
}

enum cor_status agent_layer__classes_add(struct agent_layer__classes *classes,
                                         const struct cor_domain *domain,
                                         const struct agent_layer__boundaries *boundaries,
                                         struct cor_error *error) {
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
    case COR_VALUE_TYPE_REAL: {
        struct cor_value low = cor_null(), value;
        for (uint32_t j = 0; j <= boundaries->count; j++) {
            struct cor_value high = j < boundaries->count ? boundaries->values[j] : cor_null();
            if (domain->type == COR_VALUE_TYPE_REAL && high.kind == COR_VALUE_INTEGER)
                high = cor_real(as_real(high));
            if (has_values(domain, low, high))
                COR_TRY(append(classes, COR_CLASS_INTERVAL, low, high, cor_null(), error));
            if (j < boundaries->count && boundary_value(domain, high, &value))
                COR_TRY(append_value(classes, value, error));
            low = high;
        }
        return COR_OK;
    }
    case COR_VALUE_TYPE_STRING:
        COR_TRY(append_value(classes, cor_null(), error));
        for (uint32_t i = 0; i < boundaries->count; i++)
            COR_TRY(append_value(classes, boundaries->values[i], error));
        return append(classes, COR_CLASS_OTHER, cor_null(), cor_null(), cor_null(), error);
    case COR_VALUE_TYPE_BOOLEAN:
        COR_TRY(append_value(classes, cor_integer(1), error));
        return append_value(classes, cor_integer(0), error);
    case COR_VALUE_TYPE_ENUMERATION:
        break;
    }
    for (uint32_t i = 0; i < domain->word_count; i++)
        COR_TRY(append_value(classes, cor_word(domain->words[i]), error));
    return COR_OK;
}

/* Does the value, one of the domain's, lie in the class? */
static bool class_has(const struct cor_unit_class *class, struct cor_value value) {
    if (class->kind == COR_CLASS_VALUE)
        return cor_value_equal(class->sample, value);
    return class->kind == COR_CLASS_INTERVAL && is_number(value) &&
           (class->low.kind == COR_VALUE_NULL || compare(class->low, value) < 0) &&
           (class->high.kind == COR_VALUE_NULL || compare(value, class->high) < 0);
}

uint32_t agent_layer__class_of(const struct cor_unit_cases *cases, const struct cor_unit_variable *variable,
                               struct cor_value value) {
    uint32_t other = COR_NONE;
    for (uint32_t c = variable->first_class; c < variable->first_class + variable->class_count; c++) {
        if (class_has(&cases->classes[c], value))
            return c;
        if (cases->classes[c].kind == COR_CLASS_OTHER && value.kind == COR_VALUE_WORD)
            other = c;
    }
    return other;
}

struct cor_value agent_layer__class_value(const struct cor_unit_class *class,
                                          const struct cor_domain *domain) {
    int64_t least, most;
    switch (class->kind) {
    case COR_CLASS_VALUE:
        return class->sample;
    case COR_CLASS_OTHER:
        return cor_word(COR_NONE); /* none that any condition names */
    case COR_CLASS_INTERVAL:
        break;
    }
    if (domain->type == COR_VALUE_TYPE_REAL)
        return cor_real(real_within(class->low, class->high, 1, 0.5));
    integers_within(class->low, class->high, &least, &most);
    return cor_integer(class->low.kind == COR_VALUE_NULL ? most : least);
}

/* Near the end that there is: within REACH where the interval has no other end. */
static int64_t draw_integer(const struct cor_unit_class *class, struct cor_rng *rng) {
    bool no_low = class->low.kind == COR_VALUE_NULL, no_high = class->high.kind == COR_VALUE_NULL;
    const uint64_t reach = no_low || no_high ? REACH - 1 : UINT32_MAX - 2;
    int64_t least, most;
    integers_within(class->low, class->high, &least, &most);
    if (no_low && no_high)
        return cor_rng_between(rng, -REACH, REACH);
    if ((uint64_t)most - (uint64_t)least > reach) {
        if (no_low)
            least = most - (int64_t)reach;
        else
            most = least + (int64_t)reach;
    }
    return cor_rng_between(rng, least, most);
}

static double draw_real(const struct cor_unit_class *class, struct cor_rng *rng) {
    uint32_t eighths = 1 + cor_rng_below(rng, 8 * REACH);
    double share = cor_rng_unit(rng);
    return real_within(class->low, class->high, eighths, share);
}

/* A word of small letters that is not among the boundaries. */
static enum cor_status draw_word(const struct agent_layer__boundaries *boundaries, struct cor_words *words,
                                 struct cor_rng *rng, struct cor_value *value, struct cor_error *error) {
    bool is_new;
    do {
        char text[LETTERS_MAX + 1];
        uint32_t word, length = LETTERS_MIN + cor_rng_below(rng, LETTERS_MAX - LETTERS_MIN + 1);
        for (uint32_t i = 0; i < length; i++)
            text[i] = "abcdefghijklmnopqrstuvwxyz"[cor_rng_below(rng, 26)];
        text[length] = '\0';
        COR_TRY(cor_words_intern(words, text, &word, error));
        *value = cor_word(word);
        is_new = true;
        for (uint32_t i = 0; i < boundaries->count; i++)
            is_new = is_new && !cor_value_equal(*value, boundaries->values[i]);
    } while (!is_new);
    return COR_OK;
}

/* A value of the class, drawn where it has several. Words that are new go into `words`. */
static enum cor_status class_draw(const struct cor_unit_class *class, const struct cor_domain *domain,
                                  const struct agent_layer__boundaries *boundaries, struct cor_words *words,
                                  struct cor_rng *rng, struct cor_value *value, struct cor_error *error) {
    switch (class->kind) {
    case COR_CLASS_VALUE:
        *value = class->sample;
        return COR_OK;
    case COR_CLASS_OTHER:
        return draw_word(boundaries, words, rng, value, error);
    case COR_CLASS_INTERVAL:
        break;
    }
    *value = domain->type == COR_VALUE_TYPE_REAL ? cor_real(draw_real(class, rng))
                                                 : cor_integer(draw_integer(class, rng));
    return COR_OK;
}

/* ---- the variables of a unit, their boundaries and which of their classes are valid (000, 5.1 and 5.2) */

/* What is found of one unit. */
struct maker {
    struct cor_unit_cases *cases;
    const struct cor_design *design;
    const uint32_t *members;
    uint32_t member_count;
    struct agent_layer__boundaries *boundaries; /* [variable], beside those of the cases */
    struct cor_indices fields;                  /* that vary, as plans list and then as they read them */
    struct agent_layer__classes classes;
    size_t variable_capacity, boundary_capacity;
    struct cor_error *error;
};

static const struct cor_design_plan *member(const struct maker *maker, uint32_t index) {
    return &maker->design->plans[maker->members[index]];
}

static enum cor_status append_index(struct cor_indices *list, uint32_t index, struct cor_error *error) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == index)
            return COR_OK;
    COR_TRY(COR_RESERVE(&list->items, &list->capacity, list->count + 1, error));
    list->items[list->count++] = index;
    return COR_OK;
}

/* Calls `look` for the context of a plan and each condition of its body. */
typedef enum cor_status expression_look(struct maker *maker, const struct cor_design_plan *plan,
                                        const struct cor_expression *condition, void *data);

static enum cor_status look_at_conditions(struct maker *maker, const struct cor_design_plan *plan,
                                          expression_look *look, void *data) {
    const struct cor_plan_code *code = &plan->code;
    if (code->has_context)
        COR_TRY(look(maker, plan, &code->context, data));
    for (uint32_t i = 0; i < code->instruction_count; i++)
        if (code->instructions[i].kind == COR_INSTRUCTION_BRANCH)
            COR_TRY(look(maker, plan, &code->expressions[code->instructions[i].expression], data));
    return COR_OK;
}

/* The fields that a condition reads, in the order of slots. */
static enum cor_status take_fields(struct maker *maker, const struct cor_design_plan *plan,
                                   const struct cor_expression *condition, void *data) {
    (void)plan;
    (void)data;
    for (uint32_t f = 0; f < maker->design->field_count; f++)
        if (cor_expression_reads(condition, f))
            COR_TRY(append_index(&maker->fields, f, maker->error));
    return COR_OK;
}

/* A slot whose boundaries are wanted. */
struct wanted {
    uint32_t slot;
    const struct cor_domain *domain;
    struct agent_layer__boundaries *boundaries;
};

/* The node, or what it only makes real. */
static const struct cor_node *agent_layer__strip(const struct cor_expression *expression, uint32_t index) {
    const struct cor_node *node = &expression->nodes[index];
    while (node->operator== COR_OPERATOR_TO_REAL)
        node = &expression->nodes[node->left];
    return node;
}

/* The node without its signs. */
static const struct cor_node *strip(const struct cor_expression *expression, uint32_t index, bool *negated) {
    const struct cor_node *node = &expression->nodes[index];
    *negated = false;
    while (node->operator== COR_OPERATOR_TO_REAL || node->operator== COR_OPERATOR_NEGATE) {
        *negated ^= node->operator== COR_OPERATOR_NEGATE;
        node = &expression->nodes[node->left];
    }
    return node;
}

/* The constant that the slot is compared with, on whichever side. */
static bool compared_with(const struct cor_expression *condition, const struct cor_node *comparison,
                          const struct wanted *wanted, struct cor_value *value) {
    bool negated[2];
    const struct cor_node *sides[2] = {strip(condition, comparison->left, &negated[0]),
                                       strip(condition, comparison->right, &negated[1])};
    int variable = sides[0]->operator== COR_OPERATOR_VARIABLE ? 0 : 1;
    const struct cor_node *constant = sides[1 - variable];
    if (sides[variable]->operator!= COR_OPERATOR_VARIABLE || sides[variable]->variable !=
        wanted->slot || constant->
        operator!= COR_OPERATOR_CONSTANT)
        return false;
    bool minus = negated[0] != negated[1]; /* -x < 5 divides at -5 */
    if (wanted->domain->type == COR_VALUE_TYPE_STRING)
        *value = constant->constant < 0 ? cor_null() : cor_word((uint32_t)constant->constant);
    else if (constant->reals)
        *value = cor_real(minus ? -constant->real : constant->real);
    else if (constant->constant == INT64_MIN && minus)
        return false;
    else
        *value = cor_integer(minus ? -constant->constant : constant->constant);
    return true;
}

static bool is_comparison(const struct cor_node *node) {
    return node->operator>= COR_OPERATOR_LESS && node->operator<= COR_OPERATOR_NOT_EQUAL;
}

static enum cor_status take_constants(struct maker *maker, const struct cor_design_plan *plan,
                                      const struct cor_expression *condition, void *data) {
    const struct wanted *wanted = data;
    struct cor_value value;
    (void)plan;
    for (uint32_t i = 0; i < condition->node_count; i++)
        if (is_comparison(&condition->nodes[i]) &&
            compared_with(condition, &condition->nodes[i], wanted, &value))
            COR_TRY(boundaries_add(wanted->boundaries, value, maker->error));
    return COR_OK;
}

/* Does the plan mean the same by the slot as plans triggered by `event` do? */
static bool shares(const struct maker *maker, const struct cor_design_plan *plan, uint32_t slot,
                   uint32_t event) {
    return slot < maker->design->field_count || plan->trigger == event;
}

/* What the plan lists of the slot, NULL if it does not list it. */
static const struct cor_design_variable *listed(const struct cor_design_plan *plan, uint32_t slot) {
    for (uint32_t v = 0; v < plan->variable_count; v++)
        if (plan->variables[v].slot == slot)
            return &plan->variables[v];
    return NULL;
}

static const struct cor_design_parameter *parameter_of(const struct cor_design *design, uint32_t event,
                                                       uint32_t slot) {
    return slot < design->field_count ? NULL : &design->events[event].parameters[slot - design->field_count];
}

/* Is it the number of rows of a relation? */
static bool is_count(const struct cor_design *design, uint32_t slot) {
    if (slot >= design->field_count)
        return false;
    const struct cor_design_belief *belief = &design->beliefs[design->fields[slot].belief];
    return belief->is_relation && slot == belief->first_field + belief->row_width + 1;
}

/* Valid: all conditions of the parameter, and those of any plan that lists the variable, if one does. */
static bool is_valid(const struct maker *maker, uint32_t event, uint32_t slot, struct cor_value value) {
    const struct cor_design_parameter *parameter = parameter_of(maker->design, event, slot);
    bool is_listed = false, holds = false;
    if (parameter && !cor_conditions_hold(parameter->conditions, parameter->condition_count, value, NULL))
        return false;
    for (uint32_t m = 0; m < maker->member_count && !holds; m++) {
        const struct cor_design_plan *plan = member(maker, m);
        const struct cor_design_variable *variable = listed(plan, slot);
        if (!variable || !shares(maker, plan, slot, event))
            continue;
        is_listed = true;
        holds = cor_conditions_hold(variable->conditions, variable->condition_count, value, NULL);
    }
    return holds || !is_listed;
}

/* Appends ">= 0, < 10" to a text. */
static void put_conditions(const struct cor_design *design, const struct cor_domain *domain,
                           const struct cor_condition *conditions, uint32_t count, char *text, size_t size) {
    static const char *const relations[] = {"<", "<=", "=", "!=", ">=", ">"};
    for (uint32_t i = 0; i < count; i++) {
        char value[256];
        size_t used = strlen(text);
        if (conditions[i].other != COR_NONE)
            continue;
        cor_value_text(conditions[i].value, domain, &design->words, value, sizeof value);
        snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "", relations[conditions[i].relation],
                 value);
    }
}

static enum cor_status refuse_all_invalid(const struct maker *maker, uint32_t event, uint32_t slot) {
    const struct cor_design *design = maker->design;
    const struct cor_domain *domain = cor_design_slot_domain(design, event, slot);
    const struct cor_design_parameter *parameter = parameter_of(design, event, slot);
    const char *place = maker->cases->file->path;
    COR_FREED char *name = cor_unit_name(design, &maker->cases->file->order.units, maker->cases->unit);
    char conditions[512] = "";
    if (parameter)
        put_conditions(design, domain, parameter->conditions, parameter->condition_count, conditions,
                       sizeof conditions);
    for (uint32_t m = 0; m < maker->member_count; m++) {
        const struct cor_design_variable *variable = listed(member(maker, m), slot);
        if (!variable || !shares(maker, member(maker, m), slot, event))
            continue;
        put_conditions(design, domain, variable->conditions, variable->condition_count, conditions,
                       sizeof conditions);
        place = member(maker, m)->place;
    }
    return cor_fail(maker->error, COR_STATUS_UNSATISFIABLE, place,
                    "change a condition of the event, or of a plan that lists the variable",
                    "%s: no value of \"%s\" meets %s", name ? name : "",
                    cor_design_slot_name(design, event, slot), conditions);
}

static enum cor_status add_variable(struct maker *maker, uint32_t event, uint32_t slot) {
    struct cor_unit_cases *cases = maker->cases;
    const struct cor_domain *domain = cor_design_slot_domain(maker->design, event, slot);
    struct cor_unit_variable *variable;
    uint32_t index = cases->variable_count;
    COR_TRY(COR_RESERVE(&cases->variables, &maker->variable_capacity, index + 1, maker->error));
    COR_TRY(COR_RESERVE(&maker->boundaries, &maker->boundary_capacity, index + 1, maker->error));
    cases->variable_count++;
    variable = &cases->variables[index];
    *variable = (struct cor_unit_variable){.slot = slot,
                                           .domain = (uint32_t)(domain - maker->design->domains),
                                           .first_class = maker->classes.count};
    maker->boundaries[index] = (struct agent_layer__boundaries){0};
    struct wanted wanted = {slot, domain, &maker->boundaries[index]};
    const struct cor_design_parameter *parameter = parameter_of(maker->design, event, slot);
    for (int64_t rows = 0; rows < 3 && is_count(maker->design, slot); rows++)
        COR_TRY(boundaries_add(wanted.boundaries, cor_integer(rows), maker->error));
    if (parameter)
        COR_TRY(agent_layer__boundaries_add_conditions(wanted.boundaries, parameter->conditions,
                                                       parameter->condition_count, maker->error));
    for (uint32_t m = 0; m < maker->member_count; m++) {
        const struct cor_design_plan *plan = member(maker, m);
        const struct cor_design_variable *bounded = listed(plan, slot);
        if (!shares(maker, plan, slot, event))
            continue;
        if (bounded)
            COR_TRY(agent_layer__boundaries_add_conditions(wanted.boundaries, bounded->conditions,
                                                           bounded->condition_count, maker->error));
        for (uint32_t b = 0; bounded && b < bounded->bound_count; b++)
            COR_TRY(boundaries_add(wanted.boundaries, bounded->bounds[b], maker->error));
        COR_TRY(look_at_conditions(maker, plan, take_constants, &wanted));
    }
    COR_TRY(agent_layer__classes_add(&maker->classes, domain, wanted.boundaries, maker->error));
    if (is_count(maker->design, slot)) {
        /* Numbers of rows are 0, 1, 2 and those at which conditions turn: neither fewer than none nor any
         * number. */
        uint32_t kept = variable->first_class;
        for (uint32_t c = variable->first_class; c < maker->classes.count; c++) {
            const struct cor_unit_class *class = &maker->classes.items[c];
            const bool is_number = class->kind == COR_CLASS_VALUE && class->sample.as.integer >= 0 &&
                                   class->sample.as.integer <= COR_ROWS_MOST;
            if (is_number || (class->kind == COR_CLASS_INTERVAL && class->low.kind == COR_VALUE_INTEGER &&
                              class->low.as.integer >= 0 && class->high.kind == COR_VALUE_INTEGER &&
                              class->high.as.integer <= COR_ROWS_MOST))
                maker->classes.items[kept++] = *class;
        }
        maker->classes.count = kept;
    }
    variable->class_count = maker->classes.count - variable->first_class;
    for (uint32_t c = variable->first_class; c < maker->classes.count; c++) {
        struct cor_unit_class *class = &maker->classes.items[c];
        class->valid = is_valid(maker, event, slot, agent_layer__class_value(class, domain));
        variable->valid_count += class->valid;
    }
    return variable->valid_count > 0 ? COR_OK : refuse_all_invalid(maker, event, slot);
}

static enum cor_status make(struct maker *maker) {
    struct cor_unit_cases *cases = maker->cases;
    for (uint32_t m = 0; m < maker->member_count; m++)
        for (uint32_t v = 0; v < member(maker, m)->variable_count; v++)
            if (member(maker, m)->variables[v].slot < maker->design->field_count)
                COR_TRY(append_index(&maker->fields, member(maker, m)->variables[v].slot, maker->error));
    for (uint32_t m = 0; m < maker->member_count; m++)
        COR_TRY(look_at_conditions(maker, member(maker, m), take_fields, NULL));
    /* Of a relation that the unit reads or writes it varies whether the row is there, and how many there are.
     */
    const struct cor_design *design = maker->design;
    for (uint32_t b = 0; b < design->belief_count; b++) {
        const struct cor_design_belief *belief = &design->beliefs[b];
        bool is_used = false;
        for (uint32_t f = 0; f < maker->fields.count; f++)
            is_used = is_used || design->fields[maker->fields.items[f]].belief == b;
        for (uint32_t m = 0; m < maker->member_count; m++)
            for (uint32_t w = 0; w < member(maker, m)->writes.count; w++)
                is_used = is_used || member(maker, m)->writes.items[w] == b;
        for (uint32_t f = belief->row_width; belief->is_relation && is_used && f < belief->field_count; f++)
            COR_TRY(append_index(&maker->fields, belief->first_field + f, maker->error));
    }
    /* The triggers of the members, each once. */
    COR_TRY(cor_made(cases->entries = cor_calloc(maker->member_count, sizeof *cases->entries), maker->error));
    for (uint32_t m = 0; m < maker->member_count; m++) {
        uint32_t event = member(maker, m)->trigger, known = 0;
        while (known < cases->entry_count && cases->entries[known].event != event)
            known++;
        if (known == cases->entry_count) {
            const struct cor_design_event *of = &maker->design->events[event];
            struct cor_case_entry *entry = &cases->entries[cases->entry_count++];
            *entry = (struct cor_case_entry){.event = event, .first_variable = cases->variable_count};
            for (uint32_t p = 0; p < of->parameter_count; p++)
                COR_TRY(add_variable(maker, event, maker->design->field_count + p));
            /* A key field that has a parameter's value does not vary by itself. */
            for (uint32_t f = 0; f < maker->fields.count; f++)
                if (maker->fields.items[f] >= of->keys.count ||
                    of->keys.items[maker->fields.items[f]] == COR_NONE)
                    COR_TRY(add_variable(maker, event, maker->fields.items[f]));
            entry->variable_count = cases->variable_count - entry->first_variable;
        }
    }
    COR_TRY(cor_made(cases->ranked = cor_calloc(maker->classes.count, sizeof *cases->ranked), maker->error));
    for (uint32_t v = 0; v < cases->variable_count; v++) {
        /* Of each variable the valid classes first. */
        struct cor_unit_variable *variable = &cases->variables[v];
        uint32_t *ranked = cases->ranked + cases->variables[v].first_class;
        const struct cor_unit_class *classes = maker->classes.items + variable->first_class;
        uint32_t next = 0;
        for (uint32_t c = 0; c < variable->class_count; c++)
            if (classes[c].valid)
                ranked[next++] = variable->first_class + c;
        for (uint32_t c = 0; c < variable->class_count; c++)
            if (!classes[c].valid)
                ranked[next++] = variable->first_class + c;
    }
    return COR_OK;
}

/* ---- samples of the classes of a unit. Each is drawn from the stream of (seed; unit and variable; class),
 * so that nothing else of a design changes it. A comparison that is not between a variable and a constant may
 * come out otherwise for other samples, and no boundary sees it: where the samples drawn first leave a
 * context, a condition of a body or such a comparison without one of its outcomes, all are drawn again, now
 * and then at values where comparisons turn, and the first try with the most outcomes is kept */

#define TRIES_MAX 64
#define PROBES_MAX 500 /* cases of a unit that are looked at */
#define TURNS_MAX 64

enum { HELD = 1, HELD_NOT = 2, LESS = 1, EQUAL = 2, GREATER = 4 };

/* A comparison on whose samples its outcome depends, as two conditions over its sides. */
struct tie {
    struct cor_expression less, equal; /* nodes owned */
    uint8_t seen;
};

struct condition {
    const struct cor_expression *expression; /* NULL: a context that there is not */
    uint32_t first_tie, tie_count;
    uint8_t seen;
};

struct sampler {
    struct cor_unit_cases *cases;
    struct cor_design *design;
    const struct agent_layer__boundaries *boundaries; /* [variable] */
    uint64_t unit_hash;
    struct condition *conditions; /* of each plan its context, then those of its body */
    uint32_t condition_count;
    struct tie *ties;
    uint32_t tie_count;
    size_t condition_capacity, tie_capacity;
    int64_t turns[TURNS_MAX]; /* values at which comparisons may turn */
    uint32_t turn_count;
    struct cor_case_values values;
    struct cor_error *error;
};

/* Conditions and comparisons. */
static bool is_numeric(const struct sampler *sampler, uint32_t event, const struct cor_expression *expression,
                       uint32_t index) {
    const struct cor_node *node = &expression->nodes[index];
    if (node->operator!= COR_OPERATOR_VARIABLE)
        return true;
    enum cor_value_type type = cor_design_slot_domain(sampler->design, event, node->variable)->type;
    return type == COR_VALUE_TYPE_INTEGER || type == COR_VALUE_TYPE_REAL;
}

static bool is_tie(const struct sampler *sampler, uint32_t event, const struct cor_expression *expression,
                   uint32_t index) {
    const struct cor_node *node = &expression->nodes[index];
    if (node->operator<COR_OPERATOR_LESS || node->operator> COR_OPERATOR_NOT_EQUAL)
        return false;
    const struct cor_node *left = agent_layer__strip(expression, node->left),
                          *right = agent_layer__strip(expression, node->right);
    bool constant = left->operator== COR_OPERATOR_CONSTANT || right->operator== COR_OPERATOR_CONSTANT;
    bool variable = left->operator== COR_OPERATOR_VARIABLE || right->operator== COR_OPERATOR_VARIABLE;
    bool conditions = left->operator>= COR_OPERATOR_LESS && left->operator<= COR_OPERATOR_NOT;
    return !(constant && variable) && !conditions && is_numeric(sampler, event, expression, node->left) &&
           is_numeric(sampler, event, expression, node->right);
}

/* The expression up to a node, which becomes another operator. */
static enum cor_status copy_part(const struct cor_expression *expression, uint32_t index,
                                 enum cor_operator operator, struct cor_expression * part,
                                 struct cor_error *error) {
    *part = *expression;
    part->text = NULL;
    part->is_constraint = true;
    part->node_count = index + 1;
    COR_TRY(cor_made(part->nodes = cor_calloc(part->node_count, sizeof *part->nodes), error));
    memcpy(part->nodes, expression->nodes, part->node_count * sizeof *part->nodes);
    part->nodes[index].operator= operator;
    return COR_OK;
}

static enum cor_status add_condition(struct sampler *sampler, uint32_t event,
                                     const struct cor_expression *expression) {
    COR_TRY(COR_RESERVE(&sampler->conditions, &sampler->condition_capacity, sampler->condition_count + 1,
                        sampler->error));
    struct condition *condition = &sampler->conditions[sampler->condition_count++];
    *condition = (struct condition){.expression = expression, .first_tie = sampler->tie_count};
    for (uint32_t n = 0; expression && n < expression->node_count; n++)
        if (is_tie(sampler, event, expression, n)) {
            COR_TRY(
                COR_RESERVE(&sampler->ties, &sampler->tie_capacity, sampler->tie_count + 1, sampler->error));
            struct tie *tie = &sampler->ties[sampler->tie_count++];
            *tie = (struct tie){.seen = 0};
            COR_TRY(copy_part(expression, n, COR_OPERATOR_LESS, &tie->less, sampler->error));
            COR_TRY(copy_part(expression, n, COR_OPERATOR_EQUAL, &tie->equal, sampler->error));
        }
    condition->tie_count = sampler->tie_count - condition->first_tie;
    return COR_OK;
}

static const struct cor_design_plan *member_samples(const struct sampler *sampler, uint32_t index) {
    const struct cor_units *units = &sampler->cases->file->order.units;
    return &sampler->design->plans[cor_unit_members(units, &units->units[sampler->cases->unit])[index]];
}

static uint32_t member_count(const struct sampler *sampler) {
    return sampler->cases->file->order.units.units[sampler->cases->unit].member_count;
}

/* Values at which comparisons may turn: boundaries, constants beside variables, and their differences. */
static void add_turn(struct sampler *sampler, int64_t value) {
    for (uint32_t t = 0; t < sampler->turn_count; t++)
        if (sampler->turns[t] == value)
            return;
    if (sampler->turn_count < TURNS_MAX)
        sampler->turns[sampler->turn_count++] = value;
}

/* A number that is far from overflowing, as an integer. */
static bool is_small(struct cor_value value, int64_t *integer) {
    const int64_t most = 1000000000;
    if (value.kind == COR_VALUE_REAL && value.as.real > -1e9 && value.as.real < 1e9)
        *integer = (int64_t)value.as.real;
    else if (value.kind == COR_VALUE_INTEGER && value.as.integer > -most && value.as.integer < most)
        *integer = value.as.integer;
    else
        return false;
    return true;
}

static enum cor_status draw_variable(struct sampler *sampler, const struct cor_case_entry *entry,
                                     uint32_t index, uint32_t attempt) {
    struct cor_unit_cases *cases = sampler->cases;
    const struct cor_unit_variable *variable = &cases->variables[index];
    const bool turns = attempt > 0 && sampler->turn_count > 0;
    for (uint32_t c = 0; c < variable->class_count; c++) {
        /* The stream of a class; the same for a field whichever entry it is a variable of. */
        char text[512];
        cor_unit_variable_text(sampler->cases, entry, variable, text, sizeof text);
        const struct cor_stream_name name = {.seed = sampler->cases->settings.seed,
                                             .identity =
                                                 cor_hash_bytes(sampler->unit_hash, text, strlen(text)),
                                             .sequence = attempt,
                                             .entity = c,
                                             .purpose = COR_PURPOSE_SAMPLE};
        struct cor_rng rng = cor_rng_named(&name);
        /* In every other class a value where a comparison may turn, if one lies in it; else any. */
        struct cor_unit_class *class = &cases->classes[variable->first_class + c];
        const struct cor_domain *domain = &sampler->design->domains[sampler->cases->variables[index].domain];
        if (turns && class->kind == COR_CLASS_INTERVAL && cor_rng_below(&rng, 2) == 0) {
            int64_t turn = sampler->turns[cor_rng_below(&rng, sampler->turn_count)];
            struct cor_value value =
                domain->type == COR_VALUE_TYPE_REAL ? cor_real((double)turn) : cor_integer(turn);
            if (class_has(class, value)) {
                class->sample = value;
                continue;
            }
        }
        COR_TRY(class_draw(class, domain, &sampler->boundaries[index], &sampler->design->words, &rng,
                           &class->sample, sampler->error));
    }
    return COR_OK;
}

static enum cor_status draw(struct sampler *sampler, uint32_t attempt) {
    struct cor_unit_cases *cases = sampler->cases;
    for (uint32_t e = 0; e < cases->entry_count; e++)
        for (uint32_t v = 0; v < cases->entries[e].variable_count; v++)
            COR_TRY(
                draw_variable(sampler, &cases->entries[e], cases->entries[e].first_variable + v, attempt));
    return COR_OK;
}

static void look_at_ties(struct sampler *sampler, const struct condition *condition) {
    const struct cor_value *slots = sampler->values.slots;
    for (uint32_t t = condition->first_tie; t < condition->first_tie + condition->tie_count; t++) {
        struct tie *tie = &sampler->ties[t];
        if (cor_expression_judge(&tie->less, slots))
            tie->seen |= LESS;
        else
            tie->seen |= cor_expression_judge(&tie->equal, slots) ? EQUAL : GREATER;
    }
}

/* The outcomes of a plan's conditions in one case: that a context holds counts in valid cases alone, and what
 * a body says where its plan is started in one. Bodies are looked at with the values at the start. */
static void look_at_plan(struct sampler *sampler, struct condition *condition, uint32_t branch_count) {
    const struct cor_case_values *values = &sampler->values;
    bool holds = !condition->expression || cor_expression_judge(condition->expression, values->slots);
    if (!holds)
        condition->seen |= HELD_NOT;
    if (!values->valid)
        return;
    look_at_ties(sampler, condition);
    if (holds)
        condition->seen |= HELD;
    for (uint32_t b = 1; holds && b <= branch_count; b++) {
        condition[b].seen |= cor_expression_judge(condition[b].expression, values->slots) ? HELD : HELD_NOT;
        look_at_ties(sampler, &condition[b]);
    }
}

static uint32_t bits(uint8_t seen) {
    return (seen & 1u) + (seen >> 1 & 1u) + (seen >> 2 & 1u);
}

static enum cor_status draw_best(struct sampler *sampler) {
    const uint32_t wanted = 2 * sampler->condition_count + 3 * sampler->tie_count;
    uint32_t best = 0, best_score = 0, attempt = 0;
    for (; attempt < TRIES_MAX && best_score < wanted; attempt++) {
        COR_TRY(draw(sampler, attempt));
        /* How many outcomes of conditions and comparisons the cases have. */
        const uint64_t count =
            sampler->cases->count - sampler->cases->own_count - sampler->cases->solved_count;
        uint32_t reached = 0;
        for (uint32_t c = 0; c < sampler->condition_count; c++)
            sampler->conditions[c].seen = 0;
        for (uint32_t t = 0; t < sampler->tie_count; t++)
            sampler->ties[t].seen = 0;
        for (uint64_t i = 0; i < count && i < PROBES_MAX; i++) {
            const uint64_t index = count <= PROBES_MAX ? i : cor_hash_word(COR_HASH_SEED, i) % count;
            struct cor_case_values *values = &sampler->values;
            struct condition *condition = sampler->conditions;
            cor_unit_case_make(sampler->cases, index, values);
            cor_design_view(sampler->design, values->event, values->beliefs, values->arguments,
                            values->slots);
            for (uint32_t m = 0; m < member_count(sampler); m++) {
                const struct cor_design_plan *plan = member_samples(sampler, m);
                if (plan->trigger == values->event)
                    look_at_plan(sampler, condition, plan->code.branch_count);
                condition += 1 + plan->code.branch_count;
            }
        }
        for (uint32_t c = 0; c < sampler->condition_count; c++)
            reached += bits(sampler->conditions[c].seen);
        for (uint32_t t = 0; t < sampler->tie_count; t++)
            reached += bits(sampler->ties[t].seen);
        if (reached > best_score) {
            best_score = reached;
            best = attempt;
        }
    }
    return best + 1 == attempt ? COR_OK : draw(sampler, best);
}

/* Samples of all classes of `cases`, which is otherwise whole. */
static enum cor_status unit_samples_draw(struct cor_unit_cases *cases,
                                         const struct agent_layer__boundaries *boundaries,
                                         struct cor_error *error) {
    struct sampler sampler = {
        .cases = cases, .design = cases->file->design, .boundaries = boundaries, .error = error};
    enum cor_status status = COR_OK;
    COR_FREED char *name = cor_unit_name(sampler.design, &cases->file->order.units, cases->unit);
    COR_TRY_OUT(cor_made(name, error));
    sampler.unit_hash = cor_hash_bytes(COR_HASH_SEED, name, strlen(name));
    for (uint32_t m = 0; m < member_count(&sampler); m++) {
        const struct cor_design_plan *plan = member_samples(&sampler, m);
        const struct cor_plan_code *code = &plan->code;
        COR_TRY_OUT(add_condition(&sampler, plan->trigger, code->has_context ? &code->context : NULL));
        for (uint32_t i = 0; i < code->instruction_count; i++)
            if (code->instructions[i].kind == COR_INSTRUCTION_BRANCH)
                COR_TRY_OUT(add_condition(&sampler, plan->trigger,
                                          &code->expressions[code->instructions[i].expression]));
    }
    if (sampler.tie_count == 0) { /* the outcomes are those of the classes, whatever the samples */
        status = draw(&sampler, 0);
        goto out;
    }
    int64_t boundary;
    for (uint32_t j = 0; j < sampler.tie_count; j++) {
        int64_t constant;
        for (uint32_t n = 0; n < sampler.ties[j].less.node_count; n++) {
            const struct cor_node *node = &sampler.ties[j].less.nodes[n];
            struct cor_value value = node->reals ? cor_real(node->real) : cor_integer(node->constant);
            if (node->operator== COR_OPERATOR_CONSTANT && is_small(value, &constant))
                add_turn(&sampler, constant);
        }
    }
    const uint32_t constants = sampler.turn_count;
    for (uint32_t v = 0; v < sampler.cases->variable_count; v++)
        for (uint32_t b = 0; b < sampler.boundaries[v].count; b++)
            if (is_small(sampler.boundaries[v].values[b], &boundary)) {
                add_turn(&sampler, boundary);
                for (uint32_t c = 0; c < constants; c++)
                    add_turn(&sampler, sampler.turns[c] - boundary);
            }
    COR_TRY_OUT(cor_case_values_init(&sampler.values, sampler.design, error));
    COR_TRY_OUT(draw_best(&sampler));
out:
    cor_case_values_fini(&sampler.values);
    for (uint32_t t = 0; t < sampler.tie_count; t++) {
        COR_FREE(sampler.ties[t].less.nodes, sampler.ties[t].equal.nodes);
    }
    COR_FREE(sampler.ties, sampler.conditions);
    return status;
}

/* ---- one case of a unit: its values, whether it can be, and how it is told */

enum cor_status cor_case_values_init(struct cor_case_values *values, const struct cor_design *design,
                                     struct cor_error *error) {
    uint32_t parameters = 0;
    enum cor_status status = COR_OK;
    *values = (struct cor_case_values){0};
    for (uint32_t e = 0; e < design->event_count; e++)
        if (design->events[e].parameter_count > parameters)
            parameters = design->events[e].parameter_count;
    values->classes = cor_calloc((size_t)design->field_count + parameters, sizeof *values->classes);
    COR_TRY_OUT(cor_made(values->classes, error));
    COR_TRY_OUT(cor_made(values->arguments = cor_calloc(parameters, sizeof *values->arguments), error));
    COR_TRY_OUT(cor_made(values->beliefs = cor_calloc(design->field_count, sizeof *values->beliefs), error));
    values->slots = cor_calloc((size_t)design->field_count + parameters, sizeof *values->slots);
    COR_TRY_OUT(cor_made(values->slots, error));
out:
    if (status != COR_OK)
        cor_case_values_fini(values);
    return status;
}

void cor_case_values_fini(struct cor_case_values *values) {
    COR_FREE(values->classes, values->arguments, values->beliefs, values->slots);
    *values = (struct cor_case_values){0};
}

static void copy_values(struct cor_value *to, const struct cor_value *from, uint32_t count) {
    if (count > 0)
        memcpy(to, from, count * sizeof *to);
}

/* The classes of what is in the values; true: all are valid. */
static bool find_classes(const struct cor_unit_cases *cases, struct cor_case_values *values) {
    const struct cor_case_entry *entry = &cases->entries[values->entry];
    const uint32_t fields = cases->file->design->field_count;
    bool are_valid = true;
    for (uint32_t v = 0; v < entry->variable_count; v++) {
        const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
        const uint32_t slot = variable->slot;
        const uint32_t class = agent_layer__class_of(
            cases, variable, slot < fields ? values->beliefs[slot] : values->arguments[slot - fields]);
        values->classes[v] = class;
        are_valid = are_valid && class != COR_NONE && cases->classes[class].valid;
    }
    return are_valid;
}

void cor_case_values_copy(struct cor_case_values *to, const struct cor_case_values *from,
                          const struct cor_unit_cases *cases) {
    const struct cor_design *design = cases->file->design;
    const uint32_t variables = cases->entries[from->entry].variable_count;
    to->entry = from->entry;
    to->event = from->event;
    to->valid = from->valid;
    to->own = from->own;
    to->solved = from->solved;
    if (variables > 0)
        memcpy(to->classes, from->classes, variables * sizeof *to->classes);
    copy_values(to->arguments, from->arguments, design->events[from->event].parameter_count);
    copy_values(to->beliefs, from->beliefs, design->field_count);
}

/* The classes of the values are ranks: they become classes, and classes values. */
static void make_of_ranks(const struct cor_unit_cases *cases, const struct cor_case_entry *entry,
                          struct cor_case_values *values) {
    const struct cor_design *design = cases->file->design;
    values->own = values->solved = false;
    values->valid = true;
    values->event = entry->event;
    values->entry = (uint32_t)(entry - cases->entries);
    for (uint32_t f = 0; f < design->field_count; f++)
        values->beliefs[f] = design->fields[f].start;
    for (uint32_t v = 0; v < entry->variable_count; v++) {
        const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
        uint32_t class = cases->ranked[variable->first_class + values->classes[v]];
        values->classes[v] = class;
        values->valid &= cases->classes[class].valid;
        if (variable->slot < design->field_count)
            values->beliefs[variable->slot] = cases->classes[class].sample;
        else
            values->arguments[variable->slot - design->field_count] = cases->classes[class].sample;
    }
}

void cor_unit_case_begin(const struct cor_unit_cases *cases, uint32_t entry, struct cor_case_values *values) {
    for (uint32_t v = 0; v < cases->entries[entry].variable_count; v++)
        values->classes[v] = 0;
    make_of_ranks(cases, &cases->entries[entry], values);
}

bool cor_unit_case_is_own(const struct cor_unit_cases *cases, uint64_t index) {
    const uint64_t made = cases->count - cases->own_count - cases->solved_count;
    return index >= made && index < made + cases->own_count;
}

void cor_unit_case_settle(const struct cor_unit_cases *cases, uint64_t index,
                          struct cor_case_values *values) {
    values->own = cor_unit_case_is_own(cases, index);
    values->solved = false;
    values->valid = find_classes(cases, values) || values->own;
}

void cor_unit_case_make(const struct cor_unit_cases *cases, uint64_t index, struct cor_case_values *values) {
    const struct cor_case_entry *entry = cases->entries;
    COR_ASSERT(index < cases->count);
    const uint64_t made = cases->count - cases->own_count - cases->solved_count;
    if (index >= made) {
        const struct cor_design *design = cases->file->design;
        const struct cor_own_case *own = &cases->file->own_cases[cases->own[index - made]];
        values->own = !own->solved;
        values->solved = own->solved;
        values->valid = own->valid;
        values->event = own->event;
        for (values->entry = 0; cases->entries[values->entry].event != own->event;)
            values->entry++;
        copy_values(values->arguments, own->arguments, design->events[own->event].parameter_count);
        copy_values(values->beliefs, own->beliefs, design->field_count);
        find_classes(cases, values);
        return;
    }
    while (index >= entry->first_case + entry->case_count)
        entry++;
    index -= entry->first_case;
    if (index >= entry->row_count) {
        /* Rows with one invalid class: variable after variable, class after class. */
        uint64_t row = index - entry->row_count;
        const struct cor_unit_variable *variables = cases->variables + entry->first_variable;
        uint32_t invalid = 0;
        for (;; invalid++) {
            const struct cor_unit_variable *variable = &variables[invalid];
            COR_ASSERT(invalid < entry->variable_count);
            uint64_t rows = (uint64_t)(variable->class_count - variable->valid_count) * variable->single_rows;
            if (row < rows)
                break;
            row -= rows;
        }
        for (uint32_t v = 0; v < entry->variable_count; v++)
            values->classes[v] = (uint32_t)(row % variables[invalid].single_rows) % variables[v].valid_count;
        values->classes[invalid] =
            variables[invalid].valid_count + (uint32_t)(row / variables[invalid].single_rows);
    } else if (entry->row_ranks) {
        memcpy(values->classes, entry->row_ranks + index * entry->variable_count,
               entry->variable_count * sizeof *values->classes);
    } else {
        /* Combination `index` of all: the last variable changes fastest. */
        for (uint32_t v = entry->variable_count; v-- > 0;) {
            const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
            uint32_t count = entry->only_valid ? variable->valid_count : variable->class_count;
            values->classes[v] = (uint32_t)(index % count);
            index /= count;
        }
    }
    make_of_ranks(cases, entry, values);
}

bool cor_unit_case_applicable(const struct cor_unit_cases *cases, struct cor_case_values *values) {
    const struct cor_design *design = cases->file->design;
    const struct cor_units *units = &cases->file->order.units;
    const struct cor_unit *unit = &units->units[cases->unit];
    cor_design_view(design, values->event, values->beliefs, values->arguments, values->slots);
    for (uint32_t m = 0; m < unit->member_count; m++) {
        const struct cor_design_plan *plan = &design->plans[cor_unit_members(units, unit)[m]];
        if (plan->trigger == values->event &&
            (!plan->code.has_context || cor_expression_judge(&plan->code.context, values->slots)))
            return true;
    }
    return false;
}

void cor_unit_class_text(const struct cor_unit_cases *cases, const struct cor_unit_variable *variable,
                         const struct cor_unit_class *class, char *text, size_t size) {
    const struct cor_design *design = cases->file->design;
    const struct cor_domain *domain = &design->domains[variable->domain];
    char low[64] = "-inf", high[64] = "+inf";
    switch (class->kind) {
    case COR_CLASS_VALUE:
        if (class->sample.kind == COR_VALUE_WORD)
            snprintf(text, size, "%s", cor_words_text(&design->words, class->sample.as.word));
        else
            cor_value_text(class->sample, domain, &design->words, text, size);
        return;
    case COR_CLASS_OTHER: { /* "other than 'a', 'b'" */
        const char *between = "other than ";
        snprintf(text, size, "not null");
        for (uint32_t c = 0; c < variable->class_count; c++) {
            const struct cor_unit_class *other = &cases->classes[variable->first_class + c];
            char value[256];
            if (other->kind != COR_CLASS_VALUE || other->sample.kind == COR_VALUE_NULL)
                continue;
            cor_value_text(other->sample, domain, &design->words, value, sizeof value);
            size_t used = between[0] == 'o' ? 0 : strlen(text);
            snprintf(text + used, size - used, "%s%s", between, value);
            between = ", ";
        }
        return;
    }
    case COR_CLASS_INTERVAL:
        break;
    }
    if (class->low.kind != COR_VALUE_NULL)
        cor_value_text(class->low, domain, &design->words, low, sizeof low);
    if (class->high.kind != COR_VALUE_NULL)
        cor_value_text(class->high, domain, &design->words, high, sizeof high);
    snprintf(text, size, "(%s, %s)", low, high);
}

void cor_unit_variable_text(const struct cor_unit_cases *cases, const struct cor_case_entry *entry,
                            const struct cor_unit_variable *variable, char *text, size_t size) {
    const struct cor_design *design = cases->file->design;
    const char *name = cor_design_slot_name(design, entry->event, variable->slot);
    if (variable->slot < design->field_count || cases->entry_count == 1)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s.%s", design->events[entry->event].name, name);
}

/* ---- cases of a unit by number: what comes first - combinations of classes, or rows searched for -, then,
 * where that was made of valid classes alone, those with one invalid class, entry after entry; last the
 * user's */

#define SEARCH_MOVES 20000 /* for fewer rows */

static uint64_t times(uint64_t a, uint64_t b) {
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* A parameter of that many levels; their texts are their numbers. */
static enum cor_status add_parameter(struct cor_combine_model *model, uint32_t index, uint32_t level_count,
                                     struct cor_error *error) {
    char name[24];
    enum cor_status status = COR_OK;
    COR_FREED struct cor_combine_level *levels = cor_calloc(level_count, sizeof *levels);
    char(*texts)[12] = cor_calloc(level_count, sizeof *texts);
    if (!levels || !texts)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < level_count; i++) {
        snprintf(texts[i], sizeof texts[i], "%u", i);
        levels[i] = (struct cor_combine_level){.text = texts[i], .value = cor_integer(i)};
    }
    snprintf(name, sizeof name, "v%u", index);
    status = cor_combine_add_parameter(model, name, COR_VALUE_TYPE_INTEGER, levels, level_count, NULL, error);
out:
    free(texts);
    return status;
}

/* Rows in which any `strength` variables have all combinations of their classes. */
static enum cor_status search_rows(const struct cor_unit_cases *cases, struct cor_case_entry *entry,
                                   struct cor_error *error) {
    const struct cor_unit_variable *variables = cases->variables + entry->first_variable;
    struct cor_combine_request request = cor_default_combine_request();
    COR_DESTROYED(cor_combine_model) struct cor_combine_model *model = NULL;
    COR_FINISHED(cor_combine_array) struct cor_combine_array array = {0};
    enum cor_status status = COR_OK;
    COR_TRY(cor_combine_model_create(&cases->file->design->words, &model, error));
    for (uint32_t v = 0; v < entry->variable_count; v++)
        COR_TRY(add_parameter(
            model, v, entry->only_valid ? variables[v].valid_count : variables[v].class_count, error));
    request.policy = COR_COMBINE_T_WISE;
    request.strength =
        cases->settings.strength < entry->variable_count ? cases->settings.strength : entry->variable_count;
    request.seed = cases->settings.seed;
    request.moves = SEARCH_MOVES;
    /* What combine refuses, it says of a model; here it is said of a unit. */
    struct cor_error said = COR_NO_ERROR;
    status = cor_combine_generate(model, &request, &array, &said);
    if (status != COR_OK) {
        char *name = cor_unit_name(cases->file->design, &cases->file->order.units, cases->unit);
        (void)cor_fail(error, status, cases->file->path, said.remedy, "%s: %s", name ? name : "", said.cause);
        free(name);
        return status;
    }
    entry->row_count = array.row_count;
    entry->row_ranks = array.levels;
    array.levels = NULL;
    return status;
}

static enum cor_status refuse_many(const struct cor_unit_cases *cases, uint64_t count,
                                   struct cor_error *error) {
    COR_FREED char *name = cor_unit_name(cases->file->design, &cases->file->order.units, cases->unit);
    return cor_fail(error, COR_STATUS_INPUT, cases->file->path,
                    "take fewer boundaries, a lower exhaustive_limit, or the policy valid-t or t-wise",
                    "%s: %s%llu combinations in full, more than %u", name ? name : "",
                    count == UINT64_MAX ? "over " : "", (unsigned long long)count, COR_CASES_MAX);
}

/* What comes first of an entry, and how much it is. */
static enum cor_status plan_entry(struct cor_unit_cases *cases, struct cor_case_entry *entry,
                                  struct cor_error *error) {
    const struct cor_test_settings *settings = &cases->settings;
    enum cor_case_policy policy = settings->policy;
    entry->only_valid = policy == COR_POLICY_VALID_ALL || policy == COR_POLICY_VALID_T;
    entry->row_count = entry->only_valid ? entry->valid : entry->combinations;
    bool in_full = policy == COR_POLICY_ALL ||
                   (policy == COR_POLICY_VALID_ALL && entry->valid <= settings->exhaustive_limit);
    if (in_full && entry->row_count > COR_CASES_MAX)
        return refuse_many(cases, entry->row_count, error);
    if (!in_full && entry->variable_count > 0)
        COR_TRY(search_rows(cases, entry, error));
    entry->first_case = cases->count;
    entry->case_count = entry->row_count + (entry->only_valid ? entry->invalid_single : 0);
    cases->count += entry->case_count;
    return cases->count > COR_CASES_MAX ? refuse_many(cases, cases->count, error) : COR_OK;
}

enum cor_status cor_unit_cases_init(struct cor_unit_cases *cases, const struct cor_design_file *file,
                                    uint32_t unit, const struct cor_test_settings *settings,
                                    struct cor_error *error) {
    COR_FREED struct agent_layer__boundaries *boundaries = NULL;
    enum cor_status status = COR_OK;
    COR_ASSERT(unit < file->order.units.count);
    *cases = (struct cor_unit_cases){
        .file = file, .unit = unit, .settings = settings ? *settings : file->design->settings};
    /* Entries, variables with their boundaries, classes and ranks of the unit; samples are still null. */
    const struct cor_units *units = &file->order.units;
    const struct cor_unit *of = &units->units[unit];
    struct maker maker = {.cases = cases,
                          .design = file->design,
                          .members = cor_unit_members(units, of),
                          .member_count = of->member_count,
                          .error = error};
    status = make(&maker);
    cases->classes = maker.classes.items;
    cases->class_count = maker.classes.count;
    boundaries = maker.boundaries;
    free(maker.fields.items);
    COR_TRY_OUT(status);
    for (uint32_t e = 0; e < cases->entry_count; e++) {
        struct cor_case_entry *entry = &cases->entries[e];
        /* How many rows of the others' valid classes each invalid class of a variable is combined with: as
         * many as the one of them with most has, so that each occurs. */
        struct cor_unit_variable *variables = cases->variables + entry->first_variable;
        for (uint32_t v = 0; v < entry->variable_count; v++) {
            variables[v].single_rows = 1;
            for (uint32_t other = 0; other < entry->variable_count; other++)
                if (other != v && variables[other].valid_count > variables[v].single_rows)
                    variables[v].single_rows = variables[other].valid_count;
        }
        entry->combinations = entry->valid = 1;
        for (uint32_t v = 0; v < entry->variable_count; v++) {
            const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
            uint32_t invalid = variable->class_count - variable->valid_count;
            entry->combinations = times(entry->combinations, variable->class_count);
            entry->valid = times(entry->valid, variable->valid_count);
            entry->invalid_single += (uint64_t)invalid * variable->single_rows;
        }
        cases->combinations = plus(cases->combinations, entry->combinations);
        cases->valid = plus(cases->valid, entry->valid);
        cases->invalid_single = plus(cases->invalid_single, entry->invalid_single);
        COR_TRY_OUT(plan_entry(cases, entry, error));
    }
    COR_TRY_OUT(cor_made(cases->own = cor_calloc(file->own_case_count, sizeof *cases->own), error));
    for (uint32_t i = 0; i < file->own_case_count; i++)
        if (file->own_cases[i].unit == cases->unit) {
            cases->own[cases->own_count + cases->solved_count] = i;
            cases->own_count += !file->own_cases[i].solved;
            cases->solved_count += file->own_cases[i].solved;
        }
    cases->count += cases->own_count + cases->solved_count;
    COR_TRY_OUT(unit_samples_draw(cases, boundaries, error));
out:
    for (uint32_t v = 0; boundaries && v < cases->variable_count; v++)
        agent_layer__boundaries_fini(&boundaries[v]);
    if (status != COR_OK)
        cor_unit_cases_fini(cases);
    return status;
}

void cor_unit_cases_fini(struct cor_unit_cases *cases) {
    for (uint32_t e = 0; e < cases->entry_count; e++)
        free(cases->entries[e].row_ranks);
    COR_FREE(cases->entries, cases->variables, cases->classes, cases->ranked, cases->own);
    *cases = (struct cor_unit_cases){0};
}

/* ---- what was solved for a design, as JSON and back: an experiment that is read again asks nobody */

void cor_design_put_solved(struct cor_json_writer *writer, const struct cor_design_file *file,
                           const struct cor_design_findings *findings) {
    cor_json_open_object(writer, "solved");
    cor_json_open_array(writer, "cases");
    for (uint32_t i = 0; i < file->own_case_count; i++)
        if (file->own_cases[i].solved) {
            const struct cor_design *design = file->design;
            const struct cor_design_event *event = &design->events[file->own_cases[i].event];
            COR_FREED char *unit = cor_unit_name(design, &file->order.units, file->own_cases[i].unit);
            cor_json_open_object(writer, NULL);
            cor_json_put_string(writer, "unit", unit ? unit : "");
            cor_json_put_string(writer, "event", event->name);
            cor_design_put_arguments(writer, design, event, file->own_cases[i].arguments);
            cor_json_open_object(writer, "beliefs");
            for (uint32_t f = 0; f < design->field_count; f++)
                if (!cor_value_equal(file->own_cases[i].beliefs[f], design->fields[f].start))
                    cor_design_put_value(writer, design->fields[f].full_name, design,
                                         design->fields[f].domain, file->own_cases[i].beliefs[f]);
            cor_json_close(writer);
            cor_json_put_bool(writer, "valid", file->own_cases[i].valid);
            cor_json_close(writer);
        }
    cor_json_close(writer);
    cor_json_open_array(writer, "found");
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_design_finding *it = &findings->items[f];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "check", cor_term_word(COR_FAMILY_AUT_CHECK, (int)it->check));
        cor_json_put_string(writer, "severity", cor_term_word(COR_FAMILY_SEVERITY, (int)it->severity));
        cor_json_put_string(writer, "ground", cor_ground_word(it->ground));
        cor_json_put_string(writer, "about", it->about);
        cor_json_put_string(writer, "plan", it->plan);
        cor_json_put_string(writer, "text", it->text);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

/* A finding as it stands. */
struct said {
    const char *ground, *about, *plan, *text;
    int check, severity;
};

static const struct cor_field finding_fields[] = {
    {"check", COR_REQUIRED, COR_TERM_FIELD(struct said, check, COR_FAMILY_AUT_CHECK)},
    {"severity", COR_REQUIRED, COR_TERM_FIELD(struct said, severity, COR_FAMILY_SEVERITY)},
    {"ground", COR_REQUIRED, COR_STRING_FIELD(struct said, ground)},
    {"about", COR_REQUIRED, COR_STRING_FIELD(struct said, about)},
    {"plan", COR_REQUIRED, COR_STRING_FIELD(struct said, plan)},
    {"text", COR_REQUIRED, COR_STRING_FIELD(struct said, text)},
    {0}};

/* Where they go. */
struct into {
    struct cor_design_file *file;
    struct cor_design_findings *findings;
};

static enum cor_status read_found(const struct cor_json *json, void *with, struct cor_error *error) {
    struct into *into = with;
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        struct cor_design_findings *findings = into->findings;
        struct said said = {0};
        COR_TRY(cor_json_fields(&item, finding_fields, &said, error));
        enum cor_ground ground = COR_GROUND_STRUCTURE;
        while (ground <= COR_GROUND_OPEN && strcmp(cor_ground_word(ground), said.ground) != 0)
            ground++;
        if (ground > COR_GROUND_OPEN)
            return cor_json_fail(&item, error, "structure, witness, proof or open",
                                 "no ground is called \"%s\"", said.ground);
        const struct cor_design_finding finding = {.check = (enum cor_aut_check)said.check,
                                                   .severity = (enum cor_severity)said.severity,
                                                   .ground = ground,
                                                   .about = (char *)(uintptr_t)said.about,
                                                   .plan = (char *)(uintptr_t)said.plan,
                                                   .text = (char *)(uintptr_t)said.text};
        COR_TRY(cor_design_findings_add(findings, &finding, error));
    }
    return COR_OK;
}

static enum cor_status read_cases(const struct cor_json *json, void *with, struct cor_error *error) {
    return agent_layer__read_solved_cases(json, ((struct into *)with)->file, error);
}

static const struct cor_field fields[] = {{"cases", COR_REQUIRED, COR_READ_FIELD(read_cases)},
                                          {"found", COR_REQUIRED, COR_READ_FIELD(read_found)},
                                          {0}};

enum cor_status cor_design_read_solved(const struct cor_json *json, struct cor_design_file *file,
                                       struct cor_design_findings *findings, struct cor_error *error) {
    struct into into = {file, findings};
    return cor_json_fields(json, fields, &into, error);
}

enum cor_status cor_design_findings_add(struct cor_design_findings *findings,
                                        const struct cor_design_finding *finding, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&findings->items, &findings->capacity, (size_t)findings->count + 1, error));
    struct cor_design_finding *kept = &findings->items[findings->count++];
    *kept = *finding;
    kept->about = cor_strdup(finding->about);
    kept->plan = cor_strdup(finding->plan);
    kept->text = cor_strdup(finding->text);
    return kept->about && kept->plan && kept->text ? COR_OK : cor_fail_memory(error);
}

const char *cor_ground_word(enum cor_ground ground) {
    static const char *const words[] = {"?", "structure", "witness", "proof", "open"};
    return words[(unsigned)ground <= COR_GROUND_OPEN ? ground : 0];
}
