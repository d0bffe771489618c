/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of items that are bytes: each is kept once and has a number, in the order in which they came. */
#ifndef CORRIDOR_POOL_H
#define CORRIDOR_POOL_H

#include <corridor/error.h>

#include <stddef.h>
#include <stdint.h>

/* Items 0 .. count - 1. Begins as zeros but for `size`; freed by cor_pool_fini. */
struct cor_pool {
    size_t size;          /* bytes of each item, set by the owner before the first; 0: each has its own */
    unsigned char *bytes; /* owned; of all items, one behind the other */
    uint64_t *ends;       /* owned; [item] where its bytes end; with items of one size NULL */
    uint32_t *slots;      /* owned; hash table of 1 + item, 0 = free */
    size_t byte_capacity, end_capacity;
    uint32_t count, slot_count;
};

/* The number of the item, of so many bytes; UINT32_MAX (COR_NONE): it is not there. */
uint32_t cor_pool_find(const struct cor_pool *pool, const void *item, size_t size);

/* The same; the item is added, its number the count so far, if it is not there. When memory is out the pool
 * is as it was. */
enum cor_status cor_pool_add(struct cor_pool *pool, const void *item, size_t size, uint32_t *number,
                             struct cor_error *error) COR_MUST_USE;

/* Its bytes, until another is added, and how many they are. Where all sizes are multiples of 8, bytes begin
 * at such. */
const void *cor_pool_item(const struct cor_pool *pool, uint32_t number);
size_t cor_pool_item_size(const struct cor_pool *pool, uint32_t number);

/* Bytes of memory that it holds. */
uint64_t cor_pool_memory(const struct cor_pool *pool);

/* Empties it; `size` stays. Idempotent. */
void cor_pool_fini(struct cor_pool *pool);

#endif
