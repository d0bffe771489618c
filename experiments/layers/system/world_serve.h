/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world of ours as a program is one: by lines of JSON (docs/look-up/world-programs.md). */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WORLD_SERVE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_WORLD_SERVE_H

#include <corridor/json.h>
#include <corridor/live_world.h>

#include <stdio.h>

/* Who greets. All is borrowed from the request, and lives as long as the world. */
struct system_layer__greeting {
    uint64_t seed;
    const char *const *test_agents;
    uint32_t test_agent_count;
};

/* Makes the world that is served to those. */
typedef enum cor_status system_layer__open(void *context, const struct system_layer__greeting *greeting,
                                           struct cor_live_world **world, struct cor_error *error);

/* Answers requests of `in` to `out` until bye, or the end. What cannot be done is answered by "failed" and
 * why. COR_STATUS_INPUT: a line is no request. COR_STATUS_FILE: nobody hears. */
enum cor_status system_layer__serve(system_layer__open *open, void *context, FILE *in, FILE *out,
                                    struct cor_error *error);

#endif
