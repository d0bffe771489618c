/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* sbrk, madvise */
#include <corridor/heap.h>

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BEGINNING = 32 << 20, /* bytes */
    LARGE_PAGE = 2 << 20,
    LARGEST_PIECE = 1 << 20, /* of the heap; what is larger has pages of its own */
};

void cor_heap_begin(void) {
    mallopt(M_MMAP_THRESHOLD, LARGEST_PIECE);
    mallopt(M_TRIM_THRESHOLD, 2 * BEGINNING); /* a heap given back would come again by small pages */
    mallopt(M_TOP_PAD, BEGINNING);
    uintptr_t first = (uintptr_t)sbrk(0);
    void *volatile piece = malloc(LARGEST_PIECE / 2); /* more than is left: grows the heap */
    free(piece);
    uintptr_t end = (uintptr_t)sbrk(0);
    if (end - first < BEGINNING) /* a limit of memory: what is asked for is all that the heap may grow by */
        mallopt(M_TOP_PAD, 0);
    first += -first % LARGE_PAGE;
    if (first < end)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}
