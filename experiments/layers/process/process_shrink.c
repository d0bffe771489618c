/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking a schedule: delta debugging over its events, then pairs of them if they are few; then messages
 * are lost where they need not come. An event that is taken out takes along those that are not possible
 * without it; the tick of each that stays stays, so what waited for time to pass needs no events in between.
 */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/minimize.h>
#include <corridor/process_shrink.h>

#include <stdlib.h>
#include <string.h>

struct shrinker {
    const struct cor_process_trier *trier;
    const struct cor_stream_name *name;
    struct cor_process_schedule *schedule; /* parts are its events */
    struct cor_process_outcome wanted;
    struct cor_process_schedule attempt, executed;
    bool *idle; /* [event] of the schedule, with those that do not happen */
    const struct cor_process_shrink_definition *definition;
    struct cor_process_shrink_counts *counts;
    uint32_t tried_before, tries_most; /* tries_most: for this schedule, 0: as many as it takes */
    bool loses;                        /* in the schedule messages are lost */
    bool is_stopped;                   /* there is no more to be tried, */
    bool is_ended;                     /* as go_on said */
};

bool process_layer__is_that(const struct cor_process_event *event, const struct cor_process_event *happened) {
    return event->tick <= happened->tick && event->kind == happened->kind &&
           event->process == happened->process && event->peer == happened->peer &&
           event->what == happened->what && event->ordinal == happened->ordinal;
}

static enum cor_status execute_without(struct shrinker *s, const bool *gone,
                                       struct cor_process_outcome *outcome, struct cor_error *error) {
    s->attempt.count = 0;
    for (size_t i = 0; i < s->schedule->count; i++)
        if (!gone[i])
            COR_TRY(cor_process_schedule_add(&s->attempt, &s->schedule->events[i], error));
    return s->trier->execute(s->trier->self, s->name, &s->attempt, &s->executed, outcome, error);
}

/* Marks the events of the attempt that did not happen: what happened is a part of it, in order. Which of two
 * alarms it was that went off later than both is not known: the marks stand only if it fails without them,
 * too. */
static enum cor_status mark_impossible(struct shrinker *s, bool *gone, struct cor_error *error) {
    const size_t count = s->schedule->count;
    struct cor_process_outcome outcome;
    size_t happened = 0, idle = 0;
    memcpy(s->idle, gone, count * sizeof *gone);
    for (size_t i = 0; i < count; i++) {
        if (gone[i])
            continue;
        if (happened < s->executed.count &&
            process_layer__is_that(&s->schedule->events[i], &s->executed.events[happened]))
            happened++;
        else
            s->idle[i] = true, idle++;
    }
    if (idle == 0)
        return COR_OK;
    COR_TRY(execute_without(s, s->idle, &outcome, error));
    if (cor_process_outcome_is_same(&outcome, &s->wanted))
        memcpy(gone, s->idle, count * sizeof *gone);
    return COR_OK;
}

/* May another one be executed? */
static bool goes_on(struct shrinker *s) {
    const struct cor_process_shrink_definition *definition = s->definition;
    s->is_stopped =
        s->is_stopped || (s->tries_most > 0 && s->counts->tried - s->tried_before >= s->tries_most);
    if (!s->is_stopped && definition && definition->go_on)
        s->is_stopped = s->is_ended = !definition->go_on(definition->self, s->counts);
    return !s->is_stopped;
}

static uint32_t left(const struct shrinker *s, const bool *gone) {
    uint32_t count = 0;
    for (size_t i = 0; i < s->schedule->count; i++)
        count += !gone[i];
    return count;
}

/* Does the failure stay without the events marked? Once there is no more to be tried, no. */
static enum cor_status stays_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct shrinker *s = self;
    struct cor_process_outcome outcome;
    *stays = false;
    if (!goes_on(s))
        return COR_OK;
    s->counts->tried++;
    COR_TRY(execute_without(s, gone, &outcome, error));
    *stays = cor_process_outcome_is_same(&outcome, &s->wanted);
    if (!*stays)
        return COR_OK;
    COR_TRY(mark_impossible(s, gone, error));
    s->counts->events = left(s, gone);
    return COR_OK;
}

/* The attempt is what is gone from now on, if the failure stays without it; then *moved. */
static enum cor_status try_attempt(struct shrinker *s, bool *gone, bool *attempt, bool *moved,
                                   struct cor_error *error) {
    bool stays;
    COR_TRY(stays_without(s, attempt, &stays, error));
    if (stays)
        memcpy(gone, attempt, s->schedule->count * sizeof *gone);
    *moved = *moved || stays;
    return COR_OK;
}

#define WINDOW_MOST 64u /* events in a row, such as those of an election */

/* Events in a row, of one process or (COR_NONE) of all, from each event on: what halves cut in two. */
static enum cor_status take_windows(struct shrinker *s, uint32_t process, bool *gone, bool *attempt,
                                    bool *moved, struct cor_error *error) {
    const size_t count = s->schedule->count;
    const struct cor_process_event *events = s->schedule->events;
    for (uint32_t size = WINDOW_MOST; size > 1; size = size > 8 ? size / 2 : size - 1)
        for (size_t i = 0; i < count && !s->is_stopped; i++) {
            uint32_t marked = 0;
            if (gone[i] || (process != COR_NONE && events[i].process != process))
                continue;
            memcpy(attempt, gone, count * sizeof *gone);
            for (size_t j = i; j < count && marked < size; j++)
                if (!gone[j] && (process == COR_NONE || events[j].process == process))
                    marked++, attempt[j] = true;
            if (marked < size)
                break; /* that is tried with a smaller size */
            COR_TRY(try_attempt(s, gone, attempt, moved, error));
        }
    return COR_OK;
}

/* All pairs of events that are left, unless there are many; *moved: one of them could go. */
static enum cor_status take_pairs(struct shrinker *s, bool *gone, bool *attempt, bool *moved,
                                  struct cor_error *error) {
    const size_t count = s->schedule->count;
    for (size_t i = 0; i < count && s->counts->events <= COR_PROCESS_PAIRS_MOST; i++)
        for (size_t j = i + 1; j < count && !gone[i] && !s->is_stopped; j++) {
            if (gone[j])
                continue;
            memcpy(attempt, gone, count * sizeof *gone);
            attempt[i] = attempt[j] = true;
            COR_TRY(try_attempt(s, gone, attempt, moved, error));
        }
    return COR_OK;
}

/* Messages that can be lost instead of coming: they stand before others on their link. *moved: one is. */
static enum cor_status take_messages(struct shrinker *s, bool *gone, bool *attempt, bool *moved,
                                     struct cor_error *error) {
    const size_t count = s->schedule->count;
    for (size_t i = 0; i < count && s->loses && !s->is_stopped; i++) {
        struct cor_process_event *event = &s->schedule->events[i];
        bool is_lost = false;
        if (gone[i] || event->kind != COR_PROCESS_EVENT_DELIVER)
            continue;
        memcpy(attempt, gone, count * sizeof *gone);
        event->kind = COR_PROCESS_EVENT_LOSE;
        COR_TRY(try_attempt(s, gone, attempt, &is_lost, error));
        if (!is_lost)
            event->kind = COR_PROCESS_EVENT_DELIVER;
        *moved = *moved || is_lost;
    }
    return COR_OK;
}

static enum cor_status take_out(struct shrinker *s, bool *gone, bool *attempt, struct cor_error *error) {
    bool moved = true;
    while (moved && !s->is_stopped) {
        COR_TRY(cor_minimize_set((uint32_t)s->schedule->count, stays_without, s, gone, &moved, error));
        moved = false;
        COR_TRY(take_windows(s, COR_NONE, gone, attempt, &moved, error));
        for (uint32_t p = 0; p < s->trier->process_count && !moved; p++)
            COR_TRY(take_windows(s, p, gone, attempt, &moved, error));
        if (!moved)
            COR_TRY(take_pairs(s, gone, attempt, &moved, error));
        if (!moved)
            COR_TRY(take_messages(s, gone, attempt, &moved, error));
    }
    return COR_OK;
}

/* What is left of the schedule, in place. */
static void keep(struct cor_process_schedule *schedule, const bool *gone,
                 struct cor_process_shrinking *shrinking) {
    size_t left = 0;
    for (size_t i = 0; i < schedule->count; i++)
        if (!gone[i])
            schedule->events[left++] = schedule->events[i];
    schedule->count = left;
    for (size_t i = 0; i < left; i++)
        shrinking->messages += schedule->events[i].kind == COR_PROCESS_EVENT_DELIVER;
}

static enum cor_status execute_here(void *runner, const struct cor_stream_name *name,
                                    const struct cor_process_schedule *schedule,
                                    struct cor_process_schedule *executed,
                                    struct cor_process_outcome *outcome, struct cor_error *error) {
    return cor_process_replay(runner, name, schedule, executed, outcome, error);
}

/* Shrinks one schedule, with so many tries at most (0: as many as it takes). counts: those before it. */
static enum cor_status shrink_one(const struct cor_process_trier *trier, const struct cor_stream_name *name,
                                  struct cor_process_schedule *schedule,
                                  const struct cor_process_shrink_definition *definition, uint32_t tries_most,
                                  struct cor_process_shrink_counts *counts,
                                  struct cor_process_shrinking *shrinking, struct cor_error *error) {
    struct shrinker s = {.trier = trier,
                         .name = name,
                         .schedule = schedule,
                         .definition = definition,
                         .counts = counts,
                         .tried_before = counts->tried,
                         .tries_most = tries_most};
    bool *gone = cor_calloc(schedule->count + 1, sizeof *gone);
    bool *attempt = cor_calloc(schedule->count + 1, sizeof *attempt);
    enum cor_status status;
    *shrinking = (struct cor_process_shrinking){0};
    counts->events = (uint32_t)schedule->count;
    COR_TRY_OUT(cor_made(gone, error));
    COR_TRY_OUT(cor_made(attempt, error));
    COR_TRY_OUT(cor_made(s.idle = cor_calloc(schedule->count + 1, sizeof *s.idle), error));
    COR_TRY_OUT(trier->execute(trier->self, name, schedule, &s.executed, &s.wanted, error));
    if (s.wanted.violated == COR_NONE && s.wanted.end == COR_PROCESS_END_NONE) {
        status =
            cor_fail(error, COR_STATUS_INPUT, NULL, "a schedule that fails", "the schedule does not fail");
        goto out;
    }
    for (size_t i = 0; i < schedule->count; i++)
        s.loses = s.loses || schedule->events[i].kind == COR_PROCESS_EVENT_LOSE;
    COR_TRY_OUT(mark_impossible(&s, gone, error));
    counts->events = left(&s, gone);
    COR_TRY_OUT(take_out(&s, gone, attempt, error));
    keep(schedule, gone, shrinking);
    shrinking->is_minimal = !s.is_stopped;
    shrinking->is_ended = s.is_ended;
    shrinking->count = 1;
    shrinking->are_pairs = schedule->count <= COR_PROCESS_PAIRS_MOST;
    shrinking->tried = counts->tried;
out:
    free(gone);
    free(attempt);
    free(s.idle);
    cor_process_schedule_fini(&s.attempt);
    cor_process_schedule_fini(&s.executed);
    return status;
}

enum cor_status cor_process_shrink_by(const struct cor_process_trier *trier,
                                      const struct cor_stream_name *name,
                                      struct cor_process_schedule *schedule,
                                      const struct cor_process_shrink_definition *definition,
                                      struct cor_process_shrinking *shrinking, struct cor_error *error) {
    struct cor_process_shrink_counts counts = {0};
    return shrink_one(trier, name, schedule, definition, definition ? definition->budget : 0, &counts,
                      shrinking, error);
}

enum cor_status cor_process_shrink(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                   struct cor_process_schedule *schedule,
                                   const struct cor_process_shrink_definition *definition,
                                   struct cor_process_shrinking *shrinking, struct cor_error *error) {
    const struct cor_process_trier trier = {runner, execute_here,
                                            cor_cluster_process_count(cor_process_runner_cluster(runner))};
    return cor_process_shrink_by(&trier, name, schedule, definition, shrinking, error);
}

#define SCOUT_TRIES 1500u /* with which it is seen which of several schedules gets smallest */

enum cor_status cor_process_shrink_best(const struct cor_process_trier *trier,
                                        const struct cor_stream_name *names,
                                        struct cor_process_schedule *schedules, uint32_t count,
                                        const struct cor_process_shrink_definition *definition,
                                        uint32_t *best, struct cor_process_shrinking *shrinking,
                                        struct cor_error *error) {
    const uint32_t budget = definition ? definition->budget : 0;
    struct cor_process_shrink_counts counts = {0};
    struct cor_process_shrinking each;
    uint32_t scouted = 0, scout_tries = SCOUT_TRIES;
    *best = 0;
    if (budget > 0 && budget / (count + 1) < SCOUT_TRIES)
        scout_tries = budget / (count + 1);
    for (uint32_t i = 0; i < count && scout_tries > 0; i++) {
        counts.schedule = i;
        COR_TRY(shrink_one(trier, &names[i], &schedules[i], definition, scout_tries, &counts, &each, error));
        scouted++;
        if (i == 0 || each.messages < shrinking->messages) {
            *shrinking = each;
            *best = i;
        }
        if (each.is_ended)
            goto out;
    }
    counts.schedule = *best;
    COR_TRY(shrink_one(trier, &names[*best], &schedules[*best], definition,
                       budget > 0 ? budget - counts.tried : 0, &counts, shrinking, error));
    each = *shrinking;
out:
    shrinking->is_ended = each.is_ended;
    shrinking->tried = counts.tried;
    shrinking->count = scouted > 0 ? scouted : 1;
    return COR_OK;
}
