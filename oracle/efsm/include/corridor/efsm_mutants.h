/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of a model: the same model with one thing wrong, each by a name such as "t7.guard.low+1". A tester
 * is measured by those that it kills. */
#ifndef CORRIDOR_EFSM_MUTANTS_H
#define CORRIDOR_EFSM_MUTANTS_H

#include <corridor/efsm.h>

/* What is wrong with a transition of a mutant. */
enum cor_efsm_mutation {
    COR_EFSM_MUTATION_GUARD_SHIFTED, /* a comparison of the guard is off by one */
    COR_EFSM_MUTATION_GUARD_NEGATED,
    COR_EFSM_MUTATION_GUARD_DROPPED,
    COR_EFSM_MUTATION_UPDATE_SHIFTED, /* off by one, within the domain */
    COR_EFSM_MUTATION_UPDATE_DROPPED,
    COR_EFSM_MUTATION_TARGET,         /* another location */
    COR_EFSM_MUTATION_OUTPUT_LABEL,   /* another label, its arguments at their least where they have none */
    COR_EFSM_MUTATION_OUTPUT_DROPPED, /* it says less */
    COR_EFSM_MUTATION_OUTPUT_ADDED,   /* one that is quiet says something */
    COR_EFSM_MUTATION_VALUE,          /* an argument of an output is off by one, within the domain */
    COR_EFSM_MUTATION_MISSING,        /* the transition is never taken */
    COR_EFSM_MUTATION_EXTRA           /* a rival of the transition that leads elsewhere */
};

/* "guard shifted", "guard negated", ..; NULL behind the last. */
const char *cor_efsm_mutation_word(size_t index);

/* What is to be changed; cor_efsm_mutate makes a model of it. What the mutation does not use is 0. */
struct cor_efsm_mutant {
    char *name; /* owned; "TRANSITION.guard.low+1": low, high: the bound's side of the comparison */
    enum cor_efsm_mutation mutation;
    uint32_t transition;
    uint32_t item;     /* node of the guard, update or output */
    uint32_t argument; /* VALUE: of that output */
    uint32_t other;    /* TARGET, EXTRA: location; OUTPUT_LABEL, OUTPUT_ADDED: label */
    int shift;         /* -1 or 1 where something is off by one */
};

/* The mutants of a model, each by its index. */
struct cor_efsm_mutants {
    struct cor_efsm_mutant *mutants; /* owned; by transition */
    uint32_t count;
    size_t capacity;
};

/* All mutants of the model. What was in `mutants` is overwritten. */
enum cor_status cor_efsm_mutants_list(const struct cor_efsm *model, struct cor_efsm_mutants *mutants,
                                      struct cor_error *error) COR_MUST_USE;

/* The one called so; NULL: there is none. */
const struct cor_efsm_mutant *cor_efsm_mutants_find(const struct cor_efsm_mutants *mutants, const char *name);

/* Frees what it holds. Idempotent. */
void cor_efsm_mutants_fini(struct cor_efsm_mutants *mutants);

/* The mutant as a model of its own, with the variables, labels and locations of the other, and its
 * transitions in their order, an extra one behind them. `mutant` NULL: a copy. */
enum cor_status cor_efsm_mutate(const struct cor_efsm *model, const struct cor_efsm_mutant *mutant,
                                struct cor_efsm **made, struct cor_error *error) COR_MUST_USE;

/* The mutant that a member of a file names; COR_STATUS_INPUT: there is none, with a did-you-mean. */
enum cor_status cor_efsm_mutate_named(const struct cor_efsm *model, const struct cor_json *json,
                                      struct cor_efsm **made, struct cor_error *error) COR_MUST_USE;

#endif
