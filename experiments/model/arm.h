/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading one arm: arm.c, with arm_settings.c and arm_roles.c; used by experiment.c. */
#ifndef CORRIDOR_MODEL_ARM_H
#define CORRIDOR_MODEL_ARM_H

#include <corridor/experiment.h>

/* Checks the shape of all presets, of those that no arm names too. */
enum cor_status cor__presets_check(const struct cor_json *presets, struct cor_error *error) COR_MUST_USE;

/* Reads the arm `json` (an item of "arms"), with its preset from `presets` (NULL if there are none). */
enum cor_status cor__arm_read(struct cor_experiment *experiment, const struct cor_json *json,
                              const struct cor_json *presets, struct cor_arm *arm,
                              struct cor_error *error) COR_MUST_USE;

/* Reads what an arm or its preset sets: laws of parameters, mail, source of walks, faults of the testbed.
 * What is set twice keeps what was read last. */
enum cor_status cor__arm_read_settings(const struct cor_json *json, struct cor_arm *arm,
                                       struct cor_error *error) COR_MUST_USE;

/* Reads the quantities of the model over the parameters of `arm`, whose laws are finished. */
enum cor_status cor__arm_read_roles(const struct cor_model *model, struct cor_arm *arm,
                                    struct cor_error *error) COR_MUST_USE;

void cor__arm_fini(struct cor_arm *arm, uint32_t environments);

#endif
