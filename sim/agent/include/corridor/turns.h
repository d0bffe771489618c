/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whose turn it is, where several intentions of an agent are at work: an interleaving is a named draw. Its
 * stream is named by the seed of the case and the number of the interleaving; a choice between intentions
 * draws from it, and nothing else does. So an interleaving replays, and a case without a choice draws
 * nothing.
 *
 * Each has a habit: of four that follow one another the first prefers the intention that began first, the
 * second that which began last, the third none, the fourth the one at hand. One turn in eight goes to any of
 * them, so that nobody who waits for another in a loop waits for ever. */
#ifndef CORRIDOR_TURNS_H
#define CORRIDOR_TURNS_H

#include <corridor/rng.h>

/* Intentions that begin in one case, at most; one more ends it as the limit of steps does. */
#define COR_INTENTIONS_MOST 4096u

/* The turns of one case. */
struct cor_turns {
    uint64_t seed;
    uint32_t interleaving;
    bool is_named; /* rng is */
    struct cor_rng rng;
};

/* No turn was taken yet. */
static inline void cor_turns_begin(struct cor_turns *turns, uint64_t seed, uint32_t interleaving) {
    turns->seed = seed;
    turns->interleaving = interleaving;
    turns->is_named = false;
}

/* Who of `count` (at least one), in the order in which they began, is next; `at` is the place of the one at
 * hand, `count` if that cannot go on. Draws where there is a choice. */
uint32_t cor_turns_next(struct cor_turns *turns, uint32_t count, uint32_t at);

#endif
