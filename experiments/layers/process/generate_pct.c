/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Priorities (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic
 * guarantees of finding bugs, ASPLOS 2010): links and disks have priorities drawn for each schedule, what can
 * happen on the highest does, and at a few random events the one that would be next gets the lowest. Alarms,
 * inputs and faults have no end by themselves and would keep all others from happening: they come at random
 * between. */
#include "generator_draws.h"

#include <stdlib.h>

#define CHANGE 50u /* one event in so many changes priorities */
#define BETWEEN 6u /* one event in so many is an alarm, an input, a fault */

struct cor_schedule_generator {
    struct cor_generator_base base;
    struct cor_rng rng;
    uint32_t count, lanes;
    uint32_t *order; /* owned; lanes, [to * count + from], then disks; the highest first */
};

static enum cor_status init(struct cor_schedule_generator *generator, struct cor_error *error) {
    generator->count = cor_cluster_process_count(generator->base.cluster);
    generator->lanes = generator->count * generator->count + generator->count;
    return cor_made(generator->order = cor_calloc(generator->lanes, sizeof *generator->order), error);
}

static void fini(struct cor_schedule_generator *generator) {
    free(generator->order);
}

static enum cor_status begin_pct(struct cor_schedule_generator *generator, const struct cor_stream_name *name,
                                 struct cor_error *error) {
    (void)error;
    generator->rng = process_layer__draws(name, 0);
    for (uint32_t lane = 0; lane < generator->lanes; lane++)
        generator->order[lane] = lane;
    cor_rng_shuffle(&generator->rng, generator->order, generator->lanes);
    return COR_OK;
}

static bool can_move(const struct cor_schedule_generator *generator,
                     const struct process_layer__choices *choices, uint32_t lane) {
    const uint32_t links = generator->count * generator->count;
    return lane < links ? cor_set_has(&choices->flying[lane / generator->count], lane % generator->count)
                        : cor_set_has(&choices->writing, lane - links);
}

/* Where in the order the highest is that can move; lanes: none can. */
static uint32_t highest(const struct cor_schedule_generator *generator,
                        const struct process_layer__choices *choices) {
    uint32_t at = 0;
    while (at < generator->lanes && !can_move(generator, choices, generator->order[at]))
        at++;
    return at;
}

static void make_lowest(struct cor_schedule_generator *generator, uint32_t at) {
    const uint32_t lane = generator->order[at];
    for (; at + 1 < generator->lanes; at++)
        generator->order[at] = generator->order[at + 1];
    generator->order[at] = lane;
}

static enum cor_status next(struct cor_schedule_generator *generator, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    const uint32_t links = generator->count * generator->count;
    struct process_layer__choices choices;
    (void)error;
    process_layer__look(generator->base.cluster, &choices);
    uint32_t at = highest(generator, &choices);
    if (at < generator->lanes && cor_rng_below(&generator->rng, CHANGE) == 0) {
        make_lowest(generator, at);
        at = highest(generator, &choices);
    }
    if (at == generator->lanes || cor_rng_below(&generator->rng, BETWEEN) == 0) {
        /* An alarm, an input, a fault or its end. */
        struct process_layer__weights weights;
        process_layer__weigh(weather, &generator->base.options, &weights);
        weights.of[PROCESS_LAYER__DELIVER] = weights.of[PROCESS_LAYER__DISK] = 0;
        process_layer__draw_event(generator->base.cluster, &generator->base.options, weather, &weights,
                                  &generator->rng, event);
        return COR_OK;
    }
    const uint32_t lane = generator->order[at];
    if (lane < links) {
        process_layer__draw_message(generator->base.cluster, &generator->base.options, weather,
                                    lane % generator->count, lane / generator->count, &generator->rng, event);
        return COR_OK;
    }
    *event = process_layer__draw_disk(&generator->base.options, weather, lane - links, &generator->rng);
    event->tick = cor_cluster_now(generator->base.cluster);
    return COR_OK;
}

const struct cor_schedule_generator_kind cor_schedule_generator_pct = {
    .name = "pct",
    .meaning = "priorities of links and disks, changed at random places",
    .size = sizeof(struct cor_schedule_generator),
    .init = init,
    .fini = fini,
    .begin = begin_pct,
    .next = next,
    .no_law = "it draws orders that are to be rare, not such as surroundings make",
};
