/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: the inside of a session in this process. local.c (the life of a reorganization) calls
 * run.c (steps, rounds), which has mail.c (mail) and mail.c (mail one by one), and both call local.c
 * (what an algorithm may call, and the streams it draws from) and strict.c (what is closed to it). */
#ifndef CORRIDOR_ALGORITHMS_HOST_LOCAL_H
#define CORRIDOR_ALGORITHMS_HOST_LOCAL_H

#include "arena.h"
#include "counted.h"
#include "course.h"
#include "mail.h"
#include "session.h"
#include "strict.h"

#include <corridor/rng.h>

#include <stddef.h>
#include <string.h>

/* Which calls an algorithm may make depends on where it is: the tags in plugin.h. */
enum host__phase {
    HOST__IDLE,
    HOST__BEGIN,
    HOST__STEP,
    HOST__HANDLER,
    HOST__RESULT,
    HOST__INTERIM,
    HOST__ADOPT,
    HOST__END
};

/* A random stream that an algorithm sees, a view over a named stream. It is started at its first draw, so a
 * thousand agents of which ten draw cost ten. */
struct host__stream {
    struct cor_random view;             /* first: refill() gets a pointer to it */
    const struct cor_stream_name *name; /* borrowed; purpose and entity are replaced by those below */
    enum cor_purpose purpose;
    uint32_t entity;
    int started;
    void (*notice)(void *subject); /* called at each refill, may be NULL */
    void *subject;
    struct host__watch *watch; /* borrowed; NULL: draws are nobody's affair, else they are made one by one: */
    uint64_t index, word;      /* draws so far, the last one */
    struct cor_rng rng;
};

/* The stream at its beginning; nothing is drawn yet. `name` must outlive it. */
void host__stream_init(struct host__stream *stream, const struct cor_stream_name *name,
                       enum cor_purpose purpose, uint32_t entity);

/* The state of a stream, to go back to it: the view points into the stream itself, so it can't be copied as
 * it is. */
struct host__stream_mark {
    struct cor_rng rng;
    size_t left;
    uint64_t index;
    int started;
};

struct host__stream_mark host__stream_mark(const struct host__stream *stream);
void host__stream_return(struct host__stream *stream, const struct host__stream_mark *mark);

/* mail.c: agents that are down. All arrays are owned. Who is not there, but was once, crashes like the
 * others: so those draw what they drew. */
struct host__crashes {
    struct cor_rng rng; /* COR_PURPOSE_CRASH_FAULT */
    uint32_t *down;     /* [identity] rounds until it is restarted; 0: it runs */
    size_t down_capacity;
    uint32_t *back; /* [population] agents to be restarted in this round, ascending */
    uint32_t
        down_count; /* agents that are there and down, those in `back` included until they are restarted */
    uint32_t back_count;
    uint64_t at_risk, crashed; /* agents, summed over the rounds */
};

/* What a decentralised algorithm runs on. All arrays are owned and have `capacity` agents. */
struct host__population {
    struct cor_agent *agents;
    struct host__stream *streams;
    double *values;   /* agent after agent, value_count each */
    uint32_t *waking; /* the agents of this round, in their order */
    uint64_t *asking; /* bit i: agent i wants to be woken next round */
    size_t capacity, value_capacity;
    uint64_t asking_count; /* repeated ones counted again */
    struct host__crashes crashes;
};

struct host__local {
    struct cor_session base;
    struct cor_host host;             /* what the algorithm sees, */
    const struct cor_host *lent_host; /* by this pointer; strict: a copy */
    const struct cor_task *lent_task; /* likewise */
    struct host__strict *strict;      /* owned; NULL unless the definition asks for it */
    uint64_t *cells;                  /* owned, unless `cells_are_lent`; what it counts in, if not strict */
    uint32_t *cell_start;             /* owned */
    bool cells_are_lent;

    /* of the present reorganization */
    enum host__phase phase;
    struct cor_stream_name name;
    struct cor_task task;
    struct cor_outcome *outcome; /* borrowed */
    struct cor_lists *solution;  /* borrowed; where put_block puts */
    void *state;                 /* in the arena */
    uint32_t sender;             /* the agent whose handler runs */
    enum cor_status status;      /* the testbed's own trouble, not the algorithm's */
    int is_over;                 /* trouble or smoke: no more calls but end() */
    struct cor_fault_counts own; /* what the testbed counts of its own faults */
    struct cor_error *error;     /* borrowed */

    struct host__watch watch;
    struct host__arena arena;
    struct host__mail mail;
    struct host__population population;
    struct host__stream streams[COR_STREAM_COUNT];
    struct host__stream misuse; /* what host->random is in a handler: drawing from it is a complaint */
    struct host__kept kept_next;
    int keeps_next;
    uint32_t *seen; /* owned; scratch of cost() */
    size_t seen_capacity;
    unsigned char *weighed; /* owned; likewise, where the task has an objective */
    size_t weighed_capacity;
};

/* Ends the reorganization with trouble of the testbed's own; the first one wins. */
void host__session_trouble(struct host__local *session, enum cor_status status);

/* Ends the reorganization with a smoke code; the first one wins. `text` may be NULL. */
void host__session_smoke(struct host__local *session, enum cor_smoke smoke, const char *text);

/* 1 if the algorithm may go on after a call that returned `progress`. */
int host__session_alive(struct host__local *session, enum cor_progress progress);

/* run.c: room for the agents, and their states zeroed. */
enum cor_status host__population_prepare(struct host__local *session) COR_MUST_USE;
void host__population_fini(struct host__population *population);

/* Agent `index` of the reorganization. */
static inline struct cor_agent *host__session_agent(const struct host__local *session, uint32_t index) {
    return session->strict ? session->strict->seats[index].agent : &session->population.agents[index];
}

/* States of `agent_size` bytes in the arena for all agents; 0 at the limit. */
int host__population_states(struct host__local *session);

/* By what agent `index` draws. */
static inline uint32_t host__session_identity(const struct host__local *session, uint32_t index) {
    return session->base.identity ? session->base.identity[index] : index;
}

/* All agents of the reorganization run; the stream at its beginning. */
enum cor_status host__crashes_reset(struct host__local *session) COR_MUST_USE;

/* Is agent `index` down? */
static inline int host__crashes_down(const struct host__local *session, uint32_t index) {
    const struct host__crashes *crashes = &session->population.crashes;
    return crashes->down_count > 0 && crashes->down[host__session_identity(session, index)] > 0;
}

/* At the beginning of a round: lists who is to be restarted in it, and draws who crashes. */
void host__crashes_strike(struct host__local *session);

/* At the end of the run: all that are down are to be restarted. */
void host__crashes_end(struct host__local *session);

/* Steps, or rounds of mail and waking, until the end. */
enum cor_stop host__session_run(struct host__local *session);

#endif
