/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times to an event that is not always seen: a sequence without a detection only says that the depth exceeds
 * its length. Observation i ends at time[i] >= 0, finite; event[i] says whether by the event or by censoring.
 * At equal times events come before censorings. A time that is none: COR_STATUS_INPUT.
 *
 * The errors and intervals of this header take observations as independent, but for cor_survival_bootstrap.
 * Textbook: Klein and Moeschberger, Survival Analysis, 2nd ed., 2003 (below: KM). */
#ifndef CORRIDOR_SURVIVAL_H
#define CORRIDOR_SURVIVAL_H

#include <corridor/bootstrap.h>
#include <corridor/descriptive.h>

#include <stdbool.h>
#include <stddef.h>

/* The curve from `time` on (included), up to the next step. */
struct cor_survival_step {
    double time;
    uint64_t at_risk, events, censored; /* at_risk: just before `time`; the others: at `time` */
    double survival;                    /* P(event later than `time`): Kaplan and Meier, JASA 53, 1958 */
    double error;                       /* Greenwood's; 0 before the first event, NaN where survival is 0 */
    struct cor_bounds bounds; /* pointwise, on the scale log(-log S) (KM 4.3); NaN where survival is 0 or 1 */
};

/* A Kaplan-Meier curve; `level` is that of its bounds. */
struct cor_survival {
    size_t n;
    uint64_t events;
    double level;
    struct cor_survival_step *step; /* owned; a step each different time, in ascending order */
    size_t step_count;              /* 0 for n = 0 */
};

/* The Kaplan-Meier curve of n observations. `curve` is overwritten; free it with cor_survival_fini. */
enum cor_status cor_survival_init(struct cor_survival *curve, const double *time, const bool *event, size_t n,
                                  double level, struct cor_error *error) COR_MUST_USE;

/* Frees what the curve holds. Idempotent. */
void cor_survival_fini(struct cor_survival *curve);

/* The curve at a time >= 0: S with error and bounds; survival 1 before the first step. All NaN behind the
 * last time unless the curve has come down to 0 there, and for an empty curve: nothing is known. */
struct cor_survival_step cor_survival_at(const struct cor_survival *curve, double time);

/* A quantile with its interval; NaN where the curve (its upper, its lower bound) does not come down far
 * enough. */
struct cor_survival_quantile {
    double time, low, high; /* high NaN: no upper end within what was observed */
};

/* The time by which the share p in (0, 1) has had the event: the smallest with S <= 1 - p; 0.5 is the median.
 * The interval has all times at which the pointwise interval holds 1 - p (Brookmeyer and Crowley, Biometrics
 * 38, 1982; KM 4.5). R takes the middle where S equals 1 - p between two steps, this does not. */
struct cor_survival_quantile cor_survival_quantile(const struct cor_survival *curve, double p);

/* The mean time to the event, cut at a horizon. NaN where not available. */
struct cor_restricted_mean {
    double mean;  /* of min(time, horizon) */
    double error; /* 0 if there is no event before the horizon */
    struct cor_bounds
        bounds; /* normal approximation at the level of the curve, within 0 .. horizon; NaN if error is 0 */
};

/* The area under the curve up to `horizon` >= 0, with its error (KM 4.5; Irwin, J. Hygiene 47, 1949). All NaN
 * where the curve is not known up to the horizon: see cor_survival_at. */
struct cor_restricted_mean cor_survival_restricted_mean(const struct cor_survival *curve, double horizon);

/* A figure of a curve that can be bootstrapped. */
enum cor_survival_figure {
    COR_SURVIVAL_AT_HORIZON,      /* S(horizon) */
    COR_SURVIVAL_RESTRICTED_MEAN, /* up to the horizon */
};

/* Observations that come in clusters: cluster[i] < cluster_count. */
struct cor_clustered_times {
    const double *time; /* borrowed, like the others */
    const bool *event;
    const uint32_t *cluster;
    size_t n;
    uint32_t cluster_count; /* clusters without observations take part */
};

/* One of these figures with its interval by the cluster bootstrap (bootstrap.h). A resample whose curve is
 * not known up to the horizon has no figure: choose a horizon that many clusters reach. */
enum cor_status cor_survival_bootstrap(const struct cor_bootstrap_plan *plan,
                                       const struct cor_clustered_times *times,
                                       enum cor_survival_figure figure, double horizon,
                                       struct cor_bootstrap *result, struct cor_error *error) COR_MUST_USE;

/* The same as an estimate over clusters, those counted that were observed up to the horizon, by their event
 * or beyond; a share of nothing or of all has the interval of Clopper and Pearson on their number. *without:
 * replicates left out. Clusters ascend, here and below. */
enum cor_status cor_survival_estimate(const struct cor_bootstrap_plan *plan,
                                      const struct cor_clustered_times *times,
                                      enum cor_survival_figure figure, double horizon,
                                      struct cor_estimate *estimate, uint32_t *without,
                                      struct cor_error *error) COR_MUST_USE;

/* The median, NaN if more than half are without an event; its interval has percentiles of the medians of
 * resampled clusters, an end that is not reached is NaN. */
enum cor_status cor_survival_estimate_median(const struct cor_bootstrap_plan *plan,
                                             const struct cor_clustered_times *times,
                                             struct cor_estimate *median,
                                             struct cor_error *error) COR_MUST_USE;

/* Up to where half of the clusters have a time under observation: from ten clusters on, hardly a resample is
 * without any of these. Clusters with nothing but events set no limit, and neither does a curve that comes
 * down to 0: infinity. */
enum cor_status cor_survival_reach(const struct cor_clustered_times *times, double *reach,
                                   struct cor_error *error) COR_MUST_USE;

/* The test that groups have one curve: differences between seen and expected events, with the hypergeometric
 * covariance (Mantel, Cancer Chemother. Rep. 50, 1966; Peto and Peto, JRSS A 135, 1972; KM 7.3). */
struct cor_log_rank {
    double chi_square; /* NaN if df is 0 */
    uint32_t df;       /* rank of the covariance: groups that can be told apart, less one */
    double p;          /* NaN if df is 0 */
};

/* group[i] < group_count. `expected` may be NULL or gets the expected events of each group. */
enum cor_status cor_log_rank(const double *time, const bool *event, const uint32_t *group, size_t n,
                             uint32_t group_count, struct cor_log_rank *test, double *expected,
                             struct cor_error *error) COR_MUST_USE;

/* Clusters of observations that belong to groups: suites to arms. */
struct cor_grouped_clusters {
    const uint32_t *cluster; /* [observation] below cluster_count */
    uint32_t *group;         /* [cluster] below group_count; exchanged and put back */
    const uint32_t *block;   /* [cluster] below cluster_count: exchanged only with others of its block (suites
                                that arms share); NULL: with any */
    uint32_t cluster_count, group_count;
};

/* The log-rank statistic against what it is when whole clusters change their groups at random: observations
 * of one cluster are alike, which the test's own p does not know. p = (1 + rearrangements whose statistic is
 * at least as large) / (1 + rearrangements), exact for any dependence within clusters if groups do not differ
 * (Phipson and Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010). test->p is this one; NaN where the test has no
 * degree of freedom. Draws from `rng`, a stream of purpose COR_PURPOSE_PERMUTATION. COR_STATUS_MEMORY. */
enum cor_status cor_log_rank_permuted(const double *time, const bool *event, size_t n,
                                      const struct cor_grouped_clusters *clusters, uint32_t rearrangements,
                                      struct cor_rng *rng, struct cor_log_rank *test,
                                      struct cor_error *error) COR_MUST_USE;

#endif
