/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many test cases until a fault is found, how many of its failures stay masked, and which check of the
 * oracle sees it. A sequence without a detection only says that its depth exceeds its length: depths are
 * right-censored survival times (survival.h), never a mean of those that were found. */
#ifndef CORRIDOR_DEPTHS_H
#define CORRIDOR_DEPTHS_H

#include <corridor/estimate.h>
#include <corridor/result.h>
#include <corridor/survival.h>
#include <corridor/sheet.h>

#define COR_DEPTH_POINTS 4 /* depths at which survival is given: 10, 50, 100, 500 cases */
extern const uint32_t cor_depth_point[COR_DEPTH_POINTS];

#define COR_DEPTH_PAIRS 40 /* arms up to which each is tested against each */

/* What can see a failure: a check of the oracle through a box, or smoke. Indices are private; words below. */
#define COR_OLD_KILLERS ((COR_BOX_INTERIM + 1) * 16)

/* "gray.agent_missing", "black.structure_differs", "detect.alarm_missed", "smoke" ... into `text`; returns
 * it.
 */
const char *cor_old_killer_word(size_t killer, char text[64]);

/* "C1" to "C5", "C7", "R-Detect"; "" for smoke. */
const char *cor_old_killer_rule(size_t killer);

/* What one of these saw in an arm. */
struct cor_old_kill {
    uint64_t cases;    /* test cases in which it was violated */
    uint64_t failures; /* of those, with an activated fault */
    uint64_t alone;    /* of the cases, those in which nothing else was violated */
    uint64_t sequences, suites;
};

/* A quantile over suites; low, high: of resampled suites, NaN if not reached within what was observed. */
struct cor_depth_median {
    double cases, low, high;
    const char *method; /* "percentile" or "none" */
};

struct cor_depth_arm {
    const char *name; /* borrowed from the result */
    uint64_t suites, sequences, detected, censored;
    struct cor_survival curve; /* owned; its errors and bounds take sequences as independent */
    struct cor_depth_median median;
    struct cor_old_estimate survival[COR_DEPTH_POINTS]; /* share of sequences without a detection up to there */
    struct cor_old_estimate restricted_mean;            /* of the smaller of depth and horizon */
    uint32_t without; /* replicates of the restricted mean left out: their curve ends before the horizon */
    uint64_t entered, gray, black, masked; /* failures: with an activated fault; of them */
    struct cor_old_estimate gray_share, black_share, masked_share; /* of failures */
    uint64_t suites_entered, suites_detecting;                 /* with a failure; with one that a box saw */
    struct cor_old_estimate suite_share;                           /* the second of the first */
    struct cor_old_kill kill[COR_OLD_KILLERS];
};

struct cor_depths {
    const struct cor_result_header *head; /* borrowed */
    double level, horizon;
    int box; /* 0 = any, COR_BOX_GRAY, COR_BOX_BLACK: through which a detection counts for the curves */
    uint64_t left_out; /* sequences that continue failed ones (branching): they would count failures twice */
    struct cor_depth_arm *arm; /* owned; in the order of catalog/arm */
    size_t arm_count;
    struct cor_log_rank all; /* over all arms; takes sequences as independent */
    struct cor_log_rank
        *pair;      /* owned; as cor_log_rank_pairs; NULL for one arm or more than COR_DEPTH_PAIRS */
    double *p_holm; /* owned; of the pairs */
};

struct cor_depths_wish {
    double level;   /* of the intervals, 0.5 .. 0.9999 */
    double horizon; /* cases, > 0; 0 = the greatest that in every arm half of the suites reach, or have only
                       detections before */
    int box;
};

/* Reads the result, which stays open and must outlive the depths. COR_STATUS_INPUT for a file that
 * contradicts itself. Memory depends on the number of sequences and on the largest suite. Draws from streams
 * of purpose COR_PURPOSE_BOOTSTRAP named by the seed of the file: the same file gives the same figures. */
enum cor_status cor_depths_create(struct cor_result *result, const struct cor_depths_wish *wish,
                                  struct cor_depths **depths, struct cor_error *error) COR_MUST_USE;

/* Frees the depths. NULL is allowed. */
void cor_depths_destroy(struct cor_depths *depths);

#endif
