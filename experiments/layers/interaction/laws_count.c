/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Probabilities by the laws, counted out: stage by stage, all that can be drawn, each with its probability
 * given what was drawn before. A stage is drawn until its constraints hold, so what they refuse is divided
 * out. What the event does not depend on is left out. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEVER 1e-18 /* the probability of giving up a stage: as good as none */

/* A definition, and the constraints that can be judged once it is drawn. */
struct step {
    const struct cor_definition *definition;
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
    const struct cor_constraint **due;
    int64_t *integers; /* the cells of the plan */
    double *reals;
    uint64_t left; /* draws that may still be gone through */
    bool is_countable;
};

static bool is_any_needed(const struct counting *c, const struct cor_definition *d) {
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
static bool may_fail(const struct cor_parameter_laws *laws, const struct cor_definition *d) {
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

static bool need_definition(struct counting *c, const struct cor_definition *d) {
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
        const struct cor_definition *d = &laws->main.definitions[i];
        if (is_any_needed(c, d) || (may_fall_back(laws, d->stage) && may_fail(laws, d)))
            c->stage_needed[d->stage] = true;
        if (c->stage_needed[d->stage] && (is_any_needed(c, d) || may_fail(laws, d)))
            is_new = need_definition(c, d) || is_new;
    }
    for (size_t i = 0; i < laws->constraint_count; i++) {
        const struct cor_constraint *constraint = &laws->constraints[i];
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
        const struct cor_definition *d = &c->laws->main.definitions[i];
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
                        const struct cor_constraint *constraint) {
    uint32_t at = stage->first;
    for (uint32_t s = stage->first; s < stage->end; s++) {
        const struct cor_definition *d = c->steps[s].definition;
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
            const struct cor_constraint *constraint = &c->laws->constraints[i];
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
    const struct cor_definition *d = c->steps[at].definition;
    struct mass sum = {0, 0};
    int64_t low, high;
    if (!interaction__laws_range_now(c->laws, (size_t)(d - c->laws->main.definitions), c->integers, &low,
                                     &high))
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
            if (!interaction__laws_override(c->laws, c->steps[s].definition, c->integers, c->reals))
                return (struct mass){0, 0};
        if (!all_hold(c, it->due, it->due_end))
            return (struct mass){0, 0};
        return (struct mass){1, count_stages(c, stage + 1)};
    }
    const struct cor_definition *d = c->steps[at].definition;
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
                const struct cor_definition *d = &counting.laws->main.definitions[i];
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
    free(counting.stage_needed);
    free(counting.steps);
    free(counting.stages);
    free(counting.due);
    free(counting.integers);
    free(counting.reals);
    return status;
}
