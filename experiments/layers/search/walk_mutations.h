/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes of a test's walk that its profiles allow: every transition taken has a probability above 0. What is
 * not said by the change is drawn by the profiles, by 32 bits of `rng` for each case of each chain concerned.
 * Each changes the walk of `test` in place, behind a case, from 0, and says whether it could. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_WALK_MUTATIONS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_WALK_MUTATIONS_H

#include <corridor/mail_record.h>
#include <corridor/record.h>
#include <corridor/rng.h>
#include <corridor/test.h>

/* All chains behind case `from` are drawn anew. */
void search_layer__walk_branch(struct cor_test *test, uint32_t from, struct cor_rng *rng);

/* One chain, or each, stays in its state for a while, if it may, from case `from` on. */
bool search_layer__walk_hold(struct cor_test *test, uint32_t from, struct cor_rng *rng);

/* One chain, or each, takes the least likely transition from its state at case `from`. */
bool search_layer__walk_rare_arc(struct cor_test *test, uint32_t from, struct cor_rng *rng);

/* One chain, or each, goes on behind case `from` as the same chain of `other`, a test of the same suite, does
 * behind a case in which it is in the same state. */
bool search_layer__walk_splice(struct cor_test *test, const struct cor_test *other, uint32_t from,
                               struct cor_rng *rng);

/* All that is random behind case `from` but the walk - algorithm, mail, faults, idle agents - is drawn anew:
 * its cases get identities above *identities, which counts on, and is above all that were given. */
enum cor_status search_layer__draws_branch(struct cor_test *test, uint32_t from, uint64_t *identities,
                                           struct cor_error *error) COR_MUST_USE;

/* ---- how mail went in a test whose messages are delivered one by one, and other orders of it */

/* A reorganization that sent messages enough to order them otherwise. */
struct search_layer__mail_case {
    uint64_t identity; /* of its case */
    uint32_t messages; /* sent, 2 or more */
};

struct search_layer__mail_seen {
    struct cor_mail_record *record;        /* owned; NULL: it was not recorded */
    struct search_layer__mail_case *cases; /* owned */
    uint32_t case_count;
};

/* The schedule of what was seen with another order in one reorganization: two neighbours change places, one
 * message waits, or all entries are dropped for one to three messages that wait. *made is NULL if no
 * reorganization has two messages; else owned by the caller. */
enum cor_status search_layer__schedule_mutate(const struct search_layer__mail_seen *seen, struct cor_rng *rng,
                                              struct cor_mail_record **made,
                                              struct cor_error *error) COR_MUST_USE;

#endif
