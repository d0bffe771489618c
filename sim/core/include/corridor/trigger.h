/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a monitor watches where the corridor is a text: conditions over numbers of organizations, as plain
 * data. Its leaves are counts, sums and extrema of a column of the members, with a filter over what does not
 * change; they are kept from case to case as far as they can be. It asks nobody; whether it is right is
 * judged by the oracle (R-Detect).
 *
 * NaN is a number that is not known (the least of nothing, a quotient by 0), and a condition that is neither
 * true, 1, nor false, 0. */
#ifndef CORRIDOR_TRIGGER_H
#define CORRIDOR_TRIGGER_H

#include <corridor/state.h>

/* A node works on numbers, which an organization each has one of, or all together one. */
enum cor_trigger_operator {
    COR_TRIGGER_CONSTANT,
    COR_TRIGGER_ORGANIZATIONS, /* how many there are */
    /* Of the members that the filter lets pass, or of all agents if not `by_organization`. */
    COR_TRIGGER_COUNT,
    COR_TRIGGER_SUM,
    COR_TRIGGER_UNKNOWNS, /* how many of the numbers are not known */
    COR_TRIGGER_LEAST,    /* of those that are, as below */
    COR_TRIGGER_GREATEST,
    /* Of `left`, or of `left` and `right`; where one side is by organization and the other is not, that one
     * is the same for each. */
    COR_TRIGGER_NEGATE,
    COR_TRIGGER_ABSOLUTE,
    COR_TRIGGER_ADD,
    COR_TRIGGER_SUBTRACT,
    COR_TRIGGER_MULTIPLY,
    COR_TRIGGER_DIVIDE,
    COR_TRIGGER_DIVIDE_DOWN, /* of integers */
    COR_TRIGGER_LOWER,
    COR_TRIGGER_HIGHER,
    COR_TRIGGER_LESS,
    COR_TRIGGER_LESS_EQUAL,
    COR_TRIGGER_EQUAL,
    COR_TRIGGER_NOT_EQUAL,
    COR_TRIGGER_AND,
    COR_TRIGGER_OR,
    COR_TRIGGER_NOT,
    /* Over the organizations for which `left` is true, COR_NOBODY: all of them; of `right`, which of a count
     * is COR_NOBODY. */
    COR_TRIGGER_ALL_OF,
    COR_TRIGGER_ANY_OF,
    COR_TRIGGER_ONE_OF,
    COR_TRIGGER_COUNT_OF,
    COR_TRIGGER_SUM_OF,
    COR_TRIGGER_LEAST_OF,
    COR_TRIGGER_GREATEST_OF,
    COR_TRIGGER_MEAN_OF,
    COR_TRIGGER_KEPT /* a leaf: a number that each organization keeps */
};

#define COR_TRIGGER_NO_FILTER UINT32_MAX

struct cor_trigger_node {
    enum cor_trigger_operator operator;
    bool by_organization;
    uint32_t left, right;    /* nodes before it */
    uint32_t column, filter; /* of leaves */
    double constant;
};

/* A condition, and in how many cases on end it is violated until an alarm is due. Of those that are
 * `is_each` one and the same organization violates it in all of them: `node` is what must hold of each for
 * which `filter` does, COR_NOBODY: of all. */
struct cor_trigger_condition {
    uint32_t node, cases, filter;
    bool is_each;
};

/* Numbers of agents, by agent. */
struct cor_trigger_column {
    const double *numbers;     /* borrowed; of the state that is watched; NaN: not known */
    bool changes;              /* while a sequence runs */
    uint32_t attribute;        /* what it is to whoever lowered it */
    const double *const *kept; /* KEPT, in place of the numbers of agents: [organization], where they are now;
                                  they change with the structure alone */
};

/* What is watched; begins with zeros, filled by whoever lowers it, freed by cor_trigger_program_fini. */
struct cor_trigger_program {
    struct cor_trigger_node *nodes;           /* owned */
    struct cor_trigger_condition *conditions; /* owned */
    uint8_t **filters;                        /* owned, and each; [filter][agent] whether it passes */
    struct cor_trigger_column *columns;       /* owned */
    uint32_t node_count, condition_count, filter_count, column_count;
    size_t node_capacity, condition_capacity, filter_capacity, column_capacity;
};

/* Frees what it holds. Idempotent. */
void cor_trigger_program_fini(struct cor_trigger_program *program);

/* A program over one system. */
struct cor_trigger;

/* Takes the program over, also on failure. */
enum cor_status cor_trigger_create(struct cor_trigger_program *program, uint32_t agent_count,
                                   struct cor_trigger **trigger, struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void cor_trigger_destroy(struct cor_trigger *trigger);

/* Back to the beginning of a sequence: nothing was violated yet, and the structure is new. */
void cor_trigger_restart(struct cor_trigger *trigger);

/* The structure is new: what was kept of it is reckoned again. */
void cor_trigger_restructure(struct cor_trigger *trigger);

/* The next case: whether an alarm is due. */
enum cor_status cor_trigger_watch(struct cor_trigger *trigger, const struct cor_state *state, bool *due,
                                  struct cor_error *error) COR_MUST_USE;

/* In how many cases on end each condition was violated, [condition], of those that are `is_each` by the
 * organization with most of them; and the same of each organization, [condition][organization], in which
 * other conditions are 0. This is what it remembers; to be kept and set again. */
uint32_t *cor_trigger_memory(struct cor_trigger *trigger, size_t *size);
struct cor_streaks *cor_trigger_streaks(struct cor_trigger *trigger);

#endif
