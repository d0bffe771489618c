/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calm and storms by turns: no faults and many alarms' worth of work, then faults and losses many times as
 * often as the weather says. An environment profile does the same by cases; here the turns are short. */
#include "generator_draws.h"

#define CALM_MOST 120u /* events */
#define STORM_MOST 40u
#define STORM 10.0 /* times as many faults */
#define STORM_LOSS 0.5

struct cor_schedule_generator {
    struct cor_generator_base base;
    struct cor_rng rng;
    bool is_storm;
    uint32_t left; /* events until the weather turns */
};

static enum cor_status begin_burst(struct cor_schedule_generator *generator,
                                   const struct cor_stream_name *name, struct cor_error *error) {
    (void)error;
    generator->rng = process_layer__draws(name, 0);
    generator->is_storm = true; /* calm comes first */
    generator->left = 0;
    return COR_OK;
}

static void fork_draws(struct cor_schedule_generator *generator, const struct cor_stream_name *name) {
    generator->rng = process_layer__draws(name, 0);
}

static enum cor_status next(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    struct process_layer__weights weights;
    struct cor_weather turned = *weather;
    (void)error;
    if (generator->left-- == 0) {
        generator->is_storm = !generator->is_storm;
        generator->left = cor_rng_below(&generator->rng, generator->is_storm ? STORM_MOST : CALM_MOST);
    }
    process_layer__weigh(weather, &generator->base.options, &weights);
    const double faults = generator->is_storm ? STORM : 0;
    for (int k = PROCESS_LAYER__CRASH; k <= PROCESS_LAYER__LEAVE; k++)
        weights.of[k] *= faults;
    for (int k = PROCESS_LAYER__RESTART; k <= PROCESS_LAYER__UNITE && generator->is_storm; k++)
        weights.of[k] /= STORM;
    if (weather->lose > 0)
        turned.lose = generator->is_storm ? STORM_LOSS : 0;
    process_layer__draw_event(generator->base.cluster, &generator->base.options, &turned, &weights,
                              &generator->rng, event);
    return COR_OK;
}

const struct cor_schedule_generator_kind cor_schedule_generator_burst = {
    .name = "burst",
    .meaning = "calm and storms by turns",
    .size = sizeof(struct cor_schedule_generator),
    .begin = begin_burst,
    .next = next,
    .fork = fork_draws,
};
