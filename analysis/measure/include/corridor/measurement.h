/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file, measured: one pass over its suites, and what each contributed to each metric. Tables,
 * performance, survival, contrasts and comparisons are views of this. Memory: under 1 kB a suite, 24 bytes a
 * sequence, and the largest suite; of constraints of a corridor as text 56 bytes a suite and constraint, and
 * 16 bytes for each that a sequence violates through a box. */
#ifndef CORRIDOR_MEASUREMENT_H
#define CORRIDOR_MEASUREMENT_H

#include <corridor/arms.h>
#include <corridor/descriptive.h>
#include <corridor/failure_class.h>
#include <corridor/identities.h>
#include <corridor/interval.h>
#include <corridor/metric.h>

#include <corridor/suite_reader.h>

/* What is measured beside sequences, reorganizations and their verdicts. */
enum {
    COR_MEASURE_TABLES = 1,      /* coverage of profiles by the walks, consistency, first violations */
    COR_MEASURE_PERFORMANCE = 2, /* metrics shown in performance, lengths, quality over budget */
    COR_MEASURE_KILLS = 4,       /* which check saw what; failures by class */
    COR_MEASURE_CONSTRAINTS = 8  /* constraints of a corridor as text: when first violated, and how often */
};

/* How often a constraint was seen in a suite through a box: of so many that a box looked at
 * (cor_suite_sums.judged) it was violated, or unknown, in these. Interim solutions are not counted. */
struct cor_constraint_sums {
    uint32_t violated, unknown;
};

/* What a suite contributed. */
struct cor_suite_sums {
    size_t arm; /* index in catalog/arm */
    uint32_t suite;
    uint64_t configuration_hash;                     /* 0 = not said */
    uint64_t sequences, executed, reorganizations;   /* without continuations of failed sequences */
    double y[COR_METRIC_COUNT], x[COR_METRIC_COUNT]; /* x = 0: nothing observed */
    uint64_t stop[COR_ENDING_CODES],
        smoke[COR_ENDING_CODES];         /* reorganizations by code of terms.h; 0 = not said */
    size_t first_reached, reached_count; /* in measurement->reached */
    bool is_optimal;                     /* what was reached is the least that there is */
    /* Of a corridor as text, by code of COR_BOXES: executed cases, each of which the oracle looks at
     * (detect), solutions (gray) and structures after adoption (black, move) that were judged, sequences
     * (time). */
    uint64_t judged[COR_BOX_CODES];
    size_t first_constraint; /* in measurement->constraint: [constraint * COR_BOX_CODES + box] */
};

/* In which case of a sequence each box first saw something. */
struct cor_detection_times {
    uint32_t cluster;              /* place of its suite among those of the arm */
    uint32_t executed;             /* cases: when it ended */
    uint32_t first[COR_ANY_BOXES]; /* case of the first such detection, 0 = none */
};

/* The case in which the sequence ended for that box: by the first detection, or undetected (censored). */
static inline uint32_t cor_detection_times_end(const struct cor_detection_times *times,
                                               enum cor_any_box box) {
    return times->first[box] > 0 ? times->first[box] : times->executed;
}

/* How many reorganizations went how far, through injection and detection. */
struct cor_tally {
    uint64_t reorganizations;
    uint64_t reached, held, activated; /* the fault's seam ran, its condition held, it corrupted something */
    uint64_t in_result;                /* ... and the solution descends from it */
    uint64_t in_result_passed;         /* ... which the gray box passed nevertheless */
    uint64_t gray, black;              /* failed through that box, activated or not */
    uint64_t activated_gray, activated_black;
    uint64_t masked;                            /* activated, and no box saw it */
    uint64_t gray_unprovoked, black_unprovoked; /* failed although nothing was activated */
    uint64_t unprovoked;                        /* ... through either box: once, where both failed */
    uint64_t black_only;                        /* black box failed, gray box not */
    uint64_t black_only_adoption;               /* ... where a fault of adoption was active */
    uint64_t black_only_own_moves; /* ... not so, but where the algorithm distributed its solution itself */
    uint64_t activated_black_only_aside; /* of these two, and where values went on, with an activated fault */
    uint64_t adoption_faults;            /* reorganizations whose adoption was corrupted */
    uint64_t agreement_judged, agreement_failed;              /* C7: the structure is the accepted solution */
    uint64_t stop[COR_ENDING_CODES], smoke[COR_ENDING_CODES]; /* by code of terms.h; 0 = not said */
    uint64_t inside_after,
        outside_after; /* the invariant after adoption, where looked at and not on the edge */
    uint64_t reached_times, held_times, activated_times;
    uint64_t alarms, detect_judged, alarms_missed, alarms_false; /* R-Detect, over executed cases */
    uint64_t detect_undecided; /* of these, where a value is unknown, or nobody could be asked */
    uint64_t monitor_smoke, mechanism_smoke; /* sequences that a monitor ended; that a mechanism did */
    uint64_t time_failed,
        moves_failed;                 /* formulas of time violated by a sequence; bad structures on the way */
    uint64_t rounds, messages, moved; /* sums: of decentralised algorithms, else 0, 0; agents moved */
};

/* Reorganizations that ended in smoke. */
uint64_t cor_tally_smoke(const struct cor_tally *tally);

/* How often each length occurred; lengths are whole numbers of cases. */
struct cor_lengths {
    uint64_t *count; /* owned; [length] */
    size_t capacity; /* lengths are below */
    uint64_t n;
    uint64_t cut_off; /* of n: ended by the end of what was observed */
};

/* What lengths look like. NaN where there are none; sd also for one. */
struct cor_length_figures {
    uint64_t n, cut_off;
    double mean, sd, min, median, max, geometric_mean, harmonic_mean;
};

/* All of that. */
struct cor_length_figures cor_lengths_describe(const struct cor_lengths *lengths);

/* What a killer (failure_class.h) saw in an arm. */
struct cor_kill {
    uint64_t cases;    /* test cases in which it was violated */
    uint64_t failures; /* of those, with an activated fault */
    uint64_t alone;    /* of the cases, those in which nothing else was violated */
    uint64_t sequences, suites;
};

/* Failures of one kind: test cases in which the same checks were violated through the same boxes, or, with
 * none, in which an activated fault was masked. */
struct cor_failure_tally {
    struct cor_killer_set killers;
    uint64_t cases, sequences;
    uint64_t activated;             /* of the cases, those with an activated fault */
    struct cor_violation_row first; /* the first violation of the first of them; masked: its place alone */
    uint32_t last_suite;            /* where the last of them was seen, to count sequences */
    uint16_t last_sequence;
};

/* What was seen of a constraint of a corridor as text: violated .. */
struct cor_constraint_tally {
    bool is_of_time;
    uint64_t looks;                      /* .. in so many cases that the oracle looked at */
    uint64_t gray, interim, black, move; /* .. in so many reorganizations; interim solutions each */
    uint64_t initial;                    /* .. by so many initial structures */
    uint64_t sequences;                  /* .. in so many sequences, of what is said of time */
    uint64_t unknown;                    /* in all of these together, */
    uint64_t undecided;                  /* of solutions, structures after adoption, and time alone */
    uint64_t stayed;                     /* alarms after which nothing was not met for longer */
};

/* When a sequence first violated a constraint of a corridor as text, as a box saw it. What is said of time is
 * violated with the case that fixed it, else with the last one. The initial structure, case 0, is nobody's.
 */
struct cor_constraint_first {
    uint32_t observation; /* of the arm: the sequence */
    uint32_t case_;       /* 1 or more; of what is unknown over time 1 */
    uint16_t constraint;
    uint8_t box;
    bool violated; /* else it was unknown there: whether it was met from then on cannot be said */
};

/* How alarms ended: an alarm that comes while another is open is none. */
struct cor_return_tally {
    uint64_t alarms, back; /* back: the system was inside again */
    uint64_t late, latest; /* cases until then, their sum and the most */
};

/* One arm, summed over its suites; lives as long as the measurement. What a part of COR_MEASURE_... brings
 * is there only if it was asked for. */
struct cor_arm_measurement {
    const struct cor_catalog_entry *entry;       /* borrowed from the result: code, name, description */
    const struct cor_result_header *head;        /* of the result; names its constraints */
    bool has_fault;                              /* see cor_arm_has_fault */
    bool is_exact;                               /* the algorithm `exact` without a fault */
    uint64_t suites, sequences, cases, executed; /* cases: generated */
    uint64_t failures;                           /* reorganizations in which a fault was activated (A4) */
    uint64_t sequences_detected, sequences_activated, sequences_gray_only, sequences_black_only,
        sequences_both;
    uint64_t sequences_seen;  /* in which any check failed but of interim solutions, by /violations */
    uint64_t continuations;   /* sequences that continue a failed one: in no other figure */
    uint64_t steered;         /* others, steered to traps: in no other figure */
    uint64_t suites_fallback; /* suites whose parameters follow the fallback law */
    uint64_t steps_outside;   /* steps of walks that the profile does not have: uniform or recorded walks */
    size_t first_suite;       /* index of its first in measurement->suite; its suites lie side by side */
    struct cor_moments moments[COR_METRIC_COUNT]; /* over observations, of metrics in the tables */
    struct cor_detection_times *observation;      /* owned; [sequences] */
    size_t observation_capacity;
    struct cor_tally tally;
    struct cor_identity_tally identity[COR_IDENTITY_COUNT];
    /* The first violation seen through each box (by code of COR_BOXES), by suite, sequence and case; its box
     * is 0 where there is none. */
    struct cor_violation_row first_violation[COR_BOX_CODES];
    struct cor_lengths gap, stay; /* cases between reorganizations; stays outside */
    struct cor_kill kill[COR_KILLERS];
    struct cor_failure_tally *failure_class; /* owned; in the order in which they were first seen */
    size_t failure_class_count, failure_class_capacity;
    struct cor_constraint_tally *constraint; /* owned; by code; NULL: the corridor is no text */
    uint32_t constraint_count;
    struct cor_constraint_first *constraint_first; /* owned; by constraint, box and observation */
    size_t constraint_first_count, constraint_first_capacity;
    struct cor_return_tally returns;
};

/* Reorganizations of one suite that spent 2^(bin - 1) <= units < 2^bin; bin 0: nothing. */
struct cor_spent_bin {
    uint32_t suite_index; /* in measurement->suite */
    uint32_t bin;
    uint64_t n;                  /* all; the others where both dissimilarities are known */
    double known, before, after; /* sums of dissimilarity / threshold */
    double looked, success;      /* as in metric success, not in % */
};
#define COR_SPENT_BINS 65

/* What a reorganization reached that gave a result which no box failed: the objective of the corridor as a
 * text where there is one, else the dissimilarity. */
struct cor_reached {
    uint32_t sequence, case_;
    double number;
};

/* A result, measured; made by cor_measurement_create, freed by cor_measurement_destroy. `parts`:
 * COR_MEASURE_... bits that were asked for. */
struct cor_measurement {
    const struct cor_result_header *head; /* borrowed */
    unsigned parts;
    struct cor_announced announced;  /* owned */
    struct cor_arm_measurement *arm; /* owned; in the order of catalog/arm */
    size_t arm_count;
    struct cor_suite_sums *suite; /* owned; in the order of the file */
    size_t suite_count, suite_capacity;
    struct cor_spent_bin *bin; /* owned; in the order of the suites, ascending bins */
    size_t bin_count, bin_capacity;
    struct cor_reached *reached; /* owned; by suite, sequence, case; only if an arm is exact */
    size_t reached_count, reached_capacity;
    struct cor_constraint_sums *constraint; /* owned; [suite_count * constraints * COR_BOX_CODES] */
    size_t constraint_capacity;
    bool has_exact; /* an arm is */
    uint64_t
        not_numbers; /* dissimilarities or thresholds that are none, or no positive threshold: left out */
    bool times;      /* times have been read */
    uint64_t times_missing; /* suites without a line there */
};

/* Measures a result, which must outlive the measurement; `parts` are bits of COR_MEASURE_... COR_STATUS_INPUT
 * for a file that contradicts itself where it cannot be counted (identities). */
enum cor_status cor_measurement_create(struct cor_result *result, unsigned parts,
                                       struct cor_measurement **measurement,
                                       struct cor_error *error) COR_MUST_USE;

/* What was seen of a constraint of a corridor as text in a suite through a box, measured with
 * COR_MEASURE_CONSTRAINTS. */
static inline struct cor_constraint_sums cor_suite_constraint(const struct cor_measurement *measurement,
                                                              const struct cor_suite_sums *suite,
                                                              uint32_t constraint, enum cor_box box) {
    return measurement->constraint[suite->first_constraint + (size_t)constraint * COR_BOX_CODES + box];
}

/* Frees it. NULL is allowed. */
void cor_measurement_destroy(struct cor_measurement *measurement);
COR_DESTROYS(cor_measurement, struct cor_measurement)

/* Reads the times of a run from RESULT.times.csv, beside the result at `path`; measurement->times says
 * whether there is such a file. COR_STATUS_INPUT with its line if it cannot be read as what it claims. */
enum cor_status cor_measurement_read_times(struct cor_measurement *measurement, const char *path,
                                           struct cor_error *error) COR_MUST_USE;

/* Sequences that continue failed ones, over all arms. */
uint64_t cor_measurement_left_out(const struct cor_measurement *measurement);

/* Sums over the reorganizations of a suite in whose case an arm of `exact` reorganized, too, in the same
 * suite. */
struct cor_gap {
    double compared;
    double above, optimum; /* what was reached less the optimum, and that */
    double optimum_size;   /* the size of the optimum, below 0 or not */
    double at_optimum, within_tenth;
};

/* The gap of a suite to the optimum; all is 0 where nothing can be compared, and of `exact` itself. */
struct cor_gap cor_suite_gap(const struct cor_measurement *measurement, const struct cor_suite_sums *suite);

/* Suites of one arm, in ascending order of their numbers. */
struct cor_suite_list {
    const struct cor_suite_sums *suite; /* borrowed */
    size_t count;
};

/* Those of that arm. */
struct cor_suite_list cor_suites_of(const struct cor_measurement *measurement, size_t arm);

/* The suites that all lists have, by number: (*place)[i * list_count + l] is where the i-th of them stands in
 * list l. *place is freed with free(), also after an error. COR_STATUS_MEMORY. */
enum cor_status cor_common_suites(const struct cor_suite_list *lists, size_t list_count, size_t **place,
                                  size_t *count, struct cor_error *error) COR_MUST_USE;

/* The figure of a metric in an arm, over the suites that have something to observe, with an interval by
 * `method` (LINEARISED or BCA; a share of nothing or of all has that of Clopper and Pearson). Draws from the
 * stream (seed of the file, 1 + arm, stream of the metric, COR_PURPOSE_BOOTSTRAP). COR_STATUS_MEMORY. */
enum cor_status cor_measurement_estimate(const struct cor_measurement *measurement, size_t arm,
                                         enum cor_metric metric, enum cor_interval method, double level,
                                         struct cor_estimate *estimate, struct cor_error *error) COR_MUST_USE;

/* Identities broken in some arm: above 0 the file, or the program that made it, is wrong. */
size_t cor_measurement_broken(const struct cor_measurement *measurement);

#define COR_FOUND_BY 5 /* words at most */

/* Through what something was found in an arm: "mechanism", where one failed, which is nothing about the
 * algorithm; then "gray" and "black", or, where no box saw anything, "agreement" (C7: the structure is not
 * the accepted solution), "detect" (R-Detect: missed or false alarms), "time" (a formula over the cases of a
 * sequence) and "move" (what an adoption met on its way), which the paper's metrics do not count. Writes the
 * words and returns how many; 0 = nothing was found. */
size_t cor_found_by(const struct cor_tally *tally, const char *words[COR_FOUND_BY]);

#endif
