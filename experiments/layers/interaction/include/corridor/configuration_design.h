/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "configurations": {"design": ..} of an arm: some of its parameters, the inputs, are those of the rows of a
 * design (sensitivity.h), suite after suite. All else of a suite is drawn, parameters by their laws given the
 * inputs, from the streams that the design names: suites of one stream differ in inputs, and in what follows
 * from them, alone. */
#ifndef CORRIDOR_CONFIGURATION_DESIGN_H
#define CORRIDOR_CONFIGURATION_DESIGN_H

#include <corridor/experiment.h>
#include <corridor/sensitivity.h>

/* Part of its arm, which reads it and frees it. */
struct cor_configuration_design {
    struct cor_input_design design;
    uint32_t *parameters; /* owned; [input] index in the laws */
    double *low, *high;   /* owned; [input] its range; of an integer both are whole */
    double *rows;         /* owned; as of cor_input_design_make; NULL: not made yet */
};

/* Whether a parameter can be an input, and its range: it is drawn by itself from a range that nothing else
 * changes. *tied: a constraint that is checked when it is drawn may reject it, so that its law is not uniform
 * in that range. */
bool cor_arm_input(const struct cor_arm *arm, uint32_t parameter, double *low, double *high, bool *tied);

/* Reads the range of an input: [low, high] within the range that it is drawn from. COR_STATUS_INPUT: it can
 * be none, with the parameters that can. */
enum cor_status cor_arm_input_read(const struct cor_arm *arm, const struct cor_json *json,
                                   uint32_t *parameter, double *low, double *high,
                                   struct cor_error *error) COR_MUST_USE;

#endif
