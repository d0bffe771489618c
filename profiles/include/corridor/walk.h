/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk: what the chains of a suite did in one sequence, as generated (003, 4.2). Walks are made before
 * anything is executed, or read back from a suite file; the loop cannot tell the difference. */
#ifndef CORRIDOR_WALK_H
#define CORRIDOR_WALK_H

#include <corridor/profile.h>

/* Where the next states come from. */
enum cor_source {
    COR_SOURCE_PROFILE = 1, /* the profile's own probabilities */
    COR_SOURCE_UNIFORM = 2  /* all states equally likely: what profiles are measured against */
};

struct cor_walk {
    uint32_t chain_count, case_count;
    /* owned; [case * chain_count + chain], cases 0 .. case_count; case 0 = before the first test case */
    uint8_t *states;
    size_t capacity; /* bytes */
};

/* An empty walk; frees nothing. */
void cor_walk_init(struct cor_walk *walk);

/* Frees the states. Idempotent. */
void cor_walk_fini(struct cor_walk *walk);

/* Room for that many chains and cases, contents undefined. */
enum cor_status cor_walk_resize(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                struct cor_error *error) COR_MUST_USE;

/* Walks chain_count chains for case_count cases. Chain c is an instance of profiles[profile_of_chain[c]] and
 * draws from a stream of its own: `name` with purpose WALK and entity c. Case i takes 32 bits: the low half
 * of word i / 2 of the stream when i is even, the high half when it is odd, so a longer walk begins with the
 * shorter one. Case 0 is drawn from the profile's law of the first state whatever the source: walks of both
 * sources set out from the same states. */
enum cor_status cor_walk_generate(const struct cor_profile *const *profiles, const uint16_t *profile_of_chain,
                                  uint32_t chain_count, uint32_t case_count, enum cor_source source,
                                  const struct cor_stream_name *name, struct cor_walk *walk,
                                  struct cor_error *error) COR_MUST_USE;

/* The states of all chains at case `index` (0 = initial). */
static inline const uint8_t *cor_walk_at(const struct cor_walk *walk, uint32_t index) {
    return walk->states + (size_t)index * walk->chain_count;
}

#endif
