/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing parameters by their laws. Allocates nothing. */
#include "internal.h"

#include <string.h>

#define DRAWS_WITHIN 20 /* of a stage within classes, until all stages are drawn anew */

/* An integer that is drawn from a range, or two that are sorted then. */
struct ready_draw {
    int64_t low;
    uint32_t width;         /* how many values there are */
    uint16_t first, second; /* cells; the same: one integer */
};

struct drawing {
    const struct cor_parameter_laws *laws;
    struct cor_rng *rng;
    double *reals;                  /* of real variables; those of integers follow at the end */
    bool fallback;                  /* the fallback's stages are drawn */
    const struct cor_class *within; /* by parameter, NULL: anything */
    struct ready_draw
        ready[COR_VARIABLES_MAX]; /* the stage that is drawn, if no draw of it changes its ranges */
    int64_t cells[COR_CELLS_MAX];
};

static void set_up(struct drawing *drawing, const struct cor_parameter_laws *laws, struct cor_rng *rng,
                   double *reals) {
    drawing->laws = laws; /* not as a whole: most of the cells are never used */
    drawing->rng = rng;
    drawing->reals = reals;
    drawing->fallback = false;
    drawing->within = NULL;
}

/* Everything as it is given, the rest 0. */
static void begin(struct drawing *drawing) {
    const struct cor_parameter_laws *laws = drawing->laws;
    memcpy(drawing->cells, laws->plan.routine.cells, laws->plan.routine.cell_count * sizeof *drawing->cells);
    memcpy(drawing->reals, laws->plan.reals, laws->variable_count * sizeof *drawing->reals);
}

/* The caller's values instead. */
static void begin_with(struct drawing *drawing, const int64_t *integers) {
    const struct cor_parameter_laws *laws = drawing->laws;
    memcpy(drawing->cells, laws->plan.routine.cells, laws->plan.routine.cell_count * sizeof *drawing->cells);
    memcpy(drawing->cells, integers, laws->variable_count * sizeof *drawing->cells);
}

static void hand_out(const struct drawing *drawing, int64_t *integers) {
    const struct cor_plan *plan = &drawing->laws->plan;
    memcpy(integers, drawing->cells, drawing->laws->variable_count * sizeof *integers);
    for (uint32_t i = 0; i < plan->integer_count; i++)
        drawing->reals[plan->integer[i]] = (double)drawing->cells[plan->integer[i]];
}

/* A range is drawn from with 32 bits. */
static bool is_range(int64_t low, int64_t high) {
    return low <= high && high - low < UINT32_MAX - 1;
}

static bool bounds_now(const struct cor_parameter_laws *laws, const struct interaction__bounds *bounds,
                       int64_t *cells, int64_t *low, int64_t *high) {
    if (bounds->part.first < bounds->part.end && !cor_routine_run(&laws->plan.routine, bounds->part, cells))
        return false;
    *low = cells[bounds->low];
    *high = cells[bounds->high];
    return true;
}

bool interaction__laws_range_now(const struct cor_parameter_laws *laws, size_t index, int64_t *cells,
                                 int64_t *low, int64_t *high) {
    const struct cor_definition *d = &laws->main.definitions[index];
    const struct cor_variable *first = &laws->variables[d->variable[0]],
                              *last = &laws->variables[d->variable[d->variable_count - 1]];
    if (!bounds_now(laws, &laws->plan.main.bounds[index], cells, low, high))
        return false;
    *low = *low > first->clip_low ? *low : first->clip_low;
    *high = *high < last->clip_high ? *high : last->clip_high;
    return is_range(*low, *high);
}

/* The same, of the fallback as it stands: nothing is clipped there. */
static bool range_now(struct drawing *drawing, size_t index, int64_t *low, int64_t *high) {
    if (!drawing->fallback)
        return interaction__laws_range_now(drawing->laws, index, drawing->cells, low, high);
    return bounds_now(drawing->laws, &drawing->laws->plan.fallback.bounds[index], drawing->cells, low,
                      high) &&
           is_range(*low, *high);
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

/* The range of a definition as it stands. False: there is none. */
static bool find_range(struct drawing *drawing, const struct cor_definition *d, size_t index,
                       struct ready_draw *ready) {
    int64_t low, high;
    if (!range_now(drawing, index, &low, &high) ||
        (d->kind == COR_LAW_UNIFORM && !clip_integers(drawing, d, &low, &high)))
        return false;
    *ready = (struct ready_draw){low, (uint32_t)(high - low + 1), (uint16_t)d->variable[0],
                                 (uint16_t)d->variable[d->variable_count - 1]};
    return true;
}

static inline void draw_ready(struct cor_rng *rng, const struct ready_draw *ready, int64_t *cells) {
    int64_t one = cor_rng_below(rng, ready->width), other = one;
    if (ready->first != ready->second)
        other = cor_rng_below(rng, ready->width);
    cells[ready->first] = ready->low + (one < other ? one : other);
    cells[ready->second] = ready->low + (one < other ? other : one);
}

static bool draw_range(struct drawing *drawing, const struct cor_definition *d, size_t index) {
    struct ready_draw ready;
    if (!find_range(drawing, d, index, &ready))
        return false;
    draw_ready(drawing->rng, &ready, drawing->cells);
    return true;
}

static bool draw_value(struct drawing *drawing, const struct cor_definition *d, size_t index) {
    const struct cor_plan *plan = &drawing->laws->plan;
    const struct interaction__bounds *bounds =
        drawing->fallback ? &plan->fallback.bounds[index] : &plan->main.bounds[index];
    if (!cor_routine_run(&plan->routine, bounds->part, drawing->cells))
        return false;
    drawing->cells[d->variable[0]] = drawing->cells[bounds->low];
    return true;
}

static bool draw_real(const struct drawing *drawing, const struct cor_definition *d) {
    double least = d->real_low, most = d->real_high;
    if (!clip(drawing, d, &least, &most))
        return false;
    drawing->reals[d->variable[0]] = least;
    if (most > least) {
        double unit = cor_rng_unit(drawing->rng);
        drawing->reals[d->variable[0]] = least + unit * (most - least);
    }
    return true;
}

static const struct cor_stages *stages_of(const struct drawing *drawing) {
    return drawing->fallback ? &drawing->laws->fallback : &drawing->laws->main;
}

static bool draw_definition(struct drawing *drawing, size_t index) {
    const struct cor_definition *d = &stages_of(drawing)->definitions[index];
    switch (d->kind) {
    case COR_LAW_UNIFORM:
    case COR_LAW_PAIR:
        return draw_range(drawing, d, index);
    case COR_LAW_VALUE:
        return draw_value(drawing, d, index);
    case COR_LAW_REAL:
        return draw_real(drawing, d);
    case COR_LAW_SIMPLEX:
        draw_simplex(drawing, d);
        return true;
    }
    COR_ASSERT(false && "a kind of law");
}

bool interaction__laws_override(const struct cor_parameter_laws *laws, const struct cor_definition *d,
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

static bool apply_overrides(struct drawing *drawing, const struct cor_definition *d) {
    return interaction__laws_override(drawing->laws, d, drawing->cells, drawing->reals);
}

/* Are the parameters of a definition within their classes? */
static bool is_within(const struct drawing *drawing, const struct cor_definition *d) {
    for (uint32_t v = 0; drawing->within && v < d->variable_count; v++) {
        const uint32_t variable = d->variable[v];
        const struct cor_class *class = &drawing->within[variable];
        double value = drawing->laws->variables[variable].is_integer ? (double)drawing->cells[variable]
                                                                     : drawing->reals[variable];
        if (value < class->low || value > class->high)
            return false;
    }
    return true;
}

/* What was drawn in a stage gets the values that overrides give it, and is within its classes. */
static bool ends_well(struct drawing *drawing, uint32_t stage) {
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

static const struct cor_stage_plan *plan_of(const struct drawing *drawing, uint32_t stage) {
    const struct cor_plan *plan = &drawing->laws->plan;
    COR_ASSERT(stage < stages_of(drawing)->stage_count);
    return drawing->fallback ? &plan->fallback.stages[stage] : &plan->main.stages[stage];
}

/* One draw of a stage: definitions, then overrides, then the constraints that are due. */
static bool draw_stage(struct drawing *drawing, const struct cor_stage_plan *plan, uint32_t stage) {
    for (uint32_t i = plan->first; i < plan->end; i++)
        if (!draw_definition(drawing, i))
            return false;
    return ends_well(drawing, stage) &&
           cor_routine_run(&drawing->laws->plan.routine, plan->due, drawing->cells);
}

/* Makes the ranges of a stage ready. False: they are not the same in each draw, or there is more to it. */
static bool make_ready(struct drawing *drawing, const struct cor_stage_plan *plan) {
    if (!plan->is_simple || drawing->within)
        return false;
    for (uint32_t i = plan->first; i < plan->end; i++)
        if (!find_range(drawing, &drawing->laws->main.definitions[i], i, &drawing->ready[i - plan->first]))
            return false;
    return true;
}

/* As draw_stage, with the same draws. */
static bool draw_stage_ready(struct drawing *drawing, const struct cor_stage_plan *plan) {
    for (uint32_t i = 0; i < plan->end - plan->first; i++)
        draw_ready(drawing->rng, &drawing->ready[i], drawing->cells);
    return cor_routine_run(&drawing->laws->plan.routine, plan->due, drawing->cells);
}

/* Draws a stage until its constraints hold, or so many times; returns how often, 0: in vain. */
static uint32_t insist(struct drawing *drawing, uint32_t stage, uint32_t most) {
    const struct cor_stage_plan *plan = plan_of(drawing, stage);
    const bool is_ready = make_ready(drawing, plan);
    for (uint32_t attempt = 1; attempt <= most; attempt++)
        if (is_ready ? draw_stage_ready(drawing, plan) : draw_stage(drawing, plan, stage))
            return attempt;
    return 0;
}

/* The same as often as laws allow, noted in `draw`. */
static bool insist_by_law(struct drawing *drawing, uint32_t stage, struct cor_draw *draw) {
    const uint32_t drawn = insist(drawing, stage, COR_DRAWS_MAX),
                   attempts = drawn > 0 ? drawn : COR_DRAWS_MAX;
    draw->attempts = draw->attempts > attempts ? draw->attempts : attempts;
    return drawn > 0;
}

static bool insist_on_fallback(struct drawing *drawing, struct cor_draw *draw) {
    bool drawn = drawing->laws->has_fallback;
    drawing->fallback = draw->fallback = true;
    for (uint32_t stage = 0; stage < drawing->laws->fallback.stage_count && drawn; stage++)
        drawn = insist_by_law(drawing, stage, draw);
    drawing->fallback = false;
    return drawn;
}

bool interaction__laws_try(const struct cor_parameter_laws *laws, struct cor_rng *rng, uint32_t last_stage,
                           int64_t *integers, double *reals) {
    struct drawing drawing;
    set_up(&drawing, laws, rng, reals);
    begin_with(&drawing, integers);
    for (uint32_t stage = 0; stage < laws->main.stage_count && stage <= last_stage; stage++)
        if (insist(&drawing, stage, 1) == 0)
            return false;
    hand_out(&drawing, integers);
    return true;
}

enum cor_status cor_parameter_laws_draw(const struct cor_parameter_laws *laws, struct cor_rng *rng,
                                        int64_t *integers, double *reals, struct cor_draw *draw,
                                        struct cor_error *error) {
    struct drawing drawing;
    set_up(&drawing, laws, rng, reals);
    begin(&drawing);
    *draw = (struct cor_draw){.attempts = laws->main.stage_count > 0};
    for (uint32_t stage = 0; stage < laws->main.stage_count; stage++) {
        bool drawn = laws->plan.main.stages[stage].is_given || insist_by_law(&drawing, stage, draw);
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
    hand_out(&drawing, integers);
    return COR_OK;
}

enum cor_status interaction__laws_draw_within(const struct cor_parameter_laws *laws, struct cor_rng *rng,
                                              const struct cor_class *within, int64_t *integers,
                                              double *reals, uint32_t tries, struct cor_draw *draw,
                                              struct cor_error *error) {
    struct drawing drawing;
    set_up(&drawing, laws, rng, reals);
    drawing.within = within;
    *draw = (struct cor_draw){0};
    for (uint32_t attempt = 1; attempt <= tries; attempt++) {
        bool drawn = true;
        draw->attempts = attempt;
        begin(&drawing);
        for (uint32_t stage = 0; stage < laws->main.stage_count && drawn; stage++)
            drawn = insist(&drawing, stage, DRAWS_WITHIN) > 0;
        if (drawn) {
            hand_out(&drawing, integers);
            return COR_OK;
        }
    }
    return cor_fail(error, COR_STATUS_UNSATISFIABLE, NULL,
                    "make the classes wider, or the constraints weaker",
                    "no parameters of the classes that its row asks for were drawn in %u attempts", tries);
}

/* What a line of the laws says now is kept if the line is not to be drawn anew and still agrees with it. */
static bool is_kept(struct drawing *drawing, size_t index) {
    const struct cor_definition *d = &drawing->laws->main.definitions[index];
    int64_t low, high;
    switch (d->kind) {
    case COR_LAW_UNIFORM:
    case COR_LAW_PAIR:
        if (!range_now(drawing, index, &low, &high))
            return false;
        for (uint32_t v = 0; v < d->variable_count; v++) {
            const uint32_t variable = d->variable[v];
            bool is_overridden = false;
            for (size_t i = 0; i < drawing->laws->override_count && !is_overridden; i++)
                is_overridden = drawing->laws->overrides[i].variable == variable;
            if (!is_overridden &&
                (drawing->cells[d->variable[v]] < low || drawing->cells[d->variable[v]] > high))
                return false;
        }
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
    struct drawing drawing;
    COR_ASSERT(line < laws->main.count);
    set_up(&drawing, laws, rng, reals);
    begin_with(&drawing, integers);
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct cor_definition *d = &laws->main.definitions[i];
        const bool anew = stage ? d->stage == laws->main.definitions[line].stage : i == line;
        if ((anew || !is_kept(&drawing, i)) && !draw_definition(&drawing, i))
            return false;
        if (!apply_overrides(&drawing, d))
            return false;
    }
    for (uint32_t s = 0; s < laws->main.stage_count; s++)
        if (!cor_routine_run(&laws->plan.routine, laws->plan.main.stages[s].due, drawing.cells))
            return false;
    hand_out(&drawing, integers);
    return true;
}

uint32_t cor_parameter_laws_lines(const struct cor_parameter_laws *laws) {
    return (uint32_t)laws->main.count;
}
