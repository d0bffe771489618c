/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All private memory of the process is closed for writing; who writes to a page is heard (SIGSEGV), the page
 * is copied and opened. Those that were opened once stay open: a snapshot says of each which copy it is like,
 * and what does not change has one copy in all of them. Going back copies what differs, with the first copies
 * of those that were opened later. The stack is left alone: who goes back goes on in his own function. */
#define _GNU_SOURCE /* MADV_DONTFORK, sbrk */

#include <corridor/pages.h>

#include <corridor/guarantees.h>

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE ((uintptr_t)4096)
#define PAGES_MOST 4096u     /* opened */
#define SNAPSHOTS_MOST 1024u /* a power of two */
#define COPIES_MOST 65536u   /* of pages, in all of them */
#define RANGES_MOST 1024u
#define HEAP_BYTES ((size_t)16 << 20) /* that are there for what is allocated later */
#define WRITES_OF_KERNEL (2 * PAGE)   /* about the thread's own block, which the kernel writes to */

struct range {
    uintptr_t start, end;
};

struct snapshot {
    uint64_t key;
    uint32_t count; /* of the pages that were opened; 0: there is none */
    fenv_t rounding;
    sigset_t blocked;
};

struct cor_pages {
    bool have_begun, are_off; /* off: too much was written, or something that is fixed */
    uint64_t restored;
    struct range ranges[RANGES_MOST]; /* closed at first */
    uint32_t range_count;
    uint32_t shared_count; /* of what can be written and is shared at the beginning of a life */
    struct range fixed[COR_PAGES_FIXED_MOST];
    uint32_t fixed_count;
    void *heap_end;
    uint32_t open_count;
    uintptr_t open[PAGES_MOST];                     /* pages, in the order in which they were opened */
    bool is_fixed[PAGES_MOST];                      /* [open] */
    uint32_t was_of[PAGES_MOST];                    /* [open] the copy that it was like last */
    struct snapshot snapshots[SNAPSHOTS_MOST];      /* by key, those with equal remainders in a row */
    uint32_t copies_of[SNAPSHOTS_MOST][PAGES_MOST]; /* [snapshot][open] */
    uint32_t snapshot_count, copy_count;
    /* [open] as it was when it was opened, and behind them all others. */
    unsigned char copies[PAGES_MOST + COPIES_MOST][PAGE];
};

/* Handlers get no argument of ours. Written before memory is closed. */
static struct cor_pages *own;

enum cor_status cor_pages_create(struct cor_pages **pages, struct cor_error *error) {
    void *made =
        mmap(NULL, sizeof **pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *pages = made == MAP_FAILED ? NULL : made;
    return *pages ? COR_OK : cor_fail_memory(error);
}

void cor_pages_destroy(struct cor_pages *pages) {
    if (pages)
        munmap(pages, sizeof *pages);
}

uint64_t cor_pages_restored(const struct cor_pages *pages) {
    return pages->restored;
}

bool cor_pages_have_begun(const struct cor_pages *pages) {
    return pages->have_begun;
}

void cor_pages_forget(struct cor_pages *pages) {
    memset(pages->snapshots, 0, sizeof pages->snapshots);
    pages->have_begun = pages->are_off = false;
    pages->snapshot_count = pages->copy_count = 0;
    pages->open_count = pages->range_count = pages->fixed_count = 0;
}

/* ---- what is closed */

static bool is_within(const struct range *ranges, uint32_t count, uintptr_t page) {
    bool is = false;
    for (uint32_t r = 0; r < count; r++)
        is = is || (page >= ranges[r].start && page < ranges[r].end);
    return is;
}

/* As mprotect: what a guest opens himself would not be put back, so that ends his life (walls.c). */
static void set_rights(uintptr_t start, size_t bytes, int protection) {
    syscall(SYS_mprotect, start, bytes, protection, (uint32_t)start ^ COR_OWN_PROTECTION);
}

static void protect(const struct cor_pages *pages, int protection) {
    for (uint32_t r = 0; r < pages->range_count; r++)
        set_rights(pages->ranges[r].start, pages->ranges[r].end - pages->ranges[r].start, protection);
}

/* No snapshots any more: all is open. */
static void end_them(struct cor_pages *pages) {
    pages->are_off = true;
    protect(pages, PROT_READ | PROT_WRITE);
}

/* Opens a page, whose first copy is taken; false: there is no room. */
static bool open_page(struct cor_pages *pages, uintptr_t page) {
    const uint32_t count = pages->open_count;
    if (count == PAGES_MOST)
        return false;
    memcpy(pages->copies[count], (const void *)page, PAGE);
    pages->open[count] = page;
    pages->is_fixed[count] = is_within(pages->fixed, pages->fixed_count, page);
    pages->was_of[count] = count;
    pages->open_count++;
    return true;
}

/* Pages to which the kernel writes are never closed: it may do so at any moment (where it was preempted, of
 * the thread's block), and would end who has them closed. They are opened from the beginning, and taken from
 * what will be closed. is_stack: what lies on them entirely is nobody's between two calls. */
static bool leave_open(struct cor_pages *pages, uintptr_t start, uintptr_t end, bool is_stack) {
    const uintptr_t first = start / PAGE * PAGE, behind = (end + PAGE - 1) / PAGE * PAGE;
    const uint32_t count = pages->range_count;
    for (uintptr_t page = first; page < end; page += PAGE)
        if (is_within(pages->ranges, count, page) && !(is_stack && page >= start && page + PAGE <= end) &&
            !open_page(pages, page))
            return false;
    for (uint32_t r = 0; r < count; r++) {
        struct range *range = &pages->ranges[r];
        if (first >= range->end || behind <= range->start)
            continue;
        if (behind < range->end) {
            if (pages->range_count == RANGES_MOST)
                return false;
            pages->ranges[pages->range_count++] = (struct range){behind, range->end};
        }
        range->end = first > range->start ? first : range->start; /* there may be none before it */
    }
    return true;
}

/* The private memory of this process that can be written, but for its stack; and how many
 * pieces are shared. False: it is not known here, or there is some that can be executed, too. */
static bool list_ranges(struct cor_pages *pages, uint32_t *shared_count) {
    const uintptr_t stack = (uintptr_t)&pages;
    const size_t size = (size_t)1 << 20;
    char *text = (char *)pages->copies; /* which are free before there are snapshots */
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t got = 0;
    while (file >= 0 && length < size - 1 && (got = read(file, text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    if (file >= 0)
        close(file);
    text[length] = '\0';
    pages->range_count = *shared_count = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        unsigned long start, end;
        char rights[5];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3 || rights[1] != 'w')
            continue;
        *shared_count += rights[3] == 's';
        if (rights[3] != 'p' || (stack >= start && stack < end))
            continue;
        if (rights[2] == 'x' || pages->range_count == RANGES_MOST)
            return false;
        pages->ranges[pages->range_count++] = (struct range){start, end};
    }
    return length > 0 && length < size - 1;
}

void cor_pages_look(struct cor_pages *pages) {
    if (!list_ranges(pages, &pages->shared_count))
        pages->shared_count = 0;
}

/* Under sanitizers memory has a shadow, which would have to be put back, too. */
#ifdef __has_feature
#define IS_SHADOWED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SHADOWED true
#else
#define IS_SHADOWED false
#endif

bool cor_pages_begin(struct cor_pages *pages, const struct cor_pages_piece *fixed, uint32_t count) {
    stack_t handlers;
    uint32_t shared_count;
    const uintptr_t self = (uintptr_t)&errno;
    /* What is allocated later lies in the heap that is there now, and what is freed stays in it. */
    if (IS_SHADOWED || count > COR_PAGES_FIXED_MOST || sysconf(_SC_PAGESIZE) != (long)PAGE ||
        mallopt(M_MMAP_MAX, 0) == 0 || mallopt(M_TRIM_THRESHOLD, 1 << 30) == 0 ||
        sigaltstack(NULL, &handlers) != 0 || (handlers.ss_flags & SS_DISABLE) ||
        madvise(pages, sizeof *pages, MADV_DONTFORK) != 0)
        return false;
    void *room = malloc(HEAP_BYTES);
    if (!room)
        return false;
    free(room);
    for (uint32_t f = 0; f < count; f++)
        pages->fixed[f] =
            (struct range){(uintptr_t)fixed[f].start, (uintptr_t)fixed[f].start + fixed[f].bytes};
    pages->fixed_count = count;
    /* What was shared since would be seen by nobody who writes there. */
    if (!list_ranges(pages, &shared_count) || shared_count > pages->shared_count ||
        !cor_forbid_calls_but_of_memory())
        return false;
    own = pages;
    pages->heap_end = sbrk(0);
    if (!leave_open(pages, (uintptr_t)handlers.ss_sp, (uintptr_t)handlers.ss_sp + handlers.ss_size, true) ||
        !leave_open(pages, self - WRITES_OF_KERNEL, self + WRITES_OF_KERNEL, false)) {
        end_them(pages);
        return false;
    }
    protect(pages, PROT_READ);
    pages->have_begun = true;
    return true;
}

bool cor_pages_written(const void *at) {
    const uintptr_t page = (uintptr_t)at / PAGE * PAGE;
    if (!own || own->are_off || !is_within(own->ranges, own->range_count, page))
        return false;
    for (uint32_t p = 0; p < own->open_count; p++)
        if (own->open[p] == page)
            return false; /* it was something else */
    if (!open_page(own, page))
        end_them(own);
    else
        set_rights(page, PAGE, PROT_READ | PROT_WRITE);
    return true;
}

/* ---- snapshots */

/* Has something changed that is fixed, or does the heap end elsewhere? Then there are none any more. */
static bool are_there(struct cor_pages *pages) {
    if (!pages->have_begun || pages->are_off)
        return false;
    bool is_same = sbrk(0) == pages->heap_end;
    for (uint32_t p = 0; p < pages->open_count && is_same; p++)
        is_same = !pages->is_fixed[p] || memcmp((const void *)pages->open[p], pages->copies[p], PAGE) == 0;
    if (!is_same)
        end_them(pages);
    return is_same;
}

/* That of the key, or the free one where it belongs. */
static struct snapshot *find(struct cor_pages *pages, uint64_t key) {
    for (uint64_t at = key;; at++) {
        struct snapshot *snapshot = &pages->snapshots[at % SNAPSHOTS_MOST];
        if (snapshot->count == 0 || snapshot->key == key)
            return snapshot;
    }
}

/* There are none, and no copies but the first. */
static void forget_snapshots(struct cor_pages *pages) {
    memset(pages->snapshots, 0, sizeof pages->snapshots);
    pages->snapshot_count = pages->copy_count = 0;
    for (uint32_t p = 0; p < pages->open_count; p++)
        pages->was_of[p] = p;
}

void cor_pages_save(struct cor_pages *pages, uint64_t key) {
    if (!are_there(pages) || find(pages, key)->count > 0)
        return; /* equal keys are equal memory */
    if (pages->copy_count + pages->open_count > COPIES_MOST || pages->snapshot_count > SNAPSHOTS_MOST / 2)
        forget_snapshots(pages);
    struct snapshot *snapshot = find(pages, key);
    uint32_t *copies = pages->copies_of[snapshot - pages->snapshots];
    pages->snapshot_count++;
    *snapshot = (struct snapshot){.key = key, .count = pages->open_count};
    fegetenv(&snapshot->rounding);
    sigprocmask(SIG_SETMASK, NULL, &snapshot->blocked);
    for (uint32_t p = 0; p < snapshot->count; p++) {
        const void *page = (const void *)pages->open[p];
        if (memcmp(page, pages->copies[pages->was_of[p]], PAGE) != 0) {
            pages->was_of[p] = PAGES_MOST + pages->copy_count++;
            memcpy(pages->copies[pages->was_of[p]], page, PAGE);
        }
        copies[p] = pages->was_of[p];
    }
}

bool cor_pages_restore(struct cor_pages *pages, uint64_t key) {
    if (!are_there(pages))
        return false;
    const struct snapshot *snapshot = find(pages, key);
    const uint32_t *copies = pages->copies_of[snapshot - pages->snapshots];
    if (snapshot->count == 0)
        return false;
    for (uint32_t p = 0; p < pages->open_count; p++) {
        const uint32_t copy = p < snapshot->count ? copies[p] : p;
        /* To look costs less than to write: most did not change. */
        if (memcmp((const void *)pages->open[p], pages->copies[copy], PAGE) != 0)
            memcpy((void *)pages->open[p], pages->copies[copy], PAGE);
        pages->was_of[p] = copy;
    }
    fesetenv(&snapshot->rounding);
    sigprocmask(SIG_SETMASK, &snapshot->blocked, NULL);
    pages->restored++;
    return true;
}
