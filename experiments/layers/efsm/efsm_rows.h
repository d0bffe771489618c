/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test on line writes down. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_ROWS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_ROWS_H

#include <corridor/layer.h>
#include <corridor/online.h>

struct efsm_layer__efsm_writer {
    const struct cor_efsm *model;
    uint32_t trap_count;
    bool brief; /* moves only where the model does not allow them */
    struct cor_record *record;
    const struct cor_watch *watch; /* NULL: nobody watches */
    uint32_t failed;               /* the move that the model does not allow; 0 = none */
    uint64_t replies;
    struct cor_efsm_observation scratch;
};

/* A note of cor_online_run; `context` is a writer. */
enum cor_status efsm_layer__efsm_note(void *context, const struct cor_online_move *move,
                                      struct cor_error *error);

/* Tells who watches the writer's suite that so much of it is done, and asks whether to go on. */
enum cor_status efsm_layer__efsm_think(void *context, double share, struct cor_error *error);

/* The rows of the test, its moves apart. */
enum cor_status efsm_layer__efsm_put_outcome(struct efsm_layer__efsm_writer *writer,
                                             const struct cor_online_outcome *outcome,
                                             struct cor_error *error) COR_MUST_USE;

#endif
