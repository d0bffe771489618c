/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two result files, A and B: does the algorithm of B do its work otherwise than that of A? Each suite is one
 * observation of each metric shown in performance, as those within a suite are alike; and of how often each
 * constraint of a corridor as text is violated, through each box. */
#ifndef CORRIDOR_COMPARE_H
#define CORRIDOR_COMPARE_H

#include <corridor/measurement.h>
#include <corridor/two_samples.h>

#define COR_COMPARE_FEW 10 /* repetitions below which there is a warning */

/* Whose values are claimed to be higher: only where p_holm < 1 - level, and ranks and means agree. */
enum cor_compare_verdict { COR_COMPARE_NO_CLAIM, COR_COMPARE_A_HIGHER, COR_COMPARE_B_HIGHER };

/* "no_difference_claimed", "A_higher", "B_higher". */
const char *cor_compare_verdict_word(enum cor_compare_verdict verdict);

/* One metric of one pair of arms. What is not available is NaN. */
struct cor_compared {
    uint64_t n[2];                  /* suites with a value; paired: in both, the same number twice */
    struct cor_estimate value[2];   /* mean over suites, each counting alike */
    struct cor_estimate difference; /* B less A */
    struct cor_rank_test test; /* paired: Wilcoxon's signed rank; else Mann and Whitney's U; of B against A */
    double p_holm;             /* after Holm, over all metrics of all arms */
    struct cor_effect_size effect; /* A12: chance that a suite of B has the greater value */
    enum cor_compare_verdict verdict;
    int better; /* of B, where a difference is claimed and the metric has a direction: 1, -1; else 0 */
    const char *not_compared; /* why, NULL = compared */
};

/* How often a constraint of a corridor as text is violated, as a box saw it: in % of the test cases that
 * were executed (detect), of solutions (gray) and structures after adoption (black) that were judged, of
 * sequences (time), where it was known. Lower is better. */
struct cor_compared_constraint {
    const char *name; /* borrowed from the results */
    enum cor_box box;
    struct cor_compared compared;
};

/* An arm of A beside one of B; in arrays of two, [0] is A and [1] is B. */
struct cor_compared_arms {
    const char *name[2]; /* borrowed from the results */
    uint64_t suites[2];
    uint64_t common, equal; /* suites of the same number; thereof with equal configuration and walks */
    bool paired;            /* all common ones are equal, and there are some; only these are compared then */
    struct cor_compared metric[COR_METRIC_COUNT]; /* those shown in performance */
    /* Owned; what either arm violated, in the order of A's catalog, then of B's, and of boxes. Of the same
     * name and text in both, else it is not compared. */
    struct cor_compared_constraint *constraint;
    size_t constraint_count;
};

/* Two files compared; made by cor_compare, freed by cor_comparison_destroy. */
struct cor_comparison {
    double level;
    uint64_t tests;                /* p that were corrected together */
    uint64_t worse, worse_times;   /* metrics of arms in which B is worse; thereof times */
    struct cor_compared_arms *arm; /* owned; in the order of A */
    size_t arm_count;
    uint64_t without[2]; /* arms of A, of B, that the other does not have */
};

/* Is the metric one of those compared? */
static inline bool cor_is_compared(enum cor_metric metric) {
    return cor_metric_schema(metric)->shown & COR_IN_PERFORMANCE;
}

/* All that is compared of a pair of arms, one after the other: metrics, then constraints. NULL: a metric that
 * is not shown in performance. */
static inline size_t cor_compared_count(const struct cor_compared_arms *arms) {
    return COR_METRIC_COUNT + arms->constraint_count;
}
static inline struct cor_compared *cor_compared_at(struct cor_compared_arms *arms, size_t index) {
    if (index >= COR_METRIC_COUNT)
        return &arms->constraint[index - COR_METRIC_COUNT].compared;
    return cor_is_compared((enum cor_metric)index) ? &arms->metric[index] : NULL;
}

/* Compares two files measured with COR_MEASURE_PERFORMANCE, and COR_MEASURE_CONSTRAINTS if constraints are to
 * be compared, too, which may be one and the same; they must outlive
 * the comparison. `level`: of the intervals and, less from 1, of the tests, 0.5 .. 0.9999. `arms`:
 * "A_ARM=B_ARM", or one name for both; NULL = all names that both have. COR_STATUS_INPUT if there are no such
 * arms, or no name is common. Draws from streams of purpose COR_PURPOSE_BOOTSTRAP named by the seed of A: the
 * same files give the same figures. */
enum cor_status cor_compare(const struct cor_measurement *a, const struct cor_measurement *b, double level,
                            const char *arms, struct cor_comparison **comparison,
                            struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_comparison_destroy(struct cor_comparison *comparison);
COR_DESTROYS(cor_comparison, struct cor_comparison)

#endif
