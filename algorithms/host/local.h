/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: the inside of a session in this process. local.c (the life of a reorganization) calls
 * run.c (steps, rounds), and both call services.c (what an algorithm may call, and the streams it draws
 * from) and strict.c (what is closed to it). */
#ifndef COR__LOCAL_H
#define COR__LOCAL_H

#include "session.h"
#include "strict.h"

#include <corridor/rng.h>

#include <stddef.h>
#include <string.h>

struct cor__chunk;

/* arena.c: the memory of one reorganization. A bump allocator whose chunks stay from one reorganization to
 * the next, so that a warm session calls malloc no more. What is charged depends on the requests alone, never
 * on where the chunks happen to end: a session that is warm and a fresh one meet the limit at the same
 * request. */
struct cor__arena {
    struct cor__strict *strict; /* borrowed; NULL: memory comes from chunks */
    struct cor__chunk *first;   /* owned; the list of chunks */
    struct cor__chunk *current;
    void *last;        /* the newest allocation, which grows in place when there is room */
    size_t last_bytes; /* its rounded size */
    size_t charged;    /* rounded bytes handed out since the reset, and those of others (mail under way) */
    size_t limit;
    int exhausted; /* the machine, not the limit, had no more memory */
};

/* An empty arena; no memory yet. */
void cor__arena_init(struct cor__arena *arena, size_t limit);
void cor__arena_fini(struct cor__arena *arena);

/* Releases everything handed out and keeps the memory, in one piece where possible. */
void cor__arena_reset(struct cor__arena *arena);

/* Zeroed, 16-byte aligned; NULL at the limit. 0 bytes give a pointer of their own. */
void *cor__arena_alloc(struct cor__arena *arena, size_t bytes);

/* Keeps min(old_bytes, bytes) bytes, zeroes the rest. The newest allocation pays for what it grows by, any
 * other for its whole new size. NULL at the limit, and then `memory` stays as it was. */
void *cor__arena_resize(struct cor__arena *arena, void *memory, size_t old_bytes, size_t bytes);

/* Charges `bytes`, which may lie elsewhere; 0 at the limit. What lies elsewhere is taken off again. */
static inline int cor__arena_charge(struct cor__arena *arena, size_t bytes) {
    if (bytes > arena->limit - arena->charged)
        return 0;
    arena->charged += bytes;
    return 1;
}

/* run.c: mail between agents. A message lies in the bag of the round it is due in: a flat buffer of headers
 * and payloads that is written once, read once, emptied, and kept for later rounds. This is a message in a
 * bag; `size` bytes of payload follow, padded to 8. */
struct cor__letter {
    uint32_t to, from, kind, size;
};

struct cor__bag {
    uint64_t *words;       /* owned; headers and payloads, in units of 8 bytes */
    size_t capacity, used; /* words */
    uint32_t count;        /* letters */
};

struct cor__mail {
    struct cor_mail_schedule schedule;
    struct cor_rng rng;    /* COR_PURPOSE_SCHEDULE */
    struct cor__bag *bags; /* owned; used in turn, round by round */
    uint32_t bag_count;    /* longest delay + 1 */
    uint32_t bag_now;      /* the bag of this round */
    struct cor__bag *next; /* where all mail goes; NULL if each message's delay or loss is drawn */
    uint32_t agent_count;
    uint64_t round;
    uint64_t under_way, sent, lost, repeated; /* messages */
    size_t *order;                            /* owned; where the letters of a shuffled bag begin */
    size_t order_capacity;
    struct cor__arena *arena; /* borrowed; its limit counts mail under way too */
};

/* Room for the delays of `schedule`, which has been checked. */
enum cor_status cor__mail_init(struct cor__mail *mail, const struct cor_mail_schedule *schedule,
                               struct cor__arena *arena, struct cor_error *error) COR_MUST_USE;
void cor__mail_fini(struct cor__mail *mail);

/* No mail, round 0; the schedule's stream of reorganization `name` at its beginning. */
void cor__mail_reset(struct cor__mail *mail, const struct cor_stream_name *name, uint32_t agent_count);

enum cor__posted { COR__POSTED, COR__POST_NOBODY, COR__POST_LIMIT, COR__POST_MEMORY };

/* Growing, and what the schedule draws for one message: its bag, NULL if it is lost; then, whether it comes
 * twice. Used by cor__mail_post. */
int cor__bag_grow(struct cor__bag *bag, size_t words);
struct cor__bag *cor__mail_draw(struct cor__mail *mail);
int cor__mail_repeats(struct cor__mail *mail);

/* Words of a letter with its payload. */
static inline size_t cor__letter_words(uint32_t size) {
    return sizeof(struct cor__letter) / 8 + ((size_t)size + 7) / 8;
}

/* Payloads are small and mostly whole words: a loop beats a call of memcpy. */
static inline void cor__payload_copy(uint64_t *to, const void *payload, uint32_t size) {
    const unsigned char *from = payload;
    for (; size >= 8; size -= 8, from += 8)
        memcpy(to++, from, 8);
    if (size > 0) {
        *to = 0;
        memcpy(to, from, size);
    }
}

/* Puts a letter into a bag; NULL: it is lost. */
static inline enum cor__posted cor__mail_put(struct cor__mail *mail, struct cor__bag *bag,
                                             const struct cor__letter *letter, const void *payload) {
    size_t words = cor__letter_words(letter->size);
    if (!cor__arena_charge(mail->arena, words * 8))
        return COR__POST_LIMIT;
    if (!bag) {
        mail->arena->charged -= words * 8;
        mail->lost++;
        return COR__POSTED;
    }
    if (bag->capacity - bag->used < words && !cor__bag_grow(bag, words))
        return COR__POST_MEMORY;
    memcpy(bag->words + bag->used, letter, sizeof *letter);
    cor__payload_copy(bag->words + bag->used + sizeof *letter / 8, payload, letter->size);
    bag->used += words;
    bag->count++;
    mail->under_way++;
    return COR__POSTED;
}

/* Accepts a message, which the schedule may then delay, lose or repeat. Inline: this is the hottest path of
 * the room. */
static inline enum cor__posted cor__mail_post(struct cor__mail *mail, const struct cor__letter *letter,
                                              const void *payload) {
    if (letter->to >= mail->agent_count)
        return COR__POST_NOBODY;
    struct cor__bag *bag = mail->next ? mail->next : cor__mail_draw(mail);
    enum cor__posted posted = cor__mail_put(mail, bag, letter, payload);
    mail->sent += posted != COR__POST_LIMIT;
    if (posted == COR__POSTED && !mail->next && cor__mail_repeats(mail))
        posted = cor__mail_put(mail, bag, letter, payload);
    return posted;
}

/* Begins the next round. */
void cor__mail_turn(struct cor__mail *mail);

/* The mail of this round, to be read before anything is posted into a bag again: that of the next lap. */
struct cor__bag *cor__mail_due(struct cor__mail *mail);

/* Draws the order in which a bag is read: mail->order[0 .. bag->count) are positions. */
enum cor_status cor__mail_shuffle(struct cor__mail *mail, const struct cor__bag *bag,
                                  struct cor_error *error) COR_MUST_USE;

/* Marks the bag as read. */
void cor__mail_empty(struct cor__mail *mail, struct cor__bag *bag);

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

/* crash.c: agents that are down. All arrays are owned. Who is not there, but was once, crashes like the
 * others: so those draw what they drew. */
struct cor__crashes {
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
struct cor__population {
    struct cor_agent *agents;
    struct cor__stream *streams;
    double *values;   /* agent after agent, value_count each */
    uint32_t *waking; /* the agents of this round, in their order */
    uint64_t *asking; /* bit i: agent i wants to be woken next round */
    size_t capacity, value_capacity;
    uint64_t asking_count; /* repeated ones counted again */
    struct cor__crashes crashes;
};

struct cor__local {
    struct cor_session base;
    struct cor_host host;             /* what the algorithm sees, */
    const struct cor_host *lent_host; /* by this pointer; strict: a copy */
    const struct cor_task *lent_task; /* likewise */
    struct cor__strict *strict;       /* owned; NULL unless the definition asks for it */

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
    struct cor__kept kept_next;
    int keeps_next;
    uint32_t *seen; /* owned; scratch of cost() */
    size_t seen_capacity;
};

/* services.c: fills session->host. */
void cor__services_offer(struct cor__local *session);

/* Ends the reorganization with trouble of the testbed's own; the first one wins. */
void cor__session_trouble(struct cor__local *session, enum cor_status status);

/* Ends the reorganization with a smoke code; the first one wins. `text` may be NULL. */
void cor__session_smoke(struct cor__local *session, enum cor_smoke smoke, const char *text);

/* 1 if the algorithm may go on after a call that returned `progress`. */
int cor__session_alive(struct cor__local *session, enum cor_progress progress);

/* run.c: room for the agents, and their states zeroed. */
enum cor_status cor__population_prepare(struct cor__local *session) COR_MUST_USE;
void cor__population_fini(struct cor__population *population);

/* Agent `index` of the reorganization. */
static inline struct cor_agent *cor__session_agent(const struct cor__local *session, uint32_t index) {
    return session->strict ? session->strict->seats[index].agent : &session->population.agents[index];
}

/* States of `agent_size` bytes in the arena for all agents; 0 at the limit. */
int cor__population_states(struct cor__local *session);

/* By what agent `index` draws. */
static inline uint32_t cor__session_identity(const struct cor__local *session, uint32_t index) {
    return session->base.identity ? session->base.identity[index] : index;
}

/* All agents of the reorganization run; the stream at its beginning. */
enum cor_status cor__crashes_reset(struct cor__local *session) COR_MUST_USE;

/* Is agent `index` down? */
static inline int cor__crashes_down(const struct cor__local *session, uint32_t index) {
    const struct cor__crashes *crashes = &session->population.crashes;
    return crashes->down_count > 0 && crashes->down[cor__session_identity(session, index)] > 0;
}

/* At the beginning of a round: lists who is to be restarted in it, and draws who crashes. */
void cor__crashes_strike(struct cor__local *session);

/* At the end of the run: all that are down are to be restarted. */
void cor__crashes_end(struct cor__local *session);

/* Steps, or rounds of mail and waking, until the end. */
enum cor_stop cor__session_run(struct cor__local *session);

#endif
