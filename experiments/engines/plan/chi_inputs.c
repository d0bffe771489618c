/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAT_Model and Optimize_Model of chi-RPT without a solver: the box of all inputs is halved, its first
 * parameter first, and halves that bounds rule out - the guard never holds there, a rival's always does, an
 * update leaves its domain, the degree cannot be less than one that was found - are left aside. What is left
 * is enumerated, in order, so the answer is that of trying all inputs: the first of those with the least
 * degree. */
#include "chi_rpt.h"

#include <string.h>

#define POINTS_MAX 16 /* inputs of a box that are tried one by one */

struct search {
    const struct plan__offline *offline;
    const struct cor_efsm *model;
    const struct cor_efsm_transition *transition;
    const struct cor_efsm_label *input;
    const struct plan__tabu *tabu; /* NULL: nothing is tabu */
    const struct plan__aim *aim;
    uint32_t number;    /* the transition's */
    uint32_t rivals[2]; /* to be kept away: from .. to - 1 of all */
    bool some_may;      /* the perfect ones of them need not */
    int64_t next_low[COR_EFSM_VARIABLES_MAX],
        next_high[COR_EFSM_VARIABLES_MAX]; /* behind the move, by bounds */
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    uint32_t boxes;
    bool is_done; /* nothing better can be found */
    struct plan__found *found;
};

/* What bounds have not settled for a box, and so for no part of it. */
struct box {
    uint32_t rivals;    /* that may be enabled: the first of offline->open_rivals */
    uint32_t cubes;     /* of the constraint, that may be near enough: the first of offline->cubes */
    bool is_guard_open; /* the guard may fail */
};

static const struct cor_expression *guard_of(const struct search *s, uint32_t rival) {
    return &s->model->transitions[s->offline->rivals[rival]].guard;
}

static bool keeps_away(const struct search *s, const struct box *box, const int64_t *values) {
    for (uint32_t i = 0; i < box->rivals; i++)
        if (cor_expression_holds(guard_of(s, s->offline->open_rivals[i]), values))
            return false;
    return true;
}

/* How far the states low .. high are at least from what the input is to bring near, if that is nearer than
 * what was found; cubes that are not are left out of the box. */
static uint64_t degree_among(const struct search *s, struct box *box, const int64_t *low,
                             const int64_t *high) {
    const uint64_t far = s->found->any ? s->found->degree : COR_DEGREE_INFINITE;
    uint32_t count = box->cubes;
    const uint64_t degree =
        cor_efsm_reach_degree_among(s->offline->reach[s->aim->trap], s->aim->near, s->aim->ring, low, high,
                                    far, s->offline->cubes, &count);
    box->cubes = s->found->any ? count : box->cubes;
    return degree;
}

/* How far one input, which enables the transition, is from what it is to bring near. */
static uint64_t degree_of(const struct search *s, const struct box *box, const int64_t *values,
                          const int64_t *next) {
    const struct cor_efsm_reach *reach = s->offline->reach[s->aim->trap];
    struct box same = *box;
    const struct cor_efsm_trap *trap = &s->offline->goal->traps[s->aim->trap];
    if (s->aim->at_trap)
        return cor_efsm_hits(s->model, trap, s->number, values) ? 0 : COR_DEGREE_INFINITE;
    if (s->aim->at_first)
        return cor_efsm_reach_is_first(reach, s->number, values) ? 0 : COR_DEGREE_INFINITE;
    return degree_among(s, &same, next, next);
}

/* All inputs of the box, the last parameter fastest. */
static void try_points(struct search *s, const struct box *box) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    memcpy(values, s->low, s->model->variable_count * sizeof *values);
    while (!s->is_done) {
        uint32_t p = s->input->parameter_count;
        int64_t next[COR_EFSM_VARIABLES_MAX];
        if (cor_efsm_step(s->model, s->number, values, next) && keeps_away(s, box, values) &&
            (!s->tabu || !plan__tabu_has(s->tabu, s->aim->trap, s->number, values))) {
            const uint64_t degree = degree_of(s, box, values, next);
            if (!(s->found->any && degree >= s->found->degree)) {
                s->found->any = true;
                s->found->degree = degree;
                memcpy(s->found->values, values, s->model->variable_count * sizeof *values);
                s->is_done = degree == 0 || s->aim->any_will_do ||
                             (s->offline->varying[s->number] == 0 && !s->aim->at_trap && !s->aim->at_first);
            }
        }
        for (; p > 0 && values[s->input->parameters[p - 1]] == s->high[s->input->parameters[p - 1]]; p--)
            values[s->input->parameters[p - 1]] = s->low[s->input->parameters[p - 1]];
        if (p == 0)
            return;
        values[s->input->parameters[p - 1]]++;
    }
}

/* The states behind the move, at most: what the updates say, all or only those that vary with the input;
 * false: each would leave a domain. */
static bool bound_next(struct search *s, bool all) {
    for (uint32_t u = 0; u < s->transition->update_count; u++) {
        if (!all && !(s->offline->varying[s->number] >> u & 1))
            continue;
        const uint32_t v = s->transition->updates[u].variable;
        const struct cor_efsm_variable *variable = &s->model->variables[v];
        const struct cor_value_range range =
            cor_expression_interval(&s->transition->updates[u].value, s->low, s->high);
        s->next_low[v] = range.low > variable->low ? range.low : variable->low;
        s->next_high[v] = range.high < variable->high ? range.high : variable->high;
        if (s->next_low[v] > s->next_high[v])
            return false;
    }
    return true;
}

/* Whether bounds rule the box out; what they settle is noted. */
static bool is_hopeless(struct search *s, struct box *box) {
    uint32_t *rivals = s->offline->open_rivals;
    if (box->is_guard_open) {
        const enum cor_decision holds = cor_expression_decide(&s->transition->guard, s->low, s->high);
        if (holds == COR_DECISION_NEVER)
            return true;
        box->is_guard_open = holds == COR_DECISION_OPEN;
    }
    for (uint32_t i = 0; i < box->rivals;) {
        const enum cor_decision holds = cor_expression_decide(guard_of(s, rivals[i]), s->low, s->high);
        if (holds == COR_DECISION_ALWAYS)
            return true;
        if (holds == COR_DECISION_OPEN) {
            i++;
            continue;
        }
        const uint32_t never = rivals[i];
        rivals[i] = rivals[--box->rivals];
        rivals[box->rivals] = never;
    }
    if (!bound_next(s, false))
        return true;
    /* No input of the box is nearer than what was found. */
    const struct cor_expression *constraint = &s->offline->goal->traps[s->aim->trap].constraint;
    if (!s->found->any || s->aim->at_first)
        return false;
    if (s->aim->at_trap)
        return constraint->node_count > 0 &&
               cor_expression_decide(constraint, s->low, s->high) == COR_DECISION_NEVER;
    return degree_among(s, box, s->next_low, s->next_high) >= s->found->degree;
}

/* Its size, cut off at POINTS_MAX + 1; and the first parameter with several values. */
static uint64_t size_of(const struct search *s, uint32_t *first) {
    uint64_t size = 1;
    *first = COR_NONE;
    for (uint32_t p = 0; p < s->input->parameter_count; p++) {
        const uint32_t v = s->input->parameters[p];
        const uint64_t count = (uint64_t)(s->high[v] - s->low[v]) + 1;
        *first = *first == COR_NONE && count > 1 ? v : *first;
        size = count > POINTS_MAX ? POINTS_MAX + 1 : size * count;
        size = size > POINTS_MAX ? POINTS_MAX + 1 : size;
    }
    return size;
}

static void look_into(struct search *s,
                      struct box box) { // NOLINT(misc-no-recursion): as deep as domains have bits
    uint32_t v;
    if (s->is_done || ++s->boxes > PLAN__BOXES_MAX)
        return;
    const uint64_t size = size_of(s, &v);
    if (size > 1 && is_hopeless(s, &box))
        return;
    if (size <= POINTS_MAX) {
        try_points(s, &box);
        return;
    }
    const int64_t low = s->low[v], high = s->high[v], half = low + (high - low) / 2;
    s->high[v] = half;
    look_into(s, box);
    s->low[v] = half + 1;
    s->high[v] = high;
    look_into(s, box);
    s->low[v] = low;
}

/* Nothing is settled yet. */
static struct box whole(const struct search *s) {
    const struct plan__offline *o = s->offline;
    struct box box = {.is_guard_open = true};
    for (uint32_t r = s->rivals[0]; r < s->rivals[1]; r++)
        if (!(s->some_may && o->is_perfect[r]))
            o->open_rivals[box.rivals++] = r;
    if (s->aim->at_trap || s->aim->at_first)
        return box;
    box.cubes = cor_efsm_reach_among(o->reach[s->aim->trap], s->aim->near, s->aim->ring, o->cubes);
    return box;
}

/* Over all inputs of the state. */
static void search_all(struct search *s, const int64_t *values, struct plan__found *found) {
    memcpy(s->low, values, s->model->variable_count * sizeof *values);
    memcpy(s->high, values, s->model->variable_count * sizeof *values);
    for (uint32_t p = 0; p < s->input->parameter_count; p++) {
        const uint32_t v = s->input->parameters[p];
        s->low[v] = s->model->variables[v].low;
        s->high[v] = s->model->variables[v].high;
    }
    found->any = s->is_done = false;
    s->boxes = 0;
    s->found = found;
    memcpy(s->next_low, s->low, s->model->variable_count * sizeof *s->low);
    memcpy(s->next_high, s->high, s->model->variable_count * sizeof *s->high);
    if (bound_next(s, true))
        look_into(s, whole(s));
}

/* A rival is perfect here if no input enables the transition without it. */
static void find_perfect(const struct search *like, struct plan__offline *offline, const int64_t *values) {
    struct plan__aim aim = *like->aim;
    aim.any_will_do = true;
    for (uint32_t r = like->rivals[0]; r < like->rivals[1]; r++) {
        struct search s = *like;
        struct plan__found found;
        s.aim = &aim;
        s.rivals[0] = r;
        s.rivals[1] = r + 1;
        s.tabu = NULL;
        s.some_may = false;
        search_all(&s, values, &found);
        offline->is_perfect[r] = !found.any;
    }
}

void plan__input_search(struct plan__offline *offline, const struct plan__tabu *tabu, uint32_t transition,
                        enum plan__strength strength, const struct plan__aim *aim, const int64_t *values,
                        struct plan__found *found) {
    const struct cor_efsm *model = offline->model;
    struct search s = {.offline = offline,
                       .model = model,
                       .transition = &model->transitions[transition],
                       .input = &model->inputs[model->transitions[transition].input],
                       .aim = aim,
                       .number = transition,
                       .rivals = {offline->first_rival[transition], offline->first_rival[transition + 1]}};
    const uint32_t location = model->transitions[transition].source;
    s.tabu = tabu && plan__tabu_knows(tabu, aim->trap, location, values) ? tabu : NULL;
    if (strength == PLAN__STRENGTH_PERFECT) {
        find_perfect(&s, offline, values);
        s.some_may = true;
    } else if (strength == PLAN__STRENGTH_NONE) {
        s.rivals[1] = s.rivals[0];
    }
    search_all(&s, values, found);
}
