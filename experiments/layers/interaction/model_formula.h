/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of attributes; apart from internal.h, since what is known of collections has names of its own. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_MODEL_FORMULA_H
#define CORRIDOR_EXPERIMENTS_LAYERS_INTERACTION_MODEL_FORMULA_H

#include <corridor/attributes.h>
#include <corridor/json.h>

/* The formula of attribute `index` over the value and the attributes before it; of one that it is added to
 * over itself, too. Freed by interaction__formula_fini. */
enum cor_status interaction__read_formula(const struct cor_json *json,
                                          const struct cor_agent_attribute *attributes, uint32_t count,
                                          uint32_t index, bool adds, struct cor_formula *formula,
                                          struct cor_error *error) COR_MUST_USE;
void interaction__formula_fini(struct cor_formula *formula);

#endif
