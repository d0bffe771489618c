/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often the system takes which of several outcomes: as the problem says, else by given weights, else as
 * was seen so far where the same ones were possible, each counted once beforehand. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_FREQUENCIES_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_FREQUENCIES_H

#include "state_graph.h"

struct plan__frequencies {
    const double *weights; /* borrowed; [label]; NULL: learn */
    struct cor_pool keys;  /* of what was seen: rivals, outcome */
    uint64_t *counts;      /* owned; [key] */
    size_t count_capacity;
    uint64_t seen;
};

void plan__frequencies_init(struct plan__frequencies *frequencies, const double *weights);

/* The system took `label` where these were possible. */
enum cor_status plan__frequencies_learn(struct plan__frequencies *frequencies, const uint32_t *labels,
                                        uint32_t count, uint32_t label, struct cor_error *error) COR_MUST_USE;

/* The probabilities of the outcomes of an input, in place: what is not NaN stays. */
void plan__frequencies_fill(const struct plan__frequencies *frequencies, const uint32_t *labels,
                            uint32_t count, double *probabilities);

/* Frees what it holds. Idempotent. */
void plan__frequencies_fini(struct plan__frequencies *frequencies);

#endif
