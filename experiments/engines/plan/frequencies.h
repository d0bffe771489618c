/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often the system takes which of several outcomes: as the problem says, else by given weights, else as
 * was seen so far where the same ones were possible, each counted once beforehand. */
#ifndef COR_FREQUENCIES_H
#define COR_FREQUENCIES_H

#include "graph.h"

struct cor__frequencies {
    const double *weights; /* borrowed; [label]; NULL: learn */
    struct cor_pool keys;  /* of what was seen: rivals, outcome */
    uint64_t *counts;      /* owned; [key] */
    size_t count_capacity;
    uint64_t seen;
};

void cor__frequencies_init(struct cor__frequencies *frequencies, const double *weights);

/* The system took `label` where these were possible. */
enum cor_status cor__frequencies_learn(struct cor__frequencies *frequencies, const uint32_t *labels,
                                       uint32_t count, uint32_t label, struct cor_error *error) COR_MUST_USE;

/* The probabilities of the outcomes of an input, in place: what is not NaN stays. */
void cor__frequencies_fill(const struct cor__frequencies *frequencies, const uint32_t *labels, uint32_t count,
                           double *probabilities);

/* Frees what it holds. Idempotent. */
void cor__frequencies_fini(struct cor__frequencies *frequencies);

#endif
