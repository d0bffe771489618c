/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was observed of a system, and whether its model allows it. A system that is given an input answers by
 * outputs in an order, or stays quiet, which is an observation, too. Several transitions may explain what was
 * observed: then the system may be in several states, and all of them are kept. An input that enables nothing
 * in a state is ignored there: the system stays quiet, and where it is. */
#ifndef CORRIDOR_EFSM_CONFORMANCE_H
#define CORRIDOR_EFSM_CONFORMANCE_H

#include <corridor/efsm.h>
#include <corridor/efsm_terms.h>

/* Labels of outputs in order, with their arguments; none: the system stayed quiet. */
struct cor_efsm_observation {
    uint32_t *labels;   /* owned; COR_NONE: a label that the model does not have */
    int64_t *arguments; /* owned; of all labels, one behind the other */
    uint32_t label_count, argument_count;
    size_t label_capacity, argument_capacity;
};

/* Quiet again; keeps the memory. */
void cor_efsm_observation_clear(struct cor_efsm_observation *observation);

/* Another output, whose arguments follow one by one. */
enum cor_status cor_efsm_observation_label(struct cor_efsm_observation *observation, uint32_t label,
                                           struct cor_error *error) COR_MUST_USE;
enum cor_status cor_efsm_observation_argument(struct cor_efsm_observation *observation, int64_t value,
                                              struct cor_error *error) COR_MUST_USE;

/* What the transition answers to these values, which enable it; what was there is gone. */
enum cor_status cor_efsm_observation_of(const struct cor_efsm *model, uint32_t transition,
                                        const int64_t *values, struct cor_efsm_observation *observation,
                                        struct cor_error *error) COR_MUST_USE;

/* The same labels in the same order with the same arguments? */
bool cor_efsm_observation_equal(const struct cor_efsm_observation *a, const struct cor_efsm_observation *b);

/* Frees what it holds. Idempotent. */
void cor_efsm_observation_fini(struct cor_efsm_observation *observation);

/* States as rows of 1 + variable_count numbers: the location, then a value for each variable, of which those
 * of other kinds than the state's are at their least; equal states are equal rows. The first tells how
 * many numbers a row has, the second writes a state as a row. */
size_t cor_efsm_state_width(const struct cor_efsm *model);
void cor_efsm_state_put(const struct cor_efsm *model, uint32_t location, const int64_t *values, int64_t *row);

/* Why an observation can be: from this state by this transition. */
struct cor_efsm_explanation {
    uint32_t state;      /* among those given */
    uint32_t transition; /* COR_NONE: the input was ignored there */
};

/* All explanations of one observation. Begins as {0}; filled anew by each cor_efsm_explain. `width`:
 * cor_efsm_state_width. */
struct cor_efsm_explanations {
    struct cor_efsm_explanation *items; /* owned; by state, then by transition */
    int64_t *next;                      /* owned; [item][width]: the state behind it */
    uint32_t count;
    uint32_t taken; /* thereof transitions */
    size_t capacity, next_capacity;
    struct cor_efsm_observation scratch; /* owned */
};

/* Why a system in one of `count` states, rows behind each other, can answer so to the input: `values` has its
 * parameters. `observation` NULL: all that it may do. No explanation: the observation is not allowed. */
enum cor_status cor_efsm_explain(const struct cor_efsm *model, const int64_t *states, uint32_t count,
                                 uint32_t input, const int64_t *values,
                                 const struct cor_efsm_observation *observation,
                                 struct cor_efsm_explanations *explanations,
                                 struct cor_error *error) COR_MUST_USE;

/* Sorts rows of `width` numbers and drops doubles; how many are left. */
uint32_t cor_efsm_states_tidy(int64_t *states, uint32_t count, size_t width);

/* Frees what it holds. Idempotent. */
void cor_efsm_explanations_fini(struct cor_efsm_explanations *explanations);

/* Whether a system that is another model can be told from the model by what it answers. */
struct cor_efsm_comparison {
    enum cor_efsm_difference difference;
    uint64_t moves;   /* tried */
    uint32_t length;  /* DIFFERENT: inputs that tell them apart */
    bool is_shortest; /* no fewer do; not known where an input has too many kinds to try all */
    uint32_t *inputs; /* owned; [length]: labels */
    int64_t *values;  /* owned; [length][variable_count]: with the parameters of each */
    struct cor_efsm_observation observation; /* owned; the answer to the last that is not allowed */
};

/* Compares `other`, which has the variables, labels and locations of the model, by the product of its states
 * with the sets of states that the model may be in; inputs are given where the model enables them in one of
 * these, one of each kind that either can tell from others. Tries up to `moves` moves; `doing` is told how
 * many now and then, NULL: nobody is. */
enum cor_status cor_efsm_compare(const struct cor_efsm *model, const struct cor_efsm *other, uint64_t moves,
                                 void (*doing)(const char *what), struct cor_efsm_comparison *comparison,
                                 struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_efsm_comparison_fini(struct cor_efsm_comparison *comparison);

#endif
