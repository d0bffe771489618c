/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: the inside of a session. session.c (the life of a reorganization) calls run.c (steps,
 * rounds), and both call services.c (what an algorithm may call, and the streams it draws from). */
#ifndef COR__SESSION_H
#define COR__SESSION_H

#include <corridor/host.h>
#include <corridor/rng.h>

#include "arena.h"
#include "mail.h"

/* Which calls an algorithm may make depends on where it is: the tags in plugin.h. */
enum cor__phase {
    COR__IDLE,
    COR__BEGIN,
    COR__STEP,
    COR__HANDLER,
    COR__RESULT,
    COR__INTERIM,
    COR__ADOPT,
    COR__END
};

/* One more than the largest solution or list of moves that is taken: nothing sensible comes near. */
#define COR__ABSURD ((size_t)1 << 20)
/* Bytes an algorithm may keep from one reorganization to the next. */
#define COR__KEPT_MOST ((uint32_t)1 << 24)

/* A random stream that an algorithm sees, a view over a named stream. It is started at its first draw, so a
 * thousand agents of which ten draw cost ten. */
struct cor__stream {
    struct cor_random view;             /* first: refill() gets a pointer to it */
    const struct cor_stream_name *name; /* borrowed; purpose and entity are replaced by those below */
    enum cor_purpose purpose;
    uint32_t entity;
    int started;
    void (*notice)(void *subject); /* called at each refill, may be NULL */
    void *subject;
    struct cor_rng rng;
};

/* The stream at its beginning; nothing is drawn yet. `name` must outlive it. */
void cor__stream_init(struct cor__stream *stream, const struct cor_stream_name *name,
                      enum cor_purpose purpose, uint32_t entity);

/* The state of a stream, to go back to it: the view points into the stream itself, so it can't be copied as
 * it is. */
struct cor__stream_mark {
    struct cor_rng rng;
    size_t left;
    int started;
};

struct cor__stream_mark cor__stream_mark(const struct cor__stream *stream);
void cor__stream_return(struct cor__stream *stream, const struct cor__stream_mark *mark);

/* Bytes kept for the next reorganization. */
struct cor__kept {
    unsigned char *bytes; /* owned */
    size_t capacity;
    uint32_t size;
};

/* What a decentralised algorithm runs on. All arrays are owned and have `capacity` agents. */
struct cor__population {
    struct cor_agent *agents;
    struct cor__stream *streams;
    double *values;   /* agent after agent, value_count each */
    uint32_t *waking; /* the agents of this round, in their order */
    uint64_t *asking; /* bit i: agent i wants to be woken next round */
    size_t capacity, value_capacity;
    uint64_t asking_count; /* repeated ones counted again */
};

struct cor_session {
    struct cor_session_definition definition;
    const struct cor_algorithm *algorithm; /* borrowed, as in the definition */
    uint64_t slice_units;                  /* most units of one step; a knob of the conformance test */
    struct cor_host host;                  /* what the algorithm sees */

    /* of the present reorganization */
    enum cor__phase phase;
    struct cor_stream_name name;
    struct cor_task task;
    struct cor_outcome *outcome; /* borrowed */
    struct cor_lists *solution;  /* borrowed; where put_block puts */
    void *state;                 /* in the arena */
    uint32_t sender;             /* the agent whose handler runs */
    enum cor_status status;      /* the testbed's own trouble, not the algorithm's */
    int is_over;                 /* trouble or smoke: no more calls but end() */
    struct cor_error *error;     /* borrowed */

    struct cor__arena arena;
    struct cor__mail mail;
    struct cor__population population;
    struct cor__stream streams[COR_STREAM_COUNT];
    struct cor__stream misuse; /* what host->random is in a handler: drawing from it is a complaint */
    struct cor__kept kept, kept_next;
    int keeps_next;
    uint64_t *counters;      /* owned */
    uint32_t *counter_start; /* owned */
    uint32_t *seen;          /* owned; scratch of cost() */
    size_t seen_capacity;
};

/* services.c: fills session->host. */
void cor__services_offer(struct cor_session *session);

/* Ends the reorganization with trouble of the testbed's own; the first one wins. */
void cor__session_trouble(struct cor_session *session, enum cor_status status);

/* Ends the reorganization with a smoke code; the first one wins. `text` may be NULL. */
void cor__session_smoke(struct cor_session *session, enum cor_smoke smoke, const char *text);

/* 1 if the algorithm may go on after a call that returned `progress`. */
int cor__session_alive(struct cor_session *session, enum cor_progress progress);

/* run.c: room for the agents, and their states zeroed. */
enum cor_status cor__population_prepare(struct cor_session *session) COR_MUST_USE;
void cor__population_fini(struct cor__population *population);

/* States of `agent_size` bytes in the arena for all agents; 0 at the limit. */
int cor__population_states(struct cor_session *session);

/* Steps, or rounds of mail and waking, until the end. */
enum cor_stop cor__session_run(struct cor_session *session);

/* algorithm.c: COR_STATUS_PLUGIN with the reason if it is not what plugin.h says: versions, names, ranges,
 * shape. Runs none of its code. `origin` is the place that errors name. */
enum cor_status cor__algorithm_check(const struct cor_algorithm *algorithm, const char *origin,
                                     struct cor_error *error) COR_MUST_USE;

/* Copies an algorithm, however old, into a struct of this host; COR_STATUS_PLUGIN if magic or version do not
 * fit. */
enum cor_status cor__algorithm_copy(struct cor_algorithm *copy, const void *exported, const char *origin,
                                    struct cor_error *error) COR_MUST_USE;

#endif
