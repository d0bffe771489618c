/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations as a covering array: the ranges of an arm's parameters are cut into classes, and the suites
 * together have every combination of the classes of any `strength` parameters that can be drawn. Suite i
 * follows row i, beginning again behind the last; within its classes a suite is drawn by the laws, as ever.
 */
#ifndef CORRIDOR_CONFIGURATIONS_H
#define CORRIDOR_CONFIGURATIONS_H

#include <corridor/experiment.h>

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

#endif
