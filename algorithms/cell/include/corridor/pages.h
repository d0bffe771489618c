/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots of a life: all memory of its process is put back to what it was, page by page. What a guest has
 * anywhere comes back that way, whoever gave it the memory: what it has allocated, its variables, those of
 * the C library. A page is copied when it is first written, so that a snapshot costs what was written, not
 * what there is.
 *
 * How the machine rounds comes back, too, and which signals are blocked. What else is no memory does not,
 * nor what is shared. So no call of the system is allowed to what lives there any more but those that change
 * nothing that a snapshot would miss: any other ends the life, as does opening or closing memory of one's
 * own. Whoever asked for it does the same without snapshots then. */
#ifndef CORRIDOR_PAGES_H
#define CORRIDOR_PAGES_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In memory that the session and its lives share. It holds the snapshots of one life. */
struct cor_pages;
enum cor_status cor_pages_create(struct cor_pages **pages, struct cor_error *error) COR_MUST_USE;
void cor_pages_destroy(struct cor_pages *pages); /* NULL is allowed */

/* For the session: how often the last life went back to a snapshot, and whether it began to take some. */
uint64_t cor_pages_restored(const struct cor_pages *pages);
bool cor_pages_have_begun(const struct cor_pages *pages);

/* For the session, before a life begins: there are no snapshots. */
void cor_pages_forget(struct cor_pages *pages);

/* For a life, before it does anything: what is shared now is not what a guest shares. */
void cor_pages_look(struct cor_pages *pages);

/* Memory, in whole pages. */
struct cor_pages_piece {
    const void *start;
    size_t bytes;
};

#define COR_PAGES_FIXED_MOST 8u

/* For a life, of one thread, that has loaded all it needs; once. `fixed`, [count] of at most
 * COR_PAGES_FIXED_MOST, may not change: with the first change of it there are no snapshots any more. False:
 * there are none here, or more is shared by now. */
bool cor_pages_begin(struct cor_pages *pages, const struct cor_pages_piece *fixed, uint32_t count);

/* Memory as it is now, but for the stack and what is shared, is kept by that key; older ones make room. */
void cor_pages_save(struct cor_pages *pages, uint64_t key);

/* Memory is as it was when that was kept. False: it is not kept any more, or nothing is; all is as it was. */
bool cor_pages_restore(struct cor_pages *pages, uint64_t key);

/* For whoever handles SIGSEGV in a life: was that the first write to a page? Then it can go on. */
bool cor_pages_written(const void *at);

#endif
