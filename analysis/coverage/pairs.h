/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of states that two chains of a suite are in at the same case. */
#ifndef CORRIDOR_COVERAGE_PAIRS_H
#define CORRIDOR_COVERAGE_PAIRS_H

#include "law.h"

#include <corridor/coverage.h>

#define COR__PAIR_STATES_MAX (1u << 20) /* of each walk that are looked at: its first case and on */

/* What was seen of the pairs of the present suite. */
struct cor__pairs {
    size_t chains;                                       /* looked at */
    uint32_t chain[COR_COVERAGE_CHAINS_MAX];             /* their numbers, ascending */
    const struct cor__law *law[COR_COVERAGE_CHAINS_MAX]; /* borrowed */
    uint8_t *walk[COR_COVERAGE_CHAINS_MAX];              /* owned */
    size_t capacity[COR_COVERAGE_CHAINS_MAX], held[COR_COVERAGE_CHAINS_MAX];
    uint32_t *mark; /* owned; pair after pair: the sequence that last had these states, 0 = none */
    size_t mark_capacity, mark_count;
    uint32_t sequences;             /* ended so far */
    uint64_t of_chains;             /* pairs of chains of the suite */
    struct cor_pair_coverage found; /* of the suite */
};

void cor__pairs_fini(struct cor__pairs *pairs);

/* Chooses among the chains of a suite: all up to COR_COVERAGE_CHAINS_MAX, else that many, evenly spaced. */
void cor__pairs_choose(struct cor__pairs *pairs, size_t chain_count);

/* Once the laws of the chosen chains are set. */
enum cor_status cor__pairs_begin(struct cor__pairs *pairs, struct cor_error *error) COR_MUST_USE;

/* Takes part of the walk of chain `number`, if it is one of the chosen ones. */
enum cor_status cor__pairs_put(struct cor__pairs *pairs, size_t number, const uint8_t *states, size_t count,
                               struct cor_error *error) COR_MUST_USE;

/* Compares the walks of a sequence, and forgets them. */
void cor__pairs_end_sequence(struct cor__pairs *pairs);

/* Sums up the suite into pairs->found. */
void cor__pairs_end(struct cor__pairs *pairs);

/* Adds `count` units that saw `seen` in sum, of `possible` each; nothing if nothing is possible. */
void cor__covered_add(struct cor_covered *covered, double seen, double possible, uint64_t count);

/* Adds up. */
void cor__covered_merge(struct cor_covered *sum, const struct cor_covered *covered);
void cor__pairs_merge(struct cor_pair_coverage *sum, const struct cor_pair_coverage *pairs);

#endif
