/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a constraint is violated in a state, as facts of it: whatever else was otherwise, with these facts it
 * is violated. */
#ifndef CORRIDOR_REASON_H
#define CORRIDOR_REASON_H

#include <corridor/corridor.h>

enum cor_fact_kind {
    COR_FACT_MEMBER,                 /* the agent is in the organization */
    COR_FACT_NO_MEMBER,              /* it is not */
    COR_FACT_ATTRIBUTE,              /* the agent has the value that it has */
    COR_FACT_ORGANIZATION_ATTRIBUTE, /* the organization has the value that it has */
    COR_FACT_PARENT                  /* the organization has the parent that it has, or none */
};

struct cor_fact {
    enum cor_fact_kind kind;
    uint32_t agent, organization; /* COR_NOBODY where it is about none */
    uint32_t attribute; /* ATTRIBUTE: of the corridor; ORGANIZATION_ATTRIBUTE: of those it declares */
};

/* In every structure of the kind with as many agents and organizations, the same parameters and the same
 * state before that agrees with the facts the constraint is violated. */
struct cor_reason {
    struct cor_fact *facts; /* owned */
    size_t count, capacity;
    bool is_there;   /* else there is none: the state is not of its kind, it is too large, or the constraint
                        is not plain */
    bool is_minimal; /* it was proved that no fact can be spared; else none could be found */
};

/* The reason of a constraint that is violated in the state, which is of its kind. Facts are unknown, bounds
 * say whether the constraint is violated still, and what can be spared goes, by halves. `reason` is
 * overwritten, its memory used again; it begins with zeroes. */
enum cor_status cor_corridor_reason(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                    uint32_t constraint, struct cor_reason *reason,
                                    struct cor_error *error) COR_MUST_USE;

/* Idempotent. */
void cor_reason_fini(struct cor_reason *reason);

/* A fact as words: "agent 3 is in organization 1". */
void cor_fact_text(const struct cor_fact *fact, const struct cor_corridor *corridor,
                   const struct cor_snapshot *state, char *text, size_t size);

#endif
