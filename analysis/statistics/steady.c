/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/steady.h>

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIVE 5
#define TRIED_MOST (2 * COR_STEADY_BATCHES_MAX)
#define TRIED_LEAST 8
#define ONE_SIDED_TENTH 1.2815515655446004 /* quantile 0.9 of the normal law */

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* How many means of five are best left out: the squared standard error of those behind is least. From behind
 * on, so that sums grow by what comes in. */
static size_t find_warm_up(const double *values, size_t fives) {
    double mean = 0, squares = 0, least = INFINITY;
    size_t best = 0;
    for (size_t behind = 1; behind <= fives; behind++) {
        const size_t at = fives - behind;
        const double five = mean_of(values + at * FIVE, FIVE), before = mean;
        mean += (five - before) / (double)behind;
        squares += (five - before) * (five - mean);
        if (at > fives / 2)
            continue;
        const double error = squares / ((double)behind * (double)behind);
        if (error <= least) { /* of equal ones the earliest */
            least = error;
            best = at;
        }
    }
    return best;
}

/* Are means of neighbours alike, beyond what chance makes of 90 in 100 that are not? */
static bool hang_together(const double *means, uint32_t count) {
    const double middle = mean_of(means, count);
    double squares = 0, steps = 0;
    for (uint32_t i = 0; i < count; i++) {
        squares += (means[i] - middle) * (means[i] - middle);
        if (i > 0)
            steps += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
    }
    if (squares == 0)
        return false;
    const double n = count, correlation = 1 - steps / squares / 2;
    return correlation * sqrt((n * n - 1) / (n - 2)) > ONE_SIDED_TENTH;
}

static void find_batches(const double *values, size_t count, struct cor_steady *steady) {
    for (uint32_t tried = TRIED_MOST; tried >= TRIED_LEAST; tried /= 2) {
        double means[TRIED_MOST];
        const size_t length = count / tried, first = count - tried * length;
        if (length == 0)
            continue;
        for (uint32_t i = 0; i < tried; i++)
            means[i] = mean_of(values + first + i * length, length);
        if (hang_together(means, tried))
            continue;
        steady->batch_count = tried / 2;
        for (uint32_t i = 0; i < tried / 2; i++)
            steady->batch[i] = (means[2 * i] + means[2 * i + 1]) / 2;
        return;
    }
}

/* Student's t of the batches of both halves. */
static bool drift(const double *batches, uint32_t count) {
    const uint32_t half = count / 2;
    const double first = mean_of(batches, half), second = mean_of(batches + half, half);
    double squares = 0;
    for (uint32_t i = 0; i < 2 * half; i++) {
        const double from = batches[i] - (i < half ? first : second);
        squares += from * from;
    }
    const double error = sqrt(squares / (2 * half - 2.0) * 2 / half);
    return fabs(second - first) > gsl_cdf_tdist_Qinv(0.0005, 2 * half - 2.0) * error;
}

static void find_means(const double *behind, size_t left, struct cor_steady *steady) {
    const size_t half = left / 2;
    steady->mean = mean_of(behind, left);
    steady->trend = mean_of(behind + (left - half), half) - mean_of(behind, half);
}

bool cor_steady_find(const double *values, size_t count, struct cor_steady *steady) {
    *steady = (struct cor_steady){.mean = NAN, .trend = NAN};
    if (count < COR_STEADY_LEAST)
        return false;
    const size_t fives = count / FIVE, out = find_warm_up(values, fives);
    /* Where it is least depends on how the values just went; as many again are left out, so that those behind
     * do not know of it. */
    steady->warm_up = (out < fives / 4 ? 2 * out : fives / 2) * FIVE;
    const double *behind = values + steady->warm_up;
    const size_t left = count - steady->warm_up;
    find_means(behind, left, steady);
    if (out < fives / 2)
        find_batches(behind, left, steady);
    steady->drifts = steady->batch_count > 0 && drift(steady->batch, steady->batch_count);
    steady->is_long = steady->batch_count > 0;
    return true;
}

bool cor_steady_behind(const double *values, size_t count, size_t warm_up, struct cor_steady *steady) {
    *steady = (struct cor_steady){.warm_up = warm_up, .mean = NAN, .trend = NAN};
    if (count < warm_up + COR_STEADY_LEAST / 2)
        return false;
    find_means(values + warm_up, count - warm_up, steady);
    return true;
}

/* The mean of the sequences in each case that at least half of them have. */
static enum cor_status find_curve(const struct cor_steady_pilot *pilot, double **curve, size_t *length,
                                  struct cor_error *error) {
    size_t longest = 0, begin = 0;
    for (uint32_t i = 0; i < pilot->count; begin = pilot->end[i++])
        longest = pilot->end[i] - begin > longest ? pilot->end[i] - begin : longest;
    double *sum = *curve = cor_calloc(longest + 1, sizeof *sum);
    COR_TRY(cor_made(sum, error));
    for (*length = 0; *length < longest; ++*length) {
        uint32_t have = 0;
        begin = 0;
        for (uint32_t i = 0; i < pilot->count; begin = pilot->end[i++])
            if (pilot->end[i] - begin > *length) {
                sum[*length] += pilot->values[begin + *length];
                have++;
            }
        if (2 * have < pilot->count)
            break;
        sum[*length] /= have;
    }
    return COR_OK;
}

enum cor_status cor_steady_pilot_take(struct cor_steady_pilot *pilot, const double *values, size_t count,
                                      struct cor_error *error) {
    const size_t begin = pilot->count > 0 ? pilot->end[pilot->count - 1] : 0;
    struct cor_steady steady;
    double *curve;
    size_t length;
    COR_ASSERT(!pilot->is_known);
    COR_TRY(COR_RESERVE(&pilot->values, &pilot->capacity, begin + count, error));
    memcpy(pilot->values + begin, values, count * sizeof *values);
    pilot->end[pilot->count++] = begin + count;
    if (pilot->count < COR_STEADY_PILOTS)
        return COR_OK;
    COR_TRY(find_curve(pilot, &curve, &length, error));
    pilot->is_known = true;
    cor_steady_find(curve, length, &steady);
    pilot->warm_up = steady.warm_up;
    pilot->trend = steady.trend;
    pilot->is_steady = length >= COR_STEADY_LEAST && steady.warm_up < length / FIVE / 2 * FIVE;
    free(curve);
    return COR_OK;
}

void cor_steady_pilot_fini(struct cor_steady_pilot *pilot) {
    free(pilot->values);
    *pilot = (struct cor_steady_pilot){0};
}
