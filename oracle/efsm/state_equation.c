/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "state_equation.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* What the operation assigns to the variable; NULL: nothing. */
static const struct efsm__linear *form_of(const struct efsm__state_equation *eq,
                                          const struct efsm__operation *o, uint32_t variable) {
    const struct cor_efsm_transition *t = efsm__transition_of(eq, o);
    for (uint32_t u = 0; u < t->update_count; u++)
        if (t->updates[u].variable == variable)
            return &o->next[u];
    return NULL;
}

static enum cor_status add_operation(struct efsm__state_equation *eq, uint32_t transition,
                                     const struct efsm__move *move) {
    const struct cor_efsm_transition *t = &eq->model->transitions[transition];
    for (uint32_t i = 0; i < eq->operation_count; i++) {
        struct efsm__operation *o = &eq->operations[i];
        if (o->transition != transition || !efsm__same_forms(t, o->next, move->next))
            continue;
        for (uint32_t v = 0; v < eq->space.count; v++) {
            o->where.low[v] = o->where.low[v] < move->where.low[v] ? o->where.low[v] : move->where.low[v];
            o->where.high[v] =
                o->where.high[v] > move->where.high[v] ? o->where.high[v] : move->where.high[v];
        }
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&eq->operations, &eq->operation_capacity, eq->operation_count + 1, eq->space.error));
    struct efsm__operation *o = &eq->operations[eq->operation_count];
    *o = (struct efsm__operation){.transition = transition, .next = move->next};
    if (!efsm__cube_init(&eq->space, &o->where))
        return eq->space.status;
    memcpy(o->where.low, move->where.low, eq->space.count * sizeof *o->where.low);
    memcpy(o->where.high, move->where.high, eq->space.count * sizeof *o->where.low);
    eq->operation_count++;
    return COR_OK;
}

uint32_t efsm__operation_of(const struct efsm__state_equation *eq, uint32_t transition,
                            const int64_t *values) {
    const struct cor_efsm_transition *t = &eq->model->transitions[transition];
    for (uint32_t m = 0; m < eq->moves[transition].count; m++)
        if (efsm__cube_has(&eq->space, &eq->moves[transition].moves[m].where, values))
            for (uint32_t i = 0; i < eq->operation_count; i++)
                if (eq->operations[i].transition == transition &&
                    efsm__same_forms(t, eq->operations[i].next, eq->moves[transition].moves[m].next))
                    return i;
    return COR_NONE;
}

static bool reads_state(const struct efsm__state_equation *eq, const struct efsm__linear *form) {
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (form->coefficient[v] != 0)
        return true;
    return false;
}

/* What the operation does to the variable, and the variables that say how much in all. */
static void classify(struct efsm__state_equation *eq, struct efsm__operation *o, uint32_t v) {
    const struct efsm__linear *form = form_of(eq, o, v);
    struct efsm__linear itself = efsm__linear_of(0), change;
    o->change[v] = EFSM__KEEPS;
    if (!form)
        return;
    itself.coefficient[v] = 1;
    change = *form;
    if (form->coefficient[v] == 1 && efsm__linear_add(&eq->space, &change, &itself, -1)) {
        o->change[v] = reads_state(eq, &change) ? EFSM__DRIFTS : EFSM__ADDS;
        o->range[v] = efsm__linear_range(&eq->space, &change, &o->where);
        for (uint32_t p = 0; p < eq->model->variable_count && o->change[v] == EFSM__ADDS; p++)
            if (change.coefficient[p] != 0 && o->sums[p] == COR_NONE)
                o->sums[p] = efsm__declare(&eq->statement, o->where.low[p] < 0 ? INT64_MIN : 0, INT64_MAX);
        if (o->change[v] == EFSM__ADDS && memcmp(&change, &(struct efsm__linear){{0}}, sizeof change) == 0)
            o->change[v] = EFSM__KEEPS;
    } else {
        o->change[v] = EFSM__ASSIGNS;
        o->range[v] = efsm__linear_range(&eq->space, form, &o->where);
        const struct cor_efsm_variable *variable = &eq->model->variables[v];
        o->range[v].low = o->range[v].low > variable->low ? o->range[v].low : variable->low;
        o->range[v].high = o->range[v].high < variable->high ? o->range[v].high : variable->high;
    }
    if (o->change[v] == EFSM__DRIFTS)
        o->drift[v] = efsm__declare(&eq->statement, INT64_MIN, INT64_MAX);
    eq->is_touched[v] = eq->is_touched[v] || o->change[v] != EFSM__KEEPS;
    eq->is_assigned[v] = eq->is_assigned[v] || o->change[v] == EFSM__ASSIGNS;
}

/* low * count <= sum <= high * count, where the count is one variable less another (COR_NONE: none), and so
 * is the sum. */
static void state_sum(struct efsm__statement *s, const uint32_t sum[2], const uint32_t count[2], int64_t low,
                      int64_t high) {
    for (int side = 0; side < 2; side++) {
        const int64_t end = side == 0 ? low : high, sign = side == 0 ? 1 : -1;
        uint32_t node = EFSM__NOTHING;
        for (int i = 0; i < 2; i++) {
            const int64_t times = i == 0 ? sign : -sign;
            if (sum[i] != COR_NONE)
                node = efsm__say_term(s, node, -times, sum[i]);
            if (count[i] != COR_NONE)
                node = efsm__say_term(s, node, times * end, count[i]);
        }
        efsm__state(s, efsm__say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 0));
    }
}

static void declare_operation(struct efsm__state_equation *eq, struct efsm__operation *o) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t v = 0; v < eq->model->variable_count; v++)
        o->sums[v] = o->drift[v] = COR_NONE;
    o->count = efsm__declare(s, 0, INT64_MAX);
    EFSM__FOR_STATE_VARIABLES(eq, v)
    classify(eq, o, v);
    const uint32_t counts[2] = {o->count, COR_NONE};
    for (uint32_t v = 0; v < eq->model->variable_count; v++) {
        if (o->sums[v] != COR_NONE)
            state_sum(s, (uint32_t[]){o->sums[v], COR_NONE}, counts, o->where.low[v], o->where.high[v]);
        if (o->drift[v] != COR_NONE)
            state_sum(s, (uint32_t[]){o->drift[v], COR_NONE}, counts, o->range[v].low, o->range[v].high);
    }
}

/* A sum under way, and so many times what uses of an operation add to a variable: all uses, or those of a
 * tail. */
static uint32_t put_change(struct efsm__state_equation *eq, uint32_t node, int64_t times,
                           const struct efsm__operation *o, uint32_t v, const struct efsm__tail *tail) {
    struct efsm__statement *s = &eq->statement;
    if (o->change[v] == EFSM__DRIFTS)
        return efsm__say_term(s, node, times, tail ? tail->drift : o->drift[v]);
    if (o->change[v] != EFSM__ADDS)
        return node;
    const struct efsm__linear *form = form_of(eq, o, v);
    node = efsm__say_term(s, node, times * form->coefficient[COR_EFSM_VARIABLES_MAX],
                          tail ? tail->count : o->count);
    for (uint32_t p = 0; p < eq->model->variable_count; p++)
        if (p != v && form->coefficient[p] != 0)
            node = efsm__say_term(s, node, times * form->coefficient[p], tail ? tail->sums[p] : o->sums[p]);
    return node;
}

/* The uses behind the last assignment of v: some of all. */
static enum cor_status add_tail(struct efsm__state_equation *eq, uint32_t v, uint32_t operation) {
    struct efsm__statement *s = &eq->statement;
    const struct efsm__operation *o = &eq->operations[operation];
    COR_TRY(COR_RESERVE(&eq->tails, &eq->tail_capacity, eq->tail_count + 1, eq->space.error));
    struct efsm__tail *tail = &eq->tails[eq->tail_count++];
    *tail = (struct efsm__tail){.variable = v, .operation = operation, .drift = COR_NONE};
    tail->count = efsm__declare(s, 0, INT64_MAX);
    uint32_t node = efsm__say_term(s, EFSM__NOTHING, 1, tail->count);
    efsm__state(s, efsm__say_compared(s, efsm__say_term(s, node, -1, o->count), COR_OPERATOR_LESS_EQUAL, 0));
    const uint32_t inside[2] = {tail->count, COR_NONE}, outside[2] = {o->count, tail->count};
    for (uint32_t p = 0; p < eq->model->variable_count; p++) {
        tail->sums[p] = COR_NONE;
        if (o->change[v] != EFSM__ADDS || o->sums[p] == COR_NONE)
            continue;
        tail->sums[p] = efsm__declare(s, o->where.low[p] < 0 ? INT64_MIN : 0, INT64_MAX);
        state_sum(s, (uint32_t[]){tail->sums[p], COR_NONE}, inside, o->where.low[p], o->where.high[p]);
        state_sum(s, (uint32_t[]){o->sums[p], tail->sums[p]}, outside, o->where.low[p], o->where.high[p]);
    }
    if (o->change[v] == EFSM__DRIFTS) {
        tail->drift = efsm__declare(s, INT64_MIN, INT64_MAX);
        state_sum(s, (uint32_t[]){tail->drift, COR_NONE}, inside, o->range[v].low, o->range[v].high);
        state_sum(s, (uint32_t[]){o->drift[v], tail->drift}, outside, o->range[v].low, o->range[v].high);
    }
    return COR_OK;
}

/* Sum of the counts of the operations that assign v. */
static uint32_t put_assignments(struct efsm__state_equation *eq, uint32_t v) {
    uint32_t node = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (eq->operations[i].change[v] == EFSM__ASSIGNS)
            node = efsm__say_term(&eq->statement, node, 1, eq->operations[i].count);
    return node;
}

/* assigned v is, or a = b. */
static void state_unless_assigned(struct efsm__state_equation *eq, uint32_t v, uint32_t a, uint32_t b) {
    struct efsm__statement *s = &eq->statement;
    const uint32_t assigned = efsm__say_compared(s, put_assignments(eq, v), COR_OPERATOR_NOT_EQUAL, 0);
    uint32_t equal = efsm__say_term(s, efsm__say_term(s, EFSM__NOTHING, 1, a), -1, b);
    equal = efsm__say_compared(s, equal, COR_OPERATOR_EQUAL, 0);
    efsm__state(s, efsm__say_two(s, COR_OPERATOR_OR, assigned, equal));
}

/* The last assignment is one of those that are used, and gives what it can give. */
static void state_base(struct efsm__state_equation *eq, uint32_t v) {
    struct efsm__statement *s = &eq->statement;
    uint32_t any = efsm__say_compared(s, put_assignments(eq, v), COR_OPERATOR_EQUAL, 0);
    for (uint32_t i = 0; i < eq->operation_count; i++) {
        const struct efsm__operation *o = &eq->operations[i];
        if (o->change[v] != EFSM__ASSIGNS)
            continue;
        uint32_t used = efsm__say_bound(s, o->count, COR_OPERATOR_NOT_EQUAL, 0);
        const uint32_t above = efsm__say_compared(s, efsm__say_term(s, EFSM__NOTHING, -1, eq->base[v]),
                                                  COR_OPERATOR_LESS_EQUAL, -o->range[v].low);
        used = efsm__say_two(s, COR_OPERATOR_AND, used, above);
        const uint32_t below = efsm__say_bound(s, eq->base[v], COR_OPERATOR_LESS_EQUAL, o->range[v].high);
        used = efsm__say_two(s, COR_OPERATOR_AND, used, below);
        any = efsm__say_two(s, COR_OPERATOR_OR, any, used);
    }
    efsm__state(s, any);
}

/* Before the last assignment, too, v kept within its domain: from now to the first, and between two of them,
 * it fell no farther than from the highest that they give, and rose no farther than from the lowest. */
static void state_before(struct efsm__state_equation *eq, uint32_t v, uint32_t first_tail) {
    struct efsm__statement *s = &eq->statement;
    int64_t highest = INT64_MIN, lowest = INT64_MAX;
    for (uint32_t i = 0; i < eq->operation_count; i++) {
        const struct efsm__operation *o = &eq->operations[i];
        if (o->change[v] != EFSM__ASSIGNS)
            continue;
        highest = o->range[v].high > highest ? o->range[v].high : highest;
        lowest = o->range[v].low < lowest ? o->range[v].low : lowest;
    }
    for (int side = 0; side < 2; side++) { /* sign * (rise + now) <= sign * end + (assignments - 1) * span */
        const int64_t sign = side == 0 ? -1 : 1, end = side == 0 ? eq->space.low[v] : eq->space.high[v];
        const int64_t span = side == 0 ? highest - end : end - lowest;
        const uint32_t none = efsm__say_compared(s, put_assignments(eq, v), COR_OPERATOR_EQUAL, 0);
        uint32_t node = efsm__say_term(s, EFSM__NOTHING, sign, eq->now[v]);
        for (uint32_t t = first_tail; t < eq->tail_count; t++) {
            const struct efsm__tail *tail = &eq->tails[t];
            node = put_change(eq, node, sign, &eq->operations[tail->operation], v, NULL);
            node = put_change(eq, node, -sign, &eq->operations[tail->operation], v, tail);
        }
        for (uint32_t i = 0; i < eq->operation_count; i++)
            if (eq->operations[i].change[v] == EFSM__ASSIGNS)
                node = efsm__say_term(s, node, -span, eq->operations[i].count);
        node = efsm__say_compared(s, node, COR_OPERATOR_LESS_EQUAL, sign * end - span);
        efsm__state(s, efsm__say_two(s, COR_OPERATOR_OR, none, node));
    }
}

/* final = base + what is added; and where nothing assigns, base = now, and all uses add. */
static enum cor_status state_variable(struct efsm__state_equation *eq, uint32_t v) {
    struct efsm__statement *s = &eq->statement;
    const struct cor_efsm_variable *variable = &eq->model->variables[v];
    const uint32_t first = eq->tail_count;
    eq->now[v] = efsm__declare(s, variable->low, variable->high);
    eq->final[v] = efsm__declare(s, variable->low, variable->high);
    eq->base[v] = eq->is_assigned[v] ? efsm__declare(s, variable->low, variable->high) : eq->now[v];
    for (uint32_t i = 0; i < eq->operation_count && eq->is_assigned[v]; i++)
        if (eq->operations[i].change[v] == EFSM__ADDS || eq->operations[i].change[v] == EFSM__DRIFTS)
            COR_TRY(add_tail(eq, v, i));
    uint32_t node = efsm__say_term(s, EFSM__NOTHING, 1, eq->base[v]);
    node = efsm__say_term(s, node, -1, eq->final[v]);
    for (uint32_t i = 0; i < eq->operation_count && !eq->is_assigned[v]; i++)
        node = put_change(eq, node, 1, &eq->operations[i], v, NULL);
    for (uint32_t t = first; t < eq->tail_count; t++)
        node = put_change(eq, node, 1, &eq->operations[eq->tails[t].operation], v, &eq->tails[t]);
    efsm__state_zero(s, node);
    if (!eq->is_assigned[v])
        return COR_OK;
    state_base(eq, v);
    state_before(eq, v, first);
    state_unless_assigned(eq, v, eq->base[v], eq->now[v]);
    for (uint32_t t = first; t < eq->tail_count; t++) {
        const struct efsm__tail *tail = &eq->tails[t];
        const struct efsm__operation *o = &eq->operations[tail->operation];
        state_unless_assigned(eq, v, tail->count, o->count);
        for (uint32_t p = 0; p < eq->model->variable_count; p++)
            if (tail->sums[p] != COR_NONE)
                state_unless_assigned(eq, v, tail->sums[p], o->sums[p]);
        if (tail->drift != COR_NONE)
            state_unless_assigned(eq, v, tail->drift, o->drift[v]);
    }
    return COR_OK;
}

static bool trap_names(const struct cor_efsm_trap *trap, uint32_t transition) {
    for (uint32_t i = 0; i < trap->transition_count; i++)
        if (trap->transitions[i] == transition)
            return true;
    return false;
}

static enum cor_status add_last(struct efsm__state_equation *eq, uint32_t trap, uint32_t transition,
                                const struct efsm__cube *where) {
    COR_TRY(COR_RESERVE(&eq->lasts, &eq->last_capacity, eq->last_count + 1, eq->space.error));
    struct efsm__last *last = &eq->lasts[eq->last_count];
    *last = (struct efsm__last){.trap = trap, .transition = transition};
    if (!efsm__cube_copy(&eq->space, where, &last->where))
        return eq->space.status;
    eq->last_count++;
    last->chosen = efsm__declare(&eq->statement, 0, 1);
    return COR_OK;
}

/* Each case in which a trap can be covered by the last move. */
static enum cor_status find_lasts(struct efsm__state_equation *eq) {
    for (uint32_t i = 0; i < eq->goal->trap_count; i++) {
        const struct cor_efsm_trap *trap = &eq->goal->traps[i];
        for (uint32_t j = 0; j < trap->transition_count; j++) {
            const struct efsm__moves *moves = &eq->moves[trap->transitions[j]];
            for (uint32_t m = 0; m < moves->count; m++) {
                struct efsm__cubes cubes = {0};
                enum cor_status status = COR_OK;
                if (trap->constraint.node_count > 0)
                    efsm__expression_cubes(&eq->space, &trap->constraint, &moves->moves[m].where, &cubes);
                else
                    status = add_last(eq, i, trap->transitions[j], &moves->moves[m].where);
                for (uint32_t c = 0; c < cubes.count && status == COR_OK; c++)
                    status = add_last(eq, i, trap->transitions[j], &cubes.cubes[c]);
                efsm__cubes_fini(&cubes);
                COR_TRY(status);
            }
        }
    }
    return eq->space.status;
}

/* The variable that is v before, or in, the last move. */
static uint32_t final_of(const struct efsm__state_equation *eq, uint32_t v) {
    return eq->final[v] != COR_NONE ? eq->final[v] : eq->now[v];
}

/* If it is the last move, what it needs is there. */
static void state_last(struct efsm__state_equation *eq, const struct efsm__last *last) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t v = 0; v < eq->space.count; v++) {
        for (int side = 0; side < 2; side++) {
            const int64_t end = side ? last->where.high[v] : last->where.low[v];
            if (end == (side ? eq->space.high[v] : eq->space.low[v]))
                continue;
            const uint32_t not_it = efsm__say_bound(s, last->chosen, COR_OPERATOR_EQUAL, 0);
            uint32_t node = efsm__say_term(s, EFSM__NOTHING, side ? 1 : -1, final_of(eq, v));
            node = efsm__say_compared(s, node, COR_OPERATOR_LESS_EQUAL, side ? end : -end);
            efsm__state(s, efsm__say_two(s, COR_OPERATOR_OR, not_it, node));
        }
    }
    for (uint32_t a = 0; a < last->where.atom_count; a++) {
        const int64_t *atom = last->where.atoms + a * ((size_t)eq->space.count + 1);
        const uint32_t not_it = efsm__say_bound(s, last->chosen, COR_OPERATOR_EQUAL, 0);
        uint32_t node = EFSM__NOTHING;
        for (uint32_t v = 0; v < eq->space.count; v++)
            node = efsm__say_term(s, node, atom[v], final_of(eq, v));
        node = efsm__say_compared(s, node, COR_OPERATOR_LESS_EQUAL, -atom[eq->space.count]);
        efsm__state(s, efsm__say_two(s, COR_OPERATOR_OR, not_it, node));
    }
}

/* If it is the last move, its trap was not covered before: where nothing that the trap waits for is open, and
 * any use of its transitions covers it, they are not used. */
static void state_first_hit(struct efsm__state_equation *eq, const struct efsm__last *last) {
    struct efsm__statement *s = &eq->statement;
    const struct cor_efsm_trap *trap = &eq->goal->traps[last->trap];
    if (trap->constraint.node_count > 0 || trap->previous != COR_NONE)
        return;
    uint32_t used = EFSM__NOTHING, open = EFSM__NOTHING;
    uint32_t any = efsm__say_bound(s, last->chosen, COR_OPERATOR_EQUAL, 0);
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (trap_names(trap, eq->operations[i].transition))
            used = efsm__say_term(s, used, 1, eq->operations[i].count);
    used = efsm__say_compared(s, used, COR_OPERATOR_EQUAL, 0);
    any = efsm__say_two(s, COR_OPERATOR_OR, any, used);
    for (uint32_t a = 0; a < trap->after_count; a++)
        open = efsm__say_term(s, open, 1, eq->open + trap->after[a]);
    if (open != EFSM__NOTHING)
        open = efsm__say_compared(s, open, COR_OPERATOR_NOT_EQUAL, 0);
    efsm__state(s, efsm__say_two(s, COR_OPERATOR_OR, any, open));
}

/* One move is the last; it covers what is open, and nothing open waits for that. */
static void state_lasts(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    uint32_t sum = EFSM__NOTHING;
    for (uint32_t k = 0; k < eq->last_count; k++)
        sum = efsm__say_term(s, sum, 1, eq->lasts[k].chosen);
    efsm__state(s, efsm__say_compared(s, sum, COR_OPERATOR_EQUAL, 1));
    for (uint32_t k = 0; k < eq->last_count; k++) {
        const struct efsm__last *last = &eq->lasts[k];
        uint32_t node = efsm__say_term(s, EFSM__NOTHING, 1, last->chosen);
        node = efsm__say_term(s, node, -1, eq->open + last->trap);
        efsm__state(s, efsm__say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 0));
        state_last(eq, last);
        state_first_hit(eq, last);
        for (uint32_t i = 0; i < eq->goal->trap_count; i++)
            for (uint32_t a = 0; a < eq->goal->traps[i].after_count; a++)
                if (eq->goal->traps[i].after[a] == last->trap) {
                    node = efsm__say_term(s, EFSM__NOTHING, 1, last->chosen);
                    node = efsm__say_term(s, node, 1, eq->open + i);
                    efsm__state(s, efsm__say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 1));
                }
    }
}

/* Whether the goal's traps stand in a line, and two of them cannot be covered by one move. */
static bool share_no_move(const struct cor_efsm_goal *goal, uint32_t a, uint32_t b) {
    return goal->ordered && a != b;
}

/* Each open trap takes a move; those of one transition in an ordered list a move each. */
static void state_traps(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t i = 0; i < eq->goal->trap_count; i++) {
        const struct cor_efsm_trap *trap = &eq->goal->traps[i];
        uint32_t node = efsm__say_term(s, EFSM__NOTHING, 1, eq->open + i);
        for (uint32_t j = 0; j < eq->goal->trap_count; j++) {
            const struct cor_efsm_trap *other = &eq->goal->traps[j];
            if (share_no_move(eq->goal, i, j) && trap->transition_count == 1 &&
                other->transition_count == 1 && other->transitions[0] == trap->transitions[0])
                node = efsm__say_term(s, node, 1, eq->open + j);
        }
        /* Minus the moves, the last included, that could cover the trap. */
        for (uint32_t l = 0; l < eq->operation_count; l++)
            if (trap_names(trap, eq->operations[l].transition))
                node = efsm__say_term(&eq->statement, node, -1, eq->operations[l].count);
        for (uint32_t k = 0; k < eq->last_count; k++)
            if (trap_names(trap, eq->lasts[k].transition))
                node = efsm__say_term(&eq->statement, node, -1, eq->lasts[k].chosen);
        efsm__state(s, efsm__say_compared(s, node, COR_OPERATOR_LESS_EQUAL, 0));
    }
}

/* As often out of a location as into it, but for here and the last move's. */
static void state_flow(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        uint32_t node = efsm__say_term(s, EFSM__NOTHING, -1, eq->here + l);
        for (uint32_t i = 0; i < eq->operation_count; i++) {
            const struct cor_efsm_transition *t = efsm__transition_of(eq, &eq->operations[i]);
            if (t->source != t->target && (t->source == l || t->target == l))
                node = efsm__say_term(s, node, t->source == l ? 1 : -1, eq->operations[i].count);
        }
        for (uint32_t k = 0; k < eq->last_count; k++)
            if (eq->model->transitions[eq->lasts[k].transition].source == l)
                node = efsm__say_term(s, node, 1, eq->lasts[k].chosen);
        efsm__state_zero(s, node);
    }
}

/* What is used at a location needs a way from here: it is here, or something used leads there from a location
 * that is nearer. */
static void state_connection(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        uint32_t used = EFSM__NOTHING;
        for (uint32_t i = 0; i < eq->operation_count; i++)
            if (efsm__transition_of(eq, &eq->operations[i])->source == l)
                used = efsm__say_term(s, used, 1, eq->operations[i].count);
        if (used == EFSM__NOTHING)
            continue;
        uint32_t any = efsm__say_compared(s, used, COR_OPERATOR_EQUAL, 0);
        const uint32_t is_here = efsm__say_bound(s, eq->here + l, COR_OPERATOR_EQUAL, 1);
        any = efsm__say_two(s, COR_OPERATOR_OR, any, is_here);
        for (uint32_t i = 0; i < eq->operation_count; i++) {
            const struct cor_efsm_transition *t = efsm__transition_of(eq, &eq->operations[i]);
            if (t->target != l || t->source == l)
                continue;
            uint32_t way = efsm__say_bound(s, eq->operations[i].count, COR_OPERATOR_NOT_EQUAL, 0);
            uint32_t nearer = efsm__say_term(s, EFSM__NOTHING, 1, eq->level + t->source);
            nearer = efsm__say_term(s, nearer, -1, eq->level + l);
            nearer = efsm__say_compared(s, nearer, COR_OPERATOR_LESS, 0);
            way = efsm__say_two(s, COR_OPERATOR_AND, way, nearer);
            any = efsm__say_two(s, COR_OPERATOR_OR, any, way);
        }
        efsm__state(s, any);
    }
}

static enum cor_status state_all(struct efsm__state_equation *eq) {
    struct efsm__statement *s = &eq->statement;
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        const uint32_t here = efsm__declare(s, 0, 1);
        eq->here = l == 0 ? here : eq->here;
    }
    for (uint32_t l = 0; l < eq->model->location_count; l++) {
        const uint32_t level = efsm__declare(s, 0, eq->model->location_count);
        eq->level = l == 0 ? level : eq->level;
    }
    for (uint32_t i = 0; i < eq->goal->trap_count; i++) {
        const uint32_t open = efsm__declare(s, 0, 1);
        eq->open = i == 0 ? open : eq->open;
    }
    for (uint32_t i = 0; i < eq->operation_count; i++)
        declare_operation(eq, &eq->operations[i]);
    for (uint32_t v = 0; v < eq->model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &eq->model->variables[v];
        eq->now[v] = eq->base[v] = eq->final[v] = COR_NONE;
        if (variable->kind == COR_EFSM_STATE && eq->is_touched[v])
            COR_TRY(state_variable(eq, v));
        else if (variable->kind == COR_EFSM_STATE)
            eq->now[v] = efsm__declare(s, variable->low, variable->high);
        else
            eq->final[v] = efsm__declare(s, variable->low, variable->high);
    }
    COR_TRY(find_lasts(eq));
    state_lasts(eq);
    state_traps(eq);
    state_flow(eq);
    state_connection(eq);
    for (uint32_t i = 0; i < eq->operation_count; i++)
        efsm__state_thresholds(eq, eq->operations[i].count, &eq->operations[i].where);
    for (uint32_t k = 0; k < eq->last_count; k++)
        efsm__state_thresholds(eq, eq->lasts[k].chosen, &eq->lasts[k].where);
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (eq->is_touched[v])
        efsm__state_cuts(eq, v);
    uint32_t sum = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        sum = efsm__say_term(s, sum, 1, eq->operations[i].count);
    if (sum == EFSM__NOTHING)
        sum = efsm__say_constant(s, 0);
    efsm__state_number(s, sum, &eq->length);
    return eq->space.status;
}

enum cor_status efsm__state_equation_make(struct efsm__state_equation *eq, const struct cor_efsm *model,
                                          const struct cor_efsm_goal *goal, struct cor_error *error) {
    eq->model = model;
    eq->goal = goal;
    efsm__space_init(&eq->space, model, error);
    eq->statement.error = error;
    eq->moves = cor_calloc(model->transition_count, sizeof *eq->moves);
    COR_TRY(cor_made(eq->moves, error));
    for (uint32_t t = 0; t < model->transition_count; t++) {
        efsm__moves_make(&eq->space, &model->transitions[t], &eq->moves[t]);
        for (uint32_t m = 0; m < eq->moves[t].count && eq->space.status == COR_OK; m++)
            COR_TRY(add_operation(eq, t, &eq->moves[t].moves[m]));
    }
    COR_TRY(eq->space.status);
    COR_TRY(state_all(eq));
    COR_TRY(eq->statement.status);
    eq->problem = (struct cor_problem){.variable_count = eq->statement.variable_count,
                                       .low = eq->statement.low,
                                       .high = eq->statement.high,
                                       .constraints = eq->statement.constraints,
                                       .constraint_count = eq->statement.constraint_count};
    eq->usable = !eq->statement.too_large && !eq->space.beyond;
    return COR_OK;
}

void efsm__state_equation_fini(struct efsm__state_equation *eq) {
    for (uint32_t t = 0; eq->moves && t < eq->model->transition_count; t++)
        efsm__moves_fini(&eq->moves[t]);
    for (uint32_t i = 0; i < eq->operation_count; i++)
        efsm__cube_fini(&eq->operations[i].where);
    for (uint32_t k = 0; k < eq->last_count; k++)
        efsm__cube_fini(&eq->lasts[k].where);
    free(eq->moves);
    free(eq->operations);
    free(eq->tails);
    free(eq->lasts);
    cor_expression_fini(&eq->length);
    efsm__statement_fini(&eq->statement);
    efsm__space_fini(&eq->space);
}
