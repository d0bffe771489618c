/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model layer (paper 004): can a tester steer a system to a goal, and is what it did allowed? Its
 * experiments name a model; arms are planners against systems, suites tests on line, cases moves. */
#ifndef CORRIDOR_MODEL_LAYER_H
#define CORRIDOR_MODEL_LAYER_H

#include <corridor/layer.h>

/* Its experiments are struct cor_model_experiment; their files have a member "efsm". */
extern const struct cor_layer cor_model_layer;

#endif
