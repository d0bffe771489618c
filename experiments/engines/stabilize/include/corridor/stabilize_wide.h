/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spaces that are too large to be gone through: runs from states that are drawn, and a search for the longest
 * way back. What is found is so; that nothing is found proves nothing. */
#ifndef CORRIDOR_STABILIZE_WIDE_H
#define CORRIDOR_STABILIZE_WIDE_H

#include <corridor/rng.h>
#include <corridor/stabilize.h>

#define COR_WIDE_ALL UINT32_MAX /* in the place of an actor */

/* A state is digits, each below its size. */
struct cor_wide {
    uint32_t actor_count, digit_count; /* at most COR_SPACE_ACTORS_MAX of both */
    const uint32_t *sizes;             /* [digit] */
    uint64_t owed;                     /* bit a: to actor a a fair daemon owes turns */
    void *self;
    /* Adds what an actor, or all of them, can do. */
    void (*moves)(const void *self, const uint32_t *digits, uint32_t actor, struct cor_space_moves *moves);
    /* What an outcome makes of the digits. NULL: there is one for each actor, it is added to that of its
     * actor, and what an actor can do is asked of it alone. */
    void (*apply)(const void *self, uint32_t *digits, int32_t by);
    enum cor_status (*inside)(void *self, const uint32_t *digits, bool *inside, struct cor_error *error);
    /* Is a loop of so many states, which has all else of a no, one? NULL: each is. */
    enum cor_status (*counts)(void *self, const uint32_t *digits, const uint64_t *movers, uint32_t count,
                              bool *it_does, struct cor_error *error);
};

/* What is asked. */
struct cor_wide_question {
    enum cor_daemon daemon;
    enum cor_fairness fairness; /* which a loop has to have that is a no; CHANCE: none is */
    uint64_t seed;
    uint32_t steps;  /* of a run within which it is to be back, and it stays for as many */
    uint64_t effort; /* states that the search judges, at most about so many */
    bool (*go_on)(void *self, const char *doing); /* as of cor_stabilize_question */
    void *asker;
};

/* States one behind the other, and who moves in each. */
struct cor_wide_run {
    uint32_t *digits;     /* owned; [count * digit_count] */
    uint64_t *movers;     /* owned; [count]; 0: nobody, at the end */
    uint32_t count, loop; /* the last leads to this state; COR_UNBOUNDED: it ends */
    size_t digit_capacity, mover_capacity;
};
void cor_wide_run_fini(struct cor_wide_run *run); /* idempotent */

enum cor_wide_end {
    COR_WIDE_BACK,   /* inside from some step on, for as long as it was looked at */
    COR_WIDE_OUT,    /* not that */
    COR_WIDE_RESTS,  /* nobody can move outside: the run ends there */
    COR_WIDE_LOOPS,  /* the run ends where it was, and was outside between; without draws, as fair as asked */
    COR_WIDE_LEAVES, /* from inside a step leads outside: the run is that step */
};

/* The run of a number: from a state drawn uniformly, the daemon's choices drawn, each equally likely,
 * until it was inside for `steps` in a row, or twice as many are over. *outside: the steps after which it is
 * inside for good. Each number has streams of its own. */
enum cor_status cor_wide_draw(const struct cor_wide *wide, const struct cor_wide_question *question,
                              uint32_t number, struct cor_wide_run *run, enum cor_wide_end *end,
                              uint32_t *outside, struct cor_error *error) COR_MUST_USE;

/* The longest way back that is found, its last state inside: forwards, where the daemon moves to where most
 * can come, and (central, without `apply`) backwards from states inside, of which those are kept from which
 * least was to come. What can come is estimated by who can move, as drawn runs had it. It may end otherwise,
 * as above. */
enum cor_status cor_wide_search(const struct cor_wide *wide, const struct cor_wide_question *question,
                                struct cor_wide_run *longest, enum cor_wide_end *end,
                                struct cor_error *error) COR_MUST_USE;

#endif
