/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each trap: from each joint state the best way to it (Dijkstra's algorithm, backwards from the arcs that
 * may cover it), and the probability that the profiles come to it in so many cases. */
#include "steering_internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdlib.h>

#define PLANNED_MAX 200000000 /* bytes of hits and ways, about */
#define LIKELY_MAX 8000000    /* probabilities of all traps together */

/* Is way `a` to be preferred? */
static bool way_is_better(enum cor_trap_walk walk, struct conditions__way a, struct conditions__way b) {
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
    if (!way_is_better(heap->walk, way, plan->way[state]))
        return COR_OK;
    plan->way[state] = way;
    const struct entry entry = {way, state};
    COR_TRY(COR_RESERVE(&heap->entries, &heap->capacity, heap->count + 1, error));
    size_t at = heap->count++;
    for (; at > 0 && way_is_better(heap->walk, entry.way, heap->entries[(at - 1) / 2].way); at = (at - 1) / 2)
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
                way_is_better(heap->walk, heap->entries[child + 1].way, heap->entries[child].way))
                child++;
            if (!way_is_better(heap->walk, heap->entries[child].way, last.way))
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
    COR_TRY(cor_made(steering->plans = cor_calloc(traps->count, sizeof *steering->plans), error));
    struct heap heap = {.walk = (enum cor_trap_walk)traps->walk};
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < traps->count; t++)
        COR_TRY_OUT(make_plan(steering, t, &heap, error));
    for (uint32_t t = traps->count; t-- > 0;) {
        /* The probability of covering the trap in `left` cases, by that for one less; in an ordered list, of
         * covering all that follow as well. */
        const struct cor_joint *joint = steering->joint;
        const struct conditions__trap_plan *plan = &steering->plans[t];
        const double *then =
            steering->traps->ordered && t + 1 < steering->traps->count ? steering->plans[t + 1].likely : NULL;
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
out:
    free(heap.entries);
    return status;
}

enum cor_status cor_steering_create(const struct cor_steering_definition *definition,
                                    struct cor_steering **steering, struct cor_error *error) {
    COR_DESTROYED(cor_steering) struct cor_steering *s = cor_calloc(1, sizeof *s);
    *steering = NULL;
    COR_TRY(cor_made(s, error));
    s->traps = definition->traps;
    s->problem = (struct cor_planning_problem){
        .trap_count = s->traps->count, .trap_words = s->traps->words, .after = s->traps->after};
    COR_TRY(cor_facts_init(&s->facts, s->traps->vocabulary, error));
    for (uint32_t p = 0; p < definition->parameter_count; p++)
        cor_facts_set_parameter(&s->facts, p, definition->parameters[p]);
    /* The chains that traps speak of, by their environments: the first of each. */
    const struct cor_profile *profiles[COR_CONDITION_ENVIRONMENTS_MAX];
    uint32_t environments[COR_CONDITION_ENVIRONMENTS_MAX], count = 0;
    uint64_t open = definition->traps->environments;
    COR_TRY(cor_made(s->chain = cor_calloc(COR_CONDITION_ENVIRONMENTS_MAX, sizeof *s->chain), error));
    for (uint32_t c = 0; c < definition->chain_count; c++) {
        if (definition->environments[c] >= cor_vocabulary_environments(s->traps->vocabulary) ||
            !(open >> definition->environments[c] & 1))
            continue;
        open &= ~(UINT64_C(1) << definition->environments[c]);
        s->chain[count] = c;
        environments[count] = definition->environments[c];
        profiles[count++] = definition->profiles[c];
    }
    COR_TRY(cor_joint_create(count, environments, profiles, &s->joint, error));
    const struct cor_joint *joint = s->joint;
    const uint32_t arcs = joint->first[joint->state_count];
    s->arc_from = cor_calloc(arcs, sizeof *s->arc_from);
    s->arrivals = cor_calloc(arcs, sizeof *s->arrivals);
    s->arrival_first = cor_calloc(joint->state_count + 2, sizeof *s->arrival_first);
    if (!s->arc_from || !s->arrivals || !s->arrival_first)
        COR_TRY(cor_fail_memory(error));
    uint32_t *first = s->arrival_first; /* of state x, at x + 1 while they are counted and filled */
    for (uint32_t arc = 0; arc < arcs; arc++)
        first[joint->next[arc] + 2]++;
    for (uint32_t x = 2; x < joint->state_count + 2; x++)
        first[x] += first[x - 1];
    for (uint32_t x = 0; x < joint->state_count; x++)
        for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
            s->arc_from[arc] = x;
            s->arrivals[first[joint->next[arc] + 1]++] = arc;
        }
    COR_TRY(make_plans(definition, s, error));
    *steering = cor_taken(&s);
    return COR_OK;
}

void cor_steering_destroy(struct cor_steering *steering) {
    if (!steering)
        return;
    for (uint32_t t = 0; steering->plans && t < steering->traps->count; t++) {
        COR_FREE(steering->plans[t].hit, steering->plans[t].way, steering->plans[t].likely);
    }
    cor_joint_destroy(steering->joint);
    cor_facts_fini(&steering->facts);
    COR_FREE(steering->plans, steering->chain, steering->arc_from, steering->arrivals,
             steering->arrival_first, steering);
}

/* ---- the source of walks that are steered to traps. The whole walk is drawn by the profiles first, so that
 * a sequence that follows them is that of the source `profile`, to the bit, and chains that no trap speaks of
 * always are; then the other chains are put where the steering wants them, case by case. All that changes is
 * in the walk and its memory */

#define TABU_MAX 1024

/* The memory of a walk; behind it covered[words], tabu[TABU_MAX], then covered_in[trap], tries[trap]. */
struct progress {
    struct cor_weight ratio; /* of the steered law to that of the profiles, over the cases that are over */
    uint32_t target;         /* the trap to go for in the next case; COR_NONE: none */
    uint32_t start;          /* joint state before the first case */
    uint32_t tabu_count;
    uint32_t left;     /* cases, the next one included */
    bool is_chosen;    /* the steering chooses; else the profiles, or what was recorded */
    bool by_profile;   /* the sequence was drawn to follow the profiles */
    bool is_outside;   /* it took a transition that the profiles do not have: it has no weight */
    uint64_t reaction; /* of the last case, coarsely */
};

static struct progress *progress_of(const struct cor_walk *walk) {
    return walk->memory;
}

static uint64_t *covered_of(const struct cor_walk *walk) {
    return (uint64_t *)(void *)(progress_of(walk) + 1);
}

static uint64_t *tabu_of(const struct cor_walk *walk) {
    return covered_of(walk) + walk->definition.steering->traps->words;
}

static uint32_t *covered_in_of(const struct cor_walk *walk) {
    return (uint32_t *)(void *)(tabu_of(walk) + TABU_MAX);
}

static uint32_t *tries_of(const struct cor_walk *walk) {
    return covered_in_of(walk) + walk->definition.steering->traps->count;
}

static size_t memory_size(const struct cor_walk_definition *definition) {
    const struct cor_case_traps *traps = definition->steering->traps;
    return sizeof(struct progress) + (traps->words + TABU_MAX) * sizeof(uint64_t) +
           2 * (size_t)traps->count * sizeof(uint32_t);
}

/* The joint state of the chains that traps speak of, at a case. */
static uint32_t state_at(const struct cor_walk *walk, uint32_t number) {
    const struct cor_steering *s = walk->definition.steering;
    uint8_t states[COR_CONDITION_ENVIRONMENTS_MAX];
    for (uint32_t c = 0; c < s->joint->chain_count; c++)
        states[c] = cor_walk_at(walk, number)[s->chain[c]];
    return cor_joint_state(s->joint, states);
}

static bool waits(const struct cor_case_traps *traps, uint32_t trap, const uint64_t *covered) {
    const uint64_t *after = traps->after + (size_t)trap * traps->words;
    for (uint32_t w = 0; w < traps->words; w++)
        if (after[w] & ~covered[w])
            return true;
    return false;
}

/* The trap to go for from a state: the nearest of those that are open, tries in vain counted as moves. */
static uint32_t choose_target(const struct cor_walk *walk, uint32_t state) {
    const struct cor_steering *s = walk->definition.steering;
    const uint64_t *covered = covered_of(walk);
    uint64_t least = UINT64_MAX;
    uint32_t target = COR_NONE;
    for (uint32_t t = 0; t < s->traps->count; t++) {
        if (s->plans[t].way[state].moves == COR_NONE || cor_trap_is_in(covered, t) ||
            waits(s->traps, t, covered))
            continue;
        const uint64_t effort = (uint64_t)s->plans[t].way[state].moves + tries_of(walk)[t];
        if (effort < least) {
            least = effort;
            target = t;
        }
    }
    return target;
}

static enum cor_status begin_steered_walk(struct cor_walk *walk, struct cor_error *error) {
    const struct cor_walk_definition *d = &walk->definition;
    const double share = d->steering->traps->profile_share;
    struct progress *progress = progress_of(walk);
    const bool is_replayed = d->recorded && !d->branch;
    COR_TRY((is_replayed ? &cor_source_recorded : &cor_source_profile)->begin(walk, error));
    struct cor_stream_name name = d->name;
    name.entity = d->chain_count + 1; /* no chain draws from it */
    name.sequence = d->branch ? d->branch->parent : name.sequence;
    struct cor_rng rng = cor_rng_named(&name);
    progress->by_profile = cor_rng_unit(&rng) < share;
    progress->is_chosen = !is_replayed && !progress->by_profile;
    progress->ratio = cor_weight_of(1);
    progress->left = walk->case_count;
    progress->start = state_at(walk, 0);
    progress->target = choose_target(walk, progress->start);
    if (progress->is_chosen)
        walk->known = d->branch && d->recorded ? d->branch->prefix : 0;
    return COR_OK;
}

/* Of the cases that are left behind this one, as many as probabilities are known for. */
static const double *likely_behind(const struct cor_steering *s, uint32_t trap, uint32_t left) {
    const uint32_t behind = left - 1 < s->horizon ? left - 1 : s->horizon;
    return s->plans[trap].likely + (size_t)behind * s->joint->state_count;
}

/* What the steered law multiplies the probability of an arc by, but for a factor of the state. */
static double pull(const struct cor_steering *s, uint32_t trap, uint32_t left, uint32_t arc) {
    const uint32_t y = s->joint->next[arc];
    if (!s->plans[trap].hit[arc])
        return likely_behind(s, trap, left)[y];
    return s->traps->ordered && trap + 1 < s->traps->count ? likely_behind(s, trap + 1, left)[y] : 1;
}

/* The sum of the steered law before it is scaled; 0: the trap is out of reach in the cases that are left. */
static double pull_of_state(const struct cor_steering *s, uint32_t trap, uint32_t left, uint32_t state) {
    double sum = 0;
    for (uint32_t arc = s->joint->first[state]; arc < s->joint->first[state + 1]; arc++)
        sum += s->joint->probability[arc] * pull(s, trap, left, arc);
    return sum;
}

static uint64_t tabu_key(const struct progress *progress, uint32_t arc) {
    return cor_hash_word(cor_hash_word(cor_hash_word(COR_HASH_SEED, progress->target), progress->reaction),
                         arc);
}

static bool is_tabu(const struct cor_walk *walk, uint32_t arc) {
    const struct progress *progress = progress_of(walk);
    const uint64_t key = tabu_key(progress, arc);
    for (uint32_t i = 0; i < progress->tabu_count; i++)
        if (tabu_of(walk)[i] == key)
            return true;
    return false;
}

/* The first step of the best way to the target that is not tabu; COR_NONE: all are. */
static uint32_t best_arc(const struct cor_walk *walk, uint32_t state) {
    const struct cor_steering *s = walk->definition.steering;
    const struct conditions__trap_plan *plan = &s->plans[progress_of(walk)->target];
    struct conditions__way best = {.moves = COR_NONE};
    uint32_t chosen = COR_NONE;
    for (uint32_t arc = s->joint->first[state]; arc < s->joint->first[state + 1]; arc++) {
        const struct cor_weight probability = cor_weight_of(s->joint->probability[arc]);
        const struct conditions__way on = plan->way[s->joint->next[arc]];
        const struct conditions__way way =
            plan->hit[arc] ? (struct conditions__way){1, probability}
            : on.moves == COR_NONE
                ? on
                : (struct conditions__way){on.moves + 1, cor_weight_times(on.probability, probability)};
        if (way_is_better((enum cor_trap_walk)s->traps->walk, way, best) && !is_tabu(walk, arc)) {
            best = way;
            chosen = arc;
        }
    }
    return chosen;
}

/* The chains that traps speak of go on by their profiles. */
static void follow_profiles(struct cor_walk *walk, uint32_t number, struct cor_stream_name name) {
    const struct cor_steering *s = walk->definition.steering;
    for (uint32_t c = 0; c < s->joint->chain_count; c++) {
        const uint32_t chain = s->chain[c];
        name.entity = chain;
        struct cor_rng rng = cor_rng_named(&name);
        walk->states[(size_t)number * walk->chain_count + chain] =
            cor_profile_next(s->joint->profiles[c], cor_walk_at(walk, number - 1)[chain],
                             (uint32_t)(cor_rng_word(&rng) >> 32));
    }
}

static enum cor_status next(struct cor_walk *walk, const struct cor_observation *observed,
                            struct cor_error *error) {
    const struct cor_steering *s = walk->definition.steering;
    struct progress *progress = progress_of(walk);
    const uint32_t number = walk->known + 1, state = state_at(walk, walk->known);
    struct cor_stream_name name = observed->name;
    uint32_t arc = COR_NONE;
    (void)error;
    name.purpose = COR_PURPOSE_WALK;
    if (progress->target != COR_NONE && s->traps->profile_share > 0) {
        name.entity = walk->chain_count; /* no chain draws from it */
        struct cor_rng rng = cor_rng_named(&name);
        /* An arc by the steered law, from 64 random bits; COR_NONE: by the profiles. */
        const double unit = cor_rng_unit(&rng);
        const double sum = pull_of_state(s, progress->target, progress->left, state);
        double up_to = unit * sum;
        uint32_t last = COR_NONE;
        for (uint32_t i = s->joint->first[state]; i < s->joint->first[state + 1] && sum > 0; i++) {
            const double mass = s->joint->probability[i] * pull(s, progress->target, progress->left, i);
            if (!(mass > 0))
                continue;
            last = i;
            if (up_to < mass)
                break;
            up_to -= mass;
        }
        arc = last;
    } else if (progress->target != COR_NONE) {
        arc = best_arc(walk, state);
        if (arc == COR_NONE) { /* all were taken in vain: begin again */
            progress->tabu_count = 0;
            arc = best_arc(walk, state);
        }
    }
    if (arc == COR_NONE)
        follow_profiles(walk, number, name);
    else
        for (uint32_t c = 0; c < s->joint->chain_count; c++)
            walk->states[(size_t)number * walk->chain_count + s->chain[c]] =
                cor_joint_part(s->joint, s->joint->next[arc], c);
    walk->known = number;
    return COR_OK;
}

static uint32_t find_arc(const struct cor_joint *joint, uint32_t from, uint32_t to) {
    for (uint32_t arc = joint->first[from]; arc < joint->first[from + 1]; arc++)
        if (joint->next[arc] == to)
            return arc;
    return COR_NONE;
}

static void judge(struct cor_walk *walk, uint32_t number, uint32_t arc, const struct cor_reaction *reaction) {
    struct cor_steering *s = walk->definition.steering;
    uint64_t *covered = covered_of(walk), hits[COR_CASE_TRAPS_MAX / 64] = {0};
    for (uint32_t c = 0; c < s->joint->chain_count; c++)
        cor_facts_set_states(&s->facts, s->joint->environments[c], cor_walk_at(walk, number - 1)[s->chain[c]],
                             cor_walk_at(walk, number)[s->chain[c]]);
    cor_facts_set_reaction(&s->facts, reaction);
    for (uint32_t t = 0; t < s->traps->count; t++)
        if (s->plans[t].is_possible && !cor_trap_is_in(covered, t) &&
            (arc == COR_NONE || s->plans[t].hit[arc]) &&
            cor_case_condition_holds(&s->traps->traps[t].condition, &s->facts))
            cor_trap_add(hits, t);
    if (!cor_cover(&s->problem, covered, hits))
        return;
    for (uint32_t t = 0; t < s->traps->count; t++)
        if (cor_trap_is_in(hits, t))
            covered_in_of(walk)[t] = number;
}

static unsigned size_class(uint32_t count) {
    return count == 0 ? 0 : 32 - (unsigned)__builtin_clz(count);
}

static void see(struct cor_walk *walk, uint32_t number, const struct cor_reaction *reaction) {
    const struct cor_steering *s = walk->definition.steering;
    struct progress *progress = progress_of(walk);
    const uint32_t state = state_at(walk, number - 1), after = state_at(walk, number),
                   arc = find_arc(s->joint, state, after);
    if (s->traps->profile_share > 0) {
        /* How likelier, or less likely, the steered law made this step. */
        if (arc == COR_NONE)
            progress->is_outside = true;
        if (arc != COR_NONE && progress->target != COR_NONE && s->horizon != 0) {
            const double sum = pull_of_state(s, progress->target, progress->left, state);
            if (sum > 0)
                progress->ratio = cor_weight_times(
                    progress->ratio,
                    cor_weight_over(cor_weight_of(pull(s, progress->target, progress->left, arc)),
                                    cor_weight_of(sum)));
        }
    }
    judge(walk, number, arc, reaction);
    if (s->traps->profile_share == 0) {
        /* An arc from where the trap could have been covered, and was not, is not to be taken again after the
         * same reaction. */
        if (progress->target != COR_NONE && arc != COR_NONE &&
            !cor_trap_is_in(covered_of(walk), progress->target) &&
            s->plans[progress->target].way[state].moves <= 1) {
            if (progress->tabu_count == TABU_MAX)
                progress->tabu_count = 0;
            if (!is_tabu(walk, arc))
                tabu_of(walk)[progress->tabu_count++] = tabu_key(progress, arc);
            tries_of(walk)[progress->target] += s->plans[progress->target].hit[arc];
        }
    }
    progress->reaction =
        (uint64_t)reaction->alarm | (uint64_t)reaction->reorganized << 1 | (uint64_t)reaction->failed << 2 |
        (uint64_t)(reaction->reached > 0) << 3 | (uint64_t)(reaction->held > 0) << 4 |
        (uint64_t)(reaction->activated > 0) << 5 | (uint64_t)size_class(reaction->partitions) << 8 |
        (uint64_t)size_class(reaction->smallest) << 16 | (uint64_t)size_class(reaction->largest) << 24;
    progress->left--;
    progress->target = choose_target(walk, after);
}

/* What was not executed is drawn as if nothing had been wanted: a walk is as long as it was to be. */
static void end(struct cor_walk *walk) {
    struct cor_stream_name name = walk->definition.name;
    while (walk->known < walk->definition.case_count) {
        name.identity = ++walk->known;
        follow_profiles(walk, walk->known, name);
    }
    walk->case_count = walk->known;
}

const struct cor_source cor_source_traps = {.name = "traps",
                                            .meaning = "steered to traps by what the system does",
                                            .memory = memory_size,
                                            .begin = begin_steered_walk,
                                            .next = next,
                                            .see = see,
                                            .end = end};

struct cor_trap_report cor_steering_report(const struct cor_walk *walk, uint32_t trap, uint32_t case_count) {
    const struct cor_steering *s = walk->definition.steering;
    struct cor_trap_report report = {covered_in_of(walk)[trap],
                                     s->plans[trap].way[progress_of(walk)->start].moves, NAN};
    /* Whether the probability of a trap is known: that of the last of an ordered list, or of one alone. */
    const struct cor_case_traps *traps = s->traps;
    if (s->horizon < case_count || (traps->ordered && trap + 1 < traps->count))
        return report;
    for (uint32_t t = 0; t < traps->count; t++)
        if ((traps->ordered || t == trap) &&
            cor_case_condition_root(&traps->traps[t].condition)->reads_reaction)
            return report;
    for (uint32_t w = 0; w < traps->words && !traps->ordered; w++)
        if (traps->after[(size_t)trap * traps->words + w])
            return report;
    const double *likely =
        s->plans[s->traps->ordered ? 0 : trap].likely + (size_t)case_count * s->joint->state_count;
    report.probability = 0;
    for (uint32_t x = 0; x < s->joint->state_count; x++)
        report.probability += s->joint->start[x] * likely[x];
    return report;
}

bool cor_steering_weight(const struct cor_walk *walk, struct cor_weight *weight, bool *by_profile) {
    const struct progress *progress = progress_of(walk);
    const double share = walk->definition.steering->traps->profile_share;
    *by_profile = progress->by_profile;
    if (share == 0 || progress->is_outside)
        return false;
    *weight = cor_weight_over(
        cor_weight_of(1),
        cor_weight_plus(cor_weight_of(share), cor_weight_times(cor_weight_of(1 - share), progress->ratio)));
    return true;
}
