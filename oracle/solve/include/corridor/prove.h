/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be said of a corridor's text alone: can it hold at all, which constraints contradict each other,
 * which can never be violated, which follow from others. z3 is asked about all structures of the kind whose
 * agents and organizations are within bounds, and in which all attributes and parameters have values. Numbers
 * are exact, where judges round; those without a range of their own lie within 1e9 of 0. */
#ifndef CORRIDOR_PROVE_H
#define CORRIDOR_PROVE_H

#include <corridor/corridor.h>
#include <corridor/reason.h>
#include <corridor/solve.h>

#define COR_PROOF_AGENTS_MAX 32
#define COR_PROOF_ORGANIZATIONS_MAX 16
#define COR_PROOF_NUMBER_MAX 1000000000 /* of numbers without a range */

struct cor_proof_bounds {
    uint32_t agents_low, agents_high;               /* inclusive, from 1 */
    uint32_t organizations_low, organizations_high; /* from 1; of what is observed there are none */
    void (*doing)(const char *what); /* told how far it is before each question; NULL: nobody is */
};

enum cor_certainty { COR_CERTAIN_NO, COR_CERTAIN_YES, COR_UNCERTAIN };

/* "no", "yes", "undecided". */
const char *cor_certainty_word(enum cor_certainty certainty);

/* Within the bounds: */
struct cor_proof_constraint {
    enum cor_certainty satisfiable;     /* it holds in some structure */
    enum cor_certainty can_be_violated; /* it is violated in some structure */
    enum cor_certainty is_implied;      /* by constraints that can hold together; one alone, where all others
                                           cannot */
    uint32_t *implied_by; /* owned; YES: constraints, ascending; none could be spared, as far as was proved */
    uint32_t implied_count;
};

/* What stands left of an "implies". */
struct cor_proof_premise {
    uint32_t constraint, node; /* node of the "or" that the "implies" is */
    enum cor_certainty can_hold;
};

/* A structure; owns what `state` borrows. */
struct cor_proof_state {
    struct cor_snapshot state;
    struct cor_lists organizations;
    uint32_t *parents;
    struct cor_attribute_values *columns; /* of agents, then of organizations */
    double *reals;                        /* of all columns, one behind the other */
    int64_t *integers;                    /* likewise */
    struct cor_value *parameters;
};

/* What cor_prove, which overwrites it, found. */
struct cor_proof {
    enum cor_answer answer; /* can all constraints that are plain hold together? */
    uint32_t *conflict;     /* owned; EMPTY: constraints that contradict each other, ascending; none could be
                               spared, as far as was proved. None: there is no structure of the kind */
    uint32_t conflict_count;
    struct cor_proof_constraint
        *constraints; /* owned; [constraint]; nothing is said of those that are not plain */
    uint32_t constraint_count;
    uint32_t (*equivalent)[2]; /* owned; they hold in the same structures, and in some */
    size_t equivalent_count, equivalent_capacity;
    size_t equivalent_open;             /* pairs of which that is undecided */
    struct cor_proof_premise *premises; /* owned */
    size_t premise_count;
    bool has_example; /* SATISFIABLE: all hold in it, as a judge said */
    struct cor_proof_state example;
    uint64_t asked; /* questions to z3 */
    bool is_cut;    /* z3 was ended for the time that it took: another machine may decide more, or less */
};

/* Proves of constraints that are plain (cor_corridor_is_plain). No condition asks for the state before.
 * Gets names into the corridor for words that the example has, and the text has not. A build without z3
 * leaves all undecided. */
enum cor_status cor_prove(struct cor_corridor *corridor, const struct cor_proof_bounds *bounds,
                          struct cor_proof *proof, struct cor_error *error) COR_MUST_USE;

/* Proves `answer` alone, with conflict and example: can the constraints that are none of time, and not
 * left_out[constraint] (NULL: none is), hold together? */
enum cor_status cor_prove_together(struct cor_corridor *corridor, const struct cor_proof_bounds *bounds,
                                   const bool *left_out, struct cor_proof *proof,
                                   struct cor_error *error) COR_MUST_USE;

/* Makes a reason for which bounds were too wide a smaller one: z3 is asked whether each fact can be spared,
 * if the state, which is of its kind, and the reason are small. Else, and without z3, it stays. */
enum cor_status cor_reason_sharpen(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                   uint32_t constraint, struct cor_reason *reason,
                                   struct cor_error *error) COR_MUST_USE;

/* Idempotent. */
void cor_proof_fini(struct cor_proof *proof);
void cor_proof_state_fini(struct cor_proof_state *state);

#endif
