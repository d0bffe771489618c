/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test keeps to, read from its text (corridor/bounds.h): whether a changed test still does, and how
 * parameters follow each other. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TEXT_BOUNDS_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_TEXT_BOUNDS_H

#include <corridor/expression.h>
#include <corridor/json.h>
#include <corridor/test.h>

enum cor_bound_kind { COR_BOUND_NONE, COR_BOUND_RANGE, COR_BOUND_FOLLOWS, COR_BOUND_REAL };

/* Of a parameter. */
struct cor_bound {
    enum cor_bound_kind kind;
    struct cor_expression low, high; /* owned; FOLLOWS: low alone */
    double real_low, real_high;      /* REAL */
    int sum;                         /* index of the sum that it is part of, -1: none */
};

#define COR_SUM_MAX 16
struct cor_sum {
    uint32_t member[COR_SUM_MAX], count;
    double total;
};

enum cor_role {
    COR_ROLE_AGENTS,
    COR_ROLE_SIZE_MIN,
    COR_ROLE_SIZE_MAX,
    COR_ROLE_COUNT_MIN,
    COR_ROLE_COUNT_MAX,
    COR_ROLE_GROUPS,
    COR_ROLE_LOCATIONS,
    COR_ROLE_COUNT
};

struct cor_role_bound {
    bool given;                    /* it stands there */
    struct cor_expression formula; /* owned */
    int parameter;                 /* the formula is this parameter alone; -1: it is not */
};

struct sequence__bounds {
    uint32_t parameter_count;
    struct cor_bound *parameters; /* owned; [parameter] */
    uint32_t *order;              /* owned; in which they follow from each other */
    uint32_t order_count;
    struct cor_sum *sums; /* owned */
    uint32_t sum_count;
    struct cor_expression *constraints; /* owned */
    uint32_t constraint_count;
    struct cor_role_bound roles[COR_ROLE_COUNT];
    struct cor_role_bound *type_counts;   /* owned; [type] agents of it; NULL: not said of any */
    struct cor_role_bound group_sizes[2]; /* least and largest */
    int idle;                             /* parameter, -1: none */
    double inertia_low, inertia_high;
    double *level_low, *level_high; /* owned; [type]; NaN: given */
    uint32_t type_count;
    bool mixed_groups;
    int64_t *values;         /* owned; [parameter]; scratch: the integers */
    uint32_t *sizes;         /* owned; [partitions_max]; scratch */
    uint32_t partitions_max; /* at the start */
};

/* From JSON or its text, for tests with the parameters and types of `test`. */
enum cor_status sequence__bounds_read(const struct cor_json *json, const struct cor_test *test,
                                      struct sequence__bounds **bounds, struct cor_error *error) COR_MUST_USE;
enum cor_status sequence__bounds_parse(const char *text, const struct cor_test *test,
                                       struct sequence__bounds **bounds,
                                       struct cor_error *error) COR_MUST_USE;
void sequence__bounds_destroy(struct sequence__bounds *bounds);

/* Works out what follows, brings everything else into its range, and gives limits, budget and so on to the
 * suite. */
void sequence__bounds_follow(const struct sequence__bounds *bounds, struct cor_test *test);

/* The parameters that stand for the numbers of agents, groups, become what those are. */
void sequence__bounds_count(const struct sequence__bounds *bounds, struct cor_test *test);

/* Widens the limits, where they are parameters, so that the structure at the start is within them. */
void sequence__bounds_relax(const struct sequence__bounds *bounds, struct cor_test *test);

/* How many things can be broken, and which are kept: into kept[]. */
uint32_t sequence__bounds_lines(const struct sequence__bounds *bounds);
void sequence__bounds_judge(const struct sequence__bounds *bounds, const struct cor_test *test, bool *kept);

/* The range of an integer parameter of the test now; false: it has none, or it follows. */
bool sequence__bounds_range(const struct sequence__bounds *bounds, const struct cor_test *test,
                            uint32_t parameter, int64_t *low, int64_t *high);

#endif
