/* SPDX-License-Identifier: MIT */
#include <corridor/observe.h>

#include <corridor/objective.h>

#include <stddef.h>
#include <string.h>

enum { BYTES_MOST = COR_OBSERVE_STEPS_MAX * (3 * 8 + 1) };

static bool is_known(const struct cor_observing *how, uint32_t agent) {
    const uint32_t bit = agent % (COR_OBSERVE_KNOWN_WORDS * 32);
    return !how->known || (how->known[bit / 32] >> bit % 32 & 1);
}

/* The condition where "at most" is "below". */
static struct cor_objective made_strict(const struct cor_objective *condition,
                                        struct cor_objective_step *steps) {
    memcpy(steps, condition->steps, condition->step_count * sizeof *steps);
    for (uint32_t s = 0; s < condition->step_count; s++)
        if (steps[s].what == COR_OBJECTIVE_LESS_EQUAL)
            steps[s].what = COR_OBJECTIVE_LESS;
    struct cor_objective strict = *condition;
    strict.steps = steps;
    return strict;
}

bool cor_observe_is_violated(const struct cor_monitor_view *view, const struct cor_observing *how) {
    uint32_t members[COR_OBSERVE_MEMBERS_MAX], count = 0;
    struct cor_objective_step steps[COR_OBSERVE_STEPS_MAX];
    double memory[BYTES_MOST / sizeof(double) + 1];
    for (uint32_t m = 0; m < view->member_count && count < COR_OBSERVE_MEMBERS_MAX; m++)
        if (is_known(how, view->members[m]))
            members[count++] = m;
    const bool has_looks = view->struct_size > offsetof(struct cor_monitor_view, looks) && view->looks;
    uint32_t waiting = 0;
    bool is_due = false;
    for (uint32_t c = 0; c < view->condition_count; c++) {
        const uint32_t looks = has_looks ? view->looks[c] : 1;
        if (view->conditions[c]->step_count > COR_OBSERVE_STEPS_MAX)
            continue;
        const struct cor_objective condition =
            how->is_strict ? made_strict(view->conditions[c], steps) : *view->conditions[c];
        const struct cor_task task = {.struct_size = sizeof task,
                                      .agent_count = view->member_count,
                                      .values = view->values,
                                      .objective = &condition};
        const uint32_t slot = 0;
        struct cor_objective_work work;
        cor_objective_begin(&work, &task, 1, 1, memory);
        cor_objective_measure(&work, slot, members, count);
        const bool is_violated = cor_objective_total(&work, &slot, 1) == 0;
        if (looks > 1 && how->waits && waiting < COR_OBSERVE_WAITS_MAX) {
            uint32_t *seen = &how->waits[waiting++];
            *seen = is_violated ? *seen + 1 : 0;
            is_due = is_due || *seen >= looks;
        } else
            is_due = is_due || is_violated;
    }
    return is_due;
}
