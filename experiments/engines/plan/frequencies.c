/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frequencies.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdlib.h>

struct key {
    uint64_t rivals, label;
};

void plan__frequencies_init(struct plan__frequencies *frequencies, const double *weights) {
    *frequencies = (struct plan__frequencies){.weights = weights, .keys.size = sizeof(struct key)};
}

static uint64_t hash_of(const uint32_t *labels, uint32_t count) {
    return cor_hash_bytes(COR_HASH_SEED, labels, count * sizeof *labels);
}

enum cor_status plan__frequencies_learn(struct plan__frequencies *frequencies, const uint32_t *labels,
                                        uint32_t count, uint32_t label, struct cor_error *error) {
    const struct key key = {hash_of(labels, count), label};
    const uint32_t before = frequencies->keys.count;
    uint32_t number;
    if (count < 2)
        return COR_OK;
    COR_TRY(COR_RESERVE(&frequencies->counts, &frequencies->count_capacity, before + 1, error));
    COR_TRY(cor_pool_add(&frequencies->keys, &key, sizeof key, &number, error));
    if (number == before)
        frequencies->counts[number] = 0;
    frequencies->counts[number]++;
    frequencies->seen++;
    return COR_OK;
}

static double weight_of(const struct plan__frequencies *frequencies, uint64_t rivals, uint32_t label) {
    const struct key key = {rivals, label};
    if (frequencies->weights)
        return frequencies->weights[label];
    const uint32_t number = cor_pool_find(&frequencies->keys, &key, sizeof key);
    return 1 + (number == COR_NONE ? 0 : (double)frequencies->counts[number]);
}

void plan__frequencies_fill(const struct plan__frequencies *frequencies, const uint32_t *labels,
                            uint32_t count, double *probabilities) {
    const uint64_t rivals = hash_of(labels, count);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += isnan(probabilities[i]) ? weight_of(frequencies, rivals, labels[i]) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (isnan(probabilities[i]))
            probabilities[i] = weight_of(frequencies, rivals, labels[i]) / sum;
}

void plan__frequencies_fini(struct plan__frequencies *frequencies) {
    cor_pool_fini(&frequencies->keys);
    free(frequencies->counts);
    frequencies->counts = NULL;
}
