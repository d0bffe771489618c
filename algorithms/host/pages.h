/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: memory in which every page belongs to something, and that can be closed and opened piece
 * by piece. Knows nothing of agents but their numbers. */
#ifndef CORRIDOR_ALGORITHMS_HOST_PAGES_H
#define CORRIDOR_ALGORITHMS_HOST_PAGES_H

#include <corridor/error.h>

#include <stddef.h>
#include <stdint.h>

/* What a run of pages holds. */
enum host__content {
    HOST__CONTENT_GUARD,    /* nothing: always closed */
    HOST__CONTENT_OFFER,    /* struct cor_host as the algorithm sees it */
    HOST__CONTENT_RULES,    /* the rules and their parameters */
    HOST__CONTENT_COUNTERS, /* the counters, and what else a handler counts */
    HOST__CONTENT_MESSAGE,  /* the payload of the message that is read now */
    HOST__CONTENT_TASK,     /* the task and all it points to */
    HOST__CONTENT_VALUES,   /* of one agent */
    HOST__CONTENT_STATE,    /* of one agent */
    HOST__CONTENT_RECORD,   /* struct cor_agent of one agent, and its stream */
    HOST__CONTENT_MEMORY,   /* what was allocated, but not in begin() */
    HOST__CONTENT_BEGUN     /* what a decentralised algorithm allocated in begin(), each piece by itself */
};

/* Whose pages: an agent's number, or one of these. */
#define HOST__OWNER_NONE UINT32_MAX
#define HOST__OWNER_SEVERAL (UINT32_MAX - 1)

/* Pages that are opened and closed as one. */
struct host__run {
    unsigned char *start;
    size_t bytes; /* whole pages */
    enum host__content content;
    uint32_t owner;
    uint32_t before; /* 1 + the run of the same owner that was made before; 0: none. Kept by who makes them */
    uint32_t seen;   /* scratch of who looks at all runs */
};

struct host__segment {
    unsigned char *start;
    size_t bytes, used;
    uint32_t first_run;
};

struct host__pages {
    struct host__segment *segments; /* owned, and the memory they name */
    size_t segment_capacity;
    uint32_t segment_count;
    uint32_t segment_now;   /* where the next run goes */
    struct host__run *runs; /* owned; by segment and address */
    size_t run_capacity;
    uint32_t run_count;
};

/* What may be done with one run, and with whatever lies at start .. start + bytes, whole pages. */
enum host__access { HOST__ACCESS_NONE, HOST__ACCESS_READ, HOST__ACCESS_WRITE };

#endif
