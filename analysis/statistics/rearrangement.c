/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/rearrangement.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>

/* A cluster as it lies in one side: what it shows, and how much. */
struct dealt {
    double y, x;
};

static double ratio_of(const struct dealt *dealt, uint32_t count, double *size) {
    double y = 0;
    *size = 0;
    for (uint32_t i = 0; i < count; i++) {
        y += dealt[i].y;
        *size += dealt[i].x;
    }
    return *size > 0 ? y / *size : (double)NAN;
}

/* What a cluster adds to the error of its side's ratio. */
static double residual(const struct dealt *dealt, double ratio, double size) {
    return (dealt->y - ratio * dealt->x) / size;
}

/* Adds the difference of a pair whose second side lies behind the first, and its variance. */
static void add_pair(const struct cor_ratio_pair *pair, const struct dealt *dealt, double *difference,
                     double *variance) {
    const uint32_t count = pair->side[0].cluster_count, others = pair->side[1].cluster_count;
    double size[2];
    const double first = ratio_of(dealt, count, &size[0]), second = ratio_of(dealt + count, others, &size[1]);
    *difference += first - second;
    if (pair->in_common) {
        for (uint32_t i = 0; i < count; i++) {
            const double off =
                residual(&dealt[i], first, size[0]) - residual(&dealt[count + i], second, size[1]);
            *variance += off * off;
        }
        return;
    }
    for (uint32_t i = 0; i < count + others; i++) {
        const double off =
            i < count ? residual(&dealt[i], first, size[0]) : residual(&dealt[i], second, size[1]);
        *variance += off * off;
    }
}

/* The difference over its error: 0 where there is none, without end where nothing varies beside it. */
static double statistic(const struct cor_ratio_pair *pairs, size_t pair_count, const struct dealt *dealt) {
    double difference = 0, variance = 0;
    for (size_t p = 0; p < pair_count; p++) {
        add_pair(&pairs[p], dealt, &difference, &variance);
        dealt += pairs[p].side[0].cluster_count + pairs[p].side[1].cluster_count;
    }
    /* Sums of the same numbers in another order differ in their last bits. */
    if (fabs(difference) <= 1e-9 * sqrt(variance) || isnan(difference))
        return difference * 0;
    return difference / sqrt(variance);
}

static void swap(struct dealt *one, struct dealt *other) {
    const struct dealt held = *one;
    *one = *other;
    *other = held;
}

static void rearrange(const struct cor_ratio_pair *pairs, size_t pair_count, struct cor_rng *rng,
                      struct dealt *dealt) {
    for (size_t p = 0; p < pair_count; p++) {
        const uint32_t count = pairs[p].side[0].cluster_count, others = pairs[p].side[1].cluster_count;
        if (pairs[p].in_common)
            for (uint32_t i = 0; i < count; i++) {
                if (cor_rng_below(rng, 2) == 1)
                    swap(&dealt[i], &dealt[count + i]);
            }
        else
            for (uint32_t left = count + others; left > 1; left--) {
                const uint32_t other = cor_rng_below(rng, left);
                swap(&dealt[left - 1], &dealt[other]);
            }
        dealt += count + others;
    }
}

/* Deals the clusters of a pair that take part, and says how many each side has. How often something could be
 * observed is the side's own affair: a rearrangement keeps it. */
static void take_part(const struct cor_ratio_pair *given, struct cor_ratio_pair *pair, struct dealt *dealt) {
    *pair = *given;
    uint32_t place = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const struct cor_ratio_group *group = &given->side[side];
        pair->side[side].cluster_count = 0;
        for (uint32_t c = 0; c < group->cluster_count; c++) {
            if (!(group->x[c] > 0) || (given->in_common && !(given->side[!side].x[c] > 0)))
                continue;
            dealt[place++] = (struct dealt){group->y[c], group->x[c]};
            pair->side[side].cluster_count++;
        }
    }
}

enum cor_status cor_rearrange_ratios(const struct cor_ratio_pair *given, size_t pair_count,
                                     struct cor_rng *rng, struct cor_rearranged *p, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t clusters = 0;
    *p = (struct cor_rearranged){NAN, NAN};
    for (size_t i = 0; i < 2 * pair_count; i++)
        clusters += given[i / 2].side[i % 2].cluster_count;
    struct dealt *dealt = cor_calloc(clusters, sizeof *dealt), *next = dealt;
    struct cor_ratio_pair *pairs = cor_calloc(pair_count, sizeof *pairs);
    if (!dealt || !pairs)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t i = 0; i < pair_count; i++) {
        COR_ASSERT(!given[i].in_common || given[i].side[1].cluster_count == given[i].side[0].cluster_count);
        take_part(&given[i], &pairs[i], next);
        next += pairs[i].side[0].cluster_count + pairs[i].side[1].cluster_count;
    }
    const double seen = statistic(pairs, pair_count, dealt);
    if (isnan(seen))
        goto out;
    const double slack = isfinite(seen) ? 1e-9 * fabs(seen) : 0; /* the same, but for rounding */
    uint32_t above = 1, below = 1;
    for (uint32_t i = 0; i < COR_REARRANGEMENTS; i++) {
        rearrange(pairs, pair_count, rng, dealt);
        const double drawn = statistic(pairs, pair_count, dealt);
        above += drawn >= seen - slack;
        below += drawn <= seen + slack;
    }
    *p = (struct cor_rearranged){(double)above / (1 + COR_REARRANGEMENTS),
                                 (double)below / (1 + COR_REARRANGEMENTS)};
out:
    free(dealt);
    free(pairs);
    return status;
}
