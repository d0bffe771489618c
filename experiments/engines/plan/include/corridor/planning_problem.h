/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a planner sees of a system: states, inputs, what each may lead to, and traps. A model of a system
 * (paper 004) is one such problem, the environment of a campaign another; planners know no more than this. */
#ifndef CORRIDOR_PLANNING_PROBLEM_H
#define CORRIDOR_PLANNING_PROBLEM_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cor_planning_problem;

/* What one input may lead to. */
struct cor_expanded_outcome {
    uint32_t label;     /* what happened, in the problem's own numbers: of an EFSM the transition */
    double probability; /* NaN = unknown; else those of one input sum to 1 */
};

/* What can be done in a state: inputs that differ in effect (in their outcomes' labels, successors or hits),
 * each with its outcomes, in an order that depends on the problem and state alone. Used again for state after
 * state. */
struct cor_expansion {
    unsigned char *inputs; /* owned; [input][input_size] */
    uint32_t *first;       /* owned; [input_count + 1]: input i has outcomes first[i] .. first[i + 1] - 1 */
    struct cor_expanded_outcome *outcomes; /* owned */
    unsigned char *states;                 /* owned; [outcome][state_size]: successors */
    uint64_t *hits; /* owned; [outcome][trap_words]: ways of traps that are hit, whatever they wait for */
    uint32_t input_count, outcome_count;
    size_t input_capacity, first_capacity, outcome_capacity, state_capacity, hit_capacity;
};

/* All functions are pure: the same state gives the same answer. States and inputs are bytes of fixed size,
 * equal if and only if the bytes are. */
struct cor_planning_problem {
    void *self;
    size_t state_size, input_size;
    uint32_t trap_count, trap_words; /* words: cor_trap_words(trap_count) */
    const uint64_t *after;           /* borrowed; [way][trap_words]: what each way waits for; no circle */
    const uint64_t *denied; /* borrowed; [way][trap_words]: what must not be covered before; NULL: nothing */
    const uint32_t *way_of; /* borrowed; [way - trap_count]: the trap that a further way covers */
    uint32_t way_count;     /* further ways: trap_words has room for them, too */

    /* Fills the expansion, which was cleared, by cor_expansion_input and cor_expansion_outcome. */
    enum cor_status (*expand)(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error);

    /* Moves that are needed at least to cover all traps not in `covered`; 0 is always right. NULL: nothing is
     * known. */
    enum cor_status (*bound)(void *self, const void *state, const uint64_t *covered, uint32_t *moves,
                             struct cor_error *error);
};

/* A trap is covered by any of its ways, of which itself is the first; further ones have numbers from
 * trap_count on. They are never in a set of what is covered. */

/* 64-bit words of a set of so many traps and ways, at least one. */
uint32_t cor_trap_words(uint32_t trap_count);

/* Sets of traps, a bit each: is the trap in the set? And adds it. Traps are numbers below trap_count. */
bool cor_trap_is_in(const uint64_t *set, uint32_t trap);
void cor_trap_add(uint64_t *set, uint32_t trap);

/* All traps of the problem in the set? */
bool cor_all_covered(const struct cor_planning_problem *problem, const uint64_t *covered);

/* The trap that the way covers. */
uint32_t cor_trap_of_way(const struct cor_planning_problem *problem, uint32_t way);

/* Whether a hit of the way covers its trap now: it waits for nothing that is not covered, and denies nothing
 * that is. */
bool cor_way_is_open(const struct cor_planning_problem *problem, uint32_t way, const uint64_t *covered);

/* Whether the trap waits for others that are not covered, in each of its ways. */
bool cor_trap_waits(const struct cor_planning_problem *problem, uint32_t trap, const uint64_t *covered);

/* Adds to `covered` the traps of those ways of `hits` that are open with what was covered before this move:
 * one move covers one position of an ordered list. `hits` keeps the new traps alone. True if there is one. */
bool cor_cover(const struct cor_planning_problem *problem, uint64_t *covered, uint64_t *hits);

/* What can be done in the state; what the expansion held is gone. */
enum cor_status cor_expand(const struct cor_planning_problem *problem, const void *state,
                           struct cor_expansion *expansion, struct cor_error *error) COR_MUST_USE;

/* For `expand`: the next input, then each of its outcomes. */
enum cor_status cor_expansion_input(const struct cor_planning_problem *problem,
                                    struct cor_expansion *expansion, const void *input,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status cor_expansion_outcome(const struct cor_planning_problem *problem,
                                      struct cor_expansion *expansion, struct cor_expanded_outcome outcome,
                                      const void *state, const uint64_t *hits,
                                      struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_expansion_fini(struct cor_expansion *expansion);

#endif
