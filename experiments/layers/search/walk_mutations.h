/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes of a test's walk that its profiles allow: every transition taken has a probability above 0. What is
 * not said by the change is drawn by the profiles, by 32 bits of `rng` for each case of each chain concerned.
 * Each changes the walk of `test` in place and says whether it could. */
#ifndef CORRIDOR_GENERATORS_WALK_MUTATIONS_H
#define CORRIDOR_GENERATORS_WALK_MUTATIONS_H

#include <corridor/test.h>

/* All chains behind a case below `executed` are drawn anew. */
bool search_layer__walk_branch(struct cor_test *test, uint32_t executed, struct cor_rng *rng);

/* All chains behind case `from` are drawn anew. */
void search_layer__walk_branch_at(struct cor_test *test, uint32_t from, struct cor_rng *rng);

/* One chain, or each, stays in its state for a while, if it may, from a case below `executed` on. */
bool search_layer__walk_hold(struct cor_test *test, uint32_t executed, struct cor_rng *rng);

/* One chain, or each, takes the least likely transition from its state at a case below `executed`. */
bool search_layer__walk_rare_arc(struct cor_test *test, uint32_t executed, struct cor_rng *rng);

/* One chain, or each, goes on as the same chain of `other`, a test of the same suite, does behind a case in
 * which it is in the same state. */
bool search_layer__walk_splice(struct cor_test *test, const struct cor_test *other, uint32_t executed,
                               struct cor_rng *rng);

#endif
