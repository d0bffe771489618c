/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The system layer (papers 001 and 002): test agents enter a running system and work towards goals. Its
 * experiments name a world, goals and tests; arms are worlds, changed or not, and policies; suites are tests
 * with their examples; cases are cycles. */
#ifndef CORRIDOR_SYSTEM_LAYER_H
#define CORRIDOR_SYSTEM_LAYER_H

#include <corridor/layer.h>

/* Its experiments are struct cor_system_experiment (system_experiment.h); their files have a member "system".
 */
extern const struct cor_layer cor_system_layer;

#endif
