/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A leader's turns. A period is: look at the partition, search for candidates, invite the best, perhaps ask
 * one member to leave, rest. */
#include "spada.h"

#include <math.h>

/* The local form of the invariant: if every partition mean lies within threshold / 2 of one common value,
 * then any two lie within the threshold. */
static bool meets_criterion(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    uint32_t size = spada_size(office);
    double distance = fabs(office->sum / size - spada_mean(turn->self));
    return size >= 2 && distance <= turn->rules->threshold / 2;
}

static enum cor_progress terminate(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    office->terminated = true;
    office->phase = SPADA_REST;
    spada__tally(turn, SPADA_TERMINATE, spada_size(office));
    return COR_DONE;
}

static enum cor_progress begin_period(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    if (meets_criterion(turn))
        return terminate(turn);
    office->phase = SPADA_SEARCH;
    office->period++;
    office->waited = office->searches_out = office->candidate_count = 0;
    office->changed = false;
    for (uint32_t left = spada_count_of(turn, SPADA_CANDIDATES); left > 0; left--)
        spada__search(turn);
    return COR_CONTINUE;
}

/* What is gained over both partitions if the candidate changes over to one of `sum` and `size`. */
static double gain(const struct spada_turn *turn, double sum, uint32_t size,
                   const struct spada_candidate *candidate) {
    double before = spada__cost(turn, sum, size) + spada__cost(turn, candidate->sum, candidate->size);
    double after = spada__cost(turn, sum + candidate->value, size + 1) +
                   spada__cost(turn, candidate->sum - candidate->value, candidate->size - 1);
    return before - after;
}

/* The candidate with the largest gain worth having, of equal ones the lowest id; count if there is none. */
static uint32_t best_candidate(const struct spada_turn *turn, double sum, uint32_t size) {
    const struct spada_office *office = turn->self->office;
    uint32_t best = office->candidate_count;
    double most = SPADA_GAIN_LEAST;
    for (uint32_t i = 0; i < office->candidate_count; i++) {
        const struct spada_candidate *candidate = &office->candidates[i];
        double gained = gain(turn, sum, size, candidate);
        bool ties = best < office->candidate_count && !(gained < most) && !(gained > most) &&
                    candidate->agent < office->candidates[best].agent;
        if (gained > most || ties) {
            best = i;
            most = gained;
        }
    }
    return best;
}

/* Takes a candidate off the list; others of the same partition are now seen without it. */
static struct spada_candidate take_candidate(struct spada_office *office, uint32_t index) {
    struct spada_candidate taken = office->candidates[index];
    office->candidates[index] = office->candidates[--office->candidate_count];
    for (uint32_t i = 0; i < office->candidate_count; i++)
        if (office->candidates[i].leader == taken.leader) {
            office->candidates[i].sum -= taken.value;
            office->candidates[i].size--;
        }
    return taken;
}

/* Invites the best candidates, each evaluated as if those before it had come. */
static void invite(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    double sum = office->sum;
    uint32_t size = spada_size(office);
    office->phase = SPADA_INVITE;
    office->waited = office->offers_awaited = 0;
    for (uint32_t left = spada_count_of(turn, SPADA_INTEGRATIONS); left > 0; left--) {
        uint32_t best = best_candidate(turn, sum, size);
        if (best == office->candidate_count)
            break;
        struct spada_candidate chosen = take_candidate(office, best);
        struct spada_offer offer = {
            .sum = sum, .size = size, .other_sum = chosen.sum, .other_size = chosen.size};
        spada_say(turn, chosen.agent, SPADA_JOIN, &offer, sizeof offer);
        office->offers_out++;
        office->offers_awaited++;
        sum += chosen.value;
        size++;
    }
}

/* The member whose leaving lowers the partition's cost most, and by more than a partition of one costs the
 * system; count if there is none. */
static uint32_t worst_member(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    uint32_t size = spada_size(office), worst = office->count;
    double most = spada__cost(turn, office->sum, size) - spada_parameter(turn, SPADA_PENALTY);
    for (uint32_t i = 0; most > 0 && size > 2 && i < office->count; i++) {
        double cost = spada__cost(turn, office->sum - office->members[i].value, size - 1);
        if (cost < most) {
            worst = i;
            most = cost;
        }
    }
    return worst;
}

/* Asks a member to leave, if this period found nobody to integrate and the member's place is worth more
 * empty. The member stays on the list until it says LEFT. */
static void exclude(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    uint32_t worst = office->changed ? office->count : worst_member(turn);
    if (worst == office->count)
        return;
    spada_say(turn, office->members[worst].agent, SPADA_OUT, NULL, 0);
    spada__tally(turn, SPADA_EXCLUDE, spada_size(office));
    office->changed = true;
}

/* Rests of different length keep leaders from inviting each other for ever in step. */
static enum cor_progress end_period(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    exclude(turn);
    office->idle = office->changed ? 0 : office->idle + 1;
    if (office->idle >= spada_count_of(turn, SPADA_IDLE_MAX))
        return terminate(turn);
    office->phase = SPADA_REST;
    office->rest = cor_random_below(turn->me->random, spada_count_of(turn, SPADA_REST_MAX) + 1);
    return COR_CONTINUE;
}

/* True while answers are missing and there is patience left. */
static bool must_wait(const struct spada_turn *turn, uint32_t missing) {
    return missing > 0 && ++turn->self->office->waited < spada_count_of(turn, SPADA_PATIENCE);
}

enum cor_progress spada__lead(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    if (office->terminated)
        return COR_DONE;
    switch (office->phase) {
    case SPADA_HANDING:
        return COR_DONE;
    case SPADA_REST:
        if (office->rest == 0)
            return begin_period(turn);
        office->rest--;
        return COR_CONTINUE;
    case SPADA_SEARCH:
        if (must_wait(turn, office->searches_out))
            return COR_CONTINUE;
        invite(turn);
        return office->offers_awaited > 0 ? COR_CONTINUE : end_period(turn);
    case SPADA_INVITE:
        return must_wait(turn, office->offers_awaited) ? COR_CONTINUE : end_period(turn);
    }
    return COR_DONE;
}
