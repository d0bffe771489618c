/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every suite of an arm keeps to, as data: ranges, values that follow, constraints, and what of a suite
 * its parameters stand for. Who changes a suite by hand asks whether the model could have made it. */
#ifndef CORRIDOR_BOUNDS_H
#define CORRIDOR_BOUNDS_H

#include <corridor/experiment.h>

/* A JSON object, freed with free() (docs/do/shrinking.md has it in full):
 *   "parameters": name: [low, high], or the value that follows; of reals both have a decimal point;
 *   "sums": [{"of": [names], "sum": number}]; "constraints": [texts];
 *   "roles": what the number of agents and the limits are in terms of parameters, text or number;
 *   "idle": the parameter that is the probability to idle, or null;
 *   "inertia": [low, high]; "levels": of each type [low, high], or null where they are given;
 *   "mixed_groups": whether a group may mix types.
 * Fallbacks are not in it: what they draw is of the same ranges, or the suite is outside from the start. */
enum cor_status cor_bounds_text(const struct cor_test_model *model, const struct cor_arm *arm, char **text,
                                struct cor_error *error) COR_MUST_USE;

#endif
