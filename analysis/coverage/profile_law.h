/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The law of one profile as the result file has it: transitions with their probabilities; from them the
 * stationary law, what can be reached, what is likely, and how likely a walk is to miss something. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_PROFILE_LAW_H
#define CORRIDOR_ANALYSIS_COVERAGE_PROFILE_LAW_H

#include <corridor/coverage.h>
#include <corridor/error.h>

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
 * steps from each state: seen_states[k * states + first], seen_arcs likewise. `at` ascends. Done for the first
 * points, `done` of `count`, to which single steps would lead with no more than `work` multiplications.
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

#endif
