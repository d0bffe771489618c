/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the law of an experiment is changed for an estimation. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_LAW_H
#define CORRIDOR_EXPERIMENTS_LAYERS_ESTIMATION_LAW_H

#include <corridor/estimation.h>

/* Steers walks to the trap, or to those of the arm, where the method weights; else walks follow the arm's
 * law. Tilts the probabilities that `tilt` (NULL: none) names, in estimation->tilted. */
enum cor_status estimation_layer__law_change(struct cor_estimation *estimation, const struct cor_json *root,
                                             const struct cor_json *tilt,
                                             struct cor_error *error) COR_MUST_USE;

/* Reads the region. `probability` is what was counted before, NaN: it is counted now, where it can be. */
enum cor_status estimation_layer__law_region(struct cor_estimation *estimation, const struct cor_json *root,
                                             double probability, struct cor_error *error) COR_MUST_USE;

#endif
