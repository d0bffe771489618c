/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CORRIDOR_MODEL_BRANCHING_H
#define CORRIDOR_MODEL_BRANCHING_H

#include <corridor/experiment.h>

/* Reads "branching" of an experiment, if it is there (docs/experiments.md). A suite of `sequences` sequences
 * with all their continuations may come to `sequences_max`. */
enum cor_status cor__branching_read(const struct cor_json *root, uint32_t sequences, uint32_t sequences_max,
                                    struct cor_branching *branching, struct cor_error *error) COR_MUST_USE;

#endif
