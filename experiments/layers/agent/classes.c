/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Equivalence classes of one variable (000, 5.2): boundaries, the open intervals between them, words. */
#include "internal.h"

#include <corridor/array.h>

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

enum cor_status agent_layer__boundaries_add(struct agent_layer__boundaries *boundaries,
                                            struct cor_value value, struct cor_error *error) {
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
            COR_TRY(agent_layer__boundaries_add(boundaries, conditions[i].value, error));
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

static enum cor_status add_numbers(struct agent_layer__classes *classes, const struct cor_domain *domain,
                                   const struct agent_layer__boundaries *boundaries,
                                   struct cor_error *error) {
    struct cor_value low = cor_null(), value;
    for (uint32_t i = 0; i <= boundaries->count; i++) {
        struct cor_value high = i < boundaries->count ? boundaries->values[i] : cor_null();
        if (domain->type == COR_VALUE_TYPE_REAL && high.kind == COR_VALUE_INTEGER)
            high = cor_real(as_real(high));
        if (has_values(domain, low, high))
            COR_TRY(append(classes, COR_CLASS_INTERVAL, low, high, cor_null(), error));
        if (i < boundaries->count && boundary_value(domain, high, &value))
            COR_TRY(append_value(classes, value, error));
        low = high;
    }
    return COR_OK;
}

enum cor_status agent_layer__classes_add(struct agent_layer__classes *classes,
                                         const struct cor_domain *domain,
                                         const struct agent_layer__boundaries *boundaries,
                                         struct cor_error *error) {
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
    case COR_VALUE_TYPE_REAL:
        return add_numbers(classes, domain, boundaries, error);
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

bool agent_layer__class_has(const struct cor_unit_class *class, struct cor_value value) {
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
        if (agent_layer__class_has(&cases->classes[c], value))
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

enum cor_status agent_layer__class_draw(const struct cor_unit_class *class, const struct cor_domain *domain,
                                        const struct agent_layer__boundaries *boundaries,
                                        struct cor_words *words, struct cor_rng *rng, struct cor_value *value,
                                        struct cor_error *error) {
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
