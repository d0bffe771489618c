/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Brute force over set partitions, independent of the code under test: a partitioning of n <= 16 agents is
 * its restricted growth string (block of agent 0 is 0, a new block has the next number), packed 4 bits each
 * into a key. */
#ifndef CORRIDOR_ALGORITHMS_PSOPP_TESTS_PARTITIONS_H
#define CORRIDOR_ALGORITHMS_PSOPP_TESTS_PARTITIONS_H

#include <corridor/plugin.h>

#include <stdlib.h>
#include <string.h>

struct partitions_limits {
    uint32_t n, size_min, size_max, count_min, count_max;
};

struct partitions {
    struct partitions_limits limits;
    uint64_t *keys; /* owned, ascending; NULL: only counted */
    size_t count, capacity;
    uint32_t label[16], size[16];
};

/* Agents at.. are still to be placed in `blocks` blocks or new ones. */
static inline void partitions_place(struct partitions *all, uint32_t at, uint32_t blocks) {
    const struct partitions_limits *limits = &all->limits;
    uint32_t missing = 0;
    for (uint32_t b = 0; b < blocks; b++)
        missing += all->size[b] < limits->size_min ? limits->size_min - all->size[b] : 0;
    if (missing > limits->n - at)
        return;
    if (at == limits->n) {
        if (blocks < limits->count_min)
            return;
        if (all->keys) {
            uint64_t key = 0;
            for (uint32_t a = 0; a < limits->n; a++)
                key = key << 4 | all->label[a];
            if (all->count == all->capacity) {
                all->capacity *= 2;
                all->keys = realloc(all->keys, all->capacity * sizeof *all->keys);
            }
            all->keys[all->count] = key;
        }
        all->count++;
        return;
    }
    for (uint32_t b = 0; b <= blocks && b < limits->count_max; b++) {
        if (all->size[b] == limits->size_max)
            continue;
        all->label[at] = b;
        all->size[b]++;
        partitions_place(all, at + 1, b == blocks ? blocks + 1 : blocks);
        all->size[b]--;
    }
}

/* All partitionings within the limits, in ascending order of keys. Freed by the caller: free(.keys). */
static inline struct partitions partitions_list(struct partitions_limits limits) {
    struct partitions all = {.limits = limits, .capacity = 64};
    all.keys = malloc(all.capacity * sizeof *all.keys);
    partitions_place(&all, 0, 0);
    return all;
}

/* Their number. */
static inline size_t partitions_count(struct partitions_limits limits) {
    struct partitions all = {.limits = limits};
    partitions_place(&all, 0, 0);
    return all.count;
}

/* Index of a key, -1 if the partitioning is not among them. */
static inline long partitions_find(const struct partitions *all, uint64_t key) {
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (all->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->count && all->keys[low] == key ? (long)low : -1;
}

/* The key of any labelling of n agents, labels < 64. */
static inline uint64_t partitions_key(uint32_t n, const uint32_t *label) {
    uint32_t name[64], blocks = 0;
    memset(name, 0xff, sizeof name);
    uint64_t key = 0;
    for (uint32_t a = 0; a < n; a++) {
        if (name[label[a]] == UINT32_MAX)
            name[label[a]] = blocks++;
        key = key << 4 | name[label[a]];
    }
    return key;
}

/* The blocks of a key as in cor_task; returns their number. */
static inline uint32_t partitions_blocks(uint32_t n, uint64_t key, uint32_t *block_start, uint32_t *members) {
    uint32_t blocks = 0, used = 0;
    for (uint32_t a = 0; a < n; a++) {
        uint32_t label = (uint32_t)(key >> (4 * (n - 1 - a)) & 15);
        blocks = label + 1 > blocks ? label + 1 : blocks;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        block_start[b] = used;
        for (uint32_t a = 0; a < n; a++)
            if ((key >> (4 * (n - 1 - a)) & 15) == b)
                members[used++] = a;
    }
    block_start[blocks] = used;
    return blocks;
}

/* Calls `visit` for each of the 200 settings of limits with n = 5..8 that are not trivial: blocks of two or
 * more (size_min >= 2, so at most n/2 blocks: count_max <= n/2), size_max <= n, and more than one
 * partitioning to choose from. */
static inline uint32_t partitions_settings(void (*visit)(const struct partitions *all, void *data),
                                           void *data) {
    uint32_t settings = 0;
    struct partitions_limits l;
    for (l.n = 5; l.n <= 8; l.n++)
        for (l.size_min = 2; l.size_min <= l.n; l.size_min++)
            for (l.size_max = l.size_min; l.size_max <= l.n; l.size_max++)
                for (l.count_min = 1; l.count_min <= l.n / 2; l.count_min++)
                    for (l.count_max = l.count_min; l.count_max <= l.n / 2; l.count_max++) {
                        struct partitions all = partitions_list(l);
                        if (all.count > 1) {
                            visit(&all, data);
                            settings++;
                        }
                        free(all.keys);
                    }
    return settings;
}

#endif
