/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to this room. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_AGENT_AGENT_EXPERIMENT_H
#define CORRIDOR_EXPERIMENTS_LAYERS_AGENT_AGENT_EXPERIMENT_H

#include <corridor/agent_layer.h>

/* The experiment of the file at `path`, of which `root` is the value; of the options, traffic. */
enum cor_status agent_layer__agent_experiment_read(const char *path, const struct cor_json *root,
                                                   const struct cor_layer_options *options,
                                                   struct cor_agent_experiment **experiment,
                                                   struct cor_error *error) COR_MUST_USE;

/* What an arm's agent is opened by, but for its fault and its code. */
struct cor_aut_definition agent_layer__aut_of(const struct cor_agent_experiment *experiment,
                                              const struct cor_agent_arm *arm);

#endif
