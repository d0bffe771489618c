/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations that are to meet a condition over parameters and the number of partitions at the start:
 * "configurations": {"traps": [..]} of an arm. Suite i is to meet trap i, beginning again behind the last. It
 * is drawn by the laws until its trap holds; where that takes too long, the whole numbers are those that z3
 * has found. */
#ifndef CORRIDOR_CONFIGURATION_TRAPS_H
#define CORRIDOR_CONFIGURATION_TRAPS_H

#include <corridor/experiment.h>

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
