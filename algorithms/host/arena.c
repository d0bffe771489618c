/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "local.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ((size_t)16)
#define CHUNK_LEAST ((size_t)64 * 1024)

struct host__chunk {
    struct host__chunk *next; /* owned */
    size_t capacity, used;
    _Alignas(16) unsigned char bytes[];
};

void host__arena_init(struct host__arena *arena, size_t limit) {
    *arena = (struct host__arena){.limit = limit};
}

static void free_chunks(struct host__chunk *chunk) {
    while (chunk) {
        struct host__chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void host__arena_fini(struct host__arena *arena) {
    free_chunks(arena->first);
    host__arena_init(arena, arena->limit);
}

static struct host__chunk *new_chunk(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct host__chunk))
        return NULL;
    struct host__chunk *chunk = malloc(sizeof *chunk + capacity);
    if (chunk)
        *chunk = (struct host__chunk){.capacity = capacity};
    return chunk;
}

void host__arena_reset(struct host__arena *arena) {
    if (arena->first && arena->first->next) {
        /* Several chunks become one as large as all of them; where that cannot be had, they stay as they
         * are. */
        size_t capacity = 0;
        for (struct host__chunk *chunk = arena->first; chunk; chunk = chunk->next)
            capacity += chunk->capacity;
        struct host__chunk *whole = new_chunk(capacity);
        if (whole) {
            free_chunks(arena->first);
            arena->first = whole;
        }
    }
    for (struct host__chunk *chunk = arena->first; chunk; chunk = chunk->next)
        chunk->used = 0;
    arena->current = arena->first;
    arena->last = NULL;
    arena->charged = arena->last_bytes = 0;
    arena->exhausted = 0;
}

/* The next chunk that has room, made when there is none. */
static struct host__chunk *chunk_for(struct host__arena *arena, size_t bytes) {
    struct host__chunk *tail = arena->current;
    for (; tail; tail = tail->next) {
        if (tail->capacity - tail->used >= bytes)
            return tail;
        if (!tail->next)
            break;
    }
    size_t capacity = tail ? tail->capacity : CHUNK_LEAST;
    struct host__chunk *chunk = new_chunk(capacity > bytes ? capacity : bytes);
    if (!chunk)
        return NULL;
    if (tail)
        tail->next = chunk;
    else
        arena->first = chunk;
    return chunk;
}

/* Bytes of a chunk, or of the pages of who asks; NULL when there are no more. */
static unsigned char *place(struct host__arena *arena, size_t bytes) {
    if (arena->strict)
        return host__strict_take(arena->strict, bytes);
    struct host__chunk *chunk = chunk_for(arena, bytes);
    if (!chunk)
        return NULL;
    chunk->used += bytes;
    arena->current = chunk;
    return chunk->bytes + chunk->used - bytes;
}

/* Memory that is already charged: `keep` bytes copied from `from`, the rest zeroed. */
static void *take(struct host__arena *arena, size_t bytes, const void *from, size_t keep) {
    unsigned char *memory = place(arena, bytes);
    if (!memory) {
        arena->exhausted = 1;
        return NULL;
    }
    if (keep > 0)
        memcpy(memory, from, keep);
    memset(memory + keep, 0, bytes - keep);
    arena->last = memory;
    arena->last_bytes = bytes;
    return memory;
}

/* Rounds up to the alignment, at least one unit; 0 when that cannot be. */
static size_t rounded(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT)
        return 0;
    return bytes > 0 ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
}

void *host__arena_alloc(struct host__arena *arena, size_t bytes) {
    size_t whole = rounded(bytes);
    if (whole == 0 || !host__arena_charge(arena, whole))
        return NULL;
    return take(arena, whole, NULL, 0);
}

/* The newest allocation: in place when its chunk has room, else moved; the charge is the same either way. */
static void *grow_last(struct host__arena *arena, size_t keep, size_t whole) {
    if (whole > arena->last_bytes && !host__arena_charge(arena, whole - arena->last_bytes))
        return NULL;
    unsigned char *memory = arena->last;
    if (whole <= arena->last_bytes)
        return memory;
    size_t more = whole - arena->last_bytes;
    struct host__chunk *chunk = arena->current; /* NULL if strict */
    if (arena->strict || chunk->capacity - chunk->used < more)
        return take(arena, whole, memory, keep);
    chunk->used += more;
    arena->last_bytes = whole;
    memset(memory + keep, 0, whole - keep);
    return memory;
}

void *host__arena_resize(struct host__arena *arena, void *memory, size_t old_bytes, size_t bytes) {
    if (!memory)
        return host__arena_alloc(arena, bytes);
    size_t whole = rounded(bytes);
    if (whole == 0)
        return NULL;
    size_t keep = old_bytes < bytes ? old_bytes : bytes;
    if (memory == arena->last)
        return grow_last(arena, keep < arena->last_bytes ? keep : arena->last_bytes, whole);
    if (!host__arena_charge(arena, whole))
        return NULL;
    return take(arena, whole, memory, keep);
}
