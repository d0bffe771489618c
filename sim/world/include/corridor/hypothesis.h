/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world as it might be: what is believed, but for some properties of truth, for conditions that are asked
 * of it (what would hold if that door were open). */
#ifndef CORRIDOR_HYPOTHESIS_H
#define CORRIDOR_HYPOTHESIS_H

#include <corridor/beliefs.h>

struct cor_hypothesis;

/* A hypothesis about beliefs, which are borrowed. */
enum cor_status cor_hypothesis_create(const struct cor_beliefs *beliefs, struct cor_hypothesis **hypothesis,
                                      struct cor_error *error) COR_MUST_USE;
void cor_hypothesis_destroy(struct cor_hypothesis *hypothesis); /* NULL is allowed */

/* All is as it is believed now. To be called after a merge, before anything else. */
enum cor_status cor_hypothesis_begin(struct cor_hypothesis *hypothesis, struct cor_error *error) COR_MUST_USE;

/* A property of truth would be that; null: unknown. Until the next begin, or until it is put again. */
void cor_hypothesis_put(struct cor_hypothesis *hypothesis, uint32_t type, uint32_t element, uint32_t property,
                        struct cor_value value);

/* For cor_expression_ask, with cor_beliefs_values. */
const struct cor_world *cor_hypothesis_world(const struct cor_hypothesis *hypothesis);

#endif
