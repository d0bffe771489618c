/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/host.h>

#include <stdlib.h>

void cor_outcome_init(struct cor_outcome *outcome) {
    *outcome = (struct cor_outcome){0};
}

void cor_outcome_fini(struct cor_outcome *outcome) {
    cor_lists_fini(&outcome->solution);
    free(outcome->moves);
    for (size_t i = 0; i < outcome->interim_capacity; i++)
        cor_lists_fini(&outcome->interims[i].solution);
    free(outcome->interims);
    cor_outcome_init(outcome);
}
