/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: what an algorithm counts, and whether it can be. The cells that it is lent lie apart from
 * each other, so that a bucket that there is not is found out; what it says of its fault and its budget is
 * judged when the reorganization is over, before anybody builds on it. */
#ifndef CORRIDOR_ALGORITHMS_HOST_COUNTED_H
#define CORRIDOR_ALGORITHMS_HOST_COUNTED_H

#include "session.h"

/* Cells before, between and behind the counters. */
#define HOST__GAP 32u

/* Nobody counts so far in one reorganization: a count below 0 or behind its end is more. Figures are exact up
 * to here. */
#define HOST__COUNT_MOST ((uint64_t)1 << 53)

/* Cells that are lent for the counters of an algorithm, gaps included. */
uint32_t host__cells_count(const struct cor_algorithm *algorithm);

/* The first cell of each counter; further ones, up to `entries`, lead into the last gap. */
void host__cells_lay(const struct cor_algorithm *algorithm, uint32_t *start, uint32_t entries);

/* Adds what was counted in the cells that were lent to the session's counters, and clears them. What cannot
 * be is not added; then false, and `text` says what. */
bool host__cells_fold(struct cor_session *session, uint64_t *cells, char *text, size_t size);

/* Adds to a count, which stops at its end instead of beginning anew. */
static inline void host__count_add(uint64_t *count, uint64_t more) {
    *count = more <= UINT64_MAX - *count ? *count + more : UINT64_MAX;
}

/* Can the outcome of a task be counted so? `own`: what the testbed counts of its own faults, where the task
 * has none of the algorithm's; NULL: not known. False, and `text` says why not: then what cannot be is 0, or
 * the testbed's. */
bool host__counts_judge(const struct cor_task *task, const struct cor_fault_counts *own,
                        struct cor_outcome *outcome, char *text, size_t size);

#endif
