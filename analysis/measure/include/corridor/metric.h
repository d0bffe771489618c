/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is measured of arms, once: the rows of the tables of paper 003, and how well the algorithms work
 * (docs/evidence/statistics.md). Whatever shows a figure, tables, performance, survival, contrasts or a
 * comparison, draws on this list. A suite contributes to a metric a sum y of what was observed and its size
 * x; the figure is the ratio of the sums over suites. */
#ifndef CORRIDOR_METRIC_H
#define CORRIDOR_METRIC_H

#include <stdbool.h>
#include <stdint.h>

/* What a metric is over, which decides the range of its interval and whether it has a standard deviation.
 *   MEAN      a mean over sequences of something not negative
 *   PERCENT   a mean over sequences of a percentage
 *   SHARE     a percentage of failures, cases or detections: a ratio of totals, without a standard deviation
 *   DEPTH     a mean over the sequences with such a detection of the index of the test case, at least 1
 *   TOTAL     a plain sum, without an interval
 *   RATIO     a ratio of totals without a greatest value
 *   FRACTION  a ratio of totals, at most 1 */
enum cor_metric_kind {
    COR_KIND_MEAN,
    COR_KIND_PERCENT,
    COR_KIND_SHARE,
    COR_KIND_DEPTH,
    COR_KIND_TOTAL,
    COR_KIND_RATIO,
    COR_KIND_FRACTION
};

/* What is better for the algorithm under test. */
enum cor_better { COR_BETTER_NEITHER, COR_BETTER_LOWER, COR_BETTER_HIGHER };

/* "neither", "lower", "higher". */
const char *cor_better_word(enum cor_better better);

/* Where a metric is shown. */
enum { COR_IN_TABLE_1 = 1, COR_IN_TABLE_2 = 2, COR_IN_PERFORMANCE = 4 };

/* X(NAME, id, unit, kind, better, shown in, id of the published figure beside it or NULL, stream, meaning).
 * The first are the rows of the paper's tables in its order, and among them rows of our own: three second
 * readings (A4, A6 and the gray-box-only row) that share the published figures, two whose published figures
 * follow from others, and one that the paper speaks of in its text alone. `stream` names the draws of a
 * bootstrap; figures that say the same share theirs, so that they say the same interval. A detection is a
 * reorganization that a box failed, or smoke; affected agents are those that moved; involved are all agents
 * of the suite. */
#define COR_METRICS(X)                                                                                       \
    X(EP_STATES, "ep_states", "states", MEAN, NEITHER, COR_IN_TABLE_1, "ep_states", 1000, "EP states")       \
    X(EP_TRANSITIONS, "ep_transitions", "transitions", MEAN, NEITHER, COR_IN_TABLE_1, "ep_transitions",      \
      1001, "EP transitions")                                                                                \
    X(EP_STATE_COVERAGE, "ep_state_coverage_pct", "%", PERCENT, NEITHER, COR_IN_TABLE_1,                     \
      "ep_state_coverage_pct", 1002, "EP state coverage, %")                                                 \
    X(EP_TRANSITION_COVERAGE, "ep_transition_coverage_pct", "%", PERCENT, NEITHER, COR_IN_TABLE_1,           \
      "ep_transition_coverage_pct", 1003, "EP transition coverage, %")                                       \
    X(AGENTS, "agents", "agents", MEAN, NEITHER, COR_IN_TABLE_2, "agents", 1004, "agents")                   \
    X(AGENT_GROUPS, "agent_groups", "groups", MEAN, NEITHER, COR_IN_TABLE_2, "agent_groups", 1005,           \
      "agent groups")                                                                                        \
    X(WITHOUT_DETECTED, "test_sequences_without_failure_pct", "%", PERCENT, NEITHER, COR_IN_TABLE_2,         \
      "test_sequences_without_failure_pct", 2, "test sequences without DETECTED failure, %")                 \
    X(WITHOUT_ACTIVATED, "test_sequences_without_activated_failure_pct", "%", PERCENT, NEITHER,              \
      COR_IN_TABLE_2, "test_sequences_without_failure_pct", 1007,                                            \
      "test sequences without ACTIVATED failure, %")                                                         \
    X(TEST_CASES, "test_cases_per_sequence", "cases", MEAN, NEITHER, COR_IN_TABLE_2,                         \
      "test_cases_per_sequence", 1008, "test cases per test sequence")                                       \
    X(APPLIED_CASES, "applied_test_cases_per_sequence_pct", "%", PERCENT, NEITHER, COR_IN_TABLE_2,           \
      "applied_test_cases_per_sequence_pct", 1009, "applied test cases per test sequence, %")                \
    X(REORGANIZATIONS, "reorganizations_per_sequence", "reorganizations", MEAN, NEITHER, COR_IN_TABLE_2,     \
      "reorganizations_per_sequence", 1010, "reorganizations per test sequence")                             \
    X(REORGANIZING, "reorganizing_cases_pct", "%", SHARE, NEITHER, COR_IN_TABLE_2, "reorganizing_cases_pct", \
      0, "applied test cases that reorganize, %")                                                            \
    X(FAILURES, "failures_per_sequence", "failures", MEAN, NEITHER, COR_IN_TABLE_2 | COR_IN_PERFORMANCE,     \
      "failures_per_sequence", 4, "failures per test sequence: reorganizations with an activated fault")     \
    X(FAULTY_STATES, "faulty_states_per_sequence", "states", MEAN, NEITHER, COR_IN_TABLE_2,                  \
      "failures_per_sequence", 1025, "... second reading: faulty intermediate states per test sequence")     \
    X(FAILURES_TOTAL, "failures_total", "failures", TOTAL, NEITHER, COR_IN_TABLE_2, "failures_total", 1013,  \
      "failures")                                                                                            \
    X(UNDETECTED, "undetected_failures_pct", "%", SHARE, NEITHER, COR_IN_TABLE_2, "undetected_failures_pct", \
      4, "undetected failures, %")                                                                           \
    X(DETECTED_GRAY, "detected_failures_gray_pct", "%", SHARE, NEITHER, COR_IN_TABLE_2,                      \
      "detected_failures_gray_pct", 2, "failures detected (gray box), %")                                    \
    X(DETECTED_BLACK, "detected_failures_black_pct", "%", SHARE, NEITHER, COR_IN_TABLE_2,                    \
      "detected_failures_black_pct", 3, "failures detected (black box), %")                                  \
    X(GRAY_NOT_BLACK, "failures_detected_gray_only_pct", "%", SHARE, NEITHER, COR_IN_TABLE_2,                \
      "failures_detected_gray_only_pct", 1017, "failures detected in gray box only, %")                      \
    X(GRAY_ONLY, "sequences_detected_gray_only_pct", "%", PERCENT, NEITHER, COR_IN_TABLE_2,                  \
      "sequences_detected_gray_only_pct", 1018, "sequences with failures detected in gray box only, %")      \
    X(GRAY_ONLY_WITHIN, "gray_only_share_within_sequence_pct", "%", PERCENT, NEITHER, COR_IN_TABLE_2,        \
      "sequences_detected_gray_only_pct", 1019,                                                              \
      "... second reading: mean share of gray-only detections in a sequence, %")                             \
    X(BLACK_ONLY, "sequences_detected_black_only_pct", "%", PERCENT, NEITHER, COR_IN_TABLE_2,                \
      "sequences_detected_black_only_pct", 1020, "sequences with failures detected in black box only, %")    \
    X(BLACK_NOT_GRAY, "black_detections_not_gray_pct", "%", SHARE, NEITHER, COR_IN_TABLE_2,                  \
      "black_detections_not_gray_pct", 1021, "black box detections that the gray box does not share, %")     \
    X(DEPTH, "depth_first_detected", "cases", DEPTH, NEITHER, COR_IN_TABLE_2, "depth_first_detected", 1022,  \
      "depth of first detected failure")                                                                     \
    X(DEPTH_GRAY, "depth_first_detected_gray", "cases", DEPTH, NEITHER, COR_IN_TABLE_2,                      \
      "depth_first_detected_gray", 1023, "depth of first detected failure (gray box)")                       \
    X(DEPTH_BLACK, "depth_first_detected_black", "cases", DEPTH, NEITHER, COR_IN_TABLE_2,                    \
      "depth_first_detected_black", 1024, "depth of first detected failure (black box)")                     \
    X(REORGANIZATIONS_PER_CASE, "reorganizations_per_case", "1", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 0,  \
      "reorganizations a test case executed")                                                                \
    X(SUCCESS, "success_pct", "%", SHARE, HIGHER, COR_IN_PERFORMANCE, NULL, 1,                               \
      "reorganizations after which the invariant holds")                                                     \
    X(DETECTED_SEQUENCES, "sequences_detected_pct", "%", SHARE, LOWER, COR_IN_PERFORMANCE, NULL, 2,          \
      "sequences with a detection")                                                                          \
    X(DETECTIONS, "detections_pct", "%", SHARE, LOWER, COR_IN_PERFORMANCE, NULL, 3,                          \
      "reorganizations with a detection")                                                                    \
    X(MOVED, "moved_per_reorganization", "agents", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 5,                \
      "agents affected (moved) a reorganization")                                                            \
    X(INVOLVED, "involved_per_reorganization", "agents", RATIO, NEITHER, COR_IN_PERFORMANCE, NULL, 6,        \
      "agents involved: all of the suite")                                                                   \
    X(EFFICIENCY, "involvement_efficiency", "1", FRACTION, NEITHER, COR_IN_PERFORMANCE, NULL, 7,             \
      "affected / involved agents")                                                                          \
    X(MOVES, "moves_per_agent", "moves", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 8,                          \
      "moves of an agent, a sequence")                                                                       \
    X(MESSAGES, "messages_per_reorganization", "messages", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 9,        \
      "messages sent a reorganization")                                                                      \
    X(ROUNDS, "rounds_per_reorganization", "rounds", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 10,             \
      "rounds of mail a reorganization")                                                                     \
    X(SPENT, "spent_per_reorganization", "units", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 11,                \
      "budget used a reorganization, in the unit of the algorithm")                                          \
    X(BEFORE, "dissimilarity_before", "1", RATIO, NEITHER, COR_IN_PERFORMANCE, NULL, 12,                     \
      "dissimilarity before reorganizing / threshold")                                                       \
    X(AFTER, "dissimilarity_after", "1", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 13,                         \
      "dissimilarity after reorganizing / threshold")                                                        \
    X(OUTSIDE, "cases_outside_pct", "%", SHARE, LOWER, COR_IN_PERFORMANCE, NULL, 14,                         \
      "test cases that end outside the corridor")                                                            \
    X(STAY, "cases_per_stay_outside", "cases", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 15,                   \
      "test cases of a stay outside the corridor")                                                           \
    X(GAP, "cases_between_reorganizations", "cases", RATIO, NEITHER, COR_IN_PERFORMANCE, NULL, 16,           \
      "test cases from one reorganization to the next of its sequence")                                      \
    X(CPU_REORGANIZATION, "cpu_per_reorganization", "s", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 17,         \
      "CPU time of a suite / its reorganizations; of one run")                                               \
    X(CPU_CASE, "cpu_per_case", "s", RATIO, LOWER, COR_IN_PERFORMANCE, NULL, 18,                             \
      "CPU time of a suite / its executed cases; of one run")

/* Metrics in the order of COR_METRICS; COR_METRIC_COUNT is the length of arrays by metric. */
enum cor_metric {
#define COR_METRIC(NAME, id, unit, kind, better, shown, published, stream, meaning) COR_METRIC_##NAME,
    COR_METRICS(COR_METRIC)
#undef COR_METRIC
        COR_METRIC_COUNT
};

/* A row of COR_METRICS, static. */
struct cor_metric_schema {
    const char *id, *unit, *published_id /* NULL = the paper has none */, *meaning;
    enum cor_metric_kind kind;
    enum cor_better better;
    unsigned shown;  /* bits of COR_IN_... */
    uint32_t stream; /* entity of COR_PURPOSE_BOOTSTRAP */
};

/* Id, unit, kind and meaning of a metric. */
const struct cor_metric_schema *cor_metric_schema(enum cor_metric metric);

/* Greatest value of a metric that is a share: 100, 1, or 0 for others; and the least. */
double cor_metric_whole(enum cor_metric metric);
double cor_metric_least(enum cor_metric metric);

/* Whether a metric is made of times: true of one run on one host only. */
bool cor_metric_is_time(enum cor_metric metric);

#endif
