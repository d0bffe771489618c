/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: watching a reorganization, and changing one thing of it (corridor/course.h). */
#ifndef CORRIDOR_ALGORITHMS_HOST_COURSE_H
#define CORRIDOR_ALGORITHMS_HOST_COURSE_H

#include <corridor/course.h>
#include <corridor/plugin.h>
#include <corridor/rng.h>

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

/* A reorganization of that name begins. `entries` say what becomes of mail that is held. */
enum cor_status host__watch_begin(struct host__local *session, struct cor_error *error) COR_MUST_USE;
void host__watch_fini(struct host__watch *watch);

/* A message was sent; false: no memory. */
bool host__watch_sent(struct host__watch *watch, const struct host__letter *letter, const void *payload);

/* The handling of a message begins and ends; likewise a move. */
bool host__watch_receive(struct host__local *session, uint32_t number);
void host__watch_received(struct host__local *session);
bool host__watch_move(struct host__local *session);
void host__watch_moved(struct host__local *session);

/* The word that the stream gives next. */
uint64_t host__watch_draw(struct host__watch *watch, struct host__stream *stream);

#endif
