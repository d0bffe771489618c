/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Swarm testing (Groce, Zhang, Eide, Chen, Regehr: Swarm testing, ISSTA 2012): each schedule has weights and
 * features of its own. Some kinds of faults never happen in it, others often; some processes are slow. What
 * is rare on average is common in a few. */
#include "generator_draws.h"

#define TIMES_MOST 3u /* weights are multiplied by a power of two: -3 .. 3 */
#define SLOW 8u       /* what is slow is passed over so often */

struct cor_schedule_generator {
    struct cor_generator_base base;
    struct cor_rng rng;
    double times[PROCESS_LAYER__DRAW_COUNT], lose;
    struct cor_process_set slow; /* what comes to these takes time */
};

static enum cor_status begin_swarm(struct cor_schedule_generator *generator,
                                   const struct cor_stream_name *name, struct cor_error *error) {
    static const double loss[] = {0, 0.05, 0.2, 0.5};
    struct cor_rng *rng = &generator->rng;
    (void)error;
    *rng = process_layer__draws(name, 0);
    struct cor_rng later =
        process_layer__draws(name, 2); /* of kinds that came later: the others draw what they did */
    for (int k = 0; k < PROCESS_LAYER__DRAW_COUNT; k++) {
        struct cor_rng *own = k == PROCESS_LAYER__UNITE || k >= PROCESS_LAYER__PART ? &later : rng;
        const uint32_t power = cor_rng_below(own, 2 * TIMES_MOST + 1), left_out = cor_rng_below(own, 4);
        generator->times[k] = (double)(1u << power) / (double)(1u << TIMES_MOST);
        if (k >= PROCESS_LAYER__CRASH && left_out == 0)
            generator->times[k] = 0;
    }
    generator->lose = loss[cor_rng_below(rng, 4)];
    const uint32_t count = cor_cluster_process_count(generator->base.cluster);
    const uint32_t slow = cor_rng_below(rng, count);
    generator->slow = process_layer__draw_subset(rng, count, slow);
    return COR_OK;
}

static void fork_draws(struct cor_schedule_generator *generator, const struct cor_stream_name *name) {
    generator->rng = process_layer__draws(name, 0);
}

static enum cor_status next(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    struct process_layer__weights weights;
    struct cor_weather drawn = *weather;
    (void)error;
    process_layer__weigh(weather, &generator->base.options, &weights);
    for (int k = 0; k < PROCESS_LAYER__DRAW_COUNT; k++)
        weights.of[k] *= generator->times[k];
    if (weather->lose > 0)
        drawn.lose = generator->lose;
    for (int tries = 0; tries < 8; tries++) {
        process_layer__draw_event(generator->base.cluster, &generator->base.options, &drawn, &weights,
                                  &generator->rng, event);
        if (event->kind == COR_PROCESS_EVENT_TICK || !cor_set_has(&generator->slow, event->process) ||
            cor_rng_below(&generator->rng, SLOW) == 0)
            break;
    }
    return COR_OK;
}

const struct cor_schedule_generator_kind cor_schedule_generator_swarm = {
    .name = "swarm",
    .meaning = "weights and features drawn for each schedule",
    .size = sizeof(struct cor_schedule_generator),
    .begin = begin_swarm,
    .next = next,
    .fork = fork_draws,
};
