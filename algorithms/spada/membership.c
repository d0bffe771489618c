/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who belongs to whom. An agent alone decides about its membership; leaders only keep lists of what agents
 * told them. Whatever changes a list is acknowledged, and until the acknowledgement is there the agent stays
 * put. So at rest every agent is on the list of its leader and on no other, in whatever order mail came. */
#include "spada.h"

#include <math.h>
#include <string.h>

double spada__cost(const struct spada_turn *turn, double sum, uint32_t size) {
    if (size == 0)
        return 0;
    double distance = fabs(sum / size - spada_mean(turn->self));
    if (spada_size_meets(turn, size))
        return distance;
    double least = spada_parameter(turn, SPADA_SIZE_LEAST), most = spada_parameter(turn, SPADA_SIZE_MOST);
    double penalty = spada_parameter(turn, SPADA_PENALTY);
    if (size > least)
        return distance + penalty * (1 - most / size); /* by the share of those too many */
    /* The whole penalty for one agent, falling ever faster up to size_least: of two partitions that are too
     * small, the larger one gains by the smaller one's members. */
    double above_one = (size - 1) / (least - 1);
    return distance + penalty * (1 - above_one * above_one);
}

void spada__tally(const struct spada_turn *turn, enum spada_counter counter, uint32_t size) {
    uint32_t bucket = 0;
    while (bucket + 1 < SPADA_BUCKETS && size > UINT32_C(1) << bucket)
        bucket++;
    cor_count(turn->host, counter, bucket);
}

static bool add_member(const struct spada_turn *turn, uint32_t agent, double value) {
    struct spada_office *office = turn->self->office;
    if (office->count == office->capacity) {
        uint32_t capacity = office->capacity + office->capacity / 2 + 4;
        size_t size = sizeof *office->members;
        void *grown =
            turn->host->resize(turn->host, office->members, office->capacity * size, capacity * size);
        if (!grown)
            return false;
        office->members = grown;
        office->capacity = capacity;
    }
    office->members[office->count++] = (struct spada_member){.agent = agent, .value = value};
    office->sum += value;
    return true;
}

static void remove_member(struct spada_office *office, uint32_t agent) {
    for (uint32_t i = 0; i < office->count; i++)
        if (office->members[i].agent == agent) {
            office->sum -= office->members[i].value;
            office->members[i] = office->members[--office->count];
            return;
        }
}

/* The agent leads itself alone from now on. What late answers are told by, and what is still owed, stays. */
bool spada__take_office(const struct spada_turn *turn) {
    struct spada_agent *self = turn->self;
    if (!self->office)
        self->office = turn->host->alloc(turn->host, sizeof *self->office);
    struct spada_office *office = self->office;
    if (!office)
        return false;
    office->count = 0;
    office->sum = turn->me->values[0];
    office->phase = SPADA_REST;
    office->terminated = office->changed = false;
    office->idle = office->unconfirmed = office->unanswered = office->frozen = 0;
    office->rest = cor_random_below(turn->me->random, spada_count_of(turn, SPADA_REST_MAX) + 1);
    self->leader = turn->me->id;
    return true;
}

/* A change from outside: the label goes. */
static void relabel(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    if (office->terminated)
        spada__tally(turn, SPADA_RELABEL, spada_size(office));
    office->terminated = false;
    office->idle = 0;
}

static void say_left(const struct spada_turn *turn, bool told) {
    uint32_t reason = told;
    spada_say(turn, turn->self->leader, SPADA_LEFT, &reason, sizeof reason);
}

/* A member becomes a partition of its own. */
bool spada__leave(const struct spada_turn *turn, bool told) {
    say_left(turn, told);
    turn->self->awaits |= SPADA_AWAITS_BYE;
    return spada__take_office(turn);
}

/* The last step of changing over: the agent's word is given. */
static void say_yes(const struct spada_turn *turn, uint32_t inviting) {
    double value = turn->me->values[0];
    turn->self->leader = inviting;
    turn->self->awaits |= SPADA_AWAITS_WELCOME;
    spada_say(turn, inviting, SPADA_YES, &value, sizeof value);
}

/* Lead is passed to the lowest id of those who stayed; with nobody left there is nothing to pass on. */
static void hand_over(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    if (office->count > 0) {
        uint32_t heir = 0;
        for (uint32_t i = 1; i < office->count; i++)
            if (office->members[i].agent < office->members[heir].agent)
                heir = i;
        uint32_t agent = office->members[heir].agent;
        office->members[heir] = office->members[--office->count];
        struct spada_share half = spada_halve(turn->self);
        memcpy(office->members + office->count, &half, sizeof half); /* where the last of the list was */
        spada_say(turn, agent, SPADA_LEAD, office->members,
                  (office->count + 1) * (uint32_t)sizeof *office->members);
        spada__tally(turn, SPADA_HAND_OVER, office->count + 1);
        turn->self->awaits |= SPADA_AWAITS_BYE;
    }
    office->count = 0;
    office->phase = SPADA_REST;
    say_yes(turn, office->invited_by);
}

/* Brings `count` random members to the end of the list and the lowest id of them to the very end. */
static void draw_founders(const struct spada_turn *turn, uint32_t count) {
    struct spada_office *office = turn->self->office;
    struct spada_member *members = office->members, held;
    for (uint32_t end = office->count; end > office->count - count; end--) {
        uint32_t drawn = cor_random_below(turn->me->random, end);
        held = members[drawn];
        members[drawn] = members[end - 1];
        members[end - 1] = held;
        if (members[end - 1].agent > members[office->count - 1].agent)
            continue;
        held = members[end - 1];
        members[end - 1] = members[office->count - 1];
        members[office->count - 1] = held;
    }
}

/* The `leaving` last of the list become a partition of their own. */
static void send_off(const struct spada_turn *turn, uint32_t leaving) {
    struct spada_office *office = turn->self->office;
    uint32_t staying = office->count - leaving;
    for (uint32_t i = staying; i < office->count; i++)
        office->sum -= office->members[i].value;
    uint32_t heir = office->members[office->count - 1].agent;
    struct spada_share half = spada_halve(turn->self);
    memcpy(office->members + office->count - 1, &half, sizeof half); /* where the heir was */
    spada_say(turn, heir, SPADA_LEAD, office->members + staying, leaving * (uint32_t)sizeof *office->members);
    spada__tally(turn, SPADA_HAND_OVER, staying + 1);
    turn->self->awaits |= SPADA_AWAITS_BYE;
    office->count = staying;
}

/* Half of the partition founds another one, unless it has become small enough meanwhile. All others are free
 * again, by the word of the same leader. */
static void found(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    uint32_t size = spada_size(office);
    if (size > spada_parameter(turn, SPADA_SIZE_MOST)) {
        draw_founders(turn, size / 2);
        send_off(turn, size / 2);
    }
    for (uint32_t i = 0; i < office->count; i++)
        spada_say(turn, office->members[i].agent, SPADA_NEW_LEADER, NULL, 0);
    office->unconfirmed = office->count;
    office->phase = SPADA_REST;
    office->rest = 0;
}

/* All have answered, and the LEFT of those who had gone has come. */
static void hand_over_if_ready(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    if (office->phase != SPADA_HANDING || office->unanswered > 0 || office->frozen != office->count)
        return;
    if (office->invited_by != SPADA_NOBODY)
        hand_over(turn);
    else
        found(turn);
}

/* The partition is larger than size_most, and its leader owes nothing to others. */
bool spada__can_found(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    double most = spada_parameter(turn, SPADA_SIZE_MOST);
    bool is_large = most > 0 && spada_size(office) > most && spada_parameter(turn, SPADA_FOUNDING) != 0;
    return is_large && turn->self->awaits == 0 && office->offers_out == 0 && office->unconfirmed == 0;
}

/* A leader is invited, or founds a partition: its members must stay put while the list changes hands. */
static void begin_hand_over(const struct spada_turn *turn, uint32_t inviting) {
    struct spada_office *office = turn->self->office;
    relabel(turn);
    office->phase = SPADA_HANDING;
    office->invited_by = inviting;
    office->unanswered = office->count;
    office->frozen = 0;
    for (uint32_t i = 0; i < office->count; i++)
        spada_say(turn, office->members[i].agent, SPADA_FREEZE, NULL, 0);
    hand_over_if_ready(turn);
}

void spada__begin_founding(const struct spada_turn *turn) {
    begin_hand_over(turn, SPADA_NOBODY);
}

/* Autonomy: a free agent may refuse. */
static bool refuses(const struct spada_turn *turn, const struct spada_offer *offer) {
    double p_refuse = spada_parameter(turn, SPADA_P_REFUSE);
    bool refused = p_refuse > 0 && cor_random_unit(turn->me->random) < p_refuse;
    if (!refused && spada_parameter(turn, SPADA_SELFISH) != 0) {
        double now = spada__cost(turn, offer->other_sum, offer->other_size);
        double then = spada__cost(turn, offer->other_sum - turn->me->values[0], offer->other_size - 1);
        refused = then > now;
    }
    if (refused)
        spada__tally(turn, SPADA_REFUSE, offer->other_size);
    return refused;
}

/* Bound agents cannot join: those in transit or frozen, and leaders that owe something to others. */
static bool is_bound(const struct spada_turn *turn) {
    const struct spada_agent *self = turn->self;
    if (self->awaits != 0 || self->is_frozen)
        return true;
    const struct spada_office *office = self->office;
    return spada_leads(turn) &&
           (office->phase == SPADA_HANDING || office->offers_out > 0 || office->unconfirmed > 0);
}

static void on_join(const struct spada_turn *turn, const struct cor_message *message) {
    uint32_t inviting = message->from;
    const struct spada_offer *offer = message->payload;
    spada_take_share(turn->self, &offer->share);
    if (turn->self->leader == inviting || is_bound(turn) || refuses(turn, offer)) {
        spada_say(turn, inviting, SPADA_NO, NULL, 0);
    } else if (spada_leads(turn)) {
        begin_hand_over(turn, inviting);
    } else {
        say_left(turn, false);
        turn->self->awaits |= SPADA_AWAITS_BYE;
        say_yes(turn, inviting);
    }
}

static void answered(struct spada_office *office) {
    office->offers_out -= office->offers_out > 0;
    office->offers_awaited -= office->offers_awaited > 0;
}

static enum cor_progress on_yes(const struct spada_turn *turn, const struct cor_message *message) {
    double value = *(const double *)message->payload;
    if (!add_member(turn, message->from, value))
        return COR_FAILED;
    answered(turn->self->office);
    turn->self->office->changed = true;
    spada__tally(turn, SPADA_INTEGRATE, spada_size(turn->self->office));
    spada_say(turn, message->from, SPADA_WELCOME, NULL, 0);
    return COR_DONE;
}

static enum cor_progress on_left(const struct spada_turn *turn, const struct cor_message *message) {
    uint32_t told = *(const uint32_t *)message->payload;
    remove_member(turn->self->office, message->from);
    spada_say(turn, message->from, SPADA_BYE, NULL, 0);
    if (!told)
        relabel(turn);
    hand_over_if_ready(turn);
    return spada_leads(turn) && !turn->self->office->terminated ? COR_CONTINUE : COR_DONE;
}

static enum cor_progress on_out(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_agent *self = turn->self;
    if (self->leader != message->from || self->awaits != 0 || self->is_frozen)
        return COR_DONE; /* a request; the leader may repeat it */
    return spada__leave(turn, true) ? COR_CONTINUE : COR_FAILED;
}

static void on_freeze(const struct spada_turn *turn, const struct cor_message *message) {
    bool stays = turn->self->leader == message->from;
    if (stays)
        turn->self->is_frozen = true;
    spada_say(turn, message->from, stays ? SPADA_FROZEN : SPADA_GONE, NULL, 0);
}

static enum cor_progress on_freeze_answer(const struct spada_turn *turn, bool is_frozen) {
    struct spada_office *office = turn->self->office;
    office->unanswered -= office->unanswered > 0;
    office->frozen += is_frozen;
    hand_over_if_ready(turn);
    return spada_leads(turn) && office->phase != SPADA_HANDING ? COR_CONTINUE : COR_DONE; /* it has founded */
}

static enum cor_progress on_lead(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_member *members = message->payload;
    uint32_t count = message->size / (uint32_t)sizeof *members - 1;
    struct spada_share share;
    memcpy(&share, members + count, sizeof share);
    spada_take_share(turn->self, &share);
    turn->self->is_frozen = false;
    if (!spada__take_office(turn))
        return COR_FAILED;
    for (uint32_t i = 0; i < count; i++) {
        if (!add_member(turn, members[i].agent, members[i].value))
            return COR_FAILED;
        spada_say(turn, members[i].agent, SPADA_NEW_LEADER, NULL, 0);
    }
    turn->self->office->unconfirmed = count;
    spada_say(turn, message->from, SPADA_BYE, NULL, 0);
    return COR_CONTINUE;
}

static void on_new_leader(const struct spada_turn *turn, const struct cor_message *message) {
    turn->self->leader = message->from;
    turn->self->is_frozen = false;
    spada_say(turn, message->from, SPADA_HAIL, NULL, 0);
}

/* For one who leads or has led; only its members and those it invited write to it so. */
static enum cor_progress on_office_mail(const struct spada_turn *turn, const struct cor_message *message) {
    struct spada_office *office = turn->self->office;
    if (!office)
        return COR_DONE;
    switch ((enum spada_kind)message->kind) {
    case SPADA_YES:
        return on_yes(turn, message);
    case SPADA_NO:
        answered(office);
        break;
    case SPADA_LEFT:
        return on_left(turn, message);
    case SPADA_FROZEN:
    case SPADA_GONE:
        return on_freeze_answer(turn, message->kind == SPADA_FROZEN);
    case SPADA_HAIL:
        office->unconfirmed -= office->unconfirmed > 0;
        break;
    default:
        break;
    }
    return COR_DONE;
}

enum cor_progress spada__on_membership(const struct spada_turn *turn, const struct cor_message *message) {
    switch ((enum spada_kind)message->kind) {
    case SPADA_JOIN:
        on_join(turn, message);
        return COR_DONE;
    case SPADA_WELCOME:
        turn->self->awaits &= (uint8_t)~SPADA_AWAITS_WELCOME;
        return COR_DONE;
    case SPADA_BYE:
        turn->self->awaits &= (uint8_t)~SPADA_AWAITS_BYE;
        return COR_DONE;
    case SPADA_OUT:
        return on_out(turn, message);
    case SPADA_FREEZE:
        on_freeze(turn, message);
        return COR_DONE;
    case SPADA_LEAD:
        return on_lead(turn, message);
    case SPADA_NEW_LEADER:
        on_new_leader(turn, message);
        return COR_DONE;
    default:
        return on_office_mail(turn, message);
    }
}
