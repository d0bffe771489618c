/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A state of which only some facts are known, and what a condition is in all structures that agree with them:
 * numbers lie between bounds, of truth values some are possible. Never too narrow, often wider than the
 * truth. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_PARTIAL_H
#define CORRIDOR_ORACLE_CORRIDOR_PARTIAL_H

#include <corridor/reason.h>

/* Truth values that are possible, as bits. */
enum { CORRIDOR__FALSE = 1, CORRIDOR__TRUE = 2, CORRIDOR__UNKNOWN = 4, CORRIDOR__ANY = 7 };

/* What a node can give. */
struct corridor__bound {
    double low, high; /* of a number or a word */
    bool may_lack;    /* it may have no value .. */
    bool must_lack;   /* .. or never has one */
    uint8_t truths;
    uint32_t element; /* COR_NONE: any, or none */
};

/* What a plain query gave last: the sum or the mean of an attribute of all members of an organization. Most
 * facts say nothing about any given one, and their asking anew would be most of the work. */
struct corridor__kept {
    uint32_t start, organization; /* the BIND of the query, whose members they are */
    bool is_valid;
    struct corridor__bound made;
};

#define CORRIDOR__KEPT_MAX 8

struct corridor__partial {
    const struct cor_corridor *corridor;
    const struct cor_snapshot *state;
    const struct cor_expression *condition;
    uint32_t agents, organizations;
    bool is_exclusive;           /* an agent is in one organization */
    uint8_t *is_member;          /* owned, as all here; [agent * organizations + organization] in the state */
    uint8_t *is_in, *is_out;     /* the same: that fact is known */
    uint32_t *home;              /* [agent] an organization that it is known to be in, COR_NONE */
    uint32_t *out_count;         /* [agent] organizations that it is known not to be in */
    uint32_t *open, *open_count; /* [organization * agents ..] agents that may be in it; how many */
    uint32_t *open_at;           /* [organization * agents + agent] its place among them, COR_NONE */
    uint8_t *has_attribute;      /* [attribute * agents + agent] the fact is known */
    uint8_t *has_organization_attribute; /* [declared attribute * organizations + organization] likewise */
    uint8_t *has_parent;                 /* [organization] the fact is known */
    uint32_t *focus; /* [node] of a query: the one element that decides it, COR_NONE: all are looked at */
    struct corridor__bound *widest; /* [node] of a query: what it is whatever the facts are */
    enum { CORRIDOR__USE_FOCUS, CORRIDOR__FIND_FOCUS, CORRIDOR__FIND_WIDEST } mode;
    struct corridor__bound *bounds;                 /* [node] */
    struct corridor__kept kept[CORRIDOR__KEPT_MAX]; /* while USE_FOCUS */
    uint32_t kept_count;
    struct corridor__bound *values; /* of the elements of a query that may or may not be there, stacked */
    size_t value_count, value_capacity;
    bool is_short; /* of memory: then nothing is known */
};

enum cor_status corridor__partial_init(struct corridor__partial *partial, const struct cor_corridor *corridor,
                                       const struct cor_snapshot *state, uint32_t constraint,
                                       struct cor_error *error) COR_MUST_USE;
void corridor__partial_fini(struct corridor__partial *partial);

/* The fact is known from now on, or no longer. */
void corridor__partial_set(struct corridor__partial *partial, const struct cor_fact *fact, bool is_known);

/* Which truth values the condition can have. */
uint8_t corridor__partial_ask(struct corridor__partial *partial);

#endif
