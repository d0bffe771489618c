/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What generators of schedules share: draws, and what can happen next. */
#ifndef COR_PROCESS_LAYER_DRAWS_H
#define COR_PROCESS_LAYER_DRAWS_H

#include <corridor/schedule_generator.h>

/* The stream of a generator for a schedule of that name. */
static inline struct cor_rng process_layer__draws(const struct cor_stream_name *name, uint32_t entity) {
    struct cor_stream_name own = *name;
    own.entity = entity;
    own.purpose = COR_PURPOSE_SCHEDULE;
    return cor_rng_named(&own);
}

/* Uniform in a range of a weather. */
static inline uint32_t process_layer__between(struct cor_rng *rng, const uint32_t range[2]) {
    return (uint32_t)cor_rng_between(rng, range[0], range[1]);
}

static inline bool process_layer__allows(const struct cor_generator_options *options,
                                         enum cor_process_event_kind kind) {
    return !cor_process_event_is_fault(kind) || (options->allowed >> kind & 1) != 0;
}

/* An input, drawn by the weights of the program's inputs; false: it has none that comes by itself. */
bool process_layer__draw_input(const struct cor_process *program, struct cor_rng *rng, uint8_t *what);

/* The crash that a weather brings to a process: plain, torn, with a lost cell; 0 in `what` where it does not
 * matter. */
struct cor_process_event process_layer__draw_crash(const struct cor_cluster *cluster,
                                                   const struct cor_generator_options *options,
                                                   const struct cor_weather *weather, uint32_t process,
                                                   struct cor_rng *rng);

/* Which of the messages of its kind, in flight on that link, the one at `index` is. */
uint32_t process_layer__ordinal(const struct cor_flight *flight, uint32_t index);

#endif
