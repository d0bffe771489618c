/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which states of a profile lead to which; private to this room. Sets of states are words: bit i is state i.
 */
#ifndef CORRIDOR_PROFILES_CHAIN_H
#define CORRIDOR_PROFILES_CHAIN_H

#include <corridor/profile.h>

_Static_assert(COR_PROFILE_STATES_MAX <= 64, "a set of states is one word");

/* The set of one state; the set of the states below `count`. */
static inline uint64_t cor__set_of(uint32_t state) {
    return UINT64_C(1) << state;
}

static inline uint64_t cor__set_below(uint32_t count) {
    return count == 64 ? ~UINT64_C(0) : cor__set_of(count) - 1;
}

/* reach[i] = the states that state i leads to in one step or more. */
void cor__reach(const struct cor_profile *profile, uint64_t *reach);

/* The closed classes (sets of states that lead to each other and to nothing else), ordered by their first
 * state. Returns their number, at least 1. */
uint32_t cor__closed_classes(const struct cor_profile *profile, uint64_t *classes);

/* The period of a closed class: the greatest common divisor of the lengths of its cycles. */
uint32_t cor__period(const struct cor_profile *profile, uint64_t members);

#endif
