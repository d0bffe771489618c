/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables 1 and 2 of paper 003 for a result file, the paper's own figures beside ours, what the oracle caught,
 * and the checks that the file does not contradict itself. Reads a result file and nothing else, a suite at a
 * time: memory does not grow with the number of suites, but for intervals by the bootstrap, which need up
 * to 600 bytes a suite. Definitions and methods: docs/statistics.md. */
#ifndef CORRIDOR_TABLES_H
#define CORRIDOR_TABLES_H

#include <corridor/interval.h>
#include <corridor/result.h>
#include <corridor/sheet.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* What a metric is over, which decides its interval and whether it has a standard deviation.
 *   MEAN     a mean over sequences of something not negative
 *   PERCENT  a mean over sequences of a percentage
 *   SHARE    a percentage of failures, cases or detections: a ratio of totals, without a standard deviation
 *   DEPTH    a mean over the sequences with such a detection of the index of the test case, at least 1
 *   TOTAL    a plain sum, without an interval */
enum cor_metric_kind { COR_KIND_MEAN, COR_KIND_PERCENT, COR_KIND_SHARE, COR_KIND_DEPTH, COR_KIND_TOTAL };

/* X(NAME, id, id of the published figures beside it, table, kind, label). The rows of the paper's tables in
 * its order, and among them rows of our own: two second readings (A6 and the gray-box-only row,
 * docs/statistics.md) that share the published figures, two whose published figures follow from others, and
 * one that the paper speaks of in its text alone. */
#define COR_METRICS(X)                                                                                      \
    X(EP_STATES, "ep_states", "ep_states", 1, MEAN, "EP states")                                            \
    X(EP_TRANSITIONS, "ep_transitions", "ep_transitions", 1, MEAN, "EP transitions")                        \
    X(EP_STATE_COVERAGE, "ep_state_coverage_pct", "ep_state_coverage_pct", 1, PERCENT,                      \
      "EP state coverage, %")                                                                               \
    X(EP_TRANSITION_COVERAGE, "ep_transition_coverage_pct", "ep_transition_coverage_pct", 1, PERCENT,       \
      "EP transition coverage, %")                                                                          \
    X(AGENTS, "agents", "agents", 2, MEAN, "agents")                                                        \
    X(AGENT_GROUPS, "agent_groups", "agent_groups", 2, MEAN, "agent groups")                                \
    X(WITHOUT_DETECTED, "test_sequences_without_failure_pct", "test_sequences_without_failure_pct", 2,      \
      PERCENT, "test sequences without DETECTED failure, %")                                                \
    X(WITHOUT_ACTIVATED, "test_sequences_without_activated_failure_pct",                                    \
      "test_sequences_without_failure_pct", 2, PERCENT, "test sequences without ACTIVATED failure, %")      \
    X(TEST_CASES, "test_cases_per_sequence", "test_cases_per_sequence", 2, MEAN,                            \
      "test cases per test sequence")                                                                       \
    X(APPLIED_CASES, "applied_test_cases_per_sequence_pct", "applied_test_cases_per_sequence_pct", 2,       \
      PERCENT, "applied test cases per test sequence, %")                                                   \
    X(REORGANIZATIONS, "reorganizations_per_sequence", "reorganizations_per_sequence", 2, MEAN,             \
      "reorganizations per test sequence")                                                                  \
    X(REORGANIZING, "reorganizing_cases_pct", "reorganizing_cases_pct", 2, SHARE,                           \
      "applied test cases that reorganize, %")                                                              \
    X(FAILURES, "failures_per_sequence", "failures_per_sequence", 2, MEAN, "failures per test sequence")    \
    X(FAILURES_TOTAL, "failures_total", "failures_total", 2, TOTAL, "failures")                             \
    X(UNDETECTED, "undetected_failures_pct", "undetected_failures_pct", 2, SHARE, "undetected failures, %") \
    X(DETECTED_GRAY, "detected_failures_gray_pct", "detected_failures_gray_pct", 2, SHARE,                  \
      "failures detected (gray box), %")                                                                    \
    X(DETECTED_BLACK, "detected_failures_black_pct", "detected_failures_black_pct", 2, SHARE,               \
      "failures detected (black box), %")                                                                   \
    X(GRAY_NOT_BLACK, "failures_detected_gray_only_pct", "failures_detected_gray_only_pct", 2, SHARE,       \
      "failures detected in gray box only, %")                                                              \
    X(GRAY_ONLY, "sequences_detected_gray_only_pct", "sequences_detected_gray_only_pct", 2, PERCENT,        \
      "sequences with failures detected in gray box only, %")                                               \
    X(GRAY_ONLY_WITHIN, "gray_only_share_within_sequence_pct", "sequences_detected_gray_only_pct", 2,       \
      PERCENT, "... second reading: mean share of gray-only detections in a sequence, %")                   \
    X(BLACK_ONLY, "sequences_detected_black_only_pct", "sequences_detected_black_only_pct", 2, PERCENT,     \
      "sequences with failures detected in black box only, %")                                              \
    X(BLACK_NOT_GRAY, "black_detections_not_gray_pct", "black_detections_not_gray_pct", 2, SHARE,           \
      "black box detections that the gray box does not share, %")                                           \
    X(DEPTH, "depth_first_detected", "depth_first_detected", 2, DEPTH, "depth of first detected failure")   \
    X(DEPTH_GRAY, "depth_first_detected_gray", "depth_first_detected_gray", 2, DEPTH,                       \
      "depth of first detected failure (gray box)")                                                         \
    X(DEPTH_BLACK, "depth_first_detected_black", "depth_first_detected_black", 2, DEPTH,                    \
      "depth of first detected failure (black box)")

enum cor_metric {
#define COR_METRIC(NAME, id, published, table, kind, label) COR_METRIC_##NAME,
    COR_METRICS(COR_METRIC)
#undef COR_METRIC
        COR_METRIC_COUNT
};

struct cor_metric_schema {
    const char *id, *published_id, *label;
    int table; /* 1 or 2 */
    enum cor_metric_kind kind;
};

/* Id, label and kind of a metric. */
const struct cor_metric_schema *cor_old_metric_schema(enum cor_metric metric);

/* One cell of the tables. What is not available is NaN. */
struct cor_figure {
    double mean, sd;  /* sd: sample standard deviation (n - 1) over sequences */
    double low, high; /* of the interval at the level of the tables */
    double error;     /* standard error by suites; only of a linearised interval or one of the bootstrap */
    enum cor_interval interval;
    uint64_t n;      /* sequences (SHARE: failures) observed */
    uint64_t suites; /* suites they come from */
    double paper_mean, paper_sd;
    bool paper_derived;     /* the paper does not print it; it follows from figures that it prints */
    const char *paper_note; /* why the published figure is to be distrusted, NULL = no reason known */
};

/* How many reorganizations went how far, through injection and detection. */
struct cor_catch {
    uint64_t reorganizations;
    uint64_t reached, held, activated; /* the fault's seam ran, its condition held, it corrupted something */
    uint64_t in_result;                /* ... and the solution descends from it */
    uint64_t in_result_passed;         /* ... which the gray box passed nevertheless */
    uint64_t gray, black;              /* failed through that box, activated or not */
    uint64_t activated_gray, activated_black;
    uint64_t masked;                            /* activated, and no box saw it */
    uint64_t gray_unprovoked, black_unprovoked; /* failed although nothing was activated */
    uint64_t black_only;                        /* black box failed, gray box not */
    uint64_t black_only_adoption;               /* ... where a fault of adoption was active */
    uint64_t black_only_own_moves; /* ... not so, but where the algorithm distributed its solution itself */
    uint64_t activated_black_only_aside;         /* of these two, those with an activated fault */
    uint64_t adoption_faults;                    /* reorganizations whose adoption was corrupted */
    uint64_t agreement_judged, agreement_failed; /* C7: the structure is the accepted solution */
    uint64_t smoke[COR_ENDING_CODES], stop[COR_ENDING_CODES]; /* by code of terms.h; 0 = not said */
    uint64_t inside_after,
        outside_after; /* the invariant after adoption, where looked at and not on the edge */
    uint64_t reached_times, held_times, activated_times;
    uint64_t alarms, detect_judged, alarms_missed, alarms_false; /* R-Detect, over executed cases */
};

/* X(NAME, id, sentence): what must hold in every result file, whatever was tested. */
#define COR_IDENTITIES(X)                                                                                \
    X(SEQUENCES_COMPLETE, "sequences_complete", "every sequence that a suite announces has one row")     \
    X(CASES_COMPLETE, "cases_complete",                                                                  \
      "a sequence has a row for each executed case, and no more than generated")                         \
    X(REORGANIZATIONS_COMPLETE, "reorganizations_complete",                                              \
      "a sequence has a reorganization for each case marked as reorganized, with the same verdicts")     \
    X(FAILURES_KEPT, "failures_kept", "failures that a box saw or a fault caused are in table failures") \
    X(STOPPED_BY_BLACK, "stopped_by_black",                                                              \
      "a sequence ends early only at a failure of the black box or smoke")                               \
    X(BLACK_ONCE, "black_once", "a sequence has at most one detection of the black box (A7)")            \
    X(BLACK_ALSO_GRAY, "black_also_gray",                                                                \
      "what the black box sees the gray box sees, unless adoption was corrupted or the algorithm's own " \
      "(A8)")                                                                                            \
    X(BLACK_AT_MOST_FAILING, "black_at_most_failing",                                                    \
      "there are no more black box detections than sequences with a detected failure")                   \
    X(FAILURES_PER_SEQUENCE, "failures_per_sequence", "failures / sequences = failures per sequence")    \
    X(UNDETECTED_PLUS_GRAY, "undetected_plus_gray",                                                      \
      "undetected + gray = 100 %, but for failures that only a corrupted or own adoption shows")         \
    X(ONLY_SHARES, "only_shares", "gray only + black only + both = sequences with a detected failure")   \
    X(FAULT_NESTED, "fault_nested", "activated only where the condition held, held only where reached")  \
    X(VERDICTS_COUNTED, "verdicts_counted", "a box failed if and only if it counted violations")         \
    X(VISITS_ADD_UP, "visits_add_up",                                                                    \
      "visits of states = chains x (cases + 1), transitions = chains x cases")                           \
    X(ARCS_LISTED, "arcs_listed", "a profile has as many transitions of positive probability as it says")

enum cor_identity {
#define COR_IDENTITY(NAME, id, sentence) COR_IDENTITY_##NAME,
    COR_IDENTITIES(COR_IDENTITY)
#undef COR_IDENTITY
        COR_IDENTITY_COUNT
};

/* Id and sentence of an identity. */
const char *cor_old_identity_id(enum cor_identity identity);
const char *cor_old_identity_sentence(enum cor_identity identity);

/* How an identity came out in one arm. It holds if broken is 0. */
struct cor_identity_tally {
    uint64_t checked, broken; /* suites, sequences, reorganizations or figures: what the sentence is about */
    char values[160];         /* the figures, or where it was broken first */
};

/* How a claim of the paper is judged.
 *   SEEN   ours is above 0: a single case proves it, the interval says how often
 *   NEVER  ours is 0: the interval says how much may have been missed
 *   ORDER  ours, a difference, is above 0: the interval says how surely
 *   MEETS  the published value, or some value of the published band, lies in our interval */
enum cor_claim_rule { COR_RULE_SEEN, COR_RULE_NEVER, COR_RULE_ORDER, COR_RULE_MEETS };

/* X(NAME, id, rule, band low, band high, unit, sentence): what the paper says of its faults in general, and
 * what its tables show beyond single figures. Claims without a band are met at the published value. */
#define COR_CLAIMS(X)                                                                                   \
    X(EVERY_FAULT_FOUND, "every_fault_found", SEEN, NAN, NAN, "sequences with a detection, %",          \
      "every injected fault is found")                                                                  \
    X(BLACK_ALSO_GRAY, "black_also_gray", NEVER, NAN, NAN, "black detections that are not gray, %",     \
      "what the black box sees the gray box sees")                                                      \
    X(GRAY_ABOVE_BLACK, "gray_above_black", SEEN, NAN, NAN, "failures in gray only, %",                 \
      "the gray box sees what the black box does not (PSOPP-F4 aside)")                                 \
    X(SPADA_BLACK_NONE, "spada_black_none", NEVER, NAN, NAN, "failures seen, %",                        \
      "the black box sees none of SPADA's faults")                                                      \
    X(PSOPP_MASKING, "psopp_masking", SEEN, NAN, NAN, "failures masked, %",                             \
      "each of PSOPP's faults is masked at times")                                                      \
    X(F4_MASKED_MOST, "psopp_f4_masked_most", ORDER, NAN, NAN, "masked failures, % more than the next", \
      "of PSOPP-F1 to F5, F4 (approach join) is masked most")                                           \
    X(F5_RAREST, "psopp_f5_rarest", ORDER, NAN, NAN, "failures a sequence below the next",              \
      "of PSOPP-F1 to F5, F5 (approach exchange) fails least often")                                    \
    X(F5D_FAILURES, "psopp_f5d_failures", MEETS, NAN, NAN, "failures a sequence, ratio",                \
      "directed testing pays: more failures in PSOPP-F5d than in F5")                                   \
    X(F5D_SEQUENCES, "psopp_f5d_sequences", MEETS, NAN, NAN, "failing sequences, ratio",                \
      "directed testing pays: more sequences with failures of PSOPP-F5d")                               \
    X(STATE_COVERAGE, "state_coverage", MEETS, 99, 100, "states covered, %",                            \
      "test cases cover above 99 % of the states of profiles")                                          \
    X(TRANSITION_COVERAGE, "transition_coverage", MEETS, 44, 52, "transitions covered, %",              \
      "... and 44 to 52 % of their transitions")                                                        \
    X(REORGANIZING, "reorganizing", MEETS, 14, 19, "applied cases that reorganize, %",                  \
      "14 to 19 % of test cases reorganize")

enum cor_claim {
#define COR_CLAIM(NAME, id, rule, low, high, unit, sentence) COR_CLAIM_##NAME,
    COR_CLAIMS(COR_CLAIM)
#undef COR_CLAIM
        COR_CLAIM_COUNT
};

struct cor_claim_schema {
    const char *id, *unit, *sentence;
    enum cor_claim_rule rule;
    double band_low, band_high; /* NaN = the published value of each part */
};

/* Id, rule and words of a claim. */
const struct cor_claim_schema *cor_claim_schema(enum cor_claim claim);

/* "seen", "never", "order", "meets". */
const char *cor_claim_rule_word(enum cor_claim_rule rule);

/* Whether a claim holds; not available if the arms it is about are not in the file, or have nothing of what
 * it compares, or too few suites for an interval. */
enum cor_claim_verdict { COR_CLAIM_NOT_AVAILABLE, COR_CLAIM_HOLDS, COR_CLAIM_FAILS };

/* "not_available", "holds", "fails". */
const char *cor_claim_verdict_word(enum cor_claim_verdict verdict);

/* What a claim says of one arm, or of several together. What is not available is NaN. */
struct cor_claim_part {
    char name[40]; /* the arm; "all arms"; or the arms compared */
    bool of_arm;
    enum cor_claim_verdict verdict;
    double mean, low, high; /* ours, in the claim's unit */
    enum cor_interval interval;
    double paper;                 /* the published value beside it */
    double distance, half_widths; /* where it fails: ours less the nearest value that would hold, and that in
                                     half-widths of our interval on that side */
    const char *note; /* why the published value is to be distrusted, or what it rests on; NULL = nothing */
};

#define COR_CLAIM_PARTS 12 /* the columns of the paper, all of them together, and one to spare */

/* A claim holds if each part that is available holds. */
struct cor_claim_result {
    enum cor_claim_verdict verdict;
    struct cor_claim_part part[COR_CLAIM_PARTS];
    size_t part_count, holding, failing; /* holding + failing <= part_count */
};

/* How many published means lie in our intervals, each published figure counted once. */
struct cor_agreement {
    uint64_t compared; /* with a published mean and an interval of ours; = inside + below + above */
    uint64_t inside, below, above; /* below: ours lies below the published mean */
    uint64_t doubtful;             /* of those not inside: the published figure is to be distrusted */
};

#define COR_TABLES_BOXES (COR_BOX_INTERIM + 1) /* greatest code of COR_BOXES, and one */

/* An arm: a column of the tables. */
struct cor_arm_tables {
    uint16_t code;
    const char *name, *description;              /* borrowed from the result */
    bool published;                              /* its name is a fault_id of the paper's tables */
    uint64_t suites, sequences, cases, executed; /* cases: generated */
    uint64_t failures;                           /* reorganizations in which a fault was activated (A4) */
    uint64_t sequences_detected, sequences_activated, sequences_gray_only, sequences_black_only,
        sequences_both;
    uint64_t continuations;   /* sequences that continue a failed one: in no other figure */
    uint64_t suites_fallback; /* suites whose parameters follow the fallback law */
    uint64_t steps_outside;   /* steps of walks that the profile does not have: uniform or recorded walks */
    struct cor_figure figure[COR_METRIC_COUNT];
    struct cor_catch caught;
    struct cor_identity_tally identity[COR_IDENTITY_COUNT];
    /* The first violation seen through each box (by code of COR_BOXES), by suite, sequence and case; its box
     * is 0 where there is none. */
    struct cor_violation_row first_violation[COR_TABLES_BOXES];
};

/* How intervals over suites are made.
 *   LINEARISED  by the spread of the suites (COR_INTERVAL_LINEARISED): memory does not grow with suites
 *   BCA         by the cluster bootstrap (COR_INTERVAL_BCA, and what cor_bootstrap_ratio puts in its place
 *               where it is not defined): keeps the sums of each suite, 16 to 24 bytes a metric, and draws
 *               2000 numbers for each
 * The draws are from streams of purpose COR_PURPOSE_BOOTSTRAP named by the seed of the file, the same as in
 * sums.h and depths.h for the figures that they have in common: the same file gives the same intervals.
 * Percentages of exactly 0 or 100 have COR_INTERVAL_CLOPPER_PEARSON in both. Claims about several arms join
 * the errors of their figures, whichever they are (COR_INTERVAL_ACROSS_ARMS). */
enum cor_tables_method { COR_TABLES_LINEARISED, COR_TABLES_BCA, COR_TABLES_METHOD_COUNT };

/* "linearised", "bca". */
const char *cor_tables_method_word(enum cor_tables_method method);

struct cor_tables_wish {
    double level; /* of the intervals, 0.5 .. 0.9999 */
    enum cor_tables_method method;
};

struct cor_tables {
    const struct cor_result_header *head; /* borrowed from the result */
    double level;                         /* of the intervals */
    enum cor_tables_method method;        /* of the intervals over suites */
    struct cor_arm_tables *arm;           /* owned; in the order of catalog/arm */
    size_t arm_count;
    bool paired; /* the arms share suites (experiment files, "mode") */
    struct cor_claim_result claim[COR_CLAIM_COUNT];
};

/* Reads the result and makes the tables, with intervals as wished. The result stays open and must outlive the
 * tables. Rows that belong to no suite, to no arm, or to no sequence are COR_STATUS_INPUT. */
enum cor_status cor_tables_create_as(struct cor_result *result, const struct cor_tables_wish *wish,
                                     struct cor_tables **tables, struct cor_error *error) COR_MUST_USE;

/* The same with linearised intervals at `level` (0.95; within 0.5 .. 0.9999). */
enum cor_status cor_tables_create(struct cor_result *result, double level, struct cor_tables **tables,
                                  struct cor_error *error) COR_MUST_USE;

/* Frees the tables. NULL is allowed. */
void cor_tables_destroy(struct cor_tables *tables);

/* Identities broken in some arm: above 0 the file, or the program that made it, is wrong. */
size_t cor_tables_broken(const struct cor_tables *tables);

/* Through what something was found in an arm: "gray" and "black", or, where no box saw anything, "agreement"
 * (C7: the structure is not the accepted solution) and "detect" (R-Detect: missed or false alarms), which the
 * paper's metrics do not count. Writes the words and returns how many; 0 = nothing was found. */
size_t cor_tables_found_by(const struct cor_arm_tables *arm, const char *words[2]);

/* '=' if the published mean lies in our interval, '<' if ours lies below it, '>' above, ' ' if there is no
 * interval or no published mean. */
char cor_figure_relation(const struct cor_figure *figure);

/* Published means in our intervals, in an arm. */
struct cor_agreement cor_tables_agreement(const struct cor_arm_tables *arm);

/* Writes the tables for a reader: what was found, first violations, Table 1, Table 2, identities, claims.
 * At most 120 columns as long as arms have names of at most 24 letters, but for sentences of violations;
 * claims have at most 110. A failing stream is COR_STATUS_FILE. */
enum cor_status cor_tables_text(const struct cor_tables *tables, const struct cor_style *style, FILE *file,
                                struct cor_error *error) COR_MUST_USE;

/* Writes everything as one JSON document; keys in docs/statistics.md. What is not available is null. */
enum cor_status cor_tables_json(const struct cor_tables *tables, FILE *file,
                                struct cor_error *error) COR_MUST_USE;

/* Writes metric,arm,mean,sd,low,high,n,suites,paper_mean,paper_sd,interval; the last is the word of the
 * interval's method. What is not available is empty. */
enum cor_status cor_tables_csv(const struct cor_tables *tables, FILE *file,
                               struct cor_error *error) COR_MUST_USE;

/* The sentence of a violation (cor_violation_text). */
#define COR_SENTENCE 1024 /* two reals of 309 digits fit */
void cor_violation_sentence(const struct cor_violation_row *row, char text[COR_SENTENCE]);

#endif
