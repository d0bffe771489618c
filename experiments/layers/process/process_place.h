/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a worker and the lives of its cells share: memory, and how it is written. The worker is
 * process_apart.c, a life is process_apart.c. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_PROCESS_PLACE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_PROCESS_PLACE_H

#include "internal.h"

#include <corridor/cell.h>
#include <corridor/hash.h>
#include <corridor/needs.h>
#include <corridor/pages.h>
#include <corridor/process_law.h>

#include <stdatomic.h>
#include <stddef.h>

#define PAPER_BYTES (UINT64_C(256) << 20) /* of which only what is written is there */
#define LETTER_OF_OURS UINT64_C(0x726F646972726F43)

/* What a life says of a sequence, before its events and its fresh states. */
struct letter {
    uint64_t word; /* LETTER_OF_OURS, and the digest of what follows: the program may write here, too */
    uint64_t digest;
    enum cor_status status;
    struct cor_process_outcome outcome;
    struct process_layer__reached reached; /* of a law's schedule, */
    uint64_t followed;                     /* and which that was: process_layer__name_of */
    enum cor_left left;                    /* of the program, behind its call */
    size_t event_count, fresh_count;
    bool is_full, differs;  /* differs: from its first execution */
    struct cor_error error; /* where the status is one */
};

/* In memory that worker and life share. */
struct desk {
    _Atomic uint32_t place; /* odd in a sequence, and then another even number */
    _Atomic uint32_t bell;  /* rung at whatever is said */
    _Atomic uint32_t said;  /* letters that were written, */
    _Atomic uint32_t
        taken; /* and read: the next takes the place of the last, and of a law that of so many before */
    uint32_t has_begun;   /* not 0: the life has, */
    uint32_t lacks_calls; /* without the wall that it puts on itself */
    _Atomic uint32_t
        orders;     /* sequences that were asked for, where they are one by one, or schedules of a law; */
    uint32_t order; /* the last of the former */
    struct process_layer__report report;      /* of the sequence under way */
    struct letter letters[COR_PROCESS_AHEAD]; /* number n of a law, whose schedules have no rest, is n modulo
                                                 so many; */
    struct cor_process_trajectory
        trajectories[COR_PROCESS_AHEAD]; /* and is asked for by the one there; else the first */
    _Alignas(16) unsigned char rest[];   /* events, then fresh states, then the trail: events under way */
};

/* In memory that they share, too, and that outlives a life: what comes of a shrinking or a story. */
struct paper {
    uint64_t size;      /* of `bytes`: answers of a shrinking one behind the other, or a text */
    uint32_t tries;     /* answers */
    uint32_t is_over;   /* not 0: all was done, */
    uint32_t is_forced; /* the last one was left by force, and the next is for another life, */
    uint32_t left;      /* the one under way left this behind: enum cor_left, */
    uint32_t differs;   /* or differs the second time */
    struct cor_shrink_progress progress; /* how far a shrinking is, */
    _Atomic uint32_t is_stopped;         /* not 0: which tries no more */
    double hang_seconds; /* of a shrinking whose first schedule hangs: those of the others; 0: not known yet,
                            below: as ever */
    struct shrunk {      /* what came of a shrinking that is over */
        enum cor_status status;
        struct cor_error error;
        struct cor_shrunk done;
        uint64_t count; /* of choices that are left: the last of `bytes` */
    } shrunk;
    _Alignas(16) unsigned char bytes[];
};

/* An answer: what came of a schedule. Behind it, if it failed, what happened: of each event of the schedule a
 * bit, or, where a life died and only the trail is there, the events of that. */
struct answer {
    uint32_t violated;
    uint16_t end; /* enum cor_process_end */
    uint16_t has_bits;
    uint64_t count; /* bits, or events */
};

/* One cell, and what its life is to do. */
struct place {
    struct process_layer__apart *apart;
    struct cor_cell cell;
    struct desk *desk;
    struct process_layer__seen *seen; /* as it is when the life begins */
    uint32_t suite, next, first, end; /* sequences; next: that it says next */
    uint32_t asked;                   /* up to this one it was asked for, */
    uint64_t followed;                /* and the next is that of a law, by process_layer__name_of */
    bool is_asked;                    /* it waits to be asked for each, in any order; next counts them */
    bool is_doubted;                  /* what comes out is executed twice */
    const struct process_layer__task *task; /* to be done instead of sequences; NULL: none */
    uint32_t tried;                         /* of a shrinking, */
    uint64_t read;                          /* and bytes of its answers that were read */
};

struct process_layer__apart {
    struct process_layer__rig *rig;             /* borrowed */
    struct cor_needs needs;                     /* of the program; */
    char **withheld;                            /* owned; of these */
    size_t desk_bytes, event_most;              /* event_most: of a schedule */
    struct cor_process_law *law;                /* borrowed; whose schedules are followed; NULL: none, */
    const struct cor_process_trajectory *ahead; /* borrowed; of these [ahead_count] next, in order */
    uint32_t ahead_count;
    struct cor_pages *pages;   /* owned; with snapshots in the steady life; NULL: without */
    struct paper *paper;       /* owned; NULL: nobody has needed it */
    struct place steady, lone; /* for many sequences, for one */
    struct process_layer__report again;
};

static inline const struct cor_process_arm *
process_layer__apart_arm(const struct process_layer__apart *apart) {
    return &apart->rig->experiment->arms[apart->rig->arm];
}

#define TRAIL_MORE 2 /* the end of the last case, and an event that turns out not to be possible */

/* Where in the rest of a desk the trail begins. */
static inline size_t process_layer__trail_at(const struct process_layer__apart *apart) {
    return (apart->event_most + 1) * sizeof(struct cor_process_event) +
           PROCESS_LAYER__SEEN_MAX * sizeof(uint64_t);
}

/* The error counts where there is one. */
static inline uint64_t process_layer__letter_digest(const struct letter *letter) {
    const size_t before = offsetof(struct letter, status),
                 end = letter->status == COR_OK ? offsetof(struct letter, error) : sizeof *letter;
    return cor_hash_bytes(LETTER_OF_OURS, (const char *)letter + before, end - before);
}

/* Which schedule a life followed, for whoever asked for it: it reads that in memory where the program can
 * write. */
static inline uint64_t process_layer__name_of(const struct cor_process_trajectory *trajectory) {
    const size_t forks = trajectory->fork_count * sizeof *trajectory->forks,
                 behind = offsetof(struct cor_process_trajectory, until);
    const uint64_t name =
        cor_hash_bytes(LETTER_OF_OURS, trajectory, offsetof(struct cor_process_trajectory, forks) + forks);
    return cor_hash_bytes(name, (const char *)trajectory + behind, sizeof *trajectory - behind);
}

/* Was a call left by force? Whatever the program was at, memory of its own and of the C library may be left
 * half done. */
static inline bool process_layer__was_forced(enum cor_process_end end) {
    return end == COR_PROCESS_END_SIGNAL || end == COR_PROCESS_END_ABORT || end == COR_PROCESS_END_EXIT ||
           end == COR_PROCESS_END_HANG;
}

/* Reads the next answer of a shrinking, to a schedule (NULL: its outcome alone is wanted). COR_STATUS_INPUT:
 * the program wrote over them. */
enum cor_status process_layer__read_answer(struct place *place, const struct cor_process_schedule *schedule,
                                           struct cor_process_schedule *executed,
                                           struct cor_process_outcome *outcome,
                                           struct cor_error *error) COR_MUST_USE;

/* Writes one, behind the others. schedule: that it is about; NULL: not known here. */
enum cor_status process_layer__write_answer(struct paper *paper, const struct cor_process_schedule *schedule,
                                            const struct cor_process_schedule *executed,
                                            const struct cor_process_outcome *outcome,
                                            struct cor_error *error) COR_MUST_USE;

#endif
