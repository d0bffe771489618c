/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process layer: distributed programs under test, in virtual time. Its experiments name a program, a
 * corridor and an environment; a suite is some schedules, a sequence one of them, a case a span of ticks. */
#ifndef CORRIDOR_PROCESS_LAYER_H
#define CORRIDOR_PROCESS_LAYER_H

#include <corridor/layer.h>

/* Its experiments are struct cor_process_experiment (process_experiment.h); their files have a member
 * "process". */
extern const struct cor_layer cor_process_layer;

#endif
