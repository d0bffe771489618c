/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Off-line reachability (paper 004, sections 2.3 and 3.1): from which states a trap can be covered, in how
 * many moves, and by which first move. Ring k of a location: the states there that need exactly k moves more,
 * a kind system given; the last of these covers the trap. Rings are found backwards from the trap. Two back
 * ends, one interface: explicit (one distance for each state) and symbolic (constraints). What a trap waits
 * for is taken as covered. */
#ifndef CORRIDOR_EFSM_REACH_H
#define CORRIDOR_EFSM_REACH_H

#include <corridor/efsm.h>
#include <corridor/solve.h>

#define COR_EFSM_FAR UINT32_MAX /* no number of moves is known */

/* How rings are kept: a distance for each state, or constraints. */
enum cor_efsm_backend { COR_EFSM_EXPLICIT, COR_EFSM_SYMBOLIC };

/* "explicit", "symbolic"; NULL behind the last. */
const char *cor_efsm_backend_word(size_t index);

/* Why no further ring was looked for. Only a fixpoint proves that states in no ring cannot reach the trap. */
enum cor_efsm_end {
    COR_EFSM_END_FIXPOINT, /* there is none */
    COR_EFSM_END_INITIAL,  /* the initial state is in a ring, and no more was wanted */
    COR_EFSM_END_DEPTH,    /* the depth that was asked for */
    COR_EFSM_END_BUDGET, /* more cubes than allowed: the last ring is complete, further ones are not known */
    COR_EFSM_END_BEYOND  /* something was too large for exact arithmetic: a state may be missing, or be in too
                            late a ring */
};

/* "fixpoint", "initial state", .. */
const char *cor_efsm_end_word(enum cor_efsm_end end);

/* What is being done, and how far it is. */
typedef void cor_efsm_doing(const char *what);

/* What is looked for, how, and how far. The definition itself is copied. */
struct cor_efsm_reach_definition {
    const struct cor_efsm *model; /* borrowed until the result is destroyed, as is the trap */
    const struct cor_efsm_trap *trap;
    enum cor_efsm_backend backend;
    uint32_t depth;        /* rings at most; 0 = no limit */
    bool until_initial;    /* stop when the initial state is in a ring */
    bool from_start;       /* symbolic: states beyond the bounds that all moves from the start keep, location
                              by location, are in no ring; of all others rings are exact */
    uint64_t state_budget; /* explicit: states (locations x values), and moves looked at: 20 times as many */
    uint32_t cube_budget;  /* symbolic: cubes of all rings */
    cor_efsm_doing *doing; /* told before each ring; NULL: nobody is */
};

/* No limit of depth, to the fixpoint, 10^7 states, 10^6 cubes. */
struct cor_efsm_reach_definition cor_default_efsm_reach(const struct cor_efsm *model,
                                                        const struct cor_efsm_trap *trap,
                                                        enum cor_efsm_backend backend);

/* Whether the explicit back end can take the model: its states and moves keep within the budget. */
bool cor_efsm_is_small(const struct cor_efsm *model, uint64_t state_budget);

struct cor_efsm_reach;

/* COR_STATUS_INPUT: too large for the explicit back end. */
enum cor_status cor_efsm_reach_create(const struct cor_efsm_reach_definition *definition,
                                      struct cor_efsm_reach **reach, struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_efsm_reach_destroy(struct cor_efsm_reach *reach);
COR_DESTROYS(cor_efsm_reach, struct cor_efsm_reach)

/* How the search backwards from the trap ended, and what it took. */
struct cor_efsm_reach_summary {
    enum cor_efsm_end end;
    uint32_t rings;                     /* the last that is not empty */
    uint32_t initial;                   /* moves from the initial state, COR_EFSM_FAR */
    uint64_t states;                    /* explicit: that reach the trap; symbolic: 0 */
    uint64_t cubes;                     /* symbolic: of all rings */
    struct cor_solver_statistics asked; /* of z3, by what for; where that is undecided the end is no fixpoint
                                           unless it would be one anyway */
    uint64_t by_bounds, by_values, by_z3; /* how often an input was eliminated from a cube: by combining
                                             bounds, value by value, or by z3 */
};

/* What was found. */
struct cor_efsm_reach_summary cor_efsm_reach_summary(const struct cor_efsm_reach *reach);

/* Moves from this state to the end of the one that covers the trap: its ring; COR_EFSM_FAR if it is in none.
 */
uint32_t cor_efsm_reach_distance(const struct cor_efsm_reach *reach, uint32_t location,
                                 const int64_t *values);

/* Is the transition, with these inputs, the first move of a shortest path from this state? */
bool cor_efsm_reach_is_first(const struct cor_efsm_reach *reach, uint32_t transition, const int64_t *values);

/* The states of a ring of a location as a constraint, "false" for none; ring 0: of all rings together. And
 * the states and inputs for which the transition is a first move from that ring, the guarding constraint.
 * Freed with free(); a text in brackets, "(1030301 states)", stands for what the explicit back end would have
 * to list at length. */
enum cor_status cor_efsm_reach_location_text(const struct cor_efsm_reach *reach, uint32_t location,
                                             uint32_t ring, char **text,
                                             struct cor_error *error) COR_MUST_USE;
enum cor_status cor_efsm_reach_guard_text(const struct cor_efsm_reach *reach, uint32_t transition,
                                          uint32_t ring, char **text, struct cor_error *error) COR_MUST_USE;

/* How far states of the location are from the constraint of all rings together; symbolic back end alone, as
 * what follows. Of one state (low = high) what cor_expression_degree says of the constraint's text, whatever
 * its size; of the states low[v] .. high[v] (inclusive) a lower bound of that. COR_DEGREE_INFINITE for
 * "false". Variables that are none of the state do not matter. */
uint64_t cor_efsm_reach_degree(const struct cor_efsm_reach *reach, uint32_t location, const int64_t *low,
                               const int64_t *high);

/* The cubes whose union is the constraint of the states that need at most `within` moves, 0: of all rings:
 * how many, and their numbers to `among` unless that is NULL. */
uint32_t cor_efsm_reach_among(const struct cor_efsm_reach *reach, uint32_t location, uint32_t within,
                              uint32_t *among);

/* cor_efsm_reach_degree of these cubes, among[0] .. among[*count - 1], alone. Those that are not nearer than
 * `far` are moved behind the others, and *count is lowered: who looks into parts of low .. high for something
 * nearer has fewer to look at. */
uint64_t cor_efsm_reach_degree_among(const struct cor_efsm_reach *reach, uint32_t location, uint32_t within,
                                     const int64_t *low, const int64_t *high, uint64_t far, uint32_t *among,
                                     uint32_t *count);

/* Whether the constraint of all rings is seen to hold everywhere. */
bool cor_efsm_reach_is_everywhere(const struct cor_efsm_reach *reach, uint32_t location);

/* The last ring of the location that is not empty, 0 if it has none: "L" of the paper. */
uint32_t cor_efsm_reach_longest(const struct cor_efsm_reach *reach, uint32_t location);

/* ---- off-line constraints (paper 004, figure 1: what the on-line phase is given): the rings of all traps of
 * a goal, found, or read from a file that was written when they were found */

/* Rings as constraints (COR_EFSM_SYMBOLIC), down to a depth, or until the initial state is in one. */
struct cor_efsm_constraints {
    const struct cor_efsm *model;     /* borrowed, as is the goal, until cor_efsm_constraints_fini */
    const struct cor_efsm_goal *goal; /* its traps */
    struct cor_efsm_reach **reach;    /* owned; [trap] */
    uint32_t depth;                   /* rings at most; 0 = no limit */
};

/* Finds them; `from_start` and `doing` as in the definition above. What it holds after an error is freed by
 * cor_efsm_constraints_fini, too. */
enum cor_status cor_efsm_constraints_find(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                          uint32_t depth, bool from_start, cor_efsm_doing *doing,
                                          struct cor_efsm_constraints *constraints,
                                          struct cor_error *error) COR_MUST_USE;

/* A file of them, format efsm-constraints/1 (docs/look-up/efsm.md), freed with free(). COR_STATUS_INPUT: it
 * would be larger than a file that is read may be. */
enum cor_status cor_efsm_constraints_text(const struct cor_efsm_constraints *constraints, char **text,
                                          struct cor_error *error) COR_MUST_USE;

/* Reads such a file; decisions by these constraints are those by the ones that were written.
 * COR_STATUS_INPUT: it is none, it is damaged, or of another model or goal. */
enum cor_status cor_efsm_constraints_read(const char *path, const struct cor_efsm *model,
                                          const struct cor_efsm_goal *goal,
                                          struct cor_efsm_constraints *constraints,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_efsm_constraints_fini(struct cor_efsm_constraints *constraints);

#endif
