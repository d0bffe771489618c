/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings about reachable states: each visited state with each input. Where not all of them were visited,
 * what was not seen is undecided; what was seen is certain. */
#include "lint.h"

#include <corridor/array.h>
#include <corridor/efsm_reach.h>

#include <stdlib.h>
#include <string.h>

struct seen {
    bool *silent;   /* owned; [location * inputs + input] was reported */
    bool *dead;     /* owned; [location] was reported */
    uint64_t moves; /* tried */
};

/* False: the moves that are allowed were used up before all was looked at. */
static bool look_at_state(struct efsm__linter *l, uint32_t state, struct seen *seen) {
    const uint32_t location = efsm__closure_location(&l->closure, state);
    int64_t values[COR_EFSM_VARIABLES_MAX];
    bool alive = false;
    memcpy(values, efsm__closure_values(&l->closure, state), l->model->variable_count * sizeof *values);
    for (uint32_t i = 0; i < l->model->input_count; i++) {
        const struct cor_efsm_label *input = &l->model->inputs[i];
        bool *silent = &seen->silent[(size_t)location * l->model->input_count + i];
        cor_efsm_first_values(l->model, input->parameters, input->parameter_count, values);
        do {
            if (seen->moves >= l->limits.moves)
                return false;
            seen->moves++;
            /* Whether anything is enabled. */
            bool any = false;
            for (uint32_t t = 0; t < l->model->transition_count; t++) {
                const struct cor_efsm_transition *transition = &l->model->transitions[t];
                if (transition->source != location || transition->input != i ||
                    !cor_efsm_enabled(l->model, t, values))
                    continue;
                l->taken[t] = any = true;
            }
            alive = alive || any;
            if (any || *silent)
                continue;
            *silent = true;
            struct cor_efsm_finding *finding = efsm__lint_add(l, COR_EFSM_LINT_NO_REACTION);
            efsm__lint_witness(l, finding, location, values);
            finding->input = i;
        } while (cor_efsm_next_values(l->model, input->parameters, input->parameter_count, values));
    }
    if (!alive && !seen->dead[location]) {
        seen->dead[location] = true;
        efsm__lint_witness(l, efsm__lint_add(l, COR_EFSM_LINT_DEAD_END), location, values);
    }
    return true;
}

/* The work that a look at all visited states takes is that of visiting them, or less by a factor of inputs.
 */

enum cor_status efsm__lint_states(struct efsm__linter *l) {
    const struct cor_efsm *model = l->model;
    struct seen seen = {cor_calloc((size_t)model->location_count * model->input_count, sizeof(bool)),
                        cor_calloc(model->location_count, sizeof(bool)), 0};
    enum cor_status status = COR_OK;
    if (!seen.silent || !seen.dead)
        COR_TRY_OUT(cor_fail_memory(l->space.error));
    uint32_t state = 0;
    while (state < l->closure.states.count && l->space.status == COR_OK && look_at_state(l, state, &seen))
        state++;
    const bool complete = l->closure.complete && state == l->closure.states.count;
    for (uint32_t t = 0; t < l->model->transition_count; t++) {
        if (l->taken[t])
            continue;
        struct cor_efsm_finding *finding = efsm__lint_add(l, COR_EFSM_LINT_UNREACHABLE);
        finding->first = t;
        finding->decided = complete;
    }
    for (uint32_t location = 0; location < l->model->location_count && !complete; location++)
        if (!seen.dead[location]) {
            struct cor_efsm_finding *finding = efsm__lint_add(l, COR_EFSM_LINT_DEAD_END);
            finding->location = location;
            finding->decided = false;
        }
    for (uint32_t i = 0; i < l->model->location_count * l->model->input_count && !complete; i++)
        if (!seen.silent[i]) {
            struct cor_efsm_finding *finding = efsm__lint_add(l, COR_EFSM_LINT_NO_REACTION);
            finding->location = i / l->model->input_count;
            finding->input = i % l->model->input_count;
            finding->decided = false;
        }
    status = l->space.status;
out:
    free(seen.silent);
    free(seen.dead);
    return status;
}

/* Traps. A trap's distances say from where it can still be covered. */
static struct cor_efsm_finding *add_trap(struct efsm__linter *l, enum cor_efsm_lint lint, uint32_t goal,
                                         uint32_t first, uint32_t second, bool decided) {
    struct cor_efsm_finding *finding = efsm__lint_add(l, lint);
    finding->goal = goal;
    finding->traps[0] = first;
    finding->traps[1] = second;
    finding->decided = decided;
    return finding;
}

/* Is `then` in reach from a state behind a visited one from which the transition hits `trap`? */
static bool leads_on(struct efsm__linter *l, const struct cor_efsm_trap *trap, uint32_t t,
                     const struct cor_efsm_reach *then) {
    const struct cor_efsm_transition *transition = &l->model->transitions[t];
    const struct cor_efsm_label *input = &l->model->inputs[transition->input];
    for (uint32_t s = 0; s < l->closure.states.count; s++) {
        int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
        if (efsm__closure_location(&l->closure, s) != transition->source)
            continue;
        memcpy(values, efsm__closure_values(&l->closure, s), l->model->variable_count * sizeof *values);
        do
            if (cor_efsm_hits(l->model, trap, t, values) && cor_efsm_step(l->model, t, values, next) &&
                cor_efsm_reach_distance(then, transition->target, next) != COR_EFSM_FAR)
                return true;
        while (cor_efsm_next_values(l->model, input->parameters, input->parameter_count, values));
    }
    return false;
}

/* The trap alone. */
static void check_hit(struct efsm__linter *l, uint32_t g, uint32_t index,
                      const struct cor_efsm_reach *reach) {
    const struct cor_efsm_trap *trap = &l->model->goals[g].traps[index];
    for (uint32_t i = 0;
         i < trap->transition_count && trap->constraint.node_count == 0 && trap->previous == COR_NONE; i++)
        if (l->taken[trap->transitions[i]])
            return;
    if (!reach || cor_efsm_reach_summary(reach).initial == COR_EFSM_FAR)
        add_trap(l, COR_EFSM_LINT_TRAP_NEVER, g, index, COR_NONE, reach != NULL);
}

static bool is_never_hit(const struct efsm__linter *l, uint32_t g, uint32_t trap) {
    for (uint32_t f = 0; f < l->findings->count; f++) {
        const struct cor_efsm_finding *finding = &l->findings->findings[f];
        if (finding->lint == COR_EFSM_LINT_TRAP_NEVER && finding->goal == g && finding->traps[0] == trap)
            return true;
    }
    return false;
}

/* The trap behind each that it waits for. A trap that is never hit is in conflict with nothing. */
static void check_order(struct efsm__linter *l, uint32_t g, uint32_t index,
                        const struct cor_efsm_reach *reach) {
    const struct cor_efsm_goal *goal = &l->model->goals[g];
    const struct cor_efsm_trap *trap = &goal->traps[index];
    for (uint32_t a = 0; a < trap->after_count && reach && !is_never_hit(l, g, index); a++) {
        const struct cor_efsm_trap *before = &goal->traps[trap->after[a]];
        bool follows = is_never_hit(l, g, trap->after[a]);
        for (uint32_t i = 0; i < before->transition_count && !follows; i++)
            follows = leads_on(l, before, before->transitions[i], reach);
        if (!follows)
            add_trap(l, COR_EFSM_LINT_TRAPS_CONFLICT, g, trap->after[a], index, true);
    }
}

#define TRAPS_STATES_MAX 1000000 /* of a model whose traps are looked at by distances */

typedef void check_trap(struct efsm__linter *l, uint32_t g, uint32_t index,
                        const struct cor_efsm_reach *reach);

static enum cor_status check_traps(struct efsm__linter *l, check_trap *check, bool small) {
    for (uint32_t g = 0; g < l->model->goal_count; g++)
        for (uint32_t i = 0; i < l->model->goals[g].trap_count; i++) {
            const struct cor_efsm_trap *trap = &l->model->goals[g].traps[i];
            const struct cor_efsm_reach_definition definition =
                cor_default_efsm_reach(l->model, trap, COR_EFSM_EXPLICIT);
            struct cor_efsm_reach *reach = NULL;
            if (small && (check == check_hit || trap->after_count > 0))
                COR_TRY(cor_efsm_reach_create(&definition, &reach, l->space.error));
            check(l, g, i, reach);
            cor_efsm_reach_destroy(reach);
        }
    return COR_OK;
}

enum cor_status efsm__lint_traps(struct efsm__linter *l) {
    const bool small = l->closure.complete && cor_efsm_is_small(l->model, TRAPS_STATES_MAX);
    COR_TRY(check_traps(l, check_hit, small));
    return check_traps(l, check_order, small);
}
