/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spectrum.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024

void cor__spectrum_fini(struct cor__spectrum *spectrum) {
    for (size_t i = 0; i < spectrum->count; i++)
        free(spectrum->features[i].buckets);
    free(spectrum->features);
    free(spectrum->slots);
    free(spectrum->put);
    *spectrum = (struct cor__spectrum){0};
}

/* ---------------------------------------------------------------------------------- finding */

static bool same(const struct cor__feature_key *one, const struct cor__feature_key *other) {
    return one->kind == other->kind && one->fold == other->fold && one->a == other->a && one->b == other->b &&
           one->c == other->c;
}

static uint64_t hash_of(const struct cor__feature_key *key) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)key->kind << 16 | key->fold);
    hash = cor_hash_word(hash, (uint64_t)key->a << 32 | key->b);
    return cor_hash_word(hash, key->c);
}

/* The slot of a key: its own, or the free one where it belongs. */
static uint32_t *slot_of(const struct cor__spectrum *spectrum, const struct cor__feature_key *key) {
    size_t mask = spectrum->slot_count - 1, at = (size_t)hash_of(key) & mask;
    while (spectrum->slots[at] != 0 && !same(&spectrum->features[spectrum->slots[at] - 1].key, key))
        at = (at + 1) & mask;
    return &spectrum->slots[at];
}

/* Twice as many slots as features, at least. */
static enum cor_status grow_slots(struct cor__spectrum *spectrum, struct cor_error *error) {
    if (2 * (spectrum->count + 1) <= spectrum->slot_count)
        return COR_OK;
    size_t wanted = spectrum->slot_count > 0 ? 2 * spectrum->slot_count : FIRST_SLOTS;
    uint32_t *slots = cor_calloc(wanted, sizeof *slots);
    if (!slots)
        return cor_fail_memory(error);
    free(spectrum->slots);
    spectrum->slots = slots;
    spectrum->slot_count = wanted;
    for (size_t i = 0; i < spectrum->count; i++)
        *slot_of(spectrum, &spectrum->features[i].key) = (uint32_t)i + 1;
    return COR_OK;
}

enum cor_status cor__spectrum_find(struct cor__spectrum *spectrum, const struct cor__feature_key *key,
                                   uint32_t *index, struct cor_error *error) {
    enum cor_status status = grow_slots(spectrum, error);
    if (status != COR_OK)
        return status;
    uint32_t *slot = slot_of(spectrum, key);
    if (*slot == 0) {
        status = COR_RESERVE(&spectrum->features, &spectrum->capacity, spectrum->count + 1, error);
        if (status != COR_OK)
            return status;
        spectrum->features[spectrum->count] = (struct cor__counted){.key = *key};
        *slot = (uint32_t)++spectrum->count;
    }
    *index = *slot - 1;
    return COR_OK;
}

/* ---------------------------------------------------------------------------------- counting */

enum cor_status cor__spectrum_put(struct cor__spectrum *spectrum, uint32_t index, double value,
                                  struct cor_error *error) {
    struct cor__counted *feature = &spectrum->features[index];
    enum cor__fold fold = feature->key.fold;
    if (fold == COR__PRESENT)
        value = 1;
    else if (isnan(value))
        return COR_OK;
    if (feature->unit == spectrum->unit + 1) {
        COR_ASSERT(fold != COR__ONLY || feature->value == value);
        if ((fold == COR__GREATEST && value > feature->value) ||
            (fold == COR__LEAST && value < feature->value))
            feature->value = value;
        return COR_OK;
    }
    enum cor_status status =
        COR_RESERVE(&spectrum->put, &spectrum->put_capacity, spectrum->put_count + 1, error);
    if (status != COR_OK)
        return status;
    spectrum->put[spectrum->put_count++] = index;
    feature->unit = spectrum->unit + 1;
    feature->value = value;
    return COR_OK;
}

enum cor_status cor__spectrum_note(struct cor__spectrum *spectrum, const struct cor__feature_key *key,
                                   double value, struct cor_error *error) {
    uint32_t index = 0;
    enum cor_status status = cor__spectrum_find(spectrum, key, &index, error);
    return status == COR_OK ? cor__spectrum_put(spectrum, index, value, error) : status;
}

/* The bits of a real number as an integer of the same order, without its 44 last ones: 8 bits remain behind
 * the leading one. */
static int64_t code_of(double value) {
    int64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    if (bits < 0)
        bits = -(bits & INT64_MAX);
    return bits >= 0 ? bits >> 44 : -(-bits >> 44);
}

/* The first bucket whose code is not below. */
static size_t place_of(const struct cor__counted *feature, int64_t code) {
    size_t low = 0, high = feature->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (feature->buckets[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum cor_status count(struct cor__counted *feature, bool failed, struct cor_error *error) {
    int64_t code = code_of(feature->value);
    size_t at = place_of(feature, code);
    if (at == feature->count || feature->buckets[at].code != code) {
        enum cor_status status =
            COR_RESERVE(&feature->buckets, &feature->capacity, feature->count + 1, error);
        if (status != COR_OK)
            return status;
        memmove(&feature->buckets[at + 1], &feature->buckets[at],
                (feature->count - at) * sizeof *feature->buckets);
        feature->buckets[at] =
            (struct cor__bucket){.code = code, .least = feature->value, .greatest = feature->value};
        feature->count++;
    }
    struct cor__bucket *bucket = &feature->buckets[at];
    bucket->least = fmin(bucket->least, feature->value);
    bucket->greatest = fmax(bucket->greatest, feature->value);
    *(failed ? &bucket->failing : &bucket->passing) += 1;
    return COR_OK;
}

enum cor_status cor__spectrum_end(struct cor__spectrum *spectrum, bool failed, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < spectrum->put_count && status == COR_OK; i++)
        status = count(&spectrum->features[spectrum->put[i]], failed, error);
    spectrum->put_count = 0;
    spectrum->unit++;
    *(failed ? &spectrum->failing : &spectrum->passing) += 1;
    return status;
}
