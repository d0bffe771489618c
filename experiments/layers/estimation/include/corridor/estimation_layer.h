/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimating as a layer of a campaign: a suite is a repetition. */
#ifndef CORRIDOR_ESTIMATION_LAYER_H
#define CORRIDOR_ESTIMATION_LAYER_H

#include <corridor/layer.h>

/* Its experiments are struct cor_estimation. */
extern const struct cor_layer cor_estimation_layer;

#endif
