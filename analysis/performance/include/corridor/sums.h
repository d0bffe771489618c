/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well the algorithm under test does its work, summed suite by suite: the metrics of
 * so_algorithms, section 9, that a result file holds. A metric is a ratio y / x of two sums; suites are
 * independent, what lies within one is not. */
#ifndef CORRIDOR_SUMS_H
#define CORRIDOR_SUMS_H

#include <corridor/estimate.h>
#include <corridor/result.h>

#include <stdbool.h>

/* What is better for the algorithm under test. */
enum cor_better { COR_BETTER_NEITHER, COR_BETTER_LOWER, COR_BETTER_HIGHER };

/* "neither", "lower", "higher". */
const char *cor_old_better_word(enum cor_better better);

/* X(NAME, id, unit, better, meaning). A detection is a reorganization that a box failed, or smoke; affected
 * agents are those that moved; involved are all agents of the suite. Metrics in % have y = 0 .. 100 x. */
#define COR_SUM_METRICS(X)                                                                             \
    X(REORGANIZATIONS, "reorganizations_per_case", "1", LOWER, "reorganizations a test case executed") \
    X(SUCCESS, "success_pct", "%", HIGHER, "reorganizations after which the invariant holds")          \
    X(DETECTED_SEQUENCES, "sequences_detected_pct", "%", LOWER, "sequences with a detection")          \
    X(DETECTIONS, "detections_pct", "%", LOWER, "reorganizations with a detection")                    \
    X(FAILURES, "failures_per_sequence", "failures", NEITHER,                                          \
      "reorganizations with an activated fault, a sequence")                                           \
    X(MOVED, "moved_per_reorganization", "agents", LOWER, "agents affected (moved) a reorganization")  \
    X(INVOLVED, "involved_per_reorganization", "agents", NEITHER, "agents involved: all of the suite") \
    X(EFFICIENCY, "involvement_efficiency", "1", NEITHER, "affected / involved agents")                \
    X(MOVES, "moves_per_agent", "moves", LOWER, "moves of an agent, a sequence")                       \
    X(MESSAGES, "messages_per_reorganization", "messages", LOWER, "messages sent a reorganization")    \
    X(ROUNDS, "rounds_per_reorganization", "rounds", LOWER, "rounds of mail a reorganization")         \
    X(SPENT, "spent_per_reorganization", "units", LOWER,                                               \
      "budget used a reorganization, in the unit of the algorithm")                                    \
    X(BEFORE, "dissimilarity_before", "1", NEITHER, "dissimilarity before reorganizing / threshold")   \
    X(AFTER, "dissimilarity_after", "1", LOWER, "dissimilarity after reorganizing / threshold")        \
    X(OUTSIDE, "cases_outside_pct", "%", LOWER, "test cases that end outside the corridor")            \
    X(STAY, "cases_per_stay_outside", "cases", LOWER, "test cases of a stay outside the corridor")     \
    X(GAP, "cases_between_reorganizations", "cases", NEITHER,                                          \
      "test cases from one reorganization to the next of its sequence")                                \
    X(CPU_REORGANIZATION, "cpu_per_reorganization", "s", LOWER,                                        \
      "CPU time of a suite / its reorganizations; of one run")                                         \
    X(CPU_CASE, "cpu_per_case", "s", LOWER, "CPU time of a suite / its executed cases; of one run")

enum cor_sum_metric {
#define COR_SUM(NAME, id, unit, better, meaning) COR_SUM_##NAME,
    COR_SUM_METRICS(COR_SUM)
#undef COR_SUM
        COR_SUM_COUNT
};

struct cor_sum_schema {
    const char *id, *unit, *meaning;
    enum cor_better better;
};

/* Id, unit, direction and meaning of a metric. */
const struct cor_sum_schema *cor_sum_schema(enum cor_sum_metric metric);

/* Greatest value of a metric that is a share: 100 for %, 1 for the efficiency, 0 for others. */
double cor_sum_whole(enum cor_sum_metric metric);

/* Whether a metric is made of times: true of one run on one host only. */
bool cor_sum_is_time(enum cor_sum_metric metric);

struct cor_suite_sums {
    uint16_t arm; /* index in catalog/arm */
    uint32_t suite;
    uint64_t configuration_hash; /* 0 = not said */
    uint64_t sequences, executed, reorganizations;
    double y[COR_SUM_COUNT], x[COR_SUM_COUNT]; /* x = 0: nothing observed */
    uint64_t stop[COR_ENDING_CODES],
        smoke[COR_ENDING_CODES]; /* reorganizations by code of terms.h; 0 = others */
};

/* How often each length occurred; lengths are whole numbers of cases. */
struct cor_lengths {
    uint64_t *count; /* owned; [length] */
    size_t capacity; /* lengths are below */
    uint64_t n;
    uint64_t cut_off; /* of n: ended by the end of what was observed */
};

/* Reorganizations of one suite that spent 2^(bin - 1) <= units < 2^bin; bin 0: nothing. */
struct cor_spent_bin {
    uint32_t suite_index; /* in the list of suites */
    uint32_t bin;
    uint64_t n;                  /* all; the others where both dissimilarities are known */
    double known, before, after; /* sums of dissimilarity / threshold */
    double looked, success;      /* as in metric success, not in % */
};
#define COR_SPENT_BINS 65

struct cor_sums {
    const struct cor_result_header *head; /* borrowed */
    struct cor_suite_sums *suite;         /* owned; in the order of the file */
    size_t suite_count, suite_capacity;
    struct cor_lengths *gap, *stay; /* owned; [arm of the catalog]: gaps, stays outside */
    struct cor_spent_bin *bin;      /* owned; in the order of the suites, ascending bins */
    size_t bin_count, bin_capacity;
    uint64_t left_out; /* sequences that continue failed ones */
    uint64_t
        not_numbers; /* dissimilarities or thresholds that are none, or no positive threshold: left out */
    bool times;      /* times have been read */
    uint64_t times_missing; /* suites without a line there */
};

/* Reads the result, which must outlive the sums. COR_STATUS_INPUT for a file that contradicts itself. Memory
 * depends on the number of suites, the greatest length and the largest suite. */
enum cor_status cor_sums_create(struct cor_result *result, struct cor_sums **sums,
                                struct cor_error *error) COR_MUST_USE;

/* Frees the sums. NULL is allowed. */
void cor_sums_destroy(struct cor_sums *sums);

/* Reads the times of a run from RESULT.times.csv, beside the result at `path`; sums->times says whether there
 * is such a file. COR_STATUS_INPUT with its line if it cannot be read as what it claims. */
enum cor_status cor_sums_read_times(struct cor_sums *sums, const char *path,
                                    struct cor_error *error) COR_MUST_USE;

#endif
