/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: reorganizations in which an algorithm touches only what is its own. What it is lent lies
 * on pages of its own; while a handler of an agent runs, all pages but that agent's are closed. Whoever
 * touches a closed page has peeked, and the reorganization ends there. */
#ifndef CORRIDOR_ALGORITHMS_HOST_STRICT_H
#define CORRIDOR_ALGORITHMS_HOST_STRICT_H

#include <corridor/error.h>
#include <corridor/host.h>
#include <corridor/loader.h>
#include <corridor/rng.h>

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* ---- private to host: memory in which every page belongs to something, and that can be closed and opened
 * piece by piece. Knows nothing of agents but their numbers */

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

struct host__local;
struct host__stream;

#define HOST__MODULE_PIECES 8

/* Where one agent sits. */
struct host__seat {
    struct cor_agent *agent;
    struct host__stream *stream;
    unsigned char *block; /* its values, state and record, side by side */
    size_t block_bytes;
    uint32_t newest; /* 1 + its newest run of memory; 0: none */
    size_t used;     /* bytes of that run */
};

/* An array of the task, for saying what of it was touched. */
struct host__task_part {
    const char *name;
    uint32_t column; /* of values */
    const unsigned char *start;
    size_t item, count;
};

struct host__strict {
    struct host__local *session; /* borrowed */
    struct host__pages pages;
    uint32_t inside;                          /* the agent whose handler runs; HOST__OWNER_NONE: none's */
    int closed;                               /* all but what a handler needs */
    uint32_t offer, rules, counters, message; /* runs */
    struct cor_host *whole_offer, *handler_offer;
    struct cor_task *task;
    struct host__handler_counts *handler_counts; /* what a handler counts beside the counters */
    uint64_t *cells;                             /* the counters, apart from each other */
    uint32_t *cell_start;
    uint32_t cell_count;
    struct host__seat *seats; /* owned */
    size_t seat_capacity;
    uint32_t *order; /* owned; agents as they lie in memory */
    size_t order_capacity;
    struct host__task_part *parts; /* owned */
    size_t part_capacity;
    uint32_t part_count;
    uint32_t newest; /* 1 + the newest run of memory of no agent's; 0: none */
    size_t used;

    struct cor_module_piece pieces[HOST__MODULE_PIECES]; /* the module's own variables */
    uint32_t piece_count;
    uintptr_t module_start;

    struct sigaction before; /* what SIGSEGV did */
    sigjmp_buf landing;
    const void *touched; /* where it peeked */
    int wrote;           /* 1; 0: it read, -1: who knows */
};

/* For one session. The session's own, to be destroyed with it; NULL is allowed there. */
enum cor_status host__strict_create(struct host__local *session, struct host__strict **strict,
                                    struct cor_error *error) COR_MUST_USE;
void host__strict_destroy(struct host__strict *strict);

/* Copies what the algorithm is lent, once session->task, name and host are those of the reorganization: the
 * session lends the copies from then on. */
enum cor_status host__strict_prepare(struct host__local *session) COR_MUST_USE;

/* Seats the agents: values, record and stream. The states are charged by the caller. */
enum cor_status host__strict_seat(struct host__local *session) COR_MUST_USE;

/* `live` with an eye on the pages: a peek ends it with smoke and COR_STOP_FAILED. */
enum cor_stop host__strict_watch(struct host__local *session, enum cor_stop (*live)(struct host__local *));

/* Memory that is charged already; NULL when the machine has no more. */
void *host__strict_take(struct host__strict *strict, size_t bytes);

/* What was allocated in begin() belongs to the agents whose states reach it. */
void host__strict_settle(struct host__local *session);

/* Closes everything but what all handlers may see; opens everything. */
void host__strict_close(struct host__strict *strict);
void host__strict_open(struct host__strict *strict);

/* A handler of `agent` begins and ends. */
void host__strict_enter(struct host__strict *strict, uint32_t agent);
void host__strict_leave(struct host__strict *strict);

/* The payload of a message where only the handler sees it, and only now. NULL when the machine has no more
 * memory. */
const void *host__strict_message(struct host__strict *strict, const void *payload, uint32_t size);

#endif
