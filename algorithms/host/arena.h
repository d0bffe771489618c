/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: the memory of one reorganization. */
#ifndef CORRIDOR_ALGORITHMS_HOST_ARENA_H
#define CORRIDOR_ALGORITHMS_HOST_ARENA_H

#include <stddef.h>

struct host__strict;
struct host__chunk;

/* local.c: the memory of one reorganization. A bump allocator whose chunks stay from one reorganization to
 * the next, so that a warm session calls malloc no more. What is charged depends on the requests alone, never
 * on where the chunks happen to end: a session that is warm and a fresh one meet the limit at the same
 * request. */
struct host__arena {
    struct host__strict *strict; /* borrowed; NULL: memory comes from chunks */
    struct host__chunk *first;   /* owned; the list of chunks */
    struct host__chunk *current;
    void *last;        /* the newest allocation, which grows in place when there is room */
    size_t last_bytes; /* its rounded size */
    size_t charged;    /* rounded bytes handed out since the reset, and those of others (mail under way) */
    size_t limit;
    int exhausted; /* the machine, not the limit, had no more memory */
};

/* An empty arena; no memory yet. */
void host__arena_init(struct host__arena *arena, size_t limit);
void host__arena_fini(struct host__arena *arena);

/* Releases everything handed out and keeps the memory, in one piece where possible. */
void host__arena_reset(struct host__arena *arena);

/* Zeroed, 16-byte aligned; NULL at the limit. 0 bytes give a pointer of their own. */
void *host__arena_alloc(struct host__arena *arena, size_t bytes);

/* Charges `bytes`, which may lie elsewhere; 0 at the limit. What lies elsewhere is taken off again. */
static inline int host__arena_charge(struct host__arena *arena, size_t bytes) {
    if (bytes > arena->limit - arena->charged)
        return 0;
    arena->charged += bytes;
    return 1;
}

#endif
