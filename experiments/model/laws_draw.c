/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing parameters by their laws. Allocates nothing. */
#include "internal.h"

#include <string.h>

#define DRAWS_WITHIN 20 /* of a stage within classes, until all stages are drawn anew */

struct drawing {
    const struct cor_parameter_laws *laws;
    struct cor_rng *rng;
    int64_t *integers;
    double *reals;
    bool fallback;                  /* the fallback's stages are drawn */
    const struct cor_class *within; /* by parameter, NULL: anything */
};

static void put_integer(struct drawing *drawing, uint32_t variable, int64_t value) {
    drawing->integers[variable] = value;
    drawing->reals[variable] = (double)value;
}

/* A range is drawn from with 32 bits. */
static bool is_range(int64_t low, int64_t high) {
    return low <= high && high - low < UINT32_MAX - 1;
}

bool cor__laws_range_now(const struct cor_parameter_laws *laws, const struct cor_definition *d,
                         const int64_t *integers, int64_t *low, int64_t *high) {
    const struct cor_variable *first = &laws->variables[d->variable[0]],
                              *last = &laws->variables[d->variable[d->variable_count - 1]];
    if (!cor_expression_value(&d->low, integers, low) || !cor_expression_value(&d->high, integers, high))
        return false;
    *low = *low > first->clip_low ? *low : first->clip_low;
    *high = *high < last->clip_high ? *high : last->clip_high;
    return is_range(*low, *high);
}

/* The same, of the fallback as it stands: nothing is clipped there. */
static bool range_now(const struct drawing *drawing, const struct cor_definition *d, int64_t *low,
                      int64_t *high) {
    if (!drawing->fallback)
        return cor__laws_range_now(drawing->laws, d, drawing->integers, low, high);
    return cor_expression_value(&d->low, drawing->integers, low) &&
           cor_expression_value(&d->high, drawing->integers, high) && is_range(*low, *high);
}

/* Leaves of a range what the classes have. False: nothing. */
static bool clip(const struct drawing *drawing, const struct cor_definition *d, double *low, double *high) {
    if (!drawing->within || d->overridden)
        return true;
    const struct cor_class *class = &drawing->within[d->variable[0]];
    *low = *low > class->low ? *low : class->low;
    *high = *high < class->high ? *high : class->high;
    return *low <= *high;
}

static bool clip_integers(const struct drawing *drawing, const struct cor_definition *d, int64_t *low,
                          int64_t *high) {
    double least = (double)*low, most = (double)*high;
    if (!clip(drawing, d, &least, &most))
        return false;
    *low = least > (double)*low ? (int64_t)least : *low;
    *high = most < (double)*high ? (int64_t)most : *high;
    return true;
}

static void draw_simplex(struct drawing *drawing, const struct cor_definition *d) {
    double cut[COR_LAW_NAMES_MAX + 1];
    uint32_t n = d->variable_count;
    for (uint32_t i = 1; i < n; i++) { /* sorted while they come */
        double unit = cor_rng_unit(drawing->rng);
        uint32_t at = i;
        for (; at > 1 && cut[at - 1] > unit; at--)
            cut[at] = cut[at - 1];
        cut[at] = unit;
    }
    cut[0] = 0;
    cut[n] = 1;
    for (uint32_t i = 0; i < n; i++)
        drawing->reals[d->variable[i]] = d->real_high * (cut[i + 1] - cut[i]);
}

static void draw_pair(struct drawing *drawing, const struct cor_definition *d, int64_t low, int64_t high) {
    int64_t one = cor_rng_between(drawing->rng, low, high);
    int64_t other = cor_rng_between(drawing->rng, low, high);
    put_integer(drawing, d->variable[0], one < other ? one : other);
    put_integer(drawing, d->variable[1], one < other ? other : one);
}

static bool draw_definition(struct drawing *drawing, const struct cor_definition *d) {
    int64_t low, high;
    double least = d->real_low, most = d->real_high;
    switch (d->kind) {
    case COR_LAW_UNIFORM:
        if (!range_now(drawing, d, &low, &high) || !clip_integers(drawing, d, &low, &high))
            return false;
        put_integer(drawing, d->variable[0], cor_rng_between(drawing->rng, low, high));
        return true;
    case COR_LAW_PAIR:
        if (!range_now(drawing, d, &low, &high))
            return false;
        draw_pair(drawing, d, low, high);
        return true;
    case COR_LAW_VALUE:
        if (!cor_expression_value(&d->low, drawing->integers, &low))
            return false;
        put_integer(drawing, d->variable[0], low);
        return true;
    case COR_LAW_REAL:
        if (!clip(drawing, d, &least, &most))
            return false;
        drawing->reals[d->variable[0]] = least;
        if (most > least) {
            double unit = cor_rng_unit(drawing->rng);
            drawing->reals[d->variable[0]] = least + unit * (most - least);
        }
        return true;
    case COR_LAW_SIMPLEX:
        draw_simplex(drawing, d);
        return true;
    }
    COR_ASSERT(false && "a kind of law");
}

bool cor__laws_override(const struct cor_parameter_laws *laws, const struct cor_definition *d,
                        int64_t *integers, double *reals) {
    if (!d->overridden)
        return true;
    for (size_t i = 0; i < laws->override_count; i++) {
        const struct cor_override *o = &laws->overrides[i];
        int64_t value;
        bool mine = false;
        for (uint32_t v = 0; v < d->variable_count; v++)
            mine = mine || d->variable[v] == o->variable;
        if (!mine)
            continue;
        if (!cor_expression_value(&o->value, integers, &value))
            return false;
        integers[o->variable] = value;
        reals[o->variable] = (double)value;
    }
    return true;
}

static bool apply_overrides(const struct drawing *drawing, const struct cor_definition *d) {
    return cor__laws_override(drawing->laws, d, drawing->integers, drawing->reals);
}

static const struct cor_stages *stages_of(const struct drawing *drawing) {
    return drawing->fallback ? &drawing->laws->fallback : &drawing->laws->main;
}

/* Are the parameters of a definition within their classes? */
static bool is_within(const struct drawing *drawing, const struct cor_definition *d) {
    for (uint32_t v = 0; drawing->within && v < d->variable_count; v++) {
        const struct cor_class *class = &drawing->within[d->variable[v]];
        double value = drawing->reals[d->variable[v]];
        if (value < class->low || value > class->high)
            return false;
    }
    return true;
}

/* What was drawn in a stage gets the values that overrides give it, and is within its classes. */
static bool ends_well(const struct drawing *drawing, uint32_t stage) {
    const struct cor_stages *main = &drawing->laws->main;
    if (drawing->laws->override_count == 0 && !drawing->within)
        return true;
    for (size_t i = 0; i < main->count; i++) {
        const struct cor_definition *d = &main->definitions[i];
        if ((drawing->fallback ? d->stage < drawing->laws->model_stages : d->stage == stage) &&
            !(apply_overrides(drawing, d) && is_within(drawing, d)))
            return false;
    }
    return true;
}

/* One draw of a stage: definitions, then overrides, then the constraints that are due. */
static bool draw_stage(struct drawing *drawing, uint32_t stage) {
    const struct cor_stages *stages = stages_of(drawing);
    COR_ASSERT(stage < stages->stage_count);
    for (size_t i = 0; i < stages->count && stages->definitions[i].stage <= stage; i++)
        if (stages->definitions[i].stage == stage && !draw_definition(drawing, &stages->definitions[i]))
            return false;
    if (!ends_well(drawing, stage))
        return false;
    for (size_t i = 0; i < drawing->laws->constraint_count; i++) {
        const struct cor_constraint *c = &drawing->laws->constraints[i];
        bool due = drawing->fallback ? c->stage < drawing->laws->model_stages && c->fallback_stage == stage
                                     : c->stage == stage;
        if (due && !cor_expression_holds(&c->expression, drawing->integers))
            return false;
    }
    return true;
}

enum { REPEATED_MAX = 16 };

/* A stage that is drawn again and again, with what no draw of it changes. */
struct repeated {
    struct {
        const struct cor_definition *definition;
        int64_t low, high; /* of integers in a row, if `is_known` */
        bool is_known;
    } draws[REPEATED_MAX];
    const struct cor_constraint *due[REPEATED_MAX]; /* at its end */
    uint32_t draw_count, due_count;
};

/* False: the stage is not of the simple kind that this is for. */
static bool repeat(const struct drawing *drawing, uint32_t stage, struct repeated *repeated) {
    const struct cor_parameter_laws *laws = drawing->laws;
    repeated->draw_count = repeated->due_count = 0;
    if (drawing->fallback || drawing->within)
        return false;
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        if (d->stage != stage)
            continue;
        if (d->overridden || repeated->draw_count == REPEATED_MAX)
            return false;
        uint32_t at = repeated->draw_count++;
        repeated->draws[at].definition = d;
        repeated->draws[at].is_known =
            d->bounds_come_before &&
            range_now(drawing, d, &repeated->draws[at].low, &repeated->draws[at].high);
    }
    for (size_t i = 0; i < laws->constraint_count; i++) {
        if (laws->constraints[i].stage != stage)
            continue;
        if (repeated->due_count == REPEATED_MAX)
            return false;
        repeated->due[repeated->due_count++] = &laws->constraints[i];
    }
    return true;
}

/* As draw_stage, with the same draws. */
static bool draw_repeated(struct drawing *drawing, const struct repeated *repeated) {
    for (uint32_t i = 0; i < repeated->draw_count; i++) {
        const struct cor_definition *d = repeated->draws[i].definition;
        if (!repeated->draws[i].is_known) {
            if (!draw_definition(drawing, d))
                return false;
        } else if (d->kind == COR_LAW_PAIR) {
            draw_pair(drawing, d, repeated->draws[i].low, repeated->draws[i].high);
        } else {
            put_integer(drawing, d->variable[0],
                        cor_rng_between(drawing->rng, repeated->draws[i].low, repeated->draws[i].high));
        }
    }
    for (uint32_t i = 0; i < repeated->due_count; i++)
        if (!cor_expression_holds(&repeated->due[i]->expression, drawing->integers))
            return false;
    return true;
}

/* Draws a stage until its constraints hold. */
static bool insist(struct drawing *drawing, uint32_t stage, struct cor_draw *draw) {
    struct repeated repeated;
    bool repeats = false;
    for (uint32_t attempt = 1; attempt <= COR_DRAWS_MAX; attempt++) {
        if (draw->attempts < attempt)
            draw->attempts = attempt;
        if (repeats ? draw_repeated(drawing, &repeated) : draw_stage(drawing, stage))
            return true;
        if (attempt == 1)
            repeats = repeat(drawing, stage, &repeated);
    }
    return false;
}

static bool insist_on_fallback(struct drawing *drawing, struct cor_draw *draw) {
    bool drawn = drawing->laws->has_fallback;
    drawing->fallback = draw->fallback = true;
    for (uint32_t stage = 0; stage < drawing->laws->fallback.stage_count && drawn; stage++)
        drawn = insist(drawing, stage, draw);
    drawing->fallback = false;
    return drawn;
}

bool cor__laws_try(const struct cor_parameter_laws *laws, struct cor_rng *rng, uint32_t last_stage,
                   int64_t *integers, double *reals) {
    struct drawing drawing = {.laws = laws, .rng = rng, .integers = integers, .reals = reals};
    for (uint32_t stage = 0; stage < laws->main.stage_count && stage <= last_stage; stage++)
        if (!draw_stage(&drawing, stage))
            return false;
    return true;
}

enum cor_status cor_parameter_laws_draw(const struct cor_parameter_laws *laws, struct cor_rng *rng,
                                        int64_t *integers, double *reals, struct cor_draw *draw,
                                        struct cor_error *error) {
    struct drawing drawing = {.laws = laws, .rng = rng, .integers = integers, .reals = reals};
    *draw = (struct cor_draw){0};
    memset(integers, 0, laws->variable_count * sizeof *integers);
    memset(reals, 0, laws->variable_count * sizeof *reals);
    for (uint32_t stage = 0; stage < laws->main.stage_count; stage++) {
        bool drawn = insist(&drawing, stage, draw);
        if (!drawn && stage < laws->model_stages) {
            drawn = insist_on_fallback(&drawing, draw);
            stage = laws->model_stages - 1;
        }
        if (!drawn)
            return cor_fail(error, COR_STATUS_UNSATISFIABLE, NULL,
                            "widen the ranges, or give a \"fallback\" law that meets the constraints",
                            "no parameters that meet the constraints were drawn in %d attempts",
                            COR_DRAWS_MAX);
    }
    return COR_OK;
}

enum cor_status cor__laws_draw_within(const struct cor_parameter_laws *laws, struct cor_rng *rng,
                                      const struct cor_class *within, int64_t *integers, double *reals,
                                      uint32_t tries, struct cor_draw *draw, struct cor_error *error) {
    struct drawing drawing = {
        .laws = laws, .rng = rng, .integers = integers, .reals = reals, .within = within};
    *draw = (struct cor_draw){0};
    for (uint32_t attempt = 1; attempt <= tries; attempt++) {
        bool drawn = true;
        draw->attempts = attempt;
        memset(integers, 0, laws->variable_count * sizeof *integers);
        memset(reals, 0, laws->variable_count * sizeof *reals);
        for (uint32_t stage = 0; stage < laws->main.stage_count && drawn; stage++) {
            drawn = false;
            for (uint32_t again = 0; again < DRAWS_WITHIN && !drawn; again++)
                drawn = draw_stage(&drawing, stage);
        }
        if (drawn)
            return COR_OK;
    }
    return cor_fail(error, COR_STATUS_UNSATISFIABLE, NULL,
                    "make the classes wider, or the constraints weaker",
                    "no parameters of the classes that its row asks for were drawn in %u attempts", tries);
}

static bool is_overridden(const struct cor_parameter_laws *laws, uint32_t variable) {
    for (size_t i = 0; i < laws->override_count; i++)
        if (laws->overrides[i].variable == variable)
            return true;
    return false;
}

/* What a line of the laws says now is kept if the line is not to be drawn anew and still agrees with it. */
static bool is_kept(const struct drawing *drawing, const struct cor_definition *d) {
    int64_t low, high;
    switch (d->kind) {
    case COR_LAW_UNIFORM:
    case COR_LAW_PAIR:
        if (!range_now(drawing, d, &low, &high))
            return false;
        for (uint32_t v = 0; v < d->variable_count; v++)
            if (!is_overridden(drawing->laws, d->variable[v]) &&
                (drawing->integers[d->variable[v]] < low || drawing->integers[d->variable[v]] > high))
                return false;
        return true;
    case COR_LAW_VALUE:
        return false; /* it follows */
    case COR_LAW_REAL:
    case COR_LAW_SIMPLEX:
        return true;
    }
    COR_ASSERT(false && "a kind of law");
}

bool cor_parameter_laws_redraw(const struct cor_parameter_laws *laws, uint32_t line, bool stage,
                               struct cor_rng *rng, int64_t *integers, double *reals) {
    struct drawing drawing = {.laws = laws, .rng = rng, .integers = integers, .reals = reals};
    COR_ASSERT(line < laws->main.count);
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        const bool anew = stage ? d->stage == laws->main.definitions[line].stage : i == line;
        if ((anew || !is_kept(&drawing, d)) && !draw_definition(&drawing, d))
            return false;
        if (!apply_overrides(&drawing, d))
            return false;
    }
    for (size_t i = 0; i < laws->constraint_count; i++)
        if (!cor_expression_holds(&laws->constraints[i].expression, integers))
            return false;
    return true;
}

uint32_t cor_parameter_laws_lines(const struct cor_parameter_laws *laws) {
    return (uint32_t)laws->main.count;
}
