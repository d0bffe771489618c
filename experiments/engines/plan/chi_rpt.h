/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chi-RPT (paper 004, figures 3 to 7), in parts: what is known off line, the search for an input, the tabu
 * list, and the decision. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_CHI_RPT_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_CHI_RPT_H

#include <corridor/efsm_reach.h>
#include <corridor/planner.h>

/* Off line. */

struct plan__offline {
    const struct cor_efsm *model;      /* borrowed */
    const struct cor_efsm_goal *goal;  /* borrowed */
    struct cor_efsm_constraints found; /* unless they were given */
    struct cor_efsm_reach **reach;     /* borrowed; [trap] rings as constraints, down to the depth */
    uint32_t *distance;                /* owned; [from][to] moves by the control graph, COR_NONE = no way */
    uint32_t *first_near;              /* owned; [trap * locations + location], and one behind the last */
    uint32_t *near;                    /* owned; the neighbourhoods, locations in ascending order */
    size_t near_capacity;
    uint32_t *first_rival, *rivals; /* owned; [transition] others of its location and input label */
    bool *is_perfect;               /* owned; [index in rivals] in the state that is looked at */
    uint64_t *varying;              /* owned; [transition] set of its updates that read a parameter */
    uint32_t *cubes, *open_rivals;  /* owned; room for the search for an input */
};

/* By the constraints given; NULL: by rings of at most `depth` moves, 0: until the initial state is in one.
 * All are borrowed. */
enum cor_status plan__offline_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                     uint32_t depth, const struct cor_efsm_constraints *constraints,
                                     struct plan__offline *offline, struct cor_error *error) COR_MUST_USE;
void plan__offline_fini(struct plan__offline *offline);

/* The tabu list: moves made towards a trap from a state. */

struct plan__tabu_entry {
    uint32_t trap, location, transition, generation;
    uint32_t next; /* in its chain, COR_NONE = none */
};

struct plan__tabu {
    const struct cor_efsm *model;     /* borrowed */
    struct plan__tabu_entry *entries; /* owned */
    int64_t *values;                  /* owned; [entry][variable] state and parameters */
    uint32_t *heads;                  /* owned; hash table of chains, COR_NONE = empty */
    uint32_t *generations;            /* owned; [trap * locations + location]: raised to empty its list */
    uint32_t count, head_count;
    size_t entry_capacity, value_capacity;
};

enum cor_status plan__tabu_create(const struct cor_efsm *model, uint32_t trap_count, struct plan__tabu *tabu,
                                  struct cor_error *error) COR_MUST_USE;
void plan__tabu_fini(struct plan__tabu *tabu);

/* Adds a move: the transition with the state and parameters in `values`. */
enum cor_status plan__tabu_add(struct plan__tabu *tabu, uint32_t trap, uint32_t transition,
                               const int64_t *values, struct cor_error *error) COR_MUST_USE;

/* Empties the list of a trap and a location. */
void plan__tabu_empty(struct plan__tabu *tabu, uint32_t trap, uint32_t location);

/* Whether there is anything for the trap and this state; and whether the move is in it. */
bool plan__tabu_knows(const struct plan__tabu *tabu, uint32_t trap, uint32_t location, const int64_t *values);
bool plan__tabu_has(const struct plan__tabu *tabu, uint32_t trap, uint32_t transition, const int64_t *values);

/* The search for an input: of those that enable a transition, keep rivals away and are not tabu, the first
 * with the least degree. */

/* How hard rivals are kept away: what is asked for is weakened only where no input could be found. */
enum plan__strength {
    PLAN__STRENGTH_ALL,     /* the guard of none holds */
    PLAN__STRENGTH_PERFECT, /* of perfect ones it may: those that hold for all inputs that enable it */
    PLAN__STRENGTH_NONE
};

/* What the input is to bring near: a state of a location behind the move that needs at most `ring` moves (0:
 * that is in any ring), or the trap itself. */
struct plan__aim {
    uint32_t trap, near, ring;
    bool at_trap, at_first; /* the trap; the first move of a shortest path */
    bool any_will_do;       /* the first input that is allowed, whatever its degree */
};

struct plan__found {
    bool any;
    uint64_t degree;
    int64_t values[COR_EFSM_VARIABLES_MAX]; /* state and parameters */
};

#define PLAN__BOXES_MAX 100000 /* that one search looks at; what lies beyond is not found */

/* `tabu` may be NULL. `values` holds the state. */
void plan__input_search(struct plan__offline *offline, const struct plan__tabu *tabu, uint32_t transition,
                        enum plan__strength strength, const struct plan__aim *aim, const int64_t *values,
                        struct plan__found *found);

#endif
