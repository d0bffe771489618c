/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A suite under way, and what takes it apart: each function adds its part to arm, sums or measurement. */
#ifndef CORRIDOR_ANALYSIS_MEASURE_MEASURE_H
#define CORRIDOR_ANALYSIS_MEASURE_MEASURE_H

#include <corridor/measurement.h>

struct measure__suite_work {
    struct cor_measurement *measurement;
    struct cor_arm_measurement *arm;
    struct cor_suite_sums *sums;
    const struct cor_suite_rows *suite;
};

/* Adds y over x observations to a metric of the suite. */
static inline void measure__contribute(struct measure__suite_work *work, enum cor_metric metric, double y,
                                       double x) {
    work->sums->y[metric] += y;
    work->sums->x[metric] += x;
}

/* Whether a sequence takes part: it has a row, and is one of a sample. Continuations were chosen because
 * the sequence before them failed, and repeat what happened in it. */
static inline bool measure__takes_part(const struct cor_sequence_rows *sequence) {
    return sequence->row && cor_is_sample(sequence);
}

/* What the chains of a sequence cover on average; NaN without chains. */
struct measure__walk_coverage {
    double states, arcs;                 /* of the profiles */
    double state_coverage, arc_coverage; /* per cent, over the generated walk with its initial state */
    uint64_t steps_outside;              /* steps that the profile gives no probability */
};

/* Walks the chains of one suite after the other (measurement.c). */
struct measure__walked_profile {
    uint32_t states, arcs; /* arcs: transitions of positive probability, as table profiles says */
    size_t start;          /* of its states x states flags, which fill whole words */
};

struct measure__walker {
    struct cor_walk_window window;
    const struct cor_chain_row *chain; /* borrowed from the suite */
    size_t chain_count;
    struct measure__walked_profile *profile; /* owned */
    size_t profile_count, profile_capacity;
    uint8_t *has; /* owned; for each transition of each profile: 1 if it is of positive probability */
    size_t has_count, has_capacity;
    uint8_t *took; /* owned; of the present chain: 1 if it took the transition */
    size_t took_capacity;
};

enum cor_status measure__walker_create(struct cor_result *result, struct measure__walker **walker,
                                       struct cor_error *error) COR_MUST_USE;
void measure__walker_destroy(struct measure__walker *walker);
COR_DESTROYS(measure__walker, struct measure__walker)

/* Takes over profiles, transitions and chains of a suite. COR_STATUS_INPUT if they are misnumbered. */
enum cor_status measure__walker_begin(struct measure__walker *walker, const struct cor_suite_rows *suite,
                                      struct cor_error *error) COR_MUST_USE;

/* Walks all chains of a sequence. */
enum cor_status measure__walker_cover(struct measure__walker *walker, const struct cor_sequence_row *row,
                                      struct measure__walk_coverage *coverage,
                                      struct cor_error *error) COR_MUST_USE;

#endif
