/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/pool.h>

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 256
#define SLOTS_MAX (UINT32_C(1) << 31)

static uint64_t begin_of(const struct cor_pool *pool, uint32_t number) {
    return pool->size > 0 ? (uint64_t)number * pool->size : number > 0 ? pool->ends[number - 1] : 0;
}

const void *cor_pool_item(const struct cor_pool *pool, uint32_t number) {
    return pool->bytes + begin_of(pool, number);
}

size_t cor_pool_item_size(const struct cor_pool *pool, uint32_t number) {
    return pool->size > 0 ? pool->size : pool->ends[number] - begin_of(pool, number);
}

/* An item of at most 8 bytes as a word; items of one size have different ones. Two loads that overlap, for a
 * copy of a size that is not known beforehand is a call. */
static uint64_t word_of(const unsigned char *item, size_t size) {
    uint32_t first = 0, last = 0;
    uint16_t one = 0, other = 0;
    if (size >= 4) {
        memcpy(&first, item, 4);
        memcpy(&last, item + size - 4, 4);
        return first | (uint64_t)last << 32;
    }
    if (size < 2)
        return size == 1 ? *item : 0;
    memcpy(&one, item, 2);
    memcpy(&other, item + size - 2, 2);
    return one | (uint64_t)other << 16;
}

/* The slot that holds the item, or the free one where it belongs. */
static uint32_t slot_of(const struct cor_pool *pool, const void *item, size_t size) {
    uint32_t slot;
    if (pool->size > 0 && size <= 8) { /* one word holds it all */
        const uint64_t word = word_of(item, size);
        slot = (uint32_t)cor_hash_word(COR_HASH_SEED, word) & (pool->slot_count - 1);
        for (; pool->slots[slot] != 0; slot = (slot + 1) & (pool->slot_count - 1)) {
            if (word_of(pool->bytes + (uint64_t)(pool->slots[slot] - 1) * size, size) == word)
                break;
        }
        return slot;
    }
    slot = (uint32_t)cor_hash_bytes(COR_HASH_SEED, item, size) & (pool->slot_count - 1);
    for (; pool->slots[slot] != 0; slot = (slot + 1) & (pool->slot_count - 1)) {
        const uint32_t number = pool->slots[slot] - 1;
        if (cor_pool_item_size(pool, number) == size && memcmp(cor_pool_item(pool, number), item, size) == 0)
            break;
    }
    return slot;
}

uint32_t cor_pool_find(const struct cor_pool *pool, const void *item, size_t size) {
    COR_ASSERT(pool->size == 0 || size == pool->size);
    return pool->slot_count == 0 ? UINT32_MAX : pool->slots[slot_of(pool, item, size)] - 1;
}

enum cor_status cor_pool_add(struct cor_pool *pool, const void *item, size_t size, uint32_t *number,
                             struct cor_error *error) {
    COR_ASSERT(pool->size == 0 || size == pool->size);
    if (pool->count >= pool->slot_count / 2) {
        const uint32_t wanted = pool->slot_count > 0 ? 2 * pool->slot_count : SLOTS_FIRST;
        uint32_t *slots = pool->slot_count < SLOTS_MAX ? cor_calloc(wanted, sizeof *slots) : NULL;
        COR_TRY(cor_made(slots, error));
        free(pool->slots);
        pool->slots = slots;
        pool->slot_count = wanted;
        for (uint32_t i = 0; i < pool->count; i++)
            slots[slot_of(pool, cor_pool_item(pool, i), cor_pool_item_size(pool, i))] = i + 1;
    }
    const uint32_t slot = slot_of(pool, item, size);
    if (pool->slots[slot] == 0) {
        const uint64_t begin = begin_of(pool, pool->count);
        COR_TRY(COR_RESERVE(&pool->bytes, &pool->byte_capacity, begin + size + 1, error)); /* never NULL */
        if (pool->size == 0) {
            COR_TRY(COR_RESERVE(&pool->ends, &pool->end_capacity, (size_t)pool->count + 1, error));
            pool->ends[pool->count] = begin + size;
        }
        cor_copy_few(pool->bytes + begin, item, size);
        pool->slots[slot] = ++pool->count;
    }
    *number = pool->slots[slot] - 1;
    return COR_OK;
}

uint64_t cor_pool_memory(const struct cor_pool *pool) {
    return pool->byte_capacity + pool->end_capacity * sizeof *pool->ends +
           (uint64_t)pool->slot_count * sizeof *pool->slots;
}

void cor_pool_fini(struct cor_pool *pool) {
    COR_FREE(pool->bytes, pool->ends, pool->slots);
    *pool = (struct cor_pool){.size = pool->size};
}
