/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which goal is current: rules 2, 3 and 4. A step from one goal to the next goes up as far as goals end and
 * down as far as first children, never along siblings. */
#include "pursuit_state.h"

#include <stdio.h>
#include <string.h>

static const struct system_layer__goal *goal_at(const struct cor_pursuit *pursuit, uint32_t goal) {
    return &pursuit->goals->goals[goal];
}

const char *system_layer__goal_name(const struct cor_goals *goals, uint32_t goal) {
    static const char *const kinds[] = {"goal", "success",  "fail",   "check", "assert",       "choose",
                                        "seq",  "first_of", "repeat", "if",    "interruptible"};
    const struct system_layer__goal *it = &goals->goals[goal];
    if (it->name != COR_NONE)
        return cor_words_text(&goals->names, it->name);
    if (it->kind == SYSTEM_LAYER__SOLVE && it->solved != SYSTEM_LAYER__NEAR &&
        goals->tactics[it->tactic].is_final)
        return cor_words_text(&goals->names, goals->tactics[it->tactic].name);
    if (it->kind == SYSTEM_LAYER__SOLVE && it->solved == SYSTEM_LAYER__WHEN)
        return goals->conditions[it->condition].expression.text;
    return kinds[it->kind];
}

/* Forgets goals that the tactic will add after this goal. */
static void forget_added(struct cor_pursuit *pursuit, uint32_t goal) {
    for (uint32_t next = goal_at(pursuit, goal)->next;
         next != COR_NONE && goal_at(pursuit, next)->adder != COR_NONE; next = goal_at(pursuit, next)->next)
        if (goal_at(pursuit, next)->adder == goal)
            pursuit->progress[next].is_added = false;
}

void system_layer__enter(struct cor_pursuit *pursuit, uint32_t goal) {
    for (;;) {
        const struct system_layer__goal *it = goal_at(pursuit, goal);
        const uint64_t left = it->parent == COR_NONE ? pursuit->budget : pursuit->progress[it->parent].budget;
        struct system_layer__progress *progress = &pursuit->progress[goal];
        *progress = (struct system_layer__progress){.budget = it->cap < left ? it->cap : left,
                                                    .begun = cor_beliefs_cycle(pursuit->beliefs) + 1,
                                                    .chosen = COR_NONE,
                                                    .handler = COR_NONE,
                                                    .kept = COR_NONE};
        if (it->kind == SYSTEM_LAYER__SOLVE)
            forget_added(pursuit, goal);
        if (it->first == COR_NONE)
            break;
        goal = it->first;
    }
    const struct system_layer__goal *leaf = goal_at(pursuit, goal);
    for (uint32_t b = 0; b < leaf->bind_count; b++)
        pursuit->held[pursuit->goals->binds[leaf->bind_start + b].slot] = COR_NONE;
    pursuit->leaf = goal;
    pursuit->start = pursuit->committed = COR_NONE;
}

static void report(struct cor_pursuit *pursuit, uint32_t goal, bool is_success, const char *why) {
    if (!pursuit->note_goal || goal_at(pursuit, goal)->kind == SYSTEM_LAYER__CHOOSE)
        return;
    const struct system_layer__progress *progress = &pursuit->progress[goal];
    const struct cor_goal_report made = {.name = system_layer__goal_name(pursuit->goals, goal),
                                         .begun = progress->begun,
                                         .ended = cor_beliefs_cycle(pursuit->beliefs),
                                         .cost = progress->cost,
                                         .end = is_success ? COR_GOAL_SUCCESS : COR_GOAL_FAILED,
                                         .depth = goal_at(pursuit, goal)->depth,
                                         .why = is_success ? "" : why};
    pursuit->note_goal(pursuit->goal_context, &made);
}

/* All that was under way from the leaf up to `above`, which is not told yet, has failed: also what a handler
 * interrupted. */
static void report_below(struct cor_pursuit *pursuit, uint32_t leaf, uint32_t above, const char *why) {
    for (uint32_t goal = leaf, parent; goal != above; goal = parent) {
        parent = goal_at(pursuit, goal)->parent;
        report(pursuit, goal, false, why);
        if (parent != COR_NONE && pursuit->progress[parent].handler == goal)
            report_below(pursuit, pursuit->progress[parent].kept, parent, why);
    }
}

/* The sibling that comes next, COR_NONE: it was the last. One that was not added is not there. */
static uint32_t next_sibling(const struct cor_pursuit *pursuit, uint32_t goal) {
    uint32_t next = goal_at(pursuit, goal)->next;
    while (next != COR_NONE && goal_at(pursuit, next)->adder != COR_NONE && !pursuit->progress[next].is_added)
        next = goal_at(pursuit, next)->next;
    return next;
}

/* A handler has ended: the goal that it interrupted goes on, with no more budget than is left. */
static void go_back(struct cor_pursuit *pursuit, uint32_t interruptible) {
    struct system_layer__progress *above = &pursuit->progress[interruptible];
    const uint32_t leaf = above->kept;
    for (uint32_t goal = leaf; goal != interruptible; goal = goal_at(pursuit, goal)->parent)
        if (pursuit->progress[goal].budget > above->budget)
            pursuit->progress[goal].budget = above->budget;
    above->handler = above->kept = COR_NONE;
    pursuit->leaf = leaf;
    pursuit->start = pursuit->committed = COR_NONE;
}

/* Rule 2. What the end of a child means for its parent: true: the parent ends, and *is_success says how; else
 * another goal is current. */
static bool ends_parent(struct cor_pursuit *pursuit, uint32_t goal, bool *is_success) {
    const uint32_t parent = goal_at(pursuit, goal)->parent;
    const struct system_layer__goal *above = goal_at(pursuit, parent);
    struct system_layer__progress *progress = &pursuit->progress[parent];
    const uint32_t next = above->kind == SYSTEM_LAYER__SEQ || above->kind == SYSTEM_LAYER__FIRST_OF
                              ? next_sibling(pursuit, goal)
                              : COR_NONE;
    if (!*is_success && progress->budget == 0)
        return true;
    switch (above->kind) {
    case SYSTEM_LAYER__SEQ:
        if (!*is_success || next == COR_NONE)
            return true;
        system_layer__enter(pursuit, next);
        return false;
    case SYSTEM_LAYER__FIRST_OF:
        if (*is_success || next == COR_NONE)
            return true;
        system_layer__enter(pursuit, next);
        return false;
    case SYSTEM_LAYER__REPEAT:
        if (*is_success || ++progress->laps == above->tries)
            return true;
        system_layer__enter(pursuit, above->first);
        return false;
    case SYSTEM_LAYER__IF:
        if (!*is_success || goal != above->first)
            return true;
        system_layer__enter(pursuit, progress->chosen);
        return false;
    default:
        COR_ASSERT(above->kind == SYSTEM_LAYER__INTERRUPTIBLE);
        if (goal == above->first)
            return true;
        go_back(pursuit, parent);
        return false;
    }
}

void system_layer__end(struct cor_pursuit *pursuit, uint32_t goal, bool is_success, const char *why) {
    char kept[sizeof pursuit->why];
    snprintf(kept, sizeof kept, "%s", why);
    report_below(pursuit, pursuit->leaf, goal, kept);
    for (;;) {
        const struct system_layer__goal *it = goal_at(pursuit, goal);
        if (is_success && it->oracle != COR_NONE) {
            const enum cor_truth truth = system_layer__ask(pursuit, it->oracle);
            is_success = truth == COR_TRUTH_TRUE;
            if (!is_success) {
                system_layer__tell(pursuit, COR_JUDGE_ASSERT, system_layer__goal_name(pursuit->goals, goal),
                                   it->oracle, truth);
                snprintf(kept, sizeof kept, "its assert \"%.300s\" %s",
                         pursuit->goals->conditions[it->oracle].expression.text,
                         truth == COR_TRUTH_FALSE ? "does not hold" : "is unknown");
            }
        }
        report(pursuit, goal, is_success, kept);
        if (it->parent == COR_NONE) {
            pursuit->end = is_success ? COR_GOAL_SUCCESS : COR_GOAL_FAILED;
            snprintf(pursuit->why, sizeof pursuit->why, "%s", is_success ? "" : kept);
            pursuit->leaf = COR_NONE;
            return;
        }
        const uint32_t interrupted = pursuit->progress[it->parent].kept;
        const bool is_handler = pursuit->progress[it->parent].handler == goal;
        if (!ends_parent(pursuit, goal, &is_success))
            return;
        if (is_handler)
            report_below(pursuit, interrupted, it->parent, kept);
        goal = it->parent;
    }
}

/* The outermost goal that can be interrupted, no handler of which is under way, and has a handler for what is
 * believed: that handler is current. False: there is none. */
static bool interrupt_once(struct cor_pursuit *pursuit) {
    uint32_t found = COR_NONE, interruptible = COR_NONE;
    for (uint32_t at = goal_at(pursuit, pursuit->leaf)->interruptible; at != COR_NONE;
         at = goal_at(pursuit, at)->interruptible) {
        if (pursuit->progress[at].handler != COR_NONE)
            continue;
        uint32_t handler = goal_at(pursuit, goal_at(pursuit, at)->first)->next;
        while (handler != COR_NONE &&
               system_layer__ask(pursuit, goal_at(pursuit, handler)->interrupts) != COR_TRUTH_TRUE)
            handler = goal_at(pursuit, handler)->next;
        if (handler != COR_NONE) {
            found = handler;
            interruptible = at;
        }
    }
    if (found == COR_NONE)
        return false;
    pursuit->progress[interruptible].handler = found;
    pursuit->progress[interruptible].kept = pursuit->leaf;
    system_layer__enter(pursuit, found);
    return true;
}

/* What a handler begins with may be interrupted, too, by a handler of its own. */
void system_layer__interrupt(struct cor_pursuit *pursuit) {
    while (interrupt_once(pursuit))
        ;
}
