/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two result files, A and B: does the algorithm of B do its work otherwise than that of A? Each suite is one
 * observation of each metric (sums.h), as those within a suite are alike. */
#ifndef CORRIDOR_COMPARE_H
#define CORRIDOR_COMPARE_H

#include <corridor/sums.h>
#include <corridor/tables.h>
#include <corridor/two_samples.h>

#define COR_COMPARE_FEW 10 /* repetitions below which there is a warning */

enum cor_compare_verdict { COR_COMPARE_NO_CLAIM, COR_COMPARE_A_HIGHER, COR_COMPARE_B_HIGHER };

/* "no_difference_claimed", "A_higher", "B_higher". */
const char *cor_compare_verdict_word(enum cor_compare_verdict verdict);

/* One metric of one pair of arms. What is not available is NaN. */
struct cor_compared {
    uint64_t n[2];                  /* suites with a value; paired: in both, the same number twice */
    struct cor_old_estimate value[2];   /* mean over suites, each counting alike */
    struct cor_old_estimate difference; /* B less A */
    struct cor_rank_test test; /* paired: Wilcoxon's signed rank; else Mann and Whitney's U; of B against A */
    double p_holm;             /* after Holm, over all metrics of all arms */
    struct cor_effect effect;  /* A12: chance that a suite of B has the greater value */
    enum cor_compare_verdict verdict;
    int better; /* of B, where a difference is claimed and the metric has a direction: 1, -1; else 0 */
    const char *not_compared; /* why, NULL = compared */
};

struct cor_compared_arms {
    const char *name[2]; /* borrowed from the results */
    uint64_t suites[2];
    uint64_t common, equal; /* suites of the same number; of these, with equal configuration and walks */
    bool paired;            /* all common ones are equal, and there are some; only these are compared then */
    struct cor_compared metric[COR_SUM_COUNT];
};

struct cor_comparison {
    double level;
    bool identical;                /* the two files say the same, by their fingerprints */
    uint64_t tests;                /* p that were corrected together */
    uint64_t worse, worse_times;   /* metrics of arms in which B is worse; of these, times */
    struct cor_compared_arms *arm; /* owned; in the order of A */
    size_t arm_count;
    uint64_t without[2]; /* arms of A, of B, that the other does not have */
};

struct cor_compare_wish {
    double level;     /* of the intervals and, less from 1, of the tests; 0.5 .. 0.9999 */
    bool identical;   /* as found out by the caller */
    const char *arms; /* "A_ARM=B_ARM", or one name for both; NULL = all names that both have */
};

/* Compares two files, which may be one and the same; they must outlive the comparison. COR_STATUS_INPUT if
 * there are no such arms, or no name is common. Draws from streams of purpose COR_PURPOSE_BOOTSTRAP named by
 * the seed of A: the same files give the same figures. */
enum cor_status cor_compare(const struct cor_sums *a, const struct cor_sums *b,
                            const struct cor_compare_wish *wish, struct cor_comparison **comparison,
                            struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_comparison_destroy(struct cor_comparison *comparison);

/* Writes it for a reader, at most 110 columns; as one JSON document, keys in docs/statistics.md; and as CSV,
 * a line a metric and pair of arms. A failing stream is COR_STATUS_FILE. */
enum cor_status cor_comparison_text(const struct cor_comparison *comparison, const struct cor_style *style,
                                    FILE *file, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_comparison_json(const struct cor_comparison *comparison, FILE *file,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status cor_comparison_csv(const struct cor_comparison *comparison, FILE *file,
                                   struct cor_error *error) COR_MUST_USE;

#endif
