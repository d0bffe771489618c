/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of a distributed program, one by one or restarted: a trajectory that comes to a level is kept as
 * the steps at which what is random was drawn anew, and executed again from its beginning. Generators keep
 * what they have drawn - delays of messages under way, weights of a schedule -, and so does the weather of
 * the case under way: what is not drawn anew is a part of the state, and the estimate is unbiased all the
 * same. */
#include "internal.h"

#include <math.h>

enum cor_status estimation_layer__run_schedules(struct estimation_layer__executor *x,
                                                struct estimation_layer__repetition *repetition,
                                                struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    for (uint32_t s = 0; s < e->sequences; s++) {
        const struct cor_process_trajectory trajectory = {.suite = x->name.suite,
                                                          .sequence = s,
                                                          .fork_count = 1,
                                                          .forks[0].number = s,
                                                          .until =
                                                              estimation_layer__program_until(e->program),
                                                          .height = -INFINITY,
                                                          .target = INFINITY,
                                                          .is_last = s + 1 == e->sequences};
        COR_TRY(cor_process_law_follow(x->schedules, &trajectory, x->watch, error));
        const bool matches =
            estimation_layer__program_matches(e->program, cor_process_law_outcome(x->schedules));
        x->cases += cor_process_law_cases(x->schedules);
        repetition->leaked +=
            estimation_layer__program_leaks(e->program, cor_process_law_outcome(x->schedules));
        estimation_layer__repetition_add(repetition, cor_weight_of(matches), matches);
        cor_watch_show(x->watch, x->cases);
    }
    return COR_OK;
}

enum cor_status estimation_layer__follow_schedule(struct estimation_layer__executor *x,
                                                  struct estimation_layer__split_stage *stage,
                                                  uint32_t number, uint32_t entry, struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    const uint32_t from = stage->stage % 2, to = (stage->stage + 1) % 2;
    struct cor_process_trajectory trajectory = {.suite = x->name.suite,
                                                .sequence = stage->sequence,
                                                .until = estimation_layer__program_until(e->program),
                                                .height = -INFINITY};
    if (stage->stage > 0)
        trajectory = x->paths[from][entry];
    trajectory.forks[trajectory.fork_count++].number = estimation_layer__number(e, stage, number);
    trajectory.target = stage->target;
    trajectory.is_last =
        stage->stage == 0 && number + 1 == e->efforts[0] && stage->sequence + 1 == e->sequences;
    COR_TRY(cor_process_law_follow(x->schedules, &trajectory, x->watch, error));
    const struct cor_process_outcome *outcome = cor_process_law_outcome(x->schedules);
    const bool matches = estimation_layer__program_matches(e->program, outcome);
    const double height = cor_process_law_height(x->schedules);
    x->cases += cor_process_law_cases(x->schedules);
    x->highest[number] = matches ? INFINITY : height;
    stage->failed += matches;
    stage->leaked += estimation_layer__program_leaks(e->program, outcome);
    stage->failed_weight += matches;
    if (matches || cor_process_law_is_over(x->schedules) || !(height >= stage->target))
        return COR_OK; /* what is over fails no more */
    trajectory.height = height;
    trajectory.forks[trajectory.fork_count] = cor_process_law_fork(x->schedules, 0);
    x->weights[to][stage->reached] = 1;
    stage->reached_weight++;
    x->paths[to][stage->reached++] = trajectory;
    return COR_OK;
}
