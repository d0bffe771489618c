/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How mail went in a test whose messages are delivered one by one, and other orders of it. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_SCHEDULE_MUTATIONS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_SCHEDULE_MUTATIONS_H

#include <corridor/mail_record.h>
#include <corridor/record.h>
#include <corridor/rng.h>

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

/* What an execution has left: `mail` of the tester, and its rows. Identities of cases are their numbers. */
enum cor_status search_layer__mail_seen_init(const struct cor_mail_record *mail, struct cor_record *rows,
                                             struct search_layer__mail_seen *seen,
                                             struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void search_layer__mail_seen_fini(struct search_layer__mail_seen *seen);

/* About what it takes in memory. */
size_t search_layer__mail_seen_bytes(const struct search_layer__mail_seen *seen);

/* The schedule of what was seen with another order in one reorganization: two neighbours change places, one
 * message waits, or all entries are dropped for one to three messages that wait. *made is NULL if no
 * reorganization has two messages; else owned by the caller. */
enum cor_status search_layer__schedule_mutate(const struct search_layer__mail_seen *seen, struct cor_rng *rng,
                                              struct cor_mail_record **made,
                                              struct cor_error *error) COR_MUST_USE;

#endif
