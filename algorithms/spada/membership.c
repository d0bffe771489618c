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

static bool add_member(const struct spada_turn *turn, uint32_t agent, double value, const double *row) {
    struct spada_office *office = turn->self->office;
    const size_t width = spada__width(turn->self->criteria);
    if (office->count == office->capacity) {
        uint32_t capacity = office->capacity + office->capacity / 2 + 4;
        size_t size = sizeof *office->members;
        void *grown =
            turn->host->resize(turn->host, office->members, office->capacity * size, capacity * size);
        if (!grown)
            return false;
        office->members = grown;
        if (width > 0) {
            size = width * sizeof *office->rows;
            void *rows =
                turn->host->resize(turn->host, office->rows, office->capacity * size, capacity * size);
            if (!rows)
                return false;
            office->rows = rows;
        }
        office->capacity = capacity;
    }
    if (width > 0) {
        double *kept = office->rows + office->count * width;
        memset(kept, 0, width * sizeof *kept);
        spada__add_row(turn->self, kept, row, 1);
        spada__add_row(turn->self, office->sums, kept, 1);
    }
    office->members[office->count++] = (struct spada_member){.agent = agent, .value = value};
    office->sum += value;
    return true;
}

/* Changes the places of two members. */
static void swap_members(const struct spada_turn *turn, uint32_t one, uint32_t other) {
    struct spada_office *office = turn->self->office;
    const size_t width = spada__width(turn->self->criteria);
    struct spada_member held = office->members[one];
    office->members[one] = office->members[other];
    office->members[other] = held;
    for (size_t i = 0; i < width; i++) {
        double number = office->rows[one * width + i];
        office->rows[one * width + i] = office->rows[other * width + i];
        office->rows[other * width + i] = number;
    }
}

/* Of a member that goes, from the sums of those who stay. */
static void take_away(const struct spada_turn *turn, uint32_t member) {
    struct spada_office *office = turn->self->office;
    office->sum -= office->members[member].value;
    if (turn->self->criteria)
        spada__add_row(turn->self, office->sums,
                       office->rows + member * (size_t)spada__width(turn->self->criteria), -1);
}

static void remove_member(const struct spada_turn *turn, uint32_t agent) {
    struct spada_office *office = turn->self->office;
    for (uint32_t i = 0; i < office->count; i++)
        if (office->members[i].agent == agent) {
            take_away(turn, i);
            swap_members(turn, i, office->count - 1);
            office->count--;
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
    if (!spada__open_view(self, turn->host, office))
        return false;
    if (self->criteria)
        memcpy(office->sums, self->row, spada__width(self->criteria) * sizeof *self->row);
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
    spada__say_with_rows(turn, inviting, SPADA_YES, &value, sizeof value, turn->self->row, NULL);
}

/* Mails the last `count` of the list, behind whom the heir was, to lead them; false: no memory. */
static bool say_lead(const struct spada_turn *turn, uint32_t count, uint32_t heir) {
    struct spada_office *office = turn->self->office;
    const size_t width = spada__width(turn->self->criteria), first = office->count - count;
    struct spada_member *members = office->members + first, *letter = members;
    struct spada_share half = spada_halve(turn->self);
    uint32_t size = (count + 1) * (uint32_t)sizeof *members;
    memcpy(members + count, &half, sizeof half); /* where the heir was */
    if (width > 0 && count > 0) {
        const size_t rows = count * width * sizeof *office->rows;
        letter = turn->host->alloc(turn->host, size + rows);
        if (!letter)
            return false;
        memcpy(letter, members, size);
        memcpy((unsigned char *)letter + size, office->rows + first * width, rows);
        letter->width = (uint32_t)width;
        size += (uint32_t)rows;
    }
    spada_say(turn, heir, SPADA_LEAD, letter, size);
    return true;
}

/* Lead is passed to the lowest id of those who stayed; with nobody left there is nothing to pass on. */
static bool hand_over(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    if (office->count > 0) {
        uint32_t heir = 0;
        for (uint32_t i = 1; i < office->count; i++)
            if (office->members[i].agent < office->members[heir].agent)
                heir = i;
        uint32_t agent = office->members[heir].agent;
        swap_members(turn, heir, office->count - 1);
        office->count--;
        if (!say_lead(turn, office->count, agent))
            return false;
        spada__tally(turn, SPADA_HAND_OVER, office->count + 1);
        turn->self->awaits |= SPADA_AWAITS_BYE;
    }
    office->count = 0;
    office->phase = SPADA_REST;
    say_yes(turn, office->invited_by);
    return true;
}

/* Brings `count` random members to the end of the list and the lowest id of them to the very end. */
static void draw_founders(const struct spada_turn *turn, uint32_t count) {
    struct spada_office *office = turn->self->office;
    const struct spada_member *members = office->members;
    for (uint32_t end = office->count; end > office->count - count; end--) {
        uint32_t drawn = cor_random_below(turn->me->random, end);
        swap_members(turn, drawn, end - 1);
        if (members[end - 1].agent <= members[office->count - 1].agent)
            swap_members(turn, end - 1, office->count - 1);
    }
}

/* The `leaving` last of the list become a partition of their own. */
static bool send_off(const struct spada_turn *turn, uint32_t leaving) {
    struct spada_office *office = turn->self->office;
    uint32_t staying = office->count - leaving;
    for (uint32_t i = staying; i < office->count; i++)
        take_away(turn, i);
    uint32_t heir = office->members[--office->count].agent;
    if (!say_lead(turn, leaving - 1, heir))
        return false;
    spada__tally(turn, SPADA_HAND_OVER, staying + 1);
    turn->self->awaits |= SPADA_AWAITS_BYE;
    office->count = staying;
    return true;
}

/* Half of the partition founds another one, unless it has become small enough meanwhile. All others are free
 * again, by the word of the same leader. */
static bool found(const struct spada_turn *turn) {
    struct spada_office *office = turn->self->office;
    uint32_t size = spada_size(office);
    if (size > spada_parameter(turn, SPADA_SIZE_MOST)) {
        draw_founders(turn, size / 2);
        if (!send_off(turn, size / 2))
            return false;
    }
    for (uint32_t i = 0; i < office->count; i++)
        spada_say(turn, office->members[i].agent, SPADA_NEW_LEADER, NULL, 0);
    office->unconfirmed = office->count;
    office->phase = SPADA_REST;
    office->rest = 0;
    return true;
}

/* All have answered, and the LEFT of those who had gone has come. false: no memory, here and above. */
static bool hand_over_if_ready(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    if (office->phase != SPADA_HANDING || office->unanswered > 0 || office->frozen != office->count)
        return true;
    return office->invited_by != SPADA_NOBODY ? hand_over(turn) : found(turn);
}

/* The partition is larger than size_most, and its leader owes nothing to others. */
bool spada__can_found(const struct spada_turn *turn) {
    const struct spada_office *office = turn->self->office;
    double most = spada_parameter(turn, SPADA_SIZE_MOST);
    bool is_large = most > 0 && spada_size(office) > most && spada_parameter(turn, SPADA_FOUNDING) != 0;
    return is_large && turn->self->awaits == 0 && office->offers_out == 0 && office->unconfirmed == 0;
}

/* A leader is invited, or founds a partition: its members must stay put while the list changes hands. */
static bool begin_hand_over(const struct spada_turn *turn, uint32_t inviting) {
    struct spada_office *office = turn->self->office;
    relabel(turn);
    office->phase = SPADA_HANDING;
    office->invited_by = inviting;
    office->unanswered = office->count;
    office->frozen = 0;
    for (uint32_t i = 0; i < office->count; i++)
        spada_say(turn, office->members[i].agent, SPADA_FREEZE, NULL, 0);
    return hand_over_if_ready(turn);
}

bool spada__begin_founding(const struct spada_turn *turn) {
    return begin_hand_over(turn, SPADA_NOBODY);
}

/* Autonomy: a free agent may refuse. */
static bool refuses(const struct spada_turn *turn, const struct spada_offer *offer,
                    const struct spada_numbers *numbers) {
    double p_refuse = spada_parameter(turn, SPADA_P_REFUSE);
    bool refused = p_refuse > 0 && cor_random_unit(turn->me->random) < p_refuse;
    if (!refused && spada_parameter(turn, SPADA_SELFISH) != 0) {
        double now = spada__cost(turn, offer->other_sum, offer->other_size);
        double then = spada__cost(turn, offer->other_sum - turn->me->values[0], offer->other_size - 1);
        if (turn->self->criteria)
            refused = numbers && offer->other_size > 1 && !(numbers->then <= numbers->now);
        else
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

static enum cor_progress on_join(const struct spada_turn *turn, const struct cor_message *message) {
    uint32_t inviting = message->from;
    const struct spada_offer *offer = message->payload;
    spada_take_share(turn->self, &offer->share);
    const struct spada_numbers *numbers =
        message->size > sizeof *offer ? (const struct spada_numbers *)(const void *)(offer + 1) : NULL;
    if (turn->self->leader == inviting || is_bound(turn) || refuses(turn, offer, numbers)) {
        spada_say(turn, inviting, SPADA_NO, NULL, 0);
    } else if (spada_leads(turn)) {
        return begin_hand_over(turn, inviting) ? COR_DONE : COR_FAILED;
    } else {
        say_left(turn, false);
        turn->self->awaits |= SPADA_AWAITS_BYE;
        say_yes(turn, inviting);
    }
    return COR_DONE;
}

static void answered(struct spada_office *office) {
    office->offers_out -= office->offers_out > 0;
    office->offers_awaited -= office->offers_awaited > 0;
}

static enum cor_progress on_yes(const struct spada_turn *turn, const struct cor_message *message) {
    double value = *(const double *)message->payload;
    if (!add_member(turn, message->from, value, spada__rows_behind(turn, message, sizeof value, 1)))
        return COR_FAILED;
    answered(turn->self->office);
    turn->self->office->changed = true;
    spada__tally(turn, SPADA_INTEGRATE, spada_size(turn->self->office));
    spada_say(turn, message->from, SPADA_WELCOME, NULL, 0);
    return COR_DONE;
}

static enum cor_progress on_left(const struct spada_turn *turn, const struct cor_message *message) {
    uint32_t told = *(const uint32_t *)message->payload;
    remove_member(turn, message->from);
    spada_say(turn, message->from, SPADA_BYE, NULL, 0);
    if (!told)
        relabel(turn);
    if (!hand_over_if_ready(turn))
        return COR_FAILED;
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
    if (!hand_over_if_ready(turn))
        return COR_FAILED;
    return spada_leads(turn) && office->phase != SPADA_HANDING ? COR_CONTINUE : COR_DONE; /* it has founded */
}

static enum cor_progress on_lead(const struct spada_turn *turn, const struct cor_message *message) {
    const struct spada_member *members = message->payload;
    uint32_t width = message->size > sizeof *members ? members->width : 0;
    uint32_t each = (uint32_t)(sizeof *members + width * sizeof(double));
    uint32_t count = (message->size - (uint32_t)sizeof *members) / each;
    const double *rows = (const double *)(const void *)(members + count + 1);
    if (width != spada__width(turn->self->criteria))
        rows = NULL;
    struct spada_share share;
    memcpy(&share, members + count, sizeof share);
    spada_take_share(turn->self, &share);
    turn->self->is_frozen = false;
    if (!spada__take_office(turn))
        return COR_FAILED;
    for (uint32_t i = 0; i < count; i++) {
        if (!add_member(turn, members[i].agent, members[i].value,
                        rows && width > 0 ? rows + i * width : NULL))
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
        return on_join(turn, message);
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
