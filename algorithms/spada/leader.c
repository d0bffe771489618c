/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A leader's turns. A period is: look at the partition, search for candidates, invite the best, perhaps ask
 * one member to leave, rest. It finds candidates without knowing them: it asks one of its members (a marked
 * edge), which asks one of its acquaintances (an edge), which asks its own leader (a marked edge) to answer.
 */
#include "spada.h"

#include <math.h>
#include <string.h>

static void answer(const struct spada_turn *turn, uint32_t asker, const struct spada_candidate *candidate) {
    spada_say(turn, asker, SPADA_CANDIDATE, candidate, sizeof *candidate);
}

static void answer_nobody(const struct spada_turn *turn, uint32_t asker, uint32_t period) {
    struct spada_candidate nobody = {.agent = SPADA_NOBODY, .leader = SPADA_NOBODY, .period = period};
    answer(turn, asker, &nobody);
}

/* Passes a search on to a random acquaintance; false if there is none. */
static bool pass_on(const struct spada_turn *turn, uint32_t asker, uint32_t period) {
    const struct spada_agent *self = turn->self;
    if (self->acquaintance_count == 0)
        return false;
    uint32_t slot = cor_random_below(turn->me->random, self->acquaintance_count);
    struct spada_search search = {.asker = asker, .period = period, .slot = slot};
    spada_say(turn, self->acquaintances[slot], SPADA_INFO, &search, sizeof search);
    return true;
}

/* Asks for one candidate by way of a uniform member, the leader included. */
static void search(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    uint32_t who = cor_random_below(turn->me->random, spada_size(office));
    office->searches_out++;
    if (who > 0) {
        struct spada_search search = {.asker = turn->me->id, .period = office->period};
        spada_say(turn, office->members[who - 1].agent, SPADA_ACQ, &search, sizeof search);
    } else if (!pass_on(turn, turn->me->id, office->period)) {
        office->searches_out--;
    }
}

/* A leader turns to this agent: a chance to leave, else a search to pass on. */
static enum cor_progress on_acq(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_search *search = message->payload;
    struct spada_agent *self = turn->self;
    bool is_member = self->leader == message->from,
         is_free = is_member && !self->is_frozen && self->awaits == 0;
    double p_leave = spada_parameter(turn, SPADA_P_LEAVE);
    if (is_free && p_leave > 0 && cor_random_unit(turn->me->random) < p_leave) {
        answer_nobody(turn, search->asker, search->period);
        spada__tally(turn, SPADA_LEAVE, 1);
        return spada__leave(turn, false) ? COR_CONTINUE : COR_FAILED;
    }
    if (!is_member || !pass_on(turn, search->asker, search->period))
        answer_nobody(turn, search->asker, search->period);
    return COR_DONE;
}

/* Tells the asking acquaintance of somebody, so that its edges move on through the graph. */
static void introduce(const struct spada_turn *turn, uint32_t to, uint32_t slot) {
    const struct spada_agent *self = turn->self;
    if (self->acquaintance_count == 0)
        return;
    uint32_t whom = cor_random_below(turn->me->random, self->acquaintance_count);
    struct spada_search meet = {.asker = self->acquaintances[whom], .slot = slot};
    if (meet.asker != to)
        spada_say(turn, to, SPADA_MEET, &meet, sizeof meet);
}

static void describe(const struct spada_turn *turn, uint32_t asker, struct spada_candidate *candidate,
                     const double *row) {
    const struct spada_office *office = turn->self->office;
    candidate->leader = turn->me->id;
    candidate->size = spada_size(office);
    candidate->sum = office->sum;
    if (turn->self->share.weight > SPADA_WEIGHT_LEAST)
        candidate->share = spada_halve(turn->self);
    spada__say_with_rows(turn, asker, SPADA_CANDIDATE, candidate, sizeof *candidate, row,
                         row ? office->sums : NULL);
}

/* Somebody asks who this agent is. */
static enum cor_progress on_info(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_search *search = message->payload;
    const struct spada_agent *self = turn->self;
    introduce(turn, message->from, search->slot);
    struct spada_candidate candidate = {.agent = turn->me->id,
                                        .leader = search->asker,
                                        .period = search->period,
                                        .value = turn->me->values[0]};
    bool is_bound = self->is_frozen || self->awaits != 0;
    if (self->leader == search->asker || is_bound ||
        (spada_leads(turn) && self->office->phase == SPADA_HANDING))
        answer_nobody(turn, search->asker, search->period);
    else if (spada_leads(turn))
        describe(turn, search->asker, &candidate, self->row);
    else
        spada__say_with_rows(turn, self->leader, SPADA_FORWARD, &candidate, sizeof candidate, self->row,
                             NULL);
    return COR_DONE;
}

/* A member is asked about; if it has gone meanwhile, the answer is out of date, and the offer will be
 * refused. */
static enum cor_progress on_forward(const struct spada_turn *turn, const struct cor_message *message) {
    struct spada_candidate candidate = *(const struct spada_candidate *)message->payload;
    uint32_t asker = candidate.leader;
    if (spada_leads(turn) && turn->self->office->phase != SPADA_HANDING)
        describe(turn, asker, &candidate, spada__rows_behind(turn, message, sizeof candidate, 1));
    else
        answer_nobody(turn, asker, candidate.period);
    return COR_DONE;
}

/* The edge in `slot` goes to the acquaintance's acquaintance from now on, unless it is known already. */
static enum cor_progress on_meet(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_search *meet = message->payload;
    struct spada_agent *self = turn->self;
    if (meet->slot >= self->acquaintance_count || self->acquaintances[meet->slot] != message->from)
        return COR_DONE;
    for (uint32_t i = 0; i < self->acquaintance_count; i++)
        if (self->acquaintances[i] == meet->asker)
            return COR_DONE;
    self->acquaintances[meet->slot] = meet->asker;
    return COR_DONE;
}

static enum cor_progress on_candidate(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_candidate *candidate = message->payload;
    struct spada_office *office = turn->self->office;
    spada_take_share(turn->self, &candidate->share);
    if (!spada_leads(turn) || office->phase != SPADA_SEARCH || office->period != candidate->period ||
        office->searches_out == 0)
        return COR_DONE;
    office->searches_out--;
    if (candidate->agent == SPADA_NOBODY)
        return COR_DONE;
    for (uint32_t i = 0; i < office->candidate_count; i++)
        if (office->candidates[i].agent == candidate->agent)
            return COR_DONE;
    const size_t width = spada__width(turn->self->criteria);
    const double *rows = spada__rows_behind(turn, message, sizeof *candidate, 2);
    if (width > 0 && !rows)
        return COR_DONE; /* of one that has come back and knows nothing */
    if (width > 0)
        memcpy(office->candidate_rows + office->candidate_count * 2 * width, rows, 2 * width * sizeof *rows);
    office->candidates[office->candidate_count++] = *candidate;
    return COR_DONE;
}

enum cor_progress spada__on_search(const struct spada_turn *turn, const struct cor_message *message) {
    switch ((enum spada_kind)message->kind) {
    case SPADA_ACQ:
        return on_acq(turn, message);
    case SPADA_INFO:
        return on_info(turn, message);
    case SPADA_MEET:
        return on_meet(turn, message);
    case SPADA_FORWARD:
        return on_forward(turn, message);
    case SPADA_CANDIDATE:
        return on_candidate(turn, message);
    default:
        return COR_DONE;
    }
}

/* The local form of the invariant: if every partition mean lies within threshold / 2 of one common value,
 * then any two lie within the threshold. */
static bool meets_criterion(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    uint32_t size = spada_size(office);
    if (turn->self->criteria)
        return spada_size_meets(turn, size) && spada__meets_criteria(turn);
    double distance = fabs(office->sum / size - spada_mean(turn->self));
    return spada_size_meets(turn, size) && distance <= turn->rules->threshold / 2;
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
    if (spada__can_found(turn)) {
        return spada__begin_founding(turn) ? COR_CONTINUE : COR_FAILED;
    }
    office->phase = SPADA_SEARCH;
    office->period++;
    office->waited = office->searches_out = office->candidate_count = 0;
    office->changed = false;
    for (uint32_t left = spada_count_of(turn, SPADA_CANDIDATES); left > 0; left--)
        search(turn);
    return COR_CONTINUE;
}

/* What is gained over both partitions if the candidate changes over to one of `sum` and `size`. */
static double gain(const struct spada_turn *turn, double sum, uint32_t size, const double *sums,
                   uint32_t index) {
    if (turn->self->criteria)
        return spada__gain(turn, sums, index);
    const struct spada_candidate *candidate = &turn->self->office->candidates[index];
    double before = spada__cost(turn, sum, size) + spada__cost(turn, candidate->sum, candidate->size);
    double after = spada__cost(turn, sum + candidate->value, size + 1) +
                   spada__cost(turn, candidate->sum - candidate->value, candidate->size - 1);
    return before - after;
}

/* The candidate with the largest gain worth having, of equal ones the lowest id; count if there is none. */
static uint32_t best_candidate(const struct spada_turn *turn, double sum, uint32_t size, const double *sums) {
    const struct spada_office *office = turn->self->office;
    uint32_t best = office->candidate_count;
    double most = SPADA_GAIN_LEAST;
    for (uint32_t i = 0; i < office->candidate_count; i++) {
        double gained = gain(turn, sum, size, sums, i);
        bool ties = best < office->candidate_count && !(gained < most) && !(gained > most) &&
                    office->candidates[i].agent < office->candidates[best].agent;
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
    double sum = office->sum, most = spada_parameter(turn, SPADA_SIZE_MOST);
    double *sums = spada__hoped_sums(turn);
    uint32_t size = spada_size(office);
    office->phase = SPADA_INVITE;
    office->waited = office->offers_awaited = 0;
    for (uint32_t left = spada_count_of(turn, SPADA_INTEGRATIONS); left > 0; left--) {
        uint32_t best = best_candidate(turn, sum, size, sums);
        if (best == office->candidate_count || (most > 0 && size >= most))
            break;
        struct {
            struct spada_offer offer;
            struct spada_numbers numbers;
        } letter = {0};
        if (sums)
            spada__fill_numbers(turn, best, &letter.numbers);
        spada__take_rows(turn, best, sums);
        struct spada_candidate chosen = take_candidate(office, best);
        letter.offer = (struct spada_offer){
            .sum = sum, .size = size, .other_sum = chosen.sum, .other_size = chosen.size};
        if (spada_parameter(turn, SPADA_SELFISH) != 0 && turn->self->share.weight > SPADA_WEIGHT_LEAST)
            letter.offer.share = spada_halve(turn->self);
        spada_say(turn, chosen.agent, SPADA_JOIN, &letter, sums ? sizeof letter : sizeof letter.offer);
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
    bool may_shrink = size > spada_size_least(turn);
    if (turn->self->criteria) {
        double gained, best = SPADA_GAIN_LEAST;
        for (uint32_t i = 0; may_shrink && i < office->count; i++)
            if ((gained = spada__gain_without(turn, i)) > best) {
                worst = i;
                best = gained;
            }
        return worst;
    }
    double most = spada__cost(turn, office->sum, size) - spada_parameter(turn, SPADA_PENALTY);
    for (uint32_t i = 0; most > 0 && may_shrink && i < office->count; i++) {
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
