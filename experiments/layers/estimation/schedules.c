/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of a distributed program, one by one or restarted: a trajectory that comes to a level is kept as
 * the steps at which what is random was drawn anew, and executed again from its beginning. Generators keep
 * what they have drawn - delays of messages under way, weights of a schedule -, and so does the weather: what
 * is not drawn anew is a part of the state, and the estimate is unbiased all the same. */
#include "internal.h"

#include <math.h>

#define STEPS_BETWEEN 1024 /* looks at whether to go on at all */

static enum cor_status step(struct estimation_layer__executor *x, bool *is_over, struct cor_error *error) {
    if (estimation_layer__schedule_steps(x->schedule) % STEPS_BETWEEN == 0 && cor_watch_stopped(x->watch))
        return COR_STATUS_INTERRUPTED;
    return estimation_layer__schedule_step(x->schedule, is_over, error);
}

enum cor_status estimation_layer__run_schedules(struct estimation_layer__executor *x,
                                                struct estimation_layer__repetition *repetition,
                                                struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    for (uint32_t s = 0; s < e->sequences; s++) {
        bool is_over = false;
        COR_TRY(estimation_layer__schedule_begin(x->schedule, x->name.suite, s, s, error));
        while (!is_over && estimation_layer__schedule_stand(x->schedule) == ESTIMATION_LAYER__GOES_ON)
            COR_TRY(step(x, &is_over, error));
        const bool matches = estimation_layer__schedule_stand(x->schedule) == ESTIMATION_LAYER__MATCHES;
        x->cases += estimation_layer__schedule_cases(x->schedule);
        estimation_layer__repetition_add(repetition, cor_weight_of(matches), matches);
        cor_watch_show(x->watch, x->cases);
    }
    return COR_OK;
}

/* Executes a path again, and draws anew at its end. */
static enum cor_status retrace(struct estimation_layer__executor *x,
                               const struct estimation_layer__split_stage *stage,
                               const struct estimation_layer__path *path, struct cor_error *error) {
    bool is_over = false;
    COR_TRY(estimation_layer__schedule_begin(x->schedule, x->name.suite, stage->sequence,
                                             path->forks[0].number, error));
    for (uint32_t f = 1; f < path->fork_count; f++) {
        while (estimation_layer__schedule_steps(x->schedule) < path->forks[f].steps && !is_over)
            COR_TRY(step(x, &is_over, error));
        if (is_over)
            return cor_fail(error, COR_STATUS_INTERNAL, NULL, NULL,
                            "a schedule that was executed again ended sooner: the program is not repeatable");
        estimation_layer__schedule_fork(x->schedule, path->forks[f].number);
    }
    return COR_OK;
}

enum cor_status estimation_layer__follow_schedule(struct estimation_layer__executor *x,
                                                  struct estimation_layer__split_stage *stage,
                                                  uint32_t trajectory, uint32_t entry,
                                                  struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    const uint32_t number = estimation_layer__number(e, stage, trajectory), from = stage->stage % 2,
                   to = (stage->stage + 1) % 2;
    struct estimation_layer__path path = {.fork_count = 0};
    double height = -INFINITY;
    if (stage->stage > 0) {
        path = x->paths[from][entry];
        height = x->heights[from][entry];
        path.forks[path.fork_count].steps = path.steps;
    }
    path.forks[path.fork_count++].number = number;
    COR_TRY(retrace(x, stage, &path, error));
    bool is_over = false;
    height = fmax(height, estimation_layer__schedule_height(x->schedule));
    while (!(height >= stage->target) && !is_over &&
           estimation_layer__schedule_stand(x->schedule) == ESTIMATION_LAYER__GOES_ON) {
        COR_TRY(step(x, &is_over, error));
        height = fmax(height, estimation_layer__schedule_height(x->schedule));
    }
    const enum estimation_layer__stand stand = estimation_layer__schedule_stand(x->schedule);
    x->cases += estimation_layer__schedule_cases(x->schedule);
    x->highest[trajectory] = stand == ESTIMATION_LAYER__MATCHES ? INFINITY : height;
    stage->failed += stand == ESTIMATION_LAYER__MATCHES;
    if (stand != ESTIMATION_LAYER__GOES_ON || is_over || !(height >= stage->target))
        return COR_OK; /* what is over fails no more */
    path.steps = estimation_layer__schedule_steps(x->schedule);
    x->paths[to][stage->reached] = path;
    x->heights[to][stage->reached++] = height;
    return COR_OK;
}
