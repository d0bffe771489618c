/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing parameters by their laws, which allocates nothing; and what can be drawn at all: counted out, by
 * ranges, by z3. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bounds.h>
#include <corridor/solve.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
static void begin_drawing(struct drawing *drawing) {
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

/* The range of definition `index` of the main stages now, `cells` being those of the plan; false if it is
 * empty or undefined. What the constraints of the stage cannot accept in any case is not drawn: that saves
 * attempts and changes no probability (see cor_parameter_laws_analyse). */
static bool laws_range_now(const struct cor_parameter_laws *laws, size_t index, int64_t *cells, int64_t *low,
                           int64_t *high) {
    const struct interaction__definition *d = &laws->main.definitions[index];
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
        return laws_range_now(drawing->laws, index, drawing->cells, low, high);
    return bounds_now(drawing->laws, &drawing->laws->plan.fallback.bounds[index], drawing->cells, low,
                      high) &&
           is_range(*low, *high);
}

/* Leaves of a range what the classes have. False: nothing. */
static bool clip(const struct drawing *drawing, const struct interaction__definition *d, double *low,
                 double *high) {
    if (!drawing->within || d->overridden)
        return true;
    const struct cor_class *class = &drawing->within[d->variable[0]];
    *low = *low > class->low ? *low : class->low;
    *high = *high < class->high ? *high : class->high;
    return *low <= *high;
}

static bool clip_integers(const struct drawing *drawing, const struct interaction__definition *d,
                          int64_t *low, int64_t *high) {
    double least = (double)*low, most = (double)*high;
    if (!clip(drawing, d, &least, &most))
        return false;
    *low = least > (double)*low ? (int64_t)least : *low;
    *high = most < (double)*high ? (int64_t)most : *high;
    return true;
}

static void draw_simplex(struct drawing *drawing, const struct interaction__definition *d) {
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
static bool find_range(struct drawing *drawing, const struct interaction__definition *d, size_t index,
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

static bool draw_value(struct drawing *drawing, const struct interaction__definition *d, size_t index) {
    const struct cor_plan *plan = &drawing->laws->plan;
    const struct interaction__bounds *bounds =
        drawing->fallback ? &plan->fallback.bounds[index] : &plan->main.bounds[index];
    if (!cor_routine_run(&plan->routine, bounds->part, drawing->cells))
        return false;
    drawing->cells[d->variable[0]] = drawing->cells[bounds->low];
    return true;
}

static bool draw_real(const struct drawing *drawing, const struct interaction__definition *d) {
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
    const struct interaction__definition *d = &stages_of(drawing)->definitions[index];
    switch (d->kind) {
    case COR_LAW_UNIFORM:
    case COR_LAW_PAIR: {
        struct ready_draw ready;
        const bool is_found = find_range(drawing, d, index, &ready);
        if (is_found)
            draw_ready(drawing->rng, &ready, drawing->cells);
        return is_found;
    }
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

/* Gives what overrides say to the variables of a definition; false if that is undefined. */
static bool laws_override(const struct cor_parameter_laws *laws, const struct interaction__definition *d,
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

static bool apply_overrides(struct drawing *drawing, const struct interaction__definition *d) {
    return laws_override(drawing->laws, d, drawing->cells, drawing->reals);
}

/* Are the parameters of a definition within their classes? */
static bool is_within(const struct drawing *drawing, const struct interaction__definition *d) {
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
        const struct interaction__definition *d = &main->definitions[i];
        if ((drawing->fallback ? d->stage < drawing->laws->model_stages : d->stage == stage) &&
            !(apply_overrides(drawing, d) && is_within(drawing, d)))
            return false;
    }
    return true;
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
    COR_ASSERT(stage < stages_of(drawing)->stage_count);
    const struct cor_stage_plan *plan = drawing->fallback ? &drawing->laws->plan.fallback.stages[stage]
                                                          : &drawing->laws->plan.main.stages[stage];
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

/* Draws the stages up to `last_stage` once each, without the fallback; whether their constraints held at
 * once. integers and reals: cor_parameter_laws_capacity() items; what is not drawn stays as it is. */
static bool laws_try(const struct cor_parameter_laws *laws, struct cor_rng *rng, uint32_t last_stage,
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
    begin_drawing(&drawing);
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
        begin_drawing(&drawing);
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
    const struct interaction__definition *d = &drawing->laws->main.definitions[index];
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
        const struct interaction__definition *d = &laws->main.definitions[i];
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

/* ---- probabilities by the laws, counted out: stage by stage, all that can be drawn, each with its
 * probability given what was drawn before. A stage is drawn until its constraints hold, so what they refuse
 * is divided out. What the event does not depend on is left out */

#define NEVER 1e-18 /* the probability of giving up a stage: as good as none */

/* A definition, and the constraints that can be judged once it is drawn. */
struct step {
    const struct interaction__definition *definition;
    uint32_t due, due_end;
};

/* The definitions of a stage, and the constraints that have to wait for its end. */
struct counted_stage {
    uint32_t first, end;
    uint32_t due, due_end;
};

struct counting {
    const struct cor_parameter_laws *laws;
    const struct cor_parameter_event *event;
    bool needed[COR_VARIABLES_MAX]; /* [variable] */
    bool *stage_needed;             /* owned, as all below; [stage] */
    struct step *steps;
    struct counted_stage *stages;
    const struct interaction__constraint **due;
    int64_t *integers; /* the cells of the plan */
    double *reals;
    uint64_t left; /* draws that may still be gone through */
    bool is_countable;
};

static bool is_any_needed(const struct counting *c, const struct interaction__definition *d) {
    for (uint32_t v = 0; v < d->variable_count; v++)
        if (c->needed[d->variable[v]])
            return true;
    return false;
}

static bool need(struct counting *c, uint32_t variable) {
    const bool is_new = !c->needed[variable];
    c->needed[variable] = true;
    return is_new;
}

static bool need_reads(struct counting *c, const struct cor_expression *expression) {
    bool is_new = false;
    for (uint32_t v = 0; v < c->laws->variable_count; v++)
        if (expression->node_count > 0 && cor_expression_reads(expression, v))
            is_new = need(c, v) || is_new;
    return is_new;
}

/* Is it defined whatever its variables are? */
static bool is_defined(const struct cor_expression *expression) {
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        const bool divides =
            node->operator== COR_OPERATOR_DIVIDE || node->operator== COR_OPERATOR_REMAINDER || node->
            operator== COR_OPERATOR_CEIL_DIVIDE;
        const struct cor_node *by = divides ? &expression->nodes[node->right] : NULL;
        if (by && (by->operator!= COR_OPERATOR_CONSTANT || by->constant == 0))
            return false;
    }
    return true;
}

static struct cor_value_range range_of(const struct cor_parameter_laws *laws,
                                       const struct cor_expression *expression) {
    int64_t low[COR_VARIABLES_MAX], high[COR_VARIABLES_MAX];
    for (size_t v = 0; v < laws->variable_count; v++) {
        low[v] = laws->variables[v].low;
        high[v] = laws->variables[v].high;
    }
    return cor_expression_interval(expression, low, high);
}

/* Can drawing it fail? */
static bool may_fail(const struct cor_parameter_laws *laws, const struct interaction__definition *d) {
    if (d->kind == COR_LAW_REAL || d->kind == COR_LAW_SIMPLEX)
        return false;
    if (d->kind == COR_LAW_VALUE || d->overridden || !is_defined(&d->low) || !is_defined(&d->high))
        return true;
    for (uint32_t v = 0; v < d->variable_count; v++) {
        const struct cor_variable *variable = &laws->variables[d->variable[v]];
        if (variable->clip_low > variable->low || variable->clip_high < variable->high)
            return true;
    }
    return range_of(laws, &d->low).high > range_of(laws, &d->high).low;
}

static bool need_definition(struct counting *c, const struct interaction__definition *d) {
    bool is_new = need_reads(c, &d->low);
    is_new = need_reads(c, &d->high) || is_new;
    for (uint32_t v = 0; v < d->variable_count; v++)
        is_new = need(c, d->variable[v]) || is_new;
    for (size_t i = 0; d->overridden && i < c->laws->override_count; i++)
        for (uint32_t v = 0; v < d->variable_count; v++)
            if (c->laws->overrides[i].variable == d->variable[v])
                is_new = need_reads(c, &c->laws->overrides[i].value) || is_new;
    return is_new;
}

/* Where a fallback may come in, a stage that fails changes others. */
static bool may_fall_back(const struct cor_parameter_laws *laws, uint32_t stage) {
    return laws->has_fallback && stage < laws->model_stages;
}

static bool need_more(struct counting *c) {
    const struct cor_parameter_laws *laws = c->laws;
    bool is_new = false;
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct interaction__definition *d = &laws->main.definitions[i];
        if (is_any_needed(c, d) || (may_fall_back(laws, d->stage) && may_fail(laws, d)))
            c->stage_needed[d->stage] = true;
        if (c->stage_needed[d->stage] && (is_any_needed(c, d) || may_fail(laws, d)))
            is_new = need_definition(c, d) || is_new;
    }
    for (size_t i = 0; i < laws->constraint_count; i++) {
        const struct interaction__constraint *constraint = &laws->constraints[i];
        if (c->stage_needed[constraint->stage] || may_fall_back(laws, constraint->stage))
            is_new = need_reads(c, &constraint->expression) || is_new;
    }
    return is_new;
}

/* Finds out what the event depends on; false: on more than can be counted. */
static bool find_needed(struct counting *c) {
    double draws = 1;
    for (uint32_t p = 0; p < c->laws->parameter_count; p++)
        c->needed[p] = c->event->reads[p];
    while (need_more(c))
        ;
    for (size_t i = 0; i < c->laws->main.count; i++) {
        const struct interaction__definition *d = &c->laws->main.definitions[i];
        const struct cor_variable *first = &c->laws->variables[d->variable[0]],
                                  *last = &c->laws->variables[d->variable[d->variable_count - 1]];
        if (!is_any_needed(c, d) || d->kind == COR_LAW_VALUE)
            continue;
        if (d->kind == COR_LAW_SIMPLEX || (d->kind == COR_LAW_REAL && d->real_low < d->real_high))
            return false;
        const double width = d->kind == COR_LAW_REAL ? 1 : (double)last->high - (double)first->low + 1;
        draws *= d->kind == COR_LAW_PAIR ? width * (width + 1) / 2 : width;
    }
    return draws <= 16 * (double)c->left; /* where ranges depend on each other there are fewer */
}

/* The step of a stage from which on a constraint can be judged; its end, where an override has a say. */
static uint32_t step_of(const struct counting *c, const struct counted_stage *stage,
                        const struct interaction__constraint *constraint) {
    uint32_t at = stage->first;
    for (uint32_t s = stage->first; s < stage->end; s++) {
        const struct interaction__definition *d = c->steps[s].definition;
        for (uint32_t v = 0; v < d->variable_count; v++)
            if (cor_expression_reads(&constraint->expression, d->variable[v]))
                at = d->overridden ? stage->end : at == stage->end ? at : s;
    }
    return at;
}

static void place_constraints(struct counting *c, uint32_t number, uint32_t *count) {
    struct counted_stage *stage = &c->stages[number];
    for (uint32_t s = stage->first; s <= stage->end; s++) {
        const uint32_t from = *count;
        for (size_t i = 0; i < c->laws->constraint_count; i++) {
            const struct interaction__constraint *constraint = &c->laws->constraints[i];
            if (constraint->stage == number && step_of(c, stage, constraint) == s)
                c->due[(*count)++] = constraint;
        }
        if (s == stage->end) {
            stage->due = from;
            stage->due_end = *count;
        } else {
            c->steps[s].due = from;
            c->steps[s].due_end = *count;
        }
    }
}

static bool all_hold(const struct counting *c, uint32_t due, uint32_t end) {
    for (; due < end; due++)
        if (!cor_expression_holds(&c->due[due]->expression, c->integers))
            return false;
    return true;
}

/* Of the rest of a stage: how probable it is that its constraints hold, and that the event does, too. */
struct mass {
    double drawn, event;
};

static double count_stages(struct counting *c, uint32_t stage);
static struct mass count_steps(struct counting *c, uint32_t stage, uint32_t at);

static void put(const struct counting *c, uint32_t variable, int64_t value) {
    c->integers[variable] = value;
    c->reals[variable] = (double)value;
}

static void add_rest(struct counting *c, uint32_t stage, uint32_t at, double times, struct mass *sum) {
    const struct step *step = &c->steps[at];
    if (c->left == 0)
        c->is_countable = false;
    if (!c->is_countable)
        return;
    c->left--;
    if (!all_hold(c, step->due, step->due_end))
        return;
    const struct mass rest = count_steps(c, stage, at + 1);
    sum->drawn += times * rest.drawn;
    sum->event += times * rest.event;
}

static struct mass count_range(struct counting *c, uint32_t stage, uint32_t at, bool is_pair) {
    const struct interaction__definition *d = c->steps[at].definition;
    struct mass sum = {0, 0};
    int64_t low, high;
    if (!laws_range_now(c->laws, (size_t)(d - c->laws->main.definitions), c->integers, &low, &high))
        return sum;
    const double width = (double)(high - low + 1), draws = is_pair ? width * width : width;
    for (int64_t one = low; one <= high && c->is_countable; one++) {
        put(c, d->variable[0], one);
        if (!is_pair)
            add_rest(c, stage, at, 1, &sum);
        for (int64_t other = one; is_pair && other <= high && c->is_countable; other++) {
            put(c, d->variable[1], other);
            add_rest(c, stage, at, other > one ? 2 : 1, &sum);
        }
    }
    return (struct mass){sum.drawn / draws, sum.event / draws};
}

static struct mass count_steps(struct counting *c, uint32_t stage, uint32_t at) {
    struct mass sum = {0, 0};
    int64_t value;
    if (at == c->stages[stage].end) {
        /* Ends a stage: what is set - nothing of the stage depends on it - then the constraints that
         * waited. */
        const struct counted_stage *it = &c->stages[stage];
        for (uint32_t s = it->first; s < it->end; s++)
            if (!laws_override(c->laws, c->steps[s].definition, c->integers, c->reals))
                return (struct mass){0, 0};
        if (!all_hold(c, it->due, it->due_end))
            return (struct mass){0, 0};
        return (struct mass){1, count_stages(c, stage + 1)};
    }
    const struct interaction__definition *d = c->steps[at].definition;
    switch (d->kind) {
    case COR_LAW_UNIFORM:
    case COR_LAW_PAIR:
        return count_range(c, stage, at, d->kind == COR_LAW_PAIR);
    case COR_LAW_VALUE:
        if (!cor_expression_value(&d->low, c->integers, &value))
            return sum;
        put(c, d->variable[0], value);
        break;
    case COR_LAW_REAL:
        c->reals[d->variable[0]] = d->real_low;
        break;
    case COR_LAW_SIMPLEX:
        COR_ASSERT(false && "countable");
    }
    add_rest(c, stage, at, 1, &sum);
    return sum;
}

/* The probability of the event, given what the stages before have drawn. */
static double count_stages(struct counting *c, uint32_t stage) {
    while (stage < c->laws->main.stage_count && !c->stage_needed[stage])
        stage++;
    if (stage == c->laws->main.stage_count)
        return c->event->holds(c->event->context, c->reals) ? 1 : 0;
    const struct mass mass = count_steps(c, stage, c->stages[stage].first);
    if (!(pow(fmax(1 - mass.drawn, 0), COR_DRAWS_MAX) < NEVER))
        c->is_countable = false; /* then the fallback has a say, or drawing fails */
    return c->is_countable ? mass.event / mass.drawn : NAN;
}

static enum cor_status make_room(struct counting *c, struct cor_error *error) {
    const struct cor_parameter_laws *laws = c->laws;
    c->stage_needed = cor_calloc(laws->main.stage_count + 1, sizeof *c->stage_needed);
    c->steps = cor_calloc(laws->main.count + 1, sizeof *c->steps);
    c->stages = cor_calloc(laws->main.stage_count + 1, sizeof *c->stages);
    c->due = cor_calloc(laws->constraint_count + 1, sizeof *c->due);
    c->integers = cor_calloc(laws->plan.routine.cell_count + 1, sizeof *c->integers);
    c->reals = cor_calloc(laws->variable_count + 1, sizeof *c->reals);
    if (!(c->stage_needed && c->steps && c->stages && c->due && c->integers && c->reals))
        return cor_fail_memory(error);
    memcpy(c->integers, laws->plan.routine.cells, laws->plan.routine.cell_count * sizeof *c->integers);
    return COR_OK;
}

enum cor_status cor_parameter_laws_probability(const struct cor_parameter_laws *laws,
                                               const struct cor_parameter_event *event, uint64_t draws_max,
                                               double *probability, struct cor_error *error) {
    struct counting counting = {.laws = laws, .event = event, .left = draws_max, .is_countable = true};
    const enum cor_status status = make_room(&counting, error);
    *probability = NAN;
    if (status == COR_OK && find_needed(&counting)) {
        uint32_t steps = 0, due = 0;
        for (uint32_t s = 0; s < counting.laws->main.stage_count; s++) {
            counting.stages[s].first = steps;
            for (size_t i = 0; i < counting.laws->main.count; i++) {
                const struct interaction__definition *d = &counting.laws->main.definitions[i];
                if (d->stage == s && is_any_needed(&counting, d))
                    counting.steps[steps++].definition = d;
            }
            counting.stages[s].end = steps;
            if (counting.stage_needed[s])
                place_constraints(&counting, s, &due);
        }
        const double counted = count_stages(&counting, 0);
        *probability = counting.is_countable ? counted : NAN;
    }
    COR_FREE(counting.stage_needed, counting.steps, counting.stages, counting.due, counting.integers,
             counting.reals);
    return status;
}

/* ---- what can be said of the laws before suites are drawn: ranges by interval arithmetic, and what z3 finds
 * where examples do not tell */

struct cor_value_range interaction__laws_interval(const struct cor_parameter_laws *laws,
                                                  const struct cor_expression *expression) {
    int64_t low[COR_VARIABLES_MAX], high[COR_VARIABLES_MAX];
    for (size_t i = 0; i < laws->variable_count; i++) {
        low[i] = laws->variables[i].low;
        high[i] = laws->variables[i].high;
    }
    return cor_expression_interval(expression, low, high);
}

struct cor_value_range interaction__quantity_interval(const struct cor_parameter_laws *laws,
                                                      const struct cor_derived_quantity *quantity) {
    return quantity->expression.text ? interaction__laws_interval(laws, &quantity->expression)
                                     : (struct cor_value_range){quantity->given, quantity->given};
}

static bool reads_own_stage(const struct cor_parameter_laws *laws, const struct interaction__definition *d) {
    for (uint32_t v = 0; v < laws->parameter_count; v++)
        if (laws->variables[v].stage == d->stage &&
            (cor_expression_reads(&d->low, v) || cor_expression_reads(&d->high, v)))
            return true;
    return false;
}

enum cor_status interaction__laws_enclose(struct cor_parameter_laws *laws, struct cor_error *error) {
    for (size_t i = 0; i < laws->variable_count; i++) {
        laws->variables[i].clip_low = INT64_MIN;
        laws->variables[i].clip_high = INT64_MAX;
    }
    for (size_t i = 0; i < laws->main.count; i++) {
        struct interaction__definition *d = &laws->main.definitions[i];
        d->bounds_come_before =
            (d->kind == COR_LAW_UNIFORM || d->kind == COR_LAW_PAIR) && !reads_own_stage(laws, d);
        if (d->kind == COR_LAW_REAL || d->kind == COR_LAW_SIMPLEX)
            continue;
        struct cor_value_range low = interaction__laws_interval(laws, &d->low),
                               high = d->kind == COR_LAW_VALUE ? low
                                                               : interaction__laws_interval(laws, &d->high);
        if (low.low > high.high)
            return cor_fail(
                error, COR_STATUS_UNSATISFIABLE, d->place, "write the smaller bound first",
                "%s: the range is empty: its lower bound is at least %lld, its upper bound at most %lld",
                d->line, (long long)low.low, (long long)high.high);
        for (uint32_t v = 0; v < d->variable_count; v++) {
            laws->variables[d->variable[v]].low = low.low;
            laws->variables[d->variable[v]].high = high.high;
        }
    }
    for (size_t i = 0; i < laws->override_count; i++) {
        struct cor_variable *variable = &laws->variables[laws->overrides[i].variable];
        const struct cor_value_range range = interaction__laws_interval(laws, &laws->overrides[i].value);
        variable->low = range.low < variable->low ? range.low : variable->low;
        variable->high = range.high > variable->high ? range.high : variable->high;
    }
    return COR_OK;
}

#define TRIES 512 /* a thousandth of a second */

/* Answers by example. A drawn configuration that solves the problem put to z3 proves that there is one, and
 * one at the end of a range proves that the range cannot be tightened there: z3, which takes longer than a
 * small campaign, then has nothing to add. */
struct hunt {
    struct cor_parameter_laws *laws;
    const struct cor_problem *problem;
    struct cor_rng rng;
    bool found;
    bool low[COR_VARIABLES_MAX], high[COR_VARIABLES_MAX]; /* ends of the ranges that some solution attained */
};

static bool is_complete(const struct hunt *hunt, const bool *wanted) {
    bool complete = hunt->found;
    for (uint32_t v = 0; v < hunt->problem->variable_count && complete; v++)
        complete = !wanted[v] || (hunt->low[v] && hunt->high[v]);
    return complete;
}

/* Whether a few draws prove what z3 might be asked of the problem, made of the stages up to `last_stage`: it
 * has solutions, and among them some at either end of the range of each variable that is wanted[variable].
 * False says nothing: they may exist. The laws are as before. */
static bool has_witness(struct cor_parameter_laws *laws, const struct cor_problem *problem,
                        uint32_t last_stage, const bool *wanted) {
    /* Which solutions are found decides nothing but whether z3 is asked, so any stream will do that is no
     * suite's. */
    struct cor_stream_name name = {.suite = UINT32_MAX, .purpose = COR_PURPOSE_CONFIGURATION};
    struct hunt hunt = {.laws = laws, .problem = problem, .rng = cor_rng_named(&name)};
    int64_t clips[2 * COR_VARIABLES_MAX];
    cor_parameter_laws_get_bounds(laws, clips);
    for (uint32_t i = 0; i < TRIES && !is_complete(&hunt, wanted); i++) {
        if (i % 2 == 1) {
            /* Presses about two thirds of the integers to an end of their range: what attains one end mostly
             * needs other parameters to be extreme, too, and free draws hardly ever are. */
            for (uint32_t v = 0; v < hunt.problem->variable_count; v++) {
                struct cor_variable *variable = &hunt.laws->variables[v];
                uint32_t which = cor_rng_below(&hunt.rng, 3);
                if (which == 0)
                    variable->clip_high = variable->low;
                else if (which == 1)
                    variable->clip_low = variable->high;
            }
        }
        int64_t integers[COR_VARIABLES_MAX] = {0};
        double reals[COR_VARIABLES_MAX] = {0};
        for (uint32_t v = 0; v < hunt.problem->variable_count; v++)
            integers[v] = hunt.problem->low[v]; /* what is not drawn: nothing is asked of it but its range */
        if (laws_try(hunt.laws, &hunt.rng, last_stage, integers, reals) &&
            cor_problem_holds(hunt.problem, integers)) {
            hunt.found = true;
            for (uint32_t v = 0; v < hunt.problem->variable_count; v++) {
                hunt.low[v] = hunt.low[v] || integers[v] == hunt.problem->low[v];
                hunt.high[v] = hunt.high[v] || integers[v] == hunt.problem->high[v];
            }
        }
        cor_parameter_laws_set_bounds(laws, clips);
    }
    return is_complete(&hunt, wanted);
}

/* The problem put to z3: the user's constraints, and each definition and override as one more. */
struct question {
    struct cor_problem problem;
    struct cor_expression *constraints; /* owned array */
    const char **lines;                 /* how each was written */
    const char **places;                /* and where */
    size_t borrowed;                    /* of `constraints`, the first: those of the laws */
    size_t made;                        /* the others: parsed here */
    int64_t *low, *high;
};

static void fini_question(struct question *q) {
    for (size_t i = 0; i < q->made; i++)
        cor_expression_fini(&q->constraints[q->borrowed + i]);
    COR_FREE(q->constraints, q->lines, q->places, q->low, q->high);
}

static bool is_overridden(const struct cor_parameter_laws *laws, uint32_t variable) {
    for (size_t i = 0; i < laws->override_count; i++)
        if (laws->overrides[i].variable == variable)
            return true;
    return false;
}

/* What a definition says of its variables once drawn, as a constraint; NULL if it says nothing. */
static char *definition_text(const struct cor_parameter_laws *laws, const struct interaction__definition *d) {
    const char *first = laws->variables[d->variable[0]].name;
    bool first_free = is_overridden(laws, d->variable[0]);
    if (d->kind == COR_LAW_VALUE)
        return first_free ? NULL : cor_format("%s == (%s)", first, d->low_text);
    if (d->kind == COR_LAW_UNIFORM)
        return first_free ? NULL
                          : cor_format("%s >= (%s) and %s <= (%s)", first, d->low_text, first, d->high_text);
    const char *second = laws->variables[d->variable[1]].name;
    bool second_free = is_overridden(laws, d->variable[1]);
    if (first_free && second_free)
        return NULL;
    if (first_free || second_free) {
        const char *bound = first_free ? second : first;
        return cor_format("%s >= (%s) and %s <= (%s)", bound, d->low_text, bound, d->high_text);
    }
    return cor_format("%s >= (%s) and %s <= %s and %s <= (%s)", first, d->low_text, first, second, second,
                      d->high_text);
}

static enum cor_status ask_too(struct question *q, char *text_take, const char *line, const char *place,
                               struct cor_error *error) {
    if (!text_take)
        return COR_OK;
    size_t at = q->borrowed + q->made;
    enum cor_status status =
        cor_expression_parse(text_take, q->problem.names, true, NULL, &q->constraints[at], error);
    free(text_take);
    COR_TRY(status);
    q->lines[at] = line;
    q->places[at] = place;
    q->made++;
    return COR_OK;
}

/* What is known when stage `last_stage` has been drawn: definitions, overrides and constraints up to it. */
static enum cor_status make_question(struct question *q, const struct cor_parameter_laws *laws,
                                     uint32_t last_stage, struct cor_error *error) {
    size_t most = laws->constraint_count + laws->main.count + laws->override_count, n = laws->parameter_count;
    *q = (struct question){
        .constraints = cor_calloc(most, sizeof *q->constraints),
        .lines = cor_calloc(most, sizeof *q->lines),
        .places = cor_calloc(most, sizeof *q->places),
        .low = cor_calloc(n, sizeof *q->low),
        .high = cor_calloc(n, sizeof *q->high),
        .problem.names = laws->names,
    };
    if (!q->constraints || !q->lines || !q->places || !q->low || !q->high)
        return cor_fail_memory(error);
    for (size_t i = 0; i < n; i++) {
        q->low[i] = laws->variables[i].is_integer ? laws->variables[i].low : 0;
        q->high[i] = laws->variables[i].is_integer ? laws->variables[i].high : 0;
    }
    for (size_t i = 0; i < laws->constraint_count; i++) {
        if (laws->constraints[i].stage > last_stage)
            continue;
        q->constraints[q->borrowed] = laws->constraints[i].expression;
        q->lines[q->borrowed] = laws->constraints[i].expression.text;
        q->places[q->borrowed++] = laws->constraints[i].place;
    }
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct interaction__definition *d = &laws->main.definitions[i];
        if (d->stage <= last_stage && d->kind != COR_LAW_REAL && d->kind != COR_LAW_SIMPLEX)
            COR_TRY(ask_too(q, definition_text(laws, d), d->line, d->place, error));
    }
    for (size_t i = 0; i < laws->override_count; i++) {
        const struct cor_override *o = &laws->overrides[i];
        if (laws->variables[o->variable].stage <= last_stage)
            COR_TRY(ask_too(q, cor_format("%s == (%s)", o->name, o->text), o->line, o->place, error));
    }
    q->problem = (struct cor_problem){
        .names = laws->names,
        .variable_count = laws->parameter_count,
        .low = q->low,
        .high = q->high,
        .constraints = q->constraints,
        .constraint_count = (uint32_t)(q->borrowed + q->made),
    };
    return COR_OK;
}

/* Draws of this definition may be clipped without changing the law: what is cut off would be rejected at the
 * end of the stage, and no weight of what is left depends on it. Where bounds read a name of the same stage
 * it does: there a narrower range would make the rest of it likelier. */
static bool may_clip(const struct interaction__definition *d) {
    return d->bounds_come_before && !d->overridden;
}

static void clip_all(struct cor_parameter_laws *laws, uint32_t stage, const int64_t *low, const int64_t *high,
                     char *note, size_t size) {
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct interaction__definition *d = &laws->main.definitions[i];
        if (d->stage == stage && may_clip(d)) {
            /* low and high: [variable] */
            for (uint32_t v = 0; v < d->variable_count; v++) {
                struct cor_variable *variable = &laws->variables[d->variable[v]];
                variable->clip_low = low[d->variable[v]];
                variable->clip_high = high[d->variable[v]];
                bool narrower = variable->clip_low > variable->low || variable->clip_high < variable->high;
                size_t used = strlen(note);
                if (narrower && used < size)
                    snprintf(note + used, size - used, "%s%s in %lld..%lld",
                             used > 0 ? ", " : "tightened to ", variable->name, (long long)variable->clip_low,
                             (long long)variable->clip_high);
            }
        }
    }
}

/* Clips the definitions of a stage to what the constraints due by its end can accept. */
static enum cor_status clip_stage(struct cor_parameter_laws *laws, uint32_t stage, char *note, size_t size,
                                  struct cor_error *error) {
    struct question q;
    struct cor_solution_space space = {0};
    bool clipped[COR_VARIABLES_MAX] = {false};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(make_question(&q, laws, stage, error));
    /* The parameters of a stage whose draws may be clipped. */
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct interaction__definition *d = &laws->main.definitions[i];
        for (uint32_t v = 0; v < d->variable_count && d->stage == stage && may_clip(d); v++)
            clipped[d->variable[v]] = true;
    }
    if (has_witness(laws, &q.problem, stage, clipped))
        clip_all(laws, stage, q.low, q.high, note, size); /* nothing can be cut off */
    else
        COR_TRY_OUT(cor_solve(&q.problem, &space, error));
    if (space.answer == COR_ANSWER_SATISFIABLE)
        clip_all(laws, stage, space.low, space.high, note, size);
out:
    cor_solution_space_fini(&space);
    fini_question(&q);
    return status;
}

/* Goes from one solution to the first: of least value in the first parameter, then in the second, and so on.
 * Which one z3 finds first depends on its version. UNDECIDED where it cannot tell. */
static enum cor_status take_first(struct cor_solver *solver, struct cor_question question,
                                  const char *const *names, uint32_t count, int64_t *low, int64_t *high,
                                  enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    question.low = low;
    question.high = high;
    for (uint32_t i = 0; i < count && *answer == COR_ANSWER_SATISFIABLE; i++) {
        struct cor_expression parameter;
        struct cor_least least;
        if (names[i][0] == '\0')
            continue;
        COR_TRY(cor_expression_parse(names[i], names, false, NULL, &parameter, error));
        enum cor_status status =
            cor_solver_minimise(solver, &question, &parameter, low[i], &least, values, error);
        cor_expression_fini(&parameter);
        COR_TRY(status);
        *answer = least.answer;
        low[i] = high[i] = least.value;
    }
    return COR_OK;
}

enum cor_status interaction__laws_solve(const struct cor_parameter_laws *laws, const char *const *names,
                                        const struct cor_expression *more, uint32_t more_count,
                                        enum cor_answer *answer, int64_t *values, struct cor_error *error) {
    struct question q;
    struct cor_solver *solver = NULL;
    enum cor_status status = COR_OK;
    const uint32_t n = laws->parameter_count;
    int64_t *low = cor_calloc(n + 1, sizeof *low), *high = cor_calloc(n + 1, sizeof *high);
    COR_TRY_OUT(make_question(&q, laws, UINT32_MAX, error));
    COR_TRY_OUT(low && high ? COR_OK : cor_fail_memory(error));
    memcpy(low, q.low, n * sizeof *low);
    memcpy(high, q.high, n * sizeof *high);
    low[n] = 1;
    high[n] = COR_AGENTS_MAX;
    q.problem.names = names;
    q.problem.variable_count = n + 1;
    q.problem.low = low;
    q.problem.high = high;
    const struct cor_question question = {
        .kind = COR_QUESTION_POINT, .constraints = more, .constraint_count = more_count};
    COR_TRY_OUT(cor_solver_create(&q.problem, &solver, error));
    COR_TRY_OUT(cor_solver_ask(solver, &question, answer, values, error));
    COR_TRY_OUT(take_first(solver, question, names, n + 1, low, high, answer, values, error));
out:
    cor_solver_destroy(solver);
    fini_question(&q);
    COR_FREE(low, high);
    return status;
}

/* Can all constraints hold together? */
static enum cor_status decide(struct cor_parameter_laws *laws, char *note, size_t size,
                              struct cor_error *error) {
    static const bool no_range[COR_VARIABLES_MAX];
    struct question q;
    struct cor_solution_space space = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(make_question(&q, laws, UINT32_MAX, error));
    if (has_witness(laws, &q.problem, UINT32_MAX, no_range))
        goto out;
    COR_TRY_OUT(cor_solve(&q.problem, &space, error));
    if (space.answer == COR_ANSWER_EMPTY) {
        /* The conflicting lines as written, then the ranges of the parameters they speak of. */
        char lines[900] = "";
        const char *place = NULL;
        size_t used = 0;
        for (uint32_t i = 0; i < space.conflict_count && used < sizeof lines; i++) {
            uint32_t c = space.conflict[i];
            int wrote = snprintf(lines + used, sizeof lines - used, "%s%s", i > 0 ? "; " : "", q.lines[c]);
            used += wrote > 0 ? (size_t)wrote : 0;
            if (!place || c < q.borrowed)
                place = q.places[c];
        }
        for (size_t i = 0; i < laws->main.count && used < sizeof lines; i++) {
            const struct interaction__definition *d = &laws->main.definitions[i];
            bool is_read = false, is_there = false;
            for (uint32_t k = 0; k < space.conflict_count; k++) {
                is_there = is_there || q.lines[space.conflict[k]] == d->line;
                for (uint32_t v = 0; v < d->variable_count; v++)
                    is_read =
                        is_read || cor_expression_reads(&q.constraints[space.conflict[k]], d->variable[v]);
            }
            if (!is_read || is_there)
                continue;
            int wrote = snprintf(lines + used, sizeof lines - used, "%s%s", used > 0 ? "; " : "", d->line);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
        COR_TRY_OUT(cor_fail(error, COR_STATUS_UNSATISFIABLE, place, "relax one of these lines",
                             "cannot all hold: %s", lines));
    }
    if (space.answer == COR_ANSWER_UNDECIDED)
        snprintf(note, size, "z3 could not decide whether the constraints can hold; drawing will tell");
out:
    cor_solution_space_fini(&space);
    fini_question(&q);
    return status;
}

enum cor_status cor_parameter_laws_analyse(struct cor_parameter_laws *laws, char *note, size_t size,
                                           struct cor_error *error) {
    char open[256] = "";
    note[0] = '\0';
    COR_TRY(decide(laws, open, sizeof open, error));
    for (uint32_t stage = 0; stage < laws->main.stage_count; stage++) {
        bool has_constraint = false;
        for (size_t i = 0; i < laws->constraint_count && !has_constraint; i++)
            has_constraint = laws->constraints[i].stage == stage;
        if (has_constraint)
            COR_TRY(clip_stage(laws, stage, note, size, error));
    }
    size_t used = strlen(note);
    if (open[0] != '\0')
        snprintf(note + used, size - used, "%s%s", used > 0 ? "; " : "", open);
    return COR_OK;
}

void cor_parameter_laws_get_bounds(const struct cor_parameter_laws *laws, int64_t *bounds) {
    for (uint32_t i = 0; i < laws->parameter_count; i++) {
        bounds[2 * i] = laws->variables[i].clip_low;
        bounds[2 * i + 1] = laws->variables[i].clip_high;
    }
}

void cor_parameter_laws_set_bounds(struct cor_parameter_laws *laws, const int64_t *bounds) {
    for (uint32_t i = 0; i < laws->parameter_count; i++) {
        laws->variables[i].clip_low = bounds[2 * i];
        laws->variables[i].clip_high = bounds[2 * i + 1];
    }
}

/* ---- bounds */

/* A number as a number, anything else as the text it is. */
static void put_expression(struct cor_json_writer *writer, const char *key, const struct cor_expression *e) {
    if (e->node_count == 1 && e->nodes[0].operator== COR_OPERATOR_CONSTANT)
        cor_json_put_integer(writer, key, e->nodes[0].constant);
    else
        cor_json_put_string(writer, key, e->text);
}

static void put_reals(struct cor_json_writer *writer, const char *key, double low, double high) {
    cor_json_open_array(writer, key);
    cor_json_put_real(writer, NULL, low);
    cor_json_put_real(writer, NULL, high);
    cor_json_close(writer);
}

static const struct cor_override *override_of(const struct cor_parameter_laws *laws, uint32_t variable) {
    for (size_t i = 0; i < laws->override_count; i++)
        if (laws->overrides[i].variable == variable)
            return &laws->overrides[i];
    return NULL;
}

/* Pairs are ordered, unless what is set afterwards undoes it. */
static enum cor_status put_constraints(struct cor_json_writer *writer, const struct cor_parameter_laws *laws,
                                       struct cor_error *error) {
    cor_json_open_array(writer, "constraints");
    for (size_t i = 0; i < laws->main.count; i++) {
        const struct interaction__definition *d = &laws->main.definitions[i];
        if (d->kind != COR_LAW_PAIR || override_of(laws, d->variable[0]) || override_of(laws, d->variable[1]))
            continue;
        char *text = cor_format("%s <= %s", laws->variables[d->variable[0]].name,
                                laws->variables[d->variable[1]].name);
        COR_TRY(cor_made(text, error));
        cor_json_put_string(writer, NULL, text);
        free(text);
    }
    for (size_t i = 0; i < laws->constraint_count; i++)
        cor_json_put_string(writer, NULL, laws->constraints[i].text);
    cor_json_close(writer);
    return COR_OK;
}

static void put_quantity(struct cor_json_writer *writer, const char *key,
                         const struct cor_derived_quantity *quantity) {
    if (quantity->expression.text)
        cor_json_put_string(writer, key, quantity->expression.text);
    else
        cor_json_put_integer(writer, key, quantity->given);
}

static void put_roles(struct cor_json_writer *writer, const struct cor_arm *arm) {
    const struct cor_roles *r = &arm->roles;
    cor_json_open_object(writer, "roles");
    put_quantity(writer, "agents", &r->agents);
    put_quantity(writer, "size_min", &r->size_min);
    put_quantity(writer, "size_max", &r->size_max);
    put_quantity(writer, "count_min", &r->count_min);
    put_quantity(writer, "count_max", &r->count_max);
    if (r->groups.given > 0 || r->groups.expression.text)
        put_quantity(writer, "groups", &r->groups);
    if (!r->location_per_group)
        put_quantity(writer, "locations", &r->locations);
    cor_json_close(writer);
    if (r->groups_have_sizes) {
        cor_json_open_array(writer, "group_sizes");
        put_quantity(writer, NULL, &r->group_size_min);
        put_quantity(writer, NULL, &r->group_size_max);
        cor_json_close(writer);
    }
    if (arm->type_counts) {
        cor_json_open_array(writer, "type_counts");
        for (uint32_t t = 0; t < arm->type_counts->type_count; t++)
            cor_json_put_string(writer, NULL, arm->type_counts->texts[t]);
        cor_json_close(writer);
    }
    cor_json_put_string(writer, "idle",
                        r->idle_parameter >= 0 ? arm->laws->variables[r->idle_parameter].name : NULL);
}

enum cor_status cor_bounds_text(const struct cor_test_model *model, const struct cor_arm *arm, char **text,
                                struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    /* Stage after stage, since one reads what was drawn before it; what is set afterwards behind its
     * stage. */
    cor_json_open_object(writer, "parameters");
    for (uint32_t stage = 0; stage < arm->laws->main.stage_count; stage++) {
        for (size_t i = 0; i < arm->laws->main.count; i++) {
            const struct interaction__definition *d = &arm->laws->main.definitions[i];
            for (uint32_t v = 0; d->stage == stage && v < d->variable_count; v++) {
                const char *name = arm->laws->variables[d->variable[v]].name;
                if (override_of(arm->laws, d->variable[v]))
                    continue;
                if (d->kind == COR_LAW_VALUE) {
                    put_expression(writer, name, &d->low);
                } else if (d->kind == COR_LAW_REAL) {
                    put_reals(writer, name, d->real_low, d->real_high);
                } else if (d->kind == COR_LAW_SIMPLEX) {
                    put_reals(writer, name, 0, d->real_high);
                } else {
                    cor_json_open_array(writer, name);
                    put_expression(writer, NULL, &d->low);
                    put_expression(writer, NULL, &d->high);
                    cor_json_close(writer);
                }
            }
        }
        for (size_t i = 0; i < arm->laws->override_count; i++)
            if (arm->laws->variables[arm->laws->overrides[i].variable].stage == stage)
                put_expression(writer, arm->laws->variables[arm->laws->overrides[i].variable].name,
                               &arm->laws->overrides[i].value);
    }
    cor_json_close(writer);
    cor_json_open_array(writer, "sums");
    for (size_t i = 0; i < arm->laws->main.count; i++) {
        const struct interaction__definition *d = &arm->laws->main.definitions[i];
        if (d->kind != COR_LAW_SIMPLEX)
            continue;
        cor_json_open_object(writer, NULL);
        cor_json_open_array(writer, "of");
        for (uint32_t v = 0; v < d->variable_count; v++)
            cor_json_put_string(writer, NULL, arm->laws->variables[d->variable[v]].name);
        cor_json_close(writer);
        cor_json_put_real(writer, "sum", d->real_high);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    enum cor_status status = put_constraints(writer, arm->laws, error);
    put_roles(writer, arm);
    put_reals(writer, "inertia", model->inertia_low, model->inertia_high);
    cor_json_open_array(writer, "levels");
    for (uint32_t t = 0; t < model->type_count; t++)
        if (model->types[t].fixed)
            cor_json_put_string(writer, NULL, NULL);
        else
            put_reals(writer, NULL, model->types[t].level_low, model->types[t].level_high);
    cor_json_close(writer);
    cor_json_put_bool(writer, "mixed_groups", model->mixed_groups);
    cor_json_close(writer);
    if (status == COR_OK)
        return cor_json_text_take(writer, 0, text, error);
    cor_json_writer_destroy(writer);
    return status;
}
