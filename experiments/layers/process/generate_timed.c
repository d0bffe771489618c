/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules by virtual time. How long a message is under way, and whether it is lost, follows from its number
 * alone, so nothing is kept of messages. Faults of a case are drawn when it begins, and each brings its end
 * with it: a restart, a link that heals. */
#include "generator_draws.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define DOUBLES_MAX 64 /* messages at a time of which the second copy is still to come */

struct plan {
    struct cor_process_event *events; /* owned; by tick */
    size_t count, capacity;
};

/* What comes next; equal ticks are decided by lot. */
struct next {
    struct cor_process_event event;
    uint64_t tie;
    uint32_t index; /* of a message on its link */
    bool is_planned;
};

struct cor_schedule_generator {
    struct cor_generator_base base;
    uint64_t key; /* of what follows from numbers of messages */
    struct cor_rng rng;
    struct plan plan;
    uint64_t planned; /* cases of which the faults are in the plan */
    uint64_t disk_due[COR_PROCESSES_MAX];
    uint64_t doubles[DOUBLES_MAX]; /* numbers of messages of which the second copy is to come */
    uint32_t double_count;
    const struct cor_weather *weather; /* for which the first of each process are known */
    struct first {
        struct next next;
        uint32_t changes; /* of the process, when it was found */
        bool is_known;
    } first[COR_PROCESSES_MAX];
};

static void forget_all(struct cor_schedule_generator *timed) {
    for (uint32_t p = 0; p < COR_PROCESSES_MAX; p++)
        timed->first[p].is_known = false;
}

static void fini(struct cor_schedule_generator *timed) {
    free(timed->plan.events);
}

static enum cor_status begin(struct cor_schedule_generator *timed, const struct cor_stream_name *name,
                             struct cor_error *error) {
    (void)error;
    timed->rng = process_layer__draws(name, 0);
    timed->key = cor_rng_word(&timed->rng);
    timed->plan.count = 0;
    timed->planned = 0;
    timed->double_count = 0;
    forget_all(timed);
    for (uint32_t p = 0; p < COR_PROCESSES_MAX; p++)
        timed->disk_due[p] = COR_PROCESS_NEVER;
    return COR_OK;
}

/* ---- faults of a case */

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
        COR_TRY(plan(timed, tick + offset, kind, process, peer, error));
    }
    return COR_OK;
}

static enum cor_status plan_case(struct cor_schedule_generator *timed, uint64_t tick,
                                 const struct cor_weather *weather, struct cor_error *error) {
    const uint32_t count = cor_cluster_process_count(timed->base.cluster);
    for (uint32_t p = 0; p < count; p++) {
        COR_TRY(plan_some(timed, tick, weather->crash, COR_PROCESS_EVENT_CRASH, p, 0, error));
        COR_TRY(plan_some(timed, tick, weather->pause, COR_PROCESS_EVENT_PAUSE, p, 0, error));
        COR_TRY(plan_some(timed, tick, weather->jump, COR_PROCESS_EVENT_JUMP, p, 0, error));
        COR_TRY(plan_some(timed, tick, weather->drift, COR_PROCESS_EVENT_DRIFT, p, 0, error));
        for (uint32_t peer = 0; peer < count; peer++)
            if (peer != p && (weather->one_sided || peer > p))
                COR_TRY(plan_some(timed, tick, weather->cut, COR_PROCESS_EVENT_CUT, p, peer, error));
    }
    return plan_some(timed, tick, weather->input, COR_PROCESS_EVENT_INPUT, 0, 0, error);
}

/* ---- messages */

static uint32_t hashed_between(uint64_t word, const uint32_t range[2]) {
    return range[0] + (uint32_t)(((word >> 32) * ((uint64_t)range[1] - range[0] + 1)) >> 32);
}

static bool hashed_below(uint64_t word, double probability) {
    return probability > 0 && (double)(word >> 11) * (1.0 / 9007199254740992.0) < probability;
}

enum { DELAY, LOST, DOUBLED, AGAIN, TIE };

static uint64_t word_of(const struct cor_schedule_generator *timed, uint64_t number, uint64_t what) {
    return cor_hash_word(timed->key ^ what, number);
}

static int find_double(const struct cor_schedule_generator *timed, uint64_t number) {
    for (uint32_t d = 0; d < timed->double_count; d++)
        if (timed->doubles[d] == number)
            return (int)d;
    return -1;
}

static uint64_t arrival(const struct cor_schedule_generator *timed, const struct cor_weather *weather,
                        const struct cor_flight *flight) {
    uint64_t tick = flight->sent + hashed_between(word_of(timed, flight->number, DELAY), weather->delay);
    if (timed->double_count > 0 && find_double(timed, flight->number) >= 0)
        tick += hashed_between(word_of(timed, flight->number, AGAIN), weather->delay);
    return tick;
}

/* ---- what is next */

static bool is_before(const struct next *next, uint64_t tick, uint64_t tie) {
    return tick < next->event.tick || (tick == next->event.tick && tie < next->tie);
}

static void look_at_link(const struct cor_schedule_generator *timed, const struct cor_weather *weather,
                         uint64_t now, uint32_t from, uint32_t to, struct next *next) {
    uint32_t count;
    const struct cor_flight *flight = cor_cluster_flight(timed->base.cluster, from, to, &count);
    if (timed->base.options.is_fifo && count > 1)
        count = 1;
    for (uint32_t m = 0; m < count; m++) {
        uint64_t tick = arrival(timed, weather, &flight[m]);
        tick = tick > now ? tick : now;
        if (tick > next->event.tick)
            continue;
        const uint64_t tie = word_of(timed, flight[m].number, TIE);
        if (!is_before(next, tick, tie))
            continue;
        *next = (struct next){.event = {.tick = tick,
                                        .kind = COR_PROCESS_EVENT_DELIVER,
                                        .process = (uint8_t)to,
                                        .peer = (uint8_t)from,
                                        .what = flight[m].kind},
                              .tie = tie,
                              .index = m};
    }
}

static void look_at_process(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                            uint64_t now, uint32_t p, struct next *next) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(timed->base.cluster);
    const struct cor_process_standing *standing = cor_cluster_standing(timed->base.cluster, p);
    *next = (struct next){.event = {.tick = COR_PROCESS_NEVER}};
    for (uint32_t left = overview->senders[p] & ~overview->cut[p]; left != 0; left &= left - 1)
        look_at_link(timed, weather, now, (uint32_t)__builtin_ctz(left), p, next);
    for (uint32_t left = overview->alarms[p]; left != 0; left &= left - 1) {
        const uint32_t alarm = (uint32_t)__builtin_ctz(left);
        if (standing->due[alarm] > next->event.tick)
            continue;
        const uint64_t tick = standing->due[alarm] > now ? standing->due[alarm] : now;
        const uint64_t tie =
            word_of(timed, standing->due[alarm] ^ (uint64_t)p << 56 ^ (uint64_t)alarm << 48, TIE);
        if (is_before(next, tick, tie))
            *next = (struct next){.event = {.tick = tick,
                                            .kind = COR_PROCESS_EVENT_TIME_OUT,
                                            .process = (uint8_t)p,
                                            .what = (uint8_t)alarm},
                                  .tie = tie};
    }
    if (standing->pending_writes == 0) {
        timed->disk_due[p] = COR_PROCESS_NEVER;
        return;
    }
    if (timed->disk_due[p] == COR_PROCESS_NEVER)
        timed->disk_due[p] = now + process_layer__between(&timed->rng, weather->disk);
    const uint64_t tick = timed->disk_due[p] > now ? timed->disk_due[p] : now;
    const uint64_t tie = word_of(timed, tick ^ (uint64_t)p << 56, TIE);
    if (is_before(next, tick, tie))
        *next = (struct next){.event = {.tick = tick, .kind = COR_PROCESS_EVENT_DISK, .process = (uint8_t)p},
                              .tie = tie};
}

/* The first of a process, which is looked for again where something has changed for it, or something is
 * overdue: which of several comes first is by lot then. */
static const struct next *first_of(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                                   uint64_t now, uint32_t changes, uint32_t p) {
    struct first *first = &timed->first[p];
    if (!first->is_known || first->changes != changes || first->next.event.tick < now) {
        look_at_process(timed, weather, now, p, &first->next);
        first->changes = changes;
        first->is_known = true;
    }
    return &first->next;
}

/* A message that arrives may be lost instead, or arrive twice. */
static void decide_message(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                           struct next *next) {
    uint32_t count;
    const struct cor_flight *link =
        cor_cluster_flight(timed->base.cluster, next->event.peer, next->event.process, &count);
    const struct cor_flight *flight = &link[next->index];
    const int twin = timed->double_count > 0 ? find_double(timed, flight->number) : -1;
    next->event.ordinal = process_layer__ordinal(link, next->index);
    if (twin >= 0) {
        timed->doubles[twin] = timed->doubles[--timed->double_count];
        timed->first[next->event.process].is_known = false;
    } else if (hashed_below(word_of(timed, flight->number, LOST), weather->lose) &&
               process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_LOSE))
        next->event.kind = COR_PROCESS_EVENT_LOSE;
    else if (timed->double_count < DOUBLES_MAX &&
             hashed_below(word_of(timed, flight->number, DOUBLED), weather->duplicate) &&
             process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_DUPLICATE)) {
        next->event.kind = COR_PROCESS_EVENT_DUPLICATE;
        timed->doubles[timed->double_count++] = flight->number;
        timed->first[next->event.process].is_known = false;
    }
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
        timed->disk_due[event->process] = COR_PROCESS_NEVER;
        timed->first[event->process].is_known = false;
        return plan(timed, tick + process_layer__between(&timed->rng, weather->down),
                    COR_PROCESS_EVENT_RESTART, event->process, 0, error);
    case COR_PROCESS_EVENT_PAUSE:
        *possible = *possible && !standing->is_paused;
        return *possible ? plan(timed, tick + process_layer__between(&timed->rng, weather->pause_for),
                                COR_PROCESS_EVENT_RESUME, event->process, 0, error)
                         : COR_OK;
    case COR_PROCESS_EVENT_CUT:
        *possible = !cor_cluster_is_cut(timed->base.cluster, event->peer, event->process);
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
        *possible = !standing->is_up;
        return COR_OK;
    case COR_PROCESS_EVENT_RESUME:
        *possible = *possible && standing->is_paused;
        return COR_OK;
    case COR_PROCESS_EVENT_HEAL:
        *possible = cor_cluster_is_cut(timed->base.cluster, event->peer, event->process);
        return COR_OK;
    default: /* is never planned */
        return COR_OK;
    }
}

static enum cor_status next(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    const uint64_t now = cor_cluster_now(timed->base.cluster), span = timed->base.options.case_ticks;
    const struct cor_cluster_overview *overview = cor_cluster_overview(timed->base.cluster);
    for (; timed->planned * span <= now; timed->planned++)
        COR_TRY(plan_case(timed, timed->planned * span, weather, error));
    if (timed->weather != weather)
        forget_all(timed);
    timed->weather = weather;
    for (;;) {
        struct next first = {.event = {.tick = timed->planned * span, .kind = COR_PROCESS_EVENT_TICK}};
        if (timed->plan.count > 0 && timed->plan.events[0].tick < first.event.tick)
            first = (struct next){.event = timed->plan.events[0], .is_planned = true};
        if (first.event.tick < now)
            first.event.tick = now;
        for (uint32_t left = overview->up & ~overview->paused; left != 0; left &= left - 1) {
            const uint32_t p = (uint32_t)__builtin_ctz(left);
            const struct next *next = first_of(timed, weather, now, overview->changes[p], p);
            if (is_before(&first, next->event.tick, next->tie))
                first = *next;
        }
        bool is_possible = true;
        if (first.event.kind == COR_PROCESS_EVENT_DELIVER)
            decide_message(timed, weather, &first);
        else if (first.event.kind == COR_PROCESS_EVENT_DISK) {
            timed->disk_due[first.event.process] = COR_PROCESS_NEVER;
            timed->first[first.event.process].is_known = false;
            if (weather->disk_error > 0 &&
                process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_DISK_ERROR) &&
                cor_rng_unit(&timed->rng) < weather->disk_error)
                first.event.kind = COR_PROCESS_EVENT_DISK_ERROR;
        } else if (first.is_planned) {
            memmove(timed->plan.events, timed->plan.events + 1,
                    --timed->plan.count * sizeof *timed->plan.events);
            COR_TRY(decide_planned(timed, weather, &first.event, &is_possible, error));
        }
        if (is_possible) {
            *event = first.event;
            return COR_OK;
        }
    }
}

const struct cor_schedule_generator_kind cor_schedule_generator_timed = {
    .name = "timed",
    .meaning = "by virtual time: delays, losses and faults as the weather has them; alarms when they are due",
    .size = sizeof(struct cor_schedule_generator),
    .fini = fini,
    .begin = begin,
    .next = next,
};
