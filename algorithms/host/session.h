/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: a session, whatever its kind. What it keeps between two reorganizations is here and is
 * handled in session.c, for all kinds; how a reorganization is come by is the kind's affair. */
#ifndef CORRIDOR_ALGORITHMS_HOST_SESSION_H
#define CORRIDOR_ALGORITHMS_HOST_SESSION_H

#include <corridor/course.h>
#include <corridor/host.h>
#include <corridor/mail_record.h>
#include <corridor/plugin.h>

#include <stdbool.h>

/* Bytes an algorithm may keep from one reorganization to the next. */
#define HOST__KEPT_MOST ((uint32_t)1 << 24)

/* One more than the largest solution or list of moves that is taken: nothing sensible comes near. It is what
 * `agent_count` agents can need many times over, and a million at least: faults may pile up copies. */
#define HOST__ABSURD ((size_t)1 << 20)
static inline size_t host__absurd(uint32_t agent_count) {
    size_t many = (size_t)64 * agent_count;
    return many > HOST__ABSURD ? many : HOST__ABSURD;
}

/* Bytes kept for the next reorganization. */
struct host__kept {
    unsigned char *bytes; /* owned */
    size_t capacity;
    uint32_t size;
};

/* A task of those alone who are there, and who they are. All arrays are owned. */
struct host__attendance {
    uint32_t *agents;   /* [number in the task] of all; numbers in the arrays below are those of the task */
    uint32_t *number;   /* [agent of all]; scratch */
    uint32_t *identity; /* by which they draw */
    double *values;     /* [column][number] */
    const double **columns;
    uint32_t *start, *members; /* the present structure */
    unsigned char *filters;    /* of the objective */
    struct cor_objective objective;
    size_t agent_capacity, number_capacity, identity_capacity, value_capacity, column_capacity,
        start_capacity, member_capacity, filter_capacity;
};

/* How mail of a reorganization goes, beside the schedule of its session. */
struct host__mail_plan {
    enum cor_mail mode; /* of a recorded schedule; 0: there is none */
    const struct cor_mail_entry *entries;
    size_t count;
    bool is_logged; /* how it goes is to be told */
};

/* What all sessions have. The struct of a kind begins with it. */
struct cor_session {
    const struct host__session_kind *kind;
    struct cor_session_definition definition;
    const struct cor_algorithm *algorithm; /* borrowed, as in the definition */
    bool garbles;                          /* what is kept is garbled */
    bool wants_fresh;         /* the next request is for a process that has done nothing before, in a cell */
    const uint32_t *identity; /* borrowed; [agent] by which it draws; NULL: its index */
    uint32_t identity_count;  /* one more than any that there was; 0: NULL */
    const uint8_t *absent;    /* borrowed; [agent] not 0: is not there; NULL: all are */
    struct host__attendance attendance;     /* of the present reorganization, where some are not */
    const struct cor_mail_record *schedule; /* borrowed; NULL: mail goes as the definition says */
    struct cor_mail_record *recording;      /* borrowed; NULL: how it goes is nobody's affair */
    struct host__mail_plan plan;            /* of the present reorganization, */
    struct cor_mail_record log;             /* owned; and how its mail went */
    struct cor_course *watched;             /* borrowed; NULL: nobody watches */
    const struct cor_course_change *change; /* borrowed; NULL: nothing is changed */
    uint64_t slice_units;                   /* most units of one step; a knob of the conformance test */
    struct host__kept kept;                 /* what the last reorganization that did not fail kept, */
    uint64_t kept_of;                       /* and a fingerprint of who was there then; 0: all were */
    uint64_t starts;                        /* of a program, */
    double start_seconds;                   /* and what they took: true of this run alone */
    uint64_t *counters;                     /* owned */
    uint32_t *counter_start;                /* owned */
};

/* What the kinds differ in. */
struct host__session_kind {
    size_t size; /* bytes of its struct */

    /* The session's definition has been checked, its common part is in place, the rest is zeroed. */
    enum cor_status (*open)(struct cor_session *session, struct cor_error *error);
    void (*close)(struct cor_session *session); /* also of one that is half open */

    /* As cor_session_reorganize(): fills the outcome, which was cleared, adds to the counters, and leaves in
     * `kept` what the next reorganization is to find. The task is checked and its kept bytes are in place. */
    enum cor_status (*reorganize)(struct cor_session *session, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error);
};

extern const struct host__session_kind host__local_kind;    /* run.c: in this process */
extern const struct host__session_kind host__external_kind; /* external.c: a program, which is asked */
extern const struct host__session_kind host__isolated_kind; /* remote.c: in a cell */

/* A session of a given kind; the definition has been checked. */
enum cor_status host__session_make(const struct host__session_kind *kind,
                                   const struct cor_session_definition *definition,
                                   struct cor_session **session, struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_INPUT if it asks for what the algorithm lacks. */
enum cor_status host__session_check(const struct cor_session_definition *definition,
                                    struct cor_error *error) COR_MUST_USE;

/* Cells of all counters together. */
uint32_t host__counter_cells(const struct cor_session *session);

/* An outcome without anything in it, of an algorithm that has nothing to complain of. */
void host__outcome_clear(const struct cor_session *session, struct cor_outcome *outcome);

/* ---- what an algorithm counts, and whether it can be. The cells that it is lent lie apart from each other,
 * so that a bucket that there is not is found out; what it says of its fault and its budget is judged
 * when the reorganization is over, before anybody builds on it */

/* Cells before, between and behind the counters. */
#define HOST__GAP 32u

/* Nobody counts so far in one reorganization: a count below 0 or behind its end is more. Figures are exact up
 * to here. */
#define HOST__COUNT_MOST ((uint64_t)1 << 53)

/* Cells that are lent for the counters of an algorithm, gaps included. */
uint32_t host__cells_count(const struct cor_algorithm *algorithm);

/* The first cell of each counter; further ones, up to `entries`, lead into the last gap. */
void host__cells_lay(const struct cor_algorithm *algorithm, uint32_t *start, uint32_t entries);

/* Adds what was counted in the cells that were lent to the session's counters, and clears them. What cannot
 * be is not added; then false, and `text` says what. */
bool host__cells_fold(struct cor_session *session, uint64_t *cells, char *text, size_t size);

/* Adds to a count, which stops at its end instead of beginning anew. */
static inline void host__count_add(uint64_t *count, uint64_t more) {
    *count = more <= UINT64_MAX - *count ? *count + more : UINT64_MAX;
}

/* Can the outcome of a task be counted so? `own`: what the testbed counts of its own faults, where the task
 * has none of the algorithm's; NULL: not known. False, and `text` says why not: then what cannot be is 0, or
 * the testbed's. */
bool host__counts_judge(const struct cor_task *task, const struct cor_fault_counts *own,
                        struct cor_outcome *outcome, char *text, size_t size);

/* ---- what columns of values are, as one block of bytes that can stand anywhere, with all texts in
 * it; and what an algorithm needs */

/* What the value is, where nobody says that there is more. */
extern const struct cor_value_column host__value_column;

/* Bytes of the block; 0: the rules say nothing of columns. */
size_t host__columns_bytes(const struct cor_rules *rules);

/* Writes it into `room`, with pointers for a block that stands at address `base`. */
void host__columns_write(const struct cor_rules *rules, void *room, uintptr_t base);

/* A block of `count` columns written for address 0 is made one of where it stands. */
const struct cor_value_column *host__columns_settle(void *block, uint32_t count);

#endif
