/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The system under test of paper 004: reset, given an input, observed. A simulator of a model (or of a mutant
 * of it) with choices of its own, or a program that speaks lines of JSON. */
#ifndef CORRIDOR_SYSTEM_H
#define CORRIDOR_SYSTEM_H

#include <corridor/efsm_conformance.h>

/* What is wrong with the system itself, which is never "failed conformance". */
enum cor_system_trouble {
    COR_SYSTEM_WELL,
    COR_SYSTEM_DIED,
    COR_SYSTEM_HUNG,
    COR_SYSTEM_GARBLED /* it answered out of turn, nonsense, or without an end */
};

/* How a simulator chooses among rivals. */
enum cor_choosing {
    COR_CHOOSING_UNIFORM,    /* each alike */
    COR_CHOOSING_ADVERSARY,  /* the one farthest from the goal; needs whom it plays against */
    COR_CHOOSING_FAIR,       /* in turns, per state and input */
    COR_CHOOSING_FREQUENCIES /* by given weights of transitions */
};

struct cor_system;

struct cor_system_kind {
    enum cor_status (*reset)(struct cor_system *system, struct cor_error *error);
    /* `values`: the parameters of the input label, a value for each variable of the model. */
    enum cor_status (*give)(struct cor_system *system, uint32_t label, const int64_t *values,
                            struct cor_observation *observation, enum cor_system_trouble *trouble,
                            struct cor_error *error);
    void (*close)(struct cor_system *system);
};

/* The head of every system. */
struct cor_system {
    const struct cor_system_kind *kind;
};

#endif
