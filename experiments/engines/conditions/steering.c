/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each trap: from each joint state the best way to it (Dijkstra's algorithm, backwards from the arcs that
 * may cover it), and the probability that the profiles come to it in so many cases. */
#include "steering_internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define PLANNED_MAX 200000000 /* bytes of hits and ways, about */
#define LIKELY_MAX 8000000    /* probabilities of all traps together */

bool conditions__way_is_better(enum cor_trap_walk walk, struct conditions__way a, struct conditions__way b) {
    if (a.moves == COR_NONE || b.moves == COR_NONE)
        return a.moves < b.moves;
    const bool likelier = cor_weight_less(b.probability, a.probability),
               less_likely = cor_weight_less(a.probability, b.probability);
    if (walk == COR_TRAP_WALK_SHORTEST)
        return a.moves != b.moves ? a.moves < b.moves : likelier;
    return likelier || (!less_likely && a.moves < b.moves);
}

struct entry {
    struct conditions__way way;
    uint32_t state;
};

/* Ways that are still to be looked at, the best on top; outdated ones are passed over. */
struct heap {
    struct entry *entries; /* owned */
    size_t count, capacity;
    enum cor_trap_walk walk;
};

static enum cor_status offer(struct heap *heap, struct conditions__trap_plan *plan, uint32_t state,
                             struct conditions__way way, struct cor_error *error) {
    if (!conditions__way_is_better(heap->walk, way, plan->way[state]))
        return COR_OK;
    plan->way[state] = way;
    const struct entry entry = {way, state};
    COR_TRY(COR_RESERVE(&heap->entries, &heap->capacity, heap->count + 1, error));
    size_t at = heap->count++;
    for (; at > 0 && conditions__way_is_better(heap->walk, entry.way, heap->entries[(at - 1) / 2].way);
         at = (at - 1) / 2)
        heap->entries[at] = heap->entries[(at - 1) / 2];
    heap->entries[at] = entry;
    return COR_OK;
}

static enum cor_status find_ways(const struct cor_steering *steering, struct conditions__trap_plan *plan,
                                 struct heap *heap, struct cor_error *error) {
    const struct cor_joint *joint = steering->joint;
    heap->count = 0;
    for (uint32_t x = 0; x < joint->state_count; x++)
        for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++)
            if (plan->hit[arc])
                COR_TRY(offer(heap, plan, x,
                              (struct conditions__way){1, cor_weight_of(joint->probability[arc])}, error));
    while (heap->count > 0) {
        const struct entry best = heap->entries[0], last = heap->entries[--heap->count];
        size_t at = 0;
        for (;;) {
            size_t child = 2 * at + 1;
            if (child >= heap->count)
                break;
            if (child + 1 < heap->count &&
                conditions__way_is_better(heap->walk, heap->entries[child + 1].way, heap->entries[child].way))
                child++;
            if (!conditions__way_is_better(heap->walk, heap->entries[child].way, last.way))
                break;
            heap->entries[at] = heap->entries[child];
            at = child;
        }
        heap->entries[at] = last;
        const struct conditions__way b = plan->way[best.state];
        const bool is_same = best.way.moves == b.moves &&
                             best.way.probability.mantissa == b.probability.mantissa &&
                             best.way.probability.exponent == b.probability.exponent;
        if (!is_same)
            continue;
        for (uint32_t i = steering->arrival_first[best.state]; i < steering->arrival_first[best.state + 1];
             i++) {
            const uint32_t arc = steering->arrivals[i];
            const struct conditions__way way = {
                best.way.moves + 1,
                cor_weight_times(best.way.probability, cor_weight_of(joint->probability[arc]))};
            COR_TRY(offer(heap, plan, steering->arc_from[arc], way, error));
        }
    }
    return COR_OK;
}

/* The probability of covering the trap in `left` cases, by that for one less; in an ordered list, of covering
 * all that follow as well. */
static void find_likely(const struct cor_steering *steering, uint32_t trap) {
    const struct cor_joint *joint = steering->joint;
    const struct conditions__trap_plan *plan = &steering->plans[trap];
    const double *then = steering->traps->ordered && trap + 1 < steering->traps->count
                             ? steering->plans[trap + 1].likely
                             : NULL;
    for (uint32_t left = 1; left <= steering->horizon; left++) {
        const double *before = plan->likely + (size_t)(left - 1) * joint->state_count;
        const double *on = then ? then + (size_t)(left - 1) * joint->state_count : NULL;
        double *now = plan->likely + (size_t)left * joint->state_count;
        for (uint32_t x = 0; x < joint->state_count; x++) {
            double sum = 0;
            for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
                const uint32_t y = joint->next[arc];
                sum += joint->probability[arc] * (!plan->hit[arc] ? before[y] : on ? on[y] : 1);
            }
            now[x] = sum;
        }
    }
}

static enum cor_status make_plan(struct cor_steering *steering, uint32_t trap, struct heap *heap,
                                 struct cor_error *error) {
    const struct cor_joint *joint = steering->joint;
    const uint32_t arcs = joint->first[joint->state_count];
    const struct cor_case_condition *condition = &steering->traps->traps[trap].condition;
    struct conditions__trap_plan *plan = &steering->plans[trap];
    uint64_t there = 0;
    for (uint32_t c = 0; c < joint->chain_count; c++)
        there |= UINT64_C(1) << joint->environments[c];
    plan->is_possible = !(cor_case_condition_root(condition)->environments & ~there);
    plan->hit = cor_calloc(arcs, sizeof *plan->hit);
    plan->way = cor_calloc(joint->state_count, sizeof *plan->way);
    COR_TRY(plan->hit && plan->way ? COR_OK : cor_fail_memory(error));
    for (uint32_t x = 0; x < joint->state_count; x++)
        plan->way[x].moves = COR_NONE;
    if (steering->horizon > 0) {
        plan->likely = cor_calloc(((size_t)steering->horizon + 1) * joint->state_count, sizeof *plan->likely);
        COR_TRY(cor_made(plan->likely, error));
    }
    if (!plan->is_possible)
        return COR_OK;
    cor_joint_hits(joint, condition, &steering->facts, plan->hit);
    COR_TRY(find_ways(steering, plan, heap, error));
    return COR_OK;
}

static enum cor_status sort_arrivals(struct cor_steering *steering, struct cor_error *error) {
    const struct cor_joint *joint = steering->joint;
    const uint32_t arcs = joint->first[joint->state_count];
    steering->arc_from = cor_calloc(arcs, sizeof *steering->arc_from);
    steering->arrivals = cor_calloc(arcs, sizeof *steering->arrivals);
    steering->arrival_first = cor_calloc(joint->state_count + 2, sizeof *steering->arrival_first);
    if (!steering->arc_from || !steering->arrivals || !steering->arrival_first)
        return cor_fail_memory(error);
    uint32_t *first = steering->arrival_first; /* of state x, at x + 1 while they are counted and filled */
    for (uint32_t arc = 0; arc < arcs; arc++)
        first[joint->next[arc] + 2]++;
    for (uint32_t x = 2; x < joint->state_count + 2; x++)
        first[x] += first[x - 1];
    for (uint32_t x = 0; x < joint->state_count; x++)
        for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
            steering->arc_from[arc] = x;
            steering->arrivals[first[joint->next[arc] + 1]++] = arc;
        }
    return COR_OK;
}

static enum cor_status make_plans(const struct cor_steering_definition *d, struct cor_steering *steering,
                                  struct cor_error *error) {
    const struct cor_case_traps *traps = d->traps;
    const uint64_t states = steering->joint->state_count, arcs = steering->joint->first[states];
    if (traps->count * (arcs + states * sizeof(struct conditions__way)) > PLANNED_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "take fewer traps, or make arms of them",
                        "%u traps are too many for environments with %llu transitions together", traps->count,
                        (unsigned long long)arcs);
    const uint64_t most = LIKELY_MAX / (traps->count * states);
    steering->horizon = most == 0 ? 0 : most - 1 < d->case_max ? (uint32_t)(most - 1) : d->case_max;
    if (steering->horizon < d->case_max && traps->profile_share == 0)
        steering->horizon = 0; /* no figure needs it */
    steering->plans = cor_calloc(traps->count, sizeof *steering->plans);
    COR_TRY(cor_made(steering->plans, error));
    struct heap heap = {.walk = (enum cor_trap_walk)traps->walk};
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < traps->count; t++)
        COR_TRY_OUT(make_plan(steering, t, &heap, error));
    for (uint32_t t = traps->count; t-- > 0;)
        find_likely(steering, t);
out:
    free(heap.entries);
    return status;
}

enum cor_status cor_steering_create(const struct cor_steering_definition *definition,
                                    struct cor_steering **steering, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_steering *s = *steering = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    s->traps = definition->traps;
    s->problem = (struct cor_planning_problem){
        .trap_count = s->traps->count, .trap_words = s->traps->words, .after = s->traps->after};
    COR_TRY_OUT(cor_facts_init(&s->facts, s->traps->vocabulary, error));
    for (uint32_t p = 0; p < definition->parameter_count; p++)
        cor_facts_set_parameter(&s->facts, p, definition->parameters[p]);
    /* The chains that traps speak of, by their environments: the first of each. */
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t environments[COR_CONDITION_ENVIRONMENTS_MAX], count = 0;
    uint64_t open = definition->traps->environments;
    s->chain = cor_calloc(COR_CONDITION_ENVIRONMENTS_MAX, sizeof *s->chain);
    COR_TRY_OUT(cor_made(s->chain, error));
    for (uint32_t c = 0; c < definition->chain_count; c++) {
        if (!(open >> definition->environments[c] & 1))
            continue;
        open &= ~(UINT64_C(1) << definition->environments[c]);
        s->chain[count] = c;
        environments[count] = definition->environments[c];
        profiles[count++] = definition->profiles[c];
    }
    COR_TRY_OUT(cor_joint_create(count, environments, profiles, &s->joint, error));
    COR_TRY_OUT(sort_arrivals(s, error));
    COR_TRY_OUT(make_plans(definition, s, error));
out:
    if (status != COR_OK) {
        cor_steering_destroy(s);
        *steering = NULL;
    }
    return status;
}

void cor_steering_destroy(struct cor_steering *steering) {
    if (!steering)
        return;
    for (uint32_t t = 0; steering->plans && t < steering->traps->count; t++) {
        free(steering->plans[t].hit);
        free(steering->plans[t].way);
        free(steering->plans[t].likely);
    }
    cor_joint_destroy(steering->joint);
    cor_facts_fini(&steering->facts);
    free(steering->plans);
    free(steering->chain);
    free(steering->arc_from);
    free(steering->arrivals);
    free(steering->arrival_first);
    free(steering);
}
