/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: memory in which every page belongs to something, and that can be closed and opened piece
 * by piece. Knows nothing of agents but their numbers. */
#ifndef COR__PAGES_H
#define COR__PAGES_H

#include <corridor/error.h>

#include <stddef.h>
#include <stdint.h>

/* What a run of pages holds. */
enum cor__content {
    COR__CONTENT_GUARD,    /* nothing: always closed */
    COR__CONTENT_OFFER,    /* struct cor_host as the algorithm sees it */
    COR__CONTENT_RULES,    /* the rules and their parameters */
    COR__CONTENT_COUNTERS, /* the counters, and what else a handler counts */
    COR__CONTENT_MESSAGE,  /* the payload of the message that is read now */
    COR__CONTENT_TASK,     /* the task and all it points to */
    COR__CONTENT_VALUES,   /* of one agent */
    COR__CONTENT_STATE,    /* of one agent */
    COR__CONTENT_RECORD,   /* struct cor_agent of one agent, and its stream */
    COR__CONTENT_MEMORY,   /* what was allocated, but not in begin() */
    COR__CONTENT_BEGUN     /* what a decentralised algorithm allocated in begin(), each piece by itself */
};

/* Whose pages: an agent's number, or one of these. */
#define COR__OWNER_NONE UINT32_MAX
#define COR__OWNER_SEVERAL (UINT32_MAX - 1)

/* Pages that are opened and closed as one. */
struct cor__run {
    unsigned char *start;
    size_t bytes; /* whole pages */
    enum cor__content content;
    uint32_t owner;
    uint32_t before; /* 1 + the run of the same owner that was made before; 0: none. Kept by who makes them */
    uint32_t seen;   /* scratch of who looks at all runs */
};

struct cor__segment {
    unsigned char *start;
    size_t bytes, used;
    uint32_t first_run;
};

struct cor__pages {
    struct cor__segment *segments; /* owned, and the memory they name */
    size_t segment_capacity;
    uint32_t segment_count;
    uint32_t segment_now;  /* where the next run goes */
    struct cor__run *runs; /* owned; by segment and address */
    size_t run_capacity;
    uint32_t run_count;
};

/* Nothing, no memory. */
void cor__pages_init(struct cor__pages *pages);
void cor__pages_fini(struct cor__pages *pages);

/* No runs any more; the memory stays for the next. */
void cor__pages_reset(struct cor__pages *pages);

/* Zeroed pages for `bytes`, 1 at least, open. UINT32_MAX when the machine has no more. What pointers to runs
 * point to moves. */
uint32_t cor__pages_take(struct cor__pages *pages, size_t bytes, enum cor__content content, uint32_t owner);

/* Makes sure that the next `count` runs, of so many bytes, will lie side by side. 0: the machine has no more.
 */
int cor__pages_make_room(struct cor__pages *pages, const size_t *bytes, size_t count);

/* The run that `address` lies in, NULL if it lies in none. Safe in a signal handler. */
struct cor__run *cor__pages_find(const struct cor__pages *pages, const void *address);

/* Closes all runs. */
void cor__pages_close(const struct cor__pages *pages);

/* What may be done with one run, and with whatever lies at start .. start + bytes, whole pages. */
enum cor__access { COR__ACCESS_NONE, COR__ACCESS_READ, COR__ACCESS_WRITE };
void cor__run_allow(const struct cor__run *run, enum cor__access access);
void cor__pages_allow(void *start, size_t bytes, enum cor__access access);

/* Bytes of a page, and `bytes` as whole pages. */
size_t cor__page_bytes(void);
size_t cor__whole_pages(size_t bytes);

#endif
