/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/hash.h>

/* How many processes have less of it. */
static uint64_t rank(const uint64_t values[COR_PROCESSES_MAX], uint32_t count, uint32_t process) {
    uint64_t less = 0;
    for (uint32_t p = 0; p < count; p++)
        less += values[p] < values[process];
    return less;
}

uint64_t process_layer__abstract_state(const struct cor_cluster *cluster) {
    const struct cor_process *program = cor_cluster_program(cluster);
    const uint32_t count = cor_cluster_process_count(cluster), up = cor_cluster_overview(cluster)->up;
    const union cor_process_value *shown[COR_PROCESSES_MAX];
    uint64_t hash[COR_PROCESSES_MAX], values[COR_PROCESSES_MAX], state = 0;
    for (uint32_t p = 0; p < count; p++) {
        hash[p] = COR_HASH_SEED ^ (up >> p & 1);
        shown[p] = cor_cluster_values(cluster, p, NULL);
    }
    for (uint32_t a = 0; a < program->attribute_count; a++) {
        const bool is_ranked = program->attributes[a].type == COR_PROCESS_COUNT;
        for (uint32_t p = 0; p < count; p++)
            values[p] = shown[p][a].count;
        for (uint32_t p = 0; p < count; p++)
            hash[p] =
                cor_hash_word(hash[p], is_ranked ? 2 * rank(values, count, p) + (values[p] == 0) : values[p]);
    }
    for (uint32_t p = 0; p < count; p++)
        state += hash[p]; /* whichever process it is */
    return state;
}
