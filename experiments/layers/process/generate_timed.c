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

#define FORKS_MAX 64   /* of a schedule; what comes behind more of them keeps the last key */
#define DOUBLES_MAX 64 /* messages at a time of which the second copy is still to come */

struct plan {
    struct cor_process_event *events; /* owned; by tick */
    size_t count, capacity;
};

/* What comes first at a process; equal ticks are decided by lot. */
struct first {
    uint64_t tick, tie;   /* COR_PROCESS_NEVER: nothing comes */
    uint32_t kind;        /* DELIVER, TIME_OUT or DISK */
    uint32_t peer, index; /* of a message, on its link */
    uint32_t what;        /* kind of message, alarm */
};

struct cor_schedule_generator {
    struct cor_generator_base base;
    struct key {
        uint64_t first, word;
    } keys[FORKS_MAX + 1]; /* of what follows from numbers of messages: of that from `first` on */
    uint32_t key_count;
    struct cor_rng rng;
    struct plan plan;
    uint64_t planned; /* cases of which the faults are in the plan */
    uint64_t disk_due[COR_PROCESSES_MAX];
    uint64_t doubles[DOUBLES_MAX]; /* numbers of messages of which the second copy is to come */
    uint32_t double_count;
    const struct cor_weather *weather; /* for which the first of each process are known */
    struct first first[COR_PROCESSES_MAX];
    uint32_t changes[COR_PROCESSES_MAX]; /* of the process, when it was found */
    uint32_t known;                      /* bit p: it is known */
    uint32_t last;                       /* to whom something has come since */
};

static void fini(struct cor_schedule_generator *timed) {
    free(timed->plan.events);
}

static enum cor_status begin(struct cor_schedule_generator *timed, const struct cor_stream_name *name,
                             struct cor_error *error) {
    (void)error;
    timed->rng = process_layer__draws(name, 0);
    timed->keys[0] = (struct key){0, cor_rng_word(&timed->rng)};
    timed->key_count = 1;
    timed->plan.count = 0;
    timed->planned = 0;
    timed->double_count = 0;
    timed->known = 0;
    for (uint32_t p = 0; p < COR_PROCESSES_MAX; p++)
        timed->disk_due[p] = COR_PROCESS_NEVER;
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
    uint64_t tick = flight->sent + hashed_between(word_of(timed, flight->number, DELAY), weather->delay);
    if (timed->double_count > 0 && find_double(timed, flight->number) >= 0)
        tick += hashed_between(word_of(timed, flight->number, AGAIN), weather->delay);
    return tick;
}

/* ---- what is next */

static bool is_before(const struct first *first, uint64_t tick, uint64_t tie) {
    return tick < first->tick || (tick == first->tick && tie < first->tie);
}

static void look_at_link(const struct cor_schedule_generator *timed, const struct cor_weather *weather,
                         uint64_t now, uint32_t from, uint32_t to, struct first *first) {
    uint32_t count;
    const struct cor_flight *flight = cor_cluster_flight(timed->base.cluster, from, to, &count);
    if (timed->base.options.is_fifo && count > 1)
        count = 1;
    for (uint32_t m = 0; m < count; m++) {
        uint64_t tick = arrival(timed, weather, &flight[m]);
        tick = tick > now ? tick : now;
        if (tick > first->tick)
            continue;
        const uint64_t tie = word_of(timed, flight[m].number, TIE);
        if (!is_before(first, tick, tie))
            continue;
        first->tick = tick;
        first->tie = tie;
        first->kind = COR_PROCESS_EVENT_DELIVER;
        first->peer = from;
        first->index = m;
        first->what = flight[m].kind;
    }
}

static void look_at_alarm(const struct cor_schedule_generator *timed, uint64_t now, uint32_t p,
                          uint32_t alarm, struct first *first) {
    const uint64_t due = cor_cluster_standing(timed->base.cluster, p)->due[alarm];
    const uint64_t tick = due > now ? due : now;
    if (tick > first->tick)
        return;
    const uint64_t tie = word_of(timed, due ^ (uint64_t)p << 56 ^ (uint64_t)alarm << 48, TIE);
    if (!is_before(first, tick, tie))
        return;
    first->tick = tick;
    first->tie = tie;
    first->kind = COR_PROCESS_EVENT_TIME_OUT;
    first->what = alarm;
}

static void look_at_disk(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                         uint64_t now, uint32_t p, struct first *first) {
    if (cor_cluster_standing(timed->base.cluster, p)->pending_writes == 0) {
        timed->disk_due[p] = COR_PROCESS_NEVER;
        return;
    }
    if (timed->disk_due[p] == COR_PROCESS_NEVER)
        timed->disk_due[p] = now + process_layer__between(&timed->rng, weather->disk);
    const uint64_t tick = timed->disk_due[p] > now ? timed->disk_due[p] : now;
    const uint64_t tie = word_of(timed, tick ^ (uint64_t)p << 56, TIE);
    if (!is_before(first, tick, tie))
        return;
    first->tick = tick;
    first->tie = tie;
    first->kind = COR_PROCESS_EVENT_DISK;
}

static void look_at_process(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                            uint64_t now, uint32_t p) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(timed->base.cluster);
    struct first *first = &timed->first[p];
    first->tick = first->tie = COR_PROCESS_NEVER;
    for (uint32_t left = overview->senders[p] & ~overview->cut[p]; left != 0; left &= left - 1)
        look_at_link(timed, weather, now, (uint32_t)__builtin_ctz(left), p, first);
    for (uint32_t left = overview->alarms[p]; left != 0; left &= left - 1)
        look_at_alarm(timed, now, p, (uint32_t)__builtin_ctz(left), first);
    look_at_disk(timed, weather, now, p, first);
}

/* What has changed for a process to which nothing came are messages of the one to which something did, which
 * may have pushed an older one off the link. */
static void look_again(struct cor_schedule_generator *timed, const struct cor_weather *weather, uint64_t now,
                       uint32_t p) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(timed->base.cluster);
    struct first *first = &timed->first[p];
    const bool was_of_last = first->kind == COR_PROCESS_EVENT_DELIVER && first->peer == timed->last;
    if (!(timed->known >> p & 1) || p == timed->last || was_of_last)
        look_at_process(timed, weather, now, p);
    else if (!(overview->cut[p] >> timed->last & 1))
        look_at_link(timed, weather, now, timed->last, p, first);
    timed->changes[p] = overview->changes[p];
    timed->known |= 1u << p;
}

/* To whom something comes first, COR_PROCESSES_MAX: to nobody. It is looked for again where something has
 * changed for a process. Nothing else can: who comes back, or gets a link or clock back, is told of it by an
 * event, and of the others nothing is overdue, as all that is due comes first. */
static uint32_t first_of_all(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                             uint64_t now) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(timed->base.cluster);
    uint64_t tick = COR_PROCESS_NEVER, tie = COR_PROCESS_NEVER;
    uint32_t of_all = COR_PROCESSES_MAX;
    for (uint32_t left = overview->up & ~overview->paused; left != 0; left &= left - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(left);
        const struct first *first = &timed->first[p];
        if (timed->changes[p] != overview->changes[p] || !(timed->known >> p & 1))
            look_again(timed, weather, now, p);
        /* Which it is cannot be guessed: without branches. */
        const bool is_first = (first->tick < tick) | ((first->tick == tick) & (first->tie < tie));
        of_all = is_first ? p : of_all;
        tick = is_first ? first->tick : tick;
        tie = is_first ? first->tie : tie;
    }
    return of_all;
}

/* A message that arrives may be lost instead, or arrive twice. */
static void decide_message(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                           uint32_t index, struct cor_process_event *event) {
    uint32_t count;
    const struct cor_flight *link =
        cor_cluster_flight(timed->base.cluster, event->peer, event->process, &count);
    const struct cor_flight *flight = &link[index];
    const int twin = timed->double_count > 0 ? find_double(timed, flight->number) : -1;
    event->ordinal = process_layer__ordinal(link, index);
    if (twin >= 0)
        timed->doubles[twin] = timed->doubles[--timed->double_count];
    else if (hashed_below(word_of(timed, flight->number, LOST), weather->lose) &&
             process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_LOSE))
        event->kind = COR_PROCESS_EVENT_LOSE;
    else if (timed->double_count < DOUBLES_MAX &&
             hashed_below(word_of(timed, flight->number, DOUBLED), weather->duplicate) &&
             process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_DUPLICATE)) {
        event->kind = COR_PROCESS_EVENT_DUPLICATE;
        timed->doubles[timed->double_count++] = flight->number;
    }
}

/* What comes first becomes an event. */
static void decide(struct cor_schedule_generator *timed, const struct cor_weather *weather,
                   const struct first *first, struct cor_process_event *event) {
    if (first->kind == COR_PROCESS_EVENT_DELIVER) {
        event->peer = (uint8_t)first->peer;
        event->what = (uint8_t)first->what;
        decide_message(timed, weather, first->index, event);
    } else if (first->kind == COR_PROCESS_EVENT_TIME_OUT) {
        event->what = (uint8_t)first->what;
    } else {
        timed->disk_due[event->process] = COR_PROCESS_NEVER;
        if (weather->disk_error > 0 &&
            process_layer__allows(&timed->base.options, COR_PROCESS_EVENT_DISK_ERROR) &&
            cor_rng_unit(&timed->rng) < weather->disk_error)
            event->kind = COR_PROCESS_EVENT_DISK_ERROR;
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
        timed->known &= ~(1u << event->process); /* it may be of a cell that was never written: no crash */
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
    for (; timed->planned * span <= now; timed->planned++)
        COR_TRY(plan_case(timed, timed->planned * span, weather, error));
    if (timed->weather != weather)
        timed->known = 0;
    timed->weather = weather;
    for (;;) {
        bool is_planned = timed->plan.count > 0 && timed->plan.events[0].tick < timed->planned * span;
        bool is_possible = true;
        *event = (struct cor_process_event){.tick = timed->planned * span, .kind = COR_PROCESS_EVENT_TICK};
        if (is_planned)
            *event = timed->plan.events[0];
        if (event->tick < now)
            event->tick = now;
        const uint32_t process = first_of_all(timed, weather, now);
        if (process < COR_PROCESSES_MAX && timed->first[process].tick < event->tick) {
            const struct first *first = &timed->first[process];
            is_planned = false;
            *event = (struct cor_process_event){
                .tick = first->tick, .kind = (uint8_t)first->kind, .process = (uint8_t)process};
            decide(timed, weather, first, event);
        }
        if (is_planned) {
            memmove(timed->plan.events, timed->plan.events + 1,
                    --timed->plan.count * sizeof *timed->plan.events);
            COR_TRY(decide_planned(timed, weather, event, &is_possible, error));
        }
        if (is_possible) {
            timed->last = event->process;
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
    .fork = fork_draws,
};
