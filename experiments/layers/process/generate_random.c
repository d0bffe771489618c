/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any event that is possible, by weights of their kinds. Time goes on with alarms alone. */
#include "generator_draws.h"

#include <corridor/array.h>

#include <stdlib.h>

struct cor_schedule_generator {
    const struct cor_cluster *cluster;
    struct cor_generator_options options;
    struct cor_rng rng;
};

static void destroy(struct cor_schedule_generator *generator) {
    free(generator);
}

static enum cor_status create(const struct cor_cluster *cluster, const struct cor_generator_options *options,
                              struct cor_schedule_generator **generator, struct cor_error *error) {
    *generator = cor_calloc(1, sizeof **generator);
    COR_TRY(cor_made(*generator, error));
    (*generator)->cluster = cluster;
    (*generator)->options = *options;
    return COR_OK;
}

static enum cor_status begin(struct cor_schedule_generator *generator, const struct cor_stream_name *name,
                             struct cor_error *error) {
    (void)error;
    generator->rng = process_layer__draws(name, 0);
    return COR_OK;
}

static enum cor_status next(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    struct process_layer__weights weights;
    (void)error;
    process_layer__weigh(weather, &generator->options, &weights);
    process_layer__draw_event(generator->cluster, &generator->options, weather, &weights, &generator->rng,
                              event);
    return COR_OK;
}

const struct cor_schedule_generator_kind cor_schedule_generator_random = {
    .name = "random",
    .meaning = "any possible event, by weights of their kinds",
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .next = next,
};
