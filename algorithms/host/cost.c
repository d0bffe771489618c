/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The experiment's cost of a candidate, for algorithms that ask. The oracle has a measure of its own and does
 * not share this one: an algorithm that is misled here is found out there. */
#include "session.h"

#include <math.h>
#include <string.h>

/* Every agent once, no block empty. */
static int is_partitioning(const struct cor_task *task, uint32_t block_count, const uint32_t *block_start,
                           const uint32_t *members, uint32_t *seen) {
    uint32_t n = task->agent_count;
    if (block_count == 0 || block_count > n || block_start[0] != 0 || block_start[block_count] != n)
        return 0;
    for (uint32_t b = 0; b < block_count; b++)
        if (block_start[b] >= block_start[b + 1])
            return 0;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        if (members[i] >= n || seen[members[i]])
            return 0;
        seen[members[i]] = 1;
    }
    return 1;
}

/* Mean of column 0 minus `centre`: differences keep the digits that means of raw values lose. */
static double mean(const double *values, const uint32_t *members, uint32_t count, double centre) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[members[i]] - centre;
    return sum / count;
}

double cor__cost(enum cor_measure measure, const struct cor_task *task, uint32_t block_count,
                 const uint32_t *block_start, const uint32_t *members, uint32_t *seen) {
    if (!is_partitioning(task, block_count, block_start, members, seen))
        return (double)NAN;
    double centre = mean(task->values[0], task->members, task->agent_count, 0);
    double least = INFINITY, most = -INFINITY, squares = 0;
    for (uint32_t b = 0; b < block_count; b++) {
        double mu =
            mean(task->values[0], members + block_start[b], block_start[b + 1] - block_start[b], centre);
        least = mu < least ? mu : least;
        most = mu > most ? mu : most;
        squares += mu * mu;
    }
    switch (measure) {
    case COR_MEASURE_RANGE:
        return most - least;
    case COR_MEASURE_MAX_DEVIATION:
        return most > -least ? most : -least;
    case COR_MEASURE_RMS:
        return sqrt(squares / block_count);
    }
    return (double)NAN;
}
