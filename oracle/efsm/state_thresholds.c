/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Landmarks: what must be used because a threshold has to be crossed. */
#include "state_equation.h"

/* Whether the move can take v over the threshold: from below to it or above, or from it down below. */
static bool crosses(struct cor__state_equation *eq, const struct cor_efsm_transition *t,
                    const struct cor__move *move, uint32_t v, int64_t threshold, bool up) {
    struct cor__cube cube;
    bool may = false;
    for (uint32_t u = 0; u < t->update_count; u++) {
        if (t->updates[u].variable != v || !cor__cube_copy(&eq->space, &move->where, &cube))
            continue;
        if (up && cube.high[v] >= threshold)
            cube.high[v] = threshold - 1;
        if (!up && cube.low[v] < threshold)
            cube.low[v] = threshold;
        cor__cube_require_range(&eq->space, &cube, &move->next[u], up ? threshold : eq->space.low[v],
                                up ? eq->space.high[v] : threshold - 1);
        may = cor__cube_settle(&eq->space, &cube);
        cor__cube_fini(&cube);
    }
    return may;
}

static bool operation_crosses(struct cor__state_equation *eq, const struct cor__operation *o, uint32_t v,
                              int64_t threshold, bool up) {
    const struct cor_efsm_transition *t = cor__transition_of(eq, o);
    const struct cor__moves *moves = &eq->moves[o->transition];
    for (uint32_t m = 0; m < moves->count && o->change[v] != COR__KEEPS; m++)
        if (cor__same_forms(t, moves->moves[m].next, o->next) &&
            crosses(eq, t, &moves->moves[m], v, threshold, up))
            return true;
    return false;
}

/* What `needs` it (a count or a choice) at v beyond the threshold is not used, or v is there, or something is
 * used that takes it there. `low`: it needs v >= threshold; else v < threshold. */
static void state_threshold(struct cor__state_equation *eq, uint32_t needs, uint32_t v, int64_t threshold,
                            bool low) {
    struct cor__statement *s = &eq->statement;
    uint32_t any = cor__say_bound(s, needs, COR_OPERATOR_EQUAL, 0);
    uint32_t there = cor__say_term(s, COR__NOTHING, low ? -1 : 1, eq->now[v]);
    there = cor__say_compared(s, there, COR_OPERATOR_LESS_EQUAL, low ? -threshold : threshold - 1);
    any = cor__say_two(s, COR_OPERATOR_OR, any, there);
    uint32_t ways = COR__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (operation_crosses(eq, &eq->operations[i], v, threshold, low))
            ways = cor__say_term(s, ways, 1, eq->operations[i].count);
    if (ways != COR__NOTHING)
        ways = cor__say_compared(s, ways, COR_OPERATOR_NOT_EQUAL, 0);
    cor__state(s, cor__say_two(s, COR_OPERATOR_OR, any, ways));
}

void cor__state_thresholds(struct cor__state_equation *eq, uint32_t needs, const struct cor__cube *where) {
    COR__FOR_STATE_VARIABLES(eq, v) {
        if (!eq->is_touched[v])
            continue;
        if (where->low[v] > eq->space.low[v])
            state_threshold(eq, needs, v, where->low[v], true);
        if (where->high[v] < eq->space.high[v])
            state_threshold(eq, needs, v, where->high[v] + 1, false);
    }
}

/* Thresholds between: where a guard cuts the values of v in two, whoever ends beyond has crossed. */
static void state_cut(struct cor__state_equation *eq, uint32_t v, int64_t threshold, bool up) {
    struct cor__statement *s = &eq->statement;
    const int64_t sign = up ? 1 : -1; /* not: now below and final above */
    uint32_t now = cor__say_term(s, COR__NOTHING, -sign, eq->now[v]);
    now = cor__say_compared(s, now, COR_OPERATOR_LESS_EQUAL, up ? -threshold : threshold - 1);
    uint32_t final = cor__say_term(s, COR__NOTHING, sign, eq->final[v]);
    final = cor__say_compared(s, final, COR_OPERATOR_LESS_EQUAL, up ? threshold - 1 : -threshold);
    uint32_t any = cor__say_two(s, COR_OPERATOR_OR, now, final), ways = COR__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (operation_crosses(eq, &eq->operations[i], v, threshold, up))
            ways = cor__say_term(s, ways, 1, eq->operations[i].count);
    if (ways != COR__NOTHING)
        ways = cor__say_compared(s, ways, COR_OPERATOR_NOT_EQUAL, 0);
    cor__state(s, cor__say_two(s, COR_OPERATOR_OR, any, ways));
}

#define CUTS_MAX 32 /* of a variable */

void cor__state_cuts(struct cor__state_equation *eq, uint32_t v) {
    int64_t cuts[CUTS_MAX];
    uint32_t count = 0;
    for (uint32_t t = 0; t < eq->model->transition_count; t++)
        for (uint32_t m = 0; m < eq->moves[t].count; m++)
            for (int side = 0; side < 2 && count < CUTS_MAX; side++) {
                const struct cor__cube *where = &eq->moves[t].moves[m].where;
                const int64_t cut = side ? where->high[v] + 1 : where->low[v];
                bool known = cut <= eq->space.low[v] || cut > eq->space.high[v];
                for (uint32_t i = 0; i < count && !known; i++)
                    known = cuts[i] == cut;
                if (!known)
                    cuts[count++] = cut;
            }
    for (uint32_t i = 0; i < count; i++) {
        state_cut(eq, v, cuts[i], true);
        state_cut(eq, v, cuts[i], false);
    }
}
