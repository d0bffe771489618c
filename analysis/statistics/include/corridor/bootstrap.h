/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cluster bootstrap: intervals of any statistic when observations come in clusters (suites) that were
 * drawn independently, while the observations of one cluster are alike. Whole clusters are drawn again, with
 * replacement.
 *
 * Intervals are BCa, bias-corrected and accelerated (Efron, JASA 82, 1987; Efron and Tibshirani, An
 * Introduction to the Bootstrap, 1993, ch. 14):
 *
 * - The bias correction z0 is the normal quantile of the share of replicates below the estimate, equal ones
 *   counted half.
 * - The acceleration a is sum l^3 / 6 (sum l^2)^(3/2), where l is the jackknife over clusters: the mean of
 *   the estimates that leave one out, minus each of them. With several strata each sum is over strata s, and
 *   l^3, l^2 are weighted by ((m_s - 1) / m_s)^3 and ^2 (Davison and Hinkley, Bootstrap Methods, 1997, 5.3).
 * - The ends are quantiles (type 7) of the replicates at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), where z is
 *   the normal quantile of (1 -+ level) / 2.
 *
 * What the sample never shows no resample shows: of at most COR_FEW_SUITES clusters in a stratum there is no
 * interval (FEW_SUITES), of fewer than about ten it is rough, and a share of exactly 0 or 1 has none (see
 * descriptive.h). */
#ifndef CORRIDOR_BOOTSTRAP_H
#define CORRIDOR_BOOTSTRAP_H

#include <corridor/error.h>
#include <corridor/interval.h>
#include <corridor/rng.h>

#include <stdint.h>

#define COR_BOOTSTRAP_REPLICATES 2000

/* How the interval came about: COR_INTERVAL_BCA, as above; PERCENTILE, quantiles of the replicates at (1 -+
 * level) / 2, where BCa is not defined: all replicates on one side of the estimate, an estimate that leaves a
 * cluster out not defined or all of them alike, 1 - a (z0 + z) not positive; NONE: fewer than two clusters,
 * all replicates alike, the estimate or more than half of the replicates not defined. */
struct cor_bootstrap {
    double estimate;        /* of the data */
    double error;           /* standard deviation of the replicates; NaN without an interval */
    double low, high;       /* the interval; NaN without one */
    double bias_correction; /* z0; NaN but for BCa */
    double acceleration;    /* a; NaN but for BCa */
    uint32_t clusters;      /* that the data has */
    uint32_t replicates;    /* with a defined statistic; the others are left out */
    uint32_t without;       /* replicates left out */
    enum cor_interval method;
};

/* How often clusters are drawn again, and with what. */
struct cor_bootstrap_plan {
    uint32_t replicates; /* at least 1 */
    double level;        /* in (0, 1) */
    struct cor_rng *rng; /* borrowed; a stream of purpose COR_PURPOSE_BOOTSTRAP named by the caller */
};

/* 2000 replicates, 95 %. */
struct cor_bootstrap_plan cor_default_bootstrap(struct cor_rng *rng);

/* The statistic when cluster c occurs multiplicity[c] times; NaN where it is not defined (infinite counts as
 * NaN). */
typedef double cor_cluster_statistic(const uint32_t *multiplicity, uint32_t cluster_count, void *context);

/* Clusters in strata that are resampled each for itself: e.g. two arms that are compared. Clusters are
 * numbered stratum after stratum. */
struct cor_cluster_design {
    const uint32_t *stratum_size; /* borrowed: clusters of each stratum */
    uint32_t stratum_count;
    cor_cluster_statistic *statistic;
    void *context;
};

/* Interval of any statistic. Calls it once for the data, once a replicate and once a cluster. Draws one
 * number a cluster and replicate from plan->rng. COR_STATUS_MEMORY. */
enum cor_status cor_bootstrap_clusters(const struct cor_bootstrap_plan *plan,
                                       const struct cor_cluster_design *design, struct cor_bootstrap *result,
                                       struct cor_error *error) COR_MUST_USE;

/* The same as an estimate: suites and n are the clusters. */
struct cor_estimate cor_bootstrap_estimate(const struct cor_bootstrap *made);

/* Interval of sum y / sum x, where cluster c contributes the sum y[c] over x[c] observations: all means of
 * the tables are such. Clusters with x = 0 are resampled as the others; leave them out to get the interval
 * given that a cluster has observations, as the linearised one is. Draws the same clusters as
 * cor_bootstrap_clusters from a stream of the same name, and is faster. */
enum cor_status cor_bootstrap_ratio(const struct cor_bootstrap_plan *plan, const double *y, const double *x,
                                    uint32_t cluster_count, struct cor_bootstrap *result,
                                    struct cor_error *error) COR_MUST_USE;

#endif
