/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * z3's word on whether a row can be, for whoever gives up: the generator, the checker. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_DECIDE_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_DECIDE_H

#include "internal.h"

#include <corridor/solve.h>

struct combine__decider;

/* Destroyed by the caller also when it fails. The model is borrowed. */
enum cor_status combine__decider_create(const struct cor_combine_model *model,
                                        struct combine__decider **decider,
                                        struct cor_error *error) COR_MUST_USE;
void combine__decider_destroy(struct combine__decider *decider); /* NULL is allowed */

/* May a level of a parameter be in the row that is asked for? */
typedef bool combine__allows(const void *context, uint32_t parameter, uint32_t level);

/* Is there a row of levels that are allowed which satisfies all constraints? If so `levels` is one. UNDECIDED
 * also without z3, and where constraints have too many combinations to tell z3 of. */
enum cor_status combine__decider_ask(struct combine__decider *decider, combine__allows *allows,
                                     const void *context, uint32_t *levels, enum cor_answer *answer,
                                     struct cor_error *error) COR_MUST_USE;

#endif
