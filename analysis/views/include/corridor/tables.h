/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables 1 and 2 of paper 003 for a result file, the paper's own figures beside ours, and whether its claims
 * hold. Definitions and methods: docs/evidence/statistics.md. */
#ifndef CORRIDOR_TABLES_H
#define CORRIDOR_TABLES_H

#include <corridor/measurement.h>

#include <math.h>

/* Metrics of the two tables: the first of COR_METRICS. */
#define COR_TABLE_METRICS (COR_METRIC_DEPTH_BLACK + 1)

/* One cell of the tables. What is not available is NaN. */
struct cor_figure {
    struct cor_estimate ours;
    double paper_mean, paper_sd;
    bool paper_derived;     /* the paper does not print it; it follows from figures that it prints */
    const char *paper_note; /* why the published figure is to be distrusted, NULL = no reason known */
};

/* What our interval says of the published mean: '<' ours lies below it, '>' above; '=' it lies in the
 * interval, which is narrow enough to mean something (half its width at most a quarter of the published mean,
 * or 5 points of a percentage); '?' it lies in the interval, which is wider, or is that of a percentage of
 * exactly 0 or 100 while the published one is another; ' ' there is no interval or no published mean. */
char cor_figure_relation(const struct cor_figure *figure, enum cor_metric metric);

/* How a claim of the paper is judged; the verdicts that a rule can give, else it is undecided.
 *
 * - SEEN holds if ours is above 0: a single case proves it. It does not hold if none was seen and the
 *   interval ends below the margin: then it would have been seen if it were there as often as that.
 * - NEVER does not hold if ours is above 0. It holds if none was seen and the interval ends within the
 *   margin.
 * - ORDER holds if chance alone would put the arm so far ahead of each other arm less often than 1 - level,
 *   by rearrangements of suites (rearrangement.h); it does not hold if some other arm is as surely ahead of
 *   it. The margin is 0: an order has none.
 * - RATIO holds if ours over the published one, with the errors of both, lies within a factor of the margin;
 *   it does not if wholly outside. The published error is the printed standard deviation, sequences of a
 *   suite taken as one.
 * - BAND holds if our interval lies within the published band, widened by the margin; it does not if wholly
 *   outside. */
enum cor_claim_rule { COR_RULE_SEEN, COR_RULE_NEVER, COR_RULE_ORDER, COR_RULE_RATIO, COR_RULE_BAND };

/* X(NAME, id, rule, margin, band low, band high, unit, sentence): what the paper says of its faults in
 * general, and what its tables show beyond single figures. Margins are in the unit; of ratios they are
 * factors. */
#define COR_CLAIMS(X)                                                                                      \
    X(EVERY_FAULT_FOUND, "every_fault_found", SEEN, 2, NAN, NAN, "sequences with a detection, %",          \
      "every injected fault is found")                                                                     \
    X(BLACK_ALSO_GRAY, "black_also_gray", NEVER, 10, NAN, NAN, "black detections that are not gray, %",    \
      "what the black box sees the gray box sees")                                                         \
    X(GRAY_ABOVE_BLACK, "gray_above_black", SEEN, 5, NAN, NAN, "failures in gray only, %",                 \
      "the gray box sees what the black box does not (PSOPP-F4 aside)")                                    \
    X(SPADA_BLACK_NONE, "spada_black_none", NEVER, 10, NAN, NAN, "failures seen, %",                       \
      "the black box sees none of SPADA's faults")                                                         \
    X(PSOPP_MASKING, "psopp_masking", SEEN, 5, NAN, NAN, "failures masked, %",                             \
      "each of PSOPP's faults is masked at times")                                                         \
    X(F4_MASKED_MOST, "psopp_f4_masked_most", ORDER, 0, NAN, NAN, "masked failures, % more than the next", \
      "of PSOPP-F1 to F5, F4 (approach join) is masked most")                                              \
    X(F5_RAREST, "psopp_f5_rarest", ORDER, 0, NAN, NAN,                                                    \
      "sequences without a detection, % more than the next",                                               \
      "of PSOPP-F1 to F5, F5 (approach exchange) is found least often")                                    \
    X(F5D_DETECTED, "psopp_f5d_detected", ORDER, 0, NAN, NAN, "detected failures, % more than of F5",      \
      "directed testing pays: failures of F5d are detected more often")                                    \
    X(F5D_FAILURES, "psopp_f5d_failures", RATIO, 2, NAN, NAN, "failures a sequence, ratio",                \
      "directed testing pays: so many times the failures of F5")                                           \
    X(F5D_SEQUENCES, "psopp_f5d_sequences", RATIO, 2, NAN, NAN, "failing sequences, ratio",                \
      "directed testing pays: so many times the failing sequences")                                        \
    X(STATE_COVERAGE, "state_coverage", BAND, 0.5, 99, 100, "states covered, %",                           \
      "test cases cover above 99 % of the states of profiles")                                             \
    X(TRANSITION_COVERAGE, "transition_coverage", BAND, 2, 44, 52, "transitions covered, %",               \
      "... and 44 to 52 % of their transitions")                                                           \
    X(REORGANIZING, "reorganizing", BAND, 1, 14, 19, "applied cases that reorganize, %",                   \
      "14 to 19 % of test cases reorganize")

/* Claims in the order of COR_CLAIMS; COR_CLAIM_COUNT is the length of arrays by claim. */
enum cor_claim {
#define COR_CLAIM(NAME, ...) COR_CLAIM_##NAME,
    COR_CLAIMS(COR_CLAIM)
#undef COR_CLAIM
        COR_CLAIM_COUNT
};

/* A row of COR_CLAIMS, static; `margin` in the unit, of ratios a factor. */
struct cor_claim_schema {
    const char *id, *unit, *sentence;
    enum cor_claim_rule rule;
    double margin;
    double band_low, band_high; /* NaN but for BAND */
};

/* Id, rule and words of a claim. */
const struct cor_claim_schema *cor_claim_schema(enum cor_claim claim);

/* "seen", "never", "order", "ratio", "band". */
const char *cor_claim_rule_word(enum cor_claim_rule rule);

/* Whether a claim holds; not available if the arms it is about are not in the file, or have nothing of what
 * it compares, or too few suites for an interval. */
enum cor_claim_verdict {
    COR_CLAIM_NOT_AVAILABLE,
    COR_CLAIM_HOLDS,
    COR_CLAIM_DOES_NOT_HOLD,
    COR_CLAIM_UNDECIDED,
    COR_CLAIM_VERDICTS
};

/* "not_available", "holds", "does_not_hold", "undecided". */
const char *cor_claim_verdict_word(enum cor_claim_verdict verdict);

/* What a claim says of one arm, or of several together. What is not available is NaN. */
struct cor_claim_part {
    char name[40]; /* the arm; "all arms"; or the arms compared */
    enum cor_claim_verdict verdict;
    double mean, low,
        high; /* ours, in the claim's unit; of a ratio the interval has the published error, too */
    enum cor_interval interval;
    double p;         /* that chance puts the arm so far ahead of each of the others; ORDER alone */
    double p_against; /* that chance puts one of the others so far ahead of it, corrected; ORDER alone */
    double paper;     /* the published value beside it */
    const char *note; /* why the published value is to be distrusted, or what it rests on; NULL = nothing */
};

#define COR_CLAIM_PARTS 12 /* the columns of the paper, all of them together, and one to spare */

/* A claim holds if each part that is available holds, and does not if one does not. */
struct cor_claim_result {
    enum cor_claim_verdict verdict;
    struct cor_claim_part part[COR_CLAIM_PARTS];
    size_t part_count, count[COR_CLAIM_VERDICTS]; /* of the parts, by their verdicts */
};

/* An arm: a column of the tables. */
struct cor_arm_tables {
    const char *name;                           /* borrowed from the result */
    const struct cor_arm_measurement *measured; /* borrowed from the measurement */
    bool published;                             /* its name is a fault_id of the paper's tables */
    struct cor_figure figure[COR_TABLE_METRICS];
};

/* How many published means lie in our intervals, each published figure counted once. */
struct cor_agreement {
    uint64_t compared; /* with a published mean and an interval of ours; = inside + unsure + below + above */
    uint64_t inside, unsure, below, above; /* '=', '?', '<', '>' of cor_figure_relation */
    uint64_t doubtful; /* of those below or above: the published figure is to be distrusted */
};

/* Published means in our intervals, in an arm. */
struct cor_agreement cor_tables_agreement(const struct cor_arm_tables *arm);

/* The tables of a result; made by cor_tables_create, freed by cor_tables_destroy. */
struct cor_tables {
    const struct cor_result_header *head; /* borrowed from the result */
    struct cor_measurement *measurement;  /* owned */
    double level;                         /* of the intervals */
    enum cor_interval method;             /* of the intervals over suites: LINEARISED or BCA */
    struct cor_arm_tables *arm;           /* owned; in the order of catalog/arm */
    size_t arm_count;
    bool paired; /* the arms share suites (experiment files, "mode") */
    bool
        repeats; /* the experiment says that it repeats the paper ("repeats": "003"): its claims are judged */
    struct cor_claim_result claim[COR_CLAIM_COUNT];
};

/* Reads the result and makes the tables, with intervals at `level` (0.5 .. 0.9999) by `method`: LINEARISED,
 * or BCA, which draws from streams named by the seed of the file. The result stays open and must outlive the
 * tables. Rows that belong to no suite, to no arm, or to no sequence are COR_STATUS_INPUT. */
enum cor_status cor_tables_create(struct cor_result *result, double level, enum cor_interval method,
                                  struct cor_tables **tables, struct cor_error *error) COR_MUST_USE;

/* Frees the tables. NULL is allowed. */
void cor_tables_destroy(struct cor_tables *tables);
COR_DESTROYS(cor_tables, struct cor_tables)

#endif
