/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constraints as the generator needs them: asked of a row that one level of was changed, and of rows that
 * are to be completed. */
#ifndef CORRIDOR_COMBINE_LOGIC_H
#define CORRIDOR_COMBINE_LOGIC_H

#include "problem.h"

struct cor__logic;

/* The constraints of the problem's model over the levels of the problem; NULL if there are none. */
enum cor_status cor__logic_create(const struct cor__problem *problem, struct cor__logic **logic,
                                  struct cor_error *error) COR_MUST_USE;
void cor__logic_destroy(struct cor__logic *logic);

/* Does the row satisfy all constraints that read `parameter`? */
bool cor__logic_allows(const struct cor__logic *logic, const uint16_t *row, uint32_t parameter);

enum cor__answer { COR__NO, COR__YES, COR__UNDECIDED };

/* Can the cells that are not fixed be chosen such that all constraints hold? If so they are, near what they
 * were. Undecided after too many choices. */
enum cor__answer cor__logic_complete(struct cor__logic *logic, uint16_t *row, const bool *fixed);

/* Where the cells that are fixed cannot be completed: which constraints are at odds, by index in the model,
 * none of them to spare. */
void cor__logic_conflict(struct cor__logic *logic, const uint16_t *row, const bool *fixed, bool *at_odds);

/* The constraints whose highest parameter is this one: does the row up to it satisfy them? */
bool cor__logic_allows_prefix(const struct cor__logic *logic, const uint16_t *row, uint32_t parameter);

/* Numbers parameters by what constraints join, directly or through others; COR__NO_PARAMETER: none reads it.
 */
void cor__logic_clusters(const struct cor__logic *logic, uint32_t *cluster);

#endif
