/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the walks of one suite cover of its profiles: one pass over the walks, chain after chain. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_WALKS_H
#define CORRIDOR_ANALYSIS_COVERAGE_WALKS_H

#include "profile_law.h"

#include <corridor/coverage.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>

/* How much of something was seen: numbers, and stationary mass. */
struct coverage__tally {
    double states, arcs, likely_states, likely_arcs, state_mass, arc_mass;
};

/* What the counts of a profile leave open. */
struct coverage__open {
    double states, arcs; /* reachable */
    double mass;         /* of transitions never taken */
    struct coverage__tally seen;
    uint64_t unseen, unseen_likely, once;
    double good_turing, chao; /* mass and number of transitions never taken, as the counts alone suggest */
};

/* Compares counts with the law. */
enum cor_status coverage__find_open(const struct coverage__law *law, const uint64_t *visits,
                                    const uint64_t *taken, struct coverage__open *open,
                                    struct cor_error *error) COR_MUST_USE;

/* Cases, sequences and suites after which coverage is noted: 1, 2, 5, 10, ... 100 000. */
#define COVERAGE__POINTS (COR_COVERAGE_POINTS_MAX - 1)
extern const uint32_t coverage__points[COVERAGE__POINTS];

/* Lengths of walks, told apart up to 128 and then in 32 steps an octave. */
#define COVERAGE__LENGTHS 928
uint32_t coverage__length_bucket(uint32_t cases);
uint32_t coverage__bucket_length(uint32_t bucket); /* the least length in it */

/* A profile of the suite and what was seen of it. */
struct coverage__walked {
    uint16_t environment;
    struct coverage__law law;
    uint64_t chains;
    uint64_t *taken, *taken_said;    /* owned; [states * states]: by the walks; by table transitions */
    uint64_t *taken_too;             /* owned: of `taken`, what is still to be added */
    uint64_t *visits, *visits_said;  /* owned; [states] */
    uint32_t *arc_mark, *state_mark; /* owned: number of the chain that last took (visited) it, 0 = none */
    uint32_t *length; /* owned; [first state * COVERAGE__LENGTHS + bucket]: walks; NULL = too many */
    uint64_t walks, steps, steps_outside;
    uint64_t chain_count, sequence_count;               /* what the sums are over */
    struct coverage__tally chain_sum, sequence_sum;     /* over chains in sequences; over sequences */
    struct coverage__tally sequence, suite;             /* of the present sequence and of the suite so far */
    uint64_t point_count[COVERAGE__POINTS];             /* walks that went on for so many cases */
    struct coverage__tally point_sum[COVERAGE__POINTS]; /* what they had seen by then */
    uint64_t *point_first;                              /* owned; [point * states + first state] */
    struct coverage__tally after[COVERAGE__POINTS];     /* so many sequences of the suite */
    struct coverage__open open;                         /* by the whole suite, if it has walks */
    double *missed; /* owned: [states * states], chance to miss the transition; NaN = not yet asked for */
};

/* The walks of a suite, and the buffers that serve one suite after the other. */
struct coverage__walks {
    struct cor_walk_window window;
    struct cor_state_names names;      /* where walks begin */
    const struct cor_chain_row *chain; /* borrowed from the suite */
    size_t chain_count;
    struct coverage__walked *profile; /* owned */
    size_t profile_capacity, profile_count;
    uint32_t stamp;          /* of the last chain of the suite */
    uint32_t sequence_stamp; /* of the last chain before the present sequence */
    uint32_t sequences;      /* walked so far */
    uint64_t cases;          /* of these */
    struct coverage__pairs pairs;
};

enum cor_status coverage__walks_init(struct coverage__walks *walks, struct cor_result *result,
                                     struct cor_error *error) COR_MUST_USE;
void coverage__walks_fini(struct coverage__walks *walks);

/* What is read of a suite. */
#define COVERAGE__WALKS_READINGS 5
extern const struct cor_reading coverage__walks_readings[COVERAGE__WALKS_READINGS];

/* Follows all walks of a suite, and holds what they show against what tables visits and transitions say. */
enum cor_status coverage__walks_read(struct coverage__walks *walks, const struct cor_suite_rows *suite,
                                     struct cor_error *error) COR_MUST_USE;

/* ---- what walks are expected to see of the profiles of a suite */

/* Of one law, at each of coverage__points as far as it was computed. */
struct coverage__expectation {
    size_t done;           /* points; 0 = not computed */
    double *states, *arcs; /* owned; [point * states + first state] */
};

/* The expectation of the last profile of an environment that it was computed for. */
struct coverage__remembered {
    uint16_t environment;
    struct coverage__law law;
    struct coverage__expectation expectation;
};

struct coverage__expectations {
    uint64_t stride; /* every such suite of an arm gets one even if its profiles are new */
    struct coverage__remembered *remembered; /* owned; one an environment */
    size_t remembered_count, remembered_capacity;
    struct coverage__expectation
        *of_profile; /* owned; [profile of the suite]; borrows from what is remembered */
    size_t capacity;
};

/* The stride for a file of so many profiles. */
uint64_t coverage__expectation_stride(uint64_t profiles);

/* Fills of_profile for the suite that was walked, number `suite` of its arm in the order of the file: for all
 * profiles if the suite is chosen by the stride, else for the profiles that are remembered; for none if the
 * walks do not follow the profiles. */
enum cor_status coverage__expect(struct coverage__expectations *expectations,
                                 const struct coverage__walks *walks, bool by_profile, uint64_t suite,
                                 struct cor_error *error) COR_MUST_USE;

void coverage__expectations_fini(struct coverage__expectations *expectations);

#endif
