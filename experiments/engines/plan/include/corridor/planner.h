/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who chooses the next input of a test on line, and how a choice of the system is read: planners as rows of
 * one list (cor_planner_find). A planner is asked in each state for an input, and told what came of it. */
#ifndef CORRIDOR_PLANNER_H
#define CORRIDOR_PLANNER_H

#include <corridor/efsm.h>
#include <corridor/efsm_problem.h>

struct cor_efsm_constraints; /* efsm_reach.h */

/* What is taken of a system that may choose. */
enum cor_plan_reading {
    COR_READING_HOPE,    /* it is kind: the best of its choices */
    COR_READING_FORCED,  /* the worst of them: a plan holds whatever it chooses */
    COR_READING_EXPECTED /* they have probabilities: least expected moves */
};

/* "hope", "forced", "expected"; NULL behind the last. */
const char *cor_reading_word(size_t index);

/* Why what is said of a plan is so. */
enum cor_plan_proof {
    COR_PROOF_NONE,     /* it is not proven */
    COR_PROOF_SEARCH,   /* all shorter ways were looked at ("bfs") */
    COR_PROOF_FIXPOINT, /* all that can be reached from here was looked at ("fixpoint") */
    COR_PROOF_BOUND     /* a plan as short as the lower bound ("bound") */
};

/* "none", "bfs", "fixpoint", "bound". */
const char *cor_proof_word(enum cor_plan_proof proof);

/* What a planner says in a state. */
enum cor_advice {
    COR_ADVICE_INPUT,     /* give `input` */
    COR_ADVICE_COVERED,   /* nothing is left to cover */
    COR_ADVICE_LOST,      /* proven: nothing of what is left can be covered from here */
    COR_ADVICE_PREVENTED, /* proven: something can with luck, but the system can prevent it (FORCED), or does
                             so with positive probability whatever is given (EXPECTED) */
    COR_ADVICE_GIVE_UP    /* this planner does not know how to go on; nothing is proven */
};

/* What "paper" weighs: a move towards a place near a trap. */
struct cor_candidate {
    const void *input;   /* borrowed as that of the choice */
    uint32_t label;      /* the outcome that is meant: a transition */
    uint32_t trap, near; /* what it is to lead to: a location from which constraints are known */
    uint32_t distance;   /* moves to there by the control graph, this one included */
    uint64_t degree;     /* violation there, behind this move */
    uint64_t fitness;    /* distance^2 + degree^2, saturating: the least is chosen */
    bool is_forced;      /* the system cannot take a rival instead */
};

/* All that a planner says in a state, filled by its `choose`. */
struct cor_plan_choice {
    enum cor_advice advice;
    const void *input; /* INPUT; borrowed from the planner until it is used again */
    uint32_t left;     /* moves to the end of the plan under the reading; COR_NONE = not known */
    uint32_t bound;    /* no plan from here that covers all is shorter, where `proof` does not say so of
                          `left`; 0: not known */
    double expected;   /* reading EXPECTED: expected moves to the end of the plan; else NaN */
    enum cor_plan_proof proof; /* of `left`, `expected`, LOST or PREVENTED */
    uint32_t
        label;    /* the outcome that the plan counts on; FORCED: the worst; COR_NONE = none in particular */
    bool is_part; /* the plan covers not all that is left: the traps in `lost` not, or for the while not */
    enum cor_plan_proof whole; /* is_part: that no plan covers all; NONE: it may be that one does */
    const uint64_t *lost; /* traps that are proven to be out of reach from here; NULL: none is known. Borrowed
                             like input */
    const char *method;  /* for people: what found it ("breadth-first search"), GIVE_UP: why; NULL: nothing to
                            say */
    uint32_t candidates; /* that were weighed */
    uint64_t degree;     /* paper: violation degree of the one chosen; else COR_DEGREE_INFINITE */
    bool by_constraints; /* paper: by off-line constraints (RPT), not by heuristics */
    uint32_t questions, optimisations;   /* paper: how often it asks a solver whether an input exists, and for
                                            the   best one. Here none is asked */
    const struct cor_candidate *weighed; /* paper: [candidates], best first; else NULL. Borrowed like input */
    const uint64_t *discarded; /* paper: traps that it gave up, which proves nothing; else NULL. Borrowed */
};

/* What a planner is made for: the problem, how choices of the system are read, and its budgets. */
struct cor_planner_definition {
    const struct cor_planning_problem *problem; /* borrowed, as all here, until the planner is destroyed */
    const struct cor_efsm *model; /* what the problem stands for; NULL: it is no model ("paper" needs one) */
    const struct cor_efsm_goal *goal;    /* its traps are the problem's */
    const struct cor_efsm_problem *efsm; /* how it packs states and inputs; with `model` */
    enum cor_plan_reading reading;
    const double *weights; /* [label] how often outcomes are taken, one beside the other; above 0; NULL: not
                              known, they are learnt */
    uint64_t state_budget; /* states that one search may look at */
    uint32_t depth;        /* paper: of off-line constraints; 0 = complete */
    const struct cor_efsm_constraints *constraints; /* paper: those, found before; NULL: it finds them */
    uint32_t optimised; /* paper: candidates whose inputs are optimised, the best first; 0 = all */
    bool by_state;      /* antiant: visits are counted per state and transition, not per transition */
    uint64_t seed;      /* of planners that draw: one stream of their own */
};

#define COR_PLANNER_STATES 200000
#define COR_PLANNER_OPTIMISED_MAX 1000000 /* candidates of one move */
#define COR_PLANNER_DEPTH 2

/* HOPE, 200,000 states, depth 2, seed 0; the problem is the caller's to set. */
struct cor_planner_definition cor_default_planner(void);

/* A row of the list of planners. */
struct cor_planner_kind {
    const char *name, *summary;
    enum cor_status (*create)(const struct cor_planner_definition *definition, void **self,
                              struct cor_error *error);
    void (*destroy)(void *self); /* NULL is allowed */
    /* From this state, with so much covered. */
    enum cor_status (*choose)(void *self, const void *state, const uint64_t *covered,
                              struct cor_plan_choice *choice, struct cor_error *error);
    /* What came of the input: a state, and the outcome's label. NULL: it does not want to know. */
    enum cor_status (*observe)(void *self, const void *state, const void *input, uint32_t label,
                               const void *next, struct cor_error *error);
    /* The system was reset: what was given up on the way may be within reach again. NULL: nothing is given
     * up. */
    void (*restart)(void *self);
};

/* All planners, NULL-ended; the first is the default. */
extern const struct cor_planner_kind *const cor_planner_kinds[];

/* The one called so; NULL: none is. */
const struct cor_planner_kind *cor_planner_find(const char *name);

/* ---- How many moves a walk takes at least that is to hit many traps: by the least flow through a graph that
 * uses each arc that is needed (the rural postman's problem without the demand that all hangs together). */

#define COR_NO_WALK UINT32_MAX /* as a bound: proven, no walk uses all */

/* Of a graph: arcs as pairs of nodes, and which of them a walk from `start` has to use; it may end anywhere.
 * 0: not found within the work that it may take. */
enum cor_status cor_walk_bound(uint32_t node_count, const uint32_t (*arcs)[2], const bool *needed,
                               uint32_t arc_count, uint32_t start, uint32_t *bound,
                               struct cor_error *error) COR_MUST_USE;

/* Of a model from a location, guards aside: transitions are the arcs, and each is needed that alone hits a
 * trap that is not in `covered`, a set of traps. `resets`: how often a walk may begin again, a move each. */
enum cor_status cor_efsm_walk_bound(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                    uint32_t location, const uint64_t *covered, uint32_t resets,
                                    uint32_t *bound, struct cor_error *error) COR_MUST_USE;

#endif
