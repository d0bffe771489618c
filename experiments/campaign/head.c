/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/layer.h>

#include <stdlib.h>

enum cor_status cor_experiment_head_arms(struct cor_experiment_head *head, size_t arm_count,
                                         struct cor_error *error) {
    COR_ASSERT(!head->arms && arm_count <= UINT32_MAX);
    head->arm_count = (uint32_t)arm_count;
    return cor_made(head->arms = cor_calloc(arm_count, sizeof *head->arms), error);
}

void cor_experiment_head_fini(struct cor_experiment_head *head) {
    for (uint32_t a = 0; head->arms && a < head->arm_count; a++)
        free(head->arms[a].text);
    free(head->arms);
    free(head->path);
    free(head->text);
    *head = (struct cor_experiment_head){0};
}
