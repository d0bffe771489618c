/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a process. Places depend on nothing but the calls before: a pointer that a broken program
 * prints, compares or follows astray does the same in every run of this process. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "internal.h"

#include <string.h>
#include <sys/mman.h>

enum {
    UNIT = 16,          /* bytes; blocks are so aligned */
    PAGE = 4096,        /* behind what is in use as much may have been written by mistake */
    GUARD = 65536,      /* bytes that are closed, before and behind */
    LARGE = 1 << 20,    /* from so many on pages are given back instead of overwritten */
    STEPS = 4,          /* classes in each doubling; below the second one they are of one unit each */
    OVERWRITTEN = 0xDB, /* as a pointer it leads nowhere */
};
#define LIVE 0x4556494Cu
#define DEAD 0x44414544u

/* Before each block. */
struct head {
    uint32_t state, size_class;
    uint64_t size; /* as asked for; of a dead one offset of the next in its class / UNIT */
};
_Static_assert(sizeof(struct head) == UNIT, "blocks are aligned");

/* The class of so many units, at least 1: what is left of their number, less one, by a shift that leaves less
 * than 2 STEPS of it, and the shift. Sizes cannot be guessed: without branches. */
static uint32_t class_of(size_t units) {
    const size_t less = units - 1;
    const uint32_t shift = 61 - (uint32_t)__builtin_clzll(less | STEPS);
    return STEPS * shift + (uint32_t)(less >> shift);
}

static size_t units_of(uint32_t size_class) {
    if (size_class < 2 * STEPS)
        return size_class + 1;
    return (size_t)(size_class % STEPS + STEPS + 1) << (size_class / STEPS - 1);
}

enum cor_status processes__arena_init(struct processes__arena *arena, size_t size, struct cor_error *error) {
    *arena = (struct processes__arena){.size = (size + PAGE - 1) / PAGE * PAGE};
    void *whole = mmap(NULL, arena->size + 2 * (size_t)GUARD, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED)
        return cor_fail_memory(error);
    arena->memory = (unsigned char *)whole + GUARD;
    if (mprotect(arena->memory, arena->size, PROT_READ | PROT_WRITE) == 0)
        return COR_OK;
    processes__arena_fini(arena);
    return cor_fail_memory(error);
}

void processes__arena_fini(struct processes__arena *arena) {
    if (arena->memory)
        munmap(arena->memory - GUARD, arena->size + 2 * (size_t)GUARD);
    arena->memory = NULL;
}

void processes__arena_reset(struct processes__arena *arena) {
    size_t written = arena->used + PAGE < arena->size ? arena->used + PAGE : arena->size;
    size_t from = 0;
    if (arena->is_soiled || written > LARGE) {
        /* Of what is given back the beginning stays: it is needed again at once. */
        from = arena->is_soiled ? 0 : LARGE / 4;
        madvise(arena->memory + from, arena->size - from, MADV_DONTNEED);
        memset(arena->memory, 0, from);
    } else {
        memset(arena->memory, 0, written);
    }
    arena->used = 0;
    arena->is_soiled = false;
    memset(arena->free, 0, sizeof arena->free);
}

static struct head *head_of(const void *memory) {
    return (struct head *)((uintptr_t)memory - UNIT);
}

void *processes__arena_alloc(struct processes__arena *arena, size_t size) {
    if (size > arena->size)
        return NULL;
    uint32_t size_class = class_of(size > 0 ? (size + UNIT - 1) / UNIT : 1);
    size_t bytes = units_of(size_class) * UNIT;
    struct head *head;
    if (arena->free[size_class] > 0) {
        head = (struct head *)(void *)(arena->memory + (size_t)arena->free[size_class] * UNIT - UNIT);
        arena->free[size_class] = (uint32_t)head->size;
        memset(head + 1, 0, bytes);
    } else {
        if (bytes + UNIT > arena->size - arena->used)
            return NULL;
        head = (struct head *)(void *)(arena->memory + arena->used);
        arena->used += bytes + UNIT;
    }
    *head = (struct head){.state = LIVE, .size_class = size_class, .size = size};
    return head + 1;
}

size_t processes__arena_size_of(const struct processes__arena *arena, const void *memory) {
    uintptr_t at = (uintptr_t)memory, begin = (uintptr_t)arena->memory;
    if (at < begin + UNIT || at >= begin + arena->used || at % UNIT != 0)
        return SIZE_MAX;
    const struct head *head = head_of(memory);
    if (head->state != LIVE || head->size_class >= PROCESSES__SIZE_CLASSES)
        return SIZE_MAX;
    size_t bytes = units_of(head->size_class) * UNIT;
    return head->size <= bytes && bytes <= begin + arena->used - at ? (size_t)head->size : SIZE_MAX;
}

void *processes__arena_resize(struct processes__arena *arena, void *memory, size_t size) {
    struct head *head = head_of(memory);
    size_t before = (size_t)head->size;
    if (size <= units_of(head->size_class) * UNIT) { /* bytes of it that are not in use are 0 */
        if (size < before)
            memset((unsigned char *)memory + size, 0, before - size);
        head->size = size;
        return memory;
    }
    void *larger = processes__arena_alloc(arena, size);
    if (!larger)
        return NULL;
    memcpy(larger, memory, before);
    processes__arena_release(arena, memory);
    return larger;
}

void processes__arena_release(struct processes__arena *arena, void *memory) {
    struct head *head = head_of(memory);
    memset(memory, OVERWRITTEN, units_of(head->size_class) * UNIT);
    head->state = DEAD;
    head->size = arena->free[head->size_class];
    arena->free[head->size_class] = (uint32_t)(((unsigned char *)memory - arena->memory) / UNIT);
}
