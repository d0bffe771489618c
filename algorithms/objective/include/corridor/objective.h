/* SPDX-License-Identifier: MIT
 *
 * An objective as algorithms get it (plugin.h), reckoned block by block: a block that has changed is measured
 * again, and the whole is put together from what blocks were measured to be. Knows only plugin.h, so that an
 * algorithm outside Corridor can take it along. */
#ifndef CORRIDOR_OBJECTIVE_H
#define CORRIDOR_OBJECTIVE_H

#include <corridor/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An objective over the blocks of one task. A block is measured in a slot; which slots make up a candidate is
 * said when it is asked for. */
struct cor_objective_work {
    const struct cor_objective *objective; /* borrowed, as the values */
    const double *const *values;
    uint32_t agent_count, most; /* blocks that a candidate has at most */
    double *rows;               /* [slot * steps + step] of blocks by themselves */
    double *single;             /* [step] of all together */
    double *late;               /* [step * most + place] of blocks, by what all together are */
    unsigned char *kinds;       /* [step] */
};

/* How many bytes `memory` of cor_objective_begin has, which is aligned for a double. */
size_t cor_objective_bytes(const struct cor_objective *objective, uint32_t slots, uint32_t most);

/* Begins with nothing measured; there are `slots` slots, and a candidate has at most `most` blocks. */
void cor_objective_begin(struct cor_objective_work *work, const struct cor_task *task, uint32_t slots,
                         uint32_t most, void *memory);

/* Measures a block: its members, of which each is an agent of the task. */
void cor_objective_measure(struct cor_objective_work *work, uint32_t slot, const uint32_t *members,
                           uint32_t count);

/* The objective of the candidate whose blocks were measured in these slots; NaN: it is not known. */
double cor_objective_total(struct cor_objective_work *work, const uint32_t *slots, uint32_t count);

/* How a whole is put together, where that is from one number of each block alone. */
enum cor_objective_form {
    COR_OBJECTIVE_ANY, /* it is not */
    COR_OBJECTIVE_ADDED,
    COR_OBJECTIVE_AVERAGED,
    COR_OBJECTIVE_HIGHEST
};

/* The form of the objective. */
enum cor_objective_form cor_objective_form(const struct cor_objective_work *work);

/* That number of the block that was measured in the slot, of a form that is not ANY; NaN: it is not known. */
double cor_objective_part(const struct cor_objective_work *work, uint32_t slot);

#ifdef __cplusplus
}
#endif
#endif
