/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is wrong with a model, or worth knowing of it. What is said of guards is said of all states in the
 * domains, reachable or not; what is said of reachable states is found by visiting them. Each finding has a
 * witness where there can be one; what could not be decided is a finding, too, and says so. */
#ifndef CORRIDOR_EFSM_LINT_H
#define CORRIDOR_EFSM_LINT_H

#include <corridor/efsm.h>
#include <corridor/solve.h>

/* What a finding is of; beside each, what it names and what its witness is. */
enum cor_efsm_lint {
    COR_EFSM_LINT_RIVALS,         /* two transitions: both enabled by the witness */
    COR_EFSM_LINT_PERFECT_RIVALS, /* the first and the second: whatever enables the first enables the second
                                   */
    COR_EFSM_LINT_ALIKE,          /* two rivals that answer the witness alike: no output tells them apart */
    COR_EFSM_LINT_NEVER,          /* a guard that never holds */
    COR_EFSM_LINT_LEAVES, /* a guard that holds, for the witness and others, but what would be assigned leaves
                             a domain each time */
    COR_EFSM_LINT_UNREACHABLE, /* a transition that no reachable state and input enable */
    COR_EFSM_LINT_DEAD_END,    /* a location: no input enables anything in the witness, a reachable state */
    COR_EFSM_LINT_NO_REACTION, /* a location and an input: it enables nothing in the witness, a reachable
                                  state */
    COR_EFSM_LINT_TRAP_NEVER,  /* a trap that no reachable state and input hit */
    COR_EFSM_LINT_TRAPS_CONFLICT, /* two traps of a goal, the first of which the second waits for: behind the
                                     first the second is out of reach */
    COR_EFSM_LINT_READ /* a variable said to be irrelevant, and the guard of a transition that reads it */
};

/* "rivals", "perfect rivals", ..; "?" for any other. */
const char *cor_efsm_lint_word(enum cor_efsm_lint lint);

/* A sentence of what it means. */
const char *cor_efsm_lint_meaning(enum cor_efsm_lint lint);

/* Whether a state is reachable; UNKNOWN: it was not met, and not all reachable states were visited. */
enum cor_efsm_known { COR_EFSM_NO, COR_EFSM_YES, COR_EFSM_UNKNOWN };

/* A finding. Transitions, locations, inputs, goals, traps and variables are indices; the witness is a value
 * for each variable of the model, meaningless without has_witness. */
struct cor_efsm_finding {
    enum cor_efsm_lint lint;
    bool decided;             /* else it may be so: what would have to be looked at was too much */
    uint32_t first, second;   /* transitions; COR_NONE where the lint has none */
    uint32_t location, input; /* COR_NONE where the lint has none; of a witness its location */
    uint32_t goal, traps[2];  /* of the traps' lints; else COR_NONE */
    uint32_t variable;        /* of READ; else COR_NONE */
    bool has_witness;
    enum cor_efsm_known reachable;           /* of the witness */
    int64_t witness[COR_EFSM_VARIABLES_MAX]; /* state and parameters */
};

/* What cor_efsm_lint, which overwrites it, found in a model. */
struct cor_efsm_findings {
    struct cor_efsm_finding *findings; /* owned; by lint, then by transitions */
    uint32_t count;
    size_t capacity;
    bool visited_all;                   /* all reachable states: what is said of these is complete */
    uint64_t states;                    /* visited */
    struct cor_solver_statistics asked; /* of z3, by what for */
};

/* How far reachable states are looked for; what is beyond is not visited. */
struct cor_efsm_lint_limits {
    uint64_t states; /* to visit at most */
    uint64_t moves;  /* to try at most */
};

#define COR_EFSM_LINT_STATES 200000
#define COR_EFSM_LINT_MOVES 10000000

/* So many, where it is not said otherwise. */
struct cor_efsm_lint_limits cor_default_efsm_lint_limits(void);

/* Looks for all of it. */
enum cor_status cor_efsm_lint(const struct cor_efsm *model, struct cor_efsm_lint_limits limits,
                              struct cor_efsm_findings *findings, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_efsm_findings_fini(struct cor_efsm_findings *findings);

#endif
