/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whose turn it is, where several intentions of an agent are at work: an interleaving is a named draw. Its
 * stream is named by the seed of the case and the number of the interleaving; a choice between intentions
 * draws from it, and nothing else does. So an interleaving replays, and a case without a choice draws
 * nothing.
 *
 * Each has a habit: of four that follow one another the first prefers the intention that began first, the
 * second that which began last, the third none, the fourth the one at hand. One turn in eight goes to any of
 * them, so that nobody who waits for another in a loop waits for ever.
 *
 * A case may say some of its turns: the others are drawn as if nothing were said. So what an interleaving
 * does otherwise than the first, said of that, is the interleaving again. */
#ifndef CORRIDOR_TURNS_H
#define CORRIDOR_TURNS_H

#include <corridor/interpreter.h>
#include <corridor/rng.h>

/* Intentions that begin in one case, at most; one more ends it as the limit of steps does. */
#define COR_INTENTIONS_MOST 4096u

/* The turns of one case. */
struct cor_turns {
    const struct cor_agent_case *asked; /* borrowed */
    struct cor_trace *trace;            /* borrowed; gets what is told */
    uint32_t number, given;             /* turns with a choice; of the said ones those before */
    struct cor_rng rng, first;          /* of its interleaving, of the first: named at the first choice */
};

/* No turn was taken yet. */
static inline void cor_turns_begin(struct cor_turns *turns, const struct cor_agent_case *asked,
                                   struct cor_trace *trace) {
    turns->asked = asked;
    turns->trace = trace;
    turns->number = turns->given = 0;
}

/* Who of the `count` intentions that are ready (at least one), in the order in which they began, is next: its
 * place; `at` is that of the one at hand, `count` if that cannot go on. Draws where there is a choice. */
uint32_t cor_turns_next(struct cor_turns *turns, const uint32_t *ready, uint32_t count, uint32_t at);

#endif
