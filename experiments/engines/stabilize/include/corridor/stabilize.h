/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From any state, does a system come back into its corridor, and does it stay there? By going through all
 * states and all steps: what is said is proved of the space. It knows no processes and no structures.
 *
 * INSIDE is where the corridor holds; the STABLE PART is the greatest part of it that no step leaves; OUTSIDE
 * is all else. A DAEMON chooses who moves. A LOOP is steps outside that end where they began, a DEAD END a
 * state outside in which nobody can move. */
#ifndef CORRIDOR_STABILIZE_H
#define CORRIDOR_STABILIZE_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_SPACE_ACTORS_MAX 64u
#define COR_SPACE_MOVES_MAX 1024u        /* of all actors together, in one state */
#define COR_SPACE_STATES_MAX 0x40000000u /* that numbers are enough for */
#define COR_UNBOUNDED UINT32_MAX         /* of steps, moves, rounds */

/* One of the things that an actor can do: of its outcomes the daemon chooses none, each is equally likely. An
 * outcome is what is added to the state's number; those of several actors that move at once add up. */
struct cor_space_move {
    uint32_t actor, outcome_count;
    const int32_t *by; /* [outcome] */
};
struct cor_space_moves {
    uint32_t count;
    struct cor_space_move items[COR_SPACE_MOVES_MAX]; /* by actor, ascending */
    int32_t own[COR_SPACE_MOVES_MAX];                 /* outcomes of moves that stand nowhere else */
};

/* States are numbers below `size`. */
struct cor_space {
    uint32_t size, actor_count;
    uint64_t owed;          /* bit a: to actor a a fair daemon owes turns */
    const uint64_t *inside; /* [size / 64 + 1] bit s: state s is inside */
    const uint64_t
        *starts; /* likewise: of these, and what comes of them, all is asked; NULL: of all states */
    const void *self;
    void (*moves)(const void *self, uint32_t state, struct cor_space_moves *moves);
};

static inline bool cor_space_is_inside(const struct cor_space *space, uint32_t state) {
    return space->inside[state / 64] >> state % 64 & 1;
}

/* X(NAME, word, meaning) */
#define COR_DAEMONS(X)                                             \
    X(CENTRAL, "central", "one process moves in a step")           \
    X(DISTRIBUTED, "distributed", "any of those that can move do") \
    X(SYNCHRONOUS, "synchronous", "all that can move do")
enum cor_daemon {
#define COR_DAEMON(NAME, ...) COR_DAEMON_##NAME,
    COR_DAEMONS(COR_DAEMON)
#undef COR_DAEMON
        COR_DAEMON_COUNT
};

/* The rungs of the ladder: what is asked of the daemon. X(NAME, word, meaning) */
#define COR_FAIRNESSES(X)                                          \
    X(UNFAIR, "unfair", "nothing is asked of the daemon")          \
    X(WEAK, "weak", "who can move for ever has a turn")            \
    X(STRONG, "strong", "who can move again and again has a turn") \
    X(CHANCE, "chance", "each step that is possible has some probability; where rules draw, coins alone do")
enum cor_fairness {
#define COR_FAIRNESS(NAME, ...) COR_FAIRNESS_##NAME,
    COR_FAIRNESSES(COR_FAIRNESS)
#undef COR_FAIRNESS
        COR_FAIRNESS_NEVER /* the number of rungs, and where nothing helps */
};

/* Their words; of NEVER "never". */
const char *cor_daemon_word(enum cor_daemon daemon);
const char *cor_fairness_word(enum cor_fairness fairness);

/* A state of a run, and who moves in it; nobody in the last one of a run. */
struct cor_space_turn {
    uint64_t movers;
    uint32_t state;
};
struct cor_space_run {
    struct cor_space_turn *items; /* owned */
    uint32_t count;
    size_t capacity;
    bool is_loop; /* the last leads to the first */
};

/* What is asked. */
struct cor_stabilize_question {
    enum cor_daemon daemon;
    enum cor_fairness fairness;   /* under which conditions are to be met again and again */
    const uint64_t *const *again; /* [again_count] states in which the condition holds, as `inside` */
    uint32_t again_count;
    uint64_t round_nodes_most; /* of states with those who have not had their turn */
    uint64_t sought_most;      /* steps looked at for a loop that is shorter */
    bool (*go_on)(void *self,
                  const char *doing); /* asked now and then; false: COR_STATUS_INTERRUPTED; may be NULL */
    void *self;
};

/* Central, unfair, nothing again; what counts rounds takes at most some 400 MiB beside the states. */
struct cor_stabilize_question cor_default_stabilize_question(void);

/* What was found; all of it is about the states that are asked about. */
struct cor_stabilized {
    uint32_t asked;                              /* how many these are */
    uint64_t steps;                              /* (state, movers, outcome) */
    uint32_t inside, stable, leaving;            /* leaving: states inside that a step leads out of */
    uint32_t outside, dead_ends, in_loops, lost; /* lost: states without any way into the stable part */
    uint32_t can_stay;      /* states from which a daemon can stay outside for ever, whatever is drawn */
    uint32_t a_dead_end;    /* the first; COR_UNBOUNDED: there is none */
    uint32_t a_lost;        /* one of these, where there are such */
    bool has_draws;         /* a move has several outcomes */
    bool is_certain;        /* in no state outside there is a choice or a draw */
    enum cor_fairness from; /* the first rung on which all come back */
    bool holds[COR_FAIRNESS_NEVER]; /* [rung]; weak and strong: whatever is drawn */
    bool open[COR_FAIRNESS_NEVER];  /* [rung] not decided: it is weak or strong, and something is drawn: the
                                     * loops that are left may have probability 0 */
    uint32_t worst_steps, worst_moves, worst_rounds; /* into the stable part; COR_UNBOUNDED */
    bool has_rounds;                                 /* false: too many states with turns */
    uint32_t worst_state,
        worst_states;  /* the first that needs worst_steps, how many do; where there are such */
    double mean_steps; /* of the longest ways, over all states */
    double expected_worst, expected_mean,
        expected_error;   /* steps by chance; NaN: not all come back, or see below */
    uint32_t shortest;    /* steps of the shortest loop; 0: there is none */
    bool is_shortest;     /* it is; else sought_most was too few */
    uint64_t *depth;      /* owned; [depth_count] states that are back within so many steps for sure, at */
    uint32_t depth_count; /* most; those that may never be back are in none */
    struct cor_space_run worst, worst_by_moves; /* the longest ways, where they have a bound */
    struct cor_space_run loop;                  /* a loop, as fair as there is, and the fairness it has */
    struct cor_space_run leave; /* where a state inside can be left: it, and where the step leads to */
    enum cor_fairness loop_fairness;
    uint32_t again_failing;   /* the first condition that is not met again; COR_UNBOUNDED: none */
    bool again_open;          /* likewise, of one that may be such */
    uint32_t again_dead_ends; /* in so many states of the stable part nobody can move, and it does not hold */
    uint32_t again_dead_end;  /* the first of these */
    struct cor_space_run again_loop; /* else this goes on for ever without it */
};

/* Goes through the space under a daemon. Freed by cor_stabilized_fini, also on failure. */
enum cor_status cor_stabilize(const struct cor_space *space, const struct cor_stabilize_question *question,
                              struct cor_stabilized *found, struct cor_error *error) COR_MUST_USE;
void cor_stabilized_fini(struct cor_stabilized *found); /* idempotent */

/* Is there from a state no way into the stable part? */
enum cor_status cor_space_is_lost(const struct cor_space *space, enum cor_daemon daemon, uint32_t start,
                                  bool *is_lost, struct cor_error *error) COR_MUST_USE;

/* By chance, can a state be gone on from for ever without coming into the stable part or, if it is not NULL,
 * into one of `goal` (as `inside`)? If the space has no draws each step has some probability: then no way
 * leads there. Else the daemon chooses: it can go on whatever is drawn. */
enum cor_status cor_space_can_stay(const struct cor_space *space, enum cor_daemon daemon, uint32_t start,
                                   const uint64_t *goal, bool *can_stay,
                                   struct cor_error *error) COR_MUST_USE;

/* The shortest way from a state to one that is not inside; no turn: there is none. items: freed by the
 * caller, also on failure. */
enum cor_status cor_space_way_out(const struct cor_space *space, enum cor_daemon daemon, uint32_t start,
                                  struct cor_space_run *run, struct cor_error *error) COR_MUST_USE;

#endif
