/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/layer.h>
#include <corridor/pages.h>
#include <corridor/process_law.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEPS_BETWEEN 1024 /* looks at whether to go on at all */

/* A schedule that is played, event by event, as a generator. */
struct cor_schedule_generator {
    const struct cor_process_schedule *schedule; /* borrowed; NULL: none is */
    size_t at;
};

static enum cor_status begin_played(struct cor_schedule_generator *player, const struct cor_stream_name *name,
                                    struct cor_error *error) {
    (void)name, (void)error;
    player->at = 0;
    return COR_OK;
}

static enum cor_status next_played(struct cor_schedule_generator *player, const struct cor_weather *weather,
                                   struct cor_process_event *event, struct cor_error *error) {
    (void)weather, (void)error;
    *event = player->schedule->events[player->at++];
    return COR_OK;
}

static const struct cor_schedule_generator_kind played = {.begin = begin_played, .next = next_played};

struct cor_process_law {
    const struct cor_process_arm *arm;
    const struct cor_process_traps *traps;
    struct cor_process_height measure;
    struct process_layer__rig *rig;     /* owned */
    struct process_layer__apart *apart; /* owned; NULL: schedules are executed in this process */
    struct process_layer__suite suite;  /* of the last one; of which classes of failures are known */
    struct cor_process_course course;
    struct cor_schedule_generator player;
    struct cor_process_schedule executed; /* behind a schedule that was played */
    struct cor_process_outcome outcome;
    struct process_layer__reached reached;
};

const char *cor_process_no_law(const struct cor_process_arm *arm, const char **name) {
    for (uint32_t g = 0; g < arm->generator_count; g++)
        if (!arm->generators[g]->fork) {
            *name = arm->generators[g]->name;
            return arm->generators[g]->no_law;
        }
    return NULL;
}

static enum cor_status make(const struct cor_process_experiment *experiment, uint32_t arm,
                            struct cor_process_law *law, struct cor_error *error) {
    COR_TRY(process_layer__rig_create(experiment, arm, law->traps, &law->rig, error));
    cor_process_runner_listen(law->rig->runner, NULL); /* nobody counts states */
    if (!law->arm->is_apart)
        return COR_OK;
    COR_TRY(process_layer__apart_create(law->rig, 0, &law->apart, error));
    return process_layer__apart_of_law(law->apart, law, error);
}

enum cor_status cor_process_law_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                       const struct cor_process_traps *traps,
                                       const struct cor_process_height *height, struct cor_process_law **law,
                                       struct cor_error *error) {
    struct cor_process_law *made = *law = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->arm = &experiment->arms[arm];
    made->traps = traps ? traps : &made->arm->traps;
    made->measure = *height;
    made->suite = (struct process_layer__suite){.experiment = experiment, .arm = arm};
    const enum cor_status status = make(experiment, arm, made, error);
    if (status != COR_OK) {
        cor_process_law_destroy(made);
        *law = NULL;
    }
    return status;
}

void cor_process_law_destroy(struct cor_process_law *law) {
    if (!law)
        return;
    process_layer__apart_destroy(law->apart);
    process_layer__rig_destroy(law->rig);
    cor_process_schedule_fini(&law->executed);
    free(law->suite.kept);
    free(law);
}

static uint64_t digest_of(const struct cor_process_law *law) {
    return cor_cluster_digest(cor_process_runner_cluster(law->rig->runner));
}

static double height_of(const struct cor_process_law *law) {
    return law->measure.of ? law->measure.of(law->measure.data, law) : -INFINITY;
}

static enum cor_status begin_trajectory(struct cor_process_law *law,
                                        const struct cor_process_trajectory *trajectory,
                                        struct cor_error *error) {
    const uint32_t number = trajectory->forks[0].number, g = trajectory->sequence % law->arm->generator_count;
    const struct cor_stream_name name =
        cor_process_stream_name(law->rig->experiment, trajectory->suite, number);
    COR_TRY(process_layer__rig_weather(law->rig, trajectory->suite, number, error));
    law->course = (struct cor_process_course){.kind = law->arm->generators[g],
                                              .generator = law->rig->generators[g],
                                              .weather = law->rig->weather,
                                              .weather_count = law->arm->cases};
    if (law->player.schedule) {
        law->course.kind = &played;
        law->course.generator = &law->player;
    }
    law->reached = (struct process_layer__reached){.height = -INFINITY};
    return cor_process_run_begin(law->rig->runner, &name, &law->course, &law->outcome, error);
}

static enum cor_status step(struct cor_process_law *law, const struct cor_watch *watch,
                            struct cor_error *error) {
    struct process_layer__reached *reached = &law->reached;
    if (watch && reached->steps % STEPS_BETWEEN == 0 && cor_watch_stopped(watch))
        return COR_STATUS_INTERRUPTED;
    COR_TRY(cor_process_run_step(law->rig->runner, &law->course, &reached->is_over, error));
    reached->steps++;
    return reached->is_over ? cor_process_run_end(law->rig->runner, &law->course, error) : COR_OK;
}

/* The schedule was played: its generator begins. */
static enum cor_status begin_generator(struct cor_process_law *law,
                                       const struct cor_process_trajectory *trajectory,
                                       struct cor_process_schedule *executed, struct cor_error *error) {
    const uint32_t g = trajectory->sequence % law->arm->generator_count;
    struct cor_stream_name name =
        cor_process_stream_name(law->rig->experiment, trajectory->suite, trajectory->forks[1].number);
    name.seed = trajectory->seed;
    law->course.kind = law->arm->generators[g];
    law->course.generator = law->rig->generators[g];
    law->course.executed = executed;
    process_layer__rig_weather_fork(law->rig, cor_process_law_cases(law), &name);
    return cor_process_run_turn(law->rig->runner, &law->course, &name, error);
}

/* All that the state hangs on in which the trajectory comes to fork `last`, behind `steps`. */
static uint64_t key_of(const struct cor_process_trajectory *trajectory, uint32_t last, uint64_t steps) {
    uint64_t key = cor_hash_word(COR_HASH_SEED, (uint64_t)trajectory->suite << 32 | trajectory->sequence);
    for (uint32_t f = 0; f < last; f++)
        key = cor_hash_word(cor_hash_word(key, trajectory->forks[f].steps), trajectory->forks[f].number);
    return cor_hash_word(key, steps);
}

/* Comes to each fork of the trajectory as it was come to before, and draws anew there: from a snapshot at the
 * last one, where there is one. *repeats: that could be. */
static enum cor_status retrace(struct cor_process_law *law, const struct cor_process_trajectory *trajectory,
                               struct cor_process_schedule *executed, struct cor_pages *pages,
                               const struct cor_watch *watch, bool *repeats, struct cor_error *error) {
    const struct cor_schedule_generator *player = &law->player;
    const uint32_t last = trajectory->fork_count - 1;
    const uint64_t key = key_of(trajectory, last, trajectory->forks[last].steps);
    const bool is_back = last > 0 && pages && cor_pages_restore(pages, key);
    *repeats = true;
    if (!is_back)
        COR_TRY(begin_trajectory(law, trajectory, error));
    for (uint32_t f = is_back ? last : 1; f <= last; f++) {
        const struct cor_process_fork *fork = &trajectory->forks[f];
        while (law->reached.steps < fork->steps && !law->reached.is_over)
            COR_TRY(step(law, watch, error));
        law->reached.forked = digest_of(law);
        *repeats = law->reached.steps == fork->steps && !law->reached.is_over &&
                   (law->reached.forked == fork->digest || (player->schedule && fork->digest == 0));
        if (!*repeats)
            return COR_OK;
        if (f == last && pages && !is_back)
            cor_pages_save(pages, key);
        if (player->schedule)
            return begin_generator(law, trajectory, executed, error);
        const struct cor_stream_name name =
            cor_process_stream_name(law->rig->experiment, trajectory->suite, fork->number);
        process_layer__rig_weather_fork(law->rig, cor_process_law_cases(law), &name);
        cor_process_run_fork(law->rig->runner, &law->course, &name);
    }
    return COR_OK;
}

static bool is_decided(const struct cor_process_law *law, uint32_t until) {
    return process_layer__has_failed(&law->outcome) ||
           (until != COR_NONE && (law->outcome.met >> until & 1) != 0);
}

enum cor_status process_layer__law_follow_here(struct cor_process_law *law,
                                               const struct cor_process_trajectory *trajectory,
                                               struct cor_process_schedule *executed, struct cor_pages *pages,
                                               const struct cor_watch *watch, struct cor_error *error) {
    struct process_layer__reached *reached = &law->reached;
    bool repeats;
    executed->count = 0;
    COR_TRY(retrace(law, trajectory, executed, pages, watch, &repeats, error));
    const uint32_t before = law->outcome.events;
    if (!repeats) {
        process_layer__end_by(&law->outcome, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
        reached->is_over = true;
        return COR_OK;
    }
    reached->height = fmax(trajectory->height, height_of(law));
    while (!(reached->height >= trajectory->target) && !reached->is_over &&
           !is_decided(law, trajectory->until) &&
           (trajectory->ahead == 0 || law->outcome.events - before < trajectory->ahead)) {
        COR_TRY(step(law, watch, error));
        reached->height = fmax(reached->height, height_of(law));
    }
    law->outcome.digest = digest_of(law);
    if (pages && reached->height >= trajectory->target && !reached->is_over &&
        !is_decided(law, trajectory->until)) /* others will set out from here */
        cor_pages_save(pages, key_of(trajectory, trajectory->fork_count, reached->steps));
    reached->goes_on = executed->count > 0;
    if (reached->goes_on)
        reached->next = executed->events[0];
    return COR_OK;
}

/* A trajectory, again in a fresh child. */
struct again {
    struct cor_process_law *law;
    const struct cor_process_trajectory *trajectory;
    const struct cor_watch *watch;
    struct cor_process_outcome outcome; /* of what is taken */
    struct process_layer__reached reached;
};

static enum cor_status follow_again(void *self, struct cor_process_outcome *outcome,
                                    struct cor_error *error) {
    const struct again *again = self;
    cor_process_runner_forget(again->law->rig->runner);
    COR_TRY(process_layer__law_follow_here(again->law, again->trajectory, &again->law->executed, NULL,
                                           again->watch, error));
    *outcome = again->law->outcome;
    return COR_OK;
}

static void take_again(void *self) {
    struct again *again = self;
    again->outcome = again->law->outcome;
    again->reached = again->law->reached;
}

enum cor_status cor_process_law_follow(struct cor_process_law *law,
                                       const struct cor_process_trajectory *trajectory,
                                       const struct cor_watch *watch, struct cor_error *error) {
    COR_ASSERT(trajectory->fork_count >= 1 && trajectory->fork_count <= COR_PROCESS_FORKS_MAX);
    const bool has_child = process_layer__has_child(law->rig);
    if (!law->apart && !has_child)
        return process_layer__law_follow_here(law, trajectory, &law->executed, NULL, watch, error);
    if (law->suite.suite != trajectory->suite)
        law->suite.kept_count = 0;
    if (has_child && law->suite.suite != trajectory->suite)
        cor_process_runner_forget(law->rig->runner);
    law->suite.suite = trajectory->suite;
    if (has_child) {
        /* By a child, which is a fresh one for each suite. */
        struct again again = {.law = law, .trajectory = trajectory, .watch = watch};
        const struct process_layer__trial trial = {&again, follow_again, take_again};
        bool leaks, is_first;
        COR_TRY(process_layer__law_follow_here(law, trajectory, &law->executed, NULL, watch, error));
        take_again(&again);
        COR_TRY(
            process_layer__settle(&trial, &law->suite, trajectory->is_last, &again.outcome, &leaks, error));
        law->outcome = again.outcome;
        law->reached = again.reached;
        if (leaks) {
            process_layer__end_by(&law->outcome, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
            law->reached.is_over = true;
        }
        return process_layer__has_failed(&law->outcome)
                   ? process_layer__keep_class(&law->suite, &law->outcome, &is_first, error)
                   : COR_OK;
    }
    return process_layer__apart_follow(law->apart, &law->suite, trajectory, watch, &law->outcome,
                                       &law->reached, error);
}

const struct process_layer__reached *process_layer__law_reached(const struct cor_process_law *law) {
    return &law->reached;
}

const struct cor_process_outcome *cor_process_law_outcome(const struct cor_process_law *law) {
    return &law->outcome;
}

bool cor_process_law_is_over(const struct cor_process_law *law) {
    return law->reached.is_over;
}

double cor_process_law_height(const struct cor_process_law *law) {
    return law->reached.height;
}

struct cor_process_fork cor_process_law_fork(const struct cor_process_law *law, uint32_t number) {
    return (struct cor_process_fork){law->reached.steps, law->outcome.digest, number};
}

void cor_process_law_play(struct cor_process_law *law, const struct cor_process_schedule *schedule) {
    law->player.schedule = schedule;
}

void cor_process_law_use_forks(struct cor_process_law *law) {
    if (law->apart)
        process_layer__apart_use_forks(law->apart);
}

void cor_process_law_ahead(struct cor_process_law *law, const struct cor_process_trajectory *trajectories,
                           uint32_t count) {
    if (law->apart)
        process_layer__apart_ahead(law->apart, trajectories, count);
}

uint64_t cor_process_law_restored(const struct cor_process_law *law) {
    return law->apart ? process_layer__apart_restored(law->apart) : 0;
}

uint64_t cor_process_law_forked(const struct cor_process_law *law) {
    return law->reached.forked;
}

const struct cor_process_event *cor_process_law_next(const struct cor_process_law *law) {
    return law->reached.goes_on ? &law->reached.next : NULL;
}

uint32_t cor_process_law_cases(const struct cor_process_law *law) {
    return law->outcome.cases < law->arm->cases ? law->outcome.cases + 1 : law->outcome.cases;
}

uint64_t cor_process_law_degree(const struct cor_process_law *law, uint32_t trap) {
    return cor_observed_degree(cor_process_runner_trapped(law->rig->runner), law->traps->first + trap);
}
