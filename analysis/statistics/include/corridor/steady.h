/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The long run of one sequence of numbers that hang together: where its warm-up ends, means of batches behind
 * it, and whether it still drifts there. */
#ifndef CORRIDOR_STEADY_H
#define CORRIDOR_STEADY_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COR_STEADY_LEAST 100      /* values; fewer say nothing of a long run */
#define COR_STEADY_BATCHES_MAX 32 /* behind the warm-up */

/* What a sequence says of its long run. */
struct cor_steady {
    bool is_long;   /* its warm-up ends in its first half, and means of long batches do not hang together */
    size_t warm_up; /* values that are left out */
    double mean;    /* of those behind */
    double trend;   /* mean of their second half less that of their first */
    bool drifts;    /* that is more than chance makes of one in a thousand, by the batches */
    uint32_t batch_count;                 /* 0: not is_long */
    double batch[COR_STEADY_BATCHES_MAX]; /* means of batches as long as each other, in their order */
};

/* Looks at the values. The warm-up ends where what is behind has the least marginal standard error, by means
 * of five (MSER-5: White, Cobb and Spratt 2000, A comparison of five steady-state truncation heuristics for
 * simulation), and as much again, for that depends on what is in front of it. Batches do not overlap: as many
 * as 64, 32, 16 or 8 of equal length whose means are not correlated by von Neumann's ratio at 0.1 (Fishman
 * 1978, Grouping observations in digital simulation), and then two as one. False: fewer than COR_STEADY_LEAST
 * values. */
bool cor_steady_find(const double *values, size_t count, struct cor_steady *steady);

/* The same of a sequence whose warm-up is known: mean and trend behind it, no batches. False: fewer than half
 * of COR_STEADY_LEAST values are behind it. */
bool cor_steady_behind(const double *values, size_t count, size_t warm_up, struct cor_steady *steady);

#define COR_STEADY_PILOTS 32

/* The warm-up of many sequences alike, by the mean of the first of them in each case: of one alone its end
 * depends on how the values happened to go, and the mean behind it, too. Begins with zeros. */
struct cor_steady_pilot {
    double *values;                /* owned; of the sequences that were taken, one behind the other */
    size_t end[COR_STEADY_PILOTS]; /* where each ends there */
    size_t capacity;
    uint32_t count;
    bool is_known;  /* all were taken: */
    size_t warm_up; /* values to leave out */
    bool is_steady; /* it ends in the first half */
    double trend;   /* else: mean of the second half less that of the first */
};

/* Takes the next sequence, as long as it is not known. COR_STATUS_MEMORY. */
enum cor_status cor_steady_pilot_take(struct cor_steady_pilot *pilot, const double *values, size_t count,
                                      struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_steady_pilot_fini(struct cor_steady_pilot *pilot);

#endif
