/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One profile as a law; and what the walks of one suite cover of its profiles: one pass over the walks, chain
 * after chain. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_WALKS_H
#define CORRIDOR_ANALYSIS_COVERAGE_WALKS_H

#include <corridor/coverage.h>
#include <corridor/error.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>

#include <stdbool.h>
#include <stdint.h>

#define COVERAGE__LIKELY_MASS                                                                             \
    0.95                         /* likely: the smallest set that holds this share of the stationary mass \
                                  */
#define COVERAGE__ROW_SLACK 1e-6 /* how far the sum of a row may be from 1 */

struct coverage__law {
    uint32_t states;
    double *arc;           /* owned; [from * states + to]: probability; 0 = no such transition */
    double *start;         /* owned; [state]: law of the first state; begins uniform */
    double *share;         /* owned; [state]: stationary law; 0 unless sound */
    uint8_t *likely_state; /* owned; [state]: 1 = likely */
    uint8_t *likely_arc;   /* owned; [from * states + to] */
    bool sound;            /* each row sums to 1, so there is a stationary law */
    uint32_t arcs;         /* transitions of positive probability */
    uint32_t likely_states, likely_arcs;
};

/* A law of `states` states without transitions. */
enum cor_status coverage__law_init(struct coverage__law *law, uint32_t states,
                                   struct cor_error *error) COR_MUST_USE;
void coverage__law_fini(struct coverage__law *law);

/* Once law->arc (and law->start) is filled: counts, solves, and finds what is likely. With several closed
 * classes the stationary law is the limit of time averages from the first state, as for
 * cor_profile_stationary. */
enum cor_status coverage__law_solve(struct coverage__law *law, struct cor_error *error) COR_MUST_USE;

/* Whether two laws are the same, bit for bit. */
bool coverage__law_equal(const struct coverage__law *law, const struct coverage__law *other);

/* Stationary mass of a transition: share of its state times its probability. */
static inline double coverage__law_mass(const struct coverage__law *law, uint32_t from, uint32_t to) {
    return law->share[from] * law->arc[(size_t)from * law->states + to];
}

/* Adds to `reached` ([states] of 0 and 1) all states that can be reached from those in it and from the
 * recurrent ones (those of positive share). */
enum cor_status coverage__law_reach(const struct coverage__law *law, uint8_t *reached,
                                    struct cor_error *error) COR_MUST_USE;

/* Expected number of different states visited (the first included) and transitions taken in a walk of at[k]
 * steps from each state: seen_states[k * states + first], seen_arcs likewise. `at` ascends. Done for the
 * first points, `done` of `count`, to which single steps would lead with no more than `work` multiplications.
 * The chance that a walk from s has not taken arc (i, j) within n steps is u_n(s), where u_0 = 1 and
 * u_(n+1) = P' u_n with P' = P but for entry (i, j), which is 0; likewise for states. Many steps are taken by
 * squares of P'. */
enum cor_status coverage__law_expect(const struct coverage__law *law, const uint32_t *at, size_t count,
                                     double work, double *seen_states, double *seen_arcs, size_t *done,
                                     struct cor_error *error) COR_MUST_USE;

/* Such chances for one transition after the other. */
struct coverage__miss {
    const struct coverage__law *law; /* borrowed */
    size_t stride, from, to;
    double *into;       /* owned: [to * stride + from], probabilities without the transition's own */
    double *now, *next; /* owned, [stride]: by first state */
};

enum cor_status coverage__miss_init(struct coverage__miss *miss, const struct coverage__law *law,
                                    struct cor_error *error) COR_MUST_USE;
void coverage__miss_fini(struct coverage__miss *miss);

/* Now of this transition: nothing is walked yet, all chances are 1. */
void coverage__miss_begin(struct coverage__miss *miss, uint32_t from, uint32_t to);

/* A step more. */
void coverage__miss_step(struct coverage__miss *miss);

/* ---- pairs of states that two chains of a suite are in at the same case */

#define COVERAGE__PAIR_STATES_MAX (1u << 20) /* of each walk that are looked at: its first case and on */

/* What was seen of the pairs of the present suite. */
struct coverage__pairs {
    size_t chains;                                            /* looked at */
    uint32_t chain[COR_COVERAGE_CHAINS_MAX];                  /* their numbers, ascending */
    const struct coverage__law *law[COR_COVERAGE_CHAINS_MAX]; /* borrowed */
    uint8_t *walk[COR_COVERAGE_CHAINS_MAX];                   /* owned */
    size_t capacity[COR_COVERAGE_CHAINS_MAX], held[COR_COVERAGE_CHAINS_MAX];
    uint32_t *mark; /* owned; pair after pair: the sequence that last had these states, 0 = none */
    size_t mark_capacity, mark_count;
    uint32_t sequences;             /* ended so far */
    uint64_t of_chains;             /* pairs of chains of the suite */
    struct cor_pair_coverage found; /* of the suite */
};

void coverage__pairs_fini(struct coverage__pairs *pairs);

/* Chooses among the chains of a suite: all up to COR_COVERAGE_CHAINS_MAX, else that many, evenly spaced. */
void coverage__pairs_choose(struct coverage__pairs *pairs, size_t chain_count);

/* Once the laws of the chosen chains are set. */
enum cor_status coverage__pairs_begin(struct coverage__pairs *pairs, struct cor_error *error) COR_MUST_USE;

/* Takes part of the walk of chain `number`, if it is one of the chosen ones. */
enum cor_status coverage__pairs_put(struct coverage__pairs *pairs, size_t number, const uint8_t *states,
                                    size_t count, struct cor_error *error) COR_MUST_USE;

/* Compares the walks of a sequence, and forgets them. */
void coverage__pairs_end_sequence(struct coverage__pairs *pairs);

/* Sums up the suite into pairs->found. */
void coverage__pairs_end(struct coverage__pairs *pairs);

/* Adds `count` units that saw `seen` in sum, of `possible` each; nothing if nothing is possible. */
void coverage__covered_add(struct cor_covered *covered, double seen, double possible, uint64_t count);

/* Adds up. */
void coverage__covered_merge(struct cor_covered *sum, const struct cor_covered *covered);
void coverage__pairs_merge(struct cor_pair_coverage *sum, const struct cor_pair_coverage *pairs);

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

/* Chance that none of the walks took the transition; `length` as in struct coverage__walked. An upper bound,
 * as lengths are rounded down by up to 3 %. */
enum cor_status coverage__missed_chance(const struct coverage__law *law, const uint32_t *length,
                                        uint32_t from, uint32_t to, double *chance,
                                        struct cor_error *error) COR_MUST_USE;

#endif
