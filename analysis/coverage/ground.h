/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the walks of one suite cover of its profiles: one pass over the walks, chain after chain. */
#ifndef CORRIDOR_COVERAGE_GROUND_H
#define CORRIDOR_COVERAGE_GROUND_H

#include "coverage.h" /* of the tables: profiles, chains and the window on the walks */
#include "law.h"
#include "pairs.h"

#include <corridor/coverage.h>

/* How much of something was seen: numbers, and stationary mass. */
struct cor__tally {
    double states, arcs, likely_states, likely_arcs, state_mass, arc_mass;
};

void cor__tally_add(struct cor__tally *sum, const struct cor__tally *tally);

/* Cases, sequences and suites after which coverage is noted: 1, 2, 5, 10, ... 100 000. */
#define COR__POINTS (COR_COVERAGE_POINTS_MAX - 1)
extern const uint32_t cor__points[COR__POINTS];

/* Lengths of walks, told apart up to 128 and then in 32 steps an octave. */
#define COR__LENGTHS 928
uint32_t cor__length_bucket(uint32_t cases);
uint32_t cor__bucket_length(uint32_t bucket); /* the least length in it */

/* A profile of the suite and what was seen of it. */
struct cor__site {
    uint16_t environment;
    struct cor__law law;
    uint64_t chains;
    uint64_t *taken, *taken_said;    /* owned; [states * states]: by the walks; by table transitions */
    uint64_t *visits, *visits_said;  /* owned; [states] */
    uint32_t *arc_mark, *state_mark; /* owned: number of the chain that last took (visited) it, 0 = none */
    uint32_t *length; /* owned; [first state * COR__LENGTHS + bucket]: walks; NULL = too many */
    uint64_t walks, steps, steps_outside;
    uint64_t chain_count, sequence_count;      /* what the sums are over */
    struct cor__tally chain_sum, sequence_sum; /* over chains in sequences; over sequences */
    struct cor__tally sequence, suite;         /* of the present sequence and of the suite so far */
    uint64_t point_count[COR__POINTS];         /* walks that went on for so many cases */
    struct cor__tally point_sum[COR__POINTS];  /* what they had seen by then */
    uint64_t *point_first;                     /* owned; [point * states + first state] */
    struct cor__tally after[COR__POINTS];      /* so many sequences of the suite */
};

struct cor__ground {
    struct cor__environment environment;
    struct cor__site *site; /* owned; [environment.profile_count] */
    size_t site_capacity, site_count;
    size_t cells, length_cells;
    uint32_t stamp;          /* of the last chain of the suite */
    uint32_t sequence_stamp; /* of the last chain before the present sequence */
    uint32_t sequences;      /* walked so far */
    struct cor__pairs pairs;
};

enum cor_status cor__ground_init(struct cor__ground *ground, struct cor_result *result,
                                 struct cor_error *error) COR_MUST_USE;
void cor__ground_fini(struct cor__ground *ground);

/* Forgets the suite. Then come its rows, in this order of tables. */
void cor__ground_clear(struct cor__ground *ground);
enum cor_status cor__ground_profile(struct cor__ground *ground, const struct cor_profile_row *row,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status cor__ground_transition(struct cor__ground *ground, const struct cor_transition_row *row,
                                       struct cor_error *error) COR_MUST_USE;
enum cor_status cor__ground_visit(struct cor__ground *ground, const struct cor_visit_row *row,
                                  struct cor_error *error) COR_MUST_USE;
enum cor_status cor__ground_chain(struct cor__ground *ground, const struct cor_chain_row *row,
                                  struct cor_error *error) COR_MUST_USE;

/* Once profiles and chains are there: solves the laws. Then walk the sequences. */
enum cor_status cor__ground_begin(struct cor__ground *ground, struct cor_error *error) COR_MUST_USE;
enum cor_status cor__ground_walk(struct cor__ground *ground, const struct cor_sequence_row *row,
                                 struct cor_error *error) COR_MUST_USE;

/* Compares what the walks show with what tables visits and transitions say. */
enum cor_status cor__ground_end(struct cor__ground *ground, const struct cor_suite_row *suite,
                                struct cor_error *error) COR_MUST_USE;

#endif
