/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The course of one reorganization: every message between agents, every random number and every move, in the
 * order in which they happened; and the same reorganization with one of them changed, all others being as
 * they were. Messages are lost or delayed by a schedule (mail_record.h), which counts them as the course
 * does.
 *
 * A message acts in two ways: on whoever gets it, and by all that is said because of it. Where mail is
 * *held*, each agent gets what it got in the course, whatever is said now: what a change does then, it does
 * without the help of other messages (the controlled direct effect: Pearl, Causality, 2009, 4.5). */
#ifndef CORRIDOR_COURSE_H
#define CORRIDOR_COURSE_H

#include <corridor/error.h>
#include <corridor/terms.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cor_session;

#define COR_COURSE_NONE UINT32_MAX

#define COR_COURSE_CELLS 2

/* What was counted meanwhile: the first cells of the algorithm's probes that grew, and whether its fault
 * corrupted something. */
struct cor_course_effect {
    uint32_t cell_count;
    uint32_t counter[COR_COURSE_CELLS], bucket[COR_COURSE_CELLS];
    bool fault;
};

/* A message, in the order of sending. */
struct cor_course_message {
    uint32_t from, to, kind, size; /* as in plugin.h; size: bytes */
    uint64_t payload;              /* begins at words[payload], in units of 8 bytes */
    uint64_t sent, received;       /* rounds, from 1; received 0: never */
    uint32_t cause;                /* the message in whose handling it was sent; COR_COURSE_NONE: in a turn */
    struct cor_course_effect effect; /* of its handling */
};

/* A random number. */
struct cor_course_draw {
    enum cor_purpose purpose; /* ALGORITHM, FAULT, AGENT: whose stream */
    uint32_t entity;          /* AGENT: by what it draws (cor_session_identify) */
    uint64_t index;           /* within the stream, from 0 */
    uint64_t word;
    uint64_t round;   /* of mail; 0: before the first, or there is none */
    uint32_t message; /* in whose handling it was drawn; COR_COURSE_NONE: in none */
    uint32_t move;    /* in which; COR_COURSE_NONE: before the first, behind the last, or there are none */
};

/* A move: a step of an algorithm that works in steps, which gets one unit of its budget at a time here. */
struct cor_course_move {
    uint64_t end; /* draws of the algorithm's stream up to its end */
    struct cor_course_effect effect;
};

/* An edge of the graph that the algorithm told at the end (plugin.h, graph). */
struct cor_course_edge {
    uint32_t from, to;
    uint32_t is_marked; /* 0 or 1 */
};

/* Owned by the caller: zeroed but for `identity` and `mail_most` at the beginning, and freed by
 * cor_course_fini. */
struct cor_course {
    uint64_t identity; /* of the case whose reorganization it is */
    size_t mail_most;  /* bytes; > 0: mail alone is told, and if there is more, it is as if none were there */
    bool is_there;     /* there was one */
    uint64_t rounds;   /* of mail */
    struct cor_course_message *messages;
    struct cor_course_draw *draws;
    struct cor_course_move *moves;
    struct cor_course_edge *edges;
    uint32_t *order; /* numbers of messages as they were delivered */
    uint64_t *words; /* payloads */
    uint32_t *
        agents; /* of all, by the numbers that agents have in messages; NULL: the same (cor_session_attend) */
    size_t message_count, draw_count, move_count, order_count, word_count, edge_count;
    size_t message_capacity, draw_capacity, move_capacity, order_capacity, word_capacity, edge_capacity;
};

/* Frees what it holds; its identity stays. Idempotent. */
void cor_course_fini(struct cor_course *course);

/* The agent of all that a message is from or to. What messages say is in the numbers that the algorithm has.
 */
static inline uint32_t cor_course_agent(const struct cor_course *course, uint32_t number) {
    return course->agents ? course->agents[number] : number;
}

/* How a draw or a move is made another way: number 0 and 1 of a draw are the least and the greatest word that
 * there is, all others are drawn from streams of their own (COR_PURPOSE_REDRAW). */
struct cor_redraw {
    bool is_move;
    enum cor_purpose purpose; /* draws: whose stream, */
    uint32_t entity;
    uint64_t index;  /* and the place in it; moves: the number of the move, from 0 */
    uint64_t end;    /* moves: of cor_course_move; what is drawn behind it is as it was */
    uint32_t choice; /* which other way, from 0 */
};

/* What is changed in the reorganization of one case, beside its mail. */
struct cor_course_change {
    uint64_t identity; /* of that case */
    const struct cor_course
        *held; /* mail is as it was there, but for what the schedule says; NULL: not held */
    const struct cor_redraw *redraws;
    size_t redraw_count;
};

/* Can reorganizations of the session be watched and changed: does its algorithm's mail go through this
 * process, and does it draw here? Of a program mail can be, and what it draws itself cannot. */
bool cor_session_is_open(const struct cor_session *session);

/* Can it be watched at least? Of a session whose algorithm works in a cell the mail is told, as it was there.
 */
bool cor_session_shows_mail(const struct cor_session *session);

/* From now on the course of the reorganization of case course->identity is told in `course`, of a session
 * that can be watched; NULL: no more. Where a case has several, it is of the last one. Borrowed until the
 * next call.
 */
void cor_session_watch(struct cor_session *session, struct cor_course *course);

/* From now on that is changed; NULL: no more. Borrowed until the next call, with all it points to. */
void cor_session_change(struct cor_session *session, const struct cor_course_change *change);

#endif
