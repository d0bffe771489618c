/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Can a loop happen in time? Its events have times that repeat with a period P: difference constraints, each
 * t(to) >= t(from) + ticks - rounds * P. They can be met if P can be so that no cycle of them gains: where
 * one does, and a greater P helps, P grows to what that cycle needs. */
#include "internal.h"
#include "stabilize_messages.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define EVENTS_MOST 2000u /* of a loop */
#define PERIODS_MOST 10000u
#define TICKS_MOST (INT64_C(1) << 33) /* of an alarm: more than any message takes; sums stay below 2^63 */

struct constraint {
    uint32_t from, to;
    int64_t ticks, rounds;
};

struct constraints {
    struct constraint *items; /* owned */
    size_t count, capacity;
};

static enum cor_status add(struct constraints *all, uint32_t from, uint32_t to, int64_t ticks, int64_t rounds,
                           struct cor_error *error) {
    COR_TRY(COR_RESERVE(&all->items, &all->capacity, all->count + 1, error));
    all->items[all->count++] = (struct constraint){from, to, ticks, rounds};
    return COR_OK;
}

/* An event that was: its number in the loop, and in which round. */
struct past {
    uint32_t event, round;
    int64_t ticks; /* of an alarm that was set in it; -1: none was, since the loop began */
};

struct turning {
    const struct process_layer__mail *mail;
    const struct cor_space_run *loop;
    uint32_t low, high;
    struct past sent[COR_ACTS_LINKS_MAX][PROCESS_LAYER__MAIL_MOST]; /* by place on the link */
    uint32_t length[COR_ACTS_LINKS_MAX];
    struct past set[COR_PROCESSES_MAX][COR_PROCESS_ALARMS_MAX];
    uint64_t taken;                    /* bit l: a message leaves link l; */
    uint32_t fired[COR_PROCESSES_MAX]; /* alarms that go off or are set */
    struct constraints constraints;
};

/* The act of event number i: of which process, by which link (UINT32_MAX: an alarm), and what comes of it;
 * NULL: a message on that link is lost. */
static const struct cor_acts_outcome *act_of(const struct turning *t, uint32_t i, uint32_t *p, uint32_t *link,
                                             uint32_t *alarm) {
    const struct process_layer__mail *mail = t->mail;
    const struct cor_acts *acts = mail->acts;
    const struct cor_space_turn *turn = &t->loop->items[i];
    const uint32_t actor = (uint32_t)__builtin_ctzll(turn->movers),
                   first = mail->actor_count - 1 - acts->link_count;
    uint32_t digits[COR_RULES_PROCESSES_MAX], next[COR_RULES_PROCESSES_MAX], number;
    process_layer__mail_digits(mail, turn->state, digits);
    *link = UINT32_MAX;
    if (actor == mail->actor_count - 1) {
        process_layer__mail_digits(mail, t->loop->items[(i + 1) % t->loop->count].state, next);
        for (*link = 0; digits[acts->process_count + *link] == next[acts->process_count + *link];)
            ++*link;
        return NULL;
    }
    if (actor < first) {
        for (*p = acts->process_count - 1; mail->actor[*p] > actor;)
            --*p;
        number = actor - mail->actor[*p];
        *alarm = acts->processes[*p].alarms[number];
    } else {
        uint32_t messages[PROCESS_LAYER__MAIL_MOST];
        *link = actor - first;
        *p = acts->links[*link].to;
        process_layer__mail_on(mail, digits, *link, messages);
        number = acts->links[*link].first_event + messages[0];
    }
    const struct cor_acts_process *process = &acts->processes[*p];
    const uint32_t choice = process->first[(size_t)digits[*p] * process->event_count + number];
    return &process->outcomes[process->choices[choice].first];
}

/* Event i of a round; is_last: with its constraints. */
static enum cor_status turn(struct turning *t, uint32_t i, uint32_t round, bool is_last,
                            struct cor_error *error) {
    const struct cor_acts *acts = t->mail->acts;
    uint32_t p = 0, link, alarm = 0;
    const struct cor_acts_outcome *act = act_of(t, i, &p, &link, &alarm);
    if (is_last) /* not before the event before it */
        COR_TRY(add(&t->constraints, i == 0 ? t->loop->count - 1 : i - 1, i, 0, i == 0, error));
    if (link != UINT32_MAX) {
        const struct past sent = t->sent[link][0];
        t->taken |= UINT64_C(1) << link;
        if (is_last && act && sent.ticks >= 0) {
            COR_TRY(add(&t->constraints, sent.event, i, t->low, (int64_t)round - sent.round, error));
            COR_TRY(
                add(&t->constraints, i, sent.event, -(int64_t)t->high, (int64_t)sent.round - round, error));
        }
        memmove(t->sent[link], t->sent[link] + 1, --t->length[link] * sizeof *t->sent[link]);
    } else {
        const struct past set = t->set[p][alarm];
        if (is_last && set.ticks >= 0)
            COR_TRY(add(&t->constraints, set.event, i, set.ticks, (int64_t)round - set.round, error));
        t->fired[p] |= 1u << alarm;
    }
    for (uint32_t s = 0; act && s < act->send_count; s++) {
        const uint32_t on = acts->sends[act->first_send + s].link;
        if (t->length[on] < t->mail->capacity)
            t->sent[on][t->length[on]++] = (struct past){i, round, 0};
    }
    uint32_t at = act ? act->first_tick : 0;
    for (uint32_t left = act ? act->set : 0; left != 0; left &= left - 1, at++) {
        t->set[p][__builtin_ctz(left)] = (struct past){
            i, round, acts->ticks[at] < (uint64_t)TICKS_MOST ? (int64_t)acts->ticks[at] : TICKS_MOST};
        t->fired[p] |= left & (~left + 1);
    }
    return COR_OK;
}

/* Does a cycle of constraints gain ticks with a period of num / den? Its sums then. */
static bool gains(const struct constraints *all, uint32_t count, int64_t num, int64_t den, int64_t *time,
                  size_t *by, int64_t *ticks, int64_t *rounds) {
    uint32_t moved = 0;
    memset(time, 0, count * sizeof *time);
    memset(by, 0xff, count * sizeof *by);
    for (uint32_t pass = 0; pass <= count; pass++) {
        moved = UINT32_MAX;
        for (size_t c = 0; c < all->count; c++) {
            const struct constraint *one = &all->items[c];
            const int64_t to = time[one->from] + one->ticks * den - one->rounds * num;
            if (to <= time[one->to])
                continue;
            time[one->to] = to;
            by[one->to] = c;
            moved = one->to;
        }
        if (moved == UINT32_MAX)
            return false;
    }
    for (uint32_t back = 0; back < count; back++) /* into the cycle */
        moved = all->items[by[moved]].from;
    *ticks = *rounds = 0;
    uint32_t at = moved;
    do {
        *ticks += all->items[by[at]].ticks;
        *rounds += all->items[by[at]].rounds;
        at = all->items[by[at]].from;
    } while (at != moved);
    return true;
}

/* Is something due in it for ever that never comes? */
static bool is_starved(const struct turning *t, const uint32_t *digits) {
    const struct cor_acts *acts = t->mail->acts;
    for (uint32_t l = 0; l < acts->link_count; l++)
        if (digits[acts->process_count + l] > 0 && !(t->taken >> l & 1))
            return true;
    for (uint32_t p = 0; p < acts->process_count; p++)
        if (acts->processes[p].set[digits[p]] & ~t->fired[p])
            return true;
    return false;
}

void process_layer__delays(const struct cor_process_environment *environment, uint32_t *low, uint32_t *high) {
    *low = UINT32_MAX;
    *high = 0;
    for (uint32_t w = 0; w < environment->state_count; w++) {
        *low = environment->weather[w].delay[0] < *low ? environment->weather[w].delay[0] : *low;
        *high = environment->weather[w].delay[1] > *high ? environment->weather[w].delay[1] : *high;
    }
}

enum cor_status process_layer__mail_in_time(const struct process_layer__mail *mail,
                                            const struct cor_process_environment *environment,
                                            const struct cor_space_run *loop, bool *is_in_time,
                                            uint32_t *high, struct cor_error *error) {
    uint32_t low;
    *high = 0;
    *is_in_time = true;
    if (!mail || !mail->acts->messages)
        return COR_OK;
    process_layer__delays(environment, &low, high);
    struct turning *t = cor_calloc(1, sizeof *t);
    int64_t *time = cor_calloc(loop->count, sizeof *time), num = 0, den = 1, ticks, rounds;
    size_t *by = cor_calloc(loop->count, sizeof *by);
    uint32_t digits[COR_RULES_PROCESSES_MAX];
    enum cor_status status = COR_OK;
    *is_in_time = false;
    COR_TRY_OUT(t && time && by ? COR_OK : cor_fail_memory(error));
    if (loop->count > EVENTS_MOST)
        goto out;
    *t = (struct turning){.mail = mail, .loop = loop, .low = low, .high = *high};
    memset(t->sent, 0xff, sizeof t->sent); /* before the loop began */
    memset(t->set, 0xff, sizeof t->set);
    process_layer__mail_digits(mail, loop->items[0].state, digits);
    for (uint32_t l = 0; l < mail->acts->link_count; l++) {
        uint32_t messages[PROCESS_LAYER__MAIL_MOST];
        t->length[l] = process_layer__mail_on(mail, digits, l, messages);
    }
    /* After as many rounds as a link has places all that is under way was sent in the loop. */
    for (uint32_t round = 0; round <= mail->capacity + 1; round++)
        for (uint32_t i = 0; i < loop->count; i++)
            COR_TRY_OUT(turn(t, i, round, round == mail->capacity + 1, error));
    if (is_starved(t, digits))
        goto out;
    for (uint32_t tried = 0; tried < PERIODS_MOST; tried++) {
        if (!gains(&t->constraints, loop->count, num, den, time, by, &ticks, &rounds)) {
            *is_in_time = true;
            break;
        }
        if (rounds <= 0) /* no period helps, or only a shorter one, which others do not allow */
            break;
        num = ticks;
        den = rounds;
    }
out:
    if (t)
        free(t->constraints.items);
    free(t);
    free(time);
    free(by);
    return status;
}

enum cor_status process_layer__mail_loop_in_time(const struct process_layer__mail *mail,
                                                 const struct cor_process_environment *environment,
                                                 const uint32_t *digits, const uint64_t *movers,
                                                 uint32_t count, bool *is_in_time, uint32_t *high,
                                                 struct cor_error *error) {
    struct cor_space_run loop = {.count = count, .is_loop = true};
    COR_TRY(cor_made(loop.items = cor_calloc(count, sizeof *loop.items), error));
    for (uint32_t i = 0; mail && i < count; i++)
        loop.items[i] = (struct cor_space_turn){
            movers[i], process_layer__mail_number(mail, digits + (size_t)i * mail->digit_count)};
    const enum cor_status status =
        process_layer__mail_in_time(mail, environment, &loop, is_in_time, high, error);
    free(loop.items);
    return status;
}
