/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Landmarks: what must be used because a threshold has to be crossed. */
#include "state_equation.h"

#include <string.h>

/* Whether the move can take v over the threshold: from below to it or above, or from it down below. */
static bool crosses(struct efsm__state_equation *eq, const struct cor_efsm_transition *t,
                    const struct efsm__move *move, uint32_t v, int64_t threshold, bool up) {
    struct efsm__cube cube;
    bool may = false;
    for (uint32_t u = 0; u < t->update_count; u++) {
        if (t->updates[u].variable != v || !efsm__cube_copy(&eq->space, &move->where, &cube))
            continue;
        if (up && cube.high[v] >= threshold)
            cube.high[v] = threshold - 1;
        if (!up && cube.low[v] < threshold)
            cube.low[v] = threshold;
        efsm__cube_require_range(&eq->space, &cube, &move->next[u], up ? threshold : eq->space.low[v],
                                 up ? eq->space.high[v] : threshold - 1);
        may = efsm__cube_settle(&eq->space, &cube);
        efsm__cube_fini(&cube);
    }
    return may;
}

static bool operation_crosses(struct efsm__state_equation *eq, const struct efsm__operation *o, uint32_t v,
                              int64_t threshold, bool up) {
    const struct cor_efsm_transition *t = efsm__transition_of(eq, o);
    const struct efsm__moves *moves = &eq->moves[o->transition];
    for (uint32_t m = 0; m < moves->count && o->change[v] != EFSM__KEEPS; m++)
        if (efsm__same_forms(t, moves->moves[m].next, o->next) &&
            crosses(eq, t, &moves->moves[m], v, threshold, up))
            return true;
    return false;
}

/* What `needs` it (a count or a choice) at v beyond the threshold is not used, or v is there, or something is
 * used that takes it there. `low`: it needs v >= threshold; else v < threshold. */
static void state_threshold(struct efsm__state_equation *eq, uint32_t needs, uint32_t v, int64_t threshold,
                            bool low) {
    struct efsm__statement *s = &eq->statement;
    uint32_t any = efsm__say_bound(s, needs, COR_OPERATOR_EQUAL, 0);
    uint32_t there = efsm__say_term(s, EFSM__NOTHING, low ? -1 : 1, eq->now[v]);
    there = efsm__say_compared(s, there, COR_OPERATOR_LESS_EQUAL, low ? -threshold : threshold - 1);
    any = efsm__say_two(s, COR_OPERATOR_OR, any, there);
    uint32_t ways = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (operation_crosses(eq, &eq->operations[i], v, threshold, low))
            ways = efsm__say_term(s, ways, 1, eq->operations[i].count);
    if (ways != EFSM__NOTHING)
        ways = efsm__say_compared(s, ways, COR_OPERATOR_NOT_EQUAL, 0);
    efsm__state(s, efsm__say_two(s, COR_OPERATOR_OR, any, ways));
}

void efsm__state_thresholds(struct efsm__state_equation *eq, uint32_t needs, const struct efsm__cube *where) {
    EFSM__FOR_STATE_VARIABLES(eq, v) {
        if (!eq->is_touched[v])
            continue;
        if (where->low[v] > eq->space.low[v])
            state_threshold(eq, needs, v, where->low[v], true);
        if (where->high[v] < eq->space.high[v])
            state_threshold(eq, needs, v, where->high[v] + 1, false);
    }
}

/* Thresholds between: where a guard cuts the values of v in two, whoever ends beyond has crossed. */
static void state_cut(struct efsm__state_equation *eq, uint32_t v, int64_t threshold, bool up) {
    struct efsm__statement *s = &eq->statement;
    const int64_t sign = up ? 1 : -1; /* not: now below and final above */
    uint32_t now = efsm__say_term(s, EFSM__NOTHING, -sign, eq->now[v]);
    now = efsm__say_compared(s, now, COR_OPERATOR_LESS_EQUAL, up ? -threshold : threshold - 1);
    uint32_t final = efsm__say_term(s, EFSM__NOTHING, sign, eq->final[v]);
    final = efsm__say_compared(s, final, COR_OPERATOR_LESS_EQUAL, up ? threshold - 1 : -threshold);
    uint32_t any = efsm__say_two(s, COR_OPERATOR_OR, now, final), ways = EFSM__NOTHING;
    for (uint32_t i = 0; i < eq->operation_count; i++)
        if (operation_crosses(eq, &eq->operations[i], v, threshold, up))
            ways = efsm__say_term(s, ways, 1, eq->operations[i].count);
    if (ways != EFSM__NOTHING)
        ways = efsm__say_compared(s, ways, COR_OPERATOR_NOT_EQUAL, 0);
    efsm__state(s, efsm__say_two(s, COR_OPERATOR_OR, any, ways));
}

#define CUTS_MAX 32 /* of a variable */

void efsm__state_cuts(struct efsm__state_equation *eq, uint32_t v) {
    int64_t cuts[CUTS_MAX];
    uint32_t count = 0;
    for (uint32_t t = 0; t < eq->model->transition_count; t++)
        for (uint32_t m = 0; m < eq->moves[t].count; m++)
            for (int side = 0; side < 2 && count < CUTS_MAX; side++) {
                const struct efsm__cube *where = &eq->moves[t].moves[m].where;
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

bool efsm__same_forms(const struct cor_efsm_transition *t, const struct efsm__linear *a,
                      const struct efsm__linear *b) {
    return t->update_count == 0 || memcmp(a, b, t->update_count * sizeof *a) == 0;
}
