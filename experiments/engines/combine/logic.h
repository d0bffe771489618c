/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constraints as the generator needs them: asked of a row that one level of was changed, and of rows that
 * are to be completed. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_LOGIC_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_LOGIC_H

#include "problem.h"

struct combine__logic;

/* The constraints of the problem's model over the levels of the problem; NULL if there are none. */
enum cor_status combine__logic_create(const struct combine__problem *problem, struct combine__logic **logic,
                                      struct cor_error *error) COR_MUST_USE;
void combine__logic_destroy(struct combine__logic *logic);

/* Does the row satisfy all constraints that read `parameter`? */
bool combine__logic_allows(const struct combine__logic *logic, const uint16_t *row, uint32_t parameter);

enum combine__answer { COMBINE__NO, COMBINE__YES, COMBINE__UNDECIDED };

/* Can the cells that are not fixed be chosen such that all constraints hold? If so they are, near what they
 * were. Undecided after too many choices. */
enum combine__answer combine__logic_complete(struct combine__logic *logic, uint16_t *row, const bool *fixed);

/* From now on fewer choices are too many. */
void combine__logic_hurry(struct combine__logic *logic);

/* Where the cells that are fixed cannot be completed: which constraints are at odds, by index in the model,
 * none of them to spare. */
void combine__logic_conflict(struct combine__logic *logic, const uint16_t *row, const bool *fixed,
                             bool *at_odds);

/* The constraints whose highest parameter is this one: does the row up to it satisfy them? */
bool combine__logic_allows_prefix(const struct combine__logic *logic, const uint16_t *row,
                                  uint32_t parameter);

/* Numbers parameters by what constraints join, directly or through others; COMBINE__NO_PARAMETER: none reads
 * it.
 */
void combine__logic_clusters(const struct combine__logic *logic, uint32_t *cluster);

#endif
