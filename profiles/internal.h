/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share: which states of a profile lead to which (chain.c), text that grows
 * (profile_text.c), and the steps of a fit in the order in which cor_fit_create takes them (fit/). */
#ifndef CORRIDOR_PROFILES_INTERNAL_H
#define CORRIDOR_PROFILES_INTERNAL_H

#include <corridor/fit.h>
#include <corridor/profile.h>

/* Sets of states are words: bit i is state i. */
_Static_assert(COR_PROFILE_STATES_MAX <= 64, "a set of states is one word");

/* The set of one state; the set of the states below `count`. */
static inline uint64_t profiles__set_of(uint32_t state) {
    return UINT64_C(1) << state;
}

static inline uint64_t profiles__set_below(uint32_t count) {
    return count == 64 ? ~UINT64_C(0) : profiles__set_of(count) - 1;
}

/* reach[i] = the states that state i leads to in one step or more. */
void profiles__reach(const struct cor_profile *profile, uint64_t *reach);

/* The closed classes (sets of states that lead to each other and to nothing else), ordered by their first
 * state. Returns their number, at least 1. */
uint32_t profiles__closed_classes(const struct cor_profile *profile, uint64_t *classes);

/* The period of a closed class: the greatest common divisor of the lengths of its cycles. */
uint32_t profiles__period(const struct cor_profile *profile, uint64_t members);

/* The width of a column of states under the head "state". */
int profiles__widest_name(const struct cor_profile *profile);

/* discretize.c: checks the definition, sets cuts, blocks and the states that occur, and gives the state of
 * each value of the series. */
enum cor_status profiles__fit_discretize(struct cor_fit *fit, const struct cor_series *series,
                                         const struct cor_fit_def *def, uint8_t *sequence,
                                         struct cor_error *error) COR_MUST_USE;

/* The names of all states; the texts have room for COR_PROFILE_NAME_MAX bytes. */
void profiles__fit_state_names(const struct cor_fit *fit, char names[][COR_PROFILE_NAME_MAX + 1]);

/* goodness.c: all figures but the counts; `sequence` holds the state of each value. */
enum cor_status profiles__fit_goodness(struct cor_fit *fit, const struct cor_series *series,
                                       const uint8_t *sequence, struct cor_error *error) COR_MUST_USE;

/* The natural logarithm of a positive number from + - * / alone, so that stored figures have the same bits on
 * every machine; within 4 units in the last place. */
double profiles__fit_log(double x);

/* fit_report.c: the sentences. */
enum cor_status profiles__fit_remarks(struct cor_fit *fit, bool has_hours,
                                      struct cor_error *error) COR_MUST_USE;

#endif
