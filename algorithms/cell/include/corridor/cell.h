/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process that an agent lives in, and the keeper: a process between it and the session, which ends the
 * agent and whatever it started when the session ends it, or dies; which says how it died; which keeps the
 * end of what it writes to standard error; and which ends it when it uses CPU time without getting on.
 *
 * Where the machine allows it the two have a namespace of processes of their own, of which the keeper is the
 * first: then the agent can neither see nor signal the session or any other process, its keeper included, and
 * nothing that it starts outlives the keeper. Elsewhere the keeper adopts and ends what the agent leaves
 * behind, as long as the agent does not kill its keeper. */
#ifndef CORRIDOR_CELL_H
#define CORRIDOR_CELL_H

#include <corridor/error.h>
#include <corridor/walls.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define COR_LAST_WORDS 4096u /* bytes of standard error that are kept */

/* How what lived in a cell came to its end: what its grave says of it. */
enum cor_death {
    COR_DEATH_UNKNOWN,  /* the keeper died, or was killed, before it could say */
    COR_DEATH_EXIT,     /* `code` is its exit code */
    COR_DEATH_SIGNAL,   /* `code` is the signal */
    COR_DEATH_CPU_TIME, /* it did not get on, and was ended by its keeper */
    COR_DEATH_ENDED,    /* ended because the session said so */
    COR_DEATH_MEMORY    /* it ended by itself, and had used most of the memory that it may */
};

/* Did the machine, or whoever else, end it: by a signal that nothing raises which a program does wrong, or
 * with its keeper? */
bool cor_death_is_of_others(enum cor_death death, int code);

/* In memory that keeper and session share, and the agent does not. */
struct cor_grave {
    _Atomic uint32_t is_walled; /* the walls are raised; not written down unless they are to be full: */
    unsigned missing;           /* what they do not keep: guarantees.h */
    enum cor_death death;
    int code;
    _Atomic uint32_t forgotten; /* how often what was said was to be */
    _Atomic uint32_t is_closed; /* all of it is said, and nothing of what lived there is left */
    _Atomic uint32_t worked;    /* ms of CPU time that it had used when the keeper last looked */
    uint32_t size;              /* of `words` */
    char words[COR_LAST_WORDS];
};

/* A place for one life at a time, as the session holds it: the keeper and the pipes to what lives there. The
 * caller's; made by cor_cell_init, ended by cor_cell_fini. */
struct cor_cell {
    pid_t keeper; /* 0: there is none */
    int control;  /* to the keeper; closing it ends the agent, its end tells that the agent is dead; a byte
                     asks  to forget what was said to standard error */
    int to, from; /* the agent's standard input and output, -1: none */
    struct cor_grave *grave; /* owned, as long as the cell */
};

/* What lives in a cell: never returns. Standard input and output are pipes to the session, standard error
 * goes to the keeper; no other descriptor is open. */
typedef void cor_life(void *argument);

/* Nothing lives there. COR_STATUS_MEMORY without shared memory. */
enum cor_status cor_cell_init(struct cor_cell *cell, struct cor_error *error) COR_MUST_USE;

/* Ends what lives there and frees the cell's memory. */
void cor_cell_fini(struct cor_cell *cell);

#define COR_CELL_LENT_MOST 3u
#define COR_CELL_FIRST_LENT 3 /* descriptors that are lent become this one and those behind it */

/* Seconds that a guest has at least to begin, by the clock or of CPU time: that takes as long as it takes,
 * however soon an answer is to come. */
#define COR_BEGIN_SECONDS 10

/* A life to be. */
struct cor_cell_definition {
    cor_life *life;
    void *argument;
    /* While the word at `place` (shared memory; NULL: no such limits) is the same, what lives there may use
     * `cpu_seconds` of CPU time; and while it is odd, it may not idle for seconds. */
    const _Atomic uint32_t *place;
    double cpu_seconds;
    uint32_t begun; /* until the word is that, it begins and may use COR_BEGIN_SECONDS at least; 0: never */
    int walls;      /* enum cor_wall: those that are raised around it */
    /* What it may read beside the system's programs and libraries, and what of it not: see walls.h. */
    const char *const *needs, *const *withheld;
    bool is_program;       /* it takes the place of the life, and cannot forbid itself calls */
    const char *guest;     /* its name for people, where it does not begin; NULL: it has none */
    bool is_full;          /* of what walls are to keep all must hold, else it does not begin */
    uint64_t memory_bytes; /* of its address space; of what is no program beside what it begins with; 0: no
                              limit */
    /* Shared memory, or NULL: raised by one, and whoever waits for it by futex woken, at the end of it. */
    _Atomic uint32_t *bell;
    int lent[COR_CELL_LENT_MOST]; /* open descriptors that it is given */
    uint32_t lent_count;
};

/* Starts a life in the cell, in which there is none. COR_STATUS_INPUT, with what is missing, where all walls
 * are to stand and do not: then it has not begun. */
enum cor_status cor_cell_start(struct cor_cell *cell, const struct cor_cell_definition *definition,
                               struct cor_error *error) COR_MUST_USE;

/* Is it over with what was started? Then the grave is written. False where nothing was. */
bool cor_cell_is_over(const struct cor_cell *cell);

/* For a life: has the cell a namespace of processes of its own? Then all others that it sees, but its keeper,
 * are its own affair. */
bool cor_cell_is_apart(void);

/* Ends all processes that the calling one has left behind, and what they started, and waits for them: those
 * in its namespace where it is `apart`, else those that are its children now. A reaper of orphans: prctl(2),
 * PR_SET_CHILD_SUBREAPER. */
void cor_cell_end_descendants(bool apart);

/* For a life that runs code of others in its own process: what was standard input and output, the way to the
 * session, becomes these two, and what is read from and printed to the standard ones is nobody's affair. */
enum { COR_CELL_REQUESTS = 10, COR_CELL_REPLIES };
void cor_cell_hush(void);

/* What of the guest is still there when its call is over: it could go on beside its host. For a life that has
 * one thread, and is the reaper of orphans. */
enum cor_left { COR_LEFT_NOTHING, COR_LEFT_THREADS, COR_LEFT_PROCESSES };
enum cor_left cor_cell_left(void);
const char *cor_left_word(enum cor_left left); /* "threads" or "processes" */

/* Wakes all who listen to the word at `bell`, in shared memory; raises it by one, then wakes them; listens
 * while it is `seen`, for `seconds` at most: being woken ends it, too, so the caller looks again. */
void cor_cell_wake(const _Atomic uint32_t *bell);
void cor_cell_ring(_Atomic uint32_t *bell);
void cor_cell_listen(const _Atomic uint32_t *bell, uint32_t seen, double seconds);

/* Waits up to `seconds` for it to die by itself, then ends it; afterwards the grave tells how it was, and
 * nothing of it is left. Nothing happens if nothing lives there. */
void cor_cell_end(struct cor_cell *cell, double seconds);

/* What cor_cell_wait saw. */
enum cor_sight { COR_SIGHT_READABLE = 1, COR_SIGHT_WRITABLE = 2, COR_SIGHT_DEAD = 4 };

/* Waits until the agent's output can be read (or has ended), its input can be written (if `writing`), or the
 * agent is dead: a set of enum cor_sight, 0 if none of it happened within `seconds`. */
int cor_cell_wait(const struct cor_cell *cell, int writing, double seconds);

/* Writes up to `size` bytes without blocking: how many, 0 if there is no room now, -1 if nobody reads any
 * more. */
ssize_t cor_cell_write(const struct cor_cell *cell, const void *bytes, size_t size);

/* Reads up to `size` bytes that are there: how many, 0 if there are none now, -1 at the end. */
ssize_t cor_cell_read(const struct cor_cell *cell, void *bytes, size_t size);

/* Seconds of the monotonic clock: for nets, never for results. */
double cor_now(void);

#endif
