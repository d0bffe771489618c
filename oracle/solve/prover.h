/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question about a corridor and its answer, between prove.c and z3's process: plain bytes. */
#ifndef CORRIDOR_ORACLE_SOLVE_PROVER_H
#define CORRIDOR_ORACLE_SOLVE_PROVER_H

#include "solver.h"

#include <corridor/bytes.h>
#include <corridor/prove.h>

/* What is assumed of a structure, as what * SOLVE__ASSUMED + index. */
#define SOLVE__ASSUMED 65536u
enum {
    SOLVE__HOLDS,    /* constraint: it holds */
    SOLVE__FAILS,    /* constraint: it does not hold, being violated or unknown */
    SOLVE__VIOLATED, /* constraint: it is violated */
    SOLVE__PREMISE,  /* premise: it holds for some elements */
    SOLVE__AGENTS,   /* there are at most so many */
    SOLVE__ORGANIZATIONS,
    SOLVE__GRID,      /* reals are multiples of 1/64: what is reckoned with them is not rounded */
    SOLVE__MEMBER,    /* agent * organizations + organization: as a fact; these are of one state alone */
    SOLVE__NO_MEMBER, /* likewise */
    SOLVE__ATTRIBUTE, /* attribute * agents + agent: the agent has its value */
    SOLVE__ORGANIZATION_ATTRIBUTE, /* attribute * organizations + organization: it has its value */
    SOLVE__PARENT,                 /* organization: it has its parent, or none */
    SOLVE__NOT_VIOLATED            /* constraint: it holds or is unknown */
};

struct solve__proof_task {
    const struct cor_corridor *corridor;
    struct cor_proof_bounds bounds;
    const struct cor_snapshot *state; /* NULL: none. Else structures have as many agents and organizations,
                                          which keep their numbers, the same parameters and the same values
                                          that are unknown, and one constraint is looked at */
    uint32_t constraint;
    bool without_algebra; /* exact algebra over the reals decides much, but one step of it may take minutes
                             that z3 counts as next to no work */
};

/* Behind it: what is assumed [count], 32 bits each. */
struct solve__proof_request {
    uint32_t work, count;
};

/* Behind it: EMPTY: what was needed of what was assumed [core_count], 32 bits each; SATISFIABLE: a structure,
 * all as 64 bits: members [agent][organization] as 0 or 1, parents [organization] as 1 + index or 0,
 * attributes [attribute][agent], those of organizations likewise, and parameters, reals as doubles. The first
 * answer, to a request without assumptions, has premises behind it, instead: constraint and node of each, 32
 * bits. */
struct solve__proof_reply {
    struct solve__answer head;
    enum cor_answer answer;
    uint32_t agents, organizations, core_count, premise_count;
    uint32_t work; /* that it took */
};

/* The words beyond those of the corridor that a name without a list of words may have: so many that all could
 * differ. Their numbers follow those of the corridor. */
uint32_t solve__words_beyond(const struct cor_corridor *corridor, uint32_t agents);

/* Nothing is decided yet; cor_proof_fini frees it in any case. */
enum cor_status solve__proof_init(struct cor_proof *proof, const struct cor_corridor *corridor,
                                  const struct cor_proof_bounds *bounds,
                                  struct cor_error *error) COR_MUST_USE;

/* What z3 may do for a question, and for all of a proof together: its own unit. One that it leaves undecided
 * counts as all that it may do: with products it gives up early, after work that it does not count. */
#define SOLVE__WORK_QUESTION 500000u
#define SOLVE__WORK_ALL (UINT64_C(10) * SOLVE__WORK_QUESTION)

void solve__serve_proofs(const void *task, int socket);

#endif
