/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of states that two chains of a suite are in at the same case. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_PAIRS_H
#define CORRIDOR_ANALYSIS_COVERAGE_PAIRS_H

#include "profile_law.h"

#include <corridor/coverage.h>

#define COVERAGE__PAIR_STATES_MAX (1u << 20) /* of each walk that are looked at: its first case and on */

/* What was seen of the pairs of the present suite. */
struct coverage__pairs {
    size_t chains;                                            /* looked at */
    uint32_t chain[COR_COVERAGE_CHAINS_MAX];                  /* their numbers, ascending */
    const struct coverage__law *law[COR_COVERAGE_CHAINS_MAX]; /* borrowed */
    uint8_t *walk[COR_COVERAGE_CHAINS_MAX];                   /* owned */
    size_t capacity[COR_COVERAGE_CHAINS_MAX], held[COR_COVERAGE_CHAINS_MAX];
    uint32_t *mark; /* owned; pair after pair: the sequence that last had these states, 0 = none */
    size_t mark_capacity, mark_count;
    uint32_t sequences;             /* ended so far */
    uint64_t of_chains;             /* pairs of chains of the suite */
    struct cor_pair_coverage found; /* of the suite */
};

void coverage__pairs_fini(struct coverage__pairs *pairs);

/* Chooses among the chains of a suite: all up to COR_COVERAGE_CHAINS_MAX, else that many, evenly spaced. */
void coverage__pairs_choose(struct coverage__pairs *pairs, size_t chain_count);

/* Once the laws of the chosen chains are set. */
enum cor_status coverage__pairs_begin(struct coverage__pairs *pairs, struct cor_error *error) COR_MUST_USE;

/* Takes part of the walk of chain `number`, if it is one of the chosen ones. */
enum cor_status coverage__pairs_put(struct coverage__pairs *pairs, size_t number, const uint8_t *states,
                                    size_t count, struct cor_error *error) COR_MUST_USE;

/* Compares the walks of a sequence, and forgets them. */
void coverage__pairs_end_sequence(struct coverage__pairs *pairs);

/* Sums up the suite into pairs->found. */
void coverage__pairs_end(struct coverage__pairs *pairs);

/* Adds `count` units that saw `seen` in sum, of `possible` each; nothing if nothing is possible. */
void coverage__covered_add(struct cor_covered *covered, double seen, double possible, uint64_t count);

/* Adds up. */
void coverage__covered_merge(struct cor_covered *sum, const struct cor_covered *covered);
void coverage__pairs_merge(struct cor_pair_coverage *sum, const struct cor_pair_coverage *pairs);

#endif
