/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any event that is possible, by weights of their kinds. Time goes on with alarms alone. */
#include "generator_draws.h"

struct cor_schedule_generator {
    struct cor_generator_base base;
    struct cor_rng rng;
};

static enum cor_status begin_random(struct cor_schedule_generator *generator,
                                    const struct cor_stream_name *name, struct cor_error *error) {
    (void)error;
    generator->rng = process_layer__draws(name, 0);
    return COR_OK;
}

static void fork_draws(struct cor_schedule_generator *generator, const struct cor_stream_name *name) {
    generator->rng = process_layer__draws(name, 0);
}

static enum cor_status next(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    struct process_layer__weights weights;
    (void)error;
    process_layer__weigh(weather, &generator->base.options, &weights);
    process_layer__draw_event(generator->base.cluster, &generator->base.options, weather, &weights,
                              &generator->rng, event);
    return COR_OK;
}

const struct cor_schedule_generator_kind cor_schedule_generator_random = {
    .name = "random",
    .meaning = "any possible event, by weights of their kinds",
    .size = sizeof(struct cor_schedule_generator),
    .begin = begin_random,
    .next = next,
    .fork = fork_draws,
};
