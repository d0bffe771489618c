/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading what a tree is made of. */
#ifndef CORRIDOR_TREE_CASES_H
#define CORRIDOR_TREE_CASES_H

#include "suite_rows.h"

#include <corridor/tree.h>

/* The first suite with sequences of both kinds, or else with failing ones; COR_ANY_SUITE if nothing failed.
 */
enum cor_status cor__tree_choose_suite(struct cor_result *result, uint16_t arm, uint32_t *suite,
                                       struct cor_error *error) COR_MUST_USE;

/* Reads sequences, chains and cases of tree->suite by tree->projections; there are no nodes yet. */
enum cor_status cor__tree_read(struct cor_result *result, struct cor_tree *tree,
                               struct cor_error *error) COR_MUST_USE;

#endif
