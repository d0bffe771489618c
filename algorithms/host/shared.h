/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: the memory through which a session (remote.c) and the cell program (guest.c) talk, and
 * what lies in it. The request is written by the session and can only be read in the cell; the answer can be
 * written by both, so the session copies what it reads and then looks whether it makes sense.
 *
 * A guest is a process that holds the loaded algorithm. Guests are numbered by generation: the session names
 * the generation that is to do a request, and a guest of another one leaves it alone. */
#ifndef CORRIDOR_ALGORITHMS_HOST_SHARED_H
#define CORRIDOR_ALGORITHMS_HOST_SHARED_H

#include "session.h"

#include <corridor/cell.h>
#include <corridor/course.h>

#include <stdatomic.h>

#define HOST__REQUEST_DESCRIPTOR 3 /* of the cell program: what it is lent */
#define HOST__ANSWER_DESCRIPTOR 4

struct host__request {
    size_t layout;            /* of what is shared: both sides were built alike */
    size_t size, answer_size; /* bytes of the two memories */
    char algorithm[4096];     /* a path, or the name of one that is built in */
    uint64_t memory;          /* bytes of a guest's address space beyond what it begins with; 0: no limit */
    struct cor_session_definition definition; /* but for its pointers */

    _Atomic uint32_t number;     /* raised by one for each request */
    _Atomic uint32_t generation; /* that is to do it */
    _Atomic uint32_t first;      /* number of the first request that is this generation's */
    _Atomic uint32_t is_waiting; /* the session sleeps until the bell is rung */
    uint64_t slice_units;
    struct cor_stream_name name;
    uint32_t identity_count;     /* 0: agents draw by their indices */
    uint32_t member_count;       /* of the task: entries of its members */
    uint64_t described_bytes;    /* of what columns are, at the end of `data`; 0: nothing is said of them */
    struct host__mail_plan plan; /* its entries are in `data`, too */
    bool is_watched;             /* the course of its mail is to be told */
    bool garbles;                /* what is kept is garbled */
    struct cor_rules rules;      /* the arrays that rules and task point to follow one another in `data` */
    struct cor_task task;
    struct cor_objective objective; /* of the task, if it has one */
    _Alignas(16) unsigned char data[];
};

enum host__load { HOST__NOT_LOADED, HOST__IN_PLACE, HOST__LOADED, HOST__NOT_USABLE };

struct host__reply {
    _Atomic uint32_t bell;   /* rung at whatever is said here */
    _Atomic uint32_t load;   /* enum host__load; IN_PLACE: the cell program runs */
    _Atomic uint32_t place;  /* odd while the algorithm is being loaded, and then ever another even number */
    _Atomic uint32_t number; /* of the request that was answered last */
    _Atomic uint32_t is_waiting;          /* the guest sleeps until there is a request */
    _Atomic uint32_t dead;                /* generation of the guest that died last, */
    uint32_t death;                       /* how: enum cor_death, */
    int32_t code;                         /* exit code or signal */
    uint64_t peak;                        /* bytes of memory that it had at most */
    uint32_t left;                        /* enum cor_left: the guest ended itself because of it */
    uint64_t fault_address, fault_offset; /* of the signal; offset: into the module, 0: elsewhere */
    struct cor_error error;               /* why it is not usable, or trouble of the host in the cell */
    uint32_t status;                      /* of the reorganization: enum cor_status */
    uint64_t used, needed;                /* bytes of `data`; needed > capacity: it did not fit */
    struct cor_outcome outcome;           /* the numbers in it; its lists are in `data` */
    uint32_t kept_size, keeps;            /* keeps: `kept_size` bytes are to be kept */
    uint64_t logged;                      /* entries: how mail went */
    struct host__told {                   /* its course, if that is wanted and there is room for it */
        uint64_t messages, order, words, edges, is_there;
    } told;
    /* Counted cells; then solution, moves, interims, bytes kept, entries, messages, their order, words,
     * edges. */
    _Alignas(16) unsigned char data[];
};

/* Both memories, in the session or in the cell. */
struct host__shared {
    int request_memory, answer_memory; /* descriptors; -1: closed */
    size_t request_size, answer_size;
    struct host__request *request; /* in a cell it cannot be written */
    struct host__reply *answer;
};

/* Two memories of so many bytes, of which only those used cost anything; sealed, and between pages that
 * nobody may touch. */
enum cor_status host__shared_create(struct host__shared *shared, size_t request_size, size_t answer_size,
                                    struct cor_error *error) COR_MUST_USE;

/* Those that the cell program is lent; false if they are not available. */
bool host__shared_take(struct host__shared *shared);

/* From now on the answer is this process's alone: a process that it forks does not have it, and is ended by
 * SIGSEGV where it touches it, be it by host->spent, fault or counters. So it cannot go on with the host's
 * work beside it. False if the kernel refuses. */
bool host__shared_keep(const struct host__shared *shared);

/* Unmaps and closes. Idempotent. */
void host__shared_fini(struct host__shared *shared);

/* Bytes that a request of `session` for `task` takes. */
size_t host__request_bytes(const struct cor_session *session, const struct cor_task *task);

/* Writes what `session` wants done, but for number and generation. */
void host__request_put(struct host__request *request, const struct cor_session *session,
                       const struct cor_task *task, const struct cor_stream_name *name);

/* What there is to be done, as the algorithm sees it: pointers into the request. `columns` has
 * request->rules.value_count entries, `described` request->described_bytes. `session` is told what it does it
 * by. `objective` is where that of the task is put, if it has one. */
void host__request_take(const struct host__request *request, struct cor_session *session,
                        struct cor_rules *rules, struct cor_task *task, struct cor_objective *objective,
                        const double **columns, void *described);

/* Cells that an answer begins with: the session's counters, then those that the algorithm is lent. */
uint32_t host__counted_cells(const struct cor_session *session);

/* Writes the lists of the answer's outcome, the kept bytes, how mail went and its course (NULL: that is not
 * wanted; it is left out where there is no room) behind `counters` cells, and their sizes. */
void host__reply_put(struct host__reply *answer, size_t capacity, uint32_t counters,
                     const struct host__kept *kept, const struct cor_mail_record *log,
                     const struct cor_course *course);

/* Copies what was answered into `outcome` and `kept`, and adds to the session's counters. COR_OK, or the
 * testbed's own trouble. *garbled: what is wrong with it, if it cannot be an answer (then nothing was added
 * or kept). */
enum cor_status host__reply_take(const struct host__shared *shared, struct cor_session *session,
                                 const struct cor_task *task, struct cor_outcome *outcome,
                                 const char **garbled, struct cor_error *error) COR_MUST_USE;

/* As much of it as there is when the guest has died: numbers of the outcome, and counters, if they can be. */
void host__reply_take_rest(const struct host__shared *shared, struct cor_session *session,
                           const struct cor_task *task, struct cor_outcome *outcome);

/* Tells the processor that its thread looks again and again. */
static inline void host__pause(void) {
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

#endif
