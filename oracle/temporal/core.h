/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the room share: the tree of a text (temporal_parse.c), the core that it is lowered to
 * (machine.c), and remainders, what a formula still asks of the states to come (machine.c). */
#ifndef CORRIDOR_ORACLE_TEMPORAL_CORE_H
#define CORRIDOR_ORACLE_TEMPORAL_CORE_H

#include <corridor/temporal.h>

#include <stddef.h>

#define TEMPORAL__UNBOUNDED UINT32_MAX

/* Words of the language. */
enum temporal__word {
    TEMPORAL__FALSE,
    TEMPORAL__TRUE,
    TEMPORAL__CONDITION,
    TEMPORAL__NOT,
    TEMPORAL__NEXT,
    TEMPORAL__WEAK_NEXT,
    TEMPORAL__ALWAYS,
    TEMPORAL__EVENTUALLY,
    TEMPORAL__HISTORICALLY,
    TEMPORAL__ONCE,
    TEMPORAL__PREVIOUS,
    TEMPORAL__UNTIL,
    TEMPORAL__WEAK_UNTIL,
    TEMPORAL__SINCE,
    TEMPORAL__AND,
    TEMPORAL__OR,
    TEMPORAL__IMPLIES
};

/* A node of the tree; operands have lower indices. Unary: left. */
struct temporal__term {
    enum temporal__word word;
    uint32_t left, right;
    uint32_t low, high;
    uint32_t condition;  /* CONDITION: among the names */
    uint32_t at, length; /* where it stands in the text */
};

struct temporal__tree {
    uint32_t count;
    struct temporal__term terms[COR_TEMPORAL_NODES_MAX];
};

/* The core: negation is pushed down to the conditions, so that all else is monotone. RELEASE is the dual of
 * UNTIL (the right side holds at each position of the window, up to and with the first at which the left side
 * held), TRIGGER that of SINCE. */
enum temporal__kind {
    TEMPORAL__KIND_FALSE,
    TEMPORAL__KIND_TRUE,
    TEMPORAL__KIND_YES, /* a condition holds */
    TEMPORAL__KIND_NO,  /* a condition is violated */
    TEMPORAL__KIND_AND,
    TEMPORAL__KIND_OR,
    TEMPORAL__KIND_UNTIL,
    TEMPORAL__KIND_RELEASE,
    TEMPORAL__KIND_SINCE,
    TEMPORAL__KIND_TRIGGER
};

/* A node of the core; operands have lower indices. */
struct temporal__node {
    enum temporal__kind kind;
    uint32_t left, right;
    uint32_t low, high;  /* of words of time; without bounds 0 and TEMPORAL__UNBOUNDED */
    uint32_t first;      /* YES, NO: which of the formula's conditions; UNTIL, RELEASE: its first obligation;
                            SINCE, TRIGGER: its first cell */
    uint32_t at, length; /* where the first that became it stands in the text */
};

/* What is asked of the next state: a node, with the bounds that are left of it. Those of one node whose low
 * is 0, or whose sides are one and whose bounds are, are a chain, in which each implies all behind it. */
struct temporal__obligation {
    uint32_t node, low, high;
    uint32_t chain_end; /* the last one that it implies, itself if none */
};

struct cor_temporal {
    struct temporal__node *nodes; /* owned; the last is the root */
    uint32_t node_count, cell_count, condition_count;
    uint32_t conditions[COR_TEMPORAL_CONDITIONS_MAX]; /* among the names */
    struct temporal__obligation *obligations;         /* owned */
    uint32_t obligation_count;
};

/* The tree of a text. */
enum cor_status temporal__parse(const char *text, const char *const *names, const char *place,
                                struct temporal__tree *tree, struct cor_error *error) COR_MUST_USE;

/* Remainders are monotone functions of obligations, kept as ordered decision diagrams, each function once: 0
 * is false, 1 is true, others ask for an obligation and go on to `met` or to `unmet`. */
#define TEMPORAL__REMAINDER_FALSE 0u
#define TEMPORAL__REMAINDER_TRUE 1u

struct temporal__choice {
    uint32_t obligation, met, unmet;
};

/* A result of and/or that was worked out lately. */
struct temporal__joint {
    uint32_t both, left, right, result;
};

/* Joints of one step: in all, and after which it searches no more. */
enum { TEMPORAL__JOINTS = 4096, TEMPORAL__WORK_MAX = 1 << 21, TEMPORAL__SEARCH_WORK_MAX = 1 << 19 };

struct temporal__remainders {
    const struct cor_temporal *formula; /* borrowed */
    struct temporal__choice *choices;   /* owned; [0] and [1] are the constants */
    size_t count, capacity;
    uint32_t *slots; /* owned; hash table of choices, 0 = free */
    size_t slot_count;
    struct temporal__joint joints[TEMPORAL__JOINTS];
    uint64_t work;          /* of the present step */
    enum cor_status status; /* of the first thing that failed; from then on results mean nothing */
    struct cor_error error;
};

#endif
