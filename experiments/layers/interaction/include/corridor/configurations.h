/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations as a covering array: the ranges of an arm's parameters are cut into classes, and the suites
 * together have every combination of the classes of any `strength` parameters that can be drawn. Suite i
 * follows row i, beginning again behind the last; within its classes a suite is drawn by the laws, as ever.
 */
#ifndef CORRIDOR_CONFIGURATIONS_H
#define CORRIDOR_CONFIGURATIONS_H

#include <corridor/experiment.h>
#include <corridor/explored.h>

/* Values from low to high, both included. */
struct cor_class {
    double low, high;
};

/* The classes of one arm's parameters, read with the experiment and freed with it, and the covering array
 * over them, made by cor_experiment_combine. */
struct cor_configurations {
    uint32_t strength, parameter_count;
    uint32_t *parameters;      /* owned, as all below; index in the laws */
    uint32_t *first_class;     /* [parameter_count + 1] where its classes begin */
    struct cor_class *classes; /* of one parameter after the other, ascending and apart */
    uint32_t *rows;            /* row_count x parameter_count; class of the parameter; made by analysis */
    uint32_t row_count;        /* 0: not made yet */
    uint64_t covered, impossible, undrawn; /* combinations of classes: in a row; that ranges and constraints
                                              exclude; that were never drawn, though nothing says why */
};

/* Makes the rows of all arms that have "configurations", a configuration for each of their traps, and
 * the rows of their designs, once: by their laws, the seed of the experiment and nothing else. To be called
 * before suites are generated. COR_STATUS_UNSATISFIABLE: nothing can be drawn. */
enum cor_status cor_experiment_combine(struct cor_experiment *experiment,
                                       struct cor_error *error) COR_MUST_USE;

/* ---- "configurations": {"design": ..} of an arm (explored.h): its inputs are parameters. All else of a
 * suite is drawn, parameters by their laws given the inputs */

/* Whether a parameter can be an input, and its range: it is drawn by itself from a range that nothing else
 * changes. *tied: a constraint that is checked when it is drawn may reject it, so that its law is not uniform
 * in that range. */
bool cor_arm_input(const struct cor_arm *arm, uint32_t parameter, double *low, double *high, bool *tied);

/* Finds a parameter that can be an input of the arm `of`. COR_STATUS_INPUT: it can be none, with those that
 * can. */
enum cor_status cor_arm_input_find(const void *of, const struct cor_json *json,
                                   struct cor_explored_input *input, struct cor_error *error) COR_MUST_USE;

/* ---- configurations that are to meet a condition over parameters and the number of partitions at the start:
 * "configurations": {"traps": [..]} of an arm. Suite i is to meet trap i, beginning again behind the last. It
 * is drawn by the laws until its trap holds; where that takes too long, the whole numbers are those that z3
 * has found */

/* The traps of one arm's configurations, made as the experiment is read and freed with it; a name without
 * meaning here is "". */
struct cor_configuration_traps {
    const char **names;           /* owned array; parameters of the laws, then "partitions" */
    uint32_t count;               /* of traps */
    struct cor_expression *traps; /* owned; over these names */
    bool *read_partitions;        /* owned; [trap] */
    bool is_solved;               /* by cor_experiment_combine: */
    bool *has_example;            /* owned; [trap] z3 has decided it */
    int64_t *examples;            /* owned; [trap][name] */
};

#endif
