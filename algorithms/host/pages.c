/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "pages.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEGMENT_LEAST ((size_t)1 << 20)

size_t host__page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t host__whole_pages(size_t bytes) {
    size_t page = host__page_bytes();
    return bytes > 0 ? (bytes + page - 1) / page * page : page;
}

void host__pages_init(struct host__pages *pages) {
    *pages = (struct host__pages){0};
}

void host__pages_fini(struct host__pages *pages) {
    for (uint32_t i = 0; i < pages->segment_count; i++)
        munmap(pages->segments[i].start, pages->segments[i].bytes);
    free(pages->segments);
    free(pages->runs);
    host__pages_init(pages);
}

void host__pages_reset(struct host__pages *pages) {
    host__pages_close(pages);
    for (uint32_t i = 0; i < pages->segment_count; i++)
        pages->segments[i].used = 0;
    pages->segment_now = 0;
    pages->run_count = 0;
}

/* The segment that has room; runs are made in the order of segments, so that they can be searched. */
static struct host__segment *segment_for(struct host__pages *pages, size_t bytes) {
    while (pages->segment_now < pages->segment_count) {
        struct host__segment *segment = &pages->segments[pages->segment_now];
        if (segment->used == 0)
            segment->first_run = pages->run_count;
        if (segment->bytes - segment->used >= bytes)
            return segment;
        pages->segment_now++;
    }
    size_t twice = pages->segment_count > 0 ? 2 * pages->segments[pages->segment_count - 1].bytes : 0;
    size_t size = twice > SEGMENT_LEAST ? twice : SEGMENT_LEAST;
    size = size > bytes ? size : host__whole_pages(bytes);
    if (COR_RESERVE(&pages->segments, &pages->segment_capacity, (size_t)pages->segment_count + 1, NULL) !=
        COR_OK)
        return NULL;
    void *start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    pages->segments[pages->segment_count++] = (struct host__segment){.start = start, .bytes = size};
    pages->segments[pages->segment_now].first_run = pages->run_count;
    return &pages->segments[pages->segment_now];
}

int host__pages_make_room(struct host__pages *pages, const size_t *bytes, size_t count) {
    size_t whole = 0;
    for (size_t i = 0; i < count; i++)
        whole += host__whole_pages(bytes[i]);
    return segment_for(pages, whole) != NULL;
}

uint32_t host__pages_take(struct host__pages *pages, size_t bytes, enum host__content content,
                          uint32_t owner) {
    if (bytes > SIZE_MAX / 4 || pages->run_count >= UINT32_MAX - 1 ||
        COR_RESERVE(&pages->runs, &pages->run_capacity, (size_t)pages->run_count + 1, NULL) != COR_OK)
        return UINT32_MAX;
    size_t whole = host__whole_pages(bytes);
    struct host__segment *segment = segment_for(pages, whole);
    if (!segment)
        return UINT32_MAX;
    struct host__run *run = &pages->runs[pages->run_count];
    *run = (struct host__run){
        .start = segment->start + segment->used, .bytes = whole, .content = content, .owner = owner};
    segment->used += whole;
    if (content != HOST__CONTENT_GUARD) {
        host__run_allow(run, HOST__ACCESS_WRITE);
        memset(run->start, 0, whole);
    }
    return pages->run_count++;
}

/* Runs of a segment: first .. *end - 1. */
static uint32_t runs_of(const struct host__pages *pages, uint32_t segment, uint32_t *end) {
    *end = segment < pages->segment_now && segment + 1 < pages->segment_count
               ? pages->segments[segment + 1].first_run
               : pages->run_count;
    return pages->segments[segment].first_run;
}

struct host__run *host__pages_find(const struct host__pages *pages, const void *address) {
    const uintptr_t at = (uintptr_t)address;
    for (uint32_t s = 0; s < pages->segment_count && s <= pages->segment_now; s++) {
        uintptr_t start = (uintptr_t)pages->segments[s].start;
        if (at < start || at >= start + pages->segments[s].used)
            continue;
        uint32_t end, low = runs_of(pages, s, &end);
        while (end - low > 1) {
            uint32_t middle = low + (end - low) / 2;
            if (at < (uintptr_t)pages->runs[middle].start)
                end = middle;
            else
                low = middle;
        }
        return &pages->runs[low];
    }
    return NULL;
}

void host__pages_allow(void *start, size_t bytes, enum host__access access) {
    static const int protections[] = {[HOST__ACCESS_NONE] = PROT_NONE,
                                      [HOST__ACCESS_READ] = PROT_READ,
                                      [HOST__ACCESS_WRITE] = PROT_READ | PROT_WRITE};
    /* It cannot fail for want of room that matters: what stays closed is found out at once, what stays open
     * only lets a cheat pass. */
    int made = mprotect(start, bytes, protections[access]);
    COR_ASSERT(made == 0 || access != HOST__ACCESS_NONE);
}

void host__run_allow(const struct host__run *run, enum host__access access) {
    host__pages_allow(run->start, run->bytes, access);
}

void host__pages_close(const struct host__pages *pages) {
    for (uint32_t i = 0; i < pages->segment_count; i++)
        if (pages->segments[i].used > 0)
            host__pages_allow(pages->segments[i].start, pages->segments[i].used, HOST__ACCESS_NONE);
}
