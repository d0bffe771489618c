/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules by virtual time. How long a message is under way, and whether it is lost, follows from its number
 * alone, so nothing is kept of messages but which comes first on a link. Faults of a case are drawn when it
 * begins, and each brings its end with it: a restart, a link that heals. */
#include "generator_draws.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define FORKS_MAX 64   /* of a schedule; what comes behind more of them keeps the last key */
#define DOUBLES_MAX 64 /* messages at a time of which the second copy is still to come */

struct plan {
    struct cor_process_event *events; /* owned; by tick */
    size_t count, capacity;
};

/* When something comes: the tick, then a lot that decides between equal ones, whose last bits say from whom
 * or to whom it comes. So the least comes first. */
__extension__ typedef unsigned __int128 due;
#define WHO UINT64_C(255)
#define NEVER (~(due)0)
_Static_assert(COR_PROCESSES_MAX <= WHO + 1, "the last bits say who");

/* Who comes first, in a tree: at node n stands the first of the nodes 2 n and 2 n + 1. */
struct contest {
    due *first; /* [2 * width], node; 1: of all; width + who: what was entered */
};

struct cor_schedule_generator {
    struct cor_generator_base base;
    const struct cor_cluster_overview *overview;
    uint32_t count; /* of processes */
    struct key {
        uint64_t first, word;
    } keys[FORKS_MAX + 1]; /* of what follows from numbers of messages: of that from `first` on */
    uint32_t key_count;
    struct cor_rng rng;
    struct plan plan;
    uint64_t begun;   /* tick; what a case would have brought before it does not come */
    uint64_t planned; /* cases of which the faults are in the plan */
    uint64_t doubles[DOUBLES_MAX]; /* numbers of messages of which the second copy is to come */
    uint32_t double_count;
    /* What comes first, for a weather: at a process from each of the others, of its own, and of all. */
    const struct cor_weather *weather;
    uint32_t width; /* of contests: a power of two */
    struct contest processes;
    due *nodes; /* owned; of all contests */
    struct message {
        uint64_t number;
        uint32_t index, kind; /* on its link */
    } *messages;              /* owned; [to * count + from] */
    struct own {
        struct contest links;
        due due;
        uint32_t kind, what; /* TIME_OUT and the alarm, or DISK */
        const struct cor_process_standing *standing;
        uint64_t disk_due;
    } *own;                       /* owned; [process] */
    uint64_t seen;                /* changes that were looked at */
    struct cor_process_set known; /* all of this is known of these */
    uint32_t last, last_peer;     /* of the event that was decided */
};

static enum cor_status init(struct cor_schedule_generator *timed, struct cor_error *error) {
    const uint32_t count = timed->count = cor_cluster_process_count(timed->base.cluster);
    timed->overview = cor_cluster_overview(timed->base.cluster);
    for (timed->width = 2; timed->width < count; timed->width *= 2)
        ;
    const size_t size = (size_t)2 * timed->width;
    COR_TRY(cor_made(timed->nodes = cor_calloc((count + 1) * size, sizeof *timed->nodes), error));
    COR_TRY(cor_made(timed->messages = cor_calloc((size_t)count * count, sizeof *timed->messages), error));
    COR_TRY(cor_made(timed->own = cor_calloc(count, sizeof *timed->own), error));
    timed->processes.first = timed->nodes + count * size;
    for (uint32_t p = 0; p < count; p++) {
        timed->own[p].links.first = timed->nodes + p * size;
        timed->own[p].standing = cor_cluster_standing(timed->base.cluster, p);
    }
    return COR_OK;
}

static void fini(struct cor_schedule_generator *timed) {
    free(timed->plan.events);
    free(timed->nodes);
    free(timed->messages);
    free(timed->own);
}

/* ---- who comes first */

static due due_at(uint64_t tick, uint64_t lot, uint32_t who) {
    return (due)tick << 64 | (lot & ~WHO) | who;
}

static uint64_t tick_of(due at) {
    return (uint64_t)(at >> 64);
}

static void empty(struct contest *contest, uint32_t width) {
    for (uint32_t node = 1; node < 2 * width; node++)
        contest->first[node] = NEVER;
}

/* Which comes first cannot be guessed: without branches. */
static inline void enter(struct contest *contest, uint32_t width, uint32_t who, due first) {
    due *const tree = contest->first;
    for (size_t node = (size_t)width + who; node > 1; node /= 2) {
        tree[node] = first;
        const due rival = tree[node ^ 1];
        first = rival < first ? rival : first;
    }
    tree[1] = first;
}

static enum cor_status begin_timed(struct cor_schedule_generator *timed, const struct cor_stream_name *name,
                                   struct cor_error *error) {
    (void)error;
    timed->rng = process_layer__draws(name, 0);
    timed->keys[0] = (struct key){0, cor_rng_word(&timed->rng)};
    timed->key_count = 1;
    timed->plan.count = 0;
    timed->begun = cor_cluster_now(timed->base.cluster);
    timed->planned = timed->begun / timed->base.options.case_ticks;
    timed->double_count = 0;
    timed->known = (struct cor_process_set){{0}};
    for (uint32_t p = 0; p < timed->count; p++) {
        timed->own[p].disk_due = COR_PROCESS_NEVER;
        empty(&timed->own[p].links, timed->width);
    }
    empty(&timed->processes, timed->width);
    return COR_OK;
}

/* Messages that are under way keep their delays. */
static void fork_draws(struct cor_schedule_generator *timed, const struct cor_stream_name *name) {
    timed->rng = process_layer__draws(name, 0);
    const uint64_t word = cor_rng_word(&timed->rng);
    if (timed->key_count <= FORKS_MAX)
        timed->keys[timed->key_count++] = (struct key){cor_cluster_overview(timed->base.cluster)->sent, word};
}

/* ---- faults of a case */

static uint64_t later(uint64_t one, uint64_t other) {
    return one > other ? one : other;
}

static enum cor_status plan(struct cor_schedule_generator *timed, uint64_t tick,
                            enum cor_process_event_kind kind, uint32_t process, uint32_t peer,
                            struct cor_error *error) {
    struct plan *list = &timed->plan;
    COR_TRY(COR_RESERVE(&list->events, &list->capacity, list->count + 1, error));
    size_t at = list->count++;
    for (; at > 0 && list->events[at - 1].tick > tick; at--)
        list->events[at] = list->events[at - 1];
    list->events[at] = (struct cor_process_event){
        .tick = tick, .kind = (uint8_t)kind, .process = (uint8_t)process, .peer = (uint8_t)peer};
    return COR_OK;
}

/* As many as the rate says, on average, somewhere in the case that begins at `tick`. */
static enum cor_status plan_some(struct cor_schedule_generator *timed, uint64_t tick, double rate,
                                 enum cor_process_event_kind kind, uint32_t process, uint32_t peer,
                                 struct cor_error *error) {
    if (!(rate > 0) || !process_layer__allows(&timed->base.options, kind))
        return COR_OK;
    const double fraction = cor_rng_unit(&timed->rng);
    uint32_t count = (uint32_t)rate;
    count += fraction < rate - (double)count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t offset = cor_rng_below(&timed->rng, (uint32_t)timed->base.options.case_ticks);
        if (tick + offset >= timed->begun)
            COR_TRY(plan(timed, tick + offset, kind, process, peer, error));
    }
    return COR_OK;
}

/* Where it does not begin with the schedule: what others began will end, too, as if it came now; who has not
 * started yet does when the weather says so, or now. */
static enum cor_status plan_ends(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                                 struct cor_error *error) {
    const struct cor_cluster_overview *overview = timed->overview;
    const uint64_t now = timed->begun;
    for (uint32_t p = 0; p < timed->count; p++) {
        if (cor_set_has(&overview->unstarted, p))
            COR_TRY(plan(timed,
                         (uint64_t)cor_rng_between(&timed->rng, (int64_t)later(weather->start[0], now),
                                                   (int64_t)later(weather->start[1], now)),
                         COR_PROCESS_EVENT_RESTART, p, 0, error));
        else if (!cor_set_has(&overview->up, p) && !cor_set_has(&overview->absent, p))
            COR_TRY(plan(timed, now + process_layer__between(&timed->rng, weather->down),
                         COR_PROCESS_EVENT_RESTART, p, 0, error));
        if (cor_set_has(&overview->paused, p))
            COR_TRY(plan(timed, now + process_layer__between(&timed->rng, weather->pause_for),
                         COR_PROCESS_EVENT_RESUME, p, 0, error));
        COR_SET_EACH(peer, &overview->severed[p])
            COR_TRY(plan(timed, now + process_layer__between(&timed->rng, weather->cut_for),
                         COR_PROCESS_EVENT_HEAL, p, peer, error));
    }
    if (overview->is_parted)
        COR_TRY(plan(timed, now + process_layer__between(&timed->rng, weather->part_for),
                     COR_PROCESS_EVENT_UNITE, 0, 0, error));
    return COR_OK;
}

/* ---- messages */

static uint32_t hashed_between(uint64_t word, const uint32_t range[2]) {
    return range[0] + (uint32_t)(((word >> 32) * ((uint64_t)range[1] - range[0] + 1)) >> 32);
}

static bool hashed_below(uint64_t word, double probability) {
    return (double)(word >> 11) * (1.0 / 9007199254740992.0) < probability;
}

enum { DELAY, LOST, DOUBLED, AGAIN, TIE };

static uint64_t word_of(const struct cor_schedule_generator *timed, uint64_t number, uint64_t what) {
    uint32_t k = timed->key_count - 1;
    while (number < timed->keys[k].first)
        k--;
    return cor_hash_word(timed->keys[k].word ^ what, number);
}

static int find_double(const struct cor_schedule_generator *timed, uint64_t number) {
    for (uint32_t d = 0; d < timed->double_count; d++)
        if (timed->doubles[d] == number)
            return (int)d;
    return -1;
}

static uint64_t arrival(const struct cor_schedule_generator *timed, const struct cor_weather *weather,
                        const struct cor_flight *flight) {
    uint64_t tick = flight->sent + weather->delay[0];
    if (weather->delay[1] > weather->delay[0])
        tick = flight->sent + hashed_between(word_of(timed, flight->number, DELAY), weather->delay);
    if (timed->double_count > 0 && find_double(timed, flight->number) >= 0)
        tick += hashed_between(word_of(timed, flight->number, AGAIN), weather->delay);
    return tick;
}

/* ---- what is next */

/* Which message comes first on a link. */
static void look_at_link(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                         uint64_t now, uint32_t from, uint32_t to) {
    struct contest *links = &timed->own[to].links;
    due first = NEVER;
    uint32_t count;
    const struct cor_flight *flight = cor_cluster_flight(timed->base.cluster, from, to, &count);
    if (cor_set_has(&timed->overview->cut[to], from))
        count = 0;
    if (timed->base.options.is_fifo && count > 1)
        count = 1;
    for (uint32_t m = 0; m < count; m++) {
        const uint64_t tick = later(arrival(timed, weather, &flight[m]), now);
        if (tick > tick_of(first))
            continue;
        const due that = due_at(tick, word_of(timed, flight[m].number, TIE), from);
        if (that >= first)
            continue;
        first = that;
        timed->messages[to * timed->count + from] = (struct message){flight[m].number, m, flight[m].kind};
    }
    if (first != links->first[timed->width + from])
        enter(links, timed->width, from, first);
}

static void look_at_alarms(struct cor_schedule_generator *timed, uint64_t now, uint32_t p) {
    struct own *own = &timed->own[p];
    for (uint32_t left = timed->overview->alarms[p]; left != 0; left &= left - 1) {
        const uint32_t alarm = (uint32_t)__builtin_ctz(left);
        const uint64_t at = own->standing->due[alarm], tick = later(at, now);
        if (tick > tick_of(own->due))
            continue;
        const due that = due_at(tick, word_of(timed, at ^ (uint64_t)p << 56 ^ (uint64_t)alarm << 48, TIE), p);
        if (that < own->due) {
            own->due = that;
            own->kind = COR_PROCESS_EVENT_TIME_OUT;
            own->what = alarm;
        }
    }
}

/* Comes a message first at a process, and not what is its own? */
static bool is_message_first(const struct cor_schedule_generator *timed, uint32_t p) {
    return timed->own[p].links.first[1] < timed->own[p].due;
}

/* Is, or was, there a message of a process to itself? */
static bool talks_to_itself(const struct cor_schedule_generator *timed, uint32_t p) {
    return cor_set_has(&timed->overview->senders[p], p) ||
           timed->own[p].links.first[timed->width + p] != NEVER;
}

/* What comes first at a process for which something has changed. What happened last took something off one
 * link, cut it or healed it, and the one to which it happened sent messages, which may have pushed older ones
 * off their links. */
static void look_at_process(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                            uint64_t now, uint32_t p) {
    const uint32_t last = timed->last, peer = timed->last_peer;
    const bool is_known = cor_set_has(&timed->known, p), is_last = p == last;
    struct own *own = &timed->own[p];
    /* In a schedule that has branched alarms get other lots when they are looked at again: also now. */
    const bool was_of_last =
        timed->key_count > 1 && is_message_first(timed, p) && (own->links.first[1] & WHO) == last;
    for (uint32_t from = 0; !is_known && from < timed->count; from++)
        look_at_link(timed, weather, now, from, p);
    if (is_known)
        look_at_link(timed, weather, now, is_last ? peer : last, p);
    if (is_known && is_last && p != peer && talks_to_itself(timed, p))
        look_at_link(timed, weather, now, p, p);
    if (!is_known || is_last || was_of_last) {
        own->due = NEVER;
        look_at_alarms(timed, now, p);
        if (own->standing->pending_writes == 0)
            own->disk_due = COR_PROCESS_NEVER;
        else {
            if (own->disk_due == COR_PROCESS_NEVER)
                own->disk_due = now + process_layer__between(&timed->rng, weather->disk);
            const uint64_t tick = later(own->disk_due, now);
            const due that = due_at(tick, word_of(timed, tick ^ (uint64_t)p << 56, TIE), p);
            if (that < own->due) {
                own->due = that;
                own->kind = COR_PROCESS_EVENT_DISK;
                own->what = 0;
            }
        }
    }
    due first = is_message_first(timed, p) ? own->links.first[1] : own->due;
    first = (first & ~(due)WHO) | p;
    if (first != timed->processes.first[timed->width + p])
        enter(&timed->processes, timed->width, p, first);
}

/* Looks again where something has changed for a process. Nothing else can: who comes back, or gets a link or
 * clock back, is told of it by an event, and of the others nothing is overdue, as all that is due comes
 * first. */
static void look_again(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                       uint64_t now) {
    const struct cor_cluster_overview *overview = timed->overview;
    const struct cor_process_set all = cor_set_first(timed->count);
    const struct cor_process_set can_act = cor_set_without(overview->up, overview->paused);
    struct cor_process_set changed = cor_set_without(all, timed->known);
    if (overview->change_count - timed->seen > COR_CLUSTER_CHANGES)
        changed = all;
    else
        for (; timed->seen != overview->change_count; timed->seen++)
            cor_set_add(&changed, overview->changes[timed->seen % COR_CLUSTER_CHANGES]);
    timed->seen = overview->change_count;
    const struct cor_process_set idle = cor_set_without(changed, can_act);
    COR_SET_EACH(p, &idle)
        enter(&timed->processes, timed->width, p, NEVER);
    changed = cor_set_both(changed, can_act);
    /* Where all are known only the last one may draw: it first, and what follows is alike each time. */
    if (cor_set_has(&changed, timed->last) && cor_set_is_empty(cor_set_without(changed, timed->known))) {
        look_at_process(timed, weather, now, timed->last);
        cor_set_drop(&changed, timed->last);
    }
    COR_SET_EACH(p, &changed)
        look_at_process(timed, weather, now, p);
    timed->known = can_act;
}

/* A message that arrives may be lost instead, or arrive twice. */
static void decide_message(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                           const struct message *message, struct cor_process_event *event) {
    const int twin = timed->double_count > 0 ? find_double(timed, message->number) : -1;
    if (message->index > 0) {
        uint32_t count;
        event->ordinal = process_layer__ordinal(
            cor_cluster_flight(timed->base.cluster, event->peer, event->process, &count), message->index);
    }
    if (twin >= 0)
        timed->doubles[twin] = timed->doubles[--timed->double_count];
    else if (weather->lose > 0 && hashed_below(word_of(timed, message->number, LOST), weather->lose) &&
             process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_LOSE))
        event->kind = COR_PROCESS_EVENT_LOSE;
    else if (weather->duplicate > 0 && timed->double_count < DOUBLES_MAX &&
             hashed_below(word_of(timed, message->number, DOUBLED), weather->duplicate) &&
             process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_DUPLICATE)) {
        event->kind = COR_PROCESS_EVENT_DUPLICATE;
        timed->doubles[timed->double_count++] = message->number;
    }
}

/* What comes first at a process becomes an event. */
static void decide(struct cor_schedule_generator *timed, const struct cor_weather *weather, uint32_t process,
                   struct cor_process_event *event) {
    struct own *own = &timed->own[process];
    const uint32_t from = (uint32_t)(own->links.first[1] & WHO);
    const struct message *message = &timed->messages[process * timed->count + from];
    *event = (struct cor_process_event){.tick = tick_of(timed->processes.first[1]),
                                        .kind = COR_PROCESS_EVENT_DELIVER,
                                        .process = (uint8_t)process};
    if (is_message_first(timed, process)) {
        event->peer = (uint8_t)from;
        event->what = (uint8_t)message->kind;
        decide_message(timed, weather, message, event);
        return;
    }
    event->kind = (uint8_t)own->kind;
    event->what = (uint8_t)own->what;
    if (own->kind == COR_PROCESS_EVENT_TIME_OUT)
        return;
    own->disk_due = COR_PROCESS_NEVER;
    if (weather->disk_error > 0 &&
        process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_DISK_ERROR) &&
        cor_rng_unit(&timed->rng) < weather->disk_error)
        event->kind = COR_PROCESS_EVENT_DISK_ERROR;
}

/* What the plan says, made what is possible now: false if it is not. What it begins will end. */
static enum cor_status decide_planned(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                                      struct cor_process_event *event, bool *possible,
                                      struct cor_error *error) {
    const struct cor_process_standing *standing = cor_cluster_standing(timed->base.cluster, event->process);
    const uint64_t tick = event->tick;
    *possible = standing->is_up;
    switch ((enum cor_process_event_kind)event->kind) {
    case COR_PROCESS_EVENT_CRASH:
        if (!*possible)
            return COR_OK;
        *event = process_layer__draw_crash(timed->base.cluster, &timed->base.options, weather, event->process,
                                           &timed->rng);
        event->tick = tick;
        timed->own[event->process].disk_due = COR_PROCESS_NEVER;
        cor_set_drop(&timed->known, event->process); /* it may be of a cell never written: no crash */
        return plan(timed, tick + process_layer__between(&timed->rng, weather->down),
                    COR_PROCESS_EVENT_RESTART, event->process, 0, error);
    case COR_PROCESS_EVENT_PAUSE:
        *possible = *possible && !standing->is_paused;
        return *possible ? plan(timed, tick + process_layer__between(&timed->rng, weather->pause_for),
                                COR_PROCESS_EVENT_RESUME, event->process, 0, error)
                         : COR_OK;
    case COR_PROCESS_EVENT_CUT:
        *possible = !cor_set_has(&timed->overview->severed[event->process], event->peer);
        if (!*possible)
            return COR_OK;
        if (!weather->one_sided && event->peer > event->process) /* the other direction, at once */
            COR_TRY(plan(timed, tick, COR_PROCESS_EVENT_CUT, event->peer, event->process, error));
        return plan(timed, tick + process_layer__between(&timed->rng, weather->cut_for),
                    COR_PROCESS_EVENT_HEAL, event->process, event->peer, error);
    case COR_PROCESS_EVENT_INPUT: {
        const uint32_t process = cor_rng_below(&timed->rng, cor_cluster_process_count(timed->base.cluster));
        standing = cor_cluster_standing(timed->base.cluster, process);
        *possible = process_layer__draw_input(timed->base.cluster, &timed->base.options, process, &timed->rng,
                                              event) &&
                    standing->is_up && !standing->is_paused;
        event->tick = tick;
        return COR_OK;
    }
    case COR_PROCESS_EVENT_JUMP:
        event->ordinal = process_layer__between(&timed->rng, weather->jump_by);
        event->what = (uint8_t)(cor_rng_word(&timed->rng) >> 63);
        return COR_OK;
    case COR_PROCESS_EVENT_DRIFT:
        event->ordinal = process_layer__between(&timed->rng, weather->drift_by);
        return COR_OK;
    case COR_PROCESS_EVENT_RESTART:
        *possible = !standing->is_up && !cor_set_has(&timed->overview->absent, event->process);
        return COR_OK;
    case COR_PROCESS_EVENT_RESUME:
        *possible = *possible && standing->is_paused;
        return COR_OK;
    case COR_PROCESS_EVENT_HEAL:
        *possible = cor_set_has(&timed->overview->severed[event->process], event->peer);
        return COR_OK;
    case COR_PROCESS_EVENT_JOIN:
    case COR_PROCESS_EVENT_LEAVE:
        *possible = event->kind == COR_PROCESS_EVENT_JOIN
                        ? process_layer__draw_join(timed->base.cluster, &timed->rng, event)
                        : process_layer__draw_leave(timed->base.cluster, &timed->rng, event);
        event->tick = tick;
        timed->own[event->process].disk_due = COR_PROCESS_NEVER;
        cor_set_drop(&timed->known, event->process);
        return COR_OK;
    case COR_PROCESS_EVENT_PART:
        *possible = !timed->overview->is_parted;
        if (!*possible)
            return COR_OK;
        *event = process_layer__draw_part(timed->base.cluster, &timed->rng);
        event->tick = tick;
        timed->known = (struct cor_process_set){{0}}; /* links to all change */
        return plan(timed, tick + process_layer__between(&timed->rng, weather->part_for),
                    COR_PROCESS_EVENT_UNITE, 0, 0, error);
    case COR_PROCESS_EVENT_UNITE:
        *possible = timed->overview->is_parted;
        timed->known = (struct cor_process_set){{0}};
        return COR_OK;
    default: /* is never planned */
        return COR_OK;
    }
}

static enum cor_status next(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    const uint64_t now = cor_cluster_now(timed->base.cluster), span = timed->base.options.case_ticks;
    if (timed->planned * span <= timed->begun)
        COR_TRY(plan_ends(timed, weather, error));
    for (; timed->planned * span <= now; timed->planned++) {
        uint64_t tick = timed->planned * span;
        const uint32_t count = cor_cluster_process_count(timed->base.cluster);
        for (uint32_t p = 0; p < count; p++) {
            COR_TRY(plan_some(timed, tick, weather->crash, COR_PROCESS_EVENT_CRASH, p, 0, error));
            COR_TRY(plan_some(timed, tick, weather->pause, COR_PROCESS_EVENT_PAUSE, p, 0, error));
            COR_TRY(plan_some(timed, tick, weather->jump, COR_PROCESS_EVENT_JUMP, p, 0, error));
            COR_TRY(plan_some(timed, tick, weather->drift, COR_PROCESS_EVENT_DRIFT, p, 0, error));
            for (uint32_t peer = 0; peer < count && weather->cut > 0; peer++)
                if (peer != p && (weather->one_sided || peer > p))
                    COR_TRY(plan_some(timed, tick, weather->cut, COR_PROCESS_EVENT_CUT, p, peer, error));
        }
        COR_TRY(plan_some(timed, tick, weather->part, COR_PROCESS_EVENT_PART, 0, 0, error));
        COR_TRY(plan_some(timed, tick, weather->join, COR_PROCESS_EVENT_JOIN, 0, 0, error));
        for (uint32_t p = 0; p < count; p++)
            if (!cor_set_has(&timed->overview->absent, p))
                COR_TRY(plan_some(timed, tick, weather->leave, COR_PROCESS_EVENT_LEAVE, p, 0, error));
        COR_TRY(plan_some(timed, tick, weather->input, COR_PROCESS_EVENT_INPUT, 0, 0, error));
    }
    if (timed->weather != weather)
        timed->known = (struct cor_process_set){{0}};
    timed->weather = weather;
    for (;;) {
        look_again(timed, weather, now);
        bool is_planned = timed->plan.count > 0 && timed->plan.events[0].tick < timed->planned * span;
        bool is_possible = true;
        *event = (struct cor_process_event){.tick = timed->planned * span, .kind = COR_PROCESS_EVENT_TICK};
        if (is_planned)
            *event = timed->plan.events[0];
        if (event->tick < now)
            event->tick = now;
        const due first = timed->processes.first[1];
        if (tick_of(first) < event->tick) {
            is_planned = false;
            decide(timed, weather, (uint32_t)(first & WHO), event);
        }
        if (is_planned) {
            memmove(timed->plan.events, timed->plan.events + 1,
                    --timed->plan.count * sizeof *timed->plan.events);
            COR_TRY(decide_planned(timed, weather, event, &is_possible, error));
        }
        if (is_possible) {
            timed->last = event->process; /* all at once would wait for the parts to be written */
            timed->last_peer = event->peer;
            return COR_OK;
        }
    }
}

const struct cor_schedule_generator_kind cor_schedule_generator_timed = {
    .name = "timed",
    .meaning = "runs in virtual time; delays, losses and faults follow the weather; timers fire when due",
    .size = sizeof(struct cor_schedule_generator),
    .init = init,
    .fini = fini,
    .begin = begin_timed,
    .next = next,
    .fork = fork_draws,
};
