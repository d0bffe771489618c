/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks to traps that can be made before the system reacts: traps over environments and parameters alone. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_TRAP_WALKS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_TRAP_WALKS_H

#include <corridor/generator.h>

struct search_layer__trap_walks {
    struct cor_arm arm; /* as the experiment's, but for traps, which are owned */
};

/* Of options->trap: a condition, or several with semicolons between them, each of which waits for the one
 * before it. COR_STATUS_INPUT says what it cannot be steered by. */
enum cor_status search_layer__trap_walks_init(const struct cor_generator_definition *definition,
                                              struct search_layer__trap_walks *walks,
                                              struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void search_layer__trap_walks_fini(struct search_layer__trap_walks *walks);

/* The first sequence of a suite as a test that is steered to the traps, as that of an arm of a campaign with
 * these traps and a profile share of 0.1; its weight goes into the proposal. The suite, of the same arm of
 * the experiment, is of the walks' arm afterwards, and may go. */
enum cor_status search_layer__trap_walks_test(const struct search_layer__trap_walks *walks,
                                              struct cor_suite *suite, struct cor_proposal *proposal,
                                              struct cor_error *error) COR_MUST_USE;

#endif
