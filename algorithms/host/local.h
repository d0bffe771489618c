/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: the inside of a session in this process. run.c (the life of a reorganization, its steps
 * and rounds, what an algorithm may call, who watches, and what that stands on: counts, the end, streams) has
 * mail.c (mail, one by one too) and strict.c (what is closed to the algorithm). */
#ifndef CORRIDOR_ALGORITHMS_HOST_LOCAL_H
#define CORRIDOR_ALGORITHMS_HOST_LOCAL_H

#include "session.h"
#include "strict.h"

#include <corridor/course.h>
#include <corridor/host.h>
#include <corridor/mail_record.h>
#include <corridor/plugin.h>
#include <corridor/rng.h>

#include <stddef.h>
#include <string.h>

/* ---- private to host: watching a reorganization, and changing one thing of it (corridor/course.h) */

struct host__letter;
struct host__stream;
struct host__local;
struct cor_mail_entry;

/* A message that is delivered although nobody need have sent it now. */
struct host__held_letter {
    uint64_t round, place; /* in which, and its order there */
    uint32_t message;      /* of the course that is held */
};

/* What is watched and changed of the present reorganization. All 0: nothing. */
struct host__watch {
    struct cor_course *course;              /* borrowed; NULL: nobody wants to know */
    const struct cor_course_change *change; /* borrowed; NULL: nothing is changed */
    const struct cor_stream_name *name;     /* borrowed, of the reorganization */
    uint64_t round;
    uint32_t message, move; /* under way; COR_COURSE_NONE */
    uint64_t *cells_before; /* owned; [cell] probes before the present message or move */
    size_t cells_capacity;
    uint64_t activated_before;        /* of the fault */
    const struct cor_redraw *redrawn; /* the present move is; NULL: no */
    struct cor_rng other;             /* from which it draws then */
    struct host__held_letter *held;   /* owned; by round and place */
    size_t held_count, held_capacity, held_next;
    uint64_t held_lost, held_twice; /* messages of that course, as the schedule says: counted as faults */
};

/* Is anything watched or changed? */
static inline bool host__watch_is_on(const struct host__watch *watch) {
    return watch->course || watch->change;
}

/* Is mail held? */
static inline bool host__watch_holds(const struct host__watch *watch) {
    return watch->change && watch->change->held;
}

/* A message was sent; false: no memory. */
bool host__watch_sent(struct host__watch *watch, const struct host__letter *letter, const void *payload);

/* ---- private to host: the memory of one reorganization */

struct host__strict;
struct host__chunk;

/* run.c: the memory of one reorganization. A bump allocator whose chunks stay from one reorganization to
 * the next, so that a warm session calls malloc no more. What is charged depends on the requests alone, never
 * on where the chunks happen to end: a session that is warm and a fresh one meet the limit at the same
 * request. */
struct host__arena {
    struct host__strict *strict; /* borrowed; NULL: memory comes from chunks */
    struct host__chunk *first;   /* owned; the list of chunks */
    struct host__chunk *current;
    void *last;        /* the newest allocation, which grows in place when there is room */
    size_t last_bytes; /* its rounded size */
    size_t charged;    /* rounded bytes handed out since the reset, and those of others (mail under way) */
    size_t limit;
    int exhausted; /* the machine, not the limit, had no more memory */
};

/* An empty arena; no memory yet. */
void host__arena_init(struct host__arena *arena, size_t limit);
void host__arena_fini(struct host__arena *arena);

/* Releases everything handed out and keeps the memory, in one piece where possible. */
void host__arena_reset(struct host__arena *arena);

/* Zeroed, 16-byte aligned; NULL at the limit. 0 bytes give a pointer of their own. */
void *host__arena_alloc(struct host__arena *arena, size_t bytes);

/* Charges `bytes`, which may lie elsewhere; 0 at the limit. What lies elsewhere is taken off again. */
static inline int host__arena_charge(struct host__arena *arena, size_t bytes) {
    if (bytes > arena->limit - arena->charged)
        return 0;
    arena->charged += bytes;
    return 1;
}

/* ---- private to host: mail between agents. Mostly it goes in rounds (mail.c): what is sent in one is due in
 * a later one. In some modes it goes one by one (mail.c): what is sent may be delivered next, and a scheduler
 * says what is */

#define HOST__DELAY_MOST 65536u /* rounds that mail may be delayed */
#define HOST__DEPTH_MOST 64u    /* of a fault of order */
#define HOST__BOUND_MOST 8u     /* messages that wait */

/* A message lies in the bag of the round it is due in: a flat buffer of headers and payloads that is written
 * once, read once, emptied, and kept for later rounds. This is a message in a bag; `size` bytes of payload
 * follow, padded to 8. */
struct host__letter {
    uint32_t to, from, kind, size;
};

struct host__bag {
    uint64_t *words;       /* owned; headers and payloads, in units of 8 bytes */
    size_t capacity, used; /* words */
    uint32_t count;        /* letters */
    uint32_t *numbers;     /* owned; [letter] of the message, where mail is watched */
    size_t number_capacity;
};

/* A letter under way where mail goes one by one. */
struct host__pending {
    uint64_t key;     /* the least comes first; if equal, the least number */
    uint64_t number;  /* in which it was sent, from 0 */
    size_t at, words; /* where it lies */
    uint32_t chain;   /* of messages of which each was sent when the one before was handled */
};

struct host__heap {
    struct host__pending *letters; /* owned */
    size_t count, capacity;
};

struct host__scheduler;

#define HOST__NO_CHAIN UINT32_MAX

/* Mail that goes one by one. */
struct host__queue {
    const struct host__scheduler *scheduler; /* NULL: mail goes in rounds */
    struct host__heap ready, waiting;        /* letters under way; what they differ in is the scheduler's */
    struct host__bag letters, spare;         /* where they lie; where they are moved together */
    size_t live;                             /* words of letters under way */
    uint64_t *hand; /* owned; the letter that is delivered: others are posted meanwhile */
    size_t hand_capacity;
    uint64_t delivered; /* letters */
    uint64_t number;    /* of the message in hand */

    uint64_t *priority; /* owned; [chain] the greatest first */
    size_t priority_capacity;
    uint32_t chain_count; /* that there were */
    uint32_t chain_used;  /* thereof since nothing was under way: what ended before that is continued */
    uint32_t cause;       /* chain of the letter that is handled, until it is continued */
    uint32_t point_count, held_count;
    uint64_t point[HOST__DEPTH_MOST]; /* before which delivery, from 0, a priority falls */
    uint64_t held[HOST__BOUND_MOST];  /* numbers of the letters that wait, in their order then */
};

/* The entries of one deed that are still to come. */
struct host__said {
    const struct cor_mail_entry *next, *end;
};

struct host__mail {
    struct cor_mail_schedule schedule;
    enum cor_mail mode;     /* of the schedule, or of what is repeated */
    struct cor_rng rng;     /* COR_PURPOSE_SCHEDULE */
    struct host__bag *bags; /* owned; used in turn, round by round */
    uint32_t bag_count;     /* longest delay + 1 */
    uint32_t bag_now;       /* the bag of this round */
    struct host__bag *next; /* where all mail goes; NULL if it takes more to tell */
    uint32_t agent_count;
    uint64_t round;
    uint64_t under_way, sent, lost, repeated; /* messages */
    uint64_t due, turns;                      /* letters and turns of the rounds before */
    size_t *order;                            /* owned; where the letters of a bag begin, in their order */
    size_t order_capacity;
    struct host__queue queue;
    struct host__watch *watch; /* borrowed; NULL: mail is neither watched nor held */
    int is_planned;            /* a recorded schedule says how mail goes: */
    struct host__said said[COR_MAIL_DEEDS];
    struct cor_mail_record *log; /* borrowed; NULL: nobody wants to know how it went */
    uint64_t *order_log;         /* owned; numbers of the letters, as they were delivered one by one */
    size_t order_log_capacity;
    uint64_t *rank, *sorted; /* owned; scratch of orders that are planned or logged */
    size_t rank_capacity, sorted_capacity;
    struct host__arena *arena; /* borrowed; its limit counts mail under way too */
};

/* Room for the delays of `schedule`, which has been checked. */
enum cor_status host__mail_init(struct host__mail *mail, const struct cor_mail_schedule *schedule,
                                struct host__arena *arena, struct cor_error *error) COR_MUST_USE;
void host__mail_fini(struct host__mail *mail);

/* No mail, round 0; the schedule's stream of reorganization `name` at its beginning. `log` is emptied. */
enum cor_status host__mail_reset(struct host__mail *mail, const struct host__mail_plan *plan,
                                 struct cor_mail_record *log, const struct cor_stream_name *name,
                                 uint32_t agent_count, struct cor_error *error) COR_MUST_USE;

/* The reorganization is over: what the log lacks. */
enum cor_status host__mail_conclude(struct host__mail *mail, struct cor_error *error) COR_MUST_USE;

enum host__posted { HOST__POSTED, HOST__POST_NOBODY, HOST__POST_LIMIT, HOST__POST_MEMORY };

int host__bag_grow(struct host__bag *bag, size_t words);

/* Words of a letter with its payload. */
static inline size_t host__letter_words(uint32_t size) {
    return sizeof(struct host__letter) / 8 + ((size_t)size + 7) / 8;
}

/* Payloads are small and mostly whole words: a loop beats a call of memcpy. */
static inline void host__payload_copy(uint64_t *to, const void *payload, uint32_t size) {
    const unsigned char *from = payload;
    for (; size >= 8; size -= 8, from += 8)
        memcpy(to++, from, 8);
    if (size > 0) {
        *to = 0;
        memcpy(to, from, size);
    }
}

/* Puts a letter of `words` into a bag, which has room for it. */
static inline void host__bag_put(struct host__bag *bag, const struct host__letter *letter,
                                 const void *payload, size_t words) {
    memcpy(bag->words + bag->used, letter, sizeof *letter);
    host__payload_copy(bag->words + bag->used + sizeof *letter / 8, payload, letter->size);
    bag->used += words;
    bag->count++;
}

/* Puts a letter into a bag; NULL: it is lost. */
static inline enum host__posted host__mail_put(struct host__mail *mail, struct host__bag *bag,
                                               const struct host__letter *letter, const void *payload) {
    size_t words = host__letter_words(letter->size);
    if (!host__arena_charge(mail->arena, words * 8))
        return HOST__POST_LIMIT;
    if (!bag) {
        mail->arena->charged -= words * 8;
        mail->lost++;
        return HOST__POSTED;
    }
    if (bag->capacity - bag->used < words && !host__bag_grow(bag, words))
        return HOST__POST_MEMORY;
    host__bag_put(bag, letter, payload, words);
    mail->under_way++;
    return HOST__POSTED;
}

/* Where it takes more than putting it into the next bag: the schedule draws, or mail goes one by one. */
enum host__posted host__mail_post_drawn(struct host__mail *mail, const struct host__letter *letter,
                                        const void *payload);

/* Accepts a message, which the schedule may then delay, lose or repeat. Inline: this is the hottest path of
 * the room. */
static inline enum host__posted host__mail_post(struct host__mail *mail, const struct host__letter *letter,
                                                const void *payload) {
    if (letter->to >= mail->agent_count)
        return HOST__POST_NOBODY;
    if (!mail->next)
        return host__mail_post_drawn(mail, letter, payload);
    enum host__posted posted = host__mail_put(mail, mail->next, letter, payload);
    mail->sent += posted != HOST__POST_LIMIT;
    return posted;
}

/* Begins the next round. */
void host__mail_turn(struct host__mail *mail);

/* The mail of this round, to be read before anything is posted into a bag again: that of the next lap. */
struct host__bag *host__mail_due(struct host__mail *mail);

/* Is the mail of a round read in another order than it lies in? */
static inline int host__mail_is_arranged(const struct host__mail *mail) {
    return mail->is_planned ? mail->said[COR_MAIL_DEED_PLACE].next < mail->said[COR_MAIL_DEED_PLACE].end
                            : mail->mode == COR_MAIL_SHUFFLED;
}

/* The order in which a bag is then read: mail->order[0 .. bag->count) are positions. */
enum cor_status host__mail_arrange(struct host__mail *mail, const struct host__bag *bag,
                                   struct cor_error *error) COR_MUST_USE;

/* The order of the turns of a round; `agents` ascend. */
enum cor_status host__mail_arrange_turns(struct host__mail *mail, uint32_t *agents, uint32_t count,
                                         struct cor_error *error) COR_MUST_USE;

/* Marks the bag as read. */
void host__mail_empty(struct host__mail *mail, struct host__bag *bag);

/* mail.c: who is next where mail goes one by one. */
struct host__scheduler {
    /* At the beginning of a reorganization; what is drawn is drawn from mail->rng. */
    void (*begin)(struct host__mail *mail, const struct cor_stream_name *name);

    /* Which of both heaps a new letter goes to; its key is set here. */
    struct host__heap *(*file)(struct host__mail *mail, struct host__pending *letter);

    /* The heap whose first is next; at least one letter is under way. */
    struct host__heap *(*next)(struct host__mail *mail);
};

/* Takes the next letter out: it lies in queue->hand until the next call, and is the cause of what is sent
 * until host__queue_settle. */
enum cor_status host__queue_take(struct host__mail *mail, struct cor_error *error) COR_MUST_USE;
static inline void host__queue_settle(struct host__mail *mail) {
    mail->queue.cause = HOST__NO_CHAIN;
}

/* Nothing is under way: whoever begins a chain now continues one that ended, since all that was delivered
 * comes before it. */
void host__queue_rest(struct host__mail *mail);

/* An order of numbers, of which few depart from ascending ones: these are logged, with their places. */
enum cor_status host__mail_log_order(struct cor_mail_record *log, enum cor_mail_deed deed, uint64_t base,
                                     const uint64_t *order, size_t count,
                                     struct cor_error *error) COR_MUST_USE;

/* What was logged takes the place of what the record says of that case. */
enum cor_status host__mail_record_replace(struct cor_mail_record *record, uint64_t identity,
                                          struct cor_mail_record *log, struct cor_error *error) COR_MUST_USE;

/* Which calls an algorithm may make depends on where it is: the tags in plugin.h. */
enum host__phase {
    HOST__IDLE,
    HOST__BEGIN,
    HOST__STEP,
    HOST__HANDLER,
    HOST__RESULT,
    HOST__INTERIM,
    HOST__GRAPH,
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
    struct cor_code_coverage
        *coverage; /* of the module, which counts in the last counter's cells; NULL: none */

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

/* Agent `index` of the reorganization. */
static inline struct cor_agent *host__session_agent(const struct host__local *session, uint32_t index) {
    return session->strict ? session->strict->seats[index].agent : &session->population.agents[index];
}

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

#endif
