/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test on line: a planner chooses an input, the system under test answers, the model judges the answer, and
 * so on until the goal is covered, cannot be, or something is wrong. */
#ifndef CORRIDOR_ONLINE_H
#define CORRIDOR_ONLINE_H

#include <corridor/belief_problem.h>
#include <corridor/planner.h>
#include <corridor/system.h>
#include <corridor/terms.h>

/* One move, as it is noted; all borrowed until the note returns. */
struct cor_online_move {
    uint32_t number;     /* from 1 */
    uint32_t attempt;    /* resets before, without the one that begins the test */
    const int64_t *rows; /* where the system may have been, see cor_belief_width */
    uint32_t row_count;
    const struct cor_plan_choice *choice; /* of the planner; NULL: the input was given */
    uint32_t input;                       /* label */
    const int64_t *values;                /* its parameters */
    const struct cor_efsm_observation *observation;
    enum cor_system_trouble trouble;    /* with the system: then there is no observation */
    bool timeout;                       /* it stayed quiet until a clock said so */
    const struct cor_belief_step *step; /* what explains the observation; count 0: nothing does */
    const struct cor_belief_step
        *allowed;                     /* where nothing does: all that would have been allowed; else NULL */
    const uint64_t *gained;           /* traps covered by it, those on the way included */
    const struct cor_goal_word *told; /* goals that come or go by the system's own word, behind it */
    uint32_t told_count;
};

/* A goal that a test is asked for, or no more, while it runs: before a decision at which so many moves were
 * made, or the condition holds in every state that the system may be in. */
struct cor_online_change {
    bool adds;
    uint32_t first, count;      /* traps of the whole goal: those of the one that comes or goes */
    struct cor_expression when; /* over state variables; node_count 0: at `at` moves */
    uint32_t at;
};

/* What is given to the system: an input with its parameters, or a reset. */
struct cor_online_input {
    bool is_reset;
    uint32_t input;        /* label */
    const int64_t *values; /* [variable]: those of its parameters count; borrowed */
};

/* One test: who plays against which system, for which goal, and how long. */
struct cor_online_definition {
    const struct cor_efsm *model; /* borrowed, as all here */
    const struct cor_efsm_goal *goal;
    const struct cor_online_change *changes; /* of what is asked for; of two at once the later counts */
    uint32_t change_count;                   /* what some change adds is not asked for to begin with */
    const struct cor_told_goal *told;        /* goals that the system itself adds or drops, and no change */
    uint32_t told_count;
    const struct cor_planner_kind *planner; /* NULL: what is given, whatever is covered, over sets of states;
                                               behind the last it is inconclusive */
    const struct cor_online_input *given;
    uint32_t given_count;
    /* Behind the last of these: one more; false: there is none. NULL: there is none. */
    bool (*more)(void *context, struct cor_system *system, struct cor_online_input *given);
    struct cor_planner_definition planning; /* reading, budgets, seed; the rest is filled in */
    struct cor_system *system;
    uint32_t moves;       /* at most, over all attempts */
    uint32_t resets;      /* at most, besides the one that begins the test: when the goal is lost */
    bool possible_states; /* plans over sets of states, where answers do not tell where the system is; else
                             such an answer ends the test, inconclusive */
    const struct cor_efsm_problem *problem; /* of model and goal */
    enum cor_status (*note)(void *context, const struct cor_online_move *move,
                            struct cor_error *error); /* NULL: not wanted */
    /* Over sets of states, now and then while a decision is sought: which share of the test is done, as far
     * as the planner can tell; anything but COR_OK ends the test with it. NULL: nobody asks. */
    enum cor_status (*think)(void *context, double share, struct cor_error *error);
    void *context;
};

/* What came of a test; filled by cor_online_run, freed by cor_online_outcome_fini. */
struct cor_online_outcome {
    enum cor_test_verdict verdict;
    enum cor_system_trouble trouble;
    char words[512]; /* why it is so; "" = the verdict says it */
    uint32_t moves, resets;
    uint64_t timeouts;
    uint32_t planned;          /* moves to the end by the first plan; COR_NONE: it did not say */
    enum cor_plan_proof proof; /* of `planned`, and of what is lost or unreachable */
    uint32_t possible;         /* states at most that the system could be in */
    uint32_t covered;          /* traps */
    uint8_t *ends;             /* owned; [trap]: enum cor_trap_end */
    uint32_t *when;            /* owned; [trap]: the move that covered it, 0 = none did */
    uint64_t *taken;           /* owned; [transition]: moves that can only be explained by it */
};

/* Runs a test. The system is reset first. */
enum cor_status cor_online_run(const struct cor_online_definition *definition,
                               struct cor_online_outcome *outcome, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_online_outcome_fini(struct cor_online_outcome *outcome);

#endif
