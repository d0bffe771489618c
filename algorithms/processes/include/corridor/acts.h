/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes that send each other messages, as tables: what comes of each event of a process in each of its
 * local states. An EVENT is an alarm that goes off, or a message that comes; a LINK leads from one process to
 * another. */
#ifndef CORRIDOR_ACTS_H
#define CORRIDOR_ACTS_H

#include <corridor/rules.h>

#define COR_ACTS_LINKS_MAX 60u
#define COR_ACTS_PROCESSES_MAX 16u /* of programs that are asked, not of rules */

struct cor_acts_link {
    uint32_t from, to, message_count; /* so many different ones may be under way on it, */
    uint32_t first_event;             /* which are events of `to` from this one on */
};

struct cor_acts_send {
    uint32_t link, message;
};

/* What may come of an event: the local state after it, what is sent, in this order, and which alarms were set
 * in it (bits), each with its ticks. */
struct cor_acts_outcome {
    uint32_t local, first_send, send_count;
    uint32_t set, first_tick;
};

struct cor_acts_process {
    uint32_t local_count;
    uint32_t *values; /* owned; [local] its variables as a local state of rules (cor_rules_value); */
    uint32_t *set;    /* owned; likewise, its alarms that are set: bits; NULL: of rules */
    union cor_process_value *shown; /* owned; [values][attribute]; NULL: of rules */
    uint32_t alarm_count, link_count;
    uint32_t alarms[COR_PROCESS_ALARMS_MAX]; /* that it may set, */
    uint32_t links[COR_ACTS_LINKS_MAX];      /* and those that lead to it */
    uint32_t event_count;                    /* alarms, then messages, link after link */
    uint32_t *first; /* owned; [local * event_count + event (+ 1)] choices; none: the alarm is not set */
    struct cor_rules_choice *choices;  /* owned; of outcomes each is equally likely */
    struct cor_acts_outcome *outcomes; /* owned */
    size_t choice_count, choice_capacity, outcome_count, outcome_capacity;
};

struct cor_acts {
    uint32_t process_count, link_count;
    struct cor_acts_link links[COR_ACTS_LINKS_MAX];
    struct cor_acts_process *processes; /* owned */
    struct cor_acts_send *sends;        /* owned */
    size_t send_count, send_capacity;
    uint64_t *ticks; /* owned */
    size_t tick_count, tick_capacity;
    struct cor_rules_message
        *messages; /* owned, and the bytes of each; NULL: of rules, a message is a local state */
    uint32_t message_count;
    size_t message_capacity;
};

/* Of rules over messages: a process sends its variables by an alarm, keeps a copy of those of whom it reads,
 * and has its rule whenever one of them comes. Who reads one other alone acts on what comes and keeps
 * nothing; who reads nobody has his rule by his alarm. `rules` were asked. More than COR_ACTS_LINKS_MAX links
 * are refused, COR_STATUS_INPUT. */
enum cor_status cor_acts_of_rules(const struct cor_process_rules *rules, struct cor_acts **acts,
                                  struct cor_error *error) COR_MUST_USE;

/* Of a program that declares its variables, which `rules` has: each process is put into each of its local
 * states and given each event, twice, and so are 1,000 steps of ordinary runs. What may be under way: what
 * the program says, and what it sends, on each link that it sends on. Where something is kept that is not
 * declared, or cannot be gone through, that is told in rules->hidden, and *acts is NULL. More processes than
 * COR_ACTS_PROCESSES_MAX are refused, COR_STATUS_INPUT. */
enum cor_status cor_acts_ask(struct cor_process_rules *rules, struct cor_acts **acts,
                             struct cor_error *error) COR_MUST_USE;

/* Refuses more processes than COR_ACTS_PROCESSES_MAX, COR_STATUS_INPUT, before anybody is asked; `place`
 * names whose they are. */
enum cor_status cor_acts_check_count(const char *place, uint32_t process_count,
                                     struct cor_error *error) COR_MUST_USE;

void cor_acts_destroy(struct cor_acts *acts); /* NULL is allowed */

#define COR_NO_COPY UINT32_MAX
/* A copy that a process of rules keeps in a local state, of the r-th whom it reads; COR_NO_COPY: it keeps
 * none. */
uint32_t cor_acts_copy(const struct cor_process_rules *rules, uint32_t process, uint32_t local, uint32_t r);

#endif
