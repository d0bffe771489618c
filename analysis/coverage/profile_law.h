/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The law of one profile as the result file has it: transitions with their probabilities; from them the
 * stationary law, what can be reached, what is likely, and how likely a walk is to miss something. */
#ifndef CORRIDOR_ANALYSIS_COVERAGE_PROFILE_LAW_H
#define CORRIDOR_ANALYSIS_COVERAGE_PROFILE_LAW_H

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
 * steps from each state: seen_states[k * states + first], seen_arcs likewise. `at` ascends. Computes on while
 * no more than `work` multiplications are spent; returns for how many of the `count` points it was done.
 * The chance that a walk from s has not taken arc (i, j) within n steps is u_n(s), where u_0 = 1 and
 * u_(n+1) = P' u_n with P' = P but for entry (i, j), which is 0; likewise for states. */
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

#endif
