/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked of programs with messages that declare what they keep, and what is known of them. */
#ifndef CORRIDOR_ALGORITHMS_PROCESSES_DECLARED_H
#define CORRIDOR_ALGORITHMS_PROCESSES_DECLARED_H

#include "internal.h"

#include <corridor/acts.h>

#include <corridor/bytes.h>

/* A process is put somewhere (RESTORE), starts as ever (START), or goes on from where it is (lives); then
 * something happens to it. */
struct processes__event_asked {
    enum { LOOK, ALARM, RECEIVE } what;
    bool lives;
    uint32_t process, values, alarms; /* alarms: bits, set before */
    uint32_t number, from;            /* the alarm; the message, and who sent it */
};

/* An event that was asked for: the table in the order of questions. */
struct processes__event_known {
    struct processes__event_asked question;
    uint32_t local;
    struct cor_acts_outcome comes; /* of it */
};

struct processes__declared {
    struct cor_process_rules *rules;
    const struct cor_process *program;
    struct cor_acts *acts;
    struct cor_bytes said;
    struct processes__event_asked *questions; /* owned */
    size_t question_count, question_capacity;
    struct processes__event_known *events; /* owned */
    size_t event_count, event_capacity;
    struct {
        uint32_t *next;  /* owned; [local] another local state with the same values, + 1 */
        uint32_t *first; /* owned; [values] a local state, + 1 */
        size_t capacity, values_capacity, set_capacity;
        struct processes__event_known start;
    } of[COR_ACTS_PROCESSES_MAX];
};

/* Asks all questions, and puts on d->said what comes of each: 1, values, alarms, those that were set with
 * their ticks, sends, what is shown; or 0 and what is wrong, as a text. */
enum cor_status processes__ask_events(struct processes__declared *d, struct cor_error *error) COR_MUST_USE;

#endif
