/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of the processes of a cluster: a bit for each that there may be. Small clusters, which are most, leave
 * all words but the first empty. */
#ifndef CORRIDOR_PROCESS_SET_H
#define CORRIDOR_PROCESS_SET_H

#include <corridor/process.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_SET_WORDS ((COR_PROCESSES_MAX + 63u) / 64u)
#define COR_SET_END UINT32_MAX /* no process */

_Static_assert(COR_SET_WORDS == sizeof ((struct cor_process_host *)0)->there / sizeof(uint64_t), "as processes see");

struct cor_process_set {
    uint64_t words[COR_SET_WORDS]; /* bit p % 64 of word p / 64: process p */
};

static inline bool cor_set_has(const struct cor_process_set *set, uint32_t process) {
    return set->words[process / 64] >> process % 64 & 1;
}

static inline void cor_set_add(struct cor_process_set *set, uint32_t process) {
    set->words[process / 64] |= UINT64_C(1) << process % 64;
}

static inline void cor_set_drop(struct cor_process_set *set, uint32_t process) {
    set->words[process / 64] &= ~(UINT64_C(1) << process % 64);
}

static inline void cor_set_put(struct cor_process_set *set, uint32_t process, bool is_in) {
    set->words[process / 64] =
        (set->words[process / 64] & ~(UINT64_C(1) << process % 64)) | (uint64_t)is_in << process % 64;
}

static inline struct cor_process_set cor_set_only(uint32_t process) {
    struct cor_process_set set = {{0}};
    cor_set_add(&set, process);
    return set;
}

/* Processes 0 to count - 1. */
static inline struct cor_process_set cor_set_first(uint32_t count) {
    struct cor_process_set set = {{0}};
    for (uint32_t w = 0; w < COR_SET_WORDS; w++, count -= count < 64 ? count : 64)
        set.words[w] = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
    return set;
}

#define COR_SET_OPERATION(name, expression)                                                           \
    static inline struct cor_process_set name(struct cor_process_set one, struct cor_process_set other) { \
        for (uint32_t w = 0; w < COR_SET_WORDS; w++) {                                                    \
            const uint64_t a = one.words[w], b = other.words[w];                                          \
            one.words[w] = expression;                                                                    \
        }                                                                                                 \
        return one;                                                                                       \
    }
COR_SET_OPERATION(cor_set_both, a &b)
COR_SET_OPERATION(cor_set_either, a | b)
COR_SET_OPERATION(cor_set_without, a & ~b)
#undef COR_SET_OPERATION

static inline bool cor_set_is_empty(struct cor_process_set set) {
    uint64_t any = 0;
    for (uint32_t w = 0; w < COR_SET_WORDS; w++)
        any |= set.words[w];
    return any == 0;
}

/* How many bits are set: where the machine's instruction may not be used, the compiler calls a function. */
static inline uint32_t cor_set_count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Is nobody in it but of the first 64? */
static inline bool cor_set_is_small(const struct cor_process_set *set) {
    uint64_t any = 0;
    for (uint32_t w = 1; w < COR_SET_WORDS; w++)
        any |= set->words[w];
    return any == 0;
}

static inline uint32_t cor_set_size(const struct cor_process_set *set) {
    uint32_t size = cor_set_count_bits(set->words[0]);
    for (uint32_t w = 1; w < COR_SET_WORDS && !cor_set_is_small(set); w++)
        size += cor_set_count_bits(set->words[w]);
    return size;
}

/* The member that has so many members before it; there is one. */
static inline uint32_t cor_set_member(const struct cor_process_set *set, uint32_t before) {
    uint32_t w = 0;
    if (!cor_set_is_small(set))
        for (uint32_t size; before >= (size = cor_set_count_bits(set->words[w])); w++)
            before -= size;
    uint64_t bits = set->words[w];
    for (; before > 0; before--)
        bits &= bits - 1;
    return 64 * w + (uint32_t)__builtin_ctzll(bits);
}

/* The least one that is not below `from`; COR_SET_END: there is none. */
static inline uint32_t cor_set_next(const struct cor_process_set *set, uint32_t from) {
    if (from >= 64 * COR_SET_WORDS)
        return COR_SET_END;
    uint32_t w = from / 64;
    uint64_t bits = set->words[w] >> from % 64 << from % 64;
    while (bits == 0 && ++w < COR_SET_WORDS)
        bits = set->words[w];
    return bits == 0 ? COR_SET_END : 64 * w + (uint32_t)__builtin_ctzll(bits);
}

/* One after the other, the least first, of those that were there when their word was begun. Two loops: `break`
 * leaves the inner one alone, so nobody uses it. */
#define COR_SET_EACH(process, set)                                                                   \
    for (uint32_t process##_word = 0, process = 0; process##_word < COR_SET_WORDS; process##_word++)     \
        for (uint64_t process##_left = (set)->words[process##_word];                                     \
             process##_left != 0 &&                                                                      \
             (process = 64 * process##_word + (uint32_t)__builtin_ctzll(process##_left), true);          \
             process##_left &= process##_left - 1)

#endif
